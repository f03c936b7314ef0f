//! What refusals say. They are read by someone whose kernel does not compile, so they are kept like documentation: which
//! mode of which operand, the numbers that fail, and what would be accepted. Every suggestion in them was tried.

use razorgirl::{Error, Layout, Result, Tiler};
use std::fmt::Write as _;

fn layout(text: &str) -> Layout {
    text.parse().expect("it is notation")
}

fn said<T: std::fmt::Debug>(what: &str, result: Result<T>) -> String {
    let error: Error = result.expect_err(what);
    let mut text = format!("{what}\nerror[{}]: {error}\n", error.code());
    for help in error.help() {
        let _ = writeln!(text, "  help: {help}");
    }
    text
}

fn composition(outer: &str, inner: &str) -> String {
    said(&format!("composition({outer}, {inner})"), layout(outer).composition(&layout(inner)))
}

fn complete(outer: &str, inner: &str) -> String {
    said(&format!("composition_complete({outer}, {inner})"), layout(outer).composition_complete(&layout(inner)))
}

fn complement(of: &str) -> String {
    said(&format!("complement({of})"), layout(of).complement())
}

fn complement_in(of: &str, cotarget: u128) -> String {
    said(&format!("complement({of}, {cotarget})"), layout(of).complement_in(cotarget))
}

fn left_inverse(of: &str) -> String {
    said(&format!("left_inverse({of})"), layout(of).left_inverse())
}

#[test]
fn refusals() {
    let cases: Vec<(&str, String)> = vec![
        // the modes of B carry
        ("carry_smallest", composition("(6,2):(1,7)", "(3,2):(2,3)")),
        ("carry_shah_2_18", composition("(6,2):(1,7)", "(2,2,2):(1,2,3)")),
        ("carry_strong_divisibility", composition("(12,2):(1,13)", "(2,2,3):(2,3,4)")),
        ("carry_within_one_mode", composition("(3,3):(1,1)", "4:2")),
        ("carry_four_modes", composition("(4,4,4,4):(2,4,8,17)", "((2,4),8):((4,8),8)")),
        ("carry_nested", composition("((6,2),5):((1,7),100)", "((3,2),(1,1)):((2,3),(0,0))")),
        ("carry_accidental_composite", composition("(2,2,3):(1,1,3)", "3:3")),
        ("carry_last_digit", composition("(8,8):(1,9)", "(4,5):(2,2)")),
        // a mode of B wraps in its middle
        ("wrap_weak_stride_check", composition("(4,6,8):(2,3,5)", "6:3")),
        ("wrap_shape", composition("(2,9):(48,24)", "3:1")),
        ("wrap_odd", composition("(5,7):(1,50)", "6:1")),
        ("wrap_second_mode", composition("(4,4):(1,9)", "(2,3):(1,2)")),
        ("wrap_nested_inner", composition("(4,4):(1,9)", "((2,1),(3,1)):((1,0),(2,0))")),
        ("wrap_large", composition("(1024,1024):(1,4096)", "1534:2")),
        // B leaves A
        ("beyond_by_one", composition("8:1", "9:1")),
        ("beyond_nothing_to_grow", composition("1:0", "4:1")),
        ("beyond_last_mode", composition("(4,2):(2,16)", "(4,3):(1,4)")),
        ("beyond_stride", composition("(4,4):(1,4)", "4:7")),
        ("beyond_two_modes", composition("(2,2):(1,2)", "(2,2):(1,4)")),
        ("beyond_trailing_one", composition("(4,1):(1,9)", "8:1")),
        // no composite at all
        ("complete_none", complete("(4,6,8):(2,3,5)", "6:3")),
        ("complete_carry", complete("(6,2):(1,7)", "(3,2):(2,3)")),
        ("complete_too_many", complete("(67108864,3):(1,67108865)", "33554433:3")),
        ("complete_beyond", complete("4:1", "5:1")),
        // complement
        ("complement_broadcast", complement("(4,2):(0,1)")),
        ("complement_only_broadcast", complement("3:0")),
        ("complement_overlap", complement("(8,4):(2,1)")),
        ("complement_interleaved", complement("(2,2):(2,3)")),
        ("complement_gap", complement("(2,2):(1,3)")),
        ("complement_gap_below_stride", complement("(4,3):(2,12)")),
        ("complement_three_modes", complement("(2,2,2):(1,4,10)")),
        ("complement_same_stride", complement("(2,3):(1,1)")),
        ("complement_nested", complement("((2,2),(2,1)):((1,2),(6,0))")),
        ("complement_cotarget", complement_in("4:2", 20)),
        ("complement_cotarget_small", complement_in("(4,8):(1,4)", 16)),
        ("complement_cotarget_official", complement_in("2:8", 18)),
        ("complement_cotarget_zero", complement_in("4:1", 0)),
        ("complement_cotarget_colfax", complement_in("(3,3):(6,1)", 2151)),
        ("complement_cotarget_broadcast", complement_in("(2,2):(1,0)", 8)),
        ("complement_overflow", complement_in("3:1", 3 << 70)),
        // inverses
        ("left_inverse_broadcast", left_inverse("(4,2):(1,0)")),
        ("left_inverse_overlap", left_inverse("(4,4):(1,2)")),
        ("left_inverse_not_dividing", left_inverse("(2,2):(2,3)")),
        ("left_inverse_three", left_inverse("(2,2,3):(1,4,10)")),
        (
            "quasi_left_inverse_overlap",
            said("quasi_left_inverse((3,3,2):(1,2,0))", layout("(3,3,2):(1,2,0)").quasi_left_inverse()),
        ),
        ("inverse_gaps", said("inverse((4,8):(1,5))", layout("(4,8):(1,5)").inverse())),
        ("inverse_collision", said("inverse((4,4):(1,3))", layout("(4,4):(1,3)").inverse())),
        ("inverse_broadcast", said("inverse(4:0)", layout("4:0").inverse())),
        // tilers
        (
            "tiler_too_many_modes",
            said(
                "composition_by(8:1, (_,_))",
                layout("8:1").composition_by(&Tiler::Modes(vec![Tiler::Keep, Tiler::Keep])),
            ),
        ),
    ];
    assert!(cases.len() >= 45);
    for (name, text) in cases {
        insta::assert_snapshot!(name, text);
    }
}
