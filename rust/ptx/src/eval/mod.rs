//! Evaluates a kernel for all threads of a block at once.
//!
//! Loops whose exits are decided for every thread are walked turn by turn. Others are generalised: a register that steps by
//! the same in every turn becomes affine in the loop's counter, one that changes otherwise becomes a symbol; that is repeated
//! until a turn of the loop confirms it. Warps are taken to reconverge at the immediate postdominator of a branch.

mod graph;
mod join;
mod memory;
mod repeat;
mod state;
mod step;

use crate::domain::{Mask, Pred, Symbols, Value};
use crate::read::{Kernel, Module};
use graph::Graph;
pub use memory::{Access, Barrier, Space};
use state::{Content, State};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// What is assumed of a launch.
#[derive(Debug, Clone, Default)]
pub struct Launch {
    /// Threads of a block, where the kernel has no `.reqntid`.
    pub block: Option<[u32; 3]>,
    /// Blocks of the grid.
    pub grid: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: Option<u64>,
    /// Values of parameters, by name or by `param_0` or by the number.
    pub params: BTreeMap<String, u64>,
}

/// Units of work: one instruction for 32 threads.
pub const MOST_WORK: u64 = 60_000_000;
/// Most turns of a loop that are walked.
pub const MOST_TURNS: u32 = 1024;

/// Why a kernel was not evaluated to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// No block's shape is known.
    Shape,
    /// A block of no threads, or of more than `.maxntid` or 1024.
    Launch,
    /// A way into a loop beside its header.
    Irreducible,
    /// A function, not a kernel: who calls it with what is not known.
    Function,
    /// More than [`MOST_WORK`].
    Work,
}

impl Stop {
    /// In words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Shape => "the shape of the block is not known: pass --block, for example --block 32x8",
            Self::Launch => "a block must have 1 to 1024 threads, and no more than .maxntid",
            Self::Function => "a function that kernels call is not evaluated by itself",
            Self::Irreducible => "a loop has two entries",
            Self::Work => "the kernel needs more work than the limit",
        }
    }
}

/// What was seen.
#[derive(Debug)]
pub struct Outcome {
    /// Threads of the block, if known.
    pub block: Option<[u32; 3]>,
    /// All accesses in the order of evaluation.
    pub accesses: Vec<Access>,
    /// All barriers.
    pub barriers: Vec<Barrier>,
    /// All symbols.
    pub symbols: Symbols,
    /// Calls that were not followed.
    pub calls: usize,
    /// Why it ended early.
    pub stop: Option<Stop>,
}

pub(crate) struct Machine<'a> {
    pub kernel: &'a Kernel,
    pub module: &'a Module,
    pub launch: &'a Launch,
    pub graph: Graph,
    pub block: [u32; 3],
    pub threads: usize,
    pub symbols: Symbols,
    pub loops: Vec<u32>,
    pub visit: u32,
    visits: HashMap<(u32, u32, u32), u32>,
    pub recording: bool,
    pub accesses: Vec<Access>,
    pub barriers: Vec<Barrier>,
    pub calls: std::collections::BTreeSet<u32>,
    work: u64,
    made: u32,
}

/// What leaves a region: to which block, in which state; and what comes back to its header.
pub(crate) struct Flow {
    pub exits: Vec<(usize, State)>,
    pub back: Option<State>,
    /// A branch out of the region that threads of a warp may take differently.
    pub ragged: bool,
    /// A branch out of the region that is not decided for every thread.
    pub undecided: bool,
}

/// Evaluates a kernel.
pub fn evaluate(module: &Module, kernel: &Kernel, launch: &Launch) -> Outcome {
    // a launch of another shape than `.reqntid` fails
    let block = kernel.required.or(launch.block);
    let mut outcome = Outcome {
        block,
        accesses: Vec::new(),
        barriers: Vec::new(),
        symbols: Symbols::default(),
        calls: 0,
        stop: Some(Stop::Shape),
    };
    let Some(block) = block else { return outcome };
    let count = |shape: [u32; 3]| shape.iter().try_fold(1u32, |all, x| all.checked_mul(*x)).unwrap_or(u32::MAX);
    let most = kernel.most.map_or(1024, count).min(1024);
    let threads = count(block);
    if !(1..=most).contains(&threads) {
        outcome.stop = Some(Stop::Launch);
        return outcome;
    }
    if !kernel.entry {
        outcome.stop = Some(Stop::Function);
        return outcome;
    }
    let graph = match Graph::of(kernel) {
        Ok(graph) => graph,
        Err(stop) => {
            outcome.stop = Some(stop);
            return outcome;
        }
    };
    let threads = threads as usize;
    let mut machine = Machine {
        kernel,
        module,
        launch,
        graph,
        block,
        threads,
        symbols: Symbols::default(),
        loops: Vec::new(),
        visit: 0,
        visits: HashMap::new(),
        recording: true,
        accesses: Vec::new(),
        barriers: Vec::new(),
        calls: std::collections::BTreeSet::new(),
        work: 0,
        made: 0,
    };
    let state = State {
        registers: vec![None; kernel.registers.len()],
        mask: Mask::all(threads),
        apart: std::collections::BTreeSet::new(),
        split: std::collections::BTreeSet::new(),
        whole: std::collections::BTreeSet::new(),
    };
    outcome.stop = if kernel.code.is_empty() { None } else { machine.region(None, 0, state).err() };
    // of what was not evaluated to the end nothing is certain
    if outcome.stop.is_none() {
        outcome.accesses = machine.accesses;
        outcome.barriers = machine.barriers;
    }
    outcome.symbols = machine.symbols;
    outcome.calls = machine.calls.len();
    outcome
}

impl Machine<'_> {
    /// The number of a turn of a loop (0: generalised) at this place of the evaluation.
    fn enter(&mut self, number: usize, turn: u32) -> u32 {
        let next = u32::try_from(self.visits.len() + 1).unwrap_or(u32::MAX);
        *self.visits.entry((self.visit, u32::try_from(number).unwrap_or(u32::MAX), turn)).or_insert(next)
    }

    /// Evaluates the blocks of a loop, or all, from a header once.
    fn region(&mut self, inside: Option<usize>, header: usize, entry: State) -> Result<Flow, Stop> {
        let mut flow = Flow { exits: Vec::new(), back: None, ragged: false, undecided: false };
        let mut pending: HashMap<usize, Vec<State>> = HashMap::new();
        pending.insert(header, vec![entry]);
        let order: Vec<usize> = match inside {
            None => self.graph.order.clone(),
            Some(l) => self.graph.loops[l].order.clone(),
        };
        let mut back = Vec::new();
        for b in order {
            let Some(states) = pending.remove(&b) else { continue };
            let mut state = self.join_all(b, states);
            state.reconverge(b, &self.graph.after);
            let inner = self.graph.headers[b].filter(|l| Some(*l) != inside);
            let out = match inner {
                Some(l) => {
                    let inner = self.run_loop(l, b, &state)?;
                    let leaves = |to: usize| inside.is_some_and(|l| !self.graph.loops[l].body.contains(&to));
                    if inner.exits.iter().any(|(to, _)| leaves(*to)) {
                        flow.ragged |= inner.ragged;
                        flow.undecided |= inner.undecided;
                    }
                    inner.exits
                }
                None => self.block(b, state, inside, &mut flow)?,
            };
            for (to, state) in out {
                if inside.is_some() && to == header {
                    back.push(state);
                } else if inside.is_some_and(|l| !self.graph.loops[l].body.contains(&to)) {
                    let body = inside.map(|l| &self.graph.loops[l].body);
                    flow.ragged |=
                        state.apart.union(&state.split).any(|guard| body.is_some_and(|x| x.contains(&guard.0)));
                    flow.exits.push((to, state));
                } else {
                    pending.entry(to).or_default().push(state);
                }
            }
        }
        if !back.is_empty() {
            let mut state = self.join_all(header, back);
            state.reconverge(header, &self.graph.after);
            flow.back = Some(state);
        }
        Ok(flow)
    }

    /// Evaluates the instructions of a block, and says where control goes.
    fn block(
        &mut self,
        b: usize,
        mut state: State,
        inside: Option<usize>,
        flow: &mut Flow,
    ) -> Result<Vec<(usize, State)>, Stop> {
        let block = self.graph.blocks[b].clone();
        let registers = self.kernel.registers.len() as u64 / 8;
        self.work += ((block.code.1 - block.code.0) as u64 + 1) * (self.threads.div_ceil(32) as u64) + registers;
        if self.work > MOST_WORK {
            return Err(Stop::Work);
        }
        let (mut taken, mut last) = (None, None);
        for i in block.code.0..block.code.1 {
            let instruction = &self.kernel.code[i];
            if graph::ends(&instruction.op) {
                self.made = 0;
                taken = Some(self.guard(instruction, i, &state));
                last = Some(instruction);
            } else {
                self.step(i, &mut state);
            }
        }
        let Some(pred) = taken else {
            return Ok(block.next.into_iter().map(|to| (to, state.clone())).collect());
        };
        let ways = block.taken.len().max(1);
        let leaves = |to: usize| inside.is_some_and(|l| !self.graph.loops[l].body.contains(&to));
        let exits =
            block.taken.iter().copied().chain(block.next).any(leaves) || (inside.is_some() && block.taken.is_empty());
        let mut uniform = pred.is_uniform(&self.symbols, &state.mask);
        let mut known = pred.open(self.threads).and(&state.mask).is_empty();
        if ways > 1 || last.is_some_and(|x| x.op == "brx") {
            // which target is not followed
            uniform = false;
            known = false;
        }
        let several = ways > 1 || block.next.is_some();
        flow.ragged |= exits && several && !uniform;
        flow.undecided |= exits && several && !known;
        let mut out = Vec::new();
        let mut arms: Vec<(usize, Option<usize>, Mask)> =
            block.taken.iter().enumerate().map(|(i, to)| (i + 1, Some(*to), state.mask.without(&pred.no))).collect();
        if let Some(next) = block.next {
            arms.push((0, Some(next), state.mask.without(&pred.yes)));
        }
        for (arm, to, mask) in arms {
            let (Some(to), false) = (to, mask.is_empty()) else { continue };
            let mut next = State { mask, ..state.clone() };
            let guard = (b, arm, self.visit);
            if !uniform {
                next.apart.insert(guard);
            }
            if !known {
                if uniform {
                    next.whole.insert(guard)
                } else {
                    next.split.insert(guard)
                };
            }
            out.push((to, next));
        }
        Ok(out)
    }

    /// The predicate of an instruction; always, without one.
    fn guard(&mut self, instruction: &crate::read::Instruction, number: usize, state: &State) -> Pred {
        let Some((register, negated)) = instruction.guard else { return Pred::known(self.threads, |_| true) };
        let pred = match state.registers.get(register as usize) {
            Some(Some(Content::Pred(pred))) => (**pred).clone(),
            _ => self.context(number, &state.mask).unknown_pred(),
        };
        if negated { pred.negate() } else { pred }
    }

    pub(crate) fn context<'b>(&'b mut self, number: usize, mask: &'b Mask) -> crate::domain::Context<'b> {
        crate::domain::Context {
            symbols: &mut self.symbols,
            threads: self.threads,
            mask,
            instruction: u32::try_from(number).unwrap_or(u32::MAX),
            visit: self.visit,
            loops: self.loops.clone().into(),
            made: &mut self.made,
        }
    }
}

impl crate::domain::Context<'_> {
    fn unknown_pred(&mut self) -> Pred {
        Pred::unknown(self, false, false)
    }
}

/// A content from a value.
pub(crate) fn content(value: Value) -> Content {
    Content::Value(Rc::new(value))
}
