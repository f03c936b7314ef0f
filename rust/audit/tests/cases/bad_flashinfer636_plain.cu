// flashinfer-ai/flashinfer#636
#include <cuda_runtime.h>
constexpr int kWarps = 14;
__global__ void norm(float* out) {
  extern __shared__ float smem[];
  float* row = smem + kWarps;
  float4 v = *reinterpret_cast<float4*>(row + threadIdx.x * 4);
  out[threadIdx.x] = v.x;
}
void run(float* o) { norm<<<1, 448, 4 * (kWarps + 4 * 448)>>>(o); }
