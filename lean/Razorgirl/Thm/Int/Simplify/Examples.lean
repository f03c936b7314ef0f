module

public import Razorgirl.Thm.Int.Simplify

@[expose] public section

/-!
# The simplifier: worked examples

The examples of nvFuser's documents, from left to right and for both kinds of division, and what is not simplified
because it must not be.
-/

namespace Razorgirl.Index

open Expr

/-- At least 0. -/
def unsigned : Range := ⟨some 0, none⟩

/-- `(a*4 + b) % 4` is `b % 4`. -/
example : [Kind.euclid, .trunc].map (simplify · [unsigned, unsigned]
      (mod (add (mul (var 0) (const 4)) (var 1)) (const 4))) =
    [mod (var 1) (const 4), mod (var 1) (const 4)] := by decide +kernel

/-- `a % 4` is `a` for `0 ≤ a ≤ 3`. -/
example : [Kind.euclid, .trunc].map (simplify · [.below 4] (mod (var 0) (const 4))) = [var 0, var 0] := by
  decide +kernel

/-- `a*256/4` is `a*64`. -/
example : [Kind.euclid, .trunc].map (simplify · [unsigned] (div (mul (var 0) (const 256)) (const 4))) =
    [mul (var 0) (const 64), mul (var 0) (const 64)] := by decide +kernel

/-- `a/4/64` is `a/256`. -/
example : [Kind.euclid, .trunc].map (simplify · [unsigned] (div (div (var 0) (const 4)) (const 64))) =
    [div (var 0) (const 256), div (var 0) (const 256)] := by decide +kernel

/-- `(a*64)%256/4` is `(a%4)*16`. -/
example : [Kind.euclid, .trunc].map (simplify · [unsigned]
      (div (mod (mul (var 0) (const 64)) (const 256)) (const 4))) =
    [mul (mod (var 0) (const 4)) (const 16), mul (mod (var 0) (const 4)) (const 16)] := by decide +kernel

/-- `a*4/256` is `a/64`. -/
example : [Kind.euclid, .trunc].map (simplify · [unsigned] (div (mul (var 0) (const 4)) (const 256))) =
    [div (var 0) (const 64), div (var 0) (const 64)] := by decide +kernel

/-- `(a*256 + b)/4` is `a*64 + b/4`. -/
example : [Kind.euclid, .trunc].map (simplify · [unsigned, unsigned]
      (div (add (mul (var 0) (const 256)) (var 1)) (const 4))) =
    [add (mul (var 0) (const 64)) (div (var 1) (const 4)), add (mul (var 0) (const 64)) (div (var 1) (const 4))] := by
  decide +kernel

/-- `(a*4 + b)/4` is `a` for `0 ≤ b < 4`. -/
example : [Kind.euclid, .trunc].map (simplify · [unsigned, .below 4]
      (div (add (mul (var 0) (const 4)) (var 1)) (const 4))) = [var 0, var 0] := by decide +kernel

/-! ## Beyond the documents -/

/-- A small part passes through a quotient and a remainder: `(a*4 + b)/256` is `a/64`, and `(a*4 + b)%256` is
`(a%64)*4 + b`, for `0 ≤ b < 4`. -/
example : simplify .trunc [unsigned, .below 4] (div (add (mul (var 0) (const 4)) (var 1)) (const 256)) =
      div (var 0) (const 64) ∧
    simplify .trunc [unsigned, .below 4] (mod (add (mul (var 0) (const 4)) (var 1)) (const 256)) =
      add (mul (mod (var 0) (const 64)) (const 4)) (var 1) := by decide +kernel

/-- The digits of an index in a shape of 3 by 4 by anything, put together again: the index. -/
example : simplify .euclid []
    (add (add (mod (var 0) (const 3)) (mul (mod (div (var 0) (const 3)) (const 4)) (const 3)))
      (mul (div (var 0) (const 12)) (const 12))) = var 0 := by decide +kernel

/-- An extent need not be a literal: `(a*n + b) / n` is `a + b/n`, and `(a*n + b) % n` is `b % n`, for `n ≥ 1`. -/
example : simplify .trunc [unsigned, ⟨some 1, none⟩, unsigned] (div (add (mul (var 0) (var 1)) (var 2)) (var 1)) =
      add (var 0) (div (var 2) (var 1)) ∧
    simplify .trunc [unsigned, ⟨some 1, none⟩, unsigned] (mod (add (mul (var 0) (var 1)) (var 2)) (var 1)) =
      mod (var 2) (var 1) := by decide +kernel

/-! ## What must stay -/

/-- `64/256*4` is 0 and `64/(256/4)` is 1; `a/256*4` stays. -/
example : simplify .trunc [] (mul (div (const 64) (const 256)) (const 4)) = const 0 ∧
    simplify .trunc [] (div (const 64) (div (const 256) (const 4))) = const 1 ∧
    simplify .trunc [unsigned] (mul (div (var 0) (const 256)) (const 4)) =
      mul (div (var 0) (const 256)) (const 4) := by decide +kernel

/-- In C, `(a*4 + b) % 4` stays if `a` may be negative: for `a = -1`, `b = 1` it is -3, and `b % 4` is 1. -/
example : simplify .trunc [.all, unsigned] (mod (add (mul (var 0) (const 4)) (var 1)) (const 4)) =
      mod (add (mul (var 0) (const 4)) (var 1)) (const 4) ∧
    (-1 * 4 + 1 : Int).tmod 4 = -3 ∧ (1 : Int).tmod 4 = 1 := by decide +kernel

/-- The Euclidean remainder needs no sign. -/
example : simplify .euclid [] (mod (add (mul (var 0) (const 4)) (var 1)) (const 4)) = mod (var 1) (const 4) := by
  decide +kernel

/-- A Euclidean quotient of a quotient by a number that may be negative stays: `1 / -1 / 2` is -1, `1 / -2` is 0. -/
example : simplify .euclid [] (div (div (var 0) (var 1)) (const 2)) = div (div (var 0) (var 1)) (const 2) ∧
    simplify .trunc [] (div (div (var 0) (var 1)) (const 2)) =
      div (var 0) (mul (var 1) (const 2)) := by decide +kernel

/-- `a*n/n` stays if `n` may be 0, and so does a division by 0. -/
example : simplify .euclid [] (div (mul (var 0) (var 1)) (var 1)) = div (mul (var 0) (var 1)) (var 1) ∧
    simplify .euclid [] (div (var 0) (const 0)) = div (var 0) (const 0) := by decide +kernel

end Razorgirl.Index
