module

public import Razorgirl.Spec.Layout.Divide.Ceil
public import Razorgirl.Spec.Layout.Refusal

@[expose] public section

/-!
# Why a layout is not divided with padding

The tile has no complement at all, or A, grown as far as the tiles reach, does not compose with the tile and its complement.
-/

namespace Razorgirl

namespace Layout

/-- Why T does not divide A, not even with padding. -/
inductive CeilDivisionRefusal where
  /-- copies of the tile fill no range: the refusal of its complement -/
  | tile (r : FlatLayout.ComplementRefusal)
  /-- A, grown, does not compose with the tile and its complement: that refusal -/
  | parts (r : CompositionRefusal)
deriving Repr, DecidableEq

/-- Why T does not divide A with padding, if it does not. -/
def ceilDivisionRefusal (A T : Layout) : Option CeilDivisionRefusal :=
  match FlatLayout.complementFault T.modes with
  | some r => some (.tile r)
  | none =>
    match ceilIndex A T with
    | some I => (compositionRefusal (grown A (FlatLayout.cosizeFormula I.modes)) I).map .parts
    | none => none

/-- Why a division with padding by tiler is refused, if it is.
Rust: `razorgirl::Layout::logical_divide_ceil` -/
def ceilDivisionByRefusal (A : Layout) (b : Tiler) : Option (TilerRefusal CeilDivisionRefusal) :=
  transformRefusal ceilDivisionRefusal b A.tree

/-- The refusal of a division with padding is true. -/
def CeilDivisionRefusal.Holds (A T : Layout) : CeilDivisionRefusal → Prop
  | .tile w => w.Holds T.modes none
  | .parts w => ∃ I, ceilIndex A T = some I ∧
    w.Holds (grown A (FlatLayout.cosizeFormula I.modes)) (grown A (FlatLayout.cosizeFormula I.modes)).apart I

-- (4,3):(1,8) by 6 wraps round the mode 4, however far it grows
example : ceilDivisionRefusal ⟨[⟨4, 1⟩, ⟨3, 8⟩], .node [.leaf (), .leaf ()]⟩ ⟨[⟨6, 1⟩], .leaf ()⟩ =
    some (.parts (.wraps (.axis 0 4))) := by decide +kernel

end Layout

end Razorgirl
