//! The tree of a file from the tree of a faster parser, of a text that it reads without a complaint and that nests no deeper than its
//! stack allows: 123 MB of Python take it 5.2 s, with the look at how deep they nest, and the grammar 25.8 s. Everything else is left to the
//! grammar, which also says what it could not read.
//!
//! The nodes are the grammar's, by their kinds and fields, as far as anyone asks: no comments, no parentheses around an expression, and
//! of the words between the nodes only operators and the colons of a slice. Where a comment ends a block, the block ends before it.

mod expressions;

use std::panic::{AssertUnwindSafe, catch_unwind};

use ruff_python_ast as ast;
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{AnyParameterRef, Pattern, Stmt};
use ruff_python_parser::lexer::lex;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::nodes::{Builder, Tree};

/// How deep a statement may nest: the parser recurses, over at most two kilobytes for each.
const MAX_NESTING: u32 = 100;

/// The tree of a text; nothing where the grammar must say what it is.
pub(super) fn tree(text: &str) -> Option<Tree> {
    if !is_flat(text) {
        return None;
    }
    // Somebody else's parser may have a fault of its own.
    let parse = || parse_unchecked(text, ParseOptions::from(Mode::Module)).try_into_module();
    let parsed = catch_unwind(AssertUnwindSafe(parse)).ok()??;
    if !parsed.has_valid_syntax() {
        return None;
    }
    let mut maker = Maker { text, nodes: Builder::new(text.len() / BYTES_OF_A_NODE), strange: false };
    maker.nodes.open("module", "", whole(text));
    for statement in parsed.suite() {
        maker.statement(statement);
    }
    maker.nodes.close();
    (!maker.strange).then(|| maker.nodes.done())
}

/// Bytes of a text for each node of its tree, or a few more.
const BYTES_OF_A_NODE: usize = 8;

fn whole(text: &str) -> TextRange {
    TextRange::up_to(TextSize::try_from(text.len()).unwrap_or_default())
}

/// Whether no statement nests too deep. Each operator and word of the language in one expression counts as if it did.
fn is_flat(text: &str) -> bool {
    let mut lexer = lex(text, Mode::Module);
    // How deep what is read nests, and the brackets around it: how deep their items begin to.
    let (mut depth, mut around, mut first) = (0_u32, Vec::new(), 0_u32);
    let mut indent = 0_u32;
    loop {
        match lexer.next_token() {
            TokenKind::EndOfFile => return true,
            TokenKind::Indent => indent += 1,
            TokenKind::Dedent => indent = indent.saturating_sub(1),
            TokenKind::Newline | TokenKind::Semi => {
                (depth, first) = (0, 0);
                around.clear();
            }
            TokenKind::Lpar
            | TokenKind::Lsqb
            | TokenKind::Lbrace
            | TokenKind::FStringStart
            | TokenKind::TStringStart => {
                around.push((depth, first));
                depth += 1;
                first = depth;
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace | TokenKind::FStringEnd | TokenKind::TStringEnd => {
                (depth, first) = around.pop().unwrap_or_default();
                // `f(x)(y)`
                depth += 1;
            }
            TokenKind::Comma => depth = first,
            // Commas among its parameters do not end it.
            TokenKind::Lambda => {
                depth += 1;
                first += 1;
            }
            TokenKind::Name
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Complex
            | TokenKind::String
            | TokenKind::FStringMiddle
            | TokenKind::TStringMiddle
            | TokenKind::Comment
            | TokenKind::NonLogicalNewline => {}
            _ => depth += 1,
        }
        if depth.max(first) + indent > MAX_NESTING {
            return false;
        }
    }
}

/// Makes nodes of one kind after the other, those in it before the next.
struct Maker<'t> {
    text: &'t str,
    nodes: Builder,
    /// Whether something was met that the grammar does not know, or writes in another way.
    strange: bool,
}

// Recursion: no deeper than [`is_flat`] allows.
impl<'t> Maker<'t> {
    fn within(&self, start: TextSize, end: TextSize) -> &'t str {
        self.text.get(usize::from(start)..usize::from(end)).unwrap_or_default()
    }

    /// Where a word stands in what lies between two places; comments say nothing.
    fn word(&self, start: TextSize, end: TextSize, word: &str) -> Option<TextRange> {
        let text = self.within(start, end);
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            if rest.starts_with(word) {
                let from = start + TextSize::try_from(at).ok()?;
                return Some(TextRange::at(from, TextSize::try_from(word.len()).ok()?));
            }
            let next = rest.chars().next().map_or(1, char::len_utf8);
            at += if rest.starts_with('#') { rest.find('\n').unwrap_or(rest.len()) } else { next };
        }
        None
    }

    /// Where something stands again behind a place, comments aside.
    fn first(&self, after: TextSize) -> TextSize {
        let mut rest = self.text.get(usize::from(after)..).unwrap_or_default();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
            if !rest.starts_with('#') {
                return TextSize::try_from(self.text.len() - rest.len()).unwrap_or(after);
            }
            rest = rest.find('\n').and_then(|end| rest.get(end..)).unwrap_or_default();
        }
    }

    /// The end of the last closing parenthesis between two places, or the first of them.
    fn closed(&self, start: TextSize, end: TextSize) -> TextSize {
        let mut last = start;
        while let Some(found) = self.word(last, end, ")") {
            last = found.end();
        }
        last
    }

    fn leaf(&mut self, kind: &'static str, field: &str, range: TextRange) {
        self.nodes.open(kind, field, range);
        self.nodes.close();
    }

    /// A word of the language, found in what lies between two expressions.
    fn operator(&mut self, field: &str, start: TextSize, end: TextSize, word: &str) {
        match self.word(start, end, word) {
            Some(range) => self.nodes.token("operator", field, range),
            None => self.strange = true,
        }
    }

    fn block(&mut self, field: &str, body: &[Stmt]) {
        let (Some(first), Some(last)) = (body.first(), body.last()) else {
            self.strange = true;
            return;
        };
        self.nodes.open("block", field, TextRange::new(first.start(), last.end()));
        for statement in body {
            self.statement(statement);
        }
        self.nodes.close();
    }

    /// A block under a word: `else`, `finally`.
    fn clause(&mut self, kind: &'static str, word: &str, (field, body): (&str, &str), after: TextSize, all: &[Stmt]) {
        let (Some(first), Some(last)) = (all.first(), all.last()) else { return };
        let start = self.word(after, first.start(), word).map_or(first.start(), TextRange::start);
        self.nodes.open(kind, field, TextRange::new(start, last.end()));
        self.block(body, all);
        self.nodes.close();
    }

    fn statement(&mut self, statement: &Stmt) {
        let range = statement.range();
        match statement {
            Stmt::FunctionDef(of) => self.definition("function_definition", &of.decorator_list, range, |maker| {
                maker.leaf("identifier", "name", of.name.range);
                maker.type_parameters(of.type_params.as_deref());
                maker.parameters("parameters", &of.parameters);
                if let Some(result) = &of.returns {
                    maker.said("return_type", result, of.parameters.range.end());
                }
                maker.block("body", &of.body);
            }),
            Stmt::ClassDef(of) => self.definition("class_definition", &of.decorator_list, range, |maker| {
                maker.leaf("identifier", "name", of.name.range);
                maker.type_parameters(of.type_params.as_deref());
                if let Some(arguments) = &of.arguments {
                    maker.arguments("superclasses", arguments);
                }
                maker.block("body", &of.body);
            }),
            Stmt::Return(of) => {
                self.nodes.open("return_statement", "", range);
                of.value.iter().for_each(|value| self.expr("", value));
                self.nodes.close();
            }
            Stmt::Delete(of) => {
                self.nodes.open("delete_statement", "", range);
                of.targets.iter().for_each(|target| self.expr("", target));
                self.nodes.close();
            }
            // The parser and the grammar read its parts in different ways.
            Stmt::TypeAlias(_) | Stmt::IpyEscapeCommand(_) => self.strange = true,
            Stmt::Assign(of) => {
                self.nodes.open("expression_statement", "", range);
                for (place, target) in of.targets.iter().enumerate() {
                    // a = b = 4
                    let start =
                        if place == 0 { range.start() } else { self.opening(target, of.targets.get(place - 1)) };
                    let field = if place == 0 { "" } else { "right" };
                    self.nodes.open("assignment", field, TextRange::new(start, range.end()));
                    self.expr("left", target);
                }
                self.expr("right", &of.value);
                of.targets.iter().for_each(|_| self.nodes.close());
                self.nodes.close();
            }
            Stmt::AugAssign(of) => {
                self.nodes.open("expression_statement", "", range);
                self.nodes.open("augmented_assignment", "", range);
                self.expr("left", &of.target);
                self.expr("right", &of.value);
                self.nodes.close();
                self.nodes.close();
            }
            Stmt::AnnAssign(of) => {
                self.nodes.open("expression_statement", "", range);
                self.nodes.open("assignment", "", range);
                self.expr("left", &of.target);
                self.said("type", &of.annotation, of.target.end());
                of.value.iter().for_each(|value| self.expr("right", value));
                self.nodes.close();
                self.nodes.close();
            }
            Stmt::For(of) => {
                self.nodes.open("for_statement", "", range);
                self.expr("left", &of.target);
                self.expr("right", &of.iter);
                self.rounds(&of.body, &of.orelse);
                self.nodes.close();
            }
            Stmt::While(of) => {
                self.nodes.open("while_statement", "", range);
                self.expr("condition", &of.test);
                self.rounds(&of.body, &of.orelse);
                self.nodes.close();
            }
            Stmt::If(of) => {
                self.nodes.open("if_statement", "", range);
                self.expr("condition", &of.test);
                self.block("consequence", &of.body);
                for clause in &of.elif_else_clauses {
                    let kind = if clause.test.is_some() { "elif_clause" } else { "else_clause" };
                    self.nodes.open(kind, "alternative", clause.range);
                    clause.test.iter().for_each(|test| self.expr("condition", test));
                    self.block(if clause.test.is_some() { "consequence" } else { "body" }, &clause.body);
                    self.nodes.close();
                }
                self.nodes.close();
            }
            Stmt::With(of) => self.with(of),
            Stmt::Match(of) => self.matching(of),
            Stmt::Raise(of) => {
                self.nodes.open("raise_statement", "", range);
                of.exc.iter().for_each(|one| self.expr("", one));
                of.cause.iter().for_each(|one| self.expr("cause", one));
                self.nodes.close();
            }
            Stmt::Try(of) => self.trying(of),
            Stmt::Assert(of) => {
                self.nodes.open("assert_statement", "", range);
                self.expr("", &of.test);
                of.msg.iter().for_each(|one| self.expr("", one));
                self.nodes.close();
            }
            Stmt::Import(of) => {
                self.nodes.open("import_statement", "", range);
                of.names.iter().for_each(|name| self.imported(name));
                self.nodes.close();
            }
            Stmt::ImportFrom(of) => self.import_from(of),
            Stmt::Global(of) => self.names("global_statement", range, &of.names),
            Stmt::Nonlocal(of) => self.names("nonlocal_statement", range, &of.names),
            Stmt::Expr(of) => {
                self.nodes.open("expression_statement", "", range);
                match &*of.value {
                    ast::Expr::Tuple(all) if !all.parenthesized => all.elts.iter().for_each(|one| self.expr("", one)),
                    value => self.expr("", value),
                }
                self.nodes.close();
            }
            Stmt::Pass(_) => self.leaf("pass_statement", "", range),
            Stmt::Break(_) => self.leaf("break_statement", "", range),
            Stmt::Continue(_) => self.leaf("continue_statement", "", range),
        }
    }

    /// Where a target begins, with the parentheses around it.
    fn opening(&self, target: &ast::Expr, before: Option<&ast::Expr>) -> TextSize {
        let after = before.map_or(target.start(), |before| self.closed(before.end(), target.start()));
        let equals = self.word(after, target.start(), "=").map_or(target.start(), TextRange::end);
        self.word(equals, target.start(), "(").map_or(target.start(), TextRange::start)
    }

    /// A function or a class with its decorators.
    fn definition(
        &mut self,
        kind: &'static str,
        marks: &[ast::Decorator],
        range: TextRange,
        inside: impl FnOnce(&mut Self),
    ) {
        let (mut field, mut start) = ("", range.start());
        if let Some(last) = marks.last() {
            self.nodes.open("decorated_definition", "", range);
            for mark in marks {
                self.nodes.open("decorator", "", mark.range);
                self.expr("", &mark.expression);
                self.nodes.close();
            }
            (field, start) = ("definition", self.first(last.range.end()));
        }
        self.nodes.open(kind, field, TextRange::new(start, range.end()));
        inside(self);
        self.nodes.close();
        if !marks.is_empty() {
            self.nodes.close();
        }
    }

    /// What a loop does in each round, and what behind them.
    fn rounds(&mut self, body: &[Stmt], rest: &[Stmt]) {
        self.block("body", body);
        self.clause("else_clause", "else", ("alternative", "body"), end(body), rest);
    }

    fn with(&mut self, of: &ast::StmtWith) {
        self.nodes.open("with_statement", "", of.range);
        let (first, last) = (of.items.first(), of.items.last());
        if let (Some(first), Some(last)) = (first, last) {
            self.nodes.open("with_clause", "", TextRange::new(first.range.start(), last.range.end()));
        }
        for item in &of.items {
            self.nodes.open("with_item", "", item.range);
            match &item.optional_vars {
                Some(name) => {
                    self.nodes.open("as_pattern", "value", item.range);
                    self.expr("", &item.context_expr);
                    self.nodes.open("as_pattern_target", "alias", name.range());
                    self.expr("", name);
                    self.nodes.close();
                    self.nodes.close();
                }
                None => self.expr("value", &item.context_expr),
            }
            self.nodes.close();
        }
        self.nodes.close();
        self.block("body", &of.body);
        self.nodes.close();
    }

    fn trying(&mut self, of: &ast::StmtTry) {
        self.nodes.open("try_statement", "", of.range);
        self.block("body", &of.body);
        let mut after = end(&of.body);
        for ast::ExceptHandler::ExceptHandler(one) in &of.handlers {
            self.nodes.open("except_clause", "", one.range);
            match (&one.type_, &one.name) {
                (Some(kind), Some(name)) => {
                    self.nodes.open("as_pattern", "value", TextRange::new(kind.start(), name.range.end()));
                    self.expr("", kind);
                    self.nodes.open("as_pattern_target", "alias", name.range);
                    self.leaf("identifier", "", name.range);
                    self.nodes.close();
                    self.nodes.close();
                }
                (Some(kind), None) => match &**kind {
                    ast::Expr::Tuple(all) if !all.parenthesized => {
                        all.elts.iter().for_each(|one| self.expr("value", one));
                    }
                    kind => self.expr("value", kind),
                },
                (None, _) => {}
            }
            self.block("", &one.body);
            self.nodes.close();
            after = one.range.end();
        }
        self.clause("else_clause", "else", ("", "body"), after, &of.orelse);
        let after = of.orelse.last().map_or(after, Ranged::end);
        self.clause("finally_clause", "finally", ("", ""), after, &of.finalbody);
        self.nodes.close();
    }

    fn matching(&mut self, of: &ast::StmtMatch) {
        self.nodes.open("match_statement", "", of.range);
        match &*of.subject {
            ast::Expr::Tuple(all) if !all.parenthesized => all.elts.iter().for_each(|one| self.expr("subject", one)),
            subject => self.expr("subject", subject),
        }
        let (first, last) = (of.cases.first(), of.cases.last());
        let (Some(first), Some(last)) = (first, last) else {
            self.strange = true;
            return self.nodes.close();
        };
        self.nodes.open("block", "body", TextRange::new(first.range.start(), last.range.end()));
        for case in &of.cases {
            self.nodes.open("case_clause", "", case.range);
            self.nodes.open("case_pattern", "", case.pattern.range());
            self.pattern(&case.pattern);
            self.nodes.close();
            if let Some(guard) = &case.guard {
                let word = self.word(case.pattern.end(), guard.start(), "if");
                let start = word.map_or(guard.start(), TextRange::start);
                self.nodes.open("if_clause", "guard", TextRange::new(start, guard.end()));
                self.expr("", guard);
                self.nodes.close();
            }
            self.block("consequence", &case.body);
            self.nodes.close();
        }
        self.nodes.close();
        self.nodes.close();
    }

    /// The names in a pattern: nobody asks for more of it.
    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::MatchValue(of) => self.dotted(&of.value),
            Pattern::MatchSingleton(_) => {}
            Pattern::MatchSequence(of) => of.patterns.iter().for_each(|one| self.pattern(one)),
            Pattern::MatchMapping(of) => {
                for (key, value) in of.keys.iter().zip(&of.patterns) {
                    self.dotted(key);
                    self.pattern(value);
                }
                of.rest.iter().for_each(|name| self.leaf("identifier", "", name.range));
            }
            Pattern::MatchClass(of) => {
                self.dotted(&of.cls);
                of.arguments.patterns.iter().for_each(|one| self.pattern(one));
                for one in &of.arguments.keywords {
                    self.leaf("identifier", "", one.attr.range);
                    self.pattern(&one.pattern);
                }
            }
            Pattern::MatchStar(of) => of.name.iter().for_each(|name| self.leaf("identifier", "", name.range)),
            Pattern::MatchAs(of) => {
                of.pattern.iter().for_each(|one| self.pattern(one));
                of.name.iter().for_each(|name| self.leaf("identifier", "", name.range));
            }
            Pattern::MatchOr(of) => of.patterns.iter().for_each(|one| self.pattern(one)),
        }
    }

    /// The names of `a.b` in a pattern.
    fn dotted(&mut self, of: &ast::Expr) {
        match of {
            ast::Expr::Name(name) => self.leaf("identifier", "", name.range),
            ast::Expr::Attribute(of) => {
                self.dotted(&of.value);
                self.leaf("identifier", "", of.attr.range);
            }
            _ => {}
        }
    }

    fn names(&mut self, kind: &'static str, range: TextRange, names: &[ast::Identifier]) {
        self.nodes.open(kind, "", range);
        for name in names {
            self.leaf("identifier", "", name.range);
        }
        self.nodes.close();
    }

    fn imported(&mut self, name: &ast::Alias) {
        let dotted = |maker: &mut Self, field: &str| {
            maker.nodes.open("dotted_name", field, name.name.range);
            let mut at = name.name.range.start();
            for part in maker.within(name.name.range.start(), name.name.range.end()).split('.') {
                let length = TextSize::try_from(part.len()).unwrap_or_default();
                maker.leaf("identifier", "", TextRange::at(at, length));
                at += length + TextSize::from(1);
            }
            maker.nodes.close();
        };
        match &name.asname {
            Some(alias) => {
                self.nodes.open("aliased_import", "name", name.range);
                dotted(self, "name");
                self.leaf("identifier", "alias", alias.range);
                self.nodes.close();
            }
            None => dotted(self, "name"),
        }
    }

    fn import_from(&mut self, of: &ast::StmtImportFrom) {
        let module = of.module.as_ref();
        let future = of.level == 0 && module.is_some_and(|module| module.id.as_str() == "__future__");
        self.nodes.open(if future { "future_import_statement" } else { "import_from_statement" }, "", of.range);
        if !future {
            let from = of.range.start() + TextSize::from(4);
            let dot = self.word(from, of.range.end(), ".").filter(|_| of.level > 0);
            let start = dot.map(TextRange::start).or(module.map(|module| module.range.start()));
            let end = module.map(|module| module.range.end());
            let end = end.or_else(|| Some(self.word(from, of.range.end(), "import")?.start()));
            match start.zip(end).filter(|(start, end)| start < end) {
                Some((start, end)) => {
                    let length = self.within(start, end).trim_end().len();
                    let range = TextRange::at(start, TextSize::try_from(length).unwrap_or_default());
                    self.leaf(if of.level > 0 { "relative_import" } else { "dotted_name" }, "module_name", range);
                }
                None => self.strange = true,
            }
        }
        for name in &of.names {
            if name.name.id.as_str() == "*" {
                self.leaf("wildcard_import", "", name.range);
            } else {
                self.imported(name);
            }
        }
        self.nodes.close();
    }

    /// Nobody asks for them, but what they are would be read as expressions.
    fn type_parameters(&mut self, of: Option<&ast::TypeParams>) {
        self.strange |= of.is_some();
    }

    fn parameters(&mut self, kind: &'static str, of: &ast::Parameters) {
        self.nodes.open(kind, "parameters", of.range);
        let places = of.posonlyargs.len();
        for (place, one) in of.iter_source_order().enumerate() {
            if place == places && place > 0 {
                self.leaf("positional_separator", "", TextRange::empty(one.range().start()));
            }
            let keyword = matches!(one, AnyParameterRef::NonVariadic(one) if of.kwonlyargs.first() == Some(one));
            if keyword && of.vararg.is_none() {
                self.leaf("keyword_separator", "", TextRange::empty(one.range().start()));
            }
            match one {
                AnyParameterRef::NonVariadic(one) => self.parameter(one),
                AnyParameterRef::Variadic(one) => {
                    let named = of.kwarg.as_deref().is_some_and(|all| std::ptr::eq(all, one));
                    let kind = if named { "dictionary_splat_pattern" } else { "list_splat_pattern" };
                    if one.annotation.is_some() {
                        self.nodes.open("typed_parameter", "", one.range);
                    }
                    // With the stars before it.
                    self.nodes.open(kind, "", TextRange::new(one.range.start(), one.name.range.end()));
                    self.leaf("identifier", "", one.name.range);
                    self.nodes.close();
                    if let Some(kind) = &one.annotation {
                        self.said("type", kind, one.name.range.end());
                        self.nodes.close();
                    }
                }
            }
        }
        if places > 0 && of.iter_source_order().count() == places {
            self.leaf("positional_separator", "", TextRange::empty(of.range.end()));
        }
        self.nodes.close();
    }

    fn parameter(&mut self, of: &ast::ParameterWithDefault) {
        let (name, kind) = (of.parameter.name.range, of.parameter.annotation.as_deref());
        match (kind, of.default.as_deref()) {
            (None, None) => self.leaf("identifier", "", name),
            (Some(kind), None) => {
                self.nodes.open("typed_parameter", "", of.range);
                self.leaf("identifier", "", name);
                self.said("type", kind, name.end());
                self.nodes.close();
            }
            (kind, Some(value)) => {
                let of_kind = if kind.is_some() { "typed_default_parameter" } else { "default_parameter" };
                self.nodes.open(of_kind, "", of.range);
                self.leaf("identifier", "name", name);
                if let Some(kind) = kind {
                    self.said("type", kind, name.end());
                }
                self.expr("value", value);
                self.nodes.close();
            }
        }
    }

    /// An annotation, behind a place.
    fn said(&mut self, field: &str, of: &ast::Expr, after: TextSize) {
        self.nodes.open("type", field, self.outer(of, after));
        match of {
            // `List[int] | None` is one of types, `int | None` an expression.
            ast::Expr::BinOp(either) if is_of_types(of) => {
                self.nodes.open("union_type", "", of.range());
                self.said("", &either.left, either.left.start());
                self.said("", &either.right, either.left.end());
                self.nodes.close();
            }
            // `List[int]`
            ast::Expr::Subscript(list) if matches!(&*list.value, ast::Expr::Name(_)) => {
                self.nodes.open("generic_type", "", of.range());
                self.expr("", &list.value);
                let open = self.word(list.value.end(), of.end(), "[").map_or(list.value.end(), TextRange::start);
                self.nodes.open("type_parameter", "", TextRange::new(open, of.end()));
                match &*list.slice {
                    ast::Expr::Tuple(all) if !all.parenthesized => {
                        all.elts.iter().for_each(|one| self.said("", one, one.start()));
                    }
                    one => self.said("", one, one.start()),
                }
                self.nodes.close();
                self.nodes.close();
            }
            ast::Expr::Slice(_) => self.strange = true,
            of => self.expr("", of),
        }
        self.nodes.close();
    }
}

/// Whether an annotation is `Name[…]`, or that or something else.
fn is_of_types(of: &ast::Expr) -> bool {
    let mut at = of;
    while let ast::Expr::BinOp(either) = at {
        if either.op != ast::Operator::BitOr || either.left.start() != at.start() {
            return false;
        }
        at = &either.left;
    }
    matches!(at, ast::Expr::Subscript(list) if list.value.is_name_expr() && list.value.start() == list.range.start())
}

fn end(body: &[Stmt]) -> TextSize {
    body.last().map(Ranged::end).unwrap_or_default()
}

#[cfg(test)]
mod tests;
