//! Diagrams as pictures.

use super::{Column, Diagram};
use crate::svg::{Colour, sheet};
use std::fmt::Write as _;

/// Distances in pixels: of columns, of rows, from an entry's middle to its edge, of brackets.
const ACROSS: usize = 190;
const DOWN: usize = 38;
const HALF: usize = 24;
const BRACKET: usize = 8;

/// What follows the reader's preference of dark or light.
const STYLE: &str = "<style>svg.razorgirl .cell{fill:#ffffff;stroke:#5a6270}svg.razorgirl .bracket{stroke:#5a6270;fill:none}\
    @media (prefers-color-scheme: dark){svg.razorgirl .ground{fill:#16181d}svg.razorgirl .title{fill:#e8e8e8}\
    svg.razorgirl .number{fill:#9a9a9a}svg.razorgirl .cell{fill:#23262e;stroke:#9aa3b2}svg.razorgirl .bracket{stroke:#9aa3b2}}</style>\n";

/// The diagrams under one another, as text.
#[must_use]
pub fn draw(diagrams: &[Diagram]) -> String {
    let (mut body, mut width, mut top) = (String::new(), 0, 0);
    for diagram in diagrams {
        let (wide, high) = place(diagram, top, &mut body);
        width = width.max(wide);
        top += high;
    }
    sheet(STYLE, 14, (width, top), &body)
}

/// The colour of an arrow: hues that are far apart follow one another; neither light nor dark, so it shows on both grounds.
fn colour(place: usize) -> Colour {
    Colour::of_hue((place as u64 * 137 + 210) % 360, 70, 46)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Where the middle of a row is.
const fn row(top: usize, place: usize) -> usize {
    top + 84 + place * DOWN
}

/// Draws a diagram from `top` on, and says how wide and high it is.
fn place(diagram: &Diagram, top: usize, body: &mut String) -> (usize, usize) {
    let rows = diagram.columns.iter().map(|column| column.entries.len()).max().unwrap_or(0);
    let pointed = diagram.arrows.iter().flatten().any(Option::is_none);
    let deep = diagram.columns.iter().map(|column| column.brackets.depth()).max().unwrap_or(0) * BRACKET;
    let middle = |at: usize| 70 + deep + at * (ACROSS + 2 * deep);
    // writing to a String cannot fail
    let _ = writeln!(
        body,
        "<text class=\"title\" x=\"20\" y=\"{}\" fill=\"#1d2129\">{}</text>",
        top + 24,
        escaped(&diagram.caption)
    );
    for (at, arrows) in diagram.arrows.iter().enumerate() {
        let (from, to) = (middle(at) + HALF + deep + 2, middle(at + 1) - HALF - deep - 4);
        for (place, end) in arrows.iter().enumerate() {
            let (start, stop) = (row(top, place), row(top, end.unwrap_or(rows)));
            let bend = (to - from) / 2;
            // a second sign beside the colour
            let dash = ["", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\""][place % 3];
            let ink = colour(place);
            let _ = writeln!(
                body,
                "<path d=\"M{from} {start}C{} {start} {} {stop} {to} {stop}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\"{dash}/>\
                 <path d=\"M{to} {stop}l-9 -5v10z\" fill=\"{ink}\"/>",
                from + bend,
                to - bend
            );
        }
        if arrows.iter().any(Option::is_none) {
            let _ = writeln!(
                body,
                "<circle class=\"cell\" cx=\"{x}\" cy=\"{y}\" r=\"13\" stroke-dasharray=\"3 3\"/>\
                 <text class=\"title\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#1d2129\">∗</text>",
                row(top, rows) + 6,
                x = middle(at + 1),
                y = row(top, rows)
            );
        }
    }
    for (at, column) in diagram.columns.iter().enumerate() {
        entries(column, middle(at), top, body);
    }
    let last = middle(diagram.columns.len().saturating_sub(1));
    let beside = last + HALF + deep + 14;
    for strides in diagram.columns.iter().filter_map(|column| column.strides.as_ref()) {
        for (place, stride) in strides.iter().enumerate() {
            let _ = writeln!(
                body,
                "<text class=\"number\" x=\"{beside}\" y=\"{}\" fill=\"#6b7280\">stride {stride}</text>",
                row(top, place) + 5
            );
        }
    }
    if pointed {
        let _ = writeln!(
            body,
            "<text class=\"number\" x=\"{beside}\" y=\"{}\" fill=\"#6b7280\">stride 0</text>",
            row(top, rows) + 5
        );
    }
    // a letter is 9 pixels wide
    let titled = diagram.columns.iter().enumerate().map(|(at, column)| middle(at) + 9 * column.title.chars().count());
    let wide = titled.chain([beside + 250, 40 + 9 * diagram.caption.chars().count()]).max().unwrap_or(0);
    (wide, 84 + (rows + usize::from(pointed)) * DOWN + 10)
}

fn entries(column: &Column, x: usize, top: usize, body: &mut String) {
    let _ = writeln!(
        body,
        "<text class=\"number\" x=\"{}\" y=\"{}\" fill=\"#6b7280\">{}</text>",
        x - HALF,
        top + 54,
        escaped(&column.title)
    );
    for (place, entry) in column.entries.iter().enumerate() {
        let y = row(top, place);
        let _ = writeln!(
            body,
            "<rect class=\"cell\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"28\" rx=\"6\"/>\
             <text class=\"title\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#1d2129\">{entry}</text>",
            x - HALF,
            y - 14,
            2 * HALF,
            y + 5
        );
    }
    let deepest = column.brackets.depth();
    for (depth, first, last) in &column.brackets.spans {
        let out = HALF + (deepest - depth) * BRACKET - 3;
        let (up, low) = (row(top, *first) - 17, row(top, *last) + 17);
        for (edge, tick) in [(x - out, 5_i64), (x + out, -5)] {
            let _ = writeln!(
                body,
                "<path class=\"bracket\" d=\"M{edge} {up}m{tick} 0h{}V{low}h{tick}\" stroke-width=\"1.5\"/>",
                -tick
            );
        }
    }
}
