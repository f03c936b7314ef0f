//! Relations that others answer: the pairs count, and not how a relation is written.

use super::{Verdict, same};
use crate::model::relation::text_pairs;
use crate::model::{Expected, expected};
use serde_json::Value;

/// The operations whose answers describe a relation.
const DESCRIBED: [&str; 3] = ["relation_compose", "relation_inverse", "relation_of"];

/// A text that is one of ours has the pairs; of another, as isl itself prints them, nothing is said.
pub(super) fn judge(op: &str, args: &[Value], result: &Value) -> Option<Verdict> {
    if !DESCRIBED.contains(&op) {
        return None;
    }
    let Expected::Value(mut right) = expected(op, args, false) else { return None };
    let mut given = result.clone();
    right.as_object_mut()?.remove("isl");
    let text = given.as_object_mut().and_then(|fields| fields.remove("isl"));
    if !same(&right, &given) {
        return Some(Verdict::wrong("value", format!("the answer is {right}")));
    }
    match text.as_ref().and_then(Value::as_str).and_then(text_pairs) {
        Some(pairs) if pairs != right["graph"] => {
            Some(Verdict::wrong("value", format!("the text has the pairs {pairs}, and not {}", right["graph"])))
        }
        _ => Some(Verdict::Right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn another_text_of_the_same_pairs_is_right() {
        let args = [json!({"shape": 3, "stride": 2})];
        let answered = |text: &str, last: u32| {
            let graph = json!([[[0], [0]], [[1], [2]], [[2], [last]]]);
            let least = json!([[[0], [0]], [[2], [1]], [[4], [2]]]);
            let result = json!({"isl": text, "graph": graph, "least_preimages": least, "gaps": [1, 3]});
            judge("relation_of", &args, &result)
        };
        assert_eq!(answered("{ [i0] -> [2i0] : 0 <= i0 <= 2 }", 4), Some(Verdict::Right));
        assert_eq!(answered("{ [c] -> [c + c] : 0 <= c < 3 }", 4), Some(Verdict::Right));
        assert!(matches!(answered("{ [c] -> [c] : 0 <= c < 3 }", 4), Some(Verdict::Wrong(_))));
        assert!(matches!(answered("{ [i0] -> [2i0] : 0 <= i0 <= 2 }", 5), Some(Verdict::Wrong(_))));
        assert_eq!(judge("layout_from_relation", &args, &json!(0)), None);
    }
}
