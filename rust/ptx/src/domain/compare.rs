//! Comparisons: what ranges and low bits decide.

use super::{Context, Mask, Pred, Value, ones};

impl Context<'_> {
    /// `a OP b` for `eq ne lt le gt ge lo ls hi hs` of unsigned or signed numbers; none for another comparison.
    pub fn compare(&mut self, op: &str, a: &Value, b: &Value, is_signed: bool) -> Option<Pred> {
        let (op, is_signed) = match op {
            "lo" => ("lt", false),
            "ls" => ("le", false),
            "hi" => ("gt", false),
            "hs" => ("ge", false),
            other => (other, is_signed),
        };
        let (op, negated) = match op {
            "eq" | "lt" | "le" => (op, false),
            "ne" => ("eq", true),
            "ge" => ("lt", true),
            "gt" => ("le", true),
            _ => return None,
        };
        let bits = a.bits.min(b.bits);
        let (a, b) = (a.narrow(bits), b.narrow(bits));
        let difference = a.sub(&b);
        let symbols = &*self.symbols;
        let answer = |t: usize| -> Option<bool> {
            let bounds =
                |x: &Value| x.integer(symbols, t, is_signed).map(|(known, low, high)| (known + low, known + high));
            if op == "eq" {
                let factors_zero = difference.terms.iter().all(|(_, f)| f.at(t) == 0);
                if factors_zero {
                    return Some(difference.known.at(t) == 0);
                }
                // a multiple of 2^k plus low bits that are not 0
                let k = difference
                    .terms
                    .iter()
                    .map(|(s, f)| if f.at(t) == 0 { 64 } else { f.at(t).trailing_zeros() + symbols.of(*s).zeros });
                if difference.known.at(t) & ones(k.min().unwrap_or(64)) != 0 {
                    return Some(false);
                }
            }
            let ((a_low, a_high), (b_low, b_high)) = (bounds(&a)?, bounds(&b)?);
            match op {
                "eq" if a_high < b_low || b_high < a_low => Some(false),
                "lt" if a_high < b_low => Some(true),
                "lt" if a_low >= b_high => Some(false),
                "le" if a_high <= b_low => Some(true),
                "le" if a_low > b_high => Some(false),
                _ => None,
            }
        };
        let answers: Vec<Option<bool>> = (0..self.threads).map(answer).collect();
        let mut open = Mask::all(self.threads).none_like();
        answers.iter().enumerate().filter(|(_, x)| x.is_none()).for_each(|(t, _)| open.insert(t));
        let open = open.and(self.mask);
        let uniform = a.is_uniform(self.symbols, &open) && b.is_uniform(self.symbols, &open);
        let data = [&a, &b].iter().any(|x| x.terms.iter().any(|(s, _)| self.symbols.of(*s).data));
        let pred = Pred::partly(self, uniform, data, |t| answers[t]);
        Some(if negated { pred.negate() } else { pred })
    }
}
