//! Files and standard input as text and JSON, mistakes with their place.

use crate::failure::Failure;
use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// The text of a file; '-' is standard input.
pub fn text(path: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        std::io::stdin().read_to_end(&mut bytes)?;
    } else {
        let named = |error: std::io::Error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        bytes = std::fs::read(path).map_err(named)?;
    }
    String::from_utf8(bytes).map_err(|error| Failure::Unreadable {
        code: "parse".into(),
        message: format!("byte {} is not UTF-8", error.utf8_error().valid_up_to()),
        help: vec!["save the file as UTF-8 text".into()],
    })
}

/// The text as JSON.
pub fn json(text: &str, example: &str) -> Result<Value, Failure> {
    serde_json::from_str(text).map_err(|error| {
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        Failure::Unreadable {
            code: "parse".into(),
            message: format!("line {} column {}: {what}", error.line(), error.column()),
            help: vec![format!("write {example}")],
        }
    })
}
