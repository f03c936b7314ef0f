module

public import Razorgirl.Spec.Category.Nest

@[expose] public section

/-!
# Spans: a refinement, then a morphism

What the mutual refinement of 4.1 composes: S is cut into S', and S' goes to T. Spans compose by cutting the first morphism along the
refinement of the second, and every composition of layouts by morphisms is one of these (the last section of the blog).
-/

namespace Razorgirl

namespace Category

open HTuple

/-- S, and a morphism from a refinement of it. -/
structure Span where
  /-- S, nested -/
  source : IntTuple
  /-- from a refinement of S to T -/
  arrow : NestMorphism
deriving Inhabited

/-- The identity of a nested tuple. -/
def NestMorphism.identity (S : IntTuple) : NestMorphism := ⟨S, S, (FinMap.identity S.length).values⟩

namespace Span

/-- The morphism is one, and its domain refines the source. -/
def Valid (a : Span) : Prop := IntTuple.refines a.arrow.domain a.source = true ∧ a.arrow.flat.Valid

/-- Nothing cut, nothing moved. -/
def identity (S : IntTuple) : Span := ⟨S, NestMorphism.identity S⟩

/-- A morphism, nothing cut. -/
def ofMorphism (f : NestMorphism) : Span := ⟨f.domain, f⟩

/-- A refinement, nothing moved. -/
def ofRefinement (fine coarse : IntTuple) : Span := ⟨coarse, NestMorphism.identity fine⟩

/-- `b` after `a`: the morphism of `a`, cut along the refinement of `b`, and then the morphism of `b`. -/
def comp (a b : Span) : Option Span :=
  if same a.arrow.codomain b.source then
    match a.arrow.pullback b.arrow.domain with
    | some f =>
      match f.comp b.arrow with
      | some h => some ⟨a.source, h⟩
      | none => none
    | none => none
  else none

/-- What it does to an index of S: cutting keeps it. -/
def realization (a : Span) (x : Nat) : Nat := a.arrow.flat.realization x

end Span

end Category

end Razorgirl
