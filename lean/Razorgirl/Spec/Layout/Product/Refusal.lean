module

public import Razorgirl.Spec.Layout.Divide.Refusal
public import Razorgirl.Spec.Layout.Refusal

@[expose] public section

/-!
# Why a block does not fill a shape

The numbers of modes come first, then the order, then from the left the modes of the block that do not divide those of the
shape. Then the block and the copies that fill the shape have a product or not.
-/

namespace Razorgirl

namespace Layout
open HTuple

/-- Why a block is not repeated up to a shape. -/
inductive FillRefusal where
  /-- the block has more modes than the shape: code `incongruent` -/
  | longer
  /-- the order is neither a number nor one number for each mode of the shape: code `incongruent` -/
  | disordered
  /-- at this mode the size of the block does not divide that of the shape: code `not_divisible` -/
  | uneven (mode size extent : Nat)
  /-- the block and its copies have no product: that refusal -/
  | product (r : ProductRefusal)
deriving Repr, DecidableEq

/-- The first size that does not divide its extent, and its place, counted from `i`. -/
def firstUneven (i : Nat) : (sizes extents : List Nat) → Option (Nat × Nat × Nat)
  | b :: bs, s :: ss => if s % b = 0 then firstUneven (i + 1) bs ss else some (i, b, s)
  | _, _ => none

/-- Why a block is not repeated up to a shape, if it is not.
Rust: `razorgirl::Layout::tile_to_shape` -/
def tileToShapeRefusal (block : Layout) (shape order : IntTuple) : Option FillRefusal :=
  if (children shape).length < block.rank then some .longer
  else if weaklyCongruent order (.node (((children shape).map IntTuple.size).map .leaf) : IntTuple) then
    match firstUneven 0 (modeSizes block) ((children shape).map IntTuple.size) with
    | some (i, b, s) => some (.uneven i b s)
    | none =>
      match fillers block shape order with
      | some T => (productRefusal block T).map .product
      | none => none
  else some .disordered

/-- The refusal of a block repeated up to a shape is true. -/
def FillRefusal.Holds (block : Layout) (shape order : IntTuple) : FillRefusal → Prop
  | .longer => (children shape).length < block.rank
  | .disordered =>
    weaklyCongruent order (.node (((children shape).map IntTuple.size).map .leaf) : IntTuple) = false
  | .uneven i b s => (modeSizes block)[i]? = some b ∧ ((children shape).map IntTuple.size)[i]? = some s ∧ ¬ b ∣ s
  | .product r => ∃ T, fillers block shape order = some T ∧ r.Holds block T

-- (2,4) up to (4,6): 4 does not divide 6
example : tileToShapeRefusal ⟨[⟨2, 1⟩, ⟨4, 2⟩], .node [.leaf (), .leaf ()]⟩ (.node [.leaf 4, .leaf 6]) (.leaf 0) =
    some (.uneven 1 4 6) := by decide +kernel

end Layout

end Razorgirl
