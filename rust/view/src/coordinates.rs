//! `razorgirl show` and `eval` of layouts of coordinates: `(4,8):(1@0,1@1)`.

use crate::failure::Failure;
use crate::notation;
use crate::table::{self, Window};
use razorgirl::{AnyLayout, Coord, CoordLayout, IntTuple};
use razorgirl_protocol::{Code, MAX_OFFSETS};
use std::collections::HashMap;
use std::io::Write;

/// The layout of coordinates that a text is, unless it is a layout of another kind.
///
/// # Errors
/// Text that is no layout.
pub fn read(text: &str) -> Result<Option<CoordLayout>, Failure> {
    match text.parse() {
        Ok(AnyLayout::Coordinates(layout)) => Ok(Some(layout)),
        Ok(_) => Ok(None),
        Err(error) => Err(Failure::usage(error, text)),
    }
}

/// All values in linear order.
///
/// # Errors
/// `too_large` above 2^20 numbers.
fn values(layout: &CoordLayout) -> Result<Vec<IntTuple>, Failure> {
    let count = layout.size().saturating_mul(layout.axes().len().max(1) as u64);
    if count > MAX_OFFSETS {
        return Err(Failure::refused(
            Code::TooLarge,
            format!("{count} numbers of {} values are more than the {MAX_OFFSETS} that are listed", layout.size()),
            std::iter::once(format!(
                "razorgirl eval '{layout}' 0 is the value of one index; a coordinate may stand there too"
            ))
            .chain(
                notation::first_mode(layout.frame(), MAX_OFFSETS)
                    .map(|coord| format!("razorgirl op coord_call '{coord}' '{layout}' is its first mode")),
            ),
        ));
    }
    Ok(layout.values().collect())
}

/// The value of a coordinate, or all values.
///
/// # Errors
/// `too_large` above 2^20 numbers, and what the coordinate refuses.
pub fn eval(layout: &CoordLayout, coordinate: Option<&Coord>, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(coordinate) = coordinate {
        writeln!(out, "{}", layout.value_of(coordinate)?)?;
        return Ok(());
    }
    for (i, value) in values(layout)?.iter().enumerate() {
        write!(out, "{}{value}", if i == 0 { "" } else { " " })?;
    }
    writeln!(out)?;
    Ok(())
}

/// What it is, and its table.
///
/// # Errors
/// Those of writing.
pub fn describe(layout: &CoordLayout, out: &mut dyn Write) -> Result<(), Failure> {
    describe_in(layout, &Window::default(), out)
}

/// What it is, and so much of its table.
///
/// # Errors
/// Those of writing.
pub fn describe_in(layout: &CoordLayout, window: &Window, out: &mut dyn Write) -> Result<(), Failure> {
    let frame = layout.frame();
    let all = values(layout).ok();
    let last = layout.at(layout.size() - 1)?;
    writeln!(out, "{layout}")?;
    writeln!(out, "  size        {}", layout.size())?;
    writeln!(out, "  rank        {}, depth {}", frame.rank(), frame.depth())?;
    writeln!(out, "  values      from {} to {last}", layout.start())?;
    match &all {
        None => writeln!(out, "  injective   unknown: more than {MAX_OFFSETS} numbers to compare")?,
        Some(all) => {
            let mut seen = HashMap::new();
            let twice = (0_u64..).zip(all).find_map(|(j, value)| seen.insert(value.leaves(), j).map(|i| (i, j, value)));
            match twice {
                None => writeln!(out, "  injective   yes")?,
                Some((i, j, value)) => writeln!(
                    out,
                    "  injective   no: coordinates {} and {} share value {value}",
                    notation::coordinate(&layout.shape(), i),
                    notation::coordinate(&layout.shape(), j)
                )?,
            }
        }
    }
    let identity = CoordLayout::identity(&layout.shape()).is_ok_and(|identity| identity == *layout);
    writeln!(out, "  identity    {}", if identity { "yes: each coordinate is its own value" } else { "no" })?;
    writeln!(out, "  coalesced   {}", layout.coalesce())?;
    if frame.rank() <= 2 {
        let at = |index| layout.at(index).map_or_else(|_| String::new(), |value| value.to_string());
        table::write_in(frame, window, at, |_| None, out)?;
    }
    Ok(())
}
