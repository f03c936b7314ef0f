module

public import Razorgirl.Spec.Relation.Layout

@[expose] public section

/-!
# Index mappings of nested layouts

A nested layout may be called with coordinates of every coarser shape. For each there is an index mapping; it need not be a sum of
multiples of the coordinates.
Source: «Modeling Layout Abstractions Using Integer Set Relations», hierarchical layouts
-/

namespace Razorgirl

/-- The pairs of coordinate and offset, for the coordinates of a coarser shape, written without their nesting. -/
def Layout.indexRelation (L : Layout) (S : IntTuple) : Relation :=
  (List.range (IntTuple.size S)).filterMap fun x =>
    match Coord.idx2crd x S with
    | none => none
    | some c => (L.call (c.map some)).map fun (o : Nat) => (c.flatten.map fun (i : Nat) => (i : Int), [(o : Int)])

-- (2,2):(3,1) with the coordinates of (2,2), and of 4, in which it is no multiple
example : Layout.indexRelation ⟨[⟨2, 3⟩, ⟨2, 1⟩], .node [.leaf (), .leaf ()]⟩ (.node [.leaf 2, .leaf 2]) =
    [([0, 0], [0]), ([1, 0], [3]), ([0, 1], [1]), ([1, 1], [4])] := by decide +kernel
example : Layout.indexRelation ⟨[⟨2, 3⟩, ⟨2, 1⟩], .node [.leaf (), .leaf ()]⟩ (.leaf 4) =
    [([0], [0]), ([1], [3]), ([2], [1]), ([3], [4])] := by decide +kernel

end Razorgirl
