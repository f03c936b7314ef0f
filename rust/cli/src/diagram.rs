//! `razorgirl diagram`: a tractable layout as a morphism that is drawn.

use crate::json;
use crate::output::{self, Output};
use razorgirl::category::{NestMorphism, WrittenLayout};
use razorgirl_view::diagram::{self, Diagram};
use razorgirl_view::failure::Failure;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Draw a tractable layout as a morphism of nested tuples
///
/// A layout is tractable if, in order of stride, extent · stride of each mode divides the stride of the next mode. An entry of the
/// shape is mapped to an equal entry of the codomain; the product of the codomain's entries before it is the stride. An entry with
/// stride 0 is mapped to the basepoint. INNER is a second layout: the command draws both layouts and their composition.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// the layout, such as '((2,2),5):((10,0),2)', strides under extents of 1 included; or a morphism: '(2,3)->(3,2) by (2,1)'
    layout: String,
    /// also draw `composition(LAYOUT, INNER)`
    inner: Option<String>,
    /// print LaTeX for the package tikz
    #[arg(long)]
    tikz: bool,
    /// also draw the picture into this file; with `-` only draw it, on standard output
    #[arg(long, value_name = "FILE", conflicts_with = "tikz")]
    svg: Option<PathBuf>,
    /// print the morphism as JSON; with INNER the answer of the operation `layout_compose`
    #[arg(long, conflicts_with_all = ["svg", "tikz"])]
    json: bool,
}

fn read<T: std::str::FromStr<Err = razorgirl::Error>>(text: &str) -> Result<T, Failure> {
    text.parse().map_err(|error: razorgirl::Error| Failure::usage(error, text))
}

/// The morphisms that are drawn.
fn print(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let call = match &args.inner {
        Some(inner) => json::call("layout_compose", &[inner, &args.layout])?,
        None if args.layout.contains("->") => return json::result(read::<NestMorphism>(&args.layout)?.into(), out),
        None => json::call("standard_representation_nest", &[&args.layout])?,
    };
    json::answer(&call, true, out)
}

/// Draws in words, as a picture, or for LaTeX.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if args.json {
        return print(args, out);
    }
    let diagrams = match &args.inner {
        Some(inner) => Diagram::of_composition(&read::<WrittenLayout>(&args.layout)?, &read(inner)?)?,
        None if args.layout.contains("->") => vec![Diagram::of(&read::<NestMorphism>(&args.layout)?)?],
        None => vec![Diagram::of_layout(&read::<WrittenLayout>(&args.layout)?)?],
    };
    let picture = args.svg.as_deref().map(Output::open).transpose()?;
    if args.tikz {
        out.write_all(diagram::tikz(&diagrams).as_bytes())?;
    } else if !args.svg.as_deref().is_some_and(output::is_standard) {
        diagram::write(&diagrams, out)?;
    }
    if let Some(picture) = picture {
        output::save_picture(&diagram::svg(&diagrams), picture, out)?;
    }
    Ok(ExitCode::SUCCESS)
}
