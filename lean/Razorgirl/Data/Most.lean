module

public import Razorgirl.Spec.Most

@[expose] public section

/-!
# The largest value of a function: no value is larger
-/

namespace Razorgirl

theorem le_most {f : Nat → Nat} {n x : Nat} (h : x < n) : f x ≤ most f n := by
  induction n with
  | zero => omega
  | succ n ih =>
    rw [most]
    by_cases e : x = n
    · subst e; exact Nat.le_max_right _ _
    · exact Nat.le_trans (ih (by omega)) (Nat.le_max_left _ _)

end Razorgirl
