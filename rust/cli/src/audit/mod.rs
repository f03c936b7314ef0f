//! `razorgirl audit`.

mod fix;
mod settings;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use razorgirl_audit::finding::Code;
use razorgirl_audit::policy::{self, Baseline, nearest_rule};
use razorgirl_audit::report::{Export, Github, Json, Sarif, Text};
use razorgirl_audit::{Report, Status};

use crate::output::Output;
use razorgirl_view::failure::Failure;
use settings::Settings;

/// Find wrong layouts in C++, CUDA and Python sources
///
/// The auditor evaluates every CuTe layout that is a compile-time constant, also through aliases, templates and base classes in other
/// files, and checks it against the rules. `--explain all` lists the rules. Every suggested fix passes the check that failed; whether it
/// is the layout that you want is for you to decide.
///
/// In a directory the auditor reads source files, hidden files included, and follows links. It skips what .gitignore (in a git
/// repository) and .ignore exclude; --no-ignore reads these files too. A path on the command line is always read. FIFOs, sockets and
/// devices are refused.
///
/// A comment `// razorgirl: allow(RG002) reason` (`#` in Python) on the line or the line above allows a finding. `razorgirl.toml` in the
/// directory of the path or above sets `paths` (audited), `vendored` (skipped), `include` (read for names only), and in `[rules]` the
/// severity of a rule: off, note, warning or error.
///
/// The summary says how much was not read and not judged.
#[expect(clippy::struct_excessive_bools, reason = "flags of a command")]
#[derive(clap::Args, Debug)]
pub struct Args {
    /// files, and directories with .cu .cuh .h .hpp .hh .hxx .cpp .cc .cxx .inl .py files [default: `paths` of razorgirl.toml]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// print the counts only; not with SARIF and GitHub
    #[arg(long)]
    summary: bool,
    /// also print notes, which are no defects, such as copies that read more than they write
    #[arg(long)]
    notes: bool,
    /// also print each unresolved layout and call of layout algebra, with the reason and place
    #[arg(long)]
    unresolved: bool,
    /// print the page of a rule, by id or name; `all` lists the rules
    #[arg(long, value_name = "RULE", conflicts_with_all = ["paths", "baseline", "fix"])]
    explain: Option<String>,
    /// skip the findings in this file
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// write the findings of this run to the baseline
    #[arg(long, requires = "baseline", conflicts_with = "fix")]
    write_baseline: bool,
    /// use this configuration instead of razorgirl.toml
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// ignore razorgirl.toml
    #[arg(long)]
    no_config: bool,
    /// also read files that .gitignore and .ignore exclude
    #[arg(long)]
    no_ignore: bool,
    /// print the checked fixes as a diff, ask, and write them
    #[arg(long)]
    fix: bool,
    /// with --fix: write without asking
    #[arg(long, requires = "fix")]
    yes: bool,
}

/// A way to print.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// for people
    Text,
    /// for programs; described in rust/audit/JSON.md
    Json,
    /// SARIF 2.1.0, for code-scanning services
    Sarif,
    /// workflow commands, which annotate the lines of a change on GitHub
    Github,
}

/// Audits and prints.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if let Some(rule) = &args.explain {
        return explain(rule, out);
    }
    refuse(args)?;
    let mut settings = Settings::of(&args.paths, args.config.as_deref(), args.no_config)?;
    settings.config.selection.no_ignore = args.no_ignore;
    let mut baseline = match &args.baseline {
        Some(path) if !args.write_baseline => Some(Baseline::read(path).map_err(settings::unreadable)?),
        _ => None,
    };
    // Opened before the work, so that a mistake shows at once.
    let written = args.baseline.as_deref().filter(|_| args.write_baseline);
    let written = written.map(|path| Ok::<_, Failure>((path, Output::open(path)?))).transpose()?;
    let mut report = audit(&settings);
    policy::apply(&mut report, &settings.config, baseline.as_mut());
    if let Some((path, output)) = written {
        let text = Baseline::write(path, &report).map_err(|error| Failure::Io(error.into()))?;
        output.write(&text, out)?;
        writeln!(out, "{} of {} in the baseline", plural(report.findings.len()), path.display())?;
        for one in report.not_read() {
            writeln!(out, "error: {}: {}", one.path.display(), one.why)?;
        }
        let complete = report.not_read().next().is_none() && report.unlisted == 0;
        return Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(2) });
    }
    if args.fix && fix::run(&report, args.yes, out)? {
        report = audit(&settings);
        let mut baseline = args.baseline.as_deref().map(Baseline::read).transpose().map_err(settings::unreadable)?;
        policy::apply(&mut report, &settings.config, baseline.as_mut());
    }
    print(args, &report, out)?;
    Ok(match report.status() {
        Status::Clean => ExitCode::SUCCESS,
        Status::Findings => ExitCode::from(1),
        Status::Incomplete => ExitCode::from(2),
    })
}

fn plural(findings: usize) -> String {
    if findings == 1 { "1 finding".to_owned() } else { format!("{findings} findings") }
}

/// What makes no sense together.
fn refuse(args: &Args) -> Result<(), Failure> {
    let placeless = matches!(args.format, Format::Sarif | Format::Github);
    let message = if args.summary && placeless {
        "--summary prints counts, and SARIF and GitHub have no place for them"
    } else if args.unresolved && placeless {
        "--unresolved lists what is not known, and SARIF and GitHub have no place for it"
    } else if args.fix && args.format != Format::Text {
        "--fix prints a diff and asks, which is for people"
    } else {
        return Ok(());
    };
    let help = if args.fix { "write --format text" } else { "write --format json or text" };
    Err(Failure::Unreadable { code: "parse".into(), message: message.into(), help: vec![help.into()] })
}

fn audit(settings: &Settings) -> Report {
    let bar = bar();
    let progress = |done: usize, all: usize| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    };
    let report = razorgirl_audit::audit_selected(&settings.paths, &settings.config.selection, Some(&progress));
    bar.finish_and_clear();
    report
}

fn print(args: &Args, report: &Report, out: &mut impl Write) -> Result<(), Failure> {
    match args.format {
        Format::Text => {
            let color = crate::terminal::has_colours();
            let text = Text { summary: args.summary, remarks: args.notes, unresolved: args.unresolved, color };
            text.write(report, out)?;
        }
        Format::Json => Json { summary: args.summary, unresolved: args.unresolved }.write(report, out)?,
        Format::Sarif => Sarif { remarks: args.notes }.write(report, out)?,
        Format::Github => Github { remarks: args.notes }.write(report, out)?,
    }
    Ok(())
}

/// The page of a rule, or a line for each.
fn explain(rule: &str, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if rule == "all" {
        for code in Code::ALL {
            writeln!(out, "{}  {:7}  {:24}  {}", code.id(), code.severity().word(), code.name(), code.summary())?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let Some(code) = Code::of(rule) else {
        let near = nearest_rule(rule).map(|near| format!("did you mean {near}?"));
        return Err(Failure::Unreadable {
            code: "unknown_rule".into(),
            message: format!("there is no rule `{rule}`"),
            help: near.into_iter().chain(["`--explain all` lists the rules".to_owned()]).collect(),
        });
    };
    writeln!(out, "{}", code.page().trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// Progress on standard error, where someone is looking.
fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style =
        ProgressStyle::with_template("{bar:40} {pos}/{len} files").unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style)
}
