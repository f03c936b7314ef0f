//! Offsets in bulk, as buffers of unsigned 64-bit integers.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

use crate::refusal::{raised_by, too_large};

/// The most offsets that are listed or evaluated at once: a gigabyte of them.
const MOST: u64 = 1 << 27;

/// The offsets as a memoryview of unsigned 64-bit integers, written by `fill` into 8 bytes each.
fn view<'py>(
    py: Python<'py>,
    count: usize,
    shape: &[usize],
    fill: impl FnOnce(&mut dyn Iterator<Item = &mut [u8; 8]>) -> PyResult<()>,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyBytes::new_with(py, count * 8, |bytes| fill(&mut bytes.as_chunks_mut::<8>().0.iter_mut()))?;
    let view = PyMemoryView::from(&bytes)?;
    if shape.len() > 1 && count > 0 {
        return view.call_method1("cast", ("Q", shape));
    }
    view.call_method1("cast", ("Q",))
}

/// All offsets of a layout of `size` elements.
pub(crate) fn listed(
    py: Python<'_>,
    size: u64,
    offsets: impl Iterator<Item = razorgirl::Result<u64>>,
) -> PyResult<Bound<'_, PyAny>> {
    let count = usize::try_from(size).ok().filter(|_| size <= MOST);
    let Some(count) = count else {
        return Err(too_large(py, format!("{size} offsets are more than the {MOST} that are listed")));
    };
    view(py, count, &[], |places| {
        for (place, offset) in places.zip(offsets) {
            *place = offset.map_err(|error| raised_by(py, error))?.to_ne_bytes();
        }
        Ok(())
    })
}

/// The offset of each index of an array of 64-bit integers, in an array of its shape.
pub(crate) fn at_each<'py>(
    indices: &Bound<'py, PyAny>,
    at: impl Fn(u64) -> razorgirl::Result<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = indices.py();
    if let Ok(buffer) = PyBuffer::<u64>::get(indices) {
        return evaluated(py, at, &buffer, |index| Some(*index));
    }
    let buffer = PyBuffer::<i64>::get(indices).map_err(|error| {
        let kind = indices.get_type().name().map_or_else(|_| "the value".to_owned(), |name| name.to_string());
        // an array of no mode is one number: its buffer has no shape
        let single = indices.getattr(intern!(py, "ndim")).is_ok_and(|ndim| ndim.eq(0).unwrap_or(false));
        let why =
            if single { "it is one number, for which the layout is called".to_owned() } else { error.to_string() };
        PyTypeError::new_err(format!("{kind} is no array of 64-bit integers: {why}"))
    })?;
    evaluated(py, at, &buffer, |index| u64::try_from(*index).ok())
}

/// The offset of each index of a buffer.
fn evaluated<'py, T>(
    py: Python<'py>,
    at: impl Fn(u64) -> razorgirl::Result<u64>,
    buffer: &PyBuffer<T>,
    index: impl Fn(&T) -> Option<u64>,
) -> PyResult<Bound<'py, PyAny>>
where
    T: pyo3::buffer::Element + Copy + std::fmt::Display,
{
    // An element is read as it lies there: 1 would be 2^56.
    let turned: &[u8] = if cfg!(target_endian = "big") { b"<" } else { b">!" };
    if buffer.format().to_bytes().first().is_some_and(|order| turned.contains(order)) {
        return Err(PyTypeError::new_err("the array of indices is not in this machine's order of bytes"));
    }
    let refused =
        || PyValueError::new_err("the array of indices is not contiguous; numpy.ascontiguousarray makes it so");
    let indices = buffer.as_slice(py).ok_or_else(refused)?;
    if indices.len() as u64 > MOST {
        return Err(too_large(
            py,
            format!("{} indices are more than the {MOST} that are evaluated at once", indices.len()),
        ));
    }
    view(py, indices.len(), buffer.shape(), |offsets| {
        for (cell, offset) in indices.iter().zip(offsets) {
            let value = cell.get();
            let Some(index) = index(&value) else {
                return Err(PyValueError::new_err(format!("{value} is no index: it is below 0")));
            };
            *offset = at(index).map_err(|error| raised_by(py, error))?.to_ne_bytes();
        }
        Ok(())
    })
}
