//! Where Triton's linear layouts abort or are wrong: what the definition says, by enumeration, and that we answer it.
//!
//! Each test names the bug. What Triton does was seen in the wheel 3.9.0 or in its C++ of August 2026, or is what its tracker
//! reports (issue and pull request by number).

use std::collections::BTreeMap;

use razorgirl::ErrorKind;
use razorgirl::linear_layout::{Bases, Dims, LinearLayout, encodings};

fn layout(bases: &[(&str, &[&[u64]])], outs: &[(&str, u64)]) -> LinearLayout {
    try_layout(bases, outs).expect("it is a layout")
}

fn try_layout(bases: &[(&str, &[&[u64]])], outs: &[(&str, u64)]) -> razorgirl::Result<LinearLayout> {
    LinearLayout::new(&owned(bases), outs.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect())
}

fn owned(bases: &[(&str, &[&[u64]])]) -> Vec<Bases> {
    let rows = |rows: &[&[u64]]| rows.iter().map(|row| row.to_vec()).collect();
    bases.iter().map(|(name, at)| ((*name).to_owned(), rows(at))).collect()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Every layout over dimensions of these bits.
fn every(ins: &[(&str, u32)], outs: &[(&str, u32)]) -> Vec<LinearLayout> {
    let (n, m): (u32, u32) = (ins.iter().map(|(_, bits)| bits).sum(), outs.iter().map(|(_, bits)| bits).sum());
    let sizes: Vec<(&str, u64)> = outs.iter().map(|(name, bits)| (*name, 1 << bits)).collect();
    let made = (0..1_u64 << (n * m)).map(|code| {
        let mut columns = (0..n).map(|bit| code >> (bit * m) & ((1 << m) - 1));
        let row = |mut column: u64| -> Vec<u64> {
            let cut = outs.iter().map(|(_, bits)| {
                let component = column & ((1 << bits) - 1);
                column >>= bits;
                component
            });
            cut.collect()
        };
        let bases: Vec<Bases> = ins
            .iter()
            .map(|(name, bits)| ((*name).to_owned(), columns.by_ref().take(*bits as usize).map(row).collect()))
            .collect();
        LinearLayout::new(&bases, sizes.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect())
            .expect("it is a layout")
    });
    made.collect()
}

/// The image of a point, by name: in which order dimensions stand does not matter.
fn image(layout: &LinearLayout, point: &[(String, u64)]) -> BTreeMap<String, u64> {
    let point: Vec<(&str, u64)> = point.iter().map(|(name, x)| (name.as_str(), *x)).collect();
    layout.apply(&point).expect("each input has a coordinate").into_iter().collect()
}

/// Every point of the inputs.
fn points(layout: &LinearLayout) -> Vec<Vec<(String, u64)>> {
    let ins = layout.ins();
    let at = |x: u64| ins.names().map(|name| (name.to_owned(), ins.unpack(x, name))).collect();
    (0..1 << ins.total()).map(at).collect()
}

/// Checks that `inner` after the answer is `outer`, at every point.
fn solves(inner: &LinearLayout, outer: &LinearLayout, answer: &LinearLayout) {
    for point in points(outer) {
        let between: Vec<(String, u64)> = image(answer, &point).into_iter().collect();
        assert_eq!(image(inner, &between), image(outer, &point), "{point:?}");
    }
}

/// L1. The product of layouts whose shared dimensions are in another order: Triton documents that it is none, and answers
/// with the first order (the test that should reject it is never compiled).
#[test]
fn product_of_dimensions_in_conflicting_orders_is_refused() {
    let a = layout(&[("a", &[&[1, 0]]), ("b", &[&[0, 1]])], &[("x", 2), ("y", 2)]);
    let b = layout(&[("b", &[&[1, 0]]), ("a", &[&[0, 1]])], &[("x", 2), ("y", 2)]);
    let error = a.product(&b).expect_err("a is before b, and after it");
    assert_eq!(error.kind(), ErrorKind::Incongruent);
    assert_eq!(error.help(), ["transpose one of them: shared names must be in the same order"]);
    // no order of the four positions keeps both
    let orders = [["a", "b"], ["b", "a"]];
    let keeps = |order: &[&str; 2], layout: &LinearLayout| layout.ins().names().eq(order.iter().copied());
    assert!(!orders.iter().any(|order| keeps(order, &a) && keeps(order, &b)));
    // the repair that the help names
    let turned = b.transpose_ins(&names(&["a", "b"])).expect("the same names");
    let product = a.product(&turned).expect("one order");
    for point in points(&product) {
        let low: Vec<_> = point.iter().map(|(name, x)| (name.clone(), x & 1)).collect();
        let high: Vec<_> = point.iter().map(|(name, x)| (name.clone(), x >> 1)).collect();
        let (low, high) = (image(&a, &low), image(&b, &high));
        assert!(image(&product, &point).iter().all(|(name, x)| *x == low[name] | high[name] << 1), "{point:?}");
    }
}

/// L2. `divideRight` where a basis of the dividend does not fit what the divisor leaves, and where the divisor lacks an output:
/// Triton dies of a fatal error. No layout C has C * B = A.
#[test]
fn right_division_that_has_no_quotient_is_none() {
    // 4 does not fit the one bit that x has left
    let a = layout(&[("r", &[&[4], &[1]])], &[("x", 8)]);
    let b = layout(&[("r", &[&[1]])], &[("x", 4)]);
    assert_eq!(a.divide_right(&b), None);
    assert!(every(&[("r", 1)], &[("x", 1)]).iter().all(|c| c.product(&b).as_ref() != Ok(&a)));
    // an output that the divisor lacks, and that the divided basis touches
    let a = layout(&[("r", &[&[1, 1]])], &[("x", 2), ("y", 2)]);
    let b = layout(&[("r", &[&[1]])], &[("y", 2)]);
    assert_eq!(a.divide_right(&b), None);
    assert!(every(&[("r", 0)], &[("x", 1), ("y", 0)]).iter().all(|c| c.product(&b).as_ref() != Ok(&a)));
    // where there is one it is found
    let c = layout(&[("r", &[&[1, 0]])], &[("x", 2), ("y", 1)]);
    let whole = c.product(&b).expect("one order");
    assert_eq!(whole.divide_right(&b), Some(c));
}

/// L3. `divideLeft` by a layout that lists its inputs in another order: Triton aborts, because of L1. A layout with the
/// dimensions of A is no product of B, whatever C.
#[test]
fn left_division_by_inputs_in_another_order_is_none() {
    let a = layout(&[("lane", &[&[1], &[2]]), ("warp", &[&[4]])], &[("x", 8)]);
    let b = layout(&[("warp", &[]), ("lane", &[&[1]])], &[("x", 2)]);
    assert_eq!(a.divide_left(&b), None);
    let quotients = every(&[("lane", 1), ("warp", 1)], &[("x", 2)]);
    assert!(quotients.iter().all(|c| b.product(c).as_ref() != Ok(&a)));
    // in one order there is one
    let turned = b.transpose_ins(&names(&["lane", "warp"])).expect("the same names");
    let quotient = a.divide_left(&turned).expect("there is one");
    assert_eq!(turned.product(&quotient), Ok(a));
}

/// L4. 33 input bits and one output bit: `isInvertible` of Triton compares 2^33 as a 32-bit number and answers yes, and
/// `invert` a layout whose output has the size 2.
#[test]
fn thirty_three_bits_onto_one_are_not_invertible() {
    let mut rows: Vec<Vec<u64>> = vec![vec![0]; 32];
    rows.insert(0, vec![1]);
    let wide = LinearLayout::new(&[("i".to_owned(), rows)], vec![("o".to_owned(), 2)]).expect("33 bits fit");
    // 2 and 4 both go to 0
    assert_eq!([wide.apply_packed(2), wide.apply_packed(4)], [0, 0]);
    assert!(!wide.is_invertible() && !wide.is_injective() && wide.is_surjective());
    assert_eq!(wide.invert(), None);
}

/// L5. A: r -> 1, w -> 2 and B: r -> 1, w -> 3. Triton 3.6 to 3.8 take r for an identity dimension, though w touches its bit, and
/// abort (pull request 11645). The one C with B after C = A is w -> r and w.
#[test]
fn identity_dimensions_that_others_touch_are_solved_for() {
    let a = layout(&[("r", &[&[1]]), ("w", &[&[2]])], &[("x", 4)]);
    let b = layout(&[("r", &[&[1]]), ("w", &[&[3]])], &[("x", 4)]);
    let c = a.invert_and_compose(&b).expect("the same outputs").expect("there is one");
    assert_eq!(c, layout(&[("r", &[&[1, 0]]), ("w", &[&[1, 1]])], &[("r", 2), ("w", 2)]));
    solves(&b, &a, &c);
    let all = every(&[("r", 1), ("w", 1)], &[("r", 1), ("w", 1)]);
    assert_eq!(all.iter().filter(|c| c.compose(&b).as_ref() == Ok(&a)).count(), 1);
}

/// L6. Equal layouts of 33 input bits whose dimensions overlap: Triton 3.9 puts both matrices side by side into 64 columns and
/// aborts. The identity is a solution.
#[test]
fn more_than_32_input_bits_are_solved_for() {
    let mut rows: Vec<Vec<u64>> = (0..32).map(|bit| vec![1 << bit]).collect();
    let bases = |last: u64| vec![("r".to_owned(), rows.clone()), ("w".to_owned(), vec![vec![last]])];
    let outs = || vec![("x".to_owned(), 1_u64 << 33)];
    let overlapping = LinearLayout::new(&bases(1 << 32 | 1), outs()).expect("33 bits fit");
    let c = overlapping.invert_and_compose(&overlapping).expect("the same outputs").expect("there is one");
    assert_eq!(c.columns(), (0..33).map(|bit| 1 << bit).collect::<Vec<u64>>());
    assert_eq!(c.compose(&overlapping).as_ref(), Ok(&overlapping));
    // and at the limit of 63 bits
    rows = (0..62).map(|bit| vec![1 << bit]).collect();
    let bases = vec![("r".to_owned(), rows), ("w".to_owned(), vec![vec![1 << 62 | 5]])];
    let widest = LinearLayout::new(&bases, vec![("x".to_owned(), 1 << 63)]).expect("63 bits fit");
    let c = widest.invert_and_compose(&widest).expect("the same outputs").expect("there is one");
    assert_eq!(c.compose(&widest), Ok(widest));
}

/// L7. Older Tritons put identity dimensions behind the others when they added them again (pull request 5468), and compared
/// sizes where slices of one layout differ in them only (10116). Dimensions keep their order, and sizes count.
#[test]
fn identity_dimensions_keep_their_place_and_sizes_count() {
    let bases: [(&str, &[&[u64]]); 3] = [("r", &[&[1]]), ("block", &[&[2]]), ("w", &[&[4]])];
    let a = layout(&[("w", &[&[1]]), ("block", &[&[2]]), ("r", &[&[4]])], &[("x", 8)]);
    let b = layout(&bases, &[("x", 8)]);
    // block is an identity dimension, between two that are exchanged
    let c = a.invert_and_compose(&b).expect("the same outputs").expect("there is one");
    assert!(c.ins().names().eq(["w", "block", "r"]) && c.outs().names().eq(["r", "block", "w"]));
    solves(&b, &a, &c);
    let larger = layout(&bases, &[("x", 16)]);
    assert_eq!(b.columns(), larger.columns());
    assert_ne!(b, larger);
}

/// L7, subviews. The half of shared memory was laid out as if it were memory of its own (pull request 7480, whose example this is): the
/// elements of a half lie where they lie in the whole, and the offset bit that leaves the half is a broadcast.
#[test]
fn a_subview_lies_where_it_lies_in_the_whole() {
    let whole = layout(&[("offset", &[&[1], &[2], &[5], &[10], &[32], &[16]])], &[("dim0", 64)]);
    let half = whole.resize_out("dim0", 5).expect("a smaller size");
    assert_eq!(half, layout(&[("offset", &[&[1], &[2], &[5], &[10], &[0], &[16]])], &[("dim0", 32)]));
    let (all, found) = (whole.invert().expect("each element once"), half.pseudoinvert().expect("each element"));
    for element in 0..32 {
        assert_eq!(found.apply_packed(element), all.apply_packed(element), "{element}");
    }
    // memory of its own would have element 16 at offset 16; in the whole it lies at 32
    let own = layout(&[("offset", &[&[1], &[2], &[5], &[10], &[16]])], &[("dim0", 32)]);
    assert_eq!(own.invert().map(|own| own.apply_packed(16)), Some(16));
    assert_eq!(all.apply_packed(16), 32);
    // what lanes read of the half, through the layout of the half
    let lanes = layout(&[("lane", &[&[1], &[2], &[4], &[8], &[16]])], &[("dim0", 32)]);
    let offsets = lanes.invert_and_compose(&half).expect("the same outputs").expect("there is one");
    for lane in 0..32 {
        assert_eq!(whole.apply_packed(offsets.apply_packed(lane)), lane, "{lane}");
    }
}

/// L8. `regPermForDivide` of Triton tests whether an unsigned difference of numbers of bits is negative, which it never is. A
/// tile that has more bits than the layout divides it on no side, and repeats in it nowhere.
#[test]
fn a_tile_with_more_bits_than_the_layout_divides_nothing() {
    let one = layout(&[("r", &[&[1]])], &[("x", 4)]);
    let tile = layout(&[("r", &[&[1], &[2]])], &[("x", 4)]);
    assert_eq!((one.divide_left(&tile), one.divide_right(&tile)), (None, None));
    assert_eq!(one.reps_of(&tile), Ok(None));
    // whatever the quotient, the product has more bits than the layout
    for bits in 0..2 {
        let quotients = every(&[("r", bits)], &[("x", bits)]);
        assert!(quotients.iter().all(|c| tile.product(c).is_ok_and(|product| product.ins().bits("r") > 1)));
    }
}

/// L9. An input dimension that occurs twice: `from_bases` of Triton keeps the last without a word.
#[test]
fn bases_of_one_input_given_twice_are_refused() {
    let twice: [(&str, &[&[u64]]); 2] = [("r", &[&[1]]), ("r", &[&[2]])];
    for error in [
        try_layout(&twice, &[("x", 4)]).expect_err("r occurs twice"),
        LinearLayout::from_bases(&owned(&twice), &names(&["x"])).expect_err("r occurs twice"),
    ] {
        assert_eq!(error.kind(), ErrorKind::Incongruent);
        assert!(error.to_string().contains("r occurs twice"), "{error}");
        assert_eq!(error.help(), ["give each dimension of a side a name of its own"]);
    }
}

/// L10. Fatal errors instead of answers, what users report most: a matrix smaller than its swizzle (issue 4727), eight warps
/// (5265), inputs without a dimension (6272), and sizes that are no power of two.
#[test]
fn what_kills_triton_is_answered_or_refused_with_a_repair() {
    assert_eq!(encodings::nvmma_shared(128, 16, false, &[4, 8]), Ok(None));
    // the accumulator of eight warps on a tile that they cover twice: the last warp bit moves nothing
    let eight = encodings::mma_v2(&[8, 1], &[16, 8], &[64, 8]).expect("broadcast");
    assert!(eight.is_surjective() && !eight.is_injective());
    assert_eq!(eight.columns_at("warp"), [16, 32, 0]);

    let none = layout(&[], &[("x", 1)]);
    assert_eq!(none.apply(&[]), Ok(vec![("x".to_owned(), 0)]));
    assert!(none.is_invertible());
    assert_eq!(none.invert().and_then(|inverse| inverse.invert()), Some(none.clone()));
    assert_eq!(none.product(&none), Ok(none.clone()));
    assert_eq!(none.divide_left(&none), Some(none.clone()));
    assert_eq!(none.invert_and_compose(&none).map(|found| found.is_some()), Ok(true));
    assert_eq!(layout(&[("r", &[])], &[("x", 1)]).flatten_ins().apply_packed(0), 0);

    let error = try_layout(&[("r", &[&[1]])], &[("x", 6)]).expect_err("6 is no power of two");
    assert_eq!((error.kind(), error.help()), (ErrorKind::Extent, &["use 8, the next power of two".to_owned()][..]));
}

/// L10, issue 5745. What is left of a tensor by a reduction, reshaped twice and broadcast, dies in an assertion of Triton: lanes
/// and warps hold each element several times. Here every step is a layout, and says which element each lane has.
#[test]
fn a_reduction_that_is_reshaped_twice_and_broadcast_keeps_its_elements() {
    let parent = encodings::blocked(&[1, 2], &[8, 4], &[2, 2], &[1, 0], &[32, 16], false).expect("powers of two");
    let reduced = encodings::slice(&parent, 1).expect("a dimension");
    assert!(reduced.is_surjective() && !reduced.is_injective());
    let dims = |sizes: &[u64]| {
        let named = sizes.iter().enumerate().map(|(dim, size)| (format!("dim{dim}"), *size));
        Dims::new(named).expect("powers of two")
    };
    let once = reduced.reshape_outs(dims(&[4, 8])).expect("32 elements");
    let twice = once.reshape_outs(dims(&[4, 2, 4])).expect("32 elements");
    for point in points(&reduced) {
        let element = image(&reduced, &point)["dim0"];
        let at = image(&twice, &point);
        // the first dimension fastest
        assert_eq!(at["dim0"] + 4 * at["dim1"] + 8 * at["dim2"], element, "{point:?}");
    }
    // a fourth dimension of 2 that every lane has whole, in a register of its own
    let more = layout(&[("register", &[&[1]])], &[("dim3", 2)]);
    let broadcast = twice.product(&more).expect("one order");
    for point in points(&broadcast) {
        let registers = reduced.ins().bits("register");
        let cut = |(name, x): &(String, u64)| {
            (name.clone(), if name == "register" { x & ((1 << registers) - 1) } else { *x })
        };
        let inner: Vec<(String, u64)> = point.iter().map(cut).collect();
        let (at, own) = (image(&broadcast, &point), image(&twice, &inner));
        assert!(own.iter().all(|(name, x)| at[name] == *x), "{point:?}");
        let register = point.iter().find(|(name, _)| name == "register").map_or(0, |(_, x)| *x);
        assert_eq!(at["dim3"], register >> registers, "{point:?}");
    }
}

/// L11. What `vec`, `per_phase` and `max_phase` mean was documented wrongly until pull request 3705, and is still asked (2102):
/// the element of row r and column c lies at `r * columns + (c ^ vec * (r / per_phase mod max_phase))`.
#[test]
fn the_parameters_of_a_swizzle_mean_what_the_formula_says() {
    let mut compared = 0;
    for code in 0..4 * 4 * 4 * 3_u32 {
        let (vec, per_phase, max_phase) = (1_u64 << (code & 3), 1_u64 << (code >> 2 & 3), 1_u64 << (code >> 4 & 3));
        let (rows, columns) = (16, 8_u64 << (code >> 6));
        if vec * max_phase > columns {
            continue;
        }
        let found = encodings::swizzled_shared(vec, per_phase, max_phase, &[1, 0], &[rows, columns]);
        let inverse = found.expect("powers of two").invert().expect("each element lies once");
        for row in 0..rows {
            for column in 0..columns {
                let offset = row * columns + (column ^ (vec * (row / per_phase % max_phase)));
                let at = image(&inverse, &[("dim0".to_owned(), row), ("dim1".to_owned(), column)]);
                assert_eq!(
                    at["offset"], offset,
                    "{vec} {per_phase} {max_phase}: {row}, {column} of {rows} x {columns}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}
