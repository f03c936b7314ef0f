module

public import Razorgirl.Spec.Coord

@[expose] public section

/-!
# Layouts

A layout is a shape and a congruent stride. It maps a bounded coordinate to an offset: the dot product of
coordinate and strides (Villa Straylight part I; «Categorical Foundations» 2.1.2). Linear indices are an
interface on top: index → coordinate (`idx2crd`) → offset.

A layout is kept as its flat list of modes together with its profile. Extents are at least 1 and strides may
be 0; the stride of a mode of extent 1 never matters, and `normalize` sets it to 0.
-/

namespace Razorgirl

/-- One mode `extent:stride`.
Rust: `razorgirl::Mode` -/
structure Mode where
  /-- how many coordinates, at least 1 in a valid layout -/
  extent : Nat
  /-- what one step adds to the offset -/
  stride : Nat
deriving DecidableEq, Repr, Inhabited

/-- A layout without nesting. -/
abbrev FlatLayout := List Mode

namespace FlatLayout

/-- The extents. -/
def shape (L : FlatLayout) : List Nat := L.map Mode.extent

/-- The strides. -/
def strides (L : FlatLayout) : List Nat := L.map Mode.stride

/-- Every extent is at least 1. -/
def Valid : FlatLayout → Prop
  | [] => True
  | m :: L => 0 < m.extent ∧ Valid L

/-- The number of coordinates: the product of the extents. CuTe `size`. -/
def size (L : FlatLayout) : Nat := prod (shape L)

/-- The meaning of a layout: the offset of a bounded coordinate, the dot product with the strides.
Rust: `razorgirl::Layout::at_flat` -/
def eval : (L : FlatLayout) → (coord : List Nat) → Nat
  | m :: L, c :: cs => c * m.stride + eval L cs
  | _, _ => 0

/-- The offset of a linear index, through its coordinate. CuTe `L(i)`.
Rust: `razorgirl::Layout::at` -/
def atIndex (L : FlatLayout) (x : Nat) : Nat := eval L (idx2crd (shape L) x)

/-- All offsets in linear order: what the layout is as a function on `[0,size)`.
Rust: `razorgirl::Layout::offsets` -/
def offsets (L : FlatLayout) : List Nat := (List.range (size L)).map (atIndex L)

/-- The largest number of a list, 0 of the empty one. -/
def maximum : List Nat → Nat
  | [] => 0
  | x :: xs => max x (maximum xs)

/-- How far the layout reaches: 1 + the maximum of the offsets over the whole coordinate space
(Villa Straylight I.2). CuTe `cosize`. -/
def cosize (L : FlatLayout) : Nat := 1 + maximum ((coords (shape L)).map (eval L))

/-- The closed form `1 + Σ (sᵢ-1)·dᵢ`, proved equal to `cosize` of every valid layout. -/
def cosizeFormula : FlatLayout → Nat
  | [] => 1
  | m :: L => (m.extent - 1) * m.stride + cosizeFormula L

/-- The last coordinate of a shape. -/
def lastCoord (L : FlatLayout) : List Nat := (shape L).map (· - 1)

/-- Sets the stride of every mode of extent 1 to 0. -/
def normalize : FlatLayout → FlatLayout
  | [] => []
  | m :: L => (if m.extent = 1 then ⟨1, 0⟩ else m) :: normalize L

/-- Drops the modes of extent 1 («Categorical Foundations» 2.1.3 `squeeze`). -/
def squeeze : FlatLayout → FlatLayout
  | [] => []
  | m :: L => if m.extent = 1 then squeeze L else m :: squeeze L

/-- A coordinate without its entries over extents of 1. -/
def squeezeCoord : (shape coord : List Nat) → List Nat
  | s :: ss, c :: cs => if s = 1 then squeezeCoord ss cs else c :: squeezeCoord ss cs
  | _, _ => []

example : lastCoord [⟨4, 2⟩, ⟨2, 1⟩] = [3, 1] ∧ squeezeCoord [4, 1, 2] [3, 0, 1] = [3, 1] := by decide

end FlatLayout

/-- A layout: its modes from left to right, and how they are nested.
Rust: `razorgirl::Layout` -/
structure Layout where
  /-- the flat modes -/
  modes : FlatLayout
  /-- the nesting; as many leaves as there are modes -/
  profile : Profile
deriving Inhabited

namespace Layout
open HTuple

/-- As many leaves as modes, and every extent at least 1. -/
def Valid (L : Layout) : Prop := L.profile.length = L.modes.length ∧ FlatLayout.Valid L.modes

/-- The nested view: a tree with a mode at each leaf. -/
def tree (L : Layout) : HTuple Mode := unflatten ⟨1, 0⟩ L.profile L.modes

/-- The layout of a tree of modes. -/
def ofTree (t : HTuple Mode) : Layout := ⟨t.flatten, t.profile⟩

/-- The nested extents. CuTe `shape(L)`.
Rust: `razorgirl::Layout::shape` -/
def shape (L : Layout) : IntTuple := L.tree.map Mode.extent

/-- The nested strides. CuTe `stride(L)`.
Rust: `razorgirl::Layout::stride` -/
def stride (L : Layout) : IntTuple := L.tree.map Mode.stride

/-- The number of coordinates. CuTe `size(L)`.
Rust: `razorgirl::Layout::size` -/
def size (L : Layout) : Nat := FlatLayout.size L.modes

/-- 1 + the largest offset. CuTe `cosize(L)`.
Rust: `razorgirl::Layout::cosize` -/
def cosize (L : Layout) : Nat := FlatLayout.cosize L.modes

/-- The number of top-level modes. CuTe `rank(L)`.
Rust: `razorgirl::Layout::rank` -/
def rank (L : Layout) : Nat := L.profile.rank

/-- The depth of the nesting. CuTe `depth(L)`.
Rust: `razorgirl::Layout::depth` -/
def depth (L : Layout) : Nat := L.profile.depth

/-- The offset of a coordinate of any coarser shape: an integer stands for a whole mode. `none` outside the
shape. CuTe `L(c)`.
Rust: `razorgirl::Layout::offset` -/
def call (L : Layout) (c : Coord) : Option Nat := (c.toFlat L.shape).map (FlatLayout.eval L.modes)

/-- All modes in one tuple; a leaf stays a leaf. CuTe `flatten(L)`.
Rust: `razorgirl::Layout::flatten` -/
def flatten (L : Layout) : Layout :=
  match L.profile with
  | .leaf _ => L
  | .node _ => ⟨L.modes, .node (L.modes.map fun _ => .leaf ())⟩

/-- The modes of several layouts in order. -/
def concatModes : List Layout → FlatLayout
  | [] => []
  | L :: Ls => L.modes ++ concatModes Ls

/-- One top-level mode for each layout («Categorical Foundations» 2.2.3). CuTe `make_layout(L0, L1, …)`.
Rust: `razorgirl::Layout::concat` -/
def concat (Ls : List Layout) : Layout := ⟨concatModes Ls, .node (Ls.map Layout.profile)⟩

/-- Sets the stride of every mode of extent 1 to 0. -/
def normalize (L : Layout) : Layout := ⟨FlatLayout.normalize L.modes, L.profile⟩

/-- The sum of the offsets of several layouts, each at its own coordinate. -/
def sumCalls : List Layout → List Coord → Option Nat
  | [], [] => some 0
  | L :: Ls, c :: cs =>
    match L.call c, sumCalls Ls cs with
    | some a, some b => some (a + b)
    | _, _ => none
  | _, _ => none

end Layout

end Razorgirl
