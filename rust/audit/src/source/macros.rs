//! Macros as a text defines them: `#define NAME(a, b) …`, with the lines that it goes on for.

use std::ops::Range;

use super::brackets::items;
use super::tokens::line_end;
use super::words::{is_identifier, places};

const DEFINE: &str = "define";

/// A macro, by the places of its parts in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Macro {
    pub name: Range<usize>,
    /// Its parameters, if it has a list of them.
    pub params: Option<Vec<Range<usize>>>,
    /// What it stands for.
    pub body: Range<usize>,
}

/// The macros that a text defines, in its order; one that is defined twice comes twice.
pub fn macros(text: &str) -> impl Iterator<Item = Macro> + '_ {
    let directives = places(text, DEFINE).filter(|at| line_before(text, *at).trim() == "#");
    directives.filter_map(|at| {
        let rest = text.get(at + DEFINE.len()..)?;
        read(text, text.len() - rest.trim_start_matches([' ', '\t']).len())
    })
}

/// The macro of a name that a text defines, if it does so once.
pub fn only_macro(text: &str, name: &str) -> Option<Macro> {
    let mut all = places(text, name).filter(|at| is_defined_at(text, *at));
    let only = all.next().filter(|_| all.next().is_none())?;
    read(text, only)
}

/// Whether a text defines a macro of a name.
pub fn defines_macro(text: &str, name: &str) -> bool {
    places(text, name).any(|at| is_defined_at(text, at))
}

/// Whether the name at a place is being defined.
pub fn is_defined_at(text: &str, at: usize) -> bool {
    line_before(text, at).trim().strip_prefix('#').is_some_and(|rest| rest.trim() == DEFINE)
}

fn line_before(text: &str, at: usize) -> &str {
    text.get(..at).and_then(|head| head.rsplit('\n').next()).unwrap_or_default()
}

/// The macro whose name stands at a place.
fn read(text: &str, at: usize) -> Option<Macro> {
    let length = text.get(at..)?.bytes().take_while(|byte| is_identifier(*byte)).count();
    let name = at..at + length;
    let end = line_end(text.as_bytes(), at);
    let rest = text.get(name.end..end).filter(|_| length > 0)?;
    let Some(list) = rest.strip_prefix('(') else {
        return Some(Macro { body: name.end..end, name, params: None });
    };
    let list = list.get(..list.find(')')?)?;
    let begin = name.end + 1;
    let params = items(list).into_iter().map(|item| begin + item.start..begin + item.end).collect();
    Some(Macro { name, params: Some(params), body: begin + list.len() + 1..end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_of_a_text() {
        let text = "# define ONE 1\nint TWO = ONE;\n#define THREE(a, ...) f(a, \\\n  4)\n#define ONE_OF(ONE) FOUR\n// define FIVE\n";
        let said = |of: &Range<usize>| text[of.clone()].to_owned();
        let all: Vec<_> = macros(text)
            .map(|one| {
                (said(&one.name), one.params.map(|all| all.iter().map(said).collect::<Vec<_>>()), said(&one.body))
            })
            .collect();
        let params = |all: &[&str]| Some(all.iter().map(|one| (*one).to_owned()).collect());
        assert_eq!(
            all,
            [
                ("ONE".to_owned(), None, " 1".to_owned()),
                ("THREE".to_owned(), params(&["a", "..."]), " f(a, \\\n  4)".to_owned()),
                ("ONE_OF".to_owned(), params(&["ONE"]), " FOUR".to_owned()),
            ]
        );
        let defined = ["ONE", "TWO", "THREE", "FOUR", "FIVE"].map(|name| defines_macro(text, name));
        assert_eq!(defined, [true, false, true, false, false]);
        assert_eq!(only_macro(text, "ONE").map(|one| said(&one.body)), Some(" 1".to_owned()));
        assert_eq!(only_macro("#define A 1\n#undef A\n#define A 2\n", "A"), None);
    }
}
