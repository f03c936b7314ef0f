module

public import Razorgirl.Spec.LinearLayout.Encoding
public import Oracle.Args

@[expose] public section

/-!
# Linear layouts and encodings

A linear layout is `{"in":[[dim,[[component per output dimension]…]]…],"out":[[dim,size]…]}`. What is asked of names and
sizes is tested here; `null` is the answer where what is asked for does not exist.
-/

namespace Oracle

open Lean (Json)
open Razorgirl
open Razorgirl.LinearLayout (Dims)

/-! ## Reading -/

/-- The entries of an array. -/
def readArray (j : Json) : Except OracleError (List Json) :=
  match j with
  | .arr a => .ok a.toList
  | _ => refuse "parse" "expected an array"

/-- A string. -/
def readName (j : Json) : Except OracleError String :=
  match j with
  | .str s => .ok s
  | _ => refuse "parse" "expected the name of a dimension"

/-- The results of a function for all of a list, or its first refusal. -/
def forAll {α β : Type} (f : α → Except OracleError β) : List α → Except OracleError (List β)
  | [] => .ok []
  | a :: as =>
    match f a with
    | .error e => .error e
    | .ok b =>
      match forAll f as with
      | .error e => .error e
      | .ok bs => .ok (b :: bs)

/-- The exponent of a size, which must be a power of two. -/
def readLog (j : Json) : Except OracleError Nat := do
  let n ← readIndex j
  if n < 1 then refuse "extent" "a size is below 1"
  else if n.toNat < limit then
    if 2 ^ n.toNat.log2 = n.toNat then .ok n.toNat.log2
    else refuse "extent" "a size is not a power of two"
  else refuse "overflow" "a size is 2^64 or more"

/-- A power of two. -/
def readPower (j : Json) : Except OracleError Nat := do return 2 ^ (← readLog j)

/-- A natural number below 2^64. -/
def readNat (j : Json) : Except OracleError Nat := do
  let n ← readIndex j
  if n < 0 then refuse "out_of_domain" "a number is below 0"
  else if n.toNat < limit then .ok n.toNat else refuse "overflow" "a number is 2^64 or more"

/-- A dimension and its size. -/
def readDim (j : Json) : Except OracleError (String × Nat) := do
  match ← readArray j with
  | [d, n] => return (← readName d, ← readLog n)
  | _ => refuse "parse" "expected a name and a size"

/-- Dimensions with distinct names, of at most 63 bits. -/
def readDims (j : Json) : Except OracleError Dims := do
  let D : Dims ← forAll readDim (← readArray j)
  if !D.distinct then refuse "incongruent" "a name stands twice"
  else if D.total > 63 then refuse "too_large" "more than 63 bits on one side"
  else return D

/-- An input dimension and its bases. -/
def readBases (j : Json) : Except OracleError (String × List (List Nat)) := do
  match ← readArray j with
  | [d, b] =>
    let d ← readName d
    let rows ← forAll (fun r => do forAll readNat (← readArray r)) (← readArray b)
    return (d, rows)
  | _ => refuse "parse" "expected a name and its bases"

/-- Every component is below the size of its dimension. -/
def fitsRow : Dims → List Nat → Bool
  | [], [] => true
  | (_, k) :: D, c :: cs => decide (c < 2 ^ k) && fitsRow D cs
  | _, _ => false

/-- Bases packed over the output dimensions. -/
def packRow : Dims → List Nat → Nat
  | (_, k) :: D, c :: cs => c + 2 ^ k * packRow D cs
  | _, _ => 0

/-- A linear layout. -/
def readLinear (j : Json) : Except OracleError LinearLayout := do
  if !hasOnly ["in", "out"] j then refuse "parse" "expected a linear layout: an object with in and out alone" else
  match j.getObjVal? "in", j.getObjVal? "out" with
  | .ok i, .ok o =>
    let outs ← readDims o
    let bases ← forAll readBases (← readArray i)
    let ins : Dims := bases.map fun b => (b.1, b.2.length)
    let rows := bases.flatMap Prod.snd
    if !ins.distinct then refuse "incongruent" "a name stands twice"
    else if ins.total > 63 then refuse "too_large" "more than 63 bits on one side"
    else if rows.any fun r => r.length != outs.length then refuse "incongruent" "a basis has another number of components"
    else if rows.any fun r => !fitsRow outs r then refuse "out_of_domain" "a component is not below its size"
    else return ⟨ins, outs, rows.map (packRow outs)⟩
  | _, _ => refuse "parse" "expected a linear layout: an object with in and out"

/-- Names. -/
def readNames (j : Json) : Except OracleError (List String) := do forAll readName (← readArray j)

/-! ## Writing -/

/-- The components of a packed point. -/
def rowOf : Dims → Nat → List Nat
  | [], _ => []
  | (_, k) :: D, x => x % 2 ^ k :: rowOf D (x / 2 ^ k)

/-- A list of numbers. -/
def natsJson (ns : List Nat) : Json := .arr (ns.map natJson).toArray

/-- The input dimensions with their columns. -/
def basesJson (outs : Dims) : Dims → List Nat → List Json
  | [], _ => []
  | (d, k) :: D, cols =>
    .arr #[.str d, .arr ((cols.take k).map fun c => natsJson (rowOf outs c)).toArray] :: basesJson outs D (cols.drop k)

/-- A linear layout. -/
def linearJson (L : LinearLayout) : Json :=
  Json.mkObj [("in", .arr (basesJson L.outs L.ins L.cols).toArray),
    ("out", .arr (L.outs.map fun d => .arr #[.str d.1, natJson (2 ^ d.2)]).toArray)]

/-- A linear layout as result, refused beyond 63 bits. -/
def answerLinear (L : LinearLayout) : Answer :=
  if L.ins.total > 63 ∨ L.outs.total > 63 then refuse "too_large" "the result has more than 63 bits on one side"
  else result (linearJson L)

/-- The same, or null. -/
def answerLinear? (L : Option LinearLayout) : Answer :=
  match L with
  | some L => answerLinear L
  | none => result .null

/-! ## Preconditions -/

/-- Refuses where a test fails. -/
def need (test : Bool) (code message : String) (answer : Answer) : Answer :=
  if test then answer else refuse code message

/-- Every name is one of these dimensions, none twice. -/
def namesOf (D : Dims) (names : List String) : Bool :=
  names.all (fun n => D.has n) && Dims.distinct (names.map fun n => (n, 0))

/-- One linear layout. -/
def onLinear (f : LinearLayout → Answer) (args : List Json) : Answer :=
  match args with
  | [a] => do f (← readLinear a)
  | _ => arity "one linear layout"

/-- Two linear layouts. -/
def onLinears (f : LinearLayout → LinearLayout → Answer) (args : List Json) : Answer :=
  match args with
  | [a, b] => do f (← readLinear a) (← readLinear b)
  | _ => arity "two linear layouts"

/-- A linear layout and names. -/
def onLinearNames (f : LinearLayout → List String → Answer) (args : List Json) : Answer :=
  match args with
  | [a, n] => do f (← readLinear a) (← readNames n)
  | _ => arity "a linear layout and names"

/-- A linear layout and a name. -/
def onLinearName (f : LinearLayout → String → Answer) (args : List Json) : Answer :=
  match args with
  | [a, n] => do f (← readLinear a) (← readName n)
  | _ => arity "a linear layout and a name"

/-- A linear layout and dimensions. -/
def onLinearDims (f : LinearLayout → Dims → Answer) (args : List Json) : Answer :=
  match args with
  | [a, n] => do f (← readLinear a) (← readDims n)
  | _ => arity "a linear layout and dimensions"

/-- A linear layout, a name and a size. -/
def onLinearSize (f : LinearLayout → String → Nat → Answer) (args : List Json) : Answer :=
  match args with
  | [a, n, k] => do f (← readLinear a) (← readName n) (← readLog k)
  | _ => arity "a linear layout, a name and a size"

/-- A linear layout and names on both sides. -/
def onLinearSides (f : LinearLayout → List String → List String → Answer) (args : List Json) : Answer :=
  match args with
  | [a, i, o] => do
    let L ← readLinear a
    let ins ← readNames i
    let outs ← readNames o
    need (namesOf L.ins ins && namesOf L.outs outs) "incongruent" "a name is missing or stands twice" (f L ins outs)
  | _ => arity "a linear layout and names on both sides"

/-! ## Operations -/

/-- A point as JSON gives it: coordinates modulo the sizes of their dimensions. -/
def readPoint (L : LinearLayout) (j : Json) : Except OracleError (List (String × Nat)) :=
  match j with
  | .obj fields =>
    forAll (fun field : String × Json => do
      let v ← readIndex field.2
      return (field.1, (v % (2 ^ L.ins.bits field.1 : Nat)).toNat)) (fields.foldl (fun all key j => (key, j) :: all) [])
  | _ => refuse "parse" "expected an object with a coordinate for each dimension"

/-- Images of points. -/
def applyOp (args : List Json) : Answer :=
  match args with
  | [a, xs] => do
    let L ← readLinear a
    let ys ← forAll (fun x => do
      match L.applyTo (← readPoint L x) with
      | some image => return Json.mkObj (image.map fun d => (d.1, natJson d.2))
      | none => refuse "incongruent" "the coordinates have other names than the input dimensions") (← readArray xs)
    result (.arr ys.toArray)
  | _ => arity "a linear layout and points"

/-- Surjective, injective, invertible. -/
def predicatesOp (L : LinearLayout) : Answer :=
  result (Json.mkObj [("surjective", .bool L.isSurjective), ("injective", .bool L.isInjective),
    ("invertible", .bool L.isInvertible)])

/-- `b` after `a`. -/
def composeOp (a b : LinearLayout) : Answer :=
  need (LinearLayout.fitsNames a.outs b.ins) "incongruent" "the outputs of the first are not inputs of the second"
    (answerLinear (a.compose b))

/-- The direct sum. -/
def mulOp (a b : LinearLayout) : Answer :=
  match a.product b with
  | some R => answerLinear R
  | none => refuse "incongruent" "dimensions of both stand in another order"

/-- A size and a stride, or a size and a size of the output. -/
def strided1DOp (args : List Json) : Answer :=
  match args with
  | [n, s] => do
    if (← readNat n) = 0 then answerLinear LinearLayout.empty
    else answerLinear (LinearLayout.strided1D (← readLog n) (← readLog s) "i" "o")
  | _ => arity "a size and a stride"

/-- A size and the size of the output. -/
def zeros1DOp (args : List Json) : Answer :=
  match args with
  | [n, m] => do
    if (← readNat n) = 0 then answerLinear LinearLayout.empty
    else answerLinear (LinearLayout.zeros1D (← readLog n) (← readLog m) "i" "o")
  | _ => arity "a size and the size of the output"

/-- Bases and names of outputs. -/
def fromBasesOp (args : List Json) : Answer :=
  match args with
  | [b, o] => do
    let bases ← forAll readBases (← readArray b)
    let outs ← readNames o
    if !Dims.distinct (bases.map fun b => (b.1, 0)) || !Dims.distinct (outs.map fun n => (n, 0)) then
      refuse "incongruent" "a name stands twice"
    else if (bases.flatMap Prod.snd).any fun r => r.length != outs.length then
      refuse "incongruent" "a basis has another number of components"
    else if (bases.flatMap Prod.snd).length > 63 then refuse "too_large" "more than 63 bits on one side"
    else answerLinear? (LinearLayout.fromBases bases outs)
  | _ => arity "bases and names"

/-- Dimensions as JSON. -/
def masksJson (ms : List (String × Nat)) : Json := .arr (ms.map fun m => .arr #[.str m.1, natJson m.2]).toArray

/-- Dimensions of another size. -/
def reshapeOp (ins : Bool) (L : LinearLayout) (D : Dims) : Answer :=
  let old := if ins then L.ins else L.outs
  need (old.total == D.total) "incongruent" "the sizes differ" (answerLinear (if ins then L.reshapeIns D else L.reshapeOuts D))

/-- Dimensions in another order. -/
def transposeOp (ins : Bool) (L : LinearLayout) (names : List String) : Answer :=
  let old := if ins then L.ins else L.outs
  need (namesOf old names && names.length == old.length) "incongruent" "a name is missing or stands twice"
    (answerLinear (if ins then L.transposeIns names else L.transposeOuts names))

/-- At most so large. -/
def ensureNotLargerOp (args : List Json) : Answer :=
  match args with
  | [a, D, .bool broadcast] => do
    let L ← readLinear a
    let D ← readDims D
    need (L.outs.sameNames D) "incongruent" "the outputs have other names" (answerLinear (L.ensureNotLarger D broadcast))
  | _ => arity "a linear layout, dimensions and whether registers broadcast"

/-- `{b, a}` in the order of the vectors: the layout C with a after C = b. -/
def invertAndComposeOp (b a : LinearLayout) : Answer :=
  need (LinearLayout.Dims.sameNames b.outs a.outs) "incongruent" "the outputs have other names"
    (answerLinear? (b.invertAndCompose a))

/-- The operations on linear layouts. -/
def linearOps : List Op := [
  { name := "linear_apply", run := applyOp },
  { name := "linear_compose", run := onLinears composeOp },
  { name := "linear_concat_ins", run := onLinears fun a b =>
      need (a.outs == b.outs && Dims.distinct (a.ins ++ b.ins)) "incongruent" "other outputs, or shared inputs"
        (answerLinear (a.concatIns b)) },
  { name := "linear_concat_outs", run := onLinears fun a b =>
      need (a.ins == b.ins && Dims.distinct (a.outs ++ b.outs)) "incongruent" "other inputs, or shared outputs"
        (answerLinear (a.concatOuts b)) },
  { name := "linear_contiguous_along", run := onLinearName fun L d =>
      need (L.outs.has d) "incongruent" "there is no such dimension" (result (natJson (2 ^ L.contiguousBits d))) },
  { name := "linear_divide_left", run := onLinears fun a b => answerLinear? (a.divideLeft b) },
  { name := "linear_divide_right", run := onLinears fun a b => answerLinear? (a.divideRight b) },
  { name := "linear_ensure_not_larger", run := ensureNotLargerOp },
  { name := "linear_ensure_not_smaller", run := onLinearDims fun L D =>
      need (L.outs.sameNames D) "incongruent" "the outputs have other names" (match L.ensureNotSmaller D with
        | some R => answerLinear R
        | none => refuse "incongruent" "an output lacks bits, and there is no input dimension") },
  { name := "linear_eq", run := onLinears fun a b => result (.bool (a == b)) },
  { name := "linear_flatten_ins", run := onLinear fun L => answerLinear L.flattenIns },
  { name := "linear_flatten_outs", run := onLinear fun L => answerLinear L.flattenOuts },
  { name := "linear_free_variable_masks", run := onLinear fun L => result (masksJson L.freeVariableMasks) },
  { name := "linear_from_bases_inferred", run := fromBasesOp },
  { name := "linear_get_reps", run := onLinears fun a b =>
      need (b.outs.all fun d => a.outs.has d.1) "incongruent" "the tile has an output of its own"
        (answerLinear? (a.repsOf b)) },
  { name := "linear_invert", run := onLinear fun L => answerLinear? L.invert },
  { name := "linear_invert_and_compose", run := onLinears invertAndComposeOp },
  { name := "linear_is_identity_on_out_dim", run := onLinearName fun L d => result (.bool (L.isIdentityOnOutDim d)) },
  { name := "linear_is_trivial_over", run := onLinearNames fun L names =>
      need (namesOf L.ins names && namesOf L.outs names) "incongruent" "a name is missing on a side"
        (result (.bool (L.isTrivialOver names))) },
  { name := "linear_lstsq", run := onLinears fun a b => answerLinear? (LinearLayout.leastSquares a b) },
  { name := "linear_matrix", run := onLinear fun L => result (.arr (L.matrix.map natsJson).toArray) },
  { name := "linear_mul", run := onLinears mulOp },
  { name := "linear_num_consecutive", run := onLinear fun L => result (natJson (2 ^ L.consecutiveBits)) },
  { name := "linear_predicates", run := onLinear predicatesOp },
  { name := "linear_pseudoinvert", run := onLinear fun L => answerLinear? L.pseudoinvert },
  { name := "linear_quotient", run := onLinearNames fun L names =>
      need (namesOf L.ins names && namesOf L.outs names) "incongruent" "a name is missing on a side"
        (answerLinear? (L.quotient names)) },
  { name := "linear_remove_zero_bases", run := onLinearName fun L d =>
      need (L.ins.has d) "incongruent" "there is no such dimension" (answerLinear (L.removeZeroBases d)) },
  { name := "linear_reshape_ins", run := onLinearDims (reshapeOp true) },
  { name := "linear_reshape_outs", run := onLinearDims (reshapeOp false) },
  { name := "linear_resize_in", run := onLinearSize fun L d k =>
      need (L.ins.has d) "incongruent" "there is no such dimension" (answerLinear (L.resizeIn d k)) },
  { name := "linear_resize_out", run := onLinearSize fun L d k =>
      need (L.outs.has d && decide (k ≤ L.outs.bits d)) "incongruent" "there is no such dimension, or it is smaller"
        (answerLinear (L.resizeOut d k)) },
  { name := "linear_strided_1d", run := strided1DOp },
  { name := "linear_sublayout", run := onLinearSides fun L i o => answerLinear (L.sublayout i o) },
  { name := "linear_sublayout_is_zero", run := onLinearSides fun L i o => result (.bool (L.sublayoutIsZero i o)) },
  { name := "linear_transpose_ins", run := onLinearNames (transposeOp true) },
  { name := "linear_transpose_outs", run := onLinearNames (transposeOp false) },
  { name := "linear_zeros_1d", run := zeros1DOp }]

/-! ## Encodings -/

/-- A list of powers of two. -/
def readPowers (j : Json) : Except OracleError (List Nat) := do forAll readPower (← readArray j)

/-- An order of `n` dimensions. -/
def readOrder (n : Nat) (j : Json) : Except OracleError (List Nat) := do
  let order ← forAll readNat (← readArray j)
  if order.length == n && order.all (fun d => decide (d < n)) && (List.range n).all fun d => order.elem d then return order
  else refuse "incongruent" "the order does not name each dimension once"

/-- Lists of powers of two of one rank. -/
def readSizes (n : Nat) (j : Json) : Except OracleError (List Nat) := do
  let sizes ← readPowers j
  if sizes.length == n then return sizes else refuse "incongruent" "lists of another rank"

/-- A number that is one of these. -/
def oneOf (allowed : List Nat) (j : Json) : Except OracleError Nat := do
  let n ← readNat j
  if allowed.elem n then return n else refuse "out_of_domain" "there is no such parameter"

/-- The shape of a matrix. -/
def readMatrix (j : Json) : Except OracleError (List Nat) := readSizes 2 j

/-- The shape of a matrix instruction with at least the sizes of one warp's quarter tile. -/
def readInstr (rank : Nat) (j : Json) : Except OracleError (List Nat) := do
  let s ← readSizes rank j
  if 8 ≤ s.getD 0 1 && 8 ≤ s.getD 1 1 then return s else refuse "extent" "an instruction is at least 8 by 8"

/-- A blocked encoding. -/
def blockedOp (args : List Json) : Answer :=
  let encoding (s t w o shape : Json) (keepZeroBases : Bool) : Answer := do
    let shape ← readPowers shape
    let n := shape.length
    answerLinear (LinearLayout.Encoding.blocked (← readSizes n s) (← readSizes n t) (← readSizes n w) (← readOrder n o) shape
      keepZeroBases)
  match args with
  | [s, t, w, o, shape] => encoding s t w o shape false
  | [s, t, w, o, shape, .bool keep] => encoding s t w o shape keep
  | _ => arity "sizes per thread, threads per warp, warps, order, shape, and whether zero register bases are kept"

/-- A slice. -/
def sliceBlockedOp (args : List Json) : Answer :=
  match args with
  | [d, s, t, w, o, shape] => do
    let shape ← readPowers shape
    let n := shape.length + 1
    let d ← readNat d
    if d < n then
      answerLinear (LinearLayout.Encoding.sliceBlocked d (← readSizes n s) (← readSizes n t) (← readSizes n w) (← readOrder n o) shape)
    else refuse "out_of_domain" "there is no such dimension"
  | _ => arity "a dimension, sizes per thread, threads per warp, warps, order and shape"

/-- An accumulator. -/
def mmaOp (rank : Nat) (f : List Nat → List Nat → List Nat → LinearLayout) (args : List Json) : Answer :=
  match args with
  | [w, i, shape] => do answerLinear (f (← readSizes 2 w) (← readInstr rank i) (← readMatrix shape))
  | _ => arity "warps, the shape of the instruction and the shape"

/-- An operand. -/
def dotOp (rank : Nat) (ops : List Nat) (f : Nat → Nat → List Nat → List Nat → List Nat → LinearLayout) (args : List Json) :
    Answer :=
  match args with
  | [op, k, w, i, shape] => do
    answerLinear (f (← oneOf ops op) (← readPower k) (← readSizes 2 w) (← readInstr rank i) (← readMatrix shape))
  | _ => arity "which operand, its width along K, warps, the shape of the instruction and the shape"

/-- An operand of a blocked encoding. -/
def dotBlockedOp (args : List Json) : Answer :=
  match args with
  | [op, s, t, w, o, shape] => do
    answerLinear (LinearLayout.Encoding.dotBlocked (← oneOf [0, 1] op) (← readSizes 2 s) (← readSizes 2 t) (← readSizes 2 w)
      (← readOrder 2 o) (← readMatrix shape))
  | _ => arity "which operand, sizes per thread, threads per warp, warps, order and shape"

/-- Swizzled shared memory. -/
def swizzledSharedOp (args : List Json) : Answer :=
  match args with
  | [v, p, m, o, shape] => do
    let shape ← readPowers shape
    answerLinear (LinearLayout.Encoding.swizzledShared (← readPower v) (← readPower p) (← readPower m)
      (← readOrder shape.length o) shape)
  | _ => arity "vec, perPhase, maxPhase, order and shape"

/-- Shared memory for matrix instructions. -/
def nvmmaSharedOp (args : List Json) : Answer :=
  match args with
  | [w, b, .bool t, shape] => do
    answerLinear? (LinearLayout.Encoding.nvmmaShared (← oneOf [0, 32, 64, 128] w) (← oneOf [8, 16, 32] b) t (← readMatrix shape))
  | _ => arity "bytes of the swizzle, bits of an element, whether transposed, and shape"

/-- The encodings. -/
def encodingOps : List Op := [
  { name := "encoding_blocked", run := blockedOp },
  { name := "encoding_dot_blocked", run := dotBlockedOp },
  { name := "encoding_dot_mma_v2", run := dotOp 2 [0, 1] (LinearLayout.Encoding.dotMma .v2) },
  { name := "encoding_dot_mma_v3", run := dotOp 3 [0] (LinearLayout.Encoding.dotMma .v3) },
  { name := "encoding_mma_v2", run := mmaOp 2 LinearLayout.Encoding.mmaV2 },
  { name := "encoding_mma_v3", run := mmaOp 3 LinearLayout.Encoding.mmaV3 },
  { name := "encoding_nvmma_shared", run := nvmmaSharedOp },
  { name := "encoding_slice_blocked", run := sliceBlockedOp },
  { name := "encoding_swizzled_shared", run := swizzledSharedOp }]

end Oracle
