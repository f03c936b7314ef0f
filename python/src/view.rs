//! Layouts in words and pictures.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use razorgirl::category::{NestMorphism, WrittenLayout};
use razorgirl_protocol::{Code, Op};
use razorgirl_view::banks::{Query, draw};
use razorgirl_view::diagram::Diagram;
use razorgirl_view::failure::Failure;
use razorgirl_view::svg::Panel;
use razorgirl_view::{banks, coordinates, diagram, explain, plain, svg, swizzled, thread_value, tikz};

use crate::layout::{CoordLayout, Layout};
use crate::refusal::{raised, recorded};
use crate::swizzled::SwizzledLayout;

/// A picture, with the words that go with it.
///
/// ``svg()``, ``tikz()`` and ``text`` are strings; a notebook shows it, on light and dark pages.
#[pyclass(frozen, module = "razorgirl")]
#[derive(Debug)]
pub(crate) struct Picture {
    /// Nothing where there is nothing to draw.
    panels: Vec<Panel>,
    /// a drawing that panels do not say whole
    drawn: Option<String>,
    /// morphisms in place of panels
    diagrams: Vec<Diagram>,
    text: String,
}

#[pymethods]
impl Picture {
    /// The picture as SVG. Around the cells it follows the reader's preference of dark or light.
    fn svg(&self) -> String {
        self.drawn.clone().unwrap_or_else(|| svg::draw(&self.panels))
    }

    /// The picture as a ``tikzpicture`` for LaTeX, which needs the package tikz alone.
    fn tikz(&self) -> String {
        if self.diagrams.is_empty() { tikz::draw(&self.panels) } else { diagram::tikz(&self.diagrams) }
    }

    /// The words: a summary and a table, a derivation, a report.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is something to draw.
    fn __bool__(&self) -> bool {
        !(self.panels.is_empty() && self.diagrams.is_empty())
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<picture: {}>", self.text.lines().next().unwrap_or_default())
    }
}

pub(crate) fn failed(py: Python<'_>, failure: Failure) -> PyErr {
    match failure {
        Failure::Unreadable { code, message, help } => recorded(py, &code, &message, help),
        Failure::Refused(refusal) | Failure::Usage { refusal, .. } => raised(py, *refusal, None),
        Failure::Io(error) => error.into(),
    }
}

/// What is written by `write`.
pub(crate) fn words(write: impl FnOnce(&mut dyn std::io::Write) -> Result<(), Failure>) -> Result<String, Failure> {
    let mut text = Vec::new();
    write(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// A layout in words, and drawn where it has few enough cells.
fn shown(layout: &Bound<'_, PyAny>) -> PyResult<Result<Picture, Failure>> {
    let drawn = |panel: Result<Panel, Failure>, text: Result<String, Failure>| match (panel, text) {
        (Ok(panel), Ok(text)) => Ok(Picture { panels: vec![panel], drawn: None, diagrams: vec![], text }),
        (Err(Failure::Refused(refusal)), Ok(text)) if refusal.code == Code::TooLarge => {
            Ok(Picture { panels: vec![], drawn: None, diagrams: vec![], text })
        }
        (Err(failure), _) | (_, Err(failure)) => Err(failure),
    };
    if let Ok(layout) = layout.cast::<Layout>() {
        let layout = &layout.get().0;
        return Ok(drawn(svg::shaded(layout.to_string(), layout), words(|out| Ok(plain::describe(layout, out)?))));
    }
    if let Ok(layout) = layout.cast::<SwizzledLayout>() {
        let layout = &layout.get().0;
        return Ok(drawn(svg::shaded_swizzled(layout), words(|out| swizzled::describe(layout, out))));
    }
    let layout = &layout.cast::<CoordLayout>()?.get().0;
    Ok(drawn(svg::shaded_coordinates(layout), words(|out| coordinates::describe(layout, out))))
}

/// What a layout is, and its table of offsets; drawn in shades, first mode down.
#[pyfunction]
pub(crate) fn picture(layout: &Bound<'_, PyAny>) -> PyResult<Picture> {
    shown(layout)?.map_err(|failure| failed(layout.py(), failure))
}

/// The derivation of an operation on CuTe notation, step by step; drawn before and after.
#[pyfunction]
pub(crate) fn explained(py: Python<'_>, expression: &str) -> PyResult<Picture> {
    let answered = py.detach(|| {
        let mut text = Vec::new();
        let (call, answer) = explain::derivation_of(expression, &mut text)?;
        let panels = if answer.result.layout().is_some() {
            match explain::panels(&call, &answer) {
                Err(Failure::Refused(refusal)) if refusal.code == Code::TooLarge => vec![],
                panels => panels?,
            }
        } else {
            vec![]
        };
        Ok(Picture { panels, drawn: None, diagrams: vec![], text: String::from_utf8_lossy(&text).into_owned() })
    });
    answered.map_err(|failure| failed(py, failure))
}

/// A tile whose cells say which thread holds them as which of its values.
#[pyfunction]
pub(crate) fn threads(py: Python<'_>, layout: &Layout, tile: &str) -> PyResult<Picture> {
    let tile: razorgirl::Shape = tile.parse().map_err(|error| crate::refusal::raised_by(py, error))?;
    let panel = thread_value::panel(&layout.0, &tile).map_err(|failure| failed(py, failure))?;
    Ok(Picture { text: format!("{} on a tile {tile}", layout.0), panels: vec![panel], drawn: None, diagrams: vec![] })
}

/// The bank conflicts of a tile in shared memory, and what removes them.
#[allow(clippy::needless_pass_by_value, reason = "values that are made of Python's are handed over")]
#[pyfunction]
pub(crate) fn conflicts(
    py: Python<'_>,
    layout: &str,
    dtype: &str,
    accesses: Vec<String>,
    bytes: Option<u64>,
) -> PyResult<Picture> {
    let counted = py.detach(|| {
        let query = Query::read(layout, dtype, &accesses, bytes)?;
        let findings = query.find()?;
        let text = words(|out| query.write(&findings, out))?;
        match draw(&query, &findings) {
            Ok(drawn) => {
                Ok(Picture { panels: banks::panels(&query, &findings)?, drawn: Some(drawn), diagrams: vec![], text })
            }
            Err(Failure::Refused(refusal)) if refusal.code == Code::TooLarge => {
                Ok(Picture { panels: vec![], drawn: None, diagrams: vec![], text })
            }
            Err(failure) => Err(failure),
        }
    });
    counted.map_err(|failure| failed(py, failure))
}

/// A tractable layout as a morphism, or the composition of two.
#[pyfunction]
pub(crate) fn diagrammed(py: Python<'_>, layout: &str, inner: Option<&str>) -> PyResult<Picture> {
    fn read<T: std::str::FromStr<Err = razorgirl::Error>>(text: &str) -> Result<T, Failure> {
        text.parse().map_err(|error: razorgirl::Error| Failure::usage(error, text))
    }
    let drawn = || {
        let diagrams = match inner {
            Some(inner) => Diagram::of_composition(&read::<WrittenLayout>(layout)?, &read(inner)?)?,
            None if layout.contains("->") => vec![Diagram::of(&read::<NestMorphism>(layout)?)?],
            None => vec![Diagram::of_layout(&read::<WrittenLayout>(layout)?)?],
        };
        let text = words(|out| Ok(diagram::write(&diagrams, out)?))?;
        Ok(Picture { panels: vec![], drawn: Some(diagram::svg(&diagrams)), diagrams, text })
    };
    drawn().map_err(|failure| failed(py, failure))
}

/// The rows of the table, for the pages: name, meaning, notes, CuTe's name, definitions in Lean, concept.
#[pyfunction]
pub(crate) fn rows(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    let row = |concept: &str, op: &Op| (op.name, op.meaning, op.notes, op.cute, op.lean.to_vec(), concept.to_owned());
    let rows = razorgirl_protocol::concepts().iter();
    PyTuple::new(py, rows.flat_map(|(concept, ops)| ops.iter().map(|op| row(concept, op))).collect::<Vec<_>>())
}
