//! What is chosen where the code lists several values: the arm of a branch, the call that brings a parameter its value, the class of
//! an object. A world is one choice at each such point, so that values which the code says together stay together; all worlds are
//! gone through in turn.

use foldhash::HashMap;
use std::rc::Rc;

use super::facts::{Subject, Test};
use super::noted::{Arm, Choices, Entry, Filter, MAX_SAID, Noted, Trace, add_words};
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
    /// Whether a function, or a constructor for objects of a class, is called from where nobody sees it.
    Unseen(Home, Option<Home>),
    /// Whether the program of a file is started with nothing, or with something.
    Started(usize),
    /// Which type the elements of a tensor have that a function is given, of those that its guards allow.
    Type(Home, usize, u64),
    /// What the code lists for parameters of a name, and whether others than the function itself do.
    Named(&'a str, bool),
}

#[derive(Debug, Clone, Copy)]
struct Taken<'a> {
    point: Point<'a>,
    chosen: usize,
    of: usize,
    /// What the worlds hung on that were gone through with what was chosen here before.
    hung: Choices,
}

/// A function, and the class of the object that it is called for.
pub type Callee = (Home, Option<Home>);

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
    /// What was worked out.
    noted: Noted<'a>,
    /// What was worked out while nothing new could be chosen: by how many looks were around it.
    peeked: [Noted<'a>; 3],
    /// What evaluations that are under way hang on so far, the outermost first.
    traces: Vec<Trace>,
    /// Where something was chosen.
    points: Filter,
    /// The calls that are still meant of those of a function, a bit each: each choice leaves some.
    calls: HashMap<Callee, Vec<(u64, usize)>>,
    /// The call that brings a parameter its value.
    passed: HashMap<(Home, Option<Home>, usize), (usize, Choices)>,
    /// The call that made the object of a class that is used here.
    origins: HashMap<Home, (Origin, Choices)>,
    /// What chosen arms say of values that are not known, and the choice.
    facts: Vec<(Test<'a>, bool, usize)>,
    /// Values that parameters have here, in words.
    said: Vec<Rc<str>>,
}

impl<'a> World<'a> {
    /// The first one.
    pub fn first() -> Self {
        Self { traces: vec![Trace::default()], ..Self::default() }
    }

    fn hangs(&mut self, on: Choices) {
        if let Some(trace) = self.traces.last_mut() {
            trace.on.add(on);
        }
    }

    fn refuses(&mut self, point: &impl std::hash::Hash) {
        if let Some(trace) = self.traces.last_mut() {
            trace.refused.add(point);
        }
    }

    /// Chooses one of several; nothing where nothing new may be chosen.
    pub fn choose(&mut self, point: Point<'a>, of: usize) -> Option<usize> {
        self.asked += 1;
        if let Some((place, known)) = self.taken.iter().enumerate().find(|(_, taken)| taken.point == point) {
            let chosen = (known.chosen < of).then_some(known.chosen);
            self.hangs(Choices::at(place));
            return chosen;
        }
        if self.frozen || of == 0 {
            self.refuses(&point);
            return None;
        }
        self.hangs(Choices::at(self.taken.len()));
        self.points.add(&point);
        self.taken.push(Taken { point, chosen: 0, of, hung: Choices::default() });
        Some(0)
    }

    /// How much is chosen, how many looks are around, and whether nothing new may be chosen.
    pub const fn state(&self) -> (usize, usize, bool) {
        (self.taken.len(), self.peeks, self.frozen)
    }

    /// Begins an evaluation of which it is to be known what it hangs on.
    pub fn begin(&mut self) {
        self.traces.push(Trace::default());
    }

    /// Ends it. What is around it hangs on the same.
    pub fn end(&mut self) -> Trace {
        let trace = self.traces.pop().unwrap_or_default();
        self.follow(&trace);
        trace
    }

    /// Ends an evaluation that came to nothing, where what could not be chosen does not matter.
    pub fn leave(&mut self) {
        let trace = self.traces.pop().unwrap_or_default();
        self.follow(&Trace { refused: Filter::default(), ..trace });
    }

    /// What the evaluation that is under way hangs on so far.
    pub fn around(&self) -> (Choices, Filter) {
        self.traces.last().map(|trace| (trace.on, trace.refused)).unwrap_or_default()
    }

    /// What is under way hangs on the same as something else.
    pub fn follow(&mut self, trace: &Trace) {
        if let Some(outer) = self.traces.last_mut() {
            outer.on.add(trace.on);
            outer.refused.merge(&trace.refused);
            trace.said.iter().for_each(|words| add_words(&mut outer.said, words));
        }
        trace.said.iter().for_each(|words| add_words(&mut self.said, words));
    }

    /// What everything that is under way hangs on so far.
    pub fn all_around(&self) -> Choices {
        let mut on = Choices::default();
        self.traces.iter().for_each(|trace| on.add(trace.on));
        on
    }

    /// Values that parameters have, in words.
    pub fn say(&mut self, words: String) {
        if self.said.len() < MAX_SAID || self.traces.last().is_some_and(|trace| trace.said.len() < MAX_SAID) {
            let words: Rc<str> = words.into();
            add_words(&mut self.said, &words);
            if let Some(trace) = self.traces.last_mut() {
                add_words(&mut trace.said, &words);
            }
        }
    }

    /// All that was said.
    pub fn words(&self) -> String {
        self.said.join(", ")
    }

    /// Where to keep what is worked out now.
    fn noted(&mut self) -> &mut Noted<'a> {
        match self.peeked.get_mut(self.peeks) {
            Some(peeked) if self.frozen => peeked,
            _ => &mut self.noted,
        }
    }

    /// What was worked out: with fewer looks around it more was tried, and what is known with more of them is known.
    fn found<T: Clone>(
        &mut self,
        of: impl for<'n> Fn(&'n Noted<'a>) -> Option<&'n Entry<T>>,
        known: impl Fn(&T) -> bool,
    ) -> Option<T> {
        let entry = of(&self.noted).or_else(|| {
            if !self.frozen {
                return None;
            }
            let holds = |entry: &&Entry<T>| !entry.trace.refused.meets(&self.points);
            let peeked = || self.peeked.iter().map(|noted| of(noted).filter(holds));
            let all = peeked().take(self.peeks + 1).flatten().next();
            all.or_else(|| peeked().flatten().find(|entry| known(&entry.value)))
        })?;
        let (value, on, refused, said) =
            (entry.value.clone(), entry.trace.on, entry.trace.refused, entry.trace.said.clone());
        self.follow(&Trace { on, refused, said });
        Some(value)
    }

    /// What a binding comes to in this world.
    pub fn name(&mut self, key: &(u64, usize, u32)) -> Option<Resolved<Value>> {
        let known = self.found(|noted| noted.names.get(key), Result::is_ok);
        self.asked += usize::from(known.is_some());
        known
    }

    /// Keeps what a binding comes to. What is loose hangs on what was around it, and is not looked at without a choice.
    pub fn keep_name(&mut self, key: (u64, usize, u32), value: Resolved<Value>, trace: Trace, loose: bool) {
        if let Some(trace) = self.kept(trace, loose) {
            self.noted().names.insert(key, Entry { value, trace, loose });
        }
    }

    /// What an attribute comes to in this world.
    pub fn attribute(&mut self, key: &(Home, &'a str)) -> Option<Resolved<Value>> {
        let known = self.found(|noted| noted.attributes.get(key), Result::is_ok);
        self.asked += usize::from(known.is_some());
        known
    }

    /// Keeps what an attribute comes to.
    pub fn keep_attribute(&mut self, key: (Home, &'a str), value: Resolved<Value>, trace: Trace, loose: bool) {
        if let Some(trace) = self.kept(trace, loose) {
            self.noted().attributes.insert(key, Entry { value, trace, loose });
        }
    }

    /// Which arm runs in this world.
    pub fn arm(&mut self, key: &(usize, u32, u64)) -> Option<Result<usize, usize>> {
        let (arm, here) = self.found(|noted| noted.arms.get(key), |(arm, _)| arm.is_ok())?;
        self.asked += usize::from(here);
        Some(arm)
    }

    /// Keeps which arm runs, and whether that hangs on a choice.
    pub fn keep_arm(&mut self, key: (usize, u32, u64), value: Arm, trace: Trace, loose: bool) {
        if let Some(trace) = self.kept(trace, loose) {
            self.noted().arms.insert(key, Entry { value, trace, loose });
        }
    }

    /// What is kept of a trace; nothing where the result may not be.
    fn kept(&self, trace: Trace, loose: bool) -> Option<Trace> {
        match (self.frozen, loose) {
            (true, true) => None,
            (true, false) => Some(trace),
            // Here something was chosen wherever it had to be: the rest was looked at only, and it came to the same.
            (false, _) => Some(Trace { refused: Filter::default(), ..trace }),
        }
    }

    /// Which call brings a parameter its value in this world.
    pub fn passed(&mut self, key: &(Home, Option<Home>, usize)) -> Option<usize> {
        let (known, on) = *self.passed.get(key)?;
        self.hangs(on);
        self.asked += 1;
        Some(known)
    }

    /// The calls of a function that are still meant.
    pub fn left(&mut self, of: &Callee) -> u64 {
        let all = self.calls.get(of).map_or(&[][..], Vec::as_slice);
        let (mut left, mut on) = (u64::MAX, Choices::default());
        for (bits, place) in all {
            left &= bits;
            on.add(Choices::at(*place));
        }
        self.hangs(on);
        left
    }

    /// A choice leaves some calls of a function, of which one brings a parameter its value.
    pub fn pass(&mut self, key: (Home, Option<Home>, usize), point: &Point<'a>, bits: u64, first: usize) {
        let Some(place) = self.place_of(point) else { return };
        self.hangs(Choices::at(place));
        let on = self.traces.last().map_or_else(|| Choices::from(0), |trace| trace.on);
        self.calls.entry((key.0, key.1)).or_default().push((bits, place));
        self.passed.insert(key, (first, on));
    }

    /// The functions of which calls were chosen, with those that are meant, and the choices that left these.
    pub fn chosen(&self) -> Vec<(Callee, u64, Choices)> {
        let mut all: Vec<_> = self.calls.iter().collect();
        // In the order in which they were chosen, the same each time.
        all.sort_by_key(|(_, chosen)| chosen.first().map(|(_, place)| *place));
        let left = |chosen: &[(u64, usize)]| chosen.iter().fold(u64::MAX, |left, (bits, _)| left & bits);
        let on = |chosen: &[(u64, usize)]| {
            let mut on = Choices::default();
            for (_, place) in chosen {
                on.add(Choices::at(*place));
            }
            on
        };
        all.into_iter().map(|(of, chosen)| (*of, left(chosen), on(chosen))).collect()
    }

    /// Where something was chosen, among all choices.
    pub fn place_of(&self, point: &Point<'a>) -> Option<usize> {
        self.taken.iter().position(|taken| taken.point == *point)
    }

    /// What is known of something by what was chosen.
    pub fn facts(&mut self, subject: &Subject<'a>) -> Vec<(Test<'a>, bool)> {
        let (mut all, mut on) = (Vec::new(), Choices::default());
        for (test, truth, place) in self.facts.iter().filter(|(test, ..)| test.subject == *subject) {
            all.push((test.clone(), *truth));
            on.add(Choices::at(*place));
        }
        self.asked += 1;
        self.hangs(on);
        self.refuses(subject);
        all
    }

    /// A choice says that a test holds, or does not.
    pub fn add_fact(&mut self, test: Test<'a>, truth: bool, place: usize) {
        if !self.facts.iter().any(|(known, said, chosen)| *chosen == place && *said == truth && *known == test) {
            self.points.add(&test.subject);
            self.facts.push((test, truth, place));
        }
    }

    /// The call that made the object of a class that is used here.
    pub fn origin(&mut self, home: Home) -> Option<Origin> {
        if let Some((origin, on)) = self.origins.get(&home) {
            let (origin, on) = (origin.clone(), *on);
            self.hangs(on);
            return Some(origin);
        }
        self.refuses(&home);
        None
    }

    /// An object that a call made is used. Whatever leads here hangs on all that led here.
    pub fn set_origin(&mut self, home: Home, origin: Origin) {
        let on = self.all_around();
        self.traces.iter_mut().for_each(|trace| trace.on.add(on));
        self.points.add(&home);
        self.origins.insert(home, (origin, on));
    }

    /// The objects that are used, to come back to.
    pub fn origins(&self) -> HashMap<Home, (Origin, Choices)> {
        self.origins.clone()
    }

    /// Back to the objects that were used before.
    pub fn set_origins(&mut self, origins: HashMap<Home, (Origin, Choices)>) {
        self.origins = origins;
    }

    /// Whether the code comes to it: it is one call that it has, an item of a loop, and nothing else was chosen.
    pub fn is_call(&self) -> bool {
        // Constructors of one object, of which each calls the next.
        let mut made = self.calls.keys().map(|(_, made)| *made);
        let one = made.next().flatten();
        let together = self.calls.len() <= 1 || one.is_some() && made.all(|other| other == one);
        // Or a program that is started with nothing, and of whose functions each has one call.
        let started = |taken: &Taken<'_>| matches!(taken.point, Point::Started(_));
        let sole = self.taken.iter().any(started) && self.taken.iter().all(|taken| started(taken) || taken.of == 1);
        (together || sole) && self.all_come()
    }

    /// Whether a value is what only others pass by the name of a parameter, to something else, or what a program may be started with.
    pub fn is_guess(&self) -> bool {
        self.taken.iter().any(|taken| match taken.point {
            Point::Named(_, others) => others,
            Point::Started(_) => taken.chosen > 0,
            _ => false,
        })
    }

    /// The class of an object of which one call is chosen, and functions that have one call only: the code comes to it if that object's
    /// methods make those.
    pub fn sole_calls(&self) -> Option<(Home, Vec<Callee>)> {
        let of = |callee: &Callee| {
            let own = self
                .taken
                .iter()
                .filter(|taken| matches!(taken.point, Point::Call(home, made, _) if (home, made) == *callee));
            own.map(|taken| taken.of).max()
        };
        let (sole, several): (Vec<Callee>, Vec<Callee>) = self.calls.keys().partition(|callee| of(callee) == Some(1));
        let [(_, Some(made))] = several.as_slice() else { return None };
        self.all_come().then_some((*made, sole))
    }

    fn all_come(&self) -> bool {
        let comes = |taken: &Taken<'_>| match taken.point {
            Point::Call(..) | Point::Each(..) => true,
            Point::Unseen(..) | Point::Started(_) => taken.chosen == 0,
            Point::Named(..) => false,
            _ => taken.of == 1,
        };
        // Of what has one call only, that is the one that is meant with any other.
        let several = |taken: &Taken<'a>| match taken.point {
            Point::Call(home, made, _) if taken.of > 1 => Some((home, made)),
            _ => None,
        };
        let mut several = self.taken.iter().filter_map(several);
        let first = several.next();
        !self.taken.is_empty() && several.all(|one| Some(one) == first) && self.taken.iter().all(comes)
    }

    /// The next world that may come to something else than this one, which hangs on some choices only; false where there is none. What
    /// does not hang on what is chosen anew is kept.
    ///
    /// Where all ways to choose at a point are gone through, what they hung on before it says where to go on: another choice at a point
    /// between, on which none of them hung, would come to the same.
    pub fn next(&mut self, mut on: Choices) -> bool {
        let mut left = on.end();
        loop {
            let mut hung = on;
            for behind in self.taken.drain(left.min(self.taken.len())..) {
                hung.add(behind.hung);
            }
            let place = self.taken.len().wrapping_sub(1);
            let Some(last) = self.taken.last_mut() else { return false };
            last.hung.add(hung);
            last.chosen += 1;
            if last.chosen < last.of {
                self.forget(place);
                return true;
            }
            on = last.hung.before(place);
            self.taken.pop();
            // Where something else was chosen before, something hung on that.
            let other = self.taken.iter().rposition(|taken| taken.chosen > 0).map_or(0, |place| place + 1);
            left = on.end().max(other);
        }
    }

    /// Forgets what hangs on choices from a place on.
    fn forget(&mut self, place: usize) {
        let choices = Choices::from(place);
        self.noted.forget(choices);
        self.peeked.iter_mut().for_each(|noted| noted.forget(choices));
        for all in self.calls.values_mut() {
            all.retain(|(_, chosen)| *chosen < place);
        }
        self.calls.retain(|_, all| !all.is_empty());
        self.passed.retain(|_, (_, on)| !on.meets(choices));
        self.origins.retain(|_, (_, on)| !on.meets(choices));
        self.facts.retain(|(.., chosen)| *chosen < place);
        self.said.clear();
        self.traces.clear();
        self.traces.push(Trace::default());
        self.points = Filter::default();
        self.taken.iter().for_each(|taken| self.points.add(&taken.point));
        self.origins.keys().for_each(|home| self.points.add(home));
        self.facts.iter().for_each(|(test, ..)| self.points.add(&test.subject));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(places: &[usize]) -> Choices {
        let mut on = Choices::default();
        for place in places {
            on.add(Choices::at(*place));
        }
        on
    }

    /// A point on which nothing hung is left behind; one on which something hung before is gone through.
    #[test]
    fn what_nothing_hangs_on_is_not_gone_through() {
        let all = |hung: &dyn Fn([usize; 3]) -> Choices| {
            let (mut world, mut all) = (World::first(), Vec::new());
            loop {
                let chosen = [0, 1, 2].map(|arm| world.choose(Point::Arm(0, arm, 0), 2).unwrap());
                all.push(chosen);
                if !world.next(hung(chosen)) {
                    return all;
                }
            }
        };
        assert_eq!(all(&|_| of(&[0, 2])), [[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1]]);
        assert_eq!(all(&|_| of(&[2])), [[0, 0, 0], [0, 0, 1]]);
        assert_eq!(all(&|_| of(&[0, 1, 2])).len(), 8);
        // The first of these hung on the one between.
        let once = |chosen: [usize; 3]| of(if chosen == [0, 0, 0] { &[0, 1, 2] } else { &[0, 2] });
        assert_eq!(all(&once), [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1]]);
    }

    /// Every way to choose comes once, also where what is chosen first says what is asked next.
    #[test]
    fn every_world_comes_once() {
        let mut world = World::first();
        let mut all = Vec::new();
        loop {
            let first = world.choose(Point::Arm(0, 0, 0), 3).unwrap();
            let second = (first != 1).then(|| world.choose(Point::Arm(0, 1, 0), 2).unwrap());
            assert_eq!(world.choose(Point::Arm(0, 0, 0), 3), Some(first));
            all.push((first, second));
            if !world.next(Choices::from(0)) {
                break;
            }
        }
        assert_eq!(all, [(0, Some(0)), (0, Some(1)), (1, None), (2, Some(0)), (2, Some(1))]);
        world.frozen = true;
        assert_eq!(world.choose(Point::Arm(0, 2, 0), 2), None);
    }
}
