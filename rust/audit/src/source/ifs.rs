//! The `#if`s of a text, whatever their conditions say.

use std::ops::Range;

/// Conditions that nest deeper are not followed.
const MAX_DEPTH: usize = 32;

/// An `#if` with all of its sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct If {
    /// Its first line.
    pub line: Range<usize>,
    /// Its sides: each from behind its own line up to the next one of the `#if`.
    pub sides: Vec<Range<usize>>,
    /// Whether the last side is an `#else`, so that one of them is compiled.
    pub otherwise: bool,
    /// Whether it ends in the text.
    pub closed: bool,
}

impl If {
    /// Which side has a place.
    pub fn side(&self, at: usize) -> Option<usize> {
        self.sides.iter().position(|side| side.contains(&at))
    }
}

/// What a text has of them, in the order in which they begin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ifs {
    pub all: Vec<If>,
    /// Whether the text begins within one.
    pub cut: bool,
}

impl Ifs {
    /// Those of a text; nothing where they nest too deeply.
    pub fn of(text: &str) -> Option<Self> {
        let mut ifs = Self::default();
        let mut open: Vec<usize> = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let (begin, end) = (start, start + line.len());
            start = end;
            let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
            if directive.starts_with("if") {
                if open.len() >= MAX_DEPTH {
                    return None;
                }
                open.push(ifs.all.len());
                // It ends with the text, unless something ends it before.
                let first = end..text.len();
                ifs.all.push(If { line: begin..end, sides: Vec::from([first]), otherwise: false, closed: false });
                continue;
            }
            let (another, ends) = (directive.starts_with("el"), directive.starts_with("endif"));
            if !another && !ends {
                continue;
            }
            let Some(of) = open.last().and_then(|index| ifs.all.get_mut(*index)) else {
                ifs.cut = true;
                continue;
            };
            if let Some(side) = of.sides.last_mut() {
                side.end = begin;
            }
            if another {
                of.sides.push(end..text.len());
                of.otherwise = directive.starts_with("else");
            } else {
                of.closed = true;
                open.pop();
            }
        }
        Some(ifs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ifs_of_a_text() {
        let text = "a\n#if A\nb\n# if B\nc\n# endif\n#elif C\n#else\nd\n#endif\n";
        let ifs = Ifs::of(text).unwrap();
        let sides = |of: &If| of.sides.iter().map(|side| text[side.clone()].to_owned()).collect::<Vec<_>>();
        let [outer, inner] = ifs.all.as_slice() else { panic!("{ifs:?}") };
        assert_eq!(sides(outer), ["b\n# if B\nc\n# endif\n", "", "d\n"]);
        assert_eq!(sides(inner), ["c\n"]);
        assert_eq!((outer.otherwise, inner.otherwise, outer.closed, ifs.cut), (true, false, true, false));
        assert_eq!(
            (outer.side(text.find('c').unwrap()), outer.side(text.find("\nd").unwrap() + 1)),
            (Some(0), Some(2))
        );
        assert_eq!(outer.side(0), None);
        assert!(Ifs::of("#else\n#endif\n").unwrap().cut);
        assert!(!Ifs::of("#if A\nb").unwrap().all[0].closed);
        assert_eq!(Ifs::of(&"#if A\n".repeat(MAX_DEPTH + 1)), None);
    }
}
