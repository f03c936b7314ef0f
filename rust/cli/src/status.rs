//! What the exit statuses mean, of all commands, once.

use std::fmt::Write as _;

/// The input cannot be read, the usage is wrong, or reading and writing failed.
pub const UNUSABLE: u8 = 2;

/// The reader closed standard output before the end: 128 + SIGPIPE, the status that a shell gives a program that SIGPIPE ended.
pub const UNREAD: u8 = 141;

/// What a command says by 0 and by 1.
const COMMANDS: [(&str, &str, &str); 21] = [
    (
        "audit",
        "all was read, and nothing was found but notes",
        "there are errors or warnings, whether or not all was read",
    ),
    (
        "ptx",
        "every kernel was evaluated, and nothing was found but notes",
        "there are errors or warnings; 2 without any: no kernel there, or one that was not evaluated",
    ),
    ("lsp", "the client sent `shutdown` before `exit`", "it did not"),
    ("show", "shown", "refused"),
    ("eval", "answered", "refused"),
    ("coalesce", "answered", "refused"),
    ("find-layout", "found", "no layout has these offsets"),
    ("op", "answered", "refused, or the answer is `none` or `false`"),
    ("linear", "answered", "refused, or there is no such layout"),
    ("relation", "answered", "refused, there is no such layout, or nothing promotes"),
    ("explain", "derived", "refused"),
    ("schedule", "shown, or equivalent", "different, or not decided"),
    ("tma", "everything that was asked for holds", "something does not hold"),
    ("banks", "no access has conflicts", "an access has conflicts, or the tile cannot be accessed in this way"),
    ("diagram", "drawn", "refused: the layout is not tractable"),
    ("run", "every line got an answer; refusals are answers", "not used"),
    (
        "conform",
        "every request was answered, and no answer is wrong",
        "an answer is wrong; 2 without a verdict: requests without an answer, or every request refused; 130 after Ctrl-C",
    ),
    ("pipeline", "every law holds for every trip count", "a law is broken, or some trip counts are not decided"),
    ("completions", "printed", "not used"),
    ("man", "printed", "not used"),
    ("help", "shown", "not used"),
];

/// The lines below the help of a command.
fn lines(zero: &str, one: &str) -> String {
    let mut text = String::from("Exit status:\n");
    for (status, meaning) in [
        ("0", zero),
        ("1", one),
        ("2", "the input cannot be read, the usage is wrong, or reading or writing failed"),
        ("141", "the reader closed standard output before all was written"),
    ] {
        // writing to a String cannot fail
        let _ = writeln!(text, "  {status:<3}  {meaning}");
    }
    text.trim_end().to_owned()
}

/// The statuses of one command.
pub fn of(command: &str) -> Option<String> {
    COMMANDS.iter().find(|(name, ..)| *name == command).map(|(_, zero, one)| lines(zero, one))
}

/// Puts the statuses below the help of every command.
pub fn document(command: clap::Command) -> clap::Command {
    let general = lines("answered", "the answer is no, something was found, or the operation refuses");
    let command = command.after_help(general);
    command.mut_subcommands(|one| {
        let Some(statuses) = of(one.get_name()) else { return one };
        let below = |text: Option<&clap::builder::StyledStr>| match text {
            Some(text) => format!("{text}\n\n{statuses}"),
            None => statuses.clone(),
        };
        let (short, long) = (below(one.get_after_help()), one.get_after_long_help().map(|long| below(Some(long))));
        let one = one.after_help(short);
        match long {
            Some(long) => one.after_long_help(long),
            None => one,
        }
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_command_says_its_statuses() {
        for command in crate::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Exit status:\n  0    "), "{}: {help}", command.get_name());
        }
    }
}
