//! The sequence of cases: the same for every peer, and for every way to split it.

use super::Plan;
use crate::generate::{Rng, request};
use serde_json::Value;
use std::str::FromStr;

/// The most parts that a sequence is split into.
const MAX_SHARDS: u64 = 1_000_000;

/// One part of several of a sequence: case `k` belongs to shard `k mod of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// which part, from 0 on
    pub index: u64,
    /// how many parts
    pub of: u64,
}

impl Shard {
    /// Everything.
    pub const ALL: Shard = Shard { index: 0, of: 1 };

    /// How many of the first `total` cases belong to this part.
    pub fn count(self, total: u64) -> u64 {
        total.saturating_sub(self.index).div_ceil(self.of.max(1))
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/').map(|(i, n)| (i.parse(), n.parse()));
        match parts {
            Some((Ok(index), Ok(of))) if index < of && of <= MAX_SHARDS => Ok(Shard { index, of }),
            _ => Err(format!("write i/n with i below n, and n at most {MAX_SHARDS}, such as 0/4")),
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// place in the whole sequence
    pub number: u64,
    /// place of the operation in the plan
    pub op: usize,
    /// what is asked
    pub request: Value,
}

/// Sizes up to which layouts are drawn; every third case may go to the edge of 64 bits.
const SIZES: [u64; 3] = [1 << 10, 1 << 14, u64::MAX];

impl Plan {
    /// How many cases there are in all shards together.
    pub fn total(&self) -> u64 {
        (self.ops.len() as u64).saturating_mul(self.cases)
    }

    /// Case `number` of the sequence. A case of an operation does not depend on which others are asked about.
    pub fn case(&self, number: u64) -> Case {
        let ops = self.ops.len().max(1) as u64;
        let round = number / ops;
        // one further each round: a shard whose number divides the operations' gets all of them all the same
        let op = usize::try_from((number + round) % ops).unwrap_or(0);
        let name = self.ops.get(op).map_or("", String::as_str);
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        let mut rng = Rng::new(Rng::new(self.seed ^ hash).bits().wrapping_add(round));
        let size = *rng.pick(&SIZES);
        Case { number, op, request: request(&mut rng, number, name, size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn plan(ops: &[&str]) -> Plan {
        Plan {
            command: String::new(),
            ops: ops.iter().map(|op| (*op).to_owned()).collect(),
            cases: 50,
            seed: 1,
            shard: Shard::ALL,
            jobs: 1,
            batch: None,
            timeout: Duration::ZERO,
            start_timeout: Duration::ZERO,
            exact: false,
            examples: 1,
        }
    }

    #[test]
    fn shards_split_the_sequence() {
        for of in 1..9 {
            let counts = (0..of).map(|index| Shard { index, of }.count(100));
            assert_eq!(counts.sum::<u64>(), 100);
        }
        assert!("2/2".parse::<Shard>().is_err() && "1".parse::<Shard>().is_err());
        assert_eq!("1/2".parse(), Ok(Shard { index: 1, of: 2 }));
    }

    #[test]
    fn every_shard_asks_about_every_operation() {
        let plan = plan(&["complement", "composition", "left_inverse", "right_inverse"]);
        for index in 0..4 {
            let mut seen: Vec<usize> = (0..plan.total()).filter(|k| k % 4 == index).map(|k| plan.case(k).op).collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen, [0, 1, 2, 3]);
        }
    }

    #[test]
    fn a_case_does_not_depend_on_the_other_operations() {
        let (few, many) = (plan(&["composition"]), plan(&["complement", "composition"]));
        let args = |plan: &Plan| -> Vec<String> {
            let all = (0..plan.total()).map(|k| plan.case(k).request);
            all.filter(|request| request["op"] == "composition").map(|request| request["args"].to_string()).collect()
        };
        assert_eq!(args(&few), args(&many));
    }
}
