//! `razorgirl conform`: any implementation of the protocol against the definitions.

use crate::output::{self, Output};
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use clap::{ArgGroup, Args as Arguments};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use razorgirl_conform::driver::{self, Ending, Plan, Shard};
use razorgirl_conform::generate::names;
use razorgirl_conform::peers;
use razorgirl_view::failure::Failure;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Test any implementation that speaks the protocol, by enumeration of what each operation means
#[derive(Arguments, Debug)]
#[command(group(ArgGroup::new("whom").required(true).args(["command", "peer"])))]
pub struct Args {
    /// command line of the implementation: it reads one request per line from standard input and answers each with one line
    #[arg(long = "impl", value_name = "COMMAND")]
    command: Option<String>,
    /// a library whose adapter is built in; the first run downloads its packages from `PyPI`
    #[arg(long, value_name = "NAME", value_parser = peer_names())]
    peer: Option<String>,
    /// operations, separated by commas [default: every operation that the implementation offers]
    #[arg(long, value_delimiter = ',')]
    ops: Vec<String>,
    /// number of cases per operation
    #[arg(long, default_value_t = 1000, value_parser = RangedU64ValueParser::<u64>::new().range(1..=1_000_000_000))]
    cases: u64,
    /// seed of the generator: the same seed generates the same cases
    #[arg(long, default_value_t = 20_260_115)]
    seed: u64,
    /// number of parallel processes [default: one per CPU]
    #[arg(long, value_parser = RangedU64ValueParser::<usize>::new().range(1..=256))]
    jobs: Option<usize>,
    /// run shard I of N; I counts from 0
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,
    /// write a report to this file: JSON, or a Markdown page if the name ends in `.md`. `-` writes JSON to standard output and the
    /// table to standard error
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// timeout of one answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// timeout of the first answer of a new process, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    start_timeout: Duration,
    /// requests per process, for implementations that answer only at the end of their input
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=65536))]
    batch: Option<usize>,
    /// also require razorgirl's normal forms and error codes
    #[arg(long)]
    exact: bool,
    /// number of wrong answers to shrink and print, per operation and kind
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = RangedU64ValueParser::<usize>::new().range(0..=1000))]
    examples: usize,
}

/// The longest time that anything is waited for, in seconds: a day.
const DAY: f64 = 86_400.0;

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if seconds > 0.0 && seconds <= DAY {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(format!("not above 0 and at most {DAY}"))
    }
}

fn peer_names() -> PossibleValuesParser {
    PossibleValuesParser::new(peers::KNOWN.iter().map(|known| known.name))
}

/// The command line of the implementation, and the library that it is.
fn peer_command(args: &Args) -> Result<(String, Option<&'static peers::Known>), Failure> {
    let Some(name) = &args.peer else { return Ok((args.command.clone().unwrap_or_default(), None)) };
    let prepare = || {
        let known = peers::named(name)?;
        let say = |folder: &Path| eprintln!("preparing {name} in {}", folder.display());
        Ok((known.command(say)?, Some(known)))
    };
    prepare().map_err(|error: peers::CannotPrepare| other(error.to_string()))
}

fn other(message: impl Into<String>) -> Failure {
    Failure::Io(std::io::Error::other(message.into()))
}

/// Drives the implementation; status 1 when an answer is wrong, 2 when there is no verdict, 130 after Ctrl-C.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let (command, known) = peer_command(args)?;
    let plan = plan(args, command)?;
    // better found out now than after an hour
    let file = args.report.as_deref().map(Output::open).transpose()?;
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    ctrlc::set_handler(move || told.store(true, Ordering::Relaxed)).map_err(|error| other(error.to_string()))?;
    let bar = bar(plan.shard.count(plan.total()));
    let report = driver::run(&plan, &stop, &|more| bar.inc(more)).map_err(|error| other(error.to_string()))?;
    bar.finish_and_clear();
    if let Some(file) = file {
        let page = args.report.as_deref().and_then(Path::extension).is_some_and(|extension| extension == "md");
        let text = if page {
            let name = args.peer.as_deref().unwrap_or("the library");
            report.to_markdown(name, known.and_then(|known| known.writing.as_ref()))
        } else {
            serde_json::to_string_pretty(&report.to_json()).map_err(std::io::Error::from)? + "\n"
        };
        file.write(&text, out)?;
    }
    if args.report.as_deref().is_some_and(output::is_standard) {
        eprint!("{}", report.to_text());
    } else {
        write!(out, "{}", report.to_text())?;
    }
    Ok(match report.ending() {
        Ending::Right => ExitCode::SUCCESS,
        Ending::Wrong => ExitCode::from(1),
        Ending::Interrupted => ExitCode::from(130),
        Ending::NoVerdict(_) => ExitCode::from(2),
    })
}

fn plan(args: &Args, command: String) -> Result<Plan, Failure> {
    let mut ops: Vec<String> = Vec::new();
    if args.ops.is_empty() {
        ops.extend_from_slice(names());
    }
    for op in &args.ops {
        if !ops.contains(op) {
            ops.push(op.clone());
        }
    }
    if let Some(unknown) = ops.iter().find(|op| !names().contains(op)) {
        return Err(other(format!("--ops: there are no cases for {unknown}; there are for {}", names().join(", "))));
    }
    let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Ok(Plan {
        command,
        ops,
        cases: args.cases,
        seed: args.seed,
        shard: args.shard,
        jobs: args.jobs.unwrap_or(cpus.min(256)),
        batch: args.batch,
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
