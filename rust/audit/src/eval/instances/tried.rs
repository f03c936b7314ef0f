//! What parameters that nobody gives a value are tried with: what is listed for them, what others lend, and defaults.

use std::rc::Rc;

use super::lent::Choice;
use super::{Instance, Instances, MAX_INSTANCES, Owner, Template, Wanted, asked, equal, unbound, unwritten};
use crate::ast::{Param, Site};
use crate::eval::evaluator::{Context, Evaluator, bits};
use crate::eval::listed::Lists;
use crate::eval::reason::Reason;
use crate::eval::specialize::same;
use crate::eval::value::{Frame, Number, Value};

impl<'a> Instances<'a> {
    /// The instances, with what is listed for parameters that are asked for and have no value.
    pub(super) fn completed(
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
        if instances.iter().any(complete) || matches!(self.index.owners.get(&template), Some(Owner::Switch(_))) {
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
            let number = |value: i128| Value::Number(Number::of(value, site, true));
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
}
