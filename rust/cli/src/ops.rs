//! `razorgirl eval`, `coalesce` and `find-layout`: the operations that are asked for most.

use crate::input;
use crate::json;
use clap::Args;
use razorgirl::{Coord, Layout, Shape};
use razorgirl_protocol::{Argument, Code, MAX_OFFSETS, Output, Values};
use razorgirl_view::failure::Failure;
use razorgirl_view::{coordinates, swizzled};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// `razorgirl eval`.
#[derive(Args, Debug)]
pub struct EvalArgs {
    /// the layout, such as '(4,8):(1,4)' or 'Sw<3,3,3> o 0 o (8,64):(64,1)' or '(4,8):(1@0,1@1)'
    layout: String,
    /// an index, or a coordinate such as '(1,2)'; without it all offsets, at most 2^20
    coordinate: Option<String>,
    /// print the answer of the operation `eval` or `call` as JSON
    #[arg(long)]
    json: bool,
}

/// `razorgirl coalesce`.
#[derive(Args, Debug)]
pub struct CoalesceArgs {
    /// the layout
    layout: String,
    /// coalesce at each leaf of this profile only, such as '(1,(1,1))'; further modes stay as they are
    #[arg(long)]
    profile: Option<String>,
    /// print the answer of the operation `coalesce` as JSON
    #[arg(long)]
    json: bool,
}

/// `razorgirl find-layout`.
#[derive(Args, Debug)]
pub struct FindArgs {
    /// the values in linear order, apart by blanks or commas, or nested lists of them: '[[0,1],[4,5]]' has 4 at (1,0);
    /// '-' reads them from standard input
    #[arg(required = true, allow_negative_numbers = true)]
    offsets: Vec<String>,
    /// a shape of the values, such as '(4,(2,2))': the layout may then be a constant plus a layout over a refinement of it,
    /// and have strides below 0
    #[arg(long)]
    shape: Option<String>,
    /// print the answer of the operation `find_layout` or `find_layout_over` as JSON
    #[arg(long)]
    json: bool,
}

fn parse<T: std::str::FromStr<Err = razorgirl::Error>>(text: &str) -> Result<T, Failure> {
    text.parse().map_err(|error| Failure::usage(error, text))
}

/// All offsets, or one.
pub fn eval(args: &EvalArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let swizzled = swizzled::read(&args.layout)?;
    let coordinates = coordinates::read(&args.layout)?;
    let coord = args.coordinate.as_deref().map(parse::<Coord>).transpose()?;
    if let Some((coord, text)) = coord.as_ref().zip(args.coordinate.as_ref())
        && coord.leaves().contains(&None)
    {
        let layout = &args.layout;
        let mut help = vec![];
        if let Some(swizzled) = &swizzled {
            if swizzled.slice(coord).is_ok() {
                help.push(format!(
                    "razorgirl op swizzled_call '{text}' '{layout}' is the swizzled layout of what `_` keeps"
                ));
            }
        } else if let Some(coordinates) = &coordinates {
            if coordinates.slice(coord).is_ok() {
                help.push(format!("razorgirl op coord_call '{text}' '{layout}' is the layout of what `_` keeps"));
            }
        } else if parse::<Layout>(layout)?.slice(coord).is_ok() {
            help.push(format!("razorgirl op slice '{text}' '{layout}' is the layout of what `_` keeps"));
            help.push(format!("razorgirl op slice_and_offset '{text}' '{layout}' says also where that begins"));
        }
        return Err(Failure::Unreadable {
            code: "parse".into(),
            message: format!("{text} names no single element: `_` keeps a whole mode"),
            help,
        });
    }
    if args.json {
        let layout = args.layout.as_str();
        let call = match &args.coordinate {
            Some(coordinate) => json::call("call", &[coordinate, layout])?,
            None => json::call("eval", &[layout])?,
        };
        return json::answer(&call, true, out);
    }
    if let Some(coordinates) = coordinates {
        coordinates::eval(&coordinates, coord.as_ref(), out)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(swizzled) = swizzled {
        swizzled::eval(&swizzled, coord.as_ref(), out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let layout: Layout = parse(&args.layout)?;
    if let Some(coord) = &coord {
        writeln!(out, "{}", layout.offset(coord)?)?;
    } else {
        if layout.size() > MAX_OFFSETS {
            return Err(Failure::refused(
                Code::TooLarge,
                format!("{} offsets are more than the {MAX_OFFSETS} that are listed", layout.size()),
                [
                    format!(
                        "razorgirl eval '{}' 0 is the offset of one index; a coordinate may stand there too",
                        args.layout
                    ),
                    format!(
                        "razorgirl op cosize '{}' lists none; nor do is_injective, is_contiguous, coalesce",
                        args.layout
                    ),
                ],
            ));
        }
        for (i, offset) in layout.offsets().enumerate() {
            write!(out, "{}{offset}", if i == 0 { "" } else { " " })?;
        }
        writeln!(out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The coalesced layout.
pub fn coalesce(args: &CoalesceArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let arguments: Vec<&str> = std::iter::once(args.layout.as_str()).chain(args.profile.as_deref()).collect();
    json::answer(&json::call("coalesce", &arguments)?, args.json, out)
}

/// The layout with given offsets, or over a shape; status 1 when there is none, with what shows that.
pub fn find_layout(args: &FindArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut text = args.offsets.join(" ");
    if text.trim() == "-" {
        text = input::text(Path::new("-"))?;
    }
    let mut shape = args.shape.clone();
    if text.trim_start().starts_with("[[") {
        let (extents, values) = lists(&text)?;
        shape.get_or_insert(format!("({extents})"));
        text = values;
    }
    if let Some(shape) = shape {
        return json::answer(&json::call("find_layout_over", &[&shape, &text])?, args.json, out);
    }
    let call = json::call("find_layout", &[&text])?;
    if let [Argument::Values(values)] = call.arguments()
        && count(values) == 0
    {
        return Err(Failure::Unreadable {
            code: "parse".into(),
            message: "no offsets were given".into(),
            help: vec!["list the offset of each index, such as 0,1,8,9".into()],
        });
    }
    let answer = call.run()?;
    match call.arguments() {
        [Argument::Values(values)] if !args.json && matches!(answer.result, Output::None) => no_layout(values, out),
        _ => json::print(&answer, args.json, out),
    }
}

/// How many offsets are given.
fn count(offsets: &Values) -> usize {
    match offsets {
        Values::Offsets(offsets) => offsets.len(),
        Values::Digits(digits) => digits.len(),
        _ => 0,
    }
}

/// Why no layout has these offsets: the refusal of the search over one axis; or, if that finds something, what it is.
fn no_layout(offsets: &Values, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let count = count(offsets);
    let axis = Argument::Shape(Shape::try_from(count as u64)?);
    let found = json::called("find_layout_over", vec![axis, Argument::Values(offsets.clone())])?.run();
    if found.as_ref().is_err_and(|refusal| refusal.code == Code::Overflow) {
        return json::print(&found?, false, out);
    }
    writeln!(out, "none")?;
    writeln!(out, "offsets begin with 0 and strides are 0 or more; with --shape {count}: {}", found?)?;
    Ok(ExitCode::from(1))
}

/// Extents and values, in linear order, of nested lists: the first list is the first mode.
fn lists(text: &str) -> Result<(String, String), Failure> {
    let unreadable = |message: String| Failure::Unreadable {
        code: "parse".into(),
        message,
        help: vec!["use lists of equal lengths, such as '[[0,1],[4,5]]'".into()],
    };
    let parsed: Value = serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))?;
    let mut extents = Vec::new();
    // All lists of one depth, from the outermost in; each is spread out behind those that come before it in linear order.
    let mut level = vec![&parsed];
    while let Some(Value::Array(first)) = level.first() {
        let extent = first.len();
        let rows = level
            .iter()
            .map(|list| list.as_array().filter(|list| list.len() == extent))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| unreadable(format!("not all lists at depth {} have {extent} entries", extents.len())))?;
        level = (0..extent).flat_map(|place| rows.iter().filter_map(move |row| row.get(place))).collect();
        extents.push(extent.to_string());
    }
    if level.iter().any(|value| value.is_array()) {
        return Err(unreadable(format!("values and lists stand side by side at depth {}", extents.len())));
    }
    let values: Vec<String> = level.iter().map(ToString::to_string).collect();
    Ok((extents.join(","), values.join(" ")))
}
