//! `razorgirl audit`.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use razorgirl_audit::Status;
use razorgirl_audit::report::{Export, Json, Sarif, Text};

use crate::failure::Failure;

/// Find wrong layouts in C++ and CUDA sources
///
/// Reads every CuTe layout that is a compile-time constant, also through aliases, alias templates and base classes in any of
/// the files, and checks that shape and stride nest alike (RG001), that no two coordinates share an offset unless a stride of
/// 0 says so (RG002), and that the A, B and C layouts of every `MMA_Traits` hit each element of their tile equally often
/// (RG003) with as many threads as `ThrID` (RG004). Every fix that is shown was tried: the check passes with it, which does
/// not say that it is the layout that was meant.
///
/// Exit status: 0 everything was read and nothing found; 1 findings, whether or not everything was read; 2 nothing found, but
/// something could not be read. The summary says how much was not read and not judged.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// files, and directories with .cu .cuh .h .hpp .hh .hxx .cpp .cc .cxx .inl files in them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// how to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// only the counts, no findings; SARIF has no place for them
    #[arg(long)]
    summary: bool,
    /// also what is no defect but worth knowing, such as copies that read more than they write
    #[arg(long)]
    notes: bool,
}

/// A way to print.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Format {
    /// for people
    Text,
    /// for programs; described in rust/audit/JSON.md
    Json,
    /// SARIF 2.1.0, for code-scanning services
    Sarif,
}

/// Audits and prints.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if args.summary && matches!(args.format, Format::Sarif) {
        return Err(Failure::Unreadable {
            code: "parse".into(),
            message: "--summary prints counts, and SARIF has no place for them".into(),
            help: vec!["write --format json --summary".into()],
        });
    }
    let bar = bar();
    let progress = |done: usize, all: usize| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    };
    let report = razorgirl_audit::audit(&args.paths, Some(&progress));
    bar.finish_and_clear();
    match args.format {
        Format::Text => {
            let color = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            Text { summary: args.summary, remarks: args.notes, color }.write(&report, out)?;
        }
        Format::Json => Json { summary: args.summary }.write(&report, out)?,
        Format::Sarif => Sarif { remarks: args.notes }.write(&report, out)?,
    }
    Ok(match report.status() {
        Status::Clean => ExitCode::SUCCESS,
        Status::Findings => ExitCode::from(1),
        Status::Incomplete => ExitCode::from(2),
    })
}

/// Progress on standard error, where someone is looking.
fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style =
        ProgressStyle::with_template("{bar:40} {pos}/{len} files").unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style)
}
