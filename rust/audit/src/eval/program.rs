//! The names of all files together.

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _, HashSet};
use rayon::prelude::*;

use super::copies::{Copies, Copy};
use super::texts::{Texts, defines};
use crate::ast::{Body, Decl, DeclId, DeclKind, ExprId, Path, ScopeId, ScopeKind, Segment, Site, Span, Unit};
use crate::source::{Source, closing, code, is_loud, places};
use crate::syntax::{Code, Given, copies, is_listed};

/// A declaration in some unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeclRef {
    /// Index of the unit.
    pub unit: u32,
    /// The declaration in it.
    pub id: DeclId,
}

/// A function in some unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BodyRef {
    /// Index of the unit.
    pub unit: u32,
    index: u32,
}

/// How many functions of a name all files define, for the names that were asked for.
pub type Definitions = BTreeMap<String, usize>;

/// Index of a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Namespace(u32);

/// The global namespace.
pub const GLOBAL: Namespace = Namespace(0);

/// Names of namespaces that stand for others.
const MAX_ALIASES: usize = 4;

/// Namespaces that are walked through `using namespace`, at most.
const MAX_USING: usize = 32;

/// Containers, whose elements are never references.
const CONTAINERS: [&str; 4] = ["array", "device_vector", "host_vector", "vector"];

/// Functions of the standard library that change what they are given, or hand on a reference to it.
const CHANGES: [&str; 5] = ["exchange", "forward_as_tuple", "ref", "swap", "tie"];

/// Classes in classes.
const MAX_CLASSES: usize = 3;

/// Bytes between declarations of one name in a block, and the place that asks: in more, `#if`s are not looked for.
const MAX_BETWEEN: u32 = 1 << 16;

/// The declarations of one name in a namespace.
#[derive(Debug, Default)]
struct Named {
    decls: Vec<DeclRef>,
    /// Whether one of them specialises a class template: then all of them, in whatever file, are one thing.
    specialized: bool,
}

#[derive(Debug, Default)]
struct Members<'a> {
    path: Vec<&'a str>,
    parent: Option<Namespace>,
    names: HashMap<&'a str, Named>,
    using: Vec<Namespace>,
    /// The copies of a library that open it; none stands for everything outside of them.
    opened: Vec<Option<Copy>>,
}

/// A constant that a macro defines under a name of its own: `HEADDIM_SWITCH(d, [&] { … })` gives `kHeadDim`.
#[derive(Debug)]
struct Implied<'a> {
    name: &'a str,
    values: Vec<i128>,
}

/// Names in the classes and blocks of a unit.
type Locals<'a> = HashMap<(ScopeId, &'a str), Vec<DeclId>>;

/// All units with their namespaces merged.
#[derive(Debug)]
pub struct Program<'a> {
    sources: &'a [Source],
    units: &'a [Unit],
    namespaces: Vec<Members<'a>>,
    /// What is inside of a namespace.
    inside: HashMap<(Namespace, &'a str), Namespace>,
    /// The namespace that each scope of each unit lies in.
    of_scope: Vec<Vec<Namespace>>,
    /// Names in classes and blocks, by unit.
    local: Vec<Locals<'a>>,
    /// Which units other files can include: what a `.cu` declares is its own affair.
    headers: Vec<bool>,
    /// Which copies of a library each unit sees, and which it is part of, where there are several.
    near: Vec<Vec<Copy>>,
    copy: Vec<Option<Copy>>,
    implied: HashMap<&'a str, Option<Implied<'a>>>,
    /// Functions by name, by the scope of their parameters, and by that of their template parameters.
    bodies: HashMap<&'a str, Vec<BodyRef>>,
    by_scope: HashMap<(u32, ScopeId), BodyRef>,
    defined: Option<&'a Definitions>,
    texts: Arc<Texts>,
}

impl<'a> Program<'a> {
    /// Merges the units.
    pub fn new(sources: &'a [Source], units: &'a [Unit]) -> Self {
        Self::sharing(sources, units, &Arc::default())
    }

    /// The same, with what another program of these sources knows of their texts.
    pub fn sharing(sources: &'a [Source], units: &'a [Unit], texts: &Arc<Texts>) -> Self {
        let mut program = Self {
            sources,
            units,
            namespaces: vec![Members::default()],
            inside: HashMap::new(),
            of_scope: Vec::with_capacity(units.len()),
            local: Vec::new(),
            headers: Vec::new(),
            near: Vec::new(),
            copy: Vec::new(),
            implied: HashMap::new(),
            bodies: HashMap::new(),
            by_scope: HashMap::new(),
            defined: None,
            texts: Arc::clone(texts),
        };
        let included = included(sources);
        let shared = |unit: &Unit| sources.get(unit.file).is_some_and(|source| is_shared(source, &included));
        program.headers = units.iter().map(shared).collect();
        let copies = Copies::among(sources);
        let path = |unit: &Unit| sources.get(unit.file).map(|source| source.path.as_path());
        if copies.several() {
            program.near =
                units.iter().map(|unit| path(unit).map(|path| copies.near(path)).unwrap_or_default()).collect();
        }
        program.copy = units.iter().map(|unit| copies.of(path(unit)?)).collect();
        program.implied = program.implied();
        // `cute::` means CuTe even when none of CuTe's own headers is among the files.
        program.enter(GLOBAL, "cute");
        program.local = units.par_iter().map(|unit| locals(sources, unit)).collect();
        for unit in 0..u32::try_from(units.len()).unwrap_or(u32::MAX) {
            program.add(unit);
        }
        program.resolve_using();
        program
    }

    /// The same, with the functions of which every definition was read.
    #[must_use]
    pub fn knowing(self, defined: &'a Definitions) -> Self {
        Self { defined: Some(defined), ..self }
    }

    /// What the texts of all files say.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    fn add(&mut self, unit: u32) {
        let Some(of) = self.units.get(unit as usize) else { return };
        let mut homes: Vec<Namespace> = Vec::with_capacity(of.scopes.len());
        for scope in &of.scopes {
            let outer = scope.parent.and_then(|parent| homes.get(parent.0 as usize).copied()).unwrap_or(GLOBAL);
            let home = match &scope.kind {
                ScopeKind::Namespace(names) => {
                    let copy = self.copy.get(unit as usize).copied().flatten();
                    names.iter().fold(outer, |outer, name| {
                        let inner = self.enter(outer, self.text(Site { unit, span: *name }));
                        let opened = &mut self.members(inner).opened;
                        if !opened.contains(&copy) {
                            opened.push(copy);
                        }
                        inner
                    })
                }
                _ => outer,
            };
            homes.push(home);
            if !is_namespace(&scope.kind) {
                continue;
            }
            for decl in &scope.decls {
                let name = self.text(Site { unit, span: of.decl(*decl).name });
                if name.is_empty() {
                    continue;
                }
                let reference = DeclRef { unit, id: *decl };
                let specialized = matches!(of.decl(*decl).kind, DeclKind::Class { args: Some(_), .. });
                let named = self.members(home).names.entry(name).or_default();
                named.decls.push(reference);
                named.specialized |= specialized;
            }
        }
        self.of_scope.push(homes);
        for (body, index) in of.bodies.iter().zip(0_u32..) {
            let found = BodyRef { unit, index };
            self.bodies.entry(self.text(Site { unit, span: body.name })).or_default().push(found);
            self.by_scope.insert((unit, body.scope), found);
            if let Some(template) = body.template {
                self.by_scope.insert((unit, template), found);
            }
        }
    }

    /// A function.
    pub fn body(&self, body: BodyRef) -> &'a Body {
        &self.unit(body.unit).bodies[body.index as usize]
    }

    /// The function whose parameters, or template parameters, a scope holds.
    pub fn body_of(&self, unit: u32, scope: ScopeId) -> Option<BodyRef> {
        self.by_scope.get(&(unit, scope)).copied()
    }

    /// The functions of a name whose bodies were read, whether or not there are others.
    pub fn bodies(&self, name: &str) -> &[BodyRef] {
        self.bodies.get(name).map_or(&[], Vec::as_slice)
    }

    /// The functions of a name, if all of them were read; none otherwise.
    pub fn functions(&self, name: &str) -> Option<&[BodyRef]> {
        let count = *self.defined?.get(name)?;
        self.bodies.get(name).map(Vec::as_slice).filter(|all| all.len() >= count)
    }

    /// Whether every function of a name takes its arguments by value, as far as it was read, and all of that name in its file were.
    pub fn takes_values(&self, name: &str) -> bool {
        let bodies = self.bodies(name);
        let plain = |body: &BodyRef| {
            let of = self.body(*body);
            let text = self.text(Site { unit: body.unit, span: of.span });
            let head = text.split('{').next().unwrap_or_default();
            let file = self.sources().get(self.unit(body.unit).file).map_or("", |source| source.text.as_str());
            let read = bodies.iter().filter(|other| other.unit == body.unit).count();
            head.split(',').all(|part| !part.contains('&') || part.contains("const"))
                && crate::mentions::count(file, name) <= read
        };
        !bodies.is_empty() && bodies.iter().all(plain)
    }

    /// The text of a unit's file.
    pub fn file(&self, unit: u32) -> &'a str {
        self.sources.get(self.unit(unit).file).map_or("", |source| source.text.as_str())
    }

    /// Whether a variable that is declared in a function has one value there.
    pub fn keeps(&self, code: &Code, function: Site, decl: DeclRef) -> bool {
        let name = self.decl(decl).name;
        let inside = function.unit == decl.unit && function.span.contains(name);
        let declared = name.start.saturating_sub(function.span.start) as usize;
        inside && code.keeps(self.name(decl), declared, &|given| self.copies(decl.unit, given))
    }

    /// The same of the number of a thread, the index of a block or a pointer: functions that were not read leave those alone.
    pub fn keeps_index(&self, code: &Code, function: Site, decl: DeclRef) -> bool {
        let name = self.decl(decl).name;
        let inside = function.unit == decl.unit && function.span.contains(name);
        let declared = name.start.saturating_sub(function.span.start) as usize;
        let takes = |given: &Given<'_>| {
            if given.made {
                self.refers(decl.unit, given.to) != Some(true)
            } else if is_listed(given) || (given.free && !self.bodies(given.to).is_empty()) {
                self.copies(decl.unit, given)
            } else {
                // A macro may do anything.
                let changes = CHANGES.contains(&given.to) || is_loud(given.to);
                !changes && !lists_reference(self.file(decl.unit), given.to)
            }
        };
        inside && code.keeps(self.name(decl), declared, &takes)
    }

    /// Whether a parameter of a function has one value there.
    pub fn keeps_parameter(&self, code: &Code, body: BodyRef, name: &str) -> bool {
        let of = self.body(body);
        let param = of.params.iter().find(|param| self.text(Site { unit: body.unit, span: param.name }) == name);
        let declared = param.and_then(|param| param.name.start.checked_sub(of.span.start));
        declared.is_some_and(|at| code.keeps(name, at as usize, &|given| self.copies(body.unit, given)))
    }

    /// Whether what a number is handed to copies it: neither a reference to it nor its address stays anywhere.
    pub fn copies(&self, unit: u32, given: &Given<'_>) -> bool {
        // A file may have a function of its own by one of the names that are known: `void round_up(int& n) { … }`.
        let own = !given.made && is_listed(given) && defines(self.file(unit), given.to);
        if own && !self.takes_values(given.to) {
            return false;
        }
        // `using Ref = int&; std::tuple<Ref> all(n);`, where elements of containers are no references.
        let (_, list) = given.path.split_once('<').unwrap_or_default();
        let mut words =
            list.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).filter(|word| !word.is_empty());
        if given.made && !CONTAINERS.contains(&given.to) && words.any(|word| self.refers(unit, word) == Some(true)) {
            return false;
        }
        copies(given, &|name, made| if made { self.refers(unit, name) == Some(false) } else { self.takes_values(name) })
    }

    /// Whether an object of a class may hold a reference, by the classes of that name that a unit can see; none where there is no such class.
    pub fn refers(&self, unit: u32, name: &str) -> Option<bool> {
        self.refers_within(unit, name, MAX_CLASSES)
    }

    // Recursion: through classes that a class names, as deep as `depth`.
    fn refers_within(&self, unit: u32, name: &str, depth: usize) -> Option<bool> {
        let Some(depth) = depth.checked_sub(1) else { return Some(true) };
        let own = self.unit(unit).decls.iter().filter(|decl| self.text(Site { unit, span: decl.name }) == name);
        let own = own.map(|decl| (unit, decl));
        let others = self.namespaces.iter().filter_map(|space| space.names.get(name));
        let others = others.flat_map(|named| &named.decls).filter(|of| of.unit != unit && self.includes(unit, of.unit));
        let all = own.chain(others.map(|of| (of.unit, self.decl(*of))));
        let holds = |(at, decl): (u32, &Decl)| match &decl.kind {
            DeclKind::Class { bases, .. } => {
                let text = code(self.text(Site { unit: at, span: decl.span }));
                let words = text.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
                let mut inner = words.filter(|word| !word.is_empty() && *word != name);
                let refers = !bases.is_empty() || text.contains('&');
                Some(refers || inner.any(|word| self.refers_within(at, word, depth) == Some(true)))
            }
            DeclKind::Alias(_) => Some(true),
            _ => None,
        };
        all.filter_map(holds).reduce(|one, other| one || other)
    }

    /// Whether a unit can see what is declared in another: its own, and what is in headers.
    pub fn includes(&self, unit: u32, other: u32) -> bool {
        unit == other || self.is_header(other)
    }

    /// What the macros define that are used as switches and do not let the caller name the constant.
    fn implied(&self) -> HashMap<&'a str, Option<Implied<'a>>> {
        let mut found = HashMap::new();
        for (of, unit) in self.units.iter().zip(0_u32..) {
            for switch in &of.switches {
                let ScopeKind::Template(params) = &of.scope(switch.scope).kind else { continue };
                if params.first().is_some_and(|param| param.name == switch.name) {
                    found.entry(self.text(Site { unit, span: switch.name })).or_insert(None);
                }
            }
        }
        for (name, of) in &mut found {
            let all: Vec<(&'a str, Vec<i128>)> =
                self.texts.defining(self.sources, name).flat_map(|source| implied(&source.text, name)).collect();
            // Several definitions that differ: none is known to hold.
            if let Some((constant, values)) = all.first()
                && all.iter().all(|other| (other.0, &other.1) == (*constant, values))
            {
                *of = Some(Implied { name: constant, values: values.clone() });
            }
        }
        found
    }

    /// Whether a unit is part of a copy of CUTLASS.
    pub fn is_vendored(&self, unit: u32) -> bool {
        self.copy.get(unit as usize).is_some_and(Option::is_some)
    }

    /// Whether the file of a unit has a function or class of its own by one of CuTe's names.
    pub fn owns(&self, unit: u32, name: &str) -> bool {
        self.texts.owns(self.sources, self.unit(unit).file, name)
    }

    /// Whether a name that may be one of CuTe's means somebody else's: what stands before it is not `cute::`, or nothing does and its file has
    /// one of its own.
    pub fn is_own(&self, path: &Path, unit: u32) -> bool {
        let text = |segment: &Segment| self.text(Site { unit, span: segment.name });
        match path.segments.as_slice() {
            [only] => self.owns(unit, text(only)),
            [.., space, last] => self.texts.is_elsewhere(self.sources, text(space), text(last)),
            [] => false,
        }
    }

    /// The constant that a macro defines under a name of its own.
    pub fn implied_name(&self, switch: &str) -> Option<&'a str> {
        self.implied.get(switch)?.as_ref().map(|of| of.name)
    }

    /// The values that it gives that constant.
    pub fn implied_values(&self, switch: &str) -> Option<&[i128]> {
        self.implied.get(switch)?.as_ref().map(|of| of.values.as_slice())
    }

    fn members(&mut self, namespace: Namespace) -> &mut Members<'a> {
        &mut self.namespaces[namespace.0 as usize]
    }

    fn enter(&mut self, outer: Namespace, name: &'a str) -> Namespace {
        if let Some(known) = self.inside.get(&(outer, name)) {
            return *known;
        }
        let mut path = self.namespaces[outer.0 as usize].path.clone();
        path.push(name);
        let id = Namespace(u32::try_from(self.namespaces.len()).unwrap_or(u32::MAX));
        self.namespaces.push(Members { path, parent: Some(outer), ..Members::default() });
        self.inside.insert((outer, name), id);
        id
    }

    fn resolve_using(&mut self) {
        let mut found = Vec::new();
        for (unit, (of, homes)) in self.units.iter().zip(&self.of_scope).enumerate() {
            let unit = u32::try_from(unit).unwrap_or(u32::MAX);
            for (scope, home) in of.scopes.iter().zip(homes) {
                if is_namespace(&scope.kind) {
                    found.extend(
                        scope.using.iter().filter_map(|path| Some((*home, self.namespace(unit, path, *home)?))),
                    );
                }
            }
        }
        for (home, target) in found {
            let using = &mut self.members(home).using;
            if home != target && !using.contains(&target) {
                using.push(target);
            }
        }
    }

    /// The text of a place.
    pub fn text(&self, site: Site) -> &'a str {
        let unit = self.units.get(site.unit as usize);
        let source = unit.and_then(|unit| self.sources.get(unit.file));
        source.and_then(|source| source.text.get(site.span.range())).unwrap_or_default()
    }

    /// A unit.
    pub fn unit(&self, unit: u32) -> &'a Unit {
        &self.units[unit as usize]
    }

    /// All units.
    pub fn units(&self) -> &'a [Unit] {
        self.units
    }

    /// All sources.
    pub fn sources(&self) -> &'a [Source] {
        self.sources
    }

    /// A declaration.
    pub fn decl(&self, reference: DeclRef) -> &'a Decl {
        self.unit(reference.unit).decl(reference.id)
    }

    /// The name of a declaration.
    pub fn name(&self, reference: DeclRef) -> &'a str {
        self.text(Site { unit: reference.unit, span: self.decl(reference).name })
    }

    /// What is written of a declaration before its name; nothing where it begins with that.
    pub fn before_name(&self, reference: DeclRef) -> &'a str {
        let of = self.decl(reference);
        let span = Span { start: of.span.start.min(of.name.start), end: of.name.start };
        self.text(Site { unit: reference.unit, span })
    }

    /// The class that a member is declared in.
    pub fn class_around(&self, member: DeclRef) -> Option<DeclRef> {
        match self.unit(member.unit).scope(self.decl(member).home).kind {
            ScopeKind::Class(id) => Some(DeclRef { unit: member.unit, id }),
            _ => None,
        }
    }

    /// The innermost class around a scope.
    pub fn class_of_scope(&self, unit: u32, scope: ScopeId) -> Option<DeclRef> {
        let of = self.unit(unit);
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = of.scope(id);
            if let ScopeKind::Class(id) = scope.kind {
                return Some(DeclRef { unit, id });
            }
            at = scope.parent;
        }
        None
    }

    /// Every declaration of every unit.
    pub fn decls(&self) -> impl Iterator<Item = DeclRef> + 'a {
        let units: &'a [Unit] = self.units;
        units.iter().zip(0_u32..).flat_map(|(of, unit)| {
            let count = u32::try_from(of.decls.len()).unwrap_or(u32::MAX);
            (0..count).map(move |id| DeclRef { unit, id: DeclId(id) })
        })
    }

    /// Whether a scope is compiled for some values of template parameters only.
    pub fn is_branch(&self, unit: u32, scope: ScopeId) -> bool {
        let of = self.unit(unit);
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = of.scope(id);
            if scope.guard.is_some() && !scope.behind {
                return true;
            }
            at = scope.parent;
        }
        false
    }

    /// The `if constexpr` around a scope in which it is compiled, and those before it that return: each condition, where its names are looked
    /// up, and what it must come to.
    pub fn guards(&self, unit: u32, scope: ScopeId) -> Vec<(ExprId, ScopeId, bool)> {
        let of = self.unit(unit);
        let mut found = Vec::new();
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = of.scope(id);
            at = scope.parent;
            if let (Some((condition, taken)), Some(around)) = (scope.guard, scope.parent) {
                found.push((condition, around, taken));
            }
        }
        found
    }

    /// The namespace that a scope lies in.
    pub fn home(&self, unit: u32, scope: ScopeId) -> Namespace {
        self.of_scope.get(unit as usize).and_then(|homes| homes.get(scope.0 as usize)).copied().unwrap_or(GLOBAL)
    }

    /// The parts of a namespace's name.
    pub fn path_of(&self, namespace: Namespace) -> &[&'a str] {
        &self.namespaces[namespace.0 as usize].path
    }

    /// Names declared directly in a class or block.
    pub fn local(&self, unit: u32, scope: ScopeId, name: &'a str) -> &[DeclId] {
        self.local.get(unit as usize).and_then(|names| names.get(&(scope, name))).map_or(&[], Vec::as_slice)
    }

    /// The declarations of a name in a block before one of them that may be meant as well as that one: those on the other sides of an `#if`
    /// that is closed before a place.
    pub fn on_other_sides(&self, unit: u32, scope: ScopeId, name: &'a str, last: DeclId, before: u32) -> &[DeclId] {
        let all = self.local(unit, scope, name);
        let earlier = all.iter().position(|id| *id == last).and_then(|at| all.get(..at)).unwrap_or_default();
        let Some(first) = earlier.first() else { return &[] };
        let of = self.unit(unit);
        let place = |id: DeclId| of.decl(id).name.start;
        let between = |start, end| self.text(Site { unit, span: Span { start, end } });
        if before.saturating_sub(place(*first)) > MAX_BETWEEN {
            return earlier;
        }
        // On the side of the last one, nothing else is meant.
        let apart = leaves_side(between(place(*first), place(last))) && leaves_side(between(place(last), before));
        if apart { earlier } else { &[] }
    }

    /// What a namespace, or one that it uses, declares under a name.
    pub fn in_namespace(&self, namespace: Namespace, name: &str, unit: u32) -> Vec<DeclRef> {
        let found = self.directly_in(namespace, name, unit);
        if !found.is_empty() || self.members_of(namespace).using.is_empty() {
            return found;
        }
        let mut each = self.with_used(namespace).into_iter().skip(1).map(|used| self.directly_in(used, name, unit));
        each.find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// A namespace, and those that it uses, also by way of others, the nearest first.
    fn with_used(&self, namespace: Namespace) -> Vec<Namespace> {
        let mut all = vec![namespace];
        let mut at = 0;
        while let Some(&next) = all.get(at) {
            for target in &self.members_of(next).using {
                if all.len() < MAX_USING && !all.contains(target) {
                    all.push(*target);
                }
            }
            at += 1;
        }
        all
    }

    /// What a namespace itself declares under a name: the unit's own declarations if it has any, else those of all headers.
    pub fn directly_in(&self, namespace: Namespace, name: &str, unit: u32) -> Vec<DeclRef> {
        let Some(named) = self.members_of(namespace).names.get(name) else { return Vec::new() };
        let own = named.decls.iter().filter(|decl| decl.unit == unit);
        let own: Vec<DeclRef> = if named.specialized { Vec::new() } else { own.copied().collect() };
        if !own.is_empty() {
            return own;
        }
        let near = self.near.get(unit as usize);
        let seen = |decl: &&DeclRef| {
            let copy = self.copy.get(decl.unit as usize).copied().flatten();
            decl.unit == unit
                || (self.is_header(decl.unit) && copy.is_none_or(|copy| near.is_none_or(|near| near.contains(&copy))))
        };
        self.nearest(named.decls.iter().filter(seen).copied().collect(), unit)
    }

    /// The files that a unit includes, by way of others too, and its own.
    pub fn included(&self, unit: u32) -> Arc<HashSet<usize>> {
        self.texts.included_by(self.sources, self.unit(unit).file)
    }

    /// Of what several files declare by one name, specialisations aside: what the unit includes, if that is any of it.
    fn nearest(&self, mut found: Vec<DeclRef>, unit: u32) -> Vec<DeclRef> {
        let mut plain = found.iter().filter(|decl| !self.is_specialization(**decl)).map(|decl| decl.unit);
        let first = plain.next();
        if plain.all(|other| Some(other) == first) {
            return found;
        }
        let included = self.included(unit);
        let is_included = |decl: &DeclRef| included.contains(&self.unit(decl.unit).file);
        if found.iter().any(|decl| !self.is_specialization(*decl) && is_included(decl)) {
            found.retain(|decl| self.is_specialization(*decl) || is_included(decl));
        }
        found
    }

    fn is_specialization(&self, decl: DeclRef) -> bool {
        matches!(self.decl(decl).kind, DeclKind::Class { args: Some(_), .. })
    }

    /// Whether two classes are written alike, or are one.
    pub fn are_alike(&self, a: DeclRef, b: DeclRef) -> bool {
        let text = |of: DeclRef| self.text(Site { unit: of.unit, span: self.decl(of).span });
        a == b || a.unit == b.unit || text(a).split_whitespace().eq(text(b).split_whitespace())
    }

    fn members_of(&self, namespace: Namespace) -> &Members<'a> {
        &self.namespaces[namespace.0 as usize]
    }

    /// Whether other units can include one.
    pub fn is_header(&self, unit: u32) -> bool {
        self.headers.get(unit as usize).copied().unwrap_or(false)
    }

    /// Whether a unit can see a namespace: one that only another copy of a library opens is not there.
    fn sees(&self, unit: u32, namespace: Namespace) -> bool {
        let (opened, near) = (&self.members_of(namespace).opened, self.near.get(unit as usize));
        let seen = |copy: &Option<Copy>| copy.is_none_or(|copy| near.is_none_or(|near| near.contains(&copy)));
        opened.is_empty() || opened.iter().any(seen)
    }

    /// A namespace inside of another, or inside of one that the other uses, also by way of others, that a unit can see.
    pub fn inner(&self, namespace: Namespace, name: &str, unit: u32) -> Option<Namespace> {
        let direct = |of: Namespace| self.inside.get(&(of, name)).copied().filter(|inner| self.sees(unit, *inner));
        direct(namespace).or_else(|| self.with_used(namespace).into_iter().skip(1).find_map(direct))
    }

    /// The namespaces that a namespace uses.
    pub fn used_in(&self, namespace: Namespace) -> impl Iterator<Item = Namespace> {
        self.members_of(namespace).using.iter().copied()
    }

    /// The namespace around a namespace.
    pub fn outer(&self, namespace: Namespace) -> Option<Namespace> {
        self.namespaces[namespace.0 as usize].parent
    }

    /// The namespace that a path names when it is written in another.
    pub fn namespace(&self, unit: u32, path: &Path, from: Namespace) -> Option<Namespace> {
        self.renamed(unit, path, from, MAX_ALIASES)
    }

    // Recursion: through names that stand for others, as deep as `depth`.
    fn renamed(&self, unit: u32, path: &Path, from: Namespace, depth: usize) -> Option<Namespace> {
        let depth = depth.checked_sub(1)?;
        let inner = |at: Namespace, name: &'a str| {
            self.inner(at, name, unit).or_else(|| {
                // `namespace ku = kerutils;`
                let [alias] = *self.directly_in(at, name, unit) else { return None };
                match &self.decl(alias).kind {
                    DeclKind::Renames(path) => self.renamed(alias.unit, path, at, depth),
                    _ => None,
                }
            })
        };
        let mut from = if path.absolute { GLOBAL } else { from };
        loop {
            let mut segments = path.segments.iter();
            let found = segments.try_fold(from, |at, segment| inner(at, self.text(Site { unit, span: segment.name })));
            if found.is_some() {
                return found;
            }
            from = self.outer(from)?;
        }
    }
}

/// Whether a text goes beyond the side of an `#if` on which it begins.
fn leaves_side(text: &str) -> bool {
    let mut depth = 0_usize;
    text.lines().skip(1).any(|line| {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else { return false };
        if directive.starts_with("if") {
            depth += 1;
        } else if directive.starts_with("endif") {
            let Some(outer) = depth.checked_sub(1) else { return true };
            depth = outer;
        } else if directive.starts_with("el") {
            return depth == 0;
        }
        false
    })
}

/// Whether what a scope declares is in a namespace.
const fn is_namespace(kind: &ScopeKind) -> bool {
    matches!(kind, ScopeKind::File | ScopeKind::Namespace(_))
}

/// Names in the classes and blocks of a unit.
fn locals<'a>(sources: &'a [Source], unit: &Unit) -> Locals<'a> {
    let text = sources.get(unit.file).map_or("", |source| source.text.as_str());
    let mut names = Locals::new();
    for (scope, id) in unit.scopes.iter().zip(0_u32..).filter(|(scope, _)| !is_namespace(&scope.kind)) {
        for decl in &scope.decls {
            let name = text.get(unit.decl(*decl).name.range()).unwrap_or_default();
            if !name.is_empty() {
                names.entry((ScopeId(id), name)).or_default().push(*decl);
            }
        }
    }
    names
}

/// The programs that some file names in an `#include`.
pub fn included(sources: &[Source]) -> HashSet<&str> {
    sources.iter().flat_map(|source| &source.programs).map(String::as_str).collect()
}

/// Whether others include a file: a header, or one of those programs.
pub fn is_shared(source: &Source, included: &HashSet<&str>) -> bool {
    let name = source.path.file_name().and_then(|name| name.to_str());
    source.is_header() || name.is_some_and(|name| included.contains(name))
}

/// Values of one macro.
const MAX_VALUES: usize = 32;

/// The one constant that each definition of a macro defines under a name that is no parameter of it, and its values.
fn implied<'t>(text: &'t str, name: &str) -> Vec<(&'t str, Vec<i128>)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(name) {
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        let Some(rest) = text[at + name.len()..].strip_prefix('(') else { continue };
        if line.trim().replace(' ', "") != "#define" {
            continue;
        }
        let Some((params, body)) = rest.split_once(')') else { continue };
        let mut constant: Option<&str> = None;
        let mut values = Vec::new();
        let mut sound = true;
        for line in body.split('\n') {
            // Several may stand on one line, each up to its semicolon.
            for (at, _) in line.match_indices("constexpr") {
                let line = line.get(at..).and_then(|rest| rest.split(';').next()).unwrap_or_default();
                let before = line.split('=').next().unwrap_or_default().trim_end();
                let start = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
                let own = before.get(start..).unwrap_or_default();
                let value = line.split_once('=').map(|(_, value)| value.trim().trim_end_matches(['\\', ' ']));
                let value = value.and_then(|value| match value {
                    "true" => Some(1),
                    "false" => Some(0),
                    number => number.parse().ok(),
                });
                sound &= constant.is_none_or(|constant| constant == own) && !own.is_empty();
                sound &= params.split(',').all(|param| param.trim() != own);
                constant = Some(own);
                match value {
                    Some(value) => values.push(value),
                    None => sound = false,
                }
            }
            if !line.trim_end().ends_with('\\') {
                break;
            }
        }
        values.sort_unstable();
        values.dedup();
        if let Some(constant) = constant.filter(|_| sound && values.len() <= MAX_VALUES) {
            found.push((constant, values));
        }
    }
    found
}

/// Whether a list with an `&` stands behind a name somewhere: `void advance(half_t*& p)`. A call may look so too, `advance(a & b)`.
fn lists_reference(text: &str, name: &str) -> bool {
    places(text, name).any(|at| {
        let rest = text.get(at + name.len()..).unwrap_or_default().trim_start();
        let list = rest.strip_prefix('(').and_then(|list| list.get(..closing(list)?));
        list.is_some_and(|list| list.contains('&'))
    })
}

#[cfg(test)]
mod tests {
    use super::implied;

    #[test]
    fn switches_that_name_the_constant_themselves() {
        let text = "#define DIM_SWITCH(D, ...) \\\n if (D <= 32) { \\\n constexpr static int kDim = 32; \\\n } else { \\\n constexpr static int kDim = 64; }\n";
        assert_eq!(implied(text, "DIM_SWITCH"), [("kDim", vec![32, 64])]);
        let text = text.replace("64; }", "64; \\\n }");
        assert_eq!(implied(&text, "DIM_SWITCH"), [("kDim", vec![32, 64])]);
        let short = "#define DIM_SWITCH(D, ...) [&] { if (D <= 32) { constexpr int kDim = 32; return __VA_ARGS__(); } \\\n else { constexpr int kDim = 100; return __VA_ARGS__(); } }()\n";
        assert_eq!(implied(short, "DIM_SWITCH"), [("kDim", vec![32, 100])]);
        assert!(implied(&short.replace("100", "D"), "DIM_SWITCH").is_empty());
        let named = text.replace("(D, ...)", "(D, kDim, ...)");
        assert!(implied(&named, "DIM_SWITCH").is_empty());
        let two = text.replace("kDim = 64", "kOther = 64");
        assert!(implied(&two, "DIM_SWITCH").is_empty());
    }
}
