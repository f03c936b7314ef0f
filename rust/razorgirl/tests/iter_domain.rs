//! Schedules against brute force: which points are holes, what has to be checked, which schedules are the same.

use razorgirl::ErrorKind;
use razorgirl::iter_domain::{Equality, Equivalence, MAX_RANK, MAX_STEPS, Schedule, Step, Swizzle};
use razorgirl_conform::generate::Rng;
use std::collections::BTreeMap;

fn position(rng: &mut Rng, n: usize) -> usize {
    usize::try_from(rng.below(n as u64)).unwrap()
}

fn random_step(rng: &mut Rng, axes: usize, kinds: u64) -> Step {
    let axis = position(rng, axes);
    let other = (axis + 1 + position(rng, axes.max(2) - 1)) % axes;
    match rng.below(kinds) {
        0 | 1 => Step::Split { axis, factor: 1 + rng.below(6) },
        2 => Step::SplitOuter { axis, factor: 1 + rng.below(6) },
        3 | 4 => Step::Merge { outer: axis, inner: other },
        5 => {
            let mut order: Vec<usize> = (0..axes).collect();
            order.swap(axis, other);
            Step::Reorder { order }
        }
        6 => {
            let amount = |rng: &mut Rng| i64::try_from(rng.below(5)).unwrap() - 2;
            Step::Resize { axis, left: amount(rng), right: amount(rng) }
        }
        _ => {
            let kind = [Swizzle::Xor, Swizzle::Cyclic, Swizzle::ZShape][position(rng, 3)];
            Step::Swizzle { kind, x: axis, y: other }
        }
    }
}

fn random(rng: &mut Rng, extents: &[u64], steps: u64, kinds: u64) -> Schedule {
    let mut schedule = Schedule::new(extents).unwrap();
    for _ in 0..steps {
        let axes = schedule.loops().len();
        // a step that makes no sense is refused, and leaves everything as it was
        let before = schedule.to_string();
        if schedule.push(random_step(rng, axes, kinds)).is_err() {
            assert_eq!(schedule.to_string(), before);
        }
        if schedule.points().is_none_or(|points| points > 4096) {
            break;
        }
    }
    schedule
}

/// Every index at a point of the loops, by a second way: from the steps, walked backwards on lists of axes.
fn naive(schedule: &Schedule, point: &[u64]) -> (Vec<i128>, bool) {
    let mut extents: Vec<Vec<i128>> = vec![schedule.extents().iter().map(|&e| i128::from(e)).collect()];
    for step in schedule.steps() {
        let mut now = extents.last().unwrap().clone();
        match step {
            Step::Split { axis, factor } => {
                let d = i128::from(*factor);
                now.splice(axis..=axis, [(now[*axis] + d - 1) / d, d]);
            }
            Step::SplitOuter { axis, factor } => {
                let k = i128::from(*factor);
                now.splice(axis..=axis, [k, (now[*axis] + k - 1) / k]);
            }
            Step::Merge { outer, inner } => {
                now[*outer] *= now[*inner];
                now.remove(*inner);
            }
            Step::Reorder { order } => now = order.iter().map(|&p| now[p]).collect(),
            Step::Resize { axis, left, right } => now[*axis] += i128::from(left + right),
            Step::Swizzle { .. } => {}
            other => panic!("{other} is new here"),
        }
        extents.push(now);
    }
    let mut at: Vec<i128> = point.iter().map(|&i| i128::from(i)).collect();
    let mut inside = true;
    let mut check = |at: &[i128], extents: &[i128]| inside &= at.iter().zip(extents).all(|(i, e)| (0..*e).contains(i));
    for (n, step) in schedule.steps().iter().enumerate().rev() {
        let (before, after) = (&extents[n], &extents[n + 1]);
        check(&at, after);
        match step {
            Step::Split { axis, .. } | Step::SplitOuter { axis, .. } => {
                let inner = after[axis + 1];
                at.splice(axis..=&(axis + 1), [at[*axis] * inner + at[axis + 1]]);
            }
            Step::Merge { outer, inner } => {
                let n1 = before[*inner];
                let position = if inner < outer { outer - 1 } else { *outer };
                let (a, b) = (at[position].div_euclid(n1), at[position].rem_euclid(n1));
                at.insert(*inner, b);
                at[*outer] = a;
            }
            Step::Reorder { order } => {
                let mut old = vec![0; at.len()];
                for (i, &p) in order.iter().enumerate() {
                    old[p] = at[i];
                }
                at = old;
            }
            Step::Resize { axis, left, .. } => at[*axis] -= i128::from(*left),
            Step::Swizzle { kind, x, y } => {
                let (ex, ey) = (before[*x], before[*y]);
                at[*y] = match kind {
                    Swizzle::Xor => at[*x] ^ at[*y],
                    Swizzle::Cyclic => (at[*y] - at[*x]).rem_euclid(ex),
                    Swizzle::ZShape if at[*x] % 2 == 0 => at[*y],
                    Swizzle::ZShape => ey - 1 - at[*y],
                    other => panic!("{other} is new here"),
                };
            }
            other => panic!("{other} is new here"),
        }
    }
    check(&at, &extents[0]);
    (at, inside)
}

fn points(extents: &[u64]) -> Vec<Vec<u64>> {
    extents.iter().fold(vec![vec![]], |points, &extent| {
        points.iter().flat_map(|p| (0..extent).map(|i| p.iter().copied().chain([i]).collect::<Vec<_>>())).collect()
    })
}

#[test]
fn points_and_holes_are_what_the_steps_say() {
    let mut rng = Rng::new(0x5eed_0001);
    for n in 0..6000 {
        let extents: Vec<u64> = (0..=rng.below(3)).map(|_| 1 + rng.below(9)).collect();
        let schedule = random(&mut rng, &extents, n % 9, 8);
        if schedule.points().is_none_or(|points| points > 4096) {
            continue;
        }
        let elements: Vec<_> = schedule.elements().unwrap().collect();
        assert_eq!(schedule.holes().unwrap(), elements.iter().filter(|element| element.is_none()).count() as u128);
        for (point, element) in points(&schedule.loop_extents()).iter().zip(elements) {
            let (at, inside) = naive(&schedule, point);
            let expected = inside.then(|| at.iter().map(|&i| u64::try_from(i).unwrap()).collect::<Vec<_>>());
            assert_eq!(schedule.index(point).unwrap(), expected, "{schedule} at {point:?}");
            let linear = expected.map(|at| at.iter().zip(&extents).fold(0, |linear, (i, e)| linear * e + i));
            assert_eq!(element, linear, "{schedule} at {point:?}");
        }
    }
}

#[test]
fn what_is_checked_keeps_every_hole_out_and_nothing_else() {
    let mut rng = Rng::new(0x5eed_0002);
    let mut checked = 0;
    for n in 0..20_000 {
        let extents: Vec<u64> = (0..=rng.below(2)).map(|_| 1 + rng.below(9)).collect();
        let schedule = random(&mut rng, &extents, n % 9, 8);
        if schedule.points().is_none_or(|points| points > 1024) {
            continue;
        }
        let predicates = schedule.predicates();
        checked += usize::from(!predicates.is_empty());
        for point in points(&schedule.loop_extents()) {
            let holds = schedule.axis_indices(&point).unwrap();
            let all = predicates.iter().all(|p| (0..i128::from(p.extent)).contains(&holds[p.axis]));
            assert_eq!(all, schedule.index(&point).unwrap().is_some(), "{schedule} at {point:?}: {predicates:?}");
        }
    }
    assert!(checked > 5_000);
}

/// The point of the loops that computes an element, where its steps take it; found among all points.
fn place(schedule: &Schedule, element: &[u64]) -> Option<Vec<u64>> {
    let reached = schedule.loop_indices(element).unwrap();
    points(&schedule.loop_extents()).into_iter().find(|point| {
        let (at, inside) = naive(schedule, point);
        let own = |at: &[i128], indices: &[u64]| at.iter().zip(indices).all(|(a, b)| *a == i128::from(*b));
        own(&reached, point) && inside && own(&at, element)
    })
}

#[test]
fn an_element_that_is_cut_off_is_at_no_point() {
    let valid = |left: &str, right: &str| schedule(left).equivalent_by(&schedule(right), Equality::ValidItems);
    for right in ["[4] resize(0,-1,0) resize(0,1,0)", "[4] resize(0,0,0) resize(0,-1,0) resize(0,1,0)"] {
        let lost = Equivalence::Differ { at: vec![0], left: Some(vec![0]), right: None };
        assert_eq!(valid("[4]", right), lost, "{right}");
    }
    // the same element is lost on both sides, also where there are too many to enumerate
    for n in [4, 1_u64 << 40] {
        let (left, right) = (
            format!("[{n}] resize(0,-1,0) resize(0,1,0)"),
            format!("[{n}] resize(0,-1,0) resize(0,2,0) resize(0,-1,0)"),
        );
        assert_eq!(valid(&left, &right), EQUAL);
        let kept = format!("[{n}] resize(0,1,0) resize(0,-1,0)");
        assert_eq!(valid(&kept, &format!("[{n}]")), EQUAL);
        assert!(matches!(valid(&left, &kept), Equivalence::Differ { .. }));
    }
}

#[test]
fn equivalence_is_what_going_through_all_points_finds() {
    let mut rng = Rng::new(0x5eed_0003);
    let (mut equal, mut symbolic, mut differ) = (0, 0, 0);
    for extents in [vec![6], vec![12], vec![7], vec![4, 6], vec![2, 5], vec![3, 1, 4]] {
        let mut groups: BTreeMap<Vec<u64>, Vec<Schedule>> = BTreeMap::new();
        for n in 0..1500 {
            // splits, merges and reorders in the first half, everything in the second
            let schedule = random(&mut rng, &extents, 1 + n % 8, if n < 750 { 6 } else { 8 });
            if schedule.points().is_some_and(|points| points <= 512) {
                groups.entry(schedule.loop_extents()).or_default().push(schedule);
            }
        }
        for group in groups.values() {
            for pair in group.windows(2).chain(group.windows(3).filter(|w| w.len() == 3)) {
                let (left, right) = (&pair[0], &pair[pair.len() - 1]);
                for which in [Equality::Program, Equality::E2, Equality::ValidItems] {
                    let element = |schedule: &Schedule, point: &[u64]| {
                        let (at, inside) = naive(schedule, point);
                        inside.then_some(at)
                    };
                    let same = match which {
                        Equality::Program => points(&left.loop_extents())
                            .iter()
                            .all(|point| element(left, point) == element(right, point)),
                        Equality::E2 => points(&left.loop_extents())
                            .iter()
                            .all(|point| naive(left, point).0 == naive(right, point).0),
                        _ => points(&extents).iter().all(|element| place(left, element) == place(right, element)),
                    };
                    match left.equivalent_by(right, which) {
                        Equivalence::Equal { enumerated } => {
                            if enumerated {
                                eprintln!("ENUM {which:?} {left} | {right}");
                            }
                            assert!(same, "{left} and {right} differ, {which:?}");
                            equal += 1;
                            symbolic += usize::from(!enumerated);
                            if enumerated && std::env::var_os("SHOW").is_some() {
                                println!("enumerated: {left}  =  {right}  {which:?}");
                            }
                        }
                        Equivalence::Differ { at, left: a, right: b } => {
                            assert!(!same, "{left} and {right} are the same, {which:?}");
                            assert_ne!(a, b);
                            if which == Equality::Program {
                                assert_eq!(
                                    (a, b),
                                    (element(left, &at), element(right, &at)),
                                    "{left} {right} at {at:?}"
                                );
                            }
                            differ += 1;
                        }
                        other => panic!("{left} and {right}: {other:?}"),
                    }
                }
            }
        }
    }
    println!("{equal} equal, {symbolic} of them without enumeration, {differ} different");
    assert!(equal > 2_000 && differ > 2_000 && symbolic * 100 > equal * 95);
}

fn schedule(text: &str) -> Schedule {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn same(left: &str, right: &str) -> Equivalence {
    schedule(left).equivalent(&schedule(right))
}

const EQUAL: Equivalence = Equivalence::Equal { enumerated: false };

#[test]
fn the_theorems_are_found_without_enumeration() {
    // split-split: IterDomain Theorem 2.1, for every extent
    for n in [100, 7777, 1_u64 << 40] {
        assert_eq!(same(&format!("[{n}] split(0,8) split(0,4)"), &format!("[{n}] split(0,32) split(1,8)")), EQUAL);
    }
    // rotation to the right: the factor of the inner split divides that of the first, 4 divides 32
    assert_eq!(same("[7776] split(0,32) split(1,4)", "[7776] split(0,4) split(0,8)"), EQUAL);
    assert!(matches!(
        same("[12] split(0,6) split(1,4)", "[12] split(0,4) split_outer(0,2)"),
        Equivalence::Differ { .. }
    ));
    // merging and splitting by the inner extent is nothing
    assert_eq!(same("[128,7777] merge(0,1) split(0,7777)", "[128,7777]"), EQUAL);
    // merges associate
    assert_eq!(same("[3,5,7] merge(0,1) merge(0,1)", "[3,5,7] merge(1,2) merge(0,1)"), EQUAL);
    // merge and split exchange exactly when the split divides: D5
    assert_eq!(same("[2,8] merge(0,1) split(0,4)", "[2,8] split(1,4) merge(0,1)"), EQUAL);
    assert!(matches!(same("[2,5] merge(0,1) split(0,4)", "[2,5] split(1,4) merge(0,1)"), Equivalence::Extents { .. }));
    let (left, right) = ("[2,3] merge(0,1) split(0,2)", "[2,3] split(1,2) merge(0,1)");
    assert!(matches!(same(left, right), Equivalence::Extents { .. }));
    let (left, right) = (schedule("[2,5] split(1,3) merge(0,1)"), schedule("[2,5] merge(0,1) split(0,3)"));
    assert_eq!(left.loop_extents(), right.loop_extents());
    assert!(matches!(left.equivalent(&right), Equivalence::Differ { .. }));
    // with an outer axis of extent 1 the items agree, the loops do not: E1 against E2
    let (left, right) = (schedule("[1,1] split(1,2) merge(0,1)"), schedule("[1,1] merge(0,1) split(0,2)"));
    assert!(matches!(left.equivalent_by(&right, Equality::ValidItems), Equivalence::Equal { .. }));
    assert!(matches!(left.equivalent_by(&right, Equality::E2), Equivalence::Differ { .. }));
    // and as programs they are the same: the loop point at which their indices differ is a hole of both
    assert!(matches!(left.equivalent(&right), Equivalence::Equal { .. }));
}

#[test]
fn the_documents_examples() {
    // splitting 6 by 4: holes at 6 and 7
    let elements: Vec<_> = schedule("[6] split(0,4)").elements().unwrap().collect();
    assert_eq!(elements, [Some(0), Some(1), Some(2), Some(3), Some(4), Some(5), None, None]);
    // an outer split of 5 by 4: the last outer index is all holes
    let outer: Vec<_> = schedule("[5] split_outer(0,4)").elements().unwrap().collect();
    assert_eq!(outer, [Some(0), Some(1), Some(2), Some(3), Some(4), None, None, None]);
    // three splits: checking the tensor alone repeats elements
    let three = schedule("[15] split(0,6) split(0,2) split(2,4)");
    assert_eq!(three.loop_extents(), [2, 2, 2, 4]);
    let axes: Vec<usize> = three.predicates().iter().map(|predicate| predicate.axis).collect();
    assert_eq!(axes, [0, 2]);
    assert_eq!(three.elements().unwrap().flatten().collect::<Vec<_>>(), (0..15).collect::<Vec<_>>());
    // headers of nvFuser's analysis
    let checked = |text: &str| schedule(text).predicates().iter().map(|p| p.axis).collect::<Vec<_>>();
    assert_eq!(checked("[10] split(0,3)"), [0]);
    assert_eq!(checked("[10] split(0,3) split(1,5)"), [0, 2]);
    assert_eq!(checked("[4,2] split(1,5)"), [1]);
    assert!(checked("[12] split(0,3)").is_empty());
    // a resize that only adds is checked at the tensor; one that cuts off is checked after it too
    assert_eq!(checked("[4] resize(0,1,0) split(0,3)"), [0]);
    assert_eq!(checked("[4] resize(0,0,1) split(0,3)"), [0]);
    assert_eq!(checked("[6] resize(0,-1,0) split(0,3)"), [1]);
    assert_eq!(checked("[6] resize(0,0,-1) split(0,3)"), [1]);
    // 77 of 100 by splits of 8 and 4
    assert_eq!(schedule("[100] split(0,8) split(0,4)").loop_indices(&[77]).unwrap(), [2, 1, 5]);
}

#[test]
fn exclusive_or_permutes_exactly_when_the_power_of_two_divides() {
    for x in 1..24_u64 {
        for y in 1..24_u64 {
            let schedule = schedule(&format!("[{x},{y}] swizzle(xor,0,1)"));
            let all = schedule.elements().unwrap().all(|element| element.is_some());
            assert_eq!(all, y % x.next_power_of_two() == 0, "{x} {y}");
            assert_eq!(schedule.predicates().is_empty(), all);
        }
    }
}

#[test]
fn text_is_read_back() {
    let mut rng = Rng::new(0x5eed_0004);
    for n in 0..2000 {
        let schedule = random(&mut rng, &[6, 5], n % 9, 8);
        let text = schedule.to_string();
        assert_eq!(text.parse::<Schedule>().unwrap().to_string(), text);
    }
    let commented = "# a matrix\n[128, 7777]\nsplit(0, 32); merge(1, 2) # done";
    assert_eq!(schedule(commented).to_string(), "[128,7777] split(0,32) merge(1,2)");
}

#[test]
fn mistakes_name_their_place() {
    for (text, kind, position, message) in [
        ("[0]", ErrorKind::Extent, None, "axis 0 has extent 0"),
        ("[-3]", ErrorKind::Extent, Some(1), "-3 is below 0 at byte 1"),
        ("[4] split(0,0)", ErrorKind::Extent, Some(4), "step 0: axis 0 is split by 0"),
        ("[4] split(1,2)", ErrorKind::OutOfDomain, Some(4), "step 0: there is no axis 1"),
        ("[4,4] split(0,2) merge(1,1)", ErrorKind::OutOfDomain, Some(17), "step 1: axis 1 is given twice"),
        ("[4] resize(0,-2,-2)", ErrorKind::Extent, Some(4), "step 0: axis 0 of extent 4 has 0 left after (-2, -2)"),
        (
            "[4,4] reorder(0,0)",
            ErrorKind::Incongruent,
            Some(6),
            "step 0: an order of 2 entries is no permutation of the 2 axes",
        ),
        ("[99999999999999999999]", ErrorKind::Overflow, Some(1), "99999999999999999999 is too large at byte 1"),
        ("[4] cut(0,2)", ErrorKind::Parse, Some(4), "there is no step cut at byte 4"),
        ("[4] split(0)", ErrorKind::Parse, Some(4), "split has 1 numbers at byte 4"),
        ("[4] swizzle(and,0,1)", ErrorKind::Parse, Some(12), "there is no swizzle and at byte 12"),
        ("[4", ErrorKind::Parse, Some(2), "expected `]`, met the end at byte 2"),
        ("", ErrorKind::Parse, Some(0), "expected `[`, met the end at byte 0"),
        ("[4] split(0,x)", ErrorKind::Parse, Some(12), "x must be an integer at byte 12"),
    ] {
        let error = text.parse::<Schedule>().unwrap_err();
        assert_eq!((error.kind(), error.position(), error.to_string().as_str()), (kind, position, message), "{text}");
        assert!(!error.help().is_empty(), "{text}");
    }
    let huge = (1_u64 << 61).to_string();
    let error = format!("[{huge}] split(0,{huge}) split(0,3)").parse::<Schedule>();
    assert!(error.is_ok_and(|schedule| schedule.loop_extents() == [1, 3, 1 << 61]) || huge.is_empty());
    let error = format!("[{huge}] split_outer(0,7)").parse::<Schedule>();
    assert!(error.is_ok());
    assert_eq!(format!("[{huge},2]").parse::<Schedule>().unwrap_err().kind(), ErrorKind::Overflow);
}

#[test]
fn holes_make_another_program() {
    let e2 = |left: &str, right: &str| schedule(left).equivalent_by(&schedule(right), Equality::E2);
    for (left, right, at, first, second) in [
        ("[4] resize(0,0,-2) resize(0,0,2)", "[4]", vec![3], None, Some(vec![3])),
        ("[3,3] swizzle(xor,0,1) swizzle(xor,0,1)", "[3,3]", vec![1, 2], None, Some(vec![1, 2])),
        ("[4]", "[4] resize(0,-1,0) resize(0,1,0)", vec![0], Some(vec![0]), None),
    ] {
        assert_eq!(e2(left, right), EQUAL, "{left} {right}");
        match same(left, right) {
            Equivalence::Differ { left: a, right: b, .. } => {
                assert_eq!((a.is_none(), b.is_none()), (first.is_none(), second.is_none()));
            }
            other => panic!("{left} and {right}: {other:?}"),
        }
        let element = |text: &str| {
            let found = schedule(text).index(&at).unwrap();
            found.map(|indices| indices.into_iter().map(i128::from).collect::<Vec<_>>())
        };
        assert_eq!((element(left), element(right)), (first, second), "{left} {right} at {at:?}");
    }
    // far too many points to go through: the sets of holes are compared by what has to be checked
    let huge = "[1099511627776] resize(0,0,-2) resize(0,0,2)";
    assert!(matches!(same(huge, "[1099511627776]"), Equivalence::Differ { .. }));
    assert_eq!(e2(huge, "[1099511627776]"), EQUAL);
    // indices of holes differ, elements do not
    let (left, right) = ("[1,1] resize(0,0,1) resize(1,0,1)", "[1,1] reorder(1,0) resize(0,0,1) resize(1,0,1)");
    assert_eq!(same(left, right), Equivalence::Equal { enumerated: true });
    assert!(matches!(e2(left, right), Equivalence::Differ { .. }));
}

#[test]
fn holes_far_away_are_holes() {
    // the indices of the first point are -2^60, -2^120 and -2^180
    let f = 1_u64 << 60;
    let far = schedule(&format!("[1] split(0,{f}) split(0,{f}) split(0,{f}) resize(0,1,0)"));
    assert_eq!(far.index(&[0, 0, 0, 0]).unwrap(), None);
    assert_eq!(far.index(&[1, 0, 0, 0]).unwrap(), Some(vec![0]));
    assert_eq!(far.axis_indices(&[0, 0, 0, 0]).unwrap_err().kind(), ErrorKind::Overflow);
    let near = schedule(&format!("[1] split(0,{f}) split(0,{f}) split(0,{f}) resize(0,2,-1)"));
    // both have holes only, where they were compared: the second has no element at all
    assert!(matches!(far.equivalent(&near), Equivalence::Differ { .. }));
    assert!(!matches!(far.equivalent_by(&near, Equality::E2), Equivalence::Equal { .. }));
}

#[test]
fn bounds_come_before_the_work() {
    let resizes = |n: usize| (0..n).map(|n| Step::Resize { axis: 0, left: if n % 2 == 0 { 1 } else { -1 }, right: 0 });
    let most = Schedule::with_steps(&[7], resizes(MAX_STEPS)).unwrap();
    assert_eq!((most.loop_extents(), most.steps().len()), (vec![7], MAX_STEPS));
    assert_eq!(most.predicates().len(), MAX_STEPS / 2);
    // every second resize puts a hole in front, the next one cuts it off again
    assert_eq!(most.equivalent(&Schedule::new(&[7]).unwrap()), EQUAL);
    let error = Schedule::with_steps(&[7], resizes(MAX_STEPS + 1)).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::TooLarge, "step 65536: a schedule has at most 65536 steps")
    );

    assert_eq!(Schedule::new(&vec![1; MAX_RANK]).unwrap().loops().len(), MAX_RANK);
    assert_eq!(Schedule::new(&vec![1; MAX_RANK + 1]).unwrap_err().kind(), ErrorKind::TooLarge);
    let splits = |n: usize| Schedule::with_steps(&[1024], (0..n).map(|_| Step::Split { axis: 0, factor: 1 }));
    assert_eq!(splits(MAX_RANK - 1).unwrap().loops().len(), MAX_RANK);
    let error = splits(1_000_000).unwrap_err();
    assert_eq!(error.to_string(), "step 1023: a split of axis 0 makes 1025 axes, more than 1024");
    assert_eq!(error.kind(), ErrorKind::TooLarge);

    // 10,000 exclusive ors on the same two axes, and the same backwards
    let xors =
        |n: usize| Schedule::with_steps(&[8, 8], (0..n).map(|_| Step::Swizzle { kind: Swizzle::Xor, x: 0, y: 1 }));
    let (many, none) = (xors(10_000).unwrap(), Schedule::new(&[8, 8]).unwrap());
    assert_eq!(many.equivalent(&none), EQUAL);
    assert!(matches!(xors(9_999).unwrap().equivalent(&none), Equivalence::Differ { .. }));

    // points times axes and steps
    let large = schedule("[1048576] resize(0,0,0)");
    assert_eq!(large.elements().unwrap().count(), 1 << 20);
    assert_eq!(schedule("[1048577]").elements().err().map(|error| error.kind()), Some(ErrorKind::TooLarge));
    let long = Schedule::with_steps(&[1 << 20], resizes(64)).unwrap();
    assert_eq!(long.elements().err().map(|error| error.kind()), Some(ErrorKind::TooLarge));
    assert_eq!(long.holes().unwrap_err().kind(), ErrorKind::TooLarge);
    // axes count without a step, too: 129 of them, for 2^20 points
    let wide = Schedule::new(&[vec![1 << 20], vec![1; 128]].concat()).unwrap();
    assert_eq!(wide.elements().err().map(|error| error.kind()), Some(ErrorKind::TooLarge));
    assert_eq!(schedule("[1099511627776] split(0,3)").holes().unwrap(), 2);
}

#[test]
fn an_axis_reaches_up_to_2_to_the_62() {
    let limit = 1_u64 << 62;
    let pushed =
        |extents: &[u64], step: Step| Schedule::with_steps(extents, [step]).map(|schedule| schedule.loop_extents());
    let refused = |extents: &[u64], step: Step| pushed(extents, step).unwrap_err().kind();
    assert_eq!(Schedule::new(&[limit - 1]).unwrap().extents(), [limit - 1]);
    assert_eq!(Schedule::new(&[limit]).unwrap_err().kind(), ErrorKind::Overflow);
    assert_eq!(Schedule::new(&[limit / 2, 2]).unwrap_err().kind(), ErrorKind::Overflow);
    // splits: outer times inner
    for outer in [false, true] {
        let split = |factor| if outer { Step::SplitOuter { axis: 0, factor } } else { Step::Split { axis: 0, factor } };
        let turned = |extents: [u64; 2]| if outer { vec![extents[1], extents[0]] } else { extents.to_vec() };
        assert_eq!(pushed(&[1], split(limit - 1)).unwrap(), turned([1, limit - 1]));
        assert_eq!(refused(&[1], split(limit)), ErrorKind::Overflow);
        assert_eq!(pushed(&[limit / 2 + 1], split(2)).unwrap(), turned([limit / 4 + 1, 2]));
        assert_eq!(refused(&[limit - 1], split(2)), ErrorKind::Overflow);
        assert_eq!(refused(&[4], split(0)), ErrorKind::Extent);
    }
    // merges: the product, where it does not come from one tensor
    let grown = |right: i64| {
        let resize = Step::Resize { axis: 1, left: 0, right };
        Schedule::with_steps(&[2, 1], [resize, Step::Merge { outer: 0, inner: 1 }])
    };
    let half = i64::try_from(limit / 4).unwrap();
    assert_eq!(grown(half).unwrap().loop_extents(), [limit / 2 + 2]);
    assert_eq!(grown(2 * half - 2).unwrap().loop_extents(), [limit - 2]);
    assert_eq!(grown(2 * half - 1).unwrap_err().kind(), ErrorKind::Overflow);
    // resizes: the extent together with what it is resized by
    let resize = |left: i64, right: i64| Step::Resize { axis: 0, left, right };
    assert_eq!(pushed(&[1], resize(0, 2 * half - 1)).unwrap(), [limit / 2]);
    assert_eq!(pushed(&[1], resize(2 * half - 1, 0)).unwrap(), [limit / 2]);
    assert_eq!(refused(&[1], resize(0, 2 * half)), ErrorKind::Overflow);
    assert_eq!(refused(&[1], resize(2 * half, 0)), ErrorKind::Overflow);
    assert_eq!(pushed(&[5], resize(-3, 1)).unwrap(), [3]);
    assert_eq!(pushed(&[5], resize(-2, -2)).unwrap(), [1]);
    assert_eq!(refused(&[5], resize(-3, -2)), ErrorKind::Extent);
    assert_eq!(refused(&[5], resize(-6, 0)), ErrorKind::Extent);
    assert_eq!(refused(&[5], resize(i64::MIN, i64::MAX)), ErrorKind::Overflow);
}

#[test]
fn axes_are_numbered_in_the_order_in_which_they_are_made() {
    let schedule =
        schedule("[6,5,2] split(0,4) split_outer(2,3) merge(3,0) reorder(3,0,2,1) resize(2,-1,4) swizzle(xor,1,3)");
    // 0 to 2 came in; 6 by 4 makes 3 and 4, 5 into 3 parts 5 and 6, the merge of 6 with 3 makes 7
    let extents: Vec<_> = (0..=11).map(|axis| schedule.extent(axis)).collect();
    let expected = [6, 5, 2, 2, 4, 3, 2, 4, 7, 4, 3];
    let expected: Vec<_> = expected.into_iter().map(Some).chain([None]).collect();
    assert_eq!(extents, expected);
    assert_eq!(schedule.axis_count(), 11);
    assert_eq!(schedule.loops(), [2, 9, 8, 10]);
    assert_eq!(schedule.loop_extents(), [2, 4, 7, 3]);
    assert_eq!(schedule.extents(), [6, 5, 2]);
    assert_eq!(schedule.points(), Some(168));
}

/// What the rules do not show equal is gone through where it is little, and is unknown where it is much.
#[test]
fn what_is_too_much_to_go_through_is_unknown() {
    let pair = |extent: u64| {
        let left: Schedule = format!("[{extent}] split(0,3) swizzle(cyclic,0,1)").parse().unwrap();
        let right: Schedule = format!("[{extent}] split(0,3) swizzle(cyclic,0,1) reorder(0,1)").parse().unwrap();
        left.equivalent(&right)
    };
    assert_eq!(pair(999), Equivalence::Equal { enumerated: true });
    assert!(matches!(pair(99_999_999), Equivalence::Unknown { .. }));
    assert!(matches!(pair(1 << 60), Equivalence::Unknown { .. }));
}
