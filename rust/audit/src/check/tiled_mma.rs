//! RG025: atoms of a tiled MMA that are not numbered without gaps. RG026: a tile of a tiled MMA that is no whole number of its atoms.

use super::constant::place;
use super::cover::Budget;
use super::defect::Defect;
use super::tiled_copy::missed;
use super::verdicts::Verdicts;
use crate::eval::{Program, TiledMma};
use crate::finding::Code;
use crate::python::{Python, Tiled};

/// Both of tiled MMAs in Python.
pub fn python(program: &Program<'_>, python: &Python, verdicts: &mut Verdicts) {
    let mut budget = Budget::default();
    let mut found = |one: &Tiled| {
        let gaps = gaps(&one.mma, &mut budget).map(|defect| (Code::MmaThreads, defect));
        let (code, defect) = gaps.or_else(|| uneven(&one.mma).map(|defect| (Code::MmaTile, defect)))?;
        Some(defect.finding(code, place(program, one.site)))
    };
    for finding in python.mmas.iter().filter_map(&mut found) {
        verdicts.find(finding);
    }
    for all in &python.mmas_listed {
        super::listed::wrong(all, verdicts, &mut |one| found(one).into_iter().collect());
    }
}

/// RG025: two warps have the same atom, and another has nobody.
pub fn gaps(mma: &TiledMma, budget: &mut Budget) -> Option<Defect> {
    let missed = missed(&mma.atoms, "atom", budget)?;
    let layout = mma.atoms.to_string();
    let notes = vec![
        missed,
        "CuTe divides the index of a warp by the strides: two warps get the same atom, and another atom is never computed".to_owned(),
        format!("the layout of the atoms is {layout}"),
    ];
    let title = "the atom layout of this tiled MMA is not a bijection onto [0, number of atoms)".to_owned();
    Some(Defect { title, layout, notes, ..Defect::default() })
}

/// RG026: the extents of the tile along M, N and K.
pub fn uneven(mma: &TiledMma) -> Option<Defect> {
    let mut notes = Vec::new();
    for (axis, name) in ["M", "N", "K"].into_iter().enumerate() {
        let Some(Some(tile)) = mma.tile.get(axis) else { continue };
        let count = mma.atoms.mode(axis).map_or(1, |mode| mode.size());
        let Some(shape) = mma.shape.get(axis) else { continue };
        let Some(whole) = shape.checked_mul(count) else { continue };
        if tile % whole != 0 {
            notes.push(format!(
                "along {name} the tile is {tile}, which is not a multiple of {count} atoms x {shape} = {whole}"
            ));
        }
    }
    if notes.is_empty() {
        return None;
    }
    notes.push("make_tiled_copy_A, _B and _C use this tile: threads get elements outside of it".to_owned());
    let layout = mma.atoms.to_string();
    let title = "the tile of this tiled MMA is not a multiple of its atoms".to_owned();
    Some(Defect { title, layout, notes, ..Defect::default() })
}
