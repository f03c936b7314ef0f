module

public import Razorgirl.Thm.Layout.Coalesce
public import Razorgirl.Thm.LinearLayout.Carry
public import Razorgirl.Thm.Swizzle

@[expose] public section

/-!
# A linear layout as a swizzle after a layout: what is proved

Columns that overlap may still be a swizzle after columns that do not. Whether they are is decided by the search among the
swizzles of as many bits as the columns have: bits beyond those may be left out of any swizzle that does it.
-/

namespace Razorgirl

namespace LinearLayout

open F2 SwizzledLayout

theorem undo_linear (s : Swizzle) : Linear s.undo := Swizzle.iterate_lin (Swizzle.apply_linear s.bits s.base s.shift) _

theorem mem_swizzles {n : Nat} {s : Swizzle} : s ∈ swizzles n ↔
    s = ⟨0, 0, 0⟩ ∨ (0 < s.bits ∧ 0 < s.shift.natAbs ∧ s.bits + s.base + s.shift.natAbs ≤ n) := by
  obtain ⟨B, M, S⟩ := s
  simp only [swizzles, List.mem_cons, List.mem_flatMap, List.mem_range, Swizzle.mk.injEq, List.not_mem_nil, or_false]
  constructor
  · rintro (h | ⟨b, hb, m, hm, k, hk, h | h⟩)
    · exact .inl h
    · right; omega
    · right; omega
  · rintro (h | h)
    · exact .inl h
    · right
      refine ⟨B - 1, by omega, M, by omega, S.natAbs - 1, by omega, ?_⟩
      omega

theorem bijective_of_mem {n : Nat} {s : Swizzle} (h : s ∈ swizzles n) : s.shift ≠ 0 ∨ s.bits = 0 := by
  rcases mem_swizzles.1 h with rfl | h
  · exact .inr rfl
  · left; omega

/-- **Where a swizzle is found, the columns that are answered have no common bits, and the linear layout is the swizzle after
theirs.**
Source: none known -/
theorem swizzleOf_sound {n : Nat} {cols ds : List Nat} {s : Swizzle} (h : swizzleOf n cols = some (s, ds)) :
    disjoint ds = true ∧ ∀ x, s.apply (F2.apply ds x) = F2.apply cols x := by
  obtain ⟨u, hu, e⟩ := Option.map_eq_some_iff.1 h
  rw [Prod.mk.injEq] at e
  obtain ⟨rfl, rfl⟩ := e
  refine ⟨List.find?_some (p := fun s => disjoint (undone s cols)) hu, fun x => ?_⟩
  rw [undone, F2.apply_map (undo_linear u)]
  exact (Swizzle.undo_apply (bijective_of_mem (List.mem_of_find?_eq_some hu)) _).2

theorem disjoint_map {f : Nat → Nat} (hf : ∀ x i, (f x).testBit i = true → x.testBit i = true) {ds : List Nat}
    (h : disjoint ds = true) : disjoint (ds.map f) = true := by
  induction ds with
  | nil => rfl
  | cons d ds ih =>
    obtain ⟨h₁, h₂⟩ := disjoint_cons.1 h
    refine disjoint_cons.2 ⟨fun c hc => ?_, ih h₂⟩
    obtain ⟨b, hb, rfl⟩ := List.mem_map.1 hc
    apply Nat.eq_of_testBit_eq
    intro i
    have := congrArg (·.testBit i) (h₁ b hb)
    simp only [Nat.testBit_and, Nat.zero_testBit, Bool.and_eq_false_imp] at this ⊢
    intro q
    rw [← Bool.not_eq_true]
    intro r
    exact absurd (hf b i r) (by rw [this (hf d i q)]; exact Bool.false_ne_true)

/-- Towards lower bits, a number is below `2^n` where its image is. -/
theorem lt_of_apply_lt {B M n d : Nat} {S : Int} (hS : 0 < S) (h : Swizzle.apply ⟨B, M, S⟩ d < 2 ^ n) : d < 2 ^ n := by
  have N : d < 2 ^ (d + 1) := Nat.lt_of_lt_of_le Nat.lt_two_pow_self (Nat.pow_le_pow_right (by omega) (by omega))
  have zero : ∀ k i, n ≤ i → d + 1 - i ≤ k → d.testBit i = false := by
    intro k
    induction k with
    | zero =>
      intro i _ hi
      exact Nat.testBit_lt_two_pow (Nat.lt_of_lt_of_le N (Nat.pow_le_pow_right (by omega) (by omega)))
    | succ k ih =>
      intro i hi hk
      have e : (Swizzle.apply ⟨B, M, S⟩ d).testBit i = false :=
        Nat.testBit_lt_two_pow (Nat.lt_of_lt_of_le h (Nat.pow_le_pow_right (by omega) hi))
      rw [Swizzle.apply_eq, Swizzle.testBit_swz] at e
      by_cases m : M + (-S).toNat ≤ i
      · rw [ih (M + S.toNat + (i - (M + (-S).toNat))) (by omega) (by omega), Bool.and_false, Bool.xor_false] at e
        exact e
      · simpa [m] using e
  apply Nat.lt_pow_two_of_testBit
  intro i hi
  exact zero _ i hi (Nat.le_refl _)

/-- The swizzle cut to numbers of `n` bits gives the same image of what is left of a number there. -/
theorem apply_cut {B M n d : Nat} {S : Int} (h : Swizzle.apply ⟨B, M, S⟩ d < 2 ^ n) :
    Swizzle.apply ⟨min B (n - M - S.natAbs), M, S⟩ (d % 2 ^ n) = Swizzle.apply ⟨B, M, S⟩ d := by
  apply Nat.eq_of_testBit_eq
  intro i
  by_cases hi : i < n
  · simp only [Swizzle.apply_eq, Swizzle.testBit_swz, Nat.testBit_mod_two_pow, hi, decide_true, Bool.true_and]
    congr 1
    by_cases m : M + (-S).toNat ≤ i
    · by_cases pos : 0 < S
      · have dn := lt_of_apply_lt pos h
        by_cases q : M + S.toNat + (i - (M + (-S).toNat)) < n
        · rw [decide_eq_true q, Bool.true_and]
          congr 1
          exact decide_eq_decide.2 (by omega)
        · have z : d.testBit (M + S.toNat + (i - (M + (-S).toNat))) = false :=
            Nat.testBit_lt_two_pow (Nat.lt_of_lt_of_le dn (Nat.pow_le_pow_right (by omega) (by omega)))
          rw [z, Bool.and_false, Bool.and_false, Bool.and_false]
      · rw [decide_eq_true (show M + S.toNat + (i - (M + (-S).toNat)) < n by omega), Bool.true_and]
        congr 1
        exact decide_eq_decide.2 (by omega)
    · simp [m]
  · rw [Nat.testBit_lt_two_pow (x := Swizzle.apply ⟨B, M, S⟩ d)
      (Nat.lt_of_lt_of_le h (Nat.pow_le_pow_right (by omega) (by omega)))]
    simp only [Swizzle.apply_eq, Swizzle.testBit_swz, Nat.testBit_mod_two_pow, hi, decide_false, Bool.false_and,
      Bool.false_xor]
    rw [decide_eq_false (by omega), Bool.false_and]

theorem undone_identity (cols : List Nat) : undone ⟨0, 0, 0⟩ cols = cols := by
  have : ∀ c, Swizzle.undo ⟨0, 0, 0⟩ c = c := fun _ => rfl
  exact (List.map_congr_left fun c _ => this c).trans (List.map_id' cols)

/-- **A swizzle is found exactly where the linear layout, of columns below 2^n, is any swizzle after some columns without
common bits: with any B and M, and any shift, 0 and less than B as well.**
Source: none known (196 of the 512 layouts of three columns of three bits, counted in `linear_isl`) -/
theorem swizzleOf_isSome_iff {n : Nat} {cols : List Nat} (hc : ∀ c ∈ cols, c < 2 ^ n) :
    (swizzleOf n cols).isSome = true ↔ ∃ (s : Swizzle) (ds : List Nat), ds.length = cols.length ∧
      disjoint ds = true ∧ ∀ x, s.apply (F2.apply ds x) = F2.apply cols x := by
  constructor
  · intro h
    obtain ⟨⟨s, ds⟩, e⟩ := Option.isSome_iff_exists.1 h
    obtain ⟨h₁, h₂⟩ := swizzleOf_sound e
    refine ⟨s, ds, ?_, h₁, h₂⟩
    obtain ⟨u, _, q⟩ := Option.map_eq_some_iff.1 e
    rw [Prod.mk.injEq] at q
    rw [← q.2, undone, List.length_map]
  · rintro ⟨⟨B, M, S⟩, ds, hl, hd, h⟩
    have e : ds.map (Swizzle.apply ⟨B, M, S⟩) = cols :=
      getD_eq_of_apply (by rw [List.length_map, hl]) fun x _ => by
        rw [F2.apply_map (Swizzle.apply_linear B M S), h]
    have found : ∀ u, u ∈ swizzles n → disjoint (undone u cols) = true → (swizzleOf n cols).isSome = true := by
      intro u hu du
      rw [swizzleOf, Option.isSome_map, List.find?_isSome]
      exact ⟨u, hu, du⟩
    have lt : ∀ d ∈ ds, Swizzle.apply ⟨B, M, S⟩ d < 2 ^ n := by
      intro d m
      apply hc
      rw [← e]
      exact List.mem_map_of_mem m
    by_cases z : S = 0
    · subst z
      refine found ⟨0, 0, 0⟩ (mem_swizzles.2 (.inl rfl)) ?_
      rw [undone_identity, ← e]
      refine disjoint_map (fun x i b => ?_) hd
      rw [Swizzle.apply_eq, Swizzle.testBit_swz] at b
      simp only [Int.toNat_zero, Int.neg_zero, Nat.add_zero] at b
      by_cases m : M ≤ i ∧ i < M + B
      · rw [show M + (i - M) = i by omega, decide_eq_true m, Bool.true_and, Bool.xor_self] at b
        cases b
      · simpa [m] using b
    · have cut : ∀ d ∈ ds, Swizzle.apply ⟨min B (n - M - S.natAbs), M, S⟩ (d % 2 ^ n) = Swizzle.apply ⟨B, M, S⟩ d :=
        fun d m => apply_cut (lt d m)
      have low : disjoint (ds.map (· % 2 ^ n)) = true :=
        disjoint_map (fun x i b => by rw [Nat.testBit_mod_two_pow, Bool.and_eq_true] at b; exact b.2) hd
      have e' : cols = (ds.map (· % 2 ^ n)).map (Swizzle.apply ⟨min B (n - M - S.natAbs), M, S⟩) := by
        rw [← e, List.map_map]
        exact List.map_congr_left fun d m => (cut d m).symm
      have back : ∀ u : Swizzle, (u.shift ≠ 0 ∨ u.bits = 0) →
          cols = (ds.map (· % 2 ^ n)).map u.apply → undone u cols = ds.map (· % 2 ^ n) := by
        intro u hu q
        rw [undone, q, List.map_map]
        conv => rhs; rw [← List.map_id (ds.map (· % 2 ^ n))]
        exact List.map_congr_left fun d _ => (Swizzle.undo_apply hu d).1
      by_cases b : min B (n - M - S.natAbs) = 0
      · refine found ⟨0, 0, 0⟩ (mem_swizzles.2 (.inl rfl)) ?_
        rw [back ⟨0, 0, 0⟩ (.inr rfl) ?_]
        · exact low
        · rw [e', b]
          apply List.map_congr_left
          intro d _
          rw [Swizzle.apply_eq, Swizzle.apply_eq]
          apply Nat.eq_of_testBit_eq
          intro i
          rw [Swizzle.testBit_swz, Swizzle.testBit_swz, decide_eq_false (by omega), decide_eq_false (by omega),
            Bool.false_and, Bool.false_and]
      · refine found ⟨min B (n - M - S.natAbs), M, S⟩ (mem_swizzles.2 (.inr ?_)) ?_
        · simp only; omega
        · rw [back _ (.inl z) e']
          exact low

theorem or_le_foldl (cols : List Nat) (a : Nat) (i : Nat) (h : a.testBit i = true ∨ ∃ c ∈ cols, c.testBit i = true) :
    (cols.foldl (· ||| ·) a).testBit i = true := by
  induction cols generalizing a with
  | nil => simpa using h
  | cons c cs ih =>
    refine ih (a ||| c) ?_
    rcases h with h | ⟨d, hd, h⟩
    · exact .inl (by rw [Nat.testBit_or, h, Bool.true_or])
    · rcases List.mem_cons.1 hd with rfl | hd
      · exact .inl (by rw [Nat.testBit_or, h, Bool.or_true])
      · exact .inr ⟨d, hd, h⟩

theorem lt_width {cols : List Nat} {c : Nat} (h : c ∈ cols) : c < 2 ^ width cols := by
  apply Nat.lt_pow_two_of_testBit
  intro i hi
  rw [← Bool.not_eq_true]
  intro b
  have := or_le_foldl cols 0 i (.inr ⟨c, h, b⟩)
  have lt : cols.foldl (· ||| ·) 0 < 2 ^ i :=
    Nat.lt_of_lt_of_le Nat.lt_log2_self (Nat.pow_le_pow_right (by omega) hi)
  rw [Nat.testBit_lt_two_pow lt] at this
  cases this

/-- **Where a swizzled layout is answered for a linear layout, it is valid and coalesced, has offset 0, and at every index is
what the linear layout is there.**
Source: none known -/
theorem swizzledOfColumns_atIndex {cols : List Nat} {R : SwizzledLayout} (h : swizzledOfColumns cols = some R) :
    R.layout.Valid ∧ R.layout.Coalesced ∧ R.offset = 0 ∧ R.size = 2 ^ cols.length ∧
      ∀ x, R.atIndex x = F2.apply cols x := by
  obtain ⟨⟨s, ds⟩, e, rfl⟩ := Option.map_eq_some_iff.1 h
  obtain ⟨d, a⟩ := swizzleOf_sound e
  have hl : ds.length = cols.length := by
    obtain ⟨u, _, q⟩ := Option.map_eq_some_iff.1 e
    rw [Prod.mk.injEq] at q
    rw [← q.2, undone, List.length_map]
  have hL : layoutOfColumns ds = some (FlatLayout.coalesce (ds.map fun c => ⟨2, c⟩)) := by
    rw [layoutOfColumns, if_pos d]
  obtain ⟨_, hs, ha⟩ := layoutOfColumns_atIndex.2 _ hL
  refine ⟨?_, Layout.coalesced_nest (FlatLayout.coalesce_coalesced _), rfl, ?_, fun x => ?_⟩
  · refine ⟨Layout.profile_length_nest _, ?_⟩
    rw [Layout.nest_modes]
    split
    · simp [FlatLayout.Valid]
    · exact FlatLayout.coalesce_valid (valid_twos ds)
  · rw [SwizzledLayout.size, Layout.size_nest, hs, hl]
  · rw [SwizzledLayout.atIndex, Layout.atIndex_nest, ha, Nat.zero_add, a]

/-- **A swizzled layout is answered exactly for the linear layouts that are any swizzle after any layout that is linear.**
Source: none known (196 of the 512 layouts of three columns of three bits, counted in `linear_isl`) -/
theorem swizzledOfColumns_isSome_iff (cols : List Nat) : (swizzledOfColumns cols).isSome = true ↔
    ∃ (s : Swizzle) (L : FlatLayout), (columnsOfLayout L).isSome = true ∧ FlatLayout.size L = 2 ^ cols.length ∧
      ∀ x, s.apply (FlatLayout.atIndex L x) = F2.apply cols x := by
  rw [swizzledOfColumns, Option.isSome_map, swizzleOf_isSome_iff fun c h => lt_width h]
  constructor
  · rintro ⟨s, ds, hl, hd, h⟩
    have hL : layoutOfColumns ds = some (FlatLayout.coalesce (ds.map fun c => ⟨2, c⟩)) := by
      rw [layoutOfColumns, if_pos hd]
    obtain ⟨_, hs, ha⟩ := layoutOfColumns_atIndex.2 _ hL
    exact ⟨s, _, by rw [columnsOfLayout_layoutOfColumns hL]; rfl, by rw [hs, hl], fun x => by rw [ha, h]⟩
  · rintro ⟨s, L, hc, hs, h⟩
    obtain ⟨ds, e⟩ := Option.isSome_iff_exists.1 hc
    obtain ⟨hs', ha⟩ := columnsOfLayout_apply e
    have two : 2 ^ ds.length = 2 ^ cols.length := hs'.symm.trans hs
    refine ⟨s, ds, Nat.le_antisymm ((Nat.pow_le_pow_iff_right (Nat.lt_succ_self 1)).1 (Nat.le_of_eq two))
      ((Nat.pow_le_pow_iff_right (Nat.lt_succ_self 1)).1 (Nat.le_of_eq two.symm)), ?_, fun x => by rw [← ha, h]⟩
    unfold columnsOfLayout at e
    split at e
    · split at e
      · rename_i d; cases e; exact d
      · cases e
    · cases e

/-- **Of the 512 linear layouts of three columns of three bits, 196 are a swizzle after a layout.**
Source: none known (counted in `linear_isl`) -/
theorem swizzled_three_by_three :
    (List.range 512).countP (fun x => (swizzledOfColumns [x % 8, x / 8 % 8, x / 64]).isSome) = 196 := by
  decide +kernel

end LinearLayout

end Razorgirl
