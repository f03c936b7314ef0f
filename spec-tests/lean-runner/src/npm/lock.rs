//! Which packages the WebAssembly Lean is made of: `lean-npm/lock.json`.

use std::collections::BTreeMap;
use std::env::consts::{ARCH, OS};
use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// Versions and checksums of everything that is downloaded.
#[derive(Debug, Clone, Deserialize)]
pub struct Lock {
    /// The Lean build.
    pub lean: Package,
    /// Node.js, by `os-arch`.
    pub node: BTreeMap<String, Package>,
}

/// One package of the npm registry.
#[derive(Debug, Clone, Deserialize)]
pub struct Package {
    /// Its name.
    #[serde(rename = "package")]
    pub name: String,
    /// Its exact version.
    pub version: String,
    /// Size of the tarball.
    pub bytes: u64,
    /// Checksum of the tarball.
    pub sha256: String,
}

impl Lock {
    /// The committed lock.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn committed() -> Result<Self> {
        serde_json::from_str(include_str!("../../lean-npm/lock.json")).context("lean-npm/lock.json")
    }

    /// The Node.js package for this machine.
    ///
    /// # Errors
    /// None is pinned.
    pub fn node_here(&self) -> Result<&Package> {
        self.node.get(&format!("{OS}-{ARCH}")).with_context(|| {
            let known = self.node.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            format!("no Node.js is pinned for {OS}-{ARCH} (only for {known}): install Node.js 24 or later")
        })
    }
}

impl Package {
    /// `name@version`, as npm takes it.
    pub fn spec(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }

    /// Compares a downloaded tarball with the lock.
    ///
    /// # Errors
    /// It is not the pinned one.
    pub fn verify(&self, tarball: &Path) -> Result<()> {
        let mut file = File::open(tarball).with_context(|| format!("{} was not downloaded", self.spec()))?;
        let bytes = file.metadata()?.len();
        if bytes != self.bytes {
            bail!("{}: downloaded {bytes} bytes, lock.json says {}", self.spec(), self.bytes);
        }
        let mut hash = Sha256::new();
        io::copy(&mut file, &mut hash)?;
        let sha256 = hex(&hash.finalize());
        if sha256 != self.sha256 {
            bail!("{}: the download has sha256 {sha256}, lock.json says {}", self.spec(), self.sha256);
        }
        Ok(())
    }
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// sha256 of some texts; each is delimited, so that no two lists of texts agree by accident.
pub fn digest<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}
