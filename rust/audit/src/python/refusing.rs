//! Functions of the files that never come back, and those that may not, by their text: a file is parsed by itself, and calls those of others.

use foldhash::{HashMap, HashSet, HashSetExt as _};
use memchr::memmem;
use rayon::prelude::*;

use super::leaving::{Refusing, Ways};
use super::nodes::Node;
use super::read::{Walk, span};
use super::tree::{ExprId, Kind, Return, Scope, ScopeId};
use crate::source::{Source, is_identifier};

/// Lines of a function, and of what stands before its body, that are looked at.
const MAX_LINES: usize = 96;
const MAX_HEAD: usize = 32;

/// Calls of one function that are looked at.
const MAX_CALLS: usize = 4;

/// How far it is followed from one function that calls another at its end.
const MAX_CHAIN: usize = 4;

/// How one function ends.
#[derive(Debug, PartialEq, Eq)]
enum End<'s> {
    /// It raises, whatever happens.
    Never,
    /// As what it calls at its end does, and raises somewhere before if that is so.
    As(&'s str, bool),
    /// It comes back, and raises somewhere if that is so.
    Back(bool),
}

impl<'t> Walk<'t> {
    /// A statement is a call: of a function of the files that may raise, if that is so.
    pub(super) fn checks(&mut self, node: Node<'t>, call: ExprId, scope: ScopeId) {
        let name = self.ways.called(node).and_then(|callee| callee.rsplit('.').next());
        if name.is_some_and(|name| self.ways.refusing.may.contains(name)) {
            let one = Return { value: Some(call), at: span(node).start, path: self.path };
            if let Some(Scope { kind: Kind::Function(function), .. }) = self.module.scopes.get_mut(scope.0 as usize) {
                function.checks.push(one);
            }
        }
    }
}

/// The names of functions that refuse.
pub(super) fn refusing(sources: &[Source]) -> Refusing<'_> {
    let all: Vec<Vec<Ending<'_>>> =
        sources.par_iter().filter(|source| source.python).map(|source| ends(&source.text)).collect();
    let mut found = Refusing { never: HashSet::new(), may: HashSet::new() };
    let mut by_name: HashMap<&str, Vec<&End<'_>>> = HashMap::default();
    for Ending { name, end, .. } in all.iter().flatten() {
        if !matches!(end, End::Back(false) | End::As(_, false)) {
            found.may.insert(*name);
        }
        by_name.entry(*name).or_default().push(end);
    }
    for _ in 0..MAX_CHAIN {
        let never = by_name.iter().filter(|(name, ends)| {
            let leaves = |end: &&End<'_>| match end {
                End::Never => true,
                End::As(other, _) => found.never.contains(other),
                End::Back(_) => false,
            };
            !found.never.contains(*name) && ends.iter().all(leaves)
        });
        let more: Vec<&str> = never.map(|(name, _)| *name).collect();
        if more.is_empty() {
            break;
        }
        found.never.extend(more);
    }
    // What calls such a function may raise as it does.
    for _ in 0..MAX_CHAIN {
        let calls = |one: &&Ending<'_>| one.calls.iter().any(|other| found.may.contains(other));
        let more: Vec<&str> = all.iter().flatten().filter(calls).map(|one| one.name).collect();
        found.may.extend(more);
    }
    found
}

/// A function.
#[derive(Debug, PartialEq, Eq)]
struct Ending<'s> {
    name: &'s str,
    end: End<'s>,
    /// What it calls for nothing but what that does.
    calls: Vec<&'s str>,
}

/// The functions of a text, and how each ends.
fn ends(text: &str) -> Vec<Ending<'_>> {
    let mut all = Vec::new();
    for at in memmem::find_iter(text.as_bytes(), "def ") {
        let (before, rest) = (text.get(..at).unwrap_or_default(), text.get(at + 4..).unwrap_or_default());
        let line = before.rsplit('\n').next().unwrap_or_default();
        let rest = rest.trim_start_matches(' ');
        let length = rest.bytes().position(|byte| !is_identifier(byte)).unwrap_or(rest.len());
        let Some(name) = rest.get(..length).filter(|name| !name.is_empty()) else { continue };
        if !matches!(line.trim(), "" | "async") {
            continue;
        }
        let (end, calls) = end(rest, line.len() - line.trim_start().len());
        all.push(Ending { name, end, calls });
    }
    all
}

/// How a function ends whose text begins with its name.
fn end(text: &str, indent: usize) -> (End<'_>, Vec<&str>) {
    let mut lines = text.lines();
    let (mut depth, mut says) = (0_i32, false);
    for line in lines.by_ref().take(MAX_HEAD) {
        let code = line.split(" #").next().unwrap_or_default().trim_end();
        depth +=
            line.bytes().map(|byte| i32::from(b"([{".contains(&byte)) - i32::from(b")]}".contains(&byte))).sum::<i32>();
        says |= code.contains("-> NoReturn")
            || code.contains("-> Never")
            || code.contains(".NoReturn:")
            || code.contains(".Never:");
        if code.contains(": raise ") && depth <= 0 {
            return (End::Never, Vec::new());
        }
        if depth <= 0 && code.ends_with(':') {
            break;
        }
    }
    let mut calls = Vec::new();
    let (mut last, mut base, mut raises, mut returns, mut looked) = ("", None, false, false, 0);
    for line in lines {
        let code = line.trim();
        let own = line.len() - line.trim_start().len();
        if code.is_empty() || code.starts_with('#') {
            continue;
        }
        // The end of what is in parentheses may stand further to the left.
        if own <= indent && !code.starts_with([')', ']', '}']) {
            break;
        }
        looked += 1;
        if looked > MAX_LINES {
            returns = true;
            break;
        }
        let base = *base.get_or_insert(own);
        if own == base && !code.starts_with([')', ']', '}', '"', '\'']) {
            last = code;
        }
        let word = |word: &str| {
            code.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        raises |= (word("raise") || word("assert")) && !code.contains("NotImplemented") || leaves(code);
        if calls.len() < MAX_CALLS
            && let Some(name) = called(code)
        {
            calls.push(name);
        }
        returns |= word("return") || code.contains("yield") || code.contains(": return");
    }
    if says {
        return (End::Never, calls);
    }
    let end = match last {
        _ if returns => End::Back(raises),
        // What others override raises that.
        last if last.contains("NotImplemented") => End::Back(false),
        last if last.starts_with("raise ") || last == "raise" || leaves(last) => End::Never,
        last => called(last).map_or(End::Back(raises), |name| End::As(name, raises)),
    };
    (end, calls)
}

/// The last name of what a line calls that begins with a call.
fn called(code: &str) -> Option<&str> {
    let (callee, _) = code.split_once('(')?;
    let plain = !callee.is_empty() && callee.bytes().all(|byte| is_identifier(byte) || byte == b'.');
    callee.rsplit('.').next().filter(|_| plain)
}

/// Whether a line calls what never comes back.
fn leaves(code: &str) -> bool {
    let (nothing, none) = (HashSet::new(), Refusing::default());
    let ways = Ways { text: "", defined: &nothing, refusing: &none };
    code.split_once('(').is_some_and(|(callee, _)| ways.gives_up(callee))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> (&str, End<'_>) {
        let mut all = ends(text);
        assert_eq!(all.len(), 1, "{text}");
        let one = all.remove(0);
        (one.name, one.end)
    }

    #[test]
    fn how_functions_end() {
        for (text, name) in [
            ("def f(m):\n    raise E(m)\n", "f"),
            ("def f(m): raise E(m)\n", "f"),
            ("def f(m) -> NoReturn:\n    g(m)\n", "f"),
            (
                "    def f(\n        self,\n        m,\n    ):\n        \"\"\"text\"\"\"\n        print(m)\n        sys.exit(\n            1\n        )\n",
                "f",
            ),
            (
                "class K:\n    async def f(self):\n        if self.x:\n            print(1)\n        raise E  # always\n\nx = 1\n",
                "f",
            ),
        ] {
            assert_eq!(only(text), (name, End::Never), "{text}");
        }
        for text in [
            "def f(m):\n    if m:\n        raise E\n",
            "def f(m):\n    if m:\n        return 1\n    raise E\n",
            "def f(m):\n    assert m\n    return m\n",
        ] {
            assert_eq!(only(text), ("f", End::Back(true)), "{text}");
        }
        for text in [
            "def f(m):\n    return m\n",
            "def f(self):\n    raise NotImplementedError\n",
            "def f():\n    x = 1\n\nraise E\n",
        ] {
            assert_eq!(only(text), ("f", End::Back(false)), "{text}");
        }
        assert_eq!(only("def f(m):\n    die(m)\n"), ("f", End::As("die", false)));
    }
}
