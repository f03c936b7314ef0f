//! `razorgirl conform`: any implementation of the protocol against the definitions.

use crate::failure::Failure;
use crate::output::Output;
use clap::Args as Arguments;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use razorgirl_conform::driver::{self, Plan, Shard};
use razorgirl_conform::generate::{ALGEBRA_OPS, OPS, STRUCTURE_OPS, TILING_OPS};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Arguments of `razorgirl conform`.
#[derive(Arguments, Debug)]
pub struct Args {
    /// command line of the implementation; it reads requests from standard input, one a line, and answers each with a line
    #[arg(long = "impl", value_name = "COMMAND")]
    command: String,
    /// operations, separated by commas; all that the implementation has without it
    #[arg(long, value_delimiter = ',')]
    ops: Vec<String>,
    /// cases for each operation
    #[arg(long, default_value_t = 1000)]
    cases: u64,
    /// the same seed draws the same cases
    #[arg(long, default_value_t = 20_260_115)]
    seed: u64,
    /// processes side by side; one for each CPU without it
    #[arg(long)]
    jobs: Option<usize>,
    /// a part of the cases: shard i of n, counted from 0
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,
    /// write what was found to this file, as JSON; '-' is standard output
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// longest time for one answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// longest time until a fresh process answers, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    start_timeout: Duration,
    /// for implementations that answer only when their input ends: so many requests for each process
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// hold the implementation to razorgirl's own normal forms and codes of refusal
    #[arg(long)]
    exact: bool,
    /// wrong answers of each kind to shrink and print, for each operation
    #[arg(long, value_name = "N", default_value_t = 1)]
    examples: usize,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn other(message: impl Into<String>) -> Failure {
    Failure::Io(std::io::Error::other(message.into()))
}

/// Drives the implementation; status 1 when an answer is wrong, 2 when there is none, 130 after Ctrl-C.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let plan = plan(args)?;
    let destination = args.report.as_deref().map(Output::open).transpose()?;
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    ctrlc::set_handler(move || told.store(true, Ordering::Relaxed)).map_err(|error| other(error.to_string()))?;
    let bar = bar(plan.shard.count(plan.total()));
    let report = driver::run(&plan, &stop, &|more| bar.inc(more)).map_err(|error| other(error.to_string()))?;
    bar.finish_and_clear();
    if let Some(destination) = destination {
        let text = serde_json::to_string_pretty(&report.to_json()).map_err(std::io::Error::from)?;
        destination.write(&(text + "\n"), out)?;
    }
    write!(out, "{}", report.to_text())?;
    Ok(if report.total().wrong() > 0 {
        ExitCode::from(1)
    } else if report.interrupted {
        ExitCode::from(130)
    } else {
        ExitCode::SUCCESS
    })
}

fn plan(args: &Args) -> Result<Plan, Failure> {
    let known = || ALGEBRA_OPS.iter().chain(&TILING_OPS).chain(&STRUCTURE_OPS).chain(&OPS);
    let ops: Vec<String> =
        if args.ops.is_empty() { known().map(|&op| op.to_owned()).collect() } else { args.ops.clone() };
    if let Some(unknown) = ops.iter().find(|op| !known().any(|name| name == op)) {
        let mut names: Vec<&str> = known().copied().collect();
        names.sort_unstable();
        return Err(other(format!("--ops: there are no cases for {unknown}; there are for {}", names.join(", "))));
    }
    let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Ok(Plan {
        command: args.command.clone(),
        ops,
        cases: args.cases,
        seed: args.seed,
        shard: args.shard,
        jobs: args.jobs.unwrap_or(cpus).max(1),
        batch: args.batch.map(|n| n.max(1)),
        timeout: args.timeout,
        start_timeout: args.start_timeout,
        exact: args.exact,
        examples: args.examples,
    })
}

/// On a terminal only: `ProgressBar` draws nothing elsewhere.
fn bar(cases: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(cases), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} cases, {eta} left") {
        bar.set_style(style);
    }
    bar
}
