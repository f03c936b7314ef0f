//! `spec-tests`: the Lean side of razorgirl from the command line.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use lean_runner::axioms::{axioms, grouped, refused};
use lean_runner::build::build;
use lean_runner::extract::print;
use lean_runner::oracle::read_requests;
use lean_runner::progress::{Progress, Unit};
use lean_runner::toolchain::{How, ToolchainChoice, choose};
use razorgirl_conform::driver::Shard;
use spec_tests::compare::{ROWS, compare, shown};
use spec_tests::enumerate;
use spec_tests::extract::{self, Files};
use spec_tests::links::Links;
use spec_tests::properties::update;
use spec_tests::statements::mentioned;
use spec_tests::{Oracle, Project};

/// Checks the Lean proofs and asks the Lean definitions.
///
/// Official Lean is used when a working `lake` of the pinned release is on the path, else a WebAssembly build of Lean
/// from npm, which is set up in `.lean-npm`. `RAZORGIRL_LEAN=lake` or `npm` forces one.
#[derive(Debug, Parser)]
#[command(name = "spec-tests")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check proofs
    Lean {
        #[command(subcommand)]
        command: LeanCommand,
    },
    /// Answer requests of the protocol, one JSON object a line, by evaluating the Lean definitions
    Oracle,
    /// Compare the lines by which Lean definitions and Rust items name each other, and list what has no twin
    Links {
        /// Add the lines that answer a name
        #[arg(long)]
        write: bool,
    },
    /// List the definitions in Thm that statements mention; fails if a quoted theorem mentions one
    Statements,
    /// Compare the library with the functions that are extracted from Lean, on random numbers
    Compare {
        /// Cases for each function
        #[arg(long, default_value_t = 1_000_000)]
        cases: u64,
        /// Other cases for every seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Only these functions, separated by commas
        #[arg(long, value_delimiter = ',')]
        ops: Vec<String>,
    },
    /// Compare the library with what its operations mean, by plain enumeration of small layouts
    Enumerate {
        /// Cases for each operation
        #[arg(long, default_value_t = 1_000_000)]
        cases: u64,
        /// Other cases for every seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Only these operations, separated by commas
        #[arg(long, value_delimiter = ',')]
        ops: Vec<String>,
        /// A part of the cases: shard I of N, counted from 0; all of them together are one run without this
        #[arg(long, value_name = "I/N", default_value = "0/1")]
        shard: Shard,
    },
    /// Write the Rust that Lean prints of its proved functions to `rust/extracted`
    Extract {
        /// Only say whether it is what Lean prints, reading the Rust back, and whether every function has its theorem
        #[arg(long)]
        check: bool,
        /// Check proofs as `lean build --groups` does
        #[arg(long)]
        groups: bool,
    },
    /// Write docs/PEERS.md from the figures in spec-tests/peers
    Peers {
        /// Only say whether it is up to date; with --record, whether the figures are
        #[arg(long)]
        check: bool,
        /// First keep what counts of a report of `razorgirl conform` as the figures of this library
        #[arg(long, value_name = "NAME", requires = "report")]
        record: Option<String>,
        /// The report, as JSON
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
    },
    /// Write docs/PROPERTIES.md from the docstrings of the theorems
    Properties {
        /// Only say whether it is up to date
        #[arg(long)]
        check: bool,
    },
}

#[derive(Debug, Subcommand)]
enum LeanCommand {
    /// Check every proof, with warnings as errors, and count what there is
    Build {
        /// Many files to a process: a third of the time where everything is to be checked; the oracle is not run
        #[arg(long)]
        groups: bool,
        /// Folder with `lean/` and `lean-toolchain` instead of this repository
        #[arg(long)]
        project: Option<PathBuf>,
    },
    /// List what every theorem rests on; fails on anything but Lean's own sound axioms
    Axioms {
        /// One line for each theorem
        #[arg(long)]
        verbose: bool,
        /// Check proofs as `lean build --groups` does
        #[arg(long)]
        groups: bool,
        /// Folder with `lean/` and `lean-toolchain` instead of this repository
        #[arg(long)]
        project: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Lean { command: LeanCommand::Build { groups, project } } => lean_build(&folder(project), how(groups)),
        Command::Lean { command: LeanCommand::Axioms { verbose, groups, project } } => {
            lean_axioms(&folder(project), how(groups), verbose)
        }
        Command::Oracle => oracle(),
        Command::Compare { cases, seed, ops } => comparison(cases, seed, &ops),
        Command::Enumerate { cases, seed, ops, shard } => enumeration(cases, seed, &ops, shard),
        Command::Extract { check, groups } => extraction(check, how(groups)),
        Command::Links { write } => links(write),
        Command::Statements => statements(),
        Command::Peers { check, record, report } => peers(check, record.as_deref().zip(report.as_ref())),
        Command::Properties { check } => properties(check),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn folder(project: Option<PathBuf>) -> Project {
    project.map_or_else(Project::repository, |root| Project::at(&root))
}

fn how(groups: bool) -> How {
    if groups { How::Groups } else { How::Files }
}

fn lean_build(project: &Project, how: How) -> Result<()> {
    let start = Instant::now();
    let built = build(project, how, Progress::to_stderr())?;
    for count in &built.counts {
        println!("{count}");
    }
    let files: usize = built.counts.iter().map(|c| c.files).sum();
    let fresh = match built.fresh {
        Some(0) => ", nothing had changed".to_string(),
        Some(fresh) => format!(", {fresh} of {files} files now"),
        None => String::new(),
    };
    println!("every proof checked by {}{fresh} ({:.1} s)", built.toolchain.describe(), start.elapsed().as_secs_f64());
    Ok(())
}

fn lean_axioms(project: &Project, how: How, verbose: bool) -> Result<()> {
    let progress = Progress::to_stderr();
    let built = build(project, how, progress)?;
    let all = axioms(&*built.toolchain, project, &built.compiled, &built.tree)?;
    if verbose {
        for rests in &all {
            println!("{}: {rests}", rests.theorem);
        }
    }
    for (axioms, theorems) in grouped(&all) {
        println!("{:>5} theorems: {axioms}", theorems.len());
    }
    let bad = refused(&all);
    if !bad.is_empty() {
        bail!("{}", bad.join("\n"));
    }
    println!("{} theorems, read from their compiled proofs by {}", all.len(), built.toolchain.describe());
    Ok(())
}

fn comparison(cases: u64, seed: u64, ops: &[String]) -> Result<()> {
    let names = || ROWS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
    if let Some(unknown) = ops.iter().find(|op| ROWS.iter().all(|row| row.name != **op)) {
        bail!("there is no function {unknown} here; there are {}", names());
    }
    let progress = Progress::to_stderr();
    let mut differ = Vec::new();
    for row in ROWS.iter().filter(|row| ops.is_empty() || ops.iter().any(|op| op == row.name)) {
        let task = progress.begin(row.name, cases, Unit::Items);
        let start = Instant::now();
        let outcome = compare(row, cases, seed, |done| task.advance(done));
        let microseconds = start.elapsed().as_micros().max(1);
        drop(task);
        match outcome {
            Ok(figures) => {
                // tenths of a million a second
                let rate = u128::from(figures.compared()) * 10 / microseconds;
                println!(
                    "{:12} {:>11} compared, of these {} refused by both; {}.{} million a second",
                    row.name,
                    figures.compared(),
                    figures.refused,
                    rate / 10,
                    rate % 10
                );
            }
            Err(found) => {
                let [library, extracted] = &found.said;
                println!("{:12} differ", row.name);
                println!("  on {}, drawn as {}", shown(row.uses, &found.shrunk), shown(row.uses, &found.drawn));
                println!("  the library: {library}\n  the extracted function: {extracted}");
                differ.push(row.name);
            }
        }
    }
    if differ.is_empty() {
        Ok(())
    } else {
        bail!("the library and the extracted functions differ: {}", differ.join(", "))
    }
}

fn enumeration(cases: u64, seed: u64, ops: &[String], shard: Shard) -> Result<()> {
    let rows = enumerate::ROWS;
    if let Some(unknown) = ops.iter().find(|op| rows.iter().all(|row| row.name != **op)) {
        let names = rows.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
        bail!("there is no operation {unknown} here; there are {names}");
    }
    let progress = Progress::to_stderr();
    let (mut judged, mut found, start) = (0, Vec::new(), Instant::now());
    for row in rows.iter().filter(|row| ops.is_empty() || ops.iter().any(|op| op == row.name)) {
        let task = progress.begin(row.name, cases / shard.of, Unit::Items);
        let start = Instant::now();
        let outcome = enumerate::enumerate(row, cases, seed, shard, |done| task.advance(done));
        drop(task);
        match outcome {
            Ok(figures) => {
                judged += figures.judged();
                println!(
                    "{:21} {:>11} judged: {} right, {} refused where there is none, {} refused by its rule; {} not listed; {}",
                    row.name,
                    figures.judged(),
                    figures.right,
                    figures.none,
                    figures.strict,
                    figures.invalid,
                    rate(figures.judged(), start)
                );
            }
            Err(finding) => {
                let [library, so] = &finding.said;
                println!("{:21} wrong", row.name);
                println!(
                    "  on {}, drawn as {}",
                    enumerate::shown(row.uses, &finding.shrunk),
                    enumerate::shown(row.uses, &finding.drawn)
                );
                println!("  the library: {library}\n  by enumeration: {so}");
                found.push(row.name);
            }
        }
    }
    println!("{judged} judged, {}", rate(judged, start));
    if found.is_empty() { Ok(()) } else { bail!("the library is wrong: {}", found.join(", ")) }
}

/// Tenths of a million a second.
fn rate(count: u64, since: Instant) -> String {
    let tenths = u128::from(count) * 10 / since.elapsed().as_micros().max(1);
    format!("{}.{} million a second", tenths / 10, tenths % 10)
}

fn extraction(check: bool, how: How) -> Result<()> {
    let (project, progress) = (Project::repository(), Progress::to_stderr());
    let tree = project.tree()?;
    let old = Files::committed(&project);
    if !check {
        let toolchain = choose(&project, ToolchainChoice::from_env()?, progress)?;
        let files = Files::printed(&print(&*toolchain, &project, &tree)?)?;
        let functions = files.functions()?;
        let what = if old.is_ok_and(|old| old == files) { "had not changed" } else { "written" };
        files.write(&project)?;
        println!("{} functions, {} {what}", functions.len(), extract::FILE);
        return Ok(());
    }
    // What needs no Lean comes first.
    let old = old?;
    let functions = old.functions()?;
    let built = build(&project, how, progress)?;
    let rests = axioms(&*built.toolchain, &project, &built.compiled, &built.tree)?;
    if Files::printed(&print(&*built.toolchain, &project, &built.tree)?)? != old {
        bail!("{} is not what Lean prints: run `cargo run -p spec-tests -- extract`", extract::FILE);
    }
    for line in extract::census(&functions, &built.tree, &rests)? {
        println!("  {line}");
    }
    println!("{} functions, each with its theorem; {} is what Lean prints", functions.len(), extract::FILE);
    Ok(())
}

fn oracle() -> Result<()> {
    let requests = read_requests(io::stdin())?;
    let answers = Oracle::open()?.ask(&requests)?;
    let mut out = io::stdout().lock();
    answers.iter().try_for_each(|answer| writeln!(out, "{answer}")).context("cannot write the answers")
}

fn links(write: bool) -> Result<()> {
    let project = Project::repository();
    let links = Links::read(&project)?;
    if write {
        println!("{} lines added", links.complete(&project)?);
        return Ok(());
    }
    let report = links.report();
    println!("Lean definitions without a Rust twin:");
    report.lean_alone.iter().for_each(|name| println!("  {name}"));
    println!("public Rust functions without a Lean twin:");
    report.rust_alone.iter().for_each(|path| println!("  {path}"));
    println!(
        "{} pairs, {} definitions and {} functions without a twin",
        report.pairs,
        report.lean_alone.len(),
        report.rust_alone.len()
    );
    if !report.problems.is_empty() {
        bail!("{}\n{} problems", report.problems.join("\n"), report.problems.len());
    }
    Ok(())
}

fn statements() -> Result<()> {
    let (misplaced, helpers): (Vec<_>, Vec<_>) =
        mentioned(&Project::repository())?.into_iter().partition(|found| !found.quoted.is_empty());
    println!("definitions in Thm that only lemmas mention, for proofs:");
    for found in &helpers {
        println!("  {}: {} lemmas ({})", found.name, found.lemmas.len(), found.place);
    }
    for found in &misplaced {
        println!("{}: `{}` belongs to Spec, a quoted theorem states it: {:?}", found.place, found.name, found.quoted);
    }
    if !misplaced.is_empty() {
        bail!("{} definitions belong to Spec", misplaced.len());
    }
    println!("{} of them; quoted theorems mention definitions of Spec only", helpers.len());
    Ok(())
}

fn peers(check: bool, recorded: Option<(&str, &PathBuf)>) -> Result<()> {
    let project = Project::repository();
    match recorded {
        Some((name, report)) => spec_tests::peers::record(&project, name, report, check),
        None => spec_tests::peers::update(&project, check),
    }
}

fn properties(check: bool) -> Result<()> {
    let count = update(&Project::repository(), check)?;
    println!("{count} properties in docs/PROPERTIES.md");
    Ok(())
}
