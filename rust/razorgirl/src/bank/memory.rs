//! Linear layouts of a tile for accesses that are linear in the bits of the lane and of the element.

use crate::linear_layout::f2::{Span, apply, inverse};
use crate::linear_layout::{Bases, LinearLayout};
use alloc::{borrow::ToOwned, vec::Vec};

use super::optimal::optimal_swizzle;
use super::pattern::Access;

/// Accesses with the same lanes and elements, up to where in the tile they begin.
#[derive(PartialEq)]
struct Kind {
    /// what each bit of the element of a lane is exclusive-ored with
    elements: Vec<u64>,
    /// what each bit of the lane is
    lanes: Vec<u64>,
}

/// What each bit of the place in the list is exclusive-ored with, where that is so and there are 2^k entries.
fn columns(list: &[u64]) -> Option<Vec<u64>> {
    let first = *list.first()?;
    if !list.len().is_power_of_two() {
        return None;
    }
    let columns: Vec<u64> = (0..list.len().ilog2()).filter_map(|bit| Some(first ^ list.get(1 << bit)?)).collect();
    let linear = (0..).zip(list).all(|(place, entry)| first ^ apply(&columns, place) == *entry);
    linear.then_some(columns)
}

impl Kind {
    fn of(access: &Access) -> Option<Self> {
        let lanes = columns(&access.lanes)?;
        let elements = columns(&access.elements(0))?;
        let same = |lane: usize| columns(&access.elements(lane)).as_ref() == Some(&elements);
        (0..access.lanes.len()).all(same).then_some(Self { elements, lanes })
    }

    /// Registers, lanes, and where the accesses begin, over the index in the tile.
    fn layout(&self, begins: &[u64], size: u64) -> Option<LinearLayout> {
        let mut span = Span::new();
        let first = begins.first().copied().unwrap_or(0);
        let warps: Vec<u64> = begins.iter().map(|begin| begin ^ first).filter(|step| span.add(*step)).collect();
        let rows = |name: &str, columns: &[u64]| -> Bases {
            (name.to_owned(), columns.iter().map(|column| vec![*column]).collect())
        };
        let bases = [rows("register", &self.elements), rows("lane", &self.lanes), rows("warp", &warps)];
        LinearLayout::new(&bases, vec![("index".to_owned(), size)]).ok()
    }
}

/// For each two kinds of accesses, a layout from the index in a tile of `size` to the offset in shared memory in which, if
/// the tile has it, both have no conflicts. Whether that is so is to be counted.
pub(super) fn memory(size: u64, accesses: &[Access], element: u64) -> Vec<LinearLayout> {
    let mut kinds: Vec<(Kind, Vec<u64>)> = Vec::new();
    for access in accesses {
        let Some(kind) = Kind::of(access) else { return Vec::new() };
        let begin = access.lanes.first().copied().unwrap_or(0);
        match kinds.iter_mut().find(|(own, _)| *own == kind) {
            Some((_, begins)) => begins.push(begin),
            None => kinds.push((kind, vec![begin])),
        }
    }
    let layouts: Option<Vec<LinearLayout>> = kinds.iter().map(|(kind, begins)| kind.layout(begins, size)).collect();
    let layouts = layouts.unwrap_or_default();
    let pairs = layouts.iter().enumerate().flat_map(|(at, src)| layouts.iter().skip(at).map(move |dst| (src, dst)));
    pairs.filter_map(|(src, dst)| of_two(src, dst, element)).collect()
}

fn of_two(src: &LinearLayout, dst: &LinearLayout, element: u64) -> Option<LinearLayout> {
    let memory = optimal_swizzle(src, dst, element.checked_mul(8)?).ok()?;
    let rows = inverse(memory.columns())?.into_iter().map(|column| vec![column]).collect();
    let size = 1_u64.checked_shl(memory.outs().total())?;
    LinearLayout::new(&[("index".to_owned(), rows)], vec![("offset".to_owned(), size)]).ok()
}
