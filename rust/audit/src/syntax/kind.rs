//! The grammar's node kinds that this crate knows, as an enumeration: comparing numbers beats comparing names a million times.

use std::sync::OnceLock;

use tree_sitter::{Language, Node};

macro_rules! kinds {
    ($($variant:ident = $name:literal,)*) => {
        /// A node kind of the CUDA grammar.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind {
            /// Everything that is not listed.
            Other,
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        fn by_name(name: &str) -> Kind {
            match name {
                $($name => Kind::$variant,)*
                _ => Kind::Other,
            }
        }
    };
}

kinds! {
    Error = "ERROR",
    AccessSpecifier = "access_specifier",
    AbstractArray = "abstract_array_declarator",
    AbstractFunction = "abstract_function_declarator",
    Alignof = "alignof_expression",
    AliasDeclaration = "alias_declaration",
    Assignment = "assignment_expression",
    ArgumentList = "argument_list",
    ArrayDeclarator = "array_declarator",
    BaseClassClause = "base_class_clause",
    Break = "break_statement",
    BinaryExpression = "binary_expression",
    CallExpression = "call_expression",
    CaseStatement = "case_statement",
    CastExpression = "cast_expression",
    CatchClause = "catch_clause",
    ClassSpecifier = "class_specifier",
    Comment = "comment",
    CompoundLiteral = "compound_literal_expression",
    CompoundStatement = "compound_statement",
    Continue = "continue_statement",
    ConditionalExpression = "conditional_expression",
    Declaration = "declaration",
    Decltype = "decltype",
    DoStatement = "do_statement",
    DependentName = "dependent_name",
    DependentType = "dependent_type",
    ElseClause = "else_clause",
    EnumSpecifier = "enum_specifier",
    Enumerator = "enumerator",
    False = "false",
    ExpressionStatement = "expression_statement",
    FieldDeclaration = "field_declaration",
    FieldExpression = "field_expression",
    FieldIdentifier = "field_identifier",
    Friend = "friend_declaration",
    ForRangeLoop = "for_range_loop",
    ForStatement = "for_statement",
    FunctionDefinition = "function_definition",
    FunctionDeclarator = "function_declarator",
    Identifier = "identifier",
    IfStatement = "if_statement",
    InitDeclarator = "init_declarator",
    InitializerList = "initializer_list",
    InitializerPair = "initializer_pair",
    KernelCall = "kernel_call_syntax",
    LambdaExpression = "lambda_expression",
    LaunchBounds = "launch_bounds",
    NamespaceAlias = "namespace_alias_definition",
    NamespaceDefinition = "namespace_definition",
    NamespaceIdentifier = "namespace_identifier",
    NestedNamespace = "nested_namespace_specifier",
    NumberLiteral = "number_literal",
    OperatorName = "operator_name",
    OptionalParameter = "optional_parameter_declaration",
    OptionalTypeParameter = "optional_type_parameter_declaration",
    ParameterDeclaration = "parameter_declaration",
    ParameterPack = "parameter_pack_expansion",
    Parenthesized = "parenthesized_expression",
    PointerExpression = "pointer_expression",
    PlaceholderType = "placeholder_type_specifier",
    PointerDeclarator = "pointer_declarator",
    PreprocArg = "preproc_arg",
    PreprocDef = "preproc_def",
    PreprocFunctionDef = "preproc_function_def",
    PrimitiveType = "primitive_type",
    QualifiedIdentifier = "qualified_identifier",
    ReferenceDeclarator = "reference_declarator",
    SizedType = "sized_type_specifier",
    Return = "return_statement",
    Sizeof = "sizeof_expression",
    StaticAssert = "static_assert_declaration",
    StorageClass = "storage_class_specifier",
    StructSpecifier = "struct_specifier",
    StructuredBinding = "structured_binding_declarator",
    StringLiteral = "string_literal",
    Subscript = "subscript_expression",
    SwitchStatement = "switch_statement",
    Throw = "throw_statement",
    TemplateArguments = "template_argument_list",
    TemplateDeclaration = "template_declaration",
    TemplateInstantiation = "template_instantiation",
    TemplateFunction = "template_function",
    TemplateMethod = "template_method",
    TemplateTemplateParameter = "template_template_parameter_declaration",
    TemplateType = "template_type",
    True = "true",
    TryStatement = "try_statement",
    TypeDefinition = "type_definition",
    TypeDescriptor = "type_descriptor",
    TypeIdentifier = "type_identifier",
    TypeParameter = "type_parameter_declaration",
    TypeQualifier = "type_qualifier",
    UnaryExpression = "unary_expression",
    Update = "update_expression",
    UnionSpecifier = "union_specifier",
    UserDefinedLiteral = "user_defined_literal",
    UsingDeclaration = "using_declaration",
    VariadicParameter = "variadic_parameter_declaration",
    VariadicTypeParameter = "variadic_type_parameter_declaration",
    WhileStatement = "while_statement",
}

macro_rules! fields {
    ($($variant:ident = $name:literal,)*) => {
        /// A field of a node. Asking by number spares the grammar a search by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Field {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        const FIELDS: &[&str] = &[$($name),*];
    };
}

fields! {
    Argument = "argument",
    Arguments = "arguments",
    Alternative = "alternative",
    Body = "body",
    Condition = "condition",
    Consequence = "consequence",
    Declarator = "declarator",
    DefaultType = "default_type",
    Designator = "designator",
    DefaultValue = "default_value",
    Member = "field",
    Function = "function",
    Indices = "indices",
    Initializer = "initializer",
    Left = "left",
    Name = "name",
    Operator = "operator",
    Parameters = "parameters",
    Right = "right",
    Scope = "scope",
    Size = "size",
    TemplateParameters = "template_parameters",
    Type = "type",
    Update = "update",
    Value = "value",
}

/// The child of a node in a field.
pub fn child_of(node: Node<'_>, field: Field) -> Option<Node<'_>> {
    static IDS: OnceLock<Vec<u16>> = OnceLock::new();
    let ids = IDS.get_or_init(|| {
        let language = Language::new(tree_sitter_cuda::LANGUAGE);
        FIELDS.iter().map(|name| language.field_id_for_name(name).map_or(0, std::num::NonZero::get)).collect()
    });
    ids.get(field as usize).filter(|id| **id > 0).and_then(|id| node.child_by_field_id(*id))
}

/// The kind of a node.
pub fn kind_of(node: Node<'_>) -> Kind {
    static TABLE: OnceLock<Vec<Kind>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let language = Language::new(tree_sitter_cuda::LANGUAGE);
        let count = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
        (0..count).map(|id| language.node_kind_for_id(id).map_or(Kind::Other, by_name)).collect()
    });
    if node.is_error() { Kind::Error } else { table.get(usize::from(node.kind_id())).copied().unwrap_or(Kind::Other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_known_to_the_grammar() {
        let language = Language::new(tree_sitter_cuda::LANGUAGE);
        for name in FIELDS {
            assert!(language.field_id_for_name(name).is_some(), "{name}");
        }
    }

    #[test]
    fn every_kind_is_known_to_the_grammar() {
        let language = Language::new(tree_sitter_cuda::LANGUAGE);
        let count = u16::try_from(language.node_kind_count()).unwrap();
        let names: Vec<_> = (0..count).filter_map(|id| language.node_kind_for_id(id)).map(by_name).collect();
        for kind in [
            Kind::AliasDeclaration,
            Kind::CompoundLiteral,
            Kind::TemplateMethod,
            Kind::VariadicTypeParameter,
            Kind::PreprocFunctionDef,
        ] {
            assert!(names.contains(&kind), "{kind:?}");
        }
    }
}
