//! What a call comes to for everything that the code lists: a world at a time, within bounds.

use super::evaluate::{At, Evaluator, Hangs, MAX_BINDINGS, MAX_STEPS};
use super::noted::{Choices, Trace};
use super::tree::{Expr, ExprId};
use super::value::Value;
use super::world::{Point, World};
use crate::ast::{Site, Span};
use crate::eval::{Reason, Resolved, Unresolved};

/// Ways to choose among what is listed that are tried for one layout.
pub(super) const MAX_WORLDS: usize = 1 << 12;

/// Ways that are tried for the parts of a layout that are known.
pub(super) const MAX_IN_PART: usize = 16;

/// Steps of all questions about what the code lists.
pub const MAX_TRIED: usize = 120_000_000;

/// Steps of such questions about one layout.
pub const MAX_TRIED_ONCE: usize = 600_000;

/// Worlds in which a layout is not known, after which no more are tried.
const MAX_FAILED: usize = 6;

/// Worlds of which none is known, after which no more are tried; one that Python refuses counts as a part of one.
const MAX_IDLE: usize = 16;

/// The part.
const PARTS: usize = 4;

/// What a call comes to in one world.
#[derive(Debug)]
pub struct Tried {
    /// Its value.
    pub value: Resolved<Value>,
    /// The values that stand together there, in words.
    pub holds: String,
    /// Whether one call of the code has them together.
    pub call: bool,
    /// Whether one of them is only passed elsewhere, to something else that has a parameter of that name: then nothing is said of it.
    pub guess: bool,
}

impl Tried {
    /// What is not known, whatever stands together.
    const fn unknown(why: Unresolved) -> Self {
        Self { value: Err(why), holds: String::new(), call: false, guess: false }
    }
}

impl<'a> Evaluator<'a> {
    /// Whether what the code lists is tried.
    pub(super) const fn trying(&self) -> bool {
        self.world.is_some()
    }

    /// Chooses one of several.
    pub(super) fn choose(&mut self, point: Point<'a>, of: usize) -> Option<usize> {
        self.world.as_mut()?.choose(point, of)
    }

    /// Begins an evaluation of which it is to be known what it hangs on.
    pub(super) fn begin(&mut self) {
        if let Some(world) = self.world.as_mut() {
            world.begin();
        }
    }

    /// Ends it: where to keep what it came to.
    pub(super) fn end(&mut self) -> Option<(&mut World<'a>, Trace)> {
        let world = self.world.as_mut()?;
        let trace = world.end();
        Some((world, trace))
    }

    /// What was worked out hangs on since some count of what was not followed further: all that is around it so far.
    pub(super) fn hangs(&self, cuts: usize) -> Hangs {
        let on = self.world.as_ref().map(World::around).unwrap_or_default();
        Hangs { on, loose: cuts != self.cuts }
    }

    /// A value is used that was worked out before.
    pub(super) fn follow(&mut self, hangs: Hangs) {
        self.cuts += usize::from(hangs.loose);
        if let Some(world) = self.world.as_mut() {
            world.follow(&Trace { on: hangs.on.0, refused: hangs.on.1, said: Vec::new() });
        }
    }

    /// What an expression is without a choice.
    pub(super) fn surely(&mut self, expr: ExprId, at: &At) -> Resolved<Value> {
        let (world, steps) = (self.world.take(), self.steps);
        let value = self.ask(expr, at);
        (self.world, self.steps) = (world, steps);
        value
    }

    /// A value that a name has in this world.
    pub(super) fn say(&mut self, name: &str, value: &Value) {
        let words = match value {
            Value::Number(number, ..) => format!("{name} = {number}"),
            Value::Bool(true) => format!("{name} = True"),
            Value::Bool(false) => format!("{name} = False"),
            Value::Tuple(items) if items.all.len() <= 4 => {
                let number = |item: &Value| match item {
                    Value::Number(number, ..) => Some(number.to_string()),
                    _ => None,
                };
                let Some(all) = items.all.iter().map(number).collect::<Option<Vec<_>>>() else { return };
                let (open, close) = if items.list { ('[', ']') } else { ('(', ')') };
                format!("{name} = {open}{}{close}", all.join(", "))
            }
            _ => return,
        };
        if let Some(world) = self.world.as_mut() {
            world.say(words);
        }
    }

    /// What several expressions come to, if that is the same without a choice: which of them it is need not be chosen then.
    pub(super) fn alike(&mut self, all: &[(ExprId, &At)], depth: usize) -> Option<Resolved<Value>> {
        let world = self.world.as_mut()?;
        if world.peeks > 1 {
            return None;
        }
        world.peeks += 1;
        let before = std::mem::replace(&mut world.frozen, true);
        let origins = world.origins();
        world.begin();
        let mut result: Option<Resolved<Value>> = None;
        let mut differ = all.len() > MAX_BINDINGS;
        for (expr, at) in all {
            if differ {
                break;
            }
            let value = self.expr(*expr, at, depth + 1);
            match (&value, &result) {
                // `None` where there is no tensor.
                (Ok(Value::None), _) => {}
                (Err(why), None | Some(Err(_))) if why.reason == Reason::RunTime => result = Some(value),
                (Ok(_), None) => result = Some(value),
                (Ok(one), Some(Ok(known))) if one.same(known) => {}
                _ => differ = true,
            }
        }
        let none = result.as_ref().is_some_and(Result::is_ok)
            && all.iter().any(|(expr, at)| {
                self.module(at.module).is_some_and(|module| matches!(module.expr(*expr), Expr::None))
            });
        if let Some(world) = self.world.as_mut() {
            world.frozen = before;
            world.set_origins(origins);
            world.peeks -= 1;
        }
        let result = result.filter(|_| !differ && !none);
        if let Some(world) = self.world.as_mut() {
            // Where it came to nothing, what it is will be chosen.
            if result.is_some() { drop(world.end()) } else { world.leave() }
        }
        result
    }

    /// What a call comes to for everything that the code lists.
    pub fn worlds(&mut self, call: ExprId, at: &At) -> Vec<Tried> {
        self.worlds_of(call, at, &mut |own| own.expr(call, at, 0))
    }

    /// What the arguments of a call come to for everything that the code lists: a tuple each time, in which some may not be known. They
    /// count as known where all of these are.
    pub fn argument_worlds(&mut self, call: ExprId, at: &At, parameters: &[&str], need: &[usize]) -> Vec<Tried> {
        let site = self.site(call, at);
        self.worlds_of(call, at, &mut |own| {
            let absent = Unresolved { reason: Reason::Call, site };
            let all = own.placed(call, at, parameters).ok_or(absent)?;
            for place in need {
                if let Some(Some(value)) = all.get(*place) {
                    value.unknown(0).map_or(Ok(()), Err)?;
                }
            }
            let all = all.into_iter().map(|value| value.unwrap_or(Value::Unknown(absent)));
            Value::tuple(all.collect(), site)
        })
    }

    /// What a question about a place comes to for everything that the code lists.
    pub(super) fn worlds_of(
        &mut self,
        call: ExprId,
        at: &At,
        ask: &mut dyn FnMut(&mut Self) -> Resolved<Value>,
    ) -> Vec<Tried> {
        let mut all = Vec::new();
        let (before, own) = (self.work, self.tried);
        let (mut failed, mut known, mut seen) = (0, 0, 0);
        let site = self.site(call, at);
        let mut unreached = None;
        if self.tried > MAX_TRIED {
            return vec![Tried::unknown(Unresolved { reason: Reason::Work, site })];
        }
        self.world = Some(World::first());
        for _ in 0..self.most {
            self.steps = 4 * MAX_STEPS;
            // What is certain has a count of its own.
            self.work = before;
            if self.tried > MAX_TRIED || self.tried - own > self.share {
                break;
            }
            let value = ask(self);
            let is_call = self.is_called();
            let alike = |one: &Tried| (one.call || !is_call) && same(&one.value, &value);
            // That a value is reached needs to be shown once.
            let again = all.iter().any(alike);
            // What tests ask for is none of what it hangs on.
            let holds = self.world.as_ref().filter(|_| !again).map(World::words);
            let guess = self.world.as_ref().is_some_and(World::is_guess);
            let dead = if again { None } else { self.is_never(at, site.span) };
            self.tried += self.work - before;
            self.work = before;
            let Some(world) = self.world.as_mut() else { break };
            // The next set differs in what this one hangs on: in what cuts its place off, or else in what its value was worked out by.
            let on = dead.unwrap_or_else(|| world.all_around());
            if dead.is_some() {
                unreached = Some(not_reached(unreached, &value, site));
            } else {
                match &value {
                    Ok(_) => known += 1,
                    // Others may be known beside it.
                    Err(Unresolved {
                        reason: Reason::Dependent | Reason::UnknownMember | Reason::RunTime | Reason::ZeroExtent,
                        ..
                    }) => {}
                    Err(_) => failed += 1,
                }
                seen += if matches!(&value, Err(why) if why.reason == Reason::Dependent) { 1 } else { PARTS };
                if !again {
                    all.push(Tried { value, holds: holds.unwrap_or_default(), call: is_call, guess });
                }
            }
            // It stays unresolved.
            if !world.next(on) || failed >= MAX_FAILED || known == 0 && seen >= MAX_IDLE * PARTS {
                self.world = None;
                let nowhere = unreached.filter(|_| all.is_empty());
                all.extend(nowhere.map(Tried::unknown));
                return all;
            }
        }
        self.world = None;
        all.push(Tried::unknown(Unresolved { reason: Reason::Instances, site }));
        all
    }

    /// Whether the code comes to what is chosen: by one call, and by the only calls that methods of its object make of other functions.
    fn is_called(&mut self) -> bool {
        if self.world.as_ref().is_some_and(World::is_call) {
            return true;
        }
        let Some((made, sole)) = self.world.as_ref().and_then(World::sole_calls) else { return false };
        sole.into_iter().all(|(home, _)| {
            let calls = self.calls_of(home);
            matches!(calls.as_slice(), [one] if self.inside(one.within(), made))
        })
    }

    /// The choices by which a place is not reached, as far as that is known.
    fn is_never(&mut self, at: &At, span: Span) -> Option<Choices> {
        self.steps = MAX_STEPS;
        if let Some(world) = self.world.as_mut() {
            world.frozen = true;
        }
        let dead = self.is_out_of_reach(at, span);
        if let Some(world) = self.world.as_mut() {
            world.frozen = false;
        }
        dead
    }

    fn is_out_of_reach(&mut self, at: &At, span: Span) -> Option<Choices> {
        if let Some(on) = self.is_anywhere_cut_off(at, span) {
            return Some(on);
        }
        // An object that its class refuses is none.
        let made: Vec<_> = self.world.iter().flat_map(World::chosen).collect();
        for ((home, class), _, chosen) in made {
            if let Some(class) = class
                && let Some(mut on) = self.is_cut_off(&mut |own| own.is_refused(home, class))
            {
                on.add(chosen);
                return Some(on);
            }
        }
        self.chosen_calls().into_iter().find_map(|(called, chosen)| {
            let at = At { module: called.module, scope: called.scope, frame: None };
            let span = self.site(called.call, &at).span;
            // What a test wants refused says nothing of what programs have.
            if self.is_called_to_fail(called.call, &at) {
                return Some(chosen);
            }
            let mut on = self.is_anywhere_cut_off(&at, span)?;
            on.add(chosen);
            Some(on)
        })
    }

    /// The choices by which a place is not reached, in any of the scopes around it or in its expression.
    fn is_anywhere_cut_off(&mut self, at: &At, span: Span) -> Option<Choices> {
        let module = self.module(at.module)?;
        let mut scope = Some(at.scope);
        while let Some(id) = scope {
            if let Some(on) = self.is_cut_off(&mut |own| own.is_dead(id, span.start, at)) {
                return Some(on);
            }
            scope = module.scope(id).and_then(|scope| scope.parent);
        }
        self.is_cut_off(&mut |own| own.is_not_taken(span, at))
    }

    /// The choices by which something does not run.
    fn is_cut_off(&mut self, is_dead: &mut dyn FnMut(&mut Self) -> bool) -> Option<Choices> {
        self.begin();
        let dead = is_dead(self);
        let on = self.end().map(|(_, trace)| trace.on)?;
        dead.then_some(on)
    }
}

/// Why nothing is known of a place that no set of values leads to: it hangs on the run if it does so with each of them, and else nothing is
/// listed with which the code comes to it.
fn not_reached(before: Option<Unresolved>, value: &Resolved<Value>, site: Site) -> Unresolved {
    match (before, value) {
        (Some(known), _) if known.reason != Reason::RunTime => known,
        (_, Err(why)) if why.reason == Reason::RunTime => *why,
        _ => Unresolved { reason: Reason::Unlisted, site },
    }
}

/// Whether two results say the same.
fn same(one: &Resolved<Value>, other: &Resolved<Value>) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => one.same(other),
        (Err(one), Err(other)) => one.reason == other.reason,
        _ => false,
    }
}
