module

public import Razorgirl.Spec.Layout.Complement
public import Oracle.Args

@[expose] public section

/-!
# Complement

Which refusal code belongs to which failure.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- Why there is no complement in `N`. -/
def refuseComplement (A : Layout) : Answer :=
  if FlatLayout.isInjective A.modes then refuse "not_divisible" "a block does not divide what follows it"
  else refuse "not_injective" "two coordinates share an offset"

/-- The complement in A's own block, or in `[0,N)`. -/
def complementOp (args : List Json) : Answer :=
  match args with
  | [a] => do
    let A ← readLayout a
    match A.complement with
    | some C => bounded C
    | none => refuseComplement A
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
        | none => refuseComplement A
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
        | none => refuseComplement A
  | _ => arity "a layout and a cotarget"

end Oracle
