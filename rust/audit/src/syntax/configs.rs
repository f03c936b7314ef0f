//! The block and the shared memory of a launch that stand in a variable: `cudaLaunchConfig_t config; config.blockDim = dim3(256);`, or
//! `cutlass::ClusterLaunchParams params{grid, block, cluster, bytes};`. And what stands behind a cast: a kernel, or a class.

use tree_sitter::Node;

use super::convert::Converter;
use super::extract::Walker;
use super::kind::{Field, Kind, child_of, kind_of};
use crate::source::places;

/// Nodes around a launch that are followed, and statements of one block.
const MAX_AROUND: usize = 64;
const MAX_STATEMENTS: usize = 512;

/// Functions of more bytes are not searched.
const MAX_SEARCHED: usize = 1 << 16;

/// What is asked of such a variable.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    /// The block.
    Block,
    /// The bytes of dynamic shared memory.
    Shared,
}

/// A type that says how a kernel is launched, with the names of those members. In each the block is the second.
struct Type {
    name: &'static str,
    block: &'static str,
    shared: &'static str,
    /// Which member the bytes are.
    at: usize,
}

const TYPES: [Type; 2] = [
    Type { name: "cudaLaunchConfig_t", block: "blockDim", shared: "dynamicSmemBytes", at: 2 },
    Type { name: "ClusterLaunchParams", block: "block_dims", shared: "smem_size_in_bytes", at: 3 },
];

impl Type {
    fn named(ty: &str) -> Option<&'static Self> {
        let name = ty.rsplit("::").next()?;
        TYPES.iter().find(|of| of.name == name)
    }

    fn member(&self, part: Part) -> &'static str {
        match part {
            Part::Block => self.block,
            Part::Shared => self.shared,
        }
    }

    /// The part, among the values of a list in braces.
    fn item<'t>(&self, list: Node<'t>, part: Part) -> Option<Node<'t>> {
        item_of(
            list,
            match part {
                Part::Block => 1,
                Part::Shared => self.at,
            },
            part,
        )
    }
}

/// Functions that only read such a variable.
const READERS: [&str; 3] = ["cudaLaunchKernelEx", "cudaLaunchKernelExC", "launch_kernel_on_cluster"];

impl Walker<'_> {
    /// The block or the bytes of a launch, by the argument that says how it is launched: what is assigned to it once and on every way, or else what the
    /// variable is declared with. None where anything else may change it.
    pub(super) fn configured<'t>(&self, config: Node<'t>, part: Part) -> Option<Node<'t>> {
        let variable = match kind_of(config) {
            // `{grid, block, cluster, bytes}` in place: no other function takes them so.
            Kind::InitializerList => return Type::named("ClusterLaunchParams")?.item(config, part),
            Kind::CompoundLiteral => {
                let of = Type::named(self.text(child_of(config, Field::Type)?))?;
                return of.item(child_of(config, Field::Value)?, part);
            }
            Kind::PointerExpression => child_of(config, Field::Argument)?,
            _ => config,
        };
        if kind_of(variable) != Kind::Identifier {
            return None;
        }
        let name = self.text(variable);
        let mut at = config;
        let mut assigned: Option<Node<'t>> = None;
        let mut declared: Option<(Node<'t>, &Type)> = None;
        for _ in 0..MAX_AROUND {
            let around = at.parent()?;
            match kind_of(around) {
                Kind::FunctionDefinition => {
                    let (init, of) = declared?;
                    let changed = self.changes(around, name, of.member(part))?;
                    return match (changed, assigned) {
                        (0, None) => of.item(child_of(init, Field::Value)?, part),
                        (1, Some(value)) => Some(value),
                        _ => None,
                    };
                }
                Kind::CompoundStatement if declared.is_none() => {
                    let mut cursor = around.walk();
                    let before =
                        around.named_children(&mut cursor).take_while(|child| child.end_byte() <= at.start_byte());
                    let mut before: Vec<Node<'t>> = before.take(MAX_STATEMENTS + 1).collect();
                    if before.len() > MAX_STATEMENTS {
                        return None;
                    }
                    while let Some(statement) = before.pop().filter(|_| declared.is_none()) {
                        declared = self.declares(statement, name);
                        if assigned.is_none() {
                            assigned = self.assigns(statement, name, part);
                        }
                    }
                }
                _ => {}
            }
            at = around;
        }
        None
    }

    fn text(&self, node: Node<'_>) -> &str {
        self.out.text_of(self.out.span_of(node))
    }

    /// The declaration of such a variable, and its type.
    fn declares<'t>(&self, statement: Node<'t>, name: &str) -> Option<(Node<'t>, &'static Type)> {
        if kind_of(statement) != Kind::Declaration || statement.has_error() {
            return None;
        }
        let ty = Type::named(self.text(child_of(statement, Field::Type)?))?;
        let declarator = child_of(statement, Field::Declarator)?;
        let of = child_of(declarator, Field::Declarator).unwrap_or(declarator);
        (self.text(of) == name).then_some((declarator, ty))
    }

    /// What a statement assigns to the part.
    fn assigns<'t>(&self, statement: Node<'t>, name: &str, part: Part) -> Option<Node<'t>> {
        let assignment = statement.named_child(0).filter(|_| kind_of(statement) == Kind::ExpressionStatement)?;
        if kind_of(assignment) != Kind::Assignment || assignment.has_error() {
            return None;
        }
        let member =
            self.text(child_of(assignment, Field::Left)?).strip_prefix(name)?.trim_start().strip_prefix('.')?;
        let own = TYPES.iter().any(|of| member.trim_start() == of.member(part));
        // `{256, 1, 1}` is no expression.
        child_of(assignment, Field::Right).filter(|value| own && kind_of(*value) != Kind::InitializerList)
    }

    /// How often a member of a variable is assigned to in a function; none where it may change otherwise.
    fn changes(&self, function: Node<'_>, name: &str, member: &str) -> Option<usize> {
        let text = self.text(function);
        if text.len() > MAX_SEARCHED {
            return None;
        }
        let mut count = 0;
        let mut bare = 0;
        for at in places(text, name) {
            let after = text.get(at + name.len()..)?.trim_start();
            let before = text.get(..at)?.trim_end();
            if let Some(of) = after.strip_prefix('.') {
                let Some(rest) = of.trim_start().strip_prefix(member).map(str::trim_start) else { continue };
                if !rest.starts_with('=') || rest.starts_with("==") {
                    // `config.blockDim.x = 3`, `auto& block = config.blockDim`, `fill(config.blockDim)`
                    return None;
                }
                count += 1;
                continue;
            }
            let call = before.strip_suffix('&').unwrap_or(before).trim_end().strip_suffix('(').map(str::trim_end);
            let read = call.is_some_and(|call| READERS.iter().any(|reader| call.ends_with(reader)));
            if !read {
                bare += 1;
            }
        }
        // One is the declaration.
        (bare == 1).then_some(count)
    }
}

/// One of the values in braces with which a variable is declared.
fn item_of(list: Node<'_>, at: usize, part: Part) -> Option<Node<'_>> {
    if !matches!(kind_of(list), Kind::InitializerList | Kind::ArgumentList) || list.has_error() {
        return None;
    }
    let mut cursor = list.walk();
    let items: Vec<Node<'_>> =
        list.named_children(&mut cursor).filter(|item| kind_of(*item) != Kind::Comment).collect();
    // Values with names (`.blockDim = block`) are of a kind of their own.
    let plain = |item: &Node<'_>| {
        matches!(kind_of(*item), Kind::Identifier | Kind::NumberLiteral | Kind::CallExpression | Kind::CompoundLiteral)
            || (matches!(part, Part::Shared)
                && matches!(
                    kind_of(*item),
                    Kind::BinaryExpression | Kind::CastExpression | Kind::QualifiedIdentifier | Kind::Sizeof
                ))
    };
    items.get(at).copied().filter(plain)
}

/// The kernel whose address is cast to a pointer to nothing: `reinterpret_cast<void const*>(&kernel)`, `(void const*)kernel`.
pub(super) fn address_of_kernel<'t>(value: Node<'t>, out: &Converter<'_>) -> Option<Node<'t>> {
    let (to, of) = match kind_of(value) {
        Kind::CallExpression => {
            let callee =
                child_of(value, Field::Function).filter(|callee| kind_of(*callee) == Kind::TemplateFunction)?;
            let list = child_of(value, Field::Arguments).filter(|list| list.named_child_count() == 1)?;
            (callee, list.named_child(0)?)
        }
        Kind::CastExpression => (child_of(value, Field::Type)?, child_of(value, Field::Value)?),
        _ => return None,
    };
    let cast = out.text_of(out.span_of(to));
    if !places(cast, "void").any(|_| true) {
        return None;
    }
    let of = if kind_of(of) == Kind::PointerExpression { child_of(of, Field::Argument)? } else { of };
    matches!(kind_of(of), Kind::Identifier | Kind::TemplateFunction | Kind::QualifiedIdentifier).then_some(of)
}

/// The type of what a cast points or refers to: `*reinterpret_cast<Storage*>(raw)`, `reinterpret_cast<Storage*>(raw)`, `*(Storage*)raw`.
pub(super) fn pointed<'t>(value: Node<'t>, out: &Converter<'_>) -> Option<Node<'t>> {
    let cast = if kind_of(value) == Kind::PointerExpression { child_of(value, Field::Argument)? } else { value };
    let ty = match kind_of(cast) {
        Kind::CallExpression => {
            let callee = child_of(cast, Field::Function).filter(|callee| kind_of(*callee) == Kind::TemplateFunction)?;
            let name = out.text_of(out.span_of(child_of(callee, Field::Name)?));
            let list = child_of(callee, Field::Arguments)?;
            let known = matches!(name, "reinterpret_cast" | "static_cast") && list.named_child_count() == 1;
            list.named_child(0).filter(|_| known)?
        }
        Kind::CastExpression => child_of(cast, Field::Type)?,
        _ => return None,
    };
    // Of one star or reference, and nothing else.
    let said = out.text_of(out.span_of(ty));
    let plain = said.matches('*').count() + said.matches('&').count() == 1 && !said.contains(['[', '(']);
    let of = child_of(ty, Field::Type).filter(|_| kind_of(ty) == Kind::TypeDescriptor && plain)?;
    matches!(kind_of(of), Kind::TypeIdentifier | Kind::TemplateType | Kind::QualifiedIdentifier | Kind::DependentType)
        .then_some(of)
}
