module

public import Razorgirl.Thm.Bank.Optimal

@[expose] public section

/-!
# The constructed layout takes one wavefront a phase

From ranks to the words that are touched.
-/

namespace Razorgirl

namespace Bank

open F2

/-- **In the constructed layout of elements of 2^w bytes, of at least 128 bytes together, a phase of either pattern takes one
wavefront, by definition: each lane reads the vector of 4 to 16 bytes that holds its element.**
Source: «Linear Layouts» (arXiv 2505.23819), optimal swizzling -/
theorem optimal_wavefronts {d w : Nat} {V first second T : List Nat} (hV : Indep V) (hD : 2 ≤ w + V.length)
    (hD' : w + V.length ≤ 4) (hk : 7 - w ≤ d) (h₁ : rank (first ++ V) ≤ 7 - w) (h₂ : rank (second ++ V) ≤ 7 - w)
    (b₁ : ∀ c ∈ first ++ V, c < 2 ^ d) (b₂ : ∀ c ∈ second ++ V, c < 2 ^ d) (hT : T = first ∨ T = second) :
    phase (2 ^ (w + V.length)) (lanes (T.map fun c =>
      2 ^ (w + V.length) * (coordinates (optimal d (7 - w) V first second) c / 2 ^ V.length))) = 1 := by
  have m : min (7 - w) d = 7 - w := Nat.min_eq_left hk
  have free := optimal_conflict_free (T := T) hV (by rw [m]; exact h₁) (by rw [m]; exact h₂) b₁ b₂ hT
  rw [m] at free
  generalize coordinates (optimal d (7 - w) V first second) = L at *
  have b := bank_formula_bytes (T.map fun c => 2 ^ (w + V.length) * (L c / 2 ^ V.length)) 0 0 (w + V.length)
    (w + V.length) (by omega) hD' (Nat.zero_mod _) (fun c hc => by
      obtain ⟨x, _, rfl⟩ := List.mem_map.1 hc
      exact Nat.mul_mod_right _ _) (Nat.zero_mod _)
  simp only [Nat.xor_zero, Nat.zero_add, List.map_id', List.map_map, Function.comp_def,
    Nat.mul_div_cancel_left _ (Nat.two_pow_pos (w + V.length))] at b
  simp only [List.map_map, Function.comp_def] at free
  rw [b, show 7 - (w + V.length) = 7 - w - V.length by omega, ← free, Nat.sub_self, Nat.pow_zero]

end Bank

end Razorgirl
