//! Why two layouts do not compose, and what near them does.
//!
//! Every suggestion has been composed before it is printed.

use crate::error::{Error, ErrorKind, Witness};
use crate::int_tuple::IntTuple;
use crate::layout::basic::Layout;
use crate::layout::coalesce::coalesced;
use crate::layout::mode::Mode;
use crate::layout::suggest::Near;
use crate::suggestion::Suggestion;
use alloc::{string::String, string::ToString, vec::Vec};

use super::{MAX_POINTS, Wraps, digitwise, enumerated, extended, first_piece, witness};

/// Coordinates that a refusal enumerates to say whether a composite exists for these strides.
const TRY_COMPLETE: u64 = 1 << 14;

/// Modes that are named one by one.
const NAMED: usize = 8;

/// Where digit composition stops.
enum Stop {
    /// A mode of the inner layout wraps round a mode of the outer one in its middle.
    Wraps { leaf: usize, wraps: Wraps },
    /// The modes of the inner layout add up past a mode of the outer one.
    Carries { radix: usize, loads: Vec<(usize, u64)> },
}

/// Digit composition, one mode of the inner layout at a time: what the load of each is tells where they stop together.
fn stop(radix: &[Mode], inner: &[Mode]) -> Option<Stop> {
    let (last, bounded) = radix.split_last()?;
    let mut loads: Vec<Vec<(usize, u64)>> = vec![Vec::new(); bounded.len()];
    for (leaf, mode) in inner.iter().enumerate() {
        let (mut extent, mut stride) = (mode.extent(), mode.stride());
        let mut reach = vec![0; bounded.len()];
        loop {
            match first_piece(bounded, *last, extent, stride, &mut reach) {
                Err(wraps) => return Some(Stop::Wraps { leaf, wraps }),
                Ok(piece) if piece.extent() == extent => break,
                Ok(piece) => (extent, stride) = (extent / piece.extent(), stride.saturating_mul(piece.extent())),
            }
        }
        for (load, reach) in loads.iter_mut().zip(reach) {
            if reach > 0 {
                load.push((leaf, reach));
            }
        }
    }
    let sum = |load: &[(usize, u64)]| load.iter().fold(0_u64, |sum, (_, reach)| sum.saturating_add(*reach));
    let radix = loads.iter().zip(bounded).position(|(load, mode)| sum(load) >= mode.extent())?;
    Some(Stop::Carries { radix, loads: loads.swap_remove(radix) })
}

/// The refusal of [`Layout::composition`].
#[cold]
pub(super) fn refuse(outer: &Layout, inner: &Layout) -> Error {
    if inner.cosize() > outer.size() {
        return beyond(outer, inner);
    }
    let mut error = explained(outer, inner);
    if inner.size() <= TRY_COMPLETE {
        error = match enumerated(outer, inner) {
            Ok(Ok(composite)) => error
                .with_help("the composite exists for these strides of the outer layout")
                .with_suggestion(Suggestion::call("composition_complete", &composite)),
            Ok(Err(_)) => error.with_help("no layout R has R(c) = A(B(c)) at every coordinate c"),
            // Nested too deep to be written: that says nothing of whether there is one.
            Err(_) => error,
        };
    }
    suggested(error, outer, inner).witnessed(witness::strict(outer, inner))
}

/// The refusal of [`Layout::composition_complete`]: there is no composite.
#[cold]
pub(super) fn refuse_completely(outer: &Layout, inner: &Layout, witness: Option<Witness>) -> Error {
    let error = explained(outer, inner).with_help("no layout is the composite; all coordinates were compared");
    suggested(error, outer, inner).witnessed(witness)
}

/// The refusal to enumerate.
#[cold]
pub(super) fn too_many(outer: &Layout, inner: &Layout) -> Error {
    let why = explained(outer, inner);
    Error::new(
        ErrorKind::TooLarge,
        format!(
            "the inner layout {inner} has {} coordinates, and a composite that exists only for particular strides is found \
             by trying all of them, at most {MAX_POINTS}",
            inner.size()
        ),
    )
    .with_help(format!("composition decides without enumeration, and refuses here: {why}"))
}

/// The inner layout leaves the domain.
fn beyond(outer: &Layout, inner: &Layout) -> Error {
    let error = Error::new(
        ErrorKind::OutOfDomain,
        format!(
            "the inner layout {inner} reaches index {}, but the outer layout {outer} has indices [0,{})",
            inner.cosize() - 1,
            outer.size()
        ),
    );
    let error = match extended_instead(outer, inner) {
        Some(suggestion) => error.with_suggestion(suggestion),
        None => error,
    };
    suggested(error, outer, inner).witnessed(witness::outside(inner))
}

/// What [`Layout::composition_extended`] does.
fn extended_instead(outer: &Layout, inner: &Layout) -> Option<Suggestion> {
    let (composite, grown) = extended(outer, inner)?;
    let (from, to) = grown?;
    Some(Suggestion::call("composition_extended", &composite).noting(format!(
        "; it grows the last mode of the outer layout from {from} to {to}, as CuTe does without saying so"
    )))
}

/// How the operation that composes calls its operands.
pub(in crate::layout) struct Words<'a> {
    /// `the inner layout`
    pub(in crate::layout) inner: &'a str,
    /// `the coalesced outer layout`
    pub(in crate::layout) outer: &'a str,
    /// A mode among others: `mode 0`.
    pub(in crate::layout) mode: &'a dyn Fn(usize) -> String,
    /// A mode alone: `mode 0 of the inner layout`.
    pub(in crate::layout) full: &'a dyn Fn(usize) -> String,
}

/// Why modes do not compose with an outer layout of this coalesced shape; nothing when they do.
pub(in crate::layout) fn explain(radix: &[Mode], inner: &[Mode], words: &Words<'_>) -> Option<Error> {
    match stop(radix, inner)? {
        Stop::Wraps { leaf, wraps: Wraps { rest, radix: at, steps } } => {
            let mode = inner[leaf];
            let part = if rest == mode { String::new() } else { format!("; its rest {rest}") };
            let error = Error::new(
                ErrorKind::NotDivisible,
                format!(
                    "{} is {mode}{part}{} wraps round mode {at} of {}, {}, after {steps} steps, and {steps} does not divide {}",
                    (words.full)(leaf),
                    if part.is_empty() { " and" } else { "" },
                    words.outer,
                    radix[at],
                    rest.extent()
                ),
            );
            Some(error.with_leaf(leaf))
        }
        Stop::Carries { radix: at, loads } => {
            let parts: Vec<String> = loads
                .iter()
                .take(NAMED)
                .map(|(leaf, reach)| format!("{} ({}) reaches {reach}", (words.mode)(*leaf), inner[*leaf]))
                .collect();
            let sum = loads.iter().fold(0_u64, |sum, (_, reach)| sum.saturating_add(*reach));
            Some(Error::new(
                ErrorKind::Carries,
                format!(
                    "the modes of {} carry past mode {at} of {}, {}, which ends at {}: {}{}{}",
                    words.inner,
                    words.outer,
                    radix[at],
                    radix[at].extent() - 1,
                    parts.join(", "),
                    if loads.len() > NAMED { format!(" and {} more", loads.len() - NAMED) } else { String::new() },
                    if parts.len() > 1 { format!(", together {sum}") } else { String::new() }
                ),
            ))
        }
    }
}

fn explained(outer: &Layout, inner: &Layout) -> Error {
    let words = Words {
        inner: "the inner layout",
        outer: "the coalesced outer layout",
        mode: &|leaf| format!("mode {}", inner.profile().path(leaf)),
        full: &|leaf| format!("mode {} of the inner layout", inner.profile().path(leaf)),
    };
    match explain(coalesced(outer.modes()).as_slice(), inner.modes(), &words) {
        Some(error) if error.kind() == ErrorKind::Carries => match by_mode(outer, inner) {
            Some(help) => error.with_help(help),
            None => error,
        },
        Some(error) => error,
        None => Error::new(ErrorKind::TooLarge, "the composite is nested more than 64 deep")
            .with_help("flatten the inner layout"),
    }
}

/// A coordinate as the argument of a function: `(2,1)`, and `(3)` for a bare integer.
fn call(coord: &IntTuple) -> String {
    if coord.is_leaf() { format!("({coord})") } else { coord.to_string() }
}

/// The last coordinate, where composing mode by mode goes wrong.
fn by_mode(outer: &Layout, inner: &Layout) -> Option<String> {
    let index = inner.cosize() - 1;
    let right = outer.at(index).ok()?;
    let mut by_mode = 0_u64;
    for mode in inner.modes() {
        by_mode = by_mode.checked_add(outer.at((mode.extent() - 1) * mode.stride()).ok()?)?;
    }
    let last = inner.shape().idx2crd(inner.size() - 1).ok()?;
    (by_mode != right).then(|| {
        let at = call(&last);
        format!("B{at} = {index} and A({index}) = {right}, but composed mode by mode R{at} = {by_mode}")
    })
}

/// Adds the nearest inner layouts that compose: of each leaf the largest extent below its own, wherever it is.
fn suggested(error: Error, outer: &Layout, inner: &Layout) -> Error {
    let near = Near {
        layout: inner,
        position: 1,
        name: "the inner layout",
        result: "the composite",
        leaves: outer.modes().len() + inner.modes().len(),
        extents: &|leaf, _| outer.largest_extent(inner, leaf).ok().flatten().into_iter().collect(),
    };
    near.accepted(|inner| digitwise(outer, inner)).into_iter().fold(error, Error::with_suggestion)
}
