//! What a user sees of a run of the command.

use std::process::Command;

/// The command line, both outputs, and the exit status where it is not 0.
pub fn razorgirl(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_razorgirl")).args(args).output().expect("the command starts");
    let mut text = format!("$ razorgirl {}\n", args.join(" "));
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    match output.status.code() {
        Some(0) => {}
        Some(status) => text.extend(["[status ", &status.to_string(), "]\n"]),
        None => text.push_str("[killed]\n"),
    }
    text
}
