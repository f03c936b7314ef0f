//! What is wrong in a file that the user wrote for the auditor.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::report::Lines;

/// A mistake with its place, its reason, and a way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// What kind: `io`, `too_large`, `parse`, `unknown_key`, `unknown_rule`, `wrong_type`, `wrong_value`, `version`.
    pub code: &'static str,
    /// The file.
    pub path: PathBuf,
    /// Line and column from 1, where they are known.
    pub at: Option<(usize, usize)>,
    /// What is wrong.
    pub reason: String,
    /// What to write.
    pub fix: String,
}

impl Mistake {
    /// A mistake in a file as a whole.
    pub fn of(code: &'static str, path: &Path, reason: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { code, path: path.to_path_buf(), at: None, reason: reason.into(), fix: fix.into() }
    }

    /// The mistake at a byte of the file's text.
    #[must_use]
    pub fn at(mut self, text: &str, byte: usize) -> Self {
        let byte = u32::try_from(byte).unwrap_or(u32::MAX);
        let start = Lines::of(text).region(text, crate::ast::Span { start: byte, end: byte }).start;
        self.at = Some((start.line, start.column));
        self
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some((line, column)) = self.at {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl std::error::Error for Mistake {}

/// The bytes of a file of this size at most.
pub(super) fn read(path: &Path, most: u64) -> Result<String, Mistake> {
    use std::io::Read;
    let io = |error: std::io::Error| Mistake::of("io", path, error.to_string(), "name a file that can be read");
    let mut bytes = Vec::new();
    std::fs::File::open(path).map_err(io)?.take(most + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > most {
        return Err(Mistake::of("too_large", path, format!("it has more than {most} bytes"), "name another file"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Mistake::of("parse", path, format!("byte {at} is not UTF-8"), "save the file as UTF-8 text")
    })
}
