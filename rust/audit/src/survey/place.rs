//! Where the names in an expression are looked up.

use crate::ast::{Decl, ScopeId, Span, Unit};

/// For each span, in the order of the text, the innermost declaration around it: its scope says where names are looked up. One pass
/// over both.
pub fn around<T>(unit: &Unit, mut spans: Vec<(Span, T)>) -> Vec<(Span, T, &Decl)> {
    if spans.is_empty() {
        return Vec::new();
    }
    spans.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let mut decls: Vec<&Decl> = unit.decls.iter().collect();
    decls.sort_by_key(|decl| (decl.span.start, std::cmp::Reverse(decl.span.end)));
    let mut decls = decls.into_iter().peekable();
    let mut open: Vec<&Decl> = Vec::new();
    let mut placed = Vec::with_capacity(spans.len());
    for (span, what) in spans {
        while let Some(decl) = decls.next_if(|decl| decl.span.start <= span.start) {
            while open.pop_if(|last| last.span.end <= decl.span.start).is_some() {}
            open.push(decl);
        }
        while open.pop_if(|last| last.span.end <= span.start).is_some() {}
        if let Some(decl) = open.last().filter(|decl| decl.span.contains(span)) {
            placed.push((span, what, *decl));
        }
    }
    placed
}

/// The scope around a declaration, without its own template parameters: for expressions that belong to what it declares.
pub fn scope(decl: &Decl) -> ScopeId {
    decl.inside
}
