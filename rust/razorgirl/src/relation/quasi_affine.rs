//! Quasi-affine expressions: what a layout computes, as one formula of its index.

use super::MAX_POINTS;
use crate::error::{Error, ErrorKind, Result};
use crate::int::expr::{Expr, Kind};
use crate::layout::Layout;
use alloc::{borrow::ToOwned, string::String, string::ToString, vec::Vec};

/// Variables and integers, sums, integer multiples, and quotients and remainders by positive integers, both rounded down: what polyhedral
/// compilers compute indices with.
///
/// Over a box two of them are equal if they are on a few points: along each axis an expression repeats after the product of its divisors,
/// but for a constant step.
///
/// ```
/// use razorgirl::relation::QuasiAffine;
///
/// let whole: QuasiAffine = QuasiAffine::new("x0 / 4 * 4 + x0 % 4".parse()?)?;
/// let plain = QuasiAffine::new("x0".parse()?)?;
/// // 17 points decide for 10^18 values of x0
/// assert!(whole.equal_on(&plain, &[1_000_000_000_000_000_000])?);
/// assert_eq!(whole.isl(), "4*floor((x0)/4) + (x0 mod 4)");
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Source: «Modeling Layout Abstractions Using Integer Set Relations»; isl's quasi-affine expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QuasiAffine(pub(super) Expr);

impl QuasiAffine {
    /// An index expression that is quasi-affine.
    ///
    /// # Errors
    /// [`NotDivisible`](ErrorKind::NotDivisible) for a divisor that is not a positive integer, and a product of which neither factor is an
    /// integer.
    ///
    /// Lean: `Razorgirl.Index.Expr.quasiAffine`
    pub fn new(expr: Expr) -> Result<Self> {
        match fault(&expr) {
            None => Ok(Self(expr)),
            Some(fault) => Err(Error::new(ErrorKind::NotDivisible, fault)
                .with_help("multiply by integers, and divide by positive integers")),
        }
    }

    /// A layout's offset as a function of the linear index, the variable 0: one quotient and one remainder for each mode of the coalesced
    /// layout. Two layouts of one size are one function exactly if these expressions are the same.
    ///
    /// ```
    /// use razorgirl::relation::QuasiAffine;
    ///
    /// let expr = QuasiAffine::of_layout(&"(4,2,2):(2,1,8)".parse()?)?;
    /// assert_eq!(expr.expr().to_string(), "2 * (x0 % 4) + x0 / 4 % 2 + 8 * (x0 / 8)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) beyond the nodes that an expression may have; no layout has so many modes.
    ///
    /// Lean: `Razorgirl.FlatLayout.expr`
    pub fn of_layout(layout: &Layout) -> Result<Self> {
        let coalesced = layout.coalesce();
        Self::of_modes(coalesced.modes().iter().map(|mode| (mode.extent(), mode.stride())))
    }

    /// Of modes whose extents multiply to less than 2^64.
    pub(super) fn of_modes(modes: impl IntoIterator<Item = (u64, u64)>) -> Result<Self> {
        let literal = |n: u64| Expr::Const(n.into());
        let mut sum: Option<Expr> = None;
        let (mut start, mut modes) = (1_u64, modes.into_iter().peekable());
        while let Some((extent, stride)) = modes.next() {
            if stride > 0 {
                let mut term = Expr::Var(0);
                if start > 1 {
                    term = Expr::quotient(term, literal(start))?;
                }
                if modes.peek().is_some() {
                    term = Expr::remainder(term, literal(extent))?;
                }
                if stride > 1 {
                    term = Expr::product(literal(stride), term)?;
                }
                sum = Some(match sum {
                    None => term,
                    Some(sum) => Expr::sum(sum, term)?,
                });
            }
            start = start.saturating_mul(extent);
        }
        Ok(Self(sum.unwrap_or(Expr::Const(0))))
    }

    /// The expression.
    #[must_use]
    pub const fn expr(&self) -> &Expr {
        &self.0
    }

    /// The value at a point; variables beyond its end are 0.
    ///
    /// # Errors
    /// [`Overflow`](ErrorKind::Overflow) where a number on the way does not fit into 128 bits.
    ///
    /// Lean: `Razorgirl.Index.Expr.at`
    pub fn at(&self, point: &[u64]) -> Result<i128> {
        let values: Vec<i128> = point.iter().map(|x| i128::from(*x)).collect();
        self.0.eval(Kind::Euclid, &values)
    }

    /// After how many steps of a variable the expression repeats, but for a constant: the product of the divisors of what holds it; none
    /// where that is 2^64 or more.
    ///
    /// Lean: `Razorgirl.Index.Expr.periodOf`
    #[must_use]
    pub fn period(&self, variable: u32) -> Option<u64> {
        period(&self.0, variable)
    }

    /// Whether both have the same value at each point whose coordinates are below these extents. Looked at are the points below the
    /// product of both periods and one more, axis by axis.
    ///
    /// # Errors
    /// [`TooLarge`](ErrorKind::TooLarge) where the points to look at are more than 2^20; [`Overflow`](ErrorKind::Overflow) where a number
    /// on the way does not fit into 128 bits.
    ///
    /// Lean: `Razorgirl.Index.equalOn`
    pub fn equal_on(&self, other: &Self, extents: &[u64]) -> Result<bool> {
        let mut deciding = Vec::with_capacity(extents.len());
        let mut points = 1_u64;
        for (variable, extent) in (0..).zip(extents) {
            let both =
                self.period(variable).zip(other.period(variable)).and_then(|(a, b)| a.checked_mul(b)?.checked_add(1));
            let few = both.map_or(*extent, |both| both.min(*extent));
            if few == 0 {
                return Ok(true);
            }
            points = points.saturating_mul(few);
            deciding.push(few);
        }
        if points > MAX_POINTS {
            let message = format!("{points} points decide whether the expressions are equal, over {MAX_POINTS}");
            return Err(Error::new(ErrorKind::TooLarge, message).with_help("compare expressions with smaller divisors"));
        }
        let mut point = vec![0; deciding.len()];
        for _ in 0..points {
            if self.at(&point)? != other.at(&point)? {
                return Ok(false);
            }
            for (x, extent) in point.iter_mut().zip(&deciding) {
                *x += 1;
                if *x < *extent {
                    break;
                }
                *x = 0;
            }
        }
        Ok(true)
    }

    /// As isl reads it, with the variables `x0`, `x1`, ….
    #[must_use]
    pub fn isl(&self) -> String {
        isl(&self.0, &|variable| format!("x{variable}"))
    }

    /// The function of the first so many numbers `c`, as isl reads it.
    ///
    /// ```
    /// use razorgirl::relation::QuasiAffine;
    ///
    /// let expr = QuasiAffine::of_layout(&"(2,2):(3,1)".parse()?)?;
    /// assert_eq!(expr.mapping(4), "{ [c] -> [3*(c mod 2) + floor((c)/2)] : 0 <= c < 4 }");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    #[must_use]
    pub fn mapping(&self, size: u64) -> String {
        format!("{{ [c] -> [{}] : 0 <= c < {size} }}", isl(&self.0, &|_| "c".to_owned()))
    }
}

/// What is not quasi-affine. Recursion: no deeper than an expression's nodes.
fn fault(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Var(_) | Expr::Const(_) => None,
        Expr::Add(pair) => fault(pair.left()).or_else(|| fault(pair.right())),
        Expr::Mul(pair) => match (pair.left(), pair.right()) {
            (Expr::Const(_), other) | (other, Expr::Const(_)) => fault(other),
            (a, b) => Some(format!("neither factor of ({a}) * ({b}) is an integer")),
        },
        Expr::Div(pair) | Expr::Mod(pair) => match pair.right() {
            Expr::Const(n) if *n > 0 => fault(pair.left()),
            divisor => Some(format!("{} is divided by {divisor}, which is no positive integer", pair.left())),
        },
    }
}

fn mentions(expr: &Expr, variable: u32) -> bool {
    match expr {
        Expr::Var(x) => *x == variable,
        Expr::Const(_) => false,
        Expr::Add(pair) | Expr::Mul(pair) | Expr::Div(pair) | Expr::Mod(pair) => {
            mentions(pair.left(), variable) || mentions(pair.right(), variable)
        }
    }
}

fn period(expr: &Expr, variable: u32) -> Option<u64> {
    match expr {
        Expr::Var(_) | Expr::Const(_) => Some(1),
        Expr::Add(pair) | Expr::Mul(pair) => {
            period(pair.left(), variable)?.checked_mul(period(pair.right(), variable)?)
        }
        Expr::Div(pair) | Expr::Mod(pair) => match pair.right() {
            Expr::Const(n) if mentions(pair.left(), variable) => {
                period(pair.left(), variable)?.checked_mul(u64::try_from(*n).ok()?)
            }
            _ => Some(1),
        },
    }
}

/// isl takes `2*x`, `floor((x)/4)` and `x mod 4`, and no factor behind a bracket or a `mod`. A remainder stands in brackets.
fn isl(expr: &Expr, name: &dyn Fn(u32) -> String) -> String {
    let bracketed = |expr: &Expr| match expr {
        Expr::Add(_) | Expr::Mul(_) => format!("({})", isl(expr, name)),
        Expr::Const(n) if *n < 0 => format!("({n})"),
        _ => isl(expr, name),
    };
    match expr {
        Expr::Var(variable) => name(*variable),
        Expr::Const(n) => n.to_string(),
        Expr::Add(pair) => format!("{} + {}", isl(pair.left(), name), isl(pair.right(), name)),
        Expr::Mul(pair) => match (pair.left(), pair.right()) {
            (other, Expr::Const(n)) | (Expr::Const(n), other) => format!("{n}*{}", bracketed(other)),
            // No quasi-affine expression.
            (a, b) => format!("{}*{}", bracketed(a), bracketed(b)),
        },
        Expr::Div(pair) => format!("floor(({})/{})", isl(pair.left(), name), pair.right()),
        Expr::Mod(pair) => format!("({} mod {})", bracketed(pair.left()), pair.right()),
    }
}
