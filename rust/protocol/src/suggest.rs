//! What could be asked instead of a request that is refused.
//!
//! The library suggests calls of its own functions, each of which it has run. Here a suggestion becomes a request in the
//! user's form: of the operation that was asked, with the arguments that it takes and the mode that was given. That
//! request is run again, and told only if it is answered as the suggestion says.

use razorgirl::{Argument as Value, Suggestion as Near, Tiler};

use crate::answer::Answer;
use crate::call::Call;
use crate::kind::{Argument, Kind, Modes};
use crate::mode::Mode;
use crate::table::Op;

/// Suggestions that are run for one refusal at most.
const MOST: usize = 8;
/// Bytes of the longest request that is suggested: a refusal stays short, however long what it refuses is.
const LONGEST: usize = 1000;

/// A request similar to one that failed. It was run, and has a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The request.
    pub call: Call,
    /// What it changes, and its result: the sentence in the help of the error.
    pub words: String,
}

/// Those of the library's suggestions that hold for a call.
pub(crate) fn verified(call: &Call, near: &[Near]) -> Vec<Suggestion> {
    near.iter().take(MOST).filter_map(|near| suggested(call, near)).collect()
}

fn suggested(call: &Call, near: &Near) -> Option<Suggestion> {
    let (op, mode) = near.operation().map_or(Some((call.op(), call.mode())), operation)?;
    let mut arguments = call.arguments().to_vec();
    for replacement in near.replacements() {
        let place = place(call, replacement.position)?;
        let argument = arguments.get_mut(place)?;
        *argument = converted(argument.kind(), &replacement.value)?;
    }
    let suggested = Call::new(op, arguments, mode).ok()?;
    if suggested.to_json().to_string().len() > LONGEST {
        return None;
    }
    let answer = suggested.answer().ok()?;
    claims(near, &answer).then(|| Suggestion { words: words(&suggested, near), call: suggested })
}

/// The operation and the mode that a function of the library stands for.
fn operation(function: &str) -> Option<(&'static Op, Mode)> {
    let named = |name: &str| {
        let by_mode = format!("{name}_mode");
        [name, by_mode.as_str(), name.trim_end_matches("_by"), name.trim_end_matches("_in")]
            .into_iter()
            .find_map(Op::named)
    };
    if let Some(op) = named(function) {
        return Some((op, Mode::Strict));
    }
    Mode::ALL.into_iter().find_map(|mode| {
        let name = function.replacen(&format!("_{}", mode.name()), "", 1);
        Some((named(&name).filter(|op| name != function && op.modes.contains(&mode))?, mode))
    })
}

/// Where the operation takes what is argument `position` of the function. The layout or shape on which a method is called
/// is argument 0; a choice between two functions is none.
fn place(call: &Call, position: usize) -> Option<usize> {
    let kinds: Vec<Kind> = call.arguments().iter().map(Argument::kind).collect();
    let receives = |kind: &Kind| {
        matches!(kind, Kind::Layout | Kind::ShapeOf | Kind::Modes | Kind::Shape | Kind::Swizzled | Kind::Coordinates)
    };
    let receiver = kinds.iter().position(receives)?;
    let others = (0..kinds.len()).filter(|at| *at != receiver && kinds.get(*at) != Some(&Kind::Choice));
    std::iter::once(receiver).chain(others).nth(position)
}

fn converted(kind: Kind, value: &Value) -> Option<Argument> {
    Some(match (kind, value) {
        (Kind::Layout, Value::Layout(layout)) => Argument::Layout(layout.clone()),
        (Kind::Modes, Value::Layout(layout)) => Argument::Modes(Modes::Layout(layout.clone())),
        (Kind::Modes, Value::Shape(shape)) => Argument::Modes(Modes::Shape(shape.clone())),
        (Kind::ShapeOf, Value::Layout(layout)) => Argument::ShapeOf(layout.shape()),
        (Kind::ShapeOf, Value::Shape(shape)) => Argument::ShapeOf(shape.clone()),
        (Kind::Shape, Value::Shape(shape)) => Argument::Shape(shape.clone()),
        (Kind::ShapeOf, Value::Tuple(extents)) => Argument::ShapeOf(razorgirl::Shape::new(extents.clone()).ok()?),
        (Kind::Shape, Value::Tuple(extents)) => Argument::Shape(razorgirl::Shape::new(extents.clone()).ok()?),
        (Kind::Numbers, Value::Tuple(tuple)) => Argument::Numbers(tuple.clone()),
        (Kind::Order, Value::Tuple(tuple)) => Argument::Order(tuple.clone()),
        (Kind::Tiler, Value::Tiler(tiler)) => Argument::Tiler(tiler.clone()),
        (Kind::Tiler, Value::Layout(layout)) => Argument::Tiler(Tiler::Layout(layout.clone())),
        (Kind::Tiler, Value::Integer(n)) => Argument::Tiler(Tiler::integer(*n).ok()?),
        (Kind::Index, Value::Integer(n)) => Argument::Index(*n),
        (Kind::Count, Value::Integer(n)) if *n > 0 => Argument::Count(*n),
        (Kind::Cotarget, Value::Integer(n)) => Argument::Cotarget((*n).into()),
        (Kind::Rank, Value::Integer(n)) => Argument::Rank(usize::try_from(*n).ok()?),
        _ => return None,
    })
}

/// Whether the answer is the one that the suggestion names, which it cuts where it is long.
fn claims(near: &Near, answer: &Answer) -> bool {
    let result = answer.result.to_string();
    match near.answer().strip_suffix('…') {
        Some(start) => result.starts_with(start),
        None => result == near.answer(),
    }
}

/// As the library words it, by the name of the operation.
fn words(call: &Call, near: &Near) -> String {
    let words = near.to_string();
    match near.operation() {
        None => words,
        Some(function) => {
            let mode =
                if call.mode() == Mode::Strict { String::new() } else { format!(" in mode {}", call.mode().name()) };
            words.replacen(function, &format!("{}{mode}", call.op().name), 1)
        }
    }
}
