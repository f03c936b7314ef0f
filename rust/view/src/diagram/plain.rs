//! Diagrams in words: an arrow is a letter at both of its ends.

use super::{Column, Diagram};
use std::io::Write;

/// The letter of an arrow: a to z, then a2 to z2 and so on.
fn letter(place: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(place % 26).unwrap_or(0));
    if place < 26 { letter.to_string() } else { format!("{letter}{}", place / 26 + 1) }
}

/// Each row of a column: the entry in its brackets, and the end of its arrow on either side.
fn rows(column: &Column, comes: Option<&Vec<Option<usize>>>, goes: Option<&Vec<Option<usize>>>) -> Vec<[String; 3]> {
    let arrow = |place: usize| comes.and_then(|arrows| arrows.iter().position(|end| *end == Some(place))).map(letter);
    let leave = |place: usize| match goes.and_then(|arrows| arrows.get(place)) {
        Some(Some(_)) => format!(" ── {}", letter(place)),
        Some(None) => " ── *".into(),
        None => String::new(),
    };
    let around = column.brackets.around.iter().zip(&column.entries).enumerate();
    let mut rows: Vec<[String; 3]> = around
        .map(|(place, ((before, after), entry))| {
            let ends = arrow(place).map_or_else(String::new, |letter| format!("{letter} ─▶ "));
            [ends, format!("{before}{entry}{after}"), leave(place)]
        })
        .collect();
    if !column.brackets.rest.is_empty() {
        rows.push([String::new(), column.brackets.rest.clone(), String::new()]);
    }
    rows
}

fn wide(text: &str) -> usize {
    text.chars().count()
}

/// Diagrams under one another.
///
/// # Errors
/// Those of writing.
pub fn write(diagrams: &[Diagram], out: &mut dyn Write) -> std::io::Result<()> {
    for (number, diagram) in diagrams.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        one(diagram, out)?;
    }
    Ok(())
}

fn one(diagram: &Diagram, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{}", diagram.caption)?;
    let columns: Vec<Vec<String>> = diagram
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let comes = at.checked_sub(1).and_then(|before| diagram.arrows.get(before));
            let rows = rows(column, comes, diagram.arrows.get(at));
            let width = |part: usize| rows.iter().map(|row| wide(&row[part])).max().unwrap_or(0);
            let (ends, entry, leaves) = (width(0), width(1), width(2));
            let mut lines = vec![format!("{:ends$}{}", "", column.title)];
            for (place, [end, label, leave]) in rows.iter().enumerate() {
                let mut line = format!("{end:>ends$}{label:<entry$}{leave:<leaves$}");
                if let Some(stride) = column.strides.as_ref().and_then(|strides| strides.get(place)) {
                    line = format!("{line}   stride {stride}");
                }
                lines.push(line);
            }
            lines
        })
        .collect();
    let high = columns.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> =
        columns.iter().map(|lines| lines.iter().map(|line| wide(line)).max().unwrap_or(0)).collect();
    for row in 0..high {
        let mut line = String::from("  ");
        for (lines, width) in columns.iter().zip(&widths) {
            let text = lines.get(row).map_or("", String::as_str);
            line.push_str(text);
            line.extend(std::iter::repeat_n(' ', width.saturating_sub(wide(text)) + 4));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    if diagram.arrows.iter().flatten().any(Option::is_none) {
        writeln!(out, "  *  the basepoint: stride 0")?;
    }
    Ok(())
}
