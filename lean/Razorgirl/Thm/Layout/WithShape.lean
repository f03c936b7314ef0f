module

public import Razorgirl.Spec.Layout.WithShape
public import Razorgirl.Thm.Layout.Compact
public import Razorgirl.Thm.Layout.Composition

@[expose] public section

/-!
# The same function under another shape: what is proved

Nothing changes at any linear index, and the new layout refines the shape.
-/

namespace Razorgirl

namespace Layout

theorem IsComposite.reshape {L R : Layout} {s : IntTuple} (h : IsComposite L (columnMajor s) R) :
    IntTuple.size s ≤ L.size ∧
      ∀ x, x < IntTuple.size s → FlatLayout.atIndex R.modes x = FlatLayout.atIndex L.modes x := by
  have hs : (columnMajor s).size = IntTuple.size s := by
    rw [Layout.size, FlatLayout.size, columnMajor, FlatLayout.shape_normalize, FlatLayout.shape_columnMajor,
      IntTuple.size_eq_prod]
  have key : ∀ x, x < IntTuple.size s → x < L.size ∧
      FlatLayout.atIndex R.modes x = FlatLayout.atIndex L.modes x := by
    intro x hx
    have := h.2.2 x (by rw [hs]; exact hx)
    rwa [columnMajor_atIndex hx] at this
  refine ⟨?_, fun x hx => (key x hx).2⟩
  rcases Nat.eq_zero_or_pos (IntTuple.size s) with h0 | h0
  · omega
  · have := (key (IntTuple.size s - 1) (by omega)).1
    omega

/-- **A layout under another shape has the offset that it had at every linear index of that shape.**
Rust: `razorgirl::Layout::with_shape`
Source: CuTe `with_shape` -/
theorem withShape_atIndex {L R : Layout} {s : IntTuple} (hs : IntTuple.Positive s) (h : withShape L s = some R) :
    IntTuple.size s ≤ L.size ∧
      ∀ x, x < IntTuple.size s → FlatLayout.atIndex R.modes x = FlatLayout.atIndex L.modes x :=
  (composition_sound (columnMajor_valid hs) h).reshape

/-- **With complete composition, the layout under another shape is the composite with the column-major layout of that
shape, wherever there is one.**
Rust: `razorgirl::Layout::with_shape_complete`
Source: CuTe `with_shape` -/
theorem withShapeComplete_iff {L R : Layout} {s : IntTuple} (hs : IntTuple.Positive s) :
    withShapeComplete L s = some R ↔ IsComposite L (columnMajor s) R :=
  compositionComplete_eq_some_iff (columnMajor_valid hs)

end Layout

end Razorgirl
