//! The fifth stage: checks. A new check is a new file here and a line in [`run`].

mod copy;
mod cover;
mod generic;
mod mma;
mod repair;
mod spell;

use crate::ast::Site;
use crate::eval::{Constant, Program};
use crate::finding::{Finding, Place, Remark};
use crate::survey::Survey;

pub use copy::Copies;
pub use cover::Tile;
pub use generic::Plain;
pub use mma::Operands;

/// What all checks say.
#[derive(Debug, Default)]
pub struct Verdicts {
    /// Defects, by place.
    pub findings: Vec<Finding>,
    /// What is not a defect but worth knowing.
    pub remarks: Vec<Remark>,
    /// Numbers about matrix operands.
    pub operands: Operands,
    /// Numbers about copy atoms.
    pub copies: Copies,
    /// Numbers about layouts outside of traits.
    pub plain: Plain,
}

/// Runs every check.
pub fn run(program: &Program<'_>, survey: &Survey) -> Verdicts {
    let mut verdicts = Verdicts::default();
    mma::check(program, survey, &mut verdicts);
    copy::check(program, survey, &mut verdicts);
    generic::check(program, survey, &mut verdicts);
    verdicts.findings.sort_by_key(|a| (a.place, a.code));
    verdicts.remarks.sort_by_key(|a| a.place);
    verdicts
}

/// A site as a place in a file.
fn place(program: &Program<'_>, site: Site) -> Place {
    let file = program.units().get(site.unit as usize).map_or(usize::MAX, |unit| unit.file);
    Place { file, span: site.span }
}

/// The layout, if shape and stride agree.
fn congruent(constant: &Constant) -> razorgirl::Result<razorgirl::Layout> {
    razorgirl::Layout::new(&constant.shape.tuple, &constant.stride.tuple)
}

/// Shape and stride in CuTe's notation, whether they agree or not.
fn notation(constant: &Constant) -> String {
    format!("{}:{}", constant.shape.tuple, constant.stride.tuple)
}
