//! What is to be explained: operations of the protocol on CuTe notation, one in another.

use crate::failure::Failure;
use crate::notation;
use razorgirl::Tiler;
use razorgirl_protocol::{Argument, Call, Kind, Mode, Modes, Op, Output};

/// An operation with its arguments, or a value.
#[derive(Debug)]
pub enum Expression {
    /// `name(argument, …)`
    Call(String, Vec<Expression>),
    /// a layout, a tiler, a shape, a coordinate or an integer, as the operation around it reads it
    Text(String),
}

/// Nesting that is read at most.
const DEPTH: usize = 32;

impl Expression {
    /// Reads `name(argument, …)`.
    pub fn read(text: &str) -> Result<Self, Failure> {
        Self::nested(text, DEPTH)
    }

    fn nested(text: &str, depth: usize) -> Result<Self, Failure> {
        let text = text.trim();
        let name = text.split('(').next().unwrap_or_default().trim_end();
        let is_call = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && (text.len() > name.len() || Op::named(name).is_some());
        if !is_call {
            return Ok(Self::Text(text.to_owned()));
        }
        let Some(arguments) =
            text.get(name.len()..).map(str::trim).and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'))
        else {
            return Err(unreadable(format!("{name} wants its arguments in brackets"), name));
        };
        if depth == 0 {
            return Err(unreadable(format!("operations are nested more than {DEPTH} deep"), name));
        }
        let arguments = if arguments.trim().is_empty() { vec![] } else { notation::split(arguments, ',') };
        let arguments = arguments.into_iter().map(|text| Self::nested(text, depth - 1)).collect::<Result<_, _>>()?;
        Ok(Self::Call(name.to_owned(), arguments))
    }
}

fn unreadable(message: String, name: &str) -> Failure {
    Failure::Refused { code: "parse".into(), message, help: vec![format!("write {name}((16):(1), (4):(1))")] }
}

/// What stands in the place of an argument.
#[derive(Debug)]
pub enum Operand<'a> {
    /// As it was typed.
    Text(&'a str),
    /// What an operation answered.
    Output(Output),
}

impl Operand<'_> {
    fn read(&self, kind: Kind) -> Result<Argument, Failure> {
        let text = match self {
            Self::Text(text) => (*text).to_owned(),
            Self::Output(Output::Layout(layout)) => match kind {
                Kind::Layout => return Ok(Argument::Layout(layout.clone())),
                Kind::Modes => return Ok(Argument::Modes(Modes::Layout(layout.clone()))),
                Kind::ShapeOf => return Ok(Argument::ShapeOf(layout.shape())),
                Kind::Tiler => return Ok(Argument::Tiler(Tiler::Layout(layout.clone()))),
                _ => layout.to_string(),
            },
            Self::Output(output) => output.to_string(),
        };
        kind.read_notation(&text).map_err(|refusal| Failure::usage(refusal, &text))
    }
}

/// The operation on these arguments. `composition` takes tilers too, as CuTe's does.
pub fn call(name: &str, given: &[Operand<'_>]) -> Result<Call, Failure> {
    let name = match given {
        [_, tiler] if name == "composition" && by_mode(tiler) => "composition_by_mode",
        _ => name,
    };
    let op = Op::find(name).map_err(|refusal| Failure::usage(refusal, name))?;
    let form = op.forms.iter().find(|form| form.takes(given.len()));
    let read = |(place, given): (usize, &Operand<'_>)| {
        form.and_then(|form| form.parameter(place)).map(|parameter| given.read(parameter.kind))
    };
    let arguments = given.iter().enumerate().filter_map(read).collect::<Result<Vec<_>, _>>()?;
    // a wrong number of arguments is refused here
    Ok(Call::new(op, arguments, Mode::Strict)?)
}

/// Whether it is a tiler of modes, and no layout.
fn by_mode(given: &Operand<'_>) -> bool {
    given.read(Kind::Layout).is_err()
        && given.read(Kind::Tiler).is_ok_and(|tiler| matches!(tiler, Argument::Tiler(Tiler::Modes(_))))
}
