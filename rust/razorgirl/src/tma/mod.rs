//! The Tensor Memory Accelerator: what a tiled copy can do, and when it is correct.
//!
//! A [`Descriptor`] says how a global tensor is cut into boxes. [`Descriptor::violations`] checks it against the limits of
//! the hardware and the fundamental theorem of TMA correctness (FTTC). [`Descriptor::suggestions`] are changes that have been
//! checked to remove a [`Violation`].
//!
//! Dimensions are innermost first, sizes in elements, strides in bytes.

use alloc::{string::String, vec::Vec};

mod fttc;
mod limits;
mod smem;
mod suggest;
mod swizzle;

pub use fttc::{Fttc, fttc};
pub use limits::{Rule, Violation};
pub use smem::{TileFault, tile_fault};
pub use suggest::Suggestion;

use crate::error::{Error, ErrorKind, Result};

/// The largest number of dimensions of a tensor map.
pub const MAX_RANK: usize = 5;

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say it")]
pub enum DataType {
    U8,
    U16,
    U32,
    I32,
    U64,
    I64,
    F16,
    Bf16,
    F32,
    Tf32,
    F64,
}

impl DataType {
    /// All types.
    pub const ALL: [Self; 11] = [
        Self::U8,
        Self::U16,
        Self::U32,
        Self::I32,
        Self::U64,
        Self::I64,
        Self::F16,
        Self::Bf16,
        Self::F32,
        Self::Tf32,
        Self::F64,
    ];

    /// Bytes of an element.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::F16 | Self::Bf16 => 2,
            Self::U32 | Self::I32 | Self::F32 | Self::Tf32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// Whether the type has a NaN to fill with.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::Tf32 | Self::F64)
    }

    /// Its short name, such as `f16`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F32 => "f32",
            Self::Tf32 => "tf32",
            Self::F64 => "f64",
        }
    }
}

/// How rows of a tile are permuted in shared memory.
///
/// Lean: `Razorgirl.Tma.SwizzleMode`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say it")]
pub enum Swizzle {
    #[default]
    None,
    B32,
    B64,
    B128,
}

impl Swizzle {
    /// All modes.
    pub const ALL: [Self; 4] = [Self::None, Self::B32, Self::B64, Self::B128];

    /// Bytes of a row that are permuted; `None` without a swizzle.
    #[must_use]
    pub const fn bytes(self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::B32 => Some(32),
            Self::B64 => Some(64),
            Self::B128 => Some(128),
        }
    }

    /// Its short name, such as `128B`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::B32 => "32B",
            Self::B64 => "64B",
            Self::B128 => "128B",
        }
    }
}

/// Interleaved channel layouts (NC/8HWC8, NC/16HWC16).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say it")]
pub enum Interleave {
    #[default]
    None,
    B16,
    B32,
}

impl Interleave {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::None, Self::B16, Self::B32];

    /// Its short name, such as `32B`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::B16 => "16B",
            Self::B32 => "32B",
        }
    }
}

/// What elements outside of the tensor are read as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fill {
    /// zero
    #[default]
    Zero,
    /// a NaN; floating types only
    Nan,
}

impl Fill {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Zero, Self::Nan];

    /// Its short name, such as `zero`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Nan => "nan",
        }
    }
}

/// One dimension of a copy.
///
/// Lean: `Razorgirl.Tma.Dim`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// elements of the tensor
    pub size: u64,
    /// elements that a box spans
    pub box_size: u64,
    /// every how many elements of the box one is copied
    pub element_stride: u64,
    /// bytes from one element to the next; in dimension 0 the size of an element
    pub stride: u64,
}

/// How a global tensor is cut into boxes.
///
/// Lean: `Razorgirl.Tma.Descriptor`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Descriptor {
    /// dimensions, innermost first
    pub dimensions: Vec<Dimension>,
    /// type of the elements
    pub data_type: DataType,
    /// permutation of rows in shared memory
    pub swizzle: Swizzle,
    /// interleaved channels
    pub interleave: Interleave,
    /// what is read outside of the tensor
    pub fill: Fill,
    /// address of the tensor, where it is known
    pub address: Option<u64>,
}

impl Descriptor {
    /// A descriptor without swizzle and interleaving, filled with zeros.
    ///
    /// `sizes`, `boxes` and `element_strides` have one entry for each dimension, innermost first; `strides` are the bytes
    /// between elements of the dimensions from 1 on, packed where they are `None`.
    ///
    /// # Errors
    /// [`Incongruent`](ErrorKind::Incongruent) when the lists differ in length, [`Extent`](ErrorKind::Extent) for a size, box
    /// or element stride of 0, [`Overflow`](ErrorKind::Overflow) when the packed tensor has 2^64 bytes or more.
    ///
    /// ```
    /// use razorgirl::tma::{DataType, Descriptor};
    ///
    /// let descriptor = Descriptor::new(&[64, 16], &[64, 8], &[1, 3], None, DataType::F16)?;
    /// let violations = descriptor.violations();
    /// assert_eq!(violations.len(), 1); // 3 does not divide the box of 8, which is smaller than 16
    /// let suggestions = descriptor.suggestions(&violations[0]);
    /// assert_eq!(suggestions[0].text, "element stride 2 in dimension 1: it divides the box of 8");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    pub fn new(
        sizes: &[u64],
        boxes: &[u64],
        element_strides: &[u64],
        strides: Option<&[u64]>,
        data_type: DataType,
    ) -> Result<Self> {
        fttc::same_length(sizes, boxes, element_strides)?;
        if let Some(strides) = strides
            && strides.len() + 1 != sizes.len().max(1)
        {
            return Err(Error::new(
                ErrorKind::Incongruent,
                format!("{} strides for {} dimensions", strides.len(), sizes.len()),
            )
            .with_help("give one stride in bytes for each dimension but the innermost, which is contiguous"));
        }
        let mut packed = data_type.bytes();
        let mut dimensions = Vec::with_capacity(sizes.len());
        for (d, ((&size, &box_size), &element_stride)) in sizes.iter().zip(boxes).zip(element_strides).enumerate() {
            let given = strides.and_then(|strides| strides.get(d.checked_sub(1)?)).copied();
            dimensions.push(Dimension { size, box_size, element_stride, stride: given.unwrap_or(packed) });
            if strides.is_none() {
                packed = packed.checked_mul(size).ok_or_else(|| {
                    Error::new(
                        ErrorKind::Overflow,
                        format!("the packed tensor has 2^64 bytes or more at dimension {d}"),
                    )
                    .with_help("give smaller sizes, or the strides")
                })?;
            }
        }
        Ok(Self {
            dimensions,
            data_type,
            swizzle: Swizzle::None,
            interleave: Interleave::None,
            fill: Fill::Zero,
            address: None,
        })
    }

    /// The verdict of the theorem on these boxes and element strides. No element is enumerated.
    ///
    /// Lean: `Razorgirl.Tma.violations`
    #[must_use]
    pub fn fttc(&self) -> Fttc {
        let violations = (0..self.dimensions.len()).filter(|&d| fttc::violated(&self.dimensions[d])).collect();
        Fttc { violations }
    }

    /// Everything that is wrong with the descriptor: limits of the hardware, and dimensions in which strong correctness
    /// cannot be had. Below a microsecond.
    #[must_use]
    pub fn violations(&self) -> Vec<Violation> {
        limits::violations(self)
    }

    /// What is legal, but not what it looks like, or not with nvFuser.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        limits::notes(self)
    }

    /// Changes of the descriptor that undo a violation, nearest first. Each has been tried: with it the violation is gone,
    /// and no new one is there.
    #[must_use]
    pub fn suggestions(&self, violation: &Violation) -> Vec<Suggestion> {
        suggest::suggestions(self, violation)
    }

    /// Elements that one instruction copies, in each dimension: `ceil(box / element stride)`. Unless channels are
    /// interleaved the hardware ignores the element stride of dimension 0 and copies the whole row.
    ///
    /// Lean: `Razorgirl.Tma.tileShape`
    #[must_use]
    pub fn tile(&self) -> Vec<u64> {
        let dense = self.interleave == Interleave::None;
        let elements = |(d, dimension): (usize, &Dimension)| {
            let step = if d == 0 && dense { 1 } else { dimension.element_stride.max(1) };
            dimension.box_size.div_ceil(step)
        };
        self.dimensions.iter().enumerate().map(elements).collect()
    }

    /// Bytes that one instruction copies; `None` from 2^64 on.
    #[must_use]
    pub fn transfer_bytes(&self) -> Option<u64> {
        self.tile().into_iter().try_fold(self.data_type.bytes(), u64::checked_mul)
    }

    /// Why a layout of shared memory does not fit the copies, or is not known to; [`tile_fault`] for the tile of this
    /// descriptor.
    ///
    /// ```
    /// use razorgirl::tma::{DataType, Descriptor, TileFault};
    ///
    /// let descriptor = Descriptor::new(&[64, 16], &[64, 8], &[1, 1], None, DataType::F16)?;
    /// assert_eq!(descriptor.tile_fault(&"((64,8),4):((1,64),512)".parse()?), None);
    /// let fault = descriptor.tile_fault(&"(4,8):(1,4)".parse()?);
    /// assert_eq!(fault, Some(TileFault::Size { given: 4, tile: 512 }));
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    #[must_use]
    pub fn tile_fault(&self, layout: &crate::Layout) -> Option<TileFault> {
        // 2^64 elements are more than any layout has
        tile_fault(layout, self.tile().into_iter().try_fold(1, u64::checked_mul).unwrap_or(u64::MAX))
    }
}

macro_rules! by_name {
    ($type:ty, $what:literal) => {
        impl core::str::FromStr for $type {
            type Err = Error;

            fn from_str(name: &str) -> Result<Self> {
                Self::ALL.into_iter().find(|one| one.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
                    let known: Vec<&str> = Self::ALL.iter().map(|one| one.name()).collect();
                    Error::new(ErrorKind::Parse, format!("there is no {} {name}", $what))
                        .with_help(format!("use {}", known.join(", ")))
                })
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

by_name!(DataType, "type");
by_name!(Swizzle, "swizzle");
by_name!(Interleave, "interleave");
by_name!(Fill, "fill");
