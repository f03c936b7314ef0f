//! Texts that stand in place of files: what an editor has and the disk does not, yet.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Texts by the files that they stand for.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    texts: BTreeMap<PathBuf, Arc<str>>,
}

impl Overlay {
    /// Puts a text in the place of a file, which need not be there.
    pub fn insert(&mut self, path: &Path, text: Arc<str>) {
        self.texts.insert(real(path), text);
    }

    /// The text in the place of a file, by whatever name the file is reached.
    pub(super) fn get(&self, path: &Path) -> Option<Arc<str>> {
        // Few names are open, and many files are asked about.
        let named = self.texts.keys().any(|open| open.file_name() == path.file_name());
        // A link has another name than its file.
        let linked = || fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
        if self.texts.is_empty() || !(named || linked()) { None } else { self.texts.get(&real(path)).cloned() }
    }

    /// The files under a folder that are not on the disk, relative to it.
    pub(super) fn new_under(&self, folder: &Path) -> Vec<PathBuf> {
        let folder = real(folder);
        let missing = self.texts.keys().filter(|open| !open.exists());
        missing.filter_map(|open| open.strip_prefix(&folder).ok().map(Path::to_path_buf)).collect()
    }
}

/// The one name of a file: its folder's where it is not there itself.
pub fn real(path: &Path) -> PathBuf {
    let beside = || Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(beside).unwrap_or_else(|| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::super::{Selection, Sources};
    use super::*;

    fn texts(sources: &Sources) -> Vec<&str> {
        sources.files.iter().map(|file| file.text.as_str()).collect()
    }

    #[test]
    fn texts_stand_for_files_and_new_ones_are_read_where_files_would_be() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir_all(at("src/vendor")).unwrap();
        fs::write(at("src/a.hpp"), "using A = Layout<_1>;").unwrap();
        fs::write(at("src/b.hpp"), "using B = Layout<_2>;").unwrap();
        let mut overlay = Overlay::default();
        for (name, text) in [
            ("src/../src/a.hpp", "using A = Layout<_3>;"),
            ("src/new.hpp", "using N = Layout<_4>;"),
            ("src/vendor/new.hpp", "using V = Layout<_5>;"),
            ("src/new.txt", "using T = Layout<_6>;"),
            ("elsewhere.hpp", "using E = Layout<_7>;"),
        ] {
            overlay.insert(&at(name), text.into());
        }
        let selection = Selection { vendored: vec![at("src/vendor")], ..Selection::default() };
        let sources = Sources::select_over(&[at("src")], &selection, &overlay);
        assert_eq!(texts(&sources), ["using A = Layout<_3>;", "using B = Layout<_2>;", "using N = Layout<_4>;"]);
        assert!(sources.unreadable.is_empty(), "{:?}", sources.unreadable);
        // By name, though it is not there; and a folder that is left out is read when it is named.
        let named = Sources::select_over(&[at("elsewhere.hpp"), at("src/vendor")], &selection, &overlay);
        assert_eq!(texts(&named), ["using E = Layout<_7>;", "using V = Layout<_5>;"]);
        assert_eq!(Sources::select_over(&[at("gone.hpp")], &selection, &overlay).unreadable.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_the_file_that_it_stands_for() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir(at("a")).unwrap();
        fs::write(at("real.hpp"), "").unwrap();
        std::os::unix::fs::symlink(at("real.hpp"), at("a/link.hpp")).unwrap();
        let mut overlay = Overlay::default();
        overlay.insert(&at("real.hpp"), "using A = Layout<_3>;".into());
        let sources = Sources::select_over(&[at("a")], &Selection::default(), &overlay);
        assert_eq!(texts(&sources), ["using A = Layout<_3>;"]);
    }
}
