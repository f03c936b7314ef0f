//! How many threads a block has: a number, a `dim3` that is made of numbers, one that a function returns, or one that a call gives the function
//! around a launch.

use super::callers::Link;
use super::kernels::takes;
use super::launches::hanging;
use super::shared::Looker;
use crate::ast::{DeclKind, Expr, ExprId, ScopeId, ScopeKind, Site, Span, Start};
use crate::eval::{Bindings, Context, Value};
use crate::source::places;
use crate::syntax::copies_block;

/// Variables, functions and calls that are followed from one to the next.
const MAX_STEPS: usize = 6;

/// What a variable says of a block.
enum Dims {
    /// Its extents.
    Of(Vec<ExprId>),
    /// A `dim3` that is made elsewhere.
    Copy(ExprId),
    /// It is a parameter of the function.
    Given(usize),
}

impl<'a> Looker<'_, 'a> {
    /// The threads of a block along x, y and z. The links are the calls from the function around the launch outward.
    pub(super) fn block(
        &mut self,
        start: &Start,
        links: &[Link<'a>],
        context: &Context<'a>,
        needs: &mut Vec<Site>,
    ) -> Option<[u64; 3]> {
        let mut expr = start.block?;
        let (mut context, mut function) = (context.clone(), start.function);
        let mut links = links.iter();
        for _ in 0..MAX_STEPS {
            let unit = self.program.unit(context.unit);
            let items: Vec<ExprId> = match unit.expr(expr) {
                Expr::Call(callee, args) | Expr::Construct(callee, args) if self.is_dim3(&context, *callee) => {
                    args.to_vec()
                }
                Expr::Call(callee, args) if args.is_empty() => match self.returned_by(*callee, &context) {
                    Some((value, inside, of)) => {
                        (expr, context, function) = (value, inside, of);
                        links = [].iter();
                        continue;
                    }
                    None => vec![expr],
                },
                Expr::Path(path) => {
                    let [segment] = path.segments.as_slice() else { return self.extents(&[expr], &context, needs) };
                    let name = self.program.text(Site { unit: context.unit, span: segment.name });
                    match self.dims_of_variable(&context, function, name, segment.name.start) {
                        Some((Dims::Of(items), scope)) => {
                            context.scope = scope;
                            items
                        }
                        Some((Dims::Copy(init), scope)) => {
                            context.scope = scope;
                            expr = init;
                            continue;
                        }
                        Some((Dims::Given(index), _)) => {
                            if let known @ Some(_) = self.extents(&[expr], &context, needs) {
                                return known;
                            }
                            let link = links.next()?;
                            expr = *link.call.args.get(index)?;
                            (context, function) = (link.context.clone(), link.call.function);
                            continue;
                        }
                        None => vec![expr],
                    }
                }
                _ => vec![expr],
            };
            return self.extents(&items, &context, needs);
        }
        None
    }

    fn is_dim3(&self, context: &Context<'a>, callee: ExprId) -> bool {
        self.said(context, callee) == "dim3"
    }

    /// What a function without parameters returns: `GemmKernel::get_block_shape()`.
    pub(super) fn returned_by(&mut self, callee: ExprId, context: &Context<'a>) -> Option<(ExprId, Context<'a>, Span)> {
        let unit = self.program.unit(context.unit);
        let name = match unit.expr(callee) {
            Expr::Path(path) => path.segments.last()?.name,
            Expr::Member(_, segment) => segment.name,
            _ => return None,
        };
        self.evaluator.called.insert(self.text(context, name));
        let (body, outer): (_, Bindings<'a>) = match self.method(callee, 0, context) {
            Some(meant) if meant.explicit.is_empty() => (meant.body, meant.outer),
            Some(_) => return None,
            None => match unit.expr(callee) {
                Expr::Path(path) => (takes(self.program, context.unit, path, context.scope, 0)?, None),
                _ => return None,
            },
        };
        let of = self.program.body(body);
        match of.returns.as_deref()? {
            [only] if only.when.is_empty() => {
                Some((only.expr, Context { unit: body.unit, scope: only.scope, env: outer }, of.span))
            }
            _ => None,
        }
    }

    /// A variable that says how large a block is: what it is declared with, where nothing changes it.
    fn dims_of_variable(
        &mut self,
        context: &Context<'a>,
        function: Span,
        name: &str,
        before: u32,
    ) -> Option<(Dims, ScopeId)> {
        let of = self.program.unit(context.unit);
        let mut at = Some(context.scope);
        while let Some(id) = at {
            let scope = of.scope(id);
            let decls = scope.decls.iter().rev();
            let named = |id: &&crate::ast::DeclId| {
                let decl = of.decl(**id);
                decl.name.start < before && self.text(context, decl.name) == name
            };
            let Some(found) = decls.into_iter().find(named) else {
                at = scope.parent;
                continue;
            };
            let decl = of.decl(*found);
            let DeclKind::Variable { init, constant, .. } = decl.kind else { return None };
            // A constant of a namespace, if no other one is meant.
            if matches!(scope.kind, ScopeKind::File | ScopeKind::Namespace(_)) {
                let same = |id: &&crate::ast::DeclId| self.text(context, of.decl(**id).name) == name;
                let only = scope.decls.iter().filter(same).count() == 1 && self.is_only_of_namespace(name, context);
                if !constant || !only {
                    return None;
                }
                let listed = of.lists.binary_search_by_key(&found.0, |(of, _)| of.0).ok();
                return match (listed.and_then(|at| of.lists.get(at)), init.map(|init| (init, of.expr(init)))) {
                    (Some((_, items)), _) => Some((Dims::Of(items.clone()), decl.inside)),
                    (None, Some((init, Expr::Call(ty, _) | Expr::Construct(ty, _)))) if self.is_dim3(context, *ty) => {
                        Some((Dims::Copy(init), decl.inside))
                    }
                    _ => None,
                };
            }
            let text = self.evaluator.code_of(Site { unit: context.unit, span: function });
            let declared = decl.name.start.checked_sub(function.start)? as usize;
            // What stands outside of the function may be changed anywhere.
            if declared >= text.len()
                || !text.keeps(name, declared, &|given| copies_block(given) || self.program.copies(context.unit, given))
            {
                return None;
            }
            let body = self.program.body_of(context.unit, decl.home).map(|body| self.program.body(body));
            let given =
                body.and_then(|body| body.params.iter().position(|param| param.name == decl.name && !param.pack));
            if let Some(index) = given {
                return Some((Dims::Given(index), decl.inside));
            }
            let listed = of.lists.binary_search_by_key(&found.0, |(of, _)| of.0);
            return match (listed.ok().and_then(|at| of.lists.get(at)), init) {
                (Some((_, items)), _) => Some((Dims::Of(items.clone()), decl.inside)),
                (None, Some(init)) if matches!(of.expr(init), Expr::Call(..) | Expr::Construct(..) | Expr::Path(_)) => {
                    // `int threads = size(copy);` is a number, and no `dim3`.
                    let ty = self.text(context, Span { end: decl.name.start, ..decl.span });
                    let made = match of.expr(init) {
                        Expr::Call(callee, args) | Expr::Construct(callee, args) => {
                            self.is_dim3(context, *callee)
                                || (args.is_empty()
                                    && ["auto", "dim3"].iter().any(|word| places(ty, word).next().is_some()))
                        }
                        _ => false,
                    };
                    made.then_some((Dims::Copy(init), decl.inside))
                }
                _ => None,
            };
        }
        None
    }

    /// Whether a name means one declaration alone where it is looked up in the namespaces around a place.
    fn is_only_of_namespace(&self, name: &str, context: &Context<'a>) -> bool {
        let mut at = Some(self.program.home(context.unit, context.scope));
        while let Some(space) = at {
            let found = self.program.in_namespace(space, name, context.unit);
            if let Some(first) = found.first() {
                return found.len() == 1 && first.unit == context.unit;
            }
            at = self.program.outer(space);
        }
        false
    }

    /// Extents of a block.
    fn extents(&mut self, extents: &[ExprId], context: &Context<'a>, needs: &mut Vec<Site>) -> Option<[u64; 3]> {
        let mut block = [1_u64; 3];
        if extents.is_empty() || extents.len() > block.len() {
            return None;
        }
        for (axis, expr) in extents.iter().enumerate() {
            // `dim3{.x = 256}`
            let (axis, expr) = match self.program.unit(context.unit).expr(*expr) {
                Expr::Designated(name, value) => {
                    (["x", "y", "z"].iter().position(|axis| *axis == self.text(context, *name))?, value)
                }
                _ => (axis, expr),
            };
            let extent = block.get_mut(axis)?;
            let value = self.evaluator.evaluate(*expr, context);
            needs.extend(hanging(&value));
            let Ok(Value::Number(number)) = value else { return None };
            *extent = u64::try_from(number.value).ok().filter(|extent| *extent > 0)?;
        }
        Some(block)
    }
}
