//! Shapes divided: what refusals say; and profiles of any rank.

use razorgirl::{ErrorKind, IntTuple, Result, Shape};

fn shape(text: &str) -> Shape {
    text.parse().expect("it is notation")
}

fn text(what: Result<Shape>) -> String {
    let error = what.expect_err("it is refused");
    format!("error[{}]: {error}\n  {}", error.code(), error.help().join("\n  "))
}

/// Each of the suggestions is true.
#[test]
fn refusals_say_what_would_be_accepted() {
    for (said, expected) in [
        (
            text(shape("(4,5)").ceil_div(&shape("6"))),
            "error[not_divisible]: 6 ends inside a mode of (4,5): 3 tiles of 6 do not cover the 20 elements\n  \
             4 tiles of 6 cover 20 elements in a row\n  with 4 as the divisor, the quotient is (1,5)\n  \
             with 7 as the divisor, the quotient is (1,3)",
        ),
        (
            text(shape("(4,5,6)").shape_div(&shape("6"))),
            "error[not_divisible]: shape_div((4,5,6), 6): neither of 4 and 6 divides the other\n  \
             with 4 as the divisor, the quotient is (1,5,6)\n  with 20 as the divisor, the quotient is (1,1,6)",
        ),
        (
            text(shape("(4,5)").round_up(&shape("6"))),
            "error[incongruent]: round_up: the shape is nested as (*,*), the divisor as *\n  \
             integers must divide integers, and no tuple of the divisor may be longer than the tuple that it divides",
        ),
    ] {
        assert_eq!(said, expected);
    }
}

/// Flat profiles below and above what fits into one word.
#[test]
fn flat_profiles_of_any_rank() {
    for rank in [0, 1, 2, 30, 61, 62, 63, 64, 65, 200] {
        let flat = razorgirl::Profile::flat(rank);
        assert_eq!((flat.rank(), flat.leaf_count(), flat.depth()), (rank, rank, 1));
        assert_eq!(flat.to_string(), format!("({})", vec!["*"; rank].join(",")));
    }
}

/// Profiles of at most 64 tokens lie in place, and longer ones do not: parts are the same as they are written.
#[test]
fn parts_are_the_same_on_both_sides_of_what_fits_in_place() {
    for first in (0..70).chain([200]) {
        for second in [0, 1, 2, 27, 28, 29, 30, 31, 60] {
            let row = |count| format!("({})", vec!["7"; count].join(","));
            let (a, b) = (row(first), format!("({},7)", row(second)));
            let [a, b] = [a, b].map(|text| text.parse::<IntTuple>().unwrap());
            let both: IntTuple = format!("({a},5,{b})").parse().unwrap();
            assert_eq!(IntTuple::tuple(&[a.clone(), IntTuple::leaf(5), b.clone()]).unwrap(), both);
            assert_eq!((both.mode(0), both.mode(2)), (Some(a.clone()), Some(b.clone())));
            let written = |tuple: razorgirl::Result<IntTuple>| tuple.unwrap().to_string();
            assert_eq!(written(both.select(&[2, 0, 2])), format!("({b},{a},{b})"));
            assert_eq!(written(both.group(1..3)), format!("({a},(5,{b}))"));
            assert_eq!(written(both.group(1..1)), both.to_string());
            assert_eq!(written(both.take(1..3)), format!("(5,{b})"));
            assert_eq!(written(both.replace(1, &b)), format!("({a},{b},{b})"));
            assert_eq!(
                written(a.append(first + 2, &b)),
                written(IntTuple::tuple(&[a.modes().collect(), vec![b.clone(); 2]].concat()))
            );
            assert_eq!(
                written(a.prepend(first + 1, &b)),
                written(IntTuple::tuple(&[vec![b.clone()], a.modes().collect()].concat()))
            );
        }
    }
}

#[test]
fn tuples_have_at_most_2_to_the_16_modes_and_64_levels() {
    let (pair, one) = ("(2,3)".parse::<IntTuple>().unwrap(), IntTuple::leaf(1));
    for padded in [|a: &IntTuple, n, b: &IntTuple| a.append(n, b), |a: &IntTuple, n, b: &IntTuple| a.prepend(n, b)] {
        assert_eq!(padded(&pair, 1 << 16, &one).map(|tuple| tuple.rank()), Ok(1 << 16));
        assert_eq!(padded(&pair, (1 << 16) + 1, &one).unwrap_err().kind(), ErrorKind::TooLarge);
        assert!(padded(&pair, 1 << 20, &one).is_err() && padded(&pair, 1, &one).is_err());
    }
    // many tuples side by side are no deeper than one
    let side_by_side = |level: usize| -> IntTuple {
        let one = format!("{}1{}", "(".repeat(level), ")".repeat(level));
        format!("({})", vec![one; 70].join(",")).parse().unwrap()
    };
    for level in 1..64 {
        let deeper = IntTuple::tuple(&[side_by_side(level)]);
        assert_eq!(deeper.map(|tuple| tuple.depth()).ok(), (level + 2 <= 64).then_some(level + 2), "{level}");
    }
}

/// Whether each tile, taken as often as the quotient says, is the mode that it is for.
#[test]
fn tiles_cover_evenly_where_each_divides_its_mode() {
    let (mut even, mut odd) = (0, 0);
    for (a, b, c) in (1..=6_u64).flat_map(|a| (1..=6).flat_map(move |b| (1..=6).map(move |c| (a, b, c)))) {
        let nested = shape(&format!("({a},({b},{c}))"));
        for (s, t) in (1..=6_u64).flat_map(|s| (1..=6).map(move |t| (s, t))) {
            for (tiler, covered) in [
                (format!("({s},({t}))"), a % s == 0 && b % t == 0),
                (format!("({s},({t},1))"), a % s == 0 && b % t == 0),
                (format!("({s},({t},1,1))"), false),
                (format!("({s})"), a % s == 0),
            ] {
                assert_eq!(nested.evenly_divided_by(&shape(&tiler)), covered, "{nested} by {tiler}");
                if covered { even += 1 } else { odd += 1 }
            }
        }
    }
    assert!(even > 1000 && odd > 1000, "{even} {odd}");
    assert!(shape("12").evenly_divided_by(&shape("4")) && !shape("12").evenly_divided_by(&shape("5")));
}
