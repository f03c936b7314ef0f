// NVIDIA/cutlass#2740
#include <cute/tensor.hpp>
using namespace cute;
struct MyMMA_16x8x16 {
  using DRegisters = double[4]; using ARegisters = double[8]; using BRegisters = double[4]; using CRegisters = double[4];
  CUTE_HOST_DEVICE static void fma(double& d0, double& d1, double& d2, double& d3, double const (&a)[8], double const (&b)[4], double const (&c)[4]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64.rn {%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%16,%17,%18,%19};\n"
      : "=d"(d0), "=d"(d1), "=d"(d2), "=d"(d3)
      : "d"(a[0]), "d"(a[2]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
        "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
  }
};
