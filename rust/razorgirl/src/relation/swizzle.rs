//! Swizzled layouts as quasi-affine expressions: an exclusive or of two bits is their sum modulo 2.

use super::QuasiAffine;
use crate::error::Result;
use crate::int::expr::Expr;
use crate::linear_layout::columns_of_layout;
use crate::swizzle::SwizzledLayout;
use alloc::vec::Vec;

impl QuasiAffine {
    /// The offset of a swizzled layout as an expression of the linear index, which is variable 0. If all offsets are sums of bits of
    /// the index, the expression has a term for each bit; otherwise it is the offset before the swizzle plus what the swizzle adds.
    ///
    /// ```
    /// use razorgirl::relation::QuasiAffine;
    ///
    /// let expr = QuasiAffine::of_swizzled(&"Sw<1,0,3> o 0 o (8,8):(8,1)".parse()?)?;
    /// // bit 0 of the offset is bit 3 of the index, and bit 0 of it
    /// assert_eq!(expr.mapping(64), "{ [c] -> [((floor((c)/8) + c) mod 2) + 2*floor((c)/16) + 8*(c mod 8)] : 0 <= c < 64 }");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`TooLarge`](crate::ErrorKind::TooLarge) beyond the nodes that an expression may have;
    /// [`Overflow`](crate::ErrorKind::Overflow) for an offset of 2^64 or more.
    pub fn of_swizzled(layout: &SwizzledLayout) -> Result<Self> {
        let (swizzle, start, inner) = (layout.swizzle(), layout.offset(), layout.layout());
        if let Ok(columns) = columns_of_layout(inner)
            && columns.iter().all(|column| column & start == 0)
        {
            let columns: Vec<u64> = columns.iter().map(|column| swizzle.apply(*column)).collect::<Result<_>>()?;
            return Ok(Self(of_columns(&columns, swizzle.apply(start)?)?));
        }
        let mut x = Self::of_layout(inner)?.0;
        if start > 0 {
            x = Expr::sum(x, Expr::Const(start.into()))?;
        }
        let mut all = x.clone();
        let bit = |at: u64| quotient(x.clone(), 1_i128 << at);
        let last = (inner.cosize() - 1).saturating_add(start);
        let (down, up) =
            if swizzle.shift() < 0 { (0, swizzle.shift().unsigned_abs()) } else { (swizzle.shift().unsigned_abs(), 0) };
        for place in 0..swizzle.bits().min(64) {
            let (from, to) = (swizzle.base().saturating_add(place), swizzle.base().saturating_add(place));
            let (from, to) = (from.saturating_add(down), to.saturating_add(up));
            if from >= 64 || last >> from == 0 {
                break;
            }
            // Where no offset has the bit that is read, nothing is added, however far it would move.
            let to = to.min(126);
            let changed = Expr::remainder(Expr::sum(bit(to)?, bit(from)?)?, Expr::Const(2))?;
            let before = Expr::product(Expr::Const(-1), Expr::remainder(bit(to)?, Expr::Const(2))?)?;
            all = Expr::sum(all, times(1_i128 << to, Expr::sum(changed, before)?)?)?;
        }
        Ok(Self(all))
    }
}

/// The exclusive or of columns, the one of each bit of the index that is set, and of a number.
fn of_columns(columns: &[u64], start: u64) -> Result<Expr> {
    let reached = columns.iter().fold(0, |all, column| all | column);
    let (flipped, apart) = (start & reached, start & !reached);
    let sources = |to: u32| -> Vec<usize> {
        columns.iter().enumerate().filter(|(_, column)| *column >> to & 1 == 1).map(|(bit, _)| bit).collect()
    };
    // Bits of the number that no column has are added; the others turn a bit round.
    let flips = |to: u32| flipped >> to & 1 == 1;
    let mut sum = (apart > 0).then(|| Expr::Const(apart.into()));
    let mut to = 0;
    while to < 64 {
        let from = sources(to);
        // Bits of the index that are neighbours, and stay so, alone.
        let run = match from.as_slice() {
            [first] if !flips(to) => {
                (to..64).zip(*first..).take_while(|(to, bit)| sources(*to) == [*bit] && !flips(*to)).count()
            }
            _ => 1,
        };
        let run = u32::try_from(run).unwrap_or(1);
        let digit = match from.as_slice() {
            [] => None,
            [first] if !flips(to) => {
                let rest = quotient(Expr::Var(0), 1_i128 << first)?;
                let last = first + run as usize == columns.len();
                Some(if last { rest } else { Expr::remainder(rest, Expr::Const(1 << run))? })
            }
            several => {
                let mut bits = several.iter().rev().map(|bit| quotient(Expr::Var(0), 1_i128 << bit));
                let first = bits.next().unwrap_or(Ok(Expr::Const(0)))?;
                let mut all = bits.try_fold(first, |sum, bit| Expr::sum(sum, bit?))?;
                if flips(to) {
                    all = Expr::sum(all, Expr::Const(1))?;
                }
                Some(Expr::remainder(all, Expr::Const(2))?)
            }
        };
        if let Some(digit) = digit {
            let term = times(1_i128 << to, digit)?;
            sum = Some(match sum {
                None => term,
                Some(sum) => Expr::sum(sum, term)?,
            });
        }
        to += run;
    }
    Ok(sum.unwrap_or(Expr::Const(0)))
}

fn quotient(expr: Expr, by: i128) -> Result<Expr> {
    if by == 1 { Ok(expr) } else { Expr::quotient(expr, Expr::Const(by)) }
}

fn times(n: i128, expr: Expr) -> Result<Expr> {
    if n == 1 { Ok(expr) } else { Expr::product(Expr::Const(n), expr) }
}
