//! The type of the elements of a host's tensor, where a guard says what it may be: `if mA.element_type not in [Float16, BFloat16]: raise`.

use super::cute;
use super::evaluate::{At, Evaluator};
use super::tree::{Binding, Bound, Expr, ExprId, Fork, Kind, Module, Op, PathId, ScopeId};
use super::value::{Home, Value};
use super::world::Point;
use std::rc::Rc;

/// Guards of one function that are looked at, parts of one, and types that they name.
const MAX_GUARDS: usize = 32;
const MAX_PARTS: usize = 16;
const MAX_TYPES: usize = 8;

/// A guard: a test, and what it comes to where nothing is refused.
type Guard = (ExprId, bool);

impl Evaluator<'_> {
    /// The type of a tensor's elements that an expression is, `mA.element_type`, which is one of those that all guards of its function allow.
    pub(super) fn said_type(&mut self, of: ExprId, at: &At) -> Option<Value> {
        let module = self.module(at.module)?;
        let Expr::Attribute(tensor, name) = module.expr(of) else { return None };
        let Expr::Name(tensor) = module.expr(*tensor) else { return None };
        if !self.trying() || &**name != "element_type" {
            return None;
        }
        let (scope, [Binding { bound: Bound::Parameter(place), .. }]) = self.bindings(tensor, at)? else { return None };
        let guards = guards(module, scope, module.span(of).start);
        let mut types: Vec<Rc<str>> = Vec::new();
        let inside = At { scope, ..at.clone() };
        let mut closed = false;
        for (test, _) in &guards {
            self.types_in(*test, &inside, &mut types, 0);
        }
        let mut allowed = types.clone();
        for (test, passes) in guards {
            // One that lets any other type pass says nothing.
            closed |= self.holds(test, tensor, None, &inside, 0) == Some(!passes);
            allowed.retain(|one| self.holds(test, tensor, Some(one), &inside, 0) != Some(!passes));
        }
        if !closed || allowed.is_empty() || types.len() > MAX_TYPES {
            return None;
        }
        let home = Home { module: at.module, scope };
        let chosen = self.choose(Point::Type(home, *place, at.key()), allowed.len())?;
        allowed.get(chosen).map(|one| Value::Library(one.clone()))
    }

    /// The types that a test names.
    // Recursion: to a fixed depth.
    fn types_in(&mut self, test: ExprId, at: &At, found: &mut Vec<Rc<str>>, depth: usize) {
        let Some(module) = self.module(at.module).filter(|_| depth < MAX_PARTS && found.len() <= MAX_TYPES) else {
            return;
        };
        let mut parts = Vec::new();
        match module.expr(test) {
            Expr::Attribute(..) | Expr::Name(_) => {
                if let Some(one) = self.type_of(test, at)
                    && !found.contains(&one)
                {
                    found.push(one);
                }
            }
            Expr::Call(_, arguments) => parts.extend(arguments.iter().map(|one| one.value)),
            expr => expr.each_part(&mut |part| parts.push(part)),
        }
        for part in parts {
            self.types_in(part, at, found, depth + 1);
        }
    }

    /// The type of the DSL that an expression is.
    fn type_of(&mut self, of: ExprId, at: &At) -> Option<Rc<str>> {
        match self.surely(of, at) {
            Ok(Value::Library(path)) if cute::bits(&path).is_some() => Some(path),
            _ => None,
        }
    }

    /// Whether a test holds where the elements of a tensor have a type, or one that no test names; nothing where that is not known.
    // Recursion: to a fixed depth.
    fn holds(&mut self, test: ExprId, tensor: &str, own: Option<&Rc<str>>, at: &At, depth: usize) -> Option<bool> {
        let module = self.module(at.module).filter(|_| depth < MAX_PARTS)?;
        let is_own = |one: ExprId| {
            matches!(module.expr(one), Expr::Attribute(of, name)
                if &**name == "element_type" && matches!(module.expr(*of), Expr::Name(of) if **of == *tensor))
        };
        match module.expr(test) {
            Expr::Call(callee, arguments) => {
                let [only] = &**arguments else { return None };
                let path = self.of_library(*callee, at)?;
                let test = only.value;
                (&*path == "cutlass.const_expr" && only.name.is_none())
                    .then(|| self.holds(test, tensor, own, at, depth + 1))?
            }
            Expr::Not(of) => self.holds(*of, tensor, own, at, depth + 1).map(|holds| !holds),
            Expr::Binary(op @ (Op::Both | Op::Either), left, right) => {
                let decides = *op == Op::Either;
                let left = self.holds(*left, tensor, own, at, depth + 1);
                let right = self.holds(*right, tensor, own, at, depth + 1);
                match (left, right) {
                    (Some(one), _) | (_, Some(one)) if one == decides => Some(decides),
                    (Some(_), Some(_)) => Some(!decides),
                    _ => None,
                }
            }
            Expr::Binary(op @ (Op::Eq | Op::Ne), left, right) => {
                let other = if is_own(*left) { *right } else { Some(*left).filter(|_| is_own(*right))? };
                let other = self.type_of(other, at)?;
                Some(own.is_some_and(|own| *own == other) == (*op == Op::Eq))
            }
            Expr::Within(one, of, not) if is_own(*one) => {
                let Expr::Tuple(items, _) = module.expr(*of) else { return None };
                let types: Option<Vec<Rc<str>>> = items.iter().map(|item| self.type_of(*item, at)).collect();
                let types = types?;
                Some(own.is_some_and(|own| types.contains(own)) != *not)
            }
            _ => None,
        }
    }
}

/// The guards of a function before a place, in no branch: a test behind which nothing runs, and what it asserts.
fn guards(module: &Module, scope: ScopeId, place: u32) -> Vec<Guard> {
    let Some(Kind::Function(function)) = module.scope(scope).map(|scope| &scope.kind) else { return Vec::new() };
    let branches = module.branches.iter().filter(|branch| {
        branch.scope == scope && branch.path == PathId(0) && branch.fork == Fork::If && branch.span.end <= place
    });
    let left = branches.filter_map(|branch| {
        let first = branch.arms.first().filter(|first| first.ends)?;
        Some((first.test?, false))
    });
    let asserts = function.asserts.iter().filter(|one| one.path == PathId(0) && one.at < place);
    left.chain(asserts.filter_map(|one| Some((one.value?, true)))).take(MAX_GUARDS).collect()
}
