//! Morphisms of tuples.

use super::morphism::{Morphism, flat, numbers, same_function};
use crate::model::refusal::{Refusal, Result};
use crate::model::shape::limit;
use crate::tree::int_json;
use num_bigint::BigInt;
use serde_json::{Value, json};

/// Maps of pointed sets, element by element.
pub(super) fn fin(op: &str, (f, m): (&[BigInt], &BigInt), (g, n): (&[BigInt], &BigInt)) -> Result<Value> {
    let zero = BigInt::from(0);
    let joined = |moved: &dyn Fn(&BigInt) -> BigInt| f.iter().cloned().chain(g.iter().map(moved)).collect::<Vec<_>>();
    let (codomain, map) = match op {
        "fin_compose" if *m != g.len().into() => return Err(Refusal("incongruent")),
        "fin_compose" => {
            let image = |value: &BigInt| match usize::try_from(value) {
                Ok(at) if at > 0 => g[at - 1].clone(),
                _ => zero.clone(),
            };
            (n.clone(), f.iter().map(image).collect())
        }
        "fin_sum" if m + n >= limit() => return Err(Refusal("overflow")),
        "fin_sum" => (m + n, joined(&|value| if *value == zero { zero.clone() } else { value + m })),
        _ if m != n => return Err(Refusal("incongruent")),
        _ if f.iter().any(|value| *value > zero && g.contains(value)) => return Err(Refusal("not_injective")),
        _ => (m.clone(), joined(&Clone::clone)),
    };
    Ok(json!({"m": map.len(), "n": int_json(&codomain), "map": numbers(&map)}))
}

pub(super) fn run(op: &str, f: &Morphism, g: Option<&Morphism>, places: Option<&[BigInt]>) -> Result<Value> {
    let made = match (op, g, places) {
        ("encoded_layout_flat", ..) => return Ok(f.encoded()),
        ("tuple_predicates", ..) => return Ok(predicates(f)),
        ("tuple_squeeze", ..) => squeezed(f),
        ("tuple_coalesce", ..) => coalesced(f),
        ("tuple_strong_coalesce", ..) => strongly(&coalesced(f)),
        ("tuple_sort", ..) => sorted(f),
        ("tuple_complement", ..) => f.complement()?,
        ("tuple_compose", Some(g), _) => {
            let h = f.compose(g)?;
            return if same_function(&f.size(), |x| h.at(x), |x| g.at(&f.at(x))) {
                Ok(h.to_json())
            } else {
                Err(Refusal("internal"))
            };
        }
        ("tuple_concat", Some(g), _) => f.concat(g, true)?,
        ("tuple_flat_divide", Some(g), _) => {
            if g.codomain != f.domain {
                return Err(Refusal("incongruent"));
            }
            g.concat(&g.complement()?, true)?.compose(f)?
        }
        ("tuple_flat_product", Some(g), _) => f.concat(&g.compose(&f.complement()?)?, true)?,
        ("tuple_sum", Some(g), _) => {
            let count = f.into().len();
            let moved = g.map.iter().map(|image| if *image == 0 { 0 } else { image + count });
            Morphism {
                domain: flat(&[f.from(), g.from()].concat()),
                codomain: flat(&[f.into(), g.into()].concat()),
                map: f.map.iter().copied().chain(moved).collect(),
            }
            .bounded()?
        }
        ("tuple_restrict", _, Some(places)) => {
            let places = increasing(places, f.map.len())?;
            Morphism {
                domain: flat(&places.iter().map(|place| f.from()[place - 1].clone()).collect::<Vec<_>>()),
                codomain: f.codomain.clone(),
                map: places.iter().map(|place| f.map[place - 1]).collect(),
            }
        }
        ("tuple_factorize", _, Some(places)) => {
            let places = increasing(places, f.into().len())?;
            let image = |image: &usize| match places.iter().position(|place| place == image) {
                Some(at) => Ok(at + 1),
                None if *image == 0 => Ok(0),
                None => Err(Refusal("out_of_domain")),
            };
            Morphism {
                domain: f.domain.clone(),
                codomain: flat(&places.iter().map(|place| f.into()[place - 1].clone()).collect::<Vec<_>>()),
                map: f.map.iter().map(image).collect::<Result<_>>()?,
            }
        }
        _ => return Err(Refusal("arity")),
    };
    // these are the same function as f
    let same = !["tuple_squeeze", "tuple_coalesce", "tuple_strong_coalesce"].contains(&op)
        || made.size() == f.size() && same_function(&f.size(), |x| made.at(x), |x| f.at(x));
    // and what a complement leaves, it fills
    let fills = op != "tuple_complement" || made.map.len() + f.map.len() == f.into().len();
    if same && fills { Ok(made.to_json()) } else { Err(Refusal("internal")) }
}

fn increasing(places: &[BigInt], count: usize) -> Result<Vec<usize>> {
    let inside = places.iter().map(|place| usize::try_from(place).ok().filter(|place| (1..=count).contains(place)));
    let places = inside.collect::<Option<Vec<usize>>>().ok_or(Refusal("out_of_domain"))?;
    if places.windows(2).all(|pair| pair[0] < pair[1]) { Ok(places) } else { Err(Refusal("out_of_domain")) }
}

fn predicates(f: &Morphism) -> Value {
    let hit = (0..f.into().len()).all(|at| f.hit(at));
    let one = BigInt::from(1);
    let apart = |pair: &[usize]| {
        let ones = pair[0] > 0 && pair[0] < pair[1] && f.into()[pair[0]..pair[1] - 1].iter().all(|entry| *entry == one);
        !(ones || pair == [0, 0])
    };
    json!({
        "is_sorted": sorted(f) == *f,
        "is_coalesced": !f.from().contains(&one) && f.map.windows(2).all(apart),
        "is_complementable": !f.map.contains(&0),
        "is_isomorphism": !f.map.contains(&0) && hit,
        "size": int_json(&f.size()),
        "cosize": int_json(&f.into().iter().product()),
    })
}

/// The smallest in its order is taken out again and again.
fn sorted(f: &Morphism) -> Morphism {
    let from = f.from();
    let key = |at: &usize| (f.map[*at], if f.map[*at] == 0 { from[*at].clone() } else { 0.into() }, *at);
    let mut rest: Vec<usize> = (0..from.len()).collect();
    let mut order = Vec::new();
    while let Some(next) = rest.iter().copied().min_by_key(key) {
        rest.retain(|at| *at != next);
        order.push(next);
    }
    Morphism {
        domain: flat(&order.iter().map(|at| from[*at].clone()).collect::<Vec<_>>()),
        codomain: f.codomain.clone(),
        map: order.iter().map(|at| f.map[*at]).collect(),
    }
}

/// A morphism that is taken apart step by step.
struct Steps {
    from: Vec<BigInt>,
    into: Vec<BigInt>,
    map: Vec<usize>,
}

impl Steps {
    fn of(f: &Morphism) -> Self {
        Self { from: f.from(), into: f.into(), map: f.map.clone() }
    }

    fn done(self) -> Morphism {
        Morphism { domain: flat(&self.from), codomain: flat(&self.into), map: self.map }
    }

    /// Takes the entry after `at` out of the codomain, which the entry at `at` holds from now on.
    fn join_into(&mut self, at: usize) {
        let next = self.into.remove(at + 1);
        self.into[at] *= next;
        for image in &mut self.map {
            if *image > at + 1 {
                *image -= 1;
            }
        }
    }

    /// Drops an entry of 1, where there is one.
    fn drop_one(&mut self) -> bool {
        let one = BigInt::from(1);
        if let Some(at) = self.from.iter().position(|entry| *entry == one) {
            self.from.remove(at);
            self.map.remove(at);
            return true;
        }
        if let Some(at) = self.into.iter().position(|entry| *entry == one) {
            self.into.remove(at);
            for image in &mut self.map {
                if *image > at {
                    *image -= 1;
                }
            }
            return true;
        }
        false
    }
}

fn squeezed(f: &Morphism) -> Morphism {
    let mut steps = Steps::of(f);
    while steps.drop_one() {}
    steps.done()
}

pub(super) fn coalesced(f: &Morphism) -> Morphism {
    let mut steps = Steps::of(f);
    loop {
        if steps.drop_one() {
            continue;
        }
        let joins = |pair: &[usize]| pair == [0, 0] || pair[0] > 0 && pair[1] == pair[0] + 1;
        let Some(at) = steps.map.windows(2).position(joins) else { return steps.done() };
        let next = steps.from.remove(at + 1);
        steps.from[at] *= next;
        steps.map.remove(at + 1);
        if steps.map[at] > 0 {
            steps.join_into(steps.map[at] - 1);
        }
    }
}

fn strongly(f: &Morphism) -> Morphism {
    let mut steps = Steps::of(f);
    loop {
        let free = |at: &usize| !steps.map.contains(&(at + 1)) && !steps.map.contains(&(at + 2));
        let Some(at) = (0..steps.into.len().saturating_sub(1)).find(free) else { return steps.done() };
        steps.join_into(at);
    }
}
