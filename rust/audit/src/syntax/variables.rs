//! Variables, with the types of those that are arrays or references, and the parameters of functions.

use tree_sitter::Node;

use super::configs;
use super::convert::{first_named, names_a_template};
use super::extract::{Context, MAX_DEPTH, Walker};
use super::kind::{Field, Kind, child_of, kind_of};
use crate::ast::{DeclId, DeclKind, ExprId, Parameter, ScopeId, ScopeKind, Span, Stored};

/// Lists with more values are not kept.
const MAX_LIST: usize = 16;

/// What makes a tuple of values, each of which has the type that it is given.
const TUPLES: [&str; 5] = ["array", "make_pair", "make_tuple", "pair", "tuple"];

/// Arrays of more dimensions are not looked at.
const MAX_ARRAY: usize = 8;

impl Walker<'_> {
    pub(super) fn variables(&mut self, node: Node<'_>, context: Context) {
        self.alignments(node, context.scope);
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
                    // Outside of functions, what reads as one is one.
                    let declares = context.block || (constant && init.is_some());
                    if declares && self.extents(name, init, ty, constant, node, context.scope) {
                        // `dim3 block(128)` is a variable, whatever it reads as.
                    } else if (context.block || constant || member || init.is_some() || self.has_arguments(ty, child))
                        && (context.block || !call)
                    {
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

    /// `T<4> t;`, which instantiates a template wherever it stands.
    fn has_arguments(&self, ty: Option<Node<'_>>, declarator: Node<'_>) -> bool {
        let ty = ty.map(|ty| self.out.text_of(self.out.span_of(ty)));
        kind_of(declarator) == Kind::Identifier && ty.is_some_and(|ty| ty.contains('<'))
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
        // `auto const& layout = make_layout(…);` names what nothing else does.
        let alone = constant && ty.is_none() && kind_of(declarator) == Kind::ReferenceDeclarator;
        let made = |init: &Node<'_>| matches!(kind_of(*init), Kind::CallExpression | Kind::CompoundLiteral);
        let declarator = if alone && init.as_ref().is_some_and(made) { innermost(declarator)? } else { declarator };
        let pointed = init.and_then(|init| configs::pointed(init, &self.out));
        match kind_of(declarator) {
            Kind::Identifier | Kind::FieldIdentifier => {
                let init =
                    init.filter(|value| kind_of(*value) != Kind::ArgumentList).map(|value| self.out.convert(value));
                let kind = DeclKind::Variable { ty, init, constant };
                let decl = self.add_decl(self.out.span_of(declarator), scope, self.out.span_of(node), kind);
                if let Some(of) = pointed.filter(|_| ty.is_none()) {
                    let ty = Some(self.out.convert(of));
                    self.out.unit.stored.push(Stored { decl, ty, extents: Vec::new(), sum: None });
                }
                Some(decl)
            }
            Kind::StructuredBinding => {
                if self.bound(declarator, init, constant, node, scope) {
                    return None;
                }
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
            // `thrust::device_vector<float> x(n);` reads as a function that takes an `n`.
            Kind::FunctionDeclarator if !is_pointer_to_function(declarator) => {
                let name = child_of(declarator, Field::Declarator).filter(|name| kind_of(*name) == Kind::Identifier)?;
                let block = matches!(self.out.unit.scope(scope).kind, ScopeKind::Block);
                let said = self.out.text_of(self.out.span_of(node)).split('<').next().unwrap_or_default();
                if !block || ty.is_none() || !(said.ends_with("_vector") || said.ends_with("::vector")) {
                    return None;
                }
                let kind = DeclKind::Variable { ty, init: None, constant: false };
                Some(self.add_decl(self.out.span_of(name), scope, self.out.span_of(node), kind))
            }
            _ => {
                let name = innermost(declarator)?;
                let decl = self.add_decl(self.out.span_of(name), scope, self.out.span_of(node), DeclKind::RunTime);
                let ty = ty.or_else(|| pointed.map(|of| self.out.convert(of)));
                let sums = |init: &Node<'_>| {
                    let text = |node| self.out.text_of(self.out.span_of(node));
                    let cast =
                        child_of(*init, Field::Function).is_some_and(|of| text(of).starts_with("reinterpret_cast<"));
                    let cast = child_of(*init, Field::Arguments).filter(|_| cast).and_then(first_named);
                    let sign = child_of(cast.unwrap_or(*init), Field::Operator).map(text);
                    kind_of(declarator) == Kind::PointerDeclarator && sign == Some("+") && !init.has_error()
                };
                let sum = init.filter(sums).map(|init| self.out.convert(init));
                self.stored(declarator, ty, sum, decl);
                // `void const* kernel = (void const*)&device<64>;`
                let kernel = |init| {
                    if names_a_kernel(init) {
                        return Some(init);
                    }
                    let function = if is_pointer_to_function(declarator) { named_function(init) } else { None };
                    function.or_else(|| configs::address_of_kernel(init, &self.out))
                };
                if let Some(init) = init.and_then(kernel) {
                    let init = self.out.convert(init);
                    self.out.unit.lists.push((decl, vec![init]));
                }
                let pointers =
                    is_pointer_to_function(declarator) && self.out.text_of(self.out.span_of(declarator)).contains('[');
                if (kind_of(declarator) == Kind::ArrayDeclarator || pointers)
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

    /// `auto [m, n] = std::pair{128, 64};` declares each name with its value. Tells whether it was that.
    fn bound(
        &mut self,
        declarator: Node<'_>,
        init: Option<Node<'_>>,
        constant: bool,
        node: Node<'_>,
        scope: ScopeId,
    ) -> bool {
        let Some(init) = init.filter(|_| !node.has_error()) else { return false };
        let (of, list) = match kind_of(init) {
            Kind::CompoundLiteral => (child_of(init, Field::Type), child_of(init, Field::Value)),
            Kind::CallExpression => (child_of(init, Field::Function), child_of(init, Field::Arguments)),
            _ => return false,
        };
        let (Some(of), Some(list)) = (of, list) else { return false };
        let said = self.out.text_of(self.out.span_of(of));
        let plain = said.trim_start_matches("::").trim_start_matches("std::").trim_start_matches("cute::");
        if !TUPLES.contains(&plain) {
            return false;
        }
        let mut cursor = declarator.walk();
        let names: Vec<Node<'_>> = declarator.named_children(&mut cursor).collect();
        let mut cursor = list.walk();
        let values: Vec<Node<'_>> =
            list.named_children(&mut cursor).filter(|value| kind_of(*value) != Kind::Comment).collect();
        let names_alone = names.iter().all(|name| kind_of(*name) == Kind::Identifier);
        if names.len() != values.len() || !names_alone || values.len() > MAX_LIST {
            return false;
        }
        for (name, value) in names.into_iter().zip(values) {
            let init = Some(self.out.convert(value));
            let kind = DeclKind::Variable { ty: None, init, constant };
            self.add_decl(self.out.span_of(name), scope, self.out.span_of(node), kind);
        }
        true
    }

    /// What an array or a reference holds: neither is a constant, but how large it is may be one.
    fn stored(&mut self, declarator: Node<'_>, ty: Option<ExprId>, sum: Option<ExprId>, decl: DeclId) {
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
        self.out.unit.stored.push(Stored { decl, ty, extents, sum });
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
}

/// `(*name)(float*)`.
fn is_pointer_to_function(declarator: Node<'_>) -> bool {
    child_of(declarator, Field::Declarator).is_some_and(|name| name.kind() == "parenthesized_declarator")
}

/// The function that a pointer to one is declared with: `kernel`, `&kernel`.
fn named_function(init: Node<'_>) -> Option<Node<'_>> {
    let of = if kind_of(init) == Kind::PointerExpression { child_of(init, Field::Argument)? } else { init };
    matches!(kind_of(of), Kind::Identifier | Kind::QualifiedIdentifier).then_some(of)
}

/// Whether a value is the address of a template with arguments, maybe in a cast, or one of two that a condition chooses.
fn names_a_kernel(init: Node<'_>) -> bool {
    if kind_of(init) == Kind::ConditionalExpression {
        let arm = |field| child_of(init, field).is_some_and(|arm| names_a_template(arm) || names_a_kernel(arm));
        return arm(Field::Consequence) && arm(Field::Alternative);
    }
    let cast = matches!(kind_of(init), Kind::CastExpression | Kind::Parenthesized);
    let inner = if cast { child_of(init, Field::Value).or_else(|| first_named(init)) } else { Some(init) };
    let of = inner.filter(|inner| kind_of(*inner) == Kind::PointerExpression);
    of.and_then(|of| child_of(of, Field::Argument)).is_some_and(names_a_template)
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
pub(super) fn innermost(declarator: Node<'_>) -> Option<Node<'_>> {
    let mut at = declarator;
    for _ in 0..MAX_DEPTH {
        if matches!(kind_of(at), Kind::Identifier | Kind::FieldIdentifier | Kind::TypeIdentifier) {
            return Some(at);
        }
        at = child_of(at, Field::Declarator).or_else(|| first_named(at))?;
    }
    None
}
