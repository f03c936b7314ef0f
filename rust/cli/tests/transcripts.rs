//! The command as it is used.

mod transcript;

use std::io::Write as _;
use std::process::{Command, Stdio};
use transcript::razorgirl;

#[test]
fn show() {
    insta::assert_snapshot!("show_column_major", razorgirl(&["show", "(4,8):(1,4)"]));
    insta::assert_snapshot!("show_collision", razorgirl(&["show", "((2,2),4):((1,1),2)"]));
    insta::assert_snapshot!("show_nested", razorgirl(&["show", "((4,2),(2,4)):((2,16),(1,8))"]));
    insta::assert_snapshot!("show_rank_3", razorgirl(&["show", "(2,3,4):(1,0,6)"]));
    insta::assert_snapshot!("show_empty", razorgirl(&["show", "():()"]));
    insta::assert_snapshot!("show_swizzled", razorgirl(&["show", "Sw<3,0,3> o 0 o (8,8):(8,1)"]));
    insta::assert_snapshot!("show_swizzled_plain", razorgirl(&["show", "Sw<3,0,3> o 24 o 8:1"]));
    insta::assert_snapshot!(
        "show_swizzled_bytes",
        razorgirl(&["show", "Sw<2,4,3> o smem_ptr[16b](unset) o (8,32):(32,1)"])
    );
    // |S| < B, which CuTe refuses; S = 0 is no bijection
    insta::assert_snapshot!("show_swizzled_unusual", razorgirl(&["show", "Sw<2,0,1> o 0 o 16:1"]));
    insta::assert_snapshot!("show_swizzled_cleared", razorgirl(&["show", "Sw<2,1,0> o 0 o 8:1"]));
    insta::assert_snapshot!("show_swizzled_overflow", razorgirl(&["show", "Sw<1,0,-64> o 0 o 2:1"]));
    insta::assert_snapshot!("show_swizzled_large", razorgirl(&["show", "Sw<3,3,3> o 8 o (4096,2,4096):(4096,1,2)"]));
    // the table of a large one has its offsets, or none: they are not listed, and some are 2^64 or more
    insta::assert_snapshot!(
        "show_swizzled_large_overflow",
        razorgirl(&["show", "Sw<1,1,-64> o 0 o (2048,1024):(1,2048)"])
    );
    insta::assert_snapshot!(
        "show_swizzled_picture_too_large",
        razorgirl(&["show", "Sw<3,3,3> o 0 o (256,256):(256,1)", "--svg", "-"])
    );
    insta::assert_snapshot!(
        "show_swizzled_torn",
        razorgirl(&["show", "Sw<3,0,-3> o smem_ptr[16b](unset) o (8,8):(8,1)"])
    );
    insta::assert_snapshot!("eval_keeps_too_much", razorgirl(&["eval", "Sw<3,3,3> o 0 o (4,4):(1,4)", "((_,0),0)"]));
    insta::assert_snapshot!("eval_swizzled_too_large", razorgirl(&["eval", "Sw<3,3,3> o 0 o 4194304:1"]));
    insta::assert_snapshot!("show_coordinates", razorgirl(&["show", "ArithTuple(0,16) o ((2,2),4):((1@0,2@0),2@1)"]));
    insta::assert_snapshot!("show_coordinates_identity", razorgirl(&["show", "(4,5):(E<0>,_1@1)"]));
    insta::assert_snapshot!("show_coordinates_shared", razorgirl(&["show", "(2,3):(1@0+1@1,1@0)"]));
    insta::assert_snapshot!("show_coordinates_again", razorgirl(&["show", "(2,3,2):(1@1@0,1@1,0)"]));
    insta::assert_snapshot!("show_coordinates_large", razorgirl(&["show", "(4096,4096):(1@1,1@0)"]));
    insta::assert_snapshot!("show_coordinates_picture", razorgirl(&["show", "(2,3):(1@1,1@0)", "--svg", "-"]));
    insta::assert_snapshot!(
        "show_coordinates_picture_too_large",
        razorgirl(&["show", "(256,256):(1@0,1@1)", "--svg", "-"])
    );
    insta::assert_snapshot!("linear_too_large", razorgirl(&["linear", "2:9223372036854775808"]));
    insta::assert_snapshot!("show_huge", razorgirl(&["show", "(4294967296,2):(1,4294967296)"]));
}

#[test]
fn operations() {
    insta::assert_snapshot!("eval", razorgirl(&["eval", "(4,2):(2,1)"]));
    insta::assert_snapshot!("eval_coordinate", razorgirl(&["eval", "(4,(2,3)):(6,(3,1))", "(1,(1,2))"]));
    insta::assert_snapshot!("eval_swizzled", razorgirl(&["eval", "Sw<3,0,3> o 0 o (2,8):(8,1)"]));
    insta::assert_snapshot!("eval_swizzled_coordinate", razorgirl(&["eval", "Sw<3,0,3> o 0 o (8,8):(8,1)", "(3,1)"]));
    insta::assert_snapshot!("eval_swizzled_keep", razorgirl(&["eval", "Sw<3,0,3> o 0 o (8,8):(8,1)", "(_,1)"]));
    insta::assert_snapshot!("eval_coordinates", razorgirl(&["eval", "(2,3):(1@1,1@0)"]));
    insta::assert_snapshot!("eval_coordinates_coordinate", razorgirl(&["eval", "(2,3):(1@1,1@0)", "(1,2)"]));
    insta::assert_snapshot!("eval_coordinates_keep", razorgirl(&["eval", "(2,3):(1@1,1@0)", "(_,2)"]));
    insta::assert_snapshot!("eval_coordinates_too_large", razorgirl(&["eval", "(4096,4096):(1@1,1@0)"]));
    insta::assert_snapshot!(
        "op_coordinates_carries",
        razorgirl(&["op", "coord_composition", "(6,2):(1@0,1@1)", "(3,2):(2,3)"])
    );
    // what needs offsets in an order
    insta::assert_snapshot!("op_coordinates_complement", razorgirl(&["op", "complement", "(4,8):(1@0,1@1)", "64"]));
    insta::assert_snapshot!(
        "explain_coordinates",
        razorgirl(&["explain", "coord_composition((4,8):(1@0,1@1), (4,2):(5,16))"])
    );
    insta::assert_snapshot!("explain_swizzled", razorgirl(&["explain", "Sw<2,0,2> o 3 o (4,8):(1,4) o (2,2):(2,8)"]));
    insta::assert_snapshot!("coalesce", razorgirl(&["coalesce", "(2,(1,6)):(1,(6,2))"]));
    insta::assert_snapshot!(
        "coalesce_profile",
        razorgirl(&["coalesce", "((2,4),(2,2)):((1,2),(8,16))", "--profile", "(*,*)"])
    );
    insta::assert_snapshot!("find_layout", razorgirl(&["find-layout", "0,4,1,5,2,6"]));
    insta::assert_snapshot!("find_layout_none", razorgirl(&["find-layout", "0", "1", "1", "0"]));
    insta::assert_snapshot!("find_layout_none_signed", razorgirl(&["find-layout", "7", "6", "5", "4"]));
    insta::assert_snapshot!("find_layout_lists", razorgirl(&["find-layout", "[[7,17],[8,18],[3,13],[4,14]]"]));
    let product = razorgirl(&["find-layout", "--shape", "(2,(2,2))", "0 0 0 1 0 0 0 1"]);
    insta::assert_snapshot!("find_layout_coordinate", product);
    insta::assert_snapshot!("find_layout_axis", razorgirl(&["find-layout", "--shape", "4", "0", "-1", "-1", "0"]));
    insta::assert_snapshot!("find_layout_ragged", razorgirl(&["find-layout", "[[0,1],[2]]"]));
    insta::assert_snapshot!("op_composition", razorgirl(&["op", "composition", "(6,2):(8,2)", "(4,3):(3,1)"]));
    insta::assert_snapshot!("op_carries", razorgirl(&["op", "composition", "(6,2):(1,7)", "(3,2):(2,3)"]));
    insta::assert_snapshot!("op_slice", razorgirl(&["op", "slice", "(_,1)", "(4,8):(1,4)"]));
    insta::assert_snapshot!("op_injective", razorgirl(&["op", "is_injective", "(2,2):(1,1)"]));
    insta::assert_snapshot!("op_unknown", razorgirl(&["op", "coalesc", "4:1"]));
    insta::assert_snapshot!("op_help", razorgirl(&["op", "complement", "--help"]));
    insta::assert_snapshot!("op_help_of_all", razorgirl(&["op", "--help"]));
    insta::assert_snapshot!("op_arity", razorgirl(&["op", "complement", "4:1", "2", "3"]));
    insta::assert_snapshot!("op_argument", razorgirl(&["op", "composition", "(4,8):(1,4)", "(2,:1"]));
    insta::assert_snapshot!("op_mode", razorgirl(&["op", "size", "4:1", "--mode", "complete"]));
    insta::assert_snapshot!("op_mode_unknown", razorgirl(&["op", "size", "4:1", "--mode", "total"]));
    for mode in [&["--mode", "complete"][..], &["--mode=complete"], &["mode=complete"]] {
        let strict = ["op", "composition", "(2,2,3):(1,1,3)", "3:3"];
        assert!(razorgirl(&strict).ends_with("[status 1]\n"));
        let complete = razorgirl(&[&strict, mode].concat());
        assert!(complete.ends_with("\n3:2\n"), "{complete}");
    }
}

/// Every row of the table is reached: its example prints what the row says, its help names everything in it.
#[test]
fn every_operation_on_the_command_line() {
    for op in razorgirl_protocol::ops() {
        let (arguments, printed) = op.example;
        let text = razorgirl(&[&["op", op.name], arguments].concat());
        let text = text.trim_end_matches("[status 1]\n");
        assert_eq!(text.split_once('\n').map(|(_, text)| text.trim_end()), Some(printed), "{}", op.name);
        let help = razorgirl(&["op", op.name, "--help"]);
        for word in [op.name, op.meaning]
            .into_iter()
            .chain(op.lean.iter().copied())
            .chain(op.cute)
            .chain(op.beside.iter().copied())
        {
            assert!(help.contains(word), "{}: {word} is not in its help\n{help}", op.name);
        }
    }
}

/// `run --extracted` answers as `run` does, and says by which functions.
#[test]
fn run_by_extracted_functions() {
    let asked =
        "{\"id\":1,\"op\":\"coalesce\",\"args\":[{\"shape\":[2,[1,6]],\"stride\":[1,[6,2]]}]}\n{\"op\":\"ops\"}\n";
    let run = |args: &[&str]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_razorgirl"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts");
        child.stdin.take().expect("a pipe").write_all(asked.as_bytes()).expect("it reads");
        String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("it writes text")
    };
    let (library, extracted) = (run(&["run"]), run(&["run", "--extracted"]));
    let (first, ops) = extracted.split_once('\n').expect("two lines");
    assert_eq!(first, "{\"id\":1,\"result\":{\"shape\":12,\"stride\":1}}");
    let (all, by_function) = ops.trim_end().split_once(",\"extracted\":").expect("which operations are extracted");
    assert_eq!(format!("{first}\n{all}}}\n"), library);
    assert!(by_function.contains("\"coalesce\"") && !by_function.contains("\"rank\""), "{by_function}");
}

#[test]
fn mistakes() {
    insta::assert_snapshot!("mistake_notation", razorgirl(&["show", "(4,8:(1,4)"]));
    insta::assert_snapshot!("mistake_swizzle", razorgirl(&["show", "Sw<3,4> o 0 o (8,64):(64,1)"]));
    insta::assert_snapshot!(
        "mistake_swizzle_pointer",
        razorgirl(&["show", "Sw<3,4,3> o smem_ptr[16b](0x7f00) o (8,64)"])
    );
    insta::assert_snapshot!("mistake_coordinates", razorgirl(&["show", "(4,8):(1@0,1)"]));
    insta::assert_snapshot!("mistake_coordinates_nesting", razorgirl(&["show", "(4,8):(1@0,1@0@0)"]));
    insta::assert_snapshot!("mistake_coordinates_dimension", razorgirl(&["eval", "(4,8):(1@0,1@x)"]));
    insta::assert_snapshot!("mistake_incongruent", razorgirl(&["show", "(4,8):1"]));
    insta::assert_snapshot!("mistake_extent", razorgirl(&["show", "(4,0):(1,4)"]));
    insta::assert_snapshot!("mistake_overflow", razorgirl(&["show", "(2,2):(1,18446744073709551615)"]));
    insta::assert_snapshot!("mistake_coordinate", razorgirl(&["eval", "(4,8):(1,4)", "(4,0)"]));
}

#[test]
fn a_picture_is_drawn_or_nothing_is() {
    let folder = tempfile::tempdir().expect("a folder for pictures");
    let path = folder.path().join("layout.svg");
    let text = razorgirl(&["show", "(4,8):(8,1)", "--svg", &path.display().to_string()]);
    assert!(text.contains("drawn into"), "{text}");
    let picture = std::fs::read_to_string(&path).expect("the picture is there");
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
    assert_eq!(picture.matches("<rect ").count(), 33);
    let text = razorgirl(&["show", "Sw<2,0,3> o 0 o (8,8):(8,1)", "--svg", "-"]);
    assert_eq!(text.matches("<rect ").count(), 65);
    // row 1 begins with offset 9
    assert!(text.contains("&lt;2,0,3&gt; o 0 o (8,8):(8,1)") && text.contains(">9</text>"), "{text}");
    let text = razorgirl(&["show", "(1024,1024)", "--svg", &path.display().to_string()]);
    assert!(text.contains("too_large"), "{text}");
    assert_eq!(std::fs::read_to_string(&path).expect("the picture is still there"), picture);
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder is there").count(), 1);
}

#[test]
fn run_answers_every_line_and_never_dies() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_razorgirl"))
        .arg("run")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let deep = format!("{{\"id\":3,\"op\":\"size\",\"args\":[{}1{}]}}", "[".repeat(10_000), "]".repeat(10_000));
    let long = format!("{{\"id\":4,\"op\":\"size\",\"args\":[\"{}\"]}}", "x".repeat(10 << 20));
    let mut input = child.stdin.take().expect("it is a pipe");
    let lines: [&[u8]; 7] = [
        b"{\"id\":1,\"op\":\"size\",\"args\":[[2,3]]}",
        b"not json",
        deep.as_bytes(),
        long.as_bytes(),
        b"",
        b"\xff\xfe",
        b"{\"id\":7,\"op\":\"coalesce\",\"args\":[{\"shape\":[2,4],\"stride\":[1,2]}]}",
    ];
    let input: Vec<u8> = {
        let all = lines.join(&b'\n');
        std::thread::spawn(move || input.write_all(&all).map(|()| all))
            .join()
            .ok()
            .and_then(Result::ok)
            .expect("it reads")
    };
    assert!(input.len() > 10 << 20);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("answers are text");
    let answers: Vec<&str> = text.lines().collect();
    assert!(output.status.success());
    assert_eq!(answers.len(), 7, "{text}");
    assert_eq!(answers[0], r#"{"id":1,"result":6}"#);
    for (answer, code) in answers[1..6].iter().zip(["parse", "too_large", "parse", "parse", "parse"]) {
        assert!(answer.contains(&format!("\"code\":\"{code}\"")), "{answer}");
    }
    assert_eq!(answers[6], r#"{"id":7,"result":{"shape":8,"stride":1}}"#);
}

/// Worked examples of CuTe's documentation (`02_layout_algebra`) and of «Categorical Foundations for CuTe Layouts».
#[test]
fn explain() {
    for (name, expression) in [
        ("division", "logical_divide((16):(1), (4):(1))"),
        ("division_1d", "logical_divide((4,2,3):(2,1,8), 4:2)"),
        ("division_2d", "logical_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>)"),
        ("division_zipped", "zipped_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>)"),
        ("division_tiled", "tiled_divide((8,16,5), <4,4>)"),
        ("division_flat", "flat_divide((8,16,5), <4,_>)"),
        ("division_categorical", "logical_divide((4,6,2,4,2,5):(36,1,18,0,0,144), (4,10):(1,192))"),
        ("division_refused", "logical_divide((6,2), 5)"),
        ("division_padded", "logical_divide_ceil(10, 4)"),
        ("product_1d", "logical_product((2,2):(4,1), 6:1)"),
        ("product_1d_ordered", "logical_product((2,2):(4,1), (4,2):(2,1))"),
        ("product_blocked", "blocked_product((2,5):(5,1), (3,4):(1,3))"),
        ("product_raked", "raked_product((2,5):(5,1), (3,4):(1,3))"),
        ("product_of_the_paper", "logical_product((3,3):(6,1), (10,12):(24,2))"),
        ("product_refused", "logical_product((2,2):(3,4), (2,1):(1,1))"),
        ("complement", "complement((2,2):(1,6), 24)"),
        ("composition", "composition((6,2):(8,2), (4,3):(3,1))"),
        ("composition_by_mode", "composition((12,(4,8)):(59,(13,1)), <3:4,8:2>)"),
        ("composition_refused", "composition((6,2):(1,7), (3,2):(2,3))"),
        ("nested", "composition((8,8):(8,1), right_inverse((8,8):(8,1)))"),
        ("coalesce", "coalesce((2,(1,6)):(1,(6,2)))"),
        ("composed", "(6,2):(8,2) o (4,3):(3,1)"),
        ("composed_right_first", "(8,8):(8,1) o right_inverse((8,8):(8,1)) o (4,2)"),
        ("composed_swizzled", "Sw<3,3,3> o 0 o (8,64):(64,1) o (8,8):(1,8)"),
        ("composed_coordinates", "(4,8):(1@0,1@1) o (4,2):(5,16)"),
        ("no_operation", "(4,8):(1,4)"),
        ("no_operation_swizzled", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        ("no_composition", "(4,8):(1,4) o "),
        ("closes_nothing", "coalesce((2,2):(1,2)))"),
        ("unknown", "logical_divid((16):(1), (4):(1))"),
        ("no_end", "logical_divide((16):(1), (4):(1)"),
    ] {
        insta::assert_snapshot!(format!("explain_{name}"), razorgirl(&["explain", expression]));
    }
}

#[test]
fn explain_draws_before_and_after() {
    let folder = tempfile::tempdir().expect("a folder for pictures");
    let path = folder.path().join("after.svg");
    for (expression, cells) in [
        ("logical_divide((4,8), <2,4>)", 32 + 32),
        ("zipped_divide((4,8), <2,4>)", 32 + 32),
        ("logical_divide_ceil(10, 4)", 10 + 12),
        ("blocked_product((2,5):(5,1), (3,4):(1,3))", 10 + 12 + 120),
        ("coalesce((2,(1,6)):(1,(6,2)))", 12 + 12),
    ] {
        let text = razorgirl(&["explain", expression, "--svg", &path.display().to_string()]);
        assert!(text.contains("drawn into"), "{text}");
        let picture = std::fs::read_to_string(&path).expect("the picture is there");
        assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"));
        assert_eq!(picture.matches("<rect ").count(), cells + 1, "{expression}");
    }
    // tiles are told apart: eight of them, eight colours
    let _ = razorgirl(&["explain", "zipped_divide((4,16), <2,4>)", "--svg", &path.display().to_string()]);
    let picture = std::fs::read_to_string(&path).expect("the picture is there");
    let fills: std::collections::BTreeSet<&str> =
        picture.split("<rect x").skip(1).filter_map(|rest| rest.split("fill=\"").nth(1)?.split('"').next()).collect();
    assert_eq!(fills.len(), 8);
}
