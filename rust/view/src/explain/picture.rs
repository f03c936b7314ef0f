//! Before and after, with what belongs together in one colour.

use super::derive::{given, layouts};
use crate::failure::Failure;
use crate::svg::{Cell, Colour, Panel, shaded};
use razorgirl::{Layout, Tiler};
use razorgirl_protocol::{Answer, Argument, Call, Mode, Output};
use std::collections::HashMap;

/// The operands and the result.
///
/// # Errors
/// Where the answer is no layout, or has too many cells.
pub fn panels(call: &Call, answer: &Answer) -> Result<Vec<Panel>, Failure> {
    let name = call.op().name;
    let Some(after) = answer.result.layout() else {
        return Err(Failure::Unreadable {
            code: "parse".into(),
            message: format!("{name} gives {}, not a layout: there is nothing to draw", answer.result),
            help: vec!["leave --svg out".into()],
        });
    };
    let panels = match call.arguments() {
        [Argument::Layout(whole), Argument::Tiler(tiler)] if name == "logical_divide_ceil" => {
            padded(whole, tiler, answer, after)?
        }
        [Argument::Layout(whole), Argument::Tiler(tiler)]
            if name.ends_with("_divide") || name.ends_with("_divide_by_mode") =>
        {
            divided(call, whole, tiler, after)?
        }
        arguments if name.contains("_product") => match layouts(arguments).as_slice() {
            [block, tile] => multiplied(name, block, tile, after)?,
            _ => None,
        },
        _ => None,
    };
    match panels {
        Some(panels) => Ok(panels),
        None => plain(call, after),
    }
}

/// A colour for each number, neighbours far apart.
fn coloured(label: u64, number: u64) -> Cell {
    let hue = number % 360 * 137 % 360;
    Cell { label: label.to_string(), fill: Colour::of_hue(hue, 65, 80), marked: false }
}

fn grey(label: u64) -> Cell {
    Cell { label: label.to_string(), fill: Colour([0xee; 3]), marked: false }
}

/// One colour for each tile.
fn divided(call: &Call, whole: &Layout, tiler: &Tiler, after: &Layout) -> Result<Option<Vec<Panel>>, Failure> {
    // what an operation does to the linear indices tells where each element goes
    let indices = Layout::column_major(&whole.shape());
    let Ok(tiles) = indices.zipped_divide(tiler) else { return Ok(None) };
    let arguments = vec![Argument::Layout(indices), Argument::Tiler(tiler.clone())];
    let order = Call::new(call.op(), arguments, Mode::Strict)?.run()?.result;
    let Some(order) = order.layout() else { return Ok(None) };
    let size = tiles.mode(0).map_or(1, |tile| tile.size());
    let tile_of: HashMap<u64, u64> =
        (0..).zip(tiles.offsets()).map(|(at, index): (u64, u64)| (index, at / size)).collect();
    let order: Vec<u64> = order.offsets().collect();
    let tile = |index: u64| tile_of.get(&index).copied().unwrap_or_default();
    let moved = |at: u64| usize::try_from(at).ok().and_then(|at| order.get(at)).copied().unwrap_or_default();
    Ok(Some(vec![
        Panel::of(format!("before: {whole}, one colour for each tile of {}", given(tiler)), whole, |index, offset| {
            coloured(offset, tile(index))
        })?,
        Panel::of(format!("after: {} = {after}", call.op().name), after, |at, offset| {
            coloured(offset, tile(moved(at)))
        })?,
    ]))
}

/// One colour for each tile, padding in grey.
fn padded(whole: &Layout, tiler: &Tiler, answer: &Answer, after: &Layout) -> Result<Option<Vec<Panel>>, Failure> {
    let index = match answer.field("index") {
        Some(Output::List(all)) => match all.as_slice() {
            [one] => one.layout(),
            _ => None,
        },
        _ => None,
    };
    let Some(index) = index.filter(|index| index.size() == after.size()) else { return Ok(None) };
    let order: Vec<u64> = index.offsets().collect();
    let size = after.mode(0).map_or(1, |tile| tile.size());
    let place: HashMap<u64, u64> = (0..).zip(&order).map(|(at, &index): (u64, _)| (index, at / size)).collect();
    let cell = |index: u64, offset: u64| match place.get(&index) {
        Some(&tile) if index < whole.size() => coloured(offset, tile),
        _ => grey(offset),
    };
    let moved = |at: u64| usize::try_from(at).ok().and_then(|at| order.get(at)).copied().unwrap_or(u64::MAX);
    Ok(Some(vec![
        Panel::of(format!("before: {whole}, one colour for each tile of {}", given(tiler)), whole, cell)?,
        Panel::of(format!("after: logical_divide_ceil = {after}, padding in grey"), after, |at, offset| {
            cell(moved(at), offset)
        })?,
    ]))
}

/// One colour for each copy of the block.
fn multiplied(name: &str, block: &Layout, tile: &Layout, after: &Layout) -> Result<Option<Vec<Panel>>, Failure> {
    let Ok(both) = block.logical_product(tile) else { return Ok(None) };
    let owner: HashMap<u64, u64> =
        (0..).zip(both.offsets()).map(|(at, offset): (u64, u64)| (offset, at / block.size())).collect();
    let copy = |offset: u64| owner.get(&offset).copied();
    Ok(Some(vec![
        Panel::of(format!("block: {block}"), block, |_, offset| grey(offset))?,
        Panel::of(format!("copies: {tile}"), tile, |at, offset| coloured(offset, at))?,
        Panel::of(format!("after: {name} = {after}"), after, |_, offset| match copy(offset) {
            Some(copy) => coloured(offset, copy),
            None => grey(offset),
        })?,
    ]))
}

fn plain(call: &Call, after: &Layout) -> Result<Vec<Panel>, Failure> {
    let mut panels = vec![];
    for operand in layouts(call.arguments()) {
        panels.push(shaded(format!("before: {operand}"), operand)?);
    }
    panels.push(shaded(format!("after: {} = {after}", call.op().name), after)?.tinted());
    Ok(panels)
}
