//! `razorgirl show`: what a layout is, at a glance.

use crate::json;
use crate::output::{self, Output};
use crate::terminal;
use razorgirl::{AnyLayout, Layout};
use razorgirl_protocol::{Code, Output as Answer};
use razorgirl_view::failure::Failure;
use razorgirl_view::svg::Panel;
use razorgirl_view::table::Window;
use razorgirl_view::{coordinates, plain, svg, swizzled};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Show what a layout is: size, cosize, injectivity, coalesced form, table
///
/// On a terminal the table is cut to the width of the terminal, and its cells are coloured: by offset, or for a swizzled layout by bank
/// group, if 2^M elements of Swizzle<B,M,S> are 16 bytes. `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE` are respected.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// the layout: '(4,8):(1,4)', '((2,2),8):((1,16),2)', a shape alone, swizzled 'Sw<3,3,3> o 0 o (8,64):(64,1)', or with coordinates as
    /// strides '(4,8):(1@0,1@1)'
    layout: String,
    /// also draw the layout into this file; with `-` only draw it, on standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// print the whole table and draw every row [default: what fits the terminal, at most 32 by 32; 32 rows of a picture]
    #[arg(long)]
    full: bool,
    /// print the layout, its size, cosize, rank and depth, whether it is injective and contiguous, and its coalesced form as JSON
    #[arg(long, conflicts_with_all = ["svg", "full"])]
    json: bool,
}

/// Cells of a table that are printed at most.
const MAX_CELLS: u64 = razorgirl_protocol::MAX_OFFSETS;

/// How much of the table of a layout is printed.
fn window(args: &Args, layout: &Layout) -> Result<Window, Failure> {
    let ink = terminal::ink();
    if !args.full {
        let hint = (layout.size() <= MAX_CELLS).then_some("--full prints all");
        return Ok(Window { width: terminal::width().unwrap_or(usize::MAX), ink, hint, ..Window::default() });
    }
    if layout.rank() <= 2 && layout.size() > MAX_CELLS {
        return Err(Failure::refused(
            Code::TooLarge,
            format!("{} cells are more than the {MAX_CELLS} that are printed", layout.size()),
            ["leave --full out".to_owned()],
        ));
    }
    Ok(Window { rows: u64::MAX, columns: u64::MAX, width: usize::MAX, ink, hint: None })
}

/// Draws the panel: 32 rows at most unless all is wanted.
fn save(panel: Panel, args: &Args, picture: Output, out: &mut impl Write) -> Result<(), Failure> {
    let panel = if args.full { panel } else { panel.cropped() };
    output::save_picture(&svg::draw(&[panel]), picture, out)
}

/// The operations whose answers `--json` prints.
const SUMMARY: [&str; 7] = ["size", "cosize", "rank", "depth", "is_injective", "is_contiguous", "coalesce"];

/// The layout, and what the operations answer that take a layout of its kind.
fn print(text: &str, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let layout: AnyLayout = text.parse().map_err(|error| Failure::usage(error, text))?;
    let answered =
        SUMMARY.into_iter().filter_map(|name| Some((name, json::call(name, &[text]).ok()?.run().ok()?.result)));
    json::result(Answer::Named(std::iter::once(("layout", layout.into())).chain(answered).collect()), out)
}

/// Prints the summary and the table, and draws the picture.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if args.json {
        return print(&args.layout, out);
    }
    if let Some(layout) = coordinates::read(&args.layout)? {
        let picture = args.svg.as_deref().map(Output::open).transpose()?;
        if !args.svg.as_deref().is_some_and(output::is_standard) {
            coordinates::describe_in(&layout, &window(args, layout.frame())?, out)?;
        }
        if let Some(picture) = picture {
            save(svg::shaded_coordinates(&layout)?, args, picture, out)?;
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
        let window = window(args, &layout)?;
        match &swizzled {
            Some(swizzled) => swizzled::describe_in(swizzled, &window, out)?,
            None => plain::describe_in(&layout, &window, out)?,
        }
    }
    if let Some(picture) = picture {
        let panel = match &swizzled {
            Some(swizzled) => svg::shaded_swizzled(swizzled)?,
            None => svg::shaded(layout.to_string(), &layout)?,
        };
        save(panel, args, picture, out)?;
    }
    Ok(ExitCode::SUCCESS)
}
