//! What a peer says of itself, so that it is judged by what it promises.
//!
//! A peer that lists `hello` among its operations is asked for it once. What it cannot be given is not sent, and counted;
//! orders of modes are translated both ways; one-mode tuples are compared by its habit.

mod contract;
mod integers;
mod order;
mod unwrap;

pub use contract::Condition;

use crate::judge::{Excuse, Verdict, excuse, judge};
use crate::tree::read_int;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Why a request is outside of what a peer takes.
pub const BEYOND: &str = "beyond its integers";
/// A tuple without modes, for a peer that has none.
pub const RANK0: &str = "a tuple of no modes";
/// A list of modes that begins at the other end for a peer whose last mode is the fastest.
pub const OTHER_END: &str = "counted from the other end of its modes";

/// What a peer says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// its name, if it says
    pub name: Option<String>,
    /// its version, if it says
    pub version: Option<String>,
    /// bits of its integers, the sign among them; `None`: at least those of the protocol
    pub integer_bits: Option<u32>,
    /// whether its last mode is the fastest, where ours is the first
    pub last_fastest: bool,
    /// whether a tuple of one mode and that mode are the same to it
    pub unwraps_rank1: bool,
    /// whether it has no tuples without modes
    pub no_rank0: bool,
    /// what its operations ask of their first layout, by name in the protocol
    pub contract: BTreeMap<String, Condition>,
    /// the arguments that it answers for each operation, where it answers no others; these are asked in place of drawn ones
    pub requests: Option<BTreeMap<String, Vec<Value>>>,
}

impl Capabilities {
    /// Reads the result of `hello`: `{"peer":{…}}`. A field that is not there is as the protocol has it.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(result: &Value) -> Result<Capabilities, String> {
        let Some(peer) = result.get("peer").and_then(Value::as_object) else {
            return Err(format!("the result of hello is {{\"peer\":{{…}}}}, not {result}"));
        };
        let mut capabilities = Capabilities::default();
        for (field, value) in peer {
            let wrong = |wanted: &str| Err(format!("hello says \"{field}\": {value}; it has to be {wanted}"));
            match field.as_str() {
                "name" | "version" => {
                    let Some(text) = value.as_str() else { return wrong("a string") };
                    let place = if field == "name" { &mut capabilities.name } else { &mut capabilities.version };
                    *place = Some(text.to_owned());
                }
                "integer_bits" => match value.as_u64() {
                    Some(32) => capabilities.integer_bits = Some(32),
                    Some(64) => capabilities.integer_bits = Some(64),
                    _ => return wrong("32 or 64"),
                },
                "mode_order" => match value.as_str() {
                    Some("first") => capabilities.last_fastest = false,
                    Some("last") => capabilities.last_fastest = true,
                    _ => return wrong("\"first\" or \"last\""),
                },
                "unwraps_rank1" | "rank0" => {
                    let Some(truth) = value.as_bool() else { return wrong("true or false") };
                    if field == "rank0" { capabilities.no_rank0 = !truth } else { capabilities.unwraps_rank1 = truth }
                }
                "requests" => {
                    let list = |(op, all): (&String, &Value)| Some((op.clone(), all.as_array()?.clone()));
                    let fixed = value.as_object().and_then(|all| all.iter().map(list).collect());
                    if fixed.is_none() {
                        return wrong("a list of arguments for each operation");
                    }
                    capabilities.requests = fixed;
                }
                "contract" => {
                    let Some(conditions) = value.as_object() else { return wrong("an object") };
                    for (op, condition) in conditions {
                        let Some(condition) = condition.as_str().and_then(Condition::named) else {
                            return wrong(&format!("conditions among {}", Condition::NAMES.join(", ")));
                        };
                        capabilities.contract.insert(op.clone(), condition);
                    }
                }
                _ => return Err(format!("hello says \"{field}\", which the protocol does not know")),
            }
        }
        Ok(capabilities)
    }

    /// As JSON, in the form of `hello`.
    pub fn to_json(&self) -> Value {
        let contract: BTreeMap<&String, &str> = self.contract.iter().map(|(op, is)| (op, is.name())).collect();
        json!({
            "name": self.name,
            "version": self.version,
            "integer_bits": self.integer_bits,
            "mode_order": if self.last_fastest { "last" } else { "first" },
            "unwraps_rank1": self.unwraps_rank1,
            "rank0": !self.no_rank0,
            "contract": contract,
        })
    }

    /// What is asked in place of a drawn request, which is number `round` of its operation. Nothing where the peer has a fixed set
    /// of requests, and no more of them.
    pub fn fixed(&self, drawn: Value, round: u64) -> Option<Value> {
        let Some(requests) = &self.requests else { return Some(drawn) };
        let all = requests.get(op(&drawn)).filter(|_| drawn.get("mode").is_none())?;
        let args = all.get(usize::try_from(round).ok()?)?;
        Some(json!({"id": drawn["id"], "op": drawn["op"], "args": args}))
    }

    /// The request in the peer's own order, or why it is outside of what the peer takes.
    ///
    /// # Errors
    /// One of few phrases, to be counted by.
    pub fn outgoing(&self, request: &Value) -> Result<Value, &'static str> {
        if self.integer_bits.is_some_and(|bits| integers::beyond(request.get("args"), bits)) {
            return Err(BEYOND);
        }
        if self.no_rank0 && unwrap::has_rank0(request) {
            return Err(RANK0);
        }
        if let Some(why) = self.contract.get(op(request)).and_then(|condition| condition.excludes(request)) {
            return Err(why);
        }
        if !self.last_fastest {
            return Ok(request.clone());
        }
        // without its tuples of one mode, a layout may have more modes than the tiler beside it
        if self.unwraps_rank1 && order::outgoing(&unwrap::unwrapped_request(request)).is_none() {
            return Err(OTHER_END);
        }
        order::outgoing(request).ok_or(OTHER_END)
    }

    /// An answer of the peer in our order.
    pub fn incoming(&self, request: &Value, answer: Value) -> Value {
        if self.last_fastest { order::incoming(request, answer) } else { answer }
    }

    /// Judges an answer in our order by what the peer says of itself; `Err` when it is outside of that: why.
    ///
    /// # Errors
    /// One of few phrases, to be counted by.
    pub fn judge(&self, request: &Value, answer: &Value, exact: bool) -> Result<Verdict, &'static str> {
        let verdict = judge(request, answer, exact);
        let verdict = match verdict {
            Verdict::Wrong(_) if self.unwraps_rank1 => unwrap::judge(request, answer, exact).unwrap_or(verdict),
            verdict => verdict,
        };
        match verdict {
            Verdict::Wrong(ref wrong) if !exact => match excuse(request, answer, wrong) {
                Some(Excuse::Outside(why)) => Err(why),
                Some(Excuse::Extended(form)) => Ok(Verdict::Extended(form)),
                None => Ok(verdict),
            },
            // the answer would not fit its integers
            Verdict::RefusedThoughExists(_)
                if self.integer_bits.is_some_and(|bits| integers::needs_more(request, bits)) =>
            {
                Err(BEYOND)
            }
            other => Ok(other),
        }
    }
}

fn op(request: &Value) -> &str {
    request.get("op").and_then(Value::as_str).unwrap_or_default()
}

/// Whether some integer in a value is one that `is` holds for.
fn any_integer(value: &Value, is: &impl Fn(&num_bigint::BigInt) -> bool) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| any_integer(item, is)),
        Value::Object(fields) => fields.values().any(|field| any_integer(field, is)),
        leaf => read_int(leaf).is_some_and(|n| is(&n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_refused() {
        for wrong in [
            json!({"integer_bits": 16}),
            json!({"mode_order": "middle"}),
            json!({"rank0": 1}),
            json!({"contract": {"left_inverse": "pretty"}}),
            json!({"requests": {"size": 3}}),
            json!({"colour": "green"}),
        ] {
            let told = Capabilities::read(&json!({"peer": wrong}));
            assert!(told.is_err(), "{told:?}");
        }
        assert!(Capabilities::read(&json!("hello")).is_err());
        assert_eq!(Capabilities::read(&json!({"peer": {}})), Ok(Capabilities::default()));
    }

    #[test]
    fn a_fixed_set_is_asked_once() {
        let capabilities =
            Capabilities::read(&json!({"peer": {"requests": {"size": [[4], [[2, 3]]]}}})).expect("it is well said");
        let drawn = |op: &str| json!({"id": 7, "op": op, "args": [9]});
        assert_eq!(capabilities.fixed(drawn("size"), 1), Some(json!({"id": 7, "op": "size", "args": [[2, 3]]})));
        assert_eq!(capabilities.fixed(drawn("size"), 2), None);
        assert_eq!(capabilities.fixed(drawn("rank"), 0), None);
        assert_eq!(Capabilities::default().fixed(drawn("rank"), 5), Some(drawn("rank")));
    }

    #[test]
    fn outside_is_not_sent() {
        let capabilities = Capabilities::read(&json!({"peer": {
            "integer_bits": 32, "rank0": false, "contract": {"left_inverse": "injective"}}}));
        let capabilities = capabilities.expect("it is well said");
        let ask = |op: &str, args: Value| capabilities.outgoing(&json!({"id": 1, "op": op, "args": args}));
        assert_eq!(ask("size", json!([[4, 2_147_483_648_u64]])), Err(BEYOND));
        assert!(ask("size", json!([[4, 2_147_483_647_u64]])).is_ok());
        assert_eq!(ask("rank", json!([[4, []]])), Err(RANK0));
        assert_eq!(ask("slice", json!([3, {"shape": 4, "stride": 1}])), Err(RANK0));
        assert!(ask("left_inverse", json!([{"shape": [2, 2], "stride": [1, 1]}])).is_err());
        assert!(ask("left_inverse", json!([{"shape": [2, 2], "stride": [1, 3]}])).is_ok());
        assert!(ask("right_inverse", json!([{"shape": [2, 2], "stride": [1, 1]}])).is_ok());
    }
}
