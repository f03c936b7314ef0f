//! Layouts and relations in isl's notation.

use super::{Relation, Tuple};
use crate::layout::{Layout, find_modes};

/// The layout mapping as isl reads it: the linear index in, the offset out, one quotient and one remainder for each mode of the coalesced
/// layout.
///
/// ```
/// use razorgirl::relation::isl_text;
///
/// assert_eq!(isl_text(&"(4,2,2):(2,1,8)".parse()?), "{ [c] -> [2*(c mod 4) + (floor((c)/4) mod 2) + 8*floor((c)/8)] : 0 <= c < 16 }");
/// # Ok::<(), razorgirl::Error>(())
/// ```
///
/// Lean: `Razorgirl.FlatLayout.expr`
#[must_use]
pub fn isl_text(layout: &Layout) -> String {
    let coalesced = layout.coalesce();
    let modes: Vec<_> = coalesced.modes().iter().map(|mode| (mode.extent(), mode.stride())).collect();
    of_modes(&modes, layout.size())
}

/// Of coalesced modes, extents and strides.
fn of_modes(modes: &[(u64, u64)], size: u64) -> String {
    let mut terms = Vec::new();
    let mut start = 1;
    for (place, (extent, stride)) in modes.iter().copied().enumerate() {
        let last = place + 1 == modes.len();
        if stride > 0 {
            let quotient = if start == 1 { "c".to_owned() } else { format!("floor((c)/{start})") };
            let digit = if last { quotient } else { format!("{quotient} mod {extent}") };
            terms.push(match (stride, last) {
                (1, true) => digit,
                (1, false) => format!("({digit})"),
                (stride, true) => format!("{stride}*{digit}"),
                (stride, false) => format!("{stride}*({digit})"),
            });
        }
        // The product of the extents, below 2^64.
        start *= extent;
    }
    let sum = if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
    format!("{{ [c] -> [{sum}] : 0 <= c < {size} }}")
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
            let modes: Vec<_> = modes.into_iter().map(|(extent, stride)| (extent as u64, stride)).collect();
            return of_modes(&modes, values.len() as u64);
        }
        let tuple = |tuple: &Tuple| format!("[{}]", tuple.iter().map(i128::to_string).collect::<Vec<_>>().join(","));
        let pairs: Vec<String> = self.0.iter().map(|(x, y)| format!("{} -> {}", tuple(x), tuple(y))).collect();
        format!("{{ {} }}", pairs.join("; "))
    }
}
