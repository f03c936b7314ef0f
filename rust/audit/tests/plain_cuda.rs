//! CUDA without a layout: launches (RG031, RG034) and static shared memory (RG035).

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

fn codes_of(files: &[(&str, &str)]) -> Vec<Code> {
    let files = files.iter().map(|(name, text)| Source::new(*name, (*text).into())).collect();
    let report = audit_sources(Sources { files, unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0);
    report.findings.into_iter().map(|finding| finding.code).collect()
}

fn codes(text: &str) -> Vec<Code> {
    codes_of(&[("k.cu", text)])
}

/// A kernel with some shared memory, and what launches it.
fn launched(shared: &str, launch: &str) -> String {
    format!(
        "__global__ void k(float* p) {{ {shared} p[threadIdx.x] = s[threadIdx.x]; }}\nvoid run(float* p, int n) {{ {launch} }}\n"
    )
}

const DYNAMIC: &str = "extern __shared__ float s[];";

#[test]
fn blocks() {
    for (launch, found) in [
        ("k<<<n, 1024>>>(p);", false),
        ("k<<<n, 1025>>>(p);", true),
        ("dim3 block(32, 32); k<<<n, block>>>(p);", false),
        ("dim3 block(32, 33); k<<<n, block>>>(p);", true),
        ("k<<<n, dim3(2, 2, 64)>>>(p);", false),
        ("k<<<n, dim3(2, 2, 65)>>>(p);", true),
        ("k<<<2048, n>>>(p);", false),
        ("const int threads = 2048; if (n == 1) { k<<<n, threads>>>(p); }", true),
        ("int threads = 2048; threads = n; k<<<n, threads>>>(p);", false),
    ] {
        let expected = if found { vec![Code::BlockThreads] } else { vec![] };
        assert_eq!(codes(&launched(DYNAMIC, launch)), expected, "{launch}");
    }
    let bounded = |threads: u32| {
        format!(
            "__global__ void __launch_bounds__(128) k(float* p) {{ p[0] = 1; }}\nvoid run(float* p) {{ k<<<1, {threads}>>>(p); }}"
        )
    };
    assert_eq!((codes(&bounded(128)), codes(&bounded(129))), (vec![], vec![Code::BlockThreads]));
}

#[test]
fn dynamic_shared_memory() {
    let attribute = "cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000);";
    for (launch, found) in [
        ("k<<<n, 128, 49152>>>(p);".to_owned(), None),
        ("k<<<n, 128, 49153>>>(p);".to_owned(), Some(Code::LaunchShared)),
        (format!("{attribute} k<<<n, 128, 49153>>>(p);"), None),
        ("k<<<n, 128, 12289 * sizeof(float)>>>(p);".to_owned(), Some(Code::LaunchShared)),
        ("k<<<n, 128, n * sizeof(float)>>>(p);".to_owned(), None),
        (format!("{attribute} k<<<n, 128, 232448>>>(p);"), None),
        (format!("{attribute} k<<<n, 128, 232449>>>(p);"), Some(Code::BlockThreads)),
    ] {
        assert_eq!(codes(&launched(DYNAMIC, &launch)), found.into_iter().collect::<Vec<_>>(), "{launch}");
    }
    // Another file allows it.
    let launch = launched(DYNAMIC, "k<<<n, 128, 49153>>>(p);");
    let other = "template <class T> void f(); __global__ void k(float* p);\n";
    let allows = format!("{other} void allow() {{ {attribute} }}");
    assert_eq!(codes_of(&[("k.cu", &launch), ("a.cu", &allows)]), []);
    assert_eq!(codes_of(&[("k.cu", &launch), ("a.cu", other)]), [Code::LaunchShared]);
}

#[test]
fn static_shared_memory() {
    for (floats, found) in [(12_288, false), (12_289, true)] {
        let text = launched(&format!("__shared__ float s[{floats}];"), "");
        assert_eq!(codes(&text), if found { vec![Code::StaticShared] } else { vec![] });
        // Another array that is used counts.
        let text = text.replace("float s[", "float t[1]; t[0] = p[0]; __shared__ float s[");
        assert_eq!(codes(&text), [Code::StaticShared], "{text}");
    }
}

/// Devices of AMD have other limits.
#[test]
fn limits_of_other_devices() {
    for (shared, launch) in [
        (DYNAMIC, "k<<<n, dim3(2, 2, 65)>>>(p);"),
        (DYNAMIC, "k<<<n, 128, 49153>>>(p);"),
        ("__shared__ float s[12289];", ""),
    ] {
        let text = launched(shared, launch);
        assert_eq!(codes(&text).len(), 1, "{text}");
        assert_eq!(codes(&format!("#include <hip/hip_runtime.h>\n{text}")), [], "{text}");
    }
}
