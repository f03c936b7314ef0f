//! Which element a thread loads: a tensor after a thread-value layout.
//!
//! `cargo run -p razorgirl --example compose`

use razorgirl::{Layout, Result};

fn main() -> Result<()> {
    // A row-major tile of 16 x 128 in memory, and 128 threads with 16 values each over it.
    let tile: Layout = "(16,128):(128,1)".parse()?;
    let owns = Layout::make_layout_tv(&"(4,32):(32,1)".parse()?, &"(4,4):(4,1)".parse()?)?;
    let loads = tile.composition(&owns.layout)?;
    println!("thread and value -> element of the tile: {}", owns.layout);
    println!("thread and value -> address:             {loads}");
    println!("thread 5, value 2 is at address          {}", loads.offset(&"(5,2)".parse()?)?);
    Ok(())
}
