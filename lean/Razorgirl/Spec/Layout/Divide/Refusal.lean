module

public import Razorgirl.Spec.Layout.Complement.Refusal
public import Razorgirl.Spec.Layout.Composition.Refusal
public import Razorgirl.Spec.Layout.Divide
public import Razorgirl.Spec.Layout.Product

@[expose] public section

/-!
# Why a layout is not divided by a tile, or not repeated by one

A division composes A with the tile and its complement, a product composes the complement of A with the tile. So each
refusal is that of one of these parts. A tile that reaches past A comes before all else.
-/

namespace Razorgirl

namespace Layout

/-- Why T does not divide A.
Rust: `razorgirl::Witness` -/
inductive DivisionRefusal where
  /-- the offset of the tile at this coordinate is no index of A: code `out_of_domain` -/
  | outside (c : List Nat)
  /-- copies of the tile do not fill A: the refusal of the tile's complement in the size of A -/
  | tile (r : FlatLayout.ComplementRefusal)
  /-- A does not compose with the tile and its complement: that refusal, at a coordinate (inside a tile, which tile) -/
  | parts (r : CompositionRefusal)
deriving Repr, DecidableEq

/-- Why T does not divide A, if it does not.
Rust: `razorgirl::Layout::logical_divide` -/
def divisionRefusal (A T : Layout) : Option DivisionRefusal :=
  if FlatLayout.cosizeFormula T.modes ≤ A.size then
    match FlatLayout.complementInFault T.modes A.size with
    | some r => some (.tile r)
    | none =>
      match tiling T A.size with
      | some I => (compositionRefusal A I).map .parts
      | none => none
  else some (.outside (FlatLayout.lastCoord T.modes))

/-- Why A is not repeated by T.
Rust: `razorgirl::Witness` -/
inductive ProductRefusal where
  /-- the copies of A find no room: the refusal of the complement of A, broadcasts apart -/
  | room (r : FlatLayout.ComplementRefusal)
  /-- the places of the copies do not compose with T: that refusal, at a coordinate of T -/
  | order (r : CompositionRefusal)
deriving Repr, DecidableEq

/-- Why A is not repeated by T, if it is not.
Rust: `razorgirl::Layout::logical_product` -/
def productRefusal (A T : Layout) : Option ProductRefusal :=
  match FlatLayout.complementFault (filter A).modes with
  | some r => some (.room r)
  | none =>
    match origins A T with
    | some C => (compositionRefusal C T).map .order
    | none => none

-- 6 by 4: two tiles of 4 do not fit; 8 by 4:3: index 9 is outside; (4,3):(1,8) by 6: the tile wraps round the mode 4
example : divisionRefusal ⟨[⟨6, 1⟩], .leaf ()⟩ ⟨[⟨4, 1⟩], .leaf ()⟩ = some (.tile (.uneven 4)) := by decide +kernel
example : divisionRefusal ⟨[⟨8, 1⟩], .leaf ()⟩ ⟨[⟨4, 3⟩], .leaf ()⟩ = some (.outside [3]) := by decide +kernel
example : divisionRefusal ⟨[⟨4, 1⟩, ⟨3, 8⟩], .node [.leaf (), .leaf ()]⟩ ⟨[⟨6, 1⟩], .leaf ()⟩ =
    some (.parts (.wraps (.axis 0 4))) := by decide +kernel
example : productRefusal ⟨[⟨2, 1⟩, ⟨2, 3⟩], .node [.leaf (), .leaf ()]⟩ ⟨[⟨2, 1⟩], .leaf ()⟩ =
    some (.room (.indivisible 3 2)) := by decide +kernel

end Layout

end Razorgirl
