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

use thin_vec::{ThinVec, thin_vec};
use tree_sitter::Node;

use super::define;
use super::extract::Walker;
use super::kind::{Field, Kind, child_of, kind_of};
use crate::ast::{Expr, ExprId, Path, ScopeId, Segment, Span};
use crate::source::{closing, code, is_identifier, items, places};

/// Bytes of a macro that is read, names in it, and uses of it that are looked at.
const MAX_MACRO: usize = 4_096;
const MAX_NAMES: usize = 8;
const MAX_USES: usize = 256;

/// Bytes of a file that are looked through for uses, all its macros together.
const MAX_SEARCHED: usize = 1 << 26;

/// A template argument in a macro: a parameter of the macro, or what stands there.
#[derive(Clone, Copy)]
enum Given {
    Parameter(usize),
    Own(Span),
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
        let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
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
                let given = given.iter().map(|given| {
                    let span = match given {
                        Given::Own(span) => *span,
                        Given::Parameter(index) => {
                            let arg = args.get(*index)?;
                            Span { start: clip(arg.start), end: clip(arg.end) }
                        }
                    };
                    define::constant(&mut self.out, span)
                });
                let Some(given) = given.collect::<Option<ThinVec<ExprId>>>() else { continue };
                let path = Path { absolute: false, segments: thin_vec![Segment { name: *name, args: Some(given) }] };
                let expr = self.out.add(Expr::Path(path), *name);
                self.out.unit.mentions.push((expr, scope));
            }
        }
    }

    /// The names with template arguments in a macro that were asked for, where each argument is a constant or a parameter.
    fn named_with_arguments(&self, value: Span, params: &[Span]) -> Vec<(Span, Vec<Given>)> {
        let text = self.out.text;
        let mut found = Vec::new();
        let first = self.hits.partition_point(|at| *at < value.start);
        for at in self.hits.get(first..).unwrap_or_default().iter().take_while(|at| **at < value.end).take(MAX_NAMES) {
            let start = *at as usize;
            let rest = text.get(start..value.range().end).unwrap_or_default();
            let length = rest.bytes().take_while(|byte| is_identifier(*byte)).count();
            let Some((list, _)) = rest.get(length..).and_then(|rest| rest.strip_prefix('<')?.split_once('>')) else {
                continue;
            };
            // What stands before it may say that it is another one; brackets and quotes in the list are more than is read.
            let before = text.get(..start).unwrap_or_default();
            if length == 0 || before.ends_with([':', '.', '>', '#']) || list.contains(['<', '(', '{', '"', '#', '\\']) {
                continue;
            }
            let begin = start + length + 1;
            let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let given: Vec<Given> = items(list)
                .into_iter()
                .map(|item| {
                    let own = list.get(item.clone()).unwrap_or_default();
                    let span = Span { start: clip(begin + item.start), end: clip(begin + item.end) };
                    let parameter = params.iter().position(|param| self.out.text_of(*param) == own);
                    parameter.map_or(Given::Own(span), Given::Parameter)
                })
                .collect();
            if given.iter().any(|given| matches!(given, Given::Parameter(_))) {
                found.push((Span { start: clip(start), end: clip(start + length) }, given));
            }
        }
        found
    }
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
