//! Layouts and relations in isl's notation.

use super::{QuasiAffine, Relation, Tuple};
use crate::error::Result;
use crate::layout::{Layout, find_modes};
use alloc::{string::String, string::ToString, vec::Vec};

/// The layout mapping as isl reads it: the linear index in, the offset out, one quotient and one remainder for each mode of the coalesced
/// layout.
///
/// ```
/// use razorgirl::relation::isl_text;
///
/// assert_eq!(isl_text(&"(4,2,2):(2,1,8)".parse()?)?, "{ [c] -> [2*(c mod 4) + (floor((c)/4) mod 2) + 8*floor((c)/8)] : 0 <= c < 16 }");
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// # Errors
/// Those of [`QuasiAffine::of_layout`].
pub fn isl_text(layout: &Layout) -> Result<String> {
    Ok(QuasiAffine::of_layout(layout)?.mapping(layout.size()))
}

impl Relation {
    /// As isl reads it: the expression of a layout whose mapping it is, else the pairs one by one.
    ///
    /// ```
    /// use razorgirl::relation::Relation;
    ///
    /// let mapping = Relation::of_layout(&"(2,2):(1,2)".parse()?)?;
    /// assert_eq!(mapping.isl(), "{ [c] -> [c] : 0 <= c < 4 }");
    /// let pairs = Relation::new([(vec![0, 1], vec![7]), (vec![2, 0], vec![-1])])?;
    /// assert_eq!(pairs.isl(), "{ [0,1] -> [7]; [2,0] -> [-1] }");
    /// # Ok::<(), razorgirl::Error>(())
    /// ```
    #[must_use]
    pub fn isl(&self) -> String {
        if let Ok(values) = self.values()
            && values.first() == Some(&0)
            && let Ok(modes) =
                find_modes(values.iter().copied(), |before, entry| i128::from(entry) - i128::from(before))
        {
            let offset = QuasiAffine::of_modes(modes.into_iter().map(|(extent, stride)| (extent as u64, stride)));
            if let Ok(offset) = offset {
                return offset.mapping(values.len() as u64);
            }
        }
        let tuple = |tuple: &Tuple| format!("[{}]", tuple.iter().map(i128::to_string).collect::<Vec<_>>().join(","));
        let pairs: Vec<String> = self.0.iter().map(|(x, y)| format!("{} -> {}", tuple(x), tuple(y))).collect();
        format!("{{ {} }}", pairs.join("; "))
    }
}
