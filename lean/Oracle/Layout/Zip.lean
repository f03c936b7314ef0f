module

public import Razorgirl.Spec.IntTuple.Zip
public import Razorgirl.Spec.Layout.Zip
public import Oracle.Args

@[expose] public section

/-!
# Rows and columns of modes exchanged
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- Rows and columns exchanged, of one or of two. -/
def zipOp (args : List Json) : Answer :=
  match args with
  | [x] => do rearranged "incongruent" HTuple.zip Layout.zip (← readEither x)
  | [x, y] =>
    if sameKind x y then do
      match ← readEither x, ← readEither y with
      | .shape s, .shape t =>
        if IntTuple.size s * IntTuple.size t < limit then
          rearranged "incongruent" (fun s => HTuple.zip (.node [s, t])) (fun _ => none) (.shape s)
        else
          match HTuple.zip (.node [s, t]) with
          | some _ => refuse "overflow" "the size of the result is 2^64 or more"
          | none => refuse "incongruent" "the ranks differ"
      | .layout L, .layout X => rearranged "incongruent" (fun _ => none) (fun L => L.zipPair X) (.layout L)
      | _, _ => refuse "parse" "a shape and a layout do not mix"
    else refuse "parse" "a shape and a layout do not mix"
  | _ => arity "one or two shapes or layouts"

/-- Pairs parted along a guide. -/
def unzipOp (args : List Json) : Answer :=
  match args with
  | [x, g] => do
    let g ← readProfile g
    rearranged "incongruent" (HTuple.unzip g) (Layout.unzipBy g) (← readEither x)
  | _ => arity "a shape or layout, and a guide"

end Oracle
