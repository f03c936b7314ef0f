//! RG003 and RG004, and RG001 for layouts that are part of an `MMA_Traits`.
//!
//! A defect is reported once, where it is written, with every trait that has it from there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use razorgirl::Layout;
use serde::Serialize;

use super::cover::{Budget, Coverage, Tile, Uneven, coverage, describe, plainly_even};
use super::{Verdicts, congruent, notation, place, repair, spell};
use crate::ast::{DeclKind, Site};
use crate::eval::{DeclRef, Program};
use crate::finding::{Affected, Code, Finding, Fix, Label, Place};
use crate::survey::{Matrix, Member, Mma, Survey, Traits, one_line};

/// Numbers about the matrices of all traits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Operands {
    /// Layouts that were compared with their tile.
    pub checked: usize,
    /// Those that hit every element once.
    pub once: usize,
    /// Those that hit every element equally often, but more than once.
    pub evenly: usize,
    /// Operands that the threads read through one descriptor: their thread mode has stride 0.
    pub descriptors: usize,
    /// Traits whose `ThrID` is not the identity.
    pub scattered_threads: usize,
    /// Layouts too large to enumerate.
    pub too_large: usize,
}

#[derive(Debug, Clone)]
enum Outcome {
    Good(u64),
    Incongruent,
    Uneven(Uneven),
    Threads(u64),
    TooLarge,
}

/// One matrix of one trait.
struct Seen<'s> {
    traits: &'s Traits<Mma>,
    mma: &'s Mma,
    matrix: Matrix,
    tile: Tile,
    outcome: Outcome,
}

impl Seen<'_> {
    fn member(&self) -> &Member {
        let index = self.matrix as usize;
        // The array has one entry a matrix, in the order of the enumeration.
        self.mma.operands.get(index).unwrap_or(&self.mma.operands[0])
    }

    fn code(&self) -> Option<Code> {
        match self.outcome {
            Outcome::Good(_) | Outcome::TooLarge => None,
            Outcome::Incongruent => Some(Code::Incongruent),
            Outcome::Uneven(_) => Some(Code::Uneven),
            Outcome::Threads(_) => Some(Code::Threads),
        }
    }
}

/// Checks every resolved trait.
pub fn check(program: &Program<'_>, survey: &Survey, verdicts: &mut Verdicts) {
    let seen = look(survey, &mut verdicts.operands);
    let sound: BTreeSet<Site> = seen
        .iter()
        .filter(|seen| matches!(seen.outcome, Outcome::Good(_)))
        .map(|seen| seen.member().layout.site)
        .collect();
    let mut groups: BTreeMap<(Code, Place), Vec<&Seen<'_>>> = BTreeMap::new();
    for one in &seen {
        let Some(code) = one.code() else { continue };
        groups.entry((code, blamed(program, one.member(), &sound))).or_default().push(one);
    }
    for ((code, place), group) in groups {
        verdicts.findings.extend(report(program, code, place, &group));
    }
}

fn look<'s>(survey: &'s Survey, operands: &mut Operands) -> Vec<Seen<'s>> {
    let mut known: HashMap<(Layout, Tile), Coverage> = HashMap::new();
    let mut budget = Budget::default();
    let mut seen = Vec::with_capacity(survey.mma.len() * 3);
    for traits in &survey.mma {
        let Ok(mma) = &traits.value else { continue };
        let threads = congruent(&mma.threads).ok();
        if threads.as_ref().is_some_and(|threads| threads.coalesce().modes().iter().any(|mode| mode.stride() > 1)) {
            operands.scattered_threads += 1;
        }
        for (matrix, member) in Matrix::ALL.into_iter().zip(&mma.operands) {
            let (rows, columns) = mma.tile(matrix);
            let tile = Tile { rows, columns };
            operands.checked += 1;
            let outcome = match congruent(&member.layout) {
                Err(_) => Outcome::Incongruent,
                Ok(layout) => {
                    let first = layout.mode(0);
                    let broadcast = first.iter().flat_map(Layout::modes).all(|mode| mode.stride() == 0);
                    if broadcast && first.as_ref().is_some_and(|first| first.size() > 1) {
                        operands.descriptors += 1;
                    }
                    let covered = known
                        .entry((layout, tile))
                        .or_insert_with_key(|(layout, tile)| coverage(layout, *tile, &mut budget));
                    let wanted = threads.as_ref().map(Layout::size);
                    match covered {
                        Coverage::TooLarge => Outcome::TooLarge,
                        Coverage::Uneven(uneven) => Outcome::Uneven(uneven.clone()),
                        Coverage::Even(_) if first.as_ref().map(Layout::size) != wanted => {
                            Outcome::Threads(first.map_or(0, |first| first.size()))
                        }
                        Coverage::Even(times) => Outcome::Good(*times),
                    }
                }
            };
            match outcome {
                Outcome::Good(1) => operands.once += 1,
                Outcome::Good(_) => operands.evenly += 1,
                Outcome::TooLarge => operands.too_large += 1,
                _ => {}
            }
            seen.push(Seen { traits, mma, matrix, tile, outcome });
        }
    }
    seen
}

/// Where a defect is reported: at the layout, unless the same layout is right for someone else; then the mistake is to use it
/// here.
fn blamed(program: &Program<'_>, member: &Member, sound: &BTreeSet<Site>) -> Place {
    let site = member.layout.site;
    let decl = program.decl(member.decl);
    let own = site.unit == member.decl.unit && decl.span.contains(site.span);
    if own || !sound.contains(&site) {
        place(program, site)
    } else {
        place(program, Site { unit: member.decl.unit, span: decl.span })
    }
}

fn class_name(program: &Program<'_>, class: DeclRef) -> String {
    let span = match &program.decl(class).kind {
        DeclKind::Class { title, .. } => *title,
        _ => program.decl(class).name,
    };
    one_line(program.text(Site { unit: class.unit, span }))
}

fn report(program: &Program<'_>, code: Code, at: Place, group: &[&Seen<'_>]) -> Option<Finding> {
    let defining = group.iter().find(|seen| seen.member().owner == seen.traits.class);
    let first = *defining.or(group.first())?;
    let member = first.member();
    let constant = &member.layout;
    let site = place(program, constant.site);
    let name = class_name(program, member.owner);
    let subject = format!("{} of {name}", first.matrix.member());
    let tile = first.tile;
    let span = format!("{}×{}", tile.rows, tile.columns);
    let (row, column) = first.matrix.axes();
    let mut labels = Vec::new();
    let mut notes = vec![format!(
        "(thread, value) → {row} + {}·{column} is {}, and {span} is its part of Shape_MNK ({},{},{})",
        tile.rows,
        spell::shown(constant),
        first.mma.shape[0],
        first.mma.shape[1],
        first.mma.shape[2],
    )];
    let mut fix = None;
    let title = match &first.outcome {
        Outcome::Incongruent => {
            let (more, words) = spell::mismatch(program, constant);
            labels.extend(more);
            notes.push(format!(
                "{words}: they nest differently, so it is not said which stride belongs to which extent"
            ));
            fix = renested(program, group, first);
            format!("shape and stride of {subject} nest differently")
        }
        Outcome::Uneven(uneven) => {
            let size = tile.rows * tile.columns;
            explain(uneven, first, &mut notes);
            if let Some((more, found)) = repaired(program, group, first) {
                labels.extend(more);
                fix = Some(found);
            }
            if uneven.missed.count == 0 && uneven.outside.is_none() {
                format!("{subject} hits some of the {size} elements of its {span} tile more often than others")
            } else if uneven.missed.count == 0 {
                format!("{subject} reaches beyond the {size} elements of its {span} tile")
            } else {
                format!("{subject} hits {} of the {size} elements of its {span} tile", uneven.hit)
            }
        }
        Outcome::Threads(threads) => {
            let wanted = congruent(&first.mma.threads).map_or(0, |threads| threads.size());
            notes.push(format!(
                "its first mode counts {threads} threads; ThrID is {} with {wanted}",
                notation(&first.mma.threads)
            ));
            format!("{subject} has {threads} threads where ThrID has {wanted}")
        }
        Outcome::Good(_) | Outcome::TooLarge => return None,
    };
    if at != site {
        labels.push(Label { place: at, text: "this layout does not fit this tile".to_owned() });
        labels.push(Label { place: site, text: "the layout is defined here, and right for other tiles".to_owned() });
        // A change of the shared definition would break the traits that it is right for.
        if let Some(fix) = &mut fix {
            fix.edits.clear();
        }
    }
    let affected = affected(program, group, member.owner);
    Some(Finding {
        code,
        title,
        place: at,
        labels,
        subject: Some(subject),
        layout: notation(constant),
        tile: Some((tile.rows, tile.columns)),
        notes,
        fix,
        affected,
    })
}

fn affected(program: &Program<'_>, group: &[&Seen<'_>], owner: DeclRef) -> Vec<Affected> {
    let mut listed = BTreeSet::from([owner]);
    let others = group.iter().filter(|seen| listed.insert(seen.traits.class));
    others.map(|seen| Affected { name: seen.traits.name.clone(), place: place(program, seen.traits.site) }).collect()
}

fn explain(uneven: &Uneven, seen: &Seen<'_>, notes: &mut Vec<String>) {
    let elements = |count: u64| if count == 1 { "1 element".to_owned() } else { format!("{count} elements") };
    let axes = seen.matrix.axes();
    if uneven.missed.count > 0 {
        notes.push(format!(
            "never hit: {} ({})",
            describe(&uneven.missed, seen.tile, axes),
            elements(uneven.missed.count)
        ));
    }
    if uneven.crowded.count > 0 {
        let (words, count) = (describe(&uneven.crowded, seen.tile, axes), elements(uneven.crowded.count));
        notes.push(format!("hit more often than others: {words} ({count})"));
    }
    if let Some(outside) = uneven.outside {
        notes.push(format!(
            "{} of its coordinates lie outside of the tile, the first at offset {outside}",
            uneven.outside_count
        ));
    }
}

fn even_words(times: u64, tile: Tile) -> String {
    let size = tile.rows * tile.columns;
    let often = if times == 1 { "exactly once".to_owned() } else { format!("exactly {times} times") };
    format!("with it every one of the {size} elements of the {}×{} tile is hit {often}", tile.rows, tile.columns)
}

/// The check that failed, on a changed layout.
fn rechecked(layout: &Layout, tile: Tile) -> Option<u64> {
    match coverage(layout, tile, &mut Budget::default()) {
        Coverage::Even(times) => Some(times),
        _ => None,
    }
}

/// Nesting that makes every layout of the group right.
fn renested(program: &Program<'_>, group: &[&Seen<'_>], first: &Seen<'_>) -> Option<Fix> {
    let constant = &first.member().layout;
    spell::renested(constant).into_iter().find_map(|candidate| {
        let times = rechecked(&candidate.layout, first.tile)?;
        let all = group.iter().all(|seen| {
            spell::renested(&seen.member().layout)
                .iter()
                .any(|other| other.stride == candidate.stride && plainly_even(&other.layout, seen.tile))
        });
        all.then(|| {
            let checked = format!("{}, and shape and stride nest alike", even_words(times, first.tile));
            spell::renesting(program, constant, &candidate, checked)
        })
    })
}

/// Numbers that make every layout of the group right.
fn repaired(program: &Program<'_>, group: &[&Seen<'_>], first: &Seen<'_>) -> Option<(Vec<Label>, Fix)> {
    let layout = congruent(&first.member().layout).ok()?;
    let threads = congruent(&first.mma.threads).ok()?.size();
    let fits = |candidate: &Layout| candidate.mode(0).is_some_and(|mode| mode.size() == threads);
    // Templates give several layouts from one text; a change of the text must be right for all of them.
    let fits_all = |changes: &[repair::Change]| {
        group.iter().all(|seen| {
            let changed = congruent(&seen.member().layout).ok().and_then(|layout| repair::changed(&layout, changes));
            changed.is_some_and(|changed| plainly_even(&changed, seen.tile))
        })
    };
    let mut repairs = repair::covering(&layout, first.tile, &fits);
    repairs.retain(|(changes, _)| fits_all(changes));
    let times = rechecked(&repairs.first()?.1, first.tile)?;
    let who = |leaf: usize| format!("{} ", spell::mode_word(layout.profile(), leaf));
    spell::changes(program, &first.member().layout, &repairs, even_words(times, first.tile), &who)
}
