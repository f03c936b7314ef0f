module

@[expose] public section

/-!
# The largest value of a function
-/

namespace Razorgirl

/-- The largest of `f 0 … f (n-1)`, 0 where n is 0. -/
def most (f : Nat → Nat) : (n : Nat) → Nat
  | 0 => 0
  | n + 1 => max (most f n) (f n)

example : most (fun x => x % 3) 5 = 2 := by decide +kernel

end Razorgirl
