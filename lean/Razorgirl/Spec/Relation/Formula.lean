module

public import Razorgirl.Spec.Relation.Basic

@[expose] public section

/-!
# Formulas as relations

How mappings are printed: a formula in the linear index. Its value may be negative.
-/

namespace Razorgirl

/-- The relation of a formula in the linear index, on the numbers below `n`. -/
def Relation.formula (n : Nat) (f : Int → Int) : Relation := (List.range n).map fun (x : Nat) => ([(x : Int)], [f x])

example : Relation.formula 3 (fun c => c / 2 - c) = [([0], [0]), ([1], [-1]), ([2], [-1])] := by decide

end Razorgirl
