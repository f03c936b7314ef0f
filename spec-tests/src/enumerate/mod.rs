//! The library against what its operations mean, by plain enumeration, in one process and without JSON: small layouts at random,
//! a million of them a second.
//!
//! A row draws operands, asks the library, and lists offsets: whether the answer is right, and where there is none whether one
//! exists. `plain` knows neither the library nor a formula for any operation.

mod draw;
pub mod plain;
mod rows;

use razorgirl_conform::driver::Shard;

pub use crate::compare::{Case, Rng, Uses, shown, shrink};
pub use rows::ROWS;

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The answer is right.
    Right,
    /// Refused, and enumeration finds that nothing is right.
    None,
    /// Refused by an operation that may refuse more, though something is right, or nothing was looked for.
    Strict,
    /// It is no case: too large to be listed.
    Invalid,
    /// Wrong: what the library says, and what is so.
    Wrong(Box<[String; 2]>),
}

/// An operation, what it is asked, and how it is judged.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The operation.
    pub name: &'static str,
    /// Which numbers of a [`Case`] it uses.
    pub uses: Uses,
    /// Draws a case in place.
    pub draw: fn(&mut Rng, &mut Case),
    /// Asks and judges.
    pub check: fn(&Case) -> Verdict,
}

/// How many cases came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Right answers.
    pub right: u64,
    /// Refusals where nothing is right.
    pub none: u64,
    /// Refusals of an operation that may refuse more.
    pub strict: u64,
    /// Cases too large to be listed.
    pub invalid: u64,
}

impl Figures {
    /// All that was judged.
    #[must_use]
    pub const fn judged(&self) -> u64 {
        self.right + self.none + self.strict
    }

    fn add(&mut self, other: &Self) {
        self.right += other.right;
        self.none += other.none;
        self.strict += other.strict;
        self.invalid += other.invalid;
    }
}

/// A wrong answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The case as it was drawn.
    pub drawn: Case,
    /// A smaller one.
    pub shrunk: Case,
    /// What the library says of the smaller one, and what is so.
    pub said: [String; 2],
}

/// Cases that are drawn from one seed; a shard has every so many of these blocks.
pub const BLOCK: u64 = 1 << 16;

/// Judges `cases` cases of a seed, those of every so many blocks; tells `done` after every block how many
/// more there were. The shards of a seed together judge what one run without shards does.
///
/// # Errors
/// The first [`Finding`], made smaller.
pub fn enumerate(
    row: &Row,
    cases: u64,
    seed: u64,
    shard: Shard,
    mut done: impl FnMut(u64),
) -> Result<Figures, Box<Finding>> {
    let mut figures = Figures::default();
    for block in (0..cases.div_ceil(BLOCK)).filter(|block| block % shard.of.max(1) == shard.index) {
        let count = BLOCK.min(cases - block * BLOCK);
        figures.add(&one_block(row, count, seed, block)?);
        done(count);
    }
    Ok(figures)
}

/// The numbers of a block depend on the seed, the operation and the block alone.
fn one_block(row: &Row, count: u64, seed: u64, block: u64) -> Result<Figures, Box<Finding>> {
    let name = row.name.bytes().fold(0, |hash: u64, byte| hash.rotate_left(8) ^ u64::from(byte));
    let mut rng = Rng::new(Rng::new(seed ^ name).bits() ^ Rng::new(block).bits());
    let (mut figures, mut case) = (Figures::default(), Case::default());
    for _ in 0..count {
        (row.draw)(&mut rng, &mut case);
        match (row.check)(&case) {
            Verdict::Right => figures.right += 1,
            Verdict::None => figures.none += 1,
            Verdict::Strict => figures.strict += 1,
            Verdict::Invalid => figures.invalid += 1,
            Verdict::Wrong(said) => return Err(Box::new(finding(row, case, *said))),
        }
    }
    Ok(figures)
}

#[cold]
fn finding(row: &Row, drawn: Case, said: [String; 2]) -> Finding {
    let shrunk = shrink(&drawn, |case| matches!((row.check)(case), Verdict::Wrong(_)));
    let said = match (row.check)(&shrunk) {
        Verdict::Wrong(said) => *said,
        _ => said,
    };
    Finding { drawn, shrunk, said }
}
