module

public import Razorgirl.Spec.Relation.Linear
public import Razorgirl.Spec.Swizzle

@[expose] public section

/-!
# Swizzles as relations of bits

Each changed bit is the sum, modulo 2, of itself and the bit that is read for it. Bits are counted from the lowest.
Source: «Modeling Layout Abstractions Using Integer Set Relations», swizzles; there bits are counted from the highest
-/

namespace Razorgirl

namespace Swizzle

/-- What a swizzle does to the bits of the numbers of `k` bits; bits from `k` on are dropped. -/
def bitRelation (s : Swizzle) (k : Nat) : Relation := Relation.between (List.replicate k 2) (List.replicate k 2) s.apply

/-- Bit `j` after the swizzle. -/
def bitAfter (s : Swizzle) (bits : List Int) (j : Nat) : Int :=
  if s.base + (-s.shift).toNat ≤ j ∧ j < s.base + (-s.shift).toNat + s.bits then
    (bits.getD j 0 + bits.getD (s.base + s.shift.toNat + (j - (s.base + (-s.shift).toNat))) 0) % 2
  else bits.getD j 0

-- Swizzle<1,1,1>: bit 2 onto bit 1
example : (List.range 3).map (bitAfter ⟨1, 1, 1⟩ [1, 0, 1]) = [1, 1, 1] := by decide
example : bitRelation ⟨1, 0, 1⟩ 2 = [([0, 0], [0, 0]), ([1, 0], [1, 0]), ([0, 1], [1, 1]), ([1, 1], [0, 1])] := by decide +kernel

end Swizzle

end Razorgirl
