module

public import Razorgirl.Spec.IntTuple.Product
public import Oracle.Args

@[expose] public section

/-!
# Products of tuples
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- Running products. -/
def prefixProductOp (args : List Json) : Answer :=
  let products (x : Json) (start : HTuple Int) : Answer := do
    let s ← readShape x
    if HTuple.weaklyCongruent start s then
      match IntTuple.prefixProduct (← readNats 0 "stride" start) s with
      | some p =>
        if p.flatten.all fun n => decide (n < limit) then result (tupleJson p)
        else refuse "overflow" "a product is 2^64 or more"
      | none => refuse "incongruent" "the start is nested deeper than the shape"
    else refuse "incongruent" "the start is nested deeper than the shape"
  match args with
  | [x] => products x (.leaf 1)
  | [x, d] => do products x (← readInts d)
  | _ => arity "a shape or layout, and perhaps a start"

/-- A sum of products. -/
def innerProductOp (args : List Json) : Answer :=
  match args with
  | [a, b] => do
    let a ← readInts a
    let b ← readInts b
    if HTuple.congruent a b then
      match IntTuple.innerProduct (← readNats 0 "stride" a) (← readNats 0 "stride" b) with
      | some n => if n < limit then result (natJson n) else refuse "overflow" "the sum is 2^64 or more"
      | none => refuse "incongruent" "the tuples are nested differently"
    else refuse "incongruent" "the tuples are nested differently"
  | _ => arity "two tuples of integers"

end Oracle
