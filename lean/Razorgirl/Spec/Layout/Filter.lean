module

public import Razorgirl.Spec.Layout.Coalesce

@[expose] public section

/-!
# Filter

Removes what does not move the offset: modes of stride 0 and of extent 1. The function of the linear index
changes, the image does not. CuTe `filter_zeros`, `filter`; CuTe filters before it complements or inverts.
-/

namespace Razorgirl

namespace FlatLayout

/-- Extent 1 for a mode of stride 0. -/
def filterZero (m : Mode) : Mode := if m.stride = 0 then ⟨1, 0⟩ else m

/-- Extent 1 wherever the stride is 0: `[4:0, 2:1] ↦ [1:0, 2:1]`. -/
def filterZeros (L : FlatLayout) : FlatLayout := L.map filterZero

/-- Without modes of stride 0 and of extent 1, coalesced: `[4:0, 2:1, 3:2] ↦ [6:1]`. -/
def filter (L : FlatLayout) : FlatLayout := coalesce (filterZeros L)

/-- The two coordinates agree in every mode whose stride is not 0. -/
def AgreeWhereMoving : FlatLayout → (c c' : List Nat) → Prop
  | m :: L, x :: c, y :: c' => (m.stride ≠ 0 → x = y) ∧ AgreeWhereMoving L c c'
  | _, _, _ => True

end FlatLayout

namespace Layout

/-- Extent 1 wherever the stride is 0, same nesting. CuTe `filter_zeros(L)`.
Rust: `razorgirl::Layout::filter_zeros` -/
def filterZeros (L : Layout) : Layout := ⟨FlatLayout.filterZeros L.modes, L.profile⟩

/-- `filterZeros`, then `coalesce`. CuTe `filter(L)`.
Rust: `razorgirl::Layout::filter` -/
def filter (L : Layout) : Layout := (FlatLayout.filter L.modes).nest

/-- The nested view of `filter`. -/
def filterTree (t : HTuple Mode) : HTuple Mode := (FlatLayout.filter t.flatten).nest.tree

/-- Filters at each leaf of `target`, further modes untouched. CuTe `filter(L, profile)`.
Rust: `razorgirl::Layout::filter_by` -/
def filterBy (target : Profile) (L : Layout) : Option Layout :=
  (mapAt filterTree target L.tree).map ofTree

end Layout

end Razorgirl
