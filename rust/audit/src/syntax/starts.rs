//! Launches of kernels: `kernel<<<grid, block>>>(…)`, `cudaLaunchKernelEx(&config, kernel, …)`, `launch_kernel_on_cluster(params, kernel, …)`,
//! `cudaLaunchKernel(kernel, grid, block, list, …)`, `cudaLaunchCooperativeKernel` and `ClusterLauncher::launch` with such a list,
//! with the conditions on the way to them, and the `dim3` that say how large a block is.

use tree_sitter::Node;

use super::configs::Part;
use super::convert::first_named;
use super::extract::{Walker, last_name};
use super::kind::{Field, Kind, child_of, kind_of};
use crate::ast::{DeclKind, ExprId, ScopeId, ScopeKind, Start};

impl Walker<'_> {
    /// Keeps a call that launches a kernel.
    pub(super) fn start(&mut self, node: Node<'_>, scope: ScopeId) {
        let mut cursor = node.walk();
        let config = node.named_children(&mut cursor).find(|child| kind_of(*child) == Kind::KernelCall);
        let (Some(callee), Some(list)) = (child_of(node, Field::Function), child_of(node, Field::Arguments)) else {
            return;
        };
        if config.is_none() && kind_of(callee) == Kind::Identifier && self.macro_start(node, scope) {
            return;
        }
        let mut cursor = list.walk();
        let args: Vec<Node<'_>> =
            list.named_children(&mut cursor).filter(|arg| kind_of(*arg) != Kind::Comment).collect();
        let mut open = false;
        let packed;
        let (kernel, block, shared, args) = if let Some(config) = config {
            let mut cursor = config.walk();
            let extents = config.named_children(&mut cursor).filter(|child| kind_of(*child) != Kind::Comment);
            let mut extents = extents.into_iter().skip(1);
            (callee, extents.next(), extents.next(), args.as_slice())
        } else {
            let name = last_name(callee).map_or("", |name| self.out.text_of(self.out.span_of(name)));
            let (kernel, block, shared, list) = match (name, args.as_slice()) {
                ("cudaLaunchKernelEx" | "launch_kernel_on_cluster", [config, kernel, args @ ..]) => {
                    (*kernel, self.configured(*config, Part::Block), self.configured(*config, Part::Shared), Ok(args))
                }
                ("cudaLaunchKernelExC", [config, kernel, list]) => {
                    (*kernel, self.configured(*config, Part::Block), self.configured(*config, Part::Shared), Err(*list))
                }
                ("cudaLaunchKernel" | "cudaLaunchCooperativeKernel", [kernel, _, block, list, more @ ..]) => {
                    (*kernel, Some(*block), more.first().copied(), Err(*list))
                }
                ("launch", [_, _, block, shared, _, kernel, list, ..])
                    if self.out.text_of(self.out.span_of(callee)).ends_with("ClusterLauncher::launch") =>
                {
                    (*kernel, Some(*block), Some(*shared), Err(*list))
                }
                // CUTLASS's function, which launches `device_kernel` of the class that it is given.
                ("kernel_launch", [_, block, shared, _, params, ..]) => {
                    (callee, Some(*block), Some(*shared), Ok(std::slice::from_ref(params)))
                }
                _ => return,
            };
            // A list of pointers to what the kernel is given.
            match list {
                Ok(args) => (self.behind(kernel), block, shared, args),
                Err(list) => {
                    let values = self.packed(list);
                    open = values.is_none();
                    packed = values.unwrap_or_default();
                    (self.behind(kernel), block, shared, packed.as_slice())
                }
            }
        };
        let Some((function, guards)) = self.way_to(node, scope) else { return };
        let extents = block.and_then(|block| self.extents_of_members(block));
        let kernel = self.out.convert(kernel);
        let args: Vec<ExprId> = args.iter().map(|arg| self.out.convert(*arg)).collect();
        let block = extents.or_else(|| block.map(|block| self.out.convert(block)));
        let shared = shared.map(|shared| self.out.convert(shared));
        self.out.unit.starts.push(Start { kernel, args, open, block, shared, scope, function, guards });
    }

    /// Keeps what a call gives a function, and the conditions on the way to it.
    pub(super) fn pass(&mut self, node: Node<'_>, scope: ScopeId) {
        let (Some(callee), Some(list)) = (child_of(node, Field::Function), child_of(node, Field::Arguments)) else {
            return;
        };
        let Some((function, guards)) = self.way_to(node, scope) else { return };
        let kernel = self.out.convert(callee);
        let mut cursor = list.walk();
        let args: Vec<Node<'_>> =
            list.named_children(&mut cursor).filter(|arg| kind_of(*arg) != Kind::Comment).collect();
        let args: Vec<ExprId> = args.iter().map(|arg| self.out.convert(*arg)).collect();
        self.out.unit.passes.push(Start {
            kernel,
            args,
            open: false,
            block: None,
            shared: None,
            scope,
            function,
            guards,
        });
    }

    /// Keeps the call of an object as a statement: `mainloop(params, threadIdx.x);`. Nothing else marks it, since a variable has any name.
    pub(super) fn object_call(&mut self, statement: Node<'_>, scope: ScopeId) {
        let call = first_named(statement).filter(|call| kind_of(*call) == Kind::CallExpression);
        let Some(call) = call.filter(|call| !self.is_followed(*call)) else { return };
        let callee = child_of(call, Field::Function).filter(|callee| kind_of(*callee) == Kind::Identifier);
        let Some(span) = callee.map(|callee| self.out.span_of(callee)) else { return };
        // In a kernel that is read as a whole, it is kept already.
        if self.out.unit.passes.last().is_some_and(|last| self.out.unit.span(last.kernel) == span) {
            return;
        }
        let name = self.out.text_of(span);
        let mut at = Some(scope);
        while let Some(id) = at {
            let around = self.out.unit.scope(id);
            if !matches!(around.kind, ScopeKind::Block) {
                return;
            }
            let mut decls = around.decls.iter().map(|id| self.out.unit.decl(*id));
            if let Some(decl) = decls.rfind(|decl| self.out.text_of(decl.name) == name) {
                if matches!(decl.kind, DeclKind::Variable { ty: Some(_), .. }) {
                    self.pass(call, scope);
                }
                return;
            }
            at = around.parent;
        }
    }

    /// A variable of type `dim3` with the values that it is made of; tells whether it was one.
    pub(super) fn extents(
        &mut self,
        name: Option<Node<'_>>,
        init: Option<Node<'_>>,
        ty: Option<Node<'_>>,
        constant: bool,
        node: Node<'_>,
        scope: ScopeId,
    ) -> bool {
        let Some(ty) = ty.filter(|ty| self.out.text_of(self.out.span_of(*ty)) == "dim3") else { return false };
        let Some(declarator) = name else { return false };
        let (name, values) = match (kind_of(declarator), init.map(|init| (kind_of(init), init))) {
            (Kind::Identifier, Some((Kind::ArgumentList | Kind::InitializerList, list))) => {
                let mut cursor = list.walk();
                let items = list.named_children(&mut cursor).filter(|item| kind_of(*item) != Kind::Comment);
                (declarator, items.collect::<Vec<_>>())
            }
            // `dim3 block(kThreads)` reads as a function that takes a `kThreads`.
            (Kind::FunctionDeclarator, None) => {
                let (Some(name), Some(list)) =
                    (child_of(declarator, Field::Declarator), child_of(declarator, Field::Parameters))
                else {
                    return false;
                };
                let mut cursor = list.walk();
                let types = list.named_children(&mut cursor).map(|param| {
                    child_of(param, Field::Type)
                        .filter(|_| kind_of(param) == Kind::ParameterDeclaration && param.named_child_count() == 1)
                });
                let Some(types) = types.collect::<Option<Vec<_>>>().filter(|types| !types.is_empty()) else {
                    return false;
                };
                (name, types)
            }
            _ => return false,
        };
        if node.has_error() || kind_of(name) != Kind::Identifier {
            return false;
        }
        let ty = Some(self.out.convert(ty));
        let kind = DeclKind::Variable { ty, init: None, constant };
        let decl = self.add_decl(self.out.span_of(name), scope, self.out.span_of(node), kind);
        let values: Vec<ExprId> = values.into_iter().map(|value| self.out.convert(value)).collect();
        self.out.unit.lists.push((decl, values));
        true
    }
}
