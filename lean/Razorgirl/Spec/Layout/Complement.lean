module

public import Razorgirl.Spec.Int.Ceil
public import Razorgirl.Spec.Layout.Coalesce
public import Razorgirl.Spec.Layout.Injective
public import Razorgirl.Spec.Layout.Sort

@[expose] public section

/-!
# Complement

The layout that completes A: side by side, A and its complement hit every address of a block exactly once
(«Categorical Foundations» 2.1.6, Villa Straylight part III, CuTe `complement`). It exists only if A's modes,
sorted by stride, divide one another in turn; CuTe does not check that and returns layouts that overlap or
leave gaps.
-/

namespace Razorgirl

namespace FlatLayout

/-- The modes of extent above 1, by stride. -/
def chain (A : FlatLayout) : FlatLayout := sort (squeeze A)

/-- The gaps below each mode of a sorted layout, from address block `cur` on: `d/cur` copies at distance `cur`.
`none` at a stride of 0, or at one that the block does not divide (an overlap or a gap). -/
def gaps (cur : Nat) : FlatLayout → Option FlatLayout
  | [] => some []
  | m :: A =>
    if 0 < m.stride ∧ m.stride % cur = 0 then
      (gaps (m.extent * m.stride) A).map fun G => ⟨m.stride / cur, cur⟩ :: G
    else none

/-- The block that a sorted layout and its gaps fill: extent × stride of the last mode, or `cur`. -/
def blockFrom (cur : Nat) : FlatLayout → Nat
  | [] => cur
  | m :: A => blockFrom (m.extent * m.stride) A

/-- The block that A and its complement fill without a cotarget. -/
def block (A : FlatLayout) : Nat := blockFrom 1 (chain A)

/-- The complement in A's own block. -/
def complement (A : FlatLayout) : Option FlatLayout := (gaps 1 (chain A)).map coalesce

/-- The complement in `[0,N)`: A's block must divide `N`. -/
def complementIn (A : FlatLayout) (N : Nat) : Option FlatLayout :=
  if 0 < N ∧ N % block A = 0 then (gaps 1 (chain A)).map fun G => coalesce (G ++ [⟨N / block A, block A⟩])
  else none

/-- The complement in the least multiple of A's block that is at least `N`. -/
def complementCeil (A : FlatLayout) (N : Nat) : Option FlatLayout :=
  complementIn A (block A * Division.ceilDiv N (block A))

/-- `B` completes `A` in `[0,N)`: side by side they hit every address exactly once. -/
def Completes (A B : FlatLayout) (N : Nat) : Prop := Contiguous (A ++ B) ∧ cosize (A ++ B) = N

/-! ## Chains of strides

Three conditions on modes in order, from a block of length `cur` on. They differ in what the next stride must be:
equal to extent × stride of the mode before (`Packed`), a multiple of that (`Divides`), a multiple of the stride before
alone (`DivideInTurn`, which lets modes overlap). Each implies the next, for extents and strides of at least 1. -/

/-- The first stride is `cur`, each next one extent × stride of the mode before: `columnMajor cur` of these extents. -/
def Packed (cur : Nat) : FlatLayout → Prop
  | [] => True
  | m :: L => m.stride = cur ∧ Packed (m.extent * cur) L

/-- Every stride is positive and a multiple of what lies below it: of `cur` for the first mode, of extent × stride of
the mode before for each other. -/
def Divides (cur : Nat) : FlatLayout → Prop
  | [] => True
  | m :: L => 0 < m.stride ∧ cur ∣ m.stride ∧ Divides (m.extent * m.stride) L

/-- Every stride is positive and a multiple of the one before, of `cur` for the first mode. -/
def DivideInTurn (cur : Nat) : FlatLayout → Prop
  | [] => True
  | m :: L => (0 < m.stride ∧ cur ∣ m.stride) ∧ DivideInTurn m.stride L

end FlatLayout

namespace Layout

/-- The complement in A's own block. CuTe `complement(A)`.
Rust: `razorgirl::Layout::complement` -/
def complement (A : Layout) : Option Layout := (FlatLayout.complement A.modes).map FlatLayout.nest

/-- The complement in `[0,N)`. CuTe `complement(A, N)`, which rounds N up instead of refusing.
Rust: `razorgirl::Layout::complement_in` -/
def complementIn (A : Layout) (N : Nat) : Option Layout := (FlatLayout.complementIn A.modes N).map FlatLayout.nest

/-- The complement with N rounded up to a multiple of A's block. CuTe's `complement(A, N)` rounds up as well, but also
answers where A's modes do not divide in turn, with layouts that overlap A or leave gaps.
Rust: `razorgirl::Layout::complement_ceil` -/
def complementCeil (A : Layout) (N : Nat) : Option Layout :=
  (FlatLayout.complementCeil A.modes N).map FlatLayout.nest

end Layout

end Razorgirl
