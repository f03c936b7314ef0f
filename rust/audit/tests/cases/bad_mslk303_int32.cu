// MSLK#303 (CuTe DSL), flash-attention#1500, SageAttention#387, fla#1080
#include <cute/tensor.hpp>
using namespace cute;
__global__ void k(half_t* p, int rows) {
  Tensor t = make_tensor(make_gmem_ptr(p), make_shape(rows, Int<1024>{}), make_stride(Int<1024>{}, Int<1>{}));
  int r = blockIdx.x * 64 + threadIdx.x;
  t(r, 0) = half_t(0);
}
void run(half_t* p) { int rows = 4 * 1024 * 1024; k<<<rows / 64, 64>>>(p, rows); }
