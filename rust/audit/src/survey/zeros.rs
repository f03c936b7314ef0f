//! What braces leave out, which is zero in C++: `cuuint32_t steps[2] = {1};`, `Args args{};`. And how many elements a list has, for whom asks
//! for the rank by that.

use super::parts::COUNT;
use super::shared::Looker;
use crate::ast::{DeclKind, Expr, ExprId, Op, Span};
use crate::eval::{Context, DeclRef, Number, Parts, Resolved, Value, is_integer_type};

/// Elements of one array that are told.
const MAX_ELEMENTS: u64 = 64;

/// Casts around the number of elements.
const MAX_CASTS: usize = 4;

impl<'a> Looker<'_, 'a> {
    /// The elements of an array, from one on, that braces leave at zero; and how many it has.
    pub(super) fn zeros(&mut self, array: DeclRef, given: usize, parts: &mut Parts<'a>, inside: &Context<'a>) {
        let Some(extent) = self.array(array).and_then(|stored| match stored.extents.as_slice() {
            [only] => Some(*only),
            _ => None,
        }) else {
            return;
        };
        let Ok(Value::Number(extent)) = self.known(extent, inside) else {
            parts.remove(COUNT);
            return;
        };
        let Ok(count) = u64::try_from(extent.value) else { return };
        parts.insert(COUNT.to_owned(), number(count, extent));
        if count > MAX_ELEMENTS || !self.holds_integers(array, inside) {
            return;
        }
        let given = u64::try_from(given).unwrap_or(u64::MAX);
        for index in given..count {
            parts.insert(format!("[{index}]"), number(0, extent));
        }
    }

    /// The fields of an object that braces leave at zero, but for those in a list.
    pub(super) fn zero_field(&mut self, field: DeclRef, name: &str, parts: &mut Parts<'a>, inside: &Context<'a>) {
        if self.array(field).is_some() {
            let mut elements = Parts::new();
            self.zeros(field, 0, &mut elements, inside);
            parts.extend(elements.into_iter().map(|(part, value)| (format!(".{name}{part}"), value)));
            return;
        }
        if let DeclKind::Variable { init: None, .. } = self.program.decl(field).kind
            && self.holds_integers(field, inside)
        {
            let of = self.program.decl(field);
            let site = crate::ast::Site { unit: field.unit, span: of.name };
            parts.insert(format!(".{name}"), Value::Number(Number::of(0, site, false)));
        }
    }

    /// Whether a variable or field is an integer, or an array of them, by the words of its type.
    fn holds_integers(&mut self, decl: DeclRef, inside: &Context<'a>) -> bool {
        let of = self.program.decl(decl);
        let before = self
            .program
            .text(crate::ast::Site { unit: decl.unit, span: Span { start: of.span.start, end: of.name.start } });
        if before.contains(['*', '&', ',', '(']) {
            return false;
        }
        let stored = self.array(decl).and_then(|stored| stored.ty);
        let ty = match of.kind {
            DeclKind::Variable { ty, .. } => ty.or(stored),
            _ => stored,
        };
        match ty {
            Some(ty) => match self.known(ty, inside) {
                Ok(Value::Named(named)) => {
                    named.class.is_none() && (is_integer_type(named.name()) || named.name().starts_with("cuuint"))
                }
                _ => false,
            },
            // A type of the language.
            None => before.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).any(is_integer_type),
        }
    }

    /// How many elements a list has that is asked for its size, in a number or in so many words: `dims.size()`,
    /// `sizeof(dims) / sizeof(dims[0])`.
    pub(super) fn rank(&mut self, expr: ExprId, call: Span, context: &Context<'a>) -> Resolved<Option<u64>> {
        let why = match self.known(expr, context) {
            Ok(Value::Number(rank)) => return Ok(u64::try_from(rank.value).ok()),
            Ok(_) => return Ok(None),
            Err(why) => why,
        };
        let Some(list) = self.counted_list(expr, context) else {
            return if why.reason == crate::eval::Reason::Dependent { Err(why) } else { Ok(None) };
        };
        let parts = self.parts(list, call, context)?;
        Ok(match parts.get(COUNT) {
            Some(Value::Number(count)) => u64::try_from(count.value).ok(),
            _ => None,
        })
    }

    /// The list of which an expression is the number of elements.
    fn counted_list(&mut self, expr: ExprId, context: &Context<'a>) -> Option<ExprId> {
        let unit = self.program.unit(context.unit);
        let mut at = expr;
        for _ in 0..MAX_CASTS {
            match unit.expr(at) {
                Expr::Call(callee, args) => match (unit.expr(*callee), args.as_slice()) {
                    (Expr::Member(of, method), []) if self.text(context, method.name) == "size" => return Some(*of),
                    (Expr::Path(path), [only]) => {
                        let last = path.segments.last()?;
                        let name = self.text(context, last.name);
                        if name == "size" && path.segments.len() > 1 {
                            let first = path.segments.first()?;
                            return (self.text(context, first.name) == "std").then_some(*only);
                        }
                        if name != "static_cast" && !is_integer_type(name) && !name.starts_with("cuuint") {
                            return None;
                        }
                        at = *only;
                    }
                    _ => return None,
                },
                // `int rank = dims.size();`
                Expr::Path(path) => {
                    let [only] = path.segments.as_slice() else { return None };
                    let (decl, _) = self.local(only.name, context)?;
                    let DeclKind::Variable { init: Some(init), .. } = self.program.decl(decl).kind else { return None };
                    if decl.unit != context.unit || !self.evaluator.is_settled(decl) {
                        return None;
                    }
                    at = init;
                }
                Expr::Binary(Op::Div, all, one) => {
                    let (Expr::Sizeof(all), Expr::Sizeof(one)) = (unit.expr(*all), unit.expr(*one)) else {
                        return None;
                    };
                    let of = match unit.expr(*one) {
                        Expr::Element(of, _) | Expr::Array(of, _) => *of,
                        _ => return None,
                    };
                    let said = |expr: ExprId| self.said(context, expr).trim_matches(['(', ')', ' ']);
                    return (said(of) == said(*all)).then_some(*all);
                }
                _ => return None,
            }
        }
        None
    }
}

fn number<'a>(value: u64, of: Number) -> Value<'a> {
    Value::Number(Number::of(i128::from(value), of.site, false))
}
