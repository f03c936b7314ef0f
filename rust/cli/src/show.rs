//! `razorgirl show`: what a layout is, at a glance.

use crate::output::{self, Output};
use razorgirl::Layout;
use razorgirl_view::failure::Failure;
use razorgirl_view::{coordinates, plain, svg, swizzled};
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

/// Prints the summary and the table, and draws the picture.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if let Some(layout) = coordinates::read(&args.layout)? {
        let picture = args.svg.as_deref().map(Output::open).transpose()?;
        if !args.svg.as_deref().is_some_and(output::is_standard) {
            coordinates::describe(&layout, out)?;
        }
        if let Some(picture) = picture {
            output::save_picture(&svg::draw(&[svg::shaded_coordinates(&layout)?]), picture, out)?;
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
            None => plain::describe(&layout, out)?,
        }
    }
    if let Some(picture) = picture {
        let panel = match &swizzled {
            Some(swizzled) => svg::shaded_swizzled(swizzled)?,
            None => svg::shaded(layout.to_string(), &layout)?,
        };
        output::save_picture(&svg::draw(&[panel]), picture, out)?;
    }
    Ok(ExitCode::SUCCESS)
}
