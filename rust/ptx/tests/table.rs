//! What is found in kernels whose answers are known by hand.

use std::fmt::Write;

use razorgirl_ptx::eval::{Launch, Space, evaluate};
use razorgirl_ptx::find::{Check, Found, Verdict, look, short_name};
use razorgirl_ptx::read::read;
use razorgirl_ptx::report::{Change, Worst, report};

const SM80: &str = include_str!("fixtures/kernels_sm80.ptx");

/// What is found of each evaluation of a shared access of the kernel, with its kind.
fn shared(kernel: &str, block: [u32; 3]) -> Vec<(&'static str, Found)> {
    let module = read(SM80).unwrap();
    let kernel = module.kernels.iter().find(|x| x.name.contains(kernel)).unwrap();
    let launch = Launch { block: Some(block), ..Launch::default() };
    let outcome = evaluate(&module, kernel, &launch);
    assert_eq!(outcome.stop, None);
    let of_shared = outcome.accesses.iter().filter(|x| x.space == Space::Shared);
    of_shared.map(|x| (x.kind, look(x, &outcome.symbols, &module, kernel, None))).collect()
}

/// The verdict, the wavefronts of all warps and the least, of each.
fn counts(kernel: &str, block: [u32; 3], kind: &str) -> Vec<(Verdict, u64, u64)> {
    let of_kind = shared(kernel, block).into_iter().filter(|x| x.0 == kind);
    of_kind
        .map(|(_, x)| (x.verdict, x.warps.iter().map(|w| w.wavefronts).sum(), x.warps.iter().map(|w| w.least).sum()))
        .collect()
}

#[test]
fn a_column_of_32_rows_is_one_bank_and_padding_removes_that() {
    let exact = |n| vec![(Verdict::Exact, n, 8); 4];
    assert_eq!(counts("transpose_plain", [32, 8, 1], "st"), exact(8));
    assert_eq!(counts("transpose_plain", [32, 8, 1], "ld"), exact(256));
    assert_eq!(counts("transpose_padded", [32, 8, 1], "st"), exact(8));
    assert_eq!(counts("transpose_padded", [32, 8, 1], "ld"), exact(8));
}

#[test]
fn vectors_of_16_bytes_by_columns() {
    assert_eq!(counts("columns_flat", [128, 1, 1], "ld"), vec![(Verdict::Exact, 128, 16); 4]);
    assert_eq!(counts("columns_swizzled", [128, 1, 1], "ld"), vec![(Verdict::Exact, 16, 16); 4]);
    let misaligned = shared("columns_misaligned", [128, 1, 1]);
    assert_eq!(misaligned.len(), 8);
    assert!(misaligned.iter().all(|x| x.1.aligned == Check::Fails { threads: 64, reach: None }));
    let small = shared("columns_too_small", [128, 1, 1]);
    assert!(small.iter().any(|x| matches!(x.1.bounds, Some(Check::Fails { reach: Some((_, 9200)), .. }))));
}

#[test]
fn ldmatrix_with_a_pitch_of_128_and_of_144_bytes() {
    assert_eq!(counts("ldmatrix_64", [128, 1, 1], "ldmatrix"), vec![(Verdict::Exact, 128, 16); 4]);
    assert_eq!(counts("ldmatrix_72", [128, 1, 1], "ldmatrix"), vec![(Verdict::Exact, 16, 16); 4]);
}

#[test]
fn a_loop_of_unknown_trips_keeps_banks_and_bounds() {
    let found = shared("staged", [128, 1, 1]);
    assert_eq!(found.len(), 34);
    assert!(found.iter().all(|x| x.1.verdict == Verdict::Exact && x.1.bounds == Some(Check::Holds)), "{found:?}");
    assert!(found.iter().all(|x| x.1.warps.iter().all(|w| w.wavefronts == w.least)));
}

#[test]
fn data_and_guards_are_said() {
    let atoms = counts("histogram", [256, 1, 1], "atom").into_iter().chain(counts("histogram", [256, 1, 1], "red"));
    assert!(atoms.map(|x| x.0).eq([Verdict::Data]));
    assert!(counts("guarded", [64, 1, 1], "ld").iter().all(|x| x.0 == Verdict::AtMost));
}

#[test]
fn products_of_many_symbols_are_bounded() {
    let mut text = String::from(
        ".version 9.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p) .reqntid 32 {\n.reg .b32 %r<90>;\n\
         .shared .align 4 .b8 tile[128];\nmov.b32 %r0, %tid.x;\n",
    );
    for i in 1..40 {
        writeln!(text, "ld.shared.u32 %r{i}, [tile+{i}];\nadd.s32 %r0, %r0, %r{i};").unwrap();
    }
    text.push_str(&"mul.lo.s32 %r0, %r0, %r0;\nadd.s32 %r0, %r0, %r1;\n".repeat(40));
    text.push_str(
        "shl.b32 %r0, %r0, 2;\nmov.b32 %r2, tile;\nadd.s32 %r2, %r2, %r0;\nst.shared.u32 [%r2], %r0;\nret;\n}\n",
    );
    let module = read(&text).unwrap();
    let outcome = evaluate(&module, &module.kernels[0], &Launch::default());
    assert_eq!((outcome.stop, outcome.accesses.len()), (None, 40));
    assert!(outcome.accesses.iter().all(|x| x.address.terms.len() <= 33));
}

/// A column of 32 rows of 128 bytes in one dynamic array, and a word of another.
fn dynamic(size: &str, second: &str) -> String {
    format!(
        ".version 9.0\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 first[{size}];\n\
         .extern .shared .align 16 .b8 second[];\n.entry k() .reqntid 32 {{\n.reg .b32 %r<9>;\nmov.b32 %r0, %tid.x;\n\
         shl.b32 %r1, %r0, 7;\nmov.b32 %r2, first;\nadd.s32 %r2, %r2, %r1;\nst.shared.u32 [%r2], %r0;\n\
         st.shared.u32 [{second}], %r0;\nret;\n}}\n"
    )
}

#[test]
fn dynamic_arrays_have_the_bytes_of_the_launch_and_share_them() {
    let look = |text: &str, shared_bytes| {
        let module = read(text).unwrap();
        report(&module, &Launch { shared_bytes, ..Launch::default() }, "").remove(0)
    };
    for size in ["", "0", "1"] {
        let text = dynamic(size, "first");
        let open = look(&text, None);
        assert!(matches!(open.rows[0].bounds, Some(Worst { check: Check::Needs(_), .. })), "{:?}", open.rows);
        assert_eq!(open.remedies.len(), 0);
        let whole = look(&text, Some(4096));
        assert_eq!(whole.rows[0].bounds, Some(Worst { check: Check::Holds, certain: true }));
        assert_eq!(whole.remedies[0].change, Change::Padding { pitch: 128, free: 4 });
        let small = look(&text, Some(4095 - 128));
        let reach = Some((0, 31 * 128 + 4));
        assert_eq!(small.rows[0].bounds, Some(Worst { check: Check::Fails { threads: 1, reach }, certain: true }));
    }
    // what pads one array moves the other
    assert_eq!(look(&dynamic("", "second"), Some(4096)).remedies.len(), 0);
}

#[test]
fn names_of_the_source() {
    assert_eq!(short_name("_ZZ15transpose_plainPfPKfiE4tile"), "tile");
    // the last E may be the array's own
    assert_eq!(short_name("_ZZ1kvE3sEE"), "sEE");
    for other in ["tile", "_ZZ1kvE9tile", "_ZZ", "_ZZE", "_ZN1a4tileE"] {
        assert_eq!(short_name(other), other);
    }
}
