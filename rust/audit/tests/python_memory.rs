//! Shared memory and launches in CuTe's DSL: each rule against what is enumerated here, and what must stay silent.

#![allow(clippy::too_many_lines, reason = "each test is a list of programs")]

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

const HEAD: &str = "import cutlass\nimport cutlass.cute as cute\nfrom cutlass import Float16, Float32, Int64\n\
                    from cutlass.cute.nvgpu import cpasync, warp, warpgroup\n";

fn codes(text: &str) -> Vec<Code> {
    let source = Source::new("main.py", format!("{HEAD}{text}").into_bytes());
    let report = audit_sources(Sources { files: vec![source], unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0, "{text}");
    report.findings.into_iter().map(|finding| finding.code).collect()
}

/// A kernel with an array of halves in a struct, behind two barriers, and a tensor in it.
fn in_array(layout: &str, count: &str, tensor: &str) -> String {
    format!(
        "class Op:
    @cute.jit
    def __call__(self, mA: cute.Tensor):
        layout = {layout}
        @cute.struct
        class Storage:
            bar: cute.struct.MemRange[Int64, 2]
            x: cute.struct.Align[cute.struct.MemRange[Float16, {count}], 128]
        self.storage = Storage
        self.kernel(mA, layout).launch(grid=[1, 1, 1], block=[128, 1, 1])
    @cute.kernel
    def kernel(self, mA: cute.Tensor, layout: cute.Layout):
        storage = cutlass.utils.SmemAllocator().allocate(self.storage)
        sX = {tensor}
def main():
    cute.compile(Op(), None)
"
    )
}

/// `Swizzle<bits, base, shift>`, by its definition: bits of the offset are exclusive-ored onto lower ones.
fn swizzled(offset: u64, bits: u32, base: u32, shift: u32) -> u64 {
    let mask = (1 << bits) - 1;
    offset ^ ((offset >> (base + shift) & mask) << base)
}

#[test]
fn tensors_and_their_arrays() {
    for (rows, ld) in [(4, 64), (4, 72), (8, 65)] {
        let layout = format!("cute.make_layout(({rows}, 64), stride=({ld}, 1))");
        let most: u64 = (0..rows).flat_map(|row| (0..64).map(move |column| row * ld + column)).max().unwrap();
        for count in [rows * 64, most, most + 1, most + 2, rows * ld] {
            let expected = if most < count { vec![] } else { vec![Code::SmallArray] };
            let text = in_array(&layout, &count.to_string(), "storage.x.get_tensor(layout)");
            assert_eq!(codes(&text), expected, "{text}");
            let pointer = "cute.make_tensor(storage.x.data_ptr(), layout)";
            assert_eq!(codes(&in_array(&layout, &count.to_string(), pointer)), expected, "{rows} {ld} {count}");
        }
        // `size` counts coordinates.
        let by_size = codes(&in_array(&layout, "cute.size(layout)", "storage.x.get_tensor(layout)"));
        let gaps = most >= rows * 64;
        assert_eq!(by_size, if gaps { vec![Code::SmallArray] } else { vec![] }, "{layout}");
        assert!(codes(&in_array(&layout, "cute.cosize(layout)", "storage.x.get_tensor(layout)")).is_empty());
    }
    // Of another type there are as many as there is room for.
    let layout = "cute.make_layout((32, 64), stride=(64, 1))";
    for (count, expected) in [("2048", vec![Code::SmallArray]), ("4096", vec![])] {
        let recast = "storage.x.get_tensor(layout, dtype=Float32)";
        assert_eq!(codes(&in_array(layout, count, recast)), expected, "{count}");
    }
}

/// What is laid over several fields on purpose stays within its block.
#[test]
fn one_array_for_two_tensors() {
    let text = |b: u64, more: &str| {
        format!(
            "@cute.struct
class Storage:
    a: cute.struct.Align[cute.struct.MemRange[Float16, 1024], 128]
    b: cute.struct.Align[cute.struct.MemRange[Float16, {b}], 128]
@cute.kernel
def kernel(mA: cute.Tensor):
    storage = cutlass.utils.SmemAllocator().allocate(Storage)
    sC = storage.a.get_tensor(cute.make_layout((32, 64), stride=(64, 1)))
    sB = storage.b.get_tensor(cute.make_layout(64))
    {more}
@cute.jit
def run(mA: cute.Tensor):
    kernel(mA).launch(grid=[1, 1, 1], block=[32, 1, 1])
"
        )
    };
    let again = "sA = storage.a.get_tensor(cute.make_layout(1024))";
    assert_eq!(codes(&text(1024, "")), [Code::SmallArray]);
    assert_eq!(codes(&text(1024, again)), []);
    assert_eq!(codes(&text(512, again)), [Code::SmallArray]);
    // A union has room for the largest.
    let union = text(2048, "").replace("cute.struct\n", "cute.union\n");
    assert_eq!(codes(&union), [Code::SmallArray]);
    assert_eq!(codes(&union.replace("sB =", "sA = storage.a.get_tensor(cute.make_layout(1024))\n    sB =")), []);
}

#[test]
fn swizzles_of_layouts_count_elements_and_those_of_pointers_bytes() {
    for (rows, columns) in [(8, 64), (12, 38), (8, 40), (16, 8)] {
        for base in 1..5 {
            let inside = format!("cute.make_layout(({rows}, {columns}), stride=({columns}, 1))");
            let layout = format!("cute.make_composed_layout(cute.make_swizzle(3, {base}, 3), 0, {inside})");
            let end = rows * columns;
            for (bytes, tensor) in [
                (false, "smem.allocate_tensor(Float16, layout, 128)"),
                (true, "smem.allocate_tensor(Float16, layout.outer, 128, swizzle=layout.inner)"),
            ] {
                // In bytes, bit b of an address is bit b - 1 of a half.
                let base = if bytes { base - 1 } else { base };
                let leaves = (0..end).any(|offset| swizzled(offset, 3, base, 3) >= end);
                let read = 7 << (base + 3);
                let idle = (0..end).fold(0, |met, offset| met | offset) & read != read;
                let expected = match (leaves, idle) {
                    (true, _) => vec![Code::SwizzleLeaves],
                    (_, true) => vec![Code::SwizzleIdle],
                    _ => vec![],
                };
                let text = in_array(&layout, "64", tensor).replace(
                    "storage = cutlass.utils.SmemAllocator().allocate(self.storage)",
                    "smem = cutlass.utils.SmemAllocator()",
                );
                assert_eq!(codes(&text), expected, "{text}");
            }
        }
    }
    // An array with room for what is moved has lost nothing.
    let layout = "cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, cute.make_layout((12, 38), stride=(38, 1)))";
    assert_eq!(codes(&in_array(layout, "cute.cosize(layout)", "storage.x.get_tensor(layout)")), [Code::SwizzleLeaves]);
    assert_eq!(codes(&in_array(layout, "512", "storage.x.get_tensor(layout)")), []);
    // What is part of a tile is no whole.
    let atom = in_array(layout, "64", "smem.allocate_tensor(Float16, layout, 128)").replace("sX =", "sAtom =");
    let atom = atom.replace(
        "storage = cutlass.utils.SmemAllocator().allocate(self.storage)",
        "smem = cutlass.utils.SmemAllocator()",
    );
    assert_eq!(codes(&atom), []);
}

/// A kernel that copies into a tile of 32 rows of halves.
fn copies(layout: &str, tensor: &str, operation: &str, copy: &str) -> String {
    format!(
        "class Op:
    @cute.jit
    def __call__(self, mA: cute.Tensor):
        layout = {layout}
        atom = cute.make_copy_atom({operation}, Float16, num_bits_per_copy=128)
        tiled = cute.make_tiled_copy_tv(atom, cute.make_layout((16, 8), stride=(8, 1)), cute.make_layout((1, 8)))
        self.kernel(mA, layout, tiled).launch(grid=[1, 1, 1], block=[128, 1, 1])
    @cute.kernel
    def kernel(self, mA: cute.Tensor, layout, tiled: cute.TiledCopy):
        tidx, _, _ = cute.arch.thread_idx()
        sA = cutlass.utils.SmemAllocator().allocate_tensor(Float16, {tensor})
        thr = tiled.get_slice(tidx)
        tAgA, tAsA = thr.partition_S(mA), thr.partition_D(sA)
        {copy}
def main():
    cute.compile(Op(), None)
"
    )
}

const ASYNC: &str = "cpasync.CopyG2SOp()";
const PLAIN: &str = "cute.nvgpu.CopyUniversalOp()";
const COPY: &str = "cute.copy(tiled, tAgA, tAsA)";

/// `cp.async` of 16 bytes: eight halves lie one behind the other and begin at a multiple of eight, or do not.
#[test]
fn vectors_of_asynchronous_copies() {
    for base in 0..5_u32 {
        for bytes in [false, true] {
            let layout = format!(
                "cute.make_composed_layout(cute.make_swizzle(3, {base}, 3), 0, cute.make_layout((32, 64), stride=(64, 1)))"
            );
            let tensor = if bytes { "layout.outer, 1024, swizzle=layout.inner" } else { "layout, 1024" };
            let Some(base) = (if bytes { base.checked_sub(1) } else { Some(base) }) else { continue };
            let whole = (0..2048_u64).step_by(8).all(|first| {
                let at = swizzled(first, 3, base, 3);
                at.is_multiple_of(8) && (0..8).all(|element| swizzled(first + element, 3, base, 3) == at + element)
            });
            let said = codes(&copies(&layout, tensor, ASYNC, COPY));
            assert_eq!(said.contains(&Code::SwizzleSplits), !whole, "{base} {bytes} {said:?}");
            // Any other copy is split by the DSL.
            let said = codes(&copies(&layout, tensor, PLAIN, COPY));
            assert!(!said.contains(&Code::SwizzleSplits), "{base} {bytes} {said:?}");
        }
    }
    for ld in [64, 65, 68, 72] {
        let layout = format!("cute.make_layout((32, 64), stride=({ld}, 1))");
        let said = codes(&copies(&layout, "layout, 16", ASYNC, COPY));
        assert_eq!(said.contains(&Code::Vectors), ld % 8 != 0, "{ld} {said:?}");
        for (operation, copy) in [
            (PLAIN, COPY),
            (ASYNC, "tAsA.fill(0)"),
            (ASYNC, "cute.copy(tiled, tAgA, tAsA, pred=tApA)"),
            (ASYNC, "if tidx < 64: cute.copy(tiled, tAgA, tAsA)"),
            (ASYNC, "cute.copy(other, tAgA, tAsA)"),
            (ASYNC, "cute.autovec_copy(tAgA, tAsA)"),
        ] {
            let said = codes(&copies(&layout, "layout, 16", operation, copy));
            assert!(!said.contains(&Code::Vectors), "{ld} {copy} {said:?}");
        }
        let stage = "for k in cutlass.range_constexpr(2): cute.copy(tiled, tAgA[None, None, 0], tAsA[None, None, 0])";
        assert_eq!(codes(&copies(&layout, "layout, 16", ASYNC, stage)).contains(&Code::Vectors), ld % 8 != 0, "{ld}");
    }
}

/// Eight rows of 16 bytes share banks where their addresses are the same modulo 128 bytes, 16 at a time.
#[test]
fn banks_of_ldmatrix() {
    let text = |layout: &str| {
        format!(
            "class Op:
    @cute.jit
    def __call__(self, mA: cute.Tensor):
        layout = {layout}
        mma = cute.make_tiled_mma(warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16)), (4, 1, 1), permutation_mnk=(64, 16, 16))
        self.kernel(mA, layout, mma).launch(grid=[1, 1, 1], block=[128, 1, 1])
    @cute.kernel
    def kernel(self, mA: cute.Tensor, layout, mma: cute.TiledMma):
        tidx, _, _ = cute.arch.thread_idx()
        sA = cutlass.utils.SmemAllocator().allocate_tensor(Float16, layout, 128)
        atom = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(transpose=False, num_matrices=4), Float16)
        load = cute.make_tiled_copy_A(atom, mma)
        thr = load.get_slice(tidx)
        tAsA = thr.partition_S(sA)
        cute.copy(load, tAsA, thr.retile(mA))
def main():
    cute.compile(Op(), None)
"
        )
    };
    for ld in [64, 72, 80, 96] {
        let banks: std::collections::BTreeSet<u64> = (0..8).map(|row| row * ld * 2 % 128).collect();
        let layout = format!("cute.make_layout((64, 64), stride=({ld}, 1))");
        let expected = if banks.len() == 8 { vec![] } else { vec![Code::Banks] };
        assert_eq!(codes(&text(&layout)), expected, "{ld}");
    }
    for bits in 0..4 {
        let layout = format!(
            "cute.make_composed_layout(cute.make_swizzle({bits}, 3, 3), 0, cute.make_layout((64, 64), stride=(64, 1)))"
        );
        let banks: std::collections::BTreeSet<u64> =
            (0..8).map(|row| swizzled(row * 64, bits, 3, 3) * 2 % 128).collect();
        let expected = if banks.len() == 8 { vec![] } else { vec![Code::Banks] };
        assert_eq!(codes(&text(&layout)), expected, "{bits}");
    }
}

#[test]
fn where_arrays_begin() {
    let text = |align: &str, layout: &str, tensor: &str| {
        in_array(layout, "cute.cosize(layout)", tensor).replace("], 128]", &format!("], {align}]"))
    };
    let helper = "cute.tile_to_shape(warpgroup.make_smem_layout_atom(warpgroup.SmemLayoutAtomKind.K_SW128, Float16), \
                  (64, 64), (0, 1))";
    let own = "cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 0, cute.make_layout((64, 64), stride=(64, 1)))";
    let pointer = "storage.x.get_tensor(layout.outer, swizzle=layout.inner)";
    for (align, expected) in
        [("16", vec![Code::Misaligned]), ("64", vec![Code::Misaligned]), ("128", vec![]), ("1024", vec![])]
    {
        assert_eq!(codes(&text(align, helper, pointer)), expected, "{align}");
        // What nobody made for the copy engine may be read by what does not mind.
        assert_eq!(codes(&text(align, own, pointer)), [], "{align}");
    }
    // In a block that begins at a multiple of 1,024, one that begins off it surely does.
    let behind = text("128", helper, pointer).replace(
        "            bar: cute.struct.MemRange[Int64, 2]\n",
        "            first: cute.struct.Align[cute.struct.MemRange[Float16, 64], 1024]\n",
    );
    assert_eq!(codes(&behind), [Code::SwizzleBase]);
    assert_eq!(codes(&behind.replace("Float16, 64]", "Float16, 512]")), []);
}

#[test]
fn threads_of_partitions() {
    let text = |threads: &str| {
        format!(
            "@cute.kernel
def kernel(mA: cute.Tensor, threads: cute.Layout):
    tidx, _, _ = cute.arch.thread_idx()
    tA = cute.local_partition(mA, threads, tidx)
@cute.jit
def run(mA: cute.Tensor):
    kernel(mA, {threads}).launch(grid=[1, 1, 1], block=[128, 1, 1])
"
        )
    };
    for (rows, columns) in [(8, 1), (1, 16), (16, 2), (9, 1)] {
        let threads = format!("cute.make_layout((16, 8), stride=({rows}, {columns}))");
        let mut hit: Vec<u64> = (0..16).flat_map(|r| (0..8).map(move |c| r * rows + c * columns)).collect();
        hit.sort_unstable();
        let counts = hit == (0..128).collect::<Vec<_>>();
        // Strides of 16 and 2 take digits of 256 threads apart, of which this block has half.
        let wrong = if (rows, columns) == (16, 2) { Code::BlockThreads } else { Code::LocalPartition };
        assert_eq!(codes(&text(&threads)), if counts { vec![] } else { vec![wrong] }, "{threads}");
    }
}

/// A kernel with a copy of 128 threads, of which each takes its slice.
fn launched(slice: &str, more: &str, block: &str) -> String {
    format!(
        "class Op:
    def __init__(self, threads=128):
        self.threads = threads
    @cute.jit
    def __call__(self, mA: cute.Tensor):
        atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), mA.element_type, num_bits_per_copy=128)
        tiled = cute.make_tiled_copy_tv(atom, cute.make_layout((16, 8), stride=(8, 1)), cute.make_layout((1, 4)))
        self.kernel(mA, tiled).launch(grid=[1, 1, 1], block={block})
    @cute.kernel
    def kernel(self, mA: cute.Tensor, tiled: cute.TiledCopy):
        tidx, _, _ = cute.arch.thread_idx()
        {slice}
        {more}
def main():
    cute.compile(Op(), None)
"
    )
}

#[test]
fn blocks_of_launches() {
    let slice = "tA = tiled.get_slice(tidx).partition_D(mA)";
    for block in [32, 127, 128, 129, 256] {
        let expected = match block {
            0..128 => vec![Code::BlockThreads],
            128 => vec![],
            _ => vec![Code::BlockBeyond],
        };
        for spelled in
            [format!("[{block}, 1, 1]"), format!("({block}, 1, 1)"), format!("{block}"), format!("[{block}]")]
        {
            assert_eq!(codes(&launched(slice, "", &spelled)), expected, "{spelled}");
        }
    }
    for (block, expected) in
        [("self.threads", vec![]), ("self.threads // 2", vec![Code::BlockThreads]), ("tiled.size", vec![])]
    {
        assert_eq!(codes(&launched(slice, "", &format!("[{block}, 1, 1]"))), expected, "{block}");
    }
    // Another slice of the same, or one that is not taken by everybody: what is beside it is not known.
    for (slice, more) in [
        (slice, "tB = tiled.get_slice(tidx + 64).partition_D(mA)"),
        ("tA = tiled.get_slice(tidx % 64).partition_D(mA)", ""),
        ("tA = tiled.get_slice(0).partition_D(mA)", ""),
        ("if tidx < 64: tA = tiled.get_slice(tidx).partition_D(mA)", ""),
        ("for i in cutlass.range(2): tA = tiled.get_slice(tidx).partition_D(mA)", ""),
    ] {
        assert_eq!(codes(&launched(slice, more, "[64, 1, 1]")), [], "{slice} {more}");
    }
    // What may hold threads back.
    for more in [
        "if tidx < 128: tA.fill(0)",
        "cute.copy(tiled, mA, tA, pred=tP)",
        "other(tA)",
        "with cute.arch.elect_one(): tA.fill(0)",
        "n = 1 if tidx < 128 else 0",
        "for i in cutlass.range(tidx, 128): tA.fill(0)",
    ] {
        assert_eq!(codes(&launched(slice, more, "[256, 1, 1]")), [], "{more}");
    }
    for more in ["tA.fill(0)", "for i in cutlass.range(4): tA.fill(0)", "if cutlass.const_expr(2 > 1): tA.fill(0)"] {
        assert_eq!(codes(&launched(slice, more, "[256, 1, 1]")), [Code::BlockBeyond], "{more}");
    }
}

/// CuTe divides the number of a thread by the extents of an MMA and of `local_partition`: threads beyond get a part again.
#[test]
fn parts_that_threads_get_again() {
    let text = |slice: &str, block: u64| {
        format!(
            "@cute.kernel
def kernel(mA: cute.Tensor, mma: cute.TiledMma, threads: cute.Layout):
    tidx, _, _ = cute.arch.thread_idx()
    {slice}
@cute.jit
def run(mA: cute.Tensor):
    mma = cute.make_tiled_mma(warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16)), (2, 2, 1))
    kernel(mA, mma, cute.make_layout((16, 8))).launch(grid=[1, 1, 1], block=[{block}, 1, 1])
"
        )
    };
    for slice in ["tA = mma.get_slice(tidx)", "tA = cute.local_partition(mA, threads, tidx)"] {
        assert_eq!(codes(&text(slice, 64)), [Code::BlockThreads], "{slice}");
        assert_eq!(codes(&text(slice, 128)), [], "{slice}");
        assert_eq!(codes(&text(slice, 256)), [], "{slice}");
    }
}

/// Two kernels of one program, each with its own copy and block; and a class whose objects differ.
#[test]
fn each_launch_has_its_own_values() {
    let two = "@cute.kernel
def kernel(mA: cute.Tensor, tiled: cute.TiledCopy):
    tidx, _, _ = cute.arch.thread_idx()
    tA = tiled.get_slice(tidx).partition_D(mA)
@cute.jit
def run(mA: cute.Tensor):
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float32, num_bits_per_copy=128)
    one = cute.make_tiled_copy_tv(atom, cute.make_layout((16, 8)), cute.make_layout((1, 4)))
    other = cute.make_tiled_copy_tv(atom, cute.make_layout((32, 8)), cute.make_layout((1, 4)))
    kernel(mA, one).launch(grid=[1, 1, 1], block=[128, 1, 1])
    kernel(mA, other).launch(grid=[1, 1, 1], block=[«n», 1, 1])
";
    assert_eq!(codes(&two.replace("«n»", "256")), []);
    assert_eq!(codes(&two.replace("«n»", "128")), [Code::BlockThreads]);
    // An object that its class refuses is none.
    let refused = "class Op:
    def __init__(self, ld):
        «if ld % 8 != 0:
            raise ValueError(ld)»
        self.ld = ld
    @cute.jit
    def __call__(self, mA: cute.Tensor):
        layout = cute.make_layout((64, 64), stride=(self.ld, 1))
def main():
    cute.compile(Op(72), None)
    try:
        Op(60)
    except ValueError:
        pass
";
    let text = |guard: &str| {
        let (before, rest) = refused.split_once('«').unwrap();
        codes(&format!("{before}{guard}{}", rest.split_once('»').unwrap().1))
    };
    assert_eq!(text("if ld % 8 != 0:\n            raise ValueError(ld)"), []);
    assert_eq!(text("assert ld % 8 == 0"), []);
    assert_eq!(text("if ld % 4 != 0:\n            raise ValueError(ld)"), [Code::Overlap]);
    assert_eq!(text("if ld % 8 != 0:\n            ld = ld"), [Code::Overlap]);
}

/// Methods of these names that are somebody's own say nothing.
#[test]
fn methods_of_others() {
    let text = "class Copy:
    def get_slice(self, i):
        return self
    def partition_D(self, x):
        return x
    def launch(self, grid, block):
        return block
    def get_tensor(self, layout):
        return layout
    def allocate_tensor(self, dtype, layout, n):
        return layout
@cute.jit
def run(mA: cute.Tensor):
    c = Copy()
    layout = cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, cute.make_layout((12, 38), stride=(38, 1)))
    s = c.allocate_tensor(Float16, layout, 16)
    t = c.get_slice(0).partition_D(c.get_tensor(layout))
    c.launch(grid=[1, 1, 1], block=[64, 1, 1])
";
    assert_eq!(codes(text), []);
}

/// A kernel that slices a copy of `threads` threads, and a launch of it.
fn sliced(helper: &str, body: &str, threads: u64, block: [u64; 3]) -> String {
    let [x, y, z] = block;
    format!(
        "class Op:
    {helper}
    @cute.kernel
    def kernel(self, mA: cute.Tensor, tiled: cute.TiledCopy):
        tx, ty, _ = cute.arch.thread_idx()
        wide, _, _ = cute.arch.block_dim()
        {body}
    @cute.jit
    def __call__(self, mA: cute.Tensor):
        atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), Float16, num_bits_per_copy=64)
        tiled = cute.make_tiled_copy_tv(atom, cute.make_layout(({threads} // 8, 8), stride=(8, 1)), cute.make_layout((1, 4)))
        self.kernel(mA, tiled).launch(grid=[1, 1, 1], block=[{x}, {y}, {z}])
def main():
    cute.compile(Op(), None)
"
    )
}

/// Rows of threads that are numbered through.
#[test]
fn threads_in_rows() {
    for (x, y) in [(32, 1), (32, 4), (32, 8), (64, 2), (64, 4), (128, 2)] {
        for threads in [64, 128, 256] {
            for number in ["tx + {} * ty", "ty * {} + tx", "{} * ty + tx"] {
                for wide in [32, 64] {
                    let number = number.replace("{}", &wide.to_string());
                    // By counting: who takes which slice.
                    let taken: std::collections::BTreeSet<u64> =
                        (0..x).flat_map(|tx| (0..y).map(move |ty| tx + wide * ty)).collect();
                    let whole = taken.len() as u64 == x * y && wide == x;
                    let expected = match x * y {
                        all if whole && all < threads => vec![Code::BlockThreads],
                        all if whole && all > threads => vec![Code::BlockBeyond],
                        _ => vec![],
                    };
                    if whole && expected.is_empty() {
                        assert!((0..threads).all(|slice| taken.contains(&slice)));
                    }
                    let body = format!("number = {number}\n        t = tiled.get_slice(number).partition_D(mA)");
                    assert_eq!(codes(&sliced("", &body, threads, [x, y, 1])), expected, "{number} {threads} {x} {y}");
                    let body = format!("t = tiled.get_slice({number}).partition_D(mA)");
                    assert_eq!(codes(&sliced("", &body, threads, [x, y, 1])), expected, "{number} {threads} {x} {y}");
                }
            }
        }
    }
    let body = "number = tx + wide * ty\n        t = tiled.get_slice(number).partition_D(mA)";
    assert_eq!(codes(&sliced("", body, 256, [32, 4, 1])), [Code::BlockThreads]);
    assert_eq!(codes(&sliced("", body, 256, [32, 8, 1])), []);
    // Of what is not followed nothing is known.
    for number in ["tx + wide * tx", "ty + 32 * tx", "tx + 32 * ty + 64", "tx * 32 + ty", "tx - 32 * ty"] {
        let body = format!("t = tiled.get_slice({number}).partition_D(mA)");
        assert_eq!(codes(&sliced("", &body, 256, [32, 4, 1])), [], "{number}");
    }
}

/// A slice that a function takes, of what it gets and by a number that it gets.
#[test]
fn slices_of_functions() {
    let own = |body: &str| format!("@cute.jit\n    def load(self, mA, copy, number):\n        {body}");
    let slice = "t = copy.get_slice(number)\n        return t.partition_D(mA)";
    for (helper, call) in [
        (own(slice), "self.load(mA, tiled, tx)"),
        (own(slice), "t = self.load(mA, copy=tiled, number=tx)"),
        (
            own("tid, _, _ = cute.arch.thread_idx()\n        t = copy.get_slice(tid).partition_D(mA)"),
            "self.load(mA, tiled, 0)",
        ),
        (own(slice), "self.load(mA, tiled, tx + 64 * ty)"),
    ] {
        for (block, expected) in [(64, vec![Code::BlockThreads]), (128, vec![]), (256, vec![])] {
            let block = if call.contains("ty") { [64, block / 64, 1] } else { [block, 1, 1] };
            assert_eq!(codes(&sliced(&helper, call, 128, block)), expected, "{helper} {call} {block:?}");
        }
    }
    // Other threads take other parts, or nobody says who.
    for (helper, call) in [
        (own(slice), "self.load(mA, tiled, tx)\n        self.load(mA, tiled, tx + 64)"),
        (own(slice), "self.load(mA, tiled, tx % 64)"),
        (own(slice), "if ty == 0:\n            self.load(mA, tiled, tx)"),
        (own(slice), "for i in range(2):\n            self.load(mA, tiled, tx + 64 * i)"),
        (own("if number < 64:\n            t = copy.get_slice(number)"), "self.load(mA, tiled, tx)"),
        (own("for i in range(2):\n            t = copy.get_slice(number + i * 64)"), "self.load(mA, tiled, tx)"),
        (own("a = copy.get_slice(number)\n        b = copy.get_slice(number + 64)"), "self.load(mA, tiled, tx)"),
        (own("number = number + 64\n        t = copy.get_slice(number)"), "self.load(mA, tiled, tx)"),
        (own(slice), "self.load(mA, mA, tx)"),
        (own(slice), "self.load(mA, tiled, tx)\n        t = tiled.get_slice(tx + 64)"),
    ] {
        assert_eq!(codes(&sliced(&helper, call, 128, [64, 1, 1])), [], "{helper} {call}");
    }
}
