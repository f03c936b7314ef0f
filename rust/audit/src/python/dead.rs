//! Calls that surely never run: in an arm whose test does not hold, behind a guard that leaves, in the part of an expression that is not
//! taken. And what is done with what a call makes.

use std::rc::Rc;

use super::evaluate::{At, Evaluator};
use super::tree::{Expr, ExprId, Kind, Module, Op, Scope, ScopeId};
use crate::ast::Span;
use crate::source::places;

/// Steps of one question whether a call runs, and of all.
const MAX_STEPS: usize = 4_000;
const MAX_GUARDED: usize = 20_000_000;

/// Parts that are compared in one step.
const PLAIN: usize = 64;

/// Bytes of a function in which the uses of a name are looked at.
pub(super) const MAX_TEXT: usize = 1 << 16;

/// Bytes before a call in which the name that it gets is looked for.
const MAX_LINE: usize = 256;

/// Scopes around a call that are looked at.
const MAX_SCOPES: usize = 64;

/// A part of an expression, the test that it hangs on, and what that must come to.
pub type Part = (Span, ExprId, bool);

/// The parts of a file's expressions that hang on a test.
fn parts(module: &Module) -> Rc<[Part]> {
    let mut all = Vec::new();
    for (expr, _) in &module.exprs {
        match expr {
            Expr::Choice { test, yes, no } => {
                all.push((module.span(*yes), *test, true));
                all.push((module.span(*no), *test, false));
            }
            Expr::Binary(op @ (Op::Both | Op::Either), left, right) => {
                all.push((module.span(*right), *left, *op == Op::Both));
            }
            Expr::Comprehension(of) => all.extend(of.tests.iter().map(|test| (module.span(of.item), *test, true))),
            _ => {}
        }
    }
    all.into()
}

impl Evaluator<'_> {
    /// Whether a call surely never runs, whatever is chosen.
    pub(super) fn is_never_run(&mut self, call: ExprId, at: &At) -> bool {
        if self.guarded >= MAX_GUARDED {
            return false;
        }
        // It is no part of what is spent on layouts.
        let before = self.work;
        let never = self.is_certainly_cut_off(call, at);
        self.guarded = self.guarded.saturating_add(self.work - before);
        self.work = before;
        never
    }

    /// Whether so many things may still be looked at.
    pub(super) const fn may_guard(&mut self, things: usize) -> bool {
        self.guarded = self.guarded.saturating_add(things / PLAIN + 1);
        self.guarded < MAX_GUARDED
    }

    fn is_certainly_cut_off(&mut self, call: ExprId, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let span = module.span(call);
        for scope in around(module, at.scope) {
            self.steps = MAX_STEPS;
            if self.is_dead(scope, span.start, at) {
                return true;
            }
        }
        self.steps = MAX_STEPS;
        self.is_not_taken(span, at)
    }

    /// Whether what is known says that an expression is in a part of another one that is not taken.
    pub(super) fn is_not_taken(&mut self, span: Span, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let all = self.choices.entry(at.module).or_insert_with(|| parts(module)).clone();
        self.work = self.work.saturating_add(all.len() / PLAIN);
        all.iter()
            .filter(|(part, ..)| part.contains(span))
            .any(|(_, test, holds)| self.truth_of(*test, at, 0).is_some_and(|truth| truth != *holds))
    }

    /// Whether of what a call of a library makes only attributes are asked, outside of what the DSL runs: no kernel has it.
    pub(super) fn is_only_asked(&self, call: ExprId, at: &At) -> bool {
        self.is_used_as(call, at, |_, after| {
            let name: String =
                after.strip_prefix('.').unwrap_or_default().chars().take_while(|c| is_word(*c)).collect();
            !name.is_empty() && !after.get(name.len() + 1..).is_some_and(|rest| rest.starts_with('('))
        }) && !self.is_run(at)
    }

    /// Whether what a call makes is only turned into a linear layout, which is not held against the lanes of a warp.
    pub(super) fn is_only_linear(&mut self, call: ExprId, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        let span = module.span(call);
        if self.is_used_as(call, at, |before, _| before.trim_end().ends_with("to_linear_layout(")) {
            return true;
        }
        if !self.may_guard(module.scopes.len()) {
            return false;
        }
        // A test that is for that gets it as one of its parameters.
        module.scopes.iter().any(|scope| {
            let Kind::Function(function) = &scope.kind else { return false };
            let marks = function.decorators.iter().any(|mark| {
                let parametrizes = matches!(module.expr(*mark), Expr::Call(callee, _)
                    if matches!(module.expr(*callee), Expr::Attribute(_, name) if &**name == "parametrize"));
                parametrizes && module.span(*mark).contains(span)
            });
            marks && text.get(scope.span.range()).is_some_and(|text| text.contains("to_linear_layout("))
        })
    }

    /// Whether all that is done with what a call makes, by itself or by the one name that it gets in a function, is of one kind.
    fn is_used_as(&self, call: ExprId, at: &At, is: impl Fn(&str, &str) -> bool) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        let of = |place: Span| {
            let (before, after) = (text.get(..place.start as usize), text.get(place.end as usize..));
            before.zip(after).is_some_and(|(before, after)| is(before, after))
        };
        if of(module.span(call)) {
            return true;
        }
        let short = |scope: &&Scope| matches!(scope.kind, Kind::Function(_)) && scope.span.range().len() <= MAX_TEXT;
        let Some(scope) = module.scope(at.scope).filter(short) else { return false };
        named(text, module.span(call)).is_some_and(|name| {
            let word = text.get(name.range()).unwrap_or_default();
            let mut places = uses(text, scope.span, word).filter(|place| *place != name);
            places.next().is_some_and(of) && places.all(of)
        })
    }

    /// Whether a place is in a function that a DSL runs.
    pub(super) fn is_run(&self, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return true };
        around(module, at.scope).any(|id| match module.scope(id).map(|scope| &scope.kind) {
            Some(Kind::Function(function)) => self.decorated(at.module, &function.decorators, &["jit", "kernel"]),
            _ => false,
        })
    }
}

/// A scope and those around it.
pub(super) fn around(module: &Module, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
    std::iter::successors(Some(scope), |id| module.scope(*id).and_then(|scope| scope.parent)).take(MAX_SCOPES)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where the name stands that the text gives what is at a place: `name = …`, `name: type = …`.
pub(super) fn named(text: &str, place: Span) -> Option<Span> {
    let before = text.get(..place.start as usize)?;
    let window = before.len().saturating_sub(MAX_LINE);
    let start = match memchr::memrchr(b'\n', before.as_bytes().get(window..)?) {
        Some(at) => window + at + 1,
        None if window == 0 => 0,
        None => return None,
    };
    let line = before.get(start..)?;
    let target = line.trim_end().strip_suffix('=')?.split(':').next()?;
    let name = target.trim();
    let start = start + (target.len() - target.trim_start().len());
    let plain = !name.is_empty() && name.chars().all(is_word);
    let start = u32::try_from(start).ok().filter(|_| plain)?;
    Some(Span { start, end: start.checked_add(u32::try_from(name.len()).ok()?)? })
}

/// Where a name stands in a part of a text: not as an attribute of something else.
pub(super) fn uses<'t>(text: &'t str, within: Span, name: &'t str) -> impl Iterator<Item = Span> + 't {
    let part = text.get(within.range()).unwrap_or_default();
    let own = places(part, name).filter(|at| !part.get(..*at).is_some_and(|before| before.ends_with('.')));
    own.filter_map(move |at| {
        let start = within.start.checked_add(u32::try_from(at).ok()?)?;
        Some(Span { start, end: start.checked_add(u32::try_from(name.len()).ok()?)? })
    })
}
