module

public import Razorgirl.Spec.Layout.Tiler
public import Oracle.Args

@[expose] public section

/-!
# Tilers

The first mode that refuses gives the code; nesting is looked at before numbers are.
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

mutual
/-- The refusal of the first mode that refuses. -/
def refuseBy (op : Layout → Layout → Answer) (b : Tiler) (t : HTuple Mode) : Option OracleError :=
  match b with
  | .keep => none
  | .layout B =>
    match op (Layout.ofTree t) B with
    | .error e => some e
    | .ok _ => none
  | .modes bs => refuseBys op bs (HTuple.children t)
/-- `refuseBy` mode by mode; a witness would speak of one mode. -/
def refuseBys (op : Layout → Layout → Answer) (bs : List Tiler) (ts : List (HTuple Mode)) : Option OracleError :=
  match bs, ts with
  | [], _ => none
  | _ :: _, [] => some { code := "incongruent", message := "the tiler has more modes than the layout" }
  | b :: bs, t :: ts =>
    match refuseBy op b t with
    | some e => some { e with witness := none }
    | none => refuseBys op bs ts
end

/-- The answer of one division, for the sake of its refusal. -/
def divided (divide? : Layout → Layout → Option Layout) (why : Layout → Layout → Answer) (A T : Layout) : Answer :=
  match divide? A T with
  | some _ => .ok []
  | none => why A T

/-- The answer to a layout and a tiler, or the refusal of the first mode that refuses; nesting is looked at before
numbers are. -/
def tilerOp (answer? : Layout → Tiler → Option Answer) (op : Layout → Layout → Answer) (args : List Json) : Answer :=
  match args with
  | [a, b] => do
    let b ← readTiler 64 b
    let A ← readLayout a
    match answer? A b with
    | some answer => answer
    | none =>
      match refuseBy (fun _ _ => .ok []) b A.tree with
      | some e => .error e
      | none =>
        match refuseBy op b A.tree with
        | some e => .error e
        | none => refuse "internal" "no mode refuses"
  | _ => arity "a layout and a tiler"

end Oracle
