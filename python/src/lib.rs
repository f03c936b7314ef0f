//! The layout algebra as a Python module. Functions and methods are the rows of the protocol's table of operations: what each is
//! called, takes and means is said there, once.

mod bulk;
mod called;
mod judge;
mod layout;
mod operation;
mod plain;
mod refusal;
mod report;
mod swizzled;
mod value;
mod view;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The compiled half of the package `razorgirl`.
#[pymodule]
mod _razorgirl {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::judge::{audited, conformed, judged, judged_operations};
    #[pymodule_export]
    use crate::layout::{CoordLayout, Layout, LinearLayout};
    #[pymodule_export]
    use crate::operation::{Method, Operation};
    #[pymodule_export]
    use crate::refusal::Refused;
    #[pymodule_export]
    use crate::report::{compared, mapped, scheduled};
    #[pymodule_export]
    use crate::swizzled::SwizzledLayout;
    #[pymodule_export]
    use crate::view::{Picture, conflicts, diagrammed, explained, picture, rows, threads};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::fill(module)
    }
}

/// Adds every operation to the module, and to `Layout` where it takes one.
fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    only_interpreter(py)?;
    let class = py.get_type::<layout::Layout>();
    let swizzled = py.get_type::<swizzled::SwizzledLayout>();
    let mut names = Vec::new();
    for op in razorgirl_protocol::ops() {
        let operation = Bound::new(py, operation::Operation::new(op))?;
        if operation::receiver(op).is_some() && !class.hasattr(op.name)? {
            class.setattr(op.name, &operation)?;
        }
        // `swizzled_recast` is also `recast` of a swizzled layout
        if operation::takes_swizzled(op).is_some() {
            for name in [op.name, op.name.trim_start_matches("swizzled_")] {
                if !swizzled.hasattr(name)? {
                    swizzled.setattr(name, &operation)?;
                }
            }
        }
        module.add(op.name, operation)?;
        names.push(op.name);
    }
    // Without this, what has `__getitem__` would be a sequence to Python: `list(L)` would ask for L[0], L[1], …
    class.setattr("__iter__", py.None())?;
    swizzled.setattr("__iter__", py.None())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("OPERATIONS", pyo3::types::PyTuple::new(py, names)?)
}

/// Refuses a second interpreter in a process: classes are made once, and belong to the first. Each has modules of its own.
fn only_interpreter(py: Python<'_>) -> PyResult<()> {
    static FIRST: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let here = py.import("builtins")?;
    let first = FIRST.get_or_init(py, || here.clone().unbind());
    if first.is(&here) {
        return Ok(());
    }
    Err(PyImportError::new_err(
        "razorgirl is loaded in another interpreter of this process already; import it in that one",
    ))
}
