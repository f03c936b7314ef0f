//! Shared memory, byte by byte: which word and bank each byte of an access lies in.

use super::expected::Expected;
use super::find::LIST;
use super::reading::integer;
use super::refusal::{Refusal, Result};
use super::shape::limit;
use crate::tree::read_int;
use num_bigint::BigInt;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The operations of this module.
pub const NAMES: [&str; 2] = ["bank_access", "sectors"];

/// What the definition says of a request.
pub(super) fn expected(op: &str, args: &[Value]) -> Expected {
    match run(op, args) {
        Ok(expected) => expected,
        Err(Refusal(code)) => Expected::Refused(code),
    }
}

fn run(op: &str, args: &[Value]) -> Result<Expected> {
    let [Value::Array(addresses), bytes] = args else {
        return Err(Refusal(if args.len() == 2 { "parse" } else { "arity" }));
    };
    let addresses: Vec<BigInt> = addresses.iter().map(read_int).collect::<Option<_>>().ok_or(Refusal("parse"))?;
    let bytes: i64 = integer(bytes)?.try_into().map_err(|_| Refusal("out_of_domain"))?;
    if addresses.iter().any(|a| *a < BigInt::from(0) || *a >= limit()) || ![1, 2, 4, 8, 16].contains(&bytes) {
        return Err(Refusal("out_of_domain"));
    }
    if addresses.iter().any(|a| a + bytes > limit()) {
        return Err(Refusal("overflow"));
    }
    if addresses.len() > LIST as usize {
        return Ok(Expected::Unjudged);
    }
    let all = |lanes: &[BigInt]| lanes.iter().flat_map(|a| (0..bytes).map(move |i| a + i)).collect::<Vec<_>>();
    if op == "sectors" {
        let units = |size: u32| all(&addresses).iter().map(|byte| byte / size).collect::<BTreeSet<_>>().len();
        return Ok(Expected::Value(json!({"sectors": units(32), "lines": units(128)})));
    }
    let served = match bytes {
        16 => 8,
        8 => 16,
        _ => 32,
    };
    let phase = |lanes: &[BigInt]| {
        let mut banks: BTreeMap<BigInt, BTreeSet<BigInt>> = BTreeMap::new();
        for byte in all(lanes) {
            banks.entry(byte.clone() % 128 / 4).or_default().insert(byte / 4);
        }
        banks.values().map(BTreeSet::len).max().unwrap_or_default()
    };
    Ok(Expected::Value(addresses.chunks(served).map(phase).collect()))
}
