// Dao-AILab/flash-attention#2482: accumulator of 144x96, wgmma has M = 64
#include <cute/tensor.hpp>
using namespace cute;
using MMA = decltype(make_tiled_mma(SM90_64x96x16_F32BF16BF16_SS<GMMA::Major::K, GMMA::Major::K>{}, Layout<Shape<_1, _1, _1>>{}));
__global__ void __launch_bounds__(128) k(float* out) {
  MMA mma;
  auto thr = mma.get_slice(threadIdx.x);
  Tensor acc = partition_fragment_C(mma, Shape<_144, _96>{});
  clear(acc);
  Tensor gO = make_tensor(make_gmem_ptr(out), Layout<Shape<_144, _96>, Stride<_96, _1>>{});
  Tensor tCg = thr.partition_C(gO);
  copy(acc, tCg);
}
