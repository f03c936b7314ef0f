module

@[expose] public section

/-!
# Division rounded up

How many tiles of `b` elements cover `a` elements: nvFuser's `ceilDiv`. The remainder counts back from the end of
the last tile, so its sign is opposite to that of the divisor. Lean's library has no such division; here it is
the one rounded down (`Int.fdiv`), mirrored at 0. A divisor of 0 gives quotient 0 and remainder `a`, as for the
other divisions of the library; `ceil` refuses it.
Source: nvFuser, `doc/math/integer-division.md`, sections 3 and 5.
-/

namespace Razorgirl.Division

/-- The quotient rounded up, whatever the signs: `⌈a/b⌉ = -⌊-a/b⌋`, so `cdiv 5 2 = 3`, `cdiv (-5) 2 = -2`. On natural
numbers it is `ceilDiv`. -/
def cdiv (a b : Int) : Int := -(-a).fdiv b

/-- What the quotient rounded up leaves: `a - b * ⌈a/b⌉`. -/
def cmod (a b : Int) : Int := a - b * cdiv a b

/-- `q` and `r` are quotient and remainder of the division of `a` by `b` rounded up: `-b < r ≤ 0` for `b > 0`,
`0 ≤ r < |b|` for `b < 0` (nvFuser Definition 5.0). -/
def IsCeil (a b q r : Int) : Prop :=
  a = b * q + r ∧ (0 < b → -b < r ∧ r ≤ 0) ∧ (b < 0 → 0 ≤ r ∧ r < b.natAbs)

/-- Quotient and remainder; `none` if the divisor is 0.
Rust: `razorgirl::int::ceil` -/
def ceil (a b : Int) : Option (Int × Int) := if b = 0 then none else some (cdiv a b, cmod a b)

example : [ceil 5 2, ceil 6 4, ceil (-7) 2, ceil 7 (-2)] =
    [some (3, -1), some (2, -2), some (-3, -1), some (-3, 1)] := by decide
example : ceil 7 0 = none := by decide
example : IsCeil 6 4 2 (-2) ∧ ¬IsCeil 6 4 1 2 := by unfold IsCeil; decide

example : cdiv 5 2 = 3 ∧ cdiv (-5) 2 = -2 ∧ cdiv (-1) (-4) = 1 := by decide

/-- How many tiles of `b` elements cover `a` elements: `⌈a/b⌉`, and 0 for `b = 0`. The division rounded up of extents,
strides and numbers of tiles, wherever one is rounded up. -/
def ceilDiv (a b : Nat) : Nat := (a + b - 1) / b

example : [ceilDiv 10 4, ceilDiv 8 4, ceilDiv 0 4, ceilDiv 3 0] = [3, 2, 0, 0] := by decide

end Razorgirl.Division
