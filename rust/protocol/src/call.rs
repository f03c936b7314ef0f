//! An operation with its arguments: what a request asks for, wherever it was written.

use std::fmt;

use serde_json::value::RawValue;

use crate::answer::{Composed, Nested, OfCoordinates, ShapeStride};
use crate::category::{FinJson, NestJson, TupleJson, WrittenJson};
use crate::code::{Code, Refusal};
use crate::expr::{expr_to_json, ranges_to_json};
use crate::extracted;
use crate::kind::{Argument, Kind, Mapping, Modes, ShapeOrStride, Values, truncation_name};
use crate::linear::{LinearJson, PointJson, sizes};
use crate::mode::Mode;
use crate::read::{COORDINATES, SWIZZLED, another_kind};
use crate::refit;
use crate::request::Request;
use crate::table::{Form, Op, Outcome};

/// A request whose arguments have been read and checked.
#[derive(Clone, Debug)]
pub struct Call {
    op: &'static Op,
    form: &'static Form,
    arguments: Vec<Argument>,
    mode: Mode,
}

/// Whether both ask the same.
impl PartialEq for Call {
    fn eq(&self, other: &Self) -> bool {
        self.to_json() == other.to_json()
    }
}

/// What is wrong with one argument on the command line, and which: from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct BadArgument {
    /// The place of the argument, from 0; none where the operation or the number of arguments is wrong.
    pub place: Option<usize>,
    /// What is wrong.
    pub refusal: Box<Refusal>,
}

impl Call {
    /// Reads the arguments of a request.
    pub(crate) fn from_json(op: &'static Op, arguments: &[&RawValue], mode: Mode) -> Result<Self, Refusal> {
        op.check_mode(mode)?;
        let form = op.form(arguments.len())?;
        let mut read = Vec::with_capacity(arguments.len());
        for (place, json) in arguments.iter().enumerate() {
            let parameter = form.parameter(place).ok_or_else(crate::table::mismatch)?;
            read.push(parameter.kind.read(json.get(), place + 1)?);
        }
        Self::settled(op, form, read, mode).map_err(|bad| *bad.refusal)
    }

    /// Reads a request, as [`answer`](crate::answer) does.
    ///
    /// # Errors
    /// A [`Refusal`] as the protocol would answer it.
    ///
    /// ```
    /// let call = razorgirl_protocol::Call::read(r#"{"op":"size","args":[[4,8]]}"#)?;
    /// assert_eq!(call.to_string(), "size '(4,8)'");
    /// # Ok::<(), razorgirl_protocol::Refusal>(())
    /// ```
    pub fn read(request: &str) -> Result<Self, Refusal> {
        let (request, read) = Request::read(request);
        read.map_err(|error| Refusal::new(Code::Parse, error.to_string()))?;
        Self::from_json(Op::find(&request.name()?)?, &request.arguments()?, request.mode()?)
    }

    /// Reads arguments in CuTe notation.
    ///
    /// # Errors
    /// What is wrong, and with which argument.
    ///
    /// ```
    /// use razorgirl_protocol::{Call, Mode};
    ///
    /// let call = Call::from_notation("complement", &["(2,2):(1,6)", "24"], Mode::Strict).unwrap();
    /// assert_eq!(call.run()?.to_string(), "(3,2):(2,12)");
    /// # Ok::<(), razorgirl_protocol::Refusal>(())
    /// ```
    pub fn from_notation<S: AsRef<str>>(name: &str, arguments: &[S], mode: Mode) -> Result<Self, BadArgument> {
        let whole = |refusal| BadArgument { place: None, refusal: Box::new(refusal) };
        let op = Op::find(name).map_err(whole)?;
        let texts: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
        Self::of_texts(op, &texts, mode).map_err(|mut bad| {
            if bad.place.is_some() {
                bad.refusal.help.extend(refit::help(op, &texts, mode));
            }
            bad
        })
    }

    /// Reads arguments in CuTe notation, in the given order.
    pub(crate) fn of_texts(op: &'static Op, texts: &[&str], mode: Mode) -> Result<Self, BadArgument> {
        let whole = |refusal| BadArgument { place: None, refusal: Box::new(refusal) };
        op.check_mode(mode).map_err(whole)?;
        let form = op.form(texts.len()).map_err(whole)?;
        let mut read = Vec::with_capacity(texts.len());
        for (place, text) in texts.iter().enumerate() {
            let parameter = form.parameter(place).ok_or_else(|| whole(crate::table::mismatch()))?;
            let argument = parameter.kind.read_notation(text);
            read.push(argument.map_err(|refusal| BadArgument { place: Some(place), refusal: Box::new(refusal) })?);
        }
        Self::settled(op, form, read, mode)
    }

    /// The call of these arguments. Where a layout is swizzled or of coordinates, the operation answers that does so of such
    /// layouts; where there is none, the layout is refused.
    fn settled(
        op: &'static Op,
        form: &'static Form,
        arguments: Vec<Argument>,
        mode: Mode,
    ) -> Result<Self, BadArgument> {
        let expected = |form: &Form, place: usize| form.parameter(place).map(|parameter| parameter.kind);
        let misfit =
            arguments.iter().enumerate().find(|(place, argument)| expected(form, *place) != Some(argument.kind()));
        let Some((place, met)) = misfit else { return Ok(Self { op, form, arguments, mode }) };
        for other in op.also.iter().filter_map(|name| Op::named(name)) {
            let Ok(form) = other.form(arguments.len()) else { continue };
            let becomes = |(place, argument): (usize, &Argument)| argument.clone().becoming(expected(form, place)?);
            if let Some(arguments) = arguments.iter().enumerate().map(becomes).collect() {
                other.check_mode(mode).map_err(|refusal| BadArgument { place: None, refusal: Box::new(refusal) })?;
                return Ok(Self { op: other, form, arguments, mode });
            }
        }
        // the last such argument: an operation of the family may take one before it
        let last = || arguments.iter().rposition(|argument| argument.kind() == met.kind());
        let place = if op.also.is_empty() { place } else { last().unwrap_or(place) };
        let kind = expected(form, place).unwrap_or(Kind::Layout);
        let refusal = match met {
            Argument::Swizzled(_) => another_kind(kind, &SWIZZLED, place + 1),
            Argument::Coordinates(_) => another_kind(kind, &COORDINATES, place + 1),
            _ => Refusal::new(Code::Parse, format!("argument {}: expected {}", place + 1, kind.expects())),
        };
        Err(BadArgument { place: Some(place), refusal: Box::new(refusal) })
    }

    /// An operation on arguments that are at hand.
    ///
    /// # Errors
    /// [`Code::Arity`] or [`Code::Parse`] where the operation takes others, or has no such mode.
    pub fn new(op: &'static Op, arguments: Vec<Argument>, mode: Mode) -> Result<Self, Refusal> {
        op.check_mode(mode)?;
        let form = op.form(arguments.len())?;
        Self::settled(op, form, arguments, mode).map_err(|bad| *bad.refusal)
    }

    /// The operation.
    #[must_use]
    pub const fn op(&self) -> &'static Op {
        self.op
    }

    /// The arguments.
    #[must_use]
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }

    /// The mode.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Answers it.
    ///
    /// # Errors
    /// The refusal of the operation, with requests near this one that are answered.
    pub fn run(&self) -> Outcome {
        self.answer().map_err(|refusal| refusal.of(self))
    }

    /// Answers it by the function that is extracted from Lean, if there is one for these arguments and this mode.
    ///
    /// # Errors
    /// A refusal with the code that the function gives.
    ///
    /// ```
    /// use razorgirl_protocol::{Call, Mode};
    ///
    /// let call = Call::from_notation("coalesce", &["(2,(1,6)):(1,(6,2))"], Mode::Strict).unwrap();
    /// assert_eq!(call.run_extracted(), Some(call.run()));
    /// let call = Call::from_notation("rank", &["(2,6)"], Mode::Strict).unwrap();
    /// assert_eq!(call.run_extracted(), None);
    /// ```
    #[must_use]
    pub fn run_extracted(&self) -> Option<Outcome> {
        let asked = self.mode == Mode::Strict || self.op.idle.contains(&self.mode);
        asked.then(|| extracted::run(self.op.name, &self.arguments)).flatten()
    }

    /// The answer, or an error without suggestions; [`Refusal::of`] adds them.
    ///
    /// # Errors
    /// The refusal of the operation.
    pub fn answer(&self) -> Outcome {
        (self.form.run)(&self.arguments, self.mode)
    }

    /// The request as a JSON object without `id`.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let arguments: Vec<serde_json::Value> = self.arguments.iter().map(Argument::to_json).collect();
        let mut request = serde_json::json!({"op": self.op.name, "args": arguments});
        if self.mode != Mode::Strict {
            request["mode"] = self.mode.name().into();
        }
        request
    }
}

/// As it is typed behind `razorgirl op`.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.op.name)?;
        for argument in &self.arguments {
            let text = argument.to_string();
            // what a shell would read as something else
            if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:-.,".contains(&byte)) {
                write!(f, " {text}")?;
            } else {
                write!(f, " '{text}'")?;
            }
        }
        if self.mode != Mode::Strict {
            write!(f, " --mode {}", self.mode.name())?;
        }
        Ok(())
    }
}

impl Argument {
    /// The same as an argument of this kind: a layout is a swizzled one that nothing swizzles, and one of coordinates that are
    /// integers.
    fn becoming(self, kind: Kind) -> Option<Self> {
        match (kind, self) {
            (Kind::Swizzled, Self::Layout(layout)) => Some(Self::Swizzled(layout.into())),
            (Kind::Coordinates, Self::Layout(layout)) => Some(Self::Coordinates(Box::new(layout.into()))),
            (kind, argument) => (argument.kind() == kind).then_some(argument),
        }
    }

    /// Which kind it is of.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Layout(_) => Kind::Layout,
            Self::ShapeOf(_) => Kind::ShapeOf,
            Self::Modes(_) => Kind::Modes,
            Self::Shape(_) => Kind::Shape,
            Self::Strides(_) => Kind::Strides,
            Self::Numbers(_) => Kind::Numbers,
            Self::Order(_) => Kind::Order,
            Self::Coord(_) => Kind::Coord,
            Self::Profile(_) => Kind::Profile,
            Self::Tiler(_) => Kind::Tiler,
            Self::Index(_) => Kind::Index,
            Self::Rank(_) => Kind::Rank,
            Self::Count(_) => Kind::Count,
            Self::Cotarget(_) => Kind::Cotarget,
            Self::Places(_) => Kind::Places,
            Self::Values(_) => Kind::Values,
            Self::Sizes(_) => Kind::Sizes,
            Self::Integer(_) => Kind::Integer,
            Self::Division(_) => Kind::Division,
            Self::Truncation(_) => Kind::Truncation,
            Self::Choice(_) => Kind::Choice,
            Self::Schedule(_) => Kind::Schedule,
            Self::Expr(_) => Kind::Expr,
            Self::Ranges(_) => Kind::Ranges,
            Self::Linear(_) => Kind::Linear,
            Self::Bases(_) => Kind::Bases,
            Self::Dims(_) => Kind::Dims,
            Self::Dim(_) => Kind::Dim,
            Self::Names(_) => Kind::Names,
            Self::Points(_) => Kind::Points,
            Self::Pow2(_) => Kind::Pow2,
            Self::Truth(_) => Kind::Truth,
            Self::Swizzled(_) => Kind::Swizzled,
            Self::Coordinates(_) => Kind::Coordinates,
            Self::Written(_) => Kind::Written,
            Self::FinMap(_) => Kind::FinMap,
            Self::TupleMorphism(_) => Kind::TupleMorphism,
            Self::NestMorphism(_) => Kind::NestMorphism,
            Self::Relation(_) => Kind::Relation,
            Self::ShapeOrStride(_) => Kind::ShapeOrStride,
            Self::Language(_) => Kind::Language,
        }
    }

    /// The argument in a request.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        use razorgirl::{Layout, Literal, Tiler};
        use serde_json::{Value, json};

        fn of(value: impl serde::Serialize) -> Value {
            // numbers, lists and objects with names: nothing that could fail
            serde_json::to_value(value).unwrap_or(Value::Null)
        }
        fn nested<T: Copy + Default>(tuple: &razorgirl::HTuple<T>, leaf: &impl Fn(T) -> Value) -> Value {
            match tuple.leaves() {
                [value] if tuple.is_leaf() => leaf(*value),
                _ => Value::Array(tuple.modes().map(|mode| nested(&mode, leaf)).collect()),
            }
        }
        fn layout(layout: &Layout) -> Value {
            of(ShapeStride(layout))
        }
        fn tiler(of: &Tiler) -> Value {
            match of {
                Tiler::Keep => Value::Null,
                Tiler::Layout(tile) => layout(tile),
                Tiler::Modes(modes) => Value::Array(modes.iter().map(tiler).collect()),
            }
        }
        match self {
            Self::Layout(value) | Self::Modes(Modes::Layout(value)) => layout(value),
            Self::ShapeOf(shape) | Self::Modes(Modes::Shape(shape)) | Self::Shape(shape) => of(Nested(shape.extents())),
            Self::Strides(strides) => nested(strides, &|stride| match stride {
                Literal::Fits(stride) => stride.into(),
                _ => json!(u128::from(u64::MAX) + 1),
            }),
            Self::Numbers(tuple) | Self::Order(tuple) => of(Nested(tuple)),
            Self::Coord(coord) => nested(coord, &|entry| entry.map_or(Value::Null, Value::from)),
            Self::Profile(profile) => {
                let zeros = vec![0_u64; profile.leaf_count()];
                razorgirl::IntTuple::nested(&zeros, profile).map_or(Value::Null, |tuple| of(Nested(&tuple)))
            }
            Self::Tiler(value) => tiler(value),
            Self::Index(n) | Self::Count(n) | Self::Pow2(n) => json!(n),
            Self::Rank(rank) => json!(rank),
            Self::Cotarget(n) => json!(n),
            Self::Places(places) => json!(places),
            Self::Values(Values::Offsets(values)) | Self::Sizes(values) => json!(values),
            Self::Values(Values::Digits(values)) => {
                values.iter().map(|digits| serde_json::from_str(digits).unwrap_or(Value::Null)).collect()
            }
            Self::Integer(n) => json!(n),
            Self::Division(division) => json!(division.name()),
            Self::Truncation(kind) => json!(truncation_name(*kind)),
            Self::Choice(choice) => json!(u8::from(*choice)),
            Self::Schedule(schedule) => json!(schedule.to_string()),
            Self::Expr(expr) => expr_to_json(expr),
            Self::Ranges(ranges) => ranges_to_json(ranges),
            Self::Linear(layout) => of(LinearJson(layout)),
            Self::Bases(bases) => json!(bases),
            Self::Dims(dims) => json!(sizes(dims)),
            Self::Dim(name) => json!(name),
            Self::Names(names) => json!(names),
            Self::Points(points) => points.iter().map(|point| of(PointJson(point))).collect(),
            Self::Truth(truth) => json!(truth),
            Self::Swizzled(layout) => of(Composed(layout)),
            Self::Coordinates(layout) => of(OfCoordinates(layout)),
            Self::Written(layout) => of(WrittenJson(layout)),
            Self::FinMap(map) => of(FinJson(map)),
            Self::TupleMorphism(f) => of(TupleJson(f)),
            Self::NestMorphism(f) => of(NestJson(f)),
            Self::Relation(Mapping::Pairs(relation)) => json!(relation.pairs()),
            Self::Relation(Mapping::Layout(layout)) => of(Composed(layout)),
            Self::Relation(Mapping::Linear(layout)) => of(LinearJson(layout)),
            Self::ShapeOrStride(ShapeOrStride::Shape(shape)) => json!({"shape": of(Nested(shape.extents()))}),
            Self::ShapeOrStride(ShapeOrStride::Stride(stride)) => json!({"stride": of(Nested(stride))}),
            Self::Language(language) => json!(language.name()),
        }
    }
}
