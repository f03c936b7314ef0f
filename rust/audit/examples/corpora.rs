//! The table of figures in the README: audits every folder of a folder of code bases, each on its own, and prints one row for each,
//! and one for its Python.
//!
//! `cargo run --release -p razorgirl-audit --example corpora -- "$(spec-tests/fetch-corpora.sh)"`
//!
//! With `--findings`, every finding with its place; with `--together`, the MMA traits of each code base alone and of all of them in one
//! run, as in a tree with several copies of CUTLASS; with `--open`, every layout outside of CUTLASS that is not resolved instead: where, why, and what stopped it;
//! with `--known`, every layout that is resolved, once for each of its values.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use razorgirl_audit::Report;
use razorgirl_audit::eval::Reason;
use razorgirl_audit::finding::Place;
use razorgirl_audit::report::Used;
use razorgirl_audit::uses::Family;

/// The one that the command has.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let (flags, paths): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let show = flags.iter().any(|flag| flag == "--findings");
    let values = flags.iter().any(|flag| flag == "--known");
    let list = show || values || flags.iter().any(|flag| flag == "--open");
    let [folder] = paths.as_slice() else {
        eprintln!("usage: corpora [--open | --known | --findings | --together] FOLDER");
        return ExitCode::FAILURE;
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        eprintln!("{folder}: not a folder that can be read");
        return ExitCode::FAILURE;
    };
    let mut corpora: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    corpora.retain(|path| {
        path.is_dir() && !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
    });
    corpora.sort();
    if !list {
        println!(
            "| code base | files | layouts | resolved | run time or extent 0 | not CuTe's | resolved of the rest | findings | seconds |"
        );
        println!("|---|---|---|---|---|---|---|---|---|");
    }
    if flags.iter().any(|flag| flag == "--together") {
        together(&corpora);
        return ExitCode::SUCCESS;
    }
    let (mut all, mut pythons) = (Sum::default(), Sum::default());
    let mut rows: Vec<(String, Row)> = Vec::new();
    for corpus in &corpora {
        let start = Instant::now();
        let report = razorgirl_audit::audit(std::slice::from_ref(corpus), None);
        let took = start.elapsed().as_secs_f64();
        let mut homes = Homes::default();
        if show {
            for finding in &report.findings {
                let (path, line) = (report.path(finding.place), report.region(finding.place).start.line);
                println!("{path}:{line}\t{}\t{}\t{}", finding.code.id(), finding.title, finding.layout);
            }
            continue;
        }
        if values {
            known(&report);
            continue;
        }
        if list {
            open(&report, &mut homes);
            continue;
        }
        let corpus = corpus.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        for (python, sum) in [(false, &mut all), (true, &mut pythons)] {
            let row = Row::of(&report, &mut homes, python);
            let files = report.sources.files.iter().filter(|file| file.python == python).count();
            if files == 0 {
                continue;
            }
            let name = if python { format!("{corpus}, Python") } else { corpus.to_string() };
            let of = |place: Place| report.sources.files.get(place.file).is_some_and(|file| file.python == python);
            let findings = report.findings.iter().filter(|finding| of(finding.place)).count();
            // CUTLASS's own wheel has nothing outside of CUTLASS: all of it counts.
            row.print(&name, files, findings, took);
            sum.row.add(&row);
            sum.files += files;
            sum.findings += findings;
            sum.seconds += took;
            for (reason, count) in &row.reasons {
                eprintln!("{name}: {count} {}", reason.words());
            }
            if !python && row.resolved + row.reasons.len() > 0 {
                rows.push((name, row));
            }
        }
    }
    if !list {
        all.print("all");
        pythons.print("all, Python");
        let heads: Vec<&str> = Family::ALL.iter().map(|family| family.words()).collect();
        println!("\n| found / resolved | {} |\n|---{}|", heads.join(" | "), "|---".repeat(heads.len()));
        for (name, row) in &rows {
            row.algebra(name);
        }
        all.row.algebra("all");
    }
    ExitCode::SUCCESS
}

/// Which folders hold CUTLASS.
#[derive(Default)]
struct Homes(BTreeMap<PathBuf, bool>);

impl Homes {
    /// Whether a file is one of CUTLASS's own: some folder around it has CuTe in its `include`.
    fn own(&mut self, file: &Path) -> bool {
        file.ancestors().skip(1).any(|folder| {
            *self.0.entry(folder.to_owned()).or_insert_with(|| folder.join("include/cute/layout.hpp").exists())
        })
    }
}

#[derive(Default)]
struct Row {
    resolved: usize,
    reasons: BTreeMap<Reason, usize>,
    algebra: BTreeMap<Family, Used>,
}

impl Row {
    /// The layouts of C++, or those of Python.
    fn of(report: &Report, homes: &mut Homes, python: bool) -> Self {
        let mut row = Self::default();
        let file = |place: Place| report.sources.files.get(place.file).map(|file| file.path.as_path());
        let whole =
            report.sources.files.iter().filter(|file| !file.python).all(|file| homes.own(&file.path)) && !python;
        let language = |place: Place| report.sources.files.get(place.file).is_some_and(|file| file.python == python);
        let mut counts = |place| language(place) && (whole || file(place).is_some_and(|path| !homes.own(path)));
        row.resolved = report.resolved.iter().filter(|place| counts(**place)).count();
        for open in report.open.iter().filter(|open| counts(open.place)) {
            *row.reasons.entry(open.reason).or_default() += 1;
        }
        let own: Vec<bool> = report.sources.files.iter().map(|file| whole || !homes.own(&file.path)).collect();
        row.algebra = report.algebra(|file| own.get(file).copied().unwrap_or(false));
        row
    }

    fn add(&mut self, other: &Self) {
        self.resolved += other.resolved;
        for (reason, count) in &other.reasons {
            *self.reasons.entry(*reason).or_default() += count;
        }
        for (family, used) in &other.algebra {
            let sum = self.algebra.entry(*family).or_default();
            sum.found += used.found;
            sum.resolved += used.resolved;
        }
    }

    fn print(&self, name: &str, files: usize, findings: usize, seconds: f64) {
        let found = self.resolved + self.reasons.values().sum::<usize>();
        let aside: usize =
            [Reason::RunTime, Reason::ZeroExtent].iter().filter_map(|reason| self.reasons.get(reason)).sum();
        let foreign = self.reasons.get(&Reason::NotCute).copied().unwrap_or(0);
        let rest = found - aside - foreign;
        let percent =
            (self.resolved * 100).checked_div(rest).map_or_else(|| "-".to_owned(), |percent| format!("{percent} %"));
        let resolved = self.resolved;
        println!(
            "| {name} | {files} | {found} | {resolved} | {aside} | {foreign} | {percent} | {findings} | {seconds:.1} |"
        );
    }

    fn algebra(&self, name: &str) {
        let used = |family| self.algebra.get(&family).copied().unwrap_or_default();
        let cells: Vec<String> = Family::ALL
            .iter()
            .map(|family| used(*family))
            .map(|used| format!("{} / {}", used.found, used.resolved))
            .collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
}

/// Several rows together; the seconds are those of both languages.
#[derive(Default)]
struct Sum {
    row: Row,
    files: usize,
    findings: usize,
    seconds: f64,
}

impl Sum {
    fn print(&self, name: &str) {
        self.row.print(name, self.files, self.findings, self.seconds);
    }
}

/// Every value of every layout that is resolved.
fn known(report: &Report) {
    for known in &report.known {
        let (path, start) = (report.path(known.place), report.region(known.place).start);
        let holds = known.holds.as_deref().unwrap_or("");
        println!("{path}:{}:{}\t{}:{}\t{holds}", start.line, start.column, known.shape, known.stride);
    }
}

/// The MMA traits of each code base alone, and of all in one run: several copies of CUTLASS must not be in each other's way.
fn together(corpora: &[PathBuf]) {
    let (mut found, mut resolved) = (0, 0);
    for corpus in corpora {
        let mma = razorgirl_audit::audit(std::slice::from_ref(corpus), None).mma;
        println!("{}: {} MMA traits, {} resolved", corpus.display(), mma.found, mma.resolved);
        found += mma.found;
        resolved += mma.resolved;
    }
    let report = razorgirl_audit::audit(corpora, None);
    for one in &report.given_up {
        println!("{}: {}", one.path.display(), one.why);
    }
    let mma = report.mma;
    println!("each alone: {found} MMA traits, {resolved} resolved; together: {}, {} resolved", mma.found, mma.resolved);
    for (reason, count) in &mma.unresolved {
        println!("not resolved together: {count} {}", reason.words());
    }
}

fn open(report: &Report, homes: &mut Homes) {
    for open in &report.open {
        if report.sources.files.get(open.place.file).is_some_and(|file| homes.own(&file.path)) {
            continue;
        }
        let at = |place: Place| format!("{}:{}", report.path(place), report.region(place).start.line);
        let text = |place: Place| {
            let text = report.text(place).get(place.span.range()).unwrap_or_default();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let (place, cause) = (open.place, open.cause);
        println!("{}\t{}\t{}\t{}\t{}", at(place), open.reason.words(), text(place), at(cause), text(cause));
    }
}
