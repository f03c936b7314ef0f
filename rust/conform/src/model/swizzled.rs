//! Swizzled layouts, coordinate by coordinate and bit by bit.

use super::basic;
use super::expected::Expected;
use super::find::{LIST, find};
use super::layout::{Layout, ints_json};
use super::reading::{count, integer};
use super::recast;
use super::refusal::{Refusal, Result};
use super::shape::limit;
use crate::tree::{Tree, int_json};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// The operations of this module.
pub const NAMES: [&str; 6] = [
    "swizzled_call",
    "swizzled_composition",
    "swizzled_eval",
    "swizzled_offset_moves",
    "swizzled_plain",
    "swizzled_recast",
];

/// Bits that a number below 2^64 has, and room to move them.
const BITS: u64 = 64;

/// `Swizzle<B,M,S>`.
#[derive(Clone, Copy)]
pub(super) struct Swizzle {
    bits: u64,
    base: u64,
    shift: i64,
}

/// `swizzle(offset + layout)`.
pub(super) struct Swizzled {
    swizzle: Swizzle,
    offset: BigInt,
    layout: Layout,
}

impl Swizzle {
    fn read(value: &Value) -> Result<Self> {
        let Some([bits, base, shift]) = value.as_array().map(Vec::as_slice) else { return Err(Refusal("parse")) };
        let natural = |value| integer(value)?.try_into().map_err(|_| Refusal("out_of_domain"));
        let shift = integer(shift)?.try_into().map_err(|_| Refusal("parse"))?;
        let (bits, base) = (natural(bits)?, natural(base)?);
        if bits > BITS { Err(Refusal("out_of_domain")) } else { Ok(Self { bits, base, shift }) }
    }

    /// Bit `M + max(S,0) + j` is exclusive-ored onto bit `M + max(-S,0) + j`, for each `j` below `B`.
    fn apply(self, x: &BigInt) -> BigInt {
        let (down, up) = (self.shift.max(0).unsigned_abs(), self.shift.min(0).unsigned_abs());
        let mut image = x.clone();
        for j in 0..self.bits.min(BITS) {
            let (from, to) = (self.base.saturating_add(down + j), self.base.saturating_add(up + j));
            if from < BITS && x.bit(from) {
                image ^= BigInt::from(1) << to.min(4 * BITS);
            }
        }
        image
    }

    /// `2^(B+M+|S|)`, from where on no bit is read or changed; nothing where numbers below 2^64 have such bits.
    fn period(self) -> Option<BigInt> {
        let end = self.bits.checked_add(self.base)?.checked_add(self.shift.unsigned_abs())?;
        (end <= BITS).then(|| BigInt::from(1) << end)
    }

    fn to_json(self) -> Value {
        json!([self.bits, self.base, self.shift])
    }
}

impl Swizzled {
    pub(super) fn read(value: &Value) -> Result<Self> {
        let layout = Layout::read_among(value, &["swizzle", "offset", "shape", "stride"])?;
        let (swizzle, offset) = match (value.get("swizzle"), value.get("offset")) {
            (None, None) => (Swizzle { bits: 0, base: 0, shift: 0 }, BigInt::from(0)),
            (Some(swizzle), Some(offset)) => (Swizzle::read(swizzle)?, integer(offset)?),
            _ => return Err(Refusal("parse")),
        };
        if offset < BigInt::from(0) {
            return Err(Refusal("out_of_domain"));
        }
        if &offset + layout.cosize() > limit() {
            return Err(Refusal("overflow"));
        }
        Ok(Self { swizzle, offset, layout })
    }

    /// All offsets; nothing where they are too many.
    pub(super) fn offsets(&self) -> Result<Option<Vec<BigInt>>> {
        if self.layout.size() > BigInt::from(LIST) {
            return Ok(None);
        }
        fit(self.layout.offsets().iter().map(|x| self.swizzle.apply(&(&self.offset + x))).collect()).map(Some)
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) fn offset(&self) -> &BigInt {
        &self.offset
    }

    /// The offset at one index, however large.
    pub(super) fn offset_at(&self, index: &BigInt) -> BigInt {
        self.swizzle.apply(&(&self.offset + self.layout.at(index)))
    }

    /// How many bits the largest number has that the swizzle is applied to.
    fn width(&self) -> u64 {
        (&self.offset + self.layout.cosize() - BigInt::from(1)).bits()
    }

    /// Whether the swizzle reads a bit that an offset might have.
    pub(super) fn reads_a_bit(&self) -> bool {
        let first = self.swizzle.base.saturating_add(self.swizzle.shift.max(0).unsigned_abs());
        self.swizzle.bits > 0 && first < self.width()
    }

    /// Whether a bit that an offset might have is moved up beyond 64 bits.
    pub(super) fn may_overflow(&self) -> bool {
        let up = self.swizzle.shift.min(0).unsigned_abs();
        let end = self.swizzle.base.saturating_add(self.swizzle.bits).min(self.width());
        self.reads_a_bit() && end.saturating_add(up) > BITS
    }

    fn with(&self, offset: &BigInt, layout: &Value) -> Value {
        let mut all = layout.clone();
        all["swizzle"] = self.swizzle.to_json();
        all["offset"] = int_json(offset);
        all
    }
}

fn fit(offsets: Vec<BigInt>) -> Result<Vec<BigInt>> {
    if offsets.iter().any(|offset| *offset >= limit()) { Err(Refusal("overflow")) } else { Ok(offsets) }
}

/// The layout inside, which the operations on plain layouts take.
fn inside(swizzled: &Value) -> Value {
    json!({"shape": swizzled["shape"], "stride": swizzled["stride"]})
}

/// What the definition says of a request.
pub(super) fn expected(op: &str, args: &[Value]) -> Expected {
    match run(op, args) {
        Ok(expected) => expected,
        Err(Refusal(code)) => Expected::Refused(code),
    }
}

fn run(op: &str, args: &[Value]) -> Result<Expected> {
    let found = |value: Option<Value>| value.map_or(Expected::Unjudged, Expected::Value);
    match (op, args) {
        ("swizzled_eval", [all]) => {
            let all = Swizzled::read(all)?;
            if all.layout.size() > BigInt::from(1 << 20) {
                return Err(Refusal("too_large"));
            }
            Ok(found(all.offsets()?.map(|offsets| ints_json(&offsets))))
        }
        ("swizzled_call", [coord, of]) => {
            let all = Swizzled::read(of)?;
            let placed = basic::run("slice_and_offset", &[coord.clone(), inside(of)])?.ok_or(Refusal("internal"))?;
            let [shape, stride, offset] = placed.as_array().map(Vec::as_slice).unwrap_or_default() else {
                return Err(Refusal("internal"));
            };
            let offset = integer(offset)? + &all.offset;
            if Tree::read(coord)?.has_keep() {
                return Ok(Expected::Value(all.with(&offset, &json!({"shape": shape, "stride": stride}))));
            }
            Ok(Expected::Value(ints_json(&fit(vec![all.swizzle.apply(&offset)])?)[0].clone()))
        }
        ("swizzled_composition", [of, inner]) => {
            let all = Swizzled::read(of)?;
            Ok(match super::table::expected("composition", &[inside(of), inner.clone()], false) {
                Expected::Value(layout) => Expected::Value(all.with(&all.offset, &layout)),
                other => other,
            })
        }
        ("swizzled_offset_moves", [all]) => {
            let all = Swizzled::read(all)?;
            let alone = Swizzled { swizzle: all.swizzle, offset: BigInt::from(0), layout: all.layout.clone() };
            let (Some(moved), Some(alone)) = (all.offsets()?, alone.offsets()?) else {
                let whole = all.swizzle.period().is_some_and(|period| &all.offset % period == BigInt::from(0));
                return Ok(if whole { Expected::Value(json!(true)) } else { Expected::Unjudged });
            };
            let moves = moved.iter().zip(&alone).all(|(moved, alone)| moved - alone == all.offset);
            Ok(Expected::Value(json!(moves)))
        }
        ("swizzled_plain", [all]) => {
            let Some(offsets) = Swizzled::read(all)?.offsets()? else { return Ok(Expected::Unjudged) };
            let first = offsets.first().ok_or(Refusal("internal"))?;
            let steps: Vec<BigInt> = offsets.iter().map(|offset| offset - first).collect();
            Ok(Expected::Value(find(&steps).map_or(Value::Null, |modes| {
                let (extents, strides): (Vec<_>, Vec<_>) = modes.into_iter().map(|m| (m.extent, m.stride)).unzip();
                json!({"offset": int_json(first), "shape": ints_json(&extents), "stride": ints_json(&strides)})
            })))
        }
        ("swizzled_recast", [of, old, new]) => recast_of(&Swizzled::read(of)?, args, &count(old)?, &count(new)?),
        _ => Err(Refusal("arity")),
    }
}

/// The bits of the offsets, each as often as it is reached.
fn bits(all: &Swizzled, size: &BigInt) -> Result<Option<Vec<BigInt>>> {
    let Some(offsets) = all.offsets()? else { return Ok(None) };
    let Ok(parts) = u64::try_from(size) else { return Ok(None) };
    if parts.saturating_mul(offsets.len() as u64) > u64::from(16 * LIST) {
        return Ok(None);
    }
    let mut bits: Vec<BigInt> = offsets.iter().flat_map(|o| (0..parts).map(move |part| o * parts + part)).collect();
    bits.sort();
    Ok(Some(bits))
}

/// The layout recast, the offset in the new elements, and a swizzle with M moved: held to the bits that are reached. Where
/// the swizzle breaks elements, a unit that it takes apart is there.
fn recast_of(all: &Swizzled, args: &[Value], old: &BigInt, new: &BigInt) -> Result<Expected> {
    let ratio = |large: &BigInt, small: &BigInt| {
        let ratio = large / small;
        let log = ratio.bits().checked_sub(1)?;
        (ratio == BigInt::from(1) << log && large == &(&ratio * small)).then_some((ratio, log))
    };
    let (up, down) = (ratio(new, old), ratio(old, new));
    if up.is_none() && down.is_none() {
        return Err(Refusal("not_divisible"));
    }
    let plain: Vec<Value> = args.iter().take(1).map(inside).chain(args.iter().skip(1).cloned()).collect();
    let layout = match recast::expected("recast", &plain) {
        Expected::Value(layout) => layout,
        other => return Ok(other),
    };
    let mut swizzle = all.swizzle;
    let offset = match (up, down) {
        (Some((n, log)), _) => {
            if &all.offset % &n != BigInt::from(0) {
                return Err(Refusal("not_contiguous"));
            }
            match keeps(swizzle, log) {
                Some(true) => {}
                Some(false) => return Err(Refusal("not_divisible")),
                None => return Ok(Expected::Unjudged),
            }
            swizzle.bits = swizzle.bits.saturating_sub(log.saturating_sub(swizzle.base));
            swizzle.base = swizzle.base.saturating_sub(log);
            &all.offset / n
        }
        (None, Some((n, log))) => {
            swizzle.base = swizzle.base.saturating_add(log);
            &all.offset * n
        }
        (None, None) => return Err(Refusal("internal")),
    };
    let made = Swizzled { swizzle, offset: offset.clone(), layout: Layout::read(&layout)? };
    if &offset + made.layout.cosize() > limit() {
        return Err(Refusal("overflow"));
    }
    // other sizes of elements that tell all bits apart, smaller
    let (old, new) = if new >= old { (BigInt::from(1), new / old) } else { (old / new, BigInt::from(1)) };
    match (bits(all, &old), bits(&made, &new)) {
        (Ok(Some(before)), Ok(Some(after))) if before == after => Ok(Expected::Value(made.with(&offset, &layout))),
        (Ok(Some(_)), Ok(Some(_))) => Err(Refusal("internal")),
        // too many bits to list, or bits at 2^64 and beyond: the formula alone says nothing
        _ => Ok(Expected::Unjudged),
    }
}

/// Whether a swizzle takes units of `2^k` to whole units: all numbers of the bits that matter are tried.
fn keeps(swizzle: Swizzle, k: u64) -> Option<bool> {
    let end = swizzle.bits.saturating_add(swizzle.base).saturating_add(swizzle.shift.unsigned_abs());
    if swizzle.bits == 0 || k <= swizzle.base {
        // no bit of a part is read or changed
        return Some(true);
    }
    let end = end.max(k);
    if end > 16 {
        return None;
    }
    Some((0..1_u64 << (end - k)).all(|unit| {
        let mut parts: Vec<BigInt> = (0..1_u64 << k).map(|part| swizzle.apply(&(unit << k | part).into())).collect();
        parts.sort();
        parts.dedup();
        parts.len() as u64 == 1 << k && parts.iter().all(|part| part >> k == &parts[0] >> k)
    }))
}

/// What is wrong with the swizzled layouts among the arguments.
pub(super) fn faults(args: &[Value]) -> Vec<&'static str> {
    let all = args.iter().filter(|arg| arg.get("swizzle").is_some() || arg.get("offset").is_some());
    all.filter_map(|arg| Swizzled::read(arg).err()).map(|Refusal(code)| code).collect()
}
