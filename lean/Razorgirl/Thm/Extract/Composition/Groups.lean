module

public import Razorgirl.Extract.Composition
public import Razorgirl.Thm.Layout.Coalesce

@[expose] public section

/-! # The groups of a composition make the composite -/

namespace Razorgirl.Extract
open FlatLayout

/-- Groups that are coalesced already make the same layout. -/
theorem assemble_coalesce (p : Profile) (gs : List FlatLayout) :
    Layout.assemble p (gs.map FlatLayout.coalesce) = Layout.assemble p gs := by
  simp only [Layout.assemble, List.map_map, Function.comp_def, FlatLayout.coalesce_idempotent]

/-- **The composite is made of the groups that the extracted `composition` returns, each put where B has a mode.**
Source: `Razorgirl.Layout.composition` -/
theorem composition_eq_groups (A B : Layout) :
    Layout.composition A B = (compositionGroups A.modes B.modes).map (Layout.assemble B.profile) := by
  rw [Layout.composition, compositionGroups, Layout.size]
  split
  · cases digitComposition (shape (FlatLayout.coalesce A.modes)) B.modes with
    | none => rfl
    | some ps =>
      simp only [Option.map_some, Option.some.injEq]
      rw [← assemble_coalesce, List.map_map]
      rfl
  · rfl

/-- The groups depend on the function of A alone. -/
theorem compositionGroups_coalesce {A A' : FlatLayout} (h : FlatLayout.coalesce A = FlatLayout.coalesce A') (B : FlatLayout) :
    compositionGroups A B = compositionGroups A' B := by
  have hs : FlatLayout.size A = FlatLayout.size A' := by rw [← coalesce_size A, h, coalesce_size]
  rw [compositionGroups, compositionGroups, h, hs]

end Razorgirl.Extract
