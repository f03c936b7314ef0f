//! What of a file any question can lead to. The rest is let go before more is kept: most of a program's statements make no layout, and
//! nothing that makes one hangs on them.
//!
//! Questions begin at calls that may be a library's or that the files define a function or class for, at what decides which statements
//! run, and at what others can ask of a file: the names of the file and of its classes, attributes that are stored, bases, defaults and
//! what functions return. They lead to the parts of an expression, and from a name to all that its scope binds it to. What stays means
//! what it meant.

use foldhash::{HashSet, HashSetExt as _};

use memchr::memmem;

use super::allocated;
use super::cute;
use super::memory;
use super::ranks;
use super::started;
use super::tree::{Bound, Expr, ExprId, Kind, MODULE, Module, Name, Op, ScopeId};
use crate::source::{Source, is_identifier};

/// The names of all functions and classes that some files define.
pub fn defined(sources: &[Source]) -> HashSet<&str> {
    let mut names = HashSet::new();
    for source in sources.iter().filter(|source| source.python) {
        for word in ["def ", "class "] {
            for at in memmem::find_iter(source.text.as_bytes(), word) {
                let rest = source.text.get(at + word.len()..).unwrap_or_default().trim_start();
                let length = rest.bytes().position(|byte| !is_identifier(byte)).unwrap_or(rest.len());
                names.extend(rest.get(..length).filter(|name| !name.is_empty()));
            }
        }
    }
    names
}

/// A file without what no question leads to. `defined` are the names of the functions and classes of all files, and
/// those of a `partial(…)`.
pub fn reached(mut module: Module, defined: &HashSet<&str>) -> Module {
    let calls = std::mem::take(&mut module.calls);
    // A file keeps each name once, so that most are seen to be there by where they lie.
    let mut seen = HashSet::new();
    let names = module.scopes.iter().flat_map(|scope| scope.names.keys());
    let bound: HashSet<&str> = names.filter(|name| seen.insert(name.as_ptr())).map(|name| &**name).collect();
    drop(seen);
    let dsl = memory::has_dsl(&module);
    module.dsl = dsl;
    let tensors = ranks::has_gluon(&module);
    let makes = |call: ExprId| match module.expr(call) {
        Expr::Call(callee, _) => {
            tensors && matches!(module.expr(*callee), Expr::Attribute(_, name) if ranks::is_looked_at(name))
        }
        _ => false,
    };
    let parsers = started::parsers(&module);
    let says = |call: ExprId| !parsers.is_empty() && started::says(&module, call, &parsers);
    let calls = calls
        .into_iter()
        .filter(|(call, _)| matters(&module, *call, defined, &bound, dsl) || says(*call) || makes(*call))
        .collect();
    module.calls = calls;
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
                return ExprId::NONE;
            }
            count += 1;
            ExprId::new(count - 1)
        })
        .collect();
    let kept = |id: ScopeId, name: &Name| names.contains(&(id, name.clone()));
    for (scope, id) in module.scopes.iter_mut().zip(0..) {
        // What is imported was read for the sake of that; functions and classes are found by what their names are bound to.
        let stays = |bound: &Bound| {
            matches!(
                bound,
                Bound::Module(_) | Bound::From(..) | Bound::Function(_) | Bound::Class(_) | Bound::Parameter(_)
            )
        };
        scope.names.open().retain(|name, all| kept(ScopeId(id), name) || all.iter().any(|one| stays(&one.bound)));
        scope.names.close();
        if let Kind::Function(function) | Kind::Lambda(function) = &mut scope.kind {
            function.shrink_to_fit();
        }
    }
    let exprs = std::mem::take(&mut module.exprs);
    module.exprs = Vec::with_capacity(count as usize);
    module.exprs.extend(exprs.into_iter().zip(&from).filter(|(_, from)| from.is_some()).map(|(expr, _)| expr));
    module.each_id(&mut |id| *id = moved.get(id.index()).copied().unwrap_or(ExprId::NONE));
    module.handed.shrink_to_fit();
    module.calls.shrink_to_fit();
    if module.sets.is_empty() {
        module.grown.clear();
    }
    module.grown.shrink_to_fit();
    module.stores.shrink_to_fit();
    module.declared.shrink_to_fit();
    module.scopes.shrink_to_fit();
    module.branches.shrink_to_fit();
    module.branches.iter_mut().for_each(|branch| branch.arms.shrink_to_fit());
    module.paths.shrink_to_fit();
    module
}

/// Whether a call may be one that is looked at, or say what a parameter is: most calls do neither.
fn matters(module: &Module, call: ExprId, defined: &HashSet<&str>, bound: &HashSet<&str>, dsl: bool) -> bool {
    let Expr::Call(callee, arguments) = module.expr(call) else { return false };
    // A constant with a name is listed for all parameters of that name.
    let constant =
        |value: ExprId| matches!(module.expr(value), Expr::Integer(_) | Expr::Tuple(..) | Expr::Attribute(..));
    if arguments.iter().any(|argument| argument.name.is_some() && constant(argument.value)) {
        return true;
    }
    match module.expr(*callee) {
        Expr::Attribute(_, name) => {
            let others = matches!(
                &**name,
                "make_tiled_copy_tv"
                    | "make_tiled_copy"
                    | "make_tiled_mma"
                    | "make_swizzle"
                    | "partial"
                    | "compile"
                    | "__init__"
                    | "replace"
                    | "with_identity_for"
                    | allocated::FUNCTION
            );
            let own = defined.contains(&**name)
                || dsl && (memory::is_looked_at(name) || memory::is_copy(name, arguments.len()));
            own || others || cute::makes_layout(name) || cute::computes(name) || name.ends_with("Layout")
        }
        // Another name may be given to it where it is imported.
        Expr::Name(name) => bound.contains(&**name) || defined.contains(&**name) || !module.stars.is_empty(),
        _ => true,
    }
}

/// The scope that binds a name which stands in a scope. The names of a class are not seen from its methods.
fn home(module: &Module, name: &str, scope: ScopeId) -> Option<ScopeId> {
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

/// The class that the annotation of a parameter names, and where that stands.
fn said(module: &Module, of: ExprId, scope: ScopeId) -> Option<(ExprId, ScopeId)> {
    let Expr::Name(name) = module.expr(of) else { return None };
    let around = module.scope(home(module, name, scope)?)?;
    let Kind::Function(function) = &around.kind else { return None };
    let place = around.names.get(name)?.iter().find_map(|one| match one.bound {
        Bound::Parameter(place) => Some(place),
        _ => None,
    })?;
    Some((*function.kinds.get(place)?.as_ref()?, around.parent.unwrap_or(MODULE)))
}

struct Reach<'m> {
    module: &'m Module,
    /// The scope in which each expression was reached first.
    from: Vec<Option<ScopeId>>,
    /// Other scopes in which it was.
    again: HashSet<(ExprId, ScopeId)>,
    names: HashSet<(ScopeId, Name)>,
    /// What is still to be looked at.
    next: Vec<(ExprId, ScopeId)>,
}

impl Reach<'_> {
    fn beginnings(&mut self) {
        let module = self.module;
        self.next.extend(&module.calls);
        self.next.extend(module.declared.iter().map(|field| (field.kind, field.class)));
        self.next.extend(module.sets.iter().filter_map(|set| Some((set.name?, set.scope))));
        self.next.extend(module.stores.iter().filter_map(|store| Some((store.value?, store.scope))));
        let outside = module.stores.iter().filter(|store| store.class.is_none());
        let sets = module.sets.iter().map(|set| (set.of, set.scope));
        let sets = sets.chain(module.handed.iter().map(|handed| (handed.of, handed.scope)));
        for (of, scope) in outside.map(|store| (store.of, store.scope)).chain(sets) {
            self.next.push((of, scope));
            self.next.extend(said(module, of, scope));
        }
        // What a list gets matters where its items may name attributes.
        if !module.sets.is_empty() {
            self.next.extend(module.grown.iter().map(|grown| (grown.value, grown.scope)));
        }
        for branch in &module.branches {
            self.next.extend(branch.arms.iter().filter_map(|arm| Some((arm.test?, branch.scope))));
            self.next.extend(branch.of.map(|of| (of, branch.scope)));
        }
        // What a name is compared with is listed for it.
        for ((expr, _), id) in module.exprs.iter().zip(0..) {
            if let Expr::Binary(Op::Eq, one, _) | Expr::Within(one, _, _) = expr
                && matches!(module.expr(*one), Expr::Name(_))
            {
                self.next.push((ExprId::new(id), MODULE));
            }
        }
        for (scope, id) in module.scopes.iter().zip(0..) {
            let id = ScopeId(id);
            let around = scope.parent.unwrap_or(MODULE);
            match &scope.kind {
                Kind::Module => self.all(id),
                Kind::Class { bases, decorators, .. } => {
                    self.all(id);
                    self.next.extend(bases.iter().flatten().chain(decorators).map(|one| (*one, around)));
                }
                Kind::Function(function) => {
                    let said = function.returns.iter().chain(&function.asserts).chain(&function.checks);
                    self.next.extend(said.filter_map(|one| Some((one.value?, id))));
                    let defaults = function.defaults.iter().flatten();
                    self.next.extend(function.decorators.iter().chain(defaults).map(|one| (*one, around)));
                }
                // Where someone comes to it.
                Kind::Lambda(_) | Kind::Inner => {}
            }
        }
    }

    fn all(&mut self, scope: ScopeId) {
        for name in self.module.scope(scope).into_iter().flat_map(|scope| scope.names.keys()) {
            self.name(scope, name);
        }
    }

    fn name(&mut self, scope: ScopeId, name: &Name) {
        if !self.names.insert((scope, name.clone())) {
            return;
        }
        let bindings = self.module.scope(scope).and_then(|scope| scope.names.get(name));
        for binding in bindings.into_iter().flatten() {
            if let Bound::Value(value, _) | Bound::Part(value, _) | Bound::Each(value, _) = &binding.bound {
                self.next.push((*value, scope));
            }
        }
    }

    fn follow(&mut self) {
        while let Some((id, scope)) = self.next.pop() {
            match self.from.get_mut(id.index()) {
                Some(from @ None) => *from = Some(scope),
                Some(Some(from)) if *from != scope && self.again.insert((id, scope)) => {}
                _ => continue,
            }
            let expr = self.module.expr(id);
            if let Expr::Name(name) = expr
                && let Some(home) = home(self.module, name, scope)
            {
                self.name(home, name);
            }
            if let Expr::Comprehension(of) = expr {
                self.next.extend(
                    [of.item].into_iter().chain(of.key).chain(of.tests.iter().copied()).map(|id| (id, of.scope)),
                );
                self.all(of.scope);
            }
            if let Expr::Lambda(inner) = expr
                && let Some(Kind::Lambda(function)) = self.module.scope(*inner).map(|scope| &scope.kind)
            {
                self.next.extend(function.returns.iter().filter_map(|one| Some((one.value?, *inner))));
                self.next.extend(function.defaults.iter().flatten().map(|one| (*one, scope)));
            }
            expr.each_part(&mut |part| self.next.push((part, scope)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::python::leaving::Refusing;
    use crate::python::read::Reader;

    use super::*;

    /// Names of expressions and of bindings that stay.
    fn stays(text: &str) -> (Vec<String>, Vec<String>) {
        let source = Source::new("a.py", text.as_bytes().to_vec());
        let defined = defined(std::slice::from_ref(&source));
        let module = reached(Reader::default().read(0, text, &defined, &Refusing::default()), &defined);
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
        exprs.dedup();
        names.sort();
        (exprs, names)
    }

    #[test]
    fn what_a_layout_hangs_on_stays() {
        let text = "import cutlass.cute as cute\nN = a\nx.log(b)\ndef f(p, q):\n    x = c + p\n    v = b\n    y.log(x, v)\n    \
                    for z in q:\n        cute.make_layout(x)\n        w = z\ndef g(r):\n    y = d\n    w = e\n    return y\n";
        let words = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(stays(text), (words("a c cute d p q x y"), words("N cute f g p q r x y")));
    }

    #[test]
    fn what_calls_and_branches_say_stays() {
        let text = "class C(B):\n    n = a\n    def f(self, x=b):\n        y = c\n        self.z = y\n        w = d\n        t.log(w)\n\
                    t.f(e)\nt.log(g)\nt.log(k=4, l=h)\nif i:\n    j = [m for m in o]\nt.log(p == 4)\n";
        let words = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(stays(text), (words("B a b c e h i m o p t y"), words("C f j m n self x y")));
    }

    #[test]
    fn definitions_are_found_in_the_text() {
        let source = Source::new("a.py", b"class  A(B):\n  async def f (x): pass\nundef g\n".to_vec());
        let names = defined(std::slice::from_ref(&source));
        assert!(names.contains("A") && names.contains("f") && !names.contains("x"));
    }
}
