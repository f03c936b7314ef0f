module

public import Razorgirl.Spec.LinearLayout.Basic

@[expose] public section

/-!
# Rearranging the dimensions of a linear layout

What keeps the function and changes how its dimensions are named, ordered, cut or joined; what keeps some of them; and
what puts two layouts side by side. Preconditions (the same names, equal sizes) are tested where a request is read;
without them the functions are total and mean what their first sentence says.
Source: Triton `LinearLayout.h`.
-/

namespace Razorgirl

namespace LinearLayout

/-- The same function with these input dimensions, in this order; other inputs are set to 0.
Rust: `razorgirl::LinearLayout::transpose_ins` -/
def transposeIns (L : LinearLayout) (names : List String) : LinearLayout :=
  ofEval (L.ins.inOrder names) L.outs L.eval

/-- The same function with these output dimensions, in this order; the others are dropped.
Rust: `razorgirl::LinearLayout::transpose_outs` -/
def transposeOuts (L : LinearLayout) (names : List String) : LinearLayout :=
  ofEval L.ins (L.outs.inOrder names) L.eval

/-- The input dimensions cut anew: the packed point stays. For dimensions of as many bits together.
Rust: `razorgirl::LinearLayout::reshape_ins` -/
def reshapeIns (L : LinearLayout) (D : Dims) : LinearLayout := ⟨D, L.outs, L.cols⟩

/-- The output dimensions cut anew: the packed point stays. For dimensions of as many bits together.
Rust: `razorgirl::LinearLayout::reshape_outs` -/
def reshapeOuts (L : LinearLayout) (D : Dims) : LinearLayout := ⟨L.ins, D, L.cols⟩

/-- All dimensions as one, named after the first; none stay none. -/
def flattenDims : Dims → Dims
  | [] => []
  | (d, k) :: D => [(d, Dims.total ((d, k) :: D))]

/-- The input dimensions as one.
Rust: `razorgirl::LinearLayout::flatten_ins` -/
def flattenIns (L : LinearLayout) : LinearLayout := L.reshapeIns (flattenDims L.ins)

/-- The output dimensions as one.
Rust: `razorgirl::LinearLayout::flatten_outs` -/
def flattenOuts (L : LinearLayout) : LinearLayout := L.reshapeOuts (flattenDims L.outs)

/-- A dimension with another number of bits. -/
def resizeDims (D : Dims) (d : String) (k : Nat) : Dims := D.map fun e => if e.1 = d then (d, k) else e

/-- An input dimension with another number of bits: bits that are new have the basis 0.
Rust: `razorgirl::LinearLayout::resize_in` -/
def resizeIn (L : LinearLayout) (d : String) (k : Nat) : LinearLayout :=
  ofEval (resizeDims L.ins d k) L.outs L.eval

/-- A function of the component of each basis in an output dimension, which gets `k` bits. -/
def mapComponent (L : LinearLayout) (d : String) (k : Nat) (f : Nat → Nat) : LinearLayout :=
  let D := resizeDims L.outs d k
  ⟨L.ins, D, L.cols.map fun c => D.pack fun n => if n = d then f (L.outs.unpack c n) else L.outs.unpack c n⟩

/-- An output dimension of fewer bits: the component of a basis that does not fit becomes 0. This is not reduction
modulo the size: {1,5,2} at 8, resized to 4, is {1,0,2}.
Rust: `razorgirl::LinearLayout::resize_out` -/
def resizeOut (L : LinearLayout) (d : String) (k : Nat) : LinearLayout :=
  L.mapComponent d k fun c => if c < 2 ^ k then c else 0

/-- The point with 0 for every other name. -/
noncomputable def onlyAt (names : List String) (p : Point) : Point := fun n => if n ∈ names then p n else 0

/-- Only these input and output dimensions, in the layout's order; the other inputs are 0.
Rust: `razorgirl::LinearLayout::sublayout` -/
def sublayout (L : LinearLayout) (ins outs : List String) : LinearLayout :=
  ofEval (L.ins.only ins) (L.outs.only outs) L.eval

/-- Every column is 0. -/
def allZero : List Nat → Bool
  | [] => true
  | c :: cs => c == 0 && allZero cs

/-- Whether these inputs change nothing in these outputs.
Rust: `razorgirl::LinearLayout::sublayout_is_zero` -/
def sublayoutIsZero (L : LinearLayout) (ins outs : List String) : Bool := allZero (L.sublayout ins outs).cols

/-- The columns of an input dimension.
Rust: `razorgirl::LinearLayout::columns_at` -/
def columnsAt (L : LinearLayout) (d : String) : List Nat :=
  F2.columnsOf (fun x => L.outs.pack (L.eval fun n => if n = d then x else 0)) (L.ins.bits d)

/-- Whether an input and an output dimension of that name have the same size, and the output is the input, whatever the
other inputs. The input may change other outputs.
Rust: `razorgirl::LinearLayout::is_identity_on_out_dim` -/
def isIdentityOnOutDim (L : LinearLayout) (d : String) : Bool :=
  L.ins.has d && L.outs.has d && L.ins.bits d == L.outs.bits d
    && (L.sublayout L.ins.names [d]).cols == (ofEval L.ins (L.outs.only [d]) fun p => p).cols

/-- `isIdentityOnOutDim` for each of several. -/
def isIdentityOnAll (L : LinearLayout) : (names : List String) → Bool
  | [] => true
  | d :: names => L.isIdentityOnOutDim d && isIdentityOnAll L names

/-- Whether the layout is the identity on these dimensions, and they have nothing to do with the others.
Rust: `razorgirl::LinearLayout::is_trivial_over` -/
def isTrivialOver (L : LinearLayout) (names : List String) : Bool :=
  L.isIdentityOnAll names && L.sublayoutIsZero names (L.outs.without names).names

/-- The layout of the other dimensions, where it is trivial over these.
Rust: `razorgirl::LinearLayout::quotient` -/
def quotient (L : LinearLayout) (names : List String) : Option LinearLayout :=
  if L.isTrivialOver names then some (L.sublayout (L.ins.without names).names (L.outs.without names).names) else none

/-- Inputs side by side: the image is the exclusive or of the images. For equal outputs and disjoint inputs.
Rust: `razorgirl::LinearLayout::concat_ins` -/
def concatIns (A B : LinearLayout) : LinearLayout := ⟨A.ins ++ B.ins, A.outs, A.cols ++ B.cols⟩

/-- Outputs side by side. For equal inputs and disjoint outputs.
Rust: `razorgirl::LinearLayout::concat_outs` -/
def concatOuts (A B : LinearLayout) : LinearLayout :=
  ofEval A.ins (A.outs ++ B.outs) fun p n => A.eval p n ^^^ B.eval p n

/-- An input dimension without the bits that change nothing.
Rust: `razorgirl::LinearLayout::remove_zero_bases` -/
def removeZeroBases (L : LinearLayout) (d : String) : LinearLayout :=
  let kept := (L.columnsAt d).filter fun c => c != 0
  let rest (D : Dims) : List Nat := D.flatMap fun e => if e.1 = d then kept else L.columnsAt e.1
  ⟨resizeDims L.ins d kept.length, L.outs, rest L.ins⟩

/-- An input dimension under another name.
Rust: `razorgirl::LinearLayout::rename_in` -/
def renameIn (L : LinearLayout) (old new : String) : LinearLayout :=
  ⟨L.ins.map fun e => if e.1 = old then (new, e.2) else e, L.outs, L.cols⟩

example : transposeIns example1 ["l", "r"] = ⟨[("l", 1), ("r", 1)], [("x", 1), ("y", 2)], [1, 4]⟩ := by decide +kernel
example : transposeOuts example1 ["y", "x"] = ⟨[("r", 1), ("l", 1)], [("y", 2), ("x", 1)], [2, 4]⟩ := by decide +kernel
example : sublayout example1 ["r"] ["y"] = ⟨[("r", 1)], [("y", 2)], [2]⟩ := by decide +kernel
example : flattenOuts example1 = ⟨[("r", 1), ("l", 1)], [("x", 3)], [4, 1]⟩ := by decide +kernel
example : resizeOut ⟨[("i", 3)], [("o", 3)], [1, 5, 2]⟩ "o" 2 = ⟨[("i", 3)], [("o", 2)], [1, 0, 2]⟩ := by decide +kernel
-- lane goes to lane, and register to register exclusive-or 2 lanes: not trivial over lane
example : quotient ⟨[("r", 2), ("l", 1)], [("r", 2), ("l", 1)], [1, 2, 4]⟩ ["l"] = some (identity1D 2 "r" "r") ∧
    quotient ⟨[("r", 2), ("l", 1)], [("r", 2), ("l", 1)], [1, 2, 6]⟩ ["l"] = none ∧
    isIdentityOnOutDim ⟨[("r", 2), ("l", 1)], [("r", 2), ("l", 1)], [1, 2, 6]⟩ "l" = true := by decide +kernel

end LinearLayout

end Razorgirl
