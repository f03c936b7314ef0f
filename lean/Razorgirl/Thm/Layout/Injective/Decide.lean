module

public import Razorgirl.Spec.Layout.Injective.Decide
public import Razorgirl.Thm.Layout.Injective.Steps
public import Razorgirl.Thm.Layout.Inverse.Left

@[expose] public section

/-!
# Whether a layout is injective, within a bound: what is proved

Where the strides decide, no bound matters: that they do wherever the strides divide one another in turn is a theorem. What is
searched is right, and a bound too small is the only reason for no answer.
-/

namespace Razorgirl.FlatLayout

/-! ## What the criterion says -/

theorem eq_of_spreadsFrom {L : FlatLayout} {r : Nat} (h : spreadsFrom r L = true) {a a' : Nat} (ha : a ≤ r) (ha' : a' ≤ r)
    {c c' : List Nat} (hc : InBounds (shape L) c) (hc' : InBounds (shape L) c') (e : a + eval L c = a' + eval L c') :
    a = a' ∧ c = c' := by
  induction L generalizing r a a' c c' with
  | nil =>
    cases c <;> cases c' <;> simp_all [InBounds, shape, eval]
  | cons m L ih =>
    cases c with
    | nil => simp [InBounds, shape_cons] at hc
    | cons x c =>
      cases c' with
      | nil => simp [InBounds, shape_cons] at hc'
      | cons x' c' =>
        simp only [shape_cons, InBounds] at hc hc'
        simp only [spreadsFrom, Bool.and_eq_true, decide_eq_true_eq] at h
        simp only [eval] at e
        have h1 : x * m.stride ≤ (m.extent - 1) * m.stride := Nat.mul_le_mul_right _ (by omega)
        have h2 : x' * m.stride ≤ (m.extent - 1) * m.stride := Nat.mul_le_mul_right _ (by omega)
        obtain ⟨e1, rfl⟩ := ih h.2 (a := a + x * m.stride) (a' := a' + x' * m.stride) (by omega) (by omega) hc.2 hc'.2 (by omega)
        have hm : 0 < m.stride := by omega
        have e2 : x = x' := by
          have h3 : (a + x * m.stride) / m.stride = x := by
            rw [Nat.add_mul_div_right _ _ hm, Nat.div_eq_of_lt (by omega), Nat.zero_add]
          have h4 : (a' + x' * m.stride) / m.stride = x' := by
            rw [Nat.add_mul_div_right _ _ hm, Nat.div_eq_of_lt (by omega), Nat.zero_add]
          rw [← h3, e1, h4]
        subst e2
        exact ⟨by omega, rfl⟩

/-- **Where each stride is larger than all that the smaller ones reach together, no two coordinates share an offset.**
Rust: `razorgirl::Layout::injectivity`
Source: none -/
theorem injective_of_spreads {L : FlatLayout} (h : spreads L = true) : Injective L := by
  rw [← injective_squeeze_iff, ← injective_perm (chain_perm L)]
  exact fun c c' hc hc' e => (eq_of_spreadsFrom h (Nat.le_refl 0) (Nat.le_refl 0) hc hc' (by omega)).2

theorem spreadsFrom_of_apart {m : Mode} {L : FlatLayout} {r : Nat} (hr : r < m.stride) (hv : Valid (m :: L))
    (h : Apart (m :: L)) : spreadsFrom r (m :: L) = true := by
  induction L generalizing m r with
  | nil => simp [spreadsFrom, hr]
  | cons n L ih =>
    have h1 := h.1.2
    have h2 := hv.1
    have h3 : (m.extent - 1) * m.stride + m.stride = m.extent * m.stride := by
      rw [← Nat.succ_mul, Nat.succ_eq_add_one, Nat.sub_add_cancel h2]
    rw [spreadsFrom, ih (m := n) (by omega) hv.2 h.2]
    simp [hr]

/-- **Of a layout whose strides, sorted, divide one another in turn, the criterion says exactly whether it is injective.**
Rust: `razorgirl::Layout::injectivity`
Source: none -/
theorem spreads_iff_of_divideInTurn {L : FlatLayout} (hv : Valid L) (h : DivideInTurn 1 (chain L)) :
    spreads L = true ↔ Injective L := by
  refine ⟨injective_of_spreads, fun hi => ?_⟩
  have hc : Injective (chain L) := by rw [injective_perm (chain_perm L), injective_squeeze_iff]; exact hi
  have ha := apart_of_divideInTurn (fun m hm => two_le_of_mem_chain hv hm) hc h
  have hvc := valid_chain hv
  rw [spreads]
  generalize chain L = C at *
  cases C with
  | nil => rfl
  | cons m C => exact spreadsFrom_of_apart h.1.1 hvc ha

/-! ## Two modes -/

theorem not_injective_of_pairMeets {m n : Mode} (hm : 2 ≤ m.extent) (hn : 2 ≤ n.extent) (h : pairMeets m n = true) :
    ¬ Injective [m, n] := by
  simp only [pairMeets, Bool.and_eq_true, decide_eq_true_eq] at h
  intro hi
  have hv : Valid [m, n] := ⟨by omega, by omega, trivial⟩
  have hp := stride_pos_of_injective hv hi (m := m) (by simp) (by omega)
  have := (injective_pair_iff m n (.inl hp)).1 hi
  omega

theorem injective_of_sublist {L M : FlatLayout} (hv : Valid L) (h : M.Sublist L) (hi : Injective L) : Injective M := by
  obtain ⟨N, hN⟩ := h.exists_perm_append
  have hvN := (valid_perm hN).1 hv
  exact injective_of_append_left ((valid_append_iff _ _).1 hvN).2 ((injective_perm hN).1 hi)

theorem somePairMeets_iff (L : FlatLayout) :
    somePairMeets L = true ↔ ∃ m n, [m, n].Sublist L ∧ pairMeets m n = true := by
  induction L with
  | nil => simp [somePairMeets]
  | cons p L ih =>
    rw [somePairMeets, Bool.or_eq_true, ih, List.any_eq_true]
    constructor
    · rintro (⟨n, hn, h⟩ | ⟨m, n, hs, h⟩)
      · exact ⟨p, n, (List.singleton_sublist.2 hn).cons₂ p, h⟩
      · exact ⟨m, n, hs.cons p, h⟩
    · rintro ⟨m, n, hs, h⟩
      cases hs with
      | cons _ hs => exact .inr ⟨m, n, hs, h⟩
      | cons₂ _ hs => exact .inl ⟨n, List.singleton_sublist.1 hs, h⟩

theorem not_injective_of_somePairMeets {L : FlatLayout} (hv : Valid L) (h : somePairMeets (chain L) = true) :
    ¬ Injective L := by
  obtain ⟨m, n, hs, h⟩ := (somePairMeets_iff _).1 h
  intro hi
  have hc : Injective (chain L) := by rw [injective_perm (chain_perm L), injective_squeeze_iff]; exact hi
  exact not_injective_of_pairMeets (two_le_of_mem_chain hv (hs.subset (by simp)))
    (two_le_of_mem_chain hv (hs.subset (by simp))) h (injective_of_sublist (valid_chain hv) hs hc)

theorem apart_or_meets {c : Nat} {L : FlatLayout} (h2 : ∀ m ∈ L, 2 ≤ m.extent) (h : DivideInTurn c L) :
    Apart L ∨ somePairMeets L = true := by
  induction L generalizing c with
  | nil => exact .inl trivial
  | cons m L ih =>
    cases L with
    | nil => exact .inl trivial
    | cons n L =>
      rcases ih (fun p hp => h2 p (List.mem_cons_of_mem _ hp)) h.2 with h1 | h1
      · rcases Nat.lt_or_ge n.stride (m.extent * m.stride) with h3 | h3
        · refine .inr ((somePairMeets_iff _).2 ⟨m, n, by simp, ?_⟩)
          have hd := h.2.1.2
          have hm := h.1.1
          have hn := h2 n (by simp)
          rw [pairMeets, Nat.gcd_eq_left hd, Nat.div_self hm]
          simp only [Bool.and_eq_true, decide_eq_true_eq]
          exact ⟨(Nat.div_lt_iff_lt_mul hm).2 h3, by omega⟩
        · exact .inl ⟨⟨Nat.mod_eq_zero_of_dvd h.2.1.2, h3⟩, h1⟩
      · exact .inr (by rw [somePairMeets, h1, Bool.or_true])

/-- **Where strides divide one another in turn and the layout is not injective, two of its modes alone have an offset twice.**
Rust: `razorgirl::Layout::injectivity`
Source: none -/
theorem somePairMeets_of_divideInTurn {L : FlatLayout} (hv : Valid L) (h : DivideInTurn 1 (chain L)) (hi : ¬ Injective L) :
    somePairMeets (chain L) = true := by
  rcases apart_or_meets (fun m hm => two_le_of_mem_chain hv hm) h with h1 | h1
  · refine absurd (injective_of_spreads ?_) hi
    have hvc := valid_chain hv
    rw [spreads]
    generalize chain L = C at *
    cases C with
    | nil => rfl
    | cons m C => exact spreadsFrom_of_apart h.1.1 hvc h1
  · exact h1

/-! ## The search -/

/-- What `n` tries decide, with `b` of them. -/
def decided (n : Nat) (o : Option (List Int)) (b : Nat) : Searched :=
  if b < n then .unknown
  else
    match o with
    | some Z => .found Z
    | none => .nothing (b - n)

theorem firstWithin_eq {T : Nat} {f : Nat → Int → Searched} {g : Int → Option (List Int)} {l : List Int}
    (h : ∀ z, ∃ n, n ≤ T ∧ ∀ b, f b z = decided n (g z) b) :
    ∃ n, n ≤ l.length * T ∧ ∀ b, firstWithin f b l = decided n (firstSteps g l) b := by
  induction l with
  | nil => exact ⟨0, Nat.zero_le _, fun b => by simp [firstWithin, firstSteps, decided]⟩
  | cons z l ih =>
    obtain ⟨n, hn, e⟩ := h z
    obtain ⟨k, hk, e'⟩ := ih
    rw [List.length_cons, Nat.succ_mul]
    cases hg : g z with
    | some a =>
      refine ⟨n, by omega, fun b => ?_⟩
      rw [firstWithin, e, hg, firstSteps, hg]
      simp only [decided]
      split
      · rename_i h1
        split at h1 <;> simp at h1
      · rfl
    | none =>
      refine ⟨n + k, by omega, fun b => ?_⟩
      rw [firstWithin, e, hg, firstSteps, hg]
      simp only [decided]
      by_cases hb : b < n
      · simp only [hb, if_true, if_pos (show b < n + k by omega)]
      · simp only [hb, if_false, e', decided]
        by_cases hk' : b - n < k
        · rw [if_pos hk', if_pos (by omega)]
        · rw [if_neg hk', if_neg (by omega), Nat.sub_sub]

theorem length_stepsOf (f : Bool) (n : Nat) : (stepsOf f n).length ≤ 2 * n - 1 := by
  induction n with
  | zero => simp [stepsOf]
  | succ n ih =>
    cases n with
    | zero => simp [stepsOf]
    | succ n =>
      rw [stepsOf, List.length_append]
      cases f <;> simp <;> omega

theorem undoingWithin_eq (L : FlatLayout) (r : Int) (fresh : Bool) :
    ∃ n, n ≤ mostTries L ∧ ∀ b, undoingWithin L b r fresh = decided n (undoing L r fresh) b := by
  induction L generalizing r fresh with
  | nil =>
    refine ⟨0, Nat.le_refl _, fun b => ?_⟩
    rw [undoingWithin, undoing]
    split <;> simp [decided]
  | cons m L ih =>
    have key := firstWithin_eq (T := 1 + mostTries L) (l := stepsOf fresh m.extent)
      (f := fun b z =>
        if mayUndo L (r + z * m.stride) then
          match b with
          | 0 => .unknown
          | b + 1 =>
            match undoingWithin L b (r + z * m.stride) (fresh && z == 0) with
            | .found zs => .found (z :: zs)
            | .nothing b' => .nothing b'
            | .unknown => .unknown
        else .nothing b)
      (g := fun z =>
        if mayUndo L (r + z * m.stride) then
          match undoing L (r + z * m.stride) (fresh && z == 0) with
          | some zs => some (z :: zs)
          | none => none
        else none) (fun z => by
        by_cases hm : mayUndo L (r + z * m.stride) = true
        · obtain ⟨n, hn, e⟩ := ih (r + z * m.stride) (fresh && z == 0)
          refine ⟨n + 1, by omega, fun b => ?_⟩
          simp only [hm, if_true]
          cases b with
          | zero => simp [decided]
          | succ b =>
            simp only [e, decided]
            by_cases hb : b < n
            · rw [if_pos hb, if_pos (by omega)]
            · rw [if_neg hb, if_neg (by omega)]
              cases undoing L (r + z * m.stride) (fresh && z == 0) with
              | some zs => rfl
              | none => simp
        · exact ⟨0, Nat.zero_le _, fun b => by simp [hm, decided]⟩)
    obtain ⟨n, hn, e⟩ := key
    refine ⟨n, Nat.le_trans hn ?_, fun b => by rw [undoingWithin, undoing]; exact e b⟩
    rw [mostTries]
    exact Nat.mul_le_mul_right _ (length_stepsOf _ _)

/-! ## The decision -/

theorem nowhere_chain_eq_none_iff (L : FlatLayout) : undoing (chain L).reverse 0 true = none ↔ Injective L := by
  rw [← injective_squeeze_iff, ← injective_perm (chain_perm L)]
  exact nowhere_eq_none_iff (List.reverse_perm _)

/-- **What is decided is so.**
Rust: `razorgirl::Layout::injectivity`
Source: none -/
theorem injectiveWithin_eq_some {L : FlatLayout} (hv : Valid L) {b : Nat} {v : Bool} (h : injectiveWithin L b = some v) :
    v = true ↔ Injective L := by
  rw [injectiveWithin] at h
  split at h
  · rename_i hs
    cases h
    simp [injective_of_spreads hs]
  · split at h
    · rename_i hp
      cases h
      simp [not_injective_of_somePairMeets hv hp]
    · obtain ⟨n, _, e⟩ := undoingWithin_eq (chain L).reverse 0 true
      rw [e, decided.eq_def] at h
      rw [← nowhere_chain_eq_none_iff]
      split at h
      · rename_i h1
        split at h1
        · cases h1
        · split at h1
          · rename_i hu
            cases h
            simp [hu]
          · cases h1
      · rename_i h1
        split at h1
        · cases h1
        · split at h1
          · cases h1
          · rename_i hu
            cases h
            simp [hu]
      · cases h

/-- **Only a bound that is too small leaves a layout undecided: there is a number of tries from which on every bound decides, and it
is at most the product over the modes of the steps each may take, counted at every depth.**
Rust: `razorgirl::Layout::injectivity`
Source: none -/
theorem injectiveWithin_bound (L : FlatLayout) :
    ∃ n, n ≤ mostTries (chain L).reverse ∧ ∀ b, injectiveWithin L b = none ↔ b < n := by
  by_cases hs : spreads L = true
  · exact ⟨0, Nat.zero_le _, fun b => by simp [injectiveWithin, hs]⟩
  by_cases hp : somePairMeets (chain L) = true
  · exact ⟨0, Nat.zero_le _, fun b => by simp [injectiveWithin, hs, hp]⟩
  obtain ⟨n, hn, e⟩ := undoingWithin_eq (chain L).reverse 0 true
  refine ⟨n, hn, fun b => ?_⟩
  rw [injectiveWithin, if_neg hs, if_neg hp, e, decided.eq_def]
  by_cases hb : b < n
  · simp [hb]
  · cases undoing (chain L).reverse 0 true <;> simp [hb]

/-- **Where strides divide one another in turn, no search is needed: every bound decides, 0 too.**
Rust: `razorgirl::Layout::injectivity`
Source: none -/
theorem injectiveWithin_of_divideInTurn {L : FlatLayout} (hv : Valid L) (h : DivideInTurn 1 (chain L)) (b : Nat) :
    injectiveWithin L b = some (spreads L) := by
  rw [injectiveWithin]
  by_cases hs : spreads L = true
  · rw [if_pos hs, hs]
  · have hi : ¬ Injective L := fun hi => hs ((spreads_iff_of_divideInTurn hv h).2 hi)
    rw [if_neg hs, if_pos (somePairMeets_of_divideInTurn hv h hi)]
    simpa using hs

end Razorgirl.FlatLayout
