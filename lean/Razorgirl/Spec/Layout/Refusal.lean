module

public import Razorgirl.Spec.Layout.Divide.Refusal
public import Razorgirl.Spec.Layout.Tiler.Refusal

@[expose] public section

/-!
# When a refusal is true

What each refusal says of the layouts that are refused, in words that do not mention how it is found.
-/

namespace Razorgirl

/-- What the search for a layout over a shape found is so: no layout over any refinement of the shape, plus any constant,
with strides of any sign, has the values of `f` on this axis up to the index; or the coordinate lies in the shape, and what
`f` adds there to its first value is not the sum of what it adds along each axis. -/
def FindOver.Witness.Holds (s : IntTuple) (f : List Nat → Int) : FindOver.Witness → Prop
  | .axis i x => i < s.flatten.length ∧ x < s.flatten.getD i 0 ∧
    ∀ k R, IntTuple.refines (HTuple.map Prod.fst R) s = true → ∃ y, y ≤ x ∧
      f (FindOver.onAxis s.flatten i y) ≠
        k + FindOver.value R (crd2idx s.flatten (FindOver.onAxis s.flatten i y))
  | .coordinate c => InBounds s.flatten c ∧
    f c - f (FindOver.zeros s.flatten) ≠ FindOver.sumAlong f s.flatten c

/-- The refusal of a complement of `L`, in the cotarget if there is one, is true: two indices share an offset; or no two do,
and the modes of smaller strides fill a block that does not divide this stride; or there is a complement, and this is the
block, which does not divide the cotarget. -/
def FlatLayout.ComplementRefusal.Holds (L : FlatLayout) (cotarget : Option Nat) : FlatLayout.ComplementRefusal → Prop
  | .collides i j => i < j ∧ j < FlatLayout.size L ∧ FlatLayout.atIndex L i = FlatLayout.atIndex L j
  | .indivisible d b => FlatLayout.Injective L ∧ ∃ P m Q, FlatLayout.chain L = P ++ m :: Q ∧ m.stride = d ∧
    FlatLayout.Divides 1 P ∧ FlatLayout.blockFrom 1 P = b ∧ ¬ b ∣ d
  | .uneven b => b = FlatLayout.block L ∧ (∃ C, FlatLayout.complement L = some C) ∧
    ∃ N, cotarget = some N ∧ (N = 0 ∨ ¬ b ∣ N)

namespace Layout

/-- The refusal of A after B is true, where `C` has the strides that decide: B has an offset at the coordinate that is no
index of A; or B stays inside, and C after B is no layout, as the witness shows. A mode of B that wraps in the middle is
told apart from digits that carry. -/
def CompositionRefusal.Holds (A C B : Layout) : CompositionRefusal → Prop
  | .outside c => InBounds B.shape.flatten c ∧ A.size ≤ FlatLayout.eval B.modes c
  | .wraps w => FlatLayout.cosizeFormula B.modes ≤ A.size ∧ w.Holds B.shape (after C B) ∧
    splitModes (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes = none
  | .carries w => FlatLayout.cosizeFormula B.modes ≤ A.size ∧ w.Holds B.shape (after C B) ∧
    splitModes (FlatLayout.shape (FlatLayout.coalesce A.modes)) B.modes ≠ none

/-- The refusal of a division of A by T is true. -/
def DivisionRefusal.Holds (A T : Layout) : DivisionRefusal → Prop
  | .outside c => InBounds T.shape.flatten c ∧ A.size ≤ FlatLayout.eval T.modes c
  | .tile w => FlatLayout.cosizeFormula T.modes ≤ A.size ∧ w.Holds T.modes (some A.size)
  | .parts w => ∃ I, tiling T A.size = some I ∧ w.Holds A A.apart I

/-- The refusal of a product of A with T is true. -/
def ProductRefusal.Holds (A T : Layout) : ProductRefusal → Prop
  | .room w => w.Holds (filter A).modes none
  | .order w => ∃ C, origins A T = some C ∧ w.Holds C C.apart T

end Layout

open Layout in
/-- The refusal of an operation by tiler is true, where `P` says when one by a layout is: at the place stands a tuple with
more modes than the layout has there; or no tuple is too long, and of the layout at the place and the mode under it the
refusal is true. -/
def TilerRefusal.Holds {ε : Type} (P : Layout → Layout → ε → Prop) (b : Tiler) (t : HTuple Mode) :
    TilerRefusal ε → Prop
  | .longer p => ∃ bs s, TilerAt b t p (.modes bs) s ∧ (HTuple.children s).length < bs.length
  | .part p e => (∃ B s, TilerAt b t p (.layout B) s ∧ P (ofTree s) B e) ∧
    (transform (fun A _ => some A) b t).isSome

end Razorgirl
