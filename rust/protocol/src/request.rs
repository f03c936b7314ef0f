//! The envelope of a request: `id`, `op`, `args` and `mode`.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer as _, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::code::{Code, Refusal};
use crate::mode::Mode;

/// The parts of a request, as JSON that has been checked but not read. What was read before a fault is kept.
///
/// The parts are skipped and not parsed: that takes no recursion, so nesting of any depth is harmless here.
#[derive(Debug, Default)]
pub(crate) struct Request<'a> {
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) op: Option<&'a RawValue>,
    pub(crate) args: Option<&'a RawValue>,
    mode: Option<&'a RawValue>,
    /// The first field that no request has.
    unknown: Option<Cow<'a, str>>,
}

impl<'a> Request<'a> {
    /// Reads a line, and says what is wrong with it if anything is.
    pub(crate) fn read(line: &'a str) -> (Self, Result<(), serde_json::Error>) {
        let mut request = Self::default();
        let mut json = serde_json::Deserializer::from_str(line);
        let read = json.deserialize_map(Envelope(&mut request)).and_then(|()| json.end());
        (request, read)
    }

    /// The name of the operation.
    pub(crate) fn name(&self) -> Result<String, Refusal> {
        let name = self.op.and_then(|op| serde_json::from_str(op.get()).ok());
        name.ok_or_else(|| {
            let met = if self.op.is_some() { "`op` is not a string" } else { "there is no `op`" };
            Refusal::new(Code::Parse, met).with_help("a request is {\"id\":1,\"op\":\"size\",\"args\":[[4,2]]}")
        })
    }

    /// The arguments; `ops` needs none.
    pub(crate) fn arguments(&self) -> Result<Vec<&'a RawValue>, Refusal> {
        match self.args {
            Some(args) => {
                serde_json::from_str(args.get()).map_err(|_| Refusal::new(Code::Parse, "`args` is not an array"))
            }
            None if self.op.is_some_and(|op| op.get() == "\"ops\"") => Ok(Vec::new()),
            None => Err(Refusal::new(Code::Parse, "there is no `args`")),
        }
    }

    /// The mode; strict without one.
    pub(crate) fn mode(&self) -> Result<Mode, Refusal> {
        if let Some(name) = &self.unknown {
            let shown: String = name.chars().take(40).collect();
            return Err(Refusal::new(Code::Parse, format!("a request has no field `{shown}`"))
                .with_help("its fields are `id`, `op`, `args` and `mode`"));
        }
        let Some(mode) = self.mode else { return Ok(Mode::Strict) };
        let name: Option<String> = serde_json::from_str(mode.get()).ok();
        name.as_deref().and_then(Mode::named).ok_or_else(|| {
            let shown: String = mode.get().chars().take(40).collect();
            let names = Mode::ALL.map(|mode| format!("\"{}\"", mode.name()));
            Refusal::new(Code::Parse, format!("there is no mode {shown}"))
                .with_help(format!("the modes are {}", names.join(", ")))
        })
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
                "mode" => &mut request.mode,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    request.unknown.get_or_insert(name);
                    continue;
                }
            };
            // Which of two is meant cannot be known.
            if slot.is_some() {
                return Err(M::Error::custom(format!("`{name}` occurs twice")));
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
        let mode = |line| {
            let (request, read) = Request::read(line);
            assert!(read.is_ok());
            request.mode().map_err(|refusal| refusal.message)
        };
        assert_eq!(mode(r#"{"mo\u0064e":"complete","id":null,"\u006fp":"size"}"#), Ok(Mode::Complete));
        assert_eq!(mode(r#"{"op":"size"}"#), Ok(Mode::Strict));
        assert_eq!(mode(r#"{"mode":"compleat"}"#), Err("there is no mode \"compleat\"".into()));
        assert_eq!(mode(r#"{"mode":["strict"]}"#), Err("there is no mode [\"strict\"]".into()));
        assert_eq!(mode(r#"{"mod":"complete"}"#), Err("a request has no field `mod`".into()));
    }
}
