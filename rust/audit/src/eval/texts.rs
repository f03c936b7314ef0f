//! What the texts of all files say whatever is read of them: found out once, however often the units change.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use foldhash::{HashMap, HashSet};

use super::instances::named_by_macros;
use super::listed;
use crate::source::Source;

/// What some texts say.
#[derive(Debug, Default)]
pub struct Texts {
    hidden: OnceLock<HashSet<String>>,
    listed: OnceLock<HashMap<String, BTreeSet<i128>>>,
}

impl Texts {
    /// The types that macros give a name.
    pub fn hidden(&self, sources: &[Source]) -> &HashSet<String> {
        let own = |names: HashSet<&str>| names.into_iter().map(str::to_owned).collect();
        self.hidden.get_or_init(|| own(named_by_macros(sources)))
    }

    /// The values that macros such as `HEADDIM_SWITCH` list, by the name of the constant that a call of one defines.
    pub fn listed(&self, sources: &[Source]) -> &HashMap<String, BTreeSet<i128>> {
        let own = |all: HashMap<&str, BTreeSet<i128>>| {
            all.into_iter().map(|(name, values)| (name.to_owned(), values)).collect()
        };
        self.listed.get_or_init(|| own(listed::named(sources)))
    }
}
