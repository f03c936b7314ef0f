//! Index expressions: what is simplified keeps its value, and what must stay stays.

use razorgirl::ErrorKind;
use razorgirl::int::expr::{Expr, Kind, MAX_NODES, Range};
use razorgirl::int::simplify::simplify;
use razorgirl_conform::generate::Rng;

const KINDS: [Kind; 2] = [Kind::Euclid, Kind::Trunc];
/// At least 0.
const UNSIGNED: Range = Range { lo: Some(0), hi: None };

fn expr(text: &str) -> Expr {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn simplified(kind: Kind, bounds: &[Range], text: &str) -> String {
    simplify(kind, bounds, &expr(text)).unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

/// An expression in two variables.
fn random(rng: &mut Rng, depth: u64) -> Expr {
    if depth == 0 || rng.once_in(6) {
        return match rng.below(5) {
            0 | 1 => Expr::Const(i128::from(rng.below(14)) - 3),
            n => Expr::Var(u32::try_from(n % 2).unwrap()),
        };
    }
    let (a, b) = (random(rng, depth - 1), random(rng, depth - 1));
    match rng.below(6) {
        0 | 1 => Expr::sum(a, b),
        2 => Expr::product(a, b),
        3 | 4 => Expr::quotient(a, divisor(rng, b)),
        _ => Expr::remainder(a, divisor(rng, b)),
    }
    .unwrap()
}

/// Mostly a literal, as in generated code.
fn divisor(rng: &mut Rng, other: Expr) -> Expr {
    if rng.once_in(5) { other } else { Expr::Const(i128::from(rng.below(12)) + 1) }
}

#[test]
fn what_is_simplified_keeps_its_value_and_stays_in_its_range() {
    let mut rng = Rng::new(0x0e);
    let (mut shorter, mut points) = (0, 0_u64);
    for _ in 0..20_000 {
        let of = random(&mut rng, 4);
        let mut range = || match rng.below(4) {
            0 => (UNSIGNED, 0, 9),
            1 => (Range::ALL, -7, 7),
            2 => (Range { lo: Some(-5), hi: Some(4) }, -5, 4),
            _ => {
                let extent = 1 + rng.below(9);
                (Range::below(extent), 0, i128::from(extent) - 1)
            }
        };
        let ((x, x_low, x_high), (y, y_low, y_high)) = (range(), range());
        for kind in KINDS {
            let new = simplify(kind, &[x, y], &of).expect("it is small");
            shorter += u64::from(new.nodes() < of.nodes());
            let within = of.range(kind, &[x, y]).expect("it is small");
            assert_eq!(new.to_string().parse().as_ref(), Ok(&new), "{new}");
            for x in x_low..=x_high {
                for y in y_low..=y_high {
                    let value = of.eval(kind, &[x, y]).expect("it is small");
                    assert_eq!(new.eval(kind, &[x, y]), Ok(value), "{kind:?} {of} is {new} at {x}, {y}");
                    assert!(within.contains(value), "{kind:?} {of} is {value} at {x}, {y}, outside {within:?}");
                    points += 1;
                }
            }
        }
    }
    println!("{points} points; {shorter} of 40000 became shorter");
    assert!(shorter > 20_000, "{shorter}");
}

/// The examples of nvFuser's document and of `lean/Razorgirl/Thm/Int/Simplify/Examples.lean`.
#[test]
fn the_documents_examples() {
    for kind in KINDS {
        for (bounds, from, to) in [
            (&[UNSIGNED, UNSIGNED][..], "(x0 * 4 + x1) % 4", "x1 % 4"),
            (&[Range::below(4)], "x0 % 4", "x0"),
            (&[UNSIGNED], "x0 * 256 / 4", "x0 * 64"),
            (&[UNSIGNED], "x0 / 4 / 64", "x0 / 256"),
            (&[UNSIGNED], "x0 * 64 % 256 / 4", "x0 % 4 * 16"),
            (&[UNSIGNED], "x0 * 4 / 256", "x0 / 64"),
            (&[UNSIGNED, UNSIGNED], "(x0 * 256 + x1) / 4", "x0 * 64 + x1 / 4"),
            (&[UNSIGNED, Range::below(4)], "(x0 * 4 + x1) / 4", "x0"),
            (&[UNSIGNED, Range::below(4)], "(x0 * 4 + x1) % 256", "x0 % 64 * 4 + x1"),
            (&[UNSIGNED, Range { lo: Some(1), hi: None }, UNSIGNED], "(x0 * x1 + x2) / x1", "x0 + x2 / x1"),
            (&[UNSIGNED, Range { lo: Some(1), hi: None }, UNSIGNED], "(x0 * x1 + x2) % x1", "x2 % x1"),
            // a literal is cut in a multiple and a rest, a term is not
            (&[UNSIGNED, Range::below(7)], "(x0 * 8 + x1 + 9) / 8", "x0 + 1"),
            (&[UNSIGNED, Range::below(7)], "(x0 * 8 + x1 + 9) % 8", "x1 + 1"),
            (&[UNSIGNED, UNSIGNED], "(x0 * 6 + x1 * 4 + 9) / 4", "x1 + 2 + x0 * 3 / 2"),
            (&[], "64 / 256 * 4", "0"),
            (&[], "64 / (256 / 4)", "1"),
            (&[UNSIGNED], "x0 / 256 * 4", "x0 / 256 * 4"),
            (&[], "x0 * x1 / x1", "x0 * x1 / x1"),
            // products stay terms of the dividend
            (&[UNSIGNED, Range { lo: Some(1), hi: None }], "x0 * 4 / x1 / 2", "x0 * 2 / x1"),
            (&[], "x0 * 3 % 4 + x0 * 3 / 4 * 4 + x0 * -3", "0"),
            (&[], "x0 / 0", "x0 / 0"),
        ] {
            assert_eq!(simplified(kind, bounds, from), to, "{kind:?} {from}");
        }
    }
    // the digits of an index in a shape of 3 by 4 by anything, put together again
    assert_eq!(simplified(Kind::Euclid, &[], "x0 % 3 + x0 / 3 % 4 * 3 + x0 / 12 * 12"), "x0");
    // in C, (-1 * 4 + 1) % 4 is -3, and 1 % 4 is 1
    assert_eq!(simplified(Kind::Trunc, &[Range::ALL, UNSIGNED], "(x0 * 4 + x1) % 4"), "(x0 * 4 + x1) % 4");
    assert_eq!(simplified(Kind::Euclid, &[], "(x0 * 4 + x1) % 4"), "x1 % 4");
    // 1 / -1 / 2 is -1, and 1 / -2 is 0
    assert_eq!(simplified(Kind::Euclid, &[], "x0 / x1 / 2"), "x0 / x1 / 2");
    assert_eq!(simplified(Kind::Trunc, &[], "x0 / x1 / 2"), "x0 / (x1 * 2)");
}

#[test]
fn ranges_hold_what_lies_between_their_bounds() {
    let bounds = || (-3..=3).map(Some).chain([None]);
    for (lo, hi) in bounds().flat_map(|lo| bounds().map(move |hi| (lo, hi))) {
        for n in -5..=5 {
            let between = n >= lo.unwrap_or(-9) && n <= hi.unwrap_or(9);
            assert_eq!(Range { lo, hi }.contains(n), between, "{n} from {lo:?} to {hi:?}");
        }
    }
}

/// Of quotients: bounds for a positive number, and for a dividend of at least 0 by something positive; none else.
#[test]
fn quotients_have_bounds_where_the_divisor_is_positive() {
    let (some, from) = (Range { lo: Some(3), hi: Some(20) }, |lo| Range { lo: Some(lo), hi: None });
    for kind in KINDS {
        for (bounds, text, range) in [
            ([some, Range::ALL], "x0 / 1", some),
            ([some, Range::ALL], "x0 / 4", Range { lo: Some(0), hi: Some(5) }),
            ([some, Range::ALL], "x0 / 0", Range::ALL),
            ([some, Range::ALL], "x0 / -1", Range::ALL),
            ([some, from(2)], "x0 / x1", Range { lo: Some(0), hi: Some(10) }),
            ([some, from(0)], "x0 / x1", Range::ALL),
            ([from(-1), from(1)], "x0 / x1", Range::ALL),
        ] {
            assert_eq!(expr(text).range(kind, &bounds), Ok(range), "{kind:?} {text}");
        }
    }
}

#[test]
fn expressions_are_read_as_they_are_written() {
    for (text, written) in [
        ("x0", "x0"),
        (" ( x12 ) ", "x12"),
        ("-4*x0", "-4 * x0"),
        ("x0-3-x1", "x0 + -3 + x1 * -1"),
        ("x0 - -3", "x0 + 3"),
        ("x0+(x1+x2)", "x0 + (x1 + x2)"),
        ("x0/(x1*x2)%3", "x0 / (x1 * x2) % 3"),
        ("(x0+1)*(x1+2)", "(x0 + 1) * (x1 + 2)"),
    ] {
        assert_eq!(expr(text).to_string(), written);
        assert_eq!(expr(written), expr(text));
    }
    for (text, kind, position) in [
        ("", ErrorKind::Parse, Some(0)),
        ("x", ErrorKind::Parse, Some(0)),
        ("x0 +", ErrorKind::Parse, Some(4)),
        ("x0 x1", ErrorKind::Parse, Some(3)),
        ("(x0", ErrorKind::Parse, Some(3)),
        ("y0", ErrorKind::Parse, Some(0)),
        ("1 + 9223372036854775808", ErrorKind::Overflow, Some(4)),
        ("x4294967296", ErrorKind::Overflow, Some(0)),
    ] {
        let error = text.parse::<Expr>().expect_err(text);
        assert_eq!((error.kind(), error.position()), (kind, position), "{text}: {error}");
    }
    let deep = |depth: usize| format!("{}x0{}", "(".repeat(depth), ")".repeat(depth)).parse::<Expr>();
    assert_eq!(deep(64), Ok(Expr::Var(0)));
    assert_eq!(deep(65).map_err(|error| error.kind()), Err(ErrorKind::TooLarge));
    assert!(deep(100_000).is_err());
}

#[test]
fn bounds_come_before_the_work() {
    let long = |terms: usize| vec!["x0"; terms].join(" * ").parse::<Expr>();
    assert_eq!(long(MAX_NODES / 2).map(|product| product.nodes()), Ok(MAX_NODES - 1));
    assert_eq!(long(MAX_NODES / 2 + 1).map_err(|error| error.kind()), Err(ErrorKind::TooLarge));
    // 2^62 three times
    let large = expr("4611686018427387904 * 4611686018427387904 * 4611686018427387904");
    assert_eq!(simplify(Kind::Trunc, &[], &large).map_err(|error| error.kind()), Err(ErrorKind::Overflow));
    assert_eq!(large.eval(Kind::Trunc, &[]).map_err(|error| error.kind()), Err(ErrorKind::Overflow));
    // a sum of many different remainders: each is tried as a partner of each
    let many: Vec<String> = (0..120).map(|n| format!("(x0 * 3 + {n}) % {}", n + 7)).collect();
    let begin = std::time::Instant::now();
    let answer = simplify(Kind::Euclid, &[], &expr(&many.join(" + ")));
    assert!(answer.map_err(|error| error.kind()).is_ok_and(|sum| sum.nodes() > 700));
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
    assert_eq!(Expr::Const(i128::MIN).range(Kind::Trunc, &[]), Ok(Range::point(i128::MIN)));
    let least = Expr::quotient(Expr::Const(i128::MIN), Expr::Const(-1)).unwrap();
    assert_eq!(least.eval(Kind::Trunc, &[]).map_err(|error| error.kind()), Err(ErrorKind::Overflow));
    assert_eq!(least.eval(Kind::Euclid, &[]).map_err(|error| error.kind()), Err(ErrorKind::Overflow));
}

/// Formerly `-3 % 12` and `8 / 0` stayed, and 1 % of the answers were longer than the question.
#[test]
fn literals_are_computed_and_no_answer_is_longer() {
    for (kind, text, answer) in [
        (Kind::Trunc, "-3 % 12", "-3"),
        (Kind::Euclid, "-3 % 12", "9"),
        (Kind::Trunc, "-7 / 2", "-3"),
        (Kind::Euclid, "-7 / 2", "-4"),
        (Kind::Trunc, "8 / 0", "0"),
        (Kind::Euclid, "8 % 0", "8"),
        (Kind::Trunc, "x0 * (8 / 0) + -3 % 12", "-3"),
        // literals that only the rules make
        (Kind::Trunc, "(x0 - x0 - 3) % 12", "-3"),
        (Kind::Trunc, "x1 + (x0 - x0 + 8) % (x0 * 0)", "x1 + 8"),
        // the sum taken apart is longer, and the literals are computed all the same
        (Kind::Trunc, "(x0 + x1 + x2) * 4 + 2 * 3", "(x0 + x1 + x2) * 4 + 6"),
        (Kind::Trunc, "(x0 + x1 + x2) * (2 * 2) + 0", "(x0 + x1 + x2) * 4"),
    ] {
        assert_eq!(simplified(kind, &[], text), answer, "{text}");
    }
    let mut rng = Rng::new(0x5eed_0077);
    let bounds = [Range::below(12), UNSIGNED];
    for n in 0..12_000 {
        let expr = random(&mut rng, 2 + n % 4);
        for kind in KINDS {
            let Ok(answer) = simplify(kind, &bounds, &expr) else { continue };
            assert!(answer.nodes() <= expr.nodes(), "{expr} became {answer}");
        }
    }
}
