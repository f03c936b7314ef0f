//! The functions, printed from Lean by `cargo run -p spec-tests -- extract`. Not edited: a check compares them.

#![allow(clippy::all, clippy::pedantic)]

use crate::primitive::*;
use crate::{Fault, List, Mode};

/// The number of coordinates: the product of the extents.
///
/// Proved in Lean: `Razorgirl.Extract.size_run`.
#[inline]
pub fn size(modes: &[Mode]) -> Result<u64, Fault> {
    let mut product: u64 = 1;
    for &m in modes.iter() {
        product = mul(product, m.extent)?;
    }
    Ok(product)
}

/// One more than the largest offset: `1 + Σ (extent - 1) * stride`.
///
/// Proved in Lean: `Razorgirl.Extract.cosize_run`.
#[inline]
pub fn cosize(modes: &[Mode]) -> Result<u64, Fault> {
    let mut sum: u64 = 1;
    for &m in modes.iter() {
        sum = add(sum, mul(sub(m.extent, 1)?, m.stride)?)?;
    }
    Ok(sum)
}

/// The fewest modes with the same function of the linear index.
///
/// Proved in Lean: `Razorgirl.Extract.coalesce_run`.
#[inline]
pub fn coalesce(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let mut out: List<Mode> = List::new();
    let mut cur: Mode = Mode { extent: 1, stride: 0 };
    for &m in modes.iter() {
        if m.extent != 1 {
            if cur.extent == 1 {
                cur = m;
            } else {
                if mul_is(cur.extent, cur.stride, m.stride) {
                    cur = Mode { extent: mul(cur.extent, m.extent)?, stride: cur.stride };
                } else {
                    out.push(cur);
                    cur = m;
                }
            }
        }
    }
    if cur.extent != 1 {
        out.push(cur);
    }
    Ok(out)
}

/// The modes of extent above 1.
///
/// Proved in Lean: `Razorgirl.Extract.squeeze_run`.
#[inline]
pub fn squeeze(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let mut out: List<Mode> = List::new();
    for &m in modes.iter() {
        if m.extent != 1 {
            out.push(m);
        }
    }
    Ok(out)
}

/// The order of modes: by stride, ties by extent.
///
/// Proved in Lean: `Razorgirl.Extract.before_run`.
#[inline]
pub fn before(m: Mode, n: Mode) -> Result<bool, Fault> {
    Ok((m.stride < n.stride) || ((m.stride == n.stride) && (m.extent <= n.extent)))
}

/// Puts a mode in front of the first one that does not come before it.
///
/// Proved in Lean: `Razorgirl.Extract.insert_run`.
#[inline]
pub fn insert(m: Mode, sorted: &[Mode]) -> Result<List<Mode>, Fault> {
    let mut out: List<Mode> = List::new();
    let mut todo: bool = true;
    for &n in sorted.iter() {
        if todo && before(m, n)? {
            out.push(m);
            todo = false;
        }
        out.push(n);
    }
    if todo {
        out.push(m);
    }
    Ok(out)
}

/// The modes in order of stride, ties by extent.
///
/// Proved in Lean: `Razorgirl.Extract.sort_run`.
#[inline]
pub fn sort(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let mut out: List<Mode> = List::new();
    for &m in modes.iter() {
        out = insert(m, &out)?;
    }
    Ok(out)
}

/// The offset of a linear index: its digits in the radix of the extents, times the strides.
///
/// Proved in Lean: `Razorgirl.Extract.atIndex_run`.
#[inline]
pub fn at_index(modes: &[Mode], index: u64) -> Result<u64, Fault> {
    let mut rest: u64 = index;
    let mut sum: u64 = 0;
    for &m in modes.iter() {
        sum = add(sum, mul(rem(rest, m.extent)?, m.stride)?)?;
        rest = div(rest, m.extent)?;
    }
    Ok(sum)
}

/// The coordinate of a linear index: its digits in the radix of the shape, the first fastest.
///
/// Proved in Lean: `Razorgirl.Extract.idx2crd_run`.
#[inline]
pub fn idx2crd(shape: &[u64], index: u64) -> Result<List<u64>, Fault> {
    let mut out: List<u64> = List::new();
    let mut rest: u64 = index;
    for &s in shape.iter() {
        out.push(rem(rest, s)?);
        rest = div(rest, s)?;
    }
    Ok(out)
}

/// The modes of extent above 1 in order of stride, of a layout whose size fits.
///
/// Proved in Lean: `Razorgirl.Extract.chain_run`.
#[inline]
pub fn chain(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let _size: u64 = size(&modes)?;
    let squeezed: List<Mode> = squeeze(&modes)?;
    Ok(sort(&squeezed)?)
}

/// The gaps below each mode of a sorted layout: how often what lies below fits into the stride.
///
/// Proved in Lean: `Razorgirl.Extract.gaps_run`.
#[inline]
pub fn gaps(chain: &[Mode]) -> Result<List<Mode>, Fault> {
    let mut out: List<Mode> = List::new();
    let mut prev: Mode = Mode { extent: 1, stride: 1 };
    for &m in chain.iter() {
        if m.stride == 0 {
            return Err(Fault::Refuse("not_injective"));
        }
        if rem(m.stride, prev.stride)? != 0 {
            return Err(Fault::Refuse("not_divisible"));
        }
        let steps: u64 = div(m.stride, prev.stride)?;
        if rem(steps, prev.extent)? != 0 {
            return Err(Fault::Refuse("not_divisible"));
        }
        out.push(Mode { extent: div(steps, prev.extent)?, stride: mul(prev.extent, prev.stride)? });
        prev = m;
    }
    Ok(out)
}

/// What completes a layout in its own block.
///
/// Proved in Lean: `Razorgirl.Extract.complement_run`.
#[inline]
pub fn complement(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let chain: List<Mode> = chain(&modes)?;
    let gaps: List<Mode> = gaps(&chain)?;
    Ok(coalesce(&gaps)?)
}

/// The last mode, or `1:1` of none.
///
/// Proved in Lean: `Razorgirl.Extract.last_run`.
#[inline]
pub fn last(chain: &[Mode]) -> Result<Mode, Fault> {
    let mut last: Mode = Mode { extent: 1, stride: 1 };
    for &m in chain.iter() {
        last = m;
    }
    Ok(last)
}

/// What completes a layout in `[0,cotarget)`, which its block must divide.
///
/// Proved in Lean: `Razorgirl.Extract.complementIn_run`.
#[inline]
pub fn complement_in(modes: &[Mode], cotarget: u64) -> Result<List<Mode>, Fault> {
    let chain: List<Mode> = chain(&modes)?;
    let mut out: List<Mode> = gaps(&chain)?;
    let last: Mode = last(&chain)?;
    if cotarget == 0 {
        return Err(Fault::Refuse("extent"));
    }
    if rem(cotarget, last.stride)? != 0 {
        return Err(Fault::Refuse("not_divisible"));
    }
    let steps: u64 = div(cotarget, last.stride)?;
    if rem(steps, last.extent)? != 0 {
        return Err(Fault::Refuse("not_divisible"));
    }
    out.push(Mode { extent: div(steps, last.extent)?, stride: mul(last.extent, last.stride)? });
    Ok(coalesce(&out)?)
}

/// All modes but the last.
///
/// Proved in Lean: `Razorgirl.Extract.allButLast_run`.
#[inline]
pub fn all_but_last(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let mut out: List<Mode> = List::new();
    let mut first: bool = true;
    let mut prev: Mode = Mode { extent: 1, stride: 0 };
    for &m in modes.iter() {
        if !first {
            out.push(prev);
        }
        first = false;
        prev = m;
    }
    Ok(out)
}

/// After how many steps the first digit wraps, in the radix of the extents; 0 if none ever does.
///
/// Proved in Lean: `Razorgirl.Extract.wrapAt_run`.
#[inline]
pub fn wrap_at(head: &[Mode], step: u64) -> Result<u64, Fault> {
    let mut rest: u64 = step;
    let mut best: u64 = 0;
    for &m in head.iter() {
        let digit: u64 = rem(rest, m.extent)?;
        rest = div(rest, m.extent)?;
        if digit != 0 {
            let mut turns: u64 = div(m.extent, digit)?;
            if rem(m.extent, digit)? != 0 {
                turns = add(turns, 1)?;
            }
            if (best == 0) || (turns < best) {
                best = turns;
            }
        }
    }
    Ok(best)
}

/// The pieces extent:step into which a mode falls where a digit wraps; refused if one wraps in the middle.
///
/// Proved in Lean: `Razorgirl.Extract.splitMode_run`.
#[inline]
pub fn split_mode(head: &[Mode], m: Mode) -> Result<List<Mode>, Fault> {
    let mut s: u64 = m.extent;
    let mut d: u64 = m.stride;
    let mut out: List<Mode> = List::new();
    for _round in 0..64 {
        if (s <= 1) || (d == 0) {
            out.push(Mode { extent: s, stride: 0 });
            return Ok(out);
        }
        let t: u64 = wrap_at(&head, d)?;
        if (t == 0) || (s <= t) {
            out.push(Mode { extent: s, stride: d });
            return Ok(out);
        }
        if (t <= 1) || (rem(s, t)? != 0) {
            return Err(Fault::Refuse("not_divisible"));
        }
        out.push(Mode { extent: t, stride: d });
        s = div(s, t)?;
        d = mul(d, t)?;
    }
    Err(Fault::Refuse("too_large"))
}

/// The largest sum of the digits of one place, whose digit of n is n / weight % extent.
///
/// Proved in Lean: `Razorgirl.Extract.load_run`.
#[inline]
pub fn load(pieces: &[Mode], weight: u64, extent: u64) -> Result<u64, Fault> {
    let mut sum: u64 = 0;
    for &p in pieces.iter() {
        sum = add(sum, mul(sub(p.extent, 1)?, rem(div(p.stride, weight)?, extent)?)?)?;
    }
    Ok(sum)
}

/// Whether the pieces add up past a mode.
///
/// Proved in Lean: `Razorgirl.Extract.carries_run`.
#[inline]
pub fn carries(head: &[Mode], pieces: &[Mode]) -> Result<bool, Fault> {
    let mut weight: u64 = 1;
    for &m in head.iter() {
        let sum: u64 = load(&pieces, weight, m.extent)?;
        if m.extent <= sum {
            return Ok(true);
        }
        weight = mul(weight, m.extent)?;
    }
    Ok(false)
}

/// The coalesced modes of some pieces: the stride of each is the offset of its step.
///
/// Proved in Lean: `Razorgirl.Extract.group_run`.
#[inline]
pub fn group(outer: &[Mode], pieces: &[Mode]) -> Result<List<Mode>, Fault> {
    let mut out: List<Mode> = List::new();
    for &p in pieces.iter() {
        out.push(Mode { extent: p.extent, stride: at_index(&outer, p.stride)? });
    }
    Ok(coalesce(&out)?)
}

/// A after B: the modes for each mode of B in a row, and how many each has.
///
/// Proved in Lean: `Razorgirl.Extract.composition_run`.
#[inline]
pub fn composition(a: &[Mode], b: &[Mode]) -> Result<(List<Mode>, List<u64>), Fault> {
    if size(&a)? < cosize(&b)? {
        return Err(Fault::Refuse("out_of_domain"));
    }
    let outer: List<Mode> = coalesce(&a)?;
    let head: List<Mode> = all_but_last(&outer)?;
    let mut pieces: List<Mode> = List::new();
    let mut out: List<Mode> = List::new();
    let mut counts: List<u64> = List::new();
    for &m in b.iter() {
        let split: List<Mode> = split_mode(&head, m)?;
        let group: List<Mode> = group(&outer, &split)?;
        for &p in split.iter() {
            pieces.push(p);
        }
        for &p in group.iter() {
            out.push(p);
        }
        counts.push(len(&group));
    }
    if carries(&head, &pieces)? {
        return Err(Fault::Refuse("carries"));
    }
    Ok((out, counts))
}

/// The least k below m with f(k) != k * f(1), or m; f has every step-th of the offsets.
///
/// Proved in Lean: `Razorgirl.Extract.breakAt_run`.
#[inline]
pub fn break_at(f: &[u64], step: u64, m: u64) -> Result<u64, Fault> {
    let s: u64 = get(&f, mul(step, 1)?)?;
    for k in 0..m {
        if mul_is(k, s, get(&f, mul(step, k)?)?) {
        } else {
            return Ok(k);
        }
    }
    Ok(m)
}

/// Whether f(x) = f(t * (x / t)) + f(x % t) for all x below m.
///
/// Proved in Lean: `Razorgirl.Extract.splits_run`.
#[inline]
pub fn splits(f: &[u64], step: u64, t: u64, m: u64) -> Result<bool, Fault> {
    for x in 0..m {
        let a: u64 = get(&f, mul(step, x)?)?;
        let b: u64 = get(&f, mul(step, mul(t, div(x, t)?)?)?)?;
        let c: u64 = get(&f, mul(step, rem(x, t)?)?)?;
        if (b <= a) && (sub(a, b)? == c) {
        } else {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The coalesced modes of the layout that has these offsets in linear order.
///
/// Proved in Lean: `Razorgirl.Extract.findLayout_run`.
#[inline]
pub fn find_layout(f: &[u64]) -> Result<List<Mode>, Fault> {
    let mut m: u64 = len(&f);
    let mut step: u64 = 1;
    let mut out: List<Mode> = List::new();
    if m == 0 {
        return Err(Fault::Refuse("none"));
    }
    for _round in 0..64 {
        if m == 1 {
            if get(&f, mul(step, 0)?)? == 0 {
                return Ok(out);
            } else {
                return Err(Fault::Refuse("none"));
            }
        } else {
            let t: u64 = break_at(&f, step, m)?;
            if (t < 2) || (rem(m, t)? != 0) {
                return Err(Fault::Refuse("none"));
            }
            if !splits(&f, step, t, m)? {
                return Err(Fault::Refuse("none"));
            }
            out.push(Mode { extent: t, stride: get(&f, mul(step, 1)?)? });
            step = mul(step, t)?;
            m = div(m, t)?;
        }
    }
    Err(Fault::Refuse("unreachable"))
}

/// The dimensions (size, (box, element stride)) that make strong correctness impossible, by number.
///
/// Proved in Lean: `Razorgirl.Extract.violations_run`.
#[inline]
pub fn fttc_violations(dims: &[(u64, (u64, u64))]) -> Result<List<u64>, Fault> {
    let mut out: List<u64> = List::new();
    let mut i: u64 = 0;
    for &d in dims.iter() {
        let b: u64 = d.1.0;
        let e: u64 = d.1.1;
        if (e < b) && ((rem(b, e)? != 0) && (b < d.0)) {
            out.push(i);
        }
        i = add(i, 1)?;
    }
    Ok(out)
}
