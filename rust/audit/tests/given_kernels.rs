//! Kernels that a function is given: `launch(kernel<float>, 128, p)`, with blocks that it is given too.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

/// A kernel that slices for 256 threads, one for 128, and a function that launches what it is given.
fn text(launch: &str, run: &str) -> String {
    let kernel = |name: &str, rows: u32| {
        format!(
            "template <class T> __global__ void {name}(T* p) {{
               Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<Int<4 * {rows}>,_8>>{{}});
               auto c = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{{}}, Layout<Shape<Int<{rows}>,_8>>{{}}, Layout<Shape<_4,_1>>{{}});
               clear(c.get_slice(threadIdx.x).partition_D(g));
             }}"
        )
    };
    format!(
        "{} {} {launch} void run(float* p, bool big, cudaStream_t s) {{ {run} }}",
        kernel("large", 32),
        kernel("small", 16)
    )
}

#[test]
fn kernels_that_are_arguments() {
    for (launch, run) in [
        (
            "template <class F, class... Args> void launch(F k, int threads, Args... args) { k<<<1, threads>>>(args...); }",
            "launch(large<float>, @, p);",
        ),
        (
            "template <class F, class... Args> void launch(F&& k, dim3 grid, dim3 block, Args&&... args) {
            cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 0);
            k<<<grid, block>>>(std::forward<Args>(args)...); }",
            "launch(&large<float>, dim3(1), dim3(@), p);",
        ),
        (
            "template <class F> void launch(F k, dim3 const& block, float* p) { k<<<1, block>>>(p); }",
            "dim3 block(@); launch(large<float>, block, p);",
        ),
        (
            "template <class F> void inner(F k, int n, float* p) { k<<<1, n>>>(p); }
          template <class F> void launch(F k, int n, float* p) { inner(k, n, p); }",
            "launch(large<float>, @, p);",
        ),
        (
            "template <auto Kernel, int kThreads, class... Args> void launch(Args... args) { Kernel<<<1, kThreads>>>(args...); }",
            "launch<large<float>, @>(p);",
        ),
        (
            "template <class F> void launch(F k, int threads, float* p) {
            void* args[] = {&p}; cudaLaunchKernel((void*) k, dim3(1), dim3(threads), args, 0, 0); }",
            "launch(large<float>, @, p);",
        ),
    ] {
        let of = |threads: &str| codes(&text(launch, &run.replace('@', threads)));
        assert_eq!(of("128"), [Code::BlockThreads], "{launch} {run}");
        assert!(of("256").is_empty(), "{launch} {run}");
    }
}

#[test]
fn which_kernel_is_given_may_not_be_known() {
    let launch = "template <class F> void launch(F k, int threads, float* p) { @ k<<<1, threads>>>(p); }";
    let plain = launch.replace('@', "");
    for (launch, run) in [
        // Each with its own block.
        (plain.as_str(), "launch(large<float>, 256, p); launch(small<float>, 128, p);"),
        (&plain, "launch(big ? large<float> : small<float>, big ? 256 : 128, p);"),
        (&plain, "auto k = large<float>; if (!big) k = small<float>; launch(k, 128, p);"),
        (&plain, "void (*k)(float*) = large<float>; if (!big) k = small<float>; k<<<1, 128>>>(p);"),
        (&plain, "void (*k)(float*) = &large<float>; if (!big) k = &small<float>; k<<<1, 128>>>(p);"),
        (&plain, "if (false) launch(large<float>, 128, p);"),
        (&launch.replace('@', "k = small<float>;"), "launch(large<float>, 128, p);"),
        (&launch.replace('@', "threads *= 2;"), "launch(large<float>, 128, p);"),
        (&launch.replace('@', "if (threads == 128) return;"), "launch(large<float>, 128, p);"),
        (
            "template <class F> void launch(F k, dim3 block, float* p) { block.x *= 2; k<<<1, block>>>(p); }",
            "launch(large<float>, dim3(128), p);",
        ),
        (
            "template <class F> void launch(F k, dim3 block, float* p) { grow(block); k<<<1, block>>>(p); }",
            "launch(large<float>, dim3(128), p);",
        ),
        // Of a pack, who is who is not told.
        (
            "template <class... F> void launch(int n, float* p, F... k) { (k<<<1, n>>>(p), ...); }",
            "launch(128, p, small<float>);",
        ),
    ] {
        let found = codes(&text(launch, run));
        assert!(found.is_empty(), "{found:?} {launch} {run}");
    }
}
