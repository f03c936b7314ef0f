//! The tile as a grid coloured by bank, before and after.

use super::Query;
use super::report::Findings;
use crate::failure::Failure;
use crate::svg::{Cell, Colour, Grid, Panel, STYLE, number};
use crate::table::rows_and_columns;
use razorgirl::SwizzledLayout;
use razorgirl::bank::{self, BANKS};
use razorgirl_protocol::Code;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Cells that are drawn at most.
const CELLS: u64 = 1 << 14;
/// The size of a cell.
const WIDE: u64 = 34;
const HIGH: u64 = 20;

/// A cell that a lane of the phase accesses.
struct AccessedCell {
    lane: usize,
    conflict: bool,
}

/// The tile, and the first remedy with the same phase.
///
/// # Errors
/// `too_large` above 2^14 cells.
fn layouts<'a>(query: &'a Query, findings: &'a Findings<'_>) -> Result<Vec<&'a SwizzledLayout>, Failure> {
    if query.tile.size() > CELLS {
        return Err(Failure::refused(
            Code::TooLarge,
            format!("{} cells are too many for a picture", query.tile.size()),
            [format!("draw a tile of at most {CELLS} elements")],
        ));
    }
    let remedies = findings.remedies.iter();
    let remedies = remedies.filter_map(|all| all.swizzle.as_ref().or(all.padding.as_ref()));
    Ok(std::iter::once(&query.tile).chain(remedies.map(|remedy| &remedy.layout)).collect())
}

/// The grids under one another: the tile, and the first remedy with the same phase.
///
/// # Errors
/// `too_large` above 2^14 cells.
pub fn draw(query: &Query, findings: &Findings<'_>) -> Result<String, Failure> {
    let (rows, _) = rows_and_columns(query.tile.layout());
    let columns = query.tile.size() / rows.max(1);
    let (mut body, mut top) = (String::new(), 0);
    for layout in layouts(query, findings)? {
        top = grid(query, findings, layout, top, &mut body)?;
    }
    // the line of words above it takes so much
    let width = (56 + columns * WIDE).max(1120);
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"razorgirl\" width=\"{width}\" height=\"{top}\" viewBox=\"0 0 {width} {top}\" \
         font-family=\"ui-monospace, monospace\" font-size=\"10\">\n{STYLE}\
         <rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
    ))
}

/// The same as plain grids: the lane of the worst phase, or else the bank; conflicts are marked.
///
/// # Errors
/// `too_large` above 2^14 cells.
pub fn panels(query: &Query, findings: &Findings<'_>) -> Result<Vec<Panel>, Failure> {
    let mut panels = Vec::new();
    for layout in layouts(query, findings)? {
        let (accessed_cells, wavefronts) = accessed_cells(query, findings, layout)?;
        let mut cells = Vec::new();
        for index in 0..layout.size() {
            let bank = bank_of(query, layout, index)?;
            let lane = accessed_cells.get(&index);
            cells.push(Cell {
                label: lane.map_or_else(|| format!("b{bank}"), |accessed_cells| accessed_cells.lane.to_string()),
                fill: colour(bank, lane.is_some()),
                marked: lane.is_some_and(|accessed_cells| accessed_cells.conflict),
            });
        }
        let plural = if wavefronts == 1 { "" } else { "s" };
        let title =
            format!("{} of {}: {wavefronts} wavefront{plural}; numbers are lanes", super::shown(layout), query.dtype);
        panels.push(Panel { title, rows: rows_and_columns(layout.layout()).0, cells });
    }
    Ok(panels)
}

/// The bank of the element at an index.
fn bank_of(query: &Query, layout: &SwizzledLayout, index: u64) -> Result<u128, Failure> {
    Ok(u128::from(layout.at(index)?) * u128::from(query.element) / 4 % u128::from(BANKS))
}

/// Which cells the lanes of the worst phase access, in this layout.
fn accessed_cells(
    query: &Query,
    findings: &Findings<'_>,
    layout: &SwizzledLayout,
) -> Result<(HashMap<u64, AccessedCell>, u64), Failure> {
    let mut cells = HashMap::new();
    let Some(worst) = &findings.worst else { return Ok((cells, 0)) };
    let bytes = query.uses.get(worst.place.0).map_or(query.element, |one| one.bytes);
    let all = worst.access.addresses(layout, query.element)?;
    let addresses: Vec<u64> = all.into_iter().skip(worst.first).take(worst.addresses.len()).collect();
    let conflicts = bank::crowded_banks(&addresses, bytes)?;
    let lanes: Vec<usize> = conflicts
        .iter()
        .flat_map(|conflict| conflict.words.iter().flat_map(|(_, lanes)| lanes.iter().copied()))
        .collect();
    for lane in 0..addresses.len() {
        for index in worst.access.elements(worst.first + lane) {
            cells.insert(index, AccessedCell { lane: worst.first + lane, conflict: lanes.contains(&lane) });
        }
    }
    Ok((cells, bank::phase(&addresses, bytes)?))
}

/// The colour of a bank: once round the circle for 32 of them, neighbours of two lightnesses; pale where no lane is.
fn colour(bank: u128, strong: bool) -> Colour {
    // hue in 192 parts of the circle, 6 a bank, lightness and saturation in 255 parts; no viewer has to know `hsl`
    let hue = u64::try_from(bank % 32).unwrap_or_default() * 6;
    let (light, spread) = match (strong, bank.is_multiple_of(2)) {
        (true, true) => (168, 62),
        (true, false) => (160, 62),
        (false, true) => (238, 14),
        (false, false) => (224, 18),
    };
    // how much of a colour that is whole at `peak` a hue has: 0 to 64
    let part = |peak: u64| {
        let apart = hue.abs_diff(peak).min(192 - hue.abs_diff(peak));
        64_u64.saturating_sub(apart.saturating_sub(32).saturating_mul(2))
    };
    let channel = |peak: u64| u8::try_from((light - spread + 2 * spread * part(peak) / 64).min(255)).unwrap_or(u8::MAX);
    Colour([channel(0), channel(64), channel(128)])
}

/// Rows that are drawn at most.
const ROWS: u64 = 32;

/// The rows that are drawn: all of few, else 32 that begin with the first that the worst phase accesses.
fn drawn(cells: &HashMap<u64, AccessedCell>, rows: u64) -> std::ops::Range<u64> {
    if rows <= ROWS {
        return 0..rows;
    }
    let first = cells.keys().map(|index| index % rows).min().unwrap_or(0).min(rows - ROWS);
    first..first + ROWS
}

/// Draws one grid from `above` downwards; where it ends.
fn grid(
    query: &Query,
    findings: &Findings<'_>,
    layout: &SwizzledLayout,
    above: u64,
    svg: &mut String,
) -> Result<u64, Failure> {
    let (rows, _) = rows_and_columns(layout.layout());
    let columns = layout.size() / rows.max(1);
    let (cells, wavefronts) = accessed_cells(query, findings, layout)?;
    let (left, top) = (40, above + 66);
    let shown = drawn(&cells, rows);
    number(&Grid { left, top, wide: WIDE, high: HIGH }, shown.clone(), columns, svg);
    let mut line = |text: std::fmt::Arguments<'_>| {
        // writing to a String cannot fail
        let _ = writeln!(svg, "{text}");
    };
    let worst = findings.worst.as_ref();
    let phase = worst.map_or(String::new(), |worst| {
        let name = query.uses.get(worst.place.0).map_or("", |one| one.name.as_str());
        format!("{name}, access {}, phase {}", worst.place.1, worst.place.2)
    });
    let cropped = shown.end - shown.start < rows;
    let part = if cropped { format!(", rows {} to {} of {rows}", shown.start, shown.end - 1) } else { String::new() };
    let title = format!("{} of {}{part}", super::shown(layout), query.dtype).replace('<', "&lt;").replace('>', "&gt;");
    let plural = if wavefronts == 1 { "" } else { "s" };
    line(format_args!(
        r##"<text x="12" y="{}" font-size="15" class="title" fill="#111111">{title}</text>"##,
        above + 22
    ));
    line(format_args!(
        r##"<text x="12" y="{}" font-size="12" class="number" fill="#444444">{phase}: {wavefronts} wavefront{plural}. Colour and small number: bank. Bold: lane of this phase. Red: its word shares a bank with another word</text>"##,
        above + 40
    ));
    // conflicts last, so that no neighbour covers their outline
    let mut outlined = String::new();
    for index in (0..layout.size()).filter(|index| shown.contains(&(index % rows))) {
        let bank = bank_of(query, layout, index)?;
        let (x, y) = (left + index / rows * WIDE, top + (index % rows - shown.start) * HIGH);
        match cells.get(&index) {
            None => {
                line(format_args!(
                    r##"<rect x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" fill="{}" class="cell" stroke="#ffffff"/>"##,
                    colour(bank, false)
                ));
                line(format_args!(
                    r##"<text x="{}" y="{}" text-anchor="middle" font-size="10" fill="#505050">{bank}</text>"##,
                    x + WIDE / 2,
                    y + 14
                ));
            }
            Some(AccessedCell { lane, conflict }) => {
                let stroke = if *conflict { r##"stroke="#d00000" stroke-width="2""## } else { r##"stroke="#111111""## };
                let text = format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDE}\" height=\"{HIGH}\" fill=\"{}\" {stroke}/>\n\
                     <text x=\"{}\" y=\"{}\" font-weight=\"bold\" font-size=\"12\" fill=\"#000000\">{lane}</text>\n\
                     <text x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"9\" fill=\"#000000\">{bank}</text>\n",
                    colour(bank, true),
                    x + 4,
                    y + 14,
                    x + WIDE - 3,
                    y + HIGH - 3
                );
                outlined.push_str(&text);
            }
        }
    }
    svg.push_str(&outlined);
    Ok(top + (shown.end - shown.start) * HIGH + 24)
}
