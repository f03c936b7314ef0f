//! RG036: a tile that does not divide the tensor that it partitions.

use razorgirl::Layout;

use super::defect::Defect;
use crate::survey::Divided;

/// The first mode of a tensor that is no whole number of tiles.
pub fn uneven(of: &Divided) -> Option<Defect> {
    let Divided { tensor, tile, by } = of;
    if tensor.rank() < tile.len() {
        return None;
    }
    let (mode, extent, tile) = (0..).zip(tile).find_map(|(mode, tile)| {
        let (of, tile) = (tensor.mode(mode)?, (*tile)?);
        let extent = of.size();
        // Elements that share one address lie nowhere else beyond the end.
        (tile > 0 && !extent.is_multiple_of(tile) && moves(&of)).then_some((mode, extent, tile))
    })?;
    let count = extent.div_ceil(tile);
    let end = count.checked_mul(tile)?;
    let last = end - 1;
    let beyond = if last == extent { format!("element {extent}") } else { format!("elements {extent} to {last}") };
    let notes = vec![
        format!("mode {mode} of the tensor {tensor} has {extent} elements, and {count} tiles of {tile} have {end}"),
        format!(
            "CuTe rounds up: {beyond} of mode {mode} lie past the end of the tensor, and no condition in this function leaves them out"
        ),
    ];
    let title = match *by {
        "local_tile" => "the tile of this local_tile does not divide the tensor".to_owned(),
        by => format!("the tile of this {by} does not divide the tensor that it partitions"),
    };
    Some(Defect { title, layout: tensor.to_string(), notes, ..Defect::default() })
}

/// Whether two elements of a layout have two offsets.
fn moves(layout: &Layout) -> bool {
    layout.modes().iter().any(|mode| mode.stride() > 0)
}
