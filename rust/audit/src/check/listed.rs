//! What hangs on values that the code lists: it is wrong where one call has values with which it is, or where it is with all that are tried.

use super::verdicts::Verdicts;
use crate::finding::Finding;
use crate::python::Listed;

/// Adds what is wrong. Values that are only tried may never stand together: a finding is made where all sets of them are wrong.
pub fn wrong<T>(all: &[Listed<T>], verdicts: &mut Verdicts, look: &mut dyn FnMut(&T) -> Vec<Finding>) {
    let called =
        all.iter().filter(|one| !one.tried).map(|one| (one, look(&one.one))).find(|(_, found)| !found.is_empty());
    let wrong = called.or_else(|| {
        let tried: Vec<_> = all.iter().filter(|one| one.tried).map(|one| (one, look(&one.one))).collect();
        let every = tried.iter().all(|(_, found)| !found.is_empty());
        tried.into_iter().next().filter(|_| every)
    });
    let Some((one, found)) = wrong else { return };
    let count = all.iter().filter(|one| one.tried).count();
    for mut finding in found {
        if !one.holds.is_empty() {
            let holds = &one.holds;
            finding.notes.push(if one.tried {
                format!("for {holds}, and all of the {count} sets of values that the code lists")
            } else {
                format!("for {holds}, as it is called")
            });
        }
        finding.fix = None;
        verdicts.find(finding);
    }
}
