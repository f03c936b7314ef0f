//! One row for each instruction that reaches memory: what its evaluations have in common.

use super::source::{Source, source};
use crate::eval::{Access, Outcome, Space};
use crate::find::{Check, Found, Verdict, look};
use crate::read::{Kernel, Module};

/// Wavefronts of an instruction over all warps of a block and all its evaluations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Wavefronts.
    pub wavefronts: u64,
    /// The least: one for each phase with a lane.
    pub least: u64,
    /// Wavefronts and least of the warp that is farthest from its least.
    pub worst: (u64, u64),
}

impl Row {
    /// Whether it reaches shared memory, or may.
    pub fn is_shared(&self) -> bool {
        self.space != "global"
    }
}

/// The worst of a check over the evaluations of an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worst {
    /// The check.
    pub check: Check,
    /// It is of an evaluation that each launch executes, by exactly its threads.
    pub certain: bool,
}

/// An instruction that reaches memory.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its line in the PTX.
    pub ptx_line: u32,
    /// Where it comes from.
    pub source: Option<Source>,
    /// `ld`, `st`, `cp.async`, …
    pub kind: &'static str,
    /// The space in words.
    pub space: &'static str,
    /// Bytes of each thread.
    pub bytes: u64,
    /// Whether a thread accesses several elements at once.
    pub is_vector: bool,
    /// The array.
    pub array: Option<String>,
    /// Its bytes, if they are known.
    pub array_bytes: Option<u64>,
    /// How sure the count is, of the least sure evaluation.
    pub verdict: Verdict,
    /// Why it is not exact.
    pub why: String,
    /// Evaluations: turns of loops that were walked.
    pub times: usize,
    /// It is in a loop of which one turn stands for all.
    pub repeated: bool,
    /// A condition decides for each warp whether it executes it.
    pub sometimes: bool,
    /// The count, where each evaluation has one.
    pub count: Option<Count>,
    /// Whether it is aligned.
    pub aligned: Worst,
    /// Threads that execute it.
    pub threads: u32,
    /// Whether it stays in its array; of shared memory only.
    pub bounds: Option<Worst>,
}

/// Evaluations and what was found of each, in the order of the text.
pub(super) struct Looked<'a> {
    pub access: &'a Access,
    pub found: Found,
}

pub(super) fn look_at_all<'a>(
    module: &Module,
    kernel: &Kernel,
    outcome: &'a Outcome,
    dynamic: Option<u64>,
) -> Vec<Looked<'a>> {
    let mut all: Vec<Looked> = outcome
        .accesses
        .iter()
        .map(|access| Looked { access, found: look(access, &outcome.symbols, module, kernel, dynamic) })
        .collect();
    all.sort_by_key(|x| (x.access.instruction, x.access.space));
    all
}

pub(super) fn rows(module: &Module, kernel: &Kernel, looked: &[Looked]) -> Vec<Row> {
    let same =
        |a: &Looked, b: &Looked| (a.access.instruction, a.access.space) == (b.access.instruction, b.access.space);
    looked.chunk_by(same).filter_map(|all| row(module, kernel, all)).collect()
}

/// Failures of evaluations that are certain first, then failures, then conditions.
fn worst<'a>(checks: impl Iterator<Item = (&'a Check, bool)>) -> Option<Worst> {
    let rank = |(check, certain): &(&Check, bool)| match check {
        Check::Holds => (0, 0),
        Check::Needs(_) => (1, 0),
        Check::Fails { threads, .. } => (2 + u32::from(*certain), *threads),
    };
    checks.max_by_key(rank).map(|(check, certain)| Worst { check: check.clone(), certain })
}

/// Whether each launch executes it, by exactly the threads of its mask.
pub(super) fn is_certain(access: &Access) -> bool {
    !access.part && !access.whole && !access.repeated
}

fn row(module: &Module, kernel: &Kernel, all: &[Looked]) -> Option<Row> {
    let first = all.first()?;
    let instruction = kernel.code.get(first.access.instruction)?;
    let least_sure = all.iter().max_by_key(|x| x.found.verdict)?;
    let array = first.found.array.clone().filter(|name| all.iter().all(|x| x.found.array.as_ref() == Some(name)));
    let array_bytes = array.as_ref().and_then(|name| size_of(module, kernel, name));
    Some(Row {
        ptx_line: instruction.at.line,
        source: source(module, kernel, instruction),
        kind: first.access.kind,
        space: match first.access.space {
            Space::Shared => "shared",
            Space::Global => "global",
            Space::Generic => "generic",
        },
        bytes: first.access.bytes,
        is_vector: first.access.bytes == 16
            || instruction.suffixes.iter().any(|x| matches!(x.as_str(), "v2" | "v4" | "v8")),
        array,
        array_bytes,
        verdict: least_sure.found.verdict,
        why: least_sure.found.why.clone(),
        times: all.len(),
        repeated: all.iter().any(|x| x.access.repeated),
        sometimes: all.iter().any(|x| x.access.whole),
        count: counted(all),
        aligned: worst(all.iter().map(|x| (&x.found.aligned, is_certain(x.access))))?,
        threads: all.iter().map(|x| x.access.mask.count()).max().unwrap_or(0),
        bounds: worst(all.iter().filter_map(|x| Some((x.found.bounds.as_ref()?, is_certain(x.access))))),
    })
}

pub(super) fn size_of(module: &Module, kernel: &Kernel, name: &str) -> Option<u64> {
    kernel.variables.iter().chain(&module.variables).find(|x| x.name == name).and_then(|x| x.bytes)
}

/// The sum over all evaluations; none if one has no count.
fn counted(all: &[Looked]) -> Option<Count> {
    let mut sum = Count { wavefronts: 0, least: 0, worst: (0, 0) };
    for x in all {
        if x.found.warps.is_empty() {
            return None;
        }
        for warp in &x.found.warps {
            sum.wavefronts += warp.wavefronts;
            sum.least += warp.least;
            if sum.worst.1 == 0 || warp.wavefronts - warp.least > sum.worst.0 - sum.worst.1 {
                sum.worst = (warp.wavefronts, warp.least);
            }
        }
    }
    Some(sum)
}
