//! The instances that the code base makes: what the mentions of a template say, where they mean that template and its `static_assert`s
//! hold.

use foldhash::{HashMap, HashMapExt as _};
use std::rc::Rc;

use rayon::prelude::*;

use super::said::{Said, said};
use super::{
    Answer, Home, Instance, Instances, MAX_INSTANCES, MAX_MENTIONS, MAX_REMEMBERED, Mention, Owner, Template, Wanted,
    asked, equal, unbound,
};
use crate::ast::{Param, Path, Site};
use crate::eval::evaluator::{Context, Evaluator};
use crate::eval::program::{Namespace, included, is_shared};
use crate::eval::reason::Reason;
use crate::eval::texts::definitions;
use crate::eval::value::{Frame, Value};

impl<'a> Instances<'a> {
    /// The instances that the code base makes.
    pub(super) fn look(
        &mut self,
        evaluator: &mut Evaluator<'a>,
        template: Template,
        wanted: Wanted,
        chain: usize,
    ) -> (Vec<Instance<'a>>, usize) {
        let none = (Vec::new(), 0);
        let Some(owner) = self.index.owners.get(&template).cloned() else { return none };
        let (name, class, home) = match owner {
            Owner::Switch(name) => return (self.switch(name, template), 0),
            Owner::Class(name, decl) => (name, Some(decl), None),
            Owner::Named(name, home) if self.is_alone(name, home) => (name, None, Some(home)),
            Owner::Named(..) => return none,
        };
        let mentions = self.index.mentions.get(name).cloned().unwrap_or_default();
        if mentions.len() >= MAX_MENTIONS {
            return none;
        }
        let (program, params) = (self.program, self.params(template));
        let hidden = program.texts().hidden(program.sources());
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
                        said(evaluator, &mention, (template, params), class, members, hidden, context);
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
                    if !tried {
                        known.counts(&values);
                    }
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

    /// Whether a function or alias is the only one of its name in its namespace, and all of that name are known that a call may mean.
    fn is_alone(&mut self, name: &'a str, home: Home) -> bool {
        let Some(all) = self.index.named.get(name) else { return false };
        let beside = match home {
            Home::Own(_, space) => all.get(&Home::Space(space)).copied().unwrap_or(0),
            Home::Space(_) | Home::Members(..) => 0,
        };
        let unit = match home {
            Home::Own(unit, _) => Some(unit),
            Home::Space(_) | Home::Members(..) => None,
        };
        let seen = |of: &Home| unit.is_none_or(|unit| of.is_seen(unit));
        let (here, count) =
            (all.get(&home).copied(), all.iter().filter(|(of, _)| seen(of)).map(|(_, count)| count).sum());
        here == Some(1) && beside == 0 && self.defined(name, unit) <= count
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
        if !home.is_seen(mention.unit) {
            return false;
        }
        let all = self.index.named.get(name);
        let homes = |space: Namespace| [Home::Own(mention.unit, space), Home::Space(space)];
        let has = |space: Namespace| all.is_some_and(|all| homes(space).iter().any(|home| all.contains_key(home)));
        let only = || all.is_some_and(|all| all.keys().filter(|home| home.is_seen(mention.unit)).count() == 1);
        let from = self.program.home(mention.unit, mention.scope);
        if before.is_empty() && !mention.path.absolute {
            // From the inside out, as names are looked up.
            let mut at = Some(from);
            while let Some(space) = at {
                let found = std::iter::once(space).chain(self.program.used_in(space)).find(|space| has(*space));
                if let Some(found) = found {
                    return homes(found).contains(&home);
                }
                at = self.program.outer(space);
            }
            // By the types of its arguments, or by a `using` in a block.
            return only();
        }
        let space = Path { absolute: mention.path.absolute, segments: before.into() };
        match self.program.namespace(mention.unit, &space, from) {
            Some(space) => homes(space).contains(&home),
            // A class's, or one that is declared nowhere.
            None => only(),
        }
    }

    /// Whether a template's `static_assert`s hold, as far as they can be told.
    pub(super) fn allowed(&self, evaluator: &mut Evaluator<'a>, template: Template, values: &[Value<'a>]) -> bool {
        let Some(asserts) = self.index.asserts.get(&template) else { return true };
        let env = Some(Rc::new(Frame::new(template, values.to_vec(), None)));
        asserts.iter().all(|(expr, scope)| {
            let context = Context { unit: template.0, scope: *scope, env: env.clone() };
            !matches!(evaluator.evaluate(*expr, &context), Ok(Value::Number(number)) if number.value == 0)
        })
    }

    /// How many functions have a name, in all files whether or not they are looked into; or in the headers and in one program.
    fn defined(&self, name: &'a str, unit: Option<u32>) -> usize {
        let (program, named) = (self.program, &self.index.named);
        let counts = self.index.defined.get_or_init(|| {
            let sources = program.sources();
            let included = included(sources);
            let each = sources.par_iter().enumerate().filter(|(_, source)| !source.python).map(|(file, source)| {
                let own = (!is_shared(source, &included)).then_some(file);
                (own, definitions(&source.text, named))
            });
            let mut all: HashMap<&'a str, Defined> = HashMap::new();
            for (own, found) in each.collect::<Vec<_>>() {
                for (name, count) in found {
                    let defined = all.entry(name).or_default();
                    defined.all += count;
                    match own {
                        Some(file) => defined.programs.push((file, count)),
                        None => defined.headers += count,
                    }
                }
            }
            all
        });
        let Some(defined) = counts.get(name) else { return 0 };
        let Some(unit) = unit else { return defined.all };
        let file = program.unit(unit).file;
        let own = defined.programs.binary_search_by_key(&file, |(file, _)| *file).ok();
        defined.headers + own.and_then(|at| defined.programs.get(at)).map_or(0, |(_, count)| *count)
    }
}

/// How many functions of a name are defined.
#[derive(Debug, Default)]
pub(super) struct Defined {
    all: usize,
    headers: usize,
    /// In each program, by its file, ascending.
    programs: Vec<(usize, usize)>,
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
