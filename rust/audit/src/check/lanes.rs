//! RG015 for copies: the lanes of a warp that share banks of shared memory, each with a vector of its own.

use razorgirl::bank::{LANES, access};
use razorgirl::{Swizzle, SwizzledLayout};

use super::cover::Budget;
use super::defect::{Defect, MAX_COORDINATES, offsets, shown};
use super::vectors::Parts;
use crate::survey::Vectors;

/// Bits of a swizzle that spreads words over all banks.
const MAX_BITS: u64 = 5;

/// How far its source may lie.
const MAX_SHIFT: u64 = 8;

/// A copy: where the lanes of each warp begin in each tile of the tensor, before any swizzle.
struct Copy<'v> {
    of: &'v Vectors,
    /// Bytes of a vector, and of an element.
    bytes: (u64, u64),
    /// One access a warp, vector and tile.
    accesses: Vec<Vec<u64>>,
}

impl<'v> Copy<'v> {
    /// None where the elements of a vector do not lie together without the swizzle: CuTe refuses such a copy.
    fn of(of: &'v Vectors) -> Option<Self> {
        let (vector, bits) = (of.vector, of.bits);
        let count = vector.checked_div(bits).filter(|count| *count > 0 && vector.is_multiple_of(bits))?;
        let (bytes, element) = (vector / 8, bits / 8);
        // What is moved together is a power of two of up to 16 bytes.
        if bits % 8 != 0 || !bytes.is_power_of_two() || bytes > 16 {
            return None;
        }
        let parts = Parts::of(&of.tensor, &of.tile)?;
        let (threads, values) = (of.copy.mode(0)?.size(), of.copy.mode(1)?.size());
        if threads < 2 || !values.is_multiple_of(count) {
            return None;
        }
        let lies =
            |thread: u64, value: u64| parts.tile(of.copy.at(thread.checked_add(threads.checked_mul(value)?)?).ok()?);
        let mut accesses = Vec::new();
        for warp in 0..threads.div_ceil(LANES) {
            for vector in 0..values / count {
                let mut lanes = Vec::new();
                for lane in warp * LANES..threads.min((warp + 1) * LANES) {
                    let first = lies(lane, vector * count)?;
                    for element in 1..count {
                        if lies(lane, vector * count + element)? != first.checked_add(element)? {
                            return None;
                        }
                    }
                    lanes.push(first);
                }
                for rest in parts.begins() {
                    accesses.push(lanes.iter().map(|lane| lane.checked_add(*rest)).collect::<Option<_>>()?);
                }
            }
        }
        Some(Self { of, bytes: (bytes, element), accesses })
    }

    /// The most wavefronts that lanes take which could take one, with a swizzle in the place of the layout's own.
    fn wavefronts(&self, swizzle: Swizzle) -> Option<u64> {
        let (bytes, element) = self.bytes;
        let begin = self.of.tensor.offset();
        let mut most = 0;
        for lanes in &self.accesses {
            let address = |at: &u64| swizzle.apply(at.checked_add(begin)?).ok()?.checked_mul(element);
            let addresses: Vec<u64> = lanes.iter().map(address).collect::<Option<_>>()?;
            // A vector off a multiple of its bytes is another defect.
            most = most.max(access(&addresses, bytes).ok()?.into_iter().max()?);
        }
        (most > 0).then_some(most)
    }

    /// A swizzle of whole vectors with which every access takes one wavefront, and no element leaves the layout.
    fn remedy(&self, budget: &mut Budget) -> Option<Swizzle> {
        let inside = self.of.tensor.layout();
        let base = u64::from((self.bytes.0 / self.bytes.1).ilog2());
        for bits in 1..=MAX_BITS {
            for shift in bits..=MAX_SHIFT {
                let swizzle = Swizzle::new(bits, base, i64::try_from(shift).ok()?);
                if self.wavefronts(swizzle) != Some(1) {
                    continue;
                }
                let whole = SwizzledLayout::new(swizzle, 0, inside.clone()).ok()?;
                if offsets(&whole, budget)?.iter().all(|offset| *offset < inside.cosize()) {
                    return Some(swizzle);
                }
            }
        }
        None
    }
}

/// RG015: lanes of a warp that share banks in a copy to or from shared memory.
pub fn conflicts(of: &Vectors, budget: &mut Budget) -> Option<Defect> {
    // What is promised to be aligned only is moved as far as it lies together.
    if !of.shared || of.most || of.bits == 0 {
        return None;
    }
    let tensor = of.tensor.layout();
    let elements = of.tile.iter().try_fold(1_u64, |all, extent| all.checked_mul(*extent))?;
    let work = tensor.size().checked_mul(2)?.checked_add(of.copy.size())?;
    if of.tile.len() > tensor.rank() || work > MAX_COORDINATES || !budget.take(work) || elements != of.copy.size() {
        return None;
    }
    let copy = Copy::of(of)?;
    let most = copy.wavefronts(of.tensor.swizzle()).filter(|most| *most > 1)?;
    let (bytes, _) = copy.bytes;
    // A warp's access is as many bytes as its banks have.
    let together = (128 / bytes.max(1)).clamp(1, 32);
    let mut notes = vec![format!(
        "{together} lanes that go together, each with {bytes} bytes, take up to {most} wavefronts where 1 is the least: their addresses share banks"
    )];
    if of.tensor.swizzle().bits() == 0
        && budget.take(tensor.size().saturating_mul(MAX_BITS * MAX_SHIFT))
        && let Some(swizzle) = copy.remedy(budget)
    {
        notes.push(format!(
            "with Swizzle<{},{},{}> over {tensor} every access of this copy takes 1, and no element leaves the layout; counted",
            swizzle.bits(),
            swizzle.base(),
            swizzle.shift(),
        ));
    }
    let title = format!("a copy of vectors of {} bits has bank conflicts in {}", of.vector, shown(&of.tensor));
    Some(Defect { title, layout: shown(&of.tensor), notes, ..Defect::default() })
}
