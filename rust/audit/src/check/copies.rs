//! Remarks on copy atoms: what the source, destination and reference layouts of a `Copy_Traits` reach. Their offsets are bits, and an
//! instruction may well read more than it writes, so a difference is a remark and never a finding.

use std::collections::BTreeSet;

use razorgirl::{Layout, Mode};

use super::constant::{congruent, place};
use super::verdicts::Verdicts;
use crate::eval::Program;
use crate::finding::Remark;
use crate::survey::{CopyAtom, Survey};

/// Images with more bits are compared only by their modes.
const MAX_BITS: u64 = 1 << 20;

enum Compared {
    Same,
    Moved(u64),
    Different(String),
    Untold,
}

/// Compares the images of every resolved copy atom.
pub fn check(program: &Program<'_>, survey: &Survey, verdicts: &mut Verdicts) {
    for traits in &survey.copies {
        let Ok(atom) = &traits.value else { continue };
        let text = match compare(atom) {
            Compared::Same => {
                verdicts.copies.same += 1;
                continue;
            }
            Compared::Untold => {
                verdicts.copies.untold += 1;
                continue;
            }
            Compared::Moved(bits) => {
                verdicts.copies.moved += 1;
                format!("{} reads and writes {bits} bits, at different offsets", traits.name)
            }
            Compared::Different(bits) => {
                verdicts.copies.different += 1;
                format!("{} reaches {bits}", traits.name)
            }
        };
        verdicts.remarks.push(Remark { place: place(program, traits.site), text });
    }
}

fn compare(atom: &CopyAtom) -> Compared {
    let images: Vec<Option<Vec<Mode>>> =
        atom.images.iter().map(|member| congruent(&member.layout).ok().map(|layout| image(&layout))).collect();
    let [Some(source), Some(destination), Some(reference)] = images.as_slice() else { return Compared::Untold };
    if source == destination && destination == reference {
        return Compared::Same;
    }
    let sets = [source, destination, reference].map(|modes| bits(modes));
    let [Some(source), Some(destination), Some(reference)] = sets else { return Compared::Untold };
    if source == destination && destination == reference {
        Compared::Same
    } else if source.len() == destination.len() && destination.len() == reference.len() {
        Compared::Moved(source.len() as u64)
    } else {
        let counts = (source.len(), destination.len(), reference.len());
        Compared::Different(format!(
            "{} bits in SrcLayout, {} in DstLayout, {} in RefLayout",
            counts.0, counts.1, counts.2
        ))
    }
}

/// Modes with the same image, sorted and merged: equal modes reach equal bits.
fn image(layout: &Layout) -> Vec<Mode> {
    let mut modes: Vec<Mode> =
        layout.modes().iter().filter(|mode| mode.extent() > 1 && mode.stride() > 0).copied().collect();
    modes.sort_unstable_by_key(|mode| (mode.stride(), mode.extent()));
    Layout::from_modes(modes.iter().copied()).map_or(modes, |sorted| sorted.coalesce().modes().to_vec())
}

fn bits(modes: &[Mode]) -> Option<BTreeSet<u64>> {
    let layout = Layout::from_modes(modes.iter().copied()).ok()?;
    (layout.size() <= MAX_BITS).then(|| layout.offsets().collect())
}
