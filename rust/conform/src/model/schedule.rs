//! Schedules by running them: every point of the loops is taken back to the tensor, step by step.

use super::find::LIST;
use super::reading::{Answer, Reading};
use super::refusal::{Refusal, Result};
use crate::tree::{int_json, read_int};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// The operations of this module.
pub(super) const NAMES: &[&str] = &[
    "schedule_axes",
    "schedule_equivalent",
    "schedule_equivalent_e2",
    "schedule_equivalent_valid_items",
    "schedule_essential",
    "schedule_eval",
    "schedule_predicates",
];

/// The most axes at a time, loop points that are listed, and points times axes and steps that are gone through.
const MOST: (usize, u64, u64) = (1 << 10, 1 << 20, 1 << 27);

/// Extents and their products stay below.
fn bound() -> BigInt {
    BigInt::from(1) << 62
}

/// How two axes are permuted together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Xor,
    Cyclic,
    ZShape,
}

/// A step between axes by their numbers.
enum Step {
    Split { input: usize, outer: usize, inner: usize },
    Merge { outer: usize, inner: usize, output: usize },
    Resize { input: usize, output: usize, left: BigInt },
    Swizzle { kind: Kind, from: [usize; 2], to: [usize; 2] },
}

/// Axes by number with their extents, what is done to them, and which are the loops.
pub(crate) struct Schedule {
    roots: usize,
    extents: Vec<BigInt>,
    steps: Vec<Step>,
    written: usize,
    loops: Vec<usize>,
}

/// A point: an index for each axis of some list.
type Point = Vec<BigInt>;

fn fields<'a>(value: &'a Value, name: &str, others: &[&str]) -> Result<&'a serde_json::Map<String, Value>> {
    let fields = value.as_object().ok_or(Refusal("parse"))?;
    let known = fields.keys().all(|field| field == name || others.contains(&field.as_str()));
    let whole = others.iter().all(|field| fields.contains_key(*field));
    if known && whole { Ok(fields) } else { Err(Refusal("parse")) }
}

/// An integer from 0; below it another code.
fn natural(value: &Value, below: &'static str) -> Result<BigInt> {
    let n = read_int(value).ok_or(Refusal("parse"))?;
    if n < 0.into() {
        Err(Refusal(below))
    } else if n >= BigInt::from(1) << 64 {
        Err(Refusal("overflow"))
    } else {
        Ok(n)
    }
}

fn signed(value: &Value) -> Result<BigInt> {
    let n = read_int(value).ok_or(Refusal("parse"))?;
    if i64::try_from(&n).is_ok() { Ok(n) } else { Err(Refusal("overflow")) }
}

fn list(value: Option<&Value>) -> Result<&[Value]> {
    value.and_then(Value::as_array).map(Vec::as_slice).ok_or(Refusal("parse"))
}

impl Schedule {
    /// Reads `{"extents":[…],"steps":[…]}`; text is not read here.
    pub(crate) fn read(value: &Value) -> Result<Schedule> {
        let object = value.as_object().ok_or(Refusal("parse"))?;
        if object.keys().any(|field| field != "extents" && field != "steps") {
            return Err(Refusal("parse"));
        }
        let extents: Vec<BigInt> =
            list(object.get("extents"))?.iter().map(|extent| natural(extent, "extent")).collect::<Result<_>>()?;
        let steps = if object.contains_key("steps") { list(object.get("steps"))? } else { &[] };
        if extents.len() > MOST.0 {
            return Err(Refusal("too_large"));
        }
        if extents.contains(&BigInt::from(0)) {
            return Err(Refusal("extent"));
        }
        if extents.iter().product::<BigInt>() >= bound() {
            return Err(Refusal("overflow"));
        }
        let roots = extents.len();
        let mut schedule =
            Schedule { roots, extents, steps: vec![], written: steps.len(), loops: (0..roots).collect() };
        steps.iter().try_for_each(|step| schedule.step(step))?;
        Ok(schedule)
    }

    fn axis(&self, value: &Value) -> Result<usize> {
        let axis = natural(value, "out_of_domain")?;
        usize::try_from(&axis).ok().filter(|axis| *axis < self.loops.len()).ok_or(Refusal("out_of_domain"))
    }

    fn two(&self, value: &Value) -> Result<[usize; 2]> {
        let [a, b] = list(Some(value))? else { return Err(Refusal("parse")) };
        let pair = [self.axis(a)?, self.axis(b)?];
        if pair[0] == pair[1] { Err(Refusal("out_of_domain")) } else { Ok(pair) }
    }

    fn make(&mut self, extent: BigInt) -> usize {
        self.extents.push(extent);
        self.extents.len() - 1
    }

    fn split(&mut self, at: usize, factor: &BigInt, inner_given: bool) -> Result<()> {
        let input = self.loops[at];
        if *factor == 0.into() {
            return Err(Refusal("extent"));
        }
        let other = (&self.extents[input] + factor - 1) / factor;
        if &other * factor >= bound() {
            return Err(Refusal("overflow"));
        }
        if self.loops.len() >= MOST.0 {
            return Err(Refusal("too_large"));
        }
        let (outer, inner) = if inner_given { (other, factor.clone()) } else { (factor.clone(), other) };
        let (outer, inner) = (self.make(outer), self.make(inner));
        self.loops.splice(at..=at, [outer, inner]);
        self.steps.push(Step::Split { input, outer, inner });
        Ok(())
    }

    fn step(&mut self, value: &Value) -> Result<()> {
        let has = |name: &str| value.get(name).is_some();
        if has("split") || has("split_outer") {
            let name = if has("split") { "split" } else { "split_outer" };
            let fields = fields(value, name, &["factor"])?;
            let (axis, factor) = (self.axis(&fields[name])?, natural(&fields["factor"], "extent")?);
            self.split(axis, &factor, name == "split")
        } else if has("merge") {
            let [a, b] = self.two(&fields(value, "merge", &[])?["merge"])?;
            let (outer, inner) = (self.loops[a], self.loops[b]);
            let extent = &self.extents[outer] * &self.extents[inner];
            if extent >= bound() {
                return Err(Refusal("overflow"));
            }
            let output = self.make(extent);
            self.loops[a] = output;
            self.loops.remove(b);
            self.steps.push(Step::Merge { outer, inner, output });
            Ok(())
        } else if has("reorder") {
            let order = list(fields(value, "reorder", &[])?.get("reorder"))?;
            let order: Vec<BigInt> =
                order.iter().map(|place| natural(place, "out_of_domain")).collect::<Result<_>>()?;
            let once =
                (0..self.loops.len()).all(|place| order.iter().filter(|own| **own == BigInt::from(place)).count() == 1);
            if !once || order.len() != self.loops.len() {
                return Err(Refusal("incongruent"));
            }
            let places = order.iter().map(|place| usize::try_from(place).unwrap_or(0));
            self.loops = places.map(|place| self.loops[place]).collect();
            Ok(())
        } else if has("resize") {
            let fields = fields(value, "resize", &["left", "right"])?;
            let axis = self.axis(&fields["resize"])?;
            let (left, right) = (signed(&fields["left"])?, signed(&fields["right"])?);
            let input = self.loops[axis];
            let extent = &self.extents[input] + &left + &right;
            if extent < 1.into() {
                return Err(Refusal("extent"));
            }
            let widest = &extent + BigInt::from(left.magnitude().clone()) + BigInt::from(right.magnitude().clone());
            if widest >= bound() {
                return Err(Refusal("overflow"));
            }
            let output = self.make(extent);
            self.loops[axis] = output;
            self.steps.push(Step::Resize { input, output, left });
            Ok(())
        } else if has("swizzle") {
            let fields = fields(value, "swizzle", &["axes"])?;
            let kind = match fields["swizzle"].as_str() {
                Some("xor") => Kind::Xor,
                Some("cyclic") => Kind::Cyclic,
                Some("zshape") => Kind::ZShape,
                _ => return Err(Refusal("parse")),
            };
            let [x, y] = self.two(&fields["axes"])?;
            let from = [self.loops[x], self.loops[y]];
            let to = from.map(|axis| self.make(self.extents[axis].clone()));
            [self.loops[x], self.loops[y]] = to;
            self.steps.push(Step::Swizzle { kind, from, to });
            Ok(())
        } else {
            Err(Refusal("parse"))
        }
    }

    /// Extents of the axes that came in.
    pub(crate) fn tensor(&self) -> &[BigInt] {
        &self.extents[..self.roots]
    }

    /// Extents of the loops.
    pub(crate) fn nest(&self) -> Vec<BigInt> {
        self.loops.iter().map(|axis| self.extents[*axis].clone()).collect()
    }

    /// How many axes there ever are.
    pub(crate) fn axes(&self) -> usize {
        self.extents.len()
    }

    /// Whether there are splits, merges and reorders only.
    pub(crate) fn splits_and_merges(&self) -> bool {
        self.steps.iter().all(|step| matches!(step, Step::Split { .. } | Step::Merge { .. }))
    }

    /// The index of every axis at a point of the loops, wherever that is.
    pub(crate) fn back(&self, point: &[BigInt]) -> Point {
        let mut at = vec![BigInt::from(0); self.extents.len()];
        for (axis, index) in self.loops.iter().zip(point) {
            at[*axis].clone_from(index);
        }
        for step in self.steps.iter().rev() {
            match step {
                Step::Split { input, outer, inner } => at[*input] = &at[*outer] * &self.extents[*inner] + &at[*inner],
                Step::Merge { outer, inner, output } => {
                    let (round, rest) = floored(&at[*output], &self.extents[*inner]);
                    (at[*outer], at[*inner]) = (round, rest);
                }
                Step::Resize { input, output, left } => at[*input] = &at[*output] - left,
                Step::Swizzle { kind, from, to } => {
                    let (x, y) = (at[to[0]].clone(), at[to[1]].clone());
                    let [wide, high] = from.map(|axis| &self.extents[axis]);
                    at[from[1]] = match kind {
                        Kind::Xor => &x ^ y,
                        Kind::Cyclic => floored(&(y - &x), wide).1,
                        Kind::ZShape => mirrored(&x, y, high),
                    };
                    at[from[0]] = x;
                }
            }
        }
        at
    }

    /// The indices of the loops at an element of the tensor, wherever they are.
    pub(crate) fn forth(&self, element: &[BigInt]) -> Point {
        let mut at = vec![BigInt::from(0); self.extents.len()];
        at[..self.roots].clone_from_slice(element);
        for step in &self.steps {
            match step {
                Step::Split { input, outer, inner } => {
                    let (round, rest) = floored(&at[*input], &self.extents[*inner]);
                    (at[*outer], at[*inner]) = (round, rest);
                }
                Step::Merge { outer, inner, output } => {
                    at[*output] = &at[*outer] * &self.extents[*inner] + &at[*inner];
                }
                Step::Resize { input, output, left } => at[*output] = &at[*input] + left,
                Step::Swizzle { kind, from, to } => {
                    let (x, y) = (at[from[0]].clone(), at[from[1]].clone());
                    let [wide, high] = from.map(|axis| &self.extents[axis]);
                    at[to[1]] = match kind {
                        Kind::Xor => &x ^ y,
                        Kind::Cyclic => floored(&(y + &x), wide).1,
                        Kind::ZShape => mirrored(&x, y, high),
                    };
                    at[to[0]] = x;
                }
            }
        }
        self.loops.iter().map(|axis| at[*axis].clone()).collect()
    }

    /// Whether an axis with a number is out of its range there.
    pub(crate) fn leaves(&self, at: &Point, axis: usize) -> bool {
        at[axis] < 0.into() || at[axis] >= self.extents[axis]
    }

    /// Whether any axis is.
    pub(crate) fn is_hole(&self, at: &Point) -> bool {
        (0..at.len()).any(|axis| self.leaves(at, axis))
    }
}

/// Quotient and remainder by a positive number, the remainder from 0.
fn floored(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    let rest = ((a % b) + b) % b;
    ((a - &rest) / b, rest)
}

fn mirrored(x: &BigInt, y: BigInt, high: &BigInt) -> BigInt {
    if x % 2 == BigInt::from(0) { y } else { high - 1 - y }
}

/// All points of a box, the last index fastest; none where they are too many.
pub(crate) fn points(extents: &[BigInt]) -> Option<impl Iterator<Item = Point> + use<'_>> {
    let count: BigInt = extents.iter().product();
    let count = u32::try_from(&count).ok().filter(|count| *count <= LIST)?;
    Some((0..count).map(|number| {
        let mut rest = BigInt::from(number);
        let mut point: Point = extents
            .iter()
            .rev()
            .map(|extent| {
                let index = &rest % extent;
                rest = &rest / extent;
                index
            })
            .collect();
        point.reverse();
        point
    }))
}

/// The schedules of a request; none where one is text, or has faults.
pub(crate) fn schedules(args: &[Value]) -> Option<Vec<Schedule>> {
    args.iter().map(|arg| Schedule::read(arg).ok()).collect()
}

fn elements(of: &Schedule) -> Result<Option<Value>> {
    let nest = of.nest();
    let count: BigInt = nest.iter().product();
    let work = &count * (of.axes() + of.written).max(1);
    if count > MOST.1.into() || work > MOST.2.into() {
        return Err(Refusal("too_large"));
    }
    let Some(points) = points(&nest) else { return Ok(None) };
    let element = |point: Point| {
        let at = of.back(&point);
        if of.is_hole(&at) {
            return Value::Null;
        }
        let number = at.iter().zip(of.tensor()).fold(BigInt::from(0), |sum, (index, extent)| sum * extent + index);
        int_json(&number)
    };
    Ok(Some(json!(points.map(element).collect::<Vec<_>>())))
}

/// What the definition says of a request; other answers than lists of elements are judged by themselves.
pub(super) fn run(op: &str, args: &[Value], reading: &mut Reading) -> Answer {
    if args.iter().any(Value::is_string) {
        // text has its own reader
        return Some(Ok(None));
    }
    let all: Vec<Option<Schedule>> = args.iter().map(|arg| reading.take(Schedule::read(arg))).collect();
    let all: Vec<Schedule> = all.into_iter().collect::<Option<_>>()?;
    if op == "schedule_eval" { Some(elements(&all[0])) } else { Some(Ok(None)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: &Value) -> Schedule {
        Schedule::read(value).expect("a schedule")
    }

    /// 6 by 4: two rounds of four, the last two points are holes.
    #[test]
    fn rounds_that_do_not_fit_have_holes() {
        let six = of(&json!({"extents": [6], "steps": [{"split": 0, "factor": 4}]}));
        assert_eq!(elements(&six), Ok(Some(json!([0, 1, 2, 3, 4, 5, null, null]))));
        let columns = of(&json!({"extents": [2, 3], "steps": [{"merge": [1, 0]}]}));
        assert_eq!(elements(&columns), Ok(Some(json!([0, 3, 1, 4, 2, 5]))));
    }

    /// Where nothing is cut off, an element comes back from where it went.
    #[test]
    fn an_element_comes_back() {
        let all = [
            json!({"extents": [5, 4], "steps": [{"swizzle": "xor", "axes": [0, 1]}, {"split": 0, "factor": 2}]}),
            json!({"extents": [4, 4], "steps": [{"swizzle": "cyclic", "axes": [0, 1]}, {"merge": [1, 0]}]}),
            json!({"extents": [3, 4], "steps": [{"swizzle": "zshape", "axes": [0, 1]}, {"resize": 1, "left": 2, "right": 1}]}),
        ];
        for schedule in all.iter().map(of) {
            for element in points(schedule.tensor()).into_iter().flatten() {
                assert_eq!(schedule.back(&schedule.forth(&element))[..schedule.roots], element);
            }
        }
    }

    #[test]
    fn faults_have_their_codes() {
        let code = |value: Value| Schedule::read(&value).err().map(|Refusal(code)| code);
        assert_eq!(code(json!({"extents": [0]})), Some("extent"));
        assert_eq!(code(json!({"extents": [4], "steps": [{"split": 1, "factor": 2}]})), Some("out_of_domain"));
        assert_eq!(code(json!({"extents": [4], "steps": [{"split": 0, "factor": 0}]})), Some("extent"));
        assert_eq!(code(json!({"extents": [4], "steps": [{"reorder": [0, 0]}]})), Some("incongruent"));
        assert_eq!(code(json!({"extents": [4], "steps": [{"split": 0}]})), Some("parse"));
        assert_eq!(code(json!({"extents": [1_u64 << 62]})), Some("overflow"));
    }
}
