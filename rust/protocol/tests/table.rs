//! Each operation and each error code, request by request.

use razorgirl_protocol::{Code, Kind, answer, ops};
use serde_json::{Value, json};

fn reply(request: &str) -> Value {
    serde_json::from_str(&answer(request.as_bytes())).unwrap()
}

fn ask(op: &str, args: &Value) -> Value {
    reply(&json!({"id": 1, "op": op, "args": args}).to_string())
}

#[track_caller]
fn gives(op: &str, args: &Value, result: &Value) {
    assert_eq!(ask(op, args)["result"], *result, "{op} {args}");
}

#[track_caller]
fn refuses(op: &str, args: &Value, code: Code) {
    assert_eq!(ask(op, args)["error"]["code"], code.name(), "{op} {args}");
}

fn layout(shape: &Value, stride: &Value) -> Value {
    json!({"shape": shape, "stride": stride})
}

/// From CuTe notation.
fn l(text: &str) -> Value {
    serde_json::from_str(&razorgirl_protocol::layout_to_json(&text.parse().unwrap())).unwrap()
}

/// In all three places where a swizzle is read: a number has 64 bits, so that B = 200 is a mistake, often x in the place of B.
#[test]
fn a_swizzle_has_at_most_64_bits() {
    for (bits, layout) in [(65, "Sw<65,3,3> o 0 o 4:1"), (200, "Swizzle<200,0,1> o 4:1")] {
        refuses("swizzle", &json!([bits, 3, 4, 3]), Code::OutOfDomain);
        let swizzled = json!({"swizzle": [bits, 3, 3], "offset": 0, "shape": 4, "stride": 1});
        refuses("eval", &json!([swizzled]), Code::OutOfDomain);
        let refused = Kind::Swizzled.read_notation(layout).unwrap_err();
        assert_eq!((refused.code, refused.position.is_some()), (Code::OutOfDomain, true), "{layout}");
    }
    gives("swizzle", &json!([64, 0, 1, 3]), &json!(2));
    gives("eval", &json!([{"swizzle": [64, 0, 1], "offset": 0, "shape": 4, "stride": 1}]), &json!([0, 1, 3, 2]));
    let help = ask("swizzle", &json!([200, 3, 4, 3]))["error"]["help"].to_string();
    assert!(help.contains("the order of the arguments is B, M, S, x"), "{help}");
}

/// What is no JSON is not read as JSON: a refusal says what stands there, in the notation of the command line.
#[test]
fn words_are_read_as_they_are_written() {
    for (kind, word, json) in [
        (Kind::Division, "trunc", "\"trunc\""),
        (Kind::Truncation, "euclid", "\"euclid\""),
        (Kind::Language, "cuda", "\"cuda\""),
        (Kind::Truth, "true", "true"),
        (Kind::Integer, "-4", "-4"),
        (Kind::Choice, "1", "1"),
        (Kind::Cotarget, "18446744073709551616", "18446744073709551616"),
        (Kind::Places, "(2,0)", "[2,0]"),
        (Kind::Sizes, "4 8", "[4,8]"),
        (Kind::Values, "0,-1", "[0,-1]"),
    ] {
        let read = kind.read_notation(word).unwrap();
        assert_eq!(read.to_json().to_string(), json, "{word}");
        assert_eq!(kind.read_json(json, 1).unwrap().to_json(), read.to_json(), "{word}");
    }
    for (kind, word, code, message) in [
        (Kind::Division, "mod", Code::Parse, "expected a division: \"euclid\", \"trunc\" or \"ceil\", met `mod`"),
        (Kind::Truth, "True", Code::Parse, "expected true or false, met `True`"),
        (Kind::Language, "\"c\"", Code::Parse, "expected a language: \"c\", \"cuda\" or \"python\", met `\"c\"`"),
        (Kind::Sizes, "(4,0)", Code::Extent, "a size is 0"),
        (Kind::Integer, "9223372036854775808", Code::Overflow, "the integer is 9223372036854775808"),
    ] {
        let refusal = kind.read_notation(word).unwrap_err();
        assert!(refusal.code == code && refusal.message.starts_with(message), "{word}: {refusal}");
    }
}

#[test]
fn examples_of_the_protocol() {
    assert_eq!(
        answer(br#"{"id":1,"op":"coalesce","args":[{"shape":[2,[1,6]],"stride":[1,[6,2]]}]}"#),
        r#"{"id":1,"result":{"shape":12,"stride":1}}"#
    );
    assert_eq!(
        answer(br#"{"id":2,"op":"call","args":[[1,4],{"shape":[4,2],"stride":[1,4]}]}"#),
        concat!(
            r#"{"id":2,"error":{"code":"out_of_domain","message":"coordinate 4 at mode 1 is outside [0,2)","#,
            r#""help":["use a coordinate below 2 there"]}}"#
        )
    );
}

#[test]
fn every_operation() {
    let wide = l("((4,2),(2,4)):((2,16),(1,8))");
    for (op, args, result) in [
        ("size", json!([wide]), json!(64)),
        ("size", json!([[[4, 2], 3]]), json!(24)),
        ("size", json!([[]]), json!(1)),
        ("cosize", json!([wide]), json!(48)),
        ("cosize", json!([l("()")]), json!(1)),
        ("rank", json!([wide]), json!(2)),
        ("rank", json!([7]), json!(1)),
        ("rank", json!([[]]), json!(0)),
        ("depth", json!([wide]), json!(2)),
        ("depth", json!([7]), json!(0)),
        ("depth", json!([[]]), json!(1)),
        ("flatten", json!([wide]), l("(4,2,2,4):(2,16,1,8)")),
        ("flatten", json!([l("6:4")]), l("6:4")),
        ("flatten", json!([[[4, [2]], 3]]), json!([4, 2, 3])),
        ("flatten", json!([6]), json!(6)),
        ("congruent", json!([wide, [[1, 2], [3, 4]]]), json!(true)),
        ("congruent", json!([[1, 2], [1, [2]]]), json!(false)),
        ("compatible", json!([[8, 8], wide]), json!(true)),
        ("compatible", json!([24, [24]]), json!(true)),
        ("compatible", json!([[24], 24]), json!(false)),
        ("refines", json!([wide, [8, 8]]), json!(true)),
        ("refines", json!([[8, 8], wide]), json!(false)),
        ("idx2crd", json!([13, [[4, 2], 8]]), json!([[1, 1], 1])),
        ("idx2crd", json!([13, wide]), json!([[1, 1], [1, 0]])),
        ("idx2crd", json!([0, []]), json!([])),
        ("crd2idx", json!([[5, 1], [[4, 2], 8]]), json!(13)),
        ("crd2idx", json!([[[1, null], 1], [[4, 2], 8]]), json!(9)),
        ("crd2idx", json!([13, wide]), json!(13)),
        ("crd2idx", json!([[1, 1], [4, 2], [2, 1]]), json!(3)),
        ("eval", json!([l("(2,3):(3,1)")]), json!([0, 3, 1, 4, 2, 5])),
        ("eval", json!([l("()")]), json!([0])),
        ("call", json!([[1, 1], l("(4,2):(2,1)")]), json!(3)),
        ("call", json!([[null, 1], l("((2,3),6):((1,2),6)")]), l("((2,3)):((1,2))")),
        ("call", json!([null, l("6:4")]), l("(6):(4)")),
        ("call", json!([null, l("(4,2):(1,4)")]), l("((4,2)):((1,4))")),
        ("make_layout", json!([l("4:1"), l("(2,3):(4,8)")]), l("(4,(2,3)):(1,(4,8))")),
        ("make_layout", json!([l("4:1")]), l("(4):(1)")),
        ("make_layout", json!([]), l("()")),
        ("coalesce", json!([l("(2,(1,6)):(1,(6,2))")]), l("12:1")),
        ("coalesce", json!([l("()")]), l("1:0")),
        ("coalesce", json!([l("((2,2),(2,2)):((1,2),(4,8))"), [9, 9]]), l("(4,4):(1,4)")),
        ("coalesce", json!([l("8:1"), [0]]), l("(8):(1)")),
        ("coalesce", json!([l("8:1"), []]), l("(8):(1)")),
        ("coalesce", json!([l("((2,2),3):((1,2),4)"), [-1]]), l("(4,3):(1,4)")),
        ("filter_zeros", json!([l("(4,(2,8)):(0,(1,0))")]), l("(1,(2,1)):(0,(1,0))")),
        ("filter", json!([l("(4,(2,8)):(0,(1,0))")]), l("2:1")),
        ("filter", json!([l("(4,(2,8)):(0,(1,0))"), [1, 1]]), l("(1,2):(0,1)")),
        ("sort", json!([wide]), l("(2,4,4,2):(1,2,8,16)")),
        ("sort", json!([l("6:4")]), l("6:4")),
        ("slice", json!([[[null, 1], null], l("((2,3),4):((4,8),1)")]), l("(2,4):(4,1)")),
        ("slice", json!([null, wide]), wide.clone()),
        ("slice", json!([5, wide]), l("()")),
        ("dice", json!([[[null, 1], null], l("((2,3),4):((4,8),1)")]), l("(3):(8)")),
        ("dice", json!([null, wide]), l("()")),
        ("dice", json!([5, wide]), wide.clone()),
        ("slice_and_offset", json!([[[null, 1], null], l("((2,3),4):((4,8),1)")]), json!([[2, 4], [4, 1], 8])),
        ("slice_and_offset", json!([null, l("6:4")]), json!([[6], [4], 0])),
        ("find_layout", json!([[0, 4, 1, 5, 3, 7, 4, 8]]), l("(2,2,2):(4,1,3)")),
        ("find_layout", json!([[0]]), l("1:0")),
        ("find_layout", json!([[0, 1, 1, 0]]), json!(null)),
        ("find_layout", json!([[1, 2]]), json!(null)),
        ("find_layout", json!([[0, -1]]), json!(null)),
        ("find_layout", json!([[]]), json!(null)),
        ("find_layout_over", json!([[2, 2], [5, 6, 9, 10]]), json!({"constant": 5, "layout": l("(2,2):(1,4)")})),
        (
            "find_layout_over",
            json!([4, [0, -1, 4, 3]]),
            json!({"constant": 0, "signed_layout": {"shape": [2, 2], "stride": [-1, 4]}}),
        ),
        (
            "find_layout_over",
            json!([[2, 1], [1, u64::MAX]]),
            json!({"constant": 1, "layout": l("(2,1):(18446744073709551614,0)")}),
        ),
        (
            "find_layout_over",
            json!([2, [-1, u64::MAX]]),
            json!({"constant": -1, "signed_layout": {"shape": 2, "stride": 18_446_744_073_709_551_616_u128}}),
        ),
        ("is_injective", json!([wide]), json!(false)),
        ("is_injective", json!([l("(4,8):(8,1)")]), json!(true)),
        ("is_contiguous", json!([l("(4,8):(8,1)")]), json!(true)),
        ("is_contiguous", json!([wide]), json!(false)),
    ] {
        gives(op, &args, &result);
    }
}

#[test]
fn modes_rearranged() {
    let nested = l("((4,2),(3,5)):((1,4),(8,24))");
    for (op, args, result) in [
        ("append", json!([l("(4,2):(1,4)"), 4]), l("(4,2,1,1):(1,4,0,0)")),
        ("append", json!([l("4:2"), 1]), l("4:2")),
        ("append", json!([l("4:2"), 2]), l("(4,1):(2,0)")),
        ("append", json!([[4, 2], 3]), json!([4, 2, 1])),
        ("append", json!([l("4:2"), 3, l("(2,3):(8,16)")]), l("(4,(2,3),(2,3)):(2,(8,16),(8,16))")),
        ("prepend", json!([l("(4,2):(1,4)"), 3]), l("(1,4,2):(0,1,4)")),
        ("prepend", json!([4, 3, [2, 2]]), json!([[2, 2], [2, 2], 4])),
        ("group", json!([l("(4,7,3):(1,4,28)"), 1, 3]), l("(4,(7,3)):(1,(4,28))")),
        ("group", json!([l("4:9"), 0, 1]), l("((4)):((9))")),
        ("group", json!([[4, 7], 1, 1]), json!([4, 7])),
        ("take", json!([l("(4,(7,3)):(1,(4,28))"), 1, 2]), l("((7,3)):((4,28))")),
        ("take", json!([[4, 7], 1, 1]), json!([])),
        ("select", json!([l("(4,(7,3)):(1,(4,28))"), [1, 0, 0]]), l("((7,3),4,4):((4,28),1,1)")),
        ("select", json!([7, [0]]), json!([7])),
        ("select", json!([nested, []]), l("()")),
        ("replace", json!([l("(4,7):(1,4)"), 1, l("(2,3):(5,10)")]), l("(4,(2,3)):(1,(5,10))")),
        ("replace", json!([7, 0, [2, 3]]), json!([2, 3])),
        ("zip", json!([nested]), l("((4,3),(2,5)):((1,8),(4,24))")),
        ("zip", json!([l("(4,2):(1,4)"), l("(3,5):(8,24)")]), l("((4,3),(2,5)):((1,8),(4,24))")),
        ("zip", json!([4, [3, 5]]), json!([[4, [3, 5]]])),
        ("zip", json!([7]), json!(7)),
        ("unzip", json!([l("((4,2),(3,5),7):((1,4),(8,24),120)"), [0, 0]]), l("((4,3),(2,5,7)):((1,8),(4,24,120))")),
        ("unzip", json!([[[4, 2], [[3, 5], [6, 7]]], [0, [0, 0]]]), json!([[4, [3, 6]], [2, [5, 7]]])),
        ("weakly_congruent", json!([[8, 5], [[4, 2], 3]]), json!(true)),
        ("weakly_congruent", json!([[[4, 2], 3], [8, 5]]), json!(false)),
    ] {
        gives(op, &args, &result);
    }
    let deep = (0..63).fold(json!([1, 1]), |inner, _| json!([inner]));
    for (op, args, code) in [
        ("append", json!([[4, 2], 65537]), Code::TooLarge),
        ("append", json!([[4, 2], 1]), Code::OutOfDomain),
        ("append", json!([[4, 2], -1]), Code::OutOfDomain),
        ("append", json!([[4, 2], 3, l("2:1")]), Code::Parse),
        ("append", json!([l("(4,2):(1,4)"), 99, l("2:1")]), Code::Overflow),
        ("group", json!([[4, 2], 1, 3]), Code::OutOfDomain),
        ("group", json!([[4, 2], 2, 1]), Code::OutOfDomain),
        ("group", json!([deep, 0, 1]), Code::TooLarge),
        ("take", json!([[4, 2], -1, 1]), Code::OutOfDomain),
        ("select", json!([[4, 2], [0, 2]]), Code::OutOfDomain),
        ("select", json!([[4, 2], [-1]]), Code::OutOfDomain),
        ("select", json!([[4, 2], 0]), Code::Parse),
        ("replace", json!([[4, 2], 2, 1]), Code::OutOfDomain),
        ("replace", json!([[4, 2], 0, l("2:1")]), Code::Parse),
        ("zip", json!([[[4, 2], 3]]), Code::Incongruent),
        ("zip", json!([[4, 2], [1, 2, 3]]), Code::Incongruent),
        ("zip", json!([[]]), Code::Incongruent),
        ("unzip", json!([[[4, 2], 3], [0, 0]]), Code::Incongruent),
        ("unzip", json!([[[4, 2]], [0, 0]]), Code::Incongruent),
    ] {
        refuses(op, &args, code);
    }
}

#[test]
fn shapes_divided() {
    for (op, args, result) in [
        ("ceil_div", json!([10, 4]), json!(3)),
        ("ceil_div", json!([[10, 9], [4]]), json!([3, 9])),
        ("ceil_div", json!([10, [2, 2]]), json!(3)),
        ("ceil_div", json!([[6, [10, 7], [1, 1]], 36]), json!([1, [2, 7], [1, 1]])),
        ("shape_div", json!([[4, 5, 6], 40]), json!([1, 1, 3])),
        ("shape_div", json!([[[3, 4], 6], 36]), json!([[1, 1], 2])),
        ("round_up", json!([[10, 9], [4]]), json!([12, 9])),
        ("evenly_divides", json!([[12, 9], [4]]), json!(true)),
        ("evenly_divides", json!([l("(12,9):(9,1)"), [4, 2]]), json!(false)),
        ("evenly_divides", json!([12, [4, 2]]), json!(false)),
        ("evenly_divides", json!([[12, 9], []]), json!(true)),
        ("prefix_product", json!([[[2, 3], [2, 1, 2], [5, 2, 1]]]), json!([[1, 2], [6, 12, 12], [24, 120, 240]])),
        ("prefix_product", json!([[[2, 3], [2, 2]], [5, 7]]), json!([[5, 10], [7, 14]])),
        ("prefix_product", json!([7]), json!(1)),
        ("prefix_product", json!([[7, 2], 0]), json!([0, 0])),
        ("inner_product", json!([[[2, 3], 4], [[2, 1], 2]]), json!(15)),
        ("inner_product", json!([2, 3]), json!(6)),
        ("crd2crd", json!([[1, 1], [4, 6], [6, 4]]), json!([5, 0])),
        ("crd2crd", json!([10, [5, 6], [1, [5, 6]]]), json!([0, [0, 2]])),
    ] {
        gives(op, &args, &result);
    }
    let huge = 1_u64 << 63;
    for (op, args, code) in [
        ("ceil_div", json!([[4, 5], 6]), Code::NotDivisible),
        ("ceil_div", json!([[4, 5], [1, 1, 1]]), Code::Incongruent),
        ("ceil_div", json!([[4, 5], 0]), Code::Extent),
        ("ceil_div", json!([l("4:1"), 2]), Code::Parse),
        ("shape_div", json!([[4, 5], 6]), Code::NotDivisible),
        ("shape_div", json!([[4, 5], [2]]), Code::Incongruent),
        ("round_up", json!([[4, 5], 6]), Code::Incongruent),
        ("round_up", json!([huge + 1, huge]), Code::Overflow),
        ("prefix_product", json!([[4, 5], [1, 1, 1]]), Code::Incongruent),
        ("prefix_product", json!([[4, 5], -1]), Code::Stride),
        ("prefix_product", json!([[4, 5], huge]), Code::Overflow),
        ("inner_product", json!([[4, 5], 6]), Code::Incongruent),
        ("inner_product", json!([[4, -5], [1, 1]]), Code::Stride),
        ("inner_product", json!([[2, 2], [huge, huge]]), Code::Overflow),
        ("crd2crd", json!([[3, 5], [4, 6], [6, 3]]), Code::OutOfDomain),
        ("crd2crd", json!([[4, 5], [4, 6], [6, 4]]), Code::OutOfDomain),
        ("crd2crd", json!([[[1], 5], [4, 6], [6, 4]]), Code::Incongruent),
    ] {
        refuses(op, &args, code);
    }
}

#[test]
fn layouts_made_and_recast() {
    for (op, args, result) in [
        ("make_layout_left", json!([[[4, 1], 8]]), l("((4,1),8):((1,0),4)")),
        ("make_layout_right", json!([[[4, 1], 8]]), l("((4,1),8):((8,0),1)")),
        ("make_ordered_layout", json!([[2, 2, 2, 2], [0, 2, 3, 1]]), l("(2,2,2,2):(1,4,8,2)")),
        ("make_ordered_layout", json!([[6, 9, 8, 2], [1, 0, 0, 0]]), l("(6,9,8,2):(144,1,9,72)")),
        ("make_ordered_layout", json!([[[6, 9], 8], [1, 0]]), l("((6,9),8):((8,48),1)")),
        ("make_ordered_layout", json!([[6, 9], 7]), l("(6,9):(1,6)")),
        ("make_layout_like", json!([l("(2,3,4,5):(0,42,1,0)")]), l("(2,3,4,5):(0,4,1,0)")),
        ("make_layout_like", json!([l("(2,2):(1,1)")]), l("(2,2):(1,2)")),
        ("with_shape", json!([l("(8,4):(1,10)"), [4, 8]]), l("(4,(2,4)):(1,(4,10))")),
        ("with_shape", json!([l("(8,4):(1,8)"), 16]), l("16:1")),
        ("domain_distribute", json!([[15, 14], 6]), l("(3,2):(1,15)")),
        ("domain_distribute", json!([[4, 1], 6]), l("2:1")),
        ("upcast", json!([l("(64,32):(1,64)"), 4]), l("(16,32):(1,16)")),
        ("upcast", json!([l("(2,2,3):(1,2,4)"), 4]), l("(1,1,3):(0,0,1)")),
        ("upcast", json!([l("(8,5):(1,0)"), 4]), l("(2,5):(1,0)")),
        ("downcast", json!([l("(16,32):(1,16)"), 4]), l("(64,32):(1,64)")),
        ("downcast", json!([l("(6,1):(4,0)"), 3]), l("(6,3):(12,1)")),
        ("downcast", json!([l("(6,5):(4,0)"), 1]), l("(6,5):(4,0)")),
        ("recast", json!([l("(8,4):(1,8)"), 3, 2]), l("(12,4):(1,12)")),
        ("recast", json!([l("(64,2):(1,64)"), 16, 32]), l("(32,2):(1,32)")),
        ("max_alignment", json!([l("(3,8,3):(3,9,1)")]), json!(72)),
        ("max_alignment", json!([l("(6,8):(2,0)")]), json!(1)),
        ("coshape", json!([l("(16,4):(4,6)")]), json!(79)),
    ] {
        gives(op, &args, &result);
    }
    let complete = reply(r#"{"op":"with_shape","args":[{"shape":[2,2,3],"stride":[1,1,3]},[2,2]],"mode":"complete"}"#);
    assert_eq!(complete["result"], l("(2,2):(1,1)"));
    let huge = 1_u64 << 62;
    for (op, args, code) in [
        ("make_ordered_layout", json!([[6, 9], [1, 1, 1]]), Code::Incongruent),
        ("make_ordered_layout", json!([[6, 9], [1, -1]]), Code::OutOfDomain),
        ("with_shape", json!([l("(8,4):(1,10)"), [4, 9]]), Code::OutOfDomain),
        ("with_shape", json!([l("(8,4):(1,10)"), 12]), Code::NotDivisible),
        ("domain_distribute", json!([[15, 14], 0]), Code::Extent),
        ("upcast", json!([l("4:1"), 3]), Code::NotDivisible),
        ("upcast", json!([l("2:1"), 4]), Code::NotContiguous),
        ("upcast", json!([l("(1,3):(0,4)"), 4]), Code::NotContiguous),
        ("upcast", json!([l("4:3"), 2]), Code::NotDivisible),
        ("upcast", json!([l("(4,2):(1,2)"), 4]), Code::NotInjective),
        ("upcast", json!([l("4:1"), 0]), Code::Extent),
        ("downcast", json!([l("(4,4):(1,1)"), 2]), Code::NotInjective),
        ("downcast", json!([l("(4,4):(4,0)"), 2]), Code::NotContiguous),
        ("downcast", json!([l("(4,1,1):(4,0,0)"), 2]), Code::NotContiguous),
        ("downcast", json!([l("4:1"), huge]), Code::Overflow),
        ("recast", json!([l("4:1"), 8, 0]), Code::Extent),
        ("recast", json!([l("4:1"), 8, 24]), Code::NotDivisible),
    ] {
        refuses(op, &args, code);
    }
}

#[test]
fn collisions() {
    let answer = ask("is_injective", &json!([l("(4,8):(8,1)")]));
    assert_eq!((&answer["result"], &answer["collision"]), (&json!(true), &json!(null)));
    assert!(answer.as_object().unwrap().contains_key("collision"));
    let answer = ask("is_injective", &json!([l("(4,8):(3,1)")]));
    assert_eq!(answer["result"], json!(false));
    let offsets = ask("eval", &json!([l("(4,8):(3,1)")]))["result"].clone();
    let place = |index: usize| usize::try_from(answer["collision"][index].as_u64().unwrap()).unwrap();
    assert_ne!(place(0), place(1));
    assert_eq!(offsets[place(0)], offsets[place(1)]);
}

#[test]
fn list_of_operations() {
    let listed = ask("ops", &json!([]))["result"].clone();
    let names: Vec<&str> = ops().iter().map(|op| op.name).collect();
    assert_eq!(listed, json!(names));
    assert!(names.is_sorted() && !names.contains(&"ops"));
    assert_eq!(reply(r#"{"id":1,"op":"ops"}"#)["result"], listed);
    refuses("ops", &json!([1]), Code::Arity);
    let specification = include_str!("../PROTOCOL.md");
    for code in Code::ALL {
        assert!(specification.contains(&format!("`{}`", code.name())), "{}", code.name());
    }
}

/// Rows leave out what most have in common; these no row may leave out.
#[test]
fn rows_are_whole() {
    for op in ops() {
        assert!(!op.name.is_empty() && !op.meaning.is_empty() && !op.forms.is_empty(), "{}", op.name);
        assert!(!op.lean.is_empty() && !op.example.1.is_empty(), "{}", op.name);
    }
}

/// The generated part of `PROTOCOL.md` is what the table says; with `UPDATE_DOCS=1` it is written.
#[test]
fn the_specification_is_current() {
    use razorgirl_protocol::document::{BEGIN, END, operations};
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/PROTOCOL.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("PROTOCOL.md has the mark of the table");
    let (_, after) = rest.split_once(END).expect("PROTOCOL.md has the end of the table");
    let current = format!("{before}{BEGIN}\n{}{END}{after}", operations());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, current).unwrap();
    } else {
        assert!(
            text == current,
            "PROTOCOL.md is not current: UPDATE_DOCS=1 cargo test -p razorgirl-protocol --test table"
        );
    }
}

#[test]
fn numbers_are_exact() {
    let one = |extent: &str, stride: &str| {
        reply(&format!(r#"{{"op":"cosize","args":[{{"shape":{extent},"stride":{stride}}}]}}"#))
    };
    assert_eq!(one("2", "9007199254740993")["result"], json!(9_007_199_254_740_994_u64));
    assert_eq!(one("2", "18446744073709551614")["result"], json!(u64::MAX));
    assert_eq!(one("2", "18446744073709551615")["error"]["code"], "overflow");
    assert_eq!(one("2", "18446744073709551616")["error"]["code"], "overflow");
    assert_eq!(one("18446744073709551615", "0")["result"], json!(1));
    assert_eq!(one("18446744073709551616", "0")["error"]["code"], "overflow");
    assert_eq!(one("1", "340282366920938463463374607431768211456")["result"], json!(1));
    assert_eq!(one("-0", "1")["error"]["code"], "extent");
    for number in ["1.0", "1e3", "1E0", "-1.5", "0.0"] {
        assert_eq!(one(number, "1")["error"]["code"], "parse", "{number}");
        assert_eq!(one("2", number)["error"]["code"], "parse", "{number}");
    }
    for number in ["01", "+1", ".5", "1.", "--1", "NaN", "Infinity", "0x10"] {
        assert_eq!(one(number, "1")["error"]["code"], "parse", "{number}");
    }
}

#[test]
fn every_error_code() {
    let huge = 1_u64 << 63;
    let pair = json!({"shape": [4, 2], "stride": [1, 4]});
    let deep = (0..65).fold(json!(1), |inner, _| json!([inner]));
    let deepest = deep[0].clone();
    for (op, args, code) in [
        ("eval", json!([layout(&json!([1024, 1025]), &json!([1, 1]))]), Code::TooLarge),
        ("size", json!([deep]), Code::TooLarge),
        ("slice", json!([deep, pair]), Code::TooLarge),
        ("coalesce", json!([pair, deep]), Code::TooLarge),
        ("make_layout", json!([layout(&deepest, &deepest)]), Code::TooLarge),
        ("size", json!(["4"]), Code::Parse),
        ("size", json!([[4, "2"]]), Code::Parse),
        ("size", json!([[4, null]]), Code::Parse),
        ("size", json!([true]), Code::Parse),
        ("size", json!([{"shape": 4}]), Code::Parse),
        ("cosize", json!([[4, 2]]), Code::Parse),
        ("call", json!([pair, pair]), Code::Parse),
        ("call", json!([[1, "_"], pair]), Code::Parse),
        ("idx2crd", json!([[1], [4]]), Code::Parse),
        ("idx2crd", json!([null, [4]]), Code::Parse),
        ("coalesce", json!([pair, null]), Code::Parse),
        ("find_layout", json!([7]), Code::Parse),
        ("find_layout", json!([[0, [1]]]), Code::Parse),
        ("find_layout", json!([[0, 1.5]]), Code::Parse),
        ("find_layout_over", json!([2, 1]), Code::Parse),
        ("find_layout_over", json!([0, []]), Code::Extent),
        ("find_layout_over", json!([3, [0, 1]]), Code::Incongruent),
        ("find_layout_over", json!([4, [0, 1, 1, 0]]), Code::NoLayout),
        ("find_layout", json!([[0, []]]), Code::Parse),
        ("size", json!({"shape": 4}), Code::Parse),
        ("colaesce", json!([pair]), Code::UnknownOp),
        ("", json!([]), Code::UnknownOp),
        ("size", json!([]), Code::Arity),
        ("size", json!([4, 2]), Code::Arity),
        ("call", json!([[1, 1]]), Code::Arity),
        ("coalesce", json!([pair, 1, 1]), Code::Arity),
        ("crd2idx", json!([0, [4], [1], 1]), Code::Arity),
        ("idx2crd", json!([0, [4], [1]]), Code::Arity),
        ("size", json!([layout(&json!([4, 2]), &json!([1]))]), Code::Incongruent),
        ("call", json!([[1, 1, 1], pair]), Code::Incongruent),
        ("call", json!([[[1], 1], pair]), Code::Incongruent),
        ("crd2idx", json!([[1], 4]), Code::Incongruent),
        ("crd2idx", json!([0, [4, 2], [1]]), Code::Incongruent),
        ("slice", json!([[null], pair]), Code::Incongruent),
        ("coalesce", json!([pair, [1, 1, 1]]), Code::Incongruent),
        ("filter", json!([pair, [[1, 1], 1]]), Code::Incongruent),
        ("size", json!([[4, 0]]), Code::Extent),
        ("size", json!([-4]), Code::Extent),
        ("rank", json!([0]), Code::Extent),
        ("cosize", json!([layout(&json!(4), &json!(-1))]), Code::Stride),
        ("cosize", json!([layout(&json!(1), &json!(-1))]), Code::Stride),
        ("size", json!([[huge, 2]]), Code::Overflow),
        ("depth", json!([[huge, 2]]), Code::Overflow),
        ("size", json!([layout(&json!(3), &json!(huge))]), Code::Overflow),
        ("make_layout", json!([layout(&json!(huge), &json!(0)), layout(&json!(2), &json!(0))]), Code::Overflow),
        ("make_layout", json!([layout(&json!(2), &json!(huge)), layout(&json!(2), &json!(huge))]), Code::Overflow),
        ("find_layout", json!([[0, u64::MAX]]), Code::Overflow),
        ("idx2crd", json!([8, pair]), Code::OutOfDomain),
        ("idx2crd", json!([-1, [4]]), Code::OutOfDomain),
        ("crd2idx", json!([[4, 0], [4, 2]]), Code::OutOfDomain),
        ("crd2idx", json!([[-1, 0], [4, 2]]), Code::OutOfDomain),
        ("call", json!([8, pair]), Code::OutOfDomain),
        ("slice", json!([[null, 2], pair]), Code::OutOfDomain),
        ("dice", json!([[null, 2], pair]), Code::OutOfDomain),
        ("slice_and_offset", json!([[null, 2], pair]), Code::OutOfDomain),
    ] {
        refuses(op, &args, code);
    }
    // Numbers that `json!` cannot hold.
    for (request, code) in [
        (r#"{"op":"idx2crd","args":[18446744073709551616,[4]]}"#, Code::OutOfDomain),
        (r#"{"op":"crd2idx","args":[18446744073709551616,[4]]}"#, Code::OutOfDomain),
        (r#"{"op":"find_layout","args":[[0,18446744073709551616]]}"#, Code::Overflow),
        (r#"{"op":"find_layout","args":[[0,3,18446744073709551616,18446744073709551619]]}"#, Code::Overflow),
    ] {
        assert_eq!(reply(request)["error"]["code"], code.name(), "{request}");
    }
    let request = r#"{"op":"find_layout","args":[[0,3,18446744073709551616,18446744073709551618]]}"#;
    assert_eq!(reply(request)["result"], json!(null));
}

/// Of several faults one is reported, whichever it is.
#[test]
fn one_of_the_faults_is_reported() {
    let empty = layout(&json!([4, 0]), &json!([1, 1]));
    let negative = layout(&json!([4, 2]), &json!([1, -1]));
    let overflow = layout(&json!([u64::MAX, 2]), &json!([1, 1]));
    let unlike = layout(&json!([4, 2]), &json!([1]));
    let deep = (0..70).fold(json!(1), |inner, _| json!([inner]));
    for (op, args, codes) in [
        ("nothing", json!(["x", deep]), &[Code::UnknownOp][..]),
        ("size", json!([1.5, deep]), &[Code::Arity]),
        ("composition", json!([1.5, empty]), &[Code::Parse, Code::Extent]),
        ("call", json!([[1, 1, 1], empty]), &[Code::Incongruent, Code::Extent]),
        ("coalesce", json!([empty, [1, 1, 1]]), &[Code::Incongruent, Code::Extent]),
        ("coalesce", json!([empty, [1, 1]]), &[Code::Extent]),
        (
            "make_layout",
            json!([overflow, negative, empty, unlike]),
            &[Code::Overflow, Code::Stride, Code::Extent, Code::Incongruent],
        ),
        ("call", json!([[9, 9], overflow]), &[Code::OutOfDomain, Code::Overflow]),
        ("call", json!([[-9, 9], empty]), &[Code::OutOfDomain, Code::Extent]),
        ("congruent", json!([overflow, empty]), &[Code::Overflow, Code::Extent]),
        ("idx2crd", json!([-1, empty]), &[Code::OutOfDomain, Code::Extent]),
        ("append", json!([[4, 0], 65537]), &[Code::Extent, Code::TooLarge]),
        ("ceil_div", json!([[4, 0], [1, 1, 1]]), &[Code::Extent, Code::Incongruent]),
    ] {
        let code = ask(op, &args)["error"]["code"].clone();
        assert!(codes.iter().any(|one| code == one.name()), "{op} {args}: {code}");
    }
}

#[test]
fn fields_and_modes_that_are_not_known() {
    let asked = |rest: &str| {
        reply(&format!(
            r#"{{"id":1,"op":"composition","args":[{{"shape":4,"stride":1}},{{"shape":2,"stride":2}}]{rest}}}"#
        ))
    };
    for rest in ["", r#","mode":"strict""#, r#","mode":"complete""#] {
        assert_eq!(asked(rest)["result"], l("2:2"), "{rest}");
    }
    for (rest, said) in [
        (r#","mode":"compleat""#, "there is no mode \"compleat\""),
        (r#","mode":null"#, "there is no mode null"),
        (r#","mod":"complete""#, "a request has no field `mod`"),
    ] {
        assert_eq!(asked(rest)["error"]["message"], said, "{rest}");
        assert_eq!(asked(rest)["error"]["code"], "parse", "{rest}");
    }
    let refused = reply(r#"{"op":"size","args":[4],"mode":"complete"}"#);
    assert_eq!(refused["error"]["message"], "size has no mode complete");
}

#[test]
fn the_id_is_echoed_as_it_stands() {
    for id in [
        "null",
        "7",
        "1.50",
        "1e400",
        "-0",
        r#""a\u0062\n""#,
        r#"{"b":[1, 2],"a":{}}"#,
        "[]",
        "12345678901234567890123",
    ] {
        let answered = answer(format!(r#"{{"op":"rank","id": {id} ,"args":[4]}}"#).as_bytes());
        assert_eq!(answered, format!(r#"{{"id":{id},"result":1}}"#));
    }
    assert_eq!(answer(br#"{"op":"rank","args":[4]}"#), r#"{"id":null,"result":1}"#);
}

/// What cannot be read to the end, and the `id` that could.
#[test]
fn broken_lines() {
    let deep = "[".repeat(10_000);
    let million = "[".repeat(1_000_000);
    let closed = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let wide = format!(r#"{{"id":5,"op":"size","args":["{}"]}}"#, "x".repeat(16 << 20));
    for (line, id, code) in [
        (String::new(), "null", Code::Parse),
        (" ".to_owned(), "null", Code::Parse),
        ("{".to_owned(), "null", Code::Parse),
        ("[]".to_owned(), "null", Code::Parse),
        ("null".to_owned(), "null", Code::Parse),
        ("{}".to_owned(), "null", Code::Parse),
        (r#"{"id":5}"#.to_owned(), "5", Code::Parse),
        (r#"{"id":5,"args":[]}"#.to_owned(), "5", Code::Parse),
        (r#"{"id":5,"op":"size"}"#.to_owned(), "5", Code::Parse),
        (r#"{"id":5,"op":7,"args":[]}"#.to_owned(), "5", Code::Parse),
        (r#"{"id":5,"op":"size","args":4}"#.to_owned(), "5", Code::Parse),
        (r#"{"id":5,"op":"size","args":[4]} x"#.to_owned(), "5", Code::Parse),
        (r#"{"id":5,"op":"size","args":[4],}"#.to_owned(), "5", Code::Parse),
        (r#"{"id":5,"id":6,"op":"size","args":[4]}"#.to_owned(), "5", Code::Parse),
        (r#"{"op":"size","args":[4,"id":5}"#.to_owned(), "null", Code::Parse),
        (deep.clone(), "null", Code::Parse),
        (million.clone(), "null", Code::Parse),
        (closed.clone(), "null", Code::Parse),
        (format!(r#"{{"id":5,"op":"size","args":[{deep}]}}"#), "5", Code::Parse),
        (format!(r#"{{"id":5,"op":"size","args":[{closed}]}}"#), "5", Code::TooLarge),
        (format!(r#"{{"id":5,"op":"size","args":{{"a":{closed}}}}}"#), "5", Code::Parse),
        (format!(r#"{{"id":5,"op":"size","args":[{}"#, "[{\"a\":".repeat(500_000)), "5", Code::Parse),
        (wide, "5", Code::TooLarge),
    ] {
        let answered: Value = serde_json::from_str(&answer(line.as_bytes())).unwrap();
        let start: String = line.chars().take(60).collect();
        assert_eq!(answered["error"]["code"], code.name(), "{start}");
        assert_eq!(answered["id"].to_string(), id, "{start}");
        assert!(answered["error"]["message"].as_str().unwrap().len() < 500, "{start}");
    }
    // An id may be nested as deep as it likes.
    let answered = answer(format!(r#"{{"id":{closed},"op":"size","args":[4]}}"#).as_bytes());
    assert_eq!(answered, format!(r#"{{"id":{closed},"result":4}}"#));
    assert_eq!(
        answer(b"{\"id\":5,\"op\":\"\xff\",\"args\":[]}"),
        r#"{"id":5,"error":{"code":"parse","message":"byte 14 is not UTF-8","help":[]}}"#
    );
}

#[test]
fn messages_stay_short() {
    let many = vec![1; 100_000];
    for (op, args) in [
        ("call", json!([many, l("4:1")])),
        ("coalesce", json!([l("4:1"), many])),
        ("size", json!([layout(&json!(many), &json!(1))])),
        ("x".repeat(100_000).as_str(), json!([])),
    ] {
        let message = ask(op, &args)["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.len() < 300, "{message}");
    }
    let help = ask("colaesce", &json!([]))["error"]["help"][0].as_str().unwrap().to_owned();
    assert!(help.contains("coalesce"), "{help}");
}

/// Nothing is enumerated where strides decide.
#[test]
fn large_layouts_take_no_time() {
    let large = l("(4294967296,4294967295):(4294967296,1)");
    gives("is_contiguous", &json!([large]), &json!(false));
    gives("is_injective", &json!([large]), &json!(true));
    gives("size", &json!([large]), &json!(4_294_967_296_u64 * 4_294_967_295));
    gives("idx2crd", &json!([4_294_967_297_u64, large]), &json!([1, 1]));
    let answer = ask("is_injective", &json!([l("(4294967296,4294967295):(6,15)")]));
    assert_eq!((&answer["result"], &answer["collision"]), (&json!(false), &json!([5, 8_589_934_592_u64])));
    let digits = "9".repeat(8_000_000);
    let request = format!(r#"{{"op":"find_layout","args":[[0,{digits}]]}}"#);
    assert_eq!(reply(&request)["error"]["code"], "overflow");
}
