module

public import Razorgirl.Spec.Bank.Optimal
public import Razorgirl.Spec.Swizzle
public import Oracle.LinearLayout

@[expose] public section

/-!
# Swizzles and banks
-/

namespace Oracle

open Lean (Json)
open Razorgirl

/-- The exponent of an element's bytes. -/
def readBits (j : Json) : Except OracleError Nat := do
  let bits ← readNat j
  if bits == 8 then return 0
  else if bits == 16 then return 1
  else if bits == 32 then return 2
  else if bits == 64 then return 3
  else if bits == 128 then return 4
  else refuse "out_of_domain" "there are no such elements" ["use 8, 16, 32, 64 or 128 bits"]

/-- A number of bits that can be shifted by. -/
def readShort (j : Json) : Except OracleError Int := do
  let n ← readIndex j
  if n.natAbs < 64 then return n else refuse "out_of_domain" "a number of bits is 64 or more"

/-- CuTe's swizzle of a number. -/
def swizzleNumberOp (args : List Json) : Answer :=
  match args with
  | [b, m, s, x] => do
    let b ← readShort b
    let m ← readShort m
    let s ← readShort s
    let x ← readNat x
    if b < 0 then refuse "out_of_domain" "B is below 0"
    else if m < 0 then refuse "out_of_domain" "M is below 0"
    else
      let y := Swizzle.apply ⟨b.toNat, m.toNat, s⟩ x
      if y < limit then result (natJson y) else refuse "overflow" "the result is 2^64 or more"
  | _ => arity "B, M, S and a number"

/-- No input block of more than one value. -/
def noBlocks (L : LinearLayout) : Bool := L.ins.bits "block" == 0

/-- Elements of an access and wavefronts of a phase. -/
def bankConflictsOp (args : List Json) : Answer :=
  match args with
  | [reg, smem, bits] => do
    let reg ← readLinear reg
    let smem ← readLinear smem
    let w ← readBits bits
    if !LinearLayout.fitsNames reg.outs smem.outs then refuse "incongruent" "the outputs are not those of shared memory"
    else
      match Bank.conflicts reg smem w with
      | some (v, n) => result (Json.mkObj [("vector", natJson v), ("wavefronts", natJson n)])
      | none => result .null
  | _ => arity "registers, shared memory and the bits of an element"

/-- Shared memory without conflicts for two register layouts; with what each does there. -/
def optimalSwizzleOp (args : List Json) : Answer :=
  match args with
  | [src, dst, bits] => do
    let src ← readLinear src
    let dst ← readLinear dst
    let w ← readBits bits
    need (noBlocks src && noBlocks dst) "out_of_domain" "there is more than one block" <|
    match Bank.optimalSwizzle src dst w with
    | some L =>
      match Bank.conflicts src L w, Bank.conflicts dst L w with
      | some a, some b => result (Json.mkObj [("layout", linearJson L), ("vector", natsJson [a.1, b.1]),
          ("wavefronts", natsJson [a.2, b.2])])
      | _, _ => result .null
    | none => refuse "incongruent" "the outputs differ"
  | _ => arity "two register layouts and the bits of an element"

/-- The operations, by name. -/
def bankOps : List Op := [
  { name := "bank_conflicts", run := bankConflictsOp },
  { name := "optimal_swizzle", run := optimalSwizzleOp },
  { name := "swizzle", run := swizzleNumberOp }]

end Oracle
