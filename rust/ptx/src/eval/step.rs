//! What each instruction does to registers.

use super::state::{Content, State};
use super::{Machine, content};
use crate::domain::{Bitwise, Kind, Lanes, MOST_TERMS, Pred, Symbol, Value, ones, signed};
use crate::read::{Instruction, Operand, Register, Variable};
use std::rc::Rc;

/// Bytes of a type by its name.
pub(crate) fn type_bytes(name: &str) -> Option<u64> {
    crate::read::type_bytes(name)
}

fn is_float(name: &str) -> bool {
    name.starts_with('f')
        || name.starts_with("bf")
        || name.starts_with("tf")
        || name.starts_with("e4")
        || name.starts_with("e5")
}

/// Types that hold several numbers.
fn is_packed(name: &str) -> bool {
    name.ends_with("x2") || name.ends_with("x4")
}

/// The upper half of a product of numbers of so many bits.
fn high_half(x: u64, y: u64, bits: u32, is_signed: bool) -> u64 {
    let product = if is_signed {
        (i128::from(signed(x, bits)) * i128::from(signed(y, bits))).cast_unsigned()
    } else {
        u128::from(x & ones(bits)) * u128::from(y & ones(bits))
    };
    u64::try_from(product >> bits & u128::from(ones(bits))).unwrap_or(0)
}

impl Machine<'_> {
    pub(crate) fn variable(&self, name: &str) -> Option<&Variable> {
        self.kernel.variables.iter().chain(&self.module.variables).find(|x| x.name == name)
    }

    /// Registers that an operand writes; none for `_`.
    pub(crate) fn registers_of(operand: &Operand) -> Vec<Option<Register>> {
        match operand {
            Operand::Register(r) => vec![Some(*r)],
            Operand::List(all) => all.iter().flat_map(Self::registers_of).collect(),
            Operand::Pair(a, b) => [a, b].into_iter().flat_map(|x| Self::registers_of(x)).collect(),
            Operand::Sink => vec![None],
            _ => Vec::new(),
        }
    }

    fn unknown(&mut self, number: usize, bits: u32, uniform: bool, state: &State) -> Value {
        let mask = state.mask.clone();
        self.context(number, &mask).unknown(bits, uniform, true)
    }

    /// The low bits of an operand.
    pub(crate) fn value(&mut self, number: usize, operand: &Operand, bits: u32, state: &State) -> Value {
        match operand {
            Operand::Register(r) => match state.registers.get(*r as usize) {
                Some(Some(Content::Value(v))) if v.bits >= bits => v.narrow(bits),
                _ => self.unknown(number, bits, false, state),
            },
            Operand::Integer(x) => Value::number(*x).narrow(bits),
            Operand::Special(name) => {
                let value = self.special(number, name, state);
                if value.bits >= bits { value.narrow(bits) } else { self.unknown(number, bits, false, state) }
            }
            // a function, a parameter of a call, or nothing that is declared
            Operand::Name(name)
                if self.variable(name).is_none() && self.kernel.params.iter().all(|x| x.name != *name) =>
            {
                self.unknown(number, bits, false, state)
            }
            Operand::Name(name) => self.variable_address(name).narrow(bits),
            Operand::Sum(base, offset) => {
                let base = self.value(number, base, bits, state);
                base.add(&Value::number(offset.cast_unsigned()))
            }
            // not a number of the domain, but the same for all
            Operand::Float(_) => self.unknown(number, bits, true, state),
            _ => self.unknown(number, bits, false, state),
        }
    }

    pub(crate) fn uniform_symbol(&mut self, kind: Kind, zeros: u32, most: u64, bits: u32) -> Value {
        let base = matches!(kind, Kind::Variable(_)) || super::memory::is_window(&kind);
        let symbol = Symbol { kind, uniform: true, zeros, most, data: false, base, loops: Rc::from([]) };
        Value::symbol(self.symbols.get(symbol), bits)
    }

    fn variable_address(&mut self, name: &str) -> Value {
        let zeros = self.variable(name).map_or(0, |x| x.align.trailing_zeros());
        let shared = self.variable(name).is_some_and(|x| x.space == "shared");
        // shared memory has fewer than 2^24 bytes
        let most = if shared { (1 << 24) - 1 } else { u64::MAX };
        self.uniform_symbol(Kind::Variable(name.to_owned()), zeros.min(63), most, 64)
    }

    fn special(&mut self, number: usize, name: &str, state: &State) -> Value {
        let (base, axis) = name.split_once('.').unwrap_or((name, ""));
        let axis = match axis {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => 3,
        };
        let block = self.block.map(u64::from);
        let each = |f: &dyn Fn(u64) -> u64| Value::lanes(Lanes::new((0..self.threads as u64).map(f).collect()));
        match (base, axis) {
            ("%tid", 0) => each(&|t| t % block[0]),
            ("%tid", 1) => each(&|t| t / block[0] % block[1]),
            ("%tid", 2) => each(&|t| t / (block[0] * block[1])),
            ("%ntid", 0..3) => Value::number(block[axis]),
            ("%laneid", _) => each(&|t| t % 32),
            ("%lanemask_eq", _) => each(&|t| 1 << (t % 32)),
            ("%lanemask_lt", _) => each(&|t| (1 << (t % 32)) - 1),
            ("%lanemask_le", _) => each(&|t| (2 << (t % 32)) - 1),
            ("%lanemask_gt", _) => each(&|t| !((2u64 << (t % 32)) - 1) & 0xffff_ffff),
            ("%lanemask_ge", _) => each(&|t| !((1u64 << (t % 32)) - 1) & 0xffff_ffff),
            ("%nctaid", 0..3) if self.launch.grid.is_some() => {
                Value::number(u64::from(self.launch.grid.map_or(1, |x| x[axis])))
            }
            ("%ctaid" | "%nctaid", 0..3) => {
                let most = match (base, self.launch.grid) {
                    ("%ctaid", Some(grid)) => u64::from(grid[axis].saturating_sub(1)),
                    _ if axis == 0 => (1 << 31) - 1,
                    _ => 65535,
                };
                self.uniform_symbol(Kind::Special(name.to_owned()), 0, most, 64)
            }
            ("%clusterid" | "%nclusterid" | "%cluster_ctaid" | "%cluster_nctaid", 0..3)
            | ("%cluster_ctarank" | "%cluster_nctarank" | "%dynamic_smem_size" | "%total_smem_size", _) => {
                self.uniform_symbol(Kind::Special(name.to_owned()), 0, u64::from(u32::MAX), 64)
            }
            _ => self.unknown(number, 64, false, state),
        }
    }

    pub(crate) fn pred(&mut self, number: usize, operand: &Operand, state: &State) -> Pred {
        match operand {
            Operand::Register(r) => {
                if let Some(Some(Content::Pred(p))) = state.registers.get(*r as usize) {
                    return (**p).clone();
                }
            }
            Operand::Not(inner) => return self.pred(number, inner, state).negate(),
            Operand::Integer(x) => return Pred::known(self.threads, |_| *x != 0),
            _ => {}
        }
        let mask = state.mask.clone();
        Pred::unknown(&mut self.context(number, &mask), false, true)
    }

    /// Writes a register under the instruction's guard.
    pub(crate) fn set(&mut self, number: usize, register: Register, new: Content, state: &mut State) {
        let instruction = &self.kernel.code[number];
        let at = register as usize;
        if at >= state.registers.len() {
            return;
        }
        let new = self.bounded(number, new, state);
        if instruction.guard.is_none() {
            state.registers[at] = Some(new);
            return;
        }
        let guard = self.guard(instruction, number, state);
        if state.mask.without(&guard.yes).is_empty() {
            state.registers[at] = Some(new);
            return;
        }
        if state.mask.without(&guard.no).is_empty() {
            return;
        }
        let mask = state.mask.clone();
        state.registers[at] = match (new, state.registers[at].clone()) {
            (Content::Value(new), Some(Content::Value(old))) => {
                Some(content(guard.select(&new, &old, &mut self.context(number, &mask))))
            }
            (Content::Pred(new), Some(Content::Pred(old))) => {
                let mut context = self.context(number, &mask);
                let (taken, kept) = (guard.and(&new, &mut context), guard.negate().and(&old, &mut context));
                Some(Content::Pred(Rc::new(taken.or(&kept, &mut context))))
            }
            _ => None,
        };
    }

    /// A sum of very many symbols is one symbol: work stays linear.
    fn bounded(&mut self, number: usize, new: Content, state: &State) -> Content {
        match new {
            Content::Value(value) if value.terms.len() > MOST_TERMS => {
                let mask = state.mask.clone();
                let zeros = value.trailing_zeros(&self.symbols, &mask);
                content(self.context(number, &mask).opaque(&[&value], zeros, value.bits, u64::MAX))
            }
            new => new,
        }
    }

    /// Evaluates an instruction that does not branch.
    pub(crate) fn step(&mut self, number: usize, state: &mut State) {
        self.made = 0;
        let kernel = self.kernel;
        let instruction = &kernel.code[number];
        if instruction.op == "call" {
            self.calls.insert(u32::try_from(number).unwrap_or(u32::MAX));
        }
        let done = self.memory(number, state);
        if instruction.op == "call" && !super::call::returns(self.module, instruction) {
            // threads that ended do not come back: no block reconverges them
            state.split.insert((usize::MAX, 0, 0));
        }
        if done {
            return;
        }
        let Some(first) = instruction.operands.first() else { return };
        let to = Self::registers_of(first);
        if to.is_empty() {
            return;
        }
        let results = self.results(number, instruction, to.len(), state);
        for (at, register) in to.into_iter().enumerate() {
            let Some(register) = register else { continue };
            match results.as_ref().and_then(|x| x.get(at)) {
                Some(new) => self.set(number, register, new.clone(), state),
                // unknown, whatever its width
                None => state.registers[register as usize] = None,
            }
        }
    }

    /// What the destinations get; none if it is not known.
    fn results(
        &mut self,
        number: usize,
        instruction: &Instruction,
        count: usize,
        state: &State,
    ) -> Option<Vec<Content>> {
        if !instruction.is_understood() {
            return None;
        }
        let sources = &instruction.operands[1..];
        let kind = instruction.suffixes.last()?.as_str();
        let op = instruction.op.as_str();
        if kind == "pred" {
            let one = |p: Pred| Some(vec![Content::Pred(Rc::new(p))]);
            let a = self.pred(number, sources.first()?, state);
            if op == "mov" {
                return one(a);
            }
            if op == "not" {
                return one(a.negate());
            }
            let b = self.pred(number, sources.get(1)?, state);
            let mask = state.mask.clone();
            let mut context = self.context(number, &mask);
            return match op {
                "and" => one(a.and(&b, &mut context)),
                "or" => one(a.or(&b, &mut context)),
                "xor" => one(a.xor(&b, &mut context)),
                _ => None,
            };
        }
        let bits = u32::try_from(type_bytes(kind)? * 8).ok()?;
        if bits > 64 {
            return None;
        }
        match op {
            "setp" => return self.comparison(number, instruction, count, bits, state),
            "mov" => return self.moved(number, sources.first()?, count, bits, state),
            _ => {}
        }
        let bits_only = matches!(op, "selp");
        if count == 1
            && !bits_only
            && instruction.suffixes.iter().any(|x| is_float(x) || is_packed(x) || x == "sat" || x == "cc")
        {
            // arithmetic that no address needs: as uniform as its operands
            let to_bits = if op == "cvt" {
                u32::try_from(type_bytes(instruction.suffixes.get(instruction.suffixes.len().checked_sub(2)?)?)? * 8)
                    .ok()?
            } else {
                bits
            };
            let pure = matches!(
                op,
                "add"
                    | "sub"
                    | "mul"
                    | "fma"
                    | "mad"
                    | "div"
                    | "neg"
                    | "abs"
                    | "min"
                    | "max"
                    | "cvt"
                    | "sqrt"
                    | "rsqrt"
                    | "rcp"
            );
            let mut uniform = pure && to_bits <= 64;
            for x in sources {
                let value = match x {
                    Operand::Float(_) | Operand::Integer(_) => continue,
                    x => self.value(number, x, if op == "cvt" { bits } else { to_bits.min(16) }, state),
                };
                // of wider registers only a part was looked at
                uniform &= op == "cvt" && value.is_uniform(&self.symbols, &state.mask);
            }
            let value = self.unknown(number, to_bits.min(64), uniform, state);
            return Some(vec![content(value)]);
        }
        let value = self.integer(number, instruction, op, kind, bits, sources, state)?;
        Some(vec![content(value)])
    }

    /// Integer arithmetic with one result.
    #[allow(clippy::too_many_arguments)]
    fn integer(
        &mut self,
        number: usize,
        i: &Instruction,
        op: &str,
        kind: &str,
        bits: u32,
        sources: &[Operand],
        state: &State,
    ) -> Option<Value> {
        let is_signed = kind.starts_with('s');
        let wide = i.has("wide");
        let mask = state.mask.clone();
        if op == "selp" {
            let (a, b) =
                (self.value(number, sources.first()?, bits, state), self.value(number, sources.get(1)?, bits, state));
            let pred = self.pred(number, sources.get(2)?, state);
            return Some(pred.select(&a, &b, &mut self.context(number, &mask)));
        }
        if op == "shl" || op == "shr" {
            let a = self.value(number, sources.first()?, bits, state);
            let by = self.value(number, sources.get(1)?, 32, state);
            let mut context = self.context(number, &mask);
            if op == "shl" {
                return Some(context.shift_left(&a, &by));
            }
            if let Some(by) = by.one() {
                return Some(context.shift_right(&a, u32::try_from(by).unwrap_or(u32::MAX), is_signed));
            }
            if a.is_known() && by.is_known() {
                let known = a.known.zip(&by.known, |x, n| {
                    let n = u32::try_from(n).unwrap_or(u32::MAX);
                    if is_signed {
                        (signed(x, bits) >> n.min(bits - 1)).cast_unsigned() & ones(bits)
                    } else if n >= bits {
                        0
                    } else {
                        x >> n
                    }
                });
                return Some(Value { bits, known, terms: Vec::new() });
            }
            return Some(context.opaque(&[&a, &by], 0, bits, u64::MAX));
        }
        if op == "cvt" {
            let to = i.suffixes.get(i.suffixes.len().checked_sub(2)?)?;
            let to_bits = u32::try_from(type_bytes(to)? * 8).ok()?;
            let a = self.value(number, sources.first()?, bits, state);
            let mut context = self.context(number, &mask);
            let whole = context.extend(&a, is_signed);
            if to_bits >= 64 {
                return Some(whole);
            }
            let narrow = whole.narrow(to_bits);
            // a register that is wider than its type is filled by the type's sign
            return Some(if to_bits < 32 { context.extend(&narrow, to.starts_with('s')) } else { narrow });
        }
        if matches!(op, "mul" | "mad") && (wide || i.has("lo")) {
            let (mut a, mut b) =
                (self.value(number, sources.first()?, bits, state), self.value(number, sources.get(1)?, bits, state));
            let out = if wide { bits * 2 } else { bits };
            let c = if op == "mad" { Some(self.value(number, sources.get(2)?, out, state)) } else { None };
            let mut context = self.context(number, &mask);
            if wide {
                (a, b) = (context.extend(&a, is_signed).narrow(out), context.extend(&b, is_signed).narrow(out));
            }
            let product = a.mul(&b, &mut context);
            return Some(c.map_or(product.clone(), |c| product.add(&c)));
        }
        if matches!(op, "mul" | "mad") && i.has("hi") {
            let (a, b) =
                (self.value(number, sources.first()?, bits, state), self.value(number, sources.get(1)?, bits, state));
            let c = if op == "mad" { Some(self.value(number, sources.get(2)?, bits, state)) } else { None };
            let product = if a.is_known() && b.is_known() {
                let known = a.known.zip(&b.known, |x, y| high_half(x, y, bits, is_signed));
                Value { bits, known, terms: Vec::new() }
            } else {
                self.context(number, &mask).opaque(&[&a, &b], 0, bits, u64::MAX)
            };
            return Some(c.map_or(product.clone(), |c| product.add(&c)));
        }
        if op == "cvta" {
            let value = self.value(number, sources.first()?, bits, state);
            if i.has("global") {
                return Some(value);
            }
            if !i.has("shared") && !i.has("shared::cta") {
                return None;
            }
            let window = self.window(bits);
            return Some(if i.has("to") { value.sub(&window) } else { value.add(&window) });
        }
        if matches!(op, "bfe" | "bfi") {
            return self.field(number, op, bits, is_signed, sources, state);
        }
        let mut values = Vec::new();
        for x in sources {
            values.push(self.value(number, x, bits, state));
        }
        let mut context = self.context(number, &mask);
        let known_all = values.iter().all(Value::is_known);
        Some(match (op, values.as_slice()) {
            ("add", [a, b]) => a.add(b),
            ("sub", [a, b]) => a.sub(b),
            ("neg", [a]) => Value { bits, ..Value::number(0) }.sub(a),
            ("not", [a]) => Value { bits, known: Lanes::Same(ones(bits)), terms: Vec::new() }.sub(a),
            ("and", [a, b]) => context.bitwise(Bitwise::And, a, b),
            ("or", [a, b]) => context.bitwise(Bitwise::Or, a, b),
            ("xor", [a, b]) => context.bitwise(Bitwise::Xor, a, b),
            ("div", [a, b]) => context.divide(a, b, is_signed, false),
            ("rem", [a, b]) => context.divide(a, b, is_signed, true),
            ("min" | "max", [a, b]) => {
                let less = context.compare("lt", a, b, is_signed)?;
                if op == "min" { less.select(a, b, &mut context) } else { less.select(b, a, &mut context) }
            }
            ("abs", [a]) if known_all => Value {
                bits,
                known: a.known.map(|x| signed(x, bits).wrapping_abs().cast_unsigned() & ones(bits)),
                terms: Vec::new(),
            },
            ("popc", [a]) if known_all => Value::lanes(a.known.map(|x| u64::from(x.count_ones()))),
            ("clz", [a]) if known_all => {
                Value::lanes(a.known.map(|x| u64::from(x.leading_zeros()) - u64::from(64 - bits)))
            }
            ("brev", [a]) if known_all => {
                Value { bits, known: a.known.map(|x| x.reverse_bits() >> (64 - bits)), terms: Vec::new() }
            }
            ("popc" | "clz", all) => {
                let all: Vec<&Value> = all.iter().collect();
                context.opaque(&all, 0, 32, u64::from(bits))
            }
            ("brev" | "abs" | "mul" | "mad" | "bfind" | "lop3" | "shf" | "prmt" | "sad" | "mul24", all) => {
                let all: Vec<&Value> = all.iter().collect();
                let out = if op == "bfind" { 32 } else { bits };
                context.opaque(&all, 0, out, u64::MAX)
            }
            _ => return None,
        })
    }

    /// `bfe` and `bfi` with a known place and length.
    fn field(
        &mut self,
        number: usize,
        op: &str,
        bits: u32,
        is_signed: bool,
        sources: &[Operand],
        state: &State,
    ) -> Option<Value> {
        let mask = state.mask.clone();
        let a = self.value(number, sources.first()?, bits, state);
        let rest = if op == "bfe" { 1 } else { 2 };
        let from = self.value(number, sources.get(rest)?, 32, state).one()? & 0xff;
        let length = self.value(number, sources.get(rest + 1)?, 32, state).one()? & 0xff;
        let (from, length) = (u32::try_from(from).ok()?, u32::try_from(length).ok()?);
        if from >= bits || length == 0 || from + length > bits {
            return None;
        }
        let number_of = |x: u64| Value { bits, known: Lanes::Same(x), terms: Vec::new() };
        if op == "bfe" {
            let mut context = self.context(number, &mask);
            if is_signed {
                let up = a.scale(&Lanes::Same(1u64.checked_shl(bits - from - length).unwrap_or(0)));
                return Some(context.shift_right(&up, bits - length, true));
            }
            let down = context.shift_right(&a, from, false);
            return Some(context.bitwise(Bitwise::And, &down, &number_of(ones(length))));
        }
        let b = self.value(number, sources.get(1)?, bits, state);
        let field = (ones(length) << from) & ones(bits);
        let mut context = self.context(number, &mask);
        let up = a.scale(&Lanes::Same(1 << from));
        let put = context.bitwise(Bitwise::And, &up, &number_of(field));
        let hole = context.bitwise(Bitwise::And, &b, &number_of(!field & ones(bits)));
        Some(context.bitwise(Bitwise::Or, &put, &hole))
    }

    fn comparison(
        &mut self,
        number: usize,
        i: &Instruction,
        count: usize,
        bits: u32,
        state: &State,
    ) -> Option<Vec<Content>> {
        let kind = i.suffixes.last()?;
        let (a, b) =
            (self.value(number, i.operands.get(1)?, bits, state), self.value(number, i.operands.get(2)?, bits, state));
        let mask = state.mask.clone();
        let mut context = self.context(number, &mask);
        let known = if is_float(kind) || is_packed(kind) {
            None
        } else {
            context.compare(i.suffixes.first()?, &a, &b, kind.starts_with('s'))
        };
        let pred = match known {
            Some(pred) => pred,
            None if is_packed(kind) => return None,
            None => {
                let uniform = a.is_uniform(context.symbols, &mask) && b.is_uniform(context.symbols, &mask);
                Pred::unknown(&mut context, uniform, true)
            }
        };
        let mut results = vec![pred.clone(), pred.negate()];
        if let Some(third) = i.operands.get(3) {
            let third = self.pred(number, third, state);
            let mut context = self.context(number, &mask);
            for result in &mut results {
                *result = match i.suffixes.get(1).map(String::as_str) {
                    Some("and") => result.and(&third, &mut context),
                    Some("or") => result.or(&third, &mut context),
                    Some("xor") => result.xor(&third, &mut context),
                    _ => return None,
                };
            }
        }
        results.truncate(count);
        Some(results.into_iter().map(|x| Content::Pred(Rc::new(x))).collect())
    }

    /// `mov`, also of parts: `mov.b64 {%r1, %r2}, %rd1` and `mov.b64 %rd1, {%r1, %r2}`.
    fn moved(
        &mut self,
        number: usize,
        source: &Operand,
        count: usize,
        bits: u32,
        state: &State,
    ) -> Option<Vec<Content>> {
        let mask = state.mask.clone();
        if let Operand::List(parts) = source {
            let width = bits.checked_div(u32::try_from(parts.len()).ok()?)?;
            if count != 1 {
                return None;
            }
            let mut sum = Value { bits, ..Value::number(0) };
            for (at, part) in parts.iter().enumerate() {
                let part = self.value(number, part, width, state);
                let part = self.context(number, &mask).extend(&part, false).narrow(bits);
                sum = sum.add(&part.scale(&Lanes::Same(1u64.checked_shl(u32::try_from(at).ok()? * width)?)));
            }
            return Some(vec![content(sum)]);
        }
        let value = self.value(number, source, bits, state);
        if count == 1 {
            return Some(vec![content(value)]);
        }
        let width = bits.checked_div(u32::try_from(count).ok()?)?;
        let mut context = self.context(number, &mask);
        let parts = (0..count).map(|at| {
            let by = u32::try_from(at).unwrap_or(0) * width;
            content(context.shift_right(&value, by, false).narrow(width))
        });
        Some(parts.collect())
    }
}
