module

public import Razorgirl.Spec.Layout.Composition
public import Razorgirl.Spec.Layout.Find
public import Razorgirl.Spec.Layout.Recast
public import Razorgirl.Spec.Layout.Slice
public import Razorgirl.Spec.Most
public import Razorgirl.Spec.Swizzle

@[expose] public section

/-!
# Swizzle after offset after layout

CuTe's composed layout: `c ↦ swizzle(offset + L(c))`. Slicing and composing on the right act inside: they change the
offset and the layout, and leave the swizzle. What may not be done in general is to move the offset out:
`swizzle(p + x)` is `p + swizzle(x)` for all x only where the period of the swizzle divides p.

Some swizzled layouts are plain: a constant plus a layout, whose strides may be negative. That is decided here by
looking for a layout with the offsets, less the first; and for layouts of powers of two without carries by the columns.
Source: CuTe `ComposedLayout`, `composition`, `slice_and_offset` (`swizzle_layout.hpp`).
-/

namespace Razorgirl

/-- Units of `2^k`, aligned, go to whole units: M is at least k, or bits move down, or none leaves a unit.
Rust: `razorgirl::Swizzle::keeps_units` -/
def Swizzle.keepsUnits (s : Swizzle) (k : Nat) : Bool :=
  decide (s.bits = 0 ∨ k ≤ s.base ∨ 0 < s.shift ∨ s.shift < 0 ∧ s.base + s.bits + s.shift.natAbs ≤ k)

/-- A swizzled layout.
Rust: `razorgirl::SwizzledLayout` -/
structure SwizzledLayout where
  /-- what is done to the sum -/
  swizzle : Swizzle
  /-- what is added before the swizzle -/
  offset : Nat
  /-- the layout inside -/
  layout : Layout

namespace SwizzledLayout

/-- The offset of a linear index.
Rust: `razorgirl::SwizzledLayout::at` -/
def atIndex (R : SwizzledLayout) (x : Nat) : Nat :=
  R.swizzle.apply (R.offset + FlatLayout.atIndex R.layout.modes x)

/-- The offset of a coordinate of any coarser shape. `none` outside the shape.
Rust: `razorgirl::SwizzledLayout::offset_of` -/
def call (R : SwizzledLayout) (c : Coord) : Option Nat :=
  (R.layout.call c).map fun x => R.swizzle.apply (R.offset + x)

/-- How many coordinates.
Rust: `razorgirl::SwizzledLayout::size` -/
def size (R : SwizzledLayout) : Nat := R.layout.size

/-- All offsets in linear order.
Rust: `razorgirl::SwizzledLayout::offsets` -/
def offsets (R : SwizzledLayout) : List Nat := (List.range R.size).map R.atIndex

/-- `R` after `B`: the layouts are composed inside.
Rust: `razorgirl::SwizzledLayout::composition` -/
def composition (R : SwizzledLayout) (B : Layout) : Option SwizzledLayout :=
  (R.layout.composition B).map fun L => ⟨R.swizzle, R.offset, L⟩

/-- The modes under a `_`; what the integers select is added to the offset inside.
Rust: `razorgirl::SwizzledLayout::slice` -/
def slice (c : Coord) (R : SwizzledLayout) : Option SwizzledLayout :=
  (R.layout.sliceAndOffset c).map fun S => ⟨R.swizzle, R.offset + S.2, S.1⟩

/-- Modes with `K` times the linear index subtracted from their strides; `p` is how much a step of the first mode counts. -/
def lessLinear (K : Nat) : (p : Nat) → FlatLayout → List (Nat × Int)
  | _, [] => []
  | p, m :: L => (m.extent, (m.stride : Int) - (K * p : Nat)) :: lessLinear K (p * m.extent) L

/-- The layout with strides of any sign that has the offsets `f x - f 0`, if there is one. A multiple of the linear index
larger than every difference is added, so that a layout without negative strides is looked for. -/
def findSigned (f : Nat → Nat) (n : Nat) : Option (List (Nat × Int)) :=
  let K := f 0 + most f n
  (findLayout (fun x => f x + K * x - f 0) n).map (lessLinear K 1)

/-- The first offset and the layout of the differences, where the swizzled layout is plain.
Rust: `razorgirl::SwizzledLayout::plain` -/
def plain? (R : SwizzledLayout) : Option (Nat × List (Nat × Int)) :=
  (findSigned R.atIndex R.size).map fun L => (R.atIndex 0, L)

/-- The columns of a layout of powers of two: a stride for each bit of the linear index, lowest first; `none` where an
extent is no power of two. -/
def bitColumns : FlatLayout → Option (List Nat)
  | [] => some []
  | m :: L =>
    if m.extent = 2 ^ m.extent.log2 then
      (bitColumns L).map fun cs => (List.range m.extent.log2).map (fun j => m.stride * 2 ^ j) ++ cs
    else none

/-- No two of these have a bit in common. -/
def disjoint : List Nat → Bool
  | [] => true
  | c :: cs => cs.all (fun d => c &&& d == 0) && disjoint cs

/-- How much the swizzled offset changes where column `c` is added to `o`. -/
def step (s : Swizzle) (o c : Nat) : Int := (s.apply (o + c) : Int) - s.apply o

/-- The same by columns, for a layout of powers of two whose columns have no bit in common with each other or with the
offset: plain exactly where the swizzled columns have none in common, with one mode of extent 2 for each bit. -/
def plainColumns (R : SwizzledLayout) (cols : List Nat) : Option (Nat × List (Nat × Int)) :=
  if disjoint (cols.map R.swizzle.apply) then
    some (R.swizzle.apply R.offset, cols.map fun c => (2, step R.swizzle R.offset c))
  else none

/-- Every offset is the offset before the swizzle plus what there is without it: the offset may be moved through.
Rust: `razorgirl::SwizzledLayout::offset_moves` -/
def offsetMoves (R : SwizzledLayout) : Bool :=
  (List.range R.size).all fun x => R.atIndex x == R.offset + R.swizzle.apply (FlatLayout.atIndex R.layout.modes x)

/-- Each element as `2^k` parts.
Rust: `razorgirl::SwizzledLayout::downcast` -/
def downcast (R : SwizzledLayout) (k : Nat) : Option SwizzledLayout :=
  (R.layout.downcast (2 ^ k)).map fun L => ⟨R.swizzle.downcast k, 2 ^ k * R.offset, L⟩

/-- `2^k` neighbouring elements as one, where the layout and the swizzle leave these whole.
Rust: `razorgirl::SwizzledLayout::upcast` -/
def upcast (R : SwizzledLayout) (k : Nat) : Option SwizzledLayout :=
  if R.offset % 2 ^ k = 0 ∧ R.swizzle.keepsUnits k = true then
    (R.layout.upcast (2 ^ k)).map fun L => ⟨R.swizzle.upcastOuter k, R.offset / 2 ^ k, L⟩
  else none

/-- Elements of size `old` read as elements of size `new`, of which one is a power of two times the other.
Rust: `razorgirl::SwizzledLayout::recast` -/
def recast (old new : Nat) (R : SwizzledLayout) : Option SwizzledLayout :=
  if 0 < old ∧ new = old * 2 ^ (new / old).log2 then R.upcast (new / old).log2
  else if 0 < new ∧ old = new * 2 ^ (old / new).log2 then R.downcast (old / new).log2
  else none

/-- All bits that a number of at most `n` can have. -/
def reach (n : Nat) : Nat := if n = 0 then 0 else 2 ^ (n.log2 + 1) - 1

/-- Enough for `p` to move through the swizzle of numbers up to `n`: p has no bit that the swizzle reads or changes, and
none that the numbers have. -/
def mayMove (s : Swizzle) (p n : Nat) : Bool := p &&& (s.source ||| s.target ||| reach n) == 0

-- 8 x 8 of 16-byte units, swizzled: row 3 is 3 2 1 0 7 6 5 4, which is no 8:1 but a layout with negative strides
example : offsets ⟨⟨3, 0, 3⟩, 24, ⟨[⟨8, 1⟩], .leaf ()⟩⟩ = [27, 26, 25, 24, 31, 30, 29, 28] := by decide +kernel
example : plain? ⟨⟨3, 0, 3⟩, 24, ⟨[⟨8, 1⟩], .leaf ()⟩⟩ = some (27, [(4, -1), (2, 4)]) := by decide +kernel
example : plainColumns ⟨⟨3, 0, 3⟩, 24, ⟨[⟨8, 1⟩], .leaf ()⟩⟩ [1, 2, 4] = some (27, [(2, -1), (2, -2), (2, 4)]) := by
  decide +kernel
-- a column of it: plain; rows and columns together: not
example : plain? ⟨⟨3, 0, 3⟩, 0, ⟨[⟨8, 8⟩], .leaf ()⟩⟩ = some (0, [(8, 9)]) := by decide +kernel
example : plain? ⟨⟨3, 0, 3⟩, 0, ⟨[⟨8, 1⟩, ⟨8, 8⟩], .leaf ()⟩⟩ = none := by decide +kernel
-- 64 halves a row: the second half of a row is not the first one moved by 32, where rows 4 to 7 are swizzled
example : offsetMoves ⟨⟨3, 3, 3⟩, 32, ⟨[⟨8, 64⟩], .leaf ()⟩⟩ = false ∧
    offsetMoves ⟨⟨3, 3, 3⟩, 512, ⟨[⟨8, 64⟩], .leaf ()⟩⟩ = true := by decide +kernel
example : mayMove ⟨3, 4, 3⟩ 1024 1023 = true ∧ mayMove ⟨3, 4, 3⟩ 128 15 = false := by decide +kernel

end SwizzledLayout

end Razorgirl
