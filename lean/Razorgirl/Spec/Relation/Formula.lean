module

public import Razorgirl.Spec.Coord
public import Razorgirl.Spec.Relation.Basic

@[expose] public section

/-!
# Formulas as relations

How mappings are printed: formulas in the linear index, or in coordinates. Their values may be negative.
-/

namespace Razorgirl

namespace Relation

/-- The relation of a formula in the linear index, on the numbers below `n`. -/
def formula (n : Nat) (f : Int → Int) : Relation := (List.range n).map fun (x : Nat) => ([(x : Int)], [f x])

/-- The relation of formulas in the coordinates of a shape. -/
def formulas (s : List Nat) (f : List Int → List Int) : Relation :=
  (coords s).map fun c => (c.map fun (x : Nat) => (x : Int), f (c.map fun (x : Nat) => (x : Int)))

example : formula 3 (fun c => c / 2 - c) = [([0], [0]), ([1], [-1]), ([2], [-1])] := by decide
example : formulas [2, 1] (fun c => -1 :: c) = [([0, 0], [-1, 0, 0]), ([1, 0], [-1, 1, 0])] := by decide

end Relation

end Razorgirl
