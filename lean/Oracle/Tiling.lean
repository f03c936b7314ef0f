module

public import Razorgirl.Spec.Layout.Divide
public import Oracle.Algebra

@[expose] public section

/-!
# Division in the table of operations

Which refusal code belongs to which failure: the domain first, then whether copies of the tile fill the layout, then
what composition says.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- The most coordinates that complete division tries one by one. -/
def enumerable : Nat := 16777216

/-- Complete division. What strict division finds needs no enumeration. -/
def divideComplete (A T : Layout) : Option Layout :=
  match A.logicalDivide T with
  | some R => some R
  | none => if A.size ≤ enumerable then A.logicalDivideComplete T else none

/-- Why T does not divide A. -/
def refuseDivide (A T : Layout) : Answer :=
  if FlatLayout.cosizeFormula T.modes ≤ A.size then
    match Layout.tiling T A.size with
    | some I => refuseCompose A I
    | none => refuseComplement T
  else refuse "out_of_domain" "the tile reaches past the layout"

/-- Why T does not divide A, after enumeration. -/
def refuseDivideComplete (A T : Layout) : Answer :=
  match Layout.tiling T A.size with
  | some _ => if A.size ≤ enumerable then refuseDivide A T else refuse "too_large" "more than 2^24 coordinates"
  | none => refuseDivide A T

/-- The answer of one division, for the sake of its refusal. -/
def divided (divide? : Layout → Layout → Option Layout) (why : Layout → Layout → Answer) (A T : Layout) : Answer :=
  match divide? A T with
  | some _ => .ok []
  | none => why A T

/-- The answer to a layout and a tiler, or the refusal of the first mode that refuses; nesting is looked at before
numbers are. -/
def tilerOp (answer? : Layout → Tiler → Option Answer) (op : Layout → Layout → Answer) (args : List Json) : Answer :=
  match args with
  | [a, b] => do
    let b ← readTiler 64 b
    let A ← readLayout a
    match answer? A b with
    | some answer => answer
    | none =>
      match refuseBy (fun _ _ => .ok []) b A.tree with
      | some e => .error e
      | none =>
        match refuseBy op b A.tree with
        | some e => .error e
        | none => refuse "internal" "no mode refuses"
  | _ => arity "a layout and a tiler"

/-- Division by tiler in one of the forms. -/
def divideOp (form? : (Layout → Layout → Option Layout) → Layout → Tiler → Option Layout) (name : String) : Op :=
  { name,
    run := tilerOp (fun A b => (form? Layout.logicalDivide A b).map bounded)
      (divided Layout.logicalDivide refuseDivide),
    complete := some (tilerOp (fun A b => (form? divideComplete A b).map bounded)
      (divided divideComplete refuseDivideComplete)) }

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
  | some I => refuseCompose (A.grown (FlatLayout.cosizeFormula I.modes)) I
  | none => refuseComplement T

/-- Complete division with padding. What strict composition finds needs no enumeration. -/
def ceilComplete (A T : Layout) : Option Layout :=
  match A.logicalDivideCeil T with
  | some R => some R
  | none =>
    match A.ceilIndex T with
    | some I => if I.size ≤ enumerable then A.logicalDivideCeilComplete T else none
    | none => none

/-- Why there is no division with padding, after enumeration. -/
def refuseCeilComplete (A T : Layout) : Answer :=
  match A.ceilIndex T with
  | some I => if I.size ≤ enumerable then refuseCeil A T else refuse "too_large" "more than 2^24 coordinates"
  | none => refuseCeil A T

/-- The operations, by name. -/
def tiling : List Op := [
  divideOp (Layout.arrange Layout.flatForm Layout.allRest) "flat_divide",
  divideOp Layout.transformBy "logical_divide",
  divideOp Layout.transformBy "logical_divide_by_mode",
  { name := "logical_divide_ceil",
    run := tilerOp (ceilAnswer Layout.logicalDivideCeilBy) (divided Layout.logicalDivideCeil refuseCeil),
    complete := some (tilerOp (ceilAnswer (Layout.transformBy ceilComplete))
      (divided ceilComplete refuseCeilComplete)) },
  divideOp (Layout.arrange Layout.tiledForm Layout.allRest) "tiled_divide",
  divideOp (Layout.arrange Layout.zippedForm Layout.allRest) "zipped_divide"]

end Oracle
