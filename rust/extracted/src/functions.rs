//! The functions, printed from Lean by `cargo run -p spec-tests -- extract`. Not edited: a check compares them.

#![allow(clippy::all, clippy::pedantic)]

use crate::primitive::*;
use crate::{Fault, List, Mode};

/// The number of coordinates: the product of the extents.
///
/// Proved in Lean: `Razorgirl.Extract.size_run`.
#[inline(always)]
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
#[inline(always)]
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
#[inline(always)]
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

/// The order of modes: by stride, ties by extent.
///
/// Proved in Lean: `Razorgirl.Extract.before_run`.
#[inline(always)]
pub fn before(m: Mode, n: Mode) -> Result<bool, Fault> {
    Ok((m.stride < n.stride) || ((m.stride == n.stride) && (m.extent <= n.extent)))
}

/// Puts a mode in front of the first one that does not come before it.
///
/// Proved in Lean: `Razorgirl.Extract.insert_run`.
#[inline(always)]
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
#[inline(always)]
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
#[inline(always)]
pub fn at_index(modes: &[Mode], index: u64) -> Result<u64, Fault> {
    let mut rest: u64 = index;
    let mut sum: u64 = 0;
    for &m in modes.iter() {
        if rest < m.extent {
            return Ok(add(sum, mul(rest, m.stride)?)?);
        }
        sum = add(sum, mul(rem(rest, m.extent)?, m.stride)?)?;
        rest = div(rest, m.extent)?;
    }
    Ok(sum)
}

/// The coordinate of a linear index: its digits in the radix of the shape, the first fastest.
///
/// Proved in Lean: `Razorgirl.Extract.idx2crd_run`.
#[inline(always)]
pub fn idx2crd(shape: &[u64], index: u64) -> Result<List<u64>, Fault> {
    let mut out: List<u64> = List::new();
    let mut rest: u64 = index;
    for &s in shape.iter() {
        out.push(rem(rest, s)?);
        rest = div(rest, s)?;
    }
    Ok(out)
}

/// The linear index of a coordinate of a shape, the first entry fastest.
///
/// Proved in Lean: `Razorgirl.Extract.crd2idx_run`.
#[inline(always)]
pub fn crd2idx(shape: &[u64], coord: &[u64]) -> Result<u64, Fault> {
    if len(&shape) != len(&coord) {
        return Err(Fault::Refuse("incongruent"));
    }
    let mut sum: u64 = 0;
    let mut weight: u64 = 1;
    let mut i: u64 = 0;
    for &s in shape.iter() {
        let c: u64 = get(&coord, i)?;
        if s <= c {
            return Err(Fault::Refuse("out_of_domain"));
        }
        sum = add(sum, mul(c, weight)?)?;
        weight = mul(weight, s)?;
        i = add(i, 1)?;
    }
    Ok(sum)
}

/// The offset of a coordinate: each entry times its stride.
///
/// Proved in Lean: `Razorgirl.Extract.atCoord_run`.
#[inline(always)]
pub fn at_coord(modes: &[Mode], coord: &[u64]) -> Result<u64, Fault> {
    if len(&modes) != len(&coord) {
        return Err(Fault::Refuse("incongruent"));
    }
    let mut sum: u64 = 0;
    let mut i: u64 = 0;
    for &m in modes.iter() {
        let c: u64 = get(&coord, i)?;
        if m.extent <= c {
            return Err(Fault::Refuse("out_of_domain"));
        }
        sum = add(sum, mul(c, m.stride)?)?;
        i = add(i, 1)?;
    }
    Ok(sum)
}

/// The modes of extent above 1 in order of stride, of a layout whose size fits.
///
/// Proved in Lean: `Razorgirl.Extract.chain_run`.
#[inline(always)]
pub fn chain(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let _size: u64 = size(&modes)?;
    let mut out: List<Mode> = List::new();
    for &m in modes.iter() {
        if m.extent != 1 {
            out = insert(m, &out)?;
        }
    }
    Ok(out)
}

/// The gaps below each mode of a sorted layout: how often what lies below fits into the stride.
///
/// Proved in Lean: `Razorgirl.Extract.gaps_run`.
#[inline(always)]
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
#[inline(always)]
pub fn complement(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let chain: List<Mode> = chain(&modes)?;
    let gaps: List<Mode> = gaps(&chain)?;
    Ok(coalesce(&gaps)?)
}

/// The last mode, or `1:1` of none.
///
/// Proved in Lean: `Razorgirl.Extract.last_run`.
#[inline(always)]
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
#[inline(always)]
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

/// How many parts of `d` cover `n`: the quotient rounded up.
///
/// Proved in Lean: `Razorgirl.Extract.ceilDiv_run`.
#[inline(always)]
pub fn ceil_div(n: u64, d: u64) -> Result<u64, Fault> {
    let mut q: u64 = div(n, d)?;
    if rem(n, d)? != 0 {
        q = add(q, 1)?;
    }
    Ok(q)
}

/// The coalesced modes, if their size and cosize fit.
///
/// Proved in Lean: `Razorgirl.Extract.fit_run`.
#[inline(always)]
pub fn fit(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let out: List<Mode> = coalesce(&modes)?;
    let _size: u64 = size(&out)?;
    let _cosize: u64 = cosize(&out)?;
    Ok(out)
}

/// What completes a layout in the least multiple of its block that is at least the cotarget.
///
/// Proved in Lean: `Razorgirl.Extract.complementCeil_run`.
#[inline(always)]
pub fn complement_ceil(modes: &[Mode], cotarget: u64) -> Result<List<Mode>, Fault> {
    let chain: List<Mode> = chain(&modes)?;
    let mut out: List<Mode> = gaps(&chain)?;
    let last: Mode = last(&chain)?;
    if cotarget == 0 {
        return Err(Fault::Refuse("extent"));
    }
    let steps: u64 = ceil_div(cotarget, last.stride)?;
    let copies: u64 = ceil_div(steps, last.extent)?;
    if copies != 1 {
        out.push(Mode { extent: copies, stride: mul(last.extent, last.stride)? });
    }
    Ok(fit(&out)?)
}

/// All modes but the last.
///
/// Proved in Lean: `Razorgirl.Extract.allButLast_run`.
#[inline(always)]
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
#[inline(always)]
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
#[inline(always)]
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
#[inline(always)]
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
#[inline(always)]
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
#[inline(always)]
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
#[inline(always)]
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

/// All indices below `n`, those of a tile first: the modes of the tile and of its complement.
///
/// Proved in Lean: `Razorgirl.Extract.tiling_run`.
#[inline(always)]
pub fn tiling(tile: &[Mode], n: u64) -> Result<List<Mode>, Fault> {
    let rest: List<Mode> = complement_in(&tile, n)?;
    let mut out: List<Mode> = List::new();
    for &m in tile.iter() {
        out.push(m);
    }
    for &m in rest.iter() {
        out.push(m);
    }
    if len(&rest) == 0 {
        out.push(Mode { extent: 1, stride: 0 });
    }
    Ok(out)
}

/// A in tiles: A after the tile and its complement, the modes in a row, and how many each of theirs has.
///
/// Proved in Lean: `Razorgirl.Extract.logicalDivide_run`.
#[inline(always)]
pub fn logical_divide(a: &[Mode], tile: &[Mode]) -> Result<(List<Mode>, List<u64>), Fault> {
    let n: u64 = size(&a)?;
    if n < cosize(&tile)? {
        return Err(Fault::Refuse("out_of_domain"));
    }
    let inner: List<Mode> = tiling(&tile, n)?;
    Ok(composition(&a, &inner)?)
}

/// The modes without those of stride 0, coalesced.
///
/// Proved in Lean: `Razorgirl.Extract.filter_run`.
#[inline(always)]
pub fn filter(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let mut out: List<Mode> = List::new();
    for &m in modes.iter() {
        if m.stride == 0 {
            out.push(Mode { extent: 1, stride: 0 });
        } else {
            out.push(m);
        }
    }
    Ok(coalesce(&out)?)
}

/// Where `count` copies of a block may start, stride-0 modes left out: its gaps, and then whole blocks.
///
/// Proved in Lean: `Razorgirl.Extract.places_run`.
#[inline(always)]
pub fn places(block: &[Mode], count: u64) -> Result<List<Mode>, Fault> {
    let moving: List<Mode> = filter(&block)?;
    let chain: List<Mode> = chain(&moving)?;
    let mut out: List<Mode> = gaps(&chain)?;
    let last: Mode = last(&chain)?;
    let found: u64 = size(&out)?;
    if found < count {
        out.push(Mode { extent: ceil_div(count, found)?, stride: mul(last.extent, last.stride)? });
    }
    Ok(fit(&out)?)
}

/// Where the copies of a block go that another layout arranges: the modes in a row, and how many each of its modes has.
///
/// Proved in Lean: `Razorgirl.Extract.logicalProduct_run`.
#[inline(always)]
pub fn logical_product(block: &[Mode], tiles: &[Mode]) -> Result<(List<Mode>, List<u64>), Fault> {
    let places: List<Mode> = places(&block, cosize(&tiles)?)?;
    Ok(composition(&places, &tiles)?)
}

/// The least k below m with f(k) != k * f(1), or m; f has every step-th of the offsets.
///
/// Proved in Lean: `Razorgirl.Extract.breakAt_run`.
#[inline(always)]
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
#[inline(always)]
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
#[inline(always)]
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
#[inline(always)]
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

/// Each mode with the linear index of its first step: the product of the extents before it.
///
/// Proved in Lean: `Razorgirl.Extract.starts_run`.
#[inline(always)]
pub fn starts(modes: &[Mode]) -> Result<List<(Mode, u64)>, Fault> {
    let mut out: List<(Mode, u64)> = List::new();
    let mut index: u64 = 1;
    for &m in modes.iter() {
        out.push((m, index));
        index = mul(index, m.extent)?;
    }
    Ok(out)
}

/// Puts a start in front of the first one whose mode does not come before its own.
///
/// Proved in Lean: `Razorgirl.Extract.insertStart_run`.
#[inline(always)]
pub fn insert_start(p: (Mode, u64), sorted: &[(Mode, u64)]) -> Result<List<(Mode, u64)>, Fault> {
    let mut out: List<(Mode, u64)> = List::new();
    let mut todo: bool = true;
    for &q in sorted.iter() {
        if todo && before(p.0, q.0)? {
            out.push(p);
            todo = false;
        }
        out.push(q);
    }
    if todo {
        out.push(p);
    }
    Ok(out)
}

/// Starts in order of stride, ties by extent, further ties as they stand.
///
/// Proved in Lean: `Razorgirl.Extract.sortStarts_run`.
#[inline(always)]
pub fn sort_starts(starts: &[(Mode, u64)]) -> Result<List<(Mode, u64)>, Fault> {
    if len(&starts) == 0 {
        return Ok(List::new());
    }
    let last: u64 = sub(len(&starts), 1)?;
    let mut out: List<(Mode, u64)> = List::new();
    for i in 0..len(&starts) {
        out = insert_start(get(&starts, sub(last, i)?)?, &out)?;
    }
    Ok(out)
}

/// The modes that read the digits of an offset in the radix of the strides of sorted starts.
///
/// Proved in Lean: `Razorgirl.Extract.undo_run`.
#[inline(always)]
pub fn undo(sorted: &[(Mode, u64)]) -> Result<List<Mode>, Fault> {
    let mut out: List<Mode> = List::new();
    let mut prev: (Mode, u64) = (Mode { extent: 1, stride: 1 }, 0);
    for &p in sorted.iter() {
        if p.0.stride == 0 {
            return Err(Fault::Refuse("not_injective"));
        }
        if rem(p.0.stride, prev.0.stride)? != 0 {
            return Err(Fault::Refuse("not_divisible"));
        }
        let steps: u64 = div(p.0.stride, prev.0.stride)?;
        if steps < prev.0.extent {
            return Err(Fault::Refuse("not_injective"));
        }
        out.push(Mode { extent: steps, stride: prev.1 });
        prev = p;
    }
    out.push(Mode { extent: prev.0.extent, stride: prev.1 });
    Ok(out)
}

/// The starts of the coalesced modes, in order of stride.
///
/// Proved in Lean: `Razorgirl.Extract.sortedStarts_run`.
#[inline(always)]
pub fn sorted_starts(modes: &[Mode]) -> Result<List<(Mode, u64)>, Fault> {
    let coalesced: List<Mode> = coalesce(&modes)?;
    let starts: List<(Mode, u64)> = starts(&coalesced)?;
    Ok(sort_starts(&starts)?)
}

/// What reads the linear index off an offset, where the sorted strides divide one another in turn.
///
/// Proved in Lean: `Razorgirl.Extract.leftInverse_run`.
#[inline(always)]
pub fn left_inverse(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let _size: u64 = size(&modes)?;
    let sorted: List<(Mode, u64)> = sorted_starts(&modes)?;
    let out: List<Mode> = undo(&sorted)?;
    let _reach: u64 = size(&out)?;
    Ok(coalesce(&out)?)
}

/// The modes that read the digits of an offset, where each start has its stride where the modes below end.
///
/// Proved in Lean: `Razorgirl.Extract.undoPacked_run`.
#[inline(always)]
pub fn undo_packed(sorted: &[(Mode, u64)]) -> Result<List<Mode>, Fault> {
    let mut out: List<Mode> = List::new();
    let mut below: Mode = Mode { extent: 1, stride: 1 };
    for &p in sorted.iter() {
        if mul_is(below.extent, below.stride, p.0.stride) {
        } else {
            return Err(Fault::Refuse("not_injective"));
        }
        out.push(Mode { extent: p.0.extent, stride: p.1 });
        below = p.0;
    }
    Ok(out)
}

/// The inverse on both sides of a layout that has each offset below its size once.
///
/// Proved in Lean: `Razorgirl.Extract.inverse_run`.
#[inline(always)]
pub fn inverse(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let size: u64 = size(&modes)?;
    let cosize: u64 = cosize(&modes)?;
    if cosize < size {
        return Err(Fault::Refuse("not_injective"));
    }
    if size < cosize {
        return Err(Fault::Refuse("not_contiguous"));
    }
    let sorted: List<(Mode, u64)> = sorted_starts(&modes)?;
    let out: List<Mode> = undo_packed(&sorted)?;
    Ok(coalesce(&out)?)
}

/// The first of the starts that reach furthest among those whose stride is where a mode ends; of reach 1 if none.
///
/// Proved in Lean: `Razorgirl.Extract.follow_run`.
#[inline(always)]
pub fn follow(table: &[((Mode, u64), u64)], below: Mode) -> Result<((Mode, u64), u64), Fault> {
    let mut best: ((Mode, u64), u64) = ((Mode { extent: 1, stride: 1 }, 0), 1);
    for &p in table.iter() {
        if mul_is(below.extent, below.stride, p.0.0.stride) && (best.1 < p.1) {
            best = p;
        }
    }
    Ok(best)
}

/// How far chains of one more mode reach.
///
/// Proved in Lean: `Razorgirl.Extract.extend_run`.
#[inline(always)]
pub fn extend(table: &[((Mode, u64), u64)]) -> Result<List<((Mode, u64), u64)>, Fault> {
    let mut out: List<((Mode, u64), u64)> = List::new();
    for &p in table.iter() {
        let next: ((Mode, u64), u64) = follow(&table, p.0.0)?;
        out.push((p.0, mul(p.0.0.extent, next.1)?));
    }
    Ok(out)
}

/// The starts of positive stride, and how far the longest chain of modes from each of them reaches.
///
/// Proved in Lean: `Razorgirl.Extract.reaches_run`.
#[inline(always)]
pub fn reaches(starts: &[(Mode, u64)]) -> Result<List<((Mode, u64), u64)>, Fault> {
    let mut table: List<((Mode, u64), u64)> = List::new();
    for &p in starts.iter() {
        if p.0.stride != 0 {
            table.push((p, p.0.extent));
        }
    }
    for _round in 0..len(&starts) {
        table = extend(&table)?;
    }
    Ok(table)
}

/// The longest chain of modes whose strides continue one another from 1 on, as modes of linear indices.
///
/// Proved in Lean: `Razorgirl.Extract.walk_run`.
#[inline(always)]
pub fn walk(table: &[((Mode, u64), u64)]) -> Result<List<Mode>, Fault> {
    let mut out: List<Mode> = List::new();
    let mut below: Mode = Mode { extent: 1, stride: 1 };
    for _round in 0..len(&table) {
        let next: ((Mode, u64), u64) = follow(&table, below)?;
        if next.1 != 1 {
            out.push(Mode { extent: next.0.0.extent, stride: next.0.1 });
            below = next.0.0;
        }
    }
    Ok(out)
}

/// Where the offsets 0, 1, 2, … come from, as far as whole modes of the coalesced layout reach.
///
/// Proved in Lean: `Razorgirl.Extract.rightInverse_run`.
#[inline(always)]
pub fn right_inverse(modes: &[Mode]) -> Result<List<Mode>, Fault> {
    let _size: u64 = size(&modes)?;
    let coalesced: List<Mode> = coalesce(&modes)?;
    let starts: List<(Mode, u64)> = starts(&coalesced)?;
    let table: List<((Mode, u64), u64)> = reaches(&starts)?;
    let chain: List<Mode> = walk(&table)?;
    Ok(coalesce(&chain)?)
}

/// Whether each stride is larger than all that the smaller ones reach together: then no two offsets are equal.
///
/// Proved in Lean: `Razorgirl.Extract.spreads_run`.
#[inline(always)]
pub fn spreads(modes: &[Mode]) -> Result<bool, Fault> {
    let chain: List<Mode> = chain(&modes)?;
    let mut reach: u64 = 0;
    for &m in chain.iter() {
        if m.stride <= reach {
            return Ok(false);
        }
        reach = add(reach, mul(sub(m.extent, 1)?, m.stride)?)?;
    }
    Ok(true)
}

/// Quotient and remainder, rounded towards 0: the remainder has the sign of `a`.
///
/// Proved in Lean: `Razorgirl.Extract.trunc_run`.
#[inline(always)]
pub fn trunc(a: i64, b: i64) -> Result<(i64, i64), Fault> {
    if b == 0 {
        return Err(Fault::Refuse("out_of_domain"));
    }
    let q: i64 = div_i64(a, b)?;
    Ok((q, sub_i64(a, mul_i64(b, q)?)?))
}

/// Quotient and remainder, where the remainder is never negative.
///
/// Proved in Lean: `Razorgirl.Extract.euclid_run`.
#[inline(always)]
pub fn euclid(a: i64, b: i64) -> Result<(i64, i64), Fault> {
    let both: (i64, i64) = trunc(a, b)?;
    let q: i64 = both.0;
    let r: i64 = both.1;
    if r < 0 {
        if b < 0 {
            return Ok((add_i64(q, 1)?, sub_i64(r, b)?));
        } else {
            return Ok((sub_i64(q, 1)?, add_i64(r, b)?));
        }
    }
    Ok(both)
}

/// Quotient and remainder, rounded up: the remainder has the sign opposite to `b`.
///
/// Proved in Lean: `Razorgirl.Extract.ceil_run`.
#[inline(always)]
pub fn ceil(a: i64, b: i64) -> Result<(i64, i64), Fault> {
    let both: (i64, i64) = trunc(a, b)?;
    let q: i64 = both.0;
    let r: i64 = both.1;
    let zero: i64 = 0;
    if ((zero < r) && (zero < b)) || ((r < zero) && (b < zero)) {
        return Ok((add_i64(q, 1)?, sub_i64(r, b)?));
    }
    Ok(both)
}
