module

public import Razorgirl.Spec.Layout.Composition

@[expose] public section

/-!
# When composition may be done mode by mode

`A ∘ (B₁, B₂, …) = (A ∘ B₁, A ∘ B₂, …)` is what every shipping implementation computes. It is right where A distributes
over the modes of B, and for all strides of A exactly where no digit carries.
-/

namespace Razorgirl

open FlatLayout

/-- The offsets of several layouts, each at its own index. -/
def offsetsAt (Bs : List FlatLayout) (xs : List Nat) : List Nat := List.zipWith atIndex Bs xs

/-- A of the sum of the layouts' offsets is the sum of A of each offset, at all their indices. -/
def Distributes (A : FlatLayout) (Bs : List FlatLayout) : Prop :=
  ∀ xs, InBounds (Bs.map size) xs →
    atIndex A (offsetsAt Bs xs).sum = ((offsetsAt Bs xs).map (atIndex A)).sum

/-- The digits of several numbers, added place by place without carrying. -/
def digitSum (M : List Nat) : List Nat → List Nat
  | [] => digits M 0
  | y :: ys => addTimes 1 (digits M y) (digitSum M ys)

/-- Adding the digits of the layouts' offsets carries at none of their indices. -/
def NoCarry (M : List Nat) (Bs : List FlatLayout) : Prop :=
  ∀ xs, InBounds (Bs.map size) xs → below M (digitSum M (offsetsAt Bs xs)) = true

namespace Layout

/-- A composite of `A` with each layout of a list. -/
def Composites (A : Layout) : (Bs Rs : List Layout) → Prop
  | [], [] => True
  | B :: Bs, R :: Rs => IsComposite A B R ∧ Composites A Bs Rs
  | _, _ => False

end Layout

end Razorgirl
