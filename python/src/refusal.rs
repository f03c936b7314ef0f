//! Refusals as exceptions.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use razorgirl_protocol::{Call, Code, Refusal};

use crate::value::nested;

/// What stands behind a `LayoutError`: the refusal and what was asked. Its help is looked for when it is asked for.
#[pyclass(frozen, module = "razorgirl")]
#[derive(Debug)]
pub(crate) struct Refused {
    refusal: Refusal,
    call: Option<Box<Call>>,
}

#[pymethods]
impl Refused {
    #[getter]
    fn code(&self) -> &'static str {
        self.refusal.code.name()
    }

    #[getter]
    fn message(&self) -> &str {
        &self.refusal.message
    }

    #[getter]
    fn position(&self) -> Option<usize> {
        self.refusal.position
    }

    #[getter]
    fn witness<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        use razorgirl::Witness;
        Ok(match self.refusal.witness.as_deref() {
            Some(Witness::Axis { axis, index }) => {
                let fields = PyDict::new(py);
                fields.set_item("axis", axis)?;
                fields.set_item("index", index)?;
                Some(fields.into_any())
            }
            Some(Witness::Coordinate(coordinate)) => {
                let fields = PyDict::new(py);
                fields.set_item("coordinate", nested(py, coordinate)?)?;
                Some(fields.into_any())
            }
            _ => None,
        })
    }

    fn help<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let help = match &self.call {
            Some(call) => py.detach(|| self.refusal.clone().of(call)).help,
            None => self.refusal.help.clone(),
        };
        PyTuple::new(py, help)
    }
}

/// The exception of a refusal.
#[cold]
pub(crate) fn raised(py: Python<'_>, refusal: Refusal, call: Option<Call>) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let made = CLASS
        .import(py, "razorgirl._errors", "LayoutError")
        .and_then(|class| class.call1((Refused { refusal, call: call.map(Box::new) },)));
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// The exception of a refusal of the library.
#[cold]
pub(crate) fn raised_by(py: Python<'_>, error: razorgirl::Error) -> PyErr {
    raised(py, error.into(), None)
}

/// The exception where something is beyond a limit.
#[cold]
pub(crate) fn too_large(py: Python<'_>, message: String) -> PyErr {
    raised(py, Refusal::new(Code::TooLarge, message), None)
}
