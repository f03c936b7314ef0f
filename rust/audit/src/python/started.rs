//! What a program is started with: `parser.add_argument("--m", default=128)`, and `args.m` of `args = parser.parse_args()`.
//!
//! Started with nothing, it has all the defaults together: these are listed, beside whatever else it may be started with. Where an argument
//! may get its value otherwise nothing is: `set_defaults`, `add_subparsers`, a parser that another file gets, a store in `args`.

use foldhash::{HashMap, HashMapExt as _, HashSet};
use std::rc::Rc;

use super::evaluate::{At, Evaluator, unchanged};
use super::tree::{Argument, Bound, Expr, ExprId, MODULE, Module, ScopeId};
use super::value::{Made, Value};
use super::world::Point;
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// Arguments of one program.
const MAX_ARGUMENTS: usize = 256;

/// What an argument has that is not given.
#[derive(Debug, Clone, Copy)]
enum Default {
    /// What is written, in a scope; whether a text is what it says.
    Written(ExprId, ScopeId, bool),
    /// `action="store_true"`, `action="store_false"`.
    Flag(bool),
    /// `None`.
    None,
    /// It is always given, or what it has is not known.
    Open,
}

/// The arguments of a program by their names; nothing where it is not known which it has.
pub type Started<'a> = Option<Rc<HashMap<std::borrow::Cow<'a, str>, Declared>>>;

/// What an argument has that is not given, where it is declared once.
#[derive(Debug, Clone, Copy)]
pub struct Declared(Default);

/// The argument of a call with a name.
fn named<'a>(arguments: &'a [Argument], name: &str) -> Option<&'a Argument> {
    arguments.iter().find(|one| one.name.as_deref() == Some(name))
}

/// The name of an attribute that an argument becomes: of the first long option, `--m-block`, or of the first short one.
fn attribute<'a>(module: &'a Module, arguments: &'a [Argument]) -> Option<(std::borrow::Cow<'a, str>, bool)> {
    let text = |id: ExprId| match module.expr(id) {
        Expr::Text(text) => Some(&**text),
        _ => None,
    };
    let flags: Option<Vec<&str>> =
        arguments.iter().take_while(|one| one.name.is_none()).map(|one| text(one.value)).collect();
    let flags = flags.filter(|flags| !flags.is_empty())?;
    let optional = flags.iter().all(|flag| flag.starts_with('-'));
    if let Some(to) = named(arguments, "dest") {
        return Some((text(to.value)?.into(), optional));
    }
    let long = flags.iter().find_map(|flag| flag.strip_prefix("--"));
    let own = long.or_else(|| flags.first().map(|flag| flag.trim_start_matches('-')))?;
    Some((own.replace('-', "_").into(), optional))
}

/// What an argument has that is not given.
fn default(module: &Module, arguments: &[Argument], scope: ScopeId) -> Default {
    let text = |name: &str| named(arguments, name).map(|one| module.expr(one.value));
    if text("required").is_some_and(|required| !matches!(required, Expr::Bool(false))) {
        return Default::Open;
    }
    let plain = match text("type") {
        None => true,
        Some(Expr::Name(name)) => &**name == "str",
        Some(_) => false,
    };
    let written = named(arguments, "default").map(|one| Default::Written(one.value, scope, plain));
    match text("action") {
        None => written.unwrap_or(Default::None),
        Some(Expr::Text(action)) => match &**action {
            "store" => written.unwrap_or(Default::None),
            "store_true" => written.unwrap_or(Default::Flag(false)),
            "store_false" => written.unwrap_or(Default::Flag(true)),
            _ => Default::Open,
        },
        Some(_) => Default::Open,
    }
}

/// The names of parsers and of their groups.
pub fn parsers(module: &Module) -> HashSet<&str> {
    let mut names = HashSet::default();
    for (name, bound) in module.scopes.iter().flat_map(|scope| &scope.names) {
        for one in bound {
            if let Bound::Value(value, _) = one.bound
                && let Expr::Call(callee, _) = module.expr(value)
                && let Expr::Attribute(_, method) | Expr::Name(method) = module.expr(*callee)
                && matches!(&**method, "ArgumentParser" | "add_argument_group" | "add_mutually_exclusive_group")
            {
                names.insert(&**name);
            }
        }
    }
    names
}

/// Whether a call gets a parser.
fn is_handed(module: &Module, arguments: &[Argument], parsers: &HashSet<&str>) -> bool {
    arguments.iter().any(|one| matches!(module.expr(one.value), Expr::Name(name) if parsers.contains(&**name)))
}

/// Whether a call says what a program may be started with.
pub fn says(module: &Module, call: ExprId, parsers: &HashSet<&str>) -> bool {
    let Expr::Call(callee, arguments) = module.expr(call) else { return false };
    let (Expr::Attribute(_, method) | Expr::Name(method)) = module.expr(*callee) else { return false };
    let own = matches!(&**method, "ArgumentParser" | "add_argument" | "add_subparsers" | "set_defaults" | "parse_args");
    own || is_handed(module, arguments, parsers)
}

/// All arguments of the one parser of a file; nothing where something else may say what they are.
fn declared<'a>(module: &'a Module) -> Started<'a> {
    let mut all: HashMap<std::borrow::Cow<'a, str>, Declared> = HashMap::new();
    let mut count = 0_usize;
    let own = |callee: ExprId| match module.expr(callee) {
        Expr::Name(name) => module
            .scope(MODULE)
            .and_then(|scope| scope.names.get(name))
            .is_some_and(|all| matches!(all, [one] if matches!(one.bound, Bound::Function(_)))),
        _ => false,
    };
    let names = parsers(module);
    for (call, scope) in &module.calls {
        let Expr::Call(callee, arguments) = module.expr(*call) else { continue };
        if is_handed(module, arguments, &names) && !own(*callee) {
            return None;
        }
        let (Expr::Attribute(_, method) | Expr::Name(method)) = module.expr(*callee) else { continue };
        let unpacks = || arguments.iter().any(|one| matches!(one.name.as_deref(), Some("*" | "**")));
        match &**method {
            "ArgumentParser" => {
                count += 1;
                let other = ["parents", "argument_default", "fromfile_prefix_chars"];
                if unpacks() || other.iter().any(|name| named(arguments, name).is_some()) {
                    return None;
                }
            }
            "set_defaults" | "add_subparsers" => return None,
            "add_argument" => {
                if unpacks() || all.len() >= MAX_ARGUMENTS {
                    return None;
                }
                let (name, optional) = attribute(module, arguments)?;
                let found = if optional { default(module, arguments, *scope) } else { Default::Open };
                // Two that are one attribute: the first that is declared counts, whichever that is.
                let again = all.insert(name.clone(), Declared(found)).is_some();
                if again {
                    all.insert(name, Declared(Default::Open));
                }
            }
            _ => {}
        }
    }
    (count == 1).then(|| Rc::new(all))
}

impl<'a> Evaluator<'a> {
    /// What a program is started with, `parser.parse_args()`, where something is listed for it.
    pub(super) fn command_line(&mut self, call: ExprId, at: &At, site: Site) -> Option<Value> {
        let Expr::Call(callee, arguments) = self.module(at.module)?.expr(call) else { return None };
        let Expr::Attribute(of, _) = self.module(at.module)?.expr(*callee) else { return None };
        if !self.trying() || !arguments.is_empty() || !self.parses(*of, at) {
            return None;
        }
        self.arguments_of(at.module).is_some().then(|| self.namespace(call, at, site))
    }

    fn arguments_of(&mut self, index: usize) -> Started<'a> {
        if let Some(known) = self.started.get(&index) {
            return known.clone();
        }
        let module = self.module(index)?;
        // Another file may set defaults of a parser that it imports.
        let sets = |(other, of): (usize, &Module)| {
            let call = |call: ExprId| match of.expr(call) {
                Expr::Call(callee, _) => {
                    matches!(of.expr(*callee), Expr::Attribute(_, name) if &**name == "set_defaults")
                }
                _ => false,
            };
            other != index && self.files.knows(other, index) && of.calls.iter().any(|(one, _)| call(*one))
        };
        let found = if self.files.modules.iter().enumerate().any(sets) { None } else { declared(module) };
        self.started.insert(index, found.clone());
        found
    }

    /// An argument that a program is started with, if it is one: its default, or whatever else is given or stored in it.
    pub(super) fn given_or_default(
        &mut self,
        made: &Made,
        (name, stored): (&'a str, bool),
        site: Site,
        depth: usize,
    ) -> Option<Resolved<Value>> {
        let module = self.module(made.at.module)?;
        let Expr::Call(callee, _) = module.expr(made.call) else { return None };
        if !matches!(module.expr(*callee), Expr::Attribute(_, method) if &**method == "parse_args") {
            return None;
        }
        let run = Unresolved { reason: Reason::RunTime, site };
        let all = self.arguments_of(made.at.module)?;
        let found = all.get(name).map_or(Default::Open, |one| one.0);
        if stored || matches!(found, Default::Open) || self.choose(Point::Started(made.at.module), 2) != Some(0) {
            return Some(Err(run));
        }
        let value = match found {
            Default::Written(value, scope, plain) => {
                let at = At { module: made.at.module, scope, frame: None };
                match self.expr(value, &at, depth + 1) {
                    // What makes something else of a text is not followed.
                    Ok(Value::Text(_)) if !plain => Err(run),
                    // Whoever has a list may change it.
                    value => unchanged(value, module, site),
                }
            }
            Default::Flag(truth) => Ok(Value::Bool(truth)),
            Default::None | Default::Open => Ok(Value::None),
        };
        if let Ok(value) = &value {
            self.say(name, value);
        }
        Some(value)
    }
}
