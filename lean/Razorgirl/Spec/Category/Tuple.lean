module

public import Razorgirl.Spec.Category.FinMap
public import Razorgirl.Spec.Layout.Basic

@[expose] public section

/-!
# Tuple: layouts as morphisms that can be drawn

A morphism f : S → T of tuples of positive integers sends each entry of S to an equal entry of T, or to the basepoint, and
no two to one entry («Categorical Foundations» 3.1.1). It encodes a layout of shape S: the stride of an entry is the product of
the entries of T before its image, and 0 where that is the basepoint (3.1.2). Strides under extents of 1 are kept as they come.
-/

namespace Razorgirl

namespace Category

/-- A morphism S → T: the entries of S, those of T, and the value of each entry of S, counted from 1, with 0 for the basepoint.
Rust: `razorgirl::category::TupleMorphism` -/
structure TupleMorphism where
  /-- S -/
  domain : List Nat
  /-- T -/
  codomain : List Nat
  /-- α: for each entry of S the place of an entry of T, or 0 -/
  map : List Nat
deriving DecidableEq, Repr, Inhabited

namespace TupleMorphism

/-- The map of the places. -/
def fin (f : TupleMorphism) : FinMap := ⟨f.codomain.length, f.map⟩

/-- Each entry equals its image, entry by entry. -/
def Matches (T : List Nat) : (S α : List Nat) → Prop
  | [], [] => True
  | s :: S, v :: α => (v = 0 ∨ nth 0 T v = s) ∧ Matches T S α
  | _, _ => False

/-- What makes the three lists a morphism. -/
def Valid (f : TupleMorphism) : Prop :=
  (∀ s ∈ f.domain, 0 < s) ∧ (∀ t ∈ f.codomain, 0 < t) ∧ f.fin.Valid ∧ Matches f.codomain f.domain f.map

/-- The identity of S.
Rust: `razorgirl::category::TupleMorphism::identity` -/
def identity (S : List Nat) : TupleMorphism := ⟨S, S, (FinMap.identity S.length).values⟩

/-- `g` after `f`.
Rust: `razorgirl::category::TupleMorphism::compose` -/
def comp (f g : TupleMorphism) : Option TupleMorphism :=
  if f.codomain = g.domain then some ⟨f.domain, g.codomain, f.map.map (nth 0 g.map)⟩ else none

/-- The product of the entries of T before a place, 0 for the basepoint. -/
def stride : (T : List Nat) → (v : Nat) → Nat
  | [], _ => 0
  | _ :: _, 0 => 0
  | _ :: _, 1 => 1
  | t :: T, v + 2 => t * stride T (v + 1)

/-- L_f (3.1.2): the shape is S, a stride the product of the entries of T before the image, and 0 for the basepoint.
Rust: `razorgirl::category::TupleMorphism::encoded_layout` -/
def encodedLayout (f : TupleMorphism) : FlatLayout := f.domain.zipWith Mode.mk (f.map.map (stride f.codomain))

/-- The entry of a coordinate that the map sends to place `j`, 0 where there is none. -/
def moved (j : Nat) : (α coord : List Nat) → Nat
  | v :: α, c :: cs => if v = j then c else moved j α cs
  | _, _ => 0

/-- The coordinate of T in which each entry of a coordinate of S stands at its image: what is no image is 0. -/
def move (f : TupleMorphism) (coord : List Nat) : List Nat :=
  (FinMap.identity f.codomain.length).values.map fun j => moved j f.map coord

/-- |f| (3.1.4.5): the coordinate of an index in S, its entries moved to their images, and the index of that in T.
Rust: `razorgirl::category::TupleMorphism::realization` -/
def realization (f : TupleMorphism) (x : Nat) : Nat := crd2idx f.codomain (f.move (idx2crd f.domain x))

/-- The modes that a morphism picks of a layout of the shape T: its entries, with the strides of their images. -/
def pick (f : TupleMorphism) (A : FlatLayout) : FlatLayout := f.domain.zipWith Mode.mk (f.map.map (nth 0 A.strides))

/-- Nothing goes to the basepoint.
Rust: `razorgirl::category::TupleMorphism::is_complementable` -/
def isComplementable (f : TupleMorphism) : Bool := f.map.all fun v => v != 0

/-- Nothing goes to the basepoint, and every entry of T is an image.
Rust: `razorgirl::category::TupleMorphism::is_isomorphism` -/
def isIsomorphism (f : TupleMorphism) : Bool := f.isComplementable && f.domain.length == f.codomain.length

/-- Entries of 1 go to the basepoint.
Rust: `razorgirl::category::TupleMorphism::is_non_degenerate` -/
def isNonDegenerate (f : TupleMorphism) : Bool := (f.domain.zip f.map).all fun p => p.1 != 1 || p.2 == 0

/-- T holds no more than the strides need: its last entry is an image, and one that is no image is not 1 and stands right before
an image (3.1.2.12, repaired: with n ≥ 1 for n > 1, see E1).
Rust: `razorgirl::category::TupleMorphism::is_standard` -/
def isStandard (f : TupleMorphism) : Bool :=
  (FinMap.identity f.codomain.length).values.all fun j =>
    f.map.contains j || nth 0 f.codomain j != 1 && f.map.contains (j + 1)

/-- The domain is in order: what goes to the basepoint first, by size, then by images. -/
def ordered : List (Nat × Nat) → Bool
  | [] => true
  | [_] => true
  | a :: b :: L => (a.2 < b.2 || a.2 == b.2 && (a.2 != 0 || a.1 ≤ b.1)) && ordered (b :: L)

/-- Whether sorting changes nothing.
Rust: `razorgirl::category::TupleMorphism::is_sorted` -/
def isSorted (f : TupleMorphism) : Bool := ordered (f.domain.zip f.map)

/-- No two neighbours go to the basepoint, or to places that only entries of 1 part. -/
def parted (T : List Nat) : List Nat → Bool
  | [] => true
  | [_] => true
  | v :: w :: α =>
    !(v == 0 && w == 0) && !(v != 0 && v < w && ((T.take (w - 1)).drop v).all (· == 1)) && parted T (w :: α)

/-- No entry of S is 1, and no two neighbours can be one (3.1.5).
Rust: `razorgirl::category::TupleMorphism::is_coalesced` -/
def isCoalesced (f : TupleMorphism) : Bool := f.domain.all (· != 1) && parted f.codomain f.map

end TupleMorphism

open TupleMorphism

example : encodedLayout ⟨[2, 2], [3, 2, 5, 2], [2, 4]⟩ = [⟨2, 3⟩, ⟨2, 30⟩] := by decide
example : realization ⟨[2, 2], [3, 2, 5, 2], [2, 4]⟩ 3 = 33 := by decide

/-- E1: with n > 1 for n ≥ 1 in 3.1.2.12 both of these would be of standard form, and both encode 3:0. -/
theorem standard_counterexample :
    encodedLayout ⟨[3], [7], [0]⟩ = encodedLayout ⟨[3], [], [0]⟩ ∧ isStandard ⟨[3], [], [0]⟩ = true
      ∧ isStandard ⟨[3], [7], [0]⟩ = false := by decide

end Category

end Razorgirl
