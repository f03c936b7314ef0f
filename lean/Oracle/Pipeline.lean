module

public import Razorgirl.Spec.Pipeline.Search
public import Oracle.Read

@[expose] public section

/-!
# Pipelines for the oracle

Not operations of the protocol, in which a pipeline is a text: the tests of `rust/pipeline` ask for these verdicts. A pipeline is
a list: stages, the least number of trips, barriers (whether in the ring, arrivals per phase), the number of buffers, roles.
-/

namespace Oracle

open Lean (Json)
open Razorgirl Razorgirl.Pipeline

/-- A place is three numbers: its first slot, whether it is in the ring, how many positions back. -/
def readPlaceOf (first ring back : Nat) : Place := ⟨first, ring == 1, back⟩

/-- An operation is a list of numbers, the kind first. -/
def readOperation (numbers : List Nat) : Option Instr :=
  match numbers with
  | [0, a, b, c, flipped] => some (.wait (readPlaceOf a b c) (flipped == 1))
  | [1, a, b, c, n] => some (.arrive (readPlaceOf a b c) n)
  | [2, a, b, c, bytes] => some (.expect (readPlaceOf a b c) bytes)
  | [3, a, b, c, bytes] => some (.arriveExpect (readPlaceOf a b c) bytes)
  | [4, a, b, c, d, e, f, bytes] => some (.tma (readPlaceOf a b c) (readPlaceOf d e f) bytes)
  | [5, a, b, c] => some (.read (readPlaceOf a b c))
  | [6, a, b, c] => some (.readDone (readPlaceOf a b c))
  | [7, a, b, c] => some (.write (readPlaceOf a b c))
  | [8, a, b, c] => some (.writeDone (readPlaceOf a b c))
  | [9, a, b, c] => some (.group (readPlaceOf a b c))
  | [10, n] => some (.groupWait n)
  | [11] => some .next
  | [12, exit] => some (.head exit)
  | [13, to] => some (.jump to)
  | _ => none

/-- The numbers of a tuple without nesting. -/
def numbersOf (t : HTuple Int) : Option (List Nat) :=
  match t with
  | .leaf _ => none
  | .node ts => ts.foldr (fun t found => match t, found with
    | .leaf n, some ns => some (n.toNat :: ns)
    | _, _ => none) (some [])

/-- All of a list. -/
def readEach {α : Type} (f : HTuple Int → Option α) (ts : List (HTuple Int)) : Option (List α) :=
  ts.foldr (fun t found => match f t, found with
    | some a, some as => some (a :: as)
    | _, _ => none) (some [])

/-- A role is a list of operations. -/
def readRole (t : HTuple Int) : Option (List Instr) :=
  match t with
  | .leaf _ => none
  | .node ts => readEach (fun t => (numbersOf t).bind readOperation) ts

/-- A barrier is two numbers. -/
def readBarrier (t : HTuple Int) : Option (Bool × Nat) :=
  match numbersOf t with
  | some [ring, count] => some (ring == 1, count)
  | _ => none

/-- A pipeline. -/
def readProgram (t : HTuple Int) : Option Program :=
  match t with
  | .node [.leaf stages, .leaf least, .node barriers, .leaf buffers, .node roles] =>
    match readEach readBarrier barriers, readEach readRole roles with
    | some barriers, some roles => some ⟨stages.toNat, least.toNat, barriers, buffers.toNat, roles⟩
    | _, _ => none
  | _ => none

/-- Whether a pipeline is certified for every number of trips by so many states, and whether it is refuted with `K` trips by ten
times as many. -/
def pipelineOp (args : List Json) : Answer :=
  match args with
  | [program, most, trips] => do
    let t ← readInts program
    let most ← readInts most
    let trips ← readInts trips
    match readProgram t, most, trips with
    | some p, .leaf most, .leaf K =>
      result (Json.mkObj [("certified", .bool (p.certified most.toNat)),
        ("refuted", .bool (p.refuted K.toNat (10 * most.toNat)))])
    | _, _, _ => refuse "parse" "expected a pipeline, a number of states and a number of trips"
  | _ => refuse "arity" "takes a pipeline, a number of states and a number of trips"

/-- What the tests ask for. -/
def pipelineOps : List Op := [{ name := "pipeline", run := pipelineOp, listed := false }]

end Oracle
