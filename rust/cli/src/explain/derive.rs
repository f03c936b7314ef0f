//! How an operation comes to its result.
//!
//! Each derivation says what the definition says, with the layouts of the case; the results come from the operations
//! themselves, so that a derivation cannot differ from what the library answers.

use super::trace::Trace;
use crate::ask::ask;
use crate::failure::Failure;
use crate::notation::{given, layout_json, result};
use razorgirl::{Layout, Mode};
use serde_json::{Value, json};

type Derived = Result<Value, Failure>;

/// Derives `name(args)` and gives its result.
pub fn derive(trace: &mut Trace, name: &str, args: &[Value]) -> Derived {
    let layouts: Vec<Layout> = args.iter().filter_map(layout).collect();
    match (name, args) {
        ("coalesce", [_]) => coalesce(trace, args, &layouts),
        ("complement" | "complement_ceil", [_, ..]) if layouts.len() == 1 => complement(trace, name, args, &layouts),
        ("composition" | "composition_by_mode", [outer, tiler]) => composition(trace, outer, tiler),
        ("right_inverse", [_]) => right_inverse(trace, args, &layouts),
        ("logical_divide" | "logical_divide_by_mode", [whole, tiler]) => by_tiler(trace, name, whole, tiler, &divide),
        ("logical_product" | "logical_product_by_mode", [block, tiler]) => {
            by_tiler(trace, name, block, tiler, &product)
        }
        ("logical_divide_ceil", [whole, tiler]) => padded(trace, whole, tiler),
        ("zipped_divide" | "tiled_divide" | "flat_divide", [whole, tiler]) => {
            regrouped(trace, name, "logical_divide", "tiles", whole, tiler)
        }
        ("zipped_product" | "tiled_product" | "flat_product", [block, tiler]) => {
            regrouped(trace, name, "logical_product", "blocks", block, tiler)
        }
        ("blocked_product" | "raked_product", [block, tiler]) if layouts.len() == 2 => {
            interleaved(trace, name, block, tiler, &layouts)
        }
        _ => ask(name, args),
    }
}

/// The layout that a value is.
pub fn layout(value: &Value) -> Option<Layout> {
    value.is_object().then(|| razorgirl_protocol::layout_from_json(&value.to_string()).ok()).flatten()
}

fn mode_text(mode: &Mode) -> String {
    format!("{}:{}", mode.extent(), mode.stride())
}

fn modes_text<'a>(modes: impl IntoIterator<Item = &'a Mode>) -> String {
    let modes: Vec<String> = modes.into_iter().map(mode_text).collect();
    if modes.is_empty() { "none".into() } else { modes.join("  ") }
}

fn coalesce(trace: &mut Trace, args: &[Value], layouts: &[Layout]) -> Derived {
    let answer = ask("coalesce", args)?;
    if let [layout] = layouts {
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
        trace.fact(result(&answer), "the fewest modes with this function");
    }
    Ok(answer)
}

fn complement(trace: &mut Trace, name: &str, args: &[Value], layouts: &[Layout]) -> Derived {
    if let [layout] = layouts {
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
        if let [_, cotarget] = args {
            trace.fact(format!("{covered}"), format!("elements in a block; blocks fill [0,{cotarget})"));
        }
    }
    let answer = ask(name, args)?;
    trace.fact(result(&answer), "the gaps as one layout, coalesced");
    Ok(answer)
}

fn right_inverse(trace: &mut Trace, args: &[Value], layouts: &[Layout]) -> Derived {
    if let [layout] = layouts {
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
    }
    let answer = ask("right_inverse", args)?;
    trace.fact(result(&answer), "their positions, in this order");
    Ok(answer)
}

fn composition(trace: &mut Trace, outer: &Value, tiler: &Value) -> Derived {
    let name = if tiler.is_object() { "composition" } else { "composition_by_mode" };
    if let (Some(outer_layout), Value::Array(tilers)) = (layout(outer), tiler) {
        for (i, (mode, tiler)) in outer_layout.sublayouts().zip(tilers).enumerate() {
            let mode = layout_json(&mode);
            trace.step(&format!("Mode {i}: {} ∘ {}", result(&mode), given(tiler)));
            let inner = if tiler.is_null() { mode } else { trace.within(|trace| composition(trace, &mode, tiler))? };
            trace.fact(result(&inner), "");
        }
    } else if let (Some(outer_layout), Some(inner)) = (layout(outer), layout(tiler)) {
        trace.step("Each mode s:d of the inner layout walks the outer one, coalesced, in steps of d");
        trace.fact(outer_layout.coalesce().to_string(), "the outer layout, coalesced");
        for (i, mode) in inner.modes().iter().enumerate() {
            let single = Layout::from_modes([*mode]).map(|layout| layout.mode(0).unwrap_or(layout));
            let Ok(composed) = single.and_then(|single| outer_layout.composition(&single)) else {
                trace.fact(mode_text(mode), "no layout");
                continue;
            };
            trace.fact(format!("{} → {composed}", mode_text(mode)), format!("mode {i}"));
        }
    }
    let answer = ask(name, &[outer.clone(), tiler.clone()])?;
    if tiler.is_object() {
        trace.fact(result(&answer), "in the nesting of the inner layout; no digit carries");
    }
    Ok(answer)
}

type ByLayout = dyn Fn(&mut Trace, &Value, &Layout, &Layout) -> Result<(), Failure>;

/// Division or product by whatever a tiler can be.
fn by_tiler(trace: &mut Trace, name: &str, left: &Value, tiler: &Value, one: &ByLayout) -> Derived {
    let tile = match tiler {
        Value::Number(n) => layout(&json!({"shape": n, "stride": 1})),
        other => layout(other),
    };
    match (layout(left), tile, tiler) {
        (Some(left_layout), Some(tile), _) => one(trace, left, &left_layout, &tile)?,
        (Some(left_layout), None, Value::Array(tilers)) => {
            for (i, (mode, tiler)) in left_layout.sublayouts().zip(tilers).enumerate() {
                let mode = layout_json(&mode);
                if tiler.is_null() {
                    trace.step(&format!("Mode {i}: {} stays as it is", result(&mode)));
                    continue;
                }
                trace.step(&format!("Mode {i}: {name}({}, {})", result(&mode), given(tiler)));
                let answer = trace.within(|trace| by_tiler(trace, name, &mode, tiler, one))?;
                trace.fact(result(&answer), "");
            }
            if left_layout.rank() > tilers.len() {
                trace.step("The further modes stay as they are");
            }
        }
        _ => {}
    }
    ask(name, &[left.clone(), tiler.clone()])
}

fn divide(trace: &mut Trace, whole: &Value, a: &Layout, t: &Layout) -> Result<(), Failure> {
    let tile = layout_json(t);
    trace.step(&format!("What tiles leave: C = complement(T, size A) = complement({t}, {})", a.size()));
    // what refuses is the division, which says what to do about it
    let Ok(rest) = trace.within(|trace| derive(trace, "complement", &[tile.clone(), a.size().into()])) else {
        return Ok(());
    };
    let both = ask("make_layout", &[tile.clone(), rest.clone()])?;
    trace.step("Tile and rest side by side: (T, C)");
    trace.fact(result(&both), format!("every index of [0,{}) exactly once", a.size()));
    trace.step("A read in this order: A ∘ (T, C)");
    for (name, inner, note) in [("A ∘ T", &tile, "the first tile"), ("A ∘ C", &rest, "where the tiles begin")] {
        if let Ok(part) = ask("composition", &[whole.clone(), inner.clone()]) {
            trace.fact(format!("{name} = {}", result(&part)), note);
        }
    }
    Ok(())
}

/// Division by tiles that may reach past the layout.
fn padded(trace: &mut Trace, whole: &Value, tiler: &Value) -> Derived {
    let answer = crate::ask::answer("logical_divide_ceil", &[whole.clone(), tiler.clone()])?;
    let field = |name: &str| answer.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    trace.step("Tile and rest side by side, (T, C), over the least size from size A on that whole tiles fill");
    for (index, bound) in field("index").iter().zip(field("bounds")) {
        trace.fact(result(index), format!("the index in A; from {bound} on it is padding"));
    }
    trace.step("A read in this order, its last mode as long as the padding needs");
    if let Some(padding) = answer.get("padded") {
        trace.fact(padding.to_string(), "coordinates are padding: check the index against the size");
    }
    Ok(answer.get("result").cloned().unwrap_or(Value::Null))
}

fn product(trace: &mut Trace, block: &Value, a: &Layout, t: &Layout) -> Result<(), Failure> {
    let filtered = a.filter();
    let needed = u128::from(a.size()) * u128::from(t.cosize());
    let Ok(needed) = u64::try_from(needed) else {
        return Ok(());
    };
    trace.step("Where copies of A fit: C = complement(A, N), N the least that holds size(A)·cosize(T) elements in whole blocks");
    trace.fact(needed.to_string(), format!("size(A)·cosize(T) = {}·{}", a.size(), t.cosize()));
    if filtered.size() != a.size() {
        trace.fact(filtered.to_string(), "A without its modes of stride 0");
    }
    let Ok(free) = trace.within(|trace| derive(trace, "complement_ceil", &[layout_json(&filtered), needed.into()]))
    else {
        return Ok(());
    };
    trace.step("One of these for each value of T: C ∘ T");
    let Ok(copies) = ask("composition", &[free, layout_json(t)]) else {
        return Ok(());
    };
    trace.fact(result(&copies), "where the copies begin");
    trace.step("Block and copies side by side: (A, C ∘ T)");
    trace.fact(result(&ask("make_layout", &[block.clone(), copies])?), "");
    Ok(())
}

/// The zipped, tiled and flat forms.
fn regrouped(trace: &mut Trace, name: &str, logical: &str, parts: &str, left: &Value, tiler: &Value) -> Derived {
    trace.step(&format!("{logical}({}, {})", result(left), given(tiler)));
    let nested = trace.within(|trace| derive(trace, logical, &[left.clone(), tiler.clone()]))?;
    trace.fact(result(&nested), "");
    let how = match name.split('_').next() {
        Some("zipped") => format!("The {parts} of all modes together, then the rests: (({parts}…),(rests…))"),
        Some("tiled") => format!("The {parts} of all modes together, then one mode for each rest: (({parts}…),rest,…)"),
        _ => format!("One mode for each of the {parts}, then for each rest"),
    };
    trace.step(&how);
    ask(name, &[left.clone(), tiler.clone()])
}

/// The blocked and raked products.
fn interleaved(trace: &mut Trace, name: &str, block: &Value, tiler: &Value, layouts: &[Layout]) -> Derived {
    let rank = layouts.iter().map(Layout::rank).max().unwrap_or(1);
    let mut padded = vec![];
    for layout in layouts {
        padded.push(layout_json(&pad(layout, rank)?));
    }
    if layouts.iter().any(|layout| layout.rank() < rank) {
        trace.step(&format!("Both with {rank} modes"));
        for value in &padded {
            trace.fact(result(value), "");
        }
    }
    trace.step(&format!("logical_product({}, {})", result(&padded[0]), result(&padded[1])));
    let product = trace.within(|trace| derive(trace, "logical_product", &padded))?;
    trace.fact(result(&product), "");
    trace.step(if name == "blocked_product" {
        "Mode by mode, the block inside: ((A₀,T₀),(A₁,T₁),…)"
    } else {
        "Mode by mode, the block outside: ((T₀,A₀),(T₁,A₁),…)"
    });
    ask(name, &[block.clone(), tiler.clone()])
}

/// The layout with modes of one element behind it.
fn pad(layout: &Layout, rank: usize) -> Result<Layout, Failure> {
    if layout.rank() == rank {
        return Ok(layout.clone());
    }
    let one = Layout::from_modes([Mode::new(1, 0)])?.mode(0);
    let mut modes: Vec<Layout> = layout.sublayouts().collect();
    modes.resize(rank, one.unwrap_or_else(|| layout.clone()));
    Ok(Layout::concat(&modes)?)
}
