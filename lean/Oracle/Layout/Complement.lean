module

public import Razorgirl.Spec.Layout.Complement.Refusal
public import Oracle.Args

@[expose] public section

/-!
# Complement

`Spec` says why there is none; here its names are printed.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- The refusal that `Spec` names. -/
def refuseAs (r : Option FlatLayout.ComplementRefusal) : Answer :=
  let told (code message : String) (w : List (String × Json)) : Answer :=
    .error { code := code, message := message, witness := some (Json.mkObj w) }
  match r with
  | some (.collides i j) => told "not_injective" "two coordinates share an offset" [("collision", .arr #[natJson i, natJson j])]
  | some (.indivisible d b) =>
    told "not_divisible" "a block does not divide the stride that follows it" [("stride", natJson d), ("block", natJson b)]
  | some (.uneven b) => told "not_divisible" "the block does not divide the cotarget" [("block", natJson b)]
  | none => refuse "internal" "there is no complement and no refusal"

/-- The complement in A's own block, or in `[0,N)`. -/
def complementOp (args : List Json) : Answer :=
  match args with
  | [a] => do
    let A ← readLayout a
    match A.complement with
    | some C => bounded C
    | none => refuseAs (FlatLayout.complementFault A.modes)
  | [a, n] => do
    let n ← readInts n
    let A ← readLayout a
    match n with
    | .node _ => refuse "parse" "the cotarget is a tuple"
    | .leaf n =>
      if n < 1 then refuse "extent" "the cotarget is below 1"
      else
        match A.complementIn n.toNat with
        | some C => bounded C
        | none => refuseAs (FlatLayout.complementInFault A.modes n.toNat)
  | _ => arity "a layout, and perhaps a cotarget"

/-- The complement with N rounded up. -/
def complementCeilOp (args : List Json) : Answer :=
  match args with
  | [a, n] => do
    let n ← readInts n
    let A ← readLayout a
    match n with
    | .node _ => refuse "parse" "the cotarget is a tuple"
    | .leaf n =>
      if n < 1 then refuse "extent" "the cotarget is below 1"
      else
        match A.complementCeil n.toNat with
        | some C => bounded C
        | none => refuseAs (FlatLayout.complementFault A.modes)
  | _ => arity "a layout and a cotarget"

end Oracle
