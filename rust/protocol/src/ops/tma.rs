//! The copy engine.

use serde_json::Value;

use crate::code::{Code, Refusal};
use crate::operand::Operand;
use crate::schedule::numbers;
use crate::write::{Answer, put, put_list};

use super::{Options, Outcome};

pub(super) fn fttc(_: &[Operand], options: &Options) -> Outcome {
    let args = options.values()?;
    let list = |place: usize, name: &str| match args.get(place) {
        Some(Value::Array(list)) => numbers(list, name, Code::Extent),
        _ => Err(Refusal::new(Code::Parse, format!("argument {}: expected a list of integers", place + 1))
            .with_help("give sizes, boxes and element strides as lists, innermost first")),
    };
    let (sizes, boxes) = (list(0, "sizes")?, list(1, "boxes")?);
    let verdict = razorgirl::tma::fttc(&sizes, &boxes, &list(2, "element_strides")?)?;
    Ok(Answer::write(|text| {
        text.push_str("{\"strong\":");
        put(text, verdict.is_strong());
        text.push_str(",\"violations\":");
        put_list(text, &verdict.violations, put);
        text.push('}');
    }))
}
