//! Macros such as `BOOL_SWITCH` and `HEADDIM_SWITCH`: the values that they give to a constant, and the names of that.

use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt as _, HashSet};

use memchr::memmem;
use rayon::prelude::*;

use crate::source::{Source, is_identifier, starts_word};

/// Values of one `#define X_SWITCH`.
pub const MAX_LISTED: usize = 32;

/// Bytes of a macro call up to the name that it defines.
const MAX_CALL: usize = 2_048;

/// What macros such as `HEADDIM_SWITCH` list, by the name of the constant that a call of one defines.
pub(super) fn named(sources: &[Source]) -> HashMap<&str, BTreeSet<i128>> {
    let mut macros: HashMap<&str, Option<Macro>> = HashMap::new();
    // Python knows no macros.
    let sources: Vec<&Source> = sources.iter().filter(|source| !source.python).collect();
    let found: Vec<Vec<(&str, Macro)>> = sources.par_iter().map(|source| definitions(&source.text)).collect();
    for (name, of) in found.into_iter().flatten() {
        // Several definitions that differ: none is known to hold.
        macros.entry(name).and_modify(|known| *known = known.take().filter(|known| *known == of)).or_insert(Some(of));
    }
    let names: HashSet<&str> = macros.iter().filter(|(_, of)| of.is_some()).map(|(name, _)| *name).collect();
    let calls: Vec<Vec<(&str, &str)>> = sources.par_iter().map(|source| calls(&source.text, &names, &macros)).collect();
    let mut listed: HashMap<&str, BTreeSet<i128>> = HashMap::new();
    for (name, constant) in calls.into_iter().flatten() {
        if let Some(Some(of)) = macros.get(name) {
            listed.entry(constant).or_default().extend(&of.values);
        }
    }
    listed
}

/// A macro that defines a constant, with each of some values.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Macro {
    /// Which of its arguments is the constant's name.
    position: usize,
    values: Vec<i128>,
}

fn definitions(text: &str) -> Vec<(&str, Macro)> {
    let mut found = Vec::new();
    for at in memmem::find_iter(text.as_bytes(), "#define") {
        let rest = text.get(at + 7..).unwrap_or_default().trim_start_matches([' ', '\t']);
        let length = rest.bytes().take_while(|byte| is_identifier(*byte)).count();
        let Some(name) = rest.get(..length).filter(|name| !name.is_empty()) else { continue };
        let Some((params, body)) = rest.get(length..).and_then(|rest| rest.strip_prefix('(')?.split_once(')')) else {
            continue;
        };
        let params: Vec<&str> = params.split(',').map(str::trim).collect();
        for (position, constant) in params.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            if let Some(values) = values(body, constant) {
                found.push((name, Macro { position, values }));
                break;
            }
        }
    }
    found
}

/// Which constants a text lets the macros define.
fn calls<'t>(
    text: &'t str,
    names: &HashSet<&str>,
    macros: &HashMap<&'t str, Option<Macro>>,
) -> Vec<(&'t str, &'t str)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for at in memchr::memchr_iter(b'(', bytes) {
        let before = bytes.get(..at).unwrap_or_default();
        let start = before.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |at| at + 1);
        let Some(name) = text.get(start..at).filter(|name| names.contains(name) && starts_word(bytes, start)) else {
            continue;
        };
        let defined = before.get(..start).is_some_and(|before| before.trim_ascii_end().ends_with(b"#define"));
        let Some(Some(of)) = macros.get(name).filter(|_| !defined) else { continue };
        let list = bytes.get(at + 1..bytes.len().min(at + MAX_CALL)).unwrap_or_default();
        let Some(range) = argument(list, of.position) else { continue };
        let constant = text.get(at + 1 + range.start..at + 1 + range.end).unwrap_or_default().trim();
        if !constant.is_empty() && constant.bytes().all(is_identifier) {
            found.push((name, constant));
        }
    }
    found
}

/// Where an argument of a call stands in the text after its parenthesis.
fn argument(list: &[u8], position: usize) -> Option<std::ops::Range<usize>> {
    let (mut depth, mut count, mut start) = (0_usize, 0_usize, 0_usize);
    for (at, byte) in list.iter().enumerate() {
        match byte {
            b'(' | b'{' | b'[' => depth += 1,
            b',' | b')' if depth == 0 => {
                if count == position {
                    return Some(start..at);
                }
                if *byte == b')' {
                    return None;
                }
                (count, start) = (count + 1, at + 1);
            }
            b')' | b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// What one definition of a switch macro says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Defined<'t> {
    /// The values that it gives to the constant that its last parameter but one names.
    Values(Vec<i128>),
    /// `#define DROPOUT_SWITCH BOOL_SWITCH`: another macro.
    Alias(&'t str),
    /// What is not read.
    Unknown,
}

/// What each definition of a macro says.
pub fn listed<'t>(text: &'t str, name: &str) -> Vec<Defined<'t>> {
    let all = text.match_indices(name).filter_map(|(at, _)| {
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        if line.trim().replace(' ', "") != "#define" {
            return None;
        }
        let rest = &text[at + name.len()..];
        let Some(rest) = rest.strip_prefix('(') else {
            // A longer name is another macro.
            let other = rest.split('\n').next().filter(|rest| rest.starts_with([' ', '\t']))?.trim();
            let is_name = !other.is_empty() && other.bytes().all(is_identifier);
            return Some(if is_name { Defined::Alias(other) } else { Defined::Unknown });
        };
        let (params, body) = rest.split_once(')')?;
        let params: Vec<&str> = params.split(',').map(str::trim).collect();
        let [.., constant, _] = params.as_slice() else { return Some(Defined::Unknown) };
        Some(values(body, constant).map_or(Defined::Unknown, Defined::Values))
    });
    all.collect()
}

/// The values that the body of a macro gives to a constant; none when one of them is no plain number.
fn values(body: &str, constant: &str) -> Option<Vec<i128>> {
    let mut values = Vec::new();
    // The body goes on as long as lines end in a backslash.
    for line in body.split('\n') {
        for statement in line.split(';') {
            let words =
                || statement.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
            if let Some(place) = words().position(|word| word == constant)
                && words().any(|word| word == "constexpr")
            {
                values.push(match words().nth(place + 1)? {
                    "true" => 1,
                    "false" => 0,
                    number => number.trim_end_matches(['u', 'U']).parse().ok()?,
                });
            }
        }
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    values.sort_unstable();
    values.dedup();
    (!values.is_empty() && values.len() <= MAX_LISTED).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_list_their_values() {
        let text = "#define BOOL_SWITCH(COND, NAME, ...) \\\n if (COND) { \\\n constexpr static bool NAME = true; \\\n } else { \\\n constexpr static bool NAME = false; }\nconstexpr int NAME = 7;";
        let values = |values: &[i128]| [Defined::Values(values.to_vec())];
        assert_eq!(listed(text, "BOOL_SWITCH"), values(&[0, 1]));
        let text = "#define HEADDIM_SWITCH(H, NAME, ...) \\\n if (H <= 32) { constexpr int NAME = 32; \\\n } else { constexpr int NAME = 64; }\n";
        assert_eq!(listed(text, "HEADDIM_SWITCH"), values(&[32, 64]));
        let text = "#define B_SWITCH(C, NAME, ...) [&] { if (C) { constexpr bool NAME = true; return f(); } else { constexpr bool NAME = false; return f(); } }()\n";
        assert_eq!(listed(text, "B_SWITCH"), values(&[0, 1]));
        let text = "#define A_SWITCH(H, NAME, ...) constexpr int NAME = f(H);\n";
        assert_eq!(listed(text, "A_SWITCH"), [Defined::Unknown]);
        let text = "#ifdef X\n #define C_SWITCH(C, NAME, ...) constexpr bool NAME = false;\n#else\n #define C_SWITCH B_SWITCH\n#endif\n#define C_SWITCHES 3\n";
        assert_eq!(listed(text, "C_SWITCH"), [Defined::Values(vec![0]), Defined::Alias("B_SWITCH")]);
        assert!(listed("A_SWITCH(x, y, [&] {})", "A_SWITCH").is_empty());
    }

    #[test]
    fn calls_name_the_constant() {
        let text = "#define DISPATCH_DIM(dim, DIM, ...) \\\n switch (dim) { case 64: { constexpr size_t DIM = 64; __VA_ARGS__ } \\\n case 128: { constexpr size_t DIM = 128; __VA_ARGS__ } }\nvoid f() { DISPATCH_DIM(g(1, 2), HEAD_DIM, { run<HEAD_DIM>(); }); }";
        let source = Source::new("a.cu", text.as_bytes().to_vec());
        let all = named(std::slice::from_ref(&source));
        assert_eq!(all.get("HEAD_DIM"), Some(&BTreeSet::from([64, 128])));
        assert_eq!(all.len(), 1);
        // Two macros of that name that differ: none is known to hold.
        let other = Source::new("b.cu", text.replace("128", "96").into_bytes());
        assert!(named(&[source, other]).is_empty());
    }
}
