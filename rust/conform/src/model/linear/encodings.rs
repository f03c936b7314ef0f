//! Triton's encodings by digits: which element each register of each lane of each warp holds, and which lies at each
//! offset of shared memory.
//!
//! An index is written in digits, the fastest first; a digit moves so far in a dimension of the tensor. The digits are
//! those that Triton documents for blocked encodings, and PTX for fragments of `mma`. What is smaller than the tensor is
//! repeated by further digits of the first input; a coordinate beyond the tensor counts modulo its size.

use super::read::Arguments;
use super::{Answer, Dims, Linear, Point, layout, perhaps};
use crate::model::refusal::Result;

/// A digit of an index: it takes so many values, and each moves so far in a dimension.
#[derive(Clone, Copy)]
struct Digit {
    dim: usize,
    values: u128,
    step: u128,
}

/// The digits of the inputs over a tensor of this shape.
struct Places {
    inputs: Vec<(&'static str, Vec<Digit>)>,
    shape: Vec<u64>,
}

fn bits(values: u128) -> u32 {
    values.ilog2()
}

impl Places {
    /// How far the digits reach in a dimension.
    fn reach(&self, dim: usize) -> u128 {
        let all = self.inputs.iter().flat_map(|(_, digits)| digits);
        all.filter(|digit| digit.dim == dim).map(|digit| digit.values * digit.step).max().unwrap_or(1)
    }

    /// With digits of the first input that repeat what is smaller than the tensor, these dimensions in this order.
    fn repeated(mut self, order: &[usize]) -> Self {
        for dim in order {
            let (reach, size) = (self.reach(*dim), u128::from(self.shape[*dim]));
            if reach < size {
                self.inputs[0].1.push(Digit { dim: *dim, values: size / reach, step: reach });
            }
        }
        self
    }

    /// The coordinates of a point of the inputs.
    fn at(&self, point: &[u64]) -> Point {
        let mut coordinates = vec![0; self.shape.len()];
        for ((_, digits), index) in self.inputs.iter().zip(point) {
            let mut rest = u128::from(*index);
            for digit in digits {
                coordinates[digit.dim] += rest % digit.values * digit.step;
                rest /= digit.values;
            }
        }
        let wrapped = coordinates.iter().zip(&self.shape).map(|(x, size)| x % u128::from(*size));
        wrapped.map(|x| u64::try_from(x).unwrap_or(0)).collect()
    }

    /// The inputs with their bits, and `block`.
    fn ins(&self) -> Dims {
        let own = |digits: &[Digit]| digits.iter().map(|digit| bits(digit.values)).sum();
        let inputs = self.inputs.iter().map(|(name, digits)| ((*name).to_owned(), own(digits)));
        inputs.chain([("block".to_owned(), 0)]).collect()
    }

    fn outs(&self) -> Dims {
        let dims = self.shape.iter().enumerate();
        dims.map(|(dim, size)| (format!("dim{dim}"), size.ilog2())).collect()
    }

    /// As a linear layout, the coordinates moved last.
    fn layout(&self, moved: impl Fn(&mut Point)) -> Result<Linear> {
        Linear::of(self.ins(), self.outs(), |point| {
            let mut coordinates = self.at(point);
            moved(&mut coordinates);
            coordinates
        })
    }
}

/// An index that counts through dimensions in an order, above what is there already; it does not move in dimension `still`.
fn counting(sizes: &[u64], order: &[usize], below: &[u128], still: Option<usize>) -> Vec<Digit> {
    let digit = |dim: &usize| Digit {
        dim: *dim,
        values: sizes[*dim].into(),
        step: if still == Some(*dim) { 0 } else { below[*dim] },
    };
    order.iter().map(digit).collect()
}

/// Registers, lanes and warps that count each in one order: registers lowest, above them lanes, then warps.
fn blocks(sizes: [&[u64]; 3], order: &[usize], still: Option<usize>, shape: &[u64]) -> Places {
    let mut below = vec![1_u128; shape.len()];
    let mut inputs = vec![];
    for (name, sizes) in ["register", "lane", "warp"].into_iter().zip(sizes) {
        let still = still.filter(|_| name != "register");
        inputs.push((name, counting(sizes, order, &below, still)));
        for (dim, below) in below.iter_mut().enumerate().filter(|(dim, _)| Some(*dim) != still) {
            *below *= u128::from(sizes[dim]);
        }
    }
    // a tensor without dimensions has no registers to speak of
    let inputs = if shape.is_empty() { vec![] } else { inputs };
    Places { inputs, shape: shape.to_vec() }.repeated(order)
}

/// One warp's fragment and its warps. `inner` is the dimension in which a lane has `width` adjacent elements; 4 lanes stand
/// side by side there, 8 rows of them in the other dimension. Registers go on with rows 8 apart, then with the next
/// elements of the inner dimension.
struct Fragment {
    inner: usize,
    width: u64,
    inner_size: u64,
    outer_size: u64,
}

fn fragment(of: &Fragment, warps: &[u64], warp_order: [usize; 2], still: Option<usize>, shape: &[u64]) -> Places {
    let (inner, outer) = (of.inner, 1 - of.inner);
    let digit = |dim: usize, values: u64, step: u64| Digit { dim, values: values.into(), step: step.into() };
    let quad = 4 * of.width;
    let registers =
        vec![digit(inner, of.width, 1), digit(outer, of.outer_size / 8, 8), digit(inner, of.inner_size / quad, quad)];
    let lanes = vec![digit(inner, 4, of.width), digit(outer, 8, 1)];
    let mut tile = [0_u128; 2];
    tile[inner] = of.inner_size.into();
    tile[outer] = of.outer_size.into();
    let warps = counting(warps, &warp_order, &tile, still);
    let inputs = vec![("register", registers), ("lane", lanes), ("warp", warps)];
    Places { inputs, shape: shape.to_vec() }.repeated(&[inner, outer])
}

/// Drops registers that hold what another one holds.
fn without_copies(mut of: Linear) -> Linear {
    if of.ins.first().is_some_and(|(name, _)| name == "register") {
        of.bases[0].retain(|basis| basis.iter().any(|x| *x != 0));
        of.ins[0].1 = u32::try_from(of.bases[0].len()).unwrap_or(0);
    }
    of
}

impl Arguments<'_> {
    /// Notes where a list has another rank.
    fn rank(&mut self, list: Option<&Vec<u64>>, rank: Option<usize>) {
        let other = list.zip(rank).is_some_and(|(list, rank)| list.len() != rank);
        self.fault(other, "incongruent");
    }

    /// The dimensions in an order, each once.
    fn order(&mut self, place: usize, rank: Option<usize>) -> Option<Vec<usize>> {
        let order = self.places(place)?;
        let rank = rank?;
        let named = (0..rank).all(|dim| order.iter().filter(|own| **own == Some(dim)).count() == 1);
        self.fault(!named || order.len() != rank, "incongruent");
        order.into_iter().collect()
    }

    /// Which operand of a product, of so many.
    fn operand(&mut self, operands: usize) -> Option<usize> {
        let operand = self.count(0)?;
        self.fault(operand >= operands, "out_of_domain");
        Some(operand).filter(|operand| *operand < operands)
    }

    /// The shape of a matrix instruction, at least 8 by 8.
    fn instruction(&mut self, place: usize, rank: usize) -> Option<Vec<u64>> {
        let sizes = self.sizes(place);
        self.rank(sizes.as_ref(), Some(rank));
        let sizes = sizes?;
        self.fault(sizes.iter().take(2).any(|size| *size < 8), "extent");
        Some(sizes)
    }
}

/// A blocked encoding, one of an operand, or a slice.
pub(super) fn blocked(a: &mut Arguments, dot: bool, slice: bool) -> Answer {
    let first = usize::from(dot || slice);
    let operand = if dot { a.operand(2) } else { None };
    let sliced = if slice { a.count(0) } else { None };
    let lists = [first, first + 1, first + 2].map(|place| a.sizes(place));
    let shape = a.sizes(first + 4);
    let rank = shape.as_ref().map(|shape| if dot { 2 } else { shape.len() + usize::from(slice) });
    if dot {
        a.rank(shape.as_ref(), rank);
    }
    for list in &lists {
        a.rank(list.as_ref(), rank);
    }
    let order = a.order(first + 3, rank);
    let zeros_stay = a.all.len() > first + 5;
    let zeros_stay = if zeros_stay { a.truth(first + 5) } else { Some(false) };
    // of a list with other faults, too
    let dims = a.all[first + 4].as_array().map(Vec::len);
    let outside = sliced.zip(dims).is_some_and(|(dim, dims)| dim > dims);
    a.fault(outside, "out_of_domain");
    let [registers, lanes, warps] = lists;
    let (mut registers, lanes, warps, mut shape, order) = (registers?, lanes?, warps?, shape?, order?);
    let zeros_stay = zeros_stay?;
    if !a.fine() {
        return None;
    }
    let still = operand.map(|operand| 1 - operand);
    if let Some(k) = still {
        registers[k] = shape[k];
    }
    if let Some(dim) = sliced {
        shape.insert(dim, 1);
    }
    let bits: u32 = [&registers, &lanes, &warps].into_iter().flatten().map(|size| size.ilog2()).sum();
    if bits > 63 {
        a.fault(true, "too_large");
        return None;
    }
    let whole = blocks([&registers, &lanes, &warps], &order, still, &shape).layout(|_| {});
    if dot {
        return layout(whole);
    }
    layout(whole.map(|mut whole| {
        if let Some(dim) = sliced {
            for basis in whole.bases.iter_mut().flatten() {
                basis.remove(dim);
            }
            whole.outs.remove(dim);
            for (dim, (name, _)) in whole.outs.iter_mut().enumerate() {
                *name = format!("dim{dim}");
            }
        }
        if zeros_stay { whole } else { without_copies(whole) }
    }))
}

/// An accumulator or an operand, of version 2 or 3.
pub(super) fn mma(a: &mut Arguments, dot: bool, hopper: bool) -> Answer {
    let first = if dot { 2 } else { 0 };
    let operand = if dot { a.operand(if hopper { 1 } else { 2 }) } else { Some(0) };
    let width = if dot { a.power(1) } else { Some(1) };
    let (warps, shape) = (a.sizes(first), a.sizes(first + 2));
    a.rank(warps.as_ref(), Some(2));
    a.rank(shape.as_ref(), Some(2));
    let instruction = a.instruction(first + 1, if hopper { 3 } else { 2 });
    let (operand, width, warps, shape, instruction) = (operand?, width?, warps?, shape?, instruction?);
    if !a.fine() {
        return None;
    }
    let (m, n) = (instruction[0], instruction[1]);
    let along: u32 = warps.iter().map(|size| size.ilog2()).sum();
    if m.ilog2() + n.ilog2() + along + width > 55 {
        // far beyond what any machine has
        return super::UNJUDGED;
    }
    let width = 1_u64 << width;
    // accumulators: 2 adjacent columns; operands: so many adjacent elements along K, twice where a fragment has 16 rows
    let of = if dot {
        let depth = if m == 8 { 4 * width } else { 8 * width };
        Fragment { inner: 1 - operand, width, inner_size: depth, outer_size: if operand == 0 { m } else { 8 } }
    } else {
        Fragment { inner: 1, width: 2, inner_size: n, outer_size: m }
    };
    let still = dot.then_some(1 - operand);
    // Ampere's warps go along the columns first, Hopper's down the rows
    let order = if hopper { [0, 1] } else { [1, 0] };
    layout(fragment(&of, &warps, order, still, &shape).layout(|_| {}))
}

pub(super) fn swizzled(a: &mut Arguments) -> Answer {
    let [vec, per_phase, max_phase] = [0, 1, 2].map(|place| a.power(place));
    let shape = a.sizes(4);
    let order = a.order(3, shape.as_ref().map(Vec::len));
    let [vec, per_phase, max_phase] = [vec?, per_phase?, max_phase?].map(|bits| 1_u128 << bits);
    let (shape, order) = (shape?, order?);
    if !a.fine() {
        return None;
    }
    let mut inputs = vec![("offset", counting(&shape, &order, &vec![1; shape.len()], None))];
    if shape.is_empty() {
        inputs.clear();
    }
    let [column, row, ..] = *order.as_slice() else {
        return layout(Places { inputs, shape }.layout(|_| {}));
    };
    let columns = u128::from(shape[column]);
    let places = Places { inputs, shape };
    layout(places.layout(|coordinates| {
        let phase = u128::from(coordinates[row]) / per_phase % max_phase;
        // a phase of many vectors is cut to the columns that there are
        let moved = if phase == 0 { 0 } else { vec % columns * phase % columns };
        coordinates[column] ^= u64::try_from(moved).unwrap_or(0);
    }))
}

pub(super) fn nvmma(a: &mut Arguments) -> Answer {
    let (bytes, element, transposed, shape) = (a.index(0), a.index(1), a.truth(2), a.sizes(3));
    a.rank(shape.as_ref(), Some(2));
    a.fault(bytes.is_some_and(|bytes| ![0, 32, 64, 128].contains(&bytes)), "out_of_domain");
    a.fault(element.is_some_and(|element| ![8, 16, 32].contains(&element)), "out_of_domain");
    let (bytes, element, transposed, shape) = (bytes?, element?, transposed?, shape?);
    if !a.fine() {
        return None;
    }
    let (row, column) = if transposed { (1, 0) } else { (0, 1) };
    // what TMA copies at once: at most 256 rows, of the width of the swizzle or of at most 256 elements
    let rows = shape[row].min(256);
    let width = if bytes == 0 { shape[column].min(256) } else { 8 * bytes / element };
    if bytes > 0 && (shape[row] < 8 || shape[column] < width) {
        return perhaps(Ok(None));
    }
    let digit = |dim: usize, values: u64| Digit { dim, values: values.into(), step: 1 };
    let inputs = vec![("offset", vec![digit(column, width), digit(row, rows)])];
    let order = if bytes == 0 { [1, 0] } else { [0, 1] };
    let places = Places { inputs, shape }.repeated(&order);
    perhaps(
        places
            .layout(|coordinates| {
                // 16-byte units of a row change places, in the same way in as many rows as make 128 bytes
                if let Some(alike) = 128_u64.checked_div(bytes) {
                    let phase = coordinates[row] / alike % (bytes / 16);
                    coordinates[column] ^= phase * (128 / element);
                }
            })
            .map(Some),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::reading::Reading;
    use serde_json::{Value, json};

    fn answer(op: &str, args: &[Value]) -> Value {
        let mut reading = Reading::default();
        let answer = super::super::run(op, args, &mut reading);
        assert!(reading.fine(), "{op}");
        answer.and_then(std::result::Result::ok).flatten().unwrap_or_default()
    }

    /// The accumulator of `mma.m16n8`, as PTX draws it: lane 5 has row 1, columns 2 and 3, and row 9 there.
    #[test]
    fn fragments_are_those_of_the_manual() {
        let of = Fragment { inner: 1, width: 2, inner_size: 8, outer_size: 16 };
        let places = fragment(&of, &[1, 1], [1, 0], None, &[16, 8]);
        let held: Vec<Point> = (0..4).map(|register| places.at(&[register, 5, 0])).collect();
        assert_eq!(held, [[1, 2], [1, 3], [9, 2], [9, 3]]);
    }

    /// Rows of 32 bytes, 16 bits an element: four rows make a phase, so that the second four swap their halves.
    #[test]
    fn rows_of_a_swizzle_swap_units() {
        let memory = answer("encoding_nvmma_shared", &[json!(32), json!(16), json!(false), json!([8, 16])]);
        assert_eq!(memory["in"][0][1], json!([[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8]]));
        let none = answer("encoding_nvmma_shared", &[json!(128), json!(16), json!(false), json!([8, 32])]);
        assert!(none.is_null());
    }

    /// A warp of 2 by 2 lanes with 2 registers each, over a tensor of 2 by 8: a second pair of registers repeats it.
    #[test]
    fn what_is_too_small_is_repeated_and_what_is_too_large_wraps() {
        let args = |shape: Value| [json!([1, 2]), json!([2, 2]), json!([1, 2]), json!([1, 0]), shape];
        let large = answer("encoding_blocked", &args(json!([2, 16])));
        assert_eq!(large["in"][0], json!(["register", [[0, 1], [0, 8]]]));
        let small = answer("encoding_blocked", &args(json!([1, 2])));
        assert_eq!(
            small["in"],
            json!([["register", [[0, 1]]], ["lane", [[0, 0], [0, 0]]], ["warp", [[0, 0]]], ["block", []]])
        );
        let narrow = |keep: bool| answer("encoding_blocked", &[&args(json!([1, 1]))[..], &[json!(keep)]].concat());
        assert_eq!(narrow(false)["in"][0], json!(["register", []]));
        assert_eq!(narrow(true)["in"][0], json!(["register", [[0, 0]]]));
    }
}
