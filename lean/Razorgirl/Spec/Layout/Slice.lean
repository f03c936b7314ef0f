module

public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# Slice and dice

A coordinate with `_` in it fixes some modes and keeps others. `slice` gives the kept modes, `dice` the fixed
ones; what is kept below a nested coordinate is spliced into one tuple (CuTe `slice`, `dice`,
`underscore.hpp`). The offset of the fixed part is the offset of the coordinate with `_` read as 0
(CuTe `slice_and_offset`).
-/

namespace Razorgirl

namespace Layout
open HTuple

mutual
/-- The subtrees under a `_`, in order. `none` if the coordinate is nested deeper than the layout or has
another rank. -/
def kept {α : Type} : Coord → HTuple α → Option (List (HTuple α))
  | .leaf none, t => some [t]
  | .leaf (some _), _ => some []
  | .node cs, .node ts => keptList cs ts
  | .node _, .leaf _ => none
/-- `kept` mode by mode. -/
def keptList {α : Type} : List Coord → List (HTuple α) → Option (List (HTuple α))
  | [], [] => some []
  | c :: cs, t :: ts =>
    match kept c t, keptList cs ts with
    | some x, some y => some (x ++ y)
    | _, _ => none
  | _, _ => none
end

/-- A coordinate with `_` and integers swapped (which integer does not matter). -/
def swapped (c : Coord) : Coord := c.map fun o => match o with | none => some 0 | some _ => none

/-- The kept modes as a layout, always a tuple. -/
def sliceModes (c : Coord) (L : Layout) : Option Layout :=
  (kept c L.tree).map fun ts => ofTree (.node ts)

/-- The modes under a `_`; a bare `_` gives the layout itself. CuTe `slice(c, L)`.
Rust: `razorgirl::Layout::slice` -/
def slice (c : Coord) (L : Layout) : Option Layout :=
  match c with
  | .leaf none => some L
  | _ => sliceModes c L

/-- The modes under an integer; a bare integer gives the layout itself. CuTe `dice(c, L)`.
Rust: `razorgirl::Layout::dice` -/
def dice (c : Coord) (L : Layout) : Option Layout :=
  match c with
  | .leaf (some _) => some L
  | _ => sliceModes (swapped c) L

/-- The kept modes and the offset of the fixed ones. CuTe `slice_and_offset(c, L)`.
Rust: `razorgirl::Layout::slice_and_offset` -/
def sliceAndOffset (c : Coord) (L : Layout) : Option (Layout × Nat) :=
  match sliceModes c L, L.call c with
  | some S, some o => some (S, o)
  | _, _ => none

/-! ## Filling the holes -/

mutual
/-- The number of `_` in a coordinate. -/
def holes : Coord → Nat
  | .leaf none => 1
  | .leaf (some _) => 0
  | .node cs => holesList cs
/-- The number of `_` in several coordinates. -/
def holesList : List Coord → Nat
  | [] => 0
  | c :: cs => holes c + holesList cs
end

mutual
/-- The coordinate with its `_` replaced, from left to right, by the coordinates of a list, and what is left of
the list; `_` stays where the list runs out. -/
def fillHoles : Coord → List Coord → Coord × List Coord
  | .leaf none, [] => (.leaf none, [])
  | .leaf none, d :: ds => (d, ds)
  | .leaf (some x), ds => (.leaf (some x), ds)
  | .node cs, ds => (.node (fillHolesList cs ds).1, (fillHolesList cs ds).2)
/-- `fillHoles` for several coordinates in turn. -/
def fillHolesList : List Coord → List Coord → List Coord × List Coord
  | [], ds => ([], ds)
  | c :: cs, ds =>
    ((fillHoles c ds).1 :: (fillHolesList cs (fillHoles c ds).2).1,
      (fillHolesList cs (fillHoles c ds).2).2)
end

/-- The coordinate with its `_` replaced by the given coordinates: `((1,_),_)` with `2, (0,3)` is
`((1,2),(0,3))`. -/
def plug (c : Coord) (ds : List Coord) : Coord := (fillHoles c ds).1

/-- `((1,_),_)` filled with `2` and `(0,3)`. -/
example : (plug (.node [.node [.leaf (some 1), .leaf none], .leaf none])
    [.leaf (some 2), .node [.leaf (some 0), .leaf (some 3)]]).flatten = [some 1, some 2, some 0, some 3] := by decide

end Layout

end Razorgirl
