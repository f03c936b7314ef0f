module

public import Razorgirl.Spec.Layout.Slice

@[expose] public section

/-!
# The integers of a coordinate

What a slice fixes, and what `dice` keeps.
-/

namespace Razorgirl

namespace Layout

mutual
/-- The integers of a coordinate, in order: `((1,_),2)` gives `1, 2`. -/
def fixed : Coord → List Coord
  | .leaf none => []
  | .leaf (some x) => [.leaf (some x)]
  | .node cs => fixedList cs
/-- The integers of several coordinates. -/
def fixedList : List Coord → List Coord
  | [] => []
  | c :: cs => fixed c ++ fixedList cs
end

example : (fixed (.node [.node [.leaf (some 1), .leaf none], .leaf (some 2)])).map HTuple.flatten = [[some 1], [some 2]] := by
  decide

end Layout

end Razorgirl
