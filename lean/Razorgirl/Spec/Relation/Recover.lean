module

public import Razorgirl.Spec.Relation.Layout

@[expose] public section

/-!
# Layouts recovered from relations

Given what a layout maps and its shape, its strides are the images of the first index of each mode. Given its strides, the shapes
of that many modes are tried in order, those with a smaller first extent first. Modes of extent 1 have stride 0, whatever was asked.
Source: «Modeling Layout Abstractions Using Integer Set Relations», from mapping and shape, from mapping and strides; there extents
of 1 and strides of 0 are refused or not ended
-/

namespace Razorgirl

namespace FlatLayout

/-- Modes of these extents, the stride of each being the image of the index at which it starts: `P` for the first. -/
def stridesFrom (r : Relation) : (P : Nat) → (s : List Nat) → Option FlatLayout
  | _, [] => some []
  | P, s :: ss =>
    match stridesFrom r (P * s) ss with
    | none => none
    | some L => if s = 1 then some (⟨1, 0⟩ :: L) else (r.valueAt P).map fun d => ⟨s, d⟩ :: L

/-- The layout of this shape whose layout mapping the relation is.
Rust: `razorgirl::relation::Relation::with_shape` -/
def fromShape (s : List Nat) (r : Relation) : Option FlatLayout :=
  match stridesFrom r 1 s with
  | none => none
  | some L => if Relation.same (relation L) r then some L else none

/-- The lists of `k` extents whose product is `n`, those with a smaller first extent first, and so on. -/
def shapesOf : (k n : Nat) → List (List Nat)
  | 0, n => if n = 1 then [[]] else []
  | k + 1, n => (List.range (n + 1)).flatMap fun s =>
    if 0 < s ∧ n % s = 0 then (shapesOf k (n / s)).map (s :: ·) else []

/-- Modes of these extents and strides; of extent 1 with stride 0. -/
def ofShapeStride : (s d : List Nat) → FlatLayout
  | s :: ss, d :: ds => ⟨s, if s = 1 then 0 else d⟩ :: ofShapeStride ss ds
  | _, _ => []

/-- Whether the layout of these extents and strides has this layout mapping. -/
def fitsStride (d : List Nat) (r : Relation) (s : List Nat) : Bool := Relation.same (relation (ofShapeStride s d)) r

/-- The layout with these strides whose layout mapping the relation is; of several the one whose extents come first.
Rust: `razorgirl::relation::Relation::with_stride` -/
def fromStride (d : List Nat) (r : Relation) : Option FlatLayout :=
  ((shapesOf d.length r.inputs).find? (fitsStride d r)).map fun s => ofShapeStride s d

-- (4,1,2) and (8,1,1) have these strides and this mapping as well
example : fromStride [1, 2, 4] (relation [⟨8, 1⟩]) = some [⟨2, 1⟩, ⟨2, 2⟩, ⟨2, 4⟩] := by decide +kernel
example : fromShape [2, 2] (relation [⟨4, 3⟩]) = some [⟨2, 3⟩, ⟨2, 6⟩] := by decide
example : fromShape [2, 2] (Relation.graph 4 fun x => x * x) = none := by decide

end FlatLayout

end Razorgirl
