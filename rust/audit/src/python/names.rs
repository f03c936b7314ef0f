//! What names stand for: the binding that holds where a name is used, what it comes to, and what is kept of that.

use super::cute;
use super::evaluate::{At, Evaluator, MAX_BINDINGS, MAX_DEPTH, MAX_ITEMS, descend, key, known, unchanged};
use super::flow::Use;
use super::frame::{Frame, Slot};
use super::stars::last_import;
use super::tree::{Binding, Bound, Expr, ExprId, Kind, MODULE, Module, ScopeId};
use super::value::{Home, Items, Value};
use super::world::Point;
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// Places that bind one name and of which the one is looked for that holds.
const MAX_ORDERED: usize = 64;

/// Names of Python itself; most are functions of which nothing is known.
const BUILTINS: [&str; 37] = [
    "abs",
    "all",
    "any",
    "bool",
    "bytes",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "float",
    "frozenset",
    "getattr",
    "hasattr",
    "hash",
    "id",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "list",
    "map",
    "max",
    "min",
    "next",
    "object",
    "property",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "sorted",
    "str",
    "sum",
    "tuple",
    "zip",
];

/// Whether all of a value is known: parts that hang on a parameter may be listed.
fn is_whole(value: &Resolved<Value>) -> bool {
    value.as_ref().is_ok_and(|value| value.unknown(0).is_none())
}

impl<'a> Evaluator<'a> {
    /// What a name stands for.
    pub(super) fn name(&mut self, name: &'a str, at: &At, site: Site, depth: usize) -> Resolved<Value> {
        let Some(module) = self.module(at.module) else { return Err(Unresolved { reason: Reason::UnknownName, site }) };
        let mut scope = Some(at.scope);
        let mut first = true;
        while let Some(id) = scope {
            let Some(of) = module.scope(id) else { break };
            // The names of a class are not seen from its methods.
            let seen = first || !matches!(of.kind, Kind::Class { .. });
            first = false;
            if let Some(bindings) = of.names.get(name).filter(|_| seen) {
                let replaced = (id == MODULE && module.patched.has(name))
                    || (module.patched.modules && bindings.iter().any(|one| one.bound.imported().is_some()));
                if module.moved.contains(name) || replaced {
                    return Err(Unresolved { reason: Reason::RunTime, site });
                }
                let home = Home { module: at.module, scope: id };
                let use_ = self.used(at, id, site.span.start);
                let value = self.bound(home, name, at, use_, site, depth);
                return self.kept_or_unchanged(value, (name, home), module, site);
            }
            scope = of.parent;
        }
        self.elsewhere(at.module, module, name, site)
    }

    /// Where an expression of a scope stands, seen from a scope around it.
    fn used(&self, at: &At, outer: ScopeId, place: u32) -> Use {
        let (mut scope, mut used) = (at.scope, Use::At(place));
        while scope != outer {
            let Some(one) = self.module(at.module).and_then(|module| module.scope(scope)) else { break };
            if matches!(one.kind, Kind::Function(_) | Kind::Lambda(_)) {
                used = Use::Later(one.span.start);
            }
            let Some(parent) = one.parent else { break };
            scope = parent;
        }
        used
    }

    /// A name that its file does not bind.
    fn elsewhere(&mut self, own: usize, module: &'a Module, name: &'a str, site: Site) -> Resolved<Value> {
        if module.moved.contains(name) {
            return Err(Unresolved { reason: Reason::RunTime, site });
        }
        if let Some(value) = self.starred(own, name) {
            return Ok(value);
        }
        if BUILTINS.contains(&name) {
            return Ok(Value::Library(name.into()));
        }
        Err(Unresolved { reason: Reason::UnknownName, site })
    }

    /// A name of another module.
    pub(super) fn member(&mut self, index: usize, name: &'a str, site: Site, depth: usize) -> Resolved<Value> {
        let unknown = Unresolved { reason: Reason::UnknownName, site };
        let module = self.module(index).ok_or(unknown)?;
        if !module.scope(MODULE).is_some_and(|all| all.names.contains_key(name)) {
            return self.member_starred(index, name, Err(unknown));
        }
        if module.moved.contains(name) {
            return Err(Unresolved { reason: Reason::RunTime, site });
        }
        let at = At { module: index, scope: MODULE, frame: None };
        let home = Home { module: index, scope: MODULE };
        let value = self.bound(home, name, &at, Use::Later(u32::MAX - 1), site, depth);
        self.kept_or_unchanged(value, (name, home), module, site)
    }

    /// As [`unchanged`], for what has a name.
    fn kept_or_unchanged(
        &mut self,
        value: Resolved<Value>,
        (name, home): (&str, Home),
        module: &Module,
        site: Site,
    ) -> Resolved<Value> {
        // Someone may have a list in it by another name.
        let flat = |items: &Items| !items.all.iter().any(|item| matches!(item, Value::Tuple(inner) if inner.list));
        match value {
            Ok(Value::Tuple(items))
                if items.list
                    && module.changes
                    && (flat(&items) && self.is_list_kept(name, home)
                        || self.is_gathered(name, home, site.span.start)) =>
            {
                Ok(Value::Tuple(items))
            }
            value => unchanged(value, module, site),
        }
    }

    /// What a name of one scope is bound to: the binding that holds where it is used, or what all of them say.
    fn bound(&mut self, home: Home, name: &'a str, at: &At, used: Use, site: Site, depth: usize) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        if depth > MAX_DEPTH {
            return Err(wrong(Reason::TooDeep));
        }
        let module = self.module(home.module).ok_or(wrong(Reason::UnknownName))?;
        let bindings =
            module.scope(home.scope).and_then(|scope| scope.names.get(name)).ok_or(wrong(Reason::UnknownName))?;
        // Another file may store in a module's name as in an attribute.
        let values = || bindings.iter().any(|binding| matches!(binding.bound, Bound::Value(..) | Bound::Part(..)));
        if home.scope == MODULE && (module.rebinds || self.files.stored.contains(name)) && values() {
            return Err(wrong(Reason::RunTime));
        }
        let made = || bindings.iter().any(|binding| matches!(binding.bound, Bound::Function(_) | Bound::Class(_)));
        if home.scope == MODULE && self.files.stored.contains(name) && made() && self.is_patched(home.module, name) {
            return Err(wrong(Reason::RunTime));
        }
        // `try: import x` with `except ImportError: x = None`.
        let imports = bindings.iter().any(|one| matches!(one.bound, Bound::Module(_) | Bound::From(..)));
        let none = |bound: &Bound| matches!(bound, Bound::Value(value, _) if matches!(module.expr(*value), Expr::None));
        let bindings: Vec<&'a Binding> =
            bindings.iter().filter(|one| !(imports && none(&one.bound))).take(MAX_ORDERED + 1).collect();
        let missing = |one: &Binding| imports && self.is_missing(module, one, &bindings);
        let bindings: Vec<&'a Binding> = bindings.iter().filter(|one| !missing(one)).copied().collect();
        let frame = if home.scope == MODULE { at.of_file(home.module) } else { at.frame.clone() };
        let inside = At { module: home.module, scope: home.scope, frame };
        match bindings.as_slice() {
            [] => Err(wrong(Reason::UnknownName)),
            [one] => self.held(home, name, one, used, &inside, depth),
            all if all.len() > MAX_ORDERED => Err(wrong(Reason::Ambiguous)),
            all => {
                let place = match used {
                    Use::At(place) => Some(place),
                    // All of them are there before a function is called that stands behind them; a file's may be called meanwhile.
                    Use::Later(_) if self.trying() => Some(u32::MAX - 1),
                    Use::Later(_) => None,
                };
                if self.trying() {
                    let values = all.iter().map(|one| match one.bound {
                        Bound::Value(value, _) => Some((value, self.behind(home, one, used.place(), &inside))),
                        _ => None,
                    });
                    let values: Option<Vec<_>> = values.collect();
                    let values =
                        values.as_ref().map(|all| all.iter().map(|(value, at)| (*value, at)).collect::<Vec<_>>());
                    if let Some(value) = values.and_then(|values| self.alike(&values, depth)) {
                        return value;
                    }
                }
                if let (MODULE, None, Some(one)) = (home.scope, place, last_import(module, all)) {
                    return self.held(home, name, one, used, &inside, depth);
                }
                let reached = place.map(|place| self.reaching(all, place, &inside, site, depth));
                match reached {
                    Some(Ok(one)) => self.held(home, name, one, used, &inside, depth),
                    Some(Err(why)) if all.len() > MAX_BINDINGS => Err(why),
                    None if all.len() > MAX_BINDINGS => Err(wrong(Reason::Ambiguous)),
                    _ => {
                        // Wherever it is used, if all say the same.
                        let mut result: Option<Value> = None;
                        for one in all {
                            let value = self.held(home, name, one, used, &inside, depth)?;
                            match &result {
                                None => result = Some(value),
                                Some(before) if value.same(before) => {}
                                Some(_) => {
                                    return Err(reached.and_then(Result::err).unwrap_or(wrong(Reason::Ambiguous)));
                                }
                            }
                        }
                        result.ok_or(wrong(Reason::UnknownName))
                    }
                }
            }
        }
    }

    /// Whether a name is bound so only where a library is missing, without which there are no layouts: `except ImportError: gl = tl`.
    fn is_missing(&self, module: &Module, one: &Binding, all: &[&Binding]) -> bool {
        let Some(step) = module.steps(one.path).next().filter(|step| step.arm > 0) else { return false };
        let clause = module.branch(step.branch).and_then(|branch| branch.arms.get(step.arm as usize));
        let text = self.files.sources.get(module.file).zip(clause).and_then(|(source, clause)| {
            source.text.get(clause.span.range())?.strip_prefix("except")?.split('\n').next()
        });
        let fails = text.is_some_and(|text| {
            ["ImportError", "ModuleNotFoundError", "Exception"].iter().any(|name| text.contains(name))
                || text.trim_start().starts_with(':')
        });
        let imported = |other: &&Binding| {
            let library = other.bound.imported().is_some_and(|path| cute::is_needed(path));
            library && module.steps(other.path).next().is_some_and(|own| own.branch == step.branch && own.arm == 0)
        };
        matches!(one.bound, Bound::Value(..)) && fails && all.iter().any(imported)
    }

    /// Whether another file stores something in a name of a file: `m.f = g`.
    fn is_patched(&mut self, index: usize, name: &'a str) -> bool {
        if let Some(known) = self.patched.get(&(index, name)) {
            return *known;
        }
        // Whoever asks again meanwhile goes round in a circle.
        self.patched.insert((index, name), false);
        let mut patched = false;
        for (from, place) in self.files.outside(name).iter().take(MAX_ORDERED) {
            let store = self.module(*from).and_then(|module| module.stores.get(*place));
            let Some(store) = store.filter(|_| self.files.knows(*from, index)) else { continue };
            let at = At { module: *from, scope: store.scope, frame: None };
            if !self.is_imported(store.of, &at) {
                continue;
            }
            patched |= matches!(self.surely(store.of, &at), Ok(Value::Module(of)) if of == index);
        }
        self.patched.insert((index, name), patched);
        patched
    }

    /// Whether something is a name that an import binds, or an attribute of one.
    pub(super) fn is_imported(&self, of: ExprId, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let Some(name) = module.root(of) else { return false };
        let bindings = self.bindings(name, at).map_or(&[][..], |(_, bindings)| bindings);
        bindings.iter().any(|one| matches!(one.bound, Bound::Module(_) | Bound::From(..)))
    }

    /// What one binding says where it is used: behind a loop its target is the last item, and what hangs on the target is not known.
    fn held(
        &mut self,
        home: Home,
        name: &'a str,
        one: &'a Binding,
        used: Use,
        inside: &At,
        depth: usize,
    ) -> Resolved<Value> {
        let at = self.behind(home, one, used.place(), inside);
        let Bound::Each(of, path) = &one.bound else { return self.binding(home, name, one, &at, depth) };
        match self.module(home.module).and_then(|module| module.steps(one.path).next()) {
            Some(step) if at.is_over(home.module, step.branch) && !inside.is_over(home.module, step.branch) => {
                let unit = u32::try_from(home.module).unwrap_or(u32::MAX);
                let site = Site { unit, span: one.span };
                let value = self.last((home, step.branch), (*of, path), &at, site, depth)?;
                self.say(name, &value);
                Ok(value)
            }
            _ => self.binding(home, name, one, &at, depth),
        }
    }

    /// What the target of a loop is behind it: the last item, unless another round may have been the last one.
    fn last(
        &mut self,
        (home, id): (Home, u32),
        (of, path): (ExprId, &[usize]),
        at: &At,
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        let breaks = self.module(home.module).and_then(|module| module.branch(id)).is_none_or(|one| one.leaves.breaks);
        if self.counts(home, of) {
            return Err(wrong(Reason::RunTime));
        }
        match self.sequence(of, at, depth + 1) {
            Ok(Value::Tuple(items)) if !breaks || items.all.len() < 2 => match items.all.last() {
                Some(item) => descend(item.clone(), path, site),
                // Python refuses it.
                None => Err(wrong(Reason::Dependent)),
            },
            _ => Err(wrong(Reason::RunTime)),
        }
    }

    /// What one binding says.
    fn binding(
        &mut self,
        home: Home,
        name: &'a str,
        binding: &'a Binding,
        inside: &At,
        depth: usize,
    ) -> Resolved<Value> {
        let start = binding.span.start;
        let mut around = inside.key();
        if home.scope == MODULE && self.is_starred(home.module, binding.span) {
            let place = name.as_bytes().iter().map(|byte| usize::from(*byte)).collect::<Vec<_>>();
            around = key(around, &place);
        }
        let (free, key) = (inside.is_free(), (around, home.module, start));
        if free
            && let Some(known) = self.known.get(&key)
            && (is_whole(known) || !self.trying())
        {
            return known.clone();
        }
        if let Some(known) = self.world.as_mut().and_then(|world| world.name(&key)) {
            return known;
        }
        let unit = u32::try_from(home.module).unwrap_or(u32::MAX);
        let own = Site { unit, span: binding.span };
        let asked = self.world.as_ref().map(|world| world.asked);
        let cuts = self.cuts;
        // Asked for by itself, with nothing chosen since: it will be again.
        let round = self.world.as_ref().map(|world| (key, world.state(), self.storing.len(), self.handed.len()));
        if round.is_some() && self.rounds.contains(&round) {
            self.cuts += 1;
            return Err(Unresolved { reason: Reason::TooDeep, site: own });
        }
        self.rounds.push(round);
        self.begin();
        let result = match &binding.bound {
            Bound::Value(value, _) => self.expr(*value, inside, depth + 1),
            Bound::Part(value, path) => self.part(*value, path, inside, own, depth),
            Bound::Module(path) => self.import(home.module, path, own),
            Bound::From(import) => self.from(home.module, &import.from, &import.name, own, depth),
            Bound::Parameter(place) => self.parameter(home, *place, inside, own, depth),
            Bound::Function(scope) => Ok(Value::Function(Home { module: home.module, scope: *scope }, None)),
            Bound::Class(scope) => Ok(Value::Class(Home { module: home.module, scope: *scope })),
            Bound::Each(of, path) => self.each(home, (*of, path), binding, name, inside, own, depth),
            Bound::Rest(named) => self.rest(home, *named, inside, own, depth),
            Bound::Moving | Bound::Declared => Err(Unresolved { reason: Reason::RunTime, site: own }),
        };
        self.rounds.pop();
        let certain = asked == self.world.as_ref().map(|world| world.asked);
        let loose = cuts != self.cuts;
        let noted = self.end();
        if matches!(&result, Err(why) if matches!(why.reason, Reason::TooDeep | Reason::Work)) {
            return result;
        }
        // Of which class an object is may be chosen later.
        let object = matches!(&result, Ok(Value::Object(..) | Value::Function(_, Some(_))));
        let always = free && certain && !object && (is_whole(&result) || asked.is_none());
        if let Some((world, trace)) = noted.filter(|_| !always) {
            world.keep_name(key, result.clone(), trace, loose);
        } else if always {
            self.known.insert(key, result.clone());
        }
        result
    }

    #[expect(clippy::too_many_arguments, reason = "a loop, its target, and where both are asked for")]
    /// The target of a loop: an item of a comprehension that is gone through, or one of those that are listed.
    fn each(
        &mut self,
        home: Home,
        (of, path): (ExprId, &[usize]),
        binding: &Binding,
        name: &str,
        at: &At,
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = Unresolved { reason: Reason::RunTime, site };
        let step = self.module(home.module).and_then(|module| module.steps(binding.path).next());
        let turn = step.and_then(|step| at.turn(home.module, step.branch));
        if let Some((Some(Slot::Known(item)), hangs)) = turn.and_then(|one| Some((one.values.first()?, one.hangs))) {
            self.follow(hangs);
            return descend(item.clone(), path, site);
        }
        let value = if let Some(frame) = at.frame_of(home).filter(|_| !self.is_function(home)) {
            let (value, hangs) = (frame.values.first().cloned().flatten(), frame.hangs);
            self.follow(hangs);
            match value.ok_or(wrong)? {
                Slot::Known(value) => value,
                Slot::Later(value, at) => self.expr(value, &at, depth + 1)?,
            }
        } else if self.trying() && !self.counts(home, of) {
            let Ok(Value::Tuple(items)) = self.sequence(of, at, depth + 1) else { return Err(wrong) };
            if items.all.len() > MAX_ITEMS {
                return Err(wrong);
            }
            // A comprehension goes through all.
            let inner = self.module(home.module).and_then(|module| module.scope(home.scope));
            let inner = inner.is_none_or(|scope| matches!(scope.kind, Kind::Inner));
            let module = self.module(home.module).filter(|_| !inner);
            let step = module.and_then(|module| module.steps(binding.path).next());
            if step.is_some_and(|step| at.is_over(home.module, step.branch)) {
                return Err(wrong);
            }
            let branch = step.and_then(|step| module?.branch(step.branch));
            let early = branch.is_some_and(|branch| branch.leaves.early);
            let chosen = self.choose(Point::Each(home.module, of, at.key()), items.all.len()).ok_or(wrong)?;
            // Whether it comes to a later one is not known.
            if early && chosen > 0 {
                return Err(wrong);
            }
            items.all.get(chosen).cloned().ok_or(wrong)?
        } else {
            return Err(wrong);
        };
        let value = descend(value, path, site)?;
        self.say(name, &value);
        Ok(value)
    }

    /// Whether a loop counts with `range`: in a kernel that is one of the program that runs.
    pub(super) fn counts(&self, home: Home, of: ExprId) -> bool {
        let Some(module) = self.module(home.module) else { return true };
        let Expr::Call(callee, _) = module.expr(of) else { return false };
        // What a host that has nothing to do with the DSL counts it counts itself.
        let run = module.dsl || self.is_run(&At { module: home.module, scope: home.scope, frame: None });
        run && self.is_function(home) && matches!(module.expr(*callee), Expr::Name(name) if &**name == "range")
    }

    fn is_function(&self, home: Home) -> bool {
        let scope = self.module(home.module).and_then(|module| module.scope(home.scope));
        scope.is_some_and(|scope| matches!(scope.kind, Kind::Function(_)))
    }

    pub(super) fn part(&mut self, value: ExprId, path: &[usize], at: &At, site: Site, depth: usize) -> Resolved<Value> {
        let value = self.sequence(value, at, depth + 1)?;
        // All of it: a named tuple keeps its names.
        if path.is_empty() {
            return known(Some(value), site);
        }
        descend(self.by_place(value, site, depth), path, site)
    }

    fn import(&self, module: usize, path: &str, site: Site) -> Resolved<Value> {
        if cute::is_library(path) {
            return Ok(Value::Library(path.into()));
        }
        self.files.module(module, path).map(Value::Module).ok_or(Unresolved { reason: Reason::UnknownName, site })
    }

    pub(super) fn from(&mut self, own: usize, from: &str, name: &'a str, site: Site, depth: usize) -> Resolved<Value> {
        if cute::is_library(from) {
            return Ok(cute::named(format!("{from}.{name}")));
        }
        let dot = if from.ends_with('.') { "" } else { "." };
        let inside = self.files.module(own, &format!("{from}{dot}{name}"));
        match self.files.module(own, from) {
            Some(index) if index != own && self.files.binds(index, name) => self.member(index, name, site, depth + 1),
            Some(index) if index != own && inside.is_none() => self.member(index, name, site, depth + 1),
            _ => inside.map(Value::Module).ok_or(Unresolved { reason: Reason::UnknownName, site }),
        }
    }

    fn parameter(&mut self, home: Home, place: usize, at: &At, site: Site, depth: usize) -> Resolved<Value> {
        let frame = at.frame_of(home);
        if let Some(frame) = frame {
            self.follow(frame.hangs);
        }
        match frame.and_then(|frame| frame.values.get(place)).cloned().flatten() {
            Some(Slot::Known(value)) => return known(Some(value), site),
            Some(Slot::Later(value, at)) => return self.expr(value, &at, depth + 1),
            None => {}
        }
        let made = frame.and_then(Frame::object);
        let module = self.module(home.module);
        let scope = module.and_then(|module| module.scope(home.scope));
        let function = scope.and_then(|scope| match &scope.kind {
            Kind::Function(function) => Some(function),
            _ => None,
        });
        if place == 0 {
            let parent = scope.and_then(|scope| scope.parent);
            let class = parent.and_then(|parent| Some((parent, module?.scope(parent)?)));
            if let (Some(function), Some((parent, class))) = (function, class)
                && matches!(class.kind, Kind::Class { .. })
                && !self.decorated(home.module, &function.decorators, &["staticmethod"])
            {
                let class = Home { module: home.module, scope: parent };
                if self.decorated(home.module, &function.decorators, &["classmethod"]) {
                    return Ok(Value::Class(class));
                }
                let made = if self.trying() { self.made(class, home, site)? } else { class };
                if self.is_made_otherwise(made) {
                    return Err(Unresolved { reason: Reason::Ambiguous, site });
                }
                return Ok(Value::Object(made, None));
            }
        }
        if self.trying() {
            if let Some(value) = self.parametrized(home, place, site, depth) {
                return value;
            }
            if let Some(value) = self.tuned(home, place, site, depth) {
                return value;
            }
            return self.listed(home, place, made, at, site, depth);
        }
        let said = function.and_then(|function| function.annotations.get(place)).copied().unwrap_or_default();
        let reason = if said == super::tree::Annotation::Constant { Reason::Dependent } else { Reason::RunTime };
        Err(Unresolved { reason, site })
    }

    /// Whether a decorator has one of these names.
    pub(super) fn decorated(&self, module: usize, decorators: &[ExprId], names: &[&str]) -> bool {
        let name = |id: &ExprId| match self.module(module)?.expr(*id) {
            Expr::Name(name) | Expr::Attribute(_, name) => Some(name.as_ref()),
            _ => None,
        };
        decorators.iter().any(|id| name(id).is_some_and(|name| names.contains(&name)))
    }
}
