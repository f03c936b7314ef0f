//! Layouts as pictures: grids of offsets.

use crate::failure::Failure;
use crate::notation;
use crate::table::rows_and_columns;
use razorgirl::{CoordLayout, Error, IntTuple, Layout, SwizzledLayout};
use razorgirl_protocol::Code;
use std::collections::HashMap;
use std::fmt;
use std::fmt::Write as _;
use std::ops::{AddAssign, Range};

/// Cells that are drawn at most.
const CELLS: u64 = 1 << 14;

/// A colour that every viewer knows, and LaTeX too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    /// The colour of a hue in degrees, with saturation and lightness in percent.
    pub fn of_hue(hue: u64, saturation: u64, lightness: u64) -> Self {
        let (saturation, lightness) = (saturation.min(100), lightness.min(100));
        let spread = saturation * lightness.min(100 - lightness);
        // how much of a channel a hue has that is whole within 60 degrees of `peak`, and nothing from 120 on: 0 to 60
        let part = |peak: u64| {
            let apart = (hue % 360).abs_diff(peak);
            120_u64.saturating_sub(apart.min(360 - apart)).min(60)
        };
        let channel = |peak: u64| {
            let value = 100 * lightness * 60 + 2 * spread * part(peak) - spread * 60;
            u8::try_from((value * 255 + 300_000) / 600_000).unwrap_or(u8::MAX)
        };
        Self([channel(0), channel(120), channel(240)])
    }

    /// Whether letters on it are white.
    pub fn is_dark(self) -> bool {
        let [red, green, blue] = self.0.map(u32::from);
        red * 299 + green * 587 + blue * 114 < 110_000
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// One cell of a grid.
#[derive(Debug)]
pub struct Cell {
    /// what it says
    pub label: String,
    /// its colour
    pub fill: Colour,
    /// outlined in red
    pub marked: bool,
}

/// A grid with a title, cells column by column.
#[derive(Debug)]
pub struct Panel {
    /// what stands above it
    pub(crate) title: String,
    /// how many cells a column has
    pub(crate) rows: u64,
    pub(crate) cells: Vec<Cell>,
}

impl Panel {
    /// The offsets of a layout, first mode down, all others across; `paint` tells how the cell of a linear index looks.
    ///
    /// # Errors
    /// `too_large` above 2^14 cells.
    pub fn of(title: String, layout: &Layout, paint: impl Fn(u64, u64) -> Cell) -> Result<Self, Failure> {
        drawable(layout, "slice", &layout.to_string())?;
        let (rows, _) = rows_and_columns(layout);
        let cells = (0..).zip(layout.offsets()).map(|(index, offset)| paint(index, offset)).collect();
        Ok(Self { title, rows, cells })
    }
}

/// Rows of a picture that is cropped.
const ROWS: u64 = 32;

impl Panel {
    /// The first rows of a panel of more than 32: those after which colours and outlines repeat, if they do, or else 32.
    #[must_use]
    pub fn cropped(self) -> Self {
        let Self { title, rows, cells } = self;
        if rows <= ROWS {
            return Self { title, rows, cells };
        }
        let fill =
            |index: u64| usize::try_from(index).ok().and_then(|at| cells.get(at)).map(|cell| (cell.fill, cell.marked));
        let repeats = |atom: &u64| {
            (0..cells.len() as u64).all(|index| fill(index) == fill(index / rows * rows + index % rows % atom))
        };
        let kept = (2..=5).map(|bits| 1_u64 << bits).find(repeats).unwrap_or(ROWS);
        let why = if kept < ROWS { ", of which the colours repeat" } else { "" };
        let cells =
            (0..).zip(cells).filter(|(index, _): &(u64, _)| index % rows < kept).map(|(_, cell)| cell).collect();
        Self { title: format!("{title}, rows 0 to {} of {rows}{why}", kept - 1), rows: kept, cells }
    }

    /// The panel with red and blue exchanged, so that a result looks different from its operands.
    #[must_use]
    pub fn tinted(mut self) -> Self {
        for cell in &mut self.cells {
            let [red, green, blue] = cell.fill.0;
            cell.fill = Colour([blue, green, red]);
        }
        self
    }
}

/// Refuses above 2^14 cells; `slice` is the operation that slices what is written so.
fn drawable(layout: &Layout, slice: &str, written: &str) -> Result<(), Failure> {
    if layout.size() > CELLS {
        let mut help = vec![format!("slice it to at most {CELLS} coordinates")];
        if let Some(coord) = notation::first_mode(layout, CELLS) {
            help.push(format!("razorgirl op {slice} '{coord}' '{written}' is its first mode"));
        }
        return Err(Failure::refused(
            Code::TooLarge,
            format!("{} cells are too many for a picture", layout.size()),
            help,
        ));
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

/// A swizzled layout; colour is the bank group where the swizzle's units have 16 bytes, offsets that several coordinates share are outlined
/// in red.
///
/// # Errors
/// `too_large` above 2^14 cells, `overflow` where an offset is 2^64 or more.
pub fn shaded_swizzled(layout: &SwizzledLayout) -> Result<Panel, Failure> {
    let written = layout.to_string();
    drawable(layout.layout(), "swizzled_call", &written)?;
    let offsets = layout.offsets().collect::<Result<Vec<_>, Error>>()?;
    let mut panel = shades(written, layout.layout(), &offsets);
    let base = layout.swizzle().base();
    if layout.swizzle().bits() > 0 {
        for (cell, offset) in panel.cells.iter_mut().zip(&offsets) {
            cell.fill = group_of(*offset, base);
        }
        panel.title = format!("{}, one colour for each of 8 units of 2^{base} elements", panel.title);
    }
    Ok(panel)
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
            fill: shade(lightness),
            marked: hits.get(value.leaves()).is_some_and(|&n| n > 1),
        }
    };
    let (rows, _) = rows_and_columns(layout.frame());
    Ok(Panel { title: written, rows, cells: values.iter().zip(&places).map(cell).collect() })
}

/// Blue, light to dark.
fn shade(lightness: u128) -> Colour {
    Colour::of_hue(205, 70, u64::try_from(lightness).unwrap_or_default())
}

/// The shade of an offset below `end`.
pub(crate) fn shade_of(offset: u64, end: u64) -> Colour {
    shade(92 - 52 * u128::from(offset) / u128::from(end.max(1)))
}

/// The colour of the bank group of an offset: a swizzle moves units of 2^base elements, usually 16 bytes, of which the 32 banks hold eight.
pub(crate) fn group_of(offset: u64, base: u64) -> Colour {
    let base = u32::try_from(base).unwrap_or(u32::MAX);
    let group = offset.checked_shr(base).unwrap_or_default() % 8;
    Colour::of_hue(group * 45, 65, if group.is_multiple_of(2) { 82 } else { 72 })
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
        Cell { label: offset.to_string(), fill: shade(lightness), marked: hits.get(offset).is_some_and(|&n| n > 1) }
    };
    let (rows, _) = rows_and_columns(layout);
    Panel { title, rows, cells: offsets.iter().map(cell).collect() }
}

/// The panels under one another, as text.
pub fn draw(panels: &[Panel]) -> String {
    stacked(panels, STYLE, 13, place)
}

/// Parts under one another: `place` draws one from a height on, and says how wide and high it is in pixels.
pub(crate) fn stacked<T, N: Copy + Default + Ord + AddAssign + fmt::Display>(
    parts: &[T],
    style: &str,
    size: u32,
    place: impl Fn(&T, N, &mut String) -> (N, N),
) -> String {
    let (mut body, mut width, mut top) = (String::new(), N::default(), N::default());
    for part in parts {
        let (wide, high) = place(part, top, &mut body);
        width = width.max(wide);
        top += high;
    }
    sheet(style, size, (width, top), &body)
}

/// A picture of this width and height in pixels, on its ground; letters are `size` pixels high.
fn sheet(style: &str, size: u32, (width, height): (impl fmt::Display, impl fmt::Display), body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"razorgirl\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"ui-monospace, monospace\" font-size=\"{size}\">\n{style}\
         <rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
    )
}

/// What is around the cells follows the reader's preference of dark or light; a page that knows better overrides it by a longer
/// selector. Cells have colours and letters that go together in both.
pub(crate) const STYLE: &str = "<style>@media (prefers-color-scheme: dark){svg.razorgirl .ground{fill:#16181d}\
    svg.razorgirl .title{fill:#e8e8e8}svg.razorgirl .number{fill:#9a9a9a}svg.razorgirl .cell{stroke:#16181d}}</style>\n";

/// Where the cells of a table are, in pixels: the corner of the first, and the size of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    pub(crate) left: u64,
    pub(crate) top: u64,
    pub(crate) wide: u64,
    pub(crate) high: u64,
}

/// The numbers of the columns above a table, and of the rows beside it.
pub(crate) fn number(grid: &Grid, rows: Range<u64>, columns: u64, svg: &mut String) {
    let Grid { left, top, wide, high } = grid;
    for column in 0..columns {
        // writing to a String cannot fail
        let _ = writeln!(
            svg,
            r##"<text x="{}" y="{}" text-anchor="middle" class="number" fill="#777777">{column}</text>"##,
            left + column * wide + wide / 2,
            top - 8
        );
    }
    for (place, row) in (0..).zip(rows) {
        let _ = writeln!(
            svg,
            r##"<text x="{}" y="{}" text-anchor="end" class="number" fill="#777777">{row}</text>"##,
            left - 8,
            top + place * high + high / 2 + 5
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
    number(&Grid { left, top, wide, high }, 0..rows, columns, svg);
    let mut line = |text: std::fmt::Arguments<'_>| {
        // writing to a String cannot fail
        let _ = writeln!(svg, "{text}");
    };
    let title = panel.title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    line(format_args!(
        r##"<text x="12" y="{}" font-size="15" class="title" fill="#111111">{title}</text>"##,
        above + 22
    ));
    for (index, cell) in (0u64..).zip(&panel.cells) {
        let (x, y) = (left + index / rows * wide, top + index % rows * high);
        let ink = if cell.fill.is_dark() { "#ffffff" } else { "#111111" };
        let outline =
            if cell.marked { r##"stroke="#d00000" stroke-width="2""## } else { r##"class="cell" stroke="#ffffff""## };
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
