//! RG034 and RG031: dynamic shared memory that a launch asks for, against what a kernel may have and what a device has.

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

fn codes(files: &[(&str, &str)]) -> Vec<Code> {
    let files = files.iter().map(|(name, text)| Source::new(*name, text.as_bytes().to_vec())).collect();
    let report = audit_sources(Sources { files, unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0);
    report.findings.into_iter().map(|finding| finding.code).collect()
}

const KERNEL: &str = "using namespace cute;
template <int N>
__global__ void kernel(float* out) {
  extern __shared__ float smem[];
  Tensor a = make_tensor(make_smem_ptr(smem), Layout<Shape<_8, _8>>{});
  out[threadIdx.x] = a(threadIdx.x);
}
";

fn launched(run: &str) -> Vec<Code> {
    codes(&[("kernel.cu", &format!("{KERNEL}{run}"))])
}

/// Each number of bytes around both limits, written in three ways.
#[test]
fn both_limits() {
    for bytes in [48, 4_096, 49_151, 49_152, 49_153, 65_536, 166_912, 232_447, 232_448, 232_449, 300_000_u64] {
        // 48 KiB for every kernel, and 227 KiB for those that are allowed it.
        let expected = match bytes {
            ..=49_152 => vec![],
            49_153..=232_448 => vec![Code::LaunchShared],
            _ => vec![Code::BlockThreads],
        };
        // The tensor takes 64 floats.
        let expected = if bytes < 256 { vec![Code::SmallArray] } else { expected };
        for run in [
            format!("void run(float* out) {{ kernel<4><<<1, 64, {bytes}>>>(out); }}"),
            format!(
                "constexpr int bytes = {bytes};\nvoid run(float* out) {{ kernel<4><<<dim3(1), dim3(64), bytes, 0>>>(out); }}"
            ),
            format!(
                "template <int B>\nvoid run(float* out) {{ kernel<4><<<1, 64, B>>>(out); }}\ntemplate void run<{bytes}>(float*);"
            ),
        ] {
            assert_eq!(launched(&run), expected, "{run}");
        }
        let allowed = format!(
            "void run(float* out) {{
               cudaFuncSetAttribute(kernel<4>, cudaFuncAttributeMaxDynamicSharedMemorySize, {bytes});
               kernel<4><<<1, 64, {bytes}>>>(out);
             }}"
        );
        let beyond = expected.into_iter().filter(|code| *code != Code::LaunchShared).collect::<Vec<_>>();
        assert_eq!(launched(&allowed), beyond, "{allowed}");
    }
}

/// What may allow the kernel more, and what does not.
#[test]
fn who_allows_it() {
    let launch = "kernel<4><<<1, 64, 65536>>>(out);";
    for run in [
        format!("void run(float* out) {{ {launch} }}"),
        format!("void prepare(float*);\nvoid run(float* out) {{ prepare(out); {launch} }}"),
        format!("template __global__ void kernel<4>(float*);\nvoid run(float* out) {{ {launch} }}"),
        // Whenever it is reached, it fails.
        format!("void run(float* out, bool twice) {{ if (twice) {{ {launch} }} }}"),
        format!("void run(float* out, int most) {{ if (most >= 65536) {{ {launch} }} }}"),
        format!("// kernel<4>, the one in /* kernel */\nvoid run(float* out) {{ log(\"kernel;\"); {launch} }}"),
    ] {
        assert_eq!(launched(&run), [Code::LaunchShared], "{run}");
    }
    for run in [
        format!("template <class K> void prepare(K);\nvoid run(float* out) {{ prepare(kernel<4>); {launch} }}"),
        format!("void run(float* out) {{ auto k = &kernel<4>; allow(k); {launch} }}"),
        format!("#define ALLOW allow(kernel<4>, 65536)\nvoid run(float* out) {{ ALLOW; {launch} }}"),
        format!("void run(float* out) {{ if (false) {{ {launch} }} }}"),
        format!("void run(float* out) {{ {launch} EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue); }}"),
        // No device has that, but one may.
        "void run(float* out, int most) { if (most >= 262144) { kernel<4><<<1, 64, 262144>>>(out); } }".to_owned(),
        "void run(float* out, int bytes) { kernel<4><<<1, 64, bytes>>>(out); }".to_owned(),
    ] {
        assert_eq!(launched(&run), [], "{run}");
    }
    // In another file: one that names the kernel, or one that the launch includes.
    let run = format!("#include \"kernel.cuh\"\nvoid run(float* out) {{ {launch} }}");
    let set = "cudaFuncAttributeMaxDynamicSharedMemorySize";
    let allow = format!("#include \"kernel.cuh\"\nvoid allow() {{ cudaFuncSetAttribute(kernel<4>, {set}, 65536); }}");
    let helper = format!("#pragma once\ntemplate <class K> void go(K k) {{ cudaFuncSetAttribute(k, {set}, 65536); }}");
    let included = format!("#include \"go.cuh\"\n{run}");
    assert_eq!(codes(&[("kernel.cuh", KERNEL), ("run.cu", &run)]), [Code::LaunchShared]);
    assert_eq!(codes(&[("kernel.cuh", KERNEL), ("run.cu", &run), ("allow.cu", &allow)]), []);
    assert_eq!(codes(&[("kernel.cuh", KERNEL), ("run.cu", &included), ("go.cuh", &helper)]), []);
    // Of another kernel it says nothing.
    let other = format!("void allow() {{ cudaFuncSetAttribute(other<4>, {set}, 65536); }}");
    assert_eq!(codes(&[("kernel.cuh", KERNEL), ("run.cu", &run), ("other.cu", &other)]), [Code::LaunchShared]);
}

/// The bytes of a launch are those of a class.
#[test]
fn sizes_of_classes() {
    let text = |storage: &str, bytes: &str| {
        format!(
            "{KERNEL}using L = Layout<Shape<_128, _64, _2>>;
             using Huge = Layout<Shape<_128, _64, _16>>;
             {storage}
             void run(float* out) {{ {bytes} kernel<4><<<1, 64, size>>>(out); }}"
        )
    };
    // 2 * 128 * 64 * 2 halves are 65,536 bytes, and one array of them is less than the limit.
    let two = "struct Storage { array_aligned<half_t, cosize_v<L>> a; array_aligned<half_t, cosize_v<L>> b; };";
    let one = "struct Storage { array_aligned<half_t, cosize_v<L>> a; };";
    let more = "struct Tensors : cute::aligned_struct<128> { array_aligned<half_t, cosize_v<L>> a; array_aligned<half_t, cosize_v<L>> b; };
        struct Storage { Tensors tensors; Pipeline pipeline; };";
    let huge = "struct Storage { alignas(128) array_aligned<half_t, cosize_v<Huge>> a; Barrier full[4]; };";
    for bytes in [
        "int size = int(sizeof(Storage));",
        "size_t const size = sizeof(Storage);",
        "constexpr int size = static_cast<int>(sizeof(Storage));",
    ] {
        assert_eq!(launched_whole(&text(two, bytes)), [Code::LaunchShared], "{bytes}");
        assert_eq!(launched_whole(&text(more, bytes)), [Code::LaunchShared], "{bytes}");
        assert_eq!(launched_whole(&text(huge, bytes)), [Code::BlockThreads], "{bytes}");
        assert_eq!(launched_whole(&text(one, bytes)), [], "{bytes}");
        // One of two sides, an overlap, pointers, and what belongs to no object.
        for other in [
            "union Storage { array_aligned<half_t, cosize_v<L>> a; array_aligned<half_t, cosize_v<L>> b; };",
            "struct Storage { array_aligned<half_t, cosize_v<L>> a;\n#if SIDE\n array_aligned<half_t, cosize_v<L>> b;\n#endif\n };",
            "struct Tensors { array_aligned<half_t, cosize_v<Huge>> a; }; struct Storage { Tensors* a; Tensors& b; };",
            "struct Storage { static array_aligned<half_t, cosize_v<Huge>> a; float b[64]; };",
        ] {
            assert_eq!(launched_whole(&text(other, bytes)), [], "{other}");
        }
    }
    assert_eq!(launched_whole(&text(two, "int size = sizeof(Storage); size -= 32768;")), []);
}

fn launched_whole(text: &str) -> Vec<Code> {
    codes(&[("kernel.cu", text)])
}

/// Bytes that stand in the variable that says how to launch.
#[test]
fn bytes_of_configurations() {
    let ex = "cudaLaunchKernelEx(&c, kernel<4>, out);";
    let cluster = "cutlass::launch_kernel_on_cluster(c, (void const*)&kernel<4>, out);";
    for (run, launch) in [
        ("cudaLaunchConfig_t c{}; c.gridDim = 1; c.blockDim = 64; c.dynamicSmemBytes = @;", ex),
        ("cudaLaunchConfig_t c = {0}; c.blockDim = dim3(64); c.dynamicSmemBytes = size_t(@); c.attrs = nullptr;", ex),
        ("cudaLaunchConfig_t c{dim3(1), dim3(64), @};", ex),
        ("cudaLaunchConfig_t c = {1, 64, 2 * (@ / 2), stream};", ex),
        ("cutlass::ClusterLaunchParams c{dim3(1), dim3(64), dim3(1), @, stream};", cluster),
        ("int const bytes = @; cutlass::ClusterLaunchParams c{grid, dim3(64), dim3(1), bytes};", cluster),
    ] {
        let text = |bytes: &str| format!("void run(float* out, int n) {{ {} {launch} }}", run.replace('@', bytes));
        assert_eq!(launched(&text("49152")), [], "{run}");
        assert_eq!(launched(&text("65536")), [Code::LaunchShared], "{run}");
        assert_eq!(launched(&text("262144")), [Code::BlockThreads], "{run}");
        assert_eq!(launched(&text("n")), [], "{run}");
        let allowed =
            text("65536").replace(launch, &format!("allow(cudaFuncAttributeMaxDynamicSharedMemorySize); {launch}"));
        assert_eq!(launched(&allowed), [], "{run}");
    }
    // Whatever may change them, or a kernel that is handed on.
    let config = "cudaLaunchConfig_t c{}; c.blockDim = 64; c.dynamicSmemBytes = 65536;";
    for run in [
        format!("void run(float* out, int n) {{ {config} c.dynamicSmemBytes = n; {ex} }}"),
        format!("void run(float* out, int n) {{ {config} if (n) c.dynamicSmemBytes = 1024; {ex} }}"),
        format!("void run(float* out, int n) {{ {config} c.dynamicSmemBytes -= 32768; {ex} }}"),
        format!("void run(float* out, int n) {{ {config} shrink(&c); {ex} }}"),
        format!("void run(float* out, int n) {{ {config} auto& d = c; d.dynamicSmemBytes = 4; {ex} }}"),
        format!("void run(float* out, int n) {{ {config} prepare(kernel<4>); {ex} }}"),
        format!("void run(float* out, int n) {{ {config} {{ cudaLaunchConfig_t c{{}}; c.blockDim = 64; {ex} }} }}"),
        format!(
            "void run(float* out, int n) {{ cudaLaunchConfig_t c{{}}; c.blockDim = 64;\n#if A\n c.dynamicSmemBytes = 65536;\n#else\n\
             c.dynamicSmemBytes = 1024;\n#endif\n {ex} }}"
        ),
        format!("void run(float* out, int n) {{ Other c{{1, 64, 65536}}; {ex} }}"),
    ] {
        assert_eq!(launched(&run), [], "{run}");
    }
    // The block of the same variable is known as before.
    let both = format!("void run(float* out, int n) {{ cudaLaunchConfig_t c{{1, 2048, 65536}}; {ex} }}");
    assert!(launched(&both).contains(&Code::BlockThreads));
}

/// Bytes that a function returns.
#[test]
fn bytes_that_functions_return() {
    for (of, bytes) in [
        ("struct C { static constexpr int n = @; static constexpr int get() { return n; } };", "C::get()"),
        ("struct C { static constexpr int n = @; int get() const { return n; } };", "c.get()"),
        ("template <int N> struct T { static constexpr int get() { return N * 4; } }; using C = T<@ / 4>;", "C::get()"),
        ("struct C {}; constexpr int bytes() { return @; }", "bytes()"),
        ("struct C {}; constexpr int bytes(int n) { return n * 4; }", "bytes(@ / 4)"),
    ] {
        let text = |number: &str| {
            let (of, bytes) = (of.replace('@', number), bytes.replace('@', number));
            launched(&format!("{of}\nvoid run(float* out, int n) {{ C c; kernel<4><<<1, 64, {bytes}>>>(out); }}"))
        };
        assert_eq!(text("49152"), [], "{of} {bytes}");
        assert_eq!(text("65536"), [Code::LaunchShared], "{of} {bytes}");
        assert_eq!(text("262144"), [Code::BlockThreads], "{of} {bytes}");
    }
    for of in [
        "int bytes() { if (large()) return 65536; return 1024; }",
        "int bytes() {\n#if A\n return 65536;\n#else\n return 1024;\n#endif\n }",
        "int bytes() { return 65536 * devices(); }",
        "int n = 65536; int bytes() { return n; }",
        "namespace other { int bytes() { return 65536; } } using mine::bytes;",
    ] {
        let run = format!("{of}\nvoid run(float* out) {{ kernel<4><<<1, 64, bytes()>>>(out); }}");
        assert_eq!(launched(&run), [], "{run}");
    }
}
