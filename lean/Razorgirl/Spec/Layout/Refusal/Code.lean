module

public import Razorgirl.Spec.Layout.Divide.CeilRefusal
public import Razorgirl.Spec.Layout.Product.Refusal
public import Razorgirl.Spec.Layout.Tiler.Operations

@[expose] public section

/-!
# The code of a refusal

Which code each refusal has, and the code alone, found from shapes and strides where the witness would take a walk through
the coordinates.
-/

namespace Razorgirl

/-- The codes of what composes, divides and multiplies. -/
inductive RefusalCode where
  /-- nesting or rank does not fit -/
  | incongruent
  /-- an index lies outside -/
  | outOfDomain
  /-- something does not divide what it should -/
  | notDivisible
  /-- digits carry -/
  | carries
  /-- two coordinates share an offset -/
  | notInjective
deriving Repr, DecidableEq

/-- The code of the refusal of a complement. -/
def FlatLayout.ComplementRefusal.code : FlatLayout.ComplementRefusal → RefusalCode
  | .collides _ _ => .notInjective
  | .indivisible _ _ => .notDivisible
  | .uneven _ => .notDivisible

/-- The refusal by tiler with another word for the refusal at the place. -/
def TilerRefusal.map {ε δ : Type} (f : ε → δ) : TilerRefusal ε → TilerRefusal δ
  | .longer p => .longer p
  | .part p r => .part p (f r)

namespace Layout
open HTuple

/-- The code of the refusal of a composition. -/
def CompositionRefusal.code : CompositionRefusal → RefusalCode
  | .outside _ => .outOfDomain
  | .wraps _ => .notDivisible
  | .carries _ => .carries

/-- The code of the refusal of a division. -/
def DivisionRefusal.code : DivisionRefusal → RefusalCode
  | .outside _ => .outOfDomain
  | .tile r => r.code
  | .parts r => r.code

/-- The code of the refusal of a division with padding. -/
def CeilDivisionRefusal.code : CeilDivisionRefusal → RefusalCode
  | .tile r => r.code
  | .parts r => r.code

/-- The code of the refusal of a product. -/
def ProductRefusal.code : ProductRefusal → RefusalCode
  | .room r => r.code
  | .order r => r.code

/-- The code of the refusal of a block up to a shape. -/
def FillRefusal.code : FillRefusal → RefusalCode
  | .longer => .incongruent
  | .disordered => .incongruent
  | .uneven _ _ _ => .notDivisible
  | .product r => r.code

/-! ## The code alone -/

/-- With which code strict composition refuses, if it does. -/
def compositionCode (A B : Layout) : Option RefusalCode :=
  if FlatLayout.cosizeFormula B.modes ≤ A.size then
    match splitModes (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes with
    | some ps =>
      if below (FlatLayout.shape (FlatLayout.coalesce A.modes))
        (load (FlatLayout.shape (FlatLayout.coalesce A.modes)) (pieces ps)) then none else some .carries
    | none => some .notDivisible
  else some .outOfDomain

/-- With which code complete composition refuses, if it does. -/
def compositionCompleteCode (A B : Layout) : Option RefusalCode :=
  match compositionComplete A B with
  | some _ => none
  | none => compositionCode A B

/-- With which code a division is refused, if it is. -/
def divisionCode (A T : Layout) : Option RefusalCode :=
  if FlatLayout.cosizeFormula T.modes ≤ A.size then
    match FlatLayout.complementInFault T.modes A.size with
    | some r => some r.code
    | none =>
      match tiling T A.size with
      | some I => compositionCode A I
      | none => none
  else some .outOfDomain

/-- With which code a division with padding is refused, if it is. -/
def ceilDivisionCode (A T : Layout) : Option RefusalCode :=
  match FlatLayout.complementFault T.modes with
  | some r => some r.code
  | none =>
    match ceilIndex A T with
    | some I => compositionCode (grown A (FlatLayout.cosizeFormula I.modes)) I
    | none => none

/-- With which code a product is refused, if it is. -/
def productCode (A T : Layout) : Option RefusalCode :=
  match FlatLayout.complementFault (filter A).modes with
  | some r => some r.code
  | none =>
    match origins A T with
    | some C => compositionCode C T
    | none => none

/-- With which code a block up to a shape is refused, if it is. -/
def tileToShapeCode (block : Layout) (shape order : IntTuple) : Option RefusalCode :=
  if (children shape).length < block.rank then some .incongruent
  else if weaklyCongruent order (.node (((children shape).map IntTuple.size).map .leaf) : IntTuple) then
    match firstUneven 0 (modeSizes block) ((children shape).map IntTuple.size) with
    | some _ => some .notDivisible
    | none =>
      match fillers block shape order with
      | some T => productCode block T
      | none => none
  else some .incongruent

-- (6,2):(1,7) after (3,2):(2,3): digits carry
example : compositionCode ⟨[⟨6, 1⟩, ⟨2, 7⟩], .node [.leaf (), .leaf ()]⟩ ⟨[⟨3, 2⟩, ⟨2, 3⟩], .node [.leaf (), .leaf ()]⟩ =
    some .carries := by decide +kernel

end Layout

end Razorgirl
