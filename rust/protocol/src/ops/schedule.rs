//! Schedules of axes.

use razorgirl::iter_domain::{Equivalence, Schedule, Which};
use serde_json::Value;

use crate::code::{Code, Refusal};
use crate::operand::Operand;
use crate::schedule::schedule_from_json;
use crate::write::{Answer, put, put_list};

use super::{Options, Outcome};

/// Loop points that are answered at most.
const MAX_POINTS: u128 = 1 << 20;

fn schedule(args: &[Value], place: usize) -> Result<Schedule, Refusal> {
    schedule_from_json(args.get(place).unwrap_or(&Value::Null)).map_err(|mut refusal| {
        refusal.message = format!("argument {}: {}", place + 1, refusal.message);
        refusal
    })
}

pub(super) fn equivalent(_: &[Operand], options: &Options) -> Outcome {
    let args = options.values()?;
    let (left, right) = crate::code::both(schedule(&args, 0), schedule(&args, 1))?;
    let null = |text: &mut String| text.push_str("null");
    match left.equivalent(&right, Which::Loops) {
        Equivalence::Equal { .. } => Ok(Answer::plain(true).beside("witness", null)),
        Equivalence::Differ { at, .. } => Ok(Answer::plain(false).beside("witness", |text| put_list(text, at, put))),
        Equivalence::Unknown { bound } => Err(Refusal::new(
            Code::TooLarge,
            format!("not decided: the rules do not show them equal, no difference was found, and the loops have over {bound} points"),
        )
        .with_help("ask with smaller extents, or with splits that divide")),
        Equivalence::Extents { .. } => Ok(Answer::plain(false).beside("witness", null)),
    }
}

pub(super) fn predicates(_: &[Operand], options: &Options) -> Outcome {
    let schedule = schedule(&options.values()?, 0)?;
    let axes = schedule.predicates();
    Ok(Answer::write(|text| put_list(text, axes, |text, predicate| put(text, predicate.axis))))
}

pub(super) fn eval(_: &[Operand], options: &Options) -> Outcome {
    let schedule = schedule(&options.values()?, 0)?;
    if schedule.points().is_none_or(|points| points > MAX_POINTS) {
        return Err(Refusal::new(Code::TooLarge, format!("the loops have more than {MAX_POINTS} points"))
            .with_help("ask with smaller extents"));
    }
    Ok(Answer::write(|text| {
        put_list(text, schedule.elements(), |text, element| match element {
            Some(index) => put(text, index),
            None => text.push_str("null"),
        });
    }))
}
