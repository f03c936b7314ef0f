//! Ways out of a violation, each tried before it is offered.

use super::limits::{MAX_BOX, MAX_ELEMENT_STRIDE, MAX_SIZE, Rule, STRIDE_END, Violation, alignment};
use super::{Descriptor, Dimension, Fill, Interleave, MAX_RANK, Swizzle};
use alloc::{string::String, vec::Vec};

/// A change that removes a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// what to change, and why it helps
    pub text: String,
    /// the descriptor with the change
    pub descriptor: Descriptor,
}

/// What a change of the address or of a stride needs: the elements that exist have to be moved.
const COPY: &str = " (needs a copy of the tensor)";

/// Suggestions that are offered at most.
const MOST: usize = 5;

pub(super) fn suggestions(descriptor: &Descriptor, violation: &Violation) -> Vec<Suggestion> {
    let before = descriptor.violations();
    let undone = |after: &Descriptor| {
        let left = after.violations();
        let new = |found: &&Violation| !before.iter().any(|known| known.same_place(found));
        !left.iter().any(|found| found.same_place(violation)) && left.iter().find(new).is_none()
    };
    let mut offered = candidates(descriptor, violation);
    offered.retain(|suggestion| undone(&suggestion.descriptor));
    offered.truncate(MOST);
    offered
}

fn candidates(descriptor: &Descriptor, violation: &Violation) -> Vec<Suggestion> {
    let d = violation.dimension.unwrap_or(0);
    let with = |text: String, change: &dyn Fn(&mut Descriptor)| {
        let mut descriptor = descriptor.clone();
        change(&mut descriptor);
        Suggestion { text, descriptor }
    };
    let in_dimension = |text: String, change: &dyn Fn(&mut Dimension)| {
        with(text, &|descriptor| {
            if let Some(dimension) = descriptor.dimensions.get_mut(d) {
                change(dimension);
            }
        })
    };
    let numbers = violation.numbers();
    let boxes = |wanted: &dyn Fn(u64) -> bool, why: &str| -> Vec<Suggestion> {
        nearest(numbers.box_size, 1..=MAX_BOX, wanted)
            .map(|n| in_dimension(format!("box {n} in dimension {d}: {why}"), &|dimension| dimension.box_size = n))
            .collect()
    };
    let bytes = descriptor.data_type.bytes();
    match violation.rule {
        Rule::Rank => merged(descriptor),
        Rule::InterleaveRank => vec![
            with("no interleave".into(), &|descriptor| descriptor.interleave = Interleave::None),
            with("further dimensions of size 1, up to rank 3".into(), &|descriptor| {
                while descriptor.dimensions.len() < 3 {
                    let stride = descriptor
                        .dimensions
                        .last()
                        .map_or(0, |last| last.size.saturating_mul(last.stride))
                        .checked_next_multiple_of(alignment(descriptor))
                        .unwrap_or(0);
                    descriptor.dimensions.push(Dimension { size: 1, box_size: 1, element_stride: 1, stride });
                }
            }),
        ],
        Rule::Address => around(violation.value, violation.limit)
            .map(|address| {
                with(format!("an address of {address:#x}: a multiple of {}{COPY}", violation.limit), &|descriptor| {
                    descriptor.address = Some(address);
                })
            })
            .collect(),
        Rule::Size => vec![in_dimension(
            format!("a size of {} in dimension {d}: copy the tensor in parts", numbers.size.clamp(1, MAX_SIZE)),
            &|dimension| dimension.size = dimension.size.clamp(1, MAX_SIZE),
        )],
        Rule::InnermostContiguous => vec![in_dimension(
            format!("a contiguous innermost dimension, {bytes} bytes from element to element{COPY}"),
            &|dimension| dimension.stride = bytes,
        )],
        Rule::StrideAlignment => around(violation.value, violation.limit)
            // rows do not fit in less than they have
            .filter(|&stride| {
                d.checked_sub(1)
                    .and_then(|before| descriptor.dimensions.get(before))
                    .is_none_or(|before| stride >= before.size.saturating_mul(before.stride))
            })
            .map(|stride| {
                let elements = stride.saturating_sub(violation.value);
                let text = if stride > violation.value {
                    format!("stride {stride} in dimension {d}: pad each row by {elements} bytes{COPY}")
                } else {
                    format!("stride {stride} in dimension {d}: a multiple of {}{COPY}", violation.limit)
                };
                in_dimension(text, &|dimension| dimension.stride = stride)
            })
            .collect(),
        Rule::StrideRange => {
            let stride = STRIDE_END - alignment(descriptor);
            vec![in_dimension(
                format!("stride {stride} in dimension {d}: the largest below 2^40{COPY}"),
                &|dimension| {
                    dimension.stride = stride;
                },
            )]
        }
        Rule::BoxSize => boxes(&|_| true, "at most 256 elements; copy larger tiles in several boxes"),
        Rule::BoxBytes => {
            let unit = 16 / bytes.min(16);
            boxes(&|n| n % unit == 0, &format!("a multiple of {unit} elements has a multiple of 16 bytes"))
        }
        Rule::ElementStride => nearest(numbers.element_stride, 1..=MAX_ELEMENT_STRIDE, &|_| true)
            .map(|n| {
                in_dimension(format!("element stride {n} in dimension {d}: from 1 to 8"), &|dimension| {
                    dimension.element_stride = n;
                })
            })
            .collect(),
        Rule::SwizzleWidth => {
            let wider = Swizzle::ALL.into_iter().filter(|swizzle| swizzle.bytes().is_some_and(|n| n > violation.limit));
            let mut all: Vec<Suggestion> = wider
                .map(|swizzle| {
                    with(format!("swizzle {}: as wide as the box, or wider", swizzle.name()), &|descriptor| {
                        descriptor.swizzle = swizzle;
                    })
                })
                .collect();
            let widest = violation.limit / bytes;
            all.extend(boxes(&|n| n == widest, "as wide as the swizzle"));
            all.push(with("no swizzle".into(), &|descriptor| descriptor.swizzle = Swizzle::None));
            all
        }
        Rule::InterleaveSwizzle => vec![
            with("swizzle 32B".into(), &|descriptor| descriptor.swizzle = Swizzle::B32),
            with("no interleave".into(), &|descriptor| descriptor.interleave = Interleave::None),
        ],
        Rule::NanFill => vec![with("a fill of zeros".into(), &|descriptor| descriptor.fill = Fill::Zero)],
        Rule::TransferBytes => descriptor
            .dimensions
            .first()
            .map(|first| {
                nearest(first.box_size, 1..=MAX_BOX, &|n| (n * bytes).is_multiple_of(16))
                    .map(|n| {
                        with(format!("box {n} in dimension 0: a multiple of 16 bytes"), &|descriptor| {
                            if let Some(first) = descriptor.dimensions.first_mut() {
                                first.box_size = n;
                            }
                        })
                    })
                    .collect()
            })
            .unwrap_or_default(),
        Rule::Fttc => {
            let Dimension { size, box_size, element_stride, .. } = numbers;
            let divides = |n: u64| box_size % n == 0;
            let mut all: Vec<Suggestion> = nearest(element_stride, 1..=MAX_ELEMENT_STRIDE, &divides)
                .take(2)
                .map(|n| {
                    in_dimension(
                        format!("element stride {n} in dimension {d}: it divides the box of {box_size}"),
                        &|dimension| dimension.element_stride = n,
                    )
                })
                .collect();
            // dimension 0 also has to keep its multiple of 16 bytes: the first that pass are the nearest
            all.extend(boxes(
                &|n| n % element_stride == 0 && n < size && (d > 0 || (n * bytes).is_multiple_of(16)),
                &format!("a multiple of the element stride {element_stride}"),
            ));
            if size <= MAX_BOX {
                all.extend(boxes(&|n| n == size, "the whole tensor, so that what is past its end is outside"));
            }
            all
        }
    }
}

/// The numbers nearest to `n` in a range that satisfy `wanted`: at most two, one on either side, the nearer one first.
fn nearest(n: u64, range: core::ops::RangeInclusive<u64>, wanted: &dyn Fn(u64) -> bool) -> impl Iterator<Item = u64> {
    let below = (*range.start()..=n.min(*range.end())).rev().find(|&m| m != n && wanted(m));
    let above = (n.saturating_add(1).max(*range.start())..=*range.end()).find(|&m| wanted(m));
    let mut both: Vec<u64> = below.into_iter().chain(above).collect();
    both.sort_by_key(|&m| m.abs_diff(n));
    both.into_iter()
}

/// The multiples of `unit` on either side of `n`.
fn around(n: u64, unit: u64) -> impl Iterator<Item = u64> {
    let below = n - n % unit;
    let above = below.checked_add(unit);
    let mut both: Vec<u64> = Some(below).into_iter().chain(above).filter(|&m| m > 0).collect();
    both.sort_by_key(|&m| m.abs_diff(n));
    both.into_iter()
}

/// The descriptor with neighbouring dimensions merged until there are few enough: where the outer one continues the inner
/// one in memory, and the box takes all of the inner one or one of the outer one.
fn merged(descriptor: &Descriptor) -> Vec<Suggestion> {
    let mut after = descriptor.clone();
    let mut pairs = Vec::new();
    while after.dimensions.len() > MAX_RANK {
        let found = (1..after.dimensions.len()).find_map(|d| {
            let (inner, outer) = (after.dimensions[d - 1], after.dimensions[d]);
            let merged = merge(inner, outer)?;
            Some((d, merged))
        });
        let Some((d, merged)) = found else { return vec![] };
        pairs.push(format!("{} and {d}", d - 1));
        after.dimensions[d - 1] = merged;
        after.dimensions.remove(d);
    }
    if pairs.is_empty() {
        return vec![];
    }
    let text = format!("dimensions {} merged: the outer one continues the inner one in memory", pairs.join(", then "));
    vec![Suggestion { text, descriptor: after }]
}

fn merge(inner: Dimension, outer: Dimension) -> Option<Dimension> {
    let continues = inner.size.checked_mul(inner.stride)? == outer.stride;
    let plain = inner.element_stride == 1 && outer.element_stride == 1;
    let box_size = if inner.box_size == inner.size {
        inner.size.checked_mul(outer.box_size)?
    } else if outer.box_size == 1 && inner.size.is_multiple_of(inner.box_size.max(1)) {
        inner.box_size
    } else {
        return None;
    };
    (continues && plain).then_some(Dimension {
        size: inner.size.checked_mul(outer.size)?,
        box_size,
        element_stride: 1,
        stride: inner.stride,
    })
}
