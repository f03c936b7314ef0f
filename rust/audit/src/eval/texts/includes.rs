//! Which files a file includes, by way of others too: of two classes of one name it means the one in them.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use foldhash::{HashMap, HashSet, HashSetExt as _};

use crate::source::{Source, direct};

/// Files that are followed from one.
const MAX_REACHED: usize = 4_096;

/// Files that one file includes.
type Reached = Arc<HashSet<usize>>;

/// What was found out so far.
#[derive(Debug, Default)]
pub(super) struct Includes {
    direct: OnceLock<Vec<Box<[usize]>>>,
    reached: Mutex<HashMap<usize, Reached>>,
}

impl Includes {
    /// The files that one includes, itself among them.
    pub(super) fn reached(&self, sources: &[Source], from: usize) -> Reached {
        let mut known = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(from).or_insert_with(|| Arc::new(self.follow(sources, from))).clone()
    }

    fn follow(&self, sources: &[Source], from: usize) -> HashSet<usize> {
        let direct = self.direct.get_or_init(|| direct(sources));
        let mut found = HashSet::new();
        let mut next = vec![from];
        while let Some(file) = next.pop() {
            if found.len() < MAX_REACHED && found.insert(file) {
                next.extend(direct.get(file).into_iter().flatten());
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_included_by_way_of_others() {
        let sources = [
            ("x/kernel.cu", "#include \"common.h\"\n"),
            ("x/traits.h", ""),
            ("y/kernel.cu", "#include \"../common.h\"\n"),
            ("y/traits.h", ""),
            ("x/common.h", "#include \"traits.h\"\n"),
            ("common.h", "#include <y/traits.h>\n"),
        ]
        .map(|(path, text)| Source::new(path, text.into()));
        let reached = |from: usize| {
            let mut all: Vec<usize> = Includes::default().reached(&sources, from).iter().copied().collect();
            all.sort_unstable();
            all
        };
        assert_eq!(reached(0), [0, 1, 4]);
        assert_eq!(reached(2), [2, 3, 5]);
        assert_eq!(reached(3), [3]);
    }
}
