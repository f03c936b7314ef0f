//! What Python does that is easily overlooked: each source makes 8 alone, unless it says otherwise.

use super::worlds::{sets, shapes, tried};
use super::*;

/// The last layout of a text is not resolved for all that may happen.
fn open(text: &str) {
    assert_eq!(shapes(text), None, "{text}");
}

/// The first layout is 8:1, whatever happens.
fn eight(text: &str) {
    let python = read(&[("kernel.py", &format!("{CUTE}{text}"))]);
    let found = &python.survey.layouts[0];
    let mut all: Vec<_> = found.cases.iter().map(|case| told(&Ok(case.layout.clone()))).collect();
    if all.is_empty() {
        all.push(told(&found.layout));
    }
    assert_eq!(all, [Ok("8:1".to_owned())], "{text}");
}

const FIRST: &str = "def f(n=4):\n    return cute.make_layout(n)\n";

#[test]
fn what_is_given_later_to_a_partial_counts() {
    let both = |text: &str| assert_eq!(shapes(text), Some(vec!["(16,8)".to_owned()]), "{text}");
    both(
        "from functools import partial\ndef f(m=2, n=4):\n    return cute.make_layout((m, n))\ng = partial(f, 16)\nL = g(8)\n",
    );
    both(
        "from functools import partial\ndef f(m=2, n=4):\n    return cute.make_layout((m, n))\ndef run():\n    g = partial(f, m=16)\n    return g(n=8)\n",
    );
    // What is bound is known.
    let text = "from functools import partial\ndef f(m, n=4):\n    return cute.make_layout(m)\ndef run():\n    g = partial(f, m=16)\n    return g(n=8)\n";
    assert_eq!(tried(text).into_iter().map(|one| one.0).collect::<Vec<_>>(), ["16:1"]);
}

#[test]
fn methods_in_variables_are_called() {
    let text = "class K:\n    def f(self, n=4):\n        return cute.make_layout(n)\n    def run(self):\n        go = self.f\n        return go(8)\n";
    eight(text);
    let text = "class K:\n    @staticmethod\n    def f(n=4):\n        return cute.make_layout(n)\n    def run(self):\n        go = self.f\n        return go(8)\n";
    eight(text);
    let text = "class K:\n    def f(self, n=4):\n        return cute.make_layout(n)\ndef run(x):\n    go = K.f\n    return go(x, 8)\n";
    eight(text);
}

/// Where it is not known what gets a name, what that calls is not known either.
#[test]
fn what_gets_a_name_and_is_not_known_is_open() {
    let class = "class K:\n    def f(self, n=4):\n        return cute.make_layout(n)\n";
    open(&format!("{class}def run(k):\n    go = k.f\n    return go(8)\n"));
    open(&format!(
        "{class}    def run(self):\n        go = self.f\n        return go(8)\ndef other(x):\n    x.f = 4\n"
    ));
    eight(&format!("{class}    def run(self):\n        go = self.f if x else self.f\n        return go(8)\n"));
}

#[test]
fn what_a_decorator_of_the_files_calls_is_open() {
    let twice = "def twice(f):\n    def g(n):\n        return f(2 * n)\n    return g\n";
    open(&format!("{twice}@twice\ndef f(n=4):\n    return cute.make_layout(n)\nL = f(4)\n"));
    open(
        "def by(m):\n    return lambda f: lambda n: f(m * n)\n@by(2)\ndef f(n=4):\n    return cute.make_layout(n)\nL = f(4)\n",
    );
    // One that is not of the files is taken as the DSL's own.
    eight("@cute.jit\ndef f(n=4):\n    return cute.make_layout(n)\ndef run():\n    f(8)\n");
}

#[test]
fn comparisons_in_a_chain_are_decided() {
    eight("N = 3\nL = cute.make_layout(8 if 1 < N < 4 else 4)\n");
    eight("N = 4\nL = cute.make_layout(4 if 1 < N < 4 else 8)\n");
    eight("N = 4\nL = cute.make_layout(8 if 1 < N <= 4 == 4 else 4)\n");
    // One link that is not known.
    sets("N = 4\nL = cute.make_layout(4 if x < N < 5 else 8)\n", &["4:1", "8:1"]);
}

#[test]
fn fields_are_counted_as_python_counts_them() {
    let named = "from typing import NamedTuple\nclass A(NamedTuple):\n    m: int\n    n: int = 4\n";
    eight(&format!("{named}L = cute.make_layout(A(2, 8).n)\n"));
    eight(&format!("{named}L = cute.make_layout(A(8).m)\n"));
    let data = |head: &str, fields: &str| {
        format!(
            "from dataclasses import dataclass, field, KW_ONLY\nfrom typing import ClassVar\n{head}\nclass A:\n{fields}    def f(self):\n        return cute.make_layout(self.n)\n"
        )
    };
    eight(&format!("{}L = A(2, 8).f()\n", data("@dataclass", "    m: int = 2\n    n: int = 4\n")));
    eight(&format!(
        "{}L = A(8).f()\n",
        data("@dataclass", "    m: int = field(default=2, kw_only=True)\n    n: int = 4\n")
    ));
    eight(&format!(
        "{}L = A(8).f()\n",
        data("@dataclass", "    m: int = field(default=2, init=False)\n    n: int = 4\n")
    ));
    eight(&format!("{}L = A(8).f()\n", data("@dataclass", "    m: ClassVar[int] = 2\n    n: int = 4\n")));
    eight(&format!("{}L = A(8, m=4).f()\n", data("@dataclass", "    n: int = 4\n    _: KW_ONLY\n    m: int = 2\n")));
    eight(&format!("{}L = A(n=8).f()\n", data("@dataclass(kw_only=True)", "    m: int = 2\n    n: int = 4\n")));
}

#[test]
fn attributes_that_answer_otherwise_are_open() {
    let setter = "class A:\n    def __init__(self):\n        self.n = 4\n    @property\n    def n(self):\n        return self.m\n    @n.setter\n    def n(self, value):\n        self.m = 2 * value\n    def f(self):\n        return cute.make_layout(self.n)\nL = A().f()\n";
    open(setter);
    let answers = "class A:\n    def __init__(self):\n        self.n = 4\n    def __getattribute__(self, name):\n        return 8\n    def f(self):\n        return cute.make_layout(self.n)\nL = A().f()\n";
    open(answers);
    open(
        "class B:\n    def __getattribute__(self, name):\n        return 8\nclass A(B):\n    def __init__(self):\n        self.n = 4\n    def f(self):\n        return cute.make_layout(self.n)\nL = A().f()\n",
    );
}

#[test]
fn dictionaries_that_change_are_open() {
    open("C = {\"n\": 4}\nC[\"n\"] = 8\nL = cute.make_layout(C[\"n\"])\n");
    open("C = {\"n\": 4}\ndef f():\n    C.update(n=8)\n    return cute.make_layout(C[\"n\"])\n");
    open("C = {\"n\": 4}\nC[\"n\"], x = 8, 9\nL = cute.make_layout(C[\"n\"])\n");
    open("C = {}\nC[\"n\"] = 8\nL = cute.make_layout(C.get(\"n\", 4))\n");
    open("C = {\"n\": 4}\ndef f(d):\n    d[\"n\"] = 8\nf(C)\nL = cute.make_layout(C[\"n\"])\n");
    open("C = {\"n\": 4}\nD = C\nD[\"n\"] = 8\nL = cute.make_layout(C[\"n\"])\n");
    // Another file has it too.
    let two = |rest: &str| {
        let own = format!("{CUTE}C = {{\"n\": 8}}\ndef f():\n    cute.make_layout(C[\"n\"])\nD[1] = 2\n");
        let python = read(&[
            ("k.py", &own),
            ("t.py", &format!("import cutlass.cute as cute\nfrom k import (\n    C,\n)\n{rest}")),
        ]);
        python.survey.layouts[0].layout.is_ok()
    };
    assert!(two("x = C[\"n\"]\n") && two("__all__ = [\"C\"]\n") && !two("C[\"n\"] = 4\n") && !two("g(\n    C,\n)\n"));
    // Items of another one change.
    eight("C = {\"n\": 8}\nD = {}\nD[\"n\"] = 4\nL = cute.make_layout(C[\"n\"])\n");
    eight("C = {\"n\": 8}\nx.update(n=4)\nL = cute.make_layout(C.get(\"n\", 4))\n");
    eight("D = {}\nD[\"n\"] = 4\nL = cute.make_layout({1: 8}[1])\n");
}

#[test]
fn names_that_are_bound_by_what_is_computed_are_open() {
    open("N = 4\nglobals()[\"N\"] = 8\nL = cute.make_layout(N)\n");
    open("N = 4\nglobals()[x] = 8\nL = cute.make_layout(N)\n");
    open("N = 4\nglobals().update(N=8)\nL = cute.make_layout(N)\n");
    open("N = 4\nexec(\"N = 8\")\nL = cute.make_layout(N)\n");
    // Functions that are found by their names.
    open(&format!("{FIRST}def run(x):\n    return getattr(sys.modules[__name__], x)(8)\n"));
    open(&format!("{FIRST}def run(x):\n    return globals()[x](8)\n"));
    eight(&format!("{FIRST}f(8)\nM = globals()[\"N\"]\n"));
    // What is only read.
    eight("N = 8\nM = globals()[\"N\"]\nL = cute.make_layout(N)\n");
    eight("N = 8\nglobals()[\"M\"] = 4\nL = cute.make_layout(N)\n");
}

#[test]
fn a_comment_calls_nothing_up() {
    let text = |line: &str| {
        format!(
            "class A:\n    def __init__(self):\n        self.n = 4\nclass B(A):\n    def __init__(self):\n        {line}\n        self.n = 8\n    def f(self):\n        return cute.make_layout(self.n)\nB()\n"
        )
    };
    eight(&text("# Not super().__init__(): it stores 4."));
    eight(&text("pass"));
}

#[test]
fn what_stands_for_itself_is_no_call() {
    eight(&format!("{FIRST}def run():\n    f(8)\n"));
    open(&format!("{FIRST}def run(x):\n    return map(f, x)\n"));
}
