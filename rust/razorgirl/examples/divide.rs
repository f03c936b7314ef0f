//! A tensor in tiles, one tile of it, and tiles that reach past the end.
//!
//! `cargo run -p razorgirl --example divide`

use razorgirl::{Layout, Result, Tiler};

fn main() -> Result<()> {
    let tensor: Layout = "(128,64):(64,1)".parse()?;
    let tiler: Tiler = "(32,16)".parse()?;
    println!("in tiles, (tile, which tile): {}", tensor.zipped_divide(&tiler)?);
    println!("tile (2,1):                   {}", tensor.local_tile(&tiler, &"(2,1)".parse()?)?);

    let tensor: Layout = "(100,60):(60,1)".parse()?;
    let padded = tensor.logical_divide_ceil(&tiler)?;
    println!("100 x 60 in the same tiles:   {}, {} coordinates are padding", padded.layout, padded.padded());
    println!("((4,3),(0,0)) is padding:     {}", padded.is_padded(&"((4,3),(0,0))".parse()?)?);
    Ok(())
}
