//! Kernels and their launches: sizes and tiled copies that are arguments, and blocks against what is sliced. What is wrong is found for every
//! mutant of what is right, which are judged by arithmetic here, and what only looks wrong is left alone.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::{Code, Finding};
use razorgirl_audit::report::{Export, Text};
use razorgirl_audit::source::{Source, Sources};

fn audited(files: &[(&str, &str)]) -> Vec<Finding> {
    let files = files.iter().map(|(name, text)| Source::new(*name, text.as_bytes().to_vec())).collect();
    audit_sources(Sources { files, unreadable: vec![] }, None).findings
}

fn codes(text: &str) -> Vec<Code> {
    let mut codes: Vec<Code> = audited(&[("kernel.cu", text)]).into_iter().map(|finding| finding.code).collect();
    codes.dedup();
    codes
}

/// CuTe's tutorial: tensors and the tiled copy are arguments of the kernel.
fn tutorial(shape: &str, element: &str, vector: &str, values: u64, block: &str, before: &str) -> String {
    format!(
        "template <class TensorS, class Tiled_Copy>
         __global__ void copy_kernel(TensorS S, Tiled_Copy tiled_copy) {{
           using namespace cute;
           Tensor tile_S = S(make_coord(_, _), blockIdx.x, blockIdx.y);
           ThrCopy thr_copy = tiled_copy.get_thread_slice(threadIdx.x);
           Tensor thr_tile_S = thr_copy.partition_S(tile_S);
           Tensor fragment = make_fragment_like(thr_tile_S);
           copy(tiled_copy, thr_tile_S, fragment);
         }}
         int main(int argc, char** argv) {{
           using namespace cute;
           using Element = {element};
           auto tensor_shape = {shape};
           Tensor tensor_S = make_tensor(make_gmem_ptr(raw(d_S)), make_layout(tensor_shape));
           auto block_shape = make_shape(Int<128>{{}}, Int<64>{{}});
           {before}
           Tensor tiled_tensor_S = tiled_divide(tensor_S, block_shape);
           Layout thr_layout = make_layout(make_shape(Int<16>{{}}, Int<8>{{}}));
           Layout val_layout = make_layout(make_shape(Int<{values}>{{}}, Int<1>{{}}));
           using Atom = Copy_Atom<UniversalCopy<{vector}>, Element>;
           TiledCopy tiled_copy = make_tiled_copy(Atom{{}}, thr_layout, val_layout);
           dim3 gridDim(size<1>(tiled_tensor_S), size<2>(tiled_tensor_S));
           {block};
           copy_kernel<<< gridDim, blockDim >>>(tiled_tensor_S, tiled_copy);
         }}"
    )
}

const RIGHT_BLOCK: &str = "dim3 blockDim(size(thr_layout))";

/// cutlass 1272 with its sizes where the kernel is launched: columns whose distance is no whole number of vectors are found, and no others.
#[test]
fn vectors_of_a_tensor_that_is_an_argument() {
    let mut seen = [0; 2];
    for (element, size) in [("float", 4), ("half_t", 2)] {
        for (vector, bytes) in
            [("uint_byte_t<8>", 8), ("uint_bit_t<128>", 16), ("AlignedArray<Element, 16 / sizeof(Element)>", 16)]
        {
            for rows in 1020..1037 {
                let wrong = rows * size % bytes != 0;
                let expected = if wrong { vec![Code::Vectors] } else { vec![] };
                let shape = format!("make_shape({rows}, 512)");
                let text = tutorial(&shape, element, vector, bytes / size, RIGHT_BLOCK, "");
                assert_eq!(codes(&text), expected, "{text}");
                seen[usize::from(wrong)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
}

#[test]
fn a_launch_that_is_not_known_to_be_reached_is_left_alone() {
    let text = |before: &str| tutorial("make_shape(1022, 512)", "float", "uint128_t", 4, RIGHT_BLOCK, before);
    assert_eq!(codes(&text("")), [Code::Vectors]);
    // Not about sizes.
    assert_eq!(
        codes(&text("if (argc > 2) return 1; if (cudaSetDevice(0) != cudaSuccess) { return -1; }")),
        [Code::Vectors]
    );
    // These end the function.
    assert!(codes(&text("if (size<0>(tensor_shape) % size<0>(block_shape)) { return -1; }")).is_empty());
    assert!(
        codes(&text("if (not evenly_divides(tensor_shape, block_shape)) { std::cerr << 1; return -1; }")).is_empty()
    );
    // This one does not.
    assert_eq!(codes(&text("if (size<1>(tensor_shape) % size<1>(block_shape)) { return -1; }")), [Code::Vectors]);
}

/// A plain kernel with its sizes as integers.
fn plain(size: &str, more: &str, launch: &str) -> String {
    format!(
        "using namespace cute;
         __global__ void rows(half_t const* in, int M, int N, int ldi) {{
           auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{{}},
             make_layout(make_shape(Int<16>{{}}, Int<8>{{}}), make_stride(Int<8>{{}}, Int<1>{{}})), make_layout(make_shape(Int<1>{{}}, Int<8>{{}})));
           Tensor whole = make_tensor(make_gmem_ptr(in), make_shape(M, N), make_stride(ldi, Int<1>{{}}));
           Tensor tile = local_tile(whole, Shape<_16, _64>{{}}, make_coord(blockIdx.y, blockIdx.x));
           auto thread = copy.get_slice(threadIdx.x);
           Tensor part = thread.partition_S(tile);
           Tensor mine = make_fragment_like(part);
           cute::copy(copy, part, mine);
         }}
         void run(half_t const* in, int argc, char** argv) {{
           int M = 1024, N = 512;
           {size}
           {more}
           {launch}
         }}"
    )
}

const LAUNCH: &str = "rows<<<dim3(N / 64, M / 16), 128>>>(in, M, N, ldi);";

#[test]
fn vectors_of_a_stride_that_is_an_argument() {
    for size in 512..537 {
        let expected = if size % 8 == 0 { vec![] } else { vec![Code::Vectors] };
        for declared in [
            format!("int ldi = {size};"),
            format!("size_t const ldi = {size};"),
            format!("auto ldi = N + {};", size - 512),
        ] {
            assert_eq!(codes(&plain(&declared, "", LAUNCH)), expected, "{declared}");
        }
        let written = format!("rows<<<dim3(N / 64, M / 16), 128>>>(in, M, N, {size});");
        assert_eq!(codes(&plain("", "", &written)), expected, "{written}");
        let cluster = format!("cudaLaunchKernelEx(&config, rows, in, M, N, {size});");
        assert_eq!(codes(&plain("", "", &cluster)), expected, "{cluster}");
    }
}

#[test]
fn sizes_that_may_change_are_not_known() {
    let odd = "int ldi = 513;";
    assert_eq!(codes(&plain(odd, "printf(\"ldi = %d\", ldi); // f(ldi)", LAUNCH)), [Code::Vectors]);
    for more in [
        "if (argc > 1) sscanf(argv[1], \"%d\", &ldi);",
        "if (argc > 1) { ldi = atoi(argv[1]); }",
        "cmd.get_cmd_line_argument(\"ldi\", ldi);",
        "round_to_eight(ldi);",
        "int& other = ldi; other = 520;",
        "auto mend = [&ldi] { ldi += 7; }; mend();",
        "std::cin >> ldi;",
        // A raw string is one token, whatever quotes are in it.
        "auto s = R\"(say \"x)\"; ldi = 520; log(s);",
        // References of all forms, also in a class and by a condition.
        "int& r{ldi}; r = 520;",
        "int& r(ldi); r = 520;",
        "struct P { int& x; }; P q{ldi}; q.x = 520;",
        "struct P { int& x; }; P q(ldi); q.x = 520;",
        "Holder q{ldi}; q.set(520);",
        "Holder q = ldi; q.set(520);",
        "int other = 0; int& r = argc > 1 ? ldi : other; r = 520;",
        "int other = 0; (argc > 1 ? ldi : other) = 520;",
        "auto r = std::ref(ldi); r.get() = 520;",
        "std::reference_wrapper<int> r = ldi; r.get() = 520;",
        "for (int& r : {std::ref(ldi)}) { r = 520; }",
        "if (int& r = ldi; argc > 1) { r = 520; }",
        "static_cast<int&>(ldi) = 520;",
        "auto mend = [&r = ldi] { r = 520; }; mend();",
        "asm(\"mov %0, 520;\" : \"=r\"(ldi));",
    ] {
        assert!(codes(&plain(odd, more, LAUNCH)).is_empty(), "{more}");
    }
    for more in [
        "auto s = R\"(say \"x; ldi = 520;)\"; log(s);",
        "int r{ldi}; r = 520;",
        "struct P { int x; }; P q{ldi}; q.x = 520;",
        "int r = argc > 1 ? ldi : 4; r = 520;",
        "std::vector<float> all(ldi * 4); dim3 grid{static_cast<unsigned>(ldi)};",
    ] {
        assert_eq!(codes(&plain(odd, more, LAUNCH)), [Code::Vectors], "{more}");
    }
    // A macro may change what it names.
    let bump = format!("#define BUMP ldi = 520;\n{}", plain(odd, "BUMP", LAUNCH));
    assert!(codes(&bump).is_empty());
    assert!(codes(&plain("int ldi = atoi(argv[1]);", "", LAUNCH)).is_empty());
    // The kernel changes what it is given.
    let changed = plain(odd, "", LAUNCH).replace("Tensor whole", "ldi = ldi / 8 * 8; Tensor whole");
    assert!(codes(&changed).is_empty());
    // Two kernels of one name, of which the launch may mean either.
    let second =
        format!("{}\n__global__ void rows(float const* in, int M, int N, int ldi) {{ }}", plain(odd, "", LAUNCH));
    assert!(codes(&second).is_empty());
    // The launch is chosen by the size.
    for (condition, reached) in
        [("ldi % 8 == 0", false), ("ldi % 8 != 0", true), ("aligned(ldi * 2)", false), ("argc > 3", true)]
    {
        let found = codes(&plain(odd, "", &format!("if ({condition}) {{ {LAUNCH} }}")));
        assert_eq!(found.is_empty(), !reached, "{condition}");
        let other = codes(&plain(odd, "", &format!("if ({condition}) {{ other(); }} else {LAUNCH}")));
        assert_eq!(
            other.is_empty(),
            reached == condition.contains('%') || condition.contains("aligned"),
            "{condition}"
        );
    }
}

/// The finding stands where the kernel partitions, and says which launch it is about.
#[test]
fn a_finding_names_the_launch() {
    let text = plain("int ldi = 520;", "rows<<<dim3(8, 64), 128>>>(in, M, N, 516);", LAUNCH);
    let findings = audited(&[("kernel.cu", &text)]);
    let [only] = findings.as_slice() else { panic!("{findings:?}") };
    assert!(text[only.place.span.range()].starts_with("thread.partition_S"));
    let launch = u32::try_from(text.find("rows<<<dim3(8, 64)").unwrap()).unwrap();
    assert!(only.labels.iter().any(|label| label.place.span.start == launch), "{only:?}");
}

#[test]
fn a_kernel_and_its_launch_may_stand_in_two_files() {
    let text = plain("int ldi = 516;", "", LAUNCH);
    let (kernel, launch) = text.split_once("void run(").unwrap();
    let launch = format!("#include \"kernel.cuh\"\nvoid run({launch}");
    assert_eq!(audited(&[("kernel.cuh", kernel), ("run.cu", &launch)]).len(), 1);
    // What another .cu defines is its own affair.
    assert!(audited(&[("kernel.cu", kernel), ("run.cu", &launch)]).is_empty());
}

/// Blocks of all spellings against a copy of 128 threads.
#[test]
fn blocks_are_compared_with_slices() {
    for threads in [32, 64, 127, 128, 129, 256, 384] {
        let expected = match threads {
            0..128 => vec![Code::BlockThreads],
            128 => vec![],
            _ => vec![Code::BlockBeyond],
        };
        for block in [
            format!("dim3 blockDim({threads})"),
            format!("dim3 blockDim{{{threads}, 1, 1}}"),
            format!("dim3 blockDim = dim3({threads})"),
            format!("auto blockDim = dim3({threads}, 2)"),
            format!("dim3 blockDim; blockDim.x = {threads}"),
            format!("int blockDim = {threads}"),
            format!("constexpr int kThreads = {threads}; dim3 blockDim(kThreads)"),
            format!("auto const blockDim = Int<{threads}>{{}}"),
        ] {
            let text = tutorial("make_shape(1024, 512)", "float", "uint128_t", 4, &block, "");
            assert_eq!(codes(&text), expected, "{block}");
        }
    }
    for block in [
        "dim3 blockDim(size(tiled_copy))",
        "int blockDim = size(thr_layout)",
        "dim3 blockDim(64); blockDim.x *= 2",
        "dim3 blockDim; blockDim.x = 64; if (argc > 1) blockDim.x = 128",
        "dim3 blockDim(64); adapt(&blockDim)",
        "int blockDim = 64; if (argc > 1) blockDim = 128",
        "dim3 blockDim(threads_of(argc))",
    ] {
        let text = tutorial("make_shape(1024, 512)", "float", "uint128_t", 4, block, "");
        assert!(codes(&text).is_empty(), "{block}");
    }
}

fn sliced(body: &str, block: u64) -> Vec<Code> {
    codes(&format!(
        "using namespace cute;
         template <class Tiled> __global__ void kernel(float* out, Tiled tiled) {{
           using L = Layout<_1>;
           {body}
         }}
         void run(float* out) {{
           auto tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{{}}, Layout<Shape<_32,_8>>{{}}, Layout<Shape<_4,_1>>{{}});
           kernel<<<1, {block}>>>(out, tiled);
         }}"
    ))
}

#[test]
fn kernels_that_take_more_slices_or_hold_threads_back_are_left_alone() {
    let slice = "auto mine = tiled.get_slice(threadIdx.x); clear(mine);";
    assert_eq!(sliced(slice, 128), [Code::BlockThreads]);
    assert_eq!(sliced(slice, 512), [Code::BlockBeyond]);
    for body in [
        "auto a = tiled.get_slice(threadIdx.x); auto b = tiled.get_slice(threadIdx.x + 128); clear(a, b);",
        "for (int i = threadIdx.x; i < size(tiled); i += blockDim.x) { auto a = tiled.get_slice(i); clear(a); }",
        "int tid = threadIdx.x; tid += 128 * blockIdx.x; auto a = tiled.get_slice(tid); clear(a);",
        "auto a = tiled.get_slice(threadIdx.x + threadIdx.y * 32); clear(a);",
    ] {
        assert!(sliced(body, 128).is_empty(), "{body}");
    }
    for body in [
        "if (threadIdx.x < 256) { auto a = tiled.get_slice(threadIdx.x); clear(a); }",
        "if (threadIdx.x >= 256) return; auto a = tiled.get_slice(threadIdx.x); clear(a);",
        "auto a = tiled.get_slice(threadIdx.x); bool active = threadIdx.x < 256; if (active) { copy(a); }",
        "auto a = tiled.get_slice(threadIdx.x); clear(a); copy_if(tiled, pred, x, y);",
        "auto a = tiled.get_slice(threadIdx.x % 256); clear(a);",
    ] {
        assert!(sliced(body, 512).is_empty(), "{body}");
    }
    assert_eq!(sliced("auto a = tiled.get_slice(threadIdx.x); if (thread0()) { print(a); }", 512), [Code::BlockBeyond]);
}

/// A slice of which nobody takes anything does nothing, whatever the block is: also through what is declared by it. Used through another
/// name it is used.
#[test]
fn slices_that_nobody_uses_are_left_alone() {
    let tile = "Tensor g = make_tensor(make_gmem_ptr(out), Layout<Shape<_128,_8>>{});";
    for idle in [
        "auto a = tiled.get_slice(threadIdx.x);",
        "auto a = tiled.get_slice(threadIdx.x); (void)a;",
        "auto a = tiled.get_slice(threadIdx.x); Tensor p = a.partition_D(g); Tensor r = make_fragment_like(p);",
        "auto a = tiled.get_slice(threadIdx.x); auto& b = a; // clear(b);",
        "auto p = local_partition(g, Layout<Shape<_32,_8>>{}, threadIdx.x);",
    ] {
        for block in [128, 512] {
            assert_eq!(sliced(&format!("{tile} {idle}\n"), block), [], "{idle}");
        }
    }
    for used in [
        "auto a = tiled.get_slice(threadIdx.x); Tensor p = a.partition_D(g); Tensor r = make_fragment_like(p); copy(r, p);",
        "auto a = tiled.get_slice(threadIdx.x); auto& b = a; clear(b.partition_D(g));",
        "auto a = tiled.get_slice(threadIdx.x); auto [x, y] = parts(a, g); clear(x);",
        "auto a = tiled.get_slice(threadIdx.x); auto b = wrap(a); clear(b);",
        "auto a = tiled.get_slice(threadIdx.x); auto f = [&](int i) { clear(a.partition_D(g)); }; f(0);",
        "auto a = tiled.get_slice(threadIdx.x); for (int i = 0; i < 2; ++i) { clear(a.partition_D(g)); }",
        "auto p = local_partition(g, Layout<Shape<_32,_8>>{}, threadIdx.x); clear(p);",
    ] {
        assert_eq!(sliced(&format!("{tile} {used}"), 128), [Code::BlockThreads], "{used}");
    }
}

/// SGEMM as in CuTe's tutorial: the bound and the block follow the MMA, the host function is a template.
fn sgemm(block: &str, bound: &str, warps: &str) -> String {
    format!(
        "using namespace cute;
         template <class Shape_, class Tiler, class TA, class AStride, class ASmem, class CopyA, class Mma>
         __global__ static __launch_bounds__({bound})
         void gemm_device(Shape_ shape, Tiler tiler, TA const* A, AStride dA, ASmem sA_layout, CopyA copy_a, Mma mma) {{
           Tensor mA = make_tensor(make_gmem_ptr(A), select<0,2>(shape), dA);
           auto coord = make_coord(blockIdx.x, blockIdx.y, _);
           Tensor gA = local_tile(mA, tiler, coord, Step<_1, X, _1>{{}});
           __shared__ TA smemA[cosize_v<ASmem>];
           Tensor sA = make_tensor(make_smem_ptr(smemA), sA_layout);
           ThrCopy thr = copy_a.get_slice(threadIdx.x);
           Tensor tAgA = thr.partition_S(gA);
           Tensor tAsA = thr.partition_D(sA);
           ThrMMA thr_mma = mma.get_slice(threadIdx.x);
           clear(tAsA);
           clear(thr_mma);
         }}
         template <class TA, int Warps> void gemm_nt(int m, int n, int k, TA const* A, int ldA) {{
           auto shape = make_shape(m, n, k);
           auto dA = make_stride(Int<1>{{}}, ldA);
           auto tiler = make_shape(Int<128>{{}}, Int<128>{{}}, Int<8>{{}});
           auto sA = make_layout(make_shape(Int<128>{{}}, Int<8>{{}}));
           TiledCopy copyA = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, TA>{{}}, Layout<Shape<_32,_8>>{{}}, Layout<Shape<_4,_1>>{{}});
           TiledMMA mmaC = make_tiled_mma(UniversalFMA<TA,TA,TA>{{}}, Layout<Shape<_16,_16,_1>>{{}});
           dim3 dimBlock({block});
           gemm_device<<<dim3(4, 4), dimBlock, 0, stream>>>(shape, tiler, A, dA, sA, copyA, mmaC);
         }}
         void all(float* A, int n) {{ gemm_nt<float, {warps}>(n, n, n, A, n); }}"
    )
}

#[test]
fn blocks_and_bounds_of_templates() {
    let follows = "decltype(size(Mma{}))::value";
    assert!(codes(&sgemm("size(mmaC)", follows, "8")).is_empty());
    assert!(codes(&sgemm("Warps * 32", follows, "8")).is_empty());
    assert_eq!(codes(&sgemm("Warps * 32", follows, "4")), [Code::BlockThreads]);
    assert_eq!(codes(&sgemm("Warps * 32", follows, "9")), [Code::BlockThreads]);
    assert_eq!(codes(&sgemm("Warps * 32", "1024", "9")), [Code::BlockBeyond]);
    assert_eq!(codes(&sgemm("256, 2", follows, "8")), [Code::BlockThreads]);
    assert!(codes(&sgemm("256, 2", "512", "8")).is_empty());
    // How many threads there are is known, whatever the elements are.
    let open = sgemm("128", "1024", "8").replace("gemm_nt<float, 8>(n, n, n, A, n)", "other(n)");
    assert_eq!(codes(&open), [Code::BlockThreads]);
    // The bound alone is what RG024 is about.
    assert!(codes(&sgemm("size(mmaC)", "128", "8")).contains(&Code::Launch));
}

/// CuTe divides the number of a thread by the extents of an MMA and of the threads of a `local_partition`, so that threads beyond these get a part
/// again: no slice lies past the end. With too few threads, some slices are never processed.
#[test]
fn parts_that_threads_get_again() {
    for slice in [
        "auto mine = mma.get_slice(threadIdx.x);",
        "auto mine = local_partition(make_tensor(make_gmem_ptr(out), Layout<Shape<_64,_64>>{}), Layout<Shape<_16,_8>>{}, threadIdx.x);",
    ] {
        for (block, expected) in [(64, vec![Code::BlockThreads]), (128, vec![]), (256, vec![])] {
            let text = format!(
                "using namespace cute;
                 template <class Mma> __global__ void kernel(float* out, Mma mma) {{ {slice} clear(mine); }}
                 void run(float* out) {{
                   auto mma = make_tiled_mma(UniversalFMA<float,float,float>{{}}, Layout<Shape<_16,_8,_1>>{{}});
                   kernel<<<1, {block}>>>(out, mma);
                 }}"
            );
            assert_eq!(codes(&text), expected, "{slice} {block}");
        }
    }
}

/// `make_cotiled_copy` is a tiled copy as any other: 256 threads of two vectors each, by the addresses of a layout with rows of 64.
#[test]
fn cotiled_copies_are_followed() {
    let text = |block: u64, stride: u64| {
        format!(
            "using namespace cute;
             __global__ void kernel(float* out) {{
               auto copy = make_cotiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{{}},
                 Layout<Shape<_128,_4>, Stride<_4,_1>>{{}}, Layout<Shape<_8,_64>, Stride<_64,_1>>{{}});
               Tensor tile = make_tensor(make_gmem_ptr(out), Layout<Shape<_8,_64>, Stride<Int<{stride}>,_1>>{{}});
               auto part = copy.get_slice(threadIdx.x).partition_D(tile);
               cute::copy(copy, make_fragment_like(part), part);
             }}
             void run(float* out) {{ kernel<<<1, {block}>>>(out); }}"
        )
    };
    assert!(codes(&text(128, 64)).is_empty());
    assert!(codes(&text(128, 68)).is_empty());
    assert_eq!(codes(&text(64, 64)), [Code::BlockThreads]);
    assert_eq!(codes(&text(256, 64)), [Code::BlockBeyond]);
    assert_eq!(codes(&text(128, 65)), [Code::Vectors]);
}

/// Kernels in the styles that people write them: each is wrong in one number, and right with another.
#[test]
fn styles_of_kernels_and_launches() {
    let files = [
        ("row_major", Code::Vectors, 1, "1022", "1024"),
        ("zipped_in_a_class", Code::Vectors, 1, "1022", "1024"),
        ("sliced_tile", Code::Vectors, 1, "1022", "1024"),
        ("host_template", Code::Vectors, 1, "1001", "1004"),
        ("cluster_launch", Code::Vectors, 1, "make_shape(33", "make_shape(34"),
        ("launch_config", Code::Vectors, 1, "1022 + 1", "1022 + 2"),
        ("traits", Code::Vectors, 1, "1022", "1024"),
        ("blocks_of_an_mma", Code::BlockThreads, 4, "Layout<Shape<_4,_2,_1>>", "Layout<Shape<_2,_2,_1>>"),
        ("block_in_a_macro", Code::BlockThreads, 1, "threads = 96", "threads = 128"),
    ];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/launches");
    for (name, code, count, wrong, right) in files {
        let text = std::fs::read_to_string(folder.join(name).with_extension("cu")).unwrap();
        assert!(text.contains(wrong), "{name}");
        let found: Vec<Code> = audited(&[("a.cu", &text)]).into_iter().map(|finding| finding.code).collect();
        assert_eq!(found, vec![code; count], "{name}");
        let mended = text.replace(wrong, right).replace("dim3{256, 1, 1}", "dim3{128, 1, 1}");
        assert!(codes(&mended).is_empty(), "{name}");
    }
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), files.len());
}

/// Where the launch stands far from the kernel, both are shown.
#[test]
fn excerpts_of_what_stands_far_apart() {
    let text =
        plain("int ldi = 516;", "", LAUNCH).replace("void run(", &format!("{}void run(", "// between\n".repeat(600)));
    let sources = Sources { files: vec![Source::new("kernel.cu", text.into_bytes())], unreadable: vec![] };
    let mut out = Vec::new();
    Text::default().write(&audit_sources(sources, None), &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let at = |words: &str| out.find(words).unwrap_or_else(|| panic!("{words} in {out}"));
    assert!(
        at("kernel.cu:8:") < at("thread.partition_S(tile)") && at("thread.partition_S(tile)") < at("rows<<<dim3"),
        "{out}"
    );
    assert!(at("rows<<<dim3") < at("with what this launch gives the kernel"), "{out}");
}

/// A number may be another after a function of the file that has one of CuTe's names, after a member function, and where an alias of a reference
/// stands for it.
#[test]
fn numbers_that_are_given_to_what_may_fill_them() {
    let text = |declared: &str, given: &str| {
        format!(
            "{declared} __global__ void k(float* p) {{
               auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{{}}, Layout<Shape<_32, _8>>{{}},
                                           Layout<Shape<_4, _1>>{{}});
               Tensor g = make_tensor(make_gmem_ptr(p), Layout<Shape<_128, _8>>{{}});
               clear(copy.get_slice(threadIdx.x).partition_D(g));
             }}
             void run(float* p) {{ int n = 128; {given} k<<<1, n>>>(p); }}"
        )
    };
    for (declared, given) in [
        ("", ""),
        ("", "int m = round_up(n, 3); int o = std::max(n, 3);"),
        ("using T = float;", "std::vector<T> v(n); v.resize(n);"),
    ] {
        assert_eq!(codes(&text(declared, given)), [Code::BlockThreads], "{given}");
    }
    // The same for the number of a thread, which functions that are not read leave alone.
    let thread = |declared: &str, given: &str| {
        let text = text(declared, "")
            .replace("clear(copy.get_slice(threadIdx.x)", &format!("{given} clear(copy.get_slice(tid)"));
        text.replace("auto copy", "int tid = threadIdx.x; auto copy")
    };
    for given in ["", "f(tid);", "object.f(tid);"] {
        assert_eq!(codes(&thread("", given)), [Code::BlockThreads], "{given}");
    }
    for (declared, given) in [
        ("", "std::swap(tid, other);"),
        ("", "std::tie(tid, other) = both();"),
        ("", "SHIFT(tid);"),
        ("__device__ void shift(int& t) { t += 128; }", "shift(tid);"),
        ("struct R { __device__ void shift(int& t) { t += 128; } };", "R r; r.shift(tid);"),
    ] {
        assert!(codes(&thread(declared, given)).is_empty(), "{declared} {given}");
    }
    for (declared, given) in [
        ("void round_up(int& x) { x = 256; }", "round_up(n);"),
        ("", "args.get(\"n\", n);"),
        ("using R = int&;", "std::tuple<R> t(n); std::get<0>(t) = 256;"),
        ("", "int m = -n++;"),
    ] {
        assert!(codes(&text(declared, given)).is_empty(), "{declared} {given}");
    }
}
