module

public import Razorgirl.Spec.Tma.Lowering

@[expose] public section

/-!
# All dimensions in boxes, each box by its element stride

The schedule that the fundamental theorem of TMA correctness speaks of, as a graph of domains, in any number of dimensions.
-/

namespace Razorgirl

namespace Tma

namespace DomainGraph

/-- Dimension k of a descriptor in boxes, each box by its element stride: `⟨5k+1,_⟩` is the dimension, `⟨5k+2,_⟩` the box, `⟨5k+3,_⟩`
the place in it, `⟨5k+4,_⟩` the place in the tile, `⟨5k+5,_⟩` the phase. -/
def stridedIn (D : Descriptor) : DomainGraph where
  partitioned := D.zipIdx.map fun p => ⟨5 * p.2 + 1, p.1.size⟩
  steps := D.zipIdx.flatMap fun p =>
    [.split ⟨5 * p.2 + 1, p.1.size⟩ ⟨5 * p.2 + 2, Division.ceilDiv p.1.size p.1.box⟩ ⟨5 * p.2 + 3, p.1.box⟩,
      .split ⟨5 * p.2 + 3, p.1.box⟩ ⟨5 * p.2 + 4, Division.ceilDiv p.1.box p.1.elementStride⟩ ⟨5 * p.2 + 5, p.1.elementStride⟩]

/-- The tile of an item: its box and its phase in each dimension. -/
def tileOf (D : Descriptor) (index : Indices) : List (Int × Int) :=
  D.zipIdx.map fun p => (index ⟨5 * p.2 + 2, Division.ceilDiv p.1.size p.1.box⟩, index ⟨5 * p.2 + 5, p.1.elementStride⟩)

/-- A choice of tiles with which each item holds its element and each hole 0, whatever the tensor holds. -/
def StronglyCorrectIfIn (D : Descriptor) (issue : List (Int × Int) → Bool) : Prop :=
  ∀ (tensor : List Int → Int) (index : Indices), (stridedIn D).Consistent index →
    (stridedIn D).leaves.all (inBoundary index) = true →
    (if issue (tileOf D index) then (stridedIn D).held tensor index else 0) =
      if (stridedIn D).isValid index then tensor ((stridedIn D).partitioned.map index) else 0

example : (stridedIn [⟨8, 4, 3, 1⟩]).steps = (strided 8 4 3).steps := by decide +kernel

end DomainGraph

end Tma

end Razorgirl
