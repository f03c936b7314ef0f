//! What the code says elsewhere by the name of a parameter that nobody gives a value: it is tried with that.
//!
//! `template <int kHeadDim_, int kBlockM_> struct Backward` that nobody instantiates is tried with what `Forward<64, 128>` gives its
//! parameters `kHeadDim_` and `kBlockM_`. Values that stand together there stay together. `using ClusterShape = Shape<_2, _1>;` lends
//! too, and `constexpr int kStages = 2;`. Who shares most names lends first, and of several those whose files are nearest. What is lent
//! is tried, as all that is only listed: it may never stand there.

use std::path::Path;
use std::rc::Rc;

use super::{Instance, Instances, Owner, Template, Wanted, asked, unwritten};
use crate::ast::{DeclKind, ExprId, Param, ScopeId, ScopeKind, Site, Span};
use crate::eval::builtin::is_builtin;
use crate::eval::constants::is_integer_type;
use crate::eval::evaluator::{Context, Evaluator, bits};
use crate::eval::program::Program;
use crate::eval::reason::Reason;
use crate::eval::specialize::same;
use crate::eval::value::Value;
use foldhash::{HashMap, HashMapExt as _};

/// Letters of a name that says which value is meant: `N` is anybody's.
const MIN_NAME: usize = 3;

/// Templates that are asked for one template.
const MAX_LENDERS: usize = 256;

/// Sets of values of some parameters of a template.
#[derive(Debug)]
pub(super) struct Choice<'a> {
    /// Which parameters.
    pub at: Vec<usize>,
    /// One value for each of them.
    pub sets: Vec<Vec<Value<'a>>>,
}

/// Who may lend: a template, or the value of an alias or a constant and where its names are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum From {
    Template(Template),
    Value(u32, ScopeId, ExprId),
}

impl From {
    /// In the order of the text.
    fn place(self) -> (u32, u32, u32) {
        match self {
            Self::Template((unit, scope)) => (unit, scope.0, 0),
            Self::Value(unit, scope, expr) => (unit, scope.0, expr.0),
        }
    }

    fn unit(self) -> u32 {
        match self {
            Self::Template((unit, _)) | Self::Value(unit, ..) => unit,
        }
    }
}

/// What a project has of its own by the names of parameters, aliases and constants, without the underscores at the end: which of a
/// template's parameters it is, and whether it is a value.
pub(super) type Named<'a> = HashMap<&'a str, Vec<(From, usize, bool)>>;

/// Sets of values of parameters, if all are known.
pub(super) type Given<'a> = Option<Rc<Vec<Vec<Value<'a>>>>>;

/// Someone who has some parameters of a template by name.
struct Lender {
    from: From,
    /// Which parameter of the template each is, and which of its own.
    shared: Vec<(usize, usize)>,
    /// Folders that the files have in common.
    near: usize,
}

fn name_of<'a>(program: &Program<'a>, unit: u32, name: Span) -> Option<&'a str> {
    let name = program.text(Site { unit, span: name }).trim_end_matches('_');
    // `Shape` and `Layout` say what kind of thing it is, not which.
    (name.len() >= MIN_NAME && !is_builtin(name)).then_some(name)
}

/// The parameters of all templates, and what has a name; but what copies of CUTLASS have, which is made for any values.
pub(super) fn named<'a>(program: &Program<'a>, owners: &HashMap<Template, Owner<'a>>) -> Named<'a> {
    let mut named: Named<'a> = HashMap::new();
    for (template, owner) in owners {
        let (unit, scope) = *template;
        if program.is_vendored(unit) || matches!(owner, Owner::Switch(_)) {
            continue;
        }
        if let ScopeKind::Template(params) = &program.unit(unit).scope(scope).kind {
            for (at, param) in params.iter().enumerate().take(64).filter(|(_, param)| !param.pack) {
                if let Some(name) = name_of(program, unit, param.name) {
                    named.entry(name).or_default().push((From::Template(*template), at, param.value));
                }
            }
        }
    }
    for (of, unit) in program.units().iter().zip(0_u32..).filter(|(_, unit)| !program.is_vendored(*unit)) {
        for decl in of.decls.iter().filter(|decl| !decl.templated) {
            let (expr, value) = match decl.kind {
                DeclKind::Alias(expr) => (expr, false),
                DeclKind::Variable { init: Some(expr), constant: true, .. } => (expr, true),
                _ => continue,
            };
            // Only of what is a parameter somewhere.
            if let Some(found) = name_of(program, unit, decl.name).and_then(|name| named.get_mut(name)) {
                found.push((From::Value(unit, decl.inside, expr), 0, value));
            }
        }
    }
    for found in named.values_mut() {
        found.sort_unstable_by_key(|(from, at, _)| (from.place(), *at));
    }
    named
}

/// A number; of types a tuple of numbers whose type says them, and an element of known size. Others say what kind of thing they are, not which.
fn lendable(param: &Param, value: &Value<'_>, site: Site) -> bool {
    // Recursion: a value's size bounds how deeply it nests.
    fn of_numbers(value: &Value<'_>) -> bool {
        match value {
            Value::Number(number) => number.fixed,
            Value::Tuple(tuple) => !tuple.items.is_empty() && tuple.items.iter().all(of_numbers),
            // `Shape<int, int, _1>`: of run-time values.
            Value::Named(named) => named.class.is_none() && is_integer_type(named.name()),
            _ => false,
        }
    }
    match value {
        Value::Number(_) => param.value,
        Value::Tuple(_) => !param.value && of_numbers(value),
        Value::Named(_) => !param.value && !value.is_dependent() && bits(value, site).is_ok(),
        _ => false,
    }
}

impl<'a> Instances<'a> {
    /// What others lend to parameters of a template that are open, of which nothing is listed for the silent ones.
    pub(super) fn borrowed(
        &mut self,
        evaluator: &mut Evaluator<'a>,
        template: Template,
        mut open: Wanted,
        silent: Wanted,
    ) -> Vec<Choice<'a>> {
        let mut choices = Vec::new();
        if self.lending || silent == 0 || self.program.is_vendored(template.0) {
            return choices;
        }
        let mut lenders = self.lenders(template, open);
        while open & silent != 0 && !lenders.is_empty() {
            for lender in &mut lenders {
                lender.shared.retain(|(own, _)| open >> own & 1 == 1);
            }
            lenders.retain(|lender| lender.shared.iter().any(|(own, _)| open & silent & (1 << own) != 0));
            lenders.sort_by_key(|lender| std::cmp::Reverse((lender.shared.len(), lender.near)));
            // Of those that lend the same parameters from as near, all lend together.
            let mut found: Option<(Choice<'a>, usize)> = None;
            let mut rest = Vec::new();
            for lender in lenders {
                if let Some((choice, near)) = &found
                    && (lender.near != *near || lender.shared.iter().map(|(own, _)| own).ne(&choice.at))
                {
                    rest.push(lender);
                    continue;
                }
                let Some(choice) = self.lend(evaluator, template, &lender, silent) else { continue };
                match &mut found {
                    None => found = Some((choice, lender.near)),
                    Some((known, _)) if known.at == choice.at => {
                        for set in choice.sets {
                            if !known.sets.iter().any(|other| alike(other, &set)) {
                                known.sets.push(set);
                            }
                        }
                    }
                    Some(_) => {}
                }
            }
            lenders = rest;
            if self.looks > self.last {
                return Vec::new();
            }
            if let Some((choice, _)) = found {
                for own in &choice.at {
                    open &= !(1 << own);
                }
                choices.push(choice);
            }
        }
        choices
    }

    /// The templates that share names with some parameters of a template.
    fn lenders(&mut self, template: Template, open: Wanted) -> Vec<Lender> {
        let program = self.program;
        if self.by_param.is_none() {
            self.by_param = Some(Rc::new(named(program, &self.index.owners)));
        }
        let Some(named) = self.by_param.clone() else { return Vec::new() };
        let params = self.params(template);
        let mut lenders: HashMap<From, Vec<(usize, usize)>> = HashMap::new();
        for (own, param) in params.iter().enumerate().filter(|(own, _)| *own < 64 && open >> own & 1 == 1) {
            let Some(name) = name_of(program, template.0, param.name) else { continue };
            for (from, theirs, value) in named.get(name).into_iter().flatten() {
                if *from != From::Template(template) && *value == param.value {
                    lenders.entry(*from).or_default().push((own, *theirs));
                }
            }
        }
        let file = |unit: u32| program.sources().get(program.unit(unit).file).map(|source| source.path.as_path());
        let here = file(template.0);
        let near = |unit: u32| here.zip(file(unit)).map_or(0, |(here, there)| common(here, there));
        let lenders = lenders.into_iter().map(|(from, shared)| Lender { from, shared, near: near(from.unit()) });
        let mut all: Vec<Lender> = lenders.collect();
        all.sort_by_key(|of| (std::cmp::Reverse((of.shared.len(), of.near)), of.from.place()));
        all.truncate(MAX_LENDERS);
        all
    }

    /// What one lends: sets of values of those parameters that have one that can be lent.
    fn lend(
        &mut self,
        evaluator: &mut Evaluator<'a>,
        template: Template,
        lender: &Lender,
        silent: Wanted,
    ) -> Option<Choice<'a>> {
        let wanted: Wanted = lender.shared.iter().fold(0, |wanted, (_, theirs)| wanted | 1 << theirs);
        let sets = self.given(evaluator, lender.from, wanted)?;
        let params = self.params(template);
        let has = |set: &[Value<'a>], (own, theirs): (usize, usize)| {
            params
                .get(own)
                .zip(set.get(theirs))
                .is_some_and(|(param, value)| lendable(param, value, Site { unit: template.0, span: param.name }))
        };
        let mut kept = lender.shared.clone();
        kept.retain(|shared| sets.iter().any(|set| has(set, *shared)));
        if kept.iter().all(|(own, _)| silent >> own & 1 == 0) {
            return None;
        }
        let mut choice = Choice { at: kept.iter().map(|(own, _)| *own).collect(), sets: Vec::new() };
        for set in sets.iter().filter(|set| kept.iter().all(|shared| has(set, *shared))) {
            let set: Vec<Value<'a>> =
                kept.iter().filter_map(|(_, theirs)| set.get(*theirs).cloned().map(unwritten)).collect();
            if !choice.sets.iter().any(|known| alike(known, &set)) {
                choice.sets.push(set);
            }
        }
        (!choice.sets.is_empty()).then_some(choice)
    }

    /// All sets of values that someone has to lend; none where there are more than are looked at.
    fn given(&mut self, evaluator: &mut Evaluator<'a>, from: From, wanted: Wanted) -> Given<'a> {
        if let Some(known) = self.given.get(&(from, wanted)) {
            return known.clone();
        }
        // As if it were asked by itself, so that the answer is the same for whoever borrows.
        let running = std::mem::take(&mut self.running);
        let cut = std::mem::replace(&mut self.cut, usize::MAX);
        self.lending = true;
        let found = match from {
            From::Template(template) => {
                let (instances, more) = self.of(evaluator, template, wanted, 0);
                let sure = instances.iter().filter(|instance| !instance.tried);
                let known =
                    |instance: &&Instance<'a>| asked(wanted, &instance.values).all(|(_, value)| !value.is_dependent());
                let sets = sure.filter(known).map(|instance| instance.values.clone());
                (more == 0).then(|| Rc::new(sets.collect()))
            }
            From::Value(unit, scope, expr) => {
                let mut ask = |evaluator: &mut Evaluator<'a>, context: &Context<'a>| {
                    let value = evaluator.evaluate(expr, context);
                    let needs = match &value {
                        Ok(value) => value.hangs(),
                        Err(why) => (why.reason == Reason::Dependent).then_some(why.site),
                    };
                    (value.ok(), needs.into_iter().collect())
                };
                let answers = self.explore(evaluator, (unit, scope), 0, &mut ask);
                let sure = answers.each.into_iter().filter(|answer| !answer.env.as_ref().is_some_and(|it| it.tried));
                let sets: Vec<Vec<Value<'a>>> = sure
                    .filter_map(|answer| answer.value)
                    .filter(|value| !value.is_dependent())
                    .map(|value| vec![value])
                    .collect();
                (answers.more == 0).then(|| Rc::new(sets))
            }
        };
        self.lending = false;
        self.running = running;
        if self.looks > self.last {
            self.cut = 0;
            return None;
        }
        self.cut = cut;
        self.given.insert((from, wanted), found.clone());
        found
    }
}

fn alike(a: &[Value<'_>], b: &[Value<'_>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

/// How many folders two paths have in common.
fn common(a: &Path, b: &Path) -> usize {
    let folders =
        |path: &Path| path.parent().map(|path| path.components().map(|part| part.as_os_str().to_owned()).collect());
    let (a, b): (Option<Vec<_>>, Option<Vec<_>>) = (folders(a), folders(b));
    a.unwrap_or_default().iter().zip(&b.unwrap_or_default()).take_while(|(a, b)| a == b).count()
}
