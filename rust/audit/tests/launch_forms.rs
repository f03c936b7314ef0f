//! Launches in other words: kernels by their addresses and in arrays, macros that launch, and blocks that functions count.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

/// A kernel that slices for 256 threads, one for 512, and a template of which each slices for as many as its argument says.
const KERNELS: &str = "
template <int N>
__global__ void kernel(float* p) {
  Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<Int<N / 2>,_8>>{});
  auto c = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<Int<N / 8>,_8>>{}, Layout<Shape<_4,_1>>{});
  clear(c.get_slice(threadIdx.x).partition_D(g));
}
__global__ void k(float* p) {
  Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_128,_8>>{});
  auto c = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_32,_8>>{}, Layout<Shape<_4,_1>>{});
  clear(c.get_slice(threadIdx.x).partition_D(g));
}
__global__ void wide(float* p) {
  Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_256,_8>>{});
  auto c = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_64,_8>>{}, Layout<Shape<_4,_1>>{});
  clear(c.get_slice(threadIdx.x).partition_D(g));
}
";

fn of(run: &str, threads: u32) -> Vec<Code> {
    codes(&format!("{KERNELS}{}", run.replace('@', &threads.to_string())))
}

/// An error with 128 threads, and none with 256 or 512.
fn found(all: &[&str]) {
    for run in all {
        assert_eq!(of(run, 128), [Code::BlockThreads], "{run}");
        let right = of(run, 256).into_iter().chain(of(run, 512)).filter(|code| *code != Code::BlockBeyond);
        assert_eq!(right.collect::<Vec<_>>(), [], "{run}");
    }
}

fn silent(all: &[&str]) {
    for run in all {
        assert_eq!(of(run, 128), [], "{run}");
    }
}

#[test]
fn addresses_of_kernels() {
    found(&[
        "void run(float* p) { auto f = &k; f<<<1, @>>>(p); }",
        "void run(float* p) { constexpr auto f = &k; f<<<1, @>>>(p); }",
        "void run(float* p) { void (*f)(float*) = &k; f<<<1, @>>>(p); }",
        "void run(float* p) { void (*f)(float*) = k; f<<<1, @>>>(p); }",
        "void run(float* p) { (&k)<<<1, @>>>(p); }",
        "using K = void (*)(float*);\nvoid run(float* p) { K f = &::k; f<<<1, @>>>(p); }",
        "template <class F> void launch(F f, float* p) { f<<<1, @>>>(p); }\nvoid run(float* p) { launch(&k, p); }",
        "void run(float* p, bool b) { auto f = b ? &k : &wide; f<<<1, @>>>(p); }",
    ]);
    silent(&[
        // Which one it is then is not known.
        "void run(float* p, bool b) { auto f = &k; if (b) f = &narrow; f<<<1, @>>>(p); }",
        "void run(float* p, bool b) { void (*f)(float*) = &k; if (b) f = &narrow; f<<<1, @>>>(p); }",
        "void run(float* p, bool b) { auto f = b ? &k : &other; f<<<1, @>>>(p); }",
        // The address of a variable is no kernel.
        "void run(float* p, K k) { auto f = &k; (*f)<<<1, @>>>(p); }",
        "void run(float* p, K other) { auto k = other; auto f = &k; f<<<1, @>>>(p); }",
    ]);
}

#[test]
fn arrays_of_kernels() {
    found(&[
        "void run(float* p, int i) { constexpr std::array<void (*)(float*), 2> table = {kernel<256>, kernel<512>}; table[i]<<<1, @>>>(p); }",
        "using K = void (*)(float*);\nvoid run(float* p, int i) { const std::array<K, 2> table{{&kernel<256>, &kernel<512>}}; table[i]<<<1, @>>>(p); }",
        "using K = void (*)(float*);\nconstexpr std::array<K, 2> table = {&k, &wide};\nvoid run(float* p, int i) { table[i]<<<1, @>>>(p); }",
        "using K = void (*)(float*);\nconstexpr std::array table{&k, &wide};\nvoid run(float* p, int i) { table.at(i)<<<1, @>>>(p); }",
        "using K = void (*)(float*);\nstatic const K table[] = {&k, &wide};\nvoid run(float* p, int i) { auto f = table[i]; f<<<1, @>>>(p); }",
    ]);
    silent(&[
        "using K = void (*)(float*);\nstd::array<K, 2> table = {&k, &wide};\nvoid run(float* p, int i) { table[i]<<<1, @>>>(p); }",
        "using K = void (*)(float*);\nconstexpr std::array<K, 2> table = {&k, &other};\nvoid run(float* p, int i) { table[i]<<<1, @>>>(p); }",
        "using K = void (*)(float*);\nconstexpr std::array<K, 2> table = {kernel<256>, kernel<128>};\nvoid run(float* p, int i) { table[i]<<<1, @>>>(p); }",
    ]);
}

#[test]
fn macros_that_launch() {
    found(&[
        "#define LAUNCH(N) kernel<N><<<1, @>>>(p)\nvoid run(float* p) { LAUNCH(256); }",
        "#define LAUNCH(N, T) kernel<N><<<1, T>>>(p)\nvoid run(float* p) { LAUNCH(256, @); }",
        "#define LAUNCH(KERNEL, T) KERNEL<<<dim3(1), dim3(T)>>>(p)\nvoid run(float* p) { LAUNCH(kernel<256>, @); }",
        "#define LAUNCH(N) \\\n  do { \\\n    kernel<N><<<1, @>>>(p); \\\n    cudaGetLastError(); \\\n  } while (0)
         void run(float* p, int n) { switch (n) { case 256: LAUNCH(256); break; default: LAUNCH(256); } }",
        "#define LAUNCH(N) { constexpr int threads = @ * (N / 256); kernel<N><<<1, threads>>>(p); }\nvoid run(float* p) { LAUNCH(256); }",
        "void run(float* p) {\n#define LAUNCH(N) kernel<N><<<1, @>>>(p)\n  LAUNCH(256);\n#undef LAUNCH\n}",
        "#define LAUNCH(N) kernel<N><<<1, @>>>(p)\ntemplate <int N> void run(float* p) { LAUNCH(N); }\ntemplate void run<256>(float*);",
    ]);
    silent(&[
        "#define LAUNCH(N) kernel<N><<<1, N>>>(p)\nvoid run(float* p) { LAUNCH(256); LAUNCH(512); }",
        // One that nobody uses, or only where it is right.
        "#define LAUNCH(N) kernel<N><<<1, @>>>(p)\nvoid run(float* p) { LAUNCH(128); }",
        "#define LAUNCH(N) kernel<N><<<1, @>>>(p)\nvoid run(float* p) { if constexpr (false) { LAUNCH(256); } }",
        "#define LAUNCH(N) kernel<N><<<1, @>>>(p)\n#undef LAUNCH\n#define LAUNCH(N) kernel<N><<<1, N>>>(p)\nvoid run(float* p) { LAUNCH(256); }",
        // What the function around has by that name.
        "constexpr int threads = @;\n#define LAUNCH(N) kernel<N><<<1, threads>>>(p)\nvoid run(float* p) { const int threads = 256; LAUNCH(256); }",
        "#define LAUNCH(N) kernel<256><<<1, N * 2>>>(p)\nvoid run(float* p) { LAUNCH(96 + 80); }",
        "#define LAUNCH(T) k<<<1, T>>>(p)\nvoid run(float* p) { auto k = other; LAUNCH(@); }",
        "#define LAUNCH(N) { constexpr int threads = N; k<<<1, threads * twice>>>(p); }\nconstexpr int twice = 1;\nvoid run(float* p) { const int twice = 2; LAUNCH(@); }",
        "#define LAUNCH(N) { int threads = @; threads *= 2; kernel<N><<<1, threads>>>(p); }\nvoid run(float* p) { LAUNCH(256); }",
        "#define LAUNCH(N) if (N == 128) kernel<N><<<1, @>>>(p)\nvoid run(float* p) { LAUNCH(256); }",
        "#define LAUNCH(N) kernel<N * 2><<<1, @ * (N / 64)>>>(p)\nvoid run(float* p, int n) { LAUNCH(128); }",
    ]);
}

#[test]
fn blocks_that_functions_count() {
    found(&[
        "constexpr int threads(int n) { switch (n) { case 256: return @; case 512: return 512; default: return 128; } }\nvoid run(float* p) { kernel<256><<<1, threads(256)>>>(p); }",
        "constexpr int threads(int n) { int t = 0; switch (n) { case 64: case 256: t = @; break; case 512: { t = 512; break; } default: t = 128; } return t; }\nvoid run(float* p) { kernel<256><<<1, threads(256)>>>(p); }",
        "constexpr int threads(int n) { switch (n) { case 64: return 1; } return @; }\ntemplate <int N> void run(float* p) { kernel<N><<<1, threads(N)>>>(p); }\ntemplate void run<256>(float*);",
        "constexpr int threads(int n) { switch (n) { default: return @; case 64: return 1; } }\nvoid run(float* p) { kernel<256><<<1, threads(256)>>>(p); }",
        "void run(float* p) { kernel<256><<<1, 1 << __builtin_ctz(@)>>>(p); }",
        "void run(float* p) { kernel<256><<<1, 1 << cute::log_2(@u)>>>(p); }",
        "void run(float* p) { constexpr int threads = cute::bit_ceil(@u); kernel<256><<<1, threads>>>(p); }",
        "void run(float* p) { kernel<256><<<1, @ * __builtin_popcount(4)>>>(p); }",
    ]);
    silent(&[
        // One case runs on into the next, or leaves from within.
        "constexpr int threads(int n) { int t = 0; switch (n) { case 256: t = @; case 512: t *= 2; break; default: t = 1; } return t; }\nvoid run(float* p) { kernel<256><<<1, threads(256)>>>(p); }",
        "constexpr int threads(int n) { int t = @; switch (n) { case 256: if (n > 4) break; t = 64; break; default: t = 1; } return t * 2; }\nvoid run(float* p) { kernel<256><<<1, threads(256)>>>(p); }",
        "constexpr int threads(int n) { switch (n) { case 64: return @; default: return 256; } }\nvoid run(float* p) { kernel<256><<<1, threads(256)>>>(p); }",
        "void run(float* p) { kernel<256><<<1, 1 << mine::log_2(@u)>>>(p); }",
    ]);
}

#[test]
fn swizzles_that_functions_return() {
    for function in [
        "constexpr auto swizzle() { return Swizzle<3,3,@>{}; }",
        "struct T { static constexpr auto swizzle() { return Swizzle<3,3,@>{}; } };",
        "template <int B> constexpr auto swizzle() { return Swizzle<B,3,@>{}; }\nusing L = decltype(swizzle<3>());",
    ] {
        let of = |shift: &str| codes(&format!("using A = Layout<_8>;\n{}", function.replace('@', shift)));
        assert_eq!(of("2"), [Code::Swizzle], "{function}");
        assert_eq!(of("3"), [], "{function}");
    }
    // One of two, of which the other may be the one that is made; and one of somebody's own.
    for text in [
        "template <int B> constexpr auto swizzle() { if constexpr (B > 3) { return Swizzle<3,3,2>{}; } else { return Swizzle<2,3,2>{}; } }",
        "namespace mine { template <int B, int M, int S> struct Swizzle {}; constexpr auto swizzle() { return Swizzle<3,3,2>{}; } }",
    ] {
        assert_eq!(codes(&format!("using A = Layout<_8>;\n{text}")), [], "{text}");
    }
}
