module

public import Razorgirl.Thm.Int.Compare

@[expose] public section

/-!
# Integer division: what does not hold

The non-laws of nvFuser's document, the statements of it that are false, and for each hypothesis of a theorem
numbers that show that it is needed. No divisor is 0, except in the last section.
-/

namespace Razorgirl.Division

/-! ## The non-laws of the source -/

/-- **Multiplying by a quotient is not dividing the product.**
Source: nvFuser 2.1(1) -/
theorem mul_ediv_not_assoc : ∃ a b c : Int, c ≠ 0 ∧ a * (b / c) ≠ a * b / c := ⟨2, 3, 2, by decide⟩

/-- **Dividing by a product is not always dividing by one factor after the other: the first may be negative.**
Source: nvFuser 2.1(2) -/
theorem ediv_mul_not_always : ∃ a b c : Int, b ≠ 0 ∧ c ≠ 0 ∧ a / (b * c) ≠ a / b / c := ⟨4, -1, 5, by decide⟩
example : (1 : Int) / (-1 * 2) = 0 ∧ (1 : Int) / -1 / 2 = -1 := by decide

/-- **Dividing by a quotient, multiplying a quotient, and dividing a product may give three different numbers.**
Source: nvFuser 2.1(3) -/
theorem ediv_ediv_not_assoc : ∃ a b c : Int, b ≠ 0 ∧ c ≠ 0 ∧ b / c ≠ 0 ∧
    a / (b / c) ≠ a / b * c ∧ a / b * c ≠ a * c / b ∧ a / (b / c) ≠ a * c / b := ⟨5, 3, 2, by decide⟩

/-- **Division is not distributive over addition.**
Source: nvFuser 2.2 -/
theorem add_ediv_not_distrib : ∃ a b c : Int, c ≠ 0 ∧ (a + b) / c ≠ a / c + b / c := ⟨1, 1, 2, by decide⟩

/-- **In C, multiplying by a quotient is not dividing the product.**
Source: nvFuser 4.1(1) -/
theorem mul_tdiv_not_assoc : ∃ a b c : Int, c ≠ 0 ∧ a * b.tdiv c ≠ (a * b).tdiv c := ⟨2, 3, 2, by decide⟩

/-- **In C, dividing by a quotient, multiplying a quotient, and dividing a product may give three different
numbers.**
Source: nvFuser 4.1(3) -/
theorem tdiv_tdiv_not_assoc : ∃ a b c : Int, b ≠ 0 ∧ c ≠ 0 ∧ b.tdiv c ≠ 0 ∧ a.tdiv (b.tdiv c) ≠ a.tdiv b * c ∧
    a.tdiv b * c ≠ (a * c).tdiv b ∧ a.tdiv (b.tdiv c) ≠ (a * c).tdiv b := ⟨5, 3, 2, by decide⟩

/-- **Truncating division is not distributive over addition.**
Source: nvFuser 4.2 -/
theorem add_tdiv_not_distrib : ∃ a b c : Int, c ≠ 0 ∧ (a + b).tdiv c ≠ a.tdiv c + b.tdiv c :=
  ⟨1, 1, 2, by decide⟩

/-- **In C, congruent numbers may leave different remainders.**
Source: nvFuser integer division, section 3 (S3.P3) -/
theorem tmod_ne_of_cong : ∃ a a' b : Int, b ≠ 0 ∧ Cong b a a' ∧ a.tmod b ≠ a'.tmod b := ⟨-3, 2, 5, by decide⟩

/-- `(64/256)*4` is not `64/(256/4)`, and `(1/4)*256` is not `1*(256/4)`. -/
example : (64 : Int) / 256 * 4 = 0 ∧ (64 : Int) / (256 / 4) = 1 ∧ (1 : Int) / 4 * 256 = 0 ∧
    (1 : Int) * (256 / 4) = 64 := by decide

/-! ## Statements of the source that are false -/

/-- **Negating the divisor does not negate a truncated remainder, as nvFuser says: `1 % -2` is 1 in C.**
Source: nvFuser 4.6, integer division, section 3 (S3.P2) (false there) -/
theorem tmod_neg_ne_neg_tmod : ∃ a b : Int, b ≠ 0 ∧ a.tmod (-b) ≠ -a.tmod b := ⟨1, 2, by decide⟩

/-- **Rounding up differs from the other divisions already for positive numbers.**
Source: nvFuser integer division, section 3 (S3.a) (false there, rounding up being one of the divisions) -/
theorem cdiv_ne_ediv : ∃ a b : Int, 0 ≤ a ∧ 0 < b ∧ cdiv a b ≠ a / b := ⟨1, 2, by decide⟩

/-- 2.6, with «-a/b» read as `(-a)/b`. -/
example : (1 : Int) / -2 = 0 ∧ (-1 : Int) / 2 = -1 := by decide

/-! ## Hypotheses that are needed -/

/-- 2.11 and 2.12, the first factor: a = 1, b = -1, c = 2. -/
example : (1 : Int) / (-1 * 2) ≠ 1 / -1 / 2 ∧ (1 : Int) % (-1 * 2) ≠ 1 % -1 + 1 / -1 % 2 * -1 := by decide
/-- 2.13: d = -1. -/
example : (1 : Int) % 2 ≠ 1 / -1 % (2 / -1) * -1 := by decide
/-- 2.14: c = -1. -/
example : (1 : Int) / (2 / -1) ≠ 1 * -1 / 2 := by decide
/-- 2.16: d = -1. -/
example : ¬((-1 : Int) / -1 < 0 ↔ (-1 : Int) < 0 * -1) := by decide
/-- 2.7.2 and 2.15.2: b = 2 is not below gcd(4, 2). -/
example : ((4 : Int) + 2) % 2 ≠ 4 % 2 + 2 ∧ ((4 : Int) + 2) / 2 ≠ 4 / 2 := by decide

/-- 4.7, 4.7.1, 4.15 and 4.15.1, the signs: a = -2, b = 1, c = 2. -/
example : ((-2 : Int) + 1).tmod 2 ≠ ((-2 : Int).tmod 2 + (1 : Int).tmod 2).tmod 2 ∧
    (-2 : Int).tmod 2 = 0 ∧ ((-2 : Int) + 1).tmod 2 ≠ (1 : Int).tmod 2 ∧
    ((-2 : Int) + 1).tdiv 2 ≠ (-2 : Int).tdiv 2 + (1 : Int).tdiv 2 := by decide
/-- 4.7.2 and 4.15.2, the signs: the same numbers, with gcd(a, c) = 2. -/
example : ((-2 : Int) + 1).tmod 2 ≠ (-2 : Int).tmod 2 + 1 ∧ ((-2 : Int) + 1).tdiv 2 ≠ (-2 : Int).tdiv 2 := by decide
/-- 4.16, the sign of i. -/
example : ¬((-1 : Int).tdiv 2 < 0 ↔ (-1 : Int) < 0 * 2) := by decide

/-- 5.11 and 5.12, the second factor: a = -3, b = 2, c = -1. -/
example : cdiv (-3) (2 * -1) ≠ cdiv (cdiv (-3) 2) (-1) ∧
    cmod (-3) (2 * -1) ≠ cmod (-3) 2 + cmod (cdiv (-3) 2) (-1) * 2 := by decide

/-- A truncated quotient can be at least 0 where the index is not: `ediv_nonneg_iff` is Euclidean. -/
example : 0 ≤ (-1 : Int).tdiv 2 := by decide

/-! ## Divisor 0

With `a / 0 = 0` and `a % 0 = a`, three statements need a divisor other than 0. -/

/-- 2.16 and 4.16: i = 0, d = 0, D = 1. -/
example : ¬((0 : Int) / 0 < 1 ↔ (0 : Int) < 1 * 0) ∧ ¬((0 : Int).tdiv 0 < 1 ↔ (0 : Int) < 1 * 0) := by decide
/-- 4.3(3): a = a' = 0. -/
example : (0 : Int).tmod 0 = (0 : Int).tmod 0 + (0 : Int).natAbs ∧ ¬(0 : Int) < 0 := by decide

end Razorgirl.Division
