module

public import Razorgirl.Spec.Layout.Tiler.Refusal
public import Oracle.Layout.Refusal

@[expose] public section

/-!
# Tilers

`Spec` says which place refuses, and with which code; here they are read and printed.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

mutual
/-- A tiler: a layout, an integer, null, or a list of these. -/
def readTiler (fuel : Nat) (j : Json) : Except OracleError Tiler :=
  match j, fuel with
  | .null, _ => .ok .keep
  | .obj _, _ => (readLayout j).map .layout
  | .arr a, n + 1 => (readTilers n a.toList).map .modes
  | .arr _, 0 => refuse "too_large" "a tiler is nested more than 64 deep"
  | j, _ => do
    match j.getInt? with
    | .ok n => (checkLayout (.leaf n) (.leaf 1)).map .layout
    | .error _ => refuse "parse" "expected a tiler: a layout, an integer, null, or a list of these"
/-- `readTiler` for each of a list. -/
def readTilers (fuel : Nat) (js : List Json) : Except OracleError (List Tiler) :=
  match js with
  | [] => .ok []
  | j :: rest =>
    match readTiler fuel j, readTilers fuel rest with
    | .ok t, .ok ts => .ok (t :: ts)
    | .error e, _ => .error e
    | _, .error e => .error e
end

/-- The refusal of an operation by tiler, where `why` says with which code the operation refuses a layout. -/
def refuseBy (why : Layout → Layout → Option RefusalCode) (b : Tiler) (A : Layout) : Answer :=
  match Layout.transformRefusal why b A.tree with
  | some (.longer _) => refuseCode .incongruent
  | some (.part _ c) => refuseCode c
  | none => refuse "internal" "no mode refuses"

/-- The answer to a layout and a tiler, or the refusal that `Spec` names. -/
def tilerOp (answer? : Layout → Tiler → Option Answer) (why : Layout → Layout → Option RefusalCode) (args : List Json) :
    Answer :=
  match args with
  | [a, b] => do
    let b ← readTiler 64 b
    let A ← readLayout a
    match answer? A b with
    | some answer => answer
    | none => refuseBy why b A
  | _ => arity "a layout and a tiler"

end Oracle
