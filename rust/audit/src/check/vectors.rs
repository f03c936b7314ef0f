//! RG020: vectors of a copy that cannot all be aligned.
//!
//! Two vectors of one copy whose distance is no multiple of a vector are not both aligned, wherever the tensor begins.

use razorgirl::{Layout, Swizzle, SwizzledLayout};

use super::cover::Budget;
use super::defect::{Defect, MAX_COORDINATES, coordinate, shown};
use crate::survey::{Extent, Vectors};

/// What a tiled copy moves in a tensor: the first vector, and the first that is not aligned with it.
pub fn misaligned(of: &Vectors, budget: &mut Budget) -> Option<Defect> {
    let (vector, bits) = (of.vector, of.bits);
    if of.copied == Extent::None || bits == 0 || !vector.is_multiple_of(bits) || vector <= bits {
        return None;
    }
    let tensor = of.tensor.layout();
    let elements = of.tile.iter().try_fold(1_u64, |all, extent| all.checked_mul(*extent))?;
    let work = tensor.size().checked_add(of.copy.size())?;
    if of.tile.len() > tensor.rank() || work > MAX_COORDINATES || !budget.take(work) || elements != of.copy.size() {
        return None;
    }
    let parts = Parts::of(&of.tensor, &of.tile)?;
    let values = of.copy.mode(1)?.size();
    let threads = of.copy.mode(0)?.size();
    // (thread, value) to where it lies in the first tile.
    let lies = |thread: u64, value: u64| parts.tile(of.copy.at(thread.checked_add(threads.checked_mul(value)?)?).ok()?);
    let together = |thread: u64, value: u64, count: u64| {
        let first = parts.place(lies(thread, value)?, 0)?;
        let run = (1..count).take_while(|step| {
            let at = lies(thread, value + step).and_then(|at| parts.place(at, 0));
            at == first.checked_add(*step)
        });
        u64::try_from(run.count()).ok()?.checked_add(1)
    };
    let mut count = vector / bits;
    if of.most {
        // As many as lie together are moved at once.
        let run = together(0, 0, values.min(count))?;
        count = 1 << run.ilog2();
        while !values.is_multiple_of(count) {
            count /= 2;
        }
    }
    // Of a part at one place it is not known at which: all of them look the same.
    let rests = if of.copied == Extent::All { parts.rests() } else { 1 };
    if of.most {
        // CuTe asks for no more bits than the distances between the vectors of one thread are multiples of.
        let begin = parts.place(lies(0, 0)?, 0)?;
        for value in (0..values).step_by(usize::try_from(count).ok()?) {
            for rest in 0..rests {
                let distance = parts.place(lies(0, value)?, rest)?.abs_diff(begin);
                while !distance.is_multiple_of(count) {
                    count /= 2;
                }
            }
        }
    }
    if count < 2 || !values.is_multiple_of(count) {
        return None;
    }
    let starts = |thread: u64, vector: u64| lies(thread, vector * count);
    let first = parts.place(starts(0, 0)?, 0)?;
    let mut found = None;
    for thread in 0..threads {
        for vector in 0..values / count {
            // Where the elements of a vector do not lie together, CuTe refuses the copy.
            if together(thread, vector * count, count)? < count {
                return None;
            }
            let start = starts(thread, vector)?;
            for rest in 0..rests {
                let at = parts.place(start, rest)?;
                if !at.abs_diff(first).is_multiple_of(count) && found.is_none() {
                    found = Some((thread, vector, at));
                }
            }
        }
    }
    // A slice begins at a multiple of its stride.
    let step = of.steps.iter().find(|step| !step.is_multiple_of(count));
    if let (None, Some(step)) = (found, step) {
        let moved = count * bits;
        let notes = vec![
            format!("the slices of consecutive blocks begin {step} elements apart"),
            format!(
                "a vector is {count} elements of {bits} bits, and {step} is not a multiple of {count}: for every base address, some slice is misaligned"
            ),
            format!("a slice is {}", shown(&of.tensor)),
        ];
        let title = format!("this copy moves {moved} bits at once, and its vectors are not all aligned");
        return Some(Defect { title, layout: shown(&of.tensor), notes, ..Defect::default() });
    }
    let (thread, number, at) = found?;
    let distance = at.abs_diff(first);
    let moved = count * bits;
    let notes = vec![
        format!("vector 0 of thread 0 begins at offset {first}, and vector {number} of thread {thread} at {at}"),
        format!(
            "a vector is {count} elements of {bits} bits, and {distance} is not a multiple of {count}: for every base address, one of the two vectors is misaligned"
        ),
        format!("the tensor is {}", shown(&of.tensor)),
    ];
    let title = format!("this copy moves {moved} bits at once, and its vectors are not all aligned");
    Some(Defect { title, layout: shown(&of.tensor), notes, ..Defect::default() })
}

/// RG016: the first vector of a tiled copy that the swizzle of the tensor takes apart.
pub fn split(of: &Vectors, budget: &mut Budget) -> Option<Defect> {
    let (vector, bits, swizzle) = (of.vector, of.bits, of.tensor.swizzle());
    // What is promised to be aligned only is moved as far as it lies together.
    if of.most || bits == 0 || !vector.is_multiple_of(bits) || vector <= bits || swizzle.bits() == 0 {
        return None;
    }
    let (tensor, count) = (of.tensor.layout(), vector / bits);
    let elements = of.tile.iter().try_fold(1_u64, |all, extent| all.checked_mul(*extent))?;
    let work = tensor.size().checked_add(of.copy.size())?;
    if of.tile.len() > tensor.rank() || work > MAX_COORDINATES || !budget.take(work) || elements != of.copy.size() {
        return None;
    }
    let parts = Parts::of(&of.tensor, &of.tile)?;
    let (threads, values) = (of.copy.mode(0)?.size(), of.copy.mode(1)?.size());
    if !values.is_multiple_of(count) {
        return None;
    }
    let lies = |thread: u64, value: u64| parts.tile(of.copy.at(thread.checked_add(threads.checked_mul(value)?)?).ok()?);
    let mut found = None;
    for (thread, vector) in (0..threads).flat_map(|thread| (0..values / count).map(move |vector| (thread, vector))) {
        let first = lies(thread, vector * count)?;
        for element in 1..count {
            // Where the elements of a vector do not lie together without the swizzle, CuTe refuses the copy.
            if lies(thread, vector * count + element)? != first.checked_add(element)? {
                return None;
            }
            let (begin, at) = (parts.place(first, 0)?, parts.place(first + element, 0)?);
            if at != begin.checked_add(element)? && found.is_none() {
                found = Some((thread, begin, element, at));
            }
        }
    }
    let (thread, begin, element, at) = found?;
    let notes = vec![
        format!("a vector of thread {thread} begins at offset {begin}, and its element {element} is at offset {at}"),
        format!("{count} elements stay contiguous if M is at least {}", count.ilog2()),
        format!("the tensor is {}", shown(&of.tensor)),
    ];
    let title = format!("the swizzle of this tensor splits the vectors of {vector} bits of the copy");
    Some(Defect { title, layout: shown(&of.tensor), notes, ..Defect::default() })
}

/// A tensor by the modes of a tile: where coordinates of the tile lie before the swizzle, and where the tiles begin.
pub(super) struct Parts<'l> {
    whole: &'l SwizzledLayout,
    tile: &'l [u64],
    modes: Vec<Layout>,
    rests: Vec<u64>,
}

impl<'l> Parts<'l> {
    pub(super) fn of(whole: &'l SwizzledLayout, tile: &'l [u64]) -> Option<Self> {
        let layout = whole.layout();
        let modes: Vec<Layout> = (0..layout.rank()).map(|mode| layout.mode(mode)).collect::<Option<_>>()?;
        let mut rests = vec![0_u64];
        for (index, mode) in modes.iter().enumerate() {
            let step = tile.get(index).copied().unwrap_or(1);
            if !mode.size().is_multiple_of(step) {
                return None;
            }
            let mut next = Vec::new();
            for begin in (0..mode.size()).step_by(usize::try_from(step).ok()?) {
                let more = mode.at(begin).ok()?;
                next.extend(rests.iter().map(|rest| rest.checked_add(more)).collect::<Option<Vec<u64>>>()?);
            }
            rests = next;
        }
        // A tile must look the same wherever it begins, for the two to add up.
        let additive = modes.iter().zip(tile).all(|(mode, step)| {
            (0..mode.size() / step).all(|begin| {
                let begin = begin * step;
                (0..*step).all(|within| {
                    let sum = mode.at(begin).ok().zip(mode.at(within).ok()).and_then(|(a, b)| a.checked_add(b));
                    mode.at(begin + within).ok() == sum
                })
            })
        });
        additive.then_some(Self { whole, tile, modes, rests })
    }

    fn rests(&self) -> usize {
        self.rests.len()
    }

    /// Where the tiles begin, before the swizzle.
    pub(super) fn begins(&self) -> &[u64] {
        &self.rests
    }

    /// The offset of an element of the first tile, before the swizzle.
    pub(super) fn tile(&self, mut element: u64) -> Option<u64> {
        let mut sum = 0_u64;
        for (mode, extent) in self.modes.iter().zip(self.tile) {
            sum = sum.checked_add(mode.at(element % extent).ok()?)?;
            element /= extent;
        }
        Some(sum)
    }

    /// The same in another tile, after the swizzle.
    fn place(&self, offset: u64, rest: usize) -> Option<u64> {
        let at = offset.checked_add(*self.rests.get(rest)?)?.checked_add(self.whole.offset())?;
        self.whole.swizzle().apply(at).ok()
    }
}

/// The mode along which vectors of so many elements lie: the first one that begins with whole vectors of neighbours.
pub fn along(modes: &[Layout; 2], count: u64) -> Option<usize> {
    modes.iter().position(|mode| {
        mode.coalesce().modes().first().is_some_and(|first| first.stride() == 1 && first.extent() % count == 0)
    })
}

/// RG020: rows of a layout that an `ldmatrix` or a copy of vectors goes over, by the names of the two.
pub fn rows(layout: &SwizzledLayout, vector: u64, bits: u64, budget: &mut Budget) -> Option<Defect> {
    if bits == 0 || !vector.is_multiple_of(bits) || vector <= bits || layout.swizzle() != Swizzle::new(0, 0, 0) {
        return None;
    }
    let count = vector / bits;
    let inside = layout.layout();
    let modes = [inside.mode(0)?, inside.mode(1)?];
    let along = along(&modes, count)?;
    let [first, second] = &modes;
    let (row, across, step) = if along == 0 { (first, second, first.size()) } else { (second, first, 1) };
    let work = across.size().checked_add(row.size())?;
    if work > MAX_COORDINATES || !budget.take(work) {
        return None;
    }
    let bad = |mode: &Layout, by: u64| {
        (0..mode.size() / by).map(|index| index * by).find(|index| mode.at(*index).is_ok_and(|at| at % count != 0))
    };
    let index = bad(across, 1)
        .map(|index| index * step)
        .or_else(|| bad(row, count).map(|index| index * if along == 0 { 1 } else { first.size() }))?;
    let at = inside.at(index).ok()?;
    let notes = vec![
        format!(
            "a vector of {count} elements of {bits} bits begins at {} = offset {at}, another at offset 0",
            coordinate(inside, index)
        ),
        format!("{at} is not a multiple of {count}: for every base address, one of the two vectors is misaligned"),
    ];
    let title = format!("not all vectors of {vector} bits of {} are aligned", shown(layout));
    Some(Defect { title, layout: shown(layout), notes, ..Defect::default() })
}
