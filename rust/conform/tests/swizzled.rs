//! Judging swizzled layouts that are too large to be listed.

use razorgirl_conform::{Verdict, judge};
use serde_json::{Value, json};

fn judged(op: &str, args: &Value, answer: &Value) -> Verdict {
    judge(&json!({"id": null, "op": op, "args": args}), answer, true)
}

/// `Sw<3,3,3>` has the period 2^9; nothing here is small enough to be listed.
#[test]
fn an_offset_of_whole_periods_moves_however_large_the_layout() {
    for extent in [1_u64 << 17, 1 << 40] {
        let args = |swizzle: Value, offset: u64| json!([{"shape": [8, extent], "stride": [extent, 1], "swizzle": swizzle, "offset": offset}]);
        for offset in [0, 512, 7 << 9] {
            let args = args(json!([3, 3, 3]), offset);
            assert_eq!(judged("swizzled_offset_moves", &args, &json!({"id": null, "result": true})), Verdict::Right);
            let (no, refused) =
                (json!({"id": null, "result": false}), json!({"id": null, "error": {"code": "too_large"}}));
            assert!(matches!(judged("swizzled_offset_moves", &args, &no), Verdict::Wrong(_)));
            assert!(matches!(judged("swizzled_offset_moves", &args, &refused), Verdict::RefusedThoughExists(_)));
            let request = json!({"id": null, "op": "swizzled_offset_moves", "args": args});
            let answer = razorgirl_protocol::answer(request.to_string().as_bytes());
            assert_eq!(answer, r#"{"id":null,"result":true}"#);
        }
        for args in [args(json!([3, 3, 3]), 256), args(json!([3, 60, -3]), 512)] {
            let yes = json!({"id": null, "result": true});
            assert_eq!(judged("swizzled_offset_moves", &args, &yes), Verdict::Unjudged);
        }
    }
}

#[test]
fn a_recast_of_more_bits_than_are_listed_is_not_judged() {
    let args = |extent: u64| json!([{"shape": extent, "stride": 1, "swizzle": [1, 4, 3], "offset": 0}, 8, 16]);
    let answer =
        |extent: u64| json!({"id": null, "result": {"shape": extent, "stride": 1, "swizzle": [1, 3, 3], "offset": 0}});
    assert_eq!(judged("swizzled_recast", &args(1 << 12), &answer(1 << 11)), Verdict::Right);
    assert_eq!(judged("swizzled_recast", &args(1 << 40), &answer(1 << 39)), Verdict::Unjudged);
    // 2 is swizzled to 2^64 + 2
    let beyond = json!([{"shape": 2, "stride": 1, "swizzle": [1, 1, -63], "offset": 2}, 8, 4]);
    assert_eq!(judged("swizzled_recast", &beyond, &json!({"id": null, "result": 0})), Verdict::Unjudged);
}
