//! Arguments of operations on linear layouts and on swizzles.
//!
//! Layouts are small, so that the model can go through their points, and now and then as large as they may be. What two
//! layouts have in common (names, sizes, a tile, a factor) is drawn for the operation, and now and then broken.

use super::Rng;
use razorgirl_protocol::{Kind, Op};
use serde_json::{Value, json};

const INPUTS: [&str; 4] = ["register", "lane", "warp", "block"];
const OUTPUTS: [&str; 3] = ["x", "y", "lane"];

/// A name with a number of bits.
type Dims = Vec<(String, u32)>;

/// Some of the names, mostly in order.
fn names(rng: &mut Rng, of: &[&str], least: u64) -> Vec<String> {
    let mut names: Vec<&str> = of.iter().copied().filter(|_| !rng.once_in(3)).collect();
    if (names.len() as u64) < least {
        names = of[..usize::try_from(least).unwrap_or(0)].to_vec();
    }
    let names = if rng.once_in(6) { rng.shuffled(names) } else { names };
    names.into_iter().map(str::to_owned).collect()
}

fn sized(rng: &mut Rng, names: Vec<String>, most: u64) -> Dims {
    let left = most;
    let mut used = 0;
    names
        .into_iter()
        .map(|name| {
            let bits = rng.below(4).min(left - used);
            used += bits;
            (name, u32::try_from(bits).unwrap_or(0))
        })
        .collect()
}

fn total(dims: &Dims) -> u32 {
    dims.iter().map(|(_, bits)| bits).sum()
}

/// The bases over these dimensions, packed: at random, or so that every output is reached, or none twice.
fn columns(rng: &mut Rng, ins: &Dims, outs: &Dims) -> Vec<u64> {
    let (n, m) = (total(ins), total(outs));
    let mask = (1_u64 << m) - 1;
    match rng.below(4) {
        0 => (0..n).map(|_| rng.bits() & mask).collect(),
        // a permutation of bits, with bases exclusive-ored onto others: as far as it goes, each independent of the others
        kind => {
            let units = (0..n.max(m)).map(|bit| if bit < m { 1_u64 << bit } else { 0 }).collect();
            let mut all: Vec<u64> = if kind == 1 { units } else { rng.shuffled(units) };
            for _ in 0..rng.below(2 * u64::from(m) + 1) {
                let (a, b) = (rng.below(all.len() as u64), rng.below(all.len() as u64));
                let (a, b) = (usize::try_from(a).unwrap_or(0), usize::try_from(b).unwrap_or(0));
                if a != b && kind != 1 {
                    all[a] ^= all[b];
                }
            }
            all.truncate(n as usize);
            all
        }
    }
}

fn written(ins: &Dims, outs: &Dims, columns: &[u64]) -> Value {
    let mut next = columns.iter();
    let components = |column: &u64| -> Vec<u64> {
        let mut rest = *column;
        let cut = |(_, bits): &(String, u32)| {
            let component = rest & ((1 << bits) - 1);
            rest = rest.checked_shr(*bits).unwrap_or(0);
            component
        };
        outs.iter().map(cut).collect()
    };
    let dims: Vec<Value> = ins
        .iter()
        .map(|(name, bits)| {
            let rows: Vec<Vec<u64>> = (0..*bits).filter_map(|_| next.next().map(components)).collect();
            json!([name, rows])
        })
        .collect();
    let outs: Vec<Value> = outs.iter().map(|(name, bits)| json!([name, 1_u64 << bits])).collect();
    json!({"in": dims, "out": outs})
}

fn over(rng: &mut Rng, ins: &Dims, outs: &Dims) -> Value {
    let columns = columns(rng, ins, outs);
    written(ins, outs, &columns)
}

/// A linear layout with its dimensions; now and then of up to 63 bits a side.
pub(super) fn layout(rng: &mut Rng) -> (Dims, Dims, Value) {
    let (ins, outs) = (names(rng, &INPUTS, 0), names(rng, &OUTPUTS, 0));
    let (mut ins, mut outs) = (sized(rng, ins, 6), sized(rng, outs, 6));
    if rng.once_in(40) {
        let large = |rng: &mut Rng, dims: &mut Dims| {
            for (_, bits) in dims {
                *bits = u32::try_from(rng.below(22)).unwrap_or(0).min(15);
            }
        };
        large(rng, &mut ins);
        large(rng, &mut outs);
    }
    if rng.once_in(3) {
        // as many bits on both sides, where there are dimensions for them
        let more = total(&ins).abs_diff(total(&outs));
        let smaller = if total(&ins) < total(&outs) { &mut ins } else { &mut outs };
        if let Some((_, bits)) = smaller.first_mut() {
            *bits += more;
        }
    }
    let value = over(rng, &ins, &outs);
    (ins, outs, value)
}

/// A layout that is a swizzle of bits, or is not for one bit.
fn swizzled(rng: &mut Rng) -> Value {
    let (ins, outs, _) = layout(rng);
    let (n, m) = (total(&ins), total(&outs));
    let units = rng.shuffled((0..n.max(m)).map(|bit| if bit < m { 1_u64 << bit } else { 0 }).collect());
    let (bits, base) = (1 + rng.below(3), rng.below(3));
    let (from, to) = (base + rng.below(4), base + rng.below(4));
    let swizzle = |x: u64| (0..bits).fold(x, |y, bit| y ^ (x >> (from + bit) & 1) << (to + bit));
    let mut all: Vec<u64> = units.into_iter().map(|unit| swizzle(unit) & ((1 << m) - 1)).collect();
    all.truncate(n as usize);
    if rng.once_in(4) && m > 0 && !all.is_empty() {
        let at = usize::try_from(rng.below(all.len() as u64)).unwrap_or(0);
        all[at] ^= 1 << rng.below(u64::from(m));
    }
    written(&ins, &outs, &all)
}

fn dims(of: &Dims) -> Value {
    of.iter().map(|(name, bits)| json!([name, 1_u64 << bits])).collect()
}

/// The direct sum of two layouts over the same dimensions: the packed bases of each, apart.
fn sum(rng: &mut Rng) -> (Value, Value, Value) {
    let ins = names(rng, &INPUTS, 1);
    let outs = names(rng, &OUTPUTS, 1);
    let side = |rng: &mut Rng| (sized(rng, ins.clone(), 4), sized(rng, outs.clone(), 4));
    let (low, high) = (side(rng), side(rng));
    let (a, b) = (over(rng, &low.0, &low.1), over(rng, &high.0, &high.1));
    let rows = |of: &Value, at: usize| of["in"][at][1].as_array().cloned().unwrap_or_default();
    let shifted = |row: Value| -> Value {
        let components = row.as_array().cloned().unwrap_or_default();
        components.iter().zip(&low.1).map(|(x, (_, bits))| json!(x.as_u64().unwrap_or(0) << bits)).collect()
    };
    let ins: Vec<Value> = low
        .0
        .iter()
        .enumerate()
        .map(|(at, (name, _))| {
            let mut all = rows(&a, at);
            all.extend(rows(&b, at).into_iter().map(shifted));
            json!([name, all])
        })
        .collect();
    let outs: Vec<Value> =
        low.1.iter().zip(&high.1).map(|((name, x), (_, y))| json!([name, 1_u64 << (x + y)])).collect();
    (a, b, json!({"in": ins, "out": outs}))
}

/// Two layouts as an operation takes them.
fn two(rng: &mut Rng, op: &str) -> [Value; 2] {
    let (ins, outs, first) = layout(rng);
    if rng.once_in(12) {
        return [first, layout(rng).2];
    }
    let other_names = ["a", "b", "x"];
    match op {
        "linear_compose" => {
            let mut inner = outs.clone();
            if let Some((_, bits)) = inner.last_mut().filter(|(_, bits)| *bits < 12 && rng.once_in(3)) {
                *bits += 1;
            }
            let targets = names(rng, &other_names, 0);
            let targets = sized(rng, targets, 6);
            let inner = if rng.once_in(4) { rng.shuffled(inner) } else { inner };
            let second = over(rng, &inner, &targets);
            [first, second]
        }
        "linear_concat_ins" => {
            let more = names(rng, &["a", "b"], 0);
            let more = sized(rng, more, 4);
            let second = over(rng, &more, &outs);
            [first, second]
        }
        "linear_concat_outs" => {
            let more = names(rng, &["a", "b"], 0);
            let more = sized(rng, more, 4);
            let second = over(rng, &ins, &more);
            [first, second]
        }
        "linear_divide_left" | "linear_divide_right" | "linear_get_reps" => {
            let (low, high, whole) = sum(rng);
            [whole, if op == "linear_divide_right" { high } else { low }]
        }
        "linear_eq" if rng.once_in(2) => [first.clone(), first],
        "linear_lstsq" | "linear_invert_and_compose" => {
            // what a selection of the bases reaches
            let targets = if rng.once_in(2) { ins.clone() } else { sized(rng, vec!["lane".into(), "user".into()], 5) };
            let second = if rng.once_in(4) || total(&ins) > 20 {
                over(rng, &targets, &outs)
            } else {
                let own = packed(&first, &outs);
                let reached: Vec<u64> = (0..total(&targets))
                    .map(|_| own.iter().filter(|_| rng.once_in(2)).fold(0, |sum, column| sum ^ column))
                    .collect();
                let kept = rng.once_in(3) && total(&targets) == total(&ins);
                written(&targets, &outs, if kept { &own } else { &reached })
            };
            if op == "linear_lstsq" { [first, second] } else { [second, first] }
        }
        _ => {
            let (low, high, _) = sum(rng);
            [low, high]
        }
    }
}

/// The bases of a layout over these outputs, packed.
fn packed(layout: &Value, outs: &Dims) -> Vec<u64> {
    let rows = layout["in"].as_array().into_iter().flatten().flat_map(|dim| dim[1].as_array().into_iter().flatten());
    let pack = |row: &Value| {
        let components = row.as_array().into_iter().flatten().filter_map(Value::as_u64);
        let mut place = 0;
        components.zip(outs).fold(0, |packed, (component, (_, bits))| {
            let sum = packed | component << place;
            place += bits;
            sum
        })
    };
    rows.map(pack).collect()
}

fn some_names(rng: &mut Rng, of: &Dims) -> Vec<String> {
    let mut names: Vec<String> = of.iter().filter(|_| rng.once_in(2)).map(|(name, _)| name.clone()).collect();
    if rng.once_in(20) {
        names.push((*rng.pick(&["x", "lane", "nowhere"])).to_owned());
    }
    names
}

/// Dimensions of so many bits together.
fn cut(rng: &mut Rng, bits: u32) -> Dims {
    let mut left = u64::from(bits);
    let mut dims = vec![];
    for name in ["a", "b", "c"] {
        let own = if name == "c" { left } else { rng.below(left + 1) };
        left -= own;
        dims.push((name.to_owned(), u32::try_from(own).unwrap_or(0)));
    }
    if rng.once_in(30) {
        dims.pop();
    }
    dims
}

/// A layout that copies some of its dimensions.
fn copying(rng: &mut Rng) -> (Dims, Dims, Value) {
    let (rest_in, rest_out) = (sized(rng, vec!["r".into()], 3), sized(rng, vec!["s".into()], 3));
    let copied = sized(rng, vec!["x".into(), "y".into()], 4);
    let (ins, outs): (Dims, Dims) =
        (rest_in.iter().chain(&copied).cloned().collect(), rest_out.iter().chain(&copied).cloned().collect());
    let own = total(&rest_out);
    let mut all: Vec<u64> = columns(rng, &rest_in, &rest_out);
    all.extend((0..total(&copied)).map(|bit| 1_u64 << (own + bit)));
    if rng.once_in(3) && !all.is_empty() {
        let at = usize::try_from(rng.below(all.len() as u64)).unwrap_or(0);
        all[at] ^= rng.bits() & ((1 << total(&outs)) - 1);
    }
    let value = written(&ins, &outs, &all);
    (ins, outs, value)
}

fn point(rng: &mut Rng, ins: &Dims) -> Value {
    let mut point = serde_json::Map::new();
    for (name, bits) in ins {
        let x = match rng.below(20) {
            0 => json!(rng.bits()),
            1 => json!(-1 - i64::from(rng.once_in(2))),
            _ => json!(rng.below(1 << bits)),
        };
        point.insert(name.clone(), x);
    }
    if rng.once_in(60) {
        point.remove("lane");
    }
    Value::Object(point)
}

/// Registers, lanes and warps that share the bits of the outputs, with some bases repeated or changed.
fn threads(rng: &mut Rng, outs: &Dims) -> Value {
    let bits = u64::from(total(outs));
    let registers = rng.below(4).min(bits);
    let lanes = 5.min(bits - registers);
    let sizes = [("register", registers), ("lane", lanes), ("warp", bits - registers - lanes), ("block", 0)];
    let ins: Dims = sizes.map(|(name, bits)| (name.to_owned(), u32::try_from(bits).unwrap_or(0))).to_vec();
    let mut all = columns(rng, &ins, outs);
    if rng.once_in(4) && !all.is_empty() {
        let (a, b) = (rng.below(bits), rng.below(bits));
        all[usize::try_from(a).unwrap_or(0)] = if rng.once_in(2) { 0 } else { all[usize::try_from(b).unwrap_or(0)] };
    }
    written(&ins, outs, &all)
}

/// Registers and shared memory, or two layouts of registers, and the bits of an element.
fn banks(rng: &mut Rng, suggested: bool) -> [Value; 3] {
    let bits = u32::try_from(rng.between(0, 9)).unwrap_or(0);
    let high = u32::try_from(rng.below(u64::from(bits) + 1)).unwrap_or(0);
    let outs: Dims = vec![("x".into(), high), ("y".into(), bits - high)];
    let first = threads(rng, &outs);
    let second = if suggested {
        threads(rng, &outs)
    } else {
        let ins: Dims = vec![("offset".into(), bits), ("block".into(), 0)];
        over(rng, &ins, &outs)
    };
    let width =
        if rng.once_in(40) { json!(rng.pick(&[0, 4, 12, 256])) } else { json!(rng.pick(&[8, 16, 32, 64, 128])) };
    [first, second, width]
}

/// The arguments of an operation on linear layouts; none for another operation.
pub(super) fn arguments(rng: &mut Rng, op: &Op) -> Option<Vec<Value>> {
    let name = op.name;
    if name == "swizzle" {
        let (bits, base) = if rng.once_in(9) { (70, 70) } else { (6, 10) };
        let shift = i64::try_from(rng.below(if bits > 9 { 160 } else { 12 })).unwrap_or(0);
        let x = rng.bits() >> rng.below(64);
        return Some(vec![
            json!(rng.below(bits)),
            json!(rng.below(base)),
            json!(shift - if bits > 9 { 80 } else { 4 }),
            json!(x),
        ]);
    }
    if matches!(name, "bank_conflicts" | "optimal_swizzle") {
        return Some(banks(rng, name == "optimal_swizzle").to_vec());
    }
    if !name.starts_with("linear_") {
        return None;
    }
    if name == "linear_to_swizzled" && rng.once_in(2) {
        return Some(vec![swizzled(rng)]);
    }
    let kinds: Vec<Kind> = op.forms.first()?.parameters.iter().map(|parameter| parameter.kind).collect();
    if kinds == [Kind::Linear, Kind::Linear] {
        return Some(two(rng, name).to_vec());
    }
    let copies = matches!(name, "linear_quotient" | "linear_is_trivial_over" | "linear_is_identity_on_out_dim");
    let (ins, outs, whole) = if copies { copying(rng) } else { layout(rng) };
    let about_outs =
        name.ends_with("outs") || name == "linear_contiguous_along" || name == "linear_resize_out" || copies;
    let side = if about_outs { &outs } else { &ins };
    let mut named = 0;
    let arguments = kinds.iter().map(|kind| match kind {
        Kind::Linear => whole.clone(),
        Kind::Points => (0..rng.below(5)).map(|_| point(rng, &ins)).collect(),
        Kind::Dim => match side.as_slice() {
            [] => json!("nowhere"),
            _ if rng.once_in(30) => json!("nowhere"),
            dims => json!(rng.pick(dims).0),
        },
        Kind::Names if name.starts_with("linear_transpose") => {
            let names: Vec<String> = side.iter().map(|(name, _)| name.clone()).collect();
            let mut names = rng.shuffled(names);
            if rng.once_in(20) {
                names.pop();
            }
            json!(names)
        }
        Kind::Names if name.starts_with("linear_sublayout") => {
            named += 1;
            json!(some_names(rng, if named == 1 { &ins } else { &outs }))
        }
        Kind::Names if name == "linear_from_bases_inferred" => {
            json!(outs.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>())
        }
        Kind::Names => {
            let both: Dims = ins.iter().filter(|(name, _)| outs.iter().any(|(own, _)| own == name)).cloned().collect();
            json!(some_names(rng, &both))
        }
        Kind::Dims if name.starts_with("linear_reshape") => {
            let bits = total(side) + u32::from(rng.once_in(30));
            dims(&cut(rng, bits.min(62)))
        }
        Kind::Dims => {
            let sizes: Dims =
                outs.iter().map(|(name, _)| (name.clone(), u32::try_from(rng.below(5)).unwrap_or(0))).collect();
            let sizes = if rng.once_in(4) { rng.shuffled(sizes) } else { sizes };
            let sizes: Dims = if rng.once_in(30) { sizes.into_iter().skip(1).collect() } else { sizes };
            dims(&sizes)
        }
        Kind::Bases => whole["in"].clone(),
        Kind::Pow2 | Kind::Index if rng.once_in(40) => json!(rng.pick(&[0, 3, 6, -1])),
        Kind::Pow2 => json!(1_u64 << rng.below(4)),
        Kind::Index => {
            let most = if rng.once_in(20) { 60 } else { 8 };
            json!(1_u64 << rng.below(most))
        }
        Kind::Truth => json!(rng.once_in(2)),
        _ => json!(rng.below(9)),
    });
    Some(arguments.collect())
}
