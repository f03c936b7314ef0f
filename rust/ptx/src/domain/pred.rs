//! Predicates: per thread yes, no, or one symbol that is 0 or 1.

use super::{Context, Lanes, Mask, SymbolId, Symbols, Value};

/// A predicate of each thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pred {
    /// Threads for which it is true.
    pub yes: Mask,
    /// Threads for which it is false.
    pub no: Mask,
    /// What the other threads have: the symbol, or 1 - the symbol.
    pub other: Option<(SymbolId, bool)>,
}

impl Pred {
    /// Known for every thread.
    pub fn known(threads: usize, f: impl Fn(usize) -> bool) -> Self {
        let all = Mask::all(threads);
        let mut yes = all.none_like();
        (0..threads).filter(|t| f(*t)).for_each(|t| yes.insert(t));
        let no = all.without(&yes);
        Self { yes, no, other: None }
    }

    /// From what is known of each thread, with a new symbol for the others.
    pub fn partly(context: &mut Context, uniform: bool, data: bool, f: impl Fn(usize) -> Option<bool>) -> Self {
        let all = Mask::all(context.threads);
        let (mut yes, mut no) = (all.none_like(), all.none_like());
        for t in 0..context.threads {
            match f(t) {
                Some(true) => yes.insert(t),
                Some(false) => no.insert(t),
                None => {}
            }
        }
        let open = all.without(&yes).without(&no);
        let other = (!open.is_empty()).then(|| (context.fresh(uniform, 0, 1, data, false), false));
        Self { yes, no, other }
    }

    /// Nothing is known.
    pub fn unknown(context: &mut Context, uniform: bool, data: bool) -> Self {
        Self::partly(context, uniform, data, |_| None)
    }

    /// The threads for which it is not known.
    pub fn open(&self, threads: usize) -> Mask {
        Mask::all(threads).without(&self.yes).without(&self.no)
    }

    /// Not.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self { yes: self.no.clone(), no: self.yes.clone(), other: self.other.map(|(s, negated)| (s, !negated)) }
    }

    /// Whether the threads of each warp in the mask have the same.
    pub fn is_uniform(&self, symbols: &Symbols, mask: &Mask) -> bool {
        let symbol = self.other.is_none_or(|(s, _)| symbols.of(s).uniform);
        mask.warps().iter().zip(self.yes.warps()).zip(self.no.warps()).all(|((all, yes), no)| {
            let (yes, no) = (all & yes, all & no);
            yes == *all || no == *all || (yes == 0 && no == 0 && symbol)
        })
    }

    /// And.
    #[must_use]
    pub fn and(&self, other: &Self, context: &mut Context) -> Self {
        let yes = self.yes.and(&other.yes);
        let no = self.no.or(&other.no);
        let open = Mask::all(context.threads).without(&yes).without(&no);
        let (open_here, open_there) = (self.open(context.threads), other.open(context.threads));
        let symbol = if open.is_empty() {
            None
        } else if open.and(&open_there).is_empty() || self.other == other.other {
            self.other
        } else if open.and(&open_here).is_empty() {
            other.other
        } else {
            // one formula for all of them, or none
            let both = open.without(&open_here).is_empty() && open.without(&open_there).is_empty();
            let of = |x: &Option<(SymbolId, bool)>| {
                x.map_or((true, false), |(s, _)| (context.symbols.of(s).uniform, context.symbols.of(s).data))
            };
            let (here, there) = (of(&self.other), of(&other.other));
            Some((context.fresh(both && here.0 && there.0, 0, 1, here.1 || there.1, false), false))
        };
        Self { yes, no, other: symbol }
    }

    /// Or.
    #[must_use]
    pub fn or(&self, other: &Self, context: &mut Context) -> Self {
        self.negate().and(&other.negate(), context).negate()
    }

    /// Exclusive or.
    #[must_use]
    pub fn xor(&self, other: &Self, context: &mut Context) -> Self {
        let left = self.and(&other.negate(), context);
        let right = self.negate().and(other, context);
        if left.other.is_none() && right.other.is_none() {
            return left.or(&right, context);
        }
        let (x, y) = (self.clone(), other.clone());
        let all = Mask::all(context.threads);
        let uniform = x.is_uniform(context.symbols, &all) && y.is_uniform(context.symbols, &all);
        let data = [&x, &y].iter().any(|p| p.other.is_some_and(|(s, _)| context.symbols.of(s).data));
        let of = |p: &Self, t: usize| {
            if p.yes.has(t) {
                Some(true)
            } else if p.no.has(t) {
                Some(false)
            } else {
                None
            }
        };
        Self::partly(context, uniform, data, |t| Some(of(&x, t)? != of(&y, t)?))
    }

    /// `a` where it is true, else `b`.
    pub fn select(&self, a: &Value, b: &Value, context: &mut Context) -> Value {
        let open = self.open(context.threads);
        let relevant = open.and(context.mask);
        let known = a.choose(b, &self.yes, context.threads);
        let Some((symbol, negated)) = self.other.filter(|_| !relevant.is_empty()) else { return known };
        // b + (a - b) * p for the open threads
        let zero = Value { bits: known.bits, known: Lanes::Same(0), terms: Vec::new() };
        let difference = a.sub(b).choose(&zero, &relevant, context.threads);
        if difference.is_known() {
            let times = Value::symbol(symbol, known.bits).scale(&difference.known);
            return if negated { known.add(&difference).sub(&times) } else { known.add(&times) };
        }
        let uniform = context.symbols.of(symbol).uniform && difference.is_uniform(context.symbols, &relevant);
        let zeros = difference.trailing_zeros(context.symbols, &relevant);
        let data = context.symbols.of(symbol).data || difference.terms.iter().any(|(s, _)| context.symbols.of(*s).data);
        let base = difference.has_base(context.symbols, &relevant);
        let id = context.fresh(uniform, zeros, super::ones(known.bits), data, base);
        let part = Value::symbol(id, known.bits).choose(&zero, &relevant, context.threads);
        known.add(&part)
    }
}
