//! With which arguments a code base instantiates its templates: a layout in a template is looked at for each of them.
//!
//! Nothing is made up: the arguments are those that stand somewhere after the template's name, the values that a switch macro
//! lists, and defaults. Arguments that are parameters of a template themselves are followed to where that one is instantiated.
//! A parameter that nobody gives a value is tried with the values that the code lists for it ([`Lists`]); what is found so is
//! marked as tried.
//!
//! Only parameters that something hangs on are looked at: a kernel's eight switches that its layouts do not mention would make
//! 256 instances of each. Values that stand together in one instantiation stay together.
//!
//! Symbols that stand for all values of a parameter would be one more kind of [`Instance`].

mod index;
mod lent;
mod made;
mod said;
mod switches;
mod tried;

use foldhash::{HashMap, HashMapExt as _};
use std::rc::Rc;
use std::sync::Arc;

use super::evaluator::{Context, Evaluator};
use super::listed::Lists;
use super::measure::Measure;
use super::program::{DeclRef, Namespace, Program};
use super::reason::Reason;
use super::specialize::same;
use super::value::{Bindings, Frame, Number, Value};
use crate::ast::{ExprId, Param, Path, ScopeId, ScopeKind, Site};
use crate::source::places;
use said::Said;

pub use index::Index;

/// Instances of one template, and of the templates around one layout together.
pub const MAX_INSTANCES: usize = 256;

/// Places that are looked at for one template.
const MAX_MENTIONS: usize = 512;

/// Templates that are followed from one to the next.
const MAX_CHAIN: usize = 8;

/// Places that are looked at for one layout: a few in the first pass over all of them, more in the second.
pub const PASSES: [usize; 2] = [64, 4_096];

/// Parts of values that are remembered of what mentions say.
const MAX_REMEMBERED: usize = 1 << 20;

/// A template's parameters: their unit and scope.
pub type Template = (u32, ScopeId);

#[derive(Debug, Clone)]
enum Owner<'a> {
    Class(&'a str, DeclRef),
    /// A function or alias, which is found by its name: nothing else in its namespace or class may have it.
    Named(&'a str, Home),
    Switch(&'a str),
}

/// Where a function or alias is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Home {
    Space(Namespace),
    /// In a program, which nobody else includes: its unit. Another program may have a function of that name too.
    Own(u32, Namespace),
    /// A function that is a member of a class: its unit and the scope of the members.
    Members(u32, ScopeId),
}

#[derive(Debug, Clone, Copy)]
struct Mention<'a> {
    unit: u32,
    scope: ScopeId,
    path: &'a Path,
    /// How many segments lead to the template.
    count: usize,
    /// The arguments of a call, from which those of the template are deduced.
    call: Option<&'a [ExprId]>,
}

/// Values of a template's parameters. Those that nobody asked for are left out.
#[derive(Debug, Clone)]
pub struct Instance<'a> {
    values: Vec<Value<'a>>,
    /// Whether the values are listed somewhere, but not known to stand together in an instantiation.
    tried: bool,
}

impl<'a> Instance<'a> {
    /// Takes over what the numbers of an equal instance count, where this one's do not say it or are only tried.
    fn counts(&mut self, values: &[Value<'a>]) {
        for pair in self.values.iter_mut().zip(values) {
            if let (Value::Number(own), Value::Number(other)) = pair
                && (self.tried || own.measure == Measure::Unknown)
            {
                own.measure = other.measure;
            }
        }
    }
}

/// Which parameters of a template are asked for, a bit each.
type Wanted = u64;

/// What something comes to for some values of the parameters around it.
#[derive(Debug)]
pub struct Answer<'a, T> {
    /// The values.
    pub env: Bindings<'a>,
    /// What it comes to.
    pub value: T,
}

/// What something comes to in each way in which the templates around it are instantiated.
#[derive(Debug)]
pub struct Answers<'a, T> {
    /// One each.
    pub each: Vec<Answer<'a, T>>,
    /// How many more there are that were not looked at.
    pub more: usize,
}

/// What is known of all templates.
#[derive(Debug)]
pub struct Instances<'a> {
    program: &'a Program<'a>,
    /// What the units say, which all that ask share.
    index: Arc<Index<'a>>,
    /// By whether they are asked for to be lent.
    known: HashMap<(Template, Wanted, bool), Known<'a>>,
    /// What each mention of a template says of its parameters where those around it have no values, whichever are asked for.
    said: HashMap<(Template, usize), Said<'a>>,
    /// How many parts the values in it have.
    remembered: usize,
    /// Templates that are being looked at, and how far along the chain.
    running: HashMap<Template, usize>,
    /// The least place in the chain at which a circle cut the present search short.
    cut: usize,
    /// The values of each switch macro, and whether its definitions differ.
    switches: HashMap<&'a str, (Vec<i128>, bool)>,
    /// Templates by the names of their parameters, once it was asked for.
    by_param: Option<Rc<lent::Named<'a>>>,
    /// What instantiations give some parameters, once it was asked for to be lent.
    given: HashMap<(lent::From, Wanted), lent::Given<'a>>,
    /// Whether a template is being asked what it can lend: it does not borrow itself.
    lending: bool,
    lists: Option<Lists<'a>>,
    looks: usize,
    /// At how many looks the present question ends.
    last: usize,
    /// At how many the present pass ends.
    most: usize,
}

/// The instances of a template, and how many more there are.
type Known<'a> = (Rc<Vec<Instance<'a>>>, usize);

impl<'a> Instances<'a> {
    /// What an index says about templates.
    pub fn new(program: &'a Program<'a>, index: &Arc<Index<'a>>) -> Self {
        Self {
            program,
            index: index.clone(),
            known: HashMap::new(),
            said: HashMap::new(),
            remembered: 0,
            running: HashMap::new(),
            cut: usize::MAX,
            switches: HashMap::new(),
            by_param: None,
            given: HashMap::new(),
            lending: false,
            lists: None,
            looks: 0,
            last: 0,
            most: 0,
        }
    }

    /// The templates around a scope that have parameters, from the outside in.
    pub fn around(program: &Program<'_>, unit: u32, scope: ScopeId) -> Vec<Template> {
        let of = program.unit(unit);
        let mut found = Vec::new();
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = of.scope(id);
            if let ScopeKind::Template(params) = &scope.kind
                && !params.is_empty()
            {
                found.push((unit, id));
            }
            at = scope.parent;
        }
        found.reverse();
        found
    }

    /// The name under which a template is instantiated.
    pub fn name(&self, template: Template) -> Option<&'a str> {
        self.index.owners.get(&template).map(Owner::name)
    }

    /// Begins a pass over some questions, which together may look at so many places.
    pub fn pass(&mut self, looks: usize) {
        self.most = self.looks + looks;
    }

    /// What something comes to in each way in which the code base instantiates the templates around it. `ask` says what it comes
    /// to, and the parameters without a value that it hangs on.
    ///
    /// `None` when that takes more than so many looks.
    pub fn answers<T>(
        &mut self,
        evaluator: &mut Evaluator<'a>,
        (unit, scope): (u32, ScopeId),
        looks: usize,
        mut ask: impl FnMut(&mut Evaluator<'a>, &Context<'a>) -> (T, Vec<Site>),
    ) -> Option<Answers<'a, T>> {
        self.last = self.looks.saturating_add(looks).min(self.most);
        let answers = self.explore(evaluator, (unit, scope), 0, &mut ask);
        (self.looks <= self.last).then_some(answers)
    }

    // Recursion: `chain` grows with each template that is followed.
    fn explore<T>(
        &mut self,
        evaluator: &mut Evaluator<'a>,
        (unit, scope): (u32, ScopeId),
        chain: usize,
        ask: &mut impl FnMut(&mut Evaluator<'a>, &Context<'a>) -> (T, Vec<Site>),
    ) -> Answers<'a, T> {
        let templates = Self::around(self.program, unit, scope);
        let guards = self.program.guards(unit, scope);
        let mut wanted: Vec<Wanted> = vec![0; templates.len()];
        loop {
            let (contexts, more) = self.contexts(evaluator, &templates, &wanted, chain);
            let mut each = Vec::with_capacity(contexts.len());
            let mut needs: Vec<Site> = Vec::new();
            for env in contexts {
                self.looks += 1;
                if self.looks > self.last {
                    // Cut short, so nobody else is told.
                    self.cut = 0;
                    return Answers { each: Vec::new(), more: 0 };
                }
                let mut compiled = true;
                for (condition, around, taken) in &guards {
                    let context = Context { unit, scope: *around, env: env.clone() };
                    match evaluator.evaluate(*condition, &context) {
                        Ok(Value::Number(number)) => compiled &= (number.value != 0) == *taken,
                        Ok(value) => needs.extend(value.hangs()),
                        Err(why) => needs.extend((why.reason == Reason::Dependent).then_some(why.site)),
                    }
                }
                if compiled {
                    let (value, sites) = ask(evaluator, &Context { unit, scope, env: env.clone() });
                    needs.extend(sites);
                    each.push(Answer { env, value });
                }
            }
            let before = wanted.clone();
            for site in needs {
                let more = match self.located(&templates, site) {
                    Some((at, index)) => vec![(at, 1 << index)],
                    None => self.meant(&templates, site, &wanted),
                };
                for (at, more) in more {
                    wanted[at] |= more;
                }
            }
            if wanted == before {
                return Answers { each, more };
            }
        }
    }

    /// Which of some templates declares a parameter, and which of its parameters it is.
    fn located(&self, templates: &[Template], site: Site) -> Option<(usize, usize)> {
        templates.iter().enumerate().find_map(|(at, template)| {
            let index = self.params(*template).iter().position(|param| param.name == site.span);
            index.filter(|index| template.0 == site.unit && *index < 64).map(|index| (at, index))
        })
    }

    /// What something hangs on that is no parameter itself: those that it names, and where these have values already, any.
    fn meant(&self, templates: &[Template], site: Site, wanted: &[Wanted]) -> Vec<(usize, Wanted)> {
        let said = self.program.text(site);
        let names = |template: &Template| {
            let params = self.params(*template).iter().take(64).enumerate();
            let named = params.filter(|(_, param)| {
                let name = self.program.text(Site { unit: template.0, span: param.name });
                template.0 == site.unit && places(said, name).next().is_some()
            });
            named.fold(0, |wanted, (index, _)| wanted | 1 << index)
        };
        let named: Vec<Wanted> = templates.iter().map(names).collect();
        let new = named.iter().zip(wanted).any(|(named, wanted)| named & !wanted != 0);
        let of = |(at, template)| (at, if new { named[at] } else { self.all(template) });
        templates.iter().copied().enumerate().map(of).collect()
    }

    fn params(&self, (unit, scope): Template) -> &'a [Param] {
        match &self.program.unit(unit).scope(scope).kind {
            ScopeKind::Template(params) => params,
            _ => &[],
        }
    }

    /// All parameters of a template.
    fn all(&self, template: Template) -> Wanted {
        match self.params(template).len() {
            count @ 0..64 => (1 << count) - 1,
            _ => Wanted::MAX,
        }
    }

    /// Values of the parameters that are asked for, one entry for each way in which the code base instantiates the templates.
    /// Parameters of a template that is instantiated nowhere have none. And how many more there are.
    fn contexts(
        &mut self,
        evaluator: &mut Evaluator<'a>,
        templates: &[Template],
        wanted: &[Wanted],
        chain: usize,
    ) -> (Vec<Bindings<'a>>, usize) {
        let mut contexts: Vec<Bindings<'a>> = vec![None];
        let mut all = 1_usize;
        for (template, wanted) in templates.iter().zip(wanted).filter(|(_, wanted)| **wanted != 0) {
            let (instances, more) = self.of(evaluator, *template, *wanted, chain);
            if instances.is_empty() {
                continue;
            }
            all = all.saturating_mul(instances.len().saturating_add(more));
            // Two templates inside of each other are instantiated together, and it is not known which with which.
            let mixed = contexts.len() > 1 && instances.len() > 1;
            let mut next = Vec::new();
            'all: for outer in &contexts {
                for instance in instances.iter() {
                    if next.len() >= MAX_INSTANCES {
                        break 'all;
                    }
                    let frame = Frame::new(*template, instance.values.clone(), outer.clone());
                    next.push(Some(Rc::new(frame.tried(instance.tried || mixed))));
                }
            }
            contexts = next;
        }
        let more = all.saturating_sub(contexts.len());
        (contexts, more)
    }

    fn of(&mut self, evaluator: &mut Evaluator<'a>, template: Template, wanted: Wanted, chain: usize) -> Known<'a> {
        if let Some(known) = self.known.get(&(template, wanted, self.lending)) {
            return known.clone();
        }
        if chain >= MAX_CHAIN {
            self.cut = 0;
            return (Rc::default(), 0);
        }
        if let Some(at) = self.running.get(&template) {
            self.cut = self.cut.min(*at);
            return (Rc::default(), 0);
        }
        let before = std::mem::replace(&mut self.cut, usize::MAX);
        self.running.insert(template, chain);
        let (instances, mut more) = self.look(evaluator, template, wanted, chain);
        let instances = self.completed(evaluator, template, wanted, instances, &mut more);
        let found: Known<'a> = (Rc::new(instances), more);
        self.running.remove(&template);
        // What a circle through a template further up, or a long chain, cut short is not the whole truth for others.
        if self.cut >= chain && self.looks <= self.last {
            self.known.insert((template, wanted, self.lending), found.clone());
            self.cut = before;
        } else {
            self.cut = self.cut.min(before);
        }
        found
    }
}

impl<'a> Owner<'a> {
    fn name(&self) -> &'a str {
        match self {
            Self::Class(name, _) | Self::Named(name, _) | Self::Switch(name) => name,
        }
    }
}

/// A value that no longer claims to stand in the text as a number: a fix does not change where a template is instantiated.
fn unwritten(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Number(number) => Value::Number(Number { literal: false, ..number }),
        other => other,
    }
}

/// A parameter without a value.
fn unbound<'a>(program: &'a Program<'a>, template: Template, index: usize) -> Value<'a> {
    let span = match &program.unit(template.0).scope(template.1).kind {
        ScopeKind::Template(params) => params.get(index).map(|param| param.name).unwrap_or_default(),
        _ => crate::ast::Span::default(),
    };
    let site = Site { unit: template.0, span };
    Value::Param(program.text(site), site)
}

/// The values of the parameters that are asked for.
fn asked<'v, 'a>(wanted: Wanted, values: &'v [Value<'a>]) -> impl Iterator<Item = (usize, &'v Value<'a>)> {
    values.iter().enumerate().filter(move |(at, _)| *at < 64 && wanted >> at & 1 == 1)
}

fn equal(wanted: Wanted, a: &[Value<'_>], b: &[Value<'_>]) -> bool {
    let hopeless = |value: &Value<'_>| matches!(value, Value::Param(..) | Value::Opaque(_));
    let runs = |value: &Value<'_>| matches!(value, Value::Opaque(why) if why.reason == Reason::RunTime);
    let same = |(a, b): (&Value<'_>, &Value<'_>)| (hopeless(a) && hopeless(b) && runs(a) == runs(b)) || same(a, b);
    a.len() == b.len() && asked(wanted, a).zip(asked(wanted, b)).all(|((_, a), (_, b))| same((a, b)))
}

#[cfg(test)]
mod tests;
