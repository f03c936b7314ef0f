//! The Lean files of a project: what they import, in which order they are checked, what each of them holds.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::text::{self, Keep};

/// The root of everything that is proved.
pub const LIBRARY_ROOT: &str = "Razorgirl";
/// The root of the executable that answers requests.
pub const ORACLE_ROOT: &str = "Oracle";
/// Joined in front of the oracle where core functions cannot be compiled; nothing imports it.
pub const PRELUDE: &str = "Oracle.Prelude";
/// The line after which a file's content begins.
pub const SECTION: &str = "@[expose] public section";

/// One Lean file.
#[derive(Debug, Clone)]
pub struct LeanFile {
    /// `Razorgirl.Spec.Coord`.
    pub module: String,
    /// `Razorgirl/Spec/Coord.lean`, relative to the folder of Lean sources.
    pub path: String,
    /// The text as it is on disk.
    pub text: String,
    /// Imported modules, in the order of the file.
    pub imports: Vec<String>,
    /// Number of lines up to and with [`SECTION`]; `None` for a file of imports only.
    pub header_lines: Option<usize>,
}

impl LeanFile {
    /// Whether this is the file that may use `csimp`.
    pub fn is_prelude(&self) -> bool {
        self.module == PRELUDE
    }
}

/// All Lean files under one folder.
#[derive(Debug, Clone)]
pub struct LeanTree {
    dir: PathBuf,
    files: BTreeMap<String, LeanFile>,
}

impl LeanTree {
    /// Reads every `.lean` file under `dir`, and refuses headers that the two toolchains would not read alike.
    ///
    /// # Errors
    /// A file cannot be read, or has a header that is not of the form described in [`SECTION`].
    pub fn read(dir: &Path) -> Result<Self> {
        let mut paths = Vec::new();
        collect(dir, &mut paths).with_context(|| format!("cannot read the Lean sources in {}", dir.display()))?;
        let mut files = BTreeMap::new();
        for path in paths {
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let relative = path.strip_prefix(dir).unwrap_or(&path).components();
            let relative = relative.map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
            let module = relative.trim_end_matches(".lean").replace('/', ".");
            let (imports, header_lines) = read_header(&text).with_context(|| format!("{relative}: header"))?;
            files.insert(module.clone(), LeanFile { module, path: relative, text, imports, header_lines });
        }
        Ok(Self { dir: dir.to_path_buf(), files })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// All files, by module name.
    pub fn files(&self) -> impl Iterator<Item = &LeanFile> {
        self.files.values()
    }

    /// A file by its module name.
    pub fn get(&self, module: &str) -> Option<&LeanFile> {
        self.files.get(module)
    }

    /// Whether `module` should be one of our files, by the first part of its name.
    pub fn is_ours(&self, module: &str) -> bool {
        let root = |name: &str| name.split('.').next().unwrap_or(name).to_string();
        self.files.keys().any(|ours| root(ours) == root(module))
    }

    /// The modules that `roots` reach, each after everything it imports. Roots that do not exist are left out.
    ///
    /// # Errors
    /// An import of ours has no file, or imports form a cycle.
    pub fn import_order(&self, roots: &[&str]) -> Result<Vec<&LeanFile>> {
        let mut order = Vec::new();
        let mut done = BTreeSet::new();
        for root in roots {
            if let Some(file) = self.files.get(*root) {
                self.visit(file, &mut Vec::new(), &mut done, &mut order)?;
            }
        }
        Ok(order)
    }

    fn visit<'a>(
        &'a self,
        file: &'a LeanFile,
        above: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
        order: &mut Vec<&'a LeanFile>,
    ) -> Result<()> {
        if done.contains(file.module.as_str()) {
            return Ok(());
        }
        if above.contains(&file.module.as_str()) {
            bail!("imports form a cycle: {} → {}", above.join(" → "), file.module);
        }
        above.push(&file.module);
        for import in &file.imports {
            match self.files.get(import) {
                Some(imported) => self.visit(imported, above, done, order)?,
                None if self.is_ours(import) => bail!("{} imports {import}, which has no file", file.path),
                None => {}
            }
        }
        above.pop();
        done.insert(&file.module);
        order.push(file);
        Ok(())
    }

    /// Everything that is checked: what the library and the oracle reach, in import order.
    ///
    /// # Errors
    /// As [`Self::import_order`]; also when the library's root is missing.
    pub fn checked(&self) -> Result<Vec<&LeanFile>> {
        if !self.files.contains_key(LIBRARY_ROOT) {
            bail!("{} has no {LIBRARY_ROOT}.lean", self.dir.display());
        }
        self.import_order(&[LIBRARY_ROOT, ORACLE_ROOT])
    }

    /// Files that neither the library nor the oracle reach: their proofs would go unchecked.
    ///
    /// # Errors
    /// As [`Self::checked`].
    pub fn unreached(&self) -> Result<Vec<&LeanFile>> {
        let reached: BTreeSet<&str> = self.checked()?.iter().map(|f| f.module.as_str()).collect();
        Ok(self.files().filter(|f| !f.is_prelude() && !reached.contains(f.module.as_str())).collect())
    }
}

fn collect(dir: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries = fs::read_dir(dir)?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|e| e == "lean") {
            paths.push(path);
        }
    }
    Ok(())
}

/// The imports, and how many lines there are to the end of the section line.
fn read_header(text: &str) -> Result<(Vec<String>, Option<usize>)> {
    let code = text::blank_comments(text, Keep::CodeAndStrings);
    let mut imports = Vec::new();
    let mut is_module = false;
    for (n, line) in code.lines().enumerate() {
        let parts: Vec<&str> = line.split_whitespace().collect();
        match parts.as_slice() {
            [] => {}
            ["module"] if !is_module && imports.is_empty() => is_module = true,
            ["public", "import", name] if is_module => imports.push((*name).to_string()),
            _ if !is_module => bail!("the first line must be `module`, not `{}`", line.trim()),
            _ if line.trim() == SECTION => {
                if code.lines().filter(|l| l.trim() == SECTION).count() > 1 {
                    bail!("`{SECTION}` stands there twice");
                }
                return Ok((imports, Some(n + 1)));
            }
            _ => bail!(
                "line {}: after `module` and `public import …` lines must come `{SECTION}`, not `{}`",
                n + 1,
                line.trim()
            ),
        }
    }
    Ok((imports, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, LeanTree) {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = LeanTree::read(dir.path()).unwrap();
        (dir, tree)
    }

    fn names(files: &[&LeanFile]) -> String {
        files.iter().map(|f| f.module.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn order_reach_and_header() {
        let (_dir, tree) = tree(&[
            ("Razorgirl.lean", "module\n-- all\npublic import Razorgirl.B\n"),
            ("Razorgirl/A.lean", "module\n\npublic import Lean.Data.Json\n@[expose] public section\ndef a := 1\n"),
            ("Razorgirl/B.lean", "module\npublic import Razorgirl.A\n@[expose] public section\n"),
            ("Razorgirl/C.lean", "module\n@[expose] public section\n"),
            ("Oracle/Prelude.lean", "module\n@[expose] public section\n"),
        ]);
        assert_eq!(names(&tree.checked().unwrap()), "Razorgirl.A Razorgirl.B Razorgirl");
        assert_eq!(names(&tree.unreached().unwrap()), "Razorgirl.C");
        assert_eq!(tree.get("Razorgirl.A").unwrap().header_lines, Some(4));
        assert_eq!(tree.get("Razorgirl").unwrap().header_lines, None);
    }

    #[test]
    fn cycles_and_missing_files_are_named() {
        let (_dir, cycle) = tree(&[
            ("Razorgirl.lean", "module\npublic import Razorgirl.A\n"),
            ("Razorgirl/A.lean", "module\npublic import Razorgirl\n"),
        ]);
        assert!(cycle.checked().unwrap_err().to_string().contains("Razorgirl → Razorgirl.A → Razorgirl"));
        let (_dir, gone) = tree(&[("Razorgirl.lean", "module\npublic import Razorgirl.Gone\n")]);
        assert!(gone.checked().unwrap_err().to_string().contains("Razorgirl.Gone, which has no file"));
    }

    #[test]
    fn headers_that_differ_are_refused() {
        for text in ["import A\n", "def x := 1\n", "module\nimport A\n", "module\npublic section\n"] {
            assert!(read_header(text).is_err(), "{text}");
        }
    }
}
