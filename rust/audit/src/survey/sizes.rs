//! Sizes in bytes, where bits are asked for: `int(sizeof(T))`, `static_cast<int>(alignof(T))`.

use super::shared::{Fact, Looker};
use super::spots::Finder;
use crate::ast::{DeclKind, Expr, ExprId, Op};
use crate::eval::{Context, Measure, Resolved, Value};
use crate::source::counts_pack;

/// Bytes of the widest vector.
const MAX_VECTOR: i128 = 32;

/// A product of sizes and numbers: how many `sizeof` it has, and how many factors of two otherwise.
#[derive(Clone, Copy)]
pub(super) struct Product {
    sizes: usize,
    twos: u32,
}

impl Product {
    const ONE: Self = Self { sizes: 0, twos: 0 };
    const SIZE: Self = Self { sizes: 1, twos: 0 };

    fn of(factor: i128) -> Option<Self> {
        (factor > 0).then_some(Self { sizes: 0, twos: factor.trailing_zeros() })
    }

    fn times(self, by: Self) -> Option<Self> {
        Some(Self { sizes: self.sizes.checked_add(by.sizes)?, twos: self.twos.checked_add(by.twos)? })
    }

    /// How many `sizeof` it has; none where eight of the bytes may make it bits.
    pub(super) fn bytes(self) -> Option<usize> {
        (self.twos < 3).then_some(self.sizes)
    }
}

impl Finder<'_, '_> {
    /// How many `sizeof` a product of them and of small numbers has; none where it is something else. A factor of 8 makes bits of bytes, and
    /// one that is not known may.
    pub(super) fn bytes(&self, expr: ExprId, left: usize) -> Option<usize> {
        self.product(expr, left).and_then(Product::bytes)
    }

    fn product(&self, expr: ExprId, left: usize) -> Option<Product> {
        let left = left.checked_sub(1)?;
        match self.unit.expr(expr) {
            // What a cast leaves of its operand is wider than the word.
            Expr::Sizeof(_) => {
                let text = self.text(self.unit.span(expr)).trim_start();
                // How many types a pack has is no number of bytes.
                (text.starts_with("sizeof") && !counts_pack(text)).then_some(Product::SIZE)
            }
            Expr::Number(Some(factor)) => Product::of(factor.get()),
            Expr::Binary(Op::Mul, a, b) => self.product(*a, left)?.times(self.product(*b, left)?),
            // `int(…)` and `static_cast<int>(…)`.
            Expr::Call(callee, args) => match (self.unit.expr(*callee), args.as_slice()) {
                (Expr::Path(path), [_]) if self.name(path) == "alignof" => Some(Product::SIZE),
                (Expr::Path(path), [only])
                    if matches!(self.name(path), "int" | "unsigned" | "size_t" | "static_cast") =>
                {
                    self.product(*only, left)
                }
                _ => None,
            },
            Expr::Path(path) => {
                let [only] = path.segments.as_slice() else { return None };
                let name = self.text(only.name);
                let mut named = self.unit.decls.iter().filter(|decl| self.text(decl.name) == name);
                let (Some(decl), None) = (named.next(), named.next()) else { return None };
                match decl.kind {
                    DeclKind::Variable { init: Some(init), constant: true, .. } => {
                        self.product(init, left).or_else(|| self.is_count(init, left).then_some(Product::ONE))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether something is how many elements so many bytes have: `16 / sizeof(T)`.
    fn is_count(&self, expr: ExprId, left: usize) -> bool {
        let Expr::Binary(Op::Div, all, one) = self.unit.expr(expr) else { return false };
        let mut all = *all;
        for _ in 0..left {
            match self.unit.expr(all) {
                // No vector has more bytes; what is larger may be bits.
                Expr::Number(Some(bytes)) => {
                    return (1..=MAX_VECTOR).contains(&bytes.get()) && self.bytes(*one, left) == Some(1);
                }
                Expr::Path(path) => {
                    let [only] = path.segments.as_slice() else { return false };
                    let name = self.text(only.name);
                    let mut named = self.unit.decls.iter().filter(|decl| self.text(decl.name) == name);
                    let (Some(decl), None) = (named.next(), named.next()) else { return false };
                    let DeclKind::Variable { init: Some(init), constant: true, .. } = decl.kind else { return false };
                    all = init;
                }
                _ => return self.bytes(all, left) == Some(1) && self.bytes(*one, left) == Some(1),
            }
        }
        false
    }
}

impl<'a> Looker<'_, 'a> {
    /// What an alignment counts that is asked for in bits: bytes only where its value says so, or the name of a constant on the way to it.
    pub(super) fn counted_bytes(&mut self, bits: ExprId, context: &Context<'a>) -> Resolved<Option<Fact>> {
        let Value::Number(number) = self.known(bits, context)? else { return Ok(None) };
        // As many bits as the widest vector has bytes: more are as good as what is meant, or nearly.
        let bytes = u64::try_from(number.value).ok().filter(|_| (1..=MAX_VECTOR).contains(&number.value));
        Ok(Some(match (number.measure, bytes) {
            (Measure::Bytes(_), Some(bytes)) => Fact::Alignment(Some((bytes, number.site))),
            _ => Fact::Bits,
        }))
    }
}

/// How many `sizeof` and `alignof` a product in a text has, as far as they are told from its words alone: also in casts that the grammar takes for types.
pub(super) fn said(text: &str, left: usize) -> Option<Product> {
    let left = left.checked_sub(1)?;
    let text = text.trim();
    let mut depth = 0_usize;
    let mut start = 0;
    let mut product = Product::ONE;
    let mut factors = Vec::new();
    for (at, sign) in text.char_indices() {
        match sign {
            '(' | '<' => depth += 1,
            ')' | '>' => depth = depth.checked_sub(1)?,
            '*' if depth == 0 => {
                factors.push(text.get(start..at)?);
                start = at + 1;
            }
            _ => {}
        }
    }
    factors.push(text.get(start..)?);
    for factor in factors {
        let factor = factor.trim();
        let inner = |word: &str| {
            let rest = factor.strip_prefix(word)?.trim_start();
            closed(rest).then(|| rest.get(1..rest.len() - 1)).flatten()
        };
        let of = if let Ok(number) = factor.parse::<u64>() {
            Product::of(number.into())?
        } else if inner("sizeof").is_some() || inner("alignof").is_some() {
            Product::SIZE
        } else {
            let casts = ["", "int", "unsigned", "size_t", "std::size_t", "uint32_t", "int32_t"];
            // `(int)sizeof(T)`.
            let before = factor.strip_prefix('(').and_then(|rest| rest.split_once(')'));
            let before =
                before.filter(|(ty, of)| !of.trim().is_empty() && casts.contains(&ty.trim())).map(|(_, of)| of);
            let cast = casts.iter().find_map(|word| inner(word)).or(before);
            let cast = cast.or_else(|| {
                let (ty, _) = factor.strip_prefix("static_cast")?.trim_start().strip_prefix('<')?.split_once('>')?;
                inner(factor.get(..factor.find('>')? + 1)?).filter(|_| casts.contains(&ty.trim()))
            });
            said(cast?, left)?
        };
        product = product.times(of)?;
    }
    Some(product)
}

/// Whether a text is one pair of parentheses with something inside.
fn closed(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut ends = text.bytes().enumerate().filter_map(|(at, sign)| {
        match sign {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at + 1)
    });
    text.starts_with('(') && ends.next() == Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::{Product, said};

    #[test]
    fn bytes_in_casts() {
        for text in [
            "int(sizeof(T))",
            "static_cast<int>(sizeof(T) * 3)",
            "(sizeof(T))",
            "alignof(T)",
            "int( 2*sizeof (T) )",
            "(int)sizeof(T)",
        ] {
            assert_eq!(said(text, 8).and_then(Product::bytes), Some(1), "{text}");
        }
        for text in [
            "sizeof_bits_v<T>",
            "8 * int(sizeof(T))",
            "sizeof(T) * kBits",
            "sizeof(T) * 8",
            "2 * sizeof(T) * 4",
            "f(sizeof(T))",
            "sizeof(T) + (8)",
        ] {
            assert_eq!(said(text, 8).and_then(Product::bytes), None, "{text}");
        }
        assert_eq!(said("int(3)", 8).and_then(Product::bytes), Some(0));
    }
}
