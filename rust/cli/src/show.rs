//! `razorgirl show`: what a layout is, at a glance.

use crate::failure::Failure;
use crate::output::{self, Output};
use crate::{coordinates, notation, svg, swizzled, table};
use razorgirl::{Injectivity, Layout};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// `razorgirl show`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// the layout, such as '(4,8):(1,4)' or '((2,2),8):((1,16),2)'; a shape alone is column-major; swizzled as CuTe prints it: 'Sw<3,3,3> o 0 o (8,64):(64,1)'; with coordinates as strides: '(4,8):(1@0,1@1)'
    layout: String,
    /// also draw the layout into this file; with `-` only draw it, on standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Difference vectors that are tried before the question is left open: a second or so.
const BOUND: u64 = 1 << 24;

/// Prints the summary and the table, and draws the picture.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if let Some(layout) = coordinates::read(&args.layout)? {
        let picture = args.svg.as_deref().map(Output::open).transpose()?;
        if !args.svg.as_deref().is_some_and(output::is_standard) {
            coordinates::describe(&layout, out)?;
        }
        if let Some(picture) = picture {
            svg::save(&svg::draw(&[svg::shaded_coordinates(&layout)?]), picture, out)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let swizzled = swizzled::read(&args.layout)?;
    let layout: Layout = match &swizzled {
        Some(swizzled) => swizzled.layout().clone(),
        None => args.layout.parse().map_err(|error| Failure::usage(error, &args.layout))?,
    };
    let picture = args.svg.as_deref().map(Output::open).transpose()?;
    if !args.svg.as_deref().is_some_and(output::is_standard) {
        match &swizzled {
            Some(swizzled) => swizzled::describe(swizzled, out)?,
            None => describe(&layout, out)?,
        }
    }
    if let Some(picture) = picture {
        let panel = match &swizzled {
            Some(swizzled) => svg::shaded_swizzled(swizzled)?,
            None => svg::shaded(layout.to_string(), &layout)?,
        };
        svg::save(&svg::draw(&[panel]), picture, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(layout: &Layout, out: &mut impl Write) -> std::io::Result<()> {
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
        table::write(layout, |index| layout.at(index).unwrap_or_default(), out)?;
    }
    Ok(())
}
