//! What is to be explained: operations of the protocol on CuTe notation, one in another.

use crate::failure::Failure;
use crate::notation;
use razorgirl::Tiler;
use razorgirl_protocol::{Argument, Call, Code, Kind, Mode, Modes, Op, Output, Refusal};

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
    /// Reads `name(argument, …)`, `A o B`, or a value.
    ///
    /// # Errors
    /// Brackets that do not match, a name without arguments, and operations that are nested too deeply.
    pub fn read(text: &str) -> Result<Self, Failure> {
        matched(text)?;
        Self::nested(text, DEPTH)
    }

    fn nested(text: &str, depth: usize) -> Result<Self, Failure> {
        let text = text.trim();
        if depth == 0 {
            return Err(unreadable(format!("operations are nested more than {DEPTH} deep"), "composition"));
        }
        let factors = factors(text);
        if let [first, rest @ ..] = factors.as_slice()
            && !rest.is_empty()
        {
            if factors.iter().any(String::is_empty) {
                return Err(unreadable(format!("{text}: a layout is missing beside `o`"), "composition"));
            }
            // The innermost comes first, as functions are applied.
            let rest = rest.join(" o ");
            let operands = vec![Self::nested(first, depth - 1)?, Self::nested(&rest, depth - 1)?];
            return Ok(Self::Call("composition".into(), operands));
        }
        let name = text.split('(').next().unwrap_or_default().trim_end();
        let is_call = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name != ARITH_TUPLE
            && (text.len() > name.len() || Op::named(name).is_some());
        if !is_call {
            return Ok(Self::Text(text.to_owned()));
        }
        let Some(arguments) =
            text.get(name.len()..).map(str::trim).and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'))
        else {
            return Err(unreadable(format!("{name} wants its arguments in brackets"), name));
        };
        let arguments = if arguments.trim().is_empty() { vec![] } else { notation::split(arguments, ',') };
        let arguments = arguments.into_iter().map(|text| Self::nested(text, depth - 1)).collect::<Result<_, _>>()?;
        Ok(Self::Call(name.to_owned(), arguments))
    }
}

/// The operands of `A o B o C`. A swizzled layout, `Sw<3,3,3> o 0 o L`, or one of coordinates, `ArithTuple(0,16) o L`, is one of them.
fn factors(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_i64;
    for word in text.split_inclusive(char::is_whitespace) {
        if depth == 0 && matches!(word.trim(), "o" | "∘") {
            parts.push(String::new());
            continue;
        }
        depth += notation::depth_of(word);
        if let Some(last) = parts.last_mut() {
            last.push_str(word);
        }
    }
    let mut parts = parts.into_iter().map(|part| part.trim().to_owned()).peekable();
    let mut factors = vec![];
    while let Some(mut part) = parts.next() {
        if OUTER.iter().any(|word| bare(&part).starts_with(*word)) {
            let offset = parts.next_if(|part| is_offset(part));
            for more in offset.into_iter().chain(parts.next()) {
                part = format!("{part} o {more}");
            }
        }
        factors.push(part);
    }
    factors
}

/// What CuTe prints before a start that is a coordinate.
const ARITH_TUPLE: &str = "ArithTuple";

/// How a layout begins that is written with `o`.
const OUTER: [&str; 4] = ["Sw<", "S<", "Swizzle<", ARITH_TUPLE];

/// A name without its namespace.
fn bare(part: &str) -> &str {
    part.strip_prefix("cute::").unwrap_or(part)
}

/// Whether a part is the offset of a swizzled layout: `0`, `_0{}`, `C<0>`, or a pointer that is not set.
fn is_offset(part: &str) -> bool {
    let part = bare(part);
    let number = part.strip_suffix("{}").unwrap_or(part);
    let digits = number.strip_prefix('_').unwrap_or(number);
    digits.bytes().all(|byte| byte.is_ascii_digit())
        || ["C<", "Int<", "smem_ptr"].iter().any(|word| part.starts_with(*word))
}

/// Refuses brackets that do not match, at the place of the first.
fn matched(text: &str) -> Result<(), Failure> {
    let mut open: Vec<(usize, char)> = vec![];
    let refused = |at: usize, message: String, help: String| {
        let mut refusal = Refusal::new(Code::Parse, message).with_help(help);
        refusal.position = Some(at);
        Err(Failure::usage(refusal, text))
    };
    for (at, bracket, step) in notation::brackets(text) {
        if step > 0 {
            open.push((at, bracket));
            continue;
        }
        match open.pop() {
            Some((_, opened)) if notation::closing(opened) == bracket => {}
            Some((_, opened)) => {
                let wanted = notation::closing(opened);
                return refused(
                    at,
                    format!("expected `{wanted}`, met `{bracket}`"),
                    format!("close `{opened}` with `{wanted}`"),
                );
            }
            None => return refused(at, format!("`{bracket}` closes nothing"), format!("remove this `{bracket}`")),
        }
    }
    match open.pop() {
        None => Ok(()),
        Some((at, opened)) => {
            let wanted = notation::closing(opened);
            refused(at, format!("`{opened}` is not closed"), format!("add the missing `{wanted}`"))
        }
    }
}

fn unreadable(message: String, name: &str) -> Failure {
    Failure::Unreadable { code: "parse".into(), message, help: vec![format!("write {name}((16):(1), (4):(1))")] }
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
    // a wrong number of arguments is wrong usage
    let form = op.form(given.len()).map_err(|refusal| Failure::usage(refusal, name))?;
    let read =
        |(place, given): (usize, &Operand<'_>)| form.parameter(place).map(|parameter| given.read(parameter.kind));
    let arguments = given.iter().enumerate().filter_map(read).collect::<Result<Vec<_>, _>>()?;
    Call::new(op, arguments, Mode::Strict).map_err(|refusal| Failure::usage(refusal, name))
}

/// Whether it is a tiler of modes, and no layout.
fn by_mode(given: &Operand<'_>) -> bool {
    given.read(Kind::Layout).is_err()
        && given.read(Kind::Tiler).is_ok_and(|tiler| matches!(tiler, Argument::Tiler(Tiler::Modes(_))))
}
