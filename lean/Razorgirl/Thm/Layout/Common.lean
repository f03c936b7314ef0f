module

public import Razorgirl.Spec.Layout.Common
public import Razorgirl.Thm.Int.Nat
public import Razorgirl.Thm.Layout.Inverse

@[expose] public section

/-!
# What two layouts have in common: what is proved

The common layout is symmetric, both layouts map it to 0, 1, 2, …, and where both are injective nothing counts further.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Leading modes -/

theorem leading_comm (A B : FlatLayout) : leading A B = leading B A := by
  induction A generalizing B with
  | nil => cases B <;> rfl
  | cons m A ih =>
    cases B with
    | nil => rfl
    | cons n B =>
      rw [leading, leading, ih B]
      by_cases hd : m.stride = n.stride
      · rw [if_pos hd, if_pos hd.symm]
        by_cases he : m.extent = n.extent
        · rw [if_pos he, if_pos he.symm]
          cases m; cases n
          simp only at hd he
          rw [hd, he]
        · rw [if_neg he, if_neg (Ne.symm he), hd, Nat.min_comm]
      · rw [if_neg hd, if_neg (Ne.symm hd)]

theorem leading_left {A B : FlatLayout} (hA : Valid A) {i : Nat} (hi : i < size (leading A B)) :
    i < size A ∧ atIndex (leading A B) i = atIndex A i := by
  have one : ∀ {A : FlatLayout}, Valid A → i < size [] → i < size A ∧ atIndex [] i = atIndex A i := by
    intro A hA hi
    rw [size_nil] at hi
    obtain rfl : i = 0 := by omega
    exact ⟨hA.size_pos, by rw [atIndex_zero, atIndex_zero]⟩
  induction A generalizing B i with
  | nil =>
    have h : leading [] B = [] := by cases B <;> rfl
    rw [h] at hi ⊢
    exact ⟨hi, rfl⟩
  | cons m A ih =>
    cases B with
    | nil => exact one hA hi
    | cons n B =>
      rw [leading] at hi ⊢
      split at hi
      · rename_i hd
        rw [if_pos hd]
        split at hi
        · rename_i he
          rw [if_pos he]
          rw [size_cons] at hi ⊢
          have hq : i / m.extent < size (leading A B) := Nat.div_lt_of_lt_mul hi
          have h := ih hA.2 hq fun {A} hA hi => by
            rw [size_nil] at hi
            have h0 : i / m.extent = 0 := Nat.lt_one_iff.1 hi
            rw [h0]
            exact ⟨hA.size_pos, by rw [atIndex_zero, atIndex_zero]⟩
          refine ⟨?_, by rw [atIndex_cons, atIndex_cons, h.2]⟩
          have := Nat.mul_lt_mul_of_pos_left h.1 hA.1
          have h2 := Nat.mod_add_div i m.extent
          have h3 := Nat.mod_lt i hA.1
          have h4 := Nat.mul_le_mul_left m.extent (Nat.succ_le_of_lt h.1)
          rw [Nat.mul_succ] at h4
          omega
        · rename_i he
          rw [if_neg he]
          rw [size_cons, size_nil, Nat.mul_one] at hi
          have hm : i < m.extent := Nat.lt_of_lt_of_le hi (Nat.min_le_left _ _)
          refine ⟨?_, ?_⟩
          · rw [size_cons]
            exact Nat.lt_of_lt_of_le hm (Nat.le_mul_of_pos_right _ hA.2.size_pos)
          · rw [atIndex_singleton, Nat.mod_eq_of_lt hi, atIndex_cons, Nat.mod_eq_of_lt hm, Nat.div_eq_of_lt hm,
              atIndex_zero, Nat.add_zero]
      · rename_i hd
        rw [if_neg hd]
        exact one hA hi

theorem valid_leading {A B : FlatLayout} (hA : Valid A) (hB : Valid B) : Valid (leading A B) := by
  induction A generalizing B with
  | nil => cases B <;> exact trivial
  | cons m A ih =>
    cases B with
    | nil => exact trivial
    | cons n B =>
      rw [leading]
      split
      · split
        · exact ⟨hA.1, ih hA.2 hB.2⟩
        · have := hA.1
          have := hB.1
          exact ⟨show 0 < min m.extent n.extent by omega, trivial⟩
      · exact trivial

/-- A mode that ends before the other goes on differently: the next stride of a coalesced layout is another. -/
theorem le_of_agree_past {m n : Mode} {A B : FlatLayout} (hA : Valid (m :: A)) (cA : Coalesced (m :: A))
    (hd : m.stride = n.stride) (hlt : m.extent < n.extent) {k : Nat} (hk : k ≤ size (m :: A))
    (h : ∀ i, i < k → atIndex (m :: A) i = atIndex (n :: B) i) : k ≤ m.extent := by
  refine Nat.le_of_not_lt fun hgt => ?_
  have e := h m.extent hgt
  rw [atIndex_cons, atIndex_cons, Nat.mod_self, Nat.div_self hA.1, Nat.zero_mul, Nat.zero_add,
    Nat.mod_eq_of_lt hlt, Nat.div_eq_of_lt hlt, atIndex_zero, Nat.add_zero] at e
  cases A with
  | nil =>
    rw [size_cons, size_nil] at hk
    omega
  | cons p A =>
    have hp : 2 ≤ p.extent := by
      have h1 := hA.2.1
      have h2 : p.extent ≠ 1 := by
        cases A with
        | nil => exact cA.2.2
        | cons q A => exact cA.2.2.1
      omega
    rw [atIndex_cons, Nat.mod_eq_of_lt (by omega), Nat.div_eq_of_lt (by omega), atIndex_zero] at e
    refine cA.2.1 ?_
    rw [hd]
    omega

theorem coalesced_of_cons {m : Mode} {L : FlatLayout} (h : Coalesced (m :: L)) : Coalesced L := by
  cases L with
  | nil => trivial
  | cons n L => exact h.2.2

theorem first_extent_ne_one {m : Mode} {L : FlatLayout} (h : Coalesced (m :: L)) : m.extent ≠ 1 := by
  cases L with
  | nil => exact h
  | cons n L => exact h.1

theorem leading_reach {A B : FlatLayout} (hA : Valid A) (hB : Valid B) (cA : Coalesced A) (cB : Coalesced B) {k : Nat}
    (hkA : k ≤ size A) (hkB : k ≤ size B) (h : ∀ i, i < k → atIndex A i = atIndex B i) : k ≤ size (leading A B) := by
  induction A generalizing B k with
  | nil =>
    have e : leading [] B = [] := by cases B <;> rfl
    rw [e]
    exact hkA
  | cons m A ih =>
    cases B with
    | nil => exact hkB
    | cons n B =>
      rw [leading]
      split
      · rename_i hd
        split
        · rename_i he
          rw [size_cons]
          have hm := hA.1
          -- one more than the last block of `m.extent` indices that begins below `k`
          have hq : Division.ceilDiv k m.extent ≤ size (leading A B) := by
            refine ih hA.2 hB.2 (coalesced_of_cons cA) (coalesced_of_cons cB) ?_ ?_ fun j hj => ?_
            · rw [size_cons, Nat.mul_comm] at hkA
              exact (Division.ceilDiv_le_iff hm).2 hkA
            · rw [size_cons, ← he, Nat.mul_comm] at hkB
              exact (Division.ceilDiv_le_iff hm).2 hkB
            · have h1 := (Division.lt_ceilDiv_iff hm j k).1 hj
              rw [Nat.mul_comm] at h1
              have e := h (m.extent * j) (by omega)
              rw [atIndex_cons, atIndex_cons, ← he, Nat.mul_mod_right, Nat.mul_div_cancel_left _ hm, Nat.zero_mul,
                Nat.zero_add, Nat.zero_mul, Nat.zero_add] at e
              exact e
          have h1 := Nat.mul_le_mul_left m.extent hq
          exact Nat.le_trans (Division.le_mul_ceilDiv hm) h1
        · rename_i he
          rw [size_cons, size_nil, Nat.mul_one]
          rcases Nat.lt_or_gt_of_ne he with hlt | hlt
          · rw [Nat.min_eq_left (Nat.le_of_lt hlt)]
            exact le_of_agree_past hA cA hd hlt hkA h
          · rw [Nat.min_eq_right (Nat.le_of_lt hlt)]
            exact le_of_agree_past hB cB hd.symm hlt hkB fun i hi => (h i hi).symm
      · rename_i hd
        rw [size_nil]
        refine Nat.le_of_not_lt fun h1 => hd ?_
        have e := h 1 h1
        have h2 := first_extent_ne_one cA
        have h3 := first_extent_ne_one cB
        have h4 := hA.1
        have h5 := hB.1
        rw [atIndex_cons, atIndex_cons, Nat.mod_eq_of_lt (by omega), Nat.mod_eq_of_lt (by omega),
          Nat.div_eq_of_lt (by omega), Nat.div_eq_of_lt (by omega), atIndex_zero, atIndex_zero] at e
        omega

/-! ## How far a right inverse reaches -/

theorem packed_append_start {run : Nat} {ps : List Start} {p : Start} (h : Packed run (ps.map Start.mode))
    (hp : p.mode.stride = run * reach ps) : Packed run ((ps ++ [p]).map Start.mode) := by
  induction ps generalizing run with
  | nil => exact ⟨by rw [hp]; exact Nat.mul_one run, trivial⟩
  | cons q ps ih =>
    rw [packed_start_cons] at h
    exact packed_start_cons.2 ⟨h.1, ih h.2 (by rw [hp, reach_cons, Nat.mul_assoc])⟩

theorem reach_append (ps : List Start) (p : Start) : reach (ps ++ [p]) = reach ps * p.mode.extent := by
  rw [reach, reach, List.map_append, size_append]
  simp [size_cons, size_nil]

/-- The right inverse of an injective layout goes on for as long as every offset is hit. -/
theorem le_size_rightInverse {L : FlatLayout} (hv : Valid L) (hi : Injective L) {k : Nat}
    (h : ∀ o, o < k → o ∈ offsets L) : k ≤ size (rightInverse L) := by
  refine Nat.le_of_not_lt fun hlt => ?_
  obtain ⟨ps, hps, hc, _, hr⟩ := rightInverse_reach_attained L
  have h2 := two_le_of_mem_coalesce hv
  have hvC := coalesce_valid hv
  have hiC := (coalesce_injective L).2 hi
  have hnd := nodup_of_packed Nat.one_pos hc fun p hp => h2 _ (mode_mem_of_mem_starts (hps p hp))
  have hns : (starts 1 (coalesce L)).Nodup := nodup_starts Nat.one_pos h2
  -- the modes of the chain, and the others
  let others := (starts 1 (coalesce L)).filter fun p => decide (p ∉ ps)
  have hperm : (starts 1 (coalesce L)).Perm (ps ++ others) := by
    refine perm_of_nodup hns (List.nodup_append.2 ⟨hnd, hns.filter _, fun p hp q hq e => ?_⟩) fun p => ?_
    · have := (List.mem_filter.1 hq).2
      rw [decide_eq_true_eq, ← e] at this
      exact this hp
    · rw [List.mem_append, List.mem_filter, decide_eq_true_eq]
      constructor
      · intro hp
        by_cases hps' : p ∈ ps
        · exact .inl hps'
        · exact .inr ⟨hp, hps'⟩
      · rintro (hp | hp)
        · exact hps p hp
        · exact hp.1
  have hmodes : (coalesce L).Perm (ps.map Start.mode ++ others.map Start.mode) := by
    have := hperm.map Start.mode
    rwa [map_mode_starts, List.map_append] at this
  have hP : Packed 1 (ps.map Start.mode) := hc
  have hvP : Valid (ps.map Start.mode) := ((valid_append_iff _ _).1 ((valid_perm hmodes).1 hvC)).1
  have hcont := contiguous_of_packed hP hvP
  have hsz : size (ps.map Start.mode) = reach ps := rfl
  -- the first offset beyond the chain is hit, so another mode steps that far at most
  have ho := h _ hlt
  rw [← coalesce_offsets, mem_offsets_perm hmodes, FlatLayout.Aux.mem_offsets_append] at ho
  obtain ⟨a, ha, b, hb, e⟩ := ho
  have hlt' : a < reach ps := by
    obtain ⟨x, hx, rfl⟩ := (mem_offsets _ a).1 ha
    rw [← hsz]
    exact atIndex_lt_size_of_contiguous hcont hx
  obtain ⟨m, hm, hle⟩ := exists_stride_le hb (by omega)
  obtain ⟨p, hp, rfl⟩ := List.mem_map.1 hm
  have hpC := (List.mem_filter.1 hp).1
  have h2p := h2 _ (mode_mem_of_mem_starts hpC)
  have hpos := stride_pos_of_injective hvC hiC (mode_mem_of_mem_starts hpC) (by omega)
  obtain ⟨X, Y, hXY⟩ := List.append_of_mem hm
  rcases Nat.lt_or_ge p.mode.stride (reach ps) with hs | hs
  · -- a stride inside the chain: that offset is hit twice
    have hperm2 : (coalesce L).Perm (p.mode :: (ps.map Start.mode ++ (X ++ Y))) := by
      refine hmodes.trans ?_
      rw [hXY]
      refine .trans ?_ List.perm_middle
      exact List.Perm.append_left _ List.perm_middle
    have hi2 := (injective_perm hperm2).1 hiC
    have hv2 : Valid (ps.map Start.mode ++ (X ++ Y)) := ((valid_perm hperm2).1 hvC).2
    have h0 := zero_mem_offsets hv2
    have hd : p.mode.stride ∈ offsets (ps.map Start.mode ++ (X ++ Y)) := by
      rw [FlatLayout.Aux.mem_offsets_append]
      refine ⟨p.mode.stride, (covers_iff_mem _).1 hcont.2 _ ?_, 0, zero_mem_offsets ((valid_append_iff _ _).1 hv2).2, by omega⟩
      rw [((contiguous_iff_injective _).1 hcont).2, hsz]
      exact hs
    have := first_coordinate_unique hi2 (k := 1) (k' := 0) (by omega) (by omega) h0 hd (by omega)
    omega
  · -- the stride goes on with the chain, which was the longest
    have hm' : p.mode.stride = 1 * reach ps := by omega
    have h3 := rightInverse_reach_maximal hv (ps := ps ++ [p])
      (fun q hq => (List.mem_append.1 hq).elim (hps q) fun hq => by
        rw [List.mem_singleton.1 hq]; exact hpC) (packed_append_start hc hm')
    rw [reach_append, hr] at h3
    have h4 : 0 < reach ps := by omega
    have := Nat.mul_le_mul_left (reach ps) h2p
    omega

end FlatLayout

namespace Layout
open HTuple FlatLayout

/-- **Which of two layouts comes first does not matter.**
Rust: `razorgirl::Layout::max_common_layout`
Source: none; CuTe `max_common_layout` is not symmetric (`5:1`, `8:1`) -/
theorem maxCommonLayout_comm (a b : Layout) : maxCommonLayout a b = maxCommonLayout b a := by
  rw [maxCommonLayout, maxCommonLayout, FlatLayout.maxCommonLayout, FlatLayout.maxCommonLayout, leading_comm]

/-- **The common layout of two valid layouts is valid.**
Rust: `razorgirl::Layout::max_common_layout`
Source: CuTe `max_common_layout` -/
theorem maxCommonLayout_valid (a b : Layout) : (maxCommonLayout a b).Valid :=
  valid_nest (valid_leading (FlatLayout.rightInverse_valid _).1 (FlatLayout.rightInverse_valid _).1)

/-- **Along the common layout both layouts count 0, 1, 2, …: called with its i-th index, each gives i.**
Rust: `razorgirl::Layout::max_common_layout`
Source: CuTe `max_common_layout` -/
theorem maxCommonLayout_call {a b : Layout} (ha : a.Valid) (hb : b.Valid) {i : Nat}
    (hi : i < (maxCommonLayout a b).size) : ∃ x, (maxCommonLayout a b).call (.leaf (some i)) = some x ∧
      a.call (.leaf (some x)) = some i ∧ b.call (.leaf (some x)) = some i := by
  have hv := maxCommonLayout_valid a b
  have hi' : i < FlatLayout.size (FlatLayout.maxCommonLayout a.modes b.modes) := by
    rwa [maxCommonLayout, size_nest] at hi
  have h1 := leading_left (B := FlatLayout.rightInverse b.modes) (FlatLayout.rightInverse_valid a.modes).1 hi'
  rw [FlatLayout.maxCommonLayout, leading_comm] at hi'
  have h2 := leading_left (B := FlatLayout.rightInverse a.modes) (FlatLayout.rightInverse_valid b.modes).1 hi'
  rw [leading_comm] at h2
  refine ⟨_, (call_index_eq_some_iff hv).2 ⟨hi, rfl⟩, ?_, ?_⟩
  · rw [call_index_eq_some_iff ha, maxCommonLayout, atIndex_nest, FlatLayout.maxCommonLayout, h1.2]
    exact FlatLayout.rightInverse_finds ha.2 h1.1
  · rw [call_index_eq_some_iff hb, maxCommonLayout, atIndex_nest, FlatLayout.maxCommonLayout, h2.2]
    exact FlatLayout.rightInverse_finds hb.2 h2.1

/-- **Of injective layouts nothing counts further in both: whatever function has, for all `i` below `k`, an index that
both layouts map to `i`, `k` is at most the size of the common layout.**
Rust: `razorgirl::Layout::max_common_layout`
Source: none; CuTe `max_common_layout` reaches 1 for `5:1` and `8:1` -/
theorem maxCommonLayout_maximal {a b : Layout} (ha : a.Valid) (hb : b.Valid) (ia : Injective a.modes)
    (ib : Injective b.modes) {k : Nat} (f : Nat → Nat)
    (h : ∀ i, i < k → (f i < a.size ∧ atIndex a.modes (f i) = i) ∧ (f i < b.size ∧ atIndex b.modes (f i) = i)) :
    k ≤ (maxCommonLayout a b).size := by
  have reach : ∀ {L : Layout}, L.Valid → Injective L.modes →
      (∀ i, i < k → f i < L.size ∧ atIndex L.modes (f i) = i) →
      k ≤ FlatLayout.size (FlatLayout.rightInverse L.modes) ∧
        ∀ i, i < k → atIndex (FlatLayout.rightInverse L.modes) i = f i := by
    intro L hL iL hf
    have hk := le_size_rightInverse hL.2 iL (k := k) fun o ho => (mem_offsets _ _).2 ⟨f o, hf o ho⟩
    refine ⟨hk, fun i hi => ?_⟩
    have hr := FlatLayout.rightInverse_finds hL.2 (x := i) (by omega)
    exact (injective_iff_atIndex _).1 iL _ _ hr.1 (hf i hi).1 (by rw [hr.2, (hf i hi).2])
  have h1 := reach ha ia fun i hi => (h i hi).1
  have h2 := reach hb ib fun i hi => (h i hi).2
  rw [maxCommonLayout, size_nest]
  exact leading_reach (FlatLayout.rightInverse_valid _).1 (FlatLayout.rightInverse_valid _).1
    (FlatLayout.rightInverse_valid _).2 (FlatLayout.rightInverse_valid _).2 h1.1 h2.1 fun i hi => by
      rw [h1.2 i hi, h2.2 i hi]

/-- **Each of the first offsets that the common vector counts comes from the same index in both layouts.**
Rust: `razorgirl::Layout::max_common_vector`
Source: CuTe `max_common_vector` -/
theorem maxCommonVector_call {a b : Layout} (ha : a.Valid) (hb : b.Valid) {i : Nat} (hi : i < maxCommonVector a b) :
    ∃ x, a.call (.leaf (some x)) = some i ∧ b.call (.leaf (some x)) = some i := by
  obtain ⟨x, _, h1⟩ := maxCommonLayout_call ha hb hi
  exact ⟨x, h1⟩

/-- **Of injective layouts nothing counts further than the common vector: whatever function has, for all `i` below `k`, an index that
both layouts map to `i`, `k` is at most its length.**
Rust: `razorgirl::Layout::max_common_vector`
Source: none; CuTe `max_common_vector` is 1 for `5:1` and `8:1` -/
theorem maxCommonVector_maximal {a b : Layout} (ha : a.Valid) (hb : b.Valid) (ia : Injective a.modes) (ib : Injective b.modes)
    {k : Nat} (f : Nat → Nat)
    (h : ∀ i, i < k → (f i < a.size ∧ atIndex a.modes (f i) = i) ∧ (f i < b.size ∧ atIndex b.modes (f i) = i)) :
    k ≤ maxCommonVector a b := maxCommonLayout_maximal ha hb ia ib f h

end Layout

end Razorgirl
