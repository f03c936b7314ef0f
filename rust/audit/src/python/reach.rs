//! What of a file any question can lead to. The rest is let go before more is kept: most of a program's statements make no layout, and
//! nothing that makes one hangs on them.
//!
//! Questions begin at calls that may be a library's, and at what others can ask of a file: the names of the file and of its classes,
//! attributes that are stored, bases, defaults and what functions return. They lead to the parts of an expression, and from a name to all
//! that its scope binds it to. What stays means what it meant.

use foldhash::{HashSet, HashSetExt as _};
use std::sync::Arc;

use super::cute;
use super::tree::{Bound, Expr, ExprId, Kind, MODULE, Module, ScopeId};

/// A file without what no question leads to. Of a file that is only imported, calls are no beginnings.
pub fn reached(mut module: Module, surveyed: bool) -> Module {
    if surveyed {
        let calls = std::mem::take(&mut module.calls);
        module.calls = calls.into_iter().filter(|(call, scope)| may_be_library(&module, *call, *scope)).collect();
    } else {
        module.calls = Vec::new();
    }
    for store in module.stores.iter_mut().filter(|store| store.class.is_none()) {
        // Only the name counts.
        store.value = None;
    }
    let mut reach = Reach {
        module: &module,
        from: vec![None; module.exprs.len()],
        again: HashSet::new(),
        names: HashSet::new(),
        next: Vec::new(),
    };
    reach.beginnings();
    reach.follow();
    let Reach { from, names, .. } = reach;
    let mut count = 0_u32;
    let moved: Vec<ExprId> = from
        .iter()
        .map(|from| {
            if from.is_none() {
                return ExprId(u32::MAX);
            }
            count += 1;
            ExprId(count - 1)
        })
        .collect();
    let kept = |id: ScopeId, name: &Arc<str>| names.contains(&(id, name.clone()));
    for (scope, id) in module.scopes.iter_mut().zip(0..) {
        // What is imported was read for the sake of that.
        let imports = |bound: &Bound| matches!(bound, Bound::Module(_) | Bound::From(..));
        scope.names.retain(|name, all| kept(ScopeId(id), name) || all.iter().any(|one| imports(&one.bound)));
        scope.names.shrink_to_fit();
        for all in scope.names.values_mut() {
            all.shrink_to_fit();
        }
    }
    let exprs = std::mem::take(&mut module.exprs);
    module.exprs = Vec::with_capacity(count as usize);
    module.exprs.extend(exprs.into_iter().zip(&from).filter(|(_, from)| from.is_some()).map(|(expr, _)| expr));
    module.each_id(&mut |id| *id = moved.get(id.0 as usize).copied().unwrap_or(ExprId(u32::MAX)));
    module.calls.shrink_to_fit();
    module.stores.shrink_to_fit();
    module.scopes.shrink_to_fit();
    module
}

/// Whether the function that is called may be one that is looked at: most calls are none, and need not be evaluated.
fn may_be_library(module: &Module, call: ExprId, scope: ScopeId) -> bool {
    let Expr::Call(callee, _) = module.expr(call) else { return false };
    let name = match module.expr(*callee) {
        Expr::Attribute(_, name) => name,
        // Another name may be given to it where it is imported.
        Expr::Name(name) => return may_be_imported(module, name, scope),
        _ => return false,
    };
    let others = matches!(&**name, "make_tiled_copy_tv" | "make_swizzle");
    cute::makes_layout(name) || cute::computes(name) || others || name.ends_with("Layout")
}

/// Whether a plain name may be another name of something that a library has: not where nothing but functions, classes, parameters and
/// loops bind it, nor where nothing does and nothing brings names that are not written.
fn may_be_imported(module: &Module, name: &str, scope: ScopeId) -> bool {
    match home(module, name, scope).and_then(|home| module.scope(home)?.names.get(name)) {
        Some(bindings) => bindings.iter().any(|one| {
            !matches!(one.bound, Bound::Function(_) | Bound::Class(_) | Bound::Parameter(..) | Bound::Moving)
        }),
        None => !module.stars.is_empty(),
    }
}

/// The scope that binds a name which stands in a scope. The names of a class are not seen from its methods.
pub fn home(module: &Module, name: &str, scope: ScopeId) -> Option<ScopeId> {
    let mut at = Some(scope);
    while let Some(id) = at {
        let of = module.scope(id)?;
        let seen = id == scope || !matches!(of.kind, Kind::Class { .. });
        if seen && of.names.contains_key(name) {
            return Some(id);
        }
        at = of.parent;
    }
    None
}

struct Reach<'m> {
    module: &'m Module,
    /// The scope in which each expression was reached first.
    from: Vec<Option<ScopeId>>,
    /// Other scopes in which it was.
    again: HashSet<(u32, ScopeId)>,
    names: HashSet<(ScopeId, Arc<str>)>,
    /// What is still to be looked at.
    next: Vec<(ExprId, ScopeId)>,
}

impl Reach<'_> {
    fn beginnings(&mut self) {
        let module = self.module;
        self.next.extend(&module.calls);
        self.next.extend(module.stores.iter().filter_map(|store| Some((store.value?, store.scope))));
        for (scope, id) in module.scopes.iter().zip(0..) {
            let id = ScopeId(id);
            let around = scope.parent.unwrap_or(MODULE);
            match &scope.kind {
                Kind::Module => self.all(id),
                Kind::Class { bases, .. } => {
                    self.all(id);
                    self.next.extend(bases.iter().flatten().map(|base| (*base, around)));
                }
                Kind::Function(function) => {
                    self.next.extend(function.returns.map(|returns| (returns, id)));
                    let defaults = function.defaults.iter().flatten();
                    self.next.extend(function.decorators.iter().chain(defaults).map(|one| (*one, around)));
                }
                Kind::Inner => {}
            }
        }
    }

    fn all(&mut self, scope: ScopeId) {
        for name in self.module.scope(scope).into_iter().flat_map(|scope| scope.names.keys()) {
            self.name(scope, name);
        }
    }

    fn name(&mut self, scope: ScopeId, name: &Arc<str>) {
        if !self.names.insert((scope, name.clone())) {
            return;
        }
        let bindings = self.module.scope(scope).and_then(|scope| scope.names.get(name));
        for binding in bindings.into_iter().flatten() {
            if let Bound::Value(value, _) | Bound::Part(value, _) = &binding.bound {
                self.next.push((*value, scope));
            }
        }
    }

    fn follow(&mut self) {
        while let Some((id, scope)) = self.next.pop() {
            match self.from.get_mut(id.0 as usize) {
                Some(from @ None) => *from = Some(scope),
                Some(Some(from)) if *from != scope && self.again.insert((id.0, scope)) => {}
                _ => continue,
            }
            let expr = self.module.expr(id);
            if let Expr::Name(name) = expr
                && let Some(home) = home(self.module, name, scope)
            {
                self.name(home, name);
            }
            expr.each_part(&mut |part| self.next.push((part, scope)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::python::read::Reader;

    use super::*;

    /// Names of expressions and of bindings that stay.
    fn stays(text: &str, surveyed: bool) -> (Vec<String>, Vec<String>) {
        let module = reached(Reader::default().read(0, text), surveyed);
        let mut exprs: Vec<String> = module
            .exprs
            .iter()
            .filter_map(|(expr, _)| match expr {
                Expr::Name(name) => Some(name.to_string()),
                _ => None,
            })
            .collect();
        let mut names: Vec<String> =
            module.scopes.iter().flat_map(|scope| scope.names.keys()).map(ToString::to_string).collect();
        exprs.sort();
        names.sort();
        (exprs, names)
    }

    #[test]
    fn what_a_layout_hangs_on_stays() {
        let text = "import cutlass.cute as cute\nN = a\nprint(b)\ndef f(p, q):\n    x = c + p\n    v = b\n    print(x, v)\n    \
                    for z in q:\n        cute.make_layout(x)\ndef g(r):\n    y = d\n    w = e\n    return y\n";
        let words = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(stays(text, true), (words("a c cute d p x y"), words("N cute f g p x y")));
        assert_eq!(stays(text, false), (words("a d y"), words("N cute f g y")));
    }

    #[test]
    fn what_others_may_ask_for_stays() {
        let text = "class C(B):\n    n = a\n    def f(self, x=b):\n        y = c\n        self.z = y\n        other.z = d\n        g(h)\n";
        let words = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(stays(text, false), (words("B a b c y"), words("C f n y")));
    }

    #[test]
    fn calls_that_are_no_librarys_are_told() {
        let counted = |text: &str| reached(Reader::default().read(0, text), true).calls.len();
        for (text, count) in [
            ("print(4)", 0),
            ("def f(x):\n    pass\nf(4)", 0),
            ("class C:\n    pass\nC(4)", 0),
            ("def f(g):\n    g(4)", 0),
            ("from a import *\nmake(4)", 1),
            ("from a import f\nf(4)", 1),
            ("f = g\nf(4)", 1),
            ("def f():\n    pass\nf = g\nf(4)", 1),
            ("x.make_layout(4)", 1),
            ("x.append(4)", 0),
        ] {
            assert_eq!(counted(text), count, "{text}");
        }
    }
}
