//! What is there to be refused, as it is written: `with pytest.raises(…)`, a `try` that goes on with what is refused, a test that is
//! expected to fail or is skipped. And what is only called from there.

use std::rc::Rc;

use super::dead::{MAX_TEXT, around, named, uses};
use super::evaluate::{At, Evaluator};
use super::nodes::Node;
use super::read::{children, span};
use super::tree::{Bound, Expr, ExprId, Kind, MODULE, Module, Scope, ScopeId};
use super::value::Home;
use crate::ast::Span;

/// Functions around a call, and from call to call, that may be only used where something is to be refused.
const MAX_TESTED: usize = 4;

/// Blocks of one file that may be refused.
const MAX_BLOCKS: usize = 1 << 9;

/// Parts of the names of what wants a block under it refused.
const WORDS: [&str; 7] = ["raise", "error", "fail", "refus", "expect", "suppress", "reject"];

/// What may be caught beside what the libraries raise for a layout.
const OTHERS: [&str; 8] = [
    "ImportError",
    "ModuleNotFoundError",
    "KeyError",
    "AttributeError",
    "IndexError",
    "OSError",
    "FileNotFoundError",
    "KeyboardInterrupt",
];

/// Whether what has a name, or is called by one, is there to refuse something: `pytest.raises`, `self.assertRaises`, `expect_error`.
fn is_raises(item: &str) -> bool {
    let name = item.split('(').next().unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    WORDS.iter().any(|word| last.contains(word))
}

/// Whether what is called wants what it is given to raise: `pytest.raises(ValueError, f)`.
fn is_to_raise(name: &str) -> bool {
    ["raises", "assertRaises", "assertRaisesRegex"].iter().any(|one| name.rsplit('.').next() == Some(one))
}

/// Whether a `with` may swallow an exception: `with contextlib.suppress(…):`.
pub(super) fn is_swallowing(text: &str, with: Node<'_>) -> bool {
    let of = |node: Node<'_>| text.get(node.start_byte()..node.end_byte()).unwrap_or_default();
    let clause = children(with).into_iter().find(|child| child.kind() == "with_clause");
    clause.into_iter().flat_map(children).any(|item| {
        let item = of(item).split(" as ").next().unwrap_or_default().trim();
        item.contains("ExitStack") || is_refusing(item) || is_raises(item)
    })
}

impl Module {
    /// Keeps the body of a `with` if something under it is to be refused, or may be.
    pub(super) fn refuses<'t>(&mut self, text: &'t str, with: Node<'t>, body: Node<'t>) {
        let of = |node: Node<'t>| text.get(node.start_byte()..node.end_byte()).unwrap_or_default();
        let clause = children(with).into_iter().find(|child| child.kind() == "with_clause");
        for item in clause.into_iter().flat_map(children) {
            let item = of(item);
            let item = item.split(" as ").next().unwrap_or_default().trim();
            let chosen = item.contains(" if ") && is_refusing(item);
            let entered = item.contains("ExitStack") && is_refusing(of(body));
            if chosen || entered || is_raises(item) {
                self.raises.push(span(body));
                return;
            }
            // `with expectation:` and `with expects():`
            let name = item.split('(').next().unwrap_or_default();
            let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if plain && self.perhaps.len() < MAX_BLOCKS {
                self.perhaps.push((span(body), name.into()));
            }
        }
    }
}

/// Whether a text has something in it that refuses.
fn is_refusing(text: &str) -> bool {
    ["raises(", "Raises(", "suppress("].iter().any(|call| text.contains(call))
}

/// Whether something stands in a parameter of a test that is expected to fail: `pytest.param(…, marks=pytest.mark.xfail)`.
pub(super) fn is_marked(text: &str, span: Span) -> bool {
    let start = text.floor_char_boundary((span.start as usize).saturating_sub(MAX_BACK));
    let before = text.get(start..span.start as usize).unwrap_or_default();
    let Some(at) = before.rfind("param(") else { return false };
    let mut depth = 0_usize;
    let whole = text.get(start + at..).unwrap_or_default();
    let end = whole.char_indices().take(MAX_PARAM).find_map(|(at, sign)| {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (sign == ')' && depth == 0).then_some(at)
    });
    // It may have ended before.
    let whole = whole.get(..end.unwrap_or(0)).unwrap_or_default();
    whole.len() > before.len() - at && (whole.contains("xfail") || whole.contains("mark.skip"))
}

/// Characters of one parameter of a test.
const MAX_PARAM: usize = 4_096;

/// Bytes before an argument in which what it is given to is looked for.
const MAX_BACK: usize = 256;

/// What gets what stands behind a text as an argument: `assertRaises(ValueError, lambda: …)`.
pub(super) fn given_to(before: &str) -> Option<&str> {
    let before = before.get(before.floor_char_boundary(before.len().saturating_sub(MAX_BACK))..)?;
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
    line.rsplit_once('(').filter(|(_, rest)| !rest.contains(')')).map(|(name, _)| name)
}

/// Whether a `try` goes on where its body is refused: one of its handlers is for more than names that are missing, and raises nothing itself.
pub(super) fn goes_on<'t>(text: &'t str, of: Node<'t>) -> bool {
    children(of).into_iter().filter(|part| part.kind() == "except_clause").any(|part| {
        let parts = children(part);
        let (caught, body) = match parts.as_slice() {
            [body] => ("", body),
            [caught, .., body] => (text.get(caught.start_byte()..caught.end_byte()).unwrap_or_default(), body),
            [] => return false,
        };
        let mut names = caught.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|name| !name.is_empty());
        let catches = caught.is_empty()
            || names.any(|name| name.ends_with("Error") && !OTHERS.contains(&name))
            || caught.contains("Exception");
        catches && children(*body).pop().is_some_and(|last| last.kind() != "raise_statement")
    })
}

impl Evaluator<'_> {
    /// Whether a call is there to be refused: it stands in `with pytest.raises(…)`, or in a function or a name of a function that are
    /// only used there.
    pub(super) fn is_to_fail(&mut self, call: ExprId, at: &At) -> bool {
        self.fails(call, at, true, 0)
    }

    /// Whether the call of a function is. That a `try` around it goes on says so only of what raises where it is wrong.
    pub(super) fn is_called_to_fail(&mut self, call: ExprId, at: &At) -> bool {
        self.fails(call, at, self.raising, 1)
    }

    // Recursion: from call to call, to a fixed depth.
    fn fails(&mut self, call: ExprId, at: &At, tries: bool, depth: usize) -> bool {
        let key = (at.module, call, tries, self.raising);
        if let Some(known) = self.failing.get(&key) {
            return *known;
        }
        let fails = self.is_there_to_fail(call, at, tries) || self.is_only_called_to_fail(at, depth);
        self.failing.insert(key, fails);
        fails
    }

    /// Whether a function around a place is called from elsewhere, and only to be refused.
    fn is_only_called_to_fail(&mut self, at: &At, depth: usize) -> bool {
        if depth >= MAX_TESTED {
            return false;
        }
        let Some(module) = self.module(at.module) else { return false };
        let function = |id: &ScopeId| matches!(module.scope(*id).map(|scope| &scope.kind), Some(Kind::Function(_)));
        around(module, at.scope).filter(function).take(MAX_TESTED).any(|scope| {
            let home = Home { module: at.module, scope };
            if self.escapes(home, None) {
                return false;
            }
            let all = self.calls_of(home);
            !all.is_empty()
                && all.iter().all(|one| {
                    let at = At { module: one.module, scope: one.scope, frame: None };
                    self.fails(one.call, &at, self.raising && depth == 0, depth + 1)
                })
        })
    }

    /// The blocks of a file in which something is to be refused, and whether anything in it says so by a name of a library.
    fn refused_blocks(&mut self, index: usize) -> (Rc<[Span]>, bool) {
        if let Some(known) = self.blocks.get(&index) {
            return known.clone();
        }
        let Some(module) = self.module(index) else { return (Rc::default(), false) };
        let direct = is_refusing(self.files.sources.get(module.file).map_or("", |source| source.text.as_str()));
        let perhaps =
            module.perhaps.iter().filter(|(block, name)| self.may_refuse((index, direct), Some(*block), name, 0));
        let all: Rc<[Span]> = module.raises.iter().copied().chain(perhaps.map(|(block, _)| *block)).collect();
        self.blocks.insert(index, (all.clone(), direct));
        (all, direct)
    }

    /// Whether a name of a file stands for what wants something refused: a function with such a block, or what such a text is given.
    // Recursion: from import to import, to a fixed depth.
    fn may_refuse(&self, (index, direct): (usize, bool), place: Option<Span>, name: &str, depth: usize) -> bool {
        let Some(module) = self.module(index) else { return false };
        let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        // A decorator with a `try` may do so for any reason.
        let tries = if place.is_some() { module.tries.as_slice() } else { &[] };
        let here = |scope: &&Scope| place.is_some_and(|place| scope.span.contains(place));
        let mut inner = module.scopes.iter().filter(|scope| here(scope) && scope.names.contains_key(name));
        let all = inner.next_back().or_else(|| module.scope(MODULE)).and_then(|scope| scope.names.get(name));
        all.unwrap_or_default().iter().any(|one| match &one.bound {
            Bound::Function(of) => {
                let own = module.scope(*of);
                own.is_some_and(|scope| module.raises.iter().chain(tries).any(|block| scope.span.contains(*block)))
            }
            Bound::Value(value, _) | Bound::Part(value, _) | Bound::Each(value, _) => {
                text.get(module.span(*value).range()).is_some_and(is_refusing)
            }
            // A mark lists it, or a caller gives it.
            Bound::Parameter(_) => direct,
            Bound::From(import) => {
                is_raises(&import.name)
                    || depth < MAX_TESTED
                        && self.files.module(index, &import.from).is_some_and(|other| {
                            self.may_refuse((other, false), place.map(|_| Span::default()), &import.name, depth + 1)
                        })
            }
            _ => false,
        })
    }

    /// Whether a mark says that what is around a place is expected to fail, or a decorator of the files wants that.
    fn is_marked_to_fail(&self, module: &Module, at: &At) -> bool {
        let own = |scope: &Scope| {
            let mut marks = scope.names.get("pytestmark").unwrap_or_default().iter();
            marks.any(|one| match one.bound {
                Bound::Value(value, _) => match module.expr(value) {
                    Expr::Tuple(items, _) => self.is_expected_to_fail(at.module, items),
                    _ => self.is_expected_to_fail(at.module, &[value]),
                },
                _ => false,
            })
        };
        around(module, at.scope).filter_map(|id| module.scope(id)).any(|scope| {
            let marks: &[ExprId] = match &scope.kind {
                Kind::Function(function) => &function.decorators,
                Kind::Class { decorators, .. } => decorators,
                Kind::Module => &[],
                _ => return false,
            };
            let refuses = marks.iter().any(|mark| {
                let mark = match module.expr(*mark) {
                    Expr::Call(of, _) => *of,
                    _ => *mark,
                };
                matches!(module.expr(mark), Expr::Name(name)
                    if self.may_refuse((at.module, false), None, name, 0))
            });
            refuses || own(scope) || self.is_expected_to_fail(at.module, marks)
        })
    }

    fn is_there_to_fail(&mut self, call: ExprId, at: &At, tries: bool) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        let (blocks, direct) = self.refused_blocks(at.module);
        let tries = if tries { module.tries.as_slice() } else { &[] };
        let marked = self.is_marked_to_fail(module, at);
        let mut lambdas = around(module, at.scope)
            .take(MAX_TESTED)
            .filter_map(|id| module.scope(id))
            .filter(|scope| matches!(scope.kind, Kind::Lambda(_)));
        let given = lambdas.any(|scope| {
            // Where a file wants something refused, a lambda may be what is.
            let before = text.get(..scope.span.start as usize).and_then(given_to);
            !(blocks.is_empty() && tries.is_empty())
                || before.is_some_and(|name| is_to_raise(name) || self.refuses(module, name))
        });
        let marked = marked || is_marked(text, module.span(call)) || self.is_under_a_fixture(module, at);
        if marked || given {
            return true;
        }
        if blocks.is_empty() && tries.is_empty() && !direct {
            return false;
        }
        let names: usize = around(module, at.scope)
            .take(MAX_TESTED + 1)
            .filter_map(|id| module.scope(id))
            .map(|scope| scope.names.len())
            .sum();
        if !self.may_guard(names + blocks.len() + tries.len()) {
            return false;
        }
        let span = module.span(call);
        let within = |place: Span, tries: &[Span]| {
            let before = || text.get(..place.start as usize).and_then(given_to);
            blocks.iter().chain(tries).any(|block| block.contains(place)) || direct && before().is_some_and(is_to_raise)
        };
        if within(span, tries) {
            return true;
        }
        // A function that a `try` calls is called all the same, unless it is what raises.
        let tries = if self.raising { tries } else { &[] };
        let fails = |place: Span| within(place, tries);
        let only_there = |scope: ScopeId, name: Span, own: Span| {
            let within = match module.scope(scope) {
                Some(scope) if matches!(scope.kind, Kind::Function(_)) => scope.span,
                // A file's own scope has no end.
                Some(scope) if matches!(scope.kind, Kind::Module) => {
                    Span { start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) }
                }
                _ => return false,
            };
            if within.range().len() > MAX_TEXT {
                return false;
            }
            let word = text.get(name.range()).unwrap_or_default();
            let mut places = uses(text, within, word).filter(|place| *place != name && !own.contains(*place));
            places.next().is_some_and(fails) && places.all(fails)
        };
        if named(text, span).is_some_and(|name| only_there(at.scope, name, span)) {
            return true;
        }
        around(module, at.scope).take(MAX_TESTED).any(|id| {
            let Some((own, around)) = module.scope(id).and_then(|scope| Some((scope, scope.parent?))) else {
                return false;
            };
            let names = module.scope(around).map(|scope| &scope.names).into_iter().flatten();
            let mut all = names.filter_map(|(_, all)| match all {
                [one] if matches!(one.bound, Bound::Function(of) if of == id) => Some(one.span),
                _ => None,
            });
            all.any(|name| only_there(around, name, own.span))
        })
    }

    /// Whether a test takes a fixture that wants what is under it refused.
    fn is_under_a_fixture(&mut self, module: &Module, at: &At) -> bool {
        !(module.raises.is_empty() && module.tries.is_empty())
            && around(module, at.scope).take(MAX_TESTED).any(|id| match module.scope(id).map(|scope| &scope.kind) {
                Some(Kind::Function(function)) => {
                    function.parameters.iter().take(MAX_TESTED).any(|name| self.refuses(module, name))
                }
                _ => false,
            })
    }

    /// Whether a function of a file wants what it is given refused.
    fn refuses(&mut self, module: &Module, name: &str) -> bool {
        let all = module.scope(MODULE).and_then(|scope| scope.names.get(name)).unwrap_or_default();
        self.may_guard(all.len().saturating_mul(module.raises.len() + module.tries.len()))
            && all.iter().any(|one| match one.bound {
                Bound::Function(of) => module.scope(of).is_some_and(|scope| {
                    module.raises.iter().chain(&module.tries).any(|block| scope.span.contains(*block))
                }),
                _ => false,
            })
    }

    /// Whether one of these decorators says that a test fails, or that it never runs: `@pytest.mark.xfail`, `@unittest.skip("…")`. One
    /// with a condition says neither.
    pub(super) fn is_expected_to_fail(&self, module: usize, decorators: &[ExprId]) -> bool {
        let Some(module) = self.module(module) else { return false };
        decorators.iter().any(|mark| {
            let (of, whole) = match module.expr(*mark) {
                Expr::Call(of, arguments) => (
                    *of,
                    arguments.iter().all(|one| matches!(one.name.as_deref(), Some("reason" | "strict" | "raises"))),
                ),
                _ => (*mark, true),
            };
            match module.expr(of) {
                Expr::Name(name) | Expr::Attribute(_, name) => match &**name {
                    "xfail" => whole,
                    "expectedFailure" | "skip" => true,
                    _ => false,
                },
                _ => false,
            }
        })
    }
}
