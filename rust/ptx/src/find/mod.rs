//! What an access costs and whether it is right.

use crate::domain::{Kind, Lanes, Mask, Symbols};
use crate::eval::{Access, Space};
use crate::read::{Kernel, Module};
use razorgirl::bank::{lanes_of_phase, phase};

/// Wavefronts of one warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warp {
    /// The lanes that access.
    pub lanes: u32,
    /// Wavefronts, of all its phases.
    pub wavefronts: u64,
    /// The least: one for each phase with a lane.
    pub least: u64,
}

/// How sure the count of an access is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Each execution has this count, whatever parameters and memory are.
    Exact,
    /// Each execution has this count under a condition that is named.
    Conditional,
    /// Of an unknown part of the threads: at most this count.
    AtMost,
    /// The address depends on what was loaded.
    Data,
    /// Not decided.
    Open,
    /// It faults: there is nothing to count.
    Misaligned,
}

impl Verdict {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Conditional => "conditional",
            Self::AtMost => "at most",
            Self::Data => "data-dependent",
            Self::Open => "open",
            Self::Misaligned => "misaligned",
        }
    }
}

/// Whether an access is aligned, or in bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// For every thread, whatever the symbols are.
    Holds,
    /// Not for so many threads of so many, for certain if the access is executed by all of them.
    Fails {
        /// Threads that break it.
        threads: u32,
        /// What threads whose byte is known reach: the first byte and the end.
        reach: Option<(i128, i128)>,
    },
    /// It is not decided: what it needs.
    Needs(String),
}

/// What was found of one evaluation of an access.
#[derive(Debug, Clone)]
pub struct Found {
    /// How sure the count is.
    pub verdict: Verdict,
    /// Why it is not exact.
    pub why: String,
    /// The count of each warp, of shared memory; empty where it is not known.
    pub warps: Vec<Warp>,
    /// The array.
    pub array: Option<String>,
    /// Whether a vector is aligned.
    pub aligned: Check,
    /// Whether it stays in its array; of shared memory only.
    pub bounds: Option<Check>,
    /// The byte in the array of each thread, where that is known.
    pub offsets: Option<Lanes>,
}

/// The name in the source: `tile` of `_ZZ9transposePfE4tile`, a variable of a function.
pub fn short_name(name: &str) -> &str {
    let of = |(at, _): (usize, &str)| -> Option<&str> {
        let rest = &name[at + 1..];
        let digits = rest.len() - rest.trim_start_matches(|x: char| x.is_ascii_digit()).len();
        let (length, own) = rest.split_at(digits);
        (length.parse() == Ok(own.len())).then_some(own)
    };
    let ends = || name.rmatch_indices('E').take(64);
    if name.starts_with("_ZZ") { ends().find_map(of).unwrap_or(name) } else { name }
}

/// The name of a symbol for a reader.
pub(crate) fn name(symbols: &Symbols, kernel: &Kernel, id: u32) -> String {
    match &symbols.of(id).kind {
        Kind::Param(name, offset) => {
            let name = name.rsplit_once('.').map_or(name.as_str(), |x| x.0);
            let short =
                kernel.params.iter().position(|x| x.name == name).map_or(name.to_owned(), |x| format!("param_{x}"));
            if *offset == 0 { short } else { format!("{short}+{offset}") }
        }
        Kind::Variable(name) => format!("the address of {}", short_name(name)),
        Kind::Special(name) => name.clone(),
        Kind::Result(i, ..) => format!("the result of line {}", kernel.code.get(*i as usize).map_or(0, |x| x.at.line)),
        Kind::Wrap(i, ..) => format!("an overflow at line {}", kernel.code.get(*i as usize).map_or(0, |x| x.at.line)),
        Kind::Counter(..) => "a loop's counter".to_owned(),
        Kind::Carried(_, register, _) | Kind::Joined(_, register, ..) => {
            kernel.registers.get(*register as usize).cloned().unwrap_or_default()
        }
        Kind::Way(..) => "a branch".to_owned(),
        Kind::Own(inner) | Kind::Shifted(inner, _) => name(symbols, kernel, *inner),
        Kind::Product(a, b) => format!("{} * {}", name(symbols, kernel, *a), name(symbols, kernel, *b)),
    }
}

/// Looks at one evaluation of an access.
pub fn look(access: &Access, symbols: &Symbols, module: &Module, kernel: &Kernel, dynamic: Option<u64>) -> Found {
    let aligned = alignment(access, symbols, kernel);
    let base = access.address.terms.iter().find_map(|(s, factor)| match &symbols.of(*s).kind {
        Kind::Variable(name) if *factor == Lanes::Same(1) => Some((*s, name.clone())),
        _ => None,
    });
    // another address in the sum leads to another array, and one outside of shared memory perhaps to any
    let lone = |id: u32| {
        let others = access.address.terms.iter().filter(|(s, factor)| *s != id && !factor.is_zero_on(&access.mask));
        access.space != Space::Generic && others.into_iter().all(|(s, _)| !symbols.of(*s).base)
    };
    let base = base.filter(|(id, _)| lone(*id));
    let only = access.address.terms.len() == 1;
    let offsets = base.as_ref().filter(|_| only).map(|_| access.address.known.clone());
    let mut found = Found {
        verdict: Verdict::Open,
        why: String::new(),
        warps: Vec::new(),
        array: base.as_ref().map(|x| x.1.clone()),
        aligned,
        bounds: None,
        offsets,
    };
    if access.space != Space::Shared {
        if let Some(why) = access.open {
            why.clone_into(&mut found.why);
            return found;
        }
        let why = match access.space {
            Space::Generic => "the space of the generic address is not known",
            _ => "global accesses are not counted",
        };
        why.clone_into(&mut found.why);
        return found;
    }
    found.bounds = Some(bounds(access, symbols, module, kernel, base, dynamic));
    if let Some(why) = access.open {
        found.bounds = None;
        why.clone_into(&mut found.why);
        return found;
    }
    count(access, symbols, kernel, &mut found);
    found
}

fn alignment(access: &Access, symbols: &Symbols, kernel: &Kernel) -> Check {
    if access.open.is_some() {
        return Check::Needs("an instruction that is understood".to_owned());
    }
    let need = access.bytes.trailing_zeros();
    let terms = &access.address.terms;
    let zeros = |s: u32, factor: &Lanes, mask: &Mask| factor.trailing_zeros(mask).saturating_add(symbols.of(s).zeros);
    let free = terms.iter().map(|(s, f)| zeros(*s, f, &access.mask)).min().unwrap_or(64);
    let low = crate::domain::ones(need.min(free));
    let wrong = access.mask.threads().filter(|t| access.address.known.at(*t) & low != 0).count();
    if wrong > 0 {
        return Check::Fails { threads: u32::try_from(wrong).unwrap_or(u32::MAX), reach: None };
    }
    if free >= need {
        return Check::Holds;
    }
    let names: Vec<String> = terms
        .iter()
        .filter(|(s, f)| zeros(*s, f, &access.mask) < need)
        .map(|(s, f)| match f.same() {
            Some(1) => name(symbols, kernel, *s),
            Some(x) => format!("{} * {}", crate::domain::signed(x, access.address.bits), name(symbols, kernel, *s)),
            // a factor for each thread
            None => format!("k * {}", name(symbols, kernel, *s)),
        })
        .collect();
    Check::Needs(format!("{} is a multiple of {}", names.join(" + "), access.bytes))
}

fn bounds(
    access: &Access,
    symbols: &Symbols,
    module: &Module,
    kernel: &Kernel,
    base: Option<(u32, String)>,
    dynamic: Option<u64>,
) -> Check {
    let Some((id, array)) = base else { return Check::Needs("the array of the address".to_owned()) };
    let variable = kernel.variables.iter().chain(&module.variables).find(|x| x.name == array);
    let Some(size) = variable.and_then(|x| x.bytes.or(dynamic)) else {
        return Check::Needs("the bytes of dynamic shared memory: pass --smem".to_owned());
    };
    let mut inner = access.address.clone();
    inner.terms.retain(|x| x.0 != id);
    let (mut low, mut high) = (i128::MAX, i128::MIN);
    let (mut out, mut open) = (0, false);
    for thread in access.mask.threads() {
        let sure = inner.terms.iter().all(|(_, f)| f.at(thread) == 0);
        let Some((known, from, to)) = inner.integer(symbols, thread, true) else {
            open = true;
            continue;
        };
        let (from, to) = (known + from, known + to + i128::from(access.bytes));
        if sure {
            (low, high) = (low.min(from), high.max(to));
        }
        if from < 0 || to > i128::from(size) {
            out += u32::from(sure);
            open |= !sure;
        }
    }
    if out > 0 {
        return Check::Fails { threads: out, reach: Some((low, high)) };
    }
    if !open {
        return Check::Holds;
    }
    open_range(&inner.terms, symbols, kernel)
}

fn open_range(terms: &[(u32, Lanes)], symbols: &Symbols, kernel: &Kernel) -> Check {
    let names: Vec<String> = terms.iter().map(|(s, _)| name(symbols, kernel, *s)).collect();
    Check::Needs(format!("the range of {}", names.join(", ")))
}

/// What the count needs beside the address: conditions, or why it cannot be done.
fn conditions(
    access: &Access,
    symbols: &Symbols,
    kernel: &Kernel,
    found: &Found,
) -> Result<Vec<String>, (Verdict, String)> {
    let mut all = Vec::new();
    for (s, factor) in &access.address.terms {
        if factor.is_zero_on(&access.mask) {
            continue;
        }
        let symbol = symbols.of(*s);
        let name = || name(symbols, kernel, *s);
        if !symbol.uniform || !factor.is_uniform_on(&access.mask) {
            return Err((
                if symbol.data { Verdict::Data } else { Verdict::Open },
                format!("{} differs between lanes", name()),
            ));
        }
        // every term and not the sum: stricter, and said of one symbol
        if factor.trailing_zeros(&access.mask) + symbol.zeros < 2 && access.bytes < 4 {
            // an array is at such a place more often than not
            let is_base = matches!(symbol.kind, Kind::Variable(_)) && *factor == Lanes::Same(1);
            if !is_base || access.part {
                return Err((Verdict::Open, format!("{} decides in which words the bytes lie", name())));
            }
            all.push(format!("{} is a multiple of 4", name()));
        }
        if matches!(symbol.kind, Kind::Wrap(..)) {
            all.push(format!("{} does not happen", name()));
        }
    }
    if let Check::Needs(what) = &found.aligned {
        all.push(what.clone());
    }
    Ok(all)
}

/// Counts wavefronts: a part of the address that all lanes of a warp share and that is a multiple of 4 bytes rotates the banks.
fn count(access: &Access, symbols: &Symbols, kernel: &Kernel, found: &mut Found) {
    if !matches!(access.bytes, 1 | 2 | 4 | 8 | 16) {
        "not an access of 1, 2, 4, 8 or 16 bytes".clone_into(&mut found.why);
        return;
    }
    if let Check::Fails { .. } = found.aligned {
        found.verdict = Verdict::Misaligned;
        return;
    }
    let conditions = match conditions(access, symbols, kernel, found) {
        Ok(conditions) => conditions,
        Err((verdict, why)) => {
            (found.verdict, found.why) = (verdict, why);
            return;
        }
    };
    let mut warps = Vec::new();
    for (warp, lanes) in access.mask.warps().iter().enumerate() {
        match warp_count(access, warp, *lanes) {
            Ok(None) => {}
            Ok(Some(count)) => warps.push(count),
            Err(why) => {
                why.clone_into(&mut found.why);
                return;
            }
        }
    }
    found.warps = warps;
    let mut why = conditions;
    found.verdict = if access.part {
        why.insert(0, "an unknown part of the threads executes it".to_owned());
        Verdict::AtMost
    } else if why.is_empty() {
        Verdict::Exact
    } else {
        Verdict::Conditional
    };
    found.why = why.join(", ");
}

/// The wavefronts of one warp whose lanes share all but the known part of their addresses; none without a lane.
fn warp_count(access: &Access, warp: usize, lanes: u32) -> Result<Option<Warp>, &'static str> {
    let here: Vec<usize> = (0..32).filter(|lane| lanes >> lane & 1 == 1).collect();
    let Some(first) = here.first() else { return Ok(None) };
    let bits = access.address.bits;
    let at = |lane: usize| access.address.known.at(warp * 32 + lane);
    // of 4 bytes or more an aligned address is counted from the first lane's; below, the bytes of a word stay as they are
    let origin = if access.bytes < 4 { at(*first) & !15 } else { at(*first) };
    let mut addresses = [0u64; 32];
    for lane in &here {
        let away = crate::domain::signed(at(*lane).wrapping_sub(origin) & crate::domain::ones(bits), bits);
        if away.unsigned_abs() >= 1 << 39 {
            return Err("the addresses are too far apart");
        }
        if access.bytes >= 4 && !away.cast_unsigned().is_multiple_of(access.bytes) {
            return Err("lanes differ by less than a vector: no common part aligns all");
        }
        addresses[*lane] = (1u64 << 40).wrapping_add_signed(away);
    }
    if matches!(access.kind, "atom" | "red") {
        let mut words: Vec<u64> = here.iter().map(|lane| addresses[*lane] / 4).collect();
        words.sort_unstable();
        words.dedup();
        if words.len() < here.len() {
            return Err("lanes update one word: they take turns");
        }
    }
    let addresses: Vec<Option<u64>> = (0..32).map(|lane| (lanes >> lane & 1 == 1).then(|| addresses[lane])).collect();
    let (wavefronts, least) = wavefronts(&addresses, access.bytes).ok_or("the addresses are too far apart")?;
    Ok(Some(Warp { lanes, wavefronts, least }))
}

/// The wavefronts of the lanes of a warp, and the least: one for each phase with a lane. None if it is no access.
pub(crate) fn wavefronts(addresses: &[Option<u64>], bytes: u64) -> Option<(u64, u64)> {
    let (mut count, mut least) = (0, 0);
    for lanes in addresses.chunks(lanes_of_phase(bytes)) {
        let here: Vec<u64> = lanes.iter().copied().flatten().collect();
        if !here.is_empty() {
            count += phase(&here, bytes).ok()?;
            least += 1;
        }
    }
    Some((count, least))
}
