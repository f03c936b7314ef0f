//! Terms as C, CUDA and Python write them.

use super::term::{Operator, Term};
use alloc::{string::String, string::ToString, vec::Vec};

/// The names of the indices in printed code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) indices: Vec<String>,
}

impl Names {
    /// The name of what comes before a swizzle: none of the indices.
    fn before(&self) -> &'static str {
        const NAMES: [&str; 2] = ["x", "unswizzled"];
        NAMES.into_iter().find(|name| self.indices.iter().all(|index| index != name)).unwrap_or("unswizzled_offset")
    }
}

/// A language of index code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// C with `<stdint.h>`; C++ as well.
    C,
    /// CUDA C++, on host and device.
    Cuda,
    /// Python, with integers of any size.
    Python,
}

impl Language {
    /// Each, in order.
    pub const ALL: [Self; 3] = [Self::C, Self::Cuda, Self::Python];

    /// `c`, `cuda` or `python`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cuda => "cuda",
            Self::Python => "python",
        }
    }

    const fn sign(self, operator: Operator) -> &'static str {
        match operator {
            Operator::Add => "+",
            Operator::Sub => "-",
            Operator::Mul => "*",
            Operator::Div if matches!(self, Self::Python) => "//",
            Operator::Div => "/",
            Operator::Mod => "%",
            Operator::And => "&",
            Operator::Xor => "^",
            Operator::Left => "<<",
            Operator::Right => ">>",
        }
    }

    fn number(self, n: u64, operator: Option<Operator>) -> String {
        // Masks are read as bits.
        let digits = if operator == Some(Operator::And) && n > 9 { format!("{n:#x}") } else { n.to_string() };
        let suffix = if self != Self::Python && n > i32::MAX.unsigned_abs().into() { "u" } else { "" };
        digits + suffix
    }

    /// The term. All but products in sums, and terms of one sum, stand in brackets: no reader needs to know how tightly `&` binds.
    pub(super) fn term(self, term: &Term, names: &Names) -> String {
        self.within(term, None, names)
    }

    fn within(self, term: &Term, operator: Option<Operator>, names: &Names) -> String {
        match term {
            Term::Index(place) => names.indices.get(*place).cloned().unwrap_or_default(),
            Term::Before => names.before().into(),
            Term::Number(n) => self.number(*n, operator),
            Term::Apply(own, pair) => {
                let (left, right) = (&pair.0, &pair.1);
                format!(
                    "{} {} {}",
                    self.part(left, *own, true, names),
                    self.sign(*own),
                    self.part(right, *own, false, names)
                )
            }
        }
    }

    fn part(self, term: &Term, outer: Operator, first: bool, names: &Names) -> String {
        let text = self.within(term, Some(outer), names);
        let Term::Apply(own, _) = term else { return text };
        let sum = |operator| matches!(operator, Operator::Add | Operator::Sub);
        let bare = sum(outer) && (*own == Operator::Mul || first && sum(*own))
            || first && *own == Operator::Xor && outer == Operator::Xor;
        if bare { text } else { format!("({text})") }
    }

    /// A function of the indices that returns the last term; before it, what the offset is before a swizzle.
    pub(super) fn function(self, before: Option<&Term>, last: &Term, name: &str, bits: u32, names: &Names) -> String {
        let returned = self.term(last, names);
        let before = before.map(|term| self.term(term, names));
        let x = names.before();
        if self == Self::Python {
            let before = before.map_or(String::new(), |before| format!("    {x} = {before}\n"));
            return format!("def {name}({}):\n{before}    return {returned}", names.indices.join(", "));
        }
        let kind = format!("uint{bits}_t");
        let head = if self == Self::C { "static inline" } else { "__host__ __device__ __forceinline__" };
        let parameters: Vec<String> = names.indices.iter().map(|index| format!("{kind} {index}")).collect();
        let parameters = parameters.join(", ");
        match before {
            None => format!("{head} {kind} {name}({parameters}) {{ return {returned}; }}"),
            Some(before) => {
                format!("{head} {kind} {name}({parameters}) {{\n    {kind} {x} = {before};\n    return {returned};\n}}")
            }
        }
    }
}
