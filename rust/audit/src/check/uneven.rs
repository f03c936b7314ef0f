//! RG003: a matrix layout misses elements of its tile, or hits some more often than others.

use super::cover::{Uneven, describe};
use super::operand::{Operand, Question, Told, best_fix};

/// The defect.
pub fn of_operand(question: Question<'_>, uneven: &Uneven) -> Told {
    let Question { first, subject, .. } = question;
    let tile = first.tile;
    let (size, span) = (tile.rows * tile.columns, format!("{}×{}", tile.rows, tile.columns));
    let mut notes = Vec::new();
    explain(uneven, first, &mut notes);
    let (labels, fix) = best_fix(question).unzip();
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
