//! What is resolved, and what is not.

use super::*;
use crate::eval::Numbers;

mod callers;
mod objects;
mod returned;
mod semantics;
mod worlds;

use worlds::sets;

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
    let bindings = &files.modules[0].scope(scope).unwrap().names.get("L").unwrap();
    let tree::Bound::Value(expr, _) = bindings[0].bound else { panic!("{expression}") };
    let at = At { module: 0, scope, frame: None };
    let calls = Calls::of(&files);
    match Evaluator::new(&files, &calls).ask(expr, &at) {
        Ok(Value::Layout(layout)) => told(&Ok((*layout).clone())).unwrap(),
        Ok(other) => other.numbers(Evaluator::new(&files, &calls).site(expr, &at)).unwrap().tuple.to_string(),
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
        ("def f(n):\n    return cute.make_layout(n)", Reason::Unlisted),
        ("def f(n: cute.Tensor = 4):\n    return cute.make_layout(n)", Reason::RunTime),
        ("def f(n: cutlass.Int32 = 4):\n    return cute.make_layout(n)", Reason::RunTime),
        ("def f(n: cutlass.Constexpr[int]):\n    return cute.make_layout(n)", Reason::Unlisted),
        ("n = 4\nn += x\nL = cute.make_layout(n)", Reason::UnknownName),
        ("def f():\n    for n in range(1, 4):\n        cute.make_layout(n)", Reason::RunTime),
        ("for n in nowhere:\n    cute.make_layout(n)", Reason::RunTime),
        ("n = 4\nfor i in (1, 2):\n    n = i\nL = cute.make_layout(n)", Reason::RunTime),
        ("def f():\n    n = 1\n    while x:\n        cute.make_layout(n)\n        n = 2", Reason::RunTime),
        ("s = [4, 2]\ns.append(3)\nL = cute.make_layout(s)", Reason::RunTime),
        ("s = [4, 2]\ns[0] = 3\nL = cute.make_layout(s)", Reason::RunTime),
        ("n = 4\ndef f():\n    global n\n    n = 5\nL = cute.make_layout(n)", Reason::RunTime),
        ("n = 4\nif x and (n := 5):\n    pass\nL = cute.make_layout(n)", Reason::RunTime),
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
    let text = "d = {'a': 4}\ndef f(k):\n    return cute.make_layout(d[k])\nf('a')\nf('c')\nd[x] = 1";
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
