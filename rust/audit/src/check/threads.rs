//! RG004: a matrix layout has another number of threads than `ThrID`.

use super::constant::{congruent, notation};
use super::operand::{Question, Told, best_fix};

/// The defect.
pub fn of_operand(question: Question<'_>, threads: u64) -> Told {
    let Question { first, subject, .. } = question;
    let wanted = congruent(&first.mma.threads).map_or(0, |threads| threads.size());
    let id = notation(&first.mma.threads);
    Told {
        title: format!("{subject} has {threads} threads where ThrID has {wanted}"),
        labels: Vec::new(),
        notes: vec![format!("its first mode counts {threads} threads; ThrID is {id} with {wanted}")],
        fix: first.registers().and_then(|_| best_fix(question)).map(|(_, fix)| fix),
    }
}
