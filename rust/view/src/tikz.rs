//! Pictures for LaTeX: panels as a `tikzpicture`.

use crate::svg::{Cell, Colour, Panel};
use std::fmt::Write as _;

/// The panels under one another, as one `tikzpicture`; it needs the package tikz alone.
pub fn draw(panels: &[Panel]) -> String {
    let mut tikz = String::from(
        "% \\usepackage{tikz}\n\\begin{tikzpicture}[x=9mm,y=-6mm,every node/.style={font=\\ttfamily\\footnotesize}]\n",
    );
    let mut top = 0;
    for panel in panels {
        // writing to a String cannot fail
        let _ = writeln!(tikz, "\\node[anchor=west] at (-0.5,{}) {{{}}};", top, escaped(&panel.title));
        let rows = panel.rows.max(1);
        let columns = panel.cells.len() as u64 / rows;
        for column in 0..columns {
            let _ = writeln!(tikz, "\\node[gray] at ({column},{}) {{{column}}};", top + 1);
        }
        for row in 0..rows {
            let _ = writeln!(tikz, "\\node[gray,anchor=east] at (-0.5,{}) {{{row}}};", top + 2 + row);
        }
        // marked cells last, so that no neighbour covers their outline
        for marked in [false, true] {
            for (index, cell) in (0u64..).zip(&panel.cells).filter(|(_, cell)| cell.marked == marked) {
                place(cell, index / rows, top + 2 + index % rows, &mut tikz);
            }
        }
        top += rows + 3;
    }
    tikz.push_str("\\end{tikzpicture}\n");
    tikz
}

fn place(cell: &Cell, column: u64, row: u64, tikz: &mut String) {
    let Colour([red, green, blue]) = cell.fill;
    let ink = if cell.fill.is_dark() { "white" } else { "black" };
    let outline = if cell.marked { "red,thick" } else { "white" };
    let _ = writeln!(
        tikz,
        "\\node[draw={outline},fill={{rgb,255:red,{red};green,{green};blue,{blue}}},text={ink},\
         minimum width=9mm,minimum height=6mm,inner sep=0pt] at ({column},{row}) {{{}}};",
        escaped(&cell.label)
    );
}

/// Text without what LaTeX takes for commands.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => safe.push_str("\\textbackslash{}"),
            '~' => safe.push_str("\\textasciitilde{}"),
            '^' => safe.push_str("\\textasciicircum{}"),
            '<' => safe.push_str("\\textless{}"),
            '>' => safe.push_str("\\textgreater{}"),
            '×' => safe.push_str("$\\times$"),
            '∘' => safe.push_str("$\\circ$"),
            '{' | '}' | '_' | '#' | '$' | '%' | '&' => safe.extend(['\\', letter]),
            _ => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::shaded;

    #[test]
    fn every_cell_is_a_node_of_its_place() {
        let layout: razorgirl::Layout = "(2,3):(3,1)".parse().unwrap();
        let tikz = draw(&[shaded("A_1".into(), &layout).unwrap()]);
        for (row, column) in (0..2).flat_map(|row| (0..3).map(move |column| (row, column))) {
            let offset = 3 * row + column;
            assert!(tikz.contains(&format!("at ({column},{}) {{{offset}}};", row + 2)), "{tikz}");
        }
        assert!(tikz.contains("{A\\_1}") && tikz.matches("fill=").count() == 6, "{tikz}");
        assert_eq!(tikz.matches('{').count(), tikz.matches('}').count());
    }
}
