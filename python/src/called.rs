//! Layouts as functions: what `L(…)` and `L[…]` do, of plain and of swizzled layouts.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};
use razorgirl::Coord;
use razorgirl_protocol::{Argument, Kind};

use crate::plain::coord;
use crate::refusal::raised_by;
use crate::value::argument;

/// A layout that Python calls with an index or a coordinate.
pub(crate) trait Called {
    /// The offset of a linear index.
    fn offset_at(&self, index: u64) -> razorgirl::Result<u64>;

    /// The offset of a coordinate, or the layout of the modes that it keeps.
    fn called<'py>(&self, py: Python<'py>, coord: &Coord) -> PyResult<Bound<'py, PyAny>>;

    /// ``L[value]``.
    fn item<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        if let Some(coord) = coord(value) {
            return self.called(py, &coord);
        }
        match argument(value, Kind::Coord, 0)? {
            Argument::Coord(coord) => self.called(py, &coord),
            _ => Err(PyTypeError::new_err("a coordinate is expected")),
        }
    }

    /// ``L(*coordinate)``: an index is the most frequent argument, and the fastest.
    fn call<'py>(&self, coordinate: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let py = coordinate.py();
        if coordinate.len() != 1 {
            return self.item(coordinate.as_any());
        }
        let value = coordinate.get_item(0)?;
        if let Ok(number) = value.cast_exact::<PyInt>()
            && let Ok(index) = number.extract::<u64>()
        {
            let offset = self.offset_at(index).map_err(|error| raised_by(py, error))?;
            return Ok(offset.into_pyobject(py)?.into_any());
        }
        self.item(&value)
    }
}
