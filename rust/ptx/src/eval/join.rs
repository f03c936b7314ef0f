//! Where control flow joins.

use super::state::{Content, State};
use super::{Machine, content};
use crate::domain::{Kind, Lanes, Mask, Pred, Symbol, Value, ones};
use std::rc::Rc;

impl Machine<'_> {
    pub(crate) fn join(&mut self, block: usize, number: usize, a: &State, b: &State) -> State {
        let both = a.mask.and(&b.mask);
        // both came the same way as far as threads of a warp can differ, and not in pieces
        let uniform = a.apart == b.apart && !a.in_pieces();
        let mut registers = Vec::with_capacity(a.registers.len());
        for (register, (x, y)) in a.registers.iter().zip(&b.registers).enumerate() {
            registers.push(match (x, y) {
                (Some(x), Some(y)) if x == y => Some(x.clone()),
                (Some(Content::Value(x)), Some(Content::Value(y))) => {
                    Some(content(self.join_values((block, number, register), (x, &a.mask), y, &both, uniform)))
                }
                (Some(Content::Pred(x)), Some(Content::Pred(y))) => Self::join_preds((x, &a.mask), y, &both),
                _ => None,
            });
        }
        let mut split: std::collections::BTreeSet<_> = a.split.union(&b.split).copied().collect();
        // threads of a warp that come by different ways before they reconverge execute what follows each for themselves
        split.extend(a.apart.symmetric_difference(&b.apart).copied());
        State {
            registers,
            mask: a.mask.or(&b.mask),
            apart: a.apart.union(&b.apart).copied().collect(),
            split,
            whole: a.whole.union(&b.whole).copied().collect(),
        }
    }

    fn numbers(at: usize, number: usize) -> (u32, u32) {
        (u32::try_from(at).unwrap_or(u32::MAX), u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// 1 if control came by the second way.
    fn way(&mut self, block: usize, number: usize, uniform: bool) -> u32 {
        let (block, number) = Self::numbers(block, number);
        let kind = Kind::Way(block, number, self.visit);
        let loops = self.loops.clone().into();
        self.symbols.get(Symbol { kind, uniform, zeros: 0, most: 1, data: false, base: false, loops })
    }

    fn join_values(
        &mut self,
        at: (usize, usize, usize),
        a: (&Value, &Mask),
        b: &Value,
        both: &Mask,
        uniform: bool,
    ) -> Value {
        let known = a.0.choose(b, a.1, self.threads);
        if both.is_empty() {
            return known;
        }
        let zero = Value { bits: known.bits, known: Lanes::Same(0), terms: Vec::new() };
        let difference = b.sub(a.0).choose(&zero, both, self.threads);
        if difference == zero {
            return known;
        }
        if difference.is_known() {
            let way = self.way(at.0, at.1, uniform);
            return known.add(&Value::symbol(way, known.bits).scale(&difference.known));
        }
        let uniform = uniform && difference.is_uniform(&self.symbols, both);
        let zeros = difference.trailing_zeros(&self.symbols, both).min(63);
        let data = difference.terms.iter().any(|(s, _)| self.symbols.of(*s).data);
        let (block, number) = Self::numbers(at.0, at.1);
        let kind = Kind::Joined(block, u32::try_from(at.2).unwrap_or(u32::MAX), number, self.visit);
        let id = self.symbols.get(Symbol {
            kind,
            uniform,
            zeros,
            most: ones(known.bits),
            data,
            base: difference.has_base(&self.symbols, both),
            loops: self.loops.clone().into(),
        });
        known.add(&Value::symbol(id, known.bits).choose(&zero, both, self.threads))
    }

    fn join_preds(a: (&Pred, &Mask), b: &Pred, both: &Mask) -> Option<Content> {
        if !both.is_empty() || (a.0.other.is_some() && b.other.is_some() && a.0.other != b.other) {
            return None;
        }
        // each thread comes by one way
        let pick = |x: &Mask, y: &Mask| x.and(a.1).or(&y.without(a.1));
        let other = a.0.other.or(b.other);
        Some(Content::Pred(Rc::new(Pred { yes: pick(&a.0.yes, &b.yes), no: pick(&a.0.no, &b.no), other })))
    }
}
