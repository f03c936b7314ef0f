//! Whether a place in a function is reached, with what is known there: conditions that are known must hold, and what is not known must have
//! nothing to do with the values in question.

use std::ops::Range;

use super::arms::Block;
use super::launches::hanging;
use super::shared::Looker;
use super::tiled::in_memory;
use crate::ast::{DeclKind, Expr, ExprId, Guard, GuardKind, Op, Path, Site, Span};
use crate::eval::{Context, DeclRef, Evaluator, Program, Value, layout_of};
use crate::source::{defines_macro, is_identifier, places};
use crate::syntax::{Code, demands, is_of_cuda};

/// Expressions of one condition, and variables that are followed from one to the next.
const MAX_NODES: usize = 256;
const MAX_DEPTH: usize = 16;

/// Names that no size decides.
const OUTSIDE: [&str; 10] =
    ["NULL", "argc", "argv", "blockIdx", "errno", "false", "gridDim", "nullptr", "stderr", "true"];

/// Functions that count, or whose results have sizes that no division decides.
const COUNTS: [&str; 16] = [
    "ceil_div",
    "get",
    "get_slice",
    "get_thread_slice",
    "group_modes",
    "int",
    "local_partition",
    "local_tile",
    "max",
    "min",
    "rank",
    "select",
    "shape",
    "size",
    "take",
    "tiled_divide",
];

/// Types of what CUDA's own functions return: whether they worked.
const STATUS: [&str; 5] = ["CUresult", "cudaError", "cudaError_t", "cublasStatus_t", "nvrtcResult"];

/// What is asked of a way to a place.
pub(super) struct Ask {
    /// The function around the place.
    pub function: Site,
    /// Whether values are in question that others give: then a flag that is not known may hang on them.
    pub given: bool,
    /// How many threads must get there.
    pub threads: Option<u64>,
    /// The block of which some thread must get there: a flag that is not known may then say how large that is.
    pub block: Option<Block>,
}

/// Whether a place is reached, as far as that can be told.
pub(super) fn reached<'a>(
    program: &'a Program<'a>,
    evaluator: &mut Evaluator<'a>,
    guards: &[Guard],
    ask: &Ask,
    context: &Context<'a>,
    needs: &mut Vec<Site>,
) -> bool {
    let mut unknown = Vec::new();
    for guard in guards {
        if guard.kind == GuardKind::Call && !may_end(program, evaluator, guard.condition, context) {
            continue;
        }
        let context = Context { scope: guard.scope, ..context.clone() };
        let at = program.unit(context.unit).span(guard.condition);
        let context = (Looker { program, evaluator }).knowing(&[guard.condition], at, &context);
        match (evaluator.evaluate(guard.condition, &context), guard.holds) {
            (Ok(Value::Number(number)), Some(holds)) if (number.value != 0) != holds => return false,
            (Ok(Value::Number(_)), Some(_)) => {}
            (value, _) => {
                needs.extend(hanging(&value));
                unknown.push((guard, context));
            }
        }
    }
    if unknown.is_empty() {
        return true;
    }
    let text = evaluator.code_of(ask.function);
    unknown.into_iter().all(|(guard, context)| {
        let given = ask.given && !matches!(guard.kind, GuardKind::Maybe | GuardKind::Call);
        let switch = guard.kind == GuardKind::Maybe && guard.holds.is_none();
        let mut way = Way { program, evaluator, text: &text, ask, given, switch, left: MAX_NODES };
        match (guard.kind, ask.block) {
            (GuardKind::Test | GuardKind::Leave | GuardKind::Loop | GuardKind::Case, Some(block)) => {
                way.lets_through(guard.condition, (guard.holds, guard.kind), block, &context)
            }
            (GuardKind::Case, None) => way.is_apart(way.switched(guard.condition, &context), &context, MAX_DEPTH),
            (GuardKind::Loop, _) if way.counts_up(guard.condition, &context) => true,
            // Who demands it goes on where it holds, and it does for some values.
            (GuardKind::Maybe, _)
                if guard.holds == Some(true) && way.may_hold(guard.condition, &context, MAX_DEPTH) =>
            {
                true
            }
            (GuardKind::Leave, _) if way.turns_away(guard.condition, true, &context) => true,
            (GuardKind::Test, None)
                if guard.holds == Some(false) && way.turns_away(guard.condition, false, &context) =>
            {
                true
            }
            _ => {
                way.by_threads(guard.condition, guard.holds, &context)
                    || way.is_apart(guard.condition, &context, MAX_DEPTH)
            }
        }
    })
}

/// Words for what ends a program or a function.
const ENDS: [&str; 7] = ["abort", "assert", "exit", "throw", "terminate", "__trap", "_Exit"];

/// Whether a function that is called may end the program, or throw. Of one that was not read, or a macro, its file may say that it does not;
/// and what it is given by itself is no value that stays, so that only what it may know of an object is in question.
fn may_end<'a>(program: &'a Program<'a>, evaluator: &Evaluator<'a>, call: ExprId, context: &Context<'a>) -> bool {
    let unit = program.unit(context.unit);
    let Expr::Call(callee, args) = unit.expr(call) else { return true };
    let objects = |expr: &ExprId| {
        let mut at = *expr;
        while let Expr::Member(of, _) | Expr::Element(of, _) = unit.expr(at) {
            at = *of;
        }
        evaluator.has_parts(at, context)
    };
    let (name, given) = match unit.expr(*callee) {
        Expr::Path(path) => (path.segments.last().map(|part| part.name), args.iter().any(objects)),
        Expr::Member(of, member) => (Some(member.name), objects(of)),
        _ => return true,
    };
    let name = name.map_or("", |span| program.text(Site { unit: context.unit, span }));
    let mut bodies = program.bodies(name).iter().peekable();
    if bodies.peek().is_some() && matches!(unit.expr(*callee), Expr::Path(_)) {
        return bodies.any(|body| {
            let text = program.text(Site { unit: body.unit, span: program.body(*body).span });
            ENDS.iter().any(|word| places(text, word).next().is_some())
        });
    }
    let file = program.sources().get(unit.file).map_or("", |source| source.text.as_str());
    let begin = unit.span(call).start as usize;
    // What a variable is given is a value, and no demand.
    let alone = file.get(..begin).is_some_and(|before| before.trim_end().ends_with([';', '{', '}', ')', ':']));
    given && alone && !comes_back(file, name)
}

/// Whether a file defines functions of a name, and nothing in them says that they may not come back.
fn comes_back(file: &str, name: &str) -> bool {
    let ends = |body: &str| ENDS.iter().any(|word| places(body, word).next().is_some()) || demands(body);
    crate::mentions::inside(file, name).is_some_and(|bodies| !bodies.is_empty() && !bodies.into_iter().any(ends))
}

/// Whether a comparison asks nothing of the thread, nor how numbers divide, nor a function.
pub(super) fn compares_plainly(said: &str) -> bool {
    places(said, "threadIdx").next().is_none()
        && !["%", "?", "&", "|", "==", "!=", "("].iter().any(|sign| said.contains(sign))
}

/// The mode, the place of the tensor's name and the number in `k < size<2>(a) - 1`.
fn less_than_mode(said: &str) -> Option<(usize, Range<usize>, u64)> {
    let (_, bound) = said.split_once('<')?;
    let bound = bound.trim_start().trim_start_matches("cute::").strip_prefix("size<")?;
    let (mode, rest) = bound.split_once('>')?;
    let rest = rest.strip_prefix('(')?;
    let (name, tail) = rest.split_once(')')?;
    let less = tail.trim_start().strip_prefix('-')?.trim().parse().ok()?;
    let start = said.len() - rest.len();
    let plain = !name.is_empty() && name.bytes().all(is_identifier);
    plain.then_some((mode.trim().parse().ok()?, start..start + name.len(), less))
}

pub(super) struct Way<'w, 'e, 'a> {
    pub(super) program: &'a Program<'a>,
    pub(super) evaluator: &'e mut Evaluator<'a>,
    /// The code of the function.
    text: &'w Code,
    ask: &'w Ask,
    given: bool,
    /// Whether it is what a switch macro or a function is given.
    switch: bool,
    pub(super) left: usize,
}

impl<'a> Way<'_, '_, 'a> {
    /// Whether a condition certainly has nothing to do with sizes that are known.
    pub(super) fn is_apart(&mut self, expr: ExprId, context: &Context<'a>, depth: usize) -> bool {
        let (Some(left), Some(depth)) = (self.left.checked_sub(1), depth.checked_sub(1)) else { return false };
        self.left = left;
        let unit = self.program.unit(context.unit);
        let said = self.program.text(Site { unit: context.unit, span: unit.span(expr) }).trim();
        if !self.of_threads() && self.by_block(expr, said, context) {
            return true;
        }
        match unit.expr(expr) {
            Expr::Number(_) | Expr::Sizeof(_) => true,
            Expr::Path(path) => self.is_name_apart(expr, path, context, depth),
            Expr::Member(of, _) => {
                !matches!(self.evaluator.evaluate(expr, context), Ok(Value::Number(_)))
                    && self.is_apart(*of, context, depth)
            }
            Expr::Call(callee, args) => {
                let name = said.split(['(', '<']).next().unwrap_or_default();
                if is_of_cuda(name.rsplit("::").next().unwrap_or_default()) {
                    return true;
                }
                !self.given
                    && self.is_apart(*callee, context, depth)
                    && args.iter().all(|arg| self.is_apart(*arg, context, depth))
            }
            Expr::Construct(_, args) => !self.given && args.iter().all(|arg| self.is_apart(*arg, context, depth)),
            Expr::Unary(_, of) => self.is_apart(*of, context, depth),
            // A flag of the template that is known, and does not decide, leaves the question of a switch to the other.
            Expr::Binary(Op::LogicalAnd | Op::LogicalOr, a, b) if self.switch => {
                let known = [*a, *b].map(|part| {
                    let of = if let Expr::Unary(Op::Not, of) = unit.expr(part) { *of } else { part };
                    matches!(unit.expr(of), Expr::Path(_))
                        && matches!(self.evaluator.evaluate(part, context), Ok(Value::Number(_)))
                });
                known != [true, true]
                    && (known[0] || self.is_apart(*a, context, depth))
                    && (known[1] || self.is_apart(*b, context, depth))
            }
            Expr::Binary(_, a, b) | Expr::Element(a, b) => {
                self.is_apart(*a, context, depth) && self.is_apart(*b, context, depth)
            }
            Expr::Conditional(a, b, c) => [*a, *b, *c].into_iter().all(|part| self.is_apart(part, context, depth)),
            Expr::Opaque => OUTSIDE.contains(&said) || said.starts_with('\''),
            // What is not read may name anything.
            _ => false,
        }
    }

    /// Whether a condition compares what is known at run time only, so that it holds for some values of that.
    // Recursion: as deep as `depth`.
    fn may_hold(&mut self, expr: ExprId, context: &Context<'a>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match self.program.unit(context.unit).expr(expr) {
            Expr::Binary(Op::LogicalAnd, a, b) => [*a, *b].into_iter().all(|part| {
                let known = self.evaluator.evaluate(part, context);
                matches!(known, Ok(Value::Number(number)) if number.value != 0) || self.may_hold(part, context, depth)
            }),
            Expr::Binary(Op::LogicalOr, a, b) => [*a, *b].into_iter().any(|part| self.may_hold(part, context, depth)),
            Expr::Binary(Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge, a, b) => {
                [*a, *b].into_iter().any(|part| self.is_free(part, context, depth))
            }
            _ => false,
        }
    }

    /// Whether a value is one that a parameter has at run time, or counts with one.
    // Recursion: as deep as `depth`.
    fn is_free(&mut self, expr: ExprId, context: &Context<'a>, depth: usize) -> bool {
        let (Some(left), Some(depth)) = (self.left.checked_sub(1), depth.checked_sub(1)) else { return false };
        self.left = left;
        if matches!(self.evaluator.evaluate(expr, context), Ok(Value::Number(_))) {
            return false;
        }
        let unit = self.program.unit(context.unit);
        match unit.expr(expr) {
            Expr::Path(path) => {
                let [only] = path.segments.as_slice() else { return false };
                let found =
                    (Looker { program: self.program, evaluator: &mut *self.evaluator }).local(only.name, context);
                let Some((decl, inside)) = found else { return false };
                // Of an object some parts are known, and what is not may go with them.
                if self.evaluator.has_parts(expr, context) {
                    return false;
                }
                match self.program.decl(decl).kind {
                    _ if self.is_parameter(decl) => true,
                    DeclKind::Variable { init: Some(init), .. } if self.is_settled(decl) => {
                        self.is_free(init, &inside, depth)
                    }
                    _ => false,
                }
            }
            Expr::Member(of, _) | Expr::Element(of, _) => self.is_free(*of, context, depth),
            // `q.size(1)`
            Expr::Call(callee, _) => match unit.expr(*callee) {
                Expr::Member(of, _) => self.is_free(*of, context, depth),
                _ => false,
            },
            Expr::Binary(Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem, a, b) => {
                self.is_free(*a, context, depth) || self.is_free(*b, context, depth)
            }
            _ => false,
        }
    }

    /// Whether a condition asks whether a size is no multiple, `k % 8 != 0`, or there is nothing to do where that may be asked, `m == 0`, `n <= 0`,
    /// `p == nullptr`, or one of these. A function that then leaves is not called for that.
    pub(super) fn turns_away(&mut self, expr: ExprId, nothing: bool, context: &Context<'a>) -> bool {
        let mut open = vec![expr];
        for _ in 0..MAX_NODES {
            let Some(expr) = open.pop() else { return true };
            let zero = |way: &mut Self, of: ExprId, most: i128| matches!(way.evaluator.evaluate(of, context), Ok(Value::Number(number)) if number.value == most);
            let free = match self.program.unit(context.unit).expr(expr) {
                Expr::Binary(Op::LogicalOr, a, b) => {
                    open.extend([*a, *b]);
                    continue;
                }
                Expr::Binary(Op::Rem, of, _) => *of,
                Expr::Binary(Op::Ne | Op::Gt, rest, none) if zero(self, *none, 0) => {
                    let Expr::Binary(Op::Rem, of, _) = self.program.unit(context.unit).expr(*rest) else {
                        return false;
                    };
                    *of
                }
                _ if !nothing => return false,
                Expr::Binary(Op::Eq | Op::Le, of, none) if zero(self, *none, 0) => *of,
                Expr::Binary(Op::Eq | Op::Ge, none, of) if zero(self, *none, 0) => *of,
                Expr::Binary(Op::Lt, of, one) if zero(self, *one, 1) => *of,
                _ => return false,
            };
            if !self.is_free(free, context, MAX_DEPTH) {
                return false;
            }
        }
        false
    }

    /// Whether it is asked what threads of a block get to, by conditions that decide.
    fn of_threads(&self) -> bool {
        self.ask.block.is_some() && self.given
    }

    /// What a `switch` asks for, of the condition for one of its cases.
    fn switched(&self, condition: ExprId, context: &Context<'a>) -> ExprId {
        let unit = self.program.unit(context.unit);
        let mut at = condition;
        while let Expr::Binary(op @ (Op::LogicalOr | Op::Eq), first, _) = unit.expr(at) {
            at = *first;
            if *op == Op::Eq {
                break;
            }
        }
        at
    }

    /// Whether a name is that of an enumerator with its enumeration: `Mode::Causal`.
    fn is_enumerator(&self, path: &Path, context: &Context<'a>) -> bool {
        let [.., of, _] = path.segments.as_slice() else { return false };
        let text = |span: Span| self.program.text(Site { unit: context.unit, span });
        let mut at = Some(self.program.home(context.unit, context.scope));
        while let Some(space) = at {
            let found = self.program.in_namespace(space, text(of.name), context.unit);
            if !found.is_empty() {
                return found.iter().all(|decl| {
                    let span = self.program.decl(*decl).span;
                    self.program.text(Site { unit: decl.unit, span }).starts_with("enum")
                });
            }
            at = self.program.outer(space);
        }
        false
    }

    fn is_name_apart(&mut self, expr: ExprId, path: &Path, context: &Context<'a>, depth: usize) -> bool {
        let Some(last) = path.segments.last() else { return false };
        let name = self.program.text(Site { unit: context.unit, span: last.name });
        // Which thread asks decides for that thread alone; which block, or how many there are, may decide for all that there are.
        if self.of_threads() && ["blockIdx", "gridDim", "threadIdx"].contains(&name) {
            return name == "threadIdx";
        }
        if OUTSIDE.contains(&name) || is_of_cuda(name) || name.starts_with("CUDA_") || name.starts_with("CUBLAS_") {
            return true;
        }
        match self.evaluator.evaluate(expr, context) {
            // `Mode::A` says which it is, and no size.
            Ok(Value::Number(_)) if self.is_enumerator(path, context) => return true,
            Ok(Value::Number(_) | Value::Tuple(_) | Value::Layout(_)) => return false,
            Ok(value) if layout_of(&value).is_some() => return false,
            _ => {}
        }
        // An object of which some parts are known.
        if self.evaluator.has_parts(expr, context) {
            return false;
        }
        let [_] = path.segments.as_slice() else { return !self.given };
        let declared = (Looker { program: self.program, evaluator: &mut *self.evaluator }).local(last.name, context);
        let Some((decl, inside)) = declared else {
            // A macro may stand for anything.
            let unit = self.program.unit(context.unit);
            let file = self.program.sources().get(unit.file).map_or("", |source| source.text.as_str());
            return !self.given && !defines_macro(file, name);
        };
        let of = self.program.decl(decl);
        let said = self.program.text(Site { unit: decl.unit, span: of.span });
        if self.is_parameter(decl) {
            return (said.contains('*') && !self.of_threads()) || !self.given;
        }
        if self.is_status(name, said) {
            return true;
        }
        if !self.of_threads() && self.is_pointer(decl, depth) {
            return true;
        }
        let settled = self.is_settled(decl);
        match of.kind {
            DeclKind::Variable { init: Some(init), .. } if settled => self.is_apart(init, &inside, depth),
            _ => false,
        }
    }

    /// Whether a variable is a pointer, as far as its declaration says: `float* p = …`, `auto p = a;` of a parameter that is one.
    // Recursion: as deep as `depth`.
    fn is_pointer(&mut self, decl: DeclRef, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let of = self.program.decl(decl);
        if self.program.before_name(decl).contains('*') {
            return true;
        }
        let DeclKind::Variable { init: Some(init), .. } = of.kind else { return false };
        let inside = Context { unit: decl.unit, scope: of.inside, env: None };
        match self.program.unit(decl.unit).expr(init) {
            Expr::Path(path) => match path.segments.as_slice() {
                [only] => {
                    let looker = Looker { program: self.program, evaluator: &mut *self.evaluator };
                    let found = looker.local(only.name, &inside);
                    found.is_some_and(|(decl, _)| self.is_pointer(decl, depth))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a variable only says whether functions of CUDA worked.
    fn is_status(&self, name: &str, declaration: &str) -> bool {
        let from_cuda = |value: &str| is_of_cuda(value.trim_start().trim_start_matches("::"));
        let typed = STATUS.iter().any(|ty| places(declaration, ty).next().is_some());
        typed
            && places(self.text, name).all(|at| {
                let after = self.text.get(at + name.len()..).unwrap_or_default().trim_start();
                let before = self.text.get(..at).unwrap_or_default().trim_end();
                let value = after.strip_prefix('=').filter(|rest| !rest.starts_with('='));
                !before.ends_with('&')
                    && value.is_none_or(|value| {
                        // An error that the function makes up itself says something else.
                        let word = value.trim_start().trim_start_matches("::");
                        let length = word.bytes().take_while(|byte| crate::source::is_identifier(*byte)).count();
                        let (word, rest) = word.split_at_checked(length).unwrap_or_default();
                        from_cuda(word) && (rest.trim_start().starts_with('(') || word == "cudaSuccess")
                    })
            })
    }

    /// Whether a condition compares the block with how many there are: some block gets there.
    pub(super) fn by_block(&self, expr: ExprId, said: &str, context: &Context<'a>) -> bool {
        let compares =
            matches!(self.program.unit(context.unit).expr(expr), Expr::Binary(Op::Lt | Op::Le | Op::Gt | Op::Ge, _, _));
        compares && places(said, "blockIdx").next().is_some() && compares_plainly(said)
    }

    /// Whether a condition lets all threads through that must get there: `threadIdx.x < size(copy)`.
    fn by_threads(&mut self, expr: ExprId, holds: Option<bool>, context: &Context<'a>) -> bool {
        let (Some(threads), Some(holds)) = (self.ask.threads, holds) else { return false };
        let Expr::Binary(op, index, bound) = self.program.unit(context.unit).expr(expr) else { return false };
        if !matches!((op, holds), (Op::Lt, true) | (Op::Ge, false)) {
            return false;
        }
        let mut looker = Looker { program: self.program, evaluator: &mut *self.evaluator };
        looker.is_thread(*index, self.ask.function.span, context)
            && matches!(self.evaluator.evaluate(*bound, context), Ok(Value::Number(number)) if number.value >= i128::from(threads))
    }

    /// Whether a loop counts to a number, and does not ask how numbers divide.
    pub(super) fn counts_up(&mut self, expr: ExprId, context: &Context<'a>) -> bool {
        let unit = self.program.unit(context.unit);
        let span = unit.span(expr);
        let said = self.program.text(Site { unit: context.unit, span });
        // That of `k < size<2>(a) - 1` as one, and as a cast.
        if let Some((mode, name, less)) = less_than_mode(said) {
            let at = |at: usize| span.start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
            let name = Span { start: at(name.start), end: at(name.end) };
            let mut looker = Looker { program: self.program, evaluator: &mut *self.evaluator };
            let Some((decl, inside)) = looker.local(name, context) else { return false };
            let none = looker.partitioned_mode(name, mode, context).is_some_and(|size| size <= less);
            return !none && self.is_variable_a_count(decl, &inside, MAX_DEPTH);
        }
        // The brackets of `k < size<2>(a)` may read as comparisons.
        let mut open = vec![expr];
        let mut compares = false;
        while let Some(expr) = open.pop() {
            let Some(left) = self.left.checked_sub(1) else { return false };
            self.left = left;
            match unit.expr(expr) {
                Expr::Binary(op @ (Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Ne), a, b) => {
                    // The prologue of a pipeline of one stage has no round.
                    if *op == Op::Lt && self.stages(*b, context, MAX_DEPTH).is_some_and(|rounds| rounds < 1) {
                        return false;
                    }
                    compares = true;
                    open.extend([*a, *b]);
                }
                _ if !self.is_count(expr, context, MAX_DEPTH) => return false,
                _ => {}
            }
        }
        compares
    }

    /// The number that a loop counts to, also by the stages of a tensor that is partitioned: `size<3>(tAsA) - 1`.
    // Recursion: through sums and variables, as deep as `depth`.
    fn stages(&mut self, expr: ExprId, context: &Context<'a>, depth: usize) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        self.left = self.left.checked_sub(1)?;
        if let Ok(Value::Number(number)) = self.evaluator.evaluate(expr, context) {
            return Some(number.value);
        }
        match self.program.unit(context.unit).expr(expr) {
            Expr::Binary(Op::Sub, a, b) => {
                self.stages(*a, context, depth)?.checked_sub(self.stages(*b, context, depth)?)
            }
            Expr::Path(path) => {
                let [only] = path.segments.as_slice() else { return None };
                let looker = Looker { program: self.program, evaluator: &mut *self.evaluator };
                let (decl, inside) = looker.local(only.name, context)?;
                let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return None };
                if self.is_counter(decl) || !self.is_settled(decl) {
                    return None;
                }
                self.stages(init, &inside, depth)
            }
            Expr::Call(callee, args) => {
                let [of] = args.as_slice() else { return None };
                let part = self.program.unit(context.unit).span(*of);
                let mut looker = Looker { program: self.program, evaluator: &mut *self.evaluator };
                let said = looker.said(context, *callee).trim_start_matches("cute::");
                let mode: usize = said.strip_prefix("size<")?.strip_suffix('>')?.trim().parse().ok()?;
                looker.partitioned_mode(part, mode, context).map(i128::from)
            }
            _ => None,
        }
    }

    fn is_count(&mut self, expr: ExprId, context: &Context<'a>, depth: usize) -> bool {
        let (Some(left), Some(depth)) = (self.left.checked_sub(1), depth.checked_sub(1)) else { return false };
        self.left = left;
        let unit = self.program.unit(context.unit);
        match unit.expr(expr) {
            Expr::Number(_) | Expr::Sizeof(_) => true,
            Expr::Path(path) => {
                let [only] = path.segments.as_slice() else { return true };
                let looker = Looker { program: self.program, evaluator: &mut *self.evaluator };
                let Some((decl, inside)) = looker.local(only.name, context) else {
                    let unit = self.program.unit(context.unit);
                    let file = self.program.sources().get(unit.file).map_or("", |source| source.text.as_str());
                    return !defines_macro(file, self.program.text(Site { unit: context.unit, span: only.name }));
                };
                self.is_variable_a_count(decl, &inside, depth)
            }
            Expr::Member(of, _) => self.is_count(*of, context, depth),
            Expr::Call(callee, args) => {
                let said = self.program.text(Site { unit: context.unit, span: unit.span(*callee) });
                let name = said.split('<').next().unwrap_or_default().rsplit(['.', ':']).next().unwrap_or_default();
                // A layout of constants asks for nothing.
                if matches!(name, "composition" | "tile_to_shape") {
                    return self.evaluator.evaluate(expr, context).is_ok_and(|value| in_memory(&value).is_some());
                }
                let counts =
                    COUNTS.contains(&name) || ["make_", "partition_"].iter().any(|head| name.starts_with(head));
                // Where a tensor lies does not say how large it is.
                let args = args.get(usize::from(name == "make_tensor")..).unwrap_or_default();
                counts && args.iter().all(|arg| self.is_count(*arg, context, depth))
            }
            Expr::Construct(_, args) => args.iter().all(|arg| self.is_count(*arg, context, depth)),
            Expr::Binary(Op::Add | Op::Sub | Op::Mul | Op::Div, a, b) => {
                self.is_count(*a, context, depth) && self.is_count(*b, context, depth)
            }
            _ => false,
        }
    }

    fn is_variable_a_count(&mut self, decl: DeclRef, inside: &Context<'a>, depth: usize) -> bool {
        let of = self.program.decl(decl);
        match of.kind {
            DeclKind::Variable { init: Some(init), .. } => {
                let made = matches!(self.program.unit(decl.unit).expr(init), Expr::Call(..) | Expr::Construct(..));
                // What changes elsewhere may count to nothing.
                (made || self.is_counter(decl) || self.is_settled(decl)) && self.is_count(init, inside, depth)
            }
            DeclKind::Variable { init: None, .. } => self.is_parameter(decl),
            _ => false,
        }
    }

    /// Whether a variable is declared in the head of a loop.
    pub(super) fn is_counter(&self, decl: DeclRef) -> bool {
        let start = self.program.decl(decl).span.start;
        let span = Span { start: self.ask.function.span.start.min(start), end: start };
        self.program.text(Site { unit: decl.unit, span }).trim_end().ends_with('(')
    }

    pub(super) fn is_parameter(&self, decl: DeclRef) -> bool {
        let of = self.program.decl(decl);
        let home = self.program.body_of(decl.unit, of.home);
        home.is_some_and(|body| self.program.body(body).params.iter().any(|param| param.name == of.name))
    }

    /// Whether nothing in the function changes a variable.
    pub(super) fn is_settled(&self, decl: DeclRef) -> bool {
        self.program.keeps(self.text, self.ask.function, decl)
    }
}

#[cfg(test)]
mod tests {
    use super::less_than_mode;

    #[test]
    fn bounds_that_read_as_casts() {
        let said = "pipe < cute::size<3>(tAsA) - 1";
        assert_eq!(less_than_mode(said), Some((3, 21..25, 1)));
        for said in ["pipe < size<3>(tAsA)", "pipe < size<3>(f(a)) - 1", "pipe < size<3>(a) - n", "pipe < 3 - 1", "a"] {
            assert_eq!(less_than_mode(said), None, "{said}");
        }
    }
}
