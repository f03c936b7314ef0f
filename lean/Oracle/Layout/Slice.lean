module

public import Razorgirl.Spec.Layout.Slice
public import Oracle.Args

@[expose] public section

/-!
# Slices
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- `_` occurs in the coordinate. -/
def hasKeep (c : Coord) : Bool := c.flatten.any Option.isNone

/-- The offset of a coordinate, or the layout of the modes that it keeps. -/
def callOp (c : Coord) (L : Layout) : Answer :=
  if hasKeep c then resultLayout? (L.sliceModes c)
  else
    match L.call c with
    | some o => result (natJson o)
    | none => refuse "out_of_domain" "the coordinate is outside the layout"

/-- Kept modes and offset. -/
def sliceAndOffsetOp (c : Coord) (L : Layout) : Answer :=
  match L.sliceAndOffset c with
  | some (S, o) => result (.arr #[tupleJson S.shape, tupleJson S.stride, natJson o])
  | none => refuse "out_of_domain" "the coordinate is outside the layout"

end Oracle
