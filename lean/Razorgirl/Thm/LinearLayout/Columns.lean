module

public import Razorgirl.Data.Xor
public import Razorgirl.Spec.LinearLayout.Columns

@[expose] public section

/-!
# Matrices over two elements: what is proved

Both orders of columns are one map; it respects exclusive or; and every map that does is given by its columns.
-/

namespace Razorgirl

namespace F2

@[simp] theorem sel_true (c) : sel true c = c := rfl

@[simp] theorem sel_false (c) : sel false c = 0 := rfl

@[simp] theorem sel_zero (b) : sel b 0 = 0 := by cases b <;> rfl

theorem sel_xor (a b : Bool) (c) : sel (a ^^ b) c = sel a c ^^^ sel b c := by
  cases a <;> cases b <;> simp

theorem sel_xor_right (a : Bool) (c d) : sel a (c ^^^ d) = sel a c ^^^ sel a d := by
  cases a <;> simp

theorem apply_append (cs ds : List Nat) (x : Nat) :
    apply (cs ++ ds) x = apply cs x ^^^ apply ds (x / 2 ^ cs.length) := by
  induction cs generalizing x with
  | nil => simp [apply]
  | cons c cs ih =>
    simp [apply, ih, Nat.xor_assoc, Nat.div_div_eq_div_mul, Nat.pow_succ, Nat.mul_comm]

/-- **Columns taken lowest first are the reversed columns taken highest first.**
Source: «Linear Layouts» (arXiv 2505.23819), section 3 -/
theorem apply_eq_app (cs : List Nat) (x : Nat) : apply cs x = applyHigh cs.reverse x := by
  rw [← List.reverse_reverse cs]
  generalize cs.reverse = ds
  induction ds with
  | nil => rfl
  | cons d ds ih =>
    simp only [List.reverse_cons, apply_append, ih, List.reverse_reverse, apply,
      Nat.xor_zero, List.length_reverse, List.reverse_append, List.reverse_nil, List.nil_append,
      List.singleton_append, applyHigh, Nat.testBit_eq_decide_div_mod_eq]
    exact Nat.xor_comm _ _

theorem applyHigh_xor (cs : List Nat) (x y : Nat) : applyHigh cs (x ^^^ y) = applyHigh cs x ^^^ applyHigh cs y := by
  induction cs with
  | nil => simp [applyHigh]
  | cons c cs ih => simp only [applyHigh, ih, Nat.testBit_xor, sel_xor]; ac_rfl

@[simp] theorem applyHigh_zero (cs : List Nat) : applyHigh cs 0 = 0 := by
  induction cs with
  | nil => rfl
  | cons c cs ih => simp [applyHigh, ih]

/-- **The image of an exclusive or is the exclusive or of the images.**
Source: «Linear Layouts» (arXiv 2505.23819), section 3 -/
theorem apply_xor (cs x y) : apply cs (x ^^^ y) = apply cs x ^^^ apply cs y := by
  simp [apply_eq_app, applyHigh_xor]

/-- **The image of 0 is 0.**
Source: «Linear Layouts» (arXiv 2505.23819), section 3 -/
theorem apply_zero (cs) : apply cs 0 = 0 := by simp [apply_eq_app]

theorem Linear.zero {g} (h : Linear g) : g 0 = 0 := by
  have := h 0 0; rw [Nat.xor_self, Nat.xor_self] at this; exact this

theorem Linear.sel {g} (h : Linear g) (b c) : g (sel b c) = sel b (g c) := by
  cases b <;> simp [h.zero]

theorem applyHigh_map {g} (h : Linear g) (cs : List Nat) (x) : applyHigh (cs.map g) x = g (applyHigh cs x) := by
  induction cs with
  | nil => exact h.zero.symm
  | cons c cs ih => simp [applyHigh, ih, h _ _, h.sel]

/-- **Columns mapped by a function that respects exclusive or are the columns of the function after the matrix.**
Source: «Linear Layouts» (arXiv 2505.23819), section 3 -/
theorem apply_map {g} (h : Linear g) (cs : List Nat) (x) : apply (cs.map g) x = g (apply cs x) := by
  simp only [apply_eq_app, ← List.map_reverse, applyHigh_map h]

/-- **The columns of a composition are the columns of the inner matrix mapped by the outer one.**
Source: «Linear Layouts» (arXiv 2505.23819), section 3 -/
theorem apply_comp (o i x) : apply (comp o i) x = apply o (apply i x) :=
  apply_map (apply_xor o) i x

theorem applyHigh_mod (cs : List Nat) (x n) (h : cs.length ≤ n) : applyHigh cs (x % 2 ^ n) = applyHigh cs x := by
  induction cs with
  | nil => rfl
  | cons c cs ih =>
    simp only [List.length_cons] at h
    simp only [applyHigh, Nat.testBit_mod_two_pow, ih (by omega)]
    simp [show cs.length < n by omega]

theorem applyHigh_two_pow (cs : List Nat) (n) (h : cs.length ≤ n) : applyHigh cs (2 ^ n) = 0 := by
  rw [← applyHigh_mod cs _ n h]; simp

/-- **A function that respects exclusive or is, on numbers of n bits, the matrix of its values at 1, 2, 4, … .**
Source: «Linear Layouts» (arXiv 2505.23819), section 3 -/
theorem apply_colsOf {g} (h : Linear g) (n x) (hx : x < 2 ^ n) : apply (columnsOf g n) x = g x := by
  induction n generalizing x with
  | zero => have : x = 0 := by omega
            subst this; simp [apply_zero, h.zero]
  | succ n ih =>
    have e : x = sel (x.testBit n) (2 ^ n) ^^^ x % 2 ^ n := by
      apply Nat.eq_of_testBit_eq; intro i
      cases hb : x.testBit n
      · simp only [sel_false, Nat.zero_xor, Nat.testBit_mod_two_pow]
        by_cases hi : i < n
        · simp [hi]
        · by_cases i = n
          · simp_all
          · have := Nat.testBit_lt_two_pow (x := x) (i := i)
              (Nat.lt_of_lt_of_le hx (Nat.pow_le_pow_right (by omega) (by omega)))
            simp [this]
      · simp only [sel_true, Nat.testBit_xor, Nat.testBit_mod_two_pow, Nat.testBit_two_pow]
        by_cases hi : i < n
        · simp [hi, show ¬ n = i by omega]
        · by_cases i = n
          · simp_all
          · have := Nat.testBit_lt_two_pow (x := x) (i := i)
              (Nat.lt_of_lt_of_le hx (Nat.pow_le_pow_right (by omega) (by omega)))
            simp [this, show ¬ n = i by omega]
    have l : (columnsOf g n).length = n := by simp [columnsOf]
    have s : apply (columnsOf g (n+1)) x
        = apply (columnsOf g n) x ^^^ sel (x.testBit n) (g (2 ^ n)) := by
      conv => lhs; rw [columnsOf, List.range_succ, List.map_append, apply_append]
      simp [apply, Nat.testBit_eq_decide_div_mod_eq]
      rfl
    rw [s, apply_eq_app, ← applyHigh_mod _ x n (by simp [l]), ← apply_eq_app,
      ih _ (Nat.mod_lt _ (Nat.two_pow_pos n)), ← h.sel, Nat.xor_comm, ← h, ← e]

end F2

end Razorgirl
