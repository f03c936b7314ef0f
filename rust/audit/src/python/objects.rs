//! Calls of objects: `k(…)` with `k = K(…)`, `K(…)(…)` and `cute.compile(K(…), …)` are calls of the `__call__` of the class.

use foldhash::{HashMap, HashMapExt as _};
use std::rc::Rc;

use super::evaluate::{At, Evaluator};
use super::sites::{Called, MAX_LOOKS};
use super::tree::{Binding, Bound, Expr, ExprId, Module, ScopeId};
use super::value::{Home, Value};

/// A call of what a call makes: the file, itself, its scope, what is called, and arguments that are none of the method's.
type One = (usize, ExprId, ScopeId, ExprId, usize);

/// Calls of what calls make, by the name of what is called for that.
pub type Objects<'a> = Rc<HashMap<&'a str, Vec<One>>>;

/// The name of what a call calls.
fn maker(module: &Module, of: ExprId) -> Option<&str> {
    let Expr::Call(callee, _) = module.expr(of) else { return None };
    match module.expr(*callee) {
        Expr::Name(name) | Expr::Attribute(_, name) => Some(name),
        _ => None,
    }
}

impl<'a> Evaluator<'a> {
    /// The calls of objects that run a method `__call__`.
    pub(super) fn object_calls(&mut self, method: Home, family: &[Home]) -> Vec<Called> {
        let all = self.by_object();
        let mut found: Vec<Called> = Vec::new();
        let names: Vec<&str> = family.iter().filter_map(|class| self.named(*class)).map(|(name, _)| name).collect();
        for (module, call, scope, of, skip) in names.iter().filter_map(|name| all.get(name)).flatten().take(MAX_LOOKS) {
            if self.inside(Home { module: *module, scope: *scope }, method) {
                continue;
            }
            let at = At { module: *module, scope: *scope, frame: None };
            if let Ok(Value::Object(class, _)) = self.surely(*of, &at)
                && family.contains(&class)
                && self.may_run(method, class)
                && !found.iter().any(|one| one.module == *module && one.call == *call)
            {
                found.push(Called::of_object((*module, *call, *scope), *skip));
            }
        }
        found
    }

    fn by_object(&mut self) -> Objects<'a> {
        if let Some(known) = &self.sites.objects {
            return known.clone();
        }
        let mut found: HashMap<&'a str, Vec<One>> = HashMap::new();
        for (index, module) in self.files.modules.iter().enumerate() {
            for (call, scope) in &module.calls {
                let Expr::Call(callee, arguments) = module.expr(*call) else { continue };
                // `cute.compile[options](k, …)`
                let inner = match module.expr(*callee) {
                    Expr::Item(of, _) => *of,
                    _ => *callee,
                };
                let compiles =
                    matches!(module.expr(inner), Expr::Name(name) | Expr::Attribute(_, name) if &**name == "compile");
                let first = arguments.first().filter(|first| compiles && first.name.is_none());
                let (of, skip) = first.map_or((*callee, 0), |first| (first.value, 1));
                let made = match module.expr(of) {
                    Expr::Call(..) => of,
                    Expr::Name(name) => match self.bindings(name, &At { module: index, scope: *scope, frame: None }) {
                        Some((_, [Binding { bound: Bound::Value(value, _), .. }])) => *value,
                        _ => continue,
                    },
                    _ => continue,
                };
                if let Some(name) = maker(module, made) {
                    found.entry(name).or_default().push((index, *call, *scope, of, skip));
                }
            }
        }
        let found: Objects<'a> = Rc::new(found);
        self.sites.objects = Some(found.clone());
        found
    }
}
