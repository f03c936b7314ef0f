//! Symbols: integers that are not known.

use std::collections::HashMap;
use std::rc::Rc;

/// Number of a symbol.
pub type SymbolId = u32;

/// Where a symbol comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A kernel's parameter: the name and the byte.
    Param(String, i64),
    /// The address of a variable: its name.
    Variable(String),
    /// A special register.
    Special(String),
    /// What an instruction gives: its number, where in the evaluation it is, and which of its results.
    Result(u32, u32, u32),
    /// A multiple of 2^32 or so that an instruction loses or adds if its operand wraps: as `Result`.
    Wrap(u32, u32, u32),
    /// A loop's counter: its header and where in the evaluation.
    Counter(u32, u32),
    /// A register at a loop's header: header, register, where in the evaluation.
    Carried(u32, u32, u32),
    /// A register where control flow joins: block, register, which join of the block, where.
    Joined(u32, u32, u32, u32),
    /// 1 if control came by the second way: block, which join, where.
    Way(u32, u32, u32),
    /// A symbol of a loop as each thread had it when it left.
    Own(SymbolId),
    /// A product of two symbols.
    Product(SymbolId, SymbolId),
    /// A symbol without its low bits.
    Shifted(SymbolId, u32),
}

/// A symbol.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Symbol {
    /// Where it comes from.
    pub kind: Kind,
    /// Whether all threads of a warp have the same, at one execution of an instruction.
    pub uniform: bool,
    /// It is a multiple of 2^this.
    pub zeros: u32,
    /// Its largest value.
    pub most: u64,
    /// Whether it comes from memory or from something not understood.
    pub data: bool,
    /// Whether an address is a part of it: a variable's, or that of the window of shared memory.
    pub base: bool,
    /// Loops in whose iterations it differs, sorted.
    pub loops: Rc<[u32]>,
}

/// All symbols of a kernel.
#[derive(Debug, Default)]
pub struct Symbols {
    all: Vec<Symbol>,
    by: HashMap<Symbol, SymbolId>,
}

impl Symbols {
    /// The symbol with all these attributes.
    pub fn get(&mut self, symbol: Symbol) -> SymbolId {
        if let Some(id) = self.by.get(&symbol) {
            return *id;
        }
        let id = SymbolId::try_from(self.all.len()).unwrap_or(SymbolId::MAX);
        self.all.push(symbol.clone());
        self.by.insert(symbol, id);
        id
    }

    /// What a symbol is.
    pub fn of(&self, id: SymbolId) -> &Symbol {
        &self.all[id as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// Where evaluation stands: what operations need to make symbols.
#[derive(Debug)]
pub struct Context<'a> {
    /// All symbols.
    pub symbols: &'a mut Symbols,
    /// Threads of the block.
    pub threads: usize,
    /// Threads that may execute the instruction: only theirs matter.
    pub mask: &'a super::Mask,
    /// The instruction.
    pub instruction: u32,
    /// Where in the unrolled loops.
    pub visit: u32,
    /// Loops that are being generalised around it.
    pub loops: Rc<[u32]>,
    /// How many symbols the instruction has made.
    pub made: &'a mut u32,
}

impl Context<'_> {
    /// A new symbol for a result of the instruction.
    pub fn fresh(&mut self, uniform: bool, zeros: u32, most: u64, data: bool, base: bool) -> SymbolId {
        *self.made += 1;
        let kind = Kind::Result(self.instruction, self.visit, *self.made);
        let zeros = zeros.min(63);
        self.symbols.get(Symbol { kind, uniform, zeros, most, data, base, loops: Rc::clone(&self.loops) })
    }

    /// A new symbol for what is lost where a value wraps.
    pub fn wrap(&mut self, uniform: bool) -> SymbolId {
        *self.made += 1;
        let kind = Kind::Wrap(self.instruction, self.visit, *self.made);
        let loops = Rc::clone(&self.loops);
        self.symbols.get(Symbol { kind, uniform, zeros: 0, most: u64::MAX, data: false, base: false, loops })
    }

    /// The product of two symbols, modulo 2^64.
    pub fn product(&mut self, a: SymbolId, b: SymbolId) -> SymbolId {
        let (a, b) = (a.min(b), a.max(b));
        let (x, y) = (self.symbols.of(a).clone(), self.symbols.of(b).clone());
        let mut loops: Vec<u32> = x.loops.iter().chain(y.loops.iter()).copied().collect();
        loops.sort_unstable();
        loops.dedup();
        self.symbols.get(Symbol {
            kind: Kind::Product(a, b),
            uniform: x.uniform && y.uniform,
            zeros: (x.zeros + y.zeros).min(63),
            most: x.most.saturating_mul(y.most),
            data: x.data || y.data,
            base: x.base || y.base,
            loops: loops.into(),
        })
    }
}
