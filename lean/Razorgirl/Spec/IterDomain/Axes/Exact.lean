module

public import Razorgirl.Spec.IterDomain.Axes

@[expose] public section

/-!
# When loops are layouts

What the steps on layouts look for, said of the loops alone.
-/

namespace Razorgirl.IterDomain

/-- A split, a merge or a reorder: what has a counterpart among layouts. -/
def Move.tiles : Move → Bool
  | .apply _ (.split _) | .apply _ (.splitOuter _) | .apply _ .merge | .reorder _ => true
  | .apply _ (.resize _ _) | .apply _ (.swizzle _) => false

/-- The loops that the moves make of a row-major tensor of extents `N` are as long as the layouts, one each; no loop point is a
hole, and it stands for the element whose number is the sum of their offsets. -/
def AreLayouts (N : List Int) (ms : List Move) (Ls : List Layout) : Prop :=
  (∀ A ∈ Ls, A.Valid) ∧ (chain N.length ms).ext N = sizes Ls ∧
    ∀ j, InBox (sizes Ls) j → InBox N (trace N N.length ms j).1 ∧
      (∀ d ∈ (trace N N.length ms j).2, d.inRange = true) ∧
      rowMajor N (trace N N.length ms j).1 = (offsetAt Ls j : Int)

end Razorgirl.IterDomain
