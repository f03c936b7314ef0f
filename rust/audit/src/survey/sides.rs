//! Sides of an `#if` in a function that say the same in other ways: which one is compiled, and what goes with it elsewhere, is not known.

use memchr::memmem;

/// Conditions that nest deeper are not followed.
const MAX_DEPTH: usize = 32;

/// Ways to take a part of what threads share.
const SLICES: [&str; 3] = ["get_slice", "get_thread_slice", "local_partition"];

/// An `#if` that is not yet closed.
#[derive(Default)]
struct Group {
    /// Where the present side begins.
    from: usize,
    /// Whether a side has the place, and whether another one slices.
    here: bool,
    elsewhere: bool,
}

/// Whether a place stands on one side of an `#if`, and another side takes slices as well.
pub(super) fn other_side_slices(text: &str, at: usize) -> bool {
    let mut open: Vec<Group> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (begin, end) = (start, start + line.len());
        start = end;
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        if directive.starts_with("if") {
            if open.len() >= MAX_DEPTH {
                return true;
            }
            open.push(Group { from: end, ..Group::default() });
            continue;
        }
        if !directive.starts_with("el") && !directive.starts_with("endif") {
            continue;
        }
        let Some(group) = open.last_mut() else { continue };
        if (group.from..begin).contains(&at) {
            group.here = true;
        } else if let Some(side) = text.get(group.from..begin) {
            group.elsewhere |= SLICES.iter().any(|word| memmem::find(side.as_bytes(), word.as_bytes()).is_some());
        }
        group.from = end;
        if directive.starts_with("endif") {
            if group.here && group.elsewhere {
                return true;
            }
            open.pop();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::other_side_slices;

    #[test]
    fn sides_that_slice() {
        let at = |text: &str| text.find('@').unwrap();
        for (text, other) in [
            ("#if A\n @\n#else\n c.get_slice(t);\n#endif\n", true),
            ("#ifdef A\n local_partition(x)\n#elif B\n @\n#endif\n", true),
            ("#if A\n#  if B\n @\n#  endif\n# else\n get_slice\n#endif\n", true),
            ("#if A\n @ get_slice\n#else\n printf();\n#endif\n", false),
            ("#if A\n get_slice\n#else\n get_slice\n#endif\n @", false),
            ("@\n#if A\n#endif\n#if A\n get_slice\n#endif", false),
            ("#if A\n @\n", false),
        ] {
            assert_eq!(other_side_slices(text, at(text)), other, "{text}");
        }
    }
}
