//! The razorgirl command: look at a layout, run the protocol, audit sources.

mod audit;
mod banks;
mod conform;
mod diagram;
mod explain;
mod input;
mod linear;
mod lsp;
mod op;
mod ops;
mod output;
mod pipeline;
mod relation;
mod schedule;
mod show;
mod tma;

use clap::{Parser, Subcommand};
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
/// Layouts are written as in CuTe: '(4,8):(1,4)', '((2,2),8):((1,16),2)'; a shape alone is column-major; `_4` is read as 4.
/// Swizzled as CuTe prints it: 'Sw<3,3,3> o 0 o (8,64):(64,1)'; with coordinates as strides: '(4,8):(1@0,1@1)'. In coordinates `_` keeps a mode. Exit status: 0 fine, 1 findings or a refusal, 2 wrong usage or I/O.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Audit(audit::Args),
    Lsp(lsp::Args),
    /// Show what a layout is: size, cosize, collisions, coalesced form, table
    Show(show::Args),
    /// Offsets of a layout: all of them, or that of one index or coordinate
    Eval(ops::EvalArgs),
    /// The fewest modes with the same function
    Coalesce(ops::CoalesceArgs),
    /// The layout that has these offsets, if there is one
    FindLayout(ops::FindArgs),
    Op(op::Args),
    Linear(linear::Args),
    Relation(relation::Args),
    /// Derive a result step by step: `razorgirl explain 'logical_divide((16):(1), (4):(1))'`
    Explain(explain::Args),
    /// What a schedule of splits, merges, reorders, resizes and swizzles does: loops, holes, checks; or whether two are the same
    Schedule(schedule::Args),
    /// Hold a TMA tensor map against the hardware's limits and the theorem of TMA correctness
    Tma(tma::Args),
    Banks(banks::Args),
    Diagram(diagram::Args),
    Pipeline(pipeline::Args),
    /// Answer JSON-lines requests from standard input, one a line
    Run {
        /// Answer by the functions that are printed from Lean, each with its proof; the library answers the rest, and `ops` lists which
        #[arg(long)]
        extracted: bool,
    },
    /// Judge any implementation that speaks the protocol, by the definitions
    Conform(conform::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let outcome = match &cli.command {
        Command::Audit(args) => audit::run(args, &mut out),
        Command::Lsp(args) => lsp::run(args, &mut out),
        Command::Show(args) => show::run(args, &mut out),
        Command::Eval(args) => ops::eval(args, &mut out),
        Command::Coalesce(args) => ops::coalesce(args, &mut out),
        Command::FindLayout(args) => ops::find_layout(args, &mut out),
        Command::Op(args) => op::run(args, &mut out),
        Command::Linear(args) => linear::run(args, &mut out),
        Command::Relation(args) => relation::run(args, &mut out),
        Command::Explain(args) => explain::run(args, &mut out),
        Command::Schedule(args) => schedule::run(args, &mut out),
        Command::Banks(args) => banks::run(args, &mut out),
        Command::Tma(args) => tma::run(args, &mut out),
        Command::Diagram(args) => diagram::run(args, &mut out),
        Command::Pipeline(args) => pipeline::run(args, &mut out),
        Command::Conform(args) => conform::run(args, &mut out),
        Command::Run { extracted } => {
            let engine = if *extracted { Engine::Extracted } else { Engine::Library };
            razorgirl_protocol::serve_by(std::io::stdin().lock(), &mut out, engine)
                .map(|()| ExitCode::SUCCESS)
                .map_err(Failure::from)
        }
    };
    let outcome = outcome.and_then(|status| {
        out.flush()?;
        Ok(status)
    });
    match outcome {
        Ok(status) => status,
        // whoever reads has seen enough
        Err(Failure::Io(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = out.flush();
            eprintln!("{failure}");
            failure.status()
        }
    }
}
