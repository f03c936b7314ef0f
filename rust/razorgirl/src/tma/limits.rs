//! The limits of the hardware.

use super::{Descriptor, Dimension, Fill, Interleave, MAX_RANK, fttc};
use alloc::{string::String, vec::Vec};
use core::fmt;

/// The largest tensor, box and stride, and what strides and addresses are multiples of.
pub(super) const MAX_SIZE: u64 = 1 << 32;
pub(super) const MAX_BOX: u64 = 256;
pub(super) const MAX_ELEMENT_STRIDE: u64 = 8;
pub(super) const STRIDE_END: u64 = 1 << 40;
const UNIT: u64 = 16;
const MAX_COORDINATE: u64 = 1 << 31;

/// What a descriptor has to satisfy. The first group is the CUDA driver's manual on `cuTensorMapEncodeTiled`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// one to five dimensions
    Rank,
    /// at least three dimensions with interleaved channels
    InterleaveRank,
    /// address a multiple of 16 bytes, of 32 with interleave 32B
    Address,
    /// sizes from 1 to 2^32
    Size,
    /// the innermost dimension is contiguous
    InnermostContiguous,
    /// strides are multiples of 16 bytes, of 32 with interleave 32B
    StrideAlignment,
    /// strides are below 2^40 bytes
    StrideRange,
    /// boxes from 1 to 256
    BoxSize,
    /// the innermost box is a multiple of 16 bytes without interleave
    BoxBytes,
    /// element strides from 1 to 8
    ElementStride,
    /// the innermost box is no wider than the swizzle
    SwizzleWidth,
    /// interleave 32B goes with swizzle 32B
    InterleaveSwizzle,
    /// only floating types can be filled with NaN
    NanFill,
    /// a transfer is a multiple of 16 bytes
    TransferBytes,
    /// the fundamental theorem of TMA correctness
    Fttc,
}

impl Rule {
    /// The name of the rule, for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rank => "rank",
            Self::InterleaveRank => "interleave_rank",
            Self::Address => "global_address",
            Self::Size => "global_dim",
            Self::InnermostContiguous => "innermost_contiguous",
            Self::StrideAlignment => "global_stride_alignment",
            Self::StrideRange => "global_stride_range",
            Self::BoxSize => "box_dim",
            Self::BoxBytes => "box_bytes",
            Self::ElementStride => "element_stride",
            Self::SwizzleWidth => "swizzle_width",
            Self::InterleaveSwizzle => "interleave_swizzle",
            Self::NanFill => "nan_fill",
            Self::TransferBytes => "transfer_bytes",
            Self::Fttc => "fttc",
        }
    }

    /// The rule in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Rank => "a tensor map has 1 to 5 dimensions",
            Self::InterleaveRank => "a tensor map with interleaved channels has at least 3 dimensions",
            Self::Address => "the global address is a multiple of 16 bytes, with interleave 32B of 32",
            Self::Size => "each global size is from 1 to 2^32 elements",
            Self::InnermostContiguous => "the innermost dimension is contiguous: tensor maps have no stride for it",
            Self::StrideAlignment => "each global stride is a multiple of 16 bytes, with interleave 32B of 32",
            Self::StrideRange => "each global stride is below 2^40 bytes",
            Self::BoxSize => "each box size is from 1 to 256 elements",
            Self::BoxBytes => "without interleave the innermost box is a multiple of 16 bytes",
            Self::ElementStride => "each element stride is from 1 to 8",
            Self::SwizzleWidth => "without interleave the innermost box is at most as wide as the swizzle",
            Self::InterleaveSwizzle => "interleave 32B needs swizzle 32B",
            Self::NanFill => "only floating-point types can be filled with NaN",
            Self::TransferBytes => "one transfer is a multiple of 16 bytes",
            Self::Fttc => {
                "strong correctness needs, in each dimension, an element stride that divides the box size, an element stride \
                 of at least the box size, or a box that covers the whole tensor"
            }
        }
    }
}

/// A limit that a descriptor exceeds, or a condition that it does not satisfy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// the rule that is broken
    pub rule: Rule,
    /// the dimension, if the rule is about one; 0 is the innermost
    pub dimension: Option<usize>,
    /// the given number
    pub value: u64,
    /// the limit that it is compared with
    pub limit: u64,
    numbers: Dimension,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, value, limit, numbers, .. } = self;
        let d = self.dimension.unwrap_or_default();
        match rule {
            Rule::Rank => write!(f, "the tensor map has {value} dimensions; it must have 1 to {limit}"),
            Rule::InterleaveRank => {
                write!(f, "the tensor map has {value} dimensions; interleaved channels need at least {limit}")
            }
            Rule::Address => write!(f, "global address {value:#x} is not a multiple of {limit}"),
            Rule::Size => write!(f, "global size {value} of dimension {d} is not from 1 to {limit}"),
            Rule::InnermostContiguous => {
                write!(f, "the stride of dimension 0 is {value} bytes; it must be the element size, {limit}")
            }
            Rule::StrideAlignment => write!(f, "stride of {value} bytes in dimension {d} is not a multiple of {limit}"),
            Rule::StrideRange => write!(f, "stride of {value} bytes in dimension {d} is not below 2^40"),
            Rule::BoxSize => write!(f, "box of {value} elements in dimension {d} is not from 1 to {limit}"),
            Rule::BoxBytes => write!(
                f,
                "innermost box of {} elements has {value} bytes, which is not a multiple of {limit}",
                numbers.box_size
            ),
            Rule::ElementStride => write!(f, "element stride {value} in dimension {d} is not from 1 to {limit}"),
            Rule::SwizzleWidth => write!(
                f,
                "innermost box of {} elements has {value} bytes, more than the {limit} of the swizzle",
                numbers.box_size
            ),
            Rule::InterleaveSwizzle => write!(f, "interleave 32B requires swizzle 32B"),
            Rule::NanFill => write!(f, "fill NaN requires a floating-point type"),
            Rule::TransferBytes => write!(f, "one transfer has {value} bytes, which is not a multiple of {limit}"),
            Rule::Fttc => write!(
                f,
                "in dimension {d} element stride {} does not divide the box of {}, which is smaller than the tensor of {}",
                numbers.element_stride, numbers.box_size, numbers.size
            ),
        }
    }
}

impl Violation {
    /// The size, box, element stride and stride of the dimension at fault.
    #[must_use]
    pub fn numbers(&self) -> Dimension {
        self.numbers
    }

    pub(super) fn same_place(&self, other: &Self) -> bool {
        self.rule == other.rule && self.dimension == other.dimension
    }
}

/// What strides and addresses have to be multiples of.
pub(super) fn alignment(descriptor: &Descriptor) -> u64 {
    if descriptor.interleave == Interleave::B32 { 2 * UNIT } else { UNIT }
}

pub(super) fn violations(descriptor: &Descriptor) -> Vec<Violation> {
    let dimensions = &descriptor.dimensions;
    let nothing = Dimension { size: 0, box_size: 0, element_stride: 0, stride: 0 };
    let mut found = Vec::new();
    let mut report = |broken: bool, rule: Rule, dimension: Option<usize>, value: u64, limit: u64| {
        if broken {
            let numbers = dimension.and_then(|d| dimensions.get(d)).or(dimensions.first()).copied().unwrap_or(nothing);
            found.push(Violation { rule, dimension, value, limit, numbers });
        }
    };
    let rank = dimensions.len();
    let dense = descriptor.interleave == Interleave::None;
    let unit = alignment(descriptor);
    report(rank == 0 || rank > MAX_RANK, Rule::Rank, None, rank as u64, MAX_RANK as u64);
    report(!dense && (1..3).contains(&rank), Rule::InterleaveRank, None, rank as u64, 3);
    if let Some(address) = descriptor.address {
        report(address % unit != 0, Rule::Address, None, address, unit);
    }
    let bytes = descriptor.data_type.bytes();
    for (d, dimension) in dimensions.iter().enumerate() {
        let Dimension { size, box_size, element_stride, stride } = *dimension;
        let here = Some(d);
        report(size == 0 || size > MAX_SIZE, Rule::Size, here, size, MAX_SIZE);
        if d == 0 {
            report(stride != bytes, Rule::InnermostContiguous, here, stride, bytes);
        } else {
            report(stride % unit != 0, Rule::StrideAlignment, here, stride, unit);
            report(stride >= STRIDE_END, Rule::StrideRange, here, stride, STRIDE_END);
        }
        report(box_size == 0 || box_size > MAX_BOX, Rule::BoxSize, here, box_size, MAX_BOX);
        let strided = element_stride == 0 || element_stride > MAX_ELEMENT_STRIDE;
        report(strided, Rule::ElementStride, here, element_stride, MAX_ELEMENT_STRIDE);
        if d == 0 && dense {
            let width = box_size.saturating_mul(bytes);
            report(width % UNIT != 0, Rule::BoxBytes, here, width, UNIT);
            if let Some(limit) = descriptor.swizzle.bytes() {
                report(width > limit, Rule::SwizzleWidth, here, width, limit);
            }
        }
        report(fttc::violated(dimension), Rule::Fttc, here, element_stride, box_size);
    }
    let mismatch = descriptor.interleave == Interleave::B32 && descriptor.swizzle.bytes() != Some(32);
    report(mismatch, Rule::InterleaveSwizzle, None, descriptor.swizzle.bytes().unwrap_or(0), 32);
    report(descriptor.fill == Fill::Nan && !descriptor.data_type.is_float(), Rule::NanFill, None, 0, 0);
    // without interleave the rule on the innermost box implies this one
    if !dense && let Some(transfer) = descriptor.transfer_bytes() {
        report(transfer % UNIT != 0, Rule::TransferBytes, None, transfer, UNIT);
    }
    found
}

pub(super) fn notes(descriptor: &Descriptor) -> Vec<String> {
    use super::DataType;
    let mut notes = Vec::new();
    let dense = descriptor.interleave == Interleave::None;
    let bytes = descriptor.data_type.bytes();
    if let Some(first) = descriptor.dimensions.first() {
        if dense && first.element_stride > 1 {
            notes.push(format!(
                "element stride {} of dimension 0: the hardware ignores it without interleave and copies every element; nvFuser \
                 refuses it. To stride there, view the tensor with that dimension split in two",
                first.element_stride
            ));
        }
        let row = first.size.saturating_mul(bytes);
        if dense && row % UNIT != 0 {
            notes.push(format!(
                "a row of the tensor has {row} bytes, and stores write whole chunks of {UNIT}: one that reaches the end of a row may also \
                 write the {} bytes behind it",
                UNIT - row % UNIT
            ));
        }
        let width = first.box_size.saturating_mul(bytes);
        if let Some(limit) = descriptor.swizzle.bytes().filter(|&limit| dense && width < limit) {
            notes.push(format!(
                "innermost box of {width} bytes under a swizzle of {limit}: legal for the hardware; nvFuser requires exactly \
                 {limit}, and only then does the swizzle stay within a row"
            ));
        }
    }
    for (d, dimension) in descriptor.dimensions.iter().enumerate() {
        if dimension.size > MAX_COORDINATE && dimension.size <= MAX_SIZE {
            notes.push(format!(
                "dimension {d} has {} elements, but coordinates are signed 32-bit integers: elements from 2^31 on cannot be addressed",
                dimension.size
            ));
        }
        if dimension.box_size > dimension.size {
            notes.push(format!(
                "box beyond the tensor in dimension {d}: the box has {} elements and the tensor {}; a load fills the other {} with {}, and a \
                 store leaves them out",
                dimension.box_size,
                dimension.size,
                dimension.box_size - dimension.size,
                descriptor.fill.name()
            ));
        }
        if d == 0 {
            continue;
        }
        if dimension.stride == STRIDE_END {
            notes.push(format!("stride of dimension {d}: nvFuser accepts 2^40, the CUDA manual does not"));
        }
        let before = &descriptor.dimensions[d - 1];
        let needed = before.size.saturating_mul(before.stride);
        if dimension.stride < needed && dimension.size > 1 {
            notes.push(format!(
                "stride of {} bytes in dimension {d} is below the {needed} that dimension {} spans: elements overlap, or the \
                 dimensions are out of order; nvFuser refuses it",
                dimension.stride,
                d - 1
            ));
        }
    }
    if !matches!(
        descriptor.data_type,
        DataType::F64 | DataType::F32 | DataType::F16 | DataType::Bf16 | DataType::I64 | DataType::I32
    ) {
        notes.push(format!("nvFuser has no tensor maps of {}; the driver has", descriptor.data_type.name()));
    }
    notes
}
