//! What the text says without being parsed: which functions it defines, and which types its macros name.

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use memchr::memmem;
use rayon::prelude::*;

use crate::source::{Source, is_identifier};

/// What a type is given a name with.
const USING: &str = "using ";

/// The types that macros give a name: `using elem_type = cutlass::half_t; \\` in a line of a `#define`.
pub fn named_by_macros(sources: &[Source]) -> HashSet<&str> {
    let each = sources.par_iter().filter(|source| !source.python).map(|source| {
        let text = source.text.as_str();
        let names = memmem::find_iter(text.as_bytes(), USING).filter_map(|at| {
            let rest = text.get(at + USING.len()..)?;
            let line = rest.split('\n').next()?;
            let (name, _) = line.split_once('=')?;
            let name = name.trim();
            (line.trim_end().ends_with('\\') && !name.is_empty() && name.bytes().all(is_identifier)).then_some(name)
        });
        names.collect::<HashSet<&str>>()
    });
    each.reduce(HashSet::new, |mut all, some| {
        all.extend(some);
        all
    })
}

/// Whether a text defines a function of a name.
pub fn defines(text: &str, name: &str) -> bool {
    text.contains(name) && !definitions(text, &HashMap::from_iter([(name, true)])).is_empty()
}

/// Which of the names a text defines functions of: `name(…) {` with nothing but words in between.
pub fn definitions<'a, T>(text: &str, names: &HashMap<&'a str, T>) -> HashMap<&'a str, usize> {
    let bytes = text.as_bytes();
    let mut found = HashMap::new();
    for at in memchr::memchr_iter(b'(', bytes) {
        let before = bytes.get(..at).unwrap_or_default();
        let start = before.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |at| at + 1);
        let Some((name, _)) = text.get(start..at).and_then(|name| names.get_key_value(name)) else { continue };
        if body_follows(bytes.get(at..at.saturating_add(MAX_HEAD).min(bytes.len())).unwrap_or_default()) {
            *found.entry(*name).or_default() += 1;
        }
    }
    found
}

/// Bytes of a function's head. A longer one counts as a definition: unknown is not no.
const MAX_HEAD: usize = 4_096;

/// Whether a list in parentheses is that of a function that is defined there.
fn body_follows(text: &[u8]) -> bool {
    let (mut depth, mut angles) = (0_usize, 0_usize);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b'{' if depth == 0 => return true,
            b')' | b';' | b'}' | b'=' | b'?' if depth == 0 => return false,
            b',' if depth == 0 && angles == 0 => return false,
            b')' => depth -= 1,
            b'<' if depth == 0 => angles += 1,
            b'>' if depth == 0 && text.get(at.wrapping_sub(1)) != Some(&b'-') => match angles.checked_sub(1) {
                Some(rest) => angles = rest,
                // A call among template arguments: `Swizzle<2, 0, f(8)>{}`.
                None => return false,
            },
            _ => {}
        }
    }
    text.len() == MAX_HEAD
}
