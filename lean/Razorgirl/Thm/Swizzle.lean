module

public import Razorgirl.Data.Xor
public import Razorgirl.Spec.Swizzle
public import Razorgirl.Thm.LinearLayout.Columns

@[expose] public section

/-!
# Swizzle<B,M,S>: what is proved

A swizzle is the identity plus a nilpotent map, unless S = 0. When it is a bijection, when an involution, and what its
order is, for every B, M and S.
-/

namespace Razorgirl

namespace Swizzle

open F2

/-- A number with `B` bits from bit `s` exclusive-ored onto bit `t`. -/
def swz (B s t c : Nat) : Nat := c ^^^ move B s t c

theorem testBit_move (B s t c i) :
    (move B s t c).testBit i = (decide (t ≤ i ∧ i < t + B) && c.testBit (s + (i - t))) := by
  simp only [move, Nat.testBit_shiftLeft, Nat.testBit_mod_two_pow, Nat.testBit_shiftRight]
  by_cases h : t ≤ i
  · by_cases k : i < t + B
    · simp [h, k, show i - t < B by omega]
    · simp [k, show ¬ i - t < B by omega]
  · simp [h]

theorem testBit_swz (B s t c i) : (swz B s t c).testBit i
    = (c.testBit i ^^ (decide (t ≤ i ∧ i < t + B) && c.testBit (s + (i - t)))) := by
  rw [swz, Nat.testBit_xor, testBit_move]

theorem apply_eq (B M S c) : apply ⟨B, M, S⟩ c = swz B (M + S.toNat) (M + (-S).toNat) c := by
  unfold apply source swz
  dsimp only
  split
  · rw [show (-S).toNat = 0 by omega]
    congr 1
    apply Nat.eq_of_testBit_eq; intro i
    simp only [testBit_move, Nat.testBit_shiftRight, Nat.testBit_and, Nat.testBit_shiftLeft,
      Nat.testBit_two_pow_sub_one, Nat.add_zero]
    by_cases h : M ≤ i
    · simp [h, show M + S.toNat ≤ S.toNat + i by omega,
        show M + S.toNat + (i - M) = S.toNat + i by omega, Bool.and_comm,
        show S.toNat + i - (M + S.toNat) < B ↔ i < M + B by omega]
    · simp [h, show ¬ M + S.toNat ≤ S.toNat + i by omega]
  · rw [show S.toNat = 0 by omega]
    congr 1
    apply Nat.eq_of_testBit_eq; intro i
    simp only [testBit_move, Nat.testBit_and, Nat.testBit_shiftLeft,
      Nat.testBit_two_pow_sub_one, Nat.add_zero]
    by_cases h : M + (-S).toNat ≤ i
    · simp [h, show (-S).toNat ≤ i by omega, show M ≤ i - (-S).toNat by omega,
        show M + (i - (M + (-S).toNat)) = i - (-S).toNat by omega, Bool.and_comm,
        show i - (-S).toNat - M < B ↔ i < M + (-S).toNat + B by omega]
    · by_cases k : (-S).toNat ≤ i
      · simp [h, show ¬ M ≤ i - (-S).toNat by omega]
      · simp [h, k]

theorem move_lin (B s t) : Linear (move B s t) := by
  intro x y
  simp only [move, Nat.shiftRight_xor_distrib, Nat.xor_mod_two_pow, Nat.shiftLeft_xor_distrib]

theorem swz_lin (B s t) : Linear (swz B s t) := by
  intro x y; simp only [swz, move_lin B s t x y]; ac_rfl

/-- **A swizzle respects exclusive or.**
Source: CuTe `Swizzle<B,M,S>`; the source gives the formula -/
theorem apply_linear (B M S) : Linear (apply ⟨B, M, S⟩) := by
  intro x y; simp only [apply_eq, swz_lin _ _ _ x y]

theorem iterate_add (f m n c) : iterate f (m + n) c = iterate f m (iterate f n c) := by
  induction m with
  | zero => simp [iterate]
  | succ m ih => rw [Nat.succ_add]; simp only [iterate, ih]

theorem iterate_lin {f} (h : Linear f) (n) : Linear (iterate f n) := by
  induction n with
  | zero => intro x y; rfl
  | succ n ih => intro x y; simp only [iterate, ih x y, h _ _]

theorem iterate_two_pow {f} (h : Linear f) (k c) :
    iterate (fun c => c ^^^ f c) (2 ^ k) c = c ^^^ iterate f (2 ^ k) c := by
  induction k generalizing c with
  | zero => simp [iterate]
  | succ k ih =>
    rw [Nat.pow_succ, Nat.mul_two, iterate_add, ih, ih, iterate_add, iterate_lin h]
    calc _ = c ^^^ (iterate f (2^k) c ^^^ iterate f (2^k) c) ^^^ iterate f (2^k) (iterate f (2^k) c) := by ac_rfl
      _ = _ := by simp

theorem testBit_iterate_move_r (B t d n c i) : (iterate (move B (t + d) t) (n + 1) c).testBit i
    = (decide (t ≤ i ∧ i + n * d < t + B) && c.testBit (i + (n + 1) * d)) := by
  induction n generalizing i with
  | zero =>
    simp only [iterate, testBit_move, Nat.zero_mul, Nat.add_zero, Nat.zero_add, Nat.one_mul]
    by_cases h : t ≤ i
    · simp [show t + d + (i - t) = i + d by omega]
    · simp [h]
  | succ n ih =>
    rw [iterate, testBit_move, ih]
    by_cases h : t ≤ i
    · have e : t + d + (i - t) = i + d := by omega
      have e2 : (n + 1) * d = n * d + d := Nat.succ_mul n d
      have e3 : (n + 1 + 1) * d = (n + 1) * d + d := Nat.succ_mul (n + 1) d
      simp only [e, show i + d + (n + 1) * d = i + (n + 1 + 1) * d by omega, ← Bool.and_assoc]
      congr 1
      rw [← Bool.decide_and]
      apply decide_eq_decide.2
      constructor <;> omega
    · simp [h]

theorem testBit_iterate_move_l (B s d n c i) : (iterate (move B s (s + d)) (n + 1) c).testBit i
    = (decide (s + (n + 1) * d ≤ i ∧ i < s + d + B) && c.testBit (i - (n + 1) * d)) := by
  induction n generalizing i with
  | zero =>
    simp only [iterate, testBit_move, Nat.zero_add, Nat.one_mul]
    by_cases h : s + d ≤ i
    · simp [show s + (i - (s + d)) = i - d by omega]
    · simp [h]
  | succ n ih =>
    rw [iterate, testBit_move, ih]
    by_cases h : s + d ≤ i
    · have e : s + (i - (s + d)) = i - d := by omega
      have e3 : (n + 1 + 1) * d = (n + 1) * d + d := Nat.succ_mul (n + 1) d
      simp only [e, Nat.sub_sub, show d + (n + 1) * d = (n + 1 + 1) * d by omega,
        ← Bool.and_assoc]
      congr 1
      rw [← Bool.decide_and]
      apply decide_eq_decide.2
      constructor <;> omega
    · have e3 : (n + 1 + 1) * d = (n + 1) * d + d := Nat.succ_mul (n + 1) d
      have : ¬ (s + (n + 1 + 1) * d ≤ i) := by omega
      simp [h, this]

theorem iterate_move_zero (B M S) (n : Nat) :
    (∀ c, iterate (move B (M + S.toNat) (M + (-S).toNat)) (n + 1) c = 0) ↔ B ≤ n * S.natAbs := by
  rcases Int.le_total 0 S with h | h
  · rw [show (-S).toNat = 0 by omega, Nat.add_zero, show S.natAbs = S.toNat by omega]
    constructor
    · intro H
      apply Nat.le_of_not_lt; intro k
      have := congrArg (·.testBit M) (H (2 ^ (M + (n + 1) * S.toNat)))
      simp [testBit_iterate_move_r, k] at this
    · intro H c
      apply Nat.eq_of_testBit_eq; intro i
      simp only [testBit_iterate_move_r, Nat.zero_testBit, Bool.and_eq_false_imp, decide_eq_true_eq]
      omega
  · rw [show S.toNat = 0 by omega, Nat.add_zero, show S.natAbs = (-S).toNat by omega]
    generalize (-S).toNat = d
    constructor
    · intro H
      apply Nat.le_of_not_lt; intro k
      have := congrArg (·.testBit (M + (n + 1) * d)) (H (2 ^ M))
      have e : (n + 1) * d = n * d + d := Nat.succ_mul n d
      simp [testBit_iterate_move_l, show M + (n + 1) * d < M + d + B by omega] at this
    · intro H c
      apply Nat.eq_of_testBit_eq; intro i
      have e : (n + 1) * d = n * d + d := Nat.succ_mul n d
      simp only [testBit_iterate_move_l, Nat.zero_testBit, Bool.and_eq_false_imp, decide_eq_true_eq]
      omega

/-- **Applied 2^k times, Swizzle<B,M,S> is the identity exactly where (2^k - 1)·\|S\| is at least B.**
Source: none known -/
theorem iterate_eq_self_iff (B M S) (k : Nat) :
    (∀ c, iterate (apply ⟨B, M, S⟩) (2 ^ k) c = c) ↔ B ≤ (2 ^ k - 1) * S.natAbs := by
  have e : apply ⟨B, M, S⟩ = fun c => c ^^^ move B (M + S.toNat) (M + (-S).toNat) c := by
    funext c; exact apply_eq B M S c
  have p : 2 ^ k = (2 ^ k - 1) + 1 := by have := Nat.two_pow_pos k; omega
  rw [← iterate_move_zero B M S, ← p]
  simp only [e, iterate_two_pow (move_lin _ _ _)]
  constructor
  · intro h c
    have := h c
    have q := xor_self_left c (iterate (move B (M + S.toNat) (M + (-S).toNat)) (2 ^ k) c)
    rw [this, Nat.xor_self] at q; exact q.symm
  · intro h c; rw [h c, Nat.xor_zero]

/-- **Swizzle<B,M,S> undoes itself exactly where B = 0 or \|S\| is at least B.**
Source: «Modeling Layout Abstractions Using Integer Set Relations» (repaired: `swizzle_two_zero_one`) -/
theorem involutive_iff (B M S) :
    (∀ c, apply ⟨B, M, S⟩ (apply ⟨B, M, S⟩ c) = c) ↔ B = 0 ∨ B ≤ S.natAbs := by
  have := iterate_eq_self_iff B M S 1
  simp only [iterate] at this
  rw [this]; omega

/-- **Swizzle<B,M,S> is a bijection exactly where S is not 0 or B is 0.**
Source: «Modeling Layout Abstractions Using Integer Set Relations» (repaired: `swizzle_two_zero_one`) -/
theorem bijective_iff (B M S) : Bijective (apply ⟨B, M, S⟩) ↔ S ≠ 0 ∨ B = 0 := by
  constructor
  · rintro ⟨h, _⟩
    apply Classical.byContradiction; intro k
    have s0 : S = 0 := by omega
    have b0 : 0 < B := by omega
    subst s0
    have : apply ⟨B, M, 0⟩ (2 ^ M) = 0 := by
      rw [apply_eq]; apply Nat.eq_of_testBit_eq; intro i
      simp only [testBit_swz, Nat.testBit_two_pow, Nat.zero_testBit]
      by_cases q : M = i
      · subst q; simp [b0]
      · simp [q]; omega
    have := h _ 0 (this.trans (apply_linear B M 0).zero.symm)
    have := Nat.two_pow_pos M
    omega
  · intro h
    have H : B ≤ (2 ^ B - 1) * S.natAbs := by
      rcases h with h | h
      · have : 1 ≤ S.natAbs := by omega
        have := Nat.mul_le_mul_left (2 ^ B - 1) this
        have : B < 2 ^ B := Nat.lt_two_pow_self
        omega
      · omega
    have H := (iterate_eq_self_iff B M S B).2 H
    have p : 2 ^ B = (2 ^ B - 1) + 1 := by have := Nat.two_pow_pos B; omega
    rw [p] at H
    constructor
    · intro x y e
      have hx := H x
      have hy := H y
      rw [iterate_add] at hx hy
      simp only [iterate] at hx hy
      rw [← hx, e, hy]
    · intro y; exact ⟨_, H y⟩

/-- **Swizzle<2,0,1> is no involution, and Swizzle<1,0,0> no bijection: the source says that all are both.**
Source: none known -/
theorem swizzle_two_zero_one : apply ⟨2, 0, 1⟩ (apply ⟨2, 0, 1⟩ 4) ≠ 4 ∧ apply ⟨1, 0, 0⟩ 1 = apply ⟨1, 0, 0⟩ 0 := by
  decide +kernel

/-- **Where a swizzle is a bijection, `undo` is its inverse.**
Source: none known -/
theorem undo_apply {s : Swizzle} (h : s.shift ≠ 0 ∨ s.bits = 0) (x : Nat) :
    s.undo (s.apply x) = x ∧ s.apply (s.undo x) = x := by
  obtain ⟨B, M, S⟩ := s
  have H : B ≤ (2 ^ B - 1) * S.natAbs := by
    rcases h with h | h
    · have h : S ≠ 0 := h
      have : 1 ≤ S.natAbs := by omega
      have := Nat.mul_le_mul_left (2 ^ B - 1) this
      have : B < 2 ^ B := Nat.lt_two_pow_self
      omega
    · have h : B = 0 := h
      omega
  have H := (iterate_eq_self_iff B M S B).2 H
  have p : 2 ^ B = (2 ^ B - 1) + 1 := by have := Nat.two_pow_pos B; omega
  constructor
  · have e := H x
    rw [p, iterate_add] at e
    exact e
  · have e := H x
    rw [p, Nat.add_comm, iterate_add] at e
    exact e

/-- **The columns of a swizzle are the swizzle, on numbers of n bits.**
Source: none known -/
theorem apply_columns (s : Swizzle) {n x : Nat} (hx : x < 2 ^ n) : F2.apply (s.columns n) x = s.apply x :=
  apply_colsOf (apply_linear s.bits s.base s.shift) n x hx

/-- **On parts of a unit the swizzle of units has M larger: units of `2^k` parts go where they went, with their parts in order.**
Source: CuTe `downcast` of a swizzle -/
theorem downcast_apply (s : Swizzle) (k x y : Nat) (hy : y < 2 ^ k) :
    (s.downcast k).apply (2 ^ k * x + y) = 2 ^ k * s.apply x + y := by
  obtain ⟨B, M, S⟩ := s
  apply Nat.eq_of_testBit_eq; intro i
  simp only [downcast, apply_eq, testBit_swz, Nat.testBit_two_pow_mul_add _ hy]
  by_cases h : i < k
  · simp [h, show ¬ M + k + (-S).toNat ≤ i by omega]
  · by_cases q : M + (-S).toNat ≤ i - k
    · simp [h, q, show M + k + (-S).toNat ≤ i by omega,
        show i < M + k + (-S).toNat + B ↔ i - k < M + (-S).toNat + B by omega,
        show ¬ M + k + S.toNat + (i - (M + k + (-S).toNat)) < k by omega,
        show M + k + S.toNat + (i - (M + k + (-S).toNat)) - k = M + S.toNat + (i - k - (M + (-S).toNat)) by omega]
    · simp [h, q, show ¬ M + k + (-S).toNat ≤ i by omega]

/-- **Where it is answered, the swizzle of larger units is undone by going back to the parts, and only then.**
Source: CuTe `upcast` of a swizzle -/
theorem upcast_eq_some_iff {s t : Swizzle} {k : Nat} : s.upcast k = some t ↔ s = t.downcast k := by
  obtain ⟨B, M, S⟩ := s
  obtain ⟨B', M', S'⟩ := t
  simp only [upcast, downcast]
  constructor
  · intro h
    split at h
    · simp only [Option.some.injEq, Swizzle.mk.injEq] at h ⊢
      omega
    · cases h
  · intro h
    simp only [Swizzle.mk.injEq] at h
    rw [if_pos (by omega)]
    simp only [Option.some.injEq, Swizzle.mk.injEq]
    omega

end Swizzle

end Razorgirl
