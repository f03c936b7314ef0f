//! Which files lie under the given paths: each once, by whatever name it is reached, in the order of their paths.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::{HashSet, HashSetExt};
use ignore::{DirEntry, WalkBuilder};

use super::overlay::{Overlay, real};
use super::{Selection, Unreadable, is_source};

/// How deep directories may nest.
const MAX_DEPTH: usize = 128;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The files, those that are only included behind the others.
    pub(super) files: Vec<PathBuf>,
    /// How many are not only included.
    pub(super) audited: usize,
    pub(super) unreadable: Vec<Unreadable>,
}

/// The files under these paths, and behind them those of the folders that are only included.
pub(super) fn found(paths: &[PathBuf], selection: &Selection, overlay: &Overlay) -> Found {
    let aside = selection.vendored.iter().chain(&selection.include);
    let aside: HashSet<PathBuf> = aside.filter_map(|path| fs::canonicalize(path).ok()).collect();
    let mut walk = Walk {
        found: Found::default(),
        files: HashSet::new(),
        folders: Arc::default(),
        aside: Arc::new(aside),
        overlay,
        no_ignore: selection.no_ignore,
    };
    walk.paths(paths);
    walk.found.audited = walk.found.files.len();
    // A library's headers are often not part of the repository, and their names are needed.
    walk.aside = Arc::default();
    walk.no_ignore = true;
    walk.paths(&selection.include);
    walk.found
}

/// The folders that were gone into, by their one name.
type Folders = Arc<Mutex<HashSet<PathBuf>>>;

fn first_visit(folders: &Folders, folder: &Path) -> bool {
    folders.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_path_buf())
}

struct Walk<'o> {
    found: Found,
    /// The one name of each file that was found.
    files: HashSet<PathBuf>,
    folders: Folders,
    /// What is left out unless it is named.
    aside: Arc<HashSet<PathBuf>>,
    overlay: &'o Overlay,
    no_ignore: bool,
}

impl Walk<'_> {
    fn paths(&mut self, paths: &[PathBuf]) {
        for path in paths {
            match fs::metadata(path) {
                Ok(meta) if meta.is_dir() => {
                    self.directory(path);
                    self.new_under(path);
                }
                Ok(_) => self.file(path),
                Err(_) if self.overlay.get(path).is_some() => self.new_file(path),
                Err(error) => self.fail(path, &error),
            }
        }
    }

    fn fail(&mut self, path: &Path, error: &dyn std::fmt::Display) {
        self.found.unreadable.push(Unreadable { path: path.to_path_buf(), why: error.to_string() });
    }

    fn file(&mut self, path: &Path) {
        match fs::canonicalize(path) {
            Ok(real) => {
                if self.files.insert(real) {
                    self.found.files.push(path.to_path_buf());
                }
            }
            Err(error) => self.fail(path, &error),
        }
    }

    /// A file that is only in the overlay.
    fn new_file(&mut self, path: &Path) {
        if self.files.insert(real(path)) {
            self.found.files.push(path.to_path_buf());
        }
    }

    /// The files that are only in the overlay and would be found in a folder.
    fn new_under(&mut self, folder: &Path) {
        for below in self.overlay.new_under(folder) {
            let aside = below.ancestors().filter(|part| !part.as_os_str().is_empty());
            let aside = aside.skip(1).any(|part| self.aside.contains(&real(&folder.join(part))));
            if is_source(&below) && !aside {
                self.new_file(&folder.join(below));
            }
        }
    }

    /// A folder that the user names: it is walked, whatever is left out of others.
    fn directory(&mut self, path: &Path) {
        match fs::canonicalize(path) {
            Ok(real) if first_visit(&self.folders, &real) => {}
            Ok(_) => return,
            Err(error) => return self.fail(path, &error),
        }
        let (folders, aside) = (Arc::clone(&self.folders), Arc::clone(&self.aside));
        // Links to folders that were gone into end here, so that each is walked once.
        let enters = move |entry: &DirEntry| {
            let folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            !folder
                || fs::canonicalize(entry.path())
                    .is_ok_and(|real| !aside.contains(&real) && first_visit(&folders, &real))
        };
        let walk = WalkBuilder::new(path)
            .standard_filters(!self.no_ignore)
            .hidden(false)
            .git_global(false)
            .git_exclude(false)
            .follow_links(true)
            .max_depth(Some(MAX_DEPTH + 1))
            .sort_by_file_path(Path::cmp)
            .filter_entry(enters)
            .build();
        for entry in walk {
            match entry {
                Ok(entry) => self.entry(&entry),
                Err(error) => self.error(path, &error),
            }
        }
    }

    fn entry(&mut self, entry: &DirEntry) {
        let path = entry.path();
        match entry.file_type() {
            Some(kind) if kind.is_dir() && entry.depth() > MAX_DEPTH => self.fail(path, &"directories nest too deeply"),
            Some(kind) if kind.is_file() && is_source(path) => self.file(path),
            _ => {}
        }
        // A mistake in an ignore file: what it says otherwise holds.
        if let Some(error) = entry.error() {
            self.fail(path, error);
        }
    }

    fn error(&mut self, root: &Path, error: &ignore::Error) {
        if is_loop(error) {
            return;
        }
        let path = place(error).unwrap_or(root).to_path_buf();
        // A link that leads nowhere, and by its name is no source.
        let link = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_symlink());
        if link && !is_source(&path) {
            return;
        }
        match error.io_error() {
            Some(error) => self.fail(&path, error),
            None => self.fail(&path, error),
        }
    }
}

/// Whether a link leads to a folder around it.
fn is_loop(error: &ignore::Error) -> bool {
    match error {
        ignore::Error::Loop { .. } => true,
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithPath { err, .. } => is_loop(err),
        _ => false,
    }
}

/// Where an error was met.
fn place(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } => place(err),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(root: &Path, found: &Found) -> Vec<String> {
        let name = |path: &PathBuf| path.strip_prefix(root).unwrap().display().to_string();
        found.files.iter().map(name).collect()
    }

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn what_a_repository_ignores_is_read_where_it_is_named_or_all_is() {
        let root = tree(&[
            (".git/HEAD", ""),
            (".gitignore", "build/\n*.gen.cu\n"),
            ("a.cu", ""),
            ("b.gen.cu", ""),
            ("build/c.cu", ""),
            ("d/.ignore", "e.cu\n"),
            ("d/e.cu", ""),
            ("d/.hidden.cu", ""),
            ("d/.dot/f.cu", ""),
        ]);
        let all = |paths: &[PathBuf], no_ignore| {
            let selection = Selection { no_ignore, ..Selection::default() };
            let found = found(paths, &selection, &Overlay::default());
            assert!(found.unreadable.is_empty(), "{:?}", found.unreadable);
            names(root.path(), &found)
        };
        let whole = root.path().to_path_buf();
        assert_eq!(all(std::slice::from_ref(&whole), false), ["a.cu", "d/.dot/f.cu", "d/.hidden.cu"]);
        let every = ["a.cu", "b.gen.cu", "build/c.cu", "d/.dot/f.cu", "d/.hidden.cu", "d/e.cu"];
        assert_eq!(all(std::slice::from_ref(&whole), true), every);
        assert_eq!(all(&[whole.join("build"), whole.join("b.gen.cu")], false), ["build/c.cu", "b.gen.cu"]);
        // Without a repository `.gitignore` says nothing.
        fs::remove_dir_all(root.path().join(".git")).unwrap();
        assert_eq!(all(&[whole], false), ["a.cu", "b.gen.cu", "build/c.cu", "d/.dot/f.cu", "d/.hidden.cu"]);
    }

    #[test]
    fn folders_that_are_included_are_read_though_they_are_ignored() {
        let root = tree(&[(".git/HEAD", ""), (".gitignore", "deps/*\n"), ("a.cu", ""), ("deps/x/n.hpp", "")]);
        let selection = Selection { include: vec![root.path().join("deps")], ..Selection::default() };
        let found = found(&[root.path().to_path_buf()], &selection, &Overlay::default());
        assert_eq!((names(root.path(), &found), found.audited), (vec!["a.cu".into(), "deps/x/n.hpp".into()], 1));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_once_and_dangling_sources_are_said() {
        use std::os::unix::fs::symlink;
        let root = tree(&[("a/x.hpp", ""), ("b/y.hpp", "")]);
        let at = |name: &str| root.path().join(name);
        symlink(at("b"), at("a/b")).unwrap();
        symlink(root.path(), at("b/again")).unwrap();
        symlink(at("a/x.hpp"), at("z.hpp")).unwrap();
        symlink(at("gone"), at("gone.hpp")).unwrap();
        symlink(at("gone"), at("gone.txt")).unwrap();
        let found = found(&[root.path().to_path_buf()], &Selection::default(), &Overlay::default());
        assert_eq!(names(root.path(), &found), ["a/b/y.hpp", "a/x.hpp"]);
        let unreadable: Vec<_> = found.unreadable.iter().map(|one| &one.path).collect();
        assert_eq!(unreadable, [&at("gone.hpp")]);
    }

    #[test]
    fn folders_that_nest_too_deeply_are_said() {
        let root = tempfile::tempdir().unwrap();
        let deep: PathBuf = root.path().join("d/".repeat(MAX_DEPTH + 2));
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("a.cu"), "").unwrap();
        let found = found(&[root.path().to_path_buf()], &Selection::default(), &Overlay::default());
        assert!(found.files.is_empty());
        assert_eq!(found.unreadable.len(), 1);
        assert_eq!(found.unreadable[0].why, "directories nest too deeply");
    }
}
