//! The conditions on the way to a statement: those around it, those before it after which it may not be reached, and what functions and
//! macros are given before it that may end the function, `CHECK(ld % 8 == 0);`. And the copies of a function, each with its own.

use foldhash::HashMap;
use tree_sitter::Node;

use super::extract::{WHOLE, Walker, last_name, named};
use super::kind::{Field, Kind, child_of, kind_of};
use crate::ast::{Copied, Expr, ExprId, Guard, GuardKind, ScopeId, Span};
use crate::source::{code, is_identifier, is_loud, places};

/// Nodes around a statement that are followed.
const MAX_AROUND: usize = 96;

/// Conditions on the way to one statement.
const MAX_GUARDS: usize = 256;

/// Statements in statements, and lambdas that call lambdas.
const MAX_DEPTH: usize = 8;

/// Nodes of one statement, and of one function, that are searched for calls.
const MAX_NODES: usize = 512;
const MAX_FUNCTION: usize = 1 << 15;

/// Statements before one that may leave a function before it does anything.
const MAX_BEFORE: usize = 64;

/// How far back the parenthesis of a macro is looked for.
const MAX_BACK: usize = 1_024;

/// Statements of one file that are looked at on the ways to others: what is on the way beyond them is not known.
const MAX_LOOKED: usize = 1 << 17;

/// Statements, and what they say of those behind them, that are kept while one file is read.
const MAX_KEPT: usize = 1 << 18;

/// Copies of one function.
const MAX_COPIES: usize = 64;

/// Words after which what comes next may not be reached; the first of them only end a loop or a `switch`.
const LEAVES: [&str; 11] =
    ["break", "continue", "return", "throw", "exit", "_Exit", "abort", "goto", "terminate", "__trap", "co_return"];
const ENDS_LOOP: usize = 2;

/// Functions that come back, whatever they are given.
const COMES_BACK: [&str; 22] = [
    "cerr",
    "clear",
    "copy",
    "cout",
    "endl",
    "fill",
    "fflush",
    "for",
    "fprintf",
    "fputs",
    "free",
    "if",
    "malloc",
    "memset",
    "print",
    "printf",
    "puts",
    "push_back",
    "sizeof",
    "static_cast",
    "switch",
    "while",
];

/// Words in names of functions and macros that demand what they are given, and words in those that may do the opposite.
const DEMANDS: [&str; 8] = ["assert", "check", "demand", "ensure", "enforce", "expect", "require", "verify"];
const OPPOSES: [&str; 9] = ["abort", "die", "err", "fail", "if", "not", "throw", "unless", "false"];

/// What statements say of what is behind them, by their nodes, whether those are in a loop of their own, and how deep is looked.
#[derive(Default)]
pub(super) struct Before {
    said: HashMap<(usize, bool, usize), Box<[Guard]>>,
    kept: usize,
}

/// What is on the way, as far as it was found.
pub(super) struct Way {
    pub(super) guards: Vec<Guard>,
    pub(super) scope: ScopeId,
    /// Whether something was left out.
    cut: bool,
}

impl Walker<'_> {
    /// Keeps the conditions on the way to where a tensor is partitioned, a slice of threads is taken, a tensor of shared memory is made, or a
    /// descriptor; and, of a function that partitions, its copies.
    pub(super) fn way(&mut self, node: Node<'_>, scope: ScopeId) {
        let Some(callee) = child_of(node, Field::Function) else { return };
        let name = child_of(callee, Field::Member).or_else(|| last_name(callee));
        let name = name.map_or("", |name| self.out.text_of(self.last_part(name)));
        let partitions = matches!(name, "partition_S" | "partition_D");
        let kept = match name {
            "get_slice" | "get_thread_slice" | "local_partition" => true,
            "make_tensor" => self.text_of(node).contains("make_smem_ptr"),
            // What is looked at wherever it stands, and is none of those.
            _ => partitions || !WHOLE.contains(&name),
        };
        if !kept {
            return;
        }
        let at = self.out.span_of(node).start;
        if let Some((_, guards)) = self.way_to(node, scope)
            && !guards.is_empty()
        {
            self.out.unit.ways.push((at, guards));
        }
        if partitions {
            self.copies_around(node, scope);
        }
    }

    /// Keeps the conditions on the way to where a function declares static shared memory.
    pub(super) fn way_to_shared(&mut self, node: Node<'_>, scope: ScopeId) {
        let text = self.text_of(node);
        if !text.contains("__shared__") || text.starts_with("extern") {
            return;
        }
        let at = self.out.span_of(node).start;
        if let Some((_, guards)) = self.way_to(node, scope).filter(|(_, guards)| !guards.is_empty()) {
            self.out.unit.ways.push((at, guards));
        }
    }

    /// The function around a statement, and the conditions under which it is reached.
    pub(super) fn way_to(&mut self, node: Node<'_>, scope: ScopeId) -> Option<(Span, Vec<Guard>)> {
        let mut way = Way { guards: Vec::new(), scope, cut: false };
        let function = self.follow(node, &mut way, MAX_DEPTH)?;
        if way.cut || way.guards.len() > MAX_GUARDS {
            way.guards.truncate(MAX_GUARDS);
            self.unread(node, &mut way);
        }
        Some((function, way.guards))
    }

    fn text_of(&self, node: Node<'_>) -> &str {
        self.out.text_of(self.out.span_of(node))
    }

    /// Keeps the conditions from a node out to its function.
    fn follow(&mut self, node: Node<'_>, way: &mut Way, depth: usize) -> Option<Span> {
        let mut at = node;
        let mut case: Option<Node<'_>> = None;
        for _ in 0..MAX_AROUND {
            let around = at.parent()?;
            if self.is_behind_a_macro(at) {
                self.unread(at, way);
            }
            let is = |field| child_of(around, field).is_some_and(|part| part == at);
            match kind_of(around) {
                Kind::FunctionDefinition => {
                    // In a function, it is a macro with a block behind it.
                    if around.parent().is_none_or(|outer| kind_of(outer) != Kind::CompoundStatement) {
                        return Some(self.out.span_of(around));
                    }
                    self.unread(around, way);
                }
                Kind::SwitchStatement if is(Field::Body) && self.cases(around, case.take(), way) => {}
                Kind::IfStatement | Kind::SwitchStatement | Kind::ConditionalExpression => {
                    let holds = match kind_of(around) {
                        Kind::SwitchStatement => None,
                        _ if is(Field::Consequence) => Some(true),
                        _ if is(Field::Alternative) => Some(false),
                        _ => None,
                    };
                    if !is(Field::Condition) {
                        self.guard(around, holds, GuardKind::Test, way);
                    }
                }
                Kind::BinaryExpression if is(Field::Right) => {
                    let operator = child_of(around, Field::Operator).map_or("", |sign| self.text_of(sign));
                    let holds = match operator {
                        "&&" | "and" => Some(true),
                        "||" | "or" => Some(false),
                        _ => None,
                    };
                    if let (Some(_), Some(left)) = (holds, child_of(around, Field::Left)) {
                        self.test(left, holds, GuardKind::Test, way);
                    }
                }
                Kind::ForStatement | Kind::WhileStatement if is(Field::Body) => {
                    let condition = child_of(around, Field::Condition);
                    if condition.is_some_and(|condition| !counts_to_size(self.text_of(condition))) {
                        self.guard(around, Some(true), GuardKind::Loop, way);
                    }
                }
                Kind::LambdaExpression => self.called(around, way, depth),
                Kind::CompoundStatement | Kind::CaseStatement if self.looked > MAX_LOOKED => way.cut = true,
                Kind::CompoundStatement | Kind::CaseStatement => {
                    let mut cursor = around.walk();
                    let before: Vec<Node<'_>> = around
                        .named_children(&mut cursor)
                        .take_while(|child| child.start_byte() < at.start_byte())
                        .collect();
                    for statement in before {
                        // Nothing gets past it; what does comes from a label.
                        way.cut |=
                            matches!(kind_of(statement), Kind::Return | Kind::Throw | Kind::Break | Kind::Continue);
                        self.earlier(statement, false, way, depth);
                    }
                }
                _ => {}
            }
            if way.guards.len() > MAX_GUARDS {
                way.cut = true;
            }
            if kind_of(around) == Kind::CaseStatement {
                case = Some(around);
            }
            at = around;
        }
        None
    }

    /// Whether a macro that may be a condition stands right before a node: `IF_WIDE(ld) copy(c, r, d);`.
    fn is_behind_a_macro(&self, node: Node<'_>) -> bool {
        if !matches!(
            kind_of(node),
            Kind::CallExpression
                | Kind::CompoundStatement
                | Kind::Declaration
                | Kind::ExpressionStatement
                | Kind::ForStatement
                | Kind::IfStatement
        ) {
            return false;
        }
        let start = self.out.span_of(node).start as usize;
        let before = self.out.text.get(..start).unwrap_or_default().trim_end();
        let line = before.rsplit('\n').next().unwrap_or_default();
        if line.trim_start().starts_with('#') || line.contains("//") {
            return false;
        }
        if kind_of(node) == Kind::CompoundStatement {
            // The body of a function or of a lambda.
            let parent = node.parent().map(kind_of);
            if matches!(parent, Some(Kind::FunctionDefinition | Kind::LambdaExpression)) {
                return false;
            }
        }
        let word = if let Some(inside) = before.strip_suffix(')') {
            let mut depth = 1_usize;
            let mut open = None;
            for (at, sign) in inside.char_indices().rev().take(MAX_BACK) {
                match sign {
                    ')' => depth += 1,
                    '(' => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    open = inside.get(..at);
                    break;
                }
            }
            let Some(open) = open else { return true };
            open.trim_end()
        } else {
            before
        };
        let begin = word.bytes().rposition(|byte| !is_identifier(byte)).map_or(0, |at| at + 1);
        let called = word.len() < before.len();
        let word = word.get(begin..).unwrap_or_default();
        let known = ["constexpr", "for", "if", "switch", "while", "catch", "launch_bounds", "__launch_bounds__"];
        if called { !word.is_empty() && !known.contains(&word) } else { is_loud(word) && !word.contains("UNROLL") }
    }

    /// What decides whether a lambda is called.
    fn called(&mut self, lambda: Node<'_>, way: &mut Way, depth: usize) {
        let parent = lambda.parent();
        let (Some(parent), Some(depth)) = (parent, depth.checked_sub(1)) else { return self.unread(lambda, way) };
        if let Some(name) = named(lambda) {
            let name = self.text_of(name).to_owned();
            let Some(function) = function_of(lambda) else { return self.unread(lambda, way) };
            let own = |node: Node<'_>| node.start_byte() >= lambda.start_byte() && node.end_byte() <= lambda.end_byte();
            let calls = self.calls_of(function, &name);
            let mut calls = calls.into_iter().filter(|call| !own(*call));
            let (Some(first), second) = (calls.next(), calls.next()) else {
                // Who is given it calls it, or not.
                return self.unread(lambda, way);
            };
            let begin = way.guards.len();
            self.follow(first, way, depth);
            // Where one of several calls is made anyway, so is what the lambda does.
            if second.is_some() && way.guards.len() > begin {
                let any = calls.chain(second).any(|call| {
                    let mut other = Way { guards: Vec::new(), scope: way.scope, cut: false };
                    self.follow(call, &mut other, depth).is_some() && other.guards.is_empty()
                });
                way.guards.truncate(begin);
                if !any {
                    self.unread(lambda, way);
                }
            }
            return;
        }
        if kind_of(parent) == Kind::CallExpression {
            // It is called where it stands.
            return;
        }
        let call = parent.parent().filter(|call| kind_of(*call) == Kind::CallExpression);
        let Some(call) = call.filter(|_| kind_of(parent) == Kind::ArgumentList) else {
            return self.unread(lambda, way);
        };
        // A function that is given it may call it for some of what else it is given.
        let mut cursor = parent.walk();
        let args: Vec<Node<'_>> =
            parent.named_children(&mut cursor).filter(|arg| kind_of(*arg) != Kind::LambdaExpression).collect();
        let callee = child_of(call, Field::Function);
        // `BOOL_SWITCH(flag, kFlag, [&] { … })`, `AT_DISPATCH_FLOATING_TYPES(type, "name", [&] { … })`.
        let switch = callee.is_some_and(|callee| is_switch(self.text_of(callee)));
        for arg in args {
            if switch && matches!(kind_of(arg), Kind::Identifier | Kind::StringLiteral) {
                continue;
            }
            self.test(arg, None, GuardKind::Maybe, way);
        }
        if let Some(callee) = callee.filter(|_| !switch) {
            self.test(callee, None, GuardKind::Test, way);
        }
    }

    /// The calls of a name in a function.
    fn calls_of<'t>(&self, function: Node<'t>, name: &str) -> Vec<Node<'t>> {
        let mut found = Vec::new();
        each(function, MAX_FUNCTION, &mut |node| {
            if kind_of(node) == Kind::CallExpression
                && child_of(node, Field::Function).is_some_and(|callee| self.text_of(callee) == name)
                && found.len() < MAX_COPIES
            {
                found.push(node);
            }
            true
        });
        found
    }

    /// What a statement says that stands before another one: after some of them that other is not reached. A `break` inside of another loop
    /// does not leave this one.
    fn earlier(&mut self, node: Node<'_>, inside: bool, way: &mut Way, depth: usize) {
        // A statement stands before all that follow it: what it says is found out once.
        let (key, begin) = ((node.id(), inside, depth), way.guards.len());
        if let Some(known) = self.before.said.get(&key) {
            way.guards.extend(known.iter().map(|guard| Guard { scope: way.scope, ..*guard }));
            return;
        }
        self.earlier_afresh(node, inside, way, depth);
        // What is cut short hangs on what came before.
        let new = way.guards.get(begin..).unwrap_or_default();
        if !way.cut && way.guards.len() <= MAX_GUARDS && self.before.kept < MAX_KEPT {
            self.before.kept += 1 + new.len();
            self.before.said.insert(key, new.into());
        }
    }

    fn earlier_afresh(&mut self, node: Node<'_>, inside: bool, way: &mut Way, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else {
            way.cut |= leaves(self.text_of(node), inside);
            return;
        };
        self.looked += 1;
        if self.looked > MAX_LOOKED {
            way.cut = true;
            return;
        }
        let inner = |walker: &mut Self, part: Node<'_>, inside: bool, way: &mut Way| {
            if is_unparsed(part) {
                let text = walker.text_of(part);
                if leaves(text, inside) || (is_condition(text) && demands(text)) {
                    walker.unread(part, way);
                }
            } else if kind_of(part) == Kind::CompoundStatement {
                let mut cursor = part.walk();
                let all: Vec<Node<'_>> = part.named_children(&mut cursor).collect();
                for statement in all {
                    walker.earlier(statement, inside, way, depth);
                }
            } else {
                walker.earlier(part, inside, way, depth);
            }
        };
        match kind_of(node) {
            Kind::IfStatement => self.earlier_if(node, inside, way, &inner),
            Kind::SwitchStatement if leaves(self.text_of(node), true) => {
                self.guard(node, None, GuardKind::Test, way);
            }
            Kind::ForStatement | Kind::WhileStatement | Kind::ForRangeLoop | Kind::DoStatement => {
                if let Some(body) = child_of(node, Field::Body) {
                    inner(self, body, true, way);
                }
            }
            Kind::CompoundStatement if is_unparsed(node) => inner(self, node, inside, way),
            Kind::CompoundStatement | Kind::TryStatement | Kind::CaseStatement | Kind::ElseClause => {
                let mut cursor = node.walk();
                let all: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                for statement in all {
                    inner(self, statement, inside, way);
                }
            }
            Kind::ExpressionStatement | Kind::Declaration => self.demands(node, way),
            // What the grammar could not read.
            Kind::Other | Kind::Error if leaves(self.text_of(node), inside) => self.unread(node, way),
            _ => {}
        }
    }

    fn earlier_if(
        &mut self,
        node: Node<'_>,
        inside: bool,
        way: &mut Way,
        inner: &dyn Fn(&mut Self, Node<'_>, bool, &mut Way),
    ) {
        let (yes, no) = (child_of(node, Field::Consequence), child_of(node, Field::Alternative));
        let text =
            |walker: &Self, part: Option<Node<'_>>| part.map_or(String::new(), |part| walker.text_of(part).to_owned());
        let (first, second) = (text(self, yes), text(self, no));
        let always =
            |walker: &Self, part: Option<Node<'_>>| part.is_some_and(|part| walker.always_leaves(part, inside));
        match (always(self, yes), always(self, no)) {
            (true, true) => way.cut = true,
            (true, false) => {
                let kind = if self.does_nothing(node) { GuardKind::Leave } else { GuardKind::Test };
                self.guard(node, Some(false), kind, way);
            }
            (false, true) => self.guard(node, Some(true), GuardKind::Test, way),
            (false, false) => {
                if may_leave(&first) {
                    self.guard(node, if may_leave(&second) { None } else { Some(false) }, GuardKind::Maybe, way);
                } else if may_leave(&second) {
                    self.guard(node, Some(true), GuardKind::Maybe, way);
                }
            }
        }
        for (part, text) in [(yes, first), (no, second)] {
            if let Some(part) = part.filter(|part| leaves(&text, inside) && !self.always_leaves(*part, inside)) {
                self.guard(node, None, GuardKind::Maybe, way);
                inner(self, part, inside, way);
            }
        }
    }

    /// Whether an `if` leaves a function that has done nothing yet: all that stands before it are declarations, and others like it.
    fn does_nothing(&self, node: Node<'_>) -> bool {
        let body = node.parent().filter(|body| kind_of(*body) == Kind::CompoundStatement);
        let function = body.and_then(|body| body.parent());
        if function.is_none_or(|function| kind_of(function) != Kind::FunctionDefinition) {
            return false;
        }
        let bare = |node: Node<'_>| {
            let leaves = child_of(node, Field::Consequence).map_or("", |part| self.text_of(part));
            let leaves = leaves.trim().trim_start_matches('{').trim_end_matches('}').trim();
            leaves.strip_prefix("return").is_some_and(|rest| rest.trim() == ";")
                && child_of(node, Field::Alternative).is_none()
        };
        let mut at = Some(node);
        for _ in 0..MAX_BEFORE {
            let Some(statement) = at else { return true };
            let quiet = match kind_of(statement) {
                Kind::IfStatement => bare(statement),
                Kind::Declaration
                | Kind::AliasDeclaration
                | Kind::UsingDeclaration
                | Kind::TypeDefinition
                | Kind::StaticAssert
                | Kind::Comment => true,
                _ => false,
            };
            if !quiet {
                return false;
            }
            at = statement.prev_named_sibling();
        }
        false
    }

    /// Whether a branch leaves by a statement of its own, and not only by one in another `if` of it.
    pub(super) fn always_leaves(&self, branch: Node<'_>, inside: bool) -> bool {
        let own = |node: Node<'_>| match kind_of(node) {
            Kind::Return | Kind::Throw => true,
            Kind::Break | Kind::Continue => !inside,
            Kind::ExpressionStatement | Kind::Other => leaves(self.text_of(node), inside),
            _ => false,
        };
        // Blocks without layouts are not parsed.
        if is_unparsed(branch) {
            let text = self.text_of(branch);
            return leaves(text, inside) && (!decides(text) || ends_by_leaving(text, inside));
        }
        match kind_of(branch) {
            Kind::CompoundStatement | Kind::ElseClause => {
                let mut cursor = branch.walk();
                let all: Vec<Node<'_>> = branch.named_children(&mut cursor).collect();
                all.into_iter().any(|node| {
                    let block = kind_of(node) == Kind::CompoundStatement && kind_of(branch) == Kind::ElseClause;
                    if block { self.always_leaves(node, inside) } else { own(node) }
                })
            }
            _ => own(branch),
        }
    }

    /// What a statement gives functions and macros that may demand it.
    fn demands(&mut self, statement: Node<'_>, way: &mut Way) {
        // `ld % 8 == 0 || fail();`
        let first = statement.named_child(0).filter(|_| kind_of(statement) == Kind::ExpressionStatement);
        if let Some(of) = first
            && matches!(kind_of(of), Kind::BinaryExpression | Kind::ConditionalExpression)
            && may_leave(self.text_of(of))
        {
            let part = child_of(of, Field::Left).or_else(|| child_of(of, Field::Condition));
            self.test(part.unwrap_or(of), None, GuardKind::Maybe, way);
        }
        // A macro alone may be anything.
        if let Some(of) = first.filter(|of| kind_of(*of) == Kind::Identifier && is_loud(self.text_of(*of))) {
            self.unread(of, way);
        }
        // `problem.validate();` may end the function for what the object holds.
        if let Some(of) = first.filter(|of| kind_of(*of) == Kind::CallExpression)
            && child_of(of, Field::Function).is_some_and(|callee| kind_of(callee) == Kind::FieldExpression)
        {
            self.test(of, None, GuardKind::Call, way);
        }
        let mut calls = Vec::new();
        each(statement, MAX_NODES, &mut |node| {
            if kind_of(node) == Kind::CallExpression {
                calls.push(node);
            }
            kind_of(node) != Kind::LambdaExpression
        });
        for call in calls {
            self.demand(call, way);
        }
    }

    fn demand(&mut self, call: Node<'_>, way: &mut Way) {
        let (Some(callee), Some(list)) = (child_of(call, Field::Function), child_of(call, Field::Arguments)) else {
            return;
        };
        let name = child_of(callee, Field::Member).or_else(|| last_name(callee)).unwrap_or(callee);
        let name = self.text_of(name).to_owned();
        if COMES_BACK.contains(&name.as_str()) || is_of_cuda(&name) {
            return;
        }
        let lower = name.to_ascii_lowercase();
        let demands =
            DEMANDS.iter().any(|word| lower.contains(word)) && !OPPOSES.iter().any(|word| lower.contains(word));
        // `CHECK_EQ(a, b)` is given no condition.
        let compares =
            ["eq", "ge", "gt", "le", "lt", "ne"].iter().any(|word| lower.ends_with(word)) && lower.contains('_');
        let mut cursor = list.walk();
        let args: Vec<Node<'_>> =
            list.named_children(&mut cursor).filter(|arg| kind_of(*arg) != Kind::Comment).collect();
        if !args.is_empty() && last_name(callee).is_some() {
            self.test(call, None, GuardKind::Call, way);
        }
        for (index, arg) in args.into_iter().enumerate() {
            let condition = is_condition(self.text_of(arg));
            let of_cuda = kind_of(arg) == Kind::CallExpression
                && child_of(arg, Field::Function).is_some_and(|of| is_of_cuda(self.text_of(of)));
            if of_cuda || matches!(kind_of(arg), Kind::StringLiteral | Kind::LambdaExpression | Kind::NumberLiteral) {
                continue;
            }
            if demands && !compares && index == 0 {
                self.test(arg, Some(true), GuardKind::Maybe, way);
            } else if condition || (demands && compares) {
                self.test(arg, None, GuardKind::Maybe, way);
            }
        }
    }

    fn guard(&mut self, node: Node<'_>, holds: Option<bool>, kind: GuardKind, way: &mut Way) {
        match plain_test(node) {
            Some(test) => self.test(test, holds, kind, way),
            None => self.unread(node, way),
        }
    }

    fn test(&mut self, test: Node<'_>, holds: Option<bool>, kind: GuardKind, way: &mut Way) {
        if test.has_error() || way.guards.len() > MAX_GUARDS {
            return self.unread(test, way);
        }
        let condition = self.read_test(test);
        way.guards.push(Guard { condition, scope: way.scope, holds, kind });
    }

    /// A condition, read once.
    pub(super) fn read_test(&mut self, test: Node<'_>) -> ExprId {
        let known = self.tests.get(&test.id()).copied();
        let condition = known.unwrap_or_else(|| self.out.convert(test));
        self.tests.insert(test.id(), condition);
        condition
    }

    /// A condition that cannot be read.
    fn unread(&mut self, node: Node<'_>, way: &mut Way) {
        let span = self.out.span_of(node);
        let condition = self.out.add(Expr::Broken, span);
        way.guards.push(Guard { condition, scope: way.scope, holds: None, kind: GuardKind::Test });
    }

    /// Keeps the copies of the function around a node, once.
    fn copies_around(&mut self, node: Node<'_>, scope: ScopeId) {
        let Some(function) = function_of(node) else { return };
        let span = self.out.span_of(function);
        if self.copied.contains(&span) {
            return;
        }
        self.copied.push(span);
        let mut calls = Vec::new();
        each(function, MAX_FUNCTION, &mut |node| {
            if kind_of(node) == Kind::CallExpression && !node.has_error() && calls.len() < MAX_COPIES {
                let callee = child_of(node, Field::Function).map_or("", |callee| self.text_of(callee));
                if matches!(callee, "copy" | "cute::copy" | "::cute::copy") {
                    calls.push(node);
                }
            }
            true
        });
        for call in calls {
            let Some(list) = child_of(call, Field::Arguments) else { continue };
            let mut cursor = list.walk();
            let args: Vec<Node<'_>> =
                list.named_children(&mut cursor).filter(|arg| kind_of(*arg) != Kind::Comment).collect();
            let [by, from, to] = args.as_slice() else { continue };
            let Some((_, guards)) = self.way_to(call, scope) else { continue };
            let by = self.out.convert(*by);
            let tensors = [self.out.convert(*from), self.out.convert(*to)];
            self.out.unit.copied.push(Copied { function: span, by, tensors, guards });
        }
    }
}

/// Whether a macro calls the lambda that it is given for one of several values or types.
pub(super) fn is_switch(name: &str) -> bool {
    is_loud(name) && name.split('_').any(|word| word == "SWITCH" || word == "DISPATCH")
}

/// The condition of a statement. `if (int n = f(); n > 0)` declares a name, and is no plain condition.
pub(super) fn plain_test(node: Node<'_>) -> Option<Node<'_>> {
    let condition = child_of(node, Field::Condition);
    let test = condition.and_then(|condition| child_of(condition, Field::Value)).or(condition);
    let plain = condition.is_none_or(|condition| condition.named_child_count() <= 1 || Some(condition) == test);
    test.filter(|_| plain)
}

/// The function that a node stands in, lambdas aside.
fn function_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut at = node;
    for _ in 0..MAX_AROUND {
        at = at.parent()?;
        if kind_of(at) == Kind::FunctionDefinition {
            return Some(at);
        }
    }
    None
}

/// Whether a block was not parsed, since it has no layouts.
fn is_unparsed(node: Node<'_>) -> bool {
    kind_of(node) == Kind::CompoundStatement && node.named_child_count() == 0
}

/// Whether the last statement of a block leaves, and is part of no other: `{ for (…) f(); return; }`.
fn ends_by_leaving(block: &str, inside: bool) -> bool {
    let block = code(block);
    let words = LEAVES.get(if inside { ENDS_LOOP } else { 0 }..).unwrap_or_default();
    let rest = block.trim_end().strip_suffix('}').and_then(|rest| rest.trim_end().strip_suffix(';'));
    let Some(last) = rest.and_then(|rest| rest.rsplit([';', '{', '}']).next()).map(str::trim_start) else {
        return false;
    };
    let length = last.bytes().take_while(|byte| is_identifier(*byte)).count();
    words.contains(&last.get(..length).unwrap_or_default())
}

/// Whether something in a text decides what is done there.
fn decides(text: &str) -> bool {
    text.contains('?') || ["if", "for", "switch", "while"].iter().any(|word| places(text, word).next().is_some())
}

/// Whether a text demands something by a word.
pub(crate) fn demands(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    DEMANDS.iter().any(|word| lower.contains(word))
}

/// Whether a loop counts to the size of a tensor, by the words alone: the brackets of `k < size<2>(a)` may read as comparisons.
fn counts_to_size(condition: &str) -> bool {
    let Some((counter, bound)) = condition.split_once('<') else { return false };
    let bound = bound.trim().trim_start_matches("cute::");
    !counter.trim().is_empty()
        && counter.trim().bytes().all(is_identifier)
        && bound.starts_with("size<")
        && bound.ends_with(')')
        && !bound.contains(['%', '?', '=', '&', '|', '!', '+'])
}

/// Visits a node and those in it, as far as it is told to go on.
fn each<'t>(node: Node<'t>, most: usize, visit: &mut dyn FnMut(Node<'t>) -> bool) {
    let mut open = vec![node];
    for _ in 0..most {
        let Some(node) = open.pop() else { return };
        if visit(node) {
            let mut cursor = node.walk();
            let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
            open.extend(children.into_iter().rev());
        }
    }
}

/// Whether something in a text may end the function around it, or also the loop.
pub(crate) fn leaves(text: &str, inside: bool) -> bool {
    let words = LEAVES.get(if inside { ENDS_LOOP } else { 0 }..).unwrap_or_default();
    words.iter().any(|word| places(text, word).next().is_some())
}

/// Whether a text leaves, or calls what may: a function that is not known to come back, or a word that may be a macro.
fn may_leave(text: &str) -> bool {
    let mut at = 0;
    while let Some(offset) =
        text.get(at..).and_then(|rest| rest.find(|sign: char| sign.is_ascii_alphabetic() || sign == '_'))
    {
        let start = at + offset;
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.bytes().take_while(|byte| is_identifier(*byte)).count().max(1);
        let word = rest.get(..length).unwrap_or_default();
        let next = rest.get(length..).unwrap_or_default().trim_start();
        let called = next.starts_with('(') && !COMES_BACK.contains(&word) && !is_of_cuda(word);
        // `CUDA_CHECK(cudaFuncSetAttribute(…))` leaves where CUDA fails, whatever it is given.
        let inner = next.strip_prefix('(').map(str::trim_start).unwrap_or_default();
        let checked = inner.get(..inner.bytes().take_while(|byte| is_identifier(*byte)).count()).unwrap_or_default();
        let called = called && !(is_of_cuda(checked) && demands(word) && !word.to_ascii_lowercase().contains("return"));
        let bare = next.starts_with(';') && is_loud(word);
        if called || bare || LEAVES.contains(&word) {
            return true;
        }
        at = start + length;
    }
    false
}

/// Whether a text compares something.
fn is_condition(text: &str) -> bool {
    let compares = ["==", "!=", "<=", ">=", "&&", "||", " < ", " > "].iter().any(|sign| text.contains(sign));
    compares || text.starts_with('!') || text.contains('%')
}

/// Whether a name is that of a function of CUDA's own libraries, which know nothing of layouts.
pub(crate) fn is_of_cuda(name: &str) -> bool {
    ["cuda", "cublas", "cusparse", "cu"].iter().any(|head| {
        let rest = name.strip_prefix(head).and_then(|rest| rest.bytes().next());
        rest.is_some_and(|byte| byte.is_ascii_uppercase())
    })
}
