//! Layouts of coordinates, number by number: each dimension is a layout of integers.

use super::composition::strict;
use super::coord::{index, index_coord, inside, picked};
use super::expected::Expected;
use super::find::{LIST, find};
use super::integer::one;
use super::layout::{Layout, Mode, only};
use super::reading::shape_of;
use super::refusal::{Refusal, Result};
use super::shape::{limit, read_ints, size};
use crate::tree::{MAX_DEPTH, Tree, int_json, read_int};
use num_bigint::BigInt;
use serde_json::{Map, Value, json};

/// The operations of this module.
pub const NAMES: [&str; 5] = ["coord_call", "coord_coalesce", "coord_composition", "coord_eval", "identity_layout"];

/// Numbers of a coordinate, and numbers of all strides.
const AXES: usize = 1024;
const NUMBERS: usize = 1 << 20;

/// A sum of basis elements: paths with how many of each.
type Sum = Vec<(Vec<usize>, BigInt)>;

/// A mode with a number in each dimension.
type Row = (BigInt, Vec<BigInt>);

/// A layout of coordinates.
struct Coordinates {
    /// the value of the first coordinate
    start: Tree,
    /// the shape; strides do not matter
    frame: Layout,
    modes: Vec<Row>,
}

fn zero() -> BigInt {
    BigInt::from(0)
}

/// `1@1@0` is the path [0,1].
fn path(unit: &str) -> Option<Vec<usize>> {
    let mut words = unit.split('@');
    if words.next() != Some("1") {
        return None;
    }
    let mut path = words.map(|word| word.parse().ok()).collect::<Option<Vec<usize>>>()?;
    path.reverse();
    (!path.is_empty()).then_some(path)
}

/// The sum at each leaf, and the nesting.
fn sums(value: &Value, room: usize, all: &mut Vec<Sum>) -> Result<Tree> {
    match value {
        Value::Array(items) => {
            if room == 0 {
                return Err(Refusal("too_large"));
            }
            Ok(Tree::Node(items.iter().map(|item| sums(item, room - 1, all)).collect::<Result<_>>()?))
        }
        Value::Object(terms) if !terms.is_empty() => {
            let term = |(unit, times): (&String, &Value)| path(unit).zip(read_int(times));
            all.push(terms.iter().map(term).collect::<Option<Sum>>().ok_or(Refusal("parse"))?);
            Ok(Tree::Int(zero()))
        }
        value => {
            all.push(vec![(Vec::new(), read_int(value).ok_or(Refusal("parse"))?)]);
            Ok(Tree::Int(zero()))
        }
    }
}

/// The start with a number at each path; one that stands at a leaf which is not 0 is no tuple.
fn joined(paths: &[&[usize]], start: Option<&Tree>, depth: usize) -> Result<Tree> {
    if depth > MAX_DEPTH {
        return Err(Refusal("too_large"));
    }
    if paths.iter().any(|path| path.is_empty()) {
        let number = !matches!(start, Some(Tree::Node(_)));
        return match start {
            _ if !number || paths.iter().any(|path| !path.is_empty()) => Err(Refusal("incongruent")),
            Some(leaf) => Ok(leaf.clone()),
            None => Ok(Tree::Int(zero())),
        };
    }
    if paths.is_empty() {
        return Ok(start.cloned().unwrap_or(Tree::Int(zero())));
    }
    let modes: &[Tree] = match start {
        Some(Tree::Node(modes)) => modes,
        Some(Tree::Int(n)) if *n != zero() => return Err(Refusal("incongruent")),
        _ => &[],
    };
    let count = paths.iter().map(|path| path[0].saturating_add(1)).max().unwrap_or(0).max(modes.len());
    if count > AXES {
        return Err(Refusal("too_large"));
    }
    let mode = |d: usize| {
        let below: Vec<&[usize]> = paths.iter().filter(|path| path[0] == d).map(|path| &path[1..]).collect();
        joined(&below, modes.get(d), depth + 1)
    };
    Ok(Tree::Node((0..count).map(mode).collect::<Result<_>>()?))
}

/// The path of each leaf.
fn paths(tree: &Tree, above: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    match tree {
        Tree::Node(modes) => {
            for (d, mode) in modes.iter().enumerate() {
                above.push(d);
                paths(mode, above, all);
                above.pop();
            }
        }
        _ => all.push(above.clone()),
    }
}

fn paths_of(tree: &Tree) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    paths(tree, &mut Vec::new(), &mut all);
    all
}

/// The shape of a layout of coordinates.
pub(super) fn shape(value: &Value) -> Result<Tree> {
    Ok(Coordinates::read(value)?.frame.shape())
}

/// Whether a layout of coordinates is written here: with a start, or strides that are sums.
pub(crate) fn is_written(value: &Value) -> bool {
    let sum = value.get("stride").is_some_and(|stride| stride.to_string().contains('{'));
    value.get("swizzle").is_none() && (value.get("offset").is_some() || sum)
}

impl Coordinates {
    fn read(value: &Value) -> Result<Self> {
        only(value, &["offset", "shape", "stride"])?;
        let (Some(shape), Some(stride)) = (value.get("shape"), value.get("stride")) else {
            return Err(Refusal("parse"));
        };
        let shape = read_ints(shape)?;
        let mut all = Vec::new();
        let nesting = sums(stride, MAX_DEPTH, &mut all)?;
        let start = value.get("offset").map(read_ints).transpose()?;
        if let Some(start) = &start {
            if start.ints().iter().any(|&n| *n < zero()) {
                return Err(Refusal("out_of_domain"));
            }
            if start.ints().iter().any(|&n| *n >= limit()) {
                return Err(Refusal("overflow"));
            }
        }
        if !shape.congruent(&nesting) {
            return Err(Refusal("incongruent"));
        }
        let extents: Vec<BigInt> = shape.ints().into_iter().cloned().collect();
        if extents.iter().any(|extent| *extent < one()) {
            return Err(Refusal("extent"));
        }
        if all.iter().flatten().any(|(_, times)| *times < zero()) {
            return Err(Refusal("stride"));
        }
        let told = extents.iter().zip(&all).flat_map(|(extent, sum)| {
            let told =
                move |path: &[usize], times: &BigInt| !(path.is_empty() && (*times == zero() || *extent == one()));
            sum.iter().filter(move |(path, times)| told(path, times)).map(|(path, _)| path.as_slice())
        });
        let start = joined(&told.collect::<Vec<_>>(), start.as_ref(), 0)?;
        let paths = paths_of(&start);
        if paths.len() > AXES || paths.len() * extents.len() > NUMBERS {
            return Err(Refusal("too_large"));
        }
        let number = |sum: &Sum, path: &Vec<usize>| -> BigInt {
            sum.iter().filter(|(at, _)| at == path).map(|(_, times)| times).sum()
        };
        let row = |(extent, sum): (&BigInt, &Sum)| {
            let alone = *extent == one();
            (extent.clone(), paths.iter().map(|path| if alone { zero() } else { number(sum, path) }).collect())
        };
        let modes = extents.iter().zip(&all).map(row).collect();
        let frame = Layout::of(&shape, &shape.refill(&mut std::iter::repeat(zero())))?;
        Self { start, frame, modes }.bounded()
    }

    /// Each dimension as a layout of integers.
    fn axis(&self, axis: usize) -> Layout {
        let mode = |(extent, row): &Row| Mode { extent: extent.clone(), stride: row[axis].clone() };
        self.frame.with_modes(self.modes.iter().map(mode).collect())
    }

    fn starts(&self) -> Vec<BigInt> {
        self.start.ints().into_iter().cloned().collect()
    }

    fn bounded(self) -> Result<Self> {
        for (axis, start) in self.starts().iter().enumerate() {
            let cosize = self.axis(axis).bounded()?.cosize();
            if start + cosize > limit() {
                return Err(Refusal("overflow"));
            }
        }
        Ok(self)
    }

    fn at(&self, index: &BigInt) -> Tree {
        let numbers = self.starts().into_iter().enumerate().map(|(axis, start)| start + self.axis(axis).at(index));
        self.start.refill(&mut numbers.collect::<Vec<_>>().into_iter())
    }

    /// The first mode fastest, added up step by step.
    fn values(&self) -> Vec<Tree> {
        let mut all = vec![self.starts()];
        for (extent, row) in &self.modes {
            let steps: u64 = extent.try_into().unwrap_or(0);
            let moved = |k: u64, from: &Vec<BigInt>| from.iter().zip(row).map(|(n, d)| n + d * k).collect::<Vec<_>>();
            all = (0..steps).flat_map(|k| all.iter().map(move |from| moved(k, from))).collect();
        }
        all.into_iter().map(|numbers| self.start.refill(&mut numbers.into_iter())).collect()
    }

    fn to_json(&self) -> Value {
        let all = paths_of(&self.start);
        let unit = |path: &[usize]| path.iter().rev().fold("1".to_owned(), |text, d| format!("{text}@{d}"));
        let mut told: Vec<&[usize]> = Vec::new();
        let strides = self.modes.iter().map(|(extent, row)| {
            let mut terms = Map::new();
            for (path, times) in all.iter().zip(row).filter(|(_, times)| **times != zero() && *extent != one()) {
                if path.is_empty() {
                    return int_json(times);
                }
                terms.insert(unit(path), int_json(times));
            }
            if terms.is_empty() { json!(0) } else { Value::Object(terms) }
        });
        let strides: Vec<Value> = strides.collect();
        for (extent, row) in &self.modes {
            let named = all.iter().zip(row).filter(|(_, times)| **times != zero() && *extent != one());
            told.extend(named.map(|(path, _)| path.as_slice()));
        }
        let shown = joined(&told, None, 0).is_ok_and(|least| least == self.start);
        let mut value = json!({
            "shape": self.frame.shape().to_json(),
            "stride": nested(&self.frame.shape(), &mut strides.into_iter()),
        });
        if !shown {
            value["offset"] = self.start.to_json();
        }
        value
    }
}

/// Values in a nesting.
fn nested(nesting: &Tree, values: &mut impl Iterator<Item = Value>) -> Value {
    match nesting {
        Tree::Node(modes) => Value::Array(modes.iter().map(|mode| nested(mode, values)).collect()),
        _ => values.next().unwrap_or(Value::Null),
    }
}

/// Modes merged until none can be: as of integers, in all dimensions at once.
fn merged(mut modes: Vec<Row>) -> Vec<Row> {
    loop {
        let goes_on = |pair: &[Row]| pair[0].1.iter().zip(&pair[1].1).all(|(d, next)| *next == d * &pair[0].0);
        if let Some(i) = modes.iter().position(|(extent, _)| *extent == one()) {
            modes.remove(i);
        } else if let Some(i) = modes.windows(2).position(goes_on) {
            let (extent, _) = modes.remove(i + 1);
            modes[i].0 *= extent;
        } else {
            return modes;
        }
    }
}

/// The layout of flat modes as coalescing nests it, strides aside, and the modes: one at least.
fn nest(mut modes: Vec<Row>, axes: usize) -> (Layout, Vec<Row>) {
    if modes.is_empty() {
        modes.push((one(), vec![zero(); axes]));
    }
    let frame = modes.iter().map(|(extent, _)| Mode { extent: extent.clone(), stride: zero() }).collect();
    (Layout::nest(frame), modes)
}

/// What the definition says of a request.
pub(super) fn expected(op: &str, args: &[Value]) -> Expected {
    match run(op, args) {
        Ok(expected) => expected,
        Err(Refusal(code)) => Expected::Refused(code),
    }
}

fn run(op: &str, args: &[Value]) -> Result<Expected> {
    match (op, args) {
        ("coord_eval", [all]) => {
            let all = Coordinates::read(all)?;
            let numbers = all.frame.size() * all.starts().len().max(1);
            if numbers > BigInt::from(NUMBERS) {
                return Err(Refusal("too_large"));
            }
            if numbers > BigInt::from(LIST) {
                return Ok(Expected::Unjudged);
            }
            Ok(Expected::Value(all.values().iter().map(Tree::to_json).collect()))
        }
        ("coord_call", [coord, all]) => {
            let coord = Tree::read(coord)?;
            let all = Coordinates::read(all)?;
            let shape = all.frame.shape();
            if !coord.weakly_congruent(&shape) {
                return Err(Refusal("incongruent"));
            }
            if !inside(&coord, &shape) {
                return Err(Refusal("out_of_domain"));
            }
            let start = all.at(&index(&coord, &shape));
            if !coord.has_keep() {
                return Ok(Expected::Value(start.to_json()));
            }
            // each mode knows its place
            let places =
                all.modes.iter().enumerate().map(|(i, (extent, _))| Mode { extent: extent.clone(), stride: i.into() });
            let kept = Layout::Node(picked(&coord, &all.frame.with_modes(places.collect()), true));
            let place = |mode: &&Mode| usize::try_from(&mode.stride).ok().and_then(|i| all.modes.get(i)).cloned();
            let modes = kept.modes().iter().map(place).collect::<Option<Vec<_>>>().ok_or(Refusal("internal"))?;
            Ok(Expected::Value(Coordinates { start, frame: kept, modes }.to_json()))
        }
        ("coord_coalesce", [all]) => {
            let all = Coordinates::read(all)?;
            let (frame, modes) = nest(merged(all.modes), all.start.ints().len());
            Ok(Expected::Value(Coordinates { start: all.start, frame, modes }.to_json()))
        }
        ("coord_composition", [all, inner]) => composed(&Coordinates::read(all)?, &Layout::read(inner)?),
        ("identity_layout", [shape]) => {
            let shape = shape_of(shape)?;
            let axes = shape.ints().len();
            if axes > AXES {
                return Err(Refusal("too_large"));
            }
            // found from the values at neighbouring coordinates
            let origin = index_coord(&zero(), &shape);
            let mut weight = one();
            let mut modes = Vec::new();
            for extent in shape.ints() {
                let moved = if *extent == one() { origin.clone() } else { index_coord(&weight, &shape) };
                modes.push((extent.clone(), moved.ints().into_iter().cloned().collect()));
                weight *= extent;
            }
            let frame = Layout::of(&shape, &origin)?;
            Ok(Expected::Value(Coordinates { start: origin, frame, modes }.to_json()))
        }
        _ => Err(Refusal("arity")),
    }
}

/// A composite for all strides of the coalesced shape is one for strides that are powers of a number above all digits, and
/// there each stride shows its digits. That one is looked for by enumeration.
fn composed(all: &Coordinates, inner: &Layout) -> Result<Expected> {
    let axes = all.start.ints().len();
    let (_, radix) = nest(merged(all.modes.clone()), axes);
    let base: BigInt = all.frame.size() * 2 + 1;
    let power = |i: usize| base.pow(u32::try_from(i).unwrap_or(u32::MAX));
    let generic = |(i, (extent, _)): (usize, &Row)| Layout::Leaf(Mode { extent: extent.clone(), stride: power(i) });
    let generic = Layout::Node(radix.iter().enumerate().map(generic).collect());
    if radix.len() > 64 {
        return Ok(Expected::Unjudged);
    }
    let refusal = match strict(&generic, inner) {
        Err(Refusal("out_of_domain")) => return Err(Refusal("out_of_domain")),
        Err(refusal) => refusal,
        Ok(_) => Refusal("internal"),
    };
    if inner.size() > BigInt::from(LIST) || inner.modes().iter().any(|mode| mode.extent > BigInt::from(LIST)) {
        return Ok(Expected::Unjudged);
    }
    let mut found = Vec::new();
    for mode in inner.modes() {
        let steps: u32 = (&mode.extent).try_into().unwrap_or(0);
        let values: Vec<BigInt> = (0..steps).map(|k| generic.at(&(k * &mode.stride))).collect();
        let Some(modes) = find(&values) else { return Err(refusal) };
        found.push(modes);
    }
    let together = inner.with_leaves(&mut found.iter().cloned().map(Layout::nest));
    let agrees = inner.offsets().iter().zip(together.offsets()).all(|(index, offset)| generic.at(index) == offset);
    if !agrees {
        return Err(refusal);
    }
    let mut modes = Vec::new();
    let mut frames = Vec::new();
    for group in found {
        let row = |mode: Mode| {
            let mut rest = mode.stride;
            let mut row = vec![zero(); axes];
            for (_, of) in &radix {
                let digit = &rest % &base;
                rest /= &base;
                for (number, step) in row.iter_mut().zip(of) {
                    *number += &digit * step;
                }
            }
            (mode.extent, row)
        };
        let (frame, rows) = nest(merged(group.into_iter().map(row).collect()), axes);
        frames.push(frame);
        modes.extend(rows);
    }
    let frame = inner.with_leaves(&mut frames.into_iter());
    let made = Coordinates { start: all.start.clone(), frame, modes };
    // what it has to be
    if made.values().iter().zip(inner.offsets()).any(|(value, index)| *value != all.at(&index)) {
        return Err(Refusal("internal"));
    }
    if made.frame.shape().depth() > MAX_DEPTH {
        return Err(Refusal("too_large"));
    }
    Ok(Expected::Value(made.to_json()))
}

/// What is wrong with the layouts of coordinates among the arguments.
pub(super) fn faults(op: &str, args: &[Value]) -> Vec<&'static str> {
    if !NAMES.contains(&op) || op == "identity_layout" {
        return Vec::new();
    }
    let all = args.iter().filter(|arg| arg.is_object());
    let mut found: Vec<&'static str> =
        all.filter_map(|arg| Coordinates::read(arg).err()).map(|Refusal(code)| code).collect();
    // of several faults the others
    for arg in args.iter().filter(|arg| arg.is_object()) {
        let shape = arg.get("shape").and_then(|shape| read_ints(shape).ok());
        if shape.as_ref().is_some_and(|shape| shape.ints().iter().any(|&n| *n < one())) {
            found.push("extent");
        }
        if shape.as_ref().is_some_and(|shape| size(shape) >= limit()) {
            found.push("overflow");
        }
        let mut all = Vec::new();
        if arg.get("stride").is_some_and(|stride| sums(stride, MAX_DEPTH, &mut all).is_ok())
            && all.iter().flatten().any(|(_, times)| *times < zero())
        {
            found.push("stride");
        }
        if arg
            .get("offset")
            .and_then(|start| read_ints(start).ok())
            .is_some_and(|start| start.ints().iter().any(|&n| *n < zero()))
        {
            found.push("out_of_domain");
        }
    }
    found
}
