//! A folder with Lean sources, and where what is built from them goes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::lean::tree::LeanTree;

/// A project: this repository, or a small one made by a test.
#[derive(Debug, Clone)]
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// This repository.
    pub fn repository() -> Self {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        Self::at(here.ancestors().find(|dir| dir.join("lean-toolchain").exists()).unwrap_or(here))
    }

    /// The project whose `lean/`, `lakefile.lean` and `lean-toolchain` lie in `root`.
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_path_buf() }
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What the npm toolchain builds. Lake has its own folder.
    pub fn build_dir(&self) -> PathBuf {
        self.root.join(".lean-npm/build")
    }

    /// Reads all Lean sources.
    ///
    /// # Errors
    /// As [`LeanTree::read`].
    pub fn tree(&self) -> Result<LeanTree> {
        LeanTree::read(&self.root.join("lean"))
    }

    /// The release of Lean that the project is written for, `4.28.0`.
    ///
    /// # Errors
    /// The file `lean-toolchain` is missing or names no release.
    pub fn release(&self) -> Result<String> {
        let path = self.root.join("lean-toolchain");
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let release = text.trim().rsplit_once(":v").map(|(_, release)| release.to_string());
        release.with_context(|| format!("{} does not name a release, but `{}`", path.display(), text.trim()))
    }
}
