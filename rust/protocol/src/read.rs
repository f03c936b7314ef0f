//! Arguments from JSON, by their kinds.

mod category;
mod json;
mod relation;

pub use json::plain_names;
pub(crate) use relation::relation_of_isl;

use category::{fin_map, nest_morphism, tuple_morphism, written};
use json::{each, entries, nested, value};
use relation::relation;

use razorgirl::relation::Language;
use razorgirl::{
    AnyLayout, Basis, CoordLayout, HTuple, IntTuple, Layout, Literal, Shape, Swizzle, SwizzledLayout, Tiler,
};
use serde_json::value::RawValue;

use crate::code::{Code, Refusal};
use crate::expr::{expr_from_json, ranges_from_json};
use crate::kind::{Argument, Division, Kind, Mapping, Modes, ShapeOrStride, TRUNCATIONS, Values, truncation_name};
use crate::linear;
use crate::schedule::{integer, integer_of, natural_of, schedule_from_json};
use crate::table::{Op, ops};

/// Why an argument cannot be had.
enum Fault {
    /// Something else stands there.
    Met(&'static str),
    /// An object has a field that it may not have; the fields that it may have and lacks.
    Unknown(String, Vec<&'static str>),
    /// A value of this kind is written, and something is wrong in it.
    Inside(Kind, Box<Fault>),
    /// It is refused.
    Refused(Refusal),
}

type Read<T> = Result<T, Fault>;

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<razorgirl::Error> for Fault {
    fn from(error: razorgirl::Error) -> Self {
        Self::Refused(error.into())
    }
}

impl Kind {
    /// Reads the argument in `place`, counted from 1, from JSON that has been checked.
    pub(crate) fn read(self, json: &str, place: usize) -> Result<Argument, Refusal> {
        self.argument(json).map_err(|fault| self.refusal(fault, place))
    }

    fn refusal(self, fault: Fault, place: usize) -> Refusal {
        match fault {
            Fault::Inside(kind, fault) => kind.refusal(*fault, place),
            Fault::Met(met) => {
                let expected = format!("argument {place}: expected {}, met {met}", self.expects());
                Refusal::new(Code::Parse, expected).with_help(format!("write {}", self.json()))
            }
            Fault::Unknown(field, _) if field == SWIZZLE.0 => another_kind(self, &SWIZZLED, place),
            Fault::Unknown(field, lacking) => {
                let shown: String = field.chars().take(40).collect();
                // the relation itself, without the ways to write it
                let what = self.expects().split(':').next().unwrap_or_default();
                let refusal = Refusal::new(Code::Parse, format!("argument {place}: {what} has no field `{shown}`"));
                // letters to change, add or drop; of a short name not all of them
                let most = (shown.chars().count() / 2).min(2);
                let near = lacking.iter().find(|name| strsim::levenshtein(&shown.to_lowercase(), name) <= most);
                match near {
                    Some(near) => refusal.with_help(format!("write `{near}` in place of `{shown}`")),
                    None => refusal.with_help(format!("write {}", self.json())),
                }
            }
            Fault::Refused(refusal) if refusal.code == Code::Parse => {
                Refusal { message: format!("argument {place}: {}", refusal.message), ..refusal }
            }
            Fault::Refused(refusal) => refusal,
        }
    }

    fn argument(self, json: &str) -> Read<Argument> {
        Ok(match self {
            Self::Layout => any_layout(json)?.into(),
            Self::ShapeOf if is_object(json) => Argument::ShapeOf(any_layout(json)?.shape()),
            Self::ShapeOf => Argument::ShapeOf(shape(json)?),
            Self::Modes if is_object(json) => Argument::Modes(Modes::Layout(layout(json)?)),
            Self::Modes => Argument::Modes(Modes::Shape(shape(json)?)),
            Self::Shape => Argument::Shape(shape(json)?),
            Self::Strides => Argument::Strides(literals(json)?),
            Self::Numbers => Argument::Numbers(numbers(&literals(json)?, "a number", Code::Stride, Code::Overflow)?),
            Self::Order => {
                Argument::Order(numbers(&literals(json)?, "a number", Code::OutOfDomain, Code::OutOfDomain)?)
            }
            Self::Coord => Argument::Coord(nested(json, &mut |leaf| {
                Ok(match leaf {
                    "null" => None,
                    leaf => Some(number(literal(leaf)?, "a coordinate", 0, Code::OutOfDomain, Code::OutOfDomain)?),
                })
            })?),
            Self::Profile => Argument::Profile(literals(json)?.profile().clone()),
            Self::Tiler => Argument::Tiler(tiler(json, 0)?),
            Self::Index | Self::Rank | Self::Count | Self::Cotarget | Self::Integer | Self::Choice => {
                self.of_integers(&[json])?
            }
            Self::Places | Self::Values | Self::Sizes => {
                let mut words = Vec::new();
                each(json, &mut |item| {
                    words.push(item);
                    Ok(())
                })?;
                self.of_integers(&words)?
            }
            Self::Division | Self::Truncation | Self::Language => {
                let name = value(json)?;
                self.named(name.as_str().unwrap_or_default()).ok_or(Fault::Met(met(json)))?
            }
            Self::Truth => self.named(json).ok_or(Fault::Met(met(json)))?,
            Self::Schedule => Argument::Schedule(schedule_from_json(&value(json)?)?),
            Self::Expr => Argument::Expr(expr_from_json(&value(json)?)?),
            Self::Ranges => Argument::Ranges(ranges_from_json(&value(json)?)?),
            Self::Linear => Argument::Linear(linear_layout(json)?),
            Self::Bases => Argument::Bases(linear::bases(&value(json)?)?),
            Self::Dims => Argument::Dims(linear::dims(&value(json)?)?),
            Self::Dim => Argument::Dim(linear::name(&value(json)?)?),
            Self::Names => Argument::Names(linear::names(&value(json)?)?),
            Self::Points => Argument::Points(linear::points(&value(json)?)?),
            Self::Pow2 => Argument::Pow2(linear::power(&value(json)?)?),
            Self::Swizzled => Argument::Swizzled(swizzled(json)?),
            Self::Coordinates => Argument::Coordinates(Box::new(coordinates(json)?)),
            Self::Written => Argument::Written(Box::new(written(json)?)),
            Self::FinMap => Argument::FinMap(fin_map(json)?),
            Self::TupleMorphism => Argument::TupleMorphism(tuple_morphism(json)?),
            Self::NestMorphism => Argument::NestMorphism(Box::new(nest_morphism(json)?)),
            Self::Relation if is_object(json) => Argument::Relation(mapping(json)?),
            Self::Relation if json.starts_with('"') => {
                let text = value(json)?;
                Argument::Relation(Mapping::Pairs(relation_of_isl(text.as_str().unwrap_or_default())?))
            }
            Self::Relation => Argument::Relation(Mapping::Pairs(relation(json)?)),
            Self::ShapeOrStride => Argument::ShapeOrStride(shape_or_stride(json)?),
        })
    }
}

/// What is written alike in JSON and on the command line.
impl Kind {
    /// The value of this name.
    pub(crate) fn named(self, name: &str) -> Option<Argument> {
        match self {
            Self::Division => {
                Division::ALL.into_iter().find(|division| division.name() == name).map(Argument::Division)
            }
            Self::Truncation => {
                TRUNCATIONS.into_iter().find(|kind| truncation_name(*kind) == name).map(Argument::Truncation)
            }
            Self::Language => {
                Language::ALL.into_iter().find(|language| language.name() == name).map(Argument::Language)
            }
            Self::Truth => name.parse().ok().map(Argument::Truth),
            _ => None,
        }
    }

    /// The value with these integers.
    pub(crate) fn of_words(self, words: &[&str]) -> Result<Argument, Refusal> {
        self.of_integers(words).map_err(|fault| self.refusal(fault, 1))
    }

    fn of_integers(self, words: &[&str]) -> Read<Argument> {
        let mut literals = words.iter().map(|word| literal(word));
        Ok(match (self, words) {
            (Self::Places, _) => Argument::Places(literals.map(|literal| Ok(place(literal?))).collect::<Read<_>>()?),
            (Self::Sizes, _) => {
                let size = |literal| number(literal, "a size", 1, Code::Extent, Code::Overflow);
                Argument::Sizes(literals.map(|literal| size(literal?)).collect::<Read<_>>()?)
            }
            (Self::Values, _) => {
                literals.try_for_each(|literal| literal.map(drop))?;
                Argument::Values(Values::of(words))
            }
            (Self::Index, [word]) => {
                Argument::Index(single(word, "an index", 0, Code::OutOfDomain, Code::OutOfDomain)?)
            }
            (Self::Rank, [word]) => {
                let rank = single(word, "a rank", 0, Code::OutOfDomain, Code::TooLarge)?;
                Argument::Rank(usize::try_from(rank).unwrap_or(usize::MAX))
            }
            (Self::Count, [word]) => {
                Argument::Count(single(word, "a number of elements", 1, Code::Extent, Code::Overflow)?)
            }
            (Self::Cotarget, [word]) => Argument::Cotarget(cotarget(word)?),
            (Self::Integer, [word]) => {
                literal(word)?;
                Argument::Integer(integer_of(word, "the integer")?)
            }
            (Self::Choice, [word]) => {
                literal(word)?;
                match natural_of(word, "the choice", Code::Parse)? {
                    0 => Argument::Choice(false),
                    1 => Argument::Choice(true),
                    _ => return Err(Fault::Met("another integer")),
                }
            }
            _ => return Err(Fault::Met("integers")),
        })
    }
}

/// A place that no mode can have is the largest, as the operation will say.
fn place(literal: Literal) -> usize {
    match literal {
        Literal::Fits(place) => usize::try_from(place).unwrap_or(usize::MAX),
        _ => usize::MAX,
    }
}

fn is_object(json: &str) -> bool {
    json.starts_with('{')
}

/// What a value is called where it does not belong.
fn met(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "true or false",
        Some(b'n') => "null",
        _ if json.contains(['.', 'e', 'E']) => "a number with a fraction or an exponent",
        _ => "an integer",
    }
}

/// The kind of the argument in `place`, from 1, is another one than is expected.
pub(crate) fn another_kind(expected: Kind, met: &Family, place: usize) -> Refusal {
    Refusal::new(Code::Parse, format!("argument {place}: expected {}, met {}", expected.expects(), met.kind.expects()))
        .with_help(met.help())
}

/// Layouts of another kind than the plain ones.
pub(crate) struct Family {
    kind: Kind,
    /// other kinds of arguments that such a layout stands for
    also: &'static [Kind],
}

pub(crate) const SWIZZLED: Family = Family { kind: Kind::Swizzled, also: &[Kind::Relation, Kind::ShapeOf] };
pub(crate) const COORDINATES: Family = Family { kind: Kind::Coordinates, also: &[Kind::ShapeOf] };

impl Family {
    /// Which operations take such a layout.
    fn help(&self) -> String {
        let takes = |op: &Op, kinds: &[Kind]| {
            op.forms.iter().flat_map(|form| form.parameters).any(|parameter| kinds.contains(&parameter.kind))
        };
        let own = |op: &Op| takes(op, &[self.kind]);
        let twins: Vec<&str> = ops().iter().flat_map(|op| op.also).copied().collect();
        let direct = ops().iter().filter(|op| {
            own(op) && !twins.contains(&op.name) || op.also.iter().filter_map(|name| Op::named(name)).any(own)
        });
        let names: Vec<String> = direct.map(|op| format!("`{}`", op.name)).collect();
        let others = ops().iter().filter(|op| takes(op, self.also));
        let others: Vec<String> = others.map(|op| format!("`{}`", op.name)).collect();
        format!(
            "these operations take {}: {}; of its shape or its pairs: {}",
            self.kind.expects(),
            names.join(", "),
            others.join(", ")
        )
    }
}

fn literal(json: &str) -> Read<Literal> {
    Literal::read(json.as_bytes()).ok_or_else(|| Fault::Met(met(json)))
}

fn literals(json: &str) -> Read<HTuple<Literal>> {
    nested(json, &mut literal)
}

/// A number from `least`; below it one code, from 2^64 on the other.
fn number(literal: Literal, what: &str, least: u64, below: Code, beyond: Code) -> Read<u64> {
    match literal {
        Literal::Fits(number) if number >= least => Ok(number),
        Literal::Huge => {
            Err(Refusal::new(beyond, format!("{what} is {literal}")).with_help(format!("{what} is below 2^64")).into())
        }
        _ => Err(Refusal::new(below, format!("{what} is {literal}"))
            .with_help(format!("{what} is at least {least}"))
            .into()),
    }
}

fn numbers(tuple: &HTuple<Literal>, what: &str, below: Code, beyond: Code) -> Read<IntTuple> {
    for literal in tuple.leaves() {
        number(*literal, what, 0, below, beyond)?;
    }
    Ok(tuple.map(|literal| match literal {
        Literal::Fits(number) => number,
        _ => 0,
    }))
}

fn single(json: &str, what: &str, least: u64, below: Code, beyond: Code) -> Read<u64> {
    number(literal(json)?, what, least, below, beyond)
}

fn shape(json: &str) -> Read<Shape> {
    Ok(Shape::from_literals(&literals(json)?)?)
}

/// A field of an object that says what a layout is, and the object in which it stands twice.
type Field = (&'static str, &'static str);

const SHAPE: Field = ("shape", "an object with two shapes");
const STRIDE: Field = ("stride", "an object with two strides");
const OFFSET: Field = ("offset", "an object with two offsets");
const M: Field = ("m", "an object with two numbers m");
const N: Field = ("n", "an object with two numbers n");
const MAP: Field = ("map", "an object with two maps");
const DOMAIN: Field = ("domain", "an object with two domains");
const CODOMAIN: Field = ("codomain", "an object with two codomains");
const IN: Field = ("in", "an object with two lists of inputs");
const OUT: Field = ("out", "an object with two lists of outputs");
const SWIZZLE: Field = ("swizzle", "an object with two swizzles");

/// What stands in these fields of an object, which has no others.
fn fields<const N: usize>(json: &str, wanted: [Field; N]) -> Read<[Option<&str>; N]> {
    let (mut found, mut twice, mut unknown) = ([None; N], None, None);
    entries(json, &mut |name, value| {
        match wanted.iter().zip(found.iter_mut()).find(|((wanted, _), _)| *wanted == name) {
            Some(((_, object), found)) => {
                if found.replace(value).is_some() {
                    twice = Some(*object);
                }
            }
            None => {
                unknown.get_or_insert(name);
            }
        }
        Ok(())
    })?;
    match (twice, unknown) {
        (Some(object), _) => Err(Fault::Met(object)),
        (None, Some(field)) => {
            let lacking = wanted.iter().zip(&found).filter(|(_, found)| found.is_none());
            Err(Fault::Unknown(field, lacking.map(|((name, _), _)| *name).collect()))
        }
        (None, None) => Ok(found),
    }
}

/// The shape and the stride of an object.
fn shape_and_stride<'a>(shape: Option<&'a str>, stride: Option<&'a str>) -> Read<(&'a str, &'a str)> {
    match (shape, stride) {
        (Some(shape), Some(stride)) => Ok((shape, stride)),
        (Some(_), None) => Err(Fault::Met("a layout without `stride`")),
        (None, Some(_)) => Err(Fault::Met("a layout without `shape`")),
        (None, None) => Err(Fault::Met("an object without `shape` and `stride`")),
    }
}

/// `{"shape":…,"stride":…}`.
fn layout(json: &str) -> Read<Layout> {
    let [shape, stride] = fields(json, [SHAPE, STRIDE])?;
    layout_of(shape, stride)
}

fn layout_of(shape: Option<&str>, stride: Option<&str>) -> Read<Layout> {
    let (shape, stride) = shape_and_stride(shape, stride)?;
    if stride.contains('{') {
        return Err(Fault::Met("coordinate strides, which have no order"));
    }
    Ok(Layout::from_literals(&literals(shape)?, &literals(stride)?)?)
}

/// `{"swizzle":[B,M,S],"offset":n,"shape":…,"stride":…}`, or a layout.
fn swizzled(json: &str) -> Read<SwizzledLayout> {
    let [swizzle, offset, shape, stride] = fields(json, [SWIZZLE, OFFSET, SHAPE, STRIDE])?;
    let layout = layout_of(shape, stride)?;
    match (swizzle, offset) {
        (Some(swizzle), Some(offset)) => {
            let offset = single(offset, "the offset", 0, Code::OutOfDomain, Code::Overflow)?;
            Ok(SwizzledLayout::new(swizzle_of(swizzle)?, offset, layout)?)
        }
        (Some(_), None) => Err(Fault::Met("a swizzle without `offset`")),
        (None, Some(_)) => Err(Fault::Met("an offset without `swizzle`")),
        (None, None) => Ok(layout.into()),
    }
}

/// A layout of any kind: which one, its fields say.
fn any_layout(json: &str) -> Read<AnyLayout> {
    let [swizzle, offset, _, stride] = fields(json, [SWIZZLE, OFFSET, SHAPE, STRIDE])?;
    let inside = |kind| move |fault| Fault::Inside(kind, Box::new(fault));
    if swizzle.is_some() {
        return swizzled(json).map(AnyLayout::Swizzled).map_err(inside(Kind::Swizzled));
    }
    if offset.is_some() || stride.is_some_and(|stride| stride.contains('{')) {
        return coordinates(json).map(AnyLayout::Coordinates).map_err(inside(Kind::Coordinates));
    }
    layout(json).map(AnyLayout::Plain)
}

/// A layout that stands for its mapping: linear, or swizzled or not. Which one, its fields say.
fn mapping(json: &str) -> Read<Mapping> {
    let [ins, outs, ..] = fields(json, [IN, OUT, SWIZZLE, OFFSET, SHAPE, STRIDE])?;
    if ins.is_some() || outs.is_some() {
        let layout = linear_layout(json).map_err(|fault| Fault::Inside(Kind::Linear, Box::new(fault)))?;
        return Ok(Mapping::Linear(Box::new(layout)));
    }
    Ok(Mapping::Layout(Box::new(swizzled(json)?)))
}

/// `{"in":[…],"out":[…]}`.
fn linear_layout(json: &str) -> Read<razorgirl::LinearLayout> {
    let [ins, outs] = fields(json, [IN, OUT])?;
    let (Some(ins), Some(outs)) = (ins, outs) else {
        return Err(Fault::Met("an object without `in` and `out`"));
    };
    Ok(linear::layout(&value(ins)?, &value(outs)?)?)
}

/// `{"offset":…,"shape":…,"stride":…}` with strides such as `{"1@0":4}`, or a layout.
fn coordinates(json: &str) -> Read<CoordLayout> {
    let [offset, shape, stride] = fields(json, [OFFSET, SHAPE, STRIDE])?;
    let (shape, stride) = shape_and_stride(shape, stride)?;
    let shape = literals(shape)?;
    let mut sums = Vec::new();
    let places = nested(stride, &mut |leaf| {
        sums.push(sum(leaf)?);
        Ok(())
    })?;
    let start = match offset {
        Some(offset) => Some(numbers(&literals(offset)?, "the offset", Code::OutOfDomain, Code::Overflow)?),
        None => None,
    };
    Ok(CoordLayout::new(start.as_ref(), &shape, places.profile(), &sums)?)
}

/// `{"1@0":4}`, or an integer.
fn sum(json: &str) -> Read<Vec<Basis>> {
    if !is_object(json) {
        return Ok(vec![Basis { times: literal(json)?, path: Vec::new() }]);
    }
    let none = "a stride without an integer at each basis element";
    let mut terms = Vec::new();
    entries(json, &mut |unit, times| {
        terms.push((unit, Literal::read(times.as_bytes()).ok_or(Fault::Met(none))?));
        Ok(())
    })?;
    if terms.is_empty() {
        return Err(Fault::Met(none));
    }
    let mut sum: Vec<Basis> = Vec::new();
    for (unit, times) in terms {
        let dimensions = unit.strip_prefix("1@").map(|path| path.split('@').rev());
        let path = dimensions.and_then(|path| {
            let dimension = |digits: &str| match Literal::read(digits.as_bytes()) {
                Some(Literal::Fits(dimension)) => Some(usize::try_from(dimension).unwrap_or(usize::MAX)),
                Some(Literal::Huge) => Some(usize::MAX),
                _ => None,
            };
            path.map(dimension).collect::<Option<Vec<usize>>>()
        });
        let Some(path) = path else { return Err(Fault::Met("a stride whose key is not a basis element")) };
        if sum.iter().any(|term| term.path == path) {
            return Err(Fault::Met("a stride with a basis element twice"));
        }
        sum.push(Basis { times, path });
    }
    Ok(sum)
}

/// `[B,M,S]`.
fn swizzle_of(json: &str) -> Read<Swizzle> {
    let mut items = Vec::new();
    each(json, &mut |item| {
        // one more is one too many
        if items.len() < 4 {
            items.push(item);
        }
        Ok(())
    })?;
    let [bits, base, shift] = items.as_slice() else { return Err(Fault::Met("a swizzle that is not [B,M,S]")) };
    let natural = |json: &str, what: &str| single(json, what, 0, Code::OutOfDomain, Code::OutOfDomain);
    Ok(Swizzle::checked(natural(bits, "B")?, natural(base, "M")?, integer(&value(shift)?, "S")?)?)
}

fn tiler(json: &str, depth: usize) -> Read<Tiler> {
    if depth > razorgirl::MAX_DEPTH || depth == razorgirl::MAX_DEPTH && json.starts_with('[') {
        let most = razorgirl::MAX_DEPTH;
        return Err(Refusal::new(Code::TooLarge, format!("a tiler is nested more than {most} deep")).into());
    }
    match json.as_bytes().first() {
        Some(b'{') => Ok(Tiler::Layout(layout(json)?)),
        Some(b'n') => Ok(Tiler::Keep),
        Some(b'[') => {
            let mut modes = Vec::new();
            each(json, &mut |mode| {
                modes.push(tiler(mode, depth + 1)?);
                Ok(())
            })?;
            Ok(Tiler::Modes(modes))
        }
        _ => Ok(Tiler::Layout(Layout::from_literals(&HTuple::leaf(literal(json)?), &HTuple::leaf(Literal::Fits(1)))?)),
    }
}

/// How far a complement goes; what is below 1 is refused by the operation.
fn cotarget(json: &str) -> Read<u128> {
    match literal(json)? {
        Literal::Fits(cotarget) => Ok(cotarget.into()),
        Literal::Negative => Ok(0),
        Literal::Huge => json.parse().map_err(|_| {
            Refusal::new(Code::Overflow, "the cotarget is 2^128 or more")
                .with_help("size and cosize of a complement are below 2^64")
                .into()
        }),
    }
}

/// `{"shape":…}` or `{"stride":…}`.
fn shape_or_stride(json: &str) -> Read<ShapeOrStride> {
    match fields(json, [SHAPE, STRIDE])? {
        [Some(extents), None] => Ok(ShapeOrStride::Shape(shape(extents)?)),
        [None, Some(strides)] => {
            Ok(ShapeOrStride::Stride(numbers(&literals(strides)?, "a stride", Code::Stride, Code::Overflow)?))
        }
        [Some(_), Some(_)] => Err(Fault::Met("an object with both `shape` and `stride`")),
        [None, None] => Err(Fault::Met("an object without `shape` and `stride`")),
    }
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
    let json: &RawValue = serde_json::from_str(json).map_err(|error| Refusal::new(Code::Parse, error.to_string()))?;
    match Kind::Layout.read(json.get(), 1)? {
        Argument::Layout(layout) => Ok(layout),
        Argument::Coordinates(_) => Err(another_kind(Kind::Layout, &COORDINATES, 1)),
        _ => Err(another_kind(Kind::Layout, &SWIZZLED, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(kind: Kind, json: &str) -> String {
        match kind.read(json, 2) {
            Ok(argument) => argument.to_string(),
            Err(refusal) => format!("{refusal}"),
        }
    }

    #[test]
    fn arguments() {
        for (kind, json, expected) in [
            (Kind::Layout, r#"{"shape":[2,[3]],"stride":[1,[2]]}"#, "(2,(3)):(1,(2))"),
            (Kind::Layout, r#"{"shape":2,"x":{"shape":1},"stride":1}"#, "parse: argument 2: a layout has no field `x`"),
            (Kind::Layout, r#"{"shape":2,"Stride":1}"#, "parse: argument 2: a layout has no field `Stride`"),
            (Kind::Tiler, r#"[{"shape":2,"stride":1,"swizle":1}]"#, "parse: argument 2: a tiler has no field `swizle`"),
            (
                Kind::Modes,
                r#"{"swizzle":[1,0,1],"offset":3,"shape":4,"stride":1}"#,
                "parse: argument 2: expected a shape or a layout, met a swizzled layout",
            ),
            (Kind::ShapeOf, r#"{"swizzle":[1,0,1],"offset":3,"shape":[4],"stride":[1]}"#, "(4)"),
            (Kind::ShapeOf, r#"{"shape":[4,8],"stride":[{"1@0":1},{"1@1":1}]}"#, "(4,8)"),
            (Kind::Layout, r#"{"swizzle":[1,0,1],"offset":3,"shape":4,"stride":1}"#, "Sw<1,0,1> o 3 o 4:1"),
            (
                Kind::Linear,
                r#"{"in":[],"out":[],"shape":1}"#,
                "parse: argument 2: a linear layout has no field `shape`",
            ),
            (
                Kind::Relation,
                r#"{"in":[["x",[[1]]]],"out":[["y",2]],"z":1}"#,
                "parse: argument 2: a relation has no field `z`",
            ),
            (
                Kind::Relation,
                r#"{"in":[],"out":[],"shape":1}"#,
                "parse: argument 2: a linear layout has no field `shape`",
            ),
            (
                Kind::Layout,
                r#"{"swizzle":[1,0,1],"shape":4,"stride":1}"#,
                "parse: argument 2: expected a swizzled layout, met a swizzle without `offset`",
            ),
            (
                Kind::Integer,
                r#"{"$serde_json::private::Number":"7"}"#,
                "parse: argument 2: expected an integer, met an object",
            ),
            (Kind::Points, r#"[{"lane":1,"lane":2}]"#, "parse: argument 2: `lane` occurs twice in an object"),
            (
                Kind::Pow2,
                r#"{"$serde_json::private::Number":"7"}"#,
                "parse: argument 2: `$serde_json::private::Number` cannot be the name of a field",
            ),
            (
                Kind::Schedule,
                r#"{"\u0024serde_json::private::RawValue":"{\"extents\":[4]}"}"#,
                "parse: argument 2: `$serde_json::private::RawValue` cannot be the name of a field",
            ),
            (
                Kind::FinMap,
                r#"{"m":0,"n":0,"map":[],"M":1}"#,
                "parse: argument 2: a map of pointed sets has no field `M`",
            ),
            (Kind::Layout, r#"{ "sh\u0061pe" : 1 , "stride" : 2 }"#, "1:0"),
            (Kind::Layout, "{}", "parse: argument 2: expected a layout, met an object without `shape` and `stride`"),
            (Kind::Layout, r#"{"shape":1}"#, "parse: argument 2: expected a layout, met a layout without `stride`"),
            (
                Kind::Layout,
                r#"{"shape":1,"stride":1,"shape":2}"#,
                "parse: argument 2: expected a layout, met an object with two shapes",
            ),
            (Kind::Layout, r#"{"shape":{"a":1},"stride":1}"#, "parse: argument 2: expected a layout, met an object"),
            (Kind::Layout, "[4,2]", "parse: argument 2: expected a layout, met a list"),
            (Kind::Shape, "[[ ],[1 , 3]]", "((),(1,3))"),
            (
                Kind::Shape,
                "[4,1.0]",
                "parse: argument 2: expected a shape, met a number with a fraction or an exponent",
            ),
            (Kind::Shape, "1e3", "parse: argument 2: expected a shape, met a number with a fraction or an exponent"),
            (Kind::Shape, r#"["a\"],[",1]"#, "parse: argument 2: expected a shape, met a string"),
            (Kind::Shape, "[4,null]", "parse: argument 2: expected a shape, met null"),
            (Kind::Coord, "[4,[null,0]]", "(4,(_,0))"),
            (Kind::Coord, "-1", "out_of_domain: a coordinate is a negative number"),
            (Kind::Profile, "[9,[-1,0]]", "(*,(*,*))"),
            (Kind::Tiler, r#"[4,[null,{"shape":2,"stride":3}]]"#, "<4:1,<_,2:3>>"),
            (Kind::Values, "[0,-5,18446744073709551616]", "(0,-5,18446744073709551616)"),
            (Kind::Values, "[[1]]", "parse: argument 2: expected a list of integers, met a list"),
            (Kind::Choice, "2", "parse: argument 2: expected 0 for division or 1 for product, met another integer"),
            (Kind::Count, "0", "extent: a number of elements is 0"),
            (
                Kind::Swizzled,
                r#"{"shape":[8,64],"offset":16,"stride":[64,1],"swizzle":[3,4,-3]}"#,
                "Sw<3,4,-3> o 16 o (8,64):(64,1)",
            ),
            (Kind::Swizzled, r#"{"shape":8,"stride":1}"#, "Sw<0,0,0> o 0 o 8:1"),
            (
                Kind::Swizzled,
                r#"{"shape":8,"stride":1,"swizzle":[3,4,3]}"#,
                "parse: argument 2: expected a swizzled layout, met a swizzle without `offset`",
            ),
            (
                Kind::Swizzled,
                r#"{"shape":8,"stride":1,"swizzle":[3,4,3,3],"offset":0}"#,
                "parse: argument 2: expected a swizzled layout, met a swizzle that is not [B,M,S]",
            ),
            (
                Kind::Swizzled,
                r#"{"shape":8,"stride":1,"swizzle":[-3,4,3],"offset":0}"#,
                "out_of_domain: B is a negative number",
            ),
            (
                Kind::Swizzled,
                r#"{"shape":2,"stride":1,"swizzle":[3,4,3],"offset":18446744073709551615}"#,
                "overflow: 18446744073709551615 + 1 is 2^64 or more",
            ),
            (
                Kind::Coordinates,
                r#"{"stride":[{"1@0":1},{"1@1":2,"1@0":3}],"shape":[4,8],"offset":[0,16]}"#,
                "ArithTuple(0,16) o (4,8):(1@0,3@0+2@1)",
            ),
            (Kind::Coordinates, r#"{"shape":[[2,2],1],"stride":[[{"1@1@0":1},0],7]}"#, "((2,2),1):((1@1@0,0),0)"),
            (Kind::Coordinates, r#"{"shape":8,"stride":1}"#, "8:1"),
            (
                Kind::Coordinates,
                r#"{"shape":8,"stride":{"2@0":1}}"#,
                "parse: argument 2: expected a layout of coordinates, met a stride whose key is not a basis element",
            ),
            (
                Kind::Coordinates,
                r#"{"shape":8,"stride":{"1@0":1,"1@00":1}}"#,
                "parse: argument 2: expected a layout of coordinates, met a stride with a basis element twice",
            ),
            (
                Kind::Coordinates,
                r#"{"shape":8,"stride":{"1@0":[1]}}"#,
                "parse: argument 2: expected a layout of coordinates, met a stride without an integer at each basis element",
            ),
            (Kind::Coordinates, r#"{"shape":8,"stride":{"1@0":-1}}"#, "stride: the stride at mode 0 is below 0"),
            (
                Kind::Coordinates,
                r#"{"shape":[4,8],"stride":[{"1@0":1},1]}"#,
                "incongruent: for the stride 1, a value is a number, and elsewhere it is not",
            ),
            (Kind::Layout, r#"{"shape":8,"stride":{"1@0":1}}"#, "8:1@0"),
            (Kind::Rank, "18446744073709551616", "too_large: a rank is a number of 2^64 or more"),
            (Kind::Integer, "-9223372036854775808", "-9223372036854775808"),
            (Kind::Division, "\"ceil\"", "ceil"),
            (Kind::Truncation, "\"euclid\"", "euclid"),
            (Kind::Truncation, "\"trunc\"", "trunc"),
            (
                Kind::Truncation,
                "\"ceil\"",
                "parse: argument 2: expected a division: \"euclid\" or \"trunc\", met a string",
            ),
        ] {
            assert_eq!(said(kind, json), expected, "{json}");
        }
    }

    #[test]
    fn a_name_twice_is_refused_on_the_command_line_too() {
        let twice = r#"{"in":[["a",[[1]]]],"in":[["b",[[1]]]],"out":[["c",2]]}"#;
        for kind in [Kind::Linear, Kind::Relation] {
            assert_eq!(kind.read_notation(twice).unwrap_err().code, Code::Parse, "{kind:?}");
        }
        let points = Kind::Points.read_notation(r#"[{"lane":0,"lane":1}]"#).unwrap_err();
        assert_eq!(points.message, "argument 1: `lane` occurs twice in an object");
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        for kind in [Kind::Shape, Kind::Tiler, Kind::Coord] {
            assert!(kind.read(&deep(64), 1).is_ok());
            assert_eq!(kind.read(&deep(65), 1).unwrap_err().code, Code::TooLarge);
            assert_eq!(kind.read(&deep(100_000), 1).unwrap_err().code, Code::TooLarge);
        }
    }
}
