//! Descriptors of the copy engine: what the driver refuses is found, what only looks like it is left alone, and mutants of what is right are found.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::{Code, Finding};
use razorgirl_audit::source::{Source, Sources};

fn findings(text: &str) -> Vec<Finding> {
    let sources = Sources { files: vec![Source::new("host.cu", text.into())], unreadable: vec![] };
    audit_sources(sources, None).findings
}

fn codes(text: &str) -> Vec<Code> {
    findings(text).into_iter().map(|finding| finding.code).collect()
}

/// The numbers of a descriptor.
#[derive(Clone, Copy)]
struct Numbers {
    ty: &'static str,
    sizes: [u64; 3],
    strides: [u64; 2],
    boxes: [u64; 3],
    steps: [u64; 3],
    swizzle: &'static str,
}

const RIGHT: Numbers = Numbers {
    ty: "FLOAT16",
    sizes: [64, 1024, 8],
    strides: [128, 131_072],
    boxes: [64, 128, 1],
    steps: [1, 1, 1],
    swizzle: "128B",
};

fn text(of: &Numbers) -> String {
    let list = |all: &[u64]| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let Numbers { ty, sizes, strides, boxes, steps, swizzle } = of;
    format!(
        "CUtensorMap encode(void* data) {{\n  CUtensorMap map;\n  const cuuint64_t sizes[3] = {{{}}};\n  cuuint64_t strides[2] = {{{}}};\n  \
         uint32_t box[3] = {{{}}};\n  cuuint32_t steps[] = {{{}}};\n  CUresult result = cuTensorMapEncodeTiled(&map, \
         CU_TENSOR_MAP_DATA_TYPE_{ty}, 3, data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, \
         CU_TENSOR_MAP_SWIZZLE_{swizzle}, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);\n  return map;\n}}\n",
        list(sizes),
        list(strides),
        list(boxes),
        list(steps),
    )
}

/// What the driver's manual says of these numbers, written out once more.
fn refused(of: &Numbers) -> bool {
    let bytes = match of.ty {
        "UINT8" => 1,
        "FLOAT16" => 2,
        "FLOAT32" => 4,
        _ => 8,
    };
    let row = of.boxes[0] * bytes;
    let widest = match of.swizzle {
        "32B" => 32,
        "64B" => 64,
        "128B" => 128,
        _ => u64::MAX,
    };
    of.boxes.iter().any(|extent| !(1..=256).contains(extent))
        || !row.is_multiple_of(16)
        || row > widest
        || of.strides.iter().any(|stride| stride % 16 != 0 || *stride >= 1 << 40)
        || of.steps.iter().any(|step| !(1..=8).contains(step))
        || of.sizes.iter().any(|size| *size < 1 || *size > 1 << 32)
}

fn strided(of: &Numbers) -> bool {
    (1..3).any(|d| {
        of.steps[d] > 0
            && of.boxes[d] < of.sizes[d]
            && of.steps[d] < of.boxes[d]
            && !of.boxes[d].is_multiple_of(of.steps[d])
    })
}

/// Each number of a right descriptor replaced by others: exactly those that the driver refuses are found.
#[test]
fn mutants_of_a_descriptor_are_judged_as_the_manual_has_it() {
    let mut all = Vec::new();
    for ty in ["UINT8", "FLOAT16", "FLOAT32", "FLOAT64"] {
        for swizzle in ["NONE", "32B", "64B", "128B"] {
            for inner in [1, 2, 4, 8, 12, 16, 24, 32, 64, 128, 256, 257] {
                all.push(Numbers { ty, swizzle, boxes: [inner, 128, 1], ..RIGHT });
            }
        }
    }
    for d in 0..3 {
        for value in [0, 1, 2, 3, 5, 8, 9, 16, 255, 256, 257, 512] {
            let mut boxes = RIGHT;
            boxes.boxes[d] = value;
            let mut steps = RIGHT;
            steps.steps[d] = value;
            let mut sizes = RIGHT;
            sizes.sizes[d] = [value, (1 << 32) - value, (1 << 32) + value][d];
            all.extend([boxes, steps, sizes]);
        }
    }
    for value in [0, 8, 16, 24, 100, 127, 128, 129, 1 << 39, (1 << 40) - 16, 1 << 40] {
        all.push(Numbers { strides: [value, RIGHT.strides[1]], ..RIGHT });
        all.push(Numbers { strides: [RIGHT.strides[0], value], ..RIGHT });
    }
    let mut seen = [0; 3];
    for of in &all {
        let expected = match (refused(of), strided(of)) {
            (true, _) => vec![Code::TmaLimits],
            (false, true) => vec![Code::TmaStrides],
            (false, false) => vec![],
        };
        assert_eq!(codes(&text(of)), expected, "{}", text(of));
        seen[usize::from(refused(of)) + 2 * usize::from(!refused(of) && strided(of))] += 1;
    }
    assert!(seen[0] > 80 && seen[1] > 80 && seen[2] > 1, "{seen:?}");
}

const WRONG: Numbers = Numbers { boxes: [128, 64, 1], ..RIGHT };

#[test]
fn calls_are_found_in_other_words() {
    let wrong = text(&WRONG);
    assert_eq!(codes(&wrong), [Code::TmaLimits]);
    let called = "CUresult result = cuTensorMapEncodeTiled(";
    for instead in [
        "cuTensorMapEncodeTiled(",
        "CHECK_CU(cuTensorMapEncodeTiled(",
        "CUresult result = CUTLASS_CUDA_DRIVER_WRAPPER_CALL(cuTensorMapEncodeTiled)(",
    ] {
        let more = if instead.starts_with("CHECK") { "FILL_NONE))" } else { "FILL_NONE)" };
        let text = wrong.replace(called, instead).replace("FILL_NONE)", more);
        assert_eq!(codes(&text), [Code::TmaLimits], "{text}");
    }
    let scoped = wrong.replace("CU_TENSOR_MAP_SWIZZLE", "CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE");
    assert_eq!(codes(&scoped), [Code::TmaLimits]);
    let named = wrong
        .replace("  uint32_t box", "  constexpr uint32_t kRank = 3, kInner = 128; uint32_t box")
        .replace("{128,", "{kInner,")
        .replace(" 3, data", " kRank, data");
    assert_eq!(codes(&named), [Code::TmaLimits]);
    let template =
        named.replace("CUtensorMap encode", "template <int kInner> CUtensorMap encode").replace(", kInner = 128", "");
    assert!(codes(&template).is_empty(), "nobody instantiates it");
    let used = |inner: u32| format!("{template}\ntemplate CUtensorMap encode<{inner}>(void*);\n");
    assert_eq!(codes(&used(128)), [Code::TmaLimits]);
    assert!(codes(&used(64)).is_empty());
}

#[test]
fn numbers_that_are_not_known_are_taken_to_be_right() {
    let wrong = text(&WRONG);
    for (from, to) in [
        ("{128, 64, 1}", "{inner, 64, 1}"),
        ("const cuuint64_t sizes", "box[0] = 64; const cuuint64_t sizes"),
        (" 3, data", " rank, data"),
        ("DATA_TYPE_FLOAT16", "DATA_TYPE_16U4_ALIGN16B"),
        ("CU_TENSOR_MAP_SWIZZLE_128B", "swizzle"),
        ("CU_TENSOR_MAP_INTERLEAVE_NONE", "interleave"),
        ("sizes, strides, box, steps", "sizes, strides, other, steps"),
        ("CUresult result = cuTensorMapEncodeTiled", "fill(box); CUresult result = cuTensorMapEncodeTiled"),
        ("cuTensorMapEncodeTiled", "cuTensorMapEncodeIm2col"),
    ] {
        let moved = wrong.replace(from, to);
        assert!(moved != wrong, "{from}");
        // What changes the box must come after it.
        let moved = if to.starts_with("box[0]") {
            wrong.replace("  cuuint32_t steps", "  box[0] = 64;  cuuint32_t steps")
        } else {
            moved
        };
        assert!(codes(&moved).is_empty(), "{moved}: {:?}", findings(&moved));
    }
    // A box of 256 is known to be too wide whatever the swizzle is, and one of 257 for any type.
    let wide = text(&Numbers { boxes: [257, 64, 1], ..RIGHT });
    assert_eq!(
        codes(&wide.replace("CU_TENSOR_MAP_SWIZZLE_128B", "swizzle").replace("DATA_TYPE_FLOAT16", "DATA_TYPE_OTHER")),
        [Code::TmaLimits]
    );
}

/// What the driver's manual asks for where channels are interleaved: at least three dimensions, and for 32 bytes strides of multiples of 32 and a
/// swizzle of 32 bytes. Widths of rows are not bounded then.
#[test]
fn interleaved_channels_have_rules_of_their_own() {
    let mut seen = [0; 2];
    for (interleave, unit) in [("NONE", 16), ("16B", 16), ("32B", 32)] {
        for swizzle in ["NONE", "32B", "64B", "128B"] {
            for strides in [[128, 131_072], [144, 131_072], [160, 131_072], [128, 131_080]] {
                for row in [8, 16, 64] {
                    let numbers = Numbers { strides, swizzle, boxes: [row, 128, 1], ..RIGHT };
                    let text = text(&numbers).replace("INTERLEAVE_NONE", &format!("INTERLEAVE_{interleave}"));
                    let widest = match swizzle {
                        "32B" => 32,
                        "64B" => 64,
                        "128B" => 128,
                        _ => u64::MAX,
                    };
                    let wrong = strides.iter().any(|stride| stride % unit != 0)
                        || (interleave == "32B" && swizzle != "32B")
                        || (interleave == "NONE" && row * 2 > widest);
                    let expected = if wrong { vec![Code::TmaLimits] } else { vec![] };
                    assert_eq!(codes(&text), expected, "{text}");
                    seen[usize::from(wrong)] += 1;
                    // Where they are not named, nothing is known of them.
                    let unknown = text.replace(&format!("CU_TENSOR_MAP_INTERLEAVE_{interleave}"), "interleave");
                    let wrong = strides.iter().any(|stride| stride % 16 != 0);
                    assert_eq!(codes(&unknown).is_empty(), !wrong, "{unknown}");
                    let unknown = text.replace(&format!("CU_TENSOR_MAP_SWIZZLE_{swizzle}"), "swizzle");
                    let wrong = strides.iter().any(|stride| stride % unit != 0);
                    assert_eq!(codes(&unknown).is_empty(), !wrong, "{unknown}");
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 30), "{seen:?}");
    let flat = text(&RIGHT).replace(", 3, data", ", 2, data").replace("INTERLEAVE_NONE", "INTERLEAVE_16B");
    assert_eq!(codes(&flat), [Code::TmaLimits]);
}
