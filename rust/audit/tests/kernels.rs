//! Tiled copies and MMAs in kernels: what they are sliced for, what their vectors touch, and the tiles of an MMA. What is wrong is found, what only
//! looks like it is left alone, and mutants of what is right are found.

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

/// The same, bank conflicts aside: most rows without a swizzle have some.
fn others(text: &str) -> Vec<Code> {
    codes(text).into_iter().filter(|code| *code != Code::Banks).collect()
}

/// A kernel that partitions a tensor of rows.
fn rows(atom: &str, layout: &str) -> String {
    format!(
        "using namespace cute;\n__global__ void kernel(half_t* smem) {{\n  auto copy = make_tiled_copy({atom}{{}}, \
         Layout<Shape<_16,_4>, Stride<_4,_1>>{{}}, Layout<Shape<_1,_16>>{{}});\n  auto thread = copy.get_slice(threadIdx.x);\n  \
         Tensor sA = make_tensor(make_smem_ptr(smem), {layout}{{}});\n  Tensor part = thread.partition_D(sA);\n  cute::copy(copy, make_fragment_like(part), part);\n}}\n"
    )
}

/// The paddings of rows of 64 elements that are no whole number of vectors are found, and no others.
#[test]
fn vectors_are_aligned_where_their_distances_say_so() {
    let mut seen = [0; 2];
    for (vector, bytes) in [("uint32_t", 4), ("uint64_t", 8), ("uint128_t", 16)] {
        for (ty, size) in [("half_t", 2), ("float", 4), ("int8_t", 1)] {
            if bytes == size {
                continue;
            }
            for atom in ["UniversalCopy", "SM80_CP_ASYNC_CACHEALWAYS"] {
                for padding in 0..17 {
                    let atom = format!("Copy_Atom<{atom}<{vector}>, {ty}>");
                    let text = rows(&atom, &format!("Layout<Shape<_32,_64>, Stride<Int<{}>,_1>>", 64 + padding));
                    let wrong = padding * size % bytes != 0;
                    let expected = if wrong { vec![Code::Vectors] } else { vec![] };
                    assert_eq!(others(&text), expected, "{text}");
                    seen[usize::from(wrong)] += 1;
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
}

#[test]
fn vectors_that_are_not_known_or_do_not_lie_together_are_left_alone() {
    let atom = "Copy_Atom<UniversalCopy<uint128_t>, half_t>";
    let padded = "Layout<Shape<_16,_64>, Stride<Int<65>,_1>>";
    assert_eq!(others(&rows(atom, padded)), [Code::Vectors]);
    // One row: whatever its stride, all vectors are aligned alike. Columns: CuTe refuses the copy.
    assert!(others(&rows(atom, "Layout<Shape<_16,_64>, Stride<_1,_16>>")).is_empty());
    assert!(others(&rows("Copy_Atom<UniversalCopy<half_t>, half_t>", padded)).is_empty());
    assert!(others(&rows("Copy_Atom<Other<uint128_t>, half_t>", padded)).is_empty());
    assert!(others(&rows("Copy_Atom<UniversalCopy<uint128_t>, Element>", padded)).is_empty());
    assert!(others(&rows(atom, padded).replace("Int<65>", "lda")).is_empty());
    // A swizzle of whole vectors moves none of them off.
    let swizzled = "decltype(composition(Swizzle<3,3,3>{}, Layout<Shape<_16,_64>, Stride<_64,_1>>{}))";
    assert!(others(&rows(atom, swizzled)).is_empty());
    // Nothing is partitioned.
    assert!(others(&rows(atom, padded).replace("partition_D", "retile_D")).is_empty());
    assert!(others(&rows(atom, padded).replace("copy.get_slice", "other.get_slice")).is_empty());
}

/// cutlass 1272, with its numbers as constants: `DefaultCopy` of CUTLASS 3.3 was a class of its own, and copied 128 bits at once.
#[test]
fn the_misaligned_default_copy_is_found() {
    let text = "namespace cute { struct DefaultCopy {}; }
        using namespace cute;
        __global__ void kernel(float* a) {
          const auto mA = make_tensor(make_gmem_ptr(a), make_layout(make_shape(Int<256>{}, _8{}), make_stride(_1{}, Int<257>{})));
          const auto stripe = local_tile(mA, make_tile(_128{}, _8{}), make_coord(blockIdx.x, _));
          constexpr int VecSize = 4;
          const auto tiled_copy = make_tiled_copy(Copy_Atom<DefaultCopy, float>{},
              make_layout(make_shape(Int<128 / VecSize>{}, _8{})), make_layout(make_shape(Int<VecSize>{})));
          auto thr_copy = tiled_copy.get_thread_slice(threadIdx.x);
          auto staging = make_fragment_like<float>(Int<VecSize>{});
          copy(tiled_copy, thr_copy.partition_S(stripe), staging);
        }";
    assert!(codes(text).contains(&Code::Vectors), "{:?}", findings(text));
    assert!(codes(&text.replace("257", "260")).is_empty(), "{:?}", findings(&text.replace("257", "260")));
    // From 3.4 on it takes no alignment for granted, and where its class is not known nothing is.
    let later =
        text.replace("struct DefaultCopy {};", "using DefaultCopy = AutoVectorizingCopyWithAssumedAlignment<8>;");
    assert!(codes(&later).is_empty(), "{:?}", findings(&later));
    assert!(codes(&text.replace("struct DefaultCopy {};", "")).is_empty());
    let promised = text.replace("DefaultCopy, float", "AutoVectorizingCopyWithAssumedAlignment<128>, float");
    assert!(codes(&promised).contains(&Code::Vectors));
    // 32 bits are one element.
    assert!(codes(&promised.replace("<128>, float", "<32>, float")).is_empty());
}

#[test]
fn rows_of_ldmatrix_are_aligned() {
    let pair = |stride: u64| {
        format!(
            "struct Traits {{ using SmemLayoutAtom = Layout<Shape<_8,_64>,Stride<Int<{stride}>,_1>>; using SmemCopyAtom = \
             Copy_Atom<SM75_U32x4_LDSM_N, half_t>; }};"
        )
    };
    for stride in 64..=96 {
        let found = codes(&pair(stride)).contains(&Code::Vectors);
        assert_eq!(found, stride % 8 != 0, "{stride}");
    }
}

const COPY: &str = "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_16,_8>, Stride<_8,_1>>{}, Layout<Shape<_1,_8>>{})";
const MMA: &str = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2,_1>>{}, Tile<_32,_32,_16>{})";

fn launch(bound: &str, tiled: &str, index: &str) -> String {
    format!(
        "__global__ void __launch_bounds__({bound}) kernel() {{ using L = Layout<_1>; auto tiled = {tiled}; \
         int tid = threadIdx.x; auto thread = tiled.get_slice({index}); clear(thread); }}"
    )
}

#[test]
fn slices_for_threads_that_a_block_cannot_have_are_found() {
    for bound in [32, 64, 96, 127, 128, 129, 256, 1024] {
        for tiled in [COPY, MMA] {
            for index in ["threadIdx.x", "tid"] {
                let expected = if bound < 128 { vec![Code::Launch] } else { vec![] };
                let text = launch(&bound.to_string(), tiled, index);
                assert_eq!(codes(&text), expected, "{text}");
            }
        }
    }
    for (operation, threads) in [
        ("SM70_8x8x4_F32F16F16F32_NT", 32),
        ("SM75_16x8x8_F32F16F16F32_TN", 128),
        ("MMA_Atom<SM80_16x8x8_F32F16F16F32_TN>", 128),
        ("SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>", 512),
        ("UniversalFMA<float>", 4),
    ] {
        let mma = format!("make_tiled_mma({operation}{{}}, Layout<Shape<_2,_2,_1>>{{}})");
        assert!(codes(&launch(&threads.to_string(), &mma, "threadIdx.x")).is_empty(), "{operation}");
        assert_eq!(codes(&launch(&(threads - 1).to_string(), &mma, "threadIdx.x")), [Code::Launch], "{operation}");
    }
}

#[test]
fn slices_that_are_not_known_to_be_wrong_are_left_alone() {
    for (bound, tiled, index) in [
        // Half of the threads, or two slices each; a bound, or a tiled copy, that is not known.
        ("64", COPY, "threadIdx.x % 64"),
        ("64", COPY, "threadIdx.x + 64"),
        ("kUnknown", COPY, "threadIdx.x"),
        ("64", "make_tiled_copy(Atom{}, thread_layout, value_layout)", "threadIdx.x"),
        ("64", "make_tiled_mma(Other_16x8x16{}, Layout<Shape<_2,_2,_1>>{})", "threadIdx.x"),
    ] {
        let text = launch(bound, tiled, index);
        assert!(codes(&text).is_empty(), "{text}");
    }
    let text = launch("64", COPY, "tid");
    assert_eq!(codes(&text), [Code::Launch]);
    assert!(codes(&text.replace("threadIdx.x;", "threadIdx.x; tid += 64;")).is_empty());
    let twice = text.replace("auto thread", "auto other = tiled.get_slice(tid + 64); auto thread");
    assert!(codes(&twice).is_empty());
    // Without a bound nothing is known of how it is launched.
    assert!(codes(&text.replace("__launch_bounds__(64)", "")).is_empty());
}

#[test]
fn templates_are_looked_at_as_they_are_instantiated() {
    let text = "template <int N> struct Traits { static constexpr int kThreads = N; using Mma = \
                TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_4,_1,_1>>, Tile<_64,_16,_16>>; };
        template <class T> __global__ void __launch_bounds__(T::kThreads) kernel() {
          using L = Layout<_1>; typename T::Mma mma; auto thread = mma.get_thread_slice(threadIdx.x); clear(thread); }
        template __global__ void kernel<Traits<128>>();";
    assert!(codes(text).is_empty(), "{:?}", findings(text));
    assert_eq!(codes(&text.replace("kernel<Traits<128>>", "kernel<Traits<96>>")), [Code::Launch]);
    // What CuTe itself says of the MMA.
    let own = text.replace("T::kThreads", "decltype(size(typename T::Mma{}))::value");
    assert!(codes(&own.replace("128", "96")).is_empty());
}

/// Each stride of a layout of atoms replaced by others: what does not count every atom once is found.
#[test]
fn atoms_with_gaps_are_found() {
    let mut seen = [0; 2];
    for (m, n) in [(2_u64, 2_u64), (4, 1), (4, 2), (1, 8), (2, 4)] {
        for down in 1..=8 {
            for across in 1..=8 {
                let text = format!(
                    "using Mma = TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, \
                     Layout<Shape<Int<{m}>,Int<{n}>,_1>,Stride<Int<{down}>,Int<{across}>,_1>>>;"
                );
                let mut all: Vec<u64> = (0..m).flat_map(|i| (0..n).map(move |j| i * down + j * across)).collect();
                all.sort_unstable();
                let wrong = all != (0..m * n).collect::<Vec<u64>>();
                assert_eq!(codes(&text).contains(&Code::MmaThreads), wrong, "{text}");
                seen[usize::from(wrong)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
}

/// Each extent of a tile replaced by others: what is no whole number of atoms is found.
#[test]
fn tiles_are_whole_numbers_of_atoms() {
    for (m, n, k) in
        (8..=80).step_by(8).flat_map(|m| [8, 16, 24, 32].map(|n| (m, n, 16))).chain([(64, 16, 8), (64, 16, 32)])
    {
        for made in [
            format!(
                "TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_2,_2,_1>>, Tile<Int<{m}>,Int<{n}>,Int<{k}>>>"
            ),
            format!(
                "decltype(make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{{}}, Layout<Shape<_2,_2,_1>>{{}}, make_tile(Int<{m}>{{}}, Int<{n}>{{}}, Int<{k}>{{}})))"
            ),
        ] {
            let wrong = m % 32 != 0 || n % 16 != 0 || k % 16 != 0;
            let expected = if wrong { vec![Code::MmaTile] } else { vec![] };
            assert_eq!(codes(&format!("using L = Layout<_1>; using Mma = {made};")), expected, "{made}");
        }
    }
    // A mode that is kept, a permutation of a whole number of atoms, and an instruction that is not known.
    let of = |operation: &str, tile: &str| {
        format!("using Mma = TiledMMA<MMA_Atom<{operation}>, Layout<Shape<_2,_2,_1>>, Tile<{tile}>>;")
    };
    let known = "SM80_16x8x16_F32F16F16F32_TN";
    assert!(codes(&of(known, "Underscore,Underscore,Underscore")).is_empty());
    assert!(codes(&of(known, "_32,_,_16")).is_empty());
    assert!(codes(&of(known, "_32,Layout<Shape<_2,_8>,Stride<_1,_2>>,_16")).is_empty());
    assert_eq!(codes(&of(known, "_32,Layout<Shape<_2,_4>,Stride<_1,_2>>,_16")), [Code::MmaTile]);
    assert!(codes(&of("Other_16x8x16", "_8,_8,_8")).is_empty());
}

#[test]
fn classes_that_count_their_threads() {
    let mut seen = [0; 2];
    for name in ["kNThreads", "MaxThreadsPerBlock", "NumThreads", "kNumProducerThreads"] {
        for warps in 1..=8_u64 {
            for threads in (32..=256).step_by(32) {
                let known = name != "kNumProducerThreads";
                let wrong = known && warps * 32 > threads;
                let class = format!(
                    "struct Traits {{ static constexpr int {name} = {threads}; using TiledMma = \
                     TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<Int<{warps}>,_1,_1>>>; }};"
                );
                let expected = if wrong { vec![Code::ClassThreads] } else { vec![] };
                assert_eq!(codes(&class), expected, "{class}");
                seen[usize::from(wrong)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
    let template = "template <int kWarps> struct Traits { static constexpr int kNThreads = 128; using GmemTiledCopy = \
                    decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, \
                    Layout<Shape<Int<kWarps * 4>,_8>,Stride<_8,_1>>{}, Layout<Shape<_1,_8>>{})); }; using T = Traits<4>;";
    assert!(codes(template).is_empty());
    let more = template.replace("T = Traits<4>", "T = Traits<8>");
    assert_eq!(codes(&more), [Code::ClassThreads], "{:?}", findings(&more));
    // Two numbers of threads are of different things, and one that is not constant is none.
    assert!(
        codes(&more.replace("using GmemTiledCopy", "static constexpr int NumThreads = 256; using GmemTiledCopy"))
            .is_empty()
    );
    assert!(codes(&more.replace("static constexpr int kNThreads = 128", "int kNThreads = 128")).is_empty());
}
