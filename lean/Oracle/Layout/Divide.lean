module

public import Oracle.Layout.Complement
public import Oracle.Layout.Composition
public import Razorgirl.Spec.Layout.Divide
public import Razorgirl.Spec.Layout.Divide.Ceil

@[expose] public section

/-!
# Division

Which refusal code belongs to which failure: the domain first, then whether copies of the tile fill the layout, then
what composition says. Complete division is the same function, so `"mode":"complete"` changes nothing.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- Why T does not divide A. -/
def refuseDivide (A T : Layout) : Answer :=
  if FlatLayout.cosizeFormula T.modes ≤ A.size then
    match Layout.tiling T A.size with
    | some I => refuseComposition A I
    | none => refuseComplement T
  else refuse "out_of_domain" "the tile reaches past the layout"

/-- Division by tiler in one of the forms. -/
def divideOp (form? : (Layout → Layout → Option Layout) → Layout → Tiler → Option Layout) (args : List Json) : Answer :=
  tilerOp (fun A b => (form? Layout.logicalDivide A b).map bounded) (divided Layout.logicalDivide refuseDivide) args

/-- Division with padding, with the index layouts and bounds beside. -/
def ceilAnswer (form? : Layout → Tiler → Option Layout) (A : Layout) (b : Tiler) : Option Answer :=
  match form? A b, A.ceilPartsBy b with
  | some R, some parts =>
    some (do
      let answer ← bounded R
      .ok (answer ++ [("index", .arr (parts.map fun p => layoutJson p.1).toArray),
        ("bounds", .arr (parts.map fun p => natJson p.2).toArray)]))
  | _, _ => none

/-- Why there is no division with padding. -/
def refuseCeil (A T : Layout) : Answer :=
  match A.ceilIndex T with
  | some I => refuseComposition (A.grown (FlatLayout.cosizeFormula I.modes)) I
  | none => refuseComplement T

/-- Division with padding. -/
def divideCeilOp (args : List Json) : Answer :=
  tilerOp (ceilAnswer Layout.logicalDivideCeilBy) (divided Layout.logicalDivideCeil refuseCeil) args

end Oracle
