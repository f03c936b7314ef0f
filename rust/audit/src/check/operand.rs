//! One matrix of one `MMA_Traits`, as the rules are asked about it.

use razorgirl::Layout;

use super::cover::{Budget, Coverage, Uneven, coverage};
use crate::eval::Program;
use crate::finding::{Code, Fix, Label};
use crate::survey::{Matrix, Member, Mma, Tile, Traits};

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

    /// The rule that it breaks.
    pub fn code(&self) -> Option<Code> {
        match self.outcome {
            Outcome::Good(_) | Outcome::TooLarge => None,
            Outcome::Incongruent => Some(Code::Incongruent),
            Outcome::Uneven(_) => Some(Code::Uneven),
            Outcome::Threads(_) => Some(Code::Threads),
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

/// What was checked of a layout that hits every element of a tile `times` times, and what was not.
pub fn even_words(times: u64, tile: Tile) -> String {
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
