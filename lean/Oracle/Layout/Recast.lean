module

public import Razorgirl.Spec.Layout.Recast
public import Oracle.Args

@[expose] public section

/-!
# Elements of another size

Which refusal code belongs to which failure.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- Why there is no `upcast`. -/
def refuseUpcast (n : Nat) (L : FlatLayout) : Answer :=
  match FlatLayout.upcastModes n L with
  | none => refuse "not_divisible" "a stride or an extent does not divide"
  | some _ =>
    if FlatLayout.fills n L then refuse "carries" "modes step past an element together"
    else refuse "not_divisible" "no mode fills an element"

/-- Why there is no `downcast`. -/
def refuseDowncast (L : FlatLayout) : Answer :=
  if FlatLayout.countOf FlatLayout.adjacent L > 1 then refuse "not_injective" "two modes have stride 1"
  else refuse "not_contiguous" "no mode has stride 1"

/-- Larger elements. -/
def upcastOp (args : List Json) : Answer :=
  match args with
  | [j, n] => do
    let L ← readLayout j
    let n ← readCount n
    match L.upcast n with
    | some U => answerLayout U
    | none => refuseUpcast n L.modes
  | _ => arity "a layout and a number of elements"

/-- Smaller elements. -/
def downcastOp (args : List Json) : Answer :=
  match args with
  | [j, n] => do
    let L ← readLayout j
    let n ← readCount n
    match L.downcast n with
    | some D => answerLayout D
    | none => refuseDowncast L.modes
  | _ => arity "a layout and a number of parts"

/-- Elements of another size. -/
def recastOp (args : List Json) : Answer :=
  match args with
  | [j, old, new] => do
    let L ← readLayout j
    let old ← readCount old
    let new ← readCount new
    match L.recast old new with
    | some R => answerLayout R
    | none =>
      match L.upcast (new / Nat.gcd old new) with
      | some U => refuseDowncast U.modes
      | none => refuseUpcast (new / Nat.gcd old new) L.modes
  | _ => arity "a layout and two sizes of elements"

end Oracle
