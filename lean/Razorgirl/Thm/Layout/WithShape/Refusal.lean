module

public import Razorgirl.Spec.Layout.WithShape.Refusal
public import Razorgirl.Thm.Layout.Refusal
public import Razorgirl.Thm.Layout.WithShape

@[expose] public section

/-!
# Why a layout does not take another shape: what is proved
-/

namespace Razorgirl

namespace Layout

/-- **Another shape is refused exactly where there is no answer, strict and complete.**
Rust: `razorgirl::Layout::with_shape`, `razorgirl::Layout::with_shape_complete`
Source: CuTe `with_shape` -/
theorem withShapeRefusal_eq_none_iff {L : Layout} {s : IntTuple} (hs : IntTuple.Positive s) :
    (withShapeRefusal L s = none ↔ ∃ R, withShape L s = some R) ∧
      (withShapeCompleteRefusal L s = none ↔ ∃ R, withShapeComplete L s = some R) :=
  ⟨compositionRefusal_eq_none_iff (columnMajor_valid hs), compositionCompleteRefusal_eq_none_iff (columnMajor_valid hs)⟩

/-- **What the refusal of another shape names is so, strict and complete: that of the layout after the column-major layout of
the shape.**
Rust: `razorgirl::Layout::with_shape`, `razorgirl::Layout::with_shape_complete`
Source: CuTe `with_shape` -/
theorem withShapeRefusal_holds {L : Layout} {s : IntTuple} (hs : IntTuple.Positive s) {r : CompositionRefusal} :
    (withShapeRefusal L s = some r → r.Holds L L.apart (columnMajor s)) ∧
      (withShapeCompleteRefusal L s = some r → r.Holds L L (columnMajor s)) :=
  compositionRefusal_holds (columnMajor_valid hs)

/-- **Another shape is refused for a coordinate outside exactly where it is larger than the layout.**
Rust: `razorgirl::Layout::with_shape`, `razorgirl::Layout::with_shape_complete`
Source: CuTe `with_shape` -/
theorem withShapeRefusal_outside_iff {L : Layout} {s : IntTuple} (hs : IntTuple.Positive s) :
    ((∃ c, withShapeRefusal L s = some (.outside c)) ↔ L.size < IntTuple.size s) ∧
      ((∃ c, withShapeCompleteRefusal L s = some (.outside c)) ↔ L.size < IntTuple.size s) := by
  have hv := columnMajor_valid hs
  have hn : (columnMajor s).size = IntTuple.size s := by
    rw [Layout.size, FlatLayout.size, columnMajor, FlatLayout.shape_normalize, FlatLayout.shape_columnMajor,
      IntTuple.size_eq_prod]
  have hp := hv.2.size_pos
  have key : ∀ C, (∃ c, refusalFor L C (columnMajor s) = some (.outside c)) ↔ L.size < IntTuple.size s := by
    intro C
    have hd : FlatLayout.cosizeFormula (columnMajor s).modes ≤ L.size ↔ IntTuple.size s ≤ L.size := by
      rw [← Layout.atIndex_lt_iff hv.2]
      constructor
      · intro h
        have h1 := h (IntTuple.size s - 1) (by rw [← hn]; exact Nat.sub_lt hp Nat.one_pos)
        rw [columnMajor_atIndex (by rw [← hn]; exact Nat.sub_lt hp Nat.one_pos)] at h1
        omega
      · intro h x hx
        have hx' : x < IntTuple.size s := by rw [← hn]; exact hx
        rw [columnMajor_atIndex hx']
        omega
    constructor
    · rintro ⟨c, h⟩
      rcases refusalFor_cases h with ⟨h1, _⟩ | ⟨w, _, _, e⟩
      · rw [hd] at h1; omega
      · rw [refusalOf] at e
        split at e <;> cases e
    · intro h
      exact ⟨_, by rw [refusalFor, if_neg (by rw [hd]; omega)]⟩
  exact ⟨key _, key _⟩

end Layout

end Razorgirl
