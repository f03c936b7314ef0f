module

public import Razorgirl.Spec.Layout.Composition

@[expose] public section

/-!
# The largest extent that composes

Where a mode of B wraps in its middle or carries, a shorter one may do. The largest is found without a search: as many steps as
the digits below leave room for, in whole turns.
-/

namespace Razorgirl

/-- How many of `s` steps of the digits `g` keep each digit but the last below its extent, on top of the digits `u`. -/
def stepsIn (s : Nat) : (M u g : List Nat) → Nat
  | m :: m' :: M, u :: us, x :: xs => min (if x = 0 then s else (m - 1 - u) / x + 1) (stepsIn s (m' :: M) us xs)
  | _, _, _ => s

/-- The largest extent up to `s` with which a mode of stride `d` composes with the shape `M`, beside modes whose largest digits
are `u`. -/
def largestExtent (M u : List Nat) (s d : Nat) : Nat :=
  if s ≤ 1 ∨ d = 0 then s
  else
    if wrapAt M (digits M d) ≤ 1 ∨ stepsIn s M u (digits M d) < wrapAt M (digits M d) then stepsIn s M u (digits M d)
    else
      wrapAt M (digits M d) *
        largestExtent M (addTimes (wrapAt M (digits M d) - 1) (digits M d) u) (s / wrapAt M (digits M d))
          (d * wrapAt M (digits M d))
termination_by s
decreasing_by exact Nat.div_lt_self (by omega) (by omega)

-- 6:3 carries in (7,4), and 3:3 does not
example : largestExtent [7, 4] [0, 0] 6 3 = 3 := by decide +kernel

namespace FlatLayout

/-- The largest extent up to that of `m` with which the modes `P`, `m`, `Q` compose with `A`; `none` where `P` and `Q` alone do not.
Rust: `razorgirl::Layout::largest_extent` -/
def extentFor (A P : FlatLayout) (m : Mode) (Q : FlatLayout) : Option Nat :=
  match splitModes (shape (coalesce A)) (P ++ Q) with
  | none => none
  | some ps =>
    if below (shape (coalesce A)) (load (shape (coalesce A)) (pieces ps)) = true ∧ cosizeFormula (P ++ Q) ≤ size A then
      some (largestExtent (shape (coalesce A)) (load (shape (coalesce A)) (pieces ps))
        (if m.stride = 0 then m.extent else min m.extent ((size A - cosizeFormula (P ++ Q)) / m.stride + 1)) m.stride)
    else none

-- beside 3:2, of 2:3 in (6,2) nothing but 1 does; beside 2:2 all of it
example : extentFor [⟨6, 1⟩, ⟨2, 7⟩] [⟨3, 2⟩] ⟨2, 3⟩ [] = some 1 ∧ extentFor [⟨6, 1⟩, ⟨2, 7⟩] [⟨2, 2⟩] ⟨2, 3⟩ [] = some 2 := by
  decide +kernel

end FlatLayout

end Razorgirl
