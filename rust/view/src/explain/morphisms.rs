//! A composition as morphisms that meet.

use crate::diagram::{self, Diagram};
use crate::failure::Failure;
use razorgirl::category::WrittenLayout;
use razorgirl_protocol::{Argument, Call};
use std::io::Write;

/// Draws a composition of two layouts, or says why there is no picture: of a layout that is not tractable, the two modes.
pub fn write(call: &Call, out: &mut dyn Write) -> Result<(), Failure> {
    let ("composition", [Argument::Layout(outer), Argument::Layout(inner)]) = (call.op().name, call.arguments()) else {
        return Ok(());
    };
    match Diagram::of_composition(&WrittenLayout::from(outer), &WrittenLayout::from(inner)) {
        Ok(diagrams) => {
            writeln!(
                out,
                "\n  as morphisms, which meet where their entries are cut (`razorgirl diagram` draws them)\n"
            )?;
            diagram::write(&diagrams, out)?;
        }
        Err(Failure::Refused(refusal)) => writeln!(out, "\n  no diagram: {}", refusal.message)?,
        Err(other) => return Err(other),
    }
    Ok(())
}
