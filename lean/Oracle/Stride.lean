module

public import Razorgirl.Spec.Stride.Coord
public import Oracle.Layout.Composition
public import Oracle.Layout.Slice

@[expose] public section

/-!
# Layouts of coordinates

A stride is an integer, or an object such as `{"1@0":4}`: 4 in dimension 0. Which numbers there are in a value, and how
they are nested, the strides and the offset say together.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- A multiple of a basis element: its path, the outermost dimension first. -/
structure Term where
  path : List Nat
  times : Int

/-- Digits as a number. -/
def digitsNat (cs : List Char) : Option Nat :=
  match cs with
  | [] => none
  | c :: cs =>
    (c :: cs).foldl (fun n c => match n with
      | some n => if '0' ≤ c && c ≤ '9' then some (10 * n + (c.toNat - '0'.toNat)) else none
      | none => none) (some 0)

/-- Text apart at a character. -/
def apart (at? : Char) (cs : List Char) : List (List Char) :=
  cs.foldr (fun c parts => if c == at? then [] :: parts else
    match parts with
    | [] => [[c]]
    | part :: parts => (c :: part) :: parts) [[]]

/-- All of these, or none. -/
def allSome {α : Type} (xs : List (Option α)) : Option (List α) :=
  match xs with
  | [] => some []
  | none :: _ => none
  | some x :: xs => (allSome xs).map (x :: ·)

/-- The path of `1@1@0`: `[0,1]`. -/
def readPath (key : String) : Option (List Nat) :=
  match apart '@' key.toList with
  | ['1'] :: d :: ds => (allSome ((d :: ds).map digitsNat)).map List.reverse
  | _ => none

/-- The terms of an object, by its keys in order. -/
def readTerms (fields : List (String × Json)) : Except OracleError (List Term) :=
  match fields with
  | [] => .ok []
  | (key, j) :: rest =>
    match readPath key, j.getInt? with
    | some path, .ok n => (readTerms rest).map (⟨path, n⟩ :: ·)
    | _, _ => refuse "parse" "expected an integer at a basis element"

/-- The sum at a leaf. -/
def readSum (j : Json) : Except OracleError (List Term) :=
  match j with
  | .obj fields =>
    match fields.foldl (fun all key j => (key, j) :: all) [] with
    | [] => refuse "parse" "a stride without a basis element"
    | fields => readTerms fields
  | j =>
    match j.getInt? with
    | .ok n => .ok [⟨[], n⟩]
    | .error _ => refuse "parse" "expected a stride"

mutual
/-- Strides in a nesting at most `fuel` deep. -/
def readSums (fuel : Nat) (j : Json) : Except OracleError (HTuple (List Term)) :=
  match j, fuel with
  | .arr a, n + 1 => (readSumList n a.toList).map .node
  | .arr _, 0 => refuse "too_large" "a tuple is nested more than 64 deep"
  | j, _ => (readSum j).map .leaf
/-- `readSums` for each of a list. -/
def readSumList (fuel : Nat) (js : List Json) : Except OracleError (List (HTuple (List Term))) :=
  match js with
  | [] => .ok []
  | j :: rest =>
    match readSums fuel j, readSumList fuel rest with
    | .ok t, .ok ts => .ok (t :: ts)
    | .error e, _ => .error e
    | _, .error e => .error e
end

/-- One dimension more than the largest that comes first in a path. -/
def dimensions (paths : List (List Nat)) : Nat :=
  paths.foldl (fun n path => match path with
    | [] => n
    | d :: _ => max n (d + 1)) 0

/-- What follows in the paths that begin with a dimension. -/
def inside (d : Nat) (paths : List (List Nat)) : List (List Nat) :=
  paths.flatMap fun path => match path with
    | [] => []
    | e :: rest => if e = d then [rest] else []

/-- Nothing is in a list. -/
def isNil {α : Type} (xs : List α) : Bool :=
  match xs with
  | [] => true
  | _ :: _ => false

/-- A tuple of `n` dimensions, each by itself. -/
def eachDimension (f : List (List Nat) → Option IntTuple → Except OracleError IntTuple) (paths : List (List Nat)) (n : Nat)
    (ts : List IntTuple) : Except OracleError IntTuple :=
  if n > 1024 then refuse "too_large" "a coordinate of more than 1024 numbers"
  else
    let modes : Except OracleError (List IntTuple) := (List.range n).foldr (fun d modes =>
      match modes, f (inside d paths) ((ts.drop d).head?) with
      | .ok modes, .ok mode => .ok (mode :: modes)
      | .error e, _ => .error e
      | _, .error e => .error e) (.ok [])
    modes.map .node

/-- The value of the first coordinate, with a number at each of these paths. -/
def joined (fuel : Nat) (paths : List (List Nat)) (start : Option IntTuple) : Except OracleError IntTuple :=
  match fuel with
  | 0 => refuse "too_large" "a coordinate is nested more than 64 deep"
  | fuel + 1 =>
    if paths.any isNil then
      match start, paths.all isNil with
      | none, true => .ok (.leaf 0)
      | some (.leaf n), true => .ok (.leaf n)
      | _, _ => refuse "incongruent" "a number and a tuple"
    else
      match paths, start with
      | [], none => .ok (.leaf 0)
      | [], some t => .ok t
      | _, some (.leaf (_ + 1)) => refuse "incongruent" "a number and a tuple"
      | _, some (.leaf 0) => eachDimension (joined fuel) paths (dimensions paths) []
      | _, none => eachDimension (joined fuel) paths (dimensions paths) []
      | _, some (.node ts) => eachDimension (joined fuel) paths (max (dimensions paths) ts.length) ts

mutual
/-- The path of each leaf, under the dimensions above it in reverse. -/
def pathsOf (above : List Nat) (t : IntTuple) : List (List Nat) :=
  match t with
  | .leaf _ => [above.reverse]
  | .node ts => pathsOfList above 0 ts
/-- `pathsOf` for the modes from a dimension on. -/
def pathsOfList (above : List Nat) (d : Nat) (ts : List IntTuple) : List (List Nat) :=
  match ts with
  | [] => []
  | t :: ts => pathsOf (d :: above) t ++ pathsOfList above (d + 1) ts
end

/-- A layout of coordinates, with the nesting of its values. -/
structure Coordinates where
  nest : Profile
  r : Nat
  layout : CoordLayout r

/-- So many numbers. -/
def pointOf (r : Nat) (f : Nat → Nat) : Point r := ⟨(List.range r).map f, by simp⟩

/-- Each number of each value is below 2^64. -/
def fitsAxes {r : Nat} (L : CoordLayout r) : Bool :=
  (List.range r).all fun i => decide
    (FlatLayout.cosizeFormula (L.axis i) < limit ∧ L.start.get i + FlatLayout.cosizeFormula (L.axis i) ≤ limit)

/-- A layout of coordinates from its parts. -/
def checkCoordinates (shape : HTuple Int) (stride : HTuple (List Term)) (offset : Option IntTuple) :
    Except OracleError Coordinates :=
  if HTuple.congruent shape stride then
    match atLeast 1 shape with
    | none => refuse "extent" "an extent is below 1"
    | some s =>
      if stride.flatten.all fun sum => sum.all fun t => decide (0 ≤ t.times) then
        let extents := s.flatten
        let sums := stride.flatten
        let told := (extents.zip sums).flatMap fun m => m.2.flatMap fun t =>
          if isNil t.path && (t.times == 0 || m.1 == 1) then [] else [t.path]
        match joined 65 told offset with
        | .error e => .error e
        | .ok start =>
          let paths := pathsOf [] start
          if paths.length > 1024 || paths.length * extents.length > 1048576 then
            refuse "too_large" "too many numbers"
          else
            let number := fun (sum : List Term) (path : List Nat) =>
              sum.foldl (fun n t => if t.path == path then n + t.times.toNat else n) 0
            let modes := (extents.zip sums).map fun m =>
              (m.1, pointOf paths.length fun i => if m.1 == 1 then 0 else number m.2 (paths.getD i []))
            let starts := start.flatten
            let L : CoordLayout paths.length := ⟨pointOf paths.length fun i => starts.getD i 0, modes, s.profile⟩
            if decide (L.size < limit) && fitsAxes L then .ok ⟨start.profile, paths.length, L⟩
            else refuse "overflow" "size or a number is 2^64 or more"
      else refuse "stride" "a stride is below 0"
  else refuse "incongruent" "shape and stride are nested differently"

/-- A layout of coordinates; a layout by itself is one of integers. -/
def readCoordinates (j : Json) : Except OracleError Coordinates :=
  if !hasOnly ["offset", "shape", "stride"] j then refuse "parse" "expected a layout of coordinates" else
  match j.getObjVal? "shape", j.getObjVal? "stride" with
  | .ok s, .ok d => do
    let s ← readInts s
    let d ← readSums 64 d
    match j.getObjVal? "offset" with
    | .ok o =>
      let o ← readInts o
      match atLeast 0 o with
      | none => refuse "out_of_domain" "the offset is below 0"
      | some o =>
        if o.flatten.all fun n => decide (n < limit) then checkCoordinates s d (some o)
        else refuse "overflow" "the offset is 2^64 or more"
    | .error _ => checkCoordinates s d none
  | _, _ => refuse "parse" "expected a layout: an object with shape and stride"

/-- `1@1@0` for the path `[0,1]`. -/
def unitName (path : List Nat) : String := path.reverse.foldl (fun text d => text ++ "@" ++ toString d) "1"

/-- A stride as JSON. -/
def sumJson (paths : List (List Nat)) (numbers : List Nat) : Json :=
  match (paths.zip numbers).filter fun t => t.2 != 0 with
  | [] => .num (0 : Int)
  | [([], n)] => natJson n
  | terms => Json.mkObj (terms.map fun t => (unitName t.1, natJson t.2))

mutual
/-- Strides as nested lists. -/
def sumsJson (paths : List (List Nat)) (t : HTuple (List Nat)) : Json :=
  match t with
  | .leaf numbers => sumJson paths numbers
  | .node ts => .arr (sumsJsonList paths ts).toArray
/-- `sumsJson` for each of several. -/
def sumsJsonList (paths : List (List Nat)) (ts : List (HTuple (List Nat))) : List Json :=
  match ts with
  | [] => []
  | t :: ts => sumsJson paths t :: sumsJsonList paths ts
end

/-- A value in the nesting of all. -/
def valueJson {r : Nat} (nest : Profile) (p : Point r) : Json := tupleJson (HTuple.unflatten 0 nest p.entries)

/-- A layout of coordinates as JSON: with the offset where it is not 0, or strides do not show the nesting. -/
def coordinatesJson (nest : Profile) {r : Nat} (L : CoordLayout r) : Json :=
  let zeros := HTuple.unflatten 0 nest (List.replicate r 0)
  let paths := pathsOf [] zeros
  let strides := L.modes.map fun m => if m.1 == 1 then List.replicate r 0 else m.2.entries
  let told := strides.flatMap fun numbers => (paths.zip numbers).flatMap fun t => if t.2 == 0 then [] else [t.1]
  let shown := match joined 65 told none with
    | .ok least => HTuple.congruent least zeros
    | .error _ => false
  let parts := [("shape", tupleJson L.shape), ("stride", sumsJson paths (HTuple.unflatten [] L.profile strides))]
  if shown && L.start.entries.all (· == 0) then Json.mkObj parts
  else Json.mkObj (("offset", valueJson nest L.start) :: parts)

/-- A layout of coordinates as a result. -/
def answerCoordinates (nest : Profile) {r : Nat} (L : CoordLayout r) : Answer :=
  if L.profile.depth > maxDepth then refuse "too_large" "the result is nested more than 64 deep"
  else result (coordinatesJson nest L)

/-- The value of a coordinate, or the layout of the modes that it keeps. -/
def coordCallOp (args : List Json) : Answer :=
  match args with
  | [c, j] => do
    let c ← readTree 64 c
    let E ← readCoordinates j
    let c ← checkCoord c E.layout.shape
    if hasKeep c then
      match E.layout.slice c with
      | some S => answerCoordinates E.nest S
      | none => refuse "incongruent" "the coordinate has more modes than the layout"
    else
      match E.layout.call c with
      | some p => result (valueJson E.nest p)
      | none => refuse "out_of_domain" "the coordinate is outside the layout"
  | _ => arity "a coordinate and a layout of coordinates"

/-- An operation on one layout of coordinates. -/
def onCoordinates (f : Coordinates → Answer) (args : List Json) : Answer :=
  match args with
  | [j] => readCoordinates j >>= f
  | _ => arity "one layout of coordinates"

/-- All values. -/
def coordEvalOp (E : Coordinates) : Answer :=
  if E.layout.size * max E.r 1 > 1048576 then refuse "too_large" "too many numbers"
  else result (.arr (E.layout.values.map (valueJson E.nest)).toArray)

/-- The composite that exists for all strides. -/
def coordCompositionOp (args : List Json) : Answer :=
  match args with
  | [j, b] => do
    let E ← readCoordinates j
    let B ← readLayout b
    match E.layout.composition B with
    | some R => answerCoordinates E.nest R
    | none =>
      if FlatLayout.cosizeFormula B.modes ≤ E.layout.size then
        match splitModes (Stride.shape (Stride.coalesce E.layout.modes)) B.modes with
        | some _ => refuse "carries" "the modes of the inner layout carry"
        | none => refuse "not_divisible" "a mode of the inner layout wraps in its middle"
      else refuse "out_of_domain" "the inner layout reaches past the outer one"
  | _ => arity "a layout of coordinates and a layout"

/-- Each coordinate at itself. -/
def identityOp (s : IntTuple) : Answer :=
  if s.length > 1024 then refuse "too_large" "a coordinate of more than 1024 numbers"
  else answerCoordinates s.profile (CoordLayout.identity s)

/-- The operations, by name. -/
def strideOps : List Op := [
  { name := "coord_call", run := coordCallOp },
  { name := "coord_coalesce", run := onCoordinates fun E => answerCoordinates E.nest E.layout.coalesce },
  { name := "coord_composition", run := coordCompositionOp },
  { name := "coord_eval", run := onCoordinates coordEvalOp },
  { name := "identity_layout", run := onShape identityOp }]

end Oracle
