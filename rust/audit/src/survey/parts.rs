//! What is known of the fields of an object and of the elements of an array at a call: what braces and statements on the way there give
//! them, and what functions are given so. `Params p{d, 1024}; p.ld = 1022;`, `std::array<uint32_t, 2> box{64, 128};`.
//!
//! Every place where the name stands before the call is looked at. Where one may change a part, that part is not known.

use std::rc::Rc;

use super::launches::function_around;
use super::shared::Looker;
use super::tiled::{MAX_EXPRESSIONS, MAX_SEARCHED};
use super::tma::encodes;
use super::touches::{Touch, Uses};
use crate::ast::{DeclId, DeclKind, Expr, ExprId, Parameter, Site, Span, Start, Unit};
use crate::eval::{Bindings, BodyRef, Context, DeclRef, Frame, Named, Number, Parts, Program, Reason, Resolved, Value};
use crate::source::places;
use crate::syntax::{Code, Given};

/// Containers of elements that braces fill in order.
const LISTS: [&str; 4] = ["Array", "array", "initializer_list", "vector"];

/// Values of a list that are kept.
const MAX_LIST: usize = 16;

/// Objects in objects.
const MAX_DEPTH: usize = 4;

/// Places of one name.
const MAX_PLACES: usize = 512;

/// Parts of one object.
const MAX_PARTS: usize = 256;

/// How many elements a list has, among its parts.
pub(super) const COUNT: &str = "[#]";

/// What a tiled copy for an MMA is known by, among the parts of a parameter: its atom.
pub(super) const ATOM: &str = "atom";

impl<'a> Looker<'_, 'a> {
    /// The parts of what an expression names, at a call. Where one hangs on a template parameter, that is what the whole hangs on.
    pub(super) fn parts(&mut self, expr: ExprId, call: Span, context: &Context<'a>) -> Resolved<Parts<'a>> {
        self.parts_of(expr, call, context, MAX_DEPTH)
    }

    fn parts_of(&mut self, expr: ExprId, call: Span, context: &Context<'a>, depth: usize) -> Resolved<Parts<'a>> {
        let unit = self.program.unit(context.unit);
        let Some(depth) = depth.checked_sub(1) else { return Ok(Parts::new()) };
        let text = |span: Span| self.program.text(Site { unit: context.unit, span });
        match unit.expr(expr) {
            Expr::Construct(ty, items) => {
                let of = self.known(*ty, context).ok();
                self.listed(items, of.as_ref(), context, depth)
            }
            Expr::List(items) => self.listed(items, None, context, depth),
            Expr::Member(of, member) => {
                let part = format!(".{}", text(member.name));
                Ok(below(&self.parts_of(*of, call, context, depth)?, &part))
            }
            // `box.data()`, `std::data(box)`.
            Expr::Call(callee, args) => match (unit.expr(*callee), args.as_slice()) {
                (Expr::Member(of, part), []) if matches!(text(part.name), "data" | "begin" | "cbegin") => {
                    self.parts_of(*of, call, context, depth)
                }
                (Expr::Path(path), [of]) => {
                    let name = path.segments.last().map_or("", |part| text(part.name));
                    if matches!(name, "data" | "begin" | "cbegin" | "move" | "as_const") {
                        return self.parts_of(*of, call, context, depth);
                    }
                    Ok(Parts::new())
                }
                _ => Ok(Parts::new()),
            },
            Expr::Path(path) => match path.segments.as_slice() {
                [only] if only.args.is_none() => match self.local(only.name, context) {
                    Some((decl, inside)) => self.of_variable(decl, &inside, call, context, depth),
                    None => Ok(Parts::new()),
                },
                _ => Ok(Parts::new()),
            },
            // `&box[0]`.
            Expr::Opaque => match self.first_element(unit.span(expr), context) {
                Some((decl, inside)) => self.of_variable(decl, &inside, call, context, depth),
                None => Ok(Parts::new()),
            },
            _ => Ok(Parts::new()),
        }
    }

    /// What braces give the parts of an object of some type, or of an array.
    fn listed(
        &mut self,
        items: &[ExprId],
        ty: Option<&Value<'a>>,
        context: &Context<'a>,
        depth: usize,
    ) -> Resolved<Parts<'a>> {
        let unit = self.program.unit(context.unit);
        let class = ty.and_then(class_of);
        let mut parts = class.map(|class| self.defaults(class, ty)).unwrap_or_default();
        let fields = class.and_then(|class| fields(self.program, class));
        let list = ty.is_none_or(is_list);
        if fields.is_none() && !list {
            return Ok(Parts::new());
        }
        let items: &[ExprId] = match items {
            // `std::array<T, 2>{{64, 64}}`.
            [only] if let (Expr::List(inner), true) = (unit.expr(*only), fields.is_none()) => inner,
            items => items,
        };
        if fields.is_none() {
            let count = match ty {
                Some(Value::Named(named)) if named.name() != "vector" && named.name() != "initializer_list" => {
                    named.args.as_deref().and_then(|args| args.get(1)).cloned()
                }
                _ => items.first().map(|item| {
                    let site = Site { unit: context.unit, span: unit.span(*item) };
                    Value::Number(Number::of(i128::try_from(items.len()).unwrap_or_default(), site, false))
                }),
            };
            parts.extend(count.map(|count| (COUNT.to_owned(), count)));
        }
        if let (Some(class), Some((of, fields))) = (class, fields)
            && items.len() <= fields.len()
        {
            self.left_out(class, (of, fields), items, ty, &mut parts, context);
        }
        for (index, item) in items.iter().enumerate().take(MAX_PARTS) {
            let (part, value) = match (unit.expr(*item), fields) {
                (Expr::Designated(name, value), Some((of, fields))) => {
                    let name = self.program.text(Site { unit: context.unit, span: *name });
                    if !fields.iter().any(|field| self.program.text(Site { unit: of, span: *field }) == name) {
                        return Ok(Parts::new());
                    }
                    (format!(".{name}"), *value)
                }
                (Expr::Designated(..), None) => return Ok(Parts::new()),
                (_, Some((of, fields))) => {
                    let Some(field) = fields.get(index) else { return Ok(Parts::new()) };
                    (format!(".{}", self.program.text(Site { unit: of, span: *field })), *item)
                }
                (_, None) => (format!("[{index}]"), *item),
            };
            parts.retain(|known, _| !is_of(known, &part));
            let field = class.and_then(|class| self.field(class, part.get(1..).unwrap_or_default()));
            self.put(&mut parts, &part, value, field, context, depth)?;
        }
        Ok(parts)
    }

    /// The fields of an object that braces leave out: zero, where the class gives them no value.
    fn left_out(
        &mut self,
        class: DeclRef,
        (unit, fields): (u32, &[Span]),
        items: &[ExprId],
        ty: Option<&Value<'a>>,
        parts: &mut Parts<'a>,
        context: &Context<'a>,
    ) {
        let of = self.program.unit(context.unit);
        let env = match ty {
            Some(Value::Named(named)) => named.env.clone(),
            _ => None,
        };
        for (index, field) in fields.iter().enumerate() {
            let name = self.program.text(Site { unit, span: *field });
            let given = items.iter().enumerate().any(|(at, item)| match of.expr(*item) {
                Expr::Designated(own, _) => self.program.text(Site { unit: context.unit, span: *own }) == name,
                _ => at == index,
            });
            let Some(decl) = self.field(class, name).filter(|_| !given && !parts.contains_key(&format!(".{name}")))
            else {
                continue;
            };
            let inside = Context { unit, scope: self.program.decl(decl).inside, env: env.clone() };
            self.zero_field(decl, name, parts, &inside);
        }
    }

    /// Gives a part a value, and the parts of that theirs.
    fn put(
        &mut self,
        parts: &mut Parts<'a>,
        part: &str,
        value: ExprId,
        field: Option<DeclRef>,
        context: &Context<'a>,
        depth: usize,
    ) -> Resolved<()> {
        let unit = self.program.unit(context.unit);
        if let Expr::List(items) | Expr::Construct(_, items) = unit.expr(value)
            && let Some(depth) = depth.checked_sub(1)
        {
            let ty = match (unit.expr(value), field) {
                (Expr::Construct(ty, _), _) => self.known(*ty, context).ok(),
                // An array of a class has elements.
                (_, Some(field)) if self.array(field).is_some() => None,
                (_, Some(field)) => self.type_of(field).and_then(|ty| {
                    let inside = Context { unit: field.unit, scope: self.program.decl(field).inside, env: None };
                    self.known(ty, &inside).ok()
                }),
                _ => None,
            };
            if field.is_none() || ty.is_some() || field.is_some_and(|field| self.array(field).is_some()) {
                let mut all = self.listed(items, ty.as_ref(), context, depth)?;
                if let Some(field) = field.filter(|field| self.array(*field).is_some()) {
                    let inside = Context { unit: field.unit, scope: self.program.decl(field).inside, env: None };
                    self.zeros(field, items.len(), &mut all, &inside);
                }
                for (below, value) in all {
                    parts.insert(format!("{part}{below}"), value);
                }
            }
        }
        let value = match self.known(value, context) {
            Ok(Value::Number(number)) => {
                if field.is_some_and(|field| self.is_narrow(field)) {
                    return Ok(());
                }
                Value::Number(Number { literal: false, fixed: false, ..number })
            }
            // An enumerator that no file declares.
            Ok(Value::Named(named)) if named.class.is_none() && named.args.is_none() => Value::Named(named),
            Err(why) if why.reason == Reason::Dependent => return Err(why),
            Err(why) if why.reason == Reason::UnknownName => {
                match Named::unknown(vec![self.program.text(why.site)], None, why.site) {
                    Ok(value) => value,
                    Err(_) => return Ok(()),
                }
            }
            _ => return Ok(()),
        };
        parts.insert(part.to_owned(), value);
        Ok(())
    }

    /// The values that a class itself gives the fields of each of its objects.
    fn defaults(&mut self, class: DeclRef, ty: Option<&Value<'a>>) -> Parts<'a> {
        let mut parts = Parts::new();
        let Some((unit, all)) = fields(self.program, class) else { return parts };
        let env = match ty {
            Some(Value::Named(named)) => named.env.clone(),
            _ => None,
        };
        for name in all {
            let name = self.program.text(Site { unit, span: *name });
            let Some(field) = self.field(class, name) else { continue };
            let of = self.program.decl(field);
            if let DeclKind::Variable { init: Some(init), .. } = of.kind
                && !self.is_narrow(field)
                && let Ok(Value::Number(number)) =
                    self.known(init, &Context { unit, scope: of.inside, env: env.clone() })
            {
                parts.insert(format!(".{name}"), Value::Number(Number { literal: false, fixed: false, ..number }));
            }
        }
        parts
    }

    fn field(&self, class: DeclRef, name: &str) -> Option<DeclRef> {
        let DeclKind::Class { members, .. } = self.program.decl(class).kind else { return None };
        let unit = self.program.unit(class.unit);
        let named = |id: &&DeclId| self.program.text(Site { unit: class.unit, span: unit.decl(**id).name }) == name;
        let id = unit.scope(members).decls.iter().find(named)?;
        Some(DeclRef { unit: class.unit, id: *id })
    }

    /// Whether a field may not have room for a number, or keeps another one.
    fn is_narrow(&self, field: DeclRef) -> bool {
        const NARROW: [&str; 13] = [
            "__half",
            "__nv_bfloat16",
            "bfloat16_t",
            "bool",
            "char",
            "double",
            "float",
            "half_t",
            "int16_t",
            "int8_t",
            "short",
            "uint16_t",
            "uint8_t",
        ];
        let of = self.program.decl(field);
        let span = Span { start: of.span.start, end: of.name.start };
        let ty = self.program.text(Site { unit: field.unit, span });
        // `int ld : 8`
        let after = Span { start: of.name.end, end: of.span.end };
        let bits = self.program.text(Site { unit: field.unit, span: after }).trim_start().starts_with(':');
        bits || NARROW.iter().any(|word| places(ty, word).next().is_some())
    }

    /// The parts of a variable or parameter of a function, at a call.
    fn of_variable(
        &mut self,
        decl: DeclRef,
        inside: &Context<'a>,
        call: Span,
        context: &Context<'a>,
        depth: usize,
    ) -> Resolved<Parts<'a>> {
        let unit = self.program.unit(decl.unit);
        let ty = self.made_of(decl, inside);
        let class = ty.as_ref().and_then(class_of);
        let array = self.array(decl).is_some_and(|stored| !stored.extents.is_empty())
            || unit.lists.binary_search_by_key(&decl.id.0, |(of, _)| of.0).is_ok();
        // What a call gives is known to stay as it is, whatever its type.
        let given = self.given(decl, context);
        let list = array || ty.as_ref().is_some_and(is_list) || (given.is_some() && class.is_none());
        let united = class.is_some_and(|class| {
            let span = self.program.decl(class).span;
            places(self.program.text(Site { unit: class.unit, span }), "union").next().is_some()
        });
        if united || (!list && class.is_none()) {
            return Ok(Parts::new());
        }
        let parts = match given {
            Some(given) => given,
            None => self.declared_with(decl, ty.as_ref(), inside, depth)?,
        };
        self.until(&Variable { decl, list, ty, call, depth }, parts, context)
    }

    /// The type of a variable.
    fn made_of(&mut self, decl: DeclRef, inside: &Context<'a>) -> Option<Value<'a>> {
        let DeclKind::Variable { ty, init, .. } = self.program.decl(decl).kind else { return None };
        let unit = self.program.unit(decl.unit);
        let made = init.and_then(|init| match unit.expr(init) {
            Expr::Construct(ty, _) => Some(*ty),
            _ => None,
        });
        self.known(ty.or(made)?, inside).ok()
    }

    /// What the declaration of a variable gives its parts.
    fn declared_with(
        &mut self,
        decl: DeclRef,
        ty: Option<&Value<'a>>,
        inside: &Context<'a>,
        depth: usize,
    ) -> Resolved<Parts<'a>> {
        let unit = self.program.unit(decl.unit);
        if let Ok(place) = unit.lists.binary_search_by_key(&decl.id.0, |(of, _)| of.0)
            && let Some((_, items)) = unit.lists.get(place)
        {
            let mut parts = self.listed(items, None, inside, depth)?;
            // A longer list was cut.
            if items.len() < MAX_LIST {
                self.zeros(decl, items.len(), &mut parts, inside);
            } else {
                parts.remove(COUNT);
            }
            return Ok(parts);
        }
        let of = self.program.decl(decl);
        let DeclKind::Variable { init, .. } = of.kind else { return Ok(Parts::new()) };
        let Some(init) = init else {
            // What a class says of its objects holds for one that is made here with nothing else.
            let class = ty.and_then(class_of).filter(|_| self.is_plainly_made(decl));
            return Ok(class.map(|class| self.defaults(class, ty)).unwrap_or_default());
        };
        let span = unit.span(init);
        match unit.expr(init) {
            Expr::List(items) => self.listed(items, ty, inside, depth),
            Expr::Construct(of, items) => {
                let own = self.known(*of, inside).ok();
                // What is made of an object of another class is not known.
                let same = own.as_ref().and_then(class_of) == ty.and_then(class_of);
                if same { self.listed(items, ty, inside, depth) } else { Ok(Parts::new()) }
            }
            // None at all.
            _ if self.program.text(Site { unit: decl.unit, span }).replace(char::is_whitespace, "") == "{}" => {
                self.listed(&[], ty, inside, depth)
            }
            // One value in braces.
            _ if self.is_braced(decl, span) => {
                let number = matches!(unit.expr(init), Expr::Number(_));
                if !number && ty.is_some_and(|ty| class_of(ty).is_some()) {
                    return Ok(Parts::new());
                }
                self.listed(&[init], ty, inside, depth)
            }
            // A copy, and no pointer to what is in an array.
            Expr::Path(_) | Expr::Member(..) => {
                let mut parts = self.parts_of(init, of.span, inside, depth)?;
                parts.retain(|part, _| part.starts_with('.'));
                Ok(parts)
            }
            _ => Ok(Parts::new()),
        }
    }

    /// Whether the value with which a variable is declared stands in braces.
    fn is_braced(&self, decl: DeclRef, value: Span) -> bool {
        let after = self.program.decl(decl).name.end;
        let before = Span { start: after.min(value.start), end: value.start };
        let text = |span: Span| self.program.text(Site { unit: decl.unit, span });
        text(value).starts_with('{') || text(before).trim_end().ends_with('{')
    }

    /// What a call gives a parameter.
    pub(super) fn given(&self, decl: DeclRef, context: &Context<'a>) -> Option<Parts<'a>> {
        let home = self.program.decl(decl).home;
        let body = self.program.body(self.program.body_of(decl.unit, home)?);
        let name = self.program.name(decl);
        let named = |param: &Parameter| self.program.text(Site { unit: decl.unit, span: param.name }) == name;
        let index = body.params.iter().position(named)?;
        let mut frame = context.env.as_ref();
        while let Some(known) = frame {
            if known.key == (decl.unit, home) {
                return known.parts_of(index).cloned();
            }
            frame = known.outer.as_ref();
        }
        None
    }

    /// What is left of parts on the way from a declaration to a call, with what statements there give them.
    fn until(&mut self, of: &Variable<'a>, mut parts: Parts<'a>, context: &Context<'a>) -> Resolved<Parts<'a>> {
        let (program, call) = (self.program, of.call);
        let unit = program.unit(of.decl.unit);
        let declared = program.decl(of.decl);
        let begin = declared.span.end;
        if of.decl.unit != context.unit || begin > call.start || unit.exprs.len() > MAX_EXPRESSIONS {
            return Ok(Parts::new());
        }
        // A loop comes back to the call, and a lambda is called later.
        let mut end = call.start;
        for around in unit.repeated.iter().filter(|around| around.span.contains(call) && around.span.start >= begin) {
            let function = function_around(program, of.decl.unit, declared.home).filter(|_| around.lambda);
            end = end.max(function.map_or(around.span.end, |function| program.body(function).span.end));
        }
        // What the function does later holds when it is called again.
        if self.outlives(of.decl)
            && let Some(function) = function_around(program, of.decl.unit, declared.home)
        {
            end = end.max(program.body(function).span.end);
        }
        let region = Span { start: begin, end };
        if region.range().len() > MAX_SEARCHED {
            return Ok(Parts::new());
        }
        let Some(around) = function_around(program, of.decl.unit, declared.home) else { return Ok(Parts::new()) };
        let function = program.body(around).span;
        if !(function.contains(region) && function.range().len() <= MAX_SEARCHED) {
            return Ok(Parts::new());
        }
        let code = self.evaluator.code_of(Site { unit: of.decl.unit, span: function });
        let inner = |at: u32| at.saturating_sub(function.start) as usize;
        let region = code.get(inner(begin)..inner(end)).unwrap_or_default();
        let name = program.name(of.decl);
        let lambdas = region.contains("[&") || region.contains("[=");
        if places(region, "goto").next().is_some()
            || places(region, name).take(MAX_PLACES + 1).count() > MAX_PLACES
            || code.is_hidden(name)
        {
            return Ok(Parts::new());
        }
        let by_value = |given: &Given<'_>| program.copies(of.decl.unit, given);
        let only_reads = |word: &str, index: usize, at: usize| {
            describes(unit, function.start as usize + at) || only_reads(program, word, index, MAX_DEPTH)
        };
        let uses = Uses { code: &code, name, list: of.list, by_value: &by_value, only_reads: &only_reads };
        let mut lost: Vec<String> = Vec::new();
        for at in places(region, name).map(|at| at + inner(begin)) {
            let place = function.start + u32::try_from(at).unwrap_or(u32::MAX);
            if (call.start..call.end).contains(&place) {
                continue;
            }
            let part = match uses.at(at) {
                Touch::Reads => continue,
                Touch::Loses(part) => {
                    lost.push(part);
                    continue;
                }
                Touch::Sets(part) | Touch::Clears(part) if place >= call.start => {
                    lost.push(part);
                    continue;
                }
                Touch::Sets(part) => {
                    let found = unit.assigned.binary_search_by_key(&place, |of| of.target.start).ok();
                    let found = found.and_then(|at| unit.assigned.get(at)).filter(|of| of.block.contains(call));
                    if let Some(found) = found {
                        parts.retain(|known, _| !is_of(known, &part));
                        let there = Context { scope: found.scope, ..context.clone() };
                        self.set(&mut parts, of, &part, found.value, &there)?;
                        continue;
                    }
                    part
                }
                Touch::Clears(part) => part,
            };
            // A lambda that stands there may be called anywhere after.
            if lambdas {
                lost.push(part);
            } else {
                parts.retain(|known, _| !is_of(known, &part));
            }
        }
        parts.retain(|part, _| !lost.iter().any(|lost| is_of(part, lost)));
        Ok(parts)
    }

    /// What a statement gives a part.
    fn set(
        &mut self,
        parts: &mut Parts<'a>,
        of: &Variable<'a>,
        part: &str,
        value: ExprId,
        context: &Context<'a>,
    ) -> Resolved<()> {
        if parts.len() > MAX_PARTS {
            return Ok(());
        }
        if part.is_empty() {
            let unit = self.program.unit(context.unit);
            let (items, ty): (&[ExprId], _) = match unit.expr(value) {
                Expr::Construct(ty, items) => (items, self.known(*ty, context).ok()),
                Expr::List(items) => (items, of.ty.clone()),
                _ => return Ok(()),
            };
            if ty.is_some() {
                parts.extend(self.listed(items, ty.as_ref(), context, of.depth)?);
            }
            return Ok(());
        }
        let name = part.strip_prefix('.').filter(|name| !name.contains(['.', '[']));
        let class = of.ty.as_ref().and_then(class_of);
        let field = class.zip(name).and_then(|(class, name)| self.field(class, name));
        self.put(parts, part, value, field, context, of.depth)
    }

    /// A context in which it is known what parts variables have that some expressions ask for, at a place.
    pub(super) fn knowing(&mut self, exprs: &[ExprId], at: Span, context: &Context<'a>) -> Context<'a> {
        let unit = self.program.unit(context.unit);
        let mut open: Vec<(ExprId, bool)> = exprs.iter().map(|expr| (*expr, false)).collect();
        let mut locals: Vec<(DeclRef, Parts<'a>)> = Vec::new();
        for _ in 0..MAX_PARTS {
            let Some((expr, part)) = open.pop() else { break };
            match unit.expr(expr) {
                Expr::Path(path) if part => {
                    let [only] = path.segments.as_slice() else { continue };
                    let Some((decl, inside)) = self.local(only.name, context) else { continue };
                    if !locals.iter().any(|(of, _)| *of == decl) && self.given(decl, context).is_none() {
                        let parts = self.of_variable(decl, &inside, at, context, MAX_DEPTH).unwrap_or_default();
                        if !parts.is_empty() {
                            locals.push((decl, parts));
                        }
                    }
                }
                Expr::Member(of, _) => open.push((*of, true)),
                Expr::Element(of, index) => open.extend([(*of, true), (*index, false)]),
                Expr::Call(callee, args) | Expr::Construct(callee, args) => {
                    open.push((*callee, false));
                    open.extend(args.iter().map(|arg| (*arg, false)));
                }
                Expr::List(items) => open.extend(items.iter().map(|item| (*item, false))),
                Expr::Unary(_, of) | Expr::Pack(of) | Expr::Designated(_, of) => open.push((*of, false)),
                Expr::Binary(_, a, b) => open.extend([(*a, false), (*b, false)]),
                Expr::Conditional(a, b, c) => open.extend([(*a, false), (*b, false), (*c, false)]),
                _ => {}
            }
        }
        if locals.is_empty() {
            return context.clone();
        }
        Context { env: Some(Rc::new(Frame::of_locals(context.unit, locals, context.env.clone()))), ..context.clone() }
    }

    /// What is known where a function is called or a kernel is launched: parts that its arguments ask for.
    pub(super) fn knowing_call(&mut self, call: &Start, context: &Context<'a>) -> Context<'a> {
        let exprs: Vec<ExprId> = call.args.iter().copied().chain(call.block).collect();
        self.knowing(&exprs, self.of_call(call, context), context)
    }

    /// Where a call stands, from what is called to its last argument.
    fn of_call(&self, call: &Start, context: &Context<'a>) -> Span {
        let unit = self.program.unit(context.unit);
        let start = unit.span(call.kernel).start;
        let ends = call.args.iter().chain(&call.block).map(|arg| unit.span(*arg).end);
        Span { start, end: ends.max().unwrap_or(start) }
    }

    /// The values of the parameters of a function, with the parts of those that a call gives it and that it leaves as they are.
    pub(super) fn handed(
        &mut self,
        body: BodyRef,
        call: &Start,
        context: &Context<'a>,
        env: Bindings<'a>,
    ) -> Bindings<'a> {
        let frame = env?;
        let span = self.of_call(call, context);
        let mut all = Vec::new();
        let of = self.program.body(body);
        for (index, (param, arg)) in of.params.iter().zip(&call.args).enumerate() {
            let inside = Context { unit: body.unit, scope: of.scope, env: Some(Rc::clone(&frame)) };
            if let Some(known) = self.passed_index(body, param, *arg, call, context) {
                all.push((index, known));
                continue;
            }
            let Some(mut parts) = self.handed_on(param, *arg, span, &inside, context) else { continue };
            keep(self.program, body, param, &mut parts);
            if !parts.is_empty() {
                all.push((index, parts));
            }
        }
        Some(if all.is_empty() { frame } else { Rc::new(frame.with_parts(all)) })
    }

    /// The parts of an argument, where a parameter has them too.
    fn handed_on(
        &mut self,
        param: &Parameter,
        arg: ExprId,
        call: Span,
        inside: &Context<'a>,
        context: &Context<'a>,
    ) -> Option<Parts<'a>> {
        let unit = self.program.unit(context.unit);
        let expr = unit.expr(arg);
        if matches!(
            expr,
            Expr::Number(_) | Expr::Binary(..) | Expr::Unary(..) | Expr::Conditional(..) | Expr::Sizeof(_)
        ) {
            return None;
        }
        if let Some(atom) = self.atom(arg, context) {
            return Some(Parts::from([(ATOM.to_owned(), atom)]));
        }
        let said = self.program.text(Site { unit: inside.unit, span: param_span(self.program, inside, param)? });
        let ty = param.ty.map(|ty| self.known(ty, inside));
        if let Expr::List(items) = expr {
            let ty = ty.and_then(Resolved::ok);
            let ty = ty.filter(|ty| class_of(ty).is_some() || is_list(ty));
            if ty.is_none() && !said.contains('[') {
                return None;
            }
            return self.listed(items, ty.as_ref(), context, MAX_DEPTH).ok();
        }
        let parts = self.parts(arg, call, context).ok().filter(|parts| !parts.is_empty())?;
        let word = self.program.text(Site { unit: inside.unit, span: param.word });
        // The parameter has the argument's own type.
        let own = word == "auto" || is_template_parameter(self.program, inside, word);
        let array = parts.keys().all(|part| part.starts_with('['));
        let takes = if array {
            said.contains(['*', '[']) || matches!(&ty, Some(Ok(ty)) if is_list(ty))
        } else {
            let of = self.class_of_argument(arg, context);
            !said.contains('*') && matches!(&ty, Some(Ok(ty)) if class_of(ty).is_some() && class_of(ty) == of)
        };
        (own || takes).then_some(parts)
    }

    /// The class of an object that is an argument.
    fn class_of_argument(&mut self, arg: ExprId, context: &Context<'a>) -> Option<DeclRef> {
        let unit = self.program.unit(context.unit);
        let ty = match unit.expr(arg) {
            Expr::Construct(ty, _) => self.known(*ty, context).ok()?,
            Expr::Call(_, args) => return self.class_of_argument(*args.first()?, context),
            _ => {
                let (decl, inside) = self.declared(arg, context).ok()??;
                match self.made_of(decl, &inside) {
                    Some(ty) => ty,
                    None => self.type_of(decl).and_then(|ty| self.known(ty, &inside).ok())?,
                }
            }
        };
        class_of(&ty)
    }

    /// The atom of `make_tiled_copy_A(atom, mma)`, or of a variable that is made so.
    fn atom(&mut self, expr: ExprId, context: &Context<'a>) -> Option<Value<'a>> {
        let unit = self.program.unit(context.unit);
        let Expr::Call(callee, args) = unit.expr(expr) else {
            let (decl, inside) = self.declared(expr, context).ok()??;
            let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return None };
            return match self.program.unit(inside.unit).expr(init) {
                Expr::Call(..) => self.atom(init, &inside),
                _ => None,
            };
        };
        let (Expr::Path(path), [atom, _]) = (unit.expr(*callee), args.as_slice()) else { return None };
        let name = path.segments.last().map_or("", |part| self.text(context, part.name));
        if !matches!(name, "make_tiled_copy_A" | "make_tiled_copy_B" | "make_tiled_copy_C") {
            return None;
        }
        self.object(*atom, context).ok()
    }

    /// What a call gives a parameter as the atom of a tiled copy.
    pub(super) fn given_atom(&self, decl: DeclRef, context: &Context<'a>) -> Option<Value<'a>> {
        self.given(decl, context)?.get(ATOM).cloned()
    }
}

/// A variable, and where it is asked for its parts.
struct Variable<'a> {
    decl: DeclRef,
    /// Whether it is an array or a container.
    list: bool,
    ty: Option<Value<'a>>,
    call: Span,
    depth: usize,
}

/// The class of an object of some type.
fn class_of(ty: &Value<'_>) -> Option<DeclRef> {
    match ty {
        Value::Named(named) if !is_list(ty) => named.class,
        _ => None,
    }
}

/// Whether objects of some type are filled element by element.
fn is_list(ty: &Value<'_>) -> bool {
    match ty {
        Value::Named(named) => {
            let known = named.class.is_none() || matches!(named.path.first(), Some(&"cute" | &"cutlass"));
            known && LISTS.contains(&named.name())
        }
        _ => false,
    }
}

/// The fields of a class in the order in which braces fill them.
fn fields<'a>(program: &Program<'a>, class: DeclRef) -> Option<(u32, &'a [Span])> {
    let all = &program.unit(class.unit).fields;
    let at = all.binary_search_by_key(&class.id, |(id, _)| *id).ok()?;
    all.get(at).map(|(_, fields)| (class.unit, fields.as_slice()))
}

/// Whether a part is another one, or a part of that.
fn is_of(part: &str, whole: &str) -> bool {
    part.strip_prefix(whole).is_some_and(|rest| whole.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The parts of a part.
fn below<'a>(parts: &Parts<'a>, whole: &str) -> Parts<'a> {
    let all = parts.iter().filter(|(part, _)| is_of(part, whole) && part.len() > whole.len());
    all.map(|(part, value)| (part.get(whole.len()..).unwrap_or_default().to_owned(), value.clone())).collect()
}

/// A parameter with its type.
fn param_span(program: &Program<'_>, inside: &Context<'_>, param: &Parameter) -> Option<Span> {
    let unit = program.unit(inside.unit);
    let mut decls = unit.scope(inside.scope).decls.iter().map(|id| unit.decl(*id));
    decls.find(|decl| decl.name == param.name).map(|decl| decl.span)
}

fn is_template_parameter(program: &Program<'_>, inside: &Context<'_>, word: &str) -> bool {
    let unit = program.unit(inside.unit);
    let around = unit.scope(inside.scope).parent.map(|id| &unit.scope(id).kind);
    let Some(crate::ast::ScopeKind::Template(params)) = around else { return false };
    params.iter().any(|param| program.text(Site { unit: inside.unit, span: param.name }) == word)
}

/// Leaves out what a function may change of a parameter.
fn keep(program: &Program<'_>, body: BodyRef, param: &Parameter, parts: &mut Parts<'_>) {
    let lost = lost(program, body, param, MAX_DEPTH);
    parts.retain(|part, _| part == ATOM || !lost.iter().any(|lost| is_of(part, lost)));
}

/// The parts of a parameter that a function may change.
fn lost(program: &Program<'_>, body: BodyRef, param: &Parameter, depth: usize) -> Vec<String> {
    let all = || vec![String::new()];
    let of = program.body(body);
    let inside = Context { unit: body.unit, scope: of.scope, env: None };
    let Some(span) = param_span(program, &inside, param) else { return all() };
    let said = program.text(Site { unit: body.unit, span });
    // What is constant up to a pointer's star stays so.
    if said.split('*').next().is_some_and(|before| places(before, "const").next().is_some())
        && said.matches('*').count() < 2
    {
        return Vec::new();
    }
    let text = program.text(Site { unit: body.unit, span: of.span });
    let name = program.text(Site { unit: body.unit, span: param.name });
    let (Some(depth), Some(declared)) = (depth.checked_sub(1), param.name.start.checked_sub(of.span.start)) else {
        return all();
    };
    if text.len() > MAX_SEARCHED {
        return all();
    }
    let code = Code::new(text, program.file(body.unit));
    if code.is_hidden(name) {
        return all();
    }
    if places(&code, name).take(MAX_PLACES + 1).count() > MAX_PLACES {
        return all();
    }
    let list = said.contains(['*', '[']) || LISTS.iter().any(|word| places(said, word).next().is_some());
    let by_value = |given: &Given<'_>| program.copies(body.unit, given);
    let begin = of.span.start as usize;
    let only_reads = |word: &str, index: usize, at: usize| {
        describes(program.unit(body.unit), begin + at) || only_reads(program, word, index, depth)
    };
    let uses = Uses { code: &code, name, list, by_value: &by_value, only_reads: &only_reads };
    places(&code, name)
        .filter(|at| *at != declared as usize)
        .filter_map(|at| match uses.at(at) {
            Touch::Reads => None,
            Touch::Sets(part) | Touch::Clears(part) | Touch::Loses(part) => Some(part),
        })
        .collect()
}

/// Whether a place is in a call that makes a descriptor: the driver's function takes pointers to constants.
fn describes(unit: &Unit, at: usize) -> bool {
    unit.calls.iter().any(|(call, _)| {
        let span = unit.span(*call);
        matches!(unit.expr(*call), Expr::Call(_, args) if encodes(args)) && span.range().contains(&at)
    })
}

/// Whether every function of a name only reads the array that it is given as one of its arguments.
fn only_reads(program: &Program<'_>, word: &str, index: usize, depth: usize) -> bool {
    let bodies = program.bodies(word);
    let plain = |body: &BodyRef| {
        let file = program.sources().get(program.unit(body.unit).file).map_or("", |source| source.text.as_str());
        let read = bodies.iter().filter(|other| other.unit == body.unit).count();
        let param = program.body(*body).params.get(index);
        crate::mentions::count(file, word) <= read
            && param.is_some_and(|param| lost(program, *body, param, depth).is_empty())
    };
    depth > 0 && !bodies.is_empty() && bodies.iter().all(plain)
}
