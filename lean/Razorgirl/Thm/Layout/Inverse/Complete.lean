module

public import Razorgirl.Spec.Layout.Inverse.Complete
public import Razorgirl.Thm.Int.Nat
public import Razorgirl.Thm.Layout.Inverse

@[expose] public section

/-!
# Left inverses of any kind: what is proved

The search finds a left inverse exactly where there is one. Injectivity is needed and not enough.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Pairs of an offset and an index -/

/-- The layout has the index of each pair at its offset. -/
def Interpolates (R : FlatLayout) (ps : List (Nat × Nat)) : Prop := ∀ p ∈ ps, p.1 < size R ∧ atIndex R p.1 = p.2

theorem interpolates_cons {R : FlatLayout} {p : Nat × Nat} {ps : List (Nat × Nat)} : Interpolates R (p :: ps) ↔
    (p.1 < size R ∧ atIndex R p.1 = p.2) ∧ Interpolates R ps := by
  simp only [Interpolates, List.forall_mem_cons]

theorem interpolates_addPoint {R : FlatLayout} {p : Nat × Nat} {qs : List (Nat × Nat)} :
    Interpolates R (p :: qs) ↔ ∃ rs, addPoint p qs = some rs ∧ Interpolates R rs := by
  cases qs with
  | nil => simp [addPoint]
  | cons q qs =>
    simp only [addPoint]
    split
    · rename_i h1
      split
      · rename_i h2
        obtain rfl : p = q := Prod.ext h1 h2
        simp only [interpolates_cons, Option.some.injEq, exists_eq_left']
        exact ⟨fun h => h.2, fun h => ⟨h.1, h⟩⟩
      · rename_i h2
        simp only [interpolates_cons, reduceCtorEq, false_and, exists_false, iff_false]
        exact fun h => h2 (by rw [← h.1.2, ← h.2.1.2, h1])
    · simp

theorem interpolates_behind {e s : Nat} (he : 0 < e) {R : FlatLayout} {ps : List (Nat × Nat)} :
    Interpolates (⟨e, s⟩ :: R) ps ↔ ∃ qs, behind e s ps = some qs ∧ Interpolates R qs := by
  induction ps with
  | nil => simp [behind, Interpolates]
  | cons p ps ih =>
    rw [interpolates_cons, ih, size_cons, atIndex_cons, behind]
    show (p.1 < e * size R ∧ p.1 % e * s + atIndex R (p.1 / e) = p.2) ∧
      (∃ qs, behind e s ps = some qs ∧ Interpolates R qs) ↔ _
    have h1 : p.1 < e * size R ↔ p.1 / e < size R := by rw [Nat.div_lt_iff_lt_mul he, Nat.mul_comm]
    by_cases hs : p.1 % e * s ≤ p.2
    · rw [if_pos hs]
      have h2 : p.1 % e * s + atIndex R (p.1 / e) = p.2 ↔ atIndex R (p.1 / e) = p.2 - p.1 % e * s := by omega
      rw [h1, h2]
      constructor
      · rintro ⟨h, qs, hq, hf⟩
        rw [hq]
        exact interpolates_addPoint.1 (interpolates_cons.2 ⟨h, hf⟩)
      · rintro ⟨rs, hr, hf⟩
        split at hr
        · rename_i qs hq
          have := interpolates_cons.1 (interpolates_addPoint.2 ⟨rs, hr, hf⟩)
          exact ⟨this.1, qs, hq, this.2⟩
        · cases hr
    · rw [if_neg hs]
      simp only [reduceCtorEq, false_and, exists_false, iff_false]
      rintro ⟨⟨-, h⟩, -⟩
      omega

theorem offset_of_mem_behind {e s : Nat} {ps qs : List (Nat × Nat)} (h : behind e s ps = some qs) {q : Nat × Nat}
    (hq : q ∈ qs) : ∃ p ∈ ps, q.1 = p.1 / e := by
  induction ps generalizing qs with
  | nil =>
    obtain rfl := Option.some.inj h
    cases hq
  | cons p ps ih =>
    rw [behind] at h
    split at h
    · split at h
      · rename_i rs hr
        have later : q ∈ rs → ∃ p' ∈ p :: ps, q.1 = p'.1 / e := fun hq => by
          obtain ⟨p', h1, h2⟩ := ih hr hq
          exact ⟨p', List.mem_cons_of_mem _ h1, h2⟩
        cases rs with
        | nil =>
          obtain rfl := Option.some.inj h
          rw [List.mem_singleton.1 hq]
          exact ⟨p, List.mem_cons_self, rfl⟩
        | cons r rs =>
          simp only [addPoint] at h
          split at h
          · split at h
            · obtain rfl := Option.some.inj h
              exact later hq
            · cases h
          · obtain rfl := Option.some.inj h
            rcases List.mem_cons.1 hq with rfl | hq
            · exact ⟨p, List.mem_cons_self, rfl⟩
            · exact later hq
      · cases h
    · cases h

/-! ## What is tried -/

theorem le_mostStride {e s : Nat} {ps : List (Nat × Nat)} (h : ∀ p ∈ ps, p.1 % e * s ≤ p.2) {b : Nat}
    (hb : mostStride e ps = some b) : s ≤ b := by
  induction ps generalizing b with
  | nil => cases hb
  | cons p ps ih =>
    have hp := h p List.mem_cons_self
    have ih : ∀ {b : Nat}, mostStride e ps = some b → s ≤ b := ih fun q hq => h q (List.mem_cons_of_mem _ hq)
    rw [mostStride] at hb
    split at hb
    · exact ih hb
    · rename_i h0
      have h1 : s ≤ p.2 / (p.1 % e) := (Nat.le_div_iff_mul_le (by omega)).2 (by rwa [Nat.mul_comm])
      split at hb
      · rename_i c hc
        obtain rfl := Option.some.inj hb
        exact Nat.le_min.2 ⟨h1, ih hc⟩
      · obtain rfl := Option.some.inj hb
        exact h1

theorem mod_eq_zero_of_mostStride {e : Nat} {ps : List (Nat × Nat)} (h : mostStride e ps = none) :
    ∀ p ∈ ps, p.1 % e = 0 := by
  induction ps with
  | nil => simp
  | cons p ps ih =>
    rw [mostStride] at h
    split at h
    · rename_i h0
      exact List.forall_mem_cons.2 ⟨h0, ih h⟩
    · split at h <;> cases h

/-- If any stride does for a first mode, one that is tried does. -/
theorem exists_stridesToTry {e s : Nat} {R : FlatLayout} {ps : List (Nat × Nat)}
    (h : Interpolates (⟨e, s⟩ :: R) ps) : ∃ t ∈ stridesToTry e ps, Interpolates (⟨e, t⟩ :: R) ps := by
  cases hb : mostStride e ps with
  | some b =>
    refine ⟨s, ?_, h⟩
    rw [stridesToTry, hb]
    refine List.mem_range.2 (Nat.lt_succ_of_le (le_mostStride (fun p hp => ?_) hb))
    have := (h p hp).2
    rw [atIndex_cons] at this
    exact this ▸ Nat.le_add_right _ _
  | none =>
    refine ⟨0, by rw [stridesToTry, hb]; exact List.mem_singleton.2 rfl, fun p hp => ?_⟩
    have h1 := h p hp
    have h0 := mod_eq_zero_of_mostStride hb p hp
    simp only [atIndex_cons, size_cons, h0, Nat.zero_mul] at h1 ⊢
    exact h1

theorem isPrime_two_le {n : Nat} (h : isPrime n = true) : 2 ≤ n := by
  simp only [isPrime, Bool.and_eq_true, decide_eq_true_eq] at h
  exact h.1

theorem exists_prime_dvd (n : Nat) (h : 2 ≤ n) : ∃ p, isPrime p = true ∧ p ∣ n := by
  induction n using Nat.strongRecOn with
  | ind n ih =>
    by_cases hp : isPrime n = true
    · exact ⟨n, hp, Nat.dvd_refl n⟩
    · have : ∃ d, d < n ∧ 2 ≤ d ∧ d ∣ n := by
        apply Classical.byContradiction
        intro hn
        apply hp
        simp only [isPrime, Bool.and_eq_true, decide_eq_true_eq, List.all_eq_true, List.mem_range, Bool.or_eq_true,
          bne_iff_ne]
        refine ⟨h, fun d hd => ?_⟩
        by_cases h2 : d < 2
        · exact .inl h2
        · exact .inr fun h0 => hn ⟨d, hd, by omega, Nat.dvd_of_mod_eq_zero h0⟩
      obtain ⟨d, h1, h2, h3⟩ := this
      obtain ⟨p, h4, h5⟩ := ih d h1 h2
      exact ⟨p, h4, Nat.dvd_trans h5 h3⟩

theorem firstOf_eq_some {α β : Type} {f : α → Option β} {l : List α} {b : β} (h : firstOf f l = some b) :
    ∃ a ∈ l, f a = some b := by
  induction l with
  | nil => cases h
  | cons a l ih =>
    rw [firstOf] at h
    split at h
    · rename_i c hc
      exact ⟨a, List.mem_cons_self, hc.trans h⟩
    · obtain ⟨x, h1, h2⟩ := ih h
      exact ⟨x, List.mem_cons_of_mem _ h1, h2⟩

theorem firstOf_ne_none {α β : Type} {f : α → Option β} {l : List α} {a : α} (ha : a ∈ l) (h : f a ≠ none) :
    firstOf f l ≠ none := by
  induction l with
  | nil => cases ha
  | cons c l ih =>
    rw [firstOf]
    split
    · exact Option.some_ne_none _
    · rename_i hc
      rcases List.mem_cons.1 ha with rfl | ha
      · exact absurd hc h
      · exact ih ha

/-! ## The search -/

theorem interpolate_sound {fuel N : Nat} {ps : List (Nat × Nat)} {R : FlatLayout} (hN : 0 < N)
    (hp : ∀ p ∈ ps, p.1 < N) (h : interpolate fuel N ps = some R) : Valid R ∧ Interpolates R ps := by
  induction fuel generalizing N ps R with
  | zero => cases h
  | succ fuel ih =>
    rw [interpolate] at h
    split at h
    · rename_i ha
      obtain rfl := Option.some.inj h
      refine ⟨⟨hN, trivial⟩, fun p hm => ?_⟩
      have h1 := List.all_eq_true.1 ha p hm
      have h2 := hp p hm
      rw [size_cons, size_nil, Nat.mul_one, atIndex_singleton, Nat.mod_eq_of_lt h2]
      exact ⟨h2, (eq_of_beq h1).symm⟩
    · obtain ⟨e, he, h⟩ := firstOf_eq_some h
      obtain ⟨s, -, h⟩ := firstOf_eq_some h
      have he2 := isPrime_two_le (List.mem_filter.1 he).2
      split at h
      · rename_i qs hq
        obtain ⟨R', hR, rfl⟩ := Option.map_eq_some_iff.1 h
        obtain ⟨h1, h2⟩ := ih (Division.ceilDiv_pos hN (by omega)) (fun q hm => by
          obtain ⟨p, hm, e1⟩ := offset_of_mem_behind hq hm
          rw [e1]
          exact Division.nat_div_lt_ceilDiv (by omega) (hp p hm)) hR
        exact ⟨⟨show 0 < e by omega, h1⟩, (interpolates_behind (by omega)).2 ⟨qs, hq, h2⟩⟩
      · cases h

theorem slope_spec {ps : List (Nat × Nat)} {s : Nat} (h : ∀ p ∈ ps, p.1 * s = p.2) :
    (ps.all fun p => p.2 == p.1 * slope ps) = true := by
  have key : slope ps = s ∨ ∀ p ∈ ps, p.1 = 0 := by
    induction ps with
    | nil => exact .inr (by simp)
    | cons p ps ih =>
      rw [slope]
      split
      · rename_i h0
        rcases ih fun q hq => h q (List.mem_cons_of_mem _ hq) with h1 | h1
        · exact .inl h1
        · exact .inr (List.forall_mem_cons.2 ⟨h0, h1⟩)
      · rename_i h0
        left
        rw [← h p List.mem_cons_self, Nat.mul_div_cancel_left _ (by omega)]
  refine List.all_eq_true.2 fun p hp => beq_iff_eq.2 ?_
  rcases key with h1 | h1
  · rw [h1, h p hp]
  · rw [← h p hp, h1 p hp, Nat.zero_mul, Nat.zero_mul]

theorem interpolate_complete {fuel N : Nat} {ps : List (Nat × Nat)} {R : FlatLayout} (hN : 0 < N) (hf : N ≤ fuel)
    (hp : ∀ p ∈ ps, p.1 < N) (hv : Valid R) (h : Interpolates R ps) : interpolate fuel N ps ≠ none := by
  induction fuel generalizing N ps R with
  | zero => omega
  | succ fuel ih =>
    rw [interpolate]
    split
    · exact Option.some_ne_none _
    · rename_i ha
      have hq : Interpolates (squeeze R) ps := fun p hm => by
        rw [size_squeeze, atIndex_squeeze]
        exact h p hm
      have hvq := valid_squeeze hv
      cases hR : squeeze R with
      | nil =>
        -- one index only, so every offset is 0
        refine absurd (slope_spec (s := 0) fun p hm => ?_) ha
        have := (hq p hm).2
        rw [hR] at this
        rw [Nat.mul_zero, ← this]
        rfl
      | cons m R' =>
        have hm1 : m.extent ≠ 1 := extent_ne_one_of_mem_squeeze (L := R) (by rw [hR]; exact List.mem_cons_self)
        rw [hR] at hq hvq
        have hm0 := hvq.1
        by_cases hlt : m.extent < N
        · obtain ⟨e, he, q, hq'⟩ := exists_prime_dvd m.extent (by omega)
          have he2 := isPrime_two_le he
          have hle := Nat.le_of_dvd hm0 ⟨q, hq'⟩
          have hq0 : 0 < q := Nat.pos_of_ne_zero fun h0 => by rw [h0, Nat.mul_zero] at hq'; omega
          -- the mode in two
          have hsplit : Interpolates (⟨e, m.stride⟩ :: ⟨q, e * m.stride⟩ :: R') ps := fun p hm => by
            obtain ⟨h1, h2⟩ := hq p hm
            rw [size_cons] at h1
            rw [atIndex_cons, hq', Nat.mod_mul, ← Nat.div_div_eq_div_mul] at h2
            rw [size_cons, size_cons, atIndex_cons, atIndex_cons]
            refine ⟨by rw [← Nat.mul_assoc, ← hq']; exact h1, ?_⟩
            rw [← h2]
            simp only
            grind
          obtain ⟨s, hs, hi⟩ := exists_stridesToTry hsplit
          obtain ⟨qs, hb, hi⟩ := (interpolates_behind (by omega)).1 hi
          have hc : Division.ceilDiv N e ≤ fuel := by
            have h1 := (Division.ceilDiv_le_iff (a := N) (d := e) (K := N - 1) (by omega)).2 (by
              have := Nat.mul_le_mul_left (N - 1) he2
              omega)
            omega
          have := ih (Division.ceilDiv_pos hN (by omega)) hc (fun r hr => by
            obtain ⟨p, hm, e1⟩ := offset_of_mem_behind hb hr
            rw [e1]
            exact Division.nat_div_lt_ceilDiv (by omega) (hp p hm)) (R := ⟨q, e * m.stride⟩ :: R') ⟨hq0, hvq.2⟩ hi
          refine firstOf_ne_none (List.mem_filter.2 ⟨List.mem_range.2 (by omega), he⟩) (firstOf_ne_none hs ?_)
          rw [hb]
          simpa using this
        · -- the first mode alone holds all offsets
          refine absurd (slope_spec (s := m.stride) fun p hm => ?_) ha
          have h1 := hp p hm
          have := (hq p hm).2
          rw [atIndex_cons, Nat.mod_eq_of_lt (by omega), Nat.div_eq_of_lt (by omega), atIndex_zero, Nat.add_zero] at this
          exact this

/-! ## Left inverses -/

theorem atIndex_lt_cosizeFormula {L : FlatLayout} (hv : Valid L) {x : Nat} (hx : x < size L) :
    atIndex L x < cosizeFormula L := by
  rw [← cosize_eq_formula hv]
  exact (cosize_is_maximum hv).1 x hx

theorem mem_points {L : FlatLayout} (hv : Valid L) {o x : Nat} :
    (o, x) ∈ points L ↔ x < size L ∧ atIndex L x = o := by
  simp only [points, List.mem_flatMap, List.mem_range, List.mem_map, List.mem_filter, beq_iff_eq, Prod.mk.injEq]
  constructor
  · rintro ⟨o', -, x', ⟨h1, h2⟩, rfl, rfl⟩
    exact ⟨h1, h2⟩
  · rintro ⟨h1, rfl⟩
    exact ⟨_, atIndex_lt_cosizeFormula hv h1, x, ⟨h1, rfl⟩, rfl, rfl⟩

theorem undoes_iff_interpolates {R L : FlatLayout} (hv : Valid L) : Undoes R L ↔ Interpolates R (points L) := by
  constructor
  · rintro h ⟨o, x⟩ hm
    obtain ⟨h1, rfl⟩ := (mem_points hv).1 hm
    exact h x h1
  · intro h x hx
    exact h (atIndex L x, x) ((mem_points hv).2 ⟨hx, rfl⟩)

/-- **Whatever left inverse the search finds is valid and coalesced, and undoes the layout.**
Rust: `razorgirl::Layout::left_inverse_complete`
Source: Cecka (arXiv 2603.02298), left inverse -/
theorem leftInverseComplete_undoes {L R : FlatLayout} (hv : Valid L) (h : leftInverseComplete L = some R) :
    Valid R ∧ Coalesced R ∧ Undoes R L := by
  rw [leftInverseComplete] at h
  split at h
  · rename_i S hS
    obtain rfl := Option.some.inj h
    exact ⟨(leftInverse_valid hv hS).1, (leftInverse_valid hv hS).2, fun x hx => leftInverse_undoes hv hS hx⟩
  · obtain ⟨S, hS, rfl⟩ := Option.map_eq_some_iff.1 h
    obtain ⟨h1, h2⟩ := interpolate_sound (cosizeFormula_pos L) (fun p hp => by
      obtain ⟨h1, h2⟩ := (mem_points hv).1 hp
      exact h2 ▸ atIndex_lt_cosizeFormula hv h1) hS
    refine ⟨coalesce_valid h1, coalesce_coalesced _, (undoes_iff_interpolates hv).2 fun p hp => ?_⟩
    rw [coalesce_size, coalesce_atIndex]
    exact h2 p hp

/-- **A left inverse is found exactly where any layout at all is one.**
Rust: `razorgirl::Layout::left_inverse_complete`
Source: Cecka (arXiv 2603.02298), left inverse; ours -/
theorem leftInverseComplete_ne_none_iff {L : FlatLayout} (hv : Valid L) :
    leftInverseComplete L ≠ none ↔ ∃ R, Valid R ∧ Undoes R L := by
  constructor
  · intro h
    obtain ⟨R, hR⟩ := Option.ne_none_iff_exists'.1 h
    have := leftInverseComplete_undoes hv hR
    exact ⟨R, this.1, this.2.2⟩
  · rintro ⟨R, h1, h2⟩
    rw [leftInverseComplete]
    split
    · exact Option.some_ne_none _
    · rw [ne_eq, Option.map_eq_none_iff]
      exact interpolate_complete (cosizeFormula_pos L) (Nat.le_refl _) (fun p hp => by
        obtain ⟨h1, h2⟩ := (mem_points hv).1 hp
        exact h2 ▸ atIndex_lt_cosizeFormula hv h1) h1 ((undoes_iff_interpolates hv).1 h2)

/-- **Where there is a left inverse by whole modes, the search answers that.**
Rust: `razorgirl::Layout::left_inverse_complete`
Source: none -/
theorem leftInverseComplete_of_leftInverse {L R : FlatLayout} (h : leftInverse L = some R) :
    leftInverseComplete L = some R := by
  rw [leftInverseComplete, h]

/-- **To be injective is not enough: no layout at all undoes `(2,3):(3,2)`, whose six offsets differ.**
Rust: `razorgirl::Layout::left_inverse_complete`
Source: none -/
theorem injective_without_leftInverse :
    Injective [⟨2, 3⟩, ⟨3, 2⟩] ∧ ¬∃ R, Valid R ∧ Undoes R [⟨2, 3⟩, ⟨3, 2⟩] := by
  have hv : Valid [⟨2, 3⟩, ⟨3, 2⟩] := by decide
  have hn : leftInverseComplete [⟨2, 3⟩, ⟨3, 2⟩] = none := by decide +kernel
  exact ⟨by decide +kernel, fun h => (leftInverseComplete_ne_none_iff hv).2 h hn⟩

end FlatLayout

namespace Layout
open FlatLayout

/-- **Whatever left inverse the search finds for a nested layout is valid and coalesced; called with the offset of a linear
index it gives the index.**
Rust: `razorgirl::Layout::left_inverse_complete`
Source: Cecka (arXiv 2603.02298), left inverse -/
theorem leftInverseComplete_call {L R : Layout} (hL : L.Valid) (h : leftInverseComplete L = some R) :
    (R.Valid ∧ R.Coalesced) ∧
      ∀ x o, L.call (.leaf (some x)) = some o → R.call (.leaf (some o)) = some x := by
  obtain ⟨R', h', rfl⟩ := Option.map_eq_some_iff.1 h
  obtain ⟨h1, h2, h3⟩ := FlatLayout.leftInverseComplete_undoes (FlatLayout.coalesce_valid hL.2) h'
  refine ⟨⟨valid_nest h1, coalesced_nest h2⟩, fun x o hx => ?_⟩
  obtain ⟨hlt, rfl⟩ := (call_index_eq_some_iff hL).1 hx
  have := h3 x (by rwa [FlatLayout.coalesce_size])
  rw [FlatLayout.coalesce_atIndex] at this
  rw [call_index_eq_some_iff (valid_nest h1), size_nest, atIndex_nest]
  exact this

/-- **A left inverse of a nested layout is found exactly where any layout at all is one.**
Rust: `razorgirl::Layout::left_inverse_complete`
Source: Cecka (arXiv 2603.02298), left inverse; ours -/
theorem leftInverseComplete_ne_none_iff {L : Layout} (hL : L.Valid) : leftInverseComplete L ≠ none ↔
    ∃ R : Layout, R.Valid ∧ ∀ x o, L.call (.leaf (some x)) = some o → R.call (.leaf (some o)) = some x := by
  constructor
  · intro h
    obtain ⟨R, hR⟩ := Option.ne_none_iff_exists'.1 h
    have := leftInverseComplete_call hL hR
    exact ⟨R, this.1.1, this.2⟩
  · rintro ⟨R, hR, h⟩
    rw [leftInverseComplete, ne_eq, Option.map_eq_none_iff]
    refine (FlatLayout.leftInverseComplete_ne_none_iff (FlatLayout.coalesce_valid hL.2)).2 ⟨R.modes, hR.2, fun x hx => ?_⟩
    rw [FlatLayout.coalesce_size] at hx
    rw [FlatLayout.coalesce_atIndex]
    exact (call_index_eq_some_iff hR).1 (h x _ ((call_index_eq_some_iff hL).2 ⟨hx, rfl⟩))

end Layout

end Razorgirl
