//! Names and expressions to values. What a name is bound to at two places that differ, or by the run of the program, is not known:
//! the order in which statements run is not followed. It recurses to a fixed depth and takes only so many steps.

use foldhash::{HashMap, HashMapExt as _};
use std::rc::Rc;

use razorgirl::Layout;

use super::arithmetic::{binary, power};
use super::cute;
use super::files::Files;
use super::tree::{Argument, Bound, Expr, ExprId, Kind, MODULE, Module, Op, ScopeId};
use super::value::{Home, Value, of_numbers};
use crate::ast::{Site, Span};
use crate::eval::{Reason, Resolved, Unresolved};

/// How deep one question may lead.
const MAX_DEPTH: usize = 100;

/// Steps of one question.
const MAX_STEPS: usize = 20_000;

/// Steps of all questions.
const MAX_WORK: usize = 50_000_000;

/// Calls of libraries of all questions.
const MAX_CALLS: usize = 400_000;

/// Calls of the algebra without a result, of all questions: a refusal looks for what is near, which takes long.
const MAX_FAILURES: usize = 2_000;

/// Parameters and decorators of a function that is called.
const MAX_PARAMETERS: usize = 64;

/// Places that bind one name and that are compared.
const MAX_BINDINGS: usize = 8;

/// Classes of one family that are looked at.
const MAX_FAMILY: usize = 64;

/// Classes that say nothing of attributes.
const HARMLESS: [&str; 6] = ["abc.ABC", "object", "typing.Generic", "typing.Protocol", "ABC", "Protocol"];

/// Names of Python itself; most are functions of which nothing is known.
const BUILTINS: [&str; 37] = [
    "abs",
    "all",
    "any",
    "bool",
    "bytes",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "float",
    "frozenset",
    "getattr",
    "hasattr",
    "hash",
    "id",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "list",
    "map",
    "max",
    "min",
    "next",
    "object",
    "property",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "sorted",
    "str",
    "sum",
    "tuple",
    "zip",
];

/// Arguments of a call of a function of the files.
#[derive(Debug)]
pub struct Frame {
    home: Home,
    values: Vec<Value>,
}

/// Where an expression stands.
#[derive(Debug, Clone)]
pub struct At {
    /// Index of the module.
    pub module: usize,
    /// The scope.
    pub scope: ScopeId,
    /// The arguments of the function around it.
    pub frame: Option<Rc<Frame>>,
}

/// A call that CuTe answers and the definition refuses.
#[derive(Debug, Clone)]
pub struct Refused {
    /// The call.
    pub site: Site,
    /// What it is.
    pub what: String,
    /// The refusal in words.
    pub why: String,
}

/// Works out what expressions come to.
#[derive(Debug)]
pub struct Evaluator<'a> {
    files: &'a Files<'a>,
    known: HashMap<(Home, &'a str), Resolved<Value>>,
    steps: usize,
    work: usize,
    /// Calls of libraries, which cost more than a step.
    calls: usize,
    failures: usize,
    /// What the library refused, although CuTe would not.
    pub refused: Vec<Refused>,
    /// Compositions that the library refused, and CuTe may answer.
    pub composed: Vec<(Site, Layout, Layout)>,
}

impl<'a> Evaluator<'a> {
    /// For some files.
    pub fn new(files: &'a Files<'a>) -> Self {
        Self {
            files,
            known: HashMap::new(),
            steps: 0,
            work: 0,
            calls: 0,
            failures: 0,
            refused: Vec::new(),
            composed: Vec::new(),
        }
    }

    /// Begins a new question.
    pub fn ask(&mut self, expr: ExprId, at: &At) -> Resolved<Value> {
        self.steps = MAX_STEPS;
        self.expr(expr, at, 0)
    }

    fn module(&self, index: usize) -> Option<&'a Module> {
        self.files.modules.get(index)
    }

    /// Where an expression stands.
    pub fn site(&self, expr: ExprId, at: &At) -> Site {
        let span = self.module(at.module).map_or_else(Span::default, |module| module.span(expr));
        Site { unit: u32::try_from(at.module).unwrap_or(u32::MAX), span }
    }

    /// The arguments of a call, one for each parameter of these names; nothing where they cannot be told.
    pub fn arguments(&mut self, call: ExprId, at: &At, parameters: &[&str]) -> Option<Vec<Option<Value>>> {
        self.steps = MAX_STEPS;
        let Expr::Call(_, arguments) = self.module(at.module)?.expr(call) else { return None };
        let mut values = vec![None; parameters.len()];
        for (place, argument) in arguments.iter().enumerate() {
            let place = match argument.name.as_deref() {
                Some("*") => return None,
                Some(name) => parameters.iter().position(|one| *one == name),
                None => Some(place),
            };
            let value = self.expr(argument.value, at, 0).unwrap_or_else(Value::Unknown);
            if let Some(slot) = place.and_then(|place| values.get_mut(place)) {
                *slot = Some(value);
            }
        }
        Some(values)
    }

    // Recursion: every way round adds to the depth.
    fn expr(&mut self, id: ExprId, at: &At, depth: usize) -> Resolved<Value> {
        let site = self.site(id, at);
        let wrong = |reason| Unresolved { reason, site };
        if depth > MAX_DEPTH {
            return Err(wrong(Reason::TooDeep));
        }
        self.work += 1;
        self.steps = self.steps.checked_sub(1).filter(|_| self.work < MAX_WORK).ok_or(wrong(Reason::Work))?;
        let Some(module) = self.module(at.module) else { return Err(wrong(Reason::UnknownName)) };
        match module.expr(id) {
            Expr::Integer(value) => Ok(Value::Number(**value, site, true)),
            Expr::Bool(value) => Ok(Value::Bool(*value)),
            Expr::None => Ok(Value::None),
            Expr::Text(text) => Ok(Value::Text(text.as_ref().into())),
            Expr::Name(name) => self.name(name, at, site, depth + 1),
            Expr::Attribute(of, name) => {
                let of = self.expr(*of, at, depth + 1)?;
                self.attribute(&of, name, site, depth + 1)
            }
            Expr::Call(callee, arguments) => self.call(*callee, arguments, at, site, depth + 1),
            Expr::Tuple(items, list) => {
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    if let Expr::Starred(inner) = module.expr(*item) {
                        match self.expr(*inner, at, depth + 1)? {
                            Value::Tuple(more) => values.extend(more.all.iter().cloned()),
                            other => return Err(other.as_number(site).err().unwrap_or(wrong(Reason::NotNumeric))),
                        }
                    } else {
                        values.push(self.expr(*item, at, depth + 1).unwrap_or_else(Value::Unknown));
                    }
                    if values.len() > 1024 {
                        return Err(wrong(Reason::TooLarge));
                    }
                }
                if *list { Value::sequence(values, site, true) } else { Value::tuple(values, site) }
            }
            Expr::Item(of, index) => {
                let of = self.expr(*of, at, depth + 1)?;
                let index = self.expr(*index, at, depth + 1)?.as_number(site)?;
                let Value::Tuple(items) = of else { return Err(wrong(Reason::Expression)) };
                known(place(index, items.all.len()).and_then(|place| items.all.get(place)).cloned(), site)
            }
            Expr::Slice(of, from, to) => {
                let of = self.expr(*of, at, depth + 1)?;
                let Value::Tuple(items) = of else { return Err(wrong(Reason::Expression)) };
                let mut end = |id: &Option<ExprId>, otherwise: usize| match id {
                    None => Ok(otherwise),
                    Some(id) => {
                        let value = self.expr(*id, at, depth + 1)?.as_number(site)?;
                        let length = i128::try_from(items.all.len()).unwrap_or(0);
                        let value = if value < 0 { value + length } else { value };
                        Ok(usize::try_from(value.clamp(0, length)).unwrap_or(0))
                    }
                };
                let (from, to) = (end(from, 0)?, end(to, items.all.len())?);
                Value::tuple(items.all.get(from..to.max(from)).unwrap_or_default().to_vec(), site)
            }
            Expr::Binary(op @ (Op::Both | Op::Either), left, right) => {
                let left = self.expr(*left, at, depth + 1)?;
                let truth = left.truth().ok_or(wrong(Reason::Expression))?;
                if truth == (*op == Op::Either) { Ok(left) } else { self.expr(*right, at, depth + 1) }
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.expr(*left, at, depth + 1)?, self.expr(*right, at, depth + 1)?);
                operate(*op, &left, &right, site)
            }
            Expr::Negative(of) => {
                let value = self.expr(*of, at, depth + 1)?.as_number(site)?;
                Ok(Value::number(value.checked_neg().ok_or(wrong(Reason::Overflow))?, site))
            }
            Expr::Complement(of) => Ok(Value::number(!self.expr(*of, at, depth + 1)?.as_number(site)?, site)),
            Expr::Not(of) => {
                let truth = self.expr(*of, at, depth + 1)?.truth();
                Ok(Value::Bool(!truth.ok_or(wrong(Reason::Expression))?))
            }
            Expr::Choice { test, yes, no } => {
                let truth = self.expr(*test, at, depth + 1)?.truth().ok_or(wrong(Reason::Expression))?;
                self.expr(if truth { *yes } else { *no }, at, depth + 1)
            }
            Expr::Starred(_) | Expr::Other => Err(wrong(Reason::Expression)),
        }
    }

    /// What a name stands for.
    fn name(&mut self, name: &'a str, at: &At, site: Site, depth: usize) -> Resolved<Value> {
        let Some(module) = self.module(at.module) else { return Err(Unresolved { reason: Reason::UnknownName, site }) };
        let mut scope = Some(at.scope);
        let mut first = true;
        while let Some(id) = scope {
            let Some(of) = module.scope(id) else { break };
            // The names of a class are not seen from its methods.
            let seen = first || !matches!(of.kind, Kind::Class { .. });
            first = false;
            if seen && of.names.contains_key(name) {
                if module.moved.contains(name) {
                    return Err(Unresolved { reason: Reason::RunTime, site });
                }
                let value = self.bound(Home { module: at.module, scope: id }, name, at, site, depth);
                return unchanged(value, module, site);
            }
            scope = of.parent;
        }
        self.elsewhere(module, name, site, depth)
    }

    /// A name that its file does not bind.
    fn elsewhere(&mut self, module: &'a Module, name: &'a str, site: Site, depth: usize) -> Resolved<Value> {
        if module.moved.contains(name) {
            return Err(Unresolved { reason: Reason::RunTime, site });
        }
        self.work = self.work.saturating_add(module.stars.len());
        for (from, _) in &module.stars {
            let own = site.unit as usize;
            match self.files.module(own, from) {
                Some(index) if index != own && self.files.binds(index, name) => {
                    return self.member(index, name, site, depth);
                }
                Some(_) => {}
                None if cute::is_library(from) => return Ok(Value::Library(format!("{from}.{name}").into())),
                None => return Err(Unresolved { reason: Reason::UnknownName, site }),
            }
        }
        if BUILTINS.contains(&name) {
            return Ok(Value::Library(name.into()));
        }
        Err(Unresolved { reason: Reason::UnknownName, site })
    }

    /// A name of another module.
    fn member(&mut self, index: usize, name: &'a str, site: Site, depth: usize) -> Resolved<Value> {
        let unknown = Unresolved { reason: Reason::UnknownName, site };
        let module = self.module(index).ok_or(unknown)?;
        if !module.scope(MODULE).is_some_and(|all| all.names.contains_key(name)) {
            return Err(unknown);
        }
        if module.moved.contains(name) {
            return Err(Unresolved { reason: Reason::RunTime, site });
        }
        let at = At { module: index, scope: MODULE, frame: None };
        let value = self.bound(Home { module: index, scope: MODULE }, name, &at, site, depth);
        unchanged(value, module, site)
    }

    /// What the bindings of a name in one scope say together.
    fn bound(&mut self, home: Home, name: &'a str, at: &At, site: Site, depth: usize) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        if depth > MAX_DEPTH {
            return Err(wrong(Reason::TooDeep));
        }
        let frame = at.frame.as_ref().filter(|_| home.scope != MODULE).cloned();
        if frame.is_none()
            && let Some(known) = self.known.get(&(home, name))
        {
            return known.clone();
        }
        let module = self.module(home.module).ok_or(wrong(Reason::UnknownName))?;
        let bindings =
            module.scope(home.scope).and_then(|scope| scope.names.get(name)).ok_or(wrong(Reason::UnknownName))?;
        // A star behind it may bind it anew.
        let hidden = |span: Span| {
            home.scope == MODULE
                && module.stars.iter().any(|(from, star)| star.start > span.start && !cute::is_library(from))
        };
        let inside = At { module: home.module, scope: home.scope, frame: frame.clone() };
        let mut result: Option<Value> = None;
        let mut failed = None;
        if bindings.len() > MAX_BINDINGS {
            return Err(wrong(Reason::Ambiguous));
        }
        if bindings.iter().any(|binding| hidden(binding.span)) {
            failed = Some(wrong(Reason::Ambiguous));
        }
        // Another file may store in a module's name as in an attribute.
        let values = || bindings.iter().any(|binding| matches!(binding.bound, Bound::Value(..) | Bound::Part(..)));
        if home.scope == MODULE && self.files.stored.contains(name) && values() {
            failed = Some(wrong(Reason::RunTime));
        }
        let imports = bindings.iter().any(|one| matches!(one.bound, Bound::Module(_) | Bound::From(..)));
        for binding in bindings {
            if failed.is_some() {
                break;
            }
            let unit = u32::try_from(home.module).unwrap_or(u32::MAX);
            let own = Site { unit, span: binding.span };
            let value = match &binding.bound {
                // `try: import x` with `except ImportError: x = None`.
                Bound::Value(value, _) if imports && matches!(module.expr(*value), Expr::None) => continue,
                Bound::Value(value, _) => self.expr(*value, &inside, depth + 1),
                Bound::Part(value, path) => self.part(*value, path, &inside, own, depth),
                Bound::Module(path) => self.import(home.module, path, own),
                Bound::From(from, name) => self.from(home.module, from, name, own, depth),
                Bound::Parameter(place, fixed) => self.parameter(home, *place, *fixed, frame.as_deref(), own),
                Bound::Function(scope) => Ok(Value::Function(Home { module: home.module, scope: *scope }, None)),
                Bound::Class(scope) => Ok(Value::Class(Home { module: home.module, scope: *scope })),
                Bound::Moving => Err(Unresolved { reason: Reason::RunTime, site: own }),
            };
            match (value, &result) {
                (Ok(value), None) => result = Some(value),
                (Ok(value), Some(before)) if value.same(before) => {}
                (Ok(_), Some(_)) => failed = Some(wrong(Reason::Ambiguous)),
                (Err(why), _) => failed = Some(why),
            }
        }
        let result = match (failed, result) {
            (None, Some(value)) => Ok(value),
            (Some(why), _) => Err(why),
            (None, None) => Err(wrong(Reason::UnknownName)),
        };
        if frame.is_none() && !matches!(&result, Err(why) if matches!(why.reason, Reason::TooDeep | Reason::Work)) {
            self.known.insert((home, name), result.clone());
        }
        result
    }

    fn part(&mut self, value: ExprId, path: &[usize], at: &At, site: Site, depth: usize) -> Resolved<Value> {
        let mut value = self.expr(value, at, depth + 1)?;
        for place in path {
            value = match value {
                Value::Tuple(items) => known(items.all.get(*place).cloned(), site)?,
                other => {
                    return Err(other.as_number(site).err().unwrap_or(Unresolved { reason: Reason::Expression, site }));
                }
            };
        }
        known(Some(value), site)
    }

    fn import(&self, module: usize, path: &str, site: Site) -> Resolved<Value> {
        if cute::is_library(path) {
            return Ok(Value::Library(path.into()));
        }
        self.files.module(module, path).map(Value::Module).ok_or(Unresolved { reason: Reason::UnknownName, site })
    }

    fn from(&mut self, own: usize, from: &str, name: &'a str, site: Site, depth: usize) -> Resolved<Value> {
        if cute::is_library(from) {
            return Ok(Value::Library(format!("{from}.{name}").into()));
        }
        let dot = if from.ends_with('.') { "" } else { "." };
        let inside = self.files.module(own, &format!("{from}{dot}{name}"));
        match self.files.module(own, from) {
            Some(index) if index != own && self.files.binds(index, name) => self.member(index, name, site, depth + 1),
            _ => inside.map(Value::Module).ok_or(Unresolved { reason: Reason::UnknownName, site }),
        }
    }

    fn parameter(&self, home: Home, place: usize, fixed: bool, frame: Option<&Frame>, site: Site) -> Resolved<Value> {
        if let Some(frame) = frame.filter(|frame| frame.home == home) {
            return known(frame.values.get(place).cloned(), site);
        }
        if place == 0 {
            let module = self.module(home.module);
            let scope = module.and_then(|module| module.scope(home.scope));
            let parent = scope.and_then(|scope| scope.parent);
            let class = parent.and_then(|parent| Some((parent, module?.scope(parent)?)));
            if let (Some(Kind::Function(function)), Some((parent, class))) = (scope.map(|scope| &scope.kind), class)
                && matches!(class.kind, Kind::Class { .. })
                && !self.decorated(home.module, &function.decorators, &["staticmethod"])
            {
                return Ok(Value::Object(Home { module: home.module, scope: parent }));
            }
        }
        Err(Unresolved { reason: if fixed { Reason::Dependent } else { Reason::RunTime }, site })
    }

    /// Whether a decorator has one of these names.
    fn decorated(&self, module: usize, decorators: &[ExprId], names: &[&str]) -> bool {
        let name = |id: &ExprId| match self.module(module)?.expr(*id) {
            Expr::Name(name) | Expr::Attribute(_, name) => Some(name.as_ref()),
            _ => None,
        };
        decorators.iter().any(|id| name(id).is_some_and(|name| names.contains(&name)))
    }

    /// An attribute of a value.
    fn attribute(&mut self, of: &Value, name: &'a str, site: Site, depth: usize) -> Resolved<Value> {
        match of {
            Value::Library(path) => {
                Ok(cute::constant(path, name, site).unwrap_or_else(|| Value::Library(format!("{path}.{name}").into())))
            }
            Value::Module(index) => self.member(*index, name, site, depth + 1),
            Value::Class(home) | Value::Object(home) => {
                self.class_attribute(*home, name, matches!(of, Value::Object(_)), site, depth + 1)
            }
            Value::Layout(layout) => match name {
                "shape" => of_numbers(&layout.shape),
                "stride" => of_numbers(&layout.stride),
                _ => Err(Unresolved { reason: Reason::Call, site }),
            },
            Value::Composed(composed) => match name {
                "shape" => of_numbers(&composed.layout.shape),
                "outer" => Ok(Value::Layout(composed.layout.clone())),
                "inner" => Ok(Value::Swizzle(composed.swizzle)),
                _ => Err(Unresolved { reason: Reason::Call, site }),
            },
            Value::Unknown(why) => Err(*why),
            _ => Err(Unresolved { reason: Reason::UnknownMember, site }),
        }
    }

    /// A class and all that inherit from it or that it inherits from.
    fn family(&mut self, home: Home, site: Site, depth: usize) -> Resolved<Vec<Home>> {
        let mut family = vec![home];
        let mut next = 0;
        while let Some(one) = family.get(next).copied() {
            next += 1;
            if family.len() > MAX_FAMILY {
                return Err(Unresolved { reason: Reason::TooLarge, site });
            }
            let Some(module) = self.module(one.module) else { continue };
            let Some(Kind::Class { name, bases, .. }) = module.scope(one.scope).map(|scope| &scope.kind) else {
                continue;
            };
            let Some(bases) = bases else { return Err(Unresolved { reason: Reason::UnknownName, site }) };
            let around = module.scope(one.scope).and_then(|scope| scope.parent).unwrap_or(MODULE);
            let at = At { module: one.module, scope: around, frame: None };
            for base in bases {
                match self.expr(*base, &at, depth + 1)? {
                    Value::Class(base) if family.contains(&base) => {}
                    Value::Class(base) => family.push(base),
                    Value::Library(path) if HARMLESS.contains(&&*path) => {}
                    _ => return Err(Unresolved { reason: Reason::UnknownName, site }),
                }
            }
            for heir in self.files.heirs.get(name).into_iter().flatten() {
                if !family.contains(heir) {
                    family.push(*heir);
                }
            }
        }
        Ok(family)
    }

    fn class_attribute(
        &mut self,
        home: Home,
        name: &'a str,
        object: bool,
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        if depth > MAX_DEPTH {
            return Err(wrong(Reason::TooDeep));
        }
        if self.files.stored.contains(name) {
            return Err(wrong(Reason::RunTime));
        }
        let mut found: Vec<(At, &'a Bound, Span)> = Vec::new();
        let mut stored: Vec<(At, Option<ExprId>)> = Vec::new();
        for one in self.family(home, site, depth)? {
            let Some(module) = self.module(one.module) else { continue };
            self.work = self.work.saturating_add(module.stores.len());
            if module.reflects {
                return Err(wrong(Reason::RunTime));
            }
            let scope = module.scope(one.scope);
            let frameless = |scope| At { module: one.module, scope, frame: None };
            if let Some(bindings) = scope.and_then(|scope| scope.names.get(name)) {
                let fields = scope.is_some_and(|scope| matches!(&scope.kind, Kind::Class { decorated: true, .. }));
                for binding in bindings {
                    // A field of a data class: what is written is a default.
                    if fields && matches!(binding.bound, Bound::Value(_, true)) {
                        return Err(wrong(Reason::RunTime));
                    }
                    found.push((frameless(one.scope), &binding.bound, binding.span));
                }
            }
            for store in module.stores.iter().filter(|store| store.class == Some(one.scope) && *store.name == *name) {
                stored.push((frameless(store.scope), store.value));
            }
        }
        match (found.as_slice(), stored.as_slice()) {
            ([], []) => Err(wrong(Reason::UnknownMember)),
            ([(at, bound, _)], []) => match bound {
                Bound::Value(value, _) => self.attribute_value(*value, at, site, depth),
                Bound::Function(scope) => {
                    let function = Home { module: at.module, scope: *scope };
                    Ok(Value::Function(function, object.then_some(home)))
                }
                _ => Err(wrong(Reason::RunTime)),
            },
            ([], [(at, Some(value))]) if object => self.attribute_value(*value, at, site, depth),
            ([], [(_, None)]) => Err(wrong(Reason::RunTime)),
            _ => Err(wrong(Reason::Ambiguous)),
        }
    }

    fn attribute_value(&mut self, value: ExprId, at: &At, site: Site, depth: usize) -> Resolved<Value> {
        let value = self.expr(value, at, depth + 1);
        let module = self.module(at.module).ok_or(Unresolved { reason: Reason::UnknownName, site })?;
        unchanged(value, module, site)
    }

    fn call(
        &mut self,
        callee: ExprId,
        arguments: &'a [Argument],
        at: &At,
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        let callee = self.expr(callee, at, depth + 1)?;
        if arguments.iter().any(|argument| argument.name.as_deref() == Some("*")) {
            return Err(wrong(Reason::Expression));
        }
        let mut placed = Vec::new();
        let mut named: Vec<(&str, Value)> = Vec::new();
        for argument in arguments {
            let value = self.expr(argument.value, at, depth + 1).unwrap_or_else(Value::Unknown);
            match &argument.name {
                None => placed.push(value),
                Some(name) => named.push((name, value)),
            }
        }
        match callee {
            Value::Library(_) if self.calls >= MAX_CALLS => Err(wrong(Reason::Work)),
            Value::Library(path) if self.failures >= MAX_FAILURES && cute::is_algebra(&path) => {
                Err(wrong(Reason::Work))
            }
            Value::Library(path) => match self.count(|| cute::call(&path, &placed, &named, site)) {
                // A function of which nothing is known, of a value that is not known either: that says more.
                cute::Answer::Value(Err(Unresolved { reason: Reason::Call, .. })) => {
                    let all = placed.iter().chain(named.iter().map(|(_, value)| value));
                    let known = !all.into_iter().any(|value| matches!(value, Value::Unknown(_)));
                    self.failures += usize::from(known && cute::is_algebra(&path));
                    Err(unknown(&placed, &named).unwrap_or(wrong(Reason::Call)))
                }
                cute::Answer::Value(value) => value,
                cute::Answer::Composition(layouts) => {
                    self.failures += 1;
                    if !self.composed.iter().any(|one| one.0 == site) && self.composed.len() < 4_096 {
                        self.composed.push((site, layouts.0, layouts.1));
                    }
                    Err(wrong(Reason::Call))
                }
                cute::Answer::Refused(what, why) => {
                    self.failures += 1;
                    if !self.refused.iter().any(|one| one.site == site) && self.refused.len() < 4_096 {
                        self.refused.push(Refused { site, what, why });
                    }
                    Err(wrong(Reason::Call))
                }
            },
            Value::Function(home, object) => {
                let why = unknown(&placed, &named);
                let result = self.function(home, object, placed, &named, site, depth + 1);
                result.map_err(|own| if own.reason == Reason::Call { why.unwrap_or(own) } else { own })
            }
            Value::Unknown(why) => Err(why),
            _ => Err(wrong(Reason::Call)),
        }
    }

    fn count<T>(&mut self, call: impl FnOnce() -> T) -> T {
        self.calls += 1;
        call()
    }

    /// A function of the files that is one expression of its arguments.
    fn function(
        &mut self,
        home: Home,
        object: Option<Home>,
        placed: Vec<Value>,
        named: &[(&str, Value)],
        site: Site,
        depth: usize,
    ) -> Resolved<Value> {
        let unknown = Unresolved { reason: Reason::Call, site };
        let module = self.module(home.module).ok_or(unknown)?;
        let Some(Kind::Function(function)) = module.scope(home.scope).map(|scope| &scope.kind) else {
            return Err(unknown);
        };
        let plain = ["staticmethod", "cache", "lru_cache", "constexpr_function"];
        if function.parameters.len().max(function.decorators.len()) > MAX_PARAMETERS {
            return Err(unknown);
        }
        let ours = function.decorators.iter().all(|one| self.decorated(home.module, &[*one], &plain));
        let Some(returns) = function.returns.filter(|_| ours && !function.more) else { return Err(unknown) };
        let of_class = module
            .scope(home.scope)
            .and_then(|scope| module.scope(scope.parent?))
            .is_some_and(|scope| matches!(scope.kind, Kind::Class { .. }));
        let fixed = self.decorated(home.module, &function.decorators, &["staticmethod"]);
        let mut values: Vec<Option<Value>> = Vec::new();
        if let (Some(object), true, false) = (object, of_class, fixed) {
            values.push(Some(Value::Object(object)));
        } else if of_class && !fixed {
            return Err(unknown);
        }
        values.extend(placed.into_iter().map(Some));
        if values.len() > function.parameters.len() {
            return Err(unknown);
        }
        values.resize(function.parameters.len(), None);
        for (name, value) in named {
            let place = function.parameters.iter().position(|one| **one == **name).ok_or(unknown)?;
            match values.get_mut(place) {
                Some(slot @ None) => *slot = Some(value.clone()),
                _ => return Err(unknown),
            }
        }
        let around = module.scope(home.scope).and_then(|scope| scope.parent).unwrap_or(MODULE);
        let mut complete = Vec::with_capacity(values.len());
        for (value, default) in values.into_iter().zip(&function.defaults) {
            complete.push(match (value, default) {
                (Some(value), _) => value,
                (None, Some(default)) => {
                    let at = At { module: home.module, scope: around, frame: None };
                    self.expr(*default, &at, depth + 1).unwrap_or_else(Value::Unknown)
                }
                (None, None) => return Err(unknown),
            });
        }
        let frame = Some(Rc::new(Frame { home, values: complete }));
        self.expr(returns, &At { module: home.module, scope: home.scope, frame }, depth + 1)
    }
}

/// What an operator makes of two values.
fn operate(op: Op, left: &Value, right: &Value, site: Site) -> Resolved<Value> {
    let wrong = |reason| Unresolved { reason, site };
    match (op, left, right) {
        (Op::Add, Value::Tuple(a), Value::Tuple(b)) => {
            Value::tuple(a.all.iter().chain(&b.all).cloned().collect(), site)
        }
        (Op::Mul, Value::Tuple(a), Value::Number(times, ..)) | (Op::Mul, Value::Number(times, ..), Value::Tuple(a)) => {
            let times = usize::try_from((*times).max(0)).unwrap_or(usize::MAX);
            if a.all.len().checked_mul(times).is_none_or(|all| all > 1024) {
                return Err(wrong(Reason::TooLarge));
            }
            Value::tuple(std::iter::repeat_n(&a.all, times).flatten().cloned().collect(), site)
        }
        (Op::Eq | Op::Ne, a, b) if !matches!((a, b), (Value::Number(..), Value::Number(..))) => match (a, b) {
            (Value::Unknown(why), _) | (_, Value::Unknown(why)) => Err(*why),
            (Value::Bool(_), Value::Bool(_))
            | (Value::Text(_), Value::Text(_))
            | (Value::None, _)
            | (_, Value::None) => Ok(Value::Bool(a.same(b) == (op == Op::Eq))),
            _ => Err(wrong(Reason::Expression)),
        },
        (Op::Pow, a, b) => Ok(Value::number(power(a.as_number(site)?, b.as_number(site)?).map_err(wrong)?, site)),
        (_, a, b) => binary(op, a.as_number(site)?, b.as_number(site)?, site),
    }
}

/// The first argument that is known only when the program runs.
fn unknown(placed: &[Value], named: &[(&str, Value)]) -> Option<Unresolved> {
    placed.iter().chain(named.iter().map(|(_, value)| value)).find_map(|value| match value {
        Value::Unknown(why) if matches!(why.reason, Reason::RunTime | Reason::Dependent) => Some(*why),
        _ => None,
    })
}

/// A value, unless it may be a list of which an item changes.
fn unchanged(value: Resolved<Value>, module: &Module, site: Site) -> Resolved<Value> {
    match value {
        Ok(Value::Tuple(items)) if items.list && module.changes => Err(Unresolved { reason: Reason::RunTime, site }),
        value => value,
    }
}

/// A value that is there and known.
fn known(value: Option<Value>, site: Site) -> Resolved<Value> {
    match value {
        Some(Value::Unknown(why)) => Err(why),
        Some(value) => Ok(value),
        None => Err(Unresolved { reason: Reason::Expression, site }),
    }
}

fn place(index: i128, length: usize) -> Option<usize> {
    let length = i128::try_from(length).ok()?;
    let index = if index < 0 { index + length } else { index };
    (0..length).contains(&index).then(|| usize::try_from(index).ok())?
}
