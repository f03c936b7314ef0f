//! Values: known numbers plus factors times symbols, modulo 2^bits.

use super::{Context, Lanes, Mask, SymbolId, Symbols, ones, signed};

/// The most symbols of a value that a register keeps, and of the products that a multiplication makes.
pub(crate) const MOST_TERMS: usize = 32;

/// A value of each thread: `known + sum of factor * symbol`, modulo 2^bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// How many low bits this is true for.
    pub bits: u32,
    /// The known number, below 2^bits.
    pub known: Lanes,
    /// Symbols in ascending order with their factors, below 2^bits, not all 0.
    pub terms: Vec<(SymbolId, Lanes)>,
}

impl Value {
    /// A number for all threads.
    pub fn number(x: u64) -> Self {
        Self::lanes(Lanes::Same(x))
    }

    /// A known number for each thread.
    pub fn lanes(known: Lanes) -> Self {
        Self { bits: 64, known, terms: Vec::new() }
    }

    /// A symbol.
    pub fn symbol(id: SymbolId, bits: u32) -> Self {
        Self { bits, known: Lanes::Same(0), terms: vec![(id, Lanes::Same(1))] }
    }

    /// Whether it has no symbols.
    pub fn is_known(&self) -> bool {
        self.terms.is_empty()
    }

    /// The number, if it is known and the same for all threads.
    pub fn one(&self) -> Option<u64> {
        if self.is_known() { self.known.same() } else { None }
    }

    /// The number modulo 2^bits, if it is known and the same for all threads.
    pub fn one_of(&self, bits: u32) -> Option<u64> {
        (self.bits >= bits).then(|| self.one().map(|x| x & ones(bits))).flatten()
    }

    /// Its low bits; none where it says nothing of some of them.
    pub fn truncate(&self, bits: u32) -> Option<Self> {
        if self.bits < bits {
            return None;
        }
        if self.bits == bits {
            return Some(self.clone());
        }
        let known = self.known.map(|x| x & ones(bits));
        Some(Self { bits, known, terms: self.terms.clone() }.clean())
    }

    fn clean(mut self) -> Self {
        let mask = ones(self.bits);
        for (_, factor) in &mut self.terms {
            *factor = factor.map(|x| x & mask);
        }
        self.terms.retain(|(_, factor)| *factor != Lanes::Same(0));
        self
    }

    /// A function of the known numbers and of the factors of each symbol of either; 0 where one has none.
    fn merge(&self, other: &Self, combine: impl Fn(&Lanes, &Lanes) -> Lanes) -> Self {
        let bits = self.bits.min(other.bits);
        let zero = Lanes::Same(0);
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left_at, mut right_at) = (0, 0);
        while left_at < self.terms.len() || right_at < other.terms.len() {
            let left = self.terms.get(left_at).map_or(SymbolId::MAX, |x| x.0);
            let right = other.terms.get(right_at).map_or(SymbolId::MAX, |x| x.0);
            let a = if left <= right { &self.terms[left_at].1 } else { &zero };
            let b = if right <= left { &other.terms[right_at].1 } else { &zero };
            terms.push((left.min(right), combine(a, b)));
            left_at += usize::from(left <= right);
            right_at += usize::from(right <= left);
        }
        let known = combine(&self.known, &other.known).map(|x| x & ones(bits));
        Self { bits, known, terms }.clean()
    }

    /// a + b.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        self.merge(other, |a, b| a.zip(b, u64::wrapping_add))
    }

    /// a - b.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.merge(other, |a, b| a.zip(b, u64::wrapping_sub))
    }

    /// A known number of each thread times it.
    #[must_use]
    pub fn scale(&self, by: &Lanes) -> Self {
        let mask = ones(self.bits);
        let known = self.known.zip(by, |x, y| x.wrapping_mul(y) & mask);
        let terms = self.terms.iter().map(|(s, factor)| (*s, factor.zip(by, u64::wrapping_mul))).collect();
        Self { bits: self.bits, known, terms }.clean()
    }

    /// The first's for threads of the mask, the second's for others.
    #[must_use]
    pub fn choose(&self, other: &Self, mask: &Mask, threads: usize) -> Self {
        self.merge(other, |a, b| a.choose(b, mask, threads))
    }

    /// a * b.
    #[must_use]
    pub fn mul(&self, other: &Self, context: &mut Context) -> Self {
        if other.is_known() {
            return self.narrow(other.bits).scale(&other.known);
        }
        if self.is_known() {
            return other.narrow(self.bits).scale(&self.known);
        }
        let bits = self.bits.min(other.bits);
        if self.terms.len() * other.terms.len() > MOST_TERMS {
            let zeros = self.trailing_zeros(context.symbols, context.mask)
                + other.trailing_zeros(context.symbols, context.mask);
            return context.opaque(&[self, other], zeros.min(bits), bits, u64::MAX);
        }
        let constant = Self { bits, known: self.known.clone(), terms: Vec::new() };
        let mut sum = other.narrow(bits).scale(&constant.known);
        for (a, x) in &self.terms {
            let by_known =
                Self { bits, known: Lanes::Same(0), terms: vec![(*a, x.zip(&other.known, u64::wrapping_mul))] }.clean();
            sum = sum.add(&by_known);
            for (b, y) in &other.terms {
                let id = context.product(*a, *b);
                sum = sum
                    .add(&Self { bits, known: Lanes::Same(0), terms: vec![(id, x.zip(y, u64::wrapping_mul))] }.clean());
            }
        }
        sum
    }

    /// The same with no more than so many bits.
    #[must_use]
    pub fn narrow(&self, bits: u32) -> Self {
        self.truncate(bits.min(self.bits)).unwrap_or_else(|| self.clone())
    }

    /// Whether threads of each warp that are in the mask have the same.
    pub fn is_uniform(&self, symbols: &Symbols, mask: &Mask) -> bool {
        self.known.is_uniform_on(mask)
            && self
                .terms
                .iter()
                .all(|(s, factor)| factor.is_zero_on(mask) || (symbols.of(*s).uniform && factor.is_uniform_on(mask)))
    }

    /// Whether an address is a part of it, for a thread of the mask.
    pub fn has_base(&self, symbols: &Symbols, mask: &Mask) -> bool {
        self.terms.iter().any(|(s, factor)| symbols.of(*s).base && !factor.is_zero_on(mask))
    }

    /// How many low bits the symbols' part leaves alone: it is a multiple of 2^this for the threads of the mask.
    pub fn free_bits(&self, symbols: &Symbols, mask: &Mask) -> u32 {
        let least =
            self.terms.iter().map(|(s, factor)| factor.trailing_zeros(mask).saturating_add(symbols.of(*s).zeros)).min();
        least.unwrap_or(64).min(self.bits)
    }

    /// It is a multiple of 2^this for the threads of the mask.
    pub fn trailing_zeros(&self, symbols: &Symbols, mask: &Mask) -> u32 {
        self.free_bits(symbols, mask).min(self.known.trailing_zeros(mask)).min(self.bits)
    }

    /// Bounds of the symbols' part of one thread as an integer, with factors as signed numbers.
    pub(crate) fn span_of_terms(&self, symbols: &Symbols, thread: usize) -> (i128, i128) {
        let (mut low, mut high) = (0i128, 0i128);
        for (s, factor) in &self.terms {
            let by = i128::from(signed(factor.at(thread), self.bits)).saturating_mul(i128::from(symbols.of(*s).most));
            low = low.saturating_add(by.min(0));
            high = high.saturating_add(by.max(0));
        }
        (low, high)
    }

    /// Bounds over all threads of the mask of the value as an unsigned or signed number: the integer that the register has.
    pub fn span(&self, symbols: &Symbols, mask: &Mask, is_signed: bool) -> (i128, i128) {
        let most = i128::from(ones(self.bits));
        let whole = if is_signed { (-(most + 1) / 2, most / 2) } else { (0, most) };
        let uniform = self.known.same().is_some() && self.terms.iter().all(|(_, x)| x.same().is_some());
        let mut all: Option<(i128, i128)> = None;
        for thread in mask.threads() {
            let (low, high) = match self.integer(symbols, thread, is_signed) {
                Some((known, low, high)) => (known + low, known + high),
                None => whole,
            };
            all = Some(all.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
            if uniform || all == Some(whole) {
                break;
            }
        }
        all.unwrap_or(whole)
    }

    /// The known number of a thread and the bounds of its symbols' part, such that their sum as an integer is what the register
    /// has as an unsigned or signed number; none where that may wrap.
    pub(crate) fn integer(&self, symbols: &Symbols, thread: usize, is_signed: bool) -> Option<(i128, i128, i128)> {
        let (low, high) = self.span_of_terms(symbols, thread);
        let known = self.known.at(thread);
        let most = i128::from(ones(self.bits));
        let (from, to) = if is_signed { (-(most + 1) / 2, most / 2) } else { (0, most) };
        [i128::from(known & ones(self.bits)), i128::from(signed(known, self.bits))]
            .into_iter()
            .find(|known| known.saturating_add(low) >= from && known.saturating_add(high) <= to)
            .map(|known| (known, low, high))
    }
}
