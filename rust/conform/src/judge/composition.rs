//! `R(c) = A(B(c))` for every coordinate of B, and R refines B's shape.

use super::Verdict;
use super::answer::{answered, operand, refusal};
use crate::model::coalesce::coalesced;
use crate::model::composition::{self, by_tiler, complete, inside};
use crate::model::find::LIST;
use crate::model::shape::compatible;
use crate::model::{Layout, Refusal, Tiler};
use crate::tree::{Tree, read_int};
use num_bigint::BigInt;
use serde_json::Value;

type Judged = Result<Verdict, Refusal>;

/// What is wrong only where the inner layout reaches past the outer one.
pub(super) const BEYOND: &str = "past the domain";

/// `composition`; with `grows`, growth past the domain is what was asked for.
pub(super) fn composition(args: &[Value], result: Option<&Value>, grows: bool) -> Judged {
    let (outer, inner) = (operand(args, 0)?, operand(args, 1)?);
    Ok(match result {
        None if grows && !inside(&outer, &inner) => {
            refusal(Some(composition::extended(&outer, &inner).ok().map(|layout| layout.to_json())))
        }
        None => refusal(exists(complete(&outer, &inner))),
        Some(value) => match composite(&args[0], &outer, &inner, value) {
            Verdict::Extended(_) if grows => Verdict::Right,
            verdict => verdict,
        },
    })
}

#[allow(clippy::option_option, reason = "nothing is known, nothing exists, and something exists are three things")]
fn exists(found: Result<Option<Layout>, Refusal>) -> Option<Option<Value>> {
    match found {
        Ok(Some(layout)) => Some(Some(layout.to_json())),
        Ok(None) => None,
        Err(_) => Some(None),
    }
}

/// `composition` by tiler.
pub(super) fn by_mode(args: &[Value], result: Option<&Value>) -> Judged {
    let outer = operand(args, 0)?;
    let tiler = Tiler::read(args.get(1).ok_or(Refusal("arity"))?)?;
    Ok(match result {
        None => refusal(exists(by_tiler(&outer, &tiler, &complete))),
        Some(value) => match answered(value) {
            Ok(layout) => tiled(&args[0], &outer, &tiler, &layout, value),
            Err(wrong) => wrong,
        },
    })
}

fn tiled(raw: &Value, outer: &Layout, tiler: &Tiler, answer: &Layout, value: &Value) -> Verdict {
    match tiler {
        Tiler::Keep => kept(outer, answer, "value"),
        Tiler::By(inner) => composite(raw, outer, inner, value),
        Tiler::Modes(tilers) => {
            let modes = outer.top();
            if tilers.len() > modes.len() {
                return Verdict::Unjudged;
            }
            let verdict = mode_by_mode(raw, &modes, tilers, answer, value);
            // a tuple of one mode may have become that mode
            if matches!(verdict, Verdict::Wrong(_))
                && let ([mode, ..], [tiler]) = (modes.as_slice(), tilers.as_slice())
            {
                let alone = tiled(&mode_of(raw, 0), mode, tiler, answer, value);
                if !matches!(alone, Verdict::Wrong(_)) {
                    return alone.and(Verdict::Extended("one-mode tuples unwrapped"));
                }
            }
            // a tiler that says nothing about a mode may leave it as it is
            if matches!(verdict, Verdict::Wrong(_)) && tilers.is_empty() {
                return match kept(outer, answer, "kept mode") {
                    Verdict::Wrong(_) => verdict,
                    kept => kept.and(Verdict::Extended("modes beyond the tiler kept")),
                };
            }
            verdict
        }
    }
}

fn mode_by_mode(raw: &Value, modes: &[Layout], tilers: &[Tiler], answer: &Layout, value: &Value) -> Verdict {
    let answers = answer.top();
    let counted = answers.len() == modes.len() || answers.len() == tilers.len();
    if matches!(answer, Layout::Leaf(_)) || !counted {
        let wanted = tilers.len();
        return Verdict::wrong("shape", format!("{} modes in answer to a tiler of {wanted}", answers.len()));
    }
    let mut verdict = Verdict::Right;
    for (i, answer) in answers.iter().enumerate() {
        verdict = verdict.and(match tilers.get(i) {
            Some(tiler) => tiled(&mode_of(raw, i), &modes[i], tiler, answer, &mode_of(value, i)),
            None => kept(&modes[i], answer, "kept mode").and(Verdict::Extended("modes beyond the tiler kept")),
        });
    }
    verdict
}

/// Mode `i` of a layout in JSON, with the strides that the peer saw; a leaf is its own only mode.
fn mode_of(value: &Value, i: usize) -> Value {
    let part = |name: &str| {
        let whole = value.get(name).cloned().unwrap_or(Value::Null);
        whole.get(i).cloned().unwrap_or(whole)
    };
    serde_json::json!({"shape": part("shape"), "stride": part("stride")})
}

pub(super) fn kept(mode: &Layout, answer: &Layout, kind: &'static str) -> Verdict {
    if coalesced(mode) == coalesced(answer) {
        refines(&mode.shape(), &answer.shape())
    } else {
        Verdict::wrong(kind, format!("{} in place of {}, which has to stay", answer.to_json(), mode.to_json()))
    }
}

/// The outer layout as CuTe goes on beyond its domain: its last mode is not reduced by its extent.
///
/// That of the coalesced layout (pycute), or that of the layout as it is, a last extent of 1 included (C++).
fn grown<'a>(raw: &Value, outer: &'a Layout, with_ones: bool) -> impl Fn(&BigInt) -> BigInt + 'a {
    let one = BigInt::from(1);
    let stride = last_leaf(raw.get("shape"))
        .zip(last_leaf(raw.get("stride")))
        .filter(|(extent, _)| with_ones && *extent == one)
        .map(|(_, stride)| stride);
    let step = stride
        .unwrap_or_else(|| coalesced(outer).last().map_or_else(|| BigInt::from(0), |mode| &mode.extent * &mode.stride));
    let size = outer.size();
    move |index| outer.at(&(index % &size)) + index / &size * &step
}

fn last_leaf(value: Option<&Value>) -> Option<BigInt> {
    match value? {
        Value::Array(items) => last_leaf(items.last()),
        leaf => read_int(leaf),
    }
}

fn composite(raw: &Value, outer: &Layout, inner: &Layout, value: &Value) -> Verdict {
    let answer = match answered(value) {
        Ok(layout) => layout,
        Err(wrong) => return wrong,
    };
    if answer.size() != inner.size() {
        return Verdict::wrong(
            if inside(outer, inner) { "size" } else { BEYOND },
            format!("the answer has {} coordinates, the inner layout {}", answer.size(), inner.size()),
        );
    }
    refines(&inner.shape(), &answer.shape()).and(values_of(raw, outer, inner, &answer))
}

/// The answer's shape has the wanted one as its outline.
pub(super) fn refines(wanted: &Tree, shape: &Tree) -> Verdict {
    if compatible(wanted, shape) {
        Verdict::Right
    } else if compatible(&unwrapped(wanted), &unwrapped(shape)) {
        Verdict::Extended("one-mode tuples unwrapped")
    } else if compatible(&without_ones(wanted), &without_ones(shape)) {
        Verdict::Extended("modes of extent 1 left out")
    } else {
        Verdict::wrong("shape", format!("{} does not refine the shape {}", shape.to_json(), wanted.to_json()))
    }
}

/// Without modes of one coordinate, and without the tuples of one mode that are left.
fn without_ones(tree: &Tree) -> Tree {
    let Tree::Node(modes) = tree else { return tree.clone() };
    let one = BigInt::from(1);
    let modes = modes.iter().filter(|mode| mode.ints().into_iter().any(|extent| *extent != one)).map(without_ones);
    match modes.collect::<Vec<_>>().as_slice() {
        [] => Tree::Int(one),
        [mode] => mode.clone(),
        modes => Tree::Node(modes.to_vec()),
    }
}

fn unwrapped(tree: &Tree) -> Tree {
    match tree {
        Tree::Node(modes) if modes.len() == 1 => unwrapped(&modes[0]),
        Tree::Node(modes) => Tree::Node(modes.iter().map(unwrapped).collect()),
        leaf => leaf.clone(),
    }
}

fn values_of(raw: &Value, outer: &Layout, inner: &Layout, answer: &Layout) -> Verdict {
    if inner.size() > BigInt::from(LIST) {
        return Verdict::Unjudged;
    }
    if inside(outer, inner) {
        return values(|index| outer.at(index), inner, answer).map_or(Verdict::Right, |wrong| wrong);
    }
    match values(grown(raw, outer, false), inner, answer) {
        None => Verdict::Extended("last mode grown"),
        Some(wrong) => match values(grown(raw, outer, true), inner, answer) {
            None => Verdict::Extended("last mode grown"),
            Some(_) => inner_witness(outer, inner, answer).unwrap_or_else(|| match wrong {
                Verdict::Wrong(wrong) => Verdict::wrong(BEYOND, wrong.text),
                other => other,
            }),
        },
    }
}

/// A coordinate whose index is in the outer layout, and at which the answer is another offset.
fn inner_witness(outer: &Layout, inner: &Layout, answer: &Layout) -> Option<Verdict> {
    let (indices, offsets) = (inner.offsets(), answer.offsets());
    let differs = |(index, offset): &(&BigInt, &BigInt)| **index < outer.size() && outer.at(index) != **offset;
    let (c, (index, offset)) = indices.iter().zip(&offsets).enumerate().find(|(_, pair)| differs(pair))?;
    let text = format!(
        "at coordinate {c} the inner layout gives {index} and the outer one {}, the answer {offset}",
        outer.at(index)
    );
    Some(Verdict::wrong("value", text))
}

/// The first coordinate at which the answer is not `f` after the inner layout.
fn values(f: impl Fn(&BigInt) -> BigInt, inner: &Layout, answer: &Layout) -> Option<Verdict> {
    let (indices, offsets) = (inner.offsets(), answer.offsets());
    let differs = |c: &usize| f(&indices[*c]) != offsets[*c];
    let c = (0..indices.len()).find(differs)?;
    // each mode for itself is right: what is wrong is that they carry
    let mut carries = true;
    let mut worth = 1usize;
    for mode in inner.modes() {
        let extent = usize::try_from(&mode.extent).unwrap_or(usize::MAX);
        carries &= !(0..extent).map(|k| k * worth).any(|c| differs(&c));
        worth *= extent;
    }
    let (index, offset) = (&indices[c], &offsets[c]);
    Some(Verdict::wrong(
        if carries { "carry" } else { "value" },
        format!("at coordinate {c} the inner layout gives {index} and the outer one {}, the answer {offset}", f(index)),
    ))
}
