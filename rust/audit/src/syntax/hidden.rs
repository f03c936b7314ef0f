//! Names that the head of a statement or of a lambda declares: they hide those from outside, in what the head belongs to and nowhere else.

use tree_sitter::Node;

use super::extract::{Context, Walker};
use super::kind::{Field, Kind, child_of, kind_of};
use super::variables::{innermost, parameter_name};
use crate::ast::{DeclKind, ScopeId, ScopeKind, Span};
use crate::source::is_identifier;

impl Walker<'_> {
    /// The scope inside of a statement whose head may declare names: `if (auto* tile = next(); valid)`, `catch (Error& tile)`.
    pub(super) fn behind_head(&mut self, node: Node<'_>, context: Context) -> ScopeId {
        if kind_of(node) == Kind::CatchClause {
            let Some(list) = child_of(node, Field::Parameters) else { return context.scope };
            let scope = self.open(ScopeKind::Block, context.scope);
            let mut cursor = list.walk();
            for name in list.named_children(&mut cursor).filter_map(parameter_name) {
                self.hide(name, scope);
            }
            return scope;
        }
        let Some(clause) = child_of(node, Field::Condition) else { return context.scope };
        let declared = |node: Node<'_>| kind_of(node) == Kind::Declaration;
        let mut found = Vec::new();
        let mut cursor = clause.walk();
        for part in clause.named_children(&mut cursor) {
            // `if (auto tile = next(); valid)` has the declaration one level deeper than `if (auto* tile = next())`.
            let inner = part.named_child(0).filter(|inner| declared(*inner));
            found.extend(Some(part).filter(|part| declared(*part)).or(inner));
        }
        if found.is_empty() {
            return context.scope;
        }
        let scope = self.open(ScopeKind::Block, context.scope);
        // What is of interest in itself is read with the rest of the head.
        found.retain(|declaration| self.hits_in(self.out.span_of(*declaration)) == 0);
        for declaration in found {
            self.variables(declaration, Context { scope, block: true, ..context });
        }
        scope
    }

    /// The variable of `for (auto& tile : tiles)`, or those of `for (auto [tile, count] : tiles)`.
    pub(super) fn hide_range(&mut self, node: Node<'_>, scope: ScopeId) {
        let Some(declarator) = child_of(node, Field::Declarator) else { return };
        let name = innermost(declarator);
        let binding = [declarator, declarator.named_child(0).unwrap_or(declarator)];
        if let Some(binding) = binding.into_iter().find(|node| kind_of(*node) == Kind::StructuredBinding) {
            let mut cursor = binding.walk();
            for name in binding.named_children(&mut cursor) {
                self.hide(name, scope);
            }
        } else if let Some(name) = name {
            self.hide(name, scope);
        }
    }

    /// What a lambda captures under a name of its own, `[tile = next()]`, and its template parameters.
    pub(super) fn hide_captures(&mut self, lambda: Node<'_>, scope: ScopeId) {
        let mut cursor = lambda.walk();
        let captures = lambda.named_children(&mut cursor).find(|child| child.kind() == "lambda_capture_specifier");
        if let Some(captures) = captures {
            let mut cursor = captures.walk();
            let own = captures.named_children(&mut cursor).filter(|one| one.kind() == "lambda_capture_initializer");
            for name in own.filter_map(|one| innermost(child_of(one, Field::Left)?)) {
                self.hide(name, scope);
            }
        }
        let Some(list) = child_of(lambda, Field::TemplateParameters) else { return };
        let mut cursor = list.walk();
        for name in list.named_children(&mut cursor).filter_map(parameter_name) {
            self.hide(name, scope);
        }
    }

    /// The name in `half_t (&tile)[64] = tiles[0];`: a declaration, which the grammar reads as an assignment to an item of what a call returns.
    pub(super) fn hide_reference(&mut self, statement: Node<'_>, scope: ScopeId) {
        let span = self.out.span_of(statement);
        let text = self.out.text_of(span);
        let named = |text: &str| {
            let (of, rest) = text.split_once('(')?;
            let name = rest.trim_start().strip_prefix(['&', '*'])?.trim_start();
            let length = name.bytes().take_while(|byte| is_identifier(*byte)).count();
            let dimensions = name.get(length..)?.trim_start().strip_prefix(')')?.trim_start();
            let plain = |c: char| c.is_alphanumeric() || "_:<>, ".contains(c);
            (length > 0 && !of.is_empty() && of.chars().all(plain) && dimensions.starts_with('['))
                .then(|| (text.len() - name.len(), length))
        };
        let Some((at, length)) = named(text) else { return };
        let place = |at: usize| span.start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        let name = Span { start: place(at), end: place(at + length) };
        self.add_decl(name, scope, name, DeclKind::RunTime);
    }

    fn hide(&mut self, name: Node<'_>, scope: ScopeId) {
        let span = self.out.span_of(name);
        self.add_decl(span, scope, span, DeclKind::RunTime);
    }
}
