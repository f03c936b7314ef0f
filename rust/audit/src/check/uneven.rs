//! RG003: a matrix layout misses elements of its tile, or hits some more often than others.

use razorgirl::Layout;

use super::constant::congruent;
use super::cover::{Uneven, describe, plainly_even};
use super::operand::{Operand, Question, Told, even_words, rechecked};
use super::{repair, spell};
use crate::finding::{Fix, Label};

/// The defect.
pub fn of_operand(question: Question<'_>, uneven: &Uneven) -> Told {
    let Question { first, subject, .. } = question;
    let tile = first.tile;
    let (size, span) = (tile.rows * tile.columns, format!("{}×{}", tile.rows, tile.columns));
    let mut notes = Vec::new();
    explain(uneven, first, &mut notes);
    let (labels, fix) = repaired(question).unzip();
    let title = if uneven.missed.count == 0 && uneven.outside.is_none() {
        format!("{subject} hits some of the {size} elements of its {span} tile more often than others")
    } else if uneven.missed.count == 0 {
        format!("{subject} reaches beyond the {size} elements of its {span} tile")
    } else {
        format!("{subject} hits {} of the {size} elements of its {span} tile", uneven.hit)
    };
    Told { title, labels: labels.unwrap_or_default(), notes, fix }
}

fn explain(uneven: &Uneven, seen: &Operand<'_>, notes: &mut Vec<String>) {
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

/// Numbers that make every layout of the group right.
fn repaired(question: Question<'_>) -> Option<(Vec<Label>, Fix)> {
    let Question { program, group, first, .. } = question;
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
