//! Zipping and unzipping.

use super::layout::Layout;
use super::nested::Nested;
use super::reading::{Answer, Reading, both, either, nesting, rearranged, same_kind};
use super::shape::read_ints;
use crate::tree::Tree;
use serde_json::Value;

pub(super) const NAMES: &[&str] = &["unzip", "zip"];

fn zipped<T: Nested>(tree: &T) -> Option<T> {
    let Some(rows) = tree.modes() else { return Some(tree.clone()) };
    if rows.first()?.modes().is_none() {
        return Some(T::node(vec![tree.clone()]));
    }
    let rows = rows.iter().map(Nested::modes).collect::<Option<Vec<_>>>()?;
    if rows.iter().any(|row| row.len() != rows[0].len()) {
        return None;
    }
    let columns = (0..rows[0].len()).map(|i| T::node(rows.iter().map(|row| row[i].clone()).collect()));
    Some(T::node(columns.collect()))
}

fn parted<T: Nested>(tree: &T, guide: &Tree) -> Option<(T, T)> {
    let modes = tree.modes()?;
    match guide {
        Tree::Node(guides) => {
            if guides.len() > modes.len() {
                return None;
            }
            let pairs =
                modes.iter().zip(guides).map(|(mode, guide)| parted(mode, guide)).collect::<Option<Vec<_>>>()?;
            let (firsts, mut seconds): (Vec<T>, Vec<T>) = pairs.into_iter().unzip();
            seconds.extend_from_slice(&modes[guides.len()..]);
            Some((T::node(firsts), T::node(seconds)))
        }
        _ => {
            if let [first, second] = modes {
                Some((first.clone(), second.clone()))
            } else {
                None
            }
        }
    }
}

fn unzipped<T: Nested>(tree: &T, guide: &Tree) -> Option<T> {
    parted(tree, guide).map(|(first, second)| T::node(vec![first, second]))
}

pub(super) fn run(op: &str, args: &[Value], reading: &mut Reading) -> Answer {
    match op {
        "zip" if args.len() == 1 => {
            reading.fault(nesting(&args[0]).is_some_and(|tree| zipped(&tree).is_none()), "incongruent");
            let operand = reading.take(either(&args[0]))?;
            Some(rearranged(&operand, "incongruent", zipped, zipped))
        }
        "zip" => {
            reading.fault(!same_kind(&args[0], &args[1]), "parse");
            let nested = nesting(&args[0]).zip(nesting(&args[1]));
            reading.fault(nested.is_some_and(|(a, b)| zipped(&Tree::Node(vec![a, b])).is_none()), "incongruent");
            let (first, second) = (reading.take(either(&args[0])), reading.take(either(&args[1])));
            Some(both(
                &first?,
                &second?,
                "incongruent",
                |a, b| zipped(&Tree::Node(vec![a.clone(), b.clone()])),
                |a, b| zipped(&Layout::Node(vec![a.clone(), b.clone()])),
            ))
        }
        _ => {
            let guide = reading.take(read_ints(&args[1]));
            let nested = nesting(&args[0]).zip(guide.clone());
            reading.fault(nested.is_some_and(|(tree, guide)| unzipped(&tree, &guide).is_none()), "incongruent");
            let operand = reading.take(either(&args[0]))?;
            let guide = guide?;
            Some(rearranged(&operand, "incongruent", |t| unzipped(t, &guide), |t| unzipped(t, &guide)))
        }
    }
}
