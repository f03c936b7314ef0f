//! What was seen against what was said.

use super::machine::{Given, Seen};
use razorgirl_ptx::domain::{Kind, Symbols};
use razorgirl_ptx::eval::{Access, Outcome, Space};
use razorgirl_ptx::find::{Check, Found, Verdict, look};
use razorgirl_ptx::read::{Kernel, Module};
use razorgirl_ptx::report::{Change, Report, Row, Worst};
use std::collections::{BTreeMap, BTreeSet};

/// How many of each were compared.
#[derive(Debug, Default)]
pub struct Tally {
    pub seen: usize,
    pub verdicts: BTreeMap<&'static str, usize>,
}

/// The number of a symbol in this run, if it is one that a run chooses.
fn chosen(symbols: &Symbols, id: u32, given: &Given) -> Option<u64> {
    let axis = |of: [u64; 3], name: &str| Some(of["xyz".find(&name[name.len() - 1..])?]);
    match &symbols.of(id).kind {
        Kind::Variable(name) => given.arrays.get(name).copied(),
        Kind::Param(name, 0) => {
            let (name, width) = name.rsplit_once(".b")?;
            let all = given.params.get(name)?;
            Some(if width == "32" { all & 0xffff_ffff } else { *all })
        }
        Kind::Special(name) if name.starts_with("%ctaid") => axis(given.at, name),
        Kind::Special(name) if name.starts_with("%nctaid") => axis(given.grid, name),
        Kind::Special(name) if name.starts_with("the window") => Some(given.window),
        _ => None,
    }
}

fn low(x: u64, bits: u32) -> u64 {
    if bits >= 64 { x } else { x & ((1 << bits) - 1) }
}

/// Why the addresses are not among those that were said; none if they are.
fn outside(access: &Access, seen: &Seen, symbols: &Symbols, given: &Given) -> Option<String> {
    let value = &access.address;
    let mut rest: BTreeMap<usize, u64> = BTreeMap::new();
    let mut open: Vec<usize> = Vec::new();
    for (i, (s, _)) in value.terms.iter().enumerate() {
        if chosen(symbols, *s, given).is_none() {
            open.push(i);
        }
    }
    for (lane, address) in &seen.addresses {
        let t = seen.warp * 32 + lane;
        let mut x = address.wrapping_sub(value.known.at(t));
        for (s, factor) in &value.terms {
            if let Some(number) = chosen(symbols, *s, given) {
                x = x.wrapping_sub(factor.at(t).wrapping_mul(number));
            }
        }
        rest.insert(*lane, low(x, value.bits));
    }
    for (lane, x) in &rest {
        let t = seen.warp * 32 + lane;
        let factors: Vec<(u64, &razorgirl_ptx::domain::Symbol)> = open
            .iter()
            .map(|i| (value.terms[*i].1.at(t), symbols.of(value.terms[*i].0)))
            .filter(|x| x.0 != 0)
            .collect();
        let zeros = factors.iter().map(|(f, s)| f.trailing_zeros() + s.zeros).min().unwrap_or(64);
        if x.trailing_zeros() < zeros.min(value.bits) && *x != 0 {
            return Some(format!("lane {lane}: {x:#x} is no multiple of 2^{zeros}"));
        }
        if let [(f, s)] = factors.as_slice()
            && s.most >> s.zeros < 4096
            && !(0..=s.most >> s.zeros).any(|n| low(f.wrapping_mul(n << s.zeros), value.bits) == *x)
        {
            return Some(format!("lane {lane}: {x:#x} is not {f} times a number up to {}", s.most));
        }
    }
    // symbols that are the same for a warp add the same where their factors are
    let same = open.iter().all(|i| {
        let (s, factor) = &value.terms[*i];
        let mut factors = seen.addresses.keys().map(|lane| factor.at(seen.warp * 32 + lane));
        let first = factors.next();
        symbols.of(*s).uniform && factors.all(|x| Some(x) == first)
    });
    let mut all = rest.values();
    let first = all.next();
    if same && !all.all(|x| Some(x) == first) {
        return Some(format!("the shared part differs between lanes: {rest:x?}"));
    }
    None
}

/// Why an execution is not what was said of this evaluation; none if it is.
fn differs(
    access: &Access,
    found: &Found,
    seen: &Seen,
    symbols: &Symbols,
    kernel: &Kernel,
    given: &Given,
) -> Option<String> {
    let lanes = access.mask.warps().get(seen.warp).copied().unwrap_or(0);
    if seen.lanes & !lanes != 0 {
        return Some(format!("lanes {:#x} of {lanes:#x}", seen.lanes));
    }
    if !access.part && seen.lanes != lanes {
        return Some(format!("exactly lanes {lanes:#x} were said, {:#x} came", seen.lanes));
    }
    if access.open.is_some() {
        return None;
    }
    if seen.bytes != access.bytes {
        return Some(format!("{} bytes, {} were said", seen.bytes, access.bytes));
    }
    let mut as_is = seen.clone();
    if access.space == Space::Generic {
        as_is.addresses.values_mut().for_each(|x| *x = x.wrapping_add(seen.window));
    }
    if let Some(why) = outside(access, &as_is, symbols, given) {
        return Some(why);
    }
    let misaligned = seen.addresses.values().any(|x| x % seen.bytes != 0);
    if found.aligned == Check::Holds && misaligned {
        return Some("misaligned".to_owned());
    }
    if let (Some(Check::Holds), Some(array)) = (&found.bounds, &found.array) {
        let (base, size) = (given.arrays[array], kernel_bytes(kernel, array));
        if let Some(size) = size
            && seen.addresses.values().any(|x| *x < base || x + seen.bytes > base + size)
        {
            return Some("out of bounds".to_owned());
        }
    }
    if !seen.shared {
        return None;
    }
    let warp =
        || found.warps.iter().zip(warps_with_lanes(access)).find(|(_, w)| *w == seen.warp).map(|(x, _)| x.wavefronts);
    let count = seen.wavefronts();
    // the conditions of arrays of elements below 4 bytes
    let unmet = given.arrays.iter().any(|(name, place)| {
        place % 4 != 0 && found.why.contains(&format!("the address of {name} is a multiple of 4"))
    });
    match found.verdict {
        Verdict::Conditional if unmet => None,
        Verdict::Exact if misaligned => Some("exact, but misaligned".to_owned()),
        // under the condition that it is aligned
        Verdict::Conditional | Verdict::AtMost if misaligned && matches!(found.aligned, Check::Needs(_)) => None,
        Verdict::Exact | Verdict::Conditional if warp() != Some(count) => {
            Some(format!("{count} wavefronts, {:?} were said", warp()))
        }
        Verdict::AtMost if warp().is_none_or(|x| x < count) => {
            Some(format!("{count} wavefronts, at most {:?} were said", warp()))
        }
        _ => None,
    }
}

fn kernel_bytes(kernel: &Kernel, array: &str) -> Option<u64> {
    kernel.variables.iter().find(|x| x.name == array).and_then(|x| x.bytes)
}

fn warps_with_lanes(access: &Access) -> impl Iterator<Item = usize> + '_ {
    access.mask.warps().iter().enumerate().filter(|(_, lanes)| **lanes != 0).map(|(w, _)| w)
}

/// All disagreements between a run and the analysis of its kernel.
pub fn disagreements(
    (module, kernel, outcome): (&Module, &Kernel, &Outcome),
    dynamic: Option<u64>,
    seen: &[Seen],
    given: &Given,
    tally: &mut Tally,
) -> Vec<String> {
    let mut wrong = Vec::new();
    if outcome.stop.is_some() {
        return wrong;
    }
    let symbols = &outcome.symbols;
    let mut by_place: BTreeMap<(u32, bool), Vec<(&Access, Found)>> = BTreeMap::new();
    for access in &outcome.accesses {
        let found = look(access, symbols, module, kernel, dynamic);
        *tally.verdicts.entry(found.verdict.name()).or_default() += 1;
        let line = kernel.code[access.instruction].at.line;
        // of one whose space is not known
        let spaces =
            if access.space == Space::Generic { vec![true, false] } else { vec![access.space == Space::Shared] };
        spaces.into_iter().for_each(|shared| by_place.entry((line, shared)).or_default().push((access, found.clone())));
    }
    let mut runs: BTreeMap<(u32, bool), BTreeMap<usize, Vec<&Seen>>> = BTreeMap::new();
    for one in seen.iter().filter(|x| x.lanes != 0) {
        tally.seen += 1;
        runs.entry((one.line, one.shared)).or_default().entry(one.warp).or_default().push(one);
    }
    for (place, of_warps) in &runs {
        let said = by_place.get(place).map_or(&[][..], Vec::as_slice);
        for one in of_warps.values().flatten() {
            let reasons: Vec<Option<String>> =
                said.iter().map(|(access, found)| differs(access, found, one, symbols, kernel, given)).collect();
            if reasons.iter().all(Option::is_some) {
                wrong.push(format!("line {} warp {}: {:?} of {reasons:?}", place.0, one.warp, one.addresses));
                break;
            }
        }
    }
    for (place, said) in &by_place {
        if said.iter().any(|(access, _)| access.space == Space::Generic) {
            continue;
        }
        let nothing = BTreeMap::new();
        let of_warps = runs.get(place).unwrap_or(&nothing);
        let certain = |access: &Access| !access.part && !access.whole && !access.repeated;
        let all_certain = said.iter().all(|(access, _)| certain(access));
        for warp in 0..said[0].0.mask.warps().len() {
            // an access stands for several evaluations that follow each other
            let times = |x: &(&Access, Found)| usize::try_from(x.0.times).unwrap();
            let here: Vec<&(&Access, Found)> = said
                .iter()
                .filter(|(access, _)| access.mask.warps()[warp] != 0)
                .flat_map(|x| std::iter::repeat_n(x, times(x)))
                .collect();
            let came = of_warps.get(&warp).map_or(&[][..], Vec::as_slice);
            let least = here.iter().filter(|x| certain(x.0)).count();
            if came.len() < least || (all_certain && came.len() != least) {
                wrong.push(format!("line {} warp {warp}: {} executions, {least} were certain", place.0, came.len()));
            } else if all_certain {
                // one for one; threads that are in different turns of a loop may come in another order
                let mut left = here.clone();
                for one in came {
                    let reasons: Vec<Option<String>> = left
                        .iter()
                        .map(|(access, found)| differs(access, found, one, symbols, kernel, given))
                        .collect();
                    match reasons.iter().position(Option::is_none) {
                        Some(at) => drop(left.remove(at)),
                        None => {
                            wrong.push(format!("line {} warp {warp}, one for one: {reasons:?}", place.0));
                            break;
                        }
                    }
                }
            } else if said.iter().all(|(access, _)| !access.part && !access.repeated) && came.len() > here.len() {
                wrong.push(format!("line {} warp {warp}: {} executions, at most {}", place.0, came.len(), here.len()));
            }
        }
        for (access, found) in said {
            if let Some(why) =
                failing(access, found, place, all_certain && said.len() == 1 && said[0].0.times == 1, of_warps, given)
            {
                wrong.push(format!("line {}: {why}", place.0));
            }
        }
    }
    wrong
}

/// What the report says for certain and this run does not do, and what it suggests and does not hold.
pub fn untrue(
    report: &Report,
    seen: &[Seen],
    given: &Given,
    sizes: &BTreeMap<String, u64>,
    tally: &mut Tally,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let at = |row: &Row| {
        let line = row.ptx_line;
        let shared = row.space == "shared";
        seen.iter().filter(move |x| x.line == line && (x.shared == shared))
    };
    let threads = |row: &Row, bad: &dyn Fn(u64) -> bool| -> usize {
        let all = at(row).flat_map(|x| x.addresses.iter().map(move |(lane, a)| (x.warp, *lane, *a)));
        all.filter(|x| bad(x.2)).map(|x| (x.0, x.1)).collect::<BTreeSet<_>>().len()
    };
    for row in report.rows.iter().filter(|x| x.space != "generic") {
        if let Worst { check: Check::Fails { threads: said, .. }, certain: true } = &row.aligned {
            *tally.verdicts.entry("error").or_default() += 1;
            let bad = threads(row, &|a| a % row.bytes != 0);
            if bad < *said as usize {
                wrong.push(format!("line {}: {bad} threads are misaligned, {said} for certain", row.ptx_line));
            }
        }
        if let (Some(Worst { check: Check::Fails { threads: said, .. }, certain: true }), Some(array)) =
            (&row.bounds, &row.array)
        {
            *tally.verdicts.entry("error").or_default() += 1;
            let (base, size) = (given.arrays[array], sizes[array]);
            let bad = threads(row, &|a| a < base || a + row.bytes > base + size);
            if bad < *said as usize {
                wrong.push(format!("line {}: {bad} threads leave {array}, {said} for certain", row.ptx_line));
            }
        }
    }
    for remedy in &report.remedies {
        *tally.verdicts.entry("remedy").or_default() += 1;
        let (base, size) = (given.arrays[&remedy.array], sizes[&remedy.array]);
        // the meaning of padding and of CuTe's swizzle, byte by byte
        let moved = |byte: u64| match remedy.change {
            Change::Padding { pitch, free } => byte / pitch * (pitch + free) + byte % pitch,
            Change::Swizzle { bits, base, shift } => {
                (0..bits).fold(byte, |to, i| to ^ ((byte >> (base + shift + i) & 1) << (base + i)))
            }
        };
        let places: BTreeSet<u64> = (0..size).map(moved).collect();
        if places.len() as u64 != size {
            wrong.push(format!("{remedy:?} puts two bytes into one place"));
        }
        for row in report.rows.iter().filter(|x| x.array.as_ref() == Some(&remedy.array)) {
            for one in at(row) {
                let mut new = one.clone();
                for address in new.addresses.values_mut() {
                    let to = moved(*address - base);
                    let together = (0..one.bytes).all(|i| moved(*address - base + i) == to + i);
                    if !together || to % one.bytes != 0 {
                        wrong.push(format!("{remedy:?} takes a vector apart at line {}", row.ptx_line));
                    }
                    *address = base + to;
                }
                if new.wavefronts() != new.phases() {
                    wrong.push(format!("{remedy:?} leaves {} wavefronts at line {}", new.wavefronts(), row.ptx_line));
                }
            }
        }
        if remedy.after >= remedy.before {
            wrong.push(format!("{remedy:?} removes nothing"));
        }
    }
    wrong
}

/// Accesses of the wrong array, among those that stay in what they point to: lines with `[%in…]`.
pub fn misattributed(
    text: &str,
    report: &Report,
    seen: &[Seen],
    given: &Given,
    sizes: &BTreeMap<String, u64>,
    tally: &mut Tally,
) -> Vec<String> {
    let lines: BTreeSet<u32> =
        (1..).zip(text.lines()).filter(|(_, line)| line.contains("[%in")).map(|(i, _)| i).collect();
    let mut wrong = Vec::new();
    for row in report.rows.iter().filter(|x| lines.contains(&x.ptx_line)) {
        *tally.verdicts.entry(if row.array.is_some() { "array" } else { "no array" }).or_default() += 1;
        let before = wrong.len();
        for address in seen.iter().filter(|x| x.line == row.ptx_line).flat_map(|x| x.addresses.values()) {
            let is_in = |array: &String| (given.arrays[array]..given.arrays[array] + sizes[array]).contains(address);
            if let Some(array) = row.array.as_ref().filter(|x| !is_in(x)) {
                wrong.push(format!("line {}: {address} is not in {array}", row.ptx_line));
            }
            if row.space == "shared" && !sizes.keys().any(is_in) {
                wrong.push(format!("line {}: {address} is not in shared memory", row.ptx_line));
            }
            if let Some(remedy) =
                report.remedies.iter().find(|x| is_in(&x.array) && row.array.as_ref() != Some(&x.array))
            {
                wrong.push(format!("line {}: {remedy:?}, but {address} is in that array", row.ptx_line));
            }
            if wrong.len() > before {
                break;
            }
        }
    }
    wrong
}

/// A failure that was said and did not happen.
fn failing(
    access: &Access,
    found: &Found,
    _place: &(u32, bool),
    alone: bool,
    of_warps: &BTreeMap<usize, Vec<&Seen>>,
    given: &Given,
) -> Option<String> {
    if !alone {
        return None;
    }
    let addresses = || of_warps.values().flatten().flat_map(|x| x.addresses.values().copied());
    if let Check::Fails { threads, .. } = &found.aligned {
        let wrong = addresses().filter(|x| x % access.bytes != 0).count();
        if wrong < *threads as usize {
            return Some(format!("{wrong} threads are misaligned, {threads} were said"));
        }
    }
    if let (Some(Check::Fails { threads, reach: Some((from, to)) }), Some(array)) = (&found.bounds, &found.array) {
        // an address of 32 bits below the array is one far above it
        let base = given.arrays[array];
        let away = |x: u64| {
            let x = low(x.wrapping_sub(base), access.address.bits);
            let wrap = 1i128 << access.address.bits;
            if i128::from(x) >= wrap / 2 { i128::from(x) - wrap } else { i128::from(x) }
        };
        let low = addresses().map(away).min()?;
        let high = addresses().map(|x| away(x) + i128::from(access.bytes)).max()?;
        if low > *from || high < *to || *threads == 0 {
            return Some(format!("bytes {low}..{high} were reached, {from}..{to} were said"));
        }
    }
    None
}
