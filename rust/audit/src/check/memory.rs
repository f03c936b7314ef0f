//! What Python says of shared memory and launches: the rules of [`spots`](super::spots), asked for everything that the code lists.

use std::collections::BTreeSet;

use super::cover::Budget;
use super::spots::asked;
use super::verdicts::Verdicts;
use crate::eval::Program;
use crate::finding::Code;
use crate::python::Placed;
use crate::survey::Spot;

/// Asks the rules about every place.
pub fn check(program: &Program<'_>, all: &[Placed], verdicts: &mut Verdicts) {
    let mut budget = Budget::default();
    let mut seen = BTreeSet::new();
    let mut by_size = Vec::new();
    for placed in all {
        let spot = Spot::known(placed.site, placed.name);
        let place = super::constant::place(program, placed.site);
        let mut look = |fact: &Option<_>| {
            let said = fact.as_ref().and_then(|fact| asked(program, &spot, fact, false, &mut budget));
            said.map(|(code, defect)| defect.finding(code, place)).into_iter().collect()
        };
        let mut own = Verdicts::default();
        super::listed::wrong(&placed.facts, &mut own, &mut look);
        for finding in own.findings {
            // Where a block has too few threads, that is said.
            let refused = finding.code == Code::BlockBeyond && seen.contains(&(placed.site, Code::BlockThreads));
            if refused || !seen.insert((placed.site, finding.code)) {
                continue;
            }
            match finding.code {
                Code::SizedArray => by_size.push((place, finding)),
                _ => verdicts.find(finding),
            }
        }
    }
    super::once::add(by_size, verdicts);
}
