//! What functions and kernels are given as a whole, arrays, objects and pointers: what is known of their parts is found, and what may have
//! changed on the way is not.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

fn codes(text: &str) -> Vec<Code> {
    let sources = Sources { files: vec![Source::new("host.cu", text.into())], unreadable: vec![] };
    audit_sources(sources, None).findings.into_iter().map(|finding| finding.code).collect()
}

fn found(text: &str) {
    assert_eq!(codes(text), [Code::TmaLimits], "{text}");
}

fn silent(text: &str) {
    assert!(codes(text).is_empty(), "{text}");
}

const ENCODE: &str = "(m, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, p, d, s, box, e, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, \
                      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);";

const LOCALS: &str = "cuuint64_t d[2] = {1024, 1024}; cuuint64_t s[1] = {2048}; cuuint32_t e[2] = {1, 1};";

/// A wrapper with its parameter, what it does before the call, and a function that calls it.
fn wrapped(param: &str, before: &str, caller: &str) -> String {
    format!(
        "void encode(CUtensorMap* m, void* p, {param}) {{\n  {LOCALS} {before}\n  cuTensorMapEncodeTiled{ENCODE}\n}}\n\
         void make(CUtensorMap* m, void* p, int n) {{\n  {caller}\n}}\n"
    )
}

/// A descriptor that is made where its box is declared.
fn local(before: &str) -> String {
    format!("void make(CUtensorMap* m, void* p, int n) {{\n  {LOCALS} {before}\n  cuTensorMapEncodeTiled{ENCODE}\n}}\n")
}

#[test]
fn arrays_are_handed_on() {
    for param in
        ["uint32_t box[2]", "const uint32_t* box", "uint32_t const (&box)[2]", "uint32_t* box", "const uint32_t box[2]"]
    {
        found(&wrapped(param, "", "uint32_t b[2] = {128, 64}; encode(m, p, b);"));
        found(&wrapped(param, "", "uint32_t b[2]; b[0] = 128; b[1] = 64; encode(m, p, b);"));
        silent(&wrapped(param, "", "uint32_t b[2] = {64, 64}; encode(m, p, b);"));
        silent(&wrapped(param, "", "uint32_t b[2] = {128, 64}; if (n) b[0] = 64; encode(m, p, b);"));
        silent(&wrapped(param, "", "uint32_t b[2] = {128, 64}; fill(b); encode(m, p, b);"));
        silent(&wrapped(param, "", "uint32_t b[2] = {(uint32_t)n, 64}; encode(m, p, b);"));
    }
    found(&wrapped("const uint32_t (&box)[2]", "", "encode(m, p, {128, 64});"));
    for before in [
        "box[0] = 64;",
        "if (p) box[0] = 64;",
        "for (int i = 0; i < 2; ++i) box[i] = 64;",
        "fill(box);",
        "uint32_t* q = box;",
    ] {
        silent(&wrapped("uint32_t* box", before, "uint32_t b[2] = {128, 64}; encode(m, p, b);"));
    }
    for ty in ["std::array<uint32_t, 2>", "std::vector<uint32_t>"] {
        let wrapped = |before: &str, caller: &str| {
            wrapped(&format!("{ty} const& boxes"), before, caller).replace("s, box,", "s, boxes.data(),")
        };
        found(&wrapped("", &format!("{ty} b{{128, 64}}; encode(m, p, b);")));
        found(&wrapped("", "encode(m, p, {128, 64});"));
        found(&wrapped("", &format!("encode(m, p, {ty}{{128, 64}});")));
        silent(&wrapped("", &format!("{ty} b{{64, 64}}; encode(m, p, b);")));
        silent(&wrapped("", &format!("{ty} b{{128, 64}}; b[0] = n; encode(m, p, b);")));
        silent(&wrapped("", &format!("{ty} b(128, 64); encode(m, p, b);")));
    }
    // The same array for two descriptors, and one on the way through two wrappers.
    found(&wrapped("uint32_t box[2]", "", "uint32_t b[2] = {64, 64}; encode(m, p, b); b[0] = 128; encode(m, p, b);"));
    let twice = wrapped("uint32_t box[2]", "", "uint32_t b[2] = {64, 64}; outer(m, p, b);");
    let twice = format!("{twice}void outer(CUtensorMap* m, void* p, uint32_t* b) {{ encode(m, p, b); }}\n");
    silent(&twice);
    found(&twice.replace("{64, 64}", "{128, 64}"));
    silent(&twice.replace("{64, 64}", "{128, 64}").replace("{ encode(m", "{ b[0] = 64; encode(m"));
}

#[test]
fn arrays_are_filled_in_other_words() {
    for before in [
        "std::array<uint32_t, 2> b{128, 64};",
        "std::array<uint32_t, 2> b = {128, 64};",
        "std::array<uint32_t, 2> b{{128, 64}};",
        "std::vector<uint32_t> b = {128, 64};",
        "auto b = std::array<uint32_t, 2>{128, 64};",
        "std::array<uint32_t, 2> b; b[0] = 128; b[1] = 64;",
        "std::array<uint32_t, 2> b{64, 64}; b[0] = 128;",
        "std::array<uint32_t, 2> b; b = {128, 64};",
        "std::array<uint32_t, 2> b{128, 64}; printf(\"%u\", b[0]); int k = b[1] * 2;",
        "using Box = std::array<uint32_t, 2>; Box b{128, 64};",
    ] {
        let text = local(before).replace("s, box,", "s, b.data(),");
        found(&text);
        silent(&text.replace("128, 64", "64, 64").replace("= 128", "= 64"));
    }
    for before in [
        "std::array<uint32_t, 2> b{128, 64}; for (auto& x : b) x = 64;",
        "std::array<uint32_t, 2> b{128, 64}; shrink(b);",
        "std::array<uint32_t, 2> b{128, 64}; auto& q = b; q[0] = 64;",
        "std::array<uint32_t, 2> b{128, 64}; b.fill(64);",
        "std::array<uint32_t, 2> b{128, 64}; { b[0] = 64; }",
        "std::array<uint32_t, 2> b{128, 64}; auto f = [&] { b[0] = 64; }; b[0] = 128; f();",
        "Box b{128, 64};",
    ] {
        silent(&local(before).replace("s, box,", "s, b.data(),"));
    }
    for before in [
        "uint32_t box[2]; box[0] = 128; box[1] = 64;",
        "uint32_t box[2] = {64, 64}; box[0] = 2 * 64;",
        "uint32_t box[2]; box[1] = 512;",
    ] {
        found(&local(before));
    }
    for before in [
        "uint32_t box[2]; box[0] = 128; box[0] = 64;",
        "uint32_t box[2]; box[0] = 128; if (n) { box[0] = 64; }",
        "uint32_t box[2]; box[n] = 128;",
        "uint32_t box[2]; box[0] = 128; std::swap(box[0], box[1]);",
        "uint32_t box[2]; uint32_t* q = &box[0]; box[0] = 128; *q = 64;",
        "uint32_t box[2]; switch (n) { case 0: box[0] = 128; break; default: box[0] = 64; }",
    ] {
        silent(&local(before));
    }
    // What comes again after the call, or is called later.
    let body = local("uint32_t box[2] = {128, 64};");
    let looped = |loops: &str, end: &str| {
        body.replace("  cuT", &format!("  {loops} cuT")).replace("_NONE);\n}", &format!("_NONE); {end}\n}}"))
    };
    silent(&looped("while (n) {", "box[0] = 64; }"));
    silent(&looped("auto f = [&] {", "}; box[0] = 64; f();"));
    found(&looped("while (n) {", "--n; }"));
}

#[test]
fn the_drivers_function_has_other_names() {
    let call = |declared: &str, callee: &str| {
        local(&format!("uint32_t box[2] = {{128, 64}}; {declared}"))
            .replace("  cuTensorMapEncodeTiled(", &format!("  {callee}("))
    };
    for (declared, callee) in [
        ("auto encode = get_encode();", "encode"),
        ("PFN_cuTensorMapEncodeTiled encode = get();", "encode"),
        ("static auto* encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(f);", "encode"),
        ("PFN_cuTensorMapEncodeTiled encode = get();", "(*encode)"),
        ("using Encode = decltype(&cuTensorMapEncodeTiled); Encode encode = get();", "encode"),
        ("", "get_encode()"),
        ("", "driver.cuTensorMapEncodeTiled_"),
        ("", "api->encode_tiled"),
        ("", "cuTensorMapEncodeTiled_ptr"),
        ("", "lazy_cuTensorMapEncodeTiled"),
    ] {
        found(&call(declared, callee));
        silent(&call(declared, callee).replace("{128, 64}", "{64, 64}"));
    }
    for (declared, callee) in [
        ("auto encode = [&](auto... all) { };", "encode"),
        ("Encoder encode;", "encode"),
        ("auto encode = Encoder(p);", "encode"),
        ("", "encode"),
        ("", "wrapper.encode"),
        ("", "cuTensorMapEncodeIm2col"),
    ] {
        silent(&call(declared, callee));
    }
    // A function of the files may do anything with what it is given.
    let own = "void encode_tiled(CUtensorMap* m, int t, int r, void* p, uint64_t* d, uint64_t* s, uint32_t* b, uint32_t* e, int i, int w, int l, int o);\n";
    let own = own.replace(';', " { b[0] /= 2; }");
    silent(&format!("{own}{}", call("", "encode_tiled")));
    // Not in these places.
    silent(
        &call("auto encode = get();", "encode")
            .replace("m, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2,", "m, 2, CU_TENSOR_MAP_DATA_TYPE_FLOAT16,"),
    );
}

#[test]
fn lambdas_are_given_what_they_are_called_with() {
    let text = |call: &str| {
        let body = format!("{LOCALS} cuuint32_t box[2] = {{w, 64}}; cuTensorMapEncodeTiled{ENCODE}");
        format!(
            "void make(CUtensorMap* m, void* p, int n) {{\n  auto one = [&](cuuint32_t w) {{ {body} }};\n  {call}\n}}\n"
        )
    };
    found(&text("one(128);"));
    silent(&text("one(64);"));
    silent(&text("one(n);"));
    silent(&text("{ auto one = [&](int w) { return w; }; one(128); }"));
    silent(&text("other.one(128);"));
    silent(&text("one(128);").replace("{ cuuint64_t", "{ w = 64; cuuint64_t"));
}

/// A kernel that copies rows of a tensor by vectors of eight halves, with what it takes and what launches it.
fn kernel(head: &str, stride: &str, host: &str) -> String {
    format!(
        "#include <cute/tensor.hpp>\nusing namespace cute;\n{head} {{\n  auto m = make_tensor(make_gmem_ptr(p.ptr), make_shape(1024, 64), \
         make_stride({stride}, _1{{}}));\n  auto g = local_tile(m, Shape<_64, _64>{{}}, make_coord(0, 0));\n  auto c = \
         make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}}, Layout<Shape<_16, _8>, Stride<_8, _1>>{{}}, Layout<Shape<_1, \
         _8>>{{}});\n  auto t = c.get_slice(threadIdx.x).partition_S(g); auto r = make_fragment_like(t); copy(c, t, r);\n}}\nvoid run(half_t* d, int n) {{\n  {host}\n}}\n"
    )
}

#[test]
fn kernels_are_given_objects() {
    let head = "struct Params { half_t* ptr; int rows; int ld; };\n__global__ void load(Params p)";
    let wrong = |text: &str| assert_eq!(codes(text), [Code::Vectors], "{text}");
    for host in [
        "Params q{d, 1024, LD}; load<<<1, 128>>>(q);",
        "Params q = {d, 1024, LD}; load<<<1, 128>>>(q);",
        "Params q{.ptr = d, .rows = 1024, .ld = LD}; load<<<1, 128>>>(q);",
        "auto q = Params{d, 1024, LD}; load<<<1, 128>>>(q);",
        "Params q; q.ptr = d; q.ld = LD; load<<<1, 128>>>(q);",
        "Params q{}; memset(&q, 0, sizeof(q)); q.ld = LD; cudaMalloc(&q.ptr, n); load<<<1, 128>>>(q);",
        "Params q; q = {d, 1024, LD}; load<<<1, 128>>>(q);",
        "Params r{d, 1024, LD}; Params q = r; load<<<1, 128>>>(q);",
        "load<<<1, 128>>>(Params{d, 1024, LD});",
        "load<<<1, 128>>>({d, 1024, LD});",
        "constexpr int k = LD; Params q{d, n, k}; printf(\"%d\", q.ld); load<<<q.rows / 64, 128>>>(q);",
    ] {
        wrong(&kernel(head, "p.ld", &host.replace("LD", "1001")));
        silent(&kernel(head, "p.ld", &host.replace("LD", "1008")));
        silent(&kernel(head, "p.ld", &host.replace("LD", "n")));
        silent(&kernel(head, "p.rows", &host.replace("LD", "1001")));
    }
    for host in [
        "Params q{d, 1024, 1001}; q.ld = 1008; load<<<1, 128>>>(q);",
        "Params q{d, 1024, 1001}; if (n) q.ld = 1008; load<<<1, 128>>>(q);",
        "Params q{d, 1024, 1001}; q.ld += 7; load<<<1, 128>>>(q);",
        "Params q{d, 1024, 1001}; pad(q); load<<<1, 128>>>(q);",
        "Params q{d, 1024, 1001}; pad(&q); load<<<1, 128>>>(q);",
        "Params q{d, 1024, 1001}; auto& r = q; r.ld = 1008; load<<<1, 128>>>(q);",
        "Params q{d, 1024, 1001}; auto& r = q.ld; r = 1008; load<<<1, 128>>>(q);",
        "Params q{d, 1024, 1001}; memset(&q, 0, sizeof(q)); load<<<1, 128>>>(q);",
        "Params q; q.ld = 1001; for (int i = 0; i < n; ++i) { load<<<1, 128>>>(q); q.ld = 1008; }",
        "int k = 1001; Params q{d, 1024, k}; k = 1008; load<<<1, 128>>>(Params{d, 1024, k});",
        "Params q{d, 1024, 1001}; Params r = q; load<<<1, 128>>>(other);",
    ] {
        silent(&kernel(head, "p.ld", host));
    }
    let host = "Params q{d, 1024, 1001}; load<<<1, 128>>>(q);";
    // Classes whose objects braces do not fill in this order.
    for fields in [
        "half_t* ptr; int rows; int ld; Params(half_t*, int, int);",
        "half_t* ptr; union { int rows; float x; }; int ld; int more;",
        "half_t* ptr;\n#ifdef MORE\nint more;\n#endif\nint rows; int ld;",
        "half_t* ptr; int ld; int rows;",
        "half_t* ptr; int rows; short ld;",
        "half_t* ptr; static int shared; int rows, more; int ld;",
    ] {
        let text = kernel(head, "p.ld", host);
        let other = text.replace("half_t* ptr; int rows; int ld;", fields);
        assert!(other != text);
        silent(&other);
    }
    wrong(&kernel(&head.replace("int rows; int ld;", "static int shared; int rows, ld;"), "p.ld", host));
    wrong(&kernel(&head.replace("int ld;", "int ld = 1001;"), "p.ld", "Params q; q.ptr = d; load<<<1, 128>>>(q);"));
    wrong(&kernel(&head.replace("(Params p)", "(const __grid_constant__ Params p)"), "p.ld", host));
    wrong(&kernel(
        &head.replace("__global__", "template <class P> __global__").replace("(Params p)", "(P p)"),
        "p.ld",
        host,
    ));
    // Fields of fields.
    let nested = head
        .replace("int rows; int ld;", "int rows; Inner a;")
        .replace("struct Params", "struct Inner { int x; int ld; };\nstruct Params");
    wrong(&kernel(&nested, "p.a.ld", "Params q{d, 1024, {3, 1001}}; load<<<1, 128>>>(q);"));
    wrong(&kernel(&nested, "p.a.ld", "Params q; q.a.ld = 1001; load<<<1, 128>>>(q);"));
    silent(&kernel(&nested, "p.a.x", "Params q{d, 1024, {1008, 1001}}; load<<<1, 128>>>(q);"));
    silent(&kernel(&nested, "p.a.ld", "Params q{d, 1024, {3, 1001}}; q.a = other; load<<<1, 128>>>(q);"));
    // Fields that are given one by one.
    let scalars = "struct Params { half_t* ptr; int rows; int ld; };\n__global__ void load(half_t* p, int ld)";
    let fields = |host: &str| kernel(scalars, "ld", host).replace("p.ptr", "p");
    wrong(&fields("Params q{d, 1024, 1001}; load<<<1, 128>>>(q.ptr, q.ld);"));
    wrong(&fields("Params q; q.ld = 1000; load<<<1, 128>>>(d, q.ld + 1);"));
    silent(&fields("Params q{d, 1024, 1001}; load<<<1, 128>>>(q.ptr, q.rows);"));
    silent(&fields("Params q{d, 1024, 1001}; q.ld += 7; load<<<1, 128>>>(q.ptr, q.ld);"));
    // Conditions on the way to the launch, and in the kernel.
    for (condition, found) in [
        ("q.ld % 8 == 0", false),
        ("q.rows % 8 == 0", true),
        ("q.ld % 8 == 0 || n", false),
        ("n > 3", true),
        ("q.ld % 8 != 0 && n", false),
    ] {
        let codes = codes(&kernel(head, "p.ld", &host.replace("load", &format!("if ({condition}) load"))));
        assert_eq!(codes == [Code::Vectors], found, "{condition}");
    }
    for (before, found) in [
        ("if (p.ld % 8 != 0) return;", false),
        ("if (p.ld % 8 == 0) {", false),
        ("if (p.ld % 8 != 0) {", true),
        ("if (p.ld % 8) { } else {", false),
        ("if (blockIdx.x > 3) return;", true),
    ] {
        let end = if before.ends_with('{') { "copy(c, t, r); }" } else { "copy(c, t, r);" };
        let text = kernel(head, "p.ld", host).replace("copy(c, t, r);", end);
        let text = text.replace("auto t =", &format!("{before} auto t ="));
        assert_eq!(codes(&text) == [Code::Vectors], found, "{text}");
    }
    // What the kernel itself does.
    for change in ["p.ld = 1008;", "fix(p);", "auto& r = p; r.ld = 1008;", "p.pad();"] {
        let text = kernel(head, "p.ld", host).replace("{\n  auto m", &format!("{{\n  {change} auto m"));
        silent(&text);
    }
}

#[test]
fn pointers_say_what_their_elements_are() {
    let text = |head: &str, host: &str| {
        let text = kernel(head, "ld", host).replace("p.ptr", "p");
        text.replace("half_t>{}", "T>{}").replace("_8>>{});\n", "_4>>{});\n")
    };
    let head = "template <class T> __global__ void load(T const* p, int ld)";
    let wrong = |text: &str| assert_eq!(codes(text), [Code::Vectors], "{text}");
    for (before, arg) in [
        ("float const* x = f();", "x"),
        ("float *y, *x;", "x"),
        ("thrust::device_vector<float> x(n);", "thrust::raw_pointer_cast(x.data())"),
        ("thrust::device_vector<float> x(n);", "x.data().get()"),
        ("void* x = f();", "static_cast<float*>(x)"),
        ("void* x = f();", "(float const*)x"),
        ("auto x = reinterpret_cast<float*>(d);", "x"),
        ("torch::Tensor x;", "x.data_ptr<float>()"),
        ("float* x;", "x + n"),
    ] {
        for head in
            [head, &head.replace("class T", "class T = float"), &head.replace("T const* p", "T* __restrict__ p")]
        {
            wrong(&text(head, &format!("{before} load<<<1, 128>>>({arg}, 1026);")));
            silent(&text(head, &format!("{before} load<<<1, 128>>>({arg}, 1028);")));
        }
    }
    for (before, arg) in [
        ("void* x = f();", "x"),
        ("Unknown* x = f();", "x"),
        ("float** x;", "x"),
        ("auto x = f();", "x"),
        ("float* x;", "*x"),
    ] {
        silent(&text(head, &format!("{before} load<<<1, 128>>>({arg}, 1026);")));
    }
    // The cast says what it is, and not what is cast.
    wrong(&text(head, "load<<<1, 128>>>((float*)d, 1026);"));
}

#[test]
fn kernels_are_given_layouts_and_copies() {
    let text = |swizzle: &str, copy: &str| {
        format!(
            "#include <cute/tensor.hpp>\nusing namespace cute;\ntemplate <class SL, class Copy, class Mma>\n__global__ void load(SL layout, Copy \
             copy, Mma mma) {{\n  __shared__ half_t smem[cosize_v<SL>];\n  auto s = make_tensor(make_smem_ptr(smem), layout);\n  auto c = \
             copy.get_slice(threadIdx.x);\n  auto t = c.partition_S(s);\n}}\nvoid run() {{\n  auto s = tile_to_shape({swizzle}, \
             make_shape(Int<64>{{}}, Int<64>{{}}));\n  auto mma = make_tiled_mma(SM80_16x8x16_F16F16F16F16_TN{{}}, make_layout(Shape<_2, \
             _2>{{}}));\n  auto copy = {copy};\n  load<<<1, 128>>>(s, copy, mma);\n}}\n"
        )
    };
    let layout = "make_layout(make_shape(Int<8>{}, Int<64>{}), LayoutRight{})";
    let copy = "make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma)";
    assert_eq!(codes(&text(layout, copy)), [Code::Banks]);
    silent(&text(&format!("composition(Swizzle<3, 3, 3>{{}}, {layout})"), copy));
    silent(&text(layout, &copy.replace("SM75_U32x4_LDSM_N", "Unknown")));
    silent(&text(layout, "f(mma)"));
}
