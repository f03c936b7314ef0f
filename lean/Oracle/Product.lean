module

public import Razorgirl.Spec.Layout.Partition
public import Oracle.Tiling

@[expose] public section

/-!
# Products, thread-value layouts and partitions in the table of operations

`Spec` says what the answer is; which refusal code belongs to which failure is said here.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-! ## Products -/

/-- Complete product. What strict product finds needs no enumeration. -/
def productComplete (A T : Layout) : Option Layout :=
  match A.logicalProduct T with
  | some R => some R
  | none => if T.size ≤ enumerable then A.logicalProductComplete T else none

/-- Why there is no product: no complement in which the copies could lie, or no composite with it. -/
def refuseProduct (A T : Layout) : Answer :=
  match A.origins T with
  | some C => refuseCompose C T
  | none => refuseComplement A.filter

/-- Why there is no product, after enumeration. -/
def refuseProductComplete (A T : Layout) : Answer :=
  match A.origins T with
  | some _ => if T.size ≤ enumerable then refuseProduct A T else refuse "too_large" "more than 2^24 copies"
  | none => refuseProduct A T

/-- The product by tiler in one of the forms. -/
def productOp (form : (Layout → Layout → Option Layout) → Layout → Tiler → Option Layout) (name : String) : Op :=
  { name,
    run := tilerOp (fun A b => (form Layout.logicalProduct A b).map bounded)
      (divided Layout.logicalProduct refuseProduct),
    complete := some (tilerOp (fun A b => (form productComplete A b).map bounded)
      (divided productComplete refuseProductComplete)) }

/-- What `why` says of two layouts padded to the same number of modes. -/
def padded (why : Layout → Layout → Answer) (A T : Layout) : Answer :=
  why (A.padModes (max A.rank T.rank)) (T.padModes (max A.rank T.rank))

/-- The product mode against mode. -/
def interleaved (product? : Layout → Layout → Option Layout) (why : Layout → Layout → Answer)
    (pairs : (xs ys : List (HTuple Mode)) → List (HTuple Mode)) (A T : Layout) : Answer :=
  match Layout.interleave product? pairs A T with
  | some R => bounded R
  | none => padded why A T

/-- The product mode against mode, as an operation. -/
def interleaveOp (pairs : (xs ys : List (HTuple Mode)) → List (HTuple Mode)) (name : String) : Op :=
  { name,
    run := onLayouts (interleaved Layout.logicalProduct refuseProduct pairs),
    complete := some (onLayouts (interleaved productComplete refuseProductComplete pairs)) }

/-- A block repeated up to a shape, or why it is not. -/
def tiledTo (product? : Layout → Layout → Option Layout) (why : Layout → Layout → Answer) (L : Layout)
    (shape order : IntTuple) : Answer :=
  match L.fillers shape order with
  | some T => interleaved product? why Layout.pairModes L T
  | none =>
    let sizes := (Layout.topShapes shape).map IntTuple.size
    if sizes.length < L.rank then refuse "incongruent" "the block has more modes than the shape"
    else
      match Layout.ordered (.node (sizes.map .leaf)) order with
      | none => refuse "incongruent" "the order is no number for each mode of the shape"
      | some _ => refuse "not_divisible" "a mode of the block does not divide that of the shape"

/-- A block repeated up to a shape, in an order if there is one. -/
def tileToShapeOp (product? : Layout → Layout → Option Layout) (why : Layout → Layout → Answer)
    (args : List Json) : Answer :=
  match args with
  | [a, s] => do
    let L ← readLayout a
    let shape ← readShape s
    tiledTo product? why L shape (Layout.columnOrder shape)
  | [a, s, o] => do
    let order ← readInts o
    let L ← readLayout a
    let shape ← readShape s
    match atLeast 0 order with
    | some order => tiledTo product? why L shape order
    | none => refuse "out_of_domain" "a number of the order is below 0"
  | _ => arity "a layout, a shape, and perhaps an order"

/-- pycute's way to name the zipped forms: 0 for division, 1 for product. -/
def hierUnzipOp (divide multiply : List Json → Answer) (args : List Json) : Answer :=
  match args with
  | [k, a, b] =>
    match k.getInt? with
    | .ok 0 => divide [a, b]
    | .ok 1 => multiply [a, b]
    | _ => refuse "parse" "expected 0 for division or 1 for product"
  | _ => arity "0 or 1, a layout and a tiler"

/-! ## Threads and values -/

/-- Complete composition. What strict composition finds needs no enumeration. -/
def composeSome (A B : Layout) : Option Layout :=
  match A.compose B with
  | some R => some R
  | none => if B.size ≤ enumerable then A.composeComplete B else none

/-- A thread-value layout and its tile, or why there is none. -/
def threadValue (product? compose? : Layout → Layout → Option Layout) (why : Layout → Layout → Answer)
    (thr val : Layout) : Answer :=
  match Layout.interleave product? (fun xs ys => Layout.pairModes ys xs) thr val with
  | none => padded why thr val
  | some L =>
    match Layout.threadValueWith compose? L thr.size val.size with
    | some r => result (Json.mkObj [("tiler", .arr (r.tiler.map natJson).toArray), ("layout", layoutJson r.layout)])
    | none =>
      match L.inverse with
      | some I => refuseCompose I (Layout.threadPairs thr.size val.size)
      | none => bijectionOp L

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
def partOf (divide? : Layout → Layout → Option Layout) (why : Layout → Layout → Answer)
    (at? : Layout → Coord → Option (Layout × Nat)) (whole : HTuple Mode → HTuple Mode → HTuple Mode)
    (args : List Json) : Answer :=
  match args with
  | [a, b, c] => do
    let c ← readTree 64 c
    tilerOp (fun A b => (Layout.arrange Layout.zippedForm Layout.allRest divide? A b).map
      fun Z => partAt at? whole Z c) (divided divide? why) [a, b]
  | _ => arity "a layout, a tiler and a coordinate"

/-- A partition by tiler, as an operation. -/
def partitionOp (at? : Layout → Coord → Option (Layout × Nat))
    (whole : HTuple Mode → HTuple Mode → HTuple Mode) (name : String) : Op :=
  { name,
    run := partOf Layout.logicalDivide refuseDivide at? whole,
    complete := some (partOf divideComplete refuseDivideComplete at? whole) }

/-- What one thread gets. -/
def localPartitionOp (divide? : Layout → Layout → Option Layout) (why : Layout → Layout → Answer)
    (args : List Json) : Answer :=
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
        | none => bijectionOp thr
        | some c =>
          match Layout.arrange Layout.zippedForm Layout.allRest divide? A (Layout.runs thr.modeSizes) with
          | some Z => partAt Layout.outerAt (fun t _ => t) Z (c.map fun o => o.map Int.ofNat)
          | none =>
            match refuseBy (divided divide? why) (Layout.runs thr.modeSizes) A.tree with
            | some e => .error e
            | none => refuse "internal" "no mode refuses"
  | _ => arity "a layout, threads and the number of a thread"

/-! ## The table -/

/-- The operations, by name. -/
def product : List Op :=
  let zippedDivide : Op := divideOp (Layout.arrange Layout.zippedForm Layout.allRest) ""
  let zippedProduct : Op := productOp (Layout.arrange Layout.zippedForm Layout.allTile) "zipped_product"
  [ interleaveOp Layout.pairModes "blocked_product",
    productOp (Layout.arrange Layout.flatForm Layout.allTile) "flat_product",
    { name := "hier_unzip", run := hierUnzipOp zippedDivide.run zippedProduct.run,
      complete := some (hierUnzipOp (zippedDivide.complete.getD zippedDivide.run)
        (zippedProduct.complete.getD zippedProduct.run)) },
    partitionOp Layout.innerAt (fun _ r => r) "inner_partition",
    { name := "local_partition", run := localPartitionOp Layout.logicalDivide refuseDivide,
      complete := some (localPartitionOp divideComplete refuseDivideComplete) },
    partitionOp Layout.innerAt (fun _ r => r) "local_tile",
    productOp Layout.transformBy "logical_product",
    productOp Layout.transformBy "logical_product_by_mode",
    { name := "make_layout_tv", run := onLayouts (threadValue Layout.logicalProduct Layout.compose refuseProduct),
      complete := some (onLayouts (threadValue productComplete composeSome refuseProductComplete)) },
    partitionOp Layout.outerAt (fun t _ => t) "outer_partition",
    interleaveOp (fun xs ys => Layout.pairModes ys xs) "raked_product",
    { name := "tile_to_shape", run := tileToShapeOp Layout.logicalProduct refuseProduct,
      complete := some (tileToShapeOp productComplete refuseProductComplete) },
    productOp (Layout.arrange Layout.tiledForm Layout.allTile) "tiled_product",
    zippedProduct ]

end Oracle
