module

public import Razorgirl.Spec.Layout.Composition.By
public import Razorgirl.Spec.Layout.Composition.Extended
public import Oracle.Layout.Tiler

@[expose] public section

/-!
# Composition

`Spec` says what the answer is; which refusal code belongs to which failure is said here.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- Why `composition` refuses: out of the domain, a mode that does not split, or digits that carry. -/
def refuseComposition (A B : Layout) : Answer :=
  if FlatLayout.cosizeFormula B.modes ≤ A.size then
    match splitModes (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes with
    | some _ => refuse "carries" "the modes of the inner layout carry"
    | none => refuse "not_divisible" "a mode of the inner layout wraps in its middle"
  else refuse "out_of_domain" "the inner layout reaches past the outer one"

/-- The composite that exists for all strides. -/
def compositionOp (A B : Layout) : Answer :=
  match A.composition B with
  | some R => bounded R
  | none => refuseComposition A B

/-- The composite if there is one. -/
def compositionCompleteOp (A B : Layout) : Answer :=
  match A.compositionComplete B with
  | some R => bounded R
  | none => refuseComposition A B

/-- The composite with the last mode of A grown, and which mode grew. -/
def compositionExtendedOp (A B : Layout) : Answer :=
  match A.compositionExtended B with
  | some R => bounded R
  | none =>
    match Layout.growLast (FlatLayout.cosizeFormula B.modes) A.modes with
    | some grown => refuseComposition (if FlatLayout.cosizeFormula B.modes ≤ A.size then A else ⟨grown, A.profile⟩) B
    | none => refuseComposition A B

/-- Composition by tiler. -/
def compositionByOp (composition? : Layout → Tiler → Option Layout) (op : Layout → Layout → Answer)
    (args : List Json) : Answer :=
  tilerOp (fun A b => (composition? A b).map bounded) op args

end Oracle
