//! Inverses by what they undo.

use super::Verdict;
use super::answer::{answered, operand, refusal};
use crate::model::find::{LIST, collision};
use crate::model::inverse as model;
use crate::model::{Layout, Refusal};
use crate::tree::read_int;
use num_bigint::BigInt;
use serde_json::Value;

type Judged = Result<Verdict, Refusal>;

fn listed(layout: &Layout) -> bool {
    layout.size() <= BigInt::from(LIST)
}

/// An index as CuTe evaluates it: beyond the domain the last mode goes on.
fn at(layout: &Layout, index: &BigInt) -> BigInt {
    let size = layout.size();
    let last = layout.modes().last().map_or_else(|| BigInt::from(0), |mode| &mode.extent * &mode.stride);
    layout.at(&(index % &size)) + index / &size * last
}

/// `L(R(i)) = i` below the size of R.
pub(super) fn right(args: &[Value], result: Option<&Value>) -> Judged {
    let layout = operand(args, 0)?;
    let Some(value) = result else { return Ok(refusal(Some(Some(model::right_inverse(&layout).to_json())))) };
    Ok(answered(value).map_or_else(|wrong| wrong, |answer| right_of(&layout, &answer)))
}

fn right_of(layout: &Layout, answer: &Layout) -> Verdict {
    if !listed(answer) {
        return Verdict::Unjudged;
    }
    for (i, index) in answer.offsets().iter().enumerate() {
        if *index >= layout.size() {
            return Verdict::wrong("domain", format!("R({i}) = {index} is no index of the layout"));
        }
        let back = layout.at(index);
        if back != BigInt::from(i) {
            return Verdict::wrong("value", format!("R({i}) = {index}, but L({index}) = {back}"));
        }
    }
    Verdict::Right
}

/// `R(L(i)) = i`; where two offsets are equal nothing can do that, and CuTe promises `L(R(L(i))) = L(i)`.
pub(super) fn left(args: &[Value], result: Option<&Value>) -> Judged {
    let layout = operand(args, 0)?;
    let Some(value) = result else {
        return Ok(left_refused(&layout));
    };
    let answer = match answered(value) {
        Ok(answer) => answer,
        Err(wrong) => return Ok(wrong),
    };
    if !listed(&layout) {
        return Ok(Verdict::Unjudged);
    }
    if collision(&layout.offsets()).is_some() {
        return Ok(match quasi_of(&layout, &answer) {
            Verdict::Right => Verdict::Extended("quasi-inverse where no inverse exists"),
            Verdict::Wrong(wrong) => Verdict::wrong("no quasi-inverse", wrong.text),
            other => other,
        });
    }
    Ok(left_of(&layout, &answer))
}

/// Whether anything undoes the layout. What undoes it by whole modes, a refusal misses; other left inverses are beyond
/// the contract of `left_inverse`.
pub(super) fn left_refused(layout: &Layout) -> Verdict {
    if let Ok(answer) = model::left_inverse(layout) {
        return refusal(Some(Some(answer.to_json())));
    }
    match model::any_left_inverse(layout) {
        model::AnyLeft::Exists(found) => Verdict::ExistsOutside(format!("{} undoes it", found.to_json())),
        model::AnyLeft::None => Verdict::RefusedRightly,
        model::AnyLeft::Unknown => Verdict::Unjudged,
    }
}

/// The largest cosize for which `"mode":"complete"` promises a left inverse that does not go by whole modes.
const SEARCHED: u64 = 1 << 12;

/// With `"mode":"complete"`: any layout that undoes it, where there is one. Beyond the cosize that is searched a refusal
/// keeps to the contract.
pub(super) fn complete_left(layout: &Layout, result: Option<&Value>) -> Verdict {
    match result {
        None => match left_refused(layout) {
            Verdict::ExistsOutside(found) if layout.cosize() <= BigInt::from(SEARCHED) => {
                Verdict::RefusedThoughExists(found)
            }
            other => other,
        },
        Some(value) => answered(value).map_or_else(
            |wrong| wrong,
            |answer| if listed(layout) { left_of(layout, &answer) } else { Verdict::Unjudged },
        ),
    }
}

fn left_of(layout: &Layout, answer: &Layout) -> Verdict {
    let mut beyond = false;
    for (i, offset) in layout.offsets().iter().enumerate() {
        let back = at(answer, offset);
        if back != BigInt::from(i) {
            return Verdict::wrong("value", format!("L({i}) = {offset}, but R({offset}) = {back}"));
        }
        beyond |= *offset >= answer.size();
    }
    if beyond { Verdict::Extended("last mode grown") } else { Verdict::Right }
}

/// `L(R(L(i))) = L(i)`.
pub(super) fn quasi(args: &[Value], result: Option<&Value>) -> Judged {
    let layout = operand(args, 0)?;
    let Some(value) = result else {
        return Ok(refusal(Some(model::quasi_left_inverse(&layout).ok().map(|layout| layout.to_json()))));
    };
    Ok(answered(value).map_or_else(|wrong| wrong, |answer| quasi_of(&layout, &answer)))
}

fn quasi_of(layout: &Layout, answer: &Layout) -> Verdict {
    if !listed(layout) {
        return Verdict::Unjudged;
    }
    for (i, offset) in layout.offsets().iter().enumerate() {
        let index = at(answer, offset);
        if index >= layout.size() {
            let text = format!("L({i}) = {offset}, and R({offset}) = {index} is no index of the layout");
            return Verdict::wrong("domain", text);
        }
        let again = layout.at(&index);
        if again != *offset {
            return Verdict::wrong("value", format!("L({i}) = {offset}, but L(R({offset})) = L({index}) = {again}"));
        }
    }
    Verdict::Right
}

/// Both sides.
pub(super) fn both(args: &[Value], result: Option<&Value>) -> Judged {
    let layout = operand(args, 0)?;
    let expected = model::inverse(&layout).ok().map(|layout| layout.to_json());
    let Some(value) = result else { return Ok(refusal(Some(expected))) };
    if expected.is_none() {
        return Ok(Verdict::wrong("accepted", "the layout is no bijection onto [0, size)"));
    }
    Ok(answered(value).map_or_else(
        |wrong| wrong,
        |answer| {
            if listed(&layout) { left_of(&layout, &answer).and(right_of(&layout, &answer)) } else { Verdict::Unjudged }
        },
    ))
}

/// All indices that the layout sends to 0 by modes of stride 0.
pub(super) fn nullspace(args: &[Value], result: Option<&Value>) -> Judged {
    let layout = operand(args, 0)?;
    let expected = model::nullspace(&layout);
    let Some(value) = result else { return Ok(refusal(Some(Some(expected.to_json())))) };
    let answer = match answered(value) {
        Ok(answer) => answer,
        Err(wrong) => return Ok(wrong),
    };
    if answer.size() != expected.size() {
        return Ok(Verdict::wrong("size", format!("{} coordinates of {}", answer.size(), expected.size())));
    }
    if !listed(&answer) {
        return Ok(Verdict::Unjudged);
    }
    let offsets = answer.offsets();
    if let Some((i, j)) = collision(&offsets) {
        return Ok(Verdict::wrong("overlap", format!("K({i}) and K({j}) are both {}", offsets[i])));
    }
    let stray = offsets.iter().find(|index| **index >= layout.size() || layout.at(index) != BigInt::from(0));
    Ok(stray.map_or(Verdict::Right, |index| Verdict::wrong("value", format!("L({index}) is not 0"))))
}

/// `a(R(i)) = i` and `b(R(i)) = i` below the size of R; how far it reaches is the peer's own business.
pub(super) fn common_layout(args: &[Value], result: Option<&Value>) -> Judged {
    let (a, b) = (operand(args, 0)?, operand(args, 1)?);
    let Some(value) = result else { return Ok(common_refused(&a, &b)) };
    Ok(answered(value).map_or_else(|wrong| wrong, |answer| right_of(&a, &answer).and(right_of(&b, &answer))))
}

/// There are so many elements that both hold at the same index, from offset 0 on.
pub(super) fn common_vector(args: &[Value], result: Option<&Value>) -> Judged {
    let (a, b) = (operand(args, 0)?, operand(args, 1)?);
    let Some(value) = result else { return Ok(common_refused(&a, &b)) };
    let Some(count) = read_int(value).filter(|count| *count > BigInt::from(0)) else {
        return Ok(Verdict::wrong("malformed", format!("{value} is no number of elements")));
    };
    if !listed(&a) || !listed(&b) {
        return Ok(Verdict::Unjudged);
    }
    let mut held: Vec<BigInt> =
        a.offsets().into_iter().zip(b.offsets()).filter(|(a, b)| a == b).map(|(offset, _)| offset).collect();
    held.sort();
    held.dedup();
    let run = held.iter().enumerate().take_while(|(i, offset)| **offset == BigInt::from(*i)).count();
    Ok(if count <= BigInt::from(run) {
        Verdict::Right
    } else {
        Verdict::wrong("value", format!("only {run} elements from offset 0 on lie at the same index in both"))
    })
}

fn common_refused(a: &Layout, b: &Layout) -> Verdict {
    refusal(model::max_common_layout(a, b).map(|layout| Some(layout.to_json())))
}
