//! What is read is bounded by what has been read; what is written goes where it was told to.

#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn razorgirl(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_razorgirl"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn output(arguments: &[&str]) -> Output {
    razorgirl(arguments).output().expect("razorgirl runs")
}

/// Runs the command with an input that never ends.
fn endless(arguments: &[&str], word: &[u8]) -> Output {
    let mut child =
        razorgirl(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let block = word.repeat(1 << 16);
    while input.write_all(&block).is_ok() {}
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn too_large(output: &Output) {
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("more than 16777216 bytes"), "{errors}");
}

#[test]
fn inputs_without_an_end_are_refused() {
    too_large(&endless(&["find-layout", "-"], b"0\n"));
    too_large(&endless(&["schedule", "-"], b" split(0,2)"));
    too_large(&endless(&["tma", "-"], b"["));
    if Path::new("/dev/zero").exists() {
        too_large(&output(&["schedule", "/dev/zero"]));
        too_large(&output(&["tma", "/dev/zero"]));
    }
}

#[test]
fn a_pipe_is_read_like_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let child = razorgirl(&["schedule", &pipe.to_string_lossy()]).stdout(Stdio::piped()).spawn().unwrap();
    fs::write(&pipe, "[128] split(0,32)").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && text(&output.stdout).contains("loops   (4,32)"), "{output:?}");
}

#[test]
fn a_line_without_an_end_ends_the_conversation() {
    let output = endless(&["run"], b" ");
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert!(errors.contains("longer than 16777216 bytes") && errors.contains("1073741824"), "{errors}");
    let answers = text(&output.stdout);
    assert!(answers.lines().count() == 1 && answers.contains("too_large"), "{answers}");
}

fn draw(file: &Path) {
    let output = output(&["show", "(2,2)", "--svg", &file.to_string_lossy()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn files_are_made_and_replaced_like_any_program_does() {
    let folder = tempfile::tempdir().unwrap();
    let (new, link, target) = (folder.path().join("new"), folder.path().join("link"), folder.path().join("target"));
    let shell = format!("umask 027; '{}' show '(2,2)' --svg '{}'", env!("CARGO_BIN_EXE_razorgirl"), new.display());
    assert!(Command::new("sh").args(["-c", &shell]).stdout(Stdio::null()).status().unwrap().success());
    assert_eq!(mode(&new), 0o640);
    // a link that leads nowhere yet, then to a file with a mode of its own
    symlink("target", &link).unwrap();
    draw(&link);
    assert!(link.is_symlink() && fs::read_to_string(&target).unwrap().starts_with("<svg"));
    fs::write(&target, "old").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o604)).unwrap();
    draw(&link);
    assert!(link.is_symlink() && mode(&target) == 0o604);
    assert!(fs::read_to_string(&target).unwrap().starts_with("<svg"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left behind");
    let (missing, directory) = (folder.path().join("no/such/file"), folder.path());
    for path in [missing.as_path(), directory] {
        let output = output(&["show", "(2,2)", "--svg", &path.to_string_lossy()]);
        assert_eq!(output.status.code(), Some(2), "{}", path.display());
        assert!(text(&output.stderr).contains(&*path.to_string_lossy()), "{}", text(&output.stderr));
    }
}

#[test]
fn pipes_and_devices_are_written_through() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child =
        razorgirl(&["show", "(2,2)", "--svg", &pipe.to_string_lossy()]).stdout(Stdio::null()).spawn().unwrap();
    let mut drawn = String::new();
    fs::File::open(&pipe).unwrap().read_to_string(&mut drawn).unwrap();
    assert!(child.wait().unwrap().success() && drawn.ends_with("</svg>\n"));
    let through = folder.path().join("null");
    symlink("/dev/null", &through).unwrap();
    draw(&through);
    assert!(through.is_symlink() && !fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn a_dash_is_standard_output() {
    for arguments in [vec!["show", "(2,2)"], vec!["explain", "logical_divide((16):(1), (4):(1))"]] {
        let output = output(&[arguments, vec!["--svg", "-"]].concat());
        let picture = text(&output.stdout);
        assert!(output.status.success() && picture.starts_with("<svg") && picture.ends_with("</svg>\n"), "{picture}");
        assert!(!Path::new("-").exists());
    }
}

#[test]
fn a_coordinate_that_keeps_a_mode_has_no_offset() {
    let output = output(&["eval", "(4,8):(1,4)", "(1,_)"]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("`_` keeps a whole mode") && errors.contains("op slice_and_offset '(1,_)'"), "{errors}");
}

#[test]
fn offsets_without_an_end_are_refused() {
    let listed = output(&["eval", "(1024,1024):(1024,1)"]);
    assert!(listed.status.success(), "{}", text(&listed.stderr));
    assert_eq!(text(&listed.stdout).split_whitespace().count(), 1 << 20);
    for layout in ["(1048577):(0)", "(4294967296,2):(1,4294967296)"] {
        let refused = output(&["eval", layout]);
        let errors = text(&refused.stderr);
        assert!(refused.stdout.is_empty());
        assert_eq!(refused.status.code(), Some(1), "{errors}");
        assert!(errors.starts_with("error[too_large]: "), "{errors}");
        // what the help names answers
        for arguments in [["eval", layout, "0"], ["op", "cosize", layout]] {
            let quoted = arguments.map(|word| if word == layout { format!("'{word}'") } else { word.to_owned() });
            assert!(errors.contains(&format!("help: razorgirl {} ", quoted.join(" "))), "{errors}");
            assert!(output(&arguments).status.success());
        }
    }
}

/// What prints something, one of each kind.
const ANSWERS: [&[&str]; 8] = [
    &[],
    &["--help"],
    &["--version"],
    &["show", "--help"],
    &["op", "--help"],
    &["op", "ops"],
    &["show", "(4,8):(1,4)"],
    &["explain", "coalesce((2,2):(1,2))"],
];

#[test]
fn an_answer_that_cannot_be_written_is_no_success() {
    for arguments in ANSWERS {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = razorgirl(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).starts_with("error: "), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn a_reader_that_left_is_told_by_the_status_of_a_broken_pipe() {
    for arguments in ANSWERS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = razorgirl(arguments).stdout(writer).output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(141), String::new()), "{arguments:?}");
    }
}

#[test]
fn special_files_are_not_audited() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.cu");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // nobody ever writes to it
    let output = output(&["audit", "--no-config", &pipe.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("a FIFO is not read: give a regular file or a directory"), "{output:?}");
}

#[test]
fn what_cannot_be_read_has_one_status() {
    for arguments in [
        &["show", ""][..],
        &["eval", ""],
        &["coalesce", ""],
        &["find-layout", ""],
        &["find-layout", "", "--json"],
        &["op", ""],
        &["op", "coalesce", ""],
        &["op", "complement"],
        &["linear", ""],
        &["relation", ""],
        &["explain", ""],
        &["explain", "coalesce"],
        &["explain", "complement()"],
        &["explain", "composition((4,8):(1,4)"],
        &["explain", "4:1 o "],
        &["explain", "size(4:1)", "--svg", "-"],
        &["schedule", "[2"],
        &["tma", "{"],
        &["banks", "", "--dtype", "f16", "--access", "row"],
        &["diagram", ""],
        &["audit", "--explain", ""],
        &["nothing"],
    ] {
        let output = output(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn texts_stand_where_files_do() {
    let output = output(&[
        "schedule",
        "[128] split(0,32)",
        "--equivalent",
        "{\"extents\":[128],\"steps\":[{\"split\":0,\"factor\":32}]}",
    ]);
    assert!(output.status.success() && text(&output.stdout).starts_with("equivalent"), "{output:?}");
    let output = self::output(&["tma", "{\"dims\":[64,16],\"box\":[64,8]}"]);
    assert!(output.status.success() && text(&output.stdout).contains("tensor    64×16"), "{output:?}");
}
