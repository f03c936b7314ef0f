//! One walk over the tree: scopes, declarations and the places where layouts are written.

use std::ops::Range;
use std::rc::Rc;

use foldhash::{HashMap, HashMapExt as _};
use tree_sitter::{Node, Tree, TreeCursor};

use super::bounds::{self, Bounds};
use super::convert::{Converter, first_named};
use super::define;
use super::functions::Building;
use super::kind::{Field, Kind, child_of, kind_of};
use super::mask::Masked;
use super::ways::{Before, is_switch};
use crate::ast::{Content, ExprId, Function, Launch, Param, Scope, ScopeId, ScopeKind, Span, Switch, Use, Written};
use crate::source::{ENCODE, Launcher, Source};

/// Trees are walked no deeper than this: far beyond what people write, far before the stack ends.
pub(super) const MAX_DEPTH: usize = 400;

/// Functions whose calls are looked at wherever they stand, also in a `return` or among the arguments of another.
pub(super) const WHOLE: [&str; 21] = [
    "composition",
    "flat_divide",
    "get_slice",
    "get_thread_slice",
    "local_partition",
    "local_tile",
    "logical_divide",
    "make_tensor",
    "make_tiled_copy",
    "make_tiled_copy_impl",
    "make_tiled_mma",
    "partition_A",
    "partition_B",
    "partition_C",
    "partition_D",
    "partition_S",
    "partition_fragment_A",
    "partition_fragment_B",
    "tile_to_shape",
    "tiled_divide",
    "zipped_divide",
];

/// Whether a type is that of the value which a function does nothing but return: `{ return Swizzle<3,3,3>{}; }`.
fn returns_alone(ty: Node<'_>) -> bool {
    let value = ty.parent().filter(|value| kind_of(*value) == Kind::CompoundLiteral);
    let made = value.and_then(|value| value.parent()).filter(|made| kind_of(*made) == Kind::Return);
    let body = made.and_then(|made| made.parent()).filter(|body| body.named_child_count() == 1);
    body.and_then(|body| body.parent()).is_some_and(|function| kind_of(function) == Kind::FunctionDefinition)
}

/// A copy of as many bits as are promised to be aligned.
const ALIGNED: &str = "AutoVectorizingCopyWithAssumedAlignment";

/// What is kept of a text, from its tree.
pub fn extract(source: &Source, hits: &[u32], masked: &Masked, tree: &Tree) -> Content {
    let converter = Converter { text: &source.text, masked, unit: Content::default() };
    let mut walker = Walker {
        out: converter,
        dead: &source.dead,
        launchers: None,
        plain: None,
        searched: 0,
        words: &source.hits,
        hits,
        building: Vec::new(),
        bounds: bounds::all(&source.text),
        copied: Vec::new(),
        looked: 0,
        tests: HashMap::new(),
        before: Before::default(),
    };
    let context = Context { scope: ScopeId(0), block: false, loose: false, mentioned: false, whole: false, depth: 0 };
    walker.children(&mut tree.walk(), context);
    let mut unit = walker.out.unit;
    unit.assigned.sort_by_key(|assigned| assigned.target.start);
    unit.ways.sort_by_key(|(at, _)| *at);
    // A third of what is kept of a large tree would be room for more.
    unit.exprs.shrink_to_fit();
    unit.decls.shrink_to_fit();
    unit.scopes.shrink_to_fit();
    unit
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
    /// What no compiler sees.
    dead: &'a [Range<usize>],
    /// The macros that launch a kernel, once those were asked for.
    pub(super) launchers: Option<Rc<[Launcher]>>,
    /// The text without comments, once that was asked for, and how much of it was looked through.
    pub(super) plain: Option<Rc<str>>,
    pub(super) searched: usize,
    /// Where words stand that can make a layout.
    words: &'a [u32],
    /// Those, and the marks.
    pub(super) hits: &'a [u32],
    /// The functions around that are read as a whole, the innermost last.
    pub(super) building: Vec<Building>,
    /// The macros of the file that are `__launch_bounds__`.
    bounds: Vec<Bounds<'a>>,
    /// The functions whose copies are kept.
    pub(super) copied: Vec<Span>,
    /// Statements that were looked at on the ways to others.
    pub(super) looked: usize,
    /// Conditions on the ways to statements, by their nodes: most stand on many of them.
    pub(super) tests: HashMap<usize, ExprId>,
    /// What statements say of those behind them.
    pub(super) before: Before,
}

impl Walker<'_> {
    /// How many words that can make a layout stand in a span.
    fn words_in(&self, span: Span) -> usize {
        self.words.partition_point(|&at| at < span.end) - self.words.partition_point(|&at| at < span.start)
    }

    pub(super) fn hits_in(&self, span: Span) -> usize {
        self.hits.partition_point(|&at| at < span.end) - self.hits.partition_point(|&at| at < span.start)
    }

    /// Whether no compiler sees a place.
    pub(super) fn is_dead(&self, at: usize) -> bool {
        let after = self.dead.partition_point(|range| range.end <= at);
        self.dead.get(after).is_some_and(|range| range.contains(&at))
    }

    pub(super) fn open(&mut self, kind: ScopeKind, parent: ScopeId) -> ScopeId {
        let unit = &mut self.out.unit;
        let id = ScopeId(u32::try_from(unit.scopes.len()).unwrap_or(u32::MAX));
        let (decls, using) = (Vec::new(), Vec::new());
        unit.scopes.push(Scope { kind, parent: Some(parent), decls, using, guard: None, behind: false });
        id
    }

    pub(super) fn children(&mut self, cursor: &mut TreeCursor<'_>, mut context: Context) {
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            self.visit(cursor, context);
            if context.block && !context.whole && kind_of(cursor.node()) == Kind::IfStatement {
                context.scope = self.behind_return(cursor.node(), context.scope);
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }

    /// What the grammar could not read as a whole, but its parts. A namespace that begins there is one: its braces are counted in the text,
    /// since the grammar has lost them.
    fn broken(&mut self, cursor: &mut TreeCursor<'_>, context: Context) {
        let (mut at, mut depth) = (cursor.node().start_byte(), 0_usize);
        if !cursor.goto_first_child() {
            return;
        }
        let (mut around, mut names): (Vec<(usize, ScopeId)>, Option<Vec<Span>>) = (Vec::new(), None);
        loop {
            let node = cursor.node();
            for byte in self.out.masked.bytes.get(at..node.start_byte()).unwrap_or_default() {
                match byte {
                    b'{' => depth += 1,
                    b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            at = at.max(node.start_byte());
            while around.last().is_some_and(|(inside, _)| depth < *inside) {
                around.pop();
            }
            let scope = around.last().map_or(context.scope, |(_, scope)| *scope);
            match (node.kind(), names.take()) {
                ("namespace", _) => names = Some(Vec::new()),
                ("{", Some(names)) => around.push((depth + 1, self.open(ScopeKind::Namespace(names), scope))),
                (_, Some(before)) if before.is_empty() && node.is_named() => {
                    let path = self.out.path(node);
                    names = path.map(|path| path.segments.iter().map(|segment| segment.name).collect());
                }
                _ => self.visit(cursor, Context { scope, ..context }),
            }
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
        if (context.block || kind_of(node) == Kind::LambdaExpression) && hits > 0 {
            self.repeated(node);
        }
        let inner = Context { depth: context.depth + 1, ..context };
        let sound = Context { loose: false, ..inner };
        match kind_of(node) {
            Kind::Comment => {}
            Kind::Error => self.broken(cursor, Context { loose: true, ..inner }),
            Kind::PreprocArg => self.out.unit.lost.in_macros += self.words_in(span),
            Kind::PreprocFunctionDef => {
                self.out.unit.lost.in_macros += self.words_in(span);
                self.macro_function(node);
                self.macro_mentions(node, context.scope);
            }
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
            Kind::IfStatement if context.whole || (hits > 0 && is_constexpr(node)) => {
                let scope = self.behind_head(node, sound);
                self.branches(cursor, Context { scope, ..sound });
            }
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
                    match kind_of(node) {
                        Kind::ForRangeLoop => self.hide_range(node, scope),
                        Kind::LambdaExpression => self.hide_captures(node, scope),
                        _ => {}
                    }
                    self.children(cursor, Context { scope, block: true, whole: false, ..sound });
                }
            }
            Kind::FieldDeclaration | Kind::Declaration => {
                self.variables(node, context);
                if hits > 0 && context.block {
                    self.way_to_shared(node, context.scope);
                }
                if hits > 0 || holds_type(node) {
                    self.children(cursor, sound);
                }
            }
            kind => {
                if kind == Kind::ExpressionStatement && context.block && !node.has_error() {
                    self.assigned(node, context.scope);
                    self.hide_reference(node, context.scope);
                    self.object_call(node, context.scope);
                }
                let mut inner = inner;
                let heads = matches!(
                    kind,
                    Kind::CatchClause | Kind::IfStatement | Kind::SwitchStatement | Kind::WhileStatement
                );
                if heads && hits > 0 {
                    inner.scope = self.behind_head(node, inner);
                }
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
                    self.way(node, context.scope);
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

    /// `__launch_bounds__(threads, …)` of a kernel.
    pub(super) fn launch(&mut self, node: Node<'_>, function: Span, scope: ScopeId) {
        let mut cursor = node.walk();
        let bounds = node.named_children(&mut cursor).find(|child| kind_of(*child) == Kind::LaunchBounds);
        if let Some(bound) = bounds.filter(|bounds| !bounds.has_error()).and_then(first_named) {
            let bound = self.out.convert(bound);
            self.out.unit.launches.push(Launch { bound, scope, function });
            return;
        }
        // Before the body, a macro of this file may be the attribute.
        let end = child_of(node, Field::Body).map_or(function.end, |body| self.out.span_of(body).start) as usize;
        let text = self.out.text;
        if bounds.is_some() {
            return;
        }
        let head = function.start as usize..end;
        let most = self.bounds.iter().find_map(|of| of.most(text, &of.used_in(text, &head)?));
        let clip = |at: usize| u32::try_from(at).ok();
        if let Some(most) = most
            && let (Some(start), Some(end)) = (clip(most.start), clip(most.end))
            && let Some(bound) = define::expression(&mut self.out, Span { start, end })
        {
            self.out.unit.launches.push(Launch { bound, scope, function });
        }
    }

    /// The scope of what `X_SWITCH(…, NAME, [&] { … })` defines.
    fn switch(&mut self, node: Node<'_>, scope: ScopeId) -> Option<ScopeId> {
        let macro_name = child_of(node, Field::Function).filter(|name| kind_of(*name) == Kind::Identifier)?;
        let macro_name = self.out.span_of(macro_name);
        let called = self.out.text_of(macro_name);
        if !is_switch(called) {
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
        if !given && !called.ends_with("_SWITCH") {
            return None;
        }
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
            return name == ALIGNED || (name == "Swizzle" && returns_alone(node));
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
        WHOLE.contains(&name) || name.contains(ENCODE) || self.describes(node)
    }

    /// Whether it matters what a call gives, and under which conditions.
    pub(super) fn is_followed(&self, call: Node<'_>) -> bool {
        let name = child_of(call, Field::Function).map_or("", |name| self.out.text_of(self.out.span_of(name)));
        name.contains(ENCODE) || self.describes(call) || self.is_marked(call) || self.is_marked_method(call)
    }

    /// Whether a mark stands at the name of what is called.
    fn is_marked(&self, call: Node<'_>) -> bool {
        let name = child_of(call, Field::Function).and_then(last_name);
        name.is_some_and(|name| self.has_mark(name))
    }

    /// Whether a mark stands at the name of the method that is called.
    fn is_marked_method(&self, call: Node<'_>) -> bool {
        let method = child_of(call, Field::Function).and_then(|callee| child_of(callee, Field::Member));
        method.is_some_and(|method| self.has_mark(method_name(method)))
    }

    fn has_mark(&self, name: Node<'_>) -> bool {
        let at = self.last_part(name).start;
        self.hits.binary_search(&at).is_ok() && self.words.binary_search(&at).is_err()
    }

    /// Where the last part of a name stands, which the grammar may have seen as one word.
    pub(super) fn last_part(&self, name: Node<'_>) -> Span {
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

/// The name of a method, its template arguments left out.
fn method_name(member: Node<'_>) -> Node<'_> {
    match kind_of(member) {
        Kind::TemplateMethod => child_of(member, Field::Name).unwrap_or(member),
        Kind::DependentName => first_named(member).map_or(member, method_name),
        _ => member,
    }
}

/// The name of the variable that a lambda is the value of.
pub(super) fn named(lambda: Node<'_>) -> Option<Node<'_>> {
    let parent = lambda.parent().filter(|parent| kind_of(*parent) == Kind::InitDeclarator)?;
    child_of(parent, Field::Declarator).filter(|name| kind_of(*name) == Kind::Identifier)
}

/// Whether an `if` is decided when it is compiled.
pub(super) fn is_constexpr(node: Node<'_>) -> bool {
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
