module

public import Razorgirl.Spec.Layout.Inverse

@[expose] public section

/-!
# What two layouts have in common

The coordinates that two layouts both map to `0, 1, 2, …`; CuTe `max_common_layout`, `max_common_vector`. Their right
inverses say where these offsets come from, so the common part is how these begin alike. CuTe composes one layout with
the right inverse of the other instead, which is not symmetric and does not exist where strides do not divide.
-/

namespace Razorgirl

namespace FlatLayout

/-- The leading modes of both; at the first difference with equal strides, the smaller extent. -/
def leading : FlatLayout → FlatLayout → FlatLayout
  | m :: A, n :: B =>
    if m.stride = n.stride then
      if m.extent = n.extent then m :: leading A B else [⟨min m.extent n.extent, m.stride⟩]
    else []
  | _, _ => []

/-- How the right inverses of both begin alike. -/
def maxCommonLayout (a b : FlatLayout) : FlatLayout := leading (rightInverse a) (rightInverse b)

end FlatLayout

namespace Layout

/-- CuTe `max_common_layout(a, b)`.
Rust: `razorgirl::Layout::max_common_layout` -/
def maxCommonLayout (a b : Layout) : Layout := (FlatLayout.maxCommonLayout a.modes b.modes).nest

/-- How many elements that is. CuTe `max_common_vector(a, b)`.
Rust: `razorgirl::Layout::max_common_vector` -/
def maxCommonVector (a b : Layout) : Nat := (maxCommonLayout a b).size

end Layout

/-! ## Worked examples -/

/-- A column-major and a padded tile agree on the first column; row-major and column-major on one element. -/
example : FlatLayout.maxCommonLayout [⟨4, 1⟩, ⟨8, 4⟩] [⟨4, 1⟩, ⟨8, 8⟩] = [⟨4, 1⟩] ∧
    FlatLayout.maxCommonLayout [⟨4, 1⟩, ⟨4, 4⟩] [⟨4, 4⟩, ⟨4, 1⟩] = [] := by decide +kernel
/-- 5 does not divide 8, and CuTe stops. -/
example : FlatLayout.maxCommonLayout [⟨5, 1⟩] [⟨8, 1⟩] = [⟨5, 1⟩] := by decide +kernel

end Razorgirl
