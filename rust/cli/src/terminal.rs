//! What is known of the terminal behind standard output.

use anstream::{AutoStream, ColorChoice};
use razorgirl_view::table::Ink;
use std::io::{IsTerminal, stdout};

/// Whether colours are printed: as `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` and the terminal say.
pub fn has_colours() -> bool {
    AutoStream::choice(&stdout()) != ColorChoice::Never
}

/// The colours of the terminal.
pub fn ink() -> Ink {
    let full = || std::env::var("COLORTERM").is_ok_and(|colours| matches!(colours.as_str(), "truecolor" | "24bit"));
    if !has_colours() {
        Ink::Plain
    } else if full() {
        Ink::Full
    } else {
        Ink::Indexed
    }
}

/// Characters of a line; nothing where standard output is no terminal.
pub fn width() -> Option<usize> {
    let here = stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    here.map(|(width, _)| usize::from(width.0))
}
