//! isl's notation read, and refused where nothing is meant by it that could be listed.

use super::*;
use crate::error::ErrorKind;
use alloc::string::ToString;

fn pairs(text: &str) -> Vec<(Vec<i128>, Vec<i128>)> {
    let read: Relation = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    read.pairs().to_vec()
}

/// The images of the inputs that are single numbers.
fn images(text: &str) -> Vec<(i128, i128)> {
    pairs(text).into_iter().map(|(x, y)| (x[0], y[0])).collect()
}

/// As isl answers them.
#[test]
fn expressions() {
    for (entry, values) in [
        ("2c mod 3", [0, 2, 4, 0]),
        ("2*c mod 3", [0, 2, 4, 0]),
        ("(c mod 3)*2", [0, 2, 4, 0]),
        ("-c mod 3", [0, -1, -2, 0]),
        ("5-c mod 3", [5, 4, 3, 5]),
        ("c%3 + 1", [1, 2, 3, 1]),
        ("floor(c/2)", [0, 0, 1, 1]),
        ("floor(-c/2)", [0, -1, -1, -2]),
        ("floor((c+1)/2)", [0, 1, 1, 2]),
        ("floor(c)", [0, 1, 2, 3]),
        ("floor(c/2 + 1)", [1, 1, 2, 2]),
        ("floor(c/2 + 1/3)", [0, 0, 1, 1]),
        ("floor(2c/3)", [0, 0, 1, 2]),
        ("floor(c*2/3)", [0, 0, 1, 2]),
        ("ceil(c/2)", [0, 1, 1, 2]),
        ("ceild(c + 1, 2)", [1, 1, 2, 2]),
        ("floord(c+1,2)*3", [0, 3, 3, 6]),
        ("3*floor((c)/2) mod 2", [0, 0, 3, 3]),
        ("2*3", [6, 6, 6, 6]),
        ("2*3*c", [0, 6, 12, 18]),
        ("c*3*2", [0, 6, 12, 18]),
        ("7 mod 3", [1, 1, 1, 1]),
        ("c + 1 mod 3", [1, 2, 3, 4]),
        ("2--c", [2, 3, 4, 5]),
        ("2+-c", [2, 1, 0, -1]),
        ("2*-c", [0, -2, -4, -6]),
        ("(floor((c)/2) mod 2)", [0, 0, 1, 1]),
    ] {
        let expected: Vec<(i128, i128)> = (0..).zip(values).collect();
        assert_eq!(images(&format!("{{ [c] -> [{entry}] : 0 <= c < 4 }}")), expected, "{entry}");
    }
}

#[test]
fn conditions_and_tuples() {
    for (text, expected) in [
        ("{ [c] -> [c] : 0 <= c <= 3 and c != 1 }", vec![0, 2, 3]),
        ("{ [c] -> [c] : 0 <= c <= 3 && c mod 2 = 0 }", vec![0, 2]),
        ("{ [c] -> [c] : (0 <= c <= 3 or c = 7) and c > 1 }", vec![2, 3, 7]),
        ("{ [c] -> [c] : not (c < 0 or c > 3) }", vec![0, 1, 2, 3]),
        ("{ [c] -> [c] : 0 <= c < 4 and not c = 2 }", vec![0, 1, 3]),
        ("{ [c] -> [c] : 0 <= c < 4 and !(c = 2 and true) }", vec![0, 1, 3]),
        ("{ [c] -> [c] : c >= 0 and 2c < 5 }", vec![0, 1, 2]),
        ("{ [c] -> [c] : -1 < c and -c > -3 }", vec![0, 1, 2]),
        ("{ [c] -> [c] : 3 > c >= 0 }", vec![0, 1, 2]),
        ("{ [c] -> [c] : -7 <= 3c <= 7 }", vec![-2, -1, 0, 1, 2]),
        ("{ [c] -> [c] : c mod 2 = 0 and 0 <= c < 5 }", vec![0, 2, 4]),
        ("{ [c] -> [c] : (c) mod 2 = 0 and 0 <= (c) < 5 }", vec![0, 2, 4]),
        ("{ [c] -> [c] : c = 1; [c] -> [c] : c = 5; }", vec![1, 5]),
        ("{ [c] -> [c] : false }", vec![]),
        ("{ [c] -> [c] : ((c) + 1) mod 2 = 0 and 0 <= c < 5 }", vec![1, 3]),
        // a variable that occurs twice is one
        ("{ [c] -> [c] : 0 <= c < 8 and c + c mod 2 = 4 }", vec![3, 4]),
        ("{ [c] -> [c] : 0 <= c < 8 and floor(c/2) = c mod 4 }", vec![0, 7]),
        ("{ [c] -> [c] : 1 = 0 }", vec![]),
        ("{ [c] -> [c] : 0 <= c < 3 and 2c = 3 }", vec![]),
        ("{ [c] -> [c] : 0 <= c < 3 and c - c = 1 }", vec![]),
        ("{ }", vec![]),
    ] {
        let inputs: Vec<i128> = images(text).into_iter().map(|(x, _)| x).collect();
        assert_eq!(inputs, expected, "{text}");
    }
    assert_eq!(images("{ [i] -> [o] : o = 2i and 0 <= i < 3 }"), [(0, 0), (1, 2), (2, 4)]);
    assert_eq!(images("{ [i] -> [o] : i = 2o and 0 <= o < 3 }"), [(0, 0), (2, 1), (4, 2)]);
    assert_eq!(images("{ [c = 1] -> [d = 2c] }"), [(1, 2)]);
    assert_eq!(pairs("{ [c,c+1] -> [] : 0 <= c < 2 }"), [(vec![0, 1], vec![]), (vec![1, 2], vec![])]);
    assert_eq!(pairs("{ [a,b] -> [a] : 0 <= a,b < 2 and b <= a }").len(), 3);
    assert_eq!(pairs("{ [a,b] -> [a] : 0 <= b < 4 and 0 <= a and a <= floor(b/2) }").len(), 6);
    assert_eq!(pairs("{ [] -> [1] }"), [(vec![], vec![1])]);
    assert_eq!(images("{ [0] -> [c] : 0 <= c < 3 }"), [(0, 0), (0, 1), (0, 2)]);
    assert_eq!(images("{ [0] -> [2]; [5] -> [3] }"), [(0, 2), (5, 3)]);
}

/// What is printed is read, for layouts and for pairs.
#[test]
fn round_trips() {
    for layout in ["(4,2,2):(2,1,8)", "1:0", "7:0", "(3,(5,2)):(0,(7,1))", "(2,2):(3,1)", "(2,3,4):(1,0,100)"] {
        let mapping = Relation::of_layout(&layout.parse().unwrap()).unwrap();
        assert_eq!(mapping.isl().parse(), Ok(mapping.clone()), "{layout}");
        assert_eq!(mapping.inverse().isl().parse(), Ok(mapping.inverse()), "{layout}");
    }
    let pairs = Relation::new([(vec![-1, 2], vec![]), (vec![], vec![-7]), (vec![1 << 70], vec![3])]).unwrap();
    assert_eq!(pairs.isl().parse(), Ok(pairs));
}

#[test]
fn refusals_say_where() {
    let huge = "9".repeat(60);
    let nested = format!("{{ [c] -> [{}c{}] : 0 <= c < 2 }}", "(".repeat(70), ")".repeat(70));
    let multiplied = format!("{{ [c] -> [c] : {} }}", vec!["(c = 1 or c = 2)"; 20].join(" and "));
    let long = format!("{{ [c] -> [{}] : 0 <= c < 2 }}", vec!["c"; 2000].join(" + "));
    let most = format!("{{ [c] -> [c] : c = {} }}", i128::MAX);
    let over = format!("{{ [c] -> [c + 1] : c = {} }}", i128::MAX);
    for (text, kind, position, said) in [
        ("", ErrorKind::Parse, 0, "expected `{`, met the end"),
        ("{ [c] : 0 <= c < 2 }", ErrorKind::Parse, 6, "expected `->`"),
        ("{ [c] -> [c mod 0] : 0 <= c < 2 }", ErrorKind::Parse, 16, "a remainder by 0"),
        ("{ [c] -> [floor(c/0)] : 0 <= c < 2 }", ErrorKind::Parse, 18, "a quotient by 0"),
        ("{ [c] -> [c mod -2] : 0 <= c < 2 }", ErrorKind::Parse, 16, "expected a positive integer"),
        ("{ [c] -> [c/2] : 0 <= c < 2 }", ErrorKind::Parse, 11, "expected no `/` outside of `floor`"),
        ("{ [c] -> [c*c] : 0 <= c < 2 }", ErrorKind::Parse, 12, "expected an integer, met `c`"),
        ("{ [c] -> [c*2 mod 3] : 0 <= c < 2 }", ErrorKind::Parse, 14, "expected `]`, met `mod`"),
        ("{ [c] -> [7 floor(c/2)] : 0 <= c < 2 }", ErrorKind::Parse, 12, "expected `]`, met `floor`"),
        ("{ [c] -> [2(c mod 2)] : 0 <= c < 2 }", ErrorKind::Parse, 11, "expected `]`, met `(`"),
        ("{ [c] -> [max(c,1)] : 0 <= c < 2 }", ErrorKind::Parse, 10, "expected an entry"),
        ("{ [c] -> [c] : 0 <= d < 2 }", ErrorKind::Parse, 20, "expected an entry of a tuple"),
        ("{ [c] -> [c] : exists (k : c = 2k) }", ErrorKind::Parse, 15, "met `exists`"),
        ("{ [c] -> [c] : 0 <= c == 2 }", ErrorKind::Parse, 23, "expected a term"),
        ("{ [c] -> [c] : c }", ErrorKind::Parse, 17, "expected a comparison"),
        ("{ A[c] -> [c] : 0 <= c < 2 }", ErrorKind::Parse, 2, "expected `[`, met `A`"),
        ("[N] -> { [c] -> [c] : 0 <= c < 2 }", ErrorKind::Parse, 0, "expected `{`"),
        ("{ [c] -> [c] : 0 <= c < 2 } more", ErrorKind::Parse, 28, "expected the end"),
        ("{ [c] → [c] }", ErrorKind::Parse, 6, "expected `->`"),
        ("{ [c] -> [c] }", ErrorKind::TooLarge, 2, "nothing bounds c"),
        ("{ [c] -> [c] : 0 <= c }", ErrorKind::TooLarge, 2, "nothing bounds c"),
        ("{ [c] -> [c] : c = 1; [d] -> [0] : d mod 4 = 0 }", ErrorKind::TooLarge, 22, "nothing bounds d"),
        ("{ [c,d,e] -> [c] : 0 <= c,d < 2 }", ErrorKind::TooLarge, 2, "nothing bounds e"),
        ("{ [c] -> [c] : 0 <= c < 1000000000000000 }", ErrorKind::TooLarge, 2, "the relation passes one of its bounds"),
        ("{ [c] -> [c] : 0 <= c < 1000000000000000 and c mod 2 = 2 }", ErrorKind::TooLarge, 2, "too much work"),
        (&format!("{{ [c] -> [c] : c = {huge} }}"), ErrorKind::Overflow, 19, "does not fit into 128 bits"),
        (&nested, ErrorKind::TooLarge, 75, "more than 64 brackets"),
        (&multiplied, ErrorKind::TooLarge, 225, "over 16384 comparisons"),
        (&long, ErrorKind::TooLarge, 10, "the expression grows to over 1024 nodes"),
        (&over, ErrorKind::Overflow, 2, "does not fit into 128 bits"),
    ] {
        let error = text.parse::<Relation>().expect_err(text);
        assert_eq!((error.kind(), error.position()), (kind, Some(position)), "{text:.100}: {error}");
        assert!(error.to_string().contains(said), "{text:.100}: {error}");
        assert!(!error.help().is_empty(), "{text:.100}");
    }
    assert_eq!(images(&most), [(i128::MAX, i128::MAX)]);
}
