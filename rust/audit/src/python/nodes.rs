//! The tree of a file as one list of nodes. The grammar's library looks for a node's parent from the root on, and for its name and
//! place anew each time; here all that is asked of a node is a number that stands in it.

use std::sync::OnceLock;

use ruff_text_size::TextRange;
use tree_sitter::Language;

/// No node.
const NONE: u32 = u32::MAX;

/// What the grammar could not read.
const ERROR: &str = "ERROR";

/// A tree: a node comes before those in it, and these in the order of the text.
pub(super) struct Tree(Vec<Raw>);

struct Raw {
    kind: &'static str,
    start: u32,
    end: u32,
    parent: u32,
    /// The first node in it, and the next one beside it.
    first: u32,
    next: u32,
    /// Which part of its parent it is; 0 for no named one.
    field: u16,
    named: bool,
    missing: bool,
}

/// The words of the grammar, by their numbers.
struct Words {
    kinds: Vec<(&'static str, bool)>,
    /// Their parts, by their numbers, and the numbers that these have here.
    fields: Vec<u16>,
}

fn words() -> &'static Words {
    static LANGUAGE: OnceLock<Language> = OnceLock::new();
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| {
        let language = LANGUAGE.get_or_init(|| Language::new(tree_sitter_python::LANGUAGE));
        let kinds = (0..language.node_kind_count()).map(|id| {
            let id = u16::try_from(id).unwrap_or(u16::MAX);
            (language.node_kind_for_id(id).unwrap_or_default(), language.node_kind_is_named(id))
        });
        let fields = (0..=language.field_count()).map(|id| {
            let id = u16::try_from(id).unwrap_or_default();
            language.field_name_for_id(id).map_or(0, field_id)
        });
        Words { kinds: kinds.collect(), fields: fields.collect() }
    })
}

impl Tree {
    /// The nodes of a tree.
    pub(super) fn of(tree: &tree_sitter::Tree) -> Self {
        let (words, mut cursor) = (words(), tree.walk());
        let mut nodes: Vec<Raw> = Vec::with_capacity(tree.root_node().descendant_count());
        // The nodes around, each with the last one that was found in it.
        let mut around: Vec<(u32, u32)> = Vec::new();
        loop {
            let id = u32::try_from(nodes.len()).unwrap_or(NONE);
            let node = cursor.node();
            let (kind, named) = words.kinds.get(usize::from(node.kind_id())).copied().unwrap_or((ERROR, true));
            let clip = |at: usize| u32::try_from(at).unwrap_or(NONE);
            let (start, end) = (clip(node.start_byte()), clip(node.end_byte()));
            let (parent, before) = around.last().copied().unwrap_or((NONE, NONE));
            // What is missing has no text.
            let missing = start == end && node.is_missing();
            let field = cursor.field_id().map_or(0, u16::from);
            let field = words.fields.get(usize::from(field)).copied().unwrap_or_default();
            nodes.push(Raw { kind, start, end, parent, first: NONE, next: NONE, field, named, missing });
            if let Some(before) = nodes.get_mut(before as usize) {
                before.next = id;
            } else if let Some(parent) = nodes.get_mut(parent as usize) {
                parent.first = id;
            }
            if let Some((_, last)) = around.last_mut() {
                *last = id;
            }
            if cursor.goto_first_child() {
                around.push((id, NONE));
                continue;
            }
            while !cursor.goto_next_sibling() {
                if around.pop().is_none() || !cursor.goto_parent() {
                    return Self(nodes);
                }
            }
        }
    }

    /// The file.
    pub(super) fn root(&self) -> Node<'_> {
        Node { tree: self, at: 0 }
    }
}

/// Makes a tree from one node to the next, each before those in it.
pub(super) struct Builder {
    nodes: Vec<Raw>,
    /// The nodes around, each with the last one that was made in it.
    around: Vec<(u32, u32)>,
}

impl Builder {
    /// With room for some nodes.
    pub(super) fn new(room: usize) -> Self {
        Self { nodes: Vec::with_capacity(room), around: Vec::new() }
    }

    fn add(&mut self, kind: &'static str, field: &str, range: TextRange, named: bool) -> u32 {
        let id = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        let (parent, before) = self.around.last().copied().unwrap_or((NONE, NONE));
        let (start, end) = (range.start().to_u32(), range.end().to_u32());
        let (first, next, field) = (NONE, NONE, field_id(field));
        self.nodes.push(Raw { kind, start, end, parent, first, next, field, named, missing: false });
        if let Some(before) = self.nodes.get_mut(before as usize) {
            before.next = id;
        } else if let Some(parent) = self.nodes.get_mut(parent as usize) {
            parent.first = id;
        }
        if let Some((_, last)) = self.around.last_mut() {
            *last = id;
        }
        id
    }

    /// A node begins; those that follow are in it.
    pub(super) fn open(&mut self, kind: &'static str, field: &str, range: TextRange) {
        let id = self.add(kind, field, range, true);
        self.around.push((id, NONE));
    }

    /// The last node that began ends.
    pub(super) fn close(&mut self) {
        self.around.pop();
    }

    /// A word of the language.
    pub(super) fn token(&mut self, kind: &'static str, field: &str, range: TextRange) {
        self.add(kind, field, range, false);
    }

    /// The tree.
    pub(super) fn done(self) -> Tree {
        Tree(self.nodes)
    }
}

/// The names of the parts that are asked for. A part of another name has none.
const FIELDS: [&str; 25] = [
    "alias",
    "alternative",
    "argument",
    "arguments",
    "attribute",
    "body",
    "condition",
    "consequence",
    "definition",
    "function",
    "key",
    "left",
    "module_name",
    "name",
    "object",
    "operator",
    "operators",
    "parameters",
    "return_type",
    "right",
    "subject",
    "subscript",
    "superclasses",
    "type",
    "value",
];

/// The number of a part by its name, 0 for none.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "of a name that is written where it is asked for, the number is then worked out by the compiler"
)]
fn field_id(name: &str) -> u16 {
    // Most nodes are no part of a name.
    if name.is_empty() {
        return 0;
    }
    FIELDS.iter().zip(1..).find(|(field, _)| **field == name).map_or(0, |(_, id)| id)
}

/// A node of a tree.
#[derive(Clone, Copy)]
pub(super) struct Node<'t> {
    tree: &'t Tree,
    at: u32,
}

/// Of nodes of one tree.
impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}..{}", self.kind(), self.start_byte(), self.end_byte())
    }
}

impl<'t> Node<'t> {
    fn raw(self) -> &'t Raw {
        static NOTHING: Raw = Raw {
            kind: ERROR,
            start: 0,
            end: 0,
            parent: NONE,
            first: NONE,
            next: NONE,
            field: 0,
            named: true,
            missing: false,
        };
        self.tree.0.get(self.at as usize).unwrap_or(&NOTHING)
    }

    fn other(self, at: u32) -> Option<Self> {
        (at != NONE).then_some(Node { at, ..self })
    }

    /// What the grammar calls it.
    pub(super) fn kind(self) -> &'static str {
        self.raw().kind
    }

    /// Where it begins.
    pub(super) fn start_byte(self) -> usize {
        self.raw().start as usize
    }

    /// Where it ends.
    pub(super) fn end_byte(self) -> usize {
        self.raw().end as usize
    }

    /// Whether it is more than a word of the language.
    pub(super) fn is_named(self) -> bool {
        self.raw().named
    }

    /// Whether it is text that the grammar could not read.
    pub(super) fn is_error(self) -> bool {
        self.raw().kind == ERROR
    }

    /// Whether it is not there, and the grammar went on as if it were.
    pub(super) fn is_missing(self) -> bool {
        self.raw().missing
    }

    /// The node around it.
    pub(super) fn parent(self) -> Option<Self> {
        self.other(self.raw().parent)
    }

    /// The nodes in it.
    pub(super) fn children(self) -> impl Iterator<Item = Self> {
        let first = self.other(self.raw().first);
        std::iter::successors(first, |node| node.other(node.raw().next))
    }

    /// The nodes in it that are more than words.
    pub(super) fn named_children(self) -> impl Iterator<Item = Self> {
        self.children().filter(|node| node.is_named())
    }

    /// One of those.
    pub(super) fn named_child(self, index: usize) -> Option<Self> {
        self.named_children().nth(index)
    }

    /// How many there are.
    pub(super) fn named_child_count(self) -> usize {
        self.named_children().count()
    }

    /// The first node in it that is a part of some name.
    #[inline]
    pub(super) fn child_by_field_name(self, name: &str) -> Option<Self> {
        self.children_by_field_name(name).next()
    }

    /// The nodes in it that are parts of some name.
    #[inline]
    pub(super) fn children_by_field_name(self, name: &str) -> impl Iterator<Item = Self> {
        let field = field_id(name);
        self.children().filter(move |node| field != 0 && node.raw().field == field)
    }

    /// The smallest node in it around some text.
    pub(super) fn descendant_for_byte_range(self, start: usize, end: usize) -> Option<Self> {
        let mut at = self;
        loop {
            let next = at.children().find(|node| node.end_byte() >= end && node.end_byte() > start);
            match next.filter(|node| node.start_byte() <= start) {
                Some(inner) => at = inner,
                None => return Some(at),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tree_sitter::Parser;

    use super::*;

    /// What both say of a node and of those in it.
    fn same(one: Node<'_>, other: tree_sitter::Node<'_>) {
        assert_eq!((one.kind(), one.is_named()), (other.kind(), other.is_named()));
        assert_eq!((one.start_byte(), one.end_byte()), (other.start_byte(), other.end_byte()));
        assert_eq!((one.is_error(), one.is_missing()), (other.is_error(), other.is_missing()));
        let place = |node: tree_sitter::Node<'_>| (node.kind().to_owned(), node.start_byte(), node.end_byte());
        let mine = |node: Node<'_>| (node.kind().to_owned(), node.start_byte(), node.end_byte());
        assert_eq!(one.parent().map(mine), other.parent().map(place));
        for field in FIELDS {
            let theirs: Vec<_> = other.children_by_field_name(field, &mut other.walk()).map(place).collect();
            assert_eq!(one.children_by_field_name(field).map(mine).collect::<Vec<_>>(), theirs, "{field} of {other:?}");
            // The two ways in which the grammar's library looks for a field differ for the cases of a `match`; nobody asks for those.
            if !(matches!(other.kind(), "block" | "match_statement") && field == "alternative") {
                let theirs = other.child_by_field_name(field).map(place);
                assert_eq!(one.child_by_field_name(field).map(mine), theirs, "{field} of {other:?}");
            }
        }
        let theirs: Vec<_> = other.children(&mut other.walk()).collect();
        assert_eq!(one.children().count(), theirs.len());
        assert_eq!(one.named_child_count(), other.named_child_count());
        for (start, end) in [(other.start_byte(), other.start_byte() + 1), (other.start_byte(), other.end_byte())] {
            let theirs = other.descendant_for_byte_range(start, end).map(place);
            assert_eq!(one.descendant_for_byte_range(start, end).map(mine), theirs);
        }
        for (one, other) in one.children().zip(theirs) {
            same(one, other);
        }
    }

    #[test]
    fn a_tree_is_that_of_the_grammar() {
        let texts = [
            "import a.b as c\nfrom .d import (e, f as g)\nx: int = 4  # four\na = b = c < d <= e\n",
            "@f(1)\nclass C(B, m=M):\n    def g(self, *a, k: int = 4, **r) -> T:\n        return [i for i in a if i], {1: 2}, a[1:2, ::-1]\n",
            "if a:\n    pass\nelif b:\n    x += 4\nelse:\n    del x\nfor i in range(4):\n    continue\nelse:\n    y = lambda z=4: z\n",
            "try:\n    with f() as g, h:\n        raise E from e\nexcept (A, B) as e:\n    pass\nfinally:\n    print(f'{a!r:>{w}} b', not a, a if b else c)\n",
            "match p:\n    case {'a': [x, *y]} if x: pass\n    case P(a=4) | None: pass\nwhile (n := 4) and not n in m: break\nasync def f(): await g\n",
            "def f(:\n    x = = 4\ny = (4\nclass\n",
            "",
        ];
        for text in texts {
            let mut parser = Parser::new();
            parser.set_language(&Language::new(tree_sitter_python::LANGUAGE)).expect("a grammar");
            let theirs = parser.parse(text, None).expect("a tree");
            let tree = Tree::of(&theirs);
            same(tree.root(), theirs.root_node());
        }
    }
}
