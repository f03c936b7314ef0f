//! Layouts as they are written and morphisms, as JSON.

use razorgirl::category::{FinMap, NestMorphism, TupleMorphism, WrittenLayout};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::answer::Nested;

/// `{"shape":…,"stride":…}`.
pub(crate) struct WrittenJson<'a>(pub(crate) &'a WrittenLayout);

impl Serialize for WrittenJson<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        let mut fields = json.serialize_map(Some(2))?;
        fields.serialize_entry("shape", &Nested(self.0.shape()))?;
        fields.serialize_entry("stride", &Nested(self.0.stride()))?;
        fields.end()
    }
}

/// `{"m":…,"n":…,"map":[…]}`.
pub(crate) struct FinJson<'a>(pub(crate) &'a FinMap);

impl Serialize for FinJson<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        let mut fields = json.serialize_map(Some(3))?;
        fields.serialize_entry("m", &self.0.domain())?;
        fields.serialize_entry("n", &self.0.codomain())?;
        fields.serialize_entry("map", self.0.values())?;
        fields.end()
    }
}

/// `{"domain":[…],"codomain":[…],"map":[…]}`.
pub(crate) struct TupleJson<'a>(pub(crate) &'a TupleMorphism);

impl Serialize for TupleJson<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        morphism(json, self.0.domain(), self.0.codomain(), self.0.map())
    }
}

/// `{"domain":…,"codomain":…,"map":[…]}`, nested.
pub(crate) struct NestJson<'a>(pub(crate) &'a NestMorphism);

impl Serialize for NestJson<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        morphism(json, Nested(self.0.domain()), Nested(self.0.codomain()), self.0.flat().map())
    }
}

fn morphism<S: Serializer>(
    json: S,
    domain: impl Serialize,
    codomain: impl Serialize,
    map: &FinMap,
) -> Result<S::Ok, S::Error> {
    let mut fields = json.serialize_map(Some(3))?;
    fields.serialize_entry("domain", &domain)?;
    fields.serialize_entry("codomain", &codomain)?;
    fields.serialize_entry("map", map.values())?;
    fields.end()
}
