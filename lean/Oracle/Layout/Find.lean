module

public import Razorgirl.Spec.Layout.Find
public import Oracle.Args

@[expose] public section

/-!
# From offsets to a layout
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- The layout of a function given by its values. -/
def findLayoutOp (args : List Json) : Answer :=
  match args with
  | [.arr js] => do
    let values ← readValues js.toList
    if values.all (fun x => decide (0 ≤ x)) then
      let table := (values.map Int.toNat).toArray
      match findLayout (fun i => table.getD i 0) table.size with
      | some L => bounded L.nest
      | none => result .null
    else result .null
  | [_] => refuse "parse" "expected a list of offsets"
  | _ => arity "one list of offsets"

end Oracle
