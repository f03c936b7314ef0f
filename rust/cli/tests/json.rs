//! `--json`: one line of JSON, with the status that the command has without it.

use serde_json::Value;
use std::process::{Command, Stdio};

/// Commands that answer, each with arguments, and the request of which they print the answer, if there is one.
const ANSWERING: [(&[&str], &[&str]); 29] = [
    (&["show", "(4,8):(1,4)"], &[]),
    (&["show", "(4,8):(1,1)"], &[]),
    (&["show", "Sw<2,0,2> o 3 o (4,4):(4,1)"], &[]),
    (&["show", "(4,8):(1@0,1@1)"], &[]),
    (&["show", "ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, Layout<Shape<_8,_64>,Stride<_64,_1>>>"], &[]),
    (&["eval", "(2,2):(1,6)"], &["eval", "(2,2):(1,6)"]),
    (&["eval", "cute::Swizzle<1,0,1>{} o _0{} o 4:1", "3"], &["call", "3", "Sw<1,0,1> o 0 o 4:1"]),
    (&["eval", "Sw<1,0,1> o 3 o 4:1"], &["eval", "Sw<1,0,1> o 3 o 4:1"]),
    (&["eval", "(2,2):(1@0,1@1)", "(1,1)"], &["call", "(1,1)", "(2,2):(1@0,1@1)"]),
    (&["eval", "(2,2):(1,6)", "3"], &["call", "3", "(2,2):(1,6)"]),
    (&["coalesce", "(2,2):(1,2)"], &["coalesce", "(2,2):(1,2)"]),
    (&["coalesce", "(2,2):(1,2)", "--profile", "(1,1)"], &["coalesce", "(2,2):(1,2)", "(1,1)"]),
    (&["find-layout", "0,1,8,9"], &["find_layout", "0,1,8,9"]),
    (&["find-layout", "0,1,3"], &["find_layout", "0,1,3"]),
    (&["find-layout", "1,0", "--shape", "2"], &["find_layout_over", "2", "1,0"]),
    (&["op", "size", "(4,8)"], &["size", "(4,8)"]),
    (&["linear", "(4,2):(2,1)"], &[]),
    (&["explain", "(4,8):(1,4) o 4:2"], &["composition", "(4,8):(1,4)", "4:2"]),
    (
        &["explain", "ArithTuple(0,16) o (8,64):(1@0,1@1) o (4,4):(1,8)"],
        &["composition", "ArithTuple(0,16) o (8,64):(1@0,1@1)", "(4,4):(1,8)"],
    ),
    (
        &["explain", "cute::Swizzle<3,3,3>{} o _0{} o (8,64):(64,1) o (4,4):(1,8)"],
        &["composition", "Sw<3,3,3> o 0 o (8,64):(64,1)", "(4,4):(1,8)"],
    ),
    (&["banks", "(8,32):(32,1)", "--dtype", "f32", "--access", "column"], &[]),
    (&["banks", "(8,32):(32,1)", "--dtype", "float", "--access", "row"], &[]),
    (&["schedule", "[128,7777] split(0,32)"], &[]),
    (&["schedule", "[4]", "--equivalent", "[4] split(0,2)"], &["schedule_equivalent", "[4]", "[4] split(0,2)"]),
    (&["relation", "(2,2):(3,1)"], &["relation_of", "(2,2):(3,1)"]),
    (&["relation", "(2,2):(3,1)", "--inverse"], &["relation_inverse", "(2,2):(3,1)"]),
    (&["relation", "(32,32):(1,33)", "--code", "cuda"], &["index_code", "(32,32):(1,33)", "cuda"]),
    (&["diagram", "((2,2),5):((10,0),2)"], &["standard_representation_nest", "((2,2),5):((10,0),2)"]),
    (&["diagram", "4:1", "2:2"], &["layout_compose", "2:2", "4:1"]),
];

/// Commands that have another format for programs, or answer none: `tma` and `audit` have `--format json`, `ptx` prints a list.
const OTHERS: [&str; 10] = ["audit", "ptx", "lsp", "tma", "pipeline", "run", "conform", "completions", "man", "help"];

fn razorgirl(arguments: &[&str]) -> (String, Option<i32>) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_razorgirl")).args(arguments).stdin(Stdio::null()).output().expect("it runs");
    (String::from_utf8(output.stdout).expect("UTF-8"), output.status.code())
}

#[test]
fn every_command_that_answers_has_json() {
    for (arguments, operation) in ANSWERING {
        let (text, status) = razorgirl(&[arguments, &["--json"]].concat());
        assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
        let answer: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"));
        // `linear` prints a linear layout alone: it is what the command reads
        let field = if arguments[0] == "linear" { "in" } else { "result" };
        assert!(answer.get(field).is_some(), "{arguments:?}: {answer}");
        assert_eq!(status, razorgirl(arguments).1, "{arguments:?}");
        if !operation.is_empty() {
            assert_eq!(text, razorgirl(&[&["op"], operation, &["--json"]].concat()).0, "{arguments:?}");
        }
    }
    let help = razorgirl(&["--help"]).0;
    let commands = help.split("Commands:").nth(1).and_then(|text| text.split("\n\n").next()).expect("commands");
    // a name is indented by two blanks, what goes on is by more
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    assert!(names.len() > 15, "{names:?}");
    for name in names {
        let answers = ANSWERING.iter().any(|(arguments, _)| arguments[0] == name);
        assert!(answers != OTHERS.contains(&name), "{name}");
    }
}

#[test]
fn answers_for_programs_have_what_is_printed_for_people() {
    let result = |arguments: &[&str]| {
        let (text, _) = razorgirl(&[arguments, &["--json"]].concat());
        serde_json::from_str::<Value>(&text).expect("JSON")["result"].to_string()
    };
    let shown = [
        (
            &["show", "(4,8):(1,1)"][..],
            r#"{"coalesce":{"shape":[4,8],"stride":[1,1]},"cosize":11,"depth":1,"is_contiguous":false,"is_injective":false,"#,
        ),
        (&["schedule", "[6] split(0,4)"], r#"{"checks":[{"axis":0,"extent":6}],"holes":2,"loops":[2,4],"points":8}"#),
        (
            &["banks", "(8,32):(32,1)", "--dtype", "f32", "--access", "row"],
            r#"{"accesses":[{"access":"row","bytes":4,"wavefronts":"#,
        ),
        (&["relation", "2:1", "--promotes", "2:2"], "true"),
        (&["diagram", "(2,3)->(3,2) by (2,1)"], r#"{"codomain":[3,2],"domain":[2,3],"map":[2,1]}"#),
    ];
    for (arguments, start) in shown {
        let result = result(arguments);
        assert!(result.starts_with(start), "{arguments:?}: {result}");
    }
}
