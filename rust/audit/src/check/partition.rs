//! RG017: threads and values that are not those of the tile that they partition. RG018: threads that a partition does not count.

use razorgirl::Layout;

use super::constant::place;
use super::cover::Budget;
use super::defect::{Defect, MAX_COORDINATES, coordinate};
use super::verdicts::Verdicts;
use crate::eval::Program;
use crate::finding::Code;
use crate::python::{Partition, Python};

/// RG017: an element beyond the tile, or one that no thread has.
pub fn tile(layout: &Layout, tile: u64, budget: &mut Budget) -> Option<Defect> {
    if layout.size().max(tile) > MAX_COORDINATES || !budget.take(layout.size() + tile) {
        return None;
    }
    let mut hit = vec![false; usize::try_from(tile).ok()?];
    for (index, offset) in (0..).zip(layout.offsets()) {
        if let Some(hit) = hit.get_mut(usize::try_from(offset).ok()?) {
            *hit = true;
        } else {
            let coordinate = coordinate(layout, index);
            let notes = vec![format!("(thread, value) {coordinate} is element {offset}, and the tile has {tile}")];
            return Some(said(layout, "the threads and values of this partition reach past their tile", notes));
        }
    }
    let first = hit.iter().position(|hit| !hit)?;
    let missed = hit.iter().filter(|hit| !**hit).count();
    let notes =
        vec![format!("no thread has element {first}; {missed} of the {tile} elements of the tile belong to no thread")];
    Some(said(layout, "the threads and values of this partition miss elements of their tile", notes))
}

/// RG017 in Python: `make_tiled_copy` of threads and values and a tile.
pub fn copies(program: &Program<'_>, python: &Python, verdicts: &mut Verdicts) {
    let mut budget = Budget::default();
    let mut found = |one: &Partition| {
        let defect = tile(&one.layout, one.tile, &mut budget)?;
        Some(defect.finding(Code::Partition, place(program, one.site)))
    };
    for finding in python.partitions.iter().filter_map(&mut found) {
        verdicts.find(finding);
    }
    for all in &python.partitions_listed {
        super::listed::wrong(all, verdicts, &mut |one| found(one).into_iter().collect());
    }
}

/// RG017: a tensor that is composed with threads and values of another tile, which reach past its end.
pub fn beyond(layout: &Layout, tensor: &Layout, budget: &mut Budget) -> Option<Defect> {
    let end = tensor.size();
    if layout.size() > MAX_COORDINATES || !budget.take(layout.size()) {
        return None;
    }
    let (index, offset) = (0..).zip(layout.offsets()).find(|(_, offset)| *offset >= end)?;
    let coordinate = coordinate(layout, index);
    let notes = vec![
        format!("coordinate {coordinate} is element {offset}, and the tensor {tensor} has {end}"),
        "CuTe goes on along the last mode, past the end of the tensor".to_owned(),
    ];
    Some(said(layout, "the layout with which this tensor is composed reaches past its end", notes))
}

/// RG018: a thread layout that is not a bijection onto [0, number of threads).
pub fn threads(layout: &Layout, gaps: String) -> Defect {
    let notes =
        vec![gaps, "the index of a thread is divided by the strides, so that two threads get the same part".to_owned()];
    said(layout, "the thread layout of this partition is not a bijection onto [0, number of threads)", notes)
}

/// RG017: threads of a `local_partition` that divide the tensor in no whole number of tiles.
pub fn uneven(threads: &Layout, tensor: &Layout) -> Option<Defect> {
    if threads.rank() > tensor.rank() {
        return None;
    }
    let (mode, extent, tile) = (0..threads.rank()).find_map(|mode| {
        let (extent, tile) = (tensor.mode(mode)?.size(), threads.mode(mode)?.size());
        (!extent.is_multiple_of(tile)).then_some((mode, extent, tile))
    })?;
    let notes = vec![
        format!("mode {mode} of the tensor {tensor} has {extent} elements, and {tile} threads partition it"),
        "CuTe rounds up: the last threads get elements past the end".to_owned(),
    ];
    Some(said(threads, "the threads of this partition do not divide the tensor", notes))
}

fn said(layout: &Layout, title: &str, mut notes: Vec<String>) -> Defect {
    notes.push(format!("the layout is {layout}"));
    Defect { title: title.to_owned(), layout: layout.to_string(), notes, ..Defect::default() }
}
