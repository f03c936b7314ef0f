//! Forms that people write by hand: each has the answer that is right, or is open, and is never read by half.

use razorgirl_ptx::eval::Launch;
use razorgirl_ptx::find::{Check, Verdict};
use razorgirl_ptx::read::read;
use razorgirl_ptx::report::{Change, Report, Row, Worst, report};

const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

fn look(text: &str, launch: &Launch) -> Report {
    report(&read(text).unwrap(), launch, "").remove(0)
}

/// A kernel of 32 threads with this body; `%r1` is the thread, `%r2` 4 times the thread.
fn kernel(outside: &str, body: &str) -> Report {
    let text = format!(
        "{HEAD}{outside}\n.visible .entry k(.param .u64 p, .param .u32 q) .reqntid 32 {{\n.reg .b32 %r<20>; .reg .pred %p<4>;\n\
         mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2;\n{body}\nret; }}\n"
    );
    look(&text, &Launch::default())
}

/// The verdict and the wavefronts of each access.
fn counts(report: &Report) -> Vec<(Verdict, u64)> {
    report.rows.iter().map(|x| (x.verdict, x.count.map_or(0, |x| x.wavefronts))).collect()
}

fn is_open(row: &Row) -> bool {
    matches!(row.verdict, Verdict::Open | Verdict::Data) && row.count.is_none()
}

fn holds(row: &Row) -> bool {
    row.bounds == Some(Worst { check: Check::Holds, certain: true })
}

#[test]
fn names_behind_a_comma_have_the_type_of_the_first() {
    let body = "mov.u32 %r3, u; add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %r1; st.shared.v4.u32 [u+16], {%r1, %r1, %r1, %r1};";
    let declared = ".shared .align 16 .f32 s[64], u[64];";
    for report in [kernel(declared, body), kernel("", &format!("{declared}\n{body}"))] {
        assert!(report.rows.len() == 2 && report.rows.iter().all(holds), "{:?}", report.rows);
        assert!(report.rows.iter().all(|x| x.array_bytes == Some(256) && x.aligned.check == Check::Holds));
    }
}

#[test]
fn constants_are_computed() {
    let values = [
        ("4*32", 128u64),
        ("1<<7", 128),
        ("(1<<7)", 128),
        ("2+3*4", 14),
        ("(2+3)*4-1", 19),
        ("64/5 % 7>>1", 2),
        ("1|6&3^5", 7),
        ("~0&0xff", 255),
        ("-(-3)", 3),
        ("0-1", u64::MAX),
        ("10-4-3", 3),
        ("1<<2+1", 8),
        ("WARP_SZ*2", 64),
    ];
    for (text, value) in values {
        let text = format!("{HEAD}.entry k() {{ .reg .b32 %r<2>; mov.u32 %r0, {text}; }}");
        let module = read(&text).unwrap();
        let operands = &module.kernels[0].code[0].operands;
        assert_eq!(format!("{:?}", operands[1..].to_vec()), format!("[Integer({value})]"), "{text}");
    }
    // what is divided by 0, too large, or would differ between signed and unsigned; comparisons
    for text in ["1/0", "1<<64", "-1>>1", "~0/2", "4*%r1", "3<4", "1&&1", "18446744073709551615+1", "(1", "(1+"] {
        let text = format!("{HEAD}.entry k() {{ .reg .b32 %r<2>; mov.u32 %r0, {text}; }}");
        let module = read(&text).unwrap();
        let operands = format!("{:?}", module.kernels[0].code[0].operands);
        assert!(operands.contains("Unknown") && !operands.contains("Integer"), "{text}: {operands}");
    }
    let report = kernel(
        "",
        ".shared .align 16 .b8 s[(1<<7)+4*32]; mov.u32 %r3, s; add.u32 %r3, %r3, %r2; st.shared.u32 [%r3+4*16], %r1;\n\
         st.shared.u32 [%r3+(4*16)-60+2*2], %r1; st.shared.u32 [s+4*3], %r1; mad.lo.u32 %r4, %r1, (1<<3), %r3; st.shared.u32 [%r4], %r1;",
    );
    assert_eq!(report.rows[0].array_bytes, Some(256));
    assert!(report.rows[..3].iter().all(holds), "{:?}", report.rows);
    assert_eq!(counts(&report)[..3], [(Verdict::Exact, 1), (Verdict::Exact, 1), (Verdict::Exact, 1)]);
    // 12 bytes a thread: no two lanes on one bank
    assert_eq!(counts(&report)[3], (Verdict::Exact, 1));
}

#[test]
fn an_operand_that_is_read_by_half_is_unknown() {
    for source in
        ["mov.u32 %r6, s[32]", "mov.u32 %r6, 128 ? 1 : 2", "shl.b32 %r6, %r1, 2 == 3", "mov.b32 %r6, {%r1, s[3]}"]
    {
        let report = kernel("", &format!(".shared .align 16 .b8 s[4096];\n{source}; st.shared.u32 [%r6], %r1;"));
        assert!(report.rows.len() == 1 && is_open(&report.rows[0]), "{source}: {:?}", report.rows);
        assert!(report.findings.is_empty(), "{source}: {:?}", report.findings);
    }
    // the access itself is not lost
    for access in [
        "st.shared.u32 [%r2] 7, %r1",
        "st.shared.u32 [s[2]], %r1",
        "ld.shared.u32 %r3, s[2]",
        "st.shared.v2.u32 [s], {%r1, s[2]}",
        "st.shared.u32 [%r2+%r1], %r1",
        "st.shared.u32 s[2], %r1",
        "red.shared.add.u32 s[2], %r1",
    ] {
        let report = kernel("", &format!(".shared .align 16 .b8 s[4096];\n{access};"));
        assert!(report.rows.len() == 1 && report.rows[0].is_shared(), "{access}: {:?}", report.rows);
        assert!(is_open(&report.rows[0]), "{access}: {:?}", report.rows);
        assert!(report.findings.is_empty() && report.remedies.is_empty(), "{access}: {:?}", report.findings);
    }
}

#[test]
fn parts_of_a_vector_of_registers_are_registers() {
    let body = |part: &str| {
        format!(
            ".reg .v4 .u32 v; .shared .align 16 .b8 s[4096];\nmov.u32 v.x, %tid.x; mov.u32 v.y, 0; shl.b32 %r3, v.{part}, 7;\n\
             mov.u32 %r4, s; add.u32 %r4, %r4, %r3; st.shared.u32 [%r4], %r1;"
        )
    };
    assert_eq!(counts(&kernel("", &body("x"))), [(Verdict::Exact, 32)]);
    assert_eq!(counts(&kernel("", &body("r"))), [(Verdict::Exact, 32)]);
    assert_eq!(counts(&kernel("", &body("y"))), [(Verdict::Exact, 1)]);
    assert!(is_open(&kernel("", &body("z")).rows[0]));
}

#[test]
fn a_name_that_is_not_declared_is_unknown() {
    let at = |name: &str| {
        kernel(
            "",
            &format!(
                ".shared .align 16 .b8 s[4096];\nshl.b32 %r3, {name}, 7; mov.u32 %r4, s; add.u32 %r4, %r4, %r3; \
                 st.shared.u32 [%r4], %r1;"
            ),
        )
    };
    assert!(is_open(&at("v.x").rows[0]));
    assert!(is_open(&at("nothing").rows[0]));
    assert_eq!(counts(&at("s")), [(Verdict::Exact, 1)]);
    let dynamic = kernel(
        "",
        ".extern .shared .align 16 .b8 d[]; mov.u32 %r3, d; add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %r1;",
    );
    assert_eq!((counts(&dynamic), dynamic.rows[0].array.as_deref()), (vec![(Verdict::Exact, 1)], Some("d")));
}

#[test]
fn a_local_parameter_is_not_the_kernels() {
    let inner = |name: &str| {
        kernel(
            ".func (.param .b32 r) f(.param .b32 p) { .reg .b32 %r<4>; mov.u32 %r2, %laneid; st.param.b32 [r], %r2; ret; }",
            &format!(
                ".shared .align 16 .b8 t[4096];\n{{ .param .b32 a; .param .b32 {name}; st.param.b32 [a], %r1; call.uni ({name}), f, (a); \
                 ld.param.b32 %r3, [{name}]; }}\nshl.b32 %r3, %r3, 7; mov.u32 %r5, t; add.u32 %r6, %r5, %r3; st.shared.u32 [%r6], %r1;"
            ),
        )
    };
    for name in ["q", "other"] {
        let report = inner(name);
        let row = report.rows.iter().find(|x| x.kind == "st").unwrap();
        assert_eq!(row.verdict, Verdict::Data, "{name}: {row:?}");
    }
    // outside of the braces it is the kernel's
    let report = kernel(
        "",
        ".shared .align 16 .b8 t[4096];\n{ .param .b32 q; }\nld.param.u32 %r3, [q]; shl.b32 %r3, %r3, 7;\n\
         mov.u32 %r5, t; add.u32 %r6, %r5, %r3; \
         st.shared.u32 [%r6], %r1;",
    );
    assert_eq!(counts(&report), [(Verdict::Exact, 1)]);
}

/// A loop in a loop; the inner one has so many turns in the last outer turn.
fn loops(outer: u64, inner: u64, last: &str, threads: u32, body: &str) -> String {
    format!(
        "{HEAD}.visible .entry k(.param .u64 p, .param .u32 q) .reqntid {threads} {{\n.reg .b32 %r<20>; .reg .pred %p<4>;\n\
         .shared .align 16 .b8 s[4096];\nld.param.u32 %r9, [q]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2;\n\
         mov.u32 %r3, s; add.u32 %r4, %r3, %r2;\n\
         mov.u32 %r10, 0;\nA: mov.u32 %r11, 0; setp.eq.u32 %p1, %r10, {}; selp.b32 %r12, {last}, {inner}, %p1;\nB: {body}\n\
         add.u32 %r11, %r11, 1; setp.lt.u32 %p2, %r11, %r12; @%p2 bra B;\n\
         add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, {outer}; @%p3 bra A;\nret; }}\n",
        outer - 1
    )
}

#[test]
fn evaluations_that_are_equal_are_one_with_their_number() {
    let store = "st.shared.u32 [%r4], %r1;";
    let all = look(&loops(3, 5, "2", 32, store), &Launch::default());
    assert_eq!((all.rows[0].times, counts(&all)), (12, vec![(Verdict::Exact, 12)]));
    // the turns that were walked before the last loop's trips turned out to be unknown are taken back: 2 * 5, and one for all others
    let open = look(&loops(3, 5, "%r9", 32, store), &Launch::default());
    assert_eq!((open.rows[0].times, open.rows[0].repeated), (11, true));
    // a column, so that a padding helps all
    let column = store.replace("%r4", "%r7");
    let column = format!("mad.lo.u32 %r7, %r1, 128, %r3; {column}");
    let padded = look(&loops(3, 5, "2", 32, &column), &Launch::default());
    let remedy = &padded.remedies[0];
    assert_eq!((remedy.before, remedy.after, remedy.accesses), (12 * 32, 12, 12));
}

#[test]
fn many_evaluations_do_not_fill_the_memory() {
    let store = "st.shared.u32 [%r4], %r1;\n";
    let start = std::time::Instant::now();
    let same = look(&loops(512, 64, "64", 1024, &store.repeat(2)), &Launch::default());
    assert!(same.refused.is_none() && same.rows.iter().all(|x| x.times == 512 * 64), "{:?}", same.refused);
    // each at another place
    let other = format!("add.u32 %r4, %r4, %r2;\n{store}").repeat(8);
    let more = look(&loops(512, 64, "64", 1024, &other), &Launch::default());
    assert!(more.refused.as_ref().is_some_and(|x| x.contains("memory")), "{:?}", more.refused);
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}

#[test]
fn many_ways_to_one_place_do_not_fill_the_memory() {
    let branches = |n: usize| {
        let each = |i: usize| format!("ld.global.u32 %r5, [%rd3+{}]; setp.gt.s32 %p1, %r5, 0; @%p1 bra EXIT;\n", 4 * i);
        let all: String = (0..n).map(each).collect();
        format!(
            "{HEAD}.visible .entry k(.param .u64 p) .reqntid 32 {{\n.reg .b32 %r<20>; .reg .b64 %rd<4>;\n\
             .reg .pred %p<4>; .shared .b32 s[32];\n\
             ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n{all}\
             shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %r1;\nEXIT: ret; }}\n"
        )
    };
    let start = std::time::Instant::now();
    let few = look(&branches(100), &Launch::default());
    assert_eq!(few.rows.iter().filter(|x| x.kind == "st").map(|x| x.verdict).collect::<Vec<_>>(), [Verdict::AtMost]);
    let many = look(&branches(20000), &Launch::default());
    assert!(many.refused.is_some_and(|x| x.contains("limit")));
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}

#[test]
fn variables_of_two_scopes_are_two() {
    let report = kernel(
        ".shared .align 4 .b8 t[8];",
        "{ .shared .align 4 .b8 t[64]; st.shared.u32 [t], %r1; }\n\
         { .shared .align 4 .b8 t[128]; mov.u32 %r3, t; add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %r1; }\nst.shared.u32 [t+4], %r1;",
    );
    assert!(report.rows.iter().all(holds), "{:?}", report.rows);
    let bytes: Vec<Option<u64>> = report.rows.iter().map(|x| x.array_bytes).collect();
    assert_eq!(bytes, [Some(64), Some(128), Some(8)]);
    let out =
        kernel("", "{ .shared .align 4 .b8 t[128]; }\n{ .shared .align 4 .b8 t[64]; st.shared.u32 [t+64], %r1; }");
    assert!(matches!(out.rows[0].bounds, Some(Worst { check: Check::Fails { .. }, certain: true })));
}

#[test]
fn behind_a_call_that_may_end_a_thread_nothing_is_certain() {
    let behind = |functions: &str, name: &str| {
        let body = format!(
            ".shared .align 16 .b8 s[4096];\nsetp.gt.u32 %p1, %r1, 2; @%p1 call {name};\nmov.u32 %r3, s; st.shared.u32 [%r3+4096], %r1;"
        );
        let report = kernel(functions, &body);
        let row = report.rows.into_iter().find(|x| x.kind == "st").unwrap();
        assert!(matches!(row.bounds, Some(Worst { check: Check::Fails { .. }, .. })));
        row.bounds.unwrap().certain
    };
    assert!(!behind(".func f() { exit; }", "f"));
    assert!(!behind(".func f() { trap; }", "f"));
    assert!(!behind(".extern .func f();", "f"));
    assert!(!behind(".func g() { exit; }\n.func f() { call g; ret; }", "f"));
    assert!(!behind(".func f() { .reg .b64 %rd<2>; call %rd1, (); ret; }", "f"));
    assert!(behind(".func f() { ret; }", "f"));
    assert!(behind(".func g() { ret; }\n.func f() { call g; ret; }", "f"));
    assert!(behind(".func f() { call f; ret; }", "f"));
    // returns always, or ends the launch
    assert!(behind(".extern .func vprintf();", "vprintf"));
    assert!(behind(".extern .func __assertfail();", "__assertfail"));
}

/// A column of 4-byte words with this pitch in an array of so many bytes.
fn column(bytes: u64, pitch: u64, outside: &str, more: &str) -> String {
    format!(
        "{HEAD}{outside}\n.visible .entry k() .reqntid 32 {{ .reg .b32 %r<9>; .shared .align 16 .b8 t[{bytes}];\n{more}\n\
         mov.u32 %r1, %tid.x; mul.lo.u32 %r2, %r1, {pitch};\nmov.u32 %r3, t; add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %r1; ret; }}\n"
    )
}

#[test]
fn a_padding_fits_the_shared_memory() {
    let change = |text: &str, shared_bytes| {
        let report = look(text, &Launch { shared_bytes, ..Launch::default() });
        assert!(report.rows.iter().any(|x| x.count.is_some_and(|x| x.wavefronts == 32)), "{:?}", report.rows);
        report.remedies.first().map(|x| x.change)
    };
    let swizzle = |x: Option<Change>| !matches!(x, Some(Change::Padding { .. }));
    let padding = |x: Option<Change>| matches!(x, Some(Change::Padding { .. }));
    assert!(padding(change(&column(12288, 384, "", ""), None)));
    assert!(swizzle(change(&column(49152, 384, "", ""), None)));
    assert!(swizzle(change(&column(229_376, 384, "", ""), None)));
    // another array of the kernel
    assert!(swizzle(change(&column(12288, 384, "", ".shared .b8 o[36864];"), None)));
    let used = "st.shared.u32 [o], %r1;";
    assert!(swizzle(change(&column(12288, 384, ".shared .b8 o[36864];", used), None)));
    // one of the module that this kernel does not name
    assert!(padding(change(&column(12288, 384, ".shared .b8 o[36864];", ""), None)));
    let dynamic =
        column(12288, 384, "", "").replace(".shared .align 16 .b8 t[12288]", ".extern .shared .align 16 .b8 t[]");
    assert!(padding(change(&dynamic, Some(98304))));
    assert!(swizzle(change(&dynamic, Some(232_320))));
}
