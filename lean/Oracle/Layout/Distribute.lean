module

public import Razorgirl.Spec.Layout.Distribute
public import Oracle.Args

@[expose] public section

/-!
# Elements distributed over a shape
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- A tile of so many elements. -/
def distributeOp (args : List Json) : Answer :=
  match args with
  | [x, n] => do
    let x ← readShape x
    answerLayout (Layout.domainDistribute x (← readCount n))
  | _ => arity "a shape or layout, and a number of elements"

end Oracle
