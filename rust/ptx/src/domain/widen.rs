//! Where an instruction needs the integer and not its residue: extensions and shifts to the right.

use super::{Context, Lanes, Mask, Value, ones, signed};

impl Context<'_> {
    /// A value of which nothing is known but that it depends on these.
    pub fn opaque(&mut self, inputs: &[&Value], zeros: u32, bits: u32, most: u64) -> Value {
        let base = inputs.iter().any(|x| x.has_base(self.symbols, self.mask));
        self.depends(inputs, zeros, bits, most, base)
    }

    /// The same, of which an address is a part or not.
    pub(super) fn depends(&mut self, inputs: &[&Value], zeros: u32, bits: u32, most: u64, base: bool) -> Value {
        let uniform = inputs.iter().all(|x| x.is_uniform(self.symbols, self.mask));
        let data = inputs.iter().any(|x| x.terms.iter().any(|(s, _)| self.symbols.of(*s).data));
        let id = self.fresh(uniform, zeros, most.min(ones(bits)), data, base);
        Value::symbol(id, bits)
    }

    /// A value of which nothing is known.
    pub fn unknown(&mut self, bits: u32, uniform: bool, data: bool) -> Value {
        let id = self.fresh(uniform, 0, ones(bits), data, false);
        Value::symbol(id, bits)
    }

    /// The value as an unsigned or signed number, with 64 bits.
    pub fn extend(&mut self, value: &Value, is_signed: bool) -> Value {
        let bits = value.bits;
        if bits >= 64 {
            return value.clone();
        }
        let back = |x: u64| signed(x, bits).cast_unsigned();
        if value.is_known() {
            return Value::lanes(if is_signed { value.known.map(back) } else { value.known.clone() });
        }
        let lanes = if value.known.same().is_some() && value.terms.iter().all(|x| x.1.same().is_some()) {
            1
        } else {
            self.threads
        };
        let (mut known, mut wraps) = (Vec::with_capacity(lanes), Vec::with_capacity(lanes));
        for thread in 0..lanes {
            let fits = value.integer(self.symbols, thread, is_signed);
            let number = fits.map_or_else(|| i128::from(signed(value.known.at(thread), bits)), |x| x.0);
            known.push(i64::try_from(number).unwrap_or(0).cast_unsigned());
            wraps.push(if fits.is_some() { 0 } else { 1u64 << bits });
        }
        let all = if lanes == 1 {
            (Lanes::Same(known[0]), Lanes::Same(wraps[0]))
        } else {
            (Lanes::new(known), Lanes::new(wraps))
        };
        let terms = value.terms.iter().map(|(s, factor)| (*s, factor.map(back))).collect();
        let form = Value { bits: 64, known: all.0, terms };
        if all.1 == Lanes::Same(0) {
            return form;
        }
        let uniform = value.is_uniform(self.symbols, self.mask) && all.1.is_uniform_on(self.mask);
        let id = self.wrap(uniform);
        form.add(&Value::symbol(id, 64).scale(&all.1))
    }

    /// `value >> by`, as an unsigned or signed number of `value.bits` bits.
    pub fn shift_right(&mut self, value: &Value, by: u32, is_signed: bool) -> Value {
        let bits = value.bits;
        if by == 0 {
            return value.clone();
        }
        let by_all = if is_signed { by.min(bits - 1) } else { by };
        let shift = |x: u64| {
            if is_signed {
                (signed(x, bits) >> by_all).cast_unsigned() & ones(bits)
            } else if by_all >= 64 {
                0
            } else {
                x >> by_all
            }
        };
        if value.is_known() {
            return Value { bits, known: value.known.map(shift), terms: Vec::new() };
        }
        if by_all >= bits {
            return Value { bits, known: Lanes::Same(0), terms: Vec::new() };
        }
        let all = Mask::all(self.threads);
        let free = value.free_bits(self.symbols, &all);
        let by = by_all;
        if free >= by && bits <= 64 {
            // every symbol's part is a multiple: shift it exactly, where the sum is the integer
            if let Some(exact) = self.shift_exactly(value, by, is_signed) {
                return exact;
            }
        }
        // the low bits never carry into what is left
        let k = free.min(by);
        let high = Value { bits, known: value.known.map(|x| x & !ones(k)), terms: value.terms.clone() };
        let most = if is_signed { ones(bits) } else { ones(bits - by) };
        let most = if is_signed {
            most
        } else {
            let (_, top) = value.span(self.symbols, self.mask, false);
            most.min(u64::try_from(top >> by).unwrap_or(u64::MAX))
        };
        self.opaque(&[&high], 0, bits, most)
    }

    /// The shift term by term; with a symbol for the lost multiple where the sum may wrap.
    fn shift_exactly(&mut self, value: &Value, by: u32, is_signed: bool) -> Option<Value> {
        let bits = value.bits;
        let mut terms = Vec::new();
        for (s, factor) in &value.terms {
            let zeros = self.symbols.of(*s).zeros;
            let shifted = |x: u64| signed(x, bits) >> by;
            if factor.trailing_zeros(&Mask::all(self.threads)) >= by {
                terms.push((*s, factor.map(|x| shifted(x).cast_unsigned() & ones(bits))));
            } else {
                // the rest of the zeros are the symbol's
                let k = by.min(zeros);
                let rest = by - k;
                if factor.trailing_zeros(&Mask::all(self.threads)) < rest {
                    return None;
                }
                let symbol = self.symbols.of(*s).clone();
                let kind = super::Kind::Shifted(*s, k);
                let id = self.symbols.get(super::Symbol { kind, zeros: zeros - k, most: symbol.most >> k, ..symbol });
                terms.push((id, factor.map(|x| (signed(x, bits) >> rest).cast_unsigned() & ones(bits))));
            }
        }
        terms.sort_by_key(|x| x.0);
        if terms.windows(2).any(|x| x[0].0 == x[1].0) {
            return None;
        }
        let (mut known, mut wraps) = (Vec::with_capacity(self.threads), Vec::with_capacity(self.threads));
        for thread in 0..self.threads {
            let fits = value.integer(self.symbols, thread, is_signed);
            let number = fits.map_or_else(|| i128::from(signed(value.known.at(thread), bits)), |x| x.0);
            known.push(u64::try_from((number >> by) & i128::from(ones(bits))).unwrap_or(0));
            wraps.push(if fits.is_some() { 0 } else { 1u64 << (bits - by) });
        }
        let (known, wraps) = (Lanes::new(known), Lanes::new(wraps));
        let form = Value { bits, known, terms };
        if wraps == Lanes::Same(0) {
            return Some(form);
        }
        let uniform = value.is_uniform(self.symbols, self.mask) && wraps.is_uniform_on(self.mask);
        let id = self.wrap(uniform);
        Some(form.add(&Value::symbol(id, bits).scale(&wraps)))
    }
}
