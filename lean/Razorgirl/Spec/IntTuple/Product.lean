module

public import Razorgirl.Spec.IntTuple

@[expose] public section

/-!
# Products of tuples

CuTe's `inner_product`, which evaluates a layout at a coordinate, and pycute's `prefix_product`, the strides of the
column-major layout of a shape.
-/

namespace Razorgirl

/-- The running products from `start` on, each without its own factor: `runningProducts 1 [3,2,4] = [1,3,6]`. -/
def runningProducts (start : Nat) : List Nat → List Nat
  | [] => []
  | s :: ss => start :: runningProducts (s * start) ss

namespace IntTuple
open HTuple

mutual
/-- The running products of all extents from left to right, from `start` on; where `start` is a tuple, mode by mode.
`none` if `start` is nested deeper than the shape or has another rank. pycute `prefix_product(shape, start)`; CuTe's
`compact_major<LayoutLeft>(shape, start)` apart from extents of 1, where that has 0.
Rust: `razorgirl::Shape::prefix_product` -/
def prefixProduct : (start shape : IntTuple) → Option IntTuple
  | .leaf d, s => some (unflatten 0 s.profile (runningProducts d s.flatten))
  | .node ds, .node ss => (prefixProductList ds ss).map .node
  | .node _, .leaf _ => none
/-- `prefixProduct` mode by mode. -/
def prefixProductList : (starts shapes : List IntTuple) → Option (List IntTuple)
  | [], [] => some []
  | d :: ds, s :: ss =>
    match prefixProduct d s, prefixProductList ds ss with
    | some p, some ps => some (p :: ps)
    | _, _ => none
  | _, _ => none
end

mutual
/-- The sum of the products of leaves in the same place; `none` unless the nestings agree. CuTe
`inner_product(a, b)`.
Rust: `razorgirl::IntTuple::inner_product` -/
def innerProduct : (a b : IntTuple) → Option Nat
  | .leaf x, .leaf y => some (x * y)
  | .node as, .node bs => innerProductList as bs
  | _, _ => none
/-- The sum of the inner products of pairs. -/
def innerProductList : (as bs : List IntTuple) → Option Nat
  | [], [] => some 0
  | a :: as, b :: bs =>
    match innerProduct a b, innerProductList as bs with
    | some x, some y => some (x + y)
    | _, _ => none
  | _, _ => none
end

example : (prefixProduct (.leaf 1) (.node [.node [.leaf 2, .leaf 3], .leaf 4])).map flatten = some [1, 2, 6] := by
  decide
example : innerProduct (.node [.node [.leaf 2, .leaf 3], .leaf 4]) (.node [.node [.leaf 2, .leaf 1], .leaf 2]) =
    some 15 := by decide

end IntTuple

end Razorgirl
