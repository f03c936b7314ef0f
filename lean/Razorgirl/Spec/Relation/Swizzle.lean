module

public import Razorgirl.Spec.Relation.Basic
public import Razorgirl.Spec.Swizzle.Layout

@[expose] public section

/-!
# Swizzles as relations
-/

namespace Razorgirl

/-- What a swizzle does to the numbers of `k` bits. -/
def Swizzle.relation (s : Swizzle) (k : Nat) : Relation := Relation.graph (2 ^ k) s.apply

/-- The pairs of linear index and offset of a swizzled layout.
Rust: `razorgirl::relation::Relation::of_swizzled` -/
def SwizzledLayout.relation (R : SwizzledLayout) : Relation := Relation.graph R.size R.atIndex

end Razorgirl
