//! Layouts recovered from relations, given their shape or their strides.

use super::{Relation, shown};
use crate::error::{Error, ErrorKind, Result};
use crate::int_tuple::{IntTuple, Shape};
use crate::layout::Layout;
use alloc::{borrow::ToOwned, string::String, string::ToString, vec::Vec};

/// The most entries that are looked at before a search for a shape is given up.
const MAX_LOOKS: u64 = 1 << 24;

/// The most strides that a shape is looked for with; 16 modes of 2^16 coordinates have an extent above 1.
const MAX_STRIDES: usize = 1 << 10;

impl Relation {
    /// The layout of this shape whose layout mapping this is. There is one at most: its strides are the images of the indices at which
    /// its modes start.
    ///
    /// ```
    /// use razorgirl::relation::Relation;
    ///
    /// let mapping = Relation::of_layout(&"4:3".parse()?)?;
    /// assert_eq!(mapping.with_shape(&"(2,2)".parse()?)?.to_string(), "(2,2):(3,6)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoLayout`](ErrorKind::NoLayout) where no layout of that shape has the mapping, with the first index where they differ.
    ///
    /// Lean: `Razorgirl.FlatLayout.fromShape`
    pub fn with_shape(&self, shape: &Shape) -> Result<Layout> {
        let values = self.values()?;
        if values.len() as u64 != shape.size() {
            let message =
                format!("the relation has {} inputs, and {shape} has {} coordinates", values.len(), shape.size());
            return Err(none(message).with_help("give a shape with as many coordinates as the relation has inputs"));
        }
        let mut start = 1_usize;
        let mut strides = Vec::new();
        for extent in shape.extents().leaves() {
            strides.push(if *extent == 1 { 0 } else { values.get(start).copied().unwrap_or_default() });
            // Stays within the number of inputs.
            start *= usize::try_from(*extent).unwrap_or(usize::MAX);
        }
        let stride = IntTuple::nested(&strides, shape.profile())?;
        if let Some((index, made)) = first_difference(shape.extents().leaves(), &strides, &values) {
            let value = values.get(index).copied().unwrap_or_default();
            let message = format!(
                "index {index} has the image {value}, but {shape}:{stride}, whose strides are the images of the first steps, maps it to {made}"
            );
            return Err(none(message)
                .with_help("no layout of this shape has this mapping; try find_layout_over, which also splits modes"));
        }
        Layout::new(shape.extents(), &stride)
    }

    /// The layout with these strides that has this mapping. If several shapes have it, the lexicographically least shape is
    /// returned. The stride of a mode of extent 1 is 0, whatever was given.
    ///
    /// ```
    /// use razorgirl::relation::Relation;
    ///
    /// // (4,1,2) and (8,1,1) have this mapping too
    /// let mapping = Relation::of_layout(&"8:1".parse()?)?;
    /// assert_eq!(mapping.with_stride(&"(1,2,4)".parse()?)?.to_string(), "(2,2,2):(1,2,4)");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoLayout`](ErrorKind::NoLayout) if no layout with these strides has the mapping; [`TooLarge`](ErrorKind::TooLarge) if the
    /// search compares more than 2^24 images, or for more than 1,024 strides.
    ///
    /// Lean: `Razorgirl.FlatLayout.fromStride`
    pub fn with_stride(&self, stride: &IntTuple) -> Result<Layout> {
        if stride.leaves().len() > MAX_STRIDES {
            let message =
                format!("there are {} strides; at most 16 of them can have an extent above 1", stride.leaves().len());
            return Err(
                Error::new(ErrorKind::TooLarge, message).with_help(format!("give at most {MAX_STRIDES} strides"))
            );
        }
        let values = self.values()?;
        let mut search =
            Search { values: &values, strides: stride.leaves(), extents: Vec::new(), looks: 0, furthest: None };
        if search.extend(1)? {
            return Layout::new(&IntTuple::nested(&search.extents, stride.profile())?, stride);
        }
        let mut message = format!("no layout with the strides {stride} has this mapping of {} indices", values.len());
        if let Some(Furthest { index, made, extents }) = search.furthest {
            let value = values.get(index).copied().unwrap_or_default();
            // Later modes begin behind this index. Text alone: their offsets may pass 64 bits.
            let list = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
            let (extents, strides) = (list(&extents), list(&stride.leaves()[..extents.len()]));
            let modes =
                format!("the modes ({extents}):({strides}), which match the most indices, map index {index} to {made}");
            message = format!("{message}: {modes}, but its image is {value}");
        }
        Err(none(message).with_help("try find_layout, which chooses the strides"))
    }

    /// The images of 0, 1, 2, …
    pub(super) fn values(&self) -> Result<Vec<u64>> {
        let mut values = Vec::with_capacity(self.0.len());
        for (next, (input, image)) in self.0.iter().enumerate() {
            let &[input] = input.as_slice() else {
                return Err(none(format!("the input {} must be one integer", shown(input)))
                    .with_help("inputs of a layout are linear indices"));
            };
            if input != next as i128 {
                let message = match input {
                    input if next > 0 && input == next as i128 - 1 => format!("{input} has two images"),
                    input if input < 0 => format!("the input {input} is below 0"),
                    _ => format!("{next} has no image, and {input} has one"),
                };
                return Err(none(message).with_help("a layout has one image for each of 0, 1, 2, … up to its size"));
            }
            match image.as_slice() {
                &[value] if u64::try_from(value).is_ok() => values.extend(u64::try_from(value)),
                _ => {
                    return Err(none(format!("the image {} of {input} is no offset", shown(image)))
                        .with_help("offsets are single numbers from 0 and below 2^64"));
                }
            }
        }
        if values.is_empty() {
            return Err(none("the relation has no pair".to_owned()).with_help("a layout has at least the index 0"));
        }
        Ok(values)
    }
}

/// Extents tried in lexicographic order.
struct Search<'a> {
    values: &'a [u64],
    strides: &'a [u64],
    extents: Vec<u64>,
    looks: u64,
    furthest: Option<Furthest>,
}

/// First modes that have the images of all indices at which one of their steps ends, but for one.
struct Furthest {
    index: usize,
    made: u128,
    extents: Vec<u64>,
}

impl Search<'_> {
    /// Whether the extents can be gone on with, the next mode starting at index `start`; they are complete then.
    fn extend(&mut self, start: usize) -> Result<bool> {
        let place = self.extents.len();
        let Some(stride) = self.strides.get(place).copied() else {
            self.look(self.values.len() as u64)?;
            if start != self.values.len() {
                return Ok(false);
            }
            let difference = first_difference(&self.extents, self.strides, self.values);
            if let Some((index, made)) = difference {
                self.note(index, made, None);
            }
            return Ok(difference.is_none());
        };
        let rest = self.values.len() / start;
        for extent in 1..=rest {
            self.look(1)?;
            // A mode with so many coordinates has this offset at its last one; longer ones have it, too.
            let last = self.values.get(start * (extent - 1)).copied();
            if (extent as u64 - 1).checked_mul(stride) != last {
                self.note(start * (extent - 1), u128::from(stride) * (extent as u128 - 1), Some(extent as u64));
                break;
            }
            if rest.is_multiple_of(extent) {
                self.extents.push(extent as u64);
                if self.extend(start * extent)? {
                    return Ok(true);
                }
                self.extents.truncate(place);
            }
        }
        Ok(false)
    }

    /// Notes where modes fail that agree up to a later index than any before.
    fn note(&mut self, index: usize, made: u128, last: Option<u64>) {
        if self.furthest.as_ref().is_none_or(|furthest| furthest.index < index) {
            let extents = self.extents.iter().copied().chain(last).collect();
            self.furthest = Some(Furthest { index, made, extents });
        }
    }

    fn look(&mut self, entries: u64) -> Result<()> {
        self.looks += entries;
        if self.looks <= MAX_LOOKS {
            return Ok(());
        }
        let message = format!("over {MAX_LOOKS} images were looked at, and shapes are left that may have the mapping");
        Err(Error::new(ErrorKind::TooLarge, message).with_help("give fewer strides, or ask with a shape"))
    }
}

/// The first index whose image is not that of the modes, and theirs; `u128` holds it, since extents multiply to the number of values.
fn first_difference(extents: &[u64], strides: &[u64], values: &[u64]) -> Option<(usize, u128)> {
    (0..).zip(values).find_map(|(index, value)| {
        let mut rest = index as u64;
        let mut made = 0_u128;
        for (extent, stride) in extents.iter().zip(strides) {
            made += u128::from(rest % extent) * u128::from(*stride);
            rest /= extent;
        }
        (made != u128::from(*value)).then_some((index, made))
    })
}

#[cold]
fn none(message: String) -> Error {
    Error::new(ErrorKind::NoLayout, message)
}
