module

public import Razorgirl.Spec.LinearLayout.Dims

@[expose] public section

/-!
# Product and division of linear layouts

The product `A * B` is a direct sum by name: in each dimension A has the low bits and B the high ones, on both sides. A
layout A is divided on the left by B where it is `B * C`, on the right where it is `C * B`; C has the dimensions of A.
Both divisions cut the only candidate out of A and multiply it with B again.

Dimensions that both have must stand in the same relative order: the order of the product is then that of A, with the
dimensions of B that A lacks put in as late as the order of B allows. Triton documents this and does not enforce it.
Source: Triton `LinearLayout::operator*`, `supremum`, `divideLeft`, `divideRight`.
-/

namespace Razorgirl

namespace LinearLayout

/-- Two orders of names joined: each step takes the first name of `a` if `b` begins with it, or lacks it further on; else
the first name of `b` if `a` lacks it further on; else there is none. `none` too where `fuel`, a bound on the steps, is
used up. -/
def joinNames : (fuel : Nat) → (a b : List String) → Option (List String)
  | 0, _, _ => none
  | _, a, [] => some a
  | _, [], b => some b
  | fuel + 1, a :: as, b :: bs =>
    if a = b then (joinNames fuel as bs).map (a :: ·)
    else if !bs.elem a then (joinNames fuel as (b :: bs)).map (a :: ·)
    else if !as.elem b then (joinNames fuel (a :: as) bs).map (b :: ·)
    else none

/-- Names of both, each once, in an order that both agree with. -/
def orderOf (a b : List String) : Option (List String) := joinNames (a.length + b.length + 1) a b

/-- Dimensions of both, the bits of a shared one added. -/
def addDims (A B : Dims) (names : List String) : Dims := names.map fun n => (n, A.bits n + B.bits n)

/-- The product over these names of input and output dimensions. -/
def productOver (A B : LinearLayout) (ins outs : List String) : LinearLayout :=
  ofEval (addDims A.ins B.ins ins) (addDims A.outs B.outs outs) fun p n =>
    A.eval p n ^^^ 2 ^ A.outs.bits n * B.eval (fun i => p i / 2 ^ A.ins.bits i) n

/-- The direct sum by name: A has the low bits of each dimension, B the high ones. `none` where shared names stand in
another order.
Rust: `razorgirl::LinearLayout::product` -/
def product (A B : LinearLayout) : Option LinearLayout :=
  match orderOf A.ins.names B.ins.names, orderOf A.outs.names B.outs.names with
  | some ins, some outs => some (productOver A B ins outs)
  | _, _ => none

/-- The bits of A that B leaves. -/
def subDims (A B : Dims) : Dims := A.map fun d => (d.1, d.2 - B.bits d.1)

/-- No dimension of B is missing in A or larger there. -/
def fitsIn (B A : Dims) : Bool := B.all fun d => A.has d.1 && decide (d.2 ≤ A.bits d.1)

/-- The layout of the high bits of A, which is the only candidate for a left division by B. -/
def highPart (A B : LinearLayout) : LinearLayout :=
  ofEval (subDims A.ins B.ins) (subDims A.outs B.outs) fun p n =>
    A.eval (fun i => 2 ^ B.ins.bits i * p i) n / 2 ^ B.outs.bits n

/-- The layout of the low bits of A, which is the only candidate for a right division by B. -/
def lowPart (A B : LinearLayout) : LinearLayout :=
  ofEval (subDims A.ins B.ins) (subDims A.outs B.outs) A.eval

/-- The layout C over the dimensions of A with `A = B * C`, if there is one.
Rust: `razorgirl::LinearLayout::divide_left` -/
def divideLeft (A B : LinearLayout) : Option LinearLayout :=
  if fitsIn B.ins A.ins && fitsIn B.outs A.outs && product B (highPart A B) == some A then some (highPart A B) else none

/-- The layout C over the dimensions of A with `A = C * B`, if there is one.
Rust: `razorgirl::LinearLayout::divide_right` -/
def divideRight (A B : LinearLayout) : Option LinearLayout :=
  if fitsIn B.ins A.ins && fitsIn B.outs A.outs && product (lowPart A B) B == some A then some (lowPart A B) else none

example : orderOf ["a", "b"] ["b", "c"] = some ["a", "b", "c"] ∧ orderOf ["a", "b"] ["b", "a"] = none := by decide +kernel
-- two registers, then four lanes, all along one dimension
example : product (identity1D 1 "r" "x") (identity1D 2 "l" "x") = some ⟨[("r", 1), ("l", 2)], [("x", 3)], [1, 2, 4]⟩ := by
  decide +kernel
example : divideLeft ⟨[("r", 1), ("l", 2)], [("x", 3)], [1, 2, 4]⟩ (identity1D 1 "r" "x") =
    some ⟨[("r", 0), ("l", 2)], [("x", 2)], [1, 2]⟩ := by decide +kernel
-- Triton aborts: the leading basis 64 does not fit the two low bits that are left
example : divideRight ⟨[("r", 2)], [("x", 7)], [64, 2]⟩ ⟨[("r", 1)], [("x", 5)], [1]⟩ = none := by decide +kernel

end LinearLayout

end Razorgirl
