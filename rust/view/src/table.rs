//! The offsets of a layout of rank at most 2 as a table: first mode down, second mode across, as CuTe's `print_layout`.

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

/// Prints the table, cut to 32 by 32; `at` is the offset of a linear index, or another value.
///
/// # Errors
/// Those of writing.
pub fn write<T: Display>(layout: &Layout, at: impl Fn(u64) -> T, out: &mut dyn Write) -> Result<()> {
    write_within(layout, (ROWS, COLUMNS), at, out)
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
    let (rows, columns) = rows_and_columns(layout);
    let (shown_rows, shown_columns) = (rows.min(most.0), columns.min(most.1));
    let cell = |row: u64, column: u64| at(row + rows * column).to_string();
    let longest = within(layout, most).map(|index| at(index).to_string().len()).max().unwrap_or_default();
    let width = longest.max(shown_columns.to_string().len()) + 1;
    let head = (rows - 1).to_string().len();
    let dots = |cut| if cut { "  …" } else { "" };
    write!(out, "\n  {:head$} │", "")?;
    for column in 0..shown_columns {
        write!(out, "{column:>width$}")?;
    }
    writeln!(out, "{}", dots(columns > most.1))?;
    let rule = usize::try_from(shown_columns).unwrap_or(0) * width;
    writeln!(out, "  {}─┼{}", "─".repeat(head), "─".repeat(rule))?;
    for row in 0..shown_rows {
        write!(out, "  {row:>head$} │")?;
        for column in 0..shown_columns {
            write!(out, "{:>width$}", cell(row, column))?;
        }
        writeln!(out, "{}", dots(columns > most.1))?;
    }
    if rows > most.0 {
        writeln!(out, "  {:>head$} │{:>width$}", "…", "…")?;
    }
    Ok(())
}
