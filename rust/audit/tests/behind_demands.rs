//! Launches and descriptors that a function makes behind what it demands, and values that take another way to them: a local copy of a block's
//! index, a default argument, the type of an object, a member of a namespace by another name.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

fn found(code: Code, text: &str) {
    assert!(codes(text).contains(&code), "{code:?} {:?} of {text}", codes(text));
}

fn silent(code: Code, text: &str) {
    assert!(!codes(text).contains(&code), "{code:?} of {text}");
}

/// A kernel whose copy has 256 threads, and a function that launches it with a block.
fn launched(guard: &str, head: &str, block: &str, before: &str) -> String {
    format!(
        "template <class TiledCopy> __global__ void kernel(float* A, int m, int n, TiledCopy copy_a) {{
  {guard}
  Tensor gA = make_tensor(make_gmem_ptr(A), Layout<Shape<_128,_8>>{{}});
  clear(copy_a.get_slice(threadIdx.x).partition_D(gA));
}}
{head} {{
  auto copyA = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{{}}, Layout<Shape<_32,_8>>{{}}, Layout<Shape<_4,_1>>{{}});
  {before}
  kernel<<<1, {block}>>>(A, m, n, copyA);
}}
"
    )
}

const RUN: &str = "void run(float* A, int m, int n)";

#[test]
fn what_a_function_demands_of_a_size_holds_for_some() {
    for demand in [
        "assert(n % 128 == 0);",
        "TORCH_CHECK(m > 0 && n == 64, \"sizes\");",
        "auto* p = A; assert(is_aligned(p));",
        "auto p = A; CHECK(aligned(p, 16));",
    ] {
        found(Code::BlockThreads, &launched("", RUN, "128", demand));
        silent(Code::BlockThreads, &launched("", RUN, "256", demand));
    }
    // A constant that fails, and a flag that may say which block it is.
    for demand in ["assert(128 % 256 == 0);", "constexpr int k = 128; CHECK(k == 256);"] {
        silent(Code::BlockThreads, &launched("", RUN, "128", demand));
    }
    let given = "template <int kThreads> void run(float* A, int m, int n)";
    let of = |demand: &str, call: &str| format!("{}{call}", launched("", given, "kThreads", demand));
    found(
        Code::BlockThreads,
        &of("const int k = n; assert(k % kThreads == 0);", "void go(float* A) { run<128>(A, 1, 2048); }"),
    );
    silent(Code::BlockThreads, &of("assert(kThreads == 256);", "void go(float* A) { run<128>(A, 1, 2048); }"));
    silent(Code::BlockThreads, &of("assert(takes(kThreads));", "void go(float* A) { run<128>(A, 1, 2048); }"));
}

#[test]
fn what_a_kernel_demands_of_a_block() {
    for guard in [
        "assert(n % 8 == 0);",
        "int row = blockIdx.y; if (row * 128 >= m) return;",
        "const int row = blockIdx.y, column = blockIdx.x; if (128 * row >= m || column >= n) return;",
    ] {
        found(Code::BlockThreads, &launched(guard, RUN, "128", ""));
        silent(Code::BlockThreads, &launched(guard, RUN, "256", ""));
    }
    for guard in [
        "if (n == 3) return;",
        "int row = blockIdx.y; row += n; if (row >= m) return;",
        "int row = blockIdx.y; if (row % 2 >= m) return;",
        "int row = blockIdx.y + n; if (row >= m) return;",
        "int row = blockIdx.y; if (row * 128 < m) return;",
    ] {
        silent(Code::BlockThreads, &launched(guard, RUN, "128", ""));
    }
}

#[test]
fn a_type_of_the_function_itself_is_nobody_elses() {
    let text = |head: &str, alias: &str, before: &str, more: &str| {
        format!(
            "template <class TiledMma> __global__ void kernel(half_t* C) {{
  Tensor gC = make_tensor(make_gmem_ptr(C), Layout<Shape<_64,_64>>{{}});
  TiledMma mma;
  auto t = mma.get_slice(threadIdx.x).partition_C(gC);
  clear(t);
}}
using Two = decltype(make_tiled_mma(SM80_16x8x16_F16F16F16F16_TN{{}}, Layout<Shape<_2,_1,_1>>{{}}));
using Four = decltype(make_tiled_mma(SM80_16x8x16_F16F16F16F16_TN{{}}, Layout<Shape<_4,_1,_1>>{{}}));
struct Small {{ using Mma = Two; }};
struct Large {{ using Mma = Four; }};
{head} {{
  using Mma = {alias};
  {before}
  kernel<Mma><<<1, 64>>>(C);
}}
{more}"
        )
    };
    let plain = "void run(half_t* C, int m, int n)";
    for before in ["if (m == 0 || n % 128 != 0) return;", "if (n > 8) throw std::runtime_error(\"n\");"] {
        found(Code::BlockThreads, &text(plain, "Four", before, ""));
        silent(Code::BlockThreads, &text(plain, "Two", before, ""));
    }
    // What comes with the type may say when it is launched.
    let given = "template <class Traits> void run(half_t* C, int m, int n)";
    let calls = "void go(half_t* C, int n) { if (n < 9) run<Small>(C, 1, n); else run<Large>(C, 1, n); }";
    silent(Code::BlockThreads, &text(given, "typename Traits::Mma", "if (n > 8) return;", calls));
    found(Code::BlockThreads, &text(given, "typename Traits::Mma", "", calls));
}

#[test]
fn default_arguments_and_types_of_objects() {
    let run = "void run(float* A, int m, int n, int threads = 128)";
    found(Code::BlockThreads, &format!("{}void go(float* A) {{ run(A, 1, 2); }}", launched("", run, "threads", "")));
    silent(
        Code::BlockThreads,
        &format!("{}void go(float* A) {{ run(A, 1, 2, 256); }}", launched("", run, "threads", "")),
    );
    silent(
        Code::BlockThreads,
        &format!("{}void go(float* A) {{ run(A, 1, 2); }}", launched("", run, "threads", "if (m) threads = 256;")),
    );
    let object = |threads: u32| {
        format!(
            "template <class Config> __global__ void kernel(float* A) {{
  Tensor gA = make_tensor(make_gmem_ptr(A), Layout<Shape<_128,_8>>{{}});
  typename Config::Copy copy_a;
  clear(copy_a.get_slice(threadIdx.x).partition_D(gA));
}}
template <class T, int kStages> struct Config {{
  using Copy = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, T>{{}}, Layout<Shape<_32,_8>>{{}}, Layout<Shape<_4,_1>>{{}}));
}};
void run(float* A) {{ Config<float, 3> config; kernel<decltype(config)><<<1, {threads}>>>(A); }}
"
        )
    };
    found(Code::BlockThreads, &object(128));
    silent(Code::BlockThreads, &object(256));
}

#[test]
fn blocks_that_no_device_takes_and_switches_of_types() {
    let kernel = |threads: &str, launch: &str| {
        format!(
            "template <class Threads> __global__ void kernel(float* A, Threads tA) {{
  Tensor gA = make_tensor(make_gmem_ptr(A), Layout<Shape<_64,_64>>{{}});
  clear(local_partition(gA, tA, threadIdx.x));
}}
void run(float* A, torch::Tensor t) {{
  auto tA = make_layout({threads});
  {launch}
}}
"
        )
    };
    let launch = "dim3 block(size(tA)); kernel<<<1, block>>>(A, tA);";
    found(Code::BlockThreads, &kernel("make_shape(Int<64>{}, Int<64>{})", launch));
    silent(Code::BlockThreads, &kernel("make_shape(Int<32>{}, Int<32>{})", launch));
    let dispatch = "AT_DISPATCH_FLOATING_TYPES(t.scalar_type(), \"kernel\", [&] { kernel<<<1, 64>>>(A, tA); });";
    found(Code::BlockThreads, &kernel("make_shape(Int<16>{}, Int<8>{})", dispatch));
    silent(Code::BlockThreads, &kernel("make_shape(Int<8>{}, Int<8>{})", dispatch));
    silent(Code::BlockThreads, &kernel("make_shape(Int<16>{}, Int<8>{})", &dispatch.replace("AT_DISPATCH", "MAYBE")));
}

#[test]
fn values_that_are_only_tried_take_nothing_away() {
    let text = |threads: u32| {
        format!(
            "template <class TA, class Copy, class Alpha> __global__ void device(TA* A, Copy copy_a, Alpha alpha) {{
  Tensor gA = make_tensor(make_gmem_ptr(A), Layout<Shape<_128,_8>>{{}});
  clear(copy_a.get_slice(threadIdx.x).partition_D(gA));
}}
template <class TA, class Alpha> void gemm(TA* A, Alpha alpha) {{
  auto copyA = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, TA>{{}}, Layout<Shape<_32,_8>>{{}}, Layout<Shape<_4,_1>>{{}});
  device<<<1, {threads}>>>(A, copyA, alpha);
}}
void other() {{ using Alpha = float; auto l = make_layout(make_shape(Int<4>{{}}, Int<2>{{}})); }}
"
        )
    };
    found(Code::BlockThreads, &text(128));
    silent(Code::BlockThreads, &text(256));
}

/// A descriptor whose box is too wide for its swizzle, or not, by a wrapper.
fn descriptor(params: &str, before: &str, rank: &str, last: &str, run: &str) -> String {
    format!(
        "#include <cuda.h>
namespace kerutils {{
CUtensorMap make(const std::vector<uint64_t>& size, const std::vector<uint64_t>& strides, const std::vector<uint32_t>& box, void* p{params}) {{
  {before}
  std::vector<uint32_t> steps(2, 1);
  CUtensorMap map;
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, {rank}, p, size.data(), strides.data(), box.data(), steps.data(),
      {last}, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}}
}}
{run}
"
    )
}

#[test]
fn descriptors_by_other_ways() {
    const LAST: &str = "CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B";
    let default = ", CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B";
    let swizzled = "CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle";
    for box_size in [128, 64] {
        let call = |name: &str| {
            format!("CUtensorMap run(void* p) {{ return {name}::make({{512, 64}}, {{1024}}, {{{box_size}, 1}}, p); }}")
        };
        let renamed = format!("namespace ku = kerutils;\n{}", call("ku"));
        let texts = [
            descriptor("", "int dim = size.size();", "dim", LAST, &call("kerutils")),
            descriptor(
                "",
                "uint32_t dim = 2; CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;",
                "dim",
                swizzled,
                &call("kerutils"),
            ),
            descriptor(default, "", "2", swizzled, &call("kerutils")),
            descriptor("", "", "2", LAST, &renamed),
        ];
        for text in texts {
            if box_size == 128 { found(Code::TmaLimits, &text) } else { silent(Code::TmaLimits, &text) }
        }
        // What changes says nothing.
        silent(Code::TmaLimits, &descriptor("", "int dim = size.size(); --dim;", "dim", LAST, &call("kerutils")));
        silent(
            Code::TmaLimits,
            &descriptor(default, "if (p) swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;", "2", swizzled, &call("kerutils")),
        );
        let checked = format!(
            "struct Params {{ void* ptr; int d; }};
template <int D> CUtensorMap encode(const Params& p) {{ TORCH_CHECK(p.d == D, \"head\"); return kerutils::make({{512, 64}}, {{1024}}, {{D, 1}}, p.ptr); }}
CUtensorMap run(const Params& p) {{ return encode<{box_size}>(p); }}"
        );
        let text = descriptor("", "", "2", LAST, &checked);
        if box_size == 128 { found(Code::TmaLimits, &text) } else { silent(Code::TmaLimits, &text) }
    }
}

#[test]
fn threads_that_are_numbered_row_by_row() {
    let text = |number: &str, block: &str| {
        format!(
            "template <class TiledCopy> __global__ void gemv(half_t const* A, float* out) {{
  int tid = {number};
  Tensor gA = make_tensor(make_gmem_ptr(A), Layout<Shape<_4,_256>,Stride<_256,_1>>{{}});
  TiledCopy copy_a;
  auto tAgA = copy_a.get_slice(tid).partition_S(gA);
  auto tArA = make_tensor_like(tAgA);
  copy(copy_a, tAgA, tArA);
  out[tid] = tArA(0);
}}
void run(half_t const* A, float* out) {{
  using Copy = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, Layout<Shape<_4,_32>,Stride<_32,_1>>{{}}, Layout<Shape<_1,_8>>{{}}));
  dim3 block({block});
  gemv<Copy><<<1, block>>>(A, out);
}}
"
        )
    };
    for number in [
        "threadIdx.x + threadIdx.y * blockDim.x",
        "threadIdx.y * blockDim.x + threadIdx.x",
        "threadIdx.y * 32 + threadIdx.x",
    ] {
        found(Code::BlockThreads, &text(number, "32, 2"));
        silent(Code::BlockThreads, &text(number, "32, 4"));
    }
    // Rows of another length, a third extent, and a number that is counted otherwise.
    silent(Code::BlockThreads, &text("threadIdx.y * 32 + threadIdx.x", "16, 2"));
    silent(Code::BlockThreads, &text("threadIdx.x + threadIdx.y * blockDim.x", "32, 2, 2"));
    silent(Code::BlockThreads, &text("threadIdx.x + threadIdx.y * blockDim.x + 1", "32, 2"));
}
