//! A composition that no layout is, why, and what near it is one.
//!
//! `cargo run -p razorgirl --example refusal`

use razorgirl::{Argument, Layout, Result};

fn main() -> Result<()> {
    let outer: Layout = "(6,2):(1,7)".parse()?;
    let inner: Layout = "(3,2):(2,3)".parse()?;
    let Err(error) = outer.composition(&inner) else { return Ok(()) };
    println!("error[{}]: {error}", error.code());
    for advice in error.advice() {
        println!("  {advice}");
    }
    // A suggestion is a call: it names the argument to change, and its value.
    for suggestion in error.suggestions() {
        println!("  {suggestion}");
        if let [replacement] = suggestion.replacements()
            && let Argument::Layout(inner) = &replacement.value
        {
            assert_eq!(outer.composition(inner)?.to_string(), suggestion.answer());
        }
    }
    Ok(())
}
