//! Evaluating expressions and declarations.

use std::collections::HashMap;
use std::rc::Rc;

use razorgirl::{IntTuple, MAX_DEPTH as MAX_NESTING};

use super::program::{DeclRef, Program};
use super::reason::{Reason, Resolved, Unresolved};
use super::value::{Bindings, Constant, Frame, Leaf, Number, Numbers, Order, Tuple, Value};
use crate::ast::{DeclKind, Expr, ExprId, Op, Param, ScopeId, ScopeKind, Site, Span};

/// How deeply evaluation recurses.
pub(super) const MAX_DEPTH: usize = 96;

/// Expressions and declarations that one question may touch.
const MAX_STEPS: usize = 20_000;

/// Numbers in one tuple.
const MAX_LEAVES: usize = 1024;

/// Declarations of one name that are compared with each other.
const MAX_CANDIDATES: usize = 16;

/// Where an expression is evaluated.
#[derive(Debug, Clone)]
pub struct Context<'a> {
    /// The unit that the expression is in.
    pub unit: u32,
    /// The scope in which its names are looked up.
    pub scope: ScopeId,
    /// Template parameters that have values.
    pub env: Bindings<'a>,
}

#[derive(Debug)]
enum Memo<'a> {
    Running,
    Done(Resolved<Value<'a>>),
}

/// What has been evaluated so far.
#[derive(Debug)]
pub struct Evaluator<'a> {
    /// The names of all files.
    pub program: &'a Program<'a>,
    pub(super) steps: usize,
    pub(super) depth: usize,
    pub(super) indexing: usize,
    memo: HashMap<(DeclRef, Vec<i128>), Memo<'a>>,
    pub(super) specializations: HashMap<(DeclRef, usize, u64), Rc<super::specialize::Index<'a>>>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that knows nothing yet.
    pub fn new(program: &'a Program<'a>) -> Self {
        Self { program, steps: 0, depth: 0, indexing: 0, memo: HashMap::new(), specializations: HashMap::new() }
    }

    /// Evaluates an expression from outside: with all its steps.
    ///
    /// # Errors
    /// Why it is not a constant, and what stopped it.
    pub fn evaluate(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Value<'a>> {
        self.begin();
        self.eval(expr, context)
    }

    pub(super) fn begin(&mut self) {
        self.steps = 0;
        self.depth = 0;
    }

    pub(super) fn site(context: &Context<'a>, span: Span) -> Site {
        Site { unit: context.unit, span }
    }

    pub(super) fn eval(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Value<'a>> {
        let site = Self::site(context, self.program.unit(context.unit).span(expr));
        self.steps += 1;
        if self.depth >= MAX_DEPTH || self.steps > MAX_STEPS {
            return Err(Unresolved { reason: Reason::TooDeep, site });
        }
        self.depth += 1;
        let value = self.eval_at(expr, site, context);
        self.depth -= 1;
        value
    }

    fn eval_at(&mut self, expr: ExprId, site: Site, context: &Context<'a>) -> Resolved<Value<'a>> {
        let fail = |reason| Err(Unresolved { reason, site });
        match self.program.unit(context.unit).expr(expr) {
            Expr::Number(Some(value)) => Ok(Value::Number(Number { value: *value, site, literal: true, fixed: false })),
            Expr::Number(None) | Expr::Opaque => fail(Reason::Expression),
            Expr::Broken => fail(Reason::Syntax),
            Expr::Path(path) => self.eval_path(path, site, context),
            Expr::Call(callee, args) => self.eval_call(*callee, args, site, context),
            Expr::Construct(ty, args) => self.eval_construct(*ty, args, site, context),
            Expr::Member(object, name) => {
                let object = self.eval(*object, context)?;
                let name = self.program.text(Self::site(context, name.name));
                Self::member_of(&object, name, site)
            }
            Expr::Unary(op, of) => {
                let of = self.number(*of, context)?;
                let value = match op {
                    Op::Sub => of.value.checked_neg(),
                    Op::Not => Some(i128::from(of.value == 0)),
                    Op::Complement => Some(!of.value),
                    _ => Some(of.value),
                };
                let value = value.ok_or(Unresolved { reason: Reason::Overflow, site })?;
                Ok(Value::Number(Number { value, site, literal: false, fixed: of.fixed }))
            }
            Expr::Binary(op, left, right) => {
                let left = self.number(*left, context)?;
                let right = self.number(*right, context)?;
                let value = arithmetic(*op, left.value, right.value).map_err(|reason| Unresolved { reason, site })?;
                Ok(Value::Number(Number { value, site, literal: false, fixed: left.fixed && right.fixed }))
            }
            Expr::Conditional(test, yes, no) => {
                let chosen = if self.number(*test, context)?.value == 0 { no } else { yes };
                self.eval(*chosen, context)
            }
            Expr::Pack(of) => self.eval(*of, context),
        }
    }

    /// The values of template or call arguments; packs are spread. What cannot be evaluated stays as it is: an unknown type is
    /// no obstacle until a number is wanted of it.
    pub(super) fn arguments(&mut self, args: &[ExprId], context: &Context<'a>) -> Vec<Value<'a>> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            match self.eval(*arg, context) {
                Ok(Value::Pack(pack)) => values.extend(pack.iter().cloned()),
                Ok(value) => values.push(value),
                Err(why) => values.push(Value::Opaque(why)),
            }
        }
        values
    }

    fn number(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Number> {
        let value = self.eval(expr, context)?;
        let site = Self::site(context, self.program.unit(context.unit).span(expr));
        as_number(&value, site)
    }

    /// `T{…}` and `T(…)`: for the types known here, the type says everything.
    pub(super) fn eval_construct(
        &mut self,
        ty: ExprId,
        args: &[ExprId],
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        if let (Expr::Path(path), [only]) = (self.program.unit(context.unit).expr(ty), args)
            && let [segment] = path.segments.as_slice()
            && super::builtin::is_integer_type(self.program.text(Self::site(context, segment.name)))
        {
            return self.eval(*only, context);
        }
        match self.eval(ty, context)? {
            Value::Named(named) if !args.is_empty() && named.class.is_none() => {
                Err(Unresolved { reason: Reason::Call, site })
            }
            // `_4{}` is the token, so that a fix keeps the braces.
            Value::Number(number)
                if number.literal && site.unit == number.site.unit && site.span.contains(number.site.span) =>
            {
                Ok(Value::Number(Number { site, ..number }))
            }
            value => Ok(value),
        }
    }

    /// The value of a name that may have been declared several times.
    pub(super) fn declared(
        &mut self,
        candidates: &[DeclRef],
        args: Option<&[Value<'a>]>,
        env: &Bindings<'a>,
        site: Site,
    ) -> Resolved<Value<'a>> {
        if candidates.iter().any(|decl| matches!(self.program.decl(*decl).kind, DeclKind::Class { .. })) {
            return self.class(candidates, args, env, site);
        }
        if candidates.len() > MAX_CANDIDATES {
            return Err(Unresolved { reason: Reason::Ambiguous, site });
        }
        let Some((first, others)) = candidates.split_first() else {
            return Err(Unresolved { reason: Reason::UnknownName, site });
        };
        let value = self.declaration(*first, args, env, site);
        for other in others {
            let same = match (&value, self.declaration(*other, args, env, site)) {
                (Ok(a), Ok(b)) => super::specialize::same(a, &b),
                (Err(a), Err(b)) => a.reason == b.reason,
                _ => false,
            };
            if !same {
                return Err(Unresolved { reason: Reason::Ambiguous, site });
            }
        }
        value
    }

    /// The value of an alias or variable.
    fn declaration(
        &mut self,
        decl: DeclRef,
        args: Option<&[Value<'a>]>,
        env: &Bindings<'a>,
        site: Site,
    ) -> Resolved<Value<'a>> {
        let key = memo_key(args, env);
        if let Some(key) = &key {
            match self.memo.get(&(decl, key.clone())) {
                // `using a::b;` where a has no b that is known: the name found is the declaration itself.
                Some(Memo::Running) if matches!(self.program.decl(decl).kind, DeclKind::Renames(_)) => {
                    return Err(Unresolved { reason: Reason::UnknownName, site });
                }
                Some(Memo::Running) => return Err(Unresolved { reason: Reason::TooDeep, site }),
                Some(Memo::Done(value)) => return value.clone(),
                None => {}
            }
            self.memo.insert((decl, key.clone()), Memo::Running);
        }
        let before = self.steps;
        let value = self.declaration_afresh(decl, args, env, site);
        if let Some(key) = key {
            // Running out of steps says something about who asked, not about the declaration.
            let exhausted = matches!(value, Err(Unresolved { reason: Reason::TooDeep, .. })) && before > 0;
            if exhausted && (self.steps > MAX_STEPS || self.depth + 1 >= MAX_DEPTH) {
                self.memo.remove(&(decl, key));
            } else {
                self.memo.insert((decl, key), Memo::Done(value.clone()));
            }
        }
        value
    }

    fn declaration_afresh(
        &mut self,
        decl: DeclRef,
        args: Option<&[Value<'a>]>,
        env: &Bindings<'a>,
        site: Site,
    ) -> Resolved<Value<'a>> {
        let of = self.program.decl(decl);
        let env = if of.templated { self.bind(decl, args.unwrap_or_default(), env) } else { env.clone() };
        let context = Context { unit: decl.unit, scope: of.inside, env };
        match &of.kind {
            DeclKind::Alias(value) => self.eval(*value, &context),
            DeclKind::RunTime => Err(Unresolved { reason: Reason::RunTime, site }),
            DeclKind::Renames(path) => self.eval_path(path, Self::site(&context, of.span), &context),
            DeclKind::Class { .. } => Err(Unresolved { reason: Reason::NotNumeric, site }),
            DeclKind::Variable { ty, init, constant } => {
                if let Some(ty) = ty {
                    match self.eval(*ty, &context) {
                        Ok(Value::Named(_) | Value::Opaque(_) | Value::Order(_)) => {}
                        Ok(Value::Param(..)) if init.is_some() && *constant => {}
                        other => return other,
                    }
                }
                let Some(init) = init else { return Err(Unresolved { reason: Reason::RunTime, site }) };
                match self.eval(*init, &context)? {
                    Value::Number(number) if !constant && !number.fixed => {
                        Err(Unresolved { reason: Reason::RunTime, site })
                    }
                    Value::Number(number) => {
                        let literal = number.literal && number.site.unit == site.unit;
                        Ok(Value::Number(Number { literal: literal && number.fixed, ..number }))
                    }
                    value => Ok(value),
                }
            }
        }
    }

    /// The parameters of a template with these arguments.
    pub(super) fn bind(&mut self, decl: DeclRef, args: &[Value<'a>], outer: &Bindings<'a>) -> Bindings<'a> {
        let inside = self.program.decl(decl).inside;
        let ScopeKind::Template(params) = &self.program.unit(decl.unit).scope(inside).kind else {
            return outer.clone();
        };
        let params: &'a [Param] = params;
        let mut frame =
            Frame { key: (decl.unit, inside), values: Vec::with_capacity(params.len()), outer: outer.clone() };
        for (index, param) in params.iter().enumerate() {
            let site = Site { unit: decl.unit, span: param.name };
            let value = if param.pack {
                Value::Pack(Rc::new(args.get(index..).unwrap_or_default().to_vec()))
            } else if let Some(value) = args.get(index) {
                value.clone()
            } else if let Some(default) = param.default {
                let known = Frame { key: frame.key, values: frame.values.clone(), outer: frame.outer.clone() };
                let context = Context { unit: decl.unit, scope: inside, env: Some(Rc::new(known)) };
                self.eval(default, &context).unwrap_or_else(Value::Opaque)
            } else {
                Value::Param(self.program.text(site), site)
            };
            frame.values.push(value);
        }
        Some(Rc::new(frame))
    }

    /// A tuple of values.
    pub(super) fn tuple(items: Vec<Value<'a>>, site: Site) -> Resolved<Value<'a>> {
        let mut leaves = 0_usize;
        let mut depth = 0;
        for item in &items {
            let (more, deeper) = match item {
                Value::Tuple(tuple) => (tuple.leaves, tuple.depth),
                _ => (1, 0),
            };
            leaves = leaves.saturating_add(more);
            depth = depth.max(deeper);
        }
        if leaves > MAX_LEAVES {
            return Err(Unresolved { reason: Reason::TooLarge, site });
        }
        if depth + 1 >= MAX_NESTING {
            return Err(Unresolved { reason: Reason::TooDeep, site });
        }
        let dependent = items.iter().any(Value::is_dependent);
        Ok(Value::Tuple(Rc::new(Tuple { items, site, leaves, depth: depth + 1, dependent })))
    }

    /// A layout of a shape and perhaps a stride.
    pub(super) fn layout(shape: &Value<'a>, stride: Option<&Value<'a>>, site: Site) -> Resolved<Value<'a>> {
        let shape = numbers(shape, site)?;
        if shape.tuple.leaves().contains(&0) {
            return Err(Unresolved { reason: Reason::ZeroExtent, site: shape.site });
        }
        let implied = |order| {
            let tuple = compact(&shape.tuple, order).ok_or(Unresolved { reason: Reason::Overflow, site })?;
            Ok(Numbers { tuple, leaves: shape.leaves.clone(), site: shape.site })
        };
        let (stride, explicit) = match stride {
            None => (implied(Order::Left)?, false),
            Some(Value::Order(order)) => (implied(*order)?, false),
            Some(stride) => (numbers(stride, site)?, true),
        };
        Ok(Value::Layout(Rc::new(Constant { shape, stride, explicit, site })))
    }
}

/// A key under which a result can be remembered: arguments that are plain numbers, and no template around.
fn memo_key(args: Option<&[Value<'_>]>, env: &Bindings<'_>) -> Option<Vec<i128>> {
    if env.is_some() {
        return None;
    }
    let Some(args) = args else { return Some(Vec::new()) };
    // Leaves remember where they were written, so results for arguments written elsewhere are not quite the same; but an
    // argument is never a literal of the layout's own text, and only those are pointed at.
    args.iter().map(|arg| if let Value::Number(number) = arg { Some(number.value) } else { None }).collect()
}

/// The number that a value is.
pub(super) fn as_number(value: &Value<'_>, site: Site) -> Resolved<Number> {
    match value {
        Value::Number(number) => Ok(*number),
        other => Err(not_numeric(other, site)),
    }
}

/// Why a value is no number or tuple of numbers.
fn not_numeric(value: &Value<'_>, site: Site) -> Unresolved {
    match value {
        Value::Param(_, site) => Unresolved { reason: Reason::Dependent, site: *site },
        Value::Opaque(why) => *why,
        Value::Named(named) if named.dependent => Unresolved { reason: Reason::Dependent, site: named.site },
        Value::Named(named) if super::builtin::is_integer_type(named.name()) => {
            Unresolved { reason: Reason::RunTime, site: named.site }
        }
        Value::Named(named) if named.class.is_none() => Unresolved { reason: Reason::UnknownName, site: named.site },
        Value::Pack(_) => Unresolved { reason: Reason::Dependent, site },
        _ => Unresolved { reason: Reason::NotNumeric, site },
    }
}

/// A value as a shape or stride.
fn numbers(value: &Value<'_>, site: Site) -> Resolved<Numbers> {
    let mut leaves = Vec::new();
    let (tuple, own) = collect(value, site, &mut leaves)?;
    Ok(Numbers { tuple, leaves, site: own })
}

fn collect(value: &Value<'_>, site: Site, leaves: &mut Vec<Leaf>) -> Resolved<(IntTuple, Site)> {
    match value {
        Value::Number(number) => {
            if number.value < 0 {
                return Err(Unresolved { reason: Reason::Negative, site: number.site });
            }
            let value =
                u64::try_from(number.value).map_err(|_| Unresolved { reason: Reason::Overflow, site: number.site })?;
            leaves.push(Leaf { site: number.site, literal: number.literal });
            Ok((IntTuple::leaf(value), number.site))
        }
        Value::Tuple(tuple) => {
            let mut modes = Vec::with_capacity(tuple.items.len());
            for item in &tuple.items {
                modes.push(collect(item, tuple.site, leaves)?.0);
            }
            let deep = Unresolved { reason: Reason::TooDeep, site: tuple.site };
            Ok((IntTuple::tuple(&modes).map_err(|_| deep)?, tuple.site))
        }
        other => Err(not_numeric(other, site)),
    }
}

/// The strides of a compact layout of this shape; `None` when one is 2^64 or more.
fn compact(shape: &IntTuple, order: Order) -> Option<IntTuple> {
    let extents = shape.leaves();
    let mut strides = vec![0_u64; extents.len()];
    let mut next = Some(1_u64);
    let mut put = |index: usize| {
        // A stride under an extent of 1 never matters, and CuTe makes it 0.
        let extent = *extents.get(index)?;
        *strides.get_mut(index)? = if extent == 1 { 0 } else { next? };
        next = next.and_then(|next| next.checked_mul(extent));
        Some(())
    };
    match order {
        Order::Left => (0..extents.len()).try_for_each(&mut put)?,
        Order::Right => (0..extents.len()).rev().try_for_each(&mut put)?,
    }
    IntTuple::nested(&strides, shape.profile()).ok()
}

fn arithmetic(op: Op, left: i128, right: i128) -> Result<i128, Reason> {
    let shift = || u32::try_from(right).ok().filter(|by| *by < 127).ok_or(Reason::Overflow);
    let value = match op {
        Op::Add => left.checked_add(right),
        Op::Sub => left.checked_sub(right),
        Op::Mul => left.checked_mul(right),
        Op::Div | Op::Rem if right == 0 => return Err(Reason::Expression),
        Op::Div => left.checked_div(right),
        Op::Rem => left.checked_rem(right),
        Op::Shl => left.checked_mul(1_i128 << shift()?),
        Op::Shr => Some(left >> shift()?),
        Op::And => Some(left & right),
        Op::Or => Some(left | right),
        Op::Xor => Some(left ^ right),
        Op::LogicalAnd => Some(i128::from(left != 0 && right != 0)),
        Op::LogicalOr => Some(i128::from(left != 0 || right != 0)),
        Op::Eq => Some(i128::from(left == right)),
        Op::Ne => Some(i128::from(left != right)),
        Op::Lt => Some(i128::from(left < right)),
        Op::Le => Some(i128::from(left <= right)),
        Op::Gt => Some(i128::from(left > right)),
        Op::Ge => Some(i128::from(left >= right)),
        Op::Not | Op::Complement => None,
    };
    value.ok_or(Reason::Overflow)
}
