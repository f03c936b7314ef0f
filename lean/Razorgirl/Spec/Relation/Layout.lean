module

public import Razorgirl.Spec.Layout.Composition.Extended
public import Razorgirl.Spec.Layout.Inverse
public import Razorgirl.Spec.Relation.Basic
public import Razorgirl.Spec.Relation.QuasiAffine

@[expose] public section

/-!
# Layouts as relations

A layout's mapping from the linear index: as a list of pairs, and as one quasi-affine expression, in which each coordinate is a
quotient and a remainder of the index and counts with its stride.
Source: «Modeling Layout Abstractions Using Integer Set Relations»
-/

namespace Razorgirl

namespace FlatLayout

open Index

/-- The terms of the modes from the one on whose index starts at `P`; the last mode needs no remainder. -/
def exprFrom (P : Nat) : FlatLayout → Expr
  | [] => .const 0
  | [m] => .mul (.div (.var 0) (.const P)) (.const m.stride)
  | m :: n :: L =>
    .add (.mul (.mod (.div (.var 0) (.const P)) (.const m.extent)) (.const m.stride)) (exprFrom (P * m.extent) (n :: L))

/-- The layout's function of the linear index, as an expression of the variable 0.
Rust: `razorgirl::relation::QuasiAffine::of_layout` -/
def expr (L : FlatLayout) : Expr := exprFrom 1 L

/-- The layout mapping: the pairs of linear index and offset. -/
def relation (L : FlatLayout) : Relation := Relation.graph (size L) (atIndex L)

/-- The index mapping: the pairs of coordinate and offset. -/
def indexRelation (L : FlatLayout) : Relation :=
  (coords (shape L)).map fun c => (c.map fun (x : Nat) => (x : Int), [((eval L c : Nat) : Int)])

end FlatLayout

/-- The coordinate mapping of a shape: the pairs of linear index and coordinate. -/
def coordRelation (s : List Nat) : Relation :=
  (List.range (prod s)).map fun (x : Nat) => ([(x : Int)], (idx2crd s x).map fun (c : Nat) => (c : Int))

namespace Layout

/-- The pairs of linear index and offset; how the layout is nested does not show.
Rust: `razorgirl::relation::Relation::of_layout` -/
def relation (L : Layout) : Relation := FlatLayout.relation L.modes

/-- Whether an offset of B lies outside the domain of A. There the composite of relations has no pair, and CuTe lets the last mode
of A grow.
Rust: `razorgirl::Layout::promotes` -/
def promotes (A B : Layout) : Bool := (List.range B.size).any fun x => decide (A.size ≤ FlatLayout.atIndex B.modes x)

example : promotes ⟨[⟨2, 1⟩, ⟨1, 80⟩], .node [.leaf (), .leaf ()]⟩ ⟨[⟨2, 2⟩, ⟨2, 1⟩], .node [.leaf (), .leaf ()]⟩ = true := by
  decide

end Layout

end Razorgirl
