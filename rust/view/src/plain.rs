//! What a layout is, at a glance.

use crate::notation;
use crate::svg::shade_of;
use crate::table::{self, Window};
use razorgirl::{Injectivity, Layout};
use std::io::Write;

/// Difference vectors that are tried before the question is left open: a second or so.
const BOUND: u64 = 1 << 24;

/// What it is, and its table.
///
/// # Errors
/// Those of writing.
pub fn describe(layout: &Layout, out: &mut dyn Write) -> std::io::Result<()> {
    describe_in(layout, &Window::default(), out)
}

/// What it is, and so much of its table; the ground of a cell follows its offset.
///
/// # Errors
/// Those of writing.
pub fn describe_in(layout: &Layout, window: &Window, out: &mut dyn Write) -> std::io::Result<()> {
    let injectivity = layout.injectivity(BOUND);
    let shape = layout.shape();
    writeln!(out, "{layout}")?;
    writeln!(out, "  size        {}", layout.size())?;
    writeln!(out, "  cosize      {}", layout.cosize())?;
    writeln!(out, "  rank        {}, depth {}", layout.rank(), layout.depth())?;
    match &injectivity {
        Injectivity::Injective => writeln!(out, "  injective   yes")?,
        Injectivity::Collision { i, j, offset } => writeln!(
            out,
            "  injective   no: coordinates {} and {} share offset {offset}",
            notation::coordinate(&shape, *i),
            notation::coordinate(&shape, *j)
        )?,
        Injectivity::Crowded => {
            writeln!(out, "  injective   no: {} coordinates for {} offsets", layout.size(), layout.cosize())?;
        }
        Injectivity::Unknown => writeln!(out, "  injective   unknown: no collision among {BOUND} differences tried")?,
    }
    if layout.is_contiguous() {
        writeln!(out, "  contiguous  yes: a bijection onto [0,{})", layout.cosize())?;
    } else {
        writeln!(out, "  contiguous  no")?;
    }
    writeln!(out, "  coalesced   {}", layout.coalesce())?;
    if layout.rank() <= 2 {
        let at = |index| layout.at(index).unwrap_or_default();
        table::write_in(layout, window, at, |index| Some(shade_of(at(index), layout.cosize())), out)?;
    }
    Ok(())
}
