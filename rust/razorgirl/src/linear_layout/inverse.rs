//! Composition and inverses. Names connect layouts; an equation is solved column by column, by the least solution.

use super::LinearLayout;
use super::dimensions::{Dims, incongruent};
use super::f2::inverse;
use crate::error::Result;
use alloc::{borrow::ToOwned, vec::Vec};

/// Whether input `name` has the same bases in A and B, and touches no output bit that another input touches.
///
/// Lean: `Razorgirl.LinearLayout.isIdentityDim`
fn is_identity_dim(a: &LinearLayout, b: &LinearLayout, name: &str) -> bool {
    // B over the outputs of A
    let touched = |layout: &LinearLayout, other: bool| {
        let bits = layout.ins.each_bit().zip(&layout.columns);
        bits.filter(|((own, _), _)| (*own == name) != other).fold(0, |bits, (_, column)| bits | column)
    };
    let alone = |layout: &LinearLayout| touched(layout, false) & touched(layout, true) == 0;
    a.ins.has(name) && b.ins.has(name) && a.columns_at(name) == b.columns_at(name) && alone(a) && alone(b)
}

impl LinearLayout {
    /// `outer` after `self`.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) unless the inputs of `outer` have the names of the outputs
    /// of `self`, and are not smaller.
    ///
    /// Lean: `Razorgirl.LinearLayout.compose`
    pub fn compose(&self, outer: &Self) -> Result<Self> {
        if !self.outs.fits_names(&outer.ins) {
            return Err(incongruent("the outputs of the first layout are not inputs of the second".to_owned())
                .with_help("give the second layout an input for each output of the first, at least as large"));
        }
        let same = self.outs == outer.ins;
        let image =
            |column: &u64| outer.apply_packed(if same { *column } else { self.outs.repack(*column, &outer.ins) });
        let columns = self.columns.iter().map(image).collect();
        Ok(Self { ins: self.ins.clone(), outs: outer.outs.clone(), columns })
    }

    /// The layout X with `self` after X equal to `target` whose bases are the least solutions. None where there is none,
    /// names of outputs differ, or an output of `target` is larger.
    ///
    /// Lean: `Razorgirl.LinearLayout.leastSquares`
    #[must_use]
    pub fn least_squares(&self, target: &Self) -> Option<Self> {
        if !target.outs.fits_names(&self.outs) {
            return None;
        }
        let done = self.eliminated();
        let columns = target.columns.iter().map(|column| done.solve(target.outs.repack(*column, &self.outs)));
        Some(Self { columns: columns.collect::<Option<_>>()?, ins: target.ins.clone(), outs: self.ins.clone() })
    }

    fn least_preimages(&self) -> Option<Self> {
        let done = self.eliminated();
        let columns = (0..self.outs.total()).map(|bit| done.solve(1 << bit)).collect::<Option<_>>()?;
        Some(Self { ins: self.outs.clone(), outs: self.ins.clone(), columns })
    }

    /// The layout that undoes this one on both sides, if it is invertible.
    ///
    /// Lean: `Razorgirl.LinearLayout.invert`
    #[must_use]
    pub fn invert(&self) -> Option<Self> {
        if self.ins.total() != self.outs.total() {
            return None;
        }
        Some(Self { columns: inverse(&self.columns)?, ins: self.outs.clone(), outs: self.ins.clone() })
    }

    /// The layout that takes each output point to its least preimage, if each has one. Inputs are packed first dimension
    /// lowest.
    ///
    /// Lean: `Razorgirl.LinearLayout.pseudoinvert`
    #[must_use]
    pub fn pseudoinvert(&self) -> Option<Self> {
        self.least_preimages()
    }

    /// The layout C with `inner` after C equal to `self`: the identity on those dimensions on which both agree and which
    /// have nothing to do with the others, and on the others the least solution. None where there is none.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) where outputs have other names.
    ///
    /// Lean: `Razorgirl.LinearLayout.invertAndCompose`
    pub fn invert_and_compose(&self, inner: &Self) -> Result<Option<Self>> {
        if !self.outs.same_names(&inner.outs) {
            return Err(incongruent("the outputs have other names".to_owned())
                .with_help("give both layouts output dimensions of the same names"));
        }
        let over_inner = self.with_outs(inner.outs.clone());
        let same: Vec<&str> = inner.ins.names().filter(|name| is_identity_dim(inner, &over_inner, name)).collect();
        let others = |layout: &Self| layout.part(|name| !same.contains(&name), |_| true);
        let Some(solution) = others(inner).least_squares(&others(self)) else { return Ok(None) };
        let ins: Dims = self.ins.clone();
        let outs = inner.ins.clone();
        let columns = ins.each_bit().map(|(name, bit)| {
            if same.contains(&name) {
                outs.pack(|own| if own == name { 1 << bit } else { 0 })
            } else {
                solution.outs.repack(solution.column(name, bit), &outs)
            }
        });
        Ok(Some(Self { columns: columns.collect(), ins, outs }))
    }
}
