//! Calls by another name than that of the class or function: `Kernel = A if old else B`, `Kernel = KERNELS[arch]`, `k, n = pick(arch)`.

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use std::rc::Rc;

use super::evaluate::{At, Evaluator};
use super::tree::{Bound, Expr, ExprId, MODULE, ScopeId};
use super::value::{Home, Value};

/// Classes that a variable may be, and how deep that is looked into.
const MAX_CLASSES: usize = 16;

/// A class or a function, and whether it is a method of an object.
pub type Callable = (Home, bool);

/// A call by a name that classes are bound to: the file, the call, its scope, arguments that are none of theirs, and the classes.
pub type Variable = (usize, ExprId, ScopeId, usize, Vec<Callable>);

/// Such calls, in the order of the files, and by what they may call.
#[derive(Debug, Default)]
pub struct Variables {
    all: Vec<Variable>,
    of: HashMap<Home, Vec<usize>>,
}

impl Variables {
    /// Those that may call one of some classes and functions.
    pub(super) fn calling<'v>(&'v self, homes: &[Home]) -> impl Iterator<Item = &'v Variable> + use<'v> {
        let mut places: Vec<usize> = homes.iter().filter_map(|home| self.of.get(home)).flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().filter_map(|place| self.all.get(place))
    }
}

/// Whether what is called so may be something with another name.
pub const fn may_be_variable(of: &Expr) -> bool {
    matches!(of, Expr::Name(_) | Expr::Item(..) | Expr::Choice { .. } | Expr::Call(..))
}

impl Evaluator<'_> {
    /// The calls by names that classes are bound to, with those classes: `Kernel = A if old else B`, `Kernel = KERNELS[arch]`.
    pub(super) fn by_variable(&mut self) -> Rc<Variables> {
        if let Some(known) = &self.sites.variables {
            return known.clone();
        }
        // Whoever asks again meanwhile goes round in a circle.
        self.sites.variables = Some(Rc::default());
        let mut found = Vec::new();
        let calls = self.sites.calls;
        for ((module, call, scope, skip), callee) in calls.by_variable() {
            let mut classes = Vec::new();
            let at = At { module, scope, frame: None };
            self.callable(callee, &at, true, &mut classes);
            if !classes.is_empty() {
                found.push((module, call, scope, skip, classes));
            }
        }
        let mut of: HashMap<Home, Vec<usize>> = HashMap::new();
        for (place, (.., all)) in found.iter().enumerate() {
            for (home, _) in all {
                of.entry(*home).or_default().push(place);
            }
        }
        let found = Rc::new(Variables { all: found, of });
        self.sites.variables = Some(found.clone());
        found
    }

    /// The classes and functions among the files that an expression may be. A name that is one itself is no variable.
    pub(super) fn callable(&mut self, of: ExprId, at: &At, variable: bool, found: &mut Vec<Callable>) {
        self.callable_in(of, at, variable, (found, &mut HashSet::new()), 0);
    }

    /// As [`Self::callable`], of a part of a tuple.
    pub(super) fn callable_part(&mut self, of: ExprId, path: &[usize], at: &At, found: &mut Vec<Callable>) {
        self.part_in(of, path, at, (found, &mut HashSet::new()), 0);
    }

    /// What a call of something returns, by the functions of the files that it may be.
    fn results(
        &mut self,
        callee: ExprId,
        at: &At,
        seen: &mut HashSet<(usize, ExprId)>,
        depth: usize,
    ) -> Vec<(ExprId, At)> {
        let mut functions = Vec::new();
        self.callable_in(callee, at, false, (&mut functions, seen), depth + 1);
        let functions: Vec<Home> = functions.into_iter().map(|(home, _)| home).collect();
        self.returned_by(&functions)
    }

    // Recursion: to a fixed depth, and to each expression once.
    fn part_in(
        &mut self,
        of: ExprId,
        path: &[usize],
        at: &At,
        (found, seen): (&mut Vec<Callable>, &mut HashSet<(usize, ExprId)>),
        depth: usize,
    ) {
        let Some(module) = self.module(at.module).filter(|_| depth < MAX_CLASSES && found.len() < MAX_CLASSES) else {
            return;
        };
        match (module.expr(of), path.split_first()) {
            (_, None) => self.callable_in(of, at, false, (found, seen), depth + 1),
            (Expr::Tuple(items, false), Some((first, rest))) => {
                if let Some(item) = items.get(*first) {
                    self.part_in(*item, rest, at, (found, seen), depth + 1);
                }
            }
            (Expr::Call(callee, _), Some(_))
                if matches!(module.expr(*callee), Expr::Name(_)) && seen.insert((at.module, of)) =>
            {
                for (value, at) in self.results(*callee, at, seen, depth) {
                    self.part_in(value, path, &at, (found, seen), depth + 1);
                }
            }
            _ => {}
        }
    }

    // Recursion: to a fixed depth, and to each expression once.
    fn callable_in(
        &mut self,
        of: ExprId,
        at: &At,
        variable: bool,
        (found, seen): (&mut Vec<Callable>, &mut HashSet<(usize, ExprId)>),
        depth: usize,
    ) {
        let Some(module) = self
            .module(at.module)
            .filter(|_| depth < MAX_CLASSES && found.len() < MAX_CLASSES && seen.insert((at.module, of)))
        else {
            return;
        };
        match module.expr(of) {
            Expr::Choice { yes, no, .. } => {
                self.callable_in(*yes, at, false, (found, seen), depth + 1);
                self.callable_in(*no, at, false, (found, seen), depth + 1);
            }
            Expr::Dict(pairs) => {
                for (_, value) in pairs {
                    self.callable_in(*value, at, false, (found, seen), depth + 1);
                }
            }
            Expr::Item(of, _) => self.callable_in(*of, at, false, (found, seen), depth + 1),
            Expr::Name(name) => {
                let Some((scope, bindings)) = self.bindings(name, at) else { return };
                let around = At { scope, ..at.clone() };
                for one in bindings.iter().take(MAX_CLASSES) {
                    match one.bound {
                        Bound::Value(value, _) => self.callable_in(value, &around, false, (found, seen), depth + 1),
                        Bound::Part(value, ref path) => self.part_in(value, path, &around, (found, seen), depth + 1),
                        Bound::Class(scope) | Bound::Function(scope) if !variable => {
                            found.push((Home { module: at.module, scope }, false));
                        }
                        // `cls(…)`
                        Bound::Parameter(0) if variable && &**name == "cls" => {
                            let class = self.factory_of(Home { module: at.module, scope });
                            found.extend(class.map(|class| (class, false)));
                        }
                        Bound::From(ref import) => {
                            let mut all = Vec::new();
                            self.imported(at.module, (&import.from, &import.name), (&mut all, seen), depth + 1);
                            // What has the name itself is found by it.
                            let own = |home: Home| self.named(home).is_some_and(|(known, _)| *known == **name);
                            all.retain(|(home, _)| !variable || !own(*home));
                            found.extend(all);
                        }
                        _ => {}
                    }
                }
            }
            Expr::Call(callee, _) if matches!(module.expr(*callee), Expr::Name(_)) => {
                for (value, at) in self.results(*callee, at, seen, depth) {
                    self.callable_in(value, &at, false, (found, seen), depth + 1);
                }
            }
            Expr::Attribute(..) if !variable => match self.surely(of, at) {
                Ok(Value::Class(home)) => found.push((home, false)),
                Ok(Value::Function(home, object)) => found.push((home, object.is_some())),
                _ => {}
            },
            _ => {}
        }
    }

    /// The classes and functions that a name of another file may be.
    // Recursion: to a fixed depth.
    fn imported(
        &mut self,
        own: usize,
        (path, name): (&str, &str),
        (found, seen): (&mut Vec<Callable>, &mut HashSet<(usize, ExprId)>),
        depth: usize,
    ) {
        let Some(index) = self.files.module(own, path).filter(|index| *index != own && depth < MAX_CLASSES) else {
            return;
        };
        // Stars lead from one file to many, and to each on many ways: a name of a file is asked for once.
        let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        if !seen.insert((index, ExprId::new(hash | 1 << 31))) {
            return;
        }
        let at = At { module: index, scope: MODULE, frame: None };
        let Some((_, bindings)) = self.bindings(name, &at) else { return };
        for one in bindings.iter().take(MAX_CLASSES) {
            match &one.bound {
                Bound::Value(value, _) => self.callable_in(*value, &at, false, (found, seen), depth + 1),
                Bound::Class(scope) | Bound::Function(scope) => {
                    found.push((Home { module: index, scope: *scope }, false));
                }
                Bound::From(import) => {
                    self.imported(index, (&import.from, &import.name), (found, seen), depth + 1);
                }
                _ => {}
            }
        }
    }
}
