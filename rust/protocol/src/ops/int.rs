//! Integer division.

use razorgirl::int::{ceil, euclid, trunc};
use serde_json::Value;

use crate::code::{Code, Refusal};
use crate::operand::Operand;
use crate::schedule::integer;
use crate::write::{Answer, put, put_list};

use super::{Options, Outcome};

pub(super) fn div(_: &[Operand], options: &Options) -> Outcome {
    let args = options.values()?;
    let divide = match args.first().and_then(Value::as_str) {
        Some("euclid") => euclid,
        Some("trunc") => trunc,
        Some("ceil") => ceil,
        _ => {
            return Err(Refusal::new(Code::Parse, "argument 1: there is no such division")
                .with_help("the divisions are \"euclid\", \"trunc\" and \"ceil\""));
        }
    };
    let number = |place: usize| integer(args.get(place).unwrap_or(&Value::Null), &format!("argument {}", place + 1));
    let (quotient, remainder) = divide(number(1)?, number(2)?)?;
    Ok(Answer::write(|text| put_list(text, [quotient, remainder], put)))
}
