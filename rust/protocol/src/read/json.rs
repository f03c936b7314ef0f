//! JSON as it stands in a request: its names and its lists, one after the other. The numbers in it may have any length.

use super::{Fault, Read, is_object, met};
use crate::code::{Code, Refusal};
use razorgirl::{HTuple, HTupleBuilder};
use serde::de::{Deserializer as _, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;

/// JSON of which the nesting is small and the names are plain ([`plain_names`]), or that is refused.
pub(super) fn value(json: &str) -> Read<serde_json::Value> {
    let value = serde_json::from_str(json).map_err(|error| Refusal::new(Code::Parse, error.to_string()))?;
    plain(json)?;
    Ok(value)
}

/// Refuses JSON in which a name stands twice in an object, since which of the two is meant cannot be known, or begins as the
/// names that `serde_json` has for itself: it reads `{"$serde_json::private::Number":"7"}` as 7.
///
/// # Errors
/// [`Code::Parse`] with the name.
///
/// ```
/// assert!(razorgirl_protocol::plain_names(r#"{"extents":[4]}"#).is_ok());
/// assert!(razorgirl_protocol::plain_names(r#"{"extents":[4],"extents":[8]}"#).is_err());
/// ```
pub fn plain_names(json: &str) -> Result<(), Refusal> {
    value(json.trim()).map(drop).map_err(|fault| match fault {
        Fault::Refused(refusal) => refusal,
        _ => Refusal::internal("JSON was read as an argument"),
    })
}

// Recursion: as deep as JSON is nested, which `serde_json` has read and so bounded.
fn plain(json: &str) -> Read<()> {
    let wrong = |name: &str, what: &str| -> Read<()> {
        let shown: String = name.chars().take(40).collect();
        Err(Refusal::new(Code::Parse, format!("`{shown}` {what}")).into())
    };
    let mut names = HashSet::new();
    match json.as_bytes().first() {
        Some(b'{') => entries(json, &mut |name, value| {
            if name.starts_with("$serde_json::private::") {
                return wrong(&name, "cannot be the name of a field");
            }
            plain(value)?;
            match names.replace(name) {
                Some(twice) => wrong(&twice, "occurs twice in an object"),
                None => Ok(()),
            }
        }),
        Some(b'[') if json.contains('{') => each(json, &mut plain),
        _ => Ok(()),
    }
}

/// Calls `read` with each name of an object and the JSON of its value.
pub(super) fn entries<'a>(json: &'a str, read: &mut dyn FnMut(String, &'a str) -> Read<()>) -> Read<()> {
    struct Entries<'r, 'a>(&'r mut dyn FnMut(String, &'a str) -> Read<()>, &'r mut Option<Fault>);

    impl<'a> Visitor<'a> for Entries<'_, 'a> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<M: MapAccess<'a>>(self, mut entries: M) -> Result<(), M::Error> {
            while let Some((name, value)) = entries.next_entry::<String, &'a RawValue>()? {
                if let Err(fault) = (self.0)(name, value.get()) {
                    *self.1 = Some(fault);
                    return Err(M::Error::custom("refused"));
                }
            }
            Ok(())
        }
    }

    if !is_object(json) {
        return Err(Fault::Met(met(json)));
    }
    let mut fault = None;
    match serde_json::Deserializer::from_str(json).deserialize_map(Entries(read, &mut fault)) {
        Ok(()) => Ok(()),
        Err(error) => Err(fault.unwrap_or_else(|| Refusal::new(Code::Parse, error.to_string()).into())),
    }
}

/// Calls `read` with the JSON of each item of a list.
pub(super) fn each<'a>(json: &'a str, read: &mut dyn FnMut(&'a str) -> Read<()>) -> Read<()> {
    struct Items<'r, 'a>(&'r mut dyn FnMut(&'a str) -> Read<()>, &'r mut Option<Fault>);

    impl<'a> Visitor<'a> for Items<'_, 'a> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<S: SeqAccess<'a>>(self, mut items: S) -> Result<(), S::Error> {
            while let Some(item) = items.next_element::<&'a RawValue>()? {
                if let Err(fault) = (self.0)(item.get()) {
                    *self.1 = Some(fault);
                    return Err(S::Error::custom("refused"));
                }
            }
            Ok(())
        }
    }

    if !json.starts_with('[') {
        return Err(Fault::Met(met(json)));
    }
    let mut fault = None;
    match serde_json::Deserializer::from_str(json).deserialize_seq(Items(read, &mut fault)) {
        Ok(()) => Ok(()),
        Err(error) => Err(fault.unwrap_or_else(|| Refusal::new(Code::Parse, error.to_string()).into())),
    }
}

/// A nested tuple; the recursion is as deep as tuples may be nested.
pub(super) fn nested<'a, T: Copy + Default>(
    json: &'a str,
    leaf: &mut impl FnMut(&'a str) -> Read<T>,
) -> Read<HTuple<T>> {
    fn build<'a, T: Copy + Default>(
        json: &'a str,
        builder: &mut HTupleBuilder<T>,
        leaf: &mut dyn FnMut(&'a str) -> Read<T>,
    ) -> Read<()> {
        if !json.starts_with('[') {
            builder.leaf(leaf(json)?);
            return Ok(());
        }
        builder.open()?;
        each(json, &mut |mode| build(mode, builder, leaf))?;
        builder.close();
        Ok(())
    }

    let mut builder = HTupleBuilder::new();
    build(json, &mut builder, leaf)?;
    Ok(builder.finish()?)
}
