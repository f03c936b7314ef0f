module

public import Razorgirl.Spec.Tma.DomainGraph

@[expose] public section

/-!
# What the hardware's test protects

A domain is *TMA-protected* (Definition 1) if leaving it means leaving a partitioned one. Theorem 5 of the source
promises strong correctness if every split with a rest and every resize has protected inputs. With swizzles that is false,
see `swizzled`, and with swizzles that fit and a resize to the left too, see `crossed`; `Thm/Tma/Protected.lean` has it
repaired.
Source: nvFuser «TMA Modeling In Depth», Definition 1, Theorems 4 and 5.
-/

namespace Razorgirl

namespace Tma

namespace Step

/-- Inputs whose index can leave its domain while those of the outputs are in theirs: of a split that is not exact, a
resize that adds indices, and the second of a swizzle whose extents do not fit. (The source counts every resize, and
no swizzle.) -/
def holeInputs : Step → List IterDom
  | split i o n => if i.extent = o.extent * n.extent then [] else [i]
  | merge _ _ _ => []
  | resize i _ l r => if l ≤ 0 ∧ r ≤ 0 then [] else [i]
  | swizzle x y _ _ => if y.extent % IterDomain.nextPow2 x.extent = 0 then [] else [y]

/-- The inputs that the source's Theorem 5 asks about: of a split that is not exact, and of every resize. -/
def sourceHoleInputs : Step → List IterDom
  | split i o n => if i.extent = o.extent * n.extent then [] else [i]
  | merge _ _ _ => []
  | resize i _ _ _ => [i]
  | swizzle _ _ _ _ => []

/-- A resize that adds indices in front: only there do indices become negative. -/
def growsLeft : Step → Bool
  | resize _ _ l _ => decide (0 < l)
  | _ => false

/-- The first input of a swizzle. -/
def swizzleX : Step → List IterDom
  | swizzle x _ _ _ => [x]
  | _ => []

end Step

namespace DomainGraph

/-! ## Protection -/

/-- **TMA-protected** (Definition 1): the least set of domains that contains the partitioned ones and is closed under
four rules. -/
inductive Protected (S : DomainGraph) : IterDom → Prop
  /-- a partitioned domain -/
  | partitioned {a : IterDom} (h : a ∈ S.partitioned) : Protected S a
  /-- the outer output of a split of a protected domain -/
  | split {i o n : IterDom} (h : Step.split i o n ∈ S.steps) (hi : Protected S i) : Protected S o
  /-- the output of a merge whose outer input is protected -/
  | merge {o n m : IterDom} (h : Step.merge o n m ∈ S.steps) (ho : Protected S o) : Protected S m
  /-- the output of a resize of a protected domain that cuts nothing off -/
  | resize {i m : IterDom} {l r : Int} (h : Step.resize i m l r ∈ S.steps) (hl : 0 ≤ l) (hr : 0 ≤ r)
      (hi : Protected S i) : Protected S m
  /-- the first output of a swizzle whose first input is protected -/
  | swizzle {x y x' y' : IterDom} (h : Step.swizzle x y x' y' ∈ S.steps) (hx : Protected S x) : Protected S x'

/-- What a step makes protected, given what is. -/
def protects (known : List IterDom) : Step → List IterDom
  | .split i o _ => if known.contains i then [o] else []
  | .merge o _ m => if known.contains o then [m] else []
  | .resize i m l r => if known.contains i ∧ 0 ≤ l ∧ 0 ≤ r then [m] else []
  | .swizzle x _ x' _ => if known.contains x then [x'] else []

/-- The protected domains: `known`, and what the steps in turn add. -/
def protectedFrom (known : List IterDom) : List Step → List IterDom
  | [] => known
  | s :: rest => protectedFrom (protects known s ++ known) rest

/-- The protected domains, computed. -/
def protectedDoms (S : DomainGraph) : List IterDom := protectedFrom S.partitioned S.steps

/-- Every step that makes holes has protected inputs, and either no swizzle has a protected first input or nothing is
resized to the left. -/
def provesStrong (S : DomainGraph) : Bool :=
  S.steps.all (fun s => s.holeInputs.all S.protectedDoms.contains) &&
    (S.steps.all (fun s => s.swizzleX.all fun x => !S.protectedDoms.contains x) ||
      S.steps.all fun s => !s.growsLeft)

/-! ## Examples -/

-- Figure 2: `I5` is split with holes and is not protected
example : figure2.protectedDoms = [⟨4, 3⟩, ⟨2, 6⟩, ⟨1, 12⟩] ∧ figure2.provesStrong = false := by decide +kernel
-- Figure 3: the two splits with holes, of `I2` and `I7`, have protected inputs
example : figure3.protectedDoms = [⟨9, 2⟩, ⟨7, 6⟩, ⟨5, 2⟩, ⟨3, 3⟩, ⟨1, 6⟩, ⟨2, 6⟩] ∧ figure3.provesStrong = true := by
  decide +kernel
-- Figure 4: so have the three, of `I2`, `I3` and `I10`; Figure 5: `I4` is not protected
example : figure4.provesStrong = true ∧ figure5.provesStrong = false := by decide +kernel

/-- The condition of Theorem 5 is only sufficient: of four elements in one box of 4 by stride 3 every hole is 0, though
the box is split with holes and is not protected. -/
def oneBox : DomainGraph where
  partitioned := [⟨1, 4⟩]
  steps := [.split ⟨1, 4⟩ ⟨2, 1⟩ ⟨3, 4⟩, .split ⟨3, 4⟩ ⟨4, 2⟩ ⟨5, 3⟩]

example : oneBox.provesStrong = false ∧ oneBox.contents [⟨2, 1⟩, ⟨5, 3⟩, ⟨4, 2⟩] (fun g => 7 + g.getD 0 0) =
    oneBox.wanted [⟨2, 1⟩, ⟨5, 3⟩, ⟨4, 2⟩] (fun g => 7 + g.getD 0 0) := by decide +kernel

/-- Theorem 5 as the source has it is false: 9 by 3, the 3×3 box swizzled. -/
def swizzled : DomainGraph where
  partitioned := [⟨1, 9⟩]
  steps := [.split ⟨1, 9⟩ ⟨2, 3⟩ ⟨3, 3⟩, .swizzle ⟨2, 3⟩ ⟨3, 3⟩ ⟨4, 3⟩ ⟨5, 3⟩]

-- item (1,2) is a hole and holds element 6; item (2,1) is a hole too, but outside the tensor
example : swizzled.contents [⟨4, 3⟩, ⟨5, 3⟩] (fun g => 10 + g.getD 0 0) = [10, 11, 12, 14, 13, 16, 18, 0, 16] ∧
    swizzled.wanted [⟨4, 3⟩, ⟨5, 3⟩] (fun g => 10 + g.getD 0 0) = [10, 11, 12, 14, 13, 0, 18, 0, 16] := by
  decide +kernel

/-- And where swizzles fit: two domains of 8, split 2 × 4 and 4 × 2, each inner part swizzled by the
other's outer part, the outer parts padded, one to the left and one to the right. Whatever makes holes has protected
inputs, and the swizzles fit. -/
def crossed : DomainGraph where
  partitioned := [⟨1, 8⟩, ⟨2, 8⟩]
  steps := [.split ⟨1, 8⟩ ⟨3, 2⟩ ⟨4, 4⟩, .split ⟨2, 8⟩ ⟨5, 4⟩ ⟨6, 2⟩,
    .swizzle ⟨5, 4⟩ ⟨4, 4⟩ ⟨7, 4⟩ ⟨8, 4⟩, .swizzle ⟨3, 2⟩ ⟨6, 2⟩ ⟨9, 2⟩ ⟨10, 2⟩,
    .resize ⟨9, 2⟩ ⟨11, 3⟩ 1 0, .resize ⟨7, 4⟩ ⟨12, 5⟩ 0 1]

example : crossed.wellFormed = true ∧
    crossed.steps.all (fun s => s.holeInputs.all crossed.protectedDoms.contains) = true := by decide +kernel
-- at the first index of the left padding and the last of the right one, I3 is -1 and I5 is 4, but I1 and I2 are 0 and 7
example :
    let index := crossed.indices (Step.set (fun _ => 0) ⟨12, 5⟩ 4)
    [index ⟨3, 2⟩, index ⟨5, 4⟩, index ⟨1, 8⟩, index ⟨2, 8⟩] = [-1, 4, 0, 7] ∧
      crossed.isValid index = false ∧ crossed.held (fun _ => 1) index = 1 := by decide +kernel

end DomainGraph

end Tma

end Razorgirl
