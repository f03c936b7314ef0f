module

public import Razorgirl.Spec.Stride

@[expose] public section

/-!
# Strides that go nowhere

The module of one element: every layout of so many coordinates is every other one.
-/

namespace Razorgirl

namespace Stride

/-- The module of one element. -/
instance : StrideModule Unit where
  zero := ()
  add _ _ := ()
  times _ _ := ()
  add_comm _ _ := rfl
  add_assoc _ _ _ := rfl
  zero_add _ := rfl
  zero_times _ := rfl
  succ_times _ _ := rfl

end Stride

end Razorgirl
