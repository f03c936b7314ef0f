//! Memory that Gluon allocates by a layout: `gl.allocate_shared_memory(type, shape, layout)`.
//!
//! Triton compares the shape with what the swizzle of the layout wants of it, or with the shape that the layout has. The layout is followed
//! to where it is made, by names that are bound once.

use super::evaluate::{At, Evaluator};
use super::gluon::{self, Found, Gluon, List};
use super::tree::{Bound, Expr, ExprId};
use super::value::Value;
use crate::ast::Site;

/// The name of the function.
pub(super) const FUNCTION: &str = "allocate_shared_memory";

/// Names that stand for others.
const MAX_NAMES: usize = 4;

/// Whether a function is that.
pub(super) fn allocates(path: &str) -> bool {
    path.strip_prefix(gluon::GLUON).and_then(|rest| rest.strip_prefix('.')) == Some(FUNCTION)
}

impl Evaluator<'_> {
    /// What is allocated by a layout that wants something of the shape.
    pub(super) fn allocated_by(&mut self, call: ExprId, at: &At) -> Option<Found> {
        let Expr::Call(_, arguments) = self.module(at.module)?.expr(call) else { return None };
        if arguments.iter().any(|one| matches!(one.name.as_deref(), Some("*" | "**"))) {
            return None;
        }
        let argument = |place: usize, name: &str| {
            let named = arguments.iter().find(|one| one.name.as_deref() == Some(name));
            named.or_else(|| arguments.get(place).filter(|one| one.name.is_none())).map(|one| one.value)
        };
        let (shape, layout) = (argument(1, "shape")?, argument(2, "layout")?);
        let (made, here) = self.made_at(layout, at)?;
        let Expr::Call(callee, _) = self.module(here.module)?.expr(made) else { return None };
        let path = self.of_library(*callee, &here)?;
        let (name, parameters) = gluon::parameters(&path)?;
        if !matches!(name, "NVMMASharedLayout" | "SharedLinearLayout" | gluon::IDENTITY) {
            return None;
        }
        let given = self.arguments(made, &here, parameters)?;
        let site = self.site(call, at);
        let shape = self.extents_of(shape, at)?;
        let layout = if name == "NVMMASharedLayout" {
            swizzled(&given, shape, site)?
        } else {
            let (layout, whole) = gluon::layout(name, &given, site);
            whole.ok()?;
            shaped(&layout, shape)?
        };
        Some(Found { site, layout, lanes: false, launches: Vec::new() })
    }

    /// A shape that is known.
    fn extents_of(&mut self, shape: ExprId, at: &At) -> Option<List> {
        let value = self.ask(shape, at).ok()?;
        let list = gluon::list(&value, self.site(shape, at))?;
        list.known().map(|_| list)
    }

    /// Where something is made that has a name.
    fn made_at(&self, of: ExprId, at: &At) -> Option<(ExprId, At)> {
        let module = self.module(at.module)?;
        let (mut of, mut here) = (of, at.clone());
        for _ in 0..MAX_NAMES {
            let Expr::Name(name) = module.expr(of) else { break };
            let (scope, [one]) = self.bindings(name, &here)? else { return None };
            let Bound::Value(value, _) = one.bound else { return None };
            (of, here) = (value, At { scope, ..here });
        }
        Some((of, here))
    }
}

/// What a swizzle wants of a shape.
fn swizzled(given: &[Option<Value>], shape: List, site: Site) -> Option<Gluon> {
    let [Some(swizzle), Some(bits), rank, transposed, rest @ ..] = given else { return None };
    // What is packed is counted otherwise.
    if rest.iter().flatten().any(|one| one.truth() != Some(false)) {
        return None;
    }
    let number = |value: &Value| value.as_number(site).ok().filter(|number| *number > 0);
    let rank = rank.as_ref().map_or(Some(2), number).and_then(|rank| usize::try_from(rank).ok())?;
    let transposed = transposed.as_ref().map_or(Some(false), Value::truth)?;
    // Before them stands how many there are.
    let first = shape.items.len().checked_sub(rank)?;
    let along = if transposed { first } else { shape.items.len().checked_sub(1)? };
    Some(Gluon::Allocated { swizzle: number(swizzle)?, bits: number(bits)?, along, shape })
}

/// The shape that a layout has itself.
fn shaped(layout: &Gluon, shape: List) -> Option<Gluon> {
    let (name, own) = match layout {
        Gluon::SharedLinear { offset: Some(offset), block: Some(block), .. } if block.rows.is_empty() => {
            let rows = offset.rows.iter().map(List::known).collect::<Option<Vec<_>>>()?;
            let rank = rows.first()?.len();
            let most = |place: usize| rows.iter().try_fold(0, |all, row| Some(all | row.get(place).copied()?));
            let extent = |bits: i128| (0..1 << 32).contains(&bits).then(|| 1_i128 << (128 - bits.leading_zeros()));
            ("SharedLinearLayout", (0..rank).map(|place| extent(most(place)?)).collect::<Option<Vec<_>>>()?)
        }
        Gluon::Padded { shape: Some(own), block: None, identity: true, .. } => {
            ("PaddedSharedLayout.with_identity_for", own.known()?)
        }
        _ => return None,
    };
    (shape.items.len() >= own.len() && !own.is_empty()).then_some(Gluon::Shaped { name, shape, own })
}
