module

public import Razorgirl.Spec.Layout.Composition

@[expose] public section

/-! # Composites in any form -/

namespace Razorgirl.Layout

/-- `W` is `A` after `B` and has B's coordinates, whether or not its modes merge: what is left of `IsComposite` when nothing
is said about a normal form. -/
def WeakComposite (A B W : Layout) : Prop :=
  W.Valid ∧ IntTuple.refines W.shape B.shape = true ∧
    ∀ x, x < B.size →
      FlatLayout.atIndex B.modes x < A.size ∧
        FlatLayout.atIndex W.modes x = FlatLayout.atIndex A.modes (FlatLayout.atIndex B.modes x)

end Razorgirl.Layout
