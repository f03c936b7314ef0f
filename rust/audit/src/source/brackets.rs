//! Brackets of a text that is no tree: where one is closed, and which is open.

use std::ops::Range;

/// How far a bracket is looked for.
const MAX_FAR: usize = 4_096;

/// Where the parenthesis is closed that stands before a text.
pub fn closing(text: &str) -> Option<usize> {
    let mut depth = 1_usize;
    for (at, sign) in text.char_indices().take(MAX_FAR) {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The list of template arguments that a text begins with, `<…>` without the brackets.
pub fn angled(text: &str) -> Option<&str> {
    let list = text.strip_prefix('<')?;
    let mut depth = 0_usize;
    for (at, sign) in list.char_indices().take(MAX_FAR) {
        match sign {
            '<' => depth += 1,
            '>' if depth == 0 => return list.get(..at),
            '>' => depth -= 1,
            ';' => return None,
            _ => {}
        }
    }
    None
}

/// The items of a list, without the spaces around them: what stands between commas that are in no brackets. An empty list has one empty item.
pub fn items(text: &str) -> Vec<Range<usize>> {
    let (mut depth, mut start) = (0_usize, 0);
    let mut all = Vec::new();
    for (at, sign) in text.char_indices().chain([(text.len(), ',')]) {
        match sign {
            '(' | '<' | '{' | '[' => depth += 1,
            ')' | '>' | '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 || at == text.len() => {
                let one = text.get(start..at).unwrap_or_default();
                let begin = start + one.len() - one.trim_start().len();
                all.push(begin..begin + one.trim().len());
                start = at + 1;
            }
            _ => {}
        }
    }
    all
}

/// The bracket that is open at the end of a text, in the same statement, and what stands before it.
pub fn opened(text: &str) -> Option<(char, &str)> {
    let mut depth = 0_usize;
    for (at, sign) in text.char_indices().rev().take(MAX_FAR) {
        match sign {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' if depth > 0 => depth -= 1,
            '(' | '[' | '{' => return Some((sign, text.get(..at)?.trim_end())),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_template_arguments() {
        assert_eq!(angled("<A<1, 2>, B> c> d"), Some("A<1, 2>, B"));
        assert_eq!((angled("A<1>"), angled("<A; B>"), angled("<A<1>")), (None, None, None));
    }

    #[test]
    fn items_of_lists() {
        let of = |text: &'static str| items(text).into_iter().map(|item| &text[item]).collect::<Vec<_>>();
        assert_eq!(of(" f(1, 2) , A<3, 4>, {5, 6}, [7, 8] "), ["f(1, 2)", "A<3, 4>", "{5, 6}", "[7, 8]"]);
        assert_eq!((of(""), of("a,")), (vec![""], vec!["a", ""]));
    }

    #[test]
    fn brackets_are_counted() {
        assert_eq!((closing("a(b), c) d)"), closing("a(b")), (Some(7), None));
        assert_eq!(opened("f(a, g [b(c), "), Some(('[', "f(a, g")));
        assert_eq!((opened("f(a); b"), opened("{ f(a)")), (None, Some(('{', ""))));
    }
}
