//! What a test is given: `@pytest.mark.parametrize("m, n", [(128, 64), (64, 64)])`.

use super::evaluate::{At, Evaluator, MAX_ITEMS, descend};
use super::tree::{Expr, Kind, MODULE};
use super::value::{Home, Value};
use super::world::Point;
use crate::ast::Site;
use crate::eval::{Reason, Resolved, Unresolved};

/// Bytes of a test that are looked at.
const MAX_TEXT: usize = 1 << 16;

/// What a test leaves out, or wants refused: then it is not known for which values it runs.
const LEAVES: [&str; 5] = ["skip", "xfail", "raises", "fail(", "exit("];

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
        if !known || text.len() > MAX_TEXT || LEAVES.iter().any(|word| text.contains(word)) {
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
