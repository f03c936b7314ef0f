//! The nodes of expressions.

use ruff_python_ast as ast;
use ruff_python_ast::{ArgOrKeyword, ExprContext, StringFlags};
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::Maker;

// Recursion: no deeper than `is_flat` allows.
impl Maker<'_> {
    pub(super) fn arguments(&mut self, field: &str, of: &ast::Arguments) {
        if let ([ast::Expr::Generator(one)], []) = (&*of.args, &*of.keywords)
            && !one.parenthesized
        {
            return self.gathering("generator_expression", field, of.range, (None, &one.elt), &one.generators);
        }
        self.nodes.open("argument_list", field, of.range);
        for one in of.arguments_source_order() {
            match one {
                ArgOrKeyword::Arg(one) => self.expr("", one),
                ArgOrKeyword::Keyword(one) => {
                    if let Some(name) = &one.arg {
                        self.nodes.open("keyword_argument", "", one.range);
                        self.leaf("identifier", "name", name.range);
                        self.expr("value", &one.value);
                        self.nodes.close();
                    } else {
                        self.all("dictionary_splat", "", one.range, [&one.value]);
                    }
                }
            }
        }
        self.nodes.close();
    }

    /// A comprehension.
    fn gathering(
        &mut self,
        kind: &'static str,
        field: &str,
        range: TextRange,
        (key, item): (Option<&ast::Expr>, &ast::Expr),
        of: &[ast::Comprehension],
    ) {
        self.nodes.open(kind, field, range);
        match key {
            Some(key) => self.pair(key, item),
            None => self.expr("body", item),
        }
        for one in of {
            self.nodes.open("for_in_clause", "", one.range);
            self.expr("left", &one.target);
            self.expr("right", &one.iter);
            self.nodes.close();
            for test in &one.ifs {
                self.nodes.open("if_clause", "", test.range());
                self.expr("", test);
                self.nodes.close();
            }
        }
        self.nodes.close();
    }

    fn pair(&mut self, key: &ast::Expr, value: &ast::Expr) {
        self.nodes.open("pair", "", TextRange::new(key.start(), value.end()));
        self.expr("key", key);
        self.expr("value", value);
        self.nodes.close();
    }

    /// An expression with the parentheses around it, of which nothing else stands behind a place.
    pub(super) fn outer(&self, of: &ast::Expr, after: TextSize) -> TextRange {
        let (mut start, mut end, mut at) = (of.start(), of.end(), after);
        while let Some(open) = self.word(at, of.start(), "(") {
            let whole = TextSize::try_from(self.text.len()).unwrap_or_default();
            let Some(close) = self.word(end, whole, ")") else { break };
            (start, end, at) = (start.min(open.start()), close.end(), open.end());
        }
        TextRange::new(start, end)
    }

    fn all<'e>(
        &mut self,
        kind: &'static str,
        field: &str,
        range: TextRange,
        of: impl IntoIterator<Item = &'e ast::Expr>,
    ) {
        self.nodes.open(kind, field, range);
        of.into_iter().for_each(|one| self.expr("", one));
        self.nodes.close();
    }

    pub(super) fn expr(&mut self, field: &str, of: &ast::Expr) {
        let range = of.range();
        match of {
            ast::Expr::BoolOp(of) => self.both(field, of),
            ast::Expr::Named(of) => {
                self.nodes.open("named_expression", field, range);
                self.expr("name", &of.target);
                self.expr("value", &of.value);
                self.nodes.close();
            }
            ast::Expr::BinOp(of) => {
                self.nodes.open("binary_operator", field, range);
                self.expr("left", &of.left);
                self.operator("operator", of.left.end(), of.right.start(), of.op.as_str());
                self.expr("right", &of.right);
                self.nodes.close();
            }
            ast::Expr::UnaryOp(of) => {
                let kind = if of.op == ast::UnaryOp::Not { "not_operator" } else { "unary_operator" };
                self.nodes.open(kind, field, range);
                self.operator("", range.start(), of.operand.start(), of.op.as_str());
                self.expr("argument", &of.operand);
                self.nodes.close();
            }
            ast::Expr::Lambda(of) => {
                self.nodes.open("lambda", field, range);
                of.parameters.iter().for_each(|all| self.parameters("lambda_parameters", all));
                self.expr("body", &of.body);
                self.nodes.close();
            }
            ast::Expr::If(of) => self.all("conditional_expression", field, range, [&*of.body, &*of.test, &*of.orelse]),
            ast::Expr::Dict(of) => {
                self.nodes.open("dictionary", field, range);
                let mut before = range.start();
                for item in &of.items {
                    if let Some(key) = &item.key {
                        self.pair(key, &item.value);
                    } else {
                        let stars = self.word(before, item.value.start(), "**");
                        let (start, after) =
                            stars.map_or((item.value.start(), before), |stars| (stars.start(), stars.end()));
                        let range = TextRange::new(start, self.outer(&item.value, after).end());
                        self.all("dictionary_splat", "", range, [&item.value]);
                    }
                    before = item.value.end();
                }
                self.nodes.close();
            }
            ast::Expr::Set(of) => self.all("set", field, range, &of.elts),
            ast::Expr::ListComp(of) => {
                self.gathering("list_comprehension", field, range, (None, &of.elt), &of.generators);
            }
            ast::Expr::SetComp(of) => {
                self.gathering("set_comprehension", field, range, (None, &of.elt), &of.generators);
            }
            ast::Expr::DictComp(of) => {
                let item = (Some(&*of.key), &*of.value);
                self.gathering("dictionary_comprehension", field, range, item, &of.generators);
            }
            ast::Expr::Generator(of) => {
                self.gathering("generator_expression", field, range, (None, &of.elt), &of.generators);
            }
            ast::Expr::Await(of) => self.all("await", field, range, [&*of.value]),
            ast::Expr::Yield(of) => self.all("yield", field, range, of.value.as_deref()),
            ast::Expr::YieldFrom(of) => self.all("yield", field, range, [&*of.value]),
            ast::Expr::Compare(of) => {
                self.nodes.open("comparison_operator", field, range);
                self.expr("", &of.left);
                let mut before = of.left.end();
                for (op, one) in of.ops.iter().zip(&of.comparators) {
                    self.compared(*op, before, one.start());
                    self.expr("", one);
                    before = one.end();
                }
                self.nodes.close();
            }
            ast::Expr::Call(of) => {
                self.nodes.open("call", field, range);
                self.expr("function", &of.func);
                self.arguments("arguments", &of.arguments);
                self.nodes.close();
            }
            ast::Expr::FString(of) => self.f_string(field, range, of.value.as_slice()),
            ast::Expr::StringLiteral(of) => {
                let parts = of.value.as_slice();
                self.strings(field, range, parts, |maker, field, one| {
                    maker.string(field, one.range, (one.flags.opener_len(), one.flags.closer_len()));
                });
            }
            ast::Expr::BytesLiteral(of) => {
                let parts = of.value.as_slice();
                self.strings(field, range, parts, |maker, field, one| {
                    maker.string(field, one.range, (one.flags.opener_len(), one.flags.closer_len()));
                });
            }
            ast::Expr::TString(_) | ast::Expr::IpyEscapeCommand(_) => self.strange = true,
            ast::Expr::NumberLiteral(of) => {
                let kind = if matches!(of.value, ast::Number::Int(_)) { "integer" } else { "float" };
                self.leaf(kind, field, range);
            }
            ast::Expr::BooleanLiteral(of) => self.leaf(if of.value { "true" } else { "false" }, field, range),
            ast::Expr::NoneLiteral(_) => self.leaf("none", field, range),
            ast::Expr::EllipsisLiteral(_) => self.leaf("ellipsis", field, range),
            ast::Expr::Attribute(of) => {
                self.nodes.open("attribute", field, range);
                self.expr("object", &of.value);
                self.leaf("identifier", "attribute", of.attr.range);
                self.nodes.close();
            }
            ast::Expr::Subscript(of) => {
                self.nodes.open("subscript", field, range);
                self.expr("value", &of.value);
                match &*of.slice {
                    ast::Expr::Tuple(all) if !all.parenthesized => {
                        all.elts.iter().for_each(|one| self.expr("subscript", one));
                    }
                    one => self.expr("subscript", one),
                }
                self.nodes.close();
            }
            ast::Expr::Starred(of) => {
                let kind = if of.ctx == ExprContext::Store { "list_splat_pattern" } else { "list_splat" };
                self.all(kind, field, range, [&*of.value]);
            }
            ast::Expr::Name(_) => self.leaf("identifier", field, range),
            ast::Expr::List(of) => {
                let kind = if of.ctx == ExprContext::Store { "list_pattern" } else { "list" };
                self.all(kind, field, range, &of.elts);
            }
            ast::Expr::Tuple(of) => {
                let kind = match (of.ctx == ExprContext::Store, of.parenthesized) {
                    (true, true) => "tuple_pattern",
                    (true, false) => "pattern_list",
                    (false, true) => "tuple",
                    (false, false) => "expression_list",
                };
                self.all(kind, field, range, &of.elts);
            }
            ast::Expr::Slice(of) => {
                self.nodes.open("slice", field, range);
                let mut after = range.start();
                if let Some(one) = &of.lower {
                    self.expr("", one);
                    after = one.end();
                }
                after = self.colon(after, range.end()).unwrap_or(range.end());
                if let Some(one) = &of.upper {
                    self.expr("", one);
                    after = one.end();
                }
                if self.colon(after, of.step.as_ref().map_or(range.end(), |step| step.start())).is_some()
                    && let Some(one) = &of.step
                {
                    self.expr("", one);
                }
                self.nodes.close();
            }
        }
    }

    /// A colon of a slice, and where it ends.
    fn colon(&mut self, start: TextSize, end: TextSize) -> Option<TextSize> {
        let found = self.word(start, end, ":")?;
        self.nodes.token(":", "", found);
        Some(found.end())
    }

    fn compared(&mut self, op: ast::CmpOp, start: TextSize, end: TextSize) {
        let (first, second) = match op {
            ast::CmpOp::NotIn => ("not", Some("in")),
            ast::CmpOp::IsNot => ("is", Some("not")),
            other => (other.as_str(), None),
        };
        let found = self.word(start, end, first);
        let last = second.and_then(|second| self.word(found?.end(), end, second)).or(found);
        match found.zip(last) {
            Some((from, to)) => self.nodes.token("operator", "operators", TextRange::new(from.start(), to.end())),
            None => self.strange = true,
        }
    }

    /// `a and b and c` is `(a and b) and c`.
    fn both(&mut self, field: &str, of: &ast::ExprBoolOp) {
        let word = of.op.as_str();
        let mut ends = Vec::new();
        for (one, next) in of.values.iter().zip(of.values.iter().skip(1)).skip(1) {
            let end = self.word(one.end(), next.start(), word).map_or(next.start(), TextRange::start);
            ends.push(self.closed(one.end(), end));
        }
        ends.push(of.range.end());
        for (place, end) in ends.iter().enumerate().rev() {
            let field = if place + 1 == ends.len() { field } else { "left" };
            self.nodes.open("boolean_operator", field, TextRange::new(of.range.start(), *end));
        }
        let mut before: Option<&ast::Expr> = None;
        for one in &of.values {
            if let Some(before) = before {
                self.operator("operator", before.end(), one.start(), word);
                self.expr("right", one);
                self.nodes.close();
            } else {
                self.expr("left", one);
            }
            before = Some(one);
        }
    }

    /// One string, or several beside each other.
    fn strings<T>(&mut self, field: &str, range: TextRange, all: &[T], one: impl Fn(&mut Self, &str, &T)) {
        if let [only] = all {
            return one(self, field, only);
        }
        self.nodes.open("concatenated_string", field, range);
        for part in all {
            one(self, "", part);
        }
        self.nodes.close();
    }

    fn string(&mut self, field: &str, range: TextRange, (before, after): (TextSize, TextSize)) {
        self.nodes.open("string", field, range);
        self.leaf("string_start", "", TextRange::at(range.start(), before));
        let content = TextRange::new(range.start() + before, range.end() - after);
        if !content.is_empty() {
            self.leaf("string_content", "", content);
        }
        self.leaf("string_end", "", TextRange::new(range.end() - after, range.end()));
        self.nodes.close();
    }

    fn f_string(&mut self, field: &str, range: TextRange, parts: &[ast::FStringPart]) {
        self.strings(field, range, parts, |maker, field, part| match part {
            ast::FStringPart::Literal(one) => {
                maker.string(field, one.range, (one.flags.opener_len(), one.flags.closer_len()));
            }
            ast::FStringPart::FString(one) => {
                maker.nodes.open("string", field, one.range);
                let (before, after) = (one.flags.opener_len(), one.flags.closer_len());
                maker.leaf("string_start", "", TextRange::at(one.range.start(), before));
                maker.pieces("interpolation", "string_content", &one.elements);
                maker.leaf("string_end", "", TextRange::new(one.range.end() - after, one.range.end()));
                maker.nodes.close();
            }
        });
    }

    /// The text of a string and the expressions in it.
    fn pieces(&mut self, kind: &'static str, text: &'static str, all: &ast::InterpolatedStringElements) {
        for one in all {
            match one {
                ast::InterpolatedStringElement::Literal(one) => {
                    if !text.is_empty() {
                        self.leaf(text, "", one.range);
                    }
                }
                ast::InterpolatedStringElement::Interpolation(one) => {
                    self.nodes.open(kind, "", one.range);
                    self.expr("", &one.expression);
                    if one.conversion != ast::ConversionFlag::None {
                        let mark = self.word(one.expression.end(), one.range.end(), "!");
                        let start = mark.map_or(one.expression.end(), TextRange::start);
                        self.leaf("type_conversion", "", TextRange::at(start, TextSize::from(2)));
                    }
                    if let Some(format) = &one.format_spec {
                        // With the colon.
                        let start = format.range.start().checked_sub(TextSize::from(1)).unwrap_or_default();
                        self.nodes.open("format_specifier", "", TextRange::new(start, format.range.end()));
                        self.pieces("interpolation", "", &format.elements);
                        self.nodes.close();
                    }
                    self.nodes.close();
                }
            }
        }
    }
}
