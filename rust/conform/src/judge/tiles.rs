//! Answers with tiles.
//!
//! A peer may nest its answers otherwise than we do, count tiles in another order, or let the last tiles reach past the
//! layout. So each answer is first brought into the logical form, every result in its mode's place, and then held to what
//! the operation promises.

use super::Verdict;
use super::answer::{answered, operand};
use super::divide::{divided, rearranged};
use super::pairs::{One, by_mode, listed_modes};
use super::product::{copied, interleaved};
use crate::model::product::{fillers, read_shape};
use crate::model::shape::compatible;
use crate::model::{Expected, Layout, Refusal, Tiler, expected};
use crate::tree::read_int;
use num_bigint::BigInt;
use serde_json::Value;

type Judged = Result<Verdict, Refusal>;

/// Judges an answer (`None`: a refusal) to a request for an operation on tiles.
pub(super) fn judge(op: &str, args: &[Value], result: Option<&Value>) -> Judged {
    let Some(value) = result else {
        return Ok(match expected(op, args, true) {
            Expected::Value(value) | Expected::Exactly(value) | Expected::With(value, _) => {
                Verdict::RefusedThoughExists(format!("{value} exists"))
            }
            Expected::Unjudged => Verdict::Unjudged,
            Expected::Refused(_) | Expected::RefusedAs(_) => Verdict::RefusedRightly,
        });
    };
    let (op, args) = match (op, args.first().and_then(read_int)) {
        ("hier_unzip", Some(kind)) if kind == BigInt::from(0) => ("zipped_divide", &args[1..]),
        ("hier_unzip", Some(kind)) if kind == BigInt::from(1) => ("zipped_product", &args[1..]),
        _ => (op, args),
    };
    let whole = operand(args, 0)?;
    let answer = match op {
        // not a layout, or one with more beside it
        "make_layout_tv"
        | "logical_divide_ceil"
        | "zipped_divide_ceil"
        | "inner_partition"
        | "outer_partition"
        | "local_tile"
        | "local_partition" => return Ok(exactly(op, args, value)),
        _ => match answered(value) {
            Ok(layout) => layout,
            Err(wrong) => return Ok(wrong),
        },
    };
    if let "blocked_product" | "raked_product" = op {
        return Ok(interleaved(&whole, &operand(args, 1)?, &answer, op == "raked_product"));
    }
    if op == "tile_to_shape" {
        let Ok((_, shape, order)) = read_shape(args) else { return Ok(Verdict::Unjudged) };
        return Ok(match fillers(&whole, &shape, order.as_ref()) {
            Ok(tiles) => interleaved(&whole, &tiles, &answer, false),
            // C++ rounds up at run time
            Err(_) => Verdict::Unjudged,
        });
    }
    let tiler = Tiler::read(args.get(1).ok_or(Refusal("arity"))?)?;
    if !tiler.fits(&whole) {
        return Ok(Verdict::Unjudged);
    }
    let one: &One = if op.contains("product") { &copied } else { &divided };
    if op.starts_with("logical") {
        return Ok(by_mode(&whole, &tiler, &answer, one));
    }
    Ok(match logical_form(op, &whole, &tiler, &answer) {
        Some((answer, verdict)) => by_mode(&whole, &tiler, &answer, one).and(verdict),
        // nothing may be lost, however it is nested
        None if op.contains("divide") => rearranged(&whole, &answer)
            .and(Verdict::wrong("shape", format!("{} is not nested as the tiler", answer.shape().to_json()))),
        None => Verdict::wrong("shape", format!("{} is not nested as the tiler", answer.shape().to_json())),
    })
}

/// What an operation has to be that no peer offers in another form.
fn exactly(op: &str, args: &[Value], value: &Value) -> Verdict {
    match expected(op, args, true) {
        Expected::Value(wanted) | Expected::Exactly(wanted) | Expected::With(wanted, _)
            if super::same(&wanted, value) =>
        {
            Verdict::Right
        }
        Expected::Value(wanted) | Expected::Exactly(wanted) | Expected::With(wanted, _) => {
            Verdict::wrong("value", format!("the answer is {wanted}"))
        }
        Expected::Refused(code) => Verdict::wrong("accepted", format!("this has to be refused: {code}")),
        Expected::RefusedAs(codes) => {
            Verdict::wrong("accepted", format!("this has to be refused: {}", codes.join(" or ")))
        }
        Expected::Unjudged => Verdict::Unjudged,
    }
}

/// A zipped, tiled or flat answer as its logical form; nothing when it is not nested as the tiler says.
fn logical_form(op: &str, whole: &Layout, tiler: &Tiler, answer: &Layout) -> Option<(Layout, Verdict)> {
    let modes = answer.top();
    let multiply = op.ends_with("product");
    let mut tried: Vec<(Layout, Layout)> = Vec::new();
    match op.split('_').next() {
        Some("zipped") => {
            if let [tile, rest] = modes.as_slice() {
                tried.push((tile.clone(), rest.clone()));
            }
        }
        Some("tiled") => {
            if let Some((tile, rests)) = modes.split_first() {
                tried.extend(rest_of(rests).into_iter().map(|rest| (tile.clone(), rest)));
            }
        }
        _ => {
            for count in 0..=modes.len() {
                let (tiles, rests) = modes.split_at(count);
                for tile in rest_of(tiles) {
                    tried.extend(rest_of(rests).into_iter().map(|rest| (tile.clone(), rest)));
                }
            }
        }
    }
    // where several ways to read the answer are left, the one that is right, or comes closest
    let read = tried.into_iter().filter_map(|(tile, rest)| {
        let (logical, verdict) = rejoined(whole, tiler, &tile, &rest, multiply)?;
        let one: &One = if multiply { &copied } else { &divided };
        let distance = match by_mode(whole, tiler, &logical, one) {
            Verdict::Wrong(wrong) if ["shape", "tile", "block"].contains(&wrong.kind) => 2,
            Verdict::Wrong(_) => 1,
            _ => 0,
        };
        Some((distance, (logical, verdict)))
    });
    read.min_by_key(|(distance, _)| *distance).map(|(_, found)| found)
}

/// What may have been spread as these modes: their tuple, or the only one of them.
fn rest_of(modes: &[Layout]) -> Vec<Layout> {
    let mut all = vec![Layout::Node(modes.to_vec())];
    if let [mode] = modes {
        all.insert(0, mode.clone());
    }
    all
}

/// Tile and rest of each mode side by side again.
fn rejoined(whole: &Layout, tiler: &Tiler, tile: &Layout, rest: &Layout, multiply: bool) -> Option<(Layout, Verdict)> {
    let one = BigInt::from(1);
    match tiler {
        Tiler::Keep if multiply && rest.size() == one && compatible(&whole.shape(), &tile.shape()) => {
            Some((tile.clone(), Verdict::Right))
        }
        Tiler::Keep if tile.size() != one => None,
        Tiler::Keep if multiply => Some((rest.clone(), Verdict::Extended("a kept block counted as a copy"))),
        Tiler::Keep => Some((rest.clone(), Verdict::Right)),
        Tiler::By(_) => Some((Layout::Node(vec![tile.clone(), rest.clone()]), Verdict::Right)),
        Tiler::Modes(tilers) => {
            let modes = whole.top();
            let (tiles, unwrapped_tile) = listed_modes(tile, tilers.len())?;
            let (rests, unwrapped_rest) = listed_modes(rest, modes.len())?;
            let mut verdict = Verdict::Right;
            let mut all = Vec::new();
            for (i, mode) in modes.iter().enumerate() {
                match tilers.get(i) {
                    Some(tiler) => {
                        let (joined, more) = rejoined(mode, tiler, tiles.get(i)?, &rests[i], multiply)?;
                        verdict = verdict.and(more);
                        all.push(joined);
                    }
                    None => all.push(rests[i].clone()),
                }
            }
            if unwrapped_tile || unwrapped_rest {
                verdict = verdict.and(Verdict::Extended("one-mode tuples unwrapped"));
            }
            Some((Layout::Node(all), verdict))
        }
    }
}
