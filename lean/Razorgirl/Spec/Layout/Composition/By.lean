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

/-- CuTe `composition(A, tiler)`.
Rust: `razorgirl::Layout::composition_by` -/
def compositionBy (A : Layout) (b : Tiler) : Option Layout := (byTiler composition b A.tree).map ofTree

/-- `compositionBy` with `compositionComplete` for each mode.
Rust: `razorgirl::Layout::composition_complete_by` -/
def compositionCompleteBy (A : Layout) (b : Tiler) : Option Layout := (byTiler compositionComplete b A.tree).map ofTree

/-- Each of `Rs` is the composite of its partners; further layouts of `As` have none. -/
def EachComposite : (As Bs Rs : List Layout) → Prop
  | _, [], [] => True
  | A :: As, B :: Bs, R :: Rs => IsComposite A B R ∧ EachComposite As Bs Rs
  | _, _, _ => False

end Layout

end Razorgirl
