//! Requests that must be refused.

use super::{Rng, names_of, request};
use serde_json::{Value, json};

/// What is asked wrongly: operations whose arguments are told apart one by one.
const CONCEPTS: [&str; 9] =
    ["coalesce", "coord", "filter", "find", "injective", "int_tuple", "layout", "slice", "sort"];

/// A request with one thing wrong: an extent of 0 or below, a negative stride, incongruent halves, a wrong number of
/// arguments, an unknown operation, a value of the wrong kind.
pub fn malformed(rng: &mut Rng, id: u64) -> Value {
    let op = *rng.pick(&names_of(&CONCEPTS));
    let mut request = request(rng, id, op, 4096);
    let broken = [
        json!({"shape":0,"stride":1}),
        json!({"shape":[4,0],"stride":[1,4]}),
        json!({"shape":[4,-2],"stride":[1,4]}),
        json!({"shape":[4,2],"stride":[1,-4]}),
        json!({"shape":[4,2],"stride":[1]}),
        json!({"shape":[4,2],"stride":1}),
        json!({"shape":4,"stride":[1]}),
        json!({"shape":[2,[3,2]],"stride":[1,2]}),
        json!({"shape":4}),
        json!({"shape":"4","stride":1}),
        json!({"shape":[4,null],"stride":[1,4]}),
        json!({"shape":[4,1.5],"stride":[1,4]}),
        json!("(4,2):(1,4)"),
        json!(true),
    ];
    match rng.below(6) {
        0 => request["op"] = json!("coalesc"),
        1 => {
            if let Some(args) = request["args"].as_array_mut()
                && op != "make_layout"
            {
                args.extend([json!(1), json!(1), json!(1)]);
            }
        }
        2 => request["args"] = json!([]),
        _ => {
            if let Some(last) = request["args"].as_array_mut().and_then(|args| args.last_mut()) {
                *last = rng.pick(&broken).clone();
            }
        }
    }
    request
}
