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

/-- The layout of a shape whose first stride is `d` and each next stride the product of the extent and the stride
before it: `columnMajor 1 [4,2,8] = (4,2,8):(1,4,8)`. The strides are the running products of the shape
(`strides_columnMajor`). -/
def columnMajor : (d : Nat) → (shape : List Nat) → FlatLayout
  | _, [] => []
  | d, s :: ss => ⟨s, d⟩ :: columnMajor (s * d) ss

/-- The layout of a shape whose strides are the products of the extents behind:
`rowMajor [4,2,8] = (4,2,8):(16,8,1)`. -/
def rowMajor : (shape : List Nat) → FlatLayout
  | [] => []
  | s :: ss => ⟨s, prod ss⟩ :: rowMajor ss

/-- The extents of one list of modes with the strides of another. -/
def withStrides : (extents strides : FlatLayout) → FlatLayout
  | m :: L, n :: M => ⟨m.extent, n.stride⟩ :: withStrides L M
  | _, _ => []

/-- The compact layout with the order of the strides of `L`, equal ones from left to right, and strides of 0 kept:
what repeats goes on repeating, what has gaps loses them. -/
def makeLayoutLike (L : FlatLayout) : FlatLayout := withStrides L (ordered (shape (filterZeros L)) (strides L))

end FlatLayout

namespace Layout

/-- The column-major layout of a shape: every index is its own offset. Modes of extent 1 have stride 0. CuTe
`make_layout(shape, LayoutLeft{})`.
Rust: `razorgirl::Layout::column_major` -/
def columnMajor (shape : IntTuple) : Layout :=
  ⟨FlatLayout.normalize (FlatLayout.columnMajor 1 shape.flatten), shape.profile⟩

/-- The row-major layout of a shape. Modes of extent 1 have stride 0. CuTe `make_layout(shape, LayoutRight{})`.
Rust: `razorgirl::Layout::row_major` -/
def rowMajor (shape : IntTuple) : Layout :=
  ⟨FlatLayout.normalize (FlatLayout.rowMajor shape.flatten), shape.profile⟩

/-- The compact layout with the shape of `L` and the order of its strides, strides of 0 kept. CuTe
`make_layout_like(L)`, which gives equal strides to modes of equal strides, so that they collide.
Rust: `razorgirl::Layout::make_layout_like` -/
def makeLayoutLike (L : Layout) : Layout := ⟨FlatLayout.makeLayoutLike L.modes, L.profile⟩

/-- `(8,2,8):(4,0,1)` keeps its stride of 0 and closes the gaps. -/
example : FlatLayout.makeLayoutLike [⟨8, 16⟩, ⟨2, 0⟩, ⟨8, 1⟩] = [⟨8, 8⟩, ⟨2, 0⟩, ⟨8, 1⟩] := by decide
/-- CuTe's example: `(2,3,4,5):(0,42,1,0)` becomes `(2,3,4,5):(0,4,1,0)`. -/
example : FlatLayout.makeLayoutLike [⟨2, 0⟩, ⟨3, 42⟩, ⟨4, 1⟩, ⟨5, 0⟩] = [⟨2, 0⟩, ⟨3, 4⟩, ⟨4, 1⟩, ⟨5, 0⟩] := by decide

end Layout

end Razorgirl
