module

public import Razorgirl.Spec.Layout.Composition.By
public import Razorgirl.Spec.Layout.Composition.Extended
public import Razorgirl.Spec.Layout.Composition.Refusal
public import Razorgirl.Spec.Layout.Composition.Repair
public import Oracle.Layout.Find
public import Oracle.Layout.Tiler

@[expose] public section

/-!
# Composition

`Spec` says what the answer is, and why there is none; here its names are printed.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- A refusal of composition with its witness. -/
def refuseWith (code message : String) (w : Json) : Answer :=
  .error { code := code, message := message, witness := some w }

/-- The refusal that `Spec` names. Large layouts are not gone through for a witness. -/
def refuseFor (A C B : Layout) : Answer :=
  if FlatLayout.cosizeFormula B.modes ≤ A.size && 4096 < B.size then refuseAlone (Layout.compositionCode A B)
  else
    match Layout.refusalFor A C B with
    | some (.outside c) =>
      refuseWith "out_of_domain" "the inner layout reaches past the outer one"
        (Json.mkObj [("outside", tupleJson (HTuple.unflatten 0 B.profile c))])
    | some (.wraps w) => refuseWith "not_divisible" "a mode of the inner layout wraps in its middle" (witnessJson B.shape w)
    | some (.carries w) => refuseWith "carries" "the modes of the inner layout carry" (witnessJson B.shape w)
    | none => refuse "internal" "there is no composite and no refusal"

/-- The composite that exists for all strides. -/
def compositionOp (A B : Layout) : Answer :=
  match A.composition B with
  | some R => bounded R
  | none => refuseFor A A.apart B

/-- The composite if there is one. -/
def compositionCompleteOp (A B : Layout) : Answer :=
  match A.compositionComplete B with
  | some R => bounded R
  | none => refuseFor A A B

/-- The composite with the last mode of A grown, and which mode grew. -/
def compositionExtendedOp (A B : Layout) : Answer :=
  match A.compositionExtended B with
  | some R => bounded R
  | none =>
    match Layout.growLast (FlatLayout.cosizeFormula B.modes) A.modes with
    | some grown =>
      let A := if FlatLayout.cosizeFormula B.modes ≤ A.size then A else ⟨grown, A.profile⟩
      refuseFor A A.apart B
    | none => refuseFor A A.apart B

/-- Composition by tiler; one layout is told with its witness, as `op` tells it. -/
def compositionByOp (composition? : Layout → Tiler → Option Layout) (op : Layout → Layout → Answer)
    (why : Layout → Layout → Option RefusalCode) (args : List Json) : Answer :=
  tilerOp (fun A b =>
    match b with
    | .layout B => some (op A B)
    | b => (composition? A b).map bounded) why args

/-- The largest extent with which a leaf composes beside the others. -/
def largestExtentOp (args : List Json) : Answer :=
  match args with
  | [a, b, leaf] => do
    let A ← readLayout a
    let B ← readLayout b
    let leaf ← readPlace leaf
    match B.modes.drop leaf with
    | m :: Q =>
      match FlatLayout.extentFor A.modes (B.modes.take leaf) m Q with
      | some r => result (natJson r)
      | none => result .null
    | [] => refuse "out_of_domain" "there is no such leaf"
  | _ => arity "two layouts and a leaf"

end Oracle
