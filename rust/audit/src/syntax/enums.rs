//! Enumerations.

use tree_sitter::Node;

use super::extract::Walker;
use super::kind::{Field, Kind, child_of, kind_of};
use crate::ast::{Decl, DeclKind, Expr, ExprId, Op, ScopeId, ScopeKind};

impl Walker<'_> {
    /// An enumeration: its enumerators are members of it, and names beside it too unless it is an `enum class`.
    pub(super) fn enumeration(&mut self, node: Node<'_>, scope: ScopeId) {
        let mut cursor = node.walk();
        let scoped = node.children(&mut cursor).any(|child| matches!(child.kind(), "class" | "struct"));
        if child_of(node, Field::Body).is_none() {
            return;
        }
        if let Some(title) = child_of(node, Field::Name).filter(|name| kind_of(*name) == Kind::TypeIdentifier) {
            let title = self.out.span_of(title);
            let members = self.open(ScopeKind::Block, scope);
            let kind = DeclKind::Class { title, args: None, bases: Vec::new(), members };
            let (visible, span) = (self.visible(scope).0, self.out.span_of(node));
            let id = self.declare(Decl { name: title, home: visible, inside: scope, templated: false, span, kind });
            if let Some(scope) = self.out.unit.scopes.get_mut(members.0 as usize) {
                scope.kind = ScopeKind::Class(id);
            }
            self.enumerators(node, members);
        }
        if !scoped {
            self.enumerators(node, scope);
        }
    }

    fn enumerators(&mut self, node: Node<'_>, scope: ScopeId) {
        let Some(body) = child_of(node, Field::Body) else { return };
        let mut inside = body.walk();
        let mut previous: Option<ExprId> = None;
        for item in body.named_children(&mut inside).filter(|child| kind_of(*child) == Kind::Enumerator) {
            let Some(name) = child_of(item, Field::Name) else { continue };
            let value = match (child_of(item, Field::Value), previous) {
                (Some(value), _) => self.out.convert(value),
                (None, None) => self.out.add(Expr::number(0), self.out.span_of(item)),
                (None, Some(before)) => {
                    let one = self.out.add(Expr::number(1), self.out.span_of(item));
                    self.out.add(Expr::Binary(Op::Add, before, one), self.out.span_of(item))
                }
            };
            previous = Some(value);
            let kind = DeclKind::Variable { ty: None, init: Some(value), constant: true };
            self.add_decl(self.out.span_of(name), scope, self.out.span_of(item), kind);
        }
    }
}
