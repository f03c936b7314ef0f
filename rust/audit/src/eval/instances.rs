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

mod lent;
mod said;

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};
use std::rc::Rc;

use rayon::prelude::*;

use super::evaluator::{Context, Evaluator, bits};
use super::listed::{Defined, Lists, listed};
use super::program::{DeclRef, Namespace, Program};
use super::reason::Reason;
use super::specialize::same;
use super::value::{Bindings, Frame, Number, Value};
use crate::ast::{DeclKind, Expr, ExprId, Param, Path, ScopeId, ScopeKind, Site, Unit};
use crate::source::is_identifier;
use lent::Choice;
use said::{Said, said};

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
    owners: HashMap<Template, Owner<'a>>,
    /// How many functions and aliases have a name, by namespace.
    named: HashMap<&'a str, HashMap<Home, usize>>,
    mentions: HashMap<&'a str, Vec<Mention<'a>>>,
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
    /// What each template demands of its parameters.
    asserts: HashMap<Template, Vec<(ExprId, ScopeId)>>,
    /// How many functions of a name the files define, once it was asked for.
    defined: Option<HashMap<&'a str, usize>>,
    /// Types that macros give a name.
    hidden: Option<Rc<HashSet<&'a str>>>,
    looks: usize,
    /// At how many looks the present question ends.
    last: usize,
    /// At how many the present pass ends.
    most: usize,
}

/// The instances of a template, and how many more there are.
type Known<'a> = (Rc<Vec<Instance<'a>>>, usize);

impl<'a> Instances<'a> {
    /// Everything that the units say about templates.
    pub fn new(program: &'a Program<'a>) -> Self {
        let mut all = Self {
            program,
            owners: HashMap::new(),
            named: HashMap::new(),
            mentions: HashMap::new(),
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
            asserts: HashMap::new(),
            defined: None,
            hidden: None,
            looks: 0,
            last: 0,
            most: 0,
        };
        for (of, unit) in program.units().iter().zip(0_u32..) {
            all.owners_in(of, unit);
            for (expr, scope) in &of.asserts {
                // One in a branch demands nothing where that is not taken.
                if program.guards(unit, *scope).is_empty()
                    && let Some(template) = Self::around(program, unit, *scope).pop()
                {
                    all.asserts.entry(template).or_default().push((*expr, *scope));
                }
            }
        }
        let names: HashSet<&'a str> = all.owners.values().map(Owner::name).collect();
        for (of, unit) in program.units().iter().zip(0_u32..) {
            all.mentions_in(of, unit, &names);
        }
        // In the order of the text: what is told of several instances begins with the first.
        for found in all.mentions.values_mut() {
            let place = |mention: &Mention<'a>| mention.path.segments.first().map(|segment| segment.name.start);
            found.sort_by_key(|mention| (mention.unit, place(mention)));
        }
        all
    }

    fn owners_in(&mut self, of: &'a Unit, unit: u32) {
        let program = self.program;
        for (decl, id) in of.decls.iter().zip(0_u32..) {
            if !decl.templated {
                continue;
            }
            let name = program.text(Site { unit, span: decl.name });
            let owner = match decl.kind {
                DeclKind::Class { .. } => Owner::Class(name, DeclRef { unit, id: crate::ast::DeclId(id) }),
                DeclKind::Alias(_) => {
                    let home = Home::Space(program.home(unit, decl.inside));
                    *self.named.entry(name).or_default().entry(home).or_default() += 1;
                    Owner::Named(name, home)
                }
                _ => continue,
            };
            self.owners.insert((unit, decl.inside), owner);
        }
        for function in &of.functions {
            let name = program.text(Site { unit, span: function.name });
            let home = match of.scope(function.around).kind {
                ScopeKind::Class(_) => Home::Members(unit, function.around),
                _ => Home::Space(program.home(unit, function.around)),
            };
            *self.named.entry(name).or_default().entry(home).or_default() += 1;
            if let Some(scope) = function.scope {
                self.owners.insert((unit, scope), Owner::Named(name, home));
            }
        }
        for switch in &of.switches {
            self.owners.insert((unit, switch.scope), Owner::Switch(program.text(Site { unit, span: switch.name })));
        }
    }

    fn mentions_in(&mut self, of: &'a Unit, unit: u32, names: &HashSet<&'a str>) {
        let mut seen = vec![false; of.exprs.len()];
        let mut queue: Vec<(ExprId, ScopeId)> = of.mentions.clone();
        for decl in &of.decls {
            let inside = decl.inside;
            match &decl.kind {
                DeclKind::Alias(value) => queue.push((*value, inside)),
                DeclKind::Variable { ty, init, .. } => {
                    queue.extend([*ty, *init].into_iter().flatten().map(|expr| (expr, inside)));
                }
                DeclKind::Class { bases, .. } => queue.extend(bases.iter().map(|base| (*base, inside))),
                _ => {}
            }
        }
        while let Some((expr, scope)) = queue.pop() {
            match seen.get_mut(expr.0 as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let mut next = |expr: ExprId| queue.push((expr, scope));
            match of.expr(expr) {
                Expr::Path(path) => {
                    for (segment, before) in path.segments.iter().zip(1..) {
                        let Some(args) = &segment.args else { continue };
                        args.iter().copied().for_each(&mut next);
                        let name = self.program.text(Site { unit, span: segment.name });
                        if names.contains(name) {
                            let found = self.mentions.entry(name).or_default();
                            if found.len() < MAX_MENTIONS {
                                found.push(Mention { unit, scope, path, count: before, call: None });
                            }
                        }
                    }
                }
                Expr::Call(callee, args) => {
                    args.iter().copied().for_each(&mut next);
                    let Expr::Path(path) = of.expr(*callee) else {
                        next(*callee);
                        continue;
                    };
                    let name = path.segments.last().map(|last| self.program.text(Site { unit, span: last.name }));
                    let Some(name) = name.filter(|name| self.named.contains_key(name) && names.contains(name)) else {
                        next(*callee);
                        continue;
                    };
                    path.segments.iter().flat_map(|part| part.args.iter().flatten()).copied().for_each(next);
                    let found = self.mentions.entry(name).or_default();
                    if found.len() < MAX_MENTIONS {
                        let count = path.segments.len();
                        found.push(Mention { unit, scope, path, count, call: Some(args) });
                    }
                }
                Expr::Construct(callee, args) => {
                    next(*callee);
                    args.iter().copied().for_each(next);
                }
                Expr::Member(of, _) | Expr::Unary(_, of) | Expr::Pack(of) | Expr::Sizeof(of) => next(*of),
                Expr::Binary(_, a, b) | Expr::Array(a, b) => [*a, *b].into_iter().for_each(next),
                Expr::Conditional(a, b, c) => [*a, *b, *c].into_iter().for_each(next),
                Expr::Number(_) | Expr::Broken | Expr::Opaque => {}
            }
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
        self.owners.get(&template).map(Owner::name)
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
                match self.located(&templates, site) {
                    Some((at, index)) => wanted[at] |= 1 << index,
                    // It hangs on something, and it is not known on what: on anything.
                    None => wanted.iter_mut().zip(&templates).for_each(|(wanted, template)| {
                        *wanted |= self.all(*template);
                    }),
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

    /// The instances that the code base makes.
    fn look(
        &mut self,
        evaluator: &mut Evaluator<'a>,
        template: Template,
        wanted: Wanted,
        chain: usize,
    ) -> (Vec<Instance<'a>>, usize) {
        let none = (Vec::new(), 0);
        let Some(owner) = self.owners.get(&template).cloned() else { return none };
        let (name, class, home) = match owner {
            Owner::Switch(name) => return (self.switch(name, template), 0),
            Owner::Class(name, decl) => (name, Some(decl), None),
            Owner::Named(name, home) if self.is_alone(name, home) => (name, None, Some(home)),
            Owner::Named(..) => return none,
        };
        let mentions = self.mentions.get(name).cloned().unwrap_or_default();
        if mentions.len() >= MAX_MENTIONS {
            return none;
        }
        let (program, params) = (self.program, self.params(template));
        let hidden = Rc::clone(self.hidden.get_or_insert_with(|| Rc::new(named_by_macros(program.sources()))));
        let mut found: Vec<Instance<'a>> = Vec::new();
        let mut more = 0_usize;
        for (index, mention) in mentions.into_iter().enumerate() {
            if home.is_some_and(|home| !self.means(&mention, name, home)) {
                continue;
            }
            let place = (mention.unit, mention.scope);
            let inside = Self::around(program, mention.unit, mention.scope).contains(&template);
            let members = match home {
                Some(Home::Members(unit, members)) if mention.count > 1 => Some((unit, members)),
                _ => None,
            };
            // Asked again and again, as the templates around layouts and the parameters that these hang on differ.
            let mut bare = self.said.get(&(template, index)).cloned();
            let known = bare.is_some();
            let mut ask = |evaluator: &mut Evaluator<'a>, context: &Context<'a>| {
                let said = if let Some(said) = bare.as_ref().filter(|_| context.env.is_none()) {
                    said.clone()
                } else {
                    let (said, certain) =
                        said(evaluator, &mention, (template, params), class, members, &hidden, context);
                    if certain && context.env.is_none() {
                        bare = Some(said.clone());
                    }
                    said
                };
                match said {
                    Said::Values(values) => {
                        // What the call does not tell stays the template's own parameter, whatever is known around the call.
                        let own =
                            |site: &Site| site.unit == template.0 && params.iter().any(|param| param.name == site.span);
                        let needs = asked(wanted, &values).filter_map(|(_, value)| value.hangs());
                        let needs = needs.filter(|site| inside || !own(site)).collect();
                        (Some(values), needs)
                    }
                    Said::Nothing(site) => (None, site.into_iter().collect()),
                }
            };
            let answers = self.explore(evaluator, place, chain + 1, &mut ask);
            if let Some(said) = bare.filter(|_| !known && self.remembered < MAX_REMEMBERED) {
                self.remembered += said.weight();
                self.said.insert((template, index), said);
            }
            if self.looks > self.last {
                return none;
            }
            more = more.saturating_add(answers.more);
            for Answer { env, value } in answers.each {
                let Some(values) = value else { continue };
                let only = |(at, value): (usize, Value<'a>)| {
                    if at < 64 && wanted >> at & 1 == 1 { value } else { unbound(program, template, at) }
                };
                let values: Vec<Value<'a>> = values.iter().cloned().enumerate().map(only).collect();
                let tried = env.as_ref().is_some_and(|frame| frame.tried);
                if !fits(params, wanted, &values) {
                    continue;
                }
                if let Some(known) = found.iter_mut().find(|known| equal(wanted, &known.values, &values)) {
                    known.tried &= tried;
                } else if found.len() < MAX_INSTANCES {
                    found.push(Instance { values, tried });
                } else {
                    more += 1;
                }
            }
        }
        found.retain(|instance| self.allowed(evaluator, template, &instance.values));
        (found, more)
    }

    /// Whether a function or alias is the only one of its name in its namespace, and all of that name are known.
    fn is_alone(&mut self, name: &'a str, home: Home) -> bool {
        let Some(all) = self.named.get(name) else { return false };
        let (here, count) = (all.get(&home).copied(), all.values().sum());
        here == Some(1) && self.defined(name) <= count
    }

    /// Whether a mention of a name is that of a function or alias in a namespace.
    fn means(&self, mention: &Mention<'a>, name: &str, home: Home) -> bool {
        let before = mention.path.segments.get(..mention.count.saturating_sub(1)).unwrap_or_default();
        let of = self.program.unit(mention.unit);
        if let Home::Members(unit, members) = home {
            // Which class a qualified name names is told when it is looked at. A plain one stands inside of the class.
            let mut at = Some(mention.scope);
            while let Some(scope) = at.filter(|_| unit == mention.unit) {
                if scope == members {
                    return before.is_empty();
                }
                at = of.scope(scope).parent;
            }
            return !before.is_empty();
        }
        // A member of some class is not the function of that name.
        if before.iter().any(|part| part.args.is_some()) {
            return false;
        }
        let all = self.named.get(name);
        let has = |space: Namespace| all.is_some_and(|all| all.contains_key(&Home::Space(space)));
        let from = self.program.home(mention.unit, mention.scope);
        if before.is_empty() && !mention.path.absolute {
            // From the inside out, as names are looked up.
            let mut at = Some(from);
            while let Some(space) = at {
                let found = std::iter::once(space).chain(self.program.used_in(space)).find(|space| has(*space));
                if let Some(found) = found {
                    return Home::Space(found) == home;
                }
                at = self.program.outer(space);
            }
            // By the types of its arguments, or by a `using` in a block.
            return all.is_some_and(|all| all.len() == 1);
        }
        let space = Path { absolute: mention.path.absolute, segments: before.to_vec() };
        match self.program.namespace(mention.unit, &space, from) {
            Some(space) => Home::Space(space) == home,
            // A class's, or one that is declared nowhere.
            None => all.is_some_and(|all| all.len() == 1),
        }
    }

    /// Whether a template's `static_assert`s hold, as far as they can be told.
    fn allowed(&self, evaluator: &mut Evaluator<'a>, template: Template, values: &[Value<'a>]) -> bool {
        let Some(asserts) = self.asserts.get(&template) else { return true };
        let env = Some(Rc::new(Frame::new(template, values.to_vec(), None)));
        asserts.iter().all(|(expr, scope)| {
            let context = Context { unit: template.0, scope: *scope, env: env.clone() };
            !matches!(evaluator.evaluate(*expr, &context), Ok(Value::Number(number)) if number.value == 0)
        })
    }

    /// The instances, with what is listed for parameters that are asked for and have no value.
    fn completed(
        &mut self,
        evaluator: &mut Evaluator<'a>,
        template: Template,
        wanted: Wanted,
        instances: Vec<Instance<'a>>,
        more: &mut usize,
    ) -> Vec<Instance<'a>> {
        // What is given and not understood says nothing; but where another is understood, it is the reason why not all are.
        let unsaid = |value: &Value<'a>| match value {
            Value::Opaque(why) => why.reason != Reason::RunTime,
            // A type that no file declares, as where a script writes it.
            Value::Named(named) => {
                let plain = named.class.is_none() && named.args.is_none() && named.path.len() == 1;
                plain && bits(value, named.site).is_err_and(|why| why.reason == Reason::UnknownName)
            }
            _ => false,
        };
        let complete = |instance: &Instance<'a>| {
            asked(wanted, &instance.values).all(|(_, value)| !value.is_dependent() && !unsaid(value))
        };
        if instances.iter().any(complete) || matches!(self.owners.get(&template), Some(Owner::Switch(_))) {
            return instances;
        }
        let given = instances.clone();
        let mut instances = instances;
        for instance in &mut instances {
            for (at, value) in instance.values.iter_mut().enumerate().filter(|(_, value)| unsaid(value)) {
                *value = unbound(self.program, template, at);
            }
        }
        let choices = self.choices(evaluator, template, wanted, &instances);
        let (program, params) = (self.program, self.params(template));
        let defaults =
            params.iter().enumerate().any(|(at, param)| at < 64 && wanted >> at & 1 == 1 && param.default.is_some());
        if choices.is_empty() && !defaults {
            return given;
        }
        let starts = if instances.is_empty() {
            let values = (0..params.len()).map(|at| unbound(program, template, at)).collect();
            vec![Instance { values, tried: true }]
        } else {
            instances
        };
        let mut found: Vec<Instance<'a>> = Vec::new();
        for (index, start) in starts.into_iter().enumerate() {
            let before = given.get(index).map(|instance| instance.values.clone()).unwrap_or_default();
            let mut all = vec![start];
            for Choice { at, sets } in &choices {
                let open = |instance: &Instance<'a>| {
                    at.iter().any(|at| instance.values.get(*at).is_some_and(Value::is_dependent))
                };
                if !all.iter().any(open) {
                    continue;
                }
                let count = all.len();
                let (mut next, mut refused) = (Vec::new(), false);
                for (instance, set) in all.iter().flat_map(|instance| sets.iter().map(move |set| (instance, set))) {
                    if next.len() >= MAX_INSTANCES {
                        *more = more.saturating_add((count * sets.len()).saturating_sub(next.len()));
                        break;
                    }
                    let mut instance = Instance { tried: true, ..instance.clone() };
                    let mut fits = true;
                    for (at, value) in at.iter().zip(set) {
                        match instance.values.get_mut(*at) {
                            Some(open) if open.is_dependent() => *open = value.clone(),
                            Some(known) => fits &= same(known, value),
                            None => {}
                        }
                    }
                    if fits && self.allowed(evaluator, template, &instance.values) {
                        next.push(instance);
                    } else {
                        refused |= fits;
                    }
                }
                // Where nothing goes with the values that are known, what is open stays so.
                if !next.is_empty() || refused {
                    all = next;
                }
            }
            for mut instance in all {
                self.defaults(evaluator, template, wanted, &mut instance);
                for (value, before) in instance.values.iter_mut().zip(&before) {
                    if matches!(value, Value::Param(..)) && unsaid(before) {
                        value.clone_from(before);
                    }
                }
                if found.iter().any(|known| equal(wanted, &known.values, &instance.values)) {
                    continue;
                }
                if found.len() < MAX_INSTANCES {
                    found.push(instance);
                } else {
                    *more += 1;
                }
            }
        }
        found
    }

    /// Gives parameters without a value their defaults, which hang on those before them: `class Base = Traits<kHeadDim, kBlockM>`.
    fn defaults(&self, evaluator: &mut Evaluator<'a>, template: Template, wanted: Wanted, instance: &mut Instance<'a>) {
        for (at, param) in self.params(template).iter().enumerate() {
            let Some(default) = param.default.filter(|_| at < 64 && wanted >> at & 1 == 1) else { continue };
            if !matches!(instance.values.get(at), Some(Value::Param(..))) {
                continue;
            }
            let env = Some(Rc::new(Frame::new(template, instance.values.clone(), None)));
            match evaluator.evaluate(default, &Context { unit: template.0, scope: template.1, env }) {
                Ok(Value::Opaque(_)) | Err(_) => {}
                Ok(value) => {
                    instance.values[at] = unwritten(value);
                    instance.tried = true;
                }
            }
        }
    }

    /// What the parameters of a template that are asked for and have no value everywhere are tried with: what is listed for each, and
    /// where nothing is, what other templates lend.
    fn choices(
        &mut self,
        evaluator: &mut Evaluator<'a>,
        template: Template,
        wanted: Wanted,
        instances: &[Instance<'a>],
    ) -> Vec<Choice<'a>> {
        let mut lists = self.lists(evaluator, template, wanted);
        let known = |instance: &Instance<'a>, at: usize| instance.values.get(at).is_some_and(|it| !it.is_dependent());
        let own = |at: usize| {
            let site = self.params(template).get(at).map(|param| Site { unit: template.0, span: param.name });
            self.lists.as_ref().zip(site).is_some_and(|(lists, site)| lists.speak_of(site))
        };
        // What conditions say of the parameter itself stays. What they say of others of its name gives way to values that stand together.
        let (mut open, mut silent): (Wanted, Wanted) = (0, 0);
        for (at, list) in lists.iter().enumerate().filter(|(at, _)| *at < 64 && wanted >> at & 1 == 1) {
            if own(at) || (!instances.is_empty() && instances.iter().all(|instance| known(instance, at))) {
                continue;
            }
            open |= 1 << at;
            silent |= Wanted::from(list.is_empty()) << at;
        }
        let borrowed = self.borrowed(evaluator, template, open, silent);
        for at in borrowed.iter().flat_map(|choice| &choice.at) {
            lists[*at].clear();
        }
        let listed = lists.into_iter().enumerate().filter(|(_, list)| !list.is_empty());
        let listed =
            listed.map(|(at, list)| Choice { at: vec![at], sets: list.into_iter().map(|value| vec![value]).collect() });
        let mut choices: Vec<Choice<'a>> = listed.collect();
        choices.extend(borrowed);
        choices
    }

    /// The values that the code lists for each parameter of a template that is asked for.
    fn lists(&mut self, evaluator: &mut Evaluator<'a>, template: Template, wanted: Wanted) -> Vec<Vec<Value<'a>>> {
        let (program, params) = (self.program, self.params(template));
        let lists = self.lists.get_or_insert_with(|| Lists::new(program, evaluator));
        let (unit, scope) = template;
        let of = |(at, param): (usize, &Param)| {
            if at >= 64 || wanted >> at & 1 == 0 || param.pack {
                return Vec::new();
            }
            let site = Site { unit, span: param.name };
            let number = |value: i128| Value::Number(Number { value, site, literal: false, fixed: true });
            let mut values: Vec<Value<'a>> = Vec::new();
            if param.value {
                values.extend(lists.of(site, program.text(site), param.boolean).into_iter().map(number));
            }
            if let Some(default) = param.default
                && let Ok(value) = evaluator.evaluate(default, &Context { unit, scope, env: None })
                && !value.is_dependent()
                && !matches!(value, Value::Opaque(_))
                && !values.iter().any(|known| same(known, &value))
            {
                values.push(unwritten(value));
            }
            values
        };
        params.iter().enumerate().map(of).collect()
    }

    /// How many functions have a name, in all files, whether or not they are looked into.
    fn defined(&mut self, name: &'a str) -> usize {
        let (program, named) = (self.program, &self.named);
        let counts = self.defined.get_or_insert_with(|| {
            let each = program.sources().par_iter().map(|source| definitions(&source.text, named));
            each.reduce(HashMap::new, |mut all, some| {
                for (name, count) in some {
                    *all.entry(name).or_default() += count;
                }
                all
            })
        });
        counts.get(name).copied().unwrap_or(0)
    }

    /// The values that the macro gives to the constant that it defines.
    fn switch(&mut self, name: &'a str, template: Template) -> Vec<Instance<'a>> {
        let program = self.program;
        if let Some(values) = program.implied_values(name)
            && self
                .params(template)
                .first()
                .is_some_and(|param| program.text(Site { unit: template.0, span: param.name }) == name)
        {
            self.switches.entry(name).or_insert_with(|| (values.to_vec(), false));
        }
        let (listed, differ) =
            self.switches.entry(name).or_insert_with(|| switch_values(program, name, 0).unwrap_or_default());
        let (unit, scope) = template;
        let span = match &program.unit(unit).scope(scope).kind {
            ScopeKind::Template(params) => params.first().map(|param| param.name).unwrap_or_default(),
            _ => crate::ast::Span::default(),
        };
        let site = Site { unit, span };
        let number = |value: &i128| {
            let value = Value::Number(Number { value: *value, site, literal: false, fixed: true });
            Instance { values: vec![value], tried: *differ }
        };
        listed.iter().map(number).collect()
    }
}

/// How many switch macros stand for one another.
const MAX_ALIASES: usize = 8;

/// The values that all definitions of a switch macro list, and whether they differ: the sides of an `#if` that is not known. None where
/// one of them is not read, since it may list more.
// Recursion: `depth` grows to a fixed bound.
fn switch_values<'a>(program: &'a Program<'a>, name: &'a str, depth: usize) -> Option<(Vec<i128>, bool)> {
    let (mut all, mut differ): (Option<Vec<i128>>, bool) = (None, false);
    for source in program.sources() {
        for defined in listed(&source.text, name) {
            let (values, differs) = match defined {
                Defined::Values(values) => (values, false),
                Defined::Alias(other) if depth < MAX_ALIASES => switch_values(program, other, depth + 1)?,
                Defined::Alias(_) | Defined::Unknown => return None,
            };
            differ |= differs || all.as_ref().is_some_and(|all| *all != values);
            let all = all.get_or_insert_default();
            all.extend(values);
            all.sort_unstable();
            all.dedup();
        }
    }
    Some((all?, differ))
}

impl<'a> Owner<'a> {
    fn name(&self) -> &'a str {
        match self {
            Self::Class(name, _) | Self::Named(name, _) | Self::Switch(name) => name,
        }
    }
}

/// The types that macros give a name: `using elem_type = cutlass::half_t; \\` in a line of a `#define`.
fn named_by_macros(sources: &[crate::source::Source]) -> HashSet<&str> {
    let each = sources.par_iter().filter(|source| !source.python).map(|source| {
        let text = source.text.as_str();
        let names = text.match_indices("using ").filter_map(|(at, word)| {
            let rest = text.get(at + word.len()..)?;
            let line = rest.split('\n').next()?;
            let (name, _) = line.split_once('=')?;
            let name = name.trim();
            (line.trim_end().ends_with('\\') && !name.is_empty() && name.bytes().all(is_identifier)).then_some(name)
        });
        names.collect::<HashSet<&str>>()
    });
    each.reduce(HashSet::new, |mut all, some| {
        all.extend(some);
        all
    })
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

/// Whether values are where values belong, and at least one that is asked for is known.
fn fits(params: &[Param], wanted: Wanted, values: &[Value<'_>]) -> bool {
    let right = params.iter().zip(values).all(|(param, value)| match value {
        _ if param.pack => true,
        Value::Number(number) => param.value || number.fixed,
        Value::Layout(_) | Value::Tuple(_) | Value::Order(_) => !param.value,
        _ => true,
    });
    let known = |value: &Value<'_>| match value {
        Value::Opaque(why) => why.reason == Reason::RunTime,
        other => !matches!(other, Value::Param(..)),
    };
    right && asked(wanted, values).any(|(_, value)| known(value))
}

fn equal(wanted: Wanted, a: &[Value<'_>], b: &[Value<'_>]) -> bool {
    let hopeless = |value: &Value<'_>| matches!(value, Value::Param(..) | Value::Opaque(_));
    let runs = |value: &Value<'_>| matches!(value, Value::Opaque(why) if why.reason == Reason::RunTime);
    let same = |(a, b): (&Value<'_>, &Value<'_>)| (hopeless(a) && hopeless(b) && runs(a) == runs(b)) || same(a, b);
    a.len() == b.len() && asked(wanted, a).zip(asked(wanted, b)).all(|((_, a), (_, b))| same((a, b)))
}

/// Whether a text defines a function of a name.
pub fn defines(text: &str, name: &str) -> bool {
    text.contains(name) && !definitions(text, &HashMap::from_iter([(name, true)])).is_empty()
}

/// Which of the names a text defines functions of: `name(…) {` with nothing but words in between.
fn definitions<'a, T>(text: &str, names: &HashMap<&'a str, T>) -> HashMap<&'a str, usize> {
    let bytes = text.as_bytes();
    let mut found = HashMap::new();
    for at in memchr::memchr_iter(b'(', bytes) {
        let before = bytes.get(..at).unwrap_or_default();
        let start = before.iter().rposition(|byte| !is_identifier(*byte)).map_or(0, |at| at + 1);
        let Some((name, _)) = text.get(start..at).and_then(|name| names.get_key_value(name)) else { continue };
        if body_follows(bytes.get(at..at.saturating_add(MAX_HEAD).min(bytes.len())).unwrap_or_default()) {
            *found.entry(*name).or_default() += 1;
        }
    }
    found
}

/// Bytes of a function's head. A longer one counts as a definition: unknown is not no.
const MAX_HEAD: usize = 4_096;

/// Whether a list in parentheses is that of a function that is defined there.
fn body_follows(text: &[u8]) -> bool {
    let mut depth = 0_usize;
    for byte in text {
        match byte {
            b'(' => depth += 1,
            b'{' if depth == 0 => return true,
            b')' | b';' | b',' | b'}' | b'=' | b'?' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
    }
    text.len() == MAX_HEAD
}

#[cfg(test)]
mod tests;
