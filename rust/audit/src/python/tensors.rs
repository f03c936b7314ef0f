//! What surely is a tensor: a store in it, `mA[i] = x`, changes no list and no dictionary.

use foldhash::HashSet;

use super::tree::{Bound, Expr, ExprId, Kind, Module, ScopeId};

/// Functions and methods of the DSL that make tensors, or nothing in which anything can be stored.
const MADE: [&str; 31] = [
    "allocate_tensor",
    "composition",
    "domain_offset",
    "flat_divide",
    "get_tensor",
    "group_modes",
    "local_partition",
    "local_tile",
    "logical_divide",
    "make_fragment",
    "make_fragment_A",
    "make_fragment_B",
    "make_fragment_C",
    "make_fragment_like",
    "make_identity_tensor",
    "make_rmem_tensor",
    "make_rmem_tensor_like",
    "make_tensor",
    "partition_A",
    "partition_B",
    "partition_C",
    "partition_D",
    "partition_S",
    "recast_tensor",
    "retile",
    "tiled_divide",
    "zipped_divide",
    // PyTorch's.
    "empty_like",
    "ones_like",
    "rand_like",
    "zeros_like",
];

/// Names that stand for others.
const MAX_NAMES: usize = 4;

/// Bindings of one name.
const MAX_BINDINGS: usize = 16;

/// Whether an annotation says a tensor, and nothing that has several.
pub(super) fn is_said(kind: &str) -> bool {
    let own = kind.trim_matches(['"', '\'', ' ']);
    let own = own.strip_prefix("Optional[").and_then(|rest| rest.strip_suffix(']')).unwrap_or(own);
    let own = own.strip_suffix("| None").unwrap_or(own).trim();
    matches!(own, "Tensor" | "cute.Tensor" | "cutlass.cute.Tensor" | "torch.Tensor")
}

/// Whether a name, seen from a scope, surely is a tensor: a parameter with such an annotation, or what the DSL made. `said` has the
/// parameters, `defined` the functions of all files.
// Recursion: to a fixed depth.
pub(super) fn is_tensor(
    module: &Module,
    name: &str,
    scope: ScopeId,
    (said, defined): (&HashSet<(ScopeId, &str)>, &HashSet<&str>),
    depth: usize,
) -> bool {
    if depth > MAX_NAMES || module.moved.contains(name) {
        return false;
    }
    let mut at = Some(scope);
    while let Some(id) = at {
        let Some(of) = module.scope(id) else { return false };
        // The names of a class are not seen from its methods.
        let seen = id == scope || !matches!(of.kind, Kind::Class { .. });
        if let Some(all) = of.names.get(name).filter(|_| seen) {
            return all.len() <= MAX_BINDINGS
                && all.iter().all(|one| match one.bound {
                    Bound::Parameter(_) => said.contains(&(id, name)),
                    Bound::Value(value, _) => is_made(module, value, name, id, (said, defined), depth),
                    _ => false,
                });
        }
        at = of.parent;
    }
    false
}

// Recursion: to a fixed depth.
fn is_made(
    module: &Module,
    value: ExprId,
    own: &str,
    scope: ScopeId,
    known: (&HashSet<(ScopeId, &str)>, &HashSet<&str>),
    depth: usize,
) -> bool {
    match module.expr(value) {
        Expr::Call(callee, _) => match module.expr(*callee) {
            Expr::Name(name) | Expr::Attribute(_, name) => MADE.contains(&&**name) && !known.1.contains(&**name),
            _ => false,
        },
        // A part of a tensor.
        Expr::Item(of, _) | Expr::Slice(of, ..) => match module.expr(*of) {
            Expr::Name(name) if **name == *own => true,
            Expr::Name(name) => is_tensor(module, name, scope, known, depth + 1),
            _ => is_made(module, *of, own, scope, known, depth + 1),
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_annotation_says() {
        for tensor in
            ["cute.Tensor", "torch.Tensor", "Tensor", "Optional[cute.Tensor]", "\"cute.Tensor\"", "cute.Tensor | None"]
        {
            assert!(is_said(tensor), "{tensor}");
        }
        for other in ["List[cute.Tensor]", "list[Tensor]", "TensorList", "dict", "Tensor | list", "my.Tensor", ""] {
            assert!(!is_said(other), "{other}");
        }
    }
}
