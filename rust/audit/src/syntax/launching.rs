//! Launches by macros of the same file, which no grammar reads where they are used:
//!
//! ```text
//! #define LAUNCH(N) kernel<N><<<1, N>>>(p)
//! LAUNCH(128);
//! ```
//!
//! launches `kernel<128>` there. The words stand in the macro, and what its parameters are where that is used.

use std::ops::Range;
use std::rc::Rc;

use thin_vec::{ThinVec, thin_vec};
use tree_sitter::Node;

use super::define;
use super::extract::Walker;
use super::kind::{Field, Kind, child_of, kind_of};
use crate::ast::{DeclKind, Expr, ExprId, Path, ScopeId, ScopeKind, Segment, Span, Start};
use crate::source::{Launcher, closing, code, is_identifier, items, last_word, launchers, places};

/// Words of a macro before its launch that say when it is reached, or what may be in its way.
const WAYS: [&str; 9] = ["case", "else", "for", "goto", "if", "return", "switch", "throw", "while"];

/// Items of one list.
const MAX_ITEMS: usize = 64;

/// What stands in a macro, by the places of its parts.
struct Parts {
    /// Constants that it declares before the launch: name and value.
    constants: Vec<(Range<usize>, Range<usize>)>,
    kernel: Range<usize>,
    /// Grid, block, bytes of shared memory and stream.
    config: Vec<Range<usize>>,
    args: Vec<Range<usize>>,
}

impl Walker<'_> {
    /// Keeps the launch of a macro where that is used; tells whether it was one.
    pub(super) fn macro_start(&mut self, node: Node<'_>, scope: ScopeId) -> bool {
        let (Some(callee), Some(list)) = (child_of(node, Field::Function), child_of(node, Field::Arguments)) else {
            return false;
        };
        let (text, used) = (self.out.text, self.out.span_of(node).start as usize);
        let all = Rc::clone(self.launchers.get_or_insert_with(|| launchers(text).into()));
        let name = self.out.text_of(self.out.span_of(callee));
        let of = all.iter().find(|of| text.get(of.name.clone()) == Some(name) && of.body.end <= used);
        let Some(of) = of.filter(|_| kind_of(callee) == Kind::Identifier) else { return false };
        let mut cursor = list.walk();
        let args: Vec<Node<'_>> =
            list.named_children(&mut cursor).filter(|arg| kind_of(*arg) != Kind::Comment).collect();
        // `A + B` is not what `N * 2` is twice of.
        let operators = [Kind::BinaryExpression, Kind::ConditionalExpression, Kind::Assignment];
        let bound = args.iter().all(|arg| !operators.contains(&kind_of(*arg)));
        if bound
            && args.len() == of.params.len()
            && let Some(parts) = parts(text, of)
        {
            self.launched(node, scope, of, &parts, &args);
        }
        true
    }

    fn launched(
        &mut self,
        node: Node<'_>,
        scope: ScopeId,
        of: &Launcher,
        parts: &Parts,
        args: &[Node<'_>],
    ) -> Option<()> {
        let (function, guards) = self.way_to(node, scope)?;
        let inner = self.open(ScopeKind::Block, scope);
        let used = self.out.span_of(node);
        for (param, arg) in of.params.iter().zip(args) {
            let init = Some(self.out.convert(*arg));
            let kind = DeclKind::Variable { ty: None, init, constant: true };
            let name = span(param)?;
            let decl = self.add_decl(name, inner, name, kind);
            // What it is given is said where the macro is used.
            self.out.unit.decls.get_mut(decl.0 as usize)?.inside = scope;
        }
        for (name, value) in &parts.constants {
            let own = !self.names_a_local(value, of, parts, scope);
            let init = span(value).filter(|_| own).and_then(|value| define::expression(&mut self.out, value));
            let kind = DeclKind::Variable { ty: None, init, constant: init.is_some() };
            let name = span(name)?;
            self.add_decl(name, inner, name, kind);
        }
        if self.names_a_local(&parts.kernel, of, parts, scope) {
            return None;
        }
        let kernel = define::expression(&mut self.out, span(&parts.kernel)?)?;
        // It is launched where the macro is used.
        let Expr::Path(path) = self.out.unit.expr(kernel).clone() else { return None };
        let kernel = self.out.add(Expr::Path(path), used);
        let mut read = |index: usize| -> Option<ExprId> {
            let part = parts.config.get(index).filter(|part| !self.names_a_local(part, of, parts, scope))?;
            self.extent(part)
        };
        let (block, shared) = (read(1), read(2));
        let known: Option<Vec<ExprId>> = parts
            .args
            .iter()
            .map(|part| {
                if self.names_a_local(part, of, parts, scope) {
                    return None;
                }
                define::expression(&mut self.out, span(part)?)
            })
            .collect();
        let (open, args) = (known.is_none(), known.unwrap_or_default());
        self.out.unit.starts.push(Start { kernel, args, open, block, shared, scope: inner, function, guards });
        Some(())
    }

    /// `kThreads`, `dim3(kThreads, 2)`.
    fn extent(&mut self, part: &Range<usize>) -> Option<ExprId> {
        let text = self.out.text.get(part.clone())?;
        let Some(list) = text.strip_prefix("dim3").and_then(|list| list.strip_prefix('(')?.strip_suffix(')')) else {
            return define::expression(&mut self.out, span(part)?);
        };
        let start = part.start + "dim3(".len();
        let args = listed(list, start).into_iter().map(|item| define::expression(&mut self.out, span(&item)?));
        let args = args.collect::<Option<ThinVec<ExprId>>>().filter(|args| !args.is_empty())?;
        let name = span(&(part.start..part.start + "dim3".len()))?;
        let path = Path { absolute: false, segments: thin_vec![Segment { name, args: None }] };
        let callee = self.out.add(Expr::Path(path), name);
        Some(self.out.add(Expr::Call(callee, args), span(part)?))
    }

    /// Whether a part of a macro names what the function around its use declares: that is not what the same name means elsewhere, and stands
    /// behind the macro.
    fn names_a_local(&self, part: &Range<usize>, of: &Launcher, parts: &Parts, scope: ScopeId) -> bool {
        let text = |range: &Range<usize>| self.out.text.get(range.clone()).unwrap_or_default();
        let own: Vec<&str> = of.params.iter().chain(parts.constants.iter().map(|(name, _)| name)).map(text).collect();
        let words = text(part).split(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '_'));
        words.filter(|word| !word.is_empty() && !own.contains(word)).any(|word| {
            let mut at = Some(scope);
            while let Some(id) = at {
                let around = self.out.unit.scope(id);
                if !matches!(around.kind, ScopeKind::Block) {
                    return false;
                }
                if around.decls.iter().any(|decl| self.out.text_of(self.out.unit.decl(*decl).name) == word) {
                    return true;
                }
                at = around.parent;
            }
            false
        })
    }
}

fn span(range: &Range<usize>) -> Option<Span> {
    Some(Span { start: u32::try_from(range.start).ok()?, end: u32::try_from(range.end).ok()? })
}

/// The parts of a macro that launches a kernel in any case.
fn parts(text: &str, of: &Launcher) -> Option<Parts> {
    let body = code(text.get(of.body.clone())?).replace('\\', " ");
    let open = body.find("<<<")?;
    let before = body.get(..open)?;
    let begin = before.rfind([';', '{', '}']).map_or(0, |sign| sign + 1);
    let (said, kernel) = (before.get(..begin)?, before.get(begin..)?);
    if WAYS.iter().any(|word| places(before, word).next().is_some()) || said.contains('?') {
        return None;
    }
    let shift = |range: Range<usize>| of.body.start + range.start..of.body.start + range.end;
    let mut constants = Vec::new();
    let mut place = 0;
    for statement in said.split_inclusive([';', '{', '}']) {
        let (start, own) = (place, statement.trim_end_matches([';', '{', '}']));
        place += statement.len();
        let Some((left, value)) = own.split_once('=') else {
            // `do {`
            if own.trim().is_empty() || own.trim() == "do" {
                continue;
            }
            return None;
        };
        let name = last_word(left.trim_end()).0;
        let constant = ["const", "constexpr"].iter().any(|word| places(left, word).next().is_some());
        let word = left.trim_end().len() - name.len();
        if !constant || name.is_empty() || value.starts_with('=') {
            return None;
        }
        let from = start + left.len() + 1 + (value.len() - value.trim_start().len());
        constants.push((shift(start + word..start + word + name.len()), shift(from..from + value.trim().len())));
    }
    let config = body.get(open + 3..)?;
    let close = config.find(">>>")?;
    let after = open + 3 + close + 3;
    let rest = body.get(after..)?;
    let paren = after + (rest.len() - rest.trim_start().len()) + 1;
    let list = rest.trim_start().strip_prefix('(')?;
    let list = list.get(..closing(list)?)?;
    let name = begin + (kernel.len() - kernel.trim_start().len());
    let length = kernel.trim().len();
    let first = kernel.trim().bytes().next().filter(|byte| is_identifier(*byte) || *byte == b':');
    first?;
    let listed = |text: &str, at: usize| listed(text, at).into_iter().map(shift).collect::<Vec<_>>();
    Some(Parts {
        constants,
        kernel: shift(name..name + length),
        config: listed(config.get(..close)?, open + 3),
        args: listed(list, paren),
    })
}

/// Where the items of a list stand that begins at a place; an empty one has none.
fn listed(text: &str, at: usize) -> Vec<Range<usize>> {
    let own = items(text).into_iter().filter(|item| !item.is_empty()).take(MAX_ITEMS);
    own.map(|item| at + item.start..at + item.end).collect()
}
