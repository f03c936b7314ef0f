module

public import Razorgirl.Spec.Coord.Convert
public import Oracle.Args

@[expose] public section

/-!
# Coordinates
-/

namespace Oracle

open Lean (Json)
open Razorgirl

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

/-- A coordinate of one shape in another. -/
def crd2crdOp (args : List Json) : Answer :=
  match args with
  | [c, s, d] => do
    let c ← readTree 64 c
    let s ← readShape s
    let d ← readShape d
    match (← checkCoord c s).crd2crd s d with
    | some c' => result (tupleJson c')
    | none => refuse "out_of_domain" "the index is outside the second shape"
  | _ => arity "a coordinate and two shapes"

end Oracle
