module

public import Lean.Data.Json
public import Razorgirl.Spec.Layout.Basic
public import Oracle.Shell

@[expose] public section

/-!
# Arguments and results as JSON

What is read is checked here once, in the order of the protocol's error table: kind, nesting, extents, strides,
size. The operations themselves see valid layouts only.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- A refusal as an answer. -/
def refuse {α : Type} (code message : String) (help : List String := []) : Except OracleError α :=
  .error { code, message, help }

/-- 2^64, which no size or cosize may reach. -/
def limit : Nat := 18446744073709551616

/-! ## Reading -/

mutual
/-- A nested list of integers and nulls, nested at most `fuel` deep. -/
def readTree (fuel : Nat) (j : Json) : Except OracleError (HTuple (Option Int)) :=
  match j, fuel with
  | .null, _ => .ok (.leaf none)
  | .arr a, n + 1 => readTrees n a.toList |>.map .node
  | .arr _, 0 => refuse "too_large" "a tuple is nested more than 64 deep"
  | j, _ =>
    match j.getInt? with
    | .ok x => .ok (.leaf (some x))
    | .error _ => refuse "parse" "expected an integer or a tuple of integers"
/-- `readTree` for each of a list. -/
def readTrees (fuel : Nat) (js : List Json) : Except OracleError (List (HTuple (Option Int))) :=
  match js with
  | [] => .ok []
  | j :: rest =>
    match readTree fuel j, readTrees fuel rest with
    | .ok t, .ok ts => .ok (t :: ts)
    | .error e, _ => .error e
    | _, .error e => .error e
end

/-- A nested list of integers without nulls. -/
def readInts (j : Json) : Except OracleError (HTuple Int) :=
  match readTree 64 j with
  | .error e => .error e
  | .ok t =>
    if t.flatten.all Option.isSome then .ok (t.map fun o => match o with | some x => x | none => 0)
    else refuse "parse" "null is not allowed here"

/-- A profile: only the nesting of a nested list of integers. -/
def readProfile (j : Json) : Except OracleError Profile := (readInts j).map HTuple.profile

/-- The natural numbers of a nested tuple, if all are at least `least`. -/
def atLeast (least : Int) (t : HTuple Int) : Option IntTuple :=
  if t.flatten.all (fun x => decide (least ≤ x)) then some (t.map Int.toNat) else none

/-- A shape: extents at least 1, size below 2^64. -/
def checkShape (t : HTuple Int) : Except OracleError IntTuple :=
  match atLeast 1 t with
  | none => refuse "extent" "an extent is below 1"
  | some s => if IntTuple.size s < limit then .ok s else refuse "overflow" "the size is 2^64 or more"

/-- A layout from its parts: congruent, extents at least 1, strides at least 0, size and cosize below 2^64. -/
def checkLayout (shape stride : HTuple Int) : Except OracleError Layout :=
  if HTuple.congruent shape stride then
    match atLeast 1 shape, atLeast 0 stride with
    | none, _ => refuse "extent" "an extent is below 1"
    | _, none => refuse "stride" "a stride is below 0"
    | some s, some d =>
      let modes := FlatLayout.normalize (s.flatten.zipWith Mode.mk d.flatten)
      if FlatLayout.size modes < limit && FlatLayout.cosizeFormula modes < limit then .ok ⟨modes, s.profile⟩
      else refuse "overflow" "size or cosize is 2^64 or more"
  else refuse "incongruent" "shape and stride are nested differently"

/-- Whether a value is an object that has no field but these. -/
def hasOnly (names : List String) (j : Json) : Bool :=
  match j with
  | .obj fields => fields.foldl (fun ok name _ => ok && names.any (· == name)) true
  | _ => false

/-- The layout of the fields shape and stride in an object with these fields. -/
def readLayoutAmong (names : List String) (j : Json) : Except OracleError Layout :=
  if !hasOnly names j then refuse "parse" s!"expected an object with no other fields than {names}" else
  match j.getObjVal? "shape", j.getObjVal? "stride" with
  | .ok s, .ok d =>
    match readInts s, readInts d with
    | .ok s, .ok d => checkLayout s d
    | .error e, _ => .error e
    | _, .error e => .error e
  | _, _ => refuse "parse" "expected a layout: an object with shape and stride"

/-- A layout. -/
def readLayout (j : Json) : Except OracleError Layout := readLayoutAmong ["shape", "stride"] j

/-- A shape, or a layout as its shape. -/
def readShape (j : Json) : Except OracleError IntTuple :=
  match j with
  | .obj _ => (readLayout j).map Layout.shape
  | _ =>
    match readInts j with
    | .ok t => checkShape t
    | .error e => .error e

/-- A coordinate for a shape: nested no deeper, every integer below the size it meets. -/
def checkCoord (c : HTuple (Option Int)) (shape : IntTuple) : Except OracleError Coord :=
  if HTuple.weaklyCongruent c shape then
    if c.flatten.all (fun o => match o with | some x => decide (0 ≤ x) | none => true) then
      let coord : Coord := c.map fun o => o.map Int.toNat
      match coord.toFlat shape with
      | some _ => .ok coord
      | none => refuse "out_of_domain" "a coordinate is at or above its extent"
    else refuse "out_of_domain" "a coordinate is below 0"
  else refuse "incongruent" "the coordinate is nested deeper than the shape or has another rank"

/-! ## Writing -/

mutual
/-- A nested tuple as nested lists. -/
def tupleJson (t : IntTuple) : Json :=
  match t with
  | .leaf n => .num (n : Int)
  | .node ts => .arr (tupleJsons ts).toArray
/-- Each of several tuples. -/
def tupleJsons (ts : List IntTuple) : List Json :=
  match ts with
  | [] => []
  | t :: rest => tupleJson t :: tupleJsons rest
end

/-- A number. -/
def natJson (n : Nat) : Json := .num (n : Int)

/-- A layout. -/
def layoutJson (L : Layout) : Json := Json.mkObj [("shape", tupleJson L.shape), ("stride", tupleJson L.stride)]

/-- `"result":j` alone. -/
def result (j : Json) : Answer := .ok [("result", j)]

/-- A layout as a result. -/
def resultLayout (L : Layout) : Answer := result (layoutJson L)

/-- A layout, or a refusal for lack of one. -/
def resultLayout? (L : Option Layout) : Answer :=
  match L with
  | some L => resultLayout L
  | none => refuse "incongruent" "the profile or coordinate has more modes than the layout, or another rank"

end Oracle
