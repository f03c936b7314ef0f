//! What was found out about a tensor map.

use super::{Question, smem};
use crate::failure::Failure;
use razorgirl::tma::{Descriptor, Dimension, Rule, TileFault, Violation};
use serde_json::{Value, json};
use std::io::Write;

/// The verdicts on a tensor map.
#[derive(Debug)]
pub struct Report<'a> {
    question: &'a Question,
    /// whether weak correctness is enough
    weak: bool,
    /// limits of the hardware that are exceeded
    limits: Vec<Violation>,
    /// dimensions in which strong correctness is impossible
    theorem: Vec<Violation>,
    /// why the layout of shared memory does not fit, or is not known to
    fault: Option<String>,
    /// a layout of shared memory that fits
    fitting: Option<String>,
}

impl<'a> Report<'a> {
    pub(super) fn new(question: &'a Question, weak: bool) -> Self {
        let descriptor = &question.descriptor;
        let fault = question.smem.as_ref().and_then(|layout| smem::fault(descriptor, layout));
        let fitting = question.smem.as_ref().filter(|_| fault.is_some());
        let fitting = fitting.and_then(|layout| smem::fitting(descriptor, layout)).map(|layout| smem::shown(&layout));
        let all = descriptor.violations();
        let (theorem, limits) = all.into_iter().partition(|violation| violation.rule == Rule::Fttc);
        Report { question, weak, limits, theorem, fault, fitting }
    }

    /// Whether a limit is exceeded, the layout of shared memory does not fit, or the required correctness is impossible.
    pub fn fails(&self) -> bool {
        !self.limits.is_empty() || self.fault.is_some() || (!self.weak && !self.theorem.is_empty())
    }

    /// The verdicts as text.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let descriptor = &self.question.descriptor;
        for violation in &self.limits {
            writeln!(out, "error[{}]: {violation}", violation.rule.name())?;
            writeln!(out, "  rule: {} (CUDA driver: cuTensorMapEncodeTiled)", violation.rule.text())?;
            suggest(descriptor, violation, None, out)?;
            writeln!(out)?;
        }
        for violation in &self.theorem {
            fttc(descriptor, violation, self.weak, out)?;
        }
        if let Some(fault) = &self.fault {
            writeln!(out, "error[smem]: {fault}")?;
            writeln!(
                out,
                "  rule: the copy writes a tile as one contiguous run of shared memory, in the order of the tile, and then swizzles it"
            )?;
            if let Some(fitting) = &self.fitting {
                writeln!(out, "  suggestion, checked: --smem '{fitting}'")?;
            }
            writeln!(out)?;
        }
        summary(self.question, self.weak, self.limits.len(), &self.theorem, self.fault.as_deref(), out)
    }

    /// The verdicts as JSON.
    pub fn object(&self) -> Value {
        let descriptor = &self.question.descriptor;
        let entry = |violation: &Violation| {
            json!({
                "rule": violation.rule.name(),
                "dimension": violation.dimension,
                "value": violation.value,
                "limit": violation.limit,
                "message": violation.to_string(),
                "help": descriptor.suggestions(violation).iter().map(|s| s.text.clone()).collect::<Vec<_>>(),
            })
        };
        json!({
            "hardware": self.limits.iter().map(entry).collect::<Vec<_>>(),
            "fttc": {
                "strong": self.theorem.is_empty(),
                "violations": self.theorem.iter().filter_map(|v| v.dimension).collect::<Vec<_>>(),
                "details": self.theorem.iter().map(entry).collect::<Vec<_>>(),
            },
            "smem": self.fault,
            "smem_help": self.fitting,
            "notes": descriptor.notes(),
        })
    }
}

/// The consultation of the theorem: what was given, which clause fails, what follows, what to do.
fn fttc(descriptor: &Descriptor, violation: &Violation, weak: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let Dimension { size, box_size, element_stride, .. } = violation.numbers();
    let d = violation.dimension.unwrap_or(0);
    let kind = if weak { "note" } else { "error" };
    let rest = box_size % element_stride;
    writeln!(out, "{kind}[fttc]: strong correctness is impossible in dimension {d}")?;
    writeln!(out, "  given:")?;
    writeln!(out, "    tensor size     {size}")?;
    writeln!(out, "    box size        {box_size}")?;
    writeln!(out, "    element stride  {element_stride}")?;
    writeln!(out, "  the fundamental theorem of TMA correctness (nvFuser, Theorem 6) rules it out if all three hold:")?;
    writeln!(out, "    element stride ({element_stride}) < box size ({box_size})")?;
    writeln!(out, "    element stride ({element_stride}) does not divide box size ({box_size}): {rest} are left over")?;
    writeln!(out, "    box size ({box_size}) < tensor size ({size})")?;
    writeln!(
        out,
        "  therefore: the copy that starts at {rest} must load element {rest}, which is in the tile, and must write 0 for element \
         {box_size},\n    which is past the box; both elements are in the tensor, so the hardware loads both"
    )?;
    let weaker = "accept weak correctness (--weak): elements of the tensor are correct, holes are not filled; sufficient if \
                  every read of a hole is predicated";
    suggest(descriptor, violation, (!weak).then_some(weaker), out)?;
    writeln!(out)?;
    Ok(())
}

fn suggest(
    descriptor: &Descriptor,
    violation: &Violation,
    last: Option<&str>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let suggestions = descriptor.suggestions(violation);
    let texts = suggestions.iter().map(|suggestion| suggestion.text.as_str()).chain(last);
    let mut texts = texts.enumerate().peekable();
    if texts.peek().is_some() {
        writeln!(out, "  suggestions, each checked:")?;
    }
    for (i, text) in texts {
        writeln!(out, "    {}. {text}", i + 1)?;
    }
    Ok(())
}

pub(super) fn scattered(fault: &TileFault) -> String {
    match fault {
        TileFault::Scattered { index, offset } => {
            format!(
                "element {index} of a tile is at offset {offset} of the layout, but the copy writes it at offset {index}"
            )
        }
        TileFault::Straddles { offset, tile } => {
            format!("a tile begins at offset {offset}, which must be a multiple of the tile size {tile}")
        }
        TileFault::Shared { offset: Some(offset) } => {
            format!("two tiles begin at offset {offset}: one overwrites the other")
        }
        TileFault::Shared { offset: None } => {
            "there are more tiles than distinct tile offsets: one tile overwrites another".into()
        }
        TileFault::Size { given, tile } => {
            format!("mode 0 of the layout must be the tile of {tile} elements that one copy writes; it has {given}")
        }
        TileFault::Unknown { bound } => {
            format!("not decided: whether two tiles begin at the same offset; at most {bound} tiles are compared")
        }
        _ => "the layout of shared memory is not known to fit".into(),
    }
}

fn by(values: impl Iterator<Item = u64>) -> String {
    let values: Vec<String> = values.map(|value| value.to_string()).collect();
    if values.is_empty() { "nothing".into() } else { values.join("×") }
}

fn summary(
    question: &Question,
    weak: bool,
    limits: usize,
    theorem: &[Violation],
    fault: Option<&str>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let descriptor = &question.descriptor;
    let dimensions = || descriptor.dimensions.iter();
    writeln!(out, "tensor    {} of {}", by(dimensions().map(|d| d.size)), descriptor.data_type.name())?;
    writeln!(out, "box       {}", by(dimensions().map(|d| d.box_size)))?;
    let tile = by(descriptor.tile().into_iter());
    let bytes = descriptor.transfer_bytes().map_or(String::new(), |bytes| format!(", {bytes} bytes"));
    writeln!(out, "tile      {tile}{bytes}, element strides {}", by(dimensions().map(|d| d.element_stride)))?;
    match limits {
        0 => writeln!(out, "hardware  within every limit")?,
        1 => writeln!(out, "hardware  1 limit exceeded")?,
        n => writeln!(out, "hardware  {n} limits exceeded")?,
    }
    if limits > 0 {
        writeln!(out, "weak      if the limits are met")?;
        writeln!(out, "strong    {}", if theorem.is_empty() { "if the limits are met" } else { "impossible" })?;
        return notes(question, fault, out);
    }
    writeln!(
        out,
        "weak      every element of the tensor arrives, if no predicate skips a tile that has elements of the tensor"
    )?;
    if theorem.is_empty() {
        writeln!(
            out,
            "strong    holes are filled too, if every copy is issued; where an index that the tensor map does not check is out of \
             range, issue the copy at coordinates outside the tensor"
        )?;
    } else {
        let at: Vec<String> = theorem.iter().filter_map(|v| v.dimension).map(|d| d.to_string()).collect();
        let asked = if weak { ", not required" } else { "" };
        writeln!(out, "strong    impossible in dimension {}{asked}", at.join(" and "))?;
    }
    notes(question, fault, out)
}

fn notes(question: &Question, fault: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(layout) = &question.smem {
        let verdict = match fault {
            None if layout.swizzle().bits() > 0 => "tiles are contiguous, with the swizzle of the tensor map",
            None => "tiles are contiguous",
            Some(fault) if fault.starts_with("not decided") => "not decided",
            Some(_) => "does not fit",
        };
        writeln!(out, "shared    {}: {verdict}", smem::shown(layout))?;
        if let Some(written) = smem::written(&question.descriptor, layout).filter(|_| fault.is_none()) {
            writeln!(out, "          the engine swizzles it: read it as {written}")?;
        }
    }
    for note in question.descriptor.notes() {
        writeln!(out, "note: {note}")?;
    }
    Ok(())
}
