//! Texts of C++ that have nothing to do with layouts are not kept where there is much of it: no file with a layout includes them, they
//! include none, and neither does what includes them, by way of others too. The tests of a vendored library are most of some trees.
//!
//! What each file includes must be known of all of them first. Until then a text is set aside: it is let go as soon as it was looked at, and
//! read again if it is one to keep, which costs less than the room that all of them take at once.

use std::path::PathBuf;

use rayon::prelude::*;

use super::includes::{direct, named};
use super::{PYTHON, Reading, Source, Sources, Unreadable};

/// Text of C++ that is kept, whatever it is.
const MANY_BYTES: u64 = 32 << 20;

/// Why a file is left out that has more in it the second time.
const GROWN: &str = "not read: it grew while files were read; audit again";

/// Whether some files have so many bytes of C++ that not all are kept.
pub(super) fn are_many(files: &[PathBuf], bytes: &[Option<u64>]) -> bool {
    let python = |path: &PathBuf| path.extension().is_some_and(|extension| extension == PYTHON);
    let all = files.iter().zip(bytes).filter(|(path, _)| !python(path)).filter_map(|(_, bytes)| *bytes);
    all.fold(0, u64::saturating_add) >= MANY_BYTES
}

impl Source {
    /// Lets go of the text, if it may have nothing to do with layouts.
    pub(super) fn set_aside(&mut self) {
        if !self.relevant && !self.python && !self.is_addressed() {
            self.aside = Some(named(&self.text));
            self.text = String::new();
        }
    }
}

impl Sources {
    /// Reads the texts again that were set aside and may be asked for.
    pub(super) fn bring_back(&mut self, reading: &Reading<'_>) {
        let kept = kept(&self.files);
        let asked = self.files.par_iter_mut().zip(kept).filter_map(|(source, kept)| {
            let aside = source.aside.take().is_some();
            (aside && kept).then_some(source)
        });
        let lost = asked.filter_map(|source| {
            let why = match reading.whole(source.path.clone(), u64::MAX) {
                // What was read is counted already.
                Ok(again) if again.bytes <= source.bytes => {
                    *source = again;
                    return None;
                }
                Ok(again) => Unreadable { path: again.path, why: GROWN.to_owned() },
                Err(why) => why,
            };
            Some(why)
        });
        let lost: Vec<_> = lost.collect();
        self.unreadable.extend(lost);
    }
}

/// Which files have a layout, include one that has or lead to one that does, or are included by such a file.
fn kept(sources: &[Source]) -> Vec<bool> {
    let forward = direct(sources);
    let mut backward: Vec<Vec<usize>> = vec![Vec::new(); sources.len()];
    for (from, files) in forward.iter().enumerate() {
        for file in files {
            if let Some(all) = backward.get_mut(*file) {
                all.push(from);
            }
        }
    }
    let relevant = sources.iter().map(|source| source.relevant).collect();
    let users = follow(relevant, |file| backward.get(file).map_or(&[], Vec::as_slice));
    follow(users, |file| forward.get(file).map_or(&[], |all| &**all))
}

/// The files that some lead to, and these.
fn follow<'e>(mut found: Vec<bool>, edges: impl Fn(usize) -> &'e [usize]) -> Vec<bool> {
    let mut next: Vec<usize> = (0..found.len()).filter(|file| found.get(*file) == Some(&true)).collect();
    while let Some(file) = next.pop() {
        for file in edges(file) {
            if let Some(found) = found.get_mut(*file).filter(|found| !**found) {
                *found = true;
                next.push(*file);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::fs;

    use foldhash::HashSet;

    use super::super::Overlay;
    use super::*;

    const FILES: [(&str, &str); 9] = [
        ("a/c.h", "constexpr int n = 4;"),
        ("a/k.cu", "#include \"t.h\"\nrun<T>();"),
        ("a/n.h", "constexpr int m = 4;"),
        ("a/t.h", "#include \"c.h\"\nusing L = Layout<_4>;"),
        ("b/x.cu", "#include \"y.h\"\nf<int>();"),
        ("b/y.h", "template <class T> void f();"),
        ("b/z.cu", "// razorgirl: allow(RG002) why\nint main() { f<int>(); }"),
        ("p.py", "x = 1"),
        ("q.py", "y = 1"),
    ];

    /// The files as they are read where there is much C++, and what happens before the second reading.
    fn read(meanwhile: impl Fn(&std::path::Path)) -> (Vec<String>, Sources) {
        let root = tempfile::tempdir().unwrap();
        let overlay = Overlay::default();
        let reading = Reading { included: HashSet::default(), overlay: &overlay, sparing: true };
        let mut sources = Sources::default();
        for (name, text) in FILES {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            sources.add(reading.read(path, u64::MAX, true), &mut u64::MAX.clone());
        }
        let aside = |name: &str| sources.files.iter().any(|file| file.path.ends_with(name) && file.text.is_empty());
        assert!(aside("a/c.h") && aside("a/k.cu") && !aside("a/t.h") && !aside("b/z.cu") && !aside("p.py"));
        meanwhile(root.path());
        sources.bring_back(&reading);
        let kept = sources.files.iter().filter(|file| !file.text.is_empty());
        let names = kept.map(|file| file.path.strip_prefix(root.path()).unwrap().display().to_string()).collect();
        (names, sources)
    }

    #[test]
    fn what_has_nothing_to_do_with_layouts_is_let_go() {
        let (kept, sources) = read(|_| ());
        assert_eq!(kept, ["a/c.h", "a/k.cu", "a/t.h", "b/z.cu", "p.py", "q.py"]);
        for (source, (_, text)) in sources.files.iter().zip(FILES) {
            assert_eq!(source.bytes, text.len());
            assert!(source.text.is_empty() || source.text == text);
        }
        assert_eq!(sources.unreadable, []);
    }

    #[test]
    fn what_changes_meanwhile_is_read_as_it_is_then_or_said_to_be_lost() {
        let (kept, sources) = read(|root| {
            fs::write(root.join("a/c.h"), "using M = int;").unwrap();
            fs::write(root.join("a/k.cu"), "#include \"t.h\"\nrun<T>(); // and more").unwrap();
        });
        assert_eq!(kept, ["a/c.h", "a/t.h", "b/z.cu", "p.py", "q.py"]);
        assert_eq!(sources.files[0].text, "using M = int;");
        assert_eq!(sources.unreadable.len(), 1);
        assert!(sources.unreadable[0].path.ends_with("a/k.cu") && sources.unreadable[0].why.contains("grew"));
    }

    #[test]
    fn a_small_tree_is_kept_as_a_whole() {
        let files = ["a.cu", "b.py", "c.cu"].map(PathBuf::from);
        assert!(!are_many(&files, &[Some(MANY_BYTES - 1), Some(MANY_BYTES), None]));
        assert!(are_many(&files, &[Some(MANY_BYTES - 1), Some(0), Some(1)]));
    }
}
