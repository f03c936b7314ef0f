//! The verdict on a pipeline.

use crate::explore::{Event, Explored, How};
use crate::fault::Fault;
use crate::machine::Machine;
use crate::program::Program;

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// states of one exploration, and four times as many of all explorations with fixed trip counts together; what would need
    /// more is not decided. A state takes about 1 kB.
    pub states: usize,
    /// each trip count is tried from its least value up to this one
    pub trips: i64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { states: 500_000, trips: 8 }
    }
}

/// What is known of all trip counts at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TripCounts {
    /// every law holds for every trip count; the states that cover them
    Every {
        /// states, relative to the position in the ring
        states: usize,
    },
    /// not decided, and why
    Open(String),
}

/// A trip count that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// the values with which it fails, the least that were found
    pub parameters: Vec<(String, i64)>,
    /// the law that is broken
    pub fault: Fault,
    /// the events up to there
    pub trace: Vec<Event>,
    /// what the hardware shows of it
    pub hardware: Hardware,
    /// values that were tried before, with which every law holds
    pub holds: Vec<Vec<i64>>,
}

/// What the hardware shows with these trip counts, where a wait in a wrong phase goes by its parity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hardware {
    /// some order of events breaks this law
    Breaks(Fault),
    /// every order of events ends without a broken law
    Passes,
    /// not decided, and why
    Open(String),
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// the first failure
    pub failure: Option<Failure>,
    /// all trip counts at once
    pub every: TripCounts,
    /// the values that were tried one by one, with which every law holds
    pub tried: Vec<Vec<i64>>,
    /// states of the explorations with fixed values
    pub states: usize,
}

impl Verdict {
    /// Every law holds for every trip count.
    #[must_use]
    pub fn every_trip_count(&self) -> bool {
        self.failure.is_none() && matches!(self.every, TripCounts::Every { .. })
    }
}

/// Combinations of trip counts that are tried at most.
const COMBINATIONS: usize = 256;

/// Explores a pipeline: for every trip count at once where the text allows it, and else, or where that fails, for each trip count up
/// to the bound.
///
/// Cost: at most `6 * bounds.states` states, `bounds.states` of them in memory at a time.
#[must_use]
pub fn check(program: &Program, bounds: &Bounds) -> Verdict {
    let how = How { relative: false, symmetry: true, merge: true, states: bounds.states };
    let open = vec![None; program.parameters.len()];
    let every = match program.fixed_only() {
        Some(why) => TripCounts::Open(why),
        None => match Machine::new(program, open).explore(How { relative: true, ..how }) {
            Explored { cut: Some(cut), .. } => TripCounts::Open(cut.to_string()),
            Explored { fault: Some(fault), .. } => TripCounts::Open(format!("with some sequence of trips: {fault}")),
            Explored { states, .. } => TripCounts::Every { states },
        },
    };
    let mut verdict = Verdict { failure: None, every, tried: vec![], states: 0 };
    if verdict.every_trip_count() {
        return verdict;
    }
    for values in combinations(program, bounds.trips) {
        if verdict.states > 4 * bounds.states {
            verdict.every = TripCounts::Open(format!("more than {} states with fixed trip counts", 4 * bounds.states));
            return verdict;
        }
        let machine = Machine::new(program, values.clone());
        let found = machine.explore(how);
        verdict.states += found.states;
        if let Some(cut) = found.cut {
            verdict.every = TripCounts::Open(format!("{cut} with {}", shown(program, &values)));
            return verdict;
        }
        let numbers: Vec<i64> = values.iter().flatten().copied().collect();
        if let Some(fault) = found.fault {
            // roles keep their names where they are not taken for one another
            let named = machine.explore(How { symmetry: false, ..how });
            let (fault, trace) = match named {
                Explored { fault: Some(fault), trace, .. } => (fault, trace),
                _ => (fault, found.trace),
            };
            let mut hardware = Machine::new(program, values.clone());
            hardware.hardware = true;
            let hardware = match hardware.explore(how) {
                Explored { fault: Some(fault), .. } => Hardware::Breaks(fault),
                Explored { cut: Some(cut), .. } => Hardware::Open(cut.to_string()),
                _ => Hardware::Passes,
            };
            let names = program.parameters.iter().zip(&values);
            verdict.failure = Some(Failure {
                parameters: names.filter_map(|(p, v)| v.map(|v| (p.name.clone(), v))).collect(),
                fault,
                trace,
                hardware,
                holds: verdict.tried.clone(),
            });
            return verdict;
        }
        verdict.tried.push(numbers);
    }
    if program.trip_counts().next().is_none() {
        // The one exploration has left nothing open.
        verdict.every = TripCounts::Every { states: verdict.states };
    }
    verdict
}

fn shown(program: &Program, values: &[Option<i64>]) -> String {
    let names = program.parameters.iter().zip(values);
    let all: Vec<String> = names.filter_map(|(p, v)| v.map(|v| format!("{} = {v}", p.name))).collect();
    if all.is_empty() { "no trip count".to_owned() } else { all.join(", ") }
}

/// The values of the trip counts, the least sums first; conditions stay open.
fn combinations(program: &Program, most: i64) -> Vec<Vec<Option<i64>>> {
    let mut all = vec![vec![]];
    for p in &program.parameters {
        let range: Vec<Option<i64>> =
            if p.condition { vec![None] } else { (p.least..=most.max(p.least)).map(Some).collect() };
        all = all.iter().flat_map(|head: &Vec<_>| range.iter().map(|v| [head.as_slice(), &[*v]].concat())).collect();
        all.sort_by_key(|v: &Vec<Option<i64>>| v.iter().flatten().sum::<i64>());
        all.truncate(COMBINATIONS);
    }
    all
}
