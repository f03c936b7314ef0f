//! What a template is given by way of what is not known, or not read at once: parameters that a layout does not hang on, macros that are switches
//! by other names or give types within types, and namespaces that come by several `using`s.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

fn found(code: Code, text: &str) {
    assert!(codes(text).contains(&code), "{code:?} {:?} of {text}", codes(text));
}

fn silent(code: Code, text: &str) {
    assert!(!codes(text).contains(&code), "{code:?} of {text}");
}

/// Traits whose copy leaves threads out, but where k is 32 and where `A` is set.
fn traits(around: &str) -> String {
    format!(
        "template <class Tile, class T, bool A, bool B> struct Traits {{
  static constexpr int k = get<2>(Tile{{}});
  using Right = Layout<Shape<_32,_4>, Stride<_4,_1>>;
  using Thr = std::conditional_t<k == 32, Right, Layout<Shape<_16,_8>, Stride<_16,_1>>>;
  using Copy = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, T>{{}}, Thr{{}}, Layout<Shape<_1,_8>>{{}}));
}};
{around}
"
    )
}

const SWITCH: &str = "{ if (C) { constexpr static bool NAME = true; return __VA_ARGS__(); } else { constexpr static bool NAME = false; return __VA_ARGS__(); } }";

#[test]
fn parameters_that_do_not_matter_need_no_value() {
    for (k, check) in [(64, found as fn(Code, &str)), (32, silent)] {
        let one = format!(
            "template <bool B> void run() {{ typename Traits<Shape<_64,_64,Int<{k}>>, half_t, true, B>::Copy c; }}"
        );
        check(Code::TiledCopy, &traits(&one));
        let two = format!(
            "#define BOOL_SWITCH(C, NAME, ...) [&] {SWITCH}()
template <class Tile, class T, bool A, bool B> void launch() {{ typename Traits<Tile, T, A, B>::Copy c; }}
void run(int p, int q) {{
  BOOL_SWITCH(p > 0, A, [&] {{ BOOL_SWITCH(q > 0, B, [&] {{ launch<Shape<_64,_64,Int<{k}>>, half_t, A, B>(); }}); }});
}}"
        );
        check(Code::TiledCopy, &traits(&two));
    }
    // What it does hang on is still needed: of two values that only may be, one is right.
    let mattering = "template <class T, bool A> struct Traits {
  using Thr = std::conditional_t<A, Layout<Shape<_32,_4>, Stride<_4,_1>>, Layout<Shape<_16,_8>, Stride<_16,_1>>>;
  using Copy = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, T>{}, Thr{}, Layout<Shape<_1,_8>>{}));
};
template <bool B> void run() { typename Traits<half_t, B>::Copy c; }
";
    silent(Code::TiledCopy, mattering);
}

#[test]
fn a_switch_may_have_another_name() {
    for name in ["BOOL_SWITCH", "DISPATCH_BOOL", "SWITCH_BOOL", "MY_DISPATCH"] {
        let of = |k: u32| {
            traits(&format!(
                "#define {name}(C, NAME, ...) [&] {SWITCH}()
template <class Tile, class T, bool A> void launch(int p) {{ typename Traits<Tile, T, A, A>::Copy c; }}
template <class T> void run(int p) {{
  {name}(p % 64 == 0, EVEN, [&] {{ launch<Shape<_64,_64,Int<{k}>>, T, EVEN>(p); }});
}}
template void run<half_t>(int);"
            ))
        };
        found(Code::TiledCopy, &of(64));
        silent(Code::TiledCopy, &of(32));
    }
    // A macro of which nobody knows what it lists gives no values.
    let unknown = "template <int N> struct Traits { using L = Layout<Shape<_8,Int<N>>, Stride<_1,_4>>; };
template <int N> void launch() { typename Traits<N>::L l; }
void run(int n) { DISPATCH_N(n, SIZE, [&] { launch<SIZE>(); }); }
";
    silent(Code::Overlap, unknown);
}

#[test]
fn a_macro_gives_types_within_types() {
    let of = |given: &str, call: &str| {
        format!(
            "template <class S> struct Traits {{
  static constexpr int M = size<0>(S{{}}), N = size<1>(S{{}});
  using L = decltype(make_layout(make_shape(Int<M>{{}}, Int<N>{{}}), make_stride(Int<N / 2>{{}}, _1{{}})));
}};
template <class T> __global__ void launch(int* p) {{ p[0] = cosize(typename T::L{{}}); }}
#define CALL(M, N) {{ using Trait = Traits<{given}>; launch<Trait><<<1, 256>>>(p); }}
void run(int* p) {{ {call} }}
"
        )
    };
    for given in ["Shape<Int<M>, Int<N>>", "cute::Shape<cute::Int<M>, Int<N>>", "Shape<_16, cute::C<N>>"] {
        found(Code::Overlap, &of(given, "CALL(16, 128)"));
        silent(Code::Overlap, &of(given, ""));
        silent(Code::Overlap, &of(given, "CALL(1, 128)").replace("_16", "_1"));
    }
}

#[test]
fn a_namespace_may_come_by_several_usings() {
    let of = |align: u32, using: &str| {
        format!(
            "namespace cute {{ namespace SM90::GMMA {{ enum class Major {{ K = 0, MN = 1 }}; }} using namespace SM90; }}
{using}
template <GMMA::Major major, class T> CUTE_HOST_DEVICE constexpr auto selector() {{
  if constexpr (major == GMMA::Major::MN) {{ return GMMA::Layout_MN_SW128_Atom<T>{{}}; }}
  else if constexpr (major == GMMA::Major::K) {{ return GMMA::Layout_K_SW128_Atom<T>{{}}; }}
}}
template <class T, int M, int K> struct Traits {{
  using Smem = decltype(tile_to_shape(selector<GMMA::Major::K, T>(), Shape<Int<M>, Int<K>>{{}}));
  struct S {{ alignas({align}) cute::array_aligned<T, cosize_v<Smem>> smem; }};
}};
template struct Traits<half_t, 128, 64>;
"
        )
    };
    found(Code::Misaligned, &of(16, "using namespace cute;"));
    silent(Code::Misaligned, &of(128, "using namespace cute;"));
}

#[test]
fn a_function_that_turns_sizes_away_launches_for_others() {
    let of = |guard: &str, block: u32| {
        format!(
            "template <class TiledCopy> __global__ void kernel(float* A, TiledCopy copy_a) {{
  Tensor gA = make_tensor(make_gmem_ptr(A), Layout<Shape<_128,_8>>{{}});
  clear(copy_a.get_slice(threadIdx.x).partition_D(gA));
}}
cudaError_t run(float* A, unsigned int n, int m) {{
  {guard}
  auto copyA = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{{}}, Layout<Shape<_32,_8>>{{}}, Layout<Shape<_4,_1>>{{}});
  kernel<<<1, {block}>>>(A, copyA);
}}
"
        )
    };
    for guard in [
        "if (n % 4 != 0) { return cudaErrorInvalidValue; }",
        "constexpr int N = 4; if (n % N) return cudaErrorInvalidValue;",
        "if (n % 4 != 0 || m % 8 != 0 || m == 0) { return cudaErrorInvalidValue; }",
    ] {
        found(Code::BlockThreads, &of(guard, 128));
        silent(Code::BlockThreads, &of(guard, 256));
    }
    // What never lets anything through.
    silent(Code::BlockThreads, &of("if (7 % 4 != 0) { return cudaErrorInvalidValue; }", 128));
}

#[test]
fn a_variable_may_hold_a_kernel_that_calls_an_object() {
    let of = |variable: &str, block: u32| {
        format!(
            "struct P {{ float* out; }};
struct K {{
  CUTE_DEVICE void operator()(P const& p) {{
    auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{{}}, Layout<Shape<_32,_4>>{{}}, Layout<Shape<_4,_1>>{{}});
    clear(copy.get_slice(threadIdx.x).partition_D(make_tensor(make_gmem_ptr(p.out), Layout<Shape<_128,_4>>{{}})));
  }}
}};
template <class Op, class Params> __global__ void run_op(const Params params) {{
  Op op;
  op(params);
}}
void run(P p) {{
  {variable}
  kernel<<<1, {block}>>>(p);
}}
"
        )
    };
    for variable in ["auto kernel = run_op<K, P>;", "const auto kernel = run_op<K, P>;"] {
        found(Code::BlockThreads, &of(variable, 64));
        silent(Code::BlockThreads, &of(variable, 128));
    }
    silent(Code::BlockThreads, &of("auto kernel = run_op<K, P>; kernel = other(p);", 64));
}
