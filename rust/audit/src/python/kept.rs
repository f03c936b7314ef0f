//! Whether a list or a dictionary has one name, and what is done with it under that.

use memchr::memmem;

use super::evaluate::{At, Evaluator};
use super::sequences::only_reads;
use super::tree::{Binding, Bound, Branch, Expr, ExprId, Kind, MODULE, ScopeId};
use super::value::Home;
use crate::source::{is_identifier, places};

/// Bytes of the arguments of one call.
const MAX_ARGUMENTS: usize = 1 << 10;

/// Files by which a list is imported from one to the next.
const MAX_IMPORTS: usize = 4;

impl Evaluator<'_> {
    /// Whether a list stays what is written, although items of others change: it has one name, by which it is only read, and no list in it
    /// that someone may have by another.
    pub(super) fn is_list_kept(&mut self, name: &str, home: Home) -> bool {
        let (mut home, mut left) = (home, MAX_IMPORTS);
        loop {
            let Some(module) = self.module(home.module) else { return false };
            let Some((own, all)) = module.scope(home.scope).and_then(|scope| scope.names.get_key_value(name)) else {
                return false;
            };
            let [one] = all else { return false };
            match &one.bound {
                Bound::Value(value, _) if matches!(module.expr(*value), Expr::Tuple(_, true)) => {
                    let flat = |item: &ExprId| {
                        !matches!(module.expr(*item), Expr::Name(_) | Expr::Starred(_) | Expr::Tuple(_, true))
                    };
                    let Expr::Tuple(items, _) = module.expr(*value) else { return false };
                    if !items.iter().all(flat) || module.moved.contains(name) {
                        return false;
                    }
                    let key = (home, &**own);
                    if let Some(known) = self.only_read.get(&key) {
                        return *known;
                    }
                    let kept = self.is_kept(name, home.module, home.scope, false);
                    self.only_read.insert(key, kept);
                    return kept;
                }
                Bound::From(import) if *import.name == *name && left > 0 => {
                    let Some(index) = self.files.module(home.module, &import.from) else { return false };
                    (home, left) = (Home { module: index, scope: MODULE }, left - 1);
                }
                _ => return false,
            }
        }
    }

    /// Whether a list of a function is what one loop gathers and nothing else changes: where it is used is the only place that has it.
    pub(super) fn is_gathered(&self, name: &str, home: Home, place: u32) -> bool {
        let Some(module) = self.module(home.module) else { return false };
        let Some(scope) = module.scope(home.scope).filter(|scope| matches!(scope.kind, Kind::Function(_))) else {
            return false;
        };
        let Some([empty, gathered]) = scope.names.get(name) else { return false };
        let is = |one: &Binding, of: fn(&Expr) -> bool| matches!(one.bound, Bound::Value(value, _) if of(module.expr(value)));
        let loops = |branch: &Branch| {
            branch.fork.loops() && branch.scope == home.scope && branch.span.range().contains(&(place as usize))
        };
        if !is(empty, |expr| matches!(expr, Expr::Tuple(items, true) if items.is_empty()))
            || !is(gathered, |expr| matches!(expr, Expr::Comprehension(_)))
            || place < gathered.from
            || module.moved.contains(name)
            || module.branches.iter().any(loops)
        {
            return false;
        }
        let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        let Some(own) = text.get(scope.span.range()) else { return false };
        let (mut bound, mut grown) = (0, 0);
        for at in places(own, name) {
            let (before, after) = (own.get(..at).unwrap_or(""), own.get(at + name.len()..).unwrap_or(""));
            let named = after.starts_with('=') && !after.starts_with("==") && opened(before).is_some();
            if before.ends_with('.') || before.ends_with("len(") || named {
                continue;
            }
            if after.starts_with(".append(") {
                grown += 1;
            } else if before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty()) {
                bound += 1;
            } else if scope.span.start as usize + at != place as usize {
                return false;
            }
        }
        (bound, grown) == (1, 1)
    }

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
pub(super) fn only_kept(text: &str, name: &str, grows: bool) -> bool {
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
        let looped = first.ends_with(" in") && (after.starts_with([':', ']', ')', '}']) || after.starts_with("if "));
        // `zip(a, name)` goes through it.
        let passed = after.starts_with([',', ')'])
            && !first.ends_with('*')
            && !first.ends_with('=')
            && calling(before).is_some_and(|name| only_reads(name) || name == "parametrize");
        let item = after.strip_prefix('[').and_then(|rest| rest.get(rest.find(']')? + 1..)).is_some_and(|rest| {
            let rest = rest.trim_start_matches(' ');
            // `C["n"], x = 8, 9` stores.
            let stores = rest.starts_with(',') && rest.split('\n').next().is_some_and(|line| line.contains(" = "));
            first.split_whitespace().next() != Some("del")
                && (rest.is_empty() || rest.starts_with(['\n', ')', ',', ':', ']', '}']) || operates(rest))
                && !stores
        });
        // `f(**name)` hands on what is in it.
        let unpacked = before.ends_with("**");
        // `from m import name`, and `"name"` in `__all__`.
        let looks = ["getattr(", "globals()", "vars("].iter().any(|word| first.contains(word));
        let imported = first.starts_with("from ") && !line.trim_start().starts_with("as ")
            || first.is_empty() && matches!(line.trim(), "" | ",") && in_import(before)
            || before.ends_with('"') && after.starts_with('"') && !looks;
        binds || reads || grown || looped || passed || item || unpacked || imported
    })
}

/// Whether a text begins with an operator of arithmetic or a comparison, which stores nothing: `+ 1`, but not `+= 1`.
fn operates(text: &str) -> bool {
    let rest = text.trim_start_matches(['+', '-', '*', '/', '%', '<', '>', '&', '|', '^']);
    let operator = text.len() - rest.len();
    match operator {
        0 => text.starts_with("==") || text.starts_with("!="),
        // `<=` compares, `<<=` stores.
        1 => !rest.starts_with('=') || text.starts_with(['<', '>']),
        2 => !rest.starts_with('='),
        _ => false,
    }
}

/// Where the innermost parenthesis or bracket is that a text leaves open.
pub(super) fn opened(before: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in before.bytes().enumerate().rev().take(MAX_ARGUMENTS) {
        match byte {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' if depth > 0 => depth -= 1,
            b'(' | b'[' | b'{' => return Some(at),
            // No statement stands in an expression.
            b'\n' if depth == 0 && before.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with("def ")) => {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// The last name of what a text calls and leaves open: `zip` of `zip(a, `.
fn calling(before: &str) -> Option<&str> {
    let at = opened(before).filter(|at| before.as_bytes().get(*at) == Some(&b'('))?;
    let callee = before.get(..at)?;
    let start = callee.bytes().rposition(|byte| !is_identifier(byte)).map_or(0, |last| last + 1);
    callee.get(start..).filter(|name| !name.is_empty())
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
            "y = C[1] - 32\n",
            "y = (C[1] // 2, 4 * C[0] + 1)\nif C[0] <= 4 and C[1] == 2 or C[0] << 2 != 8:\n    pass\n",
            "CC.update(x)\nC2[1] = 2\n",
            "x = [n for n in C]\ny = tuple(n for n in C if n)\n",
            "for i, x in enumerate(C):\n    pass\nx = dict(zip(A, C))\ny = len(C)\n",
            "@pytest.mark.parametrize(\"m,n\", C)\ndef f(): pass\n",
        ] {
            assert!(only_kept(read, "C", false), "{read}");
        }
        for other in [
            "C[1] = 2\n",
            "del C[1]\n",
            "C[1], x = 2, 3\n",
            "C[1] += 2\n",
            "C[1] //= 2\n",
            "C[1] <<= 2\n",
            "C[1] ^= 2\n",
            "C.update(x)\n",
            "f(C)\n",
            "f(\n    C,\n)\n",
            "D = C\n",
            "return C\n",
            "from m import C as D\n",
            "f(zip(A), C)\n",
            "f(x, *C)\n",
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
