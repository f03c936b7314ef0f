//! Which accesses of a tile in shared memory conflict, and what removes that.

mod picture;
mod report;

use crate::failure::Failure;
pub use picture::{draw, panels};
use razorgirl::bank::{Access, Pattern};
use razorgirl::{Layout, Swizzle, SwizzledLayout};
use razorgirl_protocol::{Code, ElementType};
pub use report::{Findings, WorstPhase};

/// A tile and how it is accessed.
#[derive(Debug)]
pub struct Query {
    /// the tile as it was written
    layout: String,
    tile: SwizzledLayout,
    dtype: String,
    /// bytes of an element
    element: u64,
    uses: Vec<Use>,
}

impl Query {
    /// Reads a tile of elements of a kind, such as `f16`, and accesses such as `row`, `ldmatrix`, a thread-value layout.
    ///
    /// # Errors
    /// What cannot be read, and what cannot be accessed so.
    pub fn read(layout: &str, dtype: &str, accesses: &[String], bytes: Option<u64>) -> Result<Self, Failure> {
        let tile: SwizzledLayout = layout.parse().map_err(|error| Failure::usage(error, layout))?;
        let element = element(dtype)?;
        let uses = accesses.iter().map(|word| read(word, &tile, element, bytes)).collect::<Result<_, _>>()?;
        Ok(Self { layout: layout.to_owned(), tile, dtype: dtype.to_owned(), element, uses })
    }
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
fn element(dtype: &str) -> Result<u64, Failure> {
    let bits = ElementType::named(dtype).map_err(|refusal| Failure::usage(refusal, dtype))?.bits;
    if bits.is_multiple_of(8) {
        return Ok(bits / 8);
    }
    Err(refused(
        format!("an element of {dtype} has {bits} bits, and the bank of an element is counted in bytes"),
        "pack the elements into bytes: b8",
    ))
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
        _ if name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains('<') => {
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
