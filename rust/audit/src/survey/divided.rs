//! Tensors, and the tiles that they are divided by: what `partition_S`, `partition_A`, `partition_fragment_C` and `local_tile` are given, where all
//! extents are constants.

use razorgirl::Layout;

use super::shared::{Fact, Looker};
use super::tiled::extents_of;
use crate::ast::{Expr, ExprId};
use crate::eval::{Context, Resolved, Tiled, TiledMma, Value};

/// What divides a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Division {
    /// `slice.partition_S(tensor)`
    Copy(ExprId, ExprId, ExprId),
    /// `slice.partition_A(tensor)`, with the axes of the matrix.
    Mma(ExprId, ExprId, [usize; 2], ExprId),
    /// `local_tile(tensor, tile, coordinate)`
    Tile(ExprId, ExprId, ExprId, ExprId),
}

/// A tensor and the tile that divides it.
#[derive(Debug, Clone)]
pub struct Divided {
    /// The tensor, or the shape that stands for it with its strides.
    pub tensor: Layout,
    /// The extents of the tile; none along modes that are left alone.
    pub tile: Vec<Option<u64>>,
    /// What has the tile.
    pub by: &'static str,
}

/// The axes of a matrix of an MMA, by the method that partitions it.
pub(super) fn axes(method: &str) -> Option<[usize; 2]> {
    let matrix = method.strip_prefix("partition_fragment_").or_else(|| method.strip_prefix("partition_"))?;
    Some(match matrix {
        "A" => [0, 2],
        "B" => [1, 2],
        "C" => [0, 1],
        _ => return None,
    })
}

impl<'a> Looker<'_, 'a> {
    /// A tensor of constants and the tile that divides it.
    pub(super) fn divided(&mut self, of: Division, context: &Context<'a>) -> Resolved<Option<Fact>> {
        let (Division::Copy(.., call) | Division::Mma(.., call) | Division::Tile(.., call)) = of;
        if !self.gets_to(self.program.unit(context.unit).span(call), context) {
            return Ok(None);
        }
        let (by, tile, tensor) = match of {
            Division::Copy(slice, tensor, _) => {
                let Some((tiled, inside)) = self.sliced(slice, context)? else { return Ok(None) };
                let Some(copy) = Tiled::of(&self.object(tiled, &inside)?) else { return Ok(None) };
                ("tiled copy", copy.tile.into_iter().map(Some).collect(), self.memory(tensor, context, 0)?)
            }
            Division::Mma(by, tensor, axes, _) => {
                let (tiled, inside) = self.sliced(by, context)?.unwrap_or((by, context.clone()));
                let Some(mma) = TiledMma::of(&self.object(tiled, &inside)?) else { return Ok(None) };
                let along = |axis: usize| {
                    let atoms = mma.atoms.mode(axis).map_or(1, |mode| mode.size());
                    mma.tile.get(axis).copied().flatten().or_else(|| mma.shape.get(axis)?.checked_mul(atoms))
                };
                ("tiled MMA", axes.map(along).to_vec(), self.memory(tensor, context, 0)?)
            }
            Division::Tile(tensor, tiler, coordinate, _) => {
                let Some(tile) = extents_of(&self.known(tiler, context)?) else { return Ok(None) };
                let moves = self.moves(coordinate, tile.len(), context);
                let tile = tile.into_iter().zip(moves).map(|(extent, moves)| Some(extent).filter(|_| moves)).collect();
                ("local_tile", tile, self.memory(tensor, context, 0)?)
            }
        };
        Ok(tensor.map(|tensor| Fact::Divided(Divided { tensor: tensor.layout().clone(), tile, by })))
    }

    /// Along which modes a tile is taken at other places than a number says.
    fn moves(&mut self, coordinate: ExprId, modes: usize, context: &Context<'a>) -> Vec<bool> {
        let unit = self.program.unit(context.unit);
        let parts = match unit.expr(coordinate) {
            Expr::Call(_, args) | Expr::Construct(_, args) if args.len() == modes => args.as_slice(),
            _ => return vec![false; modes],
        };
        parts.iter().map(|part| !matches!(self.evaluator.evaluate(*part, context), Ok(Value::Number(_)))).collect()
    }
}
