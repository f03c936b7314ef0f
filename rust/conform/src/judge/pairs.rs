//! What every answer with tiles is made of: pairs, mode by mode.

use super::Verdict;
use super::composition::kept;
use crate::model::coalesce::coalesced;
use crate::model::find::LIST;
use crate::model::{Layout, Split, Tiler};
use num_bigint::BigInt;

/// Judges the result of one layout of a tiler.
pub(super) type One = dyn Fn(&Layout, &Layout, &Layout) -> Verdict;

pub(super) fn by_mode(whole: &Layout, tiler: &Tiler, answer: &Layout, one: &One) -> Verdict {
    match tiler {
        Tiler::Keep => kept(whole, answer, "kept mode"),
        Tiler::By(by) => one(whole, by, answer),
        Tiler::Modes(tilers) => {
            let modes = whole.top();
            let Some((answers, unwrapped)) = listed_modes(answer, modes.len()) else {
                let text = format!("{} modes in answer to {}", answer.top().len(), modes.len());
                return Verdict::wrong("shape", text);
            };
            let mut verdict = if unwrapped { Verdict::Extended("one-mode tuples unwrapped") } else { Verdict::Right };
            for (i, (mode, answer)) in modes.iter().zip(&answers).enumerate() {
                verdict = verdict.and(match tilers.get(i) {
                    Some(tiler) => by_mode(mode, tiler, answer, one),
                    None => kept(mode, answer, "kept mode"),
                });
            }
            verdict
        }
    }
}

pub(super) fn listed(layout: &Layout) -> bool {
    layout.size() <= BigInt::from(LIST)
}

/// So many modes, and whether a tuple of one had been unwrapped.
pub(super) fn listed_modes(layout: &Layout, count: usize) -> Option<(Vec<Layout>, bool)> {
    match layout {
        Layout::Node(modes) if modes.len() == count => Some((modes.clone(), false)),
        // nothing at all, said as 1:0
        nothing if count == 0 && nothing.size() == BigInt::from(1) => Some((Vec::new(), true)),
        other if count == 1 => Some((vec![other.clone()], true)),
        _ => None,
    }
}

pub(super) fn pair(answer: &Layout) -> Result<(Layout, Layout), Verdict> {
    match answer.top().as_slice() {
        [first, second] => Ok((first.clone(), second.clone())),
        other => Err(Verdict::wrong("shape", format!("{} modes in place of two", other.len()))),
    }
}

/// What the definition has to say to an answer.
pub(super) enum Defined {
    /// it is this function
    Same,
    /// it is another one
    Other,
    /// nothing is defined here
    Nothing,
    Unknown,
}

pub(super) fn defined(split: Split, answer: &Layout) -> Defined {
    match split {
        Ok(Some(layout)) if coalesced(&layout) == coalesced(answer) => Defined::Same,
        Ok(Some(_)) => Defined::Other,
        Ok(None) => Defined::Unknown,
        Err(_) => Defined::Nothing,
    }
}
