//! `razorgirl banks` as it is used, and the questions about swizzles and banks that users ask in trackers.

mod transcript;

use transcript::razorgirl;

fn banks(layout: &str, dtype: &str, rest: &[&str]) -> String {
    razorgirl(&[&["banks", layout, "--dtype", dtype], rest].concat())
}

/// A tile, and lanes over it, for which there is neither a swizzle nor padding.
const SCATTERED: (&str, &str) = ("(32,32):(1,32)", "((4,2,4),(8,4)):((8,32,256),(1,64))");

#[test]
fn transcripts() {
    insta::assert_snapshot!("banks_column", banks("(32,32):(32,1)", "f32", &["--access", "column"]));
    insta::assert_snapshot!("banks_padded", banks("(32,32):(33,1)", "f32", &["--access", "column"]));
    insta::assert_snapshot!("banks_ldmatrix", banks("(64,64):(64,1)", "f16", &["--access", "ldmatrix"]));
    insta::assert_snapshot!(
        "banks_two_accesses",
        banks("(64,64):(64,1)", "f16", &["--access", "row@16", "--access", "ldmatrix"])
    );
    // vectors of 16 bytes stay whole, so 32 rows of one column have 8 places: nothing serves both
    insta::assert_snapshot!(
        "banks_none",
        banks("(64,64):(64,1)", "f16", &["--access", "row@16", "--access", "column"])
    );
    insta::assert_snapshot!(
        "banks_thread_value",
        banks("(32,32):(32,1)", "f32", &["--access", "((4,8),4):((32,1),128)"])
    );
    // lanes are bits 3, 4, 5, 8 and 9 of the index: no one shift takes 5, 8 and 9 to banks that 3 and 4 leave free
    insta::assert_snapshot!("banks_linear", banks(SCATTERED.0, "f32", &["--access", SCATTERED.1]));
    // a write by rows beside it
    insta::assert_snapshot!(
        "banks_linear_two",
        banks(SCATTERED.0, "f32", &["--access", "column", "--access", SCATTERED.1])
    );
    insta::assert_snapshot!("banks_help", razorgirl(&["banks", "--help"]));
}

#[test]
fn mistakes() {
    for (name, text) in [
        ("dtype", banks("(32,32)", "f12", &["--access", "row"])),
        ("access", banks("(32,32)", "f32", &["--access", "diagonal"])),
        ("bytes", banks("(32,32)", "f32", &["--access", "row@3"])),
        ("contiguous", banks("(32,32):(2,64)", "f32", &["--access", "row@16"])),
        ("aligned", banks("(32,8):(9,1)", "f16", &["--access", "row@16"])),
        ("rank", banks("(8,8,8)", "f32", &["--access", "row"])),
        ("past", banks("(8,8)", "f32", &["--access", "(32,4):(4,1)"])),
        ("large", banks("(4096,4096)", "f32", &["--access", "row"])),
        ("rows", banks("(12,64):(64,1)", "f16", &["--access", "ldmatrix"])),
        ("layout", banks("(12,64:(64,1)", "f16", &["--access", "ldmatrix"])),
    ] {
        insta::assert_snapshot!(format!("banks_mistake_{name}"), text);
    }
}

/// The first `Sw<…> o … o …` or padded layout that an answer offers under a name.
fn offered<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{name}  ")))?;
    line.trim_start().strip_prefix(name)?.trim_start().split("  ").next()
}

/// Whatever is offered for a tile has no conflicts when it is asked about itself, and is missing only with a word about it.
#[test]
fn what_is_offered_holds() {
    let (mut swizzles, mut paddings, mut free) = (0, 0, 0);
    for (dtype, bytes) in [("u8", 1), ("f16", 2), ("f32", 4), ("f64", 8)] {
        for (rows, columns) in [(32, 32), (64, 16), (16, 128), (48, 32)] {
            for layout in [
                format!("({rows},{columns}):({columns},1)"),
                format!("({rows},{columns}):(1,{rows})"),
                format!("Sw<1,3,3> o 0 o ({rows},{columns}):({columns},1)"),
            ] {
                for access in ["row", "column", "row@16", "column@16", "ldmatrix"] {
                    if access == "ldmatrix" && bytes > 4 {
                        continue;
                    }
                    let rest = ["--access", access];
                    let text = banks(&layout, dtype, &rest);
                    if text.contains("no bank conflicts") {
                        free += 1;
                        continue;
                    }
                    // what a lane accesses is not contiguous, or lanes do not divide the tile
                    if text.contains("error[not_") {
                        continue;
                    }
                    assert!(text.contains("worst phase"), "{text}");
                    let offers = ["swizzle", "padding", "linear"].map(|name| offered(&text, name).is_some());
                    assert_ne!(offers.contains(&true), text.contains("none found"), "{text}");
                    for (name, count) in [("swizzle", &mut swizzles), ("padding", &mut paddings)] {
                        if let Some(offer) = offered(&text, name) {
                            let again = banks(offer, dtype, &rest);
                            assert!(again.contains("no bank conflicts"), "{text}\n{again}");
                            *count += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(swizzles > 40 && paddings > 40 && free > 40, "{swizzles} swizzles, {paddings} paddings, {free} free");
}

/// The linear layout that is printed is one that `razorgirl linear` reads, and each lane of each access is put by it into a
/// bank of its own.
#[test]
fn the_linear_layout_that_is_offered_holds() {
    let text = banks(SCATTERED.0, "f32", &["--access", SCATTERED.1]);
    let offer = offered(&text, "linear").unwrap_or_else(|| panic!("{text}"));
    assert!(!text.contains("swizzle  ") && !text.contains("padding  "), "{text}");
    let read = razorgirl(&["linear", offer, "--json"]);
    assert!(read.ends_with(&format!("\n{offer}\n")), "{read}");
    // a permutation of the tile
    assert!(!razorgirl(&["linear", offer, "--invert"]).contains("none"));
    let columns: Vec<u64> = {
        let all: serde_json::Value = serde_json::from_str(offer).expect("it is JSON");
        let bases = all["in"][0][1].as_array().expect("bases").clone();
        bases.iter().map(|basis| basis[0].as_u64().expect("a number")).collect()
    };
    let at = |index: u64| (0..10).filter(|bit| index >> bit & 1 == 1).fold(0, |sum, bit| sum ^ columns[bit]);
    for value in 0..32_u64 {
        let mut banks: Vec<u64> = (0..32_u64)
            .map(|lane| {
                let (a, b, c) = (lane % 4, lane / 4 % 2, lane / 8);
                at(8 * a + 32 * b + 256 * c + value % 8 + 64 * (value / 8)) % 32
            })
            .collect();
        banks.sort_unstable();
        assert!((0..32).eq(banks), "value {value} of {offer}");
    }
}

/// A swizzle whose last row takes more elements, and a tile that does not begin at 0: it stays where it begins.
#[test]
fn what_is_offered_may_take_more_and_begins_where_the_tile_does() {
    let text = banks("((4,8),2):((32,132),1)", "f32", &["--access", "column"]);
    assert_eq!(offered(&text, "swizzle"), Some("Sw<2,0,5> o 0 o ((4,8),2):((32,132),1)"), "{text}");
    let text = banks("Sw<0,0,0> o 4 o (32,2):(32,1)", "f32", &["--access", "column"]);
    assert_eq!(offered(&text, "padding"), Some("Sw<0,0,0> o 4 o (32,2):(33,1)"), "{text}");
}

#[test]
fn pictures_show_every_cell_and_outline_conflicts() {
    let picture = banks("(64,64):(64,1)", "f16", &["--access", "ldmatrix", "--svg", "-"]);
    assert!(picture.contains("<svg ") && picture.contains("</svg>"));
    // the tile, and what is offered, 32 of 64 rows each; one more is the ground
    assert_eq!(picture.matches("<rect ").count(), 2 * 32 * 64 + 1);
    // 8 lanes of 8 halves, all in conflict before and none after
    assert_eq!(picture.matches("stroke=\"#d00000\"").count(), 64);
    assert_eq!(picture.matches("font-weight=\"bold\"").count(), 128);
    let large = banks("(256,256):(256,1)", "f16", &["--access", "ldmatrix", "--svg", "-"]);
    assert!(large.contains("too_large"), "{large}");
}

/// NVIDIA/cutlass issue 3160: a copy into a swizzled tile of 64 by 16 is wrong where a thread comes back for the next 8
/// columns. So it would be if its pointer were moved by 8 outside of the swizzle; that the DSL does this is our guess, and
/// so is M = 0 in Swizzle<4,0,4>.
#[test]
fn cutlass_3160_the_offset_of_a_partition_stays_before_the_swizzle() {
    let tile = "Sw<4,0,4> o 0 o (64,16):(16,1)";
    let second = "Sw<4,0,4> o 8 o (64):(16)";
    let slice = razorgirl(&["op", "swizzled_call", "(_,8)", tile]);
    assert!(slice.ends_with(&format!("{second}\n")), "{slice}");
    let moves = razorgirl(&["op", "swizzled_offset_moves", second]);
    assert!(moves.ends_with("false\n[status 1]\n"), "{moves}");
    // rows 0 to 7 agree with a moved pointer, and row 8 does not: 8 columns on is 8 back
    let at = |row: u64, column: u64| {
        let text = razorgirl(&["eval", tile, &format!("({row},{column})")]);
        text.lines().nth(1).and_then(|line| line.parse::<i64>().ok()).unwrap_or_else(|| panic!("{text}"))
    };
    assert_eq!((at(7, 8) - at(7, 0), at(8, 8) - at(8, 0)), (8, -8));
}

/// NVIDIA/cutlass issue 3454, pull requests 3468 and 3605: a slice of `S<3,4,3> o 0 o (10,2):(2,1)` aborts the compiler; one
/// repair answers an error instead. There is a slice, and it is plain: the numbers stay below the bits that are read.
#[test]
fn cutlass_3468_a_slice_of_ten_rows_is_answered() {
    let slice = razorgirl(&["op", "swizzled_call", "(_,0)", "S<3,4,3> o 0 o (10,2):(2,1)"]);
    assert!(slice.ends_with("\nSw<3,4,3> o 0 o (10):(2)\n"), "{slice}");
    let plain = razorgirl(&["op", "swizzled_plain", "Sw<3,4,3> o 0 o (10):(2)"]);
    assert!(plain.ends_with("\noffset 0, shape (10), stride (2)\n"), "{plain}");
}

/// NVIDIA/cutlass pull request 3605: masks of bits decide wrongly whether a slice is plain where modes carry into one
/// another. Offsets decide it: (3,2):(1,3) has offsets 0 to 5, so bit 2 is read although no stride has it.
#[test]
fn cutlass_3605_modes_that_carry_are_not_plain() {
    for (layout, plain) in [
        ("Sw<1,0,2> o 0 o (3,2):(1,3)", "none\n[status 1]\n"),
        ("Sw<1,0,2> o 0 o (3):(1)", "offset 0, shape (3), stride (1)\n"),
        ("Sw<1,0,2> o 0 o (2,2):(3,1)", "none\n[status 1]\n"),
    ] {
        let text = razorgirl(&["op", "swizzled_plain", layout]);
        assert!(text.ends_with(plain), "{text}");
    }
}

/// NVIDIA/cutlass issue 2634: the figure of the PTX manual has 36 at (0,1) of the 128-byte atom of tf32, and
/// `Swizzle<3,4,3>` of elements 32. The swizzle of the manual counts bytes: of elements of 4 bytes it is Swizzle<3,2,3>.
#[test]
fn cutlass_2634_bytes_and_elements() {
    let at = |layout: &str| razorgirl(&["eval", layout, "(0,1)"]);
    assert!(at("Sw<3,4,3> o 0 o (32,8):(1,32)").ends_with("\n32\n"));
    assert!(at("Sw<3,2,3> o 0 o (32,8):(1,32)").ends_with("\n36\n"));
    assert!(at("Sw<3,4,3> o smem_ptr[32b](unset) o (32,8):(1,32)").ends_with("\n36\n"));
    let recast = razorgirl(&["op", "swizzled_recast", "Sw<3,4,3> o 0 o (128,8):(1,128)", "8", "32"]);
    assert!(recast.ends_with("\nSw<3,2,3> o 0 o (32,8):(1,32)\n"), "{recast}");
}

/// NVIDIA/cutlass issue 3172: a profiler reports conflicts of `ldmatrix.x4.trans` on an M-major tile of halves, 128 by 32,
/// with Swizzle<3,3,4>. The layout has none: what the profiler counted there is not known. Without the swizzle it has 8.
#[test]
fn cutlass_3172_m_major_ldmatrix() {
    let access = ["--access", "ldmatrix"];
    let swizzled = banks("Sw<3,3,4> o 0 o (128,32):(1,128)", "f16", &access);
    assert!(swizzled.contains("no bank conflicts"), "{swizzled}");
    let plain = banks("(128,32):(1,128)", "f16", &access);
    assert!(plain.contains("wavefronts 8 in 64 phases"), "{plain}");
    assert_eq!(offered(&plain, "swizzle"), Some("Sw<3,3,4> o 0 o (128,32):(1,128)"));
}

/// triton-lang/triton issue 8149: a copy of contiguous elements through swizzled shared memory is reported to have more
/// conflicts for larger tensors. The layout has none with or without a swizzle, and the size of the tensor is not in it.
#[test]
fn triton_8149_contiguous_elements_have_no_conflicts() {
    for layout in ["(1,4096):(0,1)", "Sw<3,2,5> o 0 o (1,4096):(0,1)"] {
        for access in ["row", "row@16"] {
            let text = banks(layout, "f32", &["--access", access]);
            assert!(text.contains("no bank conflicts"), "{text}");
        }
    }
}

/// NVIDIA/cutlass issue 3197: with a swizzle of M = 3 a kernel in the DSL multiplies `bf16` wrongly that multiplies `f16`
/// rightly; with M = 4 both are right. Its tile is 64 by 16. The layout is right for both types: 16-byte rows stay whole and
/// no bank conflicts. What M = 4 has that M = 3 lacks: the second half of a row, 8 elements on, is the first half moved by
/// 8. So the offset is moved out of the swizzle there, as in 3160; that is our guess, the thread has no answer.
#[test]
fn cutlass_3197_the_second_half_of_a_row_is_not_the_first_one_moved() {
    for bits in 1..=3 {
        let tile = format!("Sw<{bits},3,3> o 0 o (64,16):(16,1)");
        let counted =
            ["bf16", "f16"].map(|dtype| banks(&tile, dtype, &["--access", "ldmatrix"]).replace("bf16", "f16"));
        assert!(counted[0].contains("no bank conflicts"), "{}", counted[0]);
        assert_eq!(counted[0], counted[1]);
        for (base, moves) in [(3, "false\n[status 1]\n"), (4, "true\n")] {
            let half = format!("Sw<{bits},{base},3> o 8 o (64):(16)");
            let text = razorgirl(&["op", "swizzled_offset_moves", &half]);
            assert!(text.ends_with(moves), "{text}");
        }
    }
    // what the half is, said without moving anything
    let slice = razorgirl(&["op", "swizzled_call", "(_,8)", "Sw<1,3,3> o 0 o (64,16):(16,1)"]);
    assert!(slice.ends_with("\nSw<1,3,3> o 8 o (64):(16)\n"), "{slice}");
}

/// NVIDIA/cutlass issue 2810: a profiler reports conflicts of the DSL's example for Ampere where A is M-major. The layouts in
/// shared memory are not printed there; the example's own are Swizzle<3,3,3> after atoms of 64 by 8 halves, M fastest.
/// `ldmatrix` has no conflicts there, and neither has a copy of 16 bytes a lane. Without the swizzle `ldmatrix` has.
#[test]
fn cutlass_2810_m_major_atoms_have_no_conflicts() {
    let tile = "((64,2),(8,4)):((1,512),(64,1024))";
    for access in ["ldmatrix", "column@16"] {
        let text = banks(&format!("Sw<3,3,3> o 0 o {tile}"), "f16", &["--access", access]);
        assert!(text.contains("no bank conflicts"), "{text}");
    }
    let plain = banks(tile, "f16", &["--access", "ldmatrix"]);
    assert!(plain.contains("wavefronts 8 in 64 phases"), "{plain}");
    assert_eq!(offered(&plain, "swizzle"), Some(format!("Sw<3,3,3> o 0 o {tile}").as_str()));
}

/// NVIDIA/cutlass issue 1882: 256 threads store halves into a tile of 16 by 32, row by row, and a profiler reports millions
/// of conflicts, once with shared memory larger than the tile, once on a second run of the same program. The layout has
/// none, and the size of shared memory is not in it. Eight warps store two rows of 32 halves each.
#[test]
fn cutlass_1882_rows_of_halves_have_no_conflicts() {
    for access in ["row", "((32,8),2):((16,1),8)"] {
        let text = banks("(16,32):(32,1)", "f16", &["--access", access]);
        assert!(text.contains("wavefronts 1 in 16 phases") && text.contains("no bank conflicts"), "{text}");
    }
}

/// NVIDIA/cutlass issue 1038: given the layout before and the layout that is wanted, which swizzle makes one of the other?
/// For the layout of the talk that is asked about, 8 rows of 8 units of 16 bytes with unit j of row i at i xor j, it is
/// Swizzle<3,2,3> of words. Some layouts have none.
#[test]
fn cutlass_1038_the_swizzle_of_a_wanted_layout() {
    let wanted = r#"{"in":[["column",[[1],[2],[4],[8],[16]]],["row",[[36],[72],[144]]]],"out":[["offset",256]]}"#;
    let text = razorgirl(&["linear", wanted]);
    assert!(text.contains("\nCuTe: Sw<3,2,3> o 0 o 256:1\n"), "{text}");
    // and back: columns are the fast mode
    let back = razorgirl(&["linear", "Sw<3,2,3> o 0 o (32,8):(1,32)"]);
    assert!(back.contains("[[1],[2],[4],[8],[16],[36],[72],[144]]"), "{back}");
    let none = razorgirl(&["linear", r#"{"in":[["i",[[3],[5],[6]]]],"out":[["offset",8]]}"#]);
    assert!(none.contains("\nCuTe: none, it is no layout, and no Swizzle<B,M,S> after a layout\n"), "{none}");
}
