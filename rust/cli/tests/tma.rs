//! `razorgirl tma` as it is used: every rule broken once, and every way to ask wrongly.

use std::io::Write as _;
use std::process::{Command, Stdio};

fn tma(args: &str, input: &[u8]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_razorgirl"))
        .arg("tma")
        // blanks part the arguments: in one of them they are `_`
        .args(args.split_whitespace().map(|word| word.replace("_o_", " o ")))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // a command that does not read its input may be gone already
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
    let output = child.wait_with_output().expect("it ends");
    let mut text = format!("$ razorgirl tma {args}\n");
    if !input.is_empty() {
        text = format!("{text}< {}\n", String::from_utf8_lossy(input));
    }
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if let Some(status) = output.status.code().filter(|&status| status != 0) {
        text.extend(["[status ", &status.to_string(), "]\n"]);
    }
    text
}

#[test]
fn what_is_right() {
    insta::assert_snapshot!("tma_right", tma("--dims 64,16 --box 64,8 --element-strides 1,4 --dtype f16", b""));
    insta::assert_snapshot!(
        "tma_right_whole",
        tma("--dims 1024,1024 --box 64,64 --dtype bf16 --swizzle 128B --smem ((64,64),4):((1,64),4096)", b"")
    );
    for (name, args) in [
        (
            "swizzled",
            "--dims 64,16 --box 64,8 --dtype f16 --swizzle 128B --smem Sw<3,3,3>_o_0_o_((64,8),4):((1,64),512)",
        ),
        ("swizzled_f32", "--dims 64,16 --box 32,8 --swizzle 128B --smem Sw<3,2,3>_o_0_o_((32,8),4):((1,32),256)"),
        (
            "swizzled_start",
            "--dims 64,16 --box 16,8 --dtype f16 --swizzle 32B --smem Sw<1,3,3>_o_64_o_((16,8),4):((1,16),128)",
        ),
        ("box_beyond", "--dims 64,4 --box 64,8 --dtype f16"),
    ] {
        insta::assert_snapshot!(format!("tma_right_{name}"), tma(args, b""));
    }
    insta::assert_snapshot!("tma_weak", tma("--weak --dims 64,16 --box 64,8 --element-strides 1,3 --dtype f16", b""));
    insta::assert_snapshot!(
        "tma_file",
        tma(
            "-",
            br#"{"dims":[64,16,3],"box":[32,8,1],"strides":[256,4096],"dtype":"f32","swizzle":"128B","address":4096}"#
        )
    );
}

#[test]
fn rules_that_are_broken() {
    for (name, args) in [
        ("fttc", "--dims 64,16 --box 64,8 --element-strides 1,3 --dtype f16"),
        ("fttc_twice", "--dims 64,16,40 --box 64,8,6 --element-strides 1,3,4 --dtype f16"),
        ("fttc_innermost", "--dims 16 --box 8 --element-strides 3"),
        ("fttc_json", "--format json --dims 64,16 --box 64,8 --element-strides 1,3 --dtype f16"),
        ("rank_0", "--dims () --box ()"),
        ("rank_6", "--dims 32,2,3,5,7,11 --box 32,2,3,1,1,1"),
        ("rank_6_apart", "--dims 32,4,3,5,7,11 --box 16,2,2,3,3,4"),
        ("address", "--dims 64,4 --box 64,4 --address 0x1008"),
        ("address_interleave", "--dims 64,4,2 --box 8,4,2 --interleave 32B --swizzle 32B --address 0x1010"),
        ("size", "--dims 64,4294967297 --box 64,4"),
        ("stride_alignment", "--dims 130,300 --box 64,64"),
        ("stride_interleave", "--dims 60,4,2 --box 8,4,2 --interleave 32B --swizzle 32B"),
        ("stride_range", "--dims 64,4 --box 64,4 --strides 1099511627776"),
        ("box", "--dims 512,300 --box 64,300"),
        ("box_innermost", "--dims 1024 --box 512"),
        ("box_bytes", "--dims 128,4 --box 2,4"),
        ("element_stride", "--dims 128,64 --box 64,18 --element-strides 1,9"),
        ("swizzle_width", "--dims 128,64 --box 64,64 --dtype f16 --swizzle 64B"),
        ("swizzle_width_f32", "--dims 128,64 --box 64,64 --dtype f32 --swizzle 128B"),
        ("interleave_rank", "--dims 128,64 --box 64,64 --interleave 16B"),
        ("interleave_swizzle", "--dims 64,4,2 --box 8,4,2 --interleave 32B --swizzle 64B"),
        ("nan_fill", "--dims 64,4 --box 64,4 --dtype i32 --fill nan"),
        ("transfer_bytes", "--dims 64,4,2 --box 3,1,1 --interleave 16B"),
        ("smem_gap", "--dims 64,16 --box 64,8 --dtype f16 --smem ((64,8),2):((1,72),576)"),
        ("smem_order", "--dims 64,16 --box 64,8 --dtype f16 --smem ((64,8),2):((8,1),512)"),
        ("smem_straddles", "--dims 64,16 --box 64,8 --dtype f16 --smem ((64,8),2):((1,64),500)"),
        ("smem_small", "--dims 64,16 --box 64,8 --dtype f16 --smem (4,8):(1,4)"),
        ("smem_ungrouped", "--dims 64,16 --box 64,8 --dtype f16 --smem (64,8,4):(1,64,512)"),
        ("smem_shared", "--dims 64,16 --box 64,8 --dtype f16 --smem ((64,8),2):((1,64),0)"),
        (
            "smem_swizzle",
            "--dims 64,16 --box 64,8 --dtype f16 --swizzle 128B --smem Sw<2,3,3>_o_0_o_((64,8),4):((1,64),512)",
        ),
        (
            "smem_swizzle_bytes",
            "--dims 64,16 --box 64,8 --dtype f16 --swizzle 128B --smem Sw<3,4,3>_o_0_o_((64,8),4):((1,64),512)",
        ),
        ("smem_swizzle_none", "--dims 64,16 --box 64,8 --dtype f16 --smem Sw<3,3,3>_o_0_o_((64,8),4):((1,64),512)"),
        (
            "smem_swizzle_order",
            "--dims 64,16 --box 64,8 --dtype f16 --swizzle 128B --smem Sw<3,3,3>_o_0_o_((64,8),4):((8,1),512)",
        ),
        (
            "smem_swizzle_start",
            "--dims 64,16 --box 64,8 --dtype f16 --swizzle 128B --smem Sw<3,3,3>_o_8_o_((64,8),4):((1,64),512)",
        ),
        (
            "smem_swizzle_narrow",
            "--dims 64,16 --box 32,8 --dtype f16 --swizzle 128B --smem Sw<3,3,3>_o_0_o_((32,8),4):((1,32),256)",
        ),
        ("many", "--dims 130,4294967297 --box 300,260 --element-strides 9,1 --swizzle 32B --fill nan --dtype i32"),
    ] {
        insta::assert_snapshot!(format!("tma_broken_{name}"), tma(args, b""));
    }
}

#[test]
fn questions_that_make_no_sense() {
    for (name, args, input) in [
        ("negative", "--dims 64,-3 --box 64,1", &b""[..]),
        ("zero", "--dims 64,3 --box 64,0 --element-strides 1,1", b""),
        ("length", "--dims 64,3 --box 64", b""),
        ("strides_length", "--dims 64,3 --box 64,1 --strides 16,32", b""),
        ("word", "--dims 64,x --box 64,1", b""),
        ("fraction", "-", br#"{"dims":[64.5],"box":[64]}"#),
        ("huge", "--dims 64,99999999999999999999 --box 64,1", b""),
        ("dtype", "--dims 64 --box 64 --dtype f17", b""),
        ("swizzle", "--dims 64 --box 64 --swizzle 48B", b""),
        ("json", "-", br#"{"dims":[64],"box":[64],}"#),
        ("not_an_object", "-", b"[1,2]"),
        ("missing", "-", br#"{"dims":[64]}"#),
        ("unknown_name", "-", br#"{"dims":[64],"box":[64],"boxes":[1]}"#),
        ("not_utf8", "-", b"{\"dims\":[64],\xff"),
        ("no_file", "/nowhere/map.json", b""),
        ("smem_notation", "--dims 64 --box 64 --smem (64:1", b""),
        ("packed_overflow", "--dims 4294967296,4294967296,16 --box 64,1,1", b""),
    ] {
        insta::assert_snapshot!(format!("tma_wrong_{name}"), tma(args, input));
    }
}
