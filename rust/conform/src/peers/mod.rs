//! Libraries for which adapters come with us: `razorgirl conform --peer NAME`.
//!
//! An adapter is a Python file of `rust/conform/adapters`, kept in this program. On first use a folder of the user's cache gets
//! it, a virtual environment of pinned and hashed packages, and nothing else; its name has a hash of all that it was made of.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

macro_rules! adapter {
    ($file:literal) => {
        include_str!(concat!("../../adapters/", $file))
    };
}

/// A library with an adapter.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// as it is named on the command line
    pub name: &'static str,
    adapter: &'static str,
    requirements: &'static str,
    /// one folder out of a wheel, or a program to compile: the files' names and what they hold
    beside: &'static [(&'static str, &'static str)],
    /// the first Python that will do
    python: (u32, u32),
    /// how its Python is written
    pub writing: Option<Writing>,
}

/// The languages that a test is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Python
    Python,
    /// C++
    Cpp,
}

/// How a layout and an operation are written in a library's own language.
#[derive(Clone, Copy, Debug)]
pub struct Writing {
    /// the language
    pub language: Language,
    /// what comes first
    pub imports: &'static str,
    /// the layout of `{shape}` and `{stride}`
    pub layout: &'static str,
    /// whether its shape and stride are tuples in any case: `(4,)` for 4
    pub tuples: bool,
    /// the offset of `{layout}` at the index `{index}`
    pub at: &'static str,
    /// the number of coordinates of `{layout}`
    pub size: &'static str,
    /// the first mode of `{layout}`, if there is a way to write it
    pub first: Option<&'static str>,
    /// operations of another name than in the protocol; those of a name that ends in `_by_mode` have the name before that
    pub names: &'static [(&'static str, &'static str)],
}

const PYCUTE: Writing = Writing {
    language: Language::Python,
    imports: "from pycute import *",
    layout: "Layout({shape}, {stride})",
    tuples: false,
    at: "{layout}({index})",
    size: "size({layout})",
    first: Some("{layout}[0]"),
    names: &[],
};

const CUTE: Writing = Writing {
    language: Language::Cpp,
    imports: "#include <cute/layout.hpp>\n#include <cassert>\n#include <cstdint>\n#include <vector>\n\nusing namespace cute;",
    layout: "make_layout({shape}, {stride})",
    first: Some("layout<0>({layout})"),
    ..PYCUTE
};

const FLYDSL: Writing = Writing {
    imports: adapter!("flydsl_test.py"),
    layout: "layout({shape}, {stride})",
    at: "at({layout}, {index})",
    first: None,
    ..PYCUTE
};

const CUTE_WRITE: (&str, &str) = ("cute_write.hpp", adapter!("cute_write.hpp"));

/// All of them.
pub const KNOWN: &[Known] = &[
    Known {
        name: "cute",
        adapter: adapter!("cute_adapter.py"),
        requirements: adapter!("peers/cute.txt"),
        beside: &[("cute.cpp", adapter!("cute.cpp")), CUTE_WRITE],
        python: (3, 9),
        writing: Some(CUTE),
    },
    Known {
        name: "cute-static",
        adapter: adapter!("cute_static_adapter.py"),
        requirements: adapter!("peers/cute.txt"),
        beside: &[
            ("cute.cpp", adapter!("cute_static.cpp")),
            ("cute_static.inc", adapter!("cute_static.inc")),
            CUTE_WRITE,
        ],
        python: (3, 9),
        writing: None,
    },
    Known {
        name: "flydsl",
        adapter: adapter!("flydsl_adapter.py"),
        requirements: adapter!("peers/flydsl.txt"),
        beside: &[],
        python: (3, 10),
        writing: Some(FLYDSL),
    },
    Known {
        name: "isl",
        adapter: adapter!("isl_adapter.py"),
        requirements: adapter!("peers/isl.txt"),
        beside: &[],
        python: (3, 10),
        writing: None,
    },
    Known {
        name: "pycute",
        adapter: adapter!("pycute_adapter.py"),
        requirements: adapter!("peers/pycute.txt"),
        beside: &[],
        python: (3, 9),
        writing: Some(PYCUTE),
    },
    Known {
        name: "pytorch",
        adapter: adapter!("pytorch_adapter.py"),
        requirements: adapter!("peers/pytorch.txt"),
        beside: &[("wheel.json", adapter!("peers/pytorch.json"))],
        python: (3, 10),
        writing: Some(Writing { imports: "from torch.distributed._pycute import *", ..PYCUTE }),
    },
    Known {
        name: "tensor-layouts",
        adapter: adapter!("tensor_layouts_adapter.py"),
        requirements: adapter!("peers/tensor-layouts.txt"),
        beside: &[],
        python: (3, 10),
        writing: Some(Writing {
            imports: "from tensor_layouts import *",
            first: Some("mode({layout}, 0)"),
            names: &[("composition", "compose")],
            ..PYCUTE
        }),
    },
    Known {
        name: "tilefoundry",
        adapter: adapter!("tilefoundry_adapter.py"),
        requirements: adapter!("peers/tilefoundry.txt"),
        beside: &[],
        python: (3, 12),
        writing: Some(Writing {
            imports: "from tilefoundry.ir.types.layout import Layout, apply, size\nfrom tilefoundry.ir.types.layout_algebra import *",
            layout: "Layout({shape}, {stride})",
            tuples: true,
            at: "apply({layout}, {index})",
            first: None,
            ..PYCUTE
        }),
    },
    Known {
        name: "tilelang",
        adapter: adapter!("tilelang_adapter.py"),
        requirements: adapter!("peers/tilelang.txt"),
        beside: &[],
        python: (3, 10),
        writing: Some(Writing {
            imports: "from tilelang.layout.cute import *",
            layout: "make_layout({shape}, {stride})",
            first: None,
            names: &[("with_shape", "Layout.with_shape")],
            ..PYCUTE
        }),
    },
    Known {
        name: "triton",
        adapter: adapter!("triton_adapter.py"),
        requirements: adapter!("peers/triton.txt"),
        beside: &[],
        python: (3, 11),
        writing: None,
    },
];

/// Files that every adapter may import, and what makes its environment.
const SHARED: [(&str, &str); 2] = [("peer.py", adapter!("peer.py")), ("prepare.py", adapter!("prepare.py"))];

/// Why an adapter cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CannotPrepare {
    /// no such library
    Unknown(String),
    /// no Python of this version or a later one, with venv and pip
    NoPython(u32, u32),
    /// neither a cache folder nor a home is known
    NoCache,
    /// a file: where, and why
    File(PathBuf, String),
    /// the environment could not be made: what it said
    Failed(String),
}

impl fmt::Display for CannotPrepare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => {
                let names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
                write!(f, "--peer {name}: there is no adapter for it; there are {}", names.join(", "))
            }
            Self::NoPython(major, minor) => write!(
                f,
                "no python3 from {major}.{minor} on, with venv and pip, is on the path; RAZORGIRL_PYTHON names one"
            ),
            Self::NoCache => f.write_str("no folder for adapters: set RAZORGIRL_CACHE, XDG_CACHE_HOME or HOME"),
            Self::File(place, why) => write!(f, "{}: {why}", place.display()),
            Self::Failed(said) => write!(f, "the adapter's packages cannot be had (they come from PyPI): {said}"),
        }
    }
}

impl std::error::Error for CannotPrepare {}

/// The library of this name.
///
/// # Errors
/// [`CannotPrepare::Unknown`]
pub fn named(name: &str) -> Result<&'static Known, CannotPrepare> {
    KNOWN.iter().find(|known| known.name == name).ok_or_else(|| CannotPrepare::Unknown(name.to_owned()))
}

impl Known {
    fn files(&self) -> Vec<(&'static str, &'static str)> {
        let own = [("adapter.py", self.adapter), ("requirements.txt", self.requirements)];
        own.into_iter().chain(SHARED).chain(self.beside.iter().copied()).collect()
    }

    /// The folder's name: the library's, and a hash of the files.
    fn folder(&self) -> String {
        let bytes = self.files().into_iter().flat_map(|(name, text)| name.bytes().chain(text.bytes()));
        let hash = bytes
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        format!("{}-{hash:016x}", self.name)
    }

    /// The command line of its adapter, which is made if it is not there; `say` is told before that.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub fn command(&self, say: impl Fn(&Path)) -> Result<String, CannotPrepare> {
        let folder = cache()?.join("peers").join(self.folder());
        if !folder.is_dir() {
            say(&folder);
            self.make(&folder)?;
        }
        let quoted = |path: PathBuf| format!("'{}'", path.display().to_string().replace('\'', r"'\''"));
        Ok(format!("exec {} {}", quoted(folder.join("venv/bin/python")), quoted(folder.join("adapter.py"))))
    }

    /// Beside its place first, so that a folder that is there is whole.
    fn make(&self, folder: &Path) -> Result<(), CannotPrepare> {
        let file = |place: &Path| {
            let place = place.to_owned();
            move |error: std::io::Error| CannotPrepare::File(place, error.to_string())
        };
        let python = self.interpreter()?;
        let part = folder.with_extension(format!("part{}", std::process::id()));
        std::fs::create_dir_all(&part).map_err(file(&part))?;
        let made = self.fill(&part, &python);
        if made.is_ok() {
            // who else has made it meanwhile made the same
            if let Err(error) = std::fs::rename(&part, folder)
                && !folder.is_dir()
            {
                return Err(file(folder)(error));
            }
        }
        let _ = std::fs::remove_dir_all(&part);
        made
    }

    fn fill(&self, part: &Path, python: &OsString) -> Result<(), CannotPrepare> {
        for (name, text) in self.files() {
            let place = part.join(name);
            std::fs::write(&place, text).map_err(|error| CannotPrepare::File(place, error.to_string()))?;
        }
        let mut prepare = Command::new(python);
        prepare.arg(part.join("prepare.py")).arg(part).stdin(Stdio::null());
        let done = prepare.output().map_err(|error| CannotPrepare::Failed(error.to_string()))?;
        if done.status.success() {
            Ok(())
        } else {
            Err(CannotPrepare::Failed(String::from_utf8_lossy(&done.stderr).trim().to_owned()))
        }
    }

    fn interpreter(&self) -> Result<OsString, CannotPrepare> {
        let (major, minor) = self.python;
        let test = format!("import sys, venv, ensurepip; sys.exit(sys.version_info[:2] < ({major}, {minor}))");
        let given = std::env::var_os("RAZORGIRL_PYTHON");
        let usual = ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10"];
        let fits = |python: &OsString| {
            let mut command = Command::new(python);
            command.args(["-c", &test]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().is_ok_and(|status| status.success())
        };
        given.into_iter().chain(usual.map(OsString::from)).find(fits).ok_or(CannotPrepare::NoPython(major, minor))
    }
}

fn cache() -> Result<PathBuf, CannotPrepare> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("RAZORGIRL_CACHE")
        .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("razorgirl")))
        .or_else(|| folder("HOME").map(|home| home.join(".cache/razorgirl")))
        .ok_or(CannotPrepare::NoCache)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_is_pinned_and_hashed() {
        for known in KNOWN {
            let lines = known.requirements.replace("\\\n", "");
            for line in lines.lines() {
                assert!(line.contains("==") && line.contains("--hash=sha256:"), "{}: {line}", known.name);
            }
            assert!(named(known.name).is_ok());
        }
        assert!(named("nothing").is_err_and(|error| error.to_string().contains("pycute")));
    }
}
