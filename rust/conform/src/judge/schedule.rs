//! Answers about schedules of which several are right: a point where two differ, and axes that are enough to check.

use super::Verdict;
use crate::model::Layout;
use crate::model::find::find;
use crate::model::schedule::{Schedule, points, schedules};
use crate::tree::{int_json, read_int};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// The point of the loops that an element goes to; none unless that point exists and computes the element.
fn place(of: &Schedule, element: &[BigInt]) -> Option<Vec<BigInt>> {
    let point = of.forth(element);
    let inside = point.iter().zip(of.nest()).all(|(index, extent)| *index >= 0.into() && *index < extent);
    let at = of.back(&point);
    (inside && !of.is_hole(&at) && at[..element.len()] == *element).then_some(point)
}

/// What a schedule makes of a point: the element; the index, of holes too; or the point of the loops that computes it.
fn image(op: &str, of: &Schedule, point: &[BigInt]) -> Option<Vec<BigInt>> {
    if op == "schedule_equivalent_valid_items" {
        return place(of, point);
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

/// As [`predicates`], and without any of them some hole is found by none.
fn essential(of: &Schedule, answer: &Value) -> Verdict {
    let verdict = predicates(of, answer);
    let nest = of.nest();
    let (Verdict::Right, Some(points)) = (&verdict, points(&nest)) else { return verdict };
    let axes = answer["result"].as_array().into_iter().flatten().filter_map(Value::as_u64);
    let axes: Vec<usize> = axes.filter_map(|axis| usize::try_from(axis).ok()).collect();
    let mut needed = vec![false; axes.len()];
    for point in points {
        let at = of.back(&point);
        let left: Vec<usize> = (0..axes.len()).filter(|place| of.leaves(&at, axes[*place])).collect();
        if let [only] = left[..] {
            needed[only] = true;
        }
    }
    match needed.iter().position(|needed| !needed) {
        Some(place) => Verdict::wrong("axes", format!("axis {} follows from the others", axes[place])),
        None => Verdict::Right,
    }
}

/// The element at each point of the loops, none for holes; nothing where there are too many points.
fn numbers(of: &Schedule) -> Option<Vec<Option<BigInt>>> {
    let nest = of.nest();
    let number = |point: Vec<BigInt>| {
        let at = of.back(&point);
        let row_major =
            || at.iter().zip(of.tensor()).fold(BigInt::from(0), |sum, (index, extent)| sum * extent + index);
        (!of.is_hole(&at)).then(row_major)
    };
    Some(points(&nest)?.map(number).collect())
}

/// Whether layouts of the loops add up to the elements: each loop by itself has one, and the elements are their sums.
fn has_layouts(of: &Schedule) -> Option<bool> {
    let Some(numbers) = numbers(of)?.into_iter().collect::<Option<Vec<BigInt>>>() else { return Some(false) };
    let nest: Vec<usize> = of.nest().iter().filter_map(|extent| usize::try_from(extent).ok()).collect();
    let mut block = numbers.len();
    let mut sums = vec![BigInt::from(0)];
    for extent in nest {
        block /= extent;
        let along: Vec<BigInt> = (0..extent).map(|index| &numbers[index * block] - &numbers[0]).collect();
        if find(&along).is_none() {
            return Some(false);
        }
        sums = sums.iter().flat_map(|sum| along.iter().map(move |offset| sum + offset)).collect();
    }
    Some(numbers.first().is_none_or(|first| *first == BigInt::from(0)) && sums == numbers)
}

/// Layouts of the loops add up to the elements; none are answered where a step is no split, merge or reorder, or leaves loops that
/// have no layouts.
fn axes(args: &[Value], of: &Schedule, answer: &Value) -> Verdict {
    let Some(result) = answer.get("result") else {
        return Verdict::RefusedThoughExists("there are layouts, or none".into());
    };
    let Some(numbers) = numbers(of) else { return Verdict::Unjudged };
    if result.is_null() {
        let steps = args[0]["steps"].as_array().cloned().unwrap_or_default();
        let before = (0..=steps.len()).map(|count| {
            let schedule = json!({"extents": args[0]["extents"], "steps": steps[..count]});
            Schedule::read(&schedule).ok().and_then(|schedule| has_layouts(&schedule))
        });
        let all: Option<Vec<bool>> = before.collect();
        let Some(all) = all else { return Verdict::Unjudged };
        let plain = of.splits_and_merges();
        return match all.iter().position(|has| !has) {
            None if plain => Verdict::wrong("value", "the loops have layouts after every step"),
            _ => Verdict::Right,
        };
    }
    let layouts = result.as_array().map(|list| list.iter().map(Layout::read).collect::<Result<Vec<_>, _>>());
    let Some(Ok(layouts)) = layouts else { return Verdict::wrong("value", "the answer is no list of layouts") };
    if layouts.iter().map(Layout::size).collect::<Vec<_>>() != of.nest() {
        return Verdict::wrong("value", "the layouts are not as long as the loops");
    }
    let mut sums = vec![BigInt::from(0)];
    for layout in &layouts {
        let offsets = layout.offsets();
        sums = sums.iter().flat_map(|sum| offsets.iter().map(move |offset| sum + offset)).collect();
    }
    if numbers == sums.into_iter().map(Some).collect::<Vec<_>>() {
        Verdict::Right
    } else {
        Verdict::wrong("value", "the offsets do not add up to the elements")
    }
}

/// Judges an answer about schedules that have no fault; none where another judge has to.
pub(super) fn judge(op: &str, args: &[Value], answer: &Value, codes: bool) -> Option<Verdict> {
    let compares = op.starts_with("schedule_equivalent");
    if !compares && !["schedule_axes", "schedule_essential", "schedule_predicates"].contains(&op)
        || args.len() != if compares { 2 } else { 1 }
    {
        return None;
    }
    match schedules(args)?.as_slice() {
        [a, b] => Some(equivalent(op, [a, b], answer, codes)),
        [of] => Some(match op {
            "schedule_axes" => axes(args, of, answer),
            "schedule_essential" => essential(of, answer),
            _ => predicates(of, answer),
        }),
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

    /// Element 0 is cut off, so it is at no point of the second, though it would go to point 0.
    #[test]
    fn an_element_that_is_cut_off_is_at_no_point() {
        let cut = json!({"extents": [4], "steps": [{"resize": 0, "left": -1, "right": 0}, {"resize": 0, "left": 1, "right": 0}]});
        let pair = [json!({"extents": [4]}), cut];
        let answer = |result: bool, witness: Value| json!({"result": result, "witness": witness});
        assert!(judged("schedule_equivalent_valid_items", &pair, &answer(false, json!([0]))));
        assert!(!judged("schedule_equivalent_valid_items", &pair, &answer(false, json!([1]))));
        assert!(!judged("schedule_equivalent_valid_items", &pair, &answer(true, Value::Null)));
        assert!(judged(
            "schedule_equivalent_valid_items",
            &[pair[1].clone(), pair[1].clone()],
            &answer(true, Value::Null)
        ));
    }

    #[test]
    fn axes_that_follow_from_others_are_not_essential() {
        let split = |extent: u32| {
            [json!({"extents": [extent], "steps": [{"split": 0, "factor": 3}, {"split": 1, "factor": 2}]})]
        };
        assert!(judged("schedule_essential", &split(2), &json!({"result": [0]})));
        assert!(!judged("schedule_essential", &split(2), &json!({"result": [0, 2]})));
        assert!(judged("schedule_essential", &split(5), &json!({"result": [0, 2]})));
    }

    #[test]
    fn layouts_of_loops_add_up() {
        let merged = json!([{"split": 0, "factor": 3}, {"merge": [1, 0]}]);
        let of = |steps: &Value| [json!({"extents": [12], "steps": steps})];
        let layout = |stride: Value| json!([{"shape": [4, 3], "stride": stride}]);
        assert!(judged("schedule_axes", &of(&merged), &json!({"result": layout(json!([3, 1]))})));
        for wrong in [layout(json!([1, 3])), Value::Null, json!([]), json!([{"shape": 12, "stride": 1}])] {
            assert!(!judged("schedule_axes", &of(&merged), &json!({"result": wrong})), "{wrong}");
        }
        let split = json!([merged[0], merged[1], {"split": 0, "factor": 6}]);
        assert!(judged("schedule_axes", &of(&split), &json!({"result": null})));
        assert!(judged("schedule_axes", &of(&json!([{"split": 0, "factor": 5}])), &json!({"result": null})));
        assert!(judged("schedule_axes", &of(&json!([{"resize": 0, "left": 0, "right": 0}])), &json!({"result": null})));
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
