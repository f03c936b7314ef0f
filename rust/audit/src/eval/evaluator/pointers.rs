//! What pointers point to that are arguments of a kernel: `T const*` that is given a `float const*` makes T a `float`.

use super::{Context, Evaluator, traits};
use crate::ast::{DeclKind, Expr, ExprId, Op, Parameter, Path, Site, Span};
use crate::eval::program::{BodyRef, DeclRef};
use crate::eval::reason::{Reason, Unresolved};
use crate::eval::value::{Named, Value};

/// Expressions that are followed from one to the next.
const MAX_STEPS: usize = 8;

/// Words of a type that do not say what it is.
const QUALIFIERS: [&str; 12] = [
    "__restrict",
    "__restrict__",
    "const",
    "constexpr",
    "extern",
    "inline",
    "register",
    "restrict",
    "static",
    "struct",
    "typename",
    "volatile",
];

/// Types of several words, as one.
const WORDS: [(&str, &str); 6] = [
    ("signed char", "int8_t"),
    ("unsigned", "uint32_t"),
    ("unsigned char", "uint8_t"),
    ("unsigned int", "uint32_t"),
    ("unsigned long long", "uint64_t"),
    ("unsigned short", "uint16_t"),
];

/// Classes that hold elements of their first argument, to which `data` and `get` point.
const HOLDERS: [&str; 7] =
    ["DeviceAllocation", "array", "device_vector", "host_vector", "universal_vector", "unique_ptr", "vector"];

impl<'a> Evaluator<'a> {
    /// The values of arguments as types of parameters are matched with them: of a pointer for a pointer, what it points to.
    pub(super) fn pointed(
        &mut self,
        body: BodyRef,
        args: &[ExprId],
        given: &[Value<'a>],
        context: &Context<'a>,
    ) -> Vec<Value<'a>> {
        let params = &self.program.body(body).params;
        let mut all = given.to_vec();
        for ((param, arg), value) in params.iter().zip(args).zip(&mut all) {
            if !self.is_pointer(body, param) || value.hangs().is_some() {
                continue;
            }
            let site = Self::site(context, self.program.unit(context.unit).span(*arg));
            match self.pointee(*arg, context, MAX_STEPS) {
                Some(of) => *value = of,
                // What is cast is of another type.
                None if self.is_cast(*arg, context) => {
                    *value = Value::Opaque(Unresolved { reason: Reason::RunTime, site });
                }
                None => {}
            }
        }
        all
    }

    /// Whether a parameter is a pointer of one star.
    fn is_pointer(&self, body: BodyRef, param: &Parameter) -> bool {
        let unit = self.program.unit(body.unit);
        let decls = unit.scope(self.program.body(body).scope).decls.iter().map(|id| unit.decl(*id));
        let mut own = decls.filter(|decl| decl.name == param.name && param.name != Span::default());
        own.next().is_some_and(|decl| {
            let before = Span { end: decl.name.start, ..decl.span };
            let before = self.program.text(Site { unit: body.unit, span: before });
            before.matches('*').count() == 1 && !before.contains('&')
        })
    }

    /// Whether something is a cast of a name, of which the name alone is kept.
    fn is_cast(&self, expr: ExprId, context: &Context<'a>) -> bool {
        let unit = self.program.unit(context.unit);
        match unit.expr(expr) {
            Expr::Path(path) => {
                path.segments.last().is_some_and(|last| last.args.is_none()) && {
                    let first = path.segments.first().map(|first| first.name.start);
                    first != Some(unit.span(expr).start)
                }
            }
            _ => false,
        }
    }

    /// The type of what a pointer points to.
    fn pointee(&mut self, expr: ExprId, context: &Context<'a>, left: usize) -> Option<Value<'a>> {
        let left = left.checked_sub(1)?;
        let unit = self.program.unit(context.unit);
        let text = |span: Span| self.program.text(Self::site(context, span));
        let span = unit.span(expr);
        if let Some(rest) = text(span).strip_prefix('(') {
            // `(float const*)data`
            let (ty, _) = rest.split_once(')')?;
            return of_words(ty.trim_end().strip_suffix('*')?, Self::site(context, span));
        }
        match unit.expr(expr) {
            Expr::Path(path) => self.pointee_of_variable(path, context, left),
            Expr::Binary(Op::Add | Op::Sub, of, _) => self.pointee(*of, context, left),
            Expr::Call(callee, args) => match (unit.expr(*callee), args.as_slice()) {
                (Expr::Path(path), [only]) => {
                    let last = path.segments.last()?;
                    match (text(last.name), last.args.as_deref()) {
                        ("static_cast" | "reinterpret_cast" | "const_cast", Some([ty])) => {
                            let ty = text(unit.span(*ty)).trim_end().strip_suffix('*')?;
                            of_words(ty, Self::site(context, span))
                        }
                        ("raw_pointer_cast" | "to_address" | "data", None) => self.pointee(*only, context, left),
                        _ => None,
                    }
                }
                (Expr::Member(of, method), []) => match (text(method.name), method.args.as_deref()) {
                    ("data_ptr" | "const_data_ptr" | "mutable_data_ptr", Some([ty])) => self.eval(*ty, context).ok(),
                    ("data" | "get" | "begin", None) => match unit.expr(*of) {
                        Expr::Path(path) => self.held(path, context),
                        // `v.data().get()`
                        _ => self.pointee(*of, context, left),
                    },
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    fn variable(&mut self, path: &'a Path, context: &Context<'a>) -> Option<(DeclRef, Context<'a>)> {
        let [segment] = path.segments.as_slice() else { return None };
        let site = Self::site(context, segment.name);
        let (decls, env) = self.variables(self.program.text(site), context, segment.name.start, site).ok()?;
        let [decl] = decls.as_slice() else { return None };
        Some((*decl, Context { unit: decl.unit, scope: self.program.decl(*decl).inside, env }))
    }

    /// What a variable points to.
    fn pointee_of_variable(&mut self, path: &'a Path, context: &Context<'a>, left: usize) -> Option<Value<'a>> {
        let (decl, inside) = self.variable(path, context)?;
        let of = self.program.decl(decl);
        let before = self.program.text(Site { unit: decl.unit, span: Span { end: of.name.start, ..of.span } });
        // `float *a, *b;`
        let (base, own) = match before.rsplit_once(',') {
            Some((_, own)) => (before.split(['*', ',']).next()?, own),
            None => (before.split('*').next()?, before),
        };
        if base.split_whitespace().any(|word| word.starts_with("auto")) {
            let DeclKind::Variable { init: Some(init), .. } = of.kind else { return None };
            return self.pointee(init, &inside, left);
        }
        if own.matches('*').count() != 1 || before.contains(['&', '(', '=']) {
            return None;
        }
        let stored = &self.program.unit(decl.unit).stored;
        let refers = || {
            let at = stored.binary_search_by_key(&decl.id, |stored| stored.decl).ok()?;
            stored.get(at).filter(|stored| stored.extents.is_empty()).and_then(|stored| stored.ty)
        };
        let ty = match of.kind {
            DeclKind::Variable { ty, .. } => ty.or_else(refers),
            DeclKind::RunTime => refers(),
            _ => return None,
        };
        match ty {
            Some(ty) => match self.eval(ty, &inside) {
                Ok(value @ (Value::Named(_) | Value::Param(..))) => Some(value),
                _ => None,
            },
            None => of_words(base, Site { unit: decl.unit, span: of.name }),
        }
    }

    /// What the elements are that a variable holds.
    fn held(&mut self, path: &'a Path, context: &Context<'a>) -> Option<Value<'a>> {
        let (decl, inside) = self.variable(path, context)?;
        let DeclKind::Variable { ty: Some(ty), .. } = self.program.decl(decl).kind else { return None };
        let Ok(Value::Named(named)) = self.eval(ty, &inside) else { return None };
        match named.args.as_deref() {
            Some([of @ (Value::Named(_) | Value::Param(..)), ..]) if HOLDERS.contains(&named.name()) => {
                Some(of.clone())
            }
            _ => None,
        }
    }
}

/// A type in words, where it is one whose size is known.
fn of_words<'a>(text: &'a str, site: Site) -> Option<Value<'a>> {
    let words = text.split_whitespace().filter(|word| !QUALIFIERS.contains(word));
    let words: Vec<&'a str> = words.take(4).collect();
    let joined = words.join(" ");
    let known = WORDS.iter().find(|(words, _)| *words == joined).map(|(_, name)| *name);
    let path: Vec<&'a str> = match (known, words.as_slice()) {
        (Some(name), _) => vec![name],
        (None, [only]) => only.split("::").filter(|part| !part.is_empty()).collect(),
        _ => return None,
    };
    let value = Named::unknown(path, None, site).ok()?;
    traits::bits_of(&value, site).ok().map(|_| value)
}
