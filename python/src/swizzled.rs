//! The class of swizzled layouts.

use std::hash::{Hash, Hasher};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use razorgirl::{Coord, Swizzle};
use razorgirl_protocol::{Argument, Code, Kind};

use crate::bulk;
use crate::called::Called;
use crate::layout::{Layout, operation};
use crate::refusal::{raised, raised_by};
use crate::value::argument;

/// An XOR swizzle after an offset after a layout: the offset of a coordinate c is ``swizzle(offset + layout(c))``.
///
/// ``SwizzledLayout("Sw<3,4,3> o 0 o (8,64):(64,1)")`` reads CuTe's notation, and ``SwizzledLayout((3, 4, 3), 0, layout)`` takes
/// the swizzle ``(B, M, S)``, the offset and the layout. ``S(5)`` is the offset of a linear index, ``S(1, 2)`` that of a
/// coordinate, and ``S[1, :]`` the swizzled layout of the modes that are kept.
#[pyclass(frozen, eq, hash, module = "razorgirl")]
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SwizzledLayout(pub(crate) razorgirl::SwizzledLayout);

impl Hash for SwizzledLayout {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_string().hash(state);
    }
}

impl Called for SwizzledLayout {
    fn offset_at(&self, index: u64) -> razorgirl::Result<u64> {
        self.0.at(index)
    }

    fn called<'py>(&self, py: Python<'py>, coord: &Coord) -> PyResult<Bound<'py, PyAny>> {
        if coord.leaves().contains(&None) {
            let slice = self.0.slice(coord).map_err(|error| raised_by(py, error))?;
            return Ok(Bound::new(py, Self(slice))?.into_any());
        }
        let offset = self.0.offset_of(coord).map_err(|error| raised_by(py, error))?;
        Ok(offset.into_pyobject(py)?.into_any())
    }
}

/// A swizzle from `(B, M, S)` or `Sw<B,M,S>`.
fn swizzle(value: &Bound<'_, PyAny>) -> PyResult<Swizzle> {
    if let Ok(text) = value.cast::<PyString>() {
        // the notation has no swizzle without a layout
        let whole = format!("{} o 0 o 1:0", text.to_str()?);
        return match Kind::Swizzled.read_notation(&whole) {
            Ok(Argument::Swizzled(layout)) => Ok(layout.swizzle()),
            Err(refusal) if refusal.code == Code::OutOfDomain => Err(raised(value.py(), refusal, None)),
            _ => Err(PyTypeError::new_err(format!(
                "{:?} is no swizzle; write \"Sw<3,4,3>\" or (3, 4, 3)",
                text.to_str()?
            ))),
        };
    }
    let (bits, base, shift) = value
        .extract::<(u64, u64, i64)>()
        .map_err(|_| PyTypeError::new_err("a swizzle is (B, M, S): B and M integers from 0, S any integer"))?;
    Swizzle::checked(bits, base, shift).map_err(|error| raised_by(value.py(), error))
}

#[pymethods]
impl SwizzledLayout {
    #[new]
    #[pyo3(signature = (swizzle, offset=None, layout=None))]
    fn new(swizzle: &Bound<'_, PyAny>, offset: Option<u64>, layout: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let py = swizzle.py();
        match (offset, layout) {
            (Some(offset), Some(layout)) => {
                let Argument::Layout(layout) = argument(layout, Kind::Layout, 2)? else {
                    return Err(PyTypeError::new_err("argument 3: a layout without a swizzle is expected"));
                };
                let made = razorgirl::SwizzledLayout::new(self::swizzle(swizzle)?, offset, layout);
                made.map(Self).map_err(|error| raised_by(py, error))
            }
            (None, None) => match argument(swizzle, Kind::Swizzled, 0)? {
                Argument::Swizzled(layout) => Ok(Self(layout)),
                _ => Err(PyTypeError::new_err("a swizzled layout is expected")),
            },
            _ => Err(PyTypeError::new_err(
                "a swizzle comes with an offset and a layout: SwizzledLayout((3, 4, 3), 0, layout)",
            )),
        }
    }

    /// The swizzle as ``(B, M, S)``.
    #[getter]
    fn swizzle(&self) -> (u64, u64, i64) {
        let swizzle = self.0.swizzle();
        (swizzle.bits(), swizzle.base(), swizzle.shift())
    }

    /// What is added to the offset of the layout before the swizzle.
    #[getter]
    fn offset(&self) -> u64 {
        self.0.offset()
    }

    /// The layout before the offset and the swizzle.
    #[getter]
    fn layout(&self) -> Layout {
        Layout(self.0.layout().clone())
    }

    /// The extents, nested as the layout is.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::value::nested(py, self.0.layout().shape().extents())
    }

    /// The number of coordinates.
    fn size(&self) -> u64 {
        self.0.size()
    }

    #[pyo3(signature = (*coordinate))]
    fn __call__<'py>(&self, coordinate: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        self.call(coordinate)
    }

    fn __getitem__<'py>(&self, coordinate: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.item(coordinate)
    }

    /// The swizzled layout R with R(c) = self(inner(c)), mode by mode where ``inner`` is a tuple. Swizzle and offset stay.
    fn compose(&self, inner: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = inner.py();
        let name = if inner.is_instance_of::<PyTuple>() { "composition_by_mode" } else { "composition" };
        let layout = Bound::new(py, self.layout())?.into_any();
        let composed = operation(name, &[layout, inner.clone()], py)?;
        let Ok(composed) = composed.cast::<Layout>() else {
            return Err(PyTypeError::new_err("a layout without a swizzle is expected"));
        };
        let made = razorgirl::SwizzledLayout::new(self.0.swizzle(), self.0.offset(), composed.get().0.clone());
        made.map(Self).map_err(|error| raised_by(py, error))
    }

    /// All offsets in linear order, the first mode fastest, as a memoryview of unsigned 64-bit integers.
    /// ``numpy.asarray(S.offsets())`` copies nothing.
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        bulk::listed(py, self.0.size(), self.0.offsets())
    }

    /// The offset of each index of an array of 64-bit integers, such as one of ``numpy``, in an array of its shape.
    fn at_each<'py>(&self, indices: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        bulk::at_each(indices, |index| self.0.at(index))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("SwizzledLayout('{}')", self.0)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (this.get_type().into_any(), (this.get().0.to_string(),))
    }
}
