//! In which files macros are defined: what a macro says is read where it stands, and most files define none of those that are asked for.

use foldhash::{HashMap, HashMapExt as _};

use memchr::memmem;
use rayon::prelude::*;

use crate::source::{Source, is_identifier};

/// What defines a macro.
const DEFINE: &str = "define";

/// The files that define a macro, ascending, by its name. Names that stand for nothing, such as those of include guards, are left out.
pub(super) fn defining(sources: &[Source]) -> HashMap<String, Vec<usize>> {
    let each = sources.par_iter().map(|source| if source.python { Vec::new() } else { names(&source.text) });
    let each: Vec<Vec<&str>> = each.collect();
    let mut all: HashMap<String, Vec<usize>> = HashMap::new();
    for (file, names) in each.into_iter().enumerate() {
        for name in names {
            match all.get_mut(name) {
                Some(files) => files.push(file),
                None => {
                    all.insert(name.to_owned(), vec![file]);
                }
            }
        }
    }
    all
}

/// The macros that a text defines, each once.
fn names(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = memmem::find_iter(text.as_bytes(), DEFINE)
        .filter_map(|at| {
            let hash = text.get(..at)?.trim_end_matches([' ', '\t']).ends_with('#');
            let rest = text.get(at + DEFINE.len()..).filter(|rest| hash && rest.starts_with([' ', '\t']))?;
            let rest = rest.trim_start_matches([' ', '\t']);
            let length = rest.bytes().take_while(|byte| is_identifier(*byte)).count();
            let (name, behind) = rest.split_at_checked(length)?;
            (!name.is_empty() && behind.starts_with(['(', ' ', '\t'])).then_some(name)
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_and_their_files() {
        let text = "#ifndef GUARD_H\n#define GUARD_H\n  # define A_SWITCH(x) x\n#define\tB A_SWITCH\n#define B C\n#undefine D 4\n// define E 5\n#endif\n";
        assert_eq!(names(text), ["A_SWITCH", "B"]);
        let sources = [text, "int x;", "#define B 4"].map(|text| Source::new("a.h", text.into()));
        let all = defining(&sources);
        assert_eq!(all.get("B"), Some(&vec![0, 2]));
        assert_eq!(all.len(), 2);
    }
}
