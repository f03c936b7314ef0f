#include <cute/tensor.hpp>
using namespace cute;
using MMA = TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_4, _1, _1>>, Tile<_64, _16, _16>>;
using SA = Layout<Shape<_96, _64>, Stride<_64, _1>>;
__global__ void k(half_t const* g, float* o) {
  __shared__ half_t sm[cosize_v<SA>];
  Tensor sA = make_tensor(make_smem_ptr(sm), SA{});
  MMA mma; auto thr = mma.get_slice(threadIdx.x);
  Tensor tCsA = thr.partition_A(sA);
  Tensor r = make_fragment_like(tCsA);
  copy(tCsA, r);
  o[threadIdx.x] = r(0);
}
void run(half_t* p, float* o) { k<<<1, 128>>>(p, o); }
