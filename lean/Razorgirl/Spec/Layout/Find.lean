module

public import Razorgirl.Spec.Layout.Coalesce

@[expose] public section

/-!
# From a function to its layout

Which layout, if any, has given offsets? The extent of its first coalesced mode is forced: the first index at
which the function leaves the line `k ↦ k·f(1)`. Split it off, check that the function is additive over the
split, and go on with what is left (`categorical.md` 10; Hieu's blog asks the question, its answer is wrong).
-/

namespace Razorgirl

/-- The least `k' ≥ k` with `f k' ≠ k'·s`, searching `n` places; `k + n` if there is none. -/
def breakAt (f : Nat → Nat) (s : Nat) : (k n : Nat) → Nat
  | k, 0 => k
  | k, n + 1 => if f k = k * s then breakAt f s (k + 1) n else k

/-- `f x = f (t·⌊x/t⌋) + s·(x mod t)` for all `x < n`: the first `t` values repeat as steps of `s`. -/
def splits (f : Nat → Nat) (s t : Nat) : (n : Nat) → Bool
  | 0 => true
  | n + 1 => f n == f (t * (n / t)) + s * (n % t) && splits f s t n

/-- The coalesced modes of the layout with offsets `f 0, …, f (M-1)`, or `none` if no layout has them.
`findLayout (2·) 3 = [3:2]`, `findLayout (·²) 3 = none`. Cost O(M).
Rust: `razorgirl::Layout::find_layout` -/
def findLayout (f : Nat → Nat) (M : Nat) : Option FlatLayout :=
  if M = 0 then none
  else if M = 1 then if f 0 = 0 then some [] else none
  else
    if 1 < breakAt f (f 1) 0 M ∧ M % breakAt f (f 1) 0 M = 0 ∧
        splits f (f 1) (breakAt f (f 1) 0 M) M = true then
      (findLayout (fun x => f (breakAt f (f 1) 0 M * x)) (M / breakAt f (f 1) 0 M)).map
        fun L => ⟨breakAt f (f 1) 0 M, f 1⟩ :: L
    else none
termination_by M
decreasing_by exact Nat.div_lt_self (by omega) (by omega)

end Razorgirl
