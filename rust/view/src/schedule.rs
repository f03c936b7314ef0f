//! Schedules in words: the loop nest, its holes, the bounds checks, and whether two schedules are equal.

use razorgirl::iter_domain::{Equality, Equivalence, Predicate, PredicateReason, Schedule, Step, Swizzle};
use std::io::Write;

/// Lines of a loop nest, and checks, that are printed.
const LINES: usize = 200;

fn list<T: std::fmt::Display>(values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(T::to_string).collect();
    format!("({})", values.join(","))
}

/// The loop nest of a schedule, its holes, and the axes whose bounds the program has to check.
#[derive(Debug)]
pub struct Report<'a> {
    schedule: &'a Schedule,
    holes: razorgirl::Result<u128>,
    predicates: Vec<Predicate>,
}

impl<'a> Report<'a> {
    /// Counts the holes and finds the checks.
    pub fn new(schedule: &'a Schedule) -> Self {
        let holes = schedule.holes();
        // the predicates are sufficient, not minimal: where no point is a hole, no check is needed
        let predicates = if matches!(holes, Ok(0)) { vec![] } else { schedule.predicates() };
        Report { schedule, holes, predicates }
    }

    /// How many loop points access no element, or why they are not counted.
    pub fn holes(&self) -> &razorgirl::Result<u128> {
        &self.holes
    }

    /// The axes to check: a loop point is a hole exactly if the index of one of them is out of range.
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// The report as text.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Report { schedule, holes, predicates } = self;
        if schedule.steps().len() <= LINES {
            writeln!(out, "{schedule}\n")?;
        }
        let lines = nest(schedule, predicates);
        for line in &lines.shown {
            writeln!(out, "{line}")?;
        }
        if lines.more > 0 {
            writeln!(out, "… {} lines more", lines.more)?;
        }
        writeln!(out, "\nloops   {}", list(&schedule.loop_extents()))?;
        match (holes, schedule.points()) {
            (Ok(0), Some(points)) => writeln!(out, "holes   none of {points} points")?,
            (Ok(holes), Some(points)) => writeln!(out, "holes   {holes} of {points} points")?,
            (Err(error), _) => writeln!(out, "holes   not counted: {error}")?,
            (Ok(_), None) => writeln!(out, "holes   not counted: 2^128 points or more")?,
        }
        if predicates.is_empty() {
            writeln!(out, "checks  none: every axis is in range at every point")?;
        }
        for (n, predicate) in predicates.iter().take(LINES).enumerate() {
            let head = if n == 0 { "checks" } else { "" };
            writeln!(out, "{head:<8}i{} < {}: {}", predicate.axis, predicate.extent, reason(predicate))?;
        }
        if predicates.len() > LINES {
            writeln!(out, "        … {} checks more", predicates.len() - LINES)?;
        }
        Ok(())
    }
}

/// Why an axis has to be checked.
pub fn reason(predicate: &Predicate) -> &'static str {
    match predicate.why {
        PredicateReason::Root => "the index may be out of range of the tensor",
        PredicateReason::InnerOfSplit => {
            "the inner index of a split may exceed its extent; unchecked, it would access elements of the next outer index"
        }
        PredicateReason::Swizzled => "a swizzle permutes this axis, and the index may be out of range",
        PredicateReason::Resized => "an index that a resize cuts off may come back into range",
        _ => "the index may be out of range",
    }
}

/// Lines to print, and how many there are besides.
#[derive(Default)]
struct Lines {
    shown: Vec<String>,
    more: usize,
}

impl Lines {
    fn push(&mut self, depth: usize, line: &str) {
        if self.shown.len() < LINES {
            self.shown.push(format!("{}{line}", "  ".repeat(depth)));
        } else {
            self.more += 1;
        }
    }
}

/// The loop nest as a program: axis number n is `i<n>`.
fn nest(schedule: &Schedule, predicates: &[Predicate]) -> Lines {
    let mut lines = Lines::default();
    for (depth, (axis, extent)) in schedule.loops().iter().zip(schedule.loop_extents()).enumerate() {
        lines.push(depth, &format!("for i{axis} in 0..{extent}:"));
    }
    let depth = schedule.loops().len();
    let mut body = vec![];
    let mut axes: Vec<usize> = (0..schedule.extents().len()).collect();
    let mut next = axes.len();
    let mut make = |count: usize| {
        next += count;
        next - count
    };
    let extent = |axis: usize| schedule.extent(axis).unwrap_or(1);
    for step in schedule.steps() {
        match *step {
            Step::Split { axis, .. } | Step::SplitOuter { axis, .. } => {
                let made = make(2);
                body.push(format!("i{} = i{made}*{} + i{}", axes[axis], extent(made + 1), made + 1));
                axes.splice(axis..=axis, [made, made + 1]);
            }
            Step::Merge { outer, inner } => {
                let made = make(1);
                let (a, b) = (axes[outer], axes[inner]);
                body.push(format!("i{a}, i{b} = divmod(i{made}, {})", extent(b)));
                axes[outer] = made;
                axes.remove(inner);
            }
            Step::Reorder { ref order } => axes = order.iter().map(|&position| axes[position]).collect(),
            Step::Resize { axis, left, .. } => {
                let made = make(1);
                let sign = if left < 0 { '+' } else { '-' };
                body.push(format!("i{} = i{made} {sign} {}", axes[axis], left.unsigned_abs()));
                axes[axis] = made;
            }
            Step::Swizzle { kind, x, y } => {
                let made = make(2);
                let (a, b) = (axes[x], axes[y]);
                let (u, v) = (made, made + 1);
                let moved = match kind {
                    Swizzle::Xor => format!("i{u} ^ i{v}"),
                    Swizzle::Cyclic => format!("(i{v} - i{u}) mod {}", extent(a)),
                    Swizzle::ZShape => format!("i{v} if i{u} is even else {} - i{v}", extent(b) - 1),
                    other => format!("{other}(i{u}, i{v})"),
                };
                body.push(format!("i{a}, i{b} = i{u}, {moved}"));
                (axes[x], axes[y]) = (u, v);
            }
            ref other => body.push(other.to_string()),
        }
    }
    for line in body.iter().rev() {
        lines.push(depth, line);
    }
    let roots: Vec<String> = (0..schedule.extents().len()).map(|axis| format!("i{axis}")).collect();
    let access = format!("tensor[{}]", roots.join(", "));
    if predicates.is_empty() {
        lines.push(depth, &access);
    } else {
        let checks: Vec<String> = predicates
            .iter()
            .take(LINES)
            .map(|predicate| format!("0 <= i{} < {}", predicate.axis, predicate.extent))
            .collect();
        let more = if predicates.len() > LINES { " and …" } else { "" };
        lines.push(depth, &format!("if {}{more}:", checks.join(" and ")));
        lines.push(depth + 1, &access);
    }
    lines
}

/// Prints whether two schedules are equal; `None` if that is not decided.
///
/// # Errors
/// If `out` cannot be written.
pub fn compare(
    left: &Schedule,
    right: &Schedule,
    which: Equality,
    out: &mut dyn Write,
) -> std::io::Result<Option<bool>> {
    let what = match which {
        Equality::E2 => "the same index at every point; out-of-range intermediate axes are ignored",
        Equality::ValidItems => "every element at the same loop point, or at none in both",
        _ => "the same element at every point, and the same points are holes",
    };
    let at = |image: &Option<Vec<i128>>| image.as_deref().map_or("a hole".to_owned(), list);
    Ok(match left.equivalent_by(right, which) {
        Equivalence::Equal { enumerated } => {
            let how = if enumerated {
                "all points were compared"
            } else {
                "by the rules of integer division, for all points"
            };
            writeln!(out, "equivalent: the same loops, {what} ({how})")?;
            Some(true)
        }
        Equivalence::Extents { left: a, right: b } => {
            let same_tensor = left.extents() == right.extents();
            let of = if same_tensor { "loops" } else { "tensors" };
            writeln!(out, "different: {of} {} against {}", list(&a), list(&b))?;
            Some(false)
        }
        Equivalence::Differ { at: point, left, right } => {
            let point = list(&point);
            match which {
                Equality::E2 => writeln!(
                    out,
                    "different: loop point {point} goes back to index {} in the first, to {} in the second",
                    at(&left),
                    at(&right)
                )?,
                Equality::ValidItems => {
                    let side = |image: &Option<Vec<i128>>| {
                        image
                            .as_deref()
                            .map_or("no loop point".to_owned(), |point| format!("loop point {}", list(point)))
                    };
                    writeln!(
                        out,
                        "different: element {point} is at {} of the first, at {} of the second",
                        side(&left),
                        side(&right)
                    )?;
                }
                _ => {
                    let side = |image: &Option<Vec<i128>>| {
                        image.as_deref().map_or("a hole".to_owned(), |indices| format!("element {}", list(indices)))
                    };
                    writeln!(
                        out,
                        "different: loop point {point} is {} in the first, {} in the second",
                        side(&left),
                        side(&right)
                    )?;
                }
            }
            Some(false)
        }
        Equivalence::Unknown { bound } => {
            writeln!(
                out,
                "unknown: not proved equal and no difference found; points times axes and steps exceed {bound}, too many to compare"
            )?;
            None
        }
        _ => {
            writeln!(out, "unknown")?;
            None
        }
    })
}
