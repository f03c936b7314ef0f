//! What a test is given: `@pytest.mark.parametrize("m, n", [(128, 64), (64, 64)])`.

use memchr::memmem;

use super::evaluate::{At, Evaluator, MAX_ITEMS, descend};
use super::tree::{Branch, Expr, ExprId, Fork, Kind, MODULE, Module, Name, ScopeId};
use super::value::{Home, Value};
use super::world::Point;
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// Bytes of a test that are looked at.
const MAX_TEXT: usize = 1 << 16;

/// What a test leaves out, or wants refused: where no guard says for which values, that is not known.
const LEAVES: [&str; 5] = ["skip", "xfail", "raises", "fail(", "exit("];

/// Tests around one place, and parts of one, that are looked at.
const MAX_PARTS: usize = 64;

impl Evaluator<'_> {
    /// The value of a parameter of a test that marks list values for, each of which it is run with.
    pub(super) fn parametrized(
        &mut self,
        home: Home,
        place: usize,
        site: Site,
        depth: usize,
    ) -> Option<Resolved<Value>> {
        let module = self.module(home.module)?;
        let scope = module.scope(home.scope)?;
        let Kind::Function(function) = &scope.kind else { return None };
        let name = function.parameters.get(place)?;
        let (list, part) = function.decorators.iter().find_map(|mark| {
            let Expr::Call(callee, arguments) = module.expr(*mark) else { return None };
            let Expr::Attribute(of, method) = module.expr(*callee) else { return None };
            let marks = matches!(module.expr(*of), Expr::Attribute(_, of) if &**of == "mark");
            let [names, values] = &**arguments else { return None };
            if !marks || &**method != "parametrize" || arguments.iter().any(|one| one.name.is_some()) {
                return None;
            }
            let names: Vec<&str> = match module.expr(names.value) {
                Expr::Text(names) => names.split(',').map(str::trim).collect(),
                Expr::Tuple(items, _) => items
                    .iter()
                    .map(|item| match module.expr(*item) {
                        Expr::Text(name) => Some(&**name),
                        _ => None,
                    })
                    .collect::<Option<_>>()?,
                _ => return None,
            };
            let own = names.iter().position(|one| *one == &**name)?;
            Some((values.value, if names.len() > 1 { vec![own] } else { Vec::new() }))
        })?;
        let text = self.files.sources.get(module.file)?.text.get(scope.span.range())?;
        let known = self.named(home).is_some_and(|(name, class)| name.starts_with("test") && class.is_none());
        if !known || text.len() > MAX_TEXT || !is_guarded(module, home.scope, text) {
            return None;
        }
        let around = At { module: home.module, scope: scope.parent.unwrap_or(MODULE), frame: None };
        let open = Unresolved { reason: Reason::Unlisted, site };
        let items = match self.sequence(list, &around, depth + 1) {
            Ok(Value::Tuple(items)) if items.all.len() <= MAX_ITEMS => items,
            _ => return Some(Err(open)),
        };
        let Some(chosen) = self.choose(Point::Each(home.module, list, 0), items.all.len()) else {
            return Some(Err(open));
        };
        let value = items.all.get(chosen).cloned().ok_or(open).and_then(|item| descend(item, &part, site));
        if let Ok(value) = &value {
            self.say(name, value);
        }
        Some(value)
    }
}

/// Whether all that a test leaves out hangs on tests that are decided for each value of one parameter, or that have nothing to do with any: of
/// two, one alone is chosen where a layout hangs on no other.
fn is_guarded(module: &Module, scope: ScopeId, text: &str) -> bool {
    let Some((start, function)) = module.scope(scope).and_then(|of| match &of.kind {
        Kind::Function(function) => Some((of.span.start, function)),
        _ => None,
    }) else {
        return false;
    };
    LEAVES.iter().flat_map(|word| memmem::find_iter(text.as_bytes(), word)).all(|at| {
        let line = text.get(..at).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
        if line.trim_start().starts_with('#') {
            return true;
        }
        let Some(place) = u32::try_from(at).ok().and_then(|at| start.checked_add(at)) else { return false };
        let around = |branch: &&Branch| branch.scope == scope && branch.span.start <= place && place < branch.span.end;
        let mut own = module.branches.iter().filter(around).peekable();
        let mut asked: Option<&Name> = None;
        // Under tests only, in an arm of the last one that leaves.
        own.peek().is_some()
            && own.all(|branch| {
                let decided = |test: ExprId| is_decided(module, test, scope, &function.parameters, &mut asked);
                branch.fork == Fork::If && branch.arms.iter().take(MAX_PARTS).filter_map(|arm| arm.test).all(decided)
            })
            && module
                .branches
                .iter()
                .filter(around)
                .any(|branch| branch.arms.iter().any(|arm| arm.ends && arm.span.start <= place && place < arm.span.end))
    })
}

/// Whether a test is made of the one parameter that is asked and of constants, or of none of what the function binds.
fn is_decided<'m>(
    module: &'m Module,
    test: ExprId,
    scope: ScopeId,
    parameters: &[Name],
    asked: &mut Option<&'m Name>,
) -> bool {
    let (mut plain, mut own, mut looked) = (true, false, 0);
    let mut next = vec![test];
    while let Some(part) = next.pop() {
        looked += 1;
        if looked > MAX_PARTS {
            return false;
        }
        let expr = module.expr(part);
        match expr {
            Expr::Name(name) => {
                let bound = module.scope(scope).is_some_and(|scope| scope.names.contains_key(name));
                own |= bound;
                plain &= !bound || *asked.get_or_insert(name) == name;
                let constant = module.scope(MODULE).is_some_and(|file| file.names.contains_key(name));
                plain &= parameters.contains(name) || constant && !bound;
            }
            Expr::Integer(_)
            | Expr::Bool(_)
            | Expr::Text(_)
            | Expr::None
            | Expr::Not(_)
            | Expr::Binary(..)
            | Expr::Tuple(..)
            | Expr::Within(..)
            | Expr::Negative(_) => {}
            _ => plain = false,
        }
        expr.each_part(&mut |part| next.push(part));
    }
    plain || !own
}
