//! `decltype(make_layout(make_shape(0, 0), …))`: the type of a layout whose extents are known at run time only. The zeros stand for any number.

use crate::ast::Site;
use crate::eval::{Constant, Program, Reason, Resolved, Unresolved};
use crate::source::{opened, places};

/// Brackets around a layout that are looked at.
const MAX_BRACKETS: usize = 16;

/// Bytes before a layout in which they open.
const MAX_BEFORE: usize = 2_048;

/// A layout that has no values, with a run-time value in the place of an extent of 0 where that is an idiom of types.
pub(super) fn of_types(program: &Program<'_>, site: Site, layout: Resolved<Constant>) -> Resolved<Constant> {
    match layout {
        Err(Unresolved { reason: Reason::ZeroExtent, site: zero })
            if is_plain(program.text(zero)) && in_decltype(program, site) =>
        {
            Err(Unresolved { reason: Reason::RunTime, site: zero })
        }
        other => other,
    }
}

/// Whether a 0 in a text is a number that no type carries.
fn is_plain(text: &str) -> bool {
    places(text, "0").next().is_some() && !text.contains('<')
}

fn in_decltype(program: &Program<'_>, site: Site) -> bool {
    let source = program.sources().get(program.unit(site.unit).file);
    let Some(before) = source.and_then(|source| source.text.get(..site.span.start as usize)) else { return false };
    let start = before.len().saturating_sub(MAX_BEFORE);
    let mut before = (start..before.len()).find_map(|at| before.get(at..)).unwrap_or_default();
    for _ in 0..MAX_BRACKETS {
        let Some(('(', outside)) = opened(before) else { return false };
        if outside.ends_with("decltype") {
            return true;
        }
        before = outside;
    }
    false
}
