// flash-attention#2698, NVIDIA/cutlass#2252: tiles that the copy does not divide
#include <cute/tensor.hpp>
using namespace cute;
using C = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{}));
using SL = Layout<Shape<_40, _64>, Stride<_64, _1>>;
__global__ void k(half_t const* x) {
  __shared__ alignas(128) half_t sm[cosize_v<SL>];
  Tensor gX = make_tensor(make_gmem_ptr(x), SL{});
  Tensor sX = make_tensor(make_smem_ptr(sm), SL{});
  C c; auto t = c.get_slice(threadIdx.x);
  copy(c, t.partition_S(gX), t.partition_D(sX));
}
void run(half_t* p) { k<<<1, 128>>>(p); }
