module

@[expose] public section

/-!
# Euclidean division

Three divisions of integers are in use: Euclidean (layout algebra, mathematics), truncating (C, C++, CUDA) and
rounding up (numbers of tiles). All satisfy `a = b * q + r`; they differ in where `r` lies. Each has a file.

Of the Euclidean one the remainder is never negative. It is what `/` and `%` mean on Lean's integers; there
`a / 0 = 0` and `a % 0 = a`, whereas `euclid` refuses a divisor of 0.
Source: nvFuser, `doc/math/integer-division.md`, sections 1 and 2.
-/

namespace Razorgirl.Division

/-- `q` and `r` are quotient and remainder of the Euclidean division of `a` by `b`: `0 ≤ r < |b|`. -/
def IsEuclid (a b q r : Int) : Prop := a = b * q + r ∧ 0 ≤ r ∧ r < b.natAbs

/-- Quotient and remainder; `none` if the divisor is 0 (nvFuser Theorem 1.1).
Rust: `razorgirl::int::euclid` -/
def euclid (a b : Int) : Option (Int × Int) := if b = 0 then none else some (a / b, a % b)

example : [euclid 4 (-5), euclid (-4) 5, euclid (-3) 5, euclid 7 (-2)] =
    [some (0, 4), some (-1, 1), some (-1, 2), some (-3, 1)] := by decide
example : euclid 7 0 = none := by decide
example : IsEuclid 7 (-2) (-3) 1 := by unfold IsEuclid; decide

/-- `a` and `b` are congruent modulo `c`: they differ by a multiple of `c` (nvFuser Definition 1.1). -/
def Cong (c a b : Int) : Prop := c ∣ a - b

instance (c a b : Int) : Decidable (Cong c a b) := inferInstanceAs (Decidable (_ ∣ _))

example : Cong 5 (-3) 2 ∧ ¬Cong 5 3 2 := by decide

end Razorgirl.Division
