module

public import Razorgirl.Spec.Layout.Basic
public import Oracle.Read

@[expose] public section

/-!
# Arguments by their kinds

What most operations take: a layout, two of them, a shape, a profile, a coordinate. And what they answer with: a layout
or a shape that fits into 64 bits.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- The wrong number of arguments. -/
def arity (takes : String) : Answer := refuse "arity" s!"takes {takes}"

/-- The deepest nesting that is answered. -/
def maxDepth : Nat := 64

/-- Refuses what does not fit into 64 bits. -/
def bounded (L : Layout) : Answer :=
  if FlatLayout.size L.modes < limit && FlatLayout.cosizeFormula L.modes < limit then resultLayout L
  else refuse "overflow" "size or cosize of the result is 2^64 or more"

/-- A layout that fits, and is not nested too deep. -/
def answerLayout (L : Layout) : Answer :=
  if L.depth > maxDepth then refuse "too_large" "the result is nested more than 64 deep" else bounded L

/-- A shape that fits, and is not nested too deep. -/
def answerShape (s : IntTuple) : Answer :=
  if s.depth > maxDepth then refuse "too_large" "the result is nested more than 64 deep"
  else if IntTuple.size s < limit then result (tupleJson s)
  else refuse "overflow" "the size of the result is 2^64 or more"

/-- An operation on one layout. -/
def onLayout (f : Layout → Answer) (args : List Json) : Answer :=
  match args with
  | [j] => readLayout j >>= f
  | _ => arity "one layout"

/-- An operation on two layouts. -/
def onLayouts (f : Layout → Layout → Answer) (args : List Json) : Answer :=
  match args with
  | [a, b] => do f (← readLayout a) (← readLayout b)
  | _ => arity "two layouts"

/-- An operation on one shape; a layout stands for its shape. -/
def onShape (f : IntTuple → Answer) (args : List Json) : Answer :=
  match args with
  | [j] => readShape j >>= f
  | _ => arity "one shape or layout"

/-- An operation on two shapes. -/
def onShapes (f : IntTuple → IntTuple → Answer) (args : List Json) : Answer :=
  match args with
  | [a, b] => do f (← readShape a) (← readShape b)
  | _ => arity "two shapes"

/-- An operation on a layout, and perhaps a profile. -/
def onProfile (f : Layout → Layout) (g : Profile → Layout → Option Layout) (args : List Json) : Answer :=
  match args with
  | [j] => do resultLayout (f (← readLayout j))
  | [j, p] => do
    let p ← readProfile p
    resultLayout? (g p (← readLayout j))
  | _ => arity "a layout, and perhaps a profile"

/-- An operation on a coordinate and a layout; the coordinate has been checked. -/
def onCoord (f : Coord → Layout → Answer) (args : List Json) : Answer :=
  match args with
  | [c, j] => do
    let c ← readTree 64 c
    let L ← readLayout j
    f (← checkCoord c L.shape) L
  | _ => arity "a coordinate and a layout"

/-- All of several layouts. -/
def readLayouts (args : List Json) : Except OracleError (List Layout) :=
  match args with
  | [] => .ok []
  | j :: rest => do return (← readLayout j) :: (← readLayouts rest)

/-- The integers of a list. -/
def readValues (js : List Json) : Except OracleError (List Int) :=
  match js with
  | [] => .ok []
  | j :: rest =>
    match j.getInt? with
    | .ok x => (readValues rest).map (x :: ·)
    | .error _ => refuse "parse" "expected a list of integers"

/-- An integer. -/
def readIndex (j : Json) : Except OracleError Int :=
  match readInts j with
  | .ok (.leaf n) => .ok n
  | .ok (.node _) => refuse "parse" "expected an integer"
  | .error e => .error e

/-- A place among modes; a negative one is beyond all. -/
def readPlace (j : Json) : Except OracleError Nat := do
  let n ← readIndex j
  return if n < 0 then limit else n.toNat

/-- A number of elements or bits. -/
def readCount (j : Json) : Except OracleError Nat := do
  let n ← readIndex j
  if n < 1 then refuse "extent" "a number of elements is below 1"
  else if n < limit then .ok n.toNat
  else refuse "overflow" "a number of elements is 2^64 or more"

/-- A shape and no layout. -/
def readExtents (j : Json) : Except OracleError IntTuple :=
  match readInts j with
  | .ok t => checkShape t
  | .error e => .error e

/-- Natural numbers at least `least`, refused with `code` where one is below. -/
def readNats (least : Int) (code : String) (t : HTuple Int) : Except OracleError IntTuple :=
  match atLeast least t with
  | some s =>
    if s.flatten.all fun n => decide (n < limit) then .ok s else refuse "overflow" "a number is 2^64 or more"
  | none => refuse code "a number is too small"

/-- A shape or a layout: most rearrangements take either, and answer the same. -/
inductive ShapeOrLayout where
  | shape (s : IntTuple)
  | layout (L : Layout)

/-- An object is a layout, anything else a shape. -/
def readEither (j : Json) : Except OracleError ShapeOrLayout :=
  match j with
  | .obj _ => (readLayout j).map .layout
  | _ => (readShape j).map .shape

/-- Both are layouts, or neither is. -/
def sameKind (a b : Json) : Bool :=
  match a, b with
  | .obj _, .obj _ => true
  | .obj _, _ => false
  | _, .obj _ => false
  | _, _ => true

/-- A rearrangement of a shape or of a layout, refused with `code` where there is none. -/
def rearranged (code : String) (onShape : IntTuple → Option IntTuple) (onLayout : Layout → Option Layout)
    (x : ShapeOrLayout) : Answer :=
  match x with
  | .shape s =>
    match onShape s with
    | some t => answerShape t
    | none => refuse code "there is no such result"
  | .layout L =>
    match onLayout L with
    | some R => answerLayout R
    | none => refuse code "there is no such result"

end Oracle
