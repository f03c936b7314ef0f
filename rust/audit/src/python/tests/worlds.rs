//! What layouts are for everything that the code lists.

use super::*;

/// What one layout is in each way that the code lists.
pub fn tried(text: &str) -> Vec<(String, String, bool)> {
    let python = read(&[("kernel.py", &format!("{CUTE}{text}"))]);
    let found = python.survey.layouts.last().unwrap();
    assert!(found.layout.is_ok(), "{text}: {:?}", found.layout);
    let told = |case: &Case| (told(&Ok(case.layout.clone())).unwrap(), case.holds.clone(), case.tried);
    found.cases.iter().map(told).collect()
}

pub fn sets(text: &str, expected: &[&str]) {
    if expected.is_empty() {
        return assert_eq!(layouts(text).pop(), Some(Err(Reason::RunTime)), "{text}");
    }
    let all: Vec<String> = tried(text).into_iter().map(|(layout, ..)| layout).collect();
    assert_eq!(all, expected, "{text}");
}

#[test]
fn branches_that_are_not_known_are_tried() {
    sets("n = 4\nif x:\n    n = 8\nL = cute.make_layout(n)", &["8:1", "4:1"]);
    sets("n = 4 if x else 8\nL = cute.make_layout(n)", &["4:1", "8:1"]);
    // What stands in one arm stands together.
    sets(
        "if x:\n    m, n = 1, 2\nelif y:\n    m, n = 3, 4\nelse:\n    m, n = 5, 6\nL = cute.make_layout((m, n))",
        &["(1,2):(0,1)", "(3,4):(1,3)", "(5,6):(1,5)"],
    );
    sets(
        "class K:\n    def __init__(self):\n        if x:\n            self.m = 1\n            self.n = 2\n        else:\n            self.m = 3\n            self.n = 4\n    def f(self):\n        return cute.make_layout((self.m, self.n))",
        &["(1,2):(0,1)", "(3,4):(1,3)"],
    );
    sets("class K:\n    n = 4\n    def f(self):\n        return cute.make_layout(self.n)\nK().n = 5", &["5:1", "4:1"]);
    // Attributes that a `setattr` cannot name.
    sets(
        "class K:\n    def __init__(self, x):\n        self.n = 4 if x else 8\n        for a, b in (('m', 1), ('o', 2)):\n            setattr(self, a, b)\n            setattr(self, f'{a}_staged', b)\n    def f(self):\n        return cute.make_layout(self.n)",
        &["4:1", "8:1"],
    );
    sets("def f(x):\n    if x > y:\n        return 4\n    return 8\nL = cute.make_layout(f(4))", &["4:1", "8:1"]);
    sets("try:\n    n = 4\nexcept E:\n    n = 8\nL = cute.make_layout(n)", &["4:1", "8:1"]);
    sets("s = {'a': 4, 'b': 8}\nL = cute.make_layout(s[x])", &["4:1", "8:1"]);
    // An arm after which nothing follows, and what an assertion refuses.
    sets("def f():\n    n = 4\n    if x:\n        n = 8\n        return\n    cute.make_layout(n)", &["4:1"]);
    sets("def f():\n    n = 4\n    if x:\n        n = 6\n    assert n % 4 == 0\n    cute.make_layout(n)", &["4:1"]);
    sets("def f():\n    n = 4 if x else 8\n    if n == 8:\n        cute.make_layout(n)", &["8:1"]);
}

/// What a function is given and does not ask for says nothing of what it returns: it is not tried.
#[test]
fn arguments_are_worked_out_where_they_are_asked_for() {
    let names: Vec<String> = (0..14).map(|one| format!("a{one}")).collect();
    let given: Vec<String> = names.iter().map(|name| format!("{name} = 1 if x{name} else 2\n")).collect();
    let given = given.concat();
    let all = names.join(", ");
    let text = |returned: &str| {
        format!("{given}def f({all}, n):\n    return {returned}\nL = cute.make_layout(f({all}, 4 if y else 8))\n")
    };
    sets(&text("n"), &["4:1", "8:1"]);
    // All ways to choose these together are too many.
    assert_eq!(layouts(&text(&format!("({}, n)", names.join(", ")))).pop(), Some(Err(Reason::Instances)));
    // A name is that of the caller, also where the function has one like it.
    let is = |text: &str, layout: &str| assert_eq!(layouts(text).pop(), Some(Ok(layout.to_owned())), "{text}");
    is("def f(n):\n    return n * 2\ndef g(n):\n    return f(n + 1)\nL = cute.make_layout(g(3))", "8:1");
    is("def f(n, m=4):\n    return n * m\nm = 2\nL = cute.make_layout([f(i) for i in (1, m)][1])", "8:1");
    let f =
        "def f(m, n):\n    return m if n > 2 else n\ndef k(x: cute.Tensor):\n    cute.make_layout(f(x.shape[0], N))";
    is(&f.replace('N', "2"), "2:1");
    sets(&f.replace('N', "4"), &[]);
}

/// Where Python refuses most of what the code lists, the rest is found.
#[test]
fn what_python_refuses_is_passed_over() {
    let calls: Vec<String> = (1..=40).map(|m| format!("f({m})\n")).collect();
    let calls = calls.concat();
    sets(&format!("T = {{40: 8}}\ndef f(m):\n    cute.make_layout(T[m])\n{calls}"), &["8:1"]);
    let text = format!("T = {{41: 8}}\ndef f(m):\n    cute.make_layout(T[m])\n{calls}");
    assert_eq!(layouts(&text).pop(), Some(Err(Reason::Dependent)));
}

/// Of several methods of one name that of the nearest class runs, and those that it calls up.
#[test]
fn methods_that_run_are_followed() {
    let text = |init: &str, more: &str| {
        format!(
            "class K:\n    def __init__(self):\n        self.n = 4\n        self.setup()\n    def setup(self):\n        self.m = 2\n    \
             def f(self):\n        return 0\nclass H(K):\n    def __init__(self):\n        {init}\n{more}    def g(self):\n        \
             return cute.make_layout((self.n, self.m))\nH()\n"
        )
    };
    let up = "super().__init__()";
    sets(&text(&format!("{up}\n        self.n = 8"), ""), &["(8,2):(1,8)"]);
    sets(&text(&format!("self.n = 8\n        {up}"), ""), &["(4,2):(1,4)"]);
    sets(&text("self.n = 8\n        K.__init__(self)", ""), &["(4,2):(1,4)"]);
    sets(&text("self.n = 8", ""), &["(8,2):(1,8)"]);
    // What a branch may not store is what the base stores.
    sets(&text(&format!("{up}\n        if x:\n            self.n = 8"), ""), &["(8,2):(1,8)", "(4,2):(1,4)"]);
    sets(&text(&format!("{up}\n        self.n = self.n * 4"), ""), &["(16,2):(1,16)"]);
    sets(&text(&format!("{up}\n        self.n *= 4"), ""), &[]);
    sets(&text(&format!("self.n = 1\n        self.n = self.n + 2\n        {up}\n        self.n += 4"), ""), &[]);
    // Another method, and when it is called up.
    sets(&text(up, "    def setup(self):\n        self.m = 3\n"), &["(4,3):(1,4)"]);
    sets(&text(up, "    def setup(self):\n        super().setup()\n        self.m = 3\n"), &["(4,3):(1,4)"]);
    sets(&text(up, "    def setup(self):\n        self.m = 3\n        super().setup()\n"), &["(4,2):(1,4)"]);
    let late = "    def setup(self):\n        self.m = 3\n    def late(self):\n        super().setup()\n";
    sets(&text(up, late), &["(4,3):(1,4)", "(4,2):(1,4)"]);
    // Its other name.
    let other =
        "    def setup(self):\n        self.m = 3\n    def other(self):\n        self.m = 5\n    setup = other\n";
    assert_eq!(layouts(&text(up, "    setup = K.setup\n")).pop(), Some(Ok("(4,2):(1,4)".to_owned())));
    assert!(tried(&text(up, other)).iter().any(|(layout, ..)| layout == "(4,5):(1,4)"));
    // A method of the base that the class has another one for does not run for its objects.
    let base =
        "class K:\n    n = 4\n    def f(self):\n        return cute.make_layout(self.n)\nclass H(K):\n    n = 5\n";
    sets(&format!("{base}    def f(self):\n        return 0\nH()\nK()"), &["4:1"]);
    sets(&format!("{base}    def f(self):\n        return super().f()\nH()\nK()"), &["4:1", "5:1"]);
    sets(&format!("{base}    def f(self):\n        return 0\nH()"), &["4:1"]);
    sets(&format!("{base}H()\nK()"), &["4:1", "5:1"]);
}

/// A class whose layout is 4 or 8, and what else stands in the file.
fn beside(more: &str, expected: &[&str]) {
    let class = "import copy\nimport argparse\nclass P:\n    pass\nclass B:\n    pass\nclass K(B):\n    def __init__(self, x):\n        \
                 self.n = 4 if x else 8\n    def f(self):\n        return cute.make_layout(self.n)\nclass H(K):\n    pass\n";
    let text = format!("{class}{more}");
    if expected.is_empty() {
        assert_eq!(layouts(&text).pop(), Some(Err(Reason::Ambiguous)), "{more}");
    } else {
        sets(&text, expected);
    }
}

/// What is stored in something else does not count, and what may be stored in an object of the class does.
#[test]
fn what_is_stored_in_counts() {
    for more in [
        "def g():\n    p = P()\n    p.n = 5",
        "def g():\n    pass\ng.n = 5",
        "def g(x):\n    p = P() if x else object.__new__(P)\n    p.n = 5",
        "class Q(P):\n    def g(self):\n        r = type(self).__new__(type(self))\n        r.n = 5\n        s = self.__class__.__new__(P)\n        s.n.append(4)",
        "class Q(P):\n    def g(self):\n        r = copy.copy(self)\n        r.n = 5\n        setattr(r, 'n', 5)",
        "def g():\n    p = P()\n    vars(p)['n'] = 5\n    p.__dict__['n'] = 5\n    setattr(p, name, 5)",
        "def g(p):\n    parser = argparse.ArgumentParser()\n    args = vars(parser.parse_args())\n    g(**vars(p))\n    p.__dict__.items()",
    ] {
        beside(more, &["4:1", "8:1"]);
    }
    for more in [
        "def g(p: P):\n    p.n = 5",
        "def g(p: 'P' = None):\n    p.n = 5",
        "def g(p: P | None = None):\n    p.n = 5",
        "def g(p: Optional[P], t: cute.Tensor):\n    p.n = 5\n    t.n = 6",
        "def h():\n    return P()\ndef g():\n    p = h()\n    p.n = 5",
        "def g(p):\n    p.__dict__.setdefault('m', 5)\n    p.__dict__['m'] = 4\n    x = set(vars(p))\n    y = p.__dict__['n'].z",
        // One that is made of another one of its class has what that has.
        "class Q(K):\n    def g(self):\n        r = type(self).__new__(type(self))\n        r.n = self.n",
        "class Q(K):\n    def g(self):\n        r = copy.copy(self)\n        r.n = self.n",
    ] {
        beside(more, &["4:1", "8:1"]);
    }
    // What is known to be stored in it is one of its values.
    for more in [
        "def g():\n    p = K(x)\n    p.n = 5",
        "def g():\n    p = K(x)\n    p.m = p.n = 5",
        "def g():\n    p = K(x)\n    p.n, p.m = 5, 6",
        "def g():\n    p = H(x)\n    p.n = 5",
        "def g(p: K):\n    p.n = 5",
        "def g(p: P):\n    p.n = 5\ng(K(x))",
        "def g(x):\n    p = P() if x else object.__new__(K)\n    p.n = 5",
        "def g(x):\n    p = P()\n    if x:\n        p = K(x)\n    p.n = 5",
        "class Q(K):\n    def g(self):\n        r = type(self).__new__(type(self))\n        r.n = 5",
        "class Q(K):\n    def g(self, other: H):\n        r = type(self).__new__(type(self))\n        r.n = 5\n        r.n = self.n",
        "def g():\n    p = K(x)\n    setattr(p, 'n', 5)",
    ] {
        beside(more, &["5:1", "4:1", "8:1"]);
    }
    // It may have it from an object of another class.
    beside("class Q(P):\n    n = 5\n    def g(self):\n        r = K(x)\n        r.n = self.n", &["5:1", "4:1", "8:1"]);
    for more in [
        "def g(p):\n    p.n = 5",
        "def g(p: object):\n    p.n = 5",
        "def g(p: cutlass.Constexpr):\n    p.n = 5",
        "def g(p: list[P]):\n    p.n = 5",
        "def g(p: P):\n    p = x\n    p.n = 5",
        "class Q(P):\n    def g(self, r):\n        r = copy.copy(r)\n        r.n = 5",
        "@deco\ndef g():\n    pass\ng.n = 5",
        "class Q:\n    def __new__(self):\n        return K(x)\nq = Q()\nq.n = 5",
        "def g(p):\n    vars(p)['n'] = 5",
        "def g(p):\n    p.__dict__['n'] = 5",
        "def g(p):\n    p.__dict__.setdefault('n', 5)",
        "def g(p):\n    elsewhere(p.__dict__)",
        "def g(p):\n    v = vars(p)\n    v['n'] = 5",
        "def g(parser):\n    v = vars(parser.parse_args())\n    v['n'] = 5",
        "def g():\n    p = K(x)\n    p.n.append(5)",
        "def g(p):\n    object.__setattr__(p, 'n', 5)",
        "def g(p, name):\n    p.__setattr__(name, 5)",
        "def g(p):\n    setattr(p, *all)",
        "exec(text)",
    ] {
        beside(more, &[]);
    }
}

/// Names that `setattr` is given, where all items of a list are written.
#[test]
fn names_that_are_computed_are_followed() {
    let text = |specs: &str| {
        format!(
            "def g(p, x):\n    specs = [('m', 1), ('o', 2)]\n    {specs}\n    for name, value in specs:\n        \
             setattr(p, f'{{name}}_staged', value)\n        setattr(p, name, value)"
        )
    };
    for specs in [
        "pass",
        "specs += [('q', 3)]",
        "if x:\n        specs.append(('q', 3))\n        specs += [('r', 4), ('s', 5)]",
        "specs.extend([('q', 3)])",
        "first = specs[0]",
    ] {
        beside(&text(specs), &["4:1", "8:1"]);
    }
    for specs in [
        "specs += [('n', 3)]",
        "if x:\n        specs.append(('n', 3))",
        "specs.extend([('q', 3), ('n', 4)])",
        "specs.extend(x)",
        "specs.append((x, 4))",
        "specs.insert(0, ('n', 4))",
        "specs[0] = ('n', 4)",
        "other = specs\n    other.append(('n', 4))",
        "elsewhere(specs)",
        "specs = x",
    ] {
        beside(&text(specs), &[]);
    }
    let names = "NAMES = {'a': 'm', 'b': 'o'}\n";
    for (body, known) in [
        ("for a, b in NAMES.items():\n        setattr(p, b, 5)", true),
        ("for a in NAMES.keys():\n        setattr(p, a, 5)", true),
        ("for a in NAMES:\n        setattr(p, a, 5)", true),
        ("setattr(p, x, 5)", false),
        ("setattr(p, f'{x}n', 5)", false),
        ("setattr(p, f'{x}m', 5)", true),
        ("for a, b in zip(['m', 'o'], x):\n        setattr(p, a, 5)", true),
        ("for a, b in zip(['m', 'n'], x):\n        setattr(p, a, 5)", false),
        ("for i, b in enumerate(('m', 'o')):\n        setattr(p, b, 5)", true),
        ("setattr(p, x.name(), 5)", false),
        ("NAMES['c'] = 'n'\n    for a, b in NAMES.items():\n        setattr(p, b, 5)", false),
    ] {
        beside(&format!("{names}def g(p, x):\n    {body}"), if known { &["4:1", "8:1"] } else { &[] });
    }
    beside("NAME = 'm'\ndef g(p):\n    setattr(p, NAME, 5)", &["4:1", "8:1"]);
    let named = |end: &str| {
        format!(
            "class Q(P):\n    def name(self):\n        return f'{{self.x}}{end}'\n    def g(self, p):\n        setattr(p, self.name(), 5)\n"
        )
    };
    beside(&named("_m"), &["4:1", "8:1"]);
    beside(&named("n"), &[]);
    beside(&format!("{}class R(Q):\n    def name(self):\n        return 'n'", named("_m")), &[]);
    beside("NAME = 'n'\ndef g(p):\n    setattr(p, NAME, 5)", &[]);
}

/// A name that is written says what is stored where.
#[test]
fn what_setattr_stores_is_followed() {
    let class = "    def f(self):\n        return cute.make_layout(self.n)\n";
    sets(&format!("class K:\n    n = 4\n    def __init__(self):\n        setattr(self, 'n', 5)\n{class}"), &["5:1"]);
    // A field of which something else is made.
    let field = "@dataclass(frozen=True)\nclass K:\n    n: int\n    def __post_init__(self):\n        ";
    let set = "object.__setattr__(self, 'n', self.n * 2)";
    sets(&format!("{field}{set}\n{class}K(3)\n"), &["6:1"]);
    sets(&format!("{field}if self.n > 4:\n            {set}\n{class}K(3)\nK(5)\n"), &["3:1", "10:1"]);
    // One that hands on what is stored elsewhere.
    sets(
        &format!(
            "class K:\n    def __init__(self):\n        self.n = 5\n    def __setattr__(self, name, value):\n        \
             object.__setattr__(self, name, value)\n{class}"
        ),
        &["5:1"],
    );
    assert_eq!(layouts("L = cute.make_layout({'a4': 4}[f'a{2 + 2}'])\n").pop(), Some(Ok("4:1".to_owned())));
}

#[test]
fn what_calls_pass_is_tried() {
    // Together as one call has it.
    let class = "class K:\n    def __init__(self, m, n=2):\n        self.m = m\n        self.n = n\n    def f(self):\n        return cute.make_layout((self.m, self.n))\n";
    sets(&format!("K(8, 4)\n{class}K(16)\n"), &["(8,4):(1,8)", "(16,2):(1,16)"]);
    let all = tried(&format!("{class}K(8, n=4)\n"));
    assert_eq!(all, [("(8,4):(1,8)".to_owned(), "m = 8, n = 4".to_owned(), false)]);
    sets("def f(n):\n    return cute.make_layout(n)\nfor m, n in [(1, 2), (3, 4)]:\n    f(n)", &["2:1", "4:1"]);
    sets("def f(n):\n    return cute.make_layout(n)\ndef g(n):\n    f(n * 2)\ng(3)", &["6:1"]);
    sets("def f(n=4):\n    return cute.make_layout(n)", &["4:1"]);
    sets("def f(swap: bool):\n    return cute.make_layout(4 if swap else 8)", &["8:1", "4:1"]);
    sets(
        "def f(tile):\n    if tile == 32:\n        pass\n    return cute.make_layout(tile)\nelsewhere(tile=64)",
        &["64:1", "32:1"],
    );
    // What another function is compared with says nothing of this one, and neither does a namesake where a call says what it passes.
    sets(
        "def f(tile):\n    return cute.make_layout(tile)\nelsewhere(tile=64)\ndef g(tile):\n    assert tile == 32",
        &["64:1"],
    );
    let called = "def f(tile):\n    return cute.make_layout(tile)\ndef run(x):\n    f(x)\nelsewhere(tile=64)";
    assert_eq!(layouts(called), [Err(Reason::Unlisted)]);
    // The class that is made, and no other.
    let base =
        "class K:\n    n = 4\n    def f(self):\n        return cute.make_layout(self.n)\nclass H(K):\n    n = 5\n";
    sets(base, &["4:1", "5:1"]);
    sets(&format!("{base}H()"), &["5:1"]);
    sets(
        "@dataclass\nclass K:\n    m: int\n    n: int = 4\n    def f(self):\n        return cute.make_layout((self.m, self.n))\nK(2)\nK(3, 5)",
        &["(2,4):(1,2)", "(3,5):(1,3)"],
    );
    // One that is run time in one call is known for no value.
    let last = |text: &str| layouts(text).pop().unwrap();
    assert_eq!(
        last("def f(n):\n    return cute.make_layout(n)\ndef g(t: cute.Tensor):\n    f(t.shape[0])\nf(4)"),
        Err(Reason::RunTime)
    );
}

/// What was chosen for one layout is no part of what the next one is, whatever was asked in between.
#[test]
fn a_choice_for_one_layout_is_none_for_the_next() {
    let class = "class K:\n    def __init__(self, tile_m: int = 8, num_threads: int = 256):\n        self.tile_m = tile_m\n        \
                 self.num_threads = num_threads\n    def setup(self):\n        m = 128 if self.tile_m % 128 == 0 else 8\n        \
                 assert self.num_threads % m == 0\n        self.t = self.num_threads // m\n        ";
    let of = |body: &str| {
        let text = format!("{CUTE}{class}{body}K(tile_m=128)\nK(tile_m=8)\n");
        let python = read(&[("kernel.py", &text)]);
        let mut all: Vec<Vec<String>> = Vec::new();
        for found in &python.survey.layouts {
            let mut cases: Vec<String> =
                found.cases.iter().map(|case| told(&Ok(case.layout.clone())).unwrap_or_default()).collect();
            cases.sort_unstable();
            assert!(!cases.is_empty(), "{body}: {:?}", told(&found.layout));
            all.push(cases);
        }
        all
    };
    let first = "cute.make_layout((self.t, self.num_threads // self.t))\n";
    let second = "cute.make_layout((8, m))\n";
    let threads = ["(2,128):(1,2)", "(32,8):(1,32)"];
    let rows = ["(8,128):(1,8)", "(8,8):(1,8)"];
    assert_eq!(of(&format!("{first}        {second}")), [threads, rows]);
    assert_eq!(of(&format!("{second}        {first}")), [rows, threads]);
    assert_eq!(of(second), [rows]);
}

/// The shapes that a layout has for all that is listed, in order; nothing where it is not resolved.
pub fn shapes(text: &str) -> Option<Vec<String>> {
    let python = read(&[("kernel.py", &format!("{CUTE}{text}"))]);
    let found = &python.survey.layouts[0];
    found.layout.as_ref().ok()?;
    let mut all: Vec<String> = found.cases.iter().map(|case| case.layout.shape.tuple.to_string()).collect();
    all.sort_unstable();
    Some(all)
}

const KERNEL: &str = "class K:\n    def __init__(self, n: int = 4):\n        self.n = n\n";

/// What an object has is what the call has given it that made it.
#[test]
fn objects_of_one_class_are_told_apart() {
    let of =
        |use_: &str| shapes(&format!("{KERNEL}def f(p):\n    a = K(4)\n    b = K(8)\n    cute.make_layout({use_})\n"));
    assert_eq!(of("a.n"), Some(vec!["4".to_owned()]));
    assert_eq!(of("b.n"), Some(vec!["8".to_owned()]));
    assert_eq!(of("a.n * a.n"), Some(vec!["16".to_owned()]));
    // 12; never 8 or 16.
    assert_eq!(of("a.n + b.n"), None);
    // One of two.
    let text = format!("{KERNEL}def f(p):\n    a = K(4) if p else K(8)\n    cute.make_layout(a.n)\n");
    assert_eq!(shapes(&text), Some(vec!["4".to_owned(), "8".to_owned()]));
}

#[test]
fn classes_in_variables_are_called() {
    let own = "    def run(self):\n        cute.make_layout(self.n)\n";
    let of = |text: &str| shapes(&format!("{KERNEL}{own}class L(K):\n    pass\nclass M:\n    pass\n{text}"));
    let both = Some(vec!["16".to_owned(), "32".to_owned()]);
    assert_eq!(of("def f(p):\n    Kernel = L if p else K\n    Kernel(16)\n    K(n=32)\n"), both);
    assert_eq!(of("def f(p):\n    all = {8: K, 9: L}\n    Kernel = all[p]\n    Kernel(n=16)\n    L(32)\n"), both);
    // An object that is called makes nothing, and neither does another class.
    assert_eq!(of("def f(p):\n    k = K(16)\n    k(64)\n    Other = M\n    Other(8)\n    K(32)\n"), both);
}

#[test]
fn what_a_call_unpacks_is_passed() {
    let own = "def comp(head, tile):\n    cute.make_layout((8, tile))\ndef other(config):\n    config.sized(tile=64)\n";
    let of = |text: &str| shapes(&format!("{own}{text}"));
    let go = "def go(head):\n    tile = 8 if head.wide else 16\n    key = (head, tile)\n    comp(*key)\n";
    assert_eq!(of(go), Some(vec!["(8,16)".to_owned(), "(8,8)".to_owned()]));
    assert_eq!(of("comp(1, *(32,))\n"), Some(vec!["(8,32)".to_owned()]));
    // What is not read may be anything, and no value that another call passes by that name.
    assert_eq!(of("def go(key):\n    comp(*key)\n"), None);
    assert_eq!(of("def go(key):\n    comp(1, **key)\n"), None);
    assert_eq!(of("def go(key):\n    comp(1, tile=16, **key)\n"), Some(vec!["(8,16)".to_owned()]));
}

#[test]
fn a_set_without_elements_is_none_beside_others() {
    let of = |calls: &str| shapes(&format!("def f(n):\n    cute.make_layout((128, n))\n{calls}"));
    assert_eq!(of("f(0)\nf(2)\n"), Some(vec!["(128,2)".to_owned()]));
    assert_eq!(of("f(0)\n"), None);
}

/// What holds for the next choices too is not worked out again; what hangs on them is, also where a call hands it on.
#[test]
fn what_is_kept_for_the_next_choices_does_not_hang_on_them() {
    let inner = "def inner(k):\n    d = k * 2\n    return d\n";
    let of =
        |body: &str, calls: &str| shapes(&format!("{inner}def outer(k, m):\n    cute.make_layout({body})\n{calls}"));
    let calls = "outer(1, 3)\nouter(2, 3)\nouter(4, 5)\n";
    assert_eq!(of("inner(k)", calls), Some(vec!["2".to_owned(), "4".to_owned(), "8".to_owned()]));
    let pairs = Some(["(2,3)", "(4,3)", "(8,5)"].map(str::to_owned).to_vec());
    assert_eq!(of("(inner(k), m)", calls), pairs);
    let loops = "tuple(inner(one) for one in (k, m))";
    let pairs = Some(["(2,6)", "(4,6)", "(8,10)"].map(str::to_owned).to_vec());
    assert_eq!(of(loops, calls), pairs);
    // What was looked at before a choice is looked at anew after it.
    let looked = "def f(a, b):\n    n = 4 if a else 8\n    m = n if b else 8\n    cute.make_layout((m, n))\n";
    assert_eq!(shapes(looked), Some(["(4,4)", "(8,4)", "(8,8)"].map(str::to_owned).to_vec()));
}

/// Of many choices each set costs what it changes: these are 512 sets, and each has many names.
#[test]
fn many_sets_are_gone_through() {
    use std::fmt::Write as _;
    let mut text = "def f(p):\n".to_owned();
    for index in 0..9 {
        let _ = writeln!(text, "    a{index} = 1 if p[{index}] else 2");
        let sum = vec![format!("a{index}"); 8].join(" + ");
        for part in 0..16 {
            let _ = writeln!(text, "    c{index}_{part} = {sum}");
        }
        let sum: Vec<String> = (0..16).map(|part| format!("c{index}_{part}")).collect();
        let _ = writeln!(text, "    b{index} = {}", sum.join(" + "));
    }
    let all: Vec<String> = (0..9).map(|index| format!("b{index}")).collect();
    let _ = writeln!(text, "    cute.make_layout(({}))", all.join(" + "));
    let expected: Vec<String> = (9..=18).map(|ones| (128 * ones).to_string()).collect();
    let mut found = shapes(&text).unwrap();
    found.sort_unstable_by_key(|one| one.parse::<u64>().unwrap());
    assert_eq!(found, expected);
}

/// Where a place is not reached, what else is chosen does not matter: of the 2^14 sets of the first call one is gone through.
#[test]
fn sets_that_do_not_reach_a_place_are_one() {
    use std::fmt::Write as _;
    let mut text = "def f(mode, p):\n".to_owned();
    for index in 0..14 {
        let _ = writeln!(text, "    a{index} = (1 if p[{index}] else 2) if mode == 1 else 3");
    }
    let all: Vec<String> = (0..14).map(|index| format!("a{index}")).collect();
    let _ = writeln!(text, "    n = mode + {}", all.join(" + "));
    let shown = |text: &str, mode: u8| {
        shapes(&format!("{text}    if mode == {mode}:\n        cute.make_layout(n)\nf(1, x)\nf(2, x)\n"))
    };
    assert_eq!(shown(&text, 2), Some(vec!["44".to_owned()]));
    // All of them reach it.
    assert_eq!(shown(&text, 1), None);
}

/// Extents of 0 say nothing of the sets after them: the last call may pass anything.
#[test]
fn sets_behind_many_extents_of_0_are_gone_through() {
    let calls = (2..12).fold(String::new(), |all, m| all + &format!("f(0, {m})\n"));
    let text = format!("def f(n, m):\n    cute.make_layout((n, m))\nf(4, 4)\n{calls}");
    assert_eq!(shapes(&text), Some(vec!["(4,4)".to_owned()]));
    assert_eq!(shapes(&format!("{text}f(5, table(8))\n")), None);
}

/// Values are compared as what they are, wherever they are written.
#[test]
fn swizzled_layouts_are_compared() {
    use super::super::value::{Composed, Value};
    let python = read(&[(
        "kernel.py",
        &format!("{CUTE}A = cute.make_layout(64)\nB = cute.make_layout(64)\nC = cute.make_layout(32)\n"),
    )]);
    let layouts: Vec<_> = python.survey.layouts.iter().map(|found| Rc::new(found.layout.clone().unwrap())).collect();
    let composed = |layout: usize, bits: u64, offset: u64| {
        let (swizzle, layout) = (Swizzle::new(bits, 4, 3), layouts[layout].clone());
        Value::Composed(Rc::new(Composed { swizzle, offset, layout, helper: false }))
    };
    assert!(composed(0, 3, 0).same(&composed(1, 3, 0)));
    for other in [composed(2, 3, 0), composed(0, 2, 0), composed(0, 3, 8), Value::Layout(layouts[0].clone())] {
        assert!(!composed(0, 3, 0).same(&other) && !other.same(&composed(0, 3, 0)));
    }
}

/// Tests of one value that is not known are decided together: the first arm that is chosen says what comes later.
#[test]
fn tests_of_one_unknown_are_decided_together() {
    let of = |body: &str| shapes(&format!("def f(arch, x):\n{body}    cute.make_layout((m, n))\n"));
    let both = "    m = 1 if arch // 10 == 9 else 2\n    n = 4\n    if arch // 10 not in [8, 9]:\n        n = 8\n";
    assert_eq!(of(both), Some(["(1,4)", "(2,4)", "(2,8)"].map(str::to_owned).to_vec()));
    let elif = "    if arch < 9:\n        m = 1\n    elif arch < 12:\n        m = 2\n    else:\n        m = 3\n    n = 4 if arch >= 10 else 5\n";
    assert_eq!(of(elif), Some(["(1,5)", "(2,4)", "(2,5)", "(3,4)"].map(str::to_owned).to_vec()));
    // What stands behind a test runs only where it holds.
    let guarded =
        "    m = 1 if arch // 10 == 9 else 2\n    n = 4\n    if arch // 10 == 9:\n        cute.make_layout((m, 1))\n";
    assert_eq!(of(guarded), Some(vec!["(1,1)".to_owned()]));
    // Another value at the second test, and another function's.
    let all = Some(["(1,4)", "(1,8)", "(2,4)", "(2,8)"].map(str::to_owned).to_vec());
    let changed = "    m = 1 if arch // 10 == 9 else 2\n    arch = x\n    n = 4 if arch // 10 == 9 else 8\n";
    assert_eq!(of(changed), all);
    let looped = "    for a in x:\n        k = a + 1\n        if k == 2:\n            m = 1\n        else:\n            m = 2\n    n = 4 if k == 2 else 8\n";
    assert_eq!(of(looped), None);
}

/// A function or class that is handed on as a value may be called with anything: what calls are seen is not all.
#[test]
fn what_is_handed_on_may_be_called_with_anything() {
    let f = "def f(n=4):\n    cute.make_layout(n)\n";
    let four = || Some(vec!["4".to_owned()]);
    let eight = Some(vec!["8".to_owned()]);
    for open in [
        "map(f, [8, 16])",
        "def call(fn, n):\n    return fn(n)\ncall(f, 8)",
        "def get():\n    return f\nmap(get(), [8])",
        "all = [f]\nall[0](8)",
        "class K:\n    go = f\nK.go(8)",
        "table(f)",
        "o.x = f",
        "run(lambda: f)",
        "g = f\ntable(g)",
        "f.__call__(16)",
        "def go(x):\n    D = {8: f}\n    for k in D.values():\n        k(16)",
        "def go(x):\n    D = {8: f}\n    D.get(x)(16)",
        "def go(x):\n    D = {8: {9: f}}\n    k = D[8].get(9)\n    k(16)",
        "def go(x):\n    D = {8: f}\n    E = D\n    k = E.pop(8)\n    k(16)",
        "def go(x):\n    D = {8: f}\n    return D",
        "def go(x):\n    D = {\"]\": {9: f}}\n    for k in D[\"]\"].values():\n        k(16)",
        "@f\ndef g():\n    pass",
    ] {
        assert_eq!(shapes(&format!("{f}{open}\n")), None, "{open}");
    }
    for seen in [
        "g = f\n    g(8)",
        "h = f if x else f\n    h(8)",
        "OPS = {1: f}\n    OPS[x](8)",
        "OPS = {1: f}\n    if x in OPS:\n        OPS[x](8)",
        "# OPS.\n    OPS = {1: f, 2: f}\n    OPS[x](8)",
        "OPS = {1: {2: f}}\n    k = OPS[x][2]\n    k(8)",
        "f[x](8)",
        "cute.compile(f, 8)",
    ] {
        assert_eq!(shapes(&format!("{f}def go(x):\n    {seen}\n")), eight, "{seen}");
    }
    for nothing in ["f()", "assert f is not None\nf()", "print(f.__name__)\nf()"] {
        assert_eq!(shapes(&format!("{f}{nothing}\n")), four(), "{nothing}");
    }
    let class = "class K:\n    def __init__(self, n=4):\n        self.n = n\n    def g(self):\n        cute.make_layout(self.n)\n";
    for open in ["make(K)", "    def again(self):\n        return type(self)(8)", "def f(p):\n    return K"] {
        assert_eq!(shapes(&format!("{class}{open}\nK()\n")), None, "{open}");
    }
    for seen in ["def f(x):\n    isinstance(x, K)", "class L(K):\n    pass", "def f(p: K) -> K:\n    pass"] {
        assert_eq!(shapes(&format!("{class}K()\n{seen}\n")), four(), "{seen}");
    }
    // The DSL calls what it compiles.
    let called = "class K:\n    def __call__(self, n=4):\n        cute.make_layout(n)\nk = K()\ncute.compile(k, 8)\n";
    assert_eq!(shapes(called), None);
}
