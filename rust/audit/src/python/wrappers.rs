//! Decorators of the files: what they make of a function may call it with anything, unless they hand on what they are given.

use foldhash::{HashSet, HashSetExt as _};

use super::evaluate::{At, Evaluator};
use super::tree::{Expr, Kind, MODULE, Scope, ScopeId};
use super::value::{Home, Value};
use crate::source::{Language, comments, places};

impl Evaluator<'_> {
    /// Whether a function of the files is around it, which may call it with anything.
    pub(super) fn is_wrapped(&mut self, home: Home) -> bool {
        let Some(module) = self.module(home.module) else { return false };
        let Some(scope) = module.scope(home.scope) else { return false };
        let Kind::Function(function) = &scope.kind else { return false };
        let at = At { module: home.module, scope: scope.parent.unwrap_or(MODULE), frame: None };
        function.decorators.iter().any(|one| {
            // `@around(4)` is what it returns.
            let one = match module.expr(*one) {
                Expr::Call(callee, _) => *callee,
                _ => *one,
            };
            match self.surely(one, &at) {
                Ok(Value::Function(of, _)) => !self.hands_through(of),
                Ok(Value::Class(_)) => true,
                // One of several: `try: from m import f` with another where there is none.
                Err(_) if matches!(module.expr(one), Expr::Name(_)) => {
                    let mut all = Vec::new();
                    self.callable(one, &at, false, &mut all);
                    all.into_iter().any(|(of, _)| self.is_class(of) || !self.hands_through(of))
                }
                _ => false,
            }
        })
    }

    /// Whether a decorator of the files calls it with something else than it is given: calls of its name are none of it.
    pub(super) fn is_replaced(&mut self, home: Home) -> bool {
        if let Some(known) = self.replaced.get(&home) {
            return *known;
        }
        // Whoever asks again meanwhile goes round in a circle.
        self.replaced.insert(home, false);
        let decorators = match self.module(home.module).and_then(|module| module.scope(home.scope)) {
            Some(Scope { kind: Kind::Function(function), parent, .. }) => {
                Some((&function.decorators, parent.unwrap_or(MODULE)))
            }
            _ => None,
        };
        let mut replaced = false;
        for one in decorators.iter().flat_map(|(all, _)| all.iter()) {
            let (Some(module), Some((_, around))) = (self.module(home.module), decorators) else { break };
            let one = match module.expr(*one) {
                Expr::Call(callee, _) => *callee,
                _ => *one,
            };
            let at = At { module: home.module, scope: around, frame: None };
            replaced |= matches!(self.surely(one, &at), Ok(Value::Function(of, _)) if !self.calls_as_given(of));
        }
        self.replaced.insert(home, replaced);
        replaced
    }

    /// Whether all calls in a decorator of what it is around pass on what they are given.
    fn calls_as_given(&self, of: Home) -> bool {
        let Some((text, names)) = self.decorator(of) else { return false };
        let text = &*text;
        let called =
            |name: &&&str| uses(text, name).any(|(before, after)| after.starts_with('(') && !before.ends_with("def "));
        let mut called = names.iter().filter(called).peekable();
        called.peek().is_none()
            || called.all(|name| calls_through(text, name)) && kept(text, "args") && kept(text, "kwargs")
    }

    /// Whether a decorator says that it stands for what it is around, and calls it with what it is given: `f(*args, **kwargs)`.
    fn hands_through(&self, of: Home) -> bool {
        let Some((text, names)) = self.decorator(of) else { return false };
        let text = &*text;
        text.contains("wraps(")
            && names.iter().all(|name| calls_through(text, name))
            && kept(text, "args")
            && kept(text, "kwargs")
    }

    /// The text of a decorator without its comments, and the names that what it is around may have in it.
    fn decorator(&self, of: Home) -> Option<(String, HashSet<&str>)> {
        let module = self.module(of.module)?;
        let scope = module.scope(of.scope)?;
        let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        let text = text.get(scope.span.range()).unwrap_or_default();
        // What it is around is the first parameter of it, or of a function in it.
        let mut names = HashSet::new();
        for (scope, id) in module.scopes.iter().zip(0..) {
            let mut at = Some(ScopeId(id));
            let within = std::iter::from_fn(|| {
                let id = at?;
                at = module.scope(id).and_then(|scope| scope.parent);
                Some(id)
            });
            if let Kind::Function(function) = &scope.kind
                && within.take(16).any(|id| id == of.scope)
            {
                names.extend(function.parameters.first().map(|name| &**name));
            }
        }
        Some((without_comments(text), names))
    }
}

/// A text without its comments: they speak of calls that are none.
fn without_comments(text: &str) -> String {
    let (mut rest, mut from) = (String::with_capacity(text.len()), 0);
    for comment in comments(text, Language::Python) {
        rest.push_str(text.get(from..comment.start).unwrap_or_default());
        from = comment.end;
    }
    rest.push_str(text.get(from..).unwrap_or_default());
    rest
}

/// Where a name stands in a text, as what is before and behind it.
fn uses<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    places(text, name).filter_map(|at| Some((text.get(..at)?, text.get(at + name.len()..)?)))
}

/// Whether all calls of a name pass on what they are given.
fn calls_through(text: &str, name: &str) -> bool {
    uses(text, name).all(|(before, after)| {
        let call = after.strip_prefix('(').filter(|_| !before.ends_with("def "));
        call.is_none_or(|arguments| {
            let arguments: String = arguments.split(')').next().unwrap_or_default().split_whitespace().collect();
            matches!(arguments.trim_end_matches(','), "*args,**kwargs" | "*args" | "**kwargs")
        })
    })
}

/// Whether nothing is bound to a name or stored in it.
fn kept(text: &str, name: &str) -> bool {
    uses(text, name).all(|(_, after)| {
        let changes = [".pop(", ".update(", ".setdefault(", ".clear(", ".popitem(", ".append(", ".insert("];
        let line = after.split('\n').next().unwrap_or_default();
        let bound = line.trim_start().strip_prefix('=').is_some_and(|rest| !rest.starts_with('='));
        let stored = line.starts_with('[') && line.contains("] = ");
        !bound && !stored && !changes.iter().any(|word| after.starts_with(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_call_nothing() {
        let text = without_comments("# with f()\nreturn f(*args, **kwargs)  # not f(2 * n)\n");
        assert!(calls_through(&text, "f"), "{text}");
        assert!(!calls_through(&without_comments("x = '#'; return f(2 * n)"), "f"));
    }

    #[test]
    fn what_is_handed_on_as_it_is() {
        assert!(calls_through("def w(*args, **kwargs):\n    log(f.__name__)\n    return f(*args, **kwargs)\n", "f"));
        assert!(calls_through("return f(\n    *args,\n    **kwargs,\n)", "f"));
        assert!(!calls_through("return f(2 * n)", "f") && !calls_through("return f(*args, n=4)", "f"));
        assert!(calls_through("def f(n): pass\nff(4)", "f"));
        assert!(kept("f(*args, **kwargs)\nif args == x:\n    pass", "args"));
        assert!(!kept("kwargs['n'] = 8", "kwargs") && !kept("kwargs.pop('n')", "kwargs") && !kept("args = 4", "args"));
    }
}
