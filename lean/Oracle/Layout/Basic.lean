module

public import Razorgirl.Spec.Layout.Basic
public import Oracle.Args

@[expose] public section

/-!
# Offsets of a layout
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- All offsets, at most 2^20 of them. -/
def evalOp (L : Layout) : Answer :=
  if L.size ≤ 1048576 then result (.arr ((FlatLayout.offsets L.modes).map natJson).toArray)
  else refuse "too_large" "more than 2^20 offsets" ["`call` gives the offset of one coordinate"]

/-- The leaves of a shape in a tuple, or those modes of a layout. -/
def flattenOp (args : List Json) : Answer :=
  match args with
  | [.obj _] => onLayout (fun L => resultLayout L.flatten) args
  | _ => onShape (fun s => match s with
    | .leaf n => result (natJson n)
    | .node ts => result (.arr ((HTuple.flattenList ts).map natJson).toArray)) args

end Oracle
