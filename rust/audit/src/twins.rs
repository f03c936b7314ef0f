//! Files of one text: vendored copies of a library lie in one tree, and what was read of the one is what would be read of the other.

use std::hash::BuildHasher as _;

use foldhash::HashMap;
use foldhash::fast::FixedState;

use crate::source::Source;

/// The files that were read, by their texts and the marks at which more of them was read.
#[derive(Debug, Default)]
pub struct Twins {
    by_hash: HashMap<u64, usize>,
    read: HashMap<usize, (u64, Vec<u32>)>,
}

impl Twins {
    /// The file that was read last of those with the same text and marks.
    pub fn of(&self, files: &[Source], file: usize, marks: &[u32]) -> Option<usize> {
        let text = &files.get(file)?.text;
        let hash = hash(text, marks);
        let twin = *self.by_hash.get(&hash)?;
        let same = |(known, at): &(u64, Vec<u32>)| *known == hash && at == marks;
        (self.read.get(&twin).is_some_and(same) && files.get(twin)?.text == *text).then_some(twin)
    }

    /// Keeps how a file was read.
    pub fn keep(&mut self, files: &[Source], file: usize, marks: &[u32]) {
        let Some(source) = files.get(file) else { return };
        let hash = hash(&source.text, marks);
        self.by_hash.insert(hash, file);
        self.read.insert(file, (hash, marks.to_vec()));
    }
}

fn hash(text: &str, marks: &[u32]) -> u64 {
    FixedState::default().hash_one((text, marks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_twin_has_the_same_text_and_was_read_in_the_same_way() {
        let of = |path: &str, text: &str| Source::new(path, text.as_bytes().to_vec());
        let files = [of("a.cu", "int a;"), of("b/a.cu", "int a;"), of("c.cu", "int c;")];
        let mut twins = Twins::default();
        assert_eq!(twins.of(&files, 1, &[]), None);
        twins.keep(&files, 0, &[]);
        assert_eq!(
            (twins.of(&files, 1, &[]), twins.of(&files, 2, &[]), twins.of(&files, 1, &[4])),
            (Some(0), None, None)
        );
        // The first was read again: what it is now is not what the second would be.
        twins.keep(&files, 0, &[4]);
        assert_eq!((twins.of(&files, 1, &[]), twins.of(&files, 1, &[4])), (None, Some(0)));
        twins.keep(&files, 1, &[4]);
        assert_eq!((twins.of(&files, 0, &[4]), twins.of(&files, 9, &[])), (Some(1), None));
    }
}
