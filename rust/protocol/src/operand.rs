//! Arguments as an operation takes them: read, but not yet checked against one another.

use razorgirl::{Coord, HTuple, IntTuple, Layout, Literal, Profile, Shape, Tiler};

use crate::code::{Code, Refusal, both};
use crate::value::{Leaf, Value, Wrong};

/// What an operation takes in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Layout,
    /// A shape; a layout stands for its shape.
    Shape,
    /// A shape and no layout.
    Extents,
    Strides,
    Coord,
    Profile,
    Index,
    Offsets,
    Cotarget,
    Tiler,
    /// Anything; the operation reads it itself.
    Json,
}

impl Kind {
    const fn expects(self) -> &'static str {
        match self {
            Self::Layout => "a layout {\"shape\":…,\"stride\":…}",
            Self::Shape => "a shape or a layout",
            Self::Extents => "a shape",
            Self::Strides => "a stride",
            Self::Coord => "a coordinate of integers and null",
            Self::Profile => "a profile",
            Self::Index | Self::Cotarget => "an integer",
            Self::Tiler => "a tiler: a layout, an integer, null, or a list of these",
            Self::Offsets => "a list of integers",
            Self::Json => "anything",
        }
    }
}

/// An argument of a [`Kind`].
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Layout(RawLayout),
    Shape(RawShape),
    Tuple(HTuple<Literal>),
    Coord(RawCoord),
    Profile(Profile),
    Index(Literal),
    Offsets(Vec<Leaf>),
    Cotarget(Leaf),
    Tiler(RawTiler),
    /// Read by the operation.
    Json,
}

/// A layout before it is checked.
#[derive(Clone, Debug)]
pub(crate) struct RawLayout {
    pub(crate) shape: HTuple<Literal>,
    pub(crate) stride: HTuple<Literal>,
}

impl RawLayout {
    pub(crate) fn build(&self) -> Result<Layout, Refusal> {
        Ok(Layout::from_literals(&self.shape, &self.stride)?)
    }
}

/// A shape before it is checked.
#[derive(Clone, Debug)]
pub(crate) enum RawShape {
    Shape(HTuple<Literal>),
    Layout(RawLayout),
}

/// A shape, or a layout in place of one.
#[derive(Clone, Debug)]
pub(crate) enum AnyShape {
    Shape(Shape),
    Layout(Layout),
}

impl RawShape {
    pub(crate) fn build(&self) -> Result<AnyShape, Refusal> {
        match self {
            Self::Shape(extents) => Ok(AnyShape::Shape(Shape::from_literals(extents)?)),
            Self::Layout(layout) => Ok(AnyShape::Layout(layout.build()?)),
        }
    }

    pub(crate) fn profile(&self) -> &Profile {
        match self {
            Self::Shape(extents) => extents.profile(),
            Self::Layout(layout) => layout.shape.profile(),
        }
    }
}

impl AnyShape {
    pub(crate) fn profile(&self) -> &Profile {
        match self {
            Self::Shape(shape) => shape.profile(),
            Self::Layout(layout) => layout.profile(),
        }
    }

    pub(crate) fn into_shape(self) -> Shape {
        match self {
            Self::Shape(shape) => shape,
            Self::Layout(layout) => layout.shape(),
        }
    }
}

/// A coordinate before it is checked; nothing stands for `null`.
#[derive(Clone, Debug)]
pub(crate) struct RawCoord(HTuple<Option<Literal>>);

impl RawCoord {
    /// Whether it fits a nesting at all, whatever the numbers are.
    pub(crate) fn check_nesting(&self, profile: &Profile) -> Result<(), Refusal> {
        if self.0.profile().weakly_congruent(profile) {
            return Ok(());
        }
        // The library has the words for it; nesting is what it looks at first.
        let coord = self.0.map(|at| match at {
            Some(Literal::Fits(at)) => Some(at),
            _ => None,
        });
        unit(profile)?.offset(&coord)?;
        Ok(())
    }

    /// The coordinate, where every integer is one of 64 bits.
    pub(crate) fn build(&self) -> Result<Coord, Refusal> {
        for at in self.0.leaves().iter().flatten() {
            if !matches!(at, Literal::Fits(_)) {
                return Err(Refusal::new(Code::OutOfDomain, format!("a coordinate is {at}"))
                    .with_help("a coordinate is at least 0 and below its extent"));
            }
        }
        Ok(self.0.map(|at| match at {
            Some(Literal::Fits(at)) => Some(at),
            _ => None,
        }))
    }
}

/// A tiler before it is checked.
#[derive(Clone, Debug)]
pub(crate) enum RawTiler {
    Keep,
    Integer(Literal),
    Layout(Box<RawLayout>),
    Modes(Vec<RawTiler>),
}

impl RawTiler {
    fn read(value: &Value) -> Result<Self, &'static str> {
        match value {
            Value::Object(what) => Err(what),
            Value::Layout { shape, stride } => {
                Ok(Self::Layout(Box::new(RawLayout { shape: literals(shape)?, stride: literals(stride)? })))
            }
            Value::List(values) => Ok(Self::Modes(values.iter().map(Self::read).collect::<Result<_, _>>()?)),
            Value::Tuple(tuple) => Self::of_tuple(tuple),
        }
    }

    fn of_tuple(tuple: &HTuple<Leaf>) -> Result<Self, &'static str> {
        if !tuple.is_leaf() {
            return Ok(Self::Modes(tuple.modes().map(|mode| Self::of_tuple(&mode)).collect::<Result<_, _>>()?));
        }
        match tuple.leaves().first() {
            None | Some(Leaf::Null) => Ok(Self::Keep),
            Some(Leaf::Wrong(wrong)) => Err(wrong.name()),
            Some(leaf) => Ok(Self::Integer(literal(*leaf))),
        }
    }

    /// Its tuples alone.
    fn outline(&self) -> Tiler {
        match self {
            Self::Modes(modes) => Tiler::Modes(modes.iter().map(Self::outline).collect()),
            _ => Tiler::Keep,
        }
    }

    /// The tiler together with the layout that it is for; a tuple with more modes than it meets is reported before a
    /// number that is wrong.
    pub(crate) fn build_for(&self, layout: &RawLayout) -> Result<(Layout, Tiler), Refusal> {
        let built = both(layout.build(), self.build());
        if built.is_ok() {
            return built;
        }
        let nesting = unit(layout.shape.profile())?.composition_by(&self.outline()).map_err(Refusal::from);
        both(nesting, built).map(|(_, built)| built)
    }

    /// The tiler; of several faults in it, the one that is reported first.
    pub(crate) fn build(&self) -> Result<Tiler, Refusal> {
        match self {
            Self::Keep => Ok(Tiler::Keep),
            Self::Integer(n) => {
                let one = HTuple::leaf(Literal::Fits(1));
                Ok(Tiler::Layout(Layout::from_literals(&HTuple::leaf(*n), &one)?))
            }
            Self::Layout(layout) => Ok(Tiler::Layout(layout.build()?)),
            Self::Modes(modes) => {
                let mut built = Ok(Vec::with_capacity(modes.len()));
                for mode in modes {
                    built = both(built, mode.build()).map(|(mut built, mode)| {
                        built.push(mode);
                        built
                    });
                }
                Ok(Tiler::Modes(built?))
            }
        }
    }
}

/// The layout of this nesting in which every extent is 1. What it refuses, it refuses for the nesting alone.
pub(crate) fn unit(profile: &Profile) -> Result<Layout, Refusal> {
    let ones = IntTuple::nested(&vec![1; profile.leaf_count()], profile)?;
    Ok(Layout::new(&ones, &ones)?)
}

/// Reads the argument in `place`, counted from 1.
pub(crate) fn read(kind: Kind, value: Value, place: usize) -> Result<Operand, Refusal> {
    let refuse =
        |met: &str| Refusal::new(Code::Parse, format!("argument {place}: expected {}, met {met}", kind.expects()));
    if kind == Kind::Json {
        return Ok(Operand::Json);
    }
    if kind == Kind::Tiler {
        return RawTiler::read(&value).map(Operand::Tiler).map_err(refuse);
    }
    let tuple = match value {
        Value::Object(what) => return Err(refuse(what)),
        Value::List(_) => return Err(refuse("a list with objects in it")),
        Value::Layout { shape, stride } => {
            let layout = || -> Result<RawLayout, &'static str> {
                Ok(RawLayout { shape: literals(&shape)?, stride: literals(&stride)? })
            };
            return match kind {
                Kind::Layout => Ok(Operand::Layout(layout().map_err(refuse)?)),
                Kind::Shape => Ok(Operand::Shape(RawShape::Layout(layout().map_err(refuse)?))),
                _ => Err(refuse("a layout")),
            };
        }
        Value::Tuple(tuple) => tuple,
    };
    Ok(match kind {
        Kind::Layout | Kind::Tiler | Kind::Json => return Err(refuse(described(&tuple))),
        Kind::Cotarget => {
            literals(&tuple).map_err(refuse)?;
            match tuple.leaves() {
                [cotarget] if tuple.is_leaf() => Operand::Cotarget(*cotarget),
                _ => return Err(refuse("a tuple")),
            }
        }
        Kind::Shape => Operand::Shape(RawShape::Shape(literals(&tuple).map_err(refuse)?)),
        Kind::Extents | Kind::Strides => Operand::Tuple(literals(&tuple).map_err(refuse)?),
        Kind::Profile => Operand::Profile(literals(&tuple).map_err(refuse)?.profile().clone()),
        Kind::Coord => Operand::Coord(RawCoord(coord(&tuple).map_err(refuse)?)),
        Kind::Index => match literals(&tuple).map_err(refuse)? {
            index if index.is_leaf() => Operand::Index(index.leaves().first().copied().unwrap_or_default()),
            _ => return Err(refuse("a tuple")),
        },
        Kind::Offsets => {
            literals(&tuple).map_err(refuse)?;
            if tuple.is_leaf() {
                return Err(refuse("an integer"));
            }
            if tuple.rank() != tuple.leaves().len() || tuple.depth() > 1 {
                return Err(refuse("a nested list"));
            }
            Operand::Offsets(tuple.leaves().to_vec())
        }
    })
}

/// What a tuple is called where none belongs.
fn described(tuple: &HTuple<Leaf>) -> &'static str {
    match tuple.leaves().first() {
        Some(Leaf::Wrong(wrong)) if tuple.is_leaf() => wrong.name(),
        Some(Leaf::Null) if tuple.is_leaf() => "null",
        _ if tuple.is_leaf() => "an integer",
        _ => "a tuple",
    }
}

fn wrong(tuple: &HTuple<Leaf>) -> Option<Wrong> {
    tuple.leaves().iter().find_map(|leaf| match leaf {
        Leaf::Wrong(wrong) => Some(*wrong),
        _ => None,
    })
}

fn literal(leaf: Leaf) -> Literal {
    match leaf {
        Leaf::Fits(value) => Literal::Fits(value),
        Leaf::Huge { .. } => Literal::Huge,
        Leaf::Negative | Leaf::Null | Leaf::Wrong(_) => Literal::Negative,
    }
}

fn literals(tuple: &HTuple<Leaf>) -> Result<HTuple<Literal>, &'static str> {
    match wrong(tuple) {
        Some(wrong) => Err(wrong.name()),
        None if tuple.leaves().contains(&Leaf::Null) => Err("null"),
        None => Ok(tuple.map(literal)),
    }
}

fn coord(tuple: &HTuple<Leaf>) -> Result<HTuple<Option<Literal>>, &'static str> {
    match wrong(tuple) {
        Some(wrong) => Err(wrong.name()),
        None => Ok(tuple.map(|leaf| match leaf {
            Leaf::Null => None,
            leaf => Some(literal(leaf)),
        })),
    }
}
