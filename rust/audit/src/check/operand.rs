//! One matrix of one `MMA_Traits`, as the rules are asked about it.

use razorgirl::Layout;

use super::constant::congruent;
use super::cover::{Budget, Coverage, Uneven, coverage, plainly_even};
use super::fragments::{Fragment, Instruction, Registers};
use super::{repair, spell};
use crate::eval::Program;
use crate::finding::{Code, Fix, Label};
use crate::survey::{Matrix, Member, Mma, Tile, Traits};

/// A register that holds something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The lane.
    pub lane: usize,
    /// Which of its values.
    pub value: usize,
    /// What the instruction has there.
    pub wanted: u64,
    /// What the trait says, if it has that many values.
    pub said: Option<u64>,
    /// Registers that differ, and registers.
    pub count: (u64, u64),
}

/// What is wrong with a matrix that covers its tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misplaced {
    /// Its part of a `Shape_MNK` that is not the instruction's.
    Shape,
    /// Registers hold other elements than it says.
    Other(Difference),
    /// It renames this axis, and the matrix that shares it does not, or otherwise.
    Alone(&'static str),
}

/// What becomes of one matrix of one trait.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Every element of the tile is hit this often.
    Good(u64),
    /// Shape and stride nest differently.
    Incongruent,
    /// Elements are missed, or hit more often than others.
    Uneven(Uneven),
    /// It has so many threads, and `ThrID` another number.
    Threads(u64),
    /// It hits every element equally often, and is not the fragment of the instruction.
    Misplaced(Misplaced),
    /// It permutes this axis of the instruction, as the matrix that shares it does.
    Permuted(&'static str),
    /// It is too large to count.
    TooLarge,
}

/// One matrix of one trait.
pub struct Operand<'s> {
    /// The trait.
    pub traits: &'s Traits<Mma>,
    /// What it says.
    pub mma: &'s Mma,
    /// Which of its matrices.
    pub matrix: Matrix,
    /// What the matrix should cover.
    pub tile: Tile,
    /// The instruction, if its name says which.
    pub instruction: Option<Instruction>,
    /// What becomes of it.
    pub outcome: Outcome,
}

impl Operand<'_> {
    /// The layout and where it is defined.
    pub fn member(&self) -> &Member {
        let index = self.matrix as usize;
        // The array has one entry a matrix, in the order of the enumeration.
        self.mma.operands.get(index).unwrap_or(&self.mma.operands[0])
    }

    /// The fragment that it should be, if that is known and in registers.
    pub fn registers(&self) -> Option<Registers> {
        match self.instruction.filter(|known| known.shape == self.mma.shape)?.fragment(self.matrix) {
            Fragment::Registers(registers) => Some(*registers),
            Fragment::Memory | Fragment::Unknown => None,
        }
    }

    /// Whether a layout is right here: the instruction's fragment where that is known, else one that hits every element equally often.
    pub fn right(&self, layout: &Layout) -> bool {
        match (self.registers(), congruent(&self.mma.threads)) {
            (Some(registers), Ok(threads)) => registers.is(&threads, layout),
            _ => plainly_even(layout, self.tile),
        }
    }

    /// The rule that it breaks.
    pub fn code(&self) -> Option<Code> {
        match self.outcome {
            Outcome::Good(_) | Outcome::TooLarge => None,
            Outcome::Incongruent => Some(Code::Incongruent),
            Outcome::Uneven(_) => Some(Code::Uneven),
            Outcome::Threads(_) => Some(Code::Threads),
            Outcome::Misplaced(_) => Some(Code::Fragment),
            Outcome::Permuted(_) => Some(Code::Permuted),
        }
    }
}

/// What a rule says of an operand, or of several that are wrong for the same reason.
#[derive(Debug)]
pub struct Told {
    /// One sentence.
    pub title: String,
    /// Parts of the layout.
    pub labels: Vec<Label>,
    /// The facts.
    pub notes: Vec<String>,
    /// What to try.
    pub fix: Option<Fix>,
}

/// What a rule is asked about: operands that have their layout from one text, the one that defines it first.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// The names of all files.
    pub program: &'q Program<'q>,
    /// The operands.
    pub group: &'q [&'q Operand<'q>],
    /// The one that is shown.
    pub first: &'q Operand<'q>,
    /// Its name in a sentence.
    pub subject: &'q str,
}

/// What was checked of a layout that is right, and what was not.
pub fn checked_words(operand: &Operand<'_>, times: u64) -> String {
    match (operand.registers(), operand.instruction) {
        (Some(registers), Some(instruction)) => format!(
            "with it every register holds what {} has there (PTX ISA, {})",
            instruction.name(),
            registers.source
        ),
        _ => even_words(times, operand.tile),
    }
}

/// Changes of numbers that make every layout of the group right, or else the instruction's own layout.
pub fn best_fix(question: Question<'_>) -> Option<(Vec<Label>, Fix)> {
    let Question { program, group, first, .. } = question;
    let constant = &first.member().layout;
    let threads = congruent(&first.mma.threads).ok()?.size();
    let fits =
        |candidate: &Layout| candidate.mode(0).is_some_and(|mode| mode.size() == threads) && first.right(candidate);
    // Templates give several layouts from one text; a change of the text must be right for all of them.
    let fits_all = |changes: &[repair::Change]| {
        group.iter().all(|seen| {
            let changed = congruent(&seen.member().layout).ok().and_then(|layout| repair::changed(&layout, changes));
            changed.is_some_and(|changed| seen.right(&changed))
        })
    };
    if let Ok(layout) = congruent(constant) {
        let mut repairs = repair::covering(&layout, first.tile, &fits);
        repairs.retain(|(changes, _)| fits_all(changes));
        if first.registers().is_some() {
            // They are the same function, so one is as good as another: the nearest.
            repairs.truncate(1);
        }
        if let Some(times) = repairs.first().and_then(|(_, layout)| rechecked(layout, first.tile)) {
            let who = |leaf: usize| format!("{} ", spell::mode_word(layout.profile(), leaf));
            let (labels, mut fix) = spell::changes(program, constant, &repairs, checked_words(first, times), &who)?;
            fix.exact = first.registers().is_some();
            return Some((labels, fix));
        }
    }
    let layout = first.registers()?.layout;
    if !group.iter().all(|seen| seen.right(&layout)) {
        return None;
    }
    let fix = spell::replaced(program, constant, &layout, checked_words(first, 1));
    Some((Vec::new(), Fix { exact: true, ..fix }))
}

/// What was checked of a layout that hits every element of a tile `times` times, and what was not.
fn even_words(times: u64, tile: Tile) -> String {
    let size = tile.rows * tile.columns;
    let often = if times == 1 { "exactly once".to_owned() } else { format!("exactly {times} times") };
    format!(
        "with it every one of the {size} elements of the {}×{} tile is hit {often}; not compared with the instruction's \
         fragment map",
        tile.rows, tile.columns
    )
}

/// The check that failed, on a changed layout.
pub fn rechecked(layout: &Layout, tile: Tile) -> Option<u64> {
    match coverage(layout, tile, &mut Budget::default()) {
        Coverage::Even(times) => Some(times),
        _ => None,
    }
}
