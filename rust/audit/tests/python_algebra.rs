//! Python: divisions, tiled copies of threads and values with their tile, and `partial`.

use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};
use razorgirl_audit::{Report, audit_sources};

const HEAD: &str = "import cutlass\nimport cutlass.cute as cute\nfrom functools import partial\nimport functools\n";

fn audit(files: &[(&str, &str)]) -> Report {
    let files = files.iter().map(|(name, text)| Source::new(*name, format!("{HEAD}{text}").into())).collect();
    let report = audit_sources(Sources { files, unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0, "{report:?}");
    report
}

/// What is found in one file.
fn found(text: &str) -> Vec<(Code, String)> {
    audit(&[("kernel.py", text)]).findings.into_iter().map(|finding| (finding.code, finding.title)).collect()
}

fn only(text: &str, code: Code, words: &str) {
    let all = found(text);
    let fits = matches!(all.as_slice(), [(found, title)] if *found == code && title.contains(words));
    assert!(fits, "{text}: {all:?}");
}

fn right(text: &str) {
    assert_eq!(found(text), [], "{text}");
}

/// A call of a division of a layout.
fn division(name: &str, layout: &str, tiler: &str) -> String {
    format!("x = cute.{name}(cute.make_layout({layout}), {tiler})\n")
}

#[test]
fn divisions_that_carry() {
    let rows = "(6, 8), stride=(9, 1)";
    for name in ["logical_divide", "zipped_divide", "tiled_divide", "flat_divide"] {
        only(&division(name, rows, "cute.make_layout(4)"), Code::Composed, "accepts this division");
        only(&division(name, rows, "tiler=cute.make_layout(4)"), Code::Composed, "accepts this division");
        right(&division(name, rows, "cute.make_layout(3)"));
        right(&division(name, rows, "cute.make_layout(6)"));
        // By modes each is rounded up, as a predicated kernel wants it.
        right(&division(name, rows, "(4, 3)"));
        right(&division(name, rows, "(4,)"));
        // Rows without gaps are one mode, and so is a mode alone.
        right(&division(name, "(6, 8), stride=(1, 6)", "cute.make_layout(4)"));
        right(&division(name, "6, stride=9", "cute.make_layout(4)"));
        // What CuTe refuses is the compiler's to say.
        right(&division(name, "(10, 12), stride=(12, 1)", "cute.make_layout((2, 2), stride=(4, 3))"));
    }
    // The DSL takes an integer for a tiler only here.
    only(&division("logical_divide", rows, "4"), Code::Composed, "accepts this division");
    right(&division("zipped_divide", rows, "4"));
    // A mode that has modes itself is divided as a layout is.
    let nested = "((6, 8), 3), stride=((9, 1), 100)";
    only(&division("zipped_divide", nested, "(4, 3)"), Code::Composed, "accepts this division");
    right(&division("zipped_divide", nested, "(6, 2)"));
    right(&division("zipped_divide", nested, "(None, 2)"));
}

#[test]
fn divisions_by_what_the_code_lists() {
    let kernel = "@cute.jit\ndef f(m: cutlass.Constexpr, n: cutlass.Constexpr):\n    \
        return cute.logical_divide(cute.make_layout((m, n), stride=(n, 1)), cute.make_layout(8))\n";
    let calls = |calls: &str| format!("{kernel}@cute.jit\ndef main(n):\n{calls}");
    only(&calls("    f(20, 6)\n"), Code::Composed, "accepts this division");
    only(&calls("    f(24, 6)\n    f(20, 6)\n"), Code::Composed, "accepts this division");
    right(&calls("    f(24, 6)\n    f(16, 6)\n"));
    right(&calls("    f(n, 6)\n"));
    // Values that never stand together.
    right(&calls("    f(20, 1)\n    f(16, 6)\n"));
}

#[test]
fn what_a_division_makes_is_said() {
    let report = audit(&[("kernel.py", &division("logical_divide", "(6, 8), stride=(9, 1)", "cute.make_layout(4)"))]);
    let [finding] = report.findings.as_slice() else { panic!("{report:?}") };
    assert_eq!(finding.layout, "logical_divide((6,8):(9,1), 4:1)");
    // 4 + 4 · 0 + 2 is the first element of the second column; CuTe has row 6.
    assert!(finding.notes[0].starts_with("B(2,1) = 6 and A(6) = 1, but the result of CuTe has 54"), "{finding:?}");
    // What nvidia-cutlass-dsl 4.8.1 answers.
    assert!(finding.notes[1].ends_with("CuTe makes the modes 4:9 2:36 8:1"), "{finding:?}");
}

fn tiled(threads_and_values: &str, tile: &str) -> String {
    format!(
        "atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, num_bits_per_copy=16)\n\
         x = cute.make_tiled_copy(atom, cute.make_layout({threads_and_values}), {tile})\n"
    )
}

#[test]
fn tiled_copies_with_their_tile() {
    let whole = "((32, 4), (8, 4)), stride=((32, 1), (4, 1024))";
    right(&tiled(whole, "(4, 1024)"));
    right(&tiled(whole, "tiler_mn=(cute.make_layout(4), cute.make_layout(1024))"));
    only(&tiled(whole, "(8, 1024)"), Code::Partition, "miss elements of their tile");
    only(&tiled(whole, "(4, 512)"), Code::Partition, "reach past their tile");
    // Threads that have the same element.
    right(&tiled("((32, 4), 8), stride=((8, 0), 1)", "(1, 256)"));
    // A mode that is kept, and what is known at run time.
    right(&tiled(whole, "(8, None)"));
    right(&format!("def k(n: cutlass.Int32):\n    {}", tiled(whole, "(n, 1024)").replace('\n', "\n    ")));
}

#[test]
fn tiles_that_a_class_makes() {
    let class = |columns: &str, call: &str| {
        format!(
            "class K:\n    def __init__(self, N: int):\n        self.N = N\n\
             \x20   def tv(self):\n        blocks = self.N // 256\n        tiler = (4, 256 * blocks)\n\
             \x20       tv = cute.make_layout(((32, 4), (8, blocks)), stride=((32, 1), (4, {columns})))\n\
             \x20       return tiler, tv\n\
             \x20   @cute.jit\n    def __call__(self, x: cute.Tensor):\n        tiler, tv = self.tv()\n\
             \x20       atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, num_bits_per_copy=16)\n\
             \x20       return cute.make_tiled_copy(atom, tv, tiler)\n{call}\n"
        )
    };
    right(&class("1024", "K(1024)(None)"));
    only(&class("2048", "K(1024)(None)"), Code::Partition, "reach past their tile");
    // One block only, and an extent that nobody lists.
    right(&class("2048", "K(256)(None)"));
    right(&class("2048", "K(len(open('x').read()))(None)"));
}

const COPY: &str = "def copy_for(dtype, threads, vals, bits):\n    \
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), dtype, num_bits_per_copy=bits)\n    \
    return cute.make_tiled_copy_tv(atom, threads, vals)\n";

const RIGHT: &str = "cute.make_layout((16, 8), stride=(8, 1))";
const WRONG: &str = "cute.make_layout((16, 8), stride=(9, 1))";
const VALUES: &str = "cute.make_layout((1, 8))";

#[test]
fn partial_of_a_function_of_the_files() {
    let within = |body: &str| format!("{COPY}@cute.jit\ndef k():\n{body}");
    for (make, call) in [
        ("partial(copy_for, cutlass.Float16, bits=128)", "make(THREADS, VALUES)"),
        ("functools.partial(copy_for, bits=128, dtype=cutlass.Float16)", "make(threads=THREADS, vals=VALUES)"),
        ("partial(copy_for, cutlass.Float16, THREADS)", "make(VALUES, 128)"),
        // What is named later counts.
        ("partial(copy_for, cutlass.Float16, threads=None, vals=VALUES)", "make(threads=THREADS, bits=128)"),
    ] {
        let text = |threads: &str| {
            let with = |text: &str| text.replace("THREADS", threads).replace("VALUES", VALUES);
            let local = within(&format!("    make = {}\n    c = {}\n", with(make), with(call)));
            let global = format!("{COPY}make = {}\n@cute.jit\ndef k():\n    c = {}\n", with(make), with(call));
            let at_once = within(&format!("    c = {}\n", with(&call.replacen("make", make, 1))));
            [local, global, at_once]
        };
        for text in text(WRONG) {
            only(&text, Code::TiledCopy, "thread layout");
        }
        for text in text(RIGHT) {
            right(&text);
        }
    }
    // Vectors hang on what the partial names: four values of 16 bits in 64, and in 128.
    let bits = |bits: u64| {
        within(&format!(
            "    make = partial(copy_for, cutlass.Float16, bits={bits})\n    c = make({RIGHT}, cute.make_layout((1, 4)))\n"
        ))
    };
    only(&bits(128), Code::TiledCopy, "64 bits");
    right(&bits(64));
}

#[test]
fn partial_that_is_not_certain() {
    let within = |body: &str| format!("{COPY}@cute.jit\ndef k(old):\n{body}");
    let values = "cute.make_layout((1, 4))";
    // The one that reaches the call counts.
    let twice = |first: u64, second: u64| {
        within(&format!(
            "    make = partial(copy_for, cutlass.Float16, bits={first})\n    a = make({RIGHT}, cute.make_layout((1, 8)))\n    \
             make = partial(copy_for, cutlass.Float16, bits={second})\n    b = make({RIGHT}, {values})\n"
        ))
    };
    right(&twice(128, 64));
    only(&twice(64, 128), Code::TiledCopy, "64 bits");
    // Which of two it is is not known.
    right(&within(&format!(
        "    make = partial(copy_for, cutlass.Float16, bits=128) if old else partial(copy_for, cutlass.Float16, bits=64)\n    \
         c = make({RIGHT}, {values})\n"
    )));
    // What is unpacked is not known.
    right(&within(&format!(
        "    make = partial(copy_for, cutlass.Float16, *old, bits=128)\n    c = make({WRONG}, {values})\n"
    )));
    // Another function of that name.
    right(&within(&format!(
        "    make = other.partial(copy_for, cutlass.Float16, bits=128)\n    c = make({RIGHT}, {values})\n"
    )));
}

#[test]
fn partial_of_the_library() {
    let text = |threads: &str| {
        format!(
            "copy = partial(cute.make_tiled_copy_tv, cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, \
             num_bits_per_copy=128))\n@cute.jit\ndef k():\n    c = copy({threads}, {VALUES})\n"
        )
    };
    only(&text(WRONG), Code::TiledCopy, "thread layout");
    right(&text(RIGHT));
    only(
        &format!("layout = partial(cute.make_layout_tv, {WRONG})\nx = layout({VALUES})\n"),
        Code::TiledCopy,
        "thread layout",
    );
    right(&format!("layout = partial(cute.make_layout_tv, {RIGHT})\nx = layout({VALUES})\n"));
    only("rows = partial(cute.make_layout, stride=(1, 4))\nx = rows((8, 4))\n", Code::Overlap, "(8,4):(1,4)");
    right("rows = partial(cute.make_layout, stride=(1, 4))\nx = rows((8, 4), stride=(4, 1))\n");
    // A partial of a partial.
    let twice = |threads: &str| {
        format!(
            "first = partial(cute.make_tiled_copy_tv, cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, \
             num_bits_per_copy=128))\nsecond = partial(first, {threads})\nx = second({VALUES})\n"
        )
    };
    only(&twice(WRONG), Code::TiledCopy, "thread layout");
    right(&twice(RIGHT));
}

#[test]
fn partial_of_another_file() {
    let lib = format!("{COPY}f16 = partial(copy_for, cutlass.Float16, bits=128)\n");
    for call in ["import lib\nc = lib.f16(T, V)\n", "from lib import f16 as make\nc = make(T, V)\n"] {
        let text = |threads: &str| call.replace('T', threads).replace('V', VALUES);
        let codes = |text: &str| {
            let report = audit(&[("lib.py", &lib), ("kernel.py", text)]);
            report.findings.iter().map(|finding| finding.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(&text(WRONG)), [Code::TiledCopy], "{call}");
        assert_eq!(codes(&text(RIGHT)), [], "{call}");
    }
}

#[test]
fn tiled_mmas() {
    let mma = |rest: &str| {
        format!(
            "from cutlass.cute.nvgpu import warp\n@cute.jit\ndef k(n):\n    \
             op = warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16))\n    \
             return cute.make_tiled_mma(op, {rest})\n"
        )
    };
    only(&mma("(4, 1, 1), permutation_mnk=(32, 16, 16)"), Code::MmaTile, "not a multiple of its atoms");
    only(&mma("(2, 2, 1), (32, 8, 16)"), Code::MmaTile, "not a multiple of its atoms");
    only(
        &mma("(2, 1, 1), (32, cute.make_layout((4, 3), stride=(1, 4)), 16)"),
        Code::MmaTile,
        "not a multiple of its atoms",
    );
    right(&mma("(4, 1, 1), permutation_mnk=(64, 16, 16)"));
    right(&mma("(2, 2, 1), (32, 16, 16)"));
    right(&mma("(4, 1, 1), permutation_mnk=(None, None, 16)"));
    right(&mma("(4, 1, 1)"));
    right(&mma("(4, 1, 1), permutation_mnk=(n, 16, 16)"));
    // Warps that are not counted without gaps; the same warps for both halves of N are meant.
    only(
        &mma("cute.make_layout((2, 2, 1), stride=(1, 3, 0))"),
        Code::MmaThreads,
        "not a bijection onto [0, number of atoms)",
    );
    right(&mma("cute.make_layout((2, 2, 1), stride=(1, 2, 0))"));
    right(&mma("cute.make_layout((2, 2, 1), stride=(1, 0, 0))"));
    // An instruction of which nothing is known.
    right(&mma("(4, 1, 1), permutation_mnk=(32, 16, 16)").replace("warp.MmaF16BF16Op(", "n("));
}

#[test]
fn tiled_mmas_by_what_the_code_lists() {
    let class = |calls: &str| {
        format!(
            "from cutlass.cute.nvgpu import warp\nclass K:\n    def __init__(self, warps: int):\n        self.warps = warps\n\
             \x20   @cute.jit\n    def __call__(self, x: cute.Tensor):\n        \
             op = warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16))\n        \
             return cute.make_tiled_mma(op, (self.warps, 1, 1), permutation_mnk=(64, 16, 16))\n{calls}\n"
        )
    };
    right(&class("K(4)(None)\nK(2)(None)"));
    only(&class("K(4)(None)\nK(8)(None)"), Code::MmaTile, "not a multiple of its atoms");
    right(&class("K(len(open('x').read()))(None)"));
}
