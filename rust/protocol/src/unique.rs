//! Objects in which no name stands twice.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// JSON that is read past; an object with a name twice is an error.
pub(crate) struct Unique;

impl<'a> Deserialize<'a> for Unique {
    fn deserialize<D: Deserializer<'a>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(Self)
    }
}

impl<'a> Visitor<'a> for Unique {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<S: SeqAccess<'a>>(self, mut items: S) -> Result<Self, S::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<M: MapAccess<'a>>(self, mut fields: M) -> Result<Self, M::Error> {
        let mut names = HashSet::new();
        while let Some((name, _)) = fields.next_entry::<String, Self>()? {
            if let Some(twice) = names.replace(name) {
                return Err(M::Error::custom(format!("`{twice}` stands twice")));
            }
        }
        Ok(self)
    }
}
