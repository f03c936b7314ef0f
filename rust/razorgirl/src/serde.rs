//! The JSON form of the protocol, for any format of `serde`: a tuple is a list, an integer a number, `_` is null, and a
//! layout is `{"shape": …, "stride": …}`.

use alloc::vec::Vec;
use core::fmt;

use ::serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer};
use ::serde::ser::{SerializeSeq, SerializeStruct, Serializer};
use ::serde::{Deserialize, Serialize};

use crate::coord::Coord;
use crate::int_tuple::{HTuple, HTupleBuilder, IntTuple, MAX_DEPTH, Profile, Shape};
use crate::layout::{Layout, Tiler};

/// What can stand at a leaf.
trait Leaf: Copy + Default {
    fn number(number: u64) -> Self;
    /// What null stands for, where it may stand.
    fn null() -> Option<Self>;
}

impl Leaf for u64 {
    fn number(number: u64) -> Self {
        number
    }

    fn null() -> Option<Self> {
        None
    }
}

impl Leaf for Option<u64> {
    fn number(number: u64) -> Self {
        Some(number)
    }

    fn null() -> Option<Self> {
        Some(None)
    }
}

// Recursion: no deeper than MAX_DEPTH.
fn write<T: Leaf + Serialize, S: Serializer>(tuple: &HTuple<T>, serializer: S) -> Result<S::Ok, S::Error> {
    struct Mode<'a, T: Copy + Default>(&'a HTuple<T>);
    impl<T: Leaf + Serialize> Serialize for Mode<'_, T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            write(self.0, serializer)
        }
    }
    if let (true, [leaf]) = (tuple.is_leaf(), tuple.leaves()) {
        return leaf.serialize(serializer);
    }
    let mut list = serializer.serialize_seq(Some(tuple.rank()))?;
    for mode in tuple.modes() {
        list.serialize_element(&Mode(&mode))?;
    }
    list.end()
}

/// Reads one tuple into a builder.
struct Into<'a, T: Copy + Default>(&'a mut HTupleBuilder<T>);

impl<'de, T: Leaf> DeserializeSeed<'de> for Into<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Leaf> Visitor<'de> for Into<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer in [0,2^64) or a list of these")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<(), E> {
        self.0.leaf(T::number(number));
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<(), E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(de::Unexpected::Signed(number), &self)),
        }
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        match T::null() {
            Some(leaf) => {
                self.0.leaf(leaf);
                Ok(())
            }
            None => Err(E::invalid_type(de::Unexpected::Unit, &self)),
        }
    }

    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    // Recursion: the builder refuses more than MAX_DEPTH open tuples.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.0.open().map_err(de::Error::custom)?;
        while list.next_element_seed(Into(&mut *self.0))?.is_some() {}
        self.0.close();
        Ok(())
    }
}

fn read<'de, T: Leaf, D: Deserializer<'de>>(deserializer: D) -> Result<HTuple<T>, D::Error> {
    let mut builder = HTupleBuilder::new();
    Into(&mut builder).deserialize(deserializer)?;
    builder.finish().map_err(de::Error::custom)
}

impl Serialize for IntTuple {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write(self, serializer)
    }
}

impl<'de> Deserialize<'de> for IntTuple {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer)
    }
}

impl Serialize for Coord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Coord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer)
    }
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.extents().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(read(deserializer)?).map_err(de::Error::custom)
    }
}

/// The leaves of a profile are 0, and read as anything that a coordinate may have there.
impl Serialize for Profile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let zeros = vec![0; self.leaf_count()];
        IntTuple::nested(&zeros, self).map_err(::serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Profile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(read::<Option<u64>, D>(deserializer)?.profile().clone())
    }
}

impl Serialize for Layout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Layout", 2)?;
        object.serialize_field("shape", &self.shape())?;
        object.serialize_field("stride", &self.stride())?;
        object.end()
    }
}

impl<'de> Deserialize<'de> for Layout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename = "Layout")]
        struct Parts {
            shape: IntTuple,
            stride: IntTuple,
        }
        let parts = Parts::deserialize(deserializer)?;
        Self::new(&parts.shape, &parts.stride).map_err(de::Error::custom)
    }
}

// Recursion: as deep as its maker made it.
impl Serialize for Tiler {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keep => serializer.serialize_none(),
            Self::Layout(layout) => layout.serialize(serializer),
            Self::Modes(tilers) => tilers.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Tiler {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        At { depth: 0 }.deserialize(deserializer)
    }
}

/// A tiler within so many lists.
struct At {
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for At {
    type Value = Tiler;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tiler, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for At {
    type Value = Tiler;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a layout, an integer, null or a list of these")
    }

    fn visit_u64<E: de::Error>(self, n: u64) -> Result<Tiler, E> {
        Tiler::integer(n).map_err(E::custom)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Tiler, E> {
        Ok(Tiler::Keep)
    }

    fn visit_none<E: de::Error>(self) -> Result<Tiler, E> {
        Ok(Tiler::Keep)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Tiler, A::Error> {
        Layout::deserialize(MapAccessDeserializer::new(object)).map(Tiler::Layout)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tiler, A::Error> {
        if self.depth == MAX_DEPTH {
            return Err(de::Error::custom(crate::int_tuple::profile::too_deep()));
        }
        let mut tilers = Vec::new();
        while let Some(tiler) = list.next_element_seed(Self { depth: self.depth + 1 })? {
            tilers.push(tiler);
        }
        Ok(Tiler::Modes(tilers))
    }
}
