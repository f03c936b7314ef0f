//! Objects that hold what they are made with.

use super::worlds::shapes;

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).to_owned()).collect()
}

const CLASS: &str =
    "from dataclasses import dataclass, replace, field\n@dataclass\nclass C:\n    m: int\n    n: int = 4\n";

/// The shapes of a layout in a function that nobody calls, where Python does more than one thing.
fn of(body: &str) -> Option<Vec<String>> {
    shapes(&format!("{CLASS}def f(x):\n    {}\n", body.replace('\n', "\n    ")))
}

/// Two objects of one class in one layout, each with its own fields.
#[test]
fn fields_are_those_of_the_object() {
    assert_eq!(of("a = C(1) if x else C(2)\ncute.make_layout((a.m, a.n))"), Some(words(&["(1,4)", "(2,4)"])));
    assert_eq!(
        of("a = C(1) if x else C(2)\nb = C(3, 8)\ncute.make_layout((a.m, b.n))"),
        Some(words(&["(1,8)", "(2,8)"]))
    );
    // What is made of another one's fields.
    let chain = "a = C(1, 2) if x else C(3, 5)\nb = C(a.n, a.m)\ncute.make_layout((b.m, b.n))";
    assert_eq!(of(chain), Some(words(&["(2,1)", "(5,3)"])));
    let replaced = "a = C(1, 2) if x else C(3, 5)\nb = replace(a, n=7)\ncute.make_layout((b.m, b.n, a.n))";
    assert_eq!(of(replaced), Some(words(&["(1,7,2)", "(3,7,5)"])));
    let table = "t = {1: C(1, 2), 2: C(3)}\na = t[x]\ncute.make_layout((a.m, a.n))";
    assert_eq!(of(table), Some(words(&["(1,2)", "(3,4)"])));
}

/// Two calls of one function make two objects.
#[test]
fn objects_of_one_place_are_told_apart() {
    let text = |rest: &str| format!("{CLASS}def make(n):\n    return C(n, 2 * n)\ndef f(x):\n{rest}");
    let both = "    a = make(1)\n    b = make(8)\n    cute.make_layout((a.m, b.m, b.n))\n";
    assert_eq!(shapes(&text(both)), Some(words(&["(1,8,16)"])));
    let unknown = "    a = make(1 if x else 2)\n    b = make(8)\n    cute.make_layout((a.m, b.m, a.n))\n";
    assert_eq!(shapes(&text(unknown)), Some(words(&["(1,8,2)", "(2,8,4)"])));
    // What is kept of one set of values is not what the next has.
    let many = "    a = make(1 if x else 2)\n    b = make(a.n if x else a.m)\n    cute.make_layout((a.m, b.m, b.n))\n";
    assert_eq!(shapes(&text(many)), Some(words(&["(1,2,4)", "(2,2,4)"])));
}

#[test]
fn classes_that_do_more_are_not_plain() {
    for more in [
        "    def __post_init__(self):\n        self.n = 8\n",
        "    def __getattr__(self, name):\n        return 8\n",
        "    def g(self):\n        self.n = 8\n",
    ] {
        let text = format!(
            "{CLASS}{more}def f(x):\n    a = C(1) if x else C(2)\n    b = C(a.m)\n    cute.make_layout((a.n, b.n))\n"
        );
        assert_ne!(shapes(&text), Some(words(&["(4,4)"])), "{more}");
    }
    // Stored from outside.
    let outside = format!(
        "{CLASS}def f(x):\n    a = C(1) if x else C(2)\n    a.n = 8\n    b = C(a.m)\n    cute.make_layout((a.n, b.m))\n"
    );
    let all = shapes(&outside);
    assert!(
        all.as_ref().is_none_or(|all| ["(8,1)", "(8,2)"].iter().all(|one| all.iter().any(|made| made == one))),
        "{all:?}"
    );
}

#[test]
fn defaults_of_fields() {
    let text = |default: &str| {
        format!(
            "from dataclasses import dataclass, field\n@dataclass\nclass C:\n    m: int\n    n: int = {default}\ndef f(x):\n    a = C(1) if x else C(2)\n    cute.make_layout((a.m, a.n))\n"
        )
    };
    assert_eq!(shapes(&text("field(default=4)")), Some(words(&["(1,4)", "(2,4)"])));
    assert_eq!(shapes(&text("field(default=4, repr=False)")), Some(words(&["(1,4)", "(2,4)"])));
    assert_eq!(shapes(&text("field(default_factory=four)")), None);
}

#[test]
fn namespaces_have_what_they_are_made_with() {
    let text =
        |body: &str| format!("from types import SimpleNamespace\ndef f(x):\n    {}\n", body.replace('\n', "\n    "));
    let plain = "s = SimpleNamespace(m=1 if x else 2, n=4)\ncute.make_layout((s.m, s.n))";
    assert_eq!(shapes(&text(plain)), Some(words(&["(1,4)", "(2,4)"])));
    let two = "s = SimpleNamespace(n=1 if x else 2)\nt = SimpleNamespace(n=4, s=s)\ncute.make_layout((t.s.n, t.n))";
    assert_eq!(shapes(&text(two)), Some(words(&["(1,4)", "(2,4)"])));
    let handed = "def g(p):\n    cute.make_layout(p.n)\ndef f(x):\n    g(SimpleNamespace(n=8))\n";
    assert_eq!(shapes(&format!("from types import SimpleNamespace\n{handed}")), Some(words(&["8"])));
    // What is stored in one, and what it has not.
    for open in [
        "s = SimpleNamespace(n=4)\ns.n = 8\ncute.make_layout(s.n)",
        "s = SimpleNamespace(n=4)\nsetattr(s, x, 8)\ncute.make_layout(s.n)",
        "s = SimpleNamespace(**x)\ncute.make_layout(s.n)",
        "s = SimpleNamespace(m=4)\ncute.make_layout(s.n)",
    ] {
        assert_eq!(shapes(&text(open)), None, "{open}");
    }
}
