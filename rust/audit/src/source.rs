//! The first stage: which files there are, and what they say.
//!
//! Text is repaired without moving a byte: a byte that is not UTF-8 becomes `?` and a NUL becomes a space, so that every
//! later position is a position in the file on disk.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::mask;

/// File name endings that are read as C++ or CUDA.
pub const EXTENSIONS: [&str; 10] = ["cu", "cuh", "h", "hpp", "hh", "hxx", "cpp", "cc", "cxx", "inl"];

/// Larger files are refused: positions are 32 bits wide, and no hand-written source comes near this.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// How deep directories may nest.
const MAX_DIRECTORY_DEPTH: usize = 128;

/// One source file.
#[derive(Debug, Clone)]
pub struct Source {
    /// The path as the user reached it.
    pub path: PathBuf,
    /// The text, byte for byte as long as the file.
    pub text: String,
    /// Where words stand that can make a layout, ascending.
    pub hits: Vec<u32>,
    /// Whether the file is worth parsing: it has such a word, or a shape that an alias template may make a layout of.
    pub relevant: bool,
}

impl Source {
    /// A source from bytes that are already in memory.
    pub fn new(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        let text = repair(bytes);
        let hits = mask::hits(&text);
        let relevant = !hits.is_empty() || mask::mentions_shape(&text);
        Self { path: path.into(), text, hits, relevant }
    }

    /// Whether other files can include this one: everything but what is compiled by itself.
    pub fn is_header(&self) -> bool {
        let extension = self.path.extension().and_then(|extension| extension.to_str());
        !matches!(extension, Some("cu" | "cpp" | "cc" | "cxx"))
    }
}

/// A path that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The path as the user reached it.
    pub path: PathBuf,
    /// What the system said.
    pub why: String,
}

/// Every file under the given paths.
#[derive(Debug, Default)]
pub struct Sources {
    /// The files, sorted by path within each argument, each file once.
    pub files: Vec<Source>,
    /// What could not be read.
    pub unreadable: Vec<Unreadable>,
}

impl Sources {
    /// Walks the paths and reads the files.
    ///
    /// A path given by name is read whatever its extension; in a directory only [`EXTENSIONS`] are.
    pub fn read(paths: &[PathBuf]) -> Self {
        let mut found = Found::default();
        for path in paths {
            match fs::metadata(path) {
                Ok(meta) if meta.is_dir() => found.directory(path, 0),
                Ok(_) => found.file(path),
                Err(error) => found.fail(path, &error),
            }
        }
        let Found { files, mut unreadable, .. } = found;
        let read: Vec<Result<Source, Unreadable>> = files.into_par_iter().map(read_file).collect();
        let mut sources = Vec::with_capacity(read.len());
        for result in read {
            match result {
                Ok(source) => sources.push(source),
                Err(error) => unreadable.push(error),
            }
        }
        Self { files: sources, unreadable }
    }
}

#[derive(Default)]
struct Found {
    files: Vec<PathBuf>,
    unreadable: Vec<Unreadable>,
    seen: HashSet<PathBuf>,
}

impl Found {
    fn fail(&mut self, path: &Path, error: &dyn std::fmt::Display) {
        self.unreadable.push(Unreadable { path: path.to_path_buf(), why: error.to_string() });
    }

    /// False when this very file or directory was visited before, by whatever name: that ends symlink cycles too.
    fn first_visit(&mut self, path: &Path) -> bool {
        match fs::canonicalize(path) {
            Ok(real) => self.seen.insert(real),
            Err(error) => {
                self.fail(path, &error);
                false
            }
        }
    }

    fn file(&mut self, path: &Path) {
        if self.first_visit(path) {
            self.files.push(path.to_path_buf());
        }
    }

    fn directory(&mut self, path: &Path, depth: usize) {
        if depth > MAX_DIRECTORY_DEPTH {
            self.fail(path, &"directories nest too deeply");
            return;
        }
        if !self.first_visit(path) {
            return;
        }
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) => return self.fail(path, &error),
        };
        let mut children = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => children.push(entry.path()),
                Err(error) => self.fail(path, &error),
            }
        }
        children.sort();
        for child in children {
            match fs::metadata(&child) {
                Ok(meta) if meta.is_dir() => self.directory(&child, depth + 1),
                Ok(meta) if meta.is_file() && is_source(&child) => self.file(&child),
                Err(error) if is_source(&child) => self.fail(&child, &error),
                Ok(_) | Err(_) => {}
            }
        }
    }
}

fn is_source(path: &Path) -> bool {
    path.extension().and_then(|extension| extension.to_str()).is_some_and(|extension| EXTENSIONS.contains(&extension))
}

fn read_file(path: PathBuf) -> Result<Source, Unreadable> {
    let read = || -> Result<Vec<u8>, String> {
        let size = fs::metadata(&path).map_err(|error| error.to_string())?.len();
        if size > MAX_FILE_BYTES {
            return Err(format!("{size} bytes, more than the {MAX_FILE_BYTES} that are read"));
        }
        fs::read(&path).map_err(|error| error.to_string())
    };
    match read() {
        Ok(bytes) => Ok(Source::new(path, bytes)),
        Err(why) => Err(Unreadable { path, why }),
    }
}

fn repair(mut bytes: Vec<u8>) -> String {
    if memchr::memchr(0, &bytes).is_some() {
        bytes.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
    }
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut from = 0;
    while let Err(error) = std::str::from_utf8(&text[from..]) {
        let bad = from + error.valid_up_to();
        let length = error.error_len().unwrap_or(text.len() - bad);
        text[bad..bad + length].fill(b'?');
        from = bad + length;
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repair_keeps_every_position() {
        for bytes in [&b"a\0b\xff\xfec\xe2\x82"[..], b"\xe2\x82\xac ok", b"", b"\xc3"] {
            let text = repair(bytes.to_vec());
            assert_eq!(text.len(), bytes.len());
        }
        assert_eq!(repair(b"a\0b\xffc\xe2\x82".to_vec()), "a b?c??");
    }

    #[test]
    fn directories_are_walked_in_order_and_once() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir(at("b")).unwrap();
        fs::write(at("b/x.hpp"), "").unwrap();
        fs::write(at("a.cu"), "").unwrap();
        fs::write(at("c.txt"), "").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.path(), at("b/again")).unwrap();
        let sources = Sources::read(&[root.path().to_path_buf(), at("a.cu"), at("missing")]);
        let names: Vec<_> =
            sources.files.iter().map(|file| file.path.strip_prefix(root.path()).unwrap().to_path_buf()).collect();
        assert_eq!(names, [PathBuf::from("a.cu"), PathBuf::from("b/x.hpp")]);
        assert_eq!(sources.unreadable.len(), 1);
        assert!(sources.unreadable[0].path.ends_with("missing"));
    }
}
