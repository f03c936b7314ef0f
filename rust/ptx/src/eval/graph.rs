//! The control flow of a kernel: blocks, dominators, loops.

use super::Stop;
use crate::read::Kernel;
use std::collections::BTreeSet;

/// How a block ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// Its instructions: from, to.
    pub code: (usize, usize),
    /// Where it goes if its last instruction branches, in the order of its targets.
    pub taken: Vec<usize>,
    /// Where it goes if not.
    pub next: Option<usize>,
}

/// A natural loop.
#[derive(Debug, Clone, Default)]
pub(crate) struct Loop {
    pub body: BTreeSet<usize>,
    /// Its blocks in reverse postorder.
    pub order: Vec<usize>,
}

/// Steps that the search for dominators may take, and blocks of all loops together.
const MOST_STEPS: usize = 100_000_000;
const MOST_MEMBERS: usize = 4_000_000;

#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub blocks: Vec<Block>,
    /// Reachable blocks in reverse postorder.
    pub order: Vec<usize>,
    /// The loop whose header a block is.
    pub headers: Vec<Option<usize>>,
    pub loops: Vec<Loop>,
    /// Immediate postdominator; none for the end.
    pub after: Vec<Option<usize>>,
}

pub(crate) fn ends(op: &str) -> bool {
    matches!(op, "bra" | "brx" | "ret" | "exit" | "trap")
}

/// The tree of dominators of a graph in reverse postorder, from its first node; none where that takes too many steps.
fn dominators(order: &[usize], before: &[Vec<usize>]) -> Option<Vec<Option<usize>>> {
    let mut steps = 0;
    let mut place = vec![usize::MAX; before.len()];
    order.iter().enumerate().for_each(|(i, b)| place[*b] = i);
    let mut above: Vec<Option<usize>> = vec![None; before.len()];
    let Some(first) = order.first() else { return Some(above) };
    above[*first] = Some(*first);
    loop {
        let mut changed = false;
        for b in &order[1..] {
            let mut common: Option<usize> = None;
            for p in before[*b].iter().filter(|p| above[**p].is_some()) {
                common = Some(match common {
                    None => *p,
                    Some(mut x) => {
                        let mut y = *p;
                        while x != y {
                            if steps > MOST_STEPS {
                                return None;
                            }
                            while place[x] > place[y] {
                                x = above[x].unwrap_or(*first);
                                steps += 1;
                            }
                            while place[y] > place[x] {
                                y = above[y].unwrap_or(*first);
                                steps += 1;
                            }
                        }
                        x
                    }
                });
            }
            if above[*b] != common {
                above[*b] = common;
                changed = true;
            }
        }
        if !changed {
            above[*first] = None;
            return Some(above);
        }
    }
}

fn reverse_postorder(start: usize, count: usize, next: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let (mut seen, mut order) = (vec![false; count], Vec::new());
    let mut stack = vec![(start, next(start), 0usize)];
    seen[start] = true;
    while let Some((block, after, at)) = stack.last_mut() {
        if let Some(to) = after.get(*at).copied() {
            *at += 1;
            if !seen[to] {
                seen[to] = true;
                stack.push((to, next(to), 0));
            }
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}

impl Graph {
    /// Fails where control flow is irreducible, a way into a loop beside its header, and where it needs too many steps.
    pub fn of(kernel: &Kernel) -> Result<Self, Stop> {
        let count = kernel.code.len();
        let mut leaders = BTreeSet::from([0]);
        for (i, x) in kernel.code.iter().enumerate() {
            leaders.extend(x.targets.iter().map(|t| *t as usize));
            if ends(&x.op) {
                leaders.insert(i + 1);
            }
        }
        leaders.insert(count);
        let starts: Vec<usize> = leaders.into_iter().filter(|x| *x <= count).collect();
        // the last block is empty: the end
        let block_at = |i: usize| starts.binary_search(&i).ok();
        let mut blocks = Vec::new();
        for (number, from) in starts.iter().enumerate() {
            let to = starts.get(number + 1).copied().unwrap_or(count);
            let last = (*from < to).then(|| &kernel.code[to - 1]).filter(|x| ends(&x.op));
            let taken = last.map_or(Vec::new(), |x| x.targets.iter().filter_map(|t| block_at(*t as usize)).collect());
            let goes_on = last.is_none_or(|x| x.guard.is_some()) && number + 1 < starts.len();
            blocks.push(Block { code: (*from, to), taken, next: goes_on.then_some(number + 1) });
        }
        let count = blocks.len();
        let after =
            |b: usize| -> Vec<usize> { blocks[b].next.into_iter().chain(blocks[b].taken.iter().copied()).collect() };
        let order = reverse_postorder(0, count, after);
        let mut place = vec![usize::MAX; count];
        order.iter().enumerate().for_each(|(i, b)| place[*b] = i);
        let mut before = vec![Vec::new(); count];
        for b in &order {
            for t in after(*b) {
                before[t].push(*b);
            }
        }
        let above = dominators(&order, &before).ok_or(Stop::Work)?;
        let mut steps = 0;
        let mut dominates = |h: usize, mut b: usize| loop {
            steps += 1;
            if b == h || steps > MOST_STEPS {
                return b == h;
            }
            match above[b] {
                Some(x) => b = x,
                None => return false,
            }
        };
        let mut members = 0;
        let mut graph = Self { headers: vec![None; count], ..Self::default() };
        for b in &order {
            for t in after(*b).into_iter().filter(|t| place[*t] <= place[*b]) {
                if !dominates(t, *b) {
                    return Err(Stop::Irreducible);
                }
                let number = *graph.headers[t].get_or_insert_with(|| {
                    graph.loops.push(Loop { body: BTreeSet::from([t]), order: Vec::new() });
                    graph.loops.len() - 1
                });
                let body = &mut graph.loops[number].body;
                let mut work = vec![*b];
                while let Some(x) = work.pop() {
                    if body.insert(x) {
                        members += 1;
                        if members > MOST_MEMBERS {
                            return Err(Stop::Work);
                        }
                        work.extend(before[x].iter().copied());
                    }
                }
            }
        }
        for body in &mut graph.loops {
            body.order = body.body.iter().copied().collect();
            body.order.sort_unstable_by_key(|b| place[*b]);
        }
        // postdominators: the reversed graph from a virtual end
        let mut back = vec![Vec::new(); count + 1];
        let mut forth = vec![Vec::new(); count + 1];
        for b in &order {
            let mut to = after(*b);
            let leaves = to.is_empty()
                || (blocks[*b].taken.is_empty() && blocks[*b].code.1 > blocks[*b].code.0 && {
                    let last = &kernel.code[blocks[*b].code.1 - 1];
                    matches!(last.op.as_str(), "ret" | "exit" | "trap")
                });
            if leaves {
                to.push(count);
            }
            for t in to {
                back[t].push(*b);
                forth[*b].push(t);
            }
        }
        let reversed = reverse_postorder(count, count + 1, |b| back[b].clone());
        graph.after =
            dominators(&reversed, &forth).ok_or(Stop::Work)?.into_iter().map(|x| x.filter(|x| *x < count)).collect();
        graph.after.truncate(count);
        graph.order = order;
        graph.blocks = blocks;
        Ok(graph)
    }
}
