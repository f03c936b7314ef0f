//! `razorgirl explain`: how an operation comes to its result.

use crate::output::{self, Output};
use razorgirl_view::failure::Failure;
use razorgirl_view::{explain, svg};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// `razorgirl explain`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// an operation on layouts and tilers in CuTe notation; arguments may be operations themselves
    expression: String,
    /// also draw before and after into this file, tiles in colours; with `-` only draw, on standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Prints the derivation.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let picture = args.svg.as_deref().map(Output::open).transpose()?;
    let (call, answer) = if args.svg.as_deref().is_some_and(output::is_standard) {
        explain::derivation_of(&args.expression, &mut std::io::sink())?
    } else {
        explain::derivation_of(&args.expression, out)?
    };
    if let Some(picture) = picture {
        output::save_picture(&svg::draw(&explain::panels(&call, &answer)?), picture, out)?;
    }
    Ok(ExitCode::SUCCESS)
}
