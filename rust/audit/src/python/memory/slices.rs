//! What a kernel slices by the number of a thread: where it stands, in the kernel itself or in a function that the kernel calls, and by
//! which number. Where something else may take other slices of the same, none of them is known.

use super::is_looked_at;
use crate::python::cute;
use crate::python::evaluate::{At, Evaluator};
use crate::python::tree::{Argument, Bound, Expr, ExprId, Kind, Op};
use crate::python::value::{Home, Value};
use crate::source::places;

/// Slices of one kernel.
const MAX_SLICES: usize = 32;

/// Names that stand for others, and functions that hand on what is sliced.
const MAX_NAMES: usize = 4;
const MAX_HANDED: usize = 4;

/// Uses of a name in a function, its bytes in which they are looked for, and those before one that are looked at.
const MAX_USES: usize = 256;
const MAX_TEXT: usize = 1 << 16;
const MAX_LOOK: usize = 1 << 12;

/// What a kernel slices by the number of a thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slice {
    /// What is sliced, as the kernel has it.
    pub of: ExprId,
    /// What must run for it: a call in the kernel, and the one of a function that it calls there.
    pub call: ExprId,
    pub inside: Option<(Home, ExprId)>,
    /// The number of the thread.
    pub index: Index,
}

/// The number of a thread.
#[derive(Debug, Clone, Copy)]
pub(super) enum Index {
    /// That along x.
    Along,
    /// `x + n * y`, where n is this number, or the threads along x where nothing is said.
    Rows(Option<ExprId>),
}

impl<'a> Evaluator<'a> {
    /// What a kernel slices by the number of a thread, where nobody takes another slice of the same.
    pub(super) fn slices(&mut self, kernel: Home) -> Vec<Slice> {
        let Some(module) = self.module(kernel.module) else { return Vec::new() };
        let at = At { module: kernel.module, scope: kernel.scope, frame: None };
        if !self.may_guard(module.calls.len() + module.scopes.len()) || self.is_sliced_within(kernel) {
            return Vec::new();
        }
        let (mut found, mut others): (Vec<Slice>, Vec<&str>) = (Vec::new(), Vec::new());
        // Two layouts of threads may be one in other words.
        let mut apart = false;
        for (call, _) in module.calls.iter().filter(|(_, scope)| *scope == kernel.scope) {
            if found.len() >= MAX_SLICES {
                return Vec::new();
            }
            if let Some((of, index)) = self.sliced_by(*call, &at) {
                match self.index(index, &at) {
                    Some(index) => found.push(Slice { of, call: *call, inside: None, index }),
                    None if self.partitions(*call, &at) => apart = true,
                    None => others.push(self.said(of, &at)),
                }
            } else if let Some(slice) = self.sliced_for(*call, &at) {
                found.push(slice);
            }
        }
        found.retain(|slice| {
            let said = self.said(slice.of, &at);
            // One that a function takes is the only one.
            let mine = slice.inside.map(|_| slice.call);
            let (taken, here) = match slice.inside {
                Some((home, call)) => (call, At { module: home.module, scope: home.scope, frame: None }),
                None => (slice.call, at.clone()),
            };
            if apart && self.partitions(taken, &here) {
                return false;
            }
            !others.contains(&said) && !self.is_sliced_by_others(said, kernel, (mine, 0))
        });
        found
    }

    /// Whether a call partitions a tensor by a layout of threads.
    fn partitions(&self, call: ExprId, at: &At) -> bool {
        let Some(module) = self.module(at.module) else { return false };
        matches!(module.expr(call), Expr::Call(callee, _)
            if matches!(module.expr(*callee), Expr::Attribute(_, name) if &**name == "local_partition"))
    }

    /// What a call slices, and by which number.
    fn sliced_by(&self, call: ExprId, at: &At) -> Option<(ExprId, ExprId)> {
        let module = self.module(at.module)?;
        let Expr::Call(callee, arguments) = module.expr(call) else { return None };
        let Expr::Attribute(of, name) = module.expr(*callee) else { return None };
        match (&**name, &**arguments) {
            ("get_slice", [index]) => Some((*of, index.value)),
            ("local_partition", [_, threads, index]) => Some((threads.value, index.value)),
            _ => None,
        }
    }

    /// The number of a thread that an expression is.
    pub(super) fn index(&mut self, of: ExprId, at: &At) -> Option<Index> {
        if self.is_thread(of, at) {
            return Some(Index::Along);
        }
        let module = self.module(at.module)?;
        let (mut of, mut here) = (of, at.clone());
        for _ in 0..MAX_NAMES {
            let Expr::Name(name) = module.expr(of) else { break };
            let Some((scope, [one])) = self.bindings(name, &here) else { return None };
            let Bound::Value(value, _) = one.bound else { return None };
            (of, here) = (value, At { scope, ..here });
        }
        let Expr::Binary(Op::Add, left, right) = module.expr(of) else { return None };
        [(*left, *right), (*right, *left)].into_iter().find_map(|(along, rows)| {
            let Expr::Binary(Op::Mul, one, other) = module.expr(rows) else { return None };
            let mut times = |row: ExprId, by: ExprId| {
                let thread = "cutlass.cute.arch.thread_idx";
                let is = self.is_thread(along, &here) && self.is_of_block(row, &here, (1, thread), 0);
                is.then(|| Index::Rows(if self.is_width(by, &here) { None } else { Some(by) }))
            };
            times(*one, *other).or_else(|| times(*other, *one))
        })
    }

    /// Whether an expression is `cute.arch.block_dim()[0]`, also by a name.
    fn is_width(&mut self, of: ExprId, at: &At) -> bool {
        self.is_of_block(of, at, (0, "cutlass.cute.arch.block_dim"), 0)
    }

    /// What a function slices that is called there with the number of a thread: once, and of what it gets.
    fn sliced_for(&mut self, call: ExprId, at: &At) -> Option<Slice> {
        let module = self.module(at.module)?;
        let Expr::Call(callee, arguments) = module.expr(call) else { return None };
        if arguments.iter().any(|one| matches!(one.name.as_deref(), Some("*" | "**")))
            || self.of_library(*callee, at).is_some()
        {
            return None;
        }
        let Ok(Value::Function(of, object)) = self.surely(*callee, at) else { return None };
        let inner = self.module(of.module)?;
        if !self.may_guard(inner.calls.len() + inner.scopes.len()) || self.is_sliced_within(of) {
            return None;
        }
        let here = At { module: of.module, scope: of.scope, frame: None };
        let mut all = inner.calls.iter().filter(|(_, scope)| *scope == of.scope).filter_map(|(call, _)| {
            let (sliced, index) = self.sliced_by(*call, &here)?;
            Some((*call, sliced, index))
        });
        let (Some((slice, sliced, index)), None) = (all.next(), all.next()) else { return None };
        drop(all);
        let bound = usize::from(object.is_some());
        let given = |own: &Self, of_it: ExprId| {
            let Expr::Name(name) = inner.expr(of_it) else { return None };
            let (scope, [one]) = own.bindings(name, &here)? else { return None };
            let Bound::Parameter(place) = one.bound else { return None };
            let named = arguments.iter().find(|one| one.name.as_deref() == Some(&**name));
            let placed = || arguments.get(place.checked_sub(bound)?).filter(|one| one.name.is_none());
            (scope == of.scope).then(|| named.or_else(placed)).flatten().map(|one| (one.value, name))
        };
        let (whole, name) = given(self, sliced)?;
        if self.is_sliced_by_others(name, of, (None, 0)) {
            return None;
        }
        let index = match self.index(index, &here) {
            Some(Index::Along) => Index::Along,
            // Its own numbers are not the kernel's.
            Some(Index::Rows(_)) => return None,
            None => self.index(given(self, index)?.0, at)?,
        };
        Some(Slice { of: whole, call, inside: Some((of, slice)), index })
    }

    /// Whether a function has functions of its own that slice something.
    fn is_sliced_within(&self, home: Home) -> bool {
        let Some(module) = self.module(home.module) else { return true };
        let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        module.scopes.iter().filter(|scope| scope.parent == Some(home.scope)).any(|scope| {
            text.get(scope.span.range())
                .is_some_and(|text| text.contains("get_slice") || text.contains("local_partition"))
        })
    }

    /// How something is written, where a name only stands for another as what that is.
    fn said(&self, of: ExprId, at: &At) -> &'a str {
        let Some(module) = self.module(at.module) else { return "" };
        let (mut of, mut scope) = (of, at.scope);
        for _ in 0..MAX_NAMES {
            let Expr::Name(name) = module.expr(of) else { break };
            let Some((home, [one])) = self.bindings(name, &At { scope, ..at.clone() }) else { break };
            let Bound::Value(value, _) = one.bound else { break };
            if !matches!(module.expr(value), Expr::Name(_) | Expr::Attribute(..)) {
                break;
            }
            (of, scope) = (value, home);
        }
        let text = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        text.get(module.span(of).range()).unwrap_or_default()
    }

    /// Whether a function hands on what is sliced to one that may take other slices of it; one call aside.
    // Recursion: to a fixed depth.
    fn is_sliced_by_others(&mut self, said: &str, home: Home, (mine, depth): (Option<ExprId>, usize)) -> bool {
        let Some(module) = self.module(home.module) else { return true };
        if depth >= MAX_HANDED
            || !self.may_guard(module.calls.len() + MAX_TEXT)
            || is_word(said) && self.is_given_away(said, home)
        {
            return true;
        }
        let at = At { module: home.module, scope: home.scope, frame: None };
        for (call, _) in module.calls.iter().filter(|(_, scope)| *scope == home.scope) {
            let Expr::Call(callee, arguments) = module.expr(*call) else { continue };
            if mine == Some(*call) {
                continue;
            }
            if (depth > 0 || mine.is_some())
                && self.sliced_by(*call, &at).is_some_and(|(of, _)| self.said(of, &at) == said)
            {
                return true;
            }
            let Some(place) = arguments.iter().position(|one| self.said(one.value, &at) == said) else { continue };
            if self.of_library(*callee, &at).is_some() {
                continue;
            }
            // A method of what the DSL made takes no slices of something else.
            let Ok(Value::Function(of, object)) = self.surely(*callee, &at) else {
                match module.expr(*callee) {
                    Expr::Attribute(_, name) if is_looked_at(name) => continue,
                    _ => return true,
                }
            };
            let parameter = self.parameter_of(of, &arguments[..], place, usize::from(object.is_some()));
            if parameter.is_none_or(|name| self.is_sliced_by_others(name, of, (None, depth + 1))) {
                return true;
            }
        }
        false
    }

    /// The parameter that gets an argument.
    fn parameter_of(&self, of: Home, arguments: &'a [Argument], place: usize, bound: usize) -> Option<&'a str> {
        let Some(Kind::Function(function)) = self.module(of.module)?.scope(of.scope).map(|scope| &scope.kind) else {
            return None;
        };
        let named = arguments.get(place).and_then(|one| one.name.as_deref());
        named.or_else(|| function.parameters.get(place + bound).map(|name| &**name))
    }

    /// Whether a function keeps something in a list or the like, or gives it to a library that is none of the DSL's, as it is written.
    fn is_given_away(&self, said: &str, home: Home) -> bool {
        let Some(module) = self.module(home.module) else { return true };
        let source = self.files.sources.get(module.file).map_or("", |source| source.text.as_str());
        let Some(text) = module.scope(home.scope).and_then(|scope| source.get(scope.span.range())) else { return true };
        if text.len() > MAX_TEXT {
            return true;
        }
        let at = At { module: home.module, scope: home.scope, frame: None };
        let foreign = |path: &str| !cute::is_library(path) && self.files.module(home.module, path).is_none();
        places(text, said).enumerate().any(|(count, place)| {
            if count >= MAX_USES {
                return true;
            }
            let after = text.get(place + said.len()..).unwrap_or_default();
            let before = text.get(..place).unwrap_or_default();
            match use_of(before, after) {
                Use::Part => false,
                // Of a name for several things it is not known what it is.
                Use::Alias(name) => !matches!(self.bindings(name, &at), Some((_, [_]))),
                Use::Kept => true,
                Use::Given(callee) => {
                    let root = callee.split('.').next().unwrap_or_default();
                    self.bindings(root, &at).is_some_and(|(_, all)| {
                        all.iter().any(|one| one.bound.imported().is_some_and(|path| foreign(path)))
                    })
                }
            }
        })
    }
}

/// Whether something is a name alone.
fn is_word(said: &str) -> bool {
    !said.is_empty() && said.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// What is done with a name that stands between two texts.
enum Use<'t> {
    /// Something of it is asked for: `tiled.size`.
    Part,
    /// It gets this name too.
    Alias(&'t str),
    /// It is an argument of this, or a parameter.
    Given(&'t str),
    /// Anything else.
    Kept,
}

fn use_of<'t>(before: &'t str, after: &str) -> Use<'t> {
    let (before, rest) = (before.trim_end(), after.trim_start_matches([' ', '\t']));
    // A parameter that another one begins like, and what only has the name.
    if after.starts_with('.') || before.ends_with('.') || before.ends_with(['"', '\'', '#']) {
        return Use::Part;
    }
    // `name = …` binds it, or names an argument.
    if rest.starts_with('=') && !rest.starts_with("==") {
        return Use::Part;
    }
    // The bracket around it.
    let mut depth = 0_usize;
    for (at, byte) in before.bytes().enumerate().rev().take(MAX_LOOK) {
        match byte {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' if depth > 0 => depth -= 1,
            b'(' => {
                let head = before.get(..at).unwrap_or_default();
                let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
                let start = head.rfind(|c: char| !word(c)).map_or(0, |at| at + 1);
                let callee = head.get(start..).unwrap_or_default();
                return if callee.is_empty() { Use::Kept } else { Use::Given(callee) };
            }
            b'[' | b'{' => return Use::Kept,
            b'\n' if depth == 0 && !before.ends_with([',', '(', '=']) => break,
            _ => {}
        }
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    let name = line.strip_suffix('=').map_or("", str::trim);
    if is_word(name) && (rest.is_empty() || rest.starts_with(['\n', '\r', '#', ';'])) {
        Use::Alias(name)
    } else {
        Use::Kept
    }
}
