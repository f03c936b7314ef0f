module

public import Razorgirl.Spec.Layout.Inverse.Complete
public import Oracle.Layout.Composition

@[expose] public section

/-!
# Inverses

Which refusal code belongs to which failure.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- An inverse of the modes that `moving` leaves, or why there is none. -/
def inverseOp (f : Layout → Option Layout) (moving : FlatLayout → FlatLayout) (L : Layout) : Answer :=
  match f L with
  | some R => bounded R
  | none =>
    if FlatLayout.isInjective (moving L.modes) then refuse "not_divisible" "the sorted strides do not divide in turn"
    else refuse "not_injective" "two coordinates share an offset"

/-- Any left inverse, or why there is none. As in Rust, none is searched for a cosize above 2^12; the steps of a search are
not counted here. -/
def leftInverseCompleteOp (L : Layout) : Answer :=
  if L.leftInverse.isNone && decide (2 ^ 12 < FlatLayout.cosizeFormula L.modes) then
    refuse "too_large" "left inverses are searched up to cosize 2^12"
  else
    match L.leftInverseComplete with
    | some R => bounded R
    | none =>
      if FlatLayout.isInjective L.modes then refuse "not_divisible" "no layout undoes it"
      else refuse "not_injective" "two coordinates share an offset"

/-- The inverse of a bijection, or why it is none. -/
def bijectionOp (L : Layout) : Answer :=
  match L.inverse with
  | some R => bounded R
  | none =>
    if FlatLayout.isInjective L.modes then refuse "not_contiguous" "offsets are left out"
    else refuse "not_injective" "two coordinates share an offset"

end Oracle
