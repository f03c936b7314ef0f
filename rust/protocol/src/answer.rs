//! Answers of operations: a result and further fields, written as JSON or in CuTe notation.

use std::fmt;

use crate::category::{FinJson, NestJson, WrittenJson};
use crate::expr::expr_to_json;
use crate::linear::{LinearJson, PointJson};
use razorgirl::category::{FinMap, NestMorphism, TupleMorphism, WrittenLayout};
use razorgirl::int::expr::Expr;
use razorgirl::relation::Relation;
use razorgirl::{
    AnyLayout, Basis, CoordLayout, HTuple, IntTuple, Layout, LinearLayout, Literal, Profile, SwizzledLayout, Witness,
};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// A value of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Output {
    /// `null`: there is none.
    None,
    /// Yes or no.
    Truth(bool),
    /// An integer from 0.
    Natural(u64),
    /// A layout.
    Layout(Layout),
    /// A swizzled layout.
    Swizzled(Box<SwizzledLayout>),
    /// A layout of coordinates.
    Coordinates(Box<CoordLayout>),
    /// A layout as it is written.
    Written(Box<WrittenLayout>),
    /// A map of pointed finite sets.
    FinMap(FinMap),
    /// A morphism of nested tuples, or of tuples.
    Morphism(Box<NestMorphism>),
    /// A shape, a stride or a coordinate.
    Tuple(IntTuple),
    /// A list of integers.
    Naturals(Vec<u64>),
    /// A list of integers with a sign.
    Integers(Vec<i128>),
    /// Tuples of integers with a sign.
    Tuples(Vec<Vec<i128>>),
    /// An integer with a sign.
    Integer(i128),
    /// A nested tuple of integers with a sign.
    Signed(Box<HTuple<i128>>),
    /// A list of integers, some of them missing.
    Elements(Vec<Option<u64>>),
    /// An index expression.
    Expr(Expr),
    /// A linear layout.
    Linear(LinearLayout),
    /// Points: a number for each name.
    Points(Vec<Vec<(String, u64)>>),
    /// Names with numbers.
    Dims(Vec<(String, u64)>),
    /// A relation.
    Relation(Relation),
    /// Text in another notation.
    Text(String),
    /// A name.
    Name(&'static str),
    /// A list of names.
    Names(Vec<&'static str>),
    /// A list of anything.
    List(Vec<Output>),
    /// Several results, each with a name.
    Named(Vec<(&'static str, Output)>),
}

/// The answer of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The result.
    pub result: Output,
    /// Further fields of the answer, with the names of [`Op::beside`](crate::Op::beside).
    pub beside: Vec<(&'static str, Output)>,
}

impl Answer {
    pub(crate) fn new(result: impl Into<Output>) -> Self {
        Self { result: result.into(), beside: Vec::new() }
    }

    /// Another field beside the result.
    pub(crate) fn beside(mut self, name: &'static str, value: impl Into<Output>) -> Self {
        self.beside.push((name, value.into()));
        self
    }

    /// A field beside the result.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Output> {
        self.beside.iter().find(|(field, _)| *field == name).map(|(_, value)| value)
    }
}

impl Output {
    /// The layout that it is.
    #[must_use]
    pub fn layout(&self) -> Option<&Layout> {
        match self {
            Self::Layout(layout) => Some(layout),
            _ => None,
        }
    }
}

impl From<bool> for Output {
    fn from(truth: bool) -> Self {
        Self::Truth(truth)
    }
}

impl From<u64> for Output {
    fn from(number: u64) -> Self {
        Self::Natural(number)
    }
}

impl From<usize> for Output {
    fn from(number: usize) -> Self {
        Self::Natural(number as u64)
    }
}

impl From<LinearLayout> for Output {
    fn from(layout: LinearLayout) -> Self {
        Self::Linear(layout)
    }
}

impl From<Layout> for Output {
    fn from(layout: Layout) -> Self {
        Self::Layout(layout)
    }
}

impl From<SwizzledLayout> for Output {
    fn from(layout: SwizzledLayout) -> Self {
        Self::Swizzled(Box::new(layout))
    }
}

impl From<CoordLayout> for Output {
    fn from(layout: CoordLayout) -> Self {
        Self::Coordinates(Box::new(layout))
    }
}

impl From<AnyLayout> for Output {
    fn from(layout: AnyLayout) -> Self {
        match layout {
            AnyLayout::Plain(layout) => layout.into(),
            AnyLayout::Swizzled(layout) => layout.into(),
            AnyLayout::Coordinates(layout) => layout.into(),
            // the library has no other
            other => Self::Text(other.to_string()),
        }
    }
}

impl From<WrittenLayout> for Output {
    fn from(layout: WrittenLayout) -> Self {
        Self::Written(Box::new(layout))
    }
}

impl From<FinMap> for Output {
    fn from(map: FinMap) -> Self {
        Self::FinMap(map)
    }
}

impl From<NestMorphism> for Output {
    fn from(morphism: NestMorphism) -> Self {
        Self::Morphism(Box::new(morphism))
    }
}

impl From<TupleMorphism> for Output {
    fn from(morphism: TupleMorphism) -> Self {
        NestMorphism::from_flat(morphism).into()
    }
}

impl From<IntTuple> for Output {
    fn from(tuple: IntTuple) -> Self {
        Self::Tuple(tuple)
    }
}

impl From<Vec<u64>> for Output {
    fn from(numbers: Vec<u64>) -> Self {
        Self::Naturals(numbers)
    }
}

impl<T: Into<Output>> From<Option<T>> for Output {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}

/// A tuple as nested lists.
pub(crate) struct Nested<'a, T: Copy + Default = u64>(pub(crate) &'a HTuple<T>);

impl<T: Copy + Default + Serialize> Serialize for Nested<'_, T> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        let tuple = self.0;
        match tuple.leaves() {
            [leaf] if tuple.is_leaf() => leaf.serialize(json),
            leaves if tuple.depth() == 1 => leaves.serialize(json),
            _ => {
                let mut list = json.serialize_seq(Some(tuple.rank()))?;
                for mode in tuple.modes() {
                    list.serialize_element(&Nested(&mode))?;
                }
                list.end()
            }
        }
    }
}

/// As PROTOCOL.md says, for example `{"axis":n,"index":n}`.
pub(crate) struct Shown<'a>(pub(crate) &'a Witness);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        let mut fields = json.serialize_map(None)?;
        let mut shown = self.0;
        while let Witness::InMode { path, witness } = shown {
            fields.serialize_entry("mode", path)?;
            shown = witness;
        }
        match shown {
            Witness::Axis { axis, index } => {
                fields.serialize_entry("axis", axis)?;
                fields.serialize_entry("index", index)?;
            }
            Witness::Coordinate(coordinate) => fields.serialize_entry("coordinate", &Nested(coordinate))?,
            Witness::Outside(coordinate) => fields.serialize_entry("outside", &Nested(coordinate))?,
            Witness::Collision { i, j } => fields.serialize_entry("collision", &[i, j])?,
            Witness::Indivisible { stride, block } => {
                fields.serialize_entry("stride", stride)?;
                fields.serialize_entry("block", block)?;
            }
            Witness::Uneven { block } => fields.serialize_entry("block", block)?,
            Witness::Undivided { below, stride } => {
                fields.serialize_entry("stride", stride)?;
                fields.serialize_entry("below", below)?;
            }
            Witness::Missed(address) => fields.serialize_entry("missed", address)?,
            Witness::TooMany { modes, of } => {
                fields.serialize_entry("modes", modes)?;
                fields.serialize_entry("of", of)?;
            }
            _ => {}
        }
        fields.end()
    }
}

/// `{"shape":…,"stride":…}`.
pub(crate) struct ShapeStride<'a>(pub(crate) &'a Layout);

impl Serialize for ShapeStride<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        let mut fields = json.serialize_map(Some(2))?;
        fields.serialize_entry("shape", &Nested(self.0.shape().extents()))?;
        fields.serialize_entry("stride", &Nested(&self.0.stride()))?;
        fields.end()
    }
}

/// `{"swizzle":[B,M,S],"offset":n,"shape":…,"stride":…}`.
pub(crate) struct Composed<'a>(pub(crate) &'a SwizzledLayout);

impl Serialize for Composed<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        let swizzle = self.0.swizzle();
        let mut fields = json.serialize_map(Some(4))?;
        fields.serialize_entry("swizzle", &(swizzle.bits(), swizzle.base(), swizzle.shift()))?;
        fields.serialize_entry("offset", &self.0.offset())?;
        fields.serialize_entry("shape", &Nested(self.0.layout().shape().extents()))?;
        fields.serialize_entry("stride", &Nested(&self.0.layout().stride()))?;
        fields.end()
    }
}

/// `{"shape":…,"stride":…}` with strides such as `{"1@0":4}`, and the start as `"offset"` where it has to be said.
pub(crate) struct OfCoordinates<'a>(pub(crate) &'a CoordLayout);

impl Serialize for OfCoordinates<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        let strides = self.0.strides();
        let shape = self.0.shape();
        let start = self.0.written_start();
        let mut fields = json.serialize_map(Some(2 + usize::from(start.is_some())))?;
        if let Some(start) = start {
            fields.serialize_entry("offset", &Nested(start))?;
        }
        fields.serialize_entry("shape", &Nested(shape.extents()))?;
        fields.serialize_entry("stride", &Sums(&strides, shape.profile()))?;
        fields.end()
    }
}

/// Strides that are sums of basis elements, in this nesting.
struct Sums<'a>(&'a [Vec<Basis>], &'a Profile);

impl Serialize for Sums<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        if self.1.is_leaf() {
            return Sum(self.0.first().map_or(&[], Vec::as_slice)).serialize(json);
        }
        let mut list = json.serialize_seq(Some(self.1.rank()))?;
        let mut rest = self.0;
        for place in 0..self.1.rank() {
            let Some(mode) = self.1.mode(place) else { break };
            let (here, after) = rest.split_at(mode.leaf_count().min(rest.len()));
            list.serialize_element(&Sums(here, &mode))?;
            rest = after;
        }
        list.end()
    }
}

/// `{"1@0":4}`; an integer where values are integers, and where nothing is added.
struct Sum<'a>(&'a [Basis]);

impl Serialize for Sum<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        let times = |term: &Basis| match term.times {
            Literal::Fits(times) => times,
            _ => 0,
        };
        match self.0 {
            [] => 0_u64.serialize(json),
            [term] if term.path.is_empty() => times(term).serialize(json),
            terms => json.collect_map(terms.iter().map(|term| {
                let unit = Basis { times: Literal::Fits(1), path: term.path.clone() };
                (unit.to_string(), times(term))
            })),
        }
    }
}

impl Serialize for Output {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => json.serialize_unit(),
            Self::Truth(truth) => truth.serialize(json),
            Self::Natural(number) => number.serialize(json),
            Self::Layout(layout) => ShapeStride(layout).serialize(json),
            Self::Swizzled(layout) => Composed(layout).serialize(json),
            Self::Coordinates(layout) => OfCoordinates(layout).serialize(json),
            Self::Written(layout) => WrittenJson(layout).serialize(json),
            Self::FinMap(map) => FinJson(map).serialize(json),
            Self::Morphism(morphism) => NestJson(morphism).serialize(json),
            Self::Tuple(tuple) => Nested(tuple).serialize(json),
            Self::Naturals(numbers) => numbers.serialize(json),
            Self::Integers(numbers) => numbers.serialize(json),
            Self::Tuples(tuples) => tuples.serialize(json),
            Self::Integer(number) => number.serialize(json),
            Self::Signed(tuple) => Nested(tuple.as_ref()).serialize(json),
            Self::Elements(elements) => elements.serialize(json),
            Self::Expr(expr) => expr_to_json(expr).serialize(json),
            Self::Linear(layout) => LinearJson(layout).serialize(json),
            Self::Points(points) => json.collect_seq(points.iter().map(|point| PointJson(point))),
            Self::Dims(dims) => dims.serialize(json),
            Self::Relation(relation) => relation.pairs().serialize(json),
            Self::Text(text) => text.serialize(json),
            Self::Name(name) => json.serialize_str(name),
            Self::Names(names) => names.serialize(json),
            Self::List(items) => items.serialize(json),
            Self::Named(fields) => json.collect_map(fields.iter().map(|(name, value)| (name, value))),
        }
    }
}

/// In CuTe notation; nothing is `none`.
impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T>(
            f: &mut fmt::Formatter<'_>,
            items: &[T],
            each: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
        ) -> fmt::Result {
            f.write_str("(")?;
            for (place, item) in items.iter().enumerate() {
                f.write_str(if place == 0 { "" } else { "," })?;
                each(f, item)?;
            }
            f.write_str(")")
        }
        match self {
            Self::None => f.write_str("none"),
            Self::Truth(truth) => truth.fmt(f),
            Self::Natural(number) => number.fmt(f),
            Self::Layout(layout) => layout.fmt(f),
            Self::Swizzled(layout) => layout.fmt(f),
            Self::Coordinates(layout) => layout.fmt(f),
            Self::Written(layout) => layout.fmt(f),
            Self::FinMap(map) => map.fmt(f),
            Self::Morphism(morphism) => morphism.fmt(f),
            Self::Tuple(tuple) => tuple.fmt(f),
            Self::Naturals(numbers) => list(f, numbers, |f, number| number.fmt(f)),
            Self::Integers(numbers) => list(f, numbers, |f, number| number.fmt(f)),
            Self::Tuples(tuples) => list(f, tuples, |f, tuple| list(f, tuple, |f, number| number.fmt(f))),
            Self::Integer(number) => number.fmt(f),
            Self::Signed(tuple) => write!(f, "{tuple:?}"),
            Self::Elements(elements) => list(f, elements, |f, element| match element {
                Some(number) => number.fmt(f),
                None => f.write_str("none"),
            }),
            Self::Expr(expr) => expr.fmt(f),
            Self::Linear(_) | Self::Points(_) | Self::Dims(_) | Self::Relation(_) => {
                f.write_str(&serde_json::to_string(self).unwrap_or_default())
            }
            Self::Text(text) => f.write_str(text),
            Self::Name(name) => f.write_str(name),
            Self::Names(names) => list(f, names, |f, name| f.write_str(name)),
            Self::List(items) => list(f, items, |f, item| item.fmt(f)),
            Self::Named(fields) => {
                for (place, (name, value)) in fields.iter().enumerate() {
                    write!(f, "{}{name} {value}", if place == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
        }
    }
}

/// In CuTe notation: the result, then a line for each field beside it.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.result.fmt(f)?;
        self.beside.iter().try_for_each(|(name, value)| write!(f, "\n{name}: {value}"))
    }
}

/// `{"shape":…,"stride":…}`.
///
/// ```
/// let layout = "((4,2),8):((1,4),8)".parse()?;
/// assert_eq!(razorgirl_protocol::layout_to_json(&layout), r#"{"shape":[[4,2],8],"stride":[[1,4],8]}"#);
/// # Ok::<(), razorgirl::Error>(())
/// ```
#[must_use]
pub fn layout_to_json(layout: &Layout) -> String {
    // Writing numbers into a string does not fail.
    serde_json::to_string(&ShapeStride(layout)).unwrap_or_default()
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
    serde_json::to_string(&Nested(tuple)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_notation() {
        let layout: Layout = "((4,2),()):((1,4),())".parse().unwrap();
        let answer = Answer::new(layout).beside("collision", None::<u64>).beside("pair", vec![1, 2]);
        assert_eq!(serde_json::to_string(&answer.result).unwrap(), r#"{"shape":[[4,2],[]],"stride":[[1,4],[]]}"#);
        assert_eq!(answer.to_string(), "((4,2),()):((1,4),())\ncollision: none\npair: (1,2)");
        let named = Output::Named(vec![("strong", false.into()), ("holes", Output::Elements(vec![Some(3), None]))]);
        assert_eq!(serde_json::to_string(&named).unwrap(), r#"{"strong":false,"holes":[3,null]}"#);
        assert_eq!(named.to_string(), "strong false, holes (3,none)");
    }
}
