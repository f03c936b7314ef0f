module

public import Razorgirl.Spec.Relation.QuasiAffine
public import Razorgirl.Thm.Coord

@[expose] public section

/-!
# Quasi-affine expressions are decided by a few points
-/

namespace Razorgirl.Index

namespace QuasiAffineAux

/-- One variable by another value. -/
def stepped (i : Nat) (N : Int) (env : Nat → Int) : Nat → Int := fun j => if j = i then env j + N else env j

theorem step_zero_of_not_mentions {i : Nat} (N : Int) : {e : Expr} → e.mentions i = false → e.step i N = 0
  | .var j, h => by simp [Expr.mentions] at h; simp [Expr.step, h]
  | .const _, _ => rfl
  | .add a b, h => by
    simp only [Expr.mentions, Bool.or_eq_false_iff] at h
    simp only [Expr.step, step_zero_of_not_mentions N h.1, step_zero_of_not_mentions N h.2, Int.add_zero]
  | .mul a b, h => by
    simp only [Expr.mentions, Bool.or_eq_false_iff] at h
    have ha := step_zero_of_not_mentions N h.1
    have hb := step_zero_of_not_mentions N h.2
    cases a <;> cases b <;> simp_all [Expr.step]
  | .div a b, h => by
    simp only [Expr.mentions, Bool.or_eq_false_iff] at h
    have ha := step_zero_of_not_mentions N h.1
    cases b <;> simp_all [Expr.step]
  | .mod a b, h => by cases b <;> rfl

theorem eval_stepped_of_not_mentions {i : Nat} {N : Int} {env : Nat → Int} : {e : Expr} → e.mentions i = false →
    e.eval .euclid (stepped i N env) = e.eval .euclid env
  | .var j, h => by simp [Expr.mentions] at h; simp [Expr.eval, stepped, h]
  | .const _, _ => rfl
  | .add a b, h => by
    simp only [Expr.mentions, Bool.or_eq_false_iff] at h
    simp only [Expr.eval, eval_stepped_of_not_mentions h.1, eval_stepped_of_not_mentions h.2]
  | .mul a b, h => by
    simp only [Expr.mentions, Bool.or_eq_false_iff] at h
    simp only [Expr.eval, eval_stepped_of_not_mentions h.1, eval_stepped_of_not_mentions h.2]
  | .div a b, h => by
    simp only [Expr.mentions, Bool.or_eq_false_iff] at h
    simp only [Expr.eval, eval_stepped_of_not_mentions h.1, eval_stepped_of_not_mentions h.2]
  | .mod a b, h => by
    simp only [Expr.mentions, Bool.or_eq_false_iff] at h
    simp only [Expr.eval, eval_stepped_of_not_mentions h.1, eval_stepped_of_not_mentions h.2]

theorem isConst_iff {e : Expr} : e.isConst = true ↔ ∃ n, e = .const n := by cases e <;> simp [Expr.isConst]

theorem quasiAffine_div {a b : Expr} (h : (Expr.div a b).quasiAffine = true) :
    ∃ n : Int, b = .const n ∧ 0 < n ∧ a.quasiAffine = true := by
  cases b <;> simp [Expr.quasiAffine] at h ⊢
  exact ⟨h.2, h.1⟩

theorem quasiAffine_mod {a b : Expr} (h : (Expr.mod a b).quasiAffine = true) :
    ∃ n : Int, b = .const n ∧ 0 < n ∧ a.quasiAffine = true := by
  cases b <;> simp [Expr.quasiAffine] at h ⊢
  exact ⟨h.2, h.1⟩

theorem quasiAffine_mul {a b : Expr} (h : (Expr.mul a b).quasiAffine = true) :
    (∃ k, a = .const k ∧ b.quasiAffine = true) ∨ (∃ k, b = .const k ∧ a.quasiAffine = true) := by
  simp only [Expr.quasiAffine, Bool.or_eq_true, Bool.and_eq_true, isConst_iff] at h
  rcases h with ⟨⟨k, hk⟩, hb⟩ | ⟨ha, k, hk⟩
  · exact .inl ⟨k, hk, hb⟩
  · exact .inr ⟨k, hk, ha⟩

theorem periodOf_pos (i : Nat) : {e : Expr} → e.quasiAffine = true → 0 < e.periodOf i
  | .var _, _ => Nat.one_pos
  | .const _, _ => Nat.one_pos
  | .add a b, h => by
    simp only [Expr.quasiAffine, Bool.and_eq_true] at h
    exact Nat.mul_pos (periodOf_pos i h.1) (periodOf_pos i h.2)
  | .mul a b, h => by
    rcases quasiAffine_mul h with ⟨k, rfl, hb⟩ | ⟨k, rfl, ha⟩
    · simpa [Expr.periodOf] using periodOf_pos i hb
    · simpa [Expr.periodOf] using periodOf_pos i ha
  | .div a b, h => by
    obtain ⟨n, rfl, hn, ha⟩ := quasiAffine_div h
    have := periodOf_pos i ha
    simp only [Expr.periodOf]
    split
    · exact Nat.mul_pos this (by omega)
    · exact Nat.one_pos
  | .mod a b, h => by
    obtain ⟨n, rfl, hn, ha⟩ := quasiAffine_mod h
    have := periodOf_pos i ha
    simp only [Expr.periodOf]
    split
    · exact Nat.mul_pos this (by omega)
    · exact Nat.one_pos

/-- Multiples of a multiple of the period add as often. -/
theorem step_mul {i : Nat} : {e : Expr} → e.quasiAffine = true → (k M : Int) → (e.periodOf i : Int) ∣ M →
    e.step i (k * M) = k * e.step i M
  | .var j, _, k, M, _ => by simp only [Expr.step]; split <;> simp
  | .const _, _, k, M, _ => by simp [Expr.step]
  | .add a b, h, k, M, hM => by
    simp only [Expr.quasiAffine, Bool.and_eq_true] at h
    simp only [Expr.periodOf, Int.natCast_mul] at hM
    simp only [Expr.step]
    rw [step_mul h.1 k M (Int.dvd_trans (Int.dvd_mul_right _ _) hM), step_mul h.2 k M (Int.dvd_trans (Int.dvd_mul_left _ _) hM),
      Int.mul_add]
  | .mul a b, h, k, M, hM => by
    simp only [Expr.periodOf, Int.natCast_mul] at hM
    rcases quasiAffine_mul h with ⟨c, rfl, hb⟩ | ⟨c, rfl, ha⟩
    · simp only [Expr.step]
      rw [step_mul hb k M (Int.dvd_trans (Int.dvd_mul_left _ _) hM), Int.mul_left_comm]
    · have e := step_mul ha k M (Int.dvd_trans (Int.dvd_mul_right _ _) hM)
      have key : ∀ N, (Expr.mul a (.const c)).step i N = a.step i N * c := fun N => by cases a <;> simp [Expr.step]
      rw [key, key, e, Int.mul_assoc]
  | .div a b, h, k, M, hM => by
    obtain ⟨n, rfl, hn, ha⟩ := quasiAffine_div h
    simp only [Expr.step]
    by_cases hm : a.mentions i = true
    · simp only [Expr.periodOf, if_pos hm, Int.natCast_mul, Int.toNat_of_nonneg (Int.le_of_lt hn)] at hM
      obtain ⟨t, rfl⟩ := hM
      have e1 : (a.periodOf i : Int) * n * t = n * (a.periodOf i * t) := by rw [Int.mul_comm _ n, Int.mul_assoc]
      have d1 : (a.periodOf i : Int) ∣ a.periodOf i * t := Int.dvd_mul_right _ _
      rw [e1, step_mul ha k _ (Int.dvd_trans d1 (Int.dvd_mul_left _ _)), step_mul ha n _ d1, Int.mul_left_comm,
        Int.mul_ediv_cancel_left _ (by omega), Int.mul_ediv_cancel_left _ (by omega)]
    · have hm : a.mentions i = false := by simpa using hm
      simp [step_zero_of_not_mentions _ hm]
  | .mod a b, h, k, M, _ => by
    obtain ⟨n, rfl, _, _⟩ := quasiAffine_mod h
    simp [Expr.step]

/-- So many steps of one variable add a constant. -/
theorem eval_stepped {i : Nat} {N : Int} {env : Nat → Int} : {e : Expr} → e.quasiAffine = true → (e.periodOf i : Int) ∣ N →
    e.eval .euclid (stepped i N env) = e.eval .euclid env + e.step i N
  | .var j, _, _ => by
    simp only [Expr.eval, stepped, Expr.step]
    split <;> simp
  | .const _, _, _ => by simp [Expr.eval, Expr.step]
  | .add a b, h, hN => by
    simp only [Expr.quasiAffine, Bool.and_eq_true] at h
    simp only [Expr.periodOf, Int.natCast_mul] at hN
    simp only [Expr.eval, Expr.step]
    rw [eval_stepped h.1 (Int.dvd_trans (Int.dvd_mul_right _ _) hN), eval_stepped h.2 (Int.dvd_trans (Int.dvd_mul_left _ _) hN)]
    omega
  | .mul a b, h, hN => by
    simp only [Expr.periodOf, Int.natCast_mul] at hN
    rcases quasiAffine_mul h with ⟨c, rfl, hb⟩ | ⟨c, rfl, ha⟩
    · simp only [Expr.eval, Expr.step]
      rw [eval_stepped hb (Int.dvd_trans (Int.dvd_mul_left _ _) hN), Int.mul_add]
    · have e := eval_stepped (env := env) ha (Int.dvd_trans (Int.dvd_mul_right _ _) hN)
      simp only [Expr.eval, e, Int.add_mul]
      congr 1
      cases a <;> simp [Expr.step]
  | .div a b, h, hN => by
    obtain ⟨n, rfl, hn, ha⟩ := quasiAffine_div h
    by_cases hm : a.mentions i = true
    · simp only [Expr.periodOf, if_pos hm, Int.natCast_mul, Int.toNat_of_nonneg (Int.le_of_lt hn)] at hN
      obtain ⟨t, rfl⟩ := hN
      have e1 : (a.periodOf i : Int) * n * t = n * (a.periodOf i * t) := by rw [Int.mul_comm _ n, Int.mul_assoc]
      have d1 : (a.periodOf i : Int) ∣ a.periodOf i * t := Int.dvd_mul_right _ _
      simp only [Expr.eval, Expr.step, Kind.div]
      rw [e1, eval_stepped ha (Int.dvd_trans d1 (Int.dvd_mul_left _ _)), step_mul ha n _ d1,
        Int.add_mul_ediv_left _ _ (by omega), Int.mul_ediv_cancel_left _ (by omega)]
    · have hm : a.mentions i = false := by simpa using hm
      simp [Expr.eval, Expr.step, eval_stepped_of_not_mentions hm, step_zero_of_not_mentions _ hm]
  | .mod a b, h, hN => by
    obtain ⟨n, rfl, hn, ha⟩ := quasiAffine_mod h
    by_cases hm : a.mentions i = true
    · simp only [Expr.periodOf, if_pos hm, Int.natCast_mul, Int.toNat_of_nonneg (Int.le_of_lt hn)] at hN
      obtain ⟨t, rfl⟩ := hN
      have e1 : (a.periodOf i : Int) * n * t = n * (a.periodOf i * t) := by rw [Int.mul_comm _ n, Int.mul_assoc]
      have d1 : (a.periodOf i : Int) ∣ a.periodOf i * t := Int.dvd_mul_right _ _
      simp only [Expr.eval, Expr.step, Kind.mod]
      rw [e1, eval_stepped ha (Int.dvd_trans d1 (Int.dvd_mul_left _ _)), step_mul ha n _ d1, Int.add_mul_emod_self_left, Int.add_zero]
    · have hm : a.mentions i = false := by simpa using hm
      simp [Expr.eval, Expr.step, eval_stepped_of_not_mentions hm]

theorem getD_deciding (e f : Expr) (box : List Nat) (i : Nat) :
    (deciding e f box).getD i 1 = if i < box.length then min (box.getD i 1) (e.periodOf i * f.periodOf i + 1) else 1 := by
  simp only [deciding, List.getD, List.getElem?_map]
  split
  · rename_i h; simp [h]
  · rename_i h; simp [List.getElem?_eq_none (l := List.range box.length) (by simpa using h)]

end QuasiAffineAux

open QuasiAffineAux

/-- **Over a box two quasi-affine expressions are equal exactly if they are equal where every variable is below its extent and
at most the product of its divisors in both.** So many points decide, however large the box is.
Source: ours; «Modeling Layout Abstractions Using Integer Set Relations» decides it by isl -/
theorem eq_on_box_iff {e f : Expr} (he : e.quasiAffine = true) (hf : f.quasiAffine = true) (box : List Nat) :
    (∀ x, InBox box x → e.at x = f.at x) ↔ ∀ x, InBox (deciding e f box) x → e.at x = f.at x := by
  constructor
  · intro h x hx
    refine h x fun i => ?_
    have := hx i
    rw [getD_deciding] at this
    split at this
    · omega
    · rename_i hi
      rw [List.getD, List.getElem?_eq_none (by omega)]
      simpa using this
  · intro h x hx
    -- what one variable adds after both periods is the same in both
    have same : ∀ i, i < box.length → e.periodOf i * f.periodOf i < box.getD i 1 →
        e.step i (e.periodOf i * f.periodOf i : Nat) = f.step i (e.periodOf i * f.periodOf i : Nat) := by
      intro i hi hP
      have pos : ∀ j, 0 < box.getD j 1 := fun j => Nat.lt_of_le_of_lt (Nat.zero_le _) (hx j)
      have z := h (fun _ => 0) fun j => by
        rw [getD_deciding]
        have := pos j
        change 0 < _
        split <;> omega
      have o := h (fun j => if j = i then e.periodOf i * f.periodOf i else 0) fun j => by
        rw [getD_deciding]
        have := pos j
        by_cases hj : j = i
        · subst hj; simp only [if_true, if_pos hi]; omega
        · simp only [if_neg hj]; split <;> omega
      have env : (fun j => ((if j = i then e.periodOf i * f.periodOf i else 0 : Nat) : Int))
          = stepped i (e.periodOf i * f.periodOf i : Nat) fun _ => ((0 : Nat) : Int) := by
        funext j
        simp only [stepped]
        split <;> simp
      simp only [Expr.at] at z o
      rw [env, eval_stepped he (by rw [Int.natCast_mul]; exact Int.dvd_mul_right _ _),
        eval_stepped hf (by rw [Int.natCast_mul]; exact Int.dvd_mul_left _ _), z] at o
      omega
    -- reduced one variable after the other
    let r : Nat → Nat → Nat := fun n i =>
      if i < n ∧ e.periodOf i * f.periodOf i < box.getD i 1 then x i % (e.periodOf i * f.periodOf i) else x i
    have step : ∀ n, n ≤ box.length → e.at x - f.at x = e.at (r n) - f.at (r n) := by
      intro n
      induction n with
      | zero =>
        intro _
        have : r 0 = x := by funext i; simp [r]
        rw [this]
      | succ n ih =>
        intro hn
        rw [ih (by omega)]
        by_cases hP : e.periodOf n * f.periodOf n < box.getD n 1
        · have env : (fun j => (r n j : Int)) = stepped n (((x n / (e.periodOf n * f.periodOf n) : Nat) : Int) *
              (e.periodOf n * f.periodOf n : Nat)) fun j => (r (n + 1) j : Int) := by
            funext j
            simp only [stepped, r]
            by_cases hj : j = n
            · subst hj
              simp only [Nat.lt_irrefl, false_and, if_false, Nat.lt_succ_self, hP, and_self, if_true]
              rw [← Int.natCast_mul, ← Int.natCast_add, Nat.mul_comm (x j / _), Nat.mod_add_div]
            · have : j < n + 1 ↔ j < n := by omega
              simp only [if_neg hj, this]
          simp only [Expr.at]
          have de : (e.periodOf n : Int) ∣ (e.periodOf n * f.periodOf n : Nat) := by
            rw [Int.natCast_mul]; exact Int.dvd_mul_right _ _
          have df : (f.periodOf n : Int) ∣ (e.periodOf n * f.periodOf n : Nat) := by
            rw [Int.natCast_mul]; exact Int.dvd_mul_left _ _
          rw [env, eval_stepped he (Int.dvd_trans de (Int.dvd_mul_left _ _)), eval_stepped hf (Int.dvd_trans df (Int.dvd_mul_left _ _)),
            step_mul he _ _ de, step_mul hf _ _ df, same n (by omega) hP]
          omega
        · have : r (n + 1) = r n := by
            funext j
            simp only [r]
            by_cases hj : j = n
            · subst hj; rw [if_neg fun h => hP h.2, if_neg fun h => hP h.2]
            · have : j < n + 1 ↔ j < n := by omega
              simp only [this]
          rw [this]
    have last := h (r box.length) fun i => by
      rw [getD_deciding]
      have hxi := hx i
      simp only [r]
      by_cases hi : i < box.length
      · rw [if_pos hi]
        by_cases hP : e.periodOf i * f.periodOf i < box.getD i 1
        · rw [if_pos ⟨hi, hP⟩]
          have := Nat.mod_lt (x i) (Nat.mul_pos (periodOf_pos i he) (periodOf_pos i hf))
          omega
        · rw [if_neg fun h => hP h.2]
          omega
      · rw [if_neg hi, if_neg fun h => hi h.1]
        rw [List.getD, List.getElem?_eq_none (by omega)] at hxi
        simpa using hxi
    have := step box.length (Nat.le_refl _)
    omega

/-- **Equality over a box is decided, whatever the extents are: the points looked at are as many as the divisors ask for.**
Source: ours; «Modeling Layout Abstractions Using Integer Set Relations» decides it by isl -/
theorem equalOn_iff {e f : Expr} (he : e.quasiAffine = true) (hf : f.quasiAffine = true) (box : List Nat) :
    equalOn e f box = true ↔ ∀ x, InBox box x → e.at x = f.at x := by
  rw [eq_on_box_iff he hf]
  simp only [equalOn, List.all_eq_true, beq_iff_eq, mem_coords]
  have below : ∀ {s c : List Nat}, InBounds s c → ∀ i, c.getD i 0 < s.getD i 1 := by
    intro s
    induction s with
    | nil => intro c h i; cases c with
      | nil => simp
      | cons x c => exact h.elim
    | cons n s ih => intro c h i; cases c with
      | nil => exact h.elim
      | cons x c => cases i with
        | zero => exact h.1
        | succ i => simpa using ih h.2 i
  have inside : ∀ {s : List Nat} {x : Nat → Nat}, InBox s x → InBounds s ((List.range s.length).map x) := by
    intro s
    induction s with
    | nil => intro x _; trivial
    | cons n s ih =>
      intro x h
      rw [List.length_cons, List.range_succ_eq_map, List.map_cons, List.map_map]
      exact ⟨h 0, ih (x := fun i => x (i + 1)) fun i => by simpa using h (i + 1)⟩
  constructor
  · intro h x hx
    have := h _ (inside hx)
    have e : (fun i => ((List.range (deciding e f box).length).map x).getD i 0) = x := by
      funext i
      by_cases hi : i < (deciding e f box).length
      · simp [List.getD, hi]
      · have := hx i
        rw [List.getD, List.getElem?_eq_none (by omega)] at this
        simp [List.getD, hi]
        simp at this
        omega
    rwa [e] at this
  · intro h c hc
    exact h _ (below hc)

end Razorgirl.Index
