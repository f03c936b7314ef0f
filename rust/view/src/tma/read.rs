//! From JSON or flags to a descriptor, every mistake with its place.

use super::Question;
use crate::failure::Failure;
use razorgirl::SwizzledLayout;
use razorgirl::tma::{DataType, Descriptor, Fill, Interleave, Swizzle};
use razorgirl_protocol::{Argument, ElementType, Kind};
use serde_json::Value;

/// The names that a file may use.
const NAMES: [&str; 10] =
    ["dims", "box", "element_strides", "strides", "dtype", "swizzle", "interleave", "fill", "address", "smem"];

fn refused(code: &str, message: String, help: impl Into<String>) -> Failure {
    Failure::Unreadable { code: code.into(), message, help: vec![help.into()] }
}

/// A list of integers from a flag.
///
/// # Errors
/// An entry that is not an integer.
pub fn list(name: &str, text: &str) -> Result<Value, Failure> {
    let words = text.trim().trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
    if words.trim().is_empty() {
        return Ok(Value::Array(vec![]));
    }
    words
        .split(',')
        .enumerate()
        .map(|(i, word)| {
            let word = word.trim();
            let digits = word.strip_prefix('-').unwrap_or(word);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                let message = format!("--{}: entry {i} is '{word}', not an integer", name.replace('_', "-"));
                return Err(refused("parse", message, "write integers apart by commas: 64,16"));
            }
            Ok(Value::Number(serde_json::Number::from_string_unchecked(word.to_owned())))
        })
        .collect::<Result<_, _>>()
        .map(Value::Array)
}

/// An address, decimal or with `0x`.
///
/// # Errors
/// Text that is not an address below 2^64.
pub fn address(text: &str) -> Result<Value, Failure> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    number
        .map(Value::from)
        .ok_or_else(|| refused("parse", format!("--address: '{text}' is not an address"), "write 0x7f0000000010 or 16"))
}

/// The question that an object asks.
pub(super) fn question(value: &Value) -> Result<Question, Failure> {
    let Some(object) = value.as_object() else {
        return Err(refused("parse", "the file holds no JSON object".into(), "write {\"dims\":[…],\"box\":[…]}"));
    };
    if let Some(name) = object.keys().find(|name| !NAMES.contains(&name.as_str())) {
        return Err(refused(
            "parse",
            format!("'{name}' is no name of a tensor map"),
            format!("use {}", NAMES.join(", ")),
        ));
    }
    let list = |name: &str| object.get(name).map(|value| numbers(name, value)).transpose();
    let missing =
        |name: &str| refused("arity", format!("'{name}' is missing"), format!("add \"{name}\":[…], innermost first"));
    let sizes = list("dims")?.ok_or_else(|| missing("dims"))?;
    let boxes = list("box")?.ok_or_else(|| missing("box"))?;
    let steps = list("element_strides")?.unwrap_or_else(|| vec![1; sizes.len()]);
    let strides = list("strides")?;
    let data_type = data_type(object.get("dtype"))?;
    let mut descriptor = Descriptor::new(&sizes, &boxes, &steps, strides.as_deref(), data_type)?;
    descriptor.swizzle = named(object, "swizzle", "none", &Swizzle::ALL, Swizzle::name)?;
    descriptor.interleave = named(object, "interleave", "none", &Interleave::ALL, Interleave::name)?;
    descriptor.fill = named(object, "fill", "zero", &Fill::ALL, Fill::name)?;
    descriptor.address = match object.get("address") {
        None => None,
        Some(value) => Some(number("address", value)?),
    };
    let smem = object.get("smem").map(layout).transpose()?;
    Ok(Question { descriptor, smem })
}

fn numbers(name: &str, value: &Value) -> Result<Vec<u64>, Failure> {
    let Some(items) = value.as_array() else {
        return Err(refused("parse", format!("'{name}' is {value}, not a list"), format!("write \"{name}\":[64,16]")));
    };
    items.iter().enumerate().map(|(i, item)| number(&format!("{name}[{i}]"), item)).collect()
}

fn number(place: &str, value: &Value) -> Result<u64, Failure> {
    let text = value.to_string();
    if let Some(number) = value.as_u64() {
        return Ok(number);
    }
    let digits = text.strip_prefix('-').unwrap_or(&text);
    if !value.is_number() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(refused(
            "parse",
            format!("{place} is {text}, not an integer"),
            "write an integer without fraction",
        ));
    }
    if text.starts_with('-') {
        let code = if place.starts_with("strides") { "stride" } else { "extent" };
        return Err(refused(code, format!("{place} is {text}, below 0"), "sizes, boxes and strides are not negative"));
    }
    Err(refused("overflow", format!("{place} is {text}, 2^64 or more"), "the hardware has no numbers of that size"))
}

/// The type of the elements: 32-bit floats unless another is named.
fn data_type(value: Option<&Value>) -> Result<DataType, Failure> {
    let word = match value {
        None => return Ok(DataType::F32),
        Some(Value::String(word)) => word.as_str(),
        Some(other) => {
            return Err(refused("parse", format!("'dtype' is {other}, not a name"), "write \"dtype\":\"f16\""));
        }
    };
    let element = ElementType::named(word).map_err(|refusal| Failure::usage(refusal, word))?;
    element.tensor_map.ok_or_else(|| {
        let message = format!("a tensor map has no elements of {} bits", element.bits);
        let known: Vec<_> = DataType::ALL.map(DataType::name).to_vec();
        refused("parse", message, format!("copy them as elements of another type: {}", known.join(", ")))
    })
}

fn named<T: Copy>(
    object: &serde_json::Map<String, Value>,
    field: &str,
    default: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, Failure> {
    let value = object.get(field);
    let word = match value {
        None => default.to_owned(),
        Some(Value::String(word)) => word.to_lowercase(),
        Some(other) => other.to_string(),
    };
    let word = word.strip_suffix('b').filter(|bytes| bytes.parse::<u64>().is_ok()).unwrap_or(&word).to_owned();
    let plain = |n: &'static str| n.strip_suffix('B').unwrap_or(n);
    all.iter().copied().find(|&one| plain(name(one)) == word).ok_or_else(|| {
        let known: Vec<_> = all.iter().map(|&one| name(one)).collect();
        let given = value.map_or(default.to_owned(), |value| value.as_str().map_or(value.to_string(), str::to_owned));
        refused("parse", format!("'{given}' is no {field}"), format!("use {}", known.join(", ")))
    })
}

fn layout(value: &Value) -> Result<SwizzledLayout, Failure> {
    let wrong = |message: &str| refused("parse", format!("smem: {message}"), "write '((64,8),4):((1,64),512)'");
    match value {
        Value::String(text) => text.parse().map_err(|error| Failure::usage(error, text)),
        Value::Object(object) if object.contains_key("swizzle") => {
            match Kind::Swizzled.read_json(&value.to_string(), 1).map_err(|refusal| wrong(&refusal.message))? {
                Argument::Swizzled(layout) => Ok(layout),
                _ => Err(wrong("no layout")),
            }
        }
        other => razorgirl_protocol::layout_from_json(&other.to_string())
            .map(SwizzledLayout::from)
            .map_err(|refusal| wrong(&refusal.message)),
    }
}
