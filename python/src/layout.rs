//! The classes of layouts.

use std::hash::{Hash, Hasher};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use razorgirl::{CallResult, Coord};
use razorgirl_protocol::{Argument, Kind, Mode, Op, Output};

use crate::bulk;
use crate::called::Called;
use crate::operation::run;
use crate::refusal::raised_by;
use crate::value::{answer, argument, nested};

/// A CuTe layout, ``shape:stride``: a function from coordinates to offsets.
///
/// ``Layout("((4,2),8):((1,16),4)")`` reads CuTe's notation, ``Layout((4, 8), (8, 1))`` or
/// ``Layout(shape=(4, 8), stride=(8, 1))`` takes tuples, and ``Layout((4, 8))`` is column-major. ``L(5)`` is the offset of
/// a linear index, ``L(1, 2)`` and ``L((1, 2))`` that of a coordinate, and ``L[1, :]`` the layout of the modes that are kept.
#[pyclass(frozen, eq, hash, module = "razorgirl")]
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Layout(pub(crate) razorgirl::Layout);

impl Called for Layout {
    fn offset_at(&self, index: u64) -> razorgirl::Result<u64> {
        self.0.at(index)
    }

    fn called<'py>(&self, py: Python<'py>, coord: &Coord) -> PyResult<Bound<'py, PyAny>> {
        match self.0.call(coord).map_err(|error| raised_by(py, error))? {
            CallResult::Offset(offset) => Ok(offset.into_pyobject(py)?.into_any()),
            CallResult::Sublayout(layout) => Ok(Bound::new(py, Self(layout))?.into_any()),
        }
    }
}

/// An operation by its name in the table, on Python's values.
pub(crate) fn operation<'py>(name: &str, values: &[Bound<'py, PyAny>], py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    let op = Op::find(name).map_err(|refusal| crate::refusal::raised(py, refusal, None))?;
    answer(py, run(py, op, values, Mode::Strict)?.result)
}

#[pymethods]
impl Layout {
    #[new]
    #[pyo3(signature = (shape, stride=None))]
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
        self.call(coordinate)
    }

    fn __getitem__<'py>(&self, coordinate: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.item(coordinate)
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
        bulk::listed(py, self.0.size(), self.0.offsets().map(Ok))
    }

    /// The offset of each index of an array of 64-bit integers, such as one of ``numpy``, in an array of its shape.
    fn at_each<'py>(&self, indices: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        bulk::at_each(indices, |index| self.0.at(index))
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
    /// A layout whose values are coordinates: ``CoordLayout("(4,8):(1@0,1@1)")``.
    CoordLayout: Coordinates
}
written! {
    /// A linear layout over F2, from the protocol's JSON or the same as dictionaries and lists:
    /// ``LinearLayout({"in": [["lane", [[1, 0], [0, 1]]]], "out": [["row", 2], ["column", 2]]})``.
    LinearLayout: Linear
}
