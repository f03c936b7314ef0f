//! What functions of the code base return: `constexpr int rows() { return 8; }`. A function is followed where every definition of
//! its name was read, and where it consists of declarations, conditions and returns; arguments that are deduced are matched as those
//! of a specialisation are.

use std::rc::Rc;

use super::steps::Run;
use super::{Context, Evaluator};
use crate::ast::{DeclKind, Expr, ExprId, Param, Path, ScopeId, ScopeKind, Segment, Site, Start};
use crate::eval::builtin;
use crate::eval::constants::{cast, is_integer_type};
use crate::eval::program::{BodyRef, DeclRef, Namespace};
use crate::eval::reason::{Reason, Resolved, Unresolved};
use crate::eval::specialize::{deduce, same};
use crate::eval::value::{Bindings, Constant, Frame, Named, Number, Value};

/// Functions of one name that are compared with each other.
const MAX_OVERLOADS: usize = 8;

impl<'a> Evaluator<'a> {
    /// What a call of a function of the code base returns; `None` where no such function was read.
    pub(super) fn call(
        &mut self,
        path: &'a Path,
        args: &'a [ExprId],
        site: Site,
        context: &Context<'a>,
    ) -> Option<Resolved<Value<'a>>> {
        let last = path.segments.last()?;
        let name = self.program.text(Self::site(context, last.name));
        let all = self.program.functions(name)?;
        let (found, env) = match self.found(path, all, site, context) {
            Ok(found) => found,
            Err(why) => return Some(Err(why)),
        };
        if found.is_empty() {
            return None;
        }
        let explicit = last.args.as_deref().map(|args| self.arguments(args, context)).unwrap_or_default();
        let given = self.typed_arguments(args, context);
        Some(self.deeper(site, |evaluator| evaluator.run(&found, &explicit, &given, &env, site)))
    }

    /// The functions that a name may mean, and the values of the template parameters around them.
    fn found(
        &mut self,
        path: &'a Path,
        all: &[BodyRef],
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<(Vec<BodyRef>, Bindings<'a>)> {
        let before = path.segments.len().saturating_sub(1);
        let home = self.program.home(context.unit, context.scope);
        if before > 0 || path.absolute {
            let mut space = path.clone();
            space.segments.pop();
            if let Some(space) = self.program.namespace(context.unit, &space, home) {
                return Ok((self.declared_in(space, all, context.unit), None));
            }
            let Value::Named(named) = self.eval_segments(path, before, site, context)? else {
                return Ok((Vec::new(), None));
            };
            return Ok(named.class.map_or((Vec::new(), None), |class| (self.members(class, all), named.env.clone())));
        }
        let unit = self.program.unit(context.unit);
        let mut at = Some(context.scope);
        while let Some(id) = at {
            let inside = match unit.scope(id).kind {
                ScopeKind::Class(class) => {
                    let class = DeclRef { unit: context.unit, id: class };
                    let own = self.members(class, all);
                    if !own.is_empty() && self.is_overridden(class, &own, context) {
                        return Err(Unresolved { reason: Reason::Call, site });
                    }
                    own
                }
                // A lambda of the function that is around.
                ScopeKind::Block => all
                    .iter()
                    .filter(|body| body.unit == context.unit && self.program.body(**body).home == id)
                    .copied()
                    .collect(),
                _ => Vec::new(),
            };
            if !inside.is_empty() {
                return Ok((inside, context.env.clone()));
            }
            at = unit.scope(id).parent;
        }
        let mut at = Some(home);
        while let Some(space) = at {
            let mut found = self.declared_in(space, all, context.unit);
            let used: Vec<Namespace> = self.program.used_in(space).collect();
            found.extend(used.into_iter().flat_map(|space| self.declared_in(space, all, context.unit)));
            if !found.is_empty() {
                return Ok((found, None));
            }
            at = self.program.outer(space);
        }
        Ok((Vec::new(), None))
    }

    /// The functions that a namespace declares: the unit's own if it has any, else those of headers.
    fn declared_in(&self, space: Namespace, all: &[BodyRef], unit: u32) -> Vec<BodyRef> {
        let here = |body: &&BodyRef| {
            let of = self.program.body(**body);
            matches!(self.program.unit(body.unit).scope(of.home).kind, ScopeKind::File | ScopeKind::Namespace(_))
                && self.program.home(body.unit, of.home) == space
                && self.program.includes(unit, body.unit)
        };
        let found: Vec<BodyRef> = all.iter().filter(here).copied().collect();
        let own: Vec<BodyRef> = found.iter().filter(|body| body.unit == unit).copied().collect();
        if own.is_empty() { found } else { own }
    }

    fn members(&self, class: DeclRef, all: &[BodyRef]) -> Vec<BodyRef> {
        let DeclKind::Class { members, .. } = self.program.decl(class).kind else { return Vec::new() };
        let own = |body: &&BodyRef| body.unit == class.unit && self.program.body(**body).home == members;
        all.iter().filter(own).copied().collect()
    }

    /// What a call of one of several functions returns, if all that take the arguments return the same.
    fn run(
        &mut self,
        found: &[BodyRef],
        explicit: &[Value<'a>],
        given: &[Value<'a>],
        env: &Bindings<'a>,
        site: Site,
    ) -> Resolved<Value<'a>> {
        let takes = |body: &&BodyRef| {
            let params = &self.program.body(**body).params;
            let missing = params.get(given.len()..);
            missing.is_some_and(|missing| missing.iter().all(|param| param.default.is_some() || param.pack))
                || params.last().is_some_and(|param| param.pack)
        };
        let found: Vec<BodyRef> = found.iter().filter(takes).copied().collect();
        if found.len() > MAX_OVERLOADS {
            return Err(Unresolved { reason: Reason::Ambiguous, site });
        }
        let mut result: Option<Value<'a>> = None;
        for body in found {
            let value = self.returned(body, explicit, given, env, site)?;
            if result.as_ref().is_some_and(|known| !same(known, &value)) {
                return Err(Unresolved { reason: Reason::Ambiguous, site });
            }
            result = Some(value);
        }
        result.ok_or(Unresolved { reason: Reason::Call, site })
    }

    fn returned(
        &mut self,
        body: BodyRef,
        explicit: &[Value<'a>],
        given: &[Value<'a>],
        env: &Bindings<'a>,
        site: Site,
    ) -> Resolved<Value<'a>> {
        let of = self.program.body(body);
        let unknown = Unresolved { reason: Reason::Call, site };
        if of.returns.is_none() && of.steps.is_none() {
            return Err(unknown);
        }
        if of.params.iter().any(|param| param.pack) {
            return Err(unknown);
        }
        let env = self.deduced(body, explicit, given, env);
        let mut values = Vec::with_capacity(of.params.len());
        for (index, param) in of.params.iter().enumerate() {
            let value = match (given.get(index), param.default) {
                (Some(value), _) => value.clone(),
                (None, Some(default)) => {
                    let context = Context { unit: body.unit, scope: of.template.unwrap_or(of.home), env: env.clone() };
                    self.eval(default, &context).unwrap_or_else(Value::Opaque)
                }
                (None, None) => return Err(unknown),
            };
            values.push(self.passed(value, body.unit, param.word, site)?);
        }
        if let Some(steps) = &of.steps {
            let text = |span| self.program.text(Site { unit: body.unit, span });
            let arguments =
                of.params.iter().zip(values).map(|(param, value)| (text(param.name), text(param.word), value));
            let run = Run::new(arguments, site)?;
            let context = Context { unit: body.unit, scope: of.scope, env };
            let value = self.run_steps(steps, run, &context)?;
            let value = Value::Number(Number::of(value, site, false));
            return self.passed(value, body.unit, of.result, site);
        }
        let env = Some(Rc::new(Frame::new((body.unit, of.scope), values, env)));
        for returned in of.returns.iter().flatten() {
            let mut reached = true;
            for (condition, scope, holds) in &returned.when {
                let context = Context { unit: body.unit, scope: *scope, env: env.clone() };
                if (self.number(*condition, &context)?.value != 0) != *holds {
                    reached = false;
                    break;
                }
            }
            if reached {
                let context = Context { unit: body.unit, scope: returned.scope, env };
                let value = self.eval(returned.expr, &context)?;
                let value = if let Value::Opaque(why) = value { return Err(why) } else { value };
                return self.passed(value, body.unit, of.result, site);
            }
        }
        Err(unknown)
    }

    /// A value as one of a type: `int` keeps numbers that it has room for, and no type carries them.
    fn passed(&self, value: Value<'a>, unit: u32, word: crate::ast::Span, site: Site) -> Resolved<Value<'a>> {
        let word = self.program.text(Site { unit, span: word });
        let word = word.trim_start_matches("std::");
        if !is_integer_type(word) {
            return Ok(value);
        }
        let value = cast(value, word, site)?;
        Ok(match value {
            Value::Number(number) => Value::Number(Number { fixed: false, literal: false, ..number }),
            other => other,
        })
    }

    /// The values of a function's template parameters: those that are given, those that the arguments tell, and defaults.
    pub(super) fn deduced(
        &mut self,
        body: BodyRef,
        explicit: &[Value<'a>],
        given: &[Value<'a>],
        outer: &Bindings<'a>,
    ) -> Bindings<'a> {
        let of = self.program.body(body);
        let Some(template) = of.template else { return outer.clone() };
        let key = (body.unit, template);
        let ScopeKind::Template(params) = &self.program.unit(body.unit).scope(template).kind else {
            return outer.clone();
        };
        let params: &'a [Param] = params;
        let sites: Vec<(Site, bool)> =
            params.iter().map(|param| (Site { unit: body.unit, span: param.name }, param.pack)).collect();
        let program = self.program;
        let unbound = |param: &Param| {
            let site = Site { unit: body.unit, span: param.name };
            Value::Param(program.text(site), site)
        };
        // What is written before a pack belongs to the parameters before it.
        let pack = params.iter().position(|param| param.pack).unwrap_or(params.len());
        let written = |index: usize| explicit.get(index).filter(|_| index < pack).cloned();
        let start = params.iter().enumerate();
        let start = start.map(|(index, param)| written(index).unwrap_or_else(|| unbound(param))).collect();
        if explicit.len() > pack {
            return self.bind_scope(key, explicit, outer);
        }
        let context =
            Context { unit: body.unit, scope: template, env: Some(Rc::new(Frame::new(key, start, outer.clone()))) };
        let mut matched: Vec<Option<Value<'a>>> = (0..params.len()).map(written).collect();
        // Parameters that cannot be told because an argument hangs on something, and on what.
        let mut blocked: Vec<Option<Site>> = vec![None; params.len()];
        for (param, arg) in of.params.iter().zip(given) {
            let Some(ty) = param.ty else { continue };
            if let Value::Layout(layout) = arg {
                self.deduced_from_layout(ty, layout, &context, &sites, &mut matched);
            }
            let Ok(pattern) = self.eval(ty, &context) else {
                // `Layout<T, S>` is no value before T is one.
                if let Some(site) = arg.hangs() {
                    for blocked in &mut blocked {
                        *blocked = blocked.or(Some(site));
                    }
                }
                continue;
            };
            if !pattern.is_dependent() {
                continue;
            }
            // A number that no type carries says only that the parameter is some type of integers.
            let arg = match arg {
                Value::Number(number) if !number.fixed => {
                    Value::Opaque(Unresolved { reason: Reason::RunTime, site: number.site })
                }
                other => other.clone(),
            };
            deduce(&pattern, &arg, &sites, &mut matched);
            if let Some(site) = arg.hangs() {
                for (blocked, (own, _)) in blocked.iter_mut().zip(&sites) {
                    if pattern.names_param(*own) {
                        *blocked = blocked.or(Some(site));
                    }
                }
            }
        }
        let mut values: Vec<Value<'a>> = Vec::with_capacity(params.len());
        for ((param, found), blocked) in params.iter().zip(matched).zip(blocked) {
            let value = match (found, param.default) {
                (Some(value), _) => value,
                (None, _) if let Some(site) = blocked => Value::Opaque(Unresolved { reason: Reason::Dependent, site }),
                (None, Some(default)) => {
                    let known = Frame::new(key, values.clone(), outer.clone());
                    let context = Context { unit: body.unit, scope: template, env: Some(Rc::new(known)) };
                    self.eval(default, &context).unwrap_or_else(Value::Opaque)
                }
                (None, None) if param.pack => Value::Pack(Rc::default()),
                (None, None) => unbound(param),
            };
            values.push(value);
        }
        Some(Rc::new(Frame::new(key, values, outer.clone())))
    }

    /// Shape and stride of a parameter `Layout<Shape, Stride>` that is given a layout.
    fn deduced_from_layout(
        &mut self,
        ty: ExprId,
        layout: &Constant,
        context: &Context<'a>,
        sites: &[(Site, bool)],
        matched: &mut [Option<Value<'a>>],
    ) {
        let Expr::Path(path) = self.program.unit(context.unit).expr(ty) else { return };
        let Some(last) = path.segments.last() else { return };
        let Some([shape, stride]) = last.args.as_deref() else { return };
        if self.program.text(Self::site(context, last.name)) != "Layout" {
            return;
        }
        for (pattern, numbers) in [(*shape, &layout.shape), (*stride, &layout.stride)] {
            if let (Ok(pattern), Ok(value)) = (self.eval(pattern, context), builtin::from_numbers(numbers)) {
                deduce(&pattern, &value, sites, matched);
            }
        }
    }

    /// The value of a parameter of a function that is being followed.
    pub(super) fn argument(&self, context: &Context<'a>, scope: ScopeId, name: &str) -> Option<Value<'a>> {
        let mut frame = context.env.as_ref();
        while let Some(known) = frame {
            if known.key == (context.unit, scope) {
                let body = self.program.body(self.program.body_of(context.unit, scope)?);
                let named = |param: &crate::ast::Parameter| {
                    !name.is_empty() && self.program.text(Self::site(context, param.name)) == name
                };
                let value = known.values.get(body.params.iter().position(named)?)?;
                // Of what a kernel is given and that is not known, its type says more.
                let unknown = self.settling.is_some() && matches!(value, Value::Opaque(_));
                return (!unknown).then(|| value.clone());
            }
            frame = known.outer.as_ref();
        }
        None
    }

    /// The values of arguments, or their types where those are classes.
    pub(super) fn typed_arguments(&mut self, args: &'a [ExprId], context: &Context<'a>) -> Vec<Value<'a>> {
        args.iter().map(|arg| self.typed(*arg, context).unwrap_or_else(Value::Opaque)).collect()
    }

    /// The values of the parameters of a kernel, and of its template parameters, where it is launched or called; none where it does not take
    /// as many arguments. `keeps` says of a parameter whether the kernel leaves it as it is.
    pub fn launched(
        &mut self,
        body: BodyRef,
        kernel: &'a Path,
        start: &'a Start,
        context: &Context<'a>,
        keeps: impl Fn(&str) -> bool,
    ) -> Option<Bindings<'a>> {
        let explicit = kernel.segments.last()?.args.as_deref().unwrap_or_default();
        let explicit = self.template_arguments(explicit, context);
        self.entered(body, &explicit, (&start.args, start.open), &None, context, keeps)
    }

    /// The values of template arguments.
    pub fn template_arguments(&mut self, args: &'a [ExprId], context: &Context<'a>) -> Vec<Value<'a>> {
        self.begin();
        let mut values = self.arguments(args, context);
        // `kernel<decltype(config)>` is given the type of an object.
        let packs = values.len() != args.len();
        for (value, arg) in values.iter_mut().zip(args).filter(|_| !packs) {
            if matches!(value, Value::Opaque(why) if why.reason == Reason::RunTime)
                && let Ok(ty) = self.typed(*arg, context)
            {
                *value = ty;
            }
        }
        values
    }

    /// The class of which a qualified name is a member, with the values of the parameters of the templates around it.
    pub fn owner(&mut self, path: &'a Path, site: Site, context: &Context<'a>) -> Option<Rc<Named<'a>>> {
        self.begin();
        match self.eval_segments(path, path.segments.len().checked_sub(1)?, site, context).ok()? {
            Value::Named(named) => Some(named),
            _ => None,
        }
    }

    /// What a member of a class is.
    ///
    /// # Errors
    /// Why it is not known.
    pub fn member_of(
        &mut self,
        of: &Value<'a>,
        name: &'a str,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        self.begin();
        self.member_path(of, name, None, site, context)
    }

    /// The same as for a launch, of a function whose template arguments are known, with those of the templates around it. It may be given
    /// more, of which nothing is known, if it is `open`.
    pub fn entered(
        &mut self,
        body: BodyRef,
        explicit: &[Value<'a>],
        (args, open): (&'a [ExprId], bool),
        outer: &Bindings<'a>,
        context: &Context<'a>,
        keeps: impl Fn(&str) -> bool,
    ) -> Option<Bindings<'a>> {
        self.begin();
        let of = self.program.body(body);
        // What a pack at the end is given is not followed.
        let single = of.params.iter().position(|param| param.pack).unwrap_or(of.params.len());
        let packed = single < of.params.len();
        if single + 1 < of.params.len() || (!packed && single < args.len()) {
            return None;
        }
        let args = args.get(..single).unwrap_or(args);
        let given = self.typed_arguments(args, context);
        if given.len() != args.len() {
            return None;
        }
        let pointed = self.pointed(body, args, &given, context);
        let env = self.deduced(body, explicit, &pointed, outer);
        let env = if packed { self.without_packs(body, env) } else { env };
        let mut values = Vec::with_capacity(of.params.len());
        for (index, param) in of.params.iter().enumerate() {
            let site = Site { unit: body.unit, span: param.name };
            let unknown = Unresolved { reason: Reason::RunTime, site };
            let value = match (given.get(index), param.default) {
                (Some(Value::Number(number)), _) if !number.fixed && !keeps(self.program.text(site)) => {
                    Value::Opaque(unknown)
                }
                (Some(value), _) => value.clone(),
                // A launch hands on a list of pointers, or what CUTLASS makes of it.
                (None, Some(_)) if open => Value::Opaque(unknown),
                (None, Some(default)) => {
                    let inside = Context { unit: body.unit, scope: of.scope, env: env.clone() };
                    match self.eval(default, &inside).unwrap_or_else(Value::Opaque) {
                        Value::Number(number) if !number.fixed && !keeps(self.program.text(site)) => {
                            Value::Opaque(unknown)
                        }
                        value => value,
                    }
                }
                (None, None) if open || param.pack => Value::Opaque(unknown),
                (None, None) => return None,
            };
            values.push(self.passed(value, body.unit, param.word, site).unwrap_or(Value::Opaque(unknown)));
        }
        Some(Some(Rc::new(Frame::new((body.unit, of.scope), values, env))))
    }

    /// The values of a function's template parameters, those of its packs not known.
    fn without_packs(&self, body: BodyRef, env: Bindings<'a>) -> Bindings<'a> {
        let template = self.program.body(body).template?;
        let frame = env?;
        let ScopeKind::Template(params) = &self.program.unit(body.unit).scope(template).kind else {
            return Some(frame);
        };
        if frame.key != (body.unit, template) {
            return Some(frame);
        }
        let values = frame.values.iter().zip(params).map(|(value, param)| {
            let site = Site { unit: body.unit, span: param.name };
            if param.pack { Value::Opaque(Unresolved { reason: Reason::RunTime, site }) } else { value.clone() }
        });
        Some(Rc::new(Frame::new(frame.key, values.collect(), frame.outer.clone())))
    }

    /// What a member of an object is: of one that is known at run time only, what its type says of it.
    pub(super) fn of_object(
        &mut self,
        object: ExprId,
        segment: &'a Segment,
        site: Site,
        context: &Context<'a>,
    ) -> Resolved<Value<'a>> {
        let name = self.program.text(Self::site(context, segment.name));
        match self.eval(object, context) {
            Ok(of @ Value::Named(_)) => self.member_path(&of, name, Some(segment), site, context),
            Ok(of) => builtin::member_of(&of, name, site),
            Err(why) if why.reason == Reason::RunTime => {
                let of = self.typed(object, context)?;
                match self.member_path(&of, name, Some(segment), site, context) {
                    Ok(Value::Named(_) | Value::Opaque(_)) => Err(why),
                    Err(other) if !matches!(other.reason, Reason::RunTime | Reason::Dependent) => Err(why),
                    other => other,
                }
            }
            Err(why) => Err(why),
        }
    }

    /// The value of an expression, or its type where that is a class that a file declares.
    pub(super) fn typed(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Value<'a>> {
        let why = match self.eval(expr, context) {
            Err(why) if why.reason == Reason::RunTime => why,
            other => return other,
        };
        let site = Self::site(context, self.program.unit(context.unit).span(expr));
        let Expr::Path(path) = self.program.unit(context.unit).expr(expr) else { return Err(why) };
        let ty = self.deeper(site, |evaluator| evaluator.type_of_variable(path, site, context));
        ty.map_err(|_| why)
    }

    fn type_of_variable(&mut self, path: &'a Path, site: Site, context: &Context<'a>) -> Resolved<Value<'a>> {
        let unknown = Unresolved { reason: Reason::RunTime, site };
        let [segment] = path.segments.as_slice() else { return Err(unknown) };
        let name = self.program.text(Self::site(context, segment.name));
        let (decls, env) = self.variables(name, context, segment.name.start, site)?;
        let [decl] = decls.as_slice() else { return Err(unknown) };
        let of = self.program.decl(*decl);
        let DeclKind::Variable { ty: Some(ty), .. } = of.kind else { return Err(unknown) };
        match self.eval(ty, &Context { unit: decl.unit, scope: of.inside, env })? {
            value @ (Value::Named(_) | Value::Param(..)) => Ok(value),
            _ => Err(unknown),
        }
    }
}
