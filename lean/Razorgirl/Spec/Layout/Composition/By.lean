module

public import Razorgirl.Spec.Layout.Composition
public import Razorgirl.Spec.Layout.Tiler

@[expose] public section

/-!
# Composition by tiler

CuTe composes with a layout, with an integer `n` (`n:1`), with `_` (keep), or mode by mode with a tuple of these.
-/

namespace Razorgirl

namespace Layout

/-- CuTe `composition(A, tiler)`. -/
def compositionBy (A : Layout) (b : Tiler) : Option Layout := (byTiler composition b A.tree).map ofTree

/-- `compositionBy` with `compositionComplete` for each mode. -/
def compositionCompleteBy (A : Layout) (b : Tiler) : Option Layout := (byTiler compositionComplete b A.tree).map ofTree

end Layout

end Razorgirl
