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
