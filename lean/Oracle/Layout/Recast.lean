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

/-- Where the steps inside an element stop to count off its parts. -/
def refuseCount (n : Nat) (run : Nat) (L : FlatLayout) : Answer :=
  match L with
  | [] => refuse "not_contiguous" s!"offset {run} of an element of {n} is not reached"
  | m :: L =>
    if m.stride < run then refuse "not_injective" s!"offset {m.stride} is reached more often than offset 0"
    else if run < m.stride then refuse "not_contiguous" s!"offset {run} of an element of {n} is not reached"
    else refuseCount n (run * m.extent) L

/-- Why there is no `upcast`. -/
def refuseUpcast (n : Nat) (L : FlatLayout) : Answer :=
  if L.all (FlatLayout.fits n) then refuseCount n 1 (FlatLayout.sort (FlatLayout.within n L))
  else refuse "not_divisible" "the steps of a mode neither fill elements nor divide one"

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

/-- The element of `n` that contains each. -/
def upcastContainingOp (args : List Json) : Answer :=
  match args with
  | [j, n] => do
    let L ← readLayout j
    match L.upcastContaining (← readCount n) with
    | some U => answerLayout U
    | none => refuse "not_divisible" "a mode steps inside an element"
  | _ => arity "a layout and a number of elements"

/-- The element of another size that contains each. -/
def recastContainingOp (args : List Json) : Answer :=
  match args with
  | [j, old, new] => do
    let L ← readLayout j
    let old ← readCount old
    match L.recastContaining old (← readCount new) with
    | some R => answerLayout R
    | none => refuse "not_divisible" "the sizes do not divide, or a mode steps inside an element"
  | _ => arity "a layout and two sizes of elements"

end Oracle
