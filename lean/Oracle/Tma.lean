module

public import Razorgirl.Spec.Tma.Fttc
public import Razorgirl.Spec.Tma.Swizzle
public import Razorgirl.Spec.Tma.Tile
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
def readDescriptor (sizes boxes steps : List Int) : Except OracleError Tma.Descriptor :=
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
    let D ← readDescriptor sizes boxes (← readValues steps.toList)
    let v := Tma.violations D
    result (Json.mkObj [("strong", .bool (v == [])), ("violations", .arr (v.map natJson).toArray)])
  | [_, _, _] => refuse "parse" "expected three lists of integers"
  | _ => arity "tensor sizes, box sizes and element strides"

/-- A fault by its name and numbers, as Rust writes it. -/
def faultJson (n : Nat) (f : Option Tma.TileFault) : Json :=
  match f with
  | none => .null
  | some (.size k) => Json.mkObj [("fault", .str "size"), ("given", natJson k), ("tile", natJson n)]
  | some (.scattered x o) => Json.mkObj [("fault", .str "scattered"), ("index", natJson x), ("offset", natJson o)]
  | some (.straddles o) => Json.mkObj [("fault", .str "straddles"), ("offset", natJson o), ("tile", natJson n)]
  | some (.shared o) => Json.mkObj [("fault", .str "shared"), ("offset", natJson o)]

/-- What is at fault with the layout of a tile and that of the tiles, for copies of so many elements. -/
def tileFaultOp (args : List Json) : Answer :=
  match args with
  | [tile, tiles, n] => do
    let tile ← readLayout tile
    let tiles ← readLayout tiles
    let n ← readCount n
    if tile.size ≤ 4096 && tiles.size ≤ 4096 then
      result (faultJson n (Tma.tileFault tile.modes tiles.modes n))
    else refuse "too_large" "more than 4096 elements or tiles"
  | _ => arity "the layout of a tile, the layout of the tiles, and how many elements a copy has"

/-- The swizzle of rows of so many bytes. -/
def readMode (j : Json) : Except OracleError Tma.SwizzleMode := do
  let bytes ← readIndex j
  if bytes == 16 then return .plain
  else if bytes == 32 then return .bytes32
  else if bytes == 64 then return .bytes64
  else if bytes == 128 then return .bytes128
  else refuse "out_of_domain" "there is no such swizzle" ["use 16, 32, 64 or 128"]

/-- Where a byte of a tile lies when it is swizzled. -/
def swizzleOp (args : List Json) : Answer :=
  match args with
  | [bytes, address] => do
    let m ← readMode bytes
    let a ← readIndex address
    if a < 0 then refuse "out_of_domain" "an address is below 0"
    else if a.toNat < limit then result (natJson (Tma.swizzleAddress m a.toNat))
    else refuse "out_of_domain" "an address is 2^64 or more"
  | _ => arity "the bytes of a row and an address"

/-- The operations, by name. -/
def tmaOps : List Op := [
  { name := "fttc", run := fttcOp },
  { name := "tma_swizzle", run := swizzleOp },
  { name := "tma_tile_fault", run := tileFaultOp }]

end Oracle
