//! Values that Python works out of others: sequences, enumerations, names within expressions, lists that are only read.

#![allow(clippy::too_many_lines, reason = "each test is a list of programs")]

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

const HEAD: &str = "import cutlass\nimport cutlass.cute as cute\n";

/// What is found, and how many layouts are known of all; `«x»` is a layout of 64 by 64 with rows that are `x` apart, which overlaps
/// below 64.
fn read(files: &[(&str, &str)]) -> (Vec<Code>, usize, usize) {
    let layout = |text: &str| text.replace('«', "cute.make_layout((64, 64), stride=(").replace('»', ", 1))");
    let files = files.iter().map(|(path, text)| Source::new(*path, format!("{HEAD}{}", layout(text)).into_bytes()));
    let report = audit_sources(Sources { files: files.collect(), unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0);
    (report.findings.into_iter().map(|finding| finding.code).collect(), report.layouts.resolved, report.layouts.found)
}

fn wrong(text: &str) {
    assert_eq!(read(&[("main.py", text)]), (vec![Code::Overlap], 1, 1), "{text}");
}

fn right(text: &str) {
    assert_eq!(read(&[("main.py", text)]), (vec![], 1, 1), "{text}");
}

fn open(text: &str) {
    assert_eq!(read(&[("main.py", text)]), (vec![], 0, 1), "{text}");
}

/// A class that makes a layout of what it is given.
const CLASS: &str = "class K:
    def __init__(self, ld):
        self.ld = ld
    @cute.jit
    def __call__(self, mX: cute.Tensor):
        return «self.ld»
";

#[test]
fn what_goes_through_sequences() {
    for value in [
        "tuple(60 if i == 0 else 1 for i, n in enumerate((64, 64)))[0]",
        "[i for i, n in enumerate((64, 64), 60)][0]",
        "[i for i, n in enumerate((64, 64), start=60)][0]",
        "tuple(a * b for a, b in zip((30, 1), (2, 1, 4)))[0]",
        "tuple(zip((30, 60), (2, 1)))[1][0]",
        "list(reversed((1, 60)))[0]",
        "sum(reversed((20, 40)))",
        "max(map(int, (20, 60)))",
        "dict(zip((\"a\", \"ld\"), (64, 60)))[\"ld\"]",
        "divmod(124, 64)[1]",
        "[n + m for n, m in itertools.product((20, 60), (0, 64))][2]",
        "[n + m for n, m in itertools.product((60, 64), repeat=2)][0] - 60",
        "(*reversed((64, 60)),)[0]",
    ] {
        wrong(&format!("import itertools\ndef f(mX):\n    return «{value}»\n"));
        right(&format!("import itertools\ndef f(mX):\n    return «{value} + 4»\n"));
    }
    wrong("def pitch(n):\n    return n - 4\ndef f(mX):\n    return «min(map(pitch, (64, 128)))»\n");
    wrong("a, b = reversed((64, 60))\ndef f(mX):\n    return «a»\n");
    // What is gone through once is empty then.
    open("z = zip((60, 64), (1, 1))\nlist(z)\ndef f(mX):\n    return «list(z)[0][0] if z else 64»\n");
    open("def g(z):\n    list(z)\n    return [64, *z][-1]\ndef f(mX):\n    return «g(reversed((60, 64)))»\n");
    // Names that mean something else.
    open("def zip(a, b):\n    yield 64\ndef f(mX):\n    return «[n for n in zip((60,), (60,))][0]»\n");
    open("from mine import enumerate\ndef f(mX):\n    return «[n for n, m in enumerate((60,), 60)][0]»\n");
    // Python refuses it.
    open("def f(mX):\n    return «[a for a, b in zip((60,), (1, 2), strict=True)][0]»\n");
}

#[test]
fn loops_over_what_is_written() {
    for of in [
        "[(64, 60)]",
        "((64, 60),)",
        "zip((32, 64), (64, 60))",
        "enumerate((64, 60))",
        "itertools.product((4,), (64, 60))",
    ] {
        wrong(&format!("import itertools\n{CLASS}for n, ld in {of}:\n    K(ld)\n"));
        right(&format!("import itertools\n{CLASS}for n, ld in {of}:\n    K(ld + 4)\n"));
    }
    // A list beside which others grow.
    let main = "def main():\n    out = []\n    for n, ld in CONFIGS:\n        out.append(K(ld))\n    return out\n";
    wrong(&format!("CONFIGS = [(64, 64), (64, 60)]\n{CLASS}{main}"));
    right(&format!("CONFIGS = [(64, 64), (64, 68)]\n{CLASS}{main}"));
    wrong(&format!(
        "CONFIGS = [(64, 64), (64, 60)]\nN = len(CONFIGS)\nfor i, c in enumerate(CONFIGS):\n    pass\n{CLASS}{main}"
    ));
    // It grows itself, has another name, or is handed on.
    for more in [
        "CONFIGS.append((64, 64))",
        "CONFIGS[0] = (64, 64)",
        "CONFIGS += [(64, 64)]",
        "OTHER = CONFIGS\nOTHER[0] = (64, 64)",
        "shrink(CONFIGS)",
        "shrink(*CONFIGS, CONFIGS)",
        "CONFIGS.clear()",
        "del CONFIGS[0]",
    ] {
        open(&format!("CONFIGS = [(64, 60)]\n{more}\n{CLASS}{main}"));
    }
    // Its items are lists, which have other names.
    open(&format!("CONFIGS = [[64, 60]]\nfor c in CONFIGS:\n    c[1] = 64\n{CLASS}{main}"));
    open(&format!("CONFIGS = [(64, [60])]\nCONFIGS[0][1].append(4)\n{CLASS}def main():\n    K(CONFIGS[0][1][0])\n"));
    // Of another file.
    let text = format!("from cfg import CONFIGS\n{CLASS}{main}");
    let cfg = ("cfg.py", "CONFIGS = [(64, 60)]\nx = []\nx.append(4)\n");
    assert_eq!(read(&[("main.py", &text), cfg]), (vec![Code::Overlap], 1, 1));
    let other = ("other.py", "import cfg\ncfg.CONFIGS[0] = (64, 64)\n");
    assert_eq!(read(&[("main.py", &text), cfg, other]), (vec![], 0, 1));
}

#[test]
fn members_of_enumerations() {
    for base in ["enum.IntEnum", "enum.Enum"] {
        wrong(&format!("import enum\nclass T({base}):\n    LD = 60\ndef f(mX):\n    return «T.LD.value»\n"));
        right(&format!("import enum\nclass T({base}):\n    LD = 64\ndef f(mX):\n    return «T.LD.value»\n"));
        open(&format!("import enum\nclass T({base}):\n    LD = enum.auto()\ndef f(mX):\n    return «T.LD.value»\n"));
        // The class says what a value is.
        for own in [
            "def __new__(cls, n):\n        one = object.__new__(cls)\n        one._value_ = n + 4\n        return one",
            "@property\n    def value(self):\n        return 64",
            "def __init__(self, n):\n        self._value_ = 64",
        ] {
            open(&format!(
                "import enum\nclass T({base}):\n    LD = 60\n    {own}\ndef f(mX):\n    return «T.LD.value»\n"
            ));
        }
    }
    wrong("import enum\nclass T(enum.Enum):\n    A = (60, 4)\ndef f(mX):\n    return «T.A.value[0]»\n");
}

#[test]
fn names_within_expressions() {
    wrong("def f(mX):\n    return cute.make_layout((64, (n := 64)), stride=(n - 4, 1))\n");
    right("def f(mX):\n    return cute.make_layout((64, (n := 60)), stride=(n + 4, 1))\n");
    wrong("def f(mX):\n    if (n := 60) > 4:\n        return «n»\n");
    wrong("def f(mX):\n    n = 64\n    g((n := n - 4))\n    return «n»\n");
    right("def f(mX):\n    n = 60\n    g((n := n + 4))\n    return «n»\n");
    // Where it may not run.
    for may in ["flag and (n := 60)", "(n := 60) if flag else 4", "4 < flag < (n := 60)", "lambda: (n := 60)"] {
        let (codes, ..) =
            read(&[("main.py", &format!("def f(mX, flag):\n    n = 64\n    g({may})\n    return «n»\n"))]);
        assert_eq!(codes, [], "{may}");
    }
    let text = "def f(mX, flag):\n    n = 64\n    if flag:\n        pass\n    elif (n := 60) > 70:\n        pass\n    return «n»\n";
    assert_eq!(read(&[("main.py", text)]).0, []);
    let text = "def f(mX):\n    n = 64\n    while (n := n - 4) > 60:\n        pass\n    return «n»\n";
    assert_eq!(read(&[("main.py", text)]).0, []);
}

#[test]
fn numbers_of_functions_of_python() {
    wrong("import math\ndef f(mX):\n    return «int(math.log2(64)) * 10»\n");
    right("import math\ndef f(mX):\n    return «int(math.log2(128)) * 10»\n");
    open("import math\ndef f(mX):\n    return «int(math.log2(60)) * 10»\n");
    open("import math\ndef f(mX):\n    return «int(math.log2(0)) * 10»\n");
    for mark in ["@lru_cache", "@lru_cache(maxsize=None)", "@functools.lru_cache(None)", "@functools.cache"] {
        let head = "import functools\nfrom functools import lru_cache\n";
        wrong(&format!("{head}{mark}\ndef pitch(n):\n    return n - 4\ndef f(mX):\n    return «pitch(64)»\n"));
    }
    open("@around(4)\ndef pitch(n):\n    return n - 4\ndef f(mX):\n    return «pitch(64)»\n");
}

#[test]
fn lambdas() {
    wrong("pitch = lambda n: n - 4\ndef f(mX):\n    return «pitch(64)»\n");
    right("pitch = lambda n: n + 4\ndef f(mX):\n    return «pitch(64)»\n");
    wrong("pitch = lambda n, pad=-4: n + pad\ndef f(mX):\n    return «pitch(64)»\n");
    right("pitch = lambda n, pad=-4: n + pad\ndef f(mX):\n    return «pitch(64, pad=4)»\n");
    wrong("def f(mX):\n    pad = 4\n    pitch = lambda n: n - pad\n    return «pitch(64)»\n");
    wrong("def f(mX):\n    return «min(map(lambda n: n - 4, (64, 128)))»\n");
    // Names are looked up when it is called.
    right("PAD = -4\npitch = lambda n: n + PAD\nPAD = 4\ndef f(mX):\n    return «pitch(64)»\n");
    // One of several.
    open("def f(mX):\n    all = [lambda: n for n in (60, 64)]\n    return «all[0]()»\n");
    open("def f(mX):\n    all = []\n    for n in (60, 64):\n        all = [lambda: n]\n    return «all[0]()»\n");
    // More or fewer arguments, and a method of a class.
    open("pitch = lambda n: n - 4\ndef f(mX):\n    return «pitch(64, 4)»\n");
    open("pitch = lambda *n: 60\ndef f(mX):\n    return «pitch(64, 4)»\n");
    open("class K:\n    pitch = lambda self, n=60: n\nk = K()\ndef f(mX):\n    return «k.pitch(64)»\n");
    // Bound anew.
    right("pitch = lambda n: n - 4\npitch = lambda n: n\ndef f(mX):\n    return «pitch(64)»\n");
}

#[test]
fn defaults_that_are_made() {
    let of = |default: &str, call: &str| {
        format!(
            "from dataclasses import dataclass, field\n@dataclass\nclass C:\n    tile: tuple = {default}\nc = {call}\n@cute.jit\ndef f(mX):\n    \
             return cute.make_layout(c.tile, stride=(60, 1))\n"
        )
    };
    wrong(&of("field(default_factory=lambda: (64, 64))", "C()"));
    right(&of("field(default_factory=lambda: (64, 60))", "C()"));
    right(&of("field(default_factory=lambda: (64, 64))", "C((64, 60))"));
    wrong(
        &of("field(default_factory=made)", "C()").replace("@dataclass", "def made():\n    return (64, 64)\n@dataclass"),
    );
    open(&of("field(default_factory=unknown)", "C()"));
}

#[test]
fn classes_that_a_call_makes() {
    let of = |class: &str, call: &str| {
        format!("{class}\nc = {call}\n@cute.jit\ndef f(mX: cute.Tensor):\n    return «c.ld»\n")
    };
    for class in [
        "from collections import namedtuple\nC = namedtuple(\"C\", \"m n ld\")",
        "from collections import namedtuple\nC = namedtuple(\"C\", \"m, n, ld\")",
        "import collections\nC = collections.namedtuple(\"C\", [\"m\", \"n\", \"ld\"])",
        "from typing import NamedTuple\nC = NamedTuple(\"C\", [(\"m\", int), (\"n\", int), (\"ld\", int)])",
    ] {
        wrong(&of(class, "C(64, 64, 60)"));
        right(&of(class, "C(64, 64, 64)"));
        wrong(&of(class, "C(64, ld=60, n=64)"));
        right(&of(class, "C(60, 60, ld=64)"));
        open(&of(class, "C(*rest)"));
    }
    // Options, fields that are computed, and functions of that name.
    open(&of("from collections import namedtuple\nC = namedtuple(\"C\", \"ld m n\", defaults=[4])", "C(60)"));
    open(&of("from collections import namedtuple\nC = namedtuple(\"C\", names())", "C(60)"));
    open(&of("from mine import namedtuple\nC = namedtuple(\"C\", \"ld m n\")", "C(60, 4, 4)"));
    open(&of("def namedtuple(name, fields):\n    return other\nC = namedtuple(\"C\", \"ld m n\")", "C(60, 4, 4)"));
    // Of another file.
    let main = "from cfg import C\nc = C(64, 60)\n@cute.jit\ndef f(mX: cute.Tensor):\n    return «c.ld»\n";
    let cfg = ("cfg.py", "from collections import namedtuple\nC = namedtuple(\"C\", \"m ld\")\n");
    assert_eq!(read(&[("main.py", main), cfg]), (vec![Code::Overlap], 1, 1));
}

#[test]
fn lists_that_a_loop_gathers() {
    let of = |body: &str| format!("def strides(n):\n{body}\ndef f(mX):\n    return «strides(4)[1]»\n");
    let gathers = "    out = []\n    for x in (64, 60):\n        out.append(x)\n";
    wrong(&of(&format!("{gathers}    return tuple(out)")));
    wrong(&of(&format!("{gathers}    return out")));
    right(&of(&format!("{}    return out", gathers.replace("(x)", "(x + 4)"))));
    for (from, to) in [
        // It has more, or less.
        ("    return out", "    out.append(4)\n    return out"),
        ("    return out", "    out.insert(0, 64)\n    return out"),
        ("    return out", "    out[1] = 64\n    return out"),
        ("    return out", "    out.reverse()\n    return out"),
        ("    return out", "    other = out\n    other[1] = 64\n    return out"),
        ("    return out", "    change(out)\n    return out"),
        ("    out = []\n", "    out = [4]\n"),
        ("    out = []\n", "    out = []\n    out += [64]\n"),
        ("    out = []\n", "    out = []\n    change(out)\n"),
        // The loop does not run through.
        ("(x)\n", "(x)\n        break\n"),
        ("        out", "        if x > 60:\n            out"),
        ("        out", "        if x == 64:\n            continue\n        out"),
        ("(x)\n", "(x)\n    else:\n        out = [64, 64]\n"),
        ("(64, 60)", "unknown"),
        ("(x)", "(next_one(x))"),
        ("for x in (64, 60)", "while n"),
    ] {
        let body = format!("{gathers}    return out");
        assert!(body.contains(from), "{from}");
        open(&of(&body.replacen(from, to, 1)));
    }
    // A kernel has loops of the program that runs.
    let kernel = format!("@cute.jit\n{}", of(&format!("{gathers}    return out")));
    assert_eq!(read(&[("main.py", &kernel)]).0, []);
}

#[test]
fn factories() {
    let of = |text: &str| {
        format!(
            "class K:\n    def __init__(self, ld):\n        self.ld = ld\n    @classmethod\n    def of(cls, n):\n        return cls(n - 4)\n    @cute.jit\n    def __call__(self, mX: cute.Tensor):\n        return «self.ld»\n{text}"
        )
    };
    wrong(&of("k = K.of(64)\n"));
    right(&of("k = K.of(68)\n"));
    right(&of("k = K.of(68)\nj = K(64)\n"));
    // One of two is wrong, however it is made.
    let two = read(&[("main.py", &of("k = K.of(64)\nj = K(64)\n"))]);
    assert!(two.0.len() <= 1);
    // Nobody calls it, or somebody with what is not known.
    assert_eq!(read(&[("main.py", &of("k = K(64)\n"))]).0, []);
    open(&of("k = K.of(unknown())\n"));
    // A class that inherits from it makes its own objects.
    let heir = "class H(K):\n    def __init__(self, ld):\n        self.ld = ld + 4\nh = H.of(64)\n";
    assert_eq!(read(&[("main.py", &of(heir))]).0, []);
    // The parameter has another value.
    let other = of("k = K.of(64)\n").replace("        return cls", "        cls = other\n        return cls");
    assert_eq!(read(&[("main.py", &other)]).0, []);
}

#[test]
fn the_rest_of_a_constructor() {
    let of = |parameters: &str, body: &str, text: &str| {
        format!(
            "class K:\n    def __init__(self{parameters}):\n        {body}\n    @cute.jit\n    def __call__(self, mX: cute.Tensor):\n        return «self.ld»\n{text}"
        )
    };
    let by_name = |text: &str| of(", **kw", "self.ld = kw[\"ld\"]", text);
    wrong(&by_name("k = K(m=64, ld=60)\n"));
    right(&by_name("k = K(m=60, ld=64)\n"));
    wrong(&by_name("k = K(m=60, ld=64)\nj = K(m=64, ld=60)\n"));
    open(&by_name("k = K(m=60)\n"));
    open(&by_name("k = K(**options)\n"));
    open(&by_name("k = K(ld=64)\nregister(K)\n"));
    wrong(&of(", n, **kw", "self.ld = kw.get(\"ld\", 64) + n", "k = K(0, ld=60)\n"));
    right(&of(", n, **kw", "self.ld = kw.get(\"ld\", 64) + n", "k = K(0)\n"));
    let by_place = |text: &str| of(", *dims", "self.n, self.ld = dims", text);
    wrong(&by_place("k = K(64, 60)\n"));
    right(&by_place("k = K(60, 64)\n"));
    open(&by_place("k = K(60)\n"));
    open(&by_place("k = K(*dims)\n"));
    wrong(&of(", n, *dims, m=4", "self.ld = dims[0] + n", "k = K(0, 60, m=64)\n"));
    // It changes before.
    open(&of(", **kw", "kw[\"ld\"] = 64\n        self.ld = kw[\"ld\"]", "k = K(ld=60)\n"));
    open(&of(", **kw", "kw.update(ld=64)\n        self.ld = kw[\"ld\"]", "k = K(ld=60)\n"));
    open(&of(", *dims", "dims = dims[1:]\n        self.ld = dims[0]", "k = K(60, unknown())\n"));
    // Of another function it is not known.
    open("def f(mX, **kw):\n    return «kw[\"ld\"]»\nf(None, ld=60)\n");
}

#[test]
fn attributes_that_are_asked_for_otherwise() {
    let of = |ld: &str, text: &str| {
        format!(
            "from functools import cached_property\nclass K:\n    pitch = 60\n    n = 64\n    {ld}\n    @cute.jit\n    def __call__(self, mX: cute.Tensor):\n        \
             return «self.ld»\n{text}"
        )
    };
    let kept = "@cached_property\n    def ld(self):\n        return self.n - 4";
    wrong(&of(kept, "k = K()\n"));
    right(&of(&kept.replace("- 4", "+ 4"), "k = K()\n"));
    // Another is stored, or another class says more.
    assert_eq!(read(&[("main.py", &of(kept, "k = K()\nk.ld = 64\n"))]).0, []);
    right(&of(kept, "class H(K):\n    n = 68\nk = H()\n"));
    let got = "@property\n    def ld(self):\n        return getattr(self, \"pitch\", 64)";
    wrong(&of(got, "k = K()\n"));
    right(&of(&got.replace("\"pitch\"", "\"other\""), "k = K()\n"));
    assert_eq!(read(&[("main.py", &of(got, "k = K()\nsetattr(k, \"pitch\", 64)\n"))]).0, []);
    right(&of(got, "class H(K):\n    pitch = 64\nk = H()\n"));
}

/// A named tuple is a tuple too.
#[test]
fn named_tuples_by_place() {
    let typed = "from typing import NamedTuple\nclass T(NamedTuple):\n    n: int\n    ld: int = 64\n";
    let made = "from collections import namedtuple\nT = namedtuple(\"T\", \"n ld\")\n";
    for head in [typed, made] {
        wrong(&format!("{head}t = T(64, 60)\nL = «t[1]»\n"));
        right(&format!("{head}t = T(60, 64)\nL = «t[1]»\n"));
        wrong(&format!("{head}n, ld = T(64, ld=60)\nL = «ld»\n"));
        right(&format!("{head}n, ld = T(60, ld=64)\nL = «ld»\n"));
        wrong(&format!("{head}def f(t):\n    n, ld = t\n    return «ld»\nf(T(64, 60))\n"));
        wrong(&format!("{head}def f(t):\n    return «t[-1]»\nf(T(64, 60))\nf(T(64, 64))\n"));
        open(&format!("{head}t = T(64, unknown())\nL = «t[1]»\n"));
    }
    wrong(&format!("{typed}t = T(64)\nL = «t[1] - 4»\n"));
    right(&format!("{typed}t = T(64)\nL = «t[1]»\n"));
    // One that an attribute holds has its names there too.
    let held = |made: &str, asked: &str| {
        format!(
            "{typed}class K:\n    def __init__(self, x):\n        self.t = {made}\n    def f(self):\n        t = self.t\n        \
             return «{asked}»\nK(x)\n"
        )
    };
    for asked in ["t.ld", "self.t.ld", "t[1]"] {
        wrong(&held("T(64, 60)", asked));
        right(&held("T(60, 64)", asked));
        open(&held("T(60, x.shape[0])", asked));
    }
    open(&held("T(64, 60)", "t.other"));
    // It does something else with its items, or is no tuple.
    open(&format!("{typed}    def __getitem__(self, at):\n        return 64\nt = T(64, 60)\nL = «t[1]»\n"));
    open(
        "from dataclasses import dataclass\n@dataclass\nclass T:\n    n: int\n    ld: int\nt = T(64, 60)\nL = «t[1]»\n",
    );
}
