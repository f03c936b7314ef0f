//! Functions and classes that a function returns: `def pick(old): return A if old else B`. Their calls are seen where all that the function
//! returns gets a name within another function, is called there, or is returned again.

use foldhash::{HashSet, HashSetExt as _};

use super::evaluate::{At, Evaluator};
use super::sites::Called;
use super::tree::{Binding, Bound, Expr, ExprId, Kind, Module, ScopeId};
use super::value::Home;
use crate::source::is_identifier;

/// How far it is followed from one function to the next.
const MAX_CHAIN: usize = 6;

/// Whether an expression calls a function of the files by its name.
pub(super) fn calls_by_name(module: &Module, of: ExprId, scope: ScopeId) -> bool {
    let Expr::Call(callee, _) = module.expr(of) else { return false };
    let Expr::Name(name) = module.expr(*callee) else { return false };
    let mut at = Some(scope);
    while let Some(around) = at.and_then(|id| module.scope(id)) {
        if let Some(all) = around.names.get(name) {
            let may = |one: &Binding| match &one.bound {
                Bound::Function(_) => true,
                Bound::From(import) => !super::cute::is_library(&import.from),
                _ => false,
            };
            return all.iter().any(may);
        }
        at = around.parent;
    }
    false
}

impl<'a> Evaluator<'a> {
    /// What a call of some functions returns.
    pub(super) fn returned_by(&self, functions: &[Home]) -> Vec<(ExprId, At)> {
        let mut all = Vec::new();
        for home in functions {
            let scope = self.module(home.module).and_then(|module| module.scope(home.scope));
            let Some(Kind::Function(function)) = scope.map(|scope| &scope.kind) else { continue };
            if function.yields {
                continue;
            }
            let at = At { module: home.module, scope: home.scope, frame: None };
            all.extend(function.returns.iter().filter_map(|one| Some((one.value?, at.clone()))));
        }
        all
    }

    /// Names that decorate a function or a class.
    pub(super) fn decorating(&self) -> HashSet<&'a str> {
        let mut all = HashSet::new();
        for module in &self.files.modules {
            let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
            for at in memchr::memchr_iter(b'@', text.as_bytes()) {
                let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
                let line = before.rsplit('\n').next().unwrap_or_default();
                if line.trim_start().is_empty() {
                    let length = after.bytes().position(|byte| !is_identifier(byte) && byte != b'.');
                    let path = after.get(..length.unwrap_or(after.len())).unwrap_or_default();
                    all.extend(path.rsplit('.').next());
                }
            }
        }
        all
    }

    /// Whether all calls of what a function returns are seen.
    // Recursion: along a chain of functions, to a fixed depth.
    pub(super) fn is_followed(&mut self, home: Home, decorating: &HashSet<&'a str>, chain: usize) -> bool {
        let Some((name, class)) = self.named(home) else { return false };
        let plain = self.module(home.module).and_then(|module| module.scope(home.scope)).is_some_and(
            |scope| matches!(&scope.kind, Kind::Function(function) if !function.yields && function.decorators.is_empty()),
        );
        if chain > MAX_CHAIN || class.is_some() || !plain || decorating.contains(name) || self.escapes(home, None) {
            return false;
        }
        let calls = self.calls_of(home);
        !calls.is_empty()
            && calls.len() < super::sites::MAX_LOOKS
            && calls.iter().all(|called| self.is_call_followed(called, decorating, chain))
    }

    fn is_call_followed(&mut self, called: &Called, decorating: &HashSet<&'a str>, chain: usize) -> bool {
        let Some(module) = self.module(called.module) else { return false };
        let call = called.call;
        if !called.is_whole() || !calls_by_name(module, call, called.scope) {
            return false;
        }
        // `pick(old)(x)`
        if module.calls.iter().any(|(outer, _)| matches!(module.expr(*outer), Expr::Call(of, _) if *of == call)) {
            return true;
        }
        let mut scope = Some(called.scope);
        while let Some(id) = scope {
            let Some(around) = module.scope(id) else { return false };
            if let Kind::Function(function) = &around.kind {
                let returns = |value: ExprId| {
                    value == call || matches!(module.expr(value), Expr::Tuple(items, false) if items.contains(&call))
                };
                if function.returns.iter().filter_map(|one| one.value).any(returns) {
                    let home = Home { module: called.module, scope: id };
                    return self.is_followed(home, decorating, chain + 1);
                }
                let binds = |one: &Binding| match one.bound {
                    Bound::Value(value, _) | Bound::Part(value, _) => value == call,
                    _ => false,
                };
                if around.names.values().flatten().any(binds) {
                    return self.is_only_named(module, call);
                }
                return false;
            }
            scope = around.parent;
        }
        false
    }

    /// Whether all that is done with a call is that names get what it returns: `a, b = pick(old)`.
    fn is_only_named(&self, module: &Module, call: ExprId) -> bool {
        let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        let before = text.get(..module.span(call).start as usize).unwrap_or_default();
        let (above, line) = before.rsplit_once('\n').unwrap_or(("", before));
        let Some(names) = line.trim_end().strip_suffix('=') else { return false };
        // Targets on the lines before may be attributes.
        let whole = names.matches('(').count() == names.matches(')').count() && !above.trim_end().ends_with('\\');
        whole && names.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ',' | ' ' | '\t' | '(' | ')'))
    }
}
