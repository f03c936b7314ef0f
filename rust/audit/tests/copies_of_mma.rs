//! The copies that `make_tiled_copy_A`, `_B` and `_C` make have the threads of their MMA: slices for more than a block has are found, and the
//! copy may be a type that an object is made of.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

const MMA: &str = "TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_4,_2,_1>>, Tile<_64,_16,_16>>";

/// A kernel with a copy for A of an MMA of 256 threads.
fn kernel(bound: &str, copy: &str, index: &str, block: &str) -> String {
    format!(
        "using Mma = {MMA};
__global__ void {bound} kern(half_t const* in, half_t* out, int n) {{
  __shared__ half_t smem[64 * 16];
  auto sA = make_tensor(make_smem_ptr(smem), Layout<Shape<_64,_16>, Stride<_16,_1>>{{}});
  {copy}
  auto thr = copyA.get_slice({index});
  auto r = make_fragment_like(thr.partition_S(sA));
  copy(copyA, thr.partition_S(sA), r);
  out[threadIdx.x] = r(0);
}}
void run(half_t* o) {{ kern<<<1, {block}>>>(o, o, 4); }}
"
    )
}

/// What is found of threads.
fn threads(text: &str) -> Vec<Code> {
    let of = |code: &Code| matches!(code, Code::Launch | Code::BlockThreads | Code::BlockBeyond | Code::ClassThreads);
    codes(text).into_iter().filter(of).collect()
}

const ATOM: &str = "Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}";

#[test]
fn slices_of_the_copies_of_an_mma() {
    for matrix in ["A", "B", "C"] {
        for copy in [
            format!("Mma mma; auto copyA = make_tiled_copy_{matrix}({ATOM}, mma);"),
            format!("Mma mma; auto atom = {ATOM}; auto copyA = cute::make_tiled_copy_{matrix}(atom, Mma{{}});"),
            format!("using C = decltype(make_tiled_copy_{matrix}({ATOM}, Mma{{}})); C copyA;"),
        ] {
            let of = |bound: &str, index: &str, block: &str| threads(&kernel(bound, &copy, index, block));
            assert_eq!(
                of("__launch_bounds__(128)", "threadIdx.x", "128"),
                [Code::Launch, Code::BlockThreads],
                "{copy}"
            );
            assert_eq!(of("", "threadIdx.x", "128"), [Code::BlockThreads], "{copy}");
            // As many as there are. Where more would go is known of C alone.
            assert_eq!(of("__launch_bounds__(256)", "threadIdx.x", "256"), [], "{copy}");
            let beyond = if matrix == "C" { vec![Code::BlockBeyond] } else { vec![] };
            assert_eq!(of("", "threadIdx.x", "512"), beyond, "{copy}");
            // Other numbers than that of the thread.
            assert_eq!(of("__launch_bounds__(128)", "threadIdx.x + 128 * n", "128"), [], "{copy}");
            assert_eq!(of("", "threadIdx.x", "n_threads()"), [], "{copy}");
        }
    }
}

#[test]
fn copies_of_what_is_not_known_are_left_alone() {
    for copy in [
        // Atoms with gaps, of which RG025 says something; an MMA that nobody knows; one that another kernel has.
        "TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_4,_2,_1>, Stride<_4,_1,_0>>> mma; auto copyA = make_tiled_copy_A(ATOM, mma);",
        "auto mma = pick(n); auto copyA = make_tiled_copy_A(ATOM, mma);",
        "{ Mma mma; auto copyA = make_tiled_copy_A(ATOM, mma); } TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_4,_1,_1>>> mma; auto copyA = make_tiled_copy_A(ATOM, mma);",
        "#if SMALL\n TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_4,_1,_1>>> mma;\n#else\n Mma mma;\n#endif\n auto copyA = make_tiled_copy_A(ATOM, mma);",
        // Another way through the parts.
        "Mma mma; auto copyA = make_tiled_copy_A(ATOM, mma); auto rest = copyA.get_slice(threadIdx.x + 128); use(rest.partition_S(sA));",
        "Mma mma; auto copyA = mine::make_tiled_copy_A(ATOM, mma);",
    ] {
        let copy = copy.replace("ATOM", ATOM);
        assert_eq!(threads(&kernel("__launch_bounds__(128)", &copy, "threadIdx.x", "128")), [], "{copy}");
    }
    // Somebody's own function of that name.
    let own = "template <class A, class M> __device__ auto make_tiled_copy_A(A a, M m) { return half_of(a, m); }\n";
    let copy = format!("Mma mma; auto copyA = make_tiled_copy_A({ATOM}, mma);");
    let text = kernel("__launch_bounds__(128)", &copy, "threadIdx.x", "128");
    assert_eq!(threads(&format!("{own}{text}")), []);
}

/// A block as large as the copy follows it.
#[test]
fn blocks_by_the_size_of_the_copy() {
    let text = |block: &str| {
        format!(
            "template <class Copy> __global__ void kern(half_t* out, Copy copyA) {{
               __shared__ half_t smem[64 * 16];
               auto sA = make_tensor(make_smem_ptr(smem), Layout<Shape<_64,_16>, Stride<_16,_1>>{{}});
               auto part = copyA.get_slice(threadIdx.x).partition_S(sA);
               copy(copyA, part, make_fragment_like(part));
             }}
             void run(half_t* o) {{
               {MMA} mma;
               auto copyA = make_tiled_copy_A({ATOM}, mma);
               kern<<<1, {block}>>>(o, copyA);
             }}"
        )
    };
    assert_eq!(threads(&text("int(size(copyA))")), []);
    assert_eq!(threads(&text("size(mma)")), []);
    assert_eq!(threads(&text("128")), [Code::BlockThreads]);
}

/// The copy that a class names, and an object of it in a function: a swizzle that takes the rows of an `ldmatrix` apart.
#[test]
fn objects_of_copies_that_are_types() {
    let text = |swizzle: &str, copy: &str, by: &str| {
        codes(&format!(
            "struct Traits {{
               using Mma = {MMA};
               using Layout_ = decltype(composition({swizzle}{{}}, Layout<Shape<_64, _16>, Stride<_16, _1>>{{}}));
               using CopyA = decltype(make_tiled_copy_A({ATOM}, Mma{{}}));
             }};
             __global__ void k(half_t* p, int n) {{
               Tensor s = make_tensor(make_smem_ptr(p), Traits::Layout_{{}});
               {copy}
               auto part = c.get_thread_slice(threadIdx.x).partition_S(s);
               auto r = make_fragment_like(part);
               cute::copy({by}, part, r);
             }}"
        ))
    };
    let apart = "Swizzle<1, 2, 3>";
    assert!(text(apart, "Traits::CopyA c;", "c").contains(&Code::SwizzleSplits));
    assert!(text(apart, "Traits::CopyA c;", ATOM).contains(&Code::SwizzleSplits));
    assert!(text(apart, "typename Traits::CopyA const c;", "c").contains(&Code::SwizzleSplits));
    // A swizzle of whole rows; element by element; a copy of which nobody knows the atom.
    assert!(!text("Swizzle<1, 3, 3>", "Traits::CopyA c;", "c").contains(&Code::SwizzleSplits));
    assert!(
        !text(apart, "Traits::CopyA c;", "Copy_Atom<UniversalCopy<half_t>, half_t>{}").contains(&Code::SwizzleSplits)
    );
    assert!(!text(apart, "auto c = pick(n);", "c").contains(&Code::SwizzleSplits));
}
