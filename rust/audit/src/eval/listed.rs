//! Values that a code base lists for a template's parameter without instantiating the template.
//!
//! `static_assert(kHeadDim == 64 || kHeadDim == 128)`, the branches of `if constexpr (kHeadDim == 64)` and
//! `HEADDIM_SWITCH(d, kHeadDim, …)` list values for a name: a parameter of that name is tried with them, those that stand in its own
//! template before all others. A `bool` is one of two.

use std::collections::BTreeSet;

use foldhash::HashMap;

use super::evaluator::{Context, Evaluator};
use super::program::Program;
use super::texts::MAX_LISTED;
use super::value::Value;
use crate::ast::{Expr, ExprId, Op, Site};

/// How deeply a condition is looked into.
const MAX_DEPTH: usize = 32;

/// All lists of a code base.
#[derive(Debug, Default)]
pub struct Lists<'a> {
    /// By the parameter.
    by_site: HashMap<Site, BTreeSet<i128>>,
    /// By the name of a constant that a macro defines.
    by_name: HashMap<&'a str, BTreeSet<i128>>,
}

impl<'a> Lists<'a> {
    /// Reads conditions and macros.
    pub fn new(program: &'a Program<'a>, evaluator: &mut Evaluator<'a>) -> Self {
        let by_name = program.texts().listed(program.sources()).iter();
        let by_name = by_name.map(|(name, values)| (name.as_str(), values.clone())).collect();
        let mut lists = Self { by_name, ..Self::default() };
        for (of, unit) in program.units().iter().zip(0_u32..) {
            let branches = of.scopes.iter().filter_map(|scope| Some((scope.guard?.0, scope.parent?)));
            let conditions: Vec<(ExprId, crate::ast::ScopeId)> = branches.chain(of.asserts.iter().copied()).collect();
            for (expr, scope) in conditions {
                lists.condition(program, evaluator, expr, &Context { unit, scope, env: None }, 0);
            }
        }
        lists
    }

    /// Whether conditions speak of the parameter itself, not only of others of its name.
    pub fn speak_of(&self, site: Site) -> bool {
        self.by_site.contains_key(&site)
    }

    /// The values of a parameter that stands at a place and has a name.
    pub fn of(&self, site: Site, name: &str, boolean: bool) -> BTreeSet<i128> {
        // `template <int kHeadDim_> … constexpr int kHeadDim = kHeadDim_;` is the usual way.
        let named = || self.by_name.get(name.trim_end_matches('_'));
        let mut values = self.by_site.get(&site).or_else(named).cloned().unwrap_or_default();
        if boolean {
            values.extend([0, 1]);
        }
        values
    }

    // Recursion: `depth` grows to a fixed bound.
    fn condition(
        &mut self,
        program: &'a Program<'a>,
        evaluator: &mut Evaluator<'a>,
        expr: ExprId,
        context: &Context<'a>,
        depth: usize,
    ) {
        match program.unit(context.unit).expr(expr) {
            Expr::Binary(Op::LogicalOr | Op::LogicalAnd, a, b) if depth < MAX_DEPTH => {
                self.condition(program, evaluator, *a, context, depth + 1);
                self.condition(program, evaluator, *b, context, depth + 1);
            }
            Expr::Binary(Op::Eq, a, b) => {
                let sides = (evaluator.evaluate(*a, context), evaluator.evaluate(*b, context));
                let ((Ok(Value::Param(_, site)), Ok(Value::Number(number)))
                | (Ok(Value::Number(number)), Ok(Value::Param(_, site)))) = sides
                else {
                    return;
                };
                let name = program.text(site).trim_end_matches('_');
                let by_name = (!name.is_empty()).then(|| self.by_name.entry(name).or_default());
                for values in by_name.into_iter().chain([self.by_site.entry(site).or_default()]) {
                    if values.len() < MAX_LISTED {
                        values.insert(number.value);
                    }
                }
            }
            _ => {}
        }
    }
}
