module

public import Razorgirl.Spec.Layout.Refusal.Code
public import Oracle.Args

@[expose] public section

/-!
# Codes of refusals

`Spec` says which code a refusal has; here its name is printed.
-/

namespace Oracle

open Razorgirl

/-- A refusal by the code that `Spec` names. -/
def refuseCode (c : RefusalCode) : Answer :=
  match c with
  | .incongruent => refuse "incongruent" "there are more modes than there is to meet, or another order of them"
  | .outOfDomain => refuse "out_of_domain" "the inner layout, or the tile, reaches past the layout"
  | .notDivisible => refuse "not_divisible" "a mode wraps in its middle, or a block does not divide what follows it"
  | .carries => refuse "carries" "the modes of the inner layout carry"
  | .notInjective => refuse "not_injective" "two coordinates share an offset"

/-- The refusal of what has no answer. -/
def refuseAlone (c : Option RefusalCode) : Answer :=
  match c with
  | some c => refuseCode c
  | none => refuse "internal" "there is no answer and no refusal"

end Oracle
