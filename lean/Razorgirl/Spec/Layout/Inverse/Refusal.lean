module

public import Razorgirl.Spec.Layout.Filter
public import Razorgirl.Spec.Layout.Injective
public import Razorgirl.Spec.Layout.Inverse

@[expose] public section

/-!
# Why a layout has no inverse

Two of its coordinates share an offset; or a sorted stride does not divide the next one; or an address below the cosize is
missed. For a quasi-inverse the two coordinates differ in a mode that moves the offset.
-/

namespace Razorgirl

namespace FlatLayout

/-- The first neighbours among sorted strides of which the smaller does not divide the larger. -/
def firstUndivided : FlatLayout → Option (Nat × Nat)
  | m :: n :: L => if n.stride % m.stride = 0 then firstUndivided (n :: L) else some (m.stride, n.stride)
  | _ => none

/-- Two linear indices of `L` with one offset, 0 in its modes of stride 0; of the layout without these they are a collision. -/
def movingCollision (L : FlatLayout) : Option (Nat × Nat) :=
  match collision (filterZeros L) with
  | some (i, j) =>
    some (crd2idx (shape L) (idx2crd (shape (filterZeros L)) i), crd2idx (shape L) (idx2crd (shape (filterZeros L)) j))
  | none => none

end FlatLayout

namespace Layout
open FlatLayout

/-- Why a layout has no inverse.
Rust: `razorgirl::Witness` -/
inductive InverseRefusal where
  /-- two linear indices with one offset: code `not_injective` -/
  | collides (i j : Nat)
  /-- a stride, and the next one in order, which it does not divide: code `not_divisible` -/
  | undivided (below stride : Nat)
  /-- an address that no coordinate has: code `not_contiguous` -/
  | missed (o : Nat)
deriving Repr, DecidableEq

/-- The strides of the coalesced modes that do not divide. -/
def undividedFault (M : FlatLayout) : Option InverseRefusal :=
  match firstUndivided (chain M) with
  | some (d, e) => some (.undivided d e)
  | none => none

/-- Why there is no left inverse by whole modes, if there is none. Lists the offsets.
Rust: `razorgirl::Layout::left_inverse` -/
def leftInverseFault (L : Layout) : Option InverseRefusal :=
  match collision L.modes with
  | some (i, j) => some (.collides i j)
  | none => undividedFault (FlatLayout.coalesce L.modes)

/-- Why there is no quasi-inverse by whole modes, if there is none. Lists the offsets.
Rust: `razorgirl::Layout::quasi_left_inverse` -/
def quasiLeftInverseFault (L : Layout) : Option InverseRefusal :=
  match movingCollision L.modes with
  | some (i, j) => some (.collides i j)
  | none => undividedFault (FlatLayout.filterZeros (FlatLayout.coalesce L.modes))

/-- Why there is no inverse, if there is none. Lists the offsets.
Rust: `razorgirl::Layout::inverse` -/
def inverseFault (L : Layout) : Option InverseRefusal :=
  match collision L.modes with
  | some (i, j) => some (.collides i j)
  | none => if cosizeFormula L.modes = L.size then none else some (.missed (FlatLayout.size (FlatLayout.rightInverse L.modes)))

example : leftInverseFault ⟨[⟨2, 2⟩, ⟨2, 3⟩], .node [.leaf (), .leaf ()]⟩ = some (.undivided 2 3) := by decide +kernel
example : quasiLeftInverseFault ⟨[⟨2, 0⟩, ⟨2, 1⟩, ⟨2, 1⟩], .node [.leaf (), .leaf (), .leaf ()]⟩ = some (.collides 2 4) := by
  decide +kernel
example : inverseFault ⟨[⟨2, 1⟩, ⟨2, 3⟩], .node [.leaf (), .leaf ()]⟩ = some (.missed 2) := by decide +kernel

end Layout

end Razorgirl
