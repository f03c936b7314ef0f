//! What launches and calls say, until the survey keeps it.

use super::Survey;
use super::copied::Extent;
use super::shared::{By, Fact, Spot, Ways, What};

/// What is said of one of the survey's places: for which values of template parameters, and by which launches and calls.
pub(super) type Said = (usize, (Fact, String, Vec<By>));

/// What launches and calls say of places of the survey. It is kept apart, so that they are followed beside its templates.
#[derive(Debug, Default)]
pub(super) struct Launched {
    /// Which place it is, and what is said of it.
    pub(super) facts: Vec<Said>,
    /// What a place says by itself, where no instance says anything.
    pub(super) alone: Vec<(usize, Fact)>,
    pub(super) ways: Vec<(usize, Ways)>,
    /// Places in kernels that are launched under a condition.
    pub(super) guarded: Vec<usize>,
    /// The launches themselves.
    pub(super) spots: Vec<Spot>,
    /// Launches that were not followed.
    pub(super) left: usize,
}

impl Survey {
    /// Its places, of which nothing is known yet.
    pub(super) fn places(&self) -> Vec<Spot> {
        self.spots.iter().map(Spot::bare).collect()
    }

    /// Keeps what launches and calls say.
    pub(super) fn keep(&mut self, launched: Launched) {
        let Launched { facts, alone, ways, guarded, spots, left } = launched;
        for (index, fact) in alone {
            if let Some(spot) = self.spots.get_mut(index).filter(|spot| spot.facts.is_empty()) {
                spot.launched.push((fact, String::new(), Vec::new()));
            }
        }
        for index in guarded {
            self.leave_to_launches(index);
        }
        for (index, fact) in facts {
            if let Some(spot) = self.spots.get_mut(index) {
                spot.launched.push(fact);
            }
        }
        for (index, ways) in ways {
            if let Some(spot) = self.spots.get_mut(index) {
                spot.ways.push(ways);
            }
        }
        self.spots.extend(spots);
        self.left_launches += left;
    }

    /// Of a kernel that is launched under a condition, an instance alone does not say that it runs: its launches do.
    fn leave_to_launches(&mut self, index: usize) {
        let Some(spot) = self.spots.get_mut(index) else { return };
        for (fact, _) in spot.facts.iter_mut().filter(|(_, holds)| !holds.is_empty()) {
            match fact {
                Fact::Vectors(of) => of.copied = Extent::None,
                Fact::Accessed { copied, .. } if matches!(spot.what, What::Vectors(..)) => *copied = false,
                _ => {}
            }
        }
    }
}
