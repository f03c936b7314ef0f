module

public import Razorgirl.Spec.Relation.Linear
public import Razorgirl.Spec.Relation.Recover
public import Razorgirl.Spec.Relation.Swizzle
public import Oracle.LinearLayout
public import Oracle.Swizzle

@[expose] public section

/-!
# Relations pair by pair
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- Pairs are listed up to here, and gaps up to this image. -/
def mostPairs : Nat := 2 ^ 16

/-- A list of integers between -2^64 and 2^64. -/
def readTuple64 (j : Json) : Except OracleError (List Int) :=
  match j with
  | .arr js => do
    let values ← readValues js.toList
    if values.all fun v => decide (-(limit : Int) < v ∧ v < limit) then return values
    else refuse "overflow" "an integer of a pair has more than 64 bits"
  | _ => refuse "parse" "expected a list of integers"

/-- Pairs of two lists of integers. -/
def readPairs (js : List Json) : Except OracleError Relation :=
  match js with
  | [] => return []
  | .arr #[a, b] :: js => do return (← readTuple64 a, ← readTuple64 b) :: (← readPairs js)
  | _ => refuse "parse" "expected a pair of an input and an image"

/-- The relation of a swizzled layout whose offsets fit into 64 bits. -/
def swizzledRelation (R : SwizzledLayout) : Except OracleError Relation :=
  if mostPairs < R.size then refuse "too_large" "more than 2^16 pairs"
  else
    let r := R.relation
    if r.all fun p => p.2.all fun v => decide (v < limit) then return r
    else refuse "overflow" "an offset is 2^64 or more"

/-- A relation: pairs, or a layout, swizzled or linear. -/
def readRelation (j : Json) : Except OracleError Relation :=
  match j with
  | .arr js => if js.size ≤ mostPairs then readPairs js.toList else refuse "too_large" "more than 2^16 pairs"
  | _ =>
    match j.getObjVal? "in", j.getObjVal? "shape" with
    | .ok _, .error _ => do
      let L ← readLinear j
      if 16 < L.ins.total then refuse "too_large" "more than 2^16 pairs" else return L.pointRelation
    | _, _ => do swizzledRelation (← readSwizzled j)

/-- A pair into pairs in lexicographic order, unless it is there. -/
def insertPair (p : List Int × List Int) (r : Relation) : Relation :=
  match r with
  | [] => [p]
  | q :: rest =>
    if p.1 == q.1 && p.2 == q.2 then q :: rest
    else if Relation.before p.1 q.1 || p.1 == q.1 && Relation.before p.2 q.2 then p :: q :: rest
    else q :: insertPair p rest

/-- The pairs in order, each once. -/
def ordered (r : Relation) : Relation :=
  match r with
  | [] => []
  | p :: rest => insertPair p (ordered rest)

/-- A tuple as a list. -/
def listJson (t : List Int) : Json := .arr (t.map fun (v : Int) => Json.num v).toArray

/-- Pairs as lists of two lists. -/
def pairsJson (r : Relation) : Json := .arr ((ordered r).map fun p => .arr #[listJson p.1, listJson p.2]).toArray

/-- One digit of the index, counted with the stride, in isl's notation. -/
def islTerm (start : Nat) (m : Mode) (isLast : Bool) : String :=
  let quotient := if start = 1 then "c" else s!"floor((c)/{start})"
  let digit := if isLast then quotient else s!"({quotient} mod {m.extent})"
  if m.stride = 1 then digit else s!"{m.stride}*{digit}"

/-- The terms of the modes that move the offset. -/
def islTerms (start : Nat) (L : FlatLayout) : List String :=
  match L with
  | [] => []
  | [m] => if m.stride = 0 then [] else [islTerm start m true]
  | m :: n :: rest =>
    (if m.stride = 0 then [] else [islTerm start m false]) ++ islTerms (start * m.extent) (n :: rest)

/-- Numbers apart by commas. -/
def islTuple (t : List Int) : String := "[" ++ String.intercalate "," (t.map toString) ++ "]"

/-- In isl's notation: the expression of a layout that has the relation, else the pairs. -/
def islText (r : Relation) : String :=
  let sorted := ordered r
  let values := sorted.map fun p => match p.2 with | [v] => v | _ => -1
  let isFunction := decide (0 < sorted.length) && values.all (fun v => decide (0 ≤ v)) &&
    sorted.map (·.1) == (List.range sorted.length).map fun (x : Nat) => [(x : Int)]
  let table := (values.map Int.toNat).toArray
  let found := if isFunction then findLayout (fun i => table.getD i 0) table.size else none
  match found with
  | some L =>
    let terms := islTerms 1 L
    let sum := if terms.length = 0 then "0" else String.intercalate " + " terms
    "{ [c] -> [" ++ sum ++ "] : 0 <= c < " ++ toString sorted.length ++ " }"
  | none =>
    "{ " ++ String.intercalate "; " (sorted.map fun p => islTuple p.1 ++ " -> " ++ islTuple p.2) ++ " }"

/-- Whether all images are single numbers from 0 whose gaps are listed. -/
def hasGaps (r : Relation) : Bool :=
  r.all fun p => match p.2 with | [v] => decide (0 ≤ v ∧ v < mostPairs) | _ => false

/-- What is said of a relation. -/
def relationFields (r : Relation) : List (String × Json) :=
  [("isl", .str (islText r)), ("graph", pairsJson r), ("least_preimages", pairsJson r.leastPreimages),
    ("gaps", if hasGaps r then .arr (r.gaps.map natJson).toArray else .null)]

/-- Tuples in order, each once. -/
def tuplesJson (ts : List (List Int)) : Json := .arr ((ordered (ts.map fun t => (t, []))).map fun p => listJson p.1).toArray

/-- The relation of a layout, or as it is listed. -/
def relationOfOp (args : List Json) : Answer :=
  match args with
  | [j] => do
    let r ← readRelation j
    match j.getObjVal? "in", j.getObjVal? "shape" with
    | .ok _, .error _ => do
      let L ← readLinear j
      let gaps := if 16 < L.outs.total ∨ 2 ^ 20 < L.outs.length * 2 ^ L.outs.total then Json.null else tuplesJson L.pointGaps
      result (Json.mkObj ((relationFields r).map fun f => if f.1 == "gaps" then ("gaps", gaps) else f))
    | _, _ => result (Json.mkObj (relationFields r))
  | _ => arity "one relation"

/-- The relation turned round. -/
def relationInverseOp (args : List Json) : Answer :=
  match args with
  | [j] => do result (Json.mkObj (relationFields (← readRelation j).inverse))
  | _ => arity "one relation"

/-- One relation after another. -/
def relationComposeOp (args : List Json) : Answer :=
  match args with
  | [g, f] => do
    let g ← readRelation g
    let f ← readRelation f
    let r := g.after f
    if mostPairs < r.length then refuse "too_large" "more than 2^16 pairs"
    else result (Json.mkObj (relationFields r ++ [("promotes", .bool (g.promotes f))]))
  | _ => arity "two relations"

/-- The flat layout in the nesting of a tuple. -/
def recovered (found : Option FlatLayout) (t : IntTuple) : Answer :=
  match found with
  | some L => bounded ⟨L, t.profile⟩
  | none => refuse "no_layout" "no such layout has the mapping"

/-- The layout of a shape, or with strides, that has these pairs. -/
def layoutFromRelationOp (args : List Json) : Answer :=
  match args with
  | [j, given] => do
    let r ← readRelation j
    if !hasOnly ["shape", "stride"] given then refuse "parse" "expected a shape or a stride alone" else
    match given.getObjVal? "shape", given.getObjVal? "stride" with
    | .ok s, .error _ =>
      let S ← readExtents s
      recovered (FlatLayout.fromShape S.flatten r) S
    | .error _, .ok d =>
      let D ← readNats 0 "stride" (← readInts d)
      recovered (FlatLayout.fromStride D.flatten r) D
    | _, _ => refuse "parse" "expected a shape or a stride"
  | _ => arity "a relation, and a shape or a stride"

/-- The only number of a tuple. -/
def numberJson (t : List Int) : Json :=
  match t with
  | [v] => .num v
  | _ => .null

/-- The offsets that index code is to compute, in the order of the indices; its text is Rust's. -/
def indexCodeOp (args : List Json) : Answer :=
  match args with
  | [j, language] => do
    let R ← readSwizzled j
    let name ← readName language
    if name == "c" || name == "cuda" || name == "python" then
      let r ← swizzledRelation R
      result (.arr (r.map fun p => numberJson p.2).toArray)
    else refuse "parse" "expected a language: c, cuda or python"
  | _ => arity "a layout and a language"

/-- The operations on relations. -/
def relationOps : List Op := [
  { name := "index_code", run := indexCodeOp },
  { name := "layout_from_relation", run := layoutFromRelationOp },
  { name := "relation_compose", run := relationComposeOp },
  { name := "relation_inverse", run := relationInverseOp },
  { name := "relation_of", run := relationOfOp }]

end Oracle
