//! RG005 and RG006: the matrices of a trait against what the instruction puts into which register.
//!
//! An instruction multiplies what its registers hold. So a trait is right when renaming rows, columns and k turns the
//! instruction's fragments into its own: one renaming of M for A and C, one of N for B and C, one of K for A and B.

use razorgirl::Layout;

use super::constant::congruent;
use super::cover::Budget;
use super::fragments::{Fragment, Instruction, Registers, held};
use super::operand::{Difference, Misplaced, Operand, Outcome, Question, Told, best_fix};
use crate::survey::{Matrix, Mma, Tile};

/// How a matrix differs from its fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compared {
    /// Element by element as the instruction has it, after renaming: for each row and each column what it is called.
    Renamed(Vec<u64>, Vec<u64>),
    /// No renaming of rows and columns explains it.
    Other(Difference),
}

/// Compares a matrix with its fragment. None when there are too many registers.
fn compare(mma: &Mma, matrix: Matrix, registers: &Registers, budget: &mut Budget) -> Option<Compared> {
    let tile = mma.tile(matrix);
    let layout = congruent(&mma.operands.get(matrix as usize)?.layout).ok()?;
    let threads = congruent(&mma.threads).ok()?;
    let identity = || Compared::Renamed((0..tile.rows).collect(), (0..tile.columns).collect());
    if !budget.take(2 * registers.layout.size()) {
        return None;
    }
    if registers.is(&threads, &layout) {
        return Some(identity());
    }
    let wanted = registers.held()?;
    let said = held(&threads, &layout).unwrap_or_default();
    Some(match renaming(&wanted, &said, tile) {
        Some((rows, columns)) => Compared::Renamed(rows, columns),
        None => Compared::Other(difference(&wanted, &said)?),
    })
}

type Held = Vec<Option<Vec<u64>>>;

/// The renaming of rows and columns that turns one into the other.
fn renaming(wanted: &Held, said: &Held, tile: Tile) -> Option<(Vec<u64>, Vec<u64>)> {
    if wanted.len() != said.len() {
        return None;
    }
    let length = |extent: u64| usize::try_from(extent).ok();
    let mut rows = vec![None; length(tile.rows)?];
    let mut columns = vec![None; length(tile.columns)?];
    let put = |names: &mut Vec<Option<u64>>, from: u64, to: u64| {
        let name = names.get_mut(usize::try_from(from).ok()?)?;
        (*name.get_or_insert(to) == to).then_some(())
    };
    for (wanted, said) in wanted.iter().zip(said) {
        let (Some(wanted), Some(said)) = (wanted, said) else {
            if wanted.is_some() != said.is_some() {
                return None;
            }
            continue;
        };
        if wanted.len() != said.len() {
            return None;
        }
        for (wanted, said) in wanted.iter().zip(said) {
            put(&mut rows, wanted % tile.rows, said % tile.rows)?;
            put(&mut columns, wanted / tile.rows, said / tile.rows)?;
        }
    }
    let names = |names: Vec<Option<u64>>| {
        let names = names.into_iter().collect::<Option<Vec<u64>>>()?;
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.iter().copied().eq(0..sorted.len() as u64).then_some(names)
    };
    Some((names(rows)?, names(columns)?))
}

fn difference(wanted: &Held, said: &Held) -> Option<Difference> {
    let mut first = None;
    let mut count = (0, 0);
    for (lane, wanted) in wanted.iter().enumerate() {
        let said = said.get(lane).and_then(Option::as_ref);
        for (value, wanted) in wanted.iter().flatten().enumerate() {
            let said = said.and_then(|said| said.get(value)).copied();
            count.1 += 1;
            if said != Some(*wanted) {
                count.0 += 1;
                first.get_or_insert((lane, value, *wanted, said));
            }
        }
    }
    // Where every register of the instruction agrees, the trait has lanes or values beyond them.
    let (lane, value, wanted, said) = first.or_else(|| {
        let (lane, values) = said.iter().enumerate().find(|(lane, said)| {
            let own = wanted.get(*lane).and_then(Option::as_ref).map_or(0, Vec::len);
            said.as_ref().is_some_and(|said| said.len() > own)
        })?;
        let own = wanted.get(lane).and_then(Option::as_ref).map_or(0, Vec::len);
        Some((lane, own, u64::MAX, values.as_ref()?.get(own).copied()))
    })?;
    Some(Difference { lane, value, wanted, said, count })
}

/// What becomes of A, B and C by their fragments.
#[derive(Debug, Clone, Default)]
pub struct Judgement {
    /// A verdict for each matrix that is not as the instruction has it.
    pub outcomes: [Option<Outcome>; 3],
    /// Matrices that were compared.
    pub compared: usize,
}

/// A matrix, and whether its columns are meant.
type Side = (Matrix, bool);

/// The axes: their name, and the two matrices that share one, with whether it is their columns.
const AXES: [(&str, Side, Side); 3] = [
    ("M", (Matrix::A, false), (Matrix::C, false)),
    ("N", (Matrix::B, false), (Matrix::C, true)),
    ("K", (Matrix::A, true), (Matrix::B, true)),
];

/// Compares a trait with its instruction.
pub fn judge(mma: &Mma, instruction: &Instruction, budget: &mut Budget) -> Judgement {
    let mut judgement = Judgement::default();
    if mma.shape != instruction.shape {
        let other = Mma { shape: instruction.shape, ..mma.clone() };
        for (matrix, outcome) in Matrix::ALL.into_iter().zip(&mut judgement.outcomes) {
            *outcome = (mma.tile(matrix) != other.tile(matrix)).then_some(Outcome::Misplaced(Misplaced::Shape));
        }
        return judgement;
    }
    // None: not known. A descriptor says nothing of threads, and means each element by its own name.
    let compared = Matrix::ALL.map(|matrix| match instruction.fragment(matrix) {
        Fragment::Registers(registers) => compare(mma, matrix, &registers, budget),
        Fragment::Memory => {
            let tile = mma.tile(matrix);
            Some(Compared::Renamed((0..tile.rows).collect(), (0..tile.columns).collect()))
        }
        Fragment::Unknown => None,
    });
    judgement.compared = compared.iter().flatten().count();
    let of = |matrix: Matrix| compared.get(matrix as usize).and_then(Option::as_ref);
    let names = |(matrix, column): Side| match of(matrix)? {
        Compared::Renamed(rows, columns) => Some(if column { columns } else { rows }),
        Compared::Other(_) => None,
    };
    let moved = |names: &[u64]| !names.iter().copied().eq(0..names.len() as u64);
    let mut put = |matrix: Matrix, outcome: Outcome| {
        if let Some(place) = judgement.outcomes.get_mut(matrix as usize)
            && place.as_ref().is_none_or(|kept| matches!(kept, Outcome::Permuted(_)))
        {
            *place = Some(outcome);
        }
    };
    for matrix in Matrix::ALL {
        if let Some(Compared::Other(difference)) = of(matrix) {
            put(matrix, Outcome::Misplaced(Misplaced::Other(difference.clone())));
        }
    }
    for (axis, first, second) in AXES {
        let (ours, theirs) = (names(first), names(second));
        let shared = ours.is_some() && ours == theirs;
        for ((matrix, _), names) in [(first, ours), (second, theirs)] {
            match names {
                Some(names) if moved(names) && shared => put(matrix, Outcome::Permuted(axis)),
                Some(names) if moved(names) => put(matrix, Outcome::Misplaced(Misplaced::Alone(axis))),
                _ => {}
            }
        }
    }
    judgement
}

/// RG005.
pub fn of_operand(question: Question<'_>, misplaced: &Misplaced) -> Told {
    let Question { first, subject, .. } = question;
    let name = first.instruction.map_or_else(String::new, |instruction| instruction.name());
    let mut notes = Vec::new();
    let title = match misplaced {
        Misplaced::Shape => {
            let [m, n, k] = first.instruction.map_or([0; 3], |instruction| instruction.shape);
            notes.push(format!("Shape_MNK must be ({m},{n},{k}), the shape of {name}"));
            let title = format!("{subject} covers another tile than {name}");
            return Told { title, labels: Vec::new(), notes, fix: None };
        }
        Misplaced::Other(difference) => {
            notes.push(describe(difference, first, &name));
            notes.extend(threads(first));
            format!("{subject} is not the fragment of {name}")
        }
        Misplaced::Alone(axis) => {
            let results = if *axis == "M" { "rows" } else { "columns" };
            let wrong = match *axis {
                "K" => "other elements are multiplied with each other".to_owned(),
                _ => format!("the products go to other {results}"),
            };
            notes.push(format!(
                "it names the elements along {axis} in another order than {name}, and the matrix that shares {axis} does not: {wrong}"
            ));
            format!("{subject} permutes {axis} of {name} alone")
        }
    };
    source(first, &mut notes);
    let (labels, fix) = best_fix(question).unzip();
    Told { title, labels: labels.unwrap_or_default(), notes, fix }
}

/// RG006.
pub fn permuted(question: Question<'_>, axis: &str) -> Told {
    let Question { first, subject, .. } = question;
    let name = first.instruction.map_or_else(String::new, |instruction| instruction.name());
    let mut notes = vec![format!(
        "the matrix that shares {axis} has the same permutation, so the product is the same; who loads fragments by {name}'s own map, as \
         ldmatrix does, must know"
    )];
    source(first, &mut notes);
    Told { title: format!("{subject} permutes {axis} of {name}"), labels: Vec::new(), notes, fix: None }
}

/// What is wrong with the threads themselves, which all matrices of the trait share.
fn threads(first: &Operand<'_>) -> Option<String> {
    let wanted: Layout = first.instruction?.unit.threads().parse().ok()?;
    let said = congruent(&first.mma.threads).ok()?;
    let same = said.size() == wanted.size() && (0..said.size()).all(|thread| said.at(thread) == wanted.at(thread));
    (!same).then(|| format!("ThrID is {said}, and the instruction has its threads at {wanted}"))
}

fn source(first: &Operand<'_>, notes: &mut Vec<String>) {
    if let Some(Fragment::Registers(registers)) = first.instruction.map(|one| one.fragment(first.matrix)) {
        notes.push(format!("the instruction has {} (PTX ISA, {})", registers.layout, registers.source));
    }
}

fn describe(difference: &Difference, first: &Operand<'_>, name: &str) -> String {
    let Difference { lane, value, wanted, said, count } = difference;
    let axes = first.matrix.axes();
    let element =
        |offset: u64| format!("({},{}) = ({},{})", axes.0, axes.1, offset % first.tile.rows, offset / first.tile.rows);
    let said = said.map_or_else(|| "nothing".to_owned(), element);
    if *wanted == u64::MAX {
        return format!("lane {lane} has no value {value} in {name}, and {said} here");
    }
    format!(
        "value {value} of lane {lane} is {} in {name}, and {said} here; {} of {} registers differ",
        element(*wanted),
        count.0,
        count.1
    )
}

#[cfg(test)]
mod tests;
