//! What a register is, thread by thread of a block.
//!
//! A value of w bits is, for each thread, a known number plus known factors times symbols, **modulo 2^w**. A symbol is one
//! integer of `0 ..= most`, a multiple of a power of two: a parameter, a block's index, a loop's counter, something loaded.
//! It is *uniform* where all threads of a warp have the same one. Addition, subtraction and multiplication need no assumption:
//! they are exact modulo 2^w. Where an instruction needs the integer itself (an extension to 64 bits, a shift to the right),
//! ranges must prove that the sum does not wrap; else the result contains a symbol for the multiple of 2^w that is lost.

mod bits;
mod compare;
mod lanes;
mod mask;
mod pred;
mod symbol;
mod value;
mod widen;

pub use bits::Bitwise;
pub use lanes::Lanes;
pub use mask::Mask;
pub use pred::Pred;
pub use symbol::{Context, Kind, Symbol, SymbolId, Symbols};
pub(crate) use value::MOST_TERMS;
pub use value::Value;

/// 2^bits - 1.
pub(crate) fn ones(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The low bits as a signed number.
pub(crate) fn signed(x: u64, bits: u32) -> i64 {
    if bits == 0 || bits >= 64 {
        return x.cast_signed();
    }
    let shift = 64 - bits;
    (x << shift).cast_signed() >> shift
}
