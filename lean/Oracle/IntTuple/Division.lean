module

public import Razorgirl.Spec.IntTuple.Division
public import Oracle.Args

@[expose] public section

/-!
# Shapes divided by shapes
-/

namespace Oracle

open Lean (Json)
open Razorgirl

mutual
/-- Whether the nestings of a shape and a divisor fit; with `exact`, two tuples need the same rank. -/
def fits (exact : Bool) (a b : IntTuple) : Bool :=
  match a, b with
  | _, .leaf _ => true
  | .leaf _, .node _ => true
  | .node as, .node bs => fitsList exact as bs
/-- `fits` mode by mode. -/
def fitsList (exact : Bool) (as bs : List IntTuple) : Bool :=
  match as, bs with
  | [], [] => true
  | _ :: _, [] => !exact
  | [], _ :: _ => false
  | a :: as, b :: bs => fits exact a b && fitsList exact as bs
end

/-- A division; where nestings fit, it is the numbers that do not. -/
def divisionOp (divide : IntTuple → IntTuple → Option IntTuple) (fit : IntTuple → IntTuple → Bool)
    (args : List Json) : Answer :=
  match args with
  | [a, b] => do
    let a ← readExtents a
    let b ← readExtents b
    match divide a b with
    | some q => answerShape q
    | none =>
      if fit a b then refuse "not_divisible" "neither number divides the other"
      else refuse "incongruent" "the divisor is nested differently"
  | _ => arity "two shapes"

/-- Whether tiles cover exactly. -/
def evenlyDividesOp (args : List Json) : Answer :=
  match args with
  | [a, b] => do
    let a ← readShape a
    let b ← readExtents b
    result (.bool (IntTuple.evenlyDivides a b))
  | _ => arity "a shape or layout, and a tiler of integers"

end Oracle
