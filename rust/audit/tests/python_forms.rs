//! Usual forms of programs in Python: what a program is started with, stores in tensors, copies in loops, types that guards
//! allow. Beside each that is wrong stands one that is nearly the same, and right.

#![allow(clippy::too_many_lines, reason = "each test is a list of programs")]

use crate::common;

use common::{found, python, python_files, silent};
use razorgirl_audit::finding::Code;

const CUTE: &str = "import argparse, torch\nimport cutlass\nimport cutlass.cute as cute\nfrom cutlass import Float16\n\
                    from cutlass.cute.nvgpu import cpasync, warp\n";

/// Rows of 64 elements overlap below that.
#[test]
fn defaults_of_arguments() {
    let class = "class K:\n    def __init__(self, n: int = 64):\n        self.n = n\n    @cute.jit\n    def __call__(self, m: cute.Tensor):\n        \
                 cute.make_layout((8, 64), stride=(self.n, 1))\n";
    let program = |add: &str, rest: &str| {
        format!("{class}parser = argparse.ArgumentParser()\n{add}\nargs = parser.parse_args()\n{rest}")
    };
    let add = "parser.add_argument('--n', type=int, default=32)";
    for (add, rest) in [
        (add, "K(args.n)"),
        ("parser.add_argument('-x', '--n', default=32)", "K(args.n)"),
        ("parser.add_argument('--my-n', type=int, default=32)", "K(args.my_n)"),
        ("parser.add_argument('--rows', dest='n', type=int, default=32)", "K(n=args.n)"),
        ("group = parser.add_argument_group('x')\ngroup.add_argument('--n', type=int, default=32)", "K(args.n)"),
        ("parser.add_argument('--wide', action='store_true')", "K(64 if args.wide else 32)"),
        ("parser.add_argument('--n', type=int)", "K(args.n or 32)"),
        ("def add(p):\n    p.add_argument('--n', type=int, default=32)\nadd(parser)", "K(args.n)"),
        ("parser.add_argument('--t', default=[32, 8])", "K(args.t[0])"),
        (add, "def run(args):\n    K(args.n)\nrun(args)"),
        (add, "assert args.n in (32, 64)\nK(args.n)"),
    ] {
        found(CUTE, &program(add, rest), Code::Overlap);
    }
    for (add, rest) in [
        ("parser.add_argument('--n', type=int, default=64)", "K(args.n)"),
        ("parser.add_argument('--n', type=int, required=True, default=32)", "K(args.n)"),
        ("parser.add_argument('n', type=int, default=32)", "K(args.n)"),
        ("parser.add_argument('--n', type=double, default='32')", "K(args.n)"),
        ("parser.add_argument('--n', action=Double, default=32)", "K(args.n)"),
        ("parser.add_argument('--n', action='append', default=32)", "K(args.n)"),
        ("parser.add_argument('--n', **more)", "K(args.n)"),
        ("parser.add_argument('--n', type=int, default=32)\nparser.set_defaults(n=64)", "K(args.n)"),
        ("parser.add_argument('--n', type=int, default=32)\nmore(parser)", "K(args.n)"),
        ("parser.add_argument('--n', type=int, default=32)\nlib.more(parser)", "K(args.n)"),
        ("parser.add_argument('--n', default=32)\nparser.add_argument('--m', dest='n', default=64)", "K(args.n)"),
        ("parser.add_argument('--n', default=32)\nparser.add_argument(name, dest='n', default=64)", "K(args.n)"),
        ("other = argparse.ArgumentParser()\nother.add_argument('--n', default=32)", "K(args.n)"),
        ("parser.add_argument('--t', default=[32, 8])", "t = args.t\nt[0] = 64\nK(args.t[0])"),
        (add, "args.n = 64\nK(args.n)"),
        (add, "setattr(args, 'n', 64)\nK(args.n)"),
        (add, "vars(args).update(x)\nK(args.n)"),
        (add, "args = parser.parse_args(['--n', '64'])\nK(args.n)"),
        (add, "def main():\n    args = parser.parse_args()\n    assert args.n == 64\n    K(args.n)"),
        (add, "if args.n == 64:\n    K(args.n)"),
        (add, "K(2 * args.n)"),
        ("parser.add_argument('--wide', action='store_false')", "K(64 if args.wide else 32)"),
        ("parser.add_argument('--n', type=int)", "K(args.n or 64)"),
        ("parser.add_argument('--n', type=int)", "K(args.n)"),
    ] {
        silent(CUTE, &program(add, rest));
    }
    // Functions of which each has one call.
    found(CUTE, &program(add, "def go(n):\n    K(n)\ngo(args.n)"), Code::Overlap);
    silent(CUTE, &program(add, "def go(n):\n    K(n)\ngo(64)\nprint(args.n)"));
    // Another file sets them.
    let own = program(add, "def run():\n    K(args.n)\n");
    let other = |text: &str| python_files(&[("m.py", format!("{CUTE}{own}")), ("main.py", text.to_owned())]);
    assert_eq!(other("from m import run\nrun()\n"), [Code::Overlap]);
    assert_eq!(other("from m import parser, run\nparser.set_defaults(n=64)\nrun()\n"), []);
    assert_eq!(other("from m import args, run\nargs.n = 64\nrun()\n"), []);
}

/// A store in a tensor changes no list and no dictionary.
#[test]
fn stores_in_tensors() {
    let program = |constants: &str, stride: &str, store: &str| {
        format!(
            "{constants}\ndef use(c):\n    return c['k'] // 2\n@cute.jit\ndef run(mA: cute.Tensor, other, all: list[cute.Tensor]):\n    \
             cute.make_layout((8, 64), stride=({stride}, 1))\n    {store}\n"
        )
    };
    let (list, dictionary) = ("N = [128, 64]", "N = {'k': 64}");
    for store in [
        "mA[0] = 1",
        "mA[None, 0][1] = 2",
        "x = cute.make_rmem_tensor(4, Float16)\n    x[0] = 1",
        "x = mA[None, 0]\n    x[0] = 1",
        "x = torch.empty_like(other)\n    x[0] = 1",
    ] {
        found(CUTE, &program(list, "N[1] - 32", store), Code::Overlap);
        found(CUTE, &program(dictionary, "N['k'] // 2", store), Code::Overlap);
        found(CUTE, &program(dictionary, "use(N)", store), Code::Overlap);
        silent(CUTE, &program(list, "N[1]", store));
        silent(CUTE, &program(dictionary, "N['k']", store));
    }
    for store in [
        "N[1] = 96",
        "x = N\n    x[1] = 96",
        "other[1] = 96",
        "all[1] = 96",
        "x = [mA]\n    x[0] = N",
        "mA = other\n    mA[1] = 96",
        "make_tensor(N)[1] = 96",
        "x = make(N)\n    x[1] = 96",
    ] {
        silent(CUTE, &program(list, "use_of(N) or N[1] - 32", store));
        silent(CUTE, &program(dictionary, "use(N)", store));
    }
    // A function of the files may return what it is given.
    let own = "def make_tensor(x):\n    return x\nN = {'k': 64}\nM = make_tensor(N)\nM['k'] = 128\n";
    silent(
        CUTE,
        &format!(
            "{own}def f():\n    x = make_tensor(N)\n    x['k'] = 128\ndef use(c):\n    return c['k'] // 2\ncute.make_layout((8, 64), stride=(use(N), 1))\n"
        ),
    );
    // A block that has a name.
    let launch = |threads: u32| {
        format!(
            "class K:\n    def __init__(self):\n        self.threads = {threads}\n    @cute.jit\n    def __call__(self, mA: cute.Tensor):\n        \
             block = [self.threads, 1, 1]\n        self.kernel(mA).launch(grid=(1, 1, 1), block=block)\n    @cute.kernel\n    \
             def kernel(self, mA: cute.Tensor):\n        mA[0] = 0\n"
        )
    };
    found(CUTE, &launch(2048), Code::BlockThreads);
    silent(CUTE, &launch(1024));
}

/// `eval` and `exec` may be functions of the file.
#[test]
fn names_of_builtins() {
    let class = "class K:\n    def __init__(self):\n        self.n = 64\n    @cute.jit\n    def __call__(self, m: cute.Tensor):\n        \
                 cute.make_layout((8, 64), stride=(self.n // 2, 1))\n";
    found(CUTE, &format!("{class}def bench():\n    def eval(f):\n        f()\n    eval(K())\n"), Code::Overlap);
    found(CUTE, &format!("{class}def exec(f):\n    f()\nexec(K())\n"), Code::Overlap);
    silent(CUTE, &format!("{class}def bench(text):\n    eval(text)\nbench(x)\n"));
    silent(
        CUTE,
        &format!("{class}def bench(text):\n    def eval(f):\n        f()\ndef other(text):\n    eval(text)\n"),
    );
    silent(
        CUTE,
        &format!("{class}class C:\n    def eval(self):\n        pass\n    def f(self, text):\n        eval(text)\n"),
    );
    silent(CUTE, &format!("{class}if x:\n    def eval(f):\n        pass\neval(text)\n"));
    silent(CUTE, &format!("{class}from fast import eval\neval(text)\n"));
}

/// Halves in vectors of eight, and a swizzle that leaves four or eight of them together.
#[test]
fn copies_in_loops_and_by_name() {
    let kernel = |swizzle: &str, copy: &str| {
        format!(
            "@cute.jit
def run(mA: cute.Tensor):
    atom = cute.make_copy_atom(cpasync.CopyG2SOp(), Float16, num_bits_per_copy=128)
    tc = cute.make_tiled_copy_tv(atom, cute.make_layout((16, 8), stride=(8, 1)), cute.make_layout((1, 8)))
    layout = cute.make_composed_layout(cute.make_swizzle({swizzle}), 0, cute.make_layout((128, 64), stride=(64, 1)))
    kernel(mA, tc, layout, 4).launch(grid=(1, 1, 1), block=(128, 1, 1))
@cute.kernel
def kernel(mA: cute.Tensor, tc: cute.TiledCopy, layout: cute.ComposedLayout, z: cutlass.Int32):
    tid, _, _ = cute.arch.thread_idx()
    gA = cute.local_tile(mA, (128, 64), (0, None))
    sA = cutlass.utils.SmemAllocator().allocate_tensor(Float16, layout, 16)
    thr = tc.get_slice(tid)
    src = thr.partition_S(gA)
    dst = thr.partition_D(sA)
    n = cute.size(gA, mode=[2])
    {copy}
"
        )
    };
    let copy = "cute.copy(tc, src[None, None, None, k], dst)";
    let by_name = "cute.copy(atom=tc, src=src[None, None, None, 0], dst=dst)";
    let rounds = |range: &str, test: &str| format!("for k in {range}:\n        if {test}:\n            {copy}");
    let split = Code::SwizzleSplits;
    for text in [
        by_name.to_owned(),
        "cute.copy(tc, src=src[None, None, None, 0], dst=dst)".to_owned(),
        rounds("cutlass.range(n)", "k + 1 < n"),
        rounds("range(n)", "k != n - 1"),
        rounds("cutlass.range(n, unroll=1)", "k >= z"),
        format!(
            "for k in cutlass.range(n):\n        if k + 1 < n:\n            pass\n        else:\n            {copy}"
        ),
    ] {
        assert!(python(CUTE, &kernel("3, 2, 3", &text)).contains(&split), "{text}");
        assert!(!python(CUTE, &kernel("3, 3, 3", &text)).contains(&split), "{text}");
    }
    for text in [
        // What is compiled is not known.
        rounds("cutlass.range_constexpr(n)", "k + 1 < n"),
        rounds("cutlass.range(n)", "cutlass.const_expr(mA.element_type.width == k)"),
        rounds("cutlass.range(n)", "flag"),
        rounds("cutlass.range(n)", "z < n"),
        rounds("items", "k < n"),
        // Threads are held back.
        rounds("cutlass.range(n)", "k + tid < 1"),
        rounds("cutlass.range(tid, n)", "k < 1"),
        format!("if z < 4:\n        {}", rounds("cutlass.range(n)", "k < n").replace('\n', "\n    ")),
        "cute.copy(tc, src[None, None, None, 0], dst, pred=p)".to_owned(),
        "cute.copy(atom=tc, src=src[None, None, None, 0], dst=dst, pred=p)".to_owned(),
        "cute.copy(atom=other, src=src[None, None, None, 0], dst=dst)".to_owned(),
        "cute.copy(atom=tc, src=gA, dst=other)".to_owned(),
    ] {
        assert!(!python(CUTE, &kernel("3, 2, 3", &text)).contains(&split), "{text}");
    }
}

/// Halves by what a guard says of a host's tensor, and a swizzle that leaves four or eight of them together.
#[test]
fn types_that_guards_allow() {
    let program = |guard: &str, base: u32| {
        format!(
            "class K:
    def __init__(self):
        pass
    @cute.jit
    def __call__(self, mA: cute.Tensor, mB: cute.Tensor):
        {guard}
        self.dtype = mA.element_type
        atom = cute.make_copy_atom(cpasync.CopyG2SOp(), self.dtype, num_bits_per_copy=128)
        elems = 128 // self.dtype.width
        tc = cute.make_tiled_copy_tv(atom, cute.make_layout((16, 8), stride=(8, 1)), cute.make_layout((1, elems)))
        layout = cute.make_composed_layout(cute.make_swizzle(3, {base}, 3), 0, cute.make_layout((128, 64), stride=(64, 1)))
        @cute.struct
        class Storage:
            a: cute.struct.Align[cute.struct.MemRange[self.dtype, cute.cosize(layout)], 1024]
        self.storage = Storage
        self.kernel(mA, tc, layout).launch(grid=(1, 1, 1), block=(128, 1, 1))
    @cute.kernel
    def kernel(self, mA: cute.Tensor, tc: cute.TiledCopy, layout: cute.ComposedLayout):
        tid, _, _ = cute.arch.thread_idx()
        gA = cute.local_tile(mA, (128, 64), (0, None))
        st = cutlass.utils.SmemAllocator().allocate(self.storage)
        sA = st.a.get_tensor(layout)
        thr = tc.get_slice(tid)
        cute.copy(tc, thr.partition_S(gA)[None, None, None, 0], thr.partition_D(sA))
"
        )
    };
    let raises = |test: &str| format!("if {test}:\n            raise TypeError()");
    for guard in [
        raises("mA.element_type not in [cutlass.Float16, cutlass.BFloat16]"),
        raises("cutlass.const_expr(mA.element_type not in (Float16, cutlass.BFloat16))"),
        raises("not (mA.element_type == Float16 or mA.element_type == cutlass.BFloat16)"),
        raises("mA.element_type is not Float16"),
        raises("mA.element_type != Float16 or mB.element_type != Float16"),
        "assert mA.element_type is Float16".to_owned(),
        "assert mA.element_type in [Float16, cutlass.BFloat16], 'halves'".to_owned(),
        "assert mA.element_type == Float16 and mB.element_type == cutlass.Float32".to_owned(),
        // Of both only one is left.
        format!(
            "{}\n        assert mA.element_type == Float16",
            raises("mA.element_type not in [Float16, cutlass.Float32]")
        ),
    ] {
        assert!(python(CUTE, &program(&guard, 2)).contains(&Code::SwizzleSplits), "{guard}");
        assert!(!python(CUTE, &program(&guard, 3)).contains(&Code::SwizzleSplits), "{guard}");
    }
    for guard in [
        "pass".to_owned(),
        // Four numbers of 32 bits are a vector.
        raises("mA.element_type not in [cutlass.Float32]"),
        raises("mA.element_type not in [cutlass.Float32, Float16]"),
        raises("mB.element_type not in [Float16]"),
        raises("mA.element_type in [Float16, cutlass.BFloat16]"),
        raises("mA.element_type not in kinds"),
        raises("mA.element_type not in [Float16, kind]"),
        raises("mA.element_type != Float16 and mB.element_type != Float16"),
        raises("mA.element_type != kind"),
        "assert mA.element_type is Float16 or flag".to_owned(),
        "if flag:\n            assert mA.element_type is Float16".to_owned(),
        "if mA.element_type is not Float16:\n            pass".to_owned(),
        "mA = mB\n        assert mA.element_type is Float16".to_owned(),
    ] {
        assert!(!python(CUTE, &program(&guard, 2)).contains(&Code::SwizzleSplits), "{guard}");
    }
}

/// Threads of a tiled copy whose values hang on the type of a host's tensor.
#[test]
fn threads_without_values() {
    let program = |stride: u32, block: u32, values: &str| {
        format!(
            "@cute.kernel
def kernel(gA: cute.Tensor, thr: cute.Layout, val: cute.Layout):
    tid, _, _ = cute.arch.thread_idx()
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), gA.element_type)
    tiled = cute.make_tiled_copy_tv(atom, thr, val)
    part = tiled.get_slice(tid).partition_S(gA)
@cute.jit
def run(mA: cute.Tensor):
    vec = 128 // mA.element_type.width
    thr = cute.make_layout((4, 32), stride=({stride}, 1))
    val = {values}
    kernel(mA, thr, val).launch(grid=(1, 1, 1), block=({block}, 1, 1))
"
        )
    };
    let values = "cute.make_ordered_layout((4, vec), order=(1, 0))";
    silent(CUTE, &program(32, 128, values));
    silent(CUTE, &program(32, 256, values));
    found(CUTE, &program(32, 64, values), Code::BlockThreads);
    found(CUTE, &program(64, 128, values), Code::TiledCopy);
    silent(
        CUTE,
        &program(64, 64, "cute.make_layout((vec, 4), stride=(0, vec))").replace("stride=(64, 1)", "stride=(0, 1)"),
    );
    // Values alone.
    let alone = "@cute.jit\ndef run(mA: cute.Tensor):\n    n = 1024 // mA.element_type.width\n    \
                 cute.make_tiled_copy_tv(x, cute.make_layout(n), cute.make_layout((4, 2), stride=(STRIDE, 1)))\n";
    found(CUTE, &alone.replace("STRIDE", "4"), Code::TiledCopy);
    silent(CUTE, &alone.replace("STRIDE", "2"));
    silent(CUTE, &alone.replace("STRIDE", "4").replace("make_layout(n)", "make_layout(m)"));
}

#[test]
fn numbers_of_swizzles() {
    let program = |stride: &str| {
        format!(
            "def f(swizzle):\n    rows = 1 << swizzle.num_bits\n    return cute.make_layout((rows, 64), stride=({stride}, 1))\n\
             f(cute.make_swizzle(3, 4, 3))\n"
        )
    };
    found(CUTE, &program("8 * swizzle.num_base"), Code::Overlap);
    silent(CUTE, &program("16 * swizzle.num_base"));
    silent(CUTE, &program("8 << swizzle.num_shift"));
    silent(CUTE, &program("swizzle.num"));
}

/// What a call, a name or a dictionary says of a launch.
#[test]
fn launches_by_other_words() {
    let program = |launch: &str| {
        format!(
            "class K:\n    def __init__(self):\n        self.threads = 256\n    @cute.jit\n    def __call__(self, mA: cute.Tensor):\n        \
             atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float16, num_bits_per_copy=128)\n        \
             tiled = cute.make_tiled_copy_tv(atom, cute.make_layout((self.threads // 8, 8), stride=(8, 1)), cute.make_layout((1, 8)))\n        \
             {launch}\n    @cute.kernel\n    def kernel(self, mA: cute.Tensor, tiled: cute.TiledCopy):\n        \
             tid, _, _ = cute.arch.thread_idx()\n        part = tiled.get_slice(tid).partition_S(mA)\n        part.fill(0)\n"
        )
    };
    for launch in [
        "k = self.kernel(mA, tiled)\n        k.launch(grid=(1, 1, 1), block=(BLOCK, 1, 1))",
        "args = dict(grid=(1, 1, 1), block=(BLOCK, 1, 1))\n        self.kernel(mA, tiled).launch(**args)",
        "args = {'grid': (1, 1, 1), 'block': (BLOCK, 1, 1)}\n        self.kernel(mA, tiled).launch(**args)",
        "self.kernel(mA, tiled).launch(**{'block': (BLOCK, 1, 1)}, grid=(1, 1, 1))",
    ] {
        found(CUTE, &program(&launch.replace("BLOCK", "128")), Code::BlockThreads);
        silent(CUTE, &program(&launch.replace("BLOCK", "256")));
    }
    for launch in [
        "k = self.kernel(mA, tiled)\n        if x:\n            k = self.other(mA)\n        k.launch(grid=(1, 1, 1), block=(128, 1, 1))",
        "args = dict(grid=(1, 1, 1), block=(128, 1, 1))\n        args['block'] = (256, 1, 1)\n        self.kernel(mA, tiled).launch(**args)",
        "args = dict(grid=(1, 1, 1), block=(128, 1, 1))\n        args.update(x)\n        self.kernel(mA, tiled).launch(**args)",
        "args = dict(more, block=(128, 1, 1))\n        self.kernel(mA, tiled).launch(**args)",
        "args = dict(block=(128, 1, 1))\n        if x:\n            args = dict(block=(256, 1, 1))\n        self.kernel(mA, tiled).launch(**args)",
        "args = dict(block=(128, 1, 1))\n        self.kernel(mA, tiled).launch(**args, **more)",
    ] {
        silent(CUTE, &program(launch));
    }
}

/// Arrays that are allocated otherwise: by `alloc_smem`, and by a struct that is laid over bytes.
#[test]
fn other_arrays() {
    let alone = |count: u32| {
        format!(
            "@cute.kernel\ndef kernel(mA: cute.Tensor):\n    ptr = cute.arch.alloc_smem(Float16, {count})\n    \
             s = cute.make_tensor(ptr, cute.make_layout((16, 16)))\n    s[0, 0] = mA[0]\n\
             @cute.jit\ndef run(mA: cute.Tensor):\n    kernel(mA).launch(grid=(1, 1, 1), block=(128, 1, 1))\n"
        )
    };
    found(CUTE, &alone(128), Code::SmallArray);
    silent(CUTE, &alone(256));
    silent(CUTE, &alone(128).replace("128)\n", "n)\n"));
    let laid = |ld: u32, rest: &str| {
        format!(
            "@cute.kernel\ndef kernel(mA: cute.Tensor):\n    smem = cutlass.utils.SmemAllocator()\n    @cute.struct\n    class Storage:\n        \
             a: cute.struct.Align[cute.struct.MemRange[Float16, 8192], 16]\n        b: cute.struct.MemRange[Float16, 8192]\n    \
             raw = smem.allocate(Storage.size_in_bytes(), 16)\n    s = Storage(raw)\n    \
             sA = s.a.get_tensor(cute.make_layout((128, 64), stride=({ld}, 1)))\n    {rest}\n\
             @cute.jit\ndef run(mA: cute.Tensor):\n    kernel(mA).launch(grid=(1, 1, 1), block=(128, 1, 1))\n"
        )
    };
    found(CUTE, &laid(72, ""), Code::SmallArray);
    silent(CUTE, &laid(64, ""));
    // What is laid over two fields on purpose.
    silent(CUTE, &laid(72, "sB = s.a.get_tensor(cute.make_layout(64))"));
}
