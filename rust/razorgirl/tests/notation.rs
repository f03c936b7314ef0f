//! Reading and writing, and what is said of text that cannot be read.

use razorgirl::{Coord, ErrorKind, IntTuple, Layout, Profile, Shape, Tiler};

#[test]
fn reads_what_cute_writes() {
    let cases = [
        ("((4,2),(2,4)):((2,16),(1,8))", "((4,2),(2,4)):((2,16),(1,8))"),
        ("(_4,3):(_1,4)", "(4,3):(1,4)"),
        ("(_4{},Int<3>):(Int<1>{},C<4>{})", "(4,3):(1,4)"),
        (" ( 4 , 2 ) : ( 1 , 4 ) ", "(4,2):(1,4)"),
        ("(4,2)", "(4,2):(1,4)"),
        ("8", "8:1"),
        ("(8,):(1,)", "(8):(1)"),
        ("()", "():()"),
        ("((),4):((),1)", "((),4):((),1)"),
        ("(4,1):(1,99)", "(4,1):(1,0)"),
        ("1:340282366920938463463374607431768211456", "1:0"),
        ("18446744073709551615:0", "18446744073709551615:0"),
    ];
    for (text, expected) in cases {
        let layout: Layout = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(layout.to_string(), expected);
        assert_eq!(expected.parse(), Ok(layout));
    }
}

#[test]
fn errors_name_the_place() {
    use ErrorKind::{Extent, Incongruent, Overflow, Parse, Stride, TooLarge};
    let deep = "(".repeat(65);
    let cases = [
        ("", Parse, Some(0), "expected an integer or `(`, met the end at byte 0"),
        ("(4,x):1", Parse, Some(3), "expected an integer or `(`, met `x` at byte 3"),
        ("(4 2)", Parse, Some(3), "expected `,` or `)`, met `2` at byte 3"),
        ("(,)", Parse, Some(1), "expected an integer or `(`, met `,` at byte 1"),
        ("(4,2", Parse, Some(4), "expected `,` or `)`, met the end at byte 4"),
        ("(4,2):(1,4))", Parse, Some(11), "expected the end, met `)` at byte 11"),
        ("(4,2);", Parse, Some(5), "expected `:` or the end, met `;` at byte 5"),
        ("Int<4:1", Parse, Some(5), "expected `>`, met `:` at byte 5"),
        ("Int<_>:1", Parse, Some(4), "expected an integer, met `_` at byte 4"),
        ("(4,é):1", Parse, Some(3), "expected an integer or `(`, met `\\u{e9}` at byte 3"),
        ("(4,_):(1,4)", Parse, Some(3), "expected an integer, met a placeholder at byte 3"),
        ("(4,(0,2)):(1,(2,3))", Extent, Some(4), "the extent at mode 1,0 is 0"),
        ("(4,-2)", Extent, Some(3), "the extent at mode 1 is a negative number"),
        ("(4,2):(1,-4)", Stride, Some(9), "the stride at mode 1 is below 0"),
        ("(4,2):(1,(4,3))", Incongruent, Some(6), "the shape is nested as (*,*), the stride as (*,(*,*))"),
        ("(4294967296,4294967296)", Overflow, None, "the size is 2^64 or more"),
        ("(18446744073709551616,2)", Overflow, None, "the size is 2^64 or more"),
        ("2:18446744073709551615", Overflow, None, "the cosize is 2^64 or more"),
        ("2:18446744073709551616", Overflow, None, "the cosize is 2^64 or more"),
        (&deep, TooLarge, Some(64), "tuples nested more than 64 deep"),
    ];
    for (text, kind, position, message) in cases {
        let error = text.parse::<Layout>().expect_err(text);
        assert_eq!((error.kind(), error.position()), (kind, position), "{text}: {error}");
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[test]
fn the_first_fault_of_the_list_is_reported() {
    use ErrorKind::{Extent, Incongruent, Overflow, Stride};
    let huge = "4294967296";
    for (text, kind) in [
        ("(0,2):(1,(2,3))".to_owned(), Incongruent),
        ("(4,0):(-1,2)".to_owned(), Extent),
        (format!("({huge},{huge},2):(1,1,-1)"), Stride),
        (format!("({huge},{huge},0):(1,1,1)"), Extent),
        (format!("({huge},{huge}):(1,1)"), Overflow),
        ("(18446744073709551616,0):(1,1)".to_owned(), Extent),
        ("(18446744073709551616,1):(0,-1)".to_owned(), Stride),
    ] {
        assert_eq!(text.parse::<Layout>().expect_err(&text).kind(), kind, "{text}");
    }
}

#[test]
fn tuples_coordinates_and_profiles() {
    assert_eq!("((1,2),0)".parse::<IntTuple>().unwrap().to_string(), "((1,2),0)");
    assert_eq!("-1".parse::<IntTuple>().unwrap_err().kind(), ErrorKind::Parse);
    assert_eq!("((_,2),_4)".parse::<Coord>().unwrap().to_string(), "((_,2),4)");
    let error = "(1,-2)".parse::<Coord>().unwrap_err();
    assert_eq!((error.kind(), error.position()), (ErrorKind::OutOfDomain, Some(3)));
    let error = "18446744073709551616".parse::<Coord>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfDomain);
    assert_eq!("((-1,*),_)".parse::<Profile>().unwrap().to_string(), "((*,*),*)");
    assert_eq!("(4,0)".parse::<Shape>().unwrap_err().position(), Some(3));
}

#[test]
fn long_and_deep_tuples() {
    let wide = format!("({})", vec!["1"; 1000].join(","));
    let layout: Layout = wide.parse().unwrap();
    assert_eq!((layout.rank(), layout.depth(), layout.modes().len()), (1000, 1, 1000));
    assert_eq!(layout.shape().to_string(), wide);
    assert_eq!(layout.coalesce().to_string(), "1:0");
    let deep = format!("{}2{}", "(".repeat(64), ")".repeat(64));
    let layout: Layout = deep.parse().unwrap();
    assert_eq!((layout.rank(), layout.depth()), (1, 64));
    let error = Layout::concat(&[layout]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge);
    assert!(format!("({deep})").parse::<Layout>().is_err());
}

#[test]
fn tilers_are_read_as_they_are_written() {
    for (text, written) in [
        ("_", "_"),
        ("4", "4:1"),
        ("Int<4>{}", "4:1"),
        ("4:2", "4:2"),
        (" ( 4 , _ ) ", "(4:1,_)"),
        ("(8,)", "(8:1)"),
        ("()", "()"),
        ("(2,4):(1,8)", "(2,4):(1,8)"),
        ("((2,4):(1,8),(3,_),5:2)", "((2,4):(1,8),(3:1,_),5:2)"),
        ("<3:3,<_,(2,4):(1,8)>,Int<4>>", "(3:3,(_,(2,4):(1,8)),4:1)"),
    ] {
        let tiler: Tiler = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(tiler.to_string(), written, "{text}");
        assert_eq!(written.parse(), Ok(tiler), "{written}");
    }
    for (text, kind, position) in [
        ("", ErrorKind::Parse, Some(0)),
        ("(4,", ErrorKind::Parse, None),
        ("(4,x)", ErrorKind::Parse, Some(3)),
        ("(4,,5)", ErrorKind::Parse, None),
        ("(4,(5:1,x:1))", ErrorKind::Parse, Some(8)),
        ("0", ErrorKind::Extent, None),
        ("-4", ErrorKind::OutOfDomain, Some(0)),
        ("(4,(2,3):(1))", ErrorKind::Incongruent, Some(9)),
    ] {
        let error = text.parse::<Tiler>().expect_err(text);
        assert_eq!(error.kind(), kind, "{text}: {error}");
        assert!(position.is_none() || error.position() == position, "{text}: {error} at {:?}", error.position());
    }
    let deep = |depth: usize| format!("{}4{}", "(".repeat(depth), ")".repeat(depth));
    assert!(deep(64).parse::<Tiler>().is_ok());
    assert_eq!(deep(65).parse::<Tiler>().map_err(|error| error.kind()), Err(ErrorKind::TooLarge));
    assert!(deep(100_000).parse::<Tiler>().is_err());
}
