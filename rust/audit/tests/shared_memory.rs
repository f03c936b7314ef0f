//! Shared memory: what is wrong is found, what only looks like it is left alone, and mutants of what is right are found.

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

/// One finding of this code, whose title and notes say all of these.
fn says(text: &str, code: Code, words: &[&str]) {
    let all = findings(text);
    let found: Vec<&Finding> = all.iter().filter(|finding| finding.code == code).collect();
    let [only] = found.as_slice() else { panic!("{text}: {all:?}") };
    let said = format!("{} {}", only.title, only.notes.join(" "));
    for word in words {
        assert!(said.contains(word), "{said} does not say {word}");
    }
}

fn swizzled(swizzle: &str, layout: &str) -> String {
    format!("using SmemLayout = decltype(composition(Swizzle<{swizzle}>{{}}, Layout<{layout}>{{}}));")
}

#[test]
fn every_swizzle_that_cute_refuses_is_found_and_no_other() {
    for bits in 0..5_i64 {
        for base in 0..5 {
            for shift in -5..=5_i64 {
                let text = format!("using S = cute::Swizzle<{bits},{base},{shift}>;");
                let wrong = shift.abs() < bits;
                assert_eq!(codes(&text), if wrong { vec![Code::Swizzle] } else { vec![] }, "{text}");
            }
        }
    }
    says("using S = Swizzle<2,0,0>;", Code::Swizzle, &["not a bijection", "maps 0 and"]);
    says("using S = Swizzle<3,3,2>;", Code::Swizzle, &["still a bijection"]);
    // A default, an alias, a parameter, a class of one's own, another name.
    assert!(codes("using S = Swizzle<3,3>;").is_empty());
    assert_eq!(codes("constexpr int kB = 3; using S = Swizzle<kB,3,kB-1>;"), [Code::Swizzle]);
    assert!(codes("template <int S> struct A { using X = Swizzle<3,3,S>; };").is_empty());
    assert!(codes("template <int B, int M, int S> struct Swizzle {}; using X = Swizzle<3,3,1>;").is_empty());
    assert!(codes("using X = ThreadSwizzle<3,3,1>; using Y = mine::Swizzle<3,3,1>;").is_empty());
}

#[test]
fn an_instance_says_for_which_values_it_is_wrong() {
    let text = "template <int kShift> struct A { using X = decltype(composition(Swizzle<3,3,kShift>{}, \
                Layout<Shape<_8,_64>,Stride<_64,_1>>{})); }; using Y = A<3>; using Z = A<2>;";
    says(text, Code::Swizzle, &["for kShift = 2"]);
}

/// What is said of a swizzled layout is what enumeration says.
#[test]
fn elements_past_the_end_are_found() {
    let mut seen = [0; 3];
    for (rows, columns, stride) in [(3, 24, 24), (8, 32, 32), (5, 40, 40), (8, 64, 72), (7, 8, 8), (9, 9, 9)] {
        for (bits, base, shift) in [(1, 0, 1), (2, 3, 3), (3, 3, 3), (2, 2, 3), (1, 3, -3), (2, 1, -2), (3, 4, 3)] {
            let at = |x: u64| {
                let (up, down) = (i64::max(shift, 0), i64::max(-shift, 0));
                (0..bits).fold(x, |y, bit: i64| y ^ (((x >> (base + up + bit)) & 1) << (base + down + bit)))
            };
            let offsets: Vec<u64> = (0..rows).flat_map(|r| (0..columns).map(move |c| r * stride + c)).collect();
            let end = offsets.iter().max().unwrap() + 1;
            let past = offsets.iter().any(|offset| at(*offset) >= end);
            let met = offsets.iter().fold(0, |met, offset| met | offset);
            let idle = (0..bits).any(|bit| met >> (base + i64::max(shift, 0) + bit) & 1 == 0);
            let alone = swizzled(
                &format!("{bits},{base},{shift}"),
                &format!("Shape<Int<{rows}>,Int<{columns}>>,Stride<Int<{stride}>,_1>"),
            );
            let text = format!("{alone} struct Storage {{ array<half_t, cosize_v<SmemLayout>> smem; }};");
            let expected = match (past, idle) {
                (true, _) => vec![Code::SwizzleLeaves],
                (false, true) => vec![Code::SwizzleIdle],
                (false, false) => vec![],
            };
            assert_eq!(codes(&text), expected, "{text}");
            // Where no array is made by its cosize, nothing is lost.
            if past {
                assert!(codes(&alone).is_empty(), "{alone}");
            }
            seen[usize::from(past) + 2 * usize::from(idle && !past)] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 3), "{seen:?}");
}

#[test]
fn atoms_are_judged_in_their_tile() {
    let atom = "using SmemAtom = decltype(composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_8>,Stride<_8,_1>>{}));";
    assert!(codes(atom).is_empty());
    assert!(
        codes(&format!("{atom} using Tile = decltype(tile_to_shape(SmemAtom{{}}, Shape<_64,_64>{{}}));")).is_empty()
    );
    // Three of the atoms have no bit 8.
    let small = format!("{atom} using Tile = decltype(tile_to_shape(SmemAtom{{}}, Shape<_8,_24>{{}}));");
    says(&small, Code::SwizzleIdle, &["1 of them is never set"]);
}

/// Atoms of the architecture, of elements of any width: bytes are swizzled, so nothing is idle and nothing leaves.
#[test]
fn atoms_of_wgmma_and_the_copy_engine_have_a_value() {
    for (atom, bytes) in [("SW128", 1024_u64), ("SW64", 512), ("SW32", 256), ("INTER", 128)] {
        for (ty, width) in
            [("half_t", 2_u64), ("float", 4), ("int8_t", 1), ("cutlass::bfloat16_t", 2), ("tfloat32_t", 4)]
        {
            for major in ["K", "MN"] {
                let elements = bytes / width;
                let text = |extent: u64| {
                    format!(
                        "using L = GMMA::Layout_{major}_{atom}_Atom<{ty}>; using M = Layout<_1>;\n\
                         __global__ void kernel() {{ __shared__ {ty} smem[{extent}]; auto t = make_tensor(make_smem_ptr(smem), L{{}}); }}"
                    )
                };
                assert!(codes(&text(elements)).is_empty(), "{}", text(elements));
                assert_eq!(codes(&text(elements - 1)), [Code::SmallArray], "{}", text(elements - 1));
            }
        }
    }
}

const PADDED: &str = "using SmemLayout = Layout<Shape<_8,_64>,Stride<_72,_1>>;";

fn stored(array: &str, pointer: &str) -> String {
    format!(
        "{PADDED} __global__ void kernel() {{ {array} Tensor s = make_tensor(make_smem_ptr({pointer}), SmemLayout{{}}); }}"
    )
}

#[test]
fn arrays_that_are_too_small_are_found() {
    for (array, pointer) in [
        ("__shared__ half_t smem[512];", "smem"),
        ("__shared__ half_t smem[8][64];", "smem"),
        ("__shared__ half_t smem[size(SmemLayout{})];", "smem"),
        ("constexpr int n = 8 * 64; __shared__ float smem[n];", "smem"),
        ("__shared__ cute::array_aligned<half_t, 512> smem;", "smem.data()"),
        ("__shared__ cutlass::AlignedArray<half_t, 512> smem;", "smem.data()"),
        ("struct S { cute::array_aligned<half_t, 567> a; half_t b[9]; }; __shared__ S storage;", "storage.a.data()"),
        (
            "struct S { half_t a[512]; }; extern __shared__ char raw[]; S& storage = *reinterpret_cast<S*>(raw);",
            "storage.a",
        ),
    ] {
        let text = stored(array, pointer);
        assert!(codes(&text).contains(&Code::SmallArray), "{text}: {:?}", codes(&text));
    }
    says(
        &stored("__shared__ half_t smem[512];", "smem"),
        Code::SmallArray,
        &["reaches element 567", "has only 512", "(7,8)", "512"],
    );
}

#[test]
fn what_only_looks_too_small_is_left_alone() {
    for (array, pointer) in [
        ("__shared__ half_t smem[568];", "smem"),
        ("__shared__ half_t smem[cosize_v<SmemLayout>];", "smem"),
        ("__shared__ half_t smem[cute::cosize(SmemLayout{})];", "smem"),
        ("struct S { cute::array_aligned<half_t, cosize_v<SmemLayout>> a; }; __shared__ S s;", "s.a.data()"),
        // Bytes that are read as something else, arrays that are not known, and what the compiler does not know either.
        ("__shared__ uint8_t smem[512];", "reinterpret_cast<half_t*>(smem)"),
        ("__shared__ uint8_t smem[512];", "(half_t*)smem"),
        ("__shared__ float4 smem[512];", "&smem[0].x"),
        ("extern __shared__ half_t smem[];", "smem"),
        ("half_t* smem = raw();", "smem"),
        ("half_t smem[512]; half_t* other = smem; ", "other"),
    ] {
        let text = stored(array, pointer);
        assert!(!codes(&text).contains(&Code::SmallArray), "{text}: {:?}", codes(&text));
    }
    let typed = stored("__shared__ uint8_t smem[512];", "smem").replace("make_smem_ptr(", "make_smem_ptr<half_t>(");
    assert!(codes(&typed).is_empty());
    let shadowed = "__global__ void kernel() { __shared__ half_t smem[8]; { half_t* smem = raw(); \
                    auto s = make_tensor(make_smem_ptr(smem), Layout<_64>{}); } }";
    assert!(codes(shadowed).is_empty());
}

#[test]
fn a_swizzle_that_leaves_the_cosize_overruns_its_array() {
    let layout = swizzled("2,3,3", "Shape<_3,_24>,Stride<_24,_1>");
    let text = format!(
        "{layout} __global__ void k() {{ __shared__ half_t smem[cosize_v<SmemLayout>]; auto s = make_tensor(make_smem_ptr(smem), SmemLayout{{}}); }}"
    );
    assert_eq!(codes(&text), [Code::SwizzleLeaves, Code::SmallArray]);
    // As large as the swizzle needs it.
    assert!(codes(&text.replace("[cosize_v<SmemLayout>]", "[96]")).is_empty());
}

#[test]
fn arrays_by_size() {
    // What the tensor lies in is not known here, and its words are those of the array.
    let text = format!(
        "{PADDED} struct Storage {{ array_aligned<half_t, size(SmemLayout{{}})> smem; }};\n\
         template <class S> __global__ void k(S& st) {{ auto t = make_tensor(make_smem_ptr(st.smem.data()), SmemLayout{{}}); }}"
    );
    assert_eq!(codes(&text), [Code::SizedArray]);
    assert!(codes(&text.replace(", SmemLayout{})", ", make_layout(shape(SmemLayout{})))")).is_empty());
    let text = stored("__shared__ float x[size(SmemLayout{})];", "x");
    assert_eq!(codes(&text), [Code::SmallArray]);
    assert!(codes(&text.replace("make_smem_ptr(x)", "make_smem_ptr(y)")).is_empty());
    // Nothing says that this is the memory of that layout; and without gaps both are the same.
    assert!(codes(&format!("{PADDED} struct Storage {{ array<half_t, size(SmemLayout{{}})> fragment; }};")).is_empty());
    assert!(codes("using S = Layout<_64>; struct Storage { array<half_t, size(S{})> smem; };").is_empty());
    assert!(codes(&format!("{PADDED} struct Storage {{ array<half_t, 2 * size(SmemLayout{{}})> smem; }};")).is_empty());
}

#[test]
fn compositions_that_cute_gets_wrong_are_found() {
    let text = |a: &str, b: &str| format!("using R = decltype(composition(Layout<{a}>{{}}, Layout<{b}>{{}}));");
    let wrong = text("Shape<_6,_2>,Stride<_1,_7>", "Shape<_3,_2>,Stride<_2,_3>");
    says(&wrong, Code::Composed, &["B(2,1) = 7", "A(7) = 8", "has 7"]);
    assert_eq!(codes(&text("Shape<_5,_4>,Stride<_1,_100>", "_6,_2")), [Code::Composed]);
    for (a, b) in [
        ("Shape<_6,_2>,Stride<_8,_2>", "Shape<_4,_3>,Stride<_3,_1>"),
        ("Shape<_8,_8>,Stride<_8,_1>", "Shape<_4,_2>,Stride<_1,_32>"),
        // CuTe's assertion, and the end of the outer layout.
        ("Shape<_5,_4>,Stride<_1,_100>", "_4,_2"),
        ("_8,_2", "_16,_3"),
    ] {
        assert!(codes(&text(a, b)).is_empty(), "{a} {b}");
    }
}

#[test]
fn alignments_in_bytes() {
    let text = |bits: &str| format!("using C = Copy_Atom<AutoVectorizingCopyWithAssumedAlignment<{bits}>, half_t>;");
    says(&text("sizeof(uint128_t)"), Code::AlignmentInBytes, &["sizeof(uint128_t) * 8"]);
    for bits in
        ["128", "8", "sizeof(uint128_t) * 8", "8 * sizeof(T)", "sizeof_bits_v<T>", "kBits", "sizeof(T) + sizeof(U)"]
    {
        assert!(codes(&text(bits)).is_empty(), "{bits}");
    }
    let call = "void f() { auto c = make_tiled_copy(Copy_Atom<AutoVectorizingCopyWithAssumedAlignment<sizeof(uint4)>, half_t>{}, a, b); }";
    assert_eq!(codes(call), [Code::AlignmentInBytes]);
}

fn pair(layout: &str, copy: &str) -> String {
    format!("struct Traits {{ using SmemLayoutAtom = {layout}; using SmemCopyAtom = Copy_Atom<{copy}>; }};")
}

/// What is said of a swizzle under ldmatrix is what counting says: eight rows of 16 bytes in eight groups of four banks.
#[test]
fn swizzles_under_ldmatrix_are_what_counting_says() {
    let mut seen = [0; 3];
    for (columns, width, ty) in [(64, 2, "half_t"), (32, 2, "bfloat16_t"), (32, 4, "tfloat32_t"), (128, 1, "int8_t")] {
        for (bits, base, shift) in
            [(0, 0, 0), (1, 3, 3), (2, 3, 3), (3, 3, 3), (3, 2, 3), (3, 4, 3), (2, 4, 3), (3, 1, 4), (2, 2, 3)]
        {
            let at =
                |x: u64| (0..bits).fold(x, |y: u64, bit: u64| y ^ (((x >> (base + shift + bit)) & 1) << (base + bit)));
            let vector = 16 / width;
            let apart = (0..8 * columns)
                .any(|x| at(x) != at(x / vector * vector) + x % vector || at(x / vector * vector) % vector != 0);
            let group = |row: u64, first: u64| at(row * columns + first) * width / 16 % 8;
            let crowded = (0..columns / vector).any(|v| {
                let mut counts = [0; 8];
                (0..8).for_each(|row| counts[usize::try_from(group(row, v * vector)).unwrap()] += 1);
                counts.iter().any(|count| *count > 1)
            });
            let layout = format!(
                "decltype(composition(Swizzle<{bits},{base},{shift}>{{}}, Layout<Shape<_8,_{columns}>,Stride<_{columns},_1>>{{}}))"
            );
            let text = pair(&layout, &format!("SM75_U32x4_LDSM_N, {ty}"));
            let expected = match (apart, crowded) {
                (true, _) => vec![Code::SwizzleSplits],
                (false, true) => vec![Code::Banks],
                (false, false) => vec![],
            };
            assert_eq!(codes(&text), expected, "{text}");
            seen[usize::from(apart) * 2 + usize::from(crowded && !apart)] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 3), "{seen:?}");
}

#[test]
fn pairs_go_by_their_names() {
    let layout = "Layout<Shape<_8,_64>,Stride<_64,_1>>";
    let text = pair(layout, "SM75_U32x4_LDSM_N, half_t");
    says(&text, Code::Banks, &["up to 8 wavefronts", "with Swizzle<3,3,3>", "counted"]);
    assert!(codes(&text.replace("SmemCopyAtom", "SmemCopyAtomO")).is_empty());
    assert_eq!(
        codes(&text.replace("SmemCopyAtom", "SmemCopyAtomB").replace("SmemLayoutAtom", "SmemLayoutB")),
        [Code::Banks]
    );
    assert_eq!(codes(&text.replace("SmemLayoutAtom", "SmemLayoutQ")), [Code::Banks]);
    assert!(codes(&text.replace("SmemLayoutAtom", "SmemLayoutO")).is_empty());
    // Another class, padded rows, a copy that is not known, a type that is not.
    assert!(codes(&text.replace("; using SmemCopyAtom", "; }; struct Other { using SmemCopyAtom")).is_empty());
    assert!(codes(&pair("Layout<Shape<_8,_64>,Stride<_72,_1>>", "SM75_U32x4_LDSM_N, half_t")).is_empty());
    assert!(
        codes(&pair(layout, "DefaultCopy, half_t")).is_empty()
            && codes(&pair(layout, "SM75_U32x4_LDSM_N, Element")).is_empty()
    );
    // In a template, with the values that it is instantiated with.
    let template = "template <int kB> struct Traits { using SmemLayoutAtom = decltype(composition(Swizzle<kB,3,3>{}, \
                    Layout<Shape<_8,_64>,Stride<_64,_1>>{})); using SmemCopyAtom = Copy_Atom<SM75_U32x4_LDSM_N, half_t>; }; \
                    using A = Traits<3>; using B = Traits<2>;";
    says(template, Code::Banks, &["up to 2 wavefronts", "for kB = 2"]);
}

#[test]
fn vectors_of_other_copies() {
    let layout =
        |base| format!("decltype(composition(Swizzle<2,{base},3>{{}}, Layout<Shape<_8,_64>,Stride<_64,_1>>{{}}))");
    for copy in ["UniversalCopy<uint128_t>, half_t", "Copy_Traits<SM80_CP_ASYNC_CACHEGLOBAL<cute::uint128_t>>, half_t"]
    {
        assert_eq!(codes(&pair(&layout(2), copy)), [Code::SwizzleSplits]);
        assert!(codes(&pair(&layout(3), copy)).is_empty());
    }
    assert!(codes(&pair(&layout(2), "UniversalCopy<uint64_t>, half_t")).is_empty());
}

/// A partition that is right, and every one with another stride.
#[test]
fn mutants_of_a_partition_are_found() {
    let right = [128_u64, 1, 32, 8];
    let text = |s: &[u64; 4], tile: &str| {
        format!(
            "using C = TiledCopy<Atom, Layout<Shape<Shape<_4,_8>,Shape<_4,_4>>, Stride<Stride<_{},_{}>,Stride<_{},_{}>>>, {tile}>;",
            s[0], s[1], s[2], s[3]
        )
    };
    for tile in ["Shape<_32,_16>", "Tile<_32,_16>", "Tile<Layout<Shape<_8,_4>>,_16>"] {
        assert!(codes(&text(&right, tile)).is_empty());
    }
    let mut found = 0;
    for place in 0..4 {
        for stride in [1, 2, 4, 8, 16, 32, 64, 128, 256] {
            let mut other = right;
            other[place] = stride;
            if other != right {
                assert!(codes(&text(&other, "Shape<_32,_16>")).contains(&Code::Partition), "{other:?}");
                found += 1;
            }
        }
    }
    assert_eq!(found, 32);
    for tile in ["Shape<_64,_16>", "Shape<_32,_8>"] {
        assert_eq!(codes(&text(&right, tile)), [Code::Partition]);
    }
    // Threads that share an element are no defect, and a mode that is kept says nothing of the size.
    assert!(
        codes("using C = TiledCopy<Atom, Layout<Shape<Shape<_4,_8>,_8>, Stride<Stride<_0,_1>,_8>>, Shape<_8,_8>>;")
            .is_empty()
    );
    assert!(codes(&text(&right, "Tile<_32,Underscore>")).is_empty());
    assert!(codes("template <class L, class T> struct TiledCopy<A, L, T> { using X = Layout<_1>; };").is_empty());
}

#[test]
fn threads_of_local_partitions() {
    let text = |threads: &str| format!("void f() {{ auto t = local_partition(sA, {threads}{{}}, threadIdx.x); }}");
    for right in ["Layout<Shape<_32,_8>>", "Layout<Shape<_32,_8>,Stride<_8,_1>>", "Layout<Shape<_32,_8>,Stride<_1,_0>>"]
    {
        assert!(codes(&text(right)).is_empty(), "{right}");
    }
    // No block has as many threads as the strides of a row of 64 elements ask for; those of a row of 16 share parts.
    says(
        &text("Layout<Shape<_32,_8>,Stride<_64,_1>>"),
        Code::LocalPartition,
        &["256 coordinates", "32 of the threads 0 to 255"],
    );
    assert_eq!(codes(&text("Layout<Shape<_32,_8>,Stride<_9,_1>>")), [Code::LocalPartition]);
    assert!(codes(&text("Layout<Shape<_32,_8>,Stride<_16,_1>>")).is_empty());
}

#[test]
fn threads_that_do_not_divide_the_tensor() {
    let text = |threads: &str, more: &str| {
        format!(
            "void f() {{ __shared__ float smem[1024]; auto sA = make_tensor(make_smem_ptr(smem), Layout<Shape<_128,_8>>{{}}); \
             auto t = local_partition(sA, Layout<{threads}>{{}}, threadIdx.x{more}); }}"
        )
    };
    for right in ["Shape<_32,_8>", "Shape<_32,_4>,Stride<_4,_1>", "_128"] {
        assert!(codes(&text(right, "")).is_empty(), "{right}");
    }
    says(&text("Shape<_48,_4>", ""), Code::Partition, &["128 elements", "48 threads", "rounds up"]);
    // With a projection other modes are divided.
    assert!(codes(&text("Shape<_8,_48>", ", Step<_1,X>{}")).is_empty());
}

#[test]
fn layouts_of_threads_and_values() {
    let text =
        |threads: &str| format!("void f() {{ auto [tiler, tv] = make_layout_tv({threads}{{}}, Layout<_4>{{}}); }}");
    assert!(codes(&text("Layout<Shape<_8,_4>,Stride<_4,_1>>")).is_empty());
    assert_eq!(codes(&text("Layout<Shape<_8,_4>,Stride<_5,_1>>")), [Code::TiledCopy]);
}

#[test]
fn divides_that_carry() {
    // Tiles of 4 in columns of 6: the second tile goes over the end of a column, and the next begins where it does not end.
    let text = |a: &str, t: &str| format!("using R = decltype(logical_divide(Layout<{a}>{{}}, {t}{{}}));");
    for tile in ["Layout<_4>", "_4", "Int<4>"] {
        says(&text("Shape<_6,_4>,Stride<_1,_7>", tile), Code::Composed, &["A(6) = 7", "has 6"]);
    }
    for (a, t) in [
        ("Shape<_6,_4>,Stride<_1,_7>", "_3"),
        ("Shape<_6,_4>,Stride<_1,_6>", "_4"),
        ("Shape<_8,_4>,Stride<_4,_1>", "Layout<_4,_2>"),
    ] {
        assert!(codes(&text(a, t)).is_empty(), "{a} {t}");
    }
}

#[test]
fn alignments_of_arrays() {
    let text = |layout: &str, array: &str| format!("using L = {layout}; struct Storage {{ {array} a; }};");
    let sw128 = "GMMA::Layout_K_SW128_Atom<half_t>";
    let tile = "decltype(tile_to_shape(UMMA::Layout_MN_SW64_Atom<float>{}, Shape<_64,_32>{}))";
    for array in
        ["alignas(16) array_aligned<half_t, cosize_v<L>>", "cute::array_aligned<half_t, cute::cosize_v<L>, 64>"]
    {
        for layout in [sw128, tile] {
            assert_eq!(codes(&text(layout, array)), [Code::Misaligned], "{layout} {array}");
        }
        for layout in ["Layout<_64>", "GMMA::Layout_K_INTER_Atom<half_t>"] {
            assert!(codes(&text(layout, array)).is_empty(), "{layout} {array}");
        }
    }
    for array in [
        "array_aligned<half_t, cosize_v<L>>",
        "alignas(128) array_aligned<half_t, cosize_v<L>>",
        "array_aligned<half_t, cosize_v<L>, 1024>",
    ] {
        assert!(codes(&text(sw128, array)).is_empty(), "{array}");
    }
}
