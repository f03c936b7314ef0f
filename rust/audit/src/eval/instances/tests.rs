//! What is remembered is what would be said afresh.

use super::*;
use crate::ast::Use;
use crate::source::Source;
use crate::syntax::Reader;

const TEXT: &str = "template <int R, int C> struct Traits { using L = Layout<Shape<Int<R>, Int<C>>, Stride<_1, Int<C>>>; };
template <int C> struct Outer { using A = Traits<8, C>; using B = Traits<C, 4>; using K = Layout<Shape<Int<C>, _2>>; };
template <class T, int N = 3> struct Wide { using K = Layout<Shape<Int<N>, typename T::L>>; using M = Layout<Int<T::N>>; };
template <int S> struct Around { template <int N> struct In { using L = Layout<Shape<Int<S>, Int<N>>>; }; };
struct One { static constexpr int N = 5; using L = Int<7>; };
using X = Outer<16>; using Y = Outer<32>; using Z = Traits<1, 2>;
using U = Wide<One>; using V = Wide<X, 9>; using W = Around<4>::In<2>; using Q = Around<6>::In<UNKNOWN>;";

fn ask<'a>(evaluator: &mut Evaluator<'a>, instances: &mut Instances<'a>, used: &Use) -> Answers<'a, String> {
    let ask = |evaluator: &mut Evaluator<'a>, context: &Context<'a>| {
        let value = evaluator.evaluate(used.expr, context);
        let why = value.as_ref().err().filter(|why| why.reason == Reason::Dependent).map(|why| why.site);
        (format!("{value:?}"), why.into_iter().collect())
    };
    instances.answers(evaluator, (0, used.scope), 4_096, ask).unwrap()
}

/// What each layout comes to in each instance, asked twice; and how many mentions are remembered.
fn answers(remembered: usize) -> (Vec<String>, usize) {
    let sources = [Source::new("a.hpp", TEXT.as_bytes().to_vec())];
    let units = [Reader::default().read(0, &sources[0])];
    let program = Program::new(&sources, &units);
    let (mut evaluator, mut instances) = (Evaluator::new(&program), Instances::new(&program, &Index::of(&program)));
    instances.remembered = remembered;
    instances.pass(10_000);
    let mut all = Vec::new();
    for used in units[0].uses.iter().chain(&units[0].uses) {
        let found = ask(&mut evaluator, &mut instances, used);
        all.push(format!("{} more", found.more));
        all.extend(found.each.into_iter().map(|answer| answer.value));
    }
    (all, instances.said.len())
}

#[test]
fn what_is_remembered_is_what_is_said() {
    let (known, remembered) = answers(0);
    let (afresh, none) = answers(MAX_REMEMBERED);
    assert_eq!(known, afresh);
    assert!(remembered > 5 && none == 0, "{remembered}, {none}");
    assert!(known.iter().filter(|value| value.starts_with("Ok(Layout")).count() > 20, "{known:#?}");
}
