//! `razorgirl schedule`: the loop nest of a schedule, its holes, what has to be checked, and equivalence.

use crate::failure::Failure;
use crate::input;
use razorgirl::iter_domain::{Equivalence, Predicate, Schedule, Step, Swizzle, Which, Why};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `razorgirl schedule`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "A schedule is text, '[128,7777] split(0,32) split_outer(1,4) merge(1,2) reorder(2,0,1) resize(0,1,-2) \
                        swizzle(xor,0,1)', or JSON, {\"extents\":[128,7777],\"steps\":[{\"split\":0,\"factor\":32},\
                        {\"merge\":[1,2]}]}. Axes are positions in the list as it is at that step, from 0. Exit status: 0, or \
                        for --equivalent 1 when they differ or it is not decided; 2 for wrong input."
)]
pub struct Args {
    /// the schedule; '-' reads standard input
    file: PathBuf,
    /// whether this one is the same loop nest: the same loops, the same index at every point, holes included
    #[arg(long, value_name = "FILE")]
    equivalent: Option<PathBuf>,
    /// with --equivalent: compare only where the elements of the tensor go
    #[arg(long, requires = "equivalent")]
    valid_items: bool,
}

/// Loop points that are counted one by one.
const COUNTED: u128 = 1 << 20;

/// Lines of a loop nest, and checks, that are printed.
const LINES: usize = 200;

fn read(path: &Path) -> Result<Schedule, Failure> {
    let text = input::text(path)?;
    let unreadable = |code: &str, message: String, help: &[String]| Failure::Unreadable {
        code: code.to_owned(),
        message,
        help: help.to_vec(),
    };
    if text.trim_start().starts_with('{') {
        let value = input::json(&text, "{\"extents\":[128],\"steps\":[{\"split\":0,\"factor\":32}]}")?;
        razorgirl_protocol::schedule_from_json(&value)
            .map_err(|refusal| unreadable(refusal.code.name(), refusal.message, &refusal.help))
    } else {
        text.parse().map_err(|error: razorgirl::Error| {
            let place = error.position().filter(|_| !error.to_string().contains("at byte"));
            let place = place.map_or(String::new(), |byte| format!(" (byte {byte})"));
            unreadable(error.code(), format!("{error}{place}"), error.help())
        })
    }
}

/// Prints the loop nest, or compares two.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let schedule = read(&args.file)?;
    match &args.equivalent {
        None => show(&schedule, out),
        Some(other) => {
            let which = if args.valid_items { Which::ValidItems } else { Which::Loops };
            compare(&schedule, &read(other)?, which, out)
        }
    }
}

fn list<T: std::fmt::Display>(values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(T::to_string).collect();
    format!("({})", values.join(","))
}

fn show(schedule: &Schedule, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if schedule.steps().len() <= LINES {
        writeln!(out, "{schedule}\n")?;
    }
    let predicates = schedule.predicates();
    let lines = nest(schedule, &predicates);
    for line in lines.iter().take(LINES) {
        writeln!(out, "{line}")?;
    }
    if lines.len() > LINES {
        writeln!(out, "… {} lines more", lines.len() - LINES)?;
    }
    writeln!(out, "\nloops   {}", list(&schedule.loop_extents()))?;
    match (holes(schedule), schedule.points()) {
        (Some(0), Some(points)) => writeln!(out, "holes   none of {points} points")?,
        (Some(holes), Some(points)) => writeln!(out, "holes   {holes} of {points} points")?,
        _ => writeln!(out, "holes   not counted: more than {COUNTED} points")?,
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
    Ok(ExitCode::SUCCESS)
}

fn reason(predicate: &Predicate) -> &'static str {
    match predicate.why {
        Why::Root => "the loops reach past this axis of the tensor",
        Why::InnerOfSplit => {
            "the inner part of a split reaches past its extent, and would stand for elements of the next outer index"
        }
        Why::Swizzled => "it is permuted with another axis and may be out of range there",
        Why::Resized => "what a resize cut off would come back into range unseen",
        _ => "it may be out of range",
    }
}

/// Holes among the loop points. Splits, merges and reorders show each element of the tensor once.
fn holes(schedule: &Schedule) -> Option<u128> {
    let points = schedule.points()?;
    let plain = |step: &Step| !matches!(step, Step::Resize { .. } | Step::Swizzle { .. });
    if schedule.steps().iter().all(plain) {
        let size: u128 = schedule.extents().iter().map(|&extent| u128::from(extent)).product();
        return points.checked_sub(size);
    }
    (points <= COUNTED).then(|| schedule.elements().filter(Option::is_none).count() as u128)
}

/// The loop nest as a program: axis number n is `i<n>`.
fn nest(schedule: &Schedule, predicates: &[Predicate]) -> Vec<String> {
    let mut lines = vec![];
    for (depth, (axis, extent)) in schedule.loops().iter().zip(schedule.loop_extents()).enumerate() {
        lines.push(format!("{:indent$}for i{axis} in 0..{extent}:", "", indent = 2 * depth));
    }
    let indent = 2 * schedule.loops().len();
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
                };
                body.push(format!("i{a}, i{b} = i{u}, {moved}"));
                (axes[x], axes[y]) = (u, v);
            }
        }
    }
    lines.extend(body.into_iter().rev().map(|line| format!("{:indent$}{line}", "")));
    let roots: Vec<String> = (0..schedule.extents().len()).map(|axis| format!("i{axis}")).collect();
    let access = format!("tensor[{}]", roots.join(", "));
    if predicates.is_empty() {
        lines.push(format!("{:indent$}{access}", ""));
    } else {
        let checks: Vec<String> =
            predicates.iter().map(|predicate| format!("0 <= i{} < {}", predicate.axis, predicate.extent)).collect();
        lines.push(format!("{:indent$}if {}:", "", checks.join(" and ")));
        lines.push(format!("{:indent$}  {access}", ""));
    }
    lines
}

fn compare(left: &Schedule, right: &Schedule, which: Which, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let what = match which {
        Which::Loops => "the same index at every point, holes included",
        Which::ValidItems => "every element of the tensor at the same point",
    };
    Ok(match left.equivalent(right, which) {
        Equivalence::Equal { enumerated } => {
            let how = if enumerated {
                "all points were compared"
            } else {
                "by the rules of integer division, for all points"
            };
            writeln!(out, "equivalent: the same loops, {what} ({how})")?;
            ExitCode::SUCCESS
        }
        Equivalence::Extents { left: a, right: b } => {
            let same_tensor = left.extents() == right.extents();
            let of = if same_tensor { "loops" } else { "tensors" };
            writeln!(out, "different: {of} {} against {}", list(&a), list(&b))?;
            ExitCode::from(1)
        }
        Equivalence::Differ { at, left, right } => {
            match which {
                Which::Loops => writeln!(
                    out,
                    "different: at loop point {} the first is at element {}, the second at {}",
                    list(&at),
                    list(&left),
                    list(&right)
                )?,
                Which::ValidItems => writeln!(
                    out,
                    "different: element {} is at loop point {} of the first, at {} of the second",
                    list(&at),
                    list(&left),
                    list(&right)
                )?,
            }
            ExitCode::from(1)
        }
        Equivalence::Unknown { bound } => {
            writeln!(
                out,
                "unknown: the rules do not show them equal, no difference was found, and there are more than {bound} points"
            )?;
            ExitCode::from(1)
        }
    })
}
