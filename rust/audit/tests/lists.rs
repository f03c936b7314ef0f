//! Launches whose block or arguments are put together before: `cudaLaunchKernel` and its kin with a list of pointers, a `dim3` by its members. And
//! slices by `threadIdx.x` in other words, in kernels whose bound stands behind a macro.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

fn codes(text: &str) -> Vec<Code> {
    let sources = Sources { files: vec![Source::new("a.cu", text.into())], unreadable: vec![] };
    audit_sources(sources, None).findings.into_iter().map(|finding| finding.code).collect()
}

/// A kernel that slices for 256 threads.
fn kernel(before: &str, bounds: &str, slice: &str, launch: &str) -> String {
    format!(
        "#include <cute/tensor.hpp>
using namespace cute;
{before}
template <class T> __global__ {bounds} void k(T const* p, int n) {{
  auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, T>{{}}, Layout<Shape<_32, _8>, Stride<_8, _1>>{{}}, Layout<Shape<_1, _8>>{{}});
  {slice}
  auto s = t.partition_S(make_tensor(make_gmem_ptr(p), Layout<Shape<_32, _64>, Stride<_64, _1>>{{}}));
  clear(s);
}}
__global__ void bare(half_t const* p) {{
  auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, Layout<Shape<_32, _8>, Stride<_8, _1>>{{}}, Layout<Shape<_1, _8>>{{}});
  auto t = copy.get_slice(threadIdx.x);
  auto s = t.partition_S(make_tensor(make_gmem_ptr(p), Layout<Shape<_32, _64>, Stride<_64, _1>>{{}}));
  clear(s);
}}
void run(half_t const* p, int n, cudaStream_t st, void** others, int which) {{ {launch} }}"
    )
}

const SLICE: &str = "auto t = copy.get_slice(threadIdx.x);";

fn launched(launch: &str) -> Vec<Code> {
    codes(&kernel("", "", SLICE, launch))
}

#[test]
fn launches_with_a_list_of_pointers() {
    let list = "void* list[] = {&p, (void*)&n};";
    for launch in [
        "cudaLaunchKernel((void const*)k<half_t>, dim3(1), dim3(B), list, 0, st);",
        "cudaLaunchKernel(&k<half_t>, 1, B, list, 0, st);",
        "cudaLaunchKernel(reinterpret_cast<void const*>(&k<half_t>), dim3(1), dim3(B), list);",
        "cudaLaunchCooperativeKernel((void*)k<half_t>, dim3(1), dim3(B), list);",
        "cutlass::ClusterLauncher::launch(dim3(1), dim3(1), dim3(B), 0, st, (void const*)k<half_t>, list);",
        "cudaLaunchConfig_t c = {0}; c.blockDim = dim3(B); cudaLaunchKernelExC(&c, (void*)k<half_t>, list);",
        "cutlass::launch_kernel_on_cluster({dim3(1), dim3(B), dim3(1), 0}, (void const*)&k<half_t>, p, n);",
        "dim3 block(B); cudaLaunchKernel((void*)k<half_t>, dim3(1), block, list, 0, st);",
        "auto kernel = &k<half_t>; cudaLaunchKernel(kernel, dim3(1), dim3(B), list, 0, st);",
        // What the kernel is given is not known, and how many threads it has is.
        "cudaLaunchKernel((void*)k<half_t>, dim3(1), dim3(B), others, 0, st);",
        "void* one[] = {(void*)&bare}; cudaLaunchKernel((void*)bare, dim3(1), dim3(B), one + 1, 0, st);",
    ] {
        for (block, expected) in
            [("128", vec![Code::BlockThreads]), ("256", vec![]), ("512", vec![Code::BlockBeyond]), ("32 * n", vec![])]
        {
            assert_eq!(launched(&format!("{list} {}", launch.replace('B', block))), expected, "{launch} {block}");
        }
    }
    for launch in [
        // Another function's.
        "launch(dim3(1), dim3(1), dim3(128), 0, st, (void const*)k<half_t>, list);",
        "Other::launch(dim3(1), dim3(1), dim3(128), 0, st, (void const*)k<half_t>, list);",
        "cudaLaunchKernel(others[0], dim3(1), dim3(128), list, 0, st);",
        "cudaLaunchKernel((void*)which_one(n), dim3(1), dim3(128), list, 0, st);",
        "if (size(Layout<_8>{}) > 8) cudaLaunchKernel((void*)k<half_t>, dim3(1), dim3(128), list, 0, st);",
    ] {
        assert!(launched(&format!("{list} {launch}")).is_empty(), "{launch}");
    }
}

#[test]
fn blocks_by_their_members() {
    let launch = "k<half_t><<<1, b>>>(p, n);";
    for (block, expected) in [
        ("dim3 b; b.x = 128;", Some(Code::BlockThreads)),
        ("dim3 b; b.x = 256;", None),
        ("dim3 b; b.x = 256; b.y = 1; b.z = 1;", None),
        ("dim3 b; b.x = 512;", Some(Code::BlockBeyond)),
        ("dim3 b; b.y = 256;", Some(Code::BlockThreads)),
        ("dim3 b(64, 2); b.x = 256;", None),
        // A function may take it by reference.
        ("dim3 b(256); b.x = 64; f(b.x);", None),
        ("constexpr int kThreads = 128; dim3 b; b.x = kThreads;", Some(Code::BlockThreads)),
        // It is not known which of them counts.
        ("dim3 b; b.x = 128; b.x = 256;", None),
        ("dim3 b; b.x = 128; b.x *= 2;", None),
        ("dim3 b; b.x = 128; if (n > 3) { b.x = 256; }", None),
        ("dim3 b; if (n > 3) { b.x = 128; }", None),
        ("dim3 b; b.x = 128; set(&b);", None),
        ("dim3 b; b.x = 128; b = dim3(256);", None),
        ("dim3 b; b.x = n;", None),
        ("dim3 b; auto set = [&] { b.x = 128; };", None),
    ] {
        let expected: Vec<Code> = expected.into_iter().collect();
        assert_eq!(launched(&format!("{block} {launch}")), expected, "{block}");
        let listed = "void* list[] = {&p, &n}; cudaLaunchKernel((void*)k<half_t>, dim3(1), b, list, 0, st);";
        assert_eq!(launched(&format!("{block} {listed}")), expected, "{block}");
    }
}

#[test]
fn bounds_behind_macros() {
    for (before, bounds, expected) in [
        ("#define BOUNDS(n) __launch_bounds__(n)", "BOUNDS(128)", true),
        ("#define BOUNDS(n) __launch_bounds__(n)", "BOUNDS(256)", false),
        ("#define BOUNDS(n, m) __launch_bounds__(n, m)", "BOUNDS(kThreads, 2)", true),
        ("#define BOUNDS __launch_bounds__(128, 2)", "BOUNDS", true),
        ("#define BOUNDS __launch_bounds__(kThreads) // one block", "BOUNDS", true),
        ("#define BOUNDS __launch_bounds__(4 * kWarps * 32)", "BOUNDS", true),
        ("#define BOUNDS __launch_bounds__(Traits::kThreads)", "BOUNDS", true),
        ("#define BOUNDS __launch_bounds__(unknown)", "BOUNDS", false),
        ("#define BOUNDS(n) __launch_bounds__(n * 2)", "BOUNDS(64)", false),
        ("#if A\n#define BOUNDS __launch_bounds__(128)\n#else\n#define BOUNDS\n#endif", "BOUNDS", false),
    ] {
        let before = format!(
            "constexpr int kThreads = 128, kWarps = 1; struct Traits {{ static constexpr int kThreads = 128; }};\n{before}"
        );
        let found = codes(&kernel(&before, bounds, SLICE, "k<half_t>(p);"));
        let found = found.contains(&Code::Launch);
        assert_eq!(found, expected, "{before} {bounds}");
    }
}

#[test]
fn slices_by_the_index_of_a_thread() {
    for (slice, expected) in [
        ("auto t = copy.get_thread_slice(int(threadIdx.x));", true),
        ("auto t = copy.get_slice(static_cast<int>(threadIdx.x));", true),
        ("auto t = copy.get_slice((int)threadIdx.x);", true),
        ("uint32_t const tid{threadIdx.x}; auto t = copy.get_slice(tid);", true),
        ("int const tid = static_cast<int>(threadIdx.x); auto t = copy.get_slice(tid);", true),
        ("int tid = cutlass::gemm::threadblock::RematerializeThreadIdxX(); auto t = copy.get_slice(tid);", true),
        ("auto t = copy.get_slice(int(threadIdx.x) + 128);", false),
        ("auto t = copy.get_slice(int(threadIdx.x + 128));", false),
        ("auto t = copy.get_slice(f(threadIdx.x));", false),
        ("uint32_t tid{threadIdx.x}; tid += 128; auto t = copy.get_slice(tid);", false),
        ("int tid = int(threadIdx.x) * 2; auto t = copy.get_slice(tid);", false),
        ("auto t = copy.get_slice(threadIdx.x + threadIdx.y * blockDim.x);", false),
    ] {
        let launch = "k<half_t>(p, n);";
        let text = kernel("", "__launch_bounds__(128)", slice, launch);
        let found = codes(&text).contains(&Code::Launch);
        assert_eq!(found, expected, "{slice}");
        let right = codes(&kernel("", "__launch_bounds__(256)", slice, launch));
        assert!(!right.contains(&Code::Launch), "{slice}");
    }
}
