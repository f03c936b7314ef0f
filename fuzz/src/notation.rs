//! CuTe notation: whatever is read is written and read again as the same thing, and nothing panics.

use razorgirl::iter_domain::Schedule;
use razorgirl::{Coord, CoordLayout, IntTuple, Layout, Profile, Shape, SwizzledLayout, Tiler};
use razorgirl_protocol::{Call, Mode, ops, split};
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// A text of any of the notations, or of the arguments of an operation: its name, a space, and the arguments after commas.
pub fn notation(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    again::<Layout>(text);
    again::<IntTuple>(text);
    again::<Coord>(text);
    again::<Shape>(text);
    again::<Profile>(text);
    again::<Tiler>(text);
    again::<SwizzledLayout>(text);
    again::<CoordLayout>(text);
    again::<Schedule>(text);
    let Some((name, arguments)) = text.split_once(' ') else { return };
    if !ops().iter().any(|op| op.name == name) {
        return;
    }
    let arguments = split(arguments, ',');
    for mode in [Mode::Strict, Mode::Complete, Mode::Containing] {
        let Ok(call) = Call::from_notation(name, &arguments, mode) else { continue };
        let json = call.to_json().to_string();
        let read = Call::read(&json).unwrap_or_else(|refusal| panic!("{call}: {json} is refused: {refusal:?}"));
        assert_eq!(read.to_json().to_string(), json, "{call}");
        assert_eq!(read.to_string(), call.to_string());
    }
}

/// Some of these have no equality: what they are is what `Debug` shows.
fn again<T: FromStr<Err: Debug> + Display + Debug>(text: &str) {
    let Ok(value) = text.parse::<T>() else { return };
    let written = value.to_string();
    match written.parse::<T>() {
        Ok(read) => assert_eq!(format!("{read:?}"), format!("{value:?}"), "{text} was written as {written}"),
        Err(error) => panic!("{text} was written as {written}, which is refused: {error:?}"),
    }
}
