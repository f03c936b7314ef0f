//! What is code and what is comment in a Lean file.

/// What to leave of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Everything but comments.
    CodeAndStrings,
    /// Neither comments nor what stands in string literals.
    Code,
}

enum Mode {
    /// Lean text; the number counts open braces inside an interpolation `s!"…{ here }…"`.
    Code { braces: usize },
    /// A string literal; in an interpolated one `{` starts code again.
    Text { interpolated: bool },
}

/// `text` with comments (nested ones and docstrings too) turned into blanks; line and column of everything else stay.
///
/// String literals are read as Lean reads them, so that neither `"--"` nor `'"'` hides what follows.
pub fn blank_comments(text: &str, keep: Keep) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut modes = vec![Mode::Code { braces: 0 }];
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        let at = |k: usize| chars.get(i + k).copied().unwrap_or('\0');
        if let Some(Mode::Text { interpolated }) = modes.last() {
            let (interpolated, len) = (*interpolated, if c == '\\' { 2 } else { 1 });
            match c {
                '"' => {
                    modes.pop();
                    out.push('"');
                }
                '{' if interpolated => {
                    modes.push(Mode::Code { braces: 0 });
                    out.push('{');
                }
                _ => chars[i..chars.len().min(i + len)].iter().for_each(|c| out.push(in_string(*c, keep))),
            }
            i += len;
            continue;
        }
        let before = if i == 0 { ' ' } else { chars[i - 1] };
        let end = if c == '-' && at(1) == '-' {
            line_comment(&chars, i)
        } else if c == '/' && at(1) == '-' {
            block_comment(&chars, i)
        } else {
            i
        };
        if end > i {
            out.extend(chars[i..end].iter().map(|c| blank(*c)));
            i = end;
            continue;
        }
        let end = literal(&chars, i, before);
        if end > i {
            out.extend(chars[i..end].iter().map(|c| in_string(*c, keep)));
            i = end;
            continue;
        }
        match c {
            '"' => modes.push(Mode::Text { interpolated: before == '!' }),
            '{' | '}' => {
                let depth = modes.len();
                if let Some(Mode::Code { braces }) = modes.last_mut() {
                    if c == '{' {
                        *braces += 1;
                    } else if *braces > 0 {
                        *braces -= 1;
                    } else if depth > 1 {
                        modes.pop();
                    }
                }
            }
            _ => {}
        }
        out.push(c);
        i += 1;
    }
    out
}

fn blank(c: char) -> char {
    if c == '\n' { '\n' } else { ' ' }
}

fn in_string(c: char, keep: Keep) -> char {
    if keep == Keep::Code { blank(c) } else { c }
}

fn line_comment(chars: &[char], start: usize) -> usize {
    chars[start..].iter().position(|c| *c == '\n').map_or(chars.len(), |n| start + n)
}

/// End of the comment that opens at `start`. As in Lean, `/--/` and `/-!/` do not close at once.
fn block_comment(chars: &[char], start: usize) -> usize {
    let mut i = start + if matches!(chars.get(start + 2), Some('-' | '!')) { 3 } else { 2 };
    let mut nesting = 1;
    while i < chars.len() {
        match (chars[i], chars.get(i + 1)) {
            ('-', Some('/')) => {
                nesting -= 1;
                i += 2;
                if nesting == 0 {
                    return i;
                }
            }
            ('/', Some('-')) => {
                nesting += 1;
                i += 2;
            }
            _ => i += 1,
        }
    }
    chars.len()
}

/// End of the raw string, character literal or «name» at `start`; `start` if there is none.
fn literal(chars: &[char], start: usize, before: char) -> usize {
    let until =
        |from: usize, close: char| chars[from..].iter().position(|c| *c == close).map_or(chars.len(), |n| from + n + 1);
    match chars[start] {
        '«' => until(start + 1, '»'),
        'r' if !is_word(before) => {
            let hashes = chars[start + 1..].iter().take_while(|c| **c == '#').count();
            if chars.get(start + 1 + hashes) != Some(&'"') {
                return start;
            }
            let mut i = start + 2 + hashes;
            while i < chars.len() {
                if chars[i] == '"' && chars[i + 1..].iter().take_while(|c| **c == '#').count() >= hashes {
                    return i + 1 + hashes;
                }
                i += 1;
            }
            chars.len()
        }
        '\'' if !is_word(before) => match (chars.get(start + 1), chars.get(start + 2)) {
            (Some('\\'), Some(_)) if start + 3 <= chars.len() => until(start + 3, '\''),
            (Some(_), Some('\'')) => start + 3,
            _ => start,
        },
        _ => start,
    }
}

/// Whether `c` can stand in a Lean identifier (dots separate its parts).
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '!' | '?' | '\'')
}

/// Words of `text` with line and column, all counted from 1.
pub fn words(text: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    text.lines().enumerate().flat_map(|(n, line)| {
        let mut found = Vec::new();
        let mut start = None;
        for (column, (at, c)) in line.char_indices().enumerate() {
            match (is_word(c), start) {
                (true, None) => start = Some((column, at)),
                (false, Some((column, from))) => {
                    found.push((n + 1, column + 1, &line[from..at]));
                    start = None;
                }
                _ => {}
            }
        }
        if let Some((column, from)) = start {
            found.push((n + 1, column + 1, &line[from..]));
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        blank_comments(text, Keep::CodeAndStrings).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_go_and_code_stays() {
        assert_eq!(code("a -- b\nc"), "a c");
        assert_eq!(code("a /- b /- c -/ d -/ e"), "a e");
        assert_eq!(code("/-- doc -/ def /-! mod -/ x"), "def x");
        assert_eq!(code("/--/ still inside -/ x"), "x");
        assert_eq!(code("a /- never closed"), "a");
        assert_eq!(code("-- /- \n axiom -- -/"), "axiom");
    }

    #[test]
    fn strings_do_not_open_comments() {
        assert_eq!(code(r#"f "--" axiom"#), r#"f "--" axiom"#);
        assert_eq!(code(r#"f "a\"--" axiom"#), r#"f "a\"--" axiom"#);
        assert_eq!(code(r#"f '"' -- x"#), r#"f '"'"#);
        assert_eq!(code(r#"f '\'' "--" y"#), r#"f '\'' "--" y"#);
        assert_eq!(code(r#"h' "--" y"#), r#"h' "--" y"#);
        assert_eq!(code("r#\"a\"--\"# axiom"), "r#\"a\"--\"# axiom");
        assert_eq!(code(r#"s!"{f "--"}" axiom"#), r#"s!"{f "--"}" axiom"#);
        assert_eq!(code(r#"s!"{ {a := "{"} }--" axiom -- x"#), r#"s!"{ {a := "{"} }--" axiom"#);
        assert_eq!(code(r#""{" -- x"#), r#""{""#);
        assert_eq!(code("«a -- b» axiom"), "«a -- b» axiom");
    }

    #[test]
    fn places_are_kept() {
        let kept = blank_comments("/- ä\n -/ def x", Keep::Code);
        assert_eq!(words(&kept).collect::<Vec<_>>(), [(2, 5, "def"), (2, 9, "x")]);
    }
}
