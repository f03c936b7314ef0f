//! Functions that change their variables, run statement by statement: integers only, and no more turns than are allowed. What has no
//! variable of the function in it is evaluated as everywhere.

use std::cell::Cell;
use std::ops::ControlFlow;

use super::{Context, Evaluator};
use crate::ast::{Expr, ExprId, Op, Site, Span, Step};
use crate::eval::constants::{arithmetic, as_number, cast, is_integer_type};
use crate::eval::reason::{Reason, Resolved, Unresolved};
use crate::eval::value::{Number, Value};

/// Statements that one call runs.
const MAX_TURNS: usize = 4_096;

/// How deeply an expression of variables nests.
const MAX_DEPTH: usize = 32;

/// A variable: its name, the type as written, and its value once it has one.
struct Variable<'a> {
    name: &'a str,
    word: &'a str,
    value: Option<i128>,
}

/// How a statement ends, if it does not go on with the next.
enum End {
    Return(i128),
    Break,
    Continue,
}

/// A call that is being run.
pub(super) struct Run<'a> {
    variables: Vec<Variable<'a>>,
    turns: usize,
    /// Whether nothing that was met is perhaps unsigned: arithmetic that leaves the numbers common to all types is not run.
    signed: Cell<bool>,
    unknown: Unresolved,
}

/// A type that is a word without `const` and `std::`.
fn word(text: &str) -> &str {
    let text = text.trim().trim_start_matches("const ").trim_start_matches("constexpr ").trim();
    match text.trim_start_matches("std::") {
        "unsigned int" => "unsigned",
        "long long" | "long int" => "long",
        "unsigned long" | "unsigned long long" => "uint64_t",
        other => other,
    }
}

impl<'a> Run<'a> {
    /// A call with these arguments, each with its name and type.
    pub(super) fn new(arguments: impl Iterator<Item = (&'a str, &'a str, Value<'a>)>, site: Site) -> Resolved<Self> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let mut run = Self { variables: Vec::new(), turns: MAX_TURNS, signed: Cell::new(true), unknown };
        for (name, ty, value) in arguments {
            run.declare(name, word(ty), Some(as_number(&value, site)?.value))?;
        }
        Ok(run)
    }

    fn declare(&mut self, name: &'a str, word: &'a str, value: Option<i128>) -> Resolved<()> {
        if !(is_integer_type(word) || word == "auto" && value.is_some()) {
            return Err(self.unknown);
        }
        if !matches!(word, "int" | "int32_t" | "long" | "int64_t" | "auto") {
            self.signed.set(false);
        }
        self.variables.push(Variable { name, word, value: None });
        match value {
            Some(value) => self.set(name, value),
            None => Ok(()),
        }
    }

    fn set(&mut self, name: &str, value: i128) -> Resolved<()> {
        let unknown = self.unknown;
        let variable = self.variables.iter_mut().rev().find(|variable| variable.name == name).ok_or(unknown)?;
        let number = Value::Number(Number::of(value, unknown.site, false));
        variable.value = Some(as_number(&cast(number, variable.word, unknown.site)?, unknown.site)?.value);
        Ok(())
    }

    fn named(&self, name: &str) -> Option<&Variable<'a>> {
        self.variables.iter().rev().find(|variable| variable.name == name)
    }

    /// A result that is the same whichever of C++'s types the numbers have.
    fn common(&self, value: i128) -> Resolved<i128> {
        let least = if self.signed.get() { -(1 << 31) } else { 0 };
        if (least..1 << 31).contains(&value) { Ok(value) } else { Err(self.unknown) }
    }
}

impl<'a> Evaluator<'a> {
    /// What a function returns.
    pub(super) fn run_steps(&mut self, steps: &'a [Step], mut run: Run<'a>, context: &Context<'a>) -> Resolved<i128> {
        match self.steps(steps, &mut run, context)? {
            ControlFlow::Break(End::Return(value)) => Ok(value),
            _ => Err(run.unknown),
        }
    }

    // Recursion: as deeply as the statements of one function nest, which is bounded where they are read.
    fn steps(&mut self, steps: &'a [Step], run: &mut Run<'a>, context: &Context<'a>) -> Resolved<ControlFlow<End>> {
        let outer = run.variables.len();
        let mut end = ControlFlow::Continue(());
        for step in steps {
            run.turns = run.turns.checked_sub(1).ok_or(Unresolved { reason: Reason::Work, ..run.unknown })?;
            end = self.step(step, run, context)?;
            if end.is_break() {
                break;
            }
        }
        run.variables.truncate(outer);
        Ok(end)
    }

    fn step(&mut self, step: &'a Step, run: &mut Run<'a>, context: &Context<'a>) -> Resolved<ControlFlow<End>> {
        let text = |evaluator: &Self, span: Span| evaluator.program.text(Self::site(context, span));
        match step {
            Step::Block(steps) => return self.steps(steps, run, context),
            Step::Declare { name, word: ty, value } => {
                let value = match value {
                    Some(value) => Some(self.of_variables(*value, run, context, 0)?),
                    None => None,
                };
                run.declare(text(self, *name), word(text(self, *ty)), value)?;
            }
            Step::Assign { name, op, value } => {
                let name = text(self, *name);
                let value = match value {
                    Some(value) => self.of_variables(*value, run, context, 0)?,
                    None => 1,
                };
                let value = match op {
                    None => value,
                    Some(op) => {
                        let before = run.named(name).and_then(|variable| variable.value).ok_or(run.unknown)?;
                        let result = arithmetic(*op, before, value);
                        run.common(result.map_err(|reason| Unresolved { reason, ..run.unknown })?)?
                    }
                };
                run.set(name, value)?;
            }
            Step::Branch { test, yes, no } => {
                let taken = if self.of_variables(*test, run, context, 0)? == 0 { no } else { yes };
                return self.steps(taken, run, context);
            }
            Step::Loop { test, body, after } => loop {
                run.turns = run.turns.checked_sub(1).ok_or(Unresolved { reason: Reason::Work, ..run.unknown })?;
                if let Some(test) = test
                    && self.of_variables(*test, run, context, 0)? == 0
                {
                    break;
                }
                match self.steps(body, run, context)? {
                    ControlFlow::Break(End::Break) => break,
                    ControlFlow::Break(End::Return(value)) => return Ok(ControlFlow::Break(End::Return(value))),
                    ControlFlow::Break(End::Continue) | ControlFlow::Continue(()) => {}
                }
                if self.steps(after, run, context)?.is_break() {
                    return Err(run.unknown);
                }
            },
            Step::Return(value) => {
                return Ok(ControlFlow::Break(End::Return(self.of_variables(*value, run, context, 0)?)));
            }
            Step::Break => return Ok(ControlFlow::Break(End::Break)),
            Step::Continue => return Ok(ControlFlow::Break(End::Continue)),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The value of an expression in which variables of the function stand.
    // Recursion: to a fixed depth.
    fn of_variables(&mut self, expr: ExprId, run: &Run<'a>, context: &Context<'a>, depth: usize) -> Resolved<i128> {
        self.steps += 1;
        if depth > MAX_DEPTH {
            return Err(Unresolved { reason: Reason::TooDeep, ..run.unknown });
        }
        if !self.mentions(expr, run, context, 0) {
            let value = self.number(expr, context)?.value;
            let text = self.program.text(Self::site(context, self.program.unit(context.unit).span(expr)));
            if !text.bytes().all(|byte| byte.is_ascii_digit()) {
                run.signed.set(false);
            }
            return run.common(value);
        }
        let unit = self.program.unit(context.unit);
        let program = self.program;
        let mut of = |expr: ExprId| self.of_variables(expr, run, context, depth + 1);
        let value = match unit.expr(expr) {
            Expr::Path(path) => {
                let [only] = path.segments.as_slice() else { return Err(run.unknown) };
                let name = program.text(Self::site(context, only.name));
                run.named(name).and_then(|variable| variable.value).ok_or(run.unknown)?
            }
            Expr::Unary(op, value) => {
                let value = of(*value)?;
                match op {
                    Op::Sub => -value,
                    Op::Not => i128::from(value == 0),
                    Op::Add => value,
                    _ => return Err(run.unknown),
                }
            }
            Expr::Binary(Op::LogicalAnd, a, b) => i128::from(of(*a)? != 0 && of(*b)? != 0),
            Expr::Binary(Op::LogicalOr, a, b) => i128::from(of(*a)? != 0 || of(*b)? != 0),
            Expr::Binary(op, a, b) => {
                let (a, b) = (of(*a)?, of(*b)?);
                // The second may be unsigned, and make the first so.
                let (a, b) = (run.common(a)?, run.common(b)?);
                arithmetic(*op, a, b).map_err(|reason| Unresolved { reason, ..run.unknown })?
            }
            Expr::Conditional(test, yes, no) => {
                let taken = if of(*test)? == 0 { no } else { yes };
                of(*taken)?
            }
            Expr::Call(callee, args) => {
                let name = program.text(Self::site(context, unit.span(*callee)));
                let name = name.trim_start_matches("std::").trim_start_matches("cute::");
                match (name, args.as_slice()) {
                    ("min", [a, b]) => of(*a)?.min(of(*b)?),
                    ("max", [a, b]) => of(*a)?.max(of(*b)?),
                    _ => return Err(run.unknown),
                }
            }
            _ => return Err(run.unknown),
        };
        run.common(value)
    }

    /// Whether a variable of the function stands in an expression.
    // Recursion: to a fixed depth, below which it may.
    fn mentions(&self, expr: ExprId, run: &Run<'a>, context: &Context<'a>, depth: usize) -> bool {
        let in_any = |exprs: &[ExprId]| exprs.iter().any(|expr| self.mentions(*expr, run, context, depth + 1));
        depth > MAX_DEPTH
            || match self.program.unit(context.unit).expr(expr) {
                Expr::Number(_) => false,
                Expr::Broken | Expr::Opaque | Expr::List(_) | Expr::Designated(..) | Expr::Element(..) => true,
                Expr::Path(path) => path.segments.iter().any(|segment| {
                    run.named(self.program.text(Self::site(context, segment.name))).is_some()
                        || segment.args.as_deref().is_some_and(in_any)
                }),
                Expr::Call(callee, args) | Expr::Construct(callee, args) => in_any(&[*callee]) || in_any(args),
                Expr::Member(of, segment) => in_any(&[*of]) || segment.args.as_deref().is_some_and(in_any),
                Expr::Unary(_, of) | Expr::Pack(of) | Expr::Sizeof(of) => in_any(&[*of]),
                Expr::Binary(_, a, b) | Expr::Array(a, b) => in_any(&[*a, *b]),
                Expr::Conditional(a, b, c) => in_any(&[*a, *b, *c]),
            }
    }
}
