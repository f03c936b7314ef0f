module

public import Razorgirl.Spec.Coord

@[expose] public section

/-!
# A coordinate of one shape as a coordinate of another

Two shapes of the same size have the same linear indices (CuTe `crd2crd`). C++ converts mode by mode where all three
are tuples, which is the same only if the modes have the same sizes: `(1,1)` of `(4,6)` is index 5, and `(5,0)` of
`(6,4)`, but C++ answers `(1,1)`.
-/

namespace Razorgirl

namespace Coord

/-- The coordinate in `dst` with the linear index that `c` has in `src`; `none` outside of either. CuTe
`crd2crd(c, src, dst)`.
Rust: `razorgirl::Shape::crd2crd` -/
def crd2crd (c : Coord) (src dst : IntTuple) : Option IntTuple :=
  match crd2idx c src with
  | some x => idx2crd x dst
  | none => none

example : (crd2crd (.node [.leaf (some 1), .leaf (some 1)]) (.node [.leaf 4, .leaf 6])
    (.node [.leaf 6, .leaf 4])).map HTuple.flatten = some [5, 0] := by decide

end Coord

end Razorgirl
