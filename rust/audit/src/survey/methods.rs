//! Which function of a class a call means: `op(params)`, `op.run(x)`, `Mainloop::mma(x)`, `load(x)` in the class itself; with the values of the
//! parameters of the templates around it.

use std::rc::Rc;

use super::shared::Looker;
use super::tiled::MAX_SEARCHED;
use crate::ast::{DeclKind, Expr, ExprId, Path, Segment, Site, Span};
use crate::eval::{Bindings, BodyRef, Context, DeclRef, Named, Program, Value};
use crate::source::{closing, last_word, places};

/// The function that a call of an object means.
pub(super) const CALL_OPERATOR: &str = "operator()";

/// Places of one name in a class.
const MAX_PLACES: usize = 512;

/// Bases of bases.
const MAX_DEPTH: usize = 3;

/// A function that is called.
pub(super) struct Meant<'a> {
    pub body: BodyRef,
    /// The template arguments that are written.
    pub explicit: &'a [ExprId],
    /// The values of the parameters of the templates around it.
    pub outer: Bindings<'a>,
}

impl<'a> Looker<'_, 'a> {
    /// The function of a class that a call means; none where it may be another.
    pub(super) fn method(&mut self, callee: ExprId, count: usize, context: &Context<'a>) -> Option<Meant<'a>> {
        let (program, unit) = (self.program, self.program.unit(context.unit));
        let args = |segment: &'a Segment| segment.args.as_deref().unwrap_or_default();
        match unit.expr(callee) {
            Expr::Path(path) => match path.segments.as_slice() {
                [only] if self.local(only.name, context).is_some() => {
                    let of = self.class_of_object(callee, context)?;
                    self.of_class(&of, CALL_OPERATOR, count, &[])
                }
                [only] => {
                    let class = program.class_of_scope(context.unit, context.scope)?;
                    let body = self.own_method(class, self.text(context, only.name), count, context)?;
                    Some(Meant { body, explicit: args(only), outer: context.env.clone() })
                }
                [.., last] => {
                    let site = Site { unit: context.unit, span: unit.span(callee) };
                    let of = self.evaluator.owner(path, site, context)?;
                    self.of_class(&of, self.text(context, last.name), count, args(last))
                }
                [] => None,
            },
            Expr::Member(object, last) if self.said(context, *object) == "this" => {
                let class = program.class_of_scope(context.unit, context.scope)?;
                let body = self.own_method(class, self.text(context, last.name), count, context)?;
                Some(Meant { body, explicit: args(last), outer: context.env.clone() })
            }
            Expr::Member(object, last) => {
                let of = self.class_of_object(*object, context)?;
                self.of_class(&of, self.text(context, last.name), count, args(last))
            }
            // `Op{}(params)`
            Expr::Construct(..) | Expr::Call(..) => {
                let of = self.class_of_object(callee, context)?;
                self.of_class(&of, CALL_OPERATOR, count, &[])
            }
            _ => None,
        }
    }

    /// The class of an object.
    fn class_of_object(&mut self, object: ExprId, context: &Context<'a>) -> Option<Rc<Named<'a>>> {
        let class = |value: Value<'a>| match value {
            Value::Named(named) if named.class.is_some() => Some(named),
            _ => None,
        };
        self.object(object, context).ok().and_then(class).or_else(|| {
            let (decl, inside) = self.declared(object, context).ok()??;
            let ty = self.type_of(decl)?;
            self.known(ty, &inside).ok().and_then(class)
        })
    }

    /// The only function of a name in the class around, where no heir may have another.
    fn own_method(&mut self, class: DeclRef, name: &'a str, count: usize, context: &Context<'a>) -> Option<BodyRef> {
        let body = self.only_method(class, name, Some(count))?;
        (!self.evaluator.is_overridden(class, &[body], context)).then_some(body)
    }

    /// The only function of a name in a class, or in the only base of one that has none.
    pub(super) fn of_class(
        &mut self,
        of: &Rc<Named<'a>>,
        name: &'a str,
        count: usize,
        explicit: &'a [ExprId],
    ) -> Option<Meant<'a>> {
        let mut of = Rc::clone(of);
        for _ in 0..MAX_DEPTH {
            let class = of.class?;
            if let Some(body) = self.only_method(class, name, Some(count)) {
                // Behind a reference, it may be an heir.
                let scope = self.program.decl(class).inside;
                let inside = Context { unit: class.unit, scope, env: of.env.clone() };
                if self.evaluator.is_overridden(class, &[body], &inside) {
                    return None;
                }
                return Some(Meant { body, explicit, outer: of.env.clone() });
            }
            if names(self.program, class, name) {
                return None;
            }
            match self.evaluator.bases(class, &of.env).as_slice() {
                [Value::Named(base)] => of = Rc::clone(base),
                _ => return None,
            }
        }
        None
    }

    /// The only function of a name in a class that takes so many arguments, or any of that name; none where another may be meant, which was not
    /// read, or which a class deriving from it has.
    pub(super) fn only_method(&mut self, class: DeclRef, name: &'a str, count: Option<usize>) -> Option<BodyRef> {
        let program = self.program;
        let DeclKind::Class { members, .. } = program.decl(class).kind else { return None };
        let own = |body: &&BodyRef| body.unit == class.unit && program.body(**body).home == members;
        let all: Vec<BodyRef> = program.bodies(name).iter().filter(own).copied().collect();
        let takes = |body: &&BodyRef| count.is_none_or(|count| program.body(**body).takes(count));
        let mut fitting = all.iter().filter(takes);
        let (Some(only), None) = (fitting.next(), fitting.next()) else { return None };
        let read = *self.evaluator.read.entry((class, name)).or_insert_with(|| {
            let text = program.text(Site { unit: class.unit, span: program.decl(class).span });
            let word = name.strip_suffix("()").unwrap_or(name);
            text.len() <= MAX_SEARCHED
                && crate::mentions::count(text, word) <= all.len()
                && !is_declared_only(text, name)
        });
        let head = Span { end: program.body(*only).name.start, ..program.body(*only).span };
        let head = program.text(Site { unit: class.unit, span: head });
        (read && places(head, "virtual").next().is_none() && !overrides(program, *only)).then_some(*only)
    }
}

/// Whether a bare name means a function of the class around.
pub(super) fn is_member(program: &Program<'_>, path: &Path, context: &Context<'_>) -> bool {
    let [only] = path.segments.as_slice() else { return false };
    let Some(class) = program.class_of_scope(context.unit, context.scope) else { return false };
    let DeclKind::Class { members, .. } = program.decl(class).kind else { return false };
    let name = program.text(Site { unit: context.unit, span: only.name });
    program.bodies(name).iter().any(|body| body.unit == class.unit && program.body(*body).home == members)
}

/// Whether a class names something in its text.
fn names(program: &Program<'_>, class: DeclRef, name: &str) -> bool {
    let text = program.text(Site { unit: class.unit, span: program.decl(class).span });
    let word = name.strip_suffix("()").unwrap_or(name);
    text.len() > MAX_SEARCHED || places(text, word).next().is_some()
}

/// Whether a class may declare a function of a name that it defines elsewhere: `void load(int n);`.
fn is_declared_only(class: &str, name: &str) -> bool {
    const CALLS: [&str; 6] = ["case", "co_return", "do", "else", "return", "throw"];
    class.match_indices(name).take(MAX_PLACES).any(|(at, _)| {
        let (Some(before), Some(after)) = (class.get(..at), class.get(at + name.len()..)) else { return true };
        let Some(inside) = after.trim_start().strip_prefix('(') else { return false };
        let (word, _) = last_word(before.trim_end());
        let typed = before.ends_with(char::is_whitespace) && !word.is_empty() && !CALLS.contains(&word)
            || before.trim_end().ends_with(['>', '&', '*']);
        let behind = closing(inside).and_then(|end| inside.get(end + 1..)).unwrap_or_default().trim_start();
        let behind = behind.strip_prefix("const").unwrap_or(behind).trim_start();
        typed && !before.trim_end().ends_with("->") && (behind.starts_with(';') || behind.starts_with("noexcept;"))
    })
}

/// Whether a function says that it is one of a base in other words.
fn overrides(program: &Program<'_>, body: BodyRef) -> bool {
    let text = program.text(Site { unit: body.unit, span: program.body(body).span });
    text.split('{').next().is_some_and(|head| places(head, "override").next().is_some())
}

#[cfg(test)]
mod tests {
    use super::is_declared_only;

    #[test]
    fn functions_that_are_defined_elsewhere() {
        for class in ["struct A { void load(int n); };", "struct A { auto* load (int) const; void load() {} };"] {
            assert!(is_declared_only(class, "load"), "{class}");
        }
        assert!(is_declared_only("struct A { int operator()(int n) const; };", "operator()"));
        for class in [
            "struct A { void load(int n) { } void run() { load(3); } };",
            "struct A { int run() { if (x) return load(3); else load(4); a->load(3); reload(3); } };",
        ] {
            assert!(!is_declared_only(class, "load"), "{class}");
        }
    }
}
