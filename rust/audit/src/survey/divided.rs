//! Tensors, and the tiles that they are divided by: what `partition_S`, `partition_A` and `local_tile` are given, where all extents are
//! constants and a function of CuTe goes through all of the part, whatever its coordinates.

use std::ops::Range;

use razorgirl::Layout;

use super::copied::vectors_of;
use super::launches::function_around;
use super::shared::{Fact, Looker};
use super::tiled::extents_of;
use super::used::{declaration, statement};
use crate::ast::{Expr, ExprId, Site, Span};
use crate::eval::{Context, Resolved, Tiled, TiledMma, Value};
use crate::source::places;
use crate::syntax::{Code, Use};

/// Functions of CuTe that go through all of a tensor.
const ALL: [&str; 3] = ["clear", "copy", "fill"];

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
    /// The extents of the tile; none along modes where the part that is taken is known to be whole, or not known.
    pub tile: Vec<Option<u64>>,
    /// What has the tile.
    pub by: &'static str,
}

/// The axes of a matrix of an MMA, by the method that partitions it. A `partition_fragment_A` takes the shape alone, and reads nothing.
pub(super) fn axes(method: &str) -> Option<[usize; 2]> {
    Some(match method {
        "partition_A" => [0, 2],
        "partition_B" => [1, 2],
        "partition_C" => [0, 1],
        _ => return None,
    })
}

/// Whether a function of CuTe goes through all of what a call makes, or of the variable that has that value, and no condition stands in the
/// function around.
fn takes_all(code: &Code, call: Range<usize>) -> bool {
    if code.contains('?') || places(code, "if").next().is_some() {
        return false;
    }
    let given = |range: Range<usize>| match code.at(range) {
        Use::Given(given) => !given.made && ALL.contains(&given.path.strip_prefix("cute::").unwrap_or(given.path)),
        _ => false,
    };
    if given(call.clone()) {
        return true;
    }
    let Some((start, end)) = statement(code, call.start) else { return false };
    let Some((name, value)) = code.get(start..end).and_then(declaration) else { return false };
    let rest = code.get(end..).unwrap_or_default();
    code.get(call).is_some_and(|call| call.trim() == value.trim())
        && places(rest, name).any(|at| given(end + at..end + at + name.len()))
}

impl<'a> Looker<'_, 'a> {
    /// A tensor of constants and the tile that divides it.
    pub(super) fn divided(&mut self, of: Division, context: &Context<'a>) -> Resolved<Option<Fact>> {
        let (Division::Copy(.., call) | Division::Mma(.., call) | Division::Tile(.., call)) = of;
        let call = self.program.unit(context.unit).span(call);
        if !self.is_accessed_whole(call, context) || !self.gets_to(call, context) {
            return Ok(None);
        }
        let (by, tile, tensor) = match of {
            Division::Copy(slice, tensor, _) => {
                let Some((tiled, inside)) = self.sliced(slice, context)? else { return Ok(None) };
                let object = self.object(tiled, &inside)?;
                // The copy engine leaves out what lies past the end of its tensor.
                let Some(copy) = Tiled::of(&object).filter(|_| vectors_of(&object).is_some()) else { return Ok(None) };
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
                let taken = self.tile_coordinates(coordinate, tile.len(), context);
                let Some(tensor) = self.memory(tensor, context, 0)? else { return Ok(None) };
                let past = |(mode, (extent, taken)): (usize, (u64, Option<u64>))| {
                    let size = tensor.layout().mode(mode)?.size();
                    (taken?.checked_add(1)?.checked_mul(extent)? > size).then_some(extent)
                };
                let tile = tile.into_iter().zip(taken).enumerate().map(past).collect();
                ("local_tile", tile, Some(tensor))
            }
        };
        Ok(tensor.map(|tensor| Fact::Divided(Divided { tensor: tensor.layout().clone(), tile, by })))
    }

    /// Which tile is taken along each mode; none where no number says that: a loop, or a grid, may go over whole tiles alone.
    fn tile_coordinates(&mut self, coordinate: ExprId, modes: usize, context: &Context<'a>) -> Vec<Option<u64>> {
        let unit = self.program.unit(context.unit);
        let parts = match unit.expr(coordinate) {
            Expr::Call(_, args) | Expr::Construct(_, args) if args.len() == modes => args.as_slice(),
            _ => return vec![None; modes],
        };
        let number = |part: &ExprId| match self.evaluator.evaluate(*part, context) {
            Ok(Value::Number(number)) => u64::try_from(number.value).ok(),
            _ => None,
        };
        parts.iter().map(number).collect()
    }

    /// Whether a function of CuTe goes through all of what a call makes.
    fn is_accessed_whole(&mut self, call: Span, context: &Context<'a>) -> bool {
        let Some(body) = function_around(self.program, context.unit, context.scope) else { return false };
        let function = self.program.body(body).span;
        let code = self.evaluator.code_of(Site { unit: context.unit, span: function });
        let place = |at: u32| at.saturating_sub(function.start) as usize;
        takes_all(&code, place(call.start)..place(call.end))
    }
}
