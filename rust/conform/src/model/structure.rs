//! What the operations that rearrange, divide, make and recast answer.
//!
//! Rearranging is said once for all trees. Strides of compact layouts are products over whatever comes before, and
//! elements are counted, not computed.

use super::composition::{complete, strict};
use super::faults::in_order;
use super::ops::{Expected, coalesce, index, index_coord, inside};
use super::{Layout, Mode, Refusal, Result, check_shape, limit, read_ints, size};
use crate::tree::{MAX_DEPTH, Tree, int_json, read_int};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// The operations of this module.
pub const NAMES: [&str; 27] = [
    "append",
    "ceil_div",
    "coshape",
    "crd2crd",
    "domain_distribute",
    "downcast",
    "evenly_divides",
    "group",
    "inner_product",
    "make_layout_left",
    "make_layout_like",
    "make_layout_right",
    "make_ordered_layout",
    "max_alignment",
    "prefix_product",
    "prepend",
    "recast",
    "replace",
    "round_up",
    "select",
    "shape_div",
    "take",
    "unzip",
    "upcast",
    "weakly_congruent",
    "with_shape",
    "zip",
];

/// The most modes that a tuple is padded to.
const MAX_MODES: u32 = 1 << 16;

/// What the definition says of a request.
pub fn expected(op: &str, args: &[Value], complete: bool) -> Expected {
    let mut reading = Reading::default();
    let value = run(op, args, complete, &mut reading);
    if let Some(first) = in_order(reading.faults).first() {
        return Expected::Refused(first);
    }
    match value {
        Some(Ok(Some(value))) => Expected::Value(value),
        Some(Ok(None)) => Expected::Unjudged,
        Some(Err(Refusal(code))) => Expected::Refused(code),
        None => Expected::Refused("internal"),
    }
}

/// The codes of all that is wrong with the arguments of a request.
pub fn faults(op: &str, args: &[Value]) -> Vec<&'static str> {
    let mut reading = Reading::default();
    run(op, args, false, &mut reading);
    in_order(reading.faults)
}

/// What has been found wrong so far.
#[derive(Default)]
struct Reading {
    faults: Vec<&'static str>,
}

impl Reading {
    fn take<T>(&mut self, read: Result<T>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(Refusal(code)) => {
                self.faults.push(code);
                None
            }
        }
    }

    fn fault(&mut self, wrong: bool, code: &'static str) {
        if wrong {
            self.faults.push(code);
        }
    }

    /// Whether nothing is wrong, so that the rest may be evaluated.
    fn fine(&self) -> bool {
        self.faults.is_empty()
    }
}

/// A tree with something at its leaves.
trait Nested: Clone {
    fn node(modes: Vec<Self>) -> Self;
    fn modes(&self) -> Option<&[Self]>;
    /// The top-level modes; a leaf is its own.
    fn top(&self) -> Vec<Self> {
        self.modes().map_or_else(|| vec![self.clone()], <[Self]>::to_vec)
    }
}

impl Nested for Tree {
    fn node(modes: Vec<Self>) -> Self {
        Tree::Node(modes)
    }
    fn modes(&self) -> Option<&[Self]> {
        if let Tree::Node(modes) = self { Some(modes) } else { None }
    }
}

impl Nested for Layout {
    fn node(modes: Vec<Self>) -> Self {
        Layout::Node(modes)
    }
    fn modes(&self) -> Option<&[Self]> {
        if let Layout::Node(modes) = self { Some(modes) } else { None }
    }
}

fn padded<T: Nested>(tree: &T, more: &T, rank: usize, behind: bool) -> Option<T> {
    let modes = tree.top();
    let missing = rank.checked_sub(modes.len())?;
    if missing == 0 {
        return Some(tree.clone());
    }
    let copies = vec![more.clone(); missing];
    Some(T::node(if behind { [modes, copies].concat() } else { [copies, modes].concat() }))
}

fn grouped<T: Nested>(tree: &T, begin: usize, end: usize) -> Option<T> {
    let modes = tree.top();
    let middle = modes.get(begin..end)?.to_vec();
    let middle = if middle.is_empty() { vec![] } else { vec![T::node(middle)] };
    Some(T::node([modes[..begin].to_vec(), middle, modes[end..].to_vec()].concat()))
}

fn taken<T: Nested>(tree: &T, begin: usize, end: usize) -> Option<T> {
    Some(T::node(tree.top().get(begin..end)?.to_vec()))
}

fn selected<T: Nested>(tree: &T, places: &[usize]) -> Option<T> {
    let modes = tree.top();
    places.iter().map(|place| modes.get(*place).cloned()).collect::<Option<_>>().map(T::node)
}

fn replaced<T: Nested>(tree: &T, place: usize, mode: &T) -> Option<T> {
    let mut modes = tree.top();
    *modes.get_mut(place)? = mode.clone();
    if tree.modes().is_none() { modes.pop() } else { Some(T::node(modes)) }
}

fn zipped<T: Nested>(tree: &T) -> Option<T> {
    let Some(rows) = tree.modes() else { return Some(tree.clone()) };
    if rows.first()?.modes().is_none() {
        return Some(T::node(vec![tree.clone()]));
    }
    let rows = rows.iter().map(Nested::modes).collect::<Option<Vec<_>>>()?;
    if rows.iter().any(|row| row.len() != rows[0].len()) {
        return None;
    }
    let columns = (0..rows[0].len()).map(|i| T::node(rows.iter().map(|row| row[i].clone()).collect()));
    Some(T::node(columns.collect()))
}

fn parted<T: Nested>(tree: &T, guide: &Tree) -> Option<(T, T)> {
    let modes = tree.modes()?;
    match guide {
        Tree::Node(guides) => {
            if guides.len() > modes.len() {
                return None;
            }
            let pairs =
                modes.iter().zip(guides).map(|(mode, guide)| parted(mode, guide)).collect::<Option<Vec<_>>>()?;
            let (firsts, mut seconds): (Vec<T>, Vec<T>) = pairs.into_iter().unzip();
            seconds.extend_from_slice(&modes[guides.len()..]);
            Some((T::node(firsts), T::node(seconds)))
        }
        _ => {
            if let [first, second] = modes {
                Some((first.clone(), second.clone()))
            } else {
                None
            }
        }
    }
}

fn unzipped<T: Nested>(tree: &T, guide: &Tree) -> Option<T> {
    parted(tree, guide).map(|(first, second)| T::node(vec![first, second]))
}

/// A shape, or a layout.
enum Either {
    Shape(Tree),
    Layout(Layout),
}

fn either(value: &Value) -> Result<Either> {
    if value.is_object() {
        Layout::read(value).map(Either::Layout)
    } else {
        read_ints(value).and_then(check_shape).map(Either::Shape)
    }
}

fn shape_of(value: &Value) -> Result<Tree> {
    either(value).map(|either| match either {
        Either::Shape(shape) => shape,
        Either::Layout(layout) => layout.shape(),
    })
}

fn extents(value: &Value) -> Result<Tree> {
    if value.is_object() { Err(Refusal("parse")) } else { read_ints(value).and_then(check_shape) }
}

fn layout_of(value: &Value) -> Result<Layout> {
    if value.is_object() { Layout::read(value) } else { Err(Refusal("parse")) }
}

/// The nesting of an argument, whatever its numbers are.
fn nesting(value: &Value) -> Option<Tree> {
    read_ints(value.get("shape").unwrap_or(value)).ok()
}

fn integer(value: &Value) -> Result<BigInt> {
    match read_ints(value)? {
        Tree::Int(n) => Ok(n),
        _ => Err(Refusal("parse")),
    }
}

fn place(n: &BigInt) -> usize {
    n.try_into().unwrap_or(usize::MAX)
}

fn count(value: &Value) -> Result<BigInt> {
    let n = integer(value)?;
    if n < one() {
        Err(Refusal("extent"))
    } else if n >= limit() {
        Err(Refusal("overflow"))
    } else {
        Ok(n)
    }
}

fn one() -> BigInt {
    BigInt::from(1)
}

fn answer_shape(shape: &Tree) -> Result<Option<Value>> {
    if shape.depth() > MAX_DEPTH {
        return Err(Refusal("too_large"));
    }
    if size(shape) >= limit() { Err(Refusal("overflow")) } else { Ok(Some(shape.to_json())) }
}

fn answer_layout(mut layout: Layout) -> Result<Option<Value>> {
    if layout.shape().depth() > MAX_DEPTH {
        return Err(Refusal("too_large"));
    }
    layout.normalize();
    Ok(Some(layout.bounded()?.to_json()))
}

fn rearranged(
    operand: &Either,
    none: &'static str,
    on_shape: impl Fn(&Tree) -> Option<Tree>,
    on_layout: impl Fn(&Layout) -> Option<Layout>,
) -> Result<Option<Value>> {
    match operand {
        Either::Shape(shape) => answer_shape(&on_shape(shape).ok_or(Refusal(none))?),
        Either::Layout(layout) => answer_layout(on_layout(layout).ok_or(Refusal(none))?),
    }
}

fn both(
    a: &Either,
    b: &Either,
    none: &'static str,
    on_shapes: impl Fn(&Tree, &Tree) -> Option<Tree>,
    on_layouts: impl Fn(&Layout, &Layout) -> Option<Layout>,
) -> Result<Option<Value>> {
    match (a, b) {
        (Either::Shape(a), Either::Shape(b)) => answer_shape(&on_shapes(a, b).ok_or(Refusal(none))?),
        (Either::Layout(a), Either::Layout(b)) => answer_layout(on_layouts(a, b).ok_or(Refusal(none))?),
        _ => Err(Refusal("parse")),
    }
}

fn same_kind(a: &Value, b: &Value) -> bool {
    a.is_object() == b.is_object()
}

/// The layout of a shape with a stride for each leaf: the product of the extents of all leaves that come before it.
fn compact(shape: &Tree, before: impl Fn(usize, usize) -> bool) -> Layout {
    let leaves: Vec<BigInt> = shape.ints().into_iter().cloned().collect();
    let stride =
        |i: usize| -> BigInt { (0..leaves.len()).filter(|&j| before(j, i)).map(|j| leaves[j].clone()).product() };
    let mut strides = (0..leaves.len()).map(stride);
    let stride = shape.refill(&mut strides);
    // the strides of a compact layout fit wherever its size does
    Layout::of(shape, &stride).unwrap_or(Layout::Node(vec![]))
}

/// Whether leaf j comes before leaf i: by rank, then by place.
fn by_rank(ranks: Vec<BigInt>) -> impl Fn(usize, usize) -> bool {
    move |j, i| (&ranks[j], j) < (&ranks[i], i)
}

fn ceil_quotient(a: &BigInt, b: &BigInt) -> BigInt {
    (a + b - 1) / b
}

/// Extents divided by an integer from left to right, rounded up, with what is left of the integer at each.
fn quotients(extents: &[&BigInt], n: &BigInt) -> Vec<(BigInt, BigInt)> {
    let mut rest = n.clone();
    let mut all = Vec::new();
    for extent in extents {
        all.push((ceil_quotient(extent, &rest), rest.clone()));
        rest = ceil_quotient(&rest, extent);
    }
    all
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Division {
    Ceil,
    Exact,
    Round,
}

/// Whether the nestings of a shape and a divisor fit.
fn fits(kind: Division, shape: &Tree, divisor: &Tree) -> bool {
    match (shape, divisor) {
        (Tree::Node(a), Tree::Node(b)) => {
            (if kind == Division::Exact { a.len() == b.len() } else { a.len() >= b.len() })
                && a.iter().zip(b).all(|(a, b)| fits(kind, a, b))
        }
        (Tree::Int(_), Tree::Int(_)) => true,
        _ => kind != Division::Round,
    }
}

fn divided(kind: Division, shape: &Tree, divisor: &Tree) -> Result<Tree> {
    if let (Tree::Node(a), Tree::Node(b)) = (shape, divisor) {
        let mut modes = a.clone();
        for (mode, divisor) in modes.iter_mut().zip(b) {
            *mode = divided(kind, mode, divisor)?;
        }
        return Ok(Tree::Node(modes));
    }
    let n = size(divisor);
    let extents = shape.ints();
    let all = quotients(&extents, &n);
    let count: BigInt = all.iter().map(|(quotient, _)| quotient).product();
    let fine = match kind {
        Division::Ceil => count * &n >= size(shape),
        Division::Exact => {
            all.iter().zip(&extents).all(|((_, rest), extent)| *extent % rest == 0.into() || rest % *extent == 0.into())
        }
        Division::Round => true,
    };
    if !fine {
        return Err(Refusal("not_divisible"));
    }
    let factor = if kind == Division::Round { n } else { one() };
    Ok(shape.refill(&mut all.into_iter().map(|(quotient, _)| quotient * &factor)))
}

fn evenly(shape: &Tree, tiler: &Tree) -> bool {
    match tiler {
        Tree::Node(tiles) => {
            let modes = shape.top();
            tiles.len() <= modes.len() && modes.iter().zip(tiles).all(|(mode, tile)| evenly(mode, tile))
        }
        tile => {
            let count: BigInt = quotients(&shape.ints(), &size(tile)).iter().map(|(quotient, _)| quotient).product();
            count * size(tile) == size(shape)
        }
    }
}

/// Running products under each leaf of the start.
fn products(start: &Tree, shape: &Tree) -> Tree {
    if let (Tree::Node(starts), Tree::Node(modes)) = (start, shape) {
        return Tree::Node(starts.iter().zip(modes).map(|(start, mode)| products(start, mode)).collect());
    }
    let mut running = size(start);
    let all: Vec<BigInt> = shape
        .ints()
        .into_iter()
        .map(|extent| {
            let now = running.clone();
            running *= extent;
            now
        })
        .collect();
    shape.refill(&mut all.into_iter())
}

fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    if *b == 0.into() { a.clone() } else { gcd(b, &(a % b)) }
}

/// The layout with other modes.
fn with_modes(layout: &Layout, modes: Vec<Mode>) -> Layout {
    layout.with_leaves(&mut modes.into_iter().map(Layout::Leaf))
}

/// A layout in elements of `n`: every mode by itself, then what steps inside an element together.
fn upcast(layout: &Layout, n: &BigInt) -> Result<Layout> {
    let zero = BigInt::from(0);
    let (mut modes, mut within, mut filled) = (Vec::new(), Vec::new(), false);
    for mode in layout.modes() {
        if mode.extent == one() || &mode.stride % n == zero {
            modes.push(Mode { extent: mode.extent.clone(), stride: &mode.stride / n });
            continue;
        }
        let steps = if n % &mode.stride == zero { n / &mode.stride } else { return Err(Refusal("not_divisible")) };
        if &mode.extent % &steps == zero {
            filled = true;
        } else if &steps % &mode.extent != zero {
            return Err(Refusal("not_divisible"));
        }
        modes.push(Mode { extent: ceil_quotient(&mode.extent, &steps), stride: one() });
        within.push((mode.extent.clone().min(steps) - 1) * &mode.stride);
    }
    if !within.is_empty() && !filled {
        return Err(Refusal("not_divisible"));
    }
    if within.into_iter().sum::<BigInt>() >= *n {
        return Err(Refusal("carries"));
    }
    let mut result = with_modes(layout, modes);
    result.normalize();
    Ok(result)
}

fn downcast(layout: &Layout, n: &BigInt) -> Result<Layout> {
    if *n == one() {
        return Ok(layout.clone());
    }
    let all = layout.modes();
    let adjacent: Vec<usize> = (0..all.len()).filter(|&i| all[i].extent != one() && all[i].stride == one()).collect();
    let single: Vec<usize> = (0..all.len()).filter(|&i| all[i].extent == one()).collect();
    let part = match (adjacent.as_slice(), single.as_slice()) {
        ([place], _) | ([], [place]) => *place,
        ([], _) => return Err(Refusal("not_contiguous")),
        _ => return Err(Refusal("not_injective")),
    };
    let modes = all.iter().enumerate().map(|(i, mode)| {
        if i == part {
            Mode { extent: &mode.extent * n, stride: one() }
        } else {
            Mode { extent: mode.extent.clone(), stride: &mode.stride * n }
        }
    });
    let mut result = with_modes(layout, modes.collect());
    result.normalize();
    result.bounded()
}

fn max_alignment(layout: &Layout) -> BigInt {
    let mut modes: Vec<&Mode> = layout.modes().into_iter().filter(|mode| mode.extent > one()).collect();
    let mut run = one();
    while let Some(i) = modes.iter().position(|mode| mode.stride == run) {
        run *= &modes.remove(i).extent;
    }
    modes.iter().fold(run, |n, mode| gcd(&n, &mode.stride))
}

fn run(op: &str, args: &[Value], completely: bool, reading: &mut Reading) -> Option<Result<Option<Value>>> {
    let counts: &[usize] = match op {
        "append" | "prepend" => &[2, 3],
        "zip" | "prefix_product" => &[1, 2],
        "coshape" | "make_layout_left" | "make_layout_like" | "make_layout_right" | "max_alignment" => &[1],
        "crd2crd" | "group" | "recast" | "replace" | "take" => &[3],
        _ => &[2],
    };
    if !counts.contains(&args.len()) {
        reading.faults.push("arity");
        return None;
    }
    match op {
        "append" | "prepend" | "group" | "take" | "select" | "replace" | "zip" | "unzip" => {
            rearrange(op, args, reading)
        }
        "ceil_div" | "shape_div" | "round_up" | "evenly_divides" | "prefix_product" | "inner_product" | "crd2crd"
        | "weakly_congruent" => measure(op, args, reading),
        _ => make(op, args, completely, reading),
    }
}

fn rearrange(op: &str, args: &[Value], reading: &mut Reading) -> Option<Result<Option<Value>>> {
    match op {
        "append" | "prepend" => {
            let rank = reading.take(integer(&args[1]));
            let more = match args.get(2) {
                Some(more) => more.clone(),
                None if args[0].is_object() => json!({"shape": 1, "stride": 0}),
                None => json!(1),
            };
            reading.fault(!same_kind(&args[0], &more), "parse");
            let first = reading.take(either(&args[0]));
            let more = reading.take(either(&more));
            let rank = rank?;
            reading.fault(rank > BigInt::from(MAX_MODES), "too_large");
            reading.fault(rank < BigInt::from(0), "out_of_domain");
            if !reading.fine() {
                return None;
            }
            let (behind, rank) = (op == "append", place(&rank));
            let result = both(
                &first?,
                &more?,
                "out_of_domain",
                |a, b| padded(a, b, rank, behind),
                |a, b| padded(a, b, rank, behind),
            );
            Some(result)
        }
        "group" | "take" => {
            let (begin, end) = (reading.take(integer(&args[1])), reading.take(integer(&args[2])));
            let operand = reading.take(either(&args[0]))?;
            let (begin, end) = (place(&begin?), place(&end?));
            Some(if op == "group" {
                rearranged(&operand, "out_of_domain", |t| grouped(t, begin, end), |t| grouped(t, begin, end))
            } else {
                rearranged(&operand, "out_of_domain", |t| taken(t, begin, end), |t| taken(t, begin, end))
            })
        }
        "select" => {
            let places = args[1].as_array().and_then(|places| places.iter().map(read_int).collect::<Option<Vec<_>>>());
            let places = reading.take(places.ok_or(Refusal("parse")));
            let operand = reading.take(either(&args[0]))?;
            let places: Vec<usize> = places?.iter().map(place).collect();
            Some(rearranged(&operand, "out_of_domain", |t| selected(t, &places), |t| selected(t, &places)))
        }
        "replace" => {
            let at = reading.take(integer(&args[1]));
            reading.fault(!same_kind(&args[0], &args[2]), "parse");
            let (first, mode) = (reading.take(either(&args[0])), reading.take(either(&args[2])));
            let at = place(&at?);
            Some(both(&first?, &mode?, "out_of_domain", |a, b| replaced(a, at, b), |a, b| replaced(a, at, b)))
        }
        "zip" if args.len() == 1 => {
            reading.fault(nesting(&args[0]).is_some_and(|tree| zipped(&tree).is_none()), "incongruent");
            let operand = reading.take(either(&args[0]))?;
            Some(rearranged(&operand, "incongruent", zipped, zipped))
        }
        "zip" => {
            reading.fault(!same_kind(&args[0], &args[1]), "parse");
            let nested = nesting(&args[0]).zip(nesting(&args[1]));
            reading.fault(nested.is_some_and(|(a, b)| zipped(&Tree::Node(vec![a, b])).is_none()), "incongruent");
            let (first, second) = (reading.take(either(&args[0])), reading.take(either(&args[1])));
            Some(both(
                &first?,
                &second?,
                "incongruent",
                |a, b| zipped(&Tree::Node(vec![a.clone(), b.clone()])),
                |a, b| zipped(&Layout::Node(vec![a.clone(), b.clone()])),
            ))
        }
        _ => {
            let guide = reading.take(read_ints(&args[1]));
            let nested = nesting(&args[0]).zip(guide.clone());
            reading.fault(nested.is_some_and(|(tree, guide)| unzipped(&tree, &guide).is_none()), "incongruent");
            let operand = reading.take(either(&args[0]))?;
            let guide = guide?;
            Some(rearranged(&operand, "incongruent", |t| unzipped(t, &guide), |t| unzipped(t, &guide)))
        }
    }
}

fn measure(op: &str, args: &[Value], reading: &mut Reading) -> Option<Result<Option<Value>>> {
    match op {
        "ceil_div" | "shape_div" | "round_up" => {
            let kind = match op {
                "ceil_div" => Division::Ceil,
                "shape_div" => Division::Exact,
                _ => Division::Round,
            };
            let nested = nesting(&args[0]).zip(nesting(&args[1]));
            let objects = args.iter().any(Value::is_object);
            reading.fault(!objects && nested.is_some_and(|(a, b)| !fits(kind, &a, &b)), "incongruent");
            let (shape, divisor) = (reading.take(extents(&args[0])), reading.take(extents(&args[1])));
            let (shape, divisor) = (shape?, divisor?);
            if !reading.fine() {
                return None;
            }
            Some(divided(kind, &shape, &divisor).and_then(|quotient| answer_shape(&quotient)))
        }
        "evenly_divides" => {
            let (shape, tiler) = (reading.take(shape_of(&args[0])), reading.take(extents(&args[1])));
            Some(Ok(Some(json!(evenly(&shape?, &tiler?)))))
        }
        "weakly_congruent" => {
            let (coarse, fine) = (reading.take(shape_of(&args[0])), reading.take(shape_of(&args[1])));
            Some(Ok(Some(json!(coarse?.weakly_congruent(&fine?)))))
        }
        "prefix_product" => {
            let start = reading.take(args.get(1).map_or(Ok(Tree::Int(one())), read_ints));
            let nested = start.clone().zip(nesting(&args[0]));
            reading.fault(nested.is_some_and(|(start, shape)| !start.weakly_congruent(&shape)), "incongruent");
            let shape = reading.take(shape_of(&args[0]));
            let start = start?;
            reading.fault(start.ints().into_iter().any(|n| *n < BigInt::from(0)), "stride");
            reading.fault(start.ints().into_iter().any(|n| *n >= limit()), "overflow");
            let shape = shape?;
            if !reading.fine() {
                return None;
            }
            let result = products(&start, &shape);
            Some(if result.ints().into_iter().any(|n| *n >= limit()) {
                Err(Refusal("overflow"))
            } else {
                Ok(Some(result.to_json()))
            })
        }
        "inner_product" => {
            let (a, b) = (reading.take(read_ints(&args[0])), reading.take(read_ints(&args[1])));
            let (a, b) = (a?, b?);
            reading.fault(!a.congruent(&b), "incongruent");
            for tuple in [&a, &b] {
                reading.fault(tuple.ints().into_iter().any(|n| *n < BigInt::from(0)), "stride");
                reading.fault(tuple.ints().into_iter().any(|n| *n >= limit()), "overflow");
            }
            let sum: BigInt = a.ints().into_iter().zip(b.ints()).map(|(a, b)| a * b).sum();
            Some(if sum >= limit() { Err(Refusal("overflow")) } else { Ok(Some(int_json(&sum))) })
        }
        _ => {
            let coord = reading.take(Tree::read(&args[0]).map_err(Refusal::from));
            let nested = coord.clone().zip(nesting(&args[1]));
            reading.fault(nested.is_some_and(|(coord, shape)| !coord.weakly_congruent(&shape)), "incongruent");
            let (source, target) = (reading.take(shape_of(&args[1])), reading.take(shape_of(&args[2])));
            let (coord, source, target) = (coord?, source?, target?);
            if !reading.fine() {
                return None;
            }
            let at = index(&coord, &source);
            Some(if inside(&coord, &source) && at < size(&target) {
                Ok(Some(index_coord(&at, &target).to_json()))
            } else {
                Err(Refusal("out_of_domain"))
            })
        }
    }
}

fn make(op: &str, args: &[Value], completely: bool, reading: &mut Reading) -> Option<Result<Option<Value>>> {
    match op {
        "make_layout_left" => Some(answer_layout(compact(&reading.take(shape_of(&args[0]))?, |j, i| j < i))),
        "make_layout_right" => Some(answer_layout(compact(&reading.take(shape_of(&args[0]))?, |j, i| j > i))),
        "make_ordered_layout" => {
            let order = reading.take(read_ints(&args[1]));
            let nested = order.clone().zip(nesting(&args[0]));
            reading.fault(nested.is_some_and(|(order, shape)| !order.weakly_congruent(&shape)), "incongruent");
            let shape = reading.take(shape_of(&args[0]));
            let order = order?;
            let outside = |n: &&BigInt| **n < BigInt::from(0) || **n >= limit();
            reading.fault(order.ints().iter().any(outside), "out_of_domain");
            let shape = shape?;
            if !reading.fine() {
                return None;
            }
            let mut ranks = Vec::new();
            spread(&order, &shape, &mut ranks);
            Some(answer_layout(compact(&shape, by_rank(ranks))))
        }
        "make_layout_like" => {
            let layout = reading.take(layout_of(&args[0]))?;
            let zero = BigInt::from(0);
            let modes = layout.modes();
            let mut extents = modes.iter().map(|mode| if mode.stride == zero { one() } else { mode.extent.clone() });
            let shape = layout.shape().refill(&mut extents);
            let like = compact(&shape, by_rank(modes.iter().map(|mode| mode.stride.clone()).collect()));
            let pairs = modes.iter().zip(like.modes());
            let modes = pairs.map(|(mode, new)| Mode { extent: mode.extent.clone(), stride: new.stride.clone() });
            Some(answer_layout(with_modes(&layout, modes.collect())))
        }
        "with_shape" => {
            let (layout, shape) = (reading.take(layout_of(&args[0])), reading.take(shape_of(&args[1])));
            let (layout, target) = (layout?, compact(&shape?, |j, i| j < i));
            let found = if completely { complete(&layout, &target) } else { strict(&layout, &target).map(Some) };
            Some(found.map(|found| found.map(|layout| layout.to_json())))
        }
        "domain_distribute" => {
            let (shape, n) = (reading.take(shape_of(&args[0])), reading.take(count(&args[1])));
            let (shape, mut rest) = (shape?, n?);
            let mut stride = one();
            let mut modes = Vec::new();
            for extent in shape.ints() {
                let common = gcd(extent, &rest);
                modes.push(Layout::Leaf(Mode { extent: common.clone(), stride: stride.clone() }));
                rest /= common;
                stride *= extent;
            }
            Some(answer_layout(coalesce(&Layout::Node(modes))))
        }
        "upcast" | "downcast" => {
            let (layout, n) = (reading.take(layout_of(&args[0])), reading.take(count(&args[1])));
            let (layout, n) = (layout?, n?);
            let recast = if op == "upcast" { upcast } else { downcast };
            Some(recast(&layout, &n).and_then(answer_layout))
        }
        "recast" => {
            let layout = reading.take(layout_of(&args[0]));
            let (old, new) = (reading.take(count(&args[1])), reading.take(count(&args[2])));
            let (layout, old, new) = (layout?, old?, new?);
            let common = gcd(&old, &new);
            let larger = upcast(&layout, &(new / &common));
            Some(larger.and_then(|larger| downcast(&larger, &(old / &common))).and_then(answer_layout))
        }
        "max_alignment" => Some(Ok(Some(int_json(&max_alignment(&reading.take(layout_of(&args[0]))?))))),
        _ => Some(Ok(Some(int_json(&reading.take(layout_of(&args[0]))?.cosize())))),
    }
}

/// The rank of each leaf of the shape.
fn spread(order: &Tree, shape: &Tree, ranks: &mut Vec<BigInt>) {
    match (order, shape) {
        (Tree::Node(orders), Tree::Node(modes)) => {
            for (order, mode) in orders.iter().zip(modes) {
                spread(order, mode, ranks);
            }
        }
        (Tree::Int(rank), shape) => ranks.extend(shape.ints().iter().map(|_| rank.clone())),
        _ => {}
    }
}
