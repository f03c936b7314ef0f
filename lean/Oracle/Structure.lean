module

public import Razorgirl.Spec.Coord.Convert
public import Razorgirl.Spec.IntTuple.Division
public import Razorgirl.Spec.IntTuple.Product
public import Razorgirl.Spec.Layout.Distribute
public import Razorgirl.Spec.Layout.Ordered
public import Razorgirl.Spec.Layout.Recast
public import Razorgirl.Spec.Layout.Reshape
public import Razorgirl.Spec.Layout.Structure
public import Oracle.Algebra

@[expose] public section

/-!
# Rearranging, dividing and recasting in the table of operations
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-! ## Shapes and layouts alike -/

/-- A shape or a layout: most rearrangements take either, and answer the same. -/
inductive ShapeOrLayout where
  | shape (s : IntTuple)
  | layout (L : Layout)

/-- An object is a layout, anything else a shape. -/
def readEither (j : Json) : Except OracleError ShapeOrLayout :=
  match j with
  | .obj _ => (readLayout j).map .layout
  | _ => (readShape j).map .shape

/-- Both are layouts, or neither is. -/
def sameKind (a b : Json) : Bool :=
  match a, b with
  | .obj _, .obj _ => true
  | .obj _, _ => false
  | _, .obj _ => false
  | _, _ => true

/-- The deepest nesting that is answered. -/
def maxDepth : Nat := 64

/-- A layout that fits, and is not nested too deep. -/
def answerLayout (L : Layout) : Answer :=
  if L.depth > maxDepth then refuse "too_large" "the result is nested more than 64 deep" else bounded L

/-- A shape that fits, and is not nested too deep. -/
def answerShape (s : IntTuple) : Answer :=
  if s.depth > maxDepth then refuse "too_large" "the result is nested more than 64 deep"
  else if IntTuple.size s < limit then result (tupleJson s)
  else refuse "overflow" "the size of the result is 2^64 or more"

/-- A rearrangement of a shape or of a layout, refused with `code` where there is none. -/
def rearranged (code : String) (onShape : IntTuple → Option IntTuple) (onLayout : Layout → Option Layout)
    (x : ShapeOrLayout) : Answer :=
  match x with
  | .shape s =>
    match onShape s with
    | some t => answerShape t
    | none => refuse code "there is no such result"
  | .layout L =>
    match onLayout L with
    | some R => answerLayout R
    | none => refuse code "there is no such result"

/-- An integer. -/
def readIndex (j : Json) : Except OracleError Int :=
  match readInts j with
  | .ok (.leaf n) => .ok n
  | .ok (.node _) => refuse "parse" "expected an integer"
  | .error e => .error e

/-- A place among modes; a negative one is beyond all. -/
def readPlace (j : Json) : Except OracleError Nat := do
  let n ← readIndex j
  return if n < 0 then limit else n.toNat

/-- Modes that a tuple may be made to have. -/
def maxModes : Nat := 65536

/-- `append` and `prepend`: a rank, and perhaps what to add. -/
def padOp (onShape : Nat → IntTuple → IntTuple → Option IntTuple)
    (onLayout : Nat → Layout → Layout → Option Layout) (args : List Json) : Answer :=
  let pad (x n : Json) (y : ShapeOrLayout → Except OracleError ShapeOrLayout) : Answer := do
    let n ← readIndex n
    if n > maxModes then refuse "too_large" "more than 2^16 modes"
    let x ← readEither x
    let y ← y x
    if n < 0 then refuse "out_of_domain" "the rank is below 0"
    match x, y with
    | .shape s, .shape t => rearranged "out_of_domain" (onShape n.toNat t) (fun _ => none) (.shape s)
    | .layout L, .layout X => rearranged "out_of_domain" (fun _ => none) (onLayout n.toNat X) (.layout L)
    | _, _ => refuse "parse" "a shape and a layout do not mix"
  match args with
  | [x, n] => pad x n fun
    | .shape _ => .ok (.shape (.leaf 1))
    | .layout _ => .ok (.layout ⟨[⟨1, 0⟩], .leaf ()⟩)
  | [x, n, y] =>
    if sameKind x y then pad x n fun _ => readEither y else refuse "parse" "a shape and a layout do not mix"
  | _ => arity "a shape or layout, a rank, and perhaps what to add"

/-- `group` and `take`: a range of modes. -/
def rangeOp (onShape : Nat → Nat → IntTuple → Option IntTuple) (onLayout : Nat → Nat → Layout → Option Layout)
    (args : List Json) : Answer :=
  match args with
  | [x, b, e] => do
    let b ← readPlace b
    let e ← readPlace e
    rearranged "out_of_domain" (onShape b e) (onLayout b e) (← readEither x)
  | _ => arity "a shape or layout, and the two ends of a range"

/-- The modes at several places. -/
def selectOp (args : List Json) : Answer :=
  match args with
  | [x, .arr js] => do
    let values ← readValues js.toList
    let x ← readEither x
    if values.all fun i => decide (0 ≤ i) then
      let is := values.map Int.toNat
      rearranged "out_of_domain" (HTuple.select is) (Layout.select is) x
    else refuse "out_of_domain" "a place is below 0"
  | [_, _] => refuse "parse" "expected a list of places"
  | _ => arity "a shape or layout, and a list of places"

/-- Another mode in a place. -/
def replaceOp (args : List Json) : Answer :=
  match args with
  | [x, n, y] =>
    if sameKind x y then do
      let n ← readPlace n
      match ← readEither x, ← readEither y with
      | .shape s, .shape t => rearranged "out_of_domain" (HTuple.replace n t) (fun _ => none) (.shape s)
      | .layout L, .layout X => rearranged "out_of_domain" (fun _ => none) (Layout.replace n X) (.layout L)
      | _, _ => refuse "parse" "a shape and a layout do not mix"
    else refuse "parse" "a shape and a layout do not mix"
  | _ => arity "a shape or layout, a place, and what to put there"

/-- Rows and columns exchanged, of one or of two. -/
def zipOp (args : List Json) : Answer :=
  match args with
  | [x] => do rearranged "incongruent" HTuple.zip Layout.zip (← readEither x)
  | [x, y] =>
    if sameKind x y then do
      match ← readEither x, ← readEither y with
      | .shape s, .shape t =>
        if IntTuple.size s * IntTuple.size t < limit then
          rearranged "incongruent" (fun s => HTuple.zip (.node [s, t])) (fun _ => none) (.shape s)
        else
          match HTuple.zip (.node [s, t]) with
          | some _ => refuse "overflow" "the size of the result is 2^64 or more"
          | none => refuse "incongruent" "the ranks differ"
      | .layout L, .layout X => rearranged "incongruent" (fun _ => none) (fun L => L.zipPair X) (.layout L)
      | _, _ => refuse "parse" "a shape and a layout do not mix"
    else refuse "parse" "a shape and a layout do not mix"
  | _ => arity "one or two shapes or layouts"

/-- Pairs parted along a guide. -/
def unzipOp (args : List Json) : Answer :=
  match args with
  | [x, g] => do
    let g ← readProfile g
    rearranged "incongruent" (HTuple.unzip g) (Layout.unzipBy g) (← readEither x)
  | _ => arity "a shape or layout, and a guide"

/-! ## Shapes divided by shapes -/

/-- A shape and no layout. -/
def readExtents (j : Json) : Except OracleError IntTuple :=
  match readInts j with
  | .ok t => checkShape t
  | .error e => .error e

mutual
/-- Whether the nestings of a shape and a divisor fit; with `exact`, two tuples need the same rank. -/
def fits (exact : Bool) (a b : IntTuple) : Bool :=
  match a, b with
  | _, .leaf _ => true
  | .leaf _, .node _ => true
  | .node as, .node bs => fitsList exact as bs
/-- `fits` mode by mode. -/
def fitsList (exact : Bool) (as bs : List IntTuple) : Bool :=
  match as, bs with
  | [], [] => true
  | _ :: _, [] => !exact
  | [], _ :: _ => false
  | a :: as, b :: bs => fits exact a b && fitsList exact as bs
end

/-- A division; where nestings fit, it is the numbers that do not. -/
def divisionOp (divide : IntTuple → IntTuple → Option IntTuple) (fit : IntTuple → IntTuple → Bool)
    (args : List Json) : Answer :=
  match args with
  | [a, b] => do
    let a ← readExtents a
    let b ← readExtents b
    match divide a b with
    | some q => answerShape q
    | none =>
      if fit a b then refuse "not_divisible" "neither number divides the other"
      else refuse "incongruent" "the divisor is nested differently"
  | _ => arity "two shapes"

/-- Whether tiles cover exactly. -/
def evenlyDividesOp (args : List Json) : Answer :=
  match args with
  | [a, b] => do
    let a ← readShape a
    let b ← readExtents b
    result (.bool (IntTuple.evenlyDivides a b))
  | _ => arity "a shape or layout, and a tiler of integers"

/-- Natural numbers at least `least`, refused with `code` where one is below. -/
def readNats (least : Int) (code : String) (t : HTuple Int) : Except OracleError IntTuple :=
  match atLeast least t with
  | some s =>
    if s.flatten.all fun n => decide (n < limit) then .ok s else refuse "overflow" "a number is 2^64 or more"
  | none => refuse code "a number is too small"

/-- Running products. -/
def prefixProductOp (args : List Json) : Answer :=
  let products (x : Json) (start : HTuple Int) : Answer := do
    let s ← readShape x
    if HTuple.weaklyCongruent start s then
      match IntTuple.prefixProduct (← readNats 0 "stride" start) s with
      | some p =>
        if p.flatten.all fun n => decide (n < limit) then result (tupleJson p)
        else refuse "overflow" "a product is 2^64 or more"
      | none => refuse "incongruent" "the start is nested deeper than the shape"
    else refuse "incongruent" "the start is nested deeper than the shape"
  match args with
  | [x] => products x (.leaf 1)
  | [x, d] => do products x (← readInts d)
  | _ => arity "a shape or layout, and perhaps a start"

/-- A sum of products. -/
def innerProductOp (args : List Json) : Answer :=
  match args with
  | [a, b] => do
    let a ← readInts a
    let b ← readInts b
    if HTuple.congruent a b then
      match IntTuple.innerProduct (← readNats 0 "stride" a) (← readNats 0 "stride" b) with
      | some n => if n < limit then result (natJson n) else refuse "overflow" "the sum is 2^64 or more"
      | none => refuse "incongruent" "the tuples are nested differently"
    else refuse "incongruent" "the tuples are nested differently"
  | _ => arity "two tuples of integers"

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

/-! ## Layouts made and remade -/

/-- A compact layout in an order. -/
def orderedOp (args : List Json) : Answer :=
  match args with
  | [s, o] => do
    let o ← readInts o
    let s ← readShape s
    if HTuple.weaklyCongruent o s then
      if o.flatten.all fun n => decide (0 ≤ n ∧ n < limit) then
        match Layout.ordered s (o.map Int.toNat) with
        | some L => answerLayout L
        | none => refuse "incongruent" "the order is nested deeper than the shape"
      else refuse "out_of_domain" "a rank is below 0, or 2^64 or more"
    else refuse "incongruent" "the order is nested deeper than the shape"
  | _ => arity "a shape or layout, and an order"

/-- A number of elements or bits. -/
def readCount (j : Json) : Except OracleError Nat := do
  let n ← readIndex j
  if n < 1 then refuse "extent" "a number of elements is below 1"
  else if n < limit then .ok n.toNat
  else refuse "overflow" "a number of elements is 2^64 or more"

/-- A tile of so many elements. -/
def distributeOp (args : List Json) : Answer :=
  match args with
  | [x, n] => do
    let x ← readShape x
    answerLayout (Layout.domainDistribute x (← readCount n))
  | _ => arity "a shape or layout, and a number of elements"

/-- Why there is no `upcast`. -/
def refuseUpcast (n : Nat) (L : FlatLayout) : Answer :=
  match FlatLayout.upcastModes n L with
  | none => refuse "not_divisible" "a stride or an extent does not divide"
  | some _ =>
    if FlatLayout.fills n L then refuse "carries" "modes step past an element together"
    else refuse "not_divisible" "no mode fills an element"

/-- Why there is no `downcast`. -/
def refuseDowncast (L : FlatLayout) : Answer :=
  if FlatLayout.countOf FlatLayout.adjacent L > 1 then refuse "not_injective" "two modes have stride 1"
  else refuse "not_contiguous" "no mode has stride 1"

/-- Larger elements. -/
def upcastOp (args : List Json) : Answer :=
  match args with
  | [j, n] => do
    let L ← readLayout j
    let n ← readCount n
    match L.upcast n with
    | some U => answerLayout U
    | none => refuseUpcast n L.modes
  | _ => arity "a layout and a number of elements"

/-- Smaller elements. -/
def downcastOp (args : List Json) : Answer :=
  match args with
  | [j, n] => do
    let L ← readLayout j
    let n ← readCount n
    match L.downcast n with
    | some D => answerLayout D
    | none => refuseDowncast L.modes
  | _ => arity "a layout and a number of parts"

/-- Elements of another size. -/
def recastOp (args : List Json) : Answer :=
  match args with
  | [j, old, new] => do
    let L ← readLayout j
    let old ← readCount old
    let new ← readCount new
    match L.recast old new with
    | some R => answerLayout R
    | none =>
      match L.upcast (new / Nat.gcd old new) with
      | some U => refuseDowncast U.modes
      | none => refuseUpcast (new / Nat.gcd old new) L.modes
  | _ => arity "a layout and two sizes of elements"

/-- The same function under another shape. -/
def withShapeOp (op : Layout → Layout → Answer) (args : List Json) : Answer :=
  match args with
  | [j, s] => do
    let L ← readLayout j
    op L (Layout.left (← readShape s))
  | _ => arity "a layout and a shape"

/-- The operations, by name. -/
def structureOps : List Op := [
  { name := "append", run := padOp HTuple.appendTo Layout.append },
  { name := "ceil_div", run := divisionOp IntTuple.ceilDiv (fits false) },
  { name := "coshape", run := onLayout fun L => result (natJson (FlatLayout.cosizeFormula L.modes)) },
  { name := "crd2crd", run := crd2crdOp },
  { name := "domain_distribute", run := distributeOp },
  { name := "downcast", run := downcastOp },
  { name := "evenly_divides", run := evenlyDividesOp },
  { name := "group", run := rangeOp HTuple.group Layout.group },
  { name := "inner_product", run := innerProductOp },
  { name := "make_layout_left", run := onShape fun s => answerLayout (Layout.left s) },
  { name := "make_layout_like", run := onLayout fun L => answerLayout L.like },
  { name := "make_layout_right", run := onShape fun s => answerLayout (Layout.right s) },
  { name := "make_ordered_layout", run := orderedOp },
  { name := "max_alignment", run := onLayout fun L => result (natJson L.maxAlignment) },
  { name := "prefix_product", run := prefixProductOp },
  { name := "prepend", run := padOp HTuple.prependTo Layout.prepend },
  { name := "recast", run := recastOp },
  { name := "replace", run := replaceOp },
  { name := "round_up", run := divisionOp IntTuple.roundUp (fun _ _ => false) },
  { name := "select", run := selectOp },
  { name := "shape_div", run := divisionOp IntTuple.shapeDiv (fits true) },
  { name := "take", run := rangeOp HTuple.take Layout.take },
  { name := "unzip", run := unzipOp },
  { name := "upcast", run := upcastOp },
  { name := "weakly_congruent", run := onShapes fun a b => result (.bool (HTuple.weaklyCongruent a b)) },
  { name := "with_shape", run := withShapeOp composeOp, complete := some (withShapeOp composeCompleteOp) },
  { name := "zip", run := zipOp }]

end Oracle
