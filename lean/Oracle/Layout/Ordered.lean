module

public import Razorgirl.Spec.Layout.Ordered
public import Oracle.Args

@[expose] public section

/-!
# Compact layouts in an order
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- A compact layout in an order. -/
def orderedOp (args : List Json) : Answer :=
  match args with
  | [s, o] => do
    let o ← readInts o
    let s ← readShape s
    if HTuple.weaklyCongruent o s then
      if o.flatten.all fun n => decide (0 ≤ n ∧ n < limit) then
        match Layout.ordered s (o.map Int.toNat) with
        | some L => answerLayout L
        | none => refuse "incongruent" "the order is nested deeper than the shape"
      else refuse "out_of_domain" "a rank is below 0, or 2^64 or more"
    else refuse "incongruent" "the order is nested deeper than the shape"
  | _ => arity "a shape or layout, and an order"

end Oracle
