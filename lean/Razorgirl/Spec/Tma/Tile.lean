module

public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# Tiles in a layout of shared memory

`Spec/Tma/Smem.lean` looks at an allocation from its axes. Here shared memory is a layout as CuTe writes it, its first
mode the tile and all further modes the tiles: `((64,8),4):((1,64),512)`. An instruction writes `n` elements in one run,
so the tile must have `n` elements, the `x`-th at `x`; every tile must begin at a multiple of `n`; and no two tiles may
begin at the same place. What is at fault is said with its numbers.
Source: nvFuser «Introduction to TMA Support», step 4.
-/

namespace Razorgirl

namespace Tma
open FlatLayout

/-- Why a layout of shared memory does not fit the copies.
Rust: `razorgirl::tma::TileFault` -/
inductive TileFault where
  /-- the tile has so many elements, and not `n` -/
  | size (given : Nat)
  /-- the first element that does not lie where it is written, and where it lies -/
  | scattered (index offset : Nat)
  /-- where the first tile begins that begins at no multiple of `n` -/
  | straddles (offset : Nat)
  /-- where the first tile begins that begins where another one does -/
  | shared (offset : Nat)
deriving DecidableEq, Repr

/-- The first of `fuel` numbers, from `x` on, that has a property. -/
def firstFrom (p : Nat → Bool) : (fuel x : Nat) → Option Nat
  | 0, _ => none
  | fuel + 1, x => if p x then some x else firstFrom p fuel (x + 1)

/-- One of the tiles before tile `y` begins where tile `y` does. -/
def beginsTwice (tiles : FlatLayout) (y : Nat) : Bool :=
  match firstFrom (fun z => atIndex tiles z == atIndex tiles y) y 0 with
  | some _ => true
  | none => false

/-- What is at fault with a tile and tiles for copies of `n` elements; `none` if they fit.
Rust: `razorgirl::tma::tile_fault` -/
def tileFault (tile tiles : FlatLayout) (n : Nat) : Option TileFault :=
  if FlatLayout.size tile = n then
    match firstFrom (fun x => atIndex tile x != x) n 0 with
    | some x => some (.scattered x (atIndex tile x))
    | none =>
      match firstFrom (fun y => atIndex tiles y % n != 0) (FlatLayout.size tiles) 0 with
      | some y => some (.straddles (atIndex tiles y))
      | none =>
        match firstFrom (beginsTwice tiles) (FlatLayout.size tiles) 0 with
        | some y => some (.shared (atIndex tiles y))
        | none => none
  else some (.size (FlatLayout.size tile))

/-- The tile is one run of `n` elements in order, every tile begins at a multiple of `n`, and no two tiles at the same
place. -/
def TilesFit (tile tiles : FlatLayout) (n : Nat) : Prop :=
  FlatLayout.size tile = n ∧ (∀ x, x < n → atIndex tile x = x) ∧
    (∀ y, y < FlatLayout.size tiles → n ∣ atIndex tiles y) ∧
    ∀ y z, y < FlatLayout.size tiles → z < FlatLayout.size tiles → atIndex tiles y = atIndex tiles z → y = z

/-- 64 × 8 in four buffers. -/
example : tileFault [⟨8, 1⟩, ⟨4, 8⟩] [⟨6, 32⟩] 32 = none := by decide +kernel
/-- Tiles of 4 take no copy of 32. -/
example : tileFault [⟨4, 1⟩] [⟨8, 4⟩] 32 = some (.size 4) := by decide +kernel
/-- Rows of 8 in an array of width 10. -/
example : tileFault [⟨8, 1⟩, ⟨4, 10⟩] [⟨6, 40⟩] 32 = some (.scattered 8 10) := by decide +kernel
/-- Every second tile begins in the middle of another one; two tiles at 0. -/
example : tileFault [⟨4, 1⟩] [⟨2, 6⟩] 4 = some (.straddles 6) ∧ tileFault [⟨4, 1⟩] [⟨2, 0⟩] 4 = some (.shared 0) := by
  decide +kernel

end Tma

end Razorgirl
