//! Pointers that are one array or another: the access belongs to neither.

use razorgirl_ptx::eval::Launch;
use razorgirl_ptx::find::Verdict;
use razorgirl_ptx::read::read;
use razorgirl_ptx::report::{Report, report};

/// The report of a kernel with this code: `%r1` is the thread, `%r2` and `%r3` are the addresses of `a` and `b`.
fn look(code: &str) -> Report {
    let text = format!(
        ".version 9.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 in, .param .u32 n) .reqntid 32 {{\n\
         .reg .b32 %r<20>;\n.reg .b64 %rd<12>;\n.reg .pred %p<4>;\n.shared .align 16 .b8 a[4096];\n\
         .shared .align 16 .b8 b[4224];\nld.param.u64 %rd1, [in];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\n\
         mov.u32 %r2, a;\nmov.u32 %r3, b;\nsetp.gt.s32 %p1, %r9, 3;\n{code}\nret;\n}}\n"
    );
    report(&read(&text).unwrap(), &Launch::default(), "").remove(0)
}

/// A column of `b`, that padding would help, and words of `a`.
const COLUMN: &str = "shl.b32 %r4, %r1, 7;\nadd.u32 %r5, %r3, %r4;\nst.shared.u32 [%r5], %r9;\nshl.b32 %r6, %r1, 2;\n\
                      add.u32 %r7, %r2, %r6;\nst.shared.u32 [%r7], %r9;\nmul.lo.u32 %r8, %r1, 124;\n";
/// A read of words 31 apart, by the pointer `%r10`.
const READ: &str = "\nadd.u32 %r12, %r10, %r8;\nld.shared.u32 %r13, [%r12];";

#[test]
fn padding_is_suggested_where_every_access_has_its_array() {
    let found = look(&format!("{COLUMN}mov.u32 %r10, %r2;{READ}"));
    assert_eq!(found.remedies.len(), 1);
    assert_eq!(found.remedies[0].array, "b");
}

#[test]
fn nothing_is_suggested_where_a_pointer_is_one_of_two_arrays() {
    let ways = [
        ("a selection", "selp.b32 %r10, %r3, %r2, %p1;"),
        ("a move under a guard", "mov.u32 %r10, %r2;\n@%p1 mov.u32 %r10, %r3;"),
        ("a branch", "mov.u32 %r10, %r2;\n@%p1 bra L;\nmov.u32 %r10, %r3;\nL:"),
        ("a difference", "sub.u32 %r11, %r3, %r2;\nselp.b32 %r11, %r11, 0, %p1;\nadd.u32 %r10, %r2, %r11;"),
        (
            "a difference times a number",
            "sub.u32 %r11, %r3, %r2;\nselp.b32 %r10, 1, 0, %p1;\nmad.lo.u32 %r10, %r10, %r11, %r2;",
        ),
        ("an exclusive or", "xor.b32 %r11, %r3, %r2;\nselp.b32 %r11, %r11, 0, %p1;\nxor.b32 %r10, %r2, %r11;"),
        (
            "a loop that swaps",
            "mov.u32 %r10, %r2;\nmov.u32 %r11, %r3;\nmov.u32 %r14, 0;\nL:\nmov.u32 %r15, %r10;\nmov.u32 %r10, %r11;\n\
             mov.u32 %r11, %r15;\nadd.u32 %r14, %r14, 1;\nsetp.lt.u32 %p2, %r14, %r9;\n@%p2 bra L;",
        ),
        (
            "a loop that reads and swaps",
            "mov.u32 %r10, %r2;\nmov.u32 %r11, %r3;\nmov.u32 %r14, 0;\nL:\nadd.u32 %r16, %r10, %r8;\n\
             ld.shared.u32 %r17, [%r16];\nmov.u32 %r15, %r10;\nmov.u32 %r10, %r11;\nmov.u32 %r11, %r15;\n\
             add.u32 %r14, %r14, 1;\nsetp.lt.u32 %p2, %r14, %r9;\n@%p2 bra L;",
        ),
        (
            "two turns of a loop",
            "mov.u32 %r10, %r2;\nmov.u32 %r11, %r3;\nmov.u32 %r14, 0;\nL:\nmov.u32 %r15, %r10;\nmov.u32 %r10, %r11;\n\
             mov.u32 %r11, %r15;\nadd.u32 %r14, %r14, 1;\nadd.u32 %r12, %r10, %r8;\nld.shared.u32 %r13, [%r12];\n\
             setp.lt.u32 %p2, %r14, 2;\n@%p2 bra L;\nbra END;\n",
        ),
        ("lanes that differ", "and.b32 %r11, %r1, 1;\nsetp.eq.u32 %p2, %r11, 0;\nselp.b32 %r10, %r3, %r2, %p2;"),
    ];
    for (name, way) in ways {
        let found = look(&format!("{COLUMN}{way}{READ}\nEND:"));
        let row = found.rows.last().unwrap();
        assert_eq!((row.array.as_deref(), found.remedies.len()), (None, 0), "{name}: {row:?}");
    }
}

#[test]
fn a_pointer_to_global_or_shared_memory_has_no_space() {
    let to_shared = "mov.u64 %rd4, a;\ncvta.shared.u64 %rd5, %rd4;\nmul.wide.u32 %rd2, %r1, 8;\n";
    let ways = [
        ("selp.b64 %rd6, %rd1, %rd5, %p1;", "generic"),
        ("mov.u64 %rd6, %rd5;\n@%p1 mov.u64 %rd6, %rd1;", "generic"),
        ("mov.u64 %rd6, %rd5;\n@%p1 bra L;\nmov.u64 %rd6, %rd1;\nL:", "generic"),
        ("mov.u64 %rd6, %rd5;", "shared"),
        // one place or another of the same array
        ("add.u64 %rd7, %rd5, 64;\nselp.b64 %rd6, %rd7, %rd5, %p1;", "shared"),
    ];
    for (way, space) in ways {
        let found = look(&format!("{to_shared}{way}\nadd.u64 %rd8, %rd6, %rd2;\nst.u32 [%rd8], %r1;"));
        let row = found.rows.last().unwrap();
        assert_eq!(row.space, space, "{way}");
        if space == "generic" {
            assert_eq!((row.verdict, row.count), (Verdict::Open, None));
            assert_eq!(row.why, "the space of the generic address is not known");
        } else {
            assert_eq!((row.verdict, row.array.as_deref()), (Verdict::Exact, Some("a")));
        }
    }
}

/// An address in the shared memory of the cluster may be this block's.
#[test]
fn the_shared_memory_of_the_cluster_is_any_array() {
    let found = look(&format!("{COLUMN}st.shared::cluster.u32 [%r7], %r9;"));
    assert_eq!((found.rows.last().unwrap().space, found.remedies.len()), ("generic", 0));
}
