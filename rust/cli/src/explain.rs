//! `razorgirl explain`: how an operation comes to its result.

use crate::json;
use crate::output::{self, Output};
use razorgirl_view::explain;
use razorgirl_view::failure::Failure;
use razorgirl_view::svg::{self, Panel};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Derive a result step by step: `razorgirl explain 'logical_divide((16):(1), (4):(1))'`
///
/// For compositions, coalesce, complements, right inverses, divisions and products, the derivation shows how the operation comes to its
/// result, and checks the law of the operation on it. Other operations print their result. 'A o B' is the composition.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// an operation on layouts and tilers in CuTe notation, or 'A o B'; arguments may be operations themselves
    expression: String,
    /// also draw before and after into this file, tiles in colours; with `-` only draw, on standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// print the answer alone, as JSON
    #[arg(long)]
    json: bool,
}

/// Prints the derivation.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let picture = args.svg.as_deref().map(Output::open).transpose()?;
    let (call, answer) = if args.json || args.svg.as_deref().is_some_and(output::is_standard) {
        explain::derivation_of(&args.expression, &mut std::io::sink())?
    } else {
        explain::derivation_of(&args.expression, out)?
    };
    if args.json {
        writeln!(out, "{}", json::text(&answer)?)?;
    }
    if let Some(picture) = picture {
        let panels: Vec<_> = explain::panels(&call, &answer)?.into_iter().map(Panel::cropped).collect();
        output::save_picture(&svg::draw(&panels), picture, out)?;
    }
    Ok(ExitCode::SUCCESS)
}
