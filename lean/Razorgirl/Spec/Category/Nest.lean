module

public import Razorgirl.Spec.Category.Refinement
public import Razorgirl.Spec.Category.Tractable
public import Razorgirl.Spec.Category.TupleOperations
public import Razorgirl.Spec.Layout.Coalesce

@[expose] public section

/-!
# Nest: morphisms of nested tuples

A morphism of nested tuples is one of their entries («Categorical Foundations» 3.2.1); operations act on the entries and nest
the result. Pullback and pushforward along a refinement keep the layout's function (3.2.5), and with a mutual refinement they compose
layouts (4.1).
-/

namespace Razorgirl

namespace Category

open HTuple

/-- A morphism of nested tuples.
Rust: `razorgirl::category::NestMorphism` -/
structure NestMorphism where
  /-- S, nested -/
  domain : IntTuple
  /-- T, nested -/
  codomain : IntTuple
  /-- for each entry of S the place of an entry of T, from 1, or 0 -/
  map : List Nat
deriving Inhabited

/-- A tuple of integers. -/
def flatTuple (entries : List Nat) : IntTuple := .node (entries.map .leaf)

/-- The same nesting and the same entries. -/
def same (s t : IntTuple) : Bool := congruent s t && s.flatten == t.flatten

namespace NestMorphism

/-- The morphism of the entries.
Rust: `razorgirl::category::NestMorphism::flat` -/
def flat (f : NestMorphism) : TupleMorphism := ⟨f.domain.flatten, f.codomain.flatten, f.map⟩

/-- A morphism of tuples, as one of nested tuples.
Rust: `razorgirl::category::NestMorphism::from_flat` -/
def ofFlat (f : TupleMorphism) : NestMorphism := ⟨flatTuple f.domain, flatTuple f.codomain, f.map⟩

/-- L_f, in the nesting of the domain.
Rust: `razorgirl::category::NestMorphism::encoded_layout` -/
def encodedLayout (f : NestMorphism) : Layout := ⟨f.flat.encodedLayout, f.domain.profile⟩

/-- `g` after `f`.
Rust: `razorgirl::category::NestMorphism::compose` -/
def comp (f g : NestMorphism) : Option NestMorphism :=
  if same f.codomain g.domain then some ⟨f.domain, g.codomain, f.map.map (nth 0 g.map)⟩ else none

/-- The entries coalesced: an integer as domain where one is left, 1 where none is.
Rust: `razorgirl::category::NestMorphism::coalesce` -/
def coalesce (f : NestMorphism) : NestMorphism :=
  let g := f.flat.coalesce
  match g.domain with
  | [] => ⟨.leaf 1, flatTuple g.codomain, [0]⟩
  | [n] => ⟨.leaf n, flatTuple g.codomain, g.map⟩
  | _ => ofFlat g

/-- The entries of the codomain that are no image, as a flat tuple.
Rust: `razorgirl::category::NestMorphism::complement` -/
def complement (f : NestMorphism) : Option NestMorphism :=
  match f.flat.complement with
  | some c => some ⟨flatTuple c.domain, f.codomain, c.map⟩
  | none => none

/-- f and g as the two modes of one morphism into the codomain of both.
Rust: `razorgirl::category::NestMorphism::concat` -/
def concat (f g : NestMorphism) : Option NestMorphism :=
  if same f.codomain g.codomain ∧ f.flat.fin.disjoint g.flat.fin = true then
    some ⟨.node [f.domain, g.domain], f.codomain, f.map ++ g.map⟩
  else none

/-- f after g and the complement of g, as two modes.
Rust: `razorgirl::category::NestMorphism::logical_divide` -/
def logicalDivide (f g : NestMorphism) : Option NestMorphism :=
  match g.complement with
  | some c =>
    match g.concat c with
    | some h => h.comp f
    | none => none
  | none => none

/-- f, and g into the complement of f, as two modes.
Rust: `razorgirl::category::NestMorphism::logical_product` -/
def logicalProduct (f g : NestMorphism) : Option NestMorphism :=
  match f.complement with
  | some c =>
    match g.comp c with
    | some h => f.concat h
    | none => none
  | none => none

/-- The part over an entry that goes to place `v`; the entry itself where that is the basepoint. -/
def partAt (parts : List IntTuple) (entry v : Nat) : IntTuple :=
  if v = 0 then .leaf entry else parts.getD (v - 1) (.leaf entry)

/-- How many leaves stand before the part at place `v`. -/
def leavesBefore (parts : List IntTuple) (v : Nat) : Nat := lengthList (parts.take (v - 1))

/-- `n` places from the first leaf of the part at place `v` on, or the basepoint `n` times. -/
def spread (parts : List IntTuple) (v n : Nat) : List Nat :=
  if v = 0 then List.replicate n 0 else (List.range n).map fun k => leavesBefore parts v + k + 1

/-- f along a refinement of its codomain (3.2.5.11): each entry becomes what that has over its image.
Rust: `razorgirl::category::NestMorphism::pullback` -/
def pullback (f : NestMorphism) (fine : IntTuple) : Option NestMorphism :=
  match over fine f.codomain with
  | some parts =>
    let mine := f.domain.flatten.zipWith (partAt parts) f.map
    some ⟨substitute f.domain mine, fine, (f.map.zipWith (fun v t => spread parts v t.length) mine).flatten⟩
  | none => none

/-- Each entry of the codomain, or what stands over the entry of the domain that goes there. -/
def pushedPart (parts : List IntTuple) (α : List Nat) (j entry : Nat) : IntTuple :=
  partAt parts entry (TupleMorphism.placeOf j α)

/-- f along a refinement of its domain (3.2.5.15): each image becomes what that has over its entry.
Rust: `razorgirl::category::NestMorphism::pushforward` -/
def pushforward (f : NestMorphism) (fine : IntTuple) : Option NestMorphism :=
  match over fine f.domain with
  | some parts =>
    let theirs := (FinMap.identity f.codomain.length).values.zipWith (pushedPart parts f.map) f.codomain.flatten
    some ⟨fine, substitute f.codomain theirs, (f.map.zipWith (fun v t => spread theirs v t.length) parts).flatten⟩
  | none => none

end NestMorphism

/-- f_L into a flat tuple, in the nesting of the layout.
Rust: `razorgirl::category::NestMorphism::standard_representation` -/
def standardRepresentationNest (L : Layout) : Option NestMorphism :=
  match standardRepresentation L.modes with
  | some f => some ⟨L.shape, flatTuple f.codomain, f.map⟩
  | none => none

/-- A morphism whose layout is that of g after that of f, by a mutual refinement of the codomain of f and the domain of g (4.1.2;
sound, and not complete, see E8).
Rust: `razorgirl::category::weak_composite` -/
def weakComposite (f g : NestMorphism) : Option NestMorphism :=
  match mutualRefinement f.codomain g.domain with
  | some (t, u) =>
    match f.pullback t, g.pushforward u with
    | some f', some g' => some ⟨f'.domain, g'.codomain, f'.map.map (nth 0 g'.map)⟩
    | _, _ => none
  | none => none

/-- B after A by morphisms: f of A, g of the coalesced B, their weak composite, and its layout coalesced over A's shape.
Rust: `razorgirl::category::layout_compose` -/
def layoutCompose (A B : Layout) : Option (NestMorphism × NestMorphism × NestMorphism × Layout) :=
  match standardRepresentationNest A, standardRepresentationNest B.normalize.coalesce with
  | some f, some g =>
    match weakComposite f g with
    | some h =>
      match h.encodedLayout.normalize.coalesceBy A.profile with
      | some R => some (f, g, h, R)
      | none => none
    | none => none
  | _, _ => none

end Category

end Razorgirl
