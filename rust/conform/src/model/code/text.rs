//! The text of index code, read and run as its language says: unsigned integers of so many bits in C and CUDA, any integers in Python.

use num_bigint::BigInt;

/// A function of one index.
pub(crate) struct Code {
    /// What `x` is.
    before: Option<Expr>,
    last: Expr,
    /// Of its integers; any number in Python.
    bits: Option<u64>,
}

#[derive(Debug, PartialEq)]
enum Expr {
    C,
    X,
    Number(BigInt),
    Apply(&'static str, Box<(Expr, Expr)>),
}

/// From the loosest to the tightest.
const LEVELS: [&[&str]; 5] = [&["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "//", "/", "%"]];

struct Reader<'a> {
    rest: &'a str,
    python: bool,
}

impl Reader<'_> {
    fn take(&mut self, sign: &str) -> bool {
        match self.rest.trim_start().strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn level(&mut self, level: usize) -> Option<Expr> {
        let Some(signs) = LEVELS.get(level) else { return self.atom() };
        let mut left = self.level(level + 1)?;
        while let Some(sign) = signs.iter().find(|sign| self.take(sign)) {
            // `//` is no comment and `/` no quotient of integers in one language each.
            if (*sign == "//" && !self.python) || (*sign == "/" && self.python) {
                return None;
            }
            let right = self.level(level + 1)?;
            left = Expr::Apply(sign, Box::new((left, right)));
        }
        Some(left)
    }

    fn atom(&mut self) -> Option<Expr> {
        if self.take("(") {
            let inner = self.level(0)?;
            return self.take(")").then_some(inner);
        }
        let text = self.rest.trim_start();
        let word = &text[..text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len())];
        self.rest = &text[word.len()..];
        match word {
            "c" => Some(Expr::C),
            "x" => Some(Expr::X),
            _ => {
                let unsigned = word.strip_suffix('u').filter(|_| !self.python);
                let digits = unsigned.unwrap_or(word);
                let (digits, base) = digits.strip_prefix("0x").map_or((digits, 10), |hex| (hex, 16));
                let number = BigInt::parse_bytes(digits.as_bytes(), base)?;
                // Without a suffix it would be a signed integer of more bits than the index.
                let int = self.python || unsigned.is_some() || number < BigInt::from(1) << 31;
                int.then_some(Expr::Number(number))
            }
        }
    }
}

fn expression(text: &str, python: bool) -> Option<Expr> {
    let mut reader = Reader { rest: text, python };
    let expr = reader.level(0)?;
    reader.rest.trim().is_empty().then_some(expr)
}

impl Code {
    /// The function `offset` in a language.
    pub(crate) fn read(text: &str, language: &str) -> Option<Self> {
        if language == "python" {
            let mut lines: Vec<&str> = text.strip_prefix("def offset(c):\n")?.split('\n').collect();
            let last = expression(lines.pop()?.strip_prefix("    return ")?, true)?;
            let before = match lines.as_slice() {
                [] => None,
                [line] => Some(expression(line.strip_prefix("    x = ")?, true)?),
                _ => return None,
            };
            return Some(Self { before, last, bits: None });
        }
        let head = if language == "c" { "static inline" } else { "__host__ __device__ __forceinline__" };
        let (kind, bits) = [("uint32_t", 32), ("uint64_t", 64)].into_iter().find(|(kind, _)| text.contains(kind))?;
        let body = text.strip_prefix(&format!("{head} {kind} offset({kind} c) {{"))?.strip_suffix('}')?;
        let mut statements: Vec<&str> = body.trim().strip_suffix(';')?.split(';').map(str::trim).collect();
        let last = expression(statements.pop()?.strip_prefix("return ")?, false)?;
        let before = match statements.as_slice() {
            [] => None,
            [line] => Some(expression(line.strip_prefix(&format!("{kind} x = "))?, false)?),
            _ => return None,
        };
        Some(Self { before, last, bits: Some(bits) })
    }

    pub(crate) fn bits(&self) -> Option<u64> {
        self.bits
    }

    /// Its value, or why it has none.
    pub(crate) fn run(&self, index: &BigInt) -> Result<BigInt, String> {
        let x = match &self.before {
            Some(before) => before.run(index, None, self.bits)?,
            None => BigInt::from(0),
        };
        self.last.run(index, self.before.is_some().then_some(&x), self.bits)
    }

    /// Whether the text is what it returns, and nothing goes before.
    pub(crate) fn returns(&self, text: &str) -> bool {
        self.before.is_none() && expression(text, self.bits.is_none()).is_some_and(|expr| expr == self.last)
    }

    pub(crate) fn has_statement(&self) -> bool {
        self.before.is_some()
    }

    fn all(&self) -> impl Iterator<Item = &Expr> {
        self.before.iter().chain([&self.last])
    }

    pub(crate) fn operators(&self) -> usize {
        self.all().map(Expr::operators).sum()
    }

    /// Whether something is divided by a power of two.
    pub(crate) fn divides_by_a_power(&self) -> bool {
        self.all().any(Expr::divides_by_a_power)
    }
}

impl Expr {
    fn run(&self, c: &BigInt, x: Option<&BigInt>, bits: Option<u64>) -> Result<BigInt, String> {
        let cut = |value: BigInt| match bits {
            Some(bits) => ((value % (BigInt::from(1) << bits)) + (BigInt::from(1) << bits)) % (BigInt::from(1) << bits),
            None => value,
        };
        let Expr::Apply(sign, pair) = self else {
            return match self {
                Expr::C => Ok(c.clone()),
                Expr::X => x.cloned().ok_or("x is used and not computed".into()),
                Expr::Number(n) if *n != cut(n.clone()) => Err(format!("{n} has more bits than the integers")),
                Expr::Number(n) => Ok(n.clone()),
                Expr::Apply(..) => Err(String::new()),
            };
        };
        let (a, b) = (pair.0.run(c, x, bits)?, pair.1.run(c, x, bits)?);
        let zero = BigInt::from(0);
        let value = match *sign {
            "+" => a + b,
            "-" => a - b,
            "*" => a * b,
            "&" => a & b,
            "^" => a ^ b,
            "<<" | ">>" => {
                let far =
                    u64::try_from(&b).ok().filter(|far| *far < bits.unwrap_or(256)).ok_or(format!("a shift by {b}"))?;
                if *sign == "<<" { a << far } else { a >> far }
            }
            // Nothing below 0 is divided: it would not be what unsigned integers do.
            _ if b == zero || a < zero => return Err(format!("{a} is divided by {b}")),
            "%" => a % b,
            _ => a / b,
        };
        Ok(cut(value))
    }

    fn operators(&self) -> usize {
        if let Expr::Apply(_, pair) = self { pair.0.operators() + pair.1.operators() + 1 } else { 0 }
    }

    fn divides_by_a_power(&self) -> bool {
        let Expr::Apply(sign, pair) = self else { return false };
        let power = |n: &BigInt| n.bits() > 0 && n.trailing_zeros() == Some(n.bits() - 1);
        let own = matches!(*sign, "/" | "//" | "%") && matches!(&pair.1, Expr::Number(n) if power(n));
        own || pair.0.divides_by_a_power() || pair.1.divides_by_a_power()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, language: &str, index: u32) -> Option<Result<BigInt, String>> {
        Some(Code::read(text, language)?.run(&index.into()))
    }

    #[test]
    fn languages_compute_as_they_do() {
        let c = |body: &str| format!("static inline uint32_t offset(uint32_t c) {{ return {body}; }}");
        for (body, value) in [
            ("c - 9", Some(4_294_967_294_u64)),
            ("1 + c * 2", Some(15)),
            ("c << 1 + 1", Some(28)),
            ("c & 6 ^ 3", Some(5)),
            ("(c & 0xc) / 4 % 3", Some(1)),
            ("4294967295u - c", Some(4_294_967_288)),
            ("c << 32", None),
            ("c / 0", None),
        ] {
            let ran = run(&c(body), "c", 7).unwrap();
            assert_eq!(ran.ok(), value.map(BigInt::from), "{body}");
        }
        for unread in ["c // 2", "c +", "c 2", "4294967295 - c", "d", "(c", "-c"] {
            assert_eq!(run(&c(unread), "c", 7), None, "{unread}");
        }
        let python = "def offset(c):\n    x = c - 9\n    return x + c // 2";
        assert_eq!(run(python, "python", 7), Some(Ok(1.into())));
        assert_eq!(run(python, "c", 7), None);
        let cuda = "__host__ __device__ __forceinline__ uint64_t offset(uint64_t c) {\n    uint64_t x = c - 9;\n    return x ^ (x >> 3);\n}";
        assert_eq!(run(cuda, "cuda", 9), Some(Ok(0.into())));
        assert!(Code::read(&c("c % 6 / 8"), "c").unwrap().divides_by_a_power());
        assert!(!Code::read(&c("c % 6 / 3"), "c").unwrap().divides_by_a_power());
        assert_eq!(Code::read(cuda, "cuda").unwrap().operators(), 3);
    }
}
