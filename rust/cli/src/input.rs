//! Files and standard input as text and JSON, mistakes with their place.

use razorgirl_view::failure::Failure;
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The text itself, where it begins with one of these brackets, or else what is in the file of that name; '-' is standard input.
///
/// A file whose name begins with such a bracket is `./[…`.
pub fn text_or_file(word: &str, brackets: &[char]) -> Result<String, Failure> {
    if word.trim_start().starts_with(brackets) { Ok(word.to_owned()) } else { text(Path::new(word)) }
}

/// Bytes that are read of one input: as many as the protocol reads of one line.
const MAX: usize = razorgirl_protocol::MAX_LINE;

/// The text of a file; '-' is standard input.
///
/// What a file says of its own size is not asked: devices and pipes say nothing, and never end.
pub fn text(path: &Path) -> Result<String, Failure> {
    let named = |error: std::io::Error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let bytes = if path.as_os_str() == "-" {
        bounded(std::io::stdin().lock())?
    } else {
        bounded(File::open(path).map_err(named)?).map_err(named)?
    };
    let Some(bytes) = bytes else {
        let input = if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() };
        return Err(Failure::Unreadable {
            code: "too_large".into(),
            message: format!("{input} has more than {MAX} bytes"),
            help: vec!["ask about a smaller part".into()],
        });
    };
    String::from_utf8(bytes).map_err(|error| Failure::Unreadable {
        code: "parse".into(),
        message: format!("byte {} is not UTF-8", error.utf8_error().valid_up_to()),
        help: vec!["save the file as UTF-8 text".into()],
    })
}

/// All bytes, or `None` when there are more than [`MAX`].
fn bounded(input: impl Read) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    input.take(MAX as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= MAX).then_some(bytes))
}

/// The text as JSON, of objects in which no name stands twice.
pub fn json(text: &str, example: &str) -> Result<Value, Failure> {
    let value = serde_json::from_str(text).map_err(|error| {
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        Failure::Unreadable {
            code: "parse".into(),
            message: format!("line {} column {}: {what}", error.line(), error.column()),
            help: vec![format!("write {example}")],
        }
    })?;
    razorgirl_protocol::plain_names(text).map_err(|refusal| Failure::Unreadable {
        code: refusal.code.name().to_owned(),
        message: refusal.message,
        help: vec![format!("write {example}")],
    })?;
    Ok(value)
}
