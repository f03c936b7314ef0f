// flashinfer-ai/flashinfer#4628: SharedStorage of 246,624 bytes, no device allows that
#include <cute/tensor.hpp>
using namespace cute;
template <int KPE, int STAGES>
struct SharedStorage {
  struct Stage {
    alignas(1024) cute::array<cutlass::bfloat16_t, 64 * 512> ckv;
    union { alignas(1024) cute::array<cutlass::bfloat16_t, 64 * KPE> kpe; cute::array<cutlass::bfloat16_t, 64 * 64> p; };
  } kv[STAGES];
  alignas(1024) cute::array<cutlass::bfloat16_t, 64 * 512> q;
  alignas(1024) cute::array<cutlass::bfloat16_t, 64 * KPE> qpe;
};
template <int KPE, int STAGES>
__global__ void mla(float* o) { extern __shared__ char raw[]; o[threadIdx.x] = raw[threadIdx.x]; }
template <int KPE, int STAGES>
void launch(float* o) {
  auto* kern = &mla<KPE, STAGES>;
  int smem = sizeof(SharedStorage<KPE, STAGES>);
  cudaFuncSetAttribute(kern, cudaFuncAttributeMaxDynamicSharedMemorySize, smem);
  kern<<<1, 128, smem>>>(o);
}
void go(float* o) { launch<128, 2>(o); }
