//! Tensors of which some extents are known at run time only: `make_tensor(p, make_shape(rows, _64{}), make_stride(_64{}, _1{}))`. A tile of
//! constants that `local_tile` cuts out of one is a constant where its strides are.

use razorgirl::{Layout, Mode};

use super::{Context, Evaluator};
use crate::ast::{Expr, ExprId};
use crate::eval::reason::{Reason, Resolved, Unresolved};
use crate::eval::value::{Order, Value};

/// Variables that are followed to where a tensor is made.
const MAX_STEPS: usize = 8;

/// A mode, as far as it is known: its extent, and its stride.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Open {
    pub extent: Option<u64>,
    pub stride: Option<u64>,
}

/// A tile of so many elements of each of the first modes; none where a stride is not known, and where a mode is smaller than its tile.
pub(super) fn tile(modes: &[Open], extents: &[u64]) -> Option<Layout> {
    if extents.is_empty() || extents.len() > modes.len() {
        return None;
    }
    let tile = modes.iter().zip(extents).map(|(mode, tile)| {
        let fits = *tile > 0 && mode.extent.is_none_or(|extent| *tile <= extent);
        // A mode of one element has no stride.
        let stride = if *tile == 1 { Some(0) } else { mode.stride };
        stride.filter(|_| fits).map(|stride| Mode::new(*tile, stride))
    });
    Layout::from_modes(tile.collect::<Option<Vec<Mode>>>()?).ok()
}

/// Modes of these extents without gaps; a stride is not known where an extent before it is not.
fn compact(extents: &[Option<u64>], order: Order) -> Vec<Open> {
    let mut next = Some(1_u64);
    let mut mode = |extent: &Option<u64>| {
        let stride = next;
        next = next.zip(*extent).and_then(|(stride, extent)| stride.checked_mul(extent));
        Open { extent: *extent, stride }
    };
    match order {
        Order::Left => extents.iter().map(&mut mode).collect(),
        Order::Right => {
            let mut modes: Vec<Open> = extents.iter().rev().map(&mut mode).collect();
            modes.reverse();
            modes
        }
    }
}

impl<'a> Evaluator<'a> {
    /// The modes of a tensor or layout of which extent and stride are known, where others are known at run time only; none where it is not
    /// seen how it is made.
    ///
    /// # Errors
    /// They hang on template parameters.
    pub fn known_modes(&mut self, call: ExprId, context: &Context<'a>) -> Resolved<Option<Layout>> {
        self.begin();
        let modes = self.open(call, context)?.unwrap_or_default();
        let known = modes.iter().filter_map(|mode| Some(Mode::new(mode.extent?, mode.stride?)));
        Ok(Layout::from_modes(known).ok())
    }

    /// The modes of a tensor, by what it is made of; none where it is not seen how it is made.
    ///
    /// # Errors
    /// They hang on template parameters.
    pub(super) fn open(&mut self, tensor: ExprId, context: &Context<'a>) -> Resolved<Option<Vec<Open>>> {
        let Some((call, inside)) = self.made(tensor, context) else { return Ok(None) };
        let Expr::Call(callee, args) = self.program.unit(inside.unit).expr(call) else { return Ok(None) };
        match (self.called(*callee, &inside), args.as_slice()) {
            ("make_tensor", [_, shape, stride]) | ("make_layout", [shape, stride]) => {
                self.open_modes(*shape, Some(*stride), &inside)
            }
            ("make_tensor", [_, layout]) => {
                if let Some((call, inside)) = self.made(*layout, &inside)
                    && let Expr::Call(callee, args) = self.program.unit(inside.unit).expr(call)
                    && self.called(*callee, &inside) == "make_layout"
                {
                    return match args.as_slice() {
                        [shape] => self.open_modes(*shape, None, &inside),
                        [shape, stride] => self.open_modes(*shape, Some(*stride), &inside),
                        _ => Ok(None),
                    };
                }
                self.open_modes(*layout, None, &inside)
            }
            _ => Ok(None),
        }
    }

    /// The call that makes the value of an expression, straight or through variables.
    fn made(&mut self, expr: ExprId, context: &Context<'a>) -> Option<(ExprId, Context<'a>)> {
        let (mut expr, mut context) = (expr, context.clone());
        for _ in 0..MAX_STEPS {
            match self.program.unit(context.unit).expr(expr) {
                Expr::Call(..) => return Some((expr, context)),
                Expr::Path(path) => (expr, context) = self.initial(path, &context)?,
                _ => return None,
            }
        }
        None
    }

    /// The name of a function that is called.
    fn called(&self, callee: ExprId, context: &Context<'a>) -> &'a str {
        let Expr::Path(path) = self.program.unit(context.unit).expr(callee) else { return "" };
        path.segments.last().map_or("", |last| self.program.text(Self::site(context, last.name)))
    }

    fn open_modes(
        &mut self,
        shape: ExprId,
        stride: Option<ExprId>,
        context: &Context<'a>,
    ) -> Resolved<Option<Vec<Open>>> {
        let Some(extents) = self.numbers(shape, context)?.and_then(Result::ok) else { return Ok(None) };
        let Some(stride) = stride else { return Ok(Some(compact(&extents, Order::Left))) };
        Ok(match self.numbers(stride, context)? {
            Some(Err(order)) => Some(compact(&extents, order)),
            Some(Ok(strides)) if extents.len() == strides.len() => {
                let modes = extents.iter().zip(&strides);
                Some(modes.map(|(extent, stride)| Open { extent: *extent, stride: *stride }).collect())
            }
            _ => None,
        })
    }

    /// What is known of each of the numbers of a tuple, or an order of modes; none where it is or holds anything else.
    fn numbers(&mut self, expr: ExprId, context: &Context<'a>) -> Resolved<Option<Result<Vec<Option<u64>>, Order>>> {
        let value = self.eval(expr, context)?;
        if let Some(site) = value.hangs() {
            return Err(Unresolved { reason: Reason::Dependent, site });
        }
        let one = |value: &Value<'_>| match value {
            Value::Number(number) => Some(Some(u64::try_from(number.value).ok()?)),
            Value::Opaque(_) => Some(None),
            _ => None,
        };
        Ok(match value {
            Value::Tuple(tuple) => tuple.items.iter().map(one).collect::<Option<_>>().map(Ok),
            Value::Order(order) => Some(Err(order)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_are_known_as_far_as_the_extents_before_them() {
        let strides = |extents: &[Option<u64>], order| -> Vec<Option<u64>> {
            compact(extents, order).iter().map(|mode| mode.stride).collect()
        };
        assert_eq!(strides(&[Some(4), None, Some(3)], Order::Left), [Some(1), Some(4), None]);
        assert_eq!(strides(&[None, Some(4), Some(3)], Order::Right), [Some(12), Some(3), Some(1)]);
    }

    #[test]
    fn a_tile_hangs_on_strides_alone() {
        let open = |extent, stride| Open { extent, stride };
        let tile = |modes: &[Open], extents: &[u64]| tile(modes, extents).map(|layout| layout.to_string());
        let rows = [open(None, Some(100)), open(Some(100), Some(1)), open(None, None)];
        assert_eq!(tile(&rows, &[64, 32]).as_deref(), Some("(64,32):(100,1)"));
        assert_eq!(tile(&rows, &[64, 128]), None);
        assert_eq!(tile(&rows, &[64, 32, 2]), None);
        assert_eq!(tile(&rows, &[64, 32, 1]).as_deref(), Some("(64,32,1):(100,1,0)"));
    }
}
