//! Kernels that are functions of classes, or call them: `cutlass::device_kernel<Kernel>`, `op(params)`, `Kernel::run(p)`, static kernels of a
//! class; the number of the thread that is passed on; and what calls these for some threads or values alone, which is no finding.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

/// A copy by 256 threads, and another by 128.
const COPY: &str =
    "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_32,_8>>{}, Layout<Shape<_4,_1>>{})";
const SMALL: &str =
    "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_16,_8>>{}, Layout<Shape<_4,_1>>{})";

const PARAMS: &str = "struct Params { float* p; };";

/// Statements that take a slice of such a copy.
fn slice(copy: &str, pointer: &str, index: &str) -> String {
    format!(
        "Tensor g = make_tensor(make_gmem_ptr({pointer}), Layout<Shape<_128,_8>>{{}});
         auto c = {copy}; auto t = c.get_slice({index}); Tensor d = t.partition_D(g); clear(d);"
    )
}

/// A class whose objects are called, of CUTLASS's form.
fn class(more: &str, index: &str) -> String {
    let slice = slice(COPY, "params.p", index);
    format!(
        "{PARAMS} struct Op {{ {more} using Params = ::Params;
           CUTLASS_DEVICE void operator()(Params const& params, char* smem) {{ {slice} }} }};"
    )
}

/// A launch with 128 threads says something, and the same with 256 does not.
fn is_told(text: &str) {
    assert_eq!(codes(&text.replace('@', "128")), [Code::BlockThreads], "{text}");
    assert!(codes(&text.replace('@', "256")).is_empty(), "{text}");
}

fn is_left_alone(text: &str) {
    let found = codes(text);
    assert!(found.is_empty(), "{found:?} {text}");
}

#[test]
fn objects_that_cutlass_calls() {
    for launch in [
        "cutlass::device_kernel<Op><<<1, @>>>(p);",
        "dim3 block(@, 1, 1); cutlass::device_kernel<Op><<<dim3(1), block, 0, nullptr>>>(p);",
        "cutlass::ClusterLauncher::launch(1, 1, dim3(@), 0, nullptr, (void const*) cutlass::device_kernel<Op>, &p);",
        "cutlass::kernel_launch<Op>(dim3(1), dim3(@), 0, nullptr, p, false);",
        "auto kernel = &cutlass::device_kernel<Op>; kernel<<<1, @>>>(p);",
    ] {
        is_told(&format!("{} void run(Params p) {{ {launch} }}", class("", "threadIdx.x")));
    }
    // By what the adapter of a library is given.
    is_told(&format!(
        "{}
         template <class K> struct Adapter {{
           void run(typename K::Params p) {{
             dim3 const block = K::get_block_shape();
             cutlass::device_kernel<K><<<1, block, 0, nullptr>>>(p);
           }}
         }};
         void run(Params p) {{ Adapter<Op> adapter; adapter.run(p); }}",
        class(
            "static constexpr int kBlock = @; static dim3 get_block_shape() { return dim3(kBlock, 1, 1); }",
            "threadIdx.x"
        )
    ));
    // As CUTLASS's own adapter does it.
    is_told(&format!(
        "{}
         template <class K> struct Adapter {{
           static int run(typename K::Params& p, cudaStream_t stream = nullptr) {{
             dim3 const block(@);
             dim3 const grid(1, 1, 1);
             int smem_size = 0;
             void* kernel_params[] = {{&p}};
             if (smem_size > 48 << 10) {{
               auto result = cudaFuncSetAttribute(cutlass::device_kernel<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, smem_size);
               return int(result);
             }}
             cutlass::device_kernel<K><<<grid, block, smem_size, stream>>>(p);
             return 0;
           }}
         }};
         void run(Params p) {{ Adapter<Op>::run(p); }}",
        class("", "threadIdx.x")
    ));
    // The bound of such a kernel.
    let text = |most: u32| {
        let class = class(&format!("static constexpr uint32_t MaxThreadsPerBlock = {most};"), "threadIdx.x");
        codes(&format!("{class} void run(Params p) {{ cutlass::device_kernel<Op><<<1, 512>>>(p); }}"))
    };
    assert_eq!(text(256), [Code::BlockThreads]);
    assert_eq!(text(512), [Code::BlockBeyond]);
    // Another function of that name.
    is_left_alone(&format!(
        "{} namespace mine {{ template <class K> __global__ void device_kernel(Params p) {{ if (blockDim.x == 256) {{ K k; k(p, nullptr); }} }} }}
         void run(Params p) {{ mine::device_kernel<Op><<<1, 128>>>(p); }}",
        class("", "threadIdx.x")
    ));
}

#[test]
fn objects_and_functions_of_classes_that_kernels_call() {
    let class = format!(
        "{PARAMS} struct Op {{
           __device__ void operator()(Params const& params) {{ {} }}
           static __device__ void run(Params const& params) {{ {} }}
           template <int N> __device__ void go(Params const& params) const {{ {} }}
         }};
         template <class T> struct Heir : Op {{ }};",
        slice(COPY, "params.p", "threadIdx.x"),
        slice(COPY, "params.p", "threadIdx.x"),
        slice(COPY, "params.p", "threadIdx.x"),
    );
    for body in [
        "Op op; op(p);",
        "Op{}(p);",
        "Op op{}; op(p);",
        "auto op = Op{}; op(p);",
        "Op::run(p);",
        "Op op; op.template go<3>(p);",
    ] {
        is_told(&format!(
            "{class} template <class Op> __global__ void k(Params p) {{ {body} }}
             void run(Params p) {{ k<Op><<<1, @>>>(p); }}"
        ));
    }
    is_told(&format!(
        "{class} template <class Op> __global__ void k(Params p) {{ Op op; op(p); }}
         void run(Params p) {{ k<Heir<float>><<<1, @>>>(p); }}"
    ));
    for body in [
        "Op op; if (blockDim.x == 256) op(p);",
        "if (blockDim.x < 256) return; Op op; op(p);",
        "Op op; if (p.p) op(p);",
        "Op op; for (int i = 0; i < n(); ++i) op(p);",
    ] {
        is_left_alone(&format!(
            "{class} template <class Op> __global__ void k(Params p) {{ {body} }}
             void run(Params p) {{ k<Op><<<1, 128>>>(p); }}"
        ));
    }
}

/// An object that a function of a class calls, as CUTLASS's kernels do with their main loop.
#[test]
fn objects_that_functions_of_classes_call() {
    is_told(&format!(
        "struct Main {{
           float* p;
           __device__ Main(float* q) : p(q) {{}}
           template <class T> __device__ void operator()(T& sums, int thread_idx) {{ {} }}
         }};
         template <class Main> struct Op {{
           struct Params {{ float* p; }};
           CUTLASS_DEVICE void operator()(Params const& params, char* smem) {{
             int thread_idx = int(threadIdx.x);
             Main main(params.p);
             Tensor sums = make_tensor<float>(Layout<_4>{{}});
             main(sums, thread_idx);
           }}
         }};
         void run(float* p) {{ using K = Op<Main>; K::Params params{{p}}; cutlass::device_kernel<K><<<1, @>>>(params); }}",
        slice(COPY, "p", "thread_idx")
    ));
}

/// A launch in a function of a class, with the block that this is given.
#[test]
fn functions_of_classes_that_launch() {
    let kernel = format!("template <class T> __global__ void k(T* p) {{ {} }}", slice(COPY, "p", "threadIdx.x"));
    for run in [
        "struct Runner { void launch(float* p, int n) { k<float><<<1, n>>>(p); } };
         void run(float* p) { Runner r; r.launch(p, @); }",
        "template <class T> struct Runner { static void launch(T* p, int n) { k<T><<<1, n>>>(p); } };
         void run(float* p) { Runner<float>::launch(p, @); }",
        "struct Runner { void launch(float* p, dim3 block) { k<float><<<1, block>>>(p); }
           void run(float* p) { launch(p, dim3(@)); } };",
    ] {
        is_told(&format!("{kernel} {run}"));
    }
    for run in [
        "struct Runner { virtual void launch(float* p, int n) { k<float><<<1, n>>>(p); } };
         void run(float* p, Runner& r) { r.launch(p, 128); }",
        "struct Runner { void launch(float* p, int n) { n *= 2; k<float><<<1, n>>>(p); } };
         void run(float* p) { Runner r; r.launch(p, 128); }",
        "struct Runner { void launch(float* p, int n) { if (n < 256) return; k<float><<<1, n>>>(p); } };
         void run(float* p) { Runner r; r.launch(p, 128); }",
        "void launch(float* p, int n) { k<float><<<1, n>>>(p); }
         struct Runner { void launch(float* p, int n) { p[n] = 0; } void run(float* p) { launch(p, 128); } };",
        "struct Base { virtual int block() const = 0; };
         struct Runner : Base { int block() const { return 128; } void run(float* p) { k<float><<<1, block()>>>(p); } };",
        "struct Base { virtual dim3 block() const = 0; };
         struct Runner : Base { dim3 block() const { return dim3(128); } };
         void run(float* p, Runner const& r) { dim3 const block = r.block(); k<float><<<1, block>>>(p); }",
    ] {
        is_left_alone(&format!("{kernel} {run}"));
    }
}

#[test]
fn which_function_of_a_class_is_meant() {
    let slice = slice(COPY, "params.p", "threadIdx.x");
    let run = "template <class Op, class P> __global__ void k(P p) { Op op; op(p); }
               void run(Params p) { k<Op><<<1, 128>>>(p); }";
    for class in [
        // Another one takes what it is given.
        format!(
            "struct Op {{ __device__ void operator()(Params const& params, int) {{ {slice} }}
                   __device__ void operator()(Params const& params) {{ params.p[0] = 0; }} }};"
        ),
        // Which of these is meant, the types say.
        format!(
            "struct Op {{ __device__ void operator()(Params const& params) {{ {slice} }}
                   __device__ void operator()(float* p) {{ p[0] = 0; }} }};"
        ),
        // What another does is written elsewhere.
        format!(
            "struct Op {{ template <class T> __device__ void operator()(T const& params) {{ {slice} }}
                   __device__ void operator()(Params params); }};"
        ),
        // An heir has another.
        format!(
            "struct Base {{ __device__ void operator()(Params const& params) {{ {slice} }} }};
                 struct Op : Base {{ __device__ void operator()(Params const& params) {{ params.p[0] = 0; }} }};"
        ),
        format!("struct Op {{ __device__ virtual void operator()(Params const& params) {{ {slice} }} }};"),
    ] {
        is_left_alone(&format!("{PARAMS} {class} {run}"));
    }
    is_left_alone(&format!(
        "{PARAMS} template <class T> struct Op {{ __device__ void operator()(Params const& params) {{ {slice} }} }};
         template <> struct Op<double> {{ __device__ void operator()(Params const& params) {{ params.p[0] = 0; }} }};
         template <class Op> __global__ void k(Params p) {{ Op op; op(p); }}
         void run(Params p) {{ k<Op<double>><<<1, 128>>>(p); k<Op<float>><<<1, 256>>>(p); }}"
    ));
    // A name in a class means what the class has of it.
    is_left_alone(&format!(
        "{PARAMS} __device__ void load(Params params, int) {{ {slice} }}
         struct Op {{
           __device__ void load(Params p, int n) {{ p.p[n] = 0; }}
           __device__ void load(Params p, long n) {{ p.p[n] = 1; }}
           __device__ void operator()(Params p) {{ load(p, 3); Tensor t = make_tensor(p.p, Layout<_4>{{}}); }}
         }};
         {run}"
    ));
}

#[test]
fn kernels_of_classes() {
    let large = slice(COPY, "p", "threadIdx.x");
    let small = slice(SMALL, "p", "threadIdx.x");
    is_told(&format!(
        "struct Gemm {{
           template <class T> static __global__ void kernel(T* p) {{ {large} }}
           static void run(float* p) {{ kernel<float><<<1, @>>>(p); }}
         }};"
    ));
    is_told(&format!(
        "template <class T> struct Gemm {{ static __global__ void kernel(T* p) {{ {large} }} }};
         void run(float* p) {{ Gemm<float>::kernel<<<1, @>>>(p); }}"
    ));
    // The class's own, and not the one outside.
    is_left_alone(&format!(
        "__global__ void kernel(float* p) {{ {large} }}
         struct Gemm {{
           static __global__ void kernel(float* p) {{ {small} }}
           static void run(float* p) {{ kernel<<<1, 128>>>(p); }}
         }};
         void run(float* p) {{ kernel<<<1, 256>>>(p); }}"
    ));
}

#[test]
fn numbers_of_threads_that_are_passed_on() {
    let load = |index: &str, before: &str| {
        format!("__device__ void load(float* p, int tid) {{ {before} {} }}", slice(COPY, "p", index))
    };
    for (call, whole) in [
        ("load(p, threadIdx.x);", true),
        ("int tid = threadIdx.x; load(p, tid);", true),
        ("int tid = threadIdx.x; int all = tid + blockIdx.x * 128; load(p, tid);", true),
        // Another call has the numbers that are missing.
        ("load(p, threadIdx.x); load(p, threadIdx.x + 128);", false),
        ("load(p, threadIdx.x); for (int t = threadIdx.x + blockDim.x; t < 256; t += blockDim.x) load(p, t);", false),
        ("for (int t = threadIdx.x; t < 256; t += blockDim.x) load(p, t);", false),
        ("load(p, threadIdx.x % 64);", false),
        ("load(p, threadIdx.y);", false),
        ("if (threadIdx.x < 64) load(p, threadIdx.x);", false),
    ] {
        let text = format!("{} __global__ void k(float* p) {{ {call} }}", load("tid", ""));
        if whole {
            is_told(&format!("{text} void run(float* p) {{ k<<<1, @>>>(p); }}"));
        } else {
            is_left_alone(&format!("{text} void run(float* p) {{ k<<<1, 128>>>(p); }}"));
        }
    }
    for load in [load("tid", "tid += 128 * blockIdx.y;"), load("tid + 1", ""), load("tid", "if (tid > 64) return;")] {
        is_left_alone(&format!(
            "{load} __global__ void k(float* p) {{ load(p, threadIdx.x); }} void run(float* p) {{ k<<<1, 128>>>(p); }}"
        ));
    }
    // A narrow type has no room for it.
    let narrow = load("tid", "").replace("int tid", "uint8_t tid");
    is_left_alone(&format!(
        "{narrow} __global__ void k(float* p) {{ load(p, threadIdx.x); }} void run(float* p) {{ k<<<1, 128>>>(p); }}"
    ));
}

#[test]
fn bounds_of_kernels_that_call_what_slices() {
    let text = |bound: u32, call: &str| {
        codes(&format!(
            "{PARAMS} struct Op {{ static constexpr int kThreads = {bound};
               __device__ void operator()(Params const& params) {{ {} }} }};
             template <class Op> __global__ void __launch_bounds__(Op::kThreads) k(Params p) {{ Op op; {call} }}
             void run(Params p, int n) {{ k<Op><<<1, n>>>(p); }}",
            slice(COPY, "params.p", "threadIdx.x")
        ))
    };
    assert_eq!(text(128, "op(p);"), [Code::Launch]);
    assert!(text(256, "op(p);").is_empty());
    assert!(text(128, "if (blockDim.x > 128) op(p);").is_empty());
}

/// A tensor in a function that the kernel calls, by what the launch gives that.
#[test]
fn vectors_in_functions_that_are_called() {
    let text = |head: &str, test: &str, call: &str, stride: u32| {
        codes(&format!(
            "struct Args {{ half_t const* p; int m, n, ld; }};
             __device__ void load(half_t const* p, int m, int n, int ld, int tid) {{
               {head}
               auto c = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}},
                 Layout<Shape<_16,_8>, Stride<_8,_1>>{{}}, Layout<Shape<_1,_8>>{{}});
               Tensor whole = make_tensor(make_gmem_ptr(p), make_shape(m, n), make_stride(ld, _1{{}}));
               Tensor tile = local_tile(whole, Shape<_64,_64>{{}}, make_coord(blockIdx.x, blockIdx.y));
               auto t = c.get_slice(tid);
               Tensor s = t.partition_S(tile);
               Tensor r = make_fragment_like(s);
               {test} copy(c, s, r);
             }}
             struct Op {{
               CUTLASS_DEVICE void operator()(Args const& args, char* smem) {{ load(args.p, args.m, args.n, args.ld, threadIdx.x); }}
             }};
             __global__ void k(half_t const* p, int m, int n, int ld) {{ {call} }}
             void run(half_t const* p) {{
               k<<<dim3(16, 8), 128>>>(p, 1024, 512, {stride});
               Args args{{p, 1024, 512, {stride}}};
               cutlass::device_kernel<Op><<<dim3(16, 8), 128>>>(args);
             }}"
        ))
    };
    let call = "load(p, m, n, ld, threadIdx.x);";
    assert_eq!(text("", "", call, 516), [Code::Vectors]);
    assert_eq!(text("", "", "", 516), [Code::Vectors]);
    for (head, test, call, stride) in [
        ("", "", call, 520),
        ("ld = (ld + 7) / 8 * 8;", "", call, 516),
        ("if (ld % 8) return;", "", call, 516),
        ("", "if (ld % 8 == 0)", call, 516),
    ] {
        let found = text(head, test, call, stride);
        assert!(found.is_empty(), "{head} {test} {call} {found:?}");
    }
}
