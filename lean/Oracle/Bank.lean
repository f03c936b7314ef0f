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

/-- A number of bits; 64 and more do the same to numbers below 2^64. -/
def readShort (j : Json) : Except OracleError Int := do
  return max (-64) (min (← readIndex j) 64)

/-- B of a swizzle: how many of the 64 bits of a number are exclusive-ored. -/
def readSwizzleBits (j : Json) : Except OracleError Nat := do
  let b ← readIndex j
  if 0 ≤ b && b ≤ 64 then return b.toNat else refuse "out_of_domain" "B must be from 0 to 64, the bits of a number"

/-- CuTe's swizzle of a number. -/
def swizzleNumberOp (args : List Json) : Answer :=
  match args with
  | [b, m, s, x] => do
    let b ← readSwizzleBits b
    let m ← readShort m
    let s ← readShort s
    let x ← readNat x
    if m < 0 then refuse "out_of_domain" "M is below 0"
    else
      let y := Swizzle.apply ⟨b, m.toNat, s⟩ x
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

/-- Byte addresses and the bytes that each lane accesses there. -/
def onAddresses (f : Nat → List Nat → Answer) (args : List Json) : Answer :=
  match args with
  | [.arr js, v] => do
    let addresses ← readValues js.toList
    let v ← readIndex v
    if !addresses.all (fun a => decide (0 ≤ a && a < limit)) then refuse "out_of_domain" "an address is out of range"
    else if !([1, 2, 4, 8, 16] : List Int).elem v then refuse "out_of_domain" "no lane accesses so many bytes"
    else if !addresses.all (fun a => decide (a + v ≤ limit)) then refuse "overflow" "an access reaches 2^64"
    else f v.toNat (addresses.map Int.toNat)
  | [_, _] => refuse "parse" "expected a list of addresses"
  | _ => arity "addresses and bytes"

/-- The wavefronts of each phase. -/
def bankAccessOp (v : Nat) (addresses : List Nat) : Answer := result (natsJson (Bank.access v addresses))

/-- What is touched in global memory. -/
def sectorsOp (v : Nat) (addresses : List Nat) : Answer :=
  result (Json.mkObj [("sectors", natJson (Bank.sectors v addresses)), ("lines", natJson (Bank.lines v addresses))])

/-- The operation on swizzles. -/
def swizzleOps : List Op := [{ name := "swizzle", run := swizzleNumberOp }]

/-- Accesses, which Rust counts too. -/
def accessOps : List Op := [
  { name := "bank_access", run := onAddresses bankAccessOp },
  { name := "sectors", run := onAddresses sectorsOp }]

/-- The other operations on banks. -/
def bankOps : List Op := [
  { name := "bank_conflicts", run := bankConflictsOp },
  { name := "optimal_swizzle", run := optimalSwizzleOp }]

end Oracle
