//! Rearranging the dimensions of a linear layout: naming, ordering, cutting and joining them, and keeping some.

use super::LinearLayout;
use super::dimensions::{Dims, incongruent, mask};
use crate::error::{Result, brief};
use alloc::{borrow::ToOwned, string::String, vec::Vec};

fn same_total(old: &Dims, new: &Dims) -> Result<()> {
    if old.total() == new.total() {
        return Ok(());
    }
    Err(incongruent(format!("dimensions of {} bits cannot be cut into {} bits", old.total(), new.total()))
        .with_help(format!("use sizes whose product is {}", 1_u64 << old.total())))
}

/// As many names as there are dimensions.
fn all_named(dims: &Dims, names: &[String], side: &str) -> Result<()> {
    dims.check_names(names, side)?;
    match dims.names().find(|name| !names.iter().any(|own| own == name)) {
        Some(name) => Err(incongruent(format!("the {side} dimension {} is not named", brief(&name)))
            .with_help("name each dimension once")),
        None => Ok(()),
    }
}

impl LinearLayout {
    /// The same function with its input dimensions in this order.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) unless each dimension is named once.
    ///
    /// Lean: `Razorgirl.LinearLayout.transposeIns`
    pub fn transpose_ins(&self, names: &[String]) -> Result<Self> {
        all_named(&self.ins, names, "input")?;
        let ins = self.ins.in_order(names);
        Ok(Self::of_columns(ins, self.outs.clone(), |(name, bit)| self.column(name, bit)))
    }

    /// The same function with its output dimensions in this order.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) unless each dimension is named once.
    ///
    /// Lean: `Razorgirl.LinearLayout.transposeOuts`
    pub fn transpose_outs(&self, names: &[String]) -> Result<Self> {
        all_named(&self.outs, names, "output")?;
        Ok(self.with_outs(self.outs.in_order(names)))
    }

    /// The columns over other output dimensions, matched by name.
    ///
    /// Lean: `Razorgirl.LinearLayout.repacked`
    pub(super) fn with_outs(&self, outs: Dims) -> Self {
        let columns = self.columns.iter().map(|column| self.outs.repack(*column, &outs)).collect();
        Self { ins: self.ins.clone(), outs, columns }
    }

    /// The layout with other input dimensions of the same total size; the packed point does not change.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) where the sizes multiply to something else.
    ///
    /// Lean: `Razorgirl.LinearLayout.reshapeIns`
    pub fn reshape_ins(&self, ins: Dims) -> Result<Self> {
        same_total(&self.ins, &ins)?;
        Ok(Self { ins, outs: self.outs.clone(), columns: self.columns.clone() })
    }

    /// The layout with other output dimensions of the same total size; the packed point does not change.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) where the sizes multiply to something else.
    ///
    /// Lean: `Razorgirl.LinearLayout.reshapeOuts`
    pub fn reshape_outs(&self, outs: Dims) -> Result<Self> {
        same_total(&self.outs, &outs)?;
        Ok(Self { ins: self.ins.clone(), outs, columns: self.columns.clone() })
    }

    /// The input dimensions as one, named after the first.
    ///
    /// Lean: `Razorgirl.LinearLayout.flattenIns`
    #[must_use]
    pub fn flatten_ins(&self) -> Self {
        Self { ins: self.ins.flattened(), ..self.clone() }
    }

    /// The output dimensions as one, named after the first.
    ///
    /// Lean: `Razorgirl.LinearLayout.flattenOuts`
    #[must_use]
    pub fn flatten_outs(&self) -> Self {
        Self { outs: self.outs.flattened(), ..self.clone() }
    }

    /// An input dimension with another number of bits: bits that are new have the basis 0.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) where there is no such dimension,
    /// [`ErrorKind::TooLarge`](crate::ErrorKind::TooLarge) for 64 bits and more.
    ///
    /// Lean: `Razorgirl.LinearLayout.resizeIn`
    pub fn resize_in(&self, name: &str, bits: u32) -> Result<Self> {
        self.ins.check_name(name, "input")?;
        let ins = self.ins.resized(name, bits)?;
        Ok(Self::of_columns(ins, self.outs.clone(), |(name, bit)| self.column(name, bit)))
    }

    /// An output dimension of fewer bits: the component of a basis that does not fit becomes 0. This is not reduction
    /// modulo the size: {1,5,2} at 8, resized to 4, is {1,0,2}.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) where there is no such dimension, or it has fewer bits.
    ///
    /// Lean: `Razorgirl.LinearLayout.resizeOut`
    pub fn resize_out(&self, name: &str, bits: u32) -> Result<Self> {
        self.outs.check_name(name, "output")?;
        if bits > self.outs.bits(name) {
            let size = 1_u64 << self.outs.bits(name);
            return Err(incongruent(format!("the output dimension {} has only the size {size}", brief(&name)))
                .with_help(format!("use a size of at most {size}")));
        }
        let outs = self.outs.resized(name, bits)?;
        let fit = |own: &str, component: u64| if own == name && component > mask(bits) { 0 } else { component };
        let columns = self.columns.iter().map(|column| outs.pack(|own| fit(own, self.outs.unpack(*column, own))));
        Ok(Self { ins: self.ins.clone(), columns: columns.collect(), outs })
    }

    /// Only these input and output dimensions, in the layout's order; the other inputs are 0.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) for a name that is missing or occurs twice.
    ///
    /// Lean: `Razorgirl.LinearLayout.sublayout`
    pub fn sublayout(&self, ins: &[String], outs: &[String]) -> Result<Self> {
        self.ins.check_names(ins, "input")?;
        self.outs.check_names(outs, "output")?;
        Ok(self.part(|name| ins.iter().any(|own| own == name), |name| outs.iter().any(|own| own == name)))
    }

    pub(in crate::linear_layout) fn part(&self, ins: impl Fn(&str) -> bool, outs: impl Fn(&str) -> bool) -> Self {
        let (ins, outs) = (self.ins.only(ins), self.outs.only(outs));
        let columns = ins.each_bit().map(|(name, bit)| self.outs.repack(self.column(name, bit), &outs)).collect();
        Self { ins, outs, columns }
    }

    /// Whether these inputs change nothing in these outputs.
    ///
    /// # Errors
    /// As [`sublayout`](Self::sublayout).
    ///
    /// Lean: `Razorgirl.LinearLayout.sublayoutIsZero`
    pub fn sublayout_is_zero(&self, ins: &[String], outs: &[String]) -> Result<bool> {
        Ok(self.sublayout(ins, outs)?.columns.iter().all(|column| *column == 0))
    }

    /// Whether an input and an output dimension of that name have the same size, and the output is the input, whatever
    /// the other inputs. The input may change other outputs.
    ///
    /// Lean: `Razorgirl.LinearLayout.isIdentityOnOutDim`
    #[must_use]
    pub fn is_identity_on_out_dim(&self, name: &str) -> bool {
        let same_size = self.ins.has(name) && self.outs.has(name) && self.ins.bits(name) == self.outs.bits(name);
        let expected = |own: &str, bit: u32| if own == name { 1 << bit } else { 0 };
        let mut bits = self.ins.each_bit().zip(&self.columns);
        same_size && bits.all(|((own, bit), column)| self.outs.unpack(*column, name) == expected(own, bit))
    }

    /// Whether the layout is the identity on these dimensions, and they have nothing to do with the others.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) for a name that is missing on a side or occurs twice.
    ///
    /// Lean: `Razorgirl.LinearLayout.isTrivialOver`
    pub fn is_trivial_over(&self, names: &[String]) -> Result<bool> {
        self.ins.check_names(names, "input")?;
        self.outs.check_names(names, "output")?;
        let named = |name: &str| names.iter().any(|own| own == name);
        let apart = || self.part(named, |name| !named(name)).columns.iter().all(|column| *column == 0);
        Ok(names.iter().all(|name| self.is_identity_on_out_dim(name)) && apart())
    }

    /// The layout of the other dimensions, where it is trivial over these.
    ///
    /// # Errors
    /// As [`is_trivial_over`](Self::is_trivial_over).
    ///
    /// Lean: `Razorgirl.LinearLayout.quotient`
    pub fn quotient(&self, names: &[String]) -> Result<Option<Self>> {
        let other = |name: &str| !names.iter().any(|own| own == name);
        Ok(self.is_trivial_over(names)?.then(|| self.part(other, other)))
    }

    /// Inputs side by side: the image is the exclusive or of the images.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) for other outputs or shared inputs,
    /// [`ErrorKind::TooLarge`](crate::ErrorKind::TooLarge) for 64 bits and more.
    ///
    /// Lean: `Razorgirl.LinearLayout.concatIns`
    pub fn concat_ins(&self, other: &Self) -> Result<Self> {
        if self.outs != other.outs {
            return Err(incongruent("the output dimensions differ".to_owned())
                .with_help("give both layouts the same output dimensions, in one order"));
        }
        let ins = joined(&self.ins, &other.ins)?;
        Ok(Self { ins, outs: self.outs.clone(), columns: [&self.columns[..], &other.columns].concat() })
    }

    /// Outputs side by side.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) for other inputs or shared outputs,
    /// [`ErrorKind::TooLarge`](crate::ErrorKind::TooLarge) for 64 bits and more.
    ///
    /// Lean: `Razorgirl.LinearLayout.concatOuts`
    pub fn concat_outs(&self, other: &Self) -> Result<Self> {
        if self.ins != other.ins {
            return Err(incongruent("the input dimensions differ".to_owned())
                .with_help("give both layouts the same input dimensions, in one order"));
        }
        let outs = joined(&self.outs, &other.outs)?;
        let place = self.outs.total();
        let both = self.columns.iter().zip(&other.columns);
        // of 63 bits on the left nothing is left for the right
        let columns = both.map(|(a, b)| a | b.checked_shl(place).unwrap_or(0)).collect();
        Ok(Self { ins: self.ins.clone(), outs, columns })
    }

    /// An input dimension without the bits that change nothing.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) where there is no such dimension.
    ///
    /// Lean: `Razorgirl.LinearLayout.removeZeroBases`
    pub fn remove_zero_bases(&self, name: &str) -> Result<Self> {
        self.ins.check_name(name, "input")?;
        let kept: Vec<u64> = self.columns_at(name).iter().copied().filter(|column| *column != 0).collect();
        self.replaced(name, &kept)
    }

    /// With these columns for an input dimension.
    pub(super) fn replaced(&self, name: &str, new: &[u64]) -> Result<Self> {
        let ins = self.ins.resized(name, u32::try_from(new.len()).unwrap_or(u32::MAX))?;
        let columns = ins.names().flat_map(|own| if own == name { new } else { self.columns_at(own) });
        let columns = columns.copied().collect();
        Ok(Self { ins, outs: self.outs.clone(), columns })
    }

    /// An input dimension under another name.
    ///
    /// # Errors
    /// [`ErrorKind::Incongruent`](crate::ErrorKind::Incongruent) if there is no such dimension, or if another
    /// dimension has the new name.
    ///
    /// Lean: `Razorgirl.LinearLayout.renameIn`
    pub fn rename_in(&self, old: &str, new: &str) -> Result<Self> {
        self.ins.check_name(old, "input")?;
        let renamed = self.ins.iter().map(|(name, bits)| (if name == old { new } else { name }.to_owned(), bits));
        let ins = Dims::of_bits(renamed.collect())?;
        Ok(Self { ins, outs: self.outs.clone(), columns: self.columns.clone() })
    }
}

/// Dimensions of both.
fn joined(first: &Dims, second: &Dims) -> Result<Dims> {
    Dims::of_bits(first.iter().chain(second.iter()).map(|(name, bits)| (name.to_owned(), bits)).collect())
}
