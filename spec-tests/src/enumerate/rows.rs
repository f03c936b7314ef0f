//! What is asked, and when an answer is right.

use razorgirl::{Coord, ErrorKind, Layout, Result, Swizzle, Tiler};
use razorgirl_extracted::Mode;

use super::plain::{MOST, Numbers, Tiling, injective, modes};
use super::{Case, Row, Uses, Verdict, draw};

/// The operations.
pub const ROWS: &[Row] = &[
    row("at", Uses::Modes, draw::modes, |case| on(case, at)),
    row("idx2crd", Uses::Modes, draw::modes, |case| on(case, idx2crd)),
    row("coalesce", Uses::Modes, draw::modes, |case| on(case, |layout, offsets| fewest(&layout.coalesce(), offsets))),
    row("sort", Uses::Modes, draw::modes, |case| on(case, sort)),
    row("injectivity", Uses::Modes, draw::modes, |case| {
        on(case, |layout, offsets| {
            let found = layout.injectivity(1 << 12).is_injective();
            right_if(found == Some(injective(offsets)), || (format!("{found:?}"), format!("{offsets:?}")))
        })
    }),
    row("find_layout", Uses::Offsets, draw::offsets, find_layout),
    row("complement", Uses::Modes, draw::spread, |case| {
        on(case, |layout, offsets| {
            if offsets.iter().any(|offset| 2 * offset >= MOST as u64) {
                return Verdict::Invalid;
            }
            completes(&layout.complement(), Tiling::least(offsets).as_ref())
        })
    }),
    row("complement_in", Uses::ModesAndNumber, draw::modes_and_cotarget, |case| {
        on(case, |layout, offsets| {
            if case.number > MOST as u64 {
                return Verdict::Invalid;
            }
            completes(&layout.complement_in(case.number), Tiling::within(offsets, case.number).as_ref())
        })
    }),
    row("right_inverse", Uses::Modes, draw::modes, |case| on(case, right_inverse)),
    row("left_inverse", Uses::Modes, draw::spread, |case| on(case, |layout, all| undone(&layout.left_inverse(), all))),
    row("left_inverse_complete", Uses::Modes, draw::spread, |case| {
        on(case, |layout, all| undone(&layout.left_inverse_complete(), all))
    }),
    row("quasi_left_inverse", Uses::Modes, draw::spread, |case| on(case, quasi_left_inverse)),
    row("inverse", Uses::Modes, draw::contiguous, |case| on(case, inverse)),
    row("composition", Uses::Pair, draw::pair, |case| {
        on_both(case, |outer, inner, a, b| composite(&outer.composition(inner), inner, a, b, false))
    }),
    row("composition_complete", Uses::Pair, draw::pair, |case| {
        on_both(case, |outer, inner, a, b| composite(&outer.composition_complete(inner), inner, a, b, true))
    }),
    row("logical_divide", Uses::Pair, draw::tiled, |case| on_both(case, logical_divide)),
    row("zipped_divide", Uses::Pair, draw::tiled_by_mode, zipped_divide),
    row("logical_product", Uses::Pair, draw::copied, |case| on_both(case, logical_product)),
    row("swizzle", Uses::Offsets, draw::swizzle, swizzle),
];

const fn row(name: &'static str, uses: Uses, draw: fn(&mut super::Rng, &mut Case), check: fn(&Case) -> Verdict) -> Row {
    Row { name, uses, draw, check }
}

/// The library's layout of these modes, and its offsets.
fn listed(of: &[Mode]) -> Option<(Layout, Numbers)> {
    let offsets = Numbers::of_modes(of.iter().map(|mode| (mode.extent, mode.stride)))?;
    Some((Layout::from_modes(of.iter().copied()).ok()?, offsets))
}

/// Where the modes are a layout that can be listed.
fn on(case: &Case, judge: impl FnOnce(&Layout, &[u64]) -> Verdict) -> Verdict {
    match listed(&case.modes) {
        Some((layout, offsets)) => judge(&layout, offsets.list()),
        None => Verdict::Invalid,
    }
}

fn on_both(case: &Case, judge: impl FnOnce(&Layout, &Layout, &[u64], &[u64]) -> Verdict) -> Verdict {
    match (listed(&case.modes), listed(&case.inner)) {
        (Some((outer, a)), Some((inner, b))) => judge(&outer, &inner, a.list(), b.list()),
        _ => Verdict::Invalid,
    }
}

/// The offsets of an answer.
fn of(layout: &Layout) -> Option<Numbers> {
    Numbers::of_modes(layout.modes().iter().map(|mode| (mode.extent(), mode.stride())))
}

#[allow(clippy::needless_pass_by_value, reason = "what is shown is at hand, or is made for it")]
#[cold]
fn wrong(said: impl ToString, so: impl ToString) -> Verdict {
    Verdict::Wrong(Box::new([said.to_string(), so.to_string()]))
}

fn right_if<A: ToString, B: ToString>(right: bool, otherwise: impl FnOnce() -> (A, B)) -> Verdict {
    if right {
        return Verdict::Right;
    }
    let (said, so) = otherwise();
    wrong(said, so)
}

/// Has these offsets, in this order.
fn has(answer: &Layout, offsets: &[u64]) -> Verdict {
    right_if(of(answer).is_some_and(|all| all.list() == offsets), || (answer, format!("{offsets:?}")))
}

/// Has these offsets in as few modes as there can be.
fn fewest(answer: &Layout, offsets: &[u64]) -> Verdict {
    let Some(modes) = modes(offsets) else { return wrong(answer, "no layout") };
    let moving = answer.modes().iter().map(|mode| (mode.extent(), mode.stride()));
    let same = if modes.is_empty() { answer.size() == 1 && answer.modes().len() == 1 } else { moving.eq(modes) };
    if same { has(answer, offsets) } else { wrong(answer, format!("{offsets:?} in as few modes as there can be")) }
}

fn at(layout: &Layout, offsets: &[u64]) -> Verdict {
    let cosize = offsets.iter().max().map_or(0, |most| most + 1);
    let each = (0..).zip(offsets).all(|(index, offset)| layout.at(index).is_ok_and(|found| found == *offset));
    let ends = layout.at(offsets.len() as u64).is_err();
    let sizes = layout.size() == offsets.len() as u64 && layout.cosize() == cosize;
    right_if(each && ends && sizes && layout.offsets().eq(offsets.iter().copied()), || (layout, format!("{offsets:?}")))
}

/// The coordinate of an index, by counting up to it; and back.
fn idx2crd(layout: &Layout, offsets: &[u64]) -> Verdict {
    let (shape, last) = (layout.shape(), offsets.len() as u64 - 1);
    let mut counted = vec![0; layout.modes().len()];
    for _ in 0..last / 2 {
        for (digit, mode) in counted.iter_mut().zip(layout.modes()) {
            *digit += 1;
            if *digit < mode.extent() {
                break;
            }
            *digit = 0;
        }
    }
    let Ok(found) = shape.idx2crd(last / 2) else { return wrong("refused", format!("{counted:?}")) };
    let coord = Coord::flat(&counted.iter().map(|digit| Some(*digit)).collect::<Vec<_>>());
    let back = shape.crd2idx(&coord).is_ok_and(|index| index == last / 2);
    let offset = layout.offset(&coord).is_ok_and(|offset| Some(&offset) == offsets.get(to(last / 2)));
    right_if(found.leaves() == counted && back && offset, || (found, format!("{counted:?}")))
}

/// The same offsets, each as often; strides that do not fall.
fn sort(layout: &Layout, offsets: &[u64]) -> Verdict {
    let answer = layout.sort();
    let Some(found) = of(&answer) else { return wrong(answer, "too many offsets") };
    let (mut ours, mut theirs) = (found.list().to_vec(), offsets.to_vec());
    ours.sort_unstable();
    theirs.sort_unstable();
    let rising = answer.modes().is_sorted_by_key(|mode| mode.stride());
    right_if(rising && ours == theirs, || (answer, format!("{offsets:?}")))
}

fn find_layout(case: &Case) -> Verdict {
    let exists = modes(&case.offsets);
    match (Layout::find_layout(&case.offsets), exists) {
        (Ok(Some(answer)), Some(_)) => fewest(&answer, &case.offsets),
        (Ok(None), None) => Verdict::None,
        (answer, exists) => wrong(format!("{answer:?}"), format!("{exists:?}")),
    }
}

/// The starts of the copies that fill a block, in as few modes as there can be.
fn completes(answer: &Result<Layout>, tiling: Option<&Tiling>) -> Verdict {
    match (answer, tiling) {
        (Ok(answer), Some(tiling)) => fewest(answer, tiling.starts.list()),
        (Err(_), None) => Verdict::None,
        (Err(error), Some(tiling)) => match modes(tiling.starts.list()) {
            Some(modes) => wrong(error, format!("{modes:?} completes it")),
            None => Verdict::None,
        },
        (Ok(answer), None) => wrong(answer, "nothing completes it"),
    }
}

/// L(R(i)) = i. Of a layout that has each offset below its size, R has as many elements.
fn right_inverse(layout: &Layout, offsets: &[u64]) -> Verdict {
    let answer = layout.right_inverse();
    let Some(found) = of(&answer) else { return wrong(answer, "too many offsets") };
    let back = (0..).zip(found.list()).all(|(index, place)| offsets.get(to(*place)) == Some(&index));
    let all = !bijective(offsets) || found.list().len() == offsets.len();
    right_if(back && all, || (answer, format!("{offsets:?}")))
}

fn to(place: u64) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}

/// Whether each number below the size is an offset.
fn bijective(offsets: &[u64]) -> bool {
    injective(offsets) && offsets.iter().all(|offset| to(*offset) < offsets.len())
}

/// R(L(i)) = i.
fn undone(answer: &Result<Layout>, offsets: &[u64]) -> Verdict {
    match answer {
        Ok(answer) => match of(answer) {
            Some(found) => {
                let back = (0..).zip(offsets).all(|(index, offset)| found.at(*offset) == Some(index));
                right_if(back, || (answer, format!("{offsets:?}")))
            }
            None => Verdict::Invalid,
        },
        Err(_) if injective(offsets) => Verdict::Strict,
        Err(_) => Verdict::None,
    }
}

/// L(R(L(i))) = L(i).
fn quasi_left_inverse(layout: &Layout, offsets: &[u64]) -> Verdict {
    let Ok(answer) = layout.quasi_left_inverse() else { return Verdict::Strict };
    let Some(found) = of(&answer) else { return Verdict::Invalid };
    let again = |offset: &u64| found.at(*offset).and_then(|place| offsets.get(to(place))) == Some(offset);
    right_if(offsets.iter().all(again), || (answer, format!("{offsets:?}")))
}

/// Exactly of a layout that has each offset below its size.
fn inverse(layout: &Layout, offsets: &[u64]) -> Verdict {
    match layout.inverse() {
        Ok(answer) if bijective(offsets) && answer.size() == layout.size() => undone(&Ok(answer), offsets),
        Ok(answer) => wrong(answer, format!("{offsets:?}")),
        Err(error) if bijective(offsets) => wrong(error, format!("{offsets:?}")),
        Err(_) => Verdict::None,
    }
}

/// R(c) = A(B(c)), and the modes of R make up those of B. With `complete`, refused only where there is no such layout.
fn composite(answer: &Result<Layout>, inner: &Layout, a: &[u64], b: &[u64], complete: bool) -> Verdict {
    let inside = b.iter().all(|index| to(*index) < a.len());
    match answer {
        Ok(answer) => {
            let mut values = Numbers::none();
            let fits = inside && b.iter().all(|index| a.get(to(*index)).is_some_and(|value| values.push(*value)));
            if !fits || !refines(answer, inner) {
                return wrong(answer, format!("{a:?} after {b:?}"));
            }
            has(answer, values.list())
        }
        Err(error) if error.kind() == ErrorKind::Overflow => wrong(error, "small numbers"),
        Err(_) if !inside => Verdict::None,
        Err(error) => match composite_exists(inner, a) {
            true if complete => wrong(error, format!("{a:?} after {b:?} is a layout")),
            true => Verdict::Strict,
            false => Verdict::None,
        },
    }
}

/// Whether each mode of the inner layout by itself leads through offsets that a layout has, and these add up.
fn composite_exists(inner: &Layout, a: &[u64]) -> bool {
    let mut sums = Numbers::none();
    sums.push(0);
    for mode in inner.modes() {
        let along: Option<Vec<u64>> = (0..mode.extent()).map(|step| a.get(to(step * mode.stride())).copied()).collect();
        let Some(along) = along.filter(|along| modes(along).is_some()) else { return false };
        let below = sums;
        for value in &along[1..] {
            for sum in below.list() {
                if !sums.push(sum + value) {
                    return false;
                }
            }
        }
    }
    let all = of(inner);
    all.is_some_and(|all| all.list().iter().zip(sums.list()).all(|(index, sum)| a.get(to(*index)) == Some(sum)))
}

/// Whether the modes of the answer, in turn, make up each mode of the layout.
fn refines(answer: &Layout, layout: &Layout) -> bool {
    answer.rank() == layout.rank()
        && answer.sublayouts().zip(layout.sublayouts()).all(|(mode, whole)| mode.size() == whole.size())
}

/// Values of a list of offsets at a list of places; none where one lies outside.
fn after(a: &[u64], places: impl IntoIterator<Item = u64>) -> Option<Numbers> {
    let mut values = Numbers::none();
    places.into_iter().all(|place| a.get(to(place)).is_some_and(|value| values.push(*value))).then_some(values)
}

/// Whether the values along each mode of this layout are those of layouts that add up, and so for the places of the copies.
fn parts_exist(a: &[u64], tile: &Layout, starts: &[u64]) -> bool {
    let starts = after(a, starts.iter().copied());
    composite_exists(tile, a) && starts.is_some_and(|starts| modes(starts.list()).is_some())
}

/// The first mode is the layout after the tile, the second one its values at the starts of the tiles, and both add up.
fn logical_divide(layout: &Layout, tile: &Layout, a: &[u64], b: &[u64]) -> Verdict {
    let tiling = Tiling::within(b, a.len() as u64);
    match (layout.logical_divide(tile), tiling) {
        (Ok(answer), Some(tiling)) => {
            let places = tiling.starts.list().iter().flat_map(|start| b.iter().map(move |place| start + place));
            let Some(values) = after(a, places) else { return wrong(answer, "tiles reach past the layout") };
            let tiles = answer.mode(0).is_some_and(|first| refines(&first, tile));
            if tiles && answer.rank() == 2 { has(&answer, values.list()) } else { wrong(answer, format!("{b:?}")) }
        }
        (Ok(answer), None) => wrong(answer, "these tiles do not fill the layout"),
        (Err(_), Some(tiling)) if parts_exist(a, tile, tiling.starts.list()) => Verdict::Strict,
        (Err(_), _) => Verdict::None,
    }
}

/// Two modes, each divided by a tile of its own: the tiles side by side, and then what they are copied over.
fn zipped_divide(case: &Case) -> Verdict {
    let (first, second) = case.inner.split_at(to(case.number).min(case.inner.len()));
    let ([one, other], Some((layout, _))) = (&case.modes[..], listed(&case.modes)) else { return Verdict::Invalid };
    let along = [std::slice::from_ref(one), std::slice::from_ref(other)].map(listed);
    let ([Some((_, a0)), Some((_, a1))], [Some((tile0, b0)), Some((tile1, b1))]) = (along, [first, second].map(listed))
    else {
        return Verdict::Invalid;
    };
    let (a0, a1, b0, b1) = (a0.list(), a1.list(), b0.list(), b1.list());
    let tilings = Tiling::within(b0, a0.len() as u64).zip(Tiling::within(b1, a1.len() as u64));
    let tiler = Tiler::Modes(vec![Tiler::Layout(tile0.clone()), Tiler::Layout(tile1.clone())]);
    match (layout.zipped_divide(&tiler), tilings) {
        (Ok(answer), Some((t0, t1))) => {
            let mut values = Numbers::none();
            for start1 in t1.starts.list() {
                for start0 in t0.starts.list() {
                    for place1 in b1 {
                        for place0 in b0 {
                            let parts = a0.get(to(start0 + place0)).zip(a1.get(to(start1 + place1)));
                            if !parts.is_some_and(|(x, y)| values.push(x + y)) {
                                return wrong(answer, "tiles reach past the layout");
                            }
                        }
                    }
                }
            }
            let tile = answer.mode(0).is_some_and(|tile| tile.size() == (b0.len() * b1.len()) as u64);
            if tile && answer.rank() == 2 { has(&answer, values.list()) } else { wrong(answer, "other tiles") }
        }
        (Ok(answer), None) => wrong(answer, "these tiles do not fill the layout"),
        (Err(_), Some((t0, t1)))
            if parts_exist(a0, &tile0, t0.starts.list()) && parts_exist(a1, &tile1, t1.starts.list()) =>
        {
            Verdict::Strict
        }
        (Err(_), _) => Verdict::None,
    }
}

/// The first mode is the block; copy k begins at the k-th place that is free once the copies before it are set down. What a block
/// has twice it may have twice.
fn logical_product(block: &Layout, tiles: &Layout, a: &[u64], b: &[u64]) -> Verdict {
    let copies = b.iter().max().map_or(0, |most| most + 1);
    let answer = block.logical_product(tiles);
    let mut once = a.to_vec();
    once.sort_unstable();
    once.dedup();
    let Some(tiling) = Tiling::of_count(&once, copies) else {
        // copies meet, or reach past the places
        let beyond = a.iter().max().is_none_or(|most| 2 * most >= MOST as u64);
        return match answer {
            _ if beyond || Tiling::least(&once).is_some() => Verdict::Invalid,
            Ok(answer) => wrong(answer, "copies meet"),
            Err(_) => Verdict::None,
        };
    };
    match answer {
        Ok(answer) => {
            let mut values = Numbers::none();
            for number in b {
                let Some(start) = tiling.starts.at(*number) else { return Verdict::Invalid };
                if !a.iter().all(|offset| values.push(start + offset)) {
                    return Verdict::Invalid;
                }
            }
            let parts = answer.rank() == 2
                && answer.mode(0).is_some_and(|first| of(&first).is_some_and(|first| first.list() == a))
                && answer.mode(1).is_some_and(|second| refines(&second, tiles));
            if parts { has(&answer, values.list()) } else { wrong(answer, "another block") }
        }
        Err(_) if composite_exists(tiles, tiling.starts.list()) => Verdict::Strict,
        Err(_) => Verdict::None,
    }
}

/// Bit by bit: each of B bits from M + S on flips the one S below it.
fn swizzle(case: &Case) -> Verdict {
    let [bits, base, shift] = case.offsets[..] else { return Verdict::Invalid };
    if bits > 8 || base > 16 || shift > 16 {
        return Verdict::Invalid;
    }
    // as drawn, 4 is no shift
    let shift = shift.cast_signed() - 4;
    let (from, onto) =
        if shift > 0 { (base + shift.unsigned_abs(), base) } else { (base, base + shift.unsigned_abs()) };
    let mut flipped = case.number;
    for bit in 0..bits {
        if case.number & 1 << (from + bit) != 0 {
            flipped ^= 1 << (onto + bit);
        }
    }
    let found = Swizzle::new(bits, base, shift).apply(case.number);
    right_if(found.as_ref().is_ok_and(|found| *found == flipped), || (format!("{found:?}"), flipped))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Layout {
        text.parse().unwrap()
    }

    fn list(layout: &Layout) -> Vec<u64> {
        layout.offsets().collect()
    }

    fn is_wrong(verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::Wrong(_))
    }

    /// What CuTe answers where B(2,1) = 7 and A(7) = 8, and other answers that are nearly right.
    #[test]
    fn composites_that_are_wrong() {
        let judge = |outer: &str, inner: &str, answer: &str| {
            let inner = layout(inner);
            composite(&Ok(layout(answer)), &inner, &list(&layout(outer)), &list(&inner), false)
        };
        assert!(is_wrong(&judge("(6,2):(1,7)", "(3,2):(2,3)", "(3,2):(2,3)")));
        assert_eq!(judge("(4,8):(8,1)", "(2,4):(2,4)", "(2,4):(16,1)"), Verdict::Right);
        // the values in modes that do not make up those of the inner layout; one value more; beyond the domain
        assert!(is_wrong(&judge("16:1", "(4,4):(1,4)", "16:1")));
        assert!(is_wrong(&judge("(4,8):(8,1)", "(2,4):(2,4)", "(2,5):(16,1)")));
        assert!(is_wrong(&judge("4:1", "2:4", "2:4")));
    }

    /// A refusal is wrong where the complete operation, a complement or an inverse exists.
    #[test]
    fn refusals_that_are_wrong() {
        let refused = || Err(layout("(6,2):(1,7)").composition(&layout("(3,2):(2,3)")).unwrap_err());
        let inner = layout("3:3");
        let outer = list(&layout("(2,2,3):(1,1,3)"));
        assert!(is_wrong(&composite(&refused(), &inner, &outer, &list(&inner), true)));
        assert_eq!(composite(&refused(), &inner, &outer, &list(&inner), false), Verdict::Strict);
        assert!(is_wrong(&completes(&refused(), Tiling::within(&[0, 2], 8).as_ref())));
        assert_eq!(undone(&refused(), &[0, 1, 1]), Verdict::None);
        assert_eq!(undone(&refused(), &[0, 3, 1]), Verdict::Strict);
    }

    #[test]
    fn answers_that_are_nearly_right() {
        // pycute's complement of (2,2):(1,3), which meets it; one that is not as short as can be
        assert!(is_wrong(&completes(&Ok(layout("3:2")), Tiling::least(&[0, 1, 3, 4]).as_ref())));
        assert!(is_wrong(&completes(&Ok(layout("(2,2):(2,4)")), Tiling::within(&[0, 1], 8).as_ref())));
        assert_eq!(completes(&Ok(layout("4:2")), Tiling::within(&[0, 1], 8).as_ref()), Verdict::Right);
        assert!(is_wrong(&undone(&Ok(layout("4:2")), &[0, 2, 4, 6])));
        assert!(is_wrong(&fewest(&layout("(2,2):(1,2)"), &[0, 1, 2, 3])));
        assert!(is_wrong(&fewest(&layout("4:1"), &[0, 1, 2, 4])));
    }
}
