//! One leaf of a layout.

/// An extent with its stride: the function `i ↦ stride·i` on `[0, extent)`.
///
/// A mode by itself is a pair of numbers; it is checked when it becomes part of a [`Layout`](crate::Layout). The functions
/// that come out of Lean have the same type, so that the modes of a layout are theirs as they lie.
///
/// ```
/// use razorgirl::Mode;
///
/// assert_eq!(Mode::new(4, 8).to_string(), "4:8");
/// ```
///
/// Lean: `Razorgirl.Mode`
pub type Mode = razorgirl_extracted::Mode;
