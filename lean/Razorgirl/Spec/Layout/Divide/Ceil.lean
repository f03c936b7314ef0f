module

public import Razorgirl.Spec.Layout.Composition.Extended
public import Razorgirl.Spec.Layout.Divide

@[expose] public section

/-!
# Division, rounded up

Where the tiles do not divide a layout, CuTe rounds up, and the result leaves the layout or loses elements of it. Here
the layout grows to the rounded-up size, and an index layout says which coordinates are padding.
-/

namespace Razorgirl

namespace Layout
open HTuple FlatLayout

/-- `(T, C)` for the least multiple of T's block that is at least the size of A. It tells a coordinate of
`logicalDivideCeil` which linear index of A it stands for; at or above the size of A it is padding. -/
def ceilIndex (A T : Layout) : Option Layout :=
  (complementCeil T (max A.size (FlatLayout.cosizeFormula T.modes))).map fun C => concat [T, C]

/-- A with at least `n` coordinates: its last mode of extent above 1 grown, and where there is none, its one offset
repeated. -/
def grown (A : Layout) (n : Nat) : Layout :=
  if n ≤ A.size then A
  else
    match growLast n A.modes with
    | some ms => ⟨ms, A.profile⟩
    | none => ⟨[⟨n, 0⟩], .leaf ()⟩

/-- The division with padding, with `comp` for composition. -/
def divideCeilWith (comp : Layout → Layout → Option Layout) (A T : Layout) : Option Layout :=
  match ceilIndex A T with
  | some I => comp (grown A (FlatLayout.cosizeFormula I.modes)) I
  | none => none

/-- A, its last mode grown where the tiles reach past it, composed with `ceilIndex`. What CuTe's
`logical_divide(A, T)` means to return for a tile that does not divide A. -/
def logicalDivideCeil (A T : Layout) : Option Layout := divideCeilWith composition A T

/-- `logicalDivideCeil` mode by mode; `_` and further modes stay.
Rust: `razorgirl::Layout::logical_divide_ceil` -/
def logicalDivideCeilBy (A : Layout) (b : Tiler) : Option Layout := transformBy logicalDivideCeil A b

mutual
/-- For each divided mode, from left to right, its `ceilIndex` and its size, the bound from which on a coordinate is
padding. -/
def ceilParts : Tiler → HTuple Mode → Option (List (Layout × Nat))
  | .keep, _ => some []
  | .layout B, t => (ceilIndex (ofTree t) B).map fun I => [(I, (ofTree t).size)]
  | .modes bs, t => ceilPartsList bs (children t)
/-- `ceilParts` mode by mode. -/
def ceilPartsList : List Tiler → List (HTuple Mode) → Option (List (Layout × Nat))
  | [], _ => some []
  | _ :: _, [] => none
  | b :: bs, t :: ts =>
    match ceilParts b t, ceilPartsList bs ts with
    | some p, some ps => some (p ++ ps)
    | _, _ => none
end

/-- The index layouts and bounds of `logicalDivideCeilBy`.
Rust: `razorgirl::CeilDivided` -/
def ceilPartsBy (A : Layout) (b : Tiler) : Option (List (Layout × Nat)) := ceilParts b A.tree

/-- `R` is the composite of A, grown to the rounded-up size, with the index layout. -/
def IsCeilDivision (A T R : Layout) : Prop :=
  ∃ I, ceilIndex A T = some I ∧ IsComposite (grown A (cosizeFormula I.modes)) I R

/-! ## Off the padding -/

/-- The coordinates of a padded division that are not padding. -/
def unpadded (A I : Layout) : List Nat :=
  (List.range I.size).filter fun x => decide (atIndex I.modes x < A.size)

/-- The index layout and the bound of each divided layout; `none` if there are more tiles than layouts. -/
def eachIndex : (As Ts : List Layout) → Option (List (Layout × Nat))
  | _, [] => some []
  | [], _ :: _ => none
  | A :: As, T :: Ts =>
    match ceilIndex A T, eachIndex As Ts with
    | some I, some Is => some ((I, A.size) :: Is)
    | _, _ => none

/-- The indices of the layouts that the coordinates stand for, if none is padding; further layouts have their own
coordinates. -/
def unpadCoords : (Is : List (Layout × Nat)) → List Coord → Option (List Coord)
  | [], cs => some cs
  | _ :: _, [] => none
  | (I, n) :: Is, c :: cs =>
    match I.call c, unpadCoords Is cs with
    | some i, some ds => if i < n then some (.leaf (some i) :: ds) else none
    | _, _ => none

/-! ## Worked examples -/

/-- 10 elements in tiles of 4: refused, or rounded up to 12 of which indices 10 and 11 are padding. -/
example : (logicalDivide ⟨[⟨10, 1⟩], .leaf ()⟩ ⟨[⟨4, 1⟩], .leaf ()⟩).isNone = true ∧
    (logicalDivideCeil ⟨[⟨10, 1⟩], .leaf ()⟩ ⟨[⟨4, 1⟩], .leaf ()⟩).map modes = some [⟨4, 1⟩, ⟨3, 4⟩] := by
  decide +kernel

/-- 3 elements in tiles of 2: of the 4 coordinates, the last one is padding. -/
example : (ceilIndex ⟨[⟨3, 1⟩], .leaf ()⟩ ⟨[⟨2, 1⟩], .leaf ()⟩).map (unpadded ⟨[⟨3, 1⟩], .leaf ()⟩) = some [0, 1, 2] := by
  decide +kernel

end Layout

end Razorgirl
