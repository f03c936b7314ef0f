//! What is resolved, and what is not.

use super::*;
use crate::eval::Numbers;

const CUTE: &str = "import cutlass\nimport cutlass.cute as cute\n";

fn read(files: &[(&str, &str)]) -> Python {
    let sources: Vec<Source> = files.iter().map(|(path, text)| Source::new(*path, text.as_bytes().to_vec())).collect();
    Python::read(&sources)
}

fn told(layout: &Resolved<Constant>) -> Result<String, Reason> {
    let tuple = |numbers: &Numbers| numbers.tuple.to_string();
    layout.as_ref().map(|one| format!("{}:{}", tuple(&one.shape), tuple(&one.stride))).map_err(|why| why.reason)
}

/// All layouts of a file that imports CuTe, in the order of the text.
fn layouts(text: &str) -> Vec<Result<String, Reason>> {
    let python = read(&[("kernel.py", &format!("{CUTE}{text}"))]);
    assert_eq!((python.errors, python.given_up.len()), (0, 0), "{text}");
    python.survey.layouts.iter().map(|found| told(&found.layout)).collect()
}

/// The layout of an expression.
fn is(expression: &str, expected: &str) {
    let all = layouts(&format!("L = {expression}\n"));
    assert_eq!(all.first(), Some(&Ok(expected.to_owned())), "{expression}");
}

#[test]
fn constructors() {
    is("cute.make_layout((64, 32), stride=(1, 65))", "(64,32):(1,65)");
    is("cute.make_layout((4, (2, 2)))", "(4,(2,2)):(1,(4,8))");
    is("cute.make_layout(8)", "8:1");
    is("cute.make_layout((8,), stride=(0,))", "(8):(0)");
    is("cute.make_layout([8, 4], stride=None)", "(8,4):(1,8)");
    is("cute.make_layout(shape=(8, 4), stride=(4, 1))", "(8,4):(4,1)");
    is("cute.make_ordered_layout((8, 16), order=(1, 0))", "(8,16):(16,1)");
    is("cute.core.make_layout(1 << 3)", "8:1");
    is("cutlass.cute.make_layout(4)", "4:1");
    is("cute.tile_to_shape(cute.make_layout((8, 8)), (16, 16), (0, 1))", "((8,2),(8,2)):((1,64),(8,128))");
    is(
        "cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, cute.make_layout((8, 64), stride=(64, 1)))",
        "(8,64):(64,1)",
    );
    is(
        "cute.make_layout_tv(cute.make_layout((4, 32), stride=(32, 1)), cute.make_layout((4, 4), stride=(4, 1)))",
        "((32,4),(4,4)):((64,4),(16,1))",
    );
}

/// What an expression comes to, in words.
fn value(expression: &str) -> String {
    let text = format!("{CUTE}L = {expression}\n");
    let sources = [Source::new("kernel.py", text.into_bytes())];
    let files = Files::read(&sources);
    let scope = tree::MODULE;
    let bindings = &files.modules[0].scope(scope).unwrap().names["L"];
    let tree::Bound::Value(expr, _) = bindings[0].bound else { panic!("{expression}") };
    let at = At { module: 0, scope, frame: None };
    match Evaluator::new(&files).ask(expr, &at) {
        Ok(Value::Layout(layout)) => told(&Ok((*layout).clone())).unwrap(),
        Ok(other) => other.numbers(Evaluator::new(&files).site(expr, &at)).unwrap().tuple.to_string(),
        Err(why) => format!("{:?}", why.reason),
    }
}

#[test]
fn algebra() {
    for (expression, expected) in [
        ("cute.logical_divide(cute.make_layout((8, 4)), (4, 2))", "((4,2),(2,2)):((1,4),(8,16))"),
        ("cute.zipped_divide(cute.make_layout((8, 4)), (4, 2))", "((4,2),(2,2)):((1,8),(4,16))"),
        ("cute.tiled_divide(cute.make_layout((8, 4)), (4, 2))", "((4,2),2,2):((1,8),4,16)"),
        ("cute.flat_divide(cute.make_layout((8, 4)), tiler=(4, 2))", "(4,2,2,2):(1,8,4,16)"),
        ("cute.coalesce(cute.make_layout((8, 4)))", "32:1"),
        ("cute.composition(cute.make_layout(32), cute.make_layout((4, 2)))", "(4,2):(1,4)"),
        ("cute.composition(cute.make_layout((8, 4)), (4, None))", "(4,4):(1,8)"),
        ("cute.select(cute.make_layout((8, 4, 2)), mode=[2, 0])", "(2,8):(32,1)"),
        ("cute.select((8, 4, 2), [0, 2])", "(8,2)"),
        ("cute.group_modes(cute.make_layout((8, 4, 2)), 0, 2)", "((8,4),2):((1,8),32)"),
        ("cute.append(cute.make_layout((8, 4)), cute.make_layout(3, stride=7))", "(8,4,3):(1,8,7)"),
        ("cute.prepend(cute.make_layout((8, 4)), cute.make_layout(3, stride=7))", "(3,8,4):(7,1,8)"),
        ("cute.right_inverse(cute.make_layout((8, 4), stride=(4, 1)))", "(4,8):(8,1)"),
        ("cute.recast_layout(32, 16, cute.make_layout((8, 4)))", "(4,4):(1,4)"),
        ("cute.complement(cute.make_layout(4, stride=2), 16)", "(2,2):(1,8)"),
        ("cute.blocked_product(cute.make_layout((2, 2)), cute.make_layout((3, 4)))", "((2,3),(2,4)):((1,4),(2,12))"),
        ("(cute.size(cute.make_layout((8, 4))), cute.size((8, (2, 2)), mode=[1]))", "(32,4)"),
        ("(cute.cosize(cute.make_layout((8, 4), stride=(1, 9))), cute.rank((1, 2, 3)))", "(35,3)"),
        ("cute.size_in_bytes(cutlass.Float16, cute.make_layout((8, 4)))", "64"),
        (
            "(cute.ceil_div(100, 32), cute.round_up(100, 64), 128 // cutlass.Float32.width, cute.arch.WARP_SIZE)",
            "(4,128,4,32)",
        ),
        ("cute.make_layout((8, 4)).stride", "(1,8)"),
        ("cute.slice_(cute.make_layout((8, 4, 2)), (0, None, None))", "(4,2):(8,32)"),
        ("cute.append((8, 4), 2)", "(8,4,2)"),
        ("4 if cutlass.const_expr(None is not None) else 8", "8"),
        ("cute.make_identity_layout((8, 4)).shape", "UnknownMember"),
        // CuTe may have an answer, and it is not guessed.
        ("cute.logical_divide(cute.make_layout(8), 3)", "Call"),
        ("cute.composition(cute.make_layout((6, 2), stride=(1, 7)), cute.make_layout((3, 2), stride=(2, 3)))", "Call"),
    ] {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn constants_are_followed() {
    let last = |text: &str| layouts(text).pop().unwrap();
    for (text, expected) in [
        ("N = 4\nM = N * 2 + 7 // 2 - 3 % 2\nL = cute.make_layout((M, -(-5) // 2))", "(10,2):(1,10)"),
        ("def f(x):\n    y = x * 2\n    return y + 1\nL = cute.make_layout(f(f(3)))", "15:1"),
        ("def f(x, n=4):\n    'two'\n    return (x, n)\nL = cute.make_layout(f(2))", "(2,4):(1,2)"),
        (
            "class K:\n    threads = 128\n    def __init__(self):\n        self.tile = (64, 32)\n    def make(self):\n        return cute.make_layout((self.threads, *self.tile))",
            "(128,64,32):(1,128,8192)",
        ),
        ("class K:\n    n = 4\nL = cute.make_layout(K.n)", "4:1"),
        ("a, (b, c) = 2, (3, 4)\nL = cute.make_layout((a, b, c))", "(2,3,4):(1,2,6)"),
        ("S = (8, 4, 2)\nL = cute.make_layout((S[0], S[-1], *S[1:2]), stride=(1,) + S[:2])", "(8,2,4):(1,8,4)"),
        ("N = 4 if cutlass.const_expr(2 > 1) else 8\nL = cute.make_layout((N,) * 2)", "(4,4):(1,4)"),
        (
            "def k():\n    n = 4\n    def inner():\n        return cute.make_layout((n, max(2, 3), len((1, 2))))",
            "(4,3,2):(1,4,12)",
        ),
        ("try:\n    import cutlass.cute as cute\nexcept ImportError:\n    cute = None\nL = cute.make_layout(4)", "4:1"),
        ("from cutlass.cute import make_layout as ml\nL = ml((2, 2))", "(2,2):(1,2)"),
        ("from cutlass.cute import *\nL = make_layout((2, 2))", "(2,2):(1,2)"),
        ("from cutlass import cute as c\nL = c.make_layout(0x10)", "16:1"),
    ] {
        assert_eq!(last(text), Ok(expected.to_owned()), "{text}");
    }
}

/// Unknown is not yes.
#[test]
fn what_may_change_is_no_constant() {
    let last = |text: &str| layouts(text).pop().unwrap();
    for (text, reason) in [
        ("def f(n):\n    return cute.make_layout(n)", Reason::Dependent),
        ("def f(n: cute.Tensor = 4):\n    return cute.make_layout(n)", Reason::RunTime),
        ("def f(n: cutlass.Int32 = 4):\n    return cute.make_layout(n)", Reason::RunTime),
        ("def f(n: cutlass.Constexpr[int]):\n    return cute.make_layout(n)", Reason::Dependent),
        ("n = 4\nn += 1\nL = cute.make_layout(n)", Reason::RunTime),
        ("def f():\n    for n in range(1, 4):\n        cute.make_layout(n)", Reason::RunTime),
        ("for n in nowhere:\n    cute.make_layout(n)", Reason::RunTime),
        ("n = 4\nfor i in (1, 2):\n    n = i\nL = cute.make_layout(n)", Reason::RunTime),
        ("def f():\n    n = 1\n    while x:\n        cute.make_layout(n)\n        n = 2", Reason::RunTime),
        ("s = [4, 2]\ns.append(3)\nL = cute.make_layout(s)", Reason::RunTime),
        ("s = [4, 2]\ns[0] = 3\nL = cute.make_layout(s)", Reason::RunTime),
        ("n = 4\ndef f():\n    global n\n    n = 5\nL = cute.make_layout(n)", Reason::RunTime),
        ("n = 4\nif (n := 5):\n    pass\nL = cute.make_layout(n)", Reason::RunTime),
        ("n = 4\nL = [(n := 5) for i in x]\nM = cute.make_layout(n)", Reason::RunTime),
        ("n = 4\ntry:\n    pass\nexcept E as n:\n    pass\nL = cute.make_layout(n)", Reason::RunTime),
        ("s = [4, 2]\nt = s\nt.append(3)\nL = cute.make_layout(s)", Reason::RunTime),
        ("s = (4, [2, 2])\nf(s)[1] += 3\nL = cute.make_layout(s)", Reason::RunTime),
        (
            "class K:\n    s = [4, 2]\n    def f(self):\n        t = self.s\n        t[0] = 1\n        return cute.make_layout(self.s)",
            Reason::RunTime,
        ),
        ("with x as n:\n    cute.make_layout(n)", Reason::RunTime),
        ("L = cute.make_layout(nowhere)", Reason::UnknownName),
        ("from elsewhere import n\nL = cute.make_layout(n)", Reason::UnknownName),
        ("L = cute.make_layout(4 / 2)", Reason::Expression),
        ("L = cute.make_layout(4 // 0)", Reason::Expression),
        ("L = cute.make_layout(*x)", Reason::UnknownName),
        ("def f(n):\n    return n\nd = {'n': 4}\nd['n'] = 8\nL = cute.make_layout(f(**d))", Reason::RunTime),
        // Objects of one class are not told apart.
        (
            "class K:\n    def __init__(self, n):\n        self.n = n\nL = cute.make_layout(tuple(k.n for k in (K(4), K(8))))",
            Reason::Expression,
        ),
        // What the DSL makes of them is 605032704, and 2147483648 less 1 << 32.
        ("L = cute.make_layout(cutlass.Int32(70000) * 70000)", Reason::Overflow),
        ("L = cute.make_layout(cutlass.Int32(1) << 31)", Reason::Overflow),
        ("L = cute.make_layout({'a': 4}.get('b'))", Reason::Dependent),
        ("import torch.distributed as dist\nL = cute.make_layout(dist.get_world_size())", Reason::RunTime),
        ("L = cute.make_layout(x.shape)", Reason::UnknownName),
        ("L = cute.make_layout(-4)", Reason::Negative),
        ("L = cute.make_layout(0)", Reason::ZeroExtent),
        ("L = cute.make_layout(1 << 90)", Reason::Overflow),
        ("L = cute.make_layout('x')", Reason::NotNumeric),
        ("L = cute.make_layout(4, loc=None, ip=None, flavour=2)", Reason::Call),
        ("a = b\nb = a\nL = cute.make_layout(a)", Reason::TooDeep),
        ("def f(n):\n    return f(n + 1)\nL = cute.make_layout(f(0))", Reason::TooDeep),
        (
            "class K:\n    def __init__(self, x):\n        self.n = 4 if x else 8\n        for a in ('m', 'n'):\n            setattr(self, a, 5)\n    def f(self):\n        return cute.make_layout(self.n)",
            Reason::Ambiguous,
        ),
        (
            "class K:\n    def __init__(self, x):\n        self.n_staged = 4 if x else 8\n        setattr(self, f'{x}_staged', 5)\n    def f(self):\n        return cute.make_layout(self.n_staged)",
            Reason::Ambiguous,
        ),
        ("@cute.jit\ndef f(x):\n    return x\nL = cute.make_layout(f(4))", Reason::Call),
    ] {
        assert_eq!(last(text), Err(reason), "{text}");
    }
}

/// Python's own ways to say a constant, and of each one that is nearly it.
#[test]
fn expressions_of_python() {
    let last = |text: &str| layouts(text).pop().unwrap();
    for (text, expected) in [
        ("def f(a, b):\n    return (a, b)\nL = cute.make_layout(f(*(2, 3)))", "(2,3):(1,2)"),
        ("def f(a, b):\n    return (a, b)\nL = cute.make_layout(f(2, **{'b': 3}))", "(2,3):(1,2)"),
        ("def f(a, b):\n    return (a, b)\nL = cute.make_layout(f(*(2,), *[3]))", "(2,3):(1,2)"),
        ("L = cute.make_layout({n: n * 2 for n in (2, 3)}[3])", "6:1"),
        ("L = cute.make_layout(tuple(n for n in (2, 3, 4) if n != 3))", "(2,4):(1,2)"),
        ("L = cute.make_layout({'a': 4}.get('a', 8))", "4:1"),
        ("L = cute.make_layout({'a': 4}.get('b', 8))", "8:1"),
        ("L = cute.make_layout(tuple(n for _, n in {'a': 4, 'b': 2}.items()))", "(4,2):(1,4)"),
        ("x = cute.make_layout(8)\nL = cute.make_layout(getattr(x, 'shape'))", "8:1"),
        (
            "class K:\n    n = 4\n    def f(self):\n        return cute.make_layout((getattr(self, 'n', 8), getattr(self, 'm', 2)))",
            "(4,2):(1,4)",
        ),
        (
            "L = cute.make_layout((cutlass.Int32(4) * 2, cutlass.Int64(1) << cutlass.Int64(40)))",
            "(8,1099511627776):(1,8)",
        ),
        (
            "x = cute.make_layout((4, (2, 8)), stride=(1, (32, 4)))\nL = cute.make_layout(x[1].shape, stride=x[1].stride)",
            "(2,8):(32,4)",
        ),
        (
            "from cutlass.cute.typing import Float32\nL = cute.make_layout(4 if Float32 is cutlass.Float32 else 8)",
            "4:1",
        ),
        ("from cutlass.cute.typing import Float16 as F\nL = cute.make_layout(128 // F.width)", "8:1"),
        (
            "import enum\nclass E(enum.Enum):\n    A = enum.auto()\n    B = enum.auto()\n             L = cute.make_layout((4 if E.A is E.A else 8, 4 if E.A is E.B else 8))",
            "(4,8):(1,4)",
        ),
        (
            "from cutlass.cute.nvgpu import warp\nx = warp.MmaFP8Op(cutlass.Float8E4M3FN, cutlass.Float32, (16, 8, 32))\n\
             L = cute.make_layout((4 if isinstance(x, warp.MmaFP8Op) else 8, 4 if isinstance(x, warp.MmaMXF4Op) else 8))",
            "(4,8):(1,4)",
        ),
        (
            "def f(x):\n    return x if isinstance(x, (list, tuple)) else (x, x)\nL = cute.make_layout((f(2), f((4, 8))))",
            "((2,2),(4,8)):((1,2),(4,16))",
        ),
        ("L = cute.make_layout((4 if isinstance(True, int) else 8, 4 if isinstance(2, str) else 8))", "(4,8):(1,4)"),
        ("from cutlass import utils\nL = cute.make_layout(utils.get_smem_capacity_in_bytes('sm_100'))", "232448:1"),
    ] {
        assert_eq!(last(text), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn what_python_refuses_is_left_out() {
    // A name's default that is no tuple, keys and items that are not there, types of another library.
    let f = "def f(t=-1):\n    a, b = t\n    return cute.make_layout((a, b))\n";
    sets(&format!("{f}f((4, 2))\nf()"), &["(4,2):(1,4)"]);
    sets("def f(k):\n    return cute.make_layout({'a': 4, 'b': 8}[k])\nf('a')\nf('c')", &["4:1"]);
    sets("def f(t):\n    return cute.make_layout(t[1])\nf((4, 2))\nf((4,))", &["2:1"]);
    sets("def f(t):\n    return cute.make_layout(t['n'])\nf({'n': 4})\nf((4, 2))", &["4:1"]);
    sets(
        "import cutlass.utils.blackwell_helpers as h\ndef f(n):\n    return cute.make_layout(h.get_permutation_mnk((64, 64, 64), n, False)[0])\nf(16)\nf(8)",
        &["64:1"],
    );
    sets(
        "import torch\ndef f(t):\n    return cute.make_layout(128 // t.width)\nf(cutlass.Float16)\nf(torch.float16)",
        &["8:1"],
    );
    sets(
        "class K:\n    def n(self):\n        raise NotImplementedError\n    def f(self):\n        return cute.make_layout(self.n())\n\
         class H(K):\n    def n(self):\n        return 4\n",
        &["4:1"],
    );
    // Whether a key is there is not known where dictionaries change.
    let last = |text: &str| layouts(text).pop().unwrap();
    let text = "def f(k):\n    return cute.make_layout({'a': 4}[k])\nf('a')\nf('c')\nx[0] = 1";
    assert!(last(text).is_err());
}

/// What is made of itself is not known, and what is handed on as it is, is what it was before.
#[test]
fn attributes_that_are_made_of_themselves() {
    let made = |stores: &str| {
        format!(
            "class K:\n    def __init__(self):\n        self.t = (4, 1)\n    def f(self):\n        {stores}\n        return cute.make_layout(self.t)\n\
             K()"
        )
    };
    sets(&made("self.t = (self.t[0], 2)"), &["(4,2):(1,4)"]);
    sets(&made("self.n = (*self.t, 8)\n        self.t = (self.n[0], self.n[2])"), &["(4,8):(1,4)"]);
    // In a loop it is what the round before has stored.
    let text =
        made("for i in x:\n            self.m = cute.make_layout(self.t[1])\n            self.t = (4, self.t[1] * 2)");
    assert!(layouts(&text).first().unwrap().is_err());
    // With two methods before it, it may be either, and is computed with.
    let last = |text: &str| layouts(text).pop().unwrap();
    let other = "class K:\n    def __init__(self):\n        self.n = 4\n    def g(self):\n        self.n = 8\n    def h(self):\n        self.n = self.n * 2\n    \
                 def f(self):\n        return cute.make_layout(self.n)\nK()";
    assert_eq!(last(other), Err(Reason::TooDeep));
    sets(&other.replace("self.n * 2", "self.n if x else 16"), &["4:1", "8:1", "16:1"]);
}

/// `replace` names some fields, and the others are not the defaults.
#[test]
fn fields_that_are_replaced_are_tried() {
    let class = "import dataclasses\n@dataclasses.dataclass\nclass K:\n    m: int\n    n: int = 4\n    def f(self):\n        return cute.make_layout(";
    let made = "K(2, 5)\nk = dataclasses.replace(x, m=8)\ntext.replace('m', m=9)";
    sets(&format!("{class}self.m)\n{made}"), &["2:1", "8:1"]);
    sets(&format!("{class}(self.m, self.n))\n{made}"), &["(2,5):(1,2)"]);
    // Of another class.
    sets(&format!("{class}self.m)\n{made}\nclass H:\n    pass\ndataclasses.replace(H(), m=16)"), &["2:1", "8:1"]);
}

/// What one layout is in each way that the code lists.
fn tried(text: &str) -> Vec<(String, String, bool)> {
    let python = read(&[("kernel.py", &format!("{CUTE}{text}"))]);
    let found = python.survey.layouts.last().unwrap();
    assert!(found.layout.is_ok(), "{text}: {:?}", found.layout);
    let told = |case: &Case| (told(&Ok(case.layout.clone())).unwrap(), case.holds.clone(), case.tried);
    found.cases.iter().map(told).collect()
}

fn sets(text: &str, expected: &[&str]) {
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
        "def f(tile):\n    return cute.make_layout(tile)\nelsewhere(tile=64)\nif tile == 32:\n    pass",
        &["64:1", "32:1"],
    );
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

#[test]
fn statements_are_followed_in_their_order() {
    let last = |text: &str| layouts(text).pop().unwrap();
    for (text, expected) in [
        ("n = 4\nn = n * 2\nL = cute.make_layout(n)", "8:1"),
        ("def f():\n    n = 4\n    m = n\n    n = 8\n    return cute.make_layout((m, n))", "(4,8):(1,4)"),
        ("n = 4\nif 2 > 1:\n    n = 8\nL = cute.make_layout(n)", "8:1"),
        ("def f():\n    for i in x:\n        n = 4\n        n = n + 1\n        cute.make_layout(n)", "5:1"),
        (
            "def f(n):\n    if n > 4:\n        return 1\n    elif n == 4:\n        return 2\n    return 3\nL = cute.make_layout((f(5), f(4), f(3)))",
            "(1,2,3):(0,1,2)",
        ),
        ("L = cute.make_layout(tuple(i * 2 for i in (1, 2)))", "(2,4):(1,2)"),
        ("L = cute.make_layout({'a': 4}['a'])", "4:1"),
        ("import math\nL = cute.make_layout(int(math.ceil(100 / 64) * 64))", "128:1"),
        ("L = cute.make_layout(4 if 3 in (1, 2) else 8)", "8:1"),
    ] {
        assert_eq!(last(text), Ok(expected.to_owned()), "{text}");
    }
    // A function may be called before the second one.
    assert_eq!(last("n = 4\ndef f():\n    return n\nf()\nn = 8\nL = cute.make_layout(f())"), Ok("8:1".to_owned()));
}

#[test]
fn names_are_found_in_other_files() {
    let kernel = "from .config import TILE, Config\nfrom pkg import sizes\nimport cutlass.cute as cute\n\
                  A = cute.make_layout(TILE)\nB = cute.make_layout((Config.n, sizes.M))\n";
    let files = [
        ("pkg/kernel.py", kernel),
        ("pkg/config.py", "from .sizes import M\nTILE = (M, 4)\nclass Config:\n    n = 2\n"),
        ("pkg/sizes.py", "M = 8\n"),
        ("pkg/__init__.py", ""),
    ];
    let python = read(&files);
    let all: Vec<_> = python.survey.layouts.iter().map(|found| told(&found.layout)).collect();
    assert_eq!(all, [Ok("(8,4):(1,8)".to_owned()), Ok("(2,8):(1,2)".to_owned())]);
    // What another file stores in an attribute is one of its values, and what has two meanings is no constant.
    let mut more = files.to_vec();
    more.push(("pkg/other.py", "import cutlass.cute as cute\nfrom .config import Config\nConfig.n = 3\n"));
    let python = read(&more);
    let all: Vec<_> = python.survey.layouts.iter().map(|found| told(&found.layout)).collect();
    assert_eq!(all, [Ok("(8,4):(1,8)".to_owned()), Ok("(3,8):(1,3)".to_owned())]);
    assert_eq!(python.survey.layouts[1].cases.len(), 2);
    more.push(("pkg/again.py", "import cutlass.cute as cute\nfrom . import config\nconfig.TILE = 3\n"));
    let all: Vec<_> = read(&more).survey.layouts.iter().map(|found| told(&found.layout)).collect();
    assert_eq!(all, [Err(Reason::RunTime), Ok("(3,8):(1,3)".to_owned())]);
}

#[test]
fn other_libraries_are_left_alone() {
    for text in [
        "def make_layout(x):\n    return x\nL = make_layout((8, 4))\n",
        "import numpy as cute\nL = cute.make_layout(4)\n",
        "cute = 4\nL = cute.make_layout(4)\n",
        "import triton.language as gl\nL = gl.BlockedLayout([1], [32], [4], [0])\n",
    ] {
        let python = read(&[("a.py", text)]);
        assert_eq!((python.survey.layouts.len(), python.gluon.len()), (0, 0), "{text}");
    }
    // The word is needed before anything is parsed.
    assert!(read(&[("a.py", "x = 4\n")]).units.is_empty());
    assert!(read(&[("a.hpp", "import cutlass.cute as cute\ncute.make_layout(4)\n")]).units.is_empty());
}

#[test]
fn what_the_grammar_cannot_read_binds_what_it_names() {
    let text = format!("{CUTE}n = 4\n@@ n ) (\nL = cute.make_layout(n)\nM = cute.make_layout(2)\n");
    let python = read(&[("a.py", &text)]);
    assert!(python.errors > 0);
    let all: Vec<_> = python.survey.layouts.iter().map(|found| told(&found.layout)).collect();
    assert!(!all.contains(&Ok("4:1".to_owned())), "{all:?}");
    let deep = format!("{CUTE}L = cute.make_layout({}4{})", "(".repeat(500), ")".repeat(500));
    assert_eq!(read(&[("a.py", &deep)]).given_up.len(), 1);
}

#[test]
fn gluon_layouts_are_known_or_not() {
    let text = "from triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n\
                A = gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])\n\
                def f(num_warps):\n    return gl.BlockedLayout([1, 4], [8, 4], [num_warps, 1], order=[1, 0])\n\
                B = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16)\n\
                C = gluon.language.SharedLinearLayout([[0, 1], [1, 0]])\n";
    let python = read(&[("a.py", text)]);
    let known: Vec<bool> = python.gluon_known.iter().map(|(_, known)| known.is_ok()).collect();
    assert_eq!(known, [true, false, true, true]);
}

#[test]
fn names_count_among_what_is_kept() {
    let line = |name: &str| {
        format!("{CUTE}for {} in x:\n    pass\n", (0..200).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", "))
    };
    let weight = |text: &str| {
        let sources = [Source::new("a.py", text.as_bytes().to_vec())];
        Files::read(&sources).modules[0].weight()
    };
    // No expression stands for a name that a loop binds, and it takes as much room as six.
    assert!(weight(&line("n")) >= weight(CUTE) + 200 * 6, "{}", weight(&line("n")));
    assert!(weight(&format!("{CUTE}@@ {} ) (", "a b c d e f g h ".repeat(9))) >= weight(CUTE) + 8 * 2);
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
fn shapes(text: &str) -> Option<Vec<String>> {
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
