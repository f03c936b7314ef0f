module

public import Razorgirl.Spec.Int.Ceil
public import Razorgirl.Spec.Int.Euclid
public import Razorgirl.Spec.Int.Trunc
public import Oracle.Args

@[expose] public section

/-!
# Integer division in the table of operations

`Spec` has integers of any size; what does not fit into 64 bits with a sign is refused here, on the way in and out.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- -2^63 to 2^63 - 1. -/
def fitsSigned (x : Int) : Bool := decide (-9223372036854775808 ≤ x) && decide (x ≤ 9223372036854775807)

/-- An integer of 64 bits with a sign. -/
def readSigned (j : Json) : Except OracleError Int :=
  match j.getInt? with
  | .ok x => if fitsSigned x then .ok x else refuse "overflow" "an integer is outside of 64 bits"
  | .error _ => refuse "parse" "expected an integer"

/-- The divisions, by name. -/
def readDivision (j : Json) : Except OracleError (Int → Int → Option (Int × Int)) :=
  match j.getStr? with
  | .ok name =>
    if name == "euclid" then .ok Division.euclid
    else if name == "trunc" then .ok Division.trunc
    else if name == "ceil" then .ok Division.ceil
    else refuse "parse" "there is no such division" ["the divisions are \"euclid\", \"trunc\" and \"ceil\""]
  | .error _ => refuse "parse" "there is no such division" ["the divisions are \"euclid\", \"trunc\" and \"ceil\""]

/-- Quotient and remainder. -/
def divOp (args : List Json) : Answer :=
  match args with
  | [kind, a, b] => do
    let divide ← readDivision kind
    let a ← readSigned a
    let b ← readSigned b
    match divide a b with
    | some (q, r) =>
      if fitsSigned q && fitsSigned r then result (.arr #[.num q, .num r])
      else refuse "overflow" "the quotient is outside of 64 bits"
    | none => refuse "out_of_domain" "the divisor is 0"
  | _ => arity "a kind of division and two integers"

/-- The operations, by name. -/
def intOps : List Op := [{ name := "div", run := divOp }]

end Oracle
