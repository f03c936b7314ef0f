module

public import Razorgirl.Spec.LinearLayout.Query

@[expose] public section

/-!
# Triton's encodings as linear layouts

How blocked, sliced, matrix and shared encodings of one CTA place a tensor. Every size is a power of two; the parameters
are those of Triton, in its order. A distributed encoding takes register, lane, warp and block to the tensor's
dimensions, a shared one takes offset and block there. The block dimension has one value.

A layout is first built from the parameters by products, then *fitted* to the shape of the tensor: identity bases of the
first input repeat what is too small, and components that leave the shape become 0, which is a broadcast.
Source: Triton `LinearLayoutConversions.cpp` (3.9.0).
-/

namespace Razorgirl

namespace LinearLayout

namespace Encoding

/-- The name of a tensor dimension: `dim0`, `dim1`, … The first ones are written out: those Lean's kernel can compare. -/
def dimName : Nat → String
  | 0 => "dim0"
  | 1 => "dim1"
  | 2 => "dim2"
  | 3 => "dim3"
  | 4 => "dim4"
  | d => "dim" ++ toString d

/-- The exponent of a power of two. -/
def log (n : Nat) : Nat := n.log2

/-- The dimensions of a shape. -/
def dimsOf (shape : List Nat) : Dims := shape.zipIdx.map fun s => (dimName s.2, log s.1)

/-- The names of the dimensions of a shape. -/
def namesOf (shape : List Nat) : List String := (dimsOf shape).names

/-- The product of two layouts, with the dimensions of the first in its order and then the others: Triton multiplies
layouts here whose dimensions stand in another order. -/
def times (A B : LinearLayout) : LinearLayout :=
  A.productOver B (A.ins.names ++ (B.ins.without A.ins.names).names)
    (A.outs.names ++ (B.outs.without A.outs.names).names)

/-- An input counts through the dimensions in this order, each as far as its size; it does not move in dimension
`still`. -/
def spread (i : String) (sizes order : List Nat) (still : Option Nat) : LinearLayout :=
  order.foldl (fun L d =>
    let n := log (sizes.getD d 1)
    times L (if still = some d then zeros1D n 0 i (dimName d) else identity1D n i (dimName d))) empty

/-- A layout fitted to a shape, its outputs in the order of the shape, and `block` as last input. -/
def fit (L : LinearLayout) (shape : List Nat) : LinearLayout :=
  let fitted := ((L.growOuts (dimsOf shape)).ensureNotLarger (dimsOf shape) true).transposeOuts (namesOf shape)
  ⟨fitted.ins ++ [("block", 0)], fitted.outs, fitted.cols⟩

/-- Registers, lanes and warps each in an order, before fitting; lanes and warps do not move in dimension `still`. -/
def blockedBase (sizePerThread threadsPerWarp warpsPerCta order : List Nat) (still : Option Nat) : LinearLayout :=
  times (times (spread "register" sizePerThread order none) (spread "lane" threadsPerWarp order still))
    (spread "warp" warpsPerCta order still)

/-- The digit of a number in dimension `d`, where it counts through the dimensions in this order, each as far as its size;
0 in a dimension that the order lacks. -/
def digitOf (sizes : List Nat) : (order : List Nat) → (d x : Nat) → Nat
  | [], _, _ => 0
  | e :: order, d, x =>
    if e = d then x % 2 ^ log (sizes.getD e 1) else digitOf sizes order d (x / 2 ^ log (sizes.getD e 1))

/-- Triton's blocked encoding. Where the shape is smaller than the tile of a thread, register bases become zero: Triton 3.6 to
3.8 keep them, Triton 3.9 removes them.
Rust: `razorgirl::linear_layout::encodings::blocked` -/
def blocked (sizePerThread threadsPerWarp warpsPerCta order shape : List Nat) (keepZeroBases : Bool) : LinearLayout :=
  let fitted := fit (blockedBase sizePerThread threadsPerWarp warpsPerCta order none) shape
  if keepZeroBases then fitted else fitted.removeZeroBases "register"

/-- A list with an entry put in at a place. -/
def insertAt (l : List Nat) (i n : Nat) : List Nat := l.take i ++ n :: l.drop i

/-- The slice of a layout along a dimension: that output is dropped, the later ones are renumbered, and registers that
no longer matter are dropped.
Rust: `razorgirl::linear_layout::encodings::slice` -/
def slice (parent : LinearLayout) (dim : Nat) : LinearLayout :=
  let kept := parent.transposeOuts ((parent.outs.without [dimName dim]).names)
  LinearLayout.removeZeroBases ⟨kept.ins, kept.outs.zipIdx.map fun d => (dimName d.2, d.1.2), kept.cols⟩ "register"

/-- The slice of a blocked encoding, of a tensor of this shape.
Rust: `razorgirl::linear_layout::encodings::slice_blocked` -/
def sliceBlocked (dim : Nat) (sizePerThread threadsPerWarp warpsPerCta order shape : List Nat) : LinearLayout :=
  slice (blocked sizePerThread threadsPerWarp warpsPerCta order (insertAt shape dim 1) false) dim

/-- One warp's tile of a matrix instruction with `inner` and `outer` elements in those dimensions: each lane has `w`
adjacent elements, 4 lanes stand along the inner and 8 along the outer dimension, registers repeat that along the outer
and then the inner one. -/
def warpTile (inner outer w innerSize outerSize : Nat) : LinearLayout :=
  let i := dimName inner
  let o := dimName outer
  let quarter := times (times (identity1D (log w) "register" i) (identity1D 2 "lane" i)) (identity1D 3 "lane" o)
  times (times quarter (identity1D (log (outerSize / 8)) "register" o)) (identity1D (log (innerSize / (4 * w))) "register" i)

/-- The accumulator of `mma` version 2, of a matrix.
Rust: `razorgirl::linear_layout::encodings::mma_v2` -/
def mmaV2 (warpsPerCta instrShape shape : List Nat) : LinearLayout :=
  fit (times (warpTile 1 0 2 (instrShape.getD 1 1) (instrShape.getD 0 1)) (spread "warp" warpsPerCta [1, 0] none)) shape

/-- The accumulator of `mma` version 3, of a matrix: warps go down the rows first.
Rust: `razorgirl::linear_layout::encodings::mma_v3` -/
def mmaV3 (warpsPerCta instrShape shape : List Nat) : LinearLayout :=
  fit (times (warpTile 1 0 2 (instrShape.getD 1 1) (instrShape.getD 0 1)) (spread "warp" warpsPerCta [0, 1] none)) shape

/-- A version of `mma` of which operands are held in registers.
Rust: `razorgirl::linear_layout::encodings::MmaVersion` -/
inductive MmaVersion where
  | v2
  | v3

/-- In which order warps count through the dimensions: version 2 goes along the columns first, version 3 down the rows. -/
def MmaVersion.warpOrder : MmaVersion → List Nat
  | v2 => [1, 0]
  | v3 => [0, 1]

/-- An operand of an `mma`: A (`op = 0`) has K in dimension 1, B in dimension 0. Warps along K see the same elements.
Of version 3, only A is held in registers.
Rust: `razorgirl::linear_layout::encodings::dot_mma` -/
def dotMma (version : MmaVersion) (op w : Nat) (warpsPerCta instrShape shape : List Nat) : LinearLayout :=
  let k := 1 - op
  let depth := (if instrShape.getD 0 1 = 8 then 4 else 8) * w
  let tile := if op = 0 then warpTile 1 0 w depth (instrShape.getD 0 1) else warpTile 0 1 w depth 8
  fit (times tile (spread "warp" warpsPerCta version.warpOrder (some k))) shape

/-- An operand of a product by fused multiply-add over a blocked encoding: each thread has all of K.
Rust: `razorgirl::linear_layout::encodings::dot_blocked` -/
def dotBlocked (op : Nat) (sizePerThread threadsPerWarp warpsPerCta order shape : List Nat) : LinearLayout :=
  let k := 1 - op
  fit (blockedBase (sizePerThread.set k (shape.getD k 1)) threadsPerWarp warpsPerCta order (some k)) shape

/-- An offset layout from its bases, each with a row and a column component, over those two dimensions. -/
def ofOffsets (rows cols : Nat) (row col : String) (bases : List (Nat × Nat)) : LinearLayout :=
  ⟨[("offset", bases.length)], [(row, rows), (col, cols)], bases.map fun b => b.1 + 2 ^ rows * b.2⟩

/-- Columns 1, 2, 4, … and then rows 1, 2, 4, … with a column part. -/
def rowsOf (rows cols : Nat) (part : Nat → Nat) : List (Nat × Nat) :=
  (List.range cols).map (fun j => (0, 2 ^ j)) ++ (List.range rows).map fun j => (2 ^ j, part (2 ^ j))

/-- Triton's swizzled shared memory: in row r the column is exclusive-ored with `vec * (r / perPhase mod maxPhase)`,
modulo the columns.
Rust: `razorgirl::linear_layout::encodings::swizzled_shared` -/
def swizzledShared (vec perPhase maxPhase : Nat) (order shape : List Nat) : LinearLayout :=
  match order with
  | c :: r :: rest =>
    let rows := log (shape.getD r 1)
    let cols := log (shape.getD c 1)
    let part (row : Nat) : Nat := vec * (row / perPhase % maxPhase) % 2 ^ cols
    fit (times (ofOffsets rows cols (dimName r) (dimName c) (rowsOf rows cols part)) (spread "offset" shape rest none)) shape
  | _ => fit (spread "offset" shape order none) shape

/-- NVIDIA's shared memory for matrix instructions, of a matrix of elements of `bits` bits, rows swizzled over `width`
bytes (0: not). `none` where the matrix is smaller than 8 rows of the swizzle. The box that TMA copies has at most 256
rows and, swizzled, the width of the swizzle; it repeats over the matrix.
Rust: `razorgirl::linear_layout::encodings::nvmma_shared` -/
def nvmmaShared (width bits : Nat) (transposed : Bool) (shape : List Nat) : Option LinearLayout :=
  let r := if transposed then 1 else 0
  let c := 1 - r
  let box (n : Nat) : Nat := min n 8
  let rows := log (shape.getD r 1)
  let cols := log (shape.getD c 1)
  if width = 0 then
    let boxed := times (identity1D (box cols) "offset" (dimName c)) (identity1D (box rows) "offset" (dimName r))
    -- boxes repeat along the last dimension first, transposed or not
    some (fit (boxed.transposeOuts [dimName 1, dimName 0]) shape)
  else
    let tile := log (8 * width / bits)
    if rows < 3 ∨ cols < tile then none
    else
      let part (row : Nat) : Nat := 128 / bits * (row / (128 / width) % (width / 16))
      let core := ofOffsets 3 tile (dimName r) (dimName c) (rowsOf 3 tile part)
      let boxed := times core (identity1D (box rows - 3) "offset" (dimName r))
      some (fit (boxed.transposeOuts (namesOf shape)) shape)

end Encoding

end LinearLayout

end Razorgirl
