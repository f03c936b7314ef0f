//! What macros with parameters instantiate, which no grammar reads where they are used:
//!
//! ```text
//! #define INSTANTIATE(N) template void run<N>(Params);
//! INSTANTIATE(128)
//! ```
//!
//! instantiates `run<128>`. The name stands in the macro, its arguments where that is used.

use std::ops::Range;
use std::rc::Rc;

use thin_vec::ThinVec;
use tree_sitter::Node;

use super::define;
use super::extract::Walker;
use super::kind::{Field, Kind, child_of, kind_of};
use crate::ast::{Expr, ExprId, Path, ScopeId, Segment, Span};
use crate::source::{angled, closing, code, is_identifier, items, places};

/// Bytes of a macro that is read, names in it, and uses of it that are looked at.
const MAX_MACRO: usize = 4_096;
const MAX_NAMES: usize = 8;
const MAX_USES: usize = 256;

/// Bytes of a file that are looked through for uses, all its macros together.
const MAX_SEARCHED: usize = 1 << 26;

/// Templates within the arguments of each other.
const MAX_DEPTH: usize = 8;

/// A template argument in a macro: a parameter of the macro, what stands there, or a template's name with arguments of its own.
enum Given {
    Parameter(usize),
    Own(Span),
    Template(Vec<Span>, Vec<Given>),
}

impl Walker<'_> {
    /// Keeps the templates that a macro names with arguments, where those were asked for, once for each use of it in the file.
    pub(super) fn macro_mentions(&mut self, node: Node<'_>, scope: ScopeId) {
        let (Some(name), Some(value), Some(list)) =
            (child_of(node, Field::Name), child_of(node, Field::Value), child_of(node, Field::Parameters))
        else {
            return;
        };
        let (name, value) = (self.out.span_of(name), self.out.span_of(value));
        if self.hits_in(value) == 0 || value.range().len() > MAX_MACRO {
            return;
        }
        let mut cursor = list.walk();
        let params: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        if params.is_empty() || params.iter().any(|param| kind_of(*param) != Kind::Identifier) {
            return;
        }
        let params: Vec<Span> = params.into_iter().map(|param| self.out.span_of(param)).collect();
        let named = self.named_with_arguments(value, &params);
        if named.is_empty() {
            return;
        }
        let text = self.out.text;
        self.searched = self.searched.saturating_add(text.len());
        if self.searched > MAX_SEARCHED {
            return;
        }
        let macro_name = self.out.text_of(name).to_owned();
        let plain = Rc::clone(self.plain.get_or_insert_with(|| code(text).into()));
        for at in places(&plain, &macro_name).take(MAX_USES) {
            let line = plain.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
            let used = at >= value.range().end || at < name.range().start;
            if !used || line.trim_start().starts_with('#') || self.is_dead(at) {
                continue;
            }
            let Some(args) = arguments(&plain, at + macro_name.len()).filter(|args| args.len() == params.len()) else {
                continue;
            };
            for (name, given) in &named {
                let expr = self.named_by(std::slice::from_ref(name), given, &args);
                self.out.unit.mentions.extend(expr.map(|expr| (expr, scope)));
            }
        }
    }

    /// A template by its name and its arguments, as one use of the macro gives them.
    // Recursion: as deep as templates stand in each other's arguments.
    fn named_by(&mut self, names: &[Span], given: &[Given], args: &[Range<usize>]) -> Option<ExprId> {
        let given = given.iter().map(|given| match given {
            Given::Own(span) => define::constant(&mut self.out, *span),
            Given::Parameter(index) => define::constant(&mut self.out, span_of(args.get(*index)?)),
            Given::Template(names, given) => self.named_by(names, given, args),
        });
        let given = given.collect::<Option<ThinVec<ExprId>>>()?;
        let (last, spaces) = names.split_last()?;
        let mut segments: ThinVec<Segment> = spaces.iter().map(|name| Segment { name: *name, args: None }).collect();
        segments.push(Segment { name: *last, args: Some(given) });
        Some(self.out.add(Expr::Path(Path { absolute: false, segments }), *last))
    }

    /// What a template argument in a macro is.
    // Recursion: as deep as `depth`.
    fn argument(&self, item: Range<usize>, params: &[Span], depth: usize) -> Option<Given> {
        let depth = depth.checked_sub(1)?;
        let own = self.out.text.get(item.clone())?;
        if let Some(index) = params.iter().position(|param| self.out.text_of(*param) == own) {
            return Some(Given::Parameter(index));
        }
        let Some((name, list)) = own.split_once('<') else { return Some(Given::Own(span_of(&item))) };
        let list = list.strip_suffix('>')?;
        let begin = item.start + name.len() + 1;
        let mut at = item.start;
        let mut names = Vec::new();
        for part in name.split("::") {
            if part.is_empty() || !part.bytes().all(is_identifier) {
                return None;
            }
            names.push(span_of(&(at..at + part.len())));
            at += part.len() + "::".len();
        }
        let given = items(list).into_iter().map(|item| {
            let item = begin + item.start..begin + item.end;
            self.argument(item, params, depth)
        });
        Some(Given::Template(names, given.collect::<Option<_>>()?))
    }

    /// The names with template arguments in a macro that were asked for, where each argument is a constant, a parameter, or a template of such.
    fn named_with_arguments(&self, value: Span, params: &[Span]) -> Vec<(Span, Vec<Given>)> {
        let text = self.out.text;
        let mut found = Vec::new();
        let first = self.hits.partition_point(|at| *at < value.start);
        for at in self.hits.get(first..).unwrap_or_default().iter().take_while(|at| **at < value.end).take(MAX_NAMES) {
            let start = *at as usize;
            let rest = text.get(start..value.range().end).unwrap_or_default();
            let length = rest.bytes().take_while(|byte| is_identifier(*byte)).count();
            let Some(list) = rest.get(length..).and_then(angled) else { continue };
            // What stands before it may say that it is another one; other brackets and quotes in the list are more than is read.
            let before = text.get(..start).unwrap_or_default();
            if length == 0 || before.ends_with([':', '.', '>', '#']) || list.contains(['(', '{', '"', '#', '\\']) {
                continue;
            }
            let begin = start + length + 1;
            let given = items(list).into_iter().map(|item| {
                let item = begin + item.start..begin + item.end;
                self.argument(item, params, MAX_DEPTH)
            });
            let Some(given) = given.collect::<Option<Vec<Given>>>() else { continue };
            if given.iter().any(Given::hangs) {
                found.push((span_of(&(start..start + length)), given));
            }
        }
        found
    }
}

impl Given {
    /// Whether it hangs on a parameter of the macro.
    // Recursion: as deep as templates stand in each other's arguments.
    fn hangs(&self) -> bool {
        match self {
            Self::Parameter(_) => true,
            Self::Own(_) => false,
            Self::Template(_, given) => given.iter().any(Self::hangs),
        }
    }
}

fn span_of(range: &Range<usize>) -> Span {
    let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: clip(range.start), end: clip(range.end) }
}

/// Where the arguments of a macro stand behind its name.
fn arguments(text: &str, at: usize) -> Option<Vec<Range<usize>>> {
    let list = text.get(at..)?.trim_start().strip_prefix('(')?;
    let begin = text.len() - list.len();
    let list = list.get(..closing(list)?)?;
    Some(items(list).into_iter().map(|item| begin + item.start..begin + item.end).collect())
}

#[cfg(test)]
mod tests {
    use super::arguments;

    #[test]
    fn arguments_of_a_macro() {
        let of = |text: &str| {
            let found = arguments(text, 1)?;
            Some(found.into_iter().map(|arg| text[arg].to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(of("M(128)"), Some(vec!["128".to_owned()]));
        assert_eq!(of("M ( f(1, 2), true );"), Some(vec!["f(1, 2)".to_owned(), "true".to_owned()]));
        assert_eq!(of("M;"), None);
        assert_eq!(of("M(128"), None);
    }
}
