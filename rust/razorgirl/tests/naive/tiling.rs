//! Division and products in sets of offsets: which copies of a tile lie where is found by putting them there.

use std::collections::{BTreeSet, HashMap};

use super::Tree::{Leaf, Node};
use super::{Layout, Mode, at, notation, offsets, shape, size};

/// The modes of the layout with exactly these values: the first extent is where they leave the line.
pub fn modes_of(values: &[u64]) -> Option<Vec<Mode>> {
    if values[0] != 0 {
        return None;
    }
    if values.len() == 1 {
        return Some(vec![]);
    }
    let extent = (0..values.len()).find(|k| values[*k] != values[1] * *k as u64).unwrap_or(values.len());
    let repeats = values.len().is_multiple_of(extent)
        && (0..values.len()).all(|x| values[x] == values[x / extent * extent] + values[1] * (x % extent) as u64);
    if !repeats {
        return None;
    }
    let rest: Vec<u64> = values.iter().step_by(extent).copied().collect();
    let mut modes = vec![(extent as u64, values[1])];
    modes.extend(modes_of(&rest)?);
    Some(modes)
}

fn nest(modes: Vec<Mode>) -> Layout {
    match modes[..] {
        [] => Leaf((1, 0)),
        [mode] => Leaf(mode),
        _ => Node(modes.into_iter().map(Leaf).collect()),
    }
}

fn replaced(tree: &Layout, leaves: &mut impl Iterator<Item = Layout>) -> Layout {
    match tree {
        Leaf(_) => leaves.next().unwrap(),
        Node(modes) => Node(modes.iter().map(|mode| replaced(mode, leaves)).collect()),
    }
}

/// The layout `R` with `R(c) = f(B(c))`, nested as `B` with a coalesced layout for each leaf; none if there is none.
pub fn composed(f: impl Fn(u64) -> u64, inner: &Layout) -> Option<Layout> {
    let mut leaves = Vec::new();
    for (extent, stride) in inner.leaves() {
        leaves.push(nest(modes_of(&(0..extent).map(|k| f(k * stride)).collect::<Vec<_>>())?));
    }
    let result = replaced(inner, &mut leaves.into_iter());
    (offsets(&result) == offsets(inner).into_iter().map(f).collect::<Vec<_>>()).then_some(result)
}

/// Where copies of a set of offsets go if each takes the first place that is free, until there are `count` and they leave
/// no hole; none if two overlap.
fn placed(tile: &BTreeSet<u64>, count: usize) -> Option<(Vec<u64>, u64)> {
    let (mut taken, mut next, mut starts) = (BTreeSet::new(), 0, Vec::new());
    loop {
        while taken.remove(&next) {
            next += 1;
        }
        if starts.len() >= count && taken.is_empty() {
            return Some((starts, next));
        }
        for offset in tile {
            if !taken.insert(next + offset) {
                return None;
            }
        }
        starts.push(next);
    }
}

/// The offsets of a layout, each once; none if one is there twice.
fn set(layout: &Layout) -> Option<BTreeSet<u64>> {
    let all = offsets(layout);
    let set: BTreeSet<u64> = all.iter().copied().collect();
    (set.len() == all.len()).then_some(set)
}

/// `(T, C)` for whole tiles that fill exactly `[0, size)`.
pub fn tiling(tile: &Layout, size: u64) -> Option<Layout> {
    let set = set(tile)?;
    let count = usize::try_from(size).unwrap() / set.len();
    let (starts, filled) = placed(&set, count)?;
    if filled != size {
        return None;
    }
    Some(Node(vec![tile.clone(), nest(modes_of(&starts)?)]))
}

pub fn logical_divide(layout: &Layout, tile: &Layout) -> Option<Layout> {
    let size = size(&shape(layout));
    if offsets(tile).iter().any(|index| *index >= size) {
        return None;
    }
    composed(|index| at(layout, index), &tiling(tile, size)?)
}

/// The layout as a function beyond its domain: the last mode of extent above 1 goes on.
fn endless(layout: &Layout) -> impl Fn(u64) -> u64 {
    let modes: Vec<Mode> = layout.leaves().into_iter().filter(|(extent, _)| *extent > 1).collect();
    move |index| {
        let (mut rest, mut offset) = (index, 0);
        for (i, (extent, stride)) in modes.iter().enumerate() {
            if i + 1 == modes.len() {
                offset += rest * stride;
            } else {
                offset += rest % extent * stride;
                rest /= extent;
            }
        }
        offset
    }
}

/// The quotient with as few whole tiles as reach the size of the layout, and the index for each coordinate.
pub fn logical_divide_ceil(layout: &Layout, tile: &Layout) -> Option<(Layout, Layout)> {
    let (set, size) = (set(tile)?, size(&shape(layout)));
    let mut count = 1;
    let index = loop {
        let (_, filled) = placed(&set, count)?;
        if filled >= size {
            break tiling(tile, filled)?;
        }
        count += 1;
    };
    Some((composed(endless(layout), &index)?, index))
}

/// `(A, C ∘ T)`: a copy of A for each offset of T, numbered from below.
pub fn logical_product(layout: &Layout, tiles: &Layout) -> Option<Layout> {
    let moving = layout.map(&mut |(extent, stride)| if stride == 0 { (1, 0) } else { (extent, stride) });
    let count = offsets(tiles).into_iter().max()? + 1;
    let (starts, _) = placed(&set(&moving)?, usize::try_from(count).unwrap())?;
    let copies = composed(|number| starts[usize::try_from(number).unwrap()], tiles)?;
    Some(Node(vec![layout.clone(), copies]))
}

#[derive(Clone, Debug)]
pub enum Tiler {
    Keep,
    By(Layout),
    Modes(Vec<Tiler>),
}

fn top(layout: &Layout) -> Vec<Layout> {
    match layout {
        Node(modes) => modes.clone(),
        leaf @ Leaf(_) => vec![leaf.clone()],
    }
}

pub type Split = fn(&Layout, &Layout) -> Option<Layout>;

pub fn by_mode(layout: &Layout, tiler: &Tiler, split: Split) -> Option<Layout> {
    match tiler {
        Tiler::Keep => Some(layout.clone()),
        Tiler::By(tile) => split(layout, tile),
        Tiler::Modes(tilers) => {
            let mut modes = top(layout);
            if tilers.len() > modes.len() {
                return None;
            }
            for (mode, tiler) in modes.iter_mut().zip(tilers) {
                *mode = by_mode(mode, tiler, split)?;
            }
            Some(Node(modes))
        }
    }
}

/// Tiles and rests; what is under `_` is a rest of a division, and a tile of a product.
pub fn zip(layout: &Layout, tiler: &Tiler, split: Split, kept_is_tile: bool) -> Option<(Layout, Layout)> {
    match tiler {
        Tiler::Keep if kept_is_tile => Some((layout.clone(), Leaf((1, 0)))),
        Tiler::Keep => Some((Leaf((1, 0)), layout.clone())),
        Tiler::By(tile) => match split(layout, tile)? {
            Node(pair) if pair.len() == 2 => Some((pair[0].clone(), pair[1].clone())),
            _ => panic!("a split has two modes"),
        },
        Tiler::Modes(tilers) => {
            let modes = top(layout);
            if tilers.len() > modes.len() {
                return None;
            }
            let (mut tiles, mut rests) = (vec![], vec![]);
            for (i, mode) in modes.into_iter().enumerate() {
                match tilers.get(i) {
                    Some(tiler) => {
                        let (tile, rest) = zip(&mode, tiler, split, kept_is_tile)?;
                        tiles.push(tile);
                        rests.push(rest);
                    }
                    None => rests.push(mode),
                }
            }
            Some((Node(tiles), Node(rests)))
        }
    }
}

/// The modes of a tuple of none, or of two or more; anything else whole.
fn spread(layout: &Layout) -> Vec<Layout> {
    match layout {
        Node(modes) if modes.len() != 1 => modes.clone(),
        whole => vec![whole.clone()],
    }
}

pub fn zipped((tile, rest): &(Layout, Layout)) -> Layout {
    Node(vec![tile.clone(), rest.clone()])
}

pub fn tiled((tile, rest): &(Layout, Layout)) -> Layout {
    Node([vec![tile.clone()], spread(rest)].concat())
}

pub fn flat((tile, rest): &(Layout, Layout)) -> Layout {
    Node([spread(tile), spread(rest)].concat())
}

/// Mode against mode; with `raked`, the copies come first.
pub fn interleaved(layout: &Layout, tiles: &Layout, raked: bool) -> Option<Layout> {
    let rank = layout.rank().max(tiles.rank());
    let padded = |layout: &Layout| {
        let mut modes = top(layout);
        modes.resize(rank, Leaf((1, 0)));
        Node(modes)
    };
    let Node(pair) = logical_product(&padded(layout), &padded(tiles))? else { return None };
    let (blocks, copies) = (top(&pair[0]), top(&pair[1]));
    let pairs = blocks.into_iter().zip(copies);
    Some(Node(pairs.map(|(block, copy)| Node(if raked { vec![copy, block] } else { vec![block, copy] })).collect()))
}

/// How often each offset occurs.
pub fn counted(offsets: impl IntoIterator<Item = u64>) -> HashMap<u64, u64> {
    let mut counts = HashMap::new();
    for offset in offsets {
        *counts.entry(offset).or_default() += 1;
    }
    counts
}

pub fn text(layout: Option<Layout>) -> Option<String> {
    layout.map(|layout| notation(&super::normal(&layout)))
}
