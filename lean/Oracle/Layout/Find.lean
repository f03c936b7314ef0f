module

public import Razorgirl.Spec.Layout.FindOver
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

mutual
/-- A tree of integers as nested lists. -/
def signedJson (t : HTuple Int) : Json :=
  match t with
  | .leaf n => .num n
  | .node ts => .arr (signedJsons ts).toArray
/-- `signedJson` for each of a list. -/
def signedJsons (ts : List (HTuple Int)) : List Json :=
  match ts with
  | [] => []
  | t :: ts => signedJson t :: signedJsons ts
end

/-- A witness as it stands in a refusal; a coordinate nested like the shape. -/
def witnessJson (S : IntTuple) (w : FindOver.Witness) : Json :=
  match w with
  | .axis i x => Json.mkObj [("axis", natJson i), ("index", natJson x)]
  | .coordinate c => Json.mkObj [("coordinate", tupleJson (HTuple.unflatten 0 S.profile c))]

/-- The constant and the layout of a function on a shape. -/
def findLayoutOverOp (args : List Json) : Answer :=
  match args with
  | [s, values] => do
    let S ← readExtents s
    let js ← match values with
      | .arr js => pure js
      | _ => refuse "parse" "expected a list of integers"
    let values ← readValues js.toList
    let table := values.toArray
    if table.size ≠ IntTuple.size S then refuse "incongruent" "there is not one value for each coordinate"
    else if values.any (fun x => decide (limit ≤ x.natAbs)) then refuse "overflow" "a value is 2^64 or more"
    else
      match findOver S (fun c => table.getD (crd2idx S.flatten c) 0) with
      | .error w =>
        .error { code := "no_layout", message := "no layout has these values", witness := some (witnessJson S w) }
      | .ok (k, R) =>
        let modes : FlatLayout := R.flatten.map fun m => ⟨m.1, m.2.toNat⟩
        let signed := R.flatten.any (fun m => decide (m.2 < 0)) || decide (limit ≤ FlatLayout.cosizeFormula modes)
        if R.depth > maxDepth then refuse "too_large" "the result is nested more than 64 deep"
        else
          let L := Json.mkObj [("shape", tupleJson (R.map Prod.fst)), ("stride", signedJson (R.map Prod.snd))]
          result (Json.mkObj [("constant", .num k), (if signed then "signed_layout" else "layout", L)])
  | _ => arity "a shape and a list of integers"

end Oracle
