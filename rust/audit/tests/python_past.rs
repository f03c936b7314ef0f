//! CuTe DSL: what reaches past an array of shared memory through a pointer or a copy, and blocks that no device takes. The DSL compiles each
//! of these wrong programs without a word (nvidia-cutlass-dsl 4.8.1).

use razorgirl_audit::audit_sources;
use razorgirl_audit::finding::Code;
use razorgirl_audit::source::{Source, Sources};

const HEAD: &str = "import cutlass\nimport cutlass.cute as cute\nfrom cutlass import Float16, Float32, Int8\n\
                    from cutlass.cute.nvgpu import cpasync\n";

fn codes(text: &str) -> Vec<Code> {
    let source = Source::new("main.py", format!("{HEAD}{text}").into_bytes());
    let report = audit_sources(Sources { files: vec![source], unreadable: vec![] }, None);
    assert_eq!(report.syntax_errors, 0, "{text}");
    report.findings.into_iter().map(|finding| finding.code).collect()
}

fn kernel(body: &str, block: &str) -> String {
    let body = body.replace('\n', "\n    ");
    format!(
        "@cute.kernel
def kernel(mA: cute.Tensor, mB: cute.Tensor):
    tidx, _, _ = cute.arch.thread_idx()
    smem = cutlass.utils.SmemAllocator()
    {body}
@cute.jit
def run(mA: cute.Tensor, mB: cute.Tensor):
    kernel(mA, mB).launch(grid=[1, 1, 1], block={block})
"
    )
}

/// A pointer that was moved by a number of its elements leaves the rest of its array.
#[test]
fn pointers_that_were_moved() {
    for by in [0_u64, 1, 2048, 2049, 4096] {
        let expected = if by + 2048 > 4096 { vec![Code::SmallArray] } else { vec![] };
        for pointer in [format!("p + {by}"), format!("(p + {}) + {}", by / 2, by - by / 2)] {
            let body = format!(
                "p = smem.allocate_array(Float16, 4096)\ns = cute.make_tensor({pointer}, cute.make_layout((32, 64), stride=(64, 1)))"
            );
            assert_eq!(codes(&kernel(&body, "[128, 1, 1]")), expected, "{body}");
        }
    }
    // Bytes, then floats.
    for (by, expected) in [(1024, vec![]), (1028, vec![Code::SmallArray])] {
        let body = format!(
            "p = smem.allocate(2048, byte_alignment=16)\nq = cute.recast_ptr(p + {by}, dtype=Float32)\ns = cute.make_tensor(q, cute.make_layout(256))"
        );
        assert_eq!(codes(&kernel(&body, "[128, 1, 1]")), expected, "{by}");
    }
    // By what is not known, backwards, by part of an element, with a swizzle: nothing is said.
    for pointer in [
        "p + tidx",
        "p + 4096 - tidx",
        "p + (-64)",
        "cute.recast_ptr(cute.recast_ptr(p, dtype=Int8) + 8191, dtype=Float16)",
    ] {
        let body =
            format!("p = smem.allocate_array(Float16, 4096)\ns = cute.make_tensor({pointer}, cute.make_layout(4096))");
        assert_eq!(codes(&kernel(&body, "[128, 1, 1]")), [], "{pointer}");
    }
}

/// A copy of 16 rows of 64 halves by 128 threads, into so many rows.
fn copied(rows: u64, columns: u64, index: &str, copy: &str) -> String {
    let body = format!(
        "s = smem.allocate_tensor(Float16, cute.make_layout(({rows}, {columns}), stride=({columns}, 1)), 16)
atom = cute.make_copy_atom(cpasync.CopyG2SOp(), Float16, num_bits_per_copy=128)
tiled = cute.make_tiled_copy_tv(atom, cute.make_layout((16, 8), stride=(8, 1)), cute.make_layout((1, 8)))
thr = tiled.get_slice({index})
tg, ts = thr.partition_S(mA), thr.partition_D(s)
{copy}"
    );
    kernel(&body, "[128, 1, 1]")
}

const COPY: &str = "cute.copy(tiled, tg, ts)";

/// All of the last tile is copied: what of it lies behind the tensor is past the array.
#[test]
fn tiles_that_do_not_divide_what_they_partition() {
    for rows in [8_u64, 15, 16, 24, 32] {
        for columns in [64_u64, 96, 128] {
            // The last element of the last tile, by the strides of the tensor.
            let (last_row, last_column) = (rows.div_ceil(16) * 16 - 1, columns.div_ceil(64) * 64 - 1);
            let past = last_row * columns + last_column >= rows * columns;
            let said = codes(&copied(rows, columns, "tidx", COPY));
            assert_eq!(said.contains(&Code::SmallArray), past, "{rows} {columns} {said:?}");
        }
    }
    // Only some threads copy, or only some of it, or something else does.
    for (index, copy) in [
        ("tidx", "if tidx < 64: cute.copy(tiled, tg, ts)"),
        ("tidx", "cute.copy(tiled, tg, ts, pred=tP)"),
        ("tidx", "cute.copy(tiled, tg[None, 0, None], ts[None, 0, None])"),
        ("tidx", "ts.fill(0)"),
        // What is read there may be left aside.
        ("tidx", "cute.copy(tiled, ts, tg)"),
        ("tidx", "cute.copy(other, tg, ts)"),
        ("tidx % 64", COPY),
        ("0", COPY),
    ] {
        let said = codes(&copied(8, 64, index, copy));
        assert!(!said.contains(&Code::SmallArray), "{index} {copy} {said:?}");
    }
    // In an array with room for the last tile it stays.
    let room = |count: u64| {
        copied(8, 64, "tidx", COPY).replace(
            "s = smem.allocate_tensor(Float16, cute.make_layout((8, 64), stride=(64, 1)), 16)",
            &format!(
                "p = smem.allocate_array(Float16, {count}, byte_alignment=16)\n    s = cute.make_tensor(p, cute.make_layout((8, 64), stride=(64, 1)))"
            ),
        )
    };
    assert_eq!(codes(&room(1024)), []);
    assert_eq!(codes(&room(1023)), [Code::SmallArray]);
    // Threads and values that leave the end of the tile out do not touch it.
    let some = "tiled = cute.make_tiled_copy(atom, cute.make_layout((64, 8), stride=(1, 128)), (16, 64))";
    let text = copied(8, 64, "tidx", COPY).replace(
        "tiled = cute.make_tiled_copy_tv(atom, cute.make_layout((16, 8), stride=(8, 1)), cute.make_layout((1, 8)))",
        some,
    );
    assert!(!codes(&text).contains(&Code::SmallArray), "{text}");
}

/// 1,024 threads, and 64 of them along z.
#[test]
fn blocks_that_no_device_takes() {
    for block in
        [[1024, 1, 1], [32, 32, 1], [1, 1, 64], [1025, 1, 1], [32, 33, 1], [1, 1, 65], [16, 1, 65], [2048, 1, 1]]
    {
        let [x, y, z] = block;
        let expected = if x * y * z > 1024 || z > 64 { vec![Code::BlockThreads] } else { vec![] };
        assert_eq!(codes(&kernel("mA[tidx] = mB[tidx]", &format!("[{x}, {y}, {z}]"))), expected, "{block:?}");
    }
    // What is not known, not launched, or to be refused.
    let by = |block: &str, more: &str| codes(&format!("{}{more}", kernel("mA[tidx] = mB[tidx]", block)));
    assert_eq!(by("[n, 1, 1]", ""), []);
    let refused = "import pytest\ndef test():\n    with pytest.raises(RuntimeError):\n        kernel(a, b).launch(grid=[1, 1, 1], block=[2048, 1, 1])\n";
    assert_eq!(by("[64, 1, 1]", refused), []);
    let guarded = "@cute.jit\ndef more(mA: cute.Tensor, n: cutlass.Constexpr):\n    if n > 1024:\n        raise ValueError(n)\n    kernel(mA, mA).launch(grid=[1, 1, 1], block=[n, 1, 1])\nmore(a, 2048)\n";
    assert_eq!(by("[64, 1, 1]", guarded), []);
    assert_eq!(by("[64, 1, 1]", &guarded.replace("n > 1024", "n > 4096")), [Code::BlockThreads]);
}

/// `stmatrix` writes eight rows of 16 bytes at once: they share banks where their addresses are the same modulo 128 bytes.
#[test]
fn banks_of_stmatrix() {
    let text = |ld: u64, operation: &str, partition: &str| {
        format!(
            "from cutlass.cute.nvgpu import warp
class Op:
    @cute.jit
    def __call__(self, mA: cute.Tensor):
        mma = cute.make_tiled_mma(warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16)), (4, 1, 1), permutation_mnk=(64, 16, 16))
        self.kernel(mA, mma).launch(grid=[1, 1, 1], block=[128, 1, 1])
    @cute.kernel
    def kernel(self, mA: cute.Tensor, mma: cute.TiledMma):
        tidx, _, _ = cute.arch.thread_idx()
        s = cutlass.utils.SmemAllocator().allocate_tensor(Float16, cute.make_layout((64, 64), stride=({ld}, 1)), 128)
        atom = cute.make_copy_atom({operation}(transpose=False, num_matrices=4), Float16)
        store = cute.make_tiled_copy_C(atom, mma)
        thr = store.get_slice(tidx)
        part = thr.{partition}(s)
        cute.copy(store, thr.retile(mA), part)
def main():
    cute.compile(Op(), None)
"
        )
    };
    for ld in [64, 72, 80, 96, 128, 136] {
        let banks: std::collections::BTreeSet<u64> = (0..8).map(|row| row * ld * 2 % 128).collect();
        let expected = if banks.len() == 8 { vec![] } else { vec![Code::Banks] };
        assert_eq!(codes(&text(ld, "warp.StMatrix8x8x16bOp", "partition_D")), expected, "{ld}");
        assert_eq!(codes(&text(ld, "warp.LdMatrix8x8x16bOp", "partition_S")), expected, "{ld}");
        // The other side of such a copy is registers.
        assert_eq!(codes(&text(ld, "warp.StMatrix8x8x16bOp", "partition_S")), [], "{ld}");
        assert_eq!(codes(&text(ld, "warp.LdMatrix8x8x16bOp", "partition_D")), [], "{ld}");
    }
}
