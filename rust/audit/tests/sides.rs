//! Kernels and launches of which an `#if` chooses: what goes together on one side of it is not mixed with what goes together on another, and
//! a name that a function gives something else is no kernel of that name.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

/// A slice of a copy by eight times as many threads as it has rows.
fn work(rows: u64) -> String {
    format!(
        "auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, Layout<Shape<Int<{rows}>,_8>, Stride<_8,_1>>{{}}, \
         Layout<Shape<_1,_8>>{{}}); auto t = copy.get_slice(threadIdx.x); \
         Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_64,_64>, Stride<_64,_1>>{{}}); clear(t.partition_D(g));"
    )
}

/// Where the two sides of a launch stand.
const LAUNCHES: [&str; 3] = [
    "#ifdef WIDE\n k<<<1, 256>>>(p);\n#else\n k<<<1, 128>>>(p);\n#endif\n",
    "#ifdef WIDE\n dim3 block(256);\n#else\n dim3 block(128);\n#endif\n k<<<1, block>>>(p);\n",
    "dim3 block(128);\n#ifdef WIDE\n block.x = 256;\n#endif\n k<<<1, block>>>(p);\n",
];

#[test]
fn sides_of_a_condition_go_together() {
    let (narrow, wide) = (work(16), work(32));
    let text = |bounds: &str, wide: &str, narrow: &str, launch: &str| {
        format!(
            "#ifdef WIDE\n#define THREADS 256\n#else\n#define THREADS 128\n#endif\n\
             __global__ void {bounds}k(half_t* p) {{\n#ifdef WIDE\n {wide}\n#else\n {narrow}\n#endif\n}}\n\
             void run(half_t* p) {{\n{launch}}}\n"
        )
    };
    for bounds in ["", "__launch_bounds__(THREADS) "] {
        for launch in LAUNCHES {
            let text = text(bounds, &wide, &narrow, launch);
            assert!(codes(&text).is_empty(), "{text}");
        }
        // Each side has half of the threads that it slices for. Blocks whose variable depends on the side are not known.
        let short = text(bounds, &work(64), &wide, LAUNCHES[0]);
        assert_eq!(codes(&short), [Code::BlockThreads], "{short}");
    }
}

#[test]
fn a_side_with_nothing_beside_it() {
    for rows in [8, 16, 32] {
        // The other side only says that it is not supported, so that this launch is meant for this one.
        let text = format!(
            "__global__ void k(half_t* p) {{\n#if __CUDA_ARCH__ >= 900\n {}\n#else\n printf(\"no\");\n#endif\n}}\n\
             void run(half_t* p) {{ k<<<1, 128>>>(p); }}\n",
            work(rows)
        );
        let short = codes(&text).contains(&Code::BlockThreads);
        assert_eq!(short, rows * 8 > 128, "{text}");
        let text = text.replace("void k", "void __launch_bounds__(128) k");
        assert_eq!(codes(&text).contains(&Code::Launch), rows * 8 > 128, "{text}");
    }
}

#[test]
fn kernels_under_another_name() {
    let kernel = format!("__global__ void k(half_t* p) {{ {} }}", work(32));
    let launch = "k<<<1, 64>>>(p);";
    assert_eq!(codes(&format!("{kernel} void run(half_t* p) {{ {launch} }}")), [Code::BlockThreads]);
    // Beside each the same without another meaning of the name.
    for (other, same) in [
        ("template <class F> void run(F k, half_t* p) { @ }", "template <class F> void run(F f, half_t* p) { @ }"),
        ("void run(half_t* p) { for (auto k : {&a, &b}) @ }", "void run(half_t* p) { for (auto f : {&a, &b}) @ }"),
        (
            "void run(half_t* p) { for (auto [k, n] : table) { @ } }",
            "void run(half_t* p) { for (auto [f, n] : table) { @ } }",
        ),
        ("void run(half_t* p) { if (auto k = pick()) @ }", "void run(half_t* p) { if (pick()) @ }"),
        ("void run(half_t* p) { [&](auto k) { @ }(&other); }", "void run(half_t* p) { [&](auto f) { @ }(&other); }"),
        (
            "void run(half_t* p) { [k = pick()](half_t* p) { @ }(p); }",
            "void run(half_t* p) { [f = pick()](half_t* p) { @ }(p); }",
        ),
        ("void run(half_t* p) { auto k = pick(); @ }", "void run(half_t* p) { auto f = pick(); @ }"),
        (
            "void run(half_t* p) { void (*k)(half_t*) = pick(); @ }",
            "void run(half_t* p) { void (*f)(half_t*) = pick(); @ }",
        ),
    ] {
        for (around, found) in [(other, vec![]), (same, vec![Code::BlockThreads])] {
            assert_eq!(codes(&format!("{kernel} {}", around.replace('@', launch))), found, "{around}");
        }
    }
    // What a variable is declared with is known.
    for variable in ["auto f = k;", "void (*f)(half_t*) = &k;"] {
        let text = |threads: u32| format!("{kernel} void run(half_t* p) {{ {variable} f<<<1, {threads}>>>(p); }}");
        assert_eq!(codes(&text(64)), [Code::BlockThreads], "{variable}");
        assert_eq!(codes(&text(256)), [], "{variable}");
    }
}
