//! Layouts and tuples as the protocol writes them, for programs that speak it.

use razorgirl::{IntTuple, Layout};

use crate::code::{Code, Refusal};
use crate::operand::{Kind, Operand, read as operand};
use crate::value::read;
use crate::write::{put_layout, put_tuple};

/// `{"shape":…,"stride":…}`.
///
/// ```
/// let layout = "((4,2),8):((1,4),8)".parse()?;
/// assert_eq!(razorgirl_protocol::layout_to_json(&layout), r#"{"shape":[[4,2],8],"stride":[[1,4],8]}"#);
/// # Ok::<(), razorgirl::Error>(())
/// ```
#[must_use]
pub fn layout_to_json(layout: &Layout) -> String {
    let mut text = String::new();
    put_layout(&mut text, layout);
    text
}

/// A tuple as nested lists.
///
/// ```
/// let tuple = "((4,2),8)".parse()?;
/// assert_eq!(razorgirl_protocol::tuple_to_json(&tuple), "[[4,2],8]");
/// # Ok::<(), razorgirl::Error>(())
/// ```
#[must_use]
pub fn tuple_to_json(tuple: &IntTuple) -> String {
    let mut text = String::new();
    put_tuple(&mut text, tuple);
    text
}

/// Reads `{"shape":…,"stride":…}`.
///
/// # Errors
/// A [`Refusal`] as the protocol would answer it.
///
/// ```
/// let layout = razorgirl_protocol::layout_from_json(r#"{"shape":[4,2],"stride":[1,4]}"#)?;
/// assert_eq!(layout.to_string(), "(4,2):(1,4)");
/// # Ok::<(), razorgirl_protocol::Refusal>(())
/// ```
pub fn layout_from_json(json: &str) -> Result<Layout, Refusal> {
    let not_json = |error: serde_json::Error| Refusal::new(Code::Parse, error.to_string());
    // Skipped, not parsed: the reader below relies on text that is JSON, and does not care how deep it is nested.
    let raw: &serde_json::value::RawValue = serde_json::from_str(json).map_err(not_json)?;
    let list = format!("[{}]", raw.get());
    let mut values = read(&list).map_err(|unread| match unread {
        crate::value::Unread::TooDeep(error) => error.into(),
        crate::value::Unread::NotAnArray => Refusal::internal("a list was not read as one"),
    })?;
    match values.pop().map(|value| operand(Kind::Layout, value, 1)) {
        Some(Ok(Operand::Layout(layout))) => layout.build(),
        Some(Err(refusal)) => Err(refusal),
        _ => Err(Refusal::internal("a layout was read as something else")),
    }
}
