module

public import Razorgirl.Spec.IntTuple

@[expose] public section

/-!
# Coordinates: the mixed-radix numbers of a shape

A shape `(s₁,…,sₘ)` names `s₁⋯sₘ` coordinates `(x₁,…,xₘ)` with `xᵢ < sᵢ`, and numbers them with the first
mode fastest (colexicographic order; «Categorical Foundations» 2.1.2, Shah's note section 2). `idx2crd` and
`crd2idx` go between a number and its coordinate. A nested shape has the coordinates of its flattening; CuTe
also accepts coarser ones, where an integer stands for a whole mode.
-/

namespace Razorgirl

/-- The product of a list of extents. -/
def prod : List Nat → Nat
  | [] => 1
  | s :: ss => s * prod ss

/-- The coordinate of linear index `x`: `idx2crd [4,2,8] 13 = [1,1,1]`. CuTe `idx2crd(i, shape)`. -/
def idx2crd : (shape : List Nat) → (x : Nat) → List Nat
  | [], _ => []
  | s :: ss, x => x % s :: idx2crd ss (x / s)

/-- The linear index of a coordinate: `crd2idx [4,2,8] [1,1,1] = 13`. CuTe `crd2idx(c, shape)`. -/
def crd2idx : (shape coord : List Nat) → Nat
  | s :: ss, c :: cs => c + s * crd2idx ss cs
  | _, _ => 0

/-- The coordinate lies in the shape: same length, each entry below its extent. -/
def InBounds : (shape coord : List Nat) → Prop
  | [], [] => True
  | s :: ss, c :: cs => c < s ∧ InBounds ss cs
  | _, _ => False

/-- All coordinates of a shape, in linear order. -/
def coords (shape : List Nat) : List (List Nat) := (List.range (prod shape)).map (idx2crd shape)

/-- A coordinate as CuTe takes it: `none` is `_`, and an integer may stand for a whole mode.
Rust: `razorgirl::Coord` -/
abbrev Coord := HTuple (Option Nat)

namespace Coord
open HTuple

mutual
/-- The bounded flat coordinate that `c` stands for in `shape`: an integer over a mode is a linear index
into it, `_` is 0. `none` if `c` is nested deeper than the shape, has another rank, or leaves it.
`toFlat (2,(1,0)) (4,(2,3)) = [2,1,0]`, `toFlat (2,1) (4,(2,3)) = [2,1,0]`. -/
def toFlat : Coord → (shape : IntTuple) → Option (List Nat)
  | .leaf none, s => some (List.replicate s.length 0)
  | .leaf (some x), s => if x < IntTuple.size s then some (Razorgirl.idx2crd s.flatten x) else none
  | .node cs, .node ss => toFlatList cs ss
  | .node _, .leaf _ => none
/-- `toFlat` mode by mode. -/
def toFlatList : List Coord → List IntTuple → Option (List Nat)
  | [], [] => some []
  | c :: cs, s :: ss =>
    match toFlat c s, toFlatList cs ss with
    | some x, some y => some (x ++ y)
    | _, _ => none
  | _, _ => none
end

/-- The linear index of a nested coordinate in a nested shape. CuTe `crd2idx(c, shape)`.
Rust: `razorgirl::Shape::crd2idx` -/
def crd2idx (c : Coord) (shape : IntTuple) : Option Nat :=
  (toFlat c shape).map (Razorgirl.crd2idx shape.flatten)

/-- The coordinate of a linear index, nested like the shape; `none` past the end (C++ lets the last mode
grow there, pycute wraps round). CuTe `idx2crd(i, shape)`.
Rust: `razorgirl::Shape::idx2crd` -/
def idx2crd (x : Nat) (shape : IntTuple) : Option IntTuple :=
  if x < IntTuple.size shape then
    some (unflatten 0 shape.profile (Razorgirl.idx2crd shape.flatten x))
  else none

mutual
/-- The coordinate is a coarsening of the shape's nesting, and every integer is below the size of the mode it
stands for. -/
def Within : Coord → (shape : IntTuple) → Prop
  | .leaf none, _ => True
  | .leaf (some x), s => x < IntTuple.size s
  | .node cs, .node ss => WithinList cs ss
  | .node _, .leaf _ => False
/-- As many coordinates as modes, and each within its mode. -/
def WithinList : List Coord → List IntTuple → Prop
  | [], [] => True
  | c :: cs, s :: ss => Within c s ∧ WithinList cs ss
  | _, _ => False
end

end Coord

end Razorgirl
