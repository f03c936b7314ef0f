//! How often a layout hits each element of a tile.

use razorgirl::{Layout, Mode};

use crate::survey::Tile;

/// Layouts with more elements are not enumerated.
const MAX_ELEMENTS: u64 = 1 << 24;

/// Elements that one run may enumerate in all. Real sources need next to none: strides tell.
const BUDGET: u64 = 1 << 27;

/// What is left to enumerate, so that no source, however hostile, takes long.
#[derive(Debug)]
pub struct Budget(u64);

impl Default for Budget {
    fn default() -> Self {
        Self(BUDGET)
    }
}

impl Budget {
    /// Whether there are so many left.
    pub fn has(&self, elements: u64) -> bool {
        elements <= self.0
    }

    /// Takes some elements; false when there are not as many left.
    pub fn take(&mut self, elements: u64) -> bool {
        let left = self.0.checked_sub(elements);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// What a layout does to a tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coverage {
    /// Every element is hit this many times.
    Even(u64),
    /// Some elements are hit more often than others, or something outside of the tile is.
    Uneven(Uneven),
    /// Too many elements to tell.
    TooLarge,
}

/// The elements that are hit the wrong number of times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uneven {
    /// Elements that are hit at all.
    pub hit: u64,
    /// Elements that are never hit.
    pub missed: Elements,
    /// Elements that are hit more often than the least-hit of those that are.
    pub crowded: Elements,
    /// The smallest offset outside of the tile, if any.
    pub outside: Option<u64>,
    /// Coordinates whose offset lies outside.
    pub outside_count: u64,
}

/// Some elements of a tile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Elements {
    /// How many.
    pub count: u64,
    /// The rows that they lie in, ascending.
    rows: Vec<u64>,
    /// The columns that they lie in, ascending.
    columns: Vec<u64>,
    /// The first few.
    first: Vec<u64>,
}

/// Elements that are listed one by one.
const LISTED: usize = 4;

impl Elements {
    fn select(hits: &[u32], tile: Tile, wanted: impl Fn(u32) -> bool) -> Self {
        let length = |extent: u64| usize::try_from(extent).unwrap_or(0);
        let mut rows = vec![false; length(tile.rows)];
        let mut columns = vec![false; length(tile.columns)];
        let mut elements = Self::default();
        let mark = |seen: &mut [bool], index: u64| {
            if let Some(seen) = usize::try_from(index).ok().and_then(|index| seen.get_mut(index)) {
                *seen = true;
            }
        };
        for (offset, _) in (0_u64..).zip(hits).filter(|(_, hits)| wanted(**hits)) {
            mark(&mut rows, offset % tile.rows);
            mark(&mut columns, offset / tile.rows);
            elements.count += 1;
            if elements.first.len() < LISTED {
                elements.first.push(offset);
            }
        }
        let indices = |seen: Vec<bool>| (0_u64..).zip(seen).filter(|(_, seen)| *seen).map(|(index, _)| index).collect();
        elements.rows = indices(rows);
        elements.columns = indices(columns);
        elements
    }
}

/// The modes that move, and how often the others repeat the image. Modes of stride 0 keep an image as even as it is.
fn moving(layout: &Layout) -> (Vec<Mode>, u64) {
    let mut repeats = 1_u64;
    let mut modes: Vec<Mode> = Vec::with_capacity(layout.modes().len());
    for mode in layout.modes().iter().filter(|mode| mode.extent() > 1) {
        if mode.stride() == 0 {
            // The layout's size fits 64 bits, and with it every product of its extents.
            repeats = repeats.saturating_mul(mode.extent());
        } else {
            modes.push(*mode);
        }
    }
    (modes, repeats)
}

/// Whether the strides show that every element is hit, and all equally often. Where this says no, counting may still say yes.
pub fn plainly_even(layout: &Layout, tile: Tile) -> bool {
    tile.size().is_some_and(|size| fills(&moving(layout).0, size))
}

/// Counts the hits.
pub fn coverage(layout: &Layout, tile: Tile, budget: &mut Budget) -> Coverage {
    let Some(size) = tile.size() else { return Coverage::TooLarge };
    let (modes, repeats) = moving(layout);
    if fills(&modes, size) {
        return Coverage::Even(repeats);
    }
    let Ok(image) = Layout::from_modes(modes) else { return Coverage::TooLarge };
    if image.size() > MAX_ELEMENTS || !budget.take(image.size() + size) {
        return Coverage::TooLarge;
    }
    let Ok(length) = usize::try_from(size) else { return Coverage::TooLarge };
    let mut hits = vec![0_u32; length];
    let (mut outside, mut outside_count) = (None, 0);
    for offset in image.offsets() {
        if let Some(hits) = usize::try_from(offset).ok().and_then(|offset| hits.get_mut(offset)) {
            *hits += 1;
        } else {
            outside_count += 1;
            outside = Some(outside.map_or(offset, |least: u64| least.min(offset)));
        }
    }
    let least = hits.iter().copied().filter(|hits| *hits > 0).min().unwrap_or(0);
    let even = hits.first().copied().unwrap_or(0);
    if outside.is_none() && even > 0 && hits.iter().all(|hits| *hits == even) {
        return Coverage::Even(repeats.saturating_mul(u64::from(even)));
    }
    let missed = Elements::select(&hits, tile, |hits| hits == 0);
    Coverage::Uneven(Uneven {
        hit: size - missed.count,
        missed,
        crowded: Elements::select(&hits, tile, |hits| hits > least),
        outside,
        outside_count,
    })
}

/// Whether modes of positive stride reach every offset below `size` once: sorted by stride, each begins where the one before
/// ends.
fn fills(modes: &[Mode], size: u64) -> bool {
    let mut sorted: Vec<Mode> = modes.to_vec();
    sorted.sort_unstable_by_key(|mode| mode.stride());
    let reached = sorted
        .iter()
        .try_fold(1_u64, |next, mode| if mode.stride() == next { next.checked_mul(mode.extent()) } else { None });
    reached == Some(size)
}

/// Elements in words: whole rows or columns where they are that, else the first few.
pub fn describe(elements: &Elements, tile: Tile, axes: (&str, &str)) -> String {
    let (rows, columns) = (&elements.rows, &elements.columns);
    if (rows.len() as u64).checked_mul(columns.len() as u64) == Some(elements.count) {
        let all_rows = rows.len() as u64 == tile.rows;
        let all_columns = columns.len() as u64 == tile.columns;
        return match (all_rows, all_columns) {
            (true, true) => "all of them".to_owned(),
            (true, false) => format!("{} = {} for every {}", axes.1, ranges(columns), axes.0),
            (false, true) => format!("{} = {} for every {}", axes.0, ranges(rows), axes.1),
            (false, false) => format!("{} = {} with {} = {}", axes.0, ranges(rows), axes.1, ranges(columns)),
        };
    }
    let shown = elements.first.iter().map(|offset| format!("({},{})", offset % tile.rows, offset / tile.rows));
    let more = if elements.count > elements.first.len() as u64 { ", …" } else { "" };
    format!("({},{}) = {}{more}", axes.0, axes.1, shown.collect::<Vec<_>>().join(", "))
}

/// Ascending numbers as `0..3, 8, 12..15`.
fn ranges(numbers: &[u64]) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let shown = runs.iter().take(6);
    let shown = shown.map(|(first, last)| if first == last { first.to_string() } else { format!("{first}..{last}") });
    let mut parts: Vec<String> = shown.collect();
    if runs.len() > parts.len() {
        parts.push("…".to_owned());
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The definition: count every offset.
        #[test]
        fn counting_agrees_with_the_definition(
            modes in prop::collection::vec((1..5_u64, 0..9_u64), 0..5),
            rows in 1..7_u64,
            columns in 1..7_u64,
        ) {
            let layout = Layout::from_modes(modes.iter().map(|(extent, stride)| Mode::new(*extent, *stride))).unwrap();
            let tile = Tile { rows, columns };
            let mut hits = std::collections::BTreeMap::<u64, u64>::new();
            for index in 0..layout.size() {
                *hits.entry(layout.at(index).unwrap()).or_default() += 1;
            }
            let inside: Vec<u64> = (0..rows * columns).map(|offset| hits.get(&offset).copied().unwrap_or(0)).collect();
            let even = hits.keys().all(|offset| *offset < rows * columns) && inside.iter().all(|count| *count == inside[0] && *count > 0);
            match coverage(&layout, tile, &mut Budget::default()) {
                Coverage::Even(times) => {
                    prop_assert!(even);
                    prop_assert_eq!(times, inside[0]);
                }
                Coverage::Uneven(uneven) => {
                    prop_assert!(!even);
                    prop_assert!(!plainly_even(&layout, tile));
                    prop_assert_eq!(uneven.hit, inside.iter().filter(|count| **count > 0).count() as u64);
                    prop_assert_eq!(uneven.missed.count, inside.iter().filter(|count| **count == 0).count() as u64);
                    prop_assert_eq!(uneven.outside, hits.keys().copied().find(|offset| *offset >= rows * columns));
                }
                Coverage::TooLarge => prop_assert!(false),
            }
        }
    }

    fn cover(layout: &str, rows: u64, columns: u64) -> Coverage {
        coverage(&layout.parse().unwrap(), Tile { rows, columns }, &mut Budget::default())
    }

    #[test]
    fn a_bijection_is_even_in_whatever_order() {
        assert_eq!(cover("((4,8),(2,2)):((32,1),(16,8))", 16, 8), Coverage::Even(1));
        assert_eq!(cover("(8,4):(1,8)", 8, 4), Coverage::Even(1));
    }

    #[test]
    fn broadcasts_stay_even() {
        assert_eq!(cover("(128,(64,16)):(0,(1,64))", 64, 16), Coverage::Even(128));
        // Two coordinates an element, though no stride is 0.
        assert_eq!(cover("(2,2,2):(1,2,0)", 4, 1), Coverage::Even(2));
    }

    #[test]
    fn a_wrong_stride_is_uneven() {
        let Coverage::Uneven(uneven) = cover("((4,8),8):((32,1),8)", 8, 32) else { panic!("even") };
        assert_eq!(uneven.hit, 160);
        assert_eq!(uneven.missed.count, 96);
        assert_eq!(uneven.outside, None);
        let tile = Tile { rows: 8, columns: 32 };
        assert_eq!(describe(&uneven.missed, tile, ("n", "k")), "k = 20..31 for every n");
        assert_eq!(describe(&uneven.crowded, tile, ("n", "k")), "k = 4..15 for every n");
    }

    #[test]
    fn outside_is_seen() {
        let Coverage::Uneven(uneven) = cover("8:2", 8, 1) else { panic!("even") };
        assert_eq!((uneven.hit, uneven.outside, uneven.outside_count), (4, Some(8), 4));
    }

    #[test]
    fn giants_are_refused() {
        assert_eq!(cover("4:1", u64::MAX, u64::MAX), Coverage::TooLarge);
        assert_eq!(cover("(4194304,4194304):(1,1)", 8, 8), Coverage::TooLarge);
    }
}
