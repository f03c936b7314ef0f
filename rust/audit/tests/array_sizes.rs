//! Arrays of shared memory and the layouts that they are sized by: what is said of an array holds where it is seen to hold a tensor of that
//! layout, or, of a swizzle, where an array is made by its `cosize`.

use crate::common;

use common::codes;
use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::{Code, Finding};
use razorgirl_audit::source::{Source, Sources};

const PADDED: &str = "using L = Layout<Shape<_8,_64>, Stride<_72,_1>>;";

fn kernel(body: &str) -> String {
    format!("{PADDED} __global__ void k(half_t* o, half_t* in) {{ {body} }}")
}

#[test]
fn arrays_of_size_that_hold_something_else() {
    for body in [
        // One flag for each coordinate, alone and beside the tile.
        "__shared__ unsigned char seen[size(L{})]; for (int i = threadIdx.x; i < size(L{}); i += 128) seen[i] = i % 3;",
        "__shared__ bool smem_mask[size(L{})]; __shared__ half_t tile[cosize_v<L>]; auto s = make_tensor(make_smem_ptr(tile), L{});",
        "constexpr int n = size(L{}); __shared__ bool mask[n]; mask[threadIdx.x] = true;",
        // The tile lies there without its gaps.
        "__shared__ half_t smem[size(L{})]; auto g = make_tensor(make_gmem_ptr(in), L{}); \
         auto s = make_tensor(make_smem_ptr(smem), make_layout(shape(L{})));",
        "__shared__ half_t smem[size(L{})]; auto s = make_tensor(make_smem_ptr(smem), Layout<Shape<_8,_64>, Stride<_64,_1>>{});",
        // Larger elements, and several for each coordinate.
        "__shared__ uint4 smem[size(L{})]; auto s = make_tensor(make_smem_ptr(reinterpret_cast<half_t*>(smem)), L{});",
        "__shared__ half_t smem[size(L{})][2]; auto s = make_tensor(make_smem_ptr(&smem[0][0]), L{});",
        // One of the modes.
        "__shared__ float smem[size<0>(L{})]; auto s = make_tensor(make_smem_ptr(smem), make_layout(get<0>(shape(L{}))));",
        "__shared__ float smem[decltype(size<0>(L{}))::value];",
        "__shared__ float smem[size(get<0>(L{}))];",
    ] {
        assert!(codes(&kernel(body)).is_empty(), "{body}: {:?}", codes(&kernel(body)));
    }
    let storage = format!(
        "{PADDED} struct SharedStorage {{ float smem_row_max[size<0>(L{{}})]; cute::array<float, size<1>(L{{}})> smem_col_sum;
           cute::array<uint8_t, size(L{{}})> smem_valid; }};"
    );
    assert!(codes(&storage).is_empty());
}

#[test]
fn arrays_of_size_that_hold_the_tile_are_found() {
    // RG012 would say the same again.
    let once = [Code::SmallArray];
    for body in [
        "__shared__ half_t smem[size(L{})]; auto s = make_tensor(make_smem_ptr(smem), L{});",
        "__shared__ half_t tile[size(L{})]; auto s = make_tensor(make_smem_ptr(tile), L{});",
        "__shared__ half_t smem[decltype(size(L{}))::value]; auto s = make_tensor(make_smem_ptr(&smem[0]), L{});",
        "using M = Layout<Shape<_8,_64>, Stride<_72,_1>>; __shared__ half_t x[size(L{})]; auto s = make_tensor(make_smem_ptr(x), M{});",
    ] {
        assert_eq!(codes(&kernel(body)), once, "{body}");
    }
    // Instances of a class of storage.
    let text = format!(
        "template <class T, class A> struct Storage {{ cute::array_aligned<T, size(A{{}})> smem; }}; {PADDED}
         __global__ void k() {{ __shared__ Storage<float, L> st; auto t = make_tensor(make_smem_ptr(st.smem.data()), L{{}}); }}"
    );
    assert_eq!(codes(&text), once);
    assert!(codes(&text.replace("_72", "_64")).is_empty());
    // In a header, and the tensor where the class of the storage is not known.
    let header = format!(
        "#pragma once\nusing namespace cute;\n{PADDED}\nstruct S {{ array_aligned<half_t, size(L{{}})> smem_q; }};\n"
    );
    let tensor = |array: &str| {
        format!(
            "#include \"s.hpp\"\ntemplate <class S> __device__ void f(S& s) {{ auto q = make_tensor(make_smem_ptr(s.{array}.begin()), L{{}}); }}\n"
        )
    };
    let of = |array: &str| -> Vec<Code> {
        let file = |path: &str, text: &str| Source::new(path, text.into());
        let files = vec![file("s.hpp", &header), file("k.cu", &tensor(array))];
        audit_sources(Sources { files, unreadable: vec![] }, None)
            .findings
            .into_iter()
            .map(|found| found.code)
            .collect()
    };
    assert_eq!(of("smem_q"), [Code::SizedArray]);
    assert!(of("smem_k").is_empty());
}

/// RG011 says it of one of two arrays, with a note; RG012 of the other.
#[test]
fn one_fault_is_said_once() {
    let text = format!(
        "{PADDED} struct S {{ array_aligned<half_t, size(L{{}})> smem_k; array_aligned<half_t, size(L{{}})> smem_q; }};
         template <class T> __device__ void f(T& s) {{ auto q = make_tensor(make_smem_ptr(s.smem_q.begin()), L{{}}); }}
         __global__ void k() {{ __shared__ S s; auto k = make_tensor(make_smem_ptr(s.smem_k.data()), L{{}}); }}"
    );
    let found = |text: &str| -> Vec<(Code, bool)> {
        let text = format!("#include <cute/tensor.hpp>\nusing namespace cute;\n{text}");
        let sources = Sources { files: vec![Source::new("k.cu", text.into())], unreadable: vec![] };
        let note = |of: &Finding| of.notes.iter().any(|note| note.starts_with("the array is declared with size;"));
        audit_sources(sources, None).findings.iter().map(|of| (of.code, note(of))).collect()
    };
    let both = found(&text);
    assert!(both.contains(&(Code::SizedArray, false)) && both.contains(&(Code::SmallArray, true)), "{both:?}");
    assert_eq!(both.len(), 2);
    // An array that is too small by its number has nothing to do with size.
    let number = "array_aligned<half_t, 512> smem_k;";
    let other = found(&text.replace("array_aligned<half_t, size(L{})> smem_k;", number));
    assert!(other.contains(&(Code::SizedArray, false)) && other.contains(&(Code::SmallArray, false)), "{other:?}");
}

#[test]
fn arrays_of_python_by_size() {
    let text = |tensor: &str| {
        format!(
            "import cutlass, cutlass.cute as cute
L = cute.make_layout((8, 64), stride=(72, 1))
@cute.struct
class S:
    a: cute.struct.MemRange[cutlass.Int8, cute.size(L)]
@cute.kernel
def k():
    smem = cutlass.utils.SmemAllocator()
    st = smem.allocate(S)
    t = {tensor}
@cute.jit
def run():
    k().launch(grid=[1, 1, 1], block=[128, 1, 1])
"
        )
    };
    let codes = |tensor: &str| -> Vec<Code> {
        let sources = Sources { files: vec![Source::new("k.py", text(tensor).into())], unreadable: vec![] };
        audit_sources(sources, None).findings.into_iter().map(|found| found.code).collect()
    };
    assert!(codes("st.a.get_tensor(cute.make_layout(512))").is_empty());
    assert_eq!(codes("st.a.get_tensor(L)"), [Code::SmallArray]);
}

const MOVED: &str = "using S = decltype(composition(Swizzle<2,3,3>{}, Layout<Shape<_3,_24>, Stride<_24,_1>>{}));";

#[test]
fn a_swizzle_past_the_end_is_said_of_arrays_by_cosize() {
    for (body, expected) in [
        ("__shared__ half_t b[cosize_v<S>];", vec![Code::SwizzleLeaves]),
        ("__shared__ half_t b[cosize(S{})];", vec![Code::SwizzleLeaves]),
        ("__shared__ cute::array_aligned<half_t, cosize_v<S>> b;", vec![Code::SwizzleLeaves]),
        (
            "__shared__ half_t b[cosize_v<S>]; auto t = make_tensor(make_smem_ptr(b), S{});",
            vec![Code::SwizzleLeaves, Code::SmallArray],
        ),
        ("", vec![]),
        ("__shared__ half_t b[256]; auto t = make_tensor(make_smem_ptr(b), S{});", vec![]),
        ("__shared__ half_t b[72]; auto t = make_tensor(make_smem_ptr(b), S{});", vec![Code::SmallArray]),
        ("__shared__ half_t b[round_up(cosize_v<S>, 256)]; auto t = make_tensor(make_smem_ptr(b), S{});", vec![]),
        ("__shared__ half_t b[cosize_v<S> + 24]; auto t = make_tensor(make_smem_ptr(b), S{});", vec![]),
        ("auto t = make_tensor(make_gmem_ptr(o), S{});", vec![]),
        ("using T = Layout<Shape<_3,_24>, Stride<_24,_1>>; __shared__ half_t b[cosize_v<T>];", vec![]),
    ] {
        let text = format!("{MOVED} __global__ void k(half_t* o) {{ {body} }}");
        assert_eq!(codes(&text), expected, "{body}");
    }
    // Part of a tile that a function of somebody's own makes.
    let text = format!(
        "{MOVED} template <class A> auto stages(A a) {{ return tile_to_shape(a, Shape<_24,_24>{{}}); }} using Tile = decltype(stages(S{{}}));"
    );
    assert!(codes(&text).is_empty());
    // In each instance of a template.
    let text = "template <int N> struct K { using L = decltype(composition(Swizzle<3,3,3>{}, Layout<Shape<_9,Int<N>>, Stride<Int<N>,_1>>{}));
                static __device__ void run() { __shared__ half_t b[cosize_v<L>]; f(b); } }; template struct K<72>;";
    assert_eq!(codes(text), [Code::SwizzleLeaves]);
    assert!(codes(&text.replace("72", "64")).is_empty());
}

#[test]
fn an_array_that_holds_its_layout_without_a_swizzle() {
    let text = |tensor: &str| {
        format!(
            "using L = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{{}}, Shape<_64,_64>{{}}));
             using Plain = decltype(get_nonswizzle_portion(L{{}}));
             struct S {{ alignas(16) half_t stage[cosize_v<L>]; }};
             __global__ void k(half_t* o) {{ __shared__ S s; {tensor} }}"
        )
    };
    let of = |layout: &str| format!("auto t = make_tensor(make_smem_ptr(s.stage), {layout});");
    assert!(codes(&text(&of("get_nonswizzle_portion(L{})"))).is_empty());
    assert!(codes(&text(&of("Plain{}"))).is_empty());
    assert_eq!(codes(&text(&of("L{}"))), [Code::Misaligned]);
    assert_eq!(codes(&text(&format!("{} {}", of("Plain{}"), of("L{}").replace(" t", " u")))), [Code::Misaligned]);
    assert_eq!(codes(&text("f(s.stage);")), [Code::Misaligned]);
}
