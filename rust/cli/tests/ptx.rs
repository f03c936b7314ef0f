//! `razorgirl ptx`: what it prints, exit statuses, and what it refuses.

use std::process::Command;

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ptx/tests/fixtures/kernels_sm80.ptx");

/// The exit status, and what is printed.
fn ptx(arguments: &[&str]) -> (Option<i32>, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_razorgirl")).arg("ptx").args(arguments).output().expect("the command starts");
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).expect("text"))
}

fn on(kernel: &str, block: &str) -> (Option<i32>, String) {
    ptx(&[FIXTURE, "--kernel", kernel, "--block", block])
}

#[test]
fn a_conflict_has_its_line_and_its_padding() {
    let (status, printed) = on("transpose_plain", "32x8");
    assert_eq!(status, Some(1), "{printed}");
    for part in [
        "shared accesses: 8 exact",
        "warning[bank-conflict]: ld.shared of 4 bytes takes 256 wavefronts, 8 without conflicts (worst warp: 32 for 1)",
        "--> kernels.cu:11:3 (",
        "array tile, and 3 more instructions of this line",
        "help: pad each 128 bytes of tile by 4, a pitch of 132 bytes; counted again over all 8 accesses of tile: 64 wavefronts",
    ] {
        assert!(printed.contains(part), "{part}\n{printed}");
    }
    let (status, printed) = on("transpose_padded", "32x8");
    assert_eq!((status, printed.lines().count()), (Some(0), 2), "{printed}");
}

#[test]
fn certain_errors() {
    let (status, printed) = on("columns_misaligned", "128");
    assert_eq!(status, Some(1));
    assert!(
        printed.contains("error[misaligned]: st.shared of 16 bytes is misaligned for 64 of 128 threads"),
        "{printed}"
    );
    let (status, printed) = on("columns_too_small", "128");
    assert_eq!(status, Some(1));
    assert!(
        printed
            .contains("error[out-of-bounds]: st.shared of 16 bytes reaches bytes 6912..9200 of an array of 8192 bytes"),
        "{printed}"
    );
}

#[test]
fn a_note_is_no_finding_and_a_parameter_decides_it() {
    let (status, printed) = on("columns_swizzled", "128");
    assert_eq!(status, Some(0));
    assert!(
        printed.contains("note[alignment]: ld.global of 16 bytes is aligned only if param_0 is a multiple of 16"),
        "{printed}"
    );
    let (_, printed) = ptx(&[FIXTURE, "--kernel", "columns_swizzled", "--block", "128", "--param", "param_0=4096"]);
    assert!(!printed.contains("ld.global"), "{printed}");
}

#[test]
fn what_is_not_known_is_refused() {
    let (status, printed) = ptx(&[FIXTURE, "--kernel", "transpose_plain"]);
    assert_eq!(status, Some(2));
    assert!(printed.contains("not evaluated: the shape of the block is not known: pass --block"), "{printed}");
    // `.maxntid 128`
    let (status, printed) = on("columns_flat", "256");
    assert_eq!(status, Some(2));
    assert!(
        printed.contains("not evaluated: a block must have 1 to 1024 threads, and no more than .maxntid"),
        "{printed}"
    );
    let (status, printed) = on("no_such_kernel", "256");
    assert_eq!((status, printed.as_str()), (Some(2), "no kernel to evaluate\n"));
    let (status, printed) = ptx(&[FIXTURE, "--block", "32", "--param", "nothing=1"]);
    assert_eq!(status, Some(2));
    assert!(printed.contains("no kernel has a parameter nothing"), "{printed}");
    let (status, printed) = ptx(&[FIXTURE, "--kernel", "guarded", "--block", "64", "--param", "param_1=4294967296"]);
    assert_eq!(status, Some(2));
    assert!(printed.contains("the value 4294967296 of param_1 does not fit the parameter's 4 bytes"), "{printed}");
    for block in ["", "0", "1x2x3x4", "32,8", "-1"] {
        assert_eq!(ptx(&[FIXTURE, &format!("--block={block}")]).0, Some(2), "{block}");
    }
    let (status, printed) = ptx(&[concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), "--block", "32"]);
    assert_eq!(status, Some(2));
    assert!(printed.contains("Cargo.toml:1:1: "), "{printed}");
}

#[test]
fn json_has_every_access() {
    let (status, printed) = ptx(&[FIXTURE, "--kernel", "guarded", "--block", "64", "--json"]);
    // which threads are below n is not known
    assert_eq!(status, Some(0));
    let all: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    let accesses = all[0]["accesses"].as_array().expect("a list");
    assert_eq!(accesses.len(), 4);
    let verdicts: Vec<&str> = accesses.iter().map(|x| x["verdict"].as_str().expect("a verdict")).collect();
    assert_eq!(verdicts, ["exact", "exact", "at most", "open"]);
    assert_eq!(
        accesses[2]["count"],
        serde_json::json!({"wavefronts": 4, "least": 2, "worst_warp": {"wavefronts": 2, "least": 1}})
    );
    assert_eq!(accesses[3]["space"], "global");
    assert_eq!(all[0]["findings"][0]["severity"], "note");
    assert_eq!(all[0]["remedies"][0]["change"], serde_json::json!({"pitch": 128, "free": 4}));
}
