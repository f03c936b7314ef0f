//! Reports on tensor maps and schedules.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use razorgirl::iter_domain::{Equality, Schedule};
use razorgirl_protocol::{Argument, Kind};
use razorgirl_view::failure::Failure;
use razorgirl_view::schedule::{Report, compare, reason};
use razorgirl_view::tma::Question;

use crate::value::argument;
use crate::view::{failed, words};

/// The verdicts on a tensor map, given as JSON: as JSON, as text, and whether all required properties hold.
#[pyfunction]
pub(crate) fn mapped(py: Python<'_>, map: &str, weak: bool) -> PyResult<(String, String, bool)> {
    let map = serde_json::from_str(map).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let judged = py.detach(|| {
        let question = Question::read(&map)?;
        let report = question.report(weak);
        Ok((report.object().to_string(), words(|out| report.write(out))?, !report.fails()))
    });
    judged.map_err(|failure| failed(py, failure))
}

fn read(value: &Bound<'_, PyAny>, place: usize) -> PyResult<Schedule> {
    match argument(value, Kind::Schedule, place)? {
        Argument::Schedule(schedule) => Ok(schedule),
        _ => Err(PyValueError::new_err("a schedule is expected")),
    }
}

/// A schedule: its report, its loops, the number of holes, and the bounds checks (axis, extent, reason).
type Scheduled = (String, Vec<u64>, Option<u128>, Vec<(usize, u64, &'static str)>);

/// The loops, holes and bounds checks of a schedule.
#[pyfunction]
pub(crate) fn scheduled(value: &Bound<'_, PyAny>) -> PyResult<Scheduled> {
    let py = value.py();
    let schedule = read(value, 0)?;
    let shown = py.detach(|| {
        let report = Report::new(&schedule);
        let checks = report.predicates().iter().map(|predicate| (predicate.axis, predicate.extent, reason(predicate)));
        let text = words(|out| Ok(report.write(out)?))?;
        Ok((text, schedule.loop_extents(), report.holes().as_ref().ok().copied(), checks.collect()))
    });
    shown.map_err(|failure: Failure| failed(py, failure))
}

/// Whether two schedules are equal, `None` if that is not decided, and the reason as text.
#[pyfunction]
pub(crate) fn compared(
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
    equality: &str,
) -> PyResult<(Option<bool>, String)> {
    let py = left.py();
    let which = match equality {
        "program" => Equality::Program,
        "e2" => Equality::E2,
        "valid_items" => Equality::ValidItems,
        other => {
            let message = format!("equality must be 'program', 'e2' or 'valid_items', not {other:?}");
            return Err(PyValueError::new_err(message));
        }
    };
    let (left, right) = (read(left, 0)?, read(right, 1)?);
    let decided = py.detach(|| {
        let mut equal = None;
        let text = words(|out| {
            equal = compare(&left, &right, which, out)?;
            Ok(())
        })?;
        Ok((equal, text))
    });
    decided.map_err(|failure| failed(py, failure))
}
