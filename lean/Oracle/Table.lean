module

public import Razorgirl.Spec.Layout.Alignment
public import Razorgirl.Spec.Layout.Coalesce
public import Razorgirl.Spec.Layout.Common
public import Razorgirl.Spec.Layout.Compact
public import Razorgirl.Spec.Layout.Filter
public import Razorgirl.Spec.Layout.Sort
public import Oracle.Bank
public import Oracle.Category
public import Oracle.Coord
public import Oracle.Int
public import Oracle.Int.Simplify
public import Oracle.IntTuple.Division
public import Oracle.IntTuple.Product
public import Oracle.IterDomain
public import Oracle.Layout.Basic
public import Oracle.Layout.Complement
public import Oracle.Layout.Composition
public import Oracle.Layout.Distribute
public import Oracle.Layout.Find
public import Oracle.Layout.Injective
public import Oracle.Layout.Inverse
public import Oracle.Layout.Modes
public import Oracle.Layout.Ordered
public import Oracle.Layout.Partition
public import Oracle.Layout.Recast
public import Oracle.Layout.Slice
public import Oracle.Layout.WithShape
public import Oracle.Layout.Zip
public import Oracle.LinearLayout
public import Oracle.Pipeline
public import Oracle.Relation
public import Oracle.Stride
public import Oracle.Swizzle
public import Oracle.Tma

@[expose] public section

/-!
# The table of operations

One line for each operation of the protocol: its name, and the function that answers it. What an operation takes and
means is in the file of its concept.
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- The column-major layout of a shape, or one mode for each layout. -/
def makeLayoutOp (args : List Json) : Answer :=
  match args with
  | [.obj fields] => do bounded (Layout.concat [← readLayout (.obj fields)])
  | [j] => do answerLayout (Layout.columnMajor (← readExtents j))
  | args => do bounded (Layout.concat (← readLayouts args))

/-- The operations on shapes, coordinates and layouts. `modes` stands where `"mode"` beside the
arguments asks for another answer. -/
def layoutOps : List Op := [
  { name := "append", run := padOp HTuple.appendTo Layout.append },
  { name := "blocked_product", run := onLayouts (interleaveOp Layout.blockedProduct) },
  { name := "call", run := onCoord callOp },
  { name := "ceil_div", run := divisionOp IntTuple.ceilDiv (fits false) },
  { name := "coalesce", run := onProfile Layout.coalesce Layout.coalesceBy },
  { name := "compatible", run := onShapes fun a b => result (.bool (IntTuple.compatible a b)) },
  { name := "complement", run := complementOp },
  { name := "complement_ceil", run := complementCeilOp },
  { name := "composition", run := onLayouts compositionOp, modes := [("complete", onLayouts compositionCompleteOp)] },
  { name := "composition_by_mode", run := compositionByOp Layout.compositionBy compositionOp Layout.compositionCode,
    modes := [("complete", compositionByOp Layout.compositionCompleteBy compositionCompleteOp Layout.compositionCompleteCode)] },
  { name := "composition_extended", run := onLayouts compositionExtendedOp },
  { name := "congruent", run := onShapes fun a b => result (.bool (HTuple.congruent a b)) },
  { name := "coshape", run := onLayout fun L => result (natJson (FlatLayout.cosizeFormula L.modes)) },
  { name := "cosize", run := onLayout fun L => result (natJson (FlatLayout.cosizeFormula L.modes)) },
  { name := "crd2crd", run := crd2crdOp },
  { name := "crd2idx", run := crd2idxOp },
  { name := "depth", run := onShape fun s => result (natJson s.depth) },
  { name := "dice", run := onCoord fun c L => resultLayout? (L.dice c) },
  { name := "domain_distribute", run := distributeOp },
  { name := "downcast", run := downcastOp },
  { name := "eval", run := onLayout evalOp },
  { name := "evenly_divides", run := evenlyDividesOp },
  { name := "filter", run := onProfile Layout.filter Layout.filterBy },
  { name := "filter_zeros", run := onLayout fun L => resultLayout L.filterZeros },
  { name := "find_layout", run := findLayoutOp },
  { name := "find_layout_over", run := findLayoutOverOp },
  { name := "flat_divide", run := divideOp (Layout.arrange Layout.flatForm Layout.allRest) },
  { name := "flat_product", run := productOp (Layout.arrange Layout.flatForm Layout.allTile) },
  { name := "flatten", run := flattenOp },
  { name := "group", run := rangeOp HTuple.group Layout.group },
  { name := "hier_unzip", run := hierUnzipOp },
  { name := "idx2crd", run := idx2crdOp },
  { name := "inner_partition", run := innerPartitionOp },
  { name := "inner_product", run := innerProductOp },
  { name := "inverse", run := onLayout bijectionOp },
  { name := "is_contiguous", run := onLayout fun L => result (.bool (FlatLayout.isContiguous L.modes)) },
  { name := "is_injective", run := onLayout isInjectiveOp },
  { name := "largest_extent", run := largestExtentOp },
  { name := "left_inverse", run := onLayout (inverseOp Layout.leftInverse Layout.leftInverseFault),
    modes := [("complete", onLayout leftInverseCompleteOp)] },
  { name := "local_partition", run := localPartitionOp },
  { name := "local_tile", run := innerPartitionOp },
  { name := "logical_divide", run := divideOp Layout.transformBy },
  { name := "logical_divide_by_mode", run := divideOp Layout.transformBy },
  { name := "logical_divide_ceil", run := divideCeilOp },
  { name := "logical_product", run := productOp Layout.transformBy },
  { name := "logical_product_by_mode", run := productOp Layout.transformBy },
  { name := "make_layout", run := makeLayoutOp },
  { name := "make_layout_left", run := onShape fun s => answerLayout (Layout.columnMajor s) },
  { name := "make_layout_like", run := onLayout fun L => answerLayout L.makeLayoutLike },
  { name := "make_layout_right", run := onShape fun s => answerLayout (Layout.rowMajor s) },
  { name := "make_layout_tv", run := onLayouts threadValueOp },
  { name := "make_ordered_layout", run := orderedOp },
  { name := "max_alignment", run := onLayout fun L => result (natJson L.maxAlignment) },
  { name := "max_common_layout", run := onLayouts fun a b => resultLayout (a.maxCommonLayout b) },
  { name := "max_common_vector", run := onLayouts fun a b => result (natJson (a.maxCommonVector b)) },
  { name := "nearest_tile", run := onLayouts nearestTileOp },
  { name := "nullspace", run := onLayout fun L => resultLayout L.nullspace },
  { name := "outer_partition", run := outerPartitionOp },
  { name := "prefix_product", run := prefixProductOp },
  { name := "prepend", run := padOp HTuple.prependTo Layout.prepend },
  { name := "quasi_left_inverse", run := onLayout (inverseOp Layout.quasiLeftInverse Layout.quasiLeftInverseFault) },
  { name := "raked_product", run := onLayouts (interleaveOp Layout.rakedProduct) },
  { name := "rank", run := onShape fun s => result (natJson s.rank) },
  { name := "recast", run := recastOp, modes := [("containing", recastContainingOp)] },
  { name := "refines", run := onShapes fun a b => result (.bool (IntTuple.refines a b)) },
  { name := "replace", run := replaceOp },
  { name := "right_inverse", run := onLayout fun L => resultLayout L.rightInverse },
  { name := "round_up", run := divisionOp IntTuple.roundUp (fun _ _ => false) },
  { name := "select", run := selectOp },
  { name := "shape_div", run := divisionOp IntTuple.shapeDiv (fits true) },
  { name := "size", run := onShape fun s => result (natJson (IntTuple.size s)) },
  { name := "slice", run := onCoord fun c L => resultLayout? (L.slice c) },
  { name := "slice_and_offset", run := onCoord sliceAndOffsetOp },
  { name := "sort", run := onLayout fun L => resultLayout L.sort },
  { name := "take", run := rangeOp HTuple.take Layout.take },
  { name := "tile_to_shape", run := tileToShapeOp },
  { name := "tiled_divide", run := divideOp (Layout.arrange Layout.tiledForm Layout.allRest) },
  { name := "tiled_product", run := productOp (Layout.arrange Layout.tiledForm Layout.allTile) },
  { name := "unzip", run := unzipOp },
  { name := "upcast", run := upcastOp, modes := [("containing", upcastContainingOp)] },
  { name := "weakly_congruent", run := onShapes fun a b => result (.bool (HTuple.weaklyCongruent a b)) },
  { name := "with_shape", run := withShapeOp compositionOp,
    modes := [("complete", withShapeOp compositionCompleteOp)] },
  { name := "zip", run := zipOp },
  { name := "zipped_divide", run := divideOp (Layout.arrange Layout.zippedForm Layout.allRest) },
  { name := "zipped_divide_ceil", run := tilerOp zippedCeilAnswer Layout.ceilDivisionCode },
  { name := "zipped_product", run := productOp (Layout.arrange Layout.zippedForm Layout.allTile) }]

/-! ## Layouts of other kinds

A swizzled layout, and one of coordinates, where an operation takes a layout. -/

/-- A field of an object is there. -/
def hasField (name : String) (j : Json) : Bool :=
  match j.getObjVal? name with
  | .ok _ => true
  | .error _ => false

/-- A swizzled layout is written here. -/
def isSwizzled (j : Json) : Bool := hasField "swizzle" j

/-- A layout of coordinates is written here. -/
def isCoordinates (j : Json) : Bool :=
  !isSwizzled j && (hasField "offset" j ||
    match j.getObjVal? "stride" with
    | .ok d => d.compress.toList.any (· == '{')
    | .error _ => false)

/-- What answers where an argument is a layout of another kind: for swizzled layouts, and for layouts of coordinates. -/
def families : List (String × Option (List Json → Answer) × Option (List Json → Answer)) := [
  ("call", some swizzledCallOp, some coordCallOp),
  ("coalesce", none, some (onCoordinates fun E => answerCoordinates E.nest E.layout.coalesce)),
  ("composition", some swizzledCompositionOp, some coordCompositionOp),
  ("eval", some (onSwizzled swizzledEvalOp), some (onCoordinates coordEvalOp)),
  ("recast", some swizzledRecastOp, none)]

/-- The places, from 0, in which the shape of any layout is meant. -/
def shapePlaces : List (String × List Nat) := [
  ("compatible", [0, 1]), ("congruent", [0, 1]), ("crd2crd", [1, 2]), ("depth", [0]), ("domain_distribute", [0]),
  ("evenly_divides", [0]), ("idx2crd", [1]), ("identity_layout", [0]), ("make_layout_left", [0]),
  ("make_layout_right", [0]), ("make_ordered_layout", [0]), ("prefix_product", [0]), ("rank", [0]), ("refines", [0, 1]),
  ("size", [0]), ("weakly_congruent", [0, 1]), ("with_shape", [1])]

/-- The shape of a layout of another kind, and any other value as it is. -/
def shapeOfOther (j : Json) : Except OracleError Json :=
  if isSwizzled j then (readSwizzled j).map fun R => tupleJson R.layout.shape
  else if isCoordinates j then (readCoordinates j).map fun E => tupleJson E.layout.shape
  else .ok j

/-- Shapes in place of layouts of other kinds, in these places. -/
def withShapes (places : List Nat) (n : Nat) (args : List Json) : Except OracleError (List Json) :=
  match args with
  | [] => .ok []
  | j :: rest => do
    let j ← if places.any (· == n) then shapeOfOther j else .ok j
    return j :: (← withShapes places (n + 1) rest)

/-- The operation, for layouts of all kinds that it takes. -/
def ofAllKinds (op : Op) : Op :=
  let plain (run : List Json → Answer) (args : List Json) : Answer :=
    match shapePlaces.find? fun p => p.1 == op.name with
    | some (_, places) => do run (← withShapes places 0 args)
    | none =>
      -- with three arguments the strides stand apart, and the layout is only a shape
      if op.name == "crd2idx" && args.length == 2 then do run (← withShapes [1] 0 args) else run args
  let family (args : List Json) : Answer :=
    match families.find? fun f => f.1 == op.name with
    | some (_, some swizzled, coordinates) =>
      if args.any isSwizzled then swizzled args
      else match coordinates with
        | some coordinates => if args.any isCoordinates then coordinates args else plain op.run args
        | none => plain op.run args
    | some (_, none, some coordinates) => if args.any isCoordinates then coordinates args else plain op.run args
    | _ => plain op.run args
  { op with run := family, modes := op.modes.map fun m => (m.1, plain m.2) }

/-- All operations: those that are listed are exactly those of the table in `rust/protocol`, which a test compares. -/
def table : List Op :=
  (layoutOps ++ intOps ++ simplifyOps ++ iterDomainOps ++ tmaOps ++ linearOps ++ encodingOps ++ strideOps ++ swizzleOps
    ++ swizzledOps ++ bankOps ++ accessOps ++ categoryOps ++ relationOps).map ofAllKinds ++ pipelineOps

end Oracle
