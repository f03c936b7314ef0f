//! RG011: a tensor that reaches past the array it lies in. RG012: an array with an element for each coordinate of a layout that has
//! gaps. RG019: an array that begins where the copy engine cannot write. RG033: one that begins where its swizzle may not. RG035: more static
//! shared memory than a kernel may have.

use razorgirl::SwizzledLayout;

use super::cover::Budget;
use super::defect::{Defect, coordinate, offsets, shown};
use crate::source::{Alignment, alignment, alignments, places};
use crate::survey::{Apart, MOST_STATIC};

/// RG011: the first coordinate that lies past the end of an array of so many elements, in which the tensor begins at one of them.
pub fn small(extent: u64, begin: u64, layout: &SwizzledLayout, budget: &mut Budget) -> Option<Defect> {
    let offsets = offsets(layout, budget)?;
    let rest = extent.saturating_sub(begin);
    let (index, offset) = (0..).zip(&offsets).find(|(_, offset)| **offset >= rest)?;
    let needed = offsets.iter().max()?.saturating_add(1);
    let mut notes = vec![format!("coordinate {} is at offset {offset}", coordinate(layout.layout(), index))];
    notes.push(format!("the layout is {}", shown(layout)));
    let title = if begin == 0 {
        format!("this tensor reaches element {}, but its array has only {extent} elements of this type", needed - 1)
    } else {
        format!(
            "this tensor reaches element {}, but its array has only {rest} elements of this type from element {begin} on",
            needed - 1
        )
    };
    Some(Defect { title, layout: shown(layout), notes, ..Defect::default() })
}

/// RG011: the bytes that a tensor needs of dynamic shared memory, in which it begins at some element of so many bits or later, are more than
/// the launch gives.
pub fn past_dynamic(
    (begin, bits): (u64, u64),
    bytes: u64,
    layout: &SwizzledLayout,
    budget: &mut Budget,
) -> Option<Defect> {
    let last = offsets(layout, budget)?.into_iter().max()?;
    let needed = last.checked_add(1)?.checked_add(begin)?.checked_mul(bits)?.div_ceil(8);
    if needed <= bytes {
        return None;
    }
    let title = format!("this tensor needs {needed} bytes of dynamic shared memory, but the launch requests {bytes}");
    let notes = vec![format!("the layout is {}, of elements of {bits} bits", shown(layout))];
    Some(Defect { title, layout: shown(layout), notes, ..Defect::default() })
}

/// RG012: more elements are spanned than there are coordinates.
pub fn by_size(layout: &SwizzledLayout, budget: &mut Budget) -> Option<Defect> {
    let size = layout.size();
    let needed = offsets(layout, budget)?.into_iter().max()?.saturating_add(1);
    if needed <= size {
        return None;
    }
    let title = format!("this array has size = {size} elements, and its layout spans {needed}");
    let end = layout.offset().checked_add(layout.layout().cosize())?;
    let help = if end == needed {
        "cosize counts what a layout spans"
    } else {
        "cosize does not count what a swizzle moves past the end"
    };
    let notes = vec![format!("the layout is {}; {help}", shown(layout))];
    Some(Defect { title, layout: shown(layout), notes, ..Defect::default() })
}

/// CUTLASS's base of classes that are aligned to a number of bytes.
const BASE: &str = "aligned_struct";

/// Bytes to which the copy engine and `wgmma` want a tile with a swizzle aligned, at least.
const LEAST: u64 = 128;

/// RG019: the alignment that the declaration of an array asks for, by `alignas` or by its type, is less than what its layout needs.
pub fn misaligned(
    layout: &SwizzledLayout,
    bytes: Option<u64>,
    declaration: &str,
    computed: Option<u64>,
) -> Option<Defect> {
    less(layout, asked(bytes, declaration, computed)?)
}

/// RG019: so many bytes are less than what the layout needs.
pub fn less(layout: &SwizzledLayout, bytes: u64) -> Option<Defect> {
    if bytes >= LEAST {
        return None;
    }
    // Of 32, 64 or 128 bytes, over eight rows.
    let row = 16_u64 << layout.swizzle().bits().min(3);
    let notes = vec![
        format!("its layout is {}, with a swizzle of bytes, as the copy engine and wgmma have it", shown(layout)),
        format!(
            "the copy engine writes to multiples of {LEAST} bytes; a swizzle of {row} bytes repeats every {}",
            8 * row
        ),
    ];
    let title = format!("this array is aligned to {bytes} bytes, and its layout needs {LEAST}");
    Some(Defect { title, layout: shown(layout), notes, ..Defect::default() })
}

/// The alignment that a declaration asks for by `alignas` or by its type; none where it asks for none, and where it is computed and not
/// known.
fn asked(bytes: Option<u64>, declaration: &str, computed: Option<u64>) -> Option<u64> {
    match alignment(declaration) {
        Alignment::Unsaid => bytes,
        Alignment::Bytes(own) => Some(bytes.map_or(own, |bytes| bytes.max(own))),
        Alignment::Computed => computed.map(|own| bytes.map_or(own, |bytes| bytes.max(own))),
    }
}

/// RG033: a `__shared__` array that is aligned for the copy engine, and to less than its swizzle repeats after.
pub fn off_its_period(
    layout: &SwizzledLayout,
    bytes: Option<u64>,
    period: u64,
    declaration: &str,
    computed: Option<u64>,
) -> Option<Defect> {
    // What is part of a class may lie in a block that is aligned so.
    if !declaration.contains("__shared__") {
        return None;
    }
    less_than_period(layout, asked(bytes, declaration, computed)?, period)
}

/// RG033: so many bytes are enough for the copy engine, and less than the swizzle repeats after.
pub fn less_than_period(layout: &SwizzledLayout, bytes: u64, period: u64) -> Option<Defect> {
    if !(LEAST..period).contains(&bytes) {
        return None;
    }
    let notes = vec![
        format!("its layout is {}, whose swizzle repeats every {period} bytes", shown(layout)),
        "wgmma computes the swizzle from address bits and reads a misaligned tile wrongly; ldmatrix and copies are not affected"
            .to_owned(),
    ];
    let title = format!("this array is aligned to {bytes} bytes, and its swizzle repeats every {period}");
    Some(Defect { title, layout: shown(layout), notes, ..Defect::default() })
}

/// Whether one of two arrays must begin where the copy engine cannot write.
pub fn off_the_copy_engine(of: &Apart) -> bool {
    !of.distance.is_multiple_of(LEAST)
}

/// RG033, or RG019: two arrays of a class, of which one must begin off a multiple of what its swizzle repeats after.
pub fn apart(of: &Apart, first: &str, second: &str) -> Defect {
    let Apart { distance, period, .. } = of;
    let notes = if off_the_copy_engine(of) {
        vec![
            format!(
                "the copy engine writes to multiples of {LEAST} bytes, and {distance} is not one: at least one of the two arrays is misaligned"
            ),
            format!("their swizzles repeat every {period} bytes"),
        ]
    } else {
        vec![
            format!(
                "their swizzles repeat every {period} bytes, and {distance} is not a multiple: at least one of the two arrays is misaligned"
            ),
            "wgmma computes the swizzle from address bits and reads the misaligned tile wrongly; ldmatrix and copies are not affected"
                .to_owned(),
        ]
    };
    let title = format!("{second} begins {distance} bytes after {first}");
    Defect { title, notes, ..Defect::default() }
}

/// RG035: a kernel with more static shared memory than any may have.
pub fn too_much(kernel: &str, bytes: u64, least: bool) -> Defect {
    let has = if least { "has at least" } else { "has" };
    let title =
        format!("{kernel} {has} {bytes} bytes of static shared memory, and no kernel may have more than {MOST_STATIC}");
    // ptxas counts all bytes, and a lower bound is another number
    let said = if least { String::new() } else { format!(" ({bytes:#x} bytes, {MOST_STATIC:#x} max)") };
    let notes = vec![
        format!("ptxas refuses it: «uses too much shared data{said}»"),
        "what is larger must be dynamic: extern __shared__, with cudaFuncAttributeMaxDynamicSharedMemorySize before the launch"
            .to_owned(),
    ];
    Defect { title, notes, ..Defect::default() }
}

/// Whether something in the text of a class asks for the alignment that the copy engine needs.
pub fn aligned_block(class: &str) -> bool {
    // What is computed at its head may be as much.
    let head = match block(class) {
        Alignment::Unsaid => false,
        Alignment::Bytes(bytes) => bytes >= LEAST,
        Alignment::Computed => true,
    };
    head || alignments(class).into_iter().flatten().any(|bytes| bytes >= LEAST)
}

/// The alignment that the head of a class asks for, itself or by a base.
fn block(class: &str) -> Alignment {
    let head = class.split('{').next().unwrap_or_default();
    let base = |at: usize| {
        let rest = head.get(at + BASE.len()..)?.trim_start().strip_prefix('<')?;
        rest.split([',', '>']).next()?.trim().parse().ok()
    };
    places(head, BASE).map(base).fold(alignment(head), Alignment::and)
}

/// The alignment that a class asks for as a whole.
pub fn of_block(class: &str) -> Option<u64> {
    match block(class) {
        Alignment::Bytes(bytes) => Some(bytes),
        Alignment::Unsaid | Alignment::Computed => None,
    }
}

/// Whether a file has shared memory and asks nowhere for the alignment that the copy engine needs: elsewhere an object may be aligned
/// better than its class.
pub fn asks_for_less(file: &str) -> bool {
    let more = alignments(file).into_iter().any(|other| other.is_none_or(|other| other >= LEAST));
    !more && file.contains("__shared__")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_are_aligned() {
        assert!(
            aligned_block("struct alignas(128) S { int a; };") && aligned_block("struct S { alignas( 1024 ) int a; };")
        );
        assert!(!aligned_block("struct S { alignas(16) int a; alignas(kBytes) int b; };"));
        assert!(aligned_block("struct S : cute::aligned_struct<128, Tag> { int a; };"));
        assert!(
            aligned_block("struct __align__(1024) S { int a; };") && aligned_block("struct alignas(kBytes) S { };")
        );
        assert!(!aligned_block("struct S : aligned_struct<16> { int a; };"));
    }

    #[test]
    fn what_a_class_asks_for_where_nothing_asks_for_more() {
        let kernel = "void k() { __shared__ S s; }";
        for class in ["struct __align__(16) S { int a; };", "struct S : cute::aligned_struct<16> { int a; };"] {
            let file = |more: &str| format!("{class} {kernel} {more}");
            assert!(of_block(class) == Some(16) && asks_for_less(&file("")), "{class}");
            for more in ["alignas(1024) char b[4];", "__align__(N) char b[4];"] {
                assert!(!asks_for_less(&file(more)), "{class} {more}");
            }
            assert!(!asks_for_less(class), "{class}");
        }
        assert_eq!(of_block("struct S { int a; };"), None);
    }

    #[test]
    fn the_largest_alignment_counts() {
        let layout: SwizzledLayout = "Sw<3,3,3> o 0 o (8,64):(64,1)".parse().unwrap();
        let asked = |bytes, text: &str| misaligned(&layout, bytes, text, None).is_some();
        assert!(asked(None, "alignas(16) array<T, n> a;") && asked(Some(64), "array_aligned<T, n, 64> a;"));
        assert!(asked(Some(16), "alignas(64) array_aligned<T, n, 16> a;"));
        assert!(asked(None, "__shared__ __align__(16) T a[n];") && !asked(Some(16), "CUTE_ALIGNAS(128) T a[n];"));
        assert!(!asked(None, "array<T, n> a;") && !asked(Some(16), "alignas(128) array_aligned<T, n, 16> a;"));
        let computed = |bytes| misaligned(&layout, None, "alignas(kAlign) array<T, n> a;", bytes).is_some();
        assert!(computed(Some(16)) && !computed(Some(128)));
        assert!(!asked(None, "alignas(kAlign) array<T, n> a;") && !asked(None, "alignas(1024) array<T, n> a;"));
    }
}
