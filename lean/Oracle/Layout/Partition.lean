module

public import Razorgirl.Spec.Layout.Partition
public import Oracle.Layout.Inverse
public import Oracle.Layout.Product

@[expose] public section

/-!
# Threads, values, and parts of a tensor

Which refusal code belongs to which failure.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-! ## Threads and values -/

/-- A thread-value layout and its tile, or why there is none. -/
def threadValueOp (thr val : Layout) : Answer :=
  match Layout.rakedProduct thr val with
  | none => refuseAlone (Layout.productCode thr val)
  | some L =>
    match Layout.threadValueWith Layout.composition L thr.size val.size with
    | some r => result (Json.mkObj [("tiler", .arr (r.tiler.map natJson).toArray), ("layout", layoutJson r.layout)])
    | none =>
      match L.inverse with
      | some I => refuseAlone (Layout.compositionCode I (Layout.threadPairs thr.size val.size))
      | none => bijectionOfPart L

/-! ## Partitions -/

/-- A layout and where it begins. -/
def placed (p : Layout × Nat) : Answer := .ok [("result", layoutJson p.1), ("offset", natJson p.2)]

/-- A part of a division at a coordinate of `whole`, which is one of the two modes. -/
def partAt (at? : Layout → Coord → Option (Layout × Nat)) (whole : HTuple Mode → HTuple Mode → HTuple Mode)
    (Z : Layout) (c : HTuple (Option Int)) : Answer :=
  let coord : Coord := c.map fun o => o.map Int.toNat
  match Z.tree with
  | .node [t, r] =>
    if HTuple.weaklyCongruent (Layout.padCoord coord (whole t r)) (whole t r) then
      if c.flatten.all (fun o => match o with | some x => decide (0 ≤ x) | none => true) then
        match at? Z coord with
        | some p => placed p
        | none => refuse "out_of_domain" "a coordinate is at or above its extent"
      else refuse "out_of_domain" "a coordinate is below 0"
    else refuse "incongruent" "the coordinate is nested deeper than what it meets or has another rank"
  | _ => refuse "internal" "a zipped division has two modes"

/-- A part of a division by tiler. -/
def partitionOp (at? : Layout → Coord → Option (Layout × Nat)) (whole : HTuple Mode → HTuple Mode → HTuple Mode)
    (args : List Json) : Answer :=
  match args with
  | [a, b, c] => do
    let c ← readTree 64 c
    tilerOp (fun A b => (A.zippedDivide b).map fun Z => partAt at? whole Z c) Layout.divisionCode [a, b]
  | _ => arity "a layout, a tiler and a coordinate"

/-- One tile. -/
def innerPartitionOp (args : List Json) : Answer := partitionOp Layout.innerAt (fun _ r => r) args

/-- One element of every tile. -/
def outerPartitionOp (args : List Json) : Answer := partitionOp Layout.outerAt (fun t _ => t) args

/-- What one thread gets. -/
def localPartitionOp (args : List Json) : Answer :=
  match args with
  | [a, t, i] => do
    let i ← readInts i
    let A ← readLayout a
    let thr ← readLayout t
    match i with
    | .node _ => refuse "parse" "the number of a thread is a tuple"
    | .leaf i =>
      if A.rank < thr.modeSizes.length then refuse "incongruent" "the threads have more modes than the layout"
      else if i < 0 || thr.size ≤ i.toNat then refuse "out_of_domain" "there is no such thread"
      else
        match thr.threadCoord i.toNat with
        | none => bijectionOfPart thr
        | some c =>
          match A.zippedDivide (Layout.runs thr.modeSizes) with
          | some Z => partAt Layout.outerAt (fun t _ => t) Z (c.map fun o => o.map Int.ofNat)
          | none => refuseBy Layout.divisionCode (Layout.runs thr.modeSizes) A
  | _ => arity "a layout, threads and the number of a thread"

end Oracle
