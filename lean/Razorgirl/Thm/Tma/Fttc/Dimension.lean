module

public import Razorgirl.Spec.Tma.Fttc
public import Razorgirl.Thm.Tma.Basic

@[expose] public section

/-!
# The fundamental theorem in one dimension

The source's chain of equations from «one tile holds a valid item and a hole inside the tensor» to the condition on
sizes, and its companion on holes inside the tensor in any tile.
-/

namespace Razorgirl

namespace Tma

theorem fttc_iff (S B e : Nat) : fttc S B e = true ↔ e < B ∧ ¬ e ∣ B ∧ B < S := by
  simp only [fttc, Bool.and_eq_true, decide_eq_true_eq, Nat.dvd_iff_mod_eq_zero, ne_eq, and_assoc]

section
variable {S B e : Nat}

/-- **Equations 1 to 4: it suffices to look at the first box.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC), eq. 1 to eq. 4 -/
theorem mixed_iff_first_box (hS : 0 < S) (hB : 0 < B) : Mixed S B e ↔ ∃ s t₁ t₂ : Int,
    (0 ≤ s ∧ s < e) ∧ (0 ≤ t₁ ∧ t₁ < Division.ceilDiv B e) ∧ (0 ≤ t₂ ∧ t₂ < Division.ceilDiv B e) ∧
    t₁ * e + s < B ∧ B ≤ t₂ * e + s ∧ t₁ * e + s < S ∧ t₂ * e + s < S := by
  constructor
  · rintro ⟨s, c, t₁, t₂, hs, hc, h₁, h₂, h₃, h₄, h₅, h₆⟩
    have := Int.mul_nonneg hc.1 (Int.natCast_nonneg B)
    exact ⟨s, t₁, t₂, hs, h₁, h₂, h₅.2, h₆, by omega, by omega⟩
  · rintro ⟨s, t₁, t₂, hs, h₁, h₂, h₃, h₄, h₅, h₆⟩
    have := Int.mul_nonneg h₁.1 (Int.natCast_nonneg e)
    have := Int.mul_nonneg h₂.1 (Int.natCast_nonneg e)
    have := Division.ceilDiv_pos hS hB
    exact ⟨s, 0, t₁, t₂, hs, ⟨Int.le_refl _, by omega⟩, h₁, h₂, by omega, by omega, by omega, h₄⟩

/-- **Equations 4 to 8: it suffices to look for the hole, in a tile whose first item is valid.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC), eq. 4 to eq. 8 -/
theorem first_box_iff_hole (hB : 0 < B) (he : 0 < e) : (∃ s t₁ t₂ : Int,
    (0 ≤ s ∧ s < e) ∧ (0 ≤ t₁ ∧ t₁ < Division.ceilDiv B e) ∧ (0 ≤ t₂ ∧ t₂ < Division.ceilDiv B e) ∧
    t₁ * e + s < B ∧ B ≤ t₂ * e + s ∧ t₁ * e + s < S ∧ t₂ * e + s < S) ↔
    B < S ∧ ∃ t₂ : Int, (0 < t₂ ∧ t₂ < Division.ceilDiv B e) ∧ t₂ * e < S ∧ (B : Int) - e < t₂ * e := by
  constructor
  · rintro ⟨s, t₁, t₂, hs, h₁, h₂, h₃, h₄, h₅, h₆⟩
    refine ⟨by omega, t₂, ⟨?_, h₂.2⟩, by omega, by omega⟩
    have := Int.mul_nonneg h₁.1 (Int.natCast_nonneg e)
    by_cases h0 : t₂ = 0
    · subst h0; omega
    · omega
  · rintro ⟨hBS, t₂, ht, h₁, h₂⟩
    have h0 : (0 : Int) < t₂ * e := Int.mul_pos ht.1 (by omega)
    refine ⟨max 0 (B - t₂ * e), 0, t₂, ⟨by omega, by omega⟩, ⟨Int.le_refl _, ?_⟩, ⟨by omega, ht.2⟩, ?_, ?_, ?_, ?_⟩
    · have := Division.ceilDiv_pos hB he
      omega
    all_goals omega

/-- **Equations 8 to 12: the hole is the last item of the tile.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC), eq. 8 to eq. 12 -/
theorem hole_iff_last (he : 0 < e) :
    (B < S ∧ ∃ t₂ : Int, (0 < t₂ ∧ t₂ < Division.ceilDiv B e) ∧ t₂ * e < S ∧ (B : Int) - e < t₂ * e) ↔
    B < S ∧ ¬ e ∣ B ∧ 2 ≤ Division.ceilDiv B e ∧ e * (Division.ceilDiv B e - 1) < S := by
  refine and_congr_right fun hBS => ?_
  have key (k : Nat) := Division.lt_ceilDiv_iff he k B
  constructor
  · rintro ⟨t₂, ht, h₁, h₂⟩
    obtain ⟨t, rfl⟩ : ∃ t : Nat, t₂ = t := ⟨t₂.toNat, by omega⟩
    have htB : t * e < B := (key t).1 (by omega)
    have htS : t * e < S := by exact_mod_cast h₁
    have hlast : B < t * e + e := by
      have : (B : Int) - e < (t * e : Nat) := by exact_mod_cast h₂
      omega
    have hceil : Division.ceilDiv B e = t + 1 := by
      have : ¬ t + 1 < Division.ceilDiv B e := by rw [key, Nat.add_mul]; omega
      omega
    refine ⟨?_, by omega, ?_⟩
    · rintro ⟨m, rfl⟩
      rw [Nat.mul_comm] at htB
      have h₃ : t < m := Nat.lt_of_mul_lt_mul_left htB
      have : e * (t + 1) ≤ e * m := Nat.mul_le_mul_left _ h₃
      rw [Nat.mul_add, Nat.mul_comm e t] at this
      omega
    · rw [hceil, Nat.add_sub_cancel, Nat.mul_comm]
      exact htS
  · rintro ⟨hd, h2, hS⟩
    obtain ⟨t, ht⟩ : ∃ t, Division.ceilDiv B e = t + 1 := ⟨Division.ceilDiv B e - 1, by omega⟩
    rw [ht, Nat.add_sub_cancel, Nat.mul_comm] at hS
    have hnot := key (t + 1)
    rw [ht, Nat.add_mul] at hnot
    have hlt : B < t * e + e := by
      refine Nat.lt_of_le_of_ne (by omega) fun h => hd ⟨t + 1, ?_⟩
      rw [h, Nat.mul_comm, Nat.mul_add, Nat.mul_one]
    refine ⟨t, by omega, by exact_mod_cast hS, ?_⟩
    have : (B : Int) - e < (t * e : Nat) := by omega
    exact_mod_cast this

/-- **Equation 12 to the condition: element stride below the box, not dividing it, and the box below the tensor.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC), eq. 12 -/
theorem last_iff_fttc (he : 0 < e) :
    (B < S ∧ ¬ e ∣ B ∧ 2 ≤ Division.ceilDiv B e ∧ e * (Division.ceilDiv B e - 1) < S) ↔ fttc S B e = true := by
  rw [fttc_iff]
  have h1 := Division.lt_ceilDiv_iff he 1 B
  rw [Nat.one_mul] at h1
  constructor
  · rintro ⟨hBS, hd, h2, -⟩
    exact ⟨h1.1 h2, hd, hBS⟩
  · rintro ⟨heB, hd, hBS⟩
    have h2 := h1.2 heB
    refine ⟨hBS, hd, h2, ?_⟩
    have := (Division.lt_ceilDiv_iff he (Division.ceilDiv B e - 1) B).1 (by omega)
    rw [Nat.mul_comm] at this
    omega

/-- **One dimension: some tile holds both a valid item and a hole inside the tensor exactly when the element stride is
below the box and does not divide it, and the box is smaller than the tensor.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC) -/
theorem mixed_iff_fttc (hS : 0 < S) (hB : 0 < B) (he : 0 < e) : Mixed S B e ↔ fttc S B e = true :=
  (mixed_iff_first_box hS hB).trans ((first_box_iff_hole hB he).trans ((hole_iff_last he).trans (last_iff_fttc he)))

/-- **Some tile of a dimension has a hole inside the tensor exactly when the element stride does not divide the box and
the box is smaller than the tensor.** The fundamental theorem adds that such a tile may have two items, `e < B`.
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC), companion -/
theorem hole_within_iff (hS : 0 < S) (hB : 0 < B) (he : 0 < e) :
    (∃ c s t, c < Division.ceilDiv S B ∧ s < e ∧ t < Division.ceilDiv B e ∧ B ≤ t * e + s ∧ c * B + (t * e + s) < S) ↔
      ¬ e ∣ B ∧ B < S := by
  constructor
  · rintro ⟨c, s, t, -, hs, ht, h₁, h₂⟩
    rw [Division.lt_ceilDiv_iff he] at ht
    refine ⟨?_, by omega⟩
    rintro ⟨m, rfl⟩
    rw [Nat.mul_comm] at ht
    have h₃ : t < m := Nat.lt_of_mul_lt_mul_left ht
    have : e * (t + 1) ≤ e * m := Nat.mul_le_mul_left _ h₃
    rw [Nat.mul_add, Nat.mul_comm e t] at this
    omega
  · rintro ⟨hd, hBS⟩
    have hm := Nat.div_add_mod B e
    have hpos : B % e ≠ 0 := fun h => hd (Nat.dvd_of_mod_eq_zero h)
    have hmul := Nat.mul_comm e (B / e)
    refine ⟨0, B % e, B / e, Division.ceilDiv_pos hS hB, Nat.mod_lt _ he, ?_, by omega, by omega⟩
    rw [Division.lt_ceilDiv_iff he]
    omega

end

end Tma

end Razorgirl
