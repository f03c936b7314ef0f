//! `razorgirl completions` and `razorgirl man`: what a shell and `man` are given.

use clap_complete::Shell;
use razorgirl_view::failure::Failure;
use std::io::Write;
use std::process::ExitCode;

/// Print the completions of a shell: bash, elvish, fish, powershell or zsh
///
/// Bash: razorgirl completions bash > ~/.local/share/bash-completion/completions/razorgirl
#[derive(clap::Args, Debug)]
pub struct CompletionsArgs {
    /// the shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, in the format of man(7)
///
/// razorgirl man > ~/.local/share/man/man1/razorgirl.1; with a command, its page: razorgirl man audit
#[derive(clap::Args, Debug)]
pub struct ManArgs {
    /// the command
    command: Option<String>,
}

/// Prints completions.
pub fn completions(args: &CompletionsArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    // The generator panics where it cannot write.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut crate::command(), "razorgirl", &mut text);
    out.write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a page.
pub fn man(args: &ManArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut all = crate::command();
    all.build();
    let page = match &args.command {
        None => all,
        Some(name) => {
            let Some(command) = all.find_subcommand(name) else {
                let names: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
                return Err(Failure::Unreadable {
                    code: "parse".into(),
                    message: format!("there is no command `{name}`"),
                    help: vec![format!("use {}", names.join(", "))],
                });
            };
            command.clone()
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    out.write_all(with_lines(&String::from_utf8_lossy(&text)).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The page with the lines below the options as they are: examples and exit statuses are no paragraphs.
fn with_lines(page: &str) -> String {
    const EXTRA: &str = "\n.SH EXTRA\n";
    let Some((before, extra)) = page.split_once(EXTRA) else { return page.to_owned() };
    let end = extra.find("\n.SH ").map_or(extra.len(), |at| at + 1);
    let (lines, after) = extra.split_at(end);
    format!("{before}{EXTRA}.nf\n{lines}.fi\n{after}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;
    use std::collections::BTreeSet;

    fn printed(print: impl FnOnce(&mut Vec<u8>) -> Result<ExitCode, Failure>) -> String {
        let mut out = Vec::new();
        print(&mut out).expect("it is written");
        String::from_utf8(out).expect("text")
    }

    /// As a manual page writes a name.
    fn escaped(name: &str) -> String {
        name.replace('-', "\\-")
    }

    fn options(command: &clap::Command) -> Vec<&str> {
        command.get_arguments().filter(|option| !option.is_hide_set()).filter_map(clap::Arg::get_long).collect()
    }

    #[test]
    fn completions_name_every_command_and_option() {
        let all = crate::command();
        for &shell in Shell::value_variants() {
            let text = printed(|out| completions(&CompletionsArgs { shell }, out));
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            let words: BTreeSet<&str> = words.map(|word| word.trim_start_matches('-')).collect();
            for command in all.get_subcommands() {
                for name in std::iter::once(command.get_name()).chain(options(command)) {
                    assert!(words.contains(name), "{shell}: {} {name}", command.get_name());
                }
            }
        }
    }

    #[test]
    fn pages_name_every_command_and_option() {
        let page = |command: Option<&str>| printed(|out| man(&ManArgs { command: command.map(str::to_owned) }, out));
        let whole = page(None);
        assert!(whole.starts_with(".ie") || whole.starts_with(".TH"), "{whole}");
        assert!(whole.contains("Exit status"), "{whole}");
        let all = crate::command();
        assert!(all.get_subcommands().count() > 15);
        for command in all.get_subcommands() {
            let name = command.get_name();
            assert!(whole.contains(&escaped(&format!("razorgirl-{name}(1)"))), "{name}");
            let own = page(Some(name));
            assert!(own.contains(&escaped(name)), "{name}");
            for option in options(command) {
                assert!(own.contains(&escaped(&format!("--{option}"))), "{name} --{option}");
            }
        }
    }
}
