//! What can be asked: the table of operations, each in each of its modes.

use crate::judge;
use razorgirl_protocol::{Mode, Op, ops};
use std::sync::LazyLock;

/// The operations of the table that can be judged, in order of name. An operation with more modes than one stands for its
/// default, and beside it once for each other mode: `composition_complete` is `composition` with `"mode":"complete"`.
pub fn names() -> &'static [String] {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let judged = ops().iter().filter(|op| judge::knows(op.name));
        let mut names: Vec<String> = judged
            .flat_map(|op| {
                op.modes.iter().map(|mode| match mode {
                    Mode::Strict => op.name.to_owned(),
                    mode => format!("{}_{}", op.name, mode.name()),
                })
            })
            .collect();
        names.sort_unstable();
        names
    });
    &NAMES
}

/// The names of the operations of some concepts: those in these files of the protocol's table.
pub fn names_of(concepts: &[&str]) -> Vec<&'static str> {
    let rows = razorgirl_protocol::concepts().iter().filter(|(concept, _)| concepts.contains(concept));
    let wanted: Vec<&str> = rows.flat_map(|(_, rows)| rows.iter().map(|op| op.name)).collect();
    let names = names().iter().map(String::as_str);
    names.filter(|name| operation(name).is_some_and(|(op, _)| wanted.contains(&op.name))).collect()
}

/// The operation and the mode of one of the [`names`].
pub fn operation(name: &str) -> Option<(&'static Op, Mode)> {
    if let Some(op) = Op::named(name) {
        return Some((op, Mode::Strict));
    }
    Mode::ALL.into_iter().find_map(|mode| {
        let name = name.strip_suffix(mode.name())?.strip_suffix('_')?;
        Some((Op::named(name).filter(|op| op.modes.contains(&mode))?, mode))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An operation without a judge would be compared with Lean only.
    #[test]
    fn every_operation_has_a_judge() {
        let unjudged: Vec<&str> = ops().iter().map(|op| op.name).filter(|name| !judge::knows(name)).collect();
        assert!(unjudged.is_empty(), "{unjudged:?}");
    }

    #[test]
    fn names_are_operations_in_a_mode() {
        assert!(names().is_sorted() && names().len() > 80);
        for name in names() {
            let (op, mode) = operation(name).expect(name);
            assert_eq!(mode == Mode::Strict, op.name == name, "{name}");
        }
        assert!(names().iter().any(|name| name == "composition_complete"));
        assert!(operation("size_complete").is_none() && operation("nothing").is_none());
        assert_eq!(names_of(&["sort", "with_shape"]), ["sort", "with_shape", "with_shape_complete"]);
    }
}
