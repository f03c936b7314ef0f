//! Every operation against its definition: what the protocol answers with this library is judged by a model that shares no
//! code with it and enumerates where the library computes.

use razorgirl_conform::generate::{Rng, flat_layouts, flat_layouts_of_rank, names, request};
use razorgirl_conform::judge::{Verdict, judge};
use serde_json::{Value, json};

/// How many answers were right, refused rightly, and too large to judge; and the first that was anything else.
#[derive(Debug, Default)]
struct Counts {
    right: u64,
    refused: u64,
    unjudged: u64,
    wrong: Option<String>,
}

impl Counts {
    fn ask(&mut self, request: &Value) {
        let answer = razorgirl_protocol::answer(request.to_string().as_bytes());
        let answer: Value = serde_json::from_str(&answer).expect("it is JSON");
        match judge(request, &answer, true) {
            Verdict::Right => self.right += 1,
            Verdict::RefusedRightly => self.refused += 1,
            Verdict::Unjudged => self.unjudged += 1,
            wrong => {
                self.wrong.get_or_insert_with(|| format!("{request}\nis answered {answer}\nwhich is {wrong:?}\n"));
            }
        }
    }

    fn all(&self) -> u64 {
        self.right + self.refused + self.unjudged
    }
}

#[test]
fn every_operation_on_drawn_requests() {
    assert!(names().len() > 80);
    let (mut wrong, mut unasked) = (String::new(), Vec::new());
    for (number, op) in (0..).zip(names()) {
        let mut rng = Rng::new(number);
        let mut counts = Counts::default();
        for id in 0..200 {
            counts.ask(&request(&mut rng, id, op, [1 << 8, 1 << 12, u64::MAX][usize::try_from(id % 3).unwrap_or(0)]));
        }
        if counts.right == 0 || counts.unjudged * 2 > counts.all() {
            unasked.push(format!("{op}: {counts:?}"));
        }
        wrong += &counts.wrong.unwrap_or_default();
    }
    assert!(wrong.is_empty() && unasked.is_empty(), "{wrong}{unasked:?}");
}

#[test]
fn every_small_layout_by_itself() {
    let ops = [
        "coalesce",
        "complement",
        "cosize",
        "eval",
        "filter",
        "filter_zeros",
        "inverse",
        "is_contiguous",
        "is_injective",
        "left_inverse",
        "make_layout_like",
        "max_alignment",
        "nullspace",
        "quasi_left_inverse",
        "right_inverse",
        "size",
        "sort",
    ];
    for (i, op) in ops.into_iter().enumerate() {
        let mut counts = Counts::default();
        for layout in flat_layouts().skip(i % 4).step_by(4) {
            counts.ask(&json!({"id": 0, "op": op, "args": [layout]}));
        }
        assert!(counts.right > 100 && counts.unjudged == 0 && counts.wrong.is_none(), "{op}: {counts:?}");
    }
}

#[test]
fn pairs_of_small_layouts() {
    let small: Vec<Value> = (0..=2)
        .flat_map(|rank| flat_layouts_of_rank(rank, 4, 5))
        .map(|(shape, stride)| json!({"shape": shape, "stride": stride}))
        .collect();
    let ops = [
        "blocked_product",
        "composition",
        "logical_divide",
        "logical_divide_ceil",
        "logical_product",
        "make_layout_tv",
        "max_common_layout",
        "max_common_vector",
        "raked_product",
    ];
    for (i, op) in ops.into_iter().enumerate() {
        let mut counts = Counts::default();
        for (k, layout) in small.iter().enumerate() {
            for by in small.iter().skip((k + i) % 61).step_by(61) {
                counts.ask(&json!({"id": 0, "op": op, "args": [layout, by]}));
            }
        }
        assert!(counts.right > 100 && counts.unjudged == 0 && counts.wrong.is_none(), "{op}: {counts:?}");
    }
}

/// Every function on up to 8 points with small values has the layout that the definition finds, or none.
#[test]
fn every_small_function() {
    let mut counts = Counts::default();
    for (count, values) in [(1, 5), (2, 6), (3, 6), (4, 6), (5, 4), (6, 4), (7, 3), (8, 3)] {
        for number in 0..u64::pow(values, count) {
            let mut rest = number;
            let f: Vec<u64> = (0..count)
                .map(|_| {
                    let value = rest % values;
                    rest /= values;
                    value
                })
                .collect();
            counts.ask(&json!({"id": 0, "op": "find_layout", "args": [f]}));
        }
    }
    assert!(counts.right > 10_000 && counts.refused + counts.unjudged == 0 && counts.wrong.is_none(), "{counts:?}");
}
