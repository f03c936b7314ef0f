//! One line in, one line out.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use crate::MAX_LINE;
use crate::answer::{Answer, Output};
use crate::call::Call;
use crate::code::{Code, Refusal};
use crate::extracted::extracted;
use crate::request::Request;
use crate::table::{Op, Outcome, ops};

/// Answers one line of the protocol, whatever it holds: without its line end in, without a line end out.
///
/// It never panics. A fault of an operation is answered with the code `internal`.
///
/// ```
/// use razorgirl_protocol::answer;
///
/// let line = br#"{"id":1,"op":"coalesce","args":[{"shape":[2,[1,6]],"stride":[1,[6,2]]}]}"#;
/// assert_eq!(answer(line), r#"{"id":1,"result":{"shape":12,"stride":1}}"#);
/// ```
#[must_use]
pub fn answer(line: &[u8]) -> String {
    answer_by(line, Engine::Library)
}

/// Answers one line as [`answer`] does, by this engine.
///
/// ```
/// use razorgirl_protocol::{Engine, answer_by};
///
/// let line = br#"{"id":1,"op":"coalesce","args":[{"shape":[2,[1,6]],"stride":[1,[6,2]]}]}"#;
/// assert_eq!(answer_by(line, Engine::Extracted), r#"{"id":1,"result":{"shape":12,"stride":1}}"#);
/// ```
#[must_use]
pub fn answer_by(line: &[u8], engine: Engine) -> String {
    answer_start(line, line.len() > MAX_LINE, engine)
}

/// What answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Engine {
    /// The library.
    #[default]
    Library,
    /// The functions that are extracted from Lean, and the library where there is none. `ops` lists them beside the
    /// operations, as `"extracted"`.
    Extracted,
}

/// Answers a line of which this is the start, and all unless it is too long.
pub(crate) fn answer_start(line: &[u8], too_long: bool, engine: Engine) -> String {
    // What can be read as text, up to the first byte that cannot; an `id` before it is still echoed.
    let line = line.get(..MAX_LINE).unwrap_or(line);
    let (text, whole) = match std::str::from_utf8(line) {
        Ok(text) => (text, true),
        Err(error) => {
            (std::str::from_utf8(line.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default(), false)
        }
    };
    let (request, parsed) = Request::read(text);
    let outcome = if too_long {
        Err(Refusal::new(Code::TooLarge, format!("the line is longer than {MAX_LINE} bytes"))
            .with_help("send fewer offsets at once, or describe the layout by its modes"))
    } else if !whole {
        Err(Refusal::new(Code::Parse, format!("byte {} is not UTF-8", text.len())))
    } else if let Err(error) = parsed {
        Err(Refusal::new(Code::Parse, error.to_string()))
    } else {
        catch_unwind(AssertUnwindSafe(|| outcome(&request, engine)))
            .unwrap_or_else(|_| Err(Refusal::internal("the operation panicked")))
    };
    // An id is echoed as it came. What ends a line stands only between its values, where a space means the same.
    let broken = request.id.filter(|id| id.get().contains(['\n', '\r']));
    let joined = broken.and_then(|id| RawValue::from_string(id.get().replace(['\n', '\r'], " ")).ok());
    let id = joined.as_deref().or(request.id);
    // Names, numbers and text into a string: nothing that could fail.
    serde_json::to_string(&Line { id, outcome: &outcome }).unwrap_or_default()
}

fn outcome(request: &Request, engine: Engine) -> Outcome {
    let (name, arguments, mode) = (request.name()?, request.arguments()?, request.mode()?);
    if name == "ops" {
        return match arguments.len() {
            0 => {
                let all = Answer::new(Output::Names(ops().iter().map(|op| op.name).collect()));
                Ok(match engine {
                    Engine::Library => all,
                    Engine::Extracted => all.beside("extracted", Output::Names(extracted())),
                })
            }
            count => Err(Refusal::new(Code::Arity, format!("ops takes no arguments, not {count}"))),
        };
    }
    let call = Call::from_json(Op::find(&name)?, &arguments, mode)?;
    match engine {
        Engine::Library => call.run(),
        Engine::Extracted => call.run_extracted().unwrap_or_else(|| call.run()),
    }
}

/// A whole answer line, without its line end.
struct Line<'a> {
    id: Option<&'a RawValue>,
    outcome: &'a Outcome,
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        let mut fields = json.serialize_map(None)?;
        fields.serialize_entry("id", &self.id)?;
        match self.outcome {
            Ok(Answer { result, beside }) => {
                fields.serialize_entry("result", result)?;
                beside.iter().try_for_each(|(name, value)| fields.serialize_entry(name, value))?;
            }
            Err(refusal) => fields.serialize_entry("error", refusal)?,
        }
        fields.end()
    }
}
