module

public import Razorgirl.Spec.Coord

@[expose] public section

/-!
# Tiles must be contiguous in shared memory

An instruction writes or reads one tile, without gaps and in its own order. So the allocation of the shared tensor
must hold every tile whole, in one run, and in that order; nvFuser does not check it, and what it generates
otherwise is «misaligned address or silent wrong result».

An allocation is a list of axes, outermost first as in nvFuser's figures, numbered row by row. On each axis, `share`
consecutive indices belong to one tile: 1 on an axis that only numbers tiles, all on an axis inside the tile, and
something between on one that the tile cuts. One step on the axis goes `step` items forward in the tile's own order.
A merged axis inside a tile is written as the axes that were merged, an axis that is not allocated (`blockIdx`) is
left out.
Source: nvFuser «Introduction to TMA Support», step 4, Figures 13 to 15.
-/

namespace Razorgirl

namespace Tma

/-- One axis of an allocation in shared memory. -/
structure Axis where
  /-- how many indices are allocated -/
  extent : Nat
  /-- how many of them, one after the other, belong to one tile -/
  share : Nat
  /-- how many items of the tile one step goes forward -/
  step : Nat
deriving DecidableEq, Repr

namespace Axis

/-- Extent and share are at least 1. -/
def Valid (a : Axis) : Prop := 0 < a.extent ∧ 0 < a.share

/-- The share, as far as it is allocated. -/
def part (a : Axis) : Nat := min a.share a.extent

/-- An axis that only numbers tiles. -/
def free (n : Nat) : Axis := ⟨n, 1, 0⟩

/-- An axis inside the tile. -/
def inside (n step : Nat) : Axis := ⟨n, n, step⟩

end Axis

/-- Every axis is valid. -/
def ValidAxes (A : List Axis) : Prop := ∀ a ∈ A, a.Valid

/-- How many items the allocation has. -/
def allocated (A : List Axis) : Nat := prod (A.map Axis.extent)

/-- The tile that item `p` of the allocation belongs to: its number on each axis. -/
def tileOf : (A : List Axis) → (p : Nat) → List Nat
  | [], _ => []
  | a :: A, p => p / allocated A / a.share :: tileOf A (p % allocated A)

/-- Which item of its tile item `p` of the allocation is. -/
def itemOf : (A : List Axis) → (p : Nat) → Nat
  | [], _ => 0
  | a :: A, p => p / allocated A % a.share * a.step + itemOf A (p % allocated A)

/-- Tiles of `tile` items are whole, in one run each, and in order: the items of every tile that occurs are a run
`b, …, b + tile - 1`, and item `b + k` of the allocation is item `k` of the tile. -/
def Contiguous (A : List Axis) (tile : Nat) : Prop :=
  ∀ p, p < allocated A → ∃ b, b + tile ≤ allocated A ∧
    (∀ q, q < allocated A → (tileOf A q = tileOf A p ↔ b ≤ q ∧ q < b + tile)) ∧
    ∀ k, k < tile → itemOf A (b + k) = k

/-- The number of items, if the axes lie inside one tile and run through it in order. -/
def compactTile : List Axis → Option Nat
  | [] => some 1
  | a :: A => (compactTile A).bind fun n =>
    if a.extent = 1 then some n else if a.part = a.extent ∧ a.step = n then some (a.extent * n) else none

/-- Decides `Contiguous`: axes that number tiles, then at most one that the tile cuts into equal parts, then axes
inside the tile, in order. Axes of extent 1 do not matter. -/
def isContiguous : (A : List Axis) → (tile : Nat) → Bool
  | [], tile => decide (tile = 1)
  | a :: A, tile =>
    if a.part = 1 then isContiguous A tile
    else decide (a.extent % a.part = 0) && compactTile A == some a.step && decide (tile = a.part * a.step)

/-! ## The source's fifteen verdicts -/

open Axis

-- 13a: an axis of 3 between the two axes of a 2 × 128 tile; 14a: before them
example : isContiguous [free 4, inside 2 128, free 3, inside 128 1] 256 = false := by decide +kernel
example : isContiguous [free 4, free 3, inside 2 128, inside 128 1] 256 = true := by decide +kernel
-- 13b: boxes of 4 × 6 in rows of 10, which are not whole boxes; 14b: the box is as wide as the row
example : isContiguous [inside 4 6, ⟨10, 6, 1⟩] 24 = false := by decide +kernel
example : isContiguous [inside 4 10, inside 10 1] 40 = true := by decide +kernel
-- 13c: 2 threads between the axes of a 4 × 128 tile; 14c: the tile is 1 × 128
example : isContiguous [free 4, inside 4 128, free 2, inside 128 1] 512 = false := by decide +kernel
example : isContiguous [free 16, inside 1 128, free 2, inside 128 1] 128 = true := by decide +kernel
-- 13d: boxes of 4 × 8 in 16 × 12; 14d: boxes of 4 × 12
example : isContiguous [⟨16, 4, 8⟩, ⟨12, 8, 1⟩] 32 = false := by decide +kernel
example : isContiguous [⟨16, 4, 12⟩, inside 12 1] 48 = true := by decide +kernel
-- 13e: two columns of boxes between the axes of a 4 × 6 tile; 14e: one column, a 4 × 16 tile
example : isContiguous [free 4, inside 4 6, free 2, inside 6 1] 24 = false := by decide +kernel
example : isContiguous [free 4, inside 4 16, free 1, inside 16 1] 64 = true := by decide +kernel
-- 15a: a 4 × 4 tile viewed as 8 × 2
example : isContiguous [free 4, free 3, inside 8 2, inside 2 1] 16 = true := by decide +kernel
-- 15b: 16 × 12 viewed as 96 × 2, tiles of 4 × 12
example : isContiguous [⟨96, 24, 2⟩, inside 2 1] 48 = true := by decide +kernel
-- 15c: the rows of a 4 × 4 tile split by 3, which makes holes; the merged axis 8 is 4 × 2
example : isContiguous [free 4, free 3, inside 4 4, inside 2 3, inside 3 1] 16 = false := by decide +kernel
-- 15d: the two halves of the split rows exchanged
example : isContiguous [free 4, free 3, inside 4 4, inside 2 1, inside 2 2] 16 = false := by decide +kernel
-- 15e: 15 × 12 viewed as 23 × 8, which is not a whole number of tiles of 4 × 12
example : isContiguous [⟨23, 6, 8⟩, inside 8 1] 48 = false := by decide +kernel

end Tma

end Razorgirl
