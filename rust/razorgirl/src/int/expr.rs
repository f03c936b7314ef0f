//! Index expressions and their ranges, as `lean/Razorgirl/Spec/Int/Expr.lean` defines them.
//!
//! Numbers are exact: what 128 bits do not hold is refused, never wrapped.

use alloc::sync::Arc;
use core::fmt;

use crate::error::{Error, ErrorKind, Result};

/// The most nodes of an expression, as a tree.
pub const MAX_NODES: usize = 1 << 10;

/// What `/` and `%` mean. They agree where the dividend is at least 0. By 0, a quotient is 0 and a remainder the dividend.
///
/// Lean: `Razorgirl.Index.Kind`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The remainder is never negative.
    Euclid,
    /// The quotient is rounded towards 0: C, C++, CUDA.
    Trunc,
}

/// An index expression: variables, literals, `+`, `*`, `/` and `%`.
///
/// ```
/// use razorgirl::int::expr::{Expr, Kind};
///
/// let thread: Expr = "x0 % 4 * 2".parse()?;
/// assert_eq!(thread.eval(Kind::Euclid, &[7])?, 6);
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.Index.Expr`
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expr {
    /// A variable, by number.
    Var(u32),
    /// A literal.
    Const(i128),
    /// A sum.
    Add(Pair),
    /// A product.
    Mul(Pair),
    /// A quotient.
    Div(Pair),
    /// A remainder.
    Mod(Pair),
}

/// Two operands; together with the operator they have at most [`MAX_NODES`] nodes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair(Arc<(Expr, Expr)>, usize);

impl Pair {
    fn new(left: Expr, right: Expr) -> core::result::Result<Self, Stop> {
        let nodes = left.nodes() + right.nodes() + 1;
        if nodes > MAX_NODES { Err(Stop::Work) } else { Ok(Self(Arc::new((left, right)), nodes)) }
    }

    /// The left operand: a dividend.
    #[must_use]
    pub fn left(&self) -> &Expr {
        &self.0.0
    }

    /// The right operand: a divisor.
    #[must_use]
    pub fn right(&self) -> &Expr {
        &self.0.1
    }
}

impl Expr {
    /// How many variables, literals and operators it has, each as often as it is written.
    ///
    /// Lean: `Razorgirl.Index.Expr.nodes`
    #[must_use]
    pub fn nodes(&self) -> usize {
        match self {
            Self::Var(_) | Self::Const(_) => 1,
            Self::Add(pair) | Self::Mul(pair) | Self::Div(pair) | Self::Mod(pair) => pair.1,
        }
    }

    /// `a + b`
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) beyond [`MAX_NODES`].
    pub fn sum(a: Self, b: Self) -> Result<Self> {
        Ok(Self::Add(Pair::new(a, b)?))
    }

    /// `a * b`
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) beyond [`MAX_NODES`].
    pub fn product(a: Self, b: Self) -> Result<Self> {
        Ok(Self::Mul(Pair::new(a, b)?))
    }

    /// `a / b`
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) beyond [`MAX_NODES`].
    pub fn quotient(a: Self, b: Self) -> Result<Self> {
        Ok(Self::Div(Pair::new(a, b)?))
    }

    /// `a % b`
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) beyond [`MAX_NODES`].
    pub fn remainder(a: Self, b: Self) -> Result<Self> {
        Ok(Self::Mod(Pair::new(a, b)?))
    }

    pub(super) fn add(a: Self, b: Self) -> Exact<Self> {
        Ok(Self::Add(Pair::new(a, b)?))
    }

    pub(super) fn mul(a: Self, b: Self) -> Exact<Self> {
        Ok(Self::Mul(Pair::new(a, b)?))
    }

    pub(super) fn div(a: Self, b: Self) -> Exact<Self> {
        Ok(Self::Div(Pair::new(a, b)?))
    }

    pub(super) fn rem(a: Self, b: Self) -> Exact<Self> {
        Ok(Self::Mod(Pair::new(a, b)?))
    }

    /// The value, given those of the variables; of a variable beyond their end it is 0.
    ///
    /// # Errors
    /// [`Overflow`](ErrorKind::Overflow) where a value on the way does not fit into 128 bits.
    ///
    /// Lean: `Razorgirl.Index.Expr.eval`
    pub fn eval(&self, kind: Kind, values: &[i128]) -> Result<i128> {
        Ok(self.value(kind, values)?)
    }

    // Recursion: no deeper than MAX_NODES.
    fn value(&self, kind: Kind, values: &[i128]) -> Exact<i128> {
        let both = |pair: &Pair| Ok::<_, Stop>((pair.left().value(kind, values)?, pair.right().value(kind, values)?));
        match self {
            Self::Var(x) => Ok(usize::try_from(*x).ok().and_then(|x| values.get(x)).copied().unwrap_or(0)),
            Self::Const(n) => Ok(*n),
            Self::Add(pair) => both(pair).and_then(|(a, b)| exact(a.checked_add(b))),
            Self::Mul(pair) => both(pair).and_then(|(a, b)| exact(a.checked_mul(b))),
            Self::Div(pair) => both(pair).and_then(|(a, b)| kind.div(a, b)),
            Self::Mod(pair) => both(pair).and_then(|(a, b)| kind.rem(a, b)),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A number does not fit into 128 bits.
    Overflow,
    /// An expression, or the work on it, is too much.
    Work,
}

/// A number, or what is made of numbers, if nothing on the way stopped.
pub(crate) type Exact<T> = core::result::Result<T, Stop>;

pub(crate) fn exact<T>(number: Option<T>) -> Exact<T> {
    number.ok_or(Stop::Overflow)
}

impl From<Stop> for Error {
    #[cold]
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Overflow => Error::new(ErrorKind::Overflow, "a number on the way does not fit into 128 bits")
                .with_help("use smaller literals and bounds"),
            Stop::Work => {
                let message = format!("the expression grows to over {MAX_NODES} nodes, or is too much work");
                Error::new(ErrorKind::TooLarge, message).with_help("simplify its parts one by one")
            }
        }
    }
}

impl Kind {
    /// The quotient; by 0 it is 0.
    pub(super) fn div(self, a: i128, b: i128) -> Exact<i128> {
        match self {
            _ if b == 0 => Ok(0),
            Self::Euclid => exact(a.checked_div_euclid(b)),
            Self::Trunc => exact(a.checked_div(b)),
        }
    }

    /// The remainder; by 0 it is `a`.
    pub(super) fn rem(self, a: i128, b: i128) -> Exact<i128> {
        match self {
            _ if b == 0 => Ok(a),
            Self::Euclid => exact(a.checked_rem_euclid(b)),
            Self::Trunc => exact(a.checked_rem(b)),
        }
    }
}

/// The integers from `lo` to `hi`, both included; `None` means no bound.
///
/// Lean: `Razorgirl.Index.Range`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Range {
    /// Nothing is below.
    pub lo: Option<i128>,
    /// Nothing is above.
    pub hi: Option<i128>,
}

impl Range {
    /// No bound.
    ///
    /// Lean: `Razorgirl.Index.Range.all`
    pub const ALL: Self = Self { lo: None, hi: None };

    /// One number.
    ///
    /// Lean: `Razorgirl.Index.Range.point`
    #[must_use]
    pub const fn point(n: i128) -> Self {
        Self { lo: Some(n), hi: Some(n) }
    }

    /// From 0 up to and without `n`: the indices of an extent.
    ///
    /// Lean: `Razorgirl.Index.Range.below`
    #[must_use]
    pub const fn below(n: u64) -> Self {
        Self { lo: Some(0), hi: Some(n as i128 - 1) }
    }

    /// Whether the number lies in it.
    ///
    /// Lean: `Razorgirl.Index.Range.Contains`
    #[must_use]
    pub fn contains(&self, n: i128) -> bool {
        self.lo.is_none_or(|lo| lo <= n) && self.hi.is_none_or(|hi| n <= hi)
    }

    /// Nothing in it is below `n`.
    pub(super) fn is_from(&self, n: i128) -> bool {
        self.lo.is_some_and(|lo| n <= lo)
    }

    /// Nothing in it is above `n`.
    pub(super) fn is_up_to(&self, n: i128) -> bool {
        self.hi.is_some_and(|hi| hi <= n)
    }

    /// The only number in it, if it is one.
    pub(super) fn value(&self) -> Option<i128> {
        self.lo.filter(|_| self.lo == self.hi)
    }

    pub(super) fn add(self, other: Self) -> Exact<Self> {
        let both = |a: Option<i128>, b: Option<i128>| both(a, b, i128::checked_add);
        Ok(Self { lo: both(self.lo, other.lo)?, hi: both(self.hi, other.hi)? })
    }

    fn scale(self, factor: i128) -> Exact<Self> {
        let times = |bound: Option<i128>| bound.map(|n| exact(factor.checked_mul(n))).transpose();
        let (lo, hi) = (times(self.lo)?, times(self.hi)?);
        Ok(if factor >= 0 { Self { lo, hi } } else { Self { lo: hi, hi: lo } })
    }

    /// Where products lie: for a factor that is a number, and for two factors of at least 0.
    pub(super) fn mul(self, other: Self) -> Exact<Self> {
        match (self.value(), other.value()) {
            (Some(factor), _) => other.scale(factor),
            (None, Some(factor)) => self.scale(factor),
            (None, None) if self.is_from(0) && other.is_from(0) => {
                let times = |a: Option<i128>, b: Option<i128>| both(a, b, i128::checked_mul);
                Ok(Self { lo: times(self.lo, other.lo)?, hi: times(self.hi, other.hi)? })
            }
            (None, None) => Ok(Self::ALL),
        }
    }

    /// Where quotients lie: for a divisor that is a positive number, and for a dividend of at least 0 and a positive divisor.
    fn div(self, kind: Kind, by: Self) -> Exact<Self> {
        let divided = |bound: Option<i128>, d: i128| bound.map(|n| kind.div(n, d)).transpose();
        Ok(match (by.value(), by.lo) {
            (Some(d), _) if d > 0 => Self { lo: divided(self.lo, d)?, hi: divided(self.hi, d)? },
            (None, Some(d)) if d > 0 && self.is_from(0) => Self { lo: Some(0), hi: divided(self.hi, d)? },
            _ => Self::ALL,
        })
    }

    /// Where remainders by a positive divisor lie. A truncated one may be negative, unless the dividend is at least 0.
    fn rem(self, kind: Kind, by: Self) -> Exact<Self> {
        if !by.is_from(1) {
            return Ok(Self::ALL);
        }
        let last = by.hi.map(|d| exact(d.checked_sub(1))).transpose()?;
        Ok(match kind {
            _ if self.is_from(0) => Self { lo: Some(0), hi: least(self.hi, last) },
            Kind::Euclid => Self { lo: Some(0), hi: last },
            Kind::Trunc => Self { lo: by.hi.map(|d| exact(1_i128.checked_sub(d))).transpose()?, hi: last },
        })
    }
}

/// What two bounds make, if both are there.
fn both(a: Option<i128>, b: Option<i128>, of: fn(i128, i128) -> Option<i128>) -> Exact<Option<i128>> {
    a.zip(b).map(|(a, b)| exact(of(a, b))).transpose()
}

/// The lesser of two upper bounds.
fn least(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    a.into_iter().chain(b).min()
}

impl Expr {
    /// Where its values lie, given the ranges of the variables; a variable beyond their end has no bounds.
    ///
    /// # Errors
    /// [`Overflow`](ErrorKind::Overflow) where a bound on the way does not fit into 128 bits.
    ///
    /// ```
    /// use razorgirl::int::expr::{Expr, Kind, Range};
    ///
    /// // a thread of 128
    /// let index: Expr = "x0 % 32 * 4 + 3".parse()?;
    /// assert_eq!(index.range(Kind::Trunc, &[Range::below(128)])?, Range { lo: Some(3), hi: Some(127) });
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.Index.Expr.range`
    pub fn range(&self, kind: Kind, bounds: &[Range]) -> Result<Range> {
        Ok(self.within(kind, bounds)?)
    }

    // Recursion: no deeper than MAX_NODES.
    pub(super) fn within(&self, kind: Kind, bounds: &[Range]) -> Exact<Range> {
        let both = |pair: &Pair| Ok::<_, Stop>((pair.left().within(kind, bounds)?, pair.right().within(kind, bounds)?));
        match self {
            Self::Var(x) => Ok(bound_of(bounds, *x)),
            Self::Const(n) => Ok(Range::point(*n)),
            Self::Add(pair) => both(pair).and_then(|(a, b)| a.add(b)),
            Self::Mul(pair) => both(pair).and_then(|(a, b)| a.mul(b)),
            Self::Div(pair) => both(pair).and_then(|(a, b)| a.div(kind, b)),
            Self::Mod(pair) => both(pair).and_then(|(a, b)| a.rem(kind, b)),
        }
    }
}

/// The range of a variable.
pub(super) fn bound_of(bounds: &[Range], variable: u32) -> Range {
    usize::try_from(variable).ok().and_then(|x| bounds.get(x)).copied().unwrap_or(Range::ALL)
}

/// `x0 % 4 * 2 + 3`; `/` and `%` bind as `*` does, and all associate to the left, as in C.
impl fmt::Display for Expr {
    // Recursion: no deeper than MAX_NODES.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |e: &Expr| matches!(e, Expr::Add(_));
        let factor = |e: &Expr| matches!(e, Expr::Var(_) | Expr::Const(_));
        let part = |e: &Expr, plain: bool, f: &mut fmt::Formatter<'_>| {
            if plain { write!(f, "{e}") } else { write!(f, "({e})") }
        };
        let (pair, operator) = match self {
            Self::Var(x) => return write!(f, "x{x}"),
            Self::Const(n) => return n.fmt(f),
            Self::Add(pair) => {
                write!(f, "{} + ", pair.left())?;
                return part(pair.right(), !sum(pair.right()), f);
            }
            Self::Mul(pair) => (pair, '*'),
            Self::Div(pair) => (pair, '/'),
            Self::Mod(pair) => (pair, '%'),
        };
        part(pair.left(), !sum(pair.left()), f)?;
        write!(f, " {operator} ")?;
        part(pair.right(), factor(pair.right()), f)
    }
}

/// As it is written.
impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The operands.
impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.left(), self.right())
    }
}
