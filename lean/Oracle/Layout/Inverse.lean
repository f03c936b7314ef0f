module

public import Razorgirl.Spec.Layout.Inverse.Complete
public import Razorgirl.Spec.Layout.Inverse.Refusal
public import Oracle.Layout.Composition

@[expose] public section

/-!
# Inverses

Which refusal code belongs to which failure.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- The refusal that `Spec` names. -/
def refuseInverse (r : Option Layout.InverseRefusal) : Answer :=
  match r with
  | some (.collides i j) =>
    refuseWith "not_injective" "two coordinates share an offset" (Json.mkObj [("collision", .arr #[natJson i, natJson j])])
  | some (.undivided d e) =>
    refuseWith "not_divisible" "the sorted strides do not divide in turn" (Json.mkObj [("stride", natJson e), ("below", natJson d)])
  | some (.missed o) => refuseWith "not_contiguous" "offsets are left out" (Json.mkObj [("missed", natJson o)])
  | none => refuse "internal" "there is no inverse and no refusal"

/-- An inverse by whole modes, or why there is none. -/
def inverseOp (f : Layout → Option Layout) (why : Layout → Option Layout.InverseRefusal) (L : Layout) : Answer :=
  match f L with
  | some R => bounded R
  | none => refuseInverse (why L)

/-- Any left inverse, or why there is none. As in Rust, none is searched for a cosize above 2^12, where two coordinates may share an
offset all the same, which is looked for among up to 2^12; the steps of a search are not counted here. -/
def leftInverseCompleteOp (L : Layout) : Answer :=
  if L.leftInverse.isNone && decide (2 ^ 12 < FlatLayout.cosizeFormula L.modes) then
    match if L.size ≤ 4096 then FlatLayout.collision L.modes else none with
    | some (i, j) => refuseInverse (some (.collides i j))
    | none => refuse "too_large" "left inverses are searched up to cosize 2^12"
  else
    match L.leftInverseComplete with
    | some R => bounded R
    | none =>
      match L.leftInverseFault with
      | some (.collides i j) => refuseInverse (some (.collides i j))
      | _ => refuse "not_divisible" "no layout undoes it"

/-- The inverse of a bijection, or why it is none. -/
def bijectionOp (L : Layout) : Answer := inverseOp Layout.inverse Layout.inverseFault L

/-- The same of a layout that was not given: what is named would not be in the request. -/
def bijectionOfPart (L : Layout) : Answer :=
  match bijectionOp L with
  | .error e => .error { e with witness := none }
  | answer => answer

end Oracle
