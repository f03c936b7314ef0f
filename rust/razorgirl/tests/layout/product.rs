//! What refused products say. What products answer is judged in `../definitions.rs`, and that the suggestions hold in
//! `../suggestions.rs`.

use crate::shared::{layout, said};
use razorgirl::{ErrorKind, Shape};

fn product(of: &str, by: &str) -> String {
    said(
        &format!("logical_product({of}, {by})"),
        layout(of).logical_product(&by.parse::<razorgirl::Tiler>().expect("it is notation")),
    )
}

fn shape(of: &str, to: &str, order: Option<&str>) -> String {
    let order = order.map(|order| order.parse().expect("it is notation"));
    let shape = to.parse().expect("it is notation");
    said(&format!("tile_to_shape({of}, {to})"), layout(of).tile_to_shape(&shape, order.as_ref()))
}

#[test]
fn refusals() {
    for (name, text) in [
        ("product_overlapping_block", product("(4,4):(1,2)", "3:1")),
        ("product_gap_in_block", product("(2,2):(1,3)", "2:1")),
        ("product_interleaved_block", product("(2,2):(2,3)", "2:1")),
        ("product_nested_block", product("((2,2),(2,1)):((1,2),(6,0))", "2:1")),
        ("product_wraps", product("3:2", "3:1")),
        ("product_carries", product("(2,2):(1,8)", "(3,2):(1,3)")),
        ("product_carries_in_gap", product("2:4", "(2,2):(1,3)")),
        ("product_overflow", product("4294967296:1", "4294967296:1")),
        ("product_overflow_cosize", product("2:4611686018427387904", "(2,4):(1,4611686018427387904)")),
        ("product_in_mode", product("((2,2),(4,4)):((1,2),(1,2))", "(3,5)")),
        // up to a shape
        ("shape_uneven", shape("(8,8):(8,1)", "(64,20)", None)),
        ("shape_smaller", shape("(8,8):(8,1)", "(64,4)", None)),
        ("shape_too_few_modes", shape("(8,8):(8,1)", "64", None)),
        ("shape_order", shape("(8,8):(8,1)", "(64,16)", Some("(0,1,2)"))),
    ] {
        insta::assert_snapshot!(name, text);
    }
}

/// The product is nested as deep as both together: that is what its refusal says, not that a number is too large.
#[test]
fn nested_too_deep() {
    let deep = |levels: usize| {
        format!("{}2,2{}:{}1,2{}", "(".repeat(levels), ")".repeat(levels), "(".repeat(levels), ")".repeat(levels))
    };
    let (block, tiles) = (layout(&deep(40)), layout(&deep(64)));
    let error = block.logical_product(&tiles).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}");
    assert!(error.to_string().contains("64 deep"), "{error}");
    assert!(block.logical_product(&layout(&deep(63))).is_ok());
}

/// A block with gaps tiles a shape whose copies fill them: such shapes are said, with one mode of another extent.
#[test]
fn shapes_that_a_block_with_gaps_tiles_are_said() {
    let (mut refused, mut told) = (0, 0);
    for (extent, stride) in (2..=3).flat_map(|extent| (2..=4).map(move |stride| (extent, stride))) {
        let block = layout(&format!("({extent}):({stride})"));
        for copies in 1..=12_u64 {
            let shape: Shape = format!("({},5)", extent * copies).parse().expect("a shape");
            let Err(error) = block.tile_to_shape(&shape, None) else { continue };
            let said: Vec<String> = error.suggestions().iter().map(ToString::to_string).collect();
            let shapes: Vec<Shape> = said
                .iter()
                .filter_map(|text| text.strip_prefix("with ")?.split_once(" as the shape")?.0.parse().ok())
                .collect();
            told += usize::from(!shapes.is_empty());
            for near in shapes {
                let both = near.extents().leaves().iter().zip(shape.extents().leaves());
                assert_eq!(both.filter(|(new, old)| new != old).count(), 1, "{block} {shape}: {said:?}");
                assert!(block.tile_to_shape(&near, None).is_ok(), "{block} {shape}: {near}");
            }
            refused += 1;
        }
    }
    assert!(refused > 20 && told > 5, "{told} of {refused}");
}
