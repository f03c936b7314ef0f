//! Named dimensions.

use alloc::sync::Arc;
use alloc::{borrow::ToOwned, string::String, vec::Vec};

use crate::error::{Error, ErrorKind, Result, brief};

/// The most bits of all dimensions of one side together.
pub const MAX_BITS: u32 = 63;
/// The most dimensions of one side; most of them have one value then.
pub const MAX_DIMS: usize = 1 << 8;

/// Named dimensions, minor first, each of a power of two of values; together of at most 63 bits.
///
/// Lean: `Razorgirl.LinearLayout.Dims`
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Dims(Arc<[(String, u32)]>);

/// The ones in the lowest bits; at most 63.
pub(super) const fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

pub(super) fn incongruent(message: String) -> Error {
    Error::new(ErrorKind::Incongruent, message)
}

/// The exponent of a power of two, `what` it is.
pub(super) fn exponent(size: u64, what: impl FnOnce() -> String) -> Result<u32> {
    if size.is_power_of_two() {
        return Ok(size.ilog2());
    }
    let error = Error::new(ErrorKind::Extent, format!("{} is {size}, but must be a power of two", what()));
    Err(match size.max(1).checked_next_power_of_two() {
        Some(next) => error.with_help(format!("use {next}, the next power of two")),
        None => error.with_help("use a power of two"),
    })
}

impl Dims {
    /// Dimensions from their names and sizes.
    ///
    /// # Errors
    /// [`ErrorKind::Extent`] for a size that is not a power of two, [`ErrorKind::Incongruent`] for a name that occurs twice,
    /// [`ErrorKind::TooLarge`] for 64 bits and more.
    ///
    /// ```
    /// use razorgirl::linear_layout::Dims;
    ///
    /// assert_eq!(Dims::new([("lane".to_owned(), 32)])?.total(), 5);
    /// assert_eq!(Dims::new([("lane".to_owned(), 3)]).unwrap_err().help(), ["use 4, the next power of two"]);
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn new(sizes: impl IntoIterator<Item = (String, u64)>) -> Result<Self> {
        let mut dims = Vec::new();
        for (name, size) in sizes {
            let bits = exponent(size, || format!("the size of {}", brief(&name)))?;
            dims.push((name, bits));
        }
        Self::of_bits(dims)
    }

    /// Dimensions from their names and numbers of bits.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_bits(dims: Vec<(String, u32)>) -> Result<Self> {
        if dims.len() > MAX_DIMS {
            return Err(Error::new(ErrorKind::TooLarge, format!("one side has {} dimensions", dims.len()))
                .with_help(format!("use at most {MAX_DIMS} dimensions on each side")));
        }
        let mut names: Vec<&str> = dims.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair.first() == pair.last()) {
            let name = pair.first().copied().unwrap_or_default();
            return Err(incongruent(format!("the name {} occurs twice", brief(&name)))
                .with_help("give each dimension of a side a name of its own"));
        }
        let total = dims.iter().fold(0_u32, |sum, (_, bits)| sum.saturating_add(*bits));
        if total > MAX_BITS {
            return Err(Error::new(ErrorKind::TooLarge, format!("the dimensions of one side have {total} bits"))
                .with_help(format!("use at most {MAX_BITS} bits on each side")));
        }
        Ok(Self(dims.into()))
    }

    /// Names and numbers of bits, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> + Clone {
        self.0.iter().map(|(name, bits)| (name.as_str(), *bits))
    }

    /// The names in order.
    ///
    /// Lean: `Razorgirl.LinearLayout.Dims.names`
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// All dimensions as one, named after the first; none stay none.
    pub(super) fn flattened(&self) -> Self {
        Self(self.names().take(1).map(|name| (name.to_owned(), self.total())).collect())
    }

    /// How many dimensions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All bits together.
    ///
    /// Lean: `Razorgirl.LinearLayout.Dims.total`
    #[must_use]
    pub fn total(&self) -> u32 {
        self.0.iter().map(|(_, bits)| bits).sum()
    }

    /// The bits of the dimension of that name, 0 where there is none.
    ///
    /// Lean: `Razorgirl.LinearLayout.Dims.bits`
    #[must_use]
    pub fn bits(&self, name: &str) -> u32 {
        self.iter().find(|(own, _)| *own == name).map_or(0, |(_, bits)| bits)
    }

    /// Whether there is a dimension of that name.
    ///
    /// Lean: `Razorgirl.LinearLayout.Dims.has`
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names().any(|own| own == name)
    }

    /// The names, minor first, and where the bits of each begin.
    pub(super) fn places(&self) -> impl Iterator<Item = (&str, u32, u32)> + Clone {
        self.0.iter().scan(0, |next, (name, bits)| {
            let place = *next;
            *next += bits;
            Some((name.as_str(), *bits, place))
        })
    }

    /// Where the bits of a dimension begin.
    pub(crate) fn place(&self, name: &str) -> Option<(u32, u32)> {
        self.places().find(|(own, ..)| *own == name).map(|(_, bits, place)| (bits, place))
    }

    /// One number for a point: the first dimension in the lowest bits. A coordinate counts modulo the size.
    ///
    /// Lean: `Razorgirl.LinearLayout.Dims.pack`
    pub fn pack(&self, mut point: impl FnMut(&str) -> u64) -> u64 {
        self.places().fold(0, |packed, (name, bits, place)| packed | (point(name) & mask(bits)) << place)
    }

    /// The coordinate of a packed number in a dimension, 0 where there is none of that name.
    ///
    /// Lean: `Razorgirl.LinearLayout.Dims.unpack`
    #[must_use]
    pub fn unpack(&self, packed: u64, name: &str) -> u64 {
        self.place(name).map_or(0, |(bits, place)| packed >> place & mask(bits))
    }

    /// The point of a packed number over other dimensions; names that they lack are dropped, others are 0.
    pub(crate) fn repack(&self, packed: u64, to: &Self) -> u64 {
        to.pack(|name| self.unpack(packed, name))
    }

    /// Each input bit: name, bit in the dimension.
    pub(super) fn each_bit(&self) -> impl Iterator<Item = (&str, u32)> {
        self.iter().flat_map(|(name, bits)| (0..bits).map(move |bit| (name, bit)))
    }

    pub(super) fn only(&self, keep: impl Fn(&str) -> bool) -> Self {
        Self(self.0.iter().filter(|(name, _)| keep(name)).cloned().collect())
    }

    /// Dimensions of these names in this order, as large as they are here.
    pub(super) fn in_order(&self, names: &[String]) -> Self {
        Self(names.iter().map(|name| (name.clone(), self.bits(name))).collect())
    }

    /// The same names in any order.
    ///
    /// Lean: `Razorgirl.LinearLayout.Dims.sameNames`
    #[must_use]
    pub fn same_names(&self, other: &Self) -> bool {
        self.names().all(|name| other.has(name)) && other.names().all(|name| self.has(name))
    }

    /// The same names in any order, and nowhere larger.
    ///
    /// Lean: `Razorgirl.LinearLayout.fitsNames`
    #[must_use]
    pub fn fits_names(&self, other: &Self) -> bool {
        self.same_names(other) && self.fits_in(other)
    }

    /// No dimension is missing in `other`, or larger there.
    pub(super) fn fits_in(&self, other: &Self) -> bool {
        self.iter().all(|(name, bits)| other.has(name) && bits <= other.bits(name))
    }

    /// With another number of bits for one dimension.
    pub(super) fn resized(&self, name: &str, bits: u32) -> Result<Self> {
        Self::of_bits(self.0.iter().map(|(own, old)| (own.clone(), if own == name { bits } else { *old })).collect())
    }

    /// Checks that each name is one of these dimensions, none twice.
    pub(super) fn check_names(&self, names: &[String], side: &str) -> Result<()> {
        for (place, name) in names.iter().enumerate() {
            if !self.has(name) {
                return Err(self.missing(name, side));
            }
            if names.iter().take(place).any(|earlier| earlier == name) {
                return Err(
                    incongruent(format!("the name {} occurs twice", brief(name))).with_help("name each dimension once")
                );
            }
        }
        Ok(())
    }

    pub(super) fn missing(&self, name: &str, side: &str) -> Error {
        let names: Vec<&str> = self.names().collect();
        incongruent(format!("there is no {side} dimension {}", brief(&name)))
            .with_help(format!("the {side} dimensions are {}", brief(&names.join(", "))))
    }

    /// Checks that there is a dimension of that name.
    pub(super) fn check_name(&self, name: &str, side: &str) -> Result<()> {
        if self.has(name) { Ok(()) } else { Err(self.missing(name, side)) }
    }
}
