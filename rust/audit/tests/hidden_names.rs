//! Names that hide others, threads of a larger grid, tensors that lie over several arrays, and parts of tiles: what is right in these ways is
//! left alone, and what is wrong beside it is found.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

/// Where a name may be declared again, around `@`; what it hides is looked at there.
const HIDING: [&str; 17] = [
    "auto f = [](half_t* x) { return @; };",
    "call([&](half_t* x) { auto t = @; });",
    "call([&](auto const& x, int n) { return @; });",
    "auto y = call(1, [=](auto x) { return @; });",
    "call([x = next()] { auto t = @; });",
    "call([&x = next()]() { return @; });",
    "call([&]<class x>(int) { auto t = @; });",
    "for (auto* x : list) { auto t = @; }",
    "for (auto const& x : list) auto t = @;",
    "for (auto const& [x, n] : list) { auto t = @; }",
    "for (auto x = first(); more; ) { auto t = @; }",
    "if (auto x = next(); more) { auto t = @; }",
    "if (auto* x = next()) { auto t = @; } else { auto t = @; }",
    "if constexpr (auto x = next(); more) { auto t = @; }",
    "try { g(); } catch (half_t* x) { auto t = @; }",
    "{ half_t (&x)[1024] = big; auto t = @; }",
    "{ cutlass::half_t const(&x)[8][128] = tiles[0]; auto t = @; }",
];

#[test]
fn names_that_are_declared_again() {
    let storage = "make_tensor(make_smem_ptr(x), Layout<Shape<_8,_128>>{})";
    let layout = "make_tensor(make_smem_ptr(array), x)";
    for (outer, tensor, named) in [
        ("__shared__ half_t x[512];", storage, "__shared__ half_t y[1024];"),
        ("__shared__ half_t array[512]; auto x = Layout<Shape<_8,_64>, Stride<_72,_1>>{};", layout, "auto y = _8{};"),
    ] {
        for around in HIDING {
            let statement = around.replace('@', tensor);
            let text = format!("__global__ void k(bool more) {{ {outer} {statement} }}");
            assert!(codes(&text).is_empty(), "{text}");
            // Another name hides nothing.
            let other = around.replace(" x", " y").replace("*x", "*y").replace("[x", "[y").replace("&x", "&y");
            let text = format!("__global__ void k(bool more) {{ {outer} {named} {} }}", other.replace('@', tensor));
            assert_eq!(codes(&text), [Code::SmallArray], "{text}");
            // Behind it the name is the outer one again.
            let text = format!("__global__ void k(bool more) {{ {outer} {statement} auto last = {tensor}; }}");
            assert_eq!(codes(&text), [Code::SmallArray], "{text}");
        }
    }
    for head in
        ["switch (auto x = next(); more) { default: auto t = @; }", "while (half_t* x = next()) { auto t = @; }"]
    {
        let text = format!("__global__ void k() {{ __shared__ half_t x[512]; {} }}", head.replace('@', storage));
        assert!(codes(&text).is_empty(), "{text}");
    }
}

/// How many threads get each part where a block has `threads`: CuTe divides the index by the strides.
fn shares(modes: &[(u64, u64)], threads: u64) -> Vec<u64> {
    let size: u64 = modes.iter().map(|mode| mode.0).product();
    let mut shares = vec![0; usize::try_from(size).unwrap()];
    for index in 0..threads {
        let mut part = 0;
        for (extent, stride) in modes.iter().rev() {
            part = part * extent + index / stride % extent;
        }
        shares[usize::try_from(part).unwrap()] += 1;
    }
    shares
}

#[test]
fn threads_of_a_larger_grid_share_parts() {
    let text = |modes: &[(u64, u64)], block: &str| {
        let [shape, stride] = [0, 1].map(|of| {
            let numbers = modes.iter().map(|mode| format!("Int<{}>", [mode.0, mode.1][of])).collect::<Vec<_>>();
            numbers.join(",")
        });
        format!(
            "__global__ void k(float* p) {{ Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_64,_64>>{{}}); \
             auto t = local_partition(g, Layout<Shape<{shape}>, Stride<{stride}>>{{}}, threadIdx.x); clear(t); }} \
             void run(float* p, int n) {{ k<<<1, {block}>>>(p); }}"
        )
    };
    let (mut shared, mut short) = (0, 0);
    for (rows, columns) in [(16, 1), (16, 4), (32, 8), (4, 2)] {
        for down in [1, 2, 8, 16, 32, 64] {
            for across in [1, 4, 16, 32, 128] {
                let modes = [(rows, down), (columns, across)];
                // A mode of one thread says nothing.
                let one = [modes[0], (columns, if columns == 1 { 0 } else { across })];
                let even = |threads: u64| {
                    let all = shares(&modes, threads);
                    all[0] > 0 && all.iter().all(|share| *share == all[0])
                };
                let Some(least) = (1..=1024).find(|threads| even(*threads)) else {
                    assert!(codes(&text(&one, "n")).contains(&Code::LocalPartition), "{one:?}");
                    continue;
                };
                assert!(codes(&text(&one, "n")).is_empty(), "{one:?}");
                assert!(codes(&text(&one, &least.to_string())).is_empty(), "{one:?}");
                shared += 1;
                // What fewer threads leave out is found at the launch.
                if least > 32 {
                    assert_eq!(codes(&text(&one, &(least / 2).to_string())), [Code::BlockThreads], "{one:?}");
                    short += 1;
                }
            }
        }
    }
    assert!(shared > 20 && short > 10, "{shared} {short}");
}

#[test]
fn tensors_over_several_arrays_of_a_class() {
    let text = |members: &str, first: &str| {
        format!(
            "struct Storage {{ {members} }}; __global__ void k() {{ extern __shared__ char raw[]; \
             auto& s = *reinterpret_cast<Storage*>(raw); {first} \
             Tensor c = make_tensor(make_smem_ptr(s.A), Layout<Shape<_64,_128>>{{}}); }}"
        )
    };
    let a = "Tensor a = make_tensor(make_smem_ptr(s.A), Layout<Shape<_64,_64>>{});";
    // The epilogue's tensor lies over what the loop has done with.
    assert!(codes(&text("half_t A[4096]; half_t B[4096];", a)).is_empty());
    // Nothing lies behind, or no other tensor says that the array is as large as it should be.
    assert_eq!(codes(&text("half_t B[4096]; half_t A[4096];", a)), [Code::SmallArray]);
    assert_eq!(codes(&text("half_t A[4096]; half_t B[4096];", "")), [Code::SmallArray]);
}

#[test]
fn parts_of_tiles() {
    let part = "decltype(composition(Swizzle<3,3,3>{}, Layout<Shape<_4,_64>, Stride<_64,_1>>{}))";
    let row = "composition(Swizzle<3,3,3>{}, Layout<Shape<_4,_64>, Stride<_64,_1>>{})";
    for right in [
        format!("using Part = {part}; using L = decltype(tile_to_shape(Part{{}}, Shape<_64,_64>{{}}));"),
        format!(
            "struct T {{ using Part = {part}; }}; using L = decltype(tile_to_shape(typename T::Part{{}}, Shape<_64,_64>{{}}));"
        ),
        format!("auto f() {{ auto part = {row}; return blocked_product(part, Layout<Shape<_4,_2>>{{}}); }}"),
    ] {
        assert!(codes(&right).is_empty(), "{right}");
    }
    // The whole of what lies in memory.
    assert_eq!(codes(&format!("using Whole = {part};")), [Code::SwizzleIdle]);
    assert_eq!(
        codes(&format!("using Whole = {part}; using L = decltype(tile_to_shape(Another{{}}, s));")),
        [Code::SwizzleIdle]
    );
}

#[test]
fn layouts_by_reference() {
    let text = |binding: &str, extent: &str| {
        format!(
            "__global__ void k() {{ __shared__ half_t s[{extent}]; {binding} Tensor t = make_tensor(make_smem_ptr(s), l); }}"
        )
    };
    for binding in [
        "auto const& l = Layout<Shape<_8,_64>, Stride<_72,_1>>{};",
        "const auto& l = make_layout(Shape<_8,_64>{}, Stride<_72,_1>{});",
    ] {
        assert_eq!(codes(&text(binding, "512")), [Code::SmallArray]);
        assert!(codes(&text(binding, "568")).is_empty());
    }
    // What is bound may change under another name, and what is called may be anything.
    for binding in ["auto const& l = other;", "auto& l = make();", "auto const& l = make();"] {
        assert!(codes(&text(binding, "512")).is_empty());
    }
}

/// A function of somebody's own that is called `make_layout` makes something else.
#[test]
fn functions_of_the_same_name() {
    let wrong = "auto x = make_layout(make_shape(1, 2), make_stride(1));";
    assert_eq!(codes(wrong), [Code::Incongruent]);
    assert_eq!(codes(&format!("namespace mine {{ using cute::make_layout; {wrong} }}")), [Code::Incongruent]);
    for own in [
        "template <class A, class B> auto make_layout(A a, B b) { return f(a, b); }",
        "template <class A, class B> int make_layout(A a, B b);",
    ] {
        assert_eq!(codes(&format!("namespace mine {{ {own} {wrong} }}")), [], "{own}");
    }
}
