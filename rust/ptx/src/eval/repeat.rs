//! Loops.

use super::state::{Content, Guard, State};
use super::{Flow, MOST_TURNS, Machine, Stop, content};
use crate::domain::{Kind, Symbol, SymbolId, Value, ones};
use std::collections::BTreeMap;

/// What a register does in a loop that is generalised.
#[derive(Debug, Clone, PartialEq)]
enum Change {
    /// It steps by the same in every turn.
    Step(Value),
    /// It differs from its first value by a multiple of 2^zeros, that is the same for a warp or not, and a part of which is an
    /// address or not.
    Free { uniform: bool, zeros: u32, base: bool },
    /// Nothing is known of it.
    Lost,
}

impl Machine<'_> {
    /// Evaluates a loop from the state at its entry.
    pub(crate) fn run_loop(&mut self, number: usize, header: usize, entry: &State) -> Result<Flow, Stop> {
        if let Some(flow) = self.walk(number, header, entry)? {
            return Ok(flow);
        }
        self.generalise(number, header, entry)
    }

    /// Whether one of the branches of threads that come back reconverges within the loop but behind its header: what follows there
    /// is executed in a later turn of these threads.
    fn late<'a>(&self, number: usize, header: usize, guards: impl IntoIterator<Item = &'a Guard>) -> bool {
        let body = &self.graph.loops[number].body;
        let within = |block: usize| body.contains(&block);
        guards
            .into_iter()
            .any(|guard| within(guard.0) && self.graph.after[guard.0].is_some_and(|x| x != header && within(x)))
    }

    /// What is known of a loop whose threads meet in different turns: of its accesses nothing, and by tests that are the same for
    /// a warp in one turn its threads may go different ways.
    fn mixed(&mut self, number: usize, (accesses, barriers): (usize, usize), flow: &mut Flow) {
        for access in &mut self.accesses[accesses..] {
            access.open.get_or_insert("lanes of a warp may be in different turns of the loop");
            access.part = true;
        }
        for barrier in &mut self.barriers[barriers..] {
            barrier.sure = false;
        }
        flow.ragged = true;
        flow.undecided = true;
        let body = &self.graph.loops[number].body;
        for (_, state) in &mut flow.exits {
            let own: Vec<_> = state.whole.iter().filter(|guard| body.contains(&guard.0)).copied().collect();
            state.split.extend(own.iter().copied());
            state.apart.extend(own);
        }
    }

    /// Turn by turn, as long as every exit is decided for every thread; none where one is not, or where the turns of threads differ.
    fn walk(&mut self, number: usize, header: usize, entry: &State) -> Result<Option<Flow>, Stop> {
        let (visit, accesses, barriers) = (self.visit, self.accesses.len(), self.barriers.len());
        let mut all = Flow { exits: Vec::new(), back: None, ragged: false, undecided: false };
        let mut state = entry.clone();
        let mut turn = 0;
        let walked = loop {
            turn += 1;
            self.visit = self.enter(number, turn);
            let flow = self.region(Some(number), header, state);
            self.visit = visit;
            let flow = flow?;
            let late = flow.back.as_ref().is_some_and(|back| self.late(number, header, back.apart.union(&back.whole)));
            if flow.undecided || late || turn == MOST_TURNS {
                break false;
            }
            all.exits.extend(flow.exits);
            match flow.back {
                Some(back) => state = back,
                None => break true,
            }
        };
        if walked {
            return Ok(Some(all));
        }
        self.accesses.truncate(accesses);
        self.barriers.truncate(barriers);
        Ok(None)
    }

    fn generalise(&mut self, number: usize, header: usize, entry: &State) -> Result<Flow, Stop> {
        let (visit, recording) = (self.visit, self.recording);
        self.visit = self.enter(number, 0);
        self.loops.push(u32::try_from(number).unwrap_or(u32::MAX));
        self.loops.sort_unstable();
        self.recording = false;
        let result = self.repeat_until_stable(number, header, entry, recording);
        self.visit = visit;
        self.recording = recording;
        let own = u32::try_from(number).unwrap_or(u32::MAX);
        self.loops.retain(|x| *x != own);
        let mut flow = result?;
        if flow.ragged {
            for (_, state) in &mut flow.exits {
                self.own_symbols(state, own);
            }
        }
        Ok(flow)
    }

    fn repeat_until_stable(
        &mut self,
        number: usize,
        header: usize,
        entry: &State,
        recording: bool,
    ) -> Result<Flow, Stop> {
        let own = u32::try_from(number).unwrap_or(u32::MAX);
        let kind = Kind::Counter(own, self.visit);
        let loops: std::rc::Rc<[u32]> = self.loops.clone().into();
        let counter = Symbol { kind, uniform: true, zeros: 0, most: u64::MAX, data: false, base: false, loops };
        let counter = self.symbols.get(counter);
        let mut changes: BTreeMap<usize, Change> = BTreeMap::new();
        let mut start = entry.clone();
        let mut pass = 0;
        let (accesses, barriers) = (self.accesses.len(), self.barriers.len());
        loop {
            let state = self.header_state(number, &start, &changes, counter);
            let mut flow = self.region(Some(number), header, state.clone())?;
            let Some(back) = &flow.back else {
                if self.recording == recording {
                    return Ok(flow);
                }
                self.recording = recording;
                continue;
            };
            let mut stable = true;
            // guards inside the loop that a later turn begins with, and threads that have left
            let mut more = start.split.clone();
            more.extend(back.split.iter().copied());
            if back.mask != start.mask {
                let body = &self.graph.loops[number].body;
                let leaves = |b: &usize| {
                    let block = &self.graph.blocks[*b];
                    block.taken.iter().copied().chain(block.next).any(|to| !body.contains(&to))
                        || block.taken.is_empty()
                };
                more.extend(body.iter().copied().filter(leaves).map(|b| (b, usize::MAX, self.visit)));
            }
            if more != start.split || !back.whole.is_subset(&start.whole) || !back.apart.is_subset(&start.apart) {
                start.split = more;
                start.apart.extend(back.apart.iter().copied());
                start.whole.extend(back.whole.iter().copied());
                stable = false;
            }
            pass += 1;
            for register in 0..state.registers.len() {
                let next = self.next_change(own, (&start, &state, back), register, changes.get(&register), pass);
                if next.as_ref() != changes.get(&register) {
                    stable = false;
                    if let Some(next) = next {
                        changes.insert(register, next);
                    }
                }
            }
            if stable && self.recording == recording {
                if self.late(number, header, &back.apart) {
                    self.mixed(number, (accesses, barriers), &mut flow);
                }
                return Ok(flow);
            }
            self.accesses.truncate(accesses);
            self.barriers.truncate(barriers);
            self.recording = stable && recording;
            if stable && !recording {
                return Ok(flow);
            }
        }
    }

    /// What a register does, after one turn from `state` to `back`. It only becomes less.
    fn next_change(
        &mut self,
        own: u32,
        (start, state, back): (&State, &State, &State),
        register: usize,
        now: Option<&Change>,
        pass: u32,
    ) -> Option<Change> {
        if now == Some(&Change::Lost) {
            return Some(Change::Lost);
        }
        let first = start.registers[register].as_ref()?;
        let lost = Some(Change::Lost);
        let Some(last) = &back.registers[register] else { return lost };
        let (first, here, last) = match (first, &state.registers[register], last) {
            (Content::Value(first), Some(Content::Value(here)), Content::Value(last)) => (first, here, last),
            (first, _, last) => return if first == last { None } else { lost },
        };
        if last.bits < first.bits {
            return lost;
        }
        let last = last.narrow(first.bits);
        let zero = Value { bits: first.bits, ..Value::number(0) };
        let step = last.sub(here).choose(&zero, &back.mask, self.threads);
        let constant = step.terms.iter().all(|(s, _)| !self.symbols.of(*s).loops.contains(&own));
        match now {
            None if step == zero => return None,
            None if constant && pass < 8 => return Some(Change::Step(step)),
            Some(Change::Step(before)) if step == before.choose(&zero, &back.mask, self.threads) => {
                return now.cloned();
            }
            // the first guess may come from a register that was not yet generalised
            Some(Change::Step(_)) if constant && pass < 4 => return Some(Change::Step(step)),
            _ => {}
        }
        let all = last.sub(first).choose(&zero, &back.mask, self.threads);
        let zeros = all.trailing_zeros(&self.symbols, &back.mask).min(63);
        let uniform = all.is_uniform(&self.symbols, &back.mask);
        let base = all.has_base(&self.symbols, &back.mask);
        Some(match now {
            Some(Change::Free { uniform: before, zeros: least, base: address }) => {
                let zeros = if pass < 12 {
                    zeros.min(*least)
                } else if zeros < *least {
                    0
                } else {
                    *least
                };
                Change::Free { uniform: uniform && *before, zeros, base: base || *address }
            }
            _ => Change::Free { uniform, zeros, base },
        })
    }

    fn header_state(
        &mut self,
        number: usize,
        start: &State,
        changes: &BTreeMap<usize, Change>,
        counter: SymbolId,
    ) -> State {
        let mut state = start.clone();
        for (register, change) in changes {
            let Some(Content::Value(first)) = &start.registers[*register] else {
                state.registers[*register] = None;
                continue;
            };
            let first = (**first).clone();
            state.registers[*register] = match change {
                Change::Lost => None,
                Change::Step(by) => {
                    let mask = state.mask.clone();
                    let times = by.mul(&Value::symbol(counter, 64), &mut self.context(0, &mask));
                    Some(content(first.add(&times)))
                }
                Change::Free { uniform, zeros, base } => {
                    let (number, at) =
                        (u32::try_from(number).unwrap_or(u32::MAX), u32::try_from(*register).unwrap_or(u32::MAX));
                    let kind = Kind::Carried(number, at, self.visit);
                    let loops = self.loops.clone().into();
                    let most = ones(first.bits);
                    let (uniform, zeros, base) = (*uniform, *zeros, *base);
                    let id = self.symbols.get(Symbol { kind, uniform, zeros, most, data: false, base, loops });
                    Some(content(first.add(&Value::symbol(id, first.bits))))
                }
            };
        }
        state
    }

    /// Threads that left a loop in different turns have its symbols each as they were then.
    fn own_symbols(&mut self, state: &mut State, own: u32) {
        let new = |id: SymbolId, this: &mut Self| {
            let symbol = this.symbols.of(id).clone();
            if !symbol.uniform || !symbol.loops.contains(&own) {
                return id;
            }
            let loops: Vec<u32> = symbol.loops.iter().copied().filter(|x| *x != own).collect();
            this.symbols.get(Symbol { kind: Kind::Own(id), uniform: false, loops: loops.into(), ..symbol })
        };
        for content in state.registers.iter_mut().flatten() {
            match content {
                Content::Value(value) => {
                    if value
                        .terms
                        .iter()
                        .any(|(s, _)| self.symbols.of(*s).uniform && self.symbols.of(*s).loops.contains(&own))
                    {
                        let mut sum = Value { terms: Vec::new(), ..(**value).clone() };
                        for (s, factor) in &value.terms {
                            let id = new(*s, self);
                            sum = sum.add(&Value::symbol(id, value.bits).scale(factor));
                        }
                        *value = std::rc::Rc::new(sum);
                    }
                }
                Content::Pred(pred) => {
                    if let Some((s, negated)) = pred.other {
                        let id = new(s, self);
                        *pred =
                            std::rc::Rc::new(crate::domain::Pred { other: Some((id, negated)), ..(**pred).clone() });
                    }
                }
            }
        }
    }
}
