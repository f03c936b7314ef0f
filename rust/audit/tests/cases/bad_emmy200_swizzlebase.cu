// cloudrift-ai/emmy#200, tile-ai/tilelang#2379: a 128B-swizzled tile begins 64 bytes / 128 bytes off its atom
#include <cute/tensor.hpp>
using namespace cute;
using SA = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64>{}));
struct Storage {
  cute::array_aligned<float, 32, 128> bias;        // 128 bytes
  cute::array_aligned<half_t, cosize_v<SA>, 128> a;  // begins at 128
};
__global__ void k(half_t const* g) {
  extern __shared__ char raw[];
  Storage& st = *reinterpret_cast<Storage*>(raw);
  Tensor sA = make_tensor(make_smem_ptr(st.a.data()), SA{});
  sA(threadIdx.x, 0) = g[threadIdx.x];
}
