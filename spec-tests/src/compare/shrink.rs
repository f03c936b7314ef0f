//! Smaller cases on which the library and an extracted function still differ.

use razorgirl_extracted::Mode;

use super::Case;

/// Cases that are tried.
const TRIES: usize = 20_000;

/// A case near `case` that `still` holds for, and none of the next smaller ones, as far as so many tries go.
pub fn shrink(case: &Case, mut still: impl FnMut(&Case) -> bool) -> Case {
    let mut best = case.clone();
    let mut tries = 0;
    'again: loop {
        for candidate in smaller(&best) {
            tries += 1;
            if tries > TRIES {
                return best;
            }
            if still(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}

/// Each is smaller in the sum of its lengths and numbers, so that shrinking ends.
fn smaller(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut Case)| {
        let mut candidate = case.clone();
        change(&mut candidate);
        all.push(candidate);
    };
    for at in 0..case.modes.len() {
        with(&|case| {
            case.modes.remove(at);
        });
    }
    for at in 0..case.inner.len() {
        with(&|case| {
            case.inner.remove(at);
        });
    }
    if case.offsets.len() > 1 {
        with(&|case| case.offsets.truncate(case.offsets.len() / 2));
        with(&|case| {
            case.offsets.pop();
        });
    }
    for at in 0..case.modes.len() {
        for mode in less(case.modes[at]) {
            with(&|case| case.modes[at] = mode);
        }
    }
    for at in 0..case.inner.len() {
        for mode in less(case.inner[at]) {
            with(&|case| case.inner[at] = mode);
        }
    }
    for at in 0..case.offsets.len().min(64) {
        for offset in below(case.offsets[at], 0) {
            with(&|case| case.offsets[at] = offset);
        }
    }
    for number in below(case.number, 0) {
        with(&|case| case.number = number);
    }
    all
}

fn less(mode: Mode) -> Vec<Mode> {
    let extents = below(mode.extent, 1).into_iter().map(|extent| Mode { extent, ..mode });
    extents.chain(below(mode.stride, 0).into_iter().map(|stride| Mode { stride, ..mode })).collect()
}

/// Smaller numbers from `least` on: the least ones first, then half, then one less.
fn below(number: u64, least: u64) -> Vec<u64> {
    let mut all = vec![least, least + 1, least + 2, number / 2, number.saturating_sub(1)];
    all.retain(|&smaller| least <= smaller && smaller < number);
    all.dedup();
    all
}
