//! Copies in loops that count to the size of a tensor, of CUTLASS's tutorials: what is wrong with their vectors is found behind those.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

/// A loop over a tensor of shared memory with some rows apart, by a bound.
fn text(stride: u32, global: &str, before: &str, bound: &str) -> Vec<Code> {
    codes(&format!(
        "template <class Shape_, class SA, class TiledCopyA>
__global__ void gemm(Shape_ shape_MNK, half_t const* A, int ld, int n, float* out, SA sA_layout, TiledCopyA copy_a) {{
  __shared__ alignas(16) half_t smem[cosize_v<SA>];
  Tensor mA = make_tensor(make_gmem_ptr(A), {global}, make_stride(ld, Int<1>{{}}));
  Tensor gA = local_tile(mA, make_shape(Int<128>{{}}, Int<64>{{}}), make_coord(blockIdx.x, _));
  Tensor sA = make_tensor(make_smem_ptr(smem), sA_layout);
  ThrCopy thr = copy_a.get_slice(threadIdx.x);
  Tensor tAgA = thr.partition_S(gA);
  Tensor tAsA = thr.partition_D(sA);
  {before}
  for (int k = 0; k < {bound}; ++k) {{
    copy(copy_a, tAgA(_,_,_,k), tAsA(_,_,_,0));
    out[threadIdx.x] += float(tAsA(0));
  }}
}}
void run(half_t const* A, int M, int N, int K, int ld, float* out) {{
  auto sA = make_layout(make_shape(Int<128>{{}}, Int<64>{{}}, Int<3>{{}}), make_stride(Int<{stride}>{{}}, _1{{}}, Int<{}>{{}}));
  auto copyA = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>{{}}, Layout<Shape<_16,_8>,Stride<_8,_1>>{{}}, Layout<Shape<_1,_8>>{{}});
  gemm<<<1, 128>>>(make_shape(M, N, K), A, ld, N, out, sA, copyA);
}}",
        stride * 128
    ))
}

#[test]
fn bounds_that_count_tiles() {
    let selected = "select<0,2>(shape_MNK)";
    for (global, before, bound) in [
        (selected, "", "size<3>(tAgA)"),
        (selected, "auto K_TILE_MAX = size<3>(tAgA);", "K_TILE_MAX"),
        (selected, "auto K_PIPE_MAX = size<3>(tAsA);", "K_PIPE_MAX - 1"),
        ("make_shape(Int<128>{}, n)", "auto K_PIPE_MAX = size<3>(tAsA);", "K_PIPE_MAX - 1"),
    ] {
        assert!(text(65, global, before, bound).contains(&Code::Vectors), "{bound}");
        assert!(!text(72, global, before, bound).contains(&Code::Vectors), "{bound}");
    }
    // A loop that may run only where its tiles are of another size.
    assert!(!text(65, selected, "", "size<3>(tAgA) % n").contains(&Code::Vectors));
}

/// The prologue of a pipeline whose shared memory is a tile of so many stages.
#[test]
fn prologues_of_pipelines() {
    let text = |stride: u32, stages: u32, before: &str, bound: &str| {
        codes(&format!(
            "__global__ void k(half_t const* a, int n) {{
  auto sa_layout = tile_to_shape(composition(Swizzle<2,3,3>{{}}, Layout<Shape<_8,_32>, Stride<_32,_1>>{{}}), make_shape(_64{{}}, _32{{}}, Int<{stages}>{{}}));
  auto copy_a = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>{{}}, Layout<Shape<_32,_4>, Stride<_4,_1>>{{}}, Layout<Shape<_1,_8>>{{}});
  __shared__ __align__(16) half_t smem[64 * 32 * {stages}];
  Tensor sa = make_tensor(make_smem_ptr(smem), sa_layout);
  Tensor ma = make_tensor(make_gmem_ptr(a), make_shape(Int<1024>{{}}, Int<1024>{{}}), make_stride(Int<{stride}>{{}}, _1{{}}));
  Tensor ga = local_tile(ma, make_shape(_64{{}}, _32{{}}), make_coord(blockIdx.x, _));
  auto thread = copy_a.get_slice(threadIdx.x);
  Tensor taga = thread.partition_S(ga);
  Tensor tasa = thread.partition_D(sa);
  int next = 0;
  {before}
  for (int pipe = 0; pipe < {bound}; ++pipe) {{ copy(copy_a, taga(_,_,_,next), tasa(_,_,_,pipe)); ++next; }}
}}"
        ))
        .contains(&Code::Vectors)
    };
    for (before, bound) in [
        ("", "size<3>(tasa) - 1"),
        ("auto pipe_count = size<3>(tasa);", "pipe_count - 1"),
        ("auto pipes = size<3>(tasa) - 1;", "pipes"),
        ("constexpr int kStages = STAGES;", "kStages - 1"),
    ] {
        let of = |stride: u32, stages: u32| text(stride, stages, &before.replace("STAGES", &stages.to_string()), bound);
        assert!(of(1028, 2) && of(1028, 3), "{before} {bound}");
        // Rows of whole vectors, and one stage, of which nothing is copied here.
        assert!(!of(1032, 2) && !of(1028, 1), "{before} {bound}");
    }
    for (before, bound) in [("int pipe_count = n % 2;", "pipe_count - 1"), ("", "size<3>(tasa) - 2"), ("", "n % 8")] {
        assert!(!text(1028, 2, before, bound), "{before} {bound}");
    }
}
