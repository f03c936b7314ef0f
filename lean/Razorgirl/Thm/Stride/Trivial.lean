module

public import Razorgirl.Spec.Stride.Trivial
public import Razorgirl.Thm.Stride

@[expose] public section

/-!
# Strides that go nowhere: what is proved

Where there is one offset, what lies in the domain has a composite; digits refuse as ever.
-/

namespace Razorgirl

namespace Stride

/-- **Composition by digits is not exact in the module of one element: strides of (6,2) after (3,2):(2,3) have a composite,
all of them, and digits refuse it.**
Source: none known -/
theorem composition_not_exact_trivial :
    composition [(6, ()), (2, ())] [⟨3, 2⟩, ⟨2, 3⟩] = none ∧
      ∀ A : Modes Unit, shape A = [6, 2] → ∃ R, IsComposite A [⟨3, 2⟩, ⟨2, 3⟩] R := by
  refine ⟨by decide +kernel, fun A h => ⟨[[(3, ())], [(2, ())]], rfl, ?_, fun x hx => ⟨?_, rfl⟩⟩⟩
  · simp [Valid]
  · have : ∀ x, x < 6 → FlatLayout.atIndex [⟨3, 2⟩, ⟨2, 3⟩] x < prod [6, 2] := by decide +kernel
    rw [size, h]
    exact this x hx

end Stride

end Razorgirl
