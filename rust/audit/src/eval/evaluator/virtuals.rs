//! Functions of a class that a class deriving from it may have in other words: which one is called, the object says.

use super::{Context, Evaluator};
use crate::ast::{DeclKind, Site};
use crate::eval::program::{BodyRef, DeclRef};
use crate::eval::value::{Bindings, Value};
use crate::source::places;

/// Bases of bases that are looked at, and bases of one class.
const MAX_DEPTH: usize = 4;
const MAX_BASES: usize = 16;

/// Bytes of a class that are searched.
const MAX_SEARCHED: usize = 1 << 16;

impl<'a> Evaluator<'a> {
    /// Whether a call by the bare name of one of these functions, in their class, may reach that of an heir.
    pub fn is_overridden(&mut self, class: DeclRef, found: &[BodyRef], context: &Context<'a>) -> bool {
        let head = self.head(Site { unit: class.unit, span: self.program.decl(class).span });
        if says(head, "final") {
            return false;
        }
        let heads: Vec<&str> =
            found.iter().map(|body| self.head(Site { unit: body.unit, span: self.program.body(*body).span })).collect();
        if heads.iter().all(|head| says(head, "final") || says(head, "static")) {
            return false;
        }
        if heads.iter().any(|head| says(head, "virtual") || says(head, "override")) {
            return true;
        }
        // An heir's function is virtual without a word where that of its base is.
        let Some(first) = found.first() else { return false };
        let name = self.program.text(Site { unit: first.unit, span: self.program.body(*first).name });
        self.is_virtual_above(class, name, &context.env, MAX_DEPTH)
    }

    /// What stands before the brace of a class or a function.
    fn head(&self, site: Site) -> &'a str {
        self.program.text(site).split('{').next().unwrap_or_default()
    }

    // Recursion: to a fixed depth.
    fn is_virtual_above(&mut self, class: DeclRef, name: &str, env: &Bindings<'a>, left: usize) -> bool {
        let Some(left) = left.checked_sub(1) else { return true };
        if let DeclKind::Class { bases, .. } = &self.program.decl(class).kind
            && bases.is_empty()
        {
            return false;
        }
        self.bases(class, env).into_iter().take(MAX_BASES).any(|base| {
            let Value::Named(base) = base else { return false };
            let Some(of) = base.class.filter(|of| *of != class) else { return false };
            let text = self.program.text(Site { unit: of.unit, span: self.program.decl(of).span });
            text.len() > MAX_SEARCHED || declares(text, name) || self.is_virtual_above(of, name, &base.env, left)
        })
    }
}

fn says(head: &str, word: &str) -> bool {
    places(head, word).next().is_some()
}

/// Whether the text of a class declares a virtual function of a name.
fn declares(class: &str, name: &str) -> bool {
    places(class, name).any(|at| {
        let before = class.get(..at).unwrap_or_default();
        let called = class.get(at + name.len()..).is_some_and(|rest| rest.trim_start().starts_with('('));
        let start = before.rfind([';', '{', '}']).map_or(0, |at| at + 1);
        called && before.get(start..).is_some_and(|head| says(head, "virtual"))
    })
}

#[cfg(test)]
mod tests {
    use super::declares;

    #[test]
    fn functions_that_a_class_declares_as_virtual() {
        assert!(declares("struct A { int a; virtual int block() const = 0; };", "block"));
        assert!(declares("struct A { virtual ~A() = default; virtual auto block () const -> int; };", "block"));
        assert!(!declares("struct A { virtual ~A() = default; int block() const; };", "block"));
        assert!(!declares("struct A { virtual int other() { return block(); } int block() const; };", "block"));
    }
}
