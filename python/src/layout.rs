//! The classes of layouts.

use std::hash::{Hash, Hasher};

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString, PyTuple};
use razorgirl::{CallResult, Coord};
use razorgirl_protocol::{Argument, Kind, Mode, Op, Output};

use crate::operation::run;
use crate::plain::coord;
use crate::refusal::{raised_by, too_large};
use crate::value::{answer, argument, nested};

/// The most offsets that are listed or evaluated at once: a gigabyte of them.
const MOST: u64 = 1 << 27;

/// A CuTe layout, ``shape:stride``: a function from coordinates to offsets.
///
/// ``Layout("((4,2),8):((1,16),4)")`` reads CuTe's notation, ``Layout((4, 8), (8, 1))`` takes tuples, and ``Layout((4, 8))``
/// is column-major. ``L(5)`` is the offset of a linear index, ``L(1, 2)`` and ``L((1, 2))`` that of a coordinate, and
/// ``L[1, :]`` the layout of the modes that are kept.
#[pyclass(frozen, eq, hash, module = "razorgirl")]
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Layout(pub(crate) razorgirl::Layout);

impl Layout {
    fn called<'py>(&self, py: Python<'py>, coord: &Coord) -> PyResult<Bound<'py, PyAny>> {
        match self.0.call(coord).map_err(|error| raised_by(py, error))? {
            CallResult::Offset(offset) => Ok(offset.into_pyobject(py)?.into_any()),
            CallResult::Sublayout(layout) => Ok(Bound::new(py, Self(layout))?.into_any()),
        }
    }

    fn at<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        if let Some(coord) = coord(value) {
            return self.called(py, &coord);
        }
        match argument(value, Kind::Coord, 0)? {
            Argument::Coord(coord) => self.called(py, &coord),
            _ => Err(PyTypeError::new_err("a coordinate is expected")),
        }
    }
}

/// An operation by its name in the table, on Python's values.
fn operation<'py>(name: &str, values: &[Bound<'py, PyAny>], py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    let op = Op::find(name).map_err(|refusal| crate::refusal::raised(py, refusal, None))?;
    answer(py, run(py, op, values, Mode::Strict)?.result)
}

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

/// The offset of each index of a buffer.
fn evaluated<'py, T>(
    py: Python<'py>,
    layout: &razorgirl::Layout,
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
            let at = layout.at(index).map_err(|error| raised_by(py, error))?;
            *offset = at.to_ne_bytes();
        }
        Ok(())
    })
}

#[pymethods]
impl Layout {
    #[new]
    #[pyo3(signature = (shape, stride=None, /))]
    fn new(shape: &Bound<'_, PyAny>, stride: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let py = shape.py();
        let Some(stride) = stride else {
            if let Ok(layout) = shape.cast::<Self>() {
                return Ok(Self(layout.get().0.clone()));
            }
            if let Ok(text) = shape.cast::<PyString>() {
                return text.to_str()?.parse().map(Self).map_err(|error| raised_by(py, error));
            }
            return match argument(shape, Kind::Shape, 0)? {
                // a shape alone is column-major, as in the notation
                Argument::Shape(shape) => shape.to_string().parse().map(Self).map_err(|error| raised_by(py, error)),
                _ => Err(PyTypeError::new_err("a shape is expected")),
            };
        };
        match (argument(shape, Kind::Shape, 0)?, argument(stride, Kind::Strides, 1)?) {
            (Argument::Shape(shape), Argument::Strides(strides)) => {
                let extents = shape.extents().map(razorgirl::Literal::Fits);
                razorgirl::Layout::from_literals(&extents, &strides).map(Self).map_err(|error| raised_by(py, error))
            }
            _ => Err(PyTypeError::new_err("a shape and a stride are expected")),
        }
    }

    /// The extents, nested as the layout is.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        nested(py, self.0.shape().extents())
    }

    /// The strides, nested as the layout is.
    #[getter]
    fn stride<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        nested(py, &self.0.stride())
    }

    #[pyo3(signature = (*coordinate))]
    fn __call__<'py>(&self, coordinate: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let py = coordinate.py();
        if coordinate.len() != 1 {
            return self.at(coordinate.as_any());
        }
        let value = coordinate.get_item(0)?;
        if let Ok(number) = value.cast_exact::<pyo3::types::PyInt>()
            && let Ok(index) = number.extract::<u64>()
        {
            let offset = self.0.at(index).map_err(|error| raised_by(py, error))?;
            return Ok(offset.into_pyobject(py)?.into_any());
        }
        self.at(&value)
    }

    fn __getitem__<'py>(&self, coordinate: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.at(coordinate)
    }

    /// The layout R with R(c) = self(inner(c)); the same as ``composition``, mode by mode where ``inner`` is a tuple.
    fn compose<'py>(this: &Bound<'py, Self>, inner: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let name = if inner.is_instance_of::<PyTuple>() { "composition_by_mode" } else { "composition" };
        operation(name, &[this.clone().into_any(), inner.clone()], this.py())
    }

    fn __truediv__<'py>(this: &Bound<'py, Self>, tiler: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        operation("logical_divide", &[this.clone().into_any(), tiler.clone()], this.py())
    }

    fn __mul__<'py>(this: &Bound<'py, Self>, tiler: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        operation("logical_product", &[this.clone().into_any(), tiler.clone()], this.py())
    }

    /// All offsets in linear order, the first mode fastest, as a memoryview of unsigned 64-bit integers.
    /// ``numpy.asarray(L.offsets())`` copies nothing.
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let size = self.0.size();
        let count = usize::try_from(size).ok().filter(|_| size <= MOST);
        let Some(count) = count else {
            return Err(too_large(py, format!("{size} offsets are more than the {MOST} that are listed")));
        };
        view(py, count, &[], |places| {
            for (place, offset) in places.zip(self.0.offsets()) {
                *place = offset.to_ne_bytes();
            }
            Ok(())
        })
    }

    /// The offset of each index of an array of 64-bit integers, such as one of ``numpy``, in an array of its shape.
    fn at_each<'py>(&self, indices: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = indices.py();
        if let Ok(buffer) = PyBuffer::<u64>::get(indices) {
            return evaluated(py, &self.0, &buffer, |index| Some(*index));
        }
        let buffer = PyBuffer::<i64>::get(indices).map_err(|error| {
            let kind = indices.get_type().name().map_or_else(|_| "the value".to_owned(), |name| name.to_string());
            // an array of no mode is one number: its buffer has no shape
            let single = indices.getattr(intern!(py, "ndim")).is_ok_and(|ndim| ndim.eq(0).unwrap_or(false));
            let why =
                if single { "it is one number, for which the layout is called".to_owned() } else { error.to_string() };
            PyTypeError::new_err(format!("{kind} is no array of 64-bit integers: {why}"))
        })?;
        evaluated(py, &self.0, &buffer, |index| u64::try_from(*index).ok())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Layout(\"{}\")", self.0)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (this.get_type().into_any(), (this.get().0.to_string(),))
    }
}

/// A class of layouts that are read from text and compared: all else are operations on them.
macro_rules! written {
    ($(#[$doc:meta])* $name:ident: $kind:ident) => {
        $(#[$doc])*
        #[pyclass(frozen, eq, hash, module = "razorgirl")]
        #[derive(Debug, PartialEq, Eq)]
        pub(crate) struct $name(pub(crate) razorgirl::$name);

        impl Hash for $name {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.__str__().hash(state);
            }
        }

        #[pymethods]
        impl $name {
            #[new]
            #[pyo3(signature = (value, /))]
            fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
                match argument(value, Kind::$kind, 0)? {
                    Argument::$kind(layout) => {
                        // some arguments are boxed
                        let layout: Box<razorgirl::$name> = layout.into();
                        Ok(Self(*layout))
                    }
                    _ => Err(PyTypeError::new_err(concat!("a ", stringify!($name), " is expected"))),
                }
            }

            fn __str__(&self) -> String {
                Output::from(self.0.clone()).to_string()
            }

            fn __repr__(&self) -> String {
                format!(concat!(stringify!($name), "('{}')"), self.__str__().replace('\\', "\\\\").replace('\'', "\\'"))
            }

            fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
                (this.get_type().into_any(), (this.get().__str__(),))
            }
        }
    };
}

written! {
    /// A layout behind an XOR swizzle: ``SwizzledLayout("Sw<3,4,3> o 0 o (8,64):(64,1)")``.
    SwizzledLayout: Swizzled
}
written! {
    /// A layout whose values are coordinates: ``CoordLayout("(4,8):(1@0,1@1)")``.
    CoordLayout: Coordinates
}
written! {
    /// A linear layout over F2, from the protocol's JSON or the same as dictionaries and lists:
    /// ``LinearLayout({"in": [["lane", [[1, 0], [0, 1]]]], "out": [["row", 2], ["column", 2]]})``.
    LinearLayout: Linear
}
