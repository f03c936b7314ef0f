//! What shows that a layout cannot be divided, multiplied or composed by a tiler, or gone through by a profile: the mode in which,
//! and of it what shows it of two layouts.

use super::super::coalesce::filtered_zeros;
use super::super::complement::{chain, of_any_size, repeats, rounded};
use super::super::divide;
use super::super::divide::{grown, tiling};
use super::super::layout::{Layout, Split};
use super::super::product;
use super::super::tiler::Tiler;
use super::inverse::differ_where_moving;
use super::{collides, unless};
use crate::tree::{Tree, int_json};
use num_bigint::BigInt;
use serde_json::{Value, json};

const DIVISIONS: [&str; 4] = ["logical_divide_by_mode", "zipped_divide", "tiled_divide", "flat_divide"];
const PRODUCTS: [&str; 4] = ["logical_product_by_mode", "zipped_product", "tiled_product", "flat_product"];
/// What else may refuse comes first in these, so that they need not have a witness.
const PARTITIONS: [&str; 5] = ["inner_partition", "outer_partition", "local_tile", "local_partition", "make_layout_tv"];
const OTHERS: [&str; 11] = [
    "composition_by_mode",
    "logical_divide",
    "logical_divide_ceil",
    "zipped_divide_ceil",
    "logical_product",
    "blocked_product",
    "raked_product",
    "tile_to_shape",
    "coalesce",
    "filter",
    "hier_unzip",
];

pub(super) fn has(op: &str) -> bool {
    PARTITIONS.contains(&op) || DIVISIONS.contains(&op) || PRODUCTS.contains(&op) || OTHERS.contains(&op)
}

/// What is wrong with what is told of a layout and a tile.
type Each<'a> = &'a dyn Fn(&Layout, &Layout, Option<&Value>) -> Option<String>;
/// What is done with them.
type Run<'a> = &'a dyn Fn(&Layout, &Layout) -> Split;

pub(super) fn fault(op: &str, args: &[Value], complete: bool, told: Option<&Value>) -> Option<String> {
    let layout = |i: usize| Layout::read(args.get(i)?).ok();
    match op {
        "make_layout_tv" => told.and_then(|told| multiplied(&layout(0)?, &layout(1)?, Some(told))),
        "local_partition" => {
            let sizes = layout(1)?.top().iter().map(|mode| int_json(&mode.size())).collect();
            told.and_then(|_| fault("zipped_divide", &[args[0].clone(), Value::Array(sizes)], complete, told))
        }
        _ if PARTITIONS.contains(&op) => told.and_then(|_| fault("zipped_divide", args.get(..2)?, complete, told)),
        "blocked_product" | "raked_product" => multiplied(&layout(0)?, &layout(1)?, told),
        "tile_to_shape" => to_shape(args, told),
        "coalesce" | "filter" => {
            let profile = Tree::read(args.get(1)?).ok()?;
            too_many(&layout(0)?, &guide_of_profile(&profile), told)
        }
        "hier_unzip" => {
            let (kind, args) = args.split_first()?;
            let op = if *kind == json!(0) { "zipped_divide" } else { "zipped_product" };
            fault(op, args, complete, told)
        }
        "composition_by_mode" => {
            let each = |a: &Layout, b: &Layout, told: Option<&Value>| super::composition(a, b, complete, told);
            let run = |a: &Layout, b: &Layout| divide::compose(a, b, complete);
            by_tiler(&layout(0)?, &Tiler::read(args.get(1)?).ok()?, &each, &run, told)
        }
        "logical_divide_ceil" | "zipped_divide_ceil" => {
            let run = |a: &Layout, b: &Layout| Ok(divide::ceil(a, &Tiler::By(b.clone()), false)?.map(|found| found.0));
            by_tiler(&layout(0)?, &Tiler::read(args.get(1)?).ok()?, &divided_ceil, &run, told)
        }
        _ if op.ends_with("divide") || DIVISIONS.contains(&op) => {
            let run = |a: &Layout, b: &Layout| divide::divide(a, b, false);
            by_tiler(&layout(0)?, &Tiler::read(args.get(1)?).ok()?, &divided, &run, told)
        }
        _ => {
            let run = |a: &Layout, b: &Layout| product::product(a, b, false);
            by_tiler(&layout(0)?, &Tiler::read(args.get(1)?).ok()?, &multiplied, &run, told)
        }
    }
}

/// Of a division: the tile leaves the layout, has no complement in it, or the layout does not compose with both.
fn divided(layout: &Layout, tile: &Layout, told: Option<&Value>) -> Option<String> {
    if tile.cosize() > layout.size() {
        return super::outside(tile, &layout.size(), told);
    }
    match tiling(tile, &layout.size()) {
        Ok(index) => super::composition(layout, &index, false, told),
        Err(_) => super::complement(tile, Some(&layout.size()), told),
    }
}

fn divided_ceil(layout: &Layout, tile: &Layout, told: Option<&Value>) -> Option<String> {
    let least = layout.size().max(tile.cosize());
    match tiling(tile, &rounded(tile, &least)) {
        Ok(index) => super::composition(&grown(layout, &index.cosize()), &index, false, told),
        Err(_) => super::complement(tile, None, told),
    }
}

/// Of a product: the block without its repeats has no complement, or the tiles do not compose with it.
fn multiplied(block: &Layout, tiles: &Layout, told: Option<&Value>) -> Option<String> {
    let moving = filtered_zeros(block);
    let reach = block.size() * tiles.cosize();
    let Ok(places) = of_any_size(&moving, Some(&rounded(&moving, &reach))) else {
        if repeats(&moving) == Some(true) || told.is_some_and(|told| told.get("collision").is_some()) {
            let right = collides(block, told).is_some_and(|(i, j)| differ_where_moving(block, &i, &j));
            return (!right).then(|| "the witness is no two coordinates that differ where they move".into());
        }
        let mut filled = BigInt::from(1);
        for mode in chain(&moving) {
            if &mode.stride % &filled != BigInt::from(0) {
                return unless(Some(json!({"stride": int_json(&mode.stride), "block": int_json(&filled)})), told);
            }
            filled = mode.extent * mode.stride;
        }
        return None;
    };
    super::composition(&places, tiles, false, told)
}

fn to_shape(args: &[Value], told: Option<&Value>) -> Option<String> {
    let (block, shape, order) = product::read_shape(args).ok()?;
    if let Ok(tiles) = product::fillers(&block, &shape, order.as_ref()) {
        return multiplied(&block, &tiles, told);
    }
    let sizes: Vec<BigInt> = block.top().iter().map(Layout::size).collect();
    let extents: Vec<BigInt> = match &shape {
        Tree::Node(modes) => modes.iter().map(|mode| mode.ints().into_iter().product()).collect(),
        leaf => leaf.ints().into_iter().cloned().collect(),
    };
    if sizes.len() > extents.len() {
        return None;
    }
    let uneven = sizes.iter().zip(&extents).position(|(size, extent)| extent % size != BigInt::from(0));
    let right = uneven.map(|i| json!({"mode": [i], "block": int_json(&sizes[i])}));
    // another fault may have been reported
    told.filter(|told| right.as_ref() != Some(told)).map(|_| format!("the witness is {right:?}"))
}

/// What a tuple meets: its modes, or nothing that is looked into.
enum Guide {
    Leaf,
    Modes(Vec<Guide>),
}

fn guide_of_profile(profile: &Tree) -> Guide {
    match profile {
        Tree::Int(_) | Tree::Keep => Guide::Leaf,
        Tree::Node(modes) => Guide::Modes(modes.iter().map(guide_of_profile).collect()),
    }
}

fn guide_of_tiler(tiler: &Tiler) -> Guide {
    match tiler {
        Tiler::Modes(modes) => Guide::Modes(modes.iter().map(guide_of_tiler).collect()),
        _ => Guide::Leaf,
    }
}

/// A tuple with more modes than what it meets, at the path that is told.
fn too_many(layout: &Layout, guide: &Guide, told: Option<&Value>) -> Option<String> {
    let right = || {
        let told = told?;
        let (mut part, mut guide) = (layout.clone(), guide);
        for i in path(told)? {
            let Guide::Modes(modes) = guide else { return None };
            (part, guide) = (part.top().get(i)?.clone(), modes.get(i)?);
        }
        let Guide::Modes(modes) = guide else { return None };
        let (modes, of) = (modes.len(), part.top().len());
        (modes > of && told.get("modes") == Some(&json!(modes)) && told.get("of") == Some(&json!(of))).then_some(())
    };
    right().is_none().then(|| "the witness is no tuple with more modes than what it meets".into())
}

/// The path to the mode that a witness speaks of.
fn path(told: &Value) -> Option<Vec<usize>> {
    let Some(path) = told.get("mode") else { return Some(Vec::new()) };
    path.as_array()?.iter().map(|i| usize::try_from(i.as_u64()?).ok()).collect()
}

fn by_tiler(layout: &Layout, tiler: &Tiler, each: Each<'_>, run: Run<'_>, told: Option<&Value>) -> Option<String> {
    if !tiler.fits(layout) {
        return too_many(layout, &guide_of_tiler(tiler), told);
    }
    let Some(told) = told else {
        return first_refused(layout, tiler, run).and_then(|(layout, tile)| each(&layout, &tile, None));
    };
    let part = || {
        let (mut part, mut tiler) = (layout.clone(), tiler);
        for i in path(told)? {
            let Tiler::Modes(modes) = tiler else { return None };
            (part, tiler) = (part.top().get(i)?.clone(), modes.get(i)?);
        }
        let Tiler::By(tile) = tiler else { return None };
        Some((part, tile))
    };
    let Some((part, tile)) = part() else { return Some("the witness names no mode that the tiler divides".into()) };
    if run(&part, tile).is_ok_and(|found| found.is_some()) {
        return Some("the mode that the witness names is not refused".into());
    }
    let mut alone = told.clone();
    alone.as_object_mut()?.remove("mode");
    each(&part, tile, Some(&alone))
}

/// The first mode that is refused.
fn first_refused(layout: &Layout, tiler: &Tiler, run: Run<'_>) -> Option<(Layout, Layout)> {
    match tiler {
        Tiler::Keep => None,
        Tiler::By(tile) => run(layout, tile).is_err().then(|| (layout.clone(), tile.clone())),
        Tiler::Modes(tilers) => {
            layout.top().iter().zip(tilers).find_map(|(mode, tiler)| first_refused(mode, tiler, run))
        }
    }
}
