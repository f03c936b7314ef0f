module

public import Razorgirl.Spec.Layout.Collision
public import Razorgirl.Spec.Layout.Find
public import Razorgirl.Spec.Layout.Filter
public import Razorgirl.Spec.Layout.Sort
public import Razorgirl.Spec.Layout.Slice
public import Oracle.Read

@[expose] public section

/-!
# The table of operations

One line for each operation of the protocol: its name, and the `Spec` function that answers it.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- The wrong number of arguments. -/
def arity (takes : String) : Answer := refuse "arity" s!"takes {takes}"

/-- An operation on one layout. -/
def onLayout (f : Layout → Answer) (args : List Json) : Answer :=
  match args with
  | [j] => readLayout j >>= f
  | _ => arity "one layout"

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

/-- `_` occurs in the coordinate. -/
def hasKeep (c : Coord) : Bool := c.flatten.any Option.isNone

/-- All offsets, at most 2^20 of them. -/
def evalOp (L : Layout) : Answer :=
  if L.size ≤ 1048576 then result (.arr ((FlatLayout.offsets L.modes).map natJson).toArray)
  else refuse "too_large" "more than 2^20 offsets" ["`call` gives the offset of one coordinate"]

/-- The offset of a coordinate, or the layout of the modes that it keeps. -/
def callOp (c : Coord) (L : Layout) : Answer :=
  if hasKeep c then resultLayout? (L.sliceModes c)
  else
    match L.call c with
    | some o => result (natJson o)
    | none => refuse "out_of_domain" "the coordinate is outside the layout"

/-- Kept modes and offset. -/
def sliceAndOffsetOp (c : Coord) (L : Layout) : Answer :=
  match L.sliceAndOffset c with
  | some (S, o) => result (.arr #[tupleJson S.shape, tupleJson S.stride, natJson o])
  | none => refuse "out_of_domain" "the coordinate is outside the layout"

/-- The coordinate of a linear index. -/
def idx2crdOp (args : List Json) : Answer :=
  match args with
  | [i, s] => do
    let i ← readInts i
    let s ← readShape s
    match i with
    | .node _ => refuse "parse" "the index is a tuple"
    | .leaf i =>
      match if 0 ≤ i then Coord.idx2crd i.toNat s else none with
      | some c => result (tupleJson c)
      | none => refuse "out_of_domain" "the index is outside the shape"
  | _ => arity "an index and a shape"

/-- The linear index of a coordinate, or its offset under the strides. -/
def crd2idxOp (args : List Json) : Answer :=
  match args with
  | [c, s] => do
    let c ← readTree 64 c
    let s ← readShape s
    match (← checkCoord c s).crd2idx s with
    | some x => result (natJson x)
    | none => refuse "out_of_domain" "the coordinate is outside the shape"
  | [c, s, d] => do
    let c ← readTree 64 c
    let s ← readInts s
    let d ← readInts d
    let L ← checkLayout s d
    match L.call (← checkCoord c L.shape) with
    | some x => result (natJson x)
    | none => refuse "out_of_domain" "the coordinate is outside the shape"
  | _ => arity "a coordinate, a shape, and perhaps strides"

/-- All of several layouts. -/
def readLayouts (args : List Json) : Except OracleError (List Layout) :=
  match args with
  | [] => .ok []
  | j :: rest => do return (← readLayout j) :: (← readLayouts rest)

/-- Refuses what does not fit into 64 bits. -/
def bounded (L : Layout) : Answer :=
  if FlatLayout.size L.modes < limit && FlatLayout.cosizeFormula L.modes < limit then resultLayout L
  else refuse "overflow" "size or cosize of the result is 2^64 or more"

/-- The integers of a list. -/
def readValues (js : List Json) : Except OracleError (List Int) :=
  match js with
  | [] => .ok []
  | j :: rest =>
    match j.getInt? with
    | .ok x => (readValues rest).map (x :: ·)
    | .error _ => refuse "parse" "expected a list of integers"

/-- The layout of a function given by its values. -/
def findLayoutOp (args : List Json) : Answer :=
  match args with
  | [.arr js] => do
    let values ← readValues js.toList
    if values.all (fun x => decide (0 ≤ x)) then
      let table := (values.map Int.toNat).toArray
      match findLayout (fun i => table.getD i 0) table.size with
      | some L => bounded L.nest
      | none => result .null
    else result .null
  | [_] => refuse "parse" "expected a list of offsets"
  | _ => arity "one list of offsets"

/-- Whether the layout is injective, and a collision if it is not. -/
def isInjectiveOp (L : Layout) : Answer :=
  if L.size ≤ 16777216 then
    let pair := match FlatLayout.collision L.modes with
      | some (i, j) => .arr #[natJson i, natJson j]
      | none => .null
    .ok [("result", .bool (FlatLayout.isInjective L.modes)), ("collision", pair)]
  else refuse "too_large" "more than 2^24 coordinates"

/-- The operations, by name. -/
def table : List Op := [
  { name := "call", run := onCoord callOp },
  { name := "coalesce", run := onProfile Layout.coalesce Layout.coalesceBy },
  { name := "compatible", run := onShapes fun a b => result (.bool (IntTuple.compatible a b)) },
  { name := "congruent", run := onShapes fun a b => result (.bool (HTuple.congruent a b)) },
  { name := "cosize", run := onLayout fun L => result (natJson (FlatLayout.cosizeFormula L.modes)) },
  { name := "crd2idx", run := crd2idxOp },
  { name := "depth", run := onShape fun s => result (natJson s.depth) },
  { name := "dice", run := onCoord fun c L => resultLayout? (L.dice c) },
  { name := "eval", run := onLayout evalOp },
  { name := "filter", run := onProfile Layout.filter Layout.filterBy },
  { name := "filter_zeros", run := onLayout fun L => resultLayout L.filterZeros },
  { name := "find_layout", run := findLayoutOp },
  { name := "flatten", run := fun args =>
    match args with
    | [.obj _] => onLayout (fun L => resultLayout L.flatten) args
    | _ => onShape (fun s => match s with
      | .leaf n => result (natJson n)
      | .node ts => result (.arr ((HTuple.flattenList ts).map natJson).toArray)) args },
  { name := "idx2crd", run := idx2crdOp },
  { name := "is_contiguous", run := onLayout fun L => result (.bool (FlatLayout.isContiguous L.modes)) },
  { name := "is_injective", run := onLayout isInjectiveOp },
  { name := "make_layout", run := fun args => do bounded (Layout.concat (← readLayouts args)) },
  { name := "rank", run := onShape fun s => result (natJson s.rank) },
  { name := "refines", run := onShapes fun a b => result (.bool (IntTuple.refines a b)) },
  { name := "size", run := onShape fun s => result (natJson (IntTuple.size s)) },
  { name := "slice", run := onCoord fun c L => resultLayout? (L.slice c) },
  { name := "slice_and_offset", run := onCoord sliceAndOffsetOp },
  { name := "sort", run := onLayout fun L => resultLayout L.sort }]

end Oracle
