//! Tensors that are made of a shape and a stride, and tensors of which some extents are known at run time only. The judges enumerate offsets.

use std::collections::BTreeSet;

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::{Code, Finding};
use razorgirl_audit::source::{Source, Sources};

fn findings(text: &str) -> Vec<Finding> {
    let sources = Sources { files: vec![Source::new("kernel.cu", text.into())], unreadable: vec![] };
    audit_sources(sources, None).findings
}

fn codes(text: &str) -> Vec<Code> {
    findings(text).into_iter().map(|finding| finding.code).collect()
}

/// A kernel that copies a tile of 16 rows of a tensor by vectors of 8 halves.
fn tiled(tensor: &str, tile: &str) -> String {
    format!(
        "using namespace cute;\n__global__ void kernel(half_t const* p, int rows, int ld) {{\n  {tensor}\n  \
         Tensor tile = local_tile(all, {tile});\n  \
         auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, \
         Layout<Shape<_16,_4>, Stride<_4,_1>>{{}}, Layout<Shape<_1,_8>>{{}});\n  \
         auto part = copy.get_slice(threadIdx.x).partition_S(tile);\n  auto mine = make_fragment_like(part);\n  cute::copy(copy, part, mine);\n}}\n"
    )
}

#[test]
fn rows_of_a_run_time_number_are_aligned_where_their_stride_says_so() {
    let mut wrong = 0;
    for stride in 32..70 {
        let expected = if stride % 8 == 0 { vec![] } else { vec![Code::Vectors] };
        wrong += expected.len();
        for tensor in [
            format!(
                "Tensor all = make_tensor(make_gmem_ptr(p), make_shape(rows, _32{{}}), make_stride(Int<{stride}>{{}}, _1{{}}));"
            ),
            format!(
                "auto layout = make_layout(make_shape(rows, Int<32>{{}}), Stride<Int<{stride}>, _1>{{}});\n  \
                 auto all = make_tensor(make_gmem_ptr(p), layout);"
            ),
            format!(
                "auto shape = make_shape(rows, Int<{stride}>{{}});\n  auto all = make_tensor(make_gmem_ptr(p), shape, LayoutRight{{}});"
            ),
        ] {
            for tile in [
                "Shape<_16,_32>{}, make_coord(blockIdx.x, 0)",
                "make_tile(_16{}, _32{}), make_coord(blockIdx.x, _0{})",
                "Shape<_16,_8,_32>{}, make_coord(blockIdx.x, blockIdx.y, 0), Step<_1,X,_1>{}",
            ] {
                let text = tiled(&tensor, tile);
                assert_eq!(codes(&text), expected, "{text}");
            }
        }
    }
    assert!(wrong > 30);
}

#[test]
fn tiles_of_tensors_that_are_not_known_are_left_alone() {
    let known = "Tensor all = make_tensor(make_gmem_ptr(p), make_shape(rows, _64{}), make_stride(Int<100>{}, _1{}));";
    assert_eq!(codes(&tiled(known, "Shape<_16,_32>{}, make_coord(blockIdx.x, 0)")), [Code::Vectors]);
    // How many tiles there are is not known; a coordinate that may be anything; a tile beyond its mode.
    for tile in [
        "Shape<_16,_32>{}, make_coord(blockIdx.x, _)",
        "Shape<_16,_32>{}, make_coord(_, 0)",
        "Shape<_16,_32>{}, other(blockIdx.x)",
        "Shape<_16,_128>{}, make_coord(blockIdx.x, 0)",
    ] {
        assert!(codes(&tiled(known, tile)).is_empty(), "{tile}");
    }
    // A stride that is known at run time only; other modes; a tensor that is made elsewhere.
    for tensor in [
        "Tensor all = make_tensor(make_gmem_ptr(p), make_shape(rows, _64{}), make_stride(ld, _1{}));",
        "Tensor all = make_tensor(make_gmem_ptr(p), make_shape(make_shape(rows, _2{}), _64{}), make_stride(make_stride(Int<100>{}, _1{}), _1{}));",
        "Tensor all = make_tensor(make_gmem_ptr(p), make_shape(rows, _64{}), strides(Int<100>{}));",
        "Tensor all = other(make_gmem_ptr(p), make_shape(rows, _64{}), make_stride(Int<100>{}, _1{}));",
    ] {
        assert!(codes(&tiled(tensor, "Shape<_16,_32>{}, make_coord(blockIdx.x, 0)")).is_empty(), "{tensor}");
    }
}

#[test]
fn rows_of_a_template_are_looked_at_as_it_is_instantiated() {
    let text = |width: u32| {
        let tensor = "Tensor all = make_tensor(make_gmem_ptr(p), make_shape(rows, Int<kDim>{}), make_stride(Int<kDim>{}, _1{}));";
        let text = tiled(tensor, "Shape<_16,_32>{}, make_coord(blockIdx.x, 0)");
        let text = text.replace("__global__", "template <int kDim>\n__global__");
        format!("{text}void run(half_t* p, int n) {{ kernel<{width}><<<n, 64>>>(p, n, 4); }}\n")
    };
    assert_eq!(codes(&text(100)), [Code::Vectors]);
    assert!(codes(&text(96)).is_empty());
    let [only] = <[Finding; 1]>::try_from(findings(&text(36))).unwrap();
    assert!(only.notes.iter().any(|note| note.contains("kDim = 36")), "{only:?}");
}

/// A tensor of a shape and a stride in an array is held against it.
#[test]
fn a_shape_and_a_stride_fit_their_array_where_enumeration_says_so() {
    let mut seen = [0; 2];
    for (rows, columns) in [(4_u32, 8_u32), (3, 5), (1, 7)] {
        for stride in 5..12 {
            for extent in (rows * columns).saturating_sub(3)..rows * stride + 3 {
                let last =
                    (0..rows).flat_map(|row| (0..columns).map(move |column| row * stride + column)).max().unwrap();
                let wrong = last >= extent;
                let text = format!(
                    "__global__ void k() {{\n  __shared__ float a[{extent}];\n  \
                     Tensor t = make_tensor(make_smem_ptr(a), make_shape(Int<{rows}>{{}}, Int<{columns}>{{}}), make_stride(Int<{stride}>{{}}, _1{{}}));\n}}\n"
                );
                assert_eq!(codes(&text).contains(&Code::SmallArray), wrong, "{text}");
                seen[usize::from(wrong)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
    // A shape alone is laid out without gaps.
    let plain = |extent: u32| {
        format!(
            "__global__ void k() {{ __shared__ float a[{extent}]; auto t = make_tensor(make_smem_ptr(a), Shape<_4,_8>{{}}); }}"
        )
    };
    assert_eq!(codes(&plain(31)), [Code::SmallArray]);
    assert!(codes(&plain(32)).is_empty());
}

/// Two coordinates of a tensor that share an offset are found, whatever its other modes are.
#[test]
fn tensors_that_overlap_are_found() {
    let mut seen = [0; 2];
    for rows in 1..5_u64 {
        for columns in 1..5_u64 {
            for (down, right) in (0..6_u64).flat_map(|down| (0..6_u64).map(move |right| (down, right))) {
                // What has a stride of 0 says that it shares.
                let all = |extent: u64, stride: u64| if stride == 0 { 1 } else { extent };
                let offsets = (0..all(rows, down))
                    .flat_map(|row| (0..all(columns, right)).map(move |column| row * down + column * right));
                let offsets: Vec<u64> = offsets.collect();
                let wrong = offsets.iter().collect::<BTreeSet<_>>().len() < offsets.len();
                let expected = if wrong { vec![Code::Overlap] } else { vec![] };
                for (shape, stride) in [("", ""), (", batch", ", 1024"), (", 7", ", ld")] {
                    let text = format!(
                        "__global__ void k(float* p, int batch, int ld) {{\n  auto t = make_tensor(make_gmem_ptr(p), \
                         make_shape(Int<{rows}>{{}}, Int<{columns}>{{}}{shape}), make_stride(Int<{down}>{{}}, Int<{right}>{{}}{stride}));\n}}\n"
                    );
                    assert_eq!(codes(&text), expected, "{text}");
                    seen[usize::from(wrong)] += 1;
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 200), "{seen:?}");
    let layout = "__global__ void k(float* p, int n) { auto l = make_layout(make_shape(_4{}, n, _4{}), make_stride(_3{}, _64{}, _1{})); }";
    assert_eq!(codes(layout), [Code::Overlap]);
    // Extents or strides that are known at run time only may be anything.
    for (shape, stride) in [("_4{}, n", "_3{}, _1{}"), ("_4{}, _4{}", "n, _1{}"), ("n, n", "_1{}, _1{}")] {
        let text = format!(
            "__global__ void k(float* p, int n) {{ auto t = make_tensor(make_gmem_ptr(p), make_shape({shape}), make_stride({stride})); }}"
        );
        assert!(codes(&text).is_empty(), "{text}");
    }
}

/// What CuTe gets wrong of a layout it gets wrong of a tensor too.
#[test]
fn compositions_and_divisions_of_tensors() {
    let text = |layout: &str, with: &str| {
        format!(
            "__global__ void k(float* p) {{\n  Tensor t = make_tensor(make_gmem_ptr(p), {layout}{{}});\n  {with};\n}}\n"
        )
    };
    let outer = "Layout<Shape<_6,_2>, Stride<_1,Int<7>>>";
    for (with, wrong) in [
        ("auto v = composition(t, Layout<Shape<_3,_2>, Stride<_2,_3>>{})", true),
        ("auto v = composition(t, Layout<Shape<_3,_2>, Stride<_2,_6>>{})", false),
        ("auto v = t.compose(Layout<Shape<_3,_2>, Stride<_2,_3>>{})", true),
        ("auto v = t.compose(Layout<Shape<_3,_2>, Stride<_2,_6>>{})", false),
        ("auto v = composition(t, other{})", false),
        ("auto v = zipped_divide(t, Layout<_3>{})", false),
        // What is left beside 4 of (6,2) is counted by modes, (2,2), and goes into the first mode as 2:4, into the second as 2:7.
        ("auto v = zipped_divide(t, Layout<_4>{})", true),
        ("auto v = tiled_divide(t, Shape<_3,_2>{})", false),
        // Of a mode of its own, what lies past the end belongs to a predicate.
        ("auto v = zipped_divide(t, Shape<_4,_2>{})", false),
    ] {
        let expected = if wrong { vec![Code::Composed] } else { vec![] };
        assert_eq!(codes(&text(outer, with)), expected, "{with}");
    }
    let rows = "Layout<Shape<_6,_8>, Stride<_9,_1>>";
    for (with, wrong) in [
        ("auto v = zipped_divide(t, Layout<_4>{})", true),
        ("auto v = logical_divide(t, _4{})", true),
        ("auto v = zipped_divide(t, Layout<_3>{})", false),
    ] {
        let expected = if wrong { vec![Code::Composed] } else { vec![] };
        assert_eq!(codes(&text(rows, with)), expected, "{with}");
    }
    // A swizzle is another function.
    let swizzled = "__global__ void k(float* p) { auto t = make_tensor(make_smem_ptr(p), composition(Swizzle<1,0,2>{}, Layout<Shape<_6,_2>, Stride<_1,Int<7>>>{})); \
                    auto v = zipped_divide(t, Layout<_4>{}); }";
    assert!(!codes(swizzled).contains(&Code::Composed));
}

/// A tiler with a tile for each mode is put into each mode by itself: ((6,4),8) by (4,8) carries in the first.
#[test]
fn tiles_of_nested_modes() {
    let text = |tiler: &str| {
        format!(
            "using L = Layout<Shape<Shape<_6,_4>,_8>, Stride<Stride<_1,Int<7>>,Int<32>>>;\nauto a = zipped_divide(L{{}}, {tiler});\n"
        )
    };
    // The first mode, as it counts; a tile of it that carries is not the sum of where the tile begins and where an element lies in it.
    let at = |index: u64| index % 6 + index / 6 * 7;
    for tile in [2, 3, 4, 6, 12, 24] {
        let wrong = (0..24).any(|index| at(index) != at(index % tile) + at(index / tile * tile));
        let expected = if wrong { vec![Code::Composed] } else { vec![] };
        assert_eq!(codes(&text(&format!("Shape<Int<{tile}>,_8>{{}}"))), expected, "{tile}");
        assert_eq!(codes(&text(&format!("make_tile(Layout<Int<{tile}>>{{}}, Layout<_8>{{}})"))), expected, "{tile}");
    }
    let composed = "using L = Layout<Shape<Shape<_6,_2>,_8>, Stride<Stride<_1,Int<7>>,Int<32>>>;\n\
                    auto a = composition(L{}, make_tile(Layout<Shape<_3,_2>, Stride<_2,_3>>{}, Layout<_8>{}));\n";
    assert_eq!(codes(composed), [Code::Composed]);
    let says = &findings(composed)[0];
    assert!(says.notes.iter().any(|note| note.starts_with("B(2,1) = 7 and A(7) = 8")), "{says:?}");
}

/// What stands above a file moves what is said, and changes nothing: casts were read at the wrong place behind a long comment.
#[test]
fn a_comment_above_changes_nothing() {
    let text = "using namespace cute;\ntemplate <class T> struct Traits {\n  using Smem = Layout<Shape<_128,_32>, Stride<Int<40>,_1>>;\n  \
                struct Storage { alignas(128) T q[128 * 32]; };\n};\ntemplate <class KT>\n__global__ void k() {\n  \
                extern __shared__ char raw[];\n  auto& s = *reinterpret_cast<typename KT::Storage*>(raw);\n  \
                Tensor sQ = make_tensor(make_smem_ptr(s.q), typename KT::Smem{});\n}\ntemplate __global__ void k<Traits<half_t>>();\n";
    for above in ["", "// a comment\n", "/* Copyright, and more words than sixteen. */\n\n                    \n"] {
        let text = format!("{above}{text}");
        let [only] = <[Finding; 1]>::try_from(findings(&text)).unwrap();
        assert_eq!(only.code, Code::SmallArray);
        assert!(text[only.place.span.range()].starts_with("make_tensor"), "{above}");
    }
    for cast in ["auto* s = reinterpret_cast<typename KT::Storage*>(raw)", "auto s = (typename KT::Storage*)raw"] {
        let text = text.replace("auto& s = *reinterpret_cast<typename KT::Storage*>(raw)", cast).replace("s.q", "s->q");
        assert_eq!(codes(&format!("// a comment that is longer than that\n{text}")), [Code::SmallArray], "{cast}");
    }
}

/// A kernel that reads a tile of 32 x 32 floats by copies of vectors along its rows, the lanes of a warp along its columns or rows.
fn read(layout: &str, threads: &str, vector: u64, pointer: &str) -> String {
    let bits = 32 * vector;
    format!(
        "using namespace cute;\n__global__ void kernel(float* smem) {{\n  \
         auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint_bit_t<{bits}>>, float>{{}}, Layout<{threads}>{{}}, Layout<Shape<_1,Int<{vector}>>>{{}});\n  \
         auto thread = copy.get_slice(threadIdx.x);\n  Tensor sA = make_tensor({pointer}(smem), {layout});\n  auto part = thread.partition_S(sA);\n}}\n"
    )
}

/// Which copies have bank conflicts is what counting words and banks says, of each vector in each tile.
#[test]
fn lanes_that_share_banks_are_found() {
    let mut seen = [0; 2];
    for vector in [1_u64, 2, 4] {
        for padding in 0..=8_u64 {
            let stride = 32 + padding * vector;
            // Lanes down the columns, or along the rows first.
            for (threads, lane) in [
                ("Shape<_32,_1>, Stride<_1,_1>", [1, 0]),
                ("Shape<_32,_8>, Stride<_8,_1>", [0, 1]),
                ("Shape<_8,_4>, Stride<_4,_1>", [2, 2]),
            ] {
                let place = |at: u64| match lane {
                    [1, 0] => (at, 0),
                    [0, 1] => (at / 8, at % 8 * vector),
                    _ => (at / 4, at % 4 * vector),
                };
                let words = |at: u64| {
                    let (row, column) = place(at);
                    (0..vector).map(move |word| row * stride + column + word)
                };
                // As many lanes at a time as have 128 bytes.
                let together = 32 / vector;
                let wrong = (0..32 / together).any(|phase| {
                    let all: BTreeSet<u64> = (phase * together..(phase + 1) * together).flat_map(words).collect();
                    (0..32).any(|bank| all.iter().filter(|word| **word % 32 == bank).count() > 1)
                });
                let layout = format!("Layout<Shape<_32,_32>, Stride<Int<{stride}>,_1>>{{}}");
                let text = read(&layout, threads, vector, "make_smem_ptr");
                let expected = if wrong { vec![Code::Banks] } else { vec![] };
                assert_eq!(codes(&text), expected, "{text}");
                seen[usize::from(wrong)] += 1;
                // What is no shared memory has no banks.
                assert!(codes(&read(&layout, threads, vector, "make_gmem_ptr")).is_empty());
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
}

/// The swizzle that is shown has no conflicts by the same rule, where it is written.
#[test]
fn swizzles_against_bank_conflicts_hold() {
    let threads = "Shape<_32,_1>, Stride<_1,_1>";
    for (vector, waves) in [(1_u64, 32), (2, 16), (4, 8)] {
        let layout = "Layout<Shape<_32,_32>, Stride<_32,_1>>{}";
        let [only] = <[Finding; 1]>::try_from(findings(&read(layout, threads, vector, "make_smem_ptr"))).unwrap();
        assert!(only.notes[0].contains(&format!("up to {waves} wavefronts")), "{only:?}");
        let swizzle = only.notes[1].split_once("with ").and_then(|(_, rest)| rest.split_once(" over")).unwrap().0;
        let swizzled = format!("composition({swizzle}{{}}, {layout})");
        assert!(codes(&read(&swizzled, threads, vector, "make_smem_ptr")).is_empty(), "{swizzle}");
    }
}
