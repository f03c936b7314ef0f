//! The modes of a tuple picked, replaced, grouped and appended.

use alloc::vec::Vec;
use core::ops::Range;

use crate::error::{Error, ErrorKind, Result};

use super::builder::HTupleBuilder;
use super::htuple::HTuple;
use super::profile::Span;

/// The most modes that a tuple is padded to: 2^16.
pub const MAX_MODES: usize = 1 << 16;

impl<T: Copy + Default> HTuple<T> {
    /// The tuple with copies of `more` behind its modes, up to this rank. A bare value counts as one mode; with rank 1 it
    /// stays bare.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) when the tuple has more modes already, [`TooLarge`](ErrorKind::TooLarge)
    /// beyond [`MAX_MODES`] or when the result would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "(2,3)".parse()?;
    /// assert_eq!(tuple.append(4, &IntTuple::leaf(1))?.to_string(), "(2,3,1,1)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `append<rank>(tuple, more)`.
    ///
    /// Lean: `Razorgirl.HTuple.appendTo`
    pub fn append(&self, rank: usize, more: &Self) -> Result<Self> {
        match self.missing(rank)? {
            0 => Ok(self.clone()),
            missing => {
                let padding = core::iter::repeat_n((more, more.profile().span()), missing);
                Self::of_parts(self.parts().chain(padding))
            }
        }
    }

    /// The tuple with copies of `more` in front of its modes, up to this rank.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "(2,3)".parse()?;
    /// assert_eq!(tuple.prepend(4, &IntTuple::leaf(1))?.to_string(), "(1,1,2,3)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `prepend<rank>(tuple, more)`.
    ///
    /// Lean: `Razorgirl.HTuple.prependTo`
    pub fn prepend(&self, rank: usize, more: &Self) -> Result<Self> {
        match self.missing(rank)? {
            0 => Ok(self.clone()),
            missing => {
                let padding = core::iter::repeat_n((more, more.profile().span()), missing);
                Self::of_parts(padding.chain(self.parts()))
            }
        }
    }

    fn missing(&self, rank: usize) -> Result<usize> {
        if rank > MAX_MODES {
            return Err(too_many(rank));
        }
        rank.checked_sub(self.rank()).ok_or_else(|| rank_error(rank, self.rank()))
    }

    /// The modes of a range as one mode; an empty range adds none. A leaf counts as one mode.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) unless `begin ≤ end ≤ rank`; [`TooLarge`](ErrorKind::TooLarge) when the
    /// result would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "(1,2,3,4)".parse()?;
    /// assert_eq!(tuple.group(1..3)?.to_string(), "(1,(2,3),4)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `group<begin,end>(tuple)`.
    ///
    /// Lean: `Razorgirl.HTuple.group`
    pub fn group(&self, range: Range<usize>) -> Result<Self> {
        check_range(&range, self.rank())?;
        let mut grouped = HTupleBuilder::new();
        grouped.open()?;
        for (place, mode) in self.profile().children().enumerate() {
            if !range.is_empty() && place == range.start {
                grouped.open()?;
            }
            grouped.part(self, &mode)?;
            if !range.is_empty() && place + 1 == range.end {
                grouped.close();
            }
        }
        grouped.close();
        grouped.finish()
    }

    /// The modes at these places in this order, always a tuple. A leaf counts as one mode.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) for a place at or beyond the rank; [`TooLarge`](ErrorKind::TooLarge) when
    /// the result would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "(1,(2,3),4)".parse()?;
    /// assert_eq!(tuple.select(&[2, 1])?.to_string(), "(4,(2,3))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `select<places…>(tuple)`.
    ///
    /// Lean: `Razorgirl.HTuple.select`
    pub fn select(&self, places: &[usize]) -> Result<Self> {
        let all: Vec<Span> = self.profile().children().collect();
        if let Some(place) = places.iter().find(|place| **place >= all.len()) {
            return Err(place_error(*place, all.len()));
        }
        Self::of_parts(places.iter().filter_map(|place| Some((self, all.get(*place)?.clone()))))
    }

    /// The modes of a range, always a tuple. A leaf counts as one mode.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) unless `begin ≤ end ≤ rank`; [`TooLarge`](ErrorKind::TooLarge) when the
    /// result would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "(1,(2,3),4)".parse()?;
    /// assert_eq!(tuple.take(0..2)?.to_string(), "(1,(2,3))");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `take<begin,end>(tuple)`.
    ///
    /// Lean: `Razorgirl.HTuple.take`
    pub fn take(&self, range: Range<usize>) -> Result<Self> {
        check_range(&range, self.rank())?;
        Self::of_parts(self.parts().skip(range.start).take(range.len()))
    }

    /// Another mode in place of mode `place`; in place of a bare value it is the result.
    ///
    /// # Errors
    /// [`OutOfDomain`](ErrorKind::OutOfDomain) when the place is not below the rank; [`TooLarge`](ErrorKind::TooLarge)
    /// when the result would be nested deeper than [`MAX_DEPTH`](crate::MAX_DEPTH).
    ///
    /// ```
    /// use razorgirl::IntTuple;
    ///
    /// let tuple: IntTuple = "(1,2,3)".parse()?;
    /// assert_eq!(tuple.replace(1, &"(7,8)".parse()?)?.to_string(), "(1,(7,8),3)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// CuTe: `replace<place>(tuple, mode)`.
    ///
    /// Lean: `Razorgirl.HTuple.replace`
    pub fn replace(&self, place: usize, mode: &Self) -> Result<Self> {
        if place >= self.rank() {
            return Err(place_error(place, self.rank()));
        }
        if self.is_leaf() {
            return Ok(mode.clone());
        }
        let replaced = |(at, part)| if at == place { (mode, mode.profile().span()) } else { part };
        Self::of_parts(self.parts().enumerate().map(replaced))
    }
}

fn check_range(range: &Range<usize>, rank: usize) -> Result<()> {
    if range.start <= range.end && range.end <= rank { Ok(()) } else { Err(range_error(range, rank)) }
}

#[cold]
fn too_many(rank: usize) -> Error {
    Error::new(ErrorKind::TooLarge, format!("{rank} modes are more than the {MAX_MODES} that a tuple is padded to"))
        .with_help("a rank is the number of modes, not of elements")
}

#[cold]
fn rank_error(rank: usize, met: usize) -> Error {
    Error::new(ErrorKind::OutOfDomain, format!("there are {met} modes already, more than the rank {rank}"))
        .with_help(format!("use a rank of at least {met}; `take` drops modes"))
}

#[cold]
fn range_error(range: &Range<usize>, rank: usize) -> Error {
    Error::new(ErrorKind::OutOfDomain, format!("modes [{},{}) are no range of {rank} modes", range.start, range.end))
        .with_help(format!("use begin ≤ end ≤ {rank}"))
}

#[cold]
fn place_error(place: usize, rank: usize) -> Error {
    let error = Error::new(ErrorKind::OutOfDomain, format!("mode {place} is outside [0,{rank})"));
    if rank == 0 { error } else { error.with_help(format!("use a mode below {rank}")) }
}
