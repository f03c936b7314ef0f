//! What the fast parser gives is what the grammar gives.

use std::collections::BTreeSet;
use std::fmt::Debug;

use foldhash::HashSet;
use tree_sitter::{Language, Parser};

use super::*;
use crate::python::leaving::{Refusing, Ways};
use crate::python::read::Reader;
use crate::python::tree::{Bound, Expr, ExprId, Module};

fn sorted<T: Debug>(all: impl IntoIterator<Item = T>) -> Vec<String> {
    all.into_iter().map(|one| format!("{one:?}")).collect::<BTreeSet<_>>().into_iter().collect()
}

/// All that a module says, line by line.
fn said(of: &Module) -> Vec<String> {
    let mut all = Vec::new();
    all.extend(of.exprs.iter().enumerate().map(|(id, one)| format!("expression {id} {one:?}")));
    for (id, scope) in of.scopes.iter().enumerate() {
        all.push(format!("scope {id} {:?} {:?} {:?}", scope.kind, scope.parent, scope.span));
        all.extend(sorted(&scope.names).into_iter().map(|name| format!("in scope {id} {name}")));
    }
    all.extend(of.calls.iter().map(|one| format!("call {one:?}")));
    all.extend(of.stores.iter().map(|one| format!("store {one:?}")));
    all.extend(of.branches.iter().map(|one| format!("branch {one:?}")));
    all.extend(of.paths.iter().map(|one| format!("path {one:?}")));
    all.extend(sorted(&of.moved));
    all.extend(of.stars.iter().map(|one| format!("star {one:?}")));
    all.extend(sorted(&of.mentioned));
    all.push(format!("{:?} {:?} {:?} {:?}", of.handed, of.remakes, of.sets, of.grown));
    all.push(format!("{:?} {} {} {:?} {:?}", of.declared, of.errors, of.in_errors, of.raises, of.gave_up));
    all.push(format!("{} {} {} {} {} {}", of.changes, of.updates, of.looked_up, of.rebinds, of.reflects, of.executes));
    all
}

/// Whether the grammar reads `a ^ b & c` as `(a ^ b) & c`.
fn is_misread(node: tree_sitter::Node<'_>, text: &str) -> bool {
    let operator =
        |node: tree_sitter::Node<'_>| node.child_by_field_name("operator").map(|operator| &text[operator.byte_range()]);
    let all: Vec<_> = node.children(&mut node.walk()).collect();
    let wrong = operator(node) == Some("&")
        && all.iter().any(|child| child.kind() == "binary_operator" && operator(*child) == Some("^"));
    wrong || all.into_iter().any(|child| is_misread(child, text))
}

/// Where both ways to read a text differ; nothing where the fast one leaves it to the grammar, or the grammar cannot read it.
fn difference(text: &str) -> Result<bool, String> {
    let mut parser = Parser::new();
    parser.set_language(&Language::new(tree_sitter_python::LANGUAGE)).expect("a grammar");
    let grammar = parser.parse(text, None).expect("a tree");
    let Some(fast) = tree(text).filter(|_| !grammar.root_node().has_error()) else { return Ok(false) };
    if is_misread(grammar.root_node(), text) {
        return Ok(false);
    }
    let defined = HashSet::from_iter(["f", "C", "run", "kernel", "main"]);
    let refusing = Refusing::default();
    let ways = Ways { text, defined: &defined, refusing: &refusing };
    let fast = said(&Reader::walked(0, text, &fast, ways));
    let slow = said(&Reader::walked(0, text, &Tree::of(&grammar), ways));
    match fast.iter().zip(&slow).find(|(fast, slow)| fast != slow) {
        Some((fast, slow)) => Err(format!("{fast}\n{slow}")),
        None if fast.len() != slow.len() => Err(format!("{} {}", fast.len(), slow.len())),
        None => Ok(true),
    }
}

/// A text with spaces in place of its comments.
fn bare(text: &str) -> String {
    let mut bare = text.to_owned();
    for token in parse_unchecked(text, ParseOptions::from(Mode::Module)).tokens() {
        if token.kind() == TokenKind::Comment {
            let range = token.range();
            bare.replace_range(std::ops::Range::<usize>::from(range), &" ".repeat(range.len().into()));
        }
    }
    bare
}

#[test]
fn both_ways_to_read_a_text_say_the_same() {
    let texts = [
        "import a.b, c as d\nimport a . b as c\nfrom .d import (e, f as g)\nfrom .. import h\nfrom m import *\nfrom __future__ import annotations\n",
        "x: int = 4\na = b.c = d[0] = 4\na, (b, [c, *d]) = *e, 5\nx += 4\nx.y //= z\ndel a, b[0], c.d\nx: C.D\n",
        "@f(1)\n# why\n@g\nclass C(B, metaclass=M, *d, **e):\n    n: int\n    m = 4\n    @staticmethod\n    async def run(self, *a, k: int = 4, **r) -> T:\n        return 1, 2\n",
        "def f(a, /, b: int, c=4, *, d, e: List[int] = None): pass\ndef g(a, /): pass\ndef h(*args: int, **kw: str) -> Tuple[int, ...] | None: pass\n",
        "def f(a: (A | B), b: 'C' | D[int], c: Callable[[int], str], d: t.List[int], e: List[A[int] | B] | C) -> (int): yield\n",
        "if a:\n    pass\nelif (b):\n    x = 4\nelse:\n    y\nfor (i, j), k in z, w:\n    continue\nelse:\n    y = lambda z=4, *a, **k: z\nwhile (n := 4) and not n in m: break\nelse: f()\n",
        "try:\n    with f() as g, h: raise E from e\nexcept (A, B) as e:\n    pass\nexcept C: x\nexcept: y\nelse: # else\n    z\nfinally:\n    w\nasync def f():\n    async with (a as b, c as d.e): await g\n    async for x in y: await x.y()\n",
        "try: f()\nexcept* E: pass\nfinally: g()\nassert a, b\nassert (a)\nglobal x, y\n",
        "match p, q:\n    case {'a': [x, *y], **z} if x: pass\n    case P(c.d, a=4) | None | -1: n = 4\n    case (a, b) as c: pass\n    case _: pass\n",
        "x = [i for i in a if i if j for (k), l in m], {1: 2, **r, 'a': 3}, {i: j for i, j in k}, {1, *s}, (g for g in h), f(i for i in j)\n",
        "x = a[1:2, ::-1, ..., b], a[:], a[::], a[1:], a[:1], a[::2], a[1:2:], a[(1, 2)], a[b[c]]\n",
        "x = a if b else c if d else e\ny = f() if False else g()\nz = (a) + b * -c ** ~d // (e) @ f << 2 >> 1 & 3 | 4 ^ 5 % 6\n",
        "x = a and b and (c) or not d\ny = a < (b) <= c != d is not e not in f in g is h == i\nz = (yield), (yield a, b), (yield from c)\n",
        "s = 'a' \"b\" r'\\c' if e else b'd' b''\nt = \"\"\"long\ntext\"\"\"\nu = f'{a!r:>{w}} b {{c}} {d = }' f\"{a}_b\" 'c' F'{a, b}{c!s}{d:x}'\n",
        "f(a, *b, k=c, **d)(e)[f].g(h)(**i)\nx = 0x1F, 1_000, 4j, 1.5, 1e3, True, None, ...\nprint(a, end='')\n",
        "self.x = self.y.z = 4\nl.append(x)\nsetattr(a, 'b', c)\na.__dict__['b'] = 4\nglobals()['n'] = 4\nC = namedtuple('C', 'm n')\n",
        "def f():\n    # nothing\n    return\n    x = 4\nclass C: pass\nif a: b; c = 4\n",
        "# only\n",
        "",
    ];
    let wrong: Vec<_> = texts.iter().filter_map(|text| Some((text, difference(&bare(text)).err()?))).collect();
    assert_eq!(wrong, []);
    let left: Vec<_> = texts.iter().filter(|text| tree(text).is_none()).collect();
    assert_eq!(left, [&""; 0]);
}

/// What `x` is bound to in both ways, as it is kept: names, operators and how many items.
fn both(text: &str) -> [String; 2] {
    let mut parser = Parser::new();
    parser.set_language(&Language::new(tree_sitter_python::LANGUAGE)).expect("a grammar");
    let grammar = Tree::of(&parser.parse(text, None).expect("a tree"));
    [tree(text).expect("plain Python"), grammar].map(|tree| {
        let (defined, refusing) = (HashSet::default(), Refusing::default());
        let module = Reader::walked(0, text, &tree, Ways { text, defined: &defined, refusing: &refusing });
        match &module.scopes[0].names.get("x").expect("a name")[0].bound {
            Bound::Value(value, _) => written(&module, *value),
            other => format!("{other:?}"),
        }
    })
}

fn written(module: &Module, of: ExprId) -> String {
    let all = |all: &[ExprId]| all.iter().map(|one| written(module, *one)).collect::<Vec<_>>().join(", ");
    match module.expr(of) {
        Expr::Name(name) => name.to_string(),
        Expr::Attribute(of, name) => format!("{}.{name}", written(module, *of)),
        Expr::Binary(op, left, right) => format!("({} {op:?} {})", written(module, *left), written(module, *right)),
        Expr::Tuple(items, _) => format!("[{}]", all(items)),
        Expr::Starred(of) => format!("*{}", written(module, *of)),
        Expr::Call(_, arguments) => all(&arguments.iter().map(|one| one.value).collect::<Vec<_>>()),
        _ => "?".to_owned(),
    }
}

#[test]
fn what_the_grammar_misreads() {
    // Python's way comes first. Of the grammar's no more stays than is true.
    for (text, fast, grammar) in [
        ("x = a ^ b & c\n", "(a Xor (b And c))", "?"),
        ("x = a & b ^ c\n", "((a And b) Xor c)", "?"),
        ("x = (a ^ b) & c\n", "((a Xor b) And c)", "((a Xor b) And c)"),
        ("x = a & (b ^ c)\n", "(a And (b Xor c))", "(a And (b Xor c))"),
        ("(x) = a\n", "a", "a"),
        ("(x,) = a\n", "Part(ExprId(1), [0])", "Part(ExprId(1), [0])"),
        ("x = [*a.b]\n", "[*a.b]", "[**a.b]"),
        ("x = 1, *a.b\n", "[?, *a.b]", "[?, *a.b]"),
        ("x = f(a, \\\n  b)\n", "a, b", "a, b"),
    ] {
        assert_eq!(both(text), [fast, grammar], "{text}");
    }
}

#[test]
fn what_is_not_plain_python_is_left_to_the_grammar() {
    for text in ["x = = 4\n", "print 'x'\n", "def f[T](x: T): pass\n", "type A = int\n", "x = (\n", "\tx\n  y\n"] {
        assert!(tree(text).is_none(), "{text}");
    }
}

#[test]
fn deep_code_is_left_to_the_grammar() {
    let deep = |open: &str, close: &str, many: usize| format!("x = {}a{}\n", open.repeat(many), close.repeat(many));
    let all = [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("f(", ")"),
        ("-", ""),
        ("not ", ""),
        ("lambda: ", ""),
        ("lambda a, b: ", ""),
        ("", " + 1"),
        ("", "**1"),
        ("", " if a else b"),
        ("f'{", "}'"),
        ("", ".a"),
        ("", "[0]"),
        ("", "(a, b)"),
        ("x(await ", ")"),
    ];
    for (open, close) in all {
        assert!(is_flat(&deep(open, close, 20)), "{open} {close}");
        assert!(tree(&deep(open, close, 20)).is_some(), "{open} {close}");
        for many in [200, 100_000] {
            assert!(!is_flat(&deep(open, close, many)), "{open} {close}");
            _ = Reader::default().read(0, &deep(open, close, many), &HashSet::default(), &Refusing::default());
        }
    }
    let blocks: String = (0..1000).map(|depth| " ".repeat(depth) + "if x:\n").collect();
    assert!(!is_flat(&blocks));
    // What is long is not deep.
    let long = "a.b, (c, d), f(e), lambda: 4, ".repeat(30);
    assert!(is_flat(&format!("x = [{long}]\n")) && is_flat(&"x = 4\n".repeat(1000)));
}

/// `RAZORGIRL_PYTHON=folder cargo test -p razorgirl-audit --lib python::parse -- --ignored --nocapture`
#[test]
#[ignore = "a long run over the Python of a folder"]
fn both_ways_to_read_a_folder_say_the_same() {
    let folder = std::env::var_os("RAZORGIRL_PYTHON").expect("RAZORGIRL_PYTHON is a folder");
    let sources = crate::source::Sources::read(&[folder.into()]);
    let (mut same, mut left, mut other) = (0, 0, 0);
    for source in sources.files.iter().filter(|source| source.python) {
        match difference(&bare(&source.text)) {
            Ok(true) => same += 1,
            Ok(false) => left += 1,
            Err(why) => {
                other += 1;
                println!("{}\n{why}", source.path.display());
            }
        }
    }
    println!("{same} the same, {left} read in one way only, {other} in different ways");
    assert!(other * 50 < same);
}
