//! Macros with parameters that stand for a number or a type.

use super::{Context, Evaluator};
use crate::ast::{DeclKind, Expr, ExprId, Path, Site};
use crate::eval::program::DeclRef;
use crate::eval::reason::Resolved;
use crate::eval::value::Value;

impl<'a> Evaluator<'a> {
    /// What a macro gives for its arguments; none where the name is that of something else. An argument that is no single thing may come
    /// apart where it is put.
    pub(super) fn expanded_macro(
        &mut self,
        path: &'a Path,
        args: &'a [ExprId],
        site: Site,
        context: &Context<'a>,
    ) -> Option<Resolved<Value<'a>>> {
        let [only] = path.segments.as_slice() else { return None };
        let whole = |arg: &ExprId| {
            matches!(
                self.program.unit(context.unit).expr(*arg),
                Expr::Number(_) | Expr::Path(_) | Expr::Construct(..) | Expr::Sizeof(_)
            )
        };
        if only.args.is_some() || args.is_empty() || !args.iter().all(whole) {
            return None;
        }
        let name = self.program.text(Self::site(context, only.name));
        let (decls, env) = self.variables(name, context, only.name.start, site).ok()?;
        let defines = |decl: &DeclRef| {
            let of = self.program.decl(*decl);
            let text = self.program.text(Site { unit: decl.unit, span: of.span });
            matches!(of.kind, DeclKind::Alias(_)) && text.starts_with('#') && self.takes(*decl) == Some(args.len())
        };
        if decls.is_empty() || !decls.iter().all(defines) {
            return None;
        }
        let values = self.arguments(args, context);
        Some(self.declared(&decls, Some(&values), &env, site))
    }

    /// How many parameters a template has.
    fn takes(&self, decl: DeclRef) -> Option<usize> {
        match &self.program.unit(decl.unit).scope(self.program.decl(decl).inside).kind {
            crate::ast::ScopeKind::Template(params) => Some(params.len()),
            _ => None,
        }
    }
}
