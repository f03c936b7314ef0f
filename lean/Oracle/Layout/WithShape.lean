module

public import Razorgirl.Spec.Layout.WithShape
public import Oracle.Layout.Composition

@[expose] public section

/-!
# The same function under another shape
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- The same function under another shape. -/
def withShapeOp (op : Layout → Layout → Answer) (args : List Json) : Answer :=
  match args with
  | [j, s] => do
    let L ← readLayout j
    op L (Layout.columnMajor (← readShape s))
  | _ => arity "a layout and a shape"

end Oracle
