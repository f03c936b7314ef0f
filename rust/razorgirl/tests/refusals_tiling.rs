//! What refused divisions, products and partitions say. That what they suggest holds is tested in `suggestions.rs`.

use razorgirl::{Error, ErrorKind, Layout, Result, Tiler};
use std::fmt::Write as _;

fn layout(text: &str) -> Layout {
    text.parse().expect("it is notation")
}

/// `8`, `_`, a layout, or several of these as `<…;…>`.
fn tiler(text: &str) -> Tiler {
    if let Some(inner) = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')) {
        let mut depth = 0;
        let parts = inner.split(|char| {
            depth += i32::from(char == '<') - i32::from(char == '>');
            char == ';' && depth == 0
        });
        return Tiler::Modes(parts.map(tiler).collect());
    }
    match text.parse::<u64>() {
        Ok(n) => Tiler::integer(n).expect("it is positive"),
        Err(_) if text == "_" => Tiler::Keep,
        Err(_) => Tiler::Layout(layout(text)),
    }
}

fn said<T: std::fmt::Debug>(what: &str, result: Result<T>) -> String {
    let error: Error = result.expect_err(what);
    let mut text = format!("{what}\nerror[{}]: {error}\n", error.code());
    for help in error.help() {
        let _ = writeln!(text, "  help: {help}");
    }
    text
}

fn divide(of: &str, by: &str) -> String {
    said(&format!("logical_divide({of}, {by})"), layout(of).logical_divide_by(&tiler(by)))
}

fn ceil(of: &str, by: &str) -> String {
    said(&format!("logical_divide_ceil({of}, {by})"), layout(of).logical_divide_ceil(&tiler(by)))
}

fn product(of: &str, by: &str) -> String {
    said(&format!("logical_product({of}, {by})"), layout(of).logical_product_by(&tiler(by)))
}

fn shape(of: &str, to: &str, order: Option<&str>) -> String {
    let order = order.map(|order| order.parse().expect("it is notation"));
    let shape = to.parse().expect("it is notation");
    said(&format!("tile_to_shape({of}, {to})"), layout(of).tile_to_shape(&shape, order.as_ref()))
}

fn tv(threads: &str, values: &str) -> String {
    said(&format!("make_layout_tv({threads}, {values})"), Layout::make_layout_tv(&layout(threads), &layout(values)))
}

fn local(of: &str, threads: &str, index: u64) -> String {
    said(&format!("local_partition({of}, {threads}, {index})"), layout(of).local_partition(&layout(threads), index))
}

#[test]
fn refusals() {
    let cases: Vec<(&str, String)> = vec![
        // the tile does not divide
        ("divide_extent", divide("16:1", "5:1")),
        ("divide_integer", divide("16:1", "5")),
        ("divide_strided", divide("24:1", "3:5")),
        ("divide_large", divide("1048576:1", "1000:1")),
        ("divide_prime", divide("13:1", "4:1")),
        ("divide_gap_in_tile", divide("24:1", "(2,2):(1,3)")),
        ("divide_interleaved_tile", divide("24:1", "(2,2):(2,3)")),
        ("divide_nested_tile", divide("24:1", "((2,1),(5,1)):((1,0),(2,0))")),
        // it holds an index twice
        ("divide_broadcast_tile", divide("16:1", "(4,2):(1,0)")),
        ("divide_overlapping_tile", divide("16:1", "(2,2):(1,1)")),
        // it reaches past the layout
        ("divide_beyond", divide("4:1", "6:1")),
        ("divide_beyond_by_stride", divide("(4,4):(1,4)", "4:8")),
        // tiles and modes do not line up
        ("divide_wraps", divide("(4,6):(1,50)", "6:1")),
        ("divide_rest_wraps", divide("(4,9):(1,50)", "(2,2):(1,18)")),
        ("divide_carries", divide("(4,6):(1,50)", "4:3")),
        ("divide_carries_two_modes", divide("(4,6):(1,50)", "(2,3):(1,2)")),
        // by mode
        ("divide_in_mode", divide("(16,10):(1,16)", "<4;4>")),
        ("divide_in_nested_mode", divide("((16,9),10):((1,160),16)", "<<4;4:3>;_>")),
        ("divide_too_many_modes", divide("(16,10):(1,16)", "<4;5;2>")),
        // padding
        ("ceil_broadcast_tile", ceil("10:1", "(4,2):(1,0)")),
        ("ceil_wraps", ceil("(4,6):(1,50)", "5:1")),
        ("ceil_in_mode", ceil("((4,6),3):((1,50),900)", "<3;2>")),
        ("ceil_overflow", ceil("18446744073709551615:1", "2:1")),
        ("ceil_gaps", ceil("10:1", "(2,2):(1,3)")),
        // products
        ("product_overlapping_block", product("(4,4):(1,2)", "3:1")),
        ("product_gap_in_block", product("(2,2):(1,3)", "2:1")),
        ("product_interleaved_block", product("(2,2):(2,3)", "2:1")),
        ("product_nested_block", product("((2,2),(2,1)):((1,2),(6,0))", "2:1")),
        ("product_wraps", product("3:2", "3:1")),
        ("product_carries", product("(2,2):(1,8)", "(3,2):(1,3)")),
        ("product_carries_in_gap", product("2:4", "(2,2):(1,3)")),
        ("product_overflow", product("4294967296:1", "4294967296:1")),
        ("product_overflow_cosize", product("2:4611686018427387904", "(2,4):(1,4611686018427387904)")),
        ("product_in_mode", product("((2,2),(4,4)):((1,2),(1,2))", "<3;5>")),
        // up to a shape
        ("shape_uneven", shape("(8,8):(8,1)", "(64,20)", None)),
        ("shape_smaller", shape("(8,8):(8,1)", "(64,4)", None)),
        ("shape_too_few_modes", shape("(8,8):(8,1)", "64", None)),
        ("shape_order", shape("(8,8):(8,1)", "(64,16)", Some("(0,1,2)"))),
        // threads and values
        ("tv_broadcast", tv("(4,2):(1,0)", "4:1")),
        ("tv_overlap", tv("4:1", "(2,2):(1,0)")),
        ("tv_gaps", tv("4:1", "2:3")),
        ("tv_no_layout", tv("3:2", "4:1")),
        ("local_no_such_thread", local("(8,6):(1,8)", "(4,3):(3,1)", 12)),
        ("local_threads_with_gaps", local("(8,6):(1,8)", "(4,3):(1,5)", 3)),
        ("local_threads_overlap", local("(8,6):(1,8)", "(4,3):(1,2)", 3)),
        ("local_uneven", local("(8,6):(1,8)", "(3,2):(1,3)", 3)),
        ("local_too_many_modes", local("8:1", "(4,3):(3,1)", 3)),
    ];
    assert!(cases.len() >= 45);
    for (name, text) in cases {
        insta::assert_snapshot!(name, text);
    }
}

/// The codes come in the order of the protocol's table.
#[test]
fn codes() {
    let kind = |of: &str, by: &str| layout(of).logical_divide_by(&tiler(by)).expect_err("it is refused").kind();
    assert_eq!(kind("16:1", "5:1"), ErrorKind::NotDivisible);
    assert_eq!(kind("4:1", "5:1"), ErrorKind::OutOfDomain);
    assert_eq!(kind("4:1", "(2,2):(7,7)"), ErrorKind::OutOfDomain);
    assert_eq!(kind("16:1", "(2,2):(7,7)"), ErrorKind::NotInjective);
    assert_eq!(kind("16:1", "(2,2):(0,7)"), ErrorKind::NotInjective);
    assert_eq!(kind("16:1", "(2,2):(1,3)"), ErrorKind::NotDivisible);
    assert_eq!(kind("(4,6):(1,50)", "(2,3):(1,2)"), ErrorKind::NotDivisible);
    assert_eq!(kind("16:1", "<2;2>"), ErrorKind::Incongruent);
}
