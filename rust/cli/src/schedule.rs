//! `razorgirl schedule`: the loop nest of a schedule, its holes, what has to be checked, and equivalence.

use crate::{input, json};
use razorgirl::iter_domain::{Equality, Equivalence, Predicate, PredicateReason, Schedule, Step, Swizzle};
use razorgirl_protocol::{Argument, Output};
use razorgirl_view::failure::Failure;
use std::io::Write;
use std::process::ExitCode;

/// `razorgirl schedule`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "A schedule is text, '[128,7777] split(0,32) split_outer(1,4) merge(1,2) reorder(2,0,1) resize(0,1,-2) \
                        swizzle(xor,0,1)', or JSON, {\"extents\":[128,7777],\"steps\":[{\"split\":0,\"factor\":32},\
                        {\"merge\":[1,2]}]}. An axis is a position, from 0, in the list of axes before that step. At most \
                        65536 steps and 1024 axes."
)]
pub struct Args {
    /// the schedule as text, '[128,7777] split(0,32)', or a file with it; '-' reads standard input
    #[arg(value_name = "SCHEDULE")]
    schedule: String,
    /// compare with this schedule: equivalent if the loops are the same and each loop point accesses the same element or is a hole in both
    #[arg(long, value_name = "SCHEDULE")]
    equivalent: Option<String>,
    /// with --equivalent: nvFuser's equality, which compares the index at each loop point and ignores out-of-range intermediate axes
    #[arg(long, requires = "equivalent", conflicts_with = "valid_items")]
    e2: bool,
    /// with --equivalent: compare only the loop point of each element of the tensor
    #[arg(long, requires = "equivalent")]
    valid_items: bool,
    /// print the loops, holes and checks as JSON; with --equivalent the answer of the operation `schedule_equivalent`, `…_e2` or
    /// `…_valid_items`
    #[arg(long)]
    json: bool,
}

/// Lines of a loop nest, and checks, that are printed.
const LINES: usize = 200;

fn read(word: &str) -> Result<Schedule, Failure> {
    let text = input::text_or_file(word, &['[', '{'])?;
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
    let schedule = read(&args.schedule)?;
    match &args.equivalent {
        None if args.json => print(&schedule, out),
        None => show(&schedule, out),
        Some(other) if args.json => {
            let name = match (args.e2, args.valid_items) {
                (true, _) => "schedule_equivalent_e2",
                (_, true) => "schedule_equivalent_valid_items",
                _ => "schedule_equivalent",
            };
            let both = vec![Argument::Schedule(schedule), Argument::Schedule(read(other)?)];
            json::answer(&json::called(name, both)?, true, out)
        }
        Some(other) => {
            let which = match (args.e2, args.valid_items) {
                (true, _) => Equality::E2,
                (_, true) => Equality::ValidItems,
                _ => Equality::Program,
            };
            compare(&schedule, &read(other)?, which, out)
        }
    }
}

fn list<T: std::fmt::Display>(values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(T::to_string).collect();
    format!("({})", values.join(","))
}

/// The axes to check: none where no point is a hole, for the rule says what is enough, not what is least.
fn checks(schedule: &Schedule) -> Vec<Predicate> {
    if matches!(schedule.holes(), Ok(0)) { vec![] } else { schedule.predicates() }
}

/// Loops, points, holes and checks; what cannot be counted is `null`.
fn print(schedule: &Schedule, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let number = |number: Option<u128>| {
        number.and_then(|number| i128::try_from(number).ok()).map_or(Output::None, Output::Integer)
    };
    let checks = checks(schedule)
        .into_iter()
        .map(|check| Output::Named(vec![("axis", check.axis.into()), ("extent", check.extent.into())]));
    let fields = vec![
        ("loops", schedule.loop_extents().into()),
        ("points", number(schedule.points())),
        ("holes", number(schedule.holes().ok())),
        ("checks", Output::List(checks.collect())),
    ];
    json::result(Output::Named(fields), out)
}

fn show(schedule: &Schedule, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if schedule.steps().len() <= LINES {
        writeln!(out, "{schedule}\n")?;
    }
    let holes = schedule.holes();
    let predicates = checks(schedule);
    let lines = nest(schedule, &predicates);
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
    Ok(ExitCode::SUCCESS)
}

fn reason(predicate: &Predicate) -> &'static str {
    match predicate.why {
        PredicateReason::Root => "loop points may lie outside of this axis of the tensor",
        PredicateReason::InnerOfSplit => {
            "the inner part of a split may reach past its extent, and would stand for elements of the next outer index"
        }
        PredicateReason::Swizzled => "it is permuted with another axis and may be out of range there",
        PredicateReason::Resized => "what a resize cut off may come back into range unseen",
        _ => "it may be out of range",
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

fn compare(left: &Schedule, right: &Schedule, which: Equality, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let what = match which {
        Equality::E2 => "the same index at every point; which axes are left on the way was not looked at",
        Equality::ValidItems => "every element at the same point that the steps take it to, or there in neither",
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
            ExitCode::SUCCESS
        }
        Equivalence::Extents { left: a, right: b } => {
            let same_tensor = left.extents() == right.extents();
            let of = if same_tensor { "loops" } else { "tensors" };
            writeln!(out, "different: {of} {} against {}", list(&a), list(&b))?;
            ExitCode::from(1)
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
            ExitCode::from(1)
        }
        Equivalence::Unknown { bound } => {
            writeln!(
                out,
                "unknown: the rules do not show them equal, no difference was found, and points times axes and steps are \
                 more than {bound}"
            )?;
            ExitCode::from(1)
        }
        _ => {
            writeln!(out, "unknown: this answer has no name here")?;
            ExitCode::from(1)
        }
    })
}
