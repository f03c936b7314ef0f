//! Pictures of thread-value layouts: which thread has which element of a tile, as which value.

use crate::failure::Failure;
use crate::svg::{Cell, Colour, Panel};
use crate::table::rows_and_columns;
use razorgirl::{Layout, Shape};
use razorgirl_protocol::Code;

/// Cells that are drawn at most.
const CELLS: u64 = 1 << 14;

/// The tile of this shape, with the first mode downwards. Each cell shows the thread and the value that the layout `(thread, value)
/// → index in the tile` maps to it, in the colour of the thread. A cell of several threads is outlined in red and shows the first
/// one; a cell of no thread is grey.
///
/// # Errors
/// Where the layout is not of rank 2, leaves the tile, or has too many cells.
pub fn panel(layout: &Layout, tile: &Shape) -> Result<Panel, Failure> {
    let refused = |code: Code, message: String, help: &str| Failure::refused(code, message, [help.to_owned()]);
    if layout.rank() != 2 {
        let message = format!("{layout} has {} modes, not a thread and a value mode", layout.rank());
        return Err(refused(Code::Incongruent, message, "write (threads, values), such as ((4,8),2):((16,1),8)"));
    }
    let size = tile.size();
    if size > CELLS || layout.size() > CELLS {
        let message = format!("{} cells are too many for a picture", size.max(layout.size()));
        return Err(refused(Code::TooLarge, message, "draw the part of one warp"));
    }
    if layout.cosize() > size {
        let message =
            format!("{layout} reaches index {}, but the tile {tile} has {size} elements", layout.cosize() - 1);
        return Err(refused(Code::OutOfDomain, message, "give the shape that the indices are of, such as (16,8)"));
    }
    let threads = layout.mode(0).map_or(1, |mode| mode.size());
    let mut holders: Vec<Vec<(u64, u64)>> = vec![Vec::new(); usize::try_from(size).unwrap_or_default()];
    for (at, index) in (0..).zip(layout.offsets()) {
        if let Some(held) = usize::try_from(index).ok().and_then(|index| holders.get_mut(index)) {
            held.push((at % threads, at / threads));
        }
    }
    let cells = holders.iter().map(|held| match held.first() {
        None => Cell { label: String::new(), fill: Colour([0xdd; 3]), marked: false },
        Some((thread, value)) => {
            let (hue, light) = (thread % 32 * 137 % 360, if thread / 32 % 2 == 0 { 80 } else { 70 });
            Cell { label: format!("T{thread}V{value}"), fill: Colour::of_hue(hue, 65, light), marked: held.len() > 1 }
        }
    });
    let (rows, _) = rows_and_columns(&Layout::column_major(tile));
    Ok(Panel { title: format!("{layout} on {tile}"), rows, cells: cells.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_names_who_holds_it() {
        let layout: Layout = "((4,8),2):((16,1),8)".parse().unwrap();
        let tile: Shape = "(8,8)".parse().unwrap();
        let panel = panel(&layout, &tile).unwrap();
        let labels: Vec<String> = panel.cells.iter().map(|cell| cell.label.clone()).collect();
        let mut expected = vec![String::new(); 64];
        for (thread, value) in (0..32).flat_map(|thread| (0..2).map(move |value| (thread, value))) {
            expected[thread % 4 * 16 + thread / 4 + value * 8] = format!("T{thread}V{value}");
        }
        assert_eq!(labels, expected);
        assert!(panel.cells.iter().all(|cell| !cell.marked));
        let twice = super::panel(&"(2,2):(1,1)".parse().unwrap(), &"4".parse().unwrap()).unwrap();
        let marked: Vec<bool> = twice.cells.iter().map(|cell| cell.marked).collect();
        assert_eq!(marked, [false, true, false, false]);
        assert!(twice.cells[3].label.is_empty());
    }

    #[test]
    fn what_leaves_the_tile_is_refused() {
        let layout: Layout = "(4,2):(1,4)".parse().unwrap();
        assert!(panel(&layout, &"7".parse().unwrap()).is_err());
        assert!(panel(&"4:1".parse().unwrap(), &"4".parse().unwrap()).is_err());
    }
}
