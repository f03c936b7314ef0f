//! What parsing a file gave, kept from one audit to the next by the hash of its text: an editor changes one file at a time.

use foldhash::HashMap;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use crate::ast::Unit;

/// Audits for which a unit is kept that none of them asks for: the trial of a fix asks for other texts than the audits around it.
const PATIENCE: u64 = 4;

/// The hash of all that a unit is made of: the text, and the marks at which more of it was read.
type Key = [u8; 32];

/// The units of earlier audits.
#[derive(Debug, Default)]
pub struct Cache {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    units: HashMap<Key, (Unit, u64)>,
    audit: u64,
    parsed: usize,
}

impl Cache {
    /// A cache with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many files were parsed for want of a unit, in all audits together.
    pub fn parsed(&self) -> usize {
        self.lock().parsed
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        // Nothing is half done while the lock is held.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The unit of a text, as the given file; parsed where it is not known.
    pub(crate) fn unit(&self, file: usize, text: &str, marks: &[u32], parse: impl FnOnce() -> Unit) -> Unit {
        let key = key(text, marks);
        {
            let mut kept = self.lock();
            let audit = kept.audit;
            if let Some((unit, asked)) = kept.units.get_mut(&key) {
                *asked = audit;
                return unit.of(file);
            }
        }
        let unit = parse();
        let mut kept = self.lock();
        let audit = kept.audit;
        kept.parsed += 1;
        kept.units.insert(key, (unit.clone(), audit));
        unit
    }

    /// Ends an audit: what was not asked for in a while is let go.
    pub(crate) fn end(&self) {
        let mut kept = self.lock();
        kept.audit += 1;
        let audit = kept.audit;
        kept.units.retain(|_, (_, asked)| audit - *asked <= PATIENCE);
    }
}

fn key(text: &str, marks: &[u32]) -> Key {
    let mut hash = Sha256::new();
    // The length says where the text ends and the marks begin.
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
    for mark in marks {
        hash.update(mark.to_le_bytes());
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parsed_once_and_forgotten_in_the_end() {
        let cache = Cache::new();
        let ask = |file, text: &str, marks: &[u32]| cache.unit(file, text, marks, || Unit::empty(file)).file;
        assert_eq!((ask(0, "a", &[]), ask(3, "a", &[]), cache.parsed()), (0, 3, 1));
        assert_eq!((ask(0, "a", &[1]), ask(0, "b", &[]), cache.parsed()), (0, 0, 3));
        // Bytes of a mark are not text.
        assert_eq!((ask(0, "a\u{1}\0\0\0", &[]), cache.parsed()), (0, 4));
        for _ in 0..PATIENCE {
            cache.end();
        }
        assert_eq!((ask(0, "a", &[]), cache.parsed()), (0, 4));
        cache.end();
        assert_eq!((ask(0, "a", &[]), ask(0, "b", &[]), cache.parsed()), (0, 0, 5));
    }
}
