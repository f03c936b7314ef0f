//! Functions whose head is a macro of the same file:
//!
//! ```text
//! #define KERNEL(name, ...) template <typename Traits, __VA_ARGS__> __global__ void name(const Params params)
//! KERNEL(forward, bool Causal) { … }
//! ```
//!
//! is a template `forward` of `Traits` and `Causal`. Everything stands somewhere in the file, so that its places are those of the text.

use thin_vec::thin_vec;
use tree_sitter::Node;

use super::extract::Walker;
use super::kind::{Field, Kind, child_of, kind_of};
use super::variables::parameter_name;
use crate::ast::{Expr, Function, Param, Parameter, Path, ScopeId, ScopeKind, Segment, Span};
use crate::source::{is_identifier, only_macro};

/// Bytes of a macro that is read.
const MAX_MACRO: usize = 4_096;

/// What a macro makes the head of a function.
struct Head {
    /// Template parameters that the macro names, and whether each is a value.
    params: Vec<(Span, bool)>,
    /// The function's parameters: type and name.
    given: Vec<(Span, Span)>,
}

/// A function whose head is a macro.
pub(super) struct MacroHead {
    /// The scope of its template parameters.
    pub(super) scope: ScopeId,
    /// Its parameters: type and name.
    given: Vec<(Span, Span)>,
    /// Its name.
    pub(super) name: Span,
}

impl Walker<'_> {
    /// What a macro makes of the head of a function.
    pub(super) fn macro_head(&mut self, node: Node<'_>, around: ScopeId) -> Option<MacroHead> {
        let declarator = child_of(node, Field::Declarator).filter(|_| child_of(node, Field::Type).is_none())?;
        let name = child_of(declarator, Field::Declarator).filter(|name| kind_of(*name) == Kind::Identifier)?;
        let list = child_of(declarator, Field::Parameters).filter(|list| !list.has_error())?;
        let name = self.out.text_of(self.out.span_of(name)).to_owned();
        if name.bytes().any(|byte| byte.is_ascii_lowercase()) {
            return None;
        }
        let head = head(self.out.text, &name)?;
        let mut cursor = list.walk();
        let mut given = list.named_children(&mut cursor).filter(|param| kind_of(*param) != Kind::Comment);
        // The first is the function's name, which reads as a type.
        let function = given.next().and_then(|first| child_of(first, Field::Type))?;
        let function = self.out.span_of(function);
        let mut params: Vec<Param> = Vec::new();
        let param = |name, value, boolean| Param { name, pack: false, value, boolean, default: None };
        params.extend(head.params.iter().map(|(name, value)| param(*name, *value, false)));
        for one in given {
            let name = parameter_name(one)?;
            let ty = child_of(one, Field::Type)?;
            let boolean = self.out.text_of(self.out.span_of(ty)) == "bool";
            params.push(param(self.out.span_of(name), true, boolean));
        }
        let scope = self.open(ScopeKind::Template(params), around);
        self.out.unit.functions.push(Function { name: function, scope: Some(scope), around });
        Some(MacroHead { scope, given: head.given, name: function })
    }

    /// The parameters of such a function.
    pub(super) fn macro_parameters(&mut self, head: &MacroHead, scope: ScopeId) -> Vec<Parameter> {
        let mut params = Vec::new();
        for (ty, name) in &head.given {
            let path = Path { absolute: false, segments: thin_vec![Segment { name: *ty, args: None }] };
            let written = self.out.add(Expr::Path(path), *ty);
            self.declare_parameter(*name, Some(written), scope);
            params.push(Parameter { name: *name, ty: Some(written), word: *ty, default: None, pack: false });
        }
        params
    }
}

/// What the only definition of a macro in a text makes the head of a function.
fn head(text: &str, name: &str) -> Option<Head> {
    let of = only_macro(text, name)?;
    let [function, more] = of.params.as_deref()? else { return None };
    let function = text.get(function.clone())?;
    if text.get(more.clone())? != "..." {
        return None;
    }
    let mut at = of.body.start;
    let body = text.get(of.body).filter(|body| body.len() <= MAX_MACRO && !body.contains('{'))?;
    let open = body.find('<').filter(|open| body[..*open].trim_matches([' ', '\\', '\n', '\r', '\t']) == "template")?;
    let close = body.find('>').filter(|close| *close > open)?;
    let mut own = Vec::new();
    let items: Vec<&str> = body[open + 1..close].split(',').collect();
    let mut place = at + open + 1;
    for (item, left) in items.iter().zip((0..items.len()).rev()) {
        if left == 0 {
            // What the caller lists comes last.
            if item.trim() != "__VA_ARGS__" {
                return None;
            }
            break;
        }
        let kind = item.trim().split(' ').next()?;
        own.push((last_word(item, place)?, !matches!(kind, "typename" | "class")));
        place += item.len() + 1;
    }
    let after = &body[close + 1..];
    at += close + 1;
    let call = after.match_indices(function).find(|(at, _)| {
        let before = after[..*at].bytes().next_back().is_none_or(|byte| !is_identifier(byte));
        before && after[*at + function.len()..].starts_with('(')
    });
    let list = call.map(|(at, _)| at + function.len() + 1)?;
    let given = after.get(list..)?.split_once(')')?.0;
    let mut all = Vec::new();
    let mut place = at + list;
    for item in given.split(',').filter(|item| !item.trim().is_empty()) {
        let name = last_word(item, place)?;
        let before = item.get(..name.start as usize - place)?;
        all.push((last_word(before.trim_end_matches(['&', ' ']), place)?, name));
        place += item.len() + 1;
    }
    Some(Head { params: own, given: all })
}

/// Where the last word of a text stands, that begins at some place.
fn last_word(text: &str, place: usize) -> Option<Span> {
    let text = text.trim_end();
    let start = text.bytes().rposition(|byte| !is_identifier(byte)).map_or(0, |at| at + 1);
    let clip = |at: usize| u32::try_from(at).ok();
    (start < text.len()).then_some(())?;
    Some(Span { start: clip(place + start)?, end: clip(place + text.len())? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_functions() {
        let text = "#define KERNEL(name, ...) \\\ntemplate<typename Traits, int N, __VA_ARGS__> \\\n__global__ void name(GRID const Params params, int const& x)\nKERNEL(f, bool B) { }";
        let found = head(text, "KERNEL").unwrap();
        let word = |span: Span| &text[span.range()];
        let params: Vec<(&str, bool)> = found.params.iter().map(|(name, value)| (word(*name), *value)).collect();
        assert_eq!(params, [("Traits", false), ("N", true)]);
        let given: Vec<(&str, &str)> = found.given.iter().map(|(ty, name)| (word(*ty), word(*name))).collect();
        assert_eq!(given, [("Params", "params"), ("const", "x")]);
        for other in [
            text.replace("__VA_ARGS__", "int M"),
            text.replace("params, int", "params) { g(); } int"),
            text.replace("(name, ...)", "(name)"),
            format!("{text}\n#define KERNEL(a, ...) template <__VA_ARGS__> void a()\n"),
        ] {
            assert!(head(&other, "KERNEL").is_none(), "{other}");
        }
    }
}
