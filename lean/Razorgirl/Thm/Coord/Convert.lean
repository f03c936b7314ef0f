module

public import Razorgirl.Spec.Coord.Convert
public import Razorgirl.Thm.Coord.Nested

@[expose] public section

/-!
# A coordinate of one shape as a coordinate of another: what is proved

It is the coordinate with the same linear index.
-/

namespace Razorgirl

namespace Coord
open HTuple

/-- **A converted coordinate is nested like the new shape and has the linear index that it had in the old one.**
Rust: `razorgirl::Shape::crd2crd`
Source: CuTe `crd2crd` -/
theorem crd2crd_index {c : Coord} {src dst d : IntTuple} (h : crd2crd c src dst = some d) :
    d.profile = dst.profile ∧ crd2idx (map some d) dst = crd2idx c src := by
  rw [crd2crd] at h
  split at h
  · rename_i x hx
    exact ⟨profile_idx2crd h, by rw [crd2idx_idx2crd h, hx]⟩
  · cases h

/-- **A coordinate can be converted exactly where it lies in the old shape and its linear index is below the size of
the new one.**
Rust: `razorgirl::Shape::crd2crd`
Source: CuTe `crd2crd` -/
theorem crd2crd_isSome (c : Coord) (src dst : IntTuple) :
    (crd2crd c src dst).isSome = true ↔ ∃ x, crd2idx c src = some x ∧ x < IntTuple.size dst := by
  rw [crd2crd]
  cases crd2idx c src with
  | none => simp
  | some x => simp [isSome_idx2crd_iff]

/-- **Converted back, a coordinate nested like its shape is what it was.**
Rust: `razorgirl::Shape::crd2crd`
Source: CuTe `crd2crd` -/
theorem crd2crd_crd2crd {c src dst d : IntTuple} (hc : congruent c src = true)
    (h : crd2crd (map some c) src dst = some d) : crd2crd (map some d) dst src = some c := by
  obtain ⟨_, hi⟩ := crd2crd_index h
  rw [crd2crd] at h
  split at h
  · rename_i x hx
    rw [crd2crd, hi, hx]
    exact idx2crd_crd2idx hc hx
  · cases h

end Coord

end Razorgirl
