module

public import Razorgirl.Spec.LinearLayout.Encoding
public import Razorgirl.Spec.Swizzle.Layout

@[expose] public section

/-!
# Layouts and linear layouts: carries

A layout whose extents are powers of two adds strides; a linear layout takes their exclusive or. The two agree exactly
where no addition carries: where the *columns*, the multiples of strides by powers of two, have no bit in common.
Then the layout is linear with these columns. Conversely columns without common bits are a layout of one mode of extent 2
for each. Columns that overlap may still be a swizzle after such a layout: that is found by search.
Source: `linear_isl` (F2 and CuTe); Triton `SwizzledSharedEncodingAttr`.
-/

namespace Razorgirl

namespace LinearLayout

open SwizzledLayout

/-- The columns of the linear layout that a layout is, lowest bit of the linear index first; `none` where an extent is
no power of two or strides carry.
Rust: `razorgirl::linear_layout::columns_of_layout` -/
def columnsOfLayout (L : FlatLayout) : Option (List Nat) :=
  match bitColumns L with
  | some cs => if disjoint cs then some cs else none
  | none => none

/-- The layout that a linear layout is, one mode of extent 2 for each column, coalesced; `none` where columns have
common bits.
Rust: `razorgirl::linear_layout::layout_of_columns` -/
def layoutOfColumns (cols : List Nat) : Option FlatLayout :=
  if disjoint cols then some (FlatLayout.coalesce (cols.map fun c => ⟨2, c⟩)) else none

/-- The identity, then each `Swizzle<B,M,S>` of numbers of `n` bits: B and |S| at least 1, and B + M + |S| ≤ n. Shift 0
clears bits: what it makes of disjoint columns is disjoint, so the identity does as well. -/
def swizzles (n : Nat) : List Swizzle :=
  ⟨0, 0, 0⟩ :: (List.range n).flatMap fun b => (List.range (n - b - 1)).flatMap fun m =>
    (List.range (n - b - 1 - m)).flatMap fun s =>
      [⟨b + 1, m, (s + 1 : Nat)⟩, ⟨b + 1, m, -((s + 1 : Nat) : Int)⟩]

/-- The columns before a swizzle. -/
def undone (s : Swizzle) (cols : List Nat) : List Nat := cols.map s.undo

/-- The first of `swizzles n` that leaves disjoint columns when it is undone, and these columns: the linear layout is then
that swizzle after their layout. -/
def swizzleOf (n : Nat) (cols : List Nat) : Option (Swizzle × List Nat) :=
  ((swizzles n).find? fun s => disjoint (undone s cols)).map fun s => (s, undone s cols)

/-- How many bits the largest of these has; 1 where all are 0. -/
def width (cols : List Nat) : Nat := (cols.foldl (· ||| ·) 0).log2 + 1

/-- The swizzle after a layout that a linear layout is: the first of `swizzles` that will do, and the coalesced layout behind
it. `none` where there is none.
Rust: `razorgirl::linear_layout::swizzled_of_columns` -/
def swizzledOfColumns (cols : List Nat) : Option SwizzledLayout :=
  (swizzleOf (width cols) cols).map fun f => ⟨f.1, 0, (FlatLayout.coalesce (f.2.map fun c => ⟨2, c⟩)).nest⟩

/-- The swizzle that Triton's swizzled shared memory is, of powers of two given by their exponents: on row-major offsets. -/
def swizzleOfShared (vec perPhase maxPhase cols : Nat) : Swizzle :=
  ⟨min maxPhase (cols - vec), vec, ((cols + perPhase : Nat) : Int) - vec⟩

/-- Where Triton's swizzled shared memory puts an element: its offset in row-major order, with the column exclusive-ored
by `vec * (row / perPhase mod maxPhase)` modulo the columns. All sizes by their exponents. -/
def sharedOffset (vec perPhase maxPhase cols row col : Nat) : Nat :=
  2 ^ cols * row + (col ^^^ 2 ^ vec * (row / 2 ^ perPhase % 2 ^ maxPhase) % 2 ^ cols)

example : columnsOfLayout [⟨4, 2⟩, ⟨2, 1⟩] = some [2, 4, 1] ∧ columnsOfLayout [⟨4, 3⟩] = none := by decide +kernel
example : layoutOfColumns [2, 4, 1] = some [⟨4, 2⟩, ⟨2, 1⟩] := by decide +kernel
example : swizzleOf 4 [1, 2, 5, 10] = some (⟨2, 0, 2⟩, [1, 2, 4, 8]) := by decide +kernel
-- three columns of which any two have the exclusive or of one bit: no swizzle takes that apart
example : swizzledOfColumns [3, 5, 6] = none ∧ (swizzledOfColumns [3, 1]).map (·.swizzle) = some ⟨1, 0, 1⟩ := by
  decide +kernel
-- 8 columns, vec 2, perPhase 1, maxPhase 4: row 3 is exclusive-ored by 6
example : sharedOffset 1 0 2 3 3 1 = 24 + 7 ∧ (swizzleOfShared 1 0 2 3).apply 25 = 31 := by decide +kernel

end LinearLayout

end Razorgirl
