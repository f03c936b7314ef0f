//! The definitions, transcribed as plainly as they are written down: nested trees, lists of coordinates, no care for
//! speed, nothing shared with the library.

#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::HashSet;

pub mod tiling;

/// A nested tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree<T> {
    Leaf(T),
    Node(Vec<Tree<T>>),
}

use Tree::{Leaf, Node};

/// Extent and stride.
pub type Mode = (u64, u64);
/// `None` is `_`.
pub type Crd = Tree<Option<u64>>;

impl<T: Copy> Tree<T> {
    pub fn leaves(&self) -> Vec<T> {
        match self {
            Leaf(value) => vec![*value],
            Node(modes) => modes.iter().flat_map(Tree::leaves).collect(),
        }
    }

    pub fn map<U>(&self, f: &mut impl FnMut(T) -> U) -> Tree<U> {
        match self {
            Leaf(value) => Leaf(f(*value)),
            Node(modes) => Node(modes.iter().map(|mode| mode.map(f)).collect()),
        }
    }

    pub fn depth(&self) -> usize {
        match self {
            Leaf(_) => 0,
            Node(modes) => 1 + modes.iter().map(Tree::depth).max().unwrap_or(0),
        }
    }

    pub fn rank(&self) -> usize {
        match self {
            Leaf(_) => 1,
            Node(modes) => modes.len(),
        }
    }

    pub fn congruent<U>(&self, other: &Tree<U>) -> bool {
        match (self, other) {
            (Leaf(_), Leaf(_)) => true,
            (Node(a), Node(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.congruent(b)),
            _ => false,
        }
    }

    pub fn write(&self, leaf: &impl Fn(T) -> String) -> String {
        match self {
            Leaf(value) => leaf(*value),
            Node(modes) => {
                let modes: Vec<String> = modes.iter().map(|mode| mode.write(leaf)).collect();
                format!("({})", modes.join(","))
            }
        }
    }
}

/// A layout: a tree of modes. Strides under an extent of 1 are 0, as in the library.
pub type Layout = Tree<Mode>;

pub fn normal(layout: &Layout) -> Layout {
    layout.map(&mut |(extent, stride)| (extent, if extent == 1 { 0 } else { stride }))
}

pub fn notation(layout: &Layout) -> String {
    let shape = layout.write(&|(extent, _)| extent.to_string());
    let stride = layout.write(&|(_, stride)| stride.to_string());
    format!("{shape}:{stride}")
}

pub fn crd_notation(crd: &Crd) -> String {
    crd.write(&|at| at.map_or("_".to_owned(), |at| at.to_string()))
}

pub fn shape(layout: &Layout) -> Tree<u64> {
    layout.map(&mut |(extent, _)| extent)
}

pub fn size(shape: &Tree<u64>) -> u64 {
    shape.leaves().iter().product()
}

/// The mixed-radix digits of an index, first digit fastest.
pub fn digits(extents: &[u64], mut index: u64) -> Vec<u64> {
    let mut digits = Vec::new();
    for extent in extents {
        digits.push(index % extent);
        index /= extent;
    }
    digits
}

pub fn index(extents: &[u64], digits: &[u64]) -> u64 {
    let (mut index, mut weight) = (0, 1);
    for (extent, digit) in extents.iter().zip(digits) {
        index += digit * weight;
        weight *= extent;
    }
    index
}

/// The bounded coordinates that a coordinate stands for; `None` if it does not fit or lies outside.
pub fn bounded(crd: &Crd, shape: &Tree<u64>) -> Option<Vec<u64>> {
    match (crd, shape) {
        (Leaf(at), shape) => {
            let at = at.unwrap_or(0);
            (at < size(shape)).then(|| digits(&shape.leaves(), at))
        }
        (Node(at), Node(modes)) if at.len() == modes.len() => {
            let parts = at.iter().zip(modes).map(|(at, mode)| bounded(at, mode));
            Some(parts.collect::<Option<Vec<_>>>()?.concat())
        }
        _ => None,
    }
}

pub fn dot(layout: &Layout, digits: &[u64]) -> u64 {
    let modes = layout.leaves();
    modes.iter().zip(digits).map(|((_, stride), digit)| stride * digit).sum()
}

pub fn at(layout: &Layout, index: u64) -> u64 {
    dot(layout, &digits(&shape(layout).leaves(), index))
}

pub fn offsets(layout: &Layout) -> Vec<u64> {
    (0..size(&shape(layout))).map(|index| at(layout, index)).collect()
}

/// 1 + the largest offset, by looking at all of them.
pub fn cosize(layout: &Layout) -> u64 {
    1 + offsets(layout).iter().max().copied().unwrap_or(0)
}

pub fn is_injective(layout: &Layout) -> bool {
    let offsets = offsets(layout);
    offsets.iter().collect::<HashSet<_>>().len() == offsets.len()
}

/// A bijection onto [0, cosize).
pub fn is_contiguous(layout: &Layout) -> bool {
    let mut offsets = offsets(layout);
    offsets.sort_unstable();
    offsets == (0..cosize(layout)).collect::<Vec<_>>()
}

fn nest(modes: Vec<Mode>) -> Layout {
    match modes[..] {
        [] => Leaf((1, 0)),
        [mode] => Leaf(mode),
        _ => Node(modes.into_iter().map(Leaf).collect()),
    }
}

/// The three rules, applied anywhere until none applies.
pub fn coalesce(layout: &Layout) -> Layout {
    let mut modes = layout.leaves();
    while let Some((place, merged)) = modes.windows(2).enumerate().find_map(|(place, pair)| {
        let ((s0, d0), (s1, d1)) = (pair[0], pair[1]);
        if s1 == 1 {
            Some((place, (s0, d0)))
        } else if s0 == 1 {
            Some((place, (s1, d1)))
        } else if s0 * d0 == d1 {
            Some((place, (s0 * s1, d0)))
        } else {
            None
        }
    }) {
        modes.splice(place..place + 2, [merged]);
    }
    modes.retain(|(extent, _)| *extent != 1);
    nest(modes)
}

pub fn filter_zeros(layout: &Layout) -> Layout {
    layout.map(&mut |(extent, stride)| if stride == 0 { (1, 0) } else { (extent, stride) })
}

pub fn filter(layout: &Layout) -> Layout {
    coalesce(&filter_zeros(layout))
}

/// `f` at each leaf of the profile, further modes untouched.
pub fn by_profile<T>(f: &impl Fn(&Layout) -> Layout, layout: &Layout, profile: &Tree<T>) -> Option<Layout> {
    let Node(profiles) = profile else {
        return Some(f(layout));
    };
    let modes = match layout {
        Leaf(_) => std::slice::from_ref(layout),
        Node(modes) => modes,
    };
    if profiles.len() > modes.len() {
        return None;
    }
    let mut result = Vec::new();
    for (place, mode) in modes.iter().enumerate() {
        result.push(match profiles.get(place) {
            Some(profile) => by_profile(f, mode, profile)?,
            None => mode.clone(),
        });
    }
    Some(Node(result))
}

pub fn sort(layout: &Layout) -> Layout {
    let Node(_) = layout else {
        return layout.clone();
    };
    let mut modes = layout.leaves();
    modes.sort_by_key(|(extent, stride)| (*stride, *extent));
    Node(modes.into_iter().map(Leaf).collect())
}

/// What stands under the leaves of the coordinate that `keep` takes, spliced into one list.
pub fn kept<T: Clone>(crd: &Crd, tree: &Tree<T>, keep: &impl Fn(Option<u64>) -> bool) -> Option<Vec<Tree<T>>> {
    match (crd, tree) {
        (Leaf(at), tree) => Some(if keep(*at) { vec![tree.clone()] } else { vec![] }),
        (Node(at), Node(modes)) if at.len() == modes.len() => {
            let parts = at.iter().zip(modes).map(|(at, mode)| kept(at, mode, keep));
            Some(parts.collect::<Option<Vec<_>>>()?.concat())
        }
        _ => None,
    }
}

pub fn slice(crd: &Crd, layout: &Layout) -> Option<Layout> {
    bounded(crd, &shape(layout))?;
    match crd {
        Leaf(None) => Some(layout.clone()),
        _ => Some(Node(kept(crd, layout, &|at| at.is_none())?)),
    }
}

pub fn dice(crd: &Crd, layout: &Layout) -> Option<Layout> {
    bounded(crd, &shape(layout))?;
    match crd {
        Leaf(Some(_)) => Some(layout.clone()),
        _ => Some(Node(kept(crd, layout, &|at| at.is_some())?)),
    }
}

pub fn compatible(coarse: &Tree<u64>, fine: &Tree<u64>) -> bool {
    match (coarse, fine) {
        (Leaf(extent), fine) => *extent == size(fine),
        (Node(a), Node(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compatible(a, b)),
        _ => false,
    }
}

/// The coalesced layout with these offsets, by trying every one: each factorisation of the length, each choice of
/// strides among the values.
pub fn find_layout(f: &[u64]) -> Option<Layout> {
    fn shapes(size: u64) -> Vec<Vec<u64>> {
        let mut all = vec![];
        if size == 1 {
            all.push(vec![]);
        }
        for first in (2..=size).filter(|first| size.is_multiple_of(*first)) {
            for rest in shapes(size / first) {
                all.push([vec![first], rest].concat());
            }
        }
        all
    }
    for extents in shapes(f.len() as u64) {
        // The offset of the coordinate that is 1 in one place is the stride there.
        let mut weight = 1;
        let mut modes = Vec::new();
        for extent in extents {
            modes.push((extent, f[weight]));
            weight *= usize::try_from(extent).unwrap();
        }
        let layout = nest(modes);
        if offsets(&layout) == f {
            return Some(coalesce(&layout));
        }
    }
    None
}
