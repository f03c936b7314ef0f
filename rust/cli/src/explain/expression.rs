//! What is to be explained: operations of the protocol on CuTe notation, one in another.

use crate::failure::Failure;
use crate::notation;
use serde_json::Value;

/// An operation with its arguments, or a value.
#[derive(Debug)]
pub enum Expression {
    /// `name(argument, …)`
    Call(String, Vec<Expression>),
    /// a layout, a tiler, a shape, a coordinate or an integer
    Value(Value),
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
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_call {
            return notation::argument(text).map(Self::Value).map_err(|error| Failure::usage(error, text));
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
