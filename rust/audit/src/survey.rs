//! The fourth stage: every layout and every trait, resolved or with the reason why not.

mod algebra;
mod alignments;
mod arms;
mod arrays;
mod asked;
mod beside;
mod callers;
mod classes;
mod copied;
mod dead;
mod devices;
mod digits;
mod dims;
mod divided;
mod dynamic;
mod halves;
mod idioms;
mod indices;
mod kept;
mod kernels;
mod launched;
mod launches;
mod lifetimes;
mod methods;
mod names;
mod pairs;
mod parts;
mod passed;
mod place;
mod placed;
mod reached;
mod refused;
mod shared;
mod shares;
mod sides;
mod sizes;
mod sliced;
mod slices;
mod spots;
mod statics;
mod storage;
mod templates;
mod tiled;
mod tma;
mod touches;
mod unlaunched;
mod used;
mod waits;
mod zeros;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use razorgirl::Layout;
use serde::Serialize;

use crate::ast::{DeclId, DeclKind, Expr, ExprId, ScopeId, ScopeKind, Site, Use, Written};

use crate::eval::{
    Constant, Context, DeclRef, Evaluator, Named, Program, Reason, Resolved, Swizzled, Unresolved, Value, swizzle_of,
    width,
};
use crate::uses::Family;

pub use asked::{ALLOWED, MOST_SHARED};
pub use copied::Extent;
pub(crate) use digits::{digits, partitioned};
pub use divided::Divided;
pub(crate) use indices::looks_before;
pub use launches::{MOST_ALONG_Z, MOST_THREADS};
pub use names::named_layouts;
pub use pairs::Access;
pub use shared::{Fact, Spot, Started, Vectors, Ways};
use shares::Share;
pub(crate) use sliced::wraps;
pub use statics::{MOST_STATIC, Statics};
pub use storage::Apart;
pub use tma::Encoded;

/// Stack for an evaluator, of which only what is used becomes memory: evaluation recurses to a fixed depth, for which the stack
/// of a test or a server thread may be too small.
pub(crate) const STACK: usize = 64 << 20;

/// Tiles with more elements are not looked at.
pub const MAX_TILE: u64 = 1 << 24;

/// A tile of rows and columns, column-major: element (r, c) has the offset r + rows·c.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile {
    /// Rows.
    pub rows: u64,
    /// Columns.
    pub columns: u64,
}

impl Tile {
    /// The number of elements; `None` when there are too many to look at.
    pub fn size(self) -> Option<u64> {
        self.rows.checked_mul(self.columns).filter(|size| (1..=MAX_TILE).contains(size))
    }
}

/// What a layout is for, as far as that decides which checks make sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Nothing special is known.
    Plain,
    /// Part of an `MMA_Traits`.
    Mma,
    /// Part of a `Copy_Traits`: offsets are bits.
    Copy,
    /// Part of a copy atom to or from tensor memory.
    TensorMemory,
    /// Part of a copy atom from shared to tensor memory (UTCCP).
    Utccp,
    /// Scale factors, which one element in many has.
    ScaleFactor,
}

/// A place where a layout is written, and what it is.
#[derive(Debug, Clone)]
pub struct WrittenLayout {
    /// The `Layout<…>` or `make_layout(…)`.
    pub site: Site,
    /// How it was written.
    pub written: Written,
    /// What it is for.
    pub role: Role,
    /// The alias that it defines in a traits class.
    pub member: Option<DeclRef>,
    /// The layout; of one in a template, the first of its cases.
    pub layout: Resolved<Constant>,
    /// What it is in each way in which the code base instantiates the templates around it.
    pub cases: Vec<Case>,
    /// The modes that are known of one of which others are known at run time only.
    pub known: Option<Layout>,
    /// Whether cases that are only tried are guesses, of which nothing is said.
    pub guessed: bool,
    /// Which of its unit's uses it is.
    used: usize,
}

impl WrittenLayout {
    /// What is written, where it hangs on template parameters or on what is known at run time only, and has no values.
    pub(crate) fn open(&self, program: &Program<'_>) -> Option<ExprId> {
        let why = self.layout.as_ref().err()?;
        let values = matches!(why.reason, Reason::Dependent | Reason::RunTime) && self.cases.is_empty();
        values.then(|| program.unit(self.site.unit).uses.get(self.used)).flatten().map(|used| used.expr)
    }

    /// A layout that a call makes, in a language without templates.
    pub(crate) fn computed(site: Site, layout: Resolved<Constant>) -> Self {
        let (written, role) = (Written::Call, Role::Plain);
        let (cases, known) = (Vec::new(), None);
        Self { site, written, role, member: None, layout, cases, known, guessed: false, used: usize::MAX }
    }
}

/// A layout of a template, for some values of its parameters.
#[derive(Debug, Clone)]
pub struct Case {
    /// The layout.
    pub layout: Constant,
    /// The values, as in `kBlockM = 96`.
    pub holds: String,
    /// Whether the values are listed somewhere, but no instantiation is known that has them together.
    pub tried: bool,
}

/// One of the matrices of a matrix instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Matrix {
    /// M×K.
    A,
    /// N×K.
    B,
    /// M×N.
    C,
}

impl Matrix {
    /// All three.
    pub const ALL: [Self; 3] = [Self::A, Self::B, Self::C];

    /// The member that holds its layout.
    pub const fn member(self) -> &'static str {
        match self {
            Self::A => "ALayout",
            Self::B => "BLayout",
            Self::C => "CLayout",
        }
    }

    /// The names of its rows and columns.
    pub const fn axes(self) -> (&'static str, &'static str) {
        match self {
            Self::A => ("m", "k"),
            Self::B => ("n", "k"),
            Self::C => ("m", "n"),
        }
    }
}

/// A layout that is a member of a class.
#[derive(Debug, Clone)]
pub struct Member {
    /// The layout.
    pub layout: Constant,
    /// The `using` that defines it.
    pub decl: DeclRef,
    /// The class that `using` stands in, which may be a base of the one asked for.
    pub owner: DeclRef,
}

/// What the checks need of an `MMA_Traits`.
#[derive(Debug, Clone)]
pub struct Mma {
    /// M, N and K.
    pub shape: [u64; 3],
    /// Logical thread to thread index.
    pub threads: Constant,
    /// A, B and C.
    pub operands: [Member; 3],
}

impl Mma {
    /// Rows and columns of a matrix's tile.
    pub fn tile(&self, matrix: Matrix) -> Tile {
        let [m, n, k] = self.shape;
        let (rows, columns) = match matrix {
            Matrix::A => (m, k),
            Matrix::B => (n, k),
            Matrix::C => (m, n),
        };
        Tile { rows, columns }
    }
}

/// What the checks need of a `Copy_Traits`.
#[derive(Debug, Clone)]
pub struct CopyAtom {
    /// Source, destination and reference: (thread, value) to bit.
    pub images: [Member; 3],
}

/// A specialisation of a traits class.
#[derive(Debug, Clone)]
pub struct Traits<T> {
    /// Its definition.
    pub class: DeclRef,
    /// Its name with arguments, on one line.
    pub name: String,
    /// Where the name stands.
    pub site: Site,
    /// What it says.
    pub value: Resolved<T>,
}

/// A `make_tiled_copy(atom, threads, values)` or `make_layout_tv(threads, values)`.
#[derive(Debug, Clone)]
pub struct TiledCopy {
    /// The call.
    pub site: Site,
    /// Coordinate to thread.
    pub threads: Constant,
    /// Coordinate to value.
    pub values: Constant,
    /// Bits that the atom copies at once, and bits of an element, where both are known.
    pub vector: Option<(u64, u64)>,
}

/// A call of layout algebra in code that was read.
#[derive(Debug, Clone, Copy)]
pub struct AlgebraCall {
    /// The call.
    pub site: Site,
    /// Which of the functions it is.
    pub family: Family,
    /// Whether the layouts that it is given are known, and so is what it gives.
    pub known: bool,
    /// Where its names are looked up.
    scope: ScopeId,
    /// Whether it hangs on a template parameter.
    hangs: bool,
    /// Why it is not known.
    pub why: Option<Unresolved>,
}

/// Everything that was found.
#[derive(Debug, Default)]
pub struct Survey {
    /// Calls of layout algebra.
    pub calls: Vec<AlgebraCall>,
    /// Tiled copies of which both layouts are resolved.
    pub tiled_copies: Vec<TiledCopy>,
    /// Places about which a check of shared memory may have something to say.
    pub spots: Vec<Spot>,
    /// Layouts where they are written, in the order of the files.
    pub layouts: Vec<WrittenLayout>,
    /// Layouts that an alias gets from an alias template.
    pub instances: Vec<(Site, Constant)>,
    /// Specialisations of `MMA_Traits`.
    pub mma: Vec<Traits<Mma>>,
    /// Specialisations of `Copy_Traits`.
    pub copies: Vec<Traits<CopyAtom>>,
    /// Names that stopped something and that no file parsed so far declares.
    pub wanted: BTreeSet<String>,
    /// Functions that were called and that were not read.
    pub called: BTreeSet<String>,
    /// Launches that were not followed, being too many or in functions that are too long.
    pub left_launches: usize,
    /// Aliases that may yet turn out to be layouts.
    open: Vec<DeclRef>,
}

impl Survey {
    /// Surveys a program.
    pub fn of(program: &Program<'_>) -> Self {
        let weights = expressions(program);
        let classes = shares::cut(&weights, shares::HALVES).into_iter().map(Task::Classes);
        let layouts = shares::cut(&weights, shares::SHARES).into_iter().map(Task::Layouts);
        let tasks = classes.chain(layouts).collect();
        Self::default().and(tasks, program)
    }

    /// Surveys the layouts of a project's own files alone, where nothing but them was read again since the last survey.
    #[must_use]
    pub fn of_own(self, program: &Program<'_>) -> Self {
        let units = (0_u32..).zip(expressions(program));
        let own: Vec<usize> = units.map(|(unit, weight)| if program.is_vendored(unit) { 0 } else { weight }).collect();
        let tasks = shares::cut(&own, shares::SHARES).into_iter().map(Task::Own).collect();
        Self { called: self.called, ..Self::default() }.and(tasks, program)
    }

    /// The same with what some tasks find, each of which shares nothing but the program with the others.
    fn and(mut self, tasks: Vec<Task<'_>>, program: &Program<'_>) -> Self {
        let found: Vec<Mutex<Self>> = std::iter::repeat_with(Mutex::default).take(tasks.len()).collect();
        beside::each(tasks.into_iter().zip(&found).collect(), &|(task, found)| {
            let mut surveyor = Surveyor::new(program);
            surveyor.work(task);
            *found.lock().unwrap_or_else(PoisonError::into_inner) = surveyor.done();
        });
        for found in found {
            self.extend(found.into_inner().unwrap_or_else(PoisonError::into_inner));
        }
        self
    }

    /// Adds what was found in other files.
    fn extend(&mut self, other: Self) {
        self.calls.extend(other.calls);
        self.tiled_copies.extend(other.tiled_copies);
        self.spots.extend(other.spots);
        self.layouts.extend(other.layouts);
        self.instances.extend(other.instances);
        self.mma.extend(other.mma);
        self.copies.extend(other.copies);
        self.wanted.extend(other.wanted);
        self.called.extend(other.called);
        self.left_launches += other.left_launches;
        self.open.extend(other.open);
    }

    /// Looks again at what was unresolved, after files were added behind those that were surveyed, and at these files.
    #[must_use]
    pub fn resumed(mut self, program: &Program<'_>, added: usize) -> Self {
        let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let count = program.units().len();
        let first = count.saturating_sub(added);
        let new = clip(first)..clip(count);
        let called = std::mem::take(&mut self.called);
        let (mut mma, mut copies) = (std::mem::take(&mut self.mma), std::mem::take(&mut self.copies));
        let mut tasks = vec![Task::ClassesAgain(&mut mma, &mut copies, std::mem::take(&mut self.open))];
        let weights: Vec<usize> = expressions(program).into_iter().take(first).collect();
        tasks.extend(self.shares(&shares::cut(&weights, shares::SHARES)).into_iter().map(Task::Again));
        tasks.extend([Task::Layouts(new.clone()), Task::Classes(new)]);
        let found = Self { called, ..Self::default() }.and(tasks, program);
        (self.mma, self.copies) = (mma, copies);
        self.wanted.clear();
        self.extend(found);
        self
    }

    /// How many layouts are unresolved, by reason.
    pub fn unresolved_layouts(&self) -> BTreeMap<Reason, usize> {
        count(self.layouts.iter().filter_map(|found| found.layout.as_ref().err()))
    }

    /// How many `MMA_Traits` are unresolved, by reason.
    pub fn unresolved_mma(&self) -> BTreeMap<Reason, usize> {
        count(self.mma.iter().filter_map(|traits| traits.value.as_ref().err()))
    }

    /// How many `Copy_Traits` are unresolved, by reason.
    pub fn unresolved_copies(&self) -> BTreeMap<Reason, usize> {
        count(self.copies.iter().filter_map(|traits| traits.value.as_ref().err()))
    }
}

fn count<'u>(all: impl Iterator<Item = &'u Unresolved>) -> BTreeMap<Reason, usize> {
    all.fold(BTreeMap::new(), |mut counts, unresolved| {
        *counts.entry(unresolved.reason).or_default() += 1;
        counts
    })
}

/// Whether a layout is not known for want of a template argument.
fn hangs(layout: &Resolved<Constant>) -> bool {
    layout.as_ref().is_err_and(|why| why.reason == Reason::Dependent)
}

/// What an expression came to, as a layout.
fn outcome(value: Resolved<Value<'_>>, site: Site) -> Resolved<Constant> {
    match value {
        Ok(Value::Layout(layout)) => Ok((*layout).clone()),
        Ok(Value::Param(_, site)) => Err(Unresolved { reason: Reason::Dependent, site }),
        Ok(Value::Named(named))
            if named.class.is_some() && !matches!(named.path.first(), Some(&"cute" | &"cutlass")) =>
        {
            Err(Unresolved { reason: Reason::NotCute, site })
        }
        Ok(Value::Named(named)) if named.hangs.is_some() => {
            Err(Unresolved { reason: Reason::Dependent, site: named.hangs.unwrap_or(site) })
        }
        Ok(_) => Err(Unresolved { reason: Reason::NotCute, site }),
        Err(why) => Err(why),
    }
}

/// What is surveyed by itself.
enum Task<'s> {
    /// Classes and aliases of some units.
    Classes(Range<u32>),
    /// Layouts, and what else is looked at, of some units.
    Layouts(Range<u32>),
    /// The same, of those that are no library's.
    Own(Range<u32>),
    /// What is known of some layouts, places and calls already.
    Again(Share<'s>),
    /// What is known of traits already, and aliases that may yet turn out to be layouts.
    ClassesAgain(&'s mut [Traits<Mma>], &'s mut [Traits<CopyAtom>], Vec<DeclRef>),
}

/// How many expressions each unit has.
fn expressions(program: &Program<'_>) -> Vec<usize> {
    program.units().iter().map(|unit| unit.exprs.len()).collect()
}

struct Surveyor<'a> {
    program: &'a Program<'a>,
    evaluator: Evaluator<'a>,
    survey: Survey,
}

impl<'a> Surveyor<'a> {
    fn new(program: &'a Program<'a>) -> Self {
        Self { program, evaluator: Evaluator::new(program), survey: Survey::default() }
    }

    /// What was found.
    fn done(mut self) -> Survey {
        self.survey.called.extend(self.evaluator.called.iter().map(|name| (*name).to_owned()));
        self.survey
    }

    /// Remembers a name for want of which something could not be resolved.
    fn note<T>(&mut self, result: &Resolved<T>) {
        if let Err(Unresolved { reason: Reason::UnknownName, site }) = result {
            self.survey.wanted.extend(names(self.program.text(*site)));
        }
    }

    fn layouts(&mut self, units: Range<u32>) {
        for index in units {
            let unit = self.program.unit(index);
            for (used, position) in unit.uses.iter().zip(0..) {
                let site = Site { unit: index, span: unit.span(used.expr) };
                let layout = self.written(index, used);
                let (role, member) = self.role(index, used.scope, site);
                let written = used.written;
                self.survey.layouts.push(WrittenLayout {
                    site,
                    written,
                    role,
                    member,
                    layout,
                    cases: Vec::new(),
                    known: None,
                    guessed: false,
                    used: position,
                });
            }
            self.calls(index);
            self.spots(index);
        }
    }

    fn spots(&mut self, index: u32) {
        let mut spots = spots::spots(self.program, index);
        for spot in &mut spots {
            spot.look(self.program, &mut self.evaluator);
        }
        self.survey.spots.append(&mut spots);
    }

    /// Calls of layout algebra, each with the scope in which its names are looked up.
    fn calls(&mut self, index: u32) {
        let unit = self.program.unit(index);
        let mut calls = Vec::new();
        for (expr, span) in &unit.exprs {
            let Expr::Call(callee, args) = expr else { continue };
            let Expr::Path(path) = unit.expr(*callee) else { continue };
            let name = path.segments.last().map(|segment| self.program.text(Site { unit: index, span: segment.name }));
            let Some(name) = name else { continue };
            let family = Family::of(name);
            if let Some(family) = family {
                calls.push((*span, (family, args, unit.span(*callee))));
            }
        }
        // The same text may have been read twice, as a part, in its `decltype`, and alone.
        let mut seen = BTreeSet::new();
        for (span, (family, args, callee), decl) in place::around(unit, calls) {
            if !seen.insert(callee) {
                continue;
            }
            let context = Context { unit: index, scope: decl.inside, env: None };
            let site = Site { unit: index, span };
            let (known, needs, why) = knows(&mut self.evaluator, family, args, &context, site);
            let hangs = !needs.is_empty();
            self.survey.calls.push(AlgebraCall { site, family, scope: decl.inside, known, hangs, why });
        }
    }

    fn written(&mut self, unit: u32, used: &Use) -> Resolved<Constant> {
        let context = Context { unit, scope: used.scope, env: None };
        let site = Site { unit, span: self.program.unit(unit).span(used.expr) };
        let layout = outcome(self.evaluator.evaluate(used.expr, &context), site);
        self.note(&layout);
        idioms::of_types(self.program, site, layout)
    }

    fn work(&mut self, task: Task<'_>) {
        match task {
            Task::Classes(units) => self.classes(units),
            Task::Layouts(units) => self.layouts(units),
            Task::Own(units) => {
                for unit in units.filter(|unit| !self.program.is_vendored(*unit)) {
                    self.layouts(unit..unit + 1);
                }
            }
            Task::Again(mut share) => self.again(&mut share),
            Task::ClassesAgain(mma, copies, open) => self.classes_again(mma, copies, open),
        }
    }

    fn again(&mut self, share: &mut Share<'_>) {
        for spot in share.spots.iter_mut().filter(|spot| spot.facts.is_empty()) {
            spot.look(self.program, &mut self.evaluator);
        }
        for found in share.layouts.iter_mut().filter(|found| found.layout.is_err()) {
            if let Some(used) = self.program.unit(found.site.unit).uses.get(found.used) {
                found.layout = self.written(found.site.unit, used);
            }
        }
        for call in share.calls.iter_mut().filter(|call| !call.known) {
            let Some(args) = arguments(self.program, call.site) else { continue };
            let context = Context { unit: call.site.unit, scope: call.scope, env: None };
            let (known, needs, why) = knows(&mut self.evaluator, call.family, args, &context, call.site);
            (call.known, call.hangs, call.why) = (known, !needs.is_empty(), why);
        }
    }

    fn classes_again(&mut self, mma: &mut [Traits<Mma>], copies: &mut [Traits<CopyAtom>], open: Vec<DeclRef>) {
        for traits in mma.iter_mut().filter(|traits| traits.value.is_err()) {
            traits.value = self.mma(traits.class);
            self.note(&traits.value);
        }
        for traits in copies.iter_mut().filter(|traits| traits.value.is_err()) {
            traits.value = self.copy(traits.class);
            self.note(&traits.value);
        }
        for decl in open {
            self.instance(decl);
        }
    }

    /// What a layout is for: the class it stands in and the alias it defines tell.
    fn role(&self, unit: u32, scope: ScopeId, site: Site) -> (Role, Option<DeclRef>) {
        let of = self.program.unit(unit);
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = of.scope(id);
            if let ScopeKind::Class(class) = scope.kind {
                let class = DeclRef { unit, id: class };
                let mut alias = scope.decls.iter().map(|id| DeclRef { unit, id: *id });
                let member = alias.rfind(|decl| self.program.decl(*decl).span.contains(site.span));
                let alias = member.map_or("", |decl| self.program.name(decl));
                let title = self.program.text(Site { unit, span: name_span(self.program, class) });
                let own = self.program.owns(unit, self.program.name(class));
                let role = match self.program.name(class) {
                    _ if own => Role::Plain,
                    _ if alias.starts_with("SF") => Role::ScaleFactor,
                    "MMA_Traits" => Role::Mma,
                    name if name.starts_with("Copy_Traits") && title.contains("UTCCP") => Role::Utccp,
                    name if name.starts_with("Copy_Traits") && title.contains("TMEM") => Role::TensorMemory,
                    name if name.starts_with("Copy_Traits") => Role::Copy,
                    name if name.starts_with("tmem_sf") => Role::ScaleFactor,
                    name if name.starts_with("tmem_") => Role::TensorMemory,
                    _ => Role::Plain,
                };
                return (role, member);
            }
            at = scope.parent;
        }
        (Role::Plain, None)
    }

    fn classes(&mut self, units: Range<u32>) {
        for unit in units {
            for (decl, id) in self.program.unit(unit).decls.iter().zip(0..) {
                let reference = DeclRef { unit, id: DeclId(id) };
                match &decl.kind {
                    DeclKind::Class { args: Some(_), title, .. } => self.class(reference, Site { unit, span: *title }),
                    DeclKind::Alias(value) if !decl.templated && self.instantiates(reference, *value) => {
                        self.instance(reference);
                    }
                    _ => {}
                }
            }
        }
    }

    /// `MMA_Traits<operation>` of a class whose argument is another name of an operation.
    fn operation(&mut self, class: DeclRef) -> Option<String> {
        let decl = self.program.decl(class);
        let DeclKind::Class { args: Some(args), .. } = &decl.kind else { return None };
        let [only] = args.as_slice() else { return None };
        let context = Context { unit: class.unit, scope: decl.inside, env: None };
        let written = Site { unit: class.unit, span: self.program.unit(class.unit).span(*only) };
        let Ok(Value::Named(named)) = self.evaluator.evaluate(*only, &context) else { return None };
        let (name, written) = (named.name(), self.program.text(written));
        // Those whose names say what they are.
        (name.starts_with("SM") && named.args.is_none() && !written.contains(name))
            .then(|| format!("MMA_Traits<{name}>"))
    }

    fn class(&mut self, class: DeclRef, site: Site) {
        let name = || one_line(self.program.text(site));
        let home = self.program.home(class.unit, self.program.decl(class).inside);
        let own = self.program.owns(class.unit, self.program.name(class));
        if own && !self.program.path_of(home).contains(&"cute") {
            return;
        }
        match self.program.name(class) {
            "MMA_Traits" => {
                let name = self.operation(class).unwrap_or_else(name);
                let value = self.mma(class);
                self.note(&value);
                self.survey.mma.push(Traits { class, name, site, value });
            }
            "Copy_Traits" => {
                let name = name();
                let value = self.copy(class);
                self.note(&value);
                self.survey.copies.push(Traits { class, name, site, value });
            }
            _ => {}
        }
    }

    /// An alias that may be a layout by way of an alias template.
    fn instance(&mut self, alias: DeclRef) {
        let decl = self.program.decl(alias);
        let DeclKind::Alias(value) = decl.kind else { return };
        let context = Context { unit: alias.unit, scope: decl.inside, env: None };
        match self.evaluator.evaluate(value, &context) {
            Ok(Value::Layout(layout)) => {
                if layout.site.unit != alias.unit || !decl.span.contains(layout.site.span) {
                    let site = Site { unit: alias.unit, span: decl.span };
                    self.survey.instances.push((site, (*layout).clone()));
                }
            }
            Ok(_) => {}
            Err(_) => self.survey.open.push(alias),
        }
    }

    /// Whether an alias is a name with arguments, outside of any template.
    fn instantiates(&self, decl: DeclRef, value: ExprId) -> bool {
        let unit = self.program.unit(decl.unit);
        let Expr::Path(path) = unit.expr(value) else { return false };
        if path.segments.last().is_none_or(|segment| segment.args.is_none()) {
            return false;
        }
        let mut scope = Some(unit.decl(decl.id).inside);
        while let Some(at) = scope {
            if let ScopeKind::Template(params) = &unit.scope(at).kind
                && !params.is_empty()
            {
                return false;
            }
            scope = unit.scope(at).parent;
        }
        true
    }

    fn mma(&mut self, class: DeclRef) -> Resolved<Mma> {
        let shape = self.shape(class)?;
        let threads = self.layout(class, "ThrID")?.layout;
        let [a, b, c] = Matrix::ALL.map(|matrix| self.layout(class, matrix.member()));
        let mma = Mma { shape, threads, operands: [a?, b?, c?] };
        if Matrix::ALL.into_iter().all(|matrix| mma.tile(matrix).size().is_some()) {
            Ok(mma)
        } else {
            let site = Site { unit: class.unit, span: name_span(self.program, class) };
            Err(Unresolved { reason: Reason::TooLarge, site })
        }
    }

    fn copy(&mut self, class: DeclRef) -> Resolved<CopyAtom> {
        self.layout(class, "ThrID")?;
        let [source, destination, reference] =
            ["SrcLayout", "DstLayout", "RefLayout"].map(|name| self.layout(class, name));
        Ok(CopyAtom { images: [source?, destination?, reference?] })
    }

    fn shape(&mut self, class: DeclRef) -> Resolved<[u64; 3]> {
        let (value, site) = self.evaluator.member(class, "Shape_MNK")?;
        let wrong = Unresolved { reason: Reason::NotNumeric, site };
        match value {
            Value::Tuple(tuple) => match tuple.items.as_slice() {
                [m, n, k] => Ok([extent(m, site)?, extent(n, site)?, extent(k, site)?]),
                _ => Err(wrong),
            },
            Value::Param(_, site) => Err(Unresolved { reason: Reason::Dependent, site }),
            Value::Opaque(why) => Err(why),
            other if other.is_dependent() => Err(Unresolved { reason: Reason::Dependent, site }),
            _ => Err(wrong),
        }
    }

    fn layout(&mut self, class: DeclRef, name: &'a str) -> Resolved<Member> {
        let site = Site { unit: class.unit, span: self.program.decl(class).span };
        let Some((decl, owner)) = self.evaluator.defining(class, name)? else {
            let bases = self.evaluator.bases(class, &None);
            let dependent = bases.iter().any(Value::is_dependent) && bases.iter().any(|base| !is_known(base));
            let reason = if dependent { Reason::Dependent } else { Reason::UnknownMember };
            return Err(Unresolved { reason, site: Site { span: name_span(self.program, class), ..site } });
        };
        let (value, site) = self.evaluator.member(class, name)?;
        match value {
            Value::Layout(layout) => Ok(Member { layout: (*layout).clone(), decl, owner }),
            other if other.is_dependent() => Err(Unresolved { reason: Reason::Dependent, site }),
            Value::Opaque(why) => Err(why),
            Value::Named(named) if named.class.is_none() => {
                Err(Unresolved { reason: Reason::UnknownName, site: named.site })
            }
            _ => Err(Unresolved { reason: Reason::NotNumeric, site }),
        }
    }
}

/// What a call is given.
fn arguments<'a>(program: &'a Program<'a>, site: Site) -> Option<&'a [ExprId]> {
    program.unit(site.unit).exprs.iter().find_map(|(expr, span)| match expr {
        Expr::Call(_, args) if *span == site.span => Some(args.as_slice()),
        _ => None,
    })
}

/// Whether the layouts of a call of layout algebra are known, and the parameters that they hang on.
fn knows<'a>(
    evaluator: &mut Evaluator<'a>,
    family: Family,
    args: &[ExprId],
    context: &Context<'a>,
    site: Site,
) -> (bool, Vec<Site>, Option<Unresolved>) {
    let (mut needs, mut why) = (Vec::new(), None);
    let swizzle = match (family, args.first()) {
        (Family::Composition, Some(first)) => {
            evaluator.evaluate(*first, context).is_ok_and(|value| swizzle_of(&value).is_some())
        }
        _ => false,
    };
    let program = evaluator.program;
    let mut layout = |expr: ExprId| match evaluator.evaluate(expr, context) {
        Ok(value) => {
            needs.extend(value.hangs());
            let is = matches!(value, Value::Layout(_)) || Swizzled::of(&value).is_some();
            let reason = match &value {
                Value::Named(named) if named.class.is_none() => Reason::UnknownName,
                _ => Reason::NotCute,
            };
            let own = Site { unit: context.unit, span: program.unit(context.unit).span(expr) };
            let other = value.hangs().map(|site| Unresolved { reason: Reason::Dependent, site });
            why = why.or((!is).then(|| other.unwrap_or(Unresolved { reason, site: own })));
            is
        }
        Err(stopped) => {
            needs.extend((stopped.reason == Reason::Dependent).then_some(stopped.site));
            why = why.or(Some(stopped));
            false
        }
    };
    let known = match family {
        // `make_tiled_copy(atom, threads, values)`; those that take an MMA have no layout of their own.
        Family::TiledCopy => match args {
            [_, threads, values] => [*threads, *values].into_iter().all(&mut layout),
            _ => false,
        },
        // `make_tma_copy(operation, tensor, shared layout, …)`.
        Family::Tma => args.get(2).is_some_and(|shared| layout(*shared)),
        // `composition(Swizzle<…>{}, layout)`.
        Family::Composition if swizzle => args.get(1).is_some_and(|inner| layout(*inner)),
        _ => args.first().is_some_and(|first| layout(*first)),
    };
    let why = (!known).then(|| why.unwrap_or(Unresolved { reason: Reason::Call, site }));
    (known, needs, why)
}

/// Bits at once and bits of an element of `Copy_Atom<Operation<uint128_t>, half_t>`, for operations that say so themselves.
fn vector(atom: &Value<'_>) -> Option<(u64, u64)> {
    match copied(atom)? {
        (Access::Vector(bits), element) => Some((bits, element)),
        (Access::Ldmatrix | Access::Stmatrix, _) => None,
    }
}

/// How a `Copy_Atom<Operation, half_t>` goes over memory, and the bits of an element.
fn copied(atom: &Value<'_>) -> Option<(Access, u64)> {
    let Value::Named(named) = atom else { return None };
    let [operation, element] = named.args.as_deref().filter(|_| named.name() == "Copy_Atom")? else { return None };
    let operation = match operation {
        Value::Named(traits) if traits.name() == "Copy_Traits" => traits.args.as_deref()?.first()?,
        other => other,
    };
    let Value::Named(operation) = operation else { return None };
    let access = match operation.name() {
        "UniversalCopy"
        | "SM80_CP_ASYNC_CACHEALWAYS"
        | "SM80_CP_ASYNC_CACHEGLOBAL"
        | "SM80_CP_ASYNC_CACHEALWAYS_ZFILL"
        | "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL" => Access::Vector(width(operation.args.as_deref()?.first()?)?),
        name if name.starts_with("SM75_U") && name.contains("_LDSM_") => Access::Ldmatrix,
        _ => return None,
    };
    Some((access, width(element)?))
}

/// The identifiers of a qualified name, template arguments left out.
fn names(path: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0_usize;
    for part in path.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '_')) {
        let name = part.trim_end_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
        if depth == 0 && !name.is_empty() && !matches!(name, "value" | "type") {
            names.push(name.to_owned());
        }
        match part.chars().last() {
            Some('<') => depth += 1,
            Some('>') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    names
}

fn is_known(base: &Value<'_>) -> bool {
    matches!(base, Value::Named(named) if named.class.is_some())
}

fn name_span(program: &Program<'_>, class: DeclRef) -> crate::ast::Span {
    match &program.decl(class).kind {
        DeclKind::Class { title, .. } => *title,
        _ => program.decl(class).span,
    }
}

/// The size of one of M, N and K, which may itself be a tuple.
fn extent(value: &Value<'_>, site: Site) -> Resolved<u64> {
    match value {
        Value::Number(number) => match u64::try_from(number.value) {
            Ok(0) => Err(Unresolved { reason: Reason::ZeroExtent, site: number.site }),
            Ok(extent) => Ok(extent),
            Err(_) if number.value < 0 => Err(Unresolved { reason: Reason::Negative, site: number.site }),
            Err(_) => Err(Unresolved { reason: Reason::Overflow, site: number.site }),
        },
        Value::Tuple(tuple) => tuple.items.iter().try_fold(1_u64, |size, item| {
            size.checked_mul(extent(item, site)?).ok_or(Unresolved { reason: Reason::Overflow, site })
        }),
        Value::Opaque(why) => Err(*why),
        other if other.is_dependent() => Err(Unresolved { reason: Reason::Dependent, site }),
        Value::Named(named) if named.class.is_none() => {
            let named: &Named<'_> = named;
            Err(Unresolved { reason: Reason::UnknownName, site: named.site })
        }
        _ => Err(Unresolved { reason: Reason::NotNumeric, site }),
    }
}

/// Text without line breaks and runs of spaces.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_of_a_path() {
        assert_eq!(names("lib::Box<A, B<C>>::kRows"), ["lib", "Box", "kRows"]);
        assert_eq!(names("sizeof_bits<T>::value"), ["sizeof_bits"]);
        assert_eq!(names("X"), ["X"]);
        assert!(names("").is_empty());
    }
}
