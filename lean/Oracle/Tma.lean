module

public import Razorgirl.Spec.Tma.Fttc
public import Oracle.Args

@[expose] public section

/-!
# TMA in the table of operations
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- The dimensions of a descriptor, from tensor sizes, box sizes and element strides; the strides in memory do not
matter here. -/
def readDims (sizes boxes steps : List Int) : Except OracleError Tma.Descriptor :=
  if sizes.length = boxes.length && boxes.length = steps.length then
    if (sizes ++ boxes ++ steps).all (fun x => decide (1 ≤ x)) then
      if (sizes ++ boxes ++ steps).all (fun x => decide (x.toNat < limit)) then
        .ok ((sizes.zip (boxes.zip steps)).map fun d => ⟨d.1.toNat, d.2.1.toNat, d.2.2.toNat, 0⟩)
      else refuse "overflow" "a tensor size, box size or element stride is 2^64 or more"
    else refuse "extent" "a tensor size, box size or element stride is below 1"
  else refuse "incongruent" "tensor sizes, box sizes and element strides differ in number"

/-- Whether strong correctness is possible, and in which dimensions it is not. -/
def fttcOp (args : List Json) : Answer :=
  match args with
  | [.arr sizes, .arr boxes, .arr steps] => do
    let sizes ← readValues sizes.toList
    let boxes ← readValues boxes.toList
    let D ← readDims sizes boxes (← readValues steps.toList)
    let v := Tma.violations D
    result (Json.mkObj [("strong", .bool (v == [])), ("violations", .arr (v.map natJson).toArray)])
  | [_, _, _] => refuse "parse" "expected three lists of integers"
  | _ => arity "tensor sizes, box sizes and element strides"

/-- The operations, by name. -/
def tmaOps : List Op := [{ name := "fttc", run := fttcOp }]

end Oracle
