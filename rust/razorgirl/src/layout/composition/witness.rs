//! What shows that two layouts do not compose.
//!
//! Strict composition answers for all strides of the outer layout's coalesced shape, so it works on digits. Along a mode of the inner
//! layout they go wrong where a digit carries, or where one wraps in the middle of the mode; the first such index is the witness.
//! Where each mode by itself is right, the first coordinate where the digits of all together carry is. Both are found without
//! enumeration: the pieces of the inner layout are the digits of its index, the slowest last, so the least index whose load reaches
//! an extent takes as little as it can of the slowest.

use crate::error::Witness;
use crate::layout::basic::Layout;
use crate::layout::coalesce::coalesced;
use crate::layout::mode::Mode;
use alloc::vec::Vec;

use super::{Wraps, digits, first_piece};

/// So many steps of an index, each of which adds these digits.
struct Piece {
    steps: u64,
    /// One for each mode of the radix but the last.
    digits: Vec<u64>,
    /// How far one step goes among the linear indices.
    weight: u64,
}

impl Piece {
    fn new(bounded: &[Mode], steps: u64, stride: u64, weight: u64) -> Self {
        let mut vector = vec![0; bounded.len()];
        digits(bounded, stride, |place, _, digit| {
            if let Some(entry) = vector.get_mut(place) {
                *entry = digit;
            }
        });
        Self { steps, digits: vector, weight }
    }

    fn digit(&self, place: usize) -> u128 {
        self.digits.get(place).copied().unwrap_or_default().into()
    }

    fn load(&self, place: usize) -> u128 {
        u128::from(self.steps - 1).saturating_mul(self.digit(place))
    }
}

/// The least index at which the digits of some place add up to its extent.
fn first_carry(bounded: &[Mode], pieces: &[Piece]) -> Option<u64> {
    let at = |(place, mode): (usize, &Mode)| {
        let mut needed = u128::from(mode.extent());
        let mut below: u128 = pieces.iter().fold(0, |sum, piece| sum.saturating_add(piece.load(place)));
        if below < needed {
            return None;
        }
        let mut index = 0_u64;
        for piece in pieces.iter().rev() {
            below = below.saturating_sub(piece.load(place));
            if needed > below {
                // The digit is above 0 here: with all of its steps the load suffices.
                let steps = (needed - below).div_ceil(piece.digit(place).max(1));
                needed = needed.saturating_sub(steps * piece.digit(place));
                index = index.saturating_add(u64::try_from(steps).unwrap_or(u64::MAX).saturating_mul(piece.weight));
            }
        }
        Some(index)
    };
    bounded.iter().enumerate().filter_map(at).min()
}

/// What shows that an inner layout inside the domain does not compose strictly; nothing where it does.
pub(in crate::layout) fn strict(outer: &Layout, inner: &Layout) -> Option<Witness> {
    let radix = coalesced(outer.modes());
    let (last, bounded) = radix.as_slice().split_last()?;
    let mut all: Vec<Piece> = Vec::new();
    let mut before = 1_u64;
    for (axis, mode) in inner.modes().iter().enumerate() {
        let (mut extent, mut stride, mut weight) = (mode.extent(), mode.stride(), 1_u64);
        let mut pieces = Vec::new();
        let mut load = vec![0; bounded.len()];
        let wraps = loop {
            match first_piece(bounded, *last, extent, stride, &mut load) {
                Ok(piece) => {
                    pieces.push(Piece::new(bounded, piece.extent(), stride, weight));
                    if piece.extent() == extent {
                        break None;
                    }
                    stride = stride.saturating_mul(piece.extent());
                    weight = weight.saturating_mul(piece.extent());
                    extent /= piece.extent();
                }
                Err(Wraps { steps, .. }) => {
                    pieces.push(Piece::new(bounded, steps, stride, weight));
                    break Some(steps.saturating_mul(weight));
                }
            }
        };
        if let Some(index) = [first_carry(bounded, &pieces), wraps].into_iter().flatten().min() {
            return Some(Witness::Axis { axis, index });
        }
        all.extend(pieces.into_iter().map(|piece| Piece { weight: piece.weight.saturating_mul(before), ..piece }));
        before = before.saturating_mul(mode.extent());
    }
    inner.shape().idx2crd(first_carry(bounded, &all)?).ok().map(Witness::Coordinate)
}

/// The first coordinate of an inner layout inside the domain where the outer layout is not the sum of what it is along the modes,
/// whatever their sum; nothing where there is none.
pub(super) fn carried(outer: &Layout, inner: &Layout) -> Option<Witness> {
    let at = |index: u64| i128::from(outer.at(index).unwrap_or_default());
    let mut coordinate = vec![0_u64; inner.modes().len()];
    for index in 0..inner.size() {
        let offsets = inner.modes().iter().zip(&coordinate).map(|(mode, x)| x * mode.stride());
        if at(offsets.clone().sum()) != offsets.map(at).sum() {
            return inner.shape().idx2crd(index).ok().map(Witness::Coordinate);
        }
        for (mode, x) in inner.modes().iter().zip(&mut coordinate) {
            *x += 1;
            if *x < mode.extent() {
                break;
            }
            *x = 0;
        }
    }
    None
}

/// The coordinate of the largest offset.
pub(in crate::layout) fn outside(inner: &Layout) -> Option<Witness> {
    inner.shape().idx2crd(inner.size() - 1).ok().map(Witness::Outside)
}
