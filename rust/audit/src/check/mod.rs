//! The fifth stage: checks. A rule is a row in [`crate::rule`] and a file with its page beside it: [`incongruent`] RG001, [`overlap`] RG002, [`uneven`]
//! RG003, [`threads`] RG004, [`fragment`] RG005 and RG006, with the table in [`fragments`], [`tiled_copy`]
//! RG007, [`swizzles`] RG008 to RG010 and RG029, [`storage`] RG011, RG012, RG019, RG033 and RG035, [`composed`] RG013, [`alignment`] RG014, [`banks`] RG015 and
//! RG016, [`partition`] RG017 and RG018, [`vectors`] RG020, [`launch`] RG024 and RG030 to RG032, [`tiled_mma`] RG025 and
//! RG026, [`tma`] RG027 and RG028, [`refused`] RG013 in Python, [`gluon`] RG021 to RG023. What is looked at, and which rule is asked about it, is
//! in [`operands`], [`plain`] and [`spots`];
//! [`held`] says what is seen to lie in an array, and [`copies`] makes remarks.

mod alignment;
mod banks;
mod composed;
mod constant;
mod copies;
mod cover;
mod defect;
mod divided;
mod fragment;
mod fragments;
mod gluon;
mod held;
mod incongruent;
mod lanes;
mod launch;
mod listed;
mod memory;
mod nesting;
mod once;
mod operand;
mod operands;
mod overlap;
mod partition;
mod plain;
mod refused;
mod repair;
mod spell;
mod spots;
mod storage;
mod swizzles;
mod threads;
mod tiled_copy;
mod tiled_mma;
mod tma;
mod uneven;
mod vectors;
mod verdicts;

use crate::eval::Program;
use crate::python::Python;
use crate::survey::Survey;

pub use verdicts::{Copies, MAX_FINDINGS, Operands, Plain, Shared, Verdicts};

/// Runs every check.
pub fn run(program: &Program<'_>, survey: &Survey) -> Verdicts {
    let layouts = || {
        let mut verdicts = Verdicts::default();
        operands::check(program, survey, &mut verdicts);
        copies::check(program, survey, &mut verdicts);
        plain::check(program, survey, "as the template is instantiated", &mut verdicts);
        tiled_copy::check(program, survey, &mut verdicts);
        verdicts
    };
    let (mut verdicts, places) = rayon::join(layouts, || spots::check(program, survey));
    verdicts.append(places);
    verdicts.findings.sort_by_key(|a| (a.place, a.code));
    verdicts.remarks.sort_by_key(|a| a.place);
    verdicts
}

/// Runs every check of Python.
pub fn python(program: &Program<'_>, python: &Python) -> Verdicts {
    let mut verdicts = Verdicts::default();
    plain::check(program, &python.survey, "as it is called", &mut verdicts);
    tiled_copy::check(program, &python.survey, &mut verdicts);
    refused::check(program, &python.refused, &mut verdicts);
    refused::composed(program, &python.composed, &mut verdicts);
    partition::copies(program, python, &mut verdicts);
    tiled_mma::python(program, python, &mut verdicts);
    refused::listed(program, &python.composed_listed, &mut verdicts);
    gluon::check(program, &python.gluon, &mut verdicts);
    gluon::listed(program, &python.gluon_listed, &mut verdicts);
    tiled_copy::listed(program, &python.copies, &mut verdicts);
    swizzles::dropped(program, &python.swizzles, &mut verdicts);
    memory::check(program, &python.placed, &mut verdicts);
    verdicts
}
