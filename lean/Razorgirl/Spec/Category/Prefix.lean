module

public import Razorgirl.Spec.Coord

@[expose] public section

/-!
# Prefix products

Where the entries of a tuple begin and end in its column-major index («Categorical Foundations» 4.1).
-/

namespace Razorgirl

namespace Category

/-- The products of the first 0, 1, 2, … entries, the product of all included. -/
def prefixProducts : List Nat → List Nat
  | [] => [1]
  | x :: xs => 1 :: (prefixProducts xs).map (x * ·)

/-- Of each prefix product of the one list and each of the other, one divides the other. -/
def Comparable (xs ys : List Nat) : Prop := ∀ p ∈ prefixProducts xs, ∀ q ∈ prefixProducts ys, p ∣ q ∨ q ∣ p

example : prefixProducts [6, 2, 3] = [1, 6, 12, 36] := by decide

end Category

end Razorgirl
