//! Where the names in an expression are looked up.

use std::iter::Peekable;
use std::vec::IntoIter;

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

/// The lambdas of a unit, in order.
pub struct Lambdas {
    all: Peekable<IntoIter<Span>>,
    open: Vec<Span>,
}

impl Lambdas {
    pub fn of(unit: &Unit) -> Self {
        let lambdas = unit.repeated.iter().filter(|repeated| repeated.lambda);
        let mut all: Vec<Span> = lambdas.map(|repeated| repeated.span).collect();
        all.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        Self { all: all.into_iter().peekable(), open: Vec::new() }
    }

    /// The innermost one around a span, for spans in the order of the text.
    pub fn around(&mut self, span: Span) -> Option<Span> {
        while let Some(next) = self.all.next_if(|next| next.start <= span.start) {
            while self.open.pop_if(|last| last.end <= next.start).is_some() {}
            self.open.push(next);
        }
        while self.open.pop_if(|last| last.end <= span.start).is_some() {}
        self.open.last().copied().filter(|last| last.contains(span))
    }
}

/// The scope around a declaration, without its own template parameters: for expressions that belong to what it declares.
pub fn scope(decl: &Decl) -> ScopeId {
    decl.inside
}
