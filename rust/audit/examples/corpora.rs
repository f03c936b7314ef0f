//! The table of figures in the README: audits every folder of a folder of code bases, each on its own, and prints one row for each,
//! and one for its Python.
//!
//! `cargo run --release -p razorgirl-audit --example corpora -- "$(spec-tests/fetch-corpora.sh)"`
//!
//! With `--open`, every layout outside of CUTLASS that is not resolved instead: where, why, and what stopped it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use razorgirl_audit::Report;
use razorgirl_audit::eval::Reason;
use razorgirl_audit::finding::Place;

fn main() -> ExitCode {
    let (flags, paths): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let list = flags.iter().any(|flag| flag == "--open");
    let [folder] = paths.as_slice() else {
        eprintln!("usage: corpora [--open] FOLDER");
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
            "| code base | files | layouts | resolved | run-time or extent 0 | resolved of the rest | findings | seconds |"
        );
        println!("|---|---|---|---|---|---|---|---|");
    }
    let (mut all, mut pythons) = (Row::default(), Row::default());
    for corpus in &corpora {
        let start = Instant::now();
        let report = razorgirl_audit::audit(std::slice::from_ref(corpus), None);
        let seconds = start.elapsed().as_secs_f64();
        let mut homes = Homes::default();
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
            row.print(&name, files, findings, seconds);
            sum.add(&row);
            for (reason, count) in &row.reasons {
                eprintln!("{name}: {count} {}", reason.words());
            }
        }
    }
    if !list {
        all.print("all", 0, 0, 0.0);
        pythons.print("all, Python", 0, 0, 0.0);
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
}

impl Row {
    /// The layouts of C++, or those of Python.
    fn of(report: &Report, homes: &mut Homes, python: bool) -> Self {
        let mut row = Self::default();
        let file = |place: Place| report.sources.files.get(place.file).map(|file| file.path.as_path());
        let whole = report.sources.files.iter().all(|file| homes.own(&file.path));
        let language = |place: Place| report.sources.files.get(place.file).is_some_and(|file| file.python == python);
        let mut counts = |place| language(place) && (whole || file(place).is_some_and(|path| !homes.own(path)));
        row.resolved = report.resolved.iter().filter(|place| counts(**place)).count();
        for open in report.open.iter().filter(|open| counts(open.place)) {
            *row.reasons.entry(open.reason).or_default() += 1;
        }
        row
    }

    fn add(&mut self, other: &Self) {
        self.resolved += other.resolved;
        for (reason, count) in &other.reasons {
            *self.reasons.entry(*reason).or_default() += count;
        }
    }

    fn print(&self, name: &str, files: usize, findings: usize, seconds: f64) {
        let found = self.resolved + self.reasons.values().sum::<usize>();
        let aside: usize =
            [Reason::RunTime, Reason::ZeroExtent].iter().filter_map(|reason| self.reasons.get(reason)).sum();
        let rest = found - aside;
        let percent =
            (self.resolved * 100).checked_div(rest).map_or_else(|| "-".to_owned(), |percent| format!("{percent} %"));
        let resolved = self.resolved;
        println!("| {name} | {files} | {found} | {resolved} | {aside} | {percent} | {findings} | {seconds:.1} |");
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
