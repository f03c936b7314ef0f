//! The block of a launch whose extents stand in a variable: `cudaLaunchConfig_t config; config.blockDim = dim3(256);`, or
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

/// Types that say how a kernel is launched, each with the member that is the block. In both it is the second.
const TYPES: [(&str, &str); 2] = [("cudaLaunchConfig_t", "blockDim"), ("ClusterLaunchParams", "block_dims")];

/// Functions that only read such a variable.
const READERS: [&str; 3] = ["cudaLaunchKernelEx", "cudaLaunchKernelExC", "launch_kernel_on_cluster"];

impl Walker<'_> {
    /// The block of a launch, by the argument that says how it is launched: what is assigned to it once and on every way, or else what the
    /// variable is declared with. None where anything else may change it.
    pub(super) fn configured<'t>(&self, config: Node<'t>) -> Option<Node<'t>> {
        let variable = match kind_of(config) {
            // `{grid, block, cluster, bytes}` in place.
            Kind::InitializerList => return second_of(config),
            Kind::CompoundLiteral => return second(config),
            Kind::PointerExpression => child_of(config, Field::Argument)?,
            _ => config,
        };
        if kind_of(variable) != Kind::Identifier {
            return None;
        }
        let name = self.text(variable);
        let mut at = config;
        let mut assigned: Option<Node<'t>> = None;
        let mut declared: Option<(Node<'t>, &str)> = None;
        for _ in 0..MAX_AROUND {
            let around = at.parent()?;
            match kind_of(around) {
                Kind::FunctionDefinition => {
                    let (init, member) = declared?;
                    let changed = self.changes(around, name, member)?;
                    return match (changed, assigned) {
                        (0, None) => second(init),
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
                            assigned = self.assigns(statement, name);
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

    /// The declaration of such a variable, and which of its members is the block.
    fn declares<'t>(&self, statement: Node<'t>, name: &str) -> Option<(Node<'t>, &'static str)> {
        if kind_of(statement) != Kind::Declaration || statement.has_error() {
            return None;
        }
        let ty = self.text(child_of(statement, Field::Type)?);
        let (_, member) = TYPES.iter().find(|(of, _)| ty.rsplit("::").next() == Some(*of))?;
        let declarator = child_of(statement, Field::Declarator)?;
        let of = child_of(declarator, Field::Declarator).unwrap_or(declarator);
        (self.text(of) == name).then_some((declarator, *member))
    }

    /// What a statement assigns to the block.
    fn assigns<'t>(&self, statement: Node<'t>, name: &str) -> Option<Node<'t>> {
        let assignment = statement.named_child(0).filter(|_| kind_of(statement) == Kind::ExpressionStatement)?;
        if kind_of(assignment) != Kind::Assignment || assignment.has_error() {
            return None;
        }
        let member =
            self.text(child_of(assignment, Field::Left)?).strip_prefix(name)?.trim_start().strip_prefix('.')?;
        let block = TYPES.iter().any(|(_, block)| member.trim_start() == *block);
        // `{256, 1, 1}` is no expression.
        child_of(assignment, Field::Right).filter(|value| block && kind_of(*value) != Kind::InitializerList)
    }

    /// How often the block of a variable is assigned to in a function; none where it may change otherwise.
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

/// The second of the values with which a variable is declared.
fn second(declarator: Node<'_>) -> Option<Node<'_>> {
    second_of(child_of(declarator, Field::Value)?)
}

fn second_of(list: Node<'_>) -> Option<Node<'_>> {
    if !matches!(kind_of(list), Kind::InitializerList | Kind::ArgumentList) || list.has_error() {
        return None;
    }
    let mut cursor = list.walk();
    let items: Vec<Node<'_>> =
        list.named_children(&mut cursor).filter(|item| kind_of(*item) != Kind::Comment).collect();
    // Values with names (`.blockDim = block`) are of a kind of their own.
    let plain = |item: &Node<'_>| {
        matches!(kind_of(*item), Kind::Identifier | Kind::NumberLiteral | Kind::CallExpression | Kind::CompoundLiteral)
    };
    items.get(1).copied().filter(plain)
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
