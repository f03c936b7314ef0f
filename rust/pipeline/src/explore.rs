//! All orders of events, one state after another.

use crate::fault::{Fault, Law};
use crate::machine::{Did, Machine, is_local, rank};
use crate::program::Operation;
use crate::state::State;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// Decisions that one role may be ahead of another.
const AHEAD: usize = 256;
/// Operations of one step.
const MERGED: usize = 64;
/// Groups of one unit that a role may have in flight.
const GROUPS: usize = 256;

/// One step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// the role, or the TMA unit
    pub who: String,
    /// what it does
    pub what: String,
    /// the barriers after the step that the trace touches somewhere: name, phase, pending arrivals, tx-count
    pub barriers: Vec<(String, i64, i64, i64)>,
}

/// How to explore.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// positions relative to the slowest role: for every trip count
    pub relative: bool,
    /// roles with the same program count as one
    pub symmetry: bool,
    /// accesses as long as they may be, in one step with the operation on a barrier
    pub merge: bool,
    /// states at most
    pub states: usize,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Explored {
    pub fault: Option<Fault>,
    pub states: usize,
    pub cut: Option<Cut>,
    pub trace: Vec<Event>,
}

/// Why an exploration did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// more states than allowed
    States(usize),
    /// a role that never waits for the others runs ahead of them
    Ahead,
    /// a role that never waits for its asynchronous groups
    Groups,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::States(most) => write!(f, "more than {most} states"),
            Self::Ahead => write!(f, "one role runs more than {AHEAD} trips ahead of another"),
            Self::Groups => write!(f, "a role has more than {GROUPS} asynchronous groups in flight"),
        }
    }
}

struct Step {
    state: State,
    who: Option<usize>,
    did: Did,
}

impl Machine<'_> {
    pub(crate) fn explore(&self, how: How) -> Explored {
        let symmetry = if how.symmetry { self.symmetry() } else { vec![] };
        let canonical = |s: State| self.canonical(s, how.relative, &symmetry);
        let mut known: HashMap<Rc<State>, u32> = HashMap::new();
        let mut order: Vec<Rc<State>> = vec![];
        let mut parents: Vec<u32> = vec![];
        let mut cut = None;
        let mut add = |s: State, parent: u32, order: &mut Vec<Rc<State>>, parents: &mut Vec<u32>| {
            let next = u32::try_from(order.len()).unwrap_or(u32::MAX);
            if !known.contains_key(&s) {
                let s = Rc::new(s);
                known.insert(Rc::clone(&s), next);
                order.push(s);
                parents.push(parent);
            }
        };
        let found = |fault, states, trace, cut| Explored { fault, states, cut, trace };
        add(canonical(self.initial()), u32::MAX, &mut order, &mut parents);
        let mut at = 0;
        let mut steps = vec![];
        while at < order.len() {
            if order.len() > how.states {
                cut = Some(Cut::States(how.states));
                break;
            }
            let state = Rc::clone(&order[at]);
            // a role that runs ahead of the others without end
            if state.tapes.iter().any(|t| t.len() > AHEAD) {
                cut = Some(Cut::Ahead);
                break;
            }
            if state.roles.iter().any(|r| r.groups.iter().any(|g| g.len() > GROUPS)) {
                cut = Some(Cut::Groups);
                break;
            }
            let fault = match self.steps(&state, how.merge, &mut steps) {
                Err(fault) => Some(fault),
                Ok(()) if steps.is_empty() => self.last(&state),
                Ok(()) => None,
            };
            if fault.is_some() {
                let trace = self.trace(&order, &parents, at, &canonical, how.merge);
                return found(fault, order.len(), trace, None);
            }
            for step in steps.drain(..) {
                add(canonical(step.state), u32::try_from(at).unwrap_or(u32::MAX), &mut order, &mut parents);
            }
            at += 1;
        }
        found(None, order.len(), vec![], cut)
    }

    /// Roles with the same program, two or more. A role that waits at a named barrier is known by its number.
    fn symmetry(&self) -> Vec<Vec<usize>> {
        let roles = &self.program.roles;
        if roles.iter().any(|r| r.code.iter().any(|i| matches!(i.operation, Operation::Sync { .. }))) {
            return vec![];
        }
        let groups = roles.iter().map(|r| r.group + 1).max().unwrap_or(0);
        let members = |g| (0..roles.len()).filter(|&r| roles[r].group == g).collect::<Vec<_>>();
        (0..groups).map(members).filter(|m| m.len() > 1).collect()
    }

    /// Everything that may happen next.
    fn steps(&self, state: &State, merge: bool, found: &mut Vec<Step>) -> Result<(), Fault> {
        found.clear();
        for (r, me) in state.roles.iter().enumerate() {
            let exited = matches!(self.program.roles[r].code[me.at].operation, Operation::Exit);
            if !exited && !state.named.iter().any(|n| n.waiting.contains(&r)) {
                self.step(state, r, merge, found)?;
            }
        }
        for (i, flight) in state.flight.iter().enumerate() {
            if i > 0 && state.flight[i - 1] == *flight {
                continue;
            }
            let cta = self.program.buffers[self.program.buffer_slots[flight.buffer].0].cta;
            if !self.cta_alive(state, cta) {
                let message = format!("TMA writes {}, and CTA {cta} has exited", self.buffer_name(flight.buffer));
                return Err(Fault::new(Law::ExitedCta, message));
            }
            let mut next = state.clone();
            next.flight.remove(i);
            Self::end_access(&mut next, flight.buffer, flight.tile, true);
            next.barriers[flight.barrier].tx -= flight.bytes;
            self.settle(&mut next, flight.barrier)?;
            let words = if self.words {
                format!(
                    "{} lands: complete_tx {} {}",
                    self.buffer_name(flight.buffer),
                    self.barrier_name(flight.barrier),
                    flight.bytes
                )
            } else {
                String::new()
            };
            found.push(Step { state: next, who: None, did: Did { words, barrier: Some(flight.barrier) } });
        }
        Ok(())
    }

    /// One step of role `r`: what ends, as late as it may; one operation on a barrier; what begins, as soon as it may.
    fn step(&self, state: &State, r: usize, merge: bool, found: &mut Vec<Step>) -> Result<(), Fault> {
        // the state, what was done, the highest rank so far, how many operations, and whether a decision was taken on the way
        let mut work = vec![(state.clone(), Did::default(), 0_u8, 0_usize, false)];
        while let Some((s, did, stage, taken, decided)) = work.pop() {
            let operation = &self.program.roles[r].code[s.roles[r].at].operation;
            let rank = rank(operation);
            let on = taken == 0 || (merge && taken < MERGED && (rank > stage || (rank == stage && stage != 1)));
            if matches!(operation, Operation::Exit) || !on {
                found.push(Step { state: s, who: Some(r), did });
                continue;
            }
            let join = |more: Did| Did {
                words: match (did.words.is_empty(), more.words.is_empty()) {
                    (true, _) => more.words,
                    (_, true) => did.words.clone(),
                    _ => format!("{}; {}", did.words, more.words),
                },
                barrier: more.barrier.or(did.barrier),
            };
            if is_local(operation) {
                if taken > 0 {
                    found.push(Step { state: s, who: Some(r), did });
                    continue;
                }
                let mut after = vec![];
                self.local(s, r, &mut after)?;
                work.extend(after.into_iter().map(|t| (t, did.clone(), stage, taken + 1, true)));
                continue;
            }
            if matches!(operation, Operation::Sync { .. }) {
                let (next, moved, more) = self.named(&s, r)?;
                let mut states = vec![next];
                for &m in &moved {
                    let mut after = vec![];
                    for mut t in states {
                        t.roles[m].at += 1;
                        self.local(t, m, &mut after)?;
                    }
                    states = after;
                }
                let did = join(more);
                for t in states {
                    if moved.contains(&r) && merge {
                        work.push((t, did.clone(), 2, taken + 1, decided));
                    } else {
                        found.push(Step { state: t, who: Some(r), did: did.clone() });
                    }
                }
                continue;
            }
            let Some((mut next, more)) = self.operate(&s, r)? else {
                // What ends waits for the operation that is blocked: the state before stands for this one. Not where a decision was
                // taken: there the other branch may go on, and would hide that this one does not.
                if taken > 0 && (decided || stage != 0 || rank == 0) {
                    found.push(Step { state: s, who: Some(r), did });
                }
                continue;
            };
            let did = join(more);
            next.roles[r].at += 1;
            let mut after = vec![];
            self.local(next, r, &mut after)?;
            let decided = decided || after.len() > 1;
            for t in after {
                work.push((t, did.clone(), stage.max(rank), taken + 1, decided));
            }
        }
        Ok(())
    }

    /// Nothing can happen any more: is it the end?
    fn last(&self, state: &State) -> Option<Fault> {
        let stuck: Vec<String> = (state.roles.iter().enumerate())
            .filter(|(r, s)| !matches!(self.program.roles[*r].code[s.at].operation, Operation::Exit))
            .map(|(r, _)| self.place(state, r))
            .collect();
        if !stuck.is_empty() {
            return Some(Fault::new(Law::Deadlock, stuck.join("; ")));
        }
        let (slot, b) = state.barriers.iter().enumerate().find(|(_, b)| b.tx != 0)?;
        Some(Fault::new(Law::Transactions, format!("{} ends with tx-count {}", self.barrier_name(slot), b.tx)))
    }

    /// The way to state `at`: each step is found again, with words.
    fn trace(
        &self,
        order: &[Rc<State>],
        parents: &[u32],
        at: usize,
        canonical: &impl Fn(State) -> State,
        merge: bool,
    ) -> Vec<Event> {
        let mut way = vec![at];
        while let Ok(parent) = usize::try_from(parents[way[way.len() - 1]]) {
            if parent >= order.len() {
                break;
            }
            way.push(parent);
        }
        way.reverse();
        let speaking = Machine {
            program: self.program,
            values: self.values.clone(),
            hardware: self.hardware,
            words: true,
            constants: self.constants.clone(),
        };
        let mut events = vec![];
        let mut touched = vec![];
        let mut steps = vec![];
        for pair in way.windows(2) {
            let (before, after) = (&order[pair[0]], &order[pair[1]]);
            // it succeeded without words
            if speaking.steps(before, merge, &mut steps).is_err() {
                break;
            }
            if let Some(step) = steps.drain(..).find(|s| canonical(s.state.clone()) == **after) {
                touched.extend(step.did.barrier);
                let who = step.who.map_or("TMA".to_owned(), |r| self.program.roles[r].name.clone());
                events.push((who, step.did.words, after));
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let row = |state: &State| {
            let cell = |&slot: &usize| {
                let b = state.barriers[slot];
                (self.barrier_name(slot), b.phase, b.pending, b.tx)
            };
            touched.iter().map(cell).collect()
        };
        events.into_iter().map(|(who, what, state)| Event { who, what, barriers: row(state) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::How;
    use crate::machine::Machine;
    use crate::parse;
    use std::path::Path;

    /// Steps that are not merged, and roles with names of their own, are the plain reading: it decides alike. And what holds for every
    /// trip count holds for each.
    #[test]
    fn reductions_change_no_verdict() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pipelines");
        let (mut compared, mut held) = (0, 0);
        for file in std::fs::read_dir(folder).unwrap() {
            let file = file.unwrap().path();
            let text = std::fs::read_to_string(&file).unwrap();
            let program = parse(&text).unwrap();
            let short = How { relative: false, symmetry: true, merge: true, states: 60_000 };
            let every = program.fixed_only().is_none() && {
                let open = vec![None; program.parameters.len()];
                let all = Machine::new(&program, open).explore(How { relative: true, ..short });
                all.fault.is_none() && all.cut.is_none()
            };
            for trips in 0..=3 {
                let values = program.parameters.iter().map(|p| (!p.condition).then_some(trips.max(p.least))).collect();
                let machine = Machine::new(&program, values);
                let merged = machine.explore(short);
                let plain = machine.explore(How { symmetry: false, merge: false, ..short });
                if merged.cut.is_some() || (plain.cut.is_some() && plain.fault.is_none()) {
                    continue;
                }
                let name = file.display();
                assert_eq!(merged.fault.is_some(), plain.fault.is_some(), "{name}, {trips}: {merged:?} {plain:?}");
                assert!(!every || plain.fault.is_none(), "{name}, {trips}: {plain:?}");
                compared += 1;
                held += usize::from(every);
            }
        }
        assert!(compared >= 120 && held >= 30, "{compared} compared, {held} of them held for every trip count");
    }
}
