module

public import Razorgirl.Thm.Int.Ceil
public import Razorgirl.Thm.Int.Trunc

@[expose] public section

/-!
# The divisions side by side

Section 3 of nvFuser's document: where the implementations agree, and what all of them have in common. Division
rounded down, as Python and PyTorch have it, is `Int.fdiv` and `Int.fmod` of Lean's library.
-/

namespace Razorgirl.Division

/-- **For a dividend of at least 0 and a positive divisor, Euclidean, truncating and rounding-down division are the
same.**
The source says «all implementations»; rounding up is none of them, see `Counterexamples`.
Source: nvFuser integer division, section 3 (repaired: `cdiv_ne_ediv`) -/
theorem implementations_agree {a b : Int} (ha : 0 ≤ a) (hb : 0 < b) :
    (a.tdiv b = a / b ∧ a.tmod b = a % b) ∧ (a.fdiv b = a / b ∧ a.fmod b = a % b) :=
  ⟨⟨Int.tdiv_eq_ediv_of_nonneg ha, Int.tmod_eq_emod_of_nonneg ha⟩, Int.fdiv_eq_ediv_of_nonneg a (by omega),
    by rw [Int.fmod_def, Int.fdiv_eq_ediv_of_nonneg a (by omega), Int.emod_def]⟩

theorem natAbs_fmod_lt (a : Int) {b : Int} (hb : b ≠ 0) : (a.fmod b).natAbs < b.natAbs := by
  have e : a.fmod b = -cmod (-a) b := by
    rw [Int.fmod_def, cmod, cdiv, Int.neg_neg, Int.mul_neg]
    omega
  have h := isCeil_cdiv (a := -a) hb
  rcases Int.lt_or_gt_of_ne hb with hb | hb
  · have := h.2.2 hb; omega
  · have := h.2.1 hb; omega

/-- **Whichever way one divides, the remainder is smaller in size than the divisor.**
Source: nvFuser integer division, section 3 -/
theorem natAbs_remainder_lt (a : Int) {b : Int} (hb : b ≠ 0) :
    (a % b).natAbs < b.natAbs ∧ (a.tmod b).natAbs < b.natAbs ∧ (a.fmod b).natAbs < b.natAbs ∧
      (cmod a b).natAbs < b.natAbs := by
  refine ⟨?_, ?_, natAbs_fmod_lt a hb, ?_⟩
  · have := Int.emod_nonneg a hb
    have := Int.emod_lt a hb
    omega
  · have h := isTrunc_tdiv (a := a) hb
    by_cases ha : 0 ≤ a
    · have := h.2.1 ha; omega
    · have := h.2.2 (by omega); omega
  · have h := isCeil_cdiv (a := a) hb
    rcases Int.lt_or_gt_of_ne hb with hb | hb
    · have := h.2.2 hb; omega
    · have := h.2.1 hb; omega

theorem ediv_le_ediv_of_neg {a a' d : Int} (hd : d < 0) (h : a ≤ a') : a' / d ≤ a / d := by
  have := Int.ediv_le_ediv (c := -d) (by omega) h
  rw [Int.ediv_neg, Int.ediv_neg] at this
  omega

theorem fdiv_le_fdiv {a a' d : Int} (hd : 0 < d) (h : a ≤ a') : a.fdiv d ≤ a'.fdiv d := by
  rw [Int.fdiv_eq_ediv_of_nonneg _ (by omega), Int.fdiv_eq_ediv_of_nonneg _ (by omega)]
  exact Int.ediv_le_ediv hd h

/-- **Dividing by a positive number keeps the order, whichever way one divides.**
Source: nvFuser integer division, section 3 -/
theorem quotient_mono {a a' d : Int} (hd : 0 < d) (h : a ≤ a') :
    a / d ≤ a' / d ∧ a.tdiv d ≤ a'.tdiv d ∧ a.fdiv d ≤ a'.fdiv d ∧ cdiv a d ≤ cdiv a' d := by
  refine ⟨Int.ediv_le_ediv hd h, Int.tdiv_le_tdiv hd h, fdiv_le_fdiv hd h, ?_⟩
  have := fdiv_le_fdiv (a := -a') (a' := -a) hd (by omega)
  rw [cdiv, cdiv]
  omega

/-- **Dividing by a negative number turns the order around, whichever way one divides.**
Source: nvFuser integer division, section 3 -/
theorem quotient_antitone {a a' d : Int} (hd : d < 0) (h : a ≤ a') :
    a' / d ≤ a / d ∧ a'.tdiv d ≤ a.tdiv d ∧ a'.fdiv d ≤ a.fdiv d ∧ cdiv a' d ≤ cdiv a d := by
  obtain ⟨_, h1, h2, h3⟩ := quotient_mono (d := -d) (a := -a') (a' := -a) (by omega) (by omega)
  rw [Int.neg_tdiv, Int.neg_tdiv, Int.tdiv_neg, Int.tdiv_neg] at h1
  rw [Int.neg_fdiv_neg, Int.neg_fdiv_neg] at h2
  rw [cdiv_neg_neg, cdiv_neg_neg] at h3
  exact ⟨ediv_le_ediv_of_neg hd h, by omega, h2, h3⟩

end Razorgirl.Division
