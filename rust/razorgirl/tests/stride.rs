//! Layouts of coordinates: notation, values, slices, coalescing and composition.

use std::fmt::Write as _;

use proptest::prelude::*;
use razorgirl::{Coord, CoordLayout, ErrorKind, IntTuple, Layout, Shape};

fn layout(text: &str) -> CoordLayout {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What is read, and the one form in which it is written.
#[test]
fn notation() {
    for (read, written) in [
        ("(4,8):(1@0,1@1)", "(4,8):(1@0,1@1)"),
        ("(4,8):(E<0>,E<1>{})", "(4,8):(1@0,1@1)"),
        ("(_4,Int<8>{}):(_1@0,_2@1)", "(4,8):(1@0,2@1)"),
        ("( 4 , 8 ) : ( 3*E<1> , 5 * E<0,1>{} )", "(4,8):(3@1,5@1@0)"),
        ("ArithTuple(0,_0) o (4,8):(_1@0,_1@1)", "(4,8):(1@0,1@1)"),
        ("ArithTuple(0,64) o (4,8):(1@0,1@1)", "ArithTuple(0,64) o (4,8):(1@0,1@1)"),
        // what CUTLASS prints of a TMA tensor
        (
            "ArithTuple(0,_0,_0,_0) o ((_128,_64),2,3,1):((_1@0,_1@1),_64@1,_1@2,_1@3)",
            "ArithTuple(0,0,0,0) o ((128,64),2,3,1):((1@0,1@1),64@1,1@2,0)",
        ),
        ("4:1@0+2@1", "4:1@0+2@1"),
        (
            "cute::ArithTuple(0,64) o cute::Shape<_4,_8>:cute::Stride<cute::E<0>,2*cute::E<1>>",
            "ArithTuple(0,64) o (4,8):(1@0,2@1)",
        ),
        ("cute::Layout<cute::Shape<_4,_8>,cute::Stride<cute::E<0>,_2@1>>{}", "(4,8):(1@0,2@1)"),
        ("4:2@1 + 1@0 + 1@1", "4:1@0+3@1"),
        ("(4,2):(1@1@0,1@0@0)", "(4,2):(1@1@0,1@0@0)"),
        ("(4,2):(1@1,0)", "(4,2):(1@1,0)"),
        ("(4,2):(1@0,0@1)", "ArithTuple(0,0) o (4,2):(1@0,0)"),
        ("4:2@0@1", "4:2@0@1"),
        ("((4,2),()):((1@0,4@0),())", "((4,2),()):((1@0,4@0),())"),
        ("(1,8):(77@0,1@1)", "(1,8):(0,1@1)"),
        // integers are values of their own
        ("(4,8):(8,1)", "(4,8):(8,1)"),
        ("(4,8)", "(4,8):(1,4)"),
        ("4:3*E<>", "4:3"),
        ("ArithTuple7 o 4:2", "ArithTuple7 o 4:2"),
        // a start of 0 is one in every nesting
        ("ArithTuple(0,7) o (4,2):(1@0@0,2@1)", "ArithTuple((0),7) o (4,2):(1@0@0,2@1)"),
    ] {
        let made = layout(read);
        assert_eq!(made.to_string(), written, "{read}");
        assert_eq!(layout(written), made, "{read}");
    }
}

#[test]
fn refusals() {
    let long = format!("4:1@{}", usize::MAX);
    for (text, kind, message) in [
        ("(4,8):1@0", ErrorKind::Incongruent, "the shape is nested as (*,*), the stride as *"),
        ("(4,8):(1@0,1)", ErrorKind::Incongruent, "for the stride 1, a value is a number, and elsewhere it is not"),
        ("(4,8):(1,1@0)", ErrorKind::Incongruent, "for the stride 1@0, a value is a tuple, and elsewhere it is not"),
        (
            "(4,8):(1@0,1@0@0)",
            ErrorKind::Incongruent,
            "for the stride 1@0@0, dimension 0 is a tuple, and elsewhere it is not",
        ),
        (
            "(4,8):(1@0@0,1@0)",
            ErrorKind::Incongruent,
            "for the stride 1@0, dimension 0 is a number, and elsewhere it is not",
        ),
        (
            "ArithTuple(3) o 4:1@0@0",
            ErrorKind::Incongruent,
            "for the stride 1@0@0, dimension 0 is a tuple, and elsewhere it is not",
        ),
        ("(0,8):(1@0,1@1)", ErrorKind::Extent, "the extent at mode 0 is 0"),
        ("(4,8):(-1@0,1@1)", ErrorKind::Stride, "the stride at mode 0 is below 0"),
        ("(4,8):(18446744073709551616@0,1@1)", ErrorKind::Overflow, "the cosize is 2^64 or more"),
        ("3:9223372036854775807@0+1@0", ErrorKind::Overflow, "the cosize is 2^64 or more"),
        ("ArithTuple(18446744073709551615) o 2:1@0", ErrorKind::Overflow, "18446744073709551615 + 1 is 2^64 or more"),
        ("ArithTuple(-1) o 2:1@0", ErrorKind::OutOfDomain, "in the start there is a negative number"),
        ("4:1@1024", ErrorKind::TooLarge, "coordinates of 1025 numbers are too long"),
        (&long, ErrorKind::TooLarge, "coordinates of 18446744073709551615 numbers are too long"),
        ("4:1@", ErrorKind::Parse, "expected a dimension, an integer from 0, met the end at byte 4"),
        ("4:E<0", ErrorKind::Parse, "expected `,`, met the end at byte 5"),
        ("(4,8):(1@0,_@1)", ErrorKind::Parse, "expected a stride such as `1@0`, met `_` at byte 11"),
        ("ArithTuple(0,0) o (4,8)", ErrorKind::Parse, "expected `:`, then a stride, met the end at byte 23"),
    ] {
        let error = text.parse::<CoordLayout>().map(|made| made.to_string()).expect_err(text);
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message), "{text}");
        assert!(!error.help().is_empty() || kind == ErrorKind::Parse, "{text}");
    }
    let many = format!("(2,{}1):(1@1023,{}0)", "1,".repeat(1100), "0,".repeat(1100));
    assert_eq!(many.parse::<CoordLayout>().unwrap_err().kind(), ErrorKind::TooLarge);
    let plain = "(4,8):(1@0,1@1)".parse::<Layout>().unwrap_err();
    assert_eq!(plain.to_string(), "expected a layout, met a layout of coordinates at byte 8");
    assert!(plain.help().join("").contains("coordinates have no order"));
}

#[test]
fn values_and_slices() {
    let tensor = layout("(4,5):(1@1,1@0)");
    let rows: Vec<String> = tensor.values().map(|value| value.to_string()).collect();
    assert_eq!(rows.len(), 20);
    assert_eq!(rows[6], "(1,2)", "as print_tensor of CuTe's documentation has it in row 2, column 1");
    assert_eq!(tensor.at(20).unwrap_err().kind(), ErrorKind::OutOfDomain);
    // 2·2@1@0 + 3·1@1 + 4·5@1 + 7·1@0@0 = ((7,4),23)
    let nested = layout("(3,4,5,8):(2@1@0,1@1,5@1,1@0@0)");
    assert_eq!(nested.value_of(&"(2,3,4,7)".parse().unwrap()).unwrap().to_string(), "((7,4),23)");
    assert_eq!(nested.value_of(&"(2,3,4)".parse().unwrap()).unwrap_err().kind(), ErrorKind::Incongruent);
    let tile = layout("ArithTuple(0,64) o ((4,2),8):((1@0,4@0),1@1)");
    assert_eq!(tile.slice(&"((_,1),3)".parse().unwrap()).unwrap().to_string(), "ArithTuple(4,67) o (4):(1@0)");
    assert_eq!(tile.value_of(&"(5,3)".parse().unwrap()).unwrap().to_string(), "(5,67)");
}

#[test]
fn composition_refuses_with_numbers() {
    let outer = layout("(6,2):(1@0,1@1)");
    for (inner, kind, message) in [
        (
            "(3,2):(2,3)",
            ErrorKind::Carries,
            "the modes of the inner layout (3,2):(2,3) add up to 7 in mode 0 of (6,2), the coalesced outer shape, where the extent is 6",
        ),
        (
            "3:4",
            ErrorKind::NotDivisible,
            "mode 0 of the inner layout is 3:4 and wraps round mode 0 of (6,2), the coalesced outer shape, after 2 steps, and 2 does not divide 3",
        ),
        (
            "13:1",
            ErrorKind::OutOfDomain,
            "the inner layout 13:1 reaches index 12, but the outer layout has indices [0,12)",
        ),
    ] {
        let error = outer.composition(&inner.parse().unwrap()).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
    }
    assert_eq!(outer.composition(&"4:3".parse().unwrap()).unwrap().to_string(), "(2,2):(3@0,1@1)");
    assert_eq!(layout("(2,3):(1@0,2@0)").composition(&"3:1".parse().unwrap()).unwrap().to_string(), "3:1@0");
    // the dimension that no stride is left in stays
    assert_eq!(outer.composition(&"6:1".parse().unwrap()).unwrap().to_string(), "ArithTuple(0,0) o 6:1@0");
}

fn shapes() -> impl Strategy<Value = IntTuple> {
    let leaf = (1_u64..5).prop_map(|extent| extent.to_string());
    let nested = leaf.prop_recursive(2, 5, 3, |inner| {
        prop::collection::vec(inner, 1..4).prop_map(|modes| format!("({})", modes.join(",")))
    });
    nested.prop_map(|text| text.parse().unwrap())
}

fn coordinates() -> impl Strategy<Value = CoordLayout> {
    (shapes(), prop::collection::vec((0_u64..4, 0_u64..4), 8), 0_u64..3).prop_map(|(shape, numbers, start)| {
        let mut numbers = numbers.iter().cycle();
        let stride = shape.map(|_| 0);
        let profile = stride.to_string();
        // each 0 in turn
        let parts: Vec<&str> = profile.split('0').collect();
        let mut text = format!("ArithTuple({start},0) o {shape}:");
        for (place, part) in parts.iter().enumerate() {
            text.push_str(part);
            if place + 1 < parts.len() {
                let (a, b) = numbers.next().unwrap();
                write!(text, "{a}@0+{b}@1").unwrap();
            }
        }
        text.parse().unwrap()
    })
}

proptest! {
    /// The value is the start and the sum of coordinate times stride, in each dimension.
    #[test]
    fn values_are_sums(made in coordinates()) {
        let shape = made.shape();
        for (index, value) in made.values().enumerate() {
            let index = index as u64;
            let coord = shape.idx2crd(index).unwrap();
            for (place, number) in value.leaves().iter().enumerate() {
                let strides = made.strides();
                let terms = coord.leaves().iter().zip(&strides).map(|(at, stride)| {
                    let term = stride.iter().find(|term| term.path == [place]);
                    at * term.map_or(0, |term| term.to_string().split('@').next().unwrap().parse().unwrap())
                });
                prop_assert_eq!(*number, made.start().leaves()[place] + terms.sum::<u64>());
            }
            prop_assert_eq!(&made.at(index).unwrap(), &value);
            prop_assert_eq!(&made.value_of(&Coord::from(&coord)).unwrap(), &value);
        }
        prop_assert_eq!(layout(&made.to_string()), made);
    }

    #[test]
    fn coalescing_keeps_values(made in coordinates()) {
        let coalesced = made.coalesce();
        prop_assert!(coalesced.values().eq(made.values()));
        prop_assert_eq!(coalesced.coalesce(), coalesced.clone());
        for axis in coalesced.axes() {
            prop_assert_eq!(axis.size(), made.size());
        }
    }

    /// Where it answers it is the composite; where strides are units and it refuses, no layout of the modes' sizes is.
    #[test]
    fn composites(made in coordinates(), inner in shapes(), strides in prop::collection::vec(0_u64..9, 8)) {
        let mut strides = strides.into_iter().cycle();
        let inner = Layout::new(&inner, &inner.map(|_| strides.next().unwrap())).unwrap();
        if let Ok(composite) = made.composition(&inner) {
            prop_assert_eq!(composite.size(), inner.size());
            for (value, index) in composite.values().zip(inner.offsets()) {
                prop_assert_eq!(value, made.at(index).unwrap());
            }
        }
    }

    #[test]
    fn identities(shape in shapes()) {
        let shape = Shape::new(shape).unwrap();
        let made = CoordLayout::identity(&shape).unwrap();
        for (index, value) in made.values().enumerate() {
            prop_assert_eq!(value, shape.idx2crd(index as u64).unwrap());
        }
    }

    /// With integers as values they are layouts as they always were.
    #[test]
    fn integers_are_as_in_layouts(outer in shapes(), inner in shapes(), strides in prop::collection::vec(0_u64..9, 8)) {
        let mut strides = strides.into_iter().cycle();
        let mut with = |shape: &IntTuple| Layout::new(shape, &shape.map(|_| strides.next().unwrap())).unwrap();
        let (outer, inner) = (with(&outer), with(&inner));
        let same = CoordLayout::from(outer.clone());
        prop_assert_eq!(same.coalesce(), CoordLayout::from(outer.coalesce()));
        let (ours, theirs) = (same.composition(&inner), outer.composition(&inner));
        let kind = |error: razorgirl::Error| error.kind();
        prop_assert_eq!(ours.map_err(kind), theirs.map(CoordLayout::from).map_err(kind));
    }
}

#[test]
fn identities_have_at_most_1024_axes() {
    let identity = |leaves: usize| CoordLayout::identity(&Shape::new(IntTuple::flat(&vec![1; leaves])).unwrap());
    assert_eq!(identity(1024).map(|layout| layout.axes().len()), Ok(1024));
    assert_eq!(identity(1025).unwrap_err().kind(), ErrorKind::TooLarge);
}

/// Inner layouts near a refused one are looked for where both layouts have at most 64 leaves together.
#[test]
fn refused_compositions_have_help_up_to_64_leaves() {
    let helped = |outer: usize, inner: usize| {
        let outer = Shape::new(IntTuple::flat(&[vec![4, 6], vec![1; outer - 2]].concat())).unwrap();
        let inner = format!("(6{}):(1{})", ",1".repeat(inner - 1), ",0".repeat(inner - 1)).parse().unwrap();
        let error = CoordLayout::identity(&outer).unwrap().composition(&inner).unwrap_err();
        !error.suggestions().is_empty()
    };
    assert!(helped(2, 1) && helped(10, 7) && helped(62, 2) && helped(2, 62));
    assert!(!helped(63, 2) && !helped(2, 63));
}
