//! Morphisms, entry by entry.

use crate::model::layout::only;
use crate::model::refusal::{Refusal, Result};
use crate::model::shape::{check_shape, limit, read_ints};
use crate::tree::{Tree, int_json, read_int};
use num_bigint::BigInt;
use serde_json::{Value, json};

/// A map of places, counted from 1; 0 is the basepoint.
pub(super) type Map = Vec<usize>;

/// A morphism of nested tuples; of flat ones where both are flat.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Morphism {
    pub(super) domain: Tree,
    pub(super) codomain: Tree,
    pub(super) map: Map,
}

pub(super) fn entries(tuple: &Tree) -> Vec<BigInt> {
    tuple.ints().into_iter().cloned().collect()
}

pub(super) fn flat(entries: &[BigInt]) -> Tree {
    Tree::Node(entries.iter().cloned().map(Tree::Int).collect())
}

/// The values of a map; those that no place has are the largest.
fn values(value: &Value) -> Result<Vec<BigInt>> {
    let items = value.as_array().ok_or(Refusal("parse"))?;
    items.iter().map(|item| read_int(item).ok_or(Refusal("parse"))).collect()
}

/// The codes of what is wrong with a map of `m` elements into `n`.
pub(super) fn map_faults(map: &[BigInt], m: &BigInt, n: &BigInt) -> Vec<&'static str> {
    let mut found = Vec::new();
    if BigInt::from(map.len()) != *m {
        found.push("incongruent");
    }
    if map.iter().any(|value| *value < 0.into() || value > n) {
        found.push("out_of_domain");
    }
    let twice = |i: usize| map[i] > 0.into() && map[..i].contains(&map[i]);
    if (0..map.len()).any(twice) {
        found.push("not_injective");
    }
    found
}

/// A map of pointed sets: its values and its codomain.
pub(super) fn fin(value: &Value, faults: &mut Vec<&'static str>) -> Option<(Vec<BigInt>, BigInt)> {
    if only(value, &["m", "n", "map"]).is_err() {
        faults.push("parse");
        return None;
    }
    let mut number = |name: &str| {
        let Some(Some(n)) = value.get(name).map(read_int) else {
            faults.push("parse");
            return None;
        };
        if n < 0.into() {
            faults.push("out_of_domain");
        } else if n >= limit() {
            faults.push("overflow");
        }
        Some(n)
    };
    let (m, n) = (number("m")?, number("n")?);
    let Some(Ok(map)) = value.get("map").map(values) else {
        faults.push("parse");
        return None;
    };
    faults.extend(map_faults(&map, &m, &n));
    Some((map, n))
}

impl Morphism {
    /// Reads a morphism, with all that is wrong with it; a flat one may not be nested.
    pub(super) fn read(value: &Value, is_flat: bool, faults: &mut Vec<&'static str>) -> Option<Self> {
        if only(value, &["domain", "codomain", "map"]).is_err() {
            faults.push("parse");
            return None;
        }
        let mut tuple = |name: &str| {
            let Some(tree) = value.get(name).and_then(|tuple| read_ints(tuple).ok()) else {
                let deep = value.get(name).and_then(|tuple| read_ints(tuple).err());
                faults.push(deep.map_or("parse", |Refusal(code)| code));
                return None;
            };
            if is_flat && tree.depth() != 1 {
                faults.push("parse");
            }
            // each of these by itself
            faults.extend(check_shape(tree.clone()).err().map(|Refusal(code)| code));
            if tree.ints().into_iter().any(|n| *n >= limit()) {
                faults.push("overflow");
            }
            Some(tree)
        };
        let (domain, codomain) = (tuple("domain")?, tuple("codomain")?);
        let Some(Ok(map)) = value.get("map").map(values) else {
            faults.push("parse");
            return None;
        };
        let (from, into) = (entries(&domain), entries(&codomain));
        faults.extend(map_faults(&map, &from.len().into(), &into.len().into()));
        let place = |value: &BigInt| usize::try_from(value).unwrap_or(usize::MAX);
        let map: Map = map.iter().map(place).collect();
        let differs = |(entry, image): (&BigInt, &usize)| {
            image.checked_sub(1).and_then(|at| into.get(at)).is_some_and(|other| other != entry)
        };
        if from.iter().zip(&map).any(differs) {
            faults.push("incongruent");
        }
        Some(Self { domain, codomain, map })
    }

    /// An answer that has to be a morphism.
    pub(super) fn answered(value: &Value) -> Option<Self> {
        let mut faults = Vec::new();
        Self::read(value, false, &mut faults).filter(|_| faults.is_empty())
    }

    pub(super) fn to_json(&self) -> Value {
        json!({"domain": self.domain.to_json(), "codomain": self.codomain.to_json(), "map": self.map})
    }

    pub(super) fn from(&self) -> Vec<BigInt> {
        entries(&self.domain)
    }

    pub(super) fn into(&self) -> Vec<BigInt> {
        entries(&self.codomain)
    }

    pub(super) fn hit(&self, place: usize) -> bool {
        self.map.contains(&(place + 1))
    }

    pub(super) fn size(&self) -> BigInt {
        self.from().iter().product()
    }

    /// |f|: the digits of an index in the domain, each at its image, as an index of the codomain.
    pub(super) fn at(&self, index: &BigInt) -> BigInt {
        let mut rest = index.clone();
        let mut moved = vec![BigInt::from(0); self.into().len()];
        for (entry, image) in self.from().iter().zip(&self.map) {
            if *image > 0 {
                moved[image - 1] = &rest % entry;
            }
            rest /= entry;
        }
        let mut offset = BigInt::from(0);
        for (entry, digit) in self.into().iter().zip(moved).rev() {
            offset = offset * entry + digit;
        }
        offset
    }

    /// The strides of its layout: where the entry before an image ends, so many steps are one step of the image.
    pub(super) fn strides(&self) -> Vec<BigInt> {
        let before = |image: &usize| match image.checked_sub(1) {
            Some(at) => self.into()[..at].iter().product(),
            None => BigInt::from(0),
        };
        self.map.iter().map(before).collect()
    }

    /// Its layout as JSON.
    pub(super) fn encoded(&self) -> Value {
        let stride = self.domain.refill(&mut self.strides().into_iter());
        json!({"shape": self.domain.to_json(), "stride": stride.to_json()})
    }

    /// Whether its codomain has no more than its layout needs (3.1.2.12, with E1 mended).
    pub(super) fn is_standard(&self) -> bool {
        let into = self.into();
        (0..into.len()).all(|at| self.hit(at) || at + 1 < into.len() && into[at] != 1.into() && self.hit(at + 1))
    }

    pub(super) fn compose(&self, g: &Self) -> Result<Self> {
        if self.codomain != g.domain {
            return Err(Refusal("incongruent"));
        }
        let image = |at: &usize| if *at == 0 { 0 } else { g.map[at - 1] };
        Ok(Self {
            domain: self.domain.clone(),
            codomain: g.codomain.clone(),
            map: self.map.iter().map(image).collect(),
        })
    }

    /// Side by side into one codomain, one domain behind the other, or as two modes.
    pub(super) fn concat(&self, g: &Self, is_flat: bool) -> Result<Self> {
        if self.codomain != g.codomain {
            return Err(Refusal("incongruent"));
        }
        if self.map.iter().any(|image| *image > 0 && g.map.contains(image)) {
            return Err(Refusal("not_injective"));
        }
        let domain = if is_flat {
            flat(&[self.from(), g.from()].concat())
        } else {
            Tree::Node(vec![self.domain.clone(), g.domain.clone()])
        };
        Self { domain, codomain: self.codomain.clone(), map: [self.map.clone(), g.map.clone()].concat() }.bounded()
    }

    /// Refuses what is too large to be answered.
    pub(super) fn bounded(self) -> Result<Self> {
        if self.domain.depth() > crate::tree::MAX_DEPTH || self.codomain.depth() > crate::tree::MAX_DEPTH {
            return Err(Refusal("too_large"));
        }
        check_shape(self.domain.clone())?;
        check_shape(self.codomain.clone())?;
        Ok(self)
    }

    pub(super) fn complement(&self) -> Result<Self> {
        if self.map.contains(&0) {
            return Err(Refusal("not_injective"));
        }
        let into = self.into();
        let free: Map = (1..=into.len()).filter(|place| !self.map.contains(place)).collect();
        let domain: Vec<BigInt> = free.iter().map(|place| into[place - 1].clone()).collect();
        Ok(Self { domain: flat(&domain), codomain: self.codomain.clone(), map: free })
    }
}

/// Some indices of [0, size): all of few, else the first ones, the last one and some in between.
pub(super) fn indices(size: &BigInt) -> Vec<BigInt> {
    let few = BigInt::from(96);
    if *size <= few {
        let mut index = BigInt::from(0);
        return std::iter::from_fn(|| {
            let next = index.clone();
            index += 1;
            (next < *size).then_some(next)
        })
        .collect();
    }
    let spread = (0..64).map(|k: u32| (size - 1u32) * k / 63u32);
    (0..32u32).map(BigInt::from).chain(spread).collect()
}

/// Whether two functions are one, as far as [`indices`] go.
pub(super) fn same_function(
    size: &BigInt,
    first: impl Fn(&BigInt) -> BigInt,
    second: impl Fn(&BigInt) -> BigInt,
) -> bool {
    indices(size).iter().all(|index| first(index) == second(index))
}

/// The offset at an index of flat modes.
pub(super) fn offset(modes: &[(BigInt, BigInt)], index: &BigInt) -> BigInt {
    let mut rest = index.clone();
    let mut sum = BigInt::from(0);
    for (extent, stride) in modes {
        sum += (&rest % extent) * stride;
        rest /= extent;
    }
    sum
}

/// A list of places or numbers.
pub(super) fn numbers(all: &[BigInt]) -> Value {
    all.iter().map(int_json).collect()
}
