module

public import Razorgirl.Spec.IterDomain.Axes
public import Razorgirl.Spec.IterDomain.Predicate.Minimal
public import Oracle.Int

@[expose] public section

/-!
# Schedules in the table of operations

A schedule is `{"extents":[128,7777],"steps":[step,…]}`; without `steps` there are none. A step is one of

* `{"split":axis,"factor":n}`: inner split into `⌈N/n⌉` and `n`
* `{"split_outer":axis,"factor":n}`: outer split into `n` and `⌈N/n⌉`
* `{"merge":[outer,inner]}`: the product takes the place of the outer axis, the inner one goes
* `{"reorder":[p₀,p₁,…]}`: all positions; the new axis `i` is the old axis `pᵢ`
* `{"resize":axis,"left":n,"right":n}`: so many more indices on either side, fewer where negative
* `{"swizzle":"xor","axes":[x,y]}`, `"cyclic"` or `"zshape"`: axis `y` is moved by axis `x`

Axes are positions, from 0, in the list of axes as it is at that step; a step replaces its axes in place. Every axis that
there ever is has a number: first those of the tensor, from 0, then those that the steps make, in their order: a split
outer, then inner; a swizzle x, then y; a merge and a resize one; a reorder none.

* `schedule_eval`: for each loop point, the last loop fastest, the row-major number of its element, `null` for a hole: a
  point at which any axis is out of range. At most 2^20 points.
* `schedule_equivalent`: whether the extents, the loops, and the elements of all loop points are the same, holes included;
  beside it `"witness"`, the first loop point with another element or with one hole, or `null` where the schedules are the
  same or the extents or loops differ.
* `schedule_equivalent_e2`: the same of the indices that the loop points go back to, be they holes or not. Indices of
  holes are exact, however large.
* `schedule_equivalent_valid_items`: the same of the loop points that the elements go to; the witness is an element.
* `schedule_predicates`: the numbers of the axes to test, increasing.
* `schedule_essential`: those of them none of which can be left out. At most 2^20 loop points.
* `schedule_axes`: the layout of each loop into the row-major tensor, `null` where the steps are no layout operations.

At most 2^16 steps, 2^10 axes at a time, and 2^24 points where points are gone through: more is `too_large`.

Refused are, step by step in this order, what is no step (`parse`), a position that is not there or given twice
(`out_of_domain`), an order that is no permutation (`incongruent`), a factor below 1 or an axis resized to nothing
(`extent`), and what reaches 2^62 (`overflow`): the size of the tensor, the product of the extents that a split makes or a
merge multiplies, and the extent of a resized axis together with the numbers it is resized by.
-/

namespace Oracle

open Lean (Json)
open Razorgirl
open Razorgirl.IterDomain

/-! ## Reading -/

/-- 2^62. -/
def scheduleLimit : Int := 4611686018427387904

/-- The most steps. -/
def maxSteps : Nat := 65536

/-- The most axes at a time. -/
def maxRank : Nat := 1024

/-- A field of an object. -/
def fieldOf (j : Json) (name : String) : Option Json :=
  match j.getObjVal? name with
  | .ok v => some v
  | .error _ => none

/-- An integer from 0, below 2^64; what is below 0 has the code `below`. -/
def readNatural (below : String) (j : Json) : Except OracleError Nat :=
  match j.getInt? with
  | .ok x =>
    if x < 0 then refuse below "an integer is below 0"
    else if x.toNat < limit then .ok x.toNat
    else refuse "overflow" "an integer is 2^64 or more"
  | .error _ => refuse "parse" "expected an integer"

/-- `readNatural` for each of a list. -/
def readNaturals (below : String) (js : List Json) : Except OracleError (List Nat) :=
  match js with
  | [] => .ok []
  | j :: rest => do return (← readNatural below j) :: (← readNaturals below rest)

/-- Two positions. -/
def readPair (j : Option Json) : Except OracleError (Nat × Nat) :=
  match j with
  | some (.arr js) =>
    match js.toList with
    | [a, b] => do return (← readNatural "out_of_domain" a, ← readNatural "out_of_domain" b)
    | _ => refuse "parse" "expected a list of two axes"
  | _ => refuse "parse" "expected a list of two axes"

/-- A field that has to be there. -/
def readField (j : Json) (name : String) : Except OracleError Json :=
  match fieldOf j name with
  | some v => .ok v
  | none => refuse "parse" s!"a step lacks {name}"

/-- The swizzle with a name. -/
def readSwizzle (j : Json) : Except OracleError SwizzleKind :=
  match j with
  | .str "xor" => .ok .xor
  | .str "cyclic" => .ok .cyclicShift
  | .str "zshape" => .ok .zShape
  | _ => refuse "parse" "there is no such swizzle" ["use \"xor\", \"cyclic\" or \"zshape\""]

/-- How many of the fields an object has. -/
def countFields (j : Json) (names : List String) : Nat :=
  match names with
  | [] => 0
  | name :: rest =>
    match fieldOf j name with
    | some _ => countFields j rest + 1
    | none => countFields j rest

/-- The kinds of steps. -/
def stepNames : List String := ["split", "split_outer", "merge", "reorder", "resize", "swizzle"]

/-- The fields of the kind of step that an object names first. -/
def stepFields (j : Json) : List String :=
  match stepNames.find? fun name => (fieldOf j name).isSome with
  | some "split" => ["split", "factor"]
  | some "split_outer" => ["split_outer", "factor"]
  | some "resize" => ["resize", "left", "right"]
  | some "swizzle" => ["swizzle", "axes"]
  | some name => [name]
  | none => []

/-- A step, by what it says; whether the axes are there is not looked at. -/
def readStep (j : Json) : Except OracleError Step :=
  if countFields j stepNames == 1 && hasOnly (stepFields j) j then
    match fieldOf j "split", fieldOf j "split_outer", fieldOf j "merge", fieldOf j "reorder", fieldOf j "resize" with
    | some axis, _, _, _, _ => do
      let factor ← readField j "factor"
      return .split (← readNatural "out_of_domain" axis) (← readNatural "extent" factor)
    | none, some axis, _, _, _ => do
      let factor ← readField j "factor"
      return .splitOuter (← readNatural "out_of_domain" axis) (← readNatural "extent" factor)
    | none, none, some pair, _, _ => do
      let (a, b) ← readPair (some pair)
      return .merge a b
    | none, none, none, some (.arr order), _ => do
      return .reorder (← readNaturals "out_of_domain" order.toList)
    | none, none, none, some _, _ => refuse "parse" "expected a list of positions"
    | none, none, none, none, some axis => do
      let left ← readField j "left"
      let right ← readField j "right"
      return .resize (← readNatural "out_of_domain" axis) (← readSigned left) (← readSigned right)
    | none, none, none, none, none => do
      let kind ← readSwizzle (← readField j "swizzle")
      let (x, y) ← readPair (fieldOf j "axes")
      return .swizzle kind x y
  else refuse "parse" "expected a step: an object with one of split, split_outer, merge, reorder, resize, swizzle"

/-- A position in a list of axes. -/
def checkAxis (N : List Int) (a : Nat) : Except OracleError Int :=
  if a < N.length then .ok (N.getD a 0) else refuse "out_of_domain" s!"there is no axis {a}"

/-- Two different positions. -/
def checkAxes (N : List Int) (a b : Nat) : Except OracleError (Int × Int) := do
  let m ← checkAxis N a
  let n ← checkAxis N b
  if a == b then refuse "out_of_domain" s!"axis {a} is given twice" else return (m, n)

/-- Not too many axes. -/
def checkRank (n : Nat) : Except OracleError Unit :=
  if n ≤ maxRank then .ok () else refuse "too_large" "more than 2^10 axes"

/-- Whether a step can be taken. -/
def checkStep (N : List Int) (step : Step) : Except OracleError Unit :=
  match step with
  | .split a d => do
    let n ← checkAxis N a
    if d < 1 then refuse "extent" "a factor is below 1"
    else if Division.cdiv n d * d < scheduleLimit then checkRank (N.length + 1)
    else refuse "overflow" "a split reaches 2^62"
  | .splitOuter a k => do
    let n ← checkAxis N a
    if k < 1 then refuse "extent" "a factor is below 1"
    else if k * Division.cdiv n k < scheduleLimit then checkRank (N.length + 1)
    else refuse "overflow" "a split reaches 2^62"
  | .merge a b => do
    let (m, n) ← checkAxes N a b
    if m * n < scheduleLimit then return () else refuse "overflow" "a merge reaches 2^62"
  | .reorder p => if isOrder N.length p then .ok () else refuse "incongruent" "the order is no permutation of the axes"
  | .resize a L R => do
    let n ← checkAxis N a
    if n + L + R < 1 then refuse "extent" "a resize leaves no index"
    else if n + L + R + L.natAbs + R.natAbs < scheduleLimit then return ()
    else refuse "overflow" "a resize reaches 2^62"
  | .swizzle _ x y => do
    let _ ← checkAxes N x y
    return ()

/-- Steps on axes of extents `N`, each read and checked before the next one. -/
def readSteps (N : List Int) (js : List Json) : Except OracleError (List Step) :=
  match js with
  | [] => .ok []
  | j :: rest => do
    let step ← readStep j
    checkStep N step
    return step :: (← readSteps ((chain N.length (step.moves N.length)).ext N) rest)

/-- A schedule. -/
def readSchedule (j : Json) : Except OracleError Schedule :=
  if !hasOnly ["extents", "steps"] j then refuse "parse" "expected a schedule: an object with extents and steps" else
  match j, fieldOf j "extents", fieldOf j "steps" with
  | .obj _, some (.arr extents), steps => do
    let N := (← readNaturals "extent" extents.toList).map Int.ofNat
    checkRank N.length
    if positive N then
      if boxSize N < scheduleLimit then
        match steps with
        | none => return ⟨N, []⟩
        | some (.arr js) =>
          if js.size ≤ maxSteps then return ⟨N, ← readSteps N js.toList⟩ else refuse "too_large" "more than 2^16 steps"
        | some _ => refuse "parse" "expected a list of steps"
      else refuse "overflow" "the tensor has 2^62 elements or more"
    else refuse "extent" "an extent is below 1"
  | _, _, _ => refuse "parse" "expected a schedule: an object with extents and steps"

/-! ## Answering -/

/-- An integer. -/
def intJson (x : Int) : Json := .num x

/-- The element of each loop point. -/
def scheduleEval (args : List Json) : Answer :=
  match args with
  | [j] => do
    let s ← readSchedule j
    if boxSize s.loops ≤ 1048576 then
      result (.arr (s.elements.map fun e => match e with | some x => intJson x | none => .null).toArray)
    else refuse "too_large" "more than 2^20 loop points"
  | _ => arity "one schedule"

/-- Whether two schedules are the same, by the witness that they are not among `points`. -/
def compareSchedules (points : Schedule → List Int) (witness : Schedule → Schedule → Option (List Int))
    (args : List Json) : Answer :=
  match args with
  | [a, b] => do
    let s ← readSchedule a
    let t ← readSchedule b
    if s.extents == t.extents && s.loops == t.loops then
      if boxSize (points s) ≤ 16777216 then
        match witness s t with
        | none => .ok [("result", .bool true), ("witness", .null)]
        | some j => .ok [("result", .bool false), ("witness", .arr (j.map intJson).toArray)]
      else refuse "too_large" "more than 2^24 points"
    else .ok [("result", .bool false), ("witness", .null)]
  | _ => arity "two schedules"

/-- The numbers of the axes that must be tested. -/
def schedulePredicates (args : List Json) : Answer :=
  match args with
  | [j] => do
    let s ← readSchedule j
    result (.arr (s.predicates.map natJson).toArray)
  | _ => arity "one schedule"

/-- The numbers of the axes that must be tested, none of which can be left out. -/
def scheduleEssential (args : List Json) : Answer :=
  match args with
  | [j] => do
    let s ← readSchedule j
    if boxSize s.loops ≤ 1048576 then result (.arr (s.essential.map natJson).toArray)
    else refuse "too_large" "more than 2^20 loop points"
  | _ => arity "one schedule"

/-- Layouts that fit, one after another. -/
def boundedAxes (Ls : List Layout) : Except OracleError (List Json) :=
  match Ls with
  | [] => .ok []
  | L :: rest => do
    let _ ← answerLayout L
    return layoutJson L :: (← boundedAxes rest)

/-- The layouts of the loops. -/
def scheduleAxes (args : List Json) : Answer :=
  match args with
  | [j] => do
    let s ← readSchedule j
    match s.axes with
    | some Ls => result (.arr (← boundedAxes Ls).toArray)
    | none => result .null
  | _ => arity "one schedule"

/-- The operations, by name. -/
def iterDomainOps : List Op := [
  { name := "schedule_equivalent", run := compareSchedules Schedule.loops Schedule.difference },
  { name := "schedule_equivalent_e2", run := compareSchedules Schedule.loops Schedule.differenceE2 },
  { name := "schedule_equivalent_valid_items", run := compareSchedules Schedule.extents Schedule.differenceE1 },
  { name := "schedule_eval", run := scheduleEval },
  { name := "schedule_predicates", run := schedulePredicates },
  { name := "schedule_essential", run := scheduleEssential },
  { name := "schedule_axes", run := scheduleAxes }]

end Oracle
