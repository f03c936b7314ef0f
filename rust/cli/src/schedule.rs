//! `razorgirl schedule`: the loop nest of a schedule, its holes, what has to be checked, and equivalence.

use crate::{input, json};
use razorgirl::iter_domain::{Equality, Schedule};
use razorgirl_protocol::{Argument, Output};
use razorgirl_view::failure::Failure;
use razorgirl_view::schedule::{Report, compare};
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
        None => {
            Report::new(&schedule).write(out)?;
            Ok(ExitCode::SUCCESS)
        }
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
            let equal = compare(&schedule, &read(other)?, which, out)?;
            Ok(if equal == Some(true) { ExitCode::SUCCESS } else { ExitCode::from(1) })
        }
    }
}

/// Loops, points, holes and checks; what cannot be counted is `null`.
fn print(schedule: &Schedule, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let number = |number: Option<u128>| {
        number.and_then(|number| i128::try_from(number).ok()).map_or(Output::None, Output::Integer)
    };
    let report = Report::new(schedule);
    let checks = report
        .predicates()
        .iter()
        .map(|check| Output::Named(vec![("axis", check.axis.into()), ("extent", check.extent.into())]));
    let fields = vec![
        ("loops", schedule.loop_extents().into()),
        ("points", number(schedule.points())),
        ("holes", number(report.holes().as_ref().ok().copied())),
        ("checks", Output::List(checks.collect())),
    ];
    json::result(Output::Named(fields), out)
}
