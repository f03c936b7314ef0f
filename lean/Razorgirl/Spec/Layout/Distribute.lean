module

public import Razorgirl.Spec.Layout.Coalesce

@[expose] public section

/-!
# Elements distributed over a shape

Which `n` elements of a shape make a tile that divides it? From the first extent to the last, as many as the extent
and what is left of `n` have in common (CuTe `domain_distribute`). There are `gcd(n, size)` of them: all `n` exactly
when `n` divides the size.
-/

namespace Razorgirl

namespace FlatLayout

/-- Of each extent the greatest common divisor with what is left of `n`, at the strides of the column-major layout
from `d` on. -/
def distributeFrom (d : Nat) : (shape : List Nat) → (n : Nat) → FlatLayout
  | [], _ => []
  | s :: ss, n => ⟨Nat.gcd s n, d⟩ :: distributeFrom (s * d) ss (n / Nat.gcd s n)

/-- The tile as linear indices of the shape, coalesced. -/
def distribute (shape : List Nat) (n : Nat) : FlatLayout := coalesce (distributeFrom 1 shape n)

end FlatLayout

namespace Layout

/-- A tile of `gcd(n, size)` elements that divides the shape. CuTe `domain_distribute(shape, n)`.
Rust: `razorgirl::Layout::domain_distribute` -/
def domainDistribute (shape : IntTuple) (n : Nat) : Layout := (FlatLayout.distribute shape.flatten n).nest

/-- CuTe's example: 6 elements of `(15,14)` are `(3,2):(1,15)`. -/
example : FlatLayout.distribute [15, 14] 6 = [⟨3, 1⟩, ⟨2, 15⟩] := by decide +kernel
/-- 6 elements of `(4,1)` there are not; 2 divide both. -/
example : FlatLayout.distribute [4, 1] 6 = [⟨2, 1⟩] := by decide +kernel

end Layout

end Razorgirl
