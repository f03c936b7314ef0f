module

public import Razorgirl.Spec.Layout.Recast

@[expose] public section

/-!
# What recasting means

In addresses, without a formula: which layout is that of larger elements, in which mode the parts of an element lie, and
which layout is that of the parts. What `upcast`, `downcast` and `recast` answer is proved to be this and nothing else.
-/

namespace Razorgirl

namespace FlatLayout

/-! ## Larger elements -/

/-- Steps of 1 for every mode that steps inside no element of `n`. -/
def OnlyInside (n : Nat) : FlatLayout → (steps : List Nat) → Prop
  | m :: L, t :: ts => (inside n m = false → t = 1) ∧ OnlyInside n L ts
  | _, _ => True

/-- `U` is the layout of elements that hold `n` of those of `L`: some steps of each mode lie in one element, the element
at these steps is the one that contains the offset, and together the elements hold the offsets of `L`, each as often. Modes
of extent 1 have stride 0. -/
def IsElements (n : Nat) (L U : FlatLayout) : Prop :=
  normalize U = U ∧ ∃ ts, OnlyInside n L ts ∧ Splits (shape L) ts (shape U) ∧
    (∀ c, InBounds (shape L) c → eval U (divideCoord ts c) = eval L c / n) ∧
    (partsOf n (offsets U)).Perm (offsets L)

/-! ## Smaller elements -/

/-- The entry at a position changed. -/
def changeAt (f : Nat → Nat) : (p : Nat) → List Nat → List Nat
  | _, [] => []
  | 0, x :: xs => f x :: xs
  | p + 1, x :: xs => x :: changeAt f p xs

/-- `D` is the layout of the `n`-th parts of the elements of `L`, those of one element beside each other in mode `p`: that
mode is `n` times as long, and part `r` of the element at offset `o` is at `n·o + r`. -/
def IsParts (n p : Nat) (L D : FlatLayout) : Prop :=
  p < L.length ∧ shape D = changeAt (n * ·) p (shape L) ∧
    ∀ c, InBounds (shape D) c → eval D c = n * eval L (changeAt (· / n) p c) + c.getD p 0 % n

/-- The parts of elements can lie in mode `p`: strides for that exist. -/
def HoldsParts (n p : Nat) (L : FlatLayout) : Prop := ∃ D, IsParts n p L D

/-- It is said in which mode the parts lie: `p` is the only one of extent above 1 where they can, or there is none such and
`p` is the only one at all. -/
def IsPartMode (n p : Nat) (L : FlatLayout) : Prop :=
  HoldsParts n p L ∧ (∀ q, HoldsParts n q L → (shape L).getD q 1 ≠ 1 → q = p) ∧
    ((shape L).getD p 1 ≠ 1 ∨ ∀ q, HoldsParts n q L → q = p)

end FlatLayout

/-! ## Worked examples -/

example : FlatLayout.changeAt (3 * ·) 1 [4, 2, 8] = [4, 6, 8] := by decide

end Razorgirl
