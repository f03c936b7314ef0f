module

public import Razorgirl.Spec.LinearLayout.Product

@[expose] public section

/-!
# Composition and inverses of linear layouts

Names connect layouts: the outputs of the first are the inputs of the second, in any order. An equation `A after X = B`
is solved column by column; where A is not injective the least solution is taken, inputs packed first dimension lowest.
`invertAndCompose` is that, except that a dimension on which A and B agree and which has nothing to do with the others
is left as it is.
Source: Triton `compose`, `invert`, `pseudoinvert`, `lstsq`, `invertAndCompose` (3.9.0).
-/

namespace Razorgirl

namespace LinearLayout

/-- `outer` after `L`. For inputs of `outer` with the names of the outputs of `L`, and not smaller.
Rust: `razorgirl::LinearLayout::compose` -/
def compose (L outer : LinearLayout) : LinearLayout := ofEval L.ins outer.outs fun p => outer.eval (L.eval p)

/-- Whether the outputs of `B` have the names of `D`, and are not larger.
Rust: `razorgirl::linear_layout::Dims::fits_names` -/
def fitsNames (B D : Dims) : Bool := Dims.sameNames B D && fitsIn B D

/-- The columns of `L` packed over other output dimensions of the same names. -/
def repacked (L : LinearLayout) (D : Dims) : List Nat := L.cols.map fun c => D.pack (L.outs.unpack c)

/-- The layout X with `A after X = B` whose bases are the least solutions. `none` where there is none, names differ or
an output of `B` is larger than that of `A`.
Rust: `razorgirl::LinearLayout::least_squares` -/
def leastSquares (A B : LinearLayout) : Option LinearLayout :=
  if fitsNames B.outs A.outs then
    (F2.leastSolutions A.cols.reverse (B.repacked A.outs)).map fun X => ⟨B.ins, A.ins, X⟩
  else none

/-- The layout that undoes `L` on both sides, if `L` is invertible.
Rust: `razorgirl::LinearLayout::invert` -/
def invert (L : LinearLayout) : Option LinearLayout :=
  if L.isInvertible then some ⟨L.outs, L.ins, F2.pseudoInverse L.cols.reverse L.outs.total⟩ else none

/-- The layout that takes each output to its least preimage, if `L` is surjective.
Rust: `razorgirl::LinearLayout::pseudoinvert` -/
def pseudoinvert (L : LinearLayout) : Option LinearLayout :=
  if L.isSurjective then some ⟨L.outs, L.ins, F2.pseudoInverse L.cols.reverse L.outs.total⟩ else none

/-- All output bits that an input dimension changes, over the output dimensions `D`. -/
def touched (L : LinearLayout) (D : Dims) (d : String) : Nat :=
  (L.columnsAt d).foldl (fun m c => m ||| D.pack (L.outs.unpack c)) 0

/-- All output bits that the other input dimensions change. -/
def touchedByOthers (L : LinearLayout) (D : Dims) (d : String) : Nat :=
  (L.ins.without [d]).foldl (fun m e => m ||| L.touched D e.1) 0

/-- Whether input `d` has the same bases in A and B, and touches no output bit that another input touches. -/
def isIdentityDim (A B : LinearLayout) (d : String) : Bool :=
  A.ins.has d && B.ins.has d && A.ins.bits d == B.ins.bits d
    && A.columnsAt d == (B.columnsAt d).map (fun c => A.outs.pack (B.outs.unpack c))
    && A.touched A.outs d &&& A.touchedByOthers A.outs d == 0
    && B.touched A.outs d &&& B.touchedByOthers A.outs d == 0

/-- The identity dimensions of A and B. -/
def identityDims (A B : LinearLayout) : List String := A.ins.names.filter (isIdentityDim A B)

/-- The layout C with `A after C = B`: the identity on the identity dimensions, and on the others the least solution.
Rust: `razorgirl::LinearLayout::invert_and_compose` -/
def invertAndCompose (B A : LinearLayout) : Option LinearLayout :=
  let same := identityDims A B
  let all (L : LinearLayout) := L.sublayout (L.ins.without same).names L.outs.names
  (leastSquares (all A) (all B)).map fun X =>
    ofEval B.ins A.ins fun p n => if same.elem n then p n else X.eval p n

-- register 0 and lane 0 name the same column twice: the register is the least preimage
example : pseudoinvert ⟨[("r", 1), ("l", 2)], [("x", 2)], [1, 1, 2]⟩ = some ⟨[("x", 2)], [("r", 1), ("l", 2)], [1, 4]⟩ := by
  decide +kernel
example : invert ⟨[("i", 2)], [("o", 2)], [3, 2]⟩ = some ⟨[("o", 2)], [("i", 2)], [3, 2]⟩ ∧
    invert ⟨[("i", 2)], [("o", 1)], [1, 1]⟩ = none := by decide +kernel
-- rows and columns exchanged between registers and lanes
example : invertAndCompose ⟨[("r", 1), ("l", 1)], [("x", 1), ("y", 1)], [1, 2]⟩
    ⟨[("r", 1), ("l", 1)], [("x", 1), ("y", 1)], [2, 1]⟩ =
    some ⟨[("r", 1), ("l", 1)], [("r", 1), ("l", 1)], [2, 1]⟩ := by decide +kernel
-- Triton up to 3.8 aborts: the spans of r and w overlap, so w is no identity dimension
example : invertAndCompose ⟨[("r", 1), ("w", 1)], [("x", 2)], [1, 3]⟩ ⟨[("r", 1), ("w", 1)], [("x", 2)], [1, 2]⟩ =
    some ⟨[("r", 1), ("w", 1)], [("r", 1), ("w", 1)], [1, 3]⟩ := by decide +kernel

end LinearLayout

end Razorgirl
