module

public import Razorgirl.Thm.Tma.Fttc

@[expose] public section

/-!
# Weak correctness, and the levels of a schedule

What may be left out of a load without spoiling a valid item (the part of the source's Theorem 1 that is true), when
loading every tile is already strongly correct, and what `level` means. The source's levels ask whether the inputs that
create holes are protected; `level` asks what the element strides and boxes alone decide.
-/

namespace Razorgirl

namespace Tma

/-! ## Weak correctness -/

/-- **A load is weakly correct, whatever shared memory held before, exactly when it issues every tile that has a valid
item; tiles of holes alone may be skipped.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 1 (repaired: `store_counterexample`, of loads, and of predicates that skip no valid item) -/
theorem weaklyCorrect_iff {D : Descriptor} {issue : (c s : List Nat) → Bool} :
    WeaklyCorrect D issue ↔ ∀ c s t, InBounds (grid D) c → InBounds (phases D) s → InBounds (tileShape D) t →
      valid D c s t = true → issue c s = true := by
  constructor
  · intro h c s t hc hs ht hv
    have := h (fun _ => 0) (fun _ _ _ => 1) c s t hc hs ht hv
    cases hi : issue c s with
    | true => rfl
    | false => rw [hi, if_neg (by simp), datum] at this; simp at this
  · intro h mem before c s t hc hs ht hv
    rw [if_pos (h c s t hc hs ht hv), loadItem, if_pos (within_of_valid hc hs ht hv), datum]

/-- **Loading every tile is weakly correct, whatever the boxes and element strides.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 1 (repaired: `store_counterexample`, of loads that are not predicated) -/
theorem weaklyCorrect_always (D : Descriptor) : WeaklyCorrect D fun _ _ => true :=
  weaklyCorrect_iff.2 fun _ _ _ _ _ _ _ => rfl

/-- **The predicate of level 2 skips no valid item: it is weakly correct at every level.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA lowering strategy, level 2 -/
theorem weaklyCorrect_issues (D : Descriptor) : WeaklyCorrect D fun _ s => issues D s :=
  weaklyCorrect_iff.2 fun _ _ _ hc hs ht hv => issues_of_valid hc hs ht hv

/-! ## Without a predicate -/

/-- A tile with a hole inside the tensor, where the stride does not divide a box that is smaller than the tensor. -/
theorem hole_tile : {D : Descriptor} → Valid D →
    (∃ d ∈ D, ¬ d.elementStride ∣ d.box ∧ d.box < d.size) → ∃ c s t,
    InBounds (grid D) c ∧ InBounds (phases D) s ∧ InBounds (tileShape D) t ∧ valid D c s t = false ∧
      within D (position D (tileStart D c s) t) = true
  | [], _, h => by simp at h
  | d :: D, hD, h => by
    have hd := hD.1
    by_cases hv : ¬ d.elementStride ∣ d.box ∧ d.box < d.size
    · obtain ⟨c₀, s₀, t₀, hc₀, hs₀, ht₀, h₁, h₂⟩ := (hole_within_iff hd.1 hd.2.1 hd.2.2).2 hv
      obtain ⟨c, s, t, hc, hs, ht, hvalid⟩ := origin_valid hD.2
      refine ⟨c₀ :: c, s₀ :: s, t₀ :: t, ⟨hc₀, hc⟩, ⟨hs₀, hs⟩, ⟨ht₀, ht⟩, ?_, ?_⟩
      · simp only [valid, Bool.and_eq_false_iff, decide_eq_false_iff_not]
        exact Or.inl (Or.inl (by omega))
      · exact within_tile_cons.2 ⟨h₂, within_of_valid hc hs ht hvalid⟩
    · obtain ⟨d', hd', hv'⟩ := h
      have hmem : d' ∈ D := by
        rcases List.mem_cons.1 hd' with rfl | h'
        · exact absurd hv' hv
        · exact h'
      obtain ⟨c, s, t, hc, hs, ht, hvalid, hw⟩ := hole_tile hD.2 ⟨d', hmem, hv'⟩
      refine ⟨0 :: c, 0 :: s, 0 :: t, ⟨Division.ceilDiv_pos hd.1 hd.2.1, hc⟩, ⟨hd.2.2, hs⟩,
        ⟨Division.ceilDiv_pos hd.2.1 hd.2.2, ht⟩, ?_, ?_⟩
      · simp [valid, hvalid]
      · exact within_tile_cons.2 ⟨by simpa using hd.1, hw⟩

/-- Where strides divide boxes or boxes cover the tensor, the items inside the tensor are the valid ones. -/
theorem valid_of_within_always : {D : Descriptor} → Valid D →
    (∀ d ∈ D, d.elementStride ∣ d.box ∨ d.size ≤ d.box) → {c s t : List Nat} →
    InBounds (grid D) c → InBounds (phases D) s → InBounds (tileShape D) t →
    within D (position D (tileStart D c s) t) = true → valid D c s t = true
  | [], _, _, c, s, t, hc, hs, ht, _ => by
    rw [nil_of_inBounds hc, nil_of_inBounds hs, nil_of_inBounds ht]; rfl
  | d :: D, hD, hno, c, s, t, hc, hs, ht, hw => by
    obtain ⟨c₀, cs, rfl, hc₀, hc'⟩ := cons_of_inBounds hc
    obtain ⟨s₀, ss, rfl, hs₀, hs'⟩ := cons_of_inBounds hs
    obtain ⟨t₀, ts, rfl, ht₀, ht'⟩ := cons_of_inBounds ht
    rw [within_tile_cons] at hw
    have hrest := valid_of_within_always hD.2 (fun d' hd' => hno d' (List.mem_cons_of_mem _ hd')) hc' hs' ht' hw.2
    have hd := hD.1
    have hbox : t₀ * d.elementStride + s₀ < d.box := by
      by_cases hlt : t₀ * d.elementStride + s₀ < d.box
      · exact hlt
      · have hnone := mt (hole_within_iff hd.1 hd.2.1 hd.2.2).1
          (fun h => (hno d List.mem_cons_self).elim h.1 (fun hle => absurd h.2 (by omega)))
        exact absurd ⟨c₀, s₀, t₀, hc₀, hs₀, ht₀, by omega, hw.1⟩ hnone
    simp only [valid, Bool.and_eq_true, decide_eq_true_eq]
    exact ⟨⟨hbox, hw.1⟩, hrest⟩

/-- **Loading every tile is strongly correct exactly when in every dimension the element stride divides the box or the
box covers the tensor: no tile then has a hole inside the tensor.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA Theorem 6 (FTTC), companion; Theorem 5 for level 1 -/
theorem always_stronglyCorrect_iff {D : Descriptor} (hD : Valid D) :
    StronglyCorrect D (tileStart D) ↔ ∀ d ∈ D, d.elementStride ∣ d.box ∨ d.size ≤ d.box := by
  constructor
  · intro h d hd
    by_cases hdvd : d.elementStride ∣ d.box
    · exact Or.inl hdvd
    · refine Or.inr (Nat.le_of_not_lt fun hlt => ?_)
      obtain ⟨c, s, t, hc, hs, ht, hv, hw⟩ := hole_tile hD ⟨d, hd, hdvd, hlt⟩
      have := h (fun _ => 1) c s t hc hs ht
      rw [hv, loadItem, if_pos hw] at this
      simp at this
  · intro h mem c s t hc hs ht
    rw [loadItem, datum]
    cases hv : valid D c s t with
    | true => rw [if_pos (within_of_valid hc hs ht hv), if_pos rfl]
    | false =>
      rw [if_neg, if_neg (by simp)]
      intro hw
      rw [valid_of_within_always hD h hc hs ht hw] at hv
      cases hv

/-! ## The levels -/

theorem divides_iff {D : Descriptor} : divides D = true ↔ ∀ d ∈ D, d.elementStride ∣ d.box := by
  simp [divides, Nat.dvd_iff_mod_eq_zero]

theorem violations_of_divides {D : Descriptor} (h : divides D = true) : violations D = [] := by
  rw [violations_eq_nil_iff]
  intro d hd
  rw [Dim.violates, ← Bool.not_eq_true, fttc_iff]
  exact fun hv => hv.2.1 (divides_iff.1 h d hd)

theorem level_eq_one_iff {D : Descriptor} : level D = 1 ↔ divides D = true := by
  rw [level]
  constructor
  · intro h
    split at h
    · split at h
      · assumption
      · cases h
    · cases h
  · intro h
    rw [if_pos (violations_of_divides h), if_pos h]

/-- **Where every element stride divides its box (`level` 1), loading every tile leaves 0 in every hole.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA lowering strategy, level 1 (Theorem 5) -/
theorem level_one {D : Descriptor} (hD : Valid D) (h : level D = 1) : StronglyCorrect D (tileStart D) :=
  (always_stronglyCorrect_iff hD).2 fun d hd => Or.inl (divides_iff.1 (level_eq_one_iff.1 h) d hd)

/-- **Where no dimension violates (`level` 1 and 2), filling with zeros the tiles that the predicate leaves out leaves 0 in
every hole.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA lowering strategy, level 2; box indices of longer tiles are left out of the predicate, which the
source does not say -/
theorem level_two {D : Descriptor} (hD : Valid D) (h : level D ≤ 2) :
    StronglyCorrect D (planOf D fun _ s => issues D s) := by
  refine issues_stronglyCorrect hD ?_
  rw [level] at h
  split at h
  · assumption
  · omega

/-- **Some dimension violates (`level` 3) exactly when no choice of tiles to load and tiles to fill makes every hole 0.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA lowering strategy, level 3 (Theorem 6, FTTC) -/
theorem level_three {D : Descriptor} (hD : Valid D) :
    level D = 3 ↔ ¬ ∃ issue, StronglyCorrect D (planOf D issue) := by
  have hv : level D = 3 ↔ violations D ≠ [] := by
    rw [level]
    split
    · split <;> simp_all
    · simp_all
  rw [hv]
  constructor
  · rintro h ⟨issue, hi⟩
    exact no_issue hD h issue hi
  · exact fun h hv => h ⟨_, issues_stronglyCorrect hD hv⟩

/-- **Where every element stride divides its box the predicate is true of every phase: one rule serves both levels.**
Rust: `razorgirl::tma::fttc`
Source: nvFuser TMA lowering strategy, levels 1 and 2 -/
theorem issues_of_divides : {D : Descriptor} → Valid D → divides D = true → {s : List Nat} → InBounds (phases D) s →
    issues D s = true
  | [], _, _, s, hs => by rw [nil_of_inBounds hs]; rfl
  | d :: D, hD, h, s, hs => by
    obtain ⟨s₀, ss, rfl, hs₀, hs'⟩ := cons_of_inBounds hs
    rw [divides_iff] at h
    have hrest := issues_of_divides hD.2
      (divides_iff.2 fun d' hd' => h d' (List.mem_cons_of_mem _ hd')) hs'
    have hle := Nat.le_of_dvd hD.1.2.1 (h d List.mem_cons_self)
    simp only [issues, Bool.and_eq_true, Bool.or_eq_true, decide_eq_true_eq]
    exact ⟨Or.inr (Nat.lt_of_lt_of_le hs₀ hle), hrest⟩

end Tma

end Razorgirl
