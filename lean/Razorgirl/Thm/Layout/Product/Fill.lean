module

public import Razorgirl.Thm.Layout.Product.Shape

@[expose] public section

/-!
# What a block repeated to a shape answers: what is proved

`tile_to_shape` repeats a block until it fills a shape. Here is the offset at each coordinate.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout Layout.Aux

/-- **A block repeated to a shape, at (place in the block, copy) in each mode, is the block at that place, moved to where that
copy starts: the copies are numbered by the order, and start upwards from 0 wherever the block leaves room.**
Rust: `razorgirl::Layout::tile_to_shape`
Source: CuTe `tile_to_shape` -/
theorem tileToShape_call {A B : Layout} {shape order : IntTuple} (hA : A.Valid) (hs : IntTuple.Positive shape)
    (h : tileToShape A shape order = some B) :
    ∃ T C, fillers A shape order = some T ∧ origins A T = some C ∧
      ∀ as ts x n, as.length = max A.rank T.rank → ts.length = max A.rank T.rank →
        (padModes (max A.rank T.rank) A).call (.node as) = some x →
        (padModes (max A.rank T.rank) T).call (.node ts) = some n →
        B.call (.node (pairCoords as ts)) = some (x + atIndex C.modes n) := by
  obtain ⟨T, R, K, hT, hi⟩ := tileToShape_parts hA hs h
  have hTv := (fillers_valid hs hT).1
  have hprod : (logicalProduct A T).isSome = true := by
    obtain ⟨T', hT', hp⟩ := (tileToShape_isSome_iff hA hs).1 (by rw [h]; rfl)
    obtain rfl := Option.some.inj (hT.symm.trans hT')
    exact hp
  have hor : ∃ C, origins A T = some C := by
    rw [logicalProduct, productWith] at hprod
    cases hC : origins A T with
    | none => simp [hC] at hprod
    | some C => exact ⟨C, rfl⟩
  obtain ⟨C, hC⟩ := hor
  exact ⟨T, C, hT, hC, fun as ts x n ha ht hx hn => (interleaved_call_eq hA hTv hi hC ha ht hx hn).1⟩

end Layout

end Razorgirl
