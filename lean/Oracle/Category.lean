module

public import Razorgirl.Spec.Category.Nest
public import Oracle.Args

@[expose] public section

/-!
# Morphisms of tuples and nested tuples

Maps count from 1, and 0 is the basepoint. Layouts are read as they are written: strides under extents of 1 count.
-/

namespace Oracle

open Lean (Json)
open Razorgirl
open Razorgirl.Category

/-! ## Reading -/

/-- The values of a map: places from 1, or 0. -/
def readMap (j : Json) : Except OracleError (List Nat) :=
  match j with
  | .arr js => do
    let values ← readValues js.toList
    if values.all fun v => decide (0 ≤ v) then .ok (values.map Int.toNat)
    else refuse "out_of_domain" "a value of the map is below 0"
  | _ => refuse "parse" "expected a list of places"

/-- A map of pointed sets that is one. -/
def checkFin (n : Nat) (values : List Nat) : Except OracleError FinMap :=
  if values.all fun v => decide (v ≤ n) then
    if once values then .ok ⟨n, values⟩ else refuse "not_injective" "two elements go to one"
  else refuse "out_of_domain" "a value lies beyond the codomain"

/-- `{"m","n","map"}`. -/
def readFin (j : Json) : Except OracleError FinMap :=
  if !hasOnly ["m", "n", "map"] j then refuse "parse" "expected an object with m, n and map alone" else
  match j.getObjVal? "m", j.getObjVal? "n", j.getObjVal? "map" with
  | .ok m, .ok n, .ok map => do
    let m ← readIndex m
    let n ← readIndex n
    let map ← readMap map
    if m < 0 || n < 0 then refuse "out_of_domain" "a number of elements is below 0"
    else do
      let f ← checkFin n.toNat map
      if (f.values.length : Int) = m then .ok f else refuse "incongruent" "the map has not one value for each element"
  | _, _, _ => refuse "parse" "expected an object with m, n and map"

/-- Whether each entry equals its image. -/
def matching (T : List Nat) : (S α : List Nat) → Bool
  | s :: S, v :: α => (v == 0 || nth 0 T v == s) && matching T S α
  | _, _ => true

/-- A morphism of nested tuples that is one. -/
def checkNest (S T : IntTuple) (map : List Nat) : Except OracleError NestMorphism :=
  if map.length = S.length then
    if prod S.flatten < limit && prod T.flatten < limit then do
      let _ ← checkFin T.length map
      if matching T.flatten S.flatten map then .ok ⟨S, T, map⟩
      else refuse "incongruent" "an entry differs from its image"
    else refuse "overflow" "a product is 2^64 or more"
  else refuse "incongruent" "the map has not one value for each entry"

/-- `{"domain","codomain","map"}`. -/
def readNest (j : Json) : Except OracleError NestMorphism :=
  if !hasOnly ["domain", "codomain", "map"] j then
    refuse "parse" "expected an object with domain, codomain and map alone"
  else
  match j.getObjVal? "domain", j.getObjVal? "codomain", j.getObjVal? "map" with
  | .ok s, .ok t, .ok map => do
    let s ← readNats 1 "extent" (← readInts s)
    let t ← readNats 1 "extent" (← readInts t)
    checkNest s t (← readMap map)
  | _, _, _ => refuse "parse" "expected an object with domain, codomain and map"

/-- A morphism of tuples without nesting. -/
def readTuple (j : Json) : Except OracleError TupleMorphism := do
  let f ← readNest j
  if f.domain.depth = 1 && f.codomain.depth = 1 then .ok f.flat
  else refuse "parse" "expected a morphism of tuples, met one of nested tuples"

/-- A layout with its strides as they stand there. -/
def readWritten (j : Json) : Except OracleError Layout :=
  if !hasOnly ["shape", "stride"] j then refuse "parse" "expected a layout: an object with shape and stride alone" else
  match j.getObjVal? "shape", j.getObjVal? "stride" with
  | .ok s, .ok d => do
    let s ← readInts s
    let d ← readInts d
    let L ← checkLayout s d
    if d.flatten.all fun x => decide (x < (limit : Int)) then
      .ok ⟨L.modes.zipWith (fun m x => ⟨m.extent, x.toNat⟩) d.flatten, L.profile⟩
    else refuse "overflow" "a stride is 2^64 or more"
  | _, _ => refuse "parse" "expected a layout: an object with shape and stride"

/-- The modes of a layout without nesting. -/
def expectFlat (L : Layout) : Except OracleError FlatLayout :=
  if L.profile.depth = 1 then .ok L.modes else refuse "incongruent" "expected a flat tuple of modes"

/-! ## Writing -/

def placesJson (ns : List Nat) : Json := .arr (ns.map natJson).toArray

def finJson (f : FinMap) : Json :=
  Json.mkObj [("m", natJson f.values.length), ("n", natJson f.codomain), ("map", placesJson f.values)]

def nestJson (f : NestMorphism) : Json :=
  Json.mkObj [("domain", tupleJson f.domain), ("codomain", tupleJson f.codomain), ("map", placesJson f.map)]

/-- A morphism that fits into 64 bits and is not nested too deep. -/
def answerNest (f : NestMorphism) : Answer :=
  if maxDepth < f.domain.depth || maxDepth < f.codomain.depth then refuse "too_large" "the result is nested more than 64 deep"
  else if prod f.domain.flatten < limit && prod f.codomain.flatten < limit then result (nestJson f)
  else refuse "overflow" "a product is 2^64 or more"

def answerTuple (f : TupleMorphism) : Answer := answerNest (NestMorphism.ofFlat f)

def flatJson (L : FlatLayout) : Json := Json.mkObj [("shape", placesJson L.shape), ("stride", placesJson L.strides)]

/-- What is there, or a refusal. -/
def orRefuse {α : Type} (code message : String) (answer : α → Answer) (o : Option α) : Answer :=
  match o with
  | some a => answer a
  | none => refuse code message

/-! ## The operations -/

def onFins (f : FinMap → FinMap → Answer) (args : List Json) : Answer :=
  match args with
  | [a, b] => do f (← readFin a) (← readFin b)
  | _ => arity "two maps of pointed sets"

def onTuple (f : TupleMorphism → Answer) (args : List Json) : Answer :=
  match args with
  | [a] => readTuple a >>= f
  | _ => arity "one morphism of tuples"

def onTuples (f : TupleMorphism → TupleMorphism → Answer) (args : List Json) : Answer :=
  match args with
  | [a, b] => do f (← readTuple a) (← readTuple b)
  | _ => arity "two morphisms of tuples"

def onNest (f : NestMorphism → Answer) (args : List Json) : Answer :=
  match args with
  | [a] => readNest a >>= f
  | _ => arity "one morphism of nested tuples"

def onNests (f : NestMorphism → NestMorphism → Answer) (args : List Json) : Answer :=
  match args with
  | [a, b] => do f (← readNest a) (← readNest b)
  | _ => arity "two morphisms of nested tuples"

def onWritten (f : Layout → Answer) (args : List Json) : Answer :=
  match args with
  | [a] => readWritten a >>= f
  | _ => arity "one layout"

def onRefined (f : NestMorphism → IntTuple → Answer) (args : List Json) : Answer :=
  match args with
  | [a, t] => do f (← readNest a) (← readExtents t)
  | _ => arity "a morphism and a shape"

def onExtents (f : IntTuple → IntTuple → Answer) (args : List Json) : Answer :=
  match args with
  | [a, b] => do f (← readExtents a) (← readExtents b)
  | _ => arity "two shapes"

/-- Entries at places, which have to be there, in order. -/
def onPlaces (f : TupleMorphism → List Nat → Option TupleMorphism) (args : List Json) : Answer :=
  match args with
  | [a, ps] => do
    let g ← readTuple a
    let ps ← readMap ps
    orRefuse "out_of_domain" "a place is not there, or out of order, or an image is not kept" answerTuple (f g ps)
  | _ => arity "a morphism and places"

def finComposeOp (f g : FinMap) : Answer :=
  orRefuse "incongruent" "the codomain of f is not the domain of g" (fun h => result (finJson h)) (f.comp g)

def finWedgeOp (f g : FinMap) : Answer :=
  if f.codomain = g.codomain then
    orRefuse "not_injective" "the images meet" (fun h => result (finJson h)) (f.wedge g)
  else refuse "incongruent" "the codomains differ"

def tupleConcatOp (f g : TupleMorphism) : Answer :=
  if f.codomain = g.codomain then orRefuse "not_injective" "the images meet" answerTuple (f.concat g)
  else refuse "incongruent" "the codomains differ"

def tupleDivideOp (f g : TupleMorphism) : Answer :=
  if g.codomain = f.domain then
    orRefuse "not_injective" "an entry of g goes to the basepoint" answerTuple (f.flatDivide g)
  else refuse "incongruent" "the codomain of g is not the domain of f"

def tupleProductOp (f g : TupleMorphism) : Answer :=
  match f.complement with
  | some c =>
    if g.codomain = c.domain then orRefuse "not_injective" "the images meet" answerTuple (f.flatProduct g)
    else refuse "incongruent" "the codomain of g is not what f leaves"
  | none => refuse "not_injective" "an entry of f goes to the basepoint"

def morphismPredicatesOp (f : TupleMorphism) : Answer :=
  result (Json.mkObj [("is_sorted", .bool f.isSorted), ("is_coalesced", .bool f.isCoalesced),
    ("is_complementable", .bool f.isComplementable), ("is_isomorphism", .bool f.isIsomorphism),
    ("size", natJson (prod f.domain)), ("cosize", natJson (prod f.codomain))])

def nestConcatOp (f g : NestMorphism) : Answer :=
  if same f.codomain g.codomain then orRefuse "not_injective" "the images meet" answerNest (f.concat g)
  else refuse "incongruent" "the codomains differ"

def nestDivideOp (f g : NestMorphism) : Answer :=
  if same g.codomain f.domain then
    orRefuse "not_injective" "an entry of g goes to the basepoint" answerNest (f.logicalDivide g)
  else refuse "incongruent" "the codomain of g is not the domain of f"

def nestProductOp (f g : NestMorphism) : Answer :=
  match f.complement with
  | some c =>
    if same g.codomain c.domain then orRefuse "not_injective" "the images meet" answerNest (f.logicalProduct g)
    else refuse "incongruent" "the codomain of g is not what f leaves"
  | none => refuse "not_injective" "an entry of f goes to the basepoint"

def tractableOp (L : Layout) : Answer :=
  let why := match obstruction L.modes with
    | some (a, b) => placesJson [a, b]
    | none => .null
  .ok [("result", .bool (isTractable L.modes)), ("obstruction", why)]

/-- A representation, refused where there is none or its codomain has 2^64 elements or more. -/
def represented (f : Option NestMorphism) : Answer := orRefuse "not_divisible" "the layout is not tractable" answerNest f

def flatRepresentationOp (L : Layout) : Answer := do
  let modes ← expectFlat L
  represented ((standardRepresentation modes).map NestMorphism.ofFlat)

def sortFlatOp (L : Layout) : Answer := do
  let sorted := sortFlat (← expectFlat L)
  result (Json.mkObj [("layout", flatJson sorted.1), ("permutation", placesJson sorted.2)])

def flatComplementOp (args : List Json) : Answer :=
  match args with
  | [a, n] => do
    let L ← readWritten a
    let n ← readCount n
    let modes ← expectFlat L
    match flatComplement modes n with
    | some C => result (flatJson C)
    | none =>
      if modes.any fun m => m.extent != 1 && m.stride == 0 then refuse "not_injective" "a stride is 0"
      else refuse "not_divisible" "a block does not divide what follows it"
  | _ => arity "a layout and a number of elements"

def flatConcatenateOp (args : List Json) : Answer :=
  match args with
  | [a, b] => do
    let A ← readWritten a
    let B ← readWritten b
    let C := flatConcatenate (← expectFlat A) (← expectFlat B)
    let N := FlatLayout.normalize C
    if FlatLayout.size N < limit && FlatLayout.cosizeFormula N < limit then result (flatJson C)
    else refuse "overflow" "size or cosize of the result is 2^64 or more"
  | _ => arity "two layouts"

def mutualRefinementOp (t u : IntTuple) : Answer :=
  orRefuse "not_divisible" "there is no mutual refinement"
    (fun r => result (Json.mkObj [("Tprime", tupleJson r.1), ("Uprime", tupleJson r.2)])) (mutualRefinement t u)

def relativeOp (fine coarse : IntTuple) : Answer :=
  orRefuse "incongruent" "it is no refinement"
    (fun r => result (Json.mkObj
      [("relative_flattening", .arr (tupleJsons r.1).toArray), ("underlying_map", placesJson r.2)]))
    (relative fine coarse)

def attrsOp (args : List Json) : Answer :=
  match args with
  | [a] => do
    let t ← readExtents a
    result (Json.mkObj [("flatten", placesJson t.flatten), ("rank", natJson t.rank), ("length", natJson t.length),
      ("size", natJson (IntTuple.size t)), ("depth", natJson t.depth), ("profile", tupleJson (t.map fun _ => 0)),
      ("modes", .arr (tupleJsons t.children).toArray)])
  | _ => arity "one shape"

def layoutComposeOp (args : List Json) : Answer :=
  match args with
  | [a, b] => do
    let A ← readWritten a
    let B ← readWritten b
    match layoutCompose A B with
    | some (f, g, h, R) =>
      if prod f.codomain.flatten < limit && prod g.codomain.flatten < limit then
        result (Json.mkObj [("f", nestJson f), ("g", nestJson g), ("weak", nestJson h),
          ("weak_layout", layoutJson h.encodedLayout), ("layout", layoutJson R)])
      else refuse "overflow" "a product is 2^64 or more"
    | none => refuse "not_divisible" "a layout is not tractable, or there is no mutual refinement"
  | _ => arity "two layouts"

/-- The operations on morphisms. -/
def categoryOps : List Op := [
  { name := "encoded_layout_flat", run := onTuple fun f => result (flatJson f.encodedLayout) },
  { name := "encoded_layout_nest", run := onNest fun f => resultLayout f.encodedLayout },
  { name := "fin_compose", run := onFins finComposeOp },
  { name := "fin_sum", run := onFins fun f g => result (finJson (f.sum g)) },
  { name := "fin_wedge", run := onFins finWedgeOp },
  { name := "flat_complement", run := flatComplementOp },
  { name := "flat_concatenate", run := flatConcatenateOp },
  { name := "is_tractable", run := onWritten tractableOp },
  { name := "layout_compose", run := layoutComposeOp },
  { name := "mutual_refinement", run := onExtents mutualRefinementOp },
  { name := "nest_coalesce", run := onNest fun f => answerNest f.coalesce },
  { name := "nest_complement", run := onNest fun f =>
      orRefuse "not_injective" "an entry goes to the basepoint" answerNest f.complement },
  { name := "nest_compose", run := onNests fun f g =>
      orRefuse "incongruent" "the codomain of f is not the domain of g" answerNest (f.comp g) },
  { name := "nest_concat", run := onNests nestConcatOp },
  { name := "nest_logical_divide", run := onNests nestDivideOp },
  { name := "nest_logical_product", run := onNests nestProductOp },
  { name := "nest_pullback", run := onRefined fun f t =>
      orRefuse "incongruent" "it does not refine the codomain" answerNest (f.pullback t) },
  { name := "nest_pushforward", run := onRefined fun f s =>
      orRefuse "incongruent" "it does not refine the domain" answerNest (f.pushforward s) },
  { name := "nested_attrs", run := attrsOp },
  { name := "nested_refines", run := onExtents fun s t => result (.bool (IntTuple.refines s t)) },
  { name := "nested_relative", run := onExtents relativeOp },
  { name := "nullify_trivial_strides", run := onWritten fun L => resultLayout (nullifyTrivialStrides L) },
  { name := "sort_flat_layout", run := onWritten sortFlatOp },
  { name := "standard_representation_flat", run := onWritten flatRepresentationOp },
  { name := "standard_representation_nest", run := onWritten fun L => represented (standardRepresentationNest L) },
  { name := "tuple_coalesce", run := onTuple fun f => answerTuple f.coalesce },
  { name := "tuple_complement", run := onTuple fun f =>
      orRefuse "not_injective" "an entry goes to the basepoint" answerTuple f.complement },
  { name := "tuple_compose", run := onTuples fun f g =>
      orRefuse "incongruent" "the codomain of f is not the domain of g" answerTuple (f.comp g) },
  { name := "tuple_concat", run := onTuples tupleConcatOp },
  { name := "tuple_factorize", run := onPlaces TupleMorphism.factorize },
  { name := "tuple_flat_divide", run := onTuples tupleDivideOp },
  { name := "tuple_flat_product", run := onTuples tupleProductOp },
  { name := "tuple_predicates", run := onTuple morphismPredicatesOp },
  { name := "tuple_restrict", run := onPlaces TupleMorphism.restrict },
  { name := "tuple_sort", run := onTuple fun f => answerTuple f.sort },
  { name := "tuple_squeeze", run := onTuple fun f => answerTuple f.squeeze },
  { name := "tuple_strong_coalesce", run := onTuple fun f => answerTuple f.strongCoalesce },
  { name := "tuple_sum", run := onTuples fun f g => answerTuple (f.sum g) },
  { name := "weak_composite", run := onNests fun f g =>
      orRefuse "not_divisible" "there is no mutual refinement" answerNest (weakComposite f g) }]

end Oracle
