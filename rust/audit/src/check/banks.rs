//! RG015: rows of an `ldmatrix` that share banks. RG016: a swizzle that takes the elements of one vector apart.

use razorgirl::bank::phase;
use razorgirl::{Swizzle, SwizzledLayout};

use super::cover::Budget;
use super::defect::{Defect, coordinate, offsets, shown};
use crate::survey::Access;

/// Rows of the matrices that `ldmatrix` reads.
const ROWS: u64 = 8;

/// Bits of a row of such a matrix.
const ROW: u64 = 128;

/// Vectors of one row, and rows, that are looked at.
const MAX_VECTORS: u64 = 64;

/// Offsets that are asked for at most, by one question.
pub const MOST: u64 = 1 << 17;

/// A layout as rows of elements that are contiguous without its swizzle.
struct Rows<'l> {
    layout: &'l SwizzledLayout,
    /// Elements of a vector.
    vector: u64,
    /// Vectors of a row.
    vectors: u64,
    /// How many rows.
    count: u64,
    /// Indices from one element of a row to the next, and from one row to the next.
    steps: (u64, u64),
}

impl<'l> Rows<'l> {
    /// None where the elements of a vector are not contiguous even without the swizzle, or are no vector.
    fn of(layout: &'l SwizzledLayout, vector: u64) -> Option<Self> {
        let inside = layout.layout();
        let modes = [inside.mode(0)?, inside.mode(1)?];
        let along = super::vectors::along(&modes, vector)?;
        let [first, second] = &modes;
        let (row, across) = if along == 0 { (first, second) } else { (second, first) };
        let steps = if along == 0 { (1, first.size()) } else { (first.size(), 1) };
        let rows = Self {
            layout,
            vector,
            vectors: (row.size() / vector).min(MAX_VECTORS),
            count: across.size().min(MAX_VECTORS),
            steps,
        };
        // A row that does not begin at a multiple of a vector is no row of vectors.
        let aligned = (0..rows.count)
            .all(|r| (0..rows.vectors).all(|v| inside.at(rows.index(r, v, 0)).is_ok_and(|at| at % vector == 0)));
        (vector > 1 && aligned).then_some(rows)
    }

    fn index(&self, row: u64, vector: u64, element: u64) -> u64 {
        (vector * self.vector + element) * self.steps.0 + row * self.steps.1
    }

    /// The most wavefronts that eight rows take, with this swizzle in the place of the layout's own.
    fn wavefronts(&self, swizzle: Swizzle, bytes: u64) -> Option<u64> {
        let layout = SwizzledLayout::new(swizzle, self.layout.offset(), self.layout.layout().clone()).ok()?;
        let mut most = 0;
        for first in (0..self.count / ROWS).map(|group| group * ROWS) {
            for vector in 0..self.vectors {
                let address = |row| layout.at(self.index(first + row, vector, 0)).ok()?.checked_mul(bytes);
                let addresses: Vec<u64> = (0..ROWS).map(address).collect::<Option<_>>()?;
                most = most.max(phase(&addresses, ROW / 8).ok()?);
            }
        }
        (most > 0).then_some(most)
    }
}

/// RG016: the first vector that the swizzle takes apart.
pub fn split(layout: &SwizzledLayout, vector: u64, bits: u64, budget: &mut Budget) -> Option<Defect> {
    if bits == 0 || !budget.take(MOST) || !vector.is_multiple_of(bits) {
        return None;
    }
    let count = vector / bits;
    let rows = Rows::of(layout, count)?;
    let all = (0..rows.count).flat_map(|row| (0..rows.vectors).map(move |vector| (row, vector)));
    let witness = all.into_iter().find_map(|(row, vector)| {
        let begin = rows.index(row, vector, 0);
        let first = layout.at(begin).ok()?;
        let element = (0..count).find_map(|element| {
            let index = rows.index(row, vector, element);
            let at = layout.at(index).ok()?;
            (first.checked_add(element) != Some(at)).then(|| {
                let coordinate = coordinate(layout.layout(), index);
                format!("begins at offset {first}, and its element {element}, {coordinate}, is at offset {at}")
            })
        });
        let moved = || {
            let coordinate = coordinate(layout.layout(), begin);
            (first % count != 0)
                .then(|| format!("begins at offset {first}, {coordinate}; {first} is not a multiple of {count}"))
        };
        element.or_else(moved)
    })?;
    let need = count.ilog2();
    let notes = vec![
        format!("a vector of {count} elements of {bits} bits {witness}"),
        format!("{count} elements stay contiguous if M is at least {need}"),
    ];
    let title = format!("the swizzle of {} splits vectors of {vector} bits", shown(layout));
    Some(Defect { title, layout: shown(layout), notes, ..Defect::default() })
}

/// RG015: how many wavefronts `ldmatrix` or `stmatrix` takes for eight rows of elements of some bits, and a swizzle with which it takes one.
pub fn conflicts(layout: &SwizzledLayout, (access, bits): (Access, u64), budget: &mut Budget) -> Option<Defect> {
    if !(8..=64).contains(&bits) || !bits.is_power_of_two() || !budget.take(MOST) {
        return None;
    }
    let rows = Rows::of(layout, ROW / bits)?;
    let most = rows.wavefronts(layout.swizzle(), bits / 8).filter(|most| *most > 1)?;
    let mut notes = vec![format!(
        "eight rows of 16 bytes take up to {most} wavefronts, and 1 is the least: their addresses share banks"
    )];
    if let Some(swizzle) = remedy(&rows, bits, budget) {
        notes.push(format!(
            "with Swizzle<{},{},{}> over {} every eight rows take 1, and no element leaves the layout; counted",
            swizzle.bits(),
            swizzle.base(),
            swizzle.shift(),
            layout.layout()
        ));
    }
    let by = if access == Access::Stmatrix { "stmatrix to" } else { "ldmatrix from" };
    let title = format!("{by} {} has bank conflicts", shown(layout));
    Some(Defect { title, layout: shown(layout), notes, ..Defect::default() })
}

/// A swizzle of whole vectors with which eight rows take one wavefront, and with which no element leaves the layout.
fn remedy(rows: &Rows<'_>, bits: u64, budget: &mut Budget) -> Option<Swizzle> {
    let inside = rows.layout.layout();
    let base = u64::from(rows.vector.ilog2());
    let end = inside.cosize();
    for count in 1..=3 {
        for shift in count..=8 {
            let swizzle = Swizzle::new(count, base, i64::try_from(shift).ok()?);
            if rows.wavefronts(swizzle, bits / 8) != Some(1) {
                continue;
            }
            let whole = SwizzledLayout::new(swizzle, 0, inside.clone()).ok()?;
            if offsets(&whole, budget)?.iter().all(|offset| *offset < end) {
                return Some(swizzle);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(layout: &str, bits: u64) -> Option<String> {
        conflicts(&layout.parse().unwrap(), (Access::Ldmatrix, bits), &mut Budget::default())
            .map(|defect| defect.notes.join(" "))
    }

    #[test]
    fn rows_that_share_banks() {
        // Rows of 128 bytes: all eight in the same four banks. Rows of 64 bytes: two fit side by side.
        assert!(said("(8,64):(64,1)", 16).unwrap().contains("up to 8 wavefronts"));
        assert!(said("(8,32):(32,1)", 16).unwrap().contains("up to 4 wavefronts"));
        assert!(said("(64,8):(1,64)", 16).unwrap().contains("up to 8 wavefronts"));
        for layout in ["(8,64):(72,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "Sw<2,3,3> o 0 o (8,32):(32,1)", "(8,8):(8,1)"]
        {
            assert_eq!(said(layout, 16), None, "{layout}");
        }
    }

    #[test]
    fn what_is_suggested_holds() {
        for (layout, bits) in
            [("(8,64):(64,1)", 16), ("(16,32):(32,1)", 16), ("(64,8):(1,64)", 16), ("(8,32):(32,1)", 32)]
        {
            let notes = said(layout, bits).unwrap();
            let (_, rest) = notes.split_once("with Swizzle<").unwrap_or_else(|| panic!("{layout}: {notes}"));
            let (numbers, _) = rest.split_once('>').unwrap();
            assert_eq!(said(&format!("Sw<{numbers}> o 0 o {layout}"), bits), None, "{layout}");
        }
    }

    #[test]
    fn vectors_that_come_apart() {
        let apart = |layout: &str, bits| split(&layout.parse().unwrap(), 128, bits, &mut Budget::default()).is_some();
        assert!(apart("Sw<3,2,3> o 0 o (8,64):(64,1)", 16) && apart("Sw<3,0,3> o 0 o (8,64):(64,1)", 16));
        assert!(!apart("Sw<3,3,3> o 0 o (8,64):(64,1)", 16) && !apart("Sw<3,2,3> o 0 o (8,32):(32,1)", 32));
        // Nothing is a vector here without the swizzle either.
        assert!(!apart("Sw<3,2,3> o 0 o (8,64):(64,2)", 16) && !apart("Sw<3,0,3> o 0 o (8,4):(4,1)", 16));
    }
}
