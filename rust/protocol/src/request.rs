//! The envelope of a request: `id`, `op`, `args` and options.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer as _, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The parts of a request, as JSON that has been checked but not read. What was read before a fault is kept.
///
/// The parts are skipped and not parsed: that takes no recursion, so nesting of any depth is harmless here.
#[derive(Debug, Default)]
pub(crate) struct Request<'a> {
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) op: Option<&'a RawValue>,
    pub(crate) args: Option<&'a RawValue>,
    options: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'a> Request<'a> {
    /// Reads a line, and says what is wrong with it if anything is.
    pub(crate) fn read(line: &'a str) -> (Self, Result<(), serde_json::Error>) {
        let mut request = Self::default();
        let mut json = serde_json::Deserializer::from_str(line);
        let read = json.deserialize_map(Envelope(&mut request)).and_then(|()| json.end());
        (request, read)
    }

    /// A field beside `id`, `op` and `args`, as JSON.
    pub(crate) fn option(&self, name: &str) -> Option<&'a str> {
        let (_, value) = self.options.iter().find(|(field, _)| field == name)?;
        Some(value.get())
    }
}

struct Envelope<'r, 'a>(&'r mut Request<'a>);

impl<'a> Visitor<'a> for Envelope<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `id`, `op` and `args`")
    }

    fn visit_map<M: MapAccess<'a>>(self, mut map: M) -> Result<(), M::Error> {
        let request = self.0;
        while let Some(Key(name)) = map.next_key()? {
            let slot = match name.as_ref() {
                "id" => &mut request.id,
                "op" => &mut request.op,
                "args" => &mut request.args,
                _ => {
                    request.options.push((name, map.next_value()?));
                    continue;
                }
            };
            // Which of two is meant cannot be known.
            if slot.is_some() {
                return Err(M::Error::custom(format!("`{name}` stands twice")));
            }
            *slot = Some(map.next_value()?);
        }
        Ok(())
    }
}

/// A key, borrowed unless it is written with escapes.
struct Key<'a>(Cow<'a, str>);

impl<'a> serde::Deserialize<'a> for Key<'a> {
    fn deserialize<D: serde::Deserializer<'a>>(json: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'a> Visitor<'a> for Text {
            type Value = Key<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'a str) -> Result<Key<'a>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key<'a>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        json.deserialize_str(Text)
    }
}

/// How deep brackets and braces are nested, strings aside. No recursion, and of any bytes.
pub(crate) fn nesting(text: &[u8]) -> usize {
    let (mut depth, mut deepest, mut string, mut escaped) = (0_usize, 0, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if string => escaped = true,
            b'"' => string = !string,
            _ if string => {}
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_before_a_fault_are_kept() {
        let (request, read) = Request::read(r#"{"id":[1,{"a":2.50}],"op":"size","args":[1,}"#);
        assert!(read.is_err());
        assert_eq!(request.id.map(RawValue::get), Some(r#"[1,{"a":2.50}]"#));
        assert_eq!(request.op.map(RawValue::get), Some(r#""size""#));
        assert!(request.args.is_none());
    }

    #[test]
    fn options_and_escaped_names() {
        let (request, read) = Request::read(r#"{"mo\u0064e":"complete","id":null,"\u006fp":"size"}"#);
        assert!(read.is_ok());
        assert_eq!(request.option("mode"), Some(r#""complete""#));
        assert_eq!(request.option("id"), None);
        assert!(request.op.is_some());
    }

    #[test]
    fn nesting_ignores_strings() {
        assert_eq!(nesting(br#"{"a":"[[[[\"[[","b":[[1]]}"#), 3);
        assert_eq!(nesting(b"[[[["), 4);
        assert_eq!(nesting(b"]]]["), 1);
    }
}
