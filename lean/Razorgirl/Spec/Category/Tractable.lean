module

public import Razorgirl.Spec.Category.Tuple
public import Razorgirl.Spec.Layout.Complement
public import Razorgirl.Spec.Layout.Sort

@[expose] public section

/-!
# Tractable layouts

A layout is tractable if some morphism encodes it: in order of stride and extent, extent · stride of each mode divides the
stride of the next, or is 0 («Categorical Foundations» 2.1.8, with the sorted neighbours that the blog's i, j leave out, see K1).
Layouts are taken as they are written: a stride under an extent of 1 counts.
-/

namespace Razorgirl

namespace Category

/-- Puts a mode, with its place, in front of the first one that does not come before it. -/
def insertPlaced (x : Mode × Nat) : List (Mode × Nat) → List (Mode × Nat)
  | [] => [x]
  | y :: L => if x.1.before y.1 then x :: y :: L else y :: insertPlaced x L

/-- The modes in order of stride and extent, each with its place counted from `p`. -/
def placed (p : Nat) : FlatLayout → List (Mode × Nat)
  | [] => []
  | m :: L => insertPlaced (m, p) (placed (p + 1) L)

/-- The modes in order of stride and extent, and the places where they stood, from 1.
Rust: `razorgirl::category::WrittenLayout::sort_flat` -/
def sortFlat (L : FlatLayout) : FlatLayout × List Nat := ((placed 1 L).map (·.1), (placed 1 L).map (·.2))

/-- The first two neighbours of which extent · stride of the one is neither 0 nor a divisor of the stride of the other. -/
def breaks : List (Mode × Nat) → Option (Nat × Nat)
  | [] => none
  | [_] => none
  | a :: b :: L =>
    if a.1.extent * a.1.stride = 0 ∨ b.1.stride % (a.1.extent * a.1.stride) = 0 then breaks (b :: L) else some (a.2, b.2)

/-- Why a layout is not tractable: the places, from 0, of two modes.
Rust: `razorgirl::category::WrittenLayout::obstruction` -/
def obstruction (L : FlatLayout) : Option (Nat × Nat) := (breaks (placed 1 L)).map fun p => (p.1 - 1, p.2 - 1)

/-- Whether a morphism encodes the layout.
Rust: `razorgirl::category::WrittenLayout::is_tractable` -/
def isTractable (L : FlatLayout) : Bool := (obstruction L).isNone

/-- The codomain of the standard representation: for each stride above 0, in order, what it is above `block` and the extent. -/
def blocks (block : Nat) : List (Mode × Nat) → List Nat
  | [] => []
  | x :: L =>
    if x.1.stride = 0 then blocks block L
    else if x.1.stride = block then x.1.extent :: blocks (x.1.stride * x.1.extent) L
    else x.1.stride / block :: x.1.extent :: blocks (x.1.stride * x.1.extent) L

/-- The value of the mode that stood at place `p`, where `n` entries of the codomain come before; 0 for stride 0. -/
def imageOf (p block n : Nat) : List (Mode × Nat) → Nat
  | [] => 0
  | x :: L =>
    if x.1.stride = 0 then imageOf p block n L
    else
      let n' := if x.1.stride = block then n + 1 else n + 2
      if x.2 = p then n' else imageOf p (x.1.stride * x.1.extent) n' L

/-- f_L: the morphism of standard form that encodes a tractable layout («Categorical Foundations» 3.1.2).
Rust: `razorgirl::category::TupleMorphism::standard_representation` -/
def standardRepresentation (L : FlatLayout) : Option TupleMorphism :=
  if isTractable L then
    some ⟨L.shape, blocks 1 (placed 1 L), (FinMap.identity L.length).values.map fun p => imageOf p 1 0 (placed 1 L)⟩
  else none

/-- Stride 0 wherever the extent is 1.
Rust: `razorgirl::category::WrittenLayout::nullify_trivial_strides` -/
def nullifyTrivialStrides (L : Layout) : Layout := L.normalize

/-- The modes of two flat layouts, one behind the other.
Rust: `razorgirl::category::WrittenLayout::flat_concatenate` -/
def flatConcatenate (A B : FlatLayout) : FlatLayout := A ++ B

/-- The sorted coalesced complement in `[0,N)` of a flat layout, as a flat layout («Categorical Foundations» 2.1.6; 2.1.6.11 leaves
out that no stride may be 0, see E5).
Rust: `razorgirl::category::WrittenLayout::flat_complement` -/
def flatComplement (L : FlatLayout) (N : Nat) : Option FlatLayout := FlatLayout.complementIn (FlatLayout.normalize L) N

example : standardRepresentation [⟨2, 24⟩, ⟨2, 0⟩, ⟨2, 3⟩, ⟨2, 480⟩] = some ⟨[2, 2, 2, 2], [3, 2, 4, 2, 10, 2], [4, 0, 2, 6]⟩ := by
  decide
example : obstruction [⟨2, 2⟩, ⟨2, 3⟩] = some (0, 1) := by decide

/-- K1: with i = j allowed, 2 · 1 would have to divide 1 in 2:1, and no layout would be tractable but trivial ones. -/
theorem tractable_counterexample : isTractable [⟨2, 1⟩] = true ∧ 1 % (2 * 1) ≠ 0 := by decide

end Category

end Razorgirl
