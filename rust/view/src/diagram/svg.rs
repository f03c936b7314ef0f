//! Diagrams as pictures.

use super::{Column, Diagram};
use crate::svg::{Colour, stacked};
use std::fmt::Write as _;

/// Distances in pixels: between columns for arrows, of rows, of brackets, and the width of a letter.
const ARROW: usize = 142;
const DOWN: usize = 38;
const BRACKET: usize = 8;
const LETTER: usize = 9;

/// How far a diagram spreads: entries hold their digits, and titles do not touch.
struct Spacing {
    /// from an entry's middle to its edge
    half: usize,
    /// of all brackets on one side
    deep: usize,
    /// from one column's middle to the next one's
    across: usize,
}

impl Spacing {
    fn of(diagram: &Diagram) -> Self {
        let digits = diagram.columns.iter().flat_map(|column| &column.entries).map(|entry| entry.to_string().len());
        let half = (digits.max().unwrap_or(0) * LETTER / 2 + 6).max(24);
        let deep = diagram.columns.iter().map(|column| column.brackets.depth()).max().unwrap_or(0) * BRACKET;
        // the last title has room
        let followed = diagram.columns.iter().rev().skip(1);
        let titles = followed.map(|column| LETTER * column.title.chars().count() + 2 * LETTER);
        Self { half, deep, across: titles.max().unwrap_or(0).max(ARROW + 2 * half + 2 * deep) }
    }

    /// The middle of a column.
    fn middle(&self, at: usize) -> usize {
        46 + self.half + self.deep + at * self.across
    }
}

/// What follows the reader's preference of dark or light.
const STYLE: &str = "<style>svg.razorgirl .cell{fill:#ffffff;stroke:#5a6270}svg.razorgirl .bracket{stroke:#5a6270;fill:none}\
    @media (prefers-color-scheme: dark){svg.razorgirl .ground{fill:#16181d}svg.razorgirl .title{fill:#e8e8e8}\
    svg.razorgirl .number{fill:#9a9a9a}svg.razorgirl .cell{fill:#23262e;stroke:#9aa3b2}svg.razorgirl .bracket{stroke:#9aa3b2}}</style>\n";

/// The diagrams under one another, as text.
#[must_use]
pub fn draw(diagrams: &[Diagram]) -> String {
    stacked(diagrams, STYLE, 14, place)
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
    let spacing = Spacing::of(diagram);
    let Spacing { half, deep, .. } = spacing;
    let middle = |at: usize| spacing.middle(at);
    // writing to a String cannot fail
    let _ = writeln!(
        body,
        "<text class=\"title\" x=\"20\" y=\"{}\" fill=\"#1d2129\">{}</text>",
        top + 24,
        escaped(&diagram.caption)
    );
    for (at, arrows) in diagram.arrows.iter().enumerate() {
        let (from, to) = (middle(at) + half + deep + 2, middle(at + 1) - half - deep - 4);
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
        entries(column, middle(at), half, top, body);
    }
    let last = middle(diagram.columns.len().saturating_sub(1));
    let beside = last + half + deep + 14;
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
    let titled =
        diagram.columns.iter().enumerate().map(|(at, column)| middle(at) + LETTER * column.title.chars().count());
    let wide = titled.chain([beside + 250, 40 + LETTER * diagram.caption.chars().count()]).max().unwrap_or(0);
    (wide, 84 + (rows + usize::from(pointed)) * DOWN + 10)
}

fn entries(column: &Column, x: usize, half: usize, top: usize, body: &mut String) {
    let _ = writeln!(
        body,
        "<text class=\"number\" x=\"{}\" y=\"{}\" fill=\"#6b7280\">{}</text>",
        x - half,
        top + 54,
        escaped(&column.title)
    );
    for (place, entry) in column.entries.iter().enumerate() {
        let y = row(top, place);
        let _ = writeln!(
            body,
            "<rect class=\"cell\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"28\" rx=\"6\"/>\
             <text class=\"title\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#1d2129\">{entry}</text>",
            x - half,
            y - 14,
            2 * half,
            y + 5
        );
    }
    let deepest = column.brackets.depth();
    for (depth, first, last) in &column.brackets.spans {
        let out = half + (deepest - depth) * BRACKET - 3;
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
