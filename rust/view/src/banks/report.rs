//! What is found about the accesses of a tile, in words.

use super::{Query, Use, shown};
use crate::failure::Failure;
use crate::notation;
use razorgirl::bank::{self, Access, CrowdedBank, Remedies, Remedy};
use razorgirl::{LinearLayout, SwizzledLayout};
use razorgirl_protocol::{Code, Output as Written};
use std::collections::BTreeMap;
use std::io::Write;

/// Banks, and words of a bank, that are listed.
const LISTED: usize = 4;
/// Lanes that are listed for a word.
const LANES: usize = 8;

/// The phase of an access that takes the most wavefronts.
#[derive(Debug)]
pub struct WorstPhase<'a> {
    /// which use, access and phase, from 0
    pub place: (usize, usize, usize),
    /// the access
    pub access: &'a Access,
    /// the first lane of the phase
    pub first: usize,
    /// byte addresses of the lanes of the phase
    pub addresses: Vec<u64>,
    /// how many it takes
    pub wavefronts: u64,
    /// what it waits for
    pub conflicts: Vec<CrowdedBank>,
}

/// What was counted.
#[derive(Debug)]
pub struct Findings<'a> {
    /// wavefronts of each phase of each access of each use
    counts: Vec<Vec<Vec<u64>>>,
    /// nothing where no lane accesses anything
    pub worst: Option<WorstPhase<'a>>,
    /// what was found where there are conflicts
    pub remedies: Option<Remedies>,
}

impl Findings<'_> {
    /// Whether no phase takes more than one wavefront.
    pub fn is_free(&self) -> bool {
        self.counts.iter().flatten().flatten().all(|&n| n <= 1)
    }
}

/// `4 x 8, 60 x 1`: how many phases take how many wavefronts, most first.
fn tally(counts: &[Vec<u64>]) -> String {
    let mut tally: BTreeMap<u64, u64> = BTreeMap::new();
    for n in counts.iter().flatten() {
        *tally.entry(*n).or_default() += 1;
    }
    let part = |(n, phases): (&u64, &u64)| {
        let plural = if *phases == 1 { "" } else { "s" };
        format!("{n} in {phases} phase{plural}")
    };
    tally.iter().rev().map(part).collect::<Vec<_>>().join(", ")
}

/// The first few of them.
fn few<T>(all: &[T], most: usize, show: impl Fn(&T) -> String) -> String {
    let mut shown: Vec<String> = all.iter().take(most).map(show).collect();
    if all.len() > most {
        shown.push(format!("… {} more", all.len() - most));
    }
    shown.join(", ")
}

/// What is found without conflicts has none: anything else is a fault of ours.
fn wrong(layout: &impl std::fmt::Display, most: u64) -> Failure {
    Failure::refused(
        Code::Internal,
        format!("{layout} was found, and takes {most} wavefronts"),
        ["please report it with the command that caused it".to_owned()],
    )
}

impl Query {
    /// Counts all phases; looks for remedies where there are conflicts.
    ///
    /// # Errors
    /// Accesses that leave the tile, and addresses beyond 2^64.
    pub fn find(&self) -> Result<Findings<'_>, Failure> {
        let mut counts = Vec::new();
        let mut worst: Option<((usize, usize, usize), u64)> = None;
        for (u, one) in self.uses.iter().enumerate() {
            let of_one = bank::wavefronts(&self.tile, &one.accesses, self.element)?;
            for (a, phases) in of_one.iter().enumerate() {
                for (p, &n) in phases.iter().enumerate() {
                    if worst.is_none_or(|(_, most)| n > most) {
                        worst = Some(((u, a, p), n));
                    }
                }
            }
            counts.push(of_one);
        }
        let worst = match worst {
            Some((place, wavefronts)) => self.worst(place, wavefronts)?,
            None => None,
        };
        let mut findings = Findings { counts, worst, remedies: None };
        if !findings.is_free() {
            let all: Vec<Access> = self.uses.iter().flat_map(|one| one.accesses.iter().cloned()).collect();
            findings.remedies = Some(bank::remedies(&self.tile, &all, self.element)?);
        }
        Ok(findings)
    }

    fn worst(&self, place: (usize, usize, usize), wavefronts: u64) -> Result<Option<WorstPhase<'_>>, Failure> {
        let (u, a, p) = place;
        let Some((one, access)) = self.uses.get(u).and_then(|one| Some((one, one.accesses.get(a)?))) else {
            return Ok(None);
        };
        let lanes = bank::lanes_of_phase(one.bytes);
        let all = access.addresses(&self.tile, self.element)?;
        let addresses: Vec<u64> = all.into_iter().skip(p * lanes).take(lanes).collect();
        let conflicts = bank::crowded_banks(&addresses, one.bytes)?;
        Ok(Some(WorstPhase { place, access, first: p * lanes, addresses, wavefronts, conflicts }))
    }

    /// Wavefronts of all phases in a layout, counted as those of the tile.
    fn recount(&self, layout: &SwizzledLayout) -> Result<Vec<Vec<Vec<u64>>>, Failure> {
        let count = |one: &Use| Ok(bank::wavefronts(layout, &one.accesses, self.element)?);
        self.uses.iter().map(count).collect()
    }

    /// What is printed is what was counted: a remedy is counted again.
    fn must_be_free(&self, layout: &SwizzledLayout) -> Result<(), Failure> {
        let most = self.recount(layout)?.into_iter().flatten().flatten().max().unwrap_or_default();
        if most > 1 { Err(wrong(layout, most)) } else { Ok(()) }
    }

    fn must_be_free_linear(&self, layout: &LinearLayout) -> Result<(), Failure> {
        let count = |one: &Use| bank::linear_layout_wavefronts(layout, &one.accesses, self.element);
        let counts: Vec<_> = self.uses.iter().map(count).collect::<Result<_, _>>()?;
        let most = counts.into_iter().flatten().flatten().max().unwrap_or_default();
        if most > 1 { Err(wrong(&"the linear layout", most)) } else { Ok(()) }
    }

    /// The report for a program: wavefronts of each phase of each access, and the layouts without conflicts.
    ///
    /// # Errors
    /// Those of counting a layout again.
    pub fn to_output(&self, findings: &Findings<'_>) -> Result<Written, Failure> {
        let accesses = self.uses.iter().zip(&findings.counts).map(|(one, counts)| {
            let phases = counts.iter().map(|phases| Written::Naturals(phases.clone())).collect();
            Written::Named(vec![
                ("access", Written::Text(one.name.clone())),
                ("bytes", one.bytes.into()),
                ("wavefronts", Written::List(phases)),
            ])
        });
        let most = findings.counts.iter().flatten().flatten().max().copied().unwrap_or_default();
        let mut fields = vec![("accesses", Written::List(accesses.collect())), ("most_wavefronts", most.into())];
        if let Some(remedies) = &findings.remedies {
            for (name, remedy) in [("swizzle", &remedies.swizzle), ("padding", &remedies.padding)] {
                let layout = remedy.as_ref().map(|remedy| &remedy.layout);
                layout.map(|layout| self.must_be_free(layout)).transpose()?;
                fields.push((name, layout.cloned().into()));
            }
            remedies.linear.as_ref().map(|layout| self.must_be_free_linear(layout)).transpose()?;
            fields.push(("linear", remedies.linear.clone().into()));
            fields.push(("best", remedies.best.as_ref().map(|best| best.layout.clone()).into()));
        }
        Ok(Written::Named(fields))
    }

    /// The report.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(&self, findings: &Findings<'_>, out: &mut dyn Write) -> Result<(), Failure> {
        let plural = |n: usize| if n == 1 { "" } else { "es" };
        let s = |n: u64| if n == 1 { "" } else { "s" };
        let size = self.tile.size();
        writeln!(out, "{} of {}, {size} element{}", self.layout.trim(), self.dtype, s(size))?;
        for (one, counts) in self.uses.iter().zip(&findings.counts) {
            let n = counts.len();
            let lanes = one.accesses.first().map_or(0, |access| access.lanes.len());
            writeln!(
                out,
                "  {}: {n} access{} of {lanes} lane{}, {} byte{} a lane; wavefronts {}",
                one.name,
                plural(n),
                s(lanes as u64),
                one.bytes,
                s(one.bytes),
                tally(counts)
            )?;
        }
        if findings.is_free() {
            writeln!(out, "  no bank conflicts: every phase takes one wavefront")?;
            return Ok(());
        }
        if let Some(worst) = &findings.worst {
            self.write_worst(worst, out)?;
        }
        let Some(remedies) = &findings.remedies else { return Ok(()) };
        self.write_remedies(remedies, out)
    }

    fn write_worst(&self, worst: &WorstPhase<'_>, out: &mut dyn Write) -> Result<(), Failure> {
        let (u, a, p) = worst.place;
        let name = self.uses.get(u).map(|one| one.name.as_str()).unwrap_or_default();
        let last = (worst.first + worst.addresses.len()).saturating_sub(1);
        writeln!(
            out,
            "\nworst phase: {name}, access {a}, phase {p} (lanes {} to {last}): {} wavefronts",
            worst.first, worst.wavefronts
        )?;
        let shape = self.tile.layout().shape();
        let lane = |lane: &usize| {
            let at = worst.first + lane;
            let index = worst.access.lanes.get(at).copied().unwrap_or_default();
            format!("lane {at} at {}", notation::coordinate(&shape, index))
        };
        // wide accesses ask for neighbouring words in neighbouring banks: these are told together
        let lanes_of = |conflict: &CrowdedBank| -> Vec<Vec<usize>> {
            conflict.words.iter().map(|(_, lanes)| lanes.clone()).collect()
        };
        let groups: Vec<&[CrowdedBank]> =
            worst.conflicts.chunk_by(|a, b| a.bank + 1 == b.bank && lanes_of(a) == lanes_of(b)).collect();
        for group in groups.iter().take(LISTED) {
            let [conflict, ..] = group else { continue };
            let last = group.len() as u64 - 1;
            let run = |from: u64| if last == 0 { from.to_string() } else { format!("{from} to {}", from + last) };
            let (banks, each) = if last == 0 { ("bank", "") } else { ("banks", " each") };
            writeln!(out, "  {banks} {}: {} words{each}", run(conflict.bank), conflict.words.len())?;
            for (word, lanes) in conflict.words.iter().take(LISTED) {
                let words = if last == 0 { "word" } else { "words" };
                writeln!(out, "    {words} {}: {}", run(*word), few(lanes, LANES, lane))?;
            }
            if conflict.words.len() > LISTED {
                writeln!(out, "    … {} more", conflict.words.len() - LISTED)?;
            }
        }
        if let Some(rest) = groups.get(LISTED..).filter(|rest| !rest.is_empty()) {
            let banks: usize = rest.iter().map(|group| group.len()).sum();
            let most = rest.iter().filter_map(|group| group.first()).map(|conflict| conflict.words.len()).max();
            writeln!(out, "  … {banks} more banks with up to {} words", most.unwrap_or_default())?;
        }
        Ok(())
    }

    fn write_remedies(&self, remedies: &Remedies, out: &mut dyn Write) -> Result<(), Failure> {
        let count: usize = self.uses.iter().map(|one| one.accesses.len()).sum();
        writeln!(out, "\nwithout conflicts, counted again over all accesses:")?;
        let mut none = true;
        for (words, remedy) in [("swizzle", &remedies.swizzle), ("padding", &remedies.padding)] {
            let Some(Remedy { layout, elements, .. }) = remedy else { continue };
            self.must_be_free(layout)?;
            none = false;
            let shown = shown(layout);
            writeln!(out, "  {words}  {shown}  {elements} elements, one wavefront in all phases")?;
        }
        if let Some(layout) = &remedies.linear {
            self.must_be_free_linear(layout)?;
            none = false;
            let written = Written::from(layout.clone());
            writeln!(out, "  linear   {written}  {} elements, one wavefront in all phases", self.tile.size())?;
            writeln!(
                out,
                "           from the index in the tile, first mode fastest; there is no such Swizzle<B,M,S> of the layout, and no such padding: `razorgirl linear` reads it"
            )?;
        }
        if none {
            writeln!(
                out,
                "  none found for all {count} accesses: tried were Swizzle<B,M,S> with B up to 5, |S| >= B and bits that the offsets have, up to 128 bytes left free behind one stride and its multiples, and linear layouts for each two kinds of accesses"
            )?;
            self.write_best(remedies, out)?;
        }
        Ok(())
    }

    /// The swizzle with the fewest wavefronts, and how many are the least.
    fn write_best(&self, remedies: &Remedies, out: &mut dyn Write) -> Result<(), Failure> {
        let most = |counts: &[Vec<u64>]| counts.iter().flatten().copied().max().unwrap_or_default();
        let layout = if let Some(best) = &remedies.best {
            writeln!(out, "\nfewest wavefronts found, counted again:")?;
            writeln!(out, "  best     {}  {} elements", shown(&best.layout), best.elements)?;
            &best.layout
        } else {
            writeln!(out, "\nno swizzle that was tried takes fewer wavefronts:")?;
            &self.tile
        };
        let all: Vec<Access> = self.uses.iter().flat_map(|one| one.accesses.iter().cloned()).collect();
        let mut least = bank::least_wavefronts(&self.tile, &all, self.element)?.into_iter();
        for (one, counts) in self.uses.iter().zip(self.recount(layout)?) {
            let least: Vec<Vec<u64>> = least.by_ref().take(one.accesses.len()).collect();
            let (most, bound) = (most(&counts), most(&least));
            let why = if most == 1 {
                String::new()
            } else if most == bound {
                format!(
                    "; fewer than {most} are impossible: a vector of a wider access starts at a multiple of its size, so each of its words can lie in only some of the 32 banks"
                )
            } else {
                format!("; no layout takes fewer than {bound}, and whether one takes fewer than {most} is unknown")
            };
            writeln!(out, "  {}: at most {most} wavefront{} a phase{why}", one.name, if most == 1 { "" } else { "s" })?;
        }
        Ok(())
    }
}
