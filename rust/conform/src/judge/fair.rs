//! What a maintainer could call unfair is not wrong.
//!
//! A wrong answer has a witness that needs nothing of ours: a coordinate and two offsets, an offset missed, two coordinates
//! that collide. Where no library says what an operation makes of an operand, and where only the nesting is another one,
//! there is none.

use super::verdict::{Verdict, Wrong};
use super::{composition, divide, meant};
use crate::model::coalesce::coalesced;
use crate::model::find::{LIST, collision};
use crate::model::{Expected, Layout, expected, recast};
use num_bigint::BigInt;
use serde_json::Value;
use std::collections::BTreeMap;

/// What becomes of an answer that looked wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excuse {
    /// nobody says what the answer has to be: why
    Outside(&'static str),
    /// right in another form: which
    Extended(&'static str),
}

/// An operand that repeats offsets, where an operation has to undo it or to put copies of it side by side.
const REPEATS: Excuse = Excuse::Outside("an operand repeats offsets");
/// Coordinates that are not in the outer layout.
const PAST: Excuse = Excuse::Outside("an operand reaches past the layout");
/// What `_` in a tiler comes to when tiles and rests are gathered.
const KEPT: Excuse = Excuse::Outside("`_` in a tiler");
/// Bits that are all there, in elements that they do not fill.
const PARTIAL: Excuse = Excuse::Outside("bits that fill no whole elements");
/// The same offsets in the same order.
const NESTED: Excuse = Excuse::Extended("the same offsets in other modes");
/// Nothing that the layout keeps apart has been joined.
const COMPACT: Excuse = Excuse::Extended("strides of 0 made compact");

/// Why a peer's answer that the judge calls wrong is not to be called so; nothing where it has a witness.
pub fn excuse(request: &Value, answer: &Value, wrong: &Wrong) -> Option<Excuse> {
    let op = request.get("op").and_then(Value::as_str)?;
    let args = request.get("args").and_then(Value::as_array)?;
    let op = meant(op, request.get("mode").and_then(Value::as_str), args);
    let result = answer.get("result")?;
    let expected = expected(op, args, true);
    let codes: &[&str] = match &expected {
        Expected::Refused(code) => &[code],
        Expected::RefusedAs(codes) => codes,
        _ => &[],
    };
    match wrong.kind {
        composition::BEYOND => return Some(PAST),
        "bits" if codes == ["extent"] => return Some(PARTIAL),
        "bits" => return partial(op, args, result),
        _ => {}
    }
    // what a division completes, and what a product copies
    let undone = if op.contains("divide") { args.last() } else { args.iter().find(|arg| arg.is_object()) };
    if (op.contains("divide") || op.contains("product")) && undone.is_some_and(repeats) {
        return Some(REPEATS);
    }
    match codes {
        ["not_injective"] => return Some(REPEATS),
        ["overflow"] => return Some(Excuse::Outside(crate::capabilities::BEYOND)),
        ["out_of_domain"] if !op.starts_with("composition") => return Some(PAST),
        _ => {}
    }
    if wrong.kind == "shape" && op.contains("divide") {
        let whole = Layout::read(args.first()?).ok()?;
        return divide::rearranged(&whole, &Layout::read_any_size(result).ok()?).is_fine().then_some(NESTED);
    }
    let gathers = ["zipped", "tiled", "flat", "hier"].iter().any(|word| op.starts_with(word)) || op.contains("product");
    if gathers && args.iter().any(has_null) {
        return Some(KEPT);
    }
    let (Expected::Value(right) | Expected::With(right, _)) = &expected else { return None };
    let [right, found] = [right, result].map(|value| Layout::read_any_size(value).ok());
    let (right, found) = (right?, found?);
    let form_alone = wrong.kind == "shape" || op == "coalesce";
    if coalesced(&right) == coalesced(&found) && form_alone {
        return Some(NESTED);
    }
    if op == "make_layout_like" {
        let like = Layout::read(args.first()?).ok()?;
        return (like.shape() == found.shape() && joined(&like, &found).is_none()).then_some(COMPACT);
    }
    None
}

/// Whether a layout, or one in a tiler, has an offset at two coordinates.
fn repeats(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(repeats),
        Value::Object(_) => Layout::read(value)
            .is_ok_and(|layout| layout.size() <= BigInt::from(LIST) && collision(&layout.offsets()).is_some()),
        _ => false,
    }
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_null),
        leaf => leaf.is_null(),
    }
}

fn counted(bits: Vec<BigInt>) -> BTreeMap<BigInt, usize> {
    let mut counts = BTreeMap::new();
    for bit in bits {
        *counts.entry(bit).or_default() += 1;
    }
    counts
}

/// Whether an answer of other elements has every bit of the layout, as often as the layout has it.
fn partial(op: &str, args: &[Value], result: &Value) -> Option<Excuse> {
    let [layout, answer] = [args.first()?, result].map(|value| Layout::read_any_size(value).ok());
    let one = BigInt::from(1);
    let size = |place: usize| args.get(place).and_then(crate::tree::read_int);
    let (old, new) = match op {
        "upcast" => (one, size(1)?),
        "downcast" => (size(1)?, one),
        _ => (size(1)?, size(2)?),
    };
    let had = counted(recast::bits(&layout?, &old)?);
    let has = counted(recast::bits(&answer?, &new)?);
    let all = had.iter().all(|(bit, count)| has.get(bit).is_some_and(|found| found >= count));
    (all && had != has).then_some(PARTIAL)
}

/// What shows that an answer is not the one value that the definition has.
pub(super) fn differs(op: &str, args: &[Value], right: &Value, result: &Value) -> Verdict {
    let plain = || Verdict::wrong("value", format!("the answer is {right}"));
    let [Ok(right), Ok(found)] = [right, result].map(Layout::read_any_size) else { return plain() };
    if op == "make_layout_like"
        && let Some(Ok(like)) = args.first().map(Layout::read)
        && like.shape() == found.shape()
        && let Some((i, j)) = joined(&like, &found)
    {
        let [there, here] = [&like, &found].map(|layout| [i, j].map(|c| layout.at(&BigInt::from(c))));
        return Verdict::wrong(
            "collision",
            format!(
                "coordinates {i} and {j} have offsets {} and {} in the layout, both {} in the answer",
                there[0], there[1], here[0]
            ),
        );
    }
    if right.size() != found.size() {
        return Verdict::wrong("size", format!("{} coordinates in place of {}", found.size(), right.size()));
    }
    let mut coordinates = (0..LIST).map(BigInt::from).take_while(|c| *c < right.size());
    match coordinates.find(|c| right.at(c) != found.at(c)) {
        Some(c) => {
            Verdict::wrong("value", format!("at coordinate {c} it is {}, the answer {}", right.at(&c), found.at(&c)))
        }
        None => plain(),
    }
}

/// What shows that an answer, where the definition refuses, is none.
pub(super) fn accepted(op: &str, args: &[Value], result: &Value, codes: &[&str]) -> Verdict {
    // the layout read over another shape
    if op == "with_shape"
        && let (Some(Ok(layout)), Ok(found)) = (args.first().map(Layout::read), Layout::read_any_size(result))
    {
        let least = layout.size().min(found.size());
        let mut indices = (0..LIST).map(BigInt::from).take_while(|i| *i < least);
        if let Some(i) = indices.find(|i| layout.at(i) != found.at(i)) {
            let text = format!("at index {i} the layout has {}, the answer {}", layout.at(&i), found.at(&i));
            return Verdict::wrong("value", text);
        }
    }
    Verdict::wrong("accepted", format!("this has to be refused: {}", codes.join(" or ")))
}

/// Two coordinates that a layout keeps apart and another one over the same shape does not.
fn joined(layout: &Layout, other: &Layout) -> Option<(usize, usize)> {
    if layout.size() > BigInt::from(LIST) {
        return None;
    }
    let mut met: BTreeMap<BigInt, (BigInt, usize)> = BTreeMap::new();
    for (i, (own, offset)) in layout.offsets().into_iter().zip(other.offsets()).enumerate() {
        let (first, j) = met.entry(offset).or_insert((own.clone(), i));
        if *first != own {
            return Some((*j, i));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::judge;
    use serde_json::json;

    fn excused(op: &str, args: &Value, result: &Value) -> Option<Excuse> {
        let request = json!({"id": 1, "op": op, "args": args});
        let answer = json!({"id": 1, "result": result});
        match judge(&request, &answer, false) {
            Verdict::Wrong(wrong) => excuse(&request, &answer, &wrong),
            other => panic!("{request} {answer} is not wrong: {other:?}"),
        }
    }

    fn layout(shape: &Value, stride: &Value) -> Value {
        json!({"shape": shape, "stride": stride})
    }

    #[test]
    fn what_nobody_defines_is_outside() {
        let twice = layout(&json!([2, 2]), &json!([2, 2]));
        let none = layout(&json!([2, 0]), &json!([1, 4]));
        assert_eq!(excused("complement", &json!([twice]), &none), Some(REPEATS));
        let past = layout(&json!([2, 2]), &json!([3, 1]));
        let lost = layout(&json!([[2, 2], 1]), &json!([[3, 1], 0]));
        assert_eq!(excused("logical_divide", &json!([layout(&json!(3), &json!(1)), past]), &lost), Some(PAST));
        let far = layout(&json!([2, 2]), &json!([0, 1]));
        let five = layout(&json!(5), &json!(1));
        assert_eq!(excused("composition", &json!([far, five]), &far), Some(PAST));
        let one = layout(&json!(1), &json!(1));
        assert_eq!(excused("recast", &json!([one, 2, 3]), &layout(&json!(2), &json!(1))), Some(PARTIAL));
    }

    #[test]
    fn another_form_is_extended() {
        let nothing = layout(&json!([]), &json!([]));
        assert_eq!(excused("coalesce", &json!([nothing]), &nothing), Some(NESTED));
        let like =
            |result: &Value| excused("make_layout_like", &json!([layout(&json!([2, 3]), &json!([0, 1]))]), result);
        assert_eq!(like(&layout(&json!([2, 3]), &json!([1, 2]))), Some(COMPACT));
        // coordinates (1,0) and (0,1) are apart in the layout
        assert_eq!(like(&layout(&json!([2, 3]), &json!([1, 1]))), None);
    }

    #[test]
    fn a_witness_is_no_excuse() {
        let steps = layout(&json!([2, 2]), &json!([1, 5]));
        assert_eq!(excused("left_inverse", &json!([steps]), &layout(&json!([2, 2]), &json!([1, 4]))), None);
        let injective = layout(&json!([3, 2]), &json!([2, 3]));
        let none = layout(&json!([2, 0, 2]), &json!([1, 6, 6]));
        assert_eq!(excused("complement", &json!([injective]), &none), None);
        // inside the domain, and carries
        let (outer, inner) = (layout(&json!([2, 2]), &json!([0, 1])), layout(&json!([2, 2]), &json!([1, 1])));
        assert_eq!(excused("composition", &json!([outer, inner]), &layout(&json!([2, 2]), &json!([0, 0]))), None);
        let bits = excused("recast", &json!([layout(&json!(4), &json!(1)), 4, 8]), &layout(&json!(1), &json!(1)));
        assert_eq!(bits, None);
    }
}
