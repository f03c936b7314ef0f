//! The JSON form of the protocol.
#![cfg(feature = "serde")]

use razorgirl::{Coord, IntTuple, Layout, Profile, Shape, Tiler};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn both<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T, json: &str) {
    assert_eq!(serde_json::to_string(value).as_deref().ok(), Some(json));
    assert_eq!(serde_json::from_str::<T>(json).ok().as_ref(), Some(value), "{json}");
}

#[test]
fn there_and_back() -> razorgirl::Result<()> {
    both::<Layout>(&"((4,2),8):((1,4),16)".parse()?, r#"{"shape":[[4,2],8],"stride":[[1,4],16]}"#);
    both::<Layout>(&"8:1".parse()?, r#"{"shape":8,"stride":1}"#);
    both::<Layout>(&"():()".parse()?, r#"{"shape":[],"stride":[]}"#);
    both::<Shape>(&"((4),2)".parse()?, "[[4],2]");
    both::<IntTuple>(&"(0,18446744073709551615)".parse()?, "[0,18446744073709551615]");
    both::<Coord>(&"((_,2),5)".parse()?, "[[null,2],5]");
    both::<Profile>(&"((*,*),*)".parse()?, "[[0,0],0]");
    both::<Tiler>(
        &"(4,_,((2,4):(1,8),2))".parse()?,
        r#"[{"shape":4,"stride":1},null,[{"shape":[2,4],"stride":[1,8]},{"shape":2,"stride":1}]]"#,
    );
    assert_eq!(serde_json::from_str::<Tiler>("[4,null]").ok(), Some("(4,_)".parse()?));
    Ok(())
}

#[test]
fn what_is_no_layout_is_refused() {
    for json in [
        "7",
        "{}",
        r#"{"shape":[4,2],"stride":1}"#,
        r#"{"shape":[4,0],"stride":[1,1]}"#,
        r#"{"shape":[4,-1],"stride":[1,1]}"#,
        r#"{"shape":[4,null],"stride":[1,1]}"#,
        r#"{"shape":[4,1.5],"stride":[1,1]}"#,
        r#"{"shape":18446744073709551615,"stride":2}"#,
    ] {
        assert!(serde_json::from_str::<Layout>(json).is_err(), "{json}");
    }
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    for (depth, read) in [(64, true), (65, false), (100, false)] {
        assert_eq!(serde_json::from_str::<IntTuple>(&deep(depth)).is_ok(), read, "{depth}");
        assert_eq!(serde_json::from_str::<Tiler>(&deep(depth)).is_ok(), read, "{depth}");
    }
}
