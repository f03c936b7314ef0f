//! From a syntax node to an expression.

use thin_vec::{ThinVec, thin_vec};
use tree_sitter::Node;

use super::constant::{self, Arithmetic};
use super::kind::{Field, Kind, child_of, kind_of};
use super::mask::Masked;
use crate::ast::{Content, Expr, ExprId, Integer, Op, Path, Segment, Span};

/// Expressions that nest deeper are not evaluated.
const MAX_DEPTH: usize = 200;

/// Lists of more values, or with comments among them, are not kept.
const MAX_LIST: usize = 16;

/// Adds expressions to a unit.
pub struct Converter<'a> {
    /// The file's text.
    pub text: &'a str,
    /// The way from the tree's positions to the text's.
    pub masked: &'a Masked,
    /// What is being filled.
    pub unit: Content,
}

impl Converter<'_> {
    /// Where a node stands.
    pub fn span_of(&self, node: Node<'_>) -> Span {
        self.masked.original(node.byte_range())
    }

    /// The text of a span.
    pub fn text_of(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Adds an expression.
    pub fn add(&mut self, expr: Expr, span: Span) -> ExprId {
        let id = ExprId(u32::try_from(self.unit.exprs.len()).unwrap_or(u32::MAX));
        self.unit.exprs.push((expr, span));
        id
    }

    /// The expression that a node stands for.
    pub fn convert(&mut self, node: Node<'_>) -> ExprId {
        self.at_depth(node, 0)
    }

    /// A node as a name, if it is one.
    pub fn path(&mut self, node: Node<'_>) -> Option<Path> {
        self.path_at(node, 0)
    }

    fn at_depth(&mut self, node: Node<'_>, depth: usize) -> ExprId {
        // `auto t{x}` has the value of x, and where x stands: the same place as that of `auto t = x`.
        if let Some(only) = only_value(node).filter(|_| depth < MAX_DEPTH) {
            return self.at_depth(only, depth + 1);
        }
        let span = self.span_of(node);
        let expr = if node.is_error() || node.is_missing() {
            Expr::Broken
        } else if depth > MAX_DEPTH {
            Expr::Opaque
        } else {
            self.expr(node, depth)
        };
        self.add(expr, span)
    }

    fn expr(&mut self, node: Node<'_>, depth: usize) -> Expr {
        let child = depth + 1;
        match kind_of(node) {
            Kind::TypeDescriptor => match (child_of(node, Field::Declarator), child_of(node, Field::Type)) {
                (None, Some(ty)) if depth < MAX_DEPTH => self.expr(ty, child),
                (Some(list), Some(ty)) if kind_of(list) == Kind::AbstractArray && depth < MAX_DEPTH => {
                    let size = child_of(list, Field::Size).filter(|_| child_of(list, Field::Declarator).is_none());
                    match size {
                        Some(size) => Expr::Array(self.at_depth(ty, child), self.at_depth(size, child)),
                        None => Expr::Opaque,
                    }
                }
                // Among template arguments, `f(x)` reads as the type of a function.
                (Some(list), Some(callee)) if kind_of(list) == Kind::AbstractFunction && depth < MAX_DEPTH => {
                    self.call_that_reads_as_a_type(callee, list, child)
                }
                _ => Expr::Opaque,
            },
            Kind::DependentType | Kind::DependentName | Kind::Parenthesized | Kind::Decltype => {
                if node.named_child_count() > 1 && (0..).map_while(|i| node.named_child(i)).any(|part| part.is_error())
                {
                    return Expr::Broken;
                }
                match first_named(node) {
                    Some(inner) if inner.is_error() => Expr::Broken,
                    Some(inner) if depth < MAX_DEPTH => self.expr(inner, child),
                    _ => Expr::Opaque,
                }
            }
            Kind::NumberLiteral => Expr::Number(number(self.text_of(self.span_of(node))).map(Integer::of)),
            Kind::UserDefinedLiteral => match first_named(node) {
                Some(digits) if self.text_of(self.span_of(node)).ends_with("_c") => {
                    Expr::Number(number(self.text_of(self.span_of(digits))).map(Integer::of))
                }
                _ => Expr::Opaque,
            },
            Kind::True => Expr::number(1),
            Kind::False => Expr::number(0),
            Kind::UnaryExpression => {
                let (Some(op), Some(of)) = (child_of(node, Field::Operator), child_of(node, Field::Argument)) else {
                    return Expr::Opaque;
                };
                match prefix(op.kind()) {
                    Some(op) => Expr::Unary(op, self.at_depth(of, child)),
                    None => Expr::Opaque,
                }
            }
            Kind::BinaryExpression => {
                let field = |name| child_of(node, name);
                let (Some(left), Some(op), Some(right)) =
                    (field(Field::Left), field(Field::Operator), field(Field::Right))
                else {
                    return Expr::Opaque;
                };
                // Some stand there in other signs, for the grammar's sake.
                let sign = self.span_of(op);
                match infix(self.text_of(sign)).or_else(|| infix(op.kind())) {
                    Some(op) => Expr::Binary(op, self.at_depth(left, child), self.at_depth(right, child)),
                    None => Expr::Opaque,
                }
            }
            Kind::ConditionalExpression => {
                let field = |name| child_of(node, name);
                let (Some(test), Some(yes), Some(no)) =
                    (field(Field::Condition), field(Field::Consequence), field(Field::Alternative))
                else {
                    return Expr::Opaque;
                };
                Expr::Conditional(self.at_depth(test, child), self.at_depth(yes, child), self.at_depth(no, child))
            }
            // `&kernel<64>` is the kernel; the address of anything else is no constant.
            Kind::PointerExpression => match child_of(node, Field::Argument) {
                Some(of)
                    if depth < MAX_DEPTH
                        && names_a_template(of)
                        && self.text_of(self.span_of(node)).starts_with('&') =>
                {
                    self.expr(of, child)
                }
                _ => Expr::Opaque,
            },
            Kind::CastExpression => match child_of(node, Field::Value) {
                Some(value) if depth < MAX_DEPTH => self.expr(value, child),
                _ => Expr::Opaque,
            },
            Kind::CompoundLiteral => {
                let (Some(ty), Some(value)) = (child_of(node, Field::Type), child_of(node, Field::Value)) else {
                    return Expr::Opaque;
                };
                let ty = self.at_depth(ty, child);
                Expr::Construct(ty, self.list(value, child).into())
            }
            Kind::InitializerList => match only_value(node) {
                Some(value) if depth < MAX_DEPTH => self.expr(value, child),
                _ if depth < MAX_DEPTH && (1..=MAX_LIST).contains(&node.named_child_count()) => {
                    Expr::List(self.list(node, child).into())
                }
                _ => Expr::Opaque,
            },
            Kind::InitializerPair => {
                let name = child_of(node, Field::Designator).and_then(first_named);
                let name = name.filter(|name| kind_of(*name) == Kind::FieldIdentifier && node.named_child_count() == 2);
                match (name, child_of(node, Field::Value)) {
                    (Some(name), Some(value)) => Expr::Designated(self.span_of(name), self.at_depth(value, child)),
                    _ => Expr::Opaque,
                }
            }
            Kind::Subscript => {
                let index = child_of(node, Field::Indices).filter(|list| list.named_child_count() == 1);
                match (child_of(node, Field::Argument), index.and_then(first_named)) {
                    (Some(of), Some(index)) => Expr::Element(self.at_depth(of, child), self.at_depth(index, child)),
                    _ => Expr::Opaque,
                }
            }
            Kind::CallExpression => {
                let (Some(callee), Some(arguments)) =
                    (child_of(node, Field::Function), child_of(node, Field::Arguments))
                else {
                    return Expr::Opaque;
                };
                let callee = self.at_depth(callee, child);
                Expr::Call(callee, self.list(arguments, child).into())
            }
            Kind::FieldExpression => {
                let (Some(object), Some(field)) = (child_of(node, Field::Argument), child_of(node, Field::Member))
                else {
                    return Expr::Opaque;
                };
                let object = self.at_depth(object, child);
                let name = self.path_at(field, child).and_then(|mut path| path.segments.pop());
                name.map_or(Expr::Opaque, |name| Expr::Member(object, name))
            }
            Kind::ParameterPack => match first_named(node) {
                Some(pattern) => Expr::Pack(self.at_depth(pattern, child)),
                None => Expr::Opaque,
            },
            Kind::Sizeof => match child_of(node, Field::Type).or_else(|| child_of(node, Field::Value)) {
                Some(of) => Expr::Sizeof(self.at_depth(of, child)),
                None => Expr::Opaque,
            },
            // A function of the language, whatever its grammar.
            Kind::Alignof => match (node.child(0), child_of(node, Field::Type)) {
                (Some(word), Some(ty)) if !word.is_named() => {
                    let name = self.span_of(word);
                    let path = Path { absolute: false, segments: thin_vec![Segment { name, args: None }] };
                    let callee = self.add(Expr::Path(path), name);
                    Expr::Call(callee, thin_vec![self.at_depth(ty, child)])
                }
                _ => Expr::Opaque,
            },
            Kind::QualifiedIdentifier if scope_of_decltype(node).is_some() => self.member_of_decltype(node, depth),
            _ => self.path_at(node, depth).map_or(Expr::Opaque, Expr::Path),
        }
    }

    /// `f(x)` that the grammar takes for the type of a function that returns `f`.
    fn call_that_reads_as_a_type(&mut self, callee: Node<'_>, list: Node<'_>, depth: usize) -> Expr {
        let named = matches!(kind_of(callee), Kind::TypeIdentifier | Kind::TemplateType | Kind::QualifiedIdentifier);
        let Some(params) = child_of(list, Field::Parameters).filter(|_| named && list.named_child_count() == 1) else {
            return Expr::Opaque;
        };
        let callee = self.at_depth(callee, depth);
        let mut args = Vec::new();
        let mut cursor = params.walk();
        for param in params.named_children(&mut cursor).filter(|param| kind_of(*param) != Kind::Comment) {
            // A parameter with a name, or a pointer, is none of a call.
            match child_of(param, Field::Type).filter(|_| param.named_child_count() == 1) {
                Some(ty) if kind_of(param) == Kind::ParameterDeclaration => args.push(self.at_depth(ty, depth)),
                _ => return Expr::Opaque,
            }
        }
        Expr::Call(callee, args.into())
    }

    /// `decltype(x)::a::b`, which is a member of a member of x.
    fn member_of_decltype(&mut self, node: Node<'_>, depth: usize) -> Expr {
        let (Some(scope), Some(mut name)) = (scope_of_decltype(node), child_of(node, Field::Name)) else {
            return Expr::Opaque;
        };
        let span = self.span_of(node);
        let mut object = self.at_depth(scope, depth + 1);
        for _ in depth..MAX_DEPTH {
            let more = child_of(name, Field::Name).filter(|_| kind_of(name) == Kind::QualifiedIdentifier);
            let part = if more.is_some() { child_of(name, Field::Scope) } else { Some(name) };
            let Some(segment) = part.and_then(|part| self.segment(part, depth + 1)) else { return Expr::Opaque };
            let Some(more) = more else { return Expr::Member(object, segment) };
            object = self.add(Expr::Member(object, segment), span);
            name = more;
        }
        Expr::Opaque
    }

    fn path_at(&mut self, node: Node<'_>, depth: usize) -> Option<Path> {
        let mut path = self.long_path_at(node, depth)?;
        // Most names have one part, and there are millions of them.
        path.segments.shrink_to_fit();
        Some(path)
    }

    fn long_path_at(&mut self, node: Node<'_>, depth: usize) -> Option<Path> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut path = Path { absolute: false, segments: ThinVec::new() };
        let mut node = node;
        let mut first = true;
        loop {
            if node.is_error() || path.segments.len() > MAX_DEPTH {
                return None;
            }
            match kind_of(node) {
                Kind::DependentName | Kind::DependentType => node = first_named(node)?,
                Kind::QualifiedIdentifier => {
                    match child_of(node, Field::Scope) {
                        Some(scope) => self.segments(scope, depth, &mut path.segments)?,
                        None => path.absolute |= first,
                    }
                    first = false;
                    node = child_of(node, Field::Name)?;
                }
                Kind::NestedNamespace => {
                    let mut cursor = node.walk();
                    for part in node.named_children(&mut cursor) {
                        let inner = self.path_at(part, depth + 1)?;
                        path.segments.extend(inner.segments);
                    }
                    return (!path.segments.is_empty()).then_some(path);
                }
                _ => {
                    self.segments(node, depth, &mut path.segments)?;
                    return Some(path);
                }
            }
        }
    }

    /// `Int<N / 8>`, which the grammar has seen as one word.
    fn constant(&mut self, span: Span) -> Option<Segment> {
        let (name, inside, end) = constant::read(self.text_of(span))?;
        if end != span.range().len() {
            return None;
        }
        let argument = self.arithmetic(&inside, span.start)?;
        let end = span.start + u32::try_from(name).ok()?;
        Some(Segment { name: Span { end, ..span }, args: Some(thin_vec![argument]) })
    }

    // Recursion: as deep as that was read.
    fn arithmetic(&mut self, of: &Arithmetic, start: u32) -> Option<ExprId> {
        let place = |range: std::ops::Range<usize>| {
            let clip = |at: usize| u32::try_from(at).ok()?.checked_add(start);
            Some(Span { start: clip(range.start)?, end: clip(range.end)? })
        };
        let expr = match of {
            Arithmetic::Number(value, _) => Expr::number(*value),
            Arithmetic::Name(parts) => {
                let segments = parts.iter().map(|part| Some(Segment { name: place(part.clone())?, args: None }));
                Expr::Path(Path { absolute: false, segments: segments.collect::<Option<_>>()? })
            }
            Arithmetic::Binary(op, left, right) => {
                Expr::Binary(*op, self.arithmetic(left, start)?, self.arithmetic(right, start)?)
            }
            Arithmetic::Negative(of) => Expr::Unary(Op::Sub, self.arithmetic(of, start)?),
        };
        Some(self.add(expr, place(of.range())?))
    }

    /// A part of a name. The grammar has seen `a::b<` as one word.
    fn segments(&mut self, node: Node<'_>, depth: usize, all: &mut ThinVec<Segment>) -> Option<()> {
        let mut last = self.segment(node, depth)?;
        let clip = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        while let Some(length) = self.text_of(last.name).find("::") {
            let end = last.name.start + clip(length);
            all.push(Segment { name: Span { end, ..last.name }, args: None });
            last.name.start = end + 2;
        }
        if last.args.is_none() {
            last = self.constant(last.name).unwrap_or(last);
        }
        all.push(last);
        Some(())
    }

    fn segment(&mut self, node: Node<'_>, depth: usize) -> Option<Segment> {
        match kind_of(node) {
            Kind::DependentName => self.segment(first_named(node)?, depth),
            Kind::TemplateType | Kind::TemplateFunction | Kind::TemplateMethod => {
                let name = self.span_of(child_of(node, Field::Name)?);
                let args = self.list(child_of(node, Field::Arguments)?, depth + 1);
                Some(Segment { name, args: Some(args.into()) })
            }
            Kind::Identifier
            | Kind::TypeIdentifier
            | Kind::NamespaceIdentifier
            | Kind::FieldIdentifier
            | Kind::PrimitiveType
            | Kind::SizedType => {
                let span = self.span_of(node);
                Some(self.constant(span).unwrap_or(Segment { name: span, args: None }))
            }
            _ => None,
        }
    }

    /// The named children of a list, comments left out.
    pub fn list(&mut self, node: Node<'_>, depth: usize) -> Vec<ExprId> {
        let mut cursor = node.walk();
        let mut items = Vec::with_capacity(node.named_child_count());
        for item in node.named_children(&mut cursor) {
            match kind_of(item) {
                Kind::Comment => {}
                // `f(A<x>>, y)` reads as a shift where `A<x>` is no word of its own.
                Kind::BinaryExpression | Kind::ConditionalExpression
                    if !closes_its_brackets(self.text_of(self.span_of(item))) =>
                {
                    let span = self.span_of(item);
                    items.push(self.add(Expr::Broken, span));
                }
                _ => items.push(self.at_depth(item, depth + 1)),
            }
        }
        items
    }
}

/// The one value of a list in braces, if it has no name there.
fn only_value(node: Node<'_>) -> Option<Node<'_>> {
    let list = kind_of(node) == Kind::InitializerList && node.named_child_count() == 1;
    list.then(|| first_named(node)).flatten().filter(|value| kind_of(*value) != Kind::InitializerPair)
}

/// The `decltype` that a qualified name begins with.
fn scope_of_decltype(node: Node<'_>) -> Option<Node<'_>> {
    child_of(node, Field::Scope).filter(|scope| kind_of(*scope) == Kind::Decltype)
}

/// Whether a name ends with template arguments.
pub fn names_a_template(node: Node<'_>) -> bool {
    match kind_of(node) {
        Kind::TemplateFunction => true,
        Kind::QualifiedIdentifier => {
            child_of(node, Field::Name).is_some_and(|name| kind_of(name) == Kind::TemplateFunction)
        }
        _ => false,
    }
}

/// Whether each bracket of template arguments that is opened in a text is closed there, and no other. A `<` behind a space is a comparison,
/// and in parentheses anything may stand.
fn closes_its_brackets(text: &str) -> bool {
    let (mut angles, mut parens, mut before) = (0_usize, 0_usize, b' ');
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'(' | b'[' | b'{' => parens += 1,
            b')' | b']' | b'}' => parens = parens.saturating_sub(1),
            b'<' if parens == 0
                && bytes.peek().is_none_or(|next| !b"<=".contains(next))
                && !b"< \n".contains(&before) =>
            {
                angles += 1;
            }
            // A comparison, where no bracket is open.
            b'>' if parens == 0 && angles == 0 && before == b' ' && bytes.peek() == Some(&b' ') => {}
            b'>' if parens == 0 && before != b'-' && bytes.peek() != Some(&b'=') => match angles.checked_sub(1) {
                Some(less) => angles = less,
                // `a >> b`
                None if before == b'>' || bytes.peek() == Some(&b'>') => {}
                None => return false,
            },
            _ => {}
        }
        before = byte;
    }
    angles == 0
}

/// The first named child that is not a comment.
pub fn first_named(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| kind_of(*child) != Kind::Comment)
}

fn prefix(op: &str) -> Option<Op> {
    match op {
        "-" => Some(Op::Sub),
        "+" => Some(Op::Add),
        "!" | "not" => Some(Op::Not),
        "~" | "compl" => Some(Op::Complement),
        _ => None,
    }
}

/// An operator between two values.
pub(super) fn infix(op: &str) -> Option<Op> {
    Some(match op {
        "+" => Op::Add,
        "-" => Op::Sub,
        "*" => Op::Mul,
        "/" => Op::Div,
        "%" => Op::Rem,
        "<<" => Op::Shl,
        ">>" => Op::Shr,
        "&" | "bitand" => Op::And,
        "|" | "bitor" => Op::Or,
        "^" | "xor" => Op::Xor,
        "&&" | "and" => Op::LogicalAnd,
        "||" | "or" => Op::LogicalOr,
        "==" => Op::Eq,
        "!=" | "not_eq" => Op::Ne,
        "<" => Op::Lt,
        "<=" => Op::Le,
        ">" => Op::Gt,
        ">=" => Op::Ge,
        _ => return None,
    })
}

/// The value of an integer literal.
pub(super) fn number(text: &str) -> Option<i128> {
    let digits: String = text.chars().filter(|c| *c != '\'').collect();
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    let lower = digits.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        i128::from_str_radix(hex, 16).ok()
    } else if let Some(binary) = lower.strip_prefix("0b") {
        i128::from_str_radix(binary, 2).ok()
    } else if lower.len() > 1 && lower.starts_with('0') {
        i128::from_str_radix(&lower[1..], 8).ok()
    } else {
        lower.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{closes_its_brackets, number};

    #[test]
    fn brackets_that_a_comparison_opens_or_closes() {
        for text in [
            "a + b",
            "A<x>::n / 2",
            "n < 4",
            "a << 2",
            "a >> 2",
            "(a<b) + 1",
            "n >= 4",
            "p->x + 1",
            "a > 4",
            "A<B<c>>::n + 1",
        ] {
            assert!(closes_its_brackets(text), "{text}");
        }
        for text in ["A<x", "x>", "Int<16/N>>, Shape<Int<N>, Int<32/N>", "A<x + f(y>z)", "A<B<x> + 1"] {
            assert!(!closes_its_brackets(text), "{text}");
        }
    }

    #[test]
    fn integer_literals() {
        let cases = [
            ("0", Some(0)),
            ("12", Some(12)),
            ("0x1F'00u", Some(0x1f00)),
            ("0b101", Some(5)),
            ("017", Some(15)),
            ("3ull", Some(3)),
        ];
        for (text, value) in cases {
            assert_eq!(number(text), value, "{text}");
        }
        for text in ["1.5", "", "0x", "08", "1e3", "99999999999999999999999999999999999999999"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
