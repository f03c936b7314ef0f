//! Operations that a function printed from Lean answers, and that function.
//!
//! What stays here is what the functions do not know: profiles, and which numbers are asked for at all. Where a request
//! lies outside of what its function takes, the library answers it.

#![expect(clippy::unnecessary_wraps, reason = "a row answers, or leaves the request to the library")]

use razorgirl::{Coord, IntTuple, Layout, Profile, Shape, Tiler};
use razorgirl_extracted::{Fault, List, Mode, functions};

use crate::answer::{Answer, Output};
use crate::code::{Code, Refusal};
use crate::kind::{Argument, Division, Values};
use crate::table::{MAX_OFFSETS, Outcome};

/// The most modes that the extracted `sort` gets: it is the plain insertion of the definition, and quadratic.
const MAX_SORTED: usize = 1 << 10;

/// The most leaves under which groups of modes are put.
const MAX_LEAVES: usize = 1 << 10;

/// The answer to these arguments, if they are of the kinds that the row takes and its function knows them.
type Run = fn(&[Argument]) -> Option<Outcome>;

/// `row!("sort"; L: Layout => …)`: an operation with the kinds of its arguments, and the answer.
macro_rules! row {
    ($op:literal; $($name:ident: $kind:ident),* => $answer:expr) => {
        ($op, |arguments| match arguments {
            #[allow(non_snake_case, reason = "arguments are named as the formulas name them")]
            [$(Argument::$kind($name)),*] => $answer,
            _ => None,
        })
    };
}

/// One row for each list of arguments, in order of name.
const ROWS: &[(&str, Run)] = &[
    row!("call"; crd: Coord, L: Layout => number(functions::at_coord(modes(L), &entries(crd, L.profile())?))),
    row!("call"; crd: Coord, L: Layout => number(functions::at_index(modes(L), index(crd, L)?))),
    row!("coalesce"; L: Layout => coalesced(functions::coalesce(modes(L)))),
    row!("complement"; L: Layout => coalesced(functions::complement(modes(L)))),
    row!("complement"; L: Layout, N: Cotarget => coalesced(functions::complement_in(modes(L), u64::try_from(*N).ok()?))),
    row!("complement_ceil"; L: Layout, N: Cotarget => coalesced(functions::complement_ceil(modes(L), u64::try_from(*N).ok()?))),
    row!("composition"; A: Layout, B: Layout => grouped(few_leaves(B.profile())?, functions::composition(modes(A), modes(B)))),
    row!("coshape"; L: Layout => number(functions::cosize(modes(L)))),
    row!("cosize"; L: Layout => number(functions::cosize(modes(L)))),
    row!("crd2idx"; crd: Coord, X: ShapeOf => number(functions::crd2idx(X.extents().leaves(), &entries(crd, X.profile())?))),
    row!("div"; kind: Division, a: Integer, b: Integer => quotient(*kind, *a, *b)),
    row!("eval"; L: Layout => offsets(L)),
    row!("find_layout"; f: Values => or_none(functions::find_layout(fitting(f)?))),
    row!("fttc"; sizes: Sizes, boxes: Sizes, element_strides: Sizes => fttc(sizes, boxes, element_strides)),
    row!("idx2crd"; i: Index, X: ShapeOf => coordinate(X, functions::idx2crd(X.extents().leaves(), inside(*i, X.size())?))),
    row!("inverse"; L: Layout => coalesced(functions::inverse(modes(L)))),
    row!("is_contiguous"; L: Layout => contiguous(&functions::inverse(modes(L)))),
    row!("is_injective"; L: Layout => injective(functions::spreads(modes(L)))),
    row!("left_inverse"; L: Layout => coalesced(functions::left_inverse(modes(L)))),
    row!("logical_divide"; A: Layout, tiler: Tiler => divided(A, tile(tiler)?)),
    row!("logical_product"; A: Layout, tiler: Tiler => copied(A, tile(tiler)?)),
    row!("right_inverse"; L: Layout => coalesced(functions::right_inverse(modes(L)))),
    row!("size"; X: ShapeOf => number(functions::size(&of_shape(X)))),
    row!("sort"; L: Layout => like(L.flatten().profile(), functions::sort(few(modes(L))?))),
];

/// The operations that an extracted function answers, in order of name.
///
/// ```
/// assert!(razorgirl_protocol::extracted().contains(&"coalesce"));
/// ```
#[must_use]
pub fn extracted() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = ROWS.iter().map(|(name, _)| *name).collect();
    names.dedup();
    names
}

/// What the extracted function answers, if there is one for this operation and these arguments.
pub(crate) fn run(op: &str, arguments: &[Argument]) -> Option<Outcome> {
    ROWS.iter().filter(|(name, _)| *name == op).find_map(|(_, run)| run(arguments))
}

fn modes(layout: &Layout) -> &[Mode] {
    layout.modes()
}

/// Modes with the extents of a shape, for functions that do not look at strides.
fn of_shape(shape: &Shape) -> Vec<Mode> {
    shape.extents().leaves().iter().map(|&extent| Mode { extent, stride: 0 }).collect()
}

/// The linear index of a coordinate that keeps no mode.
fn index(coord: &Coord, layout: &Layout) -> Option<u64> {
    let whole = !coord.leaves().contains(&None);
    whole.then(|| layout.shape().crd2idx(coord).ok()).flatten()
}

/// The entries of a coordinate that is nested like the shape and keeps no mode.
fn entries(coord: &Coord, profile: &Profile) -> Option<Vec<u64>> {
    (coord.profile() == profile).then(|| coord.leaves().iter().copied().collect()).flatten()
}

/// The layout that a tiler is.
fn tile(tiler: &Tiler) -> Option<&Layout> {
    match tiler {
        Tiler::Layout(tile) => few_leaves(tile.profile()).map(|_| tile),
        Tiler::Keep | Tiler::Modes(_) => None,
    }
}

/// An index that is below the size.
fn inside(index: u64, size: u64) -> Option<u64> {
    (index < size).then_some(index)
}

/// Values that are offsets.
fn fitting(values: &Values) -> Option<&[u64]> {
    match values {
        Values::Offsets(offsets) => Some(offsets),
        Values::Digits(_) => None,
    }
}

/// The offset of every index.
fn offsets(layout: &Layout) -> Option<Outcome> {
    let modes = modes(layout);
    let offsets = (layout.size() <= MAX_OFFSETS)
        .then(|| (0..layout.size()).map(|index| functions::at_index(modes, index)).collect::<Result<Vec<_>, _>>())?;
    Some(offsets.map(Answer::new).map_err(refusal))
}

/// A coordinate of a shape, with its nesting.
fn coordinate(shape: &Shape, found: Result<List<u64>, Fault>) -> Option<Outcome> {
    let nested = |entries: List<u64>| Ok(Answer::new(IntTuple::nested(&entries, shape.profile())?));
    Some(found.map_err(refusal).and_then(nested))
}

/// What an operation answers that finds nothing: `null`.
fn or_none(found: Result<List<Mode>, Fault>) -> Option<Outcome> {
    match found {
        Err(Fault::Refuse("none")) => Some(Ok(Answer::new(Output::None))),
        found => coalesced(found),
    }
}

/// The dimensions in which a copy by boxes cannot fill every hole; the library refuses lists of different lengths.
fn fttc(sizes: &[u64], boxes: &[u64], strides: &[u64]) -> Option<Outcome> {
    if sizes.len() != boxes.len() || sizes.len() != strides.len() {
        return None;
    }
    let both = boxes.iter().copied().zip(strides.iter().copied());
    let dimensions: Vec<(u64, (u64, u64))> = sizes.iter().copied().zip(both).collect();
    let named = |violations: List<u64>| {
        let strong = Output::Truth(violations.is_empty());
        Answer::new(Output::Named(vec![("strong", strong), ("violations", Output::Naturals(violations.to_vec()))]))
    };
    Some(functions::fttc_violations(&dimensions).map(named).map_err(refusal))
}

/// Quotient and remainder.
fn quotient(kind: Division, a: i64, b: i64) -> Option<Outcome> {
    let found = match kind {
        Division::Euclid => functions::euclid(a, b),
        Division::Trunc => functions::trunc(a, b),
        Division::Ceil => functions::ceil(a, b),
    };
    let both =
        |(quotient, remainder): (i64, i64)| Answer::new(Output::Integers(vec![quotient.into(), remainder.into()]));
    Some(found.map(both).map_err(refusal))
}

/// A layout is contiguous exactly where it has an inverse on both sides.
fn contiguous(inverse: &Result<List<Mode>, Fault>) -> Option<Outcome> {
    match inverse {
        Ok(_) => Some(Ok(Answer::new(true))),
        Err(Fault::Refuse("not_injective" | "not_contiguous")) => Some(Ok(Answer::new(false))),
        Err(fault) => Some(Err(refusal(*fault))),
    }
}

/// Where the criterion says nothing, the library searches.
fn injective(spreads: Result<bool, Fault>) -> Option<Outcome> {
    matches!(spreads, Ok(true)).then(|| Ok(Answer::new(true).beside("collision", Output::None)))
}

/// So many modes as may be sorted.
fn few(modes: &[Mode]) -> Option<&[Mode]> {
    (modes.len() <= MAX_SORTED).then_some(modes)
}

fn number(found: Result<u64, Fault>) -> Option<Outcome> {
    Some(found.map(Answer::new).map_err(refusal))
}

/// At most [`MAX_LEAVES`] leaves: putting groups in their places costs the square of them where they are nested.
fn few_leaves(profile: &Profile) -> Option<&Profile> {
    (profile.leaf_count() <= MAX_LEAVES).then_some(profile)
}

/// Coalesced groups of modes in the places of the leaves of a profile: all modes in a row, and how many each group has.
fn grouped(profile: &Profile, found: Result<(List<Mode>, List<u64>), Fault>) -> Option<Outcome> {
    Some(found.map_err(refusal).and_then(|found| Ok(Answer::new(all_nested(&[profile], groups(&found)?)?))))
}

/// A layout in tiles: the groups of the tile, then those of its complement.
fn divided(layout: &Layout, tile: &Layout) -> Option<Outcome> {
    let quotient = |found: (List<Mode>, List<u64>)| {
        let groups = groups(&found)?;
        let rest = groups.len().saturating_sub(tile.profile().leaf_count());
        let rest = if rest == 1 { Profile::leaf() } else { Profile::flat(rest) };
        Ok(Answer::new(all_nested(&[tile.profile(), &rest], groups)?))
    };
    Some(functions::logical_divide(modes(layout), modes(tile)).map_err(refusal).and_then(quotient))
}

/// A layout beside the places of its copies.
fn copied(block: &Layout, tiles: &Layout) -> Option<Outcome> {
    let product = |found: (List<Mode>, List<u64>)| {
        let copies = all_nested(&[tiles.profile()], groups(&found)?)?;
        Ok(Answer::new(Layout::concat(&[block.clone(), copies])?))
    };
    Some(functions::logical_product(modes(block), modes(tiles)).map_err(refusal).and_then(product))
}

/// The groups one by one.
fn groups((modes, counts): &(List<Mode>, List<u64>)) -> Result<Vec<Layout>, Refusal> {
    let mut rest = &modes[..];
    let mut groups = Vec::with_capacity(counts.len());
    for &count in counts.iter() {
        let place = usize::try_from(count).unwrap_or(usize::MAX);
        let (group, after) = rest.split_at_checked(place).ok_or_else(crate::table::mismatch)?;
        groups.push(leaf_or_flat(group)?);
        rest = after;
    }
    if rest.is_empty() { Ok(groups) } else { Err(crate::table::mismatch()) }
}

/// The groups in the places of the leaves of these profiles, which are the modes where there are several.
fn all_nested(profiles: &[&Profile], groups: Vec<Layout>) -> Result<Layout, Refusal> {
    let mut groups = groups.into_iter();
    let parts = profiles.iter().map(|profile| nested(profile, &mut groups)).collect::<Result<Vec<_>, _>>()?;
    if groups.next().is_some() {
        return Err(crate::table::mismatch());
    }
    match <[Layout; 1]>::try_from(parts) {
        Ok([whole]) => Ok(whole),
        Err(parts) => Ok(Layout::concat(&parts)?),
    }
}

/// The layouts in the places of the leaves. Recursion: no deeper than the profile, which is at most 64 deep.
fn nested(profile: &Profile, leaves: &mut impl Iterator<Item = Layout>) -> Result<Layout, Refusal> {
    if profile.is_leaf() {
        return leaves.next().ok_or_else(crate::table::mismatch);
    }
    let modes = (0..profile.rank()).filter_map(|place| profile.mode(place));
    let modes = modes.map(|mode| nested(&mode, leaves)).collect::<Result<Vec<_>, _>>()?;
    Ok(Layout::concat(&modes)?)
}

/// Modes under a profile that has as many leaves.
fn like(profile: &Profile, found: Result<List<Mode>, Fault>) -> Option<Outcome> {
    Some(found.map_err(refusal).and_then(|modes| Ok(Answer::new(layout(&modes, profile)?))))
}

/// Coalesced modes: one is a leaf, none is `1:0`.
fn coalesced(found: Result<List<Mode>, Fault>) -> Option<Outcome> {
    Some(found.map_err(refusal).and_then(|modes| Ok(Answer::new(leaf_or_flat(&modes)?))))
}

fn leaf_or_flat(modes: &[Mode]) -> Result<Layout, Refusal> {
    match modes {
        [] => layout(&[Mode { extent: 1, stride: 0 }], &Profile::leaf()),
        [_] => layout(modes, &Profile::leaf()),
        _ => layout(modes, &Profile::flat(modes.len())),
    }
}

fn layout(modes: &[Mode], profile: &Profile) -> Result<Layout, Refusal> {
    let tuple = |numbers: Vec<u64>| IntTuple::nested(&numbers, profile);
    let extents = tuple(modes.iter().map(|mode| mode.extent).collect())?;
    let strides = tuple(modes.iter().map(|mode| mode.stride).collect())?;
    Ok(Layout::new(&extents, &strides)?)
}

/// Each fault as a refusal. The code is the function's; place and reason only the library gives.
fn refusal(fault: Fault) -> Refusal {
    let known = Code::ALL.into_iter().find(|known| known.name() == fault.code() && *known != Code::Internal);
    match known {
        Some(code) => Refusal::new(code, format!("refused by the function extracted from Lean: {}", code.name()))
            .with_help("without --extracted, the answer says where and why"),
        None => Refusal::internal(format!("the extracted function met {fault:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Op;

    #[test]
    fn rows_are_operations_with_these_arguments() {
        assert!(ROWS.is_sorted_by_key(|(name, _)| *name));
        for (name, _) in ROWS {
            assert!(Op::named(name).is_some(), "{name}");
        }
    }

    /// Every fault has a code of the protocol: what a definition refuses with is the code itself.
    #[test]
    fn faults_are_refusals() {
        for code in Code::ALL.into_iter().filter(|code| *code != Code::Internal) {
            assert_eq!(refusal(Fault::Refuse(code.name())).code, code);
        }
        assert_eq!(refusal(Fault::Overflow).code, Code::Overflow);
        for fault in [Fault::DivZero, Fault::Bounds, Fault::Refuse("internal"), Fault::Refuse("")] {
            assert_eq!(refusal(fault).code, Code::Internal);
        }
    }
}
