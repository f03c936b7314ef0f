// DeepGEMM#433/#434/#379
#include <cuda.h>
#include <cute/tensor.hpp>
using namespace cute;
constexpr int kHeadDim = 64;
using SmemQ = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<uint8_t>{}, Shape<_64, _128>{}));
__global__ void k(const __grid_constant__ CUtensorMap map, uint8_t* out) {
  extern __shared__ __align__(1024) uint8_t raw[];
  Tensor sQ = make_tensor(make_smem_ptr(raw), SmemQ{});
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(0), "l"(&map), "r"(0), "r"(0), "r"(0));
  out[threadIdx.x] = sQ(threadIdx.x % 64, threadIdx.x / 64);
}
void run(uint8_t* p, uint8_t* o) {
  CUtensorMap m;
  uint64_t dims[2] = {kHeadDim, 4096}; uint64_t strides[1] = {kHeadDim};
  uint32_t box[2] = {kHeadDim, 64}; uint32_t es[2] = {1, 1};
  cuTensorMapEncodeTiled(&m, CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, p, dims, strides, box, es, CU_TENSOR_MAP_INTERLEAVE_NONE,
                         CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  k<<<1, 128, 64 * 128>>>(m, o);
}
