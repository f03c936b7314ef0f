//! Fewest modes.

use crate::ops::answer;
use crate::table::{Op, form};

pub(in crate::ops) const ROWS: &[Op] = &[Op {
    name: "coalesce",
    meaning: "the fewest modes with the same function",
    notes: "with a profile: at each leaf of the profile; further modes do not change",
    forms: &[
        form!(_; L: Layout => answer(L.coalesce())),
        form!(_; L: Layout, profile: Profile => answer(L.coalesce_by(profile)?)),
    ],
    also: &["coord_coalesce"],
    lean: &["Razorgirl.Layout.coalesce", "Razorgirl.Layout.coalesceBy"],
    cute: Some("coalesce"),
    example: (&["(2,(1,6)):(1,(6,2))"], "12:1"),
    ..Op::PLAIN
}];
