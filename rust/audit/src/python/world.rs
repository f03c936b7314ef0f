//! What is chosen where the code lists several values: the arm of a branch, the call that brings a parameter its value, the class of
//! an object. A world is one choice at each such point, so that values which the code says together stay together; all worlds are
//! gone through in turn.

use foldhash::HashMap;

use super::tree::ExprId;
use super::value::{Home, Origin, Value};
use crate::eval::Resolved;

/// A point at which something is chosen. The last number says in which call of a function of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Point<'a> {
    /// Which arm of a branch of a module runs.
    Arm(usize, u32, u64),
    /// Whether a condition within an expression holds.
    Test(usize, ExprId, u64),
    /// Which value of a dictionary.
    Item(usize, ExprId, u64),
    /// Which item of what a loop goes through: it comes to each.
    Each(usize, ExprId, u64),
    /// Which of the arguments that calls of a function pass for a parameter, for an object of a class.
    Call(Home, Option<Home>, usize),
    /// Which class the object is of whose method this is.
    Class(Home),
    /// Which method stored an attribute last.
    Store(Home, &'a str),
    /// What stored an attribute from outside of its class last, if anything did.
    Outside(Home, &'a str),
    /// The value of a parameter that is true or false.
    Truth(Home, usize),
    /// What the code lists for parameters of a name.
    Named(&'a str),
}

/// The arm that runs, or else the first that may, and whether that hangs on a choice.
type Arm = (Result<usize, usize>, bool);

#[derive(Debug, Clone, Copy)]
struct Taken<'a> {
    point: Point<'a>,
    chosen: usize,
    of: usize,
}

/// What is chosen.
#[derive(Debug, Default)]
pub struct World<'a> {
    taken: Vec<Taken<'a>>,
    /// How often something was chosen: what did so holds in this world only.
    pub asked: usize,
    /// How often it is looked at what would be, without a choice.
    pub peeks: usize,
    /// Whether nothing new may be chosen.
    pub frozen: bool,
    /// What bindings come to here, by the call, the file and the place. Whoever reads it, or any of the maps below, reads what was
    /// chosen: it is asked for by the functions that count that.
    pub names: HashMap<(u64, usize, u32), Resolved<Value>>,
    /// Which arm of a branch runs, where that is known, or else the first that may: by the file, the branch and the call.
    /// And whether it hangs on a choice.
    pub arms: HashMap<(usize, u32, u64), Arm>,
    /// What attributes of objects come to here.
    pub attributes: HashMap<(Home, &'a str), Resolved<Value>>,
    /// The calls that are still meant of those of a function, a bit each.
    pub calls: HashMap<(Home, Option<Home>), u64>,
    /// The call that brings a parameter its value.
    pub passed: HashMap<(Home, Option<Home>, usize), usize>,
    /// The call that made the object of a class that is used here.
    pub origins: HashMap<Home, Origin>,
    /// Values that parameters have here, in words.
    pub said: Vec<String>,
}

impl<'a> World<'a> {
    /// Chooses one of several; nothing where nothing new may be chosen.
    pub fn choose(&mut self, point: Point<'a>, of: usize) -> Option<usize> {
        self.asked += 1;
        if let Some(known) = self.taken.iter().find(|taken| taken.point == point) {
            return (known.chosen < of).then_some(known.chosen);
        }
        if self.frozen || of == 0 {
            return None;
        }
        self.taken.push(Taken { point, chosen: 0, of });
        Some(0)
    }

    /// What a binding comes to in this world.
    pub fn name(&mut self, key: &(u64, usize, u32)) -> Option<Resolved<Value>> {
        let known = self.names.get(key).cloned();
        self.asked += usize::from(known.is_some());
        known
    }

    /// What an attribute comes to in this world.
    pub fn attribute(&mut self, key: &(Home, &'a str)) -> Option<Resolved<Value>> {
        let known = self.attributes.get(key).cloned();
        self.asked += usize::from(known.is_some());
        known
    }

    /// Which arm runs in this world.
    pub fn arm(&mut self, key: &(usize, u32, u64)) -> Option<Result<usize, usize>> {
        let (arm, here) = *self.arms.get(key)?;
        self.asked += usize::from(here);
        Some(arm)
    }

    /// Which call brings a parameter its value in this world.
    pub fn passed(&mut self, key: &(Home, Option<Home>, usize)) -> Option<usize> {
        let known = self.passed.get(key).copied();
        self.asked += usize::from(known.is_some());
        known
    }

    /// Whether the code comes to it: it is one call that it has, an item of a loop, and nothing else was chosen.
    pub fn is_call(&self) -> bool {
        let comes = |taken: &Taken<'_>| match taken.point {
            Point::Call(..) | Point::Each(..) => true,
            Point::Named(_) => false,
            _ => taken.of == 1,
        };
        !self.taken.is_empty() && self.calls.len() <= 1 && self.taken.iter().all(comes)
    }

    /// The next world; false where there is none.
    pub fn next(&mut self) -> bool {
        self.names.clear();
        self.attributes.clear();
        self.arms.clear();
        self.calls.clear();
        self.passed.clear();
        self.origins.clear();
        self.said.clear();
        while let Some(last) = self.taken.last_mut() {
            last.chosen += 1;
            if last.chosen < last.of {
                return true;
            }
            self.taken.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to choose comes once, also where what is chosen first says what is asked next.
    #[test]
    fn every_world_comes_once() {
        let mut world = World::default();
        let mut all = Vec::new();
        loop {
            let first = world.choose(Point::Arm(0, 0, 0), 3).unwrap();
            let second = (first != 1).then(|| world.choose(Point::Arm(0, 1, 0), 2).unwrap());
            assert_eq!(world.choose(Point::Arm(0, 0, 0), 3), Some(first));
            all.push((first, second));
            if !world.next() {
                break;
            }
        }
        assert_eq!(all, [(0, Some(0)), (0, Some(1)), (1, None), (2, Some(0)), (2, Some(1))]);
        world.frozen = true;
        assert_eq!(world.choose(Point::Arm(0, 2, 0), 2), None);
    }
}
