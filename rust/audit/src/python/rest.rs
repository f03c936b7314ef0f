//! `*values` and `**values` of a constructor: what the call that makes the object gives beside the other parameters.

use super::evaluate::{At, Evaluator, Frame};
use super::sites::{MAX_SITES, of_class};
use super::tree::{Binding, Bound, Expr, Kind};
use super::value::{Home, Value};
use super::world::Point;
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};
use std::rc::Rc;

impl Evaluator<'_> {
    /// What a constructor gets by place or by name beside its parameters, as far as the code lists it.
    pub(super) fn rest(&mut self, home: Home, named: bool, at: &At, site: Site, depth: usize) -> Resolved<Value> {
        let wrong = |reason| Unresolved { reason, site };
        let constructs = self.named(home).is_some_and(|(name, class)| name == "__init__" && class.is_some());
        if !self.trying() || !constructs || self.is_replaced(home) {
            return Err(wrong(Reason::RunTime));
        }
        let made = at.frame_of(home).and_then(Frame::object);
        if self.escapes(home, made) && self.choose(Point::Unseen(home, made), 2) != Some(0) {
            return Err(wrong(Reason::Unlisted));
        }
        let all = self.calls_of(home);
        let of = of_class(&all, made);
        if of.len() > MAX_SITES {
            return Err(wrong(Reason::Instances));
        }
        // No parameter has this place, and calls with the same text only are one.
        let key = (home, made, usize::MAX - usize::from(named));
        let chosen = self.chosen(&of, key, if named { "**" } else { "*" }).ok_or(wrong(Reason::Dependent))?;
        let called = of.get(chosen).filter(|called| called.is_whole()).ok_or(wrong(Reason::Call))?;
        let (call, scope, module) = (called.call, called.scope, called.module);
        let Some(Expr::Call(_, arguments)) = self.module(module).map(|of| of.expr(call)) else {
            return Err(wrong(Reason::Call));
        };
        let unpacks = arguments.iter().any(|argument| matches!(argument.name.as_deref(), Some("*" | "**")));
        let function = self.module(home.module).and_then(|of| of.scope(home.scope)).map(|scope| &scope.kind);
        let Some(Kind::Function(function)) = function.filter(|_| !unpacks) else { return Err(wrong(Reason::Call)) };
        let inside = At { module, scope, frame: None };
        // The object itself has the first place.
        let skip = function.placed.checked_sub(1).ok_or(wrong(Reason::Call))?;
        if !named {
            let placed = arguments.iter().filter(|argument| argument.name.is_none()).skip(skip);
            let values = placed.map(|one| self.expr(one.value, &inside, depth + 1).unwrap_or_else(Value::Unknown));
            return Value::tuple(values.collect(), site);
        }
        let mut pairs = Vec::new();
        for argument in arguments {
            if let Some(name) =
                argument.name.as_deref().filter(|name| !function.parameters.iter().any(|one| **one == **name))
            {
                let value = self.expr(argument.value, &inside, depth + 1).unwrap_or_else(Value::Unknown);
                pairs.push((Value::Text(name.into()), value));
            }
        }
        Ok(Value::Dict(Rc::new(pairs), site))
    }

    /// The class that the first parameter of a class method is, where no other class inherits from it.
    pub(super) fn factory_of(&mut self, function: Home) -> Option<Home> {
        let (_, class) = self.named(function)?;
        let class = class.filter(|_| self.is_decorated(function, "classmethod"))?;
        let all = self.module(function.module).and_then(|of| of.scope(function.scope)?.names.get("cls"))?;
        if !matches!(all, [Binding { bound: Bound::Parameter(0), .. }]) {
            return None;
        }
        (self.heirs(class).as_slice() == [class]).then_some(class)
    }
}
