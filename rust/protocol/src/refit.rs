//! Arguments on the command line that stand in the wrong places: whether they fit in another order, or where an integer
//! between them is missing.
//!
//! What is suggested has been read and answered.

use crate::call::Call;
use crate::kind::Kind;
use crate::mode::Mode;
use crate::table::{Form, Op};

/// Arguments that are put into other orders at most: 3 have 6 orders.
const MOST: usize = 3;
/// Bytes of all arguments for which another order is looked for.
const LONGEST: usize = 1000;
/// Integers that are tried in a missing place: from 0 up to here.
const LARGEST: u64 = 16;

/// How the same arguments are answered: each way in a sentence.
pub(crate) fn help(op: &'static Op, texts: &[&str], mode: Mode) -> Option<String> {
    if texts.len() > MOST || texts.iter().map(|text| text.len()).sum::<usize>() > LONGEST {
        return None;
    }
    let reordered = orders(texts).into_iter().find_map(|texts| answered(op, &texts, mode).map(|(call, _)| call));
    if let Some(call) = reordered {
        return Some(format!("in another order the arguments fit: {}", shown(&call)));
    }
    op.forms
        .iter()
        .filter(|form| form.parameters.len() == texts.len() + 1)
        .find_map(|form| missing(op, form, texts, mode))
}

/// The call with an integer in the place that is missing: the least with which the answer is none of the arguments.
fn missing(op: &'static Op, form: &Form, texts: &[&str], mode: Mode) -> Option<String> {
    form.parameters.iter().enumerate().find_map(|(place, parameter)| {
        let what = noun(parameter.kind)?;
        (0..=LARGEST).find_map(|n| {
            let n = n.to_string();
            let mut all = texts.to_vec();
            all.insert(place, &n);
            let (call, answer) = answered(op, &all, mode)?;
            let changes = call.arguments().iter().all(|argument| argument.to_string() != answer);
            changes.then(|| format!("argument {} is {what}: {}", place + 1, shown(&call)))
        })
    })
}

/// What an integer stands for, where it may be missing.
const fn noun(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Rank => Some("the rank"),
        Kind::Index => Some("an index"),
        Kind::Count => Some("a number of elements"),
        _ => None,
    }
}

fn answered(op: &'static Op, texts: &[&str], mode: Mode) -> Option<(Call, String)> {
    let call = Call::of_texts(op, texts, mode).ok()?;
    let answer = call.answer().ok()?.to_string();
    Some((call, answer))
}

/// `prepend((6):(4), 2, (4):(1))`
fn shown(call: &Call) -> String {
    let arguments: Vec<String> = call.arguments().iter().map(ToString::to_string).collect();
    format!("{}({})", call.op().name, arguments.join(", "))
}

/// The other orders of at most [`MOST`] texts.
fn orders<'t>(texts: &[&'t str]) -> Vec<Vec<&'t str>> {
    let mut orders: Vec<Vec<&str>> = vec![vec![]];
    for text in texts {
        orders = orders
            .iter()
            .flat_map(|order| {
                (0..=order.len()).rev().map(move |place| {
                    let mut order = order.clone();
                    order.insert(place, *text);
                    order
                })
            })
            .collect();
    }
    orders.retain(|order| order != texts);
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str, texts: &[&str]) -> Option<String> {
        help(Op::named(name)?, texts, Mode::Strict)
    }

    #[test]
    fn arguments_in_another_order_and_integers_that_are_missing() {
        let cases: [(&str, &[&str], &str); 5] = [
            ("prepend", &["(6):(4)", "(4):(1)"], "argument 2 is the rank: prepend((6):(4), 2, (4):(1))"),
            ("append", &["(6,2):(4,1)", "4:1"], "argument 2 is the rank: append((6,2):(4,1), 3, 4:1)"),
            ("slice", &["(4,8):(1,4)", "(_,1)"], "in another order the arguments fit: slice((_,1), (4,8):(1,4))"),
            ("idx2crd", &["(4,8)", "5"], "in another order the arguments fit: idx2crd(5, (4,8))"),
            ("recast", &["8", "(8,4):(1,8)", "16"], "in another order the arguments fit: recast((8,4):(1,8), 8, 16)"),
        ];
        for (name, texts, expected) in cases {
            assert_eq!(said(name, texts).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(said("slice", &["(4,8):(1,4)", "(_,9)"]), None);
        assert_eq!(said("size", &["x"]), None);
        assert_eq!(said("prepend", &["(6):(4)", "x"]), None);
    }

    #[test]
    fn every_order_but_the_own() {
        assert_eq!(orders(&["a", "b", "c"]).len(), 5);
        assert!(orders(&["a"]).is_empty());
    }
}
