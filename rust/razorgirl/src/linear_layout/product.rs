//! The direct sum of linear layouts by name, and its division on both sides.

use super::LinearLayout;
use super::dimensions::{Dims, incongruent};
use crate::error::{Result, brief};
use alloc::{borrow::ToOwned, vec::Vec};

/// Names of both, each once, in an order that both agree with: that of the first, with names that it lacks put in as the
/// second orders them.
///
/// Lean: `Razorgirl.LinearLayout.orderOf`
fn order_of<'a>(first: &'a Dims, second: &'a Dims) -> Result<Vec<&'a str>> {
    let (a, b): (Vec<&str>, Vec<&str>) = (first.names().collect(), second.names().collect());
    let (mut a, mut b) = (&a[..], &b[..]);
    let mut order = vec![];
    loop {
        match (a, b) {
            ([], rest) | (rest, []) => {
                order.extend_from_slice(rest);
                return Ok(order);
            }
            ([x, a_rest @ ..], [y, b_rest @ ..]) => {
                if x == y {
                    order.push(*x);
                    (a, b) = (a_rest, b_rest);
                } else if !b_rest.contains(x) {
                    order.push(*x);
                    a = a_rest;
                } else if !a_rest.contains(y) {
                    order.push(*y);
                    b = b_rest;
                } else {
                    return Err(incongruent(format!(
                        "{} is before {} in one layout and after it in the other",
                        brief(x),
                        brief(y)
                    ))
                    .with_help("transpose one of them: shared names must be in the same order"));
                }
            }
        }
    }
}

fn added(a: &Dims, b: &Dims, names: &[&str]) -> Result<Dims> {
    Dims::of_bits(names.iter().map(|name| ((*name).to_owned(), a.bits(name) + b.bits(name))).collect())
}

/// The bits of A that B leaves.
fn left_over(a: &Dims, b: &Dims) -> Result<Dims> {
    Dims::of_bits(a.iter().map(|(name, bits)| (name.to_owned(), bits.saturating_sub(b.bits(name)))).collect())
}

impl LinearLayout {
    /// The direct sum by name: `self` has the low bits of each dimension, `high` the high ones, on both sides.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) where shared names are in another order,
    /// [`ErrorKind::TooLarge`](crate::ErrorKind::TooLarge) for 64 bits and more.
    ///
    /// ```
    /// # use razorgirl::linear_layout::LinearLayout;
    /// let registers = LinearLayout::identity_1d(2, "register", "x")?;
    /// let lanes = LinearLayout::identity_1d(4, "lane", "x")?;
    /// assert_eq!(registers.product(&lanes)?.columns(), [1, 2, 4]);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// Lean: `Razorgirl.LinearLayout.product`
    pub fn product(&self, high: &Self) -> Result<Self> {
        let ins = added(&self.ins, &high.ins, &order_of(&self.ins, &high.ins)?)?;
        let outs = added(&self.outs, &high.outs, &order_of(&self.outs, &high.outs)?)?;
        let columns = ins.each_bit().map(|(name, bit)| match bit.checked_sub(self.ins.bits(name)) {
            None => self.outs.repack(self.column(name, bit), &outs),
            Some(bit) => {
                let column = high.column(name, bit);
                outs.pack(|own| high.outs.unpack(column, own) << self.outs.bits(own).min(63))
            }
        });
        Ok(Self { columns: columns.collect(), ins, outs })
    }

    /// The layout C over the dimensions of `self` with `self = by * C`, if there is one.
    ///
    /// Lean: `Razorgirl.LinearLayout.divideLeft`
    #[must_use]
    pub fn divide_left(&self, by: &Self) -> Option<Self> {
        if !(by.ins.fits_in(&self.ins) && by.outs.fits_in(&self.outs)) {
            return None;
        }
        let (ins, outs) = (left_over(&self.ins, &by.ins).ok()?, left_over(&self.outs, &by.outs).ok()?);
        // the high bits, which are the only candidate
        let columns = ins.each_bit().map(|(name, bit)| {
            let column = self.column(name, bit + by.ins.bits(name));
            outs.pack(|own| self.outs.unpack(column, own) >> by.outs.bits(own))
        });
        let quotient = Self { columns: columns.collect(), ins, outs };
        (by.product(&quotient).ok()? == *self).then_some(quotient)
    }

    /// The layout C over the dimensions of `self` with `self = C * by`, if there is one.
    ///
    /// Lean: `Razorgirl.LinearLayout.divideRight`
    #[must_use]
    pub fn divide_right(&self, by: &Self) -> Option<Self> {
        if !(by.ins.fits_in(&self.ins) && by.outs.fits_in(&self.outs)) {
            return None;
        }
        let (ins, outs) = (left_over(&self.ins, &by.ins).ok()?, left_over(&self.outs, &by.outs).ok()?);
        // the low bits, which are the only candidate
        let columns = ins.each_bit().map(|(name, bit)| self.outs.repack(self.column(name, bit), &outs));
        let quotient = Self { columns: columns.collect(), ins, outs };
        (quotient.product(by).ok()? == *self).then_some(quotient)
    }
}
