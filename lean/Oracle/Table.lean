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
  { name := "make_layout", run := fun args => do bounded (Layout.concat (← readLayouts args)) },
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

/-- All operations: exactly those of the table in `rust/protocol`, which a test compares. -/
def table : List Op :=
  layoutOps ++ intOps ++ simplifyOps ++ iterDomainOps ++ tmaOps ++ linearOps ++ encodingOps ++ strideOps ++ swizzleOps
    ++ swizzledOps ++ bankOps ++ accessOps ++ categoryOps ++ relationOps

end Oracle
