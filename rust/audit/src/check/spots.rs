//! Places of shared memory: which rule is asked about each, and what its finding says where.

use std::collections::{BTreeMap, BTreeSet};

use super::constant::{congruent, place};
use super::cover::Budget;
use super::defect::{Defect, MAX_COORDINATES};
use super::held::Held;
use super::verdicts::Verdicts;
use super::{
    alignment, banks, composed, divided, lanes, launch, once, overlap, partition, storage, swizzles, tiled_copy,
    tiled_mma, tma, vectors,
};
use crate::ast::Site;
use crate::eval::Program;
use crate::finding::{Code, Finding, Label, Place};
use crate::survey::{Access, Extent, Fact, Spot, Survey, Vectors, Ways, digits, looks_before, one_line};

/// Asks the rules about every place.
pub fn check(program: &Program<'_>, survey: &Survey) -> Verdicts {
    let mut verdicts = Verdicts::default();
    verdicts.shared.launches_left = survey.left_launches;
    let mut budget = Budget::default();
    let mut seen = BTreeSet::new();
    let mut files: BTreeMap<u32, bool> = BTreeMap::new();
    let lent = lent(survey);
    let held = Held::new(program, survey);
    let mut by_size: Vec<(Place, Finding)> = Vec::new();
    for spot in &survey.spots {
        if !spot.is_uncounted() {
            verdicts.shared.places += 1;
            verdicts.shared.known += usize::from(!spot.facts.is_empty() || spot.is_launch());
        }
        let mut large = false;
        let alone = spot.facts.iter().map(|(fact, holds)| (fact, holds, &[][..]));
        let launched = spot.launched.iter().map(|(fact, holds, by)| (fact, holds, by.as_slice()));
        for (fact, holds, by) in alone.chain(launched) {
            large |= !budget.has(coordinates(fact));
            let unit = spot.site.unit;
            let low = matches!(fact, Fact::Aligned { .. })
                && *files.entry(unit).or_insert_with(|| {
                    let file = program.sources().get(program.unit(unit).file);
                    file.is_some_and(|file| storage::asks_for_less(&file.text))
                });
            let Some((code, mut defect)) = asked(program, spot, fact, low, &mut budget) else { continue };
            // Another launch may have other extents, and a kernel may be made for whole tiles alone.
            if code == Code::Divided && !by.is_empty() {
                continue;
            }
            if held.clears(spot, fact, code) {
                continue;
            }
            if let Fact::Tensor { array, behind: true, .. } = fact
                && lent
                    .get(&(*array, holds.as_str()))
                    .is_some_and(|tensors| tensors.iter().any(|site| *site != spot.site))
            {
                continue;
            }
            // One place can have many instances; the first that is wrong stands for all.
            let refused = code == Code::BlockBeyond && seen.contains(&(spot.site, Code::BlockThreads));
            if refused || !seen.insert((spot.site, code)) {
                continue;
            }
            let label = |(site, text): &(Site, &str)| Label { place: place(program, *site), text: (*text).to_owned() };
            defect.labels.extend(by.iter().map(label));
            let finding = finding(program, spot, code, defect, holds);
            match code {
                Code::SizedArray => by_size.push((place(program, spot.around), finding)),
                _ => verdicts.find(finding),
            }
        }
        for ways in &spot.ways {
            if let Some((code, mut defect)) = on_each_way(program, spot, ways, &mut budget)
                && seen.insert((spot.site, code))
            {
                let label =
                    |(site, text): &(Site, &str)| Label { place: place(program, *site), text: (*text).to_owned() };
                defect.labels.extend(ways.by.iter().map(label));
                let all = if spot.is_launch() { ALL_OF_A_LAUNCH } else { ALL };
                defect.notes.push(all.to_owned());
                verdicts.find(finding(program, spot, code, defect, &ways.holds));
            }
        }
        verdicts.shared.untold += usize::from(large);
    }
    once::add(by_size, &mut verdicts);
    verdicts
}

/// Variables of a kernel that are shown, the largest first.
const MAX_LABELS: usize = 4;

/// What is said of a finding that holds in several ways.
const ALL: &str = "whichever sides of the #if are compiled; shown is the first";
const ALL_OF_A_LAUNCH: &str =
    "whichever sides of the #if are compiled, and whichever kernel is chosen; shown is the first";

/// Rules that say something of a place by itself: whatever else is known in one of several ways cannot take it back.
const BY_ITSELF: [Code; 13] = [
    Code::BlockBeyond,
    Code::BlockThreads,
    Code::ClassThreads,
    Code::Launch,
    Code::LaunchShared,
    Code::MmaThreads,
    Code::MmaTile,
    Code::SmallArray,
    Code::StaticShared,
    Code::Swizzle,
    Code::TiledCopy,
    Code::TmaLimits,
    Code::TmaStrides,
];

/// The first rule that says something of a place in each of several ways, and what it says in the first of them.
fn on_each_way(program: &Program<'_>, spot: &Spot, ways: &Ways, budget: &mut Budget) -> Option<(Code, Defect)> {
    let mut said = ways.each.iter().map(|facts| {
        let alone = facts.iter().filter(|fact| !matches!(fact, Fact::Tensor { behind: true, .. }));
        let found: Vec<(Code, Defect)> = alone.filter_map(|fact| asked(program, spot, fact, false, budget)).collect();
        found
    });
    let mut first = said.next()?;
    first.retain(|(code, _)| BY_ITSELF.contains(code));
    for other in said {
        first.retain(|(code, _)| other.iter().any(|(same, _)| same == code));
    }
    first.into_iter().next()
}

/// Arrays of a class with others behind them, and the tensors that fit in them, in one instance: another tensor that begins there and
/// reaches further may be meant to lie over what is behind, as that of an epilogue does.
fn lent(survey: &Survey) -> BTreeMap<(Site, &str), BTreeSet<Site>> {
    let mut fit: BTreeMap<(Site, &str), BTreeSet<Site>> = BTreeMap::new();
    for spot in &survey.spots {
        let alone = spot.facts.iter().map(|(fact, holds)| (fact, holds));
        for (fact, holds) in alone.chain(spot.launched.iter().map(|(fact, holds, _)| (fact, holds))) {
            if let Fact::Tensor { extent, begin, array, behind: true, layout, .. } = fact
                && layout.layout().cosize().checked_add(*begin).is_some_and(|end| end <= *extent)
            {
                fit.entry((*array, holds.as_str())).or_default().insert(spot.site);
            }
        }
    }
    fit
}

/// What a check may have to go through; more than there is where it is too much for any.
fn coordinates(fact: &Fact) -> u64 {
    let size = match fact {
        Fact::Swizzle(_)
        | Fact::Alignment(_)
        | Fact::Bits
        | Fact::Launch { .. }
        | Fact::Mma(_)
        | Fact::Encoded(_)
        | Fact::Started(_)
        | Fact::Static(_)
        | Fact::Asked { .. }
        | Fact::Apart(_)
        | Fact::Divided(_)
        | Fact::Counted { .. } => 0,
        Fact::Made(copy) => congruent(&copy.threads).map_or(0, |layout| layout.size()),
        Fact::Vectors(of) => of.tensor.size().saturating_add(of.copy.size()),
        Fact::Swizzled(layout)
        | Fact::Sized(layout)
        | Fact::Ranged(layout)
        | Fact::Idle(layout)
        | Fact::Spanned(layout)
        | Fact::Based { layout, .. }
        | Fact::Tensor { layout, .. }
        | Fact::Dynamic { layout, .. }
        | Fact::Aligned { layout, .. }
        | Fact::Placed { layout, .. } => layout.size(),
        Fact::Accessed { layout, .. } => layout.size().max(banks::MOST),
        Fact::Composition(pairs) => pairs.iter().map(|(_, inner)| inner.size()).max().unwrap_or(0),
        Fact::Laid(layout) | Fact::Threads(layout, _) | Fact::Reaches { layout, .. } => layout.size(),
        Fact::Partition { layout, tile } => layout.size().max(*tile),
    };
    if size > MAX_COORDINATES { u64::MAX } else { size }
}

/// Whether a name says that a layout is part of a tile.
fn is_atom(name: &str) -> bool {
    name.contains("Atom") || name.contains("atom")
}

/// What a rule says of a fact; `low` tells that nothing in the file asks for the alignment that the copy engine needs.
pub(super) fn asked(
    program: &Program<'_>,
    spot: &Spot,
    fact: &Fact,
    low: bool,
    budget: &mut Budget,
) -> Option<(Code, Defect)> {
    match fact {
        Fact::Swizzle(swizzle) => swizzles::unusual(*swizzle).map(|defect| (Code::Swizzle, defect)),
        Fact::Swizzled(layout) => {
            // An atom is not the whole of what lies in memory, and what it does shows in the tile that is made of it.
            let name = spot.name.map_or("", |name| program.text(name));
            if is_atom(name) {
                return None;
            }
            let leaves = swizzles::leaves(layout, budget).map(|defect| (Code::SwizzleLeaves, defect));
            leaves.or_else(|| swizzles::idle(layout, budget).map(|defect| (Code::SwizzleIdle, defect)))
        }
        Fact::Tensor { extent, begin, array, layout, rounded, bytes, .. } => {
            let mut defect = storage::small(*extent, *begin, layout, budget)?;
            let tile = "the tile of the tiled copy does not divide the tensor: its last tile is written as a whole";
            defect.notes.extend(rounded.then(|| tile.to_owned()));
            let text = match bytes {
                Some((needed, has)) => {
                    defect.notes.push(format!("the tensor needs {needed}, and the array is {has}"));
                    has.clone()
                }
                None => format!("{extent} elements"),
            };
            let label = Label { place: place(program, *array), text };
            Some((Code::SmallArray, Defect { labels: vec![label], ..defect }))
        }
        Fact::Dynamic { layout, begin, bits, bytes } => {
            storage::past_dynamic((*begin, *bits), *bytes, layout, budget).map(|defect| (Code::SmallArray, defect))
        }
        Fact::Sized(layout) => {
            // Only what is shared memory by its own words: elsewhere an array may have a slot for each coordinate.
            let text = program.text(spot.around).to_ascii_lowercase();
            let extent = program.text(spot.site).to_ascii_lowercase();
            let text = text.replace(&extent, "");
            let shared = text.contains("__shared__") || text.contains("smem");
            let defect = if shared { storage::by_size(layout, budget) } else { None };
            defect.map(|defect| (Code::SizedArray, defect))
        }
        Fact::Ranged(layout) => storage::by_size(layout, budget).map(|defect| (Code::SizedArray, defect)),
        Fact::Idle(layout) => {
            let name = spot.name.map_or("", |name| program.text(name));
            let idle = if is_atom(name) { None } else { swizzles::idle(layout, budget) };
            idle.map(|defect| (Code::SwizzleIdle, defect))
        }
        Fact::Based { layout, bytes, period, array } => {
            let short = storage::less(layout, *bytes).map(|defect| (Code::Misaligned, defect));
            let (code, defect) =
                short.or_else(|| Some((Code::SwizzleBase, storage::less_than_period(layout, *bytes, *period)?)))?;
            let label = Label { place: place(program, *array), text: "the array".to_owned() };
            let labels = if *array == spot.site { Vec::new() } else { vec![label] };
            Some((code, Defect { labels, ..defect }))
        }
        Fact::Composition(pairs) => {
            let mut lost = pairs.iter().filter_map(|(outer, inner)| composed::lost(outer, inner, budget));
            lost.next().map(|defect| (Code::Composed, defect))
        }
        Fact::Laid(layout) => overlap::defect(layout, budget).map(|defect| (Code::Overlap, defect)),
        Fact::Accessed { layout, access: access @ (Access::Ldmatrix | Access::Stmatrix), bits, copied } => {
            let split = banks::split(layout, 128, *bits, budget);
            // Where no copy is known to be reached, banks are not counted of vectors that do not lie together.
            if !*copied && split.is_some() {
                return None;
            }
            let split = split.map(|defect| (Code::SwizzleSplits, defect));
            let rows = if *copied && split.is_none() { vectors::rows(layout, 128, *bits, budget) } else { None };
            let apart = split.or_else(|| rows.map(|defect| (Code::Vectors, defect)));
            apart.or_else(|| banks::conflicts(layout, (*access, *bits), budget).map(|defect| (Code::Banks, defect)))
        }
        Fact::Accessed { layout, access: Access::Vector(vector), bits, .. } => {
            let split = banks::split(layout, *vector, *bits, budget).map(|defect| (Code::SwizzleSplits, defect));
            split.or_else(|| vectors::rows(layout, *vector, *bits, budget).map(|defect| (Code::Vectors, defect)))
        }
        Fact::Vectors(of) => {
            if of.splits {
                let whole = Vectors { copied: Extent::One, ..of.clone() };
                if vectors::split(&whole, budget).is_some() || vectors::misaligned(&whole, budget).is_some() {
                    return None;
                }
            }
            let reached = of.copied > Extent::None;
            let split = if reached {
                vectors::split(of, budget)
            } else {
                vectors::split(&Vectors { copied: Extent::One, ..of.clone() }, budget)
            };
            if !reached && split.is_some() {
                return None;
            }
            let split = split.map(|defect| (Code::SwizzleSplits, defect));
            let apart = split.or_else(|| vectors::misaligned(of, budget).map(|defect| (Code::Vectors, defect)));
            apart.or_else(|| lanes::conflicts(of, budget).map(|defect| (Code::Banks, defect)))
        }
        Fact::Launch { threads, bound, at } => {
            let defect = launch::beyond(*threads, *bound)?;
            let label = Label { place: place(program, *at), text: format!("{bound} threads") };
            Some((Code::Launch, Defect { labels: vec![label], ..defect }))
        }
        Fact::Counted { threads, count, at } => {
            let name = spot.name.map_or("it", |name| program.text(name));
            let defect = launch::counted(name, *threads, *count)?;
            let label = Label { place: place(program, *at), text: format!("{count} threads") };
            Some((Code::ClassThreads, Defect { labels: vec![label], ..defect }))
        }
        Fact::Started(of) => {
            let what = one_line(program.text(of.at));
            let (code, defect) = launch::started(of, &what)?;
            let label = Label { place: place(program, of.at), text: format!("{} threads", of.threads) };
            Some((code, Defect { labels: vec![label], ..defect }))
        }
        Fact::Static(of) => {
            let defect = storage::too_much(program.text(spot.site), of.bytes, of.least);
            let mut each = of.each.clone();
            each.sort_by_key(|(site, bytes)| (std::cmp::Reverse(*bytes), *site));
            let label =
                |(site, bytes): &(Site, u64)| Label { place: place(program, *site), text: format!("{bytes} bytes") };
            let labels = each.iter().take(MAX_LABELS).map(label).collect();
            Some((Code::StaticShared, Defect { labels, ..defect }))
        }
        Fact::Asked { bytes, least, allowed } => launch::asked(*bytes, *least, *allowed),
        Fact::Encoded(of) => {
            let beyond = tma::beyond(of).map(|defect| (Code::TmaLimits, defect));
            beyond.or_else(|| tma::incorrect(of).map(|defect| (Code::TmaStrides, defect)))
        }
        Fact::Made(copy) => tiled_copy::wrong(copy, budget).map(|defect| (Code::TiledCopy, defect)),
        Fact::Mma(mma) => {
            let gaps = tiled_mma::gaps(mma, budget).map(|defect| (Code::MmaThreads, defect));
            gaps.or_else(|| tiled_mma::uneven(mma).map(|defect| (Code::MmaTile, defect)))
        }
        Fact::Divided(of) => {
            let defect = divided::uneven(of)?;
            (!looks_before(program, spot.site.unit, spot.scope)).then_some((Code::Divided, defect))
        }
        Fact::Partition { layout, tile } => {
            partition::tile(layout, *tile, budget).map(|defect| (Code::Partition, defect))
        }
        Fact::Reaches { layout, tensor } => {
            partition::beyond(layout, tensor, budget).map(|defect| (Code::Partition, defect))
        }
        Fact::Threads(layout, tensor) => {
            // Threads of a larger grid may share a part.
            let missed = if digits(layout).is_some() { None } else { tiled_copy::missed(layout, "thread", budget) };
            let gaps = missed.map(|gaps| (Code::LocalPartition, partition::threads(layout, gaps)));
            gaps.or_else(|| {
                let uneven = partition::uneven(layout, tensor.as_ref()?)?;
                let looked = looks_before(program, spot.site.unit, spot.scope);
                (!looked).then_some((Code::Partition, uneven))
            })
        }
        Fact::Aligned { layout, bytes, period, computed } => {
            let text = program.text(spot.around);
            // In a block that is aligned, an array lies where the arrays before it end.
            let block = program.class_of_scope(spot.site.unit, spot.scope).map(|class| program.decl(class).span);
            let block = block.map_or("", |span| program.text(Site { unit: spot.site.unit, span }));
            let of_block = storage::of_block(block).filter(|_| low);
            let bytes = (*bytes).max(of_block);
            let short = storage::misaligned(layout, bytes, text, *computed).filter(|_| !storage::aligned_block(block));
            let short = short.map(|defect| (Code::Misaligned, defect));
            short.or_else(|| {
                Some((Code::SwizzleBase, storage::off_its_period(layout, bytes, *period, text, *computed)?))
            })
        }
        Fact::Placed { layout, period, array } => {
            let text = program.text(*array);
            let short = storage::misaligned(layout, None, text, None).map(|defect| (Code::Misaligned, defect));
            let off = || Some((Code::SwizzleBase, storage::off_its_period(layout, None, *period, text, None)?));
            let (code, defect) = short.or_else(off)?;
            let label = Label { place: place(program, *array), text: "the array".to_owned() };
            Some((code, Defect { labels: vec![label], ..defect }))
        }
        Fact::Apart(of) => {
            let [first, second] = of.names.map(|name| program.text(name));
            let defect = storage::apart(of, first, second);
            let label = |site, text: &str| Label { place: place(program, site), text: text.to_owned() };
            let labels = vec![label(of.names[0], "from here"), label(of.names[1], "to here")];
            // What is no multiple of 128 bytes leaves one of the two where the copy engine cannot write.
            let code = if storage::off_the_copy_engine(of) { Code::Misaligned } else { Code::SwizzleBase };
            Some((code, Defect { labels, ..defect }))
        }
        Fact::Alignment(counted) => {
            let defect = alignment::in_bytes(program.text(spot.site));
            // Where the name that is given stands for them, the place that says so.
            let label = counted.filter(|(_, site)| site.unit != spot.site.unit || !spot.site.span.contains(site.span));
            let label =
                label.map(|(bytes, site)| Label { place: place(program, site), text: format!("{bytes} bytes") });
            Some((Code::AlignmentInBytes, Defect { labels: label.into_iter().collect(), ..defect }))
        }
        Fact::Bits | Fact::Spanned(_) => None,
    }
}

fn finding(program: &Program<'_>, spot: &Spot, code: Code, mut defect: Defect, holds: &str) -> Finding {
    if !holds.is_empty() {
        defect.notes.push(format!("for {holds}, as the template is instantiated"));
    }
    defect.finding(code, place(program, spot.site))
}
