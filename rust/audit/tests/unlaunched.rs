//! Kernels that nothing among the files launches: what they call may be sliced for more threads than `__launch_bounds__` allows.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

/// A kernel with a bound that calls a function with slices for 256 threads.
fn text(body: &str, head: &str, call: &str) -> Vec<Code> {
    let all = codes(&format!(
        "template <class T> __device__ void body(T* out, int tid) {{
  auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, T>{{}}, Layout<Shape<_32,_8>, Stride<_8,_1>>{{}}, Layout<Shape<_1,_8>>{{}});
  {body}
  clear(thr.partition_D(make_tensor(make_gmem_ptr(out), Layout<Shape<_64,_64>, Stride<_64,_1>>{{}})));
}}
{head} kern(half_t* out, int n) {{ {call} }}
"
    ));
    all.into_iter().filter(|code| *code == Code::Launch).collect()
}

const SLICE: &str = "auto thr = copy.get_slice(threadIdx.x);";
const CALL: &str = "body<half_t>(out, threadIdx.x);";

#[test]
fn slices_beyond_the_bound() {
    for (head, count) in [
        ("extern \"C\" __global__ __launch_bounds__(128) void", 1),
        ("__global__ void __launch_bounds__(64 * 2, 1)", 1),
        ("extern \"C\" __global__ __launch_bounds__(256) void", 0),
        ("__global__ void __launch_bounds__(512)", 0),
        ("__global__ void", 0),
        ("__global__ void __launch_bounds__(MAX_THREADS)", 0),
        ("__device__ void", 0),
        // Of both sides it must be wrong.
        (
            "#if A\nconstexpr int bound = 128;\n#else\nconstexpr int bound = 256;\n#endif\n__global__ void __launch_bounds__(bound)",
            0,
        ),
        // Nobody may make one.
        ("template <int N> __global__ void __launch_bounds__(128)", 0),
    ] {
        assert_eq!(text(SLICE, head, CALL).len(), count, "{head}");
        assert_eq!(text("auto thr = copy.get_slice(tid);", head, CALL).len(), count, "{head}");
    }
}

#[test]
fn calls_and_slices_that_are_left_alone() {
    let head = "extern \"C\" __global__ __launch_bounds__(128) void";
    for (body, call) in [
        (SLICE, "if (n) body<half_t>(out, threadIdx.x);"),
        (SLICE, "if (n > 4) return; body<half_t>(out, threadIdx.x);"),
        (SLICE, "other<half_t>(out, threadIdx.x);"),
        ("auto thr = copy.get_slice(tid);", "body<half_t>(out, threadIdx.x); body<half_t>(out, threadIdx.x + 128);"),
        ("auto thr = copy.get_slice(tid);", "body<half_t>(out, threadIdx.x % 32);"),
        ("auto thr = copy.get_slice(threadIdx.x); auto more = copy.get_slice(threadIdx.x + 128); use(more);", CALL),
        ("if (blockDim.x < 256) return; auto thr = copy.get_slice(threadIdx.x);", CALL),
    ] {
        assert_eq!(text(body, head, call), [], "{body} {call}");
    }
    // Where a launch is seen it says the same, once.
    let launched = format!("{CALL} }} void run(half_t* p) {{ kern<<<1, 128>>>(p, 4);");
    assert_eq!(text(SLICE, head, &launched).len(), 1);
}
