//! The library against the functions that are extracted from Lean, in one process.
//!
//! Both get the same numbers; a case agrees when both answer the same, or both refuse with one code. What the library
//! takes beside flat modes (profiles) is not looked at here.

mod draw;
mod rows;
mod same;
mod shrink;

pub use draw::Rng;
pub use rows::ROWS;
pub use shrink::shrink;

use std::fmt;

use razorgirl_extracted::Mode;

/// The numbers that a function gets; each row of [`ROWS`] uses those that it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// The modes of a layout, or of the outer one of two.
    pub modes: Vec<Mode>,
    /// The modes of a second layout.
    pub inner: Vec<Mode>,
    /// An index, a cotarget or another number.
    pub number: u64,
    /// Offsets in linear order.
    pub offsets: Vec<u64>,
}

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both answered the same.
    Answered,
    /// Both refused with one code.
    Refused,
    /// It is no case: the operands are not valid.
    Invalid,
    /// They differ: what the library says, and what the extracted function says.
    Differ(Box<[String; 2]>),
}

/// A function, what it is compared on, and the comparison.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The extracted function.
    pub name: &'static str,
    /// Which numbers it uses.
    pub uses: Uses,
    /// Draws a case in place.
    pub draw: fn(&mut Rng, &mut Case),
    /// Asks both.
    pub check: fn(&Case) -> Verdict,
}

/// Which parts of a [`Case`] a row uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uses {
    /// The modes of a layout.
    Modes,
    /// The modes of a layout, and a number.
    ModesAndNumber,
    /// The modes of two layouts.
    Pair,
    /// Modes, and a number for each.
    ModesAndOffsets,
    /// Two numbers, read as integers with a sign: the number, and the first offset.
    Integers,
    /// Offsets.
    Offsets,
}

/// How many cases came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Cases that both answered the same.
    pub answered: u64,
    /// Cases that both refused with one code.
    pub refused: u64,
    /// Operands that were not valid.
    pub invalid: u64,
}

impl Figures {
    /// All comparisons: what was not valid is none.
    #[must_use]
    pub const fn compared(&self) -> u64 {
        self.answered + self.refused
    }
}

/// A case on which they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The case as it was drawn.
    pub drawn: Case,
    /// A smaller one.
    pub shrunk: Case,
    /// What each says of the smaller one.
    pub said: [String; 2],
}

/// Compares `cases` cases of a seed, telling `done` after every so many how many more there were; stops at the first
/// disagreement and makes it smaller.
///
/// # Errors
/// The first [`Disagreement`].
pub fn compare(row: &Row, cases: u64, seed: u64, mut done: impl FnMut(u64)) -> Result<Figures, Box<Disagreement>> {
    const STEP: u64 = 1 << 16;
    let mut figures = Figures::default();
    // Each row has numbers of its own, whichever others are compared.
    let mut rng = Rng::new(seed ^ row.name.bytes().fold(0, |hash: u64, byte| hash.rotate_left(8) ^ u64::from(byte)));
    let mut case = Case::default();
    for number in 1..=cases {
        (row.draw)(&mut rng, &mut case);
        match (row.check)(&case) {
            Verdict::Answered => figures.answered += 1,
            Verdict::Refused => figures.refused += 1,
            Verdict::Invalid => figures.invalid += 1,
            Verdict::Differ(said) => return Err(Box::new(disagreement(row, case, *said))),
        }
        if number % STEP == 0 {
            done(STEP);
        }
    }
    Ok(figures)
}

fn disagreement(row: &Row, drawn: Case, said: [String; 2]) -> Disagreement {
    let shrunk = shrink(&drawn, |case| matches!((row.check)(case), Verdict::Differ(_)));
    let said = match (row.check)(&shrunk) {
        Verdict::Differ(said) => *said,
        _ => said,
    };
    Disagreement { drawn, shrunk, said }
}

/// The parts of a case that a row uses, in CuTe notation.
#[must_use]
pub fn shown(uses: Uses, case: &Case) -> String {
    match uses {
        Uses::Modes => Notation(&case.modes).to_string(),
        Uses::ModesAndNumber => format!("{}, {}", Notation(&case.modes), case.number),
        Uses::Pair => format!("{}, {}", Notation(&case.modes), Notation(&case.inner)),
        Uses::ModesAndOffsets => format!("{}, {:?}", Notation(&case.modes), case.offsets),
        Uses::Integers => format!("{}, {}", case.number.cast_signed(), divisor(case)),
        Uses::Offsets => format!("{:?}", case.offsets),
    }
}

/// The second of two integers.
fn divisor(case: &Case) -> i64 {
    case.offsets.first().map_or(0, |offset| offset.cast_signed())
}

/// Modes as CuTe writes a flat layout.
struct Notation<'a>(&'a [Mode]);

impl fmt::Display for Notation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |numbers: Vec<String>| format!("({})", numbers.join(","));
        let extents = self.0.iter().map(|mode| mode.extent.to_string()).collect();
        let strides = self.0.iter().map(|mode| mode.stride.to_string()).collect();
        write!(f, "{}:{}", list(extents), list(strides))
    }
}
