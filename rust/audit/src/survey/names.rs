//! Names that stand for layouts: of aliases, constants and `auto` variables where they are declared, and where a call is given one. An editor
//! shows the layout there.

use std::collections::BTreeMap;

use crate::ast::{DeclKind, Expr, ExprId, Site, Unit};
use crate::eval::{Constant, Context, Evaluator, Program, Value};
use crate::source::places;

/// Names that are evaluated.
const MAX_NAMES: usize = 1 << 14;

/// The names that stand for one layout, whatever the template arguments are; of a project's own files.
pub fn named_layouts<'a>(program: &'a Program<'a>) -> BTreeMap<Site, Constant> {
    let mut evaluator = Evaluator::new(program);
    let mut found = BTreeMap::new();
    let mut left = MAX_NAMES;
    for (unit, of) in (0_u32..).zip(program.units()).filter(|(unit, _)| !program.is_vendored(*unit)) {
        let mut look = |expr: ExprId, sites: &[Site], context: &Context<'a>| {
            if left == 0 {
                return;
            }
            left -= 1;
            if let Ok(Value::Layout(layout)) = evaluator.evaluate(expr, context) {
                found.extend(sites.iter().map(|site| (*site, (*layout).clone())));
            }
        };
        let site = |span| Site { unit, span };
        for decl in &of.decls {
            let value = match decl.kind {
                DeclKind::Alias(value) => Some(value),
                DeclKind::Variable { init: Some(init), constant, .. } => {
                    let before = program.text(site(crate::ast::Span { end: decl.name.start, ..decl.span }));
                    (constant || places(before, "auto").next().is_some()).then_some(init)
                }
                _ => None,
            };
            if let Some(value) = value {
                let context = Context { unit, scope: decl.inside, env: None };
                let named = is_name(of, value).then(|| site(of.span(value)));
                let sites: Vec<Site> = std::iter::once(site(decl.name)).chain(named).collect();
                look(value, &sites, &context);
            }
        }
        for (call, scope) in &of.calls {
            let Expr::Call(_, args) = of.expr(*call) else { continue };
            let context = Context { unit, scope: *scope, env: None };
            for arg in args.iter().filter(|arg| is_name(of, **arg)) {
                look(*arg, &[site(of.span(*arg))], &context);
            }
        }
    }
    found
}

/// Whether an expression is a name, or a value of the type of that name: `SmemLayout{}`.
fn is_name(unit: &Unit, expr: ExprId) -> bool {
    match unit.expr(expr) {
        Expr::Path(_) => true,
        Expr::Construct(ty, args) => args.is_empty() && matches!(unit.expr(*ty), Expr::Path(_)),
        _ => false,
    }
}
