//! What a terminal and a shell are given: colours, tables that fit, JSON.

use std::process::Command;

fn razorgirl(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_razorgirl"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM"] {
        command.env_remove(name);
    }
    let output = command.args(arguments).envs(environment.iter().copied()).output().expect("the command starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn colours_are_printed_as_the_environment_says() {
    let show = |environment: &[(&str, &str)]| razorgirl(&["show", "(4,8):(8,1)"], environment);
    let plain = show(&[]);
    assert!(!plain.contains('\u{1b}'));
    assert_eq!(show(&[("NO_COLOR", "1")]), plain);
    let indexed = show(&[("CLICOLOR_FORCE", "1")]);
    assert_eq!(indexed.matches("\u{1b}[48;5;").count(), 32, "{indexed}");
    let full = show(&[("CLICOLOR_FORCE", "1"), ("COLORTERM", "truecolor")]);
    assert_eq!(full.matches("\u{1b}[48;2;").count(), 32, "{full}");
    // Without the colours it is the same text.
    let mut text = String::new();
    for part in full.split('\u{1b}') {
        text.push_str(part.strip_prefix('[').map_or(part, |part| part.split_once('m').expect("an end").1));
    }
    assert_eq!(text, plain);
}

#[test]
fn swizzled_layouts_are_coloured_by_bank_group() {
    let text = razorgirl(&["show", "Sw<3,3,3> o 0 o (8,64):(64,1)", "--full"], &[("CLICOLOR_FORCE", "1")]);
    let grounds: std::collections::BTreeSet<&str> =
        text.split("\u{1b}[48;").skip(1).filter_map(|rest| rest.split('m').next()).collect();
    assert!((5..=8).contains(&grounds.len()), "{grounds:?}");
}

#[test]
fn tables_say_what_they_leave_out() {
    let cut = razorgirl(&["show", "(64,64):(64,1)"], &[]);
    assert!(cut.ends_with("\n  32 of 64 rows, 32 of 64 columns; --full prints all\n"), "{cut}");
    let full = razorgirl(&["show", "(64,64):(64,1)", "--full"], &[]);
    assert!(full.contains(" 4095\n") && !full.contains('…') && !full.contains("--full"), "{full}");
}

#[test]
fn pictures_of_many_rows_are_cropped() {
    let rectangles = |arguments: &[&str]| razorgirl(arguments, &[]).matches("<rect ").count() - 1;
    assert_eq!(rectangles(&["show", "(64,8):(8,1)", "--svg", "-"]), 32 * 8);
    assert_eq!(rectangles(&["show", "(64,8):(8,1)", "--svg", "-", "--full"]), 64 * 8);
    // The atom of the swizzle has eight rows.
    assert_eq!(rectangles(&["show", "Sw<3,3,3> o 0 o (64,64):(64,1)", "--svg", "-"]), 8 * 64);
    let banks = ["banks", "(64,32):(32,1)", "--dtype", "f32", "--access", "column", "--svg", "-"];
    let output = Command::new(env!("CARGO_BIN_EXE_razorgirl")).args(banks).output().expect("the command starts");
    let picture = String::from_utf8(output.stdout).expect("text");
    assert!(picture.contains(", rows 0 to 31 of 64") && picture.contains("font-weight=\"bold\""), "{picture}");
}

#[test]
fn before_and_after_have_different_colours() {
    let picture = razorgirl(&["explain", "coalesce((2,(1,6)):(1,(6,2)))", "--svg", "-"], &[]);
    let fills: Vec<&str> =
        picture.split("<rect x").skip(1).filter_map(|rest| rest.split("fill=\"").nth(1)?.split('"').next()).collect();
    assert_eq!(fills.len(), 24);
    assert!(fills[..12].iter().all(|fill| !fills[12..].contains(fill)), "{fills:?}");
}

#[test]
fn without_arguments_there_are_three_examples_that_hold() {
    let text = razorgirl(&[], &[]);
    let examples: Vec<&str> = text.lines().filter(|line| line.starts_with("  razorgirl ")).collect();
    assert_eq!(examples.len(), 3);
    for example in &examples[..2] {
        let (command, argument) = example.trim().split_once(" '").expect("an argument");
        let argument = argument.split_once('\'').expect("its end").0;
        let command = command.strip_prefix("razorgirl ").expect("a command");
        assert!(!razorgirl(&[command, argument], &[]).is_empty());
    }
}

#[test]
fn answers_as_json() {
    let composition = ["(6,2):(8,2)", "(4,3):(3,1)"];
    let json = razorgirl(&[&["op", "composition"], &composition[..], &["--json"]].concat(), &[]);
    assert_eq!(json, "{\"result\":{\"shape\":[[2,2],3],\"stride\":[[24,2],8]}}\n");
    assert_eq!(razorgirl(&["explain", &composition.join(" o "), "--json"], &[]), json);
    let padded = razorgirl(&["op", "logical_divide_ceil", "10", "4", "--json"], &[]);
    let padded: serde_json::Value = serde_json::from_str(&padded).expect("JSON");
    assert!(padded["result"].is_object() && !padded["index"].is_null(), "{padded}");
}
