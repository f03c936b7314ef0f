//! What is found in a module: one report for each kernel, one row for each instruction that reaches memory.

mod finding;
mod remedy;
mod row;
mod source;

pub use finding::{Finding, Severity};
pub use remedy::{Change, Remedy};
pub use row::{Count, Row, Worst};
pub use source::Source;

use crate::domain::ones;
use crate::eval::{Launch, Space, evaluate};
use crate::find::Verdict;
use crate::read::{Kernel, Module};
use std::collections::{BTreeMap, BTreeSet};

/// What is found in a kernel.
#[derive(Debug)]
pub struct Report {
    /// The name as the linker has it.
    pub kernel: String,
    /// `.target`.
    pub target: String,
    /// The threads of a block that were assumed.
    pub block: Option<[u32; 3]>,
    /// Why the kernel was not evaluated: nothing is known of its accesses.
    pub refused: Option<String>,
    /// Instructions that reach memory, in the order of the text.
    pub rows: Vec<Row>,
    /// Changes of an array that remove all its conflicts, each counted again over all accesses of the array.
    pub remedies: Vec<Remedy>,
    /// Errors and warnings, then notes.
    pub findings: Vec<Finding>,
}

impl Report {
    /// How many accesses of shared memory there are of each verdict.
    pub fn verdicts(&self) -> BTreeMap<Verdict, usize> {
        let mut all = BTreeMap::new();
        for row in self.rows.iter().filter(|x| x.is_shared()) {
            *all.entry(row.verdict).or_default() += 1;
        }
        all
    }
}

/// Looks at all kernels of a module whose names contain this.
pub fn report(module: &Module, launch: &Launch, named: &str) -> Vec<Report> {
    let kernels = module.kernels.iter().filter(|x| x.entry && x.name.contains(named));
    kernels.map(|kernel| of_kernel(module, kernel, launch)).collect()
}

/// Why these values of parameters cannot be those of a launch of the kernel: one that does not fit its parameter.
fn misfit(kernel: &Kernel, launch: &Launch) -> Option<String> {
    for (position, parameter) in kernel.params.iter().enumerate() {
        let names = [parameter.name.clone(), format!("param_{position}"), position.to_string()];
        let given = names.iter().find_map(|x| launch.params.get_key_value(x));
        let (Some((name, value)), Some(bytes @ 1..=7)) = (given, parameter.bytes) else { continue };
        let (bits, negative) = (u32::try_from(bytes * 8).unwrap_or(64), value.wrapping_neg());
        if *value > ones(bits) && (negative > 1 << (bits - 1)) {
            return Some(format!(
                "the value {} of {name} does not fit the parameter's {bytes} bytes",
                value.cast_signed()
            ));
        }
    }
    None
}

/// Arrays that one instruction reaches together with others, in different turns of a loop: what moves one moves all of them.
fn shared_places<'a>(looked: &'a [row::Looked]) -> BTreeSet<&'a str> {
    let mut all = BTreeSet::new();
    let of_shared: Vec<&row::Looked> = looked.iter().filter(|x| x.access.space == Space::Shared).collect();
    for one in of_shared.chunk_by(|a, b| a.access.instruction == b.access.instruction) {
        let arrays: BTreeSet<&'a str> = one.iter().filter_map(|x| x.found.array.as_deref()).collect();
        if arrays.len() > 1 {
            all.extend(arrays);
        }
    }
    all
}

fn of_kernel(module: &Module, kernel: &Kernel, launch: &Launch) -> Report {
    let outcome = evaluate(module, kernel, launch);
    let refused = misfit(kernel, launch).or_else(|| outcome.stop.map(|x| x.reason().to_owned()));
    let mut report = Report {
        kernel: kernel.name.clone(),
        target: module.target.clone(),
        block: outcome.block,
        refused,
        rows: Vec::new(),
        remedies: Vec::new(),
        findings: Vec::new(),
    };
    if report.refused.is_none() {
        let looked = row::look_at_all(module, kernel, &outcome, launch.shared_bytes);
        report.rows = row::rows(module, kernel, &looked);
        report.remedies = remedy::remedies(module, kernel, &looked, launch.shared_bytes);
        let places = shared_places(&looked);
        report.remedies.retain(|x| !places.contains(x.array.as_str()));
        report.findings = finding::findings(&report.rows, &report.remedies, launch.shared_bytes);
    }
    report
}
