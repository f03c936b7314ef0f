//! Elements of another size, by counting bits.
//!
//! An element of `old` bits at offset `o` has the bits from `old·o` on. Whether elements make larger ones is found by
//! trying: for each mode every number of steps that may make one, and for what comes of it, all bits.

use super::expected::Expected;
use super::find::LIST;
use super::integer::gcd;
use super::layout::{Layout, Mode};
use super::reading::{Answer, Reading, count, layout_of};
use super::refusal::{OVERFLOW, Refusal};
use super::shape::read_ints;
use crate::tree::Tree;
use num_bigint::BigInt;
use serde_json::Value;
use std::collections::BTreeMap;

/// The operations of this module. The last ones ask with `"mode":"containing"`.
pub const NAMES: [&str; 5] = ["downcast", "recast", "upcast", "recast_containing", "upcast_containing"];

/// Combinations of steps that are tried for one layout.
const TRIES: u64 = 1 << 14;
/// Extents up to which a mode is tried with every number of steps; beyond, with those that divide it.
const EVERY: u64 = 64;

/// Coordinates up to which all are tried for the parts of elements.
const COORDINATES: u64 = 1 << 10;

/// What an operation on elements makes of a layout.
enum Found {
    Layout(Layout),
    /// Refused, with one of these codes.
    Refused(&'static [&'static str]),
    /// Too large to be tried.
    Unknown,
}

/// The offsets of a layout, and its modes as extents and strides.
type Listed = (Vec<u64>, Vec<(u64, u64)>);

/// Offsets and modes in machine numbers; nothing for layouts that are too large to list.
fn listed(layout: &Layout) -> Option<Listed> {
    if layout.size() > BigInt::from(LIST) {
        return None;
    }
    let modes = layout.modes().into_iter();
    let modes: Option<Vec<(u64, u64)>> =
        modes.map(|mode| Some(((&mode.extent).try_into().ok()?, (&mode.stride).try_into().ok()?))).collect();
    let offsets: Option<Vec<u64>> = layout.offsets().iter().map(|offset| offset.try_into().ok()).collect();
    Some((offsets?, modes?))
}

/// The bits of a layout of elements of `size` bits, in order, each as often as it is reached; nothing if these are too
/// many to list.
pub fn bits(layout: &Layout, size: &BigInt) -> Option<Vec<BigInt>> {
    if layout.size() * size > BigInt::from(16 * LIST) {
        return None;
    }
    let count: u64 = size.try_into().ok()?;
    let mut bits: Vec<BigInt> =
        layout.offsets().iter().flat_map(|offset| (0..count).map(move |bit| offset * count + bit)).collect();
    bits.sort();
    Some(bits)
}

/// Which codes say why the elements of `n` are not reached wholly, each part as often as the others; none if they are.
fn uneven(offsets: &[u64], n: u64) -> Option<&'static [&'static str]> {
    let mut met: BTreeMap<u64, BTreeMap<u64, u64>> = BTreeMap::new();
    for offset in offsets {
        *met.entry(offset / n).or_default().entry(offset % n).or_default() += 1;
    }
    let partial = met.values().any(|parts| parts.len() as u64 != n);
    let repeated = met.values().any(|parts| parts.values().any(|count| Some(count) != parts.values().next()));
    match (partial, repeated) {
        (false, false) => None,
        (true, false) => Some(&["not_divisible", "not_contiguous"]),
        (false, true) => Some(&["not_divisible", "not_injective"]),
        (true, true) => Some(&["not_divisible", "not_contiguous", "not_injective"]),
    }
}

/// The numbers of steps `t` that a mode may take to an element, each with the stride `u` between elements:
/// `u·(x div t) = (x·stride) div n` for all its `x`.
fn steps(extent: u64, stride: u64, n: u64) -> Vec<(u64, u64)> {
    let element = |x: u64| x * stride / n;
    (1..=extent)
        .filter(|t| extent <= EVERY || extent.is_multiple_of(*t))
        .map(|t| (t, if t < extent { element(t) } else { 0 }))
        .filter(|(t, u)| (0..extent).all(|x| u * (x / t) == element(x)))
        .collect()
}

fn upcast(layout: &Layout, n: &BigInt) -> Found {
    let Some((offsets, modes)) = listed(layout) else { return Found::Unknown };
    if n > &layout.size() {
        // Elements of more parts than there are coordinates.
        return Found::Refused(&["not_divisible", "not_contiguous", "not_injective"]);
    }
    let Ok(n) = u64::try_from(n) else { return Found::Unknown };
    if let Some(codes) = uneven(&offsets, n) {
        return Found::Refused(codes);
    }
    let all: Vec<Vec<(u64, u64)>> = modes.iter().map(|(extent, stride)| steps(*extent, *stride, n)).collect();
    let tries: u64 = all.iter().map(|steps| steps.len() as u64).product();
    if tries > TRIES {
        return Found::Unknown;
    }
    // A mode of which all steps are whole elements keeps them, where that will do: it is varied last, from one step on.
    let mut order: Vec<usize> = (0..modes.len()).collect();
    order.sort_by_key(|i| modes.get(*i).is_some_and(|(_, stride)| stride % n == 0));
    for number in 0..tries {
        let mut rest = number;
        let mut chosen = vec![(1, 0); modes.len()];
        for i in &order {
            let count = all[*i].len() as u64;
            chosen[*i] = all[*i][usize::try_from(rest % count).unwrap_or(0)];
            rest /= count;
        }
        if let Some(larger) = larger(layout, &offsets, &modes, &chosen, n) {
            return Found::Layout(larger);
        }
    }
    if modes.iter().all(|(extent, _)| *extent <= EVERY) { Found::Refused(&["not_divisible"]) } else { Found::Unknown }
}

/// The layout of elements of `n`, where these steps make one.
fn larger(layout: &Layout, offsets: &[u64], modes: &[(u64, u64)], chosen: &[(u64, u64)], n: u64) -> Option<Layout> {
    let extents: Vec<u64> = modes.iter().zip(chosen).map(|((extent, _), (t, _))| extent.div_ceil(*t)).collect();
    if extents.iter().product::<u64>() * n != offsets.len() as u64 {
        return None;
    }
    let leaves = extents.iter().zip(chosen);
    let leaves = leaves.map(|(extent, (_, u))| Layout::Leaf(Mode { extent: (*extent).into(), stride: (*u).into() }));
    let mut larger = layout.with_leaves(&mut leaves.collect::<Vec<_>>().into_iter());
    larger.normalize();
    for (i, offset) in offsets.iter().enumerate() {
        let mut rest = i as u64;
        let mut element = 0;
        for ((extent, _), (t, u)) in modes.iter().zip(chosen) {
            element += rest % extent / t * u;
            rest /= extent;
        }
        if element != offset / n {
            return None;
        }
    }
    (bits(&larger, &n.into()) == bits(layout, &1.into())).then_some(larger)
}

fn containing(layout: &Layout, n: &BigInt) -> Found {
    if layout.size() > BigInt::from(LIST) {
        return Found::Unknown;
    }
    if layout.offsets().iter().any(|offset| offset % n != BigInt::from(0)) {
        return Found::Refused(&["not_divisible"]);
    }
    let leaves = layout.modes().into_iter();
    let mut leaves = leaves.map(|m| Layout::Leaf(Mode { extent: m.extent.clone(), stride: &m.stride / n }));
    let mut larger = layout.with_leaves(&mut leaves);
    larger.normalize();
    let right = larger.offsets().iter().zip(layout.offsets()).all(|(element, offset)| element * n == offset);
    if right { Found::Layout(larger) } else { Found::Unknown }
}

/// What mode `p` holds where the parts of elements lie in it: `n` times its extent, and strides as the single steps say.
/// Nothing if these are wrong at another coordinate.
fn parts_in(modes: &[&Mode], n: &BigInt, p: usize) -> Option<Vec<Mode>> {
    let (zero, one) = (BigInt::from(0), BigInt::from(1));
    // part r of the element at offset o is at n·o + r
    let part = |c: &[BigInt]| {
        let digit = |i: usize, x: &BigInt| if i == p { x / n } else { x.clone() };
        let element: BigInt = modes.iter().zip(c).enumerate().map(|(i, (mode, x))| digit(i, x) * &mode.stride).sum();
        n * element + &c[p] % n
    };
    let alone = |i: usize, x: BigInt| {
        let mut c = vec![zero.clone(); modes.len()];
        c[i] = x;
        c
    };
    let extents = modes.iter().enumerate().map(|(i, mode)| if i == p { &mode.extent * n } else { mode.extent.clone() });
    let smaller: Vec<Mode> = extents
        .enumerate()
        .map(|(i, extent)| {
            let stride = if extent == one { zero.clone() } else { part(&alone(i, one.clone())) };
            Mode { extent, stride }
        })
        .collect();
    let right = |c: &[BigInt]| part(c) == smaller.iter().zip(c).map(|(mode, x)| &mode.stride * x).sum();
    let size: BigInt = smaller.iter().map(|mode| &mode.extent).product();
    let holds = match u64::try_from(&size) {
        Ok(size) if size <= COORDINATES => (0..size).all(|index| {
            let mut rest = BigInt::from(index);
            let digits = smaller.iter().map(|mode| {
                let digit = &rest % &mode.extent;
                rest /= &mode.extent;
                digit
            });
            right(&digits.collect::<Vec<_>>())
        }),
        // Both sides add up over the modes: each by itself, at its first and last steps and about the first elements.
        _ => smaller.iter().enumerate().all(|(i, mode)| {
            let about = [zero.clone(), n.clone(), n * 2, n * 3, &mode.extent / 2, mode.extent.clone()];
            let tried = about.iter().flat_map(|x| (-4..=4).map(move |by| x + by));
            tried.filter(|x| *x >= zero && *x < mode.extent).all(|x| right(&alone(i, x)))
        }),
    };
    holds.then_some(smaller)
}

/// The parts lie in the only mode of extent above 1 where they can, or if there is none such in the only one at all.
fn downcast(layout: &Layout, n: &BigInt) -> Found {
    let one = BigInt::from(1);
    if *n == one {
        // an element is its only part
        return Found::Layout(layout.clone());
    }
    let modes = layout.modes();
    let held = (0..modes.len()).filter_map(|p| Some((p, parts_in(&modes, n, p)?)));
    let (mut long, mut single): (Vec<_>, Vec<_>) = held.partition(|(p, _)| modes[*p].extent != one);
    let found = match (long.len(), single.len()) {
        (1, _) => long.pop(),
        (0, 1) => single.pop(),
        (0, _) => return Found::Refused(&["not_contiguous"]),
        _ => return Found::Refused(&["not_injective"]),
    };
    let Some((_, smaller)) = found else { return Found::Unknown };
    let mut smaller = layout.with_leaves(&mut smaller.into_iter().map(Layout::Leaf));
    smaller.normalize();
    smaller.bounded().map_or(Found::Refused(OVERFLOW), Found::Layout)
}

fn recast(layout: &Layout, old: &BigInt, new: &BigInt) -> Found {
    let gcd = gcd(old, new);
    match upcast(layout, &(new / &gcd)) {
        Found::Layout(larger) => downcast(&larger, &(old / &gcd)),
        other => other,
    }
}

fn number(value: &Value) -> Option<BigInt> {
    match read_ints(value) {
        Ok(Tree::Int(n)) => Some(n),
        _ => None,
    }
}

/// Reads the arguments, for what is wrong with them; [`expected`] says what they come to.
pub(super) fn run(args: &[Value], reading: &mut Reading) -> Answer {
    reading.take(layout_of(&args[0]));
    for size in args.iter().skip(1) {
        reading.take(count(size));
    }
    None
}

/// What the definition says of a request whose arguments are right.
pub fn expected(op: &str, args: &[Value]) -> Expected {
    let layout = args.first().map_or(Err(Refusal("parse")), Layout::read);
    let (Ok(layout), Some(first)) = (layout, args.get(1).and_then(number)) else {
        return Expected::Unjudged;
    };
    let second = args.get(2).and_then(number);
    let found = match (op, second) {
        ("upcast", _) => upcast(&layout, &first),
        ("upcast_containing", _) => containing(&layout, &first),
        ("downcast", _) => downcast(&layout, &first),
        ("recast", Some(new)) => recast(&layout, &first, &new),
        ("recast_containing", Some(new)) if &new % &first == BigInt::from(0) => containing(&layout, &(new / first)),
        ("recast_containing", Some(_)) => Found::Refused(&["not_divisible"]),
        _ => Found::Unknown,
    };
    match found {
        Found::Layout(layout) => Expected::Value(layout.to_json()),
        Found::Refused(codes) => Expected::RefusedAs(codes),
        Found::Unknown => Expected::Unjudged,
    }
}

/// Whether an answer reaches the bits of the layout, each as often; nothing where they are too many to count, or where
/// the answer is not meant to.
pub fn same_bits(op: &str, args: &[Value], answer: &Value) -> Option<bool> {
    let layout = Layout::read(args.first()?).ok()?;
    let answer = Layout::read_any_size(answer).ok()?;
    let (first, one) = (args.get(1).and_then(number)?, BigInt::from(1));
    let (old, new) = match op {
        "upcast" => (one, first),
        "downcast" => (first, one),
        "recast" => {
            let second = args.get(2).and_then(number)?;
            let gcd = gcd(&first, &second);
            (first / &gcd, second / gcd)
        }
        _ => return None,
    };
    if answer.size() * &new != layout.size() * &old {
        return Some(false);
    }
    Some(bits(&answer, &new)? == bits(&layout, &old)?)
}

/// A bit that the layout and the answer do not reach equally often, in words.
pub fn bits_differ(op: &str, args: &[Value], answer: &Value) -> String {
    let unknown = || "the answer does not reach the bits of the layout, each as often".to_owned();
    let one = BigInt::from(1);
    let size = |place: usize| args.get(place).and_then(number);
    let (old, new) = match op {
        "upcast" => (Some(one), size(1)),
        "downcast" => (size(1), Some(one)),
        _ => (size(1), size(2)),
    };
    let layouts = args.first().and_then(|layout| Layout::read(layout).ok()).zip(Layout::read_any_size(answer).ok());
    let Some(((layout, answer), (old, new))) = layouts.zip(old.zip(new)) else { return unknown() };
    let Some((had, has)) = bits(&layout, &old).zip(bits(&answer, &new)) else { return unknown() };
    let count = |bits: &[BigInt], bit: &BigInt| bits.iter().filter(|other| *other == bit).count();
    let differs = had.iter().chain(&has).find(|bit| count(&had, bit) != count(&has, bit));
    differs.map_or_else(unknown, |bit| {
        format!("the layout has bit {bit} {} times, the answer {} times", count(&had, bit), count(&has, bit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(op: &str, args: &Value) -> Expected {
        expected(op, args.as_array().map_or(&[], Vec::as_slice))
    }

    #[test]
    fn bits_are_counted() {
        let refused = |expected| matches!(expected, Expected::RefusedAs(_));
        let one = json!({"shape":1,"stride":1});
        assert!(refused(said("recast", &json!([one, 3, 8]))));
        assert!(refused(said("recast", &json!([{"shape":2,"stride":3}, 16, 6]))));
        assert!(refused(said("recast", &json!([{"shape":[2,3,2],"stride":[3,6,18]}, 4, 6]))));
        assert!(refused(said("upcast", &json!([one, 4]))));
        assert!(refused(said("upcast", &json!([{"shape":[2],"stride":[1]}, 4]))));
        let words = said("upcast", &json!([{"shape":[2,2,3],"stride":[1,2,4]}, 4]));
        assert_eq!(words, Expected::Value(json!({"shape":[1,1,3],"stride":[0,0,1]})));
        let inside = said("upcast_containing", &json!([{"shape":[2,3],"stride":[4,8]}, 4]));
        assert_eq!(inside, Expected::Value(json!({"shape":[2,3],"stride":[1,2]})));
    }

    #[test]
    fn parts_lie_in_one_mode() {
        let of = |shape: Value, stride: Value, n: u64| said("downcast", &json!([{"shape":shape,"stride":stride}, n]));
        let value = |shape: Value, stride: Value| Expected::Value(json!({"shape":shape,"stride":stride}));
        let far = 1_u64 << 40;
        assert_eq!(of(json!([4, [2, 1]]), json!([2, [1, 0]]), 3), value(json!([4, [6, 1]]), json!([6, [1, 0]])));
        assert_eq!(of(json!([4, 1]), json!([2, 0]), 3), value(json!([4, 3]), json!([6, 1])));
        assert_eq!(of(json!([far, 4]), json!([1, far]), 4), value(json!([4 * far, 4]), json!([1, 4 * far])));
        assert_eq!(of(json!([2, 2]), json!([1, 1]), 2), Expected::RefusedAs(&["not_injective"]));
        for (shape, stride) in [(json!(4), json!(2)), (json!(4), json!(0)), (json!([1, 1]), json!([0, 0]))] {
            assert_eq!(of(shape, stride, 2), Expected::RefusedAs(&["not_contiguous"]));
        }
        assert_eq!(of(json!(far), json!(3), 2), Expected::RefusedAs(&["not_contiguous"]));
        assert_eq!(of(json!(1_u64 << 63), json!(1), 4), Expected::RefusedAs(OVERFLOW));
    }

    #[test]
    fn other_bits_are_seen() {
        let args = json!([{"shape":1,"stride":0}, 3, 8]);
        let args = args.as_array().unwrap();
        assert_eq!(same_bits("recast", args, &json!({"shape":3,"stride":1})), Some(false));
        let args = json!([{"shape":8,"stride":1}, 4]);
        let args = args.as_array().unwrap();
        assert_eq!(same_bits("upcast", args, &json!({"shape":2,"stride":1})), Some(true));
        assert_eq!(same_bits("upcast", args, &json!({"shape":2,"stride":2})), Some(false));
    }
}
