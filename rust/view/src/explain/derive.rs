//! How an operation comes to its result.
//!
//! Each derivation says what the definition says, with the layouts of the case; the results come from the operations
//! themselves, so that a derivation cannot differ from what the library answers.

use super::trace::Trace;
use razorgirl::{CoordLayout, Layout, Mode, Result, SwizzledLayout, Tiler};
use razorgirl_protocol::{Argument, Call, Modes, Output};
use std::fmt;

/// Tells how the operation comes to its answer, as far as it does.
pub fn derive(trace: &mut Trace, call: &Call) {
    let name = call.op().name;
    // What refuses is the operation, which says what to do about it: here the trace just ends.
    let _ = match (name, call.arguments()) {
        ("coalesce", [Argument::Layout(layout)]) => return coalesce(trace, layout),
        ("right_inverse", [Argument::Layout(layout)]) => return right_inverse(trace, layout),
        ("logical_divide_ceil", [Argument::Layout(_), Argument::Tiler(_)]) => return padded(trace, call),
        ("complement", [Argument::Layout(layout)]) => complement(trace, layout, None, &Layout::complement),
        ("complement", [Argument::Layout(layout), Argument::Cotarget(n)]) => {
            complement(trace, layout, Some(*n), &|layout| layout.complement_in(*n))
        }
        ("complement_ceil", [Argument::Layout(layout), Argument::Cotarget(n)]) => {
            complement(trace, layout, Some(*n), &|layout| layout.complement_ceil(*n))
        }
        ("composition", [Argument::Layout(outer), Argument::Layout(inner)]) => {
            composition(trace, outer, &Tiler::Layout(inner.clone()))
        }
        ("swizzled_composition", [Argument::Swizzled(outer), Argument::Layout(inner)]) => swizzled(trace, outer, inner),
        ("coord_composition", [Argument::Coordinates(outer), Argument::Layout(inner)]) => {
            let _ = coordinates(trace, outer, inner);
            return;
        }
        ("composition_by_mode", [Argument::Layout(outer), Argument::Tiler(tiler)]) => composition(trace, outer, tiler),
        ("blocked_product" | "raked_product", [Argument::Layout(block), Argument::Layout(tile)]) => {
            interleaved(trace, name, block, tile)
        }
        (_, [Argument::Layout(left), Argument::Tiler(tiler)]) => by_form(trace, name, left, tiler),
        _ => return,
    };
}

/// The layouts among arguments, and the tilers that are one.
pub fn layouts<'a>(arguments: &'a [Argument]) -> Vec<&'a Layout> {
    let layout = |argument: &'a Argument| match argument {
        Argument::Layout(layout) | Argument::Modes(Modes::Layout(layout)) | Argument::Tiler(Tiler::Layout(layout)) => {
            Some(layout)
        }
        _ => None,
    };
    arguments.iter().filter_map(layout).collect()
}

fn mode_text(mode: &Mode) -> String {
    format!("{}:{}", mode.extent(), mode.stride())
}

fn modes_text<'a>(modes: impl IntoIterator<Item = &'a Mode>) -> String {
    let modes: Vec<String> = modes.into_iter().map(mode_text).collect();
    if modes.is_empty() { "none".into() } else { modes.join("  ") }
}

fn coalesce(trace: &mut Trace, layout: &Layout) {
    trace.step("Modes of extent 1 go; neighbours s:d and s':s·d become s·s':d");
    let mut kept: Vec<Mode> = vec![];
    for mode in layout.modes().iter().filter(|mode| mode.extent() > 1) {
        match kept.last_mut() {
            Some(last) if last.extent().checked_mul(last.stride()) == Some(mode.stride()) => {
                let merged = Mode::new(last.extent() * mode.extent(), last.stride());
                trace.fact(format!("{}  {}  →  {}", mode_text(last), mode_text(mode), mode_text(&merged)), "");
                *last = merged;
            }
            _ => kept.push(*mode),
        }
    }
    let answer = layout.coalesce();
    trace.fact(answer.to_string(), "the fewest modes with this function");
}

type Unary<'a> = dyn Fn(&Layout) -> Result<Layout> + 'a;

fn complement(trace: &mut Trace, layout: &Layout, cotarget: Option<u128>, of: &Unary<'_>) -> Result<Layout> {
    let sorted = layout.sort();
    let moving: Vec<Mode> = sorted.modes().iter().filter(|mode| mode.extent() > 1).copied().collect();
    trace.step("The modes by stride, and the gaps between what they cover");
    trace.fact(modes_text(&moving), "modes by stride");
    let mut covered = 1_u64;
    for mode in &moving {
        let (gap, left) = mode.stride().checked_div(covered).map_or((0, 1), |gap| (gap, mode.stride() % covered));
        if gap == 0 || left != 0 {
            trace.fact(mode_text(mode), format!("its stride is not a multiple of the {covered} covered before it"));
            break;
        }
        if gap > 1 {
            trace.fact(format!("{gap}:{covered}"), format!("the gap before {}", mode_text(mode)));
        }
        let Some(next) = mode.extent().checked_mul(mode.stride()) else { break };
        covered = next;
    }
    if let Some(cotarget) = cotarget {
        trace.fact(format!("{covered}"), format!("elements in a block; blocks fill [0,{cotarget})"));
    }
    let answer = of(layout)?;
    trace.fact(answer.to_string(), "the gaps as one layout, coalesced");
    Ok(answer)
}

fn right_inverse(trace: &mut Trace, layout: &Layout) {
    trace.step("The modes that run on from 0 without a gap, by stride");
    let coalesced = layout.coalesce();
    trace.fact(coalesced.to_string(), "coalesced");
    let sorted = coalesced.sort();
    let mut covered = 1_u64;
    for mode in sorted.modes() {
        if mode.stride() != covered {
            continue;
        }
        trace.fact(mode_text(mode), format!("its stride is {covered}: it goes on"));
        let Some(next) = covered.checked_mul(mode.extent()) else { break };
        covered = next;
    }
    let answer = layout.right_inverse();
    trace.fact(answer.to_string(), "their positions, in this order");
}

fn composition(trace: &mut Trace, outer: &Layout, tiler: &Tiler) -> Result<Layout> {
    match tiler {
        Tiler::Modes(tilers) => {
            for (i, (mode, tiler)) in outer.sublayouts().zip(tilers).enumerate() {
                trace.step(&format!("Mode {i}: {mode} ∘ {}", given(tiler)));
                let made = trace.within(|trace| composition(trace, &mode, tiler))?;
                trace.fact(made.to_string(), "");
            }
            outer.composition_by(tiler)
        }
        Tiler::Layout(inner) => {
            trace.step("Each mode s:d of the inner layout walks the outer one, coalesced, in steps of d");
            trace.fact(outer.coalesce().to_string(), "the outer layout, coalesced");
            walk(trace, inner, &|inner| outer.composition(inner))
        }
        Tiler::Keep => Ok(outer.clone()),
    }
}

/// What each mode of the inner layout becomes, and the composite.
fn walk<R: fmt::Display>(trace: &mut Trace, inner: &Layout, compose: &dyn Fn(&Layout) -> Result<R>) -> Result<R> {
    for (i, mode) in inner.modes().iter().enumerate() {
        let single = Layout::from_modes([*mode]).map(|layout| layout.mode(0).unwrap_or(layout));
        let Ok(composed) = single.and_then(|single| compose(&single)) else {
            trace.fact(mode_text(mode), "no layout");
            continue;
        };
        trace.fact(format!("{} → {composed}", mode_text(mode)), format!("mode {i}"));
    }
    let answer = compose(inner)?;
    trace.fact(answer.to_string(), "in the nesting of the inner layout; no digit carries");
    Ok(answer)
}

/// Swizzle and offset apply to what the layout gives, so they stay as they are.
fn swizzled(trace: &mut Trace, outer: &SwizzledLayout, inner: &Layout) -> Result<Layout> {
    trace.step("Swizzle and offset stay; the layout behind them is composed with the inner layout");
    trace.within(|trace| composition(trace, outer.layout(), &Tiler::Layout(inner.clone())))
}

fn coordinates(trace: &mut Trace, outer: &CoordLayout, inner: &Layout) -> Result<CoordLayout> {
    trace.step("Each mode s:d of the inner layout walks the outer one, coalesced, in steps of d");
    trace.fact(outer.coalesce().to_string(), "the outer layout, coalesced");
    walk(trace, inner, &|inner| outer.composition(inner))
}

/// A tiler as CuTe writes it.
pub fn given(tiler: &Tiler) -> String {
    Argument::Tiler(tiler.clone()).to_string()
}

/// Division and products by whatever a tiler can be, in each of their forms.
fn by_form(trace: &mut Trace, name: &str, left: &Layout, tiler: &Tiler) -> Result<Layout> {
    let (form, logical) = match name.split_once('_') {
        Some((form, "divide" | "divide_by_mode")) => (form, &DIVIDE),
        Some((form, "product" | "product_by_mode")) => (form, &PRODUCT),
        _ => return Ok(left.clone()),
    };
    if form == "logical" {
        return logical.by_tiler(trace, name, left, tiler);
    }
    let parts = logical.parts;
    let how = match form {
        "zipped" => format!("The {parts} of all modes together, then the rests: (({parts}…),(rests…))"),
        "tiled" => format!("The {parts} of all modes together, then one mode for each rest: (({parts}…),rest,…)"),
        "flat" => format!("One mode for each of the {parts}, then for each rest"),
        _ => return Ok(left.clone()),
    };
    trace.step(&format!("{}({left}, {})", logical.name, given(tiler)));
    let nested = trace.within(|trace| logical.by_tiler(trace, logical.name, left, tiler))?;
    trace.fact(nested.to_string(), "");
    trace.step(&how);
    Ok(nested)
}

/// Division or product.
struct Logical {
    name: &'static str,
    /// what stands inside of each mode
    parts: &'static str,
    one: fn(&mut Trace, &Layout, &Layout) -> Result<()>,
    all: fn(&Layout, &Tiler) -> Result<Layout>,
}

const DIVIDE: Logical = Logical { name: "logical_divide", parts: "tiles", one: divide, all: Layout::logical_divide };
const PRODUCT: Logical =
    Logical { name: "logical_product", parts: "blocks", one: product, all: Layout::logical_product };

impl Logical {
    fn by_tiler(&self, trace: &mut Trace, name: &str, left: &Layout, tiler: &Tiler) -> Result<Layout> {
        match tiler {
            Tiler::Layout(tile) => (self.one)(trace, left, tile)?,
            Tiler::Modes(tilers) => {
                for (i, (mode, tiler)) in left.sublayouts().zip(tilers).enumerate() {
                    if *tiler == Tiler::Keep {
                        trace.step(&format!("Mode {i}: {mode} stays as it is"));
                        continue;
                    }
                    trace.step(&format!("Mode {i}: {name}({mode}, {})", given(tiler)));
                    let answer = trace.within(|trace| self.by_tiler(trace, name, &mode, tiler))?;
                    trace.fact(answer.to_string(), "");
                }
                if left.rank() > tilers.len() {
                    trace.step("The further modes stay as they are");
                }
            }
            Tiler::Keep => {}
        }
        (self.all)(left, tiler)
    }
}

fn divide(trace: &mut Trace, whole: &Layout, tile: &Layout) -> Result<()> {
    let size = whole.size();
    trace.step(&format!("What tiles leave: C = complement(T, size A) = complement({tile}, {size})"));
    let cotarget = u128::from(size);
    let rest = trace.within(|trace| complement(trace, tile, Some(cotarget), &|tile| tile.complement_in(cotarget)))?;
    trace.step("Tile and rest side by side: (T, C)");
    let both = Layout::concat(&[tile.clone(), rest.clone()])?;
    trace.fact(both.to_string(), format!("every index of [0,{size}) exactly once"));
    trace.step("A read in this order: A ∘ (T, C)");
    for (name, inner, note) in [("A ∘ T", tile, "the first tile"), ("A ∘ C", &rest, "where the tiles begin")] {
        if let Ok(part) = whole.composition(inner) {
            trace.fact(format!("{name} = {part}"), note);
        }
    }
    Ok(())
}

/// Division by tiles that may reach past the layout.
fn padded(trace: &mut Trace, call: &Call) {
    let Ok(answer) = call.run() else { return };
    trace.step("Tile and rest side by side, (T, C), over the least size from size A on that whole tiles fill");
    if let (Some(Output::List(indices)), Some(Output::Naturals(bounds))) =
        (answer.field("index"), answer.field("bounds"))
    {
        for (index, bound) in indices.iter().zip(bounds) {
            trace.fact(index.to_string(), format!("the index in A; from {bound} on it is padding"));
        }
    }
    trace.step("A read in this order, its last mode as long as the padding needs");
    if let Some(padding) = answer.field("padded") {
        trace.fact(padding.to_string(), "coordinates are padding: check the index against the size");
    }
}

fn product(trace: &mut Trace, block: &Layout, tile: &Layout) -> Result<()> {
    let filtered = block.filter();
    let needed = u128::from(block.size()) * u128::from(tile.cosize());
    trace.step("Where copies of A fit: C = complement(A, N), N the least that holds size(A)·cosize(T) elements in whole blocks");
    trace.fact(needed.to_string(), format!("size(A)·cosize(T) = {}·{}", block.size(), tile.cosize()));
    if filtered.size() != block.size() {
        trace.fact(filtered.to_string(), "A without its modes of stride 0");
    }
    let free = trace
        .within(|trace| complement(trace, &filtered, Some(needed), &|filtered| filtered.complement_ceil(needed)))?;
    trace.step("One of these for each value of T: C ∘ T");
    let copies = free.composition(tile)?;
    trace.fact(copies.to_string(), "where the copies begin");
    trace.step("Block and copies side by side: (A, C ∘ T)");
    trace.fact(Layout::concat(&[block.clone(), copies])?.to_string(), "");
    Ok(())
}

/// The blocked and raked products.
fn interleaved(trace: &mut Trace, name: &str, block: &Layout, tile: &Layout) -> Result<Layout> {
    let rank = block.rank().max(tile.rank());
    let (block_padded, tile_padded) = (pad(block, rank)?, pad(tile, rank)?);
    if block.rank() != tile.rank() {
        trace.step(&format!("Both with {rank} modes"));
        trace.fact(block_padded.to_string(), "");
        trace.fact(tile_padded.to_string(), "");
    }
    trace.step(&format!("logical_product({block_padded}, {tile_padded})"));
    let tiler = Tiler::Layout(tile_padded);
    let product = trace.within(|trace| PRODUCT.by_tiler(trace, PRODUCT.name, &block_padded, &tiler))?;
    trace.fact(product.to_string(), "");
    trace.step(if name == "blocked_product" {
        "Mode by mode, the block inside: ((A₀,T₀),(A₁,T₁),…)"
    } else {
        "Mode by mode, the block outside: ((T₀,A₀),(T₁,A₁),…)"
    });
    Ok(product)
}

/// The layout with modes of one element behind it.
fn pad(layout: &Layout, rank: usize) -> Result<Layout> {
    if layout.rank() == rank {
        return Ok(layout.clone());
    }
    let one = Layout::from_modes([Mode::new(1, 0)])?.mode(0);
    let mut modes: Vec<Layout> = layout.sublayouts().collect();
    modes.resize(rank, one.unwrap_or_else(|| layout.clone()));
    Layout::concat(&modes)
}
