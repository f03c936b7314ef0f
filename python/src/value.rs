//! Python's values as arguments of operations, and their answers as Python's values.

use std::fmt::Write as _;

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyRange, PyString, PyTuple};
use razorgirl::category::WrittenLayout;
use razorgirl::{HTuple, MAX_DEPTH, MAX_MODES, Tiler};
use razorgirl_protocol::{Argument, Kind, MAX_LINE, Modes, Output};

use crate::layout::{CoordLayout, Layout, LinearLayout};
use crate::plain::{is_whole, plain};
use crate::refusal::{raised, too_large};
use crate::swizzled::SwizzledLayout;

/// How deep Python's values are followed: the readers refuse deeper ones, with a word on their own limit.
const DEEPEST: usize = 2 * MAX_DEPTH;

/// The most tuples in one value: one that holds another twice, and so on, has no end otherwise.
const MOST_TUPLES: usize = 4 * MAX_MODES;

/// The argument in `place`, counted from 0.
pub(crate) fn argument(value: &Bound<'_, PyAny>, kind: Kind, place: usize) -> PyResult<Argument> {
    let py = value.py();
    if let Ok(layout) = value.cast_exact::<Layout>() {
        let layout = &layout.get().0;
        match kind {
            Kind::Layout => return Ok(Argument::Layout(layout.clone())),
            Kind::Modes => return Ok(Argument::Modes(Modes::Layout(layout.clone()))),
            Kind::ShapeOf => return Ok(Argument::ShapeOf(layout.shape())),
            Kind::Tiler => return Ok(Argument::Tiler(Tiler::Layout(layout.clone()))),
            Kind::Swizzled => return Ok(Argument::Swizzled(layout.clone().into())),
            Kind::Coordinates => return Ok(Argument::Coordinates(Box::new(layout.clone().into()))),
            Kind::Written => return Ok(Argument::Written(Box::new(WrittenLayout::from(layout)))),
            _ => {}
        }
    }
    if let Ok(text) = value.cast::<PyString>() {
        return kind.read_notation(text.to_str()?).map_err(|refusal| raised(py, refusal, None));
    }
    if let Some(argument) = plain(value, kind) {
        return Ok(argument);
    }
    let mut json = String::new();
    write_json(value, &mut json, 0, &mut { MOST_TUPLES })?;
    kind.read_json(&json, place + 1).map_err(|refusal| raised(py, refusal, None))
}

/// The value as JSON, for the reader of its kind.
// Recursion: no deeper than `DEEPEST`, over no more tuples than `tuples`; no longer than a line of the protocol.
fn write_json(value: &Bound<'_, PyAny>, json: &mut String, depth: usize, tuples: &mut usize) -> PyResult<()> {
    let py = value.py();
    if depth > DEEPEST {
        return Err(too_large(py, format!("a value is nested deeper than {MAX_DEPTH} tuples")));
    }
    if json.len() > MAX_LINE {
        return Err(too_large(py, format!("a value takes more than {MAX_LINE} bytes to write")));
    }
    if value.is_none() || is_whole(value) {
        json.push_str("null");
    } else if let Ok(truth) = value.cast::<PyBool>() {
        json.push_str(if truth.is_true() { "true" } else { "false" });
    } else if let Ok(text) = value.cast::<PyString>() {
        write_text(text.to_str()?, json);
    } else if let Some(output) = known(value) {
        write_output(&output, json);
    } else if value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>() {
        *tuples = tuples
            .checked_sub(1)
            .ok_or_else(|| too_large(py, format!("a value is of more than {MOST_TUPLES} tuples, written out")))?;
        json.push('[');
        for (place, item) in value.try_iter()?.enumerate() {
            if place > 0 {
                json.push(',');
            }
            write_json(&item?, json, depth + 1, tuples)?;
        }
        json.push(']');
    } else if let Ok(fields) = value.cast::<PyDict>() {
        json.push('{');
        for (place, (name, item)) in fields.iter().enumerate() {
            if place > 0 {
                json.push(',');
            }
            write_text(name.cast::<PyString>()?.to_str()?, json);
            json.push(':');
            write_json(&item, json, depth + 1, tuples)?;
        }
        json.push('}');
    } else if value.is_instance_of::<PyFloat>() {
        return Err(PyTypeError::new_err(format!("an integer is expected, not the float {}", value.repr()?)));
    } else if let Some(list) = listed(value)? {
        write_json(&list, json, depth + 1, tuples)?;
    } else {
        write_integer(value, json)?;
    }
    Ok(())
}

/// The list of what is one without being called so: a range, and what lists itself, such as an array or a memoryview.
fn listed<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    let ranges = value.is_instance_of::<PyRange>();
    if !ranges && !value.hasattr(intern!(py, "tolist"))? {
        return Ok(None);
    }
    // scalars of arrays list themselves as a number, and have no length
    let Ok(length) = value.len() else { return Ok(None) };
    // an array of several modes is short and holds much; a number takes a byte to write, and 8 of memory
    let bytes = value.getattr(intern!(py, "nbytes")).and_then(|bytes| bytes.extract::<usize>()).unwrap_or(0);
    if length > MAX_LINE || bytes / 8 > MAX_LINE {
        return Err(too_large(py, format!("a value takes more than {MAX_LINE} bytes to write")));
    }
    if ranges {
        return Ok(Some(PyList::new(py, value.try_iter()?.collect::<PyResult<Vec<_>>>()?)?.into_any()));
    }
    value.call_method0(intern!(py, "tolist")).map(Some)
}

/// What has `__index__`: Python's integers of any size, and those of arrays.
fn write_integer(value: &Bound<'_, PyAny>, json: &mut String) -> PyResult<()> {
    let refused = || {
        let kind = value.get_type().name().map_or_else(|_| "a value".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("{kind} is no integer, tuple, None or layout"))
    };
    let number = value.call_method0("__index__").map_err(|_| refused())?;
    let number = number.cast::<PyInt>()?;
    let written = if let Ok(number) = number.extract::<i64>() {
        write!(json, "{number}")
    } else if let Ok(number) = number.extract::<u64>() {
        write!(json, "{number}")
    } else {
        // Beyond 64 bits only the sign and the size class matter to the readers, but for values of functions; a number with
        // more digits than Python writes is refused by Python.
        write!(json, "{}", number.str()?.to_str()?)
    };
    written.map_err(|_| refused())
}

/// A string as JSON.
fn write_text(text: &str, json: &mut String) {
    json.push_str(&serde_json::Value::from(text).to_string());
}

fn write_output(output: &Output, json: &mut String) {
    // Writing numbers into a string does not fail; the reader refuses what is empty.
    json.push_str(&serde_json::to_string(output).unwrap_or_default());
}

/// A value of a class of this module.
fn known(value: &Bound<'_, PyAny>) -> Option<Output> {
    if let Ok(layout) = value.cast::<Layout>() {
        return Some(layout.get().0.clone().into());
    }
    if let Ok(layout) = value.cast::<SwizzledLayout>() {
        return Some(layout.get().0.clone().into());
    }
    if let Ok(layout) = value.cast::<CoordLayout>() {
        return Some(layout.get().0.clone().into());
    }
    value.cast::<LinearLayout>().ok().map(|layout| layout.get().0.clone().into())
}

/// An integer with a sign: Python makes one of 128 bits of its halves, which takes ten times as long.
struct Integer(i128);

impl<'py> IntoPyObject<'py> for Integer {
    type Target = PyInt;
    type Output = Bound<'py, PyInt>;
    type Error = std::convert::Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        match i64::try_from(self.0) {
            Ok(number) => number.into_pyobject(py),
            Err(_) => self.0.into_pyobject(py),
        }
    }
}

/// A nested tuple.
// Recursion: no deeper than the tuple.
pub(crate) fn nested<'py, T>(py: Python<'py>, tuple: &HTuple<T>) -> PyResult<Bound<'py, PyAny>>
where
    T: Copy + Default + IntoPyObject<'py, Output = Bound<'py, PyInt>>,
    PyErr: From<T::Error>,
{
    if tuple.is_leaf() {
        return match tuple.leaves() {
            [leaf] => Ok((*leaf).into_pyobject(py)?.into_any()),
            _ => Ok(PyTuple::empty(py).into_any()),
        };
    }
    if tuple.depth() == 1 {
        return Ok(PyTuple::new(py, tuple.leaves().iter().copied())?.into_any());
    }
    let modes = tuple.modes().map(|mode| nested(py, &mode));
    Ok(PyTuple::new(py, modes.collect::<PyResult<Vec<_>>>()?)?.into_any())
}

/// What an operation answers.
// Recursion: lists and named fields of answers are nested as the operation makes them, two or three deep.
pub(crate) fn answer(py: Python<'_>, output: Output) -> PyResult<Bound<'_, PyAny>> {
    Ok(match output {
        Output::None => py.None().into_bound(py),
        Output::Truth(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Output::Natural(number) => number.into_pyobject(py)?.into_any(),
        Output::Integer(number) => number.into_pyobject(py)?.into_any(),
        Output::Layout(layout) => Bound::new(py, Layout(layout))?.into_any(),
        Output::Swizzled(layout) => Bound::new(py, SwizzledLayout(*layout))?.into_any(),
        Output::Coordinates(layout) => Bound::new(py, CoordLayout(*layout))?.into_any(),
        Output::Linear(layout) => Bound::new(py, LinearLayout(layout))?.into_any(),
        Output::Tuple(tuple) => nested(py, &tuple)?,
        Output::Signed(tuple) => nested(py, &tuple)?,
        Output::Naturals(numbers) => PyTuple::new(py, numbers)?.into_any(),
        Output::Integers(numbers) => PyTuple::new(py, numbers.into_iter().map(Integer))?.into_any(),
        Output::Tuples(tuples) => {
            let tuple = |tuple: Vec<i128>| PyTuple::new(py, tuple.into_iter().map(Integer));
            PyTuple::new(py, tuples.into_iter().map(tuple).collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Output::Elements(elements) => PyTuple::new(py, elements)?.into_any(),
        Output::Expr(expr) => PyString::new(py, &expr.to_string()).into_any(),
        Output::Points(points) => {
            let points = points.into_iter().map(|point| {
                let fields = PyDict::new(py);
                for (name, value) in point {
                    fields.set_item(name, value)?;
                }
                Ok(fields)
            });
            PyTuple::new(py, points.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        // strides under extents of 1 count, which a `Layout` does not keep
        Output::Written(layout) => {
            let fields = PyDict::new(py);
            fields.set_item(intern!(py, "shape"), nested(py, layout.shape())?)?;
            fields.set_item(intern!(py, "stride"), nested(py, layout.stride())?)?;
            fields.into_any()
        }
        Output::FinMap(map) => {
            let fields = PyDict::new(py);
            fields.set_item(intern!(py, "m"), map.domain())?;
            fields.set_item(intern!(py, "n"), map.codomain())?;
            fields.set_item(intern!(py, "map"), PyTuple::new(py, map.values())?)?;
            fields.into_any()
        }
        Output::Morphism(morphism) => {
            let fields = PyDict::new(py);
            fields.set_item(intern!(py, "domain"), nested(py, morphism.domain())?)?;
            fields.set_item(intern!(py, "codomain"), nested(py, morphism.codomain())?)?;
            fields.set_item(intern!(py, "map"), PyTuple::new(py, morphism.flat().map().values())?)?;
            fields.into_any()
        }
        Output::Dims(dims) => PyTuple::new(py, dims)?.into_any(),
        Output::Relation(relation) => {
            let side = |numbers: &[i128]| PyTuple::new(py, numbers.iter().copied().map(Integer));
            let pairs = relation.pairs().iter().map(|(input, image)| PyTuple::new(py, [side(input)?, side(image)?]));
            PyTuple::new(py, pairs.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Output::Text(text) => PyString::new(py, &text).into_any(),
        Output::Name(name) => PyString::new(py, name).into_any(),
        Output::Names(names) => PyTuple::new(py, names)?.into_any(),
        Output::List(items) => {
            let items = items.into_iter().map(|item| answer(py, item));
            PyTuple::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Output::Named(fields) => named(py, fields)?.into_any(),
        // `Output` may grow: what this module does not know is shown as it is written.
        other => PyString::new(py, &other.to_string()).into_any(),
    })
}

/// Several values by their names.
pub(crate) fn named<'py>(py: Python<'py>, fields: Vec<(&'static str, Output)>) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (name, value) in fields {
        all.set_item(name, answer(py, value)?)?;
    }
    Ok(all)
}
