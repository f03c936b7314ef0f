//! What a launch names that is put together before it: a block whose extents are assigned one by one, `dim3 block; block.x = 128;`, the list
//! of pointers to what a kernel is given, `void* args[] = {&a, &b};`, and a kernel behind a cast.

use thin_vec::{ThinVec, thin_vec};
use tree_sitter::Node;

use super::configs::address_of_kernel;
use super::escape::{Code, Use, copies, copies_block};
use super::extract::Walker;
use super::kind::{Field, Kind, child_of, kind_of};
use crate::ast::{Expr, ExprId, Path, Segment};
use crate::source::places;

/// Nodes around a launch that are followed, and statements of one block.
const MAX_AROUND: usize = 64;
const MAX_STATEMENTS: usize = 512;

/// Functions of more bytes are not searched.
const MAX_SEARCHED: usize = 1 << 16;

/// The members of a `dim3`.
const AXES: [&str; 3] = ["x", "y", "z"];

/// What the extents of a block are, each where it is known.
type Extents<'t> = [Option<Node<'t>>; 3];

impl Walker<'_> {
    fn said(&self, node: Node<'_>) -> &str {
        self.out.text_of(self.out.span_of(node))
    }

    /// The kernel itself, where it stands behind a cast or as an address.
    pub(super) fn behind<'t>(&self, kernel: Node<'t>) -> Node<'t> {
        let named = |of: &Node<'t>| {
            matches!(kind_of(*of), Kind::Identifier | Kind::TemplateFunction | Kind::QualifiedIdentifier)
        };
        let address = || child_of(kernel, Field::Argument).filter(|_| self.said(kernel).starts_with('&')).filter(named);
        match kind_of(kernel) {
            Kind::PointerExpression => address().unwrap_or(kernel),
            _ => address_of_kernel(kernel, &self.out).unwrap_or(kernel),
        }
    }

    /// The statements before a node in the blocks around it, the nearest first, and the function.
    fn before<'t>(&self, node: Node<'t>) -> Option<(Vec<Node<'t>>, Node<'t>)> {
        let mut all = Vec::new();
        let mut at = node;
        for _ in 0..MAX_AROUND {
            let around = at.parent()?;
            match kind_of(around) {
                Kind::FunctionDefinition => {
                    let short = self.said(around).len() <= MAX_SEARCHED;
                    return (short && all.len() <= MAX_STATEMENTS).then_some((all, around));
                }
                // What a lambda or a loop does may happen at other times.
                Kind::LambdaExpression => return None,
                Kind::CompoundStatement => {
                    let mut cursor = around.walk();
                    let before =
                        around.named_children(&mut cursor).take_while(|child| child.end_byte() <= at.start_byte());
                    let before: Vec<Node<'t>> = before.take(MAX_STATEMENTS + 1).collect();
                    all.extend(before.into_iter().rev());
                }
                _ => {}
            }
            at = around;
        }
        None
    }

    /// What a kernel is given by a list of pointers; none where that is not known.
    pub(super) fn packed<'t>(&self, list: Node<'t>) -> Option<Vec<Node<'t>>> {
        let name = self.said(list);
        if matches!(name, "nullptr" | "NULL" | "0") {
            return Some(Vec::new());
        }
        if kind_of(list) != Kind::Identifier {
            return None;
        }
        let (before, function) = self.before(list)?;
        let declared = before.into_iter().filter(|of| kind_of(*of) == Kind::Declaration && !of.has_error());
        let items = declared.into_iter().find_map(|of| {
            let init = child_of(of, Field::Declarator).filter(|of| kind_of(*of) == Kind::InitDeclarator)?;
            let array = child_of(init, Field::Declarator).filter(|of| kind_of(*of) == Kind::ArrayDeclarator)?;
            (self.said(child_of(array, Field::Declarator)?) == name).then_some(())?;
            child_of(init, Field::Value).filter(|list| kind_of(*list) == Kind::InitializerList)
        })?;
        // One of its pointers may be put elsewhere.
        let text = self.said(function);
        let kept = |at: usize| {
            let after = text.get(at + name.len()..).unwrap_or_default().trim_start();
            let before = text.get(..at).unwrap_or_default().trim_end();
            !after.starts_with(['=', '+', '-', '.']) && !before.ends_with(['&', '*'])
        };
        let index = |at: usize| text.get(at + name.len()..).is_some_and(|rest| rest.trim_start().starts_with('['));
        let declared = |at: usize| {
            text.get(..at).is_some_and(|head| head.trim_end().ends_with("void*") || head.trim_end().ends_with("void *"))
        };
        if !places(text, name).all(|at| declared(at) || (kept(at) && !index(at))) {
            return None;
        }
        let mut cursor = items.walk();
        let items = items.named_children(&mut cursor).filter(|item| kind_of(*item) != Kind::Comment);
        items.map(|item| self.pointed_at(item)).collect()
    }

    /// What a pointer in a list points to: `&a`, `(void*)&a`.
    fn pointed_at<'t>(&self, item: Node<'t>) -> Option<Node<'t>> {
        let pointer = if kind_of(item) == Kind::CastExpression { child_of(item, Field::Value)? } else { item };
        let address = kind_of(pointer) == Kind::PointerExpression && self.said(pointer).starts_with('&');
        child_of(pointer, Field::Argument).filter(|of| address && kind_of(*of) == Kind::Identifier)
    }

    /// The extents of a block that are assigned one by one, once each and on every way.
    pub(super) fn extents_of_members(&mut self, block: Node<'_>) -> Option<ExprId> {
        let (ty, extents) = self.members_of(block)?;
        let span = self.out.span_of(block);
        let name = self.out.span_of(ty);
        let path = Path { absolute: false, segments: thin_vec![Segment { name, args: None }] };
        let ty = self.out.add(Expr::Path(path), name);
        let values: ThinVec<ExprId> = extents
            .into_iter()
            .map(|extent| match extent {
                Some(extent) => self.out.convert(extent),
                None => self.out.add(Expr::number(1), span),
            })
            .collect();
        Some(self.out.add(Expr::Construct(ty, values), span))
    }

    fn members_of<'t>(&self, block: Node<'t>) -> Option<(Node<'t>, Extents<'t>)> {
        if kind_of(block) != Kind::Identifier {
            return None;
        }
        let name = self.said(block);
        let (before, function) = self.before(block)?;
        let mut found: Extents<'t> = [None; 3];
        let mut declared = None;
        for statement in before {
            if let Some((axis, value)) = self.assigns_extent(statement, name) {
                let extent = found.get_mut(axis)?;
                if extent.is_some() {
                    return None;
                }
                *extent = Some(value);
            }
            declared = self.declares_extents(statement, name);
            if declared.is_some() {
                break;
            }
        }
        let (ty, named, first) = declared.filter(|_| found.iter().any(Option::is_some))?;
        if !self.only_assigned(function, named, &found) {
            return None;
        }
        let mut extents = first;
        for (extent, later) in extents.iter_mut().zip(found) {
            *extent = later.or(*extent);
        }
        Some((ty, extents))
    }

    /// `block.x = 128;`
    fn assigns_extent<'t>(&self, statement: Node<'t>, name: &str) -> Option<(usize, Node<'t>)> {
        let assignment = statement.named_child(0).filter(|_| kind_of(statement) == Kind::ExpressionStatement)?;
        if kind_of(assignment) != Kind::Assignment || assignment.has_error() {
            return None;
        }
        let left = child_of(assignment, Field::Left)?;
        let member = self.said(left).strip_prefix(name)?.trim_start().strip_prefix('.')?.trim_start();
        let axis = AXES.iter().position(|axis| *axis == member)?;
        let plain = self.said(assignment).get(self.said(left).len()..)?.trim_start().starts_with('=');
        child_of(assignment, Field::Right).filter(|_| plain).map(|value| (axis, value))
    }

    /// `dim3 block;`, or with values.
    fn declares_extents<'t>(&self, statement: Node<'t>, name: &str) -> Option<(Node<'t>, Node<'t>, Extents<'t>)> {
        if kind_of(statement) != Kind::Declaration || statement.has_error() {
            return None;
        }
        let ty = child_of(statement, Field::Type).filter(|ty| self.said(*ty) == "dim3")?;
        let declarator = child_of(statement, Field::Declarator)?;
        let mut extents: Extents<'t> = [None; 3];
        match kind_of(declarator) {
            Kind::Identifier => (self.said(declarator) == name).then_some((ty, declarator, extents)),
            Kind::InitDeclarator => {
                let of = child_of(declarator, Field::Declarator).filter(|of| self.said(*of) == name)?;
                let list = child_of(declarator, Field::Value)?;
                if !matches!(kind_of(list), Kind::ArgumentList | Kind::InitializerList) {
                    return None;
                }
                let mut cursor = list.walk();
                let items = list.named_children(&mut cursor).filter(|item| kind_of(*item) != Kind::Comment);
                let items: Vec<Node<'t>> = items.collect();
                if items.len() > extents.len() {
                    return None;
                }
                for (extent, item) in extents.iter_mut().zip(items) {
                    *extent = Some(item);
                }
                Some((ty, of, extents))
            }
            _ => None,
        }
    }

    /// Whether nothing else in a function changes a block than one assignment to each of the members that were found.
    fn only_assigned(&self, function: Node<'_>, name: Node<'_>, found: &Extents<'_>) -> bool {
        let declared = self.out.span_of(name).start.saturating_sub(self.out.span_of(function).start) as usize;
        let name = self.said(name);
        let text = Code::new(self.said(function), self.out.text);
        if text.is_hidden(name) {
            return false;
        }
        let mut counts = [0_usize; 3];
        for at in places(&text, name) {
            let after = text.get(at + name.len()..).unwrap_or_default().trim_start();
            let member = after.strip_prefix('.').map(str::trim_start);
            let axis = member.and_then(|member| AXES.iter().position(|axis| places(member, axis).next() == Some(0)));
            let rest = axis.and_then(|_| member?.get(1..)).unwrap_or_default().trim_start();
            if rest.starts_with('=') && !rest.starts_with("==") {
                let Some(count) = axis.and_then(|axis| counts.get_mut(axis)) else { return false };
                *count += 1;
                continue;
            }
            let reads = match text.at(at..at + name.len()) {
                Use::Reads => true,
                Use::Given(given) => copies_block(&given) || copies(&given, &|_, _| false),
                Use::Escapes => false,
            };
            if at != declared && !reads {
                return false;
            }
        }
        counts.iter().zip(found).all(|(count, extent)| *count == usize::from(extent.is_some()))
    }
}
