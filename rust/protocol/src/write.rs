//! Answers as JSON.

use std::fmt::Write as _;

use razorgirl::{IntTuple, Layout};

use crate::code::Refusal;

/// The fields of an answer after its `id`: `"result":7`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer(String);

impl Answer {
    /// `"result":` and what `write` puts after it.
    pub(crate) fn write(write: impl FnOnce(&mut String)) -> Self {
        let mut text = String::from("\"result\":");
        write(&mut text);
        Self(text)
    }

    /// A result of which the JSON is what it displays: an integer or a truth value.
    pub(crate) fn plain(result: impl std::fmt::Display) -> Self {
        Self::write(|text| put(text, result))
    }

    pub(crate) fn layout(layout: &Layout) -> Self {
        Self::write(|text| put_layout(text, layout))
    }

    pub(crate) fn tuple(tuple: &IntTuple) -> Self {
        Self::write(|text| put_tuple(text, tuple))
    }

    /// Another field beside the result.
    pub(crate) fn beside(mut self, field: &str, write: impl FnOnce(&mut String)) -> Self {
        self.0.push(',');
        put_string(&mut self.0, field);
        self.0.push(':');
        write(&mut self.0);
        self
    }
}

/// What displays itself as JSON.
pub(crate) fn put(text: &mut String, what: impl std::fmt::Display) {
    // Writing to a string does not fail.
    let _ = write!(text, "{what}");
}

pub(crate) fn put_tuple(text: &mut String, tuple: &IntTuple) {
    let start = text.len();
    put(text, tuple);
    // CuTe notation and JSON differ in the brackets only.
    let tail = text.split_off(start);
    text.extend(tail.chars().map(|char| match char {
        '(' => '[',
        ')' => ']',
        char => char,
    }));
}

pub(crate) fn put_layout(text: &mut String, layout: &Layout) {
    text.push_str("{\"shape\":");
    put_tuple(text, layout.shape().extents());
    text.push_str(",\"stride\":");
    put_tuple(text, &layout.stride());
    text.push('}');
}

/// A JSON list.
pub(crate) fn put_list<T>(text: &mut String, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut String, T)) {
    text.push('[');
    let mut first = true;
    for item in items {
        if !first {
            text.push(',');
        }
        first = false;
        each(text, item);
    }
    text.push(']');
}

pub(crate) fn put_string(text: &mut String, string: &str) {
    text.push('"');
    for char in string.chars() {
        match char {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            char if char < ' ' => {
                let _ = write!(text, "\\u{:04x}", u32::from(char));
            }
            char => text.push(char),
        }
    }
    text.push('"');
}

/// A whole answer line, without its line end.
pub(crate) fn line(id: &str, outcome: &Result<Answer, Refusal>) -> String {
    let mut text = String::with_capacity(64 + outcome.as_ref().map_or(256, |answer| answer.0.len()));
    text.push_str("{\"id\":");
    text.push_str(id);
    text.push(',');
    match outcome {
        Ok(answer) => text.push_str(&answer.0),
        Err(refusal) => {
            text.push_str("\"error\":{\"code\":");
            put_string(&mut text, refusal.code.name());
            text.push_str(",\"message\":");
            put_string(&mut text, &refusal.message);
            text.push_str(",\"help\":");
            put_list(&mut text, &refusal.help, |text, help| put_string(text, help));
            text.push('}');
        }
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_as_serde_does() {
        let all: String = (0..0x250).filter_map(char::from_u32).collect();
        let mut text = String::new();
        put_string(&mut text, &all);
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), all);
    }

    #[test]
    fn tuples_and_layouts() {
        let mut text = String::from("(");
        put_tuple(&mut text, &"((4,2),())".parse().unwrap());
        assert_eq!(text, "([[4,2],[]]");
        let answer = Answer::layout(&"(4,2):(1,4)".parse().unwrap()).beside("n", |text| put(text, 3));
        assert_eq!(line("7", &Ok(answer)), r#"{"id":7,"result":{"shape":[4,2],"stride":[1,4]},"n":3}"#);
    }
}
