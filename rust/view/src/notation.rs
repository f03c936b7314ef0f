//! CuTe notation that only the command reads or writes.

use razorgirl::{Coord, Layout, Shape};

/// The brackets of a text with their places, and whether each opens (1) or closes (-1). The `>` of an arrow is none, nor are
/// comparisons inside braces.
pub fn brackets(text: &str) -> impl Iterator<Item = (usize, char, i64)> {
    let (mut before, mut braces) = (' ', 0_i64);
    text.char_indices().filter_map(move |(at, c)| {
        let arrow = c == '>' && before == '-';
        before = c;
        braces += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        match c {
            '(' | '[' | '{' => Some((at, c, 1)),
            ')' | ']' | '}' => Some((at, c, -1)),
            '<' if braces == 0 => Some((at, c, 1)),
            '>' if braces == 0 && !arrow => Some((at, c, -1)),
            _ => None,
        }
    })
}

/// The bracket that closes this one.
pub fn closing(opening: char) -> char {
    match opening {
        '(' => ')',
        '<' => '>',
        '[' => ']',
        _ => '}',
    }
}

/// How many brackets a text opens beyond those that it closes.
pub fn depth_of(text: &str) -> i64 {
    brackets(text).map(|(_, _, step)| step).sum()
}

/// The text apart at a separator, where it stands outside of brackets.
pub fn split(text: &str, separator: char) -> Vec<&str> {
    let mut brackets = brackets(text).peekable();
    let (mut depth, mut from, mut parts) = (0_i64, 0, vec![]);
    for (at, c) in text.char_indices() {
        if let Some((_, _, step)) = brackets.next_if(|(bracket, ..)| *bracket == at) {
            depth += step;
        } else if c == separator && depth == 0 {
            parts.extend(text.get(from..at));
            from = at + c.len_utf8();
        }
    }
    parts.extend(text.get(from..));
    parts
}

/// The coordinate `(_,0,…)` of the first mode, where there are others and it has at most so many elements.
pub fn first_mode(layout: &Layout, most: u64) -> Option<Coord> {
    let others = layout.rank().checked_sub(1).filter(|others| *others > 0)?;
    let coord: Coord = format!("(_{})", ",0".repeat(others)).parse().ok()?;
    layout.slice(&coord).is_ok_and(|first| first.size() <= most).then_some(coord)
}

/// A coordinate of the layout's own nesting for a linear index below its size.
pub fn coordinate(shape: &Shape, index: u64) -> String {
    shape.idx2crd(index).map_or_else(|_| index.to_string(), |coord| coord.to_string())
}
