//! CuTe notation that only the command reads or writes.

use razorgirl::{Coord, Layout, Shape};

/// The text apart at a separator, where it stands outside of brackets.
pub fn split(text: &str, separator: char) -> Vec<&str> {
    let mut depth = 0_i64;
    text.split(|c| {
        depth += match c {
            '(' | '<' => 1,
            ')' | '>' => -1,
            _ => 0,
        };
        c == separator && depth == 0
    })
    .collect()
}

/// The coordinate `(_,0,…)` of the first mode, where there are others and it has at most so many elements.
pub fn first_mode(layout: &Layout, most: u64) -> Option<Coord> {
    let others = layout.rank().checked_sub(1).filter(|others| *others > 0)?;
    let coord: Coord = format!("(_{})", ",0".repeat(others)).parse().ok()?;
    layout.slice(&coord).is_ok_and(|first| first.size() <= most).then_some(coord)
}

/// A coordinate of the layout's own nesting for a linear index below its size.
pub fn coordinate(shape: &Shape, index: u64) -> String {
    shape.idx2crd(index).map_or_else(|_| index.to_string(), |coord| coord.to_string())
}
