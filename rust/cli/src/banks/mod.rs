//! `razorgirl banks`: which accesses of a tile in shared memory conflict, and what removes that.

mod picture;
mod report;

use crate::failure::Failure;
use crate::output::{self, Output};
use crate::svg;
use razorgirl::bank::{Access, Pattern};
use razorgirl::{Layout, Swizzle, SwizzledLayout};
use razorgirl_protocol::Code;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Count bank conflicts of a tile in shared memory, and print what removes them
///
/// The tile has rows and columns: '(64,64):(64,1)', 'Sw<3,3,3> o 0 o (64,64):(64,1)'. Its byte 0 is taken to lie at a
/// multiple of 128 bytes. A warp goes over the tile once by each access that is named; what is printed for a remedy holds for
/// all of them together. For each phase the wavefronts are counted: the most different words of 4 bytes that one of 32 banks is
/// asked for; 1 is the least. A phase has 32 lanes of up to 4 bytes, 16 of 8 bytes, 8 of 16 bytes.
/// Exit status: 0 without conflicts, 1 with conflicts or for what cannot be accessed so, 2 for what cannot be read.
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

/// One way to go over the tile.
#[derive(Debug)]
struct Use {
    /// as it was named
    name: String,
    /// bytes a lane
    bytes: u64,
    accesses: Vec<Access>,
}

/// A layout, without a swizzle that it does not have.
fn shown(layout: &SwizzledLayout) -> String {
    let plain = layout.swizzle() == Swizzle::new(0, 0, 0) && layout.offset() == 0;
    if plain { layout.layout().to_string() } else { layout.to_string() }
}

/// The bytes of an element.
fn element(dtype: &str) -> Option<u64> {
    let bits = match dtype {
        "tf32" | "float" => 32,
        "half" => 16,
        "double" => 64,
        "bool" | "fp8" | "e4m3" | "e5m2" => 8,
        other => {
            let bits = other.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let kind = &other[..other.len() - bits.len()];
            ["b", "f", "bf", "fp", "float", "u", "i", "s", "int", "uint"]
                .contains(&kind)
                .then(|| bits.parse::<u64>().ok())??
        }
    };
    [8, 16, 32, 64, 128].contains(&bits).then_some(bits / 8)
}

fn refused(message: String, help: &str) -> Failure {
    Failure::Unreadable { code: Code::Parse.name().into(), message, help: vec![help.into()] }
}

/// The accesses that a word names.
fn read(word: &str, tile: &SwizzledLayout, element: u64, bytes: Option<u64>) -> Result<Use, Failure> {
    let (name, own) = match word.split_once('@') {
        Some((name, own)) => {
            let own = own.parse().map_err(|_| refused(format!("`{own}` is no number of bytes"), "write row@16"))?;
            (name.trim(), Some(own))
        }
        None => (word.trim(), None),
    };
    let (pattern, usual) = match name {
        "row" => (Pattern::Row, element),
        "column" => (Pattern::Column, element),
        "ldmatrix" | "stmatrix" => (Pattern::Ldmatrix, 16),
        _ if name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            return Err(refused(
                format!("there is no access `{name}`"),
                "use row, column, ldmatrix, stmatrix, or a thread-value layout such as '((4,8),2):((16,1),8)'",
            ));
        }
        _ => {
            let layout: Layout = name.parse().map_err(|error| Failure::usage(error, name))?;
            (Pattern::ThreadValue(layout), element)
        }
    };
    let bytes = match (&pattern, own.or(bytes)) {
        (Pattern::Ldmatrix, Some(other)) if own.is_some() && other != 16 => {
            return Err(refused(format!("{name} takes 16 bytes a lane, not {other}"), "leave the bytes out"));
        }
        (Pattern::Ldmatrix, _) => usual,
        (_, given) => given.unwrap_or(usual),
    };
    if ![1, 2, 4, 8, 16].contains(&bytes) || !bytes.is_multiple_of(element) {
        return Err(refused(
            format!("no lane accesses {bytes} bytes of elements of {element} at once"),
            "use 1, 2, 4, 8 or 16 bytes, a multiple of an element",
        ));
    }
    let accesses = pattern.accesses(tile, bytes / element)?;
    Ok(Use { name: name.into(), bytes, accesses })
}

/// Counts, prints and draws.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let tile: SwizzledLayout = args.layout.parse().map_err(|error| Failure::usage(error, &args.layout))?;
    let element = element(&args.dtype).ok_or_else(|| {
        refused(
            format!("elements `{}` are not of 8, 16, 32, 64 or 128 bits", args.dtype),
            "use f16, bf16, f32, f64, f8, u8, i32 or b8, b16, b32, b64, b128; pack smaller ones into bytes",
        )
    })?;
    let uses: Vec<Use> =
        args.access.iter().map(|word| read(word, &tile, element, args.bytes)).collect::<Result<_, _>>()?;
    let picture = args.svg.as_deref().map(Output::open).transpose()?;
    let asked = report::Asked { layout: &args.layout, tile: &tile, dtype: &args.dtype, element, uses: &uses };
    let findings = asked.find()?;
    if !args.svg.as_deref().is_some_and(output::is_standard) {
        asked.write(&findings, out)?;
    }
    if let Some(picture) = picture {
        svg::save(&picture::draw(&asked, &findings)?, picture, out)?;
    }
    Ok(if findings.is_free() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
