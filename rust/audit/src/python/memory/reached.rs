//! Whether a statement of a kernel surely runs, whether what a slice partitions is copied with its vectors, and whether anything may hold
//! threads back. What is not known says no.

use foldhash::HashSet;
use std::rc::Rc;

use super::{is_copy, is_looked_at};
use crate::ast::Span;
use crate::python::evaluate::{At, Evaluator, MAX_STEPS as MAX_ASKED};
use crate::python::tree::{Binding, Bound, Branch, Expr, ExprId, Fork, Kind, Module, Name, Op, argument};
use crate::python::value::{Home, Value};
use crate::survey::Extent;

/// Expressions that are followed from a name.
const MAX_STEPS: usize = 16;

/// Expressions that are looked at for whether a tensor may be shared memory.
const MAX_PLACES: usize = 64;

/// Expressions within one, and bytes of a kernel, that are looked at.
const MAX_PARTS: usize = 1 << 10;
const MAX_TEXT: usize = 1 << 16;

/// Rounds in which names are found that hang on others.
const MAX_ROUNDS: usize = 16;

/// What may hold threads back, by what is written.
const HOLDS: [&str; 7] = ["elect_one", "pred", "while ", "with ", "lambda", "elem_less", "nvvm"];

/// Functions of Python that hold nobody back.
const PLAIN: [&str; 8] = ["int", "len", "max", "min", "print", "range", "tuple", "type"];

/// What says which thread it is.
const THREADS: [&str; 4] = ["thread_idx", "lane_idx", "warp_idx", "elect_one"];

/// Names of a kernel that may hang on which thread it is.
pub(in crate::python) type ByThreads = HashSet<Name>;

impl Evaluator<'_> {
    /// Whether a place surely runs; within a loop, whether its first round does, where loops are allowed.
    pub(super) fn surely_runs(&mut self, place: Span, at: &At, loops: bool) -> bool {
        self.gets_to(place, at, loops, false)
    }

    /// As [`Self::surely_runs`]; whether a condition on which round of a loop it is may be around, which holds in some round.
    fn gets_to(&mut self, place: Span, at: &At, loops: bool, rounds: bool) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        if !self.may_guard(module.branches.len()) {
            return false;
        }
        let inside = |span: Span| span.contains(place);
        for branch in module.branches.iter().filter(|branch| branch.scope == at.scope) {
            let (around, before) = (inside(branch.span), branch.span.end <= place.start);
            let ends = before && branch.arms.iter().any(|arm| arm.ends);
            let runs = match branch.fork {
                Fork::If if around => {
                    let here = branch.arms.iter().position(|arm| inside(arm.span));
                    // A place in a test always runs.
                    let certain = self.certain_arm(branch, at, 0).ok();
                    here.is_none()
                        || certain == here
                        || certain.is_none() && rounds && self.is_by_round(branch, here, at)
                }
                Fork::If if ends => {
                    let arm = self.certain_arm(branch, at, 0).ok().and_then(|arm| branch.arms.get(arm));
                    arm.is_some_and(|arm| !arm.ends)
                }
                Fork::Loop | Fork::Rest if around => {
                    loops && branch.of.is_some() && !branch.leaves.skips && !branch.leaves.early
                }
                Fork::Other if around => false,
                _ => !ends,
            };
            if !runs {
                return false;
            }
        }
        self.steps = MAX_ASKED;
        !self.is_not_taken(place, at)
    }

    /// Whether which arm of a branch runs is said by nothing but which round of a loop of the kernel it is: `if k + 1 < n`.
    fn is_by_round(&mut self, branch: &Branch, arm: Option<usize>, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let Some(names) = module.scope(at.scope).map(|scope| &scope.names) else { return false };
        // A loop that is no `range_constexpr` is one of the program that runs, and so is what hangs on its rounds.
        let mut rounds: Vec<&str> = Vec::new();
        for step in module.steps(branch.path) {
            let Some((of, one)) = module.branch(step.branch).and_then(|one| Some((one.of?, one))) else { return false };
            let Expr::Call(callee, _) = module.expr(of) else { return false };
            let python = matches!(module.expr(*callee), Expr::Name(name) if &**name == "range" && self.bindings(name, at).is_none());
            if !one.fork.loops() || !python && self.of_library(*callee, at).is_none_or(|path| &*path != "cutlass.range")
            {
                return false;
            }
            rounds.extend(names.iter().filter_map(|(name, all)| match all {
                [Binding { bound: Bound::Each(each, path), .. }] if *each == of && path.is_empty() => Some(&**name),
                _ => None,
            }));
        }
        let by_threads = names_by_threads(module, Home { module: at.module, scope: at.scope });
        let tests = branch.arms.iter().take(arm.map_or(0, |arm| arm + 1)).filter_map(|arm| arm.test);
        let mut all = tests.map(|test| {
            let Expr::Binary(Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Ne, left, right) = module.expr(test) else {
                return false;
            };
            let (mut next, mut by_round, mut left_parts) = (vec![*left, *right], false, MAX_STEPS);
            while let Some(part) = next.pop() {
                left_parts = left_parts.saturating_sub(1);
                match module.expr(part) {
                    _ if left_parts == 0 => return false,
                    Expr::Name(name) if by_threads.contains(name) => return false,
                    Expr::Name(name) => by_round |= rounds.contains(&&**name),
                    Expr::Integer(_) => {}
                    Expr::Binary(Op::Add | Op::Sub | Op::Mul, a, b) => next.extend([*a, *b]),
                    Expr::Attribute(of, _) if matches!(module.expr(*of), Expr::Name(name) if &**name == "self") => {}
                    _ => return false,
                }
            }
            by_round
        });
        all.next().is_some_and(|first| first) && all.all(|one| one)
    }

    /// Whether what a call makes or partitions may be shared memory, as it is written: most tensors are the host's, and to work out what
    /// each of them is would cost more than everything else.
    pub(super) fn may_be_shared(&self, of: ExprId, at: &At) -> bool {
        let mut next = vec![(of, at.scope)];
        for _ in 0..MAX_PLACES {
            let Some((of, scope)) = next.pop() else { return false };
            let Some(module) = self.module(at.module) else { return false };
            let here = At { scope, ..at.clone() };
            match module.expr(of) {
                Expr::Call(callee, arguments) => {
                    let Expr::Attribute(_, name) = module.expr(*callee) else { continue };
                    let first = arguments.first().map(|first| first.value);
                    match &**name {
                        "make_tensor" | "recast_ptr" => next.extend(first.map(|first| (first, scope))),
                        // The host's tensors are cut into tiles first.
                        "partition_S" | "partition_D" if first.is_some_and(|first| self.is_passed(first, &here)) => {
                            return true;
                        }
                        "partition_S" | "partition_D" => next.extend(first.map(|first| (first, scope))),
                        "allocate" | "alloc_smem" | "data_ptr" => return true,
                        name if is_looked_at(name) && name != "get_slice" => return true,
                        _ => {}
                    }
                }
                Expr::Binary(Op::Add, left, _) => next.push((*left, scope)),
                Expr::Name(name) => {
                    let Some((scope, all)) = self.bindings(name, &here) else { continue };
                    next.extend(all.iter().filter_map(|one| match one.bound {
                        Bound::Value(value, _) => Some((value, scope)),
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
        false
    }

    /// Whether an expression is the name of a parameter.
    fn is_passed(&self, of: ExprId, at: &At) -> bool {
        let Some(Expr::Name(name)) = self.module(at.module).map(|module| module.expr(of)) else { return false };
        let parameter = |all: &[Binding]| all.iter().any(|one| matches!(one.bound, Bound::Parameter(_)));
        self.bindings(name, at).is_some_and(|(_, all)| parameter(all))
    }

    /// Whether an expression is the number of the thread along x: `cute.arch.thread_idx()[0]`, also by a name.
    pub(super) fn is_thread(&mut self, of: ExprId, at: &At) -> bool {
        self.is_of_block(of, at, (0, "cutlass.cute.arch.thread_idx"), 0)
    }

    /// Whether an expression is a part of what a function of the DSL says of the block, also by a name.
    pub(super) fn is_of_block(&mut self, of: ExprId, at: &At, part: (usize, &str), steps: usize) -> bool {
        let (place, function) = part;
        let Some(module) = self.module(at.module).filter(|_| steps < MAX_STEPS) else { return false };
        match module.expr(of) {
            Expr::Item(inner, index) => {
                matches!(module.expr(*index), Expr::Integer(number) if usize::try_from(**number).ok() == Some(place))
                    && self.is_call_of(*inner, at, function)
            }
            Expr::Name(name) => {
                let Some((scope, [one])) = self.bindings(name, at) else { return false };
                let here = At { scope, ..at.clone() };
                match &one.bound {
                    Bound::Part(value, path) => path.as_slice() == [place] && self.is_call_of(*value, &here, function),
                    Bound::Value(value, _) => self.is_of_block(*value, &here, part, steps + 1),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn is_call_of(&mut self, call: ExprId, at: &At, function: &str) -> bool {
        let Some(Expr::Call(callee, _)) = self.module(at.module).map(|module| module.expr(call)) else { return false };
        self.of_library(*callee, at).is_some_and(|path| &*path == function)
    }

    /// How much of what a slice partitions is copied by the tiled copy of that slice, and whether all of it is written so.
    pub(super) fn copied(&mut self, partition: ExprId, at: &At) -> (Extent, bool) {
        let none = (Extent::None, false);
        let Some(module) = self.module(at.module) else { return none };
        let Expr::Call(callee, _) = module.expr(partition) else { return none };
        let Expr::Attribute(slice, _) = module.expr(*callee) else { return none };
        let Some(copy) = sliced(self, *slice, at) else { return none };
        // Each partition is held against all copies.
        let names = module.scope(at.scope).map_or(0, |scope| scope.names.len());
        if !self.may_guard(module.calls.len() + names) {
            return none;
        }
        let names = names_of(module, partition, at);
        let (mut most, mut written) = none;
        for (call, scope) in module.calls.iter().filter(|(_, scope)| *scope == at.scope) {
            let Expr::Call(callee, arguments) = module.expr(*call) else { continue };
            let Expr::Attribute(_, name) = module.expr(*callee) else { continue };
            // What has a predicate moves what that allows.
            let plain = arguments
                .iter()
                .all(|one| matches!(one.name.as_deref(), None | Some("atom" | "src" | "dst" | "loc" | "ip")));
            if !is_copy(name, arguments.len()) || !plain {
                continue;
            }
            let given = |place: usize, name: &str| argument(arguments, place, name);
            let (Some(by), Some(source), Some(target)) = (given(0, "atom"), given(1, "src"), given(2, "dst")) else {
                continue;
            };
            let here = At { scope: *scope, ..at.clone() };
            let [source, target] = [source, target].map(|one| part(module, one, partition, &names));
            let (extent, whole) = (source.max(target), target == Extent::All);
            if extent <= most && (written || !whole) {
                continue;
            }
            if !is_same(module, by, copy)
                || self.of_library(*callee, &here).is_none_or(|path| &*path != "cutlass.cute.copy")
            {
                continue;
            }
            if self.surely_runs(module.span(*call), &here, true) {
                (most, written) = (most.max(extent), written || whole);
            } else if self.gets_to(module.span(*call), &here, true, true) {
                most = most.max(extent);
            }
        }
        (most, written)
    }

    /// Whether nothing in a kernel may hold threads back.
    pub(super) fn holds_nobody_back(&mut self, kernel: Home, at: &At) -> bool {
        let by_threads = if let Some(known) = self.unheld.get(&kernel) {
            known.clone()
        } else {
            let found = self.by_threads(kernel, at).map(Rc::new);
            self.unheld.insert(kernel, found.clone());
            found
        };
        let Some((by_threads, module)) = by_threads.zip(self.module(kernel.module)) else { return false };
        let Some(scope) = module.scope(kernel.scope) else { return false };
        if !self.may_guard(module.exprs.len() + module.branches.len() + module.calls.len()) {
            return false;
        }
        for branch in module.branches.iter().filter(|branch| branch.scope == kernel.scope) {
            let free = match branch.fork {
                Fork::If => self.certain_arm(branch, at, 0).is_ok(),
                Fork::Loop | Fork::Rest => branch.of.is_some_and(|of| !hangs(module, of, &by_threads)),
                Fork::Other => false,
            };
            if !free {
                return false;
            }
        }
        let within = || module.exprs.iter().filter(|(_, span)| scope.span.contains(*span));
        for (expr, _) in within() {
            let test = match expr {
                Expr::Choice { test, .. } => *test,
                Expr::Binary(Op::Both | Op::Either, left, _) => *left,
                Expr::Comprehension(_) => return false,
                _ => continue,
            };
            if self.truth_of(test, at, 0).is_none() {
                return false;
            }
        }
        // What functions of the files do is not followed.
        let calls: Vec<ExprId> =
            module.calls.iter().filter(|(_, scope)| *scope == kernel.scope).map(|(call, _)| *call).collect();
        calls.into_iter().all(|call| {
            let Expr::Call(callee, _) = module.expr(call) else { return false };
            let method = matches!(module.expr(*callee), Expr::Attribute(_, name)
                if is_looked_at(name) || matches!(&**name, "copy" | "fill" | "load" | "store" | "retile"));
            match self.ask(*callee, at) {
                Ok(Value::Library(path)) => !path.starts_with("cutlass.pipeline"),
                Ok(Value::Function(..) | Value::Class(_) | Value::Partial(_) | Value::Object(..)) => false,
                _ => method,
            }
        })
    }
}

impl Evaluator<'_> {
    /// Whether a condition on which thread it is says who copies with what a kernel slices: a part of the tile may be meant then.
    pub(super) fn is_copied_by_some(&mut self, of: ExprId, kernel: Home) -> bool {
        let Some(module) = self.module(kernel.module) else { return false };
        if !self.may_guard(module.calls.len() + module.branches.len() + module.exprs.len()) {
            return true;
        }
        let by_threads = names_by_threads(module, kernel);
        let own = |branch: &&Branch| branch.scope == kernel.scope && branch.fork == Fork::If;
        // An `else` holds back whom the other arm does not.
        let by_thread = |branch: &&Branch| {
            branch.arms.iter().filter_map(|arm| arm.test).any(|test| hangs(module, test, &by_threads))
        };
        let held: Vec<Span> = module
            .branches
            .iter()
            .filter(own)
            .filter(by_thread)
            .flat_map(|branch| branch.arms.iter().map(|arm| arm.span))
            .collect();
        module.calls.iter().filter(|(_, scope)| *scope == kernel.scope).any(|(call, _)| {
            let Expr::Call(callee, arguments) = module.expr(*call) else { return false };
            let copy = matches!(module.expr(*callee), Expr::Attribute(_, name) | Expr::Name(name)
                if is_copy(name, arguments.len()));
            copy && arguments.first().is_some_and(|first| is_same(module, first.value, of))
                && held.iter().any(|arm| arm.contains(module.span(*call)))
        })
    }

    /// The names of a kernel that hang on which thread it is; nothing where something that is written may hold threads back.
    fn by_threads(&self, kernel: Home, at: &At) -> Option<ByThreads> {
        let module = self.module(kernel.module)?;
        let scope = module.scope(kernel.scope)?;
        if module.scopes.iter().any(|one| one.parent == Some(kernel.scope)) {
            return None;
        }
        let text = self.files.sources.get(module.file)?.text.get(scope.span.range())?;
        // What nothing is worked out from is not kept: it is looked for in the text.
        if text.len() > MAX_TEXT || HOLDS.iter().any(|word| text.contains(word)) || text.lines().any(is_conditional) {
            return None;
        }
        let named = |name: &str| match self.bindings(name, at) {
            Some((_, all)) => {
                all.iter().all(|one| matches!(&one.bound, Bound::From(import) if import.from.starts_with("cutlass")))
            }
            None => PLAIN.contains(&name),
        };
        called(text).all(named).then(|| names_by_threads(module, kernel))
    }
}

/// Whether a line has a condition within an expression; a statement of its own is a branch.
fn is_conditional(line: &str) -> bool {
    let line = line.split('#').next().unwrap_or_default();
    let rest = line.trim_start();
    let rest = rest.strip_prefix("if ").or_else(|| rest.strip_prefix("elif ")).unwrap_or(rest);
    [" if ", " and ", " or "].iter().any(|word| rest.contains(word))
}

/// The functions that are called by a name alone.
fn called(text: &str) -> impl Iterator<Item = &str> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices('(').filter_map(move |(at, _)| {
        let before = text.get(..at)?;
        let name = before.rsplit(|c: char| !word(c)).next().filter(|name| !name.is_empty())?;
        let around = before.get(..before.len() - name.len())?;
        let other = around.ends_with('.') || around.trim_end().ends_with("def");
        let keyword = matches!(name, "if" | "elif" | "in" | "return" | "not" | "for" | "assert");
        (!other && !keyword).then_some(name)
    })
}

/// The names that a call gets, as the whole of what is assigned or as a part of a tuple.
fn names_of(module: &Module, call: ExprId, at: &At) -> HashSet<Name> {
    let mut names = HashSet::default();
    let Some(scope) = module.scope(at.scope) else { return names };
    for (name, bindings) in &scope.names {
        let [one] = bindings else { continue };
        let own = match &one.bound {
            Bound::Value(value, _) => *value == call,
            Bound::Part(value, path) => match (module.expr(*value), path.as_slice()) {
                (Expr::Tuple(items, _), [place]) => items.get(*place) == Some(&call),
                _ => false,
            },
            _ => false,
        };
        if own && !module.moved.contains(name) {
            names.insert(name.clone());
        }
    }
    names
}

/// The tiled copy that a slice is of, as it is written: `X` of `X.get_slice(tidx)`, also by a name.
fn sliced(own: &Evaluator<'_>, slice: ExprId, at: &At) -> Option<ExprId> {
    let module = own.module(at.module)?;
    let Expr::Call(callee, _) = module.expr(slice_of(own, slice, at)?) else { return None };
    match module.expr(*callee) {
        Expr::Attribute(of, _) => Some(*of),
        _ => None,
    }
}

/// The `X.get_slice(tidx)` that a slice is, also by a name.
pub(super) fn slice_of(own: &Evaluator<'_>, slice: ExprId, at: &At) -> Option<ExprId> {
    let module = own.module(at.module)?;
    let mut slice = slice;
    for _ in 0..MAX_STEPS {
        match module.expr(slice) {
            Expr::Call(callee, _) => {
                return matches!(module.expr(*callee), Expr::Attribute(_, name) if &**name == "get_slice")
                    .then_some(slice);
            }
            Expr::Name(name) => {
                let (scope, [one]) = own.bindings(name, at)? else { return None };
                match (&one.bound, scope == at.scope) {
                    (Bound::Value(value, _), true) => slice = *value,
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    None
}

/// How much of a partition an argument of a copy is.
fn part(module: &Module, tensor: ExprId, partition: ExprId, names: &HashSet<Name>) -> Extent {
    if tensor == partition {
        return Extent::All;
    }
    match module.expr(tensor) {
        Expr::Name(name) if names.contains(name) => Extent::All,
        Expr::Item(of, _) => match module.expr(*of) {
            Expr::Name(name) if names.contains(name) => Extent::One,
            _ if *of == partition => Extent::One,
            _ => Extent::None,
        },
        _ => Extent::None,
    }
}

/// Whether two names or attributes of names are written alike.
fn is_same(module: &Module, one: ExprId, other: ExprId) -> bool {
    let (mut one, mut other) = (one, other);
    for _ in 0..MAX_STEPS {
        match (module.expr(one), module.expr(other)) {
            (Expr::Name(a), Expr::Name(b)) => return a == b,
            (Expr::Attribute(of, a), Expr::Attribute(to, b)) if a == b => (one, other) = (*of, *to),
            _ => return false,
        }
    }
    false
}

/// Names of a kernel that may hang on which thread it is.
fn names_by_threads(module: &Module, kernel: Home) -> ByThreads {
    let mut names = HashSet::default();
    let Some(scope) = module.scope(kernel.scope) else { return names };
    for _ in 0..MAX_ROUNDS {
        let before = names.len();
        for (name, bindings) in &scope.names {
            let by_thread = bindings.iter().any(|one| match &one.bound {
                Bound::Value(value, _) | Bound::Part(value, _) | Bound::Each(value, _) => hangs(module, *value, &names),
                Bound::Moving => true,
                _ => false,
            });
            if by_thread && !names.contains(name) {
                names.insert(name.clone());
            }
        }
        if names.len() == before {
            break;
        }
    }
    names
}

/// Whether an expression names something that may hang on which thread it is.
fn hangs(module: &Module, of: ExprId, names: &ByThreads) -> bool {
    let mut next = vec![of];
    let mut left = MAX_PARTS;
    while let Some(id) = next.pop() {
        left = left.saturating_sub(1);
        if left == 0 {
            return true;
        }
        match module.expr(id) {
            Expr::Name(name) if names.contains(name) => return true,
            Expr::Attribute(_, name) if THREADS.contains(&&**name) => return true,
            Expr::Name(name) if THREADS.contains(&&**name) => return true,
            expr => expr.each_part(&mut |part| next.push(part)),
        }
    }
    false
}

/// Whether a function is a `@cute.kernel` and nothing else.
pub(super) fn is_kernel(evaluator: &Evaluator<'_>, home: Home) -> bool {
    let Some(module) = evaluator.module(home.module) else { return false };
    match module.scope(home.scope).map(|scope| &scope.kind) {
        Some(Kind::Function(function)) => {
            function.decorators.len() == 1 && evaluator.decorated(home.module, &function.decorators, &["kernel"])
        }
        _ => false,
    }
}
