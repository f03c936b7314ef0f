//! Members of classes: what a class says of its objects holds for one that is made with nothing else, and not for one that somebody hands
//! over. What a virtual function returns hangs on the object. A pack has a length, and no bytes.

use crate::common;

use common::codes;
use razorgirl_audit::finding::Code;

/// A kernel for 256 threads, and what is declared and done beside it.
fn launched(text: &str) -> String {
    format!(
        "__global__ void k(float* p) {{
  Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_128,_8>>{{}});
  auto c = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{{}}, Layout<Shape<_32,_8>>{{}}, Layout<Shape<_4,_1>>{{}});
  clear(c.get_slice(threadIdx.x).partition_D(g));
}}
{text}"
    )
}

fn silent(text: &str) {
    let text = launched(text);
    assert!(codes(&text).is_empty(), "{text}: {:?}", codes(&text));
}

fn found(text: &str) {
    let text = launched(text);
    assert_eq!(codes(&text), [Code::BlockThreads], "{text}");
}

const OPT: &str = "struct Opt { int threads = 128; };";

#[test]
fn a_parameter_is_what_callers_give() {
    for launch in [
        "void launch(float* p, Opt const& o) { k<<<1, o.threads>>>(p); }",
        "void launch(float* p, Opt o) { k<<<1, o.threads>>>(p); }",
        "void launch(float* p, Opt&& o) { dim3 b(o.threads); k<<<1, b>>>(p); }",
        "void launch(float* p, const Opt* o) { k<<<1, o->threads>>>(p); }",
        "template <class O> void launch(float* p, O const& o) { k<<<1, o.threads>>>(p); }",
        "struct Ctx { Opt opt; }; void launch(float* p, Ctx c) { k<<<1, c.opt.threads>>>(p); }",
        "struct Runner { Opt opt; void go(float* p) const { k<<<1, opt.threads>>>(p); } };",
        "void launch(float* p, std::optional<Opt> o) { k<<<1, o->threads>>>(p); }",
        "void launch(float* p, std::vector<Opt> const& v) { for (Opt o : v) k<<<1, o.threads>>>(p); }",
        "Opt read(); void launch(float* p) { Opt o = read(); k<<<1, o.threads>>>(p); }",
        "Opt read(); void launch(float* p) { auto const& o = read(); k<<<1, o.threads>>>(p); }",
        "extern Opt of_all; void launch(float* p) { k<<<1, of_all.threads>>>(p); }",
        "void launch(float* p) { extern Opt o; k<<<1, o.threads>>>(p); }",
        "void launch(float* p) { auto f = [p](Opt o) { k<<<1, o.threads>>>(p); }; f({256}); }",
        "void launch(float* p) { auto f = [p](Opt const& o) { k<<<1, o.threads>>>(p); }; f({256}); }",
        "void launch(float* p, Opt const& from) { Opt o(from); k<<<1, o.threads>>>(p); }",
        "void launch(float* p) { static Opt o; k<<<1, o.threads>>>(p); o.threads = 256; }",
    ] {
        silent(&format!("{OPT} {launch}"));
        silent(&format!("{} {launch}", OPT.replace("int", "const int")));
    }
    let caller = |call: &str| {
        format!("{OPT} void launch(float* p, Opt o) {{ k<<<1, o.threads>>>(p); }} void run(float* p) {{ {call} }}")
    };
    for call in [
        "launch(p, Opt{256});",
        "launch(p, {.threads = 256});",
        "launch(p, {256});",
        "Opt o; o.threads *= 2; launch(p, o);",
        "Opt o; o.threads = 256; launch(p, o);",
        "Opt o{256}; launch(p, o);",
    ] {
        silent(&caller(call));
    }
    // What a caller makes of the class alone is what the class says.
    for call in ["launch(p, Opt{});", "Opt o; launch(p, o);", "Opt o{}; launch(p, o);", "launch(p, Opt{128});"] {
        found(&caller(call));
    }
}

#[test]
fn an_object_that_is_made_in_sight_has_what_its_class_says() {
    for class in ["struct Opt { int threads = 128; };", "struct Opt { const int threads = 128; };"] {
        for (made, wrong) in [
            ("Opt o;", true),
            ("Opt o{};", true),
            ("Opt o = {};", true),
            ("Opt o, other;", true),
            ("Opt o{128};", true),
            ("Opt o{256};", false),
            ("Opt o = Opt{256};", false),
            ("Opt o(256);", false),
            ("Opt o = {.threads = 256};", false),
        ] {
            let text = format!("{class} void run(float* p) {{ {made} k<<<1, o.threads>>>(p); }}");
            if wrong { found(&text) } else { silent(&text) }
        }
    }
    // Those that all objects share, and enumerators.
    for class in [
        "struct Opt { static constexpr int threads = 128; };",
        "struct Opt { static const int threads = 128; };",
        "struct Opt { const static int threads = 128; };",
        "struct Opt { enum { threads = 128 }; };",
    ] {
        found(&format!("{class} void run(float* p, Opt o) {{ k<<<1, Opt::threads>>>(p); }}"));
        found(&format!("{class} void run(float* p, Opt const& o) {{ k<<<1, o.threads>>>(p); }}"));
    }
    // Within a function, a class of its own is one too.
    silent(
        "void run(float* p) { struct Opt { int threads = 128; void go(float* p) { k<<<1, threads>>>(p); } }; Opt{256}.go(p); }",
    );
}

#[test]
fn a_variable_of_integers_may_get_another_value() {
    let text = |made: &str, more: &str| format!("void run(float* p) {{ {made} {more} k<<<1, n>>>(p); }}");
    for made in ["int n = size(Layout<_128>{});", "int n = Int<128>{};", "unsigned n = 128;", "uint32_t n = _128{};"] {
        found(&text(made, ""));
        silent(&text(made, "n = 256;"));
        silent(&text(made, "n *= 2;"));
    }
    found(&text("auto n = Int<128>{};", ""));
}

#[test]
fn a_constructor_wins_over_what_the_class_says() {
    for class in [
        "struct Opt { const int threads = 128; Opt(int t) : threads(t) {} };",
        "struct Opt { int const threads{128}; constexpr Opt(int t) : threads{t} {} };",
        "struct Opt { int threads = 128; Opt(int t) { threads = t; } };",
        "struct Opt { int threads = 128; template <class T> Opt(T t) { threads = t; } };",
        "struct Base { int threads = 128; }; struct Opt : Base { Opt(int t) { threads = t; } };",
        "struct Base { const int threads = 128; }; struct Opt : Base { };",
    ] {
        for made in ["Opt o(256);", "Opt o{256};", "constexpr Opt o(256);", "auto o = Opt(256);", "Opt o{{256}};"] {
            silent(&format!("{class} void run(float* p) {{ {made} k<<<1, o.threads>>>(p); }}"));
        }
        silent(&format!("{class} void run(float* p) {{ k<<<1, Opt(256).threads>>>(p); }}"));
    }
    silent(
        "struct Run { const int threads = 128; Run(int t) : threads(t) {} void go(float* p) { k<<<1, threads>>>(p); } };
         void run(float* p) { Run(256).go(p); }",
    );
}

/// A box of the copy engine, and a leading dimension, in members.
#[test]
fn members_of_descriptors_and_of_what_kernels_are_given() {
    let boxed = |class: &str, rows: &str, param: &str| {
        format!(
            "{class}
CUresult make(CUtensorMap* m, void* d{param}) {{
  cuuint64_t sizes[2] = {{64, 4096}}; cuuint64_t strides[1] = {{128}}; cuuint32_t es[2] = {{1, 1}}; cuuint32_t box[2] = {{64, {rows}}};
  return cuTensorMapEncodeTiled(m, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, d, sizes, strides, box, es, CU_TENSOR_MAP_INTERLEAVE_NONE,
    CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}}"
        )
    };
    let made = "struct Enc { const cuuint32_t rows = 512; Enc(cuuint32_t r) : rows(r) {} };";
    assert!(codes(&boxed(made, "e.rows", ", Enc e")).is_empty());
    assert!(codes(&boxed("struct Enc { cuuint32_t rows = 512; };", "e.rows", ", Enc const& e")).is_empty());
    let shared = "struct Enc { static constexpr cuuint32_t rows = 512; };";
    assert_eq!(codes(&boxed(shared, "e.rows", ", Enc e")), [Code::TmaLimits]);
    let kernel = |call: &str| {
        format!(
            "struct Params {{ half_t* d; int ld = 1022; }};
__global__ void kernel(Params p) {{
  auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, Layout<Shape<_16,_8>, Stride<_8,_1>>{{}}, Layout<Shape<_1,_8>>{{}});
  auto thr = copy.get_slice(threadIdx.x);
  Tensor g = make_tensor(make_gmem_ptr(p.d), make_shape(_64{{}}, _64{{}}), make_stride(p.ld, _1{{}}));
  Tensor t = thr.partition_D(local_tile(g, Shape<_16,_64>{{}}, make_coord(blockIdx.x, 0)));
  cute::copy(copy, make_fragment_like(t), t);
}}
void launch(Params p) {{ kernel<<<4, 128>>>(p); }}
void run(half_t* d) {{ {call} }}"
        )
    };
    for call in ["", "launch({d, 1024});", "Params p{d}; p.ld = 1024; launch(p);"] {
        assert!(codes(&kernel(call)).is_empty(), "{call}");
    }
    for call in ["launch({d, 1022});", "Params p; launch(p);", "Params p{d, 1024}; p.ld = 1022; launch(p);"] {
        assert_eq!(codes(&kernel(call)), [Code::Vectors], "{call}");
    }
}

#[test]
fn a_virtual_function_may_be_that_of_an_heir() {
    let text = |base: &str, heir: &str| {
        format!(
            "struct Launcher {{ {base} void go(float* p) const {{ k<<<1, block()>>>(p); }} }};
             struct Other : Launcher {{ {heir} }}; void run(float* p) {{ Other{{}}.go(p); }}"
        )
    };
    silent(&text("virtual int block() const { return 128; }", "int block() const override { return 256; }"));
    silent(&text("virtual ~Launcher() = default; virtual int block() const { return 128; }", ""));
    // It is virtual without a word where that of its base is.
    silent(
        "struct Base { virtual int block() const = 0; };
         struct Launcher : Base { int block() const { return 128; } void go(float* p) const { k<<<1, block()>>>(p); } };",
    );
    found(&text("int block() const { return 128; }", "int block() const { return 256; }"));
    found(&text("static int block() { return 128; }", ""));
    found(&text("virtual int block() const final { return 128; }", ""));
    found(
        "struct Launcher final { virtual int block() const { return 128; } void go(float* p) const { k<<<1, block()>>>(p); } };",
    );
    found(
        "struct Base { virtual ~Base() = default; };
         struct Launcher : Base { int block() const { return 128; } void go(float* p) const { k<<<1, block()>>>(p); } };",
    );
}

#[test]
fn a_pack_has_a_length_and_no_bytes() {
    let text = |what: &str, bits: &str, items: &str| {
        format!(
            "template <{what}... Ts> struct M {{ static constexpr int kN = {bits}; using C = AutoVectorizingCopyWithAssumedAlignment<kN>; }};
             template struct M<{items}>;"
        )
    };
    let sixteen = vec!["int"; 16].join(", ");
    for bits in ["sizeof...(Ts)", "sizeof ... (Ts)", "8 * sizeof...(Ts)", "int(sizeof...(Ts))", "2 * sizeof...(Ts)"] {
        assert!(codes(&text("class", bits, &sixteen)).is_empty(), "{bits}");
        let direct = text("class", "0", &sixteen).replace("<kN>", &format!("<{bits}>"));
        assert!(codes(&direct).is_empty(), "{bits}");
    }
    assert!(codes(&text("int", "sizeof...(Ts)", "1, 2, 3, 4")).is_empty());
    assert_eq!(codes(&text("class", "sizeof(uint4)", "int")), [Code::AlignmentInBytes]);
    // How long it is, a layout may hang on.
    common::is(
        "template <class... Ts> struct M { using L = Layout<Shape<Int<sizeof...(Ts)>, _4>>; }; using X = M<int, float, char>::L;",
        &["(3,4):(1,3)"],
    );
}
