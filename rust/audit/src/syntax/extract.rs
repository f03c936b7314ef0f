//! One walk over the tree: scopes, declarations and the places where layouts are written.

use tree_sitter::{Node, Tree, TreeCursor};

use super::configs;
use super::convert::{Converter, first_named, names_a_template};
use super::define;
use super::functions::Building;
use super::kind::{Field, Kind, child_of, kind_of};
use super::mask::Masked;
use crate::ast::{
    Decl, DeclId, DeclKind, Expr, ExprId, Function, Launch, Param, Parameter, Path, Scope, ScopeId, ScopeKind, Span,
    Stored, Switch, Unit, Use, Written,
};
use crate::source::Source;

/// Trees are walked no deeper than this: far beyond what people write, far before the stack ends.
const MAX_DEPTH: usize = 400;

/// The driver's function that makes a descriptor of the copy engine.
const ENCODE: &str = "cuTensorMapEncodeTiled";

/// Functions whose calls are looked at wherever they stand, also in a `return` or among the arguments of another.
const WHOLE: [&str; 15] = [
    "composition",
    "flat_divide",
    "get_slice",
    "get_thread_slice",
    "local_partition",
    "logical_divide",
    "make_tensor",
    "make_tiled_copy",
    "make_tiled_copy_impl",
    "make_tiled_mma",
    "partition_D",
    "partition_S",
    "tile_to_shape",
    "tiled_divide",
    "zipped_divide",
];

/// A copy of as many bits as are promised to be aligned.
const ALIGNED: &str = "AutoVectorizingCopyWithAssumedAlignment";

/// Lists with more values are not kept.
const MAX_LIST: usize = 16;

/// Arrays of more dimensions are not looked at.
const MAX_ARRAY: usize = 8;

/// Fills a unit from a tree.
pub fn extract(file: usize, source: &Source, hits: &[u32], masked: &Masked, tree: &Tree) -> Unit {
    let converter = Converter { text: &source.text, masked, unit: Unit::empty(file) };
    let mut walker = Walker { out: converter, words: &source.hits, hits, building: Vec::new() };
    let context = Context { scope: ScopeId(0), block: false, loose: false, mentioned: false, whole: false, depth: 0 };
    walker.children(&mut tree.walk(), context);
    walker.out.unit
}

#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts about where the walk is")]
pub(super) struct Context {
    pub(super) scope: ScopeId,
    /// Inside a function, where only text that can make a layout is of interest.
    pub(super) block: bool,
    /// Directly under an ERROR node: words without a sentence.
    pub(super) loose: bool,
    /// Inside of a template with arguments that has been noted.
    pub(super) mentioned: bool,
    /// Inside a function of which it matters what it returns: each of its statements is read.
    pub(super) whole: bool,
    pub(super) depth: usize,
}

pub(super) struct Walker<'a> {
    pub(super) out: Converter<'a>,
    /// Where words stand that can make a layout.
    words: &'a [u32],
    /// Those, and the marks.
    pub(super) hits: &'a [u32],
    /// The functions around that are read as a whole, the innermost last.
    pub(super) building: Vec<Building>,
}

impl Walker<'_> {
    /// How many words that can make a layout stand in a span.
    fn words_in(&self, span: Span) -> usize {
        self.words.partition_point(|&at| at < span.end) - self.words.partition_point(|&at| at < span.start)
    }

    fn hits_in(&self, span: Span) -> usize {
        self.hits.partition_point(|&at| at < span.end) - self.hits.partition_point(|&at| at < span.start)
    }

    pub(super) fn open(&mut self, kind: ScopeKind, parent: ScopeId) -> ScopeId {
        let unit = &mut self.out.unit;
        let id = ScopeId(u32::try_from(unit.scopes.len()).unwrap_or(u32::MAX));
        unit.scopes.push(Scope { kind, parent: Some(parent), decls: Vec::new(), using: Vec::new(), guard: None });
        id
    }

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

    pub(super) fn children(&mut self, cursor: &mut TreeCursor<'_>, context: Context) {
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            self.visit(cursor, context);
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }

    pub(super) fn visit(&mut self, cursor: &mut TreeCursor<'_>, context: Context) {
        let node = cursor.node();
        let span = self.out.span_of(node);
        if node.is_error() || node.is_missing() {
            self.out.unit.lost.errors += 1;
        }
        if !node.is_named() && !node.is_error() {
            return;
        }
        let hits = self.hits_in(span);
        if context.depth > MAX_DEPTH {
            self.out.unit.lost.too_deep += self.words_in(span);
            return;
        }
        let context = if context.whole { self.statement(node, context) } else { context };
        let inner = Context { depth: context.depth + 1, ..context };
        let sound = Context { loose: false, ..inner };
        match kind_of(node) {
            Kind::Comment => {}
            Kind::Error => self.children(cursor, Context { loose: true, ..inner }),
            Kind::PreprocArg | Kind::PreprocFunctionDef => self.out.unit.lost.in_macros += self.words_in(span),
            Kind::PreprocDef => {
                self.out.unit.lost.in_macros += self.words_in(span);
                self.macro_constant(node);
            }
            Kind::NamespaceDefinition => {
                let names = child_of(node, Field::Name).and_then(|name| self.out.path(name));
                let names = names.map(|path| path.segments.iter().map(|segment| segment.name).collect());
                let scope = self.open(ScopeKind::Namespace(names.unwrap_or_default()), context.scope);
                self.children(cursor, Context { scope, ..sound });
            }
            Kind::NamespaceAlias => self.namespace_alias(node, context.scope),
            Kind::UsingDeclaration => self.using(node, context.scope),
            Kind::TemplateDeclaration => {
                let unused =
                    node.named_children(&mut node.walk()).any(|child| kind_of(child) == Kind::FunctionDefinition);
                let name = function_name(node).map(|name| self.out.span_of(name));
                if unused && hits == 0 {
                    self.out.unit.functions.extend(name.map(|name| Function {
                        name,
                        scope: None,
                        around: context.scope,
                    }));
                    return;
                }
                let params = child_of(node, Field::Parameters).map(|list| self.params(list)).unwrap_or_default();
                let scope = self.open(ScopeKind::Template(params), context.scope);
                self.out.unit.functions.extend(name.map(|name| Function {
                    name,
                    scope: Some(scope),
                    around: context.scope,
                }));
                self.children(cursor, Context { scope, ..sound });
            }
            Kind::AliasDeclaration => {
                self.alias(node, context.scope);
                if hits > 0 {
                    self.children(cursor, sound);
                }
            }
            Kind::TypeDefinition => {
                self.type_definition(node, context.scope);
                if hits > 0 {
                    self.children(cursor, sound);
                }
            }
            Kind::StructSpecifier | Kind::ClassSpecifier | Kind::UnionSpecifier => {
                match self.class(node, context.scope) {
                    Some(members) => self.class_body(cursor, members, sound),
                    None if hits > 0 => self.children(cursor, inner),
                    None => {}
                }
            }
            Kind::StaticAssert => {
                if let Some(condition) = child_of(node, Field::Condition).filter(|_| !node.has_error()) {
                    let condition = self.out.convert(condition);
                    self.out.unit.asserts.push((condition, context.scope));
                }
                if hits > 0 {
                    self.children(cursor, sound);
                }
            }
            Kind::Return if context.whole => {
                self.returned(node, context.scope);
                if hits > 0 {
                    self.children(cursor, Context { whole: false, ..sound });
                }
            }
            Kind::IfStatement if context.whole || (hits > 0 && is_constexpr(node)) => self.branches(cursor, sound),
            Kind::FunctionDefinition if hits > 0 => self.function(cursor, sound),
            Kind::ElseClause if context.whole => self.children(cursor, sound),
            Kind::CompoundStatement if context.whole => {
                let scope = self.open(ScopeKind::Block, context.scope);
                self.children(cursor, Context { scope, block: true, ..sound });
            }
            Kind::TemplateInstantiation => self.children(cursor, Context { block: true, ..inner }),
            Kind::EnumSpecifier => self.enumeration(node, context.scope),
            Kind::LambdaExpression if hits > 0 && named(node).is_some() => self.lambda(cursor, sound),
            Kind::FunctionDefinition
            | Kind::LambdaExpression
            | Kind::CompoundStatement
            | Kind::ForStatement
            | Kind::ForRangeLoop => {
                if hits > 0 {
                    let scope = self.open(ScopeKind::Block, context.scope);
                    self.function_parameters(node, scope);
                    self.children(cursor, Context { scope, block: true, whole: false, ..sound });
                }
            }
            Kind::FieldDeclaration | Kind::Declaration => {
                self.variables(node, context);
                if hits > 0 || holds_type(node) {
                    self.children(cursor, sound);
                }
            }
            kind => {
                let mut inner = inner;
                let template = matches!(kind, Kind::TemplateType | Kind::TemplateFunction);
                if (template || kind == Kind::CallExpression) && hits > 0 {
                    self.layout(node, kind, inner);
                }
                if kind == Kind::CallExpression && hits > 0 && !node.has_error() {
                    self.start(node, context.scope);
                }
                if hits > 0 && !node.has_error() && self.copies(node, kind) {
                    let expr = self.out.convert(node);
                    self.out.unit.calls.push((expr, context.scope));
                }
                if kind == Kind::CallExpression
                    && hits > 0
                    && context.block
                    && !node.has_error()
                    && self.is_followed(node)
                {
                    self.pass(node, context.scope);
                }
                if kind == Kind::CallExpression && hits > 0 {
                    if let Some(scope) = self.switch(node, context.scope) {
                        inner.scope = scope;
                    } else if context.block && !context.mentioned && !node.has_error() && self.is_marked(node) {
                        let expr = self.out.convert(node);
                        self.out.unit.mentions.push((expr, context.scope));
                        inner.mentioned = true;
                    }
                // A qualified name as a whole: its namespaces say which function is meant.
                } else if (template || kind == Kind::QualifiedIdentifier)
                    && context.block
                    && !context.mentioned
                    && hits > self.words_in(span)
                    && !node.has_error()
                {
                    let expr = self.out.convert(node);
                    self.out.unit.mentions.push((expr, context.scope));
                    inner.mentioned = true;
                }
                // Outside of functions every declaration counts; inside, only what leads to a layout.
                if hits > 0 || !context.block {
                    self.children(cursor, inner);
                }
            }
        }
    }

    /// Class bases and arguments belong outside of the class, its body inside.
    fn class_body(&mut self, cursor: &mut TreeCursor<'_>, members: ScopeId, context: Context) {
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            let scope = if cursor.field_name() == Some("body") { members } else { context.scope };
            self.visit(cursor, Context { scope, block: false, ..context });
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }

    /// Both sides of an `if constexpr`, each in a scope that says when it is compiled; in a function that is read as a whole, both
    /// sides of any `if`.
    fn branches(&mut self, cursor: &mut TreeCursor<'_>, context: Context) {
        let node = cursor.node();
        let condition = child_of(node, Field::Condition).filter(|node| !node.has_error());
        // `if constexpr (int n = f(); n > 0)` declares a name, and is no plain condition.
        let test = condition.and_then(|condition| child_of(condition, Field::Value));
        let test = test.filter(|_| condition.is_some_and(|condition| condition.named_child_count() == 1));
        let test = test.map(|test| self.out.convert(test));
        let constant = is_constexpr(node);
        if context.whole && test.is_none() {
            self.unsound();
        }
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            let taken = match cursor.field_name() {
                Some("consequence") => Some(true),
                Some("alternative") => Some(false),
                _ => None,
            };
            let mut scope = context.scope;
            if let Some(taken) = taken {
                scope = self.open(ScopeKind::Block, scope);
                if let Some(inside) = self.out.unit.scopes.get_mut(scope.0 as usize).filter(|_| constant) {
                    inside.guard = test.map(|test| (test, taken));
                }
            }
            let whole = context.whole && taken.is_some();
            if let (Some(taken), Some(test), true) = (taken, test, whole) {
                self.when(test, context.scope, taken);
            }
            self.visit(cursor, Context { scope, block: true, whole, ..context });
            if test.is_some() && whole {
                self.otherwise();
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
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

    fn alias(&mut self, node: Node<'_>, scope: ScopeId) {
        let (Some(name), Some(ty)) = (child_of(node, Field::Name), child_of(node, Field::Type)) else {
            return;
        };
        // The grammar recovers by dropping words, and `Layout<A, B>` with a word dropped can look sound.
        let value =
            if node.has_error() { self.out.add(Expr::Broken, self.out.span_of(ty)) } else { self.out.convert(ty) };
        self.add_decl(self.out.span_of(name), scope, self.out.span_of(node), DeclKind::Alias(value));
    }

    fn type_definition(&mut self, node: Node<'_>, scope: ScopeId) {
        let (Some(ty), Some(name)) = (child_of(node, Field::Type), child_of(node, Field::Declarator)) else {
            return;
        };
        if kind_of(name) == Kind::TypeIdentifier {
            let value =
                if node.has_error() { self.out.add(Expr::Broken, self.out.span_of(ty)) } else { self.out.convert(ty) };
            self.add_decl(self.out.span_of(name), scope, self.out.span_of(node), DeclKind::Alias(value));
        }
    }

    fn namespace_alias(&mut self, node: Node<'_>, scope: ScopeId) {
        let Some(name) = child_of(node, Field::Name) else { return };
        let mut cursor = node.walk();
        let target = node.named_children(&mut cursor).filter(|child| *child != name).last();
        if let Some(path) = target.and_then(|target| self.out.path(target)) {
            self.add_decl(self.out.span_of(name), scope, self.out.span_of(node), DeclKind::Renames(path));
        }
    }

    fn using(&mut self, node: Node<'_>, scope: ScopeId) {
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

    fn params(&mut self, list: Node<'_>) -> Vec<Param> {
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

    fn class(&mut self, node: Node<'_>, scope: ScopeId) -> Option<ScopeId> {
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
        let mut path = path.unwrap_or(Path { absolute: false, segments: Vec::new() });
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
        Some(members)
    }

    fn macro_constant(&mut self, node: Node<'_>) {
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

    fn variables(&mut self, node: Node<'_>, context: Context) {
        let ty = child_of(node, Field::Type);
        let mut constant = false;
        let mut cursor = node.walk();
        let mut last: Option<DeclId> = None;
        let mut ty_expr = None;
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            let child = cursor.node();
            match (cursor.field_name(), kind_of(child)) {
                (Some("declarator"), kind) => {
                    let (name, init) = if kind == Kind::InitDeclarator {
                        (child_of(child, Field::Declarator), child_of(child, Field::Value))
                    } else {
                        (Some(child), None)
                    };
                    // `f(A const& a);` reads as a variable with arguments wherever the grammar cannot tell that f is a function.
                    let call = init.is_some_and(|value| kind_of(value) == Kind::ArgumentList);
                    let member = kind_of(node) == Kind::FieldDeclaration;
                    if context.block && self.extents(name, init, ty, constant, node, context.scope) {
                        // `dim3 block(128)` is a variable, whatever it reads as.
                    } else if (context.block || constant || member || init.is_some()) && (context.block || !call) {
                        if ty_expr.is_none() {
                            ty_expr = ty.filter(|ty| names_a_type(*ty)).map(|ty| self.out.convert(ty));
                        }
                        last = self.variable(name, init, ty_expr, constant, node, context.scope);
                    }
                }
                (Some("default_value"), _) => {
                    let value = self.out.convert(child);
                    if let Some(decl) = last.and_then(|id| self.out.unit.decls.get_mut(id.0 as usize))
                        && let DeclKind::Variable { init, .. } = &mut decl.kind
                    {
                        *init = Some(value);
                    }
                }
                (_, Kind::TypeQualifier) => {
                    constant |= matches!(self.out.text_of(self.out.span_of(child)), "const" | "constexpr");
                }
                _ => {}
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }

    fn variable(
        &mut self,
        declarator: Option<Node<'_>>,
        init: Option<Node<'_>>,
        ty: Option<ExprId>,
        constant: bool,
        node: Node<'_>,
        scope: ScopeId,
    ) -> Option<DeclId> {
        let declarator = declarator?;
        let pointed = init.and_then(|init| configs::pointed(init, self.out.text));
        match kind_of(declarator) {
            Kind::Identifier | Kind::FieldIdentifier => {
                let init =
                    init.filter(|value| kind_of(*value) != Kind::ArgumentList).map(|value| self.out.convert(value));
                let kind = DeclKind::Variable { ty, init, constant };
                let decl = self.add_decl(self.out.span_of(declarator), scope, self.out.span_of(node), kind);
                if let Some(of) = pointed.filter(|_| ty.is_none()) {
                    let ty = Some(self.out.convert(of));
                    self.out.unit.stored.push(Stored { decl, ty, extents: Vec::new() });
                }
                Some(decl)
            }
            Kind::StructuredBinding => {
                // The names are no constants, but what is called may be checked.
                if let Some(init) = init.filter(|value| kind_of(*value) == Kind::CallExpression) {
                    self.out.convert(init);
                }
                let mut cursor = declarator.walk();
                for name in declarator.named_children(&mut cursor) {
                    self.add_decl(self.out.span_of(name), scope, self.out.span_of(node), DeclKind::RunTime);
                }
                None
            }
            Kind::FunctionDeclarator => None,
            _ => {
                let name = innermost(declarator)?;
                let decl = self.add_decl(self.out.span_of(name), scope, self.out.span_of(node), DeclKind::RunTime);
                let ty = ty.or_else(|| pointed.map(|of| self.out.convert(of)));
                self.stored(declarator, ty, decl);
                // `void const* kernel = (void const*)&device<64>;`
                let text = self.out.text;
                let kernel = |init| {
                    if names_a_kernel(init) { Some(init) } else { configs::address_of_kernel(init, text) }
                };
                if let Some(init) = init.and_then(kernel) {
                    let init = self.out.convert(init);
                    self.out.unit.lists.push((decl, vec![init]));
                }
                if kind_of(declarator) == Kind::ArrayDeclarator
                    && let Some(list) = init.filter(|init| kind_of(*init) == Kind::InitializerList && !init.has_error())
                {
                    let mut cursor = list.walk();
                    let items = list.named_children(&mut cursor).filter(|item| kind_of(*item) != Kind::Comment);
                    let items: Vec<ExprId> = items.take(MAX_LIST).map(|item| self.out.convert(item)).collect();
                    self.out.unit.lists.push((decl, items));
                }
                Some(decl)
            }
        }
    }

    /// What an array or a reference holds: neither is a constant, but how large it is may be one.
    fn stored(&mut self, declarator: Node<'_>, ty: Option<ExprId>, decl: DeclId) {
        let mut extents = Vec::new();
        let mut at = Some(declarator);
        for _ in 0..MAX_ARRAY {
            match at.map(|node| (kind_of(node), node)) {
                Some((Kind::ArrayDeclarator, node)) => {
                    // `T name[]` has no extent, and is none that is known.
                    let Some(size) = child_of(node, Field::Size) else { return };
                    extents.push(self.out.convert(size));
                    at = child_of(node, Field::Declarator);
                }
                Some((Kind::ReferenceDeclarator, _)) if extents.is_empty() => break,
                // `storage->smem` is a member of what a pointer of one star points to.
                Some((Kind::PointerDeclarator, node))
                    if extents.is_empty()
                        && child_of(node, Field::Declarator).is_some_and(|name| kind_of(name) == Kind::Identifier) =>
                {
                    break;
                }
                Some((Kind::Identifier | Kind::FieldIdentifier, _)) => break,
                _ => return,
            }
        }
        self.out.unit.stored.push(Stored { decl, ty, extents });
    }

    /// `__launch_bounds__(threads, …)` of a kernel.
    pub(super) fn launch(&mut self, node: Node<'_>, function: Span, scope: ScopeId) {
        let mut cursor = node.walk();
        let bounds = node.named_children(&mut cursor).find(|child| kind_of(*child) == Kind::LaunchBounds);
        if let Some(bound) = bounds.filter(|bounds| !bounds.has_error()).and_then(first_named) {
            let bound = self.out.convert(bound);
            self.out.unit.launches.push(Launch { bound, scope, function });
        }
    }

    /// A parameter of a function.
    pub(super) fn declare_parameter(&mut self, name: Span, ty: Option<ExprId>, scope: ScopeId) {
        self.add_decl(name, scope, name, DeclKind::Variable { ty, init: None, constant: false });
    }

    /// Parameters hide names from outside, and their types can be constants.
    pub(super) fn function_parameters(&mut self, node: Node<'_>, scope: ScopeId) -> Vec<Parameter> {
        let mut params = Vec::new();
        let mut at = child_of(node, Field::Declarator);
        for _ in 0..MAX_DEPTH {
            let Some(declarator) = at else { return params };
            if let Some(list) = child_of(declarator, Field::Parameters) {
                let mut cursor = list.walk();
                for param in list.named_children(&mut cursor).filter(|param| kind_of(*param) != Kind::Comment) {
                    let word = child_of(param, Field::Type);
                    let ty = word.filter(|ty| names_a_type(*ty)).map(|ty| self.out.convert(ty));
                    let word = word.map(|word| self.out.span_of(word)).unwrap_or_default();
                    let name = parameter_name(param).map(|name| self.out.span_of(name));
                    if let Some(name) = name {
                        let kind = DeclKind::Variable { ty, init: None, constant: false };
                        self.add_decl(name, scope, self.out.span_of(param), kind);
                    }
                    let default = child_of(param, Field::DefaultValue).map(|value| self.out.convert(value));
                    let pack = kind_of(param) == Kind::VariadicParameter;
                    params.push(Parameter { name: name.unwrap_or_default(), ty, word, default, pack });
                }
                return params;
            }
            at = child_of(declarator, Field::Declarator).or_else(|| first_named(declarator));
        }
        params
    }

    /// The scope of what `X_SWITCH(…, NAME, [&] { … })` defines.
    fn switch(&mut self, node: Node<'_>, scope: ScopeId) -> Option<ScopeId> {
        let macro_name = child_of(node, Field::Function).filter(|name| kind_of(*name) == Kind::Identifier)?;
        let macro_name = self.out.span_of(macro_name);
        if !self.out.text_of(macro_name).ends_with("_SWITCH") {
            return None;
        }
        let list = child_of(node, Field::Arguments)?;
        let mut cursor = list.walk();
        let args: Vec<Node<'_>> =
            list.named_children(&mut cursor).filter(|arg| kind_of(*arg) != Kind::Comment).collect();
        let [.., name, body] = args.as_slice() else { return None };
        if kind_of(*body) != Kind::LambdaExpression {
            return None;
        }
        // With a condition alone, the macro itself names the constant; the parameter has the macro's name meanwhile.
        let given = kind_of(*name) == Kind::Identifier && args.len() > 2;
        let name = if given { self.out.span_of(*name) } else { macro_name };
        let param = Param { name, pack: false, value: true, boolean: false, default: None };
        let scope = self.open(ScopeKind::Template(vec![param]), scope);
        self.out.unit.switches.push(Switch { name: macro_name, scope });
        Some(scope)
    }

    /// Whether a call makes a tiled copy, partitions a tensor, or describes one to the copy engine, or a type says how aligned a copy is: such may
    /// be part of a statement that declares nothing.
    fn copies(&self, node: Node<'_>, kind: Kind) -> bool {
        if kind == Kind::TemplateType {
            let name = child_of(node, Field::Name).map_or("", |name| self.out.text_of(self.last_part(name)));
            return name == ALIGNED;
        }
        if kind != Kind::CallExpression {
            return false;
        }
        let Some(callee) = child_of(node, Field::Function) else { return false };
        let name = match kind_of(callee) {
            Kind::FieldExpression => child_of(callee, Field::Member),
            // A macro may stand around the name: `WRAPPER(cuTensorMapEncodeTiled)(…)`.
            Kind::CallExpression => child_of(callee, Field::Arguments),
            _ => last_name(callee),
        };
        let name = name.map_or("", |name| self.out.text_of(self.last_part(name)));
        WHOLE.contains(&name) || name.contains(ENCODE)
    }

    /// Whether it matters what a call gives, and under which conditions.
    fn is_followed(&self, call: Node<'_>) -> bool {
        let name = child_of(call, Field::Function).map_or("", |name| self.out.text_of(self.out.span_of(name)));
        name.contains(ENCODE) || self.is_marked(call)
    }

    /// Whether a mark stands at the name of what is called.
    fn is_marked(&self, call: Node<'_>) -> bool {
        let name = child_of(call, Field::Function).and_then(last_name).map(|name| self.last_part(name).start);
        let found = |hits: &[u32]| name.is_some_and(|at| hits.binary_search(&at).is_ok());
        found(self.hits) && !found(self.words)
    }

    /// Where the last part of a name stands, which the grammar may have seen as one word.
    fn last_part(&self, name: Node<'_>) -> Span {
        let span = self.out.span_of(name);
        let before = self.out.text_of(span).rfind("::").map_or(0, |at| at + 2);
        Span { start: span.start + u32::try_from(before).unwrap_or_default(), ..span }
    }

    fn layout(&mut self, node: Node<'_>, kind: Kind, context: Context) {
        let (name, written) = match kind {
            Kind::CallExpression => {
                let Some(callee) = child_of(node, Field::Function) else { return };
                (last_name(callee), Written::Call)
            }
            _ => (child_of(node, Field::Name), Written::Type),
        };
        let wanted = if written == Written::Call { "make_layout" } else { "Layout" };
        let Some(name) = name else { return };
        if self.out.text_of(self.last_part(name)) != wanted {
            return;
        }
        if context.loose || node.has_error() {
            self.out.unit.lost.in_errors += 1;
            return;
        }
        let expr = self.out.convert(node);
        self.out.unit.uses.push(Use { expr, scope: context.scope, written });
    }
}

/// The name of the function that a template declaration defines, unless it is a member defined outside of its class.
fn function_name(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    defined_name(node.named_children(&mut cursor).find(|child| kind_of(*child) == Kind::FunctionDefinition)?)
}

/// The name of a function that is defined, unless it is a member defined outside of its class.
pub(super) fn defined_name(function: Node<'_>) -> Option<Node<'_>> {
    let mut at = child_of(function, Field::Declarator)?;
    for _ in 0..MAX_DEPTH {
        match kind_of(at) {
            Kind::Identifier | Kind::FieldIdentifier => return Some(at),
            Kind::QualifiedIdentifier => return None,
            _ => at = child_of(at, Field::Declarator).or_else(|| first_named(at))?,
        }
    }
    None
}

/// Whether a value is the address of a template with arguments, maybe in a cast.
fn names_a_kernel(init: Node<'_>) -> bool {
    let cast = matches!(kind_of(init), Kind::CastExpression | Kind::Parenthesized);
    let inner = if cast { child_of(init, Field::Value).or_else(|| first_named(init)) } else { Some(init) };
    let of = inner.filter(|inner| kind_of(*inner) == Kind::PointerExpression);
    of.and_then(|of| child_of(of, Field::Argument)).is_some_and(names_a_template)
}

/// The name of the variable that a lambda is the value of.
pub(super) fn named(lambda: Node<'_>) -> Option<Node<'_>> {
    let parent = lambda.parent().filter(|parent| kind_of(*parent) == Kind::InitDeclarator)?;
    child_of(parent, Field::Declarator).filter(|name| kind_of(*name) == Kind::Identifier)
}

/// Whether an `if` is decided when it is compiled.
fn is_constexpr(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == "constexpr")
}

/// Whether the type of a declaration is a class or enumeration defined on the spot.
fn holds_type(node: Node<'_>) -> bool {
    let ty = child_of(node, Field::Type);
    ty.is_some_and(|ty| {
        matches!(kind_of(ty), Kind::StructSpecifier | Kind::ClassSpecifier | Kind::UnionSpecifier | Kind::EnumSpecifier)
    })
}

fn names_a_type(node: Node<'_>) -> bool {
    !matches!(
        kind_of(node),
        Kind::PlaceholderType
            | Kind::PrimitiveType
            | Kind::SizedType
            | Kind::StructSpecifier
            | Kind::ClassSpecifier
            | Kind::UnionSpecifier
            | Kind::EnumSpecifier
    )
}

/// The name that a template or function parameter introduces.
pub(super) fn parameter_name(node: Node<'_>) -> Option<Node<'_>> {
    match kind_of(node) {
        Kind::TypeParameter | Kind::VariadicTypeParameter => first_named(node),
        Kind::OptionalTypeParameter => child_of(node, Field::Name),
        Kind::TemplateTemplateParameter => {
            let mut cursor = node.walk();
            node.named_children(&mut cursor).find(|child| kind_of(*child) == Kind::TypeParameter).and_then(first_named)
        }
        Kind::ParameterDeclaration | Kind::OptionalParameter | Kind::VariadicParameter => {
            innermost(child_of(node, Field::Declarator)?)
        }
        _ => None,
    }
}

/// The identifier inside of a declarator such as `const& name` or `... name`.
fn innermost(declarator: Node<'_>) -> Option<Node<'_>> {
    let mut at = declarator;
    for _ in 0..MAX_DEPTH {
        if matches!(kind_of(at), Kind::Identifier | Kind::FieldIdentifier | Kind::TypeIdentifier) {
            return Some(at);
        }
        at = child_of(at, Field::Declarator).or_else(|| first_named(at))?;
    }
    None
}

/// The last identifier of a possibly qualified name.
pub(super) fn last_name(node: Node<'_>) -> Option<Node<'_>> {
    let mut at = node;
    for _ in 0..MAX_DEPTH {
        match kind_of(at) {
            Kind::Identifier => return Some(at),
            Kind::QualifiedIdentifier | Kind::TemplateFunction => at = child_of(at, Field::Name)?,
            Kind::DependentName => at = first_named(at)?,
            _ => return None,
        }
    }
    None
}
