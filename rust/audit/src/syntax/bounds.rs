//! `__launch_bounds__` behind a macro of the same file: `#define BOUNDS(n) __launch_bounds__(n)`. The grammar takes such a word for a type, and
//! with it the head of a kernel for something else, so that it is blanked, and read here.

use std::ops::Range;

use crate::source::{closing, is_defined_at, is_identifier, items, places};

/// The attribute.
const BOUNDS: &str = "__launch_bounds__";

/// Macros that are looked at in one file.
const MAX_MACROS: usize = 64;

/// Longer definitions are not read.
const MAX_TEXT: usize = 256;

/// A macro that is the attribute, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bounds<'t> {
    /// Its name.
    pub name: &'t str,
    /// Its parameters; none where it has no list of them.
    params: Option<Vec<&'t str>>,
    /// The most threads of a block, as it is defined.
    most: Range<usize>,
    /// The line on which it is defined.
    line: Range<usize>,
}

/// The macros of a text that are the attribute. One that is defined twice may be either.
pub(super) fn all(text: &str) -> Vec<Bounds<'_>> {
    let mut found: Vec<Bounds<'_>> = places(text, BOUNDS).take(MAX_MACROS).filter_map(|at| defined(text, at)).collect();
    let names: Vec<&str> = found.iter().map(|of| of.name).collect();
    let again = |name: &str| {
        names.iter().filter(|other| **other == name).count() > 1
            || places(text, name).filter(|at| is_defined_at(text, *at)).count() > 1
    };
    found.retain(|of| !again(of.name));
    found
}

/// The macro that the attribute at some place is all of.
fn defined(text: &str, at: usize) -> Option<Bounds<'_>> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let end = at + text.get(at..)?.find('\n').unwrap_or(text.len() - at);
    let line = text.get(start..end).filter(|line| line.len() <= MAX_TEXT && !line.trim_end().ends_with('\\'))?;
    let head = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let named = head.trim_start();
    let length = named.bytes().take_while(|byte| is_identifier(*byte)).count();
    let (name, rest) = named.split_at_checked(length).filter(|_| length > 0 && head.len() > named.len())?;
    let (params, body) = match rest.strip_prefix('(') {
        Some(list) => {
            let (list, body) = list.split_once(')')?;
            (Some(list.split(',').map(str::trim).collect()), body)
        }
        None => (None, rest),
    };
    // Nothing else stands before or after it, but a comment.
    let inside = body.trim_start().strip_prefix(BOUNDS)?.trim_start().strip_prefix('(')?;
    let close = closing(inside)?;
    let after = inside.get(close + 1..)?.trim();
    if !(after.is_empty() || after.starts_with("//") || after.starts_with("/*")) {
        return None;
    }
    let first = first(inside.get(..close)?);
    let begin = end - inside.len();
    let begin = begin + first.start;
    Some(Bounds { name, params, most: begin..begin + first.len(), line: start..end })
}

impl Bounds<'_> {
    /// Where the macro is used.
    pub(super) fn uses<'s>(&'s self, text: &'s str) -> impl Iterator<Item = Range<usize>> + 's {
        places(text, self.name).filter(|at| !self.line.contains(at)).filter_map(|at| self.used(text, at))
    }

    /// The first use in a part of a text.
    pub(super) fn used_in(&self, text: &str, part: &Range<usize>) -> Option<Range<usize>> {
        let at = places(text.get(part.clone())?, self.name).next()? + part.start;
        self.used(text, at).filter(|used| used.end <= part.end)
    }

    /// All of a use, with its arguments.
    fn used(&self, text: &str, at: usize) -> Option<Range<usize>> {
        let end = at + self.name.len();
        if self.params.is_none() {
            return Some(at..end);
        }
        let list = text.get(end..)?.trim_start().strip_prefix('(')?;
        let begin = text.len() - list.len();
        Some(at..begin + closing(list)? + 1)
    }

    /// The text that says the most threads of a block, where the macro is used.
    pub(super) fn most(&self, text: &str, used: &Range<usize>) -> Option<Range<usize>> {
        let said = text.get(self.most.clone())?;
        let Some(params) = &self.params else { return Some(self.most.clone()) };
        if let Some(at) = params.iter().position(|param| *param == said) {
            let list = text.get(used.clone())?.get(self.name.len()..)?;
            let open = list.find('(')?;
            let inside = list.get(open + 1..list.len().checked_sub(1)?)?;
            let begin = used.start + self.name.len() + open + 1;
            let argument = items(inside).into_iter().nth(at)?;
            return Some(begin + argument.start..begin + argument.end);
        }
        // Made of a parameter, it is another thing at each use.
        let fixed = params.iter().all(|param| places(said, param).next().is_none());
        fixed.then(|| self.most.clone())
    }
}

fn first(text: &str) -> Range<usize> {
    items(text).into_iter().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_behind_macros() {
        let most = |text: &str| {
            let all = all(text);
            let [only] = all.as_slice() else { return None };
            let used = only.uses(text).next()?;
            only.most(text, &used).and_then(|range| text.get(range)).map(str::to_owned)
        };
        for (text, bound) in [
            ("#define LB __launch_bounds__(128, 2)\nLB void k();", Some("128")),
            ("# define LB __launch_bounds__( kThreads ) // all\nLB void k();", Some("kThreads")),
            ("#define LB(n) __launch_bounds__(n)\nLB(128) void k();", Some("128")),
            ("#define LB(n, m) __launch_bounds__(m, n)\nLB(1, size(X{}) ) void k();", Some("size(X{})")),
            ("#define LB(n) __launch_bounds__(256, n)\nLB(128) void k();", Some("256")),
            ("#define LB(n) __launch_bounds__(n * 32)\nLB(128) void k();", None),
            ("#define LB __global__ __launch_bounds__(128)\nLB void k();", None),
            ("#define LB __launch_bounds__(128)\n#define LB __launch_bounds__(64)\nLB void k();", None),
            ("#define LB __launch_bounds__(128)\n#undef LB\n#define LB\nLB void k();", None),
        ] {
            assert_eq!(most(text).as_deref(), bound, "{text}");
        }
    }
}
