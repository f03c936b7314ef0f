module

public import Razorgirl.Spec.Layout.Filter
public import Razorgirl.Spec.Layout.Ordered

@[expose] public section

/-!
# Compact layouts

Column-major, row-major, and compact with the order of another layout's strides. Each is a bijection onto
`[0,size)`, the last one apart from the modes that repeat. CuTe `make_layout`, `make_layout_like`.
-/

namespace Razorgirl

namespace FlatLayout

/-- Each extent with the product of `start` and the extents before it as its stride, and 0 where the extent is 1:
`compact 1 [4,1,2] = [4:1, 1:0, 2:4]`. CuTe `compact_major<LayoutLeft>(shape, start)`. -/
def compact (start : Nat) : (shape : List Nat) → FlatLayout
  | [] => []
  | s :: ss => ⟨s, if s = 1 then 0 else start⟩ :: compact (s * start) ss

/-- Each extent with the product of the extents behind it as its stride, and 0 where the extent is 1:
`compactRight [4,1,2] = [4:2, 1:0, 2:1]`. CuTe `compact_major<LayoutRight>(shape)`. -/
def compactRight : (shape : List Nat) → FlatLayout
  | [] => []
  | s :: ss => ⟨s, if s = 1 then 0 else prod ss⟩ :: compactRight ss

/-- The extents of one list of modes with the strides of another. -/
def withStrides : (extents strides : FlatLayout) → FlatLayout
  | m :: L, n :: M => ⟨m.extent, n.stride⟩ :: withStrides L M
  | _, _ => []

/-- The compact layout with the order of the strides of `L`, equal ones from left to right, and strides of 0 kept:
what repeats goes on repeating, what has gaps loses them. -/
def makeLayoutLike (L : FlatLayout) : FlatLayout := withStrides L (ordered (shape (filterZeros L)) (strides L))

end FlatLayout

namespace Layout

/-- The column-major layout of a shape: every index is its own offset. CuTe `make_layout(shape, LayoutLeft{})`. -/
def columnMajor (shape : IntTuple) : Layout := ⟨FlatLayout.compact 1 shape.flatten, shape.profile⟩

/-- The row-major layout of a shape. CuTe `make_layout(shape, LayoutRight{})`. -/
def rowMajor (shape : IntTuple) : Layout := ⟨FlatLayout.compactRight shape.flatten, shape.profile⟩

/-- The compact layout with the shape of `L` and the order of its strides, strides of 0 kept. CuTe
`make_layout_like(L)`, which gives equal strides to modes of equal strides, so that they collide. -/
def makeLayoutLike (L : Layout) : Layout := ⟨FlatLayout.makeLayoutLike L.modes, L.profile⟩

/-- `(8,2,8):(4,0,1)` keeps its stride of 0 and closes the gaps. -/
example : FlatLayout.makeLayoutLike [⟨8, 16⟩, ⟨2, 0⟩, ⟨8, 1⟩] = [⟨8, 8⟩, ⟨2, 0⟩, ⟨8, 1⟩] := by decide
/-- CuTe's example: `(2,3,4,5):(0,42,1,0)` becomes `(2,3,4,5):(0,4,1,0)`. -/
example : FlatLayout.makeLayoutLike [⟨2, 0⟩, ⟨3, 42⟩, ⟨4, 1⟩, ⟨5, 0⟩] = [⟨2, 0⟩, ⟨3, 4⟩, ⟨4, 1⟩, ⟨5, 0⟩] := by decide

end Layout

end Razorgirl
