//! Requests for composites, complements and inverses: the normal form, or the refusal with its code.

use super::complement::{self, read_cotarget};
use super::composition;
use super::expected::Expected;
use super::inverse;
use super::layout::{Found, Layout};
use super::refusal::{Refusal, Result};
use super::tiler::Tiler;
use serde_json::Value;

/// The operations of this module, and other names that peers give them.
pub const NAMES: [&str; 14] = [
    "composition",
    "composition_by_mode",
    "composition_extended",
    "complement",
    "complement_cotarget",
    "complement_ceil",
    "right_inverse",
    "left_inverse",
    "quasi_left_inverse",
    "inverse",
    "nullspace",
    "max_common_layout",
    "max_common_vector",
    "composition_complete",
];

/// What the definition says of a request; `complete` asks for every composite that exists.
pub fn expected(op: &str, args: &[Value], complete: bool) -> Expected {
    match run(op, args, complete) {
        Ok(expected) => expected,
        Err(Refusal(code)) => Expected::Refused(code),
    }
}

fn compose(complete: bool) -> impl Fn(&Layout, &Layout) -> Result<Option<Layout>> {
    move |a, b| if complete { composition::complete(a, b) } else { composition::strict(a, b).map(Some) }
}

fn found(layout: Option<Layout>) -> Expected {
    layout.map_or(Expected::Unjudged, |layout| Expected::Value(layout.to_json()))
}

fn perhaps(layout: Found) -> Expected {
    layout.map_or_else(Expected::RefusedAs, |layout| Expected::Value(layout.to_json()))
}

fn run(op: &str, args: &[Value], complete: bool) -> Result<Expected> {
    let takes = |counts: &[usize]| if counts.contains(&args.len()) { Ok(()) } else { Err(Refusal("arity")) };
    let layout = |i: usize| Layout::read(&args[i]);
    Ok(match op {
        "composition" | "composition_complete" => {
            takes(&[2])?;
            found(compose(complete || op == "composition_complete")(&layout(0)?, &layout(1)?)?)
        }
        "composition_by_mode" => {
            takes(&[2])?;
            let (layout, tiler) = (layout(0)?, Tiler::read(&args[1])?);
            if !tiler.fits(&layout) {
                return Err(Refusal("incongruent"));
            }
            found(composition::by_tiler(&layout, &tiler, &compose(complete))?)
        }
        "composition_extended" => {
            takes(&[2])?;
            found(Some(composition::extended(&layout(0)?, &layout(1)?)?))
        }
        "complement" | "complement_cotarget" => {
            takes(&[1, 2])?;
            let layout = layout(0)?;
            let cotarget = args.get(1).map(read_cotarget).transpose()?;
            perhaps(complement::complement(&layout, cotarget.as_ref()))
        }
        "complement_ceil" => {
            takes(&[2])?;
            perhaps(complement::complement_ceil(&layout(0)?, &read_cotarget(&args[1])?))
        }
        "right_inverse" => {
            takes(&[1])?;
            found(Some(inverse::right_inverse(&layout(0)?)))
        }
        "left_inverse" => {
            takes(&[1])?;
            perhaps(inverse::left_inverse(&layout(0)?))
        }
        "quasi_left_inverse" => {
            takes(&[1])?;
            perhaps(inverse::quasi_left_inverse(&layout(0)?))
        }
        "inverse" => {
            takes(&[1])?;
            perhaps(inverse::inverse(&layout(0)?))
        }
        "nullspace" => {
            takes(&[1])?;
            found(Some(inverse::nullspace(&layout(0)?)))
        }
        "max_common_layout" => {
            takes(&[2])?;
            found(inverse::max_common_layout(&layout(0)?, &layout(1)?))
        }
        "max_common_vector" => {
            takes(&[2])?;
            let common = inverse::max_common_layout(&layout(0)?, &layout(1)?);
            common.map_or(Expected::Unjudged, |common| Expected::Value(crate::tree::int_json(&common.size())))
        }
        _ => return Err(Refusal("unknown_op")),
    })
}
