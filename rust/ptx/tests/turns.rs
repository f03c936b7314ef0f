//! Loops whose threads reconverge in a later turn: lanes of a warp are in different turns at one access.

use razorgirl_ptx::eval::Launch;
use razorgirl_ptx::find::Verdict;
use razorgirl_ptx::read::read;
use razorgirl_ptx::report::report;

/// The verdicts of the accesses of shared memory of a kernel with this code.
fn verdicts(code: &str) -> Vec<(Verdict, bool)> {
    let text = format!(
        ".version 9.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 in, .param .u32 n) .reqntid 32 {{\n\
         .reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n.reg .pred %p<4>;\n.shared .align 16 .b8 s[32768];\n\
         ld.param.u64 %rd1, [in];\nld.param.u32 %r9, [n];\nmov.u32 %r1, %tid.x;\nshl.b32 %r4, %r1, 2;\n\
         mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd3, %rd1, %rd2;\nmov.u32 %r2, s;\nadd.u32 %r5, %r2, %r4;\n\
         and.b32 %r8, %r1, 3;\nmov.u32 %r6, 0;\n{code}\nret;\n}}\n"
    );
    let module = read(&text).unwrap();
    let report = report(&module, &Launch::default(), "").remove(0);
    report.rows.iter().filter(|x| x.space == "shared").map(|x| (x.verdict, x.count.is_some())).collect()
}

const OPEN: (Verdict, bool) = (Verdict::Open, false);

/// `while (true) { i++; if (in[i * 32 + t] > 0) continue; s[i * 33 + t] = t; if (i >= n) break; } s[t] = t;`
#[test]
fn lanes_that_continue_meet_the_others_behind_the_branch() {
    let found = verdicts(
        "HEAD:\nadd.u32 %r6, %r6, 1;\nld.global.u32 %r7, [%rd3];\nadd.u64 %rd3, %rd3, 128;\nsetp.gt.s32 %p1, %r7, 0;\n\
         @%p1 bra HEAD;\nmad.lo.u32 %r11, %r6, 132, %r5;\nst.shared.u32 [%r11], %r1;\nsetp.lt.u32 %p2, %r6, %r9;\n\
         @%p2 bra HEAD;\nst.shared.u32 [%r5], %r1;\nst.shared.u32 [%r11], %r1;",
    );
    // behind the loop all lanes are together again, each with its own counter
    assert_eq!(found, [OPEN, (Verdict::Exact, true), OPEN]);
}

/// The same with a test of which every lane's turns are known.
#[test]
fn turns_that_are_known_are_not_walked_where_lanes_wait_for_a_later_turn() {
    let found = verdicts(
        "HEAD:\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, %r8;\n@%p1 bra HEAD;\n\
         and.b32 %r12, %r6, 3;\nshl.b32 %r12, %r12, 2;\nadd.u32 %r12, %r12, %r2;\nmad.lo.u32 %r12, %r1, 16, %r12;\n\
         st.shared.u32 [%r12], %r1;\nsetp.lt.u32 %p2, %r6, 6;\n@%p2 bra HEAD;\nst.shared.u32 [%r5], %r1;",
    );
    assert_eq!(found, [OPEN, (Verdict::Exact, true)]);
}

/// Lanes leave the inner loop, and come back to it by the outer.
#[test]
fn lanes_that_wait_in_an_inner_loop_for_a_turn_of_the_outer() {
    let found = verdicts(
        "OUTER:\nmov.u32 %r6, 0;\nst.global.u32 [%rd1], %r1;\nINNER:\nadd.u32 %r6, %r6, 1;\nld.global.u32 %r7, [%rd3];\n\
         add.u64 %rd3, %rd3, 128;\nsetp.gt.s32 %p1, %r7, 0;\n@%p1 bra LEAVE;\nmad.lo.u32 %r11, %r6, 132, %r5;\n\
         st.shared.u32 [%r11], %r1;\nsetp.lt.u32 %p2, %r6, %r9;\n@%p2 bra INNER;\nret;\nLEAVE:\nbra OUTER;",
    );
    assert_eq!(found, [OPEN]);
}

/// A break whose lanes do something before they meet the others: they come in several parts, by a test that looks uniform.
#[test]
fn lanes_of_different_turns_leave_in_parts() {
    let found = verdicts(
        "HEAD:\nadd.u32 %r6, %r6, 1;\nld.global.u32 %r7, [%rd3];\nadd.u64 %rd3, %rd3, 128;\nsetp.gt.s32 %p1, %r7, 0;\n\
         @%p1 bra HEAD;\nsetp.lt.u32 %p2, %r6, %r9;\n@%p2 bra MORE;\nst.shared.u32 [%r5], %r1;\nbra END;\n\
         MORE:\nsetp.eq.u32 %p3, %r6, 100;\n@!%p3 bra HEAD;\nEND:\nst.shared.u32 [%r5], %r1;",
    );
    assert_eq!(found, [(Verdict::AtMost, true), (Verdict::Exact, true)]);
}
