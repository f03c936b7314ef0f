//! `razorgirl eval`, `coalesce` and `find-layout`: the operations that are asked for most.

use crate::coordinates;
use crate::failure::Failure;
use crate::input;
use crate::op;
use crate::swizzled;
use clap::Args;
use razorgirl::{Coord, Layout, Profile};
use razorgirl_protocol::{Call, Code, MAX_OFFSETS, Mode};
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
}

/// `razorgirl coalesce`.
#[derive(Args, Debug)]
pub struct CoalesceArgs {
    /// the layout
    layout: String,
    /// coalesce at each leaf of this profile only, such as '(1,(1,1))'; further modes stay as they are
    #[arg(long)]
    profile: Option<String>,
}

/// `razorgirl find-layout`.
#[derive(Args, Debug)]
pub struct FindArgs {
    /// the offsets in linear order, apart by blanks or commas; '-' reads them from standard input
    #[arg(required = true)]
    offsets: Vec<String>,
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
            return Err(Failure::Refused {
                code: Code::TooLarge.name().to_owned(),
                message: format!("{} offsets are more than the {MAX_OFFSETS} that are listed", layout.size()),
                help: vec![
                    format!(
                        "razorgirl eval '{}' 0 is the offset of one index; a coordinate may stand there too",
                        args.layout
                    ),
                    format!(
                        "razorgirl op cosize '{}' lists none; nor do is_injective, is_contiguous, coalesce",
                        args.layout
                    ),
                ],
            });
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
    let layout: Layout = parse(&args.layout)?;
    let coalesced = match &args.profile {
        Some(text) => layout.coalesce_by(&parse::<Profile>(text)?)?,
        None => layout.coalesce(),
    };
    writeln!(out, "{coalesced}")?;
    Ok(ExitCode::SUCCESS)
}

/// The layout with given offsets; status 1 when there is none.
pub fn find_layout(args: &FindArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut text = args.offsets.join(" ");
    if text.trim() == "-" {
        text = input::text(Path::new("-"))?;
    }
    let call = Call::from_notation("find_layout", &[&text], Mode::Strict);
    op::answer(&call.map_err(|bad| Failure::arguments(bad, &[&text]))?, out)
}
