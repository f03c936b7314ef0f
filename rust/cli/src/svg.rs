//! Layouts as pictures: grids of offsets.

use crate::failure::Failure;
use crate::notation;
use crate::output::Output;
use crate::table::sides;
use razorgirl::{CoordLayout, Error, IntTuple, Layout, SwizzledLayout};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;

/// Cells that are drawn at most.
const CELLS: u64 = 1 << 14;

/// One cell of a grid.
#[derive(Debug)]
pub struct Cell {
    /// what it says
    pub label: String,
    /// its colour
    pub fill: String,
    /// whether the label is white
    pub dark: bool,
    /// outlined in red
    pub marked: bool,
}

/// A grid with a title, cells column by column.
#[derive(Debug)]
pub struct Panel {
    title: String,
    rows: u64,
    cells: Vec<Cell>,
}

impl Panel {
    /// The offsets of a layout, first mode down, all others across; `paint` tells how the cell of a linear index looks.
    ///
    /// # Errors
    /// `too_large` above 2^14 cells.
    pub fn of(title: String, layout: &Layout, paint: impl Fn(u64, u64) -> Cell) -> Result<Self, Failure> {
        drawable(layout, "slice", &layout.to_string())?;
        let (rows, _) = sides(layout);
        let cells = (0..).zip(layout.offsets()).map(|(index, offset)| paint(index, offset)).collect();
        Ok(Self { title, rows, cells })
    }
}

/// Refuses above 2^14 cells; `slice` is the operation that slices what is written so.
fn drawable(layout: &Layout, slice: &str, written: &str) -> Result<(), Failure> {
    if layout.size() > CELLS {
        let mut help = vec![format!("slice it to at most {CELLS} coordinates")];
        if let Some(coord) = notation::first_mode(layout, CELLS) {
            help.push(format!("razorgirl op {slice} '{coord}' '{written}' is its first mode"));
        }
        return Err(Failure::Refused {
            code: "too_large".into(),
            message: format!("{} cells are too many for a picture", layout.size()),
            help,
        });
    }
    Ok(())
}

/// A layout by itself. Colour follows the offset from light to dark, so the order in which memory is walked shows at once;
/// offsets that several coordinates share are outlined in red.
///
/// # Errors
/// `too_large` above 2^14 cells.
pub fn shaded(title: String, layout: &Layout) -> Result<Panel, Failure> {
    drawable(layout, "slice", &layout.to_string())?;
    Ok(shades(title, layout, &layout.offsets().collect::<Vec<_>>()))
}

/// A swizzled layout, in the same way.
///
/// # Errors
/// `too_large` above 2^14 cells, `overflow` where an offset is 2^64 or more.
pub fn shaded_swizzled(layout: &SwizzledLayout) -> Result<Panel, Failure> {
    let written = layout.to_string();
    drawable(layout.layout(), "swizzled_call", &written)?;
    let offsets = layout.offsets().collect::<Result<Vec<_>, Error>>()?;
    Ok(shades(written, layout.layout(), &offsets))
}

/// A layout of coordinates, in the same way: colour follows the place of a value in the box of all values, its first
/// number fastest.
///
/// # Errors
/// `too_large` above 2^14 cells.
pub fn shaded_coordinates(layout: &CoordLayout) -> Result<Panel, Failure> {
    let written = layout.to_string();
    drawable(layout.frame(), "coord_call", &written)?;
    let values: Vec<IntTuple> = layout.values().collect();
    let starts = layout.start().leaves();
    let places: Vec<u128> = values
        .iter()
        .map(|value| {
            let (mut place, mut worth) = (0_u128, 1_u128);
            for ((number, start), axis) in value.leaves().iter().zip(starts).zip(layout.axes()) {
                place = place.saturating_add(worth.saturating_mul((number - start).into()));
                worth = worth.saturating_mul(axis.cosize().into());
            }
            place
        })
        .collect();
    let ends = places.iter().max().copied().unwrap_or_default().saturating_add(1);
    let mut hits: HashMap<&[u64], u32> = HashMap::new();
    for value in &values {
        *hits.entry(value.leaves()).or_default() += 1;
    }
    let cell = |(value, place): (&IntTuple, &u128)| {
        let lightness = 92 - place.checked_mul(52).map_or_else(|| place / (ends / 52), |part| part / ends).min(52);
        Cell {
            label: value.to_string(),
            fill: format!("hsl(205,70%,{lightness}%)"),
            dark: lightness < 62,
            marked: hits.get(value.leaves()).is_some_and(|&n| n > 1),
        }
    };
    let (rows, _) = sides(layout.frame());
    Ok(Panel { title: written, rows, cells: values.iter().zip(&places).map(cell).collect() })
}

/// The picture of these offsets over the shape of a layout.
fn shades(title: String, layout: &Layout, offsets: &[u64]) -> Panel {
    let end = u128::from(offsets.iter().max().copied().unwrap_or_default()) + 1;
    let mut hits: HashMap<u64, u32> = HashMap::new();
    for offset in offsets {
        *hits.entry(*offset).or_default() += 1;
    }
    let cell = |offset: &u64| {
        let lightness = 92 - 52 * u128::from(*offset) / end;
        Cell {
            label: offset.to_string(),
            fill: format!("hsl(205,70%,{lightness}%)"),
            dark: lightness < 62,
            marked: hits.get(offset).is_some_and(|&n| n > 1),
        }
    };
    let (rows, _) = sides(layout);
    Panel { title, rows, cells: offsets.iter().map(cell).collect() }
}

/// Writes a picture to where it belongs, and says where that is unless it is standard output.
pub fn save(picture: &str, to: Output, out: &mut impl Write) -> Result<(), Failure> {
    let place = to.place();
    to.write(picture, out)?;
    if let Some(place) = place {
        writeln!(out, "\ndrawn into {}", place.display())?;
    }
    Ok(())
}

/// The panels under one another, as text.
pub fn draw(panels: &[Panel]) -> String {
    let (mut body, mut width, mut top) = (String::new(), 0, 0);
    for panel in panels {
        let (wide, high) = place(panel, top, &mut body);
        width = width.max(wide);
        top += high;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{top}\" viewBox=\"0 0 {width} {top}\" \
         font-family=\"ui-monospace, monospace\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
    )
}

/// Where the cells of a table are, in pixels: the corner of the first, and the size of each.
pub struct Grid {
    pub left: u64,
    pub top: u64,
    pub wide: u64,
    pub high: u64,
}

/// The numbers of the columns above a table, and of the rows beside it.
pub fn number(grid: &Grid, rows: u64, columns: u64, svg: &mut String) {
    let Grid { left, top, wide, high } = grid;
    for column in 0..columns {
        // writing to a String cannot fail
        let _ = writeln!(
            svg,
            r##"<text x="{}" y="{}" text-anchor="middle" fill="#777777">{column}</text>"##,
            left + column * wide + wide / 2,
            top - 8
        );
    }
    for row in 0..rows {
        let _ = writeln!(
            svg,
            r##"<text x="{}" y="{}" text-anchor="end" fill="#777777">{row}</text>"##,
            left - 8,
            top + row * high + high / 2 + 5
        );
    }
}

/// Draws one panel from `above` downwards; its width and height.
fn place(panel: &Panel, above: u64, svg: &mut String) -> (u64, u64) {
    let rows = panel.rows;
    let columns = panel.cells.len() as u64 / rows.max(1);
    let longest = panel.cells.iter().map(|cell| cell.label.len() as u64).max().unwrap_or(1);
    let (wide, high) = (14 + 8 * longest.max(2), 28);
    let (left, top) = (36, above + 56);
    number(&Grid { left, top, wide, high }, rows, columns, svg);
    let mut line = |text: std::fmt::Arguments<'_>| {
        // writing to a String cannot fail
        let _ = writeln!(svg, "{text}");
    };
    let title = panel.title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    line(format_args!(r##"<text x="12" y="{}" font-size="15" fill="#111111">{title}</text>"##, above + 22));
    for (index, cell) in (0u64..).zip(&panel.cells) {
        let (x, y) = (left + index / rows * wide, top + index % rows * high);
        let ink = if cell.dark { "#ffffff" } else { "#111111" };
        let outline = if cell.marked { r##"stroke="#d00000" stroke-width="2""## } else { r##"stroke="#ffffff""## };
        line(format_args!(r#"<rect x="{x}" y="{y}" width="{wide}" height="{high}" fill="{}" {outline}/>"#, cell.fill));
        line(format_args!(
            r#"<text x="{}" y="{}" text-anchor="middle" fill="{ink}">{}</text>"#,
            x + wide / 2,
            y + 19,
            cell.label
        ));
    }
    let words = 24 + 9 * panel.title.chars().count() as u64;
    ((left + columns * wide + 12).max(words), 56 + rows * high + 12)
}
