//! Schedules as the protocol writes them.

use razorgirl::iter_domain::{Schedule, Step, Swizzle};
use serde_json::{Map, Value};

use crate::code::{Code, Refusal};

/// Reads `{"extents":[…],"steps":[…]}`, or a string in the text form.
///
/// # Errors
/// A [`Refusal`] that names the step, from 0, and the field.
///
/// ```
/// let json = serde_json::json!({"extents": [128, 7777], "steps": [{"split": 0, "factor": 32}, {"merge": [1, 2]}]});
/// assert_eq!(razorgirl_protocol::schedule_from_json(&json)?.to_string(), "[128,7777] split(0,32) merge(1,2)");
/// # Ok::<(), razorgirl_protocol::Refusal>(())
/// ```
pub fn schedule_from_json(json: &Value) -> Result<Schedule, Refusal> {
    let object = match json {
        Value::String(text) => return Ok(text.parse::<Schedule>()?),
        Value::Object(object) => object,
        _ => {
            return Err(wrong(
                "a schedule must be an object",
                "write {\"extents\":[128],\"steps\":[{\"split\":0,\"factor\":32}]}",
            ));
        }
    };
    if let Some(name) = object.keys().find(|name| !matches!(name.as_str(), "extents" | "steps")) {
        return Err(wrong(format!("a schedule has no field {}", shown(name)), "its fields are extents and steps"));
    }
    let list = |name: &str| match object.get(name) {
        Some(Value::Array(list)) => Ok(list.as_slice()),
        Some(_) => Err(wrong(format!("{name} must be a list"), format!("write \"{name}\":[…]"))),
        None if name == "steps" => Ok(&[][..]),
        None => Err(wrong(format!("{name} is missing"), format!("write \"{name}\":[…]"))),
    };
    let extents = numbers(list("extents")?, "extents", Code::Extent)?;
    let steps = list("steps")?;
    let mut schedule = Schedule::new(&extents)?;
    for (number, step) in steps.iter().enumerate() {
        let step = read(step).map_err(|mut refusal| {
            refusal.message = format!("step {number}: {}", refusal.message);
            refusal
        })?;
        schedule.push(step)?;
    }
    Ok(schedule)
}

fn wrong(message: impl Into<String>, help: impl Into<String>) -> Refusal {
    Refusal::new(Code::Parse, message).with_help(help)
}

fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The fields of each kind of step; the first names it.
const FORMS: [(&str, &[&str], &str); 6] = [
    ("split", &["factor"], "{\"split\":axis,\"factor\":n}"),
    ("split_outer", &["factor"], "{\"split_outer\":axis,\"factor\":n}"),
    ("merge", &[], "{\"merge\":[outer,inner]}"),
    ("reorder", &[], "{\"reorder\":[old positions]}"),
    ("resize", &["left", "right"], "{\"resize\":axis,\"left\":n,\"right\":n}"),
    ("swizzle", &["axes"], "{\"swizzle\":\"xor\",\"axes\":[x,y]}"),
];

fn read(json: &Value) -> Result<Step, Refusal> {
    let forms = || FORMS.map(|(name, ..)| name).join(", ");
    let Value::Object(fields) = json else {
        return Err(wrong("a step must be an object", format!("a step is one of {}", forms())));
    };
    let Some((name, others, form)) = FORMS.iter().find(|(name, ..)| fields.contains_key(*name)) else {
        return Err(wrong("the object must name a step", format!("a step is one of {}", forms())));
    };
    if let Some(field) = fields.keys().find(|field| field != name && !others.contains(&field.as_str())) {
        return Err(wrong(format!("{name} has no field {}", shown(field)), format!("write {form}")));
    }
    if let Some(field) = others.iter().find(|field| !fields.contains_key(**field)) {
        return Err(wrong(format!("{field} is missing"), format!("write {form}")));
    }
    Ok(match *name {
        "split" => {
            Step::Split { axis: axis(fields, "split")?, factor: natural(&fields["factor"], "factor", Code::Extent)? }
        }
        "split_outer" => Step::SplitOuter {
            axis: axis(fields, "split_outer")?,
            factor: natural(&fields["factor"], "factor", Code::Extent)?,
        },
        "merge" => {
            let (outer, inner) = pair(&fields["merge"], "merge")?;
            Step::Merge { outer, inner }
        }
        "reorder" => {
            let Value::Array(order) = &fields["reorder"] else {
                return Err(wrong("reorder must be a list", format!("write {form}")));
            };
            let order = order.iter().map(|position| position_of(position, "reorder")).collect::<Result<_, _>>()?;
            Step::Reorder { order }
        }
        "resize" => Step::Resize {
            axis: axis(fields, "resize")?,
            left: integer(&fields["left"], "left")?,
            right: integer(&fields["right"], "right")?,
        },
        _ => {
            let kind = fields["swizzle"].as_str().and_then(|name| name.parse::<Swizzle>().ok());
            let kind = kind.ok_or_else(|| wrong("the swizzle is unknown", "use \"xor\", \"cyclic\" or \"zshape\""))?;
            let (x, y) = pair(&fields["axes"], "axes")?;
            Step::Swizzle { kind, x, y }
        }
    })
}

fn axis(fields: &Map<String, Value>, name: &str) -> Result<usize, Refusal> {
    position_of(&fields[name], name)
}

fn pair(json: &Value, name: &str) -> Result<(usize, usize), Refusal> {
    match json.as_array().map(Vec::as_slice) {
        Some([first, second]) => Ok((position_of(first, name)?, position_of(second, name)?)),
        _ => Err(wrong(format!("{name} must be a list of two axes"), format!("write \"{name}\":[0,1]"))),
    }
}

fn position_of(json: &Value, name: &str) -> Result<usize, Refusal> {
    let number = natural(json, name, Code::OutOfDomain)?;
    // an axis that does not fit is not there either
    Ok(usize::try_from(number).unwrap_or(usize::MAX))
}

/// The digits of an integer, with a sign where it has one; `None` for fractions and everything else.
pub(crate) fn digits(json: &Value) -> Option<String> {
    let text = json.is_number().then(|| json.to_string())?;
    text.strip_prefix('-').unwrap_or(&text).bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
}

/// An integer from 0; below it the code that such a number has here.
pub(crate) fn natural(json: &Value, name: &str, below: Code) -> Result<u64, Refusal> {
    natural_of(&digits_of(json, name)?, name, below)
}

fn digits_of(json: &Value, name: &str) -> Result<String, Refusal> {
    digits(json).ok_or_else(|| wrong(format!("{name} must be an integer"), "write an integer"))
}

/// [`natural`] of digits.
pub(crate) fn natural_of(text: &str, name: &str, below: Code) -> Result<u64, Refusal> {
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) if text.starts_with('-') && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) => {
            Err(Refusal::new(below, format!("{name} is {}, below 0", shown(text))).with_help("write an integer from 0"))
        }
        Err(_) if text.starts_with('-') => Ok(0),
        Err(_) => Err(Refusal::new(Code::Overflow, format!("{name} is {}, 2^64 or more", shown(text)))
            .with_help("write an integer below 2^62")),
    }
}

/// An integer of 64 bits with a sign.
pub(crate) fn integer(json: &Value, name: &str) -> Result<i64, Refusal> {
    integer_of(&digits_of(json, name)?, name)
}

/// [`integer`] of digits.
pub(crate) fn integer_of(text: &str, name: &str) -> Result<i64, Refusal> {
    text.parse().map_err(|_| {
        Refusal::new(
            Code::Overflow,
            format!("{name} is {}, which does not fit into a signed 64-bit integer", shown(text)),
        )
        .with_help("write an integer from -2^63 to 2^63-1")
    })
}

/// A list of integers from 0.
pub(crate) fn numbers(list: &[Value], name: &str, below: Code) -> Result<Vec<u64>, Refusal> {
    list.iter().enumerate().map(|(i, item)| natural(item, &format!("{name}[{i}]"), below)).collect()
}
