//! Instructions that reach memory, and barriers.

use super::state::State;
use super::{Machine, content};
use crate::domain::{Kind, Lanes, Mask, Symbol, Value, ones};
use crate::read::{Instruction, Operand};

/// The name of the symbol for the beginning of shared memory among generic addresses.
const WINDOW: &str = "the window of shared memory";

/// Whether it is that symbol.
pub(super) fn is_window(kind: &Kind) -> bool {
    matches!(kind, Kind::Special(name) if name == WINDOW)
}

/// Parts of `wgmma` and `tcgen05` that order and allocate.
const ORDERS: [&str; 7] =
    ["fence", "commit_group", "wait_group", "wait", "alloc", "dealloc", "relinquish_alloc_permit"];

/// Instructions that reach memory even where none of their suffixes is a space.
const MEMORY: [&str; 13] = [
    "ld",
    "ldu",
    "st",
    "atom",
    "red",
    "cp",
    "ldmatrix",
    "stmatrix",
    "mbarrier",
    "multimem",
    "tensormap",
    "wgmma",
    "tcgen05",
];

/// A space of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Shared memory.
    Shared,
    /// Global memory.
    Global,
    /// A generic address of which the space is not known.
    Generic,
}

/// One evaluation of an access, or several that are equal.
#[derive(Debug, Clone)]
pub struct Access {
    /// The number of the instruction.
    pub instruction: usize,
    /// `ld`, `st`, `atom`, `red`, `cp.async`, `ldmatrix`, `stmatrix`, `call`; `other` for one that is not understood.
    pub kind: &'static str,
    /// Why nothing is said of its addresses.
    pub open: Option<&'static str>,
    /// Its space.
    pub space: Space,
    /// The byte address of each thread.
    pub address: Value,
    /// Bytes of each thread.
    pub bytes: u64,
    /// Threads that may do it.
    pub mask: Mask,
    /// An unknown part of those threads does it.
    pub part: bool,
    /// Each warp does it or not, all its threads of the mask together.
    pub whole: bool,
    /// It is in a loop that was not walked turn by turn.
    pub repeated: bool,
    /// How many evaluations.
    pub times: u64,
}

impl Access {
    /// About how many bytes it takes.
    pub(crate) fn heap(&self) -> usize {
        let lanes = |x: &Lanes| if let Lanes::Each(all) = x { all.len() * 8 } else { 0 };
        let terms: usize = self.address.terms.iter().map(|(_, factor)| 32 + lanes(factor)).sum();
        // what is found of it takes as much again
        2 * (256 + self.mask.warps().len() * 4 + lanes(&self.address.known) + terms)
    }

    /// Whether it is another evaluation of the same.
    fn equals(&self, other: &Self) -> bool {
        let flags = |x: &Self| (x.instruction, x.kind, x.open, x.space, x.bytes, x.part, x.whole, x.repeated);
        flags(self) == flags(other) && self.mask == other.mask && self.address == other.address
    }
}

/// One evaluation of a barrier.
#[derive(Debug, Clone)]
pub struct Barrier {
    /// The number of the instruction.
    pub instruction: usize,
    /// Threads that may reach it.
    pub mask: Mask,
    /// Whether the mask is exactly those.
    pub sure: bool,
    /// The count that it names.
    pub count: Option<u64>,
    /// Whether it names one.
    pub counted: bool,
}

impl Machine<'_> {
    /// The address, the space it names, and whether it is there.
    fn address(&mut self, number: usize, operand: &Operand, state: &State) -> Option<Value> {
        let Operand::Address(base, offset, _) = operand else { return None };
        let bits = match base.as_ref() {
            Operand::Register(r) => match state.registers.get(*r as usize) {
                Some(Some(super::Content::Value(v))) if v.bits < 64 => v.bits,
                _ => 64,
            },
            _ => 64,
        };
        let value = self.value(number, base, bits, state);
        if *offset == 0 {
            return Some(value);
        }
        Some(value.add(&Value::number(offset.cast_unsigned())))
    }

    fn space_of(&self, instruction: &Instruction, address: &Value) -> Option<Space> {
        for suffix in &instruction.suffixes {
            match suffix.split("::").next() {
                // the memory of another block of the cluster, or this one's
                Some("shared") if suffix == "shared::cluster" => return Some(Space::Generic),
                Some("shared") => return Some(Space::Shared),
                Some("global") => return Some(Space::Global),
                Some("local" | "param" | "const") => return None,
                _ => {}
            }
        }
        // a generic address that `cvta.shared` made, and no other part that may lead out of the window
        let window = |s: u32| is_window(&self.symbols.of(s).kind);
        let other = |s: u32| {
            let symbol = self.symbols.of(s);
            symbol.base && !window(s) && !matches!(symbol.kind, Kind::Variable(_))
        };
        let in_window = address.terms.iter().any(|(s, f)| window(*s) && *f == Lanes::Same(1));
        Some(if in_window && !address.terms.iter().any(|(s, _)| other(*s)) { Space::Shared } else { Space::Generic })
    }

    /// Where shared memory begins among generic addresses.
    pub(crate) fn window(&mut self, bits: u32) -> Value {
        self.uniform_symbol(Kind::Special(WINDOW.to_owned()), 24, u64::MAX, 64).narrow(bits)
    }

    /// The address in its space.
    fn in_space(&mut self, instruction: &Instruction, space: Space, address: Value) -> Value {
        let named = instruction.suffixes.iter().any(|x| x.split("::").next() == Some("shared"));
        if space == Space::Shared && !named {
            let window = self.window(address.bits);
            return address.sub(&window);
        }
        address
    }

    /// An instruction that reaches memory in a way that is not understood.
    fn record_open(&mut self, number: usize, kind: &'static str, space: Space, why: &'static str, state: &State) {
        if let Some(access) = self.access(number, kind, space, &Value::number(0), 0, state, 32) {
            self.keep(Access { open: Some(why), ..access });
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn record(
        &mut self,
        number: usize,
        kind: &'static str,
        space: Space,
        address: &Value,
        bytes: u64,
        state: &State,
        lanes: u32,
    ) {
        if let Some(access) = self.access(number, kind, space, address, bytes, state, lanes) {
            self.keep(access);
        }
    }

    /// Puts an access to the others, or counts it at the last of its instruction if that is equal.
    pub(crate) fn keep(&mut self, access: Access) {
        let which = (access.instruction, access.space);
        if let Some(at) = self.last.get(&which).filter(|at| **at >= self.floor)
            && let Some(before) = self.accesses.get_mut(*at)
            && before.equals(&access)
        {
            before.times = before.times.saturating_add(access.times);
            return;
        }
        self.last.insert(which, self.accesses.len());
        self.stored = self.stored.saturating_add(access.heap());
        self.accesses.push(access);
    }

    #[allow(clippy::too_many_arguments)]
    fn access(
        &mut self,
        number: usize,
        kind: &'static str,
        space: Space,
        address: &Value,
        bytes: u64,
        state: &State,
        lanes: u32,
    ) -> Option<Access> {
        if !self.recording {
            return None;
        }
        let instruction = &self.kernel.code[number];
        let guard = self.guard(instruction, number, state);
        let mut mask = state.mask.without(&guard.no);
        if lanes < 32 {
            let mut first = mask.none_like();
            (0..self.threads).filter(|t| t % 32 < lanes as usize).for_each(|t| first.insert(t));
            mask = mask.and(&first);
        }
        if mask.is_empty() {
            return None;
        }
        let known = guard.open(self.threads).and(&state.mask).is_empty();
        let uniform = guard.is_uniform(&self.symbols, &state.mask);
        Some(Access {
            instruction: number,
            kind,
            open: None,
            space,
            address: address.clone(),
            bytes,
            mask,
            part: !state.split.is_empty() || (!known && !uniform),
            whole: !state.whole.is_empty() || (!known && uniform),
            repeated: !self.loops.is_empty(),
            times: 1,
        })
    }

    /// Bytes of one element, and elements.
    fn elements(instruction: &Instruction) -> (u64, u64) {
        let one = instruction.suffixes.iter().rev().find_map(|x| super::step::type_bytes(x)).unwrap_or(4);
        let count = instruction.suffixes.iter().find_map(|x| match x.as_str() {
            "v2" => Some(2),
            "v4" => Some(4),
            "v8" => Some(8),
            _ => None,
        });
        (one, count.unwrap_or(1))
    }

    /// Evaluates it, if it is one of memory's.
    pub(crate) fn memory(&mut self, number: usize, state: &mut State) -> bool {
        let kernel = self.kernel;
        let instruction = &kernel.code[number];
        let operands = &instruction.operands;
        let (bytes, count) = Self::elements(instruction);
        if !instruction.is_understood() && !matches!(instruction.op.as_str(), "call" | "bar" | "barrier") {
            let space = |x: &str| instruction.suffixes.iter().any(|s| s.split("::").next() == Some(x));
            let outside = ["local", "param", "const"].iter().any(|x| space(x)) && !space("shared");
            let memory = space("shared")
                || space("global")
                || MEMORY.contains(&instruction.op.as_str())
                || operands.iter().any(|x| matches!(x, Operand::Address(..)));
            if memory && !outside {
                let space = match (space("shared"), space("global")) {
                    (true, false) => Space::Shared,
                    (false, true) => Space::Global,
                    _ => Space::Generic,
                };
                self.record_open(number, "other", space, "an operand that is not understood", state);
            }
            return false;
        }
        match instruction.op.as_str() {
            "ld" | "ldu" => {
                let [to, from, ..] = operands.as_slice() else {
                    self.record_open(number, "other", Space::Generic, "an instruction that is not understood", state);
                    return false;
                };
                if instruction.suffixes.iter().any(|x| x.starts_with("param")) {
                    self.parameters(number, to, from, bytes, state);
                    return true;
                }
                let Some(address) = self.address(number, from, state) else {
                    self.record_open(number, "other", Space::Generic, "an instruction that is not understood", state);
                    return false;
                };
                if let Some(space) = self.space_of(instruction, &address) {
                    let address = self.in_space(instruction, space, address.clone());
                    self.record(number, "ld", space, &address, bytes * count, state, 32);
                }
                let uniform = !instruction.has("local")
                    && address.is_uniform(&self.symbols, &state.mask)
                    && self.together(number, state);
                let bits = u32::try_from(bytes * 8).unwrap_or(128).min(64);
                let is_signed = instruction.suffixes.iter().any(|x| matches!(x.as_str(), "s8" | "s16" | "s32"));
                for register in Self::registers_of(to) {
                    let Some(register) = register else { continue };
                    let value = {
                        let mask = state.mask.clone();
                        let mut context = self.context(number, &mask);
                        let value = context.unknown(bits, uniform, true);
                        if bytes > 8 { context.unknown(64, false, true) } else { context.extend(&value, is_signed) }
                    };
                    self.set(number, register, content(value), state);
                }
                true
            }
            "st" => {
                if instruction.suffixes.iter().any(|x| x.starts_with("param")) {
                    return true;
                }
                if let Some(address) = operands.first().and_then(|x| self.address(number, x, state))
                    && let Some(space) = self.space_of(instruction, &address)
                {
                    let address = self.in_space(instruction, space, address);
                    self.record(number, "st", space, &address, bytes * count, state, 32);
                }
                true
            }
            "atom" | "red" => {
                let at = operands.iter().find(|x| matches!(x, Operand::Address(..)));
                if instruction.has("async") {
                    self.record_open(number, "other", Space::Generic, "an asynchronous reduction", state);
                } else if let Some(address) = at.and_then(|x| self.address(number, x, state))
                    && let Some(space) = self.space_of(instruction, &address)
                {
                    let address = self.in_space(instruction, space, address);
                    let kind = if instruction.op == "atom" { "atom" } else { "red" };
                    self.record(number, kind, space, &address, bytes * count, state, 32);
                }
                // the old value, if it is wanted
                false
            }
            "ldmatrix" | "stmatrix" => {
                let at = operands.iter().find(|x| matches!(x, Operand::Address(..)));
                let named = instruction.has("shared") || instruction.has("shared::cta");
                if !named || !instruction.has("m8n8") || !instruction.has("b16") {
                    let space = if named { Space::Shared } else { Space::Generic };
                    self.record_open(number, "other", space, "matrices of another shape, or a generic address", state);
                } else if let Some(address) = at.and_then(|x| self.address(number, x, state)) {
                    let lanes = if instruction.has("x4") {
                        32
                    } else if instruction.has("x2") {
                        16
                    } else {
                        8
                    };
                    let kind = if instruction.op == "ldmatrix" { "ldmatrix" } else { "stmatrix" };
                    self.record(number, kind, Space::Shared, &address, 16, state, lanes);
                }
                instruction.op == "stmatrix"
            }
            "cp" if instruction.suffixes.first().is_some_and(|x| x == "async")
                && (instruction.has("ca") || instruction.has("cg")) =>
            {
                let [to, from, size, ..] = operands.as_slice() else {
                    self.record_open(number, "other", Space::Generic, "an instruction that is not understood", state);
                    return false;
                };
                let size = self.value(number, size, 32, state).one();
                if let (Some(to), Some(from), Some(size)) =
                    (self.address(number, to, state), self.address(number, from, state), size)
                {
                    self.record(number, "cp.async", Space::Shared, &to, size, state, 32);
                    if operands.len() == 3 {
                        self.record(number, "cp.async", Space::Global, &from, size, state, 32);
                    } else {
                        self.record_open(number, "cp.async", Space::Global, "the bytes that are read", state);
                    }
                } else {
                    self.record_open(number, "cp.async", Space::Shared, "the bytes of the copy", state);
                }
                true
            }
            "bar" | "barrier" if !instruction.has("red") => {
                if self.recording
                    && !instruction.has("cluster")
                    && !instruction.has("arrive")
                    && !instruction.has("warp")
                {
                    let count = operands.get(1).map(|x| self.value(number, x, 32, state).one());
                    let guard = self.guard(instruction, number, state);
                    let known = guard.open(self.threads).and(&state.mask).is_empty();
                    self.barriers.push(Barrier {
                        instruction: number,
                        mask: state.mask.without(&guard.no),
                        sure: known && state.split.is_empty() && state.whole.is_empty(),
                        counted: count.is_some(),
                        count: count.flatten(),
                    });
                }
                true
            }
            "call" => {
                self.record_open(number, "call", Space::Generic, "a call is not followed", state);
                false
            }
            // tensor memory is a space of its own; `wgmma` and `tcgen05` reach shared memory by descriptors
            "wgmma" | "tcgen05" if !ORDERS.iter().any(|x| instruction.suffixes.iter().any(|s| s.starts_with(x))) => {
                self.record_open(number, "other", Space::Shared, "descriptors are not decoded", state);
                false
            }
            "prefetch" | "prefetchu" | "isspacep" | "cvta" | "mapa" => false,
            // whatever has an address and is not known
            _ if operands.iter().any(|x| matches!(x, Operand::Address(..))) => {
                let shared =
                    instruction.suffixes.iter().any(|x| x.starts_with("shared")) || instruction.op == "mbarrier";
                let space = if shared { Space::Shared } else { Space::Generic };
                self.record_open(number, "other", space, "an instruction that is not understood", state);
                false
            }
            _ => false,
        }
    }

    /// Whether threads of a warp that execute it do so at once: one access, one value.
    fn together(&self, number: usize, state: &State) -> bool {
        let weak = ["volatile", "relaxed", "acquire", "mmio"].iter().all(|x| !self.kernel.code[number].has(x));
        weak && state.split.is_empty() && !state.in_pieces()
    }

    /// `ld.param`: of a kernel's parameters, or of what a call returned.
    fn parameters(&mut self, number: usize, to: &Operand, from: &Operand, bytes: u64, state: &mut State) {
        let kernel = self.kernel;
        let base = match from {
            Operand::Address(base, offset, _) => match base.as_ref() {
                Operand::Name(name) => kernel.params.iter().position(|x| x.name == *name).map(|at| (at, *offset)),
                _ => None,
            },
            _ => None,
        };
        let bits = u32::try_from(bytes * 8).unwrap_or(64).min(64);
        let is_signed = kernel.code[number].suffixes.iter().any(|x| matches!(x.as_str(), "s8" | "s16" | "s32"));
        for (at, register) in Self::registers_of(to).into_iter().enumerate() {
            let Some(register) = register else { continue };
            let value = match base.filter(|_| kernel.entry && bytes <= 8) {
                None => {
                    let mask = state.mask.clone();
                    self.context(number, &mask).unknown(bits, false, true)
                }
                Some((position, offset)) => {
                    let parameter = &kernel.params[position];
                    let offset = offset.wrapping_add(i64::try_from(at as u64 * bytes).unwrap_or(0));
                    if let Some(x) = self.given(position).filter(|_| offset == 0 && parameter.bytes == Some(bytes)) {
                        Value::number(x & ones(bits)).narrow(bits)
                    } else {
                        let zeros = parameter
                            .pointee_align
                            .filter(|_| offset == 0 && bits == 64)
                            .map_or(0, u64::trailing_zeros);
                        let kind = Kind::Param(format!("{}.b{bits}", parameter.name), offset);
                        let loops = std::rc::Rc::from([]);
                        let symbol =
                            Symbol { kind, uniform: true, zeros, most: ones(bits), data: false, base: false, loops };
                        Value::symbol(self.symbols.get(symbol), bits)
                    }
                }
            };
            let value = if bits < 32 {
                let mask = state.mask.clone();
                self.context(number, &mask).extend(&value, is_signed)
            } else {
                value
            };
            self.set(number, register, content(value), state);
        }
    }

    /// What the launch says of a parameter.
    fn given(&self, position: usize) -> Option<u64> {
        let name = &self.kernel.params[position].name;
        let names = [name.clone(), format!("param_{position}"), position.to_string()];
        names.iter().find_map(|x| self.launch.params.get(x)).copied()
    }
}
