//! Several copies of one library in a tree: a name means what the nearest of them declares, as an include path would have it.
//!
//! A copy is where `cute/layout.hpp` lies: the folder around `include`, if that is how it is kept, with its tests and examples. Files
//! outside of every copy see the one with which they share the most folders; several that are equally near are all seen.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::source::Source;

/// The file that makes a folder a copy of CuTe.
const MARK: &str = "cute/layout.hpp";

/// Index of a copy.
pub type Copy = u16;

/// The copies in some files, and which file sees which.
#[derive(Debug, Default)]
pub struct Copies {
    roots: Vec<PathBuf>,
}

impl Copies {
    /// The copies among some files.
    pub fn among(sources: &[Source]) -> Self {
        let found: BTreeSet<PathBuf> = sources.iter().filter_map(|source| root(&source.path)).collect();
        Self { roots: found.into_iter().take(usize::from(Copy::MAX)).collect() }
    }

    /// Whether there are several.
    pub fn several(&self) -> bool {
        self.roots.len() > 1
    }

    /// The copy that a file is part of.
    pub fn of(&self, path: &Path) -> Option<Copy> {
        let around = self.roots.iter().zip(0..).filter(|(root, _)| path.starts_with(root));
        around.max_by_key(|(root, _)| root.components().count()).map(|(_, copy)| copy)
    }

    /// The copies that a file sees: its own, or the nearest.
    pub fn near(&self, path: &Path) -> Vec<Copy> {
        if let Some(own) = self.of(path) {
            return vec![own];
        }
        let shared = |root: &Path| {
            let folder = path.parent().unwrap_or(path);
            root.components().zip(folder.components()).take_while(|(a, b)| a == b).count()
        };
        let most = self.roots.iter().map(|root| shared(root)).max();
        let nearest = self.roots.iter().zip(0..).filter(|(root, _)| Some(shared(root)) == most);
        nearest.map(|(_, copy)| copy).collect()
    }
}

/// Which files are part of a copy of the library.
pub fn vendored(sources: &[Source]) -> Vec<bool> {
    let copies = Copies::among(sources);
    sources.iter().map(|source| copies.of(&source.path).is_some()).collect()
}

fn root(path: &Path) -> Option<PathBuf> {
    if !path.ends_with(MARK) {
        return None;
    }
    let include = path.parent()?.parent()?;
    let around = include.parent().filter(|_| include.file_name().is_some_and(|name| name == "include"));
    Some(around.unwrap_or(include).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_sees_its_own_copy_or_the_nearest() {
        let paths = ["p/a/cutlass/include/cute/layout.hpp", "p/b/3rd/cute/layout.hpp", "q/include/cute/layout.hpp"];
        let sources: Vec<Source> = paths.iter().map(|path| Source::new(*path, Vec::new())).collect();
        let copies = Copies::among(&sources);
        let roots: Vec<&str> = copies.roots.iter().map(|root| root.to_str().unwrap()).collect();
        assert_eq!(roots, ["p/a/cutlass", "p/b/3rd", "q"]);
        let near = |path: &str| copies.near(Path::new(path));
        assert_eq!(near("p/a/cutlass/test/x.cu"), [0]);
        assert_eq!(near("p/a/kernels/x.cu"), [0]);
        assert_eq!(near("p/b/x.cu"), [1]);
        assert_eq!(near("q/x.cu"), [2]);
        // In the middle between two of them, both.
        assert_eq!(near("p/x.cu"), [0, 1]);
    }
}
