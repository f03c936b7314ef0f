//! Answers about schedules of which several are right: a point where two differ, and axes that are enough to check.

use super::Verdict;
use crate::model::schedule::{Schedule, points, schedules};
use crate::tree::{int_json, read_int};
use num_bigint::BigInt;
use serde_json::Value;

/// What a schedule makes of a point: the element; the index, of holes too; or the point of the loops.
fn image(op: &str, of: &Schedule, point: &[BigInt]) -> Option<Vec<BigInt>> {
    if op == "schedule_equivalent_valid_items" {
        return Some(of.forth(point));
    }
    let at = of.back(point);
    if op == "schedule_equivalent" && of.is_hole(&at) {
        return None;
    }
    Some(at.into_iter().take(of.tensor().len()).collect())
}

fn equivalent(op: &str, [a, b]: [&Schedule; 2], answer: &Value, codes: bool) -> Verdict {
    let same_loops = a.tensor() == b.tensor() && a.nest() == b.nest();
    let domain = if op == "schedule_equivalent_valid_items" { a.tensor().to_vec() } else { a.nest() };
    let Some(mut points) = points(&domain) else { return Verdict::Unjudged };
    let differs = |point: &[BigInt]| image(op, a, point) != image(op, b, point);
    let equal = same_loops && !points.any(|point| differs(&point));
    let Some(result) = answer.get("result") else {
        return Verdict::RefusedThoughExists(format!("the answer is {equal}"));
    };
    if *result != Value::Bool(equal) {
        return Verdict::wrong("value", format!("the answer is {equal}"));
    }
    if !codes {
        return Verdict::Right;
    }
    let witness = answer.get("witness");
    let fine = match witness {
        Some(Value::Null) => equal || !same_loops,
        Some(Value::Array(point)) => {
            let point: Option<Vec<BigInt>> = point.iter().map(read_int).collect();
            let inside = |point: &[BigInt]| {
                point.len() == domain.len()
                    && point.iter().zip(&domain).all(|(index, extent)| *index >= 0.into() && index < extent)
            };
            !equal && same_loops && point.is_some_and(|point| inside(&point) && differs(&point))
        }
        _ => false,
    };
    if fine { Verdict::Right } else { Verdict::wrong("witness", "the witness is no point where they differ") }
}

/// Axes are enough to check if a point is a hole exactly where one of them is out of range. Where there are splits and
/// merges only, none of them is in range everywhere.
fn predicates(of: &Schedule, answer: &Value) -> Verdict {
    let nest = of.nest();
    let Some(points) = points(&nest) else { return Verdict::Unjudged };
    let Some(result) = answer.get("result") else {
        return Verdict::RefusedThoughExists("there are always axes to check, or none is needed".into());
    };
    let numbers = |list: &Vec<Value>| list.iter().map(Value::as_u64).collect::<Option<Vec<u64>>>();
    let Some(listed) = result.as_array().and_then(numbers) else {
        return Verdict::wrong("value", "the answer is no list of axes");
    };
    let listed: Vec<usize> = listed.into_iter().map(|axis| usize::try_from(axis).unwrap_or(usize::MAX)).collect();
    if !listed.is_sorted_by(|a, b| a < b) || listed.iter().any(|axis| *axis >= of.axes()) {
        return Verdict::wrong("value", "the axes are not in order, or not there");
    }
    let mut fails = vec![false; listed.len()];
    for point in points {
        let at = of.back(&point);
        let mut caught = false;
        for (fails, axis) in fails.iter_mut().zip(&listed) {
            let leaves = of.leaves(&at, *axis);
            *fails |= leaves;
            caught |= leaves;
        }
        if caught != of.is_hole(&at) {
            let point: Vec<Value> = point.iter().map(int_json).collect();
            return Verdict::wrong("axes", format!("the hole at {} is not found by them", Value::Array(point)));
        }
    }
    match fails.iter().position(|fails| !fails) {
        Some(at) if of.splits_and_merges() => {
            Verdict::wrong("axes", format!("axis {} is in range everywhere", listed[at]))
        }
        _ => Verdict::Right,
    }
}

/// Judges an answer about schedules that have no fault; none where another judge has to.
pub(super) fn judge(op: &str, args: &[Value], answer: &Value, codes: bool) -> Option<Verdict> {
    let compares = op.starts_with("schedule_equivalent");
    if !compares && op != "schedule_predicates" || args.len() != if compares { 2 } else { 1 } {
        return None;
    }
    match schedules(args)?.as_slice() {
        [a, b] => Some(equivalent(op, [a, b], answer, codes)),
        [of] => Some(predicates(of, answer)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn judged(op: &str, args: &[Value], answer: &Value) -> bool {
        judge(op, args, answer, true).is_some_and(|verdict| verdict == Verdict::Right)
    }

    #[test]
    fn a_witness_has_to_differ() {
        let cut = json!({"extents": [4], "steps": [{"resize": 0, "left": 0, "right": -2}, {"resize": 0, "left": 0, "right": 2}]});
        let pair = [cut, json!({"extents": [4]})];
        let answer = |result: bool, witness: Value| json!({"result": result, "witness": witness});
        assert!(judged("schedule_equivalent", &pair, &answer(false, json!([2]))));
        assert!(!judged("schedule_equivalent", &pair, &answer(false, json!([1]))));
        assert!(!judged("schedule_equivalent", &pair, &answer(false, Value::Null)));
        assert!(!judged("schedule_equivalent", &pair, &answer(true, Value::Null)));
        assert!(judged("schedule_equivalent_e2", &pair, &answer(true, Value::Null)));
    }

    #[test]
    fn axes_that_find_no_hole_or_too_few_are_wrong() {
        let split = [json!({"extents": [10], "steps": [{"split": 0, "factor": 3}, {"split": 1, "factor": 5}]})];
        assert!(judged("schedule_predicates", &split, &json!({"result": [0, 2]})));
        for wrong in [json!([]), json!([0]), json!([0, 1, 2]), json!([2, 0]), json!([0, 2, 9])] {
            assert!(!judged("schedule_predicates", &split, &json!({"result": wrong})), "{wrong}");
        }
    }
}
