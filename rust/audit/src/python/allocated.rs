//! Memory that Gluon allocates by a layout: `gl.allocate_shared_memory(type, shape, layout)`.
//!
//! Triton compares the shape with what the swizzle of the layout wants of it, or with the shape that the layout has. The layout is followed
//! to where it is made, by names that are bound once.

use super::evaluate::{At, Evaluator, MAX_STEPS, Slot};
use super::gluon::{self, Found, Gluon, List};
use super::tree::{Binding, Bound, Expr, ExprId, Kind, argument};
use super::value::{Home, Value};
use crate::ast::Site;

/// The name of the function.
pub(super) const FUNCTION: &str = "allocate_shared_memory";

/// Names that stand for others.
const MAX_NAMES: usize = 4;

/// What describes a tensor of the host for copies of a block of some shape, by a layout.
pub(super) const DESCRIPTOR: &str = "from_tensor";

/// Launches of one kernel that are looked at.
const MAX_LAUNCHES: usize = 16;

/// Whether a function is that, or takes a shape and a layout in the same places.
pub(super) fn allocates(path: &str) -> bool {
    path.strip_prefix(gluon::GLUON).and_then(|rest| rest.strip_prefix('.')) == Some(FUNCTION) || describes(path)
}

/// Whether a function describes a tensor of the host.
fn describes(path: &str) -> bool {
    let own = path.strip_prefix("triton.experimental.gluon.nvidia.");
    own.is_some_and(|own| own.ends_with(".TensorDescriptor.from_tensor"))
}

impl Evaluator<'_> {
    /// What is allocated by a layout that wants something of the shape.
    pub(super) fn allocated_by(&mut self, call: ExprId, at: &At) -> Option<Found> {
        let Expr::Call(_, arguments) = self.module(at.module)?.expr(call) else { return None };
        let Expr::Call(callee, _) = self.module(at.module)?.expr(call) else { return None };
        let describes = self.of_library(*callee, at).is_some_and(|path| describes(&path));
        let shape = argument(arguments, 1, if describes { "block_shape" } else { "shape" })?;
        let layout = argument(arguments, 2, "layout")?;
        let (made, here) = self.made_at(layout, at)?;
        let site = self.site(call, at);
        let of = self.module(here.module)?;
        let (shape, made, here) = match of.expr(made) {
            Expr::Name(name) => self.given_by_launches(name, shape, &here)?,
            _ => (self.extents_of(shape, at)?, made, here),
        };
        let of = self.module(here.module)?;
        let Expr::Call(callee, _) = of.expr(made) else { return None };
        let path = self.of_library(*callee, &here)?;
        let (name, parameters) = gluon::parameters(&path)?;
        if !matches!(name, "NVMMASharedLayout" | "SharedLinearLayout" | gluon::IDENTITY) {
            return None;
        }
        let given = self.arguments(made, &here, parameters)?;
        let layout = if name == "NVMMASharedLayout" {
            // The last dimension of a block is the one of which elements lie one behind the other.
            let turned = given.get(3).and_then(Option::as_ref).is_some_and(|turned| turned.truth() != Some(false));
            if describes && turned {
                return None;
            }
            swizzled(&given, shape, site)?
        } else {
            let (layout, whole) = gluon::layout(name, &given, site);
            whole.ok()?;
            shaped(&layout, shape).filter(|_| !describes)?
        };
        Some(Found { site, layout, lanes: false, launches: Vec::new() })
    }

    /// What a kernel is given for the layout and the shape by its first launch that surely takes place.
    fn given_by_launches(&mut self, layout: &str, shape: ExprId, at: &At) -> Option<(List, ExprId, At)> {
        let home = Home { module: at.module, scope: at.scope };
        let (scope, [Binding { bound: Bound::Parameter(place), .. }]) = self.bindings(layout, at)? else { return None };
        if scope != at.scope || !self.is_kernel(home) {
            return None;
        }
        let Kind::Function(function) = &self.module(home.module)?.scope(home.scope)?.kind else { return None };
        let all = self.calls_of(home);
        for called in all.iter().take(MAX_LAUNCHES).filter(|called| called.is_whole()) {
            let within = called.within();
            let launch = At { module: within.module, scope: within.scope, frame: None };
            if self.launch((within.module, called.call, within.scope), home).is_none() {
                continue;
            }
            let Some(Expr::Call(_, arguments)) = self.module(within.module).map(|module| module.expr(called.call))
            else {
                continue;
            };
            let (mut placed, mut named) = (Vec::new(), Vec::new());
            for argument in arguments {
                let value = Slot::Later(argument.value, launch.clone());
                match argument.name.as_deref() {
                    None => placed.push(value),
                    // What the launch itself is told is none of the kernel's.
                    Some(name) if function.parameters.iter().any(|one| **one == *name) => named.push((name, value)),
                    Some(_) => {}
                }
            }
            let site = self.site(called.call, &launch);
            self.steps = MAX_STEPS;
            let within = (site, 0, self.cuts);
            let Ok(inside) = self.entered(home, None, placed, &named, within) else { continue };
            let Some(given) = argument(arguments, *place, layout) else { continue };
            let Some((made, here)) = self.made_at(given, &launch) else { continue };
            if let Some(shape) = self.extents_of(shape, &inside) {
                return Some((shape, made, here));
            }
        }
        None
    }

    /// A shape that is known.
    fn extents_of(&mut self, shape: ExprId, at: &At) -> Option<List> {
        let value = self.ask(shape, at).ok()?;
        let list = gluon::list(&value, self.site(shape, at))?;
        list.known().map(|_| list)
    }

    /// Where something is made that has a name.
    pub(super) fn made_at(&self, of: ExprId, at: &At) -> Option<(ExprId, At)> {
        let module = self.module(at.module)?;
        let (mut of, mut here) = (of, at.clone());
        for _ in 0..MAX_NAMES {
            let Expr::Name(name) = module.expr(of) else { break };
            let (scope, [one]) = self.bindings(name, &here)? else { return None };
            let value = match one.bound {
                Bound::Value(value, _) => value,
                Bound::Parameter(_) => break,
                _ => return None,
            };
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
