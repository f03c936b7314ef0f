//! Constants of the survey as layouts of the library, as notation and as places.

use razorgirl::Layout;

use crate::ast::{DeclKind, Site};
use crate::eval::{Constant, DeclRef, Program};
use crate::finding::Place;
use crate::survey::one_line;

/// A site as a place in a file.
pub fn place(program: &Program<'_>, site: Site) -> Place {
    let file = program.units().get(site.unit as usize).map_or(usize::MAX, |unit| unit.file);
    Place { file, span: site.span }
}

/// The layout, if shape and stride agree.
pub fn congruent(constant: &Constant) -> razorgirl::Result<Layout> {
    Layout::new(&constant.shape.tuple, &constant.stride.tuple)
}

/// Shape and stride in CuTe's notation, whether they agree or not.
pub fn notation(constant: &Constant) -> String {
    format!("{}:{}", constant.shape.tuple, constant.stride.tuple)
}

/// The notation of a constant, normalised when it can be.
pub fn shown(constant: &Constant) -> String {
    congruent(constant).map_or_else(|_| notation(constant), |layout| layout.to_string())
}

/// The name of a class with its arguments, on one line.
pub fn class_name(program: &Program<'_>, class: DeclRef) -> String {
    let span = match &program.decl(class).kind {
        DeclKind::Class { title, .. } => *title,
        _ => program.decl(class).name,
    };
    one_line(program.text(Site { unit: class.unit, span }))
}
