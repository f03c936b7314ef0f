//! The offsets of a layout of rank at most 2 as a table: first mode down, second mode across, as CuTe's `print_layout`.

use crate::svg::Colour;
use razorgirl::Layout;
use std::fmt::Display;
use std::io::{Result, Write};

/// Rows and columns that are printed of a larger layout.
const ROWS: u64 = 32;
const COLUMNS: u64 = 32;

/// The extents of the two sides: the first mode down, all others across; a layout of rank 0 or 1 is one row.
pub fn rows_and_columns(layout: &Layout) -> (u64, u64) {
    let rows = if layout.rank() < 2 { 1 } else { layout.mode(0).map_or(1, |mode| mode.size()) };
    (rows, layout.size() / rows)
}

/// The linear indices of the cells that are printed.
pub fn shown(layout: &Layout) -> impl Iterator<Item = u64> {
    within(layout, (ROWS, COLUMNS))
}

fn within(layout: &Layout, most: (u64, u64)) -> impl Iterator<Item = u64> {
    let (rows, columns) = rows_and_columns(layout);
    (0..columns.min(most.1)).flat_map(move |column| (0..rows.min(most.0)).map(move |row| row + rows * column))
}

/// How much of a table is printed, and whether in colours.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Rows at most.
    pub rows: u64,
    /// Columns at most.
    pub columns: u64,
    /// Width of a line in characters: as many columns are printed as fit, but at least one.
    pub width: usize,
    /// Colours of the terminal.
    pub ink: Ink,
    /// Printed below a table that is cut, after the numbers of rows and columns: how to see all of it.
    pub hint: Option<&'static str>,
}

/// Colours that a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// None.
    Plain,
    /// The 256 of most terminals.
    Indexed,
    /// All.
    Full,
}

impl Default for Window {
    fn default() -> Self {
        Self { rows: ROWS, columns: COLUMNS, width: usize::MAX, ink: Ink::Plain, hint: None }
    }
}

impl Ink {
    /// The text on this ground.
    fn paint(self, text: &str, ground: Colour) -> String {
        let [red, green, blue] = ground.0;
        let ground_of = match self {
            Self::Plain => return text.to_owned(),
            Self::Full => format!("2;{red};{green};{blue}"),
            Self::Indexed => {
                let step = |part: u8| (u16::from(part) * 5 + 127) / 255;
                format!("5;{}", 16 + 36 * step(red) + 6 * step(green) + step(blue))
            }
        };
        let letters = if ground.is_dark() { 231 } else { 16 };
        format!("\u{1b}[48;{ground_of}m\u{1b}[38;5;{letters}m{text}\u{1b}[0m")
    }
}

/// Prints the table, cut to 32 by 32; `at` is the offset of a linear index, or another value.
///
/// # Errors
/// Those of writing.
pub fn write<T: Display>(layout: &Layout, at: impl Fn(u64) -> T, out: &mut dyn Write) -> Result<()> {
    write_in(layout, &Window::default(), at, |_| None, out)
}

/// Prints the table, cut to so many rows and columns.
///
/// # Errors
/// Those of writing.
pub fn write_within<T: Display>(
    layout: &Layout,
    most: (u64, u64),
    at: impl Fn(u64) -> T,
    out: &mut dyn Write,
) -> Result<()> {
    write_in(layout, &Window { rows: most.0, columns: most.1, ..Window::default() }, at, |_| None, out)
}

/// Prints the table, cut to a window; `ground` is the colour of a linear index.
///
/// # Errors
/// Those of writing.
pub fn write_in<T: Display>(
    layout: &Layout,
    window: &Window,
    at: impl Fn(u64) -> T,
    ground: impl Fn(u64) -> Option<Colour>,
    out: &mut dyn Write,
) -> Result<()> {
    let (rows, columns) = rows_and_columns(layout);
    let head = (rows - 1).to_string().len();
    let (shown_rows, mut shown_columns) = (rows.min(window.rows), columns.min(window.columns));
    // A cell of fewer columns may be narrower, never wider.
    let width = loop {
        let longest = within(layout, (shown_rows, shown_columns)).map(|index| at(index).to_string().len()).max();
        let width = longest.unwrap_or_default().max(shown_columns.to_string().len()) + 1;
        let dots = if shown_columns < columns { 3 } else { 0 };
        let fit = window.width.saturating_sub(head + 4 + dots) / width;
        let fit = u64::try_from(fit).unwrap_or(u64::MAX).max(1);
        if shown_columns <= fit {
            break width;
        }
        shown_columns = fit;
    };
    let dots = if columns > shown_columns { "  …" } else { "" };
    write!(out, "\n  {:head$} │", "")?;
    for column in 0..shown_columns {
        write!(out, "{column:>width$}")?;
    }
    writeln!(out, "{dots}")?;
    let rule = usize::try_from(shown_columns).unwrap_or(0) * width;
    writeln!(out, "  {}─┼{}", "─".repeat(head), "─".repeat(rule))?;
    for row in 0..shown_rows {
        write!(out, "  {row:>head$} │")?;
        for column in 0..shown_columns {
            let index = row + rows * column;
            let cell = format!("{:>width$}", at(index).to_string());
            match ground(index) {
                Some(colour) => write!(out, "{}", window.ink.paint(&cell, colour))?,
                None => write!(out, "{cell}")?,
            }
        }
        writeln!(out, "{dots}")?;
    }
    if rows > shown_rows {
        writeln!(out, "  {:>head$} │{:>width$}", "…", "…")?;
    }
    let part = |shown: u64, all: u64, what: &str| (shown < all).then(|| format!("{shown} of {all} {what}"));
    let parts = [part(shown_rows, rows, "rows"), part(shown_columns, columns, "columns")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if let (Some(hint), false) = (window.hint, parts.is_empty()) {
        writeln!(out, "\n  {}; {hint}", parts.join(", "))?;
    }
    Ok(())
}
