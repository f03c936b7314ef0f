//! `razorgirl pipeline`: deadlocks, races and phases of a producer-consumer pipeline.

use crate::input;
use razorgirl_pipeline::{
    Bounds, EXAMPLE, Event, Failure as Found, Fix, Hardware, ParseError, Program, TripCounts, Verdict, check, fixes,
    parse,
};
use razorgirl_view::failure::Failure;
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Explore a producer-consumer pipeline: deadlocks, races, phases of mbarriers, for every trip count
#[derive(clap::Args, Debug)]
#[command(after_help = help())]
pub struct Args {
    /// the pipeline; '-' reads standard input
    file: PathBuf,
    /// where not every trip count is decided at once, try each up to N
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(i64).range(0..=64))]
    trips: i64,
    /// states of one exploration at most; an exploration that needs more decides nothing
    #[arg(long, value_name = "N", default_value_t = 500_000)]
    states: usize,
    /// do not search for repairs
    #[arg(long)]
    no_fix: bool,
    /// print JSON
    #[arg(long)]
    json: bool,
}

fn help() -> String {
    format!(
        "A pipeline is a text: declarations, and roles with their operations indented below them. Two consumer warpgroups:\n\n\
         {EXAMPLE}\nIn a trace, `1: 2 pending 512 B` is a barrier in phase 1 with 2 pending arrivals and 512 pending bytes.\n\n\
         All declarations and operations (`#` begins a comment; B[p-N] is the slot of N positions before):\n\n{}",
        razorgirl_pipeline::GRAMMAR.trim_end()
    )
}

/// Steps of a trace that are printed.
const STEPS: usize = 100;
/// Repairs that are printed.
const FIXES: usize = 3;

/// Prints the verdict.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let text = input::text(&args.file)?;
    let program = parse(&text).map_err(unreadable)?;
    let bounds = Bounds { states: args.states, trips: args.trips };
    let verdict = check(&program, &bounds);
    let repairs = if args.no_fix || verdict.failure.is_none() { vec![] } else { fixes(&text, &bounds) };
    if args.json {
        let value = as_json(&program, &verdict, &repairs);
        writeln!(out, "{value}")?;
    } else {
        show(&program, &verdict, &repairs, out)?;
    }
    // what is known of some trip counts only is not known
    Ok(if verdict.every_trip_count() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn unreadable(error: ParseError) -> Failure {
    Failure::Unreadable { code: "parse".into(), message: error.to_string(), help: error.help.into_iter().collect() }
}

fn show(program: &Program, verdict: &Verdict, repairs: &[Fix], out: &mut impl Write) -> std::io::Result<()> {
    match (&verdict.failure, &verdict.every) {
        (Some(failure), _) => broken(program, failure, repairs, out),
        (None, TripCounts::Every { states }) => {
            let which = if program.trip_counts().next().is_some() { " for every trip count" } else { "" };
            writeln!(out, "{}: no deadlock, no race, no phase missed{which} ({states} states)", name(program))
        }
        (None, TripCounts::Open(why)) => {
            if verdict.tried.is_empty() {
                writeln!(out, "{}: not decided: {why}", name(program))?;
                return writeln!(out, "help: allow more states with --states");
            }
            writeln!(
                out,
                "{}: no deadlock, no race, no phase missed for {}",
                name(program),
                values(program, &verdict.tried)
            )?;
            writeln!(out, "  other trip counts are not decided: {why}")
        }
    }
}

/// The name of the pipeline, which may have none.
fn name(program: &Program) -> &str {
    if program.name().is_empty() { "pipeline" } else { program.name() }
}

/// «K = 0, 1, 2», or the pairs of several parameters.
fn values(program: &Program, tried: &[Vec<i64>]) -> String {
    let names: Vec<&str> = program.trip_counts().collect();
    if let [name] = names.as_slice() {
        let all: Vec<String> = tried.iter().flatten().map(i64::to_string).collect();
        return format!("{name} = {}", all.join(", "));
    }
    format!("{} values of ({})", tried.len(), names.join(", "))
}

fn broken(program: &Program, failure: &Found, repairs: &[Fix], out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "error[{}]: {}", failure.fault.law.code(), failure.fault.message)?;
    let with: Vec<String> = failure.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if !with.is_empty() {
        let holds = if failure.holds.is_empty() {
            String::new()
        } else {
            format!("; every law holds for {}", values(program, &failure.holds))
        };
        writeln!(out, "  with {}{holds}", with.join(", "))?;
    }
    table(&failure.trace, out)?;
    writeln!(out, "  law: {}", failure.fault.law.sentence())?;
    match &failure.hardware {
        Hardware::Breaks(fault) if *fault != failure.fault => {
            writeln!(out, "  on the hardware, which sees parities only: {fault}")?;
        }
        Hardware::Breaks(_) => {}
        Hardware::Passes => {
            writeln!(out, "  on the hardware, which sees parities only, no run with these trip counts shows it")?;
        }
        Hardware::Open(why) => {
            writeln!(out, "  what the hardware shows, which sees parities only, is not decided: {why}")?;
        }
    }
    for fix in repairs.iter().take(FIXES) {
        let scope = if fix.every { "every trip count" } else { "the trip counts that were tried" };
        writeln!(out, "help: {}; explored: with it every law holds for {scope}", fix.change)?;
    }
    Ok(())
}

/// The trace as a table: phase, pending arrivals and tx-count of the barriers that it touches.
fn table(trace: &[Event], out: &mut impl Write) -> std::io::Result<()> {
    if trace.is_empty() {
        return Ok(());
    }
    let cells = |event: &Event| -> Vec<String> {
        let cell = |(_, phase, pending, tx): &(String, i64, i64, i64)| match tx {
            0 => format!("{phase}: {pending} pending"),
            _ => format!("{phase}: {pending} pending {tx} B"),
        };
        event.barriers.iter().map(cell).collect()
    };
    let shown = &trace[trace.len().saturating_sub(STEPS)..];
    let names: Vec<&str> = shown[0].barriers.iter().map(|b| b.0.as_str()).collect();
    let rows: Vec<Vec<String>> = shown.iter().map(cells).collect();
    let who = shown.iter().map(|e| e.who.len()).max().unwrap_or(0);
    let what = shown.iter().map(|e| e.what.chars().count()).max().unwrap_or(0);
    let width = |column: usize| rows.iter().map(|r| r[column].len()).max().unwrap_or(0).max(names[column].len());
    let line = |number: &str, role: &str, does: &str, cells: Vec<&str>| {
        let mut text = format!("  {number:>4}  {role:who$}  {does:what$}");
        for (column, cell) in cells.iter().enumerate() {
            // writing to a String cannot fail
            let _ = write!(text, "  {cell:>0$}", width(column));
        }
        text.trim_end().to_owned()
    };
    writeln!(out, "{}", line("step", "role", "does", names.clone()))?;
    if shown.len() < trace.len() {
        writeln!(out, "   …    {} steps before", trace.len() - shown.len())?;
    }
    for (n, (event, row)) in shown.iter().zip(&rows).enumerate() {
        let number = (trace.len() - shown.len() + n + 1).to_string();
        writeln!(out, "{}", line(&number, &event.who, &event.what, row.iter().map(String::as_str).collect()))?;
    }
    Ok(())
}

fn as_json(program: &Program, verdict: &Verdict, repairs: &[Fix]) -> serde_json::Value {
    let failure = verdict.failure.as_ref().map(|f| {
        let trace: Vec<_> = f
            .trace
            .iter()
            .map(|e| {
                let barriers: Vec<_> = e
                    .barriers
                    .iter()
                    .map(|(name, phase, pending, tx)| json!({"barrier": name, "phase": phase, "pending": pending, "tx": tx}))
                    .collect();
                json!({"who": e.who, "does": e.what, "barriers": barriers})
            })
            .collect();
        let hardware = match &f.hardware {
            Hardware::Breaks(fault) => json!({"law": fault.law.code(), "message": fault.message}),
            Hardware::Passes => serde_json::Value::Null,
            Hardware::Open(why) => json!({"open": why}),
        };
        let parameters: serde_json::Map<_, _> = f.parameters.iter().map(|(n, v)| (n.clone(), json!(v))).collect();
        json!({
            "law": f.fault.law.code(), "message": f.fault.message, "parameters": parameters, "holds": f.holds, "trace": trace,
            "hardware": hardware,
        })
    });
    let repairs: Vec<_> =
        repairs.iter().map(|r| json!({"change": r.change, "text": r.text, "every_trip_count": r.every})).collect();
    let open = match &verdict.every {
        TripCounts::Open(why) => Some(why.as_str()),
        TripCounts::Every { .. } => None,
    };
    json!({
        "pipeline": program.name(), "every_trip_count": verdict.every_trip_count(), "open": open, "failure": failure,
        "tried": verdict.tried, "fixes": repairs,
    })
}
