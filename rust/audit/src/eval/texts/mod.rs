//! What texts say without being parsed: which functions they define (`defined`), in which of them macros are defined (`macros`) and
//! which values those list (`switches`), and which files have a function or class of their own by one of CuTe's names (`owners`). What is asked of all of them is found out once, however often the units change.

mod defined;
mod includes;
mod macros;
mod owners;
mod switches;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use foldhash::{HashMap, HashSet};

use crate::source::Source;

pub use defined::{defines, definitions};
pub use switches::{Defined, MAX_LISTED, listed};

use defined::named_by_macros;
use includes::Includes;
use owners::{aliases, is_name, owners};

/// What some texts say.
#[derive(Debug, Default)]
pub struct Texts {
    hidden: OnceLock<HashSet<String>>,
    listed: OnceLock<HashMap<String, BTreeSet<i128>>>,
    owners: OnceLock<HashMap<&'static str, HashSet<usize>>>,
    aliases: OnceLock<HashSet<String>>,
    macros: OnceLock<HashMap<String, Vec<usize>>>,
    includes: Includes,
}

impl Texts {
    /// The types that macros give a name.
    pub fn hidden(&self, sources: &[Source]) -> &HashSet<String> {
        let own = |names: HashSet<&str>| names.into_iter().map(str::to_owned).collect();
        self.hidden.get_or_init(|| own(named_by_macros(sources)))
    }

    /// Whether a file has a function or class of its own by one of CuTe's names.
    pub fn owns(&self, sources: &[Source], file: usize, name: &str) -> bool {
        self.owners.get_or_init(|| owners(sources)).get(name).is_some_and(|files| files.contains(&file))
    }

    /// Whether one of CuTe's names behind a namespace, or a class, is somebody else's: of `cute` by none of its names.
    pub fn is_elsewhere(&self, sources: &[Source], space: &str, name: &str) -> bool {
        is_name(name) && space != "cute" && !self.aliases.get_or_init(|| aliases(sources)).contains(space)
    }

    /// The files that one includes, by way of others too, and itself.
    pub fn included_by(&self, sources: &[Source], file: usize) -> Arc<HashSet<usize>> {
        self.includes.reached(sources, file)
    }

    /// The sources that define a macro.
    pub fn defining<'s>(&self, sources: &'s [Source], name: &str) -> impl Iterator<Item = &'s Source> {
        let files = self.macros.get_or_init(|| macros::defining(sources)).get(name);
        files.into_iter().flatten().filter_map(|file| sources.get(*file))
    }

    /// The values that macros such as `HEADDIM_SWITCH` list, by the name of the constant that a call of one defines.
    pub fn listed(&self, sources: &[Source]) -> &HashMap<String, BTreeSet<i128>> {
        let own = |all: HashMap<&str, BTreeSet<i128>>| {
            all.into_iter().map(|(name, values)| (name.to_owned(), values)).collect()
        };
        self.listed.get_or_init(|| own(switches::named(sources)))
    }
}
