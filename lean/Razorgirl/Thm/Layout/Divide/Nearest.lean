module

public import Razorgirl.Spec.Layout.Divide.Nearest
public import Razorgirl.Thm.Layout.Divide.Chain

@[expose] public section

/-!
# The nearest tile that divides: what is proved

It divides, and no tile that differs in one number by less does. None is found only where none divides.
-/

namespace Razorgirl

theorem mem_atDistance {least n k x : Nat} (hk : 0 < k) (h : least ≤ n + k) :
    x ∈ atDistance least n k ↔ least ≤ x ∧ (x = n + k ∨ n = x + k) := by
  rw [atDistance]
  split <;> simp only [List.mem_cons, List.not_mem_nil, or_false] <;> omega

namespace FlatLayout

theorem mem_changedBy_iff {k : Nat} (hk : 0 < k) : {A B : FlatLayout} → (B ∈ changedBy k A ↔ ChangedBy A B k)
  | [], B => by simp [changedBy, ChangedBy]
  | a :: A, B => by
    rw [changedBy, List.mem_append, List.mem_map, List.mem_map]
    constructor
    · rintro (⟨n, hn, rfl⟩ | ⟨B', hB', rfl⟩)
      · rw [Mode.changedBy] at hn
        split at hn
        · cases hn
        · rename_i he
          refine ⟨[], a, n, A, rfl, rfl, by omega, ?_⟩
          rcases List.mem_append.1 hn with hn | hn <;> obtain ⟨x, hx, rfl⟩ := List.mem_map.1 hn
          · obtain ⟨h1, h2⟩ := (mem_atDistance hk (by omega)).1 hx
            exact .inl ⟨rfl, h1, h2⟩
          · obtain ⟨h1, h2⟩ := (mem_atDistance hk (by omega)).1 hx
            exact .inr ⟨rfl, h1, h2⟩
      · obtain ⟨P, m, n, Q, rfl, rfl, h⟩ := (mem_changedBy_iff hk).1 hB'
        exact ⟨a :: P, m, n, Q, rfl, rfl, h⟩
    · rintro ⟨P, m, n, Q, h1, h2, he, h⟩
      cases P with
      | nil =>
        simp only [List.nil_append, List.cons.injEq] at h1 h2
        obtain ⟨rfl, rfl⟩ := h1
        refine .inl ⟨n, ?_, h2.symm⟩
        rw [Mode.changedBy, if_neg (by omega), List.mem_append, List.mem_map, List.mem_map]
        rcases h with ⟨h3, h4, h5⟩ | ⟨h3, h4, h5⟩
        · exact .inl ⟨n.extent, (mem_atDistance hk (by omega)).2 ⟨h4, h5⟩, by rw [← h3]⟩
        · exact .inr ⟨n.stride, (mem_atDistance hk (by omega)).2 ⟨h4, h5⟩, by rw [← h3]⟩
      | cons p P =>
        simp only [List.cons_append, List.cons.injEq] at h1 h2
        obtain ⟨rfl, rfl⟩ := h1
        exact .inr ⟨P ++ n :: Q, (mem_changedBy_iff hk).2 ⟨P, m, n, Q, rfl, rfl, he, h⟩, h2.symm⟩

theorem le_largest {N : Nat} : {A : FlatLayout} → N ≤ largest N A ∧ ∀ m ∈ A, m.extent ≤ largest N A ∧ m.stride ≤ largest N A
  | [] => ⟨Nat.le_refl _, by simp⟩
  | a :: A => by
    obtain ⟨h1, h2⟩ := le_largest (N := N) (A := A)
    rw [largest]
    refine ⟨by omega, fun m hm => ?_⟩
    rcases List.mem_cons.1 hm with rfl | hm
    · omega
    · have := h2 m hm
      omega

theorem mayTile_iff {N : Nat} : {A : FlatLayout} → (mayTile N A = true ↔ ∀ m ∈ A, 1 < m.extent → m.extent ∣ N ∧ m.stride ∣ N)
  | [] => by simp [mayTile]
  | a :: A => by
    rw [mayTile, Bool.and_eq_true, mayTile_iff, List.forall_mem_cons]
    refine and_congr_left fun _ => ?_
    simp only [Bool.or_eq_true, Bool.and_eq_true, decide_eq_true_eq, beq_iff_eq, Nat.dvd_iff_mod_eq_zero]
    constructor
    · rintro (h | h) he
      · omega
      · exact h
    · intro h
      rcases Nat.lt_or_ge 1 a.extent with he | he
      · exact .inr (h he)
      · exact .inl he

theorem dvd_blockFrom_of_divides : {c : Nat} → {L : FlatLayout} → Divides c L → c ∣ blockFrom c L ∧
    ∀ m ∈ L, 0 < m.stride ∧ m.extent * m.stride ∣ blockFrom c L
  | c, [], _ => ⟨Nat.dvd_refl c, by simp⟩
  | c, a :: L, h => by
    obtain ⟨h1, h2⟩ := dvd_blockFrom_of_divides h.2.2
    refine ⟨Nat.dvd_trans h.2.1 (Nat.dvd_trans (Nat.dvd_mul_left _ _) h1), fun m hm => ?_⟩
    rcases List.mem_cons.1 hm with rfl | hm
    · exact ⟨h.1, h1⟩
    · exact h2 m hm

end FlatLayout

namespace Layout
open FlatLayout

/-- **Of a tile that divides, each mode of extent above 1 has a positive stride, and its extent × stride divides the size of the
layout.**
Rust: `razorgirl::Layout::logical_divide`
Source: Colfax 2.1.6.21, 2.3.8 -/
theorem dvd_size_of_logicalDivide {A T : Layout} (hT : FlatLayout.Valid T.modes) (h : (logicalDivide A T).isSome = true) {m : Mode}
    (hm : m ∈ T.modes) (he : 1 < m.extent) : 0 < m.stride ∧ m.extent * m.stride ∣ A.size := by
  have ht : tiling T A.size ≠ none := by
    intro e
    rw [logicalDivide, divideWith, e] at h
    cases h
  rw [tiling, Ne, Option.map_eq_none_iff, complementIn, Option.map_eq_none_iff, ← Ne, complementIn_ne_none_iff_divides] at ht
  obtain ⟨-, hb, hd⟩ := ht
  obtain ⟨-, h2⟩ := dvd_blockFrom_of_divides hd
  obtain ⟨h3, h4⟩ := h2 m ((mem_chain_iff hT).2 ⟨hm, he⟩)
  exact ⟨h3, Nat.dvd_trans h4 hb⟩

theorem mayTile_of_logicalDivide {A T : Layout} (hT : FlatLayout.Valid T.modes) (h : (logicalDivide A T).isSome = true) :
    mayTile A.size T.modes = true :=
  mayTile_iff.2 fun _ hm he =>
    have h1 := (dvd_size_of_logicalDivide hT h hm he).2
    ⟨Nat.dvd_trans (Nat.dvd_mul_right _ _) h1, Nat.dvd_trans (Nat.dvd_mul_left _ _) h1⟩

theorem firstTile_eq_some {A T B : Layout} : {Bs : List FlatLayout} → firstTile A T Bs = some B →
    B.modes ∈ Bs ∧ B.profile = T.profile ∧ (logicalDivide A B).isSome = true
  | [], h => by cases h
  | C :: Bs, h => by
    rw [firstTile] at h
    split at h
    · rename_i hc
      obtain rfl := Option.some.inj h
      exact ⟨by simp, rfl, (Bool.and_eq_true _ _ ▸ hc).2⟩
    · obtain ⟨h1, h2, h3⟩ := firstTile_eq_some h
      exact ⟨by simp [h1], h2, h3⟩

theorem firstTile_eq_none {A T : Layout} : {Bs : List FlatLayout} → (∀ B ∈ Bs, FlatLayout.Valid B) → firstTile A T Bs = none →
    ∀ B ∈ Bs, logicalDivide A ⟨B, T.profile⟩ = none
  | [], _, _ => by simp
  | C :: Bs, hv, h => by
    rw [firstTile] at h
    split at h
    · cases h
    · rename_i hc
      intro B hB
      rcases List.mem_cons.1 hB with rfl | hB
      · cases hd : logicalDivide A ⟨B, T.profile⟩ with
        | none => rfl
        | some R =>
          have hs : (logicalDivide A ⟨B, T.profile⟩).isSome = true := by rw [hd]; rfl
          have := mayTile_of_logicalDivide (T := ⟨B, T.profile⟩) (hv B (by simp)) hs
          exact absurd (by rw [hs, Bool.and_true]; exact this) hc
      · exact firstTile_eq_none (fun B hB => hv B (by simp [hB])) h B hB

theorem valid_of_changedBy {A B : FlatLayout} {k : Nat} (hA : FlatLayout.Valid A) (h : ChangedBy A B k) : FlatLayout.Valid B := by
  obtain ⟨P, m, n, Q, rfl, rfl, he, h⟩ := h
  rw [valid_append_iff] at hA ⊢
  refine ⟨hA.1, ?_, hA.2.2⟩
  rcases h with ⟨_, h, _⟩ | ⟨h, _⟩ <;> omega

theorem nearestFrom_eq_some {A T B : Layout} (hT : FlatLayout.Valid T.modes) : {fuel k : Nat} → 0 < k →
    nearestFrom A T k fuel = some B → B.profile = T.profile ∧ (logicalDivide A B).isSome = true ∧
      ∃ j, k ≤ j ∧ ChangedBy T.modes B.modes j ∧ ∀ i C, k ≤ i → i < j → ChangedBy T.modes C i →
        logicalDivide A ⟨C, T.profile⟩ = none
  | 0, _, _, h => by cases h
  | fuel + 1, k, hk, h => by
    rw [nearestFrom] at h
    split at h
    · rename_i B' hB
      obtain rfl := Option.some.inj h
      obtain ⟨h1, h2, h3⟩ := firstTile_eq_some hB
      exact ⟨h2, h3, k, Nat.le_refl k, (mem_changedBy_iff hk).1 h1, fun i C h4 h5 => by omega⟩
    · rename_i hn
      obtain ⟨h1, h2, j, h3, h4, h5⟩ := nearestFrom_eq_some hT (Nat.succ_pos k) h
      refine ⟨h1, h2, j, by omega, h4, fun i C h6 h7 h8 => ?_⟩
      rcases Nat.lt_or_ge k i with h9 | h9
      · exact h5 i C h9 h7 h8
      · obtain rfl : i = k := by omega
        exact firstTile_eq_none (fun B hB => valid_of_changedBy hT ((mem_changedBy_iff hk).1 hB)) hn C
          ((mem_changedBy_iff hk).2 h8)

theorem nearestFrom_eq_none {A T : Layout} (hT : FlatLayout.Valid T.modes) : {fuel k : Nat} → 0 < k →
    nearestFrom A T k fuel = none → ∀ i C, k ≤ i → i < k + fuel → ChangedBy T.modes C i →
      logicalDivide A ⟨C, T.profile⟩ = none
  | 0, _, _, _, i, C, h1, h2, _ => by omega
  | fuel + 1, k, hk, h, i, C, h1, h2, hc => by
    rw [nearestFrom] at h
    split at h
    · cases h
    · rename_i hn
      rcases Nat.lt_or_ge k i with h9 | h9
      · exact nearestFrom_eq_none hT (Nat.succ_pos k) h i C h9 (by omega) hc
      · obtain rfl : i = k := by omega
        exact firstTile_eq_none (fun B hB => valid_of_changedBy hT ((mem_changedBy_iff hk).1 hB)) hn C
          ((mem_changedBy_iff hk).2 hc)

theorem eq_of_changedBy_zero {A B : FlatLayout} (h : ChangedBy A B 0) : B = A := by
  obtain ⟨P, m, n, Q, rfl, rfl, _, h⟩ := h
  have : n = m := by
    cases m
    cases n
    simp only [Mode.mk.injEq]
    simp only at h
    omega
  rw [this]

/-- **The suggested tile divides; it is the one that was asked for if that divides, and else differs from it in one number, by as
little as any such tile that divides.**
Rust: `razorgirl::Layout::nearest_tile`
Source: none known -/
theorem nearestTile_eq_some {A T B : Layout} (hT : FlatLayout.Valid T.modes) (h : nearestTile A T = some B) :
    (∃ R, logicalDivide A B = some R) ∧ B.profile = T.profile ∧
      (B = T ∨ logicalDivide A T = none ∧ ∃ k, ChangedBy T.modes B.modes k ∧
        ∀ j C, ChangedBy T.modes C j → (∃ R, logicalDivide A ⟨C, T.profile⟩ = some R) → k ≤ j) := by
  rw [nearestTile] at h
  split at h
  · rename_i hs
    obtain rfl := Option.some.inj h
    exact ⟨Option.isSome_iff_exists.1 hs, rfl, .inl rfl⟩
  · rename_i hs
    have hn : logicalDivide A T = none := by simpa using hs
    obtain ⟨h1, h2, k, h3, h4, h5⟩ := nearestFrom_eq_some hT Nat.one_pos h
    refine ⟨Option.isSome_iff_exists.1 h2, h1, .inr ⟨hn, k, h4, fun j C hc ⟨R, hR⟩ => ?_⟩⟩
    rcases Nat.lt_or_ge j k with hj | hj
    · rcases Nat.eq_zero_or_pos j with rfl | h0
      · rw [eq_of_changedBy_zero hc] at hR
        exact absurd (hn.symm.trans hR) (by simp)
      · exact absurd ((h5 j C h0 hj hc).symm.trans hR) (by simp)
    · exact hj

/-- **Where no tile is suggested, neither the one that was asked for nor any that differs from it in one number divides.**
Rust: `razorgirl::Layout::nearest_tile`
Source: none known -/
theorem nearestTile_eq_none_iff {A T : Layout} (hA : A.Valid) (hT : FlatLayout.Valid T.modes) : nearestTile A T = none ↔
    logicalDivide A T = none ∧ ∀ k C, ChangedBy T.modes C k → logicalDivide A ⟨C, T.profile⟩ = none := by
  constructor
  · intro h
    rw [nearestTile] at h
    split at h
    · cases h
    · rename_i hs
      have hn : logicalDivide A T = none := by simpa using hs
      refine ⟨hn, fun k C hc => ?_⟩
      cases hd : logicalDivide A ⟨C, T.profile⟩ with
      | none => rfl
      | some R =>
        exfalso
        have hk : 0 < k := by
          rcases Nat.eq_zero_or_pos k with rfl | h0
          · rw [eq_of_changedBy_zero hc] at hd
            exact absurd (hn.symm.trans hd) (by simp)
          · exact h0
        have hle : k ≤ largest A.size T.modes := by
          have hd' : (logicalDivide A ⟨C, T.profile⟩).isSome = true := by rw [hd]; rfl
          have hpos : 0 < A.size := hA.2.size_pos
          obtain ⟨hN, hl⟩ := le_largest (N := A.size) (A := T.modes)
          have hv := valid_of_changedBy hT hc
          obtain ⟨P, m, n, Q, e1, e2, he, h'⟩ := hc
          have hm := hl m (by rw [e1]; simp)
          have hne : 1 < n.extent := by rcases h' with ⟨_, h', _⟩ | ⟨h', _⟩ <;> omega
          obtain ⟨h1, h2⟩ := dvd_size_of_logicalDivide (T := ⟨C, T.profile⟩) hv hd' (m := n) (by rw [e2]; simp) hne
          have h3 := Nat.le_of_dvd hpos h2
          have h4 : n.extent ≤ n.extent * n.stride := Nat.le_mul_of_pos_right _ h1
          have h5 : n.stride ≤ n.extent * n.stride := Nat.le_mul_of_pos_left _ (by omega)
          omega
        have := nearestFrom_eq_none hT Nat.one_pos h k C hk (by omega) hc
        exact absurd (this.symm.trans hd) (by simp)
  · rintro ⟨h1, h2⟩
    rw [nearestTile, h1]
    cases h : nearestFrom A T 1 (largest A.size T.modes) with
    | none => rfl
    | some B =>
      obtain ⟨h3, h4, k, _, h5, _⟩ := nearestFrom_eq_some hT Nat.one_pos h
      have := h2 k B.modes h5
      rw [← h3] at this
      rw [this] at h4
      cases h4

end Layout

end Razorgirl
