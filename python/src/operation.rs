//! The rows of the table of operations as functions, and as methods of `Layout`.

use std::fmt::Write as _;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use razorgirl_protocol::{Answer, Call, Kind, Mode, Op};

use crate::refusal::raised;
use crate::swizzled::SwizzledLayout;
use crate::value::{answer, argument, named};

// An operation of the table: a function, and a method of layouts where it takes one. No doc comment: the class would have a
// docstring, and hide that of each operation.
#[pyclass(frozen, module = "razorgirl")]
#[derive(Debug)]
pub(crate) struct Operation {
    op: &'static Op,
}

// An operation with the layout on which it was called as a method.
#[pyclass(frozen, module = "razorgirl")]
#[derive(Debug)]
pub(crate) struct Method {
    op: &'static Op,
    /// the place of the layout among the parameters
    place: usize,
    layout: Py<PyAny>,
}

impl Operation {
    pub(crate) const fn new(op: &'static Op) -> Self {
        Self { op }
    }
}

/// The place of the layout among the parameters, if the operation can be a method of one.
pub(crate) fn receiver(op: &Op) -> Option<usize> {
    let takes = |kind| matches!(kind, Kind::Layout | Kind::Modes | Kind::ShapeOf);
    op.forms.first()?.parameters.iter().position(|parameter| takes(parameter.kind))
}

/// The place of the swizzled layout among the parameters, if the operation can be a method of one.
pub(crate) fn takes_swizzled(op: &Op) -> Option<usize> {
    op.forms.first()?.parameters.iter().position(|parameter| parameter.kind == Kind::Swizzled)
}

/// Whether a layout is answered that begins elsewhere than at 0, and where.
fn begins_elsewhere(op: &Op) -> bool {
    op.beside.contains(&"offset")
}

/// What a call gives: the result, and where it is a layout that begins elsewhere than at 0, a pair of it and its offset.
fn returned<'py>(py: Python<'py>, op: &Op, found: Answer) -> PyResult<Bound<'py, PyAny>> {
    let result = answer(py, found.result)?;
    if !begins_elsewhere(op) {
        return Ok(result);
    }
    let offset = found.beside.into_iter().find(|(name, _)| *name == "offset").map(|(_, offset)| answer(py, offset));
    match offset.transpose()? {
        Some(offset) => Ok(PyTuple::new(py, [result, offset])?.into_any()),
        None => Ok(result),
    }
}

/// Runs an operation on Python's values.
pub(crate) fn run(py: Python<'_>, op: &'static Op, values: &[Bound<'_, PyAny>], mode: Mode) -> PyResult<Answer> {
    let form = op.form(values.len()).map_err(|refusal| raised(py, refusal, None))?;
    let mut arguments = Vec::with_capacity(values.len());
    for (place, value) in values.iter().enumerate() {
        let Some(parameter) = form.parameter(place) else { break };
        arguments.push(argument(value, parameter.kind, place)?);
    }
    let call = Call::new(op, arguments, mode).map_err(|refusal| raised(py, refusal, None))?;
    // What enumerates may take long; other threads go on.
    let answer = if mode == Mode::Strict { call.answer() } else { py.detach(|| call.answer()) };
    answer.map_err(|refusal| raised(py, refusal, Some(call)))
}

/// The only keyword that operations know: `mode`.
fn mode(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Mode> {
    let Some(keywords) = keywords else { return Ok(Mode::Strict) };
    let mut mode = Mode::Strict;
    for (name, value) in keywords.iter() {
        let name = name.cast::<PyString>()?.to_str()?.to_owned();
        if name != "mode" {
            return Err(PyTypeError::new_err(format!("an operation has the keyword mode, not {name}")));
        }
        let text = value.cast::<PyString>()?.to_str()?.to_owned();
        mode = Mode::named(&text).ok_or_else(|| {
            let names = Mode::ALL.map(Mode::name).join(", ");
            PyTypeError::new_err(format!("there is no mode {text:?}; there are {names}"))
        })?;
    }
    Ok(mode)
}

/// What the row says, as a docstring.
fn doc(op: &Op) -> String {
    // Writing into a string does not fail.
    let mut text = format!("{}{}\n\n{}.", op.name, op.arguments().replace('[', "(").replace(']', ")"), op.meaning);
    if !op.notes.is_empty() {
        let _ = write!(text, "\n\nNotes: {}.", op.notes);
    }
    let modes: Vec<&str> = op.accepted().map(Mode::name).collect();
    if modes.len() > 1 {
        let _ = write!(text, "\n\nKeyword mode: {}.", modes.join(", "));
    }
    if begins_elsewhere(op) {
        text.push_str("\n\nReturns (layout, offset): the element 0 of the layout is at this offset.");
    } else if !op.beside.is_empty() {
        let _ = write!(text, "\n\nanswer() also has: {}.", op.beside.join(", "));
    }
    if let Some(cute) = op.cute {
        let _ = write!(text, "\n\nCuTe: {cute}");
    }
    if !op.lean.is_empty() {
        let _ = write!(text, "\n\nLean: {}", op.lean.join(", "));
    }
    let (arguments, printed) = op.example;
    let _ = write!(text, "\n\nExample, in CuTe notation: {}({}) is {printed}", op.name, arguments.join(", "));
    text
}

#[pymethods]
impl Operation {
    #[pyo3(signature = (*arguments, **keywords))]
    fn __call__<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = arguments.py();
        let values: Vec<_> = arguments.iter().collect();
        returned(py, self.op, run(py, self.op, &values, mode(keywords)?)?)
    }

    /// All that the operation answers, by name: `result`, and what stands beside it.
    #[pyo3(signature = (*arguments, **keywords))]
    fn answer<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = arguments.py();
        let values: Vec<_> = arguments.iter().collect();
        let answer = run(py, self.op, &values, mode(keywords)?)?;
        let mut fields = vec![("result", answer.result)];
        fields.extend(answer.beside);
        named(py, fields)
    }

    fn __get__<'py>(
        this: &Bound<'py, Self>,
        layout: &Bound<'py, PyAny>,
        _class: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if layout.is_none() {
            return Ok(this.clone().into_any());
        }
        let op = this.get().op;
        let place = if layout.is_instance_of::<SwizzledLayout>() { takes_swizzled(op) } else { receiver(op) };
        let method = Method { op, place: place.unwrap_or(0), layout: layout.clone().unbind() };
        Ok(Bound::new(this.py(), method)?.into_any())
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.op.name
    }

    #[getter]
    fn __doc__(&self) -> String {
        doc(self.op)
    }

    /// The lists of parameters that it takes: names and what each expects.
    #[getter]
    fn forms(&self) -> Vec<Vec<(&'static str, &'static str)>> {
        let named = |form: &razorgirl_protocol::Form| {
            form.parameters.iter().map(|parameter| (parameter.name, parameter.kind.expects())).collect()
        };
        self.op.forms.iter().map(named).collect()
    }

    /// The names of what `answer()` has beside the result.
    #[getter]
    fn beside(&self) -> Vec<&'static str> {
        self.op.beside.to_vec()
    }

    /// A request in CuTe notation, and what is printed for it.
    #[getter]
    fn example(&self) -> (Vec<&'static str>, &'static str) {
        (self.op.example.0.to_vec(), self.op.example.1)
    }

    /// The modes that it accepts.
    #[getter]
    fn modes(&self) -> Vec<&'static str> {
        self.op.accepted().map(Mode::name).collect()
    }

    fn __repr__(&self) -> String {
        format!("<operation {}{}>", self.op.name, self.op.arguments())
    }

    fn __reduce__(&self) -> String {
        self.op.name.to_owned()
    }
}

#[pymethods]
impl Method {
    #[pyo3(signature = (*arguments, **keywords))]
    fn __call__<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = arguments.py();
        let mut values: Vec<_> = arguments.iter().collect();
        let place = self.place.min(values.len());
        values.insert(place, self.layout.bind(py).clone());
        returned(py, self.op, run(py, self.op, &values, mode(keywords)?)?)
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.op.name
    }

    #[getter]
    fn __doc__(&self) -> String {
        doc(self.op)
    }

    fn __repr__(&self) -> String {
        format!("<method {} of a layout>", self.op.name)
    }
}
