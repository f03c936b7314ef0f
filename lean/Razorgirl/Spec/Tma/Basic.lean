module

public import Razorgirl.Spec.Int.Ceil
public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# What one TMA instruction does

The tensor memory accelerator copies a *tile* between global and shared memory. A descriptor fixes, for each
dimension, the size `S` of the tensor, the size `B` of the *box*, and the *element stride* `e`: of the box only
every `e`-th element is taken, so the tile has `⌈B/e⌉` of them. An instruction adds a start coordinate `x`,
which may be negative. Dimensions are listed innermost first, as the hardware numbers them, and the tile lies in
shared memory without gaps, innermost dimension fastest.

The hardware tests every element by itself: `0 ≤ x + k·e < S` in every dimension. A load puts 0 where the test
fails, a store writes nothing there. nvFuser's text prints the upper bound only; with it a start of `-B`, which
its own strategy uses to fill a tile with zeros, would read in front of the tensor.

Not modelled: im2col, gather, interleaving, fill values other than 0. Elements are integers; all that matters
is that there is a 0 and something else.
Source: nvFuser «TMA Modeling In Depth», «Introduction to TMA Support».
-/

namespace Razorgirl

namespace Tma

/-- One dimension of a descriptor.
Rust: `razorgirl::tma::Dimension` -/
structure Dim where
  /-- elements of the tensor -/
  size : Nat
  /-- elements that one instruction spans -/
  box : Nat
  /-- of these, every how manyth is taken -/
  elementStride : Nat
  /-- from one element of the tensor to the next, in elements of global memory -/
  stride : Nat
deriving DecidableEq, Repr

/-- Sizes, boxes and element strides are at least 1. -/
def Dim.Valid (d : Dim) : Prop := 0 < d.size ∧ 0 < d.box ∧ 0 < d.elementStride

/-- How many elements of the box the tile has. -/
def Dim.tile (d : Dim) : Nat := Division.ceilDiv d.box d.elementStride

/-- A descriptor: its dimensions, innermost first.
Rust: `razorgirl::tma::Descriptor` -/
abbrev Descriptor := List Dim

/-- Every dimension is valid. -/
def Valid : Descriptor → Prop
  | [] => True
  | d :: D => d.Valid ∧ Valid D

/-- Global or shared memory: what each element holds. -/
abbrev Memory := Nat → Int

/-- The shape of the tensor. -/
def sizes (D : Descriptor) : List Nat := D.map Dim.size

/-- The tensor in global memory. -/
def tensor (D : Descriptor) : FlatLayout := D.map fun d => ⟨d.size, d.stride⟩

/-- The shape of the tile.
Rust: `razorgirl::tma::Descriptor::tile` -/
def tileShape (D : Descriptor) : List Nat := D.map Dim.tile

/-- Where element `k` of the tile that starts at `x` lies in the tensor: `x + k·e` in every dimension. -/
def position : Descriptor → (x : List Int) → (k : List Nat) → List Int
  | d :: D, x :: xs, k :: ks => (x + k * d.elementStride) :: position D xs ks
  | _, _, _ => []

/-- The hardware's test: `0 ≤ g < S` in every dimension. -/
def within : Descriptor → (g : List Int) → Bool
  | [], [] => true
  | d :: D, g :: gs => decide (0 ≤ g) && decide (g < d.size) && within D gs
  | _, _ => false

/-- The address of a position that is within the tensor. -/
def address (D : Descriptor) (g : List Int) : Nat := FlatLayout.eval (tensor D) (g.map Int.toNat)

/-! ## Load -/

/-- What a load puts into element `k` of the tile. -/
def loadItem (D : Descriptor) (mem : Memory) (x : List Int) (k : List Nat) : Int :=
  if within D (position D x k) then mem (address D (position D x k)) else 0

/-- A load: the tile in shared memory, element by element. -/
def load (D : Descriptor) (mem : Memory) (x : List Int) : List Int := (coords (tileShape D)).map (loadItem D mem x)

/-- The start coordinate that makes a tile of zeros: `-B` in every dimension. -/
def fillStart (D : Descriptor) : List Int := D.map fun d => -(d.box : Int)

/-! ## Store -/

/-- Memory after one write. -/
def write (mem : Memory) (o : Nat) (v : Int) : Memory := fun p => if p = o then v else mem p

/-- Memory after some elements of a tile have been stored. -/
def storeItems (D : Descriptor) (x : List Int) : (ks : List (List Nat)) → (tile : List Int) → Memory → Memory
  | k :: ks, v :: vs, mem =>
    storeItems D x ks vs (if within D (position D x k) then write mem (address D (position D x k)) v else mem)
  | _, _, mem => mem

/-- A store: global memory after the tile has been written. (Two elements at one address need a tensor that
overlaps itself; then the hardware does not say which is last.) -/
def store (D : Descriptor) (mem : Memory) (x : List Int) (tile : List Int) : Memory :=
  storeItems D x (coords (tileShape D)) tile mem

/-! ## Examples

Every element of the tensor holds its address. -/

/-- nvFuser Figure 1, left: a 12 × 16 tensor with pitch 14, boxes 8 × 4. -/
def figure1 : Descriptor := [⟨12, 8, 1, 1⟩, ⟨16, 4, 1, 14⟩]

-- the box at (8,4) sticks out of the tensor by four columns
example : load figure1 (fun a => a) [8, 4] =
    [64, 65, 66, 67, 0, 0, 0, 0,   78, 79, 80, 81, 0, 0, 0, 0,
     92, 93, 94, 95, 0, 0, 0, 0,   106, 107, 108, 109, 0, 0, 0, 0] := by decide +kernel

-- the same box with element stride 3 in the second dimension: rows 4 and 7
example : load [⟨12, 8, 1, 1⟩, ⟨16, 4, 3, 14⟩] (fun a => a) [8, 4] =
    [64, 65, 66, 67, 0, 0, 0, 0,   106, 107, 108, 109, 0, 0, 0, 0] := by decide +kernel

/-- nvFuser Figure 2: twelve elements, boxes of 2. -/
def figure2 : Descriptor := [⟨12, 2, 1, 1⟩]

/-- Its twelve tiles: six boxes in three pairs, and each pair over-split by 4, so that two tiles of four are
holes: box number 2·i4 + i7 for i4 < 3 and i7 < 4. -/
def figure2Starts : List (List Int) := [[0], [2], [4], [6], [4], [6], [8], [10], [8], [10], [12], [14]]

-- the last four of each eight are holes; those of the first two eights lie inside the tensor and are not 0
example : figure2Starts.flatMap (load figure2 fun a => a) =
    [0, 1, 2, 3, 4, 5, 6, 7,   4, 5, 6, 7, 8, 9, 10, 11,   8, 9, 10, 11, 0, 0, 0, 0] := by decide +kernel

-- what nvFuser does about it: `if (0 <= i7 && i7 < 2) tma(x) else tma(-2)`
example : ([[0], [2], [-2], [-2], [4], [6], [-2], [-2], [8], [10], [-2], [-2]] : List (List Int)).flatMap
    (load figure2 fun a => a) =
    [0, 1, 2, 3, 0, 0, 0, 0,   4, 5, 6, 7, 0, 0, 0, 0,   8, 9, 10, 11, 0, 0, 0, 0] := by decide +kernel

/-- The same schedule as a store: each of the tiles in turn, where the holes of shared memory hold 99. -/
def figure2Stored (tiles : List (List Int × List Int)) : List Int :=
  (List.range 12).map (tiles.foldl (fun mem t => store figure2 mem t.1 t.2) (fun _ => 0))

/-- The tiles of shared memory, valid data and holes. -/
def figure2Tiles : List (List Int × List Int) := figure2Starts.zip
  [[0, 1], [2, 3], [99, 99], [99, 99], [4, 5], [6, 7], [99, 99], [99, 99], [8, 9], [10, 11], [99, 99], [99, 99]]

-- Theorem 1 of the source («weak correctness regardless of how we schedule») is false of stores: holes are
-- written over valid data. In the order of the loop they are overwritten in turn, in the reverse order they stay
example : figure2Stored figure2Tiles = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] := by decide +kernel
example : figure2Stored figure2Tiles.reverse = [0, 1, 2, 3, 99, 99, 99, 99, 99, 99, 99, 99] := by decide +kernel

/-- nvFuser Figures 5 and 6: an 8 × 2 tensor, boxes of 4 rows, of which every third is taken. -/
def figure5 : Descriptor := [⟨2, 2, 1, 1⟩, ⟨8, 4, 3, 2⟩]

-- two boxes of three tiles; the second halves of the second and third tile are holes, and not 0
example : ([[0, 0], [0, 1], [0, 2], [0, 4], [0, 5], [0, 6]] : List (List Int)).map (load figure5 fun a => a) =
    [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11], [8, 9, 14, 15], [10, 11, 0, 0], [12, 13, 0, 0]] := by decide +kernel

-- a start of -B gives zeros; with the upper bound alone it would not
example : load figure5 (fun _ => 7) (fillStart figure5) = [0, 0, 0, 0] := by decide +kernel

end Tma

end Razorgirl
