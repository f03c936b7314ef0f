//! The razorgirl command: look at a layout, run the protocol, audit sources.

mod audit;
mod banks;
mod conform;
mod diagram;
mod explain;
mod input;
mod json;
mod linear;
mod lsp;
mod op;
mod ops;
mod output;
mod pipeline;
mod ptx;
mod relation;
mod schedule;
mod shell;
mod show;
mod status;
mod terminal;
mod tma;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use razorgirl_protocol::Engine;
use razorgirl_view::failure::Failure;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

/// Also for the parser, which is in C.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The GPU layout algebra, proven right
///
/// A layout is written as in CuTe: '(4,8):(1,4)' or '((2,2),8):((1,16),2)'. A shape without strides is column-major. `_4` means 4.
/// A swizzled layout is written as CuTe prints it: 'Sw<3,3,3> o 0 o (8,64):(64,1)'. A layout of coordinates has coordinate strides:
/// '(4,8):(1@0,1@1)'. In a coordinate, `_` keeps the whole mode.
#[derive(Debug, Parser)]
#[command(name = "razorgirl", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// What the command prints without arguments.
const EXAMPLES: &str = "\
razorgirl: the GPU layout algebra, proven right

  razorgirl show '(4,8):(1,4)'                              look at a layout
  razorgirl explain 'logical_divide((16):(1), (4):(1))'     derive a result step by step
  razorgirl audit path/to/kernels                           find wrong layouts in C++, CUDA and Python

razorgirl --help lists all commands.
";

#[derive(Debug, Subcommand)]
enum Command {
    Audit(audit::Args),
    Ptx(ptx::Args),
    Lsp(lsp::Args),
    Show(show::Args),
    /// Print the offsets of a layout: all of them, or the offset of one index or coordinate
    Eval(ops::EvalArgs),
    /// Coalesce a layout: the fewest modes with the same function
    Coalesce(ops::CoalesceArgs),
    /// Find the layout that has these offsets
    FindLayout(ops::FindArgs),
    Op(op::Args),
    Linear(linear::Args),
    Relation(relation::Args),
    Explain(explain::Args),
    /// Show the loops, holes and bounds checks of an nvFuser schedule, or compare two schedules
    Schedule(schedule::Args),
    /// Check a TMA tensor map against the hardware limits and the theorem of TMA correctness
    Tma(tma::Args),
    Banks(banks::Args),
    Diagram(diagram::Args),
    Pipeline(pipeline::Args),
    /// Answer requests of the protocol from standard input: one JSON object per line
    Run {
        /// Use the functions that are printed from Lean where there are any; the request `ops` lists them
        #[arg(long)]
        extracted: bool,
    },
    Conform(conform::Args),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

/// The command line, with the exit statuses of each command below its help.
fn command() -> clap::Command {
    status::document(Cli::command())
}

fn main() -> ExitCode {
    let parsed = command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let outcome = match parsed {
        Ok(cli) => run(&cli),
        // Help and version are answers: where they cannot be written, the command failed.
        Err(error) => error
            .print()
            .and_then(|()| std::io::stdout().flush())
            .map(|()| ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(status::UNUSABLE)))
            .map_err(Failure::from),
    };
    match outcome {
        Ok(status) => status,
        // Whoever reads has seen enough, but not all of the answer.
        Err(Failure::Io(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::from(status::UNREAD),
        Err(failure) => {
            // There may be no standard error either.
            let _ = writeln!(std::io::stderr(), "{failure}");
            failure.status()
        }
    }
}

fn run(cli: &Cli) -> Result<ExitCode, Failure> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let outcome = match &cli.command {
        None => out.write_all(EXAMPLES.as_bytes()).map(|()| ExitCode::SUCCESS).map_err(Failure::from),
        Some(command) => answer(command, &mut out),
    };
    // What was answered before a failure is printed too; the first failure counts.
    let flushed = out.flush();
    let status = outcome?;
    flushed?;
    Ok(status)
}

fn answer(command: &Command, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        Command::Audit(args) => audit::run(args, out),
        Command::Ptx(args) => ptx::run(args, out),
        Command::Lsp(args) => lsp::run(args, out),
        Command::Show(args) => show::run(args, out),
        Command::Eval(args) => ops::eval(args, out),
        Command::Coalesce(args) => ops::coalesce(args, out),
        Command::FindLayout(args) => ops::find_layout(args, out),
        Command::Op(args) => op::run(args, out),
        Command::Linear(args) => linear::run(args, out),
        Command::Relation(args) => relation::run(args, out),
        Command::Explain(args) => explain::run(args, out),
        Command::Schedule(args) => schedule::run(args, out),
        Command::Banks(args) => banks::run(args, out),
        Command::Tma(args) => tma::run(args, out),
        Command::Diagram(args) => diagram::run(args, out),
        Command::Pipeline(args) => pipeline::run(args, out),
        Command::Conform(args) => conform::run(args, out),
        Command::Completions(args) => shell::completions(args, out),
        Command::Man(args) => shell::man(args, out),
        Command::Run { extracted } => {
            let engine = if *extracted { Engine::Extracted } else { Engine::Library };
            razorgirl_protocol::serve_by(std::io::stdin().lock(), out, engine)
                .map(|()| ExitCode::SUCCESS)
                .map_err(Failure::from)
        }
    }
}
