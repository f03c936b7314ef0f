//! Before and after, with what belongs together in one colour.

use super::derive::layout;
use crate::ask::{answer, ask};
use crate::failure::Failure;
use crate::notation::{given, layout_json, result};
use crate::svg::{Cell, Panel, draw, shaded};
use razorgirl::{Layout, Shape};
use serde_json::Value;
use std::collections::HashMap;

/// Draws the operands and the result.
pub fn picture(name: &str, args: &[Value], value: &Value) -> Result<String, Failure> {
    let panels = match (args, layout(value)) {
        ([whole, tiler], Some(after)) if name.ends_with("_divide") || name.ends_with("_divide_by_mode") => {
            divided(name, whole, tiler, &after)?
        }
        ([whole, tiler], Some(after)) if name == "logical_divide_ceil" => padded(whole, tiler, &after)?,
        ([block, tiler], Some(after)) if name.contains("_product") => multiplied(name, block, tiler, &after)?,
        _ => None,
    };
    let panels = match panels {
        Some(panels) => panels,
        None => plain(name, args, value)?,
    };
    Ok(draw(&panels))
}

/// A colour for each number, neighbours far apart.
fn coloured(label: u64, number: u64) -> Cell {
    let hue = number % 360 * 137 % 360;
    Cell { label: label.to_string(), fill: format!("hsl({hue},65%,80%)"), dark: false, marked: false }
}

fn grey(label: u64) -> Cell {
    Cell { label: label.to_string(), fill: "#eeeeee".into(), dark: false, marked: false }
}

/// The column-major layout of a layout's shape: its values are linear indices.
fn indices(layout: &Layout) -> Value {
    let shape: Shape = layout.shape();
    layout_json(&Layout::column_major(&shape))
}

/// One colour for each tile.
fn divided(name: &str, whole: &Value, tiler: &Value, after: &Layout) -> Result<Option<Vec<Panel>>, Failure> {
    let Some(before) = layout(whole) else { return Ok(None) };
    let indices = indices(&before);
    // what an operation does to the linear indices tells where each element goes
    let tiles = layout(&ask("zipped_divide", &[indices.clone(), tiler.clone()])?);
    let order = layout(&ask(name, &[indices, tiler.clone()])?);
    let (Some(tiles), Some(order)) = (tiles, order) else { return Ok(None) };
    let size = tiles.mode(0).map_or(1, |tile| tile.size());
    let tile_of: HashMap<u64, u64> =
        (0..).zip(tiles.offsets()).map(|(at, index): (u64, u64)| (index, at / size)).collect();
    let order: Vec<u64> = order.offsets().collect();
    let tile = |index: u64| tile_of.get(&index).copied().unwrap_or_default();
    let moved = |at: u64| usize::try_from(at).ok().and_then(|at| order.get(at)).copied().unwrap_or_default();
    Ok(Some(vec![
        Panel::of(
            format!("before: {before}, one colour for each tile of {}", given(tiler)),
            &before,
            |index, offset| coloured(offset, tile(index)),
        )?,
        Panel::of(format!("after: {name} = {after}"), after, |at, offset| coloured(offset, tile(moved(at))))?,
    ]))
}

/// One colour for each tile, padding in grey.
fn padded(whole: &Value, tiler: &Value, after: &Layout) -> Result<Option<Vec<Panel>>, Failure> {
    let Some(before) = layout(whole) else { return Ok(None) };
    let beside = answer("logical_divide_ceil", &[whole.clone(), tiler.clone()])?;
    let index = beside.get("index").and_then(Value::as_array).and_then(|all| match all.as_slice() {
        [one] => layout(one),
        _ => None,
    });
    let Some(index) = index.filter(|index| index.size() == after.size()) else { return Ok(None) };
    let order: Vec<u64> = index.offsets().collect();
    let size = after.mode(0).map_or(1, |tile| tile.size());
    let place: HashMap<u64, u64> = (0..).zip(&order).map(|(at, &index): (u64, _)| (index, at / size)).collect();
    let cell = |index: u64, offset: u64| match place.get(&index) {
        Some(&tile) if index < before.size() => coloured(offset, tile),
        _ => grey(offset),
    };
    let moved = |at: u64| usize::try_from(at).ok().and_then(|at| order.get(at)).copied().unwrap_or(u64::MAX);
    Ok(Some(vec![
        Panel::of(format!("before: {before}, one colour for each tile of {}", given(tiler)), &before, cell)?,
        Panel::of(format!("after: logical_divide_ceil = {after}, padding in grey"), after, |at, offset| {
            cell(moved(at), offset)
        })?,
    ]))
}

/// One colour for each copy of the block.
fn multiplied(name: &str, block: &Value, tiler: &Value, after: &Layout) -> Result<Option<Vec<Panel>>, Failure> {
    let (Some(first), Some(second)) = (layout(block), layout(tiler)) else { return Ok(None) };
    let both = layout(&ask("logical_product", &[block.clone(), tiler.clone()])?);
    let Some(both) = both else { return Ok(None) };
    let owner: HashMap<u64, u64> =
        (0..).zip(both.offsets()).map(|(at, offset): (u64, u64)| (offset, at / first.size())).collect();
    let copy = |offset: u64| owner.get(&offset).copied();
    Ok(Some(vec![
        Panel::of(format!("block: {first}"), &first, |_, offset| grey(offset))?,
        Panel::of(format!("copies: {second}"), &second, |at, offset| coloured(offset, at))?,
        Panel::of(format!("after: {name} = {after}"), after, |_, offset| match copy(offset) {
            Some(copy) => coloured(offset, copy),
            None => grey(offset),
        })?,
    ]))
}

fn plain(name: &str, args: &[Value], value: &Value) -> Result<Vec<Panel>, Failure> {
    let mut panels = vec![];
    for operand in args.iter().filter_map(layout) {
        panels.push(shaded(format!("before: {operand}"), &operand)?);
    }
    let Some(after) = layout(value) else {
        return Err(Failure::Refused {
            code: "parse".into(),
            message: format!("{name} gives {}, not a layout: there is nothing to draw", result(value)),
            help: vec!["leave --svg out".into()],
        });
    };
    panels.push(shaded(format!("after: {name} = {after}"), &after)?);
    Ok(panels)
}
