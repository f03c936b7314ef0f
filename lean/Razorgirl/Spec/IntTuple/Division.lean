module

public import Razorgirl.Spec.Coord
public import Razorgirl.Spec.Int.Ceil
public import Razorgirl.Spec.IntTuple.Modes

@[expose] public section

/-!
# Shapes divided by shapes

How often a tile fits into a shape, extent by extent (CuTe `ceil_div`, `shape_div`, `round_up`, `evenly_divides`).
A tuple is divided by a tuple mode by mode. It is divided by an integer from left to right: an extent takes of the
integer what it holds, the rest goes on to the next extent. That rest is rounded up as well, so that CuTe's quotient
may be too small: `ceil_div((4,5), 6) = (1,3)`, but 3 tiles of 6 do not cover 20. Such a quotient is refused here.
-/

namespace Razorgirl

namespace IntTuple
open HTuple

/-! ## Rounding up -/

/-- Each extent divided by what the extents before it leave of `n`, both rounded up: `ceilQuots [4,5] 6 = [1,3]`. -/
def ceilQuots : (shape : List Nat) → (n : Nat) → List Nat
  | [], _ => []
  | s :: ss, n => Division.ceilDiv s n :: ceilQuots ss (Division.ceilDiv n s)

/-- The quotients by an integer, if that many tiles cover the shape. -/
def ceilDivLeaf (a : IntTuple) (n : Nat) : Option IntTuple :=
  if size a ≤ n * prod (ceilQuots a.flatten n) then some (unflatten 0 a.profile (ceilQuots a.flatten n)) else none

mutual
/-- How many tiles `b` it takes to cover the shape `a`. An integer by a tuple is divided by its product; modes without
a divisor stay. `none` if `b` has more modes than `a`, or if the quotient does not cover. CuTe `ceil_div(a, b)`.
Rust: `razorgirl::Shape::ceil_div` -/
def ceilDiv : (a b : IntTuple) → Option IntTuple
  | a, .leaf n => ceilDivLeaf a n
  | .leaf s, .node bs => some (.leaf (Division.ceilDiv s (sizeList bs)))
  | .node as, .node bs => (ceilDivList as bs).map .node
/-- `ceilDiv` mode by mode. -/
def ceilDivList : (as bs : List IntTuple) → Option (List IntTuple)
  | as, [] => some as
  | [], _ :: _ => none
  | a :: as, b :: bs =>
    match ceilDiv a b, ceilDivList as bs with
    | some q, some qs => some (q :: qs)
    | _, _ => none
end

mutual
/-- Every extent of `a` rounded up to a multiple of that of `b`; modes without one stay. `none` unless integers meet
integers, or if `b` has more modes than `a`. CuTe `round_up(a, b)`.
Rust: `razorgirl::Shape::round_up` -/
def roundUp : (a b : IntTuple) → Option IntTuple
  | .leaf s, .leaf n => some (.leaf (Division.ceilDiv s n * n))
  | .node as, .node bs => (roundUpList as bs).map .node
  | _, _ => none
/-- `roundUp` mode by mode. -/
def roundUpList : (as bs : List IntTuple) → Option (List IntTuple)
  | as, [] => some as
  | [], _ :: _ => none
  | a :: as, b :: bs =>
    match roundUp a b, roundUpList as bs with
    | some q, some qs => some (q :: qs)
    | _, _ => none
end

/-! ## Without remainder -/

/-- `ceilQuots` where at each step one of the two divides the other. -/
def shapeQuots : (shape : List Nat) → (n : Nat) → Option (List Nat)
  | [], _ => some []
  | s :: ss, n =>
    if s % n = 0 ∨ n % s = 0 then (shapeQuots ss (Division.ceilDiv n s)).map (Division.ceilDiv s n :: ·) else none

/-- The quotients by an integer without remainder. -/
def shapeDivLeaf (a : IntTuple) (n : Nat) : Option IntTuple :=
  (shapeQuots a.flatten n).map (unflatten 0 a.profile)

mutual
/-- What is left of the shape `a` when tiles of `b` are taken out of it. `none` if two tuples differ in rank, or if
somewhere neither number divides the other. CuTe `shape_div(a, b)`.
Rust: `razorgirl::Shape::shape_div` -/
def shapeDiv : (a b : IntTuple) → Option IntTuple
  | a, .leaf n => shapeDivLeaf a n
  | .leaf s, .node bs => shapeDivLeaf (.leaf s) (sizeList bs)
  | .node as, .node bs => (shapeDivList as bs).map .node
/-- `shapeDiv` mode by mode. -/
def shapeDivList : (as bs : List IntTuple) → Option (List IntTuple)
  | [], [] => some []
  | a :: as, b :: bs =>
    match shapeDiv a b, shapeDivList as bs with
    | some q, some qs => some (q :: qs)
    | _, _ => none
  | _, _ => none
end

mutual
/-- Tiles of the tiler `b` cover the shape `a` exactly; modes without a tile count as covered. CuTe
`evenly_divides(a, b)`.
Rust: `razorgirl::Shape::evenly_divided_by` -/
def evenlyDivides : (a b : IntTuple) → Bool
  | a, .leaf n => size a == n * prod (ceilQuots a.flatten n)
  | a, .node bs => evenlyDividesList a.children bs
/-- `evenlyDivides` mode by mode. -/
def evenlyDividesList : (as bs : List IntTuple) → Bool
  | _, [] => true
  | [], _ :: _ => false
  | a :: as, b :: bs => evenlyDivides a b && evenlyDividesList as bs
end

mutual
/-- The product of the sizes of the parts of a shape that a tiler meets. -/
def met : (a b : IntTuple) → Nat
  | a, .leaf _ => size a
  | a, .node bs => metList a.children bs
/-- `met` mode by mode. -/
def metList : (as bs : List IntTuple) → Nat
  | _, [] => 1
  | [], _ :: _ => 1
  | a :: as, b :: bs => met a b * metList as bs
end

/-! ## Worked examples -/

example : (ceilDiv (flat [10, 9]) (flat [4])).map flatten = some [3, 9] := by decide
/-- CuTe answers `(1,3)`, and `6 · 3 < 20`. -/
example : ceilQuots [4, 5] 6 = [1, 3] ∧ (ceilDiv (flat [4, 5]) (.leaf 6)).isNone = true := by decide
example : (shapeDiv (flat [4, 5, 6]) (.leaf 40)).map flatten = some [1, 1, 3] := by decide
example : (roundUp (flat [10, 9]) (flat [4])).map flatten = some [12, 9] := by decide
example : evenlyDivides (flat [12, 9]) (flat [4]) = true ∧ evenlyDivides (flat [10, 9]) (flat [4]) = false := by
  decide

end IntTuple

end Razorgirl
