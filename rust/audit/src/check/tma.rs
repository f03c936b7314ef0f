//! RG027: descriptors that the driver refuses. RG028: boxes and element strides with which a copy through shared memory loses elements.

use razorgirl::tma::Rule;

use super::defect::Defect;
use crate::survey::Encoded;

/// What is beyond the limits of the hardware.
pub fn beyond(of: &Encoded) -> Option<Defect> {
    let wrong = |rule: Rule| match rule {
        Rule::Fttc | Rule::InnermostContiguous => false,
        Rule::BoxBytes | Rule::SwizzleWidth => of.rows,
        Rule::InterleaveSwizzle => of.swizzled,
        _ => true,
    };
    let violations = of.descriptor.violations();
    let broken: Vec<_> = violations.iter().filter(|violation| wrong(violation.rule)).collect();
    let first = broken.first()?;
    let mut notes: Vec<String> = broken.iter().skip(1).map(ToString::to_string).collect();
    notes.push(format!("{}; dimensions are counted from the innermost", first.rule.text()));
    let title = format!("cuTensorMapEncodeTiled refuses this: {first}");
    Some(Defect { title, notes, ..Defect::default() })
}

/// What the fundamental theorem of TMA correctness says. The hardware does not stride in the innermost dimension.
pub fn incorrect(of: &Encoded) -> Option<Defect> {
    let violations = of.descriptor.violations();
    let broken = violations.iter().find(|violation| violation.rule == Rule::Fttc && violation.dimension > Some(0))?;
    let notes = vec![
        broken.rule.text().to_owned(),
        "the last element stride of a box reaches into the next, so that boxes side by side leave elements out or overlap"
            .to_owned(),
    ];
    let title = format!("boxes of this descriptor do not tile its tensor: {broken}");
    Some(Defect { title, notes, ..Defect::default() })
}
