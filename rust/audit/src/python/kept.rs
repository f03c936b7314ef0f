//! Whether a list or a dictionary has one name, and what is done with it under that.

use memchr::memmem;

use super::evaluate::{At, Evaluator};
use super::tree::{Binding, Bound, Expr, ExprId, MODULE, ScopeId};
use super::value::Home;
use crate::source::is_identifier;

impl Evaluator<'_> {
    /// Whether a dictionary is written where it is looked up, or has one name, by which it is only read.
    pub(super) fn is_only_read(&mut self, of: ExprId, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let Expr::Name(name) = module.expr(of) else { return matches!(module.expr(of), Expr::Dict(_)) };
        let Some((scope, [Binding { bound: Bound::Value(value, _), .. }])) = self.bindings(name, at) else {
            return false;
        };
        // What another name means has that name too.
        if !matches!(module.expr(*value), Expr::Dict(_) | Expr::Call(..)) {
            return false;
        }
        let key = (Home { module: at.module, scope }, &**name);
        if let Some(known) = self.only_read.get(&key) {
            return *known;
        }
        let kept = self.is_kept(name, at.module, scope, false);
        self.only_read.insert(key, kept);
        kept
    }

    /// Whether a list or a dictionary that has a name has no other: all that is done with it is to bind it, to let it grow in its own
    /// file if that is allowed, to take an item, to go through it and to import it.
    pub(super) fn is_kept(&self, name: &str, module: usize, scope: ScopeId, grows: bool) -> bool {
        let Some(of) = self.module(module) else { return false };
        let Some(span) = of.scope(scope).map(|scope| scope.span) else { return false };
        let text = |module: usize| {
            let source = self.module(module).and_then(|of| self.files.sources.get(of.file));
            source.map_or("", |source| source.text.as_str())
        };
        let own = text(module);
        let own = own.get(span.start as usize..(span.end as usize).min(own.len()));
        if !own.is_some_and(|own| only_kept(own, name, grows)) {
            return false;
        }
        // Other files may have it too.
        let knows = |index: usize| index != module && self.files.knows(index, module);
        scope != MODULE
            || (0..self.files.modules.len())
                .filter(|index| knows(*index))
                .all(|index| only_kept(text(index), name, false))
    }
}

/// Whether all that a text does with a name is to bind it, to let it grow if that is allowed, to take an item, to go through it and to
/// import it.
fn only_kept(text: &str, name: &str, grows: bool) -> bool {
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, name).all(|start| {
        let end = start + name.len();
        let word = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|byte| is_identifier(*byte));
        if word(start.checked_sub(1)) || word(Some(end)) {
            return true;
        }
        let (before, after) = (text.get(..start).unwrap_or(""), text.get(end..).unwrap_or("").trim_start_matches(' '));
        let first = before.rsplit('\n').next().unwrap_or("").trim();
        let line = after.split('\n').next().unwrap_or("");
        let bound = after.strip_prefix('=').is_some_and(|value| is_display(value.trim_start()));
        let binds = first.is_empty() && (bound || grows && after.starts_with("+="));
        let method = |all: &[&str]| all.iter().any(|word| after.starts_with(word));
        let reads = method(&[".items()", ".keys()", ".values()", ".get("]);
        let grown = grows && method(&[".append(", ".extend("]);
        let looped = first.ends_with(" in") && after.starts_with(':');
        let item = after.strip_prefix('[').and_then(|rest| rest.get(rest.find(']')? + 1..)).is_some_and(|rest| {
            let rest = rest.trim_start_matches(' ');
            // `C["n"], x = 8, 9` stores.
            let stores = rest.starts_with(',') && rest.split('\n').next().is_some_and(|line| line.contains(" = "));
            (rest.is_empty() || rest.starts_with(['\n', ')', ',', ':', ']'])) && !stores
        });
        // `f(**name)` hands on what is in it.
        let unpacked = before.ends_with("**");
        // `from m import name`, and `"name"` in `__all__`.
        let looks = ["getattr(", "globals()", "vars("].iter().any(|word| first.contains(word));
        let imported = first.starts_with("from ") && !line.trim_start().starts_with("as ")
            || first.is_empty() && matches!(line.trim(), "" | ",") && in_import(before)
            || before.ends_with('"') && after.starts_with('"') && !looks;
        binds || reads || grown || looped || item || unpacked || imported
    })
}

/// Whether a text begins with what makes a list, a tuple or a dictionary.
fn is_display(text: &str) -> bool {
    text.starts_with(['[', '(', '{']) || text.starts_with("dict(")
}

/// Whether a text ends within `from m import (…`.
fn in_import(text: &str) -> bool {
    text.rsplit_once('(').is_some_and(|(before, names)| before.trim_end().ends_with("import") && !names.contains(')'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_with_a_name() {
        for read in [
            "C = {1: 2}\nx = C[1]\n",
            "C = dict(n=4)\nf(**C)\n",
            "for k in C:\n    pass\nfor k, v in C.items():\n    y = C.get(k, 4)\n",
            "from m import C\nfrom m import (\n    A,\n    C,\n)\n__all__ = [\"C\"]\n",
            "return C[x]",
            "CC.update(x)\nC2[1] = 2\n",
        ] {
            assert!(only_kept(read, "C", false), "{read}");
        }
        for other in [
            "C[1] = 2\n",
            "C[1], x = 2, 3\n",
            "C.update(x)\n",
            "f(C)\n",
            "f(\n    C,\n)\n",
            "D = C\n",
            "return C\n",
            "from m import C as D\n",
            "getattr(m, \"C\")[1] = 2\n",
            "m.C[1] = 2\n",
        ] {
            assert!(!only_kept(other, "C", false), "{other}");
        }
        for grown in ["C.append(4)\n", "C.extend(x)\n", "C += [4]\n"] {
            assert!(only_kept(grown, "C", true) && !only_kept(grown, "C", false), "{grown}");
        }
    }
}
