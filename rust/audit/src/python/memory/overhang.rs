//! Tiles of tiled copies that are larger than what they partition: the threads behind its end copy all the same, past the end of the array.
//!
//! CuTe divides a tensor by the tile and rounds up; what of the last tile lies behind the tensor is at the offsets that its strides go on to.

use std::rc::Rc;

use razorgirl::{IntTuple, Layout, SwizzledLayout};

use super::reached::{is_kernel, slice_of};
use super::slices::Index;
use super::{Tensor, TiledCopy};
use crate::python::evaluate::{At, Evaluator};
use crate::python::tree::{Expr, ExprId};
use crate::python::value::Home;

/// Elements of a tile that are gone through.
const MAX_TILE: u64 = 1 << 18;

impl Evaluator<'_> {
    /// Whether each thread of a kernel takes its own slice for a partition: `tiled.get_slice(tidx)`.
    pub(super) fn is_by_threads(&mut self, partition: ExprId, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let Expr::Call(callee, _) = module.expr(partition) else { return false };
        let Expr::Attribute(slice, _) = module.expr(*callee) else { return false };
        let Some(Expr::Call(_, arguments)) = slice_of(self, *slice, at).map(|call| module.expr(call)) else {
            return false;
        };
        let [index] = &**arguments else { return false };
        let home = Home { module: at.module, scope: at.scope };
        is_kernel(self, home) && matches!(self.index(index.value, at), Some(Index::Along))
    }
}

/// The tensor with the rest of its last tiles, where a copy touches all of each tile; nothing where tiles divide it, or where that is not
/// known.
pub(super) fn rounded_up(copy: &TiledCopy, tensor: &Tensor) -> Option<Tensor> {
    let (layout, tile) = copy.tiled.as_ref()?;
    let inside = tensor.layout.layout();
    if tile.len() > inside.rank() || !is_whole(layout, tile) {
        return None;
    }
    let (mut parts, mut more) = (Vec::new(), false);
    for place in 0..inside.rank() {
        let part = inside.mode(place)?;
        let tile = tile.get(place).copied().unwrap_or(1);
        let rounded = part.size().checked_next_multiple_of(tile)?;
        if rounded == part.size() {
            parts.push(part);
            continue;
        }
        more = true;
        let [mode] = part.modes() else { return None };
        parts.push(Layout::new(&IntTuple::leaf(rounded), &IntTuple::leaf(mode.stride())).ok()?);
    }
    let layout = Layout::concat(&parts).ok().filter(|_| more)?;
    let layout = SwizzledLayout::new(tensor.layout.swizzle(), tensor.layout.offset(), layout).ok()?;
    let (element, room) = (Rc::clone(&tensor.element), tensor.room.clone());
    Some(Tensor { element, bits: tensor.bits, layout, pointer: tensor.pointer, room, begin: tensor.begin, own: false })
}

/// Whether threads and values are all elements of a tile.
fn is_whole(layout: &Layout, tile: &[u64]) -> bool {
    let Some(all) = tile.iter().try_fold(1_u64, |all, one| all.checked_mul(*one)).filter(|all| *all <= MAX_TILE) else {
        return false;
    };
    if layout.size() != all || layout.cosize() > all {
        return false;
    }
    let mut seen = vec![false; usize::try_from(all).unwrap_or(0)];
    (0..all).all(|index| {
        let at = layout.at(index).ok().and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| seen.get_mut(at)).is_some_and(|seen| !std::mem::replace(seen, true))
    })
}
