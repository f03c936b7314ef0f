//! `razorgirl banks`: which accesses of a tile in shared memory conflict, and what removes that.

use crate::output::{self, Output};
use razorgirl_view::banks::{Asked, draw};
use razorgirl_view::failure::Failure;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Count bank conflicts of a tile in shared memory, and print what removes them
///
/// The tile has rows and columns: '(64,64):(64,1)', 'Sw<3,3,3> o 0 o (64,64):(64,1)'. Its byte 0 is taken to lie at a
/// multiple of 128 bytes. A warp goes over the tile once by each access that is named; what is printed for a remedy holds for
/// all of them together. For each phase the wavefronts are counted: the most different words of 4 bytes that one of 32 banks is
/// asked for; 1 is the least. A phase has 32 lanes of up to 4 bytes, 16 of 8 bytes, 8 of 16 bytes.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// the layout of the tile, in elements
    layout: String,
    /// the elements: f16, bf16, tf32, f32, f64, f8, u8, i32, … or their size: b8, b16, b32, b64, b128
    #[arg(long)]
    dtype: String,
    /// `row`, `column`, `ldmatrix` (also `stmatrix`), or a thread-value layout such as '((4,8),2):((16,1),8)', whose offsets
    /// are indices in the tile, first mode fastest; several times for several. `@16` behind it: 16 bytes a lane there
    #[arg(long, required = true, value_name = "ACCESS[@BYTES]")]
    access: Vec<String>,
    /// bytes that a lane accesses at once: 1, 2, 4, 8 or 16; one element unless given, and 16 for ldmatrix
    #[arg(long, value_name = "N")]
    bytes: Option<u64>,
    /// also draw the tile into this file, coloured by bank, with the lanes and conflicts of the worst phase; `-` draws only
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Counts, prints and draws.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let asked = Asked::read(&args.layout, &args.dtype, &args.access, args.bytes)?;
    let picture = args.svg.as_deref().map(Output::open).transpose()?;
    let findings = asked.find()?;
    if !args.svg.as_deref().is_some_and(output::is_standard) {
        asked.write(&findings, out)?;
    }
    if let Some(picture) = picture {
        output::save_picture(&draw(&asked, &findings)?, picture, out)?;
    }
    Ok(if findings.is_free() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
