//! Linear layouts as the protocol writes them: `{"in":[[dim,[[component per output dimension]…]]…],"out":[[dim,size]…]}`.

use razorgirl::linear_layout::{Bases, Dims, LinearLayout};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

use crate::code::{Code, Refusal};
use crate::schedule::{digits, natural};

fn wrong(message: impl Into<String>, help: impl Into<String>) -> Refusal {
    Refusal::new(Code::Parse, message).with_help(help)
}

fn list<'a>(json: &'a Value, what: &str) -> Result<&'a [Value], Refusal> {
    json.as_array().map(Vec::as_slice).ok_or_else(|| wrong(format!("{what} must be a list"), "write […]"))
}

/// The name of a dimension.
pub(crate) fn name(json: &Value) -> Result<String, Refusal> {
    json.as_str().map(str::to_owned).ok_or_else(|| wrong("the name of a dimension must be a string", "write \"lane\""))
}

/// Names of dimensions.
pub(crate) fn names(json: &Value) -> Result<Vec<String>, Refusal> {
    list(json, "the list of names")?.iter().map(name).collect()
}

/// A size that is a power of two.
pub(crate) fn power(json: &Value) -> Result<u64, Refusal> {
    let size = natural(json, "a size", Code::Extent)?;
    if size.is_power_of_two() {
        return Ok(size);
    }
    let refusal = Refusal::new(Code::Extent, format!("the size {size} must be a power of two"));
    Err(match size.max(1).checked_next_power_of_two() {
        Some(next) => refusal.with_help(format!("use {next}, the next power of two")),
        None => refusal.with_help("use a power of two"),
    })
}

fn pair<'a>(json: &'a Value, what: &str, form: &str) -> Result<(&'a Value, &'a Value), Refusal> {
    match json.as_array().map(Vec::as_slice) {
        Some([first, second]) => Ok((first, second)),
        _ => Err(wrong(format!("{what} must be a pair"), format!("write {form}"))),
    }
}

fn sized(json: &Value) -> Result<Vec<(String, u64)>, Refusal> {
    let read = |dim: &Value| {
        let (own, size) = pair(dim, "a dimension", "[\"row\",4]")?;
        Ok((name(own)?, natural(size, "a size", Code::Extent)?))
    };
    list(json, "the list of dimensions")?.iter().map(read).collect()
}

/// Named dimensions with their sizes.
pub(crate) fn dims(json: &Value) -> Result<Dims, Refusal> {
    Ok(Dims::new(sized(json)?)?)
}

/// Input dimensions with their bases.
pub(crate) fn bases(json: &Value) -> Result<Vec<Bases>, Refusal> {
    let component = |value: &Value| natural(value, "a component of a basis", Code::OutOfDomain);
    let row = |row: &Value| list(row, "a basis")?.iter().map(component).collect();
    let read = |dim: &Value| {
        let (own, rows) = pair(dim, "an input dimension", "[\"lane\",[[1,0],[0,1]]]")?;
        let rows = list(rows, "the list of bases")?.iter().map(row).collect::<Result<_, Refusal>>()?;
        Ok((name(own)?, rows))
    };
    list(json, "the list of input dimensions")?.iter().map(read).collect()
}

/// A linear layout from its two fields.
pub(crate) fn layout(ins: &Value, outs: &Value) -> Result<LinearLayout, Refusal> {
    Ok(LinearLayout::new(&bases(ins)?, sized(outs)?)?)
}

/// A coordinate: an integer from -2^63 to 2^64-1, kept modulo 2^64, of which no dimension has more values.
fn coordinate(json: &Value) -> Result<u64, Refusal> {
    let text = digits(json).ok_or_else(|| wrong("a coordinate must be an integer", "write an integer"))?;
    let signed = || text.parse::<i64>().map(i64::cast_unsigned);
    text.parse().or_else(|_| signed()).map_err(|_| {
        Refusal::new(Code::Overflow, "a coordinate does not fit into 64 bits")
            .with_help("write an integer from -2^63 to 2^64-1")
    })
}

/// Points: objects with a number for each name.
pub(crate) fn points(json: &Value) -> Result<Vec<Vec<(String, u64)>>, Refusal> {
    let read = |point: &Value| {
        let object =
            point.as_object().ok_or_else(|| wrong("a point must be an object", r#"write {"lane":3,"warp":0}"#))?;
        object.iter().map(|(name, x)| Ok((name.clone(), coordinate(x)?))).collect()
    };
    list(json, "the list of points")?.iter().map(read).collect()
}

/// Names and sizes.
pub(crate) fn sizes(dims: &Dims) -> Vec<(&str, u64)> {
    dims.iter().map(|(name, bits)| (name, 1 << bits)).collect()
}

/// A linear layout as JSON.
pub(crate) struct LinearJson<'a>(pub(crate) &'a LinearLayout);

impl Serialize for LinearJson<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        let mut fields = json.serialize_map(Some(2))?;
        fields.serialize_entry("in", &self.0.bases())?;
        fields.serialize_entry("out", &sizes(self.0.outs()))?;
        fields.end()
    }
}

/// A point as JSON.
pub(crate) struct PointJson<'a>(pub(crate) &'a [(String, u64)]);

impl Serialize for PointJson<'_> {
    fn serialize<S: Serializer>(&self, json: S) -> Result<S::Ok, S::Error> {
        json.collect_map(self.0.iter().map(|(name, x)| (name, x)))
    }
}
