//! The first stage: which files there are, what they say, and which words in them matter. Every read is bounded by the bytes
//! that come, not by what the file system says of a file.

mod aligned;
mod brackets;
mod code;
mod comments;
mod conditional;
mod encoding;
mod ifs;
mod includes;
mod launchers;
mod macros;
mod overlay;
mod spared;
mod tokens;
mod walk;
mod words;

use foldhash::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use memchr::memmem;
use rayon::prelude::*;

pub use aligned::{Alignment, alignment, alignments, computed as computed_alignments, unaligned};
pub(crate) use brackets::{angled, closing, items, opened};
pub use code::code;
pub(crate) use comments::comments;
pub(crate) use ifs::Ifs;
pub(crate) use includes::{Headers, Known, direct, includes};
pub(crate) use launchers::{Launcher, launchers};
pub(crate) use macros::{defines_macro, is_defined_at, macros, only_macro};
pub use overlay::{Overlay, real};
pub(crate) use tokens::{Language, line_end, token};
pub(crate) use words::{
    CUDA_LAUNCHERS, ENCODE, counts_pack, is_identifier, is_loud, is_word, last_word, places, starts_word, word_length,
};

/// File name endings that are read as C++ or CUDA, and as Python.
pub const EXTENSIONS: [&str; 11] = ["cu", "cuh", "h", "hpp", "hh", "hxx", "cpp", "cc", "cxx", "inl", PYTHON];

/// The ending of Python's.
const PYTHON: &str = "py";

/// Larger files are refused: positions are 32 bits wide, and no hand-written source comes near this.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// Bytes that one run reads in all.
pub const MAX_BYTES: u64 = 1 << 30;

/// Bytes that are read side by side before they are looked at.
const BATCH: u64 = 128 << 20;

/// Programs without layouts that are larger are not searched for what they instantiate.
const MAX_INSTANTIATING: usize = 1 << 20;

/// Programs that one file includes.
const MAX_PROGRAMS: usize = 64;

/// One source file.
#[derive(Debug, Clone)]
pub struct Source {
    /// The path as the user reached it.
    pub path: PathBuf,
    /// The text; byte for byte as long as the file, unless that is UTF-16.
    pub text: String,
    /// What the conditions of the preprocessor rule out by themselves, ascending.
    pub(crate) dead: Vec<Range<usize>>,
    /// Where words stand that can make a layout, ascending.
    pub hits: Vec<u32>,
    /// Where words stand that say something about shared memory, ascending.
    pub(crate) shared: Vec<u32>,
    /// Positions of what launches a kernel or slices by threads, ascending.
    pub(crate) starts: Vec<u32>,
    /// The files that are compiled by themselves and that it includes all the same, by their names.
    pub(crate) programs: Vec<String>,
    /// What it includes, where its text is set aside until it is known whether another stage can ask for it.
    aside: Option<Box<[Box<str>]>>,
    /// How long the text is; it is let go where no other stage can ask for it.
    pub bytes: usize,
    /// Whether the file is worth parsing: it has such a word, a shape that an alias template may make a layout of, or a launch or static shared
    /// memory, of which plain CUDA has limits.
    pub relevant: bool,
    /// Whether it is read only for the names that it declares.
    pub included: bool,
    /// Whether it is Python, of which the C++ stages know nothing: it has no hits, and is not relevant to them.
    pub python: bool,
}

impl Source {
    /// A source from bytes that are already in memory.
    pub fn new(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        let text = encoding::decode(bytes);
        let path = path.into();
        if path.extension().is_some_and(|extension| extension == PYTHON) {
            let (dead, hits, bytes) = (Vec::new(), Vec::new(), text.len());
            let (shared, starts, programs) = (Vec::new(), Vec::new(), Vec::new());
            return Self {
                path,
                text,
                dead,
                hits,
                shared,
                starts,
                programs,
                aside: None,
                bytes,
                relevant: false,
                included: false,
                python: true,
            };
        }
        let dead = conditional::dead(text.as_bytes());
        let live = |hit: &u32| {
            let after = dead.partition_point(|range| range.end <= *hit as usize);
            dead.get(after).is_none_or(|range| !range.contains(&(*hit as usize)))
        };
        let mut hits = words::hits(&text);
        hits.retain(live);
        let mut shared = words::shared(&text);
        shared.retain(live);
        let mut starts = words::starts(&text);
        starts.retain(live);
        let relevant = !(hits.is_empty() && shared.is_empty() && starts.is_empty())
            || words::mentions_shape(&text)
            || words::declares_layout(&text);
        let bytes = text.len();
        let programs = programs(&text);
        let (aside, included, python) = (None, false, false);
        Self { path, text, dead, hits, shared, starts, programs, aside, bytes, relevant, included, python }
    }

    /// Whether it has words of layouts, and is not plain CUDA.
    pub(crate) fn has_layouts(&self) -> bool {
        !(self.hits.is_empty() && self.shared.is_empty())
    }

    /// Whether other files can include this one: everything but what is compiled by itself.
    pub fn is_header(&self) -> bool {
        let extension = self.path.extension().and_then(|extension| extension.to_str());
        !matches!(extension, Some("cu" | "cpp" | "cc" | "cxx" | PYTHON))
    }

    /// Whether it may say something to this program.
    pub(crate) fn is_addressed(&self) -> bool {
        memmem::find(self.text.as_bytes(), b"razorgirl").is_some()
    }
}

/// The programs that a text includes, by their names: `#include "kernel.cu"`.
fn programs(text: &str) -> Vec<String> {
    let names = includes::includes(text).filter_map(|path| path.rsplit('/').next());
    let program = |name: &&str| [".cu", ".cpp", ".cc", ".cxx"].iter().any(|ending| name.ends_with(ending));
    names.filter(program).take(MAX_PROGRAMS).map(str::to_owned).collect()
}

/// A path that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The path as the user reached it.
    pub path: PathBuf,
    /// What the system said.
    pub why: String,
}

/// What of the given paths is read, and what besides them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Folders that are left out when a folder around them is walked.
    pub vendored: Vec<PathBuf>,
    /// Folders whose files are parsed only for names that are missing.
    pub include: Vec<PathBuf>,
    /// Whether files are read that `.gitignore` and `.ignore` leave out.
    pub no_ignore: bool,
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
    /// A path given by name is read whatever its extension; in a directory only [`EXTENSIONS`] are, and not what `.gitignore` and
    /// `.ignore` leave out. The user's own global ignore file does not count: a run finds the same for everyone.
    pub fn read(paths: &[PathBuf]) -> Self {
        Self::select(paths, &Selection::default())
    }

    /// Walks the paths and reads the files, some folders left out, and some read for names only.
    pub fn select(paths: &[PathBuf], selection: &Selection) -> Self {
        Self::select_over(paths, selection, &Overlay::default())
    }

    /// The same, with texts in place of some files, and files that are not there yet.
    pub fn select_over(paths: &[PathBuf], selection: &Selection, overlay: &Overlay) -> Self {
        let walk::Found { files, audited, unreadable } = walk::found(paths, selection, overlay);
        let included: HashSet<PathBuf> = files.iter().skip(audited).cloned().collect();
        let expected: Vec<Option<u64>> = files.par_iter().map(|path| expected_bytes(path)).collect();
        let reading = Reading { included, overlay, sparing: spared::are_many(&files, &expected) };
        let mut sources = Self { files: Vec::with_capacity(files.len()), unreadable };
        let mut files = files.into_iter().zip(expected).peekable();
        let mut left = MAX_BYTES;
        while files.peek().is_some() {
            let mut batch = Vec::new();
            let mut bytes = 0;
            while let Some((path, expected)) = files.next_if(|_| bytes < BATCH) {
                bytes += expected.unwrap_or(MAX_FILE_BYTES);
                batch.push((path, expected.is_some()));
            }
            let read: Vec<_> = batch.into_par_iter().map(|(path, regular)| reading.read(path, left, regular)).collect();
            for one in read {
                sources.add(one, &mut left);
            }
        }
        if reading.sparing {
            sources.bring_back(&reading);
        }
        sources
    }

    fn add(&mut self, read: Result<Source, Unreadable>, left: &mut u64) {
        match read {
            // What is read beside this one may have taken its place.
            Ok(source) => match left.checked_sub(source.bytes as u64) {
                Some(rest) => {
                    *left = rest;
                    self.files.push(source);
                }
                None => self.unreadable.push(Unreadable { path: source.path, why: no_more_bytes() }),
            },
            Err(error) => self.unreadable.push(error),
        }
    }
}

/// The size of a regular file; anything else may go on until the bound, and comes once.
fn expected_bytes(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|meta| meta.len())
}

/// How files are read.
struct Reading<'o> {
    /// Those that are read for their names only.
    included: HashSet<PathBuf>,
    overlay: &'o Overlay,
    /// Whether texts are set aside that may have nothing to do with layouts.
    sparing: bool,
}

impl Reading<'_> {
    /// Reads a file, and keeps of it what may be asked for.
    fn read(&self, path: PathBuf, left: u64, regular: bool) -> Result<Source, Unreadable> {
        let mut source = self.whole(path, left)?;
        // What a program declares for itself is nobody else's, but it may instantiate a template.
        let small = source.text.len() <= MAX_INSTANTIATING && source.text.contains('<');
        if !source.relevant && !source.is_header() && !small && !source.python {
            source.text = String::new();
        } else if self.sparing && regular {
            source.set_aside();
        }
        Ok(source)
    }

    fn whole(&self, path: PathBuf, left: u64) -> Result<Source, Unreadable> {
        let source = read_over(path, left, self.overlay)?;
        let named_only = self.included.contains(&source.path);
        Ok(if named_only { Source { relevant: false, included: true, ..source } } else { source })
    }
}

fn is_source(path: &Path) -> bool {
    path.extension().and_then(|extension| extension.to_str()).is_some_and(|extension| EXTENSIONS.contains(&extension))
}

fn no_more_bytes() -> String {
    format!("not read: one run reads {MAX_BYTES} bytes in all; audit fewer paths at once")
}

fn read_file(path: PathBuf, left: u64) -> Result<Source, Unreadable> {
    let read = || -> Result<Vec<u8>, String> {
        if left == 0 {
            return Err(no_more_bytes());
        }
        // Opening a FIFO waits until someone writes to it.
        regular(&fs::metadata(&path).map_err(|error| error.to_string())?)?;
        let file = File::open(&path).map_err(|error| error.to_string())?;
        // As much room as the file says that it needs, so that nothing beyond is set aside; what comes is what counts.
        let expected = file.metadata().ok().filter(fs::Metadata::is_file).map_or(0, |meta| meta.len());
        let bytes = bounded(file, expected, MAX_FILE_BYTES)?;
        encoding::refused(&bytes).map_or(Ok(bytes), |why| Err(why.to_owned()))
    };
    match read() {
        Ok(bytes) => Ok(Source::new(path, bytes)),
        Err(why) => Err(Unreadable { path, why }),
    }
}

/// Refuses what is neither a file nor a folder, by what it is.
fn regular(meta: &fs::Metadata) -> Result<(), String> {
    if meta.is_file() {
        return Ok(());
    }
    Err(format!("{} is not read: give a regular file or a directory", special(meta.file_type())))
}

#[cfg(unix)]
fn special(kind: fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        kind if kind.is_fifo() => "a FIFO",
        kind if kind.is_socket() => "a socket",
        kind if kind.is_char_device() || kind.is_block_device() => "a device",
        kind if kind.is_dir() => "a directory in place of a file",
        _ => "a special file",
    }
}

#[cfg(not(unix))]
fn special(_: fs::FileType) -> &'static str {
    "a special file"
}

/// The text that stands for a file, or the file.
fn read_over(path: PathBuf, left: u64, overlay: &Overlay) -> Result<Source, Unreadable> {
    match overlay.get(&path) {
        None => read_file(path, left),
        Some(text) if text.len() as u64 > MAX_FILE_BYTES => Err(Unreadable { path, why: too_large(MAX_FILE_BYTES) }),
        Some(text) => Ok(Source::new(path, text.as_bytes().to_vec())),
    }
}

fn too_large(most: u64) -> String {
    format!("more than the {most} bytes of a file that are read")
}

/// All that comes, if that is not too much.
fn bounded(from: impl Read, expected: u64, most: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(usize::try_from(expected.min(most)).unwrap_or(0));
    from.take(most + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn programs_that_are_included() {
        let text = "#include \"a/b.cu\"\n # include <c.cu>\n#include \"d.cuh\"\nf(\"e.cu\");\n#include \"g.cpp\"";
        assert_eq!(Source::new("x.hpp", text.as_bytes().to_vec()).programs, ["b.cu", "c.cu", "g.cpp"]);
    }

    #[test]
    fn a_run_reads_so_much_and_says_what_it_left() {
        let source = |name: &str| Ok(Source::new(name, b"12345678".to_vec()));
        let mut sources = Sources::default();
        let mut left = 20;
        for name in ["a", "b", "c", "d"] {
            sources.add(source(name), &mut left);
        }
        assert_eq!((sources.files.len(), left), (2, 4));
        assert_eq!(sources.unreadable.len(), 2);
        assert!(sources.unreadable[0].why.contains("fewer paths"), "{}", sources.unreadable[0].why);
        assert!(read_file("a".into(), 0).unwrap_err().why.contains("fewer paths"));
    }

    #[test]
    fn programs_that_can_say_nothing_are_not_kept() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("a.cu"), "f();").unwrap();
        let sources = Sources::read(&[root.path().to_path_buf()]);
        assert_eq!((sources.files[0].text.as_str(), sources.files[0].bytes), ("", 4));
    }

    #[test]
    fn endless_input_ends() {
        assert_eq!(
            bounded(std::io::repeat(0), 10, 1000).unwrap_err(),
            "more than the 1000 bytes of a file that are read"
        );
        assert_eq!(bounded(std::io::repeat(1).take(1000), u64::MAX, 1000).unwrap().len(), 1000);
    }

    #[cfg(unix)]
    #[test]
    fn special_files_are_refused_and_never_opened() {
        let root = tempfile::tempdir().unwrap();
        let fifo = root.path().join("fifo.cu");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let socket = root.path().join("socket.cu");
        let _listens = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        // Nobody writes to the FIFO: what opens it waits for ever.
        let sources = Sources::read(&[fifo, "/dev/zero".into(), socket]);
        assert!(sources.files.is_empty());
        let why: Vec<_> = sources.unreadable.iter().map(|one| one.why.as_str()).collect();
        let rest = "is not read: give a regular file or a directory";
        assert_eq!(why, ["a FIFO", "a device", "a socket"].map(|what| format!("{what} {rest}")));
        // In a folder they are no sources.
        let sources = Sources::read(&[root.path().to_path_buf()]);
        assert_eq!((sources.files.len(), sources.unreadable.len()), (0, 0));
    }

    #[test]
    fn words_in_dead_code_do_not_count() {
        let source =
            Source::new("a.hpp", b"#if 0\nLayout<_4>\n#endif\nLayout<_8>\n#if 0\nmake_layout\n#endif\n".to_vec());
        assert_eq!(source.hits, [24]);
        assert!(!Source::new("a.hpp", b"#if 0\nLayout<_4>\n#endif\n".to_vec()).relevant);
    }
}
