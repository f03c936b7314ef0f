//! Which function of a class a call means: `op(params)`, `op.run(x)`, `Mainloop::mma(x)`, `load(x)` in the class itself; with the values of the
//! parameters of the templates around it.

use std::rc::Rc;

use super::shared::Looker;
use super::tiled::MAX_SEARCHED;
use crate::ast::{DeclKind, Expr, ExprId, Path, Segment, Site, Span};
use crate::eval::{Bindings, BodyRef, Context, DeclRef, Named, Program, Value};
use crate::source::places;

/// The function that a call of an object means.
pub(super) const CALL_OPERATOR: &str = "operator()";

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
                    let body = only_method(program, class, self.text(context, only.name), Some(count))?;
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
                let body = only_method(program, class, self.text(context, last.name), Some(count))?;
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

    /// The only function of a name in a class, or in the only base of one that has none.
    pub(super) fn of_class(
        &mut self,
        of: &Rc<Named<'a>>,
        name: &str,
        count: usize,
        explicit: &'a [ExprId],
    ) -> Option<Meant<'a>> {
        let mut of = Rc::clone(of);
        for _ in 0..MAX_DEPTH {
            let class = of.class?;
            if let Some(body) = only_method(self.program, class, name, Some(count)) {
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

/// The only function of a name in a class that takes so many arguments, or any of that name; none where another may be meant, which was not
/// read, or which a class deriving from it has.
pub(super) fn only_method(program: &Program<'_>, class: DeclRef, name: &str, count: Option<usize>) -> Option<BodyRef> {
    let DeclKind::Class { members, .. } = program.decl(class).kind else { return None };
    let own = |body: &&BodyRef| body.unit == class.unit && program.body(**body).home == members;
    let all: Vec<BodyRef> = program.bodies(name).iter().filter(own).copied().collect();
    let takes = |body: &&BodyRef| {
        let params = &program.body(**body).params;
        let optional = |param: &crate::ast::Parameter| param.default.is_some() || param.pack;
        let needed = params.iter().take_while(|param| !optional(param)).count();
        count.is_none_or(|count| (needed..=params.len()).contains(&count))
    };
    let mut fitting = all.iter().filter(takes);
    let (Some(only), None) = (fitting.next(), fitting.next()) else { return None };
    let text = program.text(Site { unit: class.unit, span: program.decl(class).span });
    let word = name.strip_suffix("()").unwrap_or(name);
    let head = Span { end: program.body(*only).name.start, ..program.body(*only).span };
    let head = program.text(Site { unit: class.unit, span: head });
    let read = text.len() <= MAX_SEARCHED && crate::mentions::count(text, word) <= all.len();
    (read && places(head, "virtual").next().is_none() && !overrides(program, *only)).then_some(*only)
}

/// Whether a function says that it is one of a base in other words.
fn overrides(program: &Program<'_>, body: BodyRef) -> bool {
    let text = program.text(Site { unit: body.unit, span: program.body(body).span });
    text.split('{').next().is_some_and(|head| places(head, "override").next().is_some())
}
