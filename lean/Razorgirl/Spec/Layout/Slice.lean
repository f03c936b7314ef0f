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

/-- The modes under a `_`; a bare `_` gives the layout itself. CuTe `slice(c, L)`. -/
def slice (c : Coord) (L : Layout) : Option Layout :=
  match c with
  | .leaf none => some L
  | _ => sliceModes c L

/-- The modes under an integer; a bare integer gives the layout itself. CuTe `dice(c, L)`. -/
def dice (c : Coord) (L : Layout) : Option Layout :=
  match c with
  | .leaf (some _) => some L
  | _ => sliceModes (swapped c) L

/-- The kept modes and the offset of the fixed ones. CuTe `slice_and_offset(c, L)`. -/
def sliceAndOffset (c : Coord) (L : Layout) : Option (Layout × Nat) :=
  match sliceModes c L, L.call c with
  | some S, some o => some (S, o)
  | _, _ => none

end Layout

end Razorgirl
