module

public import Razorgirl.Spec.LinearLayout.Basic
public import Razorgirl.Spec.Relation.Layout

@[expose] public section

/-!
# Linear layouts as relations

One function of packed points, written in three ways: between numbers, between coordinates, and between bits. The coordinates of a
number in a shape of powers of two are what its bits are, cut; in a shape of twos they are its bits, lowest first.
Source: «Modeling Layout Abstractions Using Integer Set Relations», linear layouts
-/

namespace Razorgirl

/-- A function of linear indices, between the coordinates of two shapes. -/
def Relation.between (s t : List Nat) (f : Nat → Nat) : Relation :=
  (List.range (prod s)).map fun x =>
    ((idx2crd s x).map fun (c : Nat) => (c : Int), (idx2crd t (f x)).map fun (c : Nat) => (c : Int))

namespace LinearLayout

/-- The sizes of the dimensions. -/
def Dims.shape (D : Dims) : List Nat := D.map fun d => 2 ^ d.2

/-- The pairs of packed input and packed output. -/
def relation (L : LinearLayout) : Relation := Relation.graph (2 ^ L.ins.total) L.applyPacked

/-- The pairs of input and output coordinates, in the order of the dimensions.
Rust: `razorgirl::relation::Relation::of_linear` -/
def pointRelation (L : LinearLayout) : Relation := Relation.between L.ins.shape L.outs.shape L.applyPacked

/-- The points of the output dimensions that no input has as its image, in the order of their packed numbers.
Rust: `razorgirl::LinearLayout::gaps` -/
def pointGaps (L : LinearLayout) : List (List Int) :=
  ((List.range (2 ^ L.outs.total)).map fun y => (idx2crd L.outs.shape y).map fun (c : Nat) => (c : Int)).filter fun b =>
    !L.pointRelation.any fun p => p.2 == b

/-- The pairs of input and output bits, lowest first: the binary vector space mapping. -/
def bitRelation (L : LinearLayout) : Relation :=
  Relation.between (List.replicate L.ins.total 2) (List.replicate L.outs.total 2) L.applyPacked

/-- A row of a matrix times a column of bits, modulo 2. -/
def dotBits : (row : List Nat) → (bits : List Int) → Int
  | m :: row, b :: bits => (m * b + dotBits row bits) % 2
  | _, _ => 0

-- registers give columns, lanes rows: (r, l) goes to (l, 2r)
example : example1.pointRelation = [([0, 0], [0, 0]), ([1, 0], [0, 2]), ([0, 1], [1, 0]), ([1, 1], [1, 2])] := by decide +kernel
example : example1.pointGaps = [[0, 1], [1, 1], [0, 3], [1, 3]] := by decide +kernel
example : example1.bitRelation =
    [([0, 0], [0, 0, 0]), ([1, 0], [0, 0, 1]), ([0, 1], [1, 0, 0]), ([1, 1], [1, 0, 1])] := by decide +kernel

end LinearLayout

end Razorgirl
