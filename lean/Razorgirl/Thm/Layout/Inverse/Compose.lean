module

public import Razorgirl.Thm.Layout.Compact
public import Razorgirl.Thm.Layout.Composition.Laws
public import Razorgirl.Thm.Layout.Inverse

@[expose] public section

/-! # A layout after its right inverse -/

namespace Razorgirl.Layout
open HTuple FlatLayout

/-- **A layout after its right inverse counts: the composite exists, and coalesced it is `n:1`, where `n` is the size of the
right inverse (`1:0` for 1).**
Rust: `razorgirl::Layout::right_inverse`
Source: Cecka (arXiv 2603.02298), right inverse; CuTe `right_inverse` -/
theorem exists_composition_rightInverse {L : Layout} (hL : L.Valid) :
    ∃ R, compositionComplete L (rightInverse L) = some R ∧
      coalesce R = coalesce ⟨[⟨(rightInverse L).size, 1⟩], .leaf ()⟩ := by
  have hI := rightInverse_valid L
  have hp := positive_shape hI.1
  have hn : 0 < (rightInverse L).size := hI.1.2.size_pos
  have hC : (⟨[⟨(rightInverse L).size, 1⟩], .leaf ()⟩ : Layout).Valid := ⟨rfl, hn, trivial⟩
  have hz : (rightInverse L).size = FlatLayout.size (FlatLayout.rightInverse L.modes) := size_nest _
  have hw : WeakComposite L (rightInverse L) (columnMajor (rightInverse L).shape) := by
    refine ⟨columnMajor_valid hp, ?_, fun x hx => ?_⟩
    · rw [columnMajor_shape]
      exact IntTuple.refines_refl _
    · have h1 := FlatLayout.rightInverse_finds hL.2 (x := x) (by rwa [hz] at hx)
      rw [rightInverse, atIndex_nest, h1.2]
      rw [← rightInverse, columnMajor_atIndex (by rwa [size_shape hI.1])]
      exact ⟨h1.1, rfl⟩
  obtain ⟨R, h1, h2⟩ := isComposite_of_weak hw
  refine ⟨R, (compositionComplete_eq_some_iff hI.1).2 h2, ?_⟩
  rw [coalesce_eq_iff h2.1 hC, offsets_eq_iff]
  have hs := isComposite_size hI.1 h2
  have e : FlatLayout.size [(⟨(rightInverse L).size, 1⟩ : Mode)] = (rightInverse L).size := by
    simp [FlatLayout.size, FlatLayout.shape, prod]
  refine ⟨hs.trans e.symm, fun x hx => ?_⟩
  have hx' : x < (rightInverse L).size := by rw [← hs]; exact hx
  rw [coalesceBy_atIndex hw.1 h1, columnMajor_atIndex (by rwa [size_shape hI.1]), atIndex_singleton,
    Nat.mod_eq_of_lt hx', Nat.mul_one]

end Razorgirl.Layout
