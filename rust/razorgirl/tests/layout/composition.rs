//! Composition on all small layouts, against its definition by enumeration; what its refusals say.

use razorgirl::{ErrorKind, Layout, Tiler, Witness};

use crate::shared::{Flat, at, layout, layouts, library, said, size, up_to_rank};

/// The modes of the layout with exactly these values.
fn find(values: &[u64]) -> Option<Flat> {
    if values[0] != 0 {
        return None;
    }
    if values.len() == 1 {
        return Some(Vec::new());
    }
    let extent = (0..values.len()).find(|k| values[*k] != values[1] * *k as u64).unwrap_or(values.len());
    let holds = values.len().is_multiple_of(extent)
        && (0..values.len()).all(|x| values[x] == values[x / extent * extent] + values[1] * (x % extent) as u64);
    if !holds {
        return None;
    }
    let rest: Vec<u64> = values.iter().step_by(extent).copied().collect();
    let mut modes = vec![(extent as u64, values[1])];
    modes.extend(find(&rest)?);
    Some(modes)
}

/// The composite, one coalesced group of modes for each mode of `inner`; or none if there is none.
fn composite(outer: &Flat, inner: &Flat) -> Option<Vec<Flat>> {
    if inner.iter().map(|(extent, stride)| (extent - 1) * stride).sum::<u64>() >= size(outer) {
        return None;
    }
    let groups = inner
        .iter()
        .map(|(extent, stride)| find(&(0..*extent).map(|k| at(outer, k * stride)).collect::<Vec<_>>()))
        .collect::<Option<Vec<_>>>()?;
    let flat: Flat = groups.concat();
    (0..size(inner)).all(|x| at(&flat, x) == at(outer, at(inner, x))).then_some(groups)
}

fn groups_of(composite: &Layout, inner: &Flat) -> Vec<Flat> {
    assert_eq!(composite.rank(), inner.len());
    composite
        .sublayouts()
        .map(|mode| {
            mode.modes().iter().map(|m| (m.extent(), m.stride())).filter(|(extent, _)| *extent > 1).collect::<Flat>()
        })
        .collect()
}

#[test]
fn complete_composition_accepts_exactly_what_exists() {
    let inners = up_to_rank(2, 4, 6);
    let (mut existing, mut strict, mut asked) = (0_u64, 0_u64, 0_u64);
    for outer in up_to_rank(2, 4, 6).iter().chain(layouts(3, 3, 3).iter().step_by(5)) {
        let a = library(outer);
        for inner in inners.iter().step_by(3) {
            let b = library(inner);
            asked += 1;
            let truth = composite(outer, inner);
            let complete = a.composition_complete(&b);
            match (&truth, &complete) {
                (Some(groups), Ok(layout)) => assert_eq!(&groups_of(layout, inner), groups, "{a} after {b}"),
                (None, Err(_)) => {}
                _ => panic!("{a} after {b}: {truth:?} exists, {complete:?} is answered"),
            }
            if let Ok(layout) = a.composition(&b) {
                strict += 1;
                assert_eq!(Ok(&layout), complete.as_ref(), "{a} after {b}");
            }
            existing += u64::from(truth.is_some());
        }
    }
    println!("{asked} pairs, {existing} composites, {strict} of them for all strides");
}

#[test]
fn strict_composition_accepts_exactly_what_exists_for_all_strides() {
    // strides without any relation between them: what composes here composes always
    let generic = [1_000_003, 7_368_787 * 1_009, 982_451_653 * 65_537];
    let inners = up_to_rank(2, 6, 8);
    for shape in up_to_rank(3, 5, 0) {
        let outer: Flat = shape.iter().zip(generic).map(|((extent, _), stride)| (*extent, stride)).collect();
        let a = library(&outer);
        for inner in inners.iter().step_by(7) {
            let b = library(inner);
            let exists = composite(&outer, inner).is_some();
            assert_eq!(a.composition(&b).is_ok(), exists, "{a} after {b}");
        }
    }
}

#[test]
fn refusals_name_the_reason() {
    let refusal = |a: &str, b: &str| {
        let a: Layout = a.parse().expect("it is notation");
        a.composition(&b.parse().expect("it is notation")).expect_err("no composite exists for all strides").kind()
    };
    assert_eq!(refusal("(6,2):(1,7)", "(3,2):(2,3)"), ErrorKind::Carries);
    assert_eq!(refusal("(12,2):(1,13)", "(2,2,3):(2,3,4)"), ErrorKind::Carries);
    assert_eq!(refusal("(6,2):(1,7)", "(2,2,2):(1,2,3)"), ErrorKind::Carries);
    assert_eq!(refusal("(4,6,8):(2,3,5)", "6:3"), ErrorKind::NotDivisible);
    assert_eq!(refusal("(3,3):(1,1)", "4:2"), ErrorKind::Carries);
    assert_eq!(refusal("8:1", "9:1"), ErrorKind::OutOfDomain);
}

fn composition(outer: &str, inner: &str) -> String {
    said(&format!("composition({outer}, {inner})"), layout(outer).composition(&layout(inner)))
}

fn complete(outer: &str, inner: &str) -> String {
    said(&format!("composition_complete({outer}, {inner})"), layout(outer).composition_complete(&layout(inner)))
}

#[test]
fn refusals() {
    for (name, text) in [
        // the modes of B carry
        ("carry_smallest", composition("(6,2):(1,7)", "(3,2):(2,3)")),
        ("carry_shah_2_18", composition("(6,2):(1,7)", "(2,2,2):(1,2,3)")),
        ("carry_strong_divisibility", composition("(12,2):(1,13)", "(2,2,3):(2,3,4)")),
        ("carry_within_one_mode", composition("(3,3):(1,1)", "4:2")),
        ("carry_four_modes", composition("(4,4,4,4):(2,4,8,17)", "((2,4),8):((4,8),8)")),
        ("carry_nested", composition("((6,2),5):((1,7),100)", "((3,2),(1,1)):((2,3),(0,0))")),
        ("carry_accidental_composite", composition("(2,2,3):(1,1,3)", "3:3")),
        ("carry_last_digit", composition("(8,8):(1,9)", "(4,5):(2,2)")),
        // a mode of B wraps in its middle
        ("wrap_weak_stride_check", composition("(4,6,8):(2,3,5)", "6:3")),
        ("wrap_shape", composition("(2,9):(48,24)", "3:1")),
        ("wrap_odd", composition("(5,7):(1,50)", "6:1")),
        ("wrap_second_mode", composition("(4,4):(1,9)", "(2,3):(1,2)")),
        ("wrap_nested_inner", composition("(4,4):(1,9)", "((2,1),(3,1)):((1,0),(2,0))")),
        ("wrap_large", composition("(1024,1024):(1,4096)", "1534:2")),
        // B leaves A
        ("beyond_by_one", composition("8:1", "9:1")),
        ("beyond_nothing_to_grow", composition("1:0", "4:1")),
        ("beyond_last_mode", composition("(4,2):(2,16)", "(4,3):(1,4)")),
        ("beyond_stride", composition("(4,4):(1,4)", "4:7")),
        ("beyond_two_modes", composition("(2,2):(1,2)", "(2,2):(1,4)")),
        ("beyond_trailing_one", composition("(4,1):(1,9)", "8:1")),
        // no composite at all
        ("complete_none", complete("(4,6,8):(2,3,5)", "6:3")),
        ("complete_carry", complete("(6,2):(1,7)", "(3,2):(2,3)")),
        ("complete_too_many", complete("(67108864,3):(1,67108865)", "33554433:3")),
        ("complete_beyond", complete("4:1", "5:1")),
        // tilers
        (
            "tiler_too_many_modes",
            said(
                "composition_by(8:1, (_,_))",
                layout("8:1").composition_by(&Tiler::Modes(vec![Tiler::Keep, Tiler::Keep])),
            ),
        ),
    ] {
        insta::assert_snapshot!(name, text);
    }
}

/// `(A ∘ B) ∘ C` may exist where `A ∘ (B ∘ C)` does not (Lean: `Layout.assoc_counterexample`).
#[test]
fn composing_in_the_other_order_may_be_refused() {
    let [a, b, c] = ["(2,5,3,3,2):(1,1000,2,7,50)", "(2,3,3,2):(1,10,30,90)", "6:7"].map(layout);
    let (ab, bc) = (a.composition(&b).unwrap(), b.composition(&c).unwrap());
    let left = ab.composition(&c).unwrap();
    assert_eq!(left.to_string(), "(3,2):(8,53)");
    assert!((0..6).all(|x| left.at(x).unwrap() == a.at(bc.at(x).unwrap()).unwrap()));
    // 0, 16, 61 is no layout.
    assert_eq!([0, 1, 2].map(|k| a.at(bc.at(2 * k).unwrap()).unwrap()), [0, 16, 61]);
    assert_eq!(a.composition_complete(&bc).unwrap_err().kind(), ErrorKind::NotDivisible);
}

/// Each mode of 2^63 by itself is right; together they would reach 2^64, where A(2) = 1.
#[test]
fn modes_whose_sum_takes_more_than_64_bits_carry() {
    let (outer, inner) = (layout("(2,2):(9223372036854775808,1)"), layout("(2,2):(1,1)"));
    let error = outer.composition_complete(&inner).unwrap_err();
    assert_eq!(error.witness(), Some(&Witness::Coordinate("(1,1)".parse().unwrap())));
}

/// A composite that is there, though not by digits, is said where tilers are refused, too.
#[test]
fn tilers_that_compose_completely_are_said() {
    let (outer, inner) = (layout("(2,2,3):(1,1,3)"), layout("3:3"));
    assert!(outer.composition(&inner).is_err() && outer.composition_complete(&inner).is_ok());
    let error = outer.composition_by(&Tiler::Layout(inner.clone())).unwrap_err();
    let composite = outer.composition_complete_by(&Tiler::Layout(inner)).unwrap();
    let said: Vec<String> = error.suggestions().iter().map(ToString::to_string).collect();
    let complete = |text: &String| text.contains("composition_complete_by") && text.contains(&composite.to_string());
    assert!(said.iter().any(complete), "{said:?}");
}
