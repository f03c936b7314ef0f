//! Refusals as exceptions.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use razorgirl_protocol::{Call, Code, Refusal};
use serde_json::Value;

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
        let text = self.refusal.witness_json();
        let fields = text.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        fields.map(|fields| json(py, &fields)).transpose()
    }

    fn help<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let help = match &self.call {
            Some(call) => py.detach(|| self.refusal.clone().of(call)).help,
            None => self.refusal.help.clone(),
        };
        PyTuple::new(py, help)
    }
}

/// Fields, lists and numbers of an answer; lists are tuples.
// Recursion: a witness is nested as the coordinate in it.
fn json<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Array(items) => {
            let items = items.iter().map(|item| json(py, item));
            PyTuple::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Value::Object(fields) => {
            let all = PyDict::new(py);
            for (name, field) in fields {
                all.set_item(name, json(py, field)?)?;
            }
            all.into_any()
        }
        Value::Number(number) => match number.as_i128() {
            Some(number) => number.into_pyobject(py)?.into_any(),
            None => number.as_u128().into_pyobject(py)?.into_any(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Value::Null => py.None().into_bound(py),
    })
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

/// The exception of a refusal that has no code of the protocol.
#[cold]
pub(crate) fn recorded(py: Python<'_>, code: &str, message: &str, help: Vec<String>) -> PyErr {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made = MAKE
        .get_or_try_init(py, || py.import("razorgirl._errors")?.getattr("_recorded").map(Bound::unbind))
        .and_then(|make| {
            PyTuple::new(py, help).and_then(|help| make.bind(py).call1((message, code, py.None(), py.None(), help)))
        });
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
