//! `razorgirl show` and `eval` of swizzled layouts: `Sw<3,4,3> o 0 o (8,64):(64,1)`.

use crate::failure::Failure;
use crate::notation;
use crate::svg::group_of;
use crate::table::{self, Window};
use razorgirl::{AnyLayout, Coord, Error, SwizzledLayout};
use razorgirl_protocol::{Code, MAX_OFFSETS};
use std::collections::HashMap;
use std::io::Write;

/// The swizzled layout that a text is, unless it is a layout of another kind.
///
/// # Errors
/// Text that is no layout.
pub fn read(text: &str) -> Result<Option<SwizzledLayout>, Failure> {
    match text.parse() {
        Ok(AnyLayout::Swizzled(layout)) => Ok(Some(layout)),
        Ok(_) => Ok(None),
        Err(error) => Err(Failure::usage(error, text)),
    }
}

/// All offsets in linear order.
///
/// # Errors
/// `too_large` above 2^20 coordinates, `overflow` where an offset is 2^64 or more.
pub fn offsets(layout: &SwizzledLayout) -> Result<Vec<u64>, Failure> {
    if layout.size() > MAX_OFFSETS {
        return Err(Failure::refused(
            Code::TooLarge,
            format!("{} offsets are more than the {MAX_OFFSETS} that are listed", layout.size()),
            std::iter::once(format!(
                "razorgirl eval '{layout}' 0 is the offset of one index; a coordinate may stand there too"
            ))
            .chain(
                notation::first_mode(layout.layout(), MAX_OFFSETS)
                    .map(|coord| format!("razorgirl op swizzled_call '{coord}' '{layout}' is its first mode")),
            ),
        ));
    }
    Ok(layout.offsets().collect::<Result<_, Error>>()?)
}

/// The offset of a coordinate, or all offsets.
///
/// # Errors
/// `too_large` above 2^20 offsets, and what the coordinate refuses.
pub fn eval(layout: &SwizzledLayout, coordinate: Option<&Coord>, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(coordinate) = coordinate {
        writeln!(out, "{}", layout.offset_of(coordinate)?)?;
        return Ok(());
    }
    for (i, offset) in offsets(layout)?.iter().enumerate() {
        write!(out, "{}{offset}", if i == 0 { "" } else { " " })?;
    }
    writeln!(out)?;
    Ok(())
}

/// What it is, and its table.
///
/// # Errors
/// `overflow` where an offset is 2^64 or more, and those of writing.
pub fn describe(layout: &SwizzledLayout, out: &mut dyn Write) -> Result<(), Failure> {
    describe_in(layout, &Window::default(), out)
}

/// What it is, and so much of its table; the ground of a cell is its bank group.
///
/// # Errors
/// `overflow` where an offset is 2^64 or more, and those of writing.
pub fn describe_in(layout: &SwizzledLayout, window: &Window, out: &mut dyn Write) -> Result<(), Failure> {
    let (swizzle, inside) = (layout.swizzle(), layout.layout());
    let all = offsets(layout);
    writeln!(out, "{layout}")?;
    writeln!(out, "  size        {}", layout.size())?;
    writeln!(out, "  rank        {}, depth {}", inside.rank(), inside.depth())?;
    writeln!(out, "  swizzle     {}", words(layout))?;
    match &all {
        Ok(all) => {
            let (least, most) = (all.iter().min().copied(), all.iter().max().copied());
            writeln!(out, "  offsets     {} to {}", least.unwrap_or_default(), most.unwrap_or_default())?;
            match collision(all) {
                None => writeln!(out, "  injective   yes")?,
                Some((i, j)) => writeln!(
                    out,
                    "  injective   no: coordinates {} and {} share offset {}",
                    notation::coordinate(&inside.shape(), i as u64),
                    notation::coordinate(&inside.shape(), j as u64),
                    all.get(j).copied().unwrap_or_default()
                )?,
            }
        }
        Err(Failure::Refused(refusal)) if refusal.code == Code::TooLarge => {
            writeln!(out, "  offsets     not listed: more than {MAX_OFFSETS}")?;
        }
        Err(_) => {}
    }
    let plain = layout.plain();
    match &plain {
        Ok(Some(plain)) => writeln!(out, "  plain       yes: {plain}")?,
        Ok(None) => writeln!(out, "  plain       no: no constant plus a layout has these offsets")?,
        Err(_) => writeln!(out, "  plain       unknown")?,
    }
    if layout.offset() > 0 {
        let p = layout.offset();
        match layout.offset_moves() {
            Ok(true) => writeln!(out, "  offset      moves out: every offset is {p} more than with 0 in its place")?,
            Ok(false) => {
                writeln!(
                    out,
                    "  offset      stays inside: a pointer moved by {p} and 0 in its place is another layout"
                )?;
            }
            Err(_) => writeln!(out, "  offset      unknown whether it moves out")?,
        }
    }
    if !swizzle.is_usual() {
        writeln!(
            out,
            "  warning     CuTe asks for |S| >= B, and {} < {}: {} does not compile there",
            swizzle.shift().unsigned_abs(),
            swizzle.bits(),
            swizzle.to_string().replace("Sw", "Swizzle")
        )?;
    }
    if inside.rank() <= 2 {
        match &all {
            Ok(all) => {
                let ground = |index| Some(group_of(at(all, index), swizzle.base()));
                table::write_in(inside, window, |index| at(all, index), ground, out)?;
            }
            Err(_) if layout.size() > MAX_OFFSETS => {
                let shown = table::shown(inside).map(|index| Ok((index, layout.at(index)?)));
                let shown = shown.collect::<Result<HashMap<u64, u64>, Error>>()?;
                // These offsets were computed, and no others.
                let window = Window { rows: window.rows.min(32), columns: window.columns.min(32), ..*window };
                let at = |index| shown.get(&index).copied().unwrap_or_default();
                table::write_in(inside, &window, at, |index| Some(group_of(at(index), swizzle.base())), out)?;
            }
            Err(_) => {}
        }
    }
    // the numbers that are beyond 2^64
    match all {
        Err(error @ Failure::Refused(_)) if layout.size() <= MAX_OFFSETS => Err(error),
        _ => Ok(()),
    }
}

fn at(all: &[u64], index: u64) -> u64 {
    usize::try_from(index).ok().and_then(|index| all.get(index)).copied().unwrap_or_default()
}

/// Two indices with one offset.
fn collision(all: &[u64]) -> Option<(usize, usize)> {
    let mut seen = HashMap::new();
    all.iter().enumerate().find_map(|(j, offset)| seen.insert(offset, j).map(|i| (i, j)))
}

/// What the swizzle does.
fn words(layout: &SwizzledLayout) -> String {
    let swizzle = layout.swizzle();
    if swizzle.bits() == 0 {
        return "changes nothing".into();
    }
    let (down, up) = (swizzle.shift().max(0).unsigned_abs(), swizzle.shift().min(0).unsigned_abs());
    let bits = |far: u64| {
        let low = u128::from(swizzle.base()) + u128::from(far);
        match swizzle.bits() {
            1 => format!("bit {low}"),
            n => format!("bits {low} to {}", low + u128::from(n) - 1),
        }
    };
    let more = if !swizzle.is_bijective() {
        "which become 0".into()
    } else if swizzle.is_involution() {
        "undone by itself".into()
    } else {
        let order = swizzle.order_log2().map_or("none".into(), |k| (1_u128 << k).to_string());
        format!("the identity after {order} times")
    };
    let period = swizzle.period().map_or("none below 2^64".into(), |period| period.to_string());
    format!("{} exclusive-ored onto {}, {more}; period {period}", bits(down), bits(up))
}
