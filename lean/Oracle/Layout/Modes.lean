module

public import Razorgirl.Spec.IntTuple.Modes
public import Razorgirl.Spec.Layout.Modes
public import Oracle.Args

@[expose] public section

/-!
# Modes added, grouped, picked and replaced
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- Modes that a tuple may be made to have. -/
def maxModes : Nat := 65536

/-- `append` and `prepend`: a rank, and perhaps what to add. -/
def padOp (onShape : Nat → IntTuple → IntTuple → Option IntTuple)
    (onLayout : Nat → Layout → Layout → Option Layout) (args : List Json) : Answer :=
  let pad (x n : Json) (y : ShapeOrLayout → Except OracleError ShapeOrLayout) : Answer := do
    let n ← readIndex n
    if n > maxModes then refuse "too_large" "more than 2^16 modes"
    let x ← readEither x
    let y ← y x
    if n < 0 then refuse "out_of_domain" "the rank is below 0"
    match x, y with
    | .shape s, .shape t => rearranged "out_of_domain" (onShape n.toNat t) (fun _ => none) (.shape s)
    | .layout L, .layout X => rearranged "out_of_domain" (fun _ => none) (onLayout n.toNat X) (.layout L)
    | _, _ => refuse "parse" "a shape and a layout do not mix"
  match args with
  | [x, n] => pad x n fun
    | .shape _ => .ok (.shape (.leaf 1))
    | .layout _ => .ok (.layout ⟨[⟨1, 0⟩], .leaf ()⟩)
  | [x, n, y] =>
    if sameKind x y then pad x n fun _ => readEither y else refuse "parse" "a shape and a layout do not mix"
  | _ => arity "a shape or layout, a rank, and perhaps what to add"

/-- `group` and `take`: a range of modes. -/
def rangeOp (onShape : Nat → Nat → IntTuple → Option IntTuple) (onLayout : Nat → Nat → Layout → Option Layout)
    (args : List Json) : Answer :=
  match args with
  | [x, b, e] => do
    let b ← readPlace b
    let e ← readPlace e
    rearranged "out_of_domain" (onShape b e) (onLayout b e) (← readEither x)
  | _ => arity "a shape or layout, and the two ends of a range"

/-- The modes at several places. -/
def selectOp (args : List Json) : Answer :=
  match args with
  | [x, .arr js] => do
    let values ← readValues js.toList
    let x ← readEither x
    if values.all fun i => decide (0 ≤ i) then
      let is := values.map Int.toNat
      rearranged "out_of_domain" (HTuple.select is) (Layout.select is) x
    else refuse "out_of_domain" "a place is below 0"
  | [_, _] => refuse "parse" "expected a list of places"
  | _ => arity "a shape or layout, and a list of places"

/-- Another mode in a place. -/
def replaceOp (args : List Json) : Answer :=
  match args with
  | [x, n, y] =>
    if sameKind x y then do
      let n ← readPlace n
      match ← readEither x, ← readEither y with
      | .shape s, .shape t => rearranged "out_of_domain" (HTuple.replace n t) (fun _ => none) (.shape s)
      | .layout L, .layout X => rearranged "out_of_domain" (fun _ => none) (Layout.replace n X) (.layout L)
      | _, _ => refuse "parse" "a shape and a layout do not mix"
    else refuse "parse" "a shape and a layout do not mix"
  | _ => arity "a shape or layout, a place, and what to put there"

end Oracle
