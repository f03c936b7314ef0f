//! Diagrams for LaTeX.

use super::Diagram;
use crate::tikz::escaped;
use std::fmt::Write as _;

/// Colours that LaTeX knows, far apart.
const INKS: [&str; 6] = ["blue", "red", "teal", "orange", "violet", "brown"];

/// As in pictures: what crosses is told apart without colours, too.
const DASHES: [&str; 3] = ["solid", "dashed", "densely dotted"];

/// How far apart columns stand, in mm: a letter of the titles is 1.5 mm wide.
fn apart(diagrams: &[Diagram]) -> usize {
    let titles = diagrams.iter().flat_map(|diagram| &diagram.columns).map(|column| column.title.chars().count());
    titles.max().map_or(34, |widest| (widest * 3 / 2 + 6).max(34))
}

/// The diagrams under one another, as one `tikzpicture`; it needs the package tikz alone.
#[must_use]
pub fn draw(diagrams: &[Diagram]) -> String {
    let mut tikz = format!(
        "% \\usepackage{{tikz}}\n\\begin{{tikzpicture}}[x={}mm,y=-8mm,every node/.style={{font=\\ttfamily\\footnotesize}},\
         entry/.style={{draw,rounded corners,minimum width=8mm,minimum height=6mm}}]\n",
        apart(diagrams)
    );
    let mut top = 0;
    for (number, diagram) in diagrams.iter().enumerate() {
        let rows = diagram.columns.iter().map(|column| column.entries.len()).max().unwrap_or(0);
        // writing to a String cannot fail
        let _ = writeln!(tikz, "\\node[anchor=west] at (-0.2,{top}) {{{}}};", escaped(&diagram.caption));
        for (at, column) in diagram.columns.iter().enumerate() {
            let _ = writeln!(tikz, "\\node[gray] at ({at},{}) {{{}}};", top + 1, escaped(&column.title));
            for (place, entry) in column.entries.iter().enumerate() {
                let y = top + 2 + place;
                let _ = writeln!(tikz, "\\node[entry] (n{number}c{at}r{place}) at ({at},{y}) {{{entry}}};");
                if let Some(stride) = column.strides.as_ref().and_then(|strides| strides.get(place)) {
                    let _ = writeln!(tikz, "\\node[gray,anchor=west] at ({at}.3,{y}) {{stride {stride}}};");
                }
            }
            for (depth, first, last) in &column.brackets.spans {
                let out = 5 + 2 * (column.brackets.depth() - depth);
                for (side, tick) in [("west", '-'), ("east", '+')] {
                    let back = if tick == '-' { '+' } else { '-' };
                    let _ = writeln!(
                        tikz,
                        "\\draw[gray] ([xshift={tick}{out}pt,yshift=2pt]n{number}c{at}r{first}.north {side}) -- ++({back}3pt,0) ++({tick}3pt,0) \
                         -- ([xshift={tick}{out}pt,yshift=-2pt]n{number}c{at}r{last}.south {side}) -- ++({back}3pt,0);"
                    );
                }
            }
        }
        for (at, arrows) in diagram.arrows.iter().enumerate() {
            if arrows.iter().any(Option::is_none) {
                let _ = writeln!(
                    tikz,
                    "\\node[draw,dashed,circle] (n{number}b{at}) at ({},{}) {{$\\ast$}};",
                    at + 1,
                    top + 2 + rows
                );
            }
            // brackets stand between an entry and its arrow
            let room = |column: usize| 7 + 2 * diagram.columns.get(column).map_or(0, |column| column.brackets.depth());
            for (place, end) in arrows.iter().enumerate() {
                let (ink, dash) = (INKS[place % INKS.len()], DASHES[place % DASHES.len()]);
                let goal = match end {
                    Some(end) => format!("([xshift=-{}pt]n{number}c{}r{end}.west)", room(at + 1), at + 1),
                    None => format!("(n{number}b{at})"),
                };
                let _ = writeln!(
                    tikz,
                    "\\draw[->,thick,{ink},{dash}] ([xshift={}pt]n{number}c{at}r{place}.east) to[out=0,in=180] {goal};",
                    room(at)
                );
            }
        }
        top += rows + 4;
    }
    tikz.push_str("\\end{tikzpicture}\n");
    tikz
}
