//! Questions about linear layouts, and fitting them to a shape.

use super::LinearLayout;
use super::dimensions::{Dims, incongruent};
use super::f2::Eliminated;
use crate::error::{Result, brief};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

impl LinearLayout {
    /// For each input dimension the mask of its bits whose bases depend on earlier ones.
    ///
    /// Lean: `Razorgirl.LinearLayout.freeVariableMasks`
    #[must_use]
    pub fn free_variable_masks(&self) -> Vec<(String, u64)> {
        let free = self.eliminated().free();
        self.ins.names().map(|name| (name.to_owned(), self.ins.unpack(free, name))).collect()
    }

    /// How many bits of the first input dimension are the low bits of the first output dimension, which nothing else
    /// touches.
    ///
    /// Lean: `Razorgirl.LinearLayout.consecutiveBits`
    #[must_use]
    pub fn consecutive_bits(&self) -> u32 {
        let (Some((input, n)), Some((output, m))) = (self.ins.iter().next(), self.outs.iter().next()) else { return 0 };
        let passes = |bits: &u32| {
            let low = Self::identity_1d(1 << bits, input, output);
            low.is_ok_and(|low| self.divide_left(&low).is_some())
        };
        (1..=n.min(m)).rev().find(passes).unwrap_or(0)
    }

    /// The most k such that 1, 2, …, 2^(k-1) are sums of the bases' components in this output dimension.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) where there is no such dimension.
    ///
    /// Lean: `Razorgirl.LinearLayout.contiguousBits`
    pub fn contiguous_bits(&self, name: &str) -> Result<u32> {
        self.outs.check_name(name, "output")?;
        let columns: Vec<u64> = self.columns.iter().map(|column| self.outs.unpack(*column, name)).collect();
        let done = Eliminated::of(&columns);
        Ok((0..self.outs.bits(name)).take_while(|bit| done.solve(1 << bit).is_some()).count().try_into().unwrap_or(0))
    }

    /// The repetitions of a tile: this layout with the bases of the tile set to 0. None where those are not the first
    /// ones of each input, or another basis touches an output bit of the tile. An input of the tile that this layout lacks
    /// must have one value, and every component of the tile must fit the sizes here.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) where the tile has an output of its own.
    ///
    /// Lean: `Razorgirl.LinearLayout.repsOf`
    pub fn reps_of(&self, tile: &Self) -> Result<Option<Self>> {
        if let Some(name) = tile.outs.names().find(|name| !self.outs.has(name)) {
            return Err(self.outs.missing(name, "output"));
        }
        let packed = |column: &u64| tile.outs.repack(*column, &self.outs);
        let under = tile.columns.iter().fold(0, |bits, column| bits | packed(column));
        let first = |name: &str| -> Vec<u64> { tile.columns_at(name).iter().map(packed).collect() };
        if tile.columns.iter().any(|column| self.outs.repack(packed(column), &tile.outs) != *column) {
            return Ok(None);
        }
        let starts = |name: &str| self.columns_at(name).starts_with(&first(name));
        if !tile.ins.names().all(starts) {
            return Ok(None);
        }
        let mut columns = Vec::with_capacity(self.columns.len());
        for ((name, bit), column) in self.ins.each_bit().zip(&self.columns) {
            let in_tile = bit < tile.ins.bits(name);
            if !in_tile && column & under != 0 {
                return Ok(None);
            }
            columns.push(if in_tile { 0 } else { *column });
        }
        Ok(Some(Self { ins: self.ins.clone(), outs: self.outs.clone(), columns }))
    }

    fn check_outs(&self, sizes: &Dims) -> Result<()> {
        if self.outs.same_names(sizes) {
            return Ok(());
        }
        Err(incongruent("the outputs have other names".to_owned()).with_help("give a size for each output dimension"))
    }

    /// No output dimension larger than these sizes: a component that does not fit becomes 0. Bases of `register` that this
    /// made 0 are dropped unless `broadcast`.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) where the sizes are of other names.
    ///
    /// Lean: `Razorgirl.LinearLayout.ensureNotLarger`
    pub fn ensure_not_larger(&self, sizes: &Dims, broadcast: bool) -> Result<Self> {
        self.check_outs(sizes)?;
        let mut small = self.clone();
        for (name, bits) in sizes.iter() {
            if bits < small.outs.bits(name) {
                small = small.resize_out(name, bits)?;
            }
        }
        if broadcast || !self.ins.has("register") {
            return Ok(small);
        }
        let both = self.columns_at("register").iter().zip(small.columns_at("register"));
        let kept: Vec<u64> = both.filter(|(old, new)| **old == 0 || **new != 0).map(|(_, new)| *new).collect();
        small.replaced("register", &kept)
    }

    /// No output dimension smaller than these sizes: bits that lack are appended to the first input dimension, one output
    /// dimension after another in the layout's order.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) where the sizes are of other names, and where an output must grow
    /// and the layout has no input dimension,
    /// [`ErrorKind::TooLarge`](crate::ErrorKind::TooLarge) for 64 bits and more.
    ///
    /// Lean: `Razorgirl.LinearLayout.ensureNotSmaller`
    pub fn ensure_not_smaller(&self, sizes: &Dims) -> Result<Self> {
        self.check_outs(sizes)?;
        let mut large = self.clone();
        for name in self.outs.names() {
            if let Some(more) = sizes.bits(name).checked_sub(self.outs.bits(name)).filter(|more| *more > 0) {
                let Some(input) = self.ins.names().next() else {
                    let (has, wanted) = (1_u64 << self.outs.bits(name), 1_u64 << sizes.bits(name));
                    let what = format!("the output {} has size {has} and must have {wanted}", brief(&name));
                    return Err(incongruent(format!("{what}, and the layout has no input dimension to extend"))
                        .with_help("add an input dimension of size 1 first, such as `register`"));
                };
                large = large.product(&Self::identity_1d(1 << more, input, name)?)?;
            }
        }
        Ok(large)
    }
}
