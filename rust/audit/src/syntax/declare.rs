//! Declarations: aliases, classes, names from elsewhere, macros that are constants, and template parameters.

use thin_vec::ThinVec;
use tree_sitter::Node;

use super::convert::first_named;
use super::define;
use super::extract::Walker;
use super::kind::{Field, Kind, child_of, kind_of};
use super::variables::parameter_name;
use crate::ast::{Decl, DeclId, DeclKind, Expr, Param, Path, ScopeId, ScopeKind, Span};

impl Walker<'_> {
    pub(super) fn declare(&mut self, decl: Decl) -> DeclId {
        let scope = decl.home;
        let unit = &mut self.out.unit;
        let id = DeclId(u32::try_from(unit.decls.len()).unwrap_or(u32::MAX));
        unit.decls.push(decl);
        if let Some(scope) = unit.scopes.get_mut(scope.0 as usize) {
            scope.decls.push(id);
        }
        id
    }

    /// The scope in which a declaration is visible, given the scope that is open around it, and whether the latter holds its
    /// template parameters.
    pub(super) fn visible(&self, scope: ScopeId) -> (ScopeId, bool) {
        let mut at = scope;
        let mut templated = false;
        while let ScopeKind::Template(_) = self.out.unit.scope(at).kind {
            templated = true;
            match self.out.unit.scope(at).parent {
                Some(parent) => at = parent,
                None => break,
            }
        }
        (at, templated)
    }

    pub(super) fn add_decl(&mut self, name: Span, scope: ScopeId, span: Span, kind: DeclKind) -> DeclId {
        let (visible, templated) = self.visible(scope);
        self.declare(Decl { name, home: visible, inside: scope, templated, span, kind })
    }

    pub(super) fn alias(&mut self, node: Node<'_>, scope: ScopeId) {
        let (Some(name), Some(ty)) = (child_of(node, Field::Name), child_of(node, Field::Type)) else {
            return;
        };
        // The grammar recovers by dropping words, and `Layout<A, B>` with a word dropped can look sound.
        let value =
            if node.has_error() { self.out.add(Expr::Broken, self.out.span_of(ty)) } else { self.out.convert(ty) };
        self.add_decl(self.out.span_of(name), scope, self.out.span_of(node), DeclKind::Alias(value));
    }

    pub(super) fn type_definition(&mut self, node: Node<'_>, scope: ScopeId) {
        let (Some(ty), Some(name)) = (child_of(node, Field::Type), child_of(node, Field::Declarator)) else {
            return;
        };
        if kind_of(name) == Kind::TypeIdentifier {
            let value =
                if node.has_error() { self.out.add(Expr::Broken, self.out.span_of(ty)) } else { self.out.convert(ty) };
            self.add_decl(self.out.span_of(name), scope, self.out.span_of(node), DeclKind::Alias(value));
        }
    }

    pub(super) fn namespace_alias(&mut self, node: Node<'_>, scope: ScopeId) {
        let Some(name) = child_of(node, Field::Name) else { return };
        let mut cursor = node.walk();
        let target = node.named_children(&mut cursor).filter(|child| *child != name).last();
        if let Some(path) = target.and_then(|target| self.out.path(target)) {
            self.add_decl(self.out.span_of(name), scope, self.out.span_of(node), DeclKind::Renames(path));
        }
    }

    pub(super) fn using(&mut self, node: Node<'_>, scope: ScopeId) {
        let mut cursor = node.walk();
        let whole = node.children(&mut cursor).any(|child| child.kind() == "namespace");
        let Some(path) = first_named(node).and_then(|name| self.out.path(name)) else { return };
        if whole {
            let (visible, _) = self.visible(scope);
            if let Some(scope) = self.out.unit.scopes.get_mut(visible.0 as usize) {
                scope.using.push(path);
            }
        } else if let Some(last) = path.segments.last() {
            self.add_decl(last.name, scope, self.out.span_of(node), DeclKind::Renames(path.clone()));
        }
    }

    pub(super) fn params(&mut self, list: Node<'_>) -> Vec<Param> {
        let mut cursor = list.walk();
        let mut params = Vec::new();
        for node in list.named_children(&mut cursor) {
            let kind = kind_of(node);
            let pack = matches!(kind, Kind::VariadicParameter | Kind::VariadicTypeParameter);
            let default = child_of(node, Field::DefaultType).or_else(|| child_of(node, Field::DefaultValue));
            match kind {
                Kind::TypeParameter
                | Kind::OptionalTypeParameter
                | Kind::VariadicTypeParameter
                | Kind::TemplateTemplateParameter
                | Kind::ParameterDeclaration
                | Kind::OptionalParameter
                | Kind::VariadicParameter => {
                    let name = parameter_name(node).map(|node| self.out.span_of(node)).unwrap_or_default();
                    let default = default.map(|value| self.out.convert(value));
                    let value =
                        matches!(kind, Kind::ParameterDeclaration | Kind::OptionalParameter | Kind::VariadicParameter);
                    let ty = child_of(node, Field::Type).map(|ty| self.out.span_of(ty));
                    let boolean = value && !pack && ty.is_some_and(|ty| self.out.text_of(ty) == "bool");
                    params.push(Param { name, pack, value, boolean, default });
                }
                _ => {}
            }
        }
        params
    }

    pub(super) fn class(&mut self, node: Node<'_>, scope: ScopeId) -> Option<ScopeId> {
        child_of(node, Field::Body)?;
        let title = child_of(node, Field::Name);
        let path = title.and_then(|name| self.out.path(name));
        let title = title.map(|node| self.out.span_of(node)).unwrap_or_default();
        let mut bases = Vec::new();
        let mut cursor = node.walk();
        for clause in node.named_children(&mut cursor).filter(|child| kind_of(*child) == Kind::BaseClassClause) {
            let mut inside = clause.walk();
            for base in clause.named_children(&mut inside) {
                if matches!(
                    kind_of(base),
                    Kind::TypeIdentifier
                        | Kind::TemplateType
                        | Kind::QualifiedIdentifier
                        | Kind::DependentType
                        | Kind::Decltype
                        | Kind::ParameterPack
                ) {
                    bases.push(self.out.convert(base));
                }
            }
        }
        let mut path = path.unwrap_or(Path { absolute: false, segments: ThinVec::new() });
        let last = path.segments.pop();
        let (visible, templated) = self.visible(scope);
        // `struct cute::MMA_Traits<…>` written outside of its namespace belongs in it all the same.
        let visible = if path.segments.is_empty() {
            visible
        } else {
            self.open(ScopeKind::Namespace(path.segments.iter().map(|segment| segment.name).collect()), visible)
        };
        let members = self.open(ScopeKind::Block, scope);
        let (name, args) = last.map_or((Span::default(), None), |segment| (segment.name, segment.args));
        let kind = DeclKind::Class { title, args, bases, members };
        let id =
            self.declare(Decl { name, home: visible, inside: scope, templated, span: self.out.span_of(node), kind });
        if let Some(scope) = self.out.unit.scopes.get_mut(members.0 as usize) {
            scope.kind = ScopeKind::Class(id);
        }
        if let Some(fields) = self.fields(node).filter(|fields| !fields.is_empty()) {
            self.out.unit.fields.push((id, fields));
        }
        Some(members)
    }

    /// A macro with parameters that stands for a number or a type is a template of what it stands for: `#define PADDED(n) ((n) + 8)`.
    pub(super) fn macro_function(&mut self, node: Node<'_>) {
        let (Some(name), Some(value), Some(list)) =
            (child_of(node, Field::Name), child_of(node, Field::Value), child_of(node, Field::Parameters))
        else {
            return;
        };
        let mut cursor = list.walk();
        let names: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        if names.is_empty() || names.iter().any(|name| kind_of(*name) != Kind::Identifier) {
            return;
        }
        let span = self.out.span_of(value);
        let Some(value) = define::constant(&mut self.out, span) else { return };
        let param = |name: Node<'_>| {
            let name = self.out.span_of(name);
            Param { name, pack: false, value: true, boolean: false, default: None }
        };
        let params = names.into_iter().map(param).collect();
        let file = ScopeId(0);
        let inside = self.open(ScopeKind::Template(params), file);
        self.declare(Decl {
            name: self.out.span_of(name),
            home: file,
            inside,
            templated: true,
            span: self.out.span_of(node),
            kind: DeclKind::Alias(value),
        });
    }

    pub(super) fn macro_constant(&mut self, node: Node<'_>) {
        let (Some(name), Some(value)) = (child_of(node, Field::Name), child_of(node, Field::Value)) else {
            return;
        };
        let span = self.out.span_of(value);
        if let Some(value) = define::constant(&mut self.out, span) {
            let kind = DeclKind::Variable { ty: None, init: Some(value), constant: true };
            let file = ScopeId(0);
            self.declare(Decl {
                name: self.out.span_of(name),
                home: file,
                inside: file,
                templated: false,
                span: self.out.span_of(node),
                kind,
            });
        }
    }
}
