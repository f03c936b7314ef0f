module

public import Razorgirl.Spec.Layout.Complement
public import Razorgirl.Spec.Layout.Composition.Extended
public import Razorgirl.Spec.Layout.Tiler

@[expose] public section

/-!
# Division

`A ⊘ T` reads A in tiles: the tile T is completed to a bijection `(T, C)` of the linear indices of A, and A is
composed with it. Mode 0 runs inside a tile, mode 1 over the tiles (Cecka 3.3.5, «Categorical Foundations» 2.3.8,
CuTe `logical_divide`). Every coordinate of A is met exactly once, so nothing is lost or repeated; where the tile
cannot be completed inside A, the division is refused. CuTe rounds up there and leaves A, or loses elements of
it; rounding up is `logicalDivideCeil`, which says what is padding.
-/

namespace Razorgirl

namespace Layout
open HTuple

/-! ## Exact division -/

/-- `(T, C)` with the complement C of T in `[0,N)`: all linear indices below N, those of a tile first. -/
def tiling (T : Layout) (N : Nat) : Option Layout := (complementIn T N).map fun C => concat [T, C]

/-- The division by a layout, with `comp` for composition. -/
def divideWith (comp : Layout → Layout → Option Layout) (A T : Layout) : Option Layout :=
  match tiling T A.size with
  | some I => comp A I
  | none => none

/-- `A ∘ (T, complement(T, size A))` where it exists for all strides of A's coalesced shape. CuTe
`logical_divide(A, T)` with a layout T. -/
def logicalDivide (A T : Layout) : Option Layout := divideWith composition A T

/-- `A ∘ (T, complement(T, size A))` wherever it exists. -/
def logicalDivideComplete (A T : Layout) : Option Layout := divideWith compositionComplete A T

/-- Mode by mode; `_` and further modes stay. CuTe `logical_divide(A, tiler)`. -/
def logicalDivideBy (A : Layout) (b : Tiler) : Option Layout := transformBy logicalDivide A b

/-- `logicalDivideBy` with complete composition. -/
def logicalDivideCompleteBy (A : Layout) (b : Tiler) : Option Layout := transformBy logicalDivideComplete A b

/-- `((tiles …), (rests …, further modes …))`. CuTe `zipped_divide(A, tiler)`. -/
def zippedDivide (A : Layout) (b : Tiler) : Option Layout := arrange zippedForm allRest logicalDivide A b

/-- `zippedDivide` with complete composition. -/
def zippedDivideComplete (A : Layout) (b : Tiler) : Option Layout :=
  arrange zippedForm allRest logicalDivideComplete A b

/-- `((tiles …), rest, …, further mode, …)`. CuTe `tiled_divide(A, tiler)`. -/
def tiledDivide (A : Layout) (b : Tiler) : Option Layout := arrange tiledForm allRest logicalDivide A b

/-- `tiledDivide` with complete composition. -/
def tiledDivideComplete (A : Layout) (b : Tiler) : Option Layout :=
  arrange tiledForm allRest logicalDivideComplete A b

/-- `(tile, …, rest, …, further mode, …)`. CuTe `flat_divide(A, tiler)`. -/
def flatDivide (A : Layout) (b : Tiler) : Option Layout := arrange flatForm allRest logicalDivide A b

/-- `flatDivide` with complete composition. -/
def flatDivideComplete (A : Layout) (b : Tiler) : Option Layout :=
  arrange flatForm allRest logicalDivideComplete A b

/-! ## Rounding up -/

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

/-- `logicalDivideCeil` with complete composition. -/
def logicalDivideCeilComplete (A T : Layout) : Option Layout := divideCeilWith compositionComplete A T

/-- `logicalDivideCeil` mode by mode; `_` and further modes stay. -/
def logicalDivideCeilBy (A : Layout) (b : Tiler) : Option Layout := transformBy logicalDivideCeil A b

/-- `logicalDivideCeilBy` with complete composition. -/
def logicalDivideCeilCompleteBy (A : Layout) (b : Tiler) : Option Layout :=
  transformBy logicalDivideCeilComplete A b

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

/-- The index layouts and bounds of `logicalDivideCeilBy`. -/
def ceilPartsBy (A : Layout) (b : Tiler) : Option (List (Layout × Nat)) := ceilParts b A.tree

/-! ## Worked examples -/

/-- CuTe's first example: `(4,2,3):(2,1,8)` by `4:2` is `((2,2),(2,3)):((4,1),(2,8))`. -/
example : (logicalDivide ⟨[⟨4, 2⟩, ⟨2, 1⟩, ⟨3, 8⟩], .node [.leaf (), .leaf (), .leaf ()]⟩
      ⟨[⟨4, 2⟩], .leaf ()⟩).map modes =
    some [⟨2, 4⟩, ⟨2, 1⟩, ⟨2, 2⟩, ⟨3, 8⟩] := by decide +kernel
/-- 10 elements in tiles of 4: refused, or rounded up to 12 of which indices 10 and 11 are padding. -/
example : (logicalDivide ⟨[⟨10, 1⟩], .leaf ()⟩ ⟨[⟨4, 1⟩], .leaf ()⟩).isNone = true ∧
    (logicalDivideCeil ⟨[⟨10, 1⟩], .leaf ()⟩ ⟨[⟨4, 1⟩], .leaf ()⟩).map modes = some [⟨4, 1⟩, ⟨3, 4⟩] := by
  decide +kernel

end Layout

end Razorgirl
