//! Tensors in dynamic shared memory, of which the launch says how many bytes there are: those that reach further are found, and others are
//! left alone.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

/// 64 rows of 64 that lie 72 apart: the last element is number 4599, and 9,200 bytes hold all of them.
const LAYOUT: &str = "using L = Layout<Shape<_64,_64>, Stride<_72,_1>>;
    struct Storage { alignas(128) cute::array_aligned<half_t, cosize_v<L>> a; half_t b[64]; };";
const BYTES: u32 = (63 * 72 + 64) * 2;

/// A kernel with an array and a tensor in it, and what launches it.
fn text(array: &str, pointer: &str, launch: &str) -> Vec<Code> {
    codes(&format!(
        "{LAYOUT} __global__ void k(half_t const* p) {{
           {array}
           Tensor s = make_tensor(make_smem_ptr({pointer}), L{{}}); clear(s);
         }}
         void run(half_t const* p) {{ {launch} }}"
    ))
}

#[test]
fn tensors_past_what_the_launch_gives() {
    for (array, pointer, before) in [
        ("extern __shared__ half_t smem[];", "smem", 0),
        ("extern __shared__ __align__(16) half_t smem[];", "smem", 0),
        ("extern __shared__ half_t smem[];", "smem + 64", 128),
        ("extern __shared__ char smem[];", "reinterpret_cast<half_t*>(smem)", 0),
        ("extern __shared__ char smem[];", "(cutlass::half_t*) smem", 0),
        ("extern __shared__ char smem[]; half_t* q = reinterpret_cast<half_t*>(smem);", "q", 0),
        ("extern __shared__ char smem[]; auto* q = reinterpret_cast<half_t*>(smem);", "q", 0),
        ("extern __shared__ half_t smem[]; half_t* q = smem + 64;", "q", 128),
        ("extern __shared__ char smem[]; half_t* q = reinterpret_cast<half_t*>(smem + 32 * sizeof(float));", "q", 128),
        ("extern __shared__ half_t smem[]; half_t* r = smem + 32; half_t* q = r + 32;", "q", 128),
        ("extern __shared__ half_t smem[]; auto q = smem + 64;", "q", 128),
        ("extern __shared__ half_t smem[]; auto const r = smem + 32; auto q = r + 32;", "q", 128),
        ("extern __shared__ char smem[]; auto q = reinterpret_cast<half_t*>(smem + 128);", "q", 128),
        ("extern __shared__ half_t smem[] alignas(128);", "smem", 0),
        ("extern __shared__ char smem[] __align__(16);", "reinterpret_cast<half_t*>(smem)", 0),
        ("extern __shared__ char smem[]; Storage& all = *reinterpret_cast<Storage*>(smem);", "all.a.data()", 0),
        ("extern __shared__ char smem[]; auto& all = *reinterpret_cast<Storage*>(smem);", "all.a.begin()", 0),
    ] {
        for (launch, given) in [
            ("k<<<1, 128, @>>>(p);", true),
            ("constexpr int bytes = @; dim3 block(128); k<<<1, block, bytes>>>(p);", true),
            ("void* args[] = {&p}; cudaLaunchKernel((void*) k, dim3(1), dim3(128), args, @, 0);", true),
            // A launch that gives none may be of a kernel that needs none there.
            ("k<<<1, 128>>>(p);", false),
            ("k<<<1, 128, 0>>>(p);", false),
            ("k<<<1, 128, bytes_of(p)>>>(p);", false),
        ] {
            let enough = (BYTES + before).to_string();
            let short = (BYTES + before - 1).to_string();
            let expected = if given { vec![Code::SmallArray] } else { Vec::new() };
            assert_eq!(text(array, pointer, &launch.replace('@', &short)), expected, "{array} {pointer} {launch}");
            let found = text(array, pointer, &launch.replace('@', &enough));
            assert!(found.is_empty(), "{array} {pointer} {launch} {found:?}");
        }
    }
    let sized = text("extern __shared__ half_t smem[];", "smem", "k<<<1, 128, 64 * 64 * sizeof(half_t)>>>(p);");
    assert_eq!(sized, [Code::SmallArray]);
    let sized = text("extern __shared__ half_t smem[];", "smem", "k<<<1, 128, cosize_v<L> * sizeof(half_t)>>>(p);");
    assert!(sized.is_empty());
}

#[test]
fn pointers_that_may_be_elsewhere() {
    for (array, pointer) in [
        ("__shared__ half_t smem[5000];", "smem"),
        ("extern __shared__ half_t smem[]; half_t* q = smem; q = other(p);", "q"),
        ("extern __shared__ half_t smem[]; half_t* q = choose(smem);", "q"),
        ("extern __shared__ char smem[]; Storage& all = of(smem);", "all.a.data()"),
        ("extern __shared__ half_t* smem;", "smem[0]"),
    ] {
        let found = text(array, pointer, "k<<<1, 128, 64>>>(p);");
        assert!(found.is_empty(), "{array} {pointer} {found:?}");
    }
    // The same where it is known.
    for (array, pointer) in [
        ("__shared__ half_t smem[4000];", "smem"),
        ("extern __shared__ half_t smem[]; half_t* q = smem;", "q"),
        ("extern __shared__ half_t smem[];", "smem"),
        ("extern __shared__ char smem[]; Storage& all = *reinterpret_cast<Storage*>(smem);", "all.a.data()"),
    ] {
        assert_eq!(text(array, pointer, "k<<<1, 128, 64>>>(p);"), [Code::SmallArray], "{array} {pointer}");
    }
}

/// Memory that an arm needs which this launch does not take.
#[test]
fn tensors_that_are_used_in_arms() {
    let text = |params: &str, body: &str, launch: &str| {
        codes(&format!(
            "{LAYOUT} {params} {{
               extern __shared__ half_t smem[];
               Tensor s = make_tensor(make_smem_ptr(smem), L{{}});
               {body}
             }}
             void run(half_t const* p, bool big) {{ {launch} }}"
        ))
    };
    let flag = "template <bool Big> __global__ void k(half_t const* p)";
    let plain = "__global__ void k(half_t const* p, bool big)";
    // Beside each the same without the arm.
    let given = "k<<<1, 128, 64>>>(p, big);";
    let instances = "k<false><<<1, 128, 64>>>(p); k<true><<<1, 128, 9200>>>(p);";
    for (params, (body, launch), (always, short)) in [
        (flag, ("if constexpr (Big) { clear(s); }", instances), ("clear(s);", instances)),
        (flag, ("if (Big) clear(s);", "k<false><<<1, 128, 64>>>(p);"), ("clear(s);", "k<false><<<1, 128, 64>>>(p);")),
        (plain, ("if (big) { auto t = s(_, 0); clear(t); }", given), ("{ auto t = s(_, 0); clear(t); }", given)),
        (
            plain,
            ("if (!big) return; clear(s);", "k<<<1, 128, 64>>>(p, false);"),
            ("clear(s);", "k<<<1, 128, 64>>>(p, false);"),
        ),
        (
            plain,
            ("clear(s);", "if (false) k<<<1, 128, 64>>>(p, big);"),
            ("clear(s);", "if (true) k<<<1, 128, 64>>>(p, big);"),
        ),
        (
            plain,
            ("clear(s);", "int bytes = 64; if (big) bytes = 9200; k<<<1, 128, bytes>>>(p, big);"),
            ("clear(s);", "int bytes = 64; k<<<1, 128, bytes>>>(p, big);"),
        ),
    ] {
        assert_eq!(text(params, body, launch), [], "{body} {launch}");
        assert_eq!(text(params, always, short), [Code::SmallArray], "{always} {short}");
    }
    assert_eq!(
        text(flag, "clear(s); if constexpr (Big) { clear(s); }", "k<true><<<1, 128, 64>>>(p);"),
        [Code::SmallArray]
    );
    assert_eq!(text(plain, "for (int i = 0; i < 3; ++i) clear(s);", "k<<<1, 128, 64>>>(p, big);"), [Code::SmallArray]);
}

/// The element's type is what the kernel's template is given.
#[test]
fn elements_of_a_parameters_type() {
    let text = |array: &str, pointer: &str, element: &str, bytes: u32| {
        codes(&format!(
            "using L = Layout<Shape<_64,_64>>;
             template <class T> __global__ void k(T const* p) {{
               {array}
               Tensor s = make_tensor(make_smem_ptr({pointer}), L{{}}); clear(s);
             }}
             void run({element} const* p) {{ k<{element}><<<1, 128, {bytes}>>>(p); }}"
        ))
    };
    for (array, pointer) in [
        ("extern __shared__ T smem[];", "smem"),
        ("extern __shared__ char smem[];", "reinterpret_cast<T*>(smem)"),
        ("extern __shared__ char smem[]; T* q = reinterpret_cast<T*>(smem);", "q"),
    ] {
        for (element, bytes) in [("half_t", 8_192), ("float", 16_384)] {
            assert_eq!(text(array, pointer, element, bytes), [], "{array} {element}");
            assert_eq!(text(array, pointer, element, bytes - 1), [Code::SmallArray], "{array} {element}");
        }
    }
    // A pointer that is set again is not known.
    let moved = "extern __shared__ T smem[]; T* q = smem + 64; if (p) q = smem;";
    assert_eq!(text(moved, "q", "half_t", 8_192), []);
    let once = "extern __shared__ T smem[]; T* q = smem + 64;";
    assert_eq!(text(once, "q", "half_t", 8_192), [Code::SmallArray]);
    assert_eq!(text(once, "q", "half_t", 8_192 + 128), []);
}

/// The type of a pointer that `make_smem_ptr` is told.
#[test]
fn pointers_of_a_type() {
    let of = |array: &str, pointer: &str, bytes: u32| {
        codes(&format!(
            "{LAYOUT} template <class T> __global__ void k(T const* p, int n) {{
               {array}
               Tensor s = make_tensor({pointer}, L{{}}); clear(s);
             }}
             void run(float const* p) {{ k<float><<<1, 128, {bytes}>>>(p, 4); }}"
        ))
    };
    for (array, pointer, bytes) in [
        ("extern __shared__ half_t smem[];", "make_smem_ptr<half_t>(smem)", BYTES),
        ("extern __shared__ char smem[];", "cute::make_smem_ptr<cute::half_t>(smem + 128)", BYTES + 128),
        ("extern __shared__ half_t smem[]; auto q = smem + 64;", "make_smem_ptr<half_t>(q)", BYTES + 128),
        ("extern __shared__ half_t smem[];", "make_smem_ptr<float>(smem)", 2 * BYTES),
        ("extern __shared__ char smem[];", "make_smem_ptr<T>(smem)", 2 * BYTES),
        ("extern __shared__ half_t smem[];", "make_smem_ptr<uint8_t>(smem + 8)", BYTES / 2 + 16),
    ] {
        assert_eq!(of(array, pointer, bytes - 1), [Code::SmallArray], "{array} {pointer}");
        assert_eq!(of(array, pointer, bytes), [], "{array} {pointer}");
    }
    // Moved, moved by what is not known, elsewhere, of a type that is not known, or a part of an element; and the same where it is known.
    let half = "extern __shared__ half_t smem[];";
    for (unknown, known) in [
        ((" auto q = smem + 64; q -= 64;", "make_smem_ptr(q)"), (" auto q = smem + 64;", "make_smem_ptr(q)")),
        ((" auto q = smem + clock();", "make_smem_ptr(q)"), (" auto q = smem + 8;", "make_smem_ptr(q)")),
        ((" auto q = p + 64;", "make_smem_ptr(q)"), (" auto q = smem + 64;", "make_smem_ptr(q)")),
        ((" auto q = pick(smem + 64);", "make_smem_ptr(q)"), (" auto q = smem + 64;", "make_smem_ptr(q)")),
        (
            (" auto q = smem + 64; { auto q = p; use(q); }", "make_smem_ptr(other(q))"),
            (" auto q = smem + 64;", "make_smem_ptr(q)"),
        ),
        (("", "make_smem_ptr<Unknown>(smem)"), ("", "make_smem_ptr<half_t>(smem)")),
        (("", "make_smem_ptr<half_t>(p)"), ("", "make_smem_ptr<half_t>(smem)")),
        (("", "make_smem_ptr<float>(smem + 1)"), ("", "make_smem_ptr<float>(smem + 2)")),
        (
            ("\n#if A\n auto q = smem + 64;\n#else\n auto q = p;\n#endif\n", "make_smem_ptr(q)"),
            (" auto q = smem + 64;", "make_smem_ptr(q)"),
        ),
    ] {
        for ((more, pointer), expected) in [(unknown, vec![]), (known, vec![Code::SmallArray])] {
            assert_eq!(of(&format!("{half}{more}"), pointer, 1024), expected, "{more} {pointer}");
        }
    }
}

/// An alignment behind the declarator of an array.
#[test]
fn alignments_behind_arrays() {
    for array in [
        "__shared__ half_t smem[@] alignas(128);",
        "__shared__ half_t smem[@] __align__(128);",
        "__shared__ half_t smem[@] alignas(sizeof(uint4)), other[4];",
        "__shared__ alignas(128) half_t smem[@];",
        "[[maybe_unused]] alignas(16) __shared__ half_t smem[@];",
    ] {
        let of = |count: u32| text(&array.replace('@', &count.to_string()), "smem", "k<<<1, 128>>>(p);");
        assert_eq!(of(BYTES / 2 - 1), [Code::SmallArray], "{array}");
        assert_eq!(of(BYTES / 2), [], "{array}");
    }
    let large = |bytes: u32| {
        codes(&format!(
            "__global__ void k(char* p) {{
               __shared__ char smem[{bytes}] alignas(16);
               Tensor s = make_tensor(make_smem_ptr(smem), Layout<Shape<_8,_8>>{{}});
               p[threadIdx.x] = s(threadIdx.x);
             }}"
        ))
    };
    assert_eq!((large(49_152), large(49_153)), (vec![], vec![Code::StaticShared]));
}
