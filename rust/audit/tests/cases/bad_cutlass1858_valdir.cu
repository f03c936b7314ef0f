// NVIDIA/cutlass#1858, #2093: "src/dst layout does not vectorize"
#include <cute/tensor.hpp>
using namespace cute;
using G2S = decltype(make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>{},
                                     Layout<Shape<_8, _16>>{}, Layout<Shape<_8, _1>>{}));
using SL = Layout<Shape<_64, _64>, Stride<_64, _1>>;
__global__ void k(half_t const* x) {
  __shared__ alignas(128) half_t sm[cosize_v<SL>];
  Tensor gX = make_tensor(make_gmem_ptr(x), SL{});
  Tensor sX = make_tensor(make_smem_ptr(sm), SL{});
  G2S c; auto t = c.get_slice(threadIdx.x);
  copy(c, t.partition_S(gX), t.partition_D(sX));
}
