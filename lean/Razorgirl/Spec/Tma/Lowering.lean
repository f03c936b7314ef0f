module

public import Razorgirl.Spec.Tma.Fttc
public import Razorgirl.Spec.Tma.Protected

@[expose] public section

/-!
# Lowering at level 2, of any schedule

Where a hole is not caught by the hardware's test, the program tests the domains that are left: `if (…) tma(x) else
tma(-B)`. It need not test protected domains, since leaving one means leaving the tensor, nor what shared memory is
allocated by. It controls instructions, not items: no domain that it tests may depend on an index within the tile.
Source: nvFuser «TMA Modeling In Depth», lowering strategy, Figure 2.
-/

namespace Razorgirl

namespace Tma

namespace DomainGraph

/-- Each domain of a list once. -/
def once : List IterDom → List IterDom
  | [] => []
  | a :: as => if as.contains a then once as else a :: once as

/-- The domains that the program tests: neither protected, nor of the allocation. -/
def tested (S : DomainGraph) : List IterDom :=
  once (S.doms.filter fun a => !S.protectedDoms.contains a && !S.leaves.contains a)

/-- The program's test. -/
def predicate (S : DomainGraph) (index : Indices) : Bool := S.tested.all (inBoundary index)

/-- What is left at an item: the load if the test passes, else 0. -/
def heldIf (S : DomainGraph) (tensor : List Int → Int) (index : Indices) : Int :=
  if S.predicate index then S.held tensor index else 0

/-- The domains whose indices depend on those of the tile: what goes into a step is found from all that comes out. -/
def touched (S : DomainGraph) (tile : List IterDom) : List IterDom :=
  S.steps.foldr (fun s known => if s.outputs.any known.contains then s.inputs ++ known else known) tile

/-- The program can decide its test once for a whole tile. -/
def perTile (S : DomainGraph) (tile : List IterDom) : Bool := S.tested.all fun a => !(S.touched tile).contains a

/-- What shared memory holds then. -/
def contentsIf (S : DomainGraph) (alloc : List IterDom) (tensor : List Int → Int) : List Int :=
  (items alloc).map fun leaf => S.heldIf tensor (S.indices leaf)

/-! ## One dimension in boxes, each box by an element stride -/

/-- A dimension of `size` in boxes of `box`, each box by `stride`: box number `⟨2,_⟩`, place in the tile `⟨4,_⟩`, phase
`⟨5,_⟩`. -/
def strided (size box stride : Nat) : DomainGraph where
  partitioned := [⟨1, size⟩]
  steps := [.split ⟨1, size⟩ ⟨2, Division.ceilDiv size box⟩ ⟨3, box⟩,
    .split ⟨3, box⟩ ⟨4, Division.ceilDiv box stride⟩ ⟨5, stride⟩]

/-- A choice of tiles, by box and phase, with which each item holds its element and each hole 0, whatever the tensor
holds. -/
def StronglyCorrectIf (size box stride : Nat) (issue : (c s : Int) → Bool) : Prop :=
  ∀ (tensor : List Int → Int) (index : Indices), (strided size box stride).Consistent index →
    (strided size box stride).leaves.all (inBoundary index) = true →
    (if issue (index ⟨2, Division.ceilDiv size box⟩) (index ⟨5, stride⟩) then
        (strided size box stride).held tensor index else 0) =
      if (strided size box stride).isValid index then tensor ((strided size box stride).partitioned.map index) else 0

/-! ## Examples -/

-- Figure 2: the program tests `I5` alone; its index does not depend on the tile, `I3`
example : figure2.tested = [⟨5, 2⟩] ∧ figure2.perTile [⟨3, 2⟩] = true := by decide +kernel
-- Figure 5: it would test `I4`, whose index depends on the tile, `I5`
example : figure5.tested = [⟨4, 4⟩] ∧ figure5.perTile [⟨5, 2⟩, ⟨2, 2⟩] = false := by decide +kernel

end DomainGraph

end Tma

end Razorgirl
