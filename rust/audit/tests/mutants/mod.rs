//! Mutants of traits: every number of every A, B and C layout replaced by its neighbours in that layout, and exchanged with the next.
//! Those that are equal as functions are left out.

use std::ops::Range;

use razorgirl::Layout;

/// A changed text, and what was changed.
pub struct Mutant {
    pub text: String,
    pub what: String,
}

/// The layouts that are written in `using ALayout = Layout<…>;` and the like, and in the aliases of CUTLASS's own traits.
fn layouts(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for member in ["ALayout", "BLayout", "CLayout", "SM80_"] {
        for (at, _) in text.match_indices(&format!("using {member}")) {
            let Some(end) = text[at..].find(';').map(|end| at + end) else { continue };
            let Some(start) = text[at..end].find("Layout<").map(|start| at + start) else { continue };
            found.push(start..end);
        }
    }
    found
}

/// `_4` and `Int<4>` by where their digits stand.
fn numbers(text: &str, within: &Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = within.start;
    while at < within.end {
        if bytes[at].is_ascii_digit() {
            let end = (at..within.end).find(|at| !bytes[*at].is_ascii_digit()).unwrap_or(within.end);
            if matches!(bytes[at - 1], b'_' | b'<') {
                found.push(at..end);
            }
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

/// `Layout<Shape<_4,_8>,Stride<_8,_1>>` as a layout of the library; none when the two nest differently.
fn layout(text: &str) -> Option<Layout> {
    let mut plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    for (word, short) in [("cute::", ""), ("Layout<", "<"), ("Shape<", "<"), ("Stride<", "<"), ("Int<", "<")] {
        plain = plain.replace(word, short);
    }
    let plain = plain.strip_prefix('<')?.strip_suffix('>')?.replace('<', "(").replace('>', ")");
    let mut depth = 0;
    let comma = plain.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        *c == ',' && depth == 0
    })?;
    format!("{}:{}", &plain[..comma.0], &plain[comma.0 + 1..]).parse().ok()
}

fn same(a: Option<Layout>, b: Option<Layout>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    let sizes = |layout: &Layout| (0..layout.rank()).map(|mode| layout.mode(mode).unwrap().size()).collect::<Vec<_>>();
    sizes(&a) == sizes(&b) && a.offsets().eq(b.offsets())
}

/// All mutants of a text.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let mut all = Vec::new();
    for whole in layouts(text) {
        let own = &text[whole.clone()];
        // What is an alias of something else is mutated where it is written.
        let Some(before) = layout(own) else { continue };
        let numbers = numbers(text, &whole);
        let mut put = |changes: &[(usize, usize)]| {
            let mut changed = text.to_owned();
            let mut end = whole.end;
            // From behind, so that places stay.
            let mut sorted = changes.to_vec();
            sorted.sort_unstable_by_key(|(at, _)| std::cmp::Reverse(*at));
            for (at, with) in sorted {
                let with = &text[numbers[with].clone()];
                end = end + with.len() - numbers[at].len();
                changed.replace_range(numbers[at].clone(), with);
            }
            let after = &changed[whole.start..end];
            let equal = after == own || same(Some(before.clone()), layout(after));
            if !equal && !all.iter().any(|seen: &Mutant| seen.text == changed) {
                let line = text[..whole.start].matches('\n').count() + 1;
                all.push(Mutant { what: format!("line {line}: {after}"), text: changed });
            }
        };
        for (at, next) in (1..numbers.len()).map(|next| (next - 1, next)) {
            put(&[(at, next)]);
            put(&[(next, at)]);
            put(&[(at, next), (next, at)]);
        }
    }
    all
}
