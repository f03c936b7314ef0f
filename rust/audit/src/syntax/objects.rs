//! Objects that are known by their parts: the fields of classes that braces fill in order, and statements that give one field or one
//! element a value.

use tree_sitter::Node;

use super::extract::{Walker, last_name};
use super::kind::{Field, Kind, child_of, kind_of};
use crate::ast::{Assigned, Repeated, ScopeId, Span};

/// Statements that are kept of one file.
const MAX_ASSIGNED: usize = 8_192;

/// Fields of one class.
const MAX_FIELDS: usize = 128;

/// The arguments of the driver's function that makes a descriptor, by where they stand and how the names of their values begin.
const ENUMERATORS: [(usize, &str); 5] = [
    (1, "CU_TENSOR_MAP_DATA_TYPE_"),
    (8, "CU_TENSOR_MAP_INTERLEAVE_"),
    (9, "CU_TENSOR_MAP_SWIZZLE_"),
    (10, "CU_TENSOR_MAP_L2_PROMOTION_"),
    (11, "CU_TENSOR_MAP_FLOAT_OOB_FILL_"),
];

/// How many arguments that function has.
const ARGUMENTS: usize = 12;

/// Nodes of one declarator.
const MAX_DEPTH: usize = 16;

impl Walker<'_> {
    /// The fields of a class in the order in which braces fill them; none of a class whose objects are made otherwise, or of which not all
    /// fields are known.
    pub(super) fn fields(&self, class: Node<'_>) -> Option<Vec<Span>> {
        let text = |node: Node<'_>| self.out.text_of(self.out.span_of(node));
        let body = child_of(class, Field::Body)?;
        let name = child_of(class, Field::Name).map_or("", text);
        let mut cursor = class.walk();
        let derived = class.named_children(&mut cursor).any(|child| kind_of(child) == Kind::BaseClassClause);
        if derived || body.has_error() || kind_of(class) == Kind::UnionSpecifier {
            return None;
        }
        let mut fields = Vec::new();
        let mut public = kind_of(class) == Kind::StructSpecifier;
        let mut cursor = body.walk();
        for member in body.named_children(&mut cursor) {
            let said = text(member);
            match kind_of(member) {
                Kind::AccessSpecifier => {
                    public = said.starts_with("public");
                    if !public {
                        return None;
                    }
                }
                Kind::FieldDeclaration if !public => return None,
                Kind::FieldDeclaration => {
                    let shared = ["static", "constexpr", "inline"].iter().any(|word| said.starts_with(word));
                    let virtually = said.starts_with("virtual");
                    if virtually || fields.len() > MAX_FIELDS {
                        return None;
                    }
                    let mut inside = member.walk();
                    let mut any = false;
                    for declarator in member.children_by_field_name("declarator", &mut inside) {
                        any = true;
                        match declared(declarator) {
                            Some(Declared::Field(name)) if !shared => fields.push(self.out.span_of(name)),
                            Some(Declared::Field(_)) => {}
                            // A constructor that is only declared here.
                            Some(Declared::Method(method)) if text(method) != name => {}
                            _ => return None,
                        }
                    }
                    // A structure or union without a name has its fields beside the others.
                    let ty = child_of(member, Field::Type);
                    let nameless = ty.is_some_and(|ty| {
                        matches!(kind_of(ty), Kind::StructSpecifier | Kind::ClassSpecifier | Kind::UnionSpecifier)
                            && child_of(ty, Field::Name).is_none()
                    });
                    if !any && nameless {
                        return None;
                    }
                }
                Kind::FunctionDefinition | Kind::Declaration | Kind::TemplateDeclaration => {
                    let constructs = !name.is_empty()
                        && crate::source::places(said, name).any(|at| {
                            let before = said.get(..at).unwrap_or_default().trim_end();
                            said.get(at + name.len()..).is_some_and(|rest| rest.trim_start().starts_with('('))
                                && !before.ends_with('~')
                        });
                    if constructs
                        || said.starts_with("virtual")
                        || kind_of(member) == Kind::Declaration && !said.contains('(')
                    {
                        return None;
                    }
                }
                Kind::AliasDeclaration
                | Kind::Comment
                | Kind::Friend
                | Kind::PreprocDef
                | Kind::PreprocFunctionDef
                | Kind::StaticAssert
                | Kind::TypeDefinition
                | Kind::UsingDeclaration => {}
                // Fields under a condition, and whatever else there may be.
                _ => return None,
            }
        }
        Some(fields)
    }

    /// Keeps a statement that gives a part of an object a value.
    pub(super) fn assigned(&mut self, statement: Node<'_>, scope: ScopeId) {
        let Some(around) = statement.parent().filter(|around| kind_of(*around) == Kind::CompoundStatement) else {
            return;
        };
        let Some(assignment) = statement.named_child(0).filter(|child| kind_of(*child) == Kind::Assignment) else {
            return;
        };
        let (Some(target), Some(value)) = (child_of(assignment, Field::Left), child_of(assignment, Field::Right))
        else {
            return;
        };
        let plain = child_of(assignment, Field::Operator).is_some_and(|operator| operator.kind() == "=");
        let whole = matches!(kind_of(value), Kind::InitializerList | Kind::CompoundLiteral);
        let part = match kind_of(target) {
            Kind::FieldExpression | Kind::Subscript => true,
            Kind::Identifier => whole,
            _ => false,
        };
        if !plain || !part || assignment.has_error() || self.out.unit.assigned.len() >= MAX_ASSIGNED {
            return;
        }
        let (target, block) = (self.out.span_of(target), self.out.span_of(around));
        let value = self.out.convert(value);
        self.out.unit.assigned.push(Assigned { target, value, scope, block });
    }

    /// Keeps where loops and lambdas stand.
    pub(super) fn repeated(&mut self, node: Node<'_>) {
        let lambda = match kind_of(node) {
            Kind::LambdaExpression => true,
            Kind::DoStatement | Kind::ForRangeLoop | Kind::ForStatement | Kind::WhileStatement => false,
            _ => return,
        };
        let span = self.out.span_of(node);
        self.out.unit.repeated.push(Repeated { span, lambda });
    }

    /// Whether a call has the arguments of the driver's function that makes a descriptor, under whatever name.
    pub(super) fn describes(&self, call: Node<'_>) -> bool {
        let Some(list) = child_of(call, Field::Arguments) else { return false };
        if !(ARGUMENTS..=2 * ARGUMENTS).contains(&list.named_child_count()) {
            return false;
        }
        let mut cursor = list.walk();
        let args: Vec<Node<'_>> =
            list.named_children(&mut cursor).filter(|arg| kind_of(*arg) != Kind::Comment).collect();
        let said = |at: usize| {
            let name = args.get(at).copied().and_then(last_name);
            name.map_or("", |name| self.out.text_of(self.out.span_of(name)).rsplit("::").next().unwrap_or_default())
        };
        // Two of them, each in its place, and none in another.
        let known = ENUMERATORS.iter().filter(|(at, begins)| said(*at).starts_with(begins)).count();
        let named = (0..args.len()).filter(|at| said(*at).starts_with("CU_TENSOR_MAP_")).count();
        args.len() == ARGUMENTS && known >= 2 && named == known
    }
}

/// What a declarator of a class declares.
enum Declared<'t> {
    Field(Node<'t>),
    Method(Node<'t>),
}

fn declared(declarator: Node<'_>) -> Option<Declared<'_>> {
    let mut at = declarator;
    for _ in 0..MAX_DEPTH {
        match kind_of(at) {
            Kind::FieldIdentifier | Kind::Identifier => return Some(Declared::Field(at)),
            Kind::FunctionDeclarator => {
                let name = child_of(at, Field::Declarator)?;
                // A pointer to a function is a field, and rare.
                return matches!(kind_of(name), Kind::FieldIdentifier | Kind::Identifier)
                    .then_some(Declared::Method(name));
            }
            Kind::ArrayDeclarator | Kind::InitDeclarator | Kind::PointerDeclarator => {
                at = child_of(at, Field::Declarator)?;
            }
            Kind::ReferenceDeclarator => at = super::convert::first_named(at)?,
            // Operators, destructors.
            _ => return None,
        }
    }
    None
}
