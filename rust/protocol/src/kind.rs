//! Kinds of arguments, and arguments.

use razorgirl::category::{FinMap, NestMorphism, TupleMorphism, WrittenLayout};
use razorgirl::int::expr::{Expr, Range};
use razorgirl::iter_domain::Schedule;
use razorgirl::linear_layout::{Bases, Dims, LinearLayout};
use razorgirl::relation::{Language, Relation};
use razorgirl::{
    AnyLayout, Coord, CoordLayout, HTuple, IntTuple, Layout, Literal, Profile, Shape, SwizzledLayout, Tiler,
};

/// The kind of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A layout.
    Layout,
    /// A shape. Of a layout, the shape is used.
    ShapeOf,
    /// A shape or a layout: the result is of the same kind.
    Modes,
    /// A shape.
    Shape,
    /// The strides of the shape that is another argument.
    Strides,
    /// Integers >= 0.
    Numbers,
    /// The order of modes: integers >= 0.
    Order,
    /// A coordinate: integers and `_`.
    Coord,
    /// A nesting; the leaves are ignored.
    Profile,
    /// A tiler: a layout, an integer, `_`, or a list of these.
    Tiler,
    /// A linear index, or the place of a mode.
    Index,
    /// A number of modes.
    Rank,
    /// A number of elements, at least 1.
    Count,
    /// The cotarget of a complement, at least 1.
    Cotarget,
    /// Places of modes.
    Places,
    /// The values of a function, of any size.
    Values,
    /// Sizes of dimensions, at least 1.
    Sizes,
    /// A signed 64-bit integer.
    Integer,
    /// A kind of integer division.
    Division,
    /// A kind of integer division of index expressions.
    Truncation,
    /// 0 for a division, 1 for a product.
    Choice,
    /// A schedule of axes.
    Schedule,
    /// An index expression.
    Expr,
    /// The ranges of an expression's variables.
    Ranges,
    /// A linear layout.
    Linear,
    /// Input dimensions with their bases.
    Bases,
    /// Named dimensions with their sizes.
    Dims,
    /// The name of a dimension.
    Dim,
    /// Names of dimensions.
    Names,
    /// Points: a number for each name.
    Points,
    /// A size that is a power of two.
    Pow2,
    /// `true` or `false`.
    Truth,
    /// A swizzled layout. A plain layout is accepted as one without a swizzle.
    Swizzled,
    /// A layout of coordinates. A plain layout is accepted as one of integers.
    Coordinates,
    /// A layout in which the strides of modes of extent 1 matter too.
    Written,
    /// A map of pointed finite sets.
    FinMap,
    /// A morphism of tuples.
    TupleMorphism,
    /// A morphism of nested tuples.
    NestMorphism,
    /// A relation: a list of pairs, or isl's notation. A layout, swizzled layout or linear layout is accepted as its mapping.
    Relation,
    /// A shape or a stride, by name.
    ShapeOrStride,
    /// A language of index code.
    Language,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 41] = [
        Self::Layout,
        Self::ShapeOf,
        Self::Modes,
        Self::Shape,
        Self::Strides,
        Self::Numbers,
        Self::Order,
        Self::Coord,
        Self::Profile,
        Self::Tiler,
        Self::Index,
        Self::Rank,
        Self::Count,
        Self::Cotarget,
        Self::Places,
        Self::Values,
        Self::Sizes,
        Self::Integer,
        Self::Division,
        Self::Truncation,
        Self::Choice,
        Self::Schedule,
        Self::Expr,
        Self::Ranges,
        Self::Linear,
        Self::Bases,
        Self::Dims,
        Self::Dim,
        Self::Names,
        Self::Points,
        Self::Pow2,
        Self::Truth,
        Self::Swizzled,
        Self::Coordinates,
        Self::Written,
        Self::FinMap,
        Self::TupleMorphism,
        Self::NestMorphism,
        Self::Relation,
        Self::ShapeOrStride,
        Self::Language,
    ];

    /// What is expected, in words.
    #[must_use]
    pub const fn expects(self) -> &'static str {
        match self {
            Self::Layout | Self::Written => "a layout",
            Self::ShapeOf | Self::Modes => "a shape or a layout",
            Self::Shape => "a shape",
            Self::Strides => "a stride",
            Self::Numbers => "a tuple of integers from 0",
            Self::Order => "an order: a tuple of integers from 0",
            Self::Coord => "a coordinate",
            Self::Profile => "a profile",
            Self::Tiler => "a tiler",
            Self::Index | Self::Rank | Self::Count | Self::Cotarget | Self::Integer => "an integer",
            Self::Places | Self::Values | Self::Sizes => "a list of integers",
            Self::Division => "a division: \"euclid\", \"trunc\" or \"ceil\"",
            Self::Truncation => "a division: \"euclid\" or \"trunc\"",
            Self::Choice => "0 for division or 1 for product",
            Self::Schedule => "a schedule",
            Self::Expr => "an index expression",
            Self::Ranges => "a list of ranges",
            Self::Linear => "a linear layout",
            Self::Bases => "a list of input dimensions with their bases",
            Self::Dims => "a list of names with sizes",
            Self::Dim => "the name of a dimension",
            Self::Names => "a list of names",
            Self::Points => "a list of points",
            Self::Pow2 => "a power of two",
            Self::Truth => "true or false",
            Self::Swizzled => "a swizzled layout",
            Self::Coordinates => "a layout of coordinates",
            Self::FinMap => "a map of pointed sets",
            Self::TupleMorphism => "a morphism of tuples",
            Self::NestMorphism => "a morphism of nested tuples",
            Self::Relation => {
                "a relation: a list of pairs of tuples, a text in isl's notation, or a layout, swizzled or linear too"
            }
            Self::ShapeOrStride => "a shape or a stride by its name",
            Self::Language => "a language: \"c\", \"cuda\" or \"python\"",
        }
    }

    /// How it is written as JSON.
    #[must_use]
    pub const fn json(self) -> &'static str {
        match self {
            Self::Layout | Self::Written => r#"{"shape":[4,8],"stride":[1,4]}"#,
            Self::ShapeOf | Self::Modes => r#"[4,8] or {"shape":[4,8],"stride":[1,4]}"#,
            Self::Shape => "[4,[2,4]]",
            Self::Strides | Self::Numbers => "[1,[4,8]]",
            Self::Order => "[1,0]",
            Self::Coord => "[1,[null,3]]",
            Self::Profile => "[0,[0,0]]",
            Self::Tiler => r#"4, null or [{"shape":2,"stride":4},null]"#,
            Self::Index | Self::Rank | Self::Count | Self::Cotarget | Self::Pow2 => "4",
            Self::Integer => "-4",
            Self::Places | Self::Values | Self::Sizes => "[0,2]",
            Self::Division | Self::Truncation => r#""euclid""#,
            Self::Choice => "0",
            Self::Schedule => r#""[128] split(0,32)" or {"extents":[128],"steps":[{"split":0,"factor":32}]}"#,
            Self::Expr => r#""x0 % 4 + 3" or ["+",["%",["x",0],4],3]"#,
            Self::Ranges => "[[0,127],[0,null],null]",
            Self::Linear => r#"{"in":[["lane",[[1,0],[0,1]]]],"out":[["row",2],["column",2]]}"#,
            Self::Bases => r#"[["lane",[[1,0],[0,1]]]]"#,
            Self::Dims => r#"[["row",2],["column",2]]"#,
            Self::Dim => r#""lane""#,
            Self::Names => r#"["lane","warp"]"#,
            Self::Points => r#"[{"lane":3,"warp":0}]"#,
            Self::Truth => "true",
            Self::Swizzled => r#"{"swizzle":[3,4,3],"offset":0,"shape":[8,64],"stride":[64,1]}"#,
            Self::Coordinates => r#"{"shape":[4,8],"stride":[{"1@0":1},{"1@1":1}]}"#,
            Self::FinMap => r#"{"m":3,"n":2,"map":[2,0,1]}"#,
            Self::TupleMorphism => r#"{"domain":[2,3],"codomain":[3,2],"map":[2,1]}"#,
            Self::NestMorphism => r#"{"domain":[2,[3]],"codomain":[3,2],"map":[2,1]}"#,
            Self::Relation => r#"[[[0],[2]],[[1],[5]]], "{ [c] -> [3c] : 0 <= c < 2 }" or {"shape":2,"stride":3}"#,
            Self::ShapeOrStride => r#"{"shape":[4,2]} or {"stride":[1,4]}"#,
            Self::Language => r#""c""#,
        }
    }

    /// How it is written on the command line.
    #[must_use]
    pub const fn notation(self) -> &'static str {
        match self {
            Self::Layout | Self::Written => "(4,8):(1,4); a shape alone is column-major",
            Self::ShapeOf | Self::Modes => "(4,8) or (4,8):(1,4)",
            Self::Shape => "(4,(2,4))",
            Self::Strides | Self::Numbers => "(1,(4,8))",
            Self::Order => "(1,0)",
            Self::Coord => "(1,(_,3))",
            Self::Profile => "(*,(*,*))",
            Self::Tiler => "4, _ or <2:4,_>",
            Self::Index | Self::Rank | Self::Count | Self::Cotarget => "4",
            Self::Integer => "-4",
            Self::Places | Self::Values | Self::Sizes => "(0,2)",
            Self::Division => "euclid, trunc or ceil",
            Self::Truncation => "euclid or trunc",
            Self::Choice => "0 or 1",
            Self::Schedule => "[128] split(0,32)",
            Self::Expr => "x0 % 4 + 3",
            Self::Ranges => "(0..127,0..,_): both ends included",
            Self::Dim => "lane",
            Self::Linear | Self::Bases | Self::Dims | Self::Names | Self::Points | Self::Pow2 | Self::Truth => {
                self.json()
            }
            Self::Swizzled => "Sw<3,4,3> o 0 o (8,64):(64,1)",
            Self::Coordinates => "(4,8):(1@0,1@1)",
            Self::FinMap => "3->2 by (2,0,1)",
            Self::TupleMorphism => "(2,3)->(3,2) by (2,1)",
            Self::NestMorphism => "(2,(3))->(3,2) by (2,1)",
            Self::Relation => {
                "(4,8):(1,4), Sw<3,4,3> o 0 o (8,64):(64,1), [[[0],[2]],[[1],[5]]] or { [c] -> [3c] : 0 <= c < 2 }"
            }
            Self::ShapeOrStride => "shape (4,2) or stride (1,4)",
            Self::Language => "c, cuda or python",
        }
    }

    /// Whether it is a list in JSON whatever its value.
    pub(crate) const fn is_list(self) -> bool {
        matches!(
            self,
            Self::Places
                | Self::Values
                | Self::Sizes
                | Self::Ranges
                | Self::Bases
                | Self::Dims
                | Self::Names
                | Self::Points
        )
    }
}

/// A shape, or a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Modes {
    /// A shape.
    Shape(Shape),
    /// A layout.
    Layout(Layout),
}

impl Modes {
    /// Its nesting.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        match self {
            Self::Shape(shape) => shape.profile(),
            Self::Layout(layout) => layout.profile(),
        }
    }
}

/// How a relation was given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mapping {
    /// Pair by pair.
    Pairs(Relation),
    /// As the mapping of a layout, swizzled or not.
    Layout(Box<SwizzledLayout>),
    /// As the points of a linear layout.
    Linear(Box<LinearLayout>),
}

impl Mapping {
    /// Its pairs.
    ///
    /// # Errors
    /// [`Code::TooLarge`](crate::Code::TooLarge) beyond [`MAX_PAIRS`](razorgirl::relation::MAX_PAIRS) pairs;
    /// [`Code::Overflow`](crate::Code::Overflow) where a swizzle makes an offset of 2^64 or more.
    pub fn listed(&self) -> razorgirl::Result<Relation> {
        match self {
            Self::Pairs(relation) => Ok(relation.clone()),
            Self::Layout(layout) => Relation::of_swizzled(layout),
            Self::Linear(layout) => Relation::of_linear(layout),
        }
    }
}

/// What a layout that is looked for has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeOrStride {
    /// This shape.
    Shape(Shape),
    /// These strides.
    Stride(IntTuple),
}

/// The values of a function: integers of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Values {
    /// All below 2^64 and none below 0.
    Offsets(Vec<u64>),
    /// As they are written.
    Digits(Vec<String>),
}

impl Values {
    /// The values of integers as they are written.
    pub(crate) fn of(words: &[&str]) -> Self {
        let offset = |word: &&str| match Literal::read(word.as_bytes()) {
            Some(Literal::Fits(offset)) => Some(offset),
            _ => None,
        };
        match words.iter().map(offset).collect() {
            Some(offsets) => Self::Offsets(offsets),
            None => Self::Digits(words.iter().map(|word| (*word).to_owned()).collect()),
        }
    }
}

/// A kind of integer division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Division {
    /// The remainder is never below 0.
    Euclid,
    /// Towards 0, as C does.
    Trunc,
    /// The quotient is rounded up.
    Ceil,
}

impl Division {
    /// Each, in order.
    pub const ALL: [Self; 3] = [Self::Euclid, Self::Trunc, Self::Ceil];

    /// Its name in a request.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Euclid => "euclid",
            Self::Trunc => "trunc",
            Self::Ceil => "ceil",
        }
    }
}

/// The kinds of integer division of index expressions.
pub(crate) const TRUNCATIONS: [razorgirl::int::expr::Kind; 2] =
    [razorgirl::int::expr::Kind::Euclid, razorgirl::int::expr::Kind::Trunc];

/// How one of [`TRUNCATIONS`] stands in a request.
pub(crate) const fn truncation_name(kind: razorgirl::int::expr::Kind) -> &'static str {
    match kind {
        razorgirl::int::expr::Kind::Euclid => Division::Euclid.name(),
        razorgirl::int::expr::Kind::Trunc => Division::Trunc.name(),
    }
}

/// An argument, read and checked: each variant belongs to the [`Kind`] of the same name. What is larger than a layout is
/// boxed: arguments are moved, and most are small.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Argument {
    /// [`Kind::Layout`]
    Layout(Layout),
    /// [`Kind::ShapeOf`]
    ShapeOf(Shape),
    /// [`Kind::Modes`]
    Modes(Modes),
    /// [`Kind::Shape`]
    Shape(Shape),
    /// [`Kind::Strides`]: a mode of extent 1 may have any stride, so strides are checked together with the shape.
    Strides(HTuple<Literal>),
    /// [`Kind::Numbers`]
    Numbers(IntTuple),
    /// [`Kind::Order`]
    Order(IntTuple),
    /// [`Kind::Coord`]
    Coord(Coord),
    /// [`Kind::Profile`]
    Profile(Profile),
    /// [`Kind::Tiler`]
    Tiler(Tiler),
    /// [`Kind::Index`]
    Index(u64),
    /// [`Kind::Rank`]
    Rank(usize),
    /// [`Kind::Count`]
    Count(u64),
    /// [`Kind::Cotarget`]
    Cotarget(u128),
    /// [`Kind::Places`]: a place that no mode can have is the largest.
    Places(Vec<usize>),
    /// [`Kind::Values`]
    Values(Values),
    /// [`Kind::Sizes`]
    Sizes(Vec<u64>),
    /// [`Kind::Integer`]
    Integer(i64),
    /// [`Kind::Division`]
    Division(Division),
    /// [`Kind::Truncation`]
    Truncation(razorgirl::int::expr::Kind),
    /// [`Kind::Choice`]: whether it is 1
    Choice(bool),
    /// [`Kind::Schedule`]
    Schedule(Schedule),
    /// [`Kind::Expr`]
    Expr(Expr),
    /// [`Kind::Ranges`]
    Ranges(Vec<Range>),
    /// [`Kind::Linear`]
    Linear(LinearLayout),
    /// [`Kind::Bases`]
    Bases(Vec<Bases>),
    /// [`Kind::Dims`]
    Dims(Dims),
    /// [`Kind::Dim`]
    Dim(String),
    /// [`Kind::Names`]
    Names(Vec<String>),
    /// [`Kind::Points`]: coordinates are integers from -2^63 to 2^64-1, kept modulo 2^64.
    Points(Vec<Vec<(String, u64)>>),
    /// [`Kind::Pow2`]
    Pow2(u64),
    /// [`Kind::Truth`]
    Truth(bool),
    /// [`Kind::Swizzled`]
    Swizzled(SwizzledLayout),
    /// [`Kind::Coordinates`]
    Coordinates(Box<CoordLayout>),
    /// [`Kind::Written`]
    Written(Box<WrittenLayout>),
    /// [`Kind::FinMap`]
    FinMap(FinMap),
    /// [`Kind::TupleMorphism`]
    TupleMorphism(TupleMorphism),
    /// [`Kind::NestMorphism`]
    NestMorphism(Box<NestMorphism>),
    /// [`Kind::Relation`]
    Relation(Mapping),
    /// [`Kind::ShapeOrStride`]
    ShapeOrStride(ShapeOrStride),
    /// [`Kind::Language`]
    Language(Language),
}

impl From<AnyLayout> for Argument {
    fn from(layout: AnyLayout) -> Self {
        match layout {
            AnyLayout::Plain(layout) => Self::Layout(layout),
            AnyLayout::Coordinates(layout) => Self::Coordinates(Box::new(layout)),
            AnyLayout::Swizzled(layout) => Self::Swizzled(layout),
            // the library has no other
            other => Self::ShapeOf(other.shape()),
        }
    }
}
