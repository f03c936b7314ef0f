//! Divisions, products, thread-value layouts and partitions in the protocol, request by request.

use razorgirl_protocol::{answer, ops};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn ask(op: &str, args: &Value) -> Value {
    serde_json::from_str(&answer(json!({"id": 1, "op": op, "args": args}).to_string().as_bytes())).unwrap()
}

fn l(text: &str) -> Value {
    serde_json::from_str(&razorgirl_protocol::layout_to_json(&text.parse().unwrap())).unwrap()
}

fn code(op: &str, args: &Value) -> String {
    ask(op, args)["error"]["code"].as_str().unwrap_or("accepted").to_owned()
}

/// CuTe's documentation, C++ and pycute where they are right.
#[test]
fn every_operation() {
    let layout = l("(9,(4,8)):(59,(13,1))");
    let tiler = json!([l("3:3"), l("(2,4):(1,8)")]);
    let block = l("(2,5):(5,1)");
    let by = json!([l("3:5"), l("4:6")]);
    for (op, args, result) in [
        ("logical_divide", json!([l("(4,2,3):(2,1,8)"), l("4:2")]), l("((2,2),(2,3)):((4,1),(2,8))")),
        ("logical_divide", json!([layout, tiler]), l("((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))")),
        ("logical_divide", json!([l("16:1"), 4]), l("(4,4):(1,4)")),
        ("logical_divide", json!([layout, null]), layout.clone()),
        ("logical_divide", json!([l("(8,6):(1,8)"), []]), l("(8,6):(1,8)")),
        ("logical_divide_by_mode", json!([layout, tiler]), l("((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))")),
        ("zipped_divide", json!([layout, tiler]), l("((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))")),
        ("zipped_divide", json!([l("(8,6):(1,8)"), null]), l("(1,(8,6)):(0,(1,8))")),
        ("zipped_divide", json!([l("(8,6):(1,8)"), [null, 3]]), l("((1,3),(8,2)):((0,8),(1,24))")),
        ("tiled_divide", json!([layout, tiler]), l("((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))")),
        ("tiled_divide", json!([l("(6):(1)"), [2]]), l("((2),(3)):((1),(2))")),
        ("flat_divide", json!([layout, tiler]), l("(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))")),
        ("flat_divide", json!([l("(8,8):(1,8)"), [2]]), l("((2),4,8):((1),2,8)")),
        ("logical_divide_ceil", json!([l("10:1"), 4]), l("(4,3):(1,4)")),
        ("logical_product", json!([l("(2,2):(4,1)"), l("6:1")]), l("((2,2),(2,3)):((4,1),(2,8))")),
        ("logical_product", json!([block, by]), l("((2,3),(5,4)):((5,10),(1,30))")),
        // pycute divides here
        ("logical_product", json!([l("3:1"), 4]), l("(3,4):(1,3)")),
        ("logical_product_by_mode", json!([block, by]), l("((2,3),(5,4)):((5,10),(1,30))")),
        ("zipped_product", json!([block, by]), l("((2,5),(3,4)):((5,1),(10,30))")),
        ("zipped_product", json!([block, null]), l("((2,5),1):((5,1),0)")),
        ("tiled_product", json!([block, by]), l("((2,5),3,4):((5,1),10,30)")),
        ("flat_product", json!([block, by]), l("(2,5,3,4):(5,1,10,30)")),
        ("hier_unzip", json!([0, layout, tiler]), l("((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))")),
        ("hier_unzip", json!([1, block, by]), l("((2,5),(3,4)):((5,1),(10,30))")),
        ("blocked_product", json!([block, l("(3,4):(1,3)")]), l("((2,3),(5,4)):((5,10),(1,30))")),
        ("blocked_product", json!([l("8:3"), l("6:1")]), l("((8,(3,2))):((3,(1,24)))")),
        ("raked_product", json!([block, l("(3,4):(1,3)")]), l("((3,2),(4,5)):((10,5),(30,1))")),
        ("tile_to_shape", json!([l("8:1"), [24, 4, 2]]), l("((8,3),(1,4),(1,2)):((1,8),(0,24),(0,96))")),
        (
            "tile_to_shape",
            json!([l("(8,1):(8,0)"), [32, 3, 4], [1, 2, 0]]),
            l("((8,(2,2)),(1,3),(1,4)):((8,(4,64)),(0,128),(0,1))"),
        ),
        ("tile_to_shape", json!([l("2:1"), 8]), l("((2,4)):((1,2))")),
        (
            "make_layout_tv",
            json!([l("(4,32):(32,1)"), l("(4,4):(4,1)")]),
            json!({"tiler": [16, 128], "layout": l("((32,4),(4,4)):((64,4),(16,1))")}),
        ),
        ("inner_partition", json!([l("(8,6):(1,8)"), [4, 3], [1, 1]]), l("(4,3):(1,8)")),
        ("inner_partition", json!([l("(8,6):(1,8)"), [4, 3], [1]]), l("(4,3,2):(1,8,24)")),
        ("local_tile", json!([l("(128,64):(64,1)"), [32, 16], [2, null]]), l("(32,16,4):(64,1,16)")),
        ("outer_partition", json!([l("(8,6):(1,8)"), [4, 3], [1, 1]]), l("(2,2):(4,24)")),
        ("outer_partition", json!([l("(8,6):(1,8)"), [4, 3], 4]), l("(2,2):(4,24)")),
        ("local_partition", json!([l("(8,6):(1,8)"), l("(4,3):(3,1)"), 5]), l("(2,2):(4,24)")),
    ] {
        let answer = ask(op, &args);
        assert_eq!(answer["result"], result, "{op} {args}: {answer}");
        let complete = json!({"id": 1, "op": op, "args": args, "mode": "complete"});
        let complete: Value =
            serde_json::from_str(&razorgirl_protocol::answer(complete.to_string().as_bytes())).unwrap();
        assert_eq!(complete, answer, "{op} {args}");
    }
}

#[test]
fn what_stands_beside_the_result() {
    let padded = ask("logical_divide_ceil", &json!([l("(10,6,5):(1,10,60)"), [4, null, 5]]));
    assert_eq!(padded["result"], l("((4,3),6,(5,1)):((1,4),10,(60,0))"));
    assert_eq!(padded["index"], json!([l("(4,3):(1,4)"), l("(5,1):(1,0)")]));
    assert_eq!((&padded["bounds"], &padded["padded"]), (&json!([10, 5]), &json!(2 * 6 * 5)));
    let none = ask("logical_divide_ceil", &json!([l("10:1"), null]));
    assert_eq!((&none["index"], &none["bounds"], &none["padded"]), (&json!([]), &json!([]), &json!(0)));
    let tiler = json!([4, 3]);
    for (op, args, offset) in [
        ("inner_partition", json!([l("(8,6):(1,8)"), tiler, [1, 1]]), 28),
        ("local_tile", json!([l("(8,6):(1,8)"), tiler, 3]), 28),
        ("outer_partition", json!([l("(8,6):(1,8)"), tiler, [1, 1]]), 9),
        ("local_partition", json!([l("(8,6):(1,8)"), l("(4,3):(3,1)"), 5]), 17),
        ("local_partition", json!([l("(8,6):(1,8)"), l("()"), 0]), 0),
    ] {
        assert_eq!(ask(op, &args)["offset"], json!(offset), "{op} {args}");
    }
}

#[test]
fn refusals() {
    let deep = (0..70).fold(json!(2), |inner, _| json!([inner]));
    let deepest = (0..64).fold(json!(2), |inner, _| json!([inner]));
    let deep_tile = json!({"shape": deepest, "stride": (0..64).fold(json!(1), |inner, _| json!([inner]))});
    let huge = u64::MAX;
    for (op, args, expected) in [
        ("logical_divide", json!([l("16:1"), deep]), "too_large"),
        ("logical_divide", json!([l("16:1"), deep_tile]), "too_large"),
        ("logical_divide", json!([l("16:1"), "4"]), "parse"),
        ("logical_divide", json!([16, 4]), "parse"),
        ("hier_unzip", json!([2, l("16:1"), 4]), "parse"),
        ("blocked_product", json!([l("4:1"), 4]), "parse"),
        ("local_partition", json!([l("4:1"), l("4:1"), [0]]), "parse"),
        ("tile_to_shape", json!([l("4:1"), [null]]), "parse"),
        ("logical_divide", json!([l("16:1")]), "arity"),
        ("local_tile", json!([l("16:1"), 4]), "arity"),
        ("tile_to_shape", json!([l("4:1")]), "arity"),
        ("logical_divide", json!([l("16:1"), [4, 4]]), "incongruent"),
        ("logical_product", json!([l("16:1"), [[4, 4]]]), "incongruent"),
        ("tile_to_shape", json!([l("(4,4):(1,4)"), 16]), "incongruent"),
        ("tile_to_shape", json!([l("(4,4):(1,4)"), [4, 4], [0]]), "incongruent"),
        ("local_tile", json!([l("(8,6):(1,8)"), [4, 3], [0, 0, 0]]), "incongruent"),
        ("local_partition", json!([l("8:1"), l("(4,2):(1,4)"), 0]), "incongruent"),
        ("logical_divide", json!([l("16:1"), 0]), "extent"),
        ("logical_divide", json!([l("16:1"), {"shape": [4, 0], "stride": [1, 4]}]), "extent"),
        ("tile_to_shape", json!([l("4:1"), [8, 0]]), "extent"),
        ("logical_divide", json!([l("16:1"), {"shape": 4, "stride": -1}]), "stride"),
        ("logical_product", json!([l("4294967296:1"), 4_294_967_296_u64]), "overflow"),
        ("logical_divide_ceil", json!([l(&format!("{huge}:1")), 2]), "overflow"),
        ("logical_divide", json!([l("4:1"), 6]), "out_of_domain"),
        ("local_tile", json!([l("(8,6):(1,8)"), [4, 3], [2, 0]]), "out_of_domain"),
        ("local_tile", json!([l("(8,6):(1,8)"), [4, 3], [-1, 0]]), "out_of_domain"),
        ("local_partition", json!([l("8:1"), l("4:1"), 4]), "out_of_domain"),
        ("local_partition", json!([l("8:1"), l("4:1"), -1]), "out_of_domain"),
        ("logical_divide", json!([l("16:1"), 5]), "not_divisible"),
        ("logical_divide", json!([l("(4,6):(1,50)"), 6]), "not_divisible"),
        ("logical_product", json!([l("3:2"), 3]), "not_divisible"),
        ("tile_to_shape", json!([l("(4,4):(1,4)"), [4, 6]]), "not_divisible"),
        ("logical_divide", json!([l("(4,6):(1,50)"), l("4:3")]), "carries"),
        ("logical_product", json!([l("2:4"), l("(2,2):(1,3)")]), "carries"),
        ("logical_divide", json!([l("16:1"), l("(2,2):(1,1)")]), "not_injective"),
        ("logical_product", json!([l("(4,4):(1,2)"), 2]), "not_injective"),
        ("make_layout_tv", json!([l("(4,2):(1,0)"), l("4:1")]), "not_injective"),
        ("local_partition", json!([l("(8,8):(1,8)"), l("(2,2):(1,1)"), 0]), "not_injective"),
        ("make_layout_tv", json!([l("4:1"), l("2:3")]), "not_contiguous"),
        ("local_partition", json!([l("(8,8):(1,8)"), l("(2,2):(1,4)"), 0]), "not_contiguous"),
    ] {
        assert_eq!(code(op, &args), expected, "{op} {args}");
    }
}

/// Of several faults one is reported, whichever mode or argument it stands in.
#[test]
fn one_of_the_faults_is_reported() {
    let layout = l("(16,10):(1,16)");
    let empty = json!({"shape": [4, 0], "stride": [1, 4]});
    let divisions = ["logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "logical_divide_ceil"];
    let mut asked: Vec<(&str, Value, &[&str])> = vec![
        ("tile_to_shape", json!([empty, 8]), &["incongruent", "extent"]),
        ("tile_to_shape", json!([l("(4,2):(1,4)"), [8, 0], [0, 1, 2]]), &["incongruent", "extent"]),
        ("tile_to_shape", json!([l("(4,2):(1,4)"), [8, 0], [0, -1]]), &["extent", "out_of_domain"]),
        ("tile_to_shape", json!([l("(4,2):(1,4)"), [8, 8], [0, -1]]), &["out_of_domain"]),
        ("local_partition", json!([l("8:1"), empty, 0]), &["incongruent", "extent"]),
        ("local_partition", json!([empty, l("(2,2):(1,2)"), 7]), &["extent", "out_of_domain"]),
        ("composition_by_mode", json!([empty, [1, 2, 3]]), &["incongruent", "extent"]),
    ];
    for op in divisions {
        asked.push((op, json!([layout, [5, 4, 2]]), &["incongruent", "not_divisible"]));
        asked.push((op, json!([layout, [0, 4, 2]]), &["incongruent", "extent"]));
        asked.push((op, json!([layout, [{"shape": [2, 2], "stride": 1}, 0]]), &["incongruent", "extent"]));
        asked.push((op, json!([layout, [0, [4, 5]]]), &["incongruent", "extent"]));
        asked.push((op, json!([layout, [5, 0]]), &["extent"]));
    }
    for (op, args, codes) in asked {
        let found = code(op, &args);
        assert!(codes.contains(&found.as_str()), "{op} {args}: {found}");
    }
}

/// Whatever the size of a request, a refusal of it is short and quick.
#[test]
fn large_refusals() {
    let many = vec![2; 20_000];
    let ones = vec![1; 20_000];
    let zeros = vec![0; 20_000];
    let three: Vec<u64> = std::iter::once(3).chain(std::iter::repeat_n(1, 19_999)).collect();
    let long = json!({"shape": ones, "stride": zeros});
    let odd = json!({"shape": three, "stride": ones});
    let carrying = json!({"shape": [2, 2, 2], "stride": [1, 1, 2]});
    for op in ops().iter().filter(|op| op.name.contains("divide") || op.name.contains("product")) {
        for args in [
            json!([l("16:1"), odd]),
            json!([odd, l("2:1")]),
            json!([long, many]),
            json!([long, {"shape": many, "stride": zeros}]),
            json!([carrying, odd]),
            json!([odd, carrying]),
        ] {
            let start = Instant::now();
            let answer = ask(op.name, &args);
            assert!(start.elapsed() < Duration::from_secs(5), "{} took {:?}", op.name, start.elapsed());
            if let Some(error) = answer.get("error") {
                let said = error.to_string().len();
                assert!(said < 6_000, "{} says {said} bytes", op.name);
            }
        }
    }
}
