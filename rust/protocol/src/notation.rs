//! Arguments in CuTe notation, in and out.

use std::fmt;

use razorgirl::{AnyLayout, IntTuple, Literal, Shape, Tiler};

use crate::code::{Code, Refusal};
use crate::expr::{ranges_from_notation, ranges_to_notation};
use crate::kind::{Argument, Kind, Mapping, Modes, ShapeOrStride, Values, truncation_name};
use crate::read::relation_of_isl;

impl Kind {
    /// Reads the argument in `place`, counted from 1, from JSON.
    ///
    /// # Errors
    /// A [`Refusal`] as the protocol would answer it.
    pub fn read_json(self, text: &str, place: usize) -> Result<Argument, Refusal> {
        let json: &serde_json::value::RawValue = serde_json::from_str(text).map_err(|error| {
            Refusal::new(Code::Parse, format!("argument {place}: expected {}: {error}", self.expects()))
                .with_help(format!("write {}", self.json()))
        })?;
        self.read(json.get(), place)
    }

    /// Reads an argument in CuTe notation.
    ///
    /// # Errors
    /// A [`Refusal`] as the protocol would answer it; with a position where the text cannot be read.
    pub fn read_notation(self, text: &str) -> Result<Argument, Refusal> {
        let text = text.trim();
        // the text comes from outside, so that it is JSON is still to be seen
        let json = |text: &str| self.read(checked_json(text, self)?, 1);
        let wrong = || {
            let shown: String = text.chars().take(40).collect();
            Refusal::new(Code::Parse, format!("expected {}, met `{shown}`", self.expects()))
                .with_help(format!("write {}", self.notation()))
        };
        Ok(match self {
            Self::Layout => text.parse::<AnyLayout>()?.into(),
            // a shape alone is read as a layout of that shape
            Self::ShapeOf => Argument::ShapeOf(text.parse::<AnyLayout>()?.shape()),
            Self::Modes if is_layout(text) => Argument::Modes(Modes::Layout(text.parse()?)),
            Self::Modes => Argument::Modes(Modes::Shape(text.parse()?)),
            Self::Shape => Argument::Shape(text.parse()?),
            Self::Strides => Argument::Strides(text.parse::<IntTuple>()?.map(Literal::Fits)),
            Self::Numbers => Argument::Numbers(text.parse()?),
            Self::Order => Argument::Order(text.parse()?),
            Self::Coord => Argument::Coord(text.parse()?),
            Self::Profile => Argument::Profile(text.parse()?),
            Self::Tiler => Argument::Tiler(text.parse()?),
            Self::Schedule => Argument::Schedule(text.parse()?),
            Self::Expr => Argument::Expr(text.parse()?),
            Self::Ranges => Argument::Ranges(ranges_from_notation(text)?),
            Self::Linear | Self::Bases | Self::Dims | Self::Names | Self::Points | Self::Pow2 => {
                return json(text);
            }
            Self::Dim => return Ok(Argument::Dim(text.to_owned())),
            Self::Swizzled => Argument::Swizzled(text.parse()?),
            Self::Coordinates => Argument::Coordinates(Box::new(text.parse()?)),
            Self::Written => Argument::Written(Box::new(text.parse()?)),
            Self::FinMap => Argument::FinMap(text.parse()?),
            Self::TupleMorphism => Argument::TupleMorphism(text.parse()?),
            Self::NestMorphism => Argument::NestMorphism(Box::new(text.parse()?)),
            Self::Relation if text.starts_with('[') => return json(text),
            // A linear layout has names; isl's notation has none.
            Self::Relation if text.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"')) => {
                return json(text);
            }
            Self::Relation if text.starts_with('{') => Argument::Relation(Mapping::Pairs(relation_of_isl(text)?)),
            Self::Relation => Argument::Relation(Mapping::Layout(Box::new(text.parse()?))),
            Self::ShapeOrStride => Argument::ShapeOrStride(match text.split_once(char::is_whitespace) {
                Some(("shape", shape)) => ShapeOrStride::Shape(shape.trim().parse()?),
                Some(("stride", stride)) => ShapeOrStride::Stride(stride.trim().parse()?),
                _ => return Err(wrong()),
            }),
            Self::Division | Self::Truncation | Self::Language | Self::Truth => {
                return self.named(text).ok_or_else(wrong);
            }
            // lists: with or without brackets, apart by commas or blanks
            Self::Places | Self::Values | Self::Sizes => {
                let words = text.split(|c: char| c.is_whitespace() || ",()[]".contains(c));
                let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
                if let Some(word) = words.iter().find(|word| Literal::read(word.as_bytes()).is_none()) {
                    let shown: String = word.chars().take(40).collect();
                    return Err(Refusal::new(Code::Parse, format!("expected an integer, met `{shown}`"))
                        .with_help(format!("write {}", self.notation())));
                }
                return self.of_words(&words);
            }
            Self::Index | Self::Rank | Self::Count | Self::Cotarget | Self::Integer | Self::Choice => {
                let plain = text.strip_prefix('_').unwrap_or(text);
                if Literal::read(plain.as_bytes()).is_none() {
                    // the reader of tuples says where it goes wrong
                    text.parse::<Shape>()?;
                    return Err(wrong());
                }
                return self.of_words(&[plain]);
            }
        })
    }
}

/// Whether a text is a layout, where it may be a shape as well.
fn is_layout(text: &str) -> bool {
    text.replace("::", "").contains(':') || text.contains("Layout<")
}

fn step(c: char) -> i64 {
    match c {
        '(' | '<' | '[' => 1,
        ')' | '>' | ']' => -1,
        _ => 0,
    }
}

/// The parts of the text between separators; separators inside brackets do not count.
#[must_use]
pub fn split(text: &str, separator: char) -> Vec<&str> {
    let mut depth = 0_i64;
    text.split(|c| {
        depth += step(c);
        c == separator && depth == 0
    })
    .collect()
}

/// JSON as it is written, without blanks around it.
fn checked_json(text: &str, kind: Kind) -> Result<&str, Refusal> {
    let json: &serde_json::value::RawValue = serde_json::from_str(text).map_err(|error| {
        Refusal::new(Code::Parse, format!("expected {}: {error}", kind.expects()))
            .with_help(format!("write {}", kind.notation()))
    })?;
    Ok(json.get())
}

/// In CuTe notation, as [`Kind::read_notation`] reads it.
impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(layout) | Self::Modes(Modes::Layout(layout)) => layout.fmt(f),
            Self::ShapeOf(shape) | Self::Modes(Modes::Shape(shape)) | Self::Shape(shape) => shape.fmt(f),
            Self::Strides(strides) => {
                let text = format!(
                    "{:?}",
                    strides.map(|literal| match literal {
                        Literal::Fits(stride) => u128::from(stride),
                        _ => 1 << 64,
                    })
                );
                f.write_str(&text)
            }
            Self::Numbers(tuple) | Self::Order(tuple) => tuple.fmt(f),
            Self::Coord(coord) => coord.fmt(f),
            Self::Profile(profile) => fmt::Display::fmt(profile, f),
            Self::Tiler(tiler) => write_tiler(tiler, f),
            Self::Index(n) | Self::Count(n) => n.fmt(f),
            Self::Rank(rank) => rank.fmt(f),
            Self::Cotarget(n) => n.fmt(f),
            Self::Places(places) => list(places, f),
            Self::Values(Values::Offsets(values)) | Self::Sizes(values) => list(values, f),
            Self::Values(Values::Digits(values)) => list(values, f),
            Self::Integer(n) => n.fmt(f),
            Self::Division(division) => f.write_str(division.name()),
            Self::Truncation(kind) => f.write_str(truncation_name(*kind)),
            Self::Choice(choice) => f.write_str(if *choice { "1" } else { "0" }),
            Self::Schedule(schedule) => schedule.fmt(f),
            Self::Expr(expr) => expr.fmt(f),
            Self::Ranges(ranges) => f.write_str(&ranges_to_notation(ranges)),
            Self::Dim(name) => f.write_str(name),
            Self::Linear(_)
            | Self::Bases(_)
            | Self::Dims(_)
            | Self::Names(_)
            | Self::Points(_)
            | Self::Pow2(_)
            | Self::Truth(_)
            | Self::Relation(Mapping::Pairs(_) | Mapping::Linear(_)) => self.to_json().fmt(f),
            Self::Relation(Mapping::Layout(layout)) => layout.fmt(f),
            Self::ShapeOrStride(ShapeOrStride::Shape(shape)) => write!(f, "shape {shape}"),
            Self::ShapeOrStride(ShapeOrStride::Stride(stride)) => write!(f, "stride {stride}"),
            Self::Language(language) => f.write_str(language.name()),
            Self::Swizzled(layout) => layout.fmt(f),
            Self::Coordinates(layout) => layout.fmt(f),
            Self::Written(layout) => layout.fmt(f),
            Self::FinMap(map) => map.fmt(f),
            Self::TupleMorphism(morphism) => morphism.fmt(f),
            Self::NestMorphism(morphism) => morphism.fmt(f),
        }
    }
}

fn list<T: fmt::Display>(items: &[T], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("(")?;
    for (place, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if place == 0 { "" } else { "," })?;
    }
    f.write_str(")")
}

fn write_tiler(tiler: &Tiler, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match tiler {
        Tiler::Keep => f.write_str("_"),
        Tiler::Layout(layout) => fmt::Display::fmt(layout, f),
        Tiler::Modes(modes) => {
            f.write_str("<")?;
            for (place, mode) in modes.iter().enumerate() {
                f.write_str(if place == 0 { "" } else { "," })?;
                write_tiler(mode, f)?;
            }
            f.write_str(">")
        }
    }
}
