module

public import Razorgirl.Spec.Layout.Modes

@[expose] public section

/-!
# One mode at a time

A coordinate in one mode of a tuple, with 0 in the others.
-/

namespace Razorgirl

namespace Layout
open HTuple

/-- The coordinate `d` in mode `i` of `n`, 0 in the others. -/
def alone (n i : Nat) (d : Coord) : Coord :=
  .node (List.replicate i (.leaf (some 0)) ++ d :: List.replicate (n - (i + 1)) (.leaf (some 0)))

/-- The sum of the offsets of `L` at each coordinate alone in its mode; `none` where one is outside, or where there are more
of one than of the other. -/
def sumAlone (L : Layout) : (is : List Nat) → List Coord → Option Nat
  | [], [] => some 0
  | i :: is, d :: ds =>
    match L.call (alone L.rank i d), sumAlone L is ds with
    | some a, some b => some (a + b)
    | _, _ => none
  | _, _ => none

/-- Columns 1 and 2 of `(4,8):(1,4)`, one after the other: 4 + 8. -/
example : sumAlone ⟨[⟨4, 1⟩, ⟨8, 4⟩], .node [.leaf (), .leaf ()]⟩ [1, 1] [.leaf (some 1), .leaf (some 2)] = some 12 := by
  decide +kernel

end Layout

end Razorgirl
