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
    /// Whether it reaches shared memory, or may.
    pub is_shared: bool,
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
    /// The count, where each evaluation has one.
    pub count: Option<Count>,
    /// Whether it is aligned: the worst of its evaluations.
    pub aligned: Check,
    /// The worst failure of alignment or bounds is of an evaluation that each launch executes, by exactly its threads.
    pub certain: bool,
    /// Threads that execute it.
    pub threads: u32,
    /// Whether it stays in its array: the worst of its evaluations.
    pub bounds: Option<Check>,
}

/// Evaluations and what was found of each, in the order of the text.
pub(super) struct Looked<'a> {
    pub access: &'a Access,
    pub found: Found,
}

pub(super) fn look_at_all<'a>(module: &Module, kernel: &Kernel, outcome: &'a Outcome, dynamic: Option<u64>) -> Vec<Looked<'a>> {
    let mut all: Vec<Looked> = outcome
        .accesses
        .iter()
        .map(|access| Looked { access, found: look(access, &outcome.symbols, module, kernel, dynamic) })
        .collect();
    all.sort_by_key(|x| (x.access.instruction, x.access.space));
    all
}

pub(super) fn rows(module: &Module, kernel: &Kernel, looked: &[Looked]) -> Vec<Row> {
    let same = |a: &Looked, b: &Looked| (a.access.instruction, a.access.space) == (b.access.instruction, b.access.space);
    looked.chunk_by(same).filter_map(|all| row(module, kernel, all)).collect()
}

/// How bad a check is: failures of accesses that are certain first.
fn rank(check: &Check) -> u32 {
    match check {
        Check::Holds => 0,
        Check::Needs(_) => 1,
        Check::Fails { threads, .. } => 1 + threads,
    }
}

/// Whether each launch executes it, by exactly the threads of its mask.
pub(super) fn is_certain(access: &Access) -> bool {
    !access.part && !access.whole && !access.repeated
}

fn row(module: &Module, kernel: &Kernel, all: &[Looked]) -> Option<Row> {
    let first = all.first()?;
    let instruction = kernel.code.get(first.access.instruction)?;
    let least_sure = all.iter().max_by_key(|x| x.found.verdict)?;
    let fails = |x: &Looked| [Some(&x.found.aligned), x.found.bounds.as_ref()].into_iter().flatten().any(|c| matches!(c, Check::Fails { .. }));
    let aligned = all.iter().max_by_key(|x| rank(&x.found.aligned))?;
    let bounds = all.iter().filter(|x| x.found.bounds.is_some()).max_by_key(|x| x.found.bounds.as_ref().map_or(0, rank));
    let array = first.found.array.clone().filter(|name| all.iter().all(|x| x.found.array.as_ref() == Some(name)));
    let array_bytes = array.as_ref().and_then(|name| size_of(module, kernel, name));
    Some(Row {
        ptx_line: instruction.at.line,
        source: source(module, kernel, instruction),
        kind: if first.access.kind == "other" { "other" } else { first.access.kind },
        space: match first.access.space {
            Space::Shared => "shared",
            Space::Global => "global",
            Space::Generic => "generic",
        },
        is_shared: first.access.space != Space::Global,
        bytes: first.access.bytes,
        is_vector: first.access.bytes == 16 || instruction.suffixes.iter().any(|x| matches!(x.as_str(), "v2" | "v4" | "v8")),
        array,
        array_bytes,
        verdict: least_sure.found.verdict,
        why: least_sure.found.why.clone(),
        times: all.len(),
        repeated: all.iter().any(|x| x.access.repeated),
        count: counted(all),
        aligned: aligned.found.aligned.clone(),
        certain: all.iter().any(|x| fails(x) && is_certain(x.access)),
        threads: all.iter().map(|x| x.access.mask.count()).max().unwrap_or(0),
        bounds: bounds.and_then(|x| x.found.bounds.clone()),
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
