//! Accesses of linear layouts: the width of the vector, and the wavefronts by ranks.

use crate::error::{Error, ErrorKind, Result};
use crate::linear_layout::LinearLayout;
use crate::linear_layout::f2::{Eliminated, Span, apply, inverse};

/// How registers reach shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinearConflicts {
    /// Elements of one access of a lane.
    pub vector: u64,
    /// Wavefronts of one phase; 1 is free of conflicts.
    pub wavefronts: u64,
}

/// The wavefronts of one phase of lanes that read 2^`bytes_log2` bytes each (0 to 4), for the byte offsets of the lane bits:
/// 2 to the rank of the word bits less the rank of the bank bits.
///
/// The offsets are multiples of the vector; the base, whatever is exclusive-ored onto the addresses, and its carries do not
/// matter where they are multiples of the vector and of 4 bytes. No more lane bits are given than a phase has.
///
/// ```
/// use razorgirl::bank::linear_wavefronts;
///
/// // 32 lanes, 128 bytes apart: 32 words of one bank
/// assert_eq!(linear_wavefronts(&[128, 256, 512, 1024, 2048], 2), 32);
/// // the same, with the lane exclusive-ored onto the word
/// assert_eq!(linear_wavefronts(&[132, 264, 528, 1056, 2112], 2), 1);
/// ```
///
/// Lean: `Razorgirl.Bank.linearWavefronts`
#[must_use]
pub fn linear_wavefronts(lanes: &[u64], bytes_log2: u32) -> u64 {
    by_rank(lanes.iter().copied(), bytes_log2.clamp(2, 7), bytes_log2.clamp(2, 7))
}

/// The same for offsets of which `unit` low bits are below the word; banks are 7 - `word` bits.
fn by_rank(offsets: impl Iterator<Item = u64>, unit: u32, word: u32) -> u64 {
    let (mut words, mut banks) = (Span::new(), Span::new());
    for offset in offsets {
        let number = offset >> unit;
        words.add(number);
        banks.add(number & ((1 << (7 - word)) - 1));
    }
    1 << words.rank().saturating_sub(banks.rank()).min(63)
}

/// The exponent of the bytes of an element.
pub(super) fn element(bits: u64) -> Result<u32> {
    match bits {
        8 | 16 | 32 | 64 | 128 => Ok(bits.ilog2() - 3),
        _ => Err(Error::new(ErrorKind::OutOfDomain, format!("there are no elements of {bits} bits"))
            .with_help("use 8, 16, 32, 64 or 128 bits")),
    }
}

/// Whether all are multiples of 2^k.
fn clear(offsets: &[u64], k: u32) -> bool {
    offsets.iter().all(|offset| offset & ((1 << k) - 1) == 0)
}

/// Whether registers have the offsets 1, 2, …, 2^(k-1), each once, and all their other offsets are multiples of 2^k.
///
/// Lean: `Razorgirl.Bank.vectorizes`
fn vectorizes(registers: &[u64], k: u32) -> bool {
    let units = (0..k).all(|bit| registers.contains(&(1 << bit)));
    // k of them are no multiples: then these are the units
    units && registers.iter().filter(|offset| **offset & ((1 << k) - 1) != 0).count() == k as usize
}

/// Elements of one access and wavefronts of one phase, for registers that go to shared memory with elements of so many
/// bits. None where shared memory lacks an element.
///
/// The vector is the widest 2^k elements of at most 128 bits such that registers have the offsets 1, 2, …, 2^(k-1) and
/// every other offset is a multiple of 2^k. The count is exact for every linear layout.
///
/// # Errors
/// [`ErrorKind::OutOfDomain`] for other elements than of 8, 16, 32, 64 or 128 bits, [`ErrorKind::Incongruent`] where
/// shared memory has other output dimensions, or a smaller one.
///
/// ```
/// use razorgirl::LinearLayout;
/// use razorgirl::bank::{LinearConflicts, linear_conflicts};
///
/// let layout = |bases: &[(&str, &[u64])], size| {
///     let rows = |at: &[u64]| at.iter().map(|x| vec![*x]).collect();
///     let bases: Vec<_> = bases.iter().map(|(name, at)| ((*name).to_owned(), rows(at))).collect();
///     LinearLayout::new(&bases, vec![("x".to_owned(), size)])
/// };
/// let registers = layout(&[("register", &[1]), ("lane", &[32, 64, 128, 256, 512])], 1024)?;
/// let memory = LinearLayout::identity_1d(1024, "offset", "x")?;
/// assert_eq!(linear_conflicts(&registers, &memory, 32)?, Some(LinearConflicts { vector: 2, wavefronts: 16 }));
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.Bank.conflicts`
pub fn linear_conflicts(registers: &LinearLayout, memory: &LinearLayout, bits: u64) -> Result<Option<LinearConflicts>> {
    let element = element(bits)?;
    if !registers.outs().fits_names(memory.outs()) {
        return Err(Error::new(ErrorKind::Incongruent, "the outputs of the registers are not those of shared memory")
            .with_help("give shared memory the same output dimensions, none smaller"));
    }
    // where memory holds each element once, its inverse is quicker than elimination
    let square = memory.ins().total() == memory.outs().total();
    let undone = if square { inverse(memory.columns()) } else { None };
    let done = if undone.is_some() { None } else { Some(Eliminated::of(memory.columns())) };
    let solve = |column: u64| match (&undone, &done) {
        (Some(undone), _) => Some(apply(undone, column)),
        (None, Some(done)) => done.solve(column),
        (None, None) => None,
    };
    let same = registers.outs() == memory.outs();
    // the offset of each basis; no side has more than 63
    let mut offsets = [0; 64];
    for (offset, column) in offsets.iter_mut().zip(registers.columns()) {
        let column = if same { *column } else { registers.outs().repack(*column, memory.outs()) };
        let Some(found) = solve(column) else { return Ok(None) };
        *offset = found;
    }
    let of = |name: &str| -> &[u64] {
        let (bits, place) = registers.ins().place(name).unwrap_or_default();
        offsets.get(place as usize..(place + bits) as usize).unwrap_or_default()
    };
    let (own, lanes, warps) = (of("register"), of("lane"), of("warp"));
    let passes = |k: &u32| vectorizes(own, *k) && clear(lanes, *k) && clear(warps, *k);
    let k = (1..=4 - element).rev().find(passes).unwrap_or(0);
    let word = (element + k).max(2);
    // 32 lanes of up to 4 bytes, 16 of 8, 8 of 16
    let phase = lanes.iter().take(7 - word as usize).copied();
    Ok(Some(LinearConflicts { vector: 1 << k, wavefronts: by_rank(phase, word - element, word) }))
}
