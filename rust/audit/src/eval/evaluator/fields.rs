//! Members of a class that each of its objects has for itself. What the class gives them, `int threads = 128;`, holds for objects that are
//! made without anything else: constructors, braces and statements give others. `const` only says that it stays so afterwards.

use super::Evaluator;
use crate::ast::{DeclKind, ScopeKind};
use crate::eval::program::DeclRef;
use crate::source::places;

/// Words in front of a member that all objects share.
const SHARED: [&str; 3] = ["constexpr", "constinit", "static"];

impl Evaluator<'_> {
    /// Whether a variable is a member that objects of its class have for themselves.
    pub(super) fn is_of_object(&self, decl: DeclRef) -> bool {
        let of = self.program.decl(decl);
        let member = matches!(self.program.unit(decl.unit).scope(of.home).kind, ScopeKind::Class(_));
        // An enumerator begins with its name.
        if !member || !matches!(of.kind, DeclKind::Variable { .. }) || of.span.start >= of.name.start {
            return false;
        }
        let before = self.program.before_name(decl);
        !SHARED.iter().any(|word| places(before, word).next().is_some())
    }
}
