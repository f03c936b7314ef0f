//! `razorgirl banks`: which accesses of a tile in shared memory conflict, and what removes that.

use crate::json;
use crate::output::{self, Output};
use razorgirl_view::banks::{Query, draw};
use razorgirl_view::failure::Failure;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Count bank conflicts of a tile in shared memory, and print what removes them
///
/// The tile is a layout of rank 2: '(64,64):(64,1)' or 'Sw<3,3,3> o 0 o (64,64):(64,1)'. The tile must be aligned to 128 bytes.
/// A warp accesses the whole tile once with each --access. A suggested layout removes the conflicts of all accesses together.
/// A phase is 32 lanes of up to 4 bytes, 16 lanes of 8 bytes, or 8 lanes of 16 bytes. The wavefronts of a phase are the largest
/// number of distinct 4-byte words in one of the 32 banks. One wavefront means no conflict.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// the layout of the tile, in elements
    layout: String,
    /// type of an element: f16, bf16, e4m3, f32, i8, …, its name in CUDA, CUTLASS or Triton, or its size: b8, b16, b32, b64, b128
    #[arg(long)]
    dtype: String,
    /// `row`, `column`, `ldmatrix`, `stmatrix`, or a thread-value layout such as '((4,8),2):((16,1),8)'. The offsets of a
    /// thread-value layout are indices into the tile, first mode fastest. `@16` sets 16 bytes per lane. Repeat for more accesses
    #[arg(long, required = true, value_name = "ACCESS[@BYTES]")]
    access: Vec<String>,
    /// bytes per lane: 1, 2, 4, 8 or 16 [default: one element; 16 for ldmatrix]
    #[arg(long, value_name = "N")]
    bytes: Option<u64>,
    /// draw the tile into this file, coloured by bank, with the lanes and conflicts of the worst phase; a taller tile than 32 rows
    /// is cropped to the rows of that phase. `-` draws to standard output and prints no report
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// print the wavefronts of each phase and the layouts without conflicts as JSON
    #[arg(long, conflicts_with = "svg")]
    json: bool,
}

/// Counts, prints and draws.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let query = Query::read(&args.layout, &args.dtype, &args.access, args.bytes)?;
    let picture = args.svg.as_deref().map(Output::open).transpose()?;
    let findings = query.find()?;
    let status = if findings.is_free() { ExitCode::SUCCESS } else { ExitCode::from(1) };
    if args.json {
        json::result(query.to_output(&findings)?, out)?;
        return Ok(status);
    }
    if !args.svg.as_deref().is_some_and(output::is_standard) {
        query.write(&findings, out)?;
    }
    if let Some(picture) = picture {
        output::save_picture(&draw(&query, &findings)?, picture, out)?;
    }
    Ok(status)
}
