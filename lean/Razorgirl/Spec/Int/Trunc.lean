module

@[expose] public section

/-!
# Truncating division

The quotient is rounded towards 0, so that the remainder takes the sign of the dividend: `/` and `%` of C, C++
and CUDA. In Lean's library they are `Int.tdiv` and `Int.tmod`; there `a.tdiv 0 = 0` and `a.tmod 0 = a`, whereas
`trunc` refuses a divisor of 0.
Source: nvFuser, `doc/math/integer-division.md`, sections 3 and 4.
-/

namespace Razorgirl.Division

/-- `q` and `r` are quotient and remainder of the truncating division of `a` by `b`: `0 ≤ r < |b|` or
`-|b| < r ≤ 0`, on the side of 0 on which `a` is (nvFuser Definition 4.0). -/
def IsTrunc (a b q r : Int) : Prop :=
  a = b * q + r ∧ (0 ≤ a → 0 ≤ r ∧ r < b.natAbs) ∧ (a < 0 → -(b.natAbs : Int) < r ∧ r ≤ 0)

/-- Quotient and remainder; `none` if the divisor is 0.
Rust: `razorgirl::int::trunc` -/
def trunc (a b : Int) : Option (Int × Int) := if b = 0 then none else some (a.tdiv b, a.tmod b)

example : [trunc (-3) 5, trunc (-7) 2, trunc 7 (-2), trunc 1 (-2)] =
    [some (0, -3), some (-3, -1), some (-3, 1), some (0, 1)] := by decide
example : trunc 7 0 = none := by decide
example : IsTrunc (-7) 2 (-3) (-1) ∧ ¬IsTrunc (-7) 2 (-4) 1 := by unfold IsTrunc; decide

end Razorgirl.Division
