//! Side by side, a layout and its complement hit every address exactly once.

use super::Verdict;
use super::answer::{answered, operand, refusal};
use crate::model::complement::{self as model, block, chain, read_cotarget, rounded};
use crate::model::find::{LIST, collision};
use crate::model::{Layout, Mode, Refusal};
use num_bigint::BigInt;
use serde_json::Value;

/// `complement` with or without a cotarget; with `ceil`, rounding that up is what was asked for.
pub(super) fn complement(args: &[Value], result: Option<&Value>, ceil: bool) -> Result<Verdict, Refusal> {
    let layout = operand(args, 0)?;
    let cotarget = args.get(1).map(read_cotarget).transpose()?;
    if cotarget == Some(BigInt::from(0)) {
        return Err(Refusal("extent"));
    }
    let wanted = if ceil { cotarget.as_ref().map(|n| rounded(&layout, n)) } else { cotarget.clone() };
    let expected = model::complement(&layout, wanted.as_ref());
    let Some(value) = result else { return Ok(refusal(Some(expected.ok().map(|layout| layout.to_json())))) };
    let answer = match answered(value) {
        Ok(layout) => layout,
        Err(wrong) => return Ok(wrong),
    };
    // a layout that repeats offsets has no complement; that of what remains without the repeats is CuTe's
    let moving: Vec<Mode> = chain(&layout).into_iter().filter(|mode| mode.stride > BigInt::from(0)).collect();
    let repeats = moving.len() < chain(&layout).len();
    let modes: Vec<Mode> = answer.modes().into_iter().filter(|mode| mode.extent > BigInt::from(1)).cloned().collect();
    if let Some(wrong) = disordered(&modes) {
        return Ok(wrong);
    }
    let together = Layout::Node(moving.iter().chain(&modes).cloned().map(Layout::Leaf).collect());
    let filtered = Layout::Node(moving.into_iter().map(Layout::Leaf).collect());
    let verdict = match covering(&together) {
        Covering::Unknown => Verdict::Unjudged,
        Covering::Overlap(text) => Verdict::wrong("overlap", text),
        Covering::Exact => {
            let reached = together.size();
            let target = cotarget.clone().unwrap_or_else(|| block(&filtered));
            if reached == target {
                Verdict::Right
            } else if reached == rounded(&filtered, &target) {
                if ceil { Verdict::Right } else { Verdict::Extended("cotarget rounded up") }
            } else {
                Verdict::wrong("reach", format!("together they fill [0,{reached}), not [0,{target})"))
            }
        }
        Covering::Gaps => {
            let (reached, target) = (together.cosize(), cotarget.unwrap_or_else(|| filtered.cosize()));
            if model::complement(&filtered, None).is_ok() {
                Verdict::wrong("gaps", format!("together they leave gaps in [0,{reached}), and need not"))
            } else if reached < target {
                Verdict::wrong(
                    "reach",
                    format!("together they end at {reached}, before {target}: offset {reached} is missed"),
                )
            } else {
                // CuTe promises order and disjointness, and only attempts to cover
                Verdict::Extended("gaps left where no complement exists")
            }
        }
    };
    Ok(if repeats { verdict.and(Verdict::Extended("stride 0 filtered")) } else { verdict })
}

/// A complement is a strictly increasing function.
fn disordered(modes: &[Mode]) -> Option<Verdict> {
    let mut below = BigInt::from(0);
    for mode in modes {
        if mode.stride <= below {
            let text = format!("the stride {} comes after offsets up to {below}", mode.stride);
            return Some(Verdict::wrong("order", text));
        }
        below += (&mode.extent - 1) * &mode.stride;
    }
    None
}

enum Covering {
    /// every address below the size exactly once
    Exact,
    /// no address twice
    Gaps,
    /// some address twice
    Overlap(String),
    Unknown,
}

fn covering(layout: &Layout) -> Covering {
    let mut sorted = chain(layout);
    sorted.retain(|mode| mode.extent > BigInt::from(1));
    let mut next = BigInt::from(1);
    let exact = sorted.iter().all(|mode| {
        let fits = mode.stride == next;
        next = &mode.extent * &mode.stride;
        fits
    });
    if exact {
        return Covering::Exact;
    }
    if layout.size() <= BigInt::from(LIST) {
        let offsets = layout.offsets();
        return match collision(&offsets) {
            Some((i, j)) => Covering::Overlap(format!(
                "side by side with the layout, indices {i} and {j} share address {}",
                offsets[i]
            )),
            None if layout.size() == layout.cosize() => Covering::Exact,
            None => Covering::Gaps,
        };
    }
    // each mode steps over all that the smaller ones reach
    let mut reach = BigInt::from(0);
    let apart = sorted.iter().all(|mode| {
        let apart = mode.stride > reach;
        reach += (&mode.extent - 1) * &mode.stride;
        apart
    });
    if apart { Covering::Gaps } else { Covering::Unknown }
}
