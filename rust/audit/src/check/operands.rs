//! Matrices of `MMA_Traits`: asked about RG001, RG003, RG004, RG005 and RG006. A defect is reported once, where it is written, with every
//! trait that has it from there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use razorgirl::Layout;

use super::constant::{class_name, congruent, notation, place, shown};
use super::cover::{Budget, Coverage, coverage};
use super::fragments::Instruction;
use super::operand::{Operand, Outcome, Question, Told};
use super::verdicts::{Operands, Verdicts};
use super::{fragment, incongruent, threads, uneven};
use crate::ast::Site;
use crate::eval::{DeclRef, Program};
use crate::finding::{Affected, Code, Finding, Label, Place};
use crate::survey::{Matrix, Member, Survey, Tile};

/// Checks every resolved trait.
pub fn check(program: &Program<'_>, survey: &Survey, verdicts: &mut Verdicts) {
    let seen = look(survey, &mut verdicts.operands);
    let sound: BTreeSet<Site> = seen
        .iter()
        .filter(|seen| matches!(seen.outcome, Outcome::Good(_)))
        .map(|seen| seen.member().layout.site)
        .collect();
    let mut groups: BTreeMap<(Code, Place), Vec<&Operand<'_>>> = BTreeMap::new();
    for one in &seen {
        let Some(code) = one.code() else { continue };
        groups.entry((code, blamed(program, one.member(), &sound))).or_default().push(one);
    }
    for ((code, place), group) in groups {
        if let Some(finding) = report(program, code, place, &group) {
            verdicts.find(finding);
        }
    }
}

fn look<'s>(survey: &'s Survey, operands: &mut Operands) -> Vec<Operand<'s>> {
    let mut known: HashMap<(Layout, Tile), Coverage> = HashMap::new();
    let mut budget = Budget::default();
    let mut seen = Vec::with_capacity(survey.mma.len() * 3);
    for traits in &survey.mma {
        let Ok(mma) = &traits.value else { continue };
        let threads = congruent(&mma.threads).ok();
        let instruction = Instruction::of(&traits.name);
        let mut own = Vec::with_capacity(3);
        if threads.as_ref().is_some_and(|threads| threads.coalesce().modes().iter().any(|mode| mode.stride() > 1)) {
            operands.scattered_threads += 1;
        }
        for (matrix, member) in Matrix::ALL.into_iter().zip(&mma.operands) {
            let tile = mma.tile(matrix);
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
                        // A ThrID that is no layout is a defect of its own, and says nothing of this one.
                        Coverage::Even(_) if wanted.is_some() && first.as_ref().map(Layout::size) != wanted => {
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
            own.push(Operand { traits, mma, matrix, tile, instruction, outcome });
        }
        if let Some(instruction) = &instruction {
            let judgement = fragment::judge(mma, instruction, &mut budget);
            operands.fragments += judgement.compared;
            for (one, outcome) in own.iter_mut().zip(judgement.outcomes) {
                // A layout that does not even cover its tile is told so.
                if let (Outcome::Good(_), Some(outcome)) = (&one.outcome, outcome) {
                    one.outcome = outcome;
                }
            }
        }
        seen.extend(own);
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

fn report(program: &Program<'_>, code: Code, at: Place, group: &[&Operand<'_>]) -> Option<Finding> {
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
    let question = Question { program, group, first, subject: &subject };
    let Told { title, mut labels, notes: facts, mut fix } = match &first.outcome {
        Outcome::Incongruent => incongruent::of_operand(question),
        Outcome::Uneven(uneven) => uneven::of_operand(question, uneven),
        Outcome::Threads(threads) => threads::of_operand(question, *threads),
        Outcome::Misplaced(misplaced) => fragment::of_operand(question, misplaced),
        Outcome::Permuted(axis) => fragment::permuted(question, axis),
        Outcome::Good(_) | Outcome::TooLarge => return None,
    };
    let mut notes = vec![format!(
        "(thread, value) → {row} + {}·{column} is {}, and {span} is its part of Shape_MNK ({},{},{})",
        tile.rows,
        shown(constant),
        first.mma.shape[0],
        first.mma.shape[1],
        first.mma.shape[2],
    )];
    notes.extend(facts);
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

fn affected(program: &Program<'_>, group: &[&Operand<'_>], owner: DeclRef) -> Vec<Affected> {
    let mut listed = BTreeSet::from([owner]);
    let others = group.iter().filter(|seen| listed.insert(seen.traits.class));
    others.map(|seen| Affected { name: seen.traits.name.clone(), place: place(program, seen.traits.site) }).collect()
}
