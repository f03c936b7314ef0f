module

public import Razorgirl.Spec.Relation.Basic

@[expose] public section

/-!
# Sums of relations

What a layout of two modes is of the layouts of each: the pairs of both coordinates and the sum of both offsets. One completes the
other if the sum takes each number below n once.
-/

namespace Razorgirl

namespace Relation

/-- The inputs of both side by side, and the images added. -/
def sum (r s : Relation) : Relation := r.flatMap fun p => s.map fun q => (p.1 ++ q.1, List.zipWith (· + ·) p.2 q.2)

/-- The images are the numbers below `n`. -/
def fills (r : Relation) (n : Nat) : Bool :=
  (List.range n).all (fun o => r.range.contains [(o : Int)]) &&
    r.range.all fun y => match y with
      | [v] => decide (0 ≤ v) && decide (v < n)
      | _ => false

/-- A smaller input has a smaller image, in lexicographic order. -/
def increasing (r : Relation) : Bool := r.all fun p => r.all fun q => !before p.1 q.1 || before p.2 q.2

/-- Side by side, two relations take each number below `n` once. -/
def completes (r s : Relation) (n : Nat) : Bool := (sum r s).bijective && (sum r s).fills n

example : sum [([0], [0]), ([1], [2])] [([0], [0]), ([1], [1])] =
    [([0, 0], [0]), ([0, 1], [1]), ([1, 0], [2]), ([1, 1], [3])] := by decide
example : completes [([0], [0]), ([1], [2])] [([0], [0]), ([1], [1])] 4 = true := by decide
-- 1:0 does not complete, and 2:2 overlaps
example : completes [([0], [0]), ([1], [2])] [([0], [0])] 4 = false ∧
    completes [([0], [0]), ([1], [2])] [([0], [0]), ([1], [2])] 4 = false := by decide
example : increasing [([0], [0]), ([2], [1])] = true ∧ increasing [([0], [0]), ([2], [0])] = false := by decide

end Relation

end Razorgirl
