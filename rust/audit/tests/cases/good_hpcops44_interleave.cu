// Tencent/hpc-ops#44: a helper by CuTe's name with a tiler as 4th argument; threads and values count without gaps
#include <cute/tensor.hpp>
using namespace cute;
template <class... A, class TL, class VL, class Tiler>
CUTE_HOST_DEVICE auto make_tiled_copy(Copy_Atom<A...> const& atom, TL const& tl, VL const& vl, Tiler const& tiler) {
  auto mn = raked_product(tl, vl);
  auto tv = right_inverse(mn).with_shape(make_shape(size(tl), size(vl)));
  return make_tiled_copy_impl(atom, tv, tiler);
}
template <typename T>
__device__ auto make_v() {
  auto tl = make_layout(make_shape(Int<32>{}, Int<4>{}), make_stride(Int<4>{}, Int<1>{}));
  auto vl = make_layout(make_shape(Int<2>{}, Int<8>{}), make_stride(Int<1>{}, Int<2>{}));
  return make_tiled_copy(Copy_Atom<SM75_U16x8_LDSM_T, T>{}, tl, vl, make_tile(Int<64>{}, Int<32>{}));
}
__global__ void k(half_t* p) { auto c = make_v<half_t>(); p[0] = half_t(int(size(c))); }
