//! What texts say without being parsed: which functions they define (`defined`), which values their macros list (`switches`), and which
//! files have a `make_layout` of their own (`makers`). What is asked of all of them is found out once, however often the units change.

mod defined;
mod makers;
mod switches;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use foldhash::{HashMap, HashSet};

use crate::source::Source;

pub use defined::{defines, definitions};
pub use switches::{Defined, MAX_LISTED, listed};

use defined::named_by_macros;
use makers::makers;

/// What some texts say.
#[derive(Debug, Default)]
pub struct Texts {
    hidden: OnceLock<HashSet<String>>,
    listed: OnceLock<HashMap<String, BTreeSet<i128>>>,
    makers: OnceLock<HashSet<usize>>,
}

impl Texts {
    /// The types that macros give a name.
    pub fn hidden(&self, sources: &[Source]) -> &HashSet<String> {
        let own = |names: HashSet<&str>| names.into_iter().map(str::to_owned).collect();
        self.hidden.get_or_init(|| own(named_by_macros(sources)))
    }

    /// The files that have a `make_layout` of their own.
    pub fn makers(&self, sources: &[Source]) -> &HashSet<usize> {
        self.makers.get_or_init(|| makers(sources))
    }

    /// The values that macros such as `HEADDIM_SWITCH` list, by the name of the constant that a call of one defines.
    pub fn listed(&self, sources: &[Source]) -> &HashMap<String, BTreeSet<i128>> {
        let own = |all: HashMap<&str, BTreeSet<i128>>| {
            all.into_iter().map(|(name, values)| (name.to_owned(), values)).collect()
        };
        self.listed.get_or_init(|| own(switches::named(sources)))
    }
}
