//! Requests that are large in every way that a line allows: each is answered, and none is a fault of ours.

use razorgirl_protocol::answer;
use serde_json::{Value, json};

/// A value for each kind of argument.
struct Family {
    layout: Value,
    tuple: Value,
    number: Value,
}

fn families() -> Vec<Family> {
    let layout = |shape: Value, stride: Value| json!({"shape": shape, "stride": stride});
    let many = 32_800_usize;
    let digits: Value = serde_json::from_str(&"9".repeat(5_000)).expect("a number");
    let deep = |leaf: u64| (0..64).fold(json!(leaf), |tuple, _| json!([tuple]));
    let powers: Vec<u64> = (0..63).map(|i| 1 << (62 - i)).collect();
    vec![
        Family {
            layout: layout(json!(vec![1; many]), json!(vec![0; many])),
            tuple: json!(vec![1; many]),
            number: json!(many - 1),
        },
        Family {
            layout: layout(json!(vec![[1, 1]; many / 2]), json!(vec![[0, 0]; many / 2])),
            tuple: json!((0..many).collect::<Vec<_>>()),
            number: json!(0),
        },
        Family {
            layout: layout(json!(vec![2; 63]), json!(powers)),
            tuple: json!(vec![2; 63]),
            number: json!(u64::MAX),
        },
        Family { layout: layout(json!(u64::MAX), json!(0)), tuple: json!(u64::MAX), number: json!(1_u64 << 63) },
        Family { layout: layout(deep(4), deep(1)), tuple: deep(4), number: json!(-1) },
        Family {
            layout: layout(json!([digits, 2]), json!([1, digits])),
            tuple: json!([digits]),
            number: digits.clone(),
        },
        Family {
            layout: layout(json!([1_u64 << 31, 1_u64 << 31]), json!([3, 5])),
            tuple: json!([null, 1_u64 << 31]),
            number: json!(1_u64 << 20),
        },
    ]
}

#[test]
fn every_operation_answers_large_requests() {
    let list = answer(br#"{"id":0,"op":"ops","args":[]}"#);
    let list: Value = serde_json::from_str(&list).expect("it is JSON");
    let ops = list["result"].as_array().expect("a list of names");
    assert!(ops.len() > 60, "{}", ops.len());
    for family in families() {
        let of = [&family.layout, &family.tuple, &family.number];
        for op in ops {
            // three arguments of many modes take a minute, and meet nothing that two do not
            let most = if family.tuple.as_array().is_some_and(|modes| modes.len() > 1_000) { 2 } else { 3 };
            for count in 1..=most {
                for code in 0..3_usize.pow(count) {
                    let args: Vec<&Value> = (0..count).map(|i| of[code / 3_usize.pow(i) % 3]).collect();
                    let answer = answer(json!({"id": 0, "op": op, "args": args}).to_string().as_bytes());
                    assert!(!answer.contains(r#""code":"internal""#), "{op} {code} of {count}: {answer}");
                }
            }
        }
    }
}
