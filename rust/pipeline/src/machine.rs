//! What one operation does, and the laws that it may break.

use crate::expression::Expression;
use crate::fault::{Fault, Law};
use crate::program::{Access, Operation, Place, Program, Unit};
use crate::state::{BarrierState, BufferState, GONE, NOTHING, Named, OLD, RoleState, State};

/// The PTX bound of a tx-count.
const TX: i64 = (1 << 20) - 1;
/// No run within the bounds comes to such a phase.
const PHASES: i64 = 1 << 40;
/// Decisions that one step takes at most.
const DECISIONS: u8 = 8;
/// `bar.sync` and `bar.arrive` count warps, also those of which one thread is active.
const WARP: i64 = 32;

/// A program with its parameters: numbers, or left open.
pub(crate) struct Machine<'a> {
    pub program: &'a Program,
    /// the value of each trip count; none where decisions say it
    pub values: Vec<Option<i64>>,
    /// only what the hardware sees: a wait in a wrong phase goes by its parity
    pub hardware: bool,
    /// say in words what happens
    pub words: bool,
    pub(crate) constants: Vec<(String, i64)>,
}

/// Whether an instruction is of the role alone, and takes no time.
pub(crate) fn is_local(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Enter(_)
            | Operation::Head { .. }
            | Operation::Jump(_)
            | Operation::Maybe { .. }
            | Operation::Next(_)
            | Operation::Reset(_)
    )
}

/// What ends an access may be late, what begins one may be soon: between two operations on barriers nobody can tell.
pub(crate) fn rank(operation: &Operation) -> u8 {
    match operation {
        Operation::End { .. } | Operation::GroupWait { .. } => 0,
        Operation::Wait { .. } | Operation::Arrive { .. } | Operation::Expect { .. } | Operation::Sync { .. } => 1,
        Operation::Exit => 3,
        _ => 2,
    }
}

/// What an operation did: the words for it, and the barrier slot that it touched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Did {
    pub words: String,
    pub barrier: Option<usize>,
}

type Changed<T> = Result<T, Fault>;

impl<'a> Machine<'a> {
    pub fn new(program: &'a Program, values: Vec<Option<i64>>) -> Self {
        let constants = program.constants.iter().map(|(n, v)| (n.clone(), *v)).collect();
        Self { program, values, hardware: false, words: false, constants }
    }

    pub fn initial(&self) -> State {
        let p = self.program;
        let role = RoleState {
            at: 0,
            counts: vec![0; p.pipes.len()],
            loops: vec![],
            groups: [vec![], vec![], vec![]],
            decided: vec![0; p.parameters.len()],
        };
        State {
            roles: vec![role; p.roles.len()],
            barriers: p
                .barrier_slots
                .iter()
                .map(|&(b, _)| BarrierState { phase: 0, pending: p.barriers[b].count, tx: 0, seen: true })
                .collect(),
            buffers: vec![BufferState { tile: NOTHING, writers: 0, readers: 0 }; p.buffer_slots.len()],
            flight: vec![],
            named: vec![],
            tapes: vec![vec![]; p.parameters.len()],
        }
    }

    fn evaluate(&self, expression: &Expression, counts: &[i64]) -> Option<i64> {
        let p = self.program;
        expression.value(&|name| {
            if let Some((pipe, what)) = name.split_once('.') {
                let i = p.pipes.iter().position(|x| x.name == pipe)?;
                let stages = p.pipes[i].stages;
                return match what {
                    "count" => Some(counts[i]),
                    "index" => Some(counts[i].rem_euclid(stages)),
                    "phase" => Some(counts[i].div_euclid(stages)),
                    _ => None,
                };
            }
            if let Some((_, value)) = self.constants.iter().find(|(n, _)| n == name) {
                return Some(*value);
            }
            p.parameters.iter().position(|x| x.name == name).and_then(|i| self.values[i])
        })
    }

    /// The slot of a place, and the position that it is of.
    fn slot(&self, place: Place, first: usize, counts: &[i64]) -> (usize, Option<i64>) {
        match place.pipe {
            None => (first, None),
            Some(pipe) => {
                let n = counts[pipe] - place.back;
                let stage = n.rem_euclid(self.program.pipes[pipe].stages);
                (first + usize::try_from(stage).unwrap_or(0), Some(n))
            }
        }
    }

    fn barrier(&self, place: Place, counts: &[i64]) -> (usize, Option<i64>) {
        self.slot(place, self.program.barriers[place.of].first, counts)
    }

    fn buffer(&self, place: Place, counts: &[i64]) -> (usize, Option<i64>) {
        self.slot(place, self.program.buffers[place.of].first, counts)
    }

    pub fn barrier_name(&self, slot: usize) -> String {
        let (b, stage) = self.program.barrier_slots[slot];
        let barrier = &self.program.barriers[b];
        if barrier.pipe.is_some() { format!("{}[{stage}]", barrier.name) } else { barrier.name.clone() }
    }

    pub fn buffer_name(&self, slot: usize) -> String {
        let (b, stage) = self.program.buffer_slots[slot];
        let buffer = &self.program.buffers[b];
        if buffer.pipe.is_some() { format!("{}[{stage}]", buffer.name) } else { buffer.name.clone() }
    }

    fn say(&self, words: impl FnOnce() -> String) -> String {
        if self.words { words() } else { String::new() }
    }

    /// Whether the CTA still has a role that has not exited. A CTA without roles does not exit.
    pub fn cta_alive(&self, state: &State, cta: i64) -> bool {
        let mut here = self.program.roles.iter().zip(&state.roles).filter(|(r, _)| r.cta == cta).peekable();
        here.peek().is_none() || here.any(|(r, s)| !matches!(r.code[s.at].operation, Operation::Exit))
    }

    /// The phase completes if nothing is missing.
    pub fn settle(&self, state: &mut State, slot: usize) -> Changed<()> {
        let count = self.program.barriers[self.program.barrier_slots[slot].0].count;
        let b = &mut state.barriers[slot];
        if b.tx.abs() > TX {
            let tx = b.tx;
            return Err(Fault::new(
                Law::TxRange,
                format!("the tx-count of {} is {tx}, outside ±(2^20 - 1)", self.barrier_name(slot)),
            ));
        }
        if b.pending == 0 && b.tx == 0 {
            *b = BarrierState { phase: b.phase + 1, pending: count, tx: 0, seen: false };
        }
        Ok(())
    }

    fn arrive(&self, state: &mut State, slot: usize, n: i64, who: &str) -> Changed<()> {
        let barrier = &self.program.barriers[self.program.barrier_slots[slot].0];
        if !self.cta_alive(state, barrier.cta) {
            let message = format!("{who} arrives on {}, and CTA {} has exited", self.barrier_name(slot), barrier.cta);
            return Err(Fault::new(Law::ExitedCta, message));
        }
        let b = state.barriers[slot];
        if !self.hardware && !b.seen {
            let message = format!(
                "{who} arrives on {} in phase {}, and no wait has observed that phase {} is complete",
                self.barrier_name(slot),
                b.phase,
                b.phase - 1
            );
            return Err(Fault::new(Law::UnobservedPhase, message));
        }
        if b.pending < n {
            let message = format!(
                "{who} arrives {n} on {}, which has {} of {} arrivals pending",
                self.barrier_name(slot),
                b.pending,
                barrier.count
            );
            return Err(Fault::new(Law::OverArrival, message));
        }
        state.barriers[slot].pending -= n;
        self.settle(state, slot)
    }

    fn begin_read(&self, state: &mut State, slot: usize, tile: Option<i64>, who: &str) -> Changed<()> {
        let b = state.buffers[slot];
        if b.writers > 0 {
            return Err(Fault::new(Law::Race, format!("{who} reads {} while it is written", self.buffer_name(slot))));
        }
        if b.tile == NOTHING || tile.is_some_and(|n| n != b.tile) {
            let holds = match b.tile {
                NOTHING => "nothing yet".to_owned(),
                OLD => "an older tile".to_owned(),
                n => format!("the tile of trip {n}"),
            };
            let wants = tile.map_or(String::new(), |n| format!(" for trip {n}"));
            return Err(Fault::new(
                Law::WrongTile,
                format!("{who} reads {}{wants}, and it holds {holds}", self.buffer_name(slot)),
            ));
        }
        state.buffers[slot].readers += 1;
        Ok(())
    }

    fn begin_write(&self, state: &mut State, slot: usize, who: &str) -> Changed<()> {
        let b = state.buffers[slot];
        if b.readers > 0 || b.writers > 0 {
            let how = if b.readers > 0 { "read" } else { "written" };
            return Err(Fault::new(
                Law::Race,
                format!("{who} overwrites {} while it is {how}", self.buffer_name(slot)),
            ));
        }
        state.buffers[slot].writers += 1;
        Ok(())
    }

    pub fn end_access(state: &mut State, slot: usize, tile: i64, writes: bool) {
        let b = &mut state.buffers[slot];
        if writes {
            b.writers -= 1;
            b.tile = tile;
        } else {
            b.readers -= 1;
        }
    }

    /// The operation of role `r`, without named barriers: none if it is blocked. The role has not gone on in the answer yet.
    pub fn operate(&self, state: &State, r: usize) -> Changed<Option<(State, Did)>> {
        let role = &self.program.roles[r];
        let who = role.name.as_str();
        let me = &state.roles[r];
        let counts = &me.counts;
        let mut did = Did::default();
        let mut next;
        match &role.code[me.at].operation {
            Operation::Wait { on, shift, phase } => {
                let (slot, n) = self.barrier(*on, counts);
                let base = match (phase, on.pipe) {
                    (Some(e), _) => self.evaluate(e, counts).ok_or_else(|| {
                        let message =
                            format!("{who}: the phase of the wait on {} has no value", self.barrier_name(slot));
                        Fault::new(Law::Phase, message)
                    })?,
                    (None, Some(pipe)) => n.unwrap_or(0).div_euclid(self.program.pipes[pipe].stages),
                    (None, None) => 0,
                };
                if base.abs() > PHASES {
                    let message = format!("{who} waits on {} for phase {base}", self.barrier_name(slot));
                    return Err(Fault::new(Law::Phase, message));
                }
                let want = base + shift;
                let b = state.barriers[slot];
                if !self.hardware && b.phase != want && b.phase != want + 1 {
                    let name = self.barrier_name(slot);
                    let parity = want.rem_euclid(2);
                    let blocks = b.phase.rem_euclid(2) == parity;
                    let message = if b.phase < want {
                        let then = if blocks { "waits for that phase instead" } else { "passes at once" };
                        format!(
                            "{who} waits on {name} for phase {want}, and phase {} is not complete: parity {parity} {then}",
                            b.phase
                        )
                    } else {
                        format!(
                            "{who} waits on {name} for phase {want}, and phase {} is complete as well: parity {parity} now means phase {}",
                            b.phase - 1,
                            if blocks { b.phase } else { b.phase - 1 }
                        )
                    };
                    return Err(Fault::new(Law::Phase, message));
                }
                if b.phase.rem_euclid(2) == want.rem_euclid(2) {
                    return Ok(None);
                }
                next = state.clone();
                next.barriers[slot].seen = true;
                did.barrier = Some(slot);
                did.words = self
                    .say(|| format!("wait {} parity {} (phase {want})", self.barrier_name(slot), want.rem_euclid(2)));
            }
            Operation::Arrive { on, count, each } => {
                let (slot, _) = self.barrier(*on, counts);
                next = state.clone();
                for _ in 0..*each {
                    self.arrive(&mut next, slot, *count, who)?;
                }
                did.barrier = Some(slot);
                did.words = self.say(|| {
                    let times = if *each > 1 { format!(" × {each}") } else { String::new() };
                    let n = if *count > 1 { format!(" count {count}") } else { String::new() };
                    format!("arrive {}{n}{times}", self.barrier_name(slot))
                });
            }
            Operation::Expect { on, bytes, arrives } => {
                let (slot, _) = self.barrier(*on, counts);
                next = state.clone();
                let b = &mut next.barriers[slot];
                b.tx += bytes;
                if b.tx.abs() > TX {
                    let tx = b.tx;
                    let message =
                        format!("{who}: the tx-count of {} becomes {tx}, outside ±(2^20 - 1)", self.barrier_name(slot));
                    return Err(Fault::new(Law::TxRange, message));
                }
                self.settle(&mut next, slot)?;
                if *arrives {
                    self.arrive(&mut next, slot, 1, who)?;
                }
                did.barrier = Some(slot);
                did.words = self.say(|| {
                    let name = if *arrives { "arrive.expect_tx" } else { "expect_tx" };
                    format!("{name} {} {bytes}", self.barrier_name(slot))
                });
            }
            Operation::Tma { into, on, bytes } => {
                let (buffer, n) = self.buffer(*into, counts);
                let (barrier, _) = self.barrier(*on, counts);
                next = state.clone();
                self.begin_write(&mut next, buffer, &format!("the TMA load of {who}"))?;
                let flight = crate::state::Flight { buffer, barrier, bytes: *bytes, tile: n.unwrap_or(0) };
                let at = next.flight.partition_point(|f| *f < flight);
                next.flight.insert(at, flight);
                did.words =
                    self.say(|| format!("tma {} → {} {bytes}", self.buffer_name(buffer), self.barrier_name(barrier)));
            }
            Operation::Begin { of, kind } => {
                let (slot, n) = self.buffer(*of, counts);
                next = state.clone();
                match kind {
                    Access::Read => self.begin_read(&mut next, slot, n, who)?,
                    Access::Write => self.begin_write(&mut next, slot, who)?,
                }
                did.words = self.say(|| {
                    format!("{} {}", if *kind == Access::Read { "read" } else { "write" }, self.buffer_name(slot))
                });
            }
            Operation::End { of, writes } => {
                let (slot, n) = self.buffer(*of, counts);
                next = state.clone();
                Self::end_access(&mut next, slot, n.unwrap_or(0), *writes);
            }
            Operation::Group { of, unit } => {
                next = state.clone();
                let mut entry = (None, 0);
                if let Some(of) = of {
                    let (slot, n) = self.buffer(*of, counts);
                    if unit.writes() {
                        self.begin_write(&mut next, slot, &format!("cp.async of {who}"))?;
                    } else {
                        self.begin_read(&mut next, slot, n, who)?;
                    }
                    entry = (Some(slot), n.unwrap_or(0));
                }
                next.roles[r].groups[unit.index()].push(entry);
                did.words = self.say(|| match entry.0 {
                    Some(slot) => format!("{} {}", unit.name(), self.buffer_name(slot)),
                    None => "commit an empty group".to_owned(),
                });
            }
            Operation::GroupWait { unit, left } => {
                next = state.clone();
                let queue = &mut next.roles[r].groups[unit.index()];
                let done: Vec<_> = queue.drain(..queue.len().saturating_sub(*left)).collect();
                for (slot, tile) in done {
                    if let Some(slot) = slot {
                        Self::end_access(&mut next, slot, tile, unit.writes());
                    }
                }
                did.words = self.say(|| format!("wait until at most {left} groups of {} are in flight", unit.name()));
            }
            other => unreachable!("local or named: {other:?}"),
        }
        Ok(Some((next, did)))
    }

    /// `bar.sync` and `bar.arrive`: the state, and the roles that go on.
    pub fn named(&self, state: &State, r: usize) -> Changed<(State, Vec<usize>, Did)> {
        let role = &self.program.roles[r];
        let Operation::Sync { id, threads, waits } = role.code[state.roles[r].at].operation else {
            unreachable!("a named barrier")
        };
        let who = &role.name;
        let mut next = state.clone();
        // one barrier per CTA
        let key = role.cta * 16 + id;
        let at = next.named.partition_point(|n| n.id < key);
        if next.named.get(at).is_none_or(|n| n.id != key) {
            next.named.insert(at, Named { id: key, threads, arrived: 0, waiting: vec![] });
        }
        let named = &mut next.named[at];
        if named.threads != threads {
            let message =
                format!("{who} uses barrier {id} with {threads} threads while it is in use with {}", named.threads);
            return Err(Fault::new(Law::NamedBarrier, message));
        }
        named.arrived += (role.threads + WARP - 1) / WARP * WARP;
        if named.arrived > threads {
            let message =
                format!("with {who}, {} threads have arrived at barrier {id}, which takes {threads}", named.arrived);
            return Err(Fault::new(Law::NamedBarrier, message));
        }
        if waits {
            named.waiting.push(r);
        }
        let complete = named.arrived == threads;
        let mut on = if waits { vec![] } else { vec![r] };
        if complete {
            on.append(&mut named.waiting);
            next.named.remove(at);
        }
        let words = self.say(|| {
            let name = if waits { "bar.sync" } else { "bar.arrive" };
            format!("{name} {id}, {threads}{}", if complete { " completes" } else { "" })
        });
        Ok((next, on, Did { words, barrier: None }))
    }

    /// Loops, positions and decisions of role `r`: all states that they may lead to. They go on to the next operation, but not past
    /// one trip without any, nor past eight decisions; a role may rest between local instructions.
    pub fn local(&self, state: State, r: usize, found: &mut Vec<State>) -> Changed<()> {
        let role = &self.program.roles[r];
        let mut work = vec![(state, false, 0_u8)];
        while let Some((mut s, again, decisions)) = work.pop() {
            let me = &mut s.roles[r];
            match &role.code[me.at].operation {
                Operation::Enter(count) => {
                    let parameter = self.program.decided(count).filter(|&i| self.values[i].is_none());
                    if let Some(parameter) = parameter {
                        me.loops.push(None);
                        // the first trip of a loop that has one needs no decision
                        me.at += if self.program.parameters[parameter].least > 0 { 2 } else { 1 };
                    } else {
                        let counts = me.counts.clone();
                        let trips = self.evaluate(count, &counts).ok_or_else(|| {
                            let line = role.code[s.roles[r].at].line;
                            Fault::new(
                                Law::Deadlock,
                                format!("{}: the number of trips of line {line} has no value", role.name),
                            )
                        })?;
                        let me = &mut s.roles[r];
                        me.loops.push(Some(trips));
                        me.at += 1;
                    }
                    work.push((s, again, decisions));
                }
                Operation::Head { parameter, exit } => match me.loops.last().copied().flatten() {
                    Some(left) if left > 0 => {
                        if let Some(last) = me.loops.last_mut() {
                            *last = Some(left - 1);
                        }
                        me.at += 1;
                        work.push((s, again, decisions));
                    }
                    Some(_) => {
                        me.loops.pop();
                        me.at = *exit;
                        work.push((s, again, decisions));
                    }
                    None if decisions == DECISIONS => found.push(s),
                    None => {
                        let parameter = parameter.unwrap_or(0);
                        for (more, mut t) in decide(s, r, parameter) {
                            let me = &mut t.roles[r];
                            if more {
                                me.at += 1;
                            } else {
                                me.loops.pop();
                                me.at = *exit;
                            }
                            work.push((t, again, decisions + 1));
                        }
                    }
                },
                Operation::Maybe { .. } if decisions == DECISIONS => found.push(s),
                Operation::Maybe { parameter, exit } => {
                    for (more, mut t) in decide(s, r, *parameter) {
                        let me = &mut t.roles[r];
                        me.at = if more { me.at + 1 } else { *exit };
                        work.push((t, again, decisions + 1));
                    }
                }
                Operation::Jump(to) => {
                    me.at = *to;
                    // a trip without an operation: the role rests between trips
                    if again {
                        found.push(s);
                    } else {
                        work.push((s, true, decisions));
                    }
                }
                Operation::Next(pipe) => {
                    me.counts[*pipe] += 1;
                    me.at += 1;
                    work.push((s, again, decisions));
                }
                Operation::Reset(pipe) => {
                    // stage 0 and parity 0 again: what the hardware sees of the next position that has both
                    let round = 2 * self.program.pipes[*pipe].stages;
                    let count = &mut me.counts[*pipe];
                    *count = -(-*count).div_euclid(round) * round;
                    me.at += 1;
                    work.push((s, again, decisions));
                }
                Operation::Exit => {
                    if me.groups.iter().any(|g| !g.is_empty()) {
                        let units = [Unit::Mma, Unit::Store, Unit::CpAsync];
                        let unit = units.into_iter().find(|u| !me.groups[u.index()].is_empty()).map_or("", Unit::name);
                        let message = format!("{} exits while groups of {unit} still use shared memory", role.name);
                        return Err(Fault::new(Law::ExitInFlight, message));
                    }
                    me.decided.fill(GONE);
                    found.push(s);
                }
                _ => found.push(s),
            }
        }
        Ok(())
    }

    /// Where a role stands, for a deadlock.
    pub fn place(&self, state: &State, r: usize) -> String {
        let role = &self.program.roles[r];
        let me = &state.roles[r];
        let instruction = &role.code[me.at];
        match &instruction.operation {
            Operation::Wait { on, .. } => {
                let (slot, _) = self.barrier(*on, &me.counts);
                let b = state.barriers[slot];
                let count = self.program.barriers[on.of].count;
                let arrivals = format!("{} of {count} arrivals", b.pending);
                let missing = match b.tx {
                    0 => format!("{arrivals} are missing"),
                    1.. => format!("{arrivals} and {} bytes are missing", b.tx),
                    _ => format!("{arrivals} are missing, and {} bytes arrived that are not expected", -b.tx),
                };
                let name = self.barrier_name(slot);
                format!("{} waits on {name} in phase {}: {missing} (line {})", role.name, b.phase, instruction.line)
            }
            Operation::Sync { id, threads, .. } => {
                format!(
                    "{} waits at barrier {id}, which takes {threads} threads (line {})",
                    role.name, instruction.line
                )
            }
            _ => format!("{} cannot go on at line {}", role.name, instruction.line),
        }
    }
}

/// The next decision of role `r`: the one that is on the tape, or both.
fn decide(mut state: State, r: usize, parameter: usize) -> Vec<(bool, State)> {
    let at = state.roles[r].decided[parameter];
    state.roles[r].decided[parameter] = at + 1;
    if let Some(&taken) = state.tapes[parameter].get(at) {
        return vec![(taken, state)];
    }
    let mut other = state.clone();
    state.tapes[parameter].push(true);
    other.tapes[parameter].push(false);
    vec![(true, state), (false, other)]
}
