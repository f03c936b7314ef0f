//! Instructions whose results are known for each lane, and arrays of elements below 4 bytes.

use razorgirl_ptx::eval::Launch;
use razorgirl_ptx::find::Verdict;
use razorgirl_ptx::read::read;
use razorgirl_ptx::report::{Row, report};

/// The last access of a kernel with this code: `%r1` is the thread, `%r2` the address of `s`.
fn last(align: u32, code: &str) -> Row {
    let text = format!(
        ".version 9.0\n.target sm_80\n.address_size 64\n.entry k(.param .u32 n) .reqntid 96 {{\n.reg .b32 %r<20>;\n\
         .reg .b64 %rd<12>;\n.shared .align {align} .b8 s[16384];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\n\
         mov.u32 %r2, s;\n{code}\nret;\n}}\n"
    );
    report(&read(&text).unwrap(), &Launch::default(), "").remove(0).rows.pop().unwrap()
}

/// A word of row `%r3`, of 128 bytes.
const STORE: &str = "shl.b32 %r4, %r3, 7;\nadd.u32 %r5, %r2, %r4;\nst.shared.u32 [%r5], %r1;";

#[test]
fn the_high_half_of_a_product_is_known() {
    let ways = [
        // thread / 3
        "mul.hi.u32 %r3, %r1, -1431655765;\nshr.u32 %r3, %r3, 1;",
        "mul.hi.s32 %r3, %r1, 1431655766;",
        "mad.hi.u32 %r3, %r1, -1431655765, 0;\nshr.u32 %r3, %r3, 1;",
        "cvt.u64.u32 %rd1, %r1;\nmul.hi.u64 %rd2, %rd1, 6148914691236517206;\ncvt.u32.u64 %r3, %rd2;",
        "cvt.u64.u32 %rd1, %r1;\nmul.hi.s64 %rd2, %rd1, 6148914691236517206;\ncvt.u32.u64 %r3, %rd2;",
    ];
    for way in ways {
        let row = last(16, &format!("{way}\n{STORE}"));
        // threads 0 to 31 have 11 quotients, 32 to 63 have 12, 64 to 95 have 11
        let count = row.count.map(|x| (x.wavefronts, x.least));
        assert_eq!((row.verdict, count), (Verdict::Exact, Some((34, 3))), "{way}");
    }
    // of a negative number, and with a third that is not known but uniform
    let row = last(16, &format!("sub.s32 %r6, 0, %r1;\nmad.hi.s32 %r3, %r6, -1431655766, %r9;\n{STORE}"));
    assert_eq!((row.verdict, row.count.map(|x| x.wavefronts)), (Verdict::Exact, Some(34)));
    let row = last(16, &format!("mul.hi.u32 %r3, %r1, %r9;\n{STORE}"));
    assert_eq!((row.verdict, row.count), (Verdict::Open, None));
}

/// `__shared__ __half s[32][33]` by columns.
#[test]
fn an_array_that_is_aligned_to_less_than_a_word_is_counted_under_a_condition() {
    for (bytes, access) in [(2, "st.shared.u16 [%r5], 0;"), (1, "ld.shared.u8 %r6, [%r5];")] {
        let code = format!("mad.lo.u32 %r5, %r1, {}, %r2;\n{access}", 33 * bytes);
        let whole = last(4, &code);
        assert_eq!((whole.verdict, whole.count.is_some()), (Verdict::Exact, true));
        let row = last(bytes, &code);
        assert_eq!((row.verdict, row.count), (Verdict::Conditional, whole.count));
        assert_eq!(row.why, "the address of s is a multiple of 4");
        // an offset that is not known moves the bytes in their words all the same
        let moved = last(bytes, &format!("mad.lo.u32 %r2, %r9, {bytes}, %r2;\n{code}"));
        assert_eq!((moved.verdict, moved.count), (Verdict::Open, None));
        // of a part of the threads nothing is said
        let part = last(
            bytes,
            &code.replace("st.", "@%p1 st.").replace("ld.", "@%p1 ld.").replacen(
                "mad",
                ".reg .pred %p1;\nsetp.lt.u32 %p1, %r1, %r9;\nmad",
                1,
            ),
        );
        assert_eq!((part.verdict, part.count), (Verdict::Open, None));
    }
}
