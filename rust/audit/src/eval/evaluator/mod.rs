//! Evaluating expressions and declarations. The evaluator is one thing in several files: expressions here, names in [`path`],
//! classes in [`class`], functions in [`call`]; [`objects`] knows CuTe's tensors and MMAs.

mod call;
mod class;
mod fields;
mod macros;
mod objects;
mod open;
mod own;
mod packs;
mod parts;
mod path;
mod pointers;
mod sides;
mod steps;
mod tensors;
mod traits;
mod virtuals;

pub use tensors::layout_of;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use foldhash::{HashMap, HashMapExt as _};
use std::rc::Rc;

use super::constants::{arithmetic, as_number, cast, is_integer_type};
use super::measure::Measure;
use super::program::{DeclRef, Namespace, Program};
use super::reason::{Reason, Resolved, Unresolved};
use super::specialize::{Index, same};
use super::swizzled::Swizzled;
use super::value::{Bindings, Frame, Named, Number, Value};
use super::{algebra, builtin, swizzled, tiled, tuples, whole};
use crate::ast::{DeclKind, Expr, ExprId, Op, Param, Path, ScopeId, ScopeKind, Segment, Site, Span};
use crate::source::places;
use crate::syntax::Code;

pub(super) use traits::bits_of as bits;

/// How deeply evaluation recurses.
const MAX_DEPTH: usize = 160;

/// Functions whose code is kept.
const MAX_CODED: usize = 64;

/// Expressions and declarations that one question may touch.
const MAX_STEPS: usize = 20_000;

/// Steps that all questions to one evaluator may take. Fifty megabytes of real sources take a hundredth of them.
const MAX_ALL_STEPS: usize = 400_000_000;

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
    /// What it came to, and whether declarations that differ were met.
    Done(Resolved<Value<'a>>, bool),
}

/// What has been evaluated so far.
#[derive(Debug)]
pub struct Evaluator<'a> {
    /// The names of all files.
    pub program: &'a Program<'a>,
    steps: usize,
    all_steps: usize,
    depth: usize,
    /// Whether this question has met one of the bounds.
    spent: bool,
    indexing: usize,
    /// Whether the arguments of a specialisation are evaluated, as patterns.
    pattern: bool,
    /// Functions that were called and not known.
    pub called: BTreeSet<&'a str>,
    /// Which of several declarations that differ is taken, as on one side of an `#if`; none without a choice.
    side: Option<usize>,
    /// How many there were, at most.
    pub sides: usize,
    /// Whether any were met since somebody last asked, and whether the last of them was taken without a choice.
    differs: Cell<bool>,
    unsure: Cell<bool>,
    /// Which are taken where each way to choose is gone through.
    choices: RefCell<Option<sides::Choices>>,
    /// The function whose variables count as constant where nothing changes them, and its code; none without one.
    settling: Option<(Site, Rc<Code>)>,
    /// The code of functions that were asked for.
    coded: HashMap<Site, Rc<Code>>,
    /// Which of its variables were looked at, and what was found.
    settled: HashMap<DeclRef, bool>,
    memo: HashMap<(DeclRef, Vec<i128>), Memo<'a>>,
    /// How often a declaration was asked for while it was worked out.
    circles: usize,
    /// What namespaces and those around them declare under names, by where that was asked for.
    spaces: HashMap<(&'a str, Namespace, u32), Rc<[DeclRef]>>,
    /// What namespaces alone declare.
    within: HashMap<(&'a str, Namespace, u32), Rc<[DeclRef]>>,
    /// The bases of classes whose template parameters have no values.
    bases: HashMap<DeclRef, Rc<[Value<'a>]>>,
    /// Whether all functions of a name in a class were read, as far as somebody found out.
    pub read: HashMap<(DeclRef, &'a str), bool>,
    /// Whether classes have a function `make_layout` of their own.
    hiding: HashMap<DeclRef, bool>,
    specializations: HashMap<(DeclRef, usize, u64), Rc<Index<'a>>>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that knows nothing yet.
    pub fn new(program: &'a Program<'a>) -> Self {
        Self {
            program,
            steps: 0,
            all_steps: 0,
            depth: 0,
            spent: false,
            indexing: 0,
            pattern: false,
            called: BTreeSet::new(),
            side: None,
            sides: 0,
            differs: Cell::new(false),
            unsure: Cell::new(false),
            choices: RefCell::new(None),
            settling: None,
            coded: HashMap::new(),
            settled: HashMap::new(),
            memo: HashMap::new(),
            circles: 0,
            spaces: HashMap::new(),
            within: HashMap::new(),
            bases: HashMap::new(),
            read: HashMap::new(),
            hiding: HashMap::new(),
            specializations: HashMap::new(),
        }
    }

    /// The same, but of several declarations in one place that differ, one is taken.
    #[must_use]
    pub fn taking(self, side: usize) -> Self {
        Self { side: Some(side), ..self }
    }

    /// From now on, variables of one function count as constant where nothing in it changes them; of none where there is no function.
    pub fn settle(&mut self, function: Option<Site>) {
        if self.settling.as_ref().map(|(site, _)| *site) != function {
            self.memo.clear();
            self.bases.clear();
            self.settled.clear();
            self.settling = function.map(|site| (site, self.code_of(site)));
        }
    }

    /// The code of a function, without comments.
    pub fn code_of(&mut self, function: Site) -> Rc<Code> {
        if let Some(known) = self.coded.get(&function) {
            return Rc::clone(known);
        }
        if self.coded.len() >= MAX_CODED {
            self.coded.clear();
        }
        let code = Rc::new(Code::new(self.program.text(function), self.program.file(function.unit)));
        self.coded.insert(function, Rc::clone(&code));
        code
    }

    /// Whether a variable keeps the value with which it is declared.
    pub fn is_settled(&mut self, decl: DeclRef) -> bool {
        let Some((site, code)) = &self.settling else { return false };
        if let Some(known) = self.settled.get(&decl) {
            return *known;
        }
        let known = self.program.keeps(code, *site, decl);
        self.settled.insert(decl, known);
        known
    }

    /// Whether a variable of the function whose variables are looked at may get another value: one of a type that is written.
    fn may_change(&mut self, decl: DeclRef) -> bool {
        let of = self.program.decl(decl);
        let inside =
            self.settling.as_ref().is_some_and(|(site, _)| site.unit == decl.unit && site.span.contains(of.name));
        inside && places(self.program.before_name(decl), "auto").next().is_none() && !self.is_settled(decl)
    }

    /// Evaluates an expression from outside: with all its steps.
    ///
    /// # Errors
    /// Why it is not a constant, and what stopped it.
    pub fn evaluate(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Value<'a>> {
        self.begin();
        self.eval(expr, context)
    }

    /// The values that a template's parameters have where its name stands with arguments, in the first segments of a path. For a
    /// class, the definition that is meant must be that one: none if it is another.
    ///
    /// # Errors
    /// It could not be told which is meant.
    pub fn instance(
        &mut self,
        path: &'a crate::ast::Path,
        count: usize,
        template: (u32, ScopeId),
        class: Option<DeclRef>,
        call: Option<&'a [ExprId]>,
        context: &Context<'a>,
    ) -> Resolved<Option<Vec<Value<'a>>>> {
        self.begin();
        let Some(segment) = count.checked_sub(1).and_then(|last| path.segments.get(last)) else { return Ok(None) };
        let site = Self::site(context, segment.name);
        let env = if let Some(class) = class {
            match self.eval_segments(path, count, site, context)? {
                Value::Named(named) if named.class == Some(class) => named.env.clone(),
                _ => None,
            }
        } else {
            if segment.args.is_none() && call.is_none() {
                return Ok(None);
            }
            let args = segment.args.as_deref().map(|args| self.arguments(args, context)).unwrap_or_default();
            let ScopeKind::Template(params) = &self.program.unit(template.0).scope(template.1).kind else {
                return Ok(None);
            };
            if args.len() > params.len() && params.iter().all(|param| !param.pack) {
                return Ok(None);
            }
            match call.zip(self.program.body_of(template.0, template.1)) {
                Some((exprs, body)) => {
                    let given = self.typed_arguments(exprs, context);
                    let given = self.pointed(body, exprs, &given, context);
                    self.deduced(body, &args, &given, &None)
                }
                None => self.bind_scope(template, &args, &None),
            }
        };
        let mut frame = env.as_ref();
        while let Some(known) = frame {
            if known.key == template {
                return Ok(Some(known.values.clone()));
            }
            frame = known.outer.as_ref();
        }
        Ok(None)
    }

    /// Whether the first segments of a path name the class that has some members.
    ///
    /// # Errors
    /// It could not be told which class is meant.
    pub fn is_in(
        &mut self,
        path: &'a Path,
        count: usize,
        (unit, members): (u32, ScopeId),
        context: &Context<'a>,
    ) -> Resolved<bool> {
        self.begin();
        let span = path.segments.first().map(|segment| segment.name).unwrap_or_default();
        let value = self.eval_segments(path, count, Self::site(context, span), context)?;
        if let Some(site) = value.hangs().filter(|_| !matches!(&value, Value::Named(named) if named.class.is_some())) {
            return Err(Unresolved { reason: Reason::Dependent, site });
        }
        let Value::Named(named) = value else { return Ok(false) };
        let class = named.class.filter(|class| class.unit == unit);
        Ok(class.is_some_and(
            |class| matches!(self.program.decl(class).kind, DeclKind::Class { members: own, .. } if own == members),
        ))
    }

    /// Whether the last question met a bound: asked again it may come to something else.
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    fn begin(&mut self) {
        self.steps = 0;
        self.depth = 0;
        self.spent = false;
    }

    fn site(context: &Context<'a>, span: Span) -> Site {
        Site { unit: context.unit, span }
    }

    /// Every recursion of the evaluator goes through here: each costs a step and, while it lasts, a level of depth.
    fn deeper<T>(&mut self, site: Site, work: impl FnOnce(&mut Self) -> Resolved<T>) -> Resolved<T> {
        self.steps += 1;
        self.all_steps += 1;
        if self.all_steps > MAX_ALL_STEPS {
            self.spent = true;
            return Err(Unresolved { reason: Reason::Work, site });
        }
        if self.depth >= MAX_DEPTH || self.steps > MAX_STEPS {
            self.spent = true;
            return Err(Unresolved { reason: Reason::TooDeep, site });
        }
        self.depth += 1;
        let value = work(self);
        self.depth -= 1;
        value
    }

    fn eval(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Value<'a>> {
        let site = Self::site(context, self.program.unit(context.unit).span(expr));
        self.deeper(site, |evaluator| evaluator.eval_at(expr, site, context))
    }

    fn eval_at(&mut self, expr: ExprId, site: Site, context: &Context<'a>) -> Resolved<Value<'a>> {
        let fail = |reason| Err(Unresolved { reason, site });
        match self.program.unit(context.unit).expr(expr) {
            Expr::Number(Some(value)) => {
                Ok(Value::Number(Number { literal: true, ..Number::of(value.get(), site, false) }))
            }
            Expr::Element(..) => self.part(expr, context).ok_or(Unresolved { reason: Reason::Expression, site }),
            Expr::Number(None) | Expr::Opaque | Expr::Designated(..) => fail(Reason::Expression),
            // An object that is made at run time.
            Expr::List(_) => fail(Reason::RunTime),
            Expr::Broken => fail(Reason::Syntax),
            Expr::Path(path) => match self.swizzled_name(path, site, context) {
                Some(value) => value,
                None => self.eval_path(path, site, context),
            },
            Expr::Call(callee, args) => self.eval_call(*callee, args, site, context),
            Expr::Construct(ty, args) => self.eval_construct(*ty, args, site, context),
            Expr::Member(object, segment) => match self.part(expr, context) {
                Some(value) => Ok(value),
                None => self.of_object(*object, segment, site, context),
            },
            Expr::Sizeof(of) => match self.eval(*of, context) {
                of if self.counts_pack(site) => packs::length_of_pack(of, site),
                Err(why) if why.reason == Reason::Ambiguous => self.size_of_each(*of, why, site, context),
                of => traits::bytes(&of?, site),
            },
            Expr::Unary(op, of) => {
                let of = self.number(*of, context)?;
                let value = match op {
                    Op::Sub => of.value.checked_neg(),
                    Op::Not => Some(i128::from(of.value == 0)),
                    Op::Complement => Some(!of.value),
                    _ => Some(of.value),
                };
                let value = value.ok_or(Unresolved { reason: Reason::Overflow, site })?;
                Ok(Value::Number(Number::of(value, site, of.fixed)))
            }
            Expr::Binary(op @ (Op::LogicalAnd | Op::LogicalOr), left, right) => {
                let (left, right) = (self.number(*left, context), self.number(*right, context));
                // One side that decides is enough: code that compiles has a value for the other.
                let decides = i128::from(*op == Op::LogicalOr);
                let (value, fixed) = match (left, right) {
                    (Ok(left), Ok(right)) if *op == Op::LogicalOr => {
                        (i128::from(left.value != 0 || right.value != 0), left.fixed && right.fixed)
                    }
                    (Ok(left), Ok(right)) => {
                        (i128::from(left.value != 0 && right.value != 0), left.fixed && right.fixed)
                    }
                    (Ok(one), Err(_)) | (Err(_), Ok(one)) if i128::from(one.value != 0) == decides => {
                        (decides, one.fixed)
                    }
                    (Err(why), _) | (_, Err(why)) => return Err(why),
                };
                Ok(Value::Number(Number::of(value, site, fixed)))
            }
            Expr::Binary(op, left, right) => {
                let left = self.number(*left, context)?;
                let right = self.number(*right, context)?;
                let value = arithmetic(*op, left.value, right.value).map_err(|reason| Unresolved { reason, site })?;
                let measure = Measure::of(*op, left.operand(), right.operand());
                Ok(Value::Number(Number { value, site, literal: false, fixed: left.fixed && right.fixed, measure }))
            }
            Expr::Conditional(test, yes, no) => {
                let chosen = if self.number(*test, context)?.value == 0 { no } else { yes };
                self.eval(*chosen, context)
            }
            Expr::Pack(of) => self.eval(*of, context),
            Expr::Array(of, extent) => {
                let items = vec![self.eval(*of, context)?, self.eval(*extent, context)?];
                Named::unknown(vec![traits::ARRAY], Some(items), site)
            }
        }
    }

    /// The values of template or call arguments; packs are spread. What cannot be evaluated stays as it is: an unknown type is
    /// no obstacle until a number is wanted of it.
    fn arguments(&mut self, args: &[ExprId], context: &Context<'a>) -> Vec<Value<'a>> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            if let Expr::Pack(pattern) = self.program.unit(context.unit).expr(*arg)
                && !matches!(self.program.unit(context.unit).expr(*pattern), Expr::Path(path) if path.segments.iter().all(|part| part.args.is_none()))
                && let Some(items) = self.expanded(*pattern, context)
            {
                values.extend(items);
                continue;
            }
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
    fn eval_construct(
        &mut self,
        ty: ExprId,
        args: &[ExprId],
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        if let (Expr::Path(path), [only]) = (self.program.unit(context.unit).expr(ty), args)
            && let [segment] = path.segments.as_slice()
            && is_integer_type(self.program.text(Self::site(context, segment.name)))
        {
            let value = self.eval(*only, context)?;
            return cast(value, self.program.text(Self::site(context, segment.name)), site);
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

    /// A name with template arguments that makes a swizzled layout, or measures one.
    fn swizzled_name(&mut self, path: &'a Path, site: Site, context: &Context<'a>) -> Option<Resolved<Value<'a>>> {
        let last = path.segments.last()?;
        let name = self.program.text(Self::site(context, last.name));
        let args = last.args.as_deref().filter(|_| swizzled::is_name(name))?;
        if self.program.is_own(path, context.unit) {
            return None;
        }
        let args = self.arguments(args, context);
        swizzled::named(name, &args, site)
    }

    /// A CuTe name where a type or value stands.
    fn cute(&mut self, name: &'a str, segment: &'a Segment, site: Site, context: &Context<'a>) -> Resolved<Value<'a>> {
        let args = segment.args.as_deref();
        let literal = |arg: &ExprId| matches!(self.program.unit(context.unit).expr(*arg), Expr::Number(_));
        let literal = args.and_then(<[ExprId]>::last).is_some_and(literal);
        let values = args.map(|args| self.arguments(args, context));
        // A bare `Layout` or `Shape` names the template.
        builtin::named(name, values.as_deref(), literal, site)
            .unwrap_or_else(|| Named::unknown(vec!["cute", name], None, site))
    }

    /// A call.
    fn eval_call(
        &mut self,
        callee: ExprId,
        args: &'a [ExprId],
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        let unit = self.program.unit(context.unit);
        let unknown = Unresolved { reason: Reason::Call, site };
        let path = match unit.expr(callee) {
            Expr::Path(path) => path,
            Expr::Member(object, name) => {
                let object = self.typed(*object, context)?;
                if let Some(value) = self.method(&object, name, args, site, context) {
                    return value;
                }
                if let Some(site) = object.hangs() {
                    return Err(Unresolved { reason: Reason::Dependent, site });
                }
                if objects::is_of_torch(&object) {
                    return Err(Unresolved { reason: Reason::RunTime, site });
                }
                if !args.is_empty() {
                    return Err(unknown);
                }
                let name = self.program.text(Self::site(context, name.name));
                let swizzled = swizzled::apply(name, &[], std::slice::from_ref(&object), site);
                return swizzled.unwrap_or_else(|| builtin::apply(name, &[], &[object], site));
            }
            // `local_tile(…)(_, _, k)`
            Expr::Call(..) => {
                let of = self.eval(callee, context)?;
                return self.slice(&of, args, site, context).unwrap_or(Err(unknown));
            }
            _ => return Err(unknown),
        };
        let Some(last) = path.segments.last() else { return Err(unknown) };
        let name = self.program.text(Self::site(context, last.name));
        if let Some(value) = self.sliced(path, args, site, context) {
            return value;
        }
        let ours = match path.segments.as_slice() {
            [_] => !self.program.owns(context.unit, name),
            [space, _] => self.program.text(Self::site(context, space.name)) == "cute",
            _ => false,
        };
        let space = if let [space, _] = path.segments.as_slice() { space.name } else { Span::default() };
        if whole::is_function(self.program.text(Self::site(context, space)), name) {
            let values = self.arguments(args, context);
            return blame(whole::apply(name, &values, site), &values);
        }
        if name == "static_cast" {
            let ([only], Some([ty])) = (args, last.args.as_deref()) else { return Err(unknown) };
            let value = self.eval(*only, context)?;
            let ty = self.program.text(Self::site(context, unit.span(*ty)));
            return cast(value, ty.trim_start_matches("std::"), site);
        }
        if let ("alignof", [of]) = (name, args) {
            let of = self.eval(*of, context)?;
            return traits::alignment(&of, site);
        }
        if name == "make_layout"
            && path.segments.len() == 1
            && let Some(reason) = self.own_make_layout(context)
        {
            return Err(Unresolved { reason, site });
        }
        // CUTLASS's choice between the cluster of a type and one that is known at run time only, which that type says as well.
        if let ("select_cluster_shape", [shape, _]) = (name, args) {
            return self.eval(*shape, context);
        }
        if ours && objects::is_function(name) {
            return self.tiled(name, last.args.as_deref(), args, site, context);
        }
        if let ("local_tile", true, [tensor, tiler, coordinate, step @ ..]) = (name, ours, args) {
            return self.local_tile((*tensor, *tiler, *coordinate), step, site, context);
        }
        if ours && tiled::is_function(name) {
            let values = self.arguments(args, context);
            // An argument without a value says why there is no result.
            let hangs = values.iter().find_map(Value::hangs);
            let why = hangs.map_or(unknown, |site| Unresolved { reason: Reason::Dependent, site });
            return tiled::apply(name, &values, site).unwrap_or(Err(why));
        }
        if ours
            && builtin::is_builtin(name)
            && name.starts_with(|first: char| first.is_ascii_lowercase())
            && name != "tuple"
        {
            let values = self.arguments(args, context);
            let modes = last.args.as_deref().map(|args| self.arguments(args, context)).unwrap_or_default();
            // Without the traits of its instruction, a tiled MMA is measured by the instruction's name.
            let tiled = || modes.is_empty().then(|| tiled::apply(name, &values, site)).flatten();
            match self.objects(name, &modes, args, &values, site, context) {
                Some(Err(why)) => return tiled().unwrap_or(Err(why)),
                Some(value) => return value,
                None => {}
            }
            // Of a layout, `get` is a mode, which is a layout too.
            if let ("get", [Value::Layout(_)]) = (name, values.as_slice()) {
                return algebra::apply("layout", &modes, &values, site);
            }
            let swizzled = swizzled::apply(name, &modes, &values, site);
            let made = swizzled.or_else(tiled);
            return blame(made.unwrap_or_else(|| builtin::apply(name, &modes, &values, site)), &values);
        }
        if ours && (algebra::is_function(name) || swizzled::is_function(name) || tuples::is_function(name)) {
            let values = self.arguments(args, context);
            let modes = last.args.as_deref().map(|args| self.arguments(args, context)).unwrap_or_default();
            if let Some(value) = self.objects(name, &modes, args, &values, site, context) {
                return value;
            }
            if let Some(value) = tensors::apply(name, &modes, &values, site) {
                return value;
            }
            if let Some(value) = Some(name)
                .filter(|name| tuples::is_function(name))
                .and_then(|name| tuples::apply(name, &modes, &values, site))
            {
                return value;
            }
            let swizzled = swizzled::apply(name, &modes, &values, site);
            let made = swizzled.unwrap_or_else(|| algebra::apply(name, &modes, &values, site));
            // What is made of a layout with an extent that is known at run time only has one too, whatever else is open.
            if let (Err(Unresolved { reason: Reason::Call, .. }), Some(Value::Opaque(why))) = (&made, values.first())
                && why.reason == Reason::RunTime
                && is_integer_type(self.program.text(why.site))
            {
                return Err(*why);
            }
            return blame(made, &values);
        }
        if path.segments.len() > 1 && !ours && name == "make_layout" && self.foreign(path, context) {
            return Err(Unresolved { reason: Reason::NotCute, site });
        }
        if let Some(value) = self.call(path, args, site, context) {
            return value;
        }
        if let Some(value) = self.expanded_macro(path, args, site, context) {
            return value;
        }
        if let ([first, _, ..], false) = (path.segments.as_slice(), path.absolute)
            && matches!(self.program.text(Self::site(context, first.name)), "at" | "torch")
        {
            return Err(Unresolved { reason: Reason::RunTime, site });
        }
        // What is left is `T(…)`, for types that are known; other functions are not run.
        match self.eval_construct(callee, args, site, context) {
            Ok(Value::Named(_) | Value::Opaque(_)) | Err(Unresolved { reason: Reason::UnknownName, .. }) => {
                self.called.insert(name);
                Err(unknown)
            }
            Err(why) if matches!(why.reason, Reason::UnknownMember | Reason::Call) => {
                self.called.insert(name);
                Err(why)
            }
            Err(why) if matches!(why.reason, Reason::Expression | Reason::RunTime) && self.is_lambda(path, context) => {
                self.called.insert(name);
                Err(why)
            }
            other => other,
        }
    }

    /// Whether a plain name is a variable that a lambda is the value of.
    fn is_lambda(&mut self, path: &'a Path, context: &Context<'a>) -> bool {
        let [only] = path.segments.as_slice() else { return false };
        let site = Self::site(context, only.name);
        let found = self.variables(self.program.text(site), context, only.name.start, site);
        let Ok(([decl], _)) = found.as_ref().map(|(decls, env)| (decls.as_slice(), env)) else { return false };
        let DeclKind::Variable { init: Some(init), .. } = self.program.decl(*decl).kind else { return false };
        let span = self.program.unit(decl.unit).span(init);
        self.program.text(Site { unit: decl.unit, span }).starts_with('[')
    }

    /// `size(mma)` and the like, of an object whose type says it.
    fn objects(
        &mut self,
        name: &str,
        modes: &[Value<'a>],
        args: &'a [ExprId],
        values: &[Value<'a>],
        site: Site,
        context: &Context<'a>,
    ) -> Option<Resolved<Value<'a>>> {
        let ([arg], [value]) = (args, values) else { return None };
        let of = match value {
            Value::Opaque(why) if why.reason == Reason::RunTime => self.typed(*arg, context).ok()?,
            Value::Named(_) => value.clone(),
            _ => return None,
        };
        self.measure_object(name, modes, &of, site, context)
    }

    /// Whether a qualified name leads to a namespace that the files have and that is not CuTe's.
    fn foreign(&self, path: &crate::ast::Path, context: &Context<'a>) -> bool {
        let mut space = path.clone();
        space.segments.pop();
        let home = self.program.home(context.unit, context.scope);
        let found = self.program.namespace(context.unit, &space, home);
        found.is_some_and(|space| !self.program.path_of(space).iter().any(|name| matches!(*name, "cute" | "cutlass")))
    }

    /// The value of a name that may have been declared several times.
    fn declared(
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
                (Ok(a), Ok(b)) => same(a, &b),
                (Err(a), Err(b)) => a.reason == b.reason,
                _ => false,
            };
            if !same {
                return self.one_side(candidates, args, env, site);
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
            match self.memo.entry((decl, key.clone())) {
                Entry::Occupied(known) => match known.get() {
                    Memo::Done(value, differs) => {
                        self.differs.set(self.differs.get() | differs);
                        return value.clone();
                    }
                    Memo::Running => {
                        self.circles += 1;
                        // `using a::b;` where a has no b that is known: the name found is the declaration itself.
                        let renames = matches!(self.program.decl(decl).kind, DeclKind::Renames(_));
                        let reason = if renames { Reason::UnknownName } else { Reason::TooDeep };
                        return Err(Unresolved { reason, site });
                    }
                },
                Entry::Vacant(place) => place.insert(Memo::Running),
            };
        }
        let before = self.differs.replace(false);
        let value = self.deeper(site, |evaluator| evaluator.declaration_afresh(decl, args, env, site));
        let differs = self.differs.replace(before);
        self.differs.set(before | differs);
        if let Some(key) = key {
            // Running out of steps says something about who asked, not about the declaration.
            if self.spent {
                self.memo.remove(&(decl, key));
            } else {
                self.memo.insert((decl, key), Memo::Done(value.clone(), differs));
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
            DeclKind::Renames(path) => match self.eval_path(path, Self::site(&context, of.span), &context) {
                // No file declares what is renamed; its name is enough to know some types.
                Err(Unresolved { reason: Reason::UnknownName, site }) => {
                    let names = path.segments.iter().map(|part| self.program.text(Self::site(&context, part.name)));
                    Named::unknown(names.collect(), None, site)
                }
                other => other,
            },
            DeclKind::Class { .. } => Err(Unresolved { reason: Reason::NotNumeric, site }),
            DeclKind::Variable { ty, init, constant } => {
                if let Some(ty) = ty {
                    match self.eval(*ty, &context) {
                        Ok(value) if Swizzled::of(&value).is_some() || objects::is_tiled(&value) => return Ok(value),
                        Ok(Value::Named(_) | Value::Opaque(_) | Value::Order(_)) => {}
                        Ok(Value::Param(..)) if init.is_some() && *constant => {}
                        other => return other,
                    }
                }
                let Some(init) = init else { return Err(Unresolved { reason: Reason::RunTime, site }) };
                match self.eval(*init, &context)?.or_named(self.program.name(decl)) {
                    // What an object has for itself, the object says.
                    Value::Number(_) if self.is_of_object(decl) => Err(Unresolved { reason: Reason::RunTime, site }),
                    // The type of `int n = size(L{})` carries no number, whatever that of the value does.
                    Value::Number(number) if !constant && number.fixed && self.may_change(decl) => {
                        Err(Unresolved { reason: Reason::RunTime, site })
                    }
                    Value::Number(number) if !constant && !number.fixed => {
                        let number = Value::Number(Number { literal: false, ..number });
                        if self.is_settled(decl) {
                            Ok(number)
                        } else {
                            Err(Unresolved { reason: Reason::RunTime, site })
                        }
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
    fn bind(&mut self, decl: DeclRef, args: &[Value<'a>], outer: &Bindings<'a>) -> Bindings<'a> {
        self.bind_scope((decl.unit, self.program.decl(decl).inside), args, outer)
    }

    fn bind_scope(&mut self, key: (u32, ScopeId), args: &[Value<'a>], outer: &Bindings<'a>) -> Bindings<'a> {
        let (unit, inside) = key;
        let ScopeKind::Template(params) = &self.program.unit(unit).scope(inside).kind else {
            return outer.clone();
        };
        let params: &'a [Param] = params;
        let mut values: Vec<Value<'a>> = Vec::with_capacity(params.len());
        for (index, param) in params.iter().enumerate() {
            let site = Site { unit, span: param.name };
            let value = if param.pack {
                Value::Pack(Rc::new(args.get(index..).unwrap_or_default().to_vec()))
            } else if let Some(value) = args.get(index) {
                value.clone()
            } else if let Some(default) = param.default {
                let known = Frame::new(key, values.clone(), outer.clone());
                let context = Context { unit, scope: inside, env: Some(Rc::new(known)) };
                self.eval(default, &context).unwrap_or_else(Value::Opaque)
            } else {
                Value::Param(self.program.text(site), site)
            };
            values.push(value);
        }
        Some(Rc::new(Frame::new(key, values, outer.clone())))
    }
}

/// What a function gives, with the better reason where an argument hangs on a template parameter.
fn blame<'a>(result: Resolved<Value<'a>>, values: &[Value<'a>]) -> Resolved<Value<'a>> {
    match result {
        Err(Unresolved { reason: Reason::Call, site }) => match values.iter().find_map(Value::hangs) {
            Some(site) => Err(Unresolved { reason: Reason::Dependent, site }),
            None => Err(Unresolved { reason: Reason::Call, site }),
        },
        other => other,
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
    let number = |arg: &Value<'_>| if let Value::Number(number) = arg { Some(*number) } else { None };
    let numbers = args.iter().map(number).collect::<Option<Vec<Number>>>()?;
    let mut key: Vec<i128> = numbers.iter().map(|number| number.value).collect();
    // Numbers that count different things are different; how many there are tells them from more arguments.
    if numbers.iter().any(|number| number.measure != Measure::Unknown) {
        key.extend(numbers.iter().map(|number| number.measure.code()));
        key.push(i128::try_from(numbers.len()).ok()?);
        key.push(i128::MIN);
    }
    Some(key)
}
