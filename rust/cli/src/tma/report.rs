//! What was found out about a tensor map.

use super::{Question, smem};
use razorgirl::tma::{Descriptor, Dimension, Rule, TileFault, Violation};
use razorgirl_view::failure::Failure;
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;

/// Prints the verdicts; status 1 when something asked for does not hold.
pub fn write(question: &Question, weak: bool, as_json: bool, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let descriptor = &question.descriptor;
    let fault = question.smem.as_ref().and_then(|layout| smem::fault(descriptor, layout));
    let all = descriptor.violations();
    let (theorem, limits): (Vec<_>, Vec<_>) = all.into_iter().partition(|violation| violation.rule == Rule::Fttc);
    let fails = !limits.is_empty() || fault.is_some() || (!weak && !theorem.is_empty());
    if as_json {
        writeln!(out, "{}", object(descriptor, &limits, &theorem, fault.as_deref()))?;
        return Ok(status(fails));
    }
    for violation in &limits {
        writeln!(out, "error[{}]: {violation}", violation.rule.name())?;
        writeln!(out, "  rule: {} (CUDA driver: cuTensorMapEncodeTiled)", violation.rule.text())?;
        suggest(descriptor, violation, None, out)?;
        writeln!(out)?;
    }
    for violation in &theorem {
        fttc(descriptor, violation, weak, out)?;
    }
    if let Some(fault) = &fault {
        writeln!(out, "error[smem]: {fault}")?;
        writeln!(
            out,
            "  rule: the copy writes a tile as one contiguous run of shared memory, in the order of the tile, and then swizzles it"
        )?;
        if let Some(other) = question.smem.as_ref().and_then(|layout| smem::fitting(descriptor, layout)) {
            writeln!(out, "  suggestion, checked: --smem '{}'", smem::shown(&other))?;
        }
        writeln!(out)?;
    }
    summary(question, weak, limits.len(), &theorem, fault.as_deref(), out)?;
    Ok(status(fails))
}

fn status(fails: bool) -> ExitCode {
    if fails { ExitCode::from(1) } else { ExitCode::SUCCESS }
}

/// The consultation of the theorem: what was given, which clause fails, what follows, what to do.
fn fttc(descriptor: &Descriptor, violation: &Violation, weak: bool, out: &mut impl Write) -> Result<(), Failure> {
    let Dimension { size, box_size, element_stride, .. } = violation.numbers();
    let d = violation.dimension.unwrap_or(0);
    let kind = if weak { "note" } else { "error" };
    let rest = box_size % element_stride;
    writeln!(out, "{kind}[fttc]: strong correctness is impossible in dimension {d}")?;
    writeln!(out, "  given:")?;
    writeln!(out, "    tensor size     {size}")?;
    writeln!(out, "    box size        {box_size}")?;
    writeln!(out, "    element stride  {element_stride}")?;
    writeln!(out, "  the fundamental theorem of TMA correctness (nvFuser, Theorem 6) excludes, all at once:")?;
    writeln!(out, "    element stride ({element_stride}) < box size ({box_size})")?;
    writeln!(out, "    element stride ({element_stride}) does not divide box size ({box_size}): {rest} are left over")?;
    writeln!(out, "    box size ({box_size}) < tensor size ({size})")?;
    writeln!(
        out,
        "  therefore: the copy that starts at {rest} brings element {rest}, which the tile needs, and element {box_size}, which is \
         past\n    the box and should be 0; the hardware sees that both are in the tensor, so it cannot do both"
    )?;
    let weaker = "weak correctness: elements of the tensor are right, holes are not filled; enough when nothing reads the \
                  holes unpredicated (--weak)";
    suggest(descriptor, violation, (!weak).then_some(weaker), out)?;
    writeln!(out)?;
    Ok(())
}

fn suggest(
    descriptor: &Descriptor,
    violation: &Violation,
    last: Option<&str>,
    out: &mut impl Write,
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

pub fn scattered(fault: &TileFault) -> String {
    match fault {
        TileFault::Scattered { index, offset } => {
            format!("element {index} of a tile lies at {offset} in shared memory, where the copy writes it at {index}")
        }
        TileFault::Straddles { offset, tile } => {
            format!(
                "a tile begins at {offset}, which is no multiple of the {tile} elements of a tile: tiles overlap or straddle"
            )
        }
        TileFault::Shared { offset: Some(offset) } => format!("two tiles begin at {offset}: one overwrites the other"),
        TileFault::Shared { offset: None } => {
            "there are more tiles than places where they begin: one overwrites another".into()
        }
        TileFault::Size { given, tile } => {
            format!("mode 0 of the layout is the tile and has {given} elements, where one copy brings {tile}")
        }
        TileFault::Unknown { bound } => format!(
            "not decided: whether two tiles begin at the same place was not found out by going through {bound} of them"
        ),
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
    out: &mut impl Write,
) -> Result<(), Failure> {
    let descriptor = &question.descriptor;
    let dimensions = || descriptor.dimensions.iter();
    writeln!(out, "tensor    {} of {}", by(dimensions().map(|d| d.size)), descriptor.data_type.name())?;
    writeln!(out, "box       {}", by(dimensions().map(|d| d.box_size)))?;
    let tile = by(descriptor.tile().into_iter());
    let bytes = descriptor.transfer_bytes().map_or(String::new(), |bytes| format!(", {bytes} bytes"));
    writeln!(out, "tile      {tile}{bytes}, element strides {}", by(dimensions().map(|d| d.element_stride)))?;
    match limits {
        0 => writeln!(out, "hardware  every limit kept")?,
        1 => writeln!(out, "hardware  1 limit broken")?,
        n => writeln!(out, "hardware  {n} limits broken")?,
    }
    if limits > 0 {
        writeln!(out, "weak      once the limits are kept")?;
        writeln!(out, "strong    {}", if theorem.is_empty() { "once the limits are kept" } else { "impossible" })?;
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
        let asked = if weak { ", not asked for" } else { "" };
        writeln!(out, "strong    impossible, by dimension {}{asked}", at.join(" and "))?;
    }
    notes(question, fault, out)
}

fn notes(question: &Question, fault: Option<&str>, out: &mut impl Write) -> Result<(), Failure> {
    if let Some(layout) = &question.smem {
        let verdict = match fault {
            None if layout.swizzle().bits() > 0 => "tiles are contiguous runs, swizzled as the engine does",
            None => "tiles are contiguous runs",
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

fn object(descriptor: &Descriptor, limits: &[Violation], theorem: &[Violation], fault: Option<&str>) -> Value {
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
        "hardware": limits.iter().map(entry).collect::<Vec<_>>(),
        "fttc": {
            "strong": theorem.is_empty(),
            "violations": theorem.iter().filter_map(|v| v.dimension).collect::<Vec<_>>(),
            "details": theorem.iter().map(entry).collect::<Vec<_>>(),
        },
        "smem": fault,
        "notes": descriptor.notes(),
    })
}
