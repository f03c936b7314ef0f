//! One line in, one line out.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::value::RawValue;

use crate::code::{Code, Refusal};
use crate::request::{Request, nesting};
use crate::value::{Unread, read};
use crate::write::{Answer, line as answer_line};
use crate::{MAX_LINE, ops};

/// Deeper than any request is whose tuples are nested at most 64 deep: three brackets more are around them.
const MAX_NESTING: usize = razorgirl::MAX_DEPTH + 3;

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
    answer_start(line, line.len() > MAX_LINE)
}

/// Answers a line of which this is the start, and all unless it is too long.
pub(crate) fn answer_start(line: &[u8], too_long: bool) -> String {
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
        Err(unless_too_deep(line, Refusal::new(Code::Parse, format!("byte {} is not UTF-8", text.len()))))
    } else if let Err(error) = parsed {
        Err(unless_too_deep(line, Refusal::new(Code::Parse, error.to_string())))
    } else {
        catch_unwind(AssertUnwindSafe(|| outcome(&request)))
            .unwrap_or_else(|_| Err(Refusal::internal("the operation panicked")))
    };
    answer_line(request.id.map_or("null", RawValue::get), &outcome)
}

fn outcome(request: &Request) -> Result<Answer, Refusal> {
    let name: Option<String> = request.op.and_then(|op| serde_json::from_str(op.get()).ok());
    let args = match request.args {
        Some(args) => match read(args.get()) {
            Ok(args) => Ok(args),
            Err(Unread::TooDeep(error)) => Err(error.into()),
            Err(Unread::NotAnArray) => {
                let refusal = Refusal::new(Code::Parse, "`args` is not an array");
                Err(unless_too_deep(args.get().as_bytes(), refusal))
            }
        },
        None if name.as_deref().is_some_and(ops::takes_nothing) => Ok(Vec::new()),
        None => Err(Refusal::new(Code::Parse, "there is no `args`")),
    };
    let args = args?;
    let Some(name) = name else {
        return Err(Refusal::new(
            Code::Parse,
            if request.op.is_some() { "`op` is not a string" } else { "there is no `op`" },
        )
        .with_help("a request is {\"id\":1,\"op\":\"size\",\"args\":[[4,2]]}"));
    };
    ops::run(&name, args, request)
}

/// This refusal, unless the nesting is to blame first.
fn unless_too_deep(text: &[u8], refusal: Refusal) -> Refusal {
    let depth = nesting(text);
    if depth <= MAX_NESTING {
        return refusal;
    }
    Refusal::new(Code::TooLarge, format!("brackets nested {depth} deep; tuples may be nested {}", razorgirl::MAX_DEPTH))
        .with_help("flatten the inner modes")
}
